// SPDX-License-Identifier: MIT
// DPP: lanes of a source permuted into a temporary, and EXEC narrowed to the lanes that shall be written.
//
// A lane whose source is out of range, or disabled in EXEC and not fetched by FI, reads 0 under bound_ctrl
// and else is not written; row_mask and bank_mask gate the write alone (TRAP-230, TRAP-233, TRAP-234). As
// EXEC is narrowed, compares give 0 for masked lanes (TRAP-231) and v_cmpx never switches a lane on
// (TRAP-232). Most controls permute the same way in every row of 16 lanes.
#include "exec/body/body.h"
#include "exec/body/steps.h"

enum {
    DPP_ROW_SL = 0x100,
    DPP_ROW_SR = 0x110,
    DPP_ROW_RR = 0x120,
    DPP_WF_SL1 = 0x130,
    DPP_WF_RL1 = 0x134,
    DPP_WF_SR1 = 0x138,
    DPP_WF_RR1 = 0x13c,
    DPP_ROW_MIRROR = 0x140,
    DPP_ROW_HALF_MIRROR = 0x141,
    DPP_ROW_BCAST15 = 0x142,
    DPP_ROW_BCAST31 = 0x143,
    DPP_ROW_SHARE = 0x150, // and row_newbcast, which is the same
    DPP_ROW_XMASK = 0x160,
    ROW = 16,
    ROW_CHUNKS = ROW / LANES,
};

// Of controls that stay in a row: the source lanes 0-15 and the bits of those in range.
INLINE bool row_pattern(unsigned ctrl, u32v pattern[ROW_CHUNKS], uint32_t *valid) {
    const unsigned k = ctrl & 15, kind = ctrl & ~15u;
    *valid = 0xffff;
    if (kind == DPP_ROW_SL)
        *valid >>= k;
    else if (kind == DPP_ROW_SR)
        *valid = *valid << k & 0xffff;
    else if (ctrl >= DPP_ROW_SL && ctrl != DPP_ROW_MIRROR && ctrl != DPP_ROW_HALF_MIRROR &&
             kind != DPP_ROW_RR && kind != DPP_ROW_SHARE && kind != DPP_ROW_XMASK)
        return false;
    for (unsigned j = 0; j < ROW_CHUNKS; j++) {
        const u32v n = LANE_INDEX + j * LANES;
        if (ctrl < DPP_ROW_SL)
            pattern[j] = (n & ~3u) | (splat32(ctrl) >> ((n & 3) << 1) & 3);
        else if (kind == DPP_ROW_SL)
            pattern[j] = (n + k) & 15;
        else if (ctrl == DPP_ROW_MIRROR)
            pattern[j] = 15 - n;
        else if (ctrl == DPP_ROW_HALF_MIRROR)
            pattern[j] = n ^ 7;
        else if (kind == DPP_ROW_SHARE)
            pattern[j] = splat32(k);
        else if (kind == DPP_ROW_XMASK)
            pattern[j] = n ^ k;
        else
            pattern[j] = (n - k) & 15;
    }
    return true;
}

// Lanes of one row by pattern; `to` may be `from`.
INLINE void permute_row(const u32v *from, const u32v pattern[ROW_CHUNKS], u32v to[ROW_CHUNKS]) {
#if defined(LEVEL_v4)
    to[0] = (u32v)_mm512_permutexvar_epi32((__m512i)pattern[0], (__m512i)from[0]);
#elif defined(LEVEL_v3)
    const __m256i lo = (__m256i)from[0], hi = (__m256i)from[1];
    for (unsigned j = 0; j < ROW_CHUNKS; j++) {
        const __m256i p = (__m256i)pattern[j];
        to[j] = (u32v)_mm256_blendv_ps((__m256)_mm256_permutevar8x32_epi32(lo, p),
                                       (__m256)_mm256_permutevar8x32_epi32(hi, p),
                                       (__m256)_mm256_slli_epi32(p, 28));
    }
#else
    uint32_t copy[ROW];
    memcpy(copy, from, sizeof copy);
    for (unsigned n = 0; n < ROW; n++) ((uint32_t *)to)[n] = copy[((const uint32_t *)pattern)[n]];
#endif
}

// One bit a lane from 4 row bits and 4 bank bits: both must be set.
INLINE uint64_t gate(unsigned row_mask, unsigned bank_mask) {
    const uint64_t banks =
        ((bank_mask & 1) | (bank_mask & 2) << 3 | (bank_mask & 4) << 6 | (bank_mask & 8) << 9) * 15ull;
    uint64_t lanes = 0;
    for (unsigned r = 0; r < 4; r++)
        if (row_mask >> r & 1) lanes |= banks << (ROW * r);
    return lanes;
}

// Whether each lane of a wave can read its source in the row, given the lanes that may be read.
INLINE uint64_t row_lanes(const struct wave *w, const u32v pattern[ROW_CHUNKS], uint64_t readable) {
    uint64_t lanes = 0;
    for (unsigned i = 0; i < w->lanes / LANES; i += ROW_CHUNKS) {
        u32v bits[ROW_CHUNKS], to[ROW_CHUNKS];
        for (unsigned j = 0; j < ROW_CHUNKS; j++)
            bits[j] = blend32((lmask)(readable >> (i + j) * LANES) & ALL_LANES, splat32(~0u), splat32(0));
        permute_row(bits, pattern, to);
        for (unsigned j = 0; j < ROW_CHUNKS; j++)
            lanes |= (uint64_t)lanes_mask((i32v)to[j]) << (i + j) * LANES;
    }
    return lanes;
}

