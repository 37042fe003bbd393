// SPDX-License-Identifier: MIT
// Hidden kernel arguments of code object V5, as a runtime fills them for grids of one, two and three
// dimensions.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "device/device.h"

static const struct {
    sw_value_kind kind;
    uint32_t offset, size;
} layout[] = {
    {SW_VALUE_HIDDEN_BLOCK_COUNT_X, 0, 4},      {SW_VALUE_HIDDEN_BLOCK_COUNT_Y, 4, 4},
    {SW_VALUE_HIDDEN_BLOCK_COUNT_Z, 8, 4},      {SW_VALUE_HIDDEN_GROUP_SIZE_X, 12, 2},
    {SW_VALUE_HIDDEN_GROUP_SIZE_Y, 14, 2},      {SW_VALUE_HIDDEN_GROUP_SIZE_Z, 16, 2},
    {SW_VALUE_HIDDEN_REMAINDER_X, 18, 2},       {SW_VALUE_HIDDEN_REMAINDER_Y, 20, 2},
    {SW_VALUE_HIDDEN_REMAINDER_Z, 22, 2},       {SW_VALUE_HIDDEN_GLOBAL_OFFSET_X, 40, 8},
    {SW_VALUE_HIDDEN_GRID_DIMS, 64, 2},         {SW_VALUE_HIDDEN_PRINTF_BUFFER, 72, 8},
    {SW_VALUE_HIDDEN_HOSTCALL_BUFFER, 80, 8},   {SW_VALUE_HIDDEN_HEAP_V1, 96, 8},
    {SW_VALUE_HIDDEN_DYNAMIC_LDS_SIZE, 120, 4}, {SW_VALUE_HIDDEN_PRIVATE_BASE, 192, 4},
    {SW_VALUE_HIDDEN_SHARED_BASE, 196, 4},      {SW_VALUE_HIDDEN_QUEUE_PTR, 200, 8},
};
enum { COUNT = sizeof layout / sizeof *layout, SEGMENT = 256 };

static uint8_t kernarg[SEGMENT];

static void fill(const uint32_t grid[3], const uint32_t block[3], uint32_t lds) {
    static sw_argument list[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        list[i] =
            (sw_argument){.value_kind = layout[i].kind, .offset = layout[i].offset, .size = layout[i].size};
    sw_kernel k = {.arguments = list, .argument_count = COUNT, .kernarg_segment_size = SEGMENT};
    sw_dispatch q = {.size = sizeof q};
    memcpy(q.grid, grid, sizeof q.grid);
    memcpy(q.block, block, sizeof q.block);
    memset(kernarg, 0xcc, sizeof kernarg);
    sw_device_fill_hidden_arguments(NULL, &k, &q, lds, kernarg);
}

static uint64_t value(sw_value_kind kind) {
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t v = 0;
        if (layout[i].kind == kind) return memcpy(&v, kernarg + layout[i].offset, layout[i].size), v;
    }
    fail();
    return 0;
}
#define IS(kind, expected) assert_int_equal(value(SW_VALUE_HIDDEN_##kind), expected)

// META-31: full work-groups only, 1 where a dimension is not used. META-32: the size of full ones.
// META-33: what the last one has, 0 where all are full. META-34: 1 to 3.
static void test_sizes(void **state) {
    (void)state;
    fill((const uint32_t[]){1000, 1, 1}, (const uint32_t[]){256, 1, 1}, 0);
    IS(BLOCK_COUNT_X, 3), IS(BLOCK_COUNT_Y, 1), IS(BLOCK_COUNT_Z, 1);
    IS(GROUP_SIZE_X, 256), IS(GROUP_SIZE_Y, 1), IS(GROUP_SIZE_Z, 1);
    IS(REMAINDER_X, 232), IS(REMAINDER_Y, 0), IS(REMAINDER_Z, 0);
    IS(GRID_DIMS, 1);
    fill((const uint32_t[]){64, 30, 1}, (const uint32_t[]){16, 8, 1}, 0);
    IS(BLOCK_COUNT_X, 4), IS(BLOCK_COUNT_Y, 3), IS(BLOCK_COUNT_Z, 1);
    IS(REMAINDER_X, 0), IS(REMAINDER_Y, 6), IS(REMAINDER_Z, 0);
    IS(GRID_DIMS, 2);
    fill((const uint32_t[]){7, 1, 9}, (const uint32_t[]){8, 1, 4}, 0);
    IS(BLOCK_COUNT_X, 0), IS(BLOCK_COUNT_Z, 2), IS(REMAINDER_X, 7), IS(REMAINDER_Z, 1);
    IS(GRID_DIMS, 3);
}

// META-35: the dynamic LDS of the launch. META-36: the high halves of what flat addresses of scratch and LDS
// begin with, which differ. META-37, META-38: services that are not there are null, all of them at once.
static void test_services(void **state) {
    (void)state;
    fill((const uint32_t[]){64, 1, 1}, (const uint32_t[]){64, 1, 1}, 4096);
    IS(DYNAMIC_LDS_SIZE, 4096);
    IS(PRIVATE_BASE, SW_PRIVATE_APERTURE >> 32), IS(SHARED_BASE, SW_SHARED_APERTURE >> 32);
    assert_true(value(SW_VALUE_HIDDEN_PRIVATE_BASE) != value(SW_VALUE_HIDDEN_SHARED_BASE));
    IS(GLOBAL_OFFSET_X, 0), IS(HEAP_V1, 0), IS(QUEUE_PTR, 0);
    IS(PRINTF_BUFFER, 0), IS(HOSTCALL_BUFFER, 0);
}

// Nothing but the hidden arguments is written, and nothing outside the segment.
static void test_only_those(void **state) {
    (void)state;
    fill((const uint32_t[]){64, 1, 1}, (const uint32_t[]){64, 1, 1}, 1);
    for (size_t at = 0; at < SEGMENT; at++) {
        bool inside = false;
        for (size_t i = 0; i < COUNT; i++) inside |= at - layout[i].offset < layout[i].size;
        if (!inside) assert_int_equal(kernarg[at], 0xcc);
    }
    sw_argument far = {.value_kind = SW_VALUE_HIDDEN_GRID_DIMS, .offset = 60, .size = 8};
    sw_kernel k = {.arguments = &far, .argument_count = 1, .kernarg_segment_size = 64};
    sw_dispatch q = {.size = sizeof q, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    memset(kernarg, 0xcc, sizeof kernarg);
    sw_device_fill_hidden_arguments(NULL, &k, &q, 0, kernarg);
    for (size_t at = 0; at < SEGMENT; at++) assert_int_equal(kernarg[at], 0xcc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_services),
        cmocka_unit_test(test_only_those),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
