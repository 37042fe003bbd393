// SPDX-License-Identifier: MIT
// A plain HSA program: plain CODE-OBJECT [CASE...]. Agents, memory, queues, packets, signals, executables as
// the standard describes them (DISP-01 to DISP-08, DISP-13, DISP-14).
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "hsa_rig.h"

static struct code code;
static hsa_queue_t *queue;
static hsa_signal_t done;

static void *arguments(size_t bytes) { return memset(take(kernargs, bytes, true), 0, bytes); }

// A copy on the device and the way there and back: the kernel comes from a code object that was loaded for
// the agent, arguments from a kernarg pool, aligned, which the kernel reads; the packet's header is written
// last; the signal falls when all has ended; what the host wrote between two dispatches is what the second
// reads (DISP-02 to DISP-08, DISP-11).
static void vector_copy(void) {
    enum { N = 10000 };
    int *from = take(device_pool[0], N * 4, false), *to = take(device_pool[0], N * 4, false);
    int host[N];
    for (int i = 0; i < N; i++) host[i] = 5 * i + 1;
    CALL(hsa_memory_copy(from, host, sizeof host));
    struct args {
        int *from, *to;
        int n;
    } *args = arguments(64);
    CHECK((uintptr_t)args % 16 == 0 && kernel_of(&code, "vector_copy") % 64 == 0);
    *args = (struct args){from, to, N};
    for (int again = 0; again < 2; again++) {
        if (again)
            for (int i = 0; i < N; i++) from[i] = 3 * i + 1;
        hsa_signal_store_relaxed(done, 1);
        dispatch(queue, kernel_of(&code, "vector_copy"), args, (N + 63) / 64 * 64, 64, done, BARRIER);
        CHECK(wait_zero(done));
        for (int i = 0; i < N; i++) CHECK(to[i] == (again ? 3 : 5) * i + 1);
    }
    memset(host, 0, sizeof host);
    hsa_signal_store_relaxed(done, 1);
    CALL(hsa_amd_memory_async_copy(host, cpu, to, gpus[0], sizeof host, 0, NULL, done));
    CHECK(wait_zero(done));
    for (int i = 0; i < N; i++) CHECK(host[i] == 3 * i + 1);
    hsa_amd_profiling_dispatch_time_t t;
    CALL(hsa_amd_profiling_get_dispatch_time(gpus[0], done, &t));
    CHECK(t.start && t.start <= t.end);
    CALL(hsa_amd_memory_pool_free(from));
    CALL(hsa_amd_memory_pool_free(to));
    CALL(hsa_amd_memory_pool_free(args));
}

