// SPDX-License-Identifier: MIT
// Steps: ops that translation puts before or behind a body, for what encodings add to an operation: operand
// modifiers, halves, packed selection, SDWA, DPP, clamp and omod. They work on vector registers and
// temporaries named by byte offset; a scalar operand is first spread with splat.
// Steps before a body write every lane of a temporary. Steps behind it (clamp, omod, merges, copies) write
// the executing lanes only, so they may work on destination registers in place.
#ifndef EXEC_BODY_STEPS_H
#define EXEC_BODY_STEPS_H

#include "exec/body/flags.h"
#include "exec/wave.h"

struct steps {
    // d = the scalar or constant a in every lane; 64: d and the next register.
    op_fn *splat32, *splat64;

    // Float modifiers: e is SIGN_*. 16: of the low half, the high half passes unchanged.
    op_fn *modify_f32, *modify_f64, *modify_f16;
    op_fn *xor_bits;   // d = a ^ (uint32_t)imm
    op_fn *shift_high; // d = a >> 16

    // SDWA source: e is SELECT_*.
    op_fn *select;
    // Packed 16-bit source: imm is PACKED_*. 64: the same for the dwords of a register pair.
    op_fn *pk_select, *pk_select64;
    // Source of a mixed-precision operation as F32: e is MIX_* (TRAP-147).
    op_fn *mix_source;

    // d = a in [0, 1], NaN to 0 under MODE.DX10_CLAMP or when e has CLAMP_NAN (TRAP-131, TRAP-132). pk: both
    // halves.
    op_fn *clamp_f32, *clamp_f64, *clamp_f16, *clamp_pk_f16, *clamp_bf16, *clamp_pk_bf16;
    // d = a times 2, 4, 0.5 for OMOD_FACTOR of e 1, 2, 3, unless MODE forbids it (TRAP-134). OMOD_ALWAYS: it
    // has no say, as the processor has no MODE.IEEE.
    op_fn *omod_f32, *omod_f64, *omod_f16;

    // Low 16 bits of a into one half of d, the other half stays.
    op_fn *merge_low, *merge_high;
    // SDWA destination: e is SELECT_*.
    op_fn *sdwa_merge;

    // DPP: d = lanes of a permuted, in rows of 16 or across them; e and imm are those of struct dpp.
    // dpp_narrow, with the same: EXEC becomes the lanes that shall be written, until dpp_end. Not nested.
    op_fn *dpp_rows, *dpp_across, *dpp_narrow, *dpp_end;
    // The registers of a load, LDS_REGISTERS of e from a, to LDS: dword n of lane l is at imm + M0 + 4 (r l +
    // n), where r is that number, 4 for 3; b is M0, of which low bits count.
    op_fn *to_lds;
    op_fn *from_lds; // the other way: a dword of each lane, into the register d
    // EXEC becomes the lanes whose first dword a to_lds with these operands puts inside LDS, until dpp_end
    // (TRAP-323).
    op_fn *lds_lanes;
    // DS instructions reach as many bytes of LDS as the scalar register or constant a says, at the most.
    op_fn *limit_lds;
    // Faults unless the addresses of the load or store extra are aligned: e is ALIGNED_*: the bytes of an
    // access and what they are aligned to.
    op_fn *check_alignment;
    // Parameters of an attribute (e: PARAMETER_*) in three temporaries from d on, for each lane those of its
    // quad; and one value from LDS in every lane of d. a is M0.
    op_fn *parameters, *lds_direct;
    // Continues behind the next op unless bit number e of the scalar register a is set.
    op_fn *if_bit;
    op_fn *scale_address; // d = b + a * e, 64 bits of 32
    op_fn *scale_scalar;  // the same of scalar registers
    op_fn *scratch_base;  // what SRC_FLAT_SCRATCH_BASE reads, into the place of VCCZ
    // d = imm in executing lanes.
    op_fn *put_masked;
    // EXEC = the lane mask in the scalar register a.
    op_fn *cmpx;
    // Behind what wrote 32 bits of EXEC (wave.h).
    op_fn *exec_written;
    // Before what reads VCCZ or EXECZ as a source.
    op_fn *zero_flags;
    // Continues at the block that begins e bytes into the code.
    op_fn *go_to;

    // Not steps: runs ops until one stops the wave; what to call before code that is not this level's
    // (lanes.h).
    void (*enter)(struct wave *w, const struct op *op);
    void (*leave)(void);
    // What a wave begins with: so many SGPRs, in whole vectors as far as that goes, and registers of ids.
    void (*begin)(struct wave *w, const uint32_t *sgprs, unsigned count, const uint32_t (*ids)[MAX_LANES],
                  unsigned registers);
};

