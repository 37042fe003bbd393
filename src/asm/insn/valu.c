// SPDX-License-Identifier: MIT
// Fitting vector ALU instructions in every form: VOP1, VOP2, VOPC and VOP3 with DPP, DPP8 and SDWA; VOP3P,
// MAI, interpolation. The form is chosen before (insn.c); here a statement either fits it or does not.
#include "asm/insn/valu.h"

#include "isa/names.h"

static bool is_vop3(unsigned format) {
    return format == FMT_VOP3 || format == FMT_VOP3B || format == FMT_VOP3S || format == FMT_VOP3I;
}

// ---- Registers with halves ----

// A 16-bit operand in a VGPR: which half, and where the encoding says so.
static bool place_half(struct fit *f, const struct parsed *p, enum field field, enum operand_type type,
                       int32_t *code) {
    unsigned format = f->in.format->id;
    bool vgpr = *code >= SRC_VGPR0 && *code < SRC_AGPR0;
    bool halves = f->isa->true16 && is_half(type) &&
                  (is_short(format) || format == FMT_VOP3 || format == FMT_VOP3S || format == FMT_VINTERP);
    if (!vgpr || !halves || !f->isa->halves_named) {
        if (p->half) return refuse_operand(f, field, p, "a register without .l or .h");
        if (vgpr && halves && is_short(format) && *code & 128)
            return refuse_operand(f, field, p, "one of v0 to v127 in this encoding");
        return true;
    }
    *(p->half ? &f->named : &f->plain) = true;
    if (f->named && f->plain)
        return refuse_operand(f, field, p,
                              p->half ? "a register without .l or .h, as another operand is"
                                      : "a register with .l or .h, as another operand has");
    bool high = p->half == HALF_HIGH; // a plain register means its lower half
    if (is_short(format)) {
        if (*code & 128) return refuse_operand(f, field, p, "one of v0 to v127 in this encoding");
        *code |= high << 7;
    } else {
        int bit = source_number(field) >= 0 ? source_number(field) : 3;
        f->in.f[F_op_sel] |= high << bit;
        f->half[bit] = p;
        f->half_field[bit] = field;
    }
    return true;
}

// ---- Destinations ----

static unsigned written_operands(const struct row *row) {
    unsigned n = 0;
    for (int i = 0; i < ROW_DST; i++) n += row->dst[i].type != T_NO_OPERAND;
    for (int i = 0; i < ROW_SRC; i++) n += row->src[i].type && !is_dst(row, row->src[i]);
    return n;
}

// VCC that the encoding implies may go unnamed, all of it: as the result of compares and of GFX9's
// v_add_co_u32, as the choice of v_cndmask_b32, and from GFX10 on as the carries of both ends.
static bool vcc_unnamed(const struct fit *f) {
    const struct row *row = f->row;
    unsigned in = 0, out = 0;
    for (int i = 0; i < ROW_DST; i++)
        out += row->dst[i].type == T_MASK && !insn_has(&f->in, row->dst[i].field);
    for (int i = 0; i < ROW_SRC; i++)
        in += row->src[i].type == T_MASK && !insn_has(&f->in, row->src[i].field);
    if (f->st->operands + in + out != written_operands(row)) return false;
    if (f->in.suffix != SUFFIX_NONE && f->in.suffix != SUFFIX_LITERAL) return false;
    if (!out || f->in.format->id == FMT_VOPC) return true;
    return in ? f->isa->carries_unnamed : f->isa->carry_out_unnamed;
}

bool fit_implicit_mask(struct fit *f, enum field field) {
    if (vcc_unnamed(f)) return true;
    const struct parsed *p = peek(f);
    bool vcc = p && p->kind == PARSED_REGISTER && p->code == SRC_VCC_LO;
    if (!vcc && f->isa->carries_unnamed && f->st->operands < written_operands(f->row) &&
        f->in.suffix != SUFFIX_NONE && f->in.suffix != SUFFIX_LITERAL)
        return true; // may be left out
    if (!(p = fit_take(f, field))) return false;
    const char *name = f->st->mode->wave32 ? "vcc_lo" : "vcc";
    if (p->kind != PARSED_REGISTER || p->code != SRC_VCC_LO || p->dwords != (f->st->mode->wave32 ? 1 : 2))
        return refuse_operand(f, field, p, name);
    return true;
}

