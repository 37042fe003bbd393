// SPDX-License-Identifier: MIT
// Matching of patterns (select_match.h), by a program that is made of each pattern: operations in place of
// its nodes, new values in place of its sources, operands exchanged at random. The match must find it, and
// what the row computes of the sources that were bound must be the value. Programs that differ from the
// pattern must not match.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa/select_match.h"

static uint64_t seed = 88172645463325252u;
static uint64_t next64(void) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed * 0x2545f4914f6cdd1d;
}
static op_bits low(op_bits v, unsigned bits) { return bits < 128 ? v & (((op_bits)1 << bits) - 1) : v; }

// ---- A program ----

enum { MOST = 64 };
struct program {
    struct select_value values[MOST];
    op_bits known[MOST];  // what an opaque value or a constant is; of operations, their result
    uint64_t zeros[MOST]; // bits that are known to be 0
    unsigned signs[MOST];
    bool shared[MOST]; // has another use
    unsigned count;
};
static const struct operation_mode mode;

static uint32_t add(struct program *p, struct select_value v, op_bits known) {
    assert_true(p->count < MOST);
    p->values[p->count] = v;
    p->known[p->count] = low(known, v.type.bits);
    p->zeros[p->count] = v.type.bits < 64 ? ~(uint64_t)0 << v.type.bits : 0;
    p->signs[p->count] = 1;
    return p->count++;
}
static uint32_t opaque(struct program *p, struct select_type t) {
    return add(p, (struct select_value){.op = OPERATIONS, .type = t}, (op_bits)next64() << 64 | next64());
}
static uint32_t constant(struct program *p, struct select_type t, uint64_t number) {
    return add(p,
               (struct select_value){
                   .op = OPERATIONS, .type = t, .is_constant = true, .number = (uint64_t)low(number, t.bits)},
               number);
}
static bool evaluate(enum operation op, struct select_type result, const struct select_type *types,
                     const op_bits *values, unsigned count, op_bits *out) {
    struct value_type scalar[4];
    for (unsigned i = 0; i < count; i++) scalar[i] = (struct value_type){types[i].kind, types[i].bits};
    return operation_evaluate(op, &mode, (struct value_type){result.kind, result.bits}, scalar, values, count,
                              out);
}
static uint32_t operation(struct program *p, enum operation op, struct select_type t,
                          const uint32_t *operands, unsigned count) {
    struct select_value v = {.op = op, .type = t, .count = count};
    struct select_type types[4];
    op_bits values[4], result = next64();
    for (unsigned i = 0; i < count; i++) {
        v.operands[i] = operands[i];
        types[i] = p->values[operands[i]].type, values[i] = p->known[operands[i]];
    }
    if (!evaluate(op, t, types, values, count, &result)) result = 0; // between lanes
    return add(p, v, result);
}
static void look(void *context, uint32_t value, bool inner, struct select_value *out) {
    const struct program *p = context;
    *out = p->values[value];
    if (inner && p->shared[value]) out->op = OPERATIONS;
}
static uint64_t zeros(void *context, uint32_t value) { return ((struct program *)context)->zeros[value]; }
static unsigned signs(void *context, uint32_t value) { return ((struct program *)context)->signs[value]; }
static bool match(struct program *p, const struct select_node *pattern, uint32_t value,
                  struct select_match *m) {
    const struct select_program asked = {p, look, zeros, signs};
    return select_match(&asked, pattern, value, m);
}

// ---- The program of a pattern ----

