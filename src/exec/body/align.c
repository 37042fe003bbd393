// SPDX-License-Identifier: MIT
// The strict alignment modes of SH_MEM_CONFIG: a step before each load and store faults where the address of
// an executing lane is not aligned as the mode asks (BUF-53, BUF-54, BUF-56). Only devices in such a mode
// have it in their programs. Lanes out of their buffer's range access nothing; neither do GFX6 to GFX9 ever
// see a misaligned dword of a buffer, as they drop those bits.
#include "exec/body/access.h"
#include "exec/body/flags.h"
#include "exec/body/steps.h"

static uint64_t address_of(struct wave *w, const struct op *op, enum aligned kind, unsigned lane) {
    const struct mem_op *mo = mem_op_of(op);
    const uint64_t offset = (uint64_t)mo->offset, own = 4 * (uint64_t)lane;
    const bool has_vaddr = kind != ALIGNED_SCRATCH || mo->has_vaddr;
    const uint32_t lo = has_vaddr ? lane32(w, op, mo->vaddr, lane, false) : 0;
    switch (kind) {
    case ALIGNED_GLOBAL:
    case ALIGNED_FLAT:
        if (mo->has_saddr) return get64(w, op, mo->saddr) + offset + lo;
        return ((uint64_t)lane32(w, op, mo->vaddr + w->stride, lane, false) << 32) + lo + offset;
    case ALIGNED_GLOBAL_ADDTID: return (mo->has_saddr ? get64(w, op, mo->saddr) : 0) + offset + own;
    case ALIGNED_SCRATCH:
        return SW_PRIVATE_APERTURE + (uint32_t)(lo + offset + (mo->has_saddr ? get32(w, op, mo->saddr) : 0));
    case ALIGNED_LDS_ADDTID: return (get32(w, op, mo->m0) & 0xffff) + offset + own;
    default: return (uint32_t)(lo + offset);
    }
}

static NOINLINE bool all_aligned(struct wave *w, const struct op *op) {
    const enum aligned kind = (enum aligned)(op->e & ALIGNED_KIND);
    const unsigned bytes = op->e >> ALIGNED_BYTES_SHIFT & 255, mask = (op->e >> ALIGNED_TO_SHIFT) - 1;
    EACH_ACTIVE(
        w, struct buffer_lanes b;
        if (kind == ALIGNED_BUFFER && !BUFFER_LANES(w, op, bytes, m, i, &b)) return true;
        OVER_LANES(m, lane) {
            if (kind == ALIGNED_BUFFER && !b.inside[lane]) continue;
            const uint64_t a =
                kind == ALIGNED_BUFFER ? b.at[lane] : address_of(w, op, kind, i * LANES + lane);
            if (a & mask) return lane_fault(w, op, FAULT_ALIGNMENT, i, lane, a);
        });
    return true;
}

op_fn PASTE(step_, check_alignment, LEVEL);
const struct op *PASTE(step_, check_alignment, LEVEL)(struct wave *w, const struct op *op) {
    if (UNLIKELY(!all_aligned(w, op))) return NULL;
    NEXT;
}
