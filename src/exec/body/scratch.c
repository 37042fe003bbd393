// SPDX-License-Identifier: MIT
// Scratch: the private segment, reached by SCRATCH instructions and by FLAT through the private aperture.
//
// The lanes of a wave share one block in which consecutive dwords of a lane are `lanes` dwords apart (AS-20,
// TRAP-297), so that one dword at the same offset in every lane is one vector. Where the block is comes from
// wave state or from the FLAT_SCRATCH register that a kernel's prolog wrote: it is looked up in the memory
// map like any address. A lane must stay below the segment's size.
#include "exec/body/access.h"

#if defined(STENCIL)
// In pieces: dwords at one offset in all lanes, which lie behind each other. Where the wave's are, at `a`.
INLINE bool scratch_place(struct wave *w, const struct op *op, enum access k, uint64_t *a) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned size = access_bytes(k);
    if (!mo->has_saddr || size < 4) return false;
    const uint32_t offset = (uint32_t)mo->offset + get32(w, op, mo->saddr);
    if (offset & 3 || (uint64_t)offset + size > w->scratch_size) return false;
    const uint64_t at = (uint64_t)offset * wave_lanes(w), bytes = (uint64_t)size * wave_lanes(w);
    *a = get64(w, op, mo->soffset) + at;
    return at + bytes <= UINT32_MAX && in_cached(slot_of(w, op), *a, bytes);
}
INLINE bool scratch_load(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    uint64_t a;
    if (!scratch_place(w, op, k, &a)) return false;
    const char *p = host_at(a);
    UNROLL_CHUNKS for (unsigned d = 0; d < access_dwords(k); d++) EACH_CHUNK(
        w, store32(w, mo->dst + d * wave_stride(w), i, m, FULL, vector_at(p + d * wave_stride(w) + i * VB)));
    return true;
}
INLINE bool scratch_store(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    uint64_t a;
    if (!scratch_place(w, op, k, &a) || (LANES < 16 && !exec_full(w))) return false;
    char *p = host_at(a);
    UNROLL_CHUNKS for (unsigned d = 0; d < access_dwords(k); d++)
        EACH_CHUNK(w, const u32v v[4] = {reg_at(w, mo->data + d * wave_stride(w))[i]};
                   char *to = p + d * wave_stride(w) + i * VB;
                   if (FULL || LANES < 16) give(ACCESS_B32, to, v); else give_lanes(ACCESS_B32, to, m, v));
    return true;
}
#else
INLINE bool scratch_bounds(struct wave *w, const struct op *op, enum fault_kind kind, u32v offset,
                           unsigned size, lmask m, unsigned i) {
    uint64_t limit = w->scratch_size < UINT32_MAX ? w->scratch_size : UINT32_MAX;
    lmask outside = limit < size ? m : above32(offset, splat32((uint32_t)(limit - size))) & m;
    if (LIKELY(!outside)) return true;
    unsigned lane = first_lane(outside);
    return lane_fault(w, op, kind, i, lane, SW_PRIVATE_APERTURE + lane_of(offset, lane));
}
INLINE u32v swizzle(const struct wave *w, u32v offset, unsigned i) {
    return (offset & ~3u) * w->lanes + (LANE_INDEX + i * LANES) * 4 + (offset & 3);
}
INLINE uint64_t scratch_base(struct wave *w, const struct op *op) {
    return get64(w, op, mem_op_of(op)->flat_scratch);
}

// Elements that cross a dword: byte by byte.
static NOINLINE bool load_crossing(struct wave *w, const struct op *op, enum access k, u32v offset, lmask m,
                                   unsigned i, u32v v[4]) {
    const unsigned size = access_bytes(k);
    for (unsigned d = 0; d < access_dwords(k); d++) v[d] = splat32(0);
    for (unsigned b = 0; b < size; b++) {
        u32v byte[4];
        if (!load_global(w, op, ACCESS_U8, scratch_base(w, op), swizzle(w, offset + b, i), m, i, byte))
            return false;
        v[b / 4] |= byte[0] << 8 * (b % 4);
    }
    if (k == ACCESS_I16) v[0] = (u32v)((i32v)(v[0] << 16) >> 16);
    return true;
}
static NOINLINE bool store_crossing(struct wave *w, const struct op *op, enum access k, u32v offset, lmask m,
                                    unsigned i, const u32v v[4]) {
    const unsigned size = access_bytes(k);
    for (unsigned b = 0; b < size; b++) {
        u32v byte[4] = {v[b / 4] >> 8 * (b % 4)};
        if (!store_global(w, op, ACCESS_U8, scratch_base(w, op), swizzle(w, offset + b, i), m, i, byte))
            return false;
    }
    return true;
}
// Whether some element in m crosses the border of a dword.
INLINE bool crosses(unsigned size, u32v offset, lmask m) {
    if (size == 1) return false;
    if (size == 2) return above32(offset & 3, splat32(2)) & m;
    return differ32(offset & 3, splat32(0)) & m;
}

