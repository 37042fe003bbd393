// SPDX-License-Identifier: MIT
// The index of patterns (select.h): what a compiler asks it, on every processor. Patterns themselves are
// proved by test_is.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa/select.h"
#include "softwave/isa.h"

static const struct isa *isa_named(const char *name) {
    for (unsigned i = 0; i < sw_processor_count(); i++)
        if (!strcmp(sw_processor_name(sw_processor_at(i)), name)) return isa_of(sw_processor_at(i));
    fail_msg("no processor %s", name);
    return NULL;
}

// ---- The nodes ----

static bool is_value_type(struct select_type t) {
    static const uint8_t bits[] = {[VALUE_F16] = 16, [VALUE_BF16] = 16, [VALUE_F32] = 32, [VALUE_F64] = 64};
    return (t.elements == 1 || t.elements == 2) && t.bits && t.bits <= 128 &&
           (t.kind == VALUE_INT || (t.kind <= VALUE_F64 && t.bits == bits[t.kind]));
}
static bool alike(struct select_type a, struct select_type b) {
    return a.kind == b.kind && a.bits == b.bits && a.elements == b.elements;
}
// The operands of a node have the types that the shape of its operation asks for.
static void check_shape(const struct row *row, const struct select_node *n) {
    const char *const shape = operation_shape((enum operation)n->what);
    const struct select_node *common = NULL;
    if (!*shape) fail_msg("%s: %s", row_id(row), operation_info((enum operation)n->what)->name);
    for (unsigned i = 0; i < n->count; i++) {
        const struct select_node *o = select_operand(n, i);
        const char letter = shape[i + 1];
        if (letter == 'T') assert_true(alike(o->type, n->type));
        if (letter == 'C' && common) assert_true(alike(o->type, common->type));
        if (letter == 'C') common = o;
        if (letter == '1') assert_int_equal(o->type.bits, 1);
        if (letter == 'F') assert_int_equal(o->type.kind, VALUE_INT);
    }
    if (*shape == '1') assert_int_equal(n->type.bits, 1);
}
static void check_node(const struct row *row, const struct select_node *n) {
    assert_true(is_value_type(n->type));
    if (n->kind == SELECT_SOURCE || n->kind == SELECT_PART) assert_true(row->src[n->what].type);
    if (n->kind != SELECT_OPERATION) return;
    const struct operation_info *info = operation_info((enum operation)n->what);
    assert_int_equal(n->count, info->operands);
    check_shape(row, n);
    for (unsigned i = 0; i < n->count; i++) check_node(row, select_operand(n, i));
}
static void every_pattern_has_the_shapes_of_its_operations(void **state) {
    (void)state;
    for (unsigned w = 0; w < select_way_count; w++) {
        const struct row *row = &isa_rows[select_ways[w].row];
        assert_int_equal(select_ways[w].set & select_ways[w].clear, 0);
        for (unsigned i = 0; i < select_ways[w].results; i++) {
            const struct select_result *r = &select_results[select_ways[w].first + i];
            check_node(row, &select_nodes[r->node]);
            if (r->place == SELECT_SCC) assert_true(row->writes & R_SCC);
            if (r->place == SELECT_EXEC) assert_true(row->writes & R_EXEC);
            if (r->place == SELECT_DST1) assert_true(row->dst[1].type);
        }
    }
}

// ---- The index ----

