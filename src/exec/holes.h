// SPDX-License-Identifier: MIT
// Bodies that are compiled to be copied. STENCIL is the wave size they are compiled for. Where another build
// loads an operand from its op, these have a hole: the address of a symbol that nothing defines. Each handler
// becomes a piece of code whose relocations against those symbols say where the op's values are to be put; it
// ends in a jump to hole_next, what stands behind it. src/jit has the rest: the build's reader of
// such objects (collect.c), and what puts pieces behind each other while kernels run.
//
// With FUSED they are made for a compiler that joins them (jit/fuse.h): operands are arguments, of which
// it knows the values, and what follows is told by the result.
//
// Compilers take two such symbols for two places that never overlap, so that they would move a load of one
// register across the store to another that is the same: every access through a hole has a fence before it.
#ifndef EXEC_HOLES_H
#define EXEC_HOLES_H

#include <stdint.h>

struct wave;
struct op;

#if defined(FUSED)
// Results. NULL: the wave stops.
#define FUSED_RESULT(n)   ((const struct op *)(uintptr_t)(n))
#define hole_next(w)      ((void)(w), FUSED_RESULT(1))
#define hole_plain(w, op) ((void)(w), (void)(op), FUSED_RESULT(2))
#define hole_target(w)    ((void)(w), FUSED_RESULT(3))
#define HOLE_YIELD(w)     ((void)(w), FUSED_RESULT(4))
#define hole_leave(w, op) ((void)(w), (void)(op), FUSED_RESULT(5))
#define REAL_OP           ((const struct op *)0)
#define HOLE_FENCE()      (void)0
#else
// What stands behind the piece, and where its branch leads.
const struct op *hole_next(struct wave *w);
const struct op *hole_target(struct wave *w);
// The handler that is not copied, which begins anew.
const struct op *hole_plain(struct wave *w, const struct op *op);
// The same where that is so rare that the wave may go on without compiled code.
#define hole_leave       hole_plain

// Byte offsets of operands: of the op, and of its memory instruction. Below 2^31, as instructions extend
// them.
extern char hole_d, hole_a, hole_b, hole_c;
extern char hole_vaddr, hole_saddr, hole_data, hole_data1, hole_dst, hole_soffset;
extern char hole_slot; // times the size of a range
#define PLACE_HOLE(name) ((uintptr_t)&hole_##name)
                       // Values of any kind.
#define HOLE32(name)                                                                                         \
    ({                                                                                                       \
        uint32_t v_;                                                                                         \
        __asm__("movl $hole_" #name ", %0" : "=r"(v_));                                                      \
        v_;                                                                                                  \
    })
#define HOLE64(name)                                                                                         \
    ({                                                                                                       \
        uint64_t v_;                                                                                         \
        __asm__("movabsq $hole_" #name ", %0" : "=r"(v_));                                                   \
        v_;                                                                                                  \
    })
                       // The op itself, for code that is not copied.
#define REAL_OP       ((const struct op *)HOLE64(op))
#define HOLE_FENCE()  __asm__ volatile("" ::: "memory")
#define HOLE_YIELD(w) YIELD(w, REAL_OP)
#endif

typedef uintptr_t wave_place;

// A memory instruction, as far as pieces know them: what is missing cannot be compiled, and stays with the
// handlers that are not copied.
struct mem_op {
    wave_place vaddr, saddr, data, data1, dst, soffset;
    uintptr_t slot;
    int64_t offset, offset1;
    uint32_t lds_mask;
    _Bool has_saddr, null, offen;
};
#if !defined(FUSED)
#define HOLES_OF_MEMORY(saddr_)                                                                              \
    {                                                                                                        \
        .vaddr = PLACE_HOLE(vaddr), .saddr = PLACE_HOLE(saddr), .data = PLACE_HOLE(data),                    \
        .data1 = PLACE_HOLE(data1), .dst = PLACE_HOLE(dst), .soffset = PLACE_HOLE(soffset),                  \
        .slot = PLACE_HOLE(slot), .offset = (int64_t)HOLE64(offset), .offset1 = (int64_t)HOLE64(offset1),    \
        .lds_mask = HOLE32(lds_mask), .has_saddr = (saddr_), .null = 0, .offen = (saddr_)                    \
    }
#endif

struct op {
    wave_place d, a, b, c;
    uint64_t imm;
    uint32_t pc, e;
    struct mem_op memory;
};
#if !defined(FUSED)
#define HOLES_OF_OP(saddr_)                                                                                  \
    {                                                                                                        \
        .d = PLACE_HOLE(d), .a = PLACE_HOLE(a), .b = PLACE_HOLE(b), .c = PLACE_HOLE(c), .imm = HOLE64(imm),  \
        .pc = HOLE32(pc), .e = HOLE32(e), .memory = HOLES_OF_MEMORY(saddr_)                                  \
    }
#define PIECE_PARAMETERS struct wave *w
#else
                       // In this order fuse.c passes them.
#define PIECE_PARAMETERS                                                                                     \
    struct wave *w, uint64_t d_, uint64_t a_, uint64_t b_, uint64_t c_, uint64_t imm_, uint32_t pc_,         \
        uint32_t e_, uint64_t vaddr_, uint64_t mem_saddr_, uint64_t data_, uint64_t data1_, uint64_t dst_,   \
        uint64_t soffset_, uint64_t slot_, uint64_t offset_, uint64_t offset1_, uint32_t lds_mask_
#define HOLES_OF_OP(scalar_)                                                                                 \
    {                                                                                                        \
        .d = d_, .a = a_, .b = b_, .c = c_, .imm = imm_, .pc = pc_, .e = e_, .memory = {                     \
            .vaddr = vaddr_,                                                                                 \
            .saddr = mem_saddr_,                                                                             \
            .data = data_,                                                                                   \
            .data1 = data1_,                                                                                 \
            .dst = dst_,                                                                                     \
            .soffset = soffset_,                                                                             \
            .slot = slot_,                                                                                   \
            .offset = (int64_t)offset_,                                                                      \
            .offset1 = (int64_t)offset1_,                                                                    \
            .lds_mask = lds_mask_,                                                                           \
            .has_saddr = (scalar_),                                                                          \
            .null = 0,                                                                                       \
            .offen = (scalar_)                                                                               \
        }                                                                                                    \
    }
#endif

// A handler.
typedef const struct op *op_fn(PIECE_PARAMETERS);

#endif
