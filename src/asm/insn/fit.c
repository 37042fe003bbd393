// SPDX-License-Identifier: MIT
// What all formats share in fitting: refusals, modifiers, registers.
#include "asm/insn/fit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/names.h"

const char *const asm_field_names[] = {
#define FIELD(name) #name,
#include "isa/fields.def"
#undef FIELD
};

bool refuse(struct fit *f, const char *where, const char *format, ...) {
    f->where = where;
    if (!f->reporting) return false;
    char message[320];
    int n = snprintf(message, sizeof message, "%s: ", isa_row_name(f->isa, f->row));
    va_list args;
    va_start(args, format);
    vsnprintf(message + n, sizeof message - (size_t)n, format, args);
    va_end(args);
    f->st->host->error(f->st->host->context, where, message);
    return false;
}

bool refuse_operand(struct fit *f, enum field field, const struct parsed *p, const char *allowed) {
    if (!f->reporting) {
        f->where = p->at;
        return false;
    }
    int length = (int)(p->end - p->at < 48 ? p->end - p->at : 48);
    return refuse(f, p->at, "%s must be %s on %s, found %.*s", asm_field_names[field], allowed,
                  f->st->mode->processor->name, length, p->at);
}

const struct parsed *take(struct fit *f, enum field field) {
    if (f->next < f->st->operands) return &f->st->operand[f->next++];
    refuse(f, f->st->end, "too few operands: expected %s", asm_field_names[field]);
    return NULL;
}

// ---- Modifiers ----

const struct modifier *take_modifier(struct fit *f, enum modifier_id id) {
    if (!(f->st->present[id >> 6] >> (id & 63) & 1)) return NULL;
    f->taken[id >> 6] |= 1ull << (id & 63);
    for (unsigned i = 0; i < f->st->modifiers; i++)
        if (f->st->modifier[i].id == id) return &f->st->modifier[i];
    return NULL;
}

bool fit_int(struct fit *f, enum modifier_id id, int64_t lo, int64_t hi, int32_t *out) {
    const struct modifier *m = take_modifier(f, id);
    if (!m) return true;
    if (m->is_text) return refuse(f, m->at, "%s: expected a number", modifier_names[id]);
    if (m->value < lo || m->value > hi)
        return refuse(f, m->at, "%s must be from %lld to %lld on %s, found %lld", modifier_names[id],
                      (long long)lo, (long long)hi, f->st->mode->processor->name, (long long)m->value);
    *out = (int32_t)m->value;
    return true;
}

void fit_flag(struct fit *f, enum modifier_id id, int32_t *out) {
    const struct modifier *m = take_modifier(f, id);
    if (m) *out = m->value != 0;
}

bool fit_bits(struct fit *f, enum modifier_id id, unsigned count, int32_t *out) {
    const struct modifier *m = take_modifier(f, id);
    if (!m) return true;
    if (m->count > 4 || m->value >> count)
        return refuse(f, m->at, "%s must have %u elements, found %u", modifier_names[id], count, m->count);
    *out = (int32_t)m->value;
    return true;
}

// Where a modifier belongs among the others: modifiers.def has them in order. Some stand for one value, or
// exclude each other, and share a place.
static unsigned place_of(const struct fit *f, unsigned id) {
    if (id >= M_glc && id <= M_scope) return M_glc;
    if (id <= M_nfmt) return M_format; // the first
    if (id == M_div) return M_mul;
    if (id >= M_quad_perm && id <= M_row_newbcast) return M_quad_perm;
    if (id == M_op_sel && f->in.format->id == FMT_VINTERP) return M_mul; // behind clamp
    if (id == M_lds && !f->row->dst[0].type) return M_gds;               // buffer_store_lds_dword
    return id;
}

static bool fit_order(struct fit *f) {
    const struct modifier *m = f->st->modifier;
    for (unsigned i = 1; i < f->st->modifiers; i++) {
        unsigned before = place_of(f, m[i - 1].id), place = place_of(f, m[i].id);
        if (before > place)
            return refuse(f, m[i].start, "%s must stand before %s", modifier_names[m[i].id],
                          modifier_names[m[i - 1].id]);
        if (place == M_mul && before == M_mul && m[i].id != M_op_sel)
            return refuse(f, m[i].start, "mul and div exclude each other");
    }
    return true;
}

bool fit_finish(struct fit *f) {
    const struct statement *st = f->st;
    if (f->next < st->operands)
        return refuse(f, st->operand[f->next].at, "too many operands: it takes %u", f->next);
    if (!((st->present[0] & ~f->taken[0]) | (st->present[1] & ~f->taken[1]))) return fit_order(f);
    for (unsigned i = 0; i < st->modifiers; i++) {
        unsigned id = st->modifier[i].id;
        if (!(f->taken[id >> 6] >> (id & 63) & 1))
            return refuse(f, st->modifier[i].start, "%s is not supported by this instruction on %s",
                          modifier_names[id], st->mode->processor->name);
    }
    return true;
}

// ---- Registers ----

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
    bool vector = id >= FMT_VOP2 && id < FMT_VOPD; // whose sources may have signs and halves, seen to before
    if ((p->neg || p->abs || p->sext) && (!vector || p->kind == PARSED_REGISTER))
        return refuse(f, p->at, "%s takes no modifier", asm_field_names[field]);
    if (p->half && !vector) return refuse_operand(f, field, p, "a register without .l or .h");
    if (p->kind != PARSED_REGISTER) {
        if (!(allowed & ALLOW_CONSTANT) || p->kind == PARSED_LIST)
            return refuse_operand(f, field, p, f->reporting ? allowed_text(allowed, dwords, buffer) : "");
        if (!fit_constant(f, p, field, type, allowed, code)) return false;
        if (*code == SRC_LITERAL) { // which is another value where it stands for 64 bits
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
    if (!vgpr && kind != ALLOW_LDS && !(f->isa->cmpx_exec_only && p->code == isa_null_register(f->isa)))
        count_scalar(f, p->code, p->dwords), f->last_scalar = p, f->last_field = field;
    *code = p->code;
    return true;
}

bool fit_register(struct fit *f, enum field field, unsigned dwords, unsigned allowed, int32_t *code) {
    const struct parsed *p = take(f, field);
    if (!p) return false;
    if (p->neg || p->abs || p->sext) return refuse(f, p->at, "%s takes no modifier", asm_field_names[field]);
    return fit_value(f, p, field, T_B32, dwords, allowed, code);
}
