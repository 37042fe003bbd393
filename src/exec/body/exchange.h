// SPDX-License-Identifier: MIT
// What an atomic operation makes of memory: its new value from the old one and the operands, one step on
// memory, and which operands and rules of floats an operation has. Handlers and pieces are made of these.
//
// Memory is shared with other workers, so there every step is a host atomic; LDS belongs to one worker and
// needs none. Float operations round to nearest even whatever MODE says and raise no exceptions (TRAP-278,
// TRAP-347); denormals follow MODE in LDS and the memory's own rule elsewhere.
#ifndef EXEC_BODY_EXCHANGE_H
#define EXEC_BODY_EXCHANGE_H

#include "exec/body/access.h"
#include "exec/body/atomics.h"

struct float_rule {
    bool flush_in, flush_out; // denormals of this operation's type
};

// ---- Floats as bits ----
INLINE uint32_t bits32(float f) {
    uint32_t v;
    memcpy(&v, &f, 4);
    return v;
}
INLINE float float32(uint32_t v) {
    float f;
    memcpy(&f, &v, 4);
    return f;
}
INLINE uint64_t bits64(double f) {
    uint64_t v;
    memcpy(&v, &f, 8);
    return v;
}
INLINE double float64(uint64_t v) {
    double f;
    memcpy(&f, &v, 8);
    return f;
}
INLINE bool nan32(uint32_t v) { return (v & 0x7fffffff) > 0x7f800000; }
INLINE bool nan64(uint64_t v) { return (v & INT64_MAX) > 0x7ff0000000000000ull; }
INLINE uint32_t flush32(uint32_t v, bool on) { return on && !(v & 0x7f800000) ? v & 0x80000000u : v; }
INLINE uint64_t flush64(uint64_t v, bool on) {
    return on && !(v & 0x7ff0000000000000ull) ? v & 1ull << 63 : v;
}

