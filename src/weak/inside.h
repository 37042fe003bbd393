// SPDX-License-Identifier: MIT
// What the files of the weak machine share: records of instructions (record.c), operations that are not over
// (late.c), caches (cache.c), choices (step.c).
#ifndef WEAK_INSIDE_H
#define WEAK_INSIDE_H

#include "base/array.h"
#include "exec/machine.h"
#include "isa/caches.h"
#include "isa/hazards.h"
#include "sched/pool.h"
#include "weak/weak.h"

// Compute units, so few that groups of small grids share some and not others. Two caches each where the waves
// of a group are on both halves of a work-group processor.
enum { UNITS = 16, HALVES = 2, ARRAYS = 4, L2S = 2, LINE = 128, NEAR_LINES = 64, L2_LINES = 512 };

// ---- Instructions ----

// A range of registers that is read, as what: a bit for each enum hazard_second.
struct stale_use {
    uint8_t bank;
    uint16_t first, count, seconds;
};

struct record {
    uint64_t pc; // 0: nothing is here yet
    uint8_t code[20], size;
    uint8_t msb;      // upper bits of VGPR numbers
    bool placed;      // they are known
    bool known;       // there is an effect
    bool waits, ends; // for counters; the wave
    bool defers;      // it is carried out later
    unsigned actions; // enum cache_action
    struct effect effect;
    // For the rules of hazards (stale.c). What it writes, a bit for each enum hazard_first.
    uint16_t vector_writes, scalar_writes;
    uint8_t states;        // wait states that it takes
    bool indexes, forgets; // changes VGPR index mode; nothing is known behind it
    uint8_t use_count;
    struct stale_use uses[16];
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
    uint64_t s_writes[2]; // scalar registers that it writes, a bit each
    uint64_t signature;   // of its lines
    ARRAY(struct touched) registers;
    ARRAY(struct touched_line) lines;
};

// A register that was written not long ago.
struct stale_value {
    uint32_t offset, bytes; // in the wave
    uint16_t firsts;        // a bit for each enum hazard_first
    uint8_t states;         // wait states since then
    uint8_t overwritten;    // by the instruction that is about to run
    bool shown;             // the wave has the old value
    uint32_t was[MAX_LANES], is[MAX_LANES];
};
enum { STALE_VALUES = 64, STALE_NEW = 32 };
struct stale {
    unsigned count;
    bool indexed; // a program has used VGPR index mode: nothing is shown any more
    struct stale_value values[STALE_VALUES];
    struct stale_value news[STALE_NEW]; // what the instruction that is about to run writes, as it is
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

static inline uint64_t weak_random(struct weak *m) { // splitmix64
    uint64_t z = m->random += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
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

// Says what the instruction is to the rules of hazards.
void stale_describe(const struct weak *m, const struct insn *in, struct record *r);
// Carries out or begins the instruction, with what it reads too soon as it was. What runs next: `behind`, or
// `op`, which is then still to be carried out.
const struct op *stale_carry_out(struct weak *m, struct wave *w, const struct op *op, const struct record *r,
                                 const struct op *behind);
void stale_forget(struct weak *m);

#endif