static bool finds(const struct isa *isa, const struct select_query *q, const struct select_entry *wanted) {
    for (const struct select_entry *e = NULL; (e = select_next(isa, q, e));)
        if (e == wanted) return true;
    return false;
}
// Each result of each row is found by its root, on the processors that have the row and in its modes, and no
// others.
static void every_result_is_found_where_its_row_exists(void **state) {
    (void)state;
    for (unsigned p = 0; p < sw_processor_count(); p++) {
        const struct isa *isa = isa_of(sw_processor_at(p));
        if (!isa) continue;
        for (const struct select_entry *e = select_entries; e < &select_entries[select_first[OPERATIONS]];
             e++) {
            const struct select_way *w = select_way_of(e);
            struct select_query q = {(enum operation)e->op, (enum select_bank)e->bank, e->bits,
                                     e->elements,           e->operand_bits,           w->set};
            assert_int_equal(finds(isa, &q, e), select_exists(isa, w->row));
            q.operand_bits = 0;
            assert_int_equal(finds(isa, &q, e), select_exists(isa, w->row));
            q.modes = w->clear;
            if (w->set | w->clear) assert_false(finds(isa, &q, e));
            q.modes = w->set, q.bits ^= 1;
            assert_false(finds(isa, &q, e));
        }
    }
}
// Every operation of a row's patterns leads back to the row.
static void every_way_has_its_entries(void **state) {
    (void)state;
    static uint8_t seen[8192][4];
    for (const struct select_entry *e = select_entries; e < &select_entries[select_first[OPERATIONS]]; e++) {
        assert_true(e->way < select_way_count && e->result < select_way_of(e)->results);
        assert_int_equal(seen[e->way][e->result]++, 0);
    }
    for (unsigned w = 0; w < select_way_count; w++)
        for (unsigned i = 0; i < select_ways[w].results; i++) assert_int_equal(seen[w][i], 1);
    for (unsigned r = 0; r < isa_row_count; r++) {
        const struct select_way *first;
        const unsigned count = select_ways_of(r, &first);
        for (unsigned i = 0; i < count; i++) assert_int_equal(first[i].row, r);
        assert_int_equal(count != 0, select_text(r) != NULL);
        assert_ptr_equal(sw_insn_pattern((const sw_insn_info *)&isa_rows[r]), select_text(r));
    }
}

// ---- Questions whose answers the manuals have ----

