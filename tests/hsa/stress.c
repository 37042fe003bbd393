// SPDX-License-Identifier: MIT
// Many threads on many queues of all devices: stress CODE-OBJECT [SECONDS [SEED]]. Dispatches, copies that
// depend on each other, handlers, queues that are destroyed while kernels run, traps, allocations that fail,
// code that is loaded and unloaded. Every signal that shall fall falls; what kernels count is right; at the
// end nothing is left.
#include "hsa_rig.h"

#include <sys/wait.h>

enum { THREADS = 6 };
static const char *path;
static double until;
static struct code codes[8];
static uint64_t actions[8];

struct actor {
    pthread_t thread;
    uint64_t random;
    hsa_queue_t *queue;
    unsigned gpu;
    int64_t *counter; // kernels add to it as to a signal's value
    int64_t expected;
};
static unsigned pick(struct actor *a, unsigned n) {
    a->random = a->random * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(a->random >> 33) % n;
}
static void did(int what) { __atomic_add_fetch(&actions[what], 1, __ATOMIC_RELAXED); }

struct store_args {
    int64_t *signal;
    int64_t value;
    int *flag;
};

// Dispatches in a row, the last of which is waited for.
static void dispatch_some(struct actor *a) {
    const unsigned n = 1 + pick(a, 50);
    hsa_signal_t done = make_signal(n);
    struct store_args *args = take(kernargs, sizeof *args, true);
    int *flag = take(fine, 64, true);
    *flag = 1;
    *args = (struct store_args){a->counter - 1, 1, flag}; // the kernel adds to the second word
    const uint64_t kernel = kernel_of(&codes[a->gpu], "store_and_stay");
    for (unsigned i = 0; i < n; i++)
        dispatch(a->queue, kernel, args, 64 * (1 + pick(a, 3)), 64, done, pick(a, 2) ? BARRIER : 0);
    CHECK(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, 280000000000ull,
                                    HSA_WAIT_STATE_BLOCKED) == 0);
    CALL(hsa_signal_destroy(done));
    CALL(hsa_amd_memory_pool_free(args));
    CALL(hsa_amd_memory_pool_free(flag));
    did(0);
}

// A chain of copies, each of which waits for the one before, started in any order.
static void copy_chain(struct actor *a) {
    enum { LINKS = 5 };
    const size_t size = 1 + pick(a, 300000);
    char *host = malloc(size), *end = malloc(size), *d[LINKS];
    hsa_signal_t s[LINKS + 1];
    for (size_t i = 0; i < size; i++) host[i] = (char)(i * 7 + size);
    for (int i = 0; i < LINKS; i++) d[i] = take(device_pool[a->gpu], size, false);
    for (int i = 0; i <= LINKS; i++) s[i] = make_signal(1);
    CALL(hsa_amd_memory_async_copy(end, cpu, d[LINKS - 1], gpus[a->gpu], size, 1, &s[LINKS - 1], s[LINKS]));
    for (int i = LINKS - 1; i > 0; i--)
        CALL(hsa_amd_memory_async_copy(d[i], gpus[a->gpu], d[i - 1], gpus[a->gpu], size, 1, &s[i - 1], s[i]));
    CALL(hsa_amd_memory_async_copy(d[0], gpus[a->gpu], host, cpu, size, 0, NULL, s[0]));
    CHECK(wait_zero(s[LINKS]) && !memcmp(host, end, size));
    for (int i = 0; i <= LINKS; i++) CALL(hsa_signal_destroy(s[i]));
    for (int i = 0; i < LINKS; i++) CALL(hsa_amd_memory_pool_free(d[i]));
    free(host);
    free(end);
    did(1);
}

// A queue of its own that is destroyed while its kernels spin, or after one of them trapped.
static void queue_in_flight(struct actor *a) {
    hsa_queue_t *q = make_queue(gpus[a->gpu], 64);
    volatile int *flag = take(fine, 64, true);
    volatile int **args = take(kernargs, 64, true);
    *args = flag;
    const bool trapping = pick(a, 2);
    *flag = trapping;
    hsa_signal_t never = make_signal(1);
    const unsigned n = 1 + pick(a, 5);
    for (unsigned i = 0; i < n; i++)
        dispatch(q, kernel_of(&codes[a->gpu], trapping ? "trap" : "spin"), (const void *)args,
                 64 << pick(a, 5), 64, never, 0);
    if (pick(a, 2)) usleep(pick(a, 500));
    CALL(hsa_queue_destroy(q));
    CHECK(hsa_signal_load_relaxed(never) == 1);
    CALL(hsa_signal_destroy(never));
    CALL(hsa_amd_memory_pool_free((void *)flag));
    CALL(hsa_amd_memory_pool_free(args));
    did(2);
}

static bool fell(hsa_signal_value_t value, void *data) {
    (void)value;
    __atomic_add_fetch((int *)data, 1, __ATOMIC_RELEASE);
    return false;
}
// A handler for each of several signals that kernels set.
static void handlers(struct actor *a) {
    enum { N = 8 };
    hsa_signal_t s[N];
    int called = 0;
    struct store_args *args = take(kernargs, N * 64, true);
    for (int i = 0; i < N; i++) {
        s[i] = make_signal(0);
        args[i] = (struct store_args){(int64_t *)(uintptr_t)s[i].handle, 5, NULL};
        CALL(hsa_amd_signal_async_handler(s[i], HSA_SIGNAL_CONDITION_EQ, 5, fell, &called));
    }
    for (int i = 0; i < N; i++)
        dispatch(a->queue, kernel_of(&codes[a->gpu], "store_signal"), &args[i], 64, 64, (hsa_signal_t){0}, 0);
    UNTIL(__atomic_load_n(&called, __ATOMIC_ACQUIRE) >= N);
    CHECK(__atomic_load_n(&called, __ATOMIC_ACQUIRE) == N);
    for (int i = 0; i < N; i++) CALL(hsa_signal_destroy(s[i]));
    // The kernels have stored, but their packets may not have ended.
    hsa_signal_t end = make_signal(1);
    hsa_barrier_and_packet_t p = {.completion_signal = end};
    put(a->queue, &p, HSA_PACKET_TYPE_BARRIER_AND | BARRIER);
    CHECK(wait_zero(end));
    CALL(hsa_signal_destroy(end));
    CALL(hsa_amd_memory_pool_free(args));
    did(3);
}

