// SPDX-License-Identifier: MIT
// How bodies are written: shape macros that turn one expression into the handlers of an operation.
//
// A body file is compiled once per vector level. The body of operation X is `const struct body body_X_LEVEL`;
// table.c refers to it by that name.
//
// A body computes and does nothing else. Modifiers are ops of their own (decode/vector.c): neg, abs, half
// selection, DPP and SDWA run before the body, clamp and omod after it. An operand of a body is of one of two
// kinds:
//   V: a vector register or a temporary. 64-bit operands are two registers, `stride` bytes apart.
//   S: one value for all lanes, of 4 or 8 bytes: a scalar register, a constant or a literal.
// A body has a handler for each combination of kinds that can occur. 16-bit operands have anything in their
// upper half; 16-bit results must have zeros there. Where an instruction keeps the other half of its
// destination, an op behind the body puts both together.
//
// The host's floating-point control word has the rounding and denormal modes that MODE has for F32. MODE may
// have others for F64 and F16: bodies of these use GUARD64, which switches the control word where it must.
#ifndef EXEC_BODY_BODY_H
#define EXEC_BODY_BODY_H

#include "exec/body/lanes.h"
#include "exec/body/rare.h"
#include "exec/host_control.h"
#include "exec/wave.h"
#include "isa/isa.h"

enum shape {
    SHAPE_NONE,    // unsupported
    SHAPE_NOTHING, // waits, hints, cache maintenance: no op at all unless observed
    SHAPE_SCALAR,  // fn[0]; d, a, b, c as the row's operands; reads and writes SCC itself
    SHAPE_VECTOR1, // fn[0] V; fn[1] S
    SHAPE_VECTOR2, // VV, SV, VS
    SHAPE_VECTOR3, // VVV, SVV, VSV, VVS
    SHAPE_COMPARE, // VV, SV, VS: d is a scalar lane mask of `lanes` bits
    SHAPE_MATRIX,  // fn[0]; sources may be constants: the body tells by the offset
    SHAPE_MEMORY,  // table by enum access, or by enum atomic for atomics; op->extra is a struct mem_op
    SHAPE_SPECIAL, // fn[0]; the decoder knows the operand convention by the row's format
};

// How fast a body is. 0: vector code for which hosts have instructions.
enum {
    COST_SMALL = 1, // integer arithmetic stands in for floats of fewer than 16 bits and stochastic rounding
    COST_LANE,      // each lane is computed by itself, with branches
};

// The format of inline float constants as the first source. The row of a conversion says that this is a
// dword; the constant is in the format that the operation reads (TRAP-026).
enum half_source { WHOLE_SOURCE, F16_SOURCE, BF16_SOURCE };

struct body {
    uint8_t shape;
    // Of memory instructions only, 0 for most. DS with two addresses: elements that the offset fields count
    // by, 1 or 64. Formatted buffers: not 0 where data is the upper half of a register. Transfers of many
    // registers: BLOCK_REGISTERS.
    uint8_t pair;
    uint8_t cost;        // COST_*, for bench/bodies
    uint8_t half_source; // enum half_source
    op_fn *fn[4]; // SHAPE_MEMORY: fn[0], if not NULL, runs after the access and finds its data in temporaries
    op_fn *const *table; // SHAPE_MEMORY
};

#define PASTE_(a, b, c) a##b##_##c
#define PASTE(a, b, c)  PASTE_(a, b, c)
#define BODY_NAME(name) PASTE(body_, name, LEVEL)
#define PLAIN_BODY(name, ...)                                                                                \
    extern const struct body BODY_NAME(name);                                                                \
    const struct body BODY_NAME(name) = {__VA_ARGS__}

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#if !defined(STENCIL)
#define BODY PLAIN_BODY
#else // rare ones have neither pieces nor a body that would lead to them
#define BODY(name, ...)   JOIN(BODY_, IS_RARE(name))(name, __VA_ARGS__)
#define BODY_0(name, ...) PLAIN_BODY(name, __VA_ARGS__)
#define BODY_1(name, ...)
#endif

// ---- Operand access ----

