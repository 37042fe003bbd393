// SPDX-License-Identifier: MIT
// What the files of the weak machine share: records of instructions (record.c), operations that are not over
// (late.c), caches (cache.c), choices (step.c).
#ifndef WEAK_INSIDE_H
#define WEAK_INSIDE_H

#include "base/array.h"
#include "base/hash.h"
#include "exec/machine.h"
#include "isa/caches.h"
#include "isa/hazards.h"
#include "sched/pool.h"
#include "weak/weak.h"

// Compute units, so few that groups of small grids share some and not others. Two caches each where the waves
// of a group are on both halves of a work-group processor.
enum { UNITS = 16, HALVES = 2, ARRAYS = 4, L2S = 2, LINE = 128, NEAR_LINES = 64, L2_LINES = 512 };

// ---- Instructions ----

// A range of registers that is read, as what: a bit for each enum hazard_second, and what of a matrix
// operation's result it is (enum matrix_use plus one, MATRIX_TO_SAME_C for any that is added to).
struct stale_use {
    uint8_t bank, matrix;
    uint16_t first, count;
    uint32_t seconds;
};
// What an instruction is to the rules of hazards.
enum hazard_kind {
    IS_VALU = 1 << 0,
    IS_SALU = 1 << 1, // but s_nop, waits and their like
    IS_SMEM = 1 << 2,
    IS_VMEM = 1 << 3, // but FLAT
    IS_FLAT = 1 << 4,
    IS_LDS = 1 << 5,
    IS_TRANS = 1 << 6,
    IS_BRANCH = 1 << 7,
    IS_NOP = 1 << 8,
    IS_WAIT = 1 << 9,        // for counters
    IS_STORE_WAIT = 1 << 10, // s_waitcnt_vscnt 0
    IS_DEALLOC = 1 << 11,    // s_sendmsg dealloc_vgprs
    IS_ASTRAY = 1 << 12,     // a branch that goes where no one knows
    IS_DENORM_MODE = 1 << 13,
    IS_FLOAT_ATOMIC = 1 << 14,
    WRITES_EXEC = 1 << 15,
    WRITES_SCALAR = 1 << 16, // but EXEC
    HAS_LITERAL = 1 << 17,
    IS_DOT = 1 << 18,
    IS_WMMA = 1 << 19,
    IS_JUMP = 1 << 20,       // to an address in registers
    NAMES_NO_EXEC = 1 << 21, // though it writes EXEC: s_and_saveexec and its kin
};
// What it waits for inside of the units (s_waitcnt_depctr, s_wait_alu).
enum unit_wait {
    WAITS_VALU_SCALAR = 1 << 0,
    WAITS_VALU_VCC = 1 << 1,
    WAITS_SALU_SCALAR = 1 << 2,
    WAITS_MEMORY_SOURCES = 1 << 3
};
// By what operands of an operation may change that was issued.
enum exposed {
    EXPOSED_TO_SALU = 1 << 0, // scalar registers
    EXPOSED_TO_VALU = 1 << 1,
    EXPOSED_TO_CMPX = 1 << 2,        // EXEC
    EXPOSED_TO_ALL = 1 << 3,         // registers
    EXPOSED_DATA = 1 << 4,           // what is stored
    EXPOSED_TO_DENORM_MODE = 1 << 5, // MODE
};

struct record {
    uint64_t pc; // 0: nothing is here yet
    uint8_t code[20], size;
    uint8_t msb;      // upper bits of VGPR numbers
    bool known;       // there is an effect
    bool waits, ends; // for counters; the wave
    bool defers;      // it is carried out later
    unsigned actions; // enum cache_action
    struct effect effect;
    // For the rules of hazards (stale.c). What it writes, a bit for each enum hazard_first.
    uint32_t vector_writes, scalar_writes, acc_writes;
    uint32_t is;           // enum hazard_kind
    uint8_t states;        // wait states that it takes
    uint8_t unit_waits;    // enum unit_wait
    uint8_t vector_wait;   // so many instructions of the vector unit may be left
    uint8_t exposed;       // enum exposed
    bool indexes, forgets; // changes VGPR index mode; nothing is known behind it
    struct matrix_of matrix;
    struct stale_use data;  // that a store of more than 64 bits writes
    struct stale_use added; // what a matrix operation adds to
    uint8_t use_count;
    struct stale_use uses[24];
};
// Of the instruction that the op begins.
const struct record *weak_record(struct weak *m, const struct wave *w, const struct op *op);

// ---- Caches ----

