// SPDX-License-Identifier: MIT
// LDS: loads, stores and exchanges of DS. Atomics are in atomic.c, lane permutes elsewhere.
//
// An address is VGPR + offset in 32 bits. Beyond lds_limit, loads give zero dword by dword and stores keep
// only the bytes inside (TRAP-260 to TRAP-262). That is the work-group's allocation; up to GFX8 the step
// limit_lds makes it M0 where M0 is less (PRO-02). Since GFX9 only the ADDTID forms read M0 (TRAP-256). One
// work-group runs on one worker, so nothing here is atomic towards the host.
#include "exec/body/access.h"
#include "exec/body/flags.h"
#include "exec/body/reach.h"
#include "exec/body/transposed.h"
#include "exec/lds_barrier.h"

#undef NOTE_ACCESS // no host memory vanishes here
#define NOTE_ACCESS(w, op) (void)0

#if !defined(STENCIL)
// ---- Lanes of which some are out of range ----
NOINLINE void LOAD_LDS(struct wave *w, enum access k, u32v offset, lmask m, u32v v[4]) {
    const unsigned size = access_bytes(k), step = size < 4 ? size : 4;
    uint32_t at[LANES], r[4][LANES] = {0};
    memcpy(at, &offset, sizeof at);
    OVER_LANES(m, lane) {
        for (unsigned b = 0; b < size; b += step) {
            uint32_t dword = 0;
            if (in_range((uint64_t)at[lane] + b, step, w->lds_limit))
                memcpy(&dword, w->lds + at[lane] + b, step);
            if (k == ACCESS_I8) dword = (uint32_t)(int8_t)dword;
            if (k == ACCESS_I16) dword = (uint32_t)(int16_t)dword;
            r[b / 4][lane] = dword;
        }
    }
    for (unsigned d = 0; d < access_dwords(k); d++) v[d] = vector_at((const char *)r[d]);
}
NOINLINE void STORE_LDS(struct wave *w, enum access k, u32v offset, lmask m, const u32v v[4]) {
    const unsigned size = access_bytes(k);
    uint32_t at[LANES], r[4][LANES];
    memcpy(at, &offset, sizeof at);
    for (unsigned d = 0; d < access_dwords(k); d++) memcpy(r[d], &v[d], VB);
    OVER_LANES(m, lane)
    for (unsigned b = 0; b < size; b++)
        if ((uint64_t)at[lane] + b < w->lds_limit)
            w->lds[at[lane] + b] = (uint8_t)(r[b / 4][lane] >> 8 * (b % 4));
}

#endif

// ---- In pieces: chunks of which each takes consecutive elements, or one and the same ----
#if defined(STENCIL)
// Lane 0's byte number. An address wraps at 32 bits, and no run inside LDS does.
INLINE uint32_t lds_first(struct wave *w, wave_place vaddr, unsigned i, uint32_t offset) {
    return ((const uint32_t *)&reg_at(w, vaddr)[i])[0] + offset;
}
// Where lane 0 of a chunk is that lies inside: there the sum does not wrap, and an instruction of the host
// adds the offset.
INLINE char *lds_at(struct wave *w, wave_place vaddr, unsigned i, int64_t offset) {
    return (char *)w->lds + ((const uint32_t *)&reg_at(w, vaddr)[i])[0] + (uint32_t)offset;
}
INLINE bool lds_inside(const struct wave *w, uint32_t first, unsigned bytes) {
    return (uint64_t)first + bytes <= w->lds_limit;
}
INLINE bool lds_at_inside(struct wave *w, wave_place vaddr, unsigned i, int64_t offset, unsigned bytes) {
    return (uint64_t)((const uint32_t *)&reg_at(w, vaddr)[i])[0] + (uint32_t)offset + bytes <= w->lds_limit;
}
// How the lanes of a chunk lie, whatever is added to all; those of m at least.
enum spread { SPREAD_OTHER, SPREAD_RUN, SPREAD_SAME };
INLINE enum spread spread_of(struct wave *w, wave_place vaddr, unsigned i, unsigned size, lmask m) {
    const u32v a = reg_at(w, vaddr)[i], apart = a - splat32(((const uint32_t *)&reg_at(w, vaddr)[i])[0]);
    if (!(differ32(apart, LANE_INDEX * size) & m)) return SPREAD_RUN;
    return differ32(apart, splat32(0)) & m ? SPREAD_OTHER : SPREAD_SAME;
}
#if defined(FUSED)
// Whether each chunk takes consecutive elements or, where it loads, one; sets which chunks take one.
INLINE bool lds_spread(struct wave *w, const struct op *op, enum access k, bool full, bool store,
                       unsigned *same) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned size = access_bytes(k);
    bool bad = full && wave_unsure(w, reg_at(w, mo->vaddr), NULL);
    *same = 0;
    EACH_WAVE_CHUNK {
        const lmask m = full ? ALL_LANES : chunk_lanes(w, i);
        const u32v a = reg_at(w, mo->vaddr)[i], apart = a - splat32(a[0]);
        const bool any = m != 0,
                   is_run = full ? !lanes_differ(a, a[0], size) : !(differ32(apart, LANE_INDEX * size) & m),
                   is_same = full ? !lanes_differ(a, a[0], 0) : !(differ32(apart, splat32(0)) & m);
        *same |= (unsigned)!is_run << i;
        bad |= any & (unsigned)!(is_run | (is_same & !store));
    }
    return !bad;
}
// The farthest offset: of the access, or of those that follow it (find_far in jit/flow.c), so that all of
// them ask the same.
INLINE uint64_t lds_far(const struct mem_op *mo, bool two) {
    const uint64_t far = (uint32_t)(two && mo->offset1 > mo->offset ? mo->offset1 : mo->offset);
    return mo->slot > far ? mo->slot : far;
}
// Whether all of that lies in LDS: where the last byte does, which of an address register is the same
// whatever the offset.
INLINE bool lds_spread_inside(struct wave *w, const struct op *op, enum access k, bool two, bool full,
                              unsigned same) {
    const struct mem_op *mo = mem_op_of(op);
    uint32_t top = 0;
    unsigned most = access_bytes(k);
    EACH_WAVE_CHUNK {
        const uint32_t a = reg_at(w, mo->vaddr)[i][0];
        if (!(full || chunk_lanes(w, i))) continue;
        if (a > top) top = a;
        if (!(same >> i & 1)) most = LANES * access_bytes(k);
    }
    return top + lds_far(mo, two) + most <= w->lds_limit;
}
#endif
// Whether the accesses at up to two offsets can be made; sets which chunks take one element.
INLINE bool lds_chunks(struct wave *w, const struct op *op, enum access k, bool two, bool full, bool store,
                       unsigned *same) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned size = access_bytes(k);
    *same = 0;
