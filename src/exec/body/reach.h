// SPDX-License-Identifier: MIT
// What pieces of several bodies ask of their lanes' addresses: whether all that the executing lanes access
// lies inside LDS, or inside the range that the instruction has found. A piece that hears no has done nothing
// yet.
#ifndef EXEC_BODY_REACH_H
#define EXEC_BODY_REACH_H

#include "exec/body/access.h"

#if defined(STENCIL)
INLINE lmask chunk_lanes(const struct wave *w, unsigned i) {
    return (lmask)(exec_of(w) >> i * LANES) & ALL_LANES;
}

// Whether elements of so many bytes, of all lanes at up to two offsets, are inside. Sums that wrap count as
// outside.
INLINE bool lds_lanes_inside(struct wave *w, const struct op *op, unsigned size, bool two, bool full) {
    const struct mem_op *mo = mem_op_of(op);
    const uint32_t far = (uint32_t)(two && mo->offset1 > mo->offset ? mo->offset1 : mo->offset);
    const uint32_t last = w->lds_limit - size - far;
    lmask outside = 0;
    EACH_WAVE_CHUNK outside |=
        above32(reg_at(w, mo->vaddr)[i], splat32(last)) & (full ? ALL_LANES : chunk_lanes(w, i));
    return !(outside | ((uint64_t)w->lds_limit < (uint64_t)far + size));
}

#if defined(GATHERS_FAST)
// Any lanes with elements anywhere in the cached range, and with the same upper dword of their addresses:
// what their offsets are added to. False where no lane executes and the range has no such place.
INLINE bool global_lanes(struct wave *w, const struct op *op, unsigned size, uint64_t *base) {
    const struct mem_op *mo = mem_op_of(op);
    const u32v *lo = reg_at(w, mo->vaddr), *hi = reg_at(w, mo->vaddr + wave_stride(w));
    uint32_t high = 0, least, more;
    lmask outside = 0;
    if (!mo->has_saddr) EACH_WAVE_CHUNK high = chunk_lanes(w, i) ? first_of(hi[i], chunk_lanes(w, i)) : high;
    *base = (uint64_t)mo->offset + (mo->has_saddr ? get64(w, op, mo->saddr) : (uint64_t)high << 32);
    if (!offsets_in_cached(slot_of(w, op), *base, size, &least, &more)) return false;
    EACH_WAVE_CHUNK outside |= above32(lo[i] - least, splat32(more)) & chunk_lanes(w, i);
    if (!mo->has_saddr) EACH_WAVE_CHUNK outside |= differ32(hi[i], splat32(high)) & chunk_lanes(w, i);
    return !outside;
}
#endif
#endif

#endif
