// SPDX-License-Identifier: MIT
// What stands around the pseudo-code of an instruction: operands, modifiers, EXEC, and the rules of
// generations about the other half of a register and about lane masks.
#ifndef TESTS_PSEUDOCODE_FRAME_H
#define TESTS_PSEUDOCODE_FRAME_H

#include "functions.h"
#include "library.h"
#include "trial.h"

// Up to GFX8 the upper half is cleared behind a 16-bit result, and on GFX9 but for operations that came with
// it (TRAP-149, TRAP-150; LLVM's zeroesHigh16BitsOfDest). From GFX10 on it stays.
static bool zeroes_high(const struct isa *isa, const struct row *row) {
    static const char *const keeps[] = {"v_mad_f16",
                                        "v_mad_u16",
                                        "v_mad_i16",
                                        "v_fma_f16",
                                        "v_div_fixup_f16",
                                        "v_med3_",
                                        "v_min3_",
                                        "v_max3_",
                                        "v_interp_p2_f16",
                                        "v_mad_mix",
                                        "v_fma_mix",
                                        "v_cvt_pk_fp8",
                                        "v_cvt_pk_bf8",
                                        "v_cvt_sr_",
                                        "v_cvt_scalef32",
                                        "v_add_nc_i16",
                                        "v_sub_nc_i16",
                                        "v_bitop3",
                                        NULL};
    if (generation_within(isa->generation, GFX10)) return false;
    if (isa->generation <= GFX8) return true;
    for (unsigned i = 0; keeps[i]; i++)
        if (has_prefix(row_id(row), keeps[i])) return strstr(row_id(row), "legacy") != NULL;
    return true;
}
// Denormals are flushed, says the manuals' text of these, and so does the chapter on dot products (TRAP-143).
static bool flushes_all(const char *id) {
    static const char *const rows[] = {
        "v_exp_f32",        "v_log_f32",       "v_rcp_f32",        "v_rcp_iflag_f32",  "v_rsq_f32",
        "v_sqrt_f32",       "v_s_exp_f32",     "v_s_log_f32",      "v_s_rcp_f32",      "v_s_rsq_f32",
        "v_s_sqrt_f32",     "v_sin_f32",       "v_cos_f32",        "v_mad_f16",        "v_mac_f16",
        "v_madak_f16",      "v_madmk_f16",     "v_mad_legacy_f16", "v_mad_f32",        "v_mac_f32",
        "v_madak_f32",      "v_madmk_f32",     "v_mad_legacy_f32", "v_mac_legacy_f32", "v_exp_legacy_f32",
        "v_log_legacy_f32", "v_rcp_clamp_f32", "v_rcp_legacy_f32", "v_rsq_clamp_f32",  "v_rsq_legacy_f32",
        "v_log_clamp_f32"};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i], id)) return true;
    return has_prefix(id, "v_dot2") && strstr(id, "f16") != NULL;
}
// Minimum and maximum put out the denormals that MODE lets in, say notes of RDNA3 to CDNA5 on those of two
// operands. Those of three and of pairs are calls of them in the manuals' text.
static bool is_min_or_max(const char *id) {
    static const char *const rows[] = {"v_min_",  "v_max_",    "v_minimum", "v_maximum", "v_min3_", "v_max3_",
                                       "v_med3_", "v_minmax_", "v_maxmin_", "v_pk_min",  "v_pk_max"};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (has_prefix(id, rows[i])) return true;
    return false;
}
static int number_of_source(unsigned field) {
    switch (field) {
    case F_src0:
    case F_ssrc0: return 0;
    case F_src1:
    case F_ssrc1: return 1;
    case F_src2: return 2;
    default: return -1;
    }
}
static void set_operands(struct env *e, const struct isa *isa, const struct slot *s, bool wave32) {
    const struct row *row = s->row;
    const struct place vcc = {P_SGPR, 106, 0};
    e->mask_in = e->mask_out = vcc;
    for (unsigned i = 0; i < ROW_DST; i++) {
        const struct place p = place_of(isa, s, row->dst[i], wave32);
        if (!row->dst[i].type) continue;
        if (i == 0 && p.kind != P_NOWHERE) e->d0 = p;
        if (row->dst[i].type == T_MASK) e->mask_out = p;
    }
    const bool k = s->format == FMT_SOPK;
    unsigned next = 0;
    for (unsigned i = 0; i < ROW_SRC; i++) {
        const struct operand_spec spec = row->src[i];
        if (!spec.type) continue;
        const struct place p = place_of(isa, s, spec, wave32);
        if (spec.field == F_simm16) e->simm16 = (uint16_t)s->in.f[F_simm16];
        if (spec.field == F_literal) e->literal = (uint32_t)s->in.f[F_literal];
        if (spec.field == F_literal && !k) e->simm16 = e->literal & 0xffff;
        if (spec.type == T_HWREG) continue;
        if (spec.type == T_MASK) {
            e->mask_in = p;
            continue;
        }
        int n = number_of_source(spec.field);
        if (spec.field == F_vdst && i == 2) n = 2; // FMAC, whose text may name the sum as a source
        if (k && !(row->dst[0].type && spec.field == row->dst[0].field)) n = (int)next++;
        if (n < 0) continue;
        e->src[n] = p, e->raw_src[n] = p.index;
        const unsigned t = spec.type;
        e->unit[n] = t == T_V2F16 || t == T_V2BF16 || t == T_V2B16 ? 16
                     : t == T_V2F32 || t == T_V2B32                ? 32
                                                                   : 0;
        e->half_source[n] = operand_bits[spec.type] == 16 && spec.type != T_V2F16 && spec.type != T_V2BF16 &&
                            spec.type != T_V2B16;
    }
    e->raw_dst = e->d0.index;
}
static void set_memory(struct env *e, const struct isa *isa, const struct slot *s, unsigned lanes,
                       const char *text, uint64_t base, uint8_t *touched, bool l2_flushes) {
    struct memory_operands *o = &e->memory;
    const int32_t *f = s->in.f;
    const bool wave32 = lanes == 32;
    o->any = true, o->base = base, o->touched = touched;
    memset(touched, 0, MEMORY_BYTES);
    o->between_lanes = strstr(text, "VGPR[i][") != NULL;
    o->whole = !strstr(text, "OFFSET") && !strstr(text, "Calc");
    o->whole = o->whole || s->format != FMT_DS;
    o->address = place_of_field(isa, s, F_addr, wave32);
    o->data = place_of_field(isa, s, F_data0, wave32), o->data2 = place_of_field(isa, s, F_data1, wave32);
    o->returned = place_of(isa, s, s->row->dst[0], wave32);
    o->offset0 = (unsigned)f[F_offset0], o->offset1 = (unsigned)f[F_offset1];
    o->offset = (int64_t)(o->offset0 | o->offset1 << 8);
    if (s->format != FMT_DS) {
        o->data = place_of_source(isa, s, F_vdata, wave32);
        if (s->row->atomic && s->format == FMT_MUBUF) o->returned = o->data;
        if (s->row->atomic && !f[F_glc] && !(f[F_th] & 1)) o->returned = (struct place){P_NOWHERE, 0, 0};
        o->offset = f[F_offset];
        o->address = place_of_source(isa, s, F_vaddr, wave32);
        if (s->format == FMT_SMEM) {
            const struct place sbase = place_of_source(isa, s, F_sbase, wave32),
                               soffset = {has_scalar_offset(isa, &s->in) ? P_SGPR : P_NOWHERE, SMEM_OFFSET,
                                          0};
            const bool buffer = id_has(s->row, "s_buffer");
            o->blocks = id_has(s->row, "s_scratch");
            o->data = place_of_source(isa, s, F_sdata, wave32);
            if (s->row->atomic) o->data = place_of(isa, s, s->row->dst[0], wave32);
            if (counts_dwords(isa, &s->in)) o->offset *= 4;
            *(buffer ? &o->resource : &o->scalar) = sbase, *(buffer ? &o->scalar : &o->address) = soffset;
        } else if (s->format == FMT_SCRATCH) {
            o->swizzled = lanes, o->base = 0;
            if (!has_vector_offset(isa, &s->in)) o->address.kind = P_NOWHERE;
            if (!has_no_scalar(isa, &s->in)) o->scalar = (struct place){P_SGPR, (unsigned)f[F_saddr], 0};
        } else if (s->format == FMT_MUBUF) {
            o->address = (struct place){P_VGPR, (unsigned)f[F_vaddr] - SRC_VGPR0, 0};
            o->index = f[F_idxen], o->offen = f[F_offen];
            o->resource = place_of_source(isa, s, F_srsrc, wave32);
            o->wide_base = generation_within(isa->generation, GFX12_5); // CDNA5 9.6
            o->scalar = place_of_source(isa, s, F_soffset, wave32);
        } else if (has_no_scalar(isa, &s->in))
            o->address64 = true;
        else
            o->scalar = (struct place){P_SGPR, (unsigned)f[F_saddr], 0};
        // Atomics in L2 do as they like: F32 additions flush (CDNA3 table 52) or none does (RDNA4 13.2).
        e->mode = (e->mode & ~0xf0u) | (l2_flushes ? 0xc0 : 0xf0);
    }
    e->raw_dst = o->returned.index;
    e->mode &= ~(15u | 1u << 23); // to nearest even, whatever MODE says (TRAP-278)
    e->omod = e->clamp = 0;
}
// The environment of one instruction.
static void set_frame(struct env *e, const sw_processor *p, const struct isa *isa, const struct slot *s,
                      unsigned lanes, struct machine *m, const char *text, uint32_t mode) {
    const struct row *row = s->row;
    const struct insn *in = &s->in;
    memset(e, 0, sizeof *e);
    e->m = m, e->lanes = lanes, e->m0 = isa->m0_register, e->mode = mode;
    set_operands(e, isa, s, lanes == 32);
    e->neg = (unsigned)in->f[F_neg] & 7, e->neg_hi = (unsigned)in->f[F_neg_hi] & 7,
    e->abs = (unsigned)in->f[F_abs] & 7;
    e->op_sel = (unsigned)in->f[F_op_sel], e->op_sel_hi = (unsigned)in->f[F_op_sel_hi];
    e->omod = (unsigned)in->f[F_omod], e->clamp = (unsigned)in->f[F_clamp];
    e->table = e->neg | e->abs << 3 | e->omod << 6;
    if (row->flags & ROW_BITOP3) e->neg = e->abs = e->omod = 0;
    e->mix = row->src[0].type == T_MIX || row->src[0].type == T_MIXB;
    e->packed = s->format == FMT_VOP3P && !e->mix && !strstr(text, "OPSEL");
    e->halves = s->format != FMT_VOP3P && insn_has(in, F_op_sel) && !strstr(text, "OPSEL[0]") &&
                !strstr(text, "OPSEL[1 : 0]");
    e->sources_negate = row->flags & (ROW_ABSNEG | ROW_PACKED) || row->src[0].type == T_MIX;
    e->selects = row->class == CLASS_SELECT;
    if (row->class == CLASS_CLASSIFY || (strstr(text, "isSignalNAN") && strstr(text, "result = S1")) ||
        has_prefix(row_id(row), "v_cvt_f32_bf16") || !strcmp(row_id(row), "v_cvt_sr_bf16_f32") ||
        !strcmp(row_id(row), "v_cvt_pk_bf16_f32"))
        e->ignores_denormals = true;
    e->flushes_all = flushes_all(row_id(row));
    e->keeps_results = generation_within(isa->generation, GFX11) && is_min_or_max(row_id(row));
    if (has_prefix(row_id(row), "v_div_fmas")) e->keeps_inputs = true; // ERR-03
    // Before GFX9 minimum and maximum do not look at MODE (LLVM's supportsMinMaxDenormModes).
    if (has_prefix(row_id(row), "v_min_legacy") || has_prefix(row_id(row), "v_max_legacy"))
        e->ignores_denormals = true;
    if (has_prefix(row_id(row), "v_dot2") || has_prefix(row_id(row), "v_dot4_f32") ||
        strstr(row_id(row), "_scalef32_"))
        e->mode &= ~15u;                                                    // TRAP-143: to nearest even
    if (has_prefix(row_id(row), "v_pack_b32")) e->ignores_denormals = true; // it moves
    e->half_result = e->halves && !strstr(text, "OPSEL[3") && operand_bits[row->dst[0].type] == 16 &&
                     row->dst[0].type != T_V2F16 && row->dst[0].type != T_V2BF16;
    e->packs = strstr(row_id(row), "pkrtz_f16") || strstr(row_id(row), "pk_rtz_f16");
    e->only_f32 = strstr(row_id(row), "_scalef32_") || strstr(row_id(row), "_f16_fp8") ||
                  strstr(row_id(row), "_f16_bf8");
    e->even_bf16 = strstr(row_id(row), "bf16") && isa->generation == GFX12_5; // CDNA5 7.6, 7.7
    e->omod_always = !has(p, CAP_ieee_mode);                                  // RDNA4 7.2.3.1
    if (s->format != FMT_VOP1 || in->suffix == SUFFIX_NONE)
        e->sdwa_sel = strstr(text, "WORD1") ? (e->op_sel & 1 ? 5 : 4) : e->op_sel & 3;
    e->zeroes_high = zeroes_high(isa, row);
    e->has_ieee = has(p, CAP_ieee_mode), e->clamps_nan_always = !e->has_ieee;
    e->fnuz = isa->fp8_fnuz;
    if (e->packs || has_prefix(row_id(row), "v_pack_b32"))
        e->clamp = e->omod = 0; // not told of packed results
    // LLVM has no use of MODE by these conversions.
    const bool no_mode = strstr(row_id(row), "_scalef32_") && strstr(text, "_to_f16");
    if (!isa->fp16_overflow || has_prefix(row_id(row), "v_dot2") || no_mode ||
        (isa->generation != GFX12_5 && // CDNA5 7.6
         (!strcmp(row_id(row), "v_cvt_pk_f16_f32") || !strcmp(row_id(row), "v_cvt_pk_bf16_f32"))) ||
        !strcmp(row_id(row), "v_cvt_sr_f16_f32"))
        e->mode &= ~(1u << 23);
    const bool float_result =
        strstr(text, "D0.f") || strstr(text, ".f16 =") || strstr(text, ".f32 =") || strstr(text, ".bf16 =");
    e->integers_saturate = e->clamp && !float_result && !(s->format == FMT_VOPC || s->format == FMT_VOP3S) &&
                           !strstr(row_id(row), "sh");
    if (strstr(text, "relu(")) e->integers_saturate = false;
    if (has_prefix(row_id(row), "v_tanh") || has_prefix(row_id(row), "v_cvt_scale_"))
        e->mode &= ~15u; // to nearest even: CDNA5 7.6 and its notes
    if (strstr(row_id(row), "_fp8_f16") || strstr(row_id(row), "_bf8_f16") ||
        has_prefix(row_id(row), "v_cvt_scale_"))
        e->ignores_denormals = true; // LLVM has no use of MODE by these
    if (has_prefix(row_id(row), "v_cvt_sr_pk_") || (has_prefix(row_id(row), "v_pk_") && e->even_bf16))
        e->ignores_denormals = true; // CDNA5 7.7
    if (!e->has_ieee) e->mode &= ~0x300u;
}
static bool is_for_the_wave(const char *text) {
    if (strstr(text, "VGPR[i][VDST]")) return true;
    return strstr(text, "VGPR[") && !strstr(text, "VGPR[laneId") && !strstr(text, "laneId.u32");
}
// What the wave is after the instruction, by the manual. False: `problem`.
static bool expect(struct env *e, const struct isa *isa, const struct slot *s, struct node *tree,
                   const char *text) {
    const uint64_t exec = e->m->s[126] | (uint64_t)e->m->s[127] << 32;
    const bool once = is_scalar_format(s->format) || s->format == FMT_SMEM || is_for_the_wave(text) ||
                      has_prefix(row_id(s->row), "v_s_");
    const bool not_masked =
        generation_within(isa->generation, GFX10) && strstr(text, "EXEC.u64[laneId] = D0"); // TRAP-250
    const struct place mask = e->d0;
    uint32_t kept[2] = {0};
    if (not_masked && mask.kind == P_SGPR) memcpy(kept, &e->m->s[mask.index], sizeof kept);
    if (once) return run_text(e, tree);
    e->is_lane_code = true;
    // Lane masks begin with zeros: inactive lanes are not kept (TRAP-110).
    const bool compares = strstr(text, "D0.u64[laneId]") != NULL,
               narrows = strstr(text, "EXEC.u64[laneId] =") != NULL,
               carries = strstr(text, "VCC.u64[laneId] =") || strstr(text, "VCC = ") || strstr(text, "{ D1");
    struct machine *m = e->m;
    static struct machine before;
    memcpy(before.s, m->s, sizeof before.s);
    const struct place out = compares ? e->d0 : e->mask_out;
    uint32_t mask_in[2] = {m->s[e->mask_in.kind == P_SGPR ? e->mask_in.index : 0],
                           m->s[e->mask_in.kind == P_SGPR ? e->mask_in.index + 1 : 1]};
    if ((compares || carries) && out.kind == P_SGPR) {
        m->s[out.index] = 0;
        if (e->lanes == 64) m->s[out.index + 1] = 0;
    }
    if (narrows) {
        m->s[126] = 0;
        if (e->lanes == 64) m->s[127] = 0;
    }
    const bool same = e->mask_in.kind == P_SGPR && e->mask_in.index == out.index && carries;
    for (e->lane = 0; e->lane < e->lanes; e->lane++) {
        if (!(exec >> e->lane & 1)) continue;
        if (same) { // the carry in stands where the carry out goes
            const unsigned i = e->lane / 32;
            m->s[out.index + i] |= mask_in[i] & 1u << e->lane % 32;
        }
        const uint64_t was = m->s[126] | (uint64_t)m->s[127] << 32;
        (void)was;
        if (!run_text(e, tree)) return false;
    }
    e->lane = 0;
    if (not_masked && mask.kind == P_SGPR && mask.index != 126) memcpy(&m->s[mask.index], kept, sizeof kept);
    return true;
}

#endif