INLINE u32v *reg_at(struct wave *w, wave_place offset) {
    CHECKED(offset >= WAVE_OFFSET(temp) && offset % (4 * LANES) == 0 && offset < w->end &&
            w->end - offset >= wave_stride(w));
    return (u32v *)wave_at(w, offset);
}
// A scalar in every lane. In a piece that is loaded once, as no vector operation writes a scalar before it
// has read all: an instruction of which compilers do not know that it reads memory.
#if defined(STENCIL) && !defined(FUSED)
#if defined(__clang__)
#define SPLAT_SOURCE  " (%1)"
#define SPLAT_ADDRESS "r"
#else // any address, with its offset
#define SPLAT_SOURCE  " %a1"
#define SPLAT_ADDRESS "p"
#endif
#define SPLAT_AT(type, name, instruction)                                                                    \
    INLINE type name(struct wave *w, const struct op *op, wave_place offset) {                               \
        type v;                                                                                              \
        (void)op;                                                                                            \
        __asm__(instruction SPLAT_SOURCE ", %0" : "=v"(v) : SPLAT_ADDRESS((char *)w->s + offset));           \
        return v;                                                                                            \
    }
SPLAT_AT(u32v, splat32_at, "vpbroadcastd")
SPLAT_AT(u64v, splat64_at, "vpbroadcastq")
#else
INLINE u32v splat32_at(struct wave *w, const struct op *op, wave_place offset) {
    return splat32(get32(w, op, offset));
}
INLINE u64v splat64_at(struct wave *w, const struct op *op, wave_place offset) {
    return splat64(get64(w, op, offset));
}
#endif
INLINE u32v load32(struct wave *w, const struct op *op, wave_place offset, unsigned i, bool scalar) {
    return scalar ? splat32_at(w, op, offset) : reg_at(w, offset)[i];
}
INLINE u64x2 load64(struct wave *w, const struct op *op, wave_place offset, unsigned i, bool scalar) {
    if (scalar) {
        u64v v = splat64_at(w, op, offset);
        return (u64x2){v, v};
    }
    return join64(reg_at(w, offset)[i], reg_at(w, offset + wave_stride(w))[i]);
}
// One copy of a body for any EXEC: of what is long and seldom, and at the level of old hosts of everything,
// which takes a sixth less time to build.
#if (defined(LONG_BODIES) || defined(LEVEL_v2)) && !defined(STENCIL)
#define ONE_COPY
#endif
// Whether a chunk is stored whole.
#if defined(ONE_COPY) && !defined(LEVEL_v4)
#define STORES_WHOLE(full, m) ((full) || LIKELY((m) == ALL_LANES))
#else
#define STORES_WHOLE(full, m) (full)
#endif
INLINE void store64(struct wave *w, wave_place offset, unsigned i, lmask m, bool full, u64x2 v) {
    u32v lo = split_lo(v), hi = split_hi(v);
    if (STORES_WHOLE(full, m)) {
        reg_at(w, offset)[i] = lo;
        reg_at(w, offset + wave_stride(w))[i] = hi;
    } else {
        store_masked(&reg_at(w, offset)[i], m, lo);
        store_masked(&reg_at(w, offset + wave_stride(w))[i], m, hi);
    }
}
INLINE void store32(struct wave *w, wave_place offset, unsigned i, lmask m, bool full, u32v v) {
    if (STORES_WHOLE(full, m))
        reg_at(w, offset)[i] = v;
    else
        store_masked(&reg_at(w, offset)[i], m, v);
}

#if defined(STENCIL)
#define UNROLL_CHUNKS _Pragma("GCC unroll 16")
#define UNROLL_BITS   _Pragma("GCC unroll 16")
#elif defined(SW_GUARD) || defined(SW_LOOP_DISPATCH) // checks of each access make them long enough to compile
#define UNROLL_CHUNKS _Pragma("GCC unroll 1")
#define UNROLL_BITS
#else
#define UNROLL_CHUNKS _Pragma("GCC unroll 2")
#define UNROLL_BITS
#endif
#if defined(FUSED) // places are to be known
#define UNROLL_FUSED UNROLL_CHUNKS
#else
#define UNROLL_FUSED
#endif
// The bits of chunk i in a mask of the wave.
#define CHUNK_BITS(lanes) ((uint64_t)lanes_mask(lanes) << (i * LANES))
// The chunks of the wave, whatever EXEC is.
#define EACH_WAVE_CHUNK UNROLL_CHUNKS for (unsigned i = 0; i < wave_lanes(w) / LANES; i++)
// Runs the statement for every chunk of LANES lanes. In it `i` is the chunk's number, `m` its bits of EXEC,
// and FULL a compile-time constant: whether all lanes of the wave are on. `continue` goes on to the next
// chunk.
#if defined(ONE_COPY)
// A masked store takes little of the time of a long statement, less still where it is left out.
#define EACH_CHUNK(w, ...)                                                                                   \
    do {                                                                                                     \
        const unsigned chunks_ = wave_lanes(w) / LANES;                                                      \
        const bool FULL = false;                                                                             \
        uint64_t exec_ = exec_of(w);                                                                         \
        (void)FULL;                                                                                          \
        if (chunks_ == 0) __builtin_unreachable();                                                           \
        _Pragma("GCC unroll 1") for (unsigned i = 0; i < chunks_; i++, exec_ >>= LANES) {                    \
            const lmask m = (lmask)exec_ & ALL_LANES;                                                        \
            __VA_ARGS__;                                                                                     \
        }                                                                                                    \
    } while (0)