#if defined(FUSED) // few places where control parts: these cost compilers most
    return lds_spread(w, op, k, full, store, same) & lds_spread_inside(w, op, k, two, full, *same);
#else
    EACH_WAVE_CHUNK {
        const lmask m = full ? ALL_LANES : chunk_lanes(w, i);
        if (!full && !m) continue;
        const enum spread spread = spread_of(w, mo->vaddr, i, size, m);
        unsigned bytes = LANES * size;
        if (spread == SPREAD_OTHER || (store && spread == SPREAD_SAME)) return false;
        if (spread == SPREAD_SAME) *same |= 1u << i, bytes = size;
        if (!lds_at_inside(w, mo->vaddr, i, mo->offset, bytes)) return false;
        if (two && !lds_at_inside(w, mo->vaddr, i, mo->offset1, bytes)) return false;
    }
    return true;
#endif
}
INLINE void lds_take(enum access k, const char *p, bool same, lmask m, bool full, u32v v[4]) {
    if (same)
        take_one_own(k, p, v);
    else if (full)
        take(k, p, v);
    else
        take_lanes(k, p, m, v);
}
INLINE bool lds_load(struct wave *w, const struct op *op, enum access k, bool two, bool full) {
    const struct mem_op *mo = mem_op_of(op);
    unsigned same;
    if (!lds_chunks(w, op, k, two, full, false, &same)) return false;
    EACH_WAVE_CHUNK {
        const lmask m = full ? ALL_LANES : chunk_lanes(w, i);
        if (!full && !m) continue;
        const char *p = lds_at(w, mo->vaddr, i, mo->offset), *q = lds_at(w, mo->vaddr, i, mo->offset1);
        u32v v[4], u[4];
        lds_take(k, p, same >> i & 1, m, full, v);
        if (two) lds_take(k, q, same >> i & 1, m, full, u);
        put_loaded(w, mo->dst, i, m, k, v);
        if (two) put_loaded(w, mo->dst + access_dwords(k) * wave_stride(w), i, m, k, u);
    }
    return true;
}
INLINE bool lds_store(struct wave *w, const struct op *op, enum access k, bool two, bool full) {
    const struct mem_op *mo = mem_op_of(op);
    unsigned same;
    if (!lds_chunks(w, op, k, two, full, true, &same)) return false;
    EACH_WAVE_CHUNK {
        const lmask m = full ? ALL_LANES : chunk_lanes(w, i);
        if (!full && !m) continue;
        u32v v[4], u[4];
        get_stored(w, mo->data, i, k, v);
        if (two) get_stored(w, mo->data1, i, k, u);
        char *p = lds_at(w, mo->vaddr, i, mo->offset), *q = lds_at(w, mo->vaddr, i, mo->offset1);
        if (full)
            give(k, p, v);
        else
            give_lanes(k, p, m, v);
        if (two && full) give(k, q, u);
        if (two && !full) give_lanes(k, q, m, u);
    }
    return true;
}