static bool fit_destination(struct fit *f, unsigned place) {
    struct operand_spec s = row_operand(f->row, place);
    const struct insn *in = &f->in;
    unsigned id = in->format->id;
    if (s.type == T_MASK && s.field == F_sdst && f->isa->cmpx_exec_only && f->row->writes & R_EXEC) {
        if (insn_has(in, F_sdst)) f->in.f[F_sdst] = SRC_EXEC_LO;
        return true;
    }
    struct rule rule = fit_rule(f, place);
    if (rule.implied) return fit_implicit_mask(f, s.field);
    if (!rule.allow) return true;
    if (s.field == F_sdst && s.type != T_MASK && is_short(id)) // readfirstlane: in the VGPR's place
        return fit_register(f, s.field, rule.dwords, rule.allow, &f->in.f[F_vdst]);
    const struct parsed *p = peek(f);
    int32_t *out = &f->in.f[s.field];
    if (!fit_register(f, s.field, rule.dwords, rule.allow, out)) return false;
    if (*out >= SRC_AGPR0) {
        f->in.f[F_acc_cd] = id == FMT_MAI && s.type != T_AGPR && f->isa->accvgpr_memory;
        *out -= SRC_AGPR0 - SRC_VGPR0;
    }
    if (in->suffix == SUFFIX_SDWA && s.field == F_sdst && !insn_has(in, F_sdst)) { // VCC needs no field
        f->in.f[F_sd] = *out != SRC_VCC_LO;
        if (!f->in.f[F_sd]) *out = 0;
    }
    return place_half(f, p, s.field, s.type, out);
}

// ---- Sources ----

static bool set_signs(struct fit *f, const struct parsed *p, struct operand_spec s, int n, bool constant) {
    const char *sign = skip_spaces(p->at + 1, p->end);
    if (*p->at == '-' && sign < p->end && *sign == '-' && f->row->flags & ROW_ABSNEG)
        return fit_refuse(f, sign, "%s: expected neg(...) rather than a second minus",
                          asm_field_names[s.field]);
    if (!p->neg && !p->abs && !p->sext) return true;
    if (p->kind == PARSED_EXPR || p->kind == PARSED_WORD)
        return fit_refuse(f, p->at, "%s: neg and abs need a value that is known here",
                          asm_field_names[s.field]);
    unsigned id = f->in.format->id;
    bool set = is_class_set(f->isa, f->row, n);
    bool takes = n >= 0 && f->row->flags & ROW_ABSNEG && takes_sign(f->row, s.type) && !set;
    int32_t *neg = NULL, *abs = NULL;
    if (f->in.suffix == SUFFIX_SDWA) {
        bool integer = !is_float(s.type) || (n == 1 && f->row->flags & ROW_ABSNEG); // classes, exponents
        if (p->sext && (!integer || !(f->row->flags & ROW_SEXT) || p->neg || p->abs))
            return fit_refuse(f, p->at, "%s takes no sext", asm_field_names[s.field]);
        if (p->sext) f->in.f[F_sext] |= 1 << n;
        neg = &f->in.f[F_sdwa_neg], abs = &f->in.f[F_sdwa_abs];
    } else if (p->sext)
        return fit_refuse(f, p->at, "%s takes no sext in this encoding", asm_field_names[s.field]);
    else if (is_packed_format(id)) {
        takes = is_mix(s.type);
        neg = &f->in.f[F_neg], abs = &f->in.f[F_neg_hi];
    } else if (is_vop3(id) && !(f->row->flags & ROW_BITOP3))
        neg = &f->in.f[F_neg], abs = &f->in.f[F_abs];
    else if (id == FMT_VINTERP) {
        neg = &f->in.f[F_neg];
        if (p->abs) takes = false;
    } else if (f->in.suffix == SUFFIX_DPP16)
        neg = &f->in.f[F_dpp_neg], abs = &f->in.f[F_dpp_abs];
    else if (constant && takes_sign(f->row, s.type))
        return true; // folded into its value
    else
        takes = false;
    if (p->sext) return true;
    if (!takes || !neg)
        return fit_refuse(f, p->at, "%s takes no neg or abs in this encoding", asm_field_names[s.field]);
    if (p->abs && id == FMT_VOP3B)
        return fit_refuse(f, p->at, "%s takes no abs in this encoding", asm_field_names[s.field]);
    if (p->neg) *neg |= 1 << n;
    if (p->abs && abs) *abs |= 1 << n;
    return true;
}

