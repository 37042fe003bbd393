// SPDX-License-Identifier: MIT
// What the HSA runtime costs beyond the device's work: start-up, the latency of a dispatch, dispatches a
// second over several queues, copies over memcpy, a pipeline of many small kernels over the sum of their
// times. Each is the best of several tries, as others use this machine, too. usage: hsa CODE-OBJECT (of
// tests/hsa/kernels.cl)
#include "../tests/hsa/hsa_rig.h"

enum { LATENCIES = 3000, MANY = 4000, PIPELINE = 1000, TRIES = 6 };

static struct code code;
static uint64_t kernel, copy_kernel;
static void *args;

static int by_number(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double latency(void) {
    static double t[LATENCIES];
    double best = 1e9;
    hsa_queue_t *q = make_queue(gpus[0], 4096);
    hsa_signal_t s = make_signal(1);
    for (int k = 0; k < TRIES; k++) {
        for (int i = 0; i < LATENCIES; i++) {
            hsa_signal_store_relaxed(s, 1);
            const double start = seconds();
            dispatch(q, kernel, args, 1, 1, s, BARRIER);
            while (hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX,
                                             HSA_WAIT_STATE_ACTIVE) >= 1) {}
            t[i] = seconds() - start;
        }
        qsort(t, LATENCIES, sizeof *t, by_number);
        if (t[LATENCIES / 2] < best) best = t[LATENCIES / 2];
    }
    CALL(hsa_queue_destroy(q));
    CALL(hsa_signal_destroy(s));
    return 1e6 * best;
}

static double a_second(unsigned queues) {
    hsa_queue_t *q[4];
    double best = 0;
    for (unsigned i = 0; i < queues; i++) q[i] = make_queue(gpus[0], 4096);
    hsa_signal_t s = make_signal(1);
    for (int k = 0; k < TRIES; k++) {
        hsa_signal_store_relaxed(s, MANY);
        const double start = seconds();
        for (unsigned i = 0; i < MANY; i++) dispatch(q[i % queues], kernel, args, 1, 1, s, BARRIER);
        CHECK(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_ACTIVE) ==
              0);
        const double rate = MANY / (seconds() - start);
        if (rate > best) best = rate;
    }
    for (unsigned i = 0; i < queues; i++) CALL(hsa_queue_destroy(q[i]));
    CALL(hsa_signal_destroy(s));
    return best;
}

static void copies(size_t size) {
    char *a = malloc(size), *b = malloc(size), *d = take(device_pool[0], size, false);
    double plain = 1e9, there = 1e9, back = 1e9;
    hsa_signal_t s = make_signal(1);
    memset(a, 1, size);
    memset(b, 2, size);
    memset(d, 3, size);
    for (int k = 0; k < TRIES; k++) {
        double start = seconds(), t;
        memcpy(b, a, size);
        if ((t = seconds() - start) < plain) plain = t;
        hsa_signal_store_relaxed(s, 1);
        start = seconds();
        CALL(hsa_amd_memory_async_copy(d, gpus[0], a, cpu, size, 0, NULL, s));
        CHECK(wait_zero(s));
        if ((t = seconds() - start) < there) there = t;
        hsa_signal_store_relaxed(s, 1);
        start = seconds();
        CALL(hsa_amd_memory_async_copy(b, cpu, d, gpus[0], size, 0, NULL, s));
        CHECK(wait_zero(s));
        if ((t = seconds() - start) < back) back = t;
    }
    printf("  copy of %5zu KiB over memcpy       %8.2f there, %.2f back (goal 0.9; %.1f GB/s)\n", size >> 10,
           plain / there, plain / back, (double)size / there * 1e-9);
    CALL(hsa_amd_memory_pool_free(d));
    CALL(hsa_signal_destroy(s));
    free(a);
    free(b);
}