INLINE uint64_t low_bits(unsigned n) { return n < 64 ? (1ull << n) - 1 : ~0ull; }
// Of the other controls: the lanes that can read their source, and what all lanes get.
INLINE uint64_t wave_lanes_of(unsigned ctrl, uint64_t readable, unsigned lanes) {
    const uint64_t all = low_bits(lanes);
    uint64_t ok = 0;
    switch (ctrl) {
    case DPP_WF_SL1: return readable >> 1;
    case DPP_WF_RL1: return (readable >> 1 | readable << (lanes - 1)) & all;
    case DPP_WF_SR1: return readable << 1 & all;
    case DPP_WF_RR1: return (readable << 1 | readable >> (lanes - 1)) & all;
    case DPP_ROW_BCAST15:
        for (unsigned n = ROW; n < lanes; n += ROW)
            if (readable >> (n - 1) & 1) ok |= 0xffffull << n;
        return ok;
    case DPP_ROW_BCAST31: return readable >> 31 & 1 ? all & ~low_bits(32) : 0;
    default: return 0; // the control means nothing
    }
}
INLINE void wave_sources(unsigned ctrl, const uint32_t *from, unsigned lanes, uint32_t *to) {
    switch (ctrl) {
    case DPP_WF_SL1:
    case DPP_WF_RL1:
        memcpy(to, from + 1, (lanes - 1) * sizeof *to);
        to[lanes - 1] = from[0];
        break;
    case DPP_WF_SR1:
    case DPP_WF_RR1:
        memcpy(to + 1, from, (lanes - 1) * sizeof *to);
        to[0] = from[lanes - 1];
        break;
    default:
        for (unsigned n = 0; n < lanes; n++)
            to[n] = from[ctrl == DPP_ROW_BCAST31 ? 31 : n < ROW ? 0 : (n & ~(ROW - 1u)) - 1];
    }
}

op_fn PASTE(step_, dpp16, LEVEL), PASTE(step_, dpp8, LEVEL), PASTE(step_, dpp_end, LEVEL);

const struct op *PASTE(step_, dpp16, LEVEL)(struct wave *w, const struct op *op) {
    const uint64_t facts = op->imm, exec = exec_of(w);
    const unsigned ctrl = facts & 0x1ff;
    const bool bound_ctrl = facts >> 20 & 1, fi = facts >> 21 & 1;
    const uint64_t readable = fi ? w->all_lanes : exec;
    u32v pattern[ROW_CHUNKS], copy[MAX_LANES / LANES];
    uint32_t valid;
    const bool in_rows = row_pattern(ctrl, pattern, &valid);
    uint64_t ok; // lanes with a source
    if (!in_rows)
        ok = wave_lanes_of(ctrl, readable, w->lanes);
    else {
        ok = valid * 0x0001000100010001ull & w->all_lanes;
        if (readable != w->all_lanes) ok &= row_lanes(w, pattern, readable);
    }
    for (unsigned k = 0; k < op->e; k++) {
        const u32v *from = reg_at(w, op->a + k * w->stride);
        u32v *to = reg_at(w, op->d + k * w->stride);
        if (!in_rows) wave_sources(ctrl, (const uint32_t *)from, w->lanes, (uint32_t *)copy);
        for (unsigned i = 0; i < w->lanes / LANES; i += ROW_CHUNKS) {
            if (in_rows) permute_row(&from[i], pattern, &copy[i]);
            for (unsigned j = i; j < i + ROW_CHUNKS; j++)
                to[j] = blend32((lmask)(ok >> j * LANES) & ALL_LANES, copy[j], splat32(0));
        }
    }
    w->saved_exec = w->exec;
    w->exec = (exec & (bound_ctrl ? ~0ull : ok) & gate(facts >> 12 & 15, facts >> 16 & 15)) |
              (w->exec & w->not_lanes);
    NEXT;
}

// Eight 3-bit selectors for every group of eight lanes; a disabled source reads 0 unless fetched.
const struct op *PASTE(step_, dpp8, LEVEL)(struct wave *w, const struct op *op) {
    const uint64_t readable = op->imm >> 24 & 1 ? w->all_lanes : exec_of(w);
    u32v pattern[ROW_CHUNKS];
    for (unsigned j = 0; j < ROW_CHUNKS; j++) {
        const u32v n = LANE_INDEX + j * LANES;
        pattern[j] = (n & 8) | (splat32((uint32_t)op->imm & 0xffffff) >> (n & 7) * 3 & 7);
    }
    const uint64_t ok = row_lanes(w, pattern, readable);
    for (unsigned k = 0; k < op->e; k++)
        for (unsigned i = 0; i < w->lanes / LANES; i += ROW_CHUNKS) {
            u32v *to = &reg_at(w, op->d + k * w->stride)[i];
            permute_row(&reg_at(w, op->a + k * w->stride)[i], pattern, to);
            for (unsigned j = 0; j < ROW_CHUNKS; j++)
                to[j] = blend32((lmask)(ok >> (i + j) * LANES) & ALL_LANES, to[j], splat32(0));
        }
    w->saved_exec = w->exec;
    NEXT;
}

const struct op *PASTE(step_, dpp_end, LEVEL)(struct wave *w, const struct op *op) {
    w->exec = w->saved_exec;
    NEXT;
}
