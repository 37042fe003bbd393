// SPDX-License-Identifier: MIT
// Fitting vector ALU instructions in every form: VOP1, VOP2, VOPC and VOP3 with DPP, DPP8 and SDWA; VOP3P,
// MAI, interpolation, VOPD. The form is chosen before (insn.c); here a statement either fits it or does not.
#include "asm/fit.h"
#include "isa/names.h"

static int source_number(enum field field) {
    return field == F_src0 ? 0 : field == F_src1 ? 1 : field == F_src2 ? 2 : -1;
}

static unsigned source_count(const struct row *row) {
    unsigned n = 0;
    for (int i = 0; i < ROW_SRC; i++) {
        int k = row->src[i].type ? source_number(row->src[i].field) : -1;
        if (k >= 0 && (unsigned)k + 1 > n) n = (unsigned)k + 1;
    }
    return n;
}

static bool is_float(enum operand_type t) {
    switch (t) {
    case T_F16:
    case T_BF16:
    case T_F32:
    case T_F64:
    case T_MIX:
    case T_V2F16:
    case T_V2BF16:
    case T_V2F32: return true;
    default: return false;
    }
}

static bool is_short(unsigned format) {
    return format == FMT_VOP1 || format == FMT_VOP2 || format == FMT_VOPC;
}
static bool is_vop3(unsigned format) {
    return format == FMT_VOP3 || format == FMT_VOP3B || format == FMT_VOP3S || format == FMT_VOP3I;
}

// ---- Registers with halves ----

static bool is_half_type(enum operand_type t) {
    return t == T_F16 || t == T_BF16 || t == T_I16 || t == T_U16 || t == T_B16;
}

// A 16-bit operand in a VGPR: which half, and where the encoding says so.
static bool place_half(struct fit *f, const struct parsed *p, enum field field, enum operand_type type,
                       int32_t *code) {
    unsigned format = f->in.format->id;
    bool vgpr = *code >= SRC_VGPR0 && *code < SRC_AGPR0;
    bool halves = f->isa->true16 && is_half_type(type) &&
                  (is_short(format) || format == FMT_VOP3 || format == FMT_VOP3S || format == FMT_VINTERP);
    if (!vgpr || !halves || !f->isa->halves_named) {
        if (p->half) return refuse_operand(f, field, p, "a register without .l or .h");
        if (vgpr && halves && is_short(format) && *code & 128)
            return refuse_operand(f, field, p, "one of v0 to v127 in this encoding");
        return true;
    }
    bool high = p->half == HALF_HIGH; // a plain register means its lower half
    if (is_short(format)) {
        if (*code & 128) return refuse_operand(f, field, p, "one of v0 to v127 in this encoding");
        *code |= high << 7;
    } else {
        int bit = source_number(field) >= 0 ? source_number(field) : 3;
        f->in.f[F_op_sel] |= high << bit;
    }
    return true;
}

// ---- Destinations ----

static bool fit_implicit_mask(struct fit *f, enum field field) {
    const struct parsed *p = peek(f);
    bool vcc = p && p->kind == PARSED_REGISTER && p->code == SRC_VCC_LO;
    if (!vcc && f->isa->row_share && f->in.suffix != SUFFIX_NONE && f->in.suffix != SUFFIX_LITERAL)
        return true; // may be left out
    if (!(p = take(f, field))) return false;
    const char *name = f->st->mode->wave32 ? "vcc_lo" : "vcc";
    if (p->kind != PARSED_REGISTER || p->code != SRC_VCC_LO || p->dwords != (f->st->mode->wave32 ? 1 : 2))
        return refuse_operand(f, field, p, name);
    return true;
}

