// SPDX-License-Identifier: MIT
// Fitting scalar instructions: SOP2, SOP1, SOPC, SOPK, SOPP.
#include "asm/insn/fit.h"

#include "isa/names.h"

bool fit_scalar(struct fit *f) {
    const struct row *row = f->row;
    bool wave32 = f->st->mode->wave32;
    f->literals = f->in.format->id != FMT_SOPK && f->in.format->id != FMT_SOPP;
    for (int i = 0; i < ROW_DST; i++) {
        if (!row->dst[i].type) continue;
        unsigned dwords = insn_operand(f->isa, &f->in, row->dst[i], wave32).dwords;
        const struct parsed *p = peek(f);
        if (!fit_register(f, row->dst[i].field, dwords, ALLOW_SGPR, &f->in.f[row->dst[i].field]))
            return false;
        if (p->code > SRC_EXEC_HI) return refuse_operand(f, row->dst[i].field, p, "a writable SGPR");
    }
    for (int i = 0; i < ROW_SRC; i++) {
        struct operand_spec s = row->src[i];
        if (!s.type || is_dst(row, s)) continue;
        int taken = fit_immediate(f, s, &f->in.f[s.field]);
        if (!taken) return false;
        if (taken > 0) continue;
        const struct parsed *p = take(f, s.field);
        if (!p) return false;
        if (s.field == F_literal) {
            if (!fit_fixed_literal(f, p, s.type)) return false;
            continue;
        }
        if (p->neg || p->abs || p->sext)
            if (p->kind == PARSED_REGISTER)
                return refuse(f, p->at, "%s takes no modifier", asm_field_names[s.field]);
        bool wants_register = row->registers >> i & 1 || (s.field != F_ssrc0 && s.field != F_ssrc1);
        unsigned dwords = insn_operand(f->isa, &f->in, s, wave32).dwords;
        unsigned allowed = wants_register ? ALLOW_SGPR : ALLOW_SGPR | ALLOW_CONSTANT | ALLOW_LITERAL;
        if (row->flags & ROW_BARRIER) {
            bool m0 = p->kind == PARSED_REGISTER && p->code == 124 + isa_null_is_124(f->isa);
            allowed = m0 ? ALLOW_SGPR : ALLOW_CONSTANT;
            if (!m0 && p->kind == PARSED_REGISTER)
                return refuse_operand(f, s.field, p, "m0 or an inline constant");
        }
        if (!fit_value(f, p, s.field, s.type, dwords, allowed, &f->in.f[s.field])) return false;
        bool unread = p->code == SRC_LDS_DIRECT ||
                      (wants_register && p->code > SRC_EXEC_HI && (dwords > 1 || is_aperture(p->code)));
        if (p->kind == PARSED_REGISTER && unread)
            return refuse_operand(f, s.field, p, wants_register ? "an SGPR" : "an SGPR or a constant");
        // From GFX11 on the counters are compared with the immediate alone.
        if (s.field == F_sdst && f->isa->null_saddr && p->code != isa_null_register(f->isa) &&
            row->src[1].type == T_IMM16 && !row->writes)
            return refuse_operand(f, s.field, p, "null");
    }
    return true;
}
