// SPDX-License-Identifier: MIT
// Filling sections: bytes, alignment, labels, assignments.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "asm/dwarf/dwarf.h"
#include "asm/text/unit.h"
#include "base/bytes.h"

void unit_register(struct unit *u, struct symbol *s) {
    if (s->registered) return;
    s->registered = true;
    s->order = ++u->order;
    *u->last_symbol = s;
    u->last_symbol = &s->next;
}

struct symbol *unit_symbol(struct unit *u, struct slice name) {
    struct symbol *s = symbol_get(&u->symbols, name.text, name.length);
    if (!s) unit_no_memory(u);
    return s;
}

bool unit_no_memory(struct unit *u) {
    if (!u->failed) diag_fail(u->sink, SW_NO_MEMORY, NULL, "out of memory");
    u->failed = u->ended = true;
    u->errors++;
    return false;
}

uint8_t *unit_room(struct unit *u, uint64_t size) {
    struct section *s = u->section;
    uint64_t most = u->options->max_output ? u->options->max_output : 1ull << 30;
    if (size > most || u->output > most - size) {
        unit_error(u, u->statement, "the output exceeds %llu bytes", (unsigned long long)most);
        u->ended = true;
        return NULL;
    }
    u->output += size;
    if (s->size + size > s->capacity || !s->data) {
        uint64_t capacity = s->capacity ? s->capacity + s->capacity / 2 : 512;
        if (capacity < s->size + size) capacity = s->size + size;
        uint8_t *data = realloc(s->data, capacity);
        if (!data) return unit_no_memory(u), NULL;
        s->data = data;
        s->capacity = capacity;
    }
    uint8_t *p = s->data + s->size;
    s->size += size;
    return p;
}

bool unit_emit(struct unit *u, const void *bytes, size_t size) {
    struct section *s = u->section;
    if (u->loc_pending && !dwarf_row(u)) return false;
    if (u->options->listing) {
        s->size += size;
        return true;
    }
    if (s->type == SHT_NOBITS) {
        for (size_t i = 0; i < size; i++)
            if (((const uint8_t *)bytes)[i])
                return unit_error(u, u->statement, "a section without contents, %s, takes only zeros",
                                  s->name);
        s->size += size;
        return true;
    }
    uint8_t *p = unit_room(u, size);
    if (p) memcpy(p, bytes, size);
    return p;
}

// What an emitted expression names is in the object's table.
void unit_register_used(struct unit *u, const struct expr *e) {
    switch (e->kind) {
    case EXPR_SYMBOL: unit_register(u, e->symbol); break;
    case EXPR_UNARY: unit_register_used(u, e->left); break;
    case EXPR_BINARY:
        unit_register_used(u, e->left);
        unit_register_used(u, e->right);
        break;
    case EXPR_CALL:
        for (uint32_t i = 0; i < e->count; i++) unit_register_used(u, e->args[i]);
        break;
    }
}

bool unit_fixup(struct unit *u, uint64_t offset, unsigned kind, const struct expr *e) {
    unit_register_used(u, e);
    struct fixup f = {.offset = offset, .expr = e, .at = unit_late(u), .kind = (uint8_t)kind};
    return array_push(&u->section->fixups, f) || unit_no_memory(u);
}

bool unit_emit_value(struct unit *u, const struct asm_value *v, unsigned size, const char *where) {
    uint8_t bytes[8] = {0};
    struct asm_value now = *v;
    if (v->expr) {
        struct relocatable r;
        enum expr_status s = expr_evaluate(v->expr, &u->layout, &r);
        if (!s && !r.add && !r.sub && !r.variant) now = (struct asm_value){.number = r.number};
    }
    if (!now.expr) {
        int64_t n = now.number;
        if (size < 8 && (n < -(1ll << (size * 8 - 1)) || n >= 1ll << size * 8))
            return unit_error(u, where, "out of range literal value: %lld does not fit %u bytes",
                              (long long)n, size);
        memcpy(bytes, &n, size);
        return unit_emit(u, bytes, size);
    }
    if (u->section->type == SHT_NOBITS)
        return unit_error(u, where, "a section without contents, %s, takes only zeros", u->section->name);
    unsigned kind = size == 1 ? FIX_DATA1 : size == 2 ? FIX_DATA2 : size == 4 ? FIX_DATA4 : FIX_DATA8;
    return unit_fixup(u, u->section->size, kind, v->expr) && unit_emit(u, bytes, size);
}