#elif defined(FUSED)
// Once: where all lanes execute, the compiler knows the masks.
#define EACH_CHUNK(w, ...)                                                                                   \
    do {                                                                                                     \
        const bool FULL = false;                                                                             \
        uint64_t exec_ = exec_of(w);                                                                         \
        (void)FULL;                                                                                          \
        UNROLL_CHUNKS for (unsigned i = 0; i < STENCIL / LANES; i++, exec_ >>= LANES) {                      \
            const lmask m = (lmask)exec_ & ALL_LANES;                                                        \
            (void)m;                                                                                         \
            __VA_ARGS__;                                                                                     \
        }                                                                                                    \
    } while (0)
#else
#define EACH_CHUNK(w, ...)                                                                                   \
    do {                                                                                                     \
        const unsigned chunks_ = wave_lanes(w) / LANES;                                                      \
        if (chunks_ == 0 || chunks_ % 2) __builtin_unreachable();                                            \
        if (LIKELY(exec_full(w))) {                                                                          \
            const bool FULL = true;                                                                          \
            const lmask m = ALL_LANES;                                                                       \
            (void)m, (void)FULL;                                                                             \
            UNROLL_CHUNKS for (unsigned i = 0; i < chunks_; i++) { __VA_ARGS__; }                            \
        } else {                                                                                             \
            const bool FULL = false;                                                                         \
            uint64_t exec_ = exec_of(w);                                                                     \
            (void)FULL;                                                                                      \
            for (unsigned i = 0; i < chunks_; i++, exec_ >>= LANES) {                                        \
                const lmask m = (lmask)exec_ & ALL_LANES;                                                    \
                __VA_ARGS__;                                                                                 \
            }                                                                                                \
        }                                                                                                    \
    } while (0)
#endif

// Operands of `op`, in EACH_CHUNK. The handler's sa, sb and sc say which of them are S operands.
#define A32    load32(w, op, op->a, i, sa)
#define B32_   load32(w, op, op->b, i, sb)
#define C32    load32(w, op, op->c, i, sc)
#define A64    load64(w, op, op->a, i, sa)
#define B64_   load64(w, op, op->b, i, sb)
#define C64    load64(w, op, op->c, i, sc)
#define D32(v) store32(w, op->d, i, m, FULL, (u32v)(v))
#define D64(v) store64(w, op->d, i, m, FULL, (v))

// ---- Lane by lane, for what is rare ----
INLINE uint32_t lane32(struct wave *w, const struct op *op, wave_place offset, unsigned lane, bool scalar) {
    return scalar ? get32(w, op, offset) : ((const uint32_t *)reg_at(w, offset))[lane];
}
INLINE uint64_t lane64(struct wave *w, const struct op *op, wave_place offset, unsigned lane, bool scalar) {
    if (scalar) return get64(w, op, offset);
    return lane32(w, op, offset, lane, false) | (uint64_t)lane32(w, op, offset + wave_stride(w), lane, false)
                                                    << 32;
}
INLINE void put_lane32(struct wave *w, wave_place offset, unsigned lane, uint32_t v) {
    ((uint32_t *)reg_at(w, offset))[lane] = v;
}
INLINE void put_lane64(struct wave *w, wave_place offset, unsigned lane, uint64_t v) {
    put_lane32(w, offset, lane, (uint32_t)v);
    put_lane32(w, offset + wave_stride(w), lane, (uint32_t)(v >> 32));
}
// Runs the statement for every executing lane l.
#define EACH_LANE(w, ...)                                                                                    \
    for (uint64_t left_ = exec_of(w); left_; left_ &= left_ - 1) {                                           \
        const unsigned l = (unsigned)__builtin_ctzll(left_);                                                 \
        __VA_ARGS__;                                                                                         \
    }