struct maker {
    struct program p;
    uint32_t source[ROW_SRC], input[SELECT_K + 1];
    bool has_source[ROW_SRC], has_input[SELECT_K + 1];
};
static uint32_t make(struct maker *k, const struct select_node *n) {
    uint32_t operands[4];
    switch ((enum select_kind)n->kind) {
    case SELECT_SOURCE:
        if (!k->has_source[n->what]) k->source[n->what] = opaque(&k->p, n->type);
        k->has_source[n->what] = true;
        return k->source[n->what];
    case SELECT_PART: return constant(&k->p, n->type, next64() & ((1ull << (n->high - n->low + 1)) - 1));
    case SELECT_NUMBER: return constant(&k->p, n->type, select_numbers[n->number]);
    case SELECT_INPUT:
        if (n->what == SELECT_K) return constant(&k->p, n->type, next64() & 255);
        if (!k->has_input[n->what]) k->input[n->what] = opaque(&k->p, n->type);
        k->has_input[n->what] = true;
        return k->input[n->what];
    case SELECT_OPERATION: break;
    }
    for (unsigned i = 0; i < n->count; i++) operands[i] = make(k, select_operand(n, i));
    enum operation op = (enum operation)n->what;
    const unsigned both = OPERATION_COMMUTES | OPERATION_COMMUTES_FIRST;
    const bool compares = operation_exchanged(op) != op;
    if ((operation_info(op)->properties & both || compares) && next64() & 256) {
        const uint32_t first = operands[0];
        operands[0] = operands[1], operands[1] = first;
        op = operation_exchanged(op);
    }
    return operation(&k->p, op, n->type, operands, n->count);
}

// What the row computes of the sources that the match has bound. False: something between lanes.
static bool computed(const struct program *p, const struct select_match *m, const struct select_node *n,
                     op_bits *out) {
    struct select_type types[4];
    op_bits values[4];
    switch ((enum select_kind)n->kind) {
    case SELECT_SOURCE:
        assert_int_equal(m->source[n->what].binding, SELECT_VALUE);
        *out = p->known[m->source[n->what].value];
        return true;
    case SELECT_PART:
        assert_int_equal(m->source[n->what].binding, SELECT_CONSTANT);
        *out = low(m->source[n->what].number >> n->low, n->high - n->low + 1u);
        return true;
    case SELECT_NUMBER: *out = low(select_numbers[n->number], n->type.bits); return true;
    case SELECT_INPUT:
        assert_true(m->reads[n->what]);
        *out = n->what == SELECT_K ? m->k : p->known[m->input[n->what]];
        return true;
    case SELECT_OPERATION: break;
    }
    for (unsigned i = 0; i < n->count; i++) {
        types[i] = select_operand(n, i)->type;
        if (!computed(p, m, select_operand(n, i), &values[i])) return false;
    }
    return evaluate((enum operation)n->what, n->type, types, values, n->count, out);
}
static bool is_nan_pair(struct select_type t, op_bits a, op_bits b) {
    static const uint8_t fraction[] = {
        [VALUE_F16] = 10, [VALUE_BF16] = 7, [VALUE_F32] = 23, [VALUE_F64] = 52};
    if (t.kind == VALUE_INT) return false;
    const op_bits infinity = low(~(op_bits)0, t.bits - 1u) >> fraction[t.kind] << fraction[t.kind];
    return low(a, t.bits - 1u) > infinity && low(b, t.bits - 1u) > infinity;
}
static const char *name_of(const struct select_way *w) { return row_id(&isa_rows[w->row]); }
static void check_computed(const struct program *p, const struct select_match *m, const struct select_node *n,
                           uint32_t root, const struct select_way *w) {
    op_bits result;
    if (computed(p, m, n, &result) && result != p->known[root] &&
        !is_nan_pair(n->type, result, p->known[root]))
        fail_msg("%s computes another value than it matches", name_of(w));
}

