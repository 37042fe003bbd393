// SPDX-License-Identifier: MIT
// Global and flat loads and stores, and the cores that other memory bodies share (see access.h).
//
// A 64-bit vector address is taken as a base common to the lanes (its upper dword and the immediate) and an
// unsigned 32-bit offset per lane; lanes with other upper dwords follow in another round. FLAT also finds its
// aperture that way: the test is on the address before the immediate is added (TRAP-286, TRAP-287).
#include "exec/body/access.h"
#include "exec/body/known.h"
#include "exec/body/reach.h"
#include "exec/body/transposed.h"

#if !defined(STENCIL)
// ---- Cores ----
INLINE bool load_core(enum access k, const struct range *range, uint64_t base, u32v offset, lmask m,
                      u32v v[4]) {
    const unsigned size = access_bytes(k);
    const unsigned first = first_lane(m), count = last_lane(m) - first + 1;
    const uint32_t o = LIKELY(m & 1) ? offset[0] : lane_of(offset, first);
    if (!(differ32(offset, splat32(o - first * size) + LANE_INDEX * size) & m) &&
        (uint64_t)o + count * size <= 1ull << 32) {
        if (!in_cached(range, base + o, count * size)) return false;
        const char *p = host_at(base + o) - first * size;
        if (m == ALL_LANES)
            take(k, p, v);
        else
            take_lanes(k, p, m, v);
        return true;
    }
    if (!(differ32(offset, splat32(o)) & m)) {
        if (!in_cached(range, base + o, size)) return false;
        take_one(k, host_at(base + o), v);
        return true;
    }
    if (!all_in_cached(range, base, offset, size, m)) return false;
    gather(k, range, base, offset, m, v);
    return true;
}
INLINE bool store_core(enum access k, const struct range *range, uint64_t base, u32v offset, lmask m,
                       const u32v v[4]) {
    const unsigned size = access_bytes(k);
    const unsigned first = first_lane(m), count = last_lane(m) - first + 1;
    const uint32_t o = LIKELY(m & 1) ? offset[0] : lane_of(offset, first);
    if (!(differ32(offset, splat32(o - first * size) + LANE_INDEX * size) & m) &&
        (uint64_t)o + count * size <= 1ull << 32) {
        if (!in_cached(range, base + o, count * size)) return false;
        char *p = host_at(base + o) - first * size;
        if (m == ALL_LANES)
            give(k, p, v);
        else
            give_lanes(k, p, m, v);
        return true;
    }
    if (!all_in_cached(range, base, offset, size, m)) return false;
    scatter(k, host_base(range, base), offset, m, v);
    return true;
}