// ---- Handlers ----
// HANDLER(name) { ...; NEXT; }. A piece (exec/holes.h) gets its op as holes.
#if !defined(STENCIL)
#define HANDLER(name) static const struct op *name(struct wave *w, const struct op *op)
#else
#define PIECE(name, saddr)                                                                                   \
    __attribute__((used)) static const struct op *name(PIECE_PARAMETERS) {                                   \
        const struct op own = HOLES_OF_OP(saddr);                                                            \
        return name##_ops(w, &own);                                                                          \
    }
#define HANDLER(name)                                                                                        \
    INLINE const struct op *name##_ops(struct wave *w, const struct op *op);                                 \
    PIECE(name, 0)                                                                                           \
    INLINE const struct op *name##_ops(struct wave *w, const struct op *op)
#endif
// Bits of op->e that are rare and left to code that is not copied: there is no piece for ops that have them.
#if !defined(STENCIL)
#define RARE_BITS(name, bits)
#define RARE(op, bits) ((op)->e & (bits))
#else
#define RARE_BITS(name, bits) __attribute__((used)) static const uint32_t name##__without = (bits);
#define RARE(op, bits)        ((void)(op), false)
#endif

// ---- Handlers from a template ----
// The template is `INLINE void name_run(struct wave *w, const struct op *op, bool sa, bool sb, bool sc)`.

#if !defined(STENCIL)
#define VARIANT VARIANT_0
#else
#define VARIANT(name, ...) JOIN(VARIANT_, IS_RARE(name))(name, __VA_ARGS__)
#define VARIANT_1(...)
#endif
#if !defined(STENCIL) || defined(FUSED)
#define VARIANT_0 WHOLE_1
#else
#include "exec/body/hot.h"
// The stencil of an operation that is not hot is a jump to its handler. It has a name, by which the
// operation's piece is found (jit/plan.h).
#define VARIANT_0(name, ...) JOIN(WHOLE_, IS_HOT(name))(name, __VA_ARGS__)
#define WHOLE_0(name, suffix, sa, sb, sc)                                                                    \
    __attribute__((used)) static const struct op *name##_##suffix(PIECE_PARAMETERS) {                        \
        return hole_plain(w, REAL_OP);                                                                       \
    }
#endif
#define WHOLE_1(name, suffix, sa, sb, sc)                                                                    \
    HANDLER(name##_##suffix) {                                                                               \
        name##_run(w, op, sa, sb, sc);                                                                       \
        NEXT;                                                                                                \
    }
#define TEMPLATE(name)                                                                                       \
    INLINE void name##_run(struct wave *w, const struct op *op, const bool sa, const bool sb, const bool sc)
#define UNUSED_OPERANDS (void)sa, (void)sb, (void)sc

