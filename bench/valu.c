// SPDX-License-Identifier: MIT
// Millions of v_fma_f32 of 64 lanes a second on one thread, at each tier: sixteen accumulators, so that none
// waits for the one before. Usage: valu
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "softwave/asm.h"
#include "softwave/device.h"

enum { REGISTERS = 16, UNROLLED = 64, LOOPS = 4000, WAVES = 32, RUNS = 6 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double rate(const sw_object *object, sw_tier tier) {
    const sw_device_options o = {
        .size = sizeof o, .threads = 1, .target = *sw_object_target(object), .tier = tier};
    sw_device *d;
    sw_executable *e;
    if (sw_device_create(&o, &d, NULL) || sw_device_load(d, object, NULL, NULL, &e, NULL)) exit(1);
    const sw_kernel *k = sw_object_find_kernel(object, "k");
    const sw_dispatch q = {.size = sizeof q,
                           .executable = e,
                           .descriptor = sw_executable_base(e) + k->descriptor_offset,
                           .grid = {64 * WAVES, 1, 1},
                           .block = {64, 1, 1}};
    double best = 1e9;
    for (int i = 0; i < RUNS; i++) {
        const double start = now();
        if (sw_device_run(d, &q, NULL, NULL, NULL)) exit(1);
        if (now() - start < best) best = now() - start;
    }
    sw_device_destroy(d);
    return 1e-6 * WAVES * LOOPS * UNROLLED / best;
}

int main(void) {
    static char text[16384];
    size_t n = (size_t)snprintf(text, sizeof text,
                                ".globl k\n.p2align 8\n.type k,@function\nk:\n s_movk_i32 s8, %d\n"
                                " v_mov_b32 v20, 0x3f7fffff\n v_mov_b32 v21, 1.0\n",
                                LOOPS);
    for (int i = 0; i < REGISTERS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " v_mov_b32 v%d, %d.0\n", i, i % 4 + 1);
    n += (size_t)snprintf(text + n, sizeof text - n, "l:\n");
    for (int i = 0; i < UNROLLED; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " v_fma_f32 v%d, v%d, v20, v21\n", i % REGISTERS,
                              i % REGISTERS);
    snprintf(text + n, sizeof text - n,
             " s_sub_u32 s8, s8, 1\n s_cmp_lg_u32 s8, 0\n s_cbranch_scc1 l\n s_endpgm\n"
             ".rodata\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 24\n.amdhsa_next_free_sgpr 16\n"
             ".amdhsa_accum_offset 24\n.end_amdhsa_kernel\n");
    sw_asm_options o = {.size = sizeof o, .os = SW_OS_AMDHSA, .no_files = true};
    sw_object *object;
    uint8_t *image;
    size_t size;
    if (sw_target_parse("gfx90a", 6, &o.target, NULL) ||
        sw_assemble(text, strlen(text), &o, &image, &size, NULL) ||
        sw_object_open(image, size, NULL, &object, NULL))
        return 1;
    printf("v_fma_f32 of 64 lanes: %.0f M a second at tier 0, %.0f at tier 1 (goal: 300)\n",
           rate(object, SW_TIER_INTERPRETER), rate(object, SW_TIER_BEST));
    sw_object_close(object);
    sw_asm_free(image);
}
