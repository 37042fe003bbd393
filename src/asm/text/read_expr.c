// SPDX-License-Identifier: MIT
// Reading expressions, with LLVM's operators and precedence. What is a number is folded at once. The parser
// climbs precedences; its depth is bounded.
#include "asm/text/read_expr.h"

#include <string.h>
#include <strings.h>

#include "asm/insn/asm.h"
#include "asm/text/lex.h"
#include "base/arena.h"
#include "mc/program/symbol.h"

struct reader {
    const struct expr_reader *r;
    const char *p, *end;
    unsigned depth;
};

static bool fail(struct reader *s, const char *where, const char *message) {
    s->r->error(s->r->context, where, message);
    return false;
}

static const struct expr *tree_of(struct reader *s, const struct mc_value *v) {
    return v->expr ? v->expr : expr_number(s->r->arena, v->number);
}

static bool keep(struct reader *s, const struct expr *e, struct mc_value *out) {
    if (!e) return fail(s, s->p, "out of memory");
    if (e->depth > EXPR_DEPTH) return fail(s, s->p, "the expression is too long");
    *out = (struct mc_value){.expr = e};
    return true;
}

// ---- Reading ----

static bool parse_binary(struct reader *s, unsigned least, struct mc_value *out);
static bool parse_primary(struct reader *s, struct mc_value *out);

static bool parse_unary(struct reader *s, enum expr_op op, struct mc_value *out) {
    const char *where = s->p++;
    if (++s->depth > EXPR_DEPTH) return fail(s, where, "the expression is nested too deeply");
    bool ok = parse_primary(s, out);
    s->depth--;
    if (!ok || op == OP_PLUS) return ok;
    if (out->expr) return keep(s, expr_unary(s->r->arena, op, out->expr), out);
    out->number = expr_fold_unary(op, out->number);
    return true;
}

static const char *const variants[] = {
    [VARIANT_NONE] = "",
    [VARIANT_GOTPCREL] = "@gotpcrel",
    [VARIANT_GOTPCREL32_LO] = "@gotpcrel32@lo",
    [VARIANT_GOTPCREL32_HI] = "@gotpcrel32@hi",
    [VARIANT_REL32_LO] = "@rel32@lo",
    [VARIANT_REL32_HI] = "@rel32@hi",
    [VARIANT_REL64] = "@rel64",
    [VARIANT_ABS32_LO] = "@abs32@lo",
    [VARIANT_ABS32_HI] = "@abs32@hi",
    [VARIANT_ABS64] = "@abs64",
};
static const char *const calls[] = {
    [CALL_MAX] = "max",
    [CALL_OR] = "or",
    [CALL_EXTRA_SGPRS] = "extrasgprs",
    [CALL_TOTAL_VGPRS] = "totalnumvgprs",
    [CALL_ALIGN_TO] = "alignto",
    [CALL_OCCUPANCY] = "occupancy",
    [CALL_PREFETCH] = "instprefsize",
};
const char *expr_variant_name(enum variant v) { return variants[v]; }
const char *expr_call_name(enum call c) { return calls[c]; }

static bool parse_variant(struct reader *s, enum variant *out) {
    const char *p = s->p;
    while (p < s->end && (*p == '@' || char_is(*p, CHAR_NAME))) p++;
    struct slice text = {s->p, (size_t)(p - s->p)};
    for (size_t i = VARIANT_NONE + 1; i < sizeof variants / sizeof *variants; i++)
        if (!strncasecmp(variants[i], text.text, text.length) && !variants[i][text.length]) {
            *out = (enum variant)i;
            s->p = p;
            return true;
        }
    return fail(s, s->p,
                "invalid variant: @gotpcrel, @gotpcrel32@lo or @hi, @rel32@lo or @hi, @rel64, @abs32@lo or "
                "@hi, @abs64 are known");
}