static bool fit_source(struct fit *f, unsigned place) {
    struct operand_spec s = row_operand(f->row, place);
    struct rule rule = fit_rule(f, place);
    enum field field = f->in.format->id == FMT_VINTRP && s.field == F_src1 ? F_vsrc : s.field;
    if (rule.implied) {
        count_scalar(f, SRC_VCC_LO, 2); // read without being named in the encoding
        return fit_implicit_mask(f, s.field);
    }
    if (!rule.allow) return true;
    const struct parsed *p = fit_take(f, s.field);
    if (!p) return false;
    int32_t *out = &f->in.f[field];
    bool constant = p->kind != PARSED_REGISTER && p->kind != PARSED_LIST;
    struct parsed plain = *p;
    if (!set_signs(f, p, s, source_number(s.field), constant)) return false;
    if (is_vop3(f->in.format->id) || f->in.suffix != SUFFIX_NONE || is_packed_format(f->in.format->id) ||
        f->in.format->id == FMT_VINTERP)
        plain.neg = plain.abs = plain.sext = false; // in fields of their own
    bool symbolic = p->expr || p->kind == PARSED_WORD;
    if (is_vop3(f->in.format->id) && symbolic && is_float(s.type) && operand_bits[s.type] == 32)
        return refuse_operand(f, s.field, p, "a value that is known here, in a long encoding,");
    unsigned allowed = rule.allow, scalars = f->scalars;
    if (rule.with_dst && f->isa->accvgpr_memory) allowed &= f->in.f[F_acc_cd] ? ~ALLOW_VGPR : ~ALLOW_AGPR;
    if (!fit_value(f, &plain, s.field, s.type, rule.dwords, allowed, out)) return false;
    bool lane = f->row->scalars >> (place - RULE_SRC) & 1 && place == RULE_SRC + 1;
    if (lane && rule_kind(f->isa, (unsigned)*out) == ALLOW_M0)
        f->scalars = scalars;                         // M0 as the number of a lane has a path of its own
    if (f->last_scalar == &plain) f->last_scalar = p; // which outlives this function
    if (*out >= SRC_AGPR0) {
        if (f->in.format->id == FMT_MAI && s.field != F_src2 && s.type != T_AGPR)
            f->in.f[F_acc] |= 1 << (s.field == F_src1);
        *out -= SRC_AGPR0 - SRC_VGPR0;
    }
    if (*out >= SRC_VGPR0 && (*out & 255) > rule.vgprs) // the top bit chooses the half
        return refuse_operand(f, s.field, p, "one of v0 to v127 in this encoding");
    if (f->in.suffix == SUFFIX_SDWA && (s.field == F_src0 || s.field == F_src1)) {
        f->in.f[s.field == F_src0 ? F_src0_s : F_src1_s] = *out < SRC_VGPR0;
        if (p->half) return refuse_operand(f, s.field, p, "a register without .l or .h");
        return true;
    }
    return place_half(f, p, s.field, s.type, out);
}

// One instruction may read so many different scalar registers and literals.
static bool check_constant_bus(struct fit *f) {
    unsigned limit = f->isa->scalar_values;
    const struct row *row = f->row;
    if (row->class == CLASS_SHIFT64) limit = 1;
    if (f->scalars <= limit) return true;
    if (!f->last_scalar) return fit_refuse(f, f->st->name, "too many scalar values (constant bus)");
    return refuse_operand(f, f->last_field, f->last_scalar,
                          limit == 1 ? "a VGPR, or the one scalar value of the constant bus,"
                                     : "a VGPR, or one of the two scalar values of the constant bus,");
}

bool fit_valu(struct fit *f) {
    const struct row *row = f->row;
    f->literals = f->in.suffix == SUFFIX_NONE;
    if (f->in.format->id == FMT_MAI && row->class != CLASS_ACC_MOVE &&
        !fit_int(f, M_cbsz, 0, 7, &f->in.f[F_cbsz]))
        return false;
    if (f->in.format->id == FMT_MAI && row->src[0].type == T_F8F6F4 &&
        !fit_int(f, M_blgp, 0, 7, &f->in.f[F_blgp]))
        return false; // they give the width of sources
    if (row->src[0].type == T_MATRIX && !fit_matrix_formats(f)) return false;
    if (row->class == CLASS_LD_SCALE) f->in.f[F_src2] = SRC_VGPR0;
    for (int i = 0; i < ROW_DST; i++)
        if (row->dst[i].type && !fit_destination(f, (unsigned)i)) return false;
    f->scalars = 0;
    if (row->reads & R_M0) count_scalar(f, f->isa->m0_register, 1);
    if (row->reads & R_VCC) count_scalar(f, SRC_VCC_LO, 2);
    for (int i = 0; i < ROW_SRC; i++) {
        struct operand_spec s = row->src[i];
        if (!s.type || is_dst(row, s)) continue;
        if (s.field == F_literal) {
            const struct parsed *p = fit_take(f, s.field);
            if (!p || !fit_fixed_literal(f, p, s.type)) return false;
            count_scalar(f, SRC_LITERAL, 1 + f->in.wide_literal);
            continue;
        }
        enum field field = s.field == F_src1 && f->in.format->id == FMT_VINTRP ? F_vsrc : s.field;
        int taken = fit_immediate(f, s, &f->in.f[field]);
        if (!taken || (taken < 0 && !fit_source(f, RULE_SRC + (unsigned)i))) return false;
    }
    if (f->in.scaled) {
        for (int i = 0; i < 2; i++) {
            enum field field = i ? F_scale1 : F_scale0;
            const struct parsed *p = fit_take(f, field);
            struct rule rule = rule_of_field(f->isa, &f->in, field, 1);
            if (!p || !fit_value(f, p, field, T_B32, 1, rule.allow, &f->in.f[field])) return false;
        }
    }
    if (!check_constant_bus(f)) return false;
    if (f->in.format->id == FMT_MAI && matrix_overlap(&f->in))
        return refuse_operand(f, F_src2, &f->st->operand[3], "the destination or registers apart from it");
    if (!fit_modifiers(f)) return false;
    if (f->in.suffix == SUFFIX_DPP16 || f->in.suffix == SUFFIX_DPP8) return fit_dpp(f);
    return f->in.suffix != SUFFIX_SDWA || fit_sdwa(f);
}
