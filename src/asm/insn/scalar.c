// SPDX-License-Identifier: MIT
// Fitting scalar instructions: SOP2, SOP1, SOPC, SOPK, SOPP.
#include "asm/insn/fit.h"

#include "isa/names.h"

bool fit_scalar(struct fit *f) {
    const struct row *row = f->row;
    f->literals = f->in.format->id != FMT_SOPK && f->in.format->id != FMT_SOPP;
    for (int i = 0; i < ROW_DST; i++) {
        if (!row->dst[i].type) continue;
        struct rule rule = fit_rule(f, (unsigned)i);
        if (!fit_register(f, row->dst[i].field, rule.dwords, rule.allow, &f->in.f[row->dst[i].field]))
            return false;
    }
    for (int i = 0; i < ROW_SRC; i++) {
        struct operand_spec s = row->src[i];
        if (!s.type || is_dst(row, s)) continue;
        int taken = fit_immediate(f, s, &f->in.f[s.field]);
        if (!taken) return false;
        if (taken > 0) continue;
        const struct parsed *p = fit_take(f, s.field);
        if (!p) return false;
        if (s.field == F_literal) {
            if (!fit_fixed_literal(f, p, s.type)) return false;
            continue;
        }
        if (p->neg || p->abs || p->sext)
            if (p->kind == PARSED_REGISTER)
                return fit_refuse(f, p->at, "%s takes no modifier", asm_field_names[s.field]);
        struct rule rule = fit_rule(f, RULE_SRC + (unsigned)i);
        if (!fit_value(f, p, s.field, s.type, rule.dwords, rule.allow, &f->in.f[s.field])) return false;
    }
    return true;
}