#define VECTOR1_(name, ...)                                                                                  \
    VARIANT(name, v, 0, 0, 0)                                                                                \
    VARIANT(name, s, 1, 0, 0)                                                                                \
    BODY(name, .shape = SHAPE_VECTOR1, __VA_ARGS__, .fn = {name##_v, name##_s})
#define VECTOR2_(name, ...)                                                                                  \
    VARIANT(name, vv, 0, 0, 0)                                                                               \
    VARIANT(name, sv, 1, 0, 0)                                                                               \
    VARIANT(name, vs, 0, 1, 0)                                                                               \
    BODY(name, .shape = SHAPE_VECTOR2, __VA_ARGS__, .fn = {name##_vv, name##_sv, name##_vs})
#define VECTOR3_(name, ...)                                                                                  \
    VARIANT(name, vvv, 0, 0, 0)                                                                              \
    VARIANT(name, svv, 1, 0, 0)                                                                              \
    VARIANT(name, vsv, 0, 1, 0)                                                                              \
    VARIANT(name, vvs, 0, 0, 1)                                                                              \
    BODY(name, .shape = SHAPE_VECTOR3, __VA_ARGS__, .fn = {name##_vvv, name##_svv, name##_vsv, name##_vvs})
// For bodies written out: TEMPLATE(v_perm_b32) { EACH_CHUNK(w, D32(...)); } VECTOR3(v_perm_b32)
#define VECTOR1(name) VECTOR1_(name, .cost = 0);
#define VECTOR2(name) VECTOR2_(name, .cost = 0);
#define VECTOR3(name) VECTOR3_(name, .cost = 0);

// ---- 32-bit integers: T is u32v or i32v ----
#define UNOP(name, T, expr)                                                                                  \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK(w, T a = (T)A32; D32(expr));                                                              \
    }                                                                                                        \
    VECTOR1(name)
#define BINOP(name, T, expr)                                                                                 \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK(w, T a = (T)A32; T b = (T)B32_; D32(expr));                                               \
    }                                                                                                        \
    VECTOR2(name)
#define TRIOP(name, T, expr)                                                                                 \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK(w, T a = (T)A32; T b = (T)B32_; T c = (T)C32; D32(expr));                                 \
    }                                                                                                        \
    VECTOR3(name)

// ---- F32 ----
// NaN results: the first NaN operand quieted, else the default NaN, which has its sign set as x86's has
// (ERR-20).
#define QNAN32 0xffc00000u
#define QNAN64 0xfff8000000000000u
// What a NaN becomes that is converted from a format with fewer bits.
#define WIDENED_NAN32 0x7fc00000u
INLINE u32v nan_of3(u32v r, f32v a, f32v b, f32v c) {
    u32v n = splat32(QNAN32);
    n = select32(is_nan32(c), (u32v)c | 0x400000, n);
    n = select32(is_nan32(b), (u32v)b | 0x400000, n);
    n = select32(is_nan32(a), (u32v)a | 0x400000, n);
    return select32(is_nan32((f32v)r), n, r);
}
INLINE u64v nan_of3_64(u64v r, f64v a, f64v b, f64v c) {
    u64v n = splat64(QNAN64);
    n = select64(is_nan64(c), (u64v)c | 0x8000000000000ull, n);
    n = select64(is_nan64(b), (u64v)b | 0x8000000000000ull, n);
    n = select64(is_nan64(a), (u64v)a | 0x8000000000000ull, n);
    return select64(is_nan64((f64v)r), n, r);
}
#define FIX_NAN32(r, a, b, c)                                                                                \
    if (UNLIKELY(any_nan32(r))) r = (f32v)nan_of3((u32v)r, a, b, c)
#define FIX_NAN64(r, a, b, c)                                                                                \
    if (UNLIKELY(any_nan64(r))) r = (f64v)nan_of3_64((u64v)r, a, b, c)

#define FUNOP_(name, expr)                                                                                   \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK(w, f32v a = (f32v)A32; f32v r = (expr); FIX_NAN32(r, a, a, a); D32(r));                   \
    }
#define FUNOP(name, expr) FUNOP_(name, expr) VECTOR1(name)
#define FBINOP_CHUNKS(name, expr)                                                                            \
    EACH_CHUNK(w, f32v a = (f32v)A32; f32v b = (f32v)B32_; f32v r = (expr); FIX_NAN32(r, a, b, b); D32(r))
#define FTRIOP_CHUNKS(name, expr)                                                                            \
    EACH_CHUNK(w, f32v a = (f32v)A32; f32v b = (f32v)B32_; f32v c = (f32v)C32; f32v r = (expr);              \
               FIX_NAN32(r, a, b, c); D32(r))

#if defined(LEVEL_v4)
// Exponents and significands of F32, the latter from 0.5 to 1. What denormals have depends on the control
// word, so that pieces write them out, as they do sums (below).
#if defined(STENCIL)
INLINE f32v exponent_of(f32v a) {
    f32v r;
    __asm__ volatile("vgetexpps %1, %0" : "=v"(r) : "v"(a));
    return r;
}
INLINE f32v significand_of(f32v a) {
    f32v r;
    __asm__ volatile("vgetmantps $2, %1, %0" : "=v"(r) : "v"(a));
    return r;
}
#else
INLINE f32v exponent_of(f32v a) { return (f32v)_mm512_getexp_ps((__m512)a); }
INLINE f32v significand_of(f32v a) {
    return (f32v)_mm512_getmant_ps((__m512)a, _MM_MANT_NORM_p5_1, _MM_MANT_SIGN_src);
}
#endif
// Of vfpclassps.
enum {
    CLASS_ZERO = 0x06,
    CLASS_DENORMAL = 0x20,
    CLASS_INFINITE = 0x18,
    CLASS_BELOW = 0x10,
    CLASS_NAN = 0x81
};
#endif

// Sums and products by one instruction of the host. Of operands that are NaNs it takes the first, quieted, as
// FIX_NAN32 does, if they stand in AMD's order; so nobody looks for NaNs. A compiler may swap the operands of
// its own operations, but not of these. They are volatile, as they compute under the control word, which
// GUARD64 switches. FMA looks at its factors first, in any form; FNMADD negates no NaN.
// gather.c keeps these where they are.
#if defined(STENCIL)
#define IN_ORDER2(name, instruction)                                                                         \
    INLINE f32v name(f32v a, f32v b) {                                                                       \
        f32v r;                                                                                              \
        __asm__ volatile(instruction " %2, %1, %0" : "=v"(r) : "v"(a), "v"(b));                              \
        return r;                                                                                            \
    }
#define IN_ORDER3(name, instruction)                                                                         \
    INLINE f32v name(f32v a, f32v b, f32v c) {                                                               \
        __asm__ volatile(instruction " %2, %1, %0" : "+v"(c) : "v"(a), "v"(b));                              \
        return c;                                                                                            \
    }
#if defined(LEVEL_v4)
#define AS_IT_STANDS
#else // assemblers swap operands to save a byte of the prefix
#define AS_IT_STANDS "%{vex3%} "
#endif
IN_ORDER2(add_in_order, AS_IT_STANDS "vaddps")
IN_ORDER2(sub_in_order, AS_IT_STANDS "vsubps")
IN_ORDER2(mul_in_order, AS_IT_STANDS "vmulps")
IN_ORDER3(fma_in_order, "vfmadd231ps")
IN_ORDER3(fnma_in_order, "vfnmadd231ps")
INLINE f32v subrev_in_order(f32v a, f32v b) { return fnma_in_order(a, splatf(1), b); }
#define FIXED_CHUNKS(in_order, chunks) EACH_CHUNK(w, D32(in_order))
#else
#define FIXED_CHUNKS(in_order, chunks) chunks
#endif

// `in_order` computes the same by such an instruction, of A32, B32_ and C32.
#define FBINOP(name, expr, in_order)                                                                         \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        FIXED_CHUNKS(in_order, FBINOP_CHUNKS(name, expr));                                                   \
    }                                                                                                        \
    VECTOR2(name)
#define FMA_OP(name, expr, in_order)                                                                         \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        FIXED_CHUNKS(in_order, FTRIOP_CHUNKS(name, expr));                                                   \
    }                                                                                                        \
    VECTOR3(name)
