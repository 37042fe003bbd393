// SPDX-License-Identifier: MIT
// Fitting VOPD: two operations in one instruction, each with fields of its own, sharing one literal, two
// scalar values and the banks of the register file.
#include "asm/insn/valu.h"

struct half_fields {
    enum field vdst, src0, src1, src2, signs;
};
static const struct half_fields first_half = {F_vdstx, F_src0x, F_src1x, F_src2x, F_negx},
                                second_half = {F_vdsty, F_src0y, F_src1y, F_src2y, F_negy};

// The mask of half of a VOPD3 is any SGPR.
static bool fit_mask(struct fit *f, const struct half_fields *half) {
    struct rule rule = {.allow = ALLOW_SCALAR, .dwords = 1, .align = 1};
    const struct parsed *p = fit_take(f, F_src2);
    if (!p) return false;
    return fit_value(f, p, F_src2, T_B32, 1, rule.allow, &f->in.f[half->src2]);
}

// neg of floats, for which those of three dwords alone have bits.
static bool fit_sign(struct fit *f, const struct half_fields *half, const struct parsed *p,
                     enum field field) {
    int n = source_number(field);
    if (!p->neg && !p->abs && !p->sext) return true;
    if (f->in.format->id == FMT_VOPD3 && p->neg && !p->abs && !p->sext && n >= 0 &&
        vopd_signs(f->row) >> n & 1) {
        f->in.f[half->signs] |= 1 << n;
        return true;
    }
    if (p->sext || p->abs || p->kind == PARSED_REGISTER || f->in.format->id == FMT_VOPD3)
        return fit_refuse(f, p->at, "operands of a VOPD take no modifier");
    return true;
}

static bool fit_half(struct fit *f, const struct half_fields *half) {
    const struct row *row = f->row;
    bool wide = f->in.format->id == FMT_VOPD3;
    enum field vdst = half->vdst;
    struct rule result = fit_rule(f, 0);
    if (!fit_register(f, vdst, result.dwords, result.allow, &f->in.f[vdst])) return false;
    f->literals = !wide;
    for (int i = 0; i < ROW_SRC; i++) {
        struct operand_spec s = row->src[i];
        if (!s.type || is_dst(row, s)) continue;
        if (s.type == T_MASK) {
            if (wide) {
                if (!fit_mask(f, half)) return false;
                continue;
            }
            count_scalar(f, SRC_VCC_LO, 2);
            // May be left out; and is, where those of three dwords name it.
            const struct parsed *p = f->isa->formats[FMT_VOPD3] ? NULL : peek(f);
            if (p && !fit_implicit_mask(f, F_src2)) return false;
            continue;
        }
        const struct parsed *p = fit_take(f, s.field);
        if (!p) return false;
        if (!fit_sign(f, half, p, s.field)) return false;
        struct parsed plain = *p;
        if (wide) plain.neg = false;
        if (s.field == F_literal) {
            if (!fit_fixed_literal(f, p, s.type)) return false;
            count_scalar(f, SRC_LITERAL, 1);
            continue;
        }
        enum field field = s.field == F_src0 ? half->src0 : s.field == F_src1 ? half->src1 : half->src2;
        struct rule rule = fit_rule(f, RULE_SRC + (unsigned)i);
        if (!fit_value(f, &plain, field, s.type, rule.dwords, rule.allow, &f->in.f[field])) return false;
        if (field == half->src2) f->in.f[field] &= 255;
    }
    if (row->flags & ROW_BITOP3 && !fit_int(f, M_bitop3, 0, 255, &f->in.f[half->src2])) return false;
    return fit_finish(f);
}

// The halves read different banks at once, and write registers of different parity (TRAP-019).
static bool check_banks(struct fit *x, struct fit *y) {
    const int32_t *v = x->in.f;
    bool wide = x->in.format->id == FMT_VOPD3;
    int a = v[F_vdstx], b = v[F_vdsty], over_a = (int)vopd_dwords(x->row), over_b = (int)vopd_dwords(y->row);
    if (wide && a < b + over_b && b < a + over_a)
        return fit_refuse(y, y->st->operand[0].at, "the halves must write different registers");
    if (!wide && !((a ^ b) & 1))
        return fit_refuse(y, y->st->operand[0].at, "one dst register must be even and the other odd");
    struct insn both = x->in;
    both.row_y = y->row;
    int clash = vopd_clash(x->isa, &both);
    return clash < 0 || fit_refuse(y, y->st->name, "src%d operands must use different VGPR banks", clash);
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
    if (!fit_half(x, &first_half)) return false;
    y->in = x->in;
    y->in.row = y->row;
    y->literal_given = x->literal_given;
    y->literal_expr = x->literal_expr;
    if (!fit_half(y, &second_half)) return false;
    x->in = y->in;
    x->in.row = x->row;
    x->literal_given = y->literal_given;
    x->literal_expr = y->literal_expr;
    merge_scalars(x, y);
    if (!check_banks(x, y)) return false;
    if (x->scalars > 2)
        return fit_refuse(x, x->st->name, "too many different scalar values (constant bus): %u, at most 2",
                          x->scalars);
    return true;
}