// A thread that waits BLOCKED is woken by a kernel's store, plain or atomic, while the kernel still runs, and
// costs no time of the processor meanwhile.
struct waiter {
    hsa_signal_t signal;
    double woken, cpu;
    hsa_signal_value_t value;
};
static double thread_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void *wait_for_it(void *argument) {
    struct waiter *w = argument;
    const double before = thread_seconds();
    w->value =
        hsa_signal_wait_scacquire(w->signal, HSA_SIGNAL_CONDITION_NE, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    w->woken = seconds();
    w->cpu = thread_seconds() - before;
    return NULL;
}
static void woken_by_kernels(void) {
    int *flag = take(fine, 4, true);
    for (int round = 0; round < 4; round++) {
        const bool stays = round & 1;
        hsa_signal_t s = make_signal(0);
        struct waiter w = {.signal = s};
        pthread_t thread;
        *flag = 0;
        struct args {
            uint64_t signal;
            int64_t value;
            int *flag;
        } *args = arguments(64);
        *args = (struct args){s.handle, 77, flag};
        CHECK(!pthread_create(&thread, NULL, wait_for_it, &w));
        usleep(100000); // it sleeps
        hsa_signal_store_relaxed(done, 1);
        dispatch(queue, kernel_of(&code, stays ? "store_and_stay" : "store_signal"), args, 64, 64, done,
                 BARRIER);
        CHECK(!pthread_join(thread, NULL));
        CHECK(w.value == 77);
        CHECK(w.cpu < 0.02);
        if (stays) CHECK(hsa_signal_load_relaxed(done) == 1);
        __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
        CHECK(wait_zero(done));
        CALL(hsa_signal_destroy(s));
        CALL(hsa_amd_memory_pool_free(args));
    }
    CALL(hsa_amd_memory_pool_free(flag));
}

// Barriers hold what stands behind them until their signals are 0, and only those count (DISP-01).
static void barriers(void) {
    int *flag = take(fine, 4, true);
    struct args {
        int *p;
        int value;
    } *args = arguments(64);
    *args = (struct args){flag, 5};
    for (int kind = 0; kind < 3; kind++) {
        hsa_signal_t a = make_signal(1), b = make_signal(2), end = make_signal(1), c = make_signal(1);
        *flag = 0;
        if (kind < 2) {
            hsa_barrier_and_packet_t p = {0};
            p.dep_signal[0] = a;
            p.dep_signal[3] = b;
            p.completion_signal = c;
            put(queue, &p, kind ? HSA_PACKET_TYPE_BARRIER_OR : HSA_PACKET_TYPE_BARRIER_AND);
        } else {
            hsa_amd_barrier_value_packet_t p = {0};
            p.header.AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE;
            p.signal = a;
            p.value = 0x10;
            p.mask = 0xf0;
            p.cond = HSA_SIGNAL_CONDITION_EQ;
            p.completion_signal = c;
            put(queue, &p, HSA_PACKET_TYPE_VENDOR_SPECIFIC);
        }
        dispatch(queue, kernel_of(&code, "store"), args, 1, 1, end, 0);
        usleep(20000);
        CHECK(*(volatile int *)flag == 0 && hsa_signal_load_relaxed(c) == 1);
        if (kind == 2) {
            hsa_signal_store_relaxed(a, 0x21);
            usleep(10000);
            CHECK(*(volatile int *)flag == 0);
            hsa_signal_store_relaxed(a, 0x1f);
        } else {
            hsa_signal_store_relaxed(a, 0);
            if (!kind) {
                usleep(10000);
                CHECK(*(volatile int *)flag == 0);
                hsa_signal_store_relaxed(b, -1); // below 0 is not 0
                usleep(10000);
                CHECK(*(volatile int *)flag == 0);
                hsa_signal_add_relaxed(b, 1);
            }
        }
        CHECK(wait_zero(end) && *flag == 5 && hsa_signal_load_relaxed(c) == 0);
        CALL(hsa_signal_destroy(a));
        CALL(hsa_signal_destroy(b));
        CALL(hsa_signal_destroy(c));
        CALL(hsa_signal_destroy(end));
    }
    CALL(hsa_amd_memory_pool_free(flag));
    CALL(hsa_amd_memory_pool_free(args));
}

// Barriers on a value: (signal & mask) in each relation to it, which is signed.
static void barrier_values(void) {
    static const struct {
        hsa_signal_condition_t condition;
        hsa_signal_value_t value, mask, holds_up, lets_pass;
    } cases[] = {
        {HSA_SIGNAL_CONDITION_EQ, 0x10, 0xf0, 0x21, 0x1f},
        {HSA_SIGNAL_CONDITION_NE, 5, 0xf, 0x15, 0x16},
        {HSA_SIGNAL_CONDITION_LT, 0, -1, 0, -1},
        {HSA_SIGNAL_CONDITION_GTE, -3, -1, -4, -3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hsa_amd_barrier_value_packet_t p = {0};
        p.header.AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE;
        p.signal = make_signal(cases[i].holds_up);
        p.value = cases[i].value;
        p.mask = cases[i].mask;
        p.cond = cases[i].condition;
        p.completion_signal = make_signal(1);
        put(queue, &p, HSA_PACKET_TYPE_VENDOR_SPECIFIC);
        usleep(1000);
        CHECK(hsa_signal_load_scacquire(p.completion_signal) == 1);
        hsa_signal_store_screlease(p.signal, cases[i].lets_pass);
        CHECK(wait_zero(p.completion_signal));
        CALL(hsa_signal_destroy(p.signal));
        CALL(hsa_signal_destroy(p.completion_signal));
    }
}

// PM4 in an indirect buffer: what maintains caches is done, all else is refused, and so is a buffer that is
// none.
static void pm4(void) {
    enum {
        IB = 0x3f,
        NOP = 0x10,
        ACQUIRE_MEM = 0x58,
        RELEASE_MEM = 0x49,
        COPY_DATA = 0x40,
        WRITE_DATA = 0x37
    };
#define PM4(opcode, body) (3u << 30 | ((body)-1) << 16 | (opcode) << 8)
    static const struct {
        bool works;
        uint32_t count, words[16];
    } cases[] = {
        {true, 7, {PM4(ACQUIRE_MEM, 6), 0x28c40000, ~0u, 0xff, 0, 0, 4}},
        {true, 5, {0x80000000, PM4(NOP, 3), 1, 2, 3}},
        {true, 8, {PM4(RELEASE_MEM, 7), 0x514, 0, 0, 0, 0, 0, 0}},
        {true, 0, {0}},
        {false, 8, {PM4(RELEASE_MEM, 7), 0x514, 2u << 29, 0, 0, 0, 0, 0}}, // which writes
        {false, 6, {PM4(COPY_DATA, 5), 0, 0, 0, 0, 0}},
        {false, 12, {PM4(ACQUIRE_MEM, 6), 0, 0, 0, 0, 0, 0, PM4(WRITE_DATA, 4), 0, 0, 0, 0}},
        {false, 6, {PM4(ACQUIRE_MEM, 6), 0, 0, 0, 0, 0}}, // cut off
        {false, 1, {0x00010000}},
    };
    bool is_gfx9;
    char name[64];
    CALL(hsa_agent_get_info(gpus[0], HSA_AGENT_INFO_NAME, name));
    is_gfx9 = strlen(name) > 6 || name[3] == '9'; // and later
    uint32_t *buffer = take(fine, 4096, true);
    for (size_t i = 0; i < sizeof cases / sizeof *cases + 1; i++) {
        const bool none = i == sizeof cases / sizeof *cases; // no memory there
        uint32_t p[16] = {0};
        const uint64_t at = none ? 0x1000 : (uint64_t)(uintptr_t)buffer;
        if (!none) memcpy(buffer, cases[i].words, sizeof cases[i].words);
        p[0] = 1 << 16; // the format
        p[1] = PM4(IB, 3), p[2] = (uint32_t)at, p[3] = (uint32_t)(at >> 32);
        p[4] = none ? 4 : cases[i].count;
        p[5] = 10;
        hsa_signal_t end = make_signal(1);
        memcpy(&p[14], &end, sizeof end);
        hsa_queue_t *q = make_queue(gpus[0], 64);
        queue_status = HSA_STATUS_SUCCESS;
        put(q, p, HSA_PACKET_TYPE_VENDOR_SPECIFIC);
        if (!none && cases[i].works && is_gfx9)
            CHECK(wait_zero(end) && !queue_status);
        else {
            UNTIL(__atomic_load_n(&queue_status, __ATOMIC_ACQUIRE));
            CHECK(queue_status == HSA_STATUS_ERROR_INVALID_PACKET_FORMAT &&
                  hsa_signal_load_relaxed(end) == 1);
        }
        CALL(hsa_queue_destroy(q));
        CALL(hsa_signal_destroy(end));
    }
    CALL(hsa_amd_memory_pool_free(buffer));
}

// Without the barrier bit a dispatch may pass one that runs; with it, it may not. Another queue is not held
// up.
static void side_by_side(void) {
    volatile int *flag = take(fine, 4, true), *out = take(fine, 4, true);
    struct args {
        volatile int *p;
        int value;
    } *spinning = arguments(64), *storing = arguments(64);
    *spinning = (struct args){flag, 0};
    *storing = (struct args){out, 9};
    hsa_signal_t a = make_signal(1), b = make_signal(1), c = make_signal(1);
    hsa_queue_t *other = make_queue(gpus[0], 64);
    *flag = *out = 0;
    dispatch(queue, kernel_of(&code, "spin"), spinning, 64, 64, a, 0);
    dispatch(queue, kernel_of(&code, "store"), storing, 1, 1, b, 0);
    CHECK(wait_zero(b) && *out == 9 && hsa_signal_load_relaxed(a) == 1);
    *out = 0;
    dispatch(other, kernel_of(&code, "store"), storing, 1, 1, c, BARRIER);
    CHECK(wait_zero(c) && *out == 9);
    *out = 0;
    hsa_signal_store_relaxed(b, 1);
    dispatch(queue, kernel_of(&code, "store"), storing, 1, 1, b, BARRIER);
    usleep(20000);
    CHECK(*out == 0);
    *flag = 1;
    CHECK(wait_zero(a) && wait_zero(b) && *out == 9);
    CALL(hsa_queue_destroy(other));
    CALL(hsa_signal_destroy(a));
    CALL(hsa_signal_destroy(b));
    CALL(hsa_signal_destroy(c));
}

// Many producers of one small queue, whose packets become valid in any order.
static int produced;
struct producer {
    hsa_signal_t end;
    void *args;
    int count;
};
static void *produce(void *argument) {
    struct producer *p = argument;
    const uint64_t kernel = kernel_of(&code, "store");
    for (int i = 0; i < p->count; i++) dispatch(queue, kernel, p->args, 1, 1, p->end, 0);
    return NULL;
}
static void many_producers(void) {
    enum { THREADS = 4, EACH = 500 };
    struct args {
        int *p;
        int value;
    } *args = arguments(64);
    *args = (struct args){take(fine, 4, true), 1};
    struct producer p = {make_signal(THREADS * EACH), args, EACH};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) CHECK(!pthread_create(&threads[i], NULL, produce, &p));
    for (int i = 0; i < THREADS; i++) CHECK(!pthread_join(threads[i], NULL));
    CHECK(wait_zero(p.end) && hsa_signal_load_relaxed(p.end) == 0);
    CHECK(hsa_queue_load_read_index_relaxed(queue) == hsa_queue_load_write_index_relaxed(queue));
    produced = 1;
}

static bool becomes(int *p, int value) {
    UNTIL(__atomic_load_n(p, __ATOMIC_ACQUIRE) == value);
    return __atomic_load_n(p, __ATOMIC_ACQUIRE) == value;
}
// Handlers run while their condition holds, and stay as long as they say so.
static int handled;
static bool handler(hsa_signal_value_t value, void *data) {
    __atomic_add_fetch((int *)data, 1, __ATOMIC_RELAXED);
    return value > -3;
}
static void again(void *data) { __atomic_add_fetch((int *)data, 100, __ATOMIC_RELAXED); }
static void handlers(void) {
    hsa_signal_t s = make_signal(1);
    handled = 0;
    CALL(hsa_amd_signal_async_handler(s, HSA_SIGNAL_CONDITION_LT, -2, handler, &handled));
    usleep(5000);
    CHECK(becomes(&handled, 0));
    hsa_signal_store_relaxed(s, -5);
    CHECK(becomes(&handled, 1));
    hsa_signal_store_relaxed(s, -6); // it has dropped itself
    usleep(5000);
    CHECK(becomes(&handled, 1));
    CALL(hsa_amd_signal_async_handler(s, HSA_SIGNAL_CONDITION_LT, 0, handler, &handled)); // it holds already
    CHECK(becomes(&handled, 2));
    CALL(hsa_amd_async_function(again, &handled));
    CHECK(becomes(&handled, 102));
    CALL(hsa_signal_destroy(s));
}

static void *change_later(void *data) {
    usleep(20000);
    hsa_signal_store_relaxed(*(hsa_signal_t *)data, 1);
    return NULL;
}
static void waits(void) {
    hsa_signal_t s[3] = {make_signal(0), make_signal(0), make_signal(0)};
    hsa_signal_condition_t conditions[3] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ,
                                            HSA_SIGNAL_CONDITION_EQ};
    hsa_signal_value_t values[3] = {1, 1, 1}, found = 0;
    const double before = seconds();
    CHECK(hsa_signal_wait_scacquire(s[0], HSA_SIGNAL_CONDITION_NE, 0, 30000000, HSA_WAIT_STATE_BLOCKED) == 0);
    CHECK(seconds() - before >= 0.03);
    CHECK(hsa_amd_signal_wait_any(3, s, conditions, values, 1000000, HSA_WAIT_STATE_BLOCKED, &found) ==
          UINT32_MAX);
    pthread_t thread;
    CHECK(!pthread_create(&thread, NULL, change_later, &s[1]));
    CHECK(hsa_amd_signal_wait_any(3, s, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, &found) == 1);
    CHECK(found == 1);
    pthread_join(thread, NULL);
    // A value that is written unseen.
    volatile hsa_signal_value_t *value;
    CALL(hsa_amd_signal_value_pointer(s[2], &value));
    hsa_signal_store_relaxed(s[2], 5);
    CHECK(*value == 5);
    *value = 6;
    CHECK(hsa_signal_wait_scacquire(s[2], HSA_SIGNAL_CONDITION_EQ, 6, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) ==
          6);
    for (int i = 0; i < 3; i++) CALL(hsa_signal_destroy(s[i]));
}

