// SPDX-License-Identifier: MIT
// The decoded form of one executable range of code, for one register allocation. Blocks are decoded when
// first reached; op arrays never move or change once published, except that a branch remembers its target.
#ifndef EXEC_DECODE_PROGRAM_H
#define EXEC_DECODE_PROGRAM_H

#include <pthread.h>

#include "exec/decode/translate.h"

// What compilers ask of an op, by the record of its instruction (isa/effect.h) and by what its step does.
enum op_flow {
    FLOW_NEXT = 1 << 0,        // unless the wave stops, the op behind it runs next
    FLOW_WRITES_EXEC = 1 << 1, // it may
    FLOW_ARRIVES = 1 << 2,     // at the barrier of the group; if it does not wait, the op behind it runs next
    // In all lanes that execute it replaces the vector registers that it writes: of none of them anything
    // stays, and it reads none of them.
    FLOW_REPLACES = 1 << 3,
    FLOW_ASKS_EXEC = 1 << 4, // where it leads depends on EXEC
    FLOW_WAITS = 1 << 5,     // until all waves of the group have arrived; then the op behind it runs next
    // It goes on, touches registers of its wave alone, and does not write EXEC: what it does depends on no
    // other wave, nor on when it runs, and no other sees it.
    FLOW_OWN = 1 << 6,
};

// Ops that follow each other.
struct op_block {
    const struct op *ops;
    const uint8_t *flow; // of each op, enum op_flow
    size_t count;
};

struct program {
    struct code_facts facts;
    uint64_t base, size;      // of the code, in GPU address space
    const struct op **blocks; // by dword; NULL: not decoded yet
    uint8_t *reached;         // by dword: a jump to an address in registers led there; atomic
    pthread_mutex_t lock;
    struct arena arena;
    // By dword, where VGPR numbers have upper bits: what they are at the instruction there, plus one; 0:
    // nobody came there yet. Jumps to addresses in registers are made with them 0.
    uint16_t *settings;
    uint32_t next_slot;
    struct program *next;         // of the same executable, for other facts
    uint8_t *seen;                // by row: decoded for execution
    ARRAY(struct op_block) built; // all blocks, under the lock
    unsigned built_count;         // the same number for who does not have it; atomic
    // Native code (native.h). Atomic: how many blocks of the above it has, how often it was considered, and
    // when it is due again.
    unsigned joined, considered, due;
    unsigned joined_anew, fusions; // blocks when all were joined last; under the lock, like what follows
    struct native_region *native;  // its code; atomic
    struct refusal *refusals;      // what is not to be compiled again (jit/fused.c)
    bool guarded;                  // its waves' accesses may fail in the host (guard.c)
    bool skips;                    // vector instructions ask MODE.VSKIP; under the lock
    bool retired;                  // it gets no native code any more; under the lock
    // Kernels of it, by a hash of their entries; atomic (jit/hot.h).
    struct hot_kernel *kernels[64];
};

struct program *program_create(const struct code_facts *facts, uint64_t base, uint64_t size);
void program_destroy(struct program *p);

// The upper bits of VGPR numbers of the instruction at this byte offset, which has been decoded.
unsigned program_vgpr_msb(const struct program *p, uint64_t offset);

// Has vector instructions that are decoded from now on ask MODE.VSKIP. Code that has been decoded before is
// decoded anew when it is reached again: a wave with that bit reaches nothing that was decoded without.
void program_skip_vectors(struct program *p);

// The block that starts at this byte offset, decoded if need be. Never NULL for an aligned offset inside
// the code: undecodable bytes become an op that faults when it runs. NULL: outside, misaligned, no memory.
const struct op *program_block(struct program *p, uint64_t offset);

#endif