static bool parse_call(struct reader *s, enum call call, struct mc_value *out) {
    const struct expr *args[64];
    unsigned count = 0;
    bool constant = true;
    int64_t best = 0;
    const char *where = s->p++;
    if (++s->depth > EXPR_DEPTH) return fail(s, where, "the expression is nested too deeply");
    s->p = skip_space(s->p, s->end);
    if (s->p < s->end && *s->p == ')') return fail(s, s->p, "empty argument list");
    for (;;) {
        struct mc_value v;
        if (!parse_binary(s, 1, &v)) return false;
        if (count == sizeof args / sizeof *args) return fail(s, s->p, "too many arguments");
        constant &= !v.expr && (call == CALL_MAX || call == CALL_OR);
        best = !count ? v.number : call == CALL_OR ? best | v.number : v.number > best ? v.number : best;
        if (!(args[count++] = tree_of(s, &v))) return fail(s, s->p, "out of memory");
        s->p = skip_space(s->p, s->end);
        if (s->p < s->end && *s->p == ',') {
            s->p++;
            continue;
        }
        if (s->p == s->end || *s->p++ != ')') return fail(s, s->p, "expected ',' or ')' in an argument list");
        break;
    }
    s->depth--;
    if (constant) {
        *out = (struct mc_value){.number = best};
        return true;
    }
    const struct expr **list = arena_alloc(s->r->arena, count * sizeof *list);
    struct expr *e = arena_alloc(s->r->arena, sizeof *e);
    if (!list || !e) return fail(s, where, "out of memory");
    unsigned depth = 0;
    for (unsigned i = 0; i < count; i++) {
        list[i] = args[i];
        if (args[i]->depth > depth) depth = args[i]->depth;
    }
    *e = (struct expr){
        .kind = EXPR_CALL, .op = (uint8_t)call, .depth = (uint16_t)(depth + 1), .count = count, .args = list};
    return keep(s, e, out);
}

static bool use_symbol(struct reader *s, struct symbol *y, enum variant variant, struct mc_value *out) {
    if (!y) return fail(s, s->p, "out of memory");
    // A number is taken at once: the symbol may get another one later.
    if (y->state == SYMBOL_NUMBER && !variant) {
        *out = (struct mc_value){.number = (int64_t)y->offset};
        return true;
    }
    y->used = true;
    if (s->r->used) s->r->used(s->r->context, y);
    if (!variant) {
        *out = (struct mc_value){.expr = &y->reference};
        return true;
    }
    struct expr *e = arena_alloc(s->r->arena, sizeof *e);
    if (!e) return fail(s, s->p, "out of memory");
    *e = y->reference;
    e->variant = (uint8_t)variant;
    *out = (struct mc_value){.expr = e};
    return true;
}

static bool parse_name(struct reader *s, struct slice name, struct mc_value *out) {
    if (s->p < s->end && *s->p == '(')
        for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
            if (slice_is(name, calls[i])) return parse_call(s, i, out);
    if (slice_is(name, ".") && s->r->here) return use_symbol(s, s->r->here(s->r->context), VARIANT_NONE, out);
    int64_t number;
    if (s->r->predefined && s->r->predefined(s->r->context, name.text, name.length, &number)) {
        *out = (struct mc_value){.number = number};
        return true;
    }
    if (!s->r->symbols) return fail(s, name.text, "symbols have no meaning here");
    enum variant variant = VARIANT_NONE;
    if (s->p < s->end && *s->p == '@' && !parse_variant(s, &variant)) return false;
    return use_symbol(s, symbol_get(s->r->symbols, name.text, name.length), variant, out);
}

static bool parse_number(struct reader *s, struct mc_value *out) {
    const char *where = s->p;
    struct number n = lex_number(&s->p, s->end);
    if (n.error) return fail(s, where, n.error);
    switch (n.kind) {
    case NUMBER_INTEGER: *out = (struct mc_value){.number = (int64_t)n.low}; return true;
    case NUMBER_BIG: return fail(s, where, "literal value out of range for directive");
    case NUMBER_FLOAT: return fail(s, where, "a floating-point number has no place in an expression");
    case NUMBER_BEHIND:
    case NUMBER_AHEAD: {
        struct symbol *y = s->r->label ? s->r->label(s->r->context, n.low, n.kind == NUMBER_AHEAD) : NULL;
        if (!y) return fail(s, where, "directional label undefined");
        return use_symbol(s, y, VARIANT_NONE, out);
    }
    default: return fail(s, where, "expected an expression");
    }
}

