// SPDX-License-Identifier: MIT
// Lines of the listing: text as llvm-mc prints it again. Directives show what they understood, in one
// spelling each.
#include <ctype.h>
#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "asm/text/unit.h"

bool unit_shows(const struct unit *u) { return u->program->options->listing != NULL; }

void unit_show(struct unit *u, const char *text) {
    const sw_asm_options *o = u->program->options;
    text_puts(&u->line, text);
    if (u->line.failed)
        u->program->ended = u->program->failed = true;
    else if (!o->listing(o->listing_context, u->line.data, u->line.length))
        u->program->ended = u->program->stopped = true;
    u->line.length = 0;
}

// ---- Names and strings ----

void unit_show_quoted(struct unit *u, const char *p, size_t length) {
    static const char letters[] = "\b\f\n\r\t", names[] = "bfnrt";
    text_puts(&u->line, "\"");
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)p[i];
        const char *letter = c ? strchr(letters, c) : NULL;
        if (c == '"' || c == '\\')
            text_printf(&u->line, "\\%c", c);
        else if (letter)
            text_printf(&u->line, "\\%c", names[letter - letters]);
        else if (c < 0x20 || c >= 0x7f)
            text_printf(&u->line, "\\%03o", c);
        else
            text_add(&u->line, p + i, 1);
    }
    text_puts(&u->line, "\"");
}

static bool is_plain(const char *p, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)p[i]) && !strchr("_.$@", p[i])) return false;
    return length && !isdigit((unsigned char)*p);
}
void unit_show_name(struct unit *u, const char *p, size_t length) {
    if (is_plain(p, length))
        text_add(&u->line, p, length);
    else
        unit_show_quoted(u, p, length);
}
static void show_symbol(struct unit *u, const struct symbol *s) {
    unit_show_name(u, s->name ? s->name : ".", s->name ? s->length : 1);
}

bool unit_show_temporary(struct unit *u, struct symbol *s) {
    char name[24];
    const int n = snprintf(name, sizeof name, ".Ltmp%u", u->temporaries++);
    s->name = arena_copy(&u->program->arena, name, (size_t)n);
    s->length = (uint32_t)n;
    return s->name || program_no_memory(u->program);
}

// ---- Expressions ----

static const char *const signs[] = {
    [OP_NEG] = "-", [OP_NOT] = "~", [OP_LNOT] = "!",  [OP_PLUS] = "+",  [OP_ADD] = "+",  [OP_SUB] = "-",
    [OP_MUL] = "*", [OP_DIV] = "/", [OP_MOD] = "%",   [OP_SHL] = "<<",  [OP_SHR] = ">>", [OP_AND] = "&",
    [OP_OR] = "|",  [OP_XOR] = "^", [OP_ORNOT] = "!", [OP_EQ] = "==",   [OP_NE] = "!=",  [OP_LT] = "<",
    [OP_LE] = "<=", [OP_GT] = ">",  [OP_GE] = ">=",   [OP_LAND] = "&&", [OP_LOR] = "||",
};
// LLVM leaves parentheses out of sums alone: those have precedence 1, all else the highest.
enum { SUM = 1, HIGHEST = 100 };

static void show_expr(struct unit *u, const struct expr *e, unsigned around);
static void show_binary(struct unit *u, const struct expr *e, unsigned around) {
    const bool is_sum = e->op == OP_ADD || e->op == OP_SUB, parens = is_sum ? SUM < around : around != 0;
    const unsigned inside = is_sum ? SUM : HIGHEST;
    if (parens) text_puts(&u->line, "(");
    show_expr(u, e->left, inside);
    if (e->op != OP_ADD || e->right->kind != EXPR_NUMBER || e->right->number >= 0)
        text_puts(&u->line, signs[e->op]);
    show_expr(u, e->right, inside + 1);
    if (parens) text_puts(&u->line, ")");
}
static void show_expr(struct unit *u, const struct expr *e, unsigned around) {
    switch (e->kind) {
    case EXPR_NUMBER: text_printf(&u->line, "%lld", (long long)e->number); break;
    case EXPR_SYMBOL:
        show_symbol(u, e->symbol);
        text_puts(&u->line, expr_variant_name((enum variant)e->variant));
        break;
    case EXPR_UNARY:
        text_puts(&u->line, signs[e->op]);
        show_expr(u, e->left, HIGHEST);
        break;
    case EXPR_BINARY: show_binary(u, e, around); break;
    default:
        text_printf(&u->line, "%s(", expr_call_name((enum call)e->op));
        for (uint32_t i = 0; i < e->count; i++) {
            if (i) text_puts(&u->line, ", ");
            show_expr(u, e->args[i], 0);
        }
        text_puts(&u->line, ")");
    }
}

