// SPDX-License-Identifier: MIT
// Times the kernels of a code object on a software GPU: "NAME milliseconds CPU-milliseconds" a line, the best
// of five runs after a warm-up; the latter are those of all threads together. Usage: bench CODE-OBJECT TARGET
// THREADS [LEVEL [KERNEL [TIER]]]; LEVEL and KERNEL may be empty. Without TIER as for 1, where what ran often
// is native code; 3 is what users get, where that is compiled, too.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "bench/kernels.h"
#include "softwave/device.h"

static void print(void *context, const sw_diagnostic *d) {
    (void)context;
    fprintf(stderr, "bench: %s\n", d->message);
}
static const sw_sink sink = {.report = print};

static void need(sw_status s) {
    if (s != SW_OK) exit(1);
}

static double read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct times {
    double wall, cpu;
};
static struct times run(sw_device *device, sw_executable *executable, const sw_kernel *k,
                        const struct bench_kernel *b) {
    uint8_t *kernarg = sw_device_alloc(device, k->kernarg_segment_size + 64), *memory[3] = {0};
    size_t argument = 0;
    for (int i = 0; i < b->buffers; i++) {
        memory[i] = sw_device_alloc(device, b->size[i]);
        bench_fill(memory[i], b->size[i]);
        memcpy(kernarg + k->arguments[argument++].offset, &memory[i], 8);
    }
    if (b->has_f32) memcpy(kernarg + k->arguments[argument++].offset, &b->f32, 4);
    if (b->has_f64) memcpy(kernarg + k->arguments[argument++].offset, &b->f64, 8);
    for (int i = 0; i < b->scalars; i++) memcpy(kernarg + k->arguments[argument++].offset, &b->scalar[i], 4);
    sw_dispatch q = {.size = sizeof q,
                     .executable = executable,
                     .descriptor = sw_executable_base(executable) + k->descriptor_offset,
                     .kernarg = (uint64_t)(uintptr_t)kernarg,
                     .grid = {b->grid[0], b->grid[1], 1},
                     .block = {b->block[0], b->block[1], 1}};
    sw_fill_hidden_arguments(device, k, &q, 0, kernarg);
    struct times best = {1e9, 1e9};
    for (int i = 0; i < BENCH_RUNS; i++) {
        const double start = read_clock(CLOCK_MONOTONIC), cpu_start = read_clock(CLOCK_PROCESS_CPUTIME_ID);
        need(sw_device_run(device, &q, NULL, NULL, &sink));
        const double t = read_clock(CLOCK_MONOTONIC) - start,
                     cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
        if (i && t < best.wall) best.wall = t;
        if (i && cpu < best.cpu) best.cpu = cpu;
    }
    for (int i = 0; i < b->buffers; i++) sw_device_free(device, memory[i]);
    sw_device_free(device, kernarg);
    return best;
}

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    struct file f;
    sw_object *object;
    sw_device *device;
    sw_executable *executable;
    need(file_open(&f, argv[1], &sink));
    need(sw_object_open(f.data, f.size, NULL, &object, &sink));
    sw_device_options o = {
        .size = sizeof o, .threads = (unsigned)atoi(argv[3]), .level = argc > 4 && *argv[4] ? argv[4] : NULL};
    if (argc > 6)
        o.tier = (const sw_tier[]){SW_TIER_INTERPRETER, SW_TIER_BEST, SW_TIER_COMPILED,
                                   SW_TIER_BEST}[atoi(argv[6]) & 3];
    if (argc <= 6 || atoi(argv[6]) != 3) setenv("SOFTWAVE_TIER_UP", "1000000000000", 1); // never
    need(sw_target_parse(argv[2], strlen(argv[2]), &o.target, &sink));
    need(sw_device_create(&o, &device, &sink));
    need(sw_device_load(device, object, NULL, NULL, &executable, &sink));
    for (int i = 0; i < BENCH_KERNELS; i++) {
        if (argc > 5 && *argv[5] && strcmp(argv[5], bench_kernels[i].name)) continue;
        const sw_kernel *k = sw_object_find_kernel(object, bench_kernels[i].name);
        if (!k) return 1;
        const struct times t = run(device, executable, k, &bench_kernels[i]);
        printf("%-12s %9.3f %9.3f\n", k->name, 1e3 * t.wall, 1e3 * t.cpu);
        fflush(stdout);
    }
    sw_device_destroy(device);
    sw_object_close(object);
    file_close(&f);
}