// Steps that write EXEC: for what stands between them and dpp_end, or for their instruction.
static inline bool step_writes_exec(const struct steps *s, op_fn *step) {
    return step == s->dpp_narrow || step == s->dpp_end || step == s->lds_lanes || step == s->cmpx ||
           step == s->exec_written;
}
// Steps behind which another op than the next may run.
static inline bool step_jumps(const struct steps *s, op_fn *step) {
    return step == s->if_bit || step == s->go_to;
}

// What an interpolation of 16 bits leaves in the other half of its register (body->pair): what was there,
// where such results do, or zeros.
enum { HALF_INTO_REGISTER = 1, HALF_AND_ZEROS };
// Which attribute, 6 bits; component, 2 bits; whether it has 16 bits, and in which half of a dword.
enum {
    PARAMETER_CHANNEL_SHIFT = 6,
    PARAMETER_ATTRIBUTE = 63,
    PARAMETER_HALF = 1 << 8,
    PARAMETER_HIGH = 1 << 9,
};

enum aligned {
    ALIGNED_BUFFER,
    ALIGNED_GLOBAL,
    ALIGNED_GLOBAL_ADDTID,
    ALIGNED_FLAT,
    ALIGNED_SCRATCH,
    ALIGNED_LDS,
    ALIGNED_LDS_ADDTID
};
enum sdwa_select { SDWA_BYTE_0, SDWA_BYTE_1, SDWA_BYTE_2, SDWA_BYTE_3, SDWA_WORD_0, SDWA_WORD_1, SDWA_DWORD };
enum sdwa_unused { SDWA_PAD, SDWA_SEXT, SDWA_PRESERVE };

enum dpp_control {
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
};
enum {
    DPP_FETCHES = 1 << 0, // lanes that EXEC disables, too
    DPP_BOUND = 1 << 1,   // lanes without a source are written
    DPP_ACROSS = 1 << 2,  // imm is the control, otherwise the source lanes 0 to 15, four bits each
    DPP_ROWS_SHIFT = 4,   // the row mask
    DPP_BANKS_SHIFT = 8,  // the bank mask
    DPP_VALID_SHIFT = 12, // bits 27:12: lanes of a row whose source is in it
};
struct dpp {
    uint32_t e;
    uint64_t imm;
};
static inline struct dpp dpp16(unsigned ctrl, unsigned row_mask, unsigned bank_mask, bool bound_ctrl,
                               bool fi) {
    const unsigned k = ctrl & 15, kind = ctrl & ~15u & 0x1ff;
    uint32_t valid = 0xffff;
    struct dpp dpp = {.e = (fi ? DPP_FETCHES : 0) | (bound_ctrl ? DPP_BOUND : 0) |
                           (row_mask & 15) << DPP_ROWS_SHIFT | (bank_mask & 15) << DPP_BANKS_SHIFT};
    ctrl &= 0x1ff;
    if (kind == DPP_ROW_SL) valid = 0xffffu >> k;
    if (kind == DPP_ROW_SR) valid = 0xffffu << k & 0xffff;
    for (unsigned n = 0; n < 16; n++) {
        unsigned from;
        if (ctrl < DPP_ROW_SL)
            from = (n & ~3u) | (ctrl >> ((n & 3) << 1) & 3);
        else if (kind == DPP_ROW_SL)
            from = n + k;
        else if (kind == DPP_ROW_SR || kind == DPP_ROW_RR)
            from = n - k;
        else if (ctrl == DPP_ROW_MIRROR)
            from = 15 - n;
        else if (ctrl == DPP_ROW_HALF_MIRROR)
            from = n ^ 7;
        else if (kind == DPP_ROW_SHARE)
            from = k;
        else if (kind == DPP_ROW_XMASK)
            from = n ^ k;
        else
            return (struct dpp){dpp.e | DPP_ACROSS, ctrl};
        dpp.imm |= (uint64_t)(from & 15) << 4 * n;
    }
    dpp.e |= valid << DPP_VALID_SHIFT;
    return dpp;
}
// Eight 3-bit selectors for every group of eight lanes; a disabled source reads 0 unless fetched.
static inline struct dpp dpp8(uint32_t lanes, bool fi) {
    struct dpp dpp = {.e = DPP_BOUND | (fi ? DPP_FETCHES : 0) | 15u << DPP_ROWS_SHIFT |
                           15u << DPP_BANKS_SHIFT | 0xffffu << DPP_VALID_SHIFT};
    for (unsigned n = 0; n < 16; n++) dpp.imm |= (uint64_t)((n & 8) | (lanes >> (n & 7) * 3 & 7)) << 4 * n;
    return dpp;
}
// Whether lanes may be left out of the write.
static inline bool dpp_narrows(struct dpp dpp) {
    const uint32_t all = 0xffu << DPP_ROWS_SHIFT;
    return !(dpp.e & DPP_BOUND) || (dpp.e & all) != all;
}

extern const struct steps device_steps_v2, device_steps_v3, device_steps_v4, device_steps_plain;

#endif
