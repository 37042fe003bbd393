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

    // DPP: d = lanes of a permuted, e registers (1 or 2), imm = dpp16_facts() or dpp8_facts(). EXEC becomes
    // the lanes that shall be written, until dpp_end. Not nested.
    op_fn *dpp16, *dpp8, *dpp_end;
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
    return step == s->dpp16 || step == s->dpp8 || step == s->dpp_end || step == s->lds_lanes ||
           step == s->cmpx || step == s->exec_written;
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

static inline uint64_t dpp16_facts(unsigned ctrl, unsigned row_mask, unsigned bank_mask, bool bound_ctrl,
                                   bool fi) {
    return (ctrl & 0x1ff) | (row_mask & 15) << 12 | (bank_mask & 15) << 16 | (uint64_t)bound_ctrl << 20 |
           (uint64_t)fi << 21;
}
static inline uint64_t dpp8_facts(unsigned lanes, bool fi) { return (lanes & 0xffffff) | (uint64_t)fi << 24; }

extern const struct steps device_steps_v2, device_steps_v3, device_steps_v4, device_steps_plain;

#endif
