// SPDX-License-Identifier: MIT
// DPP: lanes of a source permuted into a temporary, and EXEC narrowed to the lanes that shall be written.
//
// A lane whose source is out of range, or disabled in EXEC and not fetched by FI, reads 0 under bound_ctrl
// and else is not written; row_mask and bank_mask gate the write alone (TRAP-230, TRAP-233, TRAP-234). As
// EXEC is narrowed, compares give 0 for masked lanes (TRAP-231) and v_cmpx never switches a lane on
// (TRAP-232). Most controls permute the same way in every row of 16 lanes. Part of steps.c.
#ifndef EXEC_BODY_DPP_H
#define EXEC_BODY_DPP_H

enum { ROW = 16, ROW_CHUNKS = ROW / LANES };

INLINE uint64_t low_bits(unsigned n) { return n < 64 ? (1ull << n) - 1 : ~0ull; }

// ---- In rows: lane n takes lane (pattern >> 4 n & 15) ----

// Of chunk j of a row.
INLINE u32v row_sources(uint64_t pattern, unsigned j) {
    const u32v n = LANE_INDEX + j * LANES, low = splat32((uint32_t)pattern),
               high = splat32((uint32_t)(pattern >> 32));
    return select32((i32v)(n < 8), low, high) >> ((n & 7) << 2) & 15;
}
// `to` may be `from`.
INLINE void permute_row(const u32v *from, uint64_t pattern, u32v to[ROW_CHUNKS]) {
#if defined(LEVEL_v4)
    to[0] = (u32v)_mm512_permutexvar_epi32((__m512i)row_sources(pattern, 0), (__m512i)from[0]);
#elif defined(LEVEL_v3)
    const __m256i lo = (__m256i)from[0], hi = (__m256i)from[1];
    for (unsigned j = 0; j < ROW_CHUNKS; j++) {
        const __m256i p = (__m256i)row_sources(pattern, j);
        to[j] = (u32v)_mm256_blendv_ps((__m256)_mm256_permutevar8x32_epi32(lo, p),
                                       (__m256)_mm256_permutevar8x32_epi32(hi, p),
                                       (__m256)_mm256_slli_epi32(p, 28));
    }
#else
    uint32_t copy[ROW];
    memcpy(copy, from, sizeof copy);
    for (unsigned n = 0; n < ROW; n++) ((uint32_t *)to)[n] = copy[pattern >> 4 * n & 15];
#endif
}
// Whether each lane of a wave can read its source in the row, given the lanes that may be read.
INLINE uint64_t row_lanes(const struct wave *w, uint64_t pattern, uint64_t readable) {
    uint64_t lanes = 0;
    UNROLL_CHUNKS for (unsigned i = 0; i < wave_lanes(w) / LANES; i += ROW_CHUNKS) {
        u32v bits[ROW_CHUNKS], to[ROW_CHUNKS];
        for (unsigned j = 0; j < ROW_CHUNKS; j++)
            bits[j] = blend32((lmask)(readable >> (i + j) * LANES) & ALL_LANES, splat32(~0u), splat32(0));
        permute_row(bits, pattern, to);
        for (unsigned j = 0; j < ROW_CHUNKS; j++)
            lanes |= (uint64_t)lanes_mask((i32v)to[j]) << (i + j) * LANES;
    }
    return lanes;
}

// ---- Across rows ----

