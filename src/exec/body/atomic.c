// SPDX-License-Identifier: MIT
// Read-modify-write: DS, global, flat and buffer atomics.
//
// Lanes act in ascending order (TRAP-279). Memory is shared with other workers, so there every step is a host
// atomic; LDS belongs to one worker and needs none. A chunk first finds and checks all its addresses, then
// runs one function per operation. Float operations round to nearest even whatever MODE says and raise no
// exceptions (TRAP-278, TRAP-347); denormals follow MODE in LDS and the memory's own rule elsewhere.
#include "exec/body/access.h"
#include "exec/image.h"
#include "exec/machine.h"

struct exchange {
    uint64_t at[LANES]; // host addresses
    uint64_t src[LANES], second[LANES], old[LANES];
};
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
INLINE uint32_t next32(enum atomic k, uint32_t old, uint32_t src, uint32_t second, struct float_rule rule) {
    switch (k) {
    case ATOMIC_swap_b32: return src;
    // {new, compare} in one tuple or data0, data1; DS before GFX11 has them the other way (TRAP-273,
    // TRAP-355).
    case ATOMIC_cmpswap_b32:
    case ATOMIC_cmpstore_b32: return old == second ? src : old;
    case ATOMIC_cmpst_b32: return old == src ? second : old;
    case ATOMIC_cmpswap_f32:
    case ATOMIC_cmpstore_f32: return same_f32(old, second, rule) ? flush32(src, rule.flush_in) : old;
    case ATOMIC_cmpst_f32: return same_f32(old, src, rule) ? flush32(second, rule.flush_in) : old;
    case ATOMIC_add_u32: return old + src;
    case ATOMIC_sub_u32: return old - src;
    case ATOMIC_rsub_u32: return src - old;
    case ATOMIC_csub_u32:
    case ATOMIC_sub_clamp_u32: return old < src ? 0 : old - src;
    case ATOMIC_cond_sub_u32: return old < src ? old : old - src;
    case ATOMIC_min_i32: return (int32_t)src < (int32_t)old ? src : old;
    case ATOMIC_min_u32: return src < old ? src : old;
    case ATOMIC_max_i32: return (int32_t)src > (int32_t)old ? src : old;
    case ATOMIC_max_u32: return src > old ? src : old;
    case ATOMIC_and_b32: return old & src;
    case ATOMIC_or_b32: return old | src;
    case ATOMIC_xor_b32: return old ^ src;
    case ATOMIC_mskor_b32: return (old & ~src) | second; // TRAP-274
    case ATOMIC_inc_u32: return old >= src ? 0 : old + 1;
    case ATOMIC_dec_u32: return old == 0 || old > src ? src : old - 1; // TRAP-275
    case ATOMIC_add_f32: return add32(old, src, rule);
    case ATOMIC_min_f32: return select_f32(old, src, false, rule);
    case ATOMIC_max_f32: return select_f32(old, src, true, rule);
    case ATOMIC_min_num_f32: return number_f32(old, src, false, rule);
    case ATOMIC_max_num_f32: return number_f32(old, src, true, rule);
    case ATOMIC_pk_add_f16: // two independent halves (TRAP-277)
        return add_f16((uint16_t)old, (uint16_t)src, rule) |
               (uint32_t)add_f16((uint16_t)(old >> 16), (uint16_t)(src >> 16), rule) << 16;
    case ATOMIC_pk_add_bf16:
        return add_bf16((uint16_t)old, (uint16_t)src, rule) |
               (uint32_t)add_bf16((uint16_t)(old >> 16), (uint16_t)(src >> 16), rule) << 16;
    default: return old;
    }
}
enum { LAST_WAVE_ID = 0xfff }; // as wide as the register is in which drivers say it
INLINE uint64_t next64(enum atomic k, uint64_t old, uint64_t src, uint64_t second, struct float_rule rule) {
    switch (k) {
    case ATOMIC_swap_b64: return src;
    case ATOMIC_cmpswap_b64:
    case ATOMIC_cmpstore_b64: return old == second ? src : old;
    case ATOMIC_cmpst_b64: return old == src ? second : old;
    case ATOMIC_cmpswap_f64:
    case ATOMIC_cmpstore_f64: return same_f64(old, second, rule) ? flush64(src, rule.flush_in) : old;
    case ATOMIC_cmpst_f64: return same_f64(old, src, rule) ? flush64(second, rule.flush_in) : old;
    case ATOMIC_add_u64: return old + src;
    case ATOMIC_sub_u64: return old - src;
    case ATOMIC_rsub_u64: return src - old;
    case ATOMIC_min_i64: return (int64_t)src < (int64_t)old ? src : old;
    case ATOMIC_min_u64: return src < old ? src : old;
    case ATOMIC_max_i64: return (int64_t)src > (int64_t)old ? src : old;
    case ATOMIC_max_u64: return src > old ? src : old;
    case ATOMIC_and_b64: return old & src;
    case ATOMIC_or_b64: return old | src;
    case ATOMIC_xor_b64: return old ^ src;
    case ATOMIC_mskor_b64: return (old & ~src) | second;
    case ATOMIC_inc_u64: return old >= src ? 0 : old + 1;
    case ATOMIC_dec_u64: return old == 0 || old > src ? src : old - 1;
    case ATOMIC_ordered_add_b64: { // TRAP-354
        const uint32_t id = (uint32_t)old, sum = (uint32_t)(old >> 32) + (uint32_t)(src >> 32);
        return id == (uint32_t)src ? ((id + 1) & LAST_WAVE_ID) | (uint64_t)sum << 32 : old;
    }
    case ATOMIC_add_f64: return add64(old, src, rule);
    case ATOMIC_min_f64: return select_f64(old, src, false, rule);
    case ATOMIC_max_f64: return select_f64(old, src, true, rule);
    case ATOMIC_min_num_f64: return number_f64(old, src, false, rule);
    case ATOMIC_max_num_f64: return number_f64(old, src, true, rule);
    default: return old;
    }
}

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
typedef void exchange_fn(struct exchange *x, lmask m, struct float_rule rule);
enum {
    ATOMIC_COUNT = 0
#define ATOMIC(name, bytes) +1
#include "isa/atomics.def"
#undef ATOMIC
                   + 1
};
#define ATOMIC(name, bytes)                                                                                  \
    static NOINLINE void name##_private(struct exchange *x, lmask m, struct float_rule rule) {               \
        OVER_LANES(m, l) {                                                                                   \
            void *at = (void *)(uintptr_t)x->at[l];                                                          \
            if (bytes == 8)                                                                                  \
                x->old[l] = step64(ATOMIC_##name, false, at, x->src[l], x->second[l], rule);                 \
            else                                                                                             \
                x->old[l] =                                                                                  \
                    step32(ATOMIC_##name, false, at, (uint32_t)x->src[l], (uint32_t)x->second[l], rule);     \
        }                                                                                                    \
    }                                                                                                        \
    static NOINLINE void name##_shared(struct exchange *x, lmask m, struct float_rule rule) {                \
        OVER_LANES(m, l) {                                                                                   \
            void *at = (void *)(uintptr_t)x->at[l];                                                          \
            if (bytes == 8)                                                                                  \
                x->old[l] = step64(ATOMIC_##name, true, at, x->src[l], x->second[l], rule);                  \
            else                                                                                             \
                x->old[l] =                                                                                  \
                    step32(ATOMIC_##name, true, at, (uint32_t)x->src[l], (uint32_t)x->second[l], rule);      \
        }                                                                                                    \
    }
#include "isa/atomics.def"
#undef ATOMIC

// The common case in LDS without detours: 32 bits, every address aligned and inside. Registers of the chunk.
typedef void lds_fn(uint8_t *lds, const uint32_t *at, lmask m, const uint32_t *src, const uint32_t *second,
                    uint32_t *old, struct float_rule rule);
#define ATOMIC(name, bytes)                                                                                  \
    static NOINLINE void name##_lds(uint8_t *lds, const uint32_t *at, lmask m, const uint32_t *src,          \
                                    const uint32_t *second, uint32_t *old, struct float_rule rule) {         \
        if (bytes == 8) return;                                                                              \
        if (m == ALL_LANES)                                                                                  \
            for (unsigned l = 0; l < LANES; l++)                                                             \
                old[l] = step32(ATOMIC_##name, false, lds + at[l], src[l], second[l], rule);                 \
        else                                                                                                 \
            OVER_LANES(m, l) old[l] = step32(ATOMIC_##name, false, lds + at[l], src[l], second[l], rule);    \
    }
#include "isa/atomics.def"
#undef ATOMIC
static lds_fn *const lds_steps[ATOMIC_COUNT] = {
#define ATOMIC(name, bytes) [ATOMIC_##name] = name##_lds,
#include "isa/atomics.def"
#undef ATOMIC
};
static exchange_fn *const private_steps[ATOMIC_COUNT] = {
#define ATOMIC(name, bytes) [ATOMIC_##name] = name##_private,
#include "isa/atomics.def"
#undef ATOMIC
};
static exchange_fn *const shared_steps[ATOMIC_COUNT] = {
#define ATOMIC(name, bytes) [ATOMIC_##name] = name##_shared,
#include "isa/atomics.def"
#undef ATOMIC
};
static const uint8_t atomic_bytes[ATOMIC_COUNT] = {
#define ATOMIC(name, bytes) [ATOMIC_##name] = bytes,
#include "isa/atomics.def"
#undef ATOMIC
};
enum { TAKES_TUPLE = 1, TAKES_DATA1 = 2, IS_FLOAT = 4, IS_F32 = 8 };
static const uint8_t atomic_traits[ATOMIC_COUNT] = {
    [ATOMIC_cmpswap_b32] = TAKES_TUPLE,
    [ATOMIC_cmpswap_b64] = TAKES_TUPLE,
    [ATOMIC_cmpswap_f32] = TAKES_TUPLE | IS_FLOAT | IS_F32,
    [ATOMIC_cmpswap_f64] = TAKES_TUPLE | IS_FLOAT,
    [ATOMIC_cmpst_b32] = TAKES_DATA1,
    [ATOMIC_cmpst_b64] = TAKES_DATA1,
    [ATOMIC_cmpst_f32] = TAKES_DATA1 | IS_FLOAT | IS_F32,
    [ATOMIC_cmpst_f64] = TAKES_DATA1 | IS_FLOAT,
    [ATOMIC_cmpstore_b32] = TAKES_DATA1,
    [ATOMIC_cmpstore_b64] = TAKES_DATA1,
    [ATOMIC_cmpstore_f32] = TAKES_DATA1 | IS_FLOAT | IS_F32,
    [ATOMIC_cmpstore_f64] = TAKES_DATA1 | IS_FLOAT,
    [ATOMIC_mskor_b32] = TAKES_DATA1,
    [ATOMIC_mskor_b64] = TAKES_DATA1,
    [ATOMIC_add_f32] = IS_FLOAT | IS_F32,
    [ATOMIC_add_f64] = IS_FLOAT,
    [ATOMIC_min_f32] = IS_FLOAT | IS_F32,
    [ATOMIC_max_f32] = IS_FLOAT | IS_F32,
    [ATOMIC_min_f64] = IS_FLOAT,
    [ATOMIC_max_f64] = IS_FLOAT,
    [ATOMIC_min_num_f32] = IS_FLOAT | IS_F32,
    [ATOMIC_max_num_f32] = IS_FLOAT | IS_F32,
    [ATOMIC_min_num_f64] = IS_FLOAT,
    [ATOMIC_max_num_f64] = IS_FLOAT,
    [ATOMIC_pk_add_f16] = IS_FLOAT,
    [ATOMIC_pk_add_bf16] = IS_FLOAT,
};

// ---- Registers and float environment around a chunk ----
INLINE void get_exchange(struct wave *w, const struct mem_op *mo, unsigned i, struct exchange *x, lmask m) {
    const unsigned k = mo->atomic, stride = w->stride;
    const bool wide = atomic_bytes[k] == 8;
    const uint32_t *a = (const uint32_t *)&reg_at(w, mo->data)[i], *b = a + (wide ? 2 : 1) * stride / 4;
    if (atomic_traits[k] & TAKES_DATA1)
        b = (const uint32_t *)&reg_at(w, mo->data1)[i];
    else if (!(atomic_traits[k] & TAKES_TUPLE))
        b = a; // not used
    if (!wide) {
        for (unsigned l = 0; l < LANES; l++) x->src[l] = a[l], x->second[l] = b[l];
        return;
    }
    OVER_LANES(m, l) {
        x->src[l] = a[l] | (uint64_t)a[l + stride / 4] << 32;
        x->second[l] = b[l] | (uint64_t)b[l + stride / 4] << 32;
    }
}
INLINE void put_exchange(struct wave *w, const struct mem_op *mo, unsigned i, const struct exchange *x,
                         lmask m) {
    if (!mo->returns) return;
    uint32_t *d = (uint32_t *)&reg_at(w, mo->dst)[i];
    OVER_LANES(m, l) {
        d[l] = (uint32_t)x->old[l];
        if (atomic_bytes[mo->atomic] == 8) d[l + w->stride / 4] = (uint32_t)(x->old[l] >> 32);
    }
}
// MODE decides, but for sums of 64 bits, which keep denormals (TRAP-278; CDNA3 table 52, RDNA4 13.2).
INLINE struct float_rule lds_rule(const struct wave *w, unsigned k) {
    if (k == ATOMIC_add_f64) return (struct float_rule){0};
    unsigned denormals = w->mode >> (atomic_traits[k] & IS_F32 ? 4 : 6) & 3;
    return (struct float_rule){!(denormals & 1), !(denormals & 2)};
}
INLINE struct float_rule memory_rule(const struct mem_op *mo) {
    bool flush = mo->flushes_f32 && atomic_traits[mo->atomic] & IS_F32;
    return (struct float_rule){flush, flush};
}
INLINE void run_steps(struct wave *w, exchange_fn *const *steps, unsigned k, struct exchange *x, lmask m,
                      struct float_rule rule) {
    if (atomic_traits[k] & IS_FLOAT) {
        host_control_set(
            CONTROL_MASKED); // nearest even, denormals kept, nothing raised; the step itself flushes
        __asm__ volatile("" ::: "memory");
        steps[k](x, m, rule);
        __asm__ volatile("" ::: "memory");
        host_control_set(w->mxcsr);
        return;
    }
    (void)w;
    steps[k](x, m, rule);
}

// The same in memory, of which others may be told.
INLINE void run_shared(struct wave *w, const struct mem_op *mo, struct exchange *x, lmask m) {
    OUT(state_atomic(w, mo->atomic, mo->returns && !mo->null, x->at, x->src, m));
    run_steps(w, shared_steps, mo->atomic, x, m, memory_rule(mo));
}

// Checks the lanes m at base + offset in memory; sets their host addresses.
INLINE bool aim_global(struct wave *w, const struct op *op, uint64_t base, u32v offset, lmask m, unsigned i,
                       struct exchange *x) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned bytes = atomic_bytes[mo->atomic];
    uint32_t at[LANES];
    memcpy(at, &offset, sizeof at);
    const u32v low = (offset + (uint32_t)base) & (bytes - 1);
    if (LIKELY(all_in_cached(&w->ranges[mo->slot], base, offset, bytes, m) &&
               !(differ32(low, splat32(0)) & m))) {
        const uint64_t host = host_base(&w->ranges[mo->slot], base);
        if (m == ALL_LANES)
            for (unsigned l = 0; l < LANES; l++) x->at[l] = host + at[l];
        else
            OVER_LANES(m, l) x->at[l] = host + at[l]; // others may have been aimed at before
        return true;
    }
    OVER_LANES(m, l) {
        uint64_t a = base + at[l];
        if (a & (bytes - 1)) return lane_fault(w, op, FAULT_ALIGNMENT, i, l, a);
        if (UNLIKELY(!global_right(w, mo->slot, a, bytes, RIGHT_READ | RIGHT_WRITE)))
            return lane_fault(w, op, FAULT_ATOMIC, i, l, a);
        x->at[l] = host_address(a);
    }
    return true;
}
INLINE bool exchange_global(struct wave *w, const struct op *op, uint64_t base, u32v offset, lmask m,
                            unsigned i) {
    const struct mem_op *mo = mem_op_of(op);
    struct exchange x;
    if (!aim_global(w, op, base, offset, m, i, &x)) return false;
    get_exchange(w, mo, i, &x, m);
    run_shared(w, mo, &x, m);
    put_exchange(w, mo, i, &x, m);
    return true;
}
// Out of range: dropped, and zero returns.
INLINE bool exchange_lds(struct wave *w, const struct op *op, u32v address, lmask m, unsigned i,
                         struct float_rule rule) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned bytes = atomic_bytes[mo->atomic];
    struct exchange x;
    lmask inside = 0;
    uint32_t at[LANES];
    memcpy(at, &address, sizeof at);
    if (bytes == 4 && w->lds_limit >= 4 && !(atomic_traits[mo->atomic] & (IS_FLOAT | TAKES_TUPLE)) &&
        !((above32(address, splat32(w->lds_limit - 4)) | differ32(address & 3, splat32(0))) & m)) {
        const uint32_t *src = (const uint32_t *)&reg_at(w, mo->data)[i];
        const uint32_t *second =
            atomic_traits[mo->atomic] & TAKES_DATA1 ? (const uint32_t *)&reg_at(w, mo->data1)[i] : src;
        uint32_t dropped[LANES], *old = mo->returns ? (uint32_t *)&reg_at(w, mo->dst)[i] : dropped;
        lds_steps[mo->atomic](w->lds, at, m, src, second, old, (struct float_rule){0});
        return true;
    }
    OVER_LANES(m, l) {
        x.old[l] = 0;
        if (at[l] & (bytes - 1)) return lane_fault(w, op, FAULT_ALIGNMENT, i, l, at[l]);
        if (in_range(at[l], bytes, w->lds_limit)) inside |= 1u << l;
        x.at[l] = (uint64_t)(uintptr_t)w->lds + at[l];
    }
    get_exchange(w, mo, i, &x, m);
    run_steps(w, private_steps, mo->atomic, &x, inside, rule);
    put_exchange(w, mo, i, &x, m);
    return true;
}

// ---- Bodies: one handler serves every operation ----
INLINE bool ds_atomic(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    EACH_ACTIVE(w, if (!exchange_lds(w, op, reg_at(w, mo->vaddr)[i] + (uint32_t)mo->offset, m, i,
                                     lds_rule(w, mo->atomic))) return false);
    return true;
}
INLINE bool global_atomic(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    EACH_ACTIVE(
        w, const u32v lo = reg_at(w, mo->vaddr)[i]; if (mo->has_saddr) {
            if (!exchange_global(w, op, get64(w, op, mo->saddr) + (uint64_t)mo->offset, lo, m, i))
                return false;
        } else {
            const u32v hi = reg_at(w, mo->vaddr + w->stride)[i];
            EACH_HIGH(hi, m,
                      if (!exchange_global(w, op, ((uint64_t)high << 32) + (uint64_t)mo->offset, lo, g,
                                           i)) return false)
        });
    return true;
}
// Private memory is the wave's alone; 64-bit atomics do not work there (TRAP-291).
INLINE bool exchange_scratch(struct wave *w, const struct op *op, u32v offset, lmask m, unsigned i) {
    const struct mem_op *mo = mem_op_of(op);
    const u32v at = (offset & ~3u) * w->lanes + (LANE_INDEX + i * LANES) * 4 + (offset & 3);
    const unsigned bytes = atomic_bytes[mo->atomic];
    uint64_t limit = w->scratch_size < UINT32_MAX ? w->scratch_size : UINT32_MAX;
    lmask outside = bytes == 8 || limit < bytes ? m : above32(offset, splat32((uint32_t)(limit - bytes))) & m;
    if (outside)
        return lane_fault(w, op, FAULT_ATOMIC, i, first_lane(outside),
                          SW_PRIVATE_APERTURE + lane_of(offset, first_lane(outside)));
    return exchange_global(w, op, get64(w, op, mo->flat_scratch), at, m, i);
}
// Scratch of any lane (IS_SPREAD_SCRATCH), likewise.
static __attribute__((noinline)) bool exchange_spread(struct wave *w, const struct op *op, uint64_t high,
                                                      u32v lo, lmask m, unsigned i) {
    for (unsigned l = 0; l < LANES; l++) {
        if (!(m >> l & 1)) continue;
        const uint64_t flat = high + lo[l];
        if (atomic_bytes[mem_op_of(op)->atomic] == 8) return lane_fault(w, op, FAULT_ATOMIC, i, l, flat);
        if (!exchange_global(w, op, spread_address(flat), splat32(0), (lmask)1 << l, i)) return false;
    }
    return true;
}
INLINE bool flat_atomic(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    EACH_ACTIVE(
        w, const u32v lo = reg_at(w, mo->vaddr)[i], hi = reg_at(w, mo->vaddr + w->stride)[i]; EACH_HIGH(
            hi, m, bool ok; if (high == SW_SHARED_APERTURE >> 32) ok = exchange_lds(
                                w, op, (lo + (uint32_t)mo->offset) & mo->lds_mask, g, i,
                                mo->lds_keeps_denormals ? (struct float_rule){0} : lds_rule(w, mo->atomic));
            else if (high == SW_PRIVATE_APERTURE >> 32) ok =
                exchange_scratch(w, op, lo + (uint32_t)mo->offset, g, i);
            else if (IS_SPREAD_SCRATCH(high)) ok =
                exchange_spread(w, op, ((uint64_t)high << 32) + (uint64_t)mo->offset, lo, g, i);
            else ok = exchange_global(w, op, ((uint64_t)high << 32) + (uint64_t)mo->offset, lo, g, i);
            if (!ok) return false));
    return true;
}
// Out of range, an atomic is dropped as a whole and returns zero (TRAP-308, TRAP-309).
INLINE bool buffer_atomic(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned bytes = atomic_bytes[mo->atomic];
    EACH_ACTIVE(
        w, struct buffer_lanes b; struct exchange x; lmask inside = 0;
        if (!BUFFER_LANES(w, op, bytes, m, i, &b)) continue; OVER_LANES(m, l) {
            x.old[l] = 0;
            if (b.inside[l] != (bytes == 8 ? 3 : 1)) continue;
            if (!aim_global(w, op, b.at[l], splat32(0), 1u << l, i, &x)) return false;
            inside |= 1u << l;
        } get_exchange(w, mo, i, &x, m);
        run_shared(w, mo, &x, inside); put_exchange(w, mo, i, &x, m));
    return true;
}
// Texels out of range are dropped, and zero returns.
static NOINLINE bool change_texels(struct wave *w, const struct op *op) {
    const struct image_op *o = image_op_of(op);
    const struct mem_op *mo = &o->mem;
    uint64_t at[MAX_LANES], inside;
    bool ignored;
    if (!OUT(image_aim(w, op, atomic_bytes[mo->atomic], at, &inside, &ignored))) return false;
    if (ignored) return true;
    EACH_ACTIVE(
        w, struct exchange x; const lmask in = (lmask)(inside >> i * LANES) & m; OVER_LANES(m, l) {
            x.old[l] = 0;
            x.at[l] = at[i * LANES + l];
        } get_exchange(w, mo, i, &x, m);
        run_shared(w, mo, &x, in); put_exchange(w, mo, i, &x, m);
        if (o->status) OVER_LANES(m, l) put_lane32(w, o->status, i * LANES + l, 0));
    return true;
}
static const struct op *image_atomic_run(struct wave *w, const struct op *op) {
    NOTE_ACCESS(w, op);
    if (UNLIKELY(!change_texels(w, op))) return NULL;
    NEXT;
}
BODY(image_atomic, .shape = SHAPE_MEMORY, .fn = {image_atomic_run});
INLINE bool aim_scalar(struct wave *w, const struct op *op, uint64_t a, struct exchange *x) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned bytes = atomic_bytes[mo->atomic];
    const bool aligned = !(a & (bytes - 1));
    if (!aligned || !global_right(w, mo->slot, a, bytes, RIGHT_READ | RIGHT_WRITE))
        return wave_fault(w, op, aligned ? FAULT_ATOMIC : FAULT_ALIGNMENT, -1, a), false;
    x->at[0] = host_address(a);
    return true;
}
// One operand from LDS itself: the second address is the first plus a number of dwords, which stands in the
// instruction's offsets or, when their top bit is set, in the upper bits of the address.
INLINE bool ds_src2(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned bytes = atomic_bytes[mo->atomic];
    EACH_ACTIVE(
        w, struct exchange x; OVER_LANES(m, l) {
            const uint32_t *address = (const uint32_t *)&reg_at(w, mo->vaddr)[i];
            const bool in_address = mo->offset >> 15 & 1;
            const int32_t dwords =
                in_address ? (int32_t)address[l] >> 17 : (int32_t)((uint32_t)mo->offset << 17) >> 17;
            const uint32_t a = in_address ? address[l] & 0x1ffff : address[l], b = a + 4 * (uint32_t)dwords;
            if ((a | b) & (bytes - 1) & 3) return lane_fault(w, op, FAULT_ALIGNMENT, i, l, a);
            x.src[l] = x.second[l] = 0;
            x.at[l] = (uint64_t)(uintptr_t)w->lds + a;
            if (in_range(b, bytes, w->lds_limit)) memcpy(&x.src[l], w->lds + b, bytes);
            if (in_range(a, bytes, w->lds_limit))
                run_steps(w, private_steps, mo->atomic, &x, 1u << l, lds_rule(w, mo->atomic));
        });
    return true;
}