static bool fit_destination(struct fit *f, struct operand_spec s) {
    const struct insn *in = &f->in;
    struct operand o = insn_operand(f->isa, in, s, f->st->mode->wave32);
    unsigned id = in->format->id;
    if (s.type == T_MASK && s.field == F_sdst && f->isa->cmpx_exec_only && f->row->writes & R_EXEC) {
        if (insn_has(in, F_sdst)) f->in.f[F_sdst] = SRC_EXEC_LO;
        return true;
    }
    if (s.field == F_sdst && s.type != T_MASK && is_short(id)) // readfirstlane: in the VGPR's place
        return fit_register(f, s.field, o.dwords, ALLOW_SGPR, &f->in.f[F_vdst]);
    bool sdwa = in->suffix == SUFFIX_SDWA && id == FMT_VOPC &&
                f->isa->formats[FMT_SDWAB]->present[F_sdst >> 6] >> (F_sdst & 63) & 1;
    if (!insn_has(in, s.field) && !sdwa) return s.type != T_MASK || fit_implicit_mask(f, s.field);
    const struct parsed *p = peek(f);
    unsigned allowed = s.field == F_sdst ? ALLOW_SGPR : ALLOW_VGPR;
    if (id == FMT_MAI && s.field == F_vdst && s.type != T_AGPR && !(f->row->src[0].type == T_AGPR))
        allowed = f->isa->accvgpr_memory ? ALLOW_VGPR | ALLOW_AGPR : ALLOW_AGPR;
    else if (s.type == T_AGPR)
        allowed = ALLOW_AGPR;
    int32_t *out = &f->in.f[s.field];
    if (!fit_register(f, s.field, o.dwords, allowed, out)) return false;
    if (*out >= SRC_AGPR0) {
        f->in.f[F_acc_cd] = id == FMT_MAI && s.type != T_AGPR && f->isa->accvgpr_memory;
        *out -= SRC_AGPR0 - SRC_VGPR0;
    }
    if (sdwa) { // VCC has no need of the field
        f->in.f[F_sd] = *out != SRC_VCC_LO;
        if (!f->in.f[F_sd]) *out = 0;
    }
    return place_half(f, p, s.field, s.type, out);
}

// ---- Sources ----

static bool set_signs(struct fit *f, const struct parsed *p, struct operand_spec s, int n, bool constant) {
    if (!p->neg && !p->abs && !p->sext) return true;
    unsigned id = f->in.format->id;
    bool cndmask = (s.type == T_B32 || s.type == T_B16) && f->row->src[2].type == T_MASK;
    bool takes = n >= 0 && f->row->flags & ROW_ABSNEG && (is_float(s.type) || cndmask);
    int32_t *neg = NULL, *abs = NULL;
    if (f->in.suffix == SUFFIX_SDWA) {
        if (p->sext && (is_float(s.type) || !(f->row->flags & ROW_SEXT) || p->neg || p->abs))
            return refuse(f, p->at, "%s takes no sext", asm_field_names[s.field]);
        if (p->sext) f->in.f[F_sext] |= 1 << n;
        neg = &f->in.f[F_sdwa_neg], abs = &f->in.f[F_sdwa_abs];
    } else if (p->sext)
        return refuse(f, p->at, "%s takes no sext in this encoding", asm_field_names[s.field]);
    else if (id == FMT_VOP3P) {
        takes = s.type == T_MIX;
        neg = &f->in.f[F_neg], abs = &f->in.f[F_neg_hi];
    } else if (is_vop3(id) && !(f->row->flags & ROW_BITOP3))
        neg = &f->in.f[F_neg], abs = &f->in.f[F_abs];
    else if (id == FMT_VINTERP) {
        neg = &f->in.f[F_neg];
        if (p->abs) takes = false;
    } else if (f->in.suffix == SUFFIX_DPP16)
        neg = &f->in.f[F_dpp_neg], abs = &f->in.f[F_dpp_abs];
    else if (constant && is_float(s.type))
        return true; // folded into its value
    else
        takes = false;
    if (p->sext) return true;
    if (!takes || !neg)
        return refuse(f, p->at, "%s takes no neg or abs in this encoding", asm_field_names[s.field]);
    if (p->abs && id == FMT_VOP3B)
        return refuse(f, p->at, "%s takes no abs in this encoding", asm_field_names[s.field]);
    if (p->neg) *neg |= 1 << n;
    if (p->abs && abs) *abs |= 1 << n;
    return true;
}

static bool is_matrix(const struct row *row) {
    return row->dst[0].type == T_W64 || row->dst[0].type == T_W128 || row->dst[0].type == T_W256 ||
           row->flags & ROW_INDEX_KEY;
}