INLINE bool load_private(struct wave *w, const struct op *op, enum access k, u32v offset, lmask m, unsigned i,
                         u32v v[4]) {
    const unsigned size = access_bytes(k);
    if (!scratch_bounds(w, op, FAULT_READ, offset, size, m, i)) return false;
    if (UNLIKELY(crosses(size, offset, m))) return load_crossing(w, op, access_plain(k), offset, m, i, v);
    const uint64_t base = scratch_base(w, op);
    u32v at = swizzle(w, offset, i);
    if (size < 4) return load_global(w, op, k, base, at, m, i, v);
    for (unsigned d = 0; d < size / 4; d++)
        if (!load_global(w, op, ACCESS_B32, base, at + d * 4 * w->lanes, m, i, &v[d])) return false;
    return true;
}
INLINE bool store_private(struct wave *w, const struct op *op, enum access k, u32v offset, lmask m,
                          unsigned i, const u32v v[4]) {
    const unsigned size = access_bytes(k);
    if (!scratch_bounds(w, op, FAULT_WRITE, offset, size, m, i)) return false;
    if (UNLIKELY(crosses(size, offset, m))) return store_crossing(w, op, access_plain(k), offset, m, i, v);
    const uint64_t base = scratch_base(w, op);
    u32v at = swizzle(w, offset, i);
    if (size < 4) return store_global(w, op, k, base, at, m, i, v);
    for (unsigned d = 0; d < size / 4; d++)
        if (!store_global(w, op, ACCESS_B32, base, at + d * 4 * w->lanes, m, i, &v[d])) return false;
    return true;
}

// For FLAT: the size is not known when compiling.
bool LOAD_SCRATCH(struct wave *w, const struct op *op, enum access k, u32v offset, lmask m, unsigned i,
                  u32v v[4]) {
    switch (k) {
    case ACCESS_U8: return load_private(w, op, ACCESS_U8, offset, m, i, v);
    case ACCESS_I8: return load_private(w, op, ACCESS_I8, offset, m, i, v);
    case ACCESS_U16: return load_private(w, op, ACCESS_U16, offset, m, i, v);
    case ACCESS_I16: return load_private(w, op, ACCESS_I16, offset, m, i, v);
    case ACCESS_B64: return load_private(w, op, ACCESS_B64, offset, m, i, v);
    case ACCESS_B96: return load_private(w, op, ACCESS_B96, offset, m, i, v);
    case ACCESS_B128: return load_private(w, op, ACCESS_B128, offset, m, i, v);
    default: return load_private(w, op, ACCESS_B32, offset, m, i, v);
    }
}
bool STORE_SCRATCH(struct wave *w, const struct op *op, enum access k, u32v offset, lmask m, unsigned i,
                   const u32v v[4]) {
    switch (k) {
    case ACCESS_U8: return store_private(w, op, ACCESS_U8, offset, m, i, v);
    case ACCESS_U16: return store_private(w, op, ACCESS_U16, offset, m, i, v);
    case ACCESS_B64: return store_private(w, op, ACCESS_B64, offset, m, i, v);
    case ACCESS_B96: return store_private(w, op, ACCESS_B96, offset, m, i, v);
    case ACCESS_B128: return store_private(w, op, ACCESS_B128, offset, m, i, v);
    default: return store_private(w, op, ACCESS_B32, offset, m, i, v);
    }
}

// ---- SCRATCH: vector, scalar and immediate offsets, each where the mode has it ----
INLINE u32v scratch_offset(struct wave *w, const struct op *op, unsigned i) {
    const struct mem_op *mo = mem_op_of(op);
    u32v offset = splat32((uint32_t)mo->offset + (mo->has_saddr ? get32(w, op, mo->saddr) : 0));
    if (mo->has_vaddr) offset += reg_at(w, mo->vaddr)[i];
    return offset;
}
INLINE bool scratch_load(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    EACH_ACTIVE(w, u32v v[4];
                if (UNLIKELY(!load_private(w, op, k, scratch_offset(w, op, i), m, i, v))) return false;
                put_loaded(w, mo->dst, i, m, k, v));
    return true;
}
INLINE bool scratch_store(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    EACH_ACTIVE(w, u32v v[4]; get_stored(w, mo->data, i, k, v);
                if (UNLIKELY(!store_private(w, op, k, scratch_offset(w, op, i), m, i, v))) return false);
    return true;
}
#endif
LOAD_HANDLERS(scratch_load)
STORE_HANDLERS(scratch_store)
MEMORY_BODY(scratch_load)
#if !defined(STENCIL)
BODY(scratch_load_block, .shape = SHAPE_MEMORY, .pair = BLOCK_REGISTERS, .table = scratch_load_table);
BODY(scratch_store_block, .shape = SHAPE_MEMORY, .pair = BLOCK_REGISTERS, .table = scratch_store_table);
#endif
MEMORY_BODY(scratch_store)
