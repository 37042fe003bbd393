// SPDX-License-Identifier: MIT
// Matching by goals: a list of pairs of a node and a value that must agree. Solving the last one adds those
// of its operands; where operands may change places both orders are tried, each with all that is left. A
// pattern has few nodes, so the search is short.
#include "isa/select_match.h"

enum { MOST_GOALS = 24 };

struct goal {
    const struct select_node *node;
    uint32_t value;
    bool inner;
};
struct goals {
    struct goal list[MOST_GOALS];
    unsigned count;
};
struct search {
    const struct select_program *p;
    struct select_match *out;
};

static bool solve(const struct search *s, const struct goals *left);

static uint64_t low_bits(uint64_t v, unsigned bits) { return bits < 64 ? v & ((1ull << bits) - 1) : v; }

// Programs may have forgotten which bits are floats; those that have not must mean the same ones.
static bool types_agree(struct select_type a, struct select_type b) {
    return a.bits == b.bits && a.elements == b.elements &&
           (a.kind == b.kind || a.kind == VALUE_INT || b.kind == VALUE_INT);
}

static bool push(struct goals *g, const struct select_node *node, uint32_t value) {
    if (g->count == MOST_GOALS) return false;
    g->list[g->count++] = (struct goal){node, value, true};
    return true;
}

// ---- Leaves ----

static bool match_source(const struct search *s, const struct goals *rest, const struct goal *g) {
    struct select_match *const m = s->out, before = *m;
    struct select_value v;
    s->p->look(s->p->context, g->value, true, &v);
    if (!types_agree(v.type, g->node->type)) return false;
    if (m->source[g->node->what].binding == SELECT_VALUE) {
        if (m->source[g->node->what].value != g->value) return false;
    } else if (m->source[g->node->what].binding)
        return false;
    m->source[g->node->what].binding = SELECT_VALUE;
    m->source[g->node->what].value = g->value;
    if (solve(s, rest)) return true;
    *m = before;
    return false;
}
static bool match_part(const struct search *s, const struct goals *rest, const struct goal *g) {
    struct select_match *const m = s->out, before = *m;
    struct select_value v;
    s->p->look(s->p->context, g->value, true, &v);
    if (!v.is_constant || low_bits(v.number, g->node->high - g->node->low + 1u) != v.number ||
        m->source[g->node->what].binding == SELECT_VALUE)
        return false;
    m->source[g->node->what].binding = SELECT_CONSTANT;
    m->source[g->node->what].number |= v.number << g->node->low;
    if (solve(s, rest)) return true;
    *m = before;
    return false;
}
static bool match_input(const struct search *s, const struct goals *rest, const struct goal *g) {
    struct select_match *const m = s->out, before = *m;
    struct select_value v;
    s->p->look(s->p->context, g->value, true, &v);
    if (g->node->what == SELECT_K) {
        if (!v.is_constant || v.number > 255) return false;
        m->k = (uint8_t)v.number;
    } else if (!types_agree(v.type, g->node->type))
        return false;
    if (m->reads[g->node->what] && m->input[g->node->what] != g->value) return false;
    m->reads[g->node->what] = true;
    m->input[g->node->what] = g->value;
    if (solve(s, rest)) return true;
    *m = before;
    return false;
}

// ---- Operations ----

// All operands in their order, or the first two in the other.
static bool match_operands(const struct search *s, const struct goals *rest, const struct select_node *n,
                           const struct select_value *v, bool exchange) {
    struct goals more = *rest;
    for (unsigned i = n->count; i-- > 0;)
        if (!push(&more, select_operand(n, i), v->operands[exchange && i < 2 ? 1 - i : i])) return false;
    return solve(s, &more);
}
static bool match_same(const struct search *s, const struct goals *rest, const struct goal *g,
                       const struct select_value *v) {
    const struct select_node *n = g->node;
    const enum operation op = (enum operation)n->what, turned = operation_exchanged(op);
    const unsigned properties = operation_info(op)->properties;
    struct select_match *const m = s->out, before = *m;
    if (v->count != n->count || !types_agree(v->type, n->type) || (v->op != op && v->op != turned))
        return false;
    if (g->inner) {
        if (m->inner == SELECT_MOST_INNER) return false;
        m->values[m->inner++] = g->value;
    }
    if (v->op == op && match_operands(s, rest, n, v, false)) return true;
    const bool may =
        properties & (OPERATION_COMMUTES | OPERATION_COMMUTES_FIRST) || (v->op == turned && turned != op);
    if (may && match_operands(s, rest, n, v, true)) return true;
    *m = before;
    return false;
}
// True if a mask or the extension of a sign changes nothing of the value; then its operand is the value.
static bool changes_nothing(const struct search *s, const struct goal *g, const struct select_value *v,
                            const struct select_node **operand) {
    const struct select_node *n = g->node;
    if (!types_agree(v->type, n->type) || n->type.elements != 1 || n->type.bits > 64) return false;
    *operand = select_operand(n, 0);
    if (n->what == OP_sext24) return s->p->signs(s->p->context, g->value) + 23 >= n->type.bits;
    if (n->what != OP_and || select_operand(n, 1)->kind != SELECT_NUMBER) return false;
    const uint64_t mask = select_numbers[select_operand(n, 1)->number];
    const uint64_t zeros = v->is_constant ? ~v->number : s->p->zeros(s->p->context, g->value);
    return !low_bits(~mask & ~zeros, n->type.bits);
}