#if defined(FUSED) && defined(SCATTERS)
// ---- In compiled code: lanes anywhere and any of them off, so that it leaves only for what is outside ----
#undef LEAVES_RARELY
#define LEAVES_RARELY(k) (access_bytes(k) >= 4)

// Where lanes take consecutive dwords, or all the same one: lane n that of lane pick[n], of the lanes `take`.
struct lds_chunk {
    lmask take;
    u32v pick;
};
// False: one chunk at least is of another kind.
INLINE bool lds_picks(struct wave *w, const struct op *op, bool full, struct lds_chunk *c) {
    bool other = false;
    EACH_WAVE_CHUNK {
        const lmask m = full ? ALL_LANES : chunk_lanes(w, i);
        const u32v a = reg_at(w, mem_op_of(op)->vaddr)[i], apart = a - splat32(a[0]);
        const lmask in_row = ~differ32(apart, LANE_INDEX * 4) & m;
        const bool is_same = !(differ32(apart, splat32(0)) & m);
        other |= (unsigned)!((in_row == m) | is_same);
        c[i].take = full ? in_row : in_row | (lmask)(is_same & (m != 0));
        c[i].pick = apart >> 2;
    }
    return !other;
}
// Of a chunk in a row lane 0, which may be off, can lie before LDS.
INLINE char *lds_row(struct wave *w, const struct op *op, unsigned i, int64_t offset, bool full) {
    if (full) return lds_at(w, mem_op_of(op)->vaddr, i, offset);
    return (char *)w->lds + (int32_t)lds_first(w, mem_op_of(op)->vaddr, i, (uint32_t)offset);
}
INLINE u32v lds_dwords(struct wave *w, const struct op *op, unsigned i, int64_t offset,
                       const struct lds_chunk *c) {
    return pick_lanes(vector_masked(lds_row(w, op, i, offset, false), c[i].take), c[i].pick);
}
INLINE u32v lds_row_dwords(struct wave *w, const struct op *op, unsigned i, int64_t offset, lmask m,
                           bool full) {
    const char *p = lds_row(w, op, i, offset, full);
    return full ? vector_at(p) : vector_masked(p, m);
}
// Whether lanes.c knows how the lanes lie, and that holds.
INLINE bool lds_known(struct wave *w, const struct op *op, bool full, bool store, unsigned *same) {
    return full && wave_known(w, reg_at(w, mem_op_of(op)->vaddr), NULL) &&
           lds_spread(w, op, ACCESS_B32, true, store, same);
}
// Whether each chunk takes consecutive dwords that are inside, which few instructions find out.
INLINE bool lds_in_rows(struct wave *w, const struct op *op, bool two, bool full) {
    const struct mem_op *mo = mem_op_of(op);
    const uint64_t far = lds_far(mo, two);
    lmask other = 0;
    uint32_t top = 0; // the last row: of an address register it is the same whatever the offset
    EACH_WAVE_CHUNK {
        const lmask m = full ? ALL_LANES : chunk_lanes(w, i);
        const u32v a = reg_at(w, mo->vaddr)[i];
        other |= differ32(a - splat32(a[0]), LANE_INDEX * 4) & m;
        top = m && a[0] > top ? a[0] : top;
    }
    return !(other | (lmask)(top + far + VB > w->lds_limit));
}
// Where one lane executes, as in what work-item 0 does for all: a load of its dword alone gets it from a
// store that is still under way, which one of a whole chunk has to wait for.
INLINE bool lds_one_lane(const struct wave *w, bool full) {
    const uint64_t lanes = full ? 0 : exec_of(w);
    return lanes && !(lanes & (lanes - 1));
}
// False: it is outside.
INLINE bool lds_load_one(struct wave *w, const struct op *op, bool two, u32v *v, u32v *u) {
    const struct mem_op *mo = mem_op_of(op);
    bool inside = true;
    EACH_WAVE_CHUNK {
        const lmask m = chunk_lanes(w, i);
        if (!m) continue;
        const uint32_t a = first_of(reg_at(w, mo->vaddr)[i], m), p = a + (uint32_t)mo->offset,
                       q = a + (uint32_t)mo->offset1;
        inside = lds_inside(w, p, 4) && (!two || lds_inside(w, q, 4));
        if (!inside) continue;
        v[i] = splat32(rd32(w->lds + p));
        if (two) u[i] = splat32(rd32(w->lds + q));
    }
    return inside;
}
INLINE bool lds_strided_inside(struct wave *w, const struct op *op, bool two) {
    const struct mem_op *mo = mem_op_of(op);
    const uint64_t bytes = lds_far(mo, two) + 3;
    bool inside = w->lds_limit > bytes;
    EACH_WAVE_CHUNK inside &= lanes_inside(reg_at(w, mo->vaddr)[i], 0, 0, w->lds_limit - bytes);
    return inside;
}
INLINE bool lds_load_dwords(struct wave *w, const struct op *op, bool two, bool full) {
    const struct mem_op *mo = mem_op_of(op);
    const uint64_t lds = (uint64_t)(uintptr_t)w->lds;
    struct lds_chunk c[MAX_LANES / LANES];
    u32v v[MAX_LANES / LANES], u[MAX_LANES / LANES];
    unsigned same;
    if (lds_known(w, op, full, false, &same)) {
        if (UNLIKELY(!lds_spread_inside(w, op, ACCESS_B32, two, true, same))) return false;
        EACH_WAVE_CHUNK {
            const char *p = lds_at(w, mo->vaddr, i, mo->offset), *q = lds_at(w, mo->vaddr, i, mo->offset1);
            lds_take(ACCESS_B32, p, same >> i & 1, ALL_LANES, true, &v[i]);
            if (two) lds_take(ACCESS_B32, q, same >> i & 1, ALL_LANES, true, &u[i]);
        }
    } else if (full && wave_strided(w, reg_at(w, mo->vaddr))) {
        if (UNLIKELY(!lds_strided_inside(w, op, two))) return false;
        EACH_WAVE_CHUNK {
            const u32v a = reg_at(w, mo->vaddr)[i];
            v[i] = lanes_take(a, lds_at(w, mo->vaddr, i, mo->offset));
            if (two) u[i] = lanes_take(a, lds_at(w, mo->vaddr, i, mo->offset1));
        }
    } else if (lds_one_lane(w, full)) {
        if (UNLIKELY(!lds_load_one(w, op, two, v, u))) return false;
    } else if (LIKELY(lds_in_rows(w, op, two, full))) {
        EACH_WAVE_CHUNK {
            const lmask m = full ? ALL_LANES : chunk_lanes(w, i);
            v[i] = lds_row_dwords(w, op, i, mo->offset, m, full);
            if (two) u[i] = lds_row_dwords(w, op, i, mo->offset1, m, full);
        }
    } else {
        if (UNLIKELY(!lds_lanes_inside(w, op, 4, two, full))) return false;
        if (lds_picks(w, op, full, c)) {
            EACH_WAVE_CHUNK {
                v[i] = lds_dwords(w, op, i, mo->offset, c);
                if (two) u[i] = lds_dwords(w, op, i, mo->offset1, c);
            }
        } else {
            EACH_WAVE_CHUNK {
                const lmask m = full ? ALL_LANES : chunk_lanes(w, i);
                v[i] = gather32(lds, reg_at(w, mo->vaddr)[i] + (uint32_t)mo->offset, m);
                if (two) u[i] = gather32(lds, reg_at(w, mo->vaddr)[i] + (uint32_t)mo->offset1, m);
            }
        }
    }
    EACH_WAVE_CHUNK {
        const lmask m = full ? ALL_LANES : chunk_lanes(w, i);
        put_loaded(w, mo->dst, i, m, ACCESS_B32, &v[i]);
        if (two) put_loaded(w, mo->dst + wave_stride(w), i, m, ACCESS_B32, &u[i]);
    }
    return true;
}
// Likewise: a load can get its dword from such a store, but not from one with a mask.
INLINE bool lds_store_one(struct wave *w, const struct op *op, bool two) {
    const struct mem_op *mo = mem_op_of(op);
    bool inside = true;
    EACH_WAVE_CHUNK {
        const lmask m = chunk_lanes(w, i);
        if (!m) continue;
        const uint32_t a = first_of(reg_at(w, mo->vaddr)[i], m), p = a + (uint32_t)mo->offset,
                       q = a + (uint32_t)mo->offset1;
        inside = lds_inside(w, p, 4) && (!two || lds_inside(w, q, 4));
        if (!inside) continue;
        wr32(w->lds + p, first_of(reg_at(w, mo->data)[i], m));
        if (two) wr32(w->lds + q, first_of(reg_at(w, mo->data1)[i], m));
    }
    return inside;
}
INLINE bool lds_store_dwords(struct wave *w, const struct op *op, bool two, bool full) {
    const struct mem_op *mo = mem_op_of(op);
    const uint64_t lds = (uint64_t)(uintptr_t)w->lds;
    unsigned same;
    if (lds_one_lane(w, full)) return lds_store_one(w, op, two);
    const bool known = lds_known(w, op, full, true, &same);
    if (known && UNLIKELY(!lds_spread_inside(w, op, ACCESS_B32, two, true, same))) return false;
    if (LIKELY(known || lds_in_rows(w, op, two, full))) {
        EACH_WAVE_CHUNK {
            const lmask m = full ? ALL_LANES : chunk_lanes(w, i);
            put_vector_masked(lds_row(w, op, i, mo->offset, full), m, reg_at(w, mo->data)[i]);
            if (two) put_vector_masked(lds_row(w, op, i, mo->offset1, full), m, reg_at(w, mo->data1)[i]);
        }
        return true;
    }
    if (UNLIKELY(!lds_lanes_inside(w, op, 4, two, full))) return false;
    EACH_WAVE_CHUNK { // of lanes at one place the last one's stays
        const lmask m = full ? ALL_LANES : chunk_lanes(w, i);
        const u32v a = reg_at(w, mo->vaddr)[i];
        scatter32(lds, a + (uint32_t)mo->offset, m, reg_at(w, mo->data)[i]);
        if (two) scatter32(lds, a + (uint32_t)mo->offset1, m, reg_at(w, mo->data1)[i]);
    }
    return true;
}

