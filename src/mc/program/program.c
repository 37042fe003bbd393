// SPDX-License-Identifier: MIT
// Symbols of a program, and where they are.
#include "mc/program/program.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

void program_register(struct program *program, struct symbol *s) {
    if (s->registered) return;
    s->registered = true;
    s->order = ++program->order;
    *program->last_symbol = s;
    program->last_symbol = &s->next;
}

struct symbol *program_symbol(struct program *program, struct slice name) {
    struct symbol *s = symbol_get(&program->symbols, name.text, name.length);
    if (!s) program_no_memory(program);
    return s;
}

// What an emitted expression names is in the object's table.
void program_register_used(struct program *program, const struct expr *e) {
    switch (e->kind) {
    case EXPR_SYMBOL: program_register(program, e->symbol); break;
    case EXPR_UNARY: program_register_used(program, e->left); break;
    case EXPR_BINARY:
        program_register_used(program, e->left);
        program_register_used(program, e->right);
        break;
    case EXPR_CALL:
        for (uint32_t i = 0; i < e->count; i++) program_register_used(program, e->args[i]);
        break;
    }
}

bool program_define_label(struct program *program, struct symbol *s, const char *where) {
    if (s->state != SYMBOL_UNDEFINED)
        return program_error(program, where, "symbol '%.*s' is already defined", (int)s->length,
                             s->name ? s->name : "");
    s->state = SYMBOL_LABEL;
    struct place here = program_here(program);
    s->section = here.section;
    s->offset = here.offset;
    s->piece = here.piece;
    if (here.section->flags & SHF_TLS) s->type = STT_TLS;
    program_register(program, s);
    return !program->describes || program->laid_out || program->reader->labelled(program->reader->context, s);
}

bool program_assign(struct program *program, struct slice name, const struct mc_value *v, bool again,
                    const char *where) {
    struct symbol *s = program_symbol(program, name);
    if (!s) return false;
    bool variable = s->state == SYMBOL_NUMBER || s->state == SYMBOL_VARIABLE;
    if (s->state != SYMBOL_UNDEFINED && (!variable || !again || s->fixed))
        return program_error(program, where, "redefinition of '%.*s'", (int)name.length, name.text);
    if (s->state == SYMBOL_VARIABLE && s->used)
        return program_error(program, where, "invalid reassignment of non-absolute variable '%.*s'",
                             (int)name.length, name.text);
    struct mc_value now = *v;
    s->fixed = !again;
    if (v->expr) {
        struct relocatable r;
        s->evaluating = true; // naming itself is a circle
        enum expr_status status = expr_evaluate(v->expr, NULL, &r);
        s->evaluating = false;
        if (status == EXPR_CIRCULAR)
            return program_error(program, where, "'%.*s' is defined by itself", (int)name.length, name.text);
        if (!status && !r.add && !r.sub) now = (struct mc_value){.number = r.number};
    }
    s->state = now.expr ? SYMBOL_VARIABLE : SYMBOL_NUMBER;
    s->value = now.expr;
    s->offset = (uint64_t)now.number;
    if (variable && s->registered) {
        s->order = ++program->order;
        program->reordered = true;
    }
    program_register(program, s);
    if (now.expr) program_register_used(program, now.expr);
    return true;
}

// What each function needs is said by symbols that name those of its callees: many ways lead to one symbol,
// and some are long. From the last to the first, and from the first to the last, until no value is too far
// from those known.
bool program_settle(struct program *program) {
    ARRAY(struct symbol *) all = {0};
    bool whole = true, far = true, found = true;
    for (struct symbol *s = program->first_symbol; s; s = s->next)
        if (s->state == SYMBOL_VARIABLE) whole &= array_push(&all, s);
    program->layout.final = true;
    for (unsigned turn = 0; whole && far && found; turn++) {
        far = found = false;
        for (size_t i = 0; i < all.count; i++) {
            struct symbol *s = all.items[turn & 1 ? i : all.count - 1 - i];
            struct relocatable r;
            const struct expr name = {.kind = EXPR_SYMBOL, .symbol = s};
            if (s->settled) continue;
            far |= expr_evaluate(&name, &program->layout, &r) == EXPR_TOO_LONG;
            found |= s->settled;
        }
    }
    array_free(&all);
    return whole || program_no_memory(program);
}

bool symbol_where(const struct program *program, const struct symbol *s, struct place *out) {
    if (s->state == SYMBOL_VARIABLE) { // what the name stands for, seen through to a label
        struct relocatable r;
        struct symbol *y = (struct symbol *)s;
        y->evaluating = true;
        enum expr_status status = expr_evaluate(s->value, &program->layout, &r);
        y->evaluating = false;
        if (status || r.sub || !r.add || r.variant || !symbol_where(program, r.add, out)) return false;
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

bool symbol_place(const struct program *program, const struct symbol *s, struct section **section,
                  uint64_t *offset) {
    struct place p;
    if (!symbol_where(program, s, &p)) return false;
    *section = p.section;
    *offset = place_offset(p);
    return true;
}

bool program_distance(void *context, const struct symbol *a, const struct symbol *b, int64_t *out) {
    const struct program *program = context;
    struct place x, y;
    if (!symbol_where(program, a, &x) || !symbol_where(program, b, &y) || x.section != y.section)
        return false;
    if (x.piece != y.piece && !program->laid_out) return false; // something of open size between them
    *out = (int64_t)(place_offset(x) - place_offset(y));
    return true;
}

// ---- The end ----

void program_free(struct program *program) {
    for (struct section *s = program->sections; s; s = s->next) {
        for (struct section *sub = s->subsections; sub; sub = sub->next) {
            free(sub->data);
            array_free(&sub->fixups);
            array_free(&sub->pieces);
        }
        free(s->data);
        array_free(&s->fixups);
        array_free(&s->relocations);
        array_free(&s->pieces);
    }
    free(program->symbols.slots);
    free(program->section_hash);
    array_free(&program->section_stack);
    array_free(&program->addrsig);
    array_free(&program->pal_pairs);
    array_free(&program->symvers);
    array_free(&program->profile);
    arena_free(&program->arena);
}