static unsigned allowed_sources(const struct fit *f, struct operand_spec s) {
    unsigned id = f->in.format->id;
    const unsigned any = ALLOW_SGPR | ALLOW_VGPR | ALLOW_CONSTANT;
    if (s.type == T_AGPR) return ALLOW_AGPR;
    if (s.type == T_MASK) return ALLOW_SGPR;
    switch (f->in.suffix) {
    case SUFFIX_DPP16:
    case SUFFIX_DPP8:
        if (s.field == F_src0 || is_short(id)) return ALLOW_VGPR;
        if (s.field == F_src1 && (id == FMT_VOP3P || !has(f->st->mode->processor, CAP_dpp_src1_sgpr)))
            return ALLOW_VGPR;
        return any;
    case SUFFIX_SDWA:
        return f->isa->formats[FMT_SDWA]->present[F_src0_s >> 6] >> (F_src0_s & 63) & 1 ? any : ALLOW_VGPR;
    default: break;
    }
    if (id == FMT_VOP3P && is_matrix(f->row)) // two matrices of VGPRs; the third may be a constant
        return s.field == F_src2 && s.type == f->row->dst[0].type && !(f->row->flags & ROW_INDEX_KEY)
                   ? ALLOW_VGPR | ALLOW_CONSTANT
                   : ALLOW_VGPR;
    if (is_short(id)) return s.field == F_src0 ? any | ALLOW_LITERAL : ALLOW_VGPR;
    if (id == FMT_VINTERP || id == FMT_VINTRP || id == FMT_VOP3I) return ALLOW_VGPR;
    if (id == FMT_MAI) {
        if (f->row->dst[0].type == T_AGPR) return any;
        if (s.field != F_src2) return ALLOW_VGPR | ALLOW_AGPR;
        if (s.type != f->row->dst[0].type) return ALLOW_VGPR;
        if (!f->isa->accvgpr_memory) return ALLOW_AGPR;
        return (f->in.f[F_acc_cd] ? ALLOW_AGPR : ALLOW_VGPR) | ALLOW_CONSTANT;
    }
    // A literal is a second scalar value, which GFX950 decodes but does not allow.
    return any | (f->isa->vop3_literal && f->isa->scalar_values > 1 ? ALLOW_LITERAL : 0);
}

static bool fit_source(struct fit *f, struct operand_spec s, int place) {
    struct operand o = insn_operand(f->isa, &f->in, s, f->st->mode->wave32);
    enum field field = f->in.format->id == FMT_VINTRP && s.field == F_src1 ? F_vsrc : s.field;
    if (!insn_has(&f->in, field) && !(f->in.suffix != SUFFIX_NONE && field == F_src0)) {
        if (s.type != T_MASK) return true;
        count_scalar(f, SRC_VCC_LO, 2); // read without being named in the encoding
        return fit_implicit_mask(f, s.field);
    }
    const struct parsed *p = take(f, s.field);
    if (!p) return false;
    int32_t *out = &f->in.f[field];
    bool constant = p->kind != PARSED_REGISTER && p->kind != PARSED_LIST;
    struct parsed plain = *p;
    if (!set_signs(f, p, s, source_number(s.field), constant)) return false;
    if (is_vop3(f->in.format->id) || f->in.suffix != SUFFIX_NONE || f->in.format->id == FMT_VOP3P)
        plain.neg = plain.abs = false; // in fields of their own
    unsigned allowed = allowed_sources(f, s);
    if (f->row->scalars >> place & 1)
        allowed = ALLOW_SGPR | ALLOW_CONSTANT |
                  (f->isa->scalar_values > 1 || is_short(f->in.format->id) ? ALLOW_LITERAL : 0);
    else if (f->row->registers >> place & 1 && !(p->kind == PARSED_REGISTER && p->code == SRC_LDS_DIRECT))
        allowed &= ALLOW_VGPR | ALLOW_AGPR;
    if (p->kind == PARSED_REGISTER && p->code == SRC_LDS_DIRECT && s.field != F_src0)
        return refuse_operand(f, s.field, p, "another register: lds_direct is for src0 only");
    if (!fit_value(f, &plain, s.field, s.type, o.dwords, allowed, out)) return false;
    if (*out >= SRC_AGPR0) {
        if (f->in.format->id == FMT_MAI && s.field != F_src2 && s.type != T_AGPR)
            f->in.f[F_acc] |= 1 << (s.field == F_src1);
        *out -= SRC_AGPR0 - SRC_VGPR0;
    }
    if (f->in.suffix == SUFFIX_SDWA && (s.field == F_src0 || s.field == F_src1)) {
        f->in.f[s.field == F_src0 ? F_src0_s : F_src1_s] = *out < SRC_VGPR0;
        if (p->half) return refuse_operand(f, s.field, p, "a register without .l or .h");
        return true;
    }
    return place_half(f, p, s.field, s.type, out);
}

