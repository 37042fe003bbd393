// SPDX-License-Identifier: MIT
// Reading and evaluating expressions. The parser climbs precedences; its depth and that of every tree is
// bounded, and an evaluation may visit only so many nodes, so no text makes either run away.
#include "asm/text/expr.h"

#include <strings.h>

#include "asm/insn/asm.h"
#include "asm/text/lex.h"
#include "asm/object/symbol.h"
#include "base/arena.h"

enum { MAX_DEPTH = 400, MAX_ARGS = 4096, MAX_NODES = 1 << 16 };

struct reader {
    const struct expr_reader *r;
    const char *p, *end;
    unsigned depth;
};

static bool fail(struct reader *s, const char *where, const char *message) {
    s->r->error(s->r->context, where, message);
    return false;
}

// ---- Arithmetic ----

static bool fold(enum expr_op op, int64_t a, int64_t b, int64_t *out) {
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (op) {
    case OP_ADD: *out = (int64_t)(x + y); break;
    case OP_SUB: *out = (int64_t)(x - y); break;
    case OP_MUL: *out = (int64_t)(x * y); break;
    case OP_DIV:
    case OP_MOD:
        if (!b) return false;
        if (b == -1)
            *out = op == OP_DIV ? (int64_t)-x : 0;
        else
            *out = op == OP_DIV ? a / b : a % b;
        break;
    case OP_SHL: *out = (int64_t)(x << (y & 63)); break;
    case OP_SHR: *out = (int64_t)(x >> (y & 63)); break;
    case OP_AND: *out = (int64_t)(x & y); break;
    case OP_OR: *out = (int64_t)(x | y); break;
    case OP_XOR: *out = (int64_t)(x ^ y); break;
    case OP_ORNOT: *out = (int64_t)(x | ~y); break;
    case OP_EQ: *out = -(a == b); break;
    case OP_NE: *out = -(a != b); break;
    case OP_LT: *out = -(a < b); break;
    case OP_LE: *out = -(a <= b); break;
    case OP_GT: *out = -(a > b); break;
    case OP_GE: *out = -(a >= b); break;
    case OP_LAND: *out = a && b; break;
    case OP_LOR: *out = a || b; break;
    default: return false;
    }
    return true;
}

static int64_t fold_unary(enum expr_op op, int64_t a) {
    switch (op) {
    case OP_NEG: return (int64_t) - (uint64_t)a;
    case OP_NOT: return ~a;
    case OP_LNOT: return !a;
    default: return a;
    }
}

// ---- Trees ----

static const struct expr *tree_of(struct reader *s, const struct asm_value *v) {
    return v->expr ? v->expr : expr_number(s->r->arena, v->number);
}

const struct expr *expr_number(struct arena *arena, int64_t number) {
    struct expr *e = arena_alloc(arena, sizeof *e);
    if (e) *e = (struct expr){.kind = EXPR_NUMBER, .depth = 1, .number = number};
    return e;
}

static const struct expr *node(struct arena *arena, enum expr_kind kind, unsigned op, const struct expr *a,
                               const struct expr *b) {
    struct expr *e = a ? arena_alloc(arena, sizeof *e) : NULL;
    if (!e || (kind == EXPR_BINARY && !b)) return NULL;
    unsigned depth = a->depth;
    if (b && b->depth > depth) depth = b->depth;
    *e = (struct expr){
        .kind = (uint8_t)kind, .op = (uint8_t)op, .depth = (uint16_t)(depth + 1), .left = a, .right = b};
    return e;
}

const struct expr *expr_binary(struct arena *arena, enum expr_op op, const struct expr *a,
                               const struct expr *b) {
    int64_t v;
    if (a && b && a->kind == EXPR_NUMBER && b->kind == EXPR_NUMBER && fold(op, a->number, b->number, &v))
        return expr_number(arena, v);
    return node(arena, EXPR_BINARY, op, a, b);
}

static bool keep(struct reader *s, const struct expr *e, struct asm_value *out) {
    if (!e) return fail(s, s->p, "out of memory");
    if (e->depth > MAX_DEPTH) return fail(s, s->p, "the expression is too long");
    *out = (struct asm_value){.expr = e};
    return true;
}

