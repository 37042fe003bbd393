// SPDX-License-Identifier: MIT
// What all formats share in fitting: refusals, taking operands and modifiers.
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

bool fit_refuse(struct fit *f, const char *where, const char *format, ...) {
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
    return fit_refuse(f, p->at, "%s must be %s on %s, found %.*s", asm_field_names[field], allowed,
                      f->st->mode->processor->name, length, p->at);
}

const struct parsed *fit_take(struct fit *f, enum field field) {
    if (f->next < f->st->operands) return &f->st->operand[f->next++];
    fit_refuse(f, f->st->end, "too few operands: expected %s", asm_field_names[field]);
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
    if (m->is_text) return fit_refuse(f, m->at, "%s: expected a number", modifier_names[id]);
    if (m->value < lo || m->value > hi)
        return fit_refuse(f, m->at, "%s must be from %lld to %lld on %s, found %lld", modifier_names[id],
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
        return fit_refuse(f, m->at, "%s must have %u elements, found %u", modifier_names[id], count,
                          m->count);
    *out = (int32_t)m->value;
    return true;
}

// Where a modifier belongs among the others: modifiers.def has them in order. Some stand for one value, or
// exclude each other, and share a place.
static unsigned place_of(const struct fit *f, unsigned id) {
    if (id >= M_glc && id <= M_scope) return M_glc;
    if (id <= M_nfmt) return M_format; // the first
    if (id == M_byte_sel && f->isa->matrix_reuse) return M_op_sel;
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
            return fit_refuse(f, m[i].start, "%s must stand before %s", modifier_names[m[i].id],
                              modifier_names[m[i - 1].id]);
        if (place == M_mul && before == M_mul && m[i].id != M_op_sel)
            return fit_refuse(f, m[i].start, "mul and div exclude each other");
    }
    return true;
}

bool fit_finish(struct fit *f) {
    const struct statement *st = f->st;
    if (f->next < st->operands)
        return fit_refuse(f, st->operand[f->next].at, "too many operands: it takes %u", f->next);
    if (!((st->present[0] & ~f->taken[0]) | (st->present[1] & ~f->taken[1]))) return fit_order(f);
    for (unsigned i = 0; i < st->modifiers; i++) {
        unsigned id = st->modifier[i].id;
        if (!(f->taken[id >> 6] >> (id & 63) & 1))
            return fit_refuse(f, st->modifier[i].start, "%s is not supported by this instruction on %s",
                              modifier_names[id], st->mode->processor->name);
    }
    return true;
}