static void pipeline(void) {
    enum { N = 16384 };
    int *from = take(device_pool[0], N * 4, false), *to = take(device_pool[0], N * 4, false);
    struct {
        int *from, *to;
        int n;
    } *a = take(kernargs, 64, true);
    a->from = from, a->to = to, a->n = N;
    hsa_queue_t *q = make_queue(gpus[0], 4096);
    static hsa_signal_t s[PIPELINE];
    for (int i = 0; i < PIPELINE; i++) s[i] = make_signal(1);
    double best = 1e9, sum_of_best = 0;
    for (int k = 0; k < TRIES; k++) {
        for (int i = 0; i < PIPELINE; i++) hsa_signal_store_relaxed(s[i], 1);
        const double start = seconds();
        for (int i = 0; i < PIPELINE; i++) dispatch(q, copy_kernel, a, N, 64, s[i], BARRIER);
        CHECK(wait_zero(s[PIPELINE - 1]));
        const double all = seconds() - start;
        double sum = 0;
        for (int i = 0; i < PIPELINE; i++) {
            hsa_amd_profiling_dispatch_time_t t;
            CALL(hsa_amd_profiling_get_dispatch_time(gpus[0], s[i], &t));
            sum += 1e-9 * (double)(t.end - t.start);
        }
        if (all < best) best = all, sum_of_best = sum;
    }
    printf("  %d kernels in a row, over their sum %5.2f (%.1f us each)\n", PIPELINE, best / sum_of_best,
           1e6 * best / PIPELINE);
}

static double processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Rows of dispatches of 256 short groups that may all run at the same time: processor time of each.
static double of_a_row(unsigned length) {
    enum { ITEMS = 16384, ALL = 1000 };
    struct {
        int *from, *to;
        int n;
    } *a = take(kernargs, 64, true);
    a->from = take(device_pool[0], ITEMS * 4, false);
    a->to = take(device_pool[0], ITEMS * 4, false);
    a->n = ITEMS;
    hsa_queue_t *q = make_queue(gpus[0], 4096);
    hsa_signal_t s = make_signal(1);
    double best = 1e9;
    for (int k = 0; k < TRIES; k++) {
        const double start = processor_time();
        for (unsigned i = 0; i < ALL; i += length) {
            hsa_signal_store_relaxed(s, length);
            for (unsigned j = 0; j < length; j++) dispatch(q, copy_kernel, a, ITEMS, 64, s, 0);
            CHECK(wait_zero(s));
        }
        const double each = (processor_time() - start) / ALL;
        if (each < best) best = each;
    }
    CALL(hsa_queue_destroy(q));
    CALL(hsa_signal_destroy(s));
    return 1e6 * best;
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    const double start = seconds();
    open_runtime();
    load_code(&code, argv[1], gpus[0]);
    kernel = kernel_of(&code, "store");
    copy_kernel = kernel_of(&code, "vector_copy");
    struct {
        int *p;
        int value;
    } *a = take(kernargs, 64, true);
    args = a;
    a->p = take(fine, 64, true);
    hsa_queue_t *q = make_queue(gpus[0], 4096);
    hsa_signal_t s = make_signal(1);
    dispatch(q, kernel, args, 1, 1, s, BARRIER);
    CHECK(wait_zero(s));
    printf("  hsa_init to the first kernel's end %8.2f ms\n", 1e3 * (seconds() - start));
    printf("  a dispatch, until its signal falls %8.2f us (median; goal 5)\n", latency());
    printf("  dispatches a second, 1 queue       %8.0f\n", a_second(1));
    printf("  dispatches a second, 2 queues      %8.0f\n", a_second(2));
    printf("  dispatches a second, 4 queues      %8.0f\n", a_second(4));
    copies(1 << 20);
    copies(64 << 20);
    pipeline();
    printf("  dispatches of 256 groups at once   %8.1f us of processor time each in rows of 1, %.1f of 10, "
           "%.1f of 100\n",
           of_a_row(1), of_a_row(10), of_a_row(100));
    return 0;
}