#define FTRIOP(name, expr)                                                                                   \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        FTRIOP_CHUNKS(name, expr);                                                                           \
    }                                                                                                        \
    VECTOR3(name)

// ---- 64-bit: T is u64v, i64v ----
#define UNOP64(name, T, expr)                                                                                \
    INLINE u64v name##_eval(u64v a_) {                                                                       \
        T a = (T)a_;                                                                                         \
        return (u64v)(expr);                                                                                 \
    }                                                                                                        \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK(w, u64x2 a = A64; D64(((u64x2){name##_eval(a.x), name##_eval(a.y)})));                    \
    }                                                                                                        \
    VECTOR1(name)
#define BINOP64(name, T, expr)                                                                               \
    INLINE u64v name##_eval(u64v a_, u64v b_) {                                                              \
        T a = (T)a_;                                                                                         \
        T b = (T)b_;                                                                                         \
        return (u64v)(expr);                                                                                 \
    }                                                                                                        \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        EACH_CHUNK(w, u64x2 a = A64; u64x2 b = B64_;                                                         \
                   D64(((u64x2){name##_eval(a.x, b.x), name##_eval(a.y, b.y)})));                            \
    }                                                                                                        \
    VECTOR2(name)

// ---- F64 and F16: MODE has its own rounding and denormal control for them ----
#define GUARD64(w, ...)                                                                                      \
    do {                                                                                                     \
        if (UNLIKELY((w)->mixed)) {                                                                          \
            host_control_set((w)->mxcsr64);                                                                  \
            __asm__ volatile("" ::: "memory");                                                               \
        }                                                                                                    \
        __VA_ARGS__;                                                                                         \
        if (UNLIKELY((w)->mixed)) {                                                                          \
            __asm__ volatile("" ::: "memory");                                                               \
            host_control_set((w)->mxcsr);                                                                    \
        }                                                                                                    \
    } while (0)

#define FUNOP64(name, expr)                                                                                  \
    INLINE u64v name##_eval(u64v a_) {                                                                       \
        f64v a = (f64v)a_;                                                                                   \
        f64v r = (expr);                                                                                     \
        FIX_NAN64(r, a, a, a);                                                                               \
        return (u64v)r;                                                                                      \
    }                                                                                                        \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        GUARD64(w, EACH_CHUNK(w, u64x2 a = A64; D64(((u64x2){name##_eval(a.x), name##_eval(a.y)}))));        \
    }                                                                                                        \
    VECTOR1(name)
#define FBINOP64(name, expr)                                                                                 \
    INLINE u64v name##_eval(u64v a_, u64v b_) {                                                              \
        f64v a = (f64v)a_;                                                                                   \
        f64v b = (f64v)b_;                                                                                   \
        f64v r = (expr);                                                                                     \
        FIX_NAN64(r, a, b, b);                                                                               \
        return (u64v)r;                                                                                      \
    }                                                                                                        \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        GUARD64(w, EACH_CHUNK(w, u64x2 a = A64; u64x2 b = B64_;                                              \
                              D64(((u64x2){name##_eval(a.x, b.x), name##_eval(a.y, b.y)}))));                \
    }                                                                                                        \
    VECTOR2(name)
#define FTRIOP64(name, expr)                                                                                 \
    INLINE u64v name##_eval(u64v a_, u64v b_, u64v c_) {                                                     \
        f64v a = (f64v)a_;                                                                                   \
        f64v b = (f64v)b_;                                                                                   \
        f64v c = (f64v)c_;                                                                                   \
        f64v r = (expr);                                                                                     \
        FIX_NAN64(r, a, b, c);                                                                               \
        return (u64v)r;                                                                                      \
    }                                                                                                        \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        GUARD64(w, EACH_CHUNK(w, u64x2 a = A64; u64x2 b = B64_; u64x2 c = C64;                               \
                              D64(((u64x2){name##_eval(a.x, b.x, c.x), name##_eval(a.y, b.y, c.y)}))));      \
    }                                                                                                        \
    VECTOR3(name)

// ---- Compares: the result is a lane mask in the scalar register d; bits of inactive lanes are 0 (TRAP-110)
// ----
INLINE void put_full_mask(struct wave *w, wave_place d, uint64_t bits) {
    if (wave_lanes(w) == 64)
        put64(w, d, bits);
    else
        put32(w, d, (uint32_t)bits);
}
INLINE void put_mask(struct wave *w, wave_place d, uint64_t bits) { put_full_mask(w, d, bits & exec_of(w)); }
// What it has for the lanes of chunk i.
#if defined(JOINED_TRUTHS)
INLINE truth mask_part(struct wave *w, const struct op *op, wave_place a, unsigned i) {
    (void)op;
    return rd16((const char *)wave_at(w, a) + 2 * i);
}
#endif
INLINE uint64_t get_mask(struct wave *w, const struct op *op, wave_place a) {
    return wave_lanes(w) == 64 ? get64(w, op, a) : get32(w, op, a);
}
#define EACH_BITS(w, ...) /* every chunk whatever EXEC is */                                                 \
    do {                                                                                                     \
        const unsigned chunks_ = wave_lanes(w) / LANES;                                                      \
        UNROLL_BITS for (unsigned i = 0; i < chunks_; i++) { __VA_ARGS__; }                                  \
    } while (0)
// The bits of what `t`, which the statement makes for every chunk, holds for; those of executing lanes.
#if defined(JOINED_TRUTHS)
#define PUT_TRUTHS(w, d, ...)                                                                                \
    do {                                                                                                     \
        truth all_[STENCIL / LANES];                                                                         \
        EACH_BITS(w, __VA_ARGS__; all_[i] = t);                                                              \
        put_mask(w, d, join_truths(all_));                                                                   \
    } while (0)
// The same behind a statement of EACH_CHUNK.
#define EACH_CHUNK_TRUTH(w, d, ...)                                                                          \
    do {                                                                                                     \
        if (LIKELY(exec_full(w))) {                                                                          \
            const bool FULL = true;                                                                          \
            const lmask m = ALL_LANES;                                                                       \
            truth all_[STENCIL / LANES];                                                                     \
            (void)m, (void)FULL;                                                                             \
            UNROLL_CHUNKS for (unsigned i = 0; i < STENCIL / LANES; i++) {                                   \
                __VA_ARGS__;                                                                                 \
                all_[i] = t;                                                                                 \
            }                                                                                                \
            put_full_mask(w, d, join_truths(all_));                                                          \
        } else {                                                                                             \
            const bool FULL = false;                                                                         \
            uint64_t exec_ = exec_of(w), bits_ = 0;                                                          \
            (void)FULL;                                                                                      \
            UNROLL_FUSED for (unsigned i = 0; i < STENCIL / LANES; i++, exec_ >>= LANES) {                   \
                const lmask m = (lmask)exec_ & ALL_LANES;                                                    \
                __VA_ARGS__;                                                                                 \
                bits_ |= (uint64_t)truth_bits(t) << (i * LANES);                                             \
            }                                                                                                \
            put_mask(w, d, bits_);                                                                           \
        }                                                                                                    \
    } while (0)
#else
#define PUT_TRUTHS(w, d, ...)                                                                                \
    do {                                                                                                     \
        uint64_t bits_ = 0;                                                                                  \
        EACH_BITS(w, __VA_ARGS__; bits_ |= (uint64_t)truth_bits(t) << (i * LANES));                          \
        put_mask(w, d, bits_);                                                                               \
    } while (0)
#define EACH_CHUNK_TRUTH(w, d, ...)                                                                          \
    do {                                                                                                     \
        uint64_t bits_ = 0;                                                                                  \
        EACH_CHUNK(w, __VA_ARGS__; bits_ |= (uint64_t)truth_bits(t) << (i * LANES));                         \
        put_mask(w, d, bits_);                                                                               \
    } while (0)
#endif
#define COMPARE_(name)                                                                                       \
    VARIANT(name, vv, 0, 0, 0)                                                                               \
    VARIANT(name, sv, 1, 0, 0)                                                                               \
    VARIANT(name, vs, 0, 1, 0) BODY(name, .shape = SHAPE_COMPARE, .fn = {name##_vv, name##_sv, name##_vs});
#define COMPARE(name, T, expr)                                                                               \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        uint64_t bits_ = 0;                                                                                  \
        EACH_BITS(w, T a = (T)A32; T b = (T)B32_; bits_ |= CHUNK_BITS((i32v)(expr)));                        \
        put_mask(w, op->d, bits_);                                                                           \
    }                                                                                                        \
    COMPARE_(name)
// 64-bit operands come as two vectors; each is compared, then the bits are put back in the order of lanes.
#define COMPARE64(name, T, expr)                                                                             \
    INLINE u64v name##_eval(u64v a_, u64v b_) {                                                              \
        T a = (T)a_;                                                                                         \
        T b = (T)b_;                                                                                         \
        return (u64v)(expr);                                                                                 \
    }                                                                                                        \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        uint64_t bits_ = 0;                                                                                  \
        EACH_BITS(w, u64x2 a = A64; u64x2 b = B64_;                                                          \
                  u64x2 r = {name##_eval(a.x, b.x), name##_eval(a.y, b.y)};                                  \
                  bits_ |= CHUNK_BITS((i32v)split_hi(r)));                                                   \
        put_mask(w, op->d, bits_);                                                                           \
    }                                                                                                        \
    COMPARE_(name)

// ---- Scalar ALU ----
// The statement sees S0, S1 (uint32_t) or Q0, Q1 (uint64_t) and sets D and, where it does, w->scc.
#define SCALAR_(name, facts, ...)                                                                            \
    HANDLER(name##_scalar) {                                                                                 \
        __VA_ARGS__;                                                                                         \
        NEXT;                                                                                                \
    }                                                                                                        \
    BODY(name, .shape = SHAPE_SCALAR, .fn = {name##_scalar}, facts);
#define SCALAR(name, ...) SCALAR_(name, .half_source = WHOLE_SOURCE, __VA_ARGS__)
#define S0                get32(w, op, op->a)
#define S1                get32(w, op, op->b)
#define S2                get32(w, op, op->c)
#define Q0                get64(w, op, op->a)
#define Q1                get64(w, op, op->b)
#define DS32(v)           put32(w, op->d, (uint32_t)(v))
#define DS64(v)           put64(w, op->d, (uint64_t)(v))

#if !defined(STENCIL)
#define SPECIAL(name)                                                                                        \
    static const struct op *name##_special(struct wave *w, const struct op *op);                             \
    BODY(name, .shape = SHAPE_SPECIAL, .fn = {name##_special});                                              \
    static const struct op *name##_special(struct wave *w, const struct op *op)
#else
#define SPECIAL(name)                                                                                        \
    INLINE const struct op *name##_special_ops(struct wave *w, const struct op *op);                         \
    PIECE(name##_special, 0)                                                                                 \
    BODY(name, .shape = SHAPE_SPECIAL, .fn = {name##_special});                                              \
    INLINE const struct op *name##_special_ops(struct wave *w, const struct op *op)
#endif

#endif