// Every operation against plain arithmetic.
static void operations(void) {
    hsa_signal_t s = make_signal(12);
    hsa_signal_add_screlease(s, 5);
    hsa_signal_subtract_relaxed(s, 3);
    CHECK(hsa_signal_load_relaxed(s) == 14);
    hsa_signal_and_relaxed(s, 6);
    hsa_signal_or_scacquire(s, 17);
    hsa_signal_xor_scacq_screl(s, 1);
    CHECK(hsa_signal_load_scacquire(s) == ((14 & 6) | 17) - 1);
    CHECK(hsa_signal_exchange_relaxed(s, 7) == 22);
    CHECK(hsa_signal_cas_relaxed(s, 8, 9) == 7 && hsa_signal_load_relaxed(s) == 7);
    CHECK(hsa_signal_cas_scacq_screl(s, 7, 9) == 7 && hsa_signal_load_relaxed(s) == 9);
    CALL(hsa_signal_destroy(s));
    CHECK(hsa_signal_destroy(s) == HSA_STATUS_ERROR_INVALID_SIGNAL);
    CHECK(hsa_signal_destroy((hsa_signal_t){0}) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

// Copies: with dependencies, of rows, of nothing, at once with others; their times.
static void copies(void) {
    enum { N = 6 * 1024 * 512 };
    char *a = malloc(N), *b = malloc(N), *d = take(device_pool[0], N, false);
    for (int i = 0; i < N; i++) a[i] = (char)(i * 31 >> 3);
    hsa_signal_t first = make_signal(1), second = make_signal(1), hold = make_signal(1);
    hsa_signal_t both[2] = {first, hold};
    CALL(hsa_amd_memory_async_copy(b, cpu, d, gpus[0], N, 2, both, second));
    CALL(hsa_amd_memory_async_copy(d, gpus[0], a, cpu, N, 0, NULL, first));
    CHECK(wait_zero(first));
    usleep(5000);
    CHECK(hsa_signal_load_relaxed(second) == 1);
    hsa_signal_store_relaxed(hold, 0);
    CHECK(wait_zero(second) && !memcmp(a, b, N));
    hsa_amd_profiling_async_copy_time_t t;
    CALL(hsa_amd_profiling_get_async_copy_time(second, &t));
    CHECK(t.start && t.start <= t.end);
    hsa_signal_store_relaxed(first, 1);
    CALL(hsa_amd_memory_async_copy(b, cpu, d, gpus[0], 0, 0, NULL, first));
    usleep(1000);
    CHECK(hsa_signal_load_relaxed(first) == 1); // nothing is copied, the signal stays
    memset(b, 0, N);
    hsa_pitched_ptr_t to = {b, 100, 1000}, from = {d, 64, 640};
    hsa_dim3_t to_at = {5, 1, 2}, from_at = {3, 2, 1}, range = {40, 7, 3};
    CALL(hsa_amd_memory_async_copy_rect(&to, &to_at, &from, &from_at, &range, gpus[0], hsaDeviceToHost, 0,
                                        NULL, first));
    CHECK(wait_zero(first));
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 7; y++)
            CHECK(!memcmp(b + (z + 2) * 1000 + (y + 1) * 100 + 5, a + (z + 1) * 640 + (y + 2) * 64 + 3, 40));
    CHECK(b[2 * 1000 + 100 + 4] == 0 && b[2 * 1000 + 100 + 45] == 0);
    // A large one, which is done in pieces: 700 of 1024 columns, 500 of 512 rows, 4 of 6 slices.
    memset(b, 0, N);
    hsa_pitched_ptr_t wide = {b, 1024, 1024 * 512}, narrow = {d, 1024, 1024 * 512};
    hsa_dim3_t wide_at = {9, 3, 1}, narrow_at = {100, 12, 2};
    range = (hsa_dim3_t){700, 500, 4};
    hsa_signal_store_relaxed(first, 1);
    CALL(hsa_amd_memory_async_copy_rect(&wide, &wide_at, &narrow, &narrow_at, &range, gpus[0],
                                        hsaDeviceToHost, 0, NULL, first));
    CHECK(wait_zero(first));
    for (int at = 0; at < N; at++) {
        const int z = at / (1024 * 512) - 1, y = at / 1024 % 512 - 3, x = at % 1024 - 9;
        const bool inside = x >= 0 && x < 700 && y >= 0 && y < 500 && z >= 0 && z < 4;
        CHECK(b[at] == (inside ? a[(z + 2) * 1024 * 512 + (y + 12) * 1024 + x + 100] : 0));
    }
    // A chain of large ones, each of which waits for the one before.
    hsa_signal_t links[9];
    for (int i = 0; i < 9; i++) links[i] = make_signal(1);
    for (int i = 8; i > 0; i--)
        CALL(hsa_amd_memory_async_copy(i % 2 ? b : d, i % 2 ? cpu : gpus[0], i % 2 ? d : b,
                                       i % 2 ? gpus[0] : cpu, N, 1, &links[i - 1], links[i]));
    hsa_signal_store_screlease(links[0], 0);
    CHECK(wait_zero(links[8]) && !memcmp(b, a, N) && !memcmp(d, a, N));
    for (int i = 0; i < 9; i++) CALL(hsa_signal_destroy(links[i]));
    CALL(hsa_amd_memory_fill(d, 0xdeadbeef, N / 4));
    CALL(hsa_memory_copy(b, d, N));
    for (int i = 0; i < N / 4; i++) CHECK(((uint32_t *)b)[i] == 0xdeadbeef);
    CALL(hsa_amd_memory_pool_free(d));
    free(a);
    free(b);
}

// Pointers: what they are, who may use them; locked memory is seen elsewhere.
static void *room(size_t n) { return malloc(n); }
static void pointers(void) {
    char *p = take(device_pool[0], 10000, false);
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    uint32_t count = 0;
    hsa_agent_t *list;
    CALL(hsa_amd_pointer_info(p + 5000, &info, room, &count, &list));
    CHECK(info.type == HSA_EXT_POINTER_TYPE_HSA && info.agentBaseAddress == p && info.hostBaseAddress == p);
    CHECK(info.sizeInBytes == 10000 && info.agentOwner.handle == gpus[0].handle);
    CHECK(count == 2 && list[0].handle == cpu.handle && list[1].handle == gpus[0].handle);
    free(list);
    CALL(hsa_amd_pointer_info_set_userdata(p, &info));
    CALL(hsa_amd_pointer_info(p, &info, NULL, NULL, NULL));
    CHECK(info.userData == &info);
    CALL(hsa_amd_memory_pool_free(p));
    CHECK(hsa_amd_memory_pool_free(p) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CALL(hsa_amd_memory_pool_free(NULL));
    CALL(hsa_amd_pointer_info(p, &info, NULL, NULL, NULL));
    CHECK(info.type == HSA_EXT_POINTER_TYPE_UNKNOWN);

    int *host = calloc(1000, 4), *seen;
    CALL(hsa_amd_memory_lock(host, 4000, NULL, 0, (void **)&seen));
    CHECK(seen != host);
    CALL(hsa_amd_pointer_info(seen + 1, &info, NULL, NULL, NULL));
    CHECK(info.type == HSA_EXT_POINTER_TYPE_LOCKED && info.agentBaseAddress == seen &&
          info.hostBaseAddress == host);
    struct args {
        int *p;
        int value;
    } *args = arguments(64);
    *args = (struct args){seen + 7, 1234};
    hsa_signal_store_relaxed(done, 1);
    dispatch(queue, kernel_of(&code, "store"), args, 1, 1, done, BARRIER);
    CHECK(wait_zero(done) && host[7] == 1234);
    CALL(hsa_memory_copy(host, seen + 7, 4)); // the runtime itself knows both addresses
    CHECK(host[0] == 1234);
    CALL(hsa_amd_memory_unlock(host));
    CHECK(hsa_amd_memory_unlock(host) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
    free(host);
    CALL(hsa_amd_memory_pool_free(args));
}

// Executables: symbols, states, variables, what is refused.
static hsa_status_t count_symbol(hsa_executable_t e, hsa_agent_t a, hsa_executable_symbol_t s, void *data) {
    uint32_t kind;
    (void)e, (void)a;
    CALL(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind));
    ((int *)data)[kind == HSA_SYMBOL_KIND_KERNEL]++;
    return HSA_STATUS_SUCCESS;
}
static void executables(void) {
    hsa_executable_symbol_t s;
    char name[64] = "";
    uint32_t n, size;
    uint64_t address;
    CALL(hsa_executable_get_symbol_by_name(code.executable, "table", &gpus[0], &s));
    CALL(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &n));
    CHECK(n == 5);
    CALL(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name));
    CHECK(!strcmp(name, "table"));
    CALL(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, &size));
    CALL(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &address));
    CHECK(size == 16);
    int values[4] = {10, 20, 30, 40};
    CALL(hsa_memory_copy((void *)(uintptr_t)address, values, 16));
    int *out = take(fine, 16, true);
    int **args = arguments(64);
    *args = out;
    hsa_signal_store_relaxed(done, 1);
    dispatch(queue, kernel_of(&code, "use_table"), args, 64, 64, done, BARRIER);
    CHECK(wait_zero(done) && !memcmp(out, values, 16));
    int kinds[2] = {0, 0};
    CALL(hsa_executable_iterate_agent_symbols(code.executable, gpus[0], count_symbol, kinds));
    CHECK(kinds[1] == 11 && kinds[0] >= 1);
    CHECK(hsa_executable_freeze(code.executable, NULL) == HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
    CHECK(hsa_executable_get_symbol_by_name(code.executable, "nothing", &gpus[0], &s) ==
          HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
    CHECK(hsa_executable_load_agent_code_object(code.executable, gpus[0], code.reader, NULL, NULL) ==
          HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
    CHECK(hsa_executable_destroy((hsa_executable_t){12345}) == HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    hsa_executable_t e;
    hsa_code_object_reader_t bad;
    CALL(hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO, NULL, &e));
    CALL(hsa_code_object_reader_create_from_memory("not a code object", 17, &bad));
    CHECK(hsa_executable_load_agent_code_object(e, gpus[0], bad, NULL, NULL) ==
          HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    CALL(hsa_executable_global_variable_define(e, "v", values));
    CHECK(hsa_executable_global_variable_define(e, "v", values) == HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED);
    CALL(hsa_code_object_reader_destroy(bad));
    CHECK(hsa_code_object_reader_destroy(bad) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
    CALL(hsa_executable_destroy(e));
    CALL(hsa_amd_memory_pool_free(out));
    CALL(hsa_amd_memory_pool_free(args));
}

// What a wrong packet does to its queue, and to no other (DISP-01).
static void wrong_packets(void) {
    struct args {
        int *p;
        int value;
    } *args = arguments(64);
    int *out = take(fine, 4, true);
    *args = (struct args){out, 3};
    const uint64_t kernel = kernel_of(&code, "store");
    static const struct {
        hsa_status_t status;
        uint16_t type, setup, group;
        uint32_t grid, lds;
        bool kernel;
    } cases[] = {
        {HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, 2, 1, 0, 1, 0, true},
        {HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, 2, 1, 1, 0, 0, true},
        {HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, 2, 0, 1, 1, 0, true},
        {HSA_STATUS_ERROR_INVALID_ARGUMENT, 2, 1, 2000, 1, 0, true},
        {HSA_STATUS_ERROR_INVALID_ALLOCATION, 2, 1, 1, 1, 1 << 24, true},
        {HSA_STATUS_ERROR_INVALID_CODE_OBJECT, 2, 1, 1, 1, 0, false},
        {HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, 4, 1, 1, 1, 0, true},
        {HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, 77, 1, 1, 1, 0, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hsa_queue_t *q = make_queue(gpus[0], 64);
        hsa_kernel_dispatch_packet_t p = {0};
        p.setup = cases[i].setup;
        p.workgroup_size_x = cases[i].group;
        p.workgroup_size_y = p.workgroup_size_z = p.grid_size_y = p.grid_size_z = 1;
        p.grid_size_x = cases[i].grid;
        p.group_segment_size = cases[i].lds;
        p.kernel_object = cases[i].kernel ? kernel : 0;
        p.kernarg_address = args;
        queue_status = HSA_STATUS_SUCCESS;
        put(q, &p, cases[i].type);
        UNTIL(__atomic_load_n(&queue_status, __ATOMIC_ACQUIRE));
        if (queue_status != cases[i].status) printf("case %zu: 0x%x\n", i, queue_status);
        CHECK(queue_status == cases[i].status);
        CALL(hsa_queue_destroy(q));
    }
    *out = 0;
    hsa_signal_store_relaxed(done, 1);
    dispatch(queue, kernel, args, 1, 1, done, BARRIER);
    CHECK(wait_zero(done) && *out == 3);
    CALL(hsa_amd_memory_pool_free(args));
    CALL(hsa_amd_memory_pool_free(out));
}

// A trap stops its queue with an exception (TRAP-04, TRAP-05); kernels of others go on, also when the queue
// is destroyed under its kernels.
static void traps(void) {
    hsa_queue_t *q = make_queue(gpus[0], 64);
    volatile int *flag = take(fine, 64, true);
    flag[0] = 1, flag[1] = 0;
    volatile int **args = arguments(64), **spinning = arguments(64);
    *args = flag;
    *spinning = flag + 1;
    hsa_signal_t never = make_signal(1);
    queue_status = HSA_STATUS_SUCCESS;
    dispatch(q, kernel_of(&code, "trap"), args, 64, 64, never, 0);
    UNTIL(__atomic_load_n(&queue_status, __ATOMIC_ACQUIRE));
    CHECK(queue_status == HSA_STATUS_ERROR_EXCEPTION);
    CHECK(hsa_signal_load_relaxed(never) == 1);
    CALL(hsa_queue_destroy(q));
    q = make_queue(gpus[0], 64);
    dispatch(q, kernel_of(&code, "spin"), spinning, 64 * 50, 64, never, 0);
    usleep(1000);
    CALL(hsa_queue_destroy(q));
    CHECK(hsa_signal_load_relaxed(never) == 1);
    CHECK(hsa_queue_destroy(q) == HSA_STATUS_ERROR_INVALID_QUEUE);
    CALL(hsa_signal_destroy(never));
}

// Without a debugger traps 1 and 3 do nothing (TRAP-03, TRAP-06); numbers that are reserved end the queue
// (TRAP-01, TRAP-07).
static void trap_numbers(void) {
    static const int numbers[] = {1, 3, 0, 4, 5, 6, 7, 8, 254, 255};
    struct args {
        int *p;
        int number;
    } *args = arguments(64);
    int *out = take(fine, 4, true);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        hsa_queue_t *q = make_queue(gpus[0], 64);
        hsa_signal_t end = make_signal(1);
        *args = (struct args){out, numbers[i]};
        *out = 0;
        queue_status = HSA_STATUS_SUCCESS;
        dispatch(q, kernel_of(&code, "trap_number"), args, 1, 1, end, 0);
        if (i < 2)
            CHECK(wait_zero(end) && *out == 1 && !queue_status);
        else {
            UNTIL(__atomic_load_n(&queue_status, __ATOMIC_ACQUIRE));
            CHECK(queue_status == HSA_STATUS_ERROR_EXCEPTION && *out == 0);
        }
        CALL(hsa_queue_destroy(q));
        CALL(hsa_signal_destroy(end));
    }
    CALL(hsa_amd_memory_pool_free(out));
    CALL(hsa_amd_memory_pool_free(args));
}

// The packet is what the kernel's pointer names, and hidden arguments are what the client writes, not the
// runtime: counts and sizes of groups, the remainder, dimensions (META-31 to META-34).
// Their layout is the code object's: seven pointers in V4 (META-22), in V5 a block with the device heap and
// the size of dynamic LDS (META-35), the halves of the apertures (META-36) and the queue (META-37).
static void hidden_arguments(void) {
    enum { EXPLICIT = 4, HIDDEN = 128 }; // of 16 bits
    uint16_t *args = arguments(512);
    uint32_t *out = take(fine, 1024, true);
    memcpy(args, &out, sizeof out);
    for (int i = 0; i < HIDDEN; i++)
        args[EXPLICIT + i] = (uint16_t)(1000 * i + 100); // behind the only other one
    hsa_signal_store_relaxed(done, 1);
    dispatch(queue, kernel_of(&code, "sizes"), args, 200, 64, done, BARRIER);
    CHECK(wait_zero(done) && out[0] == 200 && out[1] == 64);
    for (int i = 0; i < HIDDEN; i++) CHECK(out[2 + i] == (uint16_t)(1000 * i + 100));
    CALL(hsa_amd_memory_pool_free(out));
    CALL(hsa_amd_memory_pool_free(args));
}

// Scratch and LDS, each byte of a work-item's its own (DISP-10), through their own and through flat
// addresses, for which the queue has the apertures (DISP-14) and, in V5 before the ninth generation, the
// client passes them on (META-36, META-37). Byte 0 is an address like others: null is all ones (DISP-09).
static void segments(void) {
    enum { ITEMS = 64, IMPLICIT = 16, PRIVATE_BASE = 192, SHARED_BASE = 196, QUEUE_PTR = 200 };
    struct args {
        uint32_t *out;
        uint32_t zero, ones;
        uint8_t implicit[256];
    } *args = arguments(512);
    _Static_assert(offsetof(struct args, implicit) == IMPLICIT, "as compilers place them");
    uint32_t *out = take(fine, ITEMS * 32, true);
    *args = (struct args){.out = out, .ones = ~0u};
    memcpy(args->implicit + SHARED_BASE, (char *)queue + 0x40, 4);
    memcpy(args->implicit + PRIVATE_BASE, (char *)queue + 0x44, 4);
    memcpy(args->implicit + QUEUE_PTR, &queue, sizeof queue);
    hsa_signal_store_relaxed(done, 1);
    dispatch(queue, kernel_of(&code, "segments"), args, ITEMS, ITEMS, done, BARRIER);
    CHECK(wait_zero(done));
    for (uint32_t i = 0; i < ITEMS; i++) {
        const uint32_t expected[8] = {77 + i, 1, 1, 1, 1, 8, 1000 + (i ^ 1), 1};
        for (int n = 0; n < 8; n++) {
            if (out[8 * i + n] != expected[n]) printf("item %u: word %d is %u\n", i, n, out[8 * i + n]);
            CHECK(out[8 * i + n] == expected[n]);
        }
    }
    CALL(hsa_amd_memory_pool_free(out));
    CALL(hsa_amd_memory_pool_free(args));
}

// A memory fault is an event with the page and the reason; what its handler takes, the program survives.
static struct {
    uint64_t address;
    uint32_t reasons;
    int count;
} event;
static hsa_status_t on_event(const hsa_amd_event_t *e, void *data) {
    (void)data;
    if (e->event_type == HSA_AMD_GPU_MEMORY_FAULT_EVENT) {
        event.address = e->memory_fault.virtual_address;
        event.reasons = e->memory_fault.fault_reason_mask;
        __atomic_add_fetch(&event.count, 1, __ATOMIC_RELEASE);
    }
    return HSA_STATUS_SUCCESS;
}
// Once: what is registered again is called again, for the same event.
static void listen_for_faults(void) {
    static bool listening;
    if (!listening) CALL(hsa_amd_register_system_event_handler(on_event, NULL));
    listening = true;
}
static void memory_faults(void) {
    listen_for_faults();
    int *closed = take(fine, 4, false), *opened = take(fine, 4, true), *gone = take(device_pool[0], 4, false);
    CALL(hsa_amd_memory_pool_free(gone));
    int own = 0;
    int *targets[] = {NULL, closed, gone, &own, opened + 1024};
    *opened = 42;
    struct args {
        int *p;
        int value;
    } *args = arguments(64);
    for (int i = 0; i < 5; i++) {
        hsa_queue_t *q = make_queue(gpus[0], 64);
        *args = (struct args){targets[i], 1};
        const int before = __atomic_load_n(&event.count, __ATOMIC_ACQUIRE);
        queue_status = HSA_STATUS_SUCCESS;
        dispatch(q, kernel_of(&code, "store"), args, 1, 1, (hsa_signal_t){0}, 0);
        CHECK(becomes(&event.count, before + 1));
        CHECK(event.address == ((uint64_t)(uintptr_t)targets[i] & ~4095ull));
        CHECK(event.reasons == HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT);
        CHECK(queue_status == HSA_STATUS_SUCCESS); // the queue's callback hears nothing
        CALL(hsa_queue_destroy(q));
    }
    CHECK(own == 0 && *closed == 0 && *opened == 42);
    // The list of agents replaces the one before; the owner stays.
    CALL(hsa_amd_agents_allow_access(1, &cpu, NULL, opened));
    hsa_queue_t *q = make_queue(gpus[0], 64);
    *args = (struct args){opened, 1};
    const int before = __atomic_load_n(&event.count, __ATOMIC_ACQUIRE);
    dispatch(q, kernel_of(&code, "store"), args, 1, 1, (hsa_signal_t){0}, 0);
    CHECK(becomes(&event.count, before + 1) && *opened == 42);
    CALL(hsa_queue_destroy(q));
}

// Where nothing else is put when pages there are unmapped, and sanitizers have nothing.
#if defined(__SANITIZE_THREAD__)
#define LONELY ((void *)0x3f80000000)
#else
#define LONELY ((void *)0x280000000000)
#endif
static char *lonely_pages(void) {
    char *p = mmap(LONELY, 4 * 4096, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    CHECK(p != MAP_FAILED);
    return p;
}

// Shared virtual memory: pages of the host at their own address.
static void svm(void) {
    char *pages = lonely_pages();
    hsa_amd_svm_attribute_pair_t a = {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gpus[0].handle};
    CALL(hsa_amd_svm_attributes_set(pages + 4096, 2 * 4096, &a, 1));
    hsa_amd_svm_attribute_pair_t query = {HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpus[0].handle};
    CALL(hsa_amd_svm_attributes_get(pages + 4096, 8192, &query, 1));
    CHECK(query.attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE);
    query = (hsa_amd_svm_attribute_pair_t){HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpus[0].handle};
    CALL(hsa_amd_svm_attributes_get(pages, 4096, &query, 1));
    bool by_default;
    CALL(hsa_system_get_info(HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT, &by_default));
    CHECK(query.attribute ==
          (by_default ? HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE : HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS));
    struct args {
        void *p;
        int value;
    } *args = arguments(64);
    *args = (struct args){pages + 8192, 11};
    hsa_signal_store_relaxed(done, 1);
    dispatch(queue, kernel_of(&code, "store"), args, 1, 1, done, BARRIER);
    CHECK(wait_zero(done) && *(int *)(pages + 8192) == 11);
    a.attribute = HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
    CALL(hsa_amd_svm_attributes_set(pages, 4 * 4096, &a, 1));
    if (by_default) {
        a.attribute = HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE;
        CALL(hsa_amd_svm_attributes_set(pages, 4 * 4096, &a, 1));
    }
    hsa_signal_store_relaxed(done, 1);
    CALL(hsa_amd_svm_prefetch_async(pages, 4 * 4096, gpus[0], 0, NULL, done));
    CHECK(wait_zero(done));
    munmap(pages, 4 * 4096);
}

// A store through a queue of its own: whether it faults, and then where.
static bool store_faults(int *p, int value, uint64_t *page) {
    struct args {
        int *p;
        int value;
    } *args = arguments(64);
    *args = (struct args){p, value};
    hsa_queue_t *q = make_queue(gpus[0], 64);
    hsa_signal_t end = make_signal(1);
    const int before = __atomic_load_n(&event.count, __ATOMIC_ACQUIRE);
    queue_status = HSA_STATUS_SUCCESS;
    dispatch(q, kernel_of(&code, "store"), args, 1, 1, end, 0);
    UNTIL(!hsa_signal_load_scacquire(end) || __atomic_load_n(&event.count, __ATOMIC_ACQUIRE) != before);
    const bool faulted = hsa_signal_load_scacquire(end) != 0;
    if (faulted) *page = event.address;
    CHECK(queue_status == HSA_STATUS_SUCCESS);
    CALL(hsa_queue_destroy(q));
    CALL(hsa_signal_destroy(end));
    return faulted;
}

// Memory that the program unmaps while kernels may touch it: a fault of the kernel, the program goes on.
static void unmapped(void) {
    listen_for_faults();
    char *pages = lonely_pages();
    hsa_amd_svm_attribute_pair_t a = {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gpus[0].handle};
    uint64_t page = 0;
    CALL(hsa_amd_svm_attributes_set(pages, 2 * 4096, &a, 1));
    CHECK(!store_faults((int *)pages + 5, 3, &page) && ((int *)pages)[5] == 3);
    munmap(pages, 4096);
    CHECK(store_faults((int *)pages + 5, 3, &page) && page == (uint64_t)(uintptr_t)pages);
    CHECK(event.reasons == HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT);
    CHECK(!store_faults((int *)(pages + 4096), 4, &page) && *(int *)(pages + 4096) == 4);
    void *agent_pointer;
    CALL(hsa_amd_memory_lock(pages + 8192, 8192, gpus, 1, &agent_pointer));
    CHECK(!store_faults((int *)((char *)agent_pointer + 4096), 6, &page) && *(int *)(pages + 12288) == 6);
    munmap(pages + 12288, 4096);
    CHECK(store_faults((int *)((char *)agent_pointer + 4096), 6, &page));
    CHECK(page == (uint64_t)(uintptr_t)agent_pointer + 4096);
    CALL(hsa_amd_memory_unlock(pages + 8192));
    munmap(pages, 4 * 4096);
}

// With XNACK all memory that the process has mapped is a kernel's, but for other agents' and what an
// attribute takes away.
// Attributes end with the mapping, however it ends, and are not those of another that comes to stand there.
static bool may_hear_of_unmapping(void) {
    const long file = syscall(SYS_userfaultfd, 1);
    if (file >= 0) close((int)file);
    return file >= 0;
}
static uint32_t access_of(char *page) {
    hsa_amd_svm_attribute_pair_t query = {HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpus[0].handle};
    CALL(hsa_amd_svm_attributes_get(page, 4096, &query, 1));
    return (uint32_t)query.attribute;
}
static void *new_mapping(void *at, size_t size) {
    return mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
}
static void mapped_anew(void) {
    enum { PAGES = 8 };
    if (!may_hear_of_unmapping()) return;
    listen_for_faults();
    char *pages = new_mapping(NULL, PAGES * 4096), *elsewhere = new_mapping(NULL, 4096);
    const uint32_t before = access_of(pages);
    hsa_amd_svm_attribute_pair_t a = {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE, gpus[0].handle};
    CALL(hsa_amd_svm_attributes_set(pages, PAGES * 4096, &a, 1));
    for (int i = 0; i < PAGES; i++) CHECK(access_of(pages + i * 4096) == a.attribute);
    munmap(pages, 4096);
    CHECK(access_of(pages) == before);
    new_mapping(pages, 4096);
    CHECK(access_of(pages) == before);
    new_mapping(pages + 2 * 4096, 2 * 4096); // in place of the old one
    CHECK(mremap(pages + 5 * 4096, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, elsewhere) == elsewhere);
    static const bool gone[PAGES] = {true, false, true, true, false, true, false, false};
    for (int i = 0; i < PAGES; i++) CHECK(access_of(pages + i * 4096) == (gone[i] ? before : a.attribute));
    // So do rights, whoever asks first.
    uint64_t page = 0;
    CHECK(!store_faults((int *)(pages + 6 * 4096), 3, &page) && *(int *)(pages + 6 * 4096) == 3);
    new_mapping(pages + 6 * 4096, 4096);
    const bool by_default = before != HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
    CHECK(store_faults((int *)(pages + 6 * 4096), 3, &page) != by_default);
    CHECK(by_default || page == (uint64_t)(uintptr_t)(pages + 6 * 4096));
    CHECK(!store_faults((int *)(pages + 4 * 4096), 4, &page) && *(int *)(pages + 4 * 4096) == 4);
    CALL(hsa_amd_svm_attributes_set(pages + 6 * 4096, 4096, &a, 1)); // and may be set anew
    CHECK(!store_faults((int *)(pages + 6 * 4096), 5, &page) && *(int *)(pages + 6 * 4096) == 5);
    munmap(pages, PAGES * 4096);
    munmap(elsewhere, 4096);
}

static void xnack(void) {
    listen_for_faults();
    bool by_default;
    CALL(hsa_system_get_info(HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT, &by_default));
    char *pages = lonely_pages();
    int own = 1, *closed = take(fine, 4, false), *heap = malloc(4);
    uint64_t page = 0;
    *closed = *heap = 1;
    CHECK(store_faults(&own, 2, &page) != by_default && own == 1 + by_default);
    CHECK(store_faults(heap, 2, &page) != by_default && *heap == 1 + by_default);
    CHECK(store_faults(closed, 2, &page) && *closed == 1);
    CHECK(store_faults(NULL, 2, &page) && page == 0);
    if (by_default) {
        hsa_amd_svm_attribute_pair_t a = {HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpus[0].handle};
        CALL(hsa_amd_svm_attributes_get(pages, 4096, &a, 1));
        CHECK(a.attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE);
        a.attribute = HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
        CALL(hsa_amd_svm_attributes_set(pages + 4096, 4096, &a, 1));
        CHECK(!store_faults((int *)pages, 7, &page) && *(int *)pages == 7);
        CHECK(store_faults((int *)(pages + 4096), 7, &page) && page == (uint64_t)(uintptr_t)pages + 4096);
        CHECK(event.reasons == HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT);
        a = (hsa_amd_svm_attribute_pair_t){HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpus[0].handle};
        CALL(hsa_amd_svm_attributes_get(pages + 4096, 4096, &a, 1));
        CHECK(a.attribute == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS);
        a.attribute = HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE;
        CALL(hsa_amd_svm_attributes_set(pages + 4096, 4096, &a, 1));
        CHECK(!store_faults((int *)(pages + 4096), 8, &page) && *(int *)(pages + 4096) == 8);
        mprotect(pages, 4096, PROT_READ);
        CHECK(store_faults((int *)pages, 9, &page) && page == (uint64_t)(uintptr_t)pages);
        CHECK(event.reasons == HSA_AMD_MEMORY_FAULT_READ_ONLY);
        munmap(pages, 4096);
        CHECK(store_faults((int *)pages, 9, &page) && page == (uint64_t)(uintptr_t)pages);
        CHECK(event.reasons == HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT);
    }
    munmap(pages, 4 * 4096);
    free(heap);
    CALL(hsa_amd_memory_pool_free(closed));
}

// Masks of compute units (TRAP-388): waves in flight are those that these hold, and kernels see no others.
static unsigned meet(hsa_queue_t *q, int groups, int wanted, unsigned *most) {
    struct args {
        int *now, *most;
        int wanted;
        int *place;
    } *args = arguments(64);
    int *counts = take(fine, 8, true), *place = take(fine, (size_t)groups * 4, true);
    counts[0] = counts[1] = 0;
    *args = (struct args){counts, counts + 1, wanted, place};
    hsa_signal_store_relaxed(done, 1);
    dispatch(q, kernel_of(&code, "meet"), args, (uint32_t)groups * 64, 64, done, BARRIER);
    CHECK(wait_zero(done));
    *most = (unsigned)counts[1];
    unsigned places = 0; // less what says which wave it is
    for (int i = 0; i < groups; i++) {
        int k = 0;
        while (k < i && (place[k] ^ place[i]) >> 8 != 0) k++;
        places += k == i;
    }
    CALL(hsa_amd_memory_pool_free(counts));
    CALL(hsa_amd_memory_pool_free(place));
    return places;
}
static void compute_units(void) {
    uint32_t units, waves, wave_size, mask[16] = {0}, got[16];
    CALL(hsa_agent_get_info(gpus[0], (hsa_agent_info_t)HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, &units));
    CALL(hsa_agent_get_info(gpus[0], (hsa_agent_info_t)HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU, &waves));
    CALL(hsa_agent_get_info(gpus[0], HSA_AGENT_INFO_WAVEFRONT_SIZE, &wave_size));
    const uint32_t groups = waves * wave_size / 64; // of 64 work-items, that a unit holds
    hsa_queue_t *q = make_queue(gpus[0], 64);
    CALL(hsa_amd_queue_cu_get_mask(q, 512, got));
    for (uint32_t i = 0; i < 512; i++) CHECK((got[i / 32] >> i % 32 & 1) == (i < units));
    unsigned most;
    char name[64];
    CALL(hsa_agent_get_info(gpus[0], HSA_AGENT_INFO_NAME, name));
    const bool pairs = strlen(name) == 7; // from GFX10 on: work-group processors of two units
    const unsigned pair = pairs ? 2 : 1;
    const unsigned all = units < 8 ? units : 8, many = units * groups < 100 ? units * groups : 100;
    CHECK(meet(q, 200, (int)many, &most) >= all && most >= many); // these need more than a unit
    mask[0] = pairs ? 3 : 2;
    CALL(hsa_amd_queue_cu_set_mask(q, 32, mask));
    CHECK(meet(q, 200, (int)(pair * groups), &most) == pair && most == pair * groups);
    mask[0] = pairs ? 0x0c : units < 5 ? 3 : 0x12;
    CALL(hsa_amd_queue_cu_set_mask(q, 32, mask));
    CALL(hsa_amd_queue_cu_get_mask(q, 512, got));
    const uint32_t there = (uint32_t)((1ull << (units < 32 ? units : 32)) - 1);
    CHECK(got[0] == (mask[0] & there) && !got[1]);
    if (got[0] == mask[0]) CHECK(meet(q, 200, 2 * (int)groups, &most) == 2 && most == 2 * groups);
    // Half a processor is refused, and the mask stays as it was.
    const uint32_t halves[] = {1, 6, 0xe};
    for (int i = 0; i < 3; i++)
        CHECK(hsa_amd_queue_cu_set_mask(q, 32, &halves[i]) ==
              (pairs ? HSA_STATUS_ERROR_INVALID_ARGUMENT : HSA_STATUS_SUCCESS));
    CALL(hsa_amd_queue_cu_get_mask(q, 512, got));
    CHECK(got[0] == ((pairs ? mask[0] : 0xe) & there));
    // None at all, which hinders nothing, and bits behind the last unit.
    mask[0] = 0;
    CALL(hsa_amd_queue_cu_set_mask(q, 32, mask));
    CALL(hsa_amd_queue_cu_get_mask(q, 512, got));
    CHECK(!got[0] && meet(q, 200, (int)many, &most) >= all);
    mask[0] = pairs ? 3 : 1, mask[15] = 3u << 30;
    CALL(hsa_amd_queue_cu_set_mask(q, 512, mask));
    CHECK(meet(q, 200, (int)(pair * groups), &most) == pair && most == pair * groups);
    CALL(hsa_amd_queue_cu_set_mask(q, 0, NULL));
    CHECK(meet(q, 200, (int)many, &most) >= all && most >= many);
    CALL(hsa_queue_destroy(q));
}
// As HSA_CU_MASK=0:3-4 leaves it; for the script to ask for.
static void masked_by_environment(void) {
    uint32_t mask = 0x19, got;
    hsa_queue_t *q = make_queue(gpus[0], 64);
    unsigned most;
    CALL(hsa_amd_queue_cu_get_mask(q, 32, &got));
    CHECK(got == 0x18 && meet(q, 100, 33, &most) == 2);
    CHECK(hsa_amd_queue_cu_set_mask(q, 32, &mask) == (hsa_status_t)HSA_STATUS_CU_MASK_REDUCED);
    CALL(hsa_amd_queue_cu_get_mask(q, 32, &got));
    CHECK(got == 0x18);
    mask = 0x7; // nothing that the environment leaves
    CHECK(hsa_amd_queue_cu_set_mask(q, 32, &mask) == (hsa_status_t)HSA_STATUS_CU_MASK_REDUCED);
    CALL(hsa_amd_queue_cu_get_mask(q, 32, &got));
    CHECK(!got && meet(q, 100, 33, &most) == 2);
    CALL(hsa_queue_destroy(q));
}

// What there is not is refused with the status for it.
static void refusals(void) {
    hsa_queue_t *q;
    void *p;
    CHECK(hsa_queue_create(gpus[0], 100, 0, on_error, NULL, 0, 0, &q) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK(hsa_queue_create(gpus[0], 1 << 18, 0, on_error, NULL, 0, 0, &q) ==
          HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    CHECK(hsa_queue_create(cpu, 64, 0, on_error, NULL, 0, 0, &q) == HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
    CHECK(hsa_queue_create((hsa_agent_t){1}, 64, 0, on_error, NULL, 0, 0, &q) ==
          HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK(hsa_amd_memory_pool_allocate(fine, 0, 0, &p) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK(hsa_amd_memory_pool_allocate(device_pool[0], 1ull << 50, 0, &p) ==
          HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    CHECK(hsa_agent_get_info(gpus[0], (hsa_agent_info_t)0x7777, &p) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK(hsa_agent_get_info((hsa_agent_t){0}, HSA_AGENT_INFO_NAME, &p) == HSA_STATUS_ERROR_INVALID_AGENT);
    hsa_isa_t isa;
    CHECK(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx1", &isa) == HSA_STATUS_ERROR_INVALID_ISA_NAME);
    CALL(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx906:sramecc-:xnack-", &isa));
    uint32_t mask[16] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
    CALL(hsa_amd_queue_cu_set_mask(queue, 512, mask));
    CHECK(hsa_amd_queue_cu_set_mask(queue, 31, mask) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CALL(hsa_amd_queue_cu_set_mask(queue, 0, NULL));
    CALL(hsa_amd_queue_set_priority(queue, HSA_AMD_QUEUE_PRIORITY_HIGH));
}

// What is refused takes no room from those who ask for little at the same time.
static void *ask_for_too_much(void *stop) {
    void *p;
    while (!__atomic_load_n((int *)stop, __ATOMIC_ACQUIRE))
        CHECK(hsa_amd_memory_pool_allocate(fine, 1ull << 48, 0, &p) == HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    return NULL;
}
static void refused_beside(void) {
    int stop = 0;
    pthread_t other;
    CHECK(!pthread_create(&other, NULL, ask_for_too_much, &stop));
    for (int i = 0; i < 2000; i++) CALL(hsa_amd_memory_pool_free(take(fine, 4096, false)));
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    CHECK(!pthread_join(other, NULL));
}

// A kernel that runs until a line comes in, or for a tenth of a second when none will
// (tests/cli/terminal.py).
// A dispatch that never ends, for the script to give a time limit: the queue is in error, the program goes
// on.
static void endless(void) {
    struct {
        int *flag;
    } *args = arguments(sizeof *args);
    args->flag = take(fine, 64, true);
    *args->flag = 0;
    queue_status = HSA_STATUS_SUCCESS;
    hsa_signal_store_relaxed(done, 1);
    dispatch(queue, kernel_of(&code, "spin"), args, 64, 64, done, BARRIER);
    UNTIL(__atomic_load_n(&queue_status, __ATOMIC_ACQUIRE));
    CHECK(queue_status == HSA_STATUS_ERROR_EXCEPTION && hsa_signal_load_relaxed(done) == 1);
}
static void slow(void) {
    struct {
        int *flag;
    } *args = arguments(sizeof *args);
    args->flag = take(fine, 64, true);
    hsa_signal_store_relaxed(done, 1);
    dispatch(queue, kernel_of(&code, "spin"), args, 4 * 64, 64, done, BARRIER);
    if (getchar() == EOF)
        hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, 100000000, HSA_WAIT_STATE_BLOCKED);
    __atomic_store_n(args->flag, 1, __ATOMIC_RELEASE);
    CHECK(wait_zero(done));
}

static const struct {
    const char *name;
    void (*run)(void);
    bool when_asked;
} cases[] = {
    {"vector_copy", vector_copy},
    {"woken_by_kernels", woken_by_kernels},
    {"barriers", barriers},
    {"barrier_values", barrier_values},
    {"pm4", pm4},
    {"side_by_side", side_by_side},
    {"many_producers", many_producers},
    {"handlers", handlers},
    {"waits", waits},
    {"operations", operations},
    {"copies", copies},
    {"pointers", pointers},
    {"executables", executables},
    {"wrong_packets", wrong_packets},
    {"traps", traps},
    {"trap_numbers", trap_numbers},
    {"hidden_arguments", hidden_arguments},
    {"segments", segments},
    {"memory_faults", memory_faults},
    {"svm", svm},
    {"unmapped", unmapped},
    {"mapped_anew", mapped_anew},
    {"xnack", xnack},
    {"compute_units", compute_units},
    {"masked_by_environment", masked_by_environment, true},
    {"refusals", refusals},
    {"refused_beside", refused_beside},
    {"slow", slow, true},
    {"endless", endless, true},
};

int main(int argc, char **argv) {
    CHECK(argc > 1);
    open_runtime();
    load_code(&code, argv[1], gpus[0]);
    queue = make_queue(gpus[0], 128);
    done = make_signal(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool chosen = argc == 2 && !cases[i].when_asked;
        for (int n = 2; n < argc; n++) chosen |= !strcmp(argv[n], cases[i].name);
        if (!chosen) continue;
        cases[i].run();
        printf("ok %s\n", cases[i].name);
        fflush(stdout);
    }
    CALL(hsa_queue_destroy(queue));
    drop_code(&code);
    CALL(hsa_shut_down());
    CHECK(hsa_shut_down() == HSA_STATUS_ERROR_NOT_INITIALIZED);
    return 0;
}