// ---- What follows the operands ----

static bool fit_dpp_control(struct fit *f) {
    static const struct {
        uint8_t id;
        uint16_t base;
        int8_t lo, hi;
        uint8_t needs; // 0: always, 1: before GFX10, 2: row_share, 3: row_newbcast
    } controls[] = {
        {M_row_shl, 0x100, 1, 15, 0},      {M_row_shr, 0x110, 1, 15, 0},   {M_row_ror, 0x120, 1, 15, 0},
        {M_wave_shl, 0x12f, 1, 1, 1},      {M_wave_rol, 0x133, 1, 1, 1},   {M_wave_shr, 0x137, 1, 1, 1},
        {M_wave_ror, 0x13b, 1, 1, 1},      {M_row_share, 0x150, 0, 15, 2}, {M_row_xmask, 0x160, 0, 15, 2},
        {M_row_newbcast, 0x150, 0, 15, 3},
    };
    const struct isa *isa = f->isa;
    int32_t *out = &f->in.f[F_dpp_ctrl];
    const struct modifier *m, *first = NULL;
    unsigned given = 0;
    if ((m = take_modifier(f, M_quad_perm))) {
        if (m->count != 4) return refuse(f, m->at, "quad_perm must have 4 elements");
        *out = (int32_t)m->value;
        first = m, given++;
    }
    if ((m = take_modifier(f, M_row_mirror))) *out = 0x140, first = m, given++;
    if ((m = take_modifier(f, M_row_half_mirror))) *out = 0x141, first = m, given++;
    if ((m = take_modifier(f, M_row_bcast))) {
        if (isa->row_share || (m->value != 15 && m->value != 31))
            return refuse(f, m->start,
                          isa->row_share ? "row_bcast is not supported on this GPU"
                                         : "row_bcast must be 15 or 31");
        *out = m->value == 15 ? 0x142 : 0x143;
        first = m, given++;
    }
    for (unsigned i = 0; i < sizeof controls / sizeof *controls; i++) {
        if (!(m = take_modifier(f, controls[i].id))) continue;
        bool ok = controls[i].needs == 0 || (controls[i].needs == 1 && !isa->row_share) ||
                  (controls[i].needs == 2 && isa->row_share) || (controls[i].needs == 3 && isa->row_newbcast);
        if (!ok)
            return refuse(f, m->start, "%s is not supported on this GPU", modifier_names[controls[i].id]);
        int32_t n = 0;
        if (!fit_int(f, controls[i].id, controls[i].lo, controls[i].hi, &n)) return false;
        *out = controls[i].base + n;
        first = m, given++;
    }
    if (given > 1) return refuse(f, first->start, "only one DPP control may be given");
    if (!given) return refuse(f, f->st->end, "a DPP control is missing");
    if (f->row->flags & ROW_DPP64 && !(*out >= 0x150 && *out < 0x160) && isa->row_newbcast)
        return refuse(f, first->start, "DP ALU dpp only supports row_newbcast");
    return true;
}

static bool fit_dpp(struct fit *f) {
    int32_t bound = 0, fi = 0;
    bool has_fi = f->isa->formats[FMT_DPP16]->present[F_fi >> 6] >> (F_fi & 63) & 1;
    if (f->in.suffix == SUFFIX_DPP8) {
        const struct modifier *m = take_modifier(f, M_dpp8);
        if (!m || m->count != 8) return refuse(f, m ? m->at : f->st->end, "dpp8 must have 8 elements");
        f->in.f[F_dpp8] = (int32_t)m->value;
        if (!fit_int(f, M_fi, 0, 1, &fi)) return false;
        f->in.dpp8_fi = fi;
        return true;
    }
    f->in.f[F_row_mask] = f->in.f[F_bank_mask] = 15;
    if (!fit_dpp_control(f) || !fit_int(f, M_row_mask, 0, 15, &f->in.f[F_row_mask]) ||
        !fit_int(f, M_bank_mask, 0, 15, &f->in.f[F_bank_mask]) || !fit_int(f, M_bound_ctrl, 0, 1, &bound))
        return false;
    // bound_ctrl:0 is the old spelling of the bit; from GFX11 on the number is the bit.
    if (take_modifier(f, M_bound_ctrl)) f->in.f[F_bound_ctrl] = bound || !f->isa->e64_dpp;
    return !has_fi || fit_int(f, M_fi, 0, 1, &f->in.f[F_fi]);
}

