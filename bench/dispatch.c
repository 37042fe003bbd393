// SPDX-License-Identifier: MIT
// What a dispatch costs beyond its work: the median time of a dispatch of one work-group, at 1 thread up to
// THREADS, and how much faster short groups get with threads. Fails where the median of tiny dispatches is
// above its goal by more than a noisy host explains. Usage: dispatch CODE-OBJECT TARGET THREADS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "softwave/device.h"

enum { TINY = 4000, GROUPS = 1 << 14, TRIES = 8 };
static const double GOAL_US = 5;

static void print(void *context, const sw_diagnostic *d) {
    (void)context;
    fprintf(stderr, "dispatch: %s\n", d->message);
}
static const sw_sink sink = {.report = print};
static void need(sw_status s) {
    if (s != SW_OK) exit(1);
}
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static int by_number(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The median in microseconds; the best of several tries, as others use this machine, too.
static double tiny(sw_device *device, const sw_dispatch *q) {
    static double t[TINY];
    double best = 1e9;
    for (int k = 0; k < TRIES; k++) {
        for (int i = 0; i < TINY; i++) {
            const double start = now();
            need(sw_device_run(device, q, NULL, NULL, &sink));
            t[i] = 1e6 * (now() - start);
        }
        qsort(t, TINY, sizeof *t, by_number);
        if (t[TINY / 2] < best) best = t[TINY / 2];
    }
    return best;
}

static double many(sw_device *device, const sw_dispatch *q) {
    double best = 1e9;
    for (int k = 0; k < 3 * TRIES; k++) {
        const double start = now();
        need(sw_device_run(device, q, NULL, NULL, &sink));
        const double t = now() - start;
        if (t < best) best = t;
    }
    return best;
}

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    struct file f;
    sw_object *object;
    need(file_open(&f, argv[1], &sink));
    need(sw_object_open(f.data, f.size, NULL, &object, &sink));
    const sw_kernel *k = sw_object_find_kernel(object, "hash");
    if (!k) return 1;
    double alone = 0;
    int slow = 0;
    setenv("SOFTWAVE_TIER_UP", "1000000000000", 1); // never, as the compiler would run beside some of it
    for (unsigned threads = 1; threads <= (unsigned)atoi(argv[3]); threads++) {
        sw_device *device;
        sw_executable *executable;
        sw_device_options o = {.size = sizeof o, .threads = threads};
        need(sw_target_parse(argv[2], strlen(argv[2]), &o.target, &sink));
        need(sw_device_create(&o, &device, &sink));
        need(sw_device_load(device, object, NULL, NULL, &executable, &sink));
        uint8_t *kernarg = sw_device_alloc(device, k->kernarg_segment_size + 64);
        void *memory = sw_device_alloc(device, 4ull * 64 * GROUPS);
        memcpy(kernarg + sw_kernel_argument(k, 0)->offset, &memory, 8);
        memcpy(kernarg + sw_kernel_argument(k, 1)->offset, &(int){1}, 4);
        sw_dispatch q = {.size = sizeof q,
                         .executable = executable,
                         .descriptor = sw_executable_base(executable) + k->descriptor_offset,
                         .kernarg = (uint64_t)(uintptr_t)kernarg,
                         .grid = {64, 1, 1},
                         .block = {64, 1, 1}};
        sw_device_fill_hidden_arguments(device, k, &q, 0, kernarg);
        const double us = tiny(device, &q);
        q.grid[0] = 64 * GROUPS;
        sw_device_fill_hidden_arguments(device, k, &q, 0, kernarg);
        const double all = many(device, &q);
        if (threads == 1) alone = all;
        printf(
            "  %u thread(s): a tiny dispatch %.1f us (goal: %.0f); short groups %.0f ns each, %.2f times one "
            "thread's speed\n",
            threads, us, GOAL_US, 1e9 * all / GROUPS, alone / all);
        if (us > 4 * GOAL_US) slow = 1, printf("SLOW: tiny dispatches with %u threads\n", threads);
        sw_device_destroy(device);
    }
    sw_object_close(object);
    file_close(&f);
    return slow;
}