void unit_show_expr(struct unit *u, const struct expr *e) { show_expr(u, e, 0); }
static bool no_distance(void *context, const struct symbol *a, const struct symbol *b, int64_t *out) {
    (void)context, (void)a, (void)b, (void)out;
    return false;
}
// What is a number without the places of labels is shown as one.
void unit_show_value(struct unit *u, const struct mc_value *v) {
    struct expr_layout layout = u->program->layout;
    int64_t number;
    layout.distance = no_distance;
    if (expr_absolute(v, &layout, &number))
        show_expr(u, v->expr, 0);
    else
        text_printf(&u->line, "%lld", (long long)number);
}

// ---- Lines that several directives have ----

void unit_show_bytes(struct unit *u, const char *p, size_t length) {
    if (!length || !unit_shows(u)) return;
    if (length == 1) {
        text_printf(&u->line, "\t.byte\t%d", (unsigned char)*p);
    } else {
        const bool zero = !p[length - 1];
        text_puts(&u->line, zero ? "\t.asciz\t" : "\t.ascii\t");
        unit_show_quoted(u, p, length - zero);
    }
    unit_show(u, "\n");
}
void unit_show_data(struct unit *u, unsigned size, const struct mc_value *v) {
    if (!unit_shows(u)) return;
    text_printf(&u->line, "\t.%s\t", size == 1 ? "byte" : size == 2 ? "short" : size == 4 ? "long" : "quad");
    unit_show_value(u, v);
    unit_show(u, "\n");
}
void unit_show_symbol(struct unit *u, const char *head, struct slice name, const char *tail) {
    if (!unit_shows(u)) return;
    text_puts(&u->line, head);
    unit_show_name(u, name.text, name.length);
    unit_show(u, tail);
}

// ---- Sections ----

static void show_flags(struct unit *u, const struct section *s) {
    static const struct {
        uint64_t flag;
        char letter;
    } letters[] = {{SHF_ALLOC, 'a'}, {SHF_EXCLUDE, 'e'}, {SHF_EXECINSTR, 'x'}, {SHF_WRITE, 'w'},
                   {SHF_MERGE, 'M'}, {SHF_STRINGS, 'S'}, {SHF_TLS, 'T'},       {SHF_LINK_ORDER, 'o'},
                   {SHF_GROUP, 'G'}, {1 << 21, 'R'}};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (s->flags & letters[i].flag) text_add(&u->line, &letters[i].letter, 1);
}
static const char *type_name(uint32_t type) {
    switch (type) {
    case SHT_PROGBITS: return "progbits";
    case SHT_NOBITS: return "nobits";
    case SHT_NOTE: return "note";
    case SHT_INIT_ARRAY: return "init_array";
    case SHT_FINI_ARRAY: return "fini_array";
    case SHT_PREINIT_ARRAY: return "preinit_array";
    default: return NULL;
    }
}
// Where bytes go now, unless that was shown already.
void unit_show_section(struct unit *u) {
    const struct section *here = u->program->section, *s = here->whole ? here->whole : here;
    if (!unit_shows(u) || u->shown == here) return;
    u->shown = here;
    if (!strcmp(s->name, ".text") || !strcmp(s->name, ".data")) {
        text_printf(&u->line, "\t%s", s->name);
        if (here->number) text_printf(&u->line, "\t%u", here->number);
        unit_show(u, "\n");
        return;
    }
    const char *type = type_name(s->type);
    text_puts(&u->line, "\t.section\t");
    unit_show_name(u, s->name, strlen(s->name));
    text_puts(&u->line, ",\"");
    show_flags(u, s);
    if (type)
        text_printf(&u->line, "\",@%s", type);
    else
        text_printf(&u->line, "\",@0x%x", s->type);
    if (s->entsize) text_printf(&u->line, ",%llu", (unsigned long long)s->entsize);
    if (s->flags & SHF_LINK_ORDER) {
        text_puts(&u->line, ",");
        if (s->link)
            show_symbol(u, s->link);
        else
            text_puts(&u->line, "0");
    }
    if (s->group) {
        text_puts(&u->line, ",");
        show_symbol(u, s->group);
        if (s->comdat) text_puts(&u->line, ",comdat");
    }
    if (s->unique != NOT_UNIQUE) text_printf(&u->line, ",unique,%llu", (unsigned long long)s->unique);
    if (here->number) text_printf(&u->line, "\n\t.subsection\t%u", here->number);
    unit_show(u, "\n");
}