struct line {
    uint64_t address; // 0: none
    uint8_t data[LINE];
    uint64_t dirty[LINE / 64]; // a bit a byte
};
struct cache {
    struct line *lines;
    unsigned count; // a power of two
};
// The caches of a wave.
struct path {
    struct cache *near, *middle, *l2, *scalar; // NULL: there is none
    unsigned unit, number;                     // the compute unit; of the near cache
};

// Whether waves may read, or write, all of the line.
bool cache_may(struct weak *m, uint64_t address, uint32_t rights);
// NULL: it is not there. `c` may be NULL.
struct line *cache_find(const struct cache *c, uint64_t address);
// The place for the line, what was there being written back.
struct line *cache_take(struct weak *m, struct cache *c, uint64_t address);
// What is dirty goes to memory: of a line that is dropped, and of all of them.
void cache_drop(struct weak *m, struct cache *c, uint64_t address);
void cache_write_back(struct weak *m, struct cache *c);
void cache_drop_clean(struct cache *c);

// ---- Operations ----

// A register that the instruction touches, and its lanes as they were when it was issued.
struct touched {
    uint32_t offset; // in the wave
    bool reads, writes, of_exec;
    uint8_t bytes; // that are written, a bit for each
    uint64_t back; // other lanes that are written as `issued` has them
    uint32_t issued[MAX_LANES];
    uint32_t result[MAX_LANES];
};
struct touched_line {
    uint64_t address;
    uint64_t written[LINE / 64]; // bytes, a bit each
};
// An instruction that was issued and is not over.
struct late {
    struct wave *w;
    const struct op *op; // NULL: caches are written back
    struct path path;
    uint8_t raises[COUNTERS];
    uint8_t access;
    enum cache_reach reach;
    bool performed;
    bool everywhere; // it is not known what it touches
    bool lds, scratch, scalar;
    bool arrives;     // asynchronously, at a barrier in LDS
    bool whole_lines; // all its places are known to the byte
    uint32_t mode, lds_limit, mxcsr, mxcsr64, mixed;
    uint32_t s[128], s_result[128];
    uint64_t s_writes[2];    // scalar registers that it writes, a bit each
    uint64_t signature;      // of its lines
    uint64_t turn;           // of its wave: in another one no hazard is known
    unsigned passed;         // times that some operation of the unit went on while this was the oldest
    uint8_t exposed, states; // enum exposed; wait states since it was issued
    uint32_t is;             // enum hazard_kind
    struct stale_use data;
    struct effect effect;
    ARRAY(struct touched) registers;
    ARRAY(struct touched_line) lines;
};

// A register that was written not long ago.
struct stale_value {
    uint32_t offset, bytes;                 // in the wave
    uint32_t firsts;                        // a bit for each enum hazard_first
    uint8_t states;                         // wait states since then
    uint8_t vector, transcendental, scalar; // instructions of these units, 255: or more
    uint8_t by;          // IS_SALU or IS_VALU: until it is waited for, readers of a unit get the old value
    bool forwarded;      // its unit has been waited for
    uint8_t overwritten; // by the instruction that is about to run
    bool undone;         // which writes in vain
    bool shown;          // the wave has the old value
    struct matrix_of matrix;
    uint8_t bank; // of what the matrix operation wrote in all
    uint16_t first, count;
    unsigned execs; // writes of EXEC before it was written
    uint64_t exec;  // which it had then
    uint64_t lanes; // that are shown
    uint32_t was[MAX_LANES], is[MAX_LANES];
};
// A matrix operation of which what it adds to may still be written.
struct stale_matrix {
    const struct op *op; // NULL: none
    struct matrix_of matrix;
    bool fresh; // the instruction itself
    uint8_t states;
    struct stale_use added;
    unsigned count;
    struct {
        uint32_t offset;
        bool written, overwritten; // by it; by others since
        uint32_t input[MAX_LANES], now[MAX_LANES];
    } registers[80];
};
enum { STALE_VALUES = 256, STALE_NEW = 64, STALE_MATRICES = 4 };
struct stale {
    unsigned count;
    bool indexed; // a program has used VGPR index mode: nothing is shown any more
    bool knows_last, last_was_nop;
    bool saw_lds, saw_vmem, lds_branch, vmem_branch;
    unsigned execs; // times that the scalar unit has written EXEC
    uint64_t turn;
    bool read[128]; // by the vector unit: scalar registers, or masks
    struct stale_value values[STALE_VALUES];
    struct stale_value news[STALE_NEW]; // what the instruction that is about to run writes, as it is
    struct stale_matrix matrices[STALE_MATRICES];
    unsigned next_matrix;
};

