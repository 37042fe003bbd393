// SPDX-License-Identifier: MIT
// printf in kernels: an assembled kernel writes records as the layout says, a real one comes from clang's
// printf; texts, vectors, strings, what does not fit, and buffers that a kernel left in disorder.
// LANG-02 (printf buffer), META-13, META-22.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assemble.h"
#include "base/text.h"
#include "softwave/device.h"

// s[0:1] is the kernarg pointer; every lane of four takes argument 1 bytes and writes an id (argument 2) and
// three values: its number, one half as F32, and bytes "ab" behind.
static const char source[] =
    ".amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n.text\n.globl k\n.p2align 8\n.type k,@function\nk:\n"
    "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_mov_b32 v1, 0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v2, s6\n"
    "global_atomic_add v3, v1, v2, s[4:5] glc\ns_waitcnt vmcnt(0)\n"
    "v_mov_b32 v4, s7\nv_mov_b32 v5, v0\nv_mov_b32 v6, 0.5\nv_mov_b32 v7, 0x6261\n"
    "global_store_dwordx4 v3, v[4:7], s[4:5] offset:8\ns_waitcnt vmcnt(0)\ns_endpgm\n"
    ".rodata\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n"
    ".amdhsa_accum_offset 8\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_kernarg_size 16\n"
    ".end_amdhsa_kernel\n"
    ".amdgpu_metadata\namdhsa.version: [ 1, 2 ]\namdhsa.target: amdgcn-amd-amdhsa--gfx90a\n"
    "amdhsa.printf:\n  - '7:3:4:4:4:lane %d\\72 %.2f \"%4s\"\\n'\n  - '9:3:4:4:4:%*d|%999999u|%q%n%%'\n"
    "amdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 16\n"
    "    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    .kernarg_segment_align: 8\n"
    "    .wavefront_size: 64\n    .sgpr_count: 16\n    .vgpr_count: 8\n    .max_flat_workgroup_size: 256\n"
    "    .args:\n      - { .offset: 0, .size: 8, .value_kind: hidden_printf_buffer }\n"
    "      - { .offset: 8, .size: 4, .value_kind: by_value }\n"
    "      - { .offset: 12, .size: 4, .value_kind: by_value }\n.end_amdgpu_metadata\n";

static void collect(void *context, const char *text, size_t length) { text_add(context, text, length); }
static void count_warning(void *context, const sw_diagnostic *d) {
    if (d->severity == SW_SEVERITY_WARNING) ++*(unsigned *)context;
}