#define CORES(k)                                                                                             \
    static NOINLINE bool load_core_##k(const struct range *r, uint64_t base, u32v offset, lmask m,           \
                                       u32v v[4]) {                                                          \
        return load_core(ACCESS_##k, r, base, offset, m, v);                                                 \
    }
#define STORES(k)                                                                                            \
    static NOINLINE bool store_core_##k(const struct range *r, uint64_t base, u32v offset, lmask m,          \
                                        const u32v v[4]) {                                                   \
        return store_core(ACCESS_##k, r, base, offset, m, v);                                                \
    }
CORES(U8)
CORES(I8)
CORES(U16)
CORES(I16)
CORES(B32)
CORES(B64)
CORES(B96)
CORES(B128)
STORES(U8)
STORES(U16)
STORES(B32)
STORES(B64)
STORES(B96)
STORES(B128)

load_fn *const LOAD_CORES[ACCESS_B128 + 1] = {
    [ACCESS_U8] = load_core_U8,   [ACCESS_I8] = load_core_I8,     [ACCESS_U16] = load_core_U16,
    [ACCESS_I16] = load_core_I16, [ACCESS_B32] = load_core_B32,   [ACCESS_B64] = load_core_B64,
    [ACCESS_B96] = load_core_B96, [ACCESS_B128] = load_core_B128,
};
store_fn *const STORE_CORES[ACCESS_B128 + 1] = {
    [ACCESS_U8] = store_core_U8,   [ACCESS_I8] = store_core_U8,     [ACCESS_U16] = store_core_U16,
    [ACCESS_I16] = store_core_U16, [ACCESS_B32] = store_core_B32,   [ACCESS_B64] = store_core_B64,
    [ACCESS_B96] = store_core_B96, [ACCESS_B128] = store_core_B128,
};

// ---- Global memory behind a miss of the cached range ----
NOINLINE bool LOAD_GLOBAL(struct wave *w, const struct op *op, enum access k, uint64_t base, u32v offset,
                          lmask m, unsigned i, u32v v[4]) {
    const unsigned slot = mem_op_of(op)->slot, size = access_bytes(k);
    struct range *cached = &w->ranges[slot];
    uint32_t at[LANES];
    memcpy(at, &offset, sizeof at);
    uint64_t a = base + at[first_lane(m)];
    if (!global_right(w, slot, a, size, RIGHT_READ))
        return lane_fault(w, op, FAULT_READ, i, first_lane(m), a);
    if (LOAD_CORES[k](cached, base, offset, m, v)) return true;
    char bounce[LANES * 16] = {0}; // lanes in different ranges
    OVER_LANES(m, lane) {
        a = base + at[lane];
        if (!global_right(w, slot, a, size, RIGHT_READ)) return lane_fault(w, op, FAULT_READ, i, lane, a);
        memcpy(bounce + lane * size, host_at(a), size);
    }
    struct range own = {(uint64_t)(uintptr_t)bounce, (uint64_t)(uintptr_t)bounce + sizeof bounce - 1};
    return LOAD_CORES[k](&own, own.lo, LANE_INDEX * size, ALL_LANES, v);
}
NOINLINE bool STORE_GLOBAL(struct wave *w, const struct op *op, enum access k, uint64_t base, u32v offset,
                           lmask m, unsigned i, const u32v v[4]) {
    const unsigned slot = mem_op_of(op)->slot, size = access_bytes(k);
    struct range *cached = &w->ranges[slot];
    uint32_t at[LANES];
    memcpy(at, &offset, sizeof at);
    uint64_t a = base + at[first_lane(m)];
    if (!global_right(w, slot, a, size, RIGHT_WRITE))
        return lane_fault(w, op, FAULT_WRITE, i, first_lane(m), a);
    if (STORE_CORES[k](cached, base, offset, m, v)) return true;
    char bounce[LANES * 16];
    struct range own = {(uint64_t)(uintptr_t)bounce, (uint64_t)(uintptr_t)bounce + sizeof bounce - 1};
    STORE_CORES[k](&own, own.lo, LANE_INDEX * size, ALL_LANES, v);
    OVER_LANES(m, lane) {
        a = base + at[lane];
        if (!global_right(w, slot, a, size, RIGHT_WRITE)) return lane_fault(w, op, FAULT_WRITE, i, lane, a);
        memcpy(host_at(a), bounce + lane * size, size);
    }
    return true;
}

#endif

// ---- GLOBAL ----
#if defined(FUSED)
// Whether compiled code can do the access: what is known of the lanes' addresses holds now.
INLINE bool global_sure(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    const u32v *lo = reg_at(w, mo->vaddr), *hi = reg_at(w, mo->vaddr + wave_stride(w));
    return exec_full(w) && !(mo->has_saddr ? wave_unsure(w, lo, NULL) : wave_unsure(w, lo, hi));
}
// Whether the lanes are known to follow each other or to have the same address: then looking at parts of the
// wave finds nothing else.
INLINE bool global_known(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    const u32v *lo = reg_at(w, mo->vaddr), *hi = reg_at(w, mo->vaddr + wave_stride(w));
    if (!(mo->has_saddr ? wave_known(w, lo, NULL) : wave_known(w, lo, hi))) return false;
    return !wave_differs(w, lo, lo[0][0], access_bytes(k)) | !wave_differs(w, lo, lo[0][0], 0);
}
#elif defined(STENCIL)
INLINE bool global_sure(struct wave *w, const struct op *op) {
    (void)w, (void)op;
    return true;
}
INLINE bool global_known(struct wave *w, const struct op *op, enum access k) {
    (void)w, (void)op, (void)k;
    return false;
}
#endif
// The whole wave reads or writes one stretch of the cached range: its address.
INLINE bool global_run(struct wave *w, const struct op *op, enum access k, bool scalar, char **p) {
    const struct mem_op *mo = mem_op_of(op);
    const u32v *lo = reg_at(w, mo->vaddr), *hi = reg_at(w, mo->vaddr + wave_stride(w));
    uint32_t first;
    if (!wave_run(w, lo, scalar ? NULL : hi, access_bytes(k), &first)) return false;
    const uint64_t a =
        (scalar ? get64(w, op, mo->saddr) : (uint64_t)hi[0][0] << 32) + (uint64_t)mo->offset + first;
    return in_found(w, op, a, (uint64_t)wave_lanes(w) * access_bytes(k), p);
}
// Lanes a dword apart read longer elements, which overlap: a stencil's neighbours.
INLINE bool global_overlap(struct wave *w, const struct op *op, enum access k, bool scalar, char **p) {
    const struct mem_op *mo = mem_op_of(op);
    const u32v *lo = reg_at(w, mo->vaddr), *hi = reg_at(w, mo->vaddr + wave_stride(w));
    uint32_t first;
    if (!wave_run(w, lo, scalar ? NULL : hi, 4, &first)) return false;
    const uint64_t a =
        (scalar ? get64(w, op, mo->saddr) : (uint64_t)hi[0][0] << 32) + (uint64_t)mo->offset + first;
    return in_found(w, op, a, (uint64_t)wave_lanes(w) * 4 + access_bytes(k) - 4, p);
}
// The whole wave reads one element of the cached range.
INLINE bool global_same(struct wave *w, const struct op *op, enum access k, bool scalar, char **p) {
    const struct mem_op *mo = mem_op_of(op);
    const u32v *lo = reg_at(w, mo->vaddr), *hi = reg_at(w, mo->vaddr + wave_stride(w));
    if (!wave_same(w, lo, scalar ? NULL : hi)) return false;
    const uint64_t a =
        (scalar ? get64(w, op, mo->saddr) : (uint64_t)hi[0][0] << 32) + (uint64_t)mo->offset + lo[0][0];
    return in_found(w, op, a, access_bytes(k), p);
}
#if defined(STENCIL)
// Whether the first two lanes lie as lanes do that run, overlap or have the same address: of others it is
// cheaper to hear that at once than from each of these.
INLINE bool global_near(struct wave *w, const struct op *op, enum access k, bool store) {
    const u32v *lo = reg_at(w, mem_op_of(op)->vaddr);
    const uint32_t apart = lo[0][1] - lo[0][0], size = access_bytes(k);
    return apart == size || (!store && (apart == 0 || apart == overlap_step(size)));
}
// What lanes' addresses are added to, where their upper dwords are the same.
INLINE bool global_base(struct wave *w, const struct op *op, uint64_t *base) {
    const struct mem_op *mo = mem_op_of(op);
    *base = (uint64_t)mo->offset;
    if (mo->has_saddr) {
        *base += get64(w, op, mo->saddr);
        return true;
    }
    const u32v *hi = reg_at(w, mo->vaddr + wave_stride(w));
    *base += (uint64_t)hi[0][0] << 32;
#if defined(FUSED)
    return !wave_differs(w, hi, hi[0][0], 0);
#else
    const u32v high = splat32(hi[0][0]);
    u32v different = splat32(0);
    EACH_WAVE_CHUNK different |= hi[i] ^ high;
    return !differ32(different, splat32(0));
#endif
}
INLINE bool global_load_chunks(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    uint64_t base;
    struct chunks chunks;
    if (!in_chunks(k) || !global_base(w, op, &base) ||
        !wave_chunks(w, slot_of(w, op), base, mo->vaddr, 0, access_bytes(k), &chunks))
        return false;
    EACH_WAVE_CHUNK {
        u32v v[4];
        const char *p = host_at(base + reg_at(w, mo->vaddr)[i][0]);
        load_chunk(k, p, chunks.alike >> i & 1, chunks.overlap >> i & 1, v);
        put_loaded(w, mo->dst, i, ALL_LANES, k, v);
    }
    return true;
}
INLINE bool global_store_chunks(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    uint64_t base;
    if (!in_chunks(k) || !global_base(w, op, &base) ||
        !wave_chunks(w, slot_of(w, op), base, mo->vaddr, 0, access_bytes(k), NULL))
        return false;
    EACH_WAVE_CHUNK {
        u32v v[4];
        get_stored(w, mo->data, i, k, v);
        give(k, host_at(base + reg_at(w, mo->vaddr)[i][0]), v);
    }
    return true;
}
#if defined(GATHERS_FAST)
// Only compiled code at the widest level has longer elements, and loads of shorter ones. Elements of 8 and 16
// bytes are read as a whole.
INLINE bool in_gathers(enum access k) {
#if defined(FUSED) && defined(LEVEL_v4)
    (void)k;
    return true;
#else
    return access_bytes(k) == 4;
#endif
}
INLINE bool in_scatters(enum access k) { return in_gathers(k) && access_bytes(k) >= 4; }
INLINE bool global_gather(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    const bool is_short = access_bytes(k) < 4;
    uint64_t base;
    bool bad = false;
    if (!in_gathers(k)) return false;
    if (!global_lanes(w, op, access_bytes(k), &base)) return !exec_of(w);
    if (is_short)
        EACH_WAVE_CHUNK bad |=
            !all_in_dwords(slot_of(w, op), base, reg_at(w, mo->vaddr)[i], access_bytes(k), chunk_lanes(w, i));
    if (bad) return false;
    EACH_WAVE_CHUNK {
        const lmask m = chunk_lanes(w, i);
        const u32v a = reg_at(w, mo->vaddr)[i];
        u32v v[4];
        if (is_short)
            v[0] = gather_short(k, host_base(slot_of(w, op), base), a, m);
        else
            gather(k, slot_of(w, op), base, a, m, v);
        put_loaded(w, mo->dst, i, m, k, v);
    }
    return true;
}
#else
INLINE bool global_gather(struct wave *w, const struct op *op, enum access k) {
    (void)w, (void)op, (void)k;
    return false;
}
#endif
#if defined(SCATTERS)
INLINE bool global_scatter(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    uint64_t base;
    if (!in_scatters(k)) return false;
    if (!global_lanes(w, op, access_bytes(k), &base)) return !exec_of(w);
    EACH_WAVE_CHUNK {
        u32v v[4];
        get_stored(w, mo->data, i, k, v);
        scatter(k, host_base(slot_of(w, op), base), reg_at(w, mo->vaddr)[i], chunk_lanes(w, i), v);
    }
    return true;
}
#else
INLINE bool global_scatter(struct wave *w, const struct op *op, enum access k) {
    (void)w, (void)op, (void)k;
    return false;
}
#endif
#if defined(FUSED)
// Dwords a step apart, each loaded by itself: that takes hosts a half to a third of a gather's time, and two
// addresses say whether all lie inside the range. False: something else has to be done.
INLINE bool global_load_strided(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    const u32v *lo = reg_at(w, mo->vaddr);
    const struct range *range = slot_of(w, op);
    uint64_t base;
    bool inside = true;
    if (!global_base(w, op, &base)) return false;
    EACH_WAVE_CHUNK inside &= lanes_inside(lo[i], base, range->lo, places_in(range, 4));
    if (!inside) return false;
    EACH_WAVE_CHUNK {
        const u32v v[4] = {lanes_take(lo[i], host_at(base + lo[i][0]))};
        put_loaded(w, mo->dst, i, ALL_LANES, k, v);
    }
    return true;
}
INLINE bool global_strided(struct wave *w, const struct op *op, enum access k) {
    return access_bytes(k) == 4 && wave_strided(w, reg_at(w, mem_op_of(op)->vaddr));
}
#else
INLINE bool global_load_strided(struct wave *w, const struct op *op, enum access k) {
    (void)w, (void)op, (void)k;
    return false;
}
INLINE bool global_strided(struct wave *w, const struct op *op, enum access k) {
    (void)w, (void)op, (void)k;
    return false;
}
#endif
#endif
#if defined(STENCIL)
INLINE enum close load_close(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    char *run = NULL;
#if defined(FUSED)
    const enum close wide = mo->has_saddr ? CLOSE_NONE : wide_load(w, op, k);
    if (wide != CLOSE_NONE) return wide;
#endif
    if (!global_sure(w, op)) return CLOSE_LEAVE;
#if defined(FUSED)
    if (mo->has_saddr && wave_apart(w, reg_at(w, mo->vaddr), NULL)) return apart_load(w, op, k);
#endif
    if (!global_near(w, op, k, false)) return CLOSE_NONE;
    if (LIKELY(global_run(w, op, k, mo->has_saddr, &run)))
        load_run(w, k, mo->dst, run);
    else if (access_bytes(k) > 4 && global_overlap(w, op, k, mo->has_saddr, &run))
        load_overlap(w, k, mo->dst, run);
    else if (global_same(w, op, k, mo->has_saddr, &run))
        load_same(w, k, mo->dst, run);
    else if (global_known(w, op, k))
        return CLOSE_LEAVE;
    else
        return global_load_chunks(w, op, k) ? CLOSE_DONE : CLOSE_NONE;
    return CLOSE_DONE;
}
INLINE enum close store_close(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    char *run = NULL;
#if defined(FUSED)
    const enum close wide = mo->has_saddr ? CLOSE_NONE : wide_store(w, op, k);
    if (wide != CLOSE_NONE) return wide;
#endif
    if (!global_sure(w, op)) return CLOSE_LEAVE;
#if defined(FUSED)
    if (mo->has_saddr && wave_apart(w, reg_at(w, mo->vaddr), NULL)) return apart_store(w, op, k);
#endif
    if (!global_near(w, op, k, true)) return CLOSE_NONE;
    if (LIKELY(global_run(w, op, k, mo->has_saddr, &run)))
        store_run(w, k, mo->data, run);
    else if (global_known(w, op, k))
        return CLOSE_LEAVE;
    else
        return global_store_chunks(w, op, k) ? CLOSE_DONE : CLOSE_NONE;
    return CLOSE_DONE;
}
INLINE bool global_load(struct wave *w, const struct op *op, enum access k) {
    if (!exec_full(w)) return global_gather(w, op, k);
    const enum close close = load_close(w, op, k);
    if (close != CLOSE_NONE) return close == CLOSE_DONE;
    return global_strided(w, op, k) ? global_load_strided(w, op, k) : global_gather(w, op, k);
}
INLINE bool global_store(struct wave *w, const struct op *op, enum access k) {
    if (!exec_full(w)) return global_scatter(w, op, k);
    const enum close close = store_close(w, op, k);
    return close == CLOSE_NONE ? global_scatter(w, op, k) : close == CLOSE_DONE;
}
#else
INLINE bool global_load(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    char *run = NULL;
    if (LIKELY(mo->has_saddr ? global_run(w, op, k, true, &run) : global_run(w, op, k, false, &run))) {
        load_run(w, k, mo->dst, run);
        return true;
    }
    if (access_bytes(k) > 4 &&
        (mo->has_saddr ? global_overlap(w, op, k, true, &run) : global_overlap(w, op, k, false, &run))) {
        load_overlap(w, k, mo->dst, run);
        return true;
    }
    if (mo->has_saddr ? global_same(w, op, k, true, &run) : global_same(w, op, k, false, &run)) {
        load_same(w, k, mo->dst, run);
        return true;
    }
    EACH_ACTIVE(
        w, u32v v[4], lo = reg_at(w, mo->vaddr)[i]; if (mo->has_saddr) {
            if (UNLIKELY(!load_global(w, op, k, get64(w, op, mo->saddr) + (uint64_t)mo->offset, lo, m, i, v)))
                return false;
            put_loaded(w, mo->dst, i, m, k, v);
        } else {
            u32v hi = reg_at(w, mo->vaddr + wave_stride(w))[i];
            EACH_HIGH(hi, m,
                      if (UNLIKELY(!load_global(w, op, k, ((uint64_t)high << 32) + (uint64_t)mo->offset, lo,
                                                g, i, v))) return false;
                      put_loaded(w, mo->dst, i, g, k, v))
        });
    return true;
}
INLINE bool global_store(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    char *run = NULL;
    if (LIKELY(mo->has_saddr ? global_run(w, op, k, true, &run) : global_run(w, op, k, false, &run))) {
        store_run(w, k, mo->data, run);
        return true;
    }
    EACH_ACTIVE(
        w, u32v v[4], lo = reg_at(w, mo->vaddr)[i]; get_stored(w, mo->data, i, k, v); if (mo->has_saddr) {
            if (UNLIKELY(
                    !store_global(w, op, k, get64(w, op, mo->saddr) + (uint64_t)mo->offset, lo, m, i, v)))
                return false;
        } else {
            u32v hi = reg_at(w, mo->vaddr + wave_stride(w))[i];
            EACH_HIGH(hi, m,
                      if (UNLIKELY(!store_global(w, op, k, ((uint64_t)high << 32) + (uint64_t)mo->offset, lo,
                                                 g, i, v))) return false)
        });
    return true;
}
#endif
// Compiled code at the widest level does these wherever lanes lie, so that it leaves only for a range that
// the instruction has not found yet.
#if defined(FUSED) && defined(SCATTERS)
#undef LEAVES_RARELY
#define LEAVES_RARELY(k) (access_bytes(k) >= 4)
#endif
LOAD_HANDLERS(global_load)
STORE_HANDLERS(global_store)
#undef LEAVES_RARELY
#define LEAVES_RARELY(k) false
MEMORY_BODY(global_load)
#if !defined(STENCIL)
// Each 8 lanes read 8 rows of 8 halves; lane n gets column n. fn[0] does that behind the load
// (translate_memory).
static __attribute__((noinline)) void transpose_halves(struct wave *w, const struct op *op) {
    for (unsigned group = 0; exec_of(w) && group < wave_lanes(w); group += 8)
        for (unsigned c = 0; c < 8; c++)
            for (unsigned d = 0; d < 4; d++) {
                uint32_t v = 0;
                for (unsigned half = 0; half < 2; half++) {
                    const uint32_t from =
                        lane32(w, op, op->a + c / 2 * wave_stride(w), group + 2 * d + half, false);
                    v |= (from >> 16 * (c & 1) & 0xffff) << 16 * half;
                }
                put_lane32(w, op->d + d * wave_stride(w), group + c, v);
            }
}
static const struct op *transpose_step(struct wave *w, const struct op *op) {
    transpose_halves(w, op);
    NEXT;
}
BODY(global_load_tr_b128, .shape = SHAPE_MEMORY, .fn = {transpose_step}, .table = global_load_table);
// Smaller elements on CDNA5, by transposed_lane.
static __attribute__((noinline)) void transpose_elements(struct wave *w, const struct op *op, unsigned bits) {
    const unsigned count = bits < 8 ? 16 : 8, dwords = bits * count / 32;
    for (unsigned l = 0; exec_of(w) && l < wave_lanes(w); l++) {
        uint32_t out[4] = {0};
        for (unsigned n = 0; n < count; n++) {
            uint32_t row[4] = {0};
            for (unsigned d = 0; d < dwords; d++)
                row[d] = lane32(w, op, op->a + d * wave_stride(w), transposed_lane(bits, l, n), false);
            put_element(out, n, bits, element_at(row, l % count, bits));
        }
        for (unsigned d = 0; d < dwords; d++) put_lane32(w, op->d + d * wave_stride(w), l, out[d]);
    }
}
#define TRANSPOSED(name, bits)                                                                               \
    static const struct op *name##_step(struct wave *w, const struct op *op) {                               \
        transpose_elements(w, op, bits);                                                                     \
        NEXT;                                                                                                \
    }                                                                                                        \
    BODY(name, .shape = SHAPE_MEMORY, .fn = {name##_step}, .table = global_load_table)
TRANSPOSED(global_load_tr4_b64, 4);
TRANSPOSED(global_load_tr6_b96, 6);
TRANSPOSED(global_load_tr_b64, 8);
// As many registers as M0 has bits (BLOCK_REGISTERS of them at most).
BODY(global_load_block, .shape = SHAPE_MEMORY, .pair = BLOCK_REGISTERS, .table = global_load_table);
#endif
MEMORY_BODY(global_store)
#if !defined(STENCIL)
BODY(global_store_block, .shape = SHAPE_MEMORY, .pair = BLOCK_REGISTERS, .table = global_store_table);

// Scalar base and the lane number, no vector address (TRAP-293).
INLINE u32v addtid_offset(unsigned i) { return (LANE_INDEX + i * LANES) * 4; }
INLINE uint64_t addtid_base(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    return (mo->has_saddr ? get64(w, op, mo->saddr) : 0) + (uint64_t)mo->offset;
}
INLINE bool global_load_addtid(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    EACH_ACTIVE(w, u32v v[4];
                if (!load_global(w, op, k, addtid_base(w, op), addtid_offset(i), m, i, v)) return false;
                put_loaded(w, mo->dst, i, m, k, v));
    return true;
}
INLINE bool global_store_addtid(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    EACH_ACTIVE(w, u32v v[4]; get_stored(w, mo->data, i, k, v);
                if (!store_global(w, op, k, addtid_base(w, op), addtid_offset(i), m, i, v)) return false);
    return true;
}
ACCESS_HANDLER(global_load_addtid, B32)
ACCESS_HANDLER(global_store_addtid, B32)
static op_fn *const global_load_addtid_table[ACCESS_D16_HI_B16 + 1] = {[ACCESS_B32] = global_load_addtid_B32};
static op_fn *const global_store_addtid_table[ACCESS_D16_HI_B16 + 1] = {[ACCESS_B32] =
                                                                            global_store_addtid_B32};
MEMORY_BODY(global_load_addtid)
MEMORY_BODY(global_store_addtid)

#endif

// ---- FLAT ----
#if !defined(STENCIL)
// Scratch of any lane (IS_SPREAD_SCRATCH): byte by byte, as the dwords of a lane lie apart.
static __attribute__((noinline)) bool spread_access(struct wave *w, const struct op *op, uint64_t flat,
                                                    unsigned size, uint8_t *bytes, bool stores, unsigned i,
                                                    unsigned lane) {
    const unsigned slot = mem_op_of(op)->slot;
    for (unsigned n = 0; n < size; n++) {
        const uint64_t a = spread_address(flat + n);
        if (!global_right(w, slot, a, 1, stores ? RIGHT_WRITE : RIGHT_READ))
            return lane_fault(w, op, stores ? FAULT_WRITE : FAULT_READ, i, lane, flat + n);
        uint8_t *p = (uint8_t *)host_at(a);
        if (stores)
            *p = bytes[n];
        else
            bytes[n] = *p;
    }
    return true;
}
static bool load_spread(struct wave *w, const struct op *op, enum access k, uint64_t high, u32v lo, lmask g,
                        unsigned i, u32v v[4]) {
    for (unsigned l = 0; l < LANES; l++) {
        uint32_t word[4] = {0};
        if (!(g >> l & 1)) continue;
        if (!spread_access(w, op, high + lo[l], access_bytes(k), (uint8_t *)word, false, i, l)) return false;
        if (k == ACCESS_I8) word[0] = (uint32_t)(int8_t)word[0];
        if (k == ACCESS_I16) word[0] = (uint32_t)(int16_t)word[0];
        for (unsigned d = 0; d < access_dwords(k); d++) v[d][l] = word[d];
    }
    return true;
}
static bool store_spread(struct wave *w, const struct op *op, enum access k, uint64_t high, u32v lo, lmask g,
                         unsigned i, const u32v v[4]) {
    for (unsigned l = 0; l < LANES; l++) {
        uint32_t word[4] = {0};
        if (!(g >> l & 1)) continue;
        for (unsigned d = 0; d < access_dwords(k); d++) word[d] = v[d][l];
        if (!spread_access(w, op, high + lo[l], access_bytes(k), (uint8_t *)word, true, i, l)) return false;
    }
    return true;
}

// `high` decides: an aperture's upper dword or anything else.
INLINE bool flat_load_part(struct wave *w, const struct op *op, enum access k, uint32_t high, u32v lo,
                           lmask g, unsigned i, u32v v[4]) {
    const struct mem_op *mo = mem_op_of(op);
    if (UNLIKELY(high == SW_SHARED_APERTURE >> 32)) {
        load_lds(w, k, (lo + (uint32_t)mo->offset) & mo->lds_mask, g, v);
        return true;
    }
    if (UNLIKELY(high == SW_PRIVATE_APERTURE >> 32))
        return LOAD_SCRATCH(w, op, access_plain(k), lo + (uint32_t)mo->offset, g, i, v);
    if (UNLIKELY(IS_SPREAD_SCRATCH(high)))
        return load_spread(w, op, access_plain(k), ((uint64_t)high << 32) + (uint64_t)mo->offset, lo, g, i,
                           v);
    return load_global(w, op, k, ((uint64_t)high << 32) + (uint64_t)mo->offset, lo, g, i, v);
}
#endif
#if defined(STENCIL) && !defined(FUSED)
// No aperture lies in a mapped range, so stencils of flat accesses are those of global ones, by names of
// their own.
#define FLAT_ALIAS(kind, k)                                                                                  \
    op_fn flat_##kind##_##k __attribute__((alias("global_" #kind "_" #k)));                                  \
    op_fn flat_##kind##_##k##__saddr __attribute__((alias("global_" #kind "_" #k "__saddr")));
#define FLAT_ENTRY(kind, k) ACCESS_ENTRY(flat_##kind, k)
#define FLAT_TABLE(forms, kind)                                                                              \
    static op_fn *const flat_##kind##_table[ACCESS_D16_HI_B16 + 1] = {forms(FLAT_ENTRY, kind)};
LOAD_FORMS(FLAT_ALIAS, load)
FLAT_TABLE(LOAD_FORMS, load)
STORE_FORMS(FLAT_ALIAS, store)
FLAT_TABLE(STORE_FORMS, store)
#else
INLINE bool flat_load(struct wave *w, const struct op *op, enum access k) {
#if defined(FUSED)
    return global_load(w, op, k);
#else
    const struct mem_op *mo = mem_op_of(op);
    char *run = NULL;
    if (LIKELY(global_run(w, op, k, false, &run))) {
        load_run(w, k, mo->dst, run);
        return true;
    }
    EACH_ACTIVE(w, u32v v[4], lo = reg_at(w, mo->vaddr)[i], hi = reg_at(w, mo->vaddr + wave_stride(w))[i];
                EACH_HIGH(hi, m, if (UNLIKELY(!flat_load_part(w, op, k, high, lo, g, i, v))) return false;
                          put_loaded(w, mo->dst, i, g, k, v)));
    return true;
#endif
}
#if !defined(STENCIL)
INLINE bool flat_store_part(struct wave *w, const struct op *op, enum access k, uint32_t high, u32v lo,
                            lmask g, unsigned i, const u32v v[4]) {
    const struct mem_op *mo = mem_op_of(op);
    if (UNLIKELY(high == SW_SHARED_APERTURE >> 32)) {
        store_lds(w, k, (lo + (uint32_t)mo->offset) & mo->lds_mask, g, v);
        return true;
    }
    if (UNLIKELY(high == SW_PRIVATE_APERTURE >> 32))
        return STORE_SCRATCH(w, op, access_plain(k), lo + (uint32_t)mo->offset, g, i, v);
    if (UNLIKELY(IS_SPREAD_SCRATCH(high)))
        return store_spread(w, op, access_plain(k), ((uint64_t)high << 32) + (uint64_t)mo->offset, lo, g, i,
                            v);
    return store_global(w, op, k, ((uint64_t)high << 32) + (uint64_t)mo->offset, lo, g, i, v);
}
#endif
INLINE bool flat_store(struct wave *w, const struct op *op, enum access k) {
#if defined(FUSED)
    return global_store(w, op, k);
#else
    const struct mem_op *mo = mem_op_of(op);
    char *run = NULL;
    if (LIKELY(global_run(w, op, k, false, &run))) {
        store_run(w, k, mo->data, run);
        return true;
    }
    EACH_ACTIVE(w, u32v v[4], lo = reg_at(w, mo->vaddr)[i], hi = reg_at(w, mo->vaddr + wave_stride(w))[i];
                get_stored(w, mo->data, i, k, v);
                EACH_HIGH(hi, m, if (UNLIKELY(!flat_store_part(w, op, k, high, lo, g, i, v))) return false));
    return true;
#endif
}
LOAD_HANDLERS(flat_load)
STORE_HANDLERS(flat_store)
#endif
MEMORY_BODY(flat_load)
MEMORY_BODY(flat_store)