// Elements of other sizes. LDS of at least a dword: a short element is taken out of the dword that begins
// with it, or out of the last one.
INLINE void lds_gather(struct wave *w, enum access k, u32v a, lmask m, u32v v[4]) {
    const struct range lds = lds_range(w);
    if (access_bytes(k) >= 4) {
        gather(k, &lds, lds.lo, a, m, v);
        return;
    }
    const u32v last = splat32(w->lds_limit - 4), at = select32((i32v)(a > last), last, a);
    v[0] = extend_short(k, gather32(lds.lo, at, m) >> (a - at) * 8);
}
INLINE bool lds_load_lanes(struct wave *w, const struct op *op, enum access k, bool two, bool full) {
    const struct mem_op *mo = mem_op_of(op);
    if (w->lds_limit < 4 || !lds_lanes_inside(w, op, access_bytes(k), two, full)) return false;
    EACH_WAVE_CHUNK {
        const lmask m = full ? ALL_LANES : chunk_lanes(w, i);
        const u32v a = reg_at(w, mo->vaddr)[i];
        u32v v[4], u[4];
        lds_gather(w, k, a + (uint32_t)mo->offset, m, v);
        if (two) lds_gather(w, k, a + (uint32_t)mo->offset1, m, u);
        put_loaded(w, mo->dst, i, m, k, v);
        if (two) put_loaded(w, mo->dst + access_dwords(k) * wave_stride(w), i, m, k, u);
    }
    return true;
}
INLINE bool lds_store_lanes(struct wave *w, const struct op *op, enum access k, bool two, bool full) {
    const struct mem_op *mo = mem_op_of(op);
    const uint64_t lds = (uint64_t)(uintptr_t)w->lds;
    if (access_bytes(k) < 4 || !lds_lanes_inside(w, op, access_bytes(k), two, full)) return false;
    EACH_WAVE_CHUNK {
        const lmask m = full ? ALL_LANES : chunk_lanes(w, i);
        const u32v a = reg_at(w, mo->vaddr)[i];
        u32v v[4], u[4];
        get_stored(w, mo->data, i, k, v);
        if (two) get_stored(w, mo->data1, i, k, u);
        scatter(k, lds, a + (uint32_t)mo->offset, m, v);
        if (two) scatter(k, lds, a + (uint32_t)mo->offset1, m, u);
    }
    return true;
}
#define LDS_PIECE(name, run, two)                                                                            \
    INLINE bool name(struct wave *w, const struct op *op, enum access k) {                                   \
        const bool full = exec_full(w);                                                                      \
        if (k == ACCESS_B32)                                                                                 \
            return LIKELY(full) ? run##_dwords(w, op, two, true) : run##_dwords(w, op, two, false);          \
        if (LIKELY(full)) return run(w, op, k, two, true) || run##_lanes(w, op, k, two, true);               \
        return run(w, op, k, two, false) || run##_lanes(w, op, k, two, false);                               \
    }