struct gpu {
    struct assembled code;
    sw_device *device;
    sw_executable *executable;
};
static struct gpu open_gpu(struct assembled code) {
    struct gpu g = {.code = code};
    sw_device_options o = {.size = sizeof o, .threads = 1, .target = *sw_object_target(code.object)};
    assert_int_equal(sw_device_create(&o, &g.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(g.device, code.object, NULL, NULL, &g.executable, NULL), SW_OK);
    return g;
}
static void close_gpu(struct gpu *g) {
    sw_device_destroy(g->device);
    assembled_close(&g->code);
}
// Runs one work-group of `items` with these first bytes of arguments; returns what it printed.
static struct text print(struct gpu *g, const char *kernel, uint32_t items, const void *arguments,
                         size_t length, size_t at, unsigned *warnings, sw_status expected) {
    const sw_kernel *k = sw_object_find_kernel(g->code.object, kernel);
    assert_non_null(k);
    uint8_t *kernarg = sw_device_alloc(g->device, k->kernarg_segment_size);
    struct text t = {0};
    sw_dispatch q = {.size = sizeof q,
                     .executable = g->executable,
                     .descriptor = sw_executable_base(g->executable) + k->descriptor_offset,
                     .kernarg = (uint64_t)(uintptr_t)kernarg,
                     .grid = {items, 1, 1},
                     .block = {items, 1, 1},
                     .print = collect,
                     .print_context = &t};
    memcpy(kernarg + at, arguments, length);
    sw_device_fill_hidden_arguments(g->device, k, &q, 0, kernarg);
    sw_fault fault = {.size = sizeof fault};
    unsigned ignored = 0;
    const sw_sink sink = {count_warning, warnings ? warnings : &ignored};
    assert_int_equal(sw_device_run(g->device, &q, &fault, NULL, &sink), expected);
    assert_int_equal(ignored, 0);
    sw_device_free(g->device, kernarg);
    text_puts(&t, "");
    return t;
}

static void need_tools(void) {
    if (!system("command -v $CLANG >/dev/null && command -v $LD_LLD >/dev/null")) return;
    print_message("%s or %s is not installed\n", tool_name("$CLANG"), tool_name("$LD_LLD"));
    skip();
}

static void by_hand(void **state) {
    (void)state;
    struct assembled code;
    if (!assemble(&code, "gfx90a", "", source, sizeof source - 1)) fail_msg("cannot assemble");
    struct gpu g = open_gpu(code);
    for (unsigned again = 0; again < 2; again++) { // the buffer is empty for the next launch
        struct text t = print(&g, "k", 4, (uint32_t[]){16, 7}, 8, 8, NULL, SW_OK);
        assert_string_equal(t.data, "lane 0: 0.50 \"  ab\"\nlane 1: 0.50 \"  ab\"\nlane 2: 0.50 \"  ab\"\n"
                                    "lane 3: 0.50 \"  ab\"\n");
        text_free(&t);
    }
    // A width from an argument, one beyond measure, conversions that do not exist.
    struct text t = print(&g, "k", 2, (uint32_t[]){16, 9}, 8, 8, NULL, SW_OK);
    assert_true(t.length > 2000 && t.length < 5000);
    assert_memory_equal(t.data, "1056964608|", 11);
    assert_string_equal(t.data + t.length - 2, "|%");
    text_free(&t);
    // An unknown format, a record that is cut off, more bytes than the buffer has: a warning each, no more.
    static const uint32_t wrong[][2] = {{16, 8}, {12, 7}, {0x40000000, 7}};
    for (unsigned i = 0; i < 3; i++) {
        unsigned warnings = 0;
        t = print(&g, "k", 1, wrong[i], 8, 8, &warnings, SW_OK);
        assert_true(warnings == 1);
        text_free(&t);
    }
    close_gpu(&g);
}

// Room as OpenCL's library takes it; clang's own pass writes the records and the metadata.
static const char opencl[] =
    "__global char *__printf_alloc(uint bytes) {\n"
    "  __global uint *p = (__global uint *)((__constant ulong "
    "*)__builtin_amdgcn_implicitarg_ptr())[BUFFER];\n"
    "  uint at = __atomic_load_n(p, __ATOMIC_RELAXED), size = p[1];\n"
    "  do { if (at + bytes + 8 > size) return 0; }\n"
    "  while (!__atomic_compare_exchange_n(p, &at, at + bytes, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));\n"
    "  return (__global char *)p + 8 + at; }\n"
    "int printf(__constant const char *, ...);\n"
    "__kernel void hello(__global const int *a, float f) {\n"
    "  int i = __builtin_amdgcn_workitem_id_x();\n"
    "  printf(\"item %d of %s: %5.2f|%-6u|%x %c %%\\n\", i, \"world: xy\", f * i, a[i], a[i], 'a' + i);\n"
    "  if (i == 1) {\n"
    "    typedef float float4 __attribute__((ext_vector_type(4)));\n"
    "    typedef int int2 __attribute__((ext_vector_type(2)));\n"
    "    typedef char char3 __attribute__((ext_vector_type(3)));\n"
    "    printf(\"%v4hlf and %v2hld|%v3hhd\\n\", (float4)(1,2,3,4.5f), (int2)(-7,8), (char3)(1,-2,3));\n"
    "    printf(\"%ld %lx %hd\\n\", 1234567890123L, 0xabcdef0123456789UL, (short)-5);\n"
    "    printf(\"plain\\n\"); printf(\"%f %g %+.1e\\n\", 2.5, 1e10, 1.0/3); } }\n"
    "__kernel void flood(__global int *done, int n) {\n"
    "  for (int i = 0; i < n; i++) printf(\"%d\\n\", i);\n  *done = 1; }\n"
    "__kernel void die(int n) { printf(\"%d \", n); printf(\"last words\\n\"); __builtin_trap(); }\n";

static void from_clang(void **state) {
    (void)state;
    need_tools();
    static const char *const processors[] = {"gfx900", "gfx1100", "gfx90a"};
    static const char *const flags[] = {"-O2 -mcode-object-version=5 -DBUFFER=9",
                                        "-O2 -mcode-object-version=6 -DBUFFER=9",
                                        "-O2 -mcode-object-version=4 -DBUFFER=3"};
    for (unsigned n = 0; n < 3; n++) {
        struct assembled code;
        if (!compile_opencl(&code, processors[n], flags[n], opencl)) fail_msg("cannot compile");
        struct gpu g = open_gpu(code);
        int *a = sw_device_alloc(g.device, 16);
        for (int i = 0; i < 4; i++) a[i] = 10 * (i + 1);
        uint8_t arguments[12];
        const float f = 1.5f;
        memcpy(arguments, &a, 8), memcpy(arguments + 8, &f, 4);
        struct text t = print(&g, "hello", 4, arguments, 12, 0, NULL, SW_OK);
        assert_string_equal(t.data, "item 0 of world: xy:  0.00|10    |a a %\n"
                                    "item 1 of world: xy:  1.50|20    |14 b %\n"
                                    "item 2 of world: xy:  3.00|30    |1e c %\n"
                                    "item 3 of world: xy:  4.50|40    |28 d %\n"
                                    "1.000000,2.000000,3.000000,4.500000 and -7,8|1,-2,3\n"
                                    "1234567890123 abcdef0123456789 -5\nplain\n"
                                    "2.500000 1e+10 +3.3e-01\n");
        text_free(&t);
        // More than the buffer holds: what fits is printed, the kernel goes on.
        const uint32_t count = 200000;
        memcpy(arguments + 8, &count, 4);
        t = print(&g, "flood", 1, arguments, 12, 0, NULL, SW_OK);
        assert_int_equal(a[0], 1);
        assert_memory_equal(t.data, "0\n1\n2\n", 6);
        const uint32_t fits = ((1 << 20) - 8) / 8;
        char last[16];
        snprintf(last, sizeof last, "\n%u\n", fits - 1);
        assert_string_equal(t.data + t.length - strlen(last), last);
        text_free(&t);
        t = print(&g, "die", 1, &count, 4, 0, NULL, SW_FAULTED);
        assert_string_equal(t.data, "200000 last words\n");
        text_free(&t);
        close_gpu(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(from_clang)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
