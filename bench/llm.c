// SPDX-License-Identifier: MIT
// Runs the kernels of llm.cl on a software GPU and their C on the host with the same threads, compares the
// results and prints milliseconds of both. usage: llm CODE-OBJECT TARGET THREADS
#include "llm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "softwave/device.h"
#include "softwave/object.h"

enum { ROWS = 4096, BLOCKS = 4096 / 32, HEADS = 2, KEYS = 1024, RUNS = 7 };

static void print(void *context, const sw_diagnostic *d) {
    (void)context;
    fprintf(stderr, "llm: %s\n", d->message);
}
static const sw_sink sink = {.report = print};
static void need(sw_status s) {
    if (s) exit(1);
}
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t state = 1;
static uint32_t draw(void) {
    return (uint32_t)((state = state * 6364136223846793005u + 1442695040888963407u) >> 33);
}
static uint16_t draw_half(void) {
    return (uint16_t)(draw() % 0x3c00 & 0x3fff) | (uint16_t)(draw() & 1) << 15;
}

struct gpu {
    sw_device *device;
    sw_object *object;
    sw_executable *executable;
};
static double run(const struct gpu *g, const char *name, const uint32_t grid[2], void *const *buffers,
                  int count, int last) {
    const sw_kernel *k = sw_object_find_kernel(g->object, name);
    if (!k) exit(1);
    uint8_t *kernarg = sw_device_alloc(g->device, k->kernarg_segment_size + 64);
    for (int i = 0; i < count; i++) memcpy(kernarg + sw_kernel_argument(k, i)->offset, &buffers[i], 8);
    memcpy(kernarg + sw_kernel_argument(k, count)->offset, &last, 4);
    sw_dispatch q = {.size = sizeof q,
                     .executable = g->executable,
                     .descriptor = sw_executable_base(g->executable) + k->descriptor_offset,
                     .kernarg = (uint64_t)(uintptr_t)kernarg,
                     .grid = {grid[0] * 64, grid[1], 1},
                     .block = {64, 1, 1}};
    sw_device_fill_hidden_arguments(g->device, k, &q, 0, kernarg);
    double best = 1e9;
    for (int i = 0; i < RUNS; i++) {
        const double start = now();
        need(sw_device_run(g->device, &q, NULL, NULL, &sink));
        if (now() - start < best) best = now() - start;
    }
    sw_device_free(g->device, kernarg);
    return best;
}

// The largest difference, in parts of the largest value.
static double difference(const float *a, const float *b, size_t n) {
    double most = 0, scale = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(fabs((double)a[i] - b[i]) <= most)) most = fabs((double)a[i] - b[i]);
        if (fabs((double)a[i]) > scale) scale = fabs((double)a[i]);
    }
    return most / scale;
}
static int report(const char *name, double gpu, double host, double operations, double wrong) {
    printf("  %-10s %9.3f %9.3f  %6.2f  %6.1f %6.1f G/s\n", name, 1e3 * host, 1e3 * gpu, gpu / host,
           operations / host / 1e9, operations / gpu / 1e9);
    if (wrong < 2e-3) return 0;
    printf("DIFFERENT: %s is off by %g\n", name, wrong);
    return 1;
}

static int matvec(const struct gpu *g) {
    struct q4_block *w = sw_device_alloc(g->device, sizeof *w * ROWS * BLOCKS);
    struct q8_block *x = sw_device_alloc(g->device, sizeof *x * BLOCKS);
    float *y = sw_device_alloc(g->device, sizeof *y * ROWS), *expected = malloc(sizeof *expected * ROWS);
    for (size_t i = 0; i < (size_t)ROWS * BLOCKS; i++) {
        w[i].scale = 0.01f + (float)(draw() % 100) * 1e-4f;
        for (int n = 0; n < 4; n++) w[i].nibbles[n] = draw() * 2654435761u;
    }
    for (int i = 0; i < BLOCKS; i++) {
        x[i].scale = 0.02f;
        for (int n = 0; n < 4; n++)
            x[i].low[n] = (int)(draw() * 2654435761u), x[i].high[n] = (int)(draw() * 2246822519u);
        x[i].sum = 0;
        for (int n = 0; n < 16; n++) x[i].sum += ((int8_t *)x[i].low)[n] + ((int8_t *)x[i].high)[n];
    }
    double host = 1e9;
    for (int i = 0; i < RUNS; i++) {
        const double start = now();
        host_matvec(w, x, expected, ROWS, BLOCKS);
        if (now() - start < host) host = now() - start;
    }
    const double gpu = run(g, "matvec", (uint32_t[]){ROWS, 1}, (void *[]){w, x, y}, 3, BLOCKS);
    const int failed =
        report("matvec q4", gpu, host, 2.0 * ROWS * BLOCKS * 32, difference(expected, y, ROWS));
    free(expected);
    return failed;
}

static int attention(const struct gpu *g) {
    const size_t n = (size_t)HEADS * KEYS * WIDTH;
    uint16_t *in[3];
    for (int i = 0; i < 3; i++) {
        in[i] = sw_device_alloc(g->device, n * sizeof *in[i]);
        for (size_t k = 0; k < n; k++) in[i][k] = draw_half();
    }
    float *out = sw_device_alloc(g->device, n * sizeof *out), *expected = malloc(n * sizeof *expected);
    double host = 1e9;
    for (int i = 0; i < RUNS; i++) {
        const double start = now();
        host_attention(in[0], in[1], in[2], expected, HEADS, KEYS);
        if (now() - start < host) host = now() - start;
    }
    const double gpu =
        run(g, "attention", (uint32_t[]){KEYS / 16, HEADS}, (void *[]){in[0], in[1], in[2], out}, 4, KEYS);
    const int failed =
        report("attention", gpu, host, 4.0 * HEADS * KEYS * KEYS * WIDTH, difference(expected, out, n));
    free(expected);
    return failed;
}

int main(int argc, char **argv) {
    if (argc != 4) return 1;
    struct file f;
    struct gpu g;
    need(file_open(&f, argv[1], &sink));
    need(sw_object_open(f.data, f.size, NULL, &g.object, &sink));
    sw_device_options o = {.size = sizeof o, .threads = (unsigned)atoi(argv[3])};
    need(sw_target_parse(argv[2], strlen(argv[2]), &o.target, &sink));
    need(sw_device_create(&o, &g.device, &sink));
    need(sw_device_load(g.device, g.object, NULL, NULL, &g.executable, &sink));
    const int failed = matvec(&g) | attention(&g);
    sw_device_destroy(g.device);
    sw_object_close(g.object);
    file_close(&f);
    return failed;
}