INLINE uint32_t add32(uint32_t a, uint32_t b, struct float_rule rule) {
    if (nan32(a)) return a | 0x400000;
    if (nan32(b)) return b | 0x400000;
    uint32_t r = bits32(float32(flush32(a, rule.flush_in)) + float32(flush32(b, rule.flush_in)));
    return nan32(r) ? QNAN32 : flush32(r, rule.flush_out);
}
INLINE uint64_t add64(uint64_t a, uint64_t b, struct float_rule rule) {
    if (nan64(a)) return a | 1ull << 51;
    if (nan64(b)) return b | 1ull << 51;
    uint64_t r = bits64(float64(flush64(a, rule.flush_in)) + float64(flush64(b, rule.flush_in)));
    return nan64(r) ? QNAN64 : flush64(r, rule.flush_out);
}
INLINE uint16_t flush16(uint16_t v, bool on) { return on && !(v & 0x7c00) ? v & 0x8000 : v; }
// F32 has more than twice the digits of F16 and BF16, so rounding twice rounds right.
INLINE uint16_t add_f16(uint16_t a, uint16_t b, struct float_rule rule) {
    if ((a & 0x7fff) > 0x7c00) return a | 0x200;
    if ((b & 0x7fff) > 0x7c00) return b | 0x200;
    float r = f16_to_f32(flush16(a, rule.flush_in)) + f16_to_f32(flush16(b, rule.flush_in));
    return __builtin_isnan(r) ? 0xfe00 : flush16(f32_to_f16(r), rule.flush_out);
}
INLINE uint16_t add_bf16(uint16_t a, uint16_t b, struct float_rule rule) {
    if ((a & 0x7fff) > 0x7f80) return a | 0x40;
    if ((b & 0x7fff) > 0x7f80) return b | 0x40;
    uint32_t x = flush32((uint32_t)a << 16, rule.flush_in), y = flush32((uint32_t)b << 16, rule.flush_in);
    uint32_t r = bits32(float32(x) + float32(y));
    if (nan32(r)) return 0x7fc0;
    r += 0x7fff + (r >> 16 & 1);
    return (uint16_t)(flush32(r & 0xffff0000u, rule.flush_out) >> 16);
}
// The minimum and maximum of the chapters on data share, up to GFX11: a signalling NaN wins and is quieted, a
// quiet one loses, -0 < +0. Denormals are flushed for the comparison only (TRAP-351, ERR-24).
INLINE uint32_t select_f32(uint32_t old, uint32_t src, bool max, struct float_rule rule) {
    const uint32_t quiet = 0x400000;
    if (nan32(old) && !(old & quiet)) return old | quiet;
    if (nan32(src)) return src & quiet ? old : src | quiet;
    if (nan32(old)) return src;
    const uint32_t a = flush32(old, rule.flush_in), b = flush32(src, rule.flush_in);
    const float o = float32(a), s = float32(b);
    const bool less = s < o || (s == o && b >> 31 && !(a >> 31)),
               more = s > o || (s == o && a >> 31 && !(b >> 31));
    return (max ? more : less) ? src : old;
}
INLINE uint64_t select_f64(uint64_t old, uint64_t src, bool max, struct float_rule rule) {
    const uint64_t quiet = 1ull << 51;
    if (nan64(old) && !(old & quiet)) return old | quiet;
    if (nan64(src)) return src & quiet ? old : src | quiet;
    if (nan64(old)) return src;
    const uint64_t a = flush64(old, rule.flush_in), b = flush64(src, rule.flush_in);
    const double o = float64(a), s = float64(b);
    const bool less = s < o || (s == o && b >> 63 && !(a >> 63)),
               more = s > o || (s == o && a >> 63 && !(b >> 63));
    return (max ? more : less) ? src : old;
}
// The number wins over NaN, two NaNs give the quieted source, -0 < +0 (TRAP-350). Denormals are flushed
// before (RDNA4 13.2).
INLINE uint32_t number_f32(uint32_t old, uint32_t src, bool max, struct float_rule rule) {
    old = flush32(old, rule.flush_in), src = flush32(src, rule.flush_in);
    if (nan32(src)) return nan32(old) ? src | 0x400000 : old;
    if (nan32(old)) return src;
    float o = float32(old), s = float32(src);
    bool less = s < o || (s == o && src >> 31 && !(old >> 31)),
         more = s > o || (s == o && old >> 31 && !(src >> 31));
    return (max ? more : less) ? src : old;
}
INLINE uint64_t number_f64(uint64_t old, uint64_t src, bool max, struct float_rule rule) {
    old = flush64(old, rule.flush_in), src = flush64(src, rule.flush_in);
    if (nan64(src)) return nan64(old) ? src | 1ull << 51 : old;
    if (nan64(old)) return src;
    double o = float64(old), s = float64(src);
    bool less = s < o || (s == o && src >> 63 && !(old >> 63)),
         more = s > o || (s == o && old >> 63 && !(src >> 63));
    return (max ? more : less) ? src : old;
}

// As floats: -0 is +0 and NaN matches nothing (TRAP-356). Where inputs are flushed, so is what is stored
// (RDNA4 13.2).
INLINE bool same_f32(uint32_t a, uint32_t b, struct float_rule rule) {
    return float32(flush32(a, rule.flush_in)) == float32(flush32(b, rule.flush_in));
}
INLINE bool same_f64(uint64_t a, uint64_t b, struct float_rule rule) {
    return float64(flush64(a, rule.flush_in)) == float64(flush64(b, rule.flush_in));
}

// ---- New value of memory from the old; `second` is the other data operand ----

