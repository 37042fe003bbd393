// SPDX-License-Identifier: MIT
// An operand as a number of the source space: registers held against what the place takes, constants by
// constant.c.
#include <stdio.h>

#include "asm/insn/fit.h"
#include "isa/names.h"

void count_scalar(struct fit *f, unsigned code, unsigned dwords) {
    code |= dwords << 10; // a register and a tuple that holds it are two
    for (unsigned i = 0; i < f->scalars; i++)
        if (f->scalar[i] == code) return;
    if (f->scalars < sizeof f->scalar / sizeof *f->scalar) f->scalar[f->scalars++] = (uint16_t)code;
}

static const char *allowed_text(unsigned allowed, unsigned dwords, char buffer[96]) {
    static const char *const kinds[] = {"an SGPR", "a VGPR", "an AGPR", "an inline constant", "a literal"};
    if (allowed == ALLOW_NULL) return "null";
    if (allowed == (ALLOW_M0 | ALLOW_CONSTANT)) return "m0 or an inline constant";
    if (allowed & ALLOW_LITERAL) allowed &= ~(unsigned)ALLOW_CONSTANT; // any constant will do
    allowed &= ALLOW_SGPR | ALLOW_VGPR | ALLOW_AGPR | ALLOW_CONSTANT | ALLOW_LITERAL;
    size_t n = 0;
    for (unsigned i = 0; i < 5; i++) {
        if (!(allowed >> i & 1)) continue;
        allowed &= ~(1u << i);
        const char *kind = i == 4 ? "a constant" : kinds[i];
        n += (size_t)snprintf(buffer + n, 96 - n, "%s%s", !n ? "" : allowed ? ", " : " or ", kind);
        if (i < 3 && dwords > 1)
            n += (size_t)snprintf(buffer + n, 96 - n, dwords == 2 ? " pair" : " tuple of %u", dwords);
    }
    return buffer;
}

// Scalar registers that this place excepts.
static const char *excepted_text(unsigned allowed, unsigned kind, unsigned format) {
    bool constants = allowed & ALLOW_CONSTANT;
    if (kind == ALLOW_LDS)
        return format <= FMT_SMEM ? constants ? "an SGPR or a constant" : "an SGPR"
                                  : "another register, for lds_direct is for src0 of plain instructions,";
    if (kind == ALLOW_APERTURE && format >= FMT_VOP2 && format < FMT_DS)
        return "a register that can be written";
    if (kind == ALLOW_FLAG || kind == ALLOW_APERTURE) return "an SGPR";
    static const char *const texts[] = {"an SGPR",
                                        "an SGPR other than null",
                                        "an SGPR other than m0",
                                        "an SGPR other than m0 and null",
                                        "an SGPR other than exec",
                                        "an SGPR other than exec and null",
                                        "an SGPR other than exec and m0",
                                        "an SGPR other than exec, m0 and null"};
    return texts[!(allowed & ALLOW_EXEC) << 2 | !(allowed & ALLOW_M0) << 1 | !(allowed & ALLOW_NULL)];
}

bool fit_value(struct fit *f, const struct parsed *p, enum field field, enum operand_type type,
               unsigned dwords, unsigned allowed, int32_t *code) {
    char buffer[96];
    unsigned id = f->in.format->id;
    bool vector =
        id >= FMT_VOP2 &&
        (id < FMT_VOPD || id == FMT_VOPD3); // whose sources may have signs and halves, seen to before
    if ((p->neg || p->abs || p->sext) && (!vector || p->kind == PARSED_REGISTER))
        return fit_refuse(f, p->at, "%s takes no modifier", asm_field_names[field]);
    if (p->half && !vector) return refuse_operand(f, field, p, "a register without .l or .h");
    if (p->kind != PARSED_REGISTER) {
        if (!(allowed & ALLOW_CONSTANT) || p->kind == PARSED_LIST)
            return refuse_operand(f, field, p, f->reporting ? allowed_text(allowed, dwords, buffer) : "");
        if (!fit_constant(f, p, field, type, allowed, code)) return false;
        if (*code == SRC_LITERAL ||
            (*code == SRC_LITERAL64 &&
             f->isa->literal64)) { // which is another value where it stands for 64 bits
            count_scalar(f, SRC_LITERAL, 1 + (operand_bits[type] == 64));
            f->last_scalar = p;
            f->last_field = field;
        }
        return true;
    }
    unsigned kind = rule_kind(f->isa, p->code);
    bool vgpr = p->code >= SRC_VGPR0;
    bool null = p->special && !p->dwords && field == F_sdata; // a load of any size may go nowhere
    bool width = p->dwords ? p->dwords == dwords : dwords <= 2 || null;
    if (width && !(allowed & kind) && allowed & ALLOW_SGPR && kind & ~(unsigned)(ALLOW_VGPR | ALLOW_AGPR))
        return refuse_operand(f, field, p, f->reporting ? excepted_text(allowed, kind, id) : "");
    if (!width || !(allowed & kind))
        return refuse_operand(f, field, p, f->reporting ? allowed_text(allowed, dwords, buffer) : "");
    if (vgpr && dwords > 1 && p->code & 1 && has(f->st->mode->processor, CAP_even_vgpr_tuples))
        return refuse_operand(f, field, p, "a tuple that starts at an even register");
    if (!vgpr && kind != ALLOW_LDS && !(f->isa->cmpx_exec_only && p->code == f->isa->null_register))
        count_scalar(f, p->code, p->dwords), f->last_scalar = p, f->last_field = field;
    *code = p->code;
    return true;
}

bool fit_register(struct fit *f, enum field field, unsigned dwords, unsigned allowed, int32_t *code) {
    const struct parsed *p = fit_take(f, field);
    if (!p) return false;
    if (p->neg || p->abs || p->sext)
        return fit_refuse(f, p->at, "%s takes no modifier", asm_field_names[field]);
    return fit_value(f, p, field, T_B32, dwords, allowed, code);
}

bool fit_field(struct fit *f, enum field field, unsigned dwords) {
    struct rule rule = rule_of_field(f->isa, &f->in, field, dwords);
    return fit_register(f, field, rule.dwords, rule.allow, &f->in.f[field]);
}