// How this seed chooses.
struct policy {
    unsigned eager;    // of 256: an operation goes on before an instruction
    unsigned patience; // of 256: a wave that waits gives way rather than lets operations go on
    unsigned order;    // 0: any, 1: the oldest first, 2: the newest first
    unsigned turn;     // instructions of a wave in a row, at the most
    bool stale;        // caches have old lines of what others write
    bool scrambles;    // registers hold neither the old value nor the new one until that has come
};

struct weak {
    const struct pool *pool;
    const struct cache_facts *caches;
    const struct counters *counters;
    uint64_t seed, random;
    struct policy policy;
    bool failed;  // out of memory: everything happens at once from then on
    bool hazards; // who reads too soon behind who wrote gets the old value
    struct hazards rules;
    struct stale stale; // of `current`

    struct wave *current; // that runs, and instructions that it has left
    unsigned left;
    uint64_t launch; // number of the newest that began

    const struct late *delivered; // is carried out
    ARRAY(struct late *) pending[UNITS];
    struct cache near[UNITS * HALVES], scalar[UNITS], middle[ARRAYS], l2[L2S];
    struct line *lines; // of all caches
    ARRAY(struct line) patched;
    struct record records[1024];
};

static inline uint64_t weak_random(struct weak *m) { return random_bits(&m->random); }
static inline bool weak_chance(struct weak *m, unsigned of256) { return (weak_random(m) & 255) < of256; }

struct path weak_path(struct weak *m, const struct wave *w);
// Begins the instruction. False: it could not, and is to be carried out now.
bool late_issue(struct weak *m, struct wave *w, const struct op *op, const struct record *r);
// Where a vector register is in the wave; 0: it has none of that number.
uint32_t late_offset(const struct wave *w, unsigned bank, unsigned number);
// Writes caches back behind what the wave wrote.
bool late_write_back(struct weak *m, struct wave *w);
// How many operations the wave has outstanding in this counter.
unsigned late_count(const struct weak *m, const struct wave *w, unsigned unit, unsigned counter);
// Whether stores and atomics that waves of its work-group issued are still to be done.
bool late_group_stores(const struct weak *m, const struct wave *w, unsigned unit);
// Lets some operation of the compute unit go on. False: there is none.
bool late_advance(struct weak *m, unsigned unit);

// The pending operations of the running wave, and what the instruction means for their operands: whether it
// may change some, and what it has changed.
bool expose_any(const struct weak *m, const struct wave *w);
void expose_written(struct weak *m, struct wave *w, const struct record *r);
// Behind any instruction: what it ends, and brings about.
void expose_after(struct weak *m, struct wave *w, const struct record *r);
// Before one that is no operation itself: lanes that a pending load does not write come back as they are.
void expose_lanes(struct weak *m, struct wave *w, const struct record *r);
// Finds the lines of memory anew, whose addresses have changed.
bool late_find_lines(const struct weak *m, struct late *l);

// EXEC when the operation was issued.
static inline uint64_t late_exec(const struct late *l) {
    return (uint64_t)l->s[SRC_EXEC_LO] | (uint64_t)l->s[SRC_EXEC_LO + 1] << 32;
}

// A number of states or instructions that have passed; 255: or more.
static inline uint8_t stale_add(uint8_t a, unsigned b) { return (uint8_t)(a + b > 255 ? 255 : a + b); }
// Where a register is in the wave. False: it has none of that number.
bool stale_find(const struct wave *w, unsigned bank, unsigned number, uint32_t *offset);
// Carries out the ops of one instruction, whatever runs otherwise.
void stale_run(struct weak *m, struct wave *w, const struct op *op);
// Takes note of a matrix operation; whether the instruction writes what one adds to, whose result is then
// another one.
void matrix_issue(struct weak *m, struct wave *w, const struct op *op, const struct record *r);
bool matrix_is_hit(const struct weak *m, const struct wave *w, const struct record *r);
void matrix_after(struct weak *m, struct wave *w, const struct record *r);

// Says what the instruction is to the rules of hazards.
void stale_describe(const struct weak *m, const struct insn *in, struct record *r);
// Carries out or begins the instruction, with what it reads too soon as it was. What runs next: `behind`, or
// `op`, which is then still to be carried out.
const struct op *stale_carry_out(struct weak *m, struct wave *w, const struct op *op, const struct record *r,
                                 const struct op *behind);
void stale_forget(struct weak *m);

#endif