static bool fit_choice(struct fit *f, enum modifier_id id, const char *const *names, int count,
                       int32_t *out) {
    const struct modifier *m = take_modifier(f, id);
    if (!m) return true;
    if (!m->is_text) {
        if (m->value < 0 || m->value >= count)
            return refuse(f, m->at, "invalid %s value", modifier_names[id]);
        *out = (int32_t)m->value;
        return true;
    }
    for (int i = 0; i < count; i++)
        if (text_is(m->at, m->end, names[i])) {
            *out = i;
            return true;
        }
    return refuse(f, m->at, "invalid %s value", modifier_names[id]);
}

static bool fit_sdwa(struct fit *f) {
    static const char *const selects[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                          "WORD_0", "WORD_1", "DWORD"};
    static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
    int32_t *v = f->in.f;
    bool second = insn_has(&f->in, F_src1), first = f->row->src[0].type;
    if (f->in.format->id != FMT_VOPC && (f->row->dst[0].type || f->row->dst[1].type)) {
        v[F_dst_sel] = 6, v[F_dst_unused] = 2;
        if (!fit_choice(f, M_dst_sel, selects, 7, &v[F_dst_sel]) ||
            !fit_choice(f, M_dst_unused, unused, 3, &v[F_dst_unused]))
            return false;
    }
    if (first) v[F_src0_sel] = 6;
    if (second) v[F_src1_sel] = 6;
    return (!first || fit_choice(f, M_src0_sel, selects, 7, &v[F_src0_sel])) &&
           (!second || fit_choice(f, M_src1_sel, selects, 7, &v[F_src1_sel]));
}

static bool fit_omod(struct fit *f) {
    const struct modifier *mul = take_modifier(f, M_mul), *div = take_modifier(f, M_div);
    if (mul) {
        if (mul->value != 1 && mul->value != 2 && mul->value != 4)
            return refuse(f, mul->at, "mul must be 1, 2 or 4");
        f->in.f[F_omod] = (int32_t)mul->value >> 1;
    }
    if (div) {
        if (div->value != 1 && div->value != 2) return refuse(f, div->at, "div must be 1 or 2");
        f->in.f[F_omod] = div->value == 2 ? 3 : 0;
    }
    return true;
}

static bool takes_op_sel(const struct fit *f) {
    if (f->row->flags & ROW_OPSEL && !(f->in.two_forms && !f->isa->halves_named)) return true;
    if (!f->isa->halves_named) return false;
    for (int i = 0; i < ROW_SRC; i++)
        if (f->row->src[i].type && operand_bits[f->row->src[i].type] == 16) return true;
    return operand_bits[f->row->dst[0].type] == 16;
}

static bool fit_op_sel(struct fit *f) {
    uint32_t flags = f->row->flags;
    int32_t *sel = &f->in.f[F_op_sel], v = 0;
    unsigned n = source_count(f->row);
    if (flags & ROW_SWAP_SEL) {
        int32_t fi = 0;
        if (!fit_int(f, M_bound_ctrl, 0, 1, &v) || !fit_int(f, M_fi, 0, 1, &fi)) return false;
        *sel = v << 1 | fi;
        return true;
    }
    if (flags & ROW_BYTE_SEL && f->isa->byte_sel) {
        if (!fit_int(f, M_byte_sel, 0, 3, &v)) return false;
        *sel |= (v & 1) << 1 | v >> 1;
        return true;
    }
    if (flags & ROW_PAIR_SEL) {
        if (!fit_bits(f, M_op_sel, 2, &v)) return false;
        *sel |= v;
        return true;
    }
    if (!takes_op_sel(f)) return true;
    if (flags & ROW_SEL4 && f->isa->byte_sel) {
        if (!fit_int(f, M_byte_sel, 0, 3, &v)) return false;
        *sel |= v << 2;
        return true;
    }
    if (flags & ROW_SEL4) {
        if (!fit_bits(f, M_op_sel, 4, &v)) return false;
        *sel |= v;
        return true;
    }
    if (!fit_bits(f, M_op_sel, n + 1, &v)) return false;
    *sel |= (v & ((1 << n) - 1)) | (v >> n & 1) << 3;
    return true;
}

