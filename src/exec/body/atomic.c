// SPDX-License-Identifier: MIT
// Read-modify-write: DS, global, flat and buffer atomics.
//
// Lanes act in ascending order (TRAP-279). A chunk first finds and checks all its addresses, then runs one
// function per operation (exchange.h). Pieces check those of all chunks before the first of them acts: what
// they leave to the handler has not begun.
#include "exec/body/exchange.h"
#include "exec/body/reach.h"
#include "exec/machine.h"

#if !defined(STENCIL)
#include "exec/image.h"
struct exchange {
    uint64_t at[LANES]; // host addresses
    uint64_t src[LANES], second[LANES], old[LANES];
};
typedef void exchange_fn(struct exchange *x, lmask m, struct float_rule rule);
#define ATOMIC(name, bytes, traits)                                                                          \
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
#define ATOMIC(name, bytes, traits)                                                                          \
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
#define ATOMIC(name, bytes, traits) [ATOMIC_##name] = name##_lds,
#include "isa/atomics.def"
#undef ATOMIC
};
static exchange_fn *const private_steps[ATOMIC_COUNT] = {
#define ATOMIC(name, bytes, traits) [ATOMIC_##name] = name##_private,
#include "isa/atomics.def"
#undef ATOMIC
};
static exchange_fn *const shared_steps[ATOMIC_COUNT] = {
#define ATOMIC(name, bytes, traits) [ATOMIC_##name] = name##_shared,
#include "isa/atomics.def"
#undef ATOMIC
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
    run_steps(w, shared_steps, mo->atomic, x, m, memory_rule(mo->flushes_f32, mo->atomic));
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
// The handler of any operation, whether it returns the old value or not (ATOMIC_RETURNS).
#define ATOMIC_ANY(run)                                                                                      \
    static const struct op *run##_any(struct wave *w, const struct op *op) {                                 \
        w->at = op;                                                                                          \
        if (UNLIKELY(!run(w, op))) return NULL;                                                              \
        NEXT;                                                                                                \
    }
