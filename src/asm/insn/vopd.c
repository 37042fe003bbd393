// SPDX-License-Identifier: MIT
// Fitting VOPD: two operations in one instruction, each with fields of its own, sharing one literal, two
// scalar values and the banks of the register file.
#include "asm/insn/valu.h"

static bool fit_half(struct fit *f, enum field vdst, enum field src0, enum field src1) {
    const struct row *row = f->row;
    struct rule result = fit_rule(f, 0);
    if (!fit_register(f, vdst, result.dwords, result.allow, &f->in.f[vdst])) return false;
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
        const struct parsed *p = fit_take(f, s.field);
        if (!p) return false;
        if (p->neg || p->abs || p->sext)
            if (p->sext || p->kind == PARSED_REGISTER)
                return fit_refuse(f, p->at, "operands of a VOPD take no modifier");
        if (s.field == F_literal) {
            if (!fit_fixed_literal(f, p, s.type)) return false;
            count_scalar(f, SRC_LITERAL, 1);
            continue;
        }
        enum field field = s.field == F_src0 ? src0 : src1;
        struct rule rule = fit_rule(f, RULE_SRC + (unsigned)i);
        if (!fit_value(f, p, field, s.type, rule.dwords, rule.allow, &f->in.f[field])) return false;
    }
    return fit_finish(f);
}

// The halves read different banks at once, and write registers of different parity (TRAP-019).
static bool check_banks(struct fit *x, struct fit *y) {
    const int32_t *v = x->in.f;
    if (!((v[F_vdstx] ^ v[F_vdsty]) & 1))
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
    if (!fit_half(x, F_vdstx, F_src0x, F_src1x)) return false;
    y->in = x->in;
    y->in.row = y->row;
    y->literal_given = x->literal_given;
    y->literal_expr = x->literal_expr;
    if (!fit_half(y, F_vdsty, F_src0y, F_src1y)) return false;
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
