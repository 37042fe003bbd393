// SPDX-License-Identifier: MIT
// DPP: lanes of a source permuted into a temporary, and EXEC narrowed to the lanes that shall be written.
//
// A lane whose source is out of range, or disabled in EXEC and not fetched by FI, reads 0 under bound_ctrl
// and else is not written; row_mask and bank_mask gate the write alone (TRAP-230, TRAP-233, TRAP-234). As
// EXEC is narrowed, compares give 0 for masked lanes (TRAP-231) and v_cmpx never switches a lane on
// (TRAP-232). Most controls permute the same way in every row of 16 lanes: those run on vectors.
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

// The source lane of lane n, or -1 when out of range or when the control means nothing.
static int source_lane(unsigned ctrl, int n, int lanes) {
    const int k = (int)(ctrl & 15), in_row = n & 15, row = n & ~15;
    switch (ctrl) {
    case DPP_WF_SL1: return n + 1 < lanes ? n + 1 : -1;
    case DPP_WF_RL1: return (n + 1) & (lanes - 1);
    case DPP_WF_SR1: return n - 1;
    case DPP_WF_RR1: return (n - 1) & (lanes - 1);
    case DPP_ROW_MIRROR: return row | (15 - in_row);
    case DPP_ROW_HALF_MIRROR: return n ^ 7;
    case DPP_ROW_BCAST15: return row - 1;
    case DPP_ROW_BCAST31: return n >= 32 ? 31 : -1;
    }
    if (ctrl < DPP_ROW_SL) return (n & ~3) | (int)(ctrl >> (2 * (n & 3)) & 3);
    switch (ctrl & ~15u) {
    case DPP_ROW_SL: return in_row + k < ROW ? n + k : -1;
    case DPP_ROW_SR: return in_row >= k ? n - k : -1;
    case DPP_ROW_RR: return row | ((in_row - k) & 15);
    case DPP_ROW_SHARE: return row | k;
    case DPP_ROW_XMASK: return n ^ k;
    }
    return -1;
}

// The same within a row, for controls that stay in it: source lanes 0-15 and the bits of those in range.
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

op_fn PASTE(step_, dpp16, LEVEL), PASTE(step_, dpp8, LEVEL), PASTE(step_, dpp_end, LEVEL);

const struct op *PASTE(step_, dpp16, LEVEL)(struct wave *w, const struct op *op) {
    const uint64_t facts = op->imm, exec = exec_of(w);
    const unsigned ctrl = facts & 0x1ff;
    const bool bound_ctrl = facts >> 20 & 1, fi = facts >> 21 & 1;
    uint64_t ok = 0; // lanes with a source
    u32v pattern[ROW_CHUNKS];
    uint32_t valid;
    if (row_pattern(ctrl, pattern, &valid)) {
        ok = valid * 0x0001000100010001ull;
        if (!fi && exec != w->all_lanes)
            for (unsigned n = 0; n < w->lanes; n++) {
                const unsigned from = (n & 48) + ((const uint32_t *)pattern)[n & 15];
                if (!(exec >> from & 1)) ok &= ~(1ull << n);
            }
        for (unsigned k = 0; k < op->e; k++)
            for (unsigned i = 0; i < w->lanes / LANES; i += ROW_CHUNKS) {
                u32v *to = &reg_at(w, op->d + k * w->stride)[i];
                permute_row(&reg_at(w, op->a + k * w->stride)[i], pattern, to);
                for (unsigned j = 0; j < ROW_CHUNKS; j++)
                    to[j] = blend32((lmask)(ok >> ((i + j) * LANES)) & ALL_LANES, to[j], splat32(0));
            }
    } else {
        for (unsigned k = 0; k < op->e; k++) {
            uint32_t copy[MAX_LANES];
            memcpy(copy, reg_at(w, op->a + k * w->stride), w->stride);
            for (unsigned n = 0; n < w->lanes; n++) {
                const int from = source_lane(ctrl, (int)n, (int)w->lanes);
                const bool reads = from >= 0 && (fi || exec >> from & 1);
                if (reads) ok |= 1ull << n;
                put_lane32(w, op->d + k * w->stride, n, reads ? copy[from] : 0);
            }
        }
    }
    w->saved_exec = w->exec;
    w->exec = (exec & (bound_ctrl ? ~0ull : ok) & gate(facts >> 12 & 15, facts >> 16 & 15)) |
              (w->exec & w->not_lanes);
    NEXT;
}

// Eight 3-bit selectors for every group of eight lanes; a disabled source reads 0 unless fetched.
const struct op *PASTE(step_, dpp8, LEVEL)(struct wave *w, const struct op *op) {
    const bool fi = op->imm >> 24 & 1;
    const uint64_t exec = exec_of(w);
    for (unsigned k = 0; k < op->e; k++) {
        uint32_t copy[MAX_LANES];
        memcpy(copy, reg_at(w, op->a + k * w->stride), w->stride);
        for (unsigned n = 0; n < w->lanes; n++) {
            const unsigned from = (n & ~7u) | (op->imm >> (3 * (n & 7)) & 7);
            put_lane32(w, op->d + k * w->stride, n, fi || exec >> from & 1 ? copy[from] : 0);
        }
    }
    w->saved_exec = w->exec;
    NEXT;
}

const struct op *PASTE(step_, dpp_end, LEVEL)(struct wave *w, const struct op *op) {
    w->exec = w->saved_exec;
    NEXT;
}
