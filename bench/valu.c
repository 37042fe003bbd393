// SPDX-License-Identifier: MIT
// Millions of v_fma_f32 of 64 lanes a second on one thread, at each tier: sixteen accumulators, so that none
// waits for the one before. Tiers take turns in slices of about a millisecond, as hosts are not equally fast
// all the time; the best slice counts, and the median is printed beside it. Usage: valu
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "softwave/asm.h"
#include "softwave/device.h"

enum { REGISTERS = 16, UNROLLED = 64, LOOPS = 4000, WAVES = 1, RUNS = 300, TIERS = 3 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct side {
    sw_device *device;
    sw_dispatch dispatch;
    double seconds[RUNS];
};

static void prepare(struct side *s, const sw_object *object, sw_tier tier) {
    const sw_device_options o = {
        .size = sizeof o, .threads = 1, .target = *sw_object_target(object), .tier = tier};
    sw_executable *e;
    if (sw_device_create(&o, &s->device, NULL) || sw_device_load(s->device, object, NULL, NULL, &e, NULL))
        exit(1);
    const sw_kernel *k = sw_object_find_kernel(object, "k");
    s->dispatch = (sw_dispatch){.size = sizeof s->dispatch,
                                .executable = e,
                                .descriptor = sw_executable_base(e) + k->descriptor_offset,
                                .grid = {64 * WAVES, 1, 1},
                                .block = {64, 1, 1}};
}

static double run(struct side *s) {
    const double start = now();
    if (sw_device_run(s->device, &s->dispatch, NULL, NULL, NULL)) exit(1);
    return now() - start;
}

static int by_number(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double rate(double seconds) { return 1e-6 * WAVES * LOOPS * UNROLLED / seconds; }

static void measure(const sw_object *object) {
    static const sw_tier tiers[TIERS] = {SW_TIER_INTERPRETER, SW_TIER_BEST, SW_TIER_COMPILED};
    static struct side sides[TIERS];
    setenv("SOFTWAVE_TIER_UP", "1000000000000", 1); // never
    for (int i = 0; i < TIERS; i++) {
        prepare(&sides[i], object, tiers[i]);
        for (int n = 0; n < 8; n++) run(&sides[i]);
    }
    for (int n = 0; n < RUNS; n++)
        for (int i = 0; i < TIERS; i++) sides[i].seconds[n] = run(&sides[i]);
    printf(
        "v_fma_f32 of 64 lanes, millions a second at tiers 0, 1 and 2, best and median (goal: 300 at tier 2, "
        "what runs long):");
    for (int i = 0; i < TIERS; i++) {
        qsort(sides[i].seconds, RUNS, sizeof(double), by_number);
        printf(" %.0f %.0f%s", rate(sides[i].seconds[0]), rate(sides[i].seconds[RUNS / 2]),
               i + 1 < TIERS ? "," : "\n");
        sw_device_destroy(sides[i].device);
    }
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
    measure(object);
    sw_object_close(object);
    sw_free(image);
}