// The lanes that can read their source.
INLINE uint64_t across_lanes(unsigned ctrl, uint64_t readable, unsigned lanes) {
    const uint64_t all = low_bits(lanes);
    uint64_t ok = 0;
    switch (ctrl) {
    case DPP_WF_SL1: return readable >> 1;
    case DPP_WF_RL1: return (readable >> 1 | readable << (lanes - 1)) & all;
    case DPP_WF_SR1: return readable << 1 & all;
    case DPP_WF_RR1: return (readable << 1 | readable >> (lanes - 1)) & all;
    case DPP_ROW_BCAST15: // the last bit of each row, in all of the next
        ok = readable >> (ROW - 1) & 0x0000000100010001ull;
        return ok * 0xffff << ROW & all;
    case DPP_ROW_BCAST31: return readable >> 31 & 1 ? all & ~low_bits(32) : 0;
    default: return 0; // the control means nothing
    }
}
// Chunk i of `chunks`; lanes without a source get anything.
INLINE u32v across_sources(unsigned ctrl, const u32v *from, unsigned i, unsigned chunks) {
    switch (ctrl) {
    case DPP_WF_SL1:
    case DPP_WF_RL1: return SHUFFLE(from[i], from[(i + 1) % chunks], LANE_INDEX + 1);
    case DPP_WF_SR1:
    case DPP_WF_RR1: return SHUFFLE(from[(i + chunks - 1) % chunks], from[i], LANE_INDEX + (LANES - 1));
    case DPP_ROW_BCAST15:
        return splat32(from[i < ROW_CHUNKS ? 0 : i / ROW_CHUNKS * ROW_CHUNKS - 1][LANES - 1]);
    default: return splat32(from[31 / LANES][31 % LANES]);
    }
}

// ---- Both ----

INLINE uint64_t lanes_with_source(const struct wave *w, const struct op *op) {
    const unsigned lanes = wave_lanes(w);
    const uint64_t all = low_bits(lanes), readable = op->e & DPP_FETCHES ? all : exec_of(w);
    if (op->e & DPP_ACROSS) return across_lanes((unsigned)op->imm, readable, lanes);
    const uint64_t ok = (op->e >> DPP_VALID_SHIFT & 0xffff) * 0x0001000100010001ull & all;
    return readable == all ? ok : ok & row_lanes(w, op->imm, readable);
}
STEP(
    dpp_rows, const uint64_t ok = lanes_with_source(w, op);
    UNROLL_CHUNKS for (unsigned i = 0; i < wave_lanes(w) / LANES; i += ROW_CHUNKS) {
        u32v to[ROW_CHUNKS];
        permute_row(&SOURCE(op->a), op->imm, to);
        for (unsigned j = 0; j < ROW_CHUNKS; j++)
            reg_at(w, op->d)[i + j] = blend32((lmask)(ok >> (i + j) * LANES) & ALL_LANES, to[j], splat32(0));
    })
STEP(dpp_across, const uint64_t ok = lanes_with_source(w, op); u32v to[MAX_LANES / LANES];
     const unsigned chunks = wave_lanes(w) / LANES;
     UNROLL_CHUNKS for (unsigned i = 0; i < chunks; i++)
         to[i] = across_sources((unsigned)op->imm, reg_at(w, op->a), i, chunks);
     UNROLL_CHUNKS for (unsigned i = 0; i < chunks; i++)
         RESULT(blend32((lmask)(ok >> i * LANES) & ALL_LANES, to[i], splat32(0))))

// One bit a lane from 4 row bits and 4 bank bits: both must be set.
INLINE uint64_t dpp_gate(unsigned row_mask, unsigned bank_mask) {
    const uint64_t banks =
        ((bank_mask & 1) | (bank_mask & 2) << 3 | (bank_mask & 4) << 6 | (bank_mask & 8) << 9) * 15ull;
    uint64_t lanes = 0;
    for (unsigned r = 0; r < 4; r++)
        if (row_mask >> r & 1) lanes |= banks << (ROW * r);
    return lanes;
}
STEP(dpp_narrow, const uint64_t ok = op->e & DPP_BOUND ? ~0ull : lanes_with_source(w, op);
     const uint64_t gate = dpp_gate(op->e >> DPP_ROWS_SHIFT & 15, op->e >> DPP_BANKS_SHIFT & 15);
     const uint64_t written = exec_of(w) & ok & gate; w->saved_exec = w->exec;
     if (wave_lanes(w) == 64) w->exec = written; else widen_exec(w, (uint32_t)written))
STEP(dpp_end, w->exec = w->saved_exec)

#endif