static void load_and_unload(struct actor *a) {
    struct code c;
    load_code(&c, path, gpus[a->gpu]);
    hsa_signal_t done = make_signal(1);
    int *out = take(fine, 16, true), **args = take(kernargs, 64, true);
    *args = out;
    dispatch(a->queue, kernel_of(&c, "use_table"), args, 64, 64, done, 0);
    if (pick(a, 2)) CHECK(wait_zero(done) && out[3] == 4);
    while (hsa_queue_load_read_index_scacquire(a->queue) < hsa_queue_load_write_index_relaxed(a->queue))
        sched_yield();
    drop_code(&c); // the packet was taken; this waits for the dispatch
    CHECK(wait_zero(done) && out[3] == 4);
    CALL(hsa_signal_destroy(done));
    CALL(hsa_amd_memory_pool_free(out));
    CALL(hsa_amd_memory_pool_free(args));
    did(4);
}

static void failing_allocations(struct actor *a) {
    void *p;
    CHECK(hsa_amd_memory_pool_allocate(device_pool[a->gpu], 1ull << 48, 0, &p) ==
          HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    CHECK(hsa_amd_memory_pool_free(a) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
    char *host = malloc(10000), *seen;
    CALL(hsa_amd_memory_lock(host, 10000, gpus, (int)gpu_count, (void **)&seen));
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    CALL(hsa_amd_pointer_info(seen + 5000, &info, NULL, NULL, NULL));
    CHECK(info.type == HSA_EXT_POINTER_TYPE_LOCKED);
    CALL(hsa_amd_memory_unlock(host));
    free(host);
    did(5);
}

static void *act(void *argument) {
    struct actor *a = argument;
    static void (*const acts[])(struct actor *) = {dispatch_some,      dispatch_some, copy_chain,
                                                   queue_in_flight,    handlers,      load_and_unload,
                                                   failing_allocations};
    while (seconds() < until) acts[pick(a, sizeof acts / sizeof *acts)](a);
    return NULL;
}

// A process that ends in the middle of copies still has them: not what LeakSanitizer looks for.
static int is_child;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return is_child; }

// A child that ends in the middle of it, by exit or by a signal, ends.
static void ending_processes(unsigned seed) {
    for (int i = 0; i < 4; i++) {
        const pid_t child = fork();
        if (!child) {
            is_child = 1;
            open_runtime();
            for (unsigned g = 0; g < gpu_count; g++) load_code(&codes[g], path, gpus[g]);
            until = seconds() + 3600;
            static struct actor actors[3];
            for (int n = 0; n < 3; n++) {
                actors[n] = (struct actor){.random = seed + (unsigned)n, .gpu = (unsigned)n % gpu_count};
                actors[n].queue = make_queue(gpus[actors[n].gpu], 256);
                actors[n].counter = take(fine, 64, true);
                CHECK(!pthread_create(&actors[n].thread, NULL, act, &actors[n]));
            }
            usleep(20000 * (1 + (unsigned)i));
            exit(0); // while threads call and kernels run
        }
        int status = -1;
        for (int wait = 0; wait < 30000 && !waitpid(child, &status, WNOHANG); wait++) usleep(10000);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

int main(int argc, char **argv) {
    CHECK(argc > 1);
    path = argv[1];
    const double length = argc > 2 ? atof(argv[2]) : 3;
    const unsigned seed = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
    if (!getenv("NO_FORKS")) ending_processes(seed);
    open_runtime();
    for (unsigned g = 0; g < gpu_count; g++) load_code(&codes[g], path, gpus[g]);
    until = seconds() + length;
    struct actor actors[THREADS];
    for (int i = 0; i < THREADS; i++) {
        actors[i] = (struct actor){.random = seed * 1000003u + (unsigned)i, .gpu = (unsigned)i % gpu_count};
        actors[i].queue = make_queue(gpus[actors[i].gpu], 64u << i % 3);
        actors[i].counter = take(fine, 64, true);
        CHECK(!pthread_create(&actors[i].thread, NULL, act, &actors[i]));
    }
    for (int i = 0; i < THREADS; i++) CHECK(!pthread_join(actors[i].thread, NULL));
    for (int i = 0; i < THREADS; i++) {
        CALL(hsa_queue_destroy(actors[i].queue));
        CALL(hsa_amd_memory_pool_free(actors[i].counter));
    }
    for (unsigned g = 0; g < gpu_count; g++) drop_code(&codes[g]);
    CALL(hsa_shut_down());
    printf("ok stress: %llu rows of dispatches, %llu chains of copies, %llu queues in flight, %llu rounds of "
           "handlers, "
           "%llu loads\n",
           (unsigned long long)actions[0], (unsigned long long)actions[1], (unsigned long long)actions[2],
           (unsigned long long)actions[3], (unsigned long long)actions[4]);
    return 0;
}