#else
// With some lanes off: only what is frequent, dwords.
#define SOME_LANES(k) (access_bytes(k) == 4 && LANES == 16)
#define LDS_PIECE(name, run, two)                                                                            \
    INLINE bool name(struct wave *w, const struct op *op, enum access k) {                                   \
        if (LIKELY(exec_full(w))) return run(w, op, k, two, true);                                           \
        return SOME_LANES(k) && run(w, op, k, two, false);                                                   \
    }
#endif
LDS_PIECE(ds_load, lds_load, false)
LDS_PIECE(ds_store, lds_store, false)
LDS_PIECE(ds_load_2addr, lds_load, true)
LDS_PIECE(ds_store_2addr, lds_store, true)
#endif

// ---- One address ----
#if !defined(STENCIL)
INLINE bool lds_run(struct wave *w, const struct op *op, enum access k, uint64_t *a) {
    const struct mem_op *mo = mem_op_of(op);
    const struct range r = lds_range(w);
    uint32_t first;
    if (!wave_run(w, reg_at(w, mo->vaddr), NULL, access_bytes(k), &first)) return false;
    *a = r.lo + first + (uint64_t)mo->offset;
    return in_cached(&r, *a, (uint64_t)wave_lanes(w) * access_bytes(k));
}
INLINE bool ds_load(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    uint64_t run;
    if (lds_run(w, op, k, &run)) {
        load_run(w, k, mo->dst, host_at(run));
        return true;
    }
    EACH_ACTIVE(w, u32v v[4]; load_lds(w, k, reg_at(w, mo->vaddr)[i] + (uint32_t)mo->offset, m, v);
                put_loaded(w, mo->dst, i, m, k, v));
    return true;
}
INLINE bool ds_store(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    uint64_t run;
    if (lds_run(w, op, k, &run)) {
        store_run(w, k, mo->data, host_at(run));
        return true;
    }
    EACH_ACTIVE(w, u32v v[4]; get_stored(w, mo->data, i, k, v);
                store_lds(w, k, reg_at(w, mo->vaddr)[i] + (uint32_t)mo->offset, m, v));
    return true;
}
#endif
LOAD_HANDLERS(ds_load)
STORE_HANDLERS(ds_store)
MEMORY_BODY(ds_load)
MEMORY_BODY(ds_store)

