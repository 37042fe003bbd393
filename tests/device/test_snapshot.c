// SPDX-License-Identifier: MIT
// What a program learns of a dispatch that was stopped: the waves in flight with what each does and the loop
// that it is in, the scratch that a work-item would have needed, the place in the code; and limits of what
// kernels print.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "softwave/asm.h"
#include "softwave/device.h"

struct gpu {
    uint8_t *bytes;
    sw_object *object;
    sw_device *device;
    sw_executable *executable;
    uint64_t base;
};

static uint32_t *memory;

static void open_gpu(struct gpu *g, const char *processor, const char *text) {
    sw_asm_options o = {.size = sizeof o, .os = SW_OS_AMDHSA};
    size_t size;
    assert_int_equal(sw_target_parse(processor, strlen(processor), &o.target, NULL), SW_OK);
    assert_int_equal(sw_assemble(text, strlen(text), &o, &g->bytes, &size, NULL), SW_OK);
    assert_int_equal(sw_object_open(g->bytes, size, NULL, &g->object, NULL), SW_OK);
    sw_device_options d = {.size = sizeof d, .target = o.target, .threads = 2};
    assert_int_equal(sw_device_create(&d, &g->device, NULL), SW_OK);
    assert_int_equal(sw_device_load(g->device, g->object, NULL, NULL, &g->executable, NULL), SW_OK);
    g->base = sw_executable_base(g->executable);
    memory = sw_device_alloc(g->device, 4096);
}
static void close_gpu(struct gpu *g) {
    sw_device_destroy(g->device);
    sw_object_close(g->object);
    sw_free(g->bytes);
}

static sw_status launch(struct gpu *g, const char *kernel, uint32_t items, sw_dispatch *q, sw_fault *fault) {
    const sw_kernel *k = sw_object_find_kernel(g->object, kernel);
    uint64_t *kernarg = sw_device_alloc(g->device, 64);
    kernarg[0] = (uint64_t)(uintptr_t)memory;
    q->size = sizeof *q;
    q->executable = g->executable;
    q->descriptor = g->base + k->descriptor_offset;
    q->kernarg = (uint64_t)(uintptr_t)kernarg;
    q->grid[0] = q->block[0] = items;
    q->grid[1] = q->grid[2] = q->block[1] = q->block[2] = 1;
    return sw_device_run(g->device, q, fault, NULL, NULL);
}

static uint64_t place_of(const struct gpu *g, const char *symbol) {
    uint64_t offset = 0;
    assert_true(sw_object_symbol_offset(g->object, sw_object_find_symbol(g->object, symbol), &offset));
    return g->base + offset;
}

#define DESCRIPTOR(name, more)                                                                               \
    ".section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel " name "\n.amdhsa_next_free_vgpr 4\n"                \
    ".amdhsa_next_free_sgpr 8\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n" more ".end_amdhsa_kernel\n"
#define KERNEL(name, body, more)                                                                             \
    ".text\n.p2align 8\n.type " name ",@function\n" name ":\n" body DESCRIPTOR(name, more)

// Wave 0 loops, waves 1 and 2 wait for it at a barrier, wave 3 sleeps in a loop.
static const char waits[] = KERNEL("k",
                                   "v_readfirstlane_b32 s4, v0\n"
                                   "s_cmp_eq_u32 s4, 0\ns_cbranch_scc1 loop\n"
                                   "s_cmp_eq_u32 s4, 192\ns_cbranch_scc1 doze\n"
                                   "s_mov_b64 exec, 0xff\n"
                                   "stop: s_barrier\ns_endpgm\n"
                                   "loop: s_nop 0\ns_nop 1\nback: s_branch loop\n"
                                   "doze: s_sleep 1\nawake: s_nop 2\nagain: s_branch doze\n",
                                   "");

static int by_wave(const void *a, const void *b) {
    const sw_wave_state *x = a, *y = b;
    return x->wave < y->wave ? -1 : x->wave > y->wave;
}

static void waves_in_flight(void **state) {
    (void)state;
    struct gpu g;
    open_gpu(&g, "gfx900", waits);
    sw_wave_state w[8] = {{.size = sizeof *w}};
    sw_dispatch q = {.timeout = 0.1, .waves = w, .wave_capacity = 8};
    sw_fault fault = {.size = sizeof fault};
    assert_int_equal(launch(&g, "k", 256, &q, &fault), SW_FAULTED);
    assert_int_equal(fault.kind, SW_FAULT_TIMEOUT);
    assert_int_equal(fault.waves, 4);
    qsort(w, 4, sizeof *w, by_wave);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(w[i].size, sizeof *w);
        assert_int_equal(w[i].wave, i);
        assert_int_equal(w[i].lanes, 64);
        assert_int_equal(w[i].group[0] | w[i].group[1] | w[i].group[2], 0);
    }
    assert_int_equal(w[0].doing, SW_WAVE_LOOPS);
    assert_int_equal(w[0].exec, ~0ull);
    assert_int_equal(w[0].pc, place_of(&g, "loop"));
    assert_int_equal(w[0].loop_begin, place_of(&g, "loop"));
    assert_int_equal(w[0].loop_end, place_of(&g, "back"));
    for (unsigned i = 1; i < 3; i++) {
        assert_int_equal(w[i].doing, SW_WAVE_AT_BARRIER);
        assert_int_equal(w[i].exec, 0xff);
        assert_int_equal(w[i].pc, place_of(&g, "stop"));
        assert_int_equal(w[i].arrived, 2);
        assert_int_equal(w[i].expected, 4);
        assert_int_equal(w[i].loop_end, 0);
    }
    assert_int_equal(w[3].doing, SW_WAVE_SLEEPS);
    assert_int_equal(w[3].pc, place_of(&g, "awake"));
    assert_int_equal(w[3].loop_begin, place_of(&g, "doze"));
    assert_int_equal(w[3].loop_end, place_of(&g, "again"));

    // No more than there is room for.
    memset(w, 0, sizeof w);
    w->size = sizeof *w;
    q.wave_capacity = 2;
    assert_int_equal(launch(&g, "k", 256, &q, &fault), SW_FAULTED);
    assert_int_equal(fault.waves, 4);
    assert_int_equal(w[1].size, sizeof *w);
    assert_int_equal(w[2].size, 0);
    q.waves = NULL;
    assert_int_equal(launch(&g, "k", 256, &q, &fault), SW_FAULTED);
    close_gpu(&g);
}