static void each_pattern_matches_its_program(void **state) {
    (void)state;
    for (unsigned w = 0; w < select_way_count; w++)
        for (unsigned i = 0; i < select_ways[w].results * 12u; i++) {
            const struct select_result *r = &select_results[select_ways[w].first + i / 12];
            const struct select_node *n = &select_nodes[r->node];
            static struct maker k;
            struct select_match m;
            k = (struct maker){0};
            const uint32_t root = make(&k, n);
            if (!match(&k.p, n, root, &m))
                fail_msg("%s does not match its own program", name_of(&select_ways[w]));
            check_computed(&k.p, &m, n, root, &select_ways[w]);
            unsigned inner = 0;
            for (uint32_t v = 0; v < k.p.count; v++) inner += k.p.values[v].op != OPERATIONS && v != root;
            assert_int_equal(m.inner, inner);
        }
}
// An inner value that has another use, another operation, another type or another constant is no match. A
// mask is one where it changes nothing, which the values here leave open.
static void what_differs_does_not_match(void **state) {
    (void)state;
    unsigned tried = 0;
    for (unsigned w = 0; w < select_way_count; w++) {
        const struct select_node *n = &select_nodes[select_results[select_ways[w].first].node];
        static struct maker k, other;
        struct select_match m;
        if (n->kind != SELECT_OPERATION || n->what == OP_bitop3) continue;
        k = (struct maker){0};
        const uint32_t root = make(&k, n);
        for (uint32_t v = 0; v < k.p.count; v++) {
            other = k;
            struct select_value *changed = &other.p.values[v];
            if (changed->op != OPERATIONS && v != root) {
                other.p.shared[v] = true;
                if (match(&other.p, n, root, &m))
                    fail_msg("%s matches a value that is used elsewhere", name_of(&select_ways[w]));
                other.p.shared[v] = false;
            }
            const bool is_part = changed->is_constant &&
                                 operation_info((enum operation)n->what)->types == TYPES_FIELD; // any will do
            if (is_part) continue;
            if (changed->op != OPERATIONS)
                changed->op = changed->op == OP_srem ? OP_urem : OP_srem;
            else if (changed->is_constant)
                changed->number ^= 1;
            else
                changed->type.bits ^= 2;
            tried++;
            if (match(&other.p, n, root, &m))
                fail_msg("%s matches another program", name_of(&select_ways[w]));
        }
    }
    assert_true(tried > 1500);
}

// ---- Masks that hold anyway, constants with parts, truth tables ----

static const struct select_node *pattern_of(const char *id, const struct select_way **way) {
    for (unsigned w = 0; w < select_way_count; w++)
        if (!strcmp(name_of(&select_ways[w]), id)) {
            *way = &select_ways[w];
            return &select_nodes[select_results[select_ways[w].first].node];
        }
    fail_msg("%s has no pattern", id);
    return NULL;
}
static const struct select_type word = {VALUE_INT, 32, 1};