// ---- Reading ----

static bool parse_binary(struct reader *s, unsigned least, struct asm_value *out);
static bool parse_primary(struct reader *s, struct asm_value *out);

static bool parse_unary(struct reader *s, enum expr_op op, struct asm_value *out) {
    const char *where = s->p++;
    if (++s->depth > MAX_DEPTH) return fail(s, where, "the expression is nested too deeply");
    bool ok = parse_primary(s, out);
    s->depth--;
    if (!ok || op == OP_PLUS) return ok;
    if (out->expr) return keep(s, node(s->r->arena, EXPR_UNARY, op, out->expr, NULL), out);
    out->number = fold_unary(op, out->number);
    return true;
}

static bool parse_variant(struct reader *s, enum variant *out) {
    static const struct {
        const char *text;
        uint8_t variant;
    } names[] = {
        {"@gotpcrel32@lo", VARIANT_GOTPCREL32_LO},
        {"@gotpcrel32@hi", VARIANT_GOTPCREL32_HI},
        {"@gotpcrel", VARIANT_GOTPCREL},
        {"@rel32@lo", VARIANT_REL32_LO},
        {"@rel32@hi", VARIANT_REL32_HI},
        {"@rel64", VARIANT_REL64},
        {"@abs32@lo", VARIANT_ABS32_LO},
        {"@abs32@hi", VARIANT_ABS32_HI},
        {"@abs64", VARIANT_ABS64},
    };
    const char *p = s->p;
    while (p < s->end && (*p == '@' || char_is(*p, CHAR_NAME))) p++;
    struct slice text = {s->p, (size_t)(p - s->p)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncasecmp(names[i].text, text.text, text.length) && !names[i].text[text.length]) {
            *out = names[i].variant;
            s->p = p;
            return true;
        }
    return fail(s, s->p,
                "invalid variant: @gotpcrel, @gotpcrel32@lo or @hi, @rel32@lo or @hi, @rel64, @abs32@lo or "
                "@hi, @abs64 are known");
}