// The truth table of a tree of and, or, xor and not over at most three values.
struct truth {
    uint32_t leaves[3];
    unsigned count;
};
static bool truth_of(const struct search *s, struct truth *t, uint32_t value, bool inner, uint8_t *table) {
    static const uint8_t of_leaf[] = {0xf0, 0xcc, 0xaa};
    struct select_value v;
    uint8_t a, b = 0;
    s->p->look(s->p->context, value, inner, &v);
    const bool logic = v.op == OP_and || v.op == OP_or || v.op == OP_xor || v.op == OP_not;
    if (!logic || s->out->inner == SELECT_MOST_INNER) {
        unsigned i = 0;
        while (i < t->count && t->leaves[i] != value) i++;
        if (i == 3) return false;
        if (i == t->count) t->leaves[t->count++] = value;
        *table = of_leaf[i];
        return true;
    }
    if (inner) s->out->values[s->out->inner++] = value;
    if (!truth_of(s, t, v.operands[0], true, &a)) return false;
    if (v.op != OP_not && !truth_of(s, t, v.operands[1], true, &b)) return false;
    *table = (uint8_t)(v.op == OP_and ? a & b : v.op == OP_or ? a | b : v.op == OP_xor ? a ^ b : ~a);
    return true;
}
static bool match_truth(const struct search *s, const struct goals *rest, const struct goal *g,
                        const struct select_value *v) {
    struct select_match *const m = s->out, before = *m;
    struct truth t = {0};
    if (!types_agree(v->type, g->node->type) || !truth_of(s, &t, g->value, g->inner, &m->k)) {
        *m = before;
        return false;
    }
    struct goals more = *rest;
    for (unsigned i = 0; i < 3; i++) {
        if (!push(&more, select_operand(g->node, i), t.leaves[i < t.count ? i : 0])) return false;
    }
    m->reads[SELECT_K] = true;
    if (solve(s, &more)) return true;
    *m = before;
    return false;
}

static bool match_operation(const struct search *s, const struct goals *rest, const struct goal *g) {
    const struct select_node *operand;
    struct select_value v;
    s->p->look(s->p->context, g->value, g->inner, &v);
    if (v.op < OPERATIONS && match_same(s, rest, g, &v)) return true;
    if (changes_nothing(s, g, &v, &operand)) {
        struct goals more = *rest;
        if (push(&more, operand, g->value)) return solve(s, &more);
    }
    const bool logic = v.op == OP_and || v.op == OP_or || v.op == OP_xor || v.op == OP_not;
    return g->node->what == OP_bitop3 && logic && match_truth(s, rest, g, &v);
}

static bool solve(const struct search *s, const struct goals *left) {
    if (!left->count) return true;
    struct goals rest = *left;
    const struct goal g = rest.list[--rest.count];
    struct select_value v;
    switch ((enum select_kind)g.node->kind) {
    case SELECT_OPERATION: return match_operation(s, &rest, &g);
    case SELECT_SOURCE: return match_source(s, &rest, &g);
    case SELECT_PART: return match_part(s, &rest, &g);
    case SELECT_INPUT: return match_input(s, &rest, &g);
    case SELECT_NUMBER: break;
    }
    s->p->look(s->p->context, g.value, true, &v);
    return v.is_constant && v.type.bits == g.node->type.bits && g.node->type.bits <= 64 &&
           low_bits(v.number ^ select_numbers[g.node->number], v.type.bits) == 0 && solve(s, &rest);
}

bool select_match(const struct select_program *p, const struct select_node *pattern, uint32_t value,
                  struct select_match *out) {
    const struct search s = {p, out};
    const struct goals first = {{{pattern, value, false}}, 1};
    *out = (struct select_match){0};
    return solve(&s, &first);
}