static void masks_match_values_that_need_none(void **state) {
    (void)state;
    const struct select_way *w;
    struct select_match m;
    static struct program p;
    p = (struct program){0};
    const struct select_node *n = pattern_of("v_mul_u32_u24", &w);
    const uint32_t a = opaque(&p, word), b = opaque(&p, word);
    const uint32_t product = operation(&p, OP_mul, word, (uint32_t[]){a, b}, 2);
    assert_false(match(&p, n, product, &m));
    p.zeros[a] |= 0xff000000;
    assert_false(match(&p, n, product, &m));
    p.zeros[b] |= 0xff000000;
    assert_true(match(&p, n, product, &m));
    assert_int_equal(m.source[0].value + m.source[1].value, a + b);
    n = pattern_of("v_mul_i32_i24", &w);
    assert_false(match(&p, n, product, &m));
    p.signs[a] = 9, p.signs[b] = 8;
    assert_false(match(&p, n, product, &m));
    p.signs[b] = 9;
    assert_true(match(&p, n, product, &m));
    const uint32_t five = constant(&p, word, 5), large = constant(&p, word, 0x1000000);
    n = pattern_of("v_mul_u32_u24", &w);
    assert_true(match(&p, n, operation(&p, OP_mul, word, (uint32_t[]){five, a}, 2), &m));
    assert_false(match(&p, n, operation(&p, OP_mul, word, (uint32_t[]){large, a}, 2), &m));
}
static void parts_become_one_constant(void **state) {
    (void)state;
    const struct select_way *w;
    struct select_match m;
    static struct program p;
    p = (struct program){0};
    const struct select_node *n = pattern_of("s_bfe_u32", &w);
    const uint32_t a = opaque(&p, word), first = constant(&p, word, 7), bits = constant(&p, word, 12),
                   far = constant(&p, word, 32);
    assert_true(match(&p, n, operation(&p, OP_ubfe, word, (uint32_t[]){a, first, bits}, 3), &m));
    assert_int_equal(m.source[0].value, a);
    assert_int_equal(m.source[1].binding, SELECT_CONSTANT);
    assert_int_equal(m.source[1].number, 12 << 16 | 7);
    assert_false(match(&p, n, operation(&p, OP_ubfe, word, (uint32_t[]){a, far, bits}, 3), &m));
    assert_false(match(&p, n, operation(&p, OP_ubfe, word, (uint32_t[]){a, a, bits}, 3), &m));
}
static uint32_t random_logic(struct program *p, const uint32_t *leaves, unsigned depth) {
    static const enum operation ops[] = {OP_and, OP_or, OP_xor, OP_not};
    if (!depth) return leaves[next64() % 3];
    const enum operation op = ops[next64() % 4];
    uint32_t operands[2] = {random_logic(p, leaves, depth - 1), 0};
    if (op != OP_not) operands[1] = random_logic(p, leaves, (unsigned)(next64() % depth));
    return operation(p, op, word, operands, operation_info(op)->operands);
}
static void any_logic_of_three_values_has_a_truth_table(void **state) {
    (void)state;
    const struct select_way *w;
    const struct select_node *n = pattern_of("v_bitop3_b32", &w);
    for (unsigned i = 0; i < 3000; i++) {
        static struct program p;
        struct select_match m;
        p = (struct program){0};
        const uint32_t leaves[3] = {opaque(&p, word), opaque(&p, word), opaque(&p, word)};
        const uint32_t root = random_logic(&p, leaves, 1 + (unsigned)(next64() % 3));
        assert_true(match(&p, n, root, &m));
        check_computed(&p, &m, n, root, w);
    }
    static struct program p; // four values are too many
    struct select_match m;
    p = (struct program){0};
    const uint32_t a = operation(&p, OP_and, word, (uint32_t[]){opaque(&p, word), opaque(&p, word)}, 2);
    const uint32_t b = operation(&p, OP_or, word, (uint32_t[]){opaque(&p, word), opaque(&p, word)}, 2);
    assert_false(match(&p, n, operation(&p, OP_xor, word, (uint32_t[]){a, b}, 2), &m));
}
// The first order of the operands that fits one half of the pattern may not fit the other.
static void orders_are_tried_until_all_fits(void **state) {
    (void)state;
    const struct select_way *w;
    const struct select_node *n = pattern_of("v_bfi_b32", &w);
    for (unsigned order = 0; order < 8; order++) {
        static struct program p;
        struct select_match m;
        p = (struct program){0};
        const uint32_t x = opaque(&p, word), y = opaque(&p, word), z = opaque(&p, word);
        const uint32_t not_x = operation(&p, OP_not, word, (uint32_t[]){x}, 1);
        const uint32_t one =
            operation(&p, OP_and, word, order & 1 ? (uint32_t[]){x, y} : (uint32_t[]){y, x}, 2);
        const uint32_t two =
            operation(&p, OP_and, word, order & 2 ? (uint32_t[]){not_x, z} : (uint32_t[]){z, not_x}, 2);
        const uint32_t root =
            operation(&p, OP_or, word, order & 4 ? (uint32_t[]){one, two} : (uint32_t[]){two, one}, 2);
        assert_true(match(&p, n, root, &m));
        assert_int_equal(m.source[0].value, x);
        assert_int_equal(m.source[1].value, y);
        assert_int_equal(m.source[2].value, z);
        assert_int_equal(m.inner, 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_pattern_matches_its_program),
                                       cmocka_unit_test(what_differs_does_not_match),
                                       cmocka_unit_test(masks_match_values_that_need_none),
                                       cmocka_unit_test(parts_become_one_constant),
                                       cmocka_unit_test(any_logic_of_three_values_has_a_truth_table),
                                       cmocka_unit_test(orders_are_tried_until_all_fits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