static bool fit_vop3_modifiers(struct fit *f) {
    uint32_t flags = f->row->flags;
    if (flags & ROW_BITOP3) {
        int32_t table = 0;
        if (!fit_int(f, M_bitop3, 0, 255, &table)) return false;
        f->in.f[F_neg] = table & 7;
        f->in.f[F_abs] = table >> 3 & 7;
        f->in.f[F_omod] = table >> 6;
    }
    if (insn_has(&f->in, F_op_sel) && !fit_op_sel(f)) return false;
    bool sdwa = f->in.suffix == SUFFIX_SDWA;
    if ((flags & (ROW_CLAMP | ROW_OPSEL) || (sdwa && flags & (ROW_SEXT | ROW_ABSNEG))) &&
        (insn_has(&f->in, F_clamp) || sdwa) && (f->in.format->id != FMT_VOP3S || f->isa->inverse_two_pi))
        fit_flag(f, M_clamp, &f->in.f[F_clamp]);
    return !(flags & ROW_OMOD) || flags & ROW_BITOP3 || fit_omod(f);
}

static bool fit_packed_modifiers(struct fit *f) {
    int32_t *v = f->in.f;
    unsigned n = source_count(f->row);
    bool mix = f->row->src[0].type == T_MIX;
    v[F_op_sel_hi] = mix ? 0 : 7; // also for sources that are not there
    if (f->row->flags & ROW_INDEX_KEY && !fit_int(f, M_index_key, 0, 3, &v[F_op_sel])) return false;
    if (f->row->flags & ROW_OPSEL && !fit_bits(f, M_op_sel, n, &v[F_op_sel])) return false;
    if (f->row->flags & ROW_OPSEL_HI) {
        int32_t hi = v[F_op_sel_hi];
        if (!fit_bits(f, M_op_sel_hi, n, &hi)) return false;
        // Dot products of GFX940 read whole registers.
        bool dot = f->isa->sc_bits && n == 3 && operand_bits[f->row->src[0].type] == 16 && !mix &&
                   operand_bits[f->row->dst[0].type] == 32 && operand_bits[f->row->src[2].type] == 32;
        if (dot && (v[F_op_sel] || hi != 7))
            return refuse(f, f->st->name, "op_sel and op_sel_hi are not supported");
        v[F_op_sel_hi] = (hi & ((1 << n) - 1)) | (mix ? 0 : 7 & ~((1 << n) - 1));
    }
    if (!mix && f->row->flags & ROW_PACKED &&
        (!fit_bits(f, M_neg_lo, n, &v[F_neg]) || !fit_bits(f, M_neg_hi, n, &v[F_neg_hi])))
        return false;
    if (f->row->flags & ROW_INDEX_KEY && (v[F_neg] | v[F_neg_hi]) & 4)
        return refuse(f, f->st->name, "the index register takes no neg_lo or neg_hi");
    if (f->row->flags & (ROW_CLAMP | ROW_OPSEL)) fit_flag(f, M_clamp, &v[F_clamp]);
    return true;
}

static bool fit_mai_modifiers(struct fit *f) {
    int32_t *v = f->in.f;
    if (!f->row->src[1].type) { // moves: bits that LLVM sets
        v[F_abid] = 8;
        v[F_acc] |= 3;
        return true;
    }
    if (f->in.scaled) { // the prefix chooses bytes of the scales
        v[F_abid] = 1;
        if (!fit_bits(f, M_op_sel, 3, &v[F_scale_sel]) || !fit_bits(f, M_op_sel_hi, 3, &v[F_scale_sel_hi]))
            return false;
    } else if (!fit_int(f, M_abid, 0, 15, &v[F_abid]))
        return false;
    if (!fit_int(f, M_cbsz, 0, 7, &v[F_cbsz])) return false;
    if (f->row->src[2].type != f->row->dst[0].type) return true; // sparse: no blgp
    if (f->row->flags & ROW_NEG_BLGP && f->isa->sc_bits) return fit_bits(f, M_neg, 3, &v[F_blgp]);
    return fit_int(f, M_blgp, 0, 7, &v[F_blgp]);
}

