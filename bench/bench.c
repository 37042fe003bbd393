// SPDX-License-Identifier: MIT
// Times the kernels of a code object on a software GPU: "NAME milliseconds" a line, the best of five runs
// after a warm-up. THREADS may be a list, as 1,2,4: then there are two columns for each, the best and the
// median, and runs take turns, three times as many, as hosts are not equally fast all the time; what the host
// itself gives (host.h) is measured in turn with them, in lines of the same form behind the kernels. Usage:
// bench CODE-OBJECT TARGET THREADS [LEVEL [KERNEL [TIER]]]; LEVEL and KERNEL may be empty. Without TIER as
// for 1, where what ran often is native code; 3 is what users get, where that is compiled, too. With a g
// behind it the device is guarded, as those of the HSA runtime are.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "bench/host.h"
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

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// One device, and what a kernel needs there.
struct side {
    sw_device *device;
    sw_executable *executable;
    uint8_t *kernarg, *memory[3];
    sw_dispatch dispatch;
    double wall[3 * BENCH_RUNS]; // of each run
    unsigned runs;
    struct host *host;
    double *host_wall[HOST_LOOPS];
    unsigned host_runs;
};
enum { MOST_SIDES = 8, ROUNDS = 3 * (BENCH_RUNS - 1) };

static void prepare(struct side *s, const sw_kernel *k, const struct bench_kernel *b) {
    s->kernarg = sw_device_alloc(s->device, k->kernarg_segment_size + 64);
    size_t argument = 0;
    for (int i = 0; i < b->buffers; i++) {
        s->memory[i] = sw_device_alloc(s->device, b->size[i]);
        bench_fill(s->memory[i], b->size[i]);
        memcpy(s->kernarg + sw_kernel_argument(k, argument++)->offset, &s->memory[i], 8);
    }
    if (b->has_f32) memcpy(s->kernarg + sw_kernel_argument(k, argument++)->offset, &b->f32, 4);
    if (b->has_f64) memcpy(s->kernarg + sw_kernel_argument(k, argument++)->offset, &b->f64, 8);
    for (int i = 0; i < b->scalars; i++)
        memcpy(s->kernarg + sw_kernel_argument(k, argument++)->offset, &b->scalar[i], 4);
    s->dispatch = (sw_dispatch){.size = sizeof s->dispatch,
                                .executable = s->executable,
                                .descriptor = sw_executable_base(s->executable) + k->descriptor_offset,
                                .kernarg = (uint64_t)(uintptr_t)s->kernarg,
                                .grid = {b->grid[0], b->grid[1], 1},
                                .block = {b->block[0], b->block[1], 1}};
    sw_device_fill_hidden_arguments(s->device, k, &s->dispatch, 0, s->kernarg);
    s->runs = 0;
}

static void run_once(struct side *s, bool counts) {
    const double start = now();
    need(sw_device_run(s->device, &s->dispatch, NULL, NULL, &sink));
    if (counts) s->wall[s->runs++] = now() - start;
}

static void run_host(struct side *s) {
    for (int loop = 0; loop < HOST_LOOPS; loop++)
        s->host_wall[loop][s->host_runs] = host_run(s->host, (enum host_loop)loop);
    s->host_runs++;
}

static void give_back(struct side *s, const struct bench_kernel *b) {
    for (int i = 0; i < b->buffers; i++) sw_device_free(s->device, s->memory[i]);
    sw_device_free(s->device, s->kernarg);
}

static int by_number(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static void print_times(double *seconds, unsigned runs, bool with_median) {
    qsort(seconds, runs, sizeof *seconds, by_number);
    printf(" %9.3f", 1e3 * seconds[0]);
    if (with_median) printf(" %9.3f", 1e3 * seconds[runs / 2]);
}

static void compare(struct side *sides, int count, const sw_kernel *k, const struct bench_kernel *b) {
    const int rounds = count > 1 ? ROUNDS : BENCH_RUNS - 1;
    for (int i = 0; i < count; i++) {
        prepare(&sides[i], k, b);
        run_once(&sides[i], false);
    }
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < count; i++) {
            if (count > 1) run_once(&sides[i], false); // its threads are awake and caches have its data
            run_once(&sides[i], true);
            if (count > 1) run_host(&sides[i]);
        }
    printf("%-12s", k->name);
    for (int i = 0; i < count; i++) {
        print_times(sides[i].wall, sides[i].runs, count > 1);
        give_back(&sides[i], b);
    }
    printf("\n");
    fflush(stdout);
}

static void create_hosts(struct side *sides, int count, const unsigned *threads) {
    for (int i = 0; i < count; i++) {
        sides[i].host = host_create(threads[i]);
        for (int loop = 0; loop < HOST_LOOPS; loop++)
            sides[i].host_wall[loop] = calloc(ROUNDS * BENCH_KERNELS, sizeof(double));
    }
}
static void print_hosts(struct side *sides, int count) {
    for (int loop = 0; loop < HOST_LOOPS; loop++) {
        printf("host:%-8s", host_loop_names[loop]);
        for (int i = 0; i < count; i++) print_times(sides[i].host_wall[loop], sides[i].host_runs, true);
        printf("\n");
    }
    for (int i = 0; i < count; i++) {
        host_destroy(sides[i].host);
        for (int loop = 0; loop < HOST_LOOPS; loop++) free(sides[i].host_wall[loop]);
    }
}

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    struct file f;
    sw_object *object;
    struct side sides[MOST_SIDES] = {0};
    unsigned threads[MOST_SIDES];
    int count = 0;
    need(file_open(&f, argv[1], &sink));
    need(sw_object_open(f.data, f.size, NULL, &object, &sink));
    sw_device_options o = {.size = sizeof o, .level = argc > 4 && *argv[4] ? argv[4] : NULL};
    if (argc > 6)
        o.tier = (const sw_tier[]){SW_TIER_INTERPRETER, SW_TIER_BEST, SW_TIER_COMPILED,
                                   SW_TIER_BEST}[atoi(argv[6]) & 3];
    if (argc <= 6 || atoi(argv[6]) != 3) setenv("SOFTWAVE_TIER_UP", "1000000000000", 1); // never
    need(sw_target_parse(argv[2], strlen(argv[2]), &o.target, &sink));
    for (char *at = argv[3]; *at && count < MOST_SIDES; count++) {
        o.threads = threads[count] = (unsigned)strtoul(at, &at, 10);
        if (*at) at++;
        need(sw_device_create(&o, &sides[count].device, &sink));
        if (argc > 6 && strchr(argv[6], 'g')) need(sw_device_guard_memory(sides[count].device));
        need(sw_device_load(sides[count].device, object, NULL, NULL, &sides[count].executable, &sink));
    }
    if (count > 1) create_hosts(sides, count, threads);
    for (int i = 0; i < BENCH_KERNELS; i++) {
        if (argc > 5 && *argv[5] && strcmp(argv[5], bench_kernels[i].name)) continue;
        const sw_kernel *k = sw_object_find_kernel(object, bench_kernels[i].name);
        if (!k) return 1;
        compare(sides, count, k, &bench_kernels[i]);
    }
    if (count > 1) print_hosts(sides, count);
    for (int i = 0; i < count; i++) sw_device_destroy(sides[i].device);
    sw_object_close(object);
    file_close(&f);
}
