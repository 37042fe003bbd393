// SPDX-License-Identifier: MIT
// Accesses to global memory of which compiled code knows, when it is made, how far the lanes are apart
// (jit/lanes.h): by addresses in two registers, of the wave or of each chunk, and by offsets of each chunk.
// Every lane executes.
#ifndef EXEC_BODY_KNOWN_H
#define EXEC_BODY_KNOWN_H

#include "exec/body/access.h"

#if defined(STENCIL)
// What looking for lanes that lie close brings. LEAVE: the handler has to do it. NONE: they do not.
enum close { CLOSE_DONE, CLOSE_LEAVE, CLOSE_NONE };
#endif

#if defined(FUSED)
// ---- Each chunk by itself: what they take, from addresses that are p ----
INLINE void load_each(struct wave *w, const struct op *op, enum access k, struct chunks of, char **p) {
    EACH_WAVE_CHUNK {
        u32v v[4];
        load_chunk(k, p[i], of.alike >> i & 1, of.overlap >> i & 1, v);
        put_loaded(w, mem_op_of(op)->dst, i, ALL_LANES, k, v);
    }
}
INLINE void store_each(struct wave *w, const struct op *op, enum access k, char **p) {
    EACH_WAVE_CHUNK {
        u32v v[4];
        get_stored(w, mem_op_of(op)->data, i, k, v);
        give(k, p[i], v);
    }
}

// ---- Offsets from a scalar address ----
// What the chunks take; false where one of them has lanes that lie in another way.
INLINE bool apart_chunks(struct wave *w, const struct op *op, unsigned size, bool store, struct chunks *of) {
    const unsigned step = overlap_step(size);
    bool other = false;
    *of = (struct chunks){0};
    EACH_WAVE_CHUNK {
        const u32v lo = reg_at(w, mem_op_of(op)->vaddr)[i];
        const bool is_same = !store && !lanes_differ(lo, lo[0], 0), is_run = !lanes_differ(lo, lo[0], size),
                   is_overlap = !store && step && !lanes_differ(lo, lo[0], step);
        of->alike |= (unsigned)is_same << i, of->overlap |= (unsigned)is_overlap << i;
        other |= !(is_same | is_run | is_overlap);
    }
    return !other;
}
// Whether all of that lies inside the range; sets where each chunk's first lane is.
INLINE bool apart_inside(struct wave *w, const struct op *op, unsigned size, struct chunks of, char **p) {
    const struct mem_op *mo = mem_op_of(op);
    const uint64_t base = get64(w, op, mo->saddr) + (uint64_t)mo->offset;
    bool bad = false;
    EACH_WAVE_CHUNK {
        const u32v lo = reg_at(w, mo->vaddr)[i];
        const bool is_same = of.alike >> i & 1, is_overlap = of.overlap >> i & 1;
        const unsigned bytes = is_same      ? size
                               : is_overlap ? (LANES - 1) * overlap_step(size) + size
                                            : LANES * size;
        bad |= !is_same & (lo[0] >= 0u - (LANES - 1) * size);
        bad |= !in_found(w, op, base + lo[0], bytes, &p[i]);
    }
    return !bad;
}
INLINE enum close apart_load(struct wave *w, const struct op *op, enum access k) {
    struct chunks of;
    char *p[MAX_LANES / LANES];
    if (!apart_chunks(w, op, access_bytes(k), false, &of)) return CLOSE_NONE;
    if (!apart_inside(w, op, access_bytes(k), of, p)) return CLOSE_LEAVE;
    load_each(w, op, k, of, p);
    return CLOSE_DONE;
}
INLINE enum close apart_store(struct wave *w, const struct op *op, enum access k) {
    struct chunks of;
    char *p[MAX_LANES / LANES];
    if (!apart_chunks(w, op, access_bytes(k), true, &of)) return CLOSE_NONE;
    if (!apart_inside(w, op, access_bytes(k), of, p)) return CLOSE_LEAVE;
    store_each(w, op, k, p);
    return CLOSE_DONE;
}