static bool parse_call(struct reader *s, enum call call, struct asm_value *out) {
    const struct expr *args[64];
    unsigned count = 0;
    bool constant = true;
    int64_t best = 0;
    const char *where = s->p++;
    if (++s->depth > MAX_DEPTH) return fail(s, where, "the expression is nested too deeply");
    s->p = skip_space(s->p, s->end);
    if (s->p < s->end && *s->p == ')') return fail(s, s->p, "empty argument list");
    for (;;) {
        struct asm_value v;
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
        *out = (struct asm_value){.number = best};
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

static bool use_symbol(struct reader *s, struct symbol *y, enum variant variant, struct asm_value *out) {
    if (!y) return fail(s, s->p, "out of memory");
    // A number is taken at once: the symbol may get another one later.
    if (y->state == SYMBOL_NUMBER && !variant) {
        *out = (struct asm_value){.number = (int64_t)y->offset};
        return true;
    }
    y->used = true;
    if (s->r->used) s->r->used(s->r->context, y);
    if (!variant) {
        *out = (struct asm_value){.expr = &y->reference};
        return true;
    }
    struct expr *e = arena_alloc(s->r->arena, sizeof *e);
    if (!e) return fail(s, s->p, "out of memory");
    *e = y->reference;
    e->variant = (uint8_t)variant;
    *out = (struct asm_value){.expr = e};
    return true;
}

static bool parse_name(struct reader *s, struct slice name, struct asm_value *out) {
    static const char *const calls[] = {
        [CALL_MAX] = "max",
        [CALL_OR] = "or",
        [CALL_EXTRA_SGPRS] = "extrasgprs",
        [CALL_TOTAL_VGPRS] = "totalnumvgprs",
        [CALL_ALIGN_TO] = "alignto",
        [CALL_OCCUPANCY] = "occupancy",
        [CALL_PREFETCH] = "instprefsize",
    };
    if (s->p < s->end && *s->p == '(')
        for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
            if (slice_is(name, calls[i])) return parse_call(s, i, out);
    if (slice_is(name, ".") && s->r->here) return use_symbol(s, s->r->here(s->r->context), VARIANT_NONE, out);
    int64_t number;
    if (s->r->predefined && s->r->predefined(s->r->context, name.text, name.length, &number)) {
        *out = (struct asm_value){.number = number};
        return true;
    }
    if (!s->r->symbols) return fail(s, name.text, "symbols have no meaning here");
    enum variant variant = VARIANT_NONE;
    if (s->p < s->end && *s->p == '@' && !parse_variant(s, &variant)) return false;
    return use_symbol(s, symbol_get(s->r->symbols, name.text, name.length), variant, out);
}

static bool parse_number(struct reader *s, struct asm_value *out) {
    const char *where = s->p;
    struct number n = lex_number(&s->p, s->end);
    if (n.error) return fail(s, where, n.error);
    switch (n.kind) {
    case NUMBER_INTEGER: *out = (struct asm_value){.number = (int64_t)n.low}; return true;
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

static bool parse_primary(struct reader *s, struct asm_value *out) {
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
        if (++s->depth > MAX_DEPTH) return fail(s, where, "the expression is nested too deeply");
        if (!parse_binary(s, 1, out)) return false;
        s->depth--;
        s->p = skip_space(s->p, s->end);
        if (s->p == s->end || *s->p != ')') return fail(s, s->p, "expected ')' in parentheses expression");
        s->p++;
        return true;
    case '\'':
        s->p++;
        *out = (struct asm_value){0};
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

static bool combine(struct reader *s, enum expr_op op, struct asm_value *a, const struct asm_value *b,
                    const char *where) {
    if (!a->expr && !b->expr) {
        if (!fold(op, a->number, b->number, &a->number)) return fail(s, where, "division by zero");
        return true;
    }
    return keep(s, node(s->r->arena, EXPR_BINARY, op, tree_of(s, a), tree_of(s, b)), a);
}

static bool parse_binary(struct reader *s, unsigned least, struct asm_value *out) {
    if (!parse_primary(s, out)) return false;
    for (;;) {
        const char *where = skip_space(s->p, s->end);
        enum expr_op op;
        unsigned length, precedence = operator_at(where, s->end, &op, &length);
        if (!precedence || precedence < least) return true;
        s->p = where + length;
        struct asm_value right;
        if (!parse_binary(s, precedence + 1, &right)) return false;
        if (!combine(s, op, out, &right, where)) return false;
    }
}

bool expr_parse(const struct expr_reader *r, const char **at, const char *end, struct asm_value *out) {
    struct reader s = {.r = r, .p = *at, .end = end};
    *out = (struct asm_value){0};
    bool ok = parse_binary(&s, 1, out);
    *at = s.p;
    return ok;
}

// ---- Evaluating ----

struct evaluation {
    const struct expr_layout *layout;
    unsigned nodes, depth;
};

static enum expr_status evaluate(struct evaluation *v, const struct expr *e, struct relocatable *out);

static enum expr_status evaluate_symbol(struct evaluation *v, const struct expr *e, struct relocatable *out) {
    struct symbol *y = e->symbol;
    *out = (struct relocatable){.variant = e->variant};
    if (y->evaluating) return EXPR_CIRCULAR;
    if (y->state == SYMBOL_NUMBER) {
        out->number = (int64_t)y->offset;
        return EXPR_OK;
    }
    if (y->state != SYMBOL_VARIABLE || e->variant || y->weakref) {
        out->add = y;
        return EXPR_OK;
    }
    y->evaluating = true;
    enum expr_status s = evaluate(v, y->value, out);
    y->evaluating = false;
    // A name for a place in a section stays that name: it has a binding of its own.
    if (!s && v->layout && out->add && out->add->section && !out->sub && !out->variant)
        *out = (struct relocatable){.add = y};
    return s;
}

static enum expr_status add(struct evaluation *v, struct relocatable *a, const struct relocatable *b,
                            bool minus) {
    const struct symbol *plus = minus ? b->sub : b->add, *less = minus ? b->add : b->sub;
    uint64_t x = (uint64_t)a->number, y = (uint64_t)b->number;
    a->number = (int64_t)(minus ? x - y : x + y);
    if (b->variant) {
        if (a->variant || minus) return EXPR_UNKNOWN;
        a->variant = b->variant;
    }
    const struct symbol *adds[2] = {a->add, plus}, *subs[2] = {a->sub, less};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            int64_t distance;
            if (!adds[i] || !subs[k] || !v->layout || a->variant) continue;
            if (!v->layout->distance(v->layout->context, adds[i], subs[k], &distance)) continue;
            a->number = (int64_t)((uint64_t)a->number + (uint64_t)distance);
            adds[i] = subs[k] = NULL;
        }
    if ((adds[0] && adds[1]) || (subs[0] && subs[1])) return EXPR_UNKNOWN;
    a->add = adds[0] ? adds[0] : adds[1];
    a->sub = subs[0] ? subs[0] : subs[1];
    return EXPR_OK;
}

static enum expr_status evaluate_call(struct evaluation *v, const struct expr *e, struct relocatable *out) {
    int64_t args[64] = {0};
    for (unsigned i = 0; i < e->count; i++) {
        struct relocatable r;
        enum expr_status s = evaluate(v, e->args[i], &r);
        if (s) return s;
        if (r.add || r.sub) return EXPR_UNKNOWN;
        args[i] = r.number;
    }
    *out = (struct relocatable){.number = args[0]};
    if (e->op != CALL_MAX && e->op != CALL_OR)
        return v->layout && v->layout->call &&
                       v->layout->call(v->layout->context, e->op, args, e->count, &out->number)
                   ? EXPR_OK
                   : EXPR_UNKNOWN;
    for (unsigned i = 1; i < e->count; i++)
        out->number = e->op == CALL_OR        ? out->number | args[i]
                      : args[i] > out->number ? args[i]
                                              : out->number;
    return EXPR_OK;
}

static enum expr_status evaluate(struct evaluation *v, const struct expr *e, struct relocatable *out) {
    *out = (struct relocatable){0};
    if (++v->nodes > MAX_NODES || v->depth > 4 * MAX_DEPTH) return EXPR_TOO_LONG;
    v->depth++;
    enum expr_status s = EXPR_OK;
    struct relocatable right;
    switch (e->kind) {
    case EXPR_NUMBER: out->number = e->number; break;
    case EXPR_SYMBOL: s = evaluate_symbol(v, e, out); break;
    case EXPR_CALL: s = evaluate_call(v, e, out); break;
    case EXPR_UNARY:
        if ((s = evaluate(v, e->left, &right))) break;
        if (e->op == OP_NEG)
            s = add(v, out, &right, true);
        else if (right.add || right.sub)
            s = EXPR_UNKNOWN;
        else
            out->number = fold_unary(e->op, right.number);
        break;
    case EXPR_BINARY:
        if ((s = evaluate(v, e->left, out)) || (s = evaluate(v, e->right, &right))) break;
        if (e->op == OP_ADD || e->op == OP_SUB)
            s = add(v, out, &right, e->op == OP_SUB);
        else if (out->add || out->sub || right.add || right.sub)
            s = EXPR_UNKNOWN;
        else if (!fold(e->op, out->number, right.number, &out->number))
            s = EXPR_DIVISION;
        break;
    }
    v->depth--;
    return s;
}

enum expr_status expr_evaluate(const struct expr *e, const struct expr_layout *layout,
                               struct relocatable *out) {
    struct evaluation v = {.layout = layout};
    return evaluate(&v, e, out);
}

enum expr_status expr_absolute(const struct asm_value *value, const struct expr_layout *layout,
                               int64_t *out) {
    *out = value->number;
    if (!value->expr) return EXPR_OK;
    struct relocatable r;
    enum expr_status s = expr_evaluate(value->expr, layout, &r);
    if (!s && (r.add || r.sub || r.variant)) s = EXPR_UNKNOWN;
    *out = r.number;
    return s;
}

const char *expr_status_text(enum expr_status s) {
    switch (s) {
    case EXPR_DIVISION: return "division by zero";
    case EXPR_CIRCULAR: return "the symbol is defined by itself";
    case EXPR_TOO_LONG: return "the expression is too long";
    default: return "expected absolute expression";
    }
}
