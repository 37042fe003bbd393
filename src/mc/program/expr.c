// SPDX-License-Identifier: MIT
// Trees of expressions, and evaluating them. The depth of every tree is bounded, and an evaluation may visit
// only so many nodes, so no text makes it run away.
#include "mc/program/expr.h"

#include "mc/mc.h"
#include "base/arena.h"
#include "mc/program/symbol.h"

enum { MAX_NODES = 1 << 16 };

// ---- Arithmetic ----

bool expr_fold(enum expr_op op, int64_t a, int64_t b, int64_t *out) {
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

int64_t expr_fold_unary(enum expr_op op, int64_t a) {
    switch (op) {
    case OP_NEG: return (int64_t) - (uint64_t)a;
    case OP_NOT: return ~a;
    case OP_LNOT: return !a;
    default: return a;
    }
}

// ---- Trees ----

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
    if (a && b && a->kind == EXPR_NUMBER && b->kind == EXPR_NUMBER && expr_fold(op, a->number, b->number, &v))
        return expr_number(arena, v);
    return node(arena, EXPR_BINARY, op, a, b);
}

const struct expr *expr_unary(struct arena *arena, enum expr_op op, const struct expr *a) {
    return node(arena, EXPR_UNARY, op, a, NULL);
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
    if (y->settled) {
        out->number = (int64_t)y->offset;
        return EXPR_OK;
    }
    y->evaluating = true;
    enum expr_status s = evaluate(v, y->value, out);
    y->evaluating = false;
    if (!s && v->layout && v->layout->final && !out->add && !out->sub && !out->variant) {
        y->settled = true;
        y->offset = (uint64_t)out->number;
    }
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
    if (++v->nodes > MAX_NODES || v->depth > 4 * EXPR_DEPTH) return EXPR_TOO_LONG;
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
            out->number = expr_fold_unary(e->op, right.number);
        break;
    case EXPR_BINARY:
        if ((s = evaluate(v, e->left, out)) || (s = evaluate(v, e->right, &right))) break;
        if (e->op == OP_ADD || e->op == OP_SUB)
            s = add(v, out, &right, e->op == OP_SUB);
        else if (out->add || out->sub || right.add || right.sub)
            s = EXPR_UNKNOWN;
        else if (!expr_fold(e->op, out->number, right.number, &out->number))
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

enum expr_status expr_absolute(const struct mc_value *value, const struct expr_layout *layout, int64_t *out) {
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

bool expr_is_relative(const struct expr *e) {
    switch (e->kind) {
    case EXPR_SYMBOL:
        return e->variant != VARIANT_ABS32_LO && e->variant != VARIANT_ABS32_HI &&
               e->variant != VARIANT_ABS64;
    case EXPR_UNARY: return expr_is_relative(e->left);
    case EXPR_BINARY: return e->op != OP_SUB && (expr_is_relative(e->left) || expr_is_relative(e->right));
    default: return false;
    }
}