#define ATOMIC_BODY(run)                                                                                     \
    ATOMIC_ANY(run)                                                                                          \
    BODY(run, .shape = SHAPE_MEMORY, .fn = {[ATOMIC_ANY_FN] = run##_any});
ATOMIC_BODY(buffer_atomic)
ATOMIC_BODY(ds_src2)
ATOMIC_BODY(s_atomic)
ATOMIC_BODY(s_buffer_atomic)
ATOMIC_ANY(ds_atomic)
ATOMIC_ANY(global_atomic)
ATOMIC_ANY(flat_atomic)
// Of what has a piece, for which they stand.
#define ATOMIC_HANDLER(run, k)                                                                               \
    static const struct op *run##_##k(struct wave *w, const struct op *op) { return run##_any(w, op); }      \
    static const struct op *run##_##k##_rtn(struct wave *w, const struct op *op) { return run##_any(w, op); }
#else

// ---- Pieces ----
#if defined(FUSED)
// Addresses and operands of the wave's lanes, in memory: they are taken one by one, in a loop over all.
struct wave_exchange {
    uint32_t at[STENCIL], src[2][STENCIL], second[2][STENCIL], old[2][STENCIL];
};
struct exchanged {
    char *host;  // what the lanes' offsets are added to
    bool locked; // others may change this memory meanwhile
};
// Places in the wave have to be known.
#define UNROLL_PLACES _Pragma("clang loop unroll(full)")
INLINE void get_operand(struct wave *w, wave_place from, unsigned dwords, uint32_t to[2][STENCIL]) {
    UNROLL_PLACES for (unsigned d = 0; d < dwords; d++)
        UNROLL_PLACES for (unsigned i = 0; i < STENCIL / LANES; i++)
            memcpy(&to[d][i * LANES], &reg_at(w, from + d * wave_stride(w))[i], VB);
}
INLINE uint64_t operand_of(uint32_t from[2][STENCIL], unsigned l, unsigned dwords) {
    return from[0][l] | (dwords == 2 ? (uint64_t)from[1][l] << 32 : 0);
}
INLINE void step_of_lane(enum atomic k, bool returns, struct exchanged in, struct wave_exchange *x,
                         unsigned l, struct float_rule rule) {
    const unsigned dwords = atomic_bytes[k] / 4;
    const bool has_second = atomic_traits[k] & (TAKES_TUPLE | TAKES_DATA1);
    const uint64_t src = operand_of(x->src, l, dwords),
                   second = has_second ? operand_of(x->second, l, dwords) : 0;
    char *at = in.host + x->at[l];
    if (dwords == 2) {
        const uint64_t old = step64(k, in.locked, at, src, second, rule);
        if (returns) x->old[0][l] = (uint32_t)old, x->old[1][l] = (uint32_t)(old >> 32);
    } else {
        const uint32_t old = step32(k, in.locked, at, (uint32_t)src, (uint32_t)second, rule);
        if (returns) x->old[0][l] = old;
    }
}
INLINE void take_turns(struct wave *w, enum atomic k, bool returns, struct exchanged in,
                       struct wave_exchange *x, struct float_rule rule) {
    if (atomic_traits[k] & IS_FLOAT) {
        host_control_set(CONTROL_MASKED);
        __asm__ volatile("" ::: "memory");
    }
    if (exec_full(w))
        _Pragma("clang loop unroll_count(2)") for (unsigned l = 0; l < STENCIL; l++)
            step_of_lane(k, returns, in, x, l, rule);
    else
        _Pragma("clang loop unroll(disable)") for (uint64_t left = exec_of(w); left; left &= left - 1)
            step_of_lane(k, returns, in, x, (unsigned)__builtin_ctzll(left), rule);
    if (atomic_traits[k] & IS_FLOAT) {
        __asm__ volatile("" ::: "memory");
        host_control_set(w->mxcsr);
    }
}
// Data that all lanes have in common, as counts have, are no place to look at for each of them.
INLINE bool has_same_data(struct wave *w, wave_place data) {
    const u32v first = splat32(reg_at(w, data)[0][0]);
    lmask differ = 0;
    EACH_WAVE_CHUNK differ |= differ32(reg_at(w, data)[i], first);
    return !differ;
}
INLINE bool change_alike(struct wave *w, wave_place data, enum atomic k, bool returns, struct exchanged in,
                         const struct wave_exchange *x) {
    const bool has_one = atomic_bytes[k] == 4 && !(atomic_traits[k] & (IS_FLOAT | TAKES_TUPLE | TAKES_DATA1));
    if (!has_one || returns || in.locked || !exec_full(w) || !has_same_data(w, data)) return false;
    const uint32_t src = reg_at(w, data)[0][0];
    _Pragma("clang loop unroll_count(4)") for (unsigned l = 0; l < STENCIL; l++)
        step32(k, false, in.host + x->at[l], src, 0, (struct float_rule){0});
    return true;
}
// Addresses are in x.
INLINE void exchange_wave(struct wave *w, const struct op *op, enum atomic k, bool returns,
                          struct exchanged in, struct wave_exchange *x, struct float_rule rule) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned dwords = atomic_bytes[k] / 4;
    if (change_alike(w, mo->data, k, returns, in, x)) return;
    get_operand(w, mo->data, dwords, x->src);
    if (atomic_traits[k] & TAKES_DATA1) get_operand(w, mo->data1, dwords, x->second);
    if (atomic_traits[k] & TAKES_TUPLE) get_operand(w, mo->data + dwords * wave_stride(w), dwords, x->second);
    take_turns(w, k, returns, in, x, rule);
    UNROLL_PLACES for (unsigned d = 0; d < (returns ? dwords : 0); d++)
        UNROLL_PLACES for (unsigned i = 0; i < STENCIL / LANES; i++)
            store_masked(&reg_at(w, mo->dst + d * wave_stride(w))[i], chunk_lanes(w, i),
                         vector_at((const char *)&x->old[d][i * LANES]));
}
INLINE lmask crooked_lanes(u32v address, enum atomic k) {
    return differ32(address & (atomic_bytes[k] - 1), splat32(0));
}
INLINE bool ds_atomic(struct wave *w, const struct op *op, enum atomic k, bool returns) {
    struct wave_exchange x;
    lmask crooked = 0;
    EACH_WAVE_CHUNK {
        const u32v a = reg_at(w, mem_op_of(op)->vaddr)[i] + (uint32_t)mem_op_of(op)->offset;
        crooked |= crooked_lanes(a, k) & (chunk_lanes(w, i));
        memcpy(&x.at[i * LANES], &a, VB);
    }
    if (crooked || !lds_lanes_inside(w, op, atomic_bytes[k], false, false)) return false;
    exchange_wave(w, op, k, returns, (struct exchanged){(char *)w->lds, false}, &x, lds_rule(w, k));
    return true;
}
// Whether nobody else changes what the instruction has found (alone_slot).
INLINE bool found_alone(struct wave *w, const struct op *op) {
    const struct range *found = slot_of(w, op), *alone = slot_alone(w, op);
    return !((found->lo ^ alone->lo) | (found->last ^ alone->last));
}
INLINE bool global_atomic(struct wave *w, const struct op *op, enum atomic k, bool returns) {
    struct wave_exchange x;
    uint64_t base;
    lmask crooked = 0;
    if (!global_lanes(w, op, atomic_bytes[k], &base)) return !exec_of(w);
    EACH_WAVE_CHUNK {
        const u32v a = reg_at(w, mem_op_of(op)->vaddr)[i];
        crooked |= crooked_lanes(a + (uint32_t)base, k) & (chunk_lanes(w, i));
        memcpy(&x.at[i * LANES], &a, VB);
    }
    if (crooked) return false;
    const struct exchanged in = {(char *)(uintptr_t)host_base(slot_of(w, op), base), !found_alone(w, op)};
    exchange_wave(w, op, k, returns, in, &x, memory_rule(op->e & ATOMIC_FLUSHES_F32, k));
    return true;
}
#else // copied code has nothing to gain
INLINE bool ds_atomic(struct wave *w, const struct op *op, enum atomic k, bool returns) {
    return (void)w, (void)op, (void)k, (void)returns, false;
}
INLINE bool global_atomic(struct wave *w, const struct op *op, enum atomic k, bool returns) {
    return ds_atomic(w, op, k, returns);
}
#endif
INLINE bool flat_atomic(struct wave *w, const struct op *op, enum atomic k, bool returns) {
    return global_atomic(w, op, k, returns); // no aperture lies in a mapped range
}
#define ATOMIC_PIECE(run, k, returns, suffix)                                                                \
    INLINE const struct op *run##_##k##suffix##_ops(struct wave *w, const struct op *op) {                   \
        NOTE_ACCESS(w, REAL_OP);                                                                             \
        HOLE_FENCE();                                                                                        \
        if (UNLIKELY(!run(w, op, ATOMIC_##k, returns))) return hole_plain(w, REAL_OP);                       \
        NEXT;                                                                                                \
    }                                                                                                        \
    INLINE const struct op *run##_##k##suffix##__saddr_ops(struct wave *w, const struct op *op) {            \
        return run##_##k##suffix##_ops(w, op);                                                               \
    }                                                                                                        \
    PIECE(run##_##k##suffix, 0)                                                                              \
    PIECE(run##_##k##suffix##__saddr, 1)
#define ATOMIC_HANDLER(run, k)                                                                               \
    ATOMIC_PIECE(run, k, false, )                                                                            \
    ATOMIC_PIECE(run, k, true, _rtn)
#endif

// ---- Bodies with pieces ----
#define ATOMIC_ENTRY(run, k) [ATOMIC_##k] = run##_##k, [ATOMIC_RETURNS + ATOMIC_##k] = run##_##k##_rtn,
#if !defined(STENCIL)
#define OTHER_ENTRY(run, k) [ATOMIC_##k] = run##_any, [ATOMIC_RETURNS + ATOMIC_##k] = run##_any,
#else
#define OTHER_ENTRY(run, k)
#endif
#define COUNT_ENTRY(run, k) +1
// clang-format off
#define PIECED_ATOMICS(X, run)                                                                               \
    X(run, swap_b32) X(run, add_u32) X(run, sub_u32) X(run, min_i32) X(run, min_u32) X(run, max_i32)         \
    X(run, max_u32) X(run, and_b32) X(run, or_b32) X(run, xor_b32) X(run, inc_u32) X(run, dec_u32)           \
    X(run, swap_b64) X(run, add_u64) X(run, sub_u64) X(run, min_i64) X(run, min_u64) X(run, max_i64)         \
    X(run, max_u64) X(run, and_b64) X(run, or_b64) X(run, xor_b64)                                           \
    X(run, add_f32) X(run, add_f64) X(run, pk_add_bf16)
#define COMPARES_STORED(X, run)                                                                              \
    X(run, cmpst_b32) X(run, cmpst_b64) X(run, cmpstore_b32) X(run, cmpstore_b64)
#define COMPARES_SWAPPED(X, run) X(run, cmpswap_b32) X(run, cmpswap_b64)
#define OTHER_ATOMICS(X, run)                                                                                \
    X(run, cmpswap_f32) X(run, cmpswap_f64) X(run, cmpst_f32) X(run, cmpst_f64) X(run, cmpstore_f32)         \
    X(run, cmpstore_f64) X(run, rsub_u32) X(run, rsub_u64) X(run, csub_u32) X(run, sub_clamp_u32)            \
    X(run, cond_sub_u32) X(run, mskor_b32) X(run, mskor_b64) X(run, inc_u64) X(run, dec_u64)                 \
    X(run, min_f32) X(run, min_f64) X(run, max_f32) X(run, max_f64) X(run, min_num_f32) X(run, min_num_f64)  \
    X(run, max_num_f32) X(run, max_num_f64) X(run, ordered_add_b64) X(run, pk_add_f16)
#define PIECED_BODY(run, with, without)                                                                      \
    PIECED_ATOMICS(ATOMIC_HANDLER, run)                                                                      \
    with(ATOMIC_HANDLER, run)                                                                                \
    static op_fn *const run##_table[ATOMIC_RETURNS + ATOMIC_COUNT] = {                                       \
        PIECED_ATOMICS(ATOMIC_ENTRY, run) with(ATOMIC_ENTRY, run) OTHER_ENTRY(run, NONE)                     \
        without(OTHER_ENTRY, run) OTHER_ATOMICS(OTHER_ENTRY, run)};                                          \
    MEMORY_BODY(run)
// clang-format on
_Static_assert(1 PIECED_ATOMICS(COUNT_ENTRY, ) COMPARES_STORED(COUNT_ENTRY, ) COMPARES_SWAPPED(COUNT_ENTRY, )
                       OTHER_ATOMICS(COUNT_ENTRY, ) == ATOMIC_COUNT,
               "each operation stands in one list");
PIECED_BODY(ds_atomic, COMPARES_STORED, COMPARES_SWAPPED)
PIECED_BODY(global_atomic, COMPARES_SWAPPED, COMPARES_STORED)
PIECED_BODY(flat_atomic, COMPARES_SWAPPED, COMPARES_STORED)
#if !defined(STENCIL)
BODY(global_atomic_ordered, .shape = SHAPE_MEMORY, .table = global_atomic_table);
#endif