static bool fit_modifiers(struct fit *f) {
    switch (f->in.format->id) {
    case FMT_VOP3:
    case FMT_VOP3B:
    case FMT_VOP3S: return fit_vop3_modifiers(f);
    case FMT_VOP3I: fit_flag(f, M_high, &f->in.f[F_high]); return fit_vop3_modifiers(f);
    case FMT_VINTERP:
        fit_flag(f, M_clamp, &f->in.f[F_clamp]);
        return fit_op_sel(f) && fit_int(f, M_wait_exp, 0, 7, &f->in.f[F_waitexp]);
    case FMT_VOP3P: return fit_packed_modifiers(f);
    case FMT_MAI: return fit_mai_modifiers(f);
    case FMT_LDSDIR:
        if (!insn_has(&f->in, F_waitvsrc)) return fit_int(f, M_wait_vdst, 0, 15, &f->in.f[F_waitvdst]);
        return fit_int(f, M_wait_va_vdst, 0, 15, &f->in.f[F_waitvdst]) &&
               fit_int(f, M_wait_vm_vsrc, 0, 1, &f->in.f[F_waitvsrc]);
    default: return f->in.suffix != SUFFIX_SDWA || fit_vop3_modifiers(f);
    }
}

// One instruction may read so many different scalar registers and literals.
static bool check_constant_bus(struct fit *f) {
    unsigned limit = f->isa->scalar_values;
    const struct row *row = f->row;
    if (row->dst[0].type && operand_bits[row->dst[0].type] == 64 && operand_bits[row->src[0].type] == 32 &&
        operand_bits[row->src[1].type] == 64 && !row->src[2].type)
        limit = 1; // 64-bit shifts
    if (f->scalars <= limit) return true;
    return refuse(f, f->last_scalar ? f->last_scalar : f->st->name,
                  "too many different scalar values (constant bus): %u, at most %u on %s", f->scalars, limit,
                  f->st->mode->processor->name);
}

bool fit_valu(struct fit *f) {
    const struct row *row = f->row;
    f->literals = f->in.suffix == SUFFIX_NONE;
    if (f->in.format->id == FMT_MAI && !fit_int(f, M_cbsz, 0, 7, &f->in.f[F_cbsz])) return false;
    if (f->in.format->id == FMT_MAI && row->src[0].type == T_F8F6F4 &&
        !fit_int(f, M_blgp, 0, 7, &f->in.f[F_blgp]))
        return false; // they give the width of sources
    for (int i = 0; i < ROW_DST; i++)
        if (row->dst[i].type && !fit_destination(f, row->dst[i])) return false;
    f->scalars = 0;
    if (row->reads & R_M0) count_scalar(f, 124 + isa_null_is_124(f->isa), 1);
    if (row->reads & R_VCC) count_scalar(f, SRC_VCC_LO, 2);
    for (int i = 0; i < ROW_SRC; i++) {
        struct operand_spec s = row->src[i];
        if (!s.type || is_dst(row, s)) continue;
        if (s.field == F_literal) {
            const struct parsed *p = take(f, s.field);
            if (!p || !fit_fixed_literal(f, p, s.type)) return false;
            count_scalar(f, SRC_LITERAL, 1);
            continue;
        }
        enum field field = s.field == F_src1 && f->in.format->id == FMT_VINTRP ? F_vsrc : s.field;
        int taken = fit_immediate(f, s, &f->in.f[field]);
        if (!taken || (taken < 0 && !fit_source(f, s, i))) return false;
    }
    if (f->in.scaled) {
        const unsigned any = ALLOW_SGPR | ALLOW_VGPR | ALLOW_CONSTANT;
        for (int i = 0; i < 2; i++) {
            enum field field = i ? F_scale1 : F_scale0;
            const struct parsed *p = take(f, field);
            if (!p || !fit_value(f, p, field, T_B32, 1, any, &f->in.f[field])) return false;
        }
    }
    if (!check_constant_bus(f)) return false;
    if (!fit_modifiers(f)) return false;
    if (f->in.suffix == SUFFIX_DPP16 || f->in.suffix == SUFFIX_DPP8) return fit_dpp(f);
    return f->in.suffix != SUFFIX_SDWA || fit_sdwa(f);
}