// Scratch by scratch instructions; a wave that does not fault has no such report.
static void stack(void **state) {
    (void)state;
    static const char text[] =
        KERNEL("k",
               "s_mov_b32 s2, 0\nv_mov_b32 v1, 7\n"
               "scratch_store_dword off, v1, s2 offset:12\n"
               "far: scratch_store_dword off, v1, s2 offset:80\ns_endpgm\n",
               ".amdhsa_private_segment_fixed_size 16\n.amdhsa_enable_private_segment 1\n");
    struct gpu g;
    open_gpu(&g, "gfx1100", text);
    sw_dispatch q = {0};
    sw_fault fault = {.size = sizeof fault};
    assert_int_equal(launch(&g, "k", 32, &q, &fault), SW_FAULTED);
    assert_int_equal(fault.kind, SW_FAULT_WRITE);
    assert_true(fault.is_scratch);
    assert_int_equal(fault.scratch_declared, 16);
    assert_int_equal(fault.scratch_needed, 84);
    assert_int_equal(fault.pc, place_of(&g, "far"));
    sw_place place = {.size = sizeof place};
    sw_object_place(g.object, fault.code_offset, &place);
    assert_string_equal(place.symbol->name, "k");
    assert_string_equal(place.section, ".text");
    assert_int_equal(place.distance, fault.pc - place_of(&g, "k"));
    assert_int_equal(place.address, place.distance);
    q.private_segment_size = fault.scratch_needed;
    assert_int_equal(launch(&g, "k", 32, &q, &fault), SW_OK);
    assert_false(fault.is_scratch);
    close_gpu(&g);
}

// What is written before the limit comes through, then it is a fault.
static const char prints[] =
    ".text\n.p2align 8\n.type k,@function\nk:\n"
    "s_load_dwordx2 s[2:3], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n"
    "v_mov_b32 v0, 0\nv_mov_b32 v1, 400\n"
    "global_store_dword v0, v1, s[2:3]\ns_endpgm\n" DESCRIPTOR(
        "k", "") ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--gfx900\n"
                 "amdhsa.printf: ['0:0:ten bytes\\n']\n"
                 "amdhsa.kernels:\n  - {.name: k, .symbol: k.kd, .kernarg_segment_size: 8, "
                 ".kernarg_segment_align: 8,\n"
                 "     .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, "
                 ".sgpr_count: 8,\n"
                 "     .vgpr_count: 4, .max_flat_workgroup_size: 64,\n"
                 "     .args: [{.size: 8, .offset: 0, .value_kind: hidden_printf_buffer, .address_space: "
                 "global}]}\n"
                 "...\n.end_amdgpu_metadata\n";

static size_t printed;
static void count_text(void *context, const char *text, size_t length) {
    (void)context, (void)text;
    printed += length;
}

static void print_limit(void **state) {
    (void)state;
    struct gpu g;
    open_gpu(&g, "gfx900", prints);
    const sw_kernel *k = sw_object_find_kernel(g.object, "k");
    static const struct {
        uint64_t limit;
        size_t text;
    } cases[] = {{0, 1000}, {1000, 1000}, {999, 999}, {55, 55}, {1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *kernarg = sw_device_alloc(g.device, 64);
        sw_dispatch q = {.size = sizeof q,
                         .executable = g.executable,
                         .descriptor = g.base + k->descriptor_offset,
                         .kernarg = (uint64_t)(uintptr_t)kernarg,
                         .grid = {1, 1, 1},
                         .block = {1, 1, 1},
                         .print = count_text,
                         .print_limit = cases[i].limit};
        sw_fault fault = {.size = sizeof fault};
        sw_device_fill_hidden_arguments(g.device, k, &q, 0, kernarg);
        printed = 0;
        const bool whole = cases[i].text == 1000;
        assert_int_equal(sw_device_run(g.device, &q, &fault, NULL, NULL), whole ? SW_OK : SW_FAULTED);
        assert_int_equal(fault.kind, whole ? SW_FAULT_NONE : SW_FAULT_STOPPED);
        assert_int_equal(printed, cases[i].text);
    }
    close_gpu(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_in_flight),
        cmocka_unit_test(stack),
        cmocka_unit_test(print_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