// ---- Addresses in two registers ----
// Each lane takes an element, all one, or neighbours that overlap.
INLINE bool wide_is_close(enum access k, uint64_t step, bool store) {
    return step == access_bytes(k) || (!store && (!step || step == overlap_step(access_bytes(k))));
}
INLINE unsigned wide_bytes(enum access k, uint64_t step, unsigned lanes) {
    return (lanes - 1) * (unsigned)step + access_bytes(k);
}
// What the chunks take, and where; CLOSE_DONE where that can be had.
INLINE enum close wide_chunks(struct wave *w, const struct op *op, enum access k, bool store,
                              struct chunks *of, char **p) {
    const struct mem_op *mo = mem_op_of(op);
    bool is_close = true, bad = false;
    *of = (struct chunks){0};
    EACH_WAVE_CHUNK {
        const wide_answer one =
            lanes_wide_chunk(reg_at(w, mo->vaddr)[i], reg_at(w, mo->vaddr + wave_stride(w))[i]);
        const uint64_t step = one[WIDE_STEP], a = one[WIDE_FIRST] + (uint64_t)mo->offset;
        is_close &= one[WIDE_KNOWN] & wide_is_close(k, step, store);
        bad |= one[WIDE_UNSURE] | !in_found(w, op, a, wide_bytes(k, step, LANES), &p[i]);
        of->alike |= (unsigned)!step << i, of->overlap |= (unsigned)(step && step != access_bytes(k)) << i;
    }
    return !is_close ? CLOSE_NONE : UNLIKELY(bad) ? CLOSE_LEAVE : CLOSE_DONE;
}
// The same of the whole wave, which begins at *p.
INLINE enum close wide_wave(struct wave *w, const struct op *op, enum access k, bool store, uint64_t *step,
                            char **p) {
    const struct mem_op *mo = mem_op_of(op);
    const u32v *lo = reg_at(w, mo->vaddr), *hi = reg_at(w, mo->vaddr + wave_stride(w));
    const wide_answer of = ASK_WIDE(lo, hi);
    const uint64_t a = of[WIDE_FIRST] + (uint64_t)mo->offset;
    *step = of[WIDE_STEP];
    if (!(of[WIDE_KNOWN] & wide_is_close(k, *step, store))) return CLOSE_NONE;
    const bool bad = of[WIDE_UNSURE] | !in_found(w, op, a, wide_bytes(k, *step, wave_lanes(w)), p);
    return UNLIKELY(bad) ? CLOSE_LEAVE : CLOSE_DONE;
}
INLINE enum close wide_load(struct wave *w, const struct op *op, enum access k) {
    struct chunks of;
    char *p[MAX_LANES / LANES];
    uint64_t step;
    enum close close = wide_wave(w, op, k, false, &step, p);
    if (close == CLOSE_DONE && !step)
        load_same(w, k, mem_op_of(op)->dst, *p);
    else if (close == CLOSE_DONE && step == access_bytes(k))
        load_run(w, k, mem_op_of(op)->dst, *p);
    else if (close == CLOSE_DONE) {
        EACH_WAVE_CHUNK p[i] = *p + i * LANES * overlap_step(access_bytes(k));
        load_each(w, op, k, (struct chunks){.overlap = ~0u}, p);
    }
    if (close != CLOSE_NONE) return close;
    close = wide_chunks(w, op, k, false, &of, p);
    if (close == CLOSE_DONE) load_each(w, op, k, of, p);
    return close;
}
INLINE enum close wide_store(struct wave *w, const struct op *op, enum access k) {
    struct chunks of;
    char *p[MAX_LANES / LANES];
    uint64_t step;
    enum close close = wide_wave(w, op, k, true, &step, p);
    if (close == CLOSE_DONE) store_run(w, k, mem_op_of(op)->data, *p);
    if (close != CLOSE_NONE) return close;
    close = wide_chunks(w, op, k, true, &of, p);
    if (close == CLOSE_DONE) store_each(w, op, k, p);
    return close;
}
#endif

#endif