// Operations by size, so that a switch knows which one it lacks: that does not compile.
#define DWORD_OF_4(name) DWORD_##name = ATOMIC_##name,
#define DWORD_OF_8(name)
#define QWORD_OF_4(name)
#define QWORD_OF_8(name) QWORD_##name = ATOMIC_##name,
enum dword_atomic {
#define ATOMIC(name, bytes, traits) DWORD_OF_##bytes(name)
#include "isa/atomics.def"
#undef ATOMIC
};
enum qword_atomic {
#define ATOMIC(name, bytes, traits) QWORD_OF_##bytes(name)
#include "isa/atomics.def"
#undef ATOMIC
};
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"
INLINE uint32_t next32(enum atomic k, uint32_t old, uint32_t src, uint32_t second, struct float_rule rule) {
    switch ((enum dword_atomic)k) {
    case DWORD_swap_b32: return src;
    // {new, compare} in one tuple or data0, data1; DS before GFX11 has them the other way (TRAP-273,
    // TRAP-355).
    case DWORD_cmpswap_b32:
    case DWORD_cmpstore_b32: return old == second ? src : old;
    case DWORD_cmpst_b32: return old == src ? second : old;
    case DWORD_cmpswap_f32:
    case DWORD_cmpstore_f32: return same_f32(old, second, rule) ? flush32(src, rule.flush_in) : old;
    case DWORD_cmpst_f32: return same_f32(old, src, rule) ? flush32(second, rule.flush_in) : old;
    case DWORD_add_u32: return old + src;
    case DWORD_sub_u32: return old - src;
    case DWORD_rsub_u32: return src - old;
    case DWORD_csub_u32:
    case DWORD_sub_clamp_u32: return old < src ? 0 : old - src;
    case DWORD_cond_sub_u32: return old < src ? old : old - src;
    case DWORD_min_i32: return (int32_t)src < (int32_t)old ? src : old;
    case DWORD_min_u32: return src < old ? src : old;
    case DWORD_max_i32: return (int32_t)src > (int32_t)old ? src : old;
    case DWORD_max_u32: return src > old ? src : old;
    case DWORD_and_b32: return old & src;
    case DWORD_or_b32: return old | src;
    case DWORD_xor_b32: return old ^ src;
    case DWORD_mskor_b32: return (old & ~src) | second; // TRAP-274
    case DWORD_inc_u32: return old >= src ? 0 : old + 1;
    case DWORD_dec_u32: return old == 0 || old > src ? src : old - 1; // TRAP-275
    case DWORD_add_f32: return add32(old, src, rule);
    case DWORD_min_f32: return select_f32(old, src, false, rule);
    case DWORD_max_f32: return select_f32(old, src, true, rule);
    case DWORD_min_num_f32: return number_f32(old, src, false, rule);
    case DWORD_max_num_f32: return number_f32(old, src, true, rule);
    case DWORD_pk_add_f16: // two independent halves (TRAP-277)
        return add_f16((uint16_t)old, (uint16_t)src, rule) |
               (uint32_t)add_f16((uint16_t)(old >> 16), (uint16_t)(src >> 16), rule) << 16;
    case DWORD_pk_add_bf16:
        return add_bf16((uint16_t)old, (uint16_t)src, rule) |
               (uint32_t)add_bf16((uint16_t)(old >> 16), (uint16_t)(src >> 16), rule) << 16;
    }
    return old;
}
enum { LAST_WAVE_ID = 0xfff }; // as wide as the register is in which drivers say it
INLINE uint64_t next64(enum atomic k, uint64_t old, uint64_t src, uint64_t second, struct float_rule rule) {
    switch ((enum qword_atomic)k) {
    case QWORD_swap_b64: return src;
    case QWORD_cmpswap_b64:
    case QWORD_cmpstore_b64: return old == second ? src : old;
    case QWORD_cmpst_b64: return old == src ? second : old;
    case QWORD_cmpswap_f64:
    case QWORD_cmpstore_f64: return same_f64(old, second, rule) ? flush64(src, rule.flush_in) : old;
    case QWORD_cmpst_f64: return same_f64(old, src, rule) ? flush64(second, rule.flush_in) : old;
    case QWORD_add_u64: return old + src;
    case QWORD_sub_u64: return old - src;
    case QWORD_rsub_u64: return src - old;
    case QWORD_min_i64: return (int64_t)src < (int64_t)old ? src : old;
    case QWORD_min_u64: return src < old ? src : old;
    case QWORD_max_i64: return (int64_t)src > (int64_t)old ? src : old;
    case QWORD_max_u64: return src > old ? src : old;
    case QWORD_and_b64: return old & src;
    case QWORD_or_b64: return old | src;
    case QWORD_xor_b64: return old ^ src;
    case QWORD_mskor_b64: return (old & ~src) | second;
    case QWORD_inc_u64: return old >= src ? 0 : old + 1;
    case QWORD_dec_u64: return old == 0 || old > src ? src : old - 1;
    case QWORD_ordered_add_b64: { // TRAP-354
        const uint32_t id = (uint32_t)old, sum = (uint32_t)(old >> 32) + (uint32_t)(src >> 32);
        return id == (uint32_t)src ? ((id + 1) & LAST_WAVE_ID) | (uint64_t)sum << 32 : old;
    }
    case QWORD_add_f64: return add64(old, src, rule);
    case QWORD_min_f64: return select_f64(old, src, false, rule);
    case QWORD_max_f64: return select_f64(old, src, true, rule);
    case QWORD_min_num_f64: return number_f64(old, src, false, rule);
    case QWORD_max_num_f64: return number_f64(old, src, true, rule);
    }
    return old;
}
#pragma GCC diagnostic pop