// The mnemonic of the cheapest row whose whole pattern is the operation of sources; "" for none.
static const char *cheapest(const char *processor, enum operation op, enum select_bank bank, unsigned bits,
                            unsigned elements, unsigned from, unsigned modes) {
    const struct isa *isa = isa_named(processor);
    const struct select_query q = {op, bank, (uint8_t)bits, (uint8_t)elements, (uint8_t)from, (uint8_t)modes};
    const struct row *best = NULL;
    unsigned cost = UINT32_MAX;
    for (const struct select_entry *e = NULL; (e = select_next(isa, &q, e));) {
        const struct select_node *n = select_pattern(e);
        bool plain = n->kind == SELECT_OPERATION;
        for (unsigned i = 0; i < n->count; i++) plain &= select_operand(n, i)->kind != SELECT_OPERATION;
        if (!plain || select_cost(isa, e) >= cost) continue;
        cost = select_cost(isa, e);
        best = &isa_rows[select_way_of(e)->row];
    }
    return best ? isa_row_name(isa, best) : "";
}
#define ASK(answer, ...) assert_string_equal(cheapest(__VA_ARGS__), answer)
static void questions_have_the_answers_of_the_manuals(void **state) {
    (void)state;
    ASK("v_and_b32", "gfx600", OP_and, SELECT_V, 32, 1, 32, 0);
    ASK("", "gfx600", OP_and, SELECT_V, 64, 1, 64, 0);
    ASK("s_and_b64", "gfx600", OP_and, SELECT_S, 64, 1, 64, 0);
    ASK("", "gfx90a", OP_add, SELECT_S, 64, 1, 64, 0);
    ASK("s_add_nc_u64", "gfx1200", OP_add, SELECT_S, 64, 1, 64, 0);
    ASK("", "gfx1100", OP_fadd, SELECT_S, 32, 1, 32, 0);
    ASK("s_add_f32", "gfx1150", OP_fadd, SELECT_S, 32, 1, 32, 0);
    ASK("", "gfx700", OP_add, SELECT_V, 16, 1, 16, 0);
    ASK("v_add_u16", "gfx803", OP_add, SELECT_V, 16, 1, 16, 0);
    ASK("v_pk_mul_lo_u16", "gfx900", OP_mul, SELECT_V, 16, 2, 16, 0);
    ASK("", "gfx900", OP_fadd, SELECT_V, 32, 2, 32, 0);
    ASK("v_pk_add_f32", "gfx90a", OP_fadd, SELECT_V, 32, 2, 32, 0);
    ASK("v_cmp_lt_i64", "gfx906", OP_slt, SELECT_M, 1, 1, 64, 0);
    ASK("s_cmp_lt_i32", "gfx906", OP_slt, SELECT_FLAG, 1, 1, 32, 0);
    ASK("", "gfx906", OP_slt, SELECT_FLAG, 1, 1, 64, 0);
    ASK("s_cmp_eq_u64", "gfx803", OP_eq, SELECT_FLAG, 1, 1, 64, 0);
    ASK("", "gfx700", OP_eq, SELECT_FLAG, 1, 1, 64, 0);
    ASK("v_min_f32", "gfx900", OP_minnum, SELECT_V, 32, 1, 32, SELECT_IEEE);
    ASK("", "gfx900", OP_minnum, SELECT_V, 32, 1, 32, 0);
    ASK("v_min_f32", "gfx900", OP_minimumnum, SELECT_V, 32, 1, 32, 0);
    ASK("v_min_num_f32", "gfx1200", OP_minimumnum, SELECT_V, 32, 1, 32, 0);
    ASK("", "gfx1100", OP_minimum, SELECT_V, 32, 1, 32, 0);
    ASK("v_minimum_f32", "gfx1200", OP_minimum, SELECT_V, 32, 1, 32, 0);
    ASK("v_cvt_f32_f64", "gfx942", OP_fptrunc, SELECT_V, 32, 1, 64, 0);
    ASK("v_cvt_f16_f32", "gfx942", OP_fptrunc, SELECT_V, 16, 1, 32, 0);
    ASK("v_cvt_f64_f32", "gfx942", OP_fpext, SELECT_V, 64, 1, 32, 0);
    ASK("s_bcnt1_i32_b64", "gfx900", OP_ctpop, SELECT_S, 32, 1, 64, 0);
    ASK("v_cndmask_b32", "gfx900", OP_select, SELECT_V, 32, 1, 0, 0);
    ASK("s_cselect_b64", "gfx900", OP_select, SELECT_S, 64, 1, 0, 0);
    ASK("v_readfirstlane_b32", "gfx900", OP_readfirstlane, SELECT_S, 32, 1, 32, 0);
    ASK("", "gfx1030", OP_bitop3, SELECT_V, 32, 1, 32, 0);
    ASK("v_bitop3_b32", "gfx950", OP_bitop3, SELECT_V, 32, 1, 32, 0);
}

static unsigned cost_of(const char *processor, const char *id) {
    const struct isa *isa = isa_named(processor);
    for (const struct select_entry *e = select_entries; e < &select_entries[select_first[OPERATIONS]]; e++)
        if (!strcmp(row_id(&isa_rows[select_way_of(e)->row]), id)) return select_cost(isa, e);
    fail_msg("%s has no pattern", id);
    return 0;
}
static void costs_follow_rate_and_size(void **state) {
    (void)state;
    assert_true(cost_of("gfx900", "v_mul_u32_u24") < cost_of("gfx900", "v_mul_lo_u32"));
    assert_true(cost_of("gfx900", "v_add_f32") < cost_of("gfx900", "v_add_f64"));
    assert_true(cost_of("gfx900", "v_add_f32") < cost_of("gfx900", "v_rcp_f32"));
    assert_true(cost_of("gfx900", "v_and_b32") < cost_of("gfx900", "v_and_or_b32"));
    assert_true(cost_of("gfx900", "v_and_or_b32") < 2 * cost_of("gfx900", "v_and_b32"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pattern_has_the_shapes_of_its_operations),
                                       cmocka_unit_test(every_result_is_found_where_its_row_exists),
                                       cmocka_unit_test(every_way_has_its_entries),
                                       cmocka_unit_test(questions_have_the_answers_of_the_manuals),
                                       cmocka_unit_test(costs_follow_rate_and_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