bool fill_gap(struct unit *u, const struct section *s, uint8_t *p, uint64_t gap, const uint8_t *fill,
              unsigned unit) {
    static const uint8_t nop[4] = {0x00, 0x00, 0x80, 0xbf}; // s_nop 0
    if (!fill && s->flags & SHF_EXECINSTR) {
        memset(p, 0, gap & 3);
        for (uint64_t i = gap & 3; i < gap; i += 4) memcpy(p + i, nop, 4);
        return true;
    }
    memset(p, 0, gap);
    if (!fill) return true;
    if (gap % unit)
        return unit_error(u, u->statement, "%llu bytes of padding are no multiple of the fill value's %u",
                          (unsigned long long)gap, unit);
    for (uint64_t i = 0; i < gap; i += unit) memcpy(p + i, fill, unit);
    return true;
}

bool unit_align(struct unit *u, uint64_t alignment, const uint8_t *fill, unsigned fill_size, uint64_t most) {
    struct section *s = u->section;
    if (alignment < 2) return true;
    if (s->alignment < alignment) s->alignment = alignment;
    if ((s->pieces.count || s->whole) && !u->laid_out) { // who knows where a subsection will begin
        struct piece piece = {.kind = PIECE_ALIGN, .align = alignment, .most = most, .filled = fill};
        if (fill) memcpy(&piece.value, fill, piece.unit = (uint8_t)fill_size);
        return unit_piece(u, piece);
    }
    uint64_t gap = align_up(s->size, alignment) - s->size;
    if (!gap || (most && gap > most)) return true;
    if (s->type == SHT_NOBITS || u->options->listing) {
        s->size += gap;
        return true;
    }
    uint8_t *p = unit_room(u, gap);
    return p && fill_gap(u, s, p, gap, fill, fill_size);
}

struct place unit_here(const struct unit *u) {
    struct section *s = u->section;
    return (struct place){s, s->size, u->laid_out ? 0 : (uint32_t)s->pieces.count};
}

bool unit_define_label(struct unit *u, struct symbol *s, const char *where) {
    if (s->state != SYMBOL_UNDEFINED)
        return unit_error(u, where, "symbol '%.*s' is already defined", (int)s->length,
                          s->name ? s->name : "");
    s->state = SYMBOL_LABEL;
    struct place here = unit_here(u);
    s->section = here.section;
    s->offset = here.offset;
    s->piece = here.piece;
    if (here.section->flags & SHF_TLS) s->type = STT_TLS;
    unit_register(u, s);
    return !u->describes || u->laid_out || dwarf_add_label(u, s);
}

bool unit_assign(struct unit *u, struct slice name, const struct asm_value *v, bool again,
                 const char *where) {
    struct symbol *s = unit_symbol(u, name);
    if (!s) return false;
    bool variable = s->state == SYMBOL_NUMBER || s->state == SYMBOL_VARIABLE;
    if (s->state != SYMBOL_UNDEFINED && (!variable || !again || s->fixed))
        return unit_error(u, where, "redefinition of '%.*s'", (int)name.length, name.text);
    if (s->state == SYMBOL_VARIABLE && s->used)
        return unit_error(u, where, "invalid reassignment of non-absolute variable '%.*s'", (int)name.length,
                          name.text);
    struct asm_value now = *v;
    s->fixed = !again;
    if (v->expr) {
        struct relocatable r;
        s->evaluating = true; // naming itself is a circle
        enum expr_status status = expr_evaluate(v->expr, NULL, &r);
        s->evaluating = false;
        if (status == EXPR_CIRCULAR)
            return unit_error(u, where, "'%.*s' is defined by itself", (int)name.length, name.text);
        if (!status && !r.add && !r.sub) now = (struct asm_value){.number = r.number};
    }
    s->state = now.expr ? SYMBOL_VARIABLE : SYMBOL_NUMBER;
    s->value = now.expr;
    s->offset = (uint64_t)now.number;
    if (variable && s->registered) {
        s->order = ++u->order;
        u->reordered = true;
    }
    unit_register(u, s);
    if (now.expr) unit_register_used(u, now.expr);
    return true;
}

bool symbol_where(const struct unit *u, const struct symbol *s, struct place *out) {
    if (s->state == SYMBOL_VARIABLE) { // what the name stands for, seen through to a label
        struct relocatable r;
        struct symbol *y = (struct symbol *)s;
        y->evaluating = true;
        enum expr_status status = expr_evaluate(s->value, &u->layout, &r);
        y->evaluating = false;
        if (status || r.sub || !r.add || r.variant || !symbol_where(u, r.add, out)) return false;
        out->offset += (uint64_t)r.number;
        return true;
    }
    if (s->state != SYMBOL_LABEL) return false;
    *out = (struct place){s->section, s->offset, s->piece};
    if (s->section->joined) { // a subsection is a part of its section by now
        out->section = s->section->whole;
        out->offset += s->section->base;
        out->piece += s->section->base_piece;
    }
    return true;
}

bool symbol_place(const struct unit *u, const struct symbol *s, struct section **section, uint64_t *offset) {
    struct place p;
    if (!symbol_where(u, s, &p)) return false;
    *section = p.section;
    *offset = place_offset(p);
    return true;
}
