// SPDX-License-Identifier: MIT
// The machine that executes programs: waves of up to 64 lanes, a stack of lane states, groups of ALU slots,
// fetches and memory. It is exact and straightforward rather than fast.
#ifndef TERASCALE_MACHINE_H
#define TERASCALE_MACHINE_H

#include "base/array.h"
#include "base/clock.h"
#include "base/diag.h"
#include "softwave/terascale.h"
#include "terascale/body/body.h"
#include "terascale/isa/clause.h"
#include "terascale/state/state.h"

enum { TS_SCRATCH = 4096 }; // dwords of scratch memory of a lane
enum { TS_LANES = 64, TS_GPRS = 128, TS_QUEUE = 32, TS_BUFFERS = 16, TS_RATS = 12, TS_FRAMES_MOST = 4096 };

// Each lane of a set.
#define FOR_LANES(l, set)                                                                                    \
    for (uint64_t left_##l = (set); left_##l; left_##l &= left_##l - 1)                                      \
        for (unsigned l = (unsigned)__builtin_ctzll(left_##l), once_##l = 1; once_##l; once_##l = 0)

// Memory that a program may reach: an address of the one 32-bit space, or a resource of its own.
struct ts_memory {
    uint8_t *data;
    uint64_t size;
    uint32_t address;
    bool writable;
};

// What sw_terascale_memory describes; no data: it was not given.
struct ts_area {
    uint8_t *data;
    uint64_t size;
    uint32_t stride, pitch, rows;
    uint8_t type, format;
};
// The first number of each kind in ts_machine.spaces.
enum {
    TS_SPACE_RAT = 0,
    TS_SPACE_RETURN = TS_SPACE_RAT + TS_RATS,
    TS_SPACE_RING = TS_SPACE_RETURN + TS_RATS,
    TS_SPACE_STREAM = TS_SPACE_RING + 4,
    TS_SPACE_REDUCTION = TS_SPACE_STREAM + 16,
    TS_SPACE_SCATTER,
    TS_SPACE_FACTORS,
    TS_SPACE_GDS,
    TS_SPACE_GPRS,
    TS_SPACE_COUNT,
};

enum ts_frame_kind { TS_FRAME_PUSH, TS_FRAME_LOOP, TS_FRAME_CALL };
struct ts_frame {
    enum ts_frame_kind kind;
    uint64_t active, breaks, continues; // lanes in these states when it was pushed
    uint32_t back;                      // where a call returns to
    uint32_t count, limit;              // of a loop; limit 0: none
    int32_t index, step;                // aL of the outer loop; what is added to this one's
    bool sets_index;
    bool fetches; // a call of the fetch shader
    bool whole;   // of quads
};

struct ts_queue {
    uint32_t value[TS_QUEUE];
    uint8_t first, count;
};

// A wave. A lane is active, or inactive because of a branch, a break or a continue: the masks exclude each
// other, and a lane in none of them is inactive-branch. Killed lanes keep their state.
struct ts_wave {
    uint32_t gpr[TS_GPRS][4][TS_LANES];
    uint64_t active, breaks, continues, valid, present;
    uint32_t pc; // the control-flow word
    int32_t index;
    ARRAY(struct ts_frame) frames;
    unsigned pushes, loops; // of the frames
    unsigned number;
    bool done, waiting; // at a barrier
    bool blocked;       // by a semaphore
    unsigned resume;    // the group of the clause to go on with behind a barrier

    // What lives in one ALU clause.
    uint32_t pv[4][TS_LANES], ps[TS_LANES];
    int32_t ar[8][TS_LANES]; // from 4 on for GPRs, where they have indexes of their own
    uint64_t predicate;
    uint8_t defined; // bits 0 to 4: PV.x to PV.w, PS
    bool ar_defined[2], predicate_defined;
    uint64_t passes; // of the clause's last PRED_SET that updates the mask
    bool has_passes;
    uint16_t temporaries;     // components of GPRs 124 to 127 that this clause wrote
    uint32_t clause_index[2]; // cf_index when the clause began
    unsigned mask_op;         // what becomes of lanes that fail
    uint32_t cf_index[2];
    struct ts_queue (*queue)[2]; // of each lane, A and B

    // What lives in one texture clause.
    float gradient[2][3][TS_LANES]; // along x, along y
    bool has_gradient[2], gradient_in_texels[3], has_offsets;
    int32_t offset[3][TS_LANES];

    bool in_fetch_shader;
    // Of each lane's primitive: the parameters at the first vertex, and what the second and the third have
    // more, from Evergreen on. NULL: none.
    const float (*parameters[TS_LANES])[4][3];
    uint32_t *scratch; // of each lane TS_SCRATCH dwords; NULL until it is used
};

// A clause taken apart, kept for the next time.
struct ts_code_group {
    struct ts_group group;
    uint32_t literal[4];
};
struct ts_code_clause {
    uint32_t begin, words;
    struct ts_code_group *groups;
    unsigned count;
};

struct ts_code {
    const uint32_t *words;
    uint32_t count;
    struct ts_code_clause **clauses; // by the word that they begin at
};

struct ts_machine {
    const struct ts_chip *chip;
    const char *name; // of the program
    const uint32_t *code;
    uint32_t words;
    struct ts_code_clause **clauses; // by the word that they begin at
    struct ts_code other;            // the fetch shader, or the program while the fetch shader runs
    bool in_fetch_shader, has_fetch_shader;
    struct ts_state *state;
    enum ts_stage stage;

    struct ts_memory *memory; // the one space
    size_t memory_count;
    struct ts_memory constants[TS_BUFFERS];
    struct ts_memory buffers[256]; // vertex resources; 1 is the one space
    bool flat[256];
    uint32_t stride[256];
    const uint32_t *file; // constants of R600 and R700; NULL: zeros
    void (*exported)(void *context, const sw_terascale_export *e);
    void *context;
    void (*emitted)(void *context, const sw_terascale_emission *e);
    struct ts_area spaces[TS_SPACE_COUNT];
    uint32_t gws[32]; // semaphores of the whole GPU
    uint32_t booleans;
    uint32_t loops[32];
    uint32_t gprs, stack; // that the program declares
    struct ts_mode mode;
    bool strict;

    uint8_t *lds;
    uint32_t lds_size;
    uint32_t group_waves;
    uint32_t group[3];
    struct ts_wave *wave; // that is executing
    uint32_t group_in_clause;

    uint64_t steps, steps_most;
    double seconds;
    uint64_t start; // on the clock of monotonic_ns
    const sw_sink *sink;
    sw_status status;
    bool stack_reported;
};

// Stops the run: what happened, with program, word, group, wave and lane (none if negative). Returns false.
bool ts_stop(struct ts_machine *m, sw_status status, int lane, const char *what);
bool ts_fault(struct ts_machine *m, int lane, const char *format, ...) PRINTF_LIKE(3, 4);
// The same for what cannot be executed.
bool ts_refuse(struct ts_machine *m, const char *format, ...) PRINTF_LIKE(2, 3);

// Executes the wave up to its end or a barrier. False: the run stops, m->status says why.
bool ts_run_wave(struct ts_machine *m, struct ts_wave *w);
bool ts_run_alu(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *cf, const struct ts_insn *ext,
                uint64_t lanes);
bool ts_run_fetches(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *cf, uint64_t lanes);
bool ts_run_texture(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes);
// The lanes of all quads that have one of these.
uint64_t ts_whole_quads(const struct ts_wave *w, uint64_t lanes);
// The register of a fetch, with aL where it is relative; outside of the file GPR 0 is read, nothing written.
uint32_t ts_fetch_gpr(const struct ts_wave *w, uint32_t gpr, bool relative);
// The number of a resource that a fetch names, relative to its stage's.
bool ts_fetch_resource(struct ts_machine *m, const struct ts_wave *w, const struct ts_insn *in, uint32_t id,
                       unsigned index_mode, unsigned *number);
// Results as DST_SEL says.
void ts_fetch_write(struct ts_wave *w, const struct ts_insn *in, uint32_t (*results)[TS_LANES], uint32_t one,
                    uint64_t lanes);
// Fetches of memory: scratch, reduction, scatter memory, R700's LDS, GDS, tessellation factors.
bool ts_run_memory_fetch(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes);
bool ts_run_gds(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes);
bool ts_run_factors(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes);
// R700: the owner of a part writes it, all read.
bool ts_run_owner_write(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes);
bool ts_run_owner_read(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes);
// Exports and writes of memory by control-flow words.
bool ts_run_memory_write(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *cf, uint64_t lanes);
bool ts_run_rat(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *cf, uint64_t lanes);
bool ts_run_lds(struct ts_machine *m, struct ts_wave *w, const struct ts_slot *s, uint32_t (*src)[TS_LANES],
                uint64_t lanes);
// One operation of LDS or GDS on a 32-bit word; what was there is *old.
bool ts_atomic(enum ts_op op, uint32_t *word, uint32_t a, uint32_t b, uint32_t *old);

// `size` bytes at a byte address of the one space; NULL: outside.
uint8_t *ts_memory_at(const struct ts_machine *m, uint32_t address, uint32_t size, bool write);
struct ts_code_clause *ts_clause_code(struct ts_machine *m, const struct ts_clause *c);
void ts_machine_free(struct ts_machine *m);

#endif