// ---- VOPD ----

static bool fit_half(struct fit *f, enum field vdst, enum field src0, enum field src1) {
    const struct row *row = f->row;
    if (!fit_register(f, vdst, 1, ALLOW_VGPR, &f->in.f[vdst])) return false;
    f->literals = true;
    for (int i = 0; i < ROW_SRC; i++) {
        struct operand_spec s = row->src[i];
        if (!s.type || is_dst(row, s)) continue;
        if (s.type == T_MASK) {
            count_scalar(f, SRC_VCC_LO, 2);
            const struct parsed *p = peek(f);
            if (p && !fit_implicit_mask(f, F_src2)) return false; // may be left out
            continue;
        }
        const struct parsed *p = take(f, s.field);
        if (!p) return false;
        if (p->neg || p->abs)
            if (p->kind == PARSED_REGISTER) return refuse(f, p->at, "operands of a VOPD take no modifier");
        if (s.field == F_literal) {
            if (!fit_fixed_literal(f, p, s.type)) return false;
            count_scalar(f, SRC_LITERAL, 1);
            continue;
        }
        unsigned allowed =
            s.field == F_src0 ? ALLOW_SGPR | ALLOW_VGPR | ALLOW_CONSTANT | ALLOW_LITERAL : ALLOW_VGPR;
        enum field field = s.field == F_src0 ? src0 : src1;
        if (!fit_value(f, p, field, s.type, 1, allowed, &f->in.f[field])) return false;
    }
    return fit_finish(f);
}

// The register that a half reads at a place: src0, what follows it, or a third source, which may be the
// destination's old value. 0: none.
static int32_t vgpr_at(const struct row *row, const int32_t *v, int place, bool second) {
    int n = 0;
    for (int i = 0; i < ROW_SRC && row->src[i].type; i++) {
        struct operand_spec s = row->src[i];
        if (s.type == T_MASK) continue;
        if (n++ != place) continue;
        enum field field = is_dst(row, s)      ? second ? F_vdsty : F_vdstx
                           : s.field == F_src0 ? second ? F_src0y : F_src0x
                           : s.field == F_src1 ? second ? F_src1y : F_src1x
                                               : F_literal;
        return field != F_literal && v[field] >= SRC_VGPR0 ? v[field] : 0;
    }
    return 0;
}

// The halves read different banks at once, and write registers of different parity (TRAP-019).
static bool check_banks(struct fit *x, struct fit *y) {
    const int32_t *v = x->in.f;
    if (!((v[F_vdstx] ^ v[F_vdsty]) & 1))
        return refuse(y, y->st->operand[0].at, "one dst register must be even and the other odd");
    bool same_allowed = x->isa->byte_sel; // GFX12: the same register may be read twice
    for (int i = 0; i < 3; i++) {
        int32_t a = vgpr_at(x->row, v, i, false), b = vgpr_at(y->row, v, i, true);
        if (a && b && !((a ^ b) & (i == 2 ? 1 : 3)) && !(same_allowed && a == b && i < 2))
            return refuse(y, y->st->name, "src%d operands must use different VGPR banks", i);
    }
    return true;
}

static void merge_scalars(struct fit *x, const struct fit *y) {
    for (unsigned i = 0; i < y->scalars; i++) {
        unsigned k = 0;
        while (k < x->scalars && x->scalar[k] != y->scalar[i]) k++;
        if (k == x->scalars && k < sizeof x->scalar / sizeof *x->scalar)
            x->scalar[x->scalars++] = y->scalar[i];
    }
}

bool fit_vopd(struct fit *x, struct fit *y) {
    if (!fit_half(x, F_vdstx, F_src0x, F_src1x)) return false;
    y->in = x->in;
    y->literal_given = x->literal_given;
    y->literal_expr = x->literal_expr;
    if (!fit_half(y, F_vdsty, F_src0y, F_src1y)) return false;
    x->in = y->in;
    x->literal_given = y->literal_given;
    x->literal_expr = y->literal_expr;
    merge_scalars(x, y);
    if (!check_banks(x, y)) return false;
    if (x->scalars > 2)
        return refuse(x, x->st->name, "too many different scalar values (constant bus): %u, at most 2",
                      x->scalars);
    return true;
}
