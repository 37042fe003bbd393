// SPDX-License-Identifier: MIT
// Transfers of tensors (tensor_trials.h), descriptors that are refused, and memory that is not the kernel's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "covered.h"
#include "tensor_trials.h"

enum { TRIALS = 400 };

static void loads(void **state) {
    (void)state;
    covered("tensor_transfer");
    tensor_trials("gfx1250", TENSOR_PIECE("load"), TRIALS, false, false);
}
static void loads_by_two_groups(void **state) {
    (void)state;
    tensor_trials("gfx1250", TENSOR_PIECE("load_two_groups"), TRIALS, false, true);
}
static void loads_whatever_exec_is(void **state) {
    (void)state;
    tensor_trials("gfx1250", TENSOR_PIECE("load_without_lanes"), TRIALS, false, false);
}
static void stores(void **state) {
    (void)state;
    tensor_trials("gfx1250", TENSOR_PIECE("store"), TRIALS, true, false);
}

static void refused(void **state) {
    (void)state;
    static struct tensor_world before, got;
    struct tensor_machine m;
    sw_fault fault;
    const struct tensor good = {
        .count = 1, .type = 2, .size = 2, .tile = {4, 4}, .bound = {4, 4}, .stride = {1, 4}};
    struct tensor t = good;
    open_tensor(&m, "gfx1250", TENSOR_PIECE("load"));
    assert_int_equal(run_tensor(&m, &t, &before, &got, &fault), SW_FAULT_NONE);
    t.type = 1;
    assert_int_equal(run_tensor(&m, &t, &before, &got, &fault), SW_FAULT_UNSUPPORTED);
    assert_string_equal(fault.reason, "a tensor descriptor whose type is not 2");
    t = good, t.count = 2;
    assert_int_equal(run_tensor(&m, &t, &before, &got, &fault), SW_FAULT_UNSUPPORTED);
    t = good, t.named = true, t.tile[1] = 17;
    assert_int_equal(run_tensor(&m, &t, &before, &got, &fault), SW_FAULT_UNSUPPORTED);
    t = good, t.iterates = true, t.tiles = 257;
    assert_int_equal(run_tensor(&m, &t, &before, &got, &fault), SW_FAULT_UNSUPPORTED);
    t = good, t.offset = (uint64_t)1 << 40;
    assert_int_equal(run_tensor(&m, &t, &before, &got, &fault), SW_FAULT_READ);
    assert_int_equal(fault.lane, -1);
    rig_close(&m.r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads),
        cmocka_unit_test(loads_by_two_groups),
        cmocka_unit_test(loads_whatever_exec_is),
        cmocka_unit_test(stores),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