static bool parse_primary(struct reader *s, struct mc_value *out) {
    s->p = skip_space(s->p, s->end);
    if (s->p == s->end) return fail(s, s->p, "expected an expression");
    const char *where = s->p, *error = NULL;
    switch (*s->p) {
    case '-': return parse_unary(s, OP_NEG, out);
    case '~': return parse_unary(s, OP_NOT, out);
    case '!': return parse_unary(s, OP_LNOT, out);
    case '+': return parse_unary(s, OP_PLUS, out);
    case '(':
        s->p++;
        if (++s->depth > EXPR_DEPTH) return fail(s, where, "the expression is nested too deeply");
        if (!parse_binary(s, 1, out)) return false;
        s->depth--;
        s->p = skip_space(s->p, s->end);
        if (s->p == s->end || *s->p != ')') return fail(s, s->p, "expected ')' in parentheses expression");
        s->p++;
        return true;
    case '\'':
        s->p++;
        *out = (struct mc_value){0};
        return lex_character(&s->p, s->end, &out->number, &error) || fail(s, where, error);
    case '"': {
        struct text name = {0};
        bool ok = lex_string(&s->p, s->end, &name, &error) || fail(s, where, error);
        if (ok && !s->r->symbols) ok = fail(s, where, "symbols have no meaning here");
        if (ok)
            ok = use_symbol(s, symbol_get(s->r->symbols, name.data ? name.data : "", name.length), 0, out);
        text_free(&name);
        return ok;
    }
    }
    if (char_is(*s->p, CHAR_DIGIT)) return parse_number(s, out);
    struct slice name;
    if (!lex_name(&s->p, s->end, &name)) return fail(s, where, "unknown token in expression");
    return parse_name(s, name, out);
}

// The operator at p, its length and precedence; 0: none.
static unsigned operator_at(const char *p, const char *end, enum expr_op *op, unsigned *length) {
    char c = p < end ? *p : 0, next = p + 1 < end ? p[1] : 0;
#define TAKE(o, n, precedence) return *op = (o), *length = (n), (precedence)
    switch (c) {
    case '|':
        if (next == '|') TAKE(OP_LOR, 2, 1);
        TAKE(OP_OR, 1, 5);
    case '&':
        if (next == '&') TAKE(OP_LAND, 2, 2);
        TAKE(OP_AND, 1, 5);
    case '=':
        if (next == '=') TAKE(OP_EQ, 2, 3);
        return 0;
    case '!':
        if (next == '=') TAKE(OP_NE, 2, 3);
        TAKE(OP_ORNOT, 1, 5);
    case '<':
        if (next == '<') TAKE(OP_SHL, 2, 6);
        if (next == '>') TAKE(OP_NE, 2, 3);
        if (next == '=') TAKE(OP_LE, 2, 3);
        TAKE(OP_LT, 1, 3);
    case '>':
        if (next == '>') TAKE(OP_SHR, 2, 6);
        if (next == '=') TAKE(OP_GE, 2, 3);
        TAKE(OP_GT, 1, 3);
    case '+': TAKE(OP_ADD, 1, 4);
    case '-': TAKE(OP_SUB, 1, 4);
    case '^': TAKE(OP_XOR, 1, 5);
    case '*': TAKE(OP_MUL, 1, 6);
    case '/': TAKE(OP_DIV, 1, 6);
    case '%': TAKE(OP_MOD, 1, 6);
    default: return 0;
    }
#undef TAKE
}

static bool combine(struct reader *s, enum expr_op op, struct mc_value *a, const struct mc_value *b,
                    const char *where) {
    if (!a->expr && !b->expr) {
        if (!expr_fold(op, a->number, b->number, &a->number)) return fail(s, where, "division by zero");
        return true;
    }
    return keep(s, expr_binary(s->r->arena, op, tree_of(s, a), tree_of(s, b)), a);
}

static bool parse_binary(struct reader *s, unsigned least, struct mc_value *out) {
    if (!parse_primary(s, out)) return false;
    for (;;) {
        const char *where = skip_space(s->p, s->end);
        enum expr_op op;
        unsigned length, precedence = operator_at(where, s->end, &op, &length);
        if (!precedence || precedence < least) return true;
        s->p = where + length;
        struct mc_value right;
        if (!parse_binary(s, precedence + 1, &right)) return false;
        if (!combine(s, op, out, &right, where)) return false;
    }
}

bool expr_parse(const struct expr_reader *r, const char **at, const char *end, struct mc_value *out) {
    struct reader s = {.r = r, .p = *at, .end = end};
    *out = (struct mc_value){0};
    bool ok = parse_binary(&s, 1, out);
    *at = s.p;
    return ok;
}