// ---- Scalar memory: one address, data in scalar registers ----
INLINE bool scalar_exchange(struct wave *w, const struct op *op, uint64_t a) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned k = mo->atomic, bytes = atomic_bytes[k];
    struct exchange x;
    if (!aim_scalar(w, op, a, &x)) return false;
    x.src[0] = x.second[0] = 0;
    memcpy(&x.src[0], wave_at(w, mo->data), bytes);
    if (atomic_traits[k] & TAKES_TUPLE)
        memcpy(&x.second[0], (const char *)wave_at(w, mo->data) + bytes, bytes);
    run_shared(w, mo, &x, 1);
    if (mo->returns && !mo->null) memcpy(wave_at(w, mo->dst), &x.old[0], bytes);
    return true;
}
INLINE uint64_t scalar_sum(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    return ((uint64_t)mo->offset & ~3ull) + (mo->offen ? get32(w, op, mo->soffset) & ~3u : 0);
}
INLINE bool s_atomic(struct wave *w, const struct op *op) {
    return scalar_exchange(w, op, (get64(w, op, mem_op_of(op)->saddr) & ~3ull) + scalar_sum(w, op));
}
// Out of the buffer: dropped, and zero returns. The low bits of the sum do not count (SM9-31).
INLINE bool s_buffer_atomic(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned bytes = atomic_bytes[mo->atomic];
    uint32_t word[4];
    memcpy(word, operand_at(w, op, mo->saddr), sizeof word);
    const uint32_t stride = word[1] >> 16 & 0x3fff;
    const uint64_t size = (uint64_t)(stride ? stride : 1) * word[2];
    const uint64_t at = ((uint64_t)mo->offset + (mo->offen ? get32(w, op, mo->soffset) : 0)) & ~3ull;
    if (at + bytes <= size && at < size)
        return scalar_exchange(w, op, ((word[0] | (uint64_t)(word[1] & 0xffff) << 32) & ~3ull) + at);
    if (mo->returns && !mo->null) memset(wave_at(w, mo->dst), 0, bytes);
    return true;
}
#define ATOMIC_BODY(run)                                                                                     \
    static const struct op *run##_any(struct wave *w, const struct op *op) {                                 \
        w->at = op;                                                                                          \
        if (UNLIKELY(!run(w, op))) return NULL;                                                              \
        NEXT;                                                                                                \
    }                                                                                                        \
    static op_fn *const run##_table[ATOMIC_COUNT] = {[1 ... ATOMIC_COUNT - 1] = run##_any};                  \
    MEMORY_BODY(run)
ATOMIC_BODY(ds_atomic)
ATOMIC_BODY(global_atomic)
BODY(global_atomic_ordered, .shape = SHAPE_MEMORY, .table = global_atomic_table);
ATOMIC_BODY(flat_atomic)
ATOMIC_BODY(buffer_atomic)
ATOMIC_BODY(ds_src2)
ATOMIC_BODY(s_atomic)
ATOMIC_BODY(s_buffer_atomic)