// ---- Two addresses: offset and offset1 are in bytes already (TRAP-265) ----
#if !defined(STENCIL)
INLINE bool ds_load_2addr(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    EACH_ACTIVE(w, u32v v[4], u[4]; const u32v a = reg_at(w, mo->vaddr)[i];
                load_lds(w, k, a + (uint32_t)mo->offset, m, v);
                load_lds(w, k, a + (uint32_t)mo->offset1, m, u); put_loaded(w, mo->dst, i, m, k, v);
                put_loaded(w, mo->dst + access_dwords(k) * wave_stride(w), i, m, k, u));
    return true;
}
INLINE bool ds_store_2addr(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    EACH_ACTIVE(w, u32v v[4], u[4]; const u32v a = reg_at(w, mo->vaddr)[i]; get_stored(w, mo->data, i, k, v);
                get_stored(w, mo->data1, i, k, u); store_lds(w, k, a + (uint32_t)mo->offset, m, v);
                store_lds(w, k, a + (uint32_t)mo->offset1, m, u));
    return true;
}
// Two independent exchanges, in lane order; both old values return (TRAP-268).
INLINE bool ds_storexchg_2addr(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned dwords = access_dwords(k);
    EACH_ACTIVE(
        w, OVER_LANES(m, lane) {
            const u32v one = splat32(reg_at(w, mo->vaddr)[i][lane]);
            const lmask bit = 1u << lane;
            u32v v[4], u[4], old[4], old1[4];
            get_stored(w, mo->data, i, k, v);
            get_stored(w, mo->data1, i, k, u);
            load_lds(w, k, one + (uint32_t)mo->offset, bit, old);
            store_lds(w, k, one + (uint32_t)mo->offset, bit, v);
            load_lds(w, k, one + (uint32_t)mo->offset1, bit, old1);
            store_lds(w, k, one + (uint32_t)mo->offset1, bit, u);
            put_loaded(w, mo->dst, i, bit, k, old);
            put_loaded(w, mo->dst + dwords * wave_stride(w), i, bit, k, old1);
        });
    return true;
}
#endif
#define PAIR_HANDLERS(run)                                                                                   \
    ACCESS_HANDLER(run, B32)                                                                                 \
    ACCESS_HANDLER(run, B64)                                                                                 \
    static op_fn *const run##_table[ACCESS_D16_HI_B16 + 1] = {                                               \
        [ACCESS_B32] = run##_B32, [ACCESS_B64] = run##_B64};                                                 \
    BODY(run, .shape = SHAPE_MEMORY, .pair = 1, .table = run##_table);                                       \
    BODY(run##_stride64, .shape = SHAPE_MEMORY, .pair = 64, .table = run##_table);
PAIR_HANDLERS(ds_load_2addr)
PAIR_HANDLERS(ds_store_2addr)
#if !defined(STENCIL)
PAIR_HANDLERS(ds_storexchg_2addr)

// ---- Address from M0 and the lane number (TRAP-267) ----
INLINE u32v addtid_address(struct wave *w, const struct op *op, unsigned i) {
    const struct mem_op *mo = mem_op_of(op);
    return (LANE_INDEX + i * LANES) * 4 + (uint32_t)mo->offset + (get32(w, op, mo->m0) & 0xffff);
}
INLINE bool ds_load_addtid(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    EACH_ACTIVE(w, u32v v[4]; load_lds(w, k, addtid_address(w, op, i), m, v);
                put_loaded(w, mo->dst, i, m, k, v));
    return true;
}
INLINE bool ds_store_addtid(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    EACH_ACTIVE(w, u32v v[4]; get_stored(w, mo->data, i, k, v);
                store_lds(w, k, addtid_address(w, op, i), m, v));
    return true;
}
ACCESS_HANDLER(ds_load_addtid, B32)
ACCESS_HANDLER(ds_store_addtid, B32)
static op_fn *const ds_load_addtid_table[ACCESS_D16_HI_B16 + 1] = {[ACCESS_B32] = ds_load_addtid_B32};
static op_fn *const ds_store_addtid_table[ACCESS_D16_HI_B16 + 1] = {[ACCESS_B32] = ds_store_addtid_B32};
MEMORY_BODY(ds_load_addtid)
MEMORY_BODY(ds_store_addtid)

// ---- What a load brought, to LDS (steps.h) ----
INLINE uint32_t lds_start(struct wave *w, const struct op *op) {
    return (get32(w, op, op->b) & ((1u << (op->e >> LDS_M0_BITS_SHIFT)) - 1)) + (uint32_t)op->imm;
}
INLINE unsigned dwords_apart(const struct op *op) {
    return (op->e & LDS_REGISTERS) == 3 ? 4 : op->e & LDS_REGISTERS;
} // TRAP-322
op_fn PASTE(step_, to_lds, LEVEL), PASTE(step_, from_lds, LEVEL), PASTE(step_, lds_lanes, LEVEL);
const struct op *PASTE(step_, to_lds, LEVEL)(struct wave *w, const struct op *op) {
    const unsigned dwords = op->e & LDS_REGISTERS, apart = dwords_apart(op);
    const uint32_t start = lds_start(w, op);
    for (unsigned n = 0; n < dwords; n++)
        EACH_ACTIVE(w, u32v v[4] = {reg_at(w, op->a + n * wave_stride(w))[i]};
                    store_lds(w, ACCESS_B32, ((LANE_INDEX + i * LANES) * apart + n) * 4 + start, m, v));
    NEXT;
}
const struct op *PASTE(step_, from_lds, LEVEL)(struct wave *w, const struct op *op) {
    const uint32_t start = lds_start(w, op);
    EACH_ACTIVE(
        w, OVER_LANES(m, lane) {
            const uint64_t a = start + 4ull * (i * LANES + lane);
            reg_at(w, op->d)[i][lane] = in_range(a, 4, w->lds_size) ? rd32(w->lds + a) : 0;
        });
    NEXT;
}
const struct op *PASTE(step_, lds_lanes, LEVEL)(struct wave *w, const struct op *op) {
    const uint64_t bytes = 4 * dwords_apart(op), start = lds_start(w, op);
    const uint64_t room = w->lds_size >= start + 4 ? (w->lds_size - start - 4) / bytes + 1 : 0; // lanes
    w->saved_exec = w->exec;
    if (room < 64) w->exec &= (1ull << room) - 1;
    NEXT;
}

// ---- Counters: one step for all executing lanes, which all get the old value (TRAP-270, TRAP-271) ----
INLINE void add_count(struct wave *w, const struct op *op, int sign) {
    const struct mem_op *mo = mem_op_of(op);
    uint32_t old = 0, count = (uint32_t)__builtin_popcountll(exec_of(w));
    if (in_range((uint64_t)mo->offset, 4, w->lds_limit)) {
        old = rd32(w->lds + mo->offset);
        if (count) wr32(w->lds + mo->offset, sign > 0 ? old + count : old - count);
    }
    EACH_ACTIVE(w, store_masked(&reg_at(w, mo->dst)[i], m, splat32(old)));
}
// These rows have neither access nor atomic: entry 0 of the table.
#define DS_SPECIAL(name, ...)                                                                                \
    static const struct op *name##_special(struct wave *w, const struct op *op) {                            \
        __VA_ARGS__;                                                                                         \
        NEXT;                                                                                                \
    }                                                                                                        \
    static op_fn *const name##_table[1] = {name##_special};                                                  \
    MEMORY_BODY(name)
DS_SPECIAL(ds_append, add_count(w, op, 1))
DS_SPECIAL(ds_consume, add_count(w, op, -1))

// old >= data ? old - data : old + data1 (TRAP-272)
INLINE void wrap(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    EACH_ACTIVE(
        w, OVER_LANES(m, lane) {
            uint32_t a = reg_at(w, mo->vaddr)[i][lane] + (uint32_t)mo->offset;
            uint32_t limit = reg_at(w, mo->data)[i][lane], other = reg_at(w, mo->data1)[i][lane], old = 0;
            if (in_range(a, 4, w->lds_limit)) {
                old = rd32(w->lds + a);
                wr32(w->lds + a, old >= limit ? old - limit : old + other);
            }
            reg_at(w, mo->dst)[i][lane] = old;
        });
}
DS_SPECIAL(ds_wrap_rtn_b32, wrap(w, op))

// Two dwords, each replaced by the source dword without its top bit if that bit is set (TRAP-269).
INLINE void conditional_exchange(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    EACH_ACTIVE(
        w, OVER_LANES(m, lane) {
            uint32_t a = (reg_at(w, mo->vaddr)[i][lane] + (uint32_t)mo->offset) & 0xfff8, old[2];
            for (unsigned d = 0; d < 2; d++) {
                uint32_t s = reg_at(w, mo->data + d * wave_stride(w))[i][lane];
                bool in = in_range(a + 4 * d, 4, w->lds_limit);
                old[d] = in ? rd32(w->lds + a + 4 * d) : 0;
                if (in && s >> 31) wr32(w->lds + a + 4 * d, s & 0x7fffffff);
            }
            for (unsigned d = 0; d < 2; d++) reg_at(w, mo->dst + d * wave_stride(w))[i][lane] = old[d];
        });
}
DS_SPECIAL(ds_condxchg32_rtn_b64, conditional_exchange(w, op))

// Loads of 64 to 128 bits a lane whose elements then change places. On CDNA4, within each 16 lanes: what
// those lanes read is rows of 16 elements, one after the other, and lane n gets column n; all lanes act if
// any does (TRAP-280). On CDNA5 by transposed_lane, whatever EXEC is.
static NOINLINE void load_transposed(struct wave *w, const struct op *op, unsigned bits, unsigned count,
                                     bool cdna5) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned dwords = bits * count / 32, lanes = 16 / count; // lanes that make a row
    uint32_t read[MAX_LANES][4] = {{0}};
    if (!cdna5 && !exec_of(w)) return;
    for (unsigned l = 0; l < wave_lanes(w); l++) {
        const uint32_t a = lane32(w, op, mo->vaddr, l, false) + (uint32_t)mo->offset;
        for (unsigned d = 0; d < dwords; d++)
            if (in_range((uint64_t)a + 4 * d, 4, w->lds_limit)) read[l][d] = rd32(w->lds + a + 4 * d);
    }
    for (unsigned l = 0; l < wave_lanes(w); l++) {
        uint32_t out[4] = {0};
        for (unsigned j = 0; j < count; j++) {
            const unsigned from =
                cdna5 ? transposed_lane(bits, l, j) : (l & ~15u) + lanes * j + l % 16 / count;
            put_element(out, j, bits, element_at(read[from], l % count, bits));
        }
        for (unsigned d = 0; d < dwords; d++) put_lane32(w, mo->dst + d * wave_stride(w), l, out[d]);
    }
}
DS_SPECIAL(ds_load_tr_b16, load_transposed(w, op, 16, 4, false))
DS_SPECIAL(ds_load_tr_b4, load_transposed(w, op, 4, 16, false))
DS_SPECIAL(ds_load_tr_b6, load_transposed(w, op, 6, 16, false))
DS_SPECIAL(ds_load_tr_b8, load_transposed(w, op, 8, 8, false))
DS_SPECIAL(ds_load_tr4_b64, load_transposed(w, op, 4, 16, true))
DS_SPECIAL(ds_load_tr6_b96, load_transposed(w, op, 6, 16, true))
DS_SPECIAL(ds_load_tr8_b64, load_transposed(w, op, 8, 8, true))
DS_SPECIAL(ds_load_tr16_b128, load_transposed(w, op, 16, 8, true))

// ---- Barriers in LDS (CDNA5; exec/lds_barrier.h): the lanes arrive one after the other ----
static NOINLINE void arrive(struct wave *w, const struct op *op, bool returns) {
    const struct mem_op *mo = mem_op_of(op);
    for (uint64_t left = exec_of(w); left; left &= left - 1) {
        const unsigned l = (unsigned)__builtin_ctzll(left);
        const uint32_t a = lane32(w, op, mo->vaddr, l, false) + (uint32_t)mo->offset;
        const uint64_t old = lds_barrier_arrive(w, a, returns ? lane32(w, op, mo->data, l, false) : 1);
        if (!returns) continue;
        put_lane32(w, mo->dst, l, (uint32_t)old);
        put_lane32(w, mo->dst + wave_stride(w), l, (uint32_t)(old >> 32));
    }
}
DS_SPECIAL(ds_barrier_arrive_async, arrive(w, op, false))
DS_SPECIAL(ds_barrier_arrive_rtn, arrive(w, op, true))
#endif