// ---- One chunk, by operation ----
INLINE uint32_t step32(enum atomic k, bool shared, void *at, uint32_t src, uint32_t second,
                       struct float_rule rule) {
    uint32_t *p = at, old;
    if (!shared) {
        old = rd32(at);
        wr32(at, next32(k, old, src, second, rule));
        return old;
    }
    switch (k) {
    case ATOMIC_swap_b32: return __atomic_exchange_n(p, src, __ATOMIC_SEQ_CST);
    case ATOMIC_add_u32: return __atomic_fetch_add(p, src, __ATOMIC_SEQ_CST);
    case ATOMIC_sub_u32: return __atomic_fetch_sub(p, src, __ATOMIC_SEQ_CST);
    case ATOMIC_inc_u32: // without a limit it is an addition, as compilers have it
        if (LIKELY(src == UINT32_MAX)) return __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
        goto otherwise;
    case ATOMIC_dec_u32:
        if (LIKELY(src == UINT32_MAX)) return __atomic_fetch_sub(p, 1, __ATOMIC_SEQ_CST);
        goto otherwise;
    default:
    otherwise:
        old = __atomic_load_n(p, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(p, &old, next32(k, old, src, second, rule), true,
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {}
        return old;
    }
}
INLINE uint64_t step64(enum atomic k, bool shared, void *at, uint64_t src, uint64_t second,
                       struct float_rule rule) {
    uint64_t *p = at, old;
    if (!shared) { // LDS and scratch, at any address
        old = rd64(at);
        wr64(at, next64(k, old, src, second, rule));
        return old;
    }
    switch (k) {
    case ATOMIC_swap_b64: return __atomic_exchange_n(p, src, __ATOMIC_SEQ_CST);
    case ATOMIC_add_u64: return __atomic_fetch_add(p, src, __ATOMIC_SEQ_CST);
    case ATOMIC_sub_u64: return __atomic_fetch_sub(p, src, __ATOMIC_SEQ_CST);
    default:
        old = __atomic_load_n(p, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(p, &old, next64(k, old, src, second, rule), true,
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {}
        return old;
    }
}

// ---- What operations are ----
static const uint8_t atomic_bytes[ATOMIC_COUNT] = {
#define ATOMIC(name, bytes, traits) [ATOMIC_##name] = bytes,
#include "isa/atomics.def"
#undef ATOMIC
};
static const uint8_t atomic_traits[ATOMIC_COUNT] = {
#define ATOMIC(name, bytes, traits) [ATOMIC_##name] = traits,
#include "isa/atomics.def"
#undef ATOMIC
};

// MODE decides, but for sums of 64 bits, which keep denormals (TRAP-278; CDNA3 table 52, RDNA4 13.2).
INLINE struct float_rule lds_rule(const struct wave *w, unsigned k) {
    if (k == ATOMIC_add_f64) return (struct float_rule){0};
    unsigned denormals = w->mode >> (atomic_traits[k] & IS_F32 ? 4 : 6) & 3;
    return (struct float_rule){!(denormals & 1), !(denormals & 2)};
}
INLINE struct float_rule memory_rule(bool flushes_f32, unsigned k) {
    bool flush = flushes_f32 && atomic_traits[k] & IS_F32;
    return (struct float_rule){flush, flush};
}

#endif
