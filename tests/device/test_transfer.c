// SPDX-License-Identifier: MIT
// Copies and fills as jobs: bytes, boxes with gaps, values of every size, overlaps, against a reference byte
// by byte; beside kernels, with callbacks, from many threads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <unistd.h>

#include "piece.h"
#include "rig.h"

#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"

static uint64_t random_state = 1;
static uint64_t random_below(uint64_t n) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % n;
}
static void randomize(uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++) p[i] = (uint8_t)random_below(256);
}
static void run(sw_device *d, const sw_transfer *t) {
    sw_job *job;
    sw_fault fault = {.size = sizeof fault};
    sw_counts counts = {.size = sizeof counts};
    assert_int_equal(sw_device_transfer(d, t, NULL, &job, NULL), SW_OK);
    assert_int_equal(sw_job_finish(job, &fault, &counts, NULL), SW_OK);
    assert_int_equal(fault.kind, SW_FAULT_NONE);
    assert_true(counts.begin_ns && counts.end_ns >= counts.begin_ns);
    assert_int_equal(counts.groups, 0);
}

// What a transfer means, one byte after the other.
static void refer(uint8_t *to, const uint8_t *from, const sw_transfer *t) {
    const uint64_t rows = t->rows ? t->rows : 1, slices = t->slices ? t->slices : 1,
                   value_bytes = t->value_bytes ? t->value_bytes : 1,
                   to_pitch = t->to_pitch ? t->to_pitch : t->bytes,
                   from_pitch = t->from_pitch ? t->from_pitch : t->bytes,
                   to_slice = t->to_slice ? t->to_slice : rows * to_pitch,
                   from_slice = t->from_slice ? t->from_slice : rows * from_pitch;
    for (uint64_t s = 0; s < slices; s++)
        for (uint64_t r = 0; r < rows; r++)
            for (uint64_t b = 0; b < t->bytes; b++)
                to[s * to_slice + r * to_pitch + b] = from ? from[s * from_slice + r * from_pitch + b]
                                                           : (uint8_t)(t->value >> 8 * (b % value_bytes));
}

enum { ROOM = 6 << 20 };
struct memory {
    uint8_t *from, *to, *expected;
};
static struct memory memory(void) {
    struct memory m = {malloc(ROOM), malloc(ROOM), malloc(ROOM)};
    randomize(m.from, ROOM);
    randomize(m.to, ROOM);
    memcpy(m.expected, m.to, ROOM);
    return m;
}
static void release(struct memory *m) {
    free(m->from);
    free(m->to);
    free(m->expected);
}
static void check(sw_device *d, struct memory *m, sw_transfer t, uint64_t to_offset, uint64_t from_offset,
                  bool is_fill) {
    t.size = sizeof t;
    t.to = m->to + to_offset;
    t.from = is_fill ? NULL : m->from + from_offset;
    refer(m->expected + to_offset, is_fill ? NULL : m->from + from_offset, &t);
    run(d, &t);
    assert_memory_equal(m->to, m->expected, ROOM);
}

static void bytes(void **state) {
    (void)state;
    static const uint64_t sizes[] = {
        0, 1, 3, 16 << 10, (16 << 10) + 1, 1 << 20, (1 << 20) + 7, 3 << 20, (5 << 20) - 13};
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        sw_device *d = rig_device("gfx90a", threads, NULL);
        struct memory m = memory();
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            check(d, &m, (sw_transfer){.bytes = sizes[i]}, random_below(999), random_below(999), false);
            for (unsigned n = 0; n <= 8; n = n ? 2 * n : 1)
                check(
                    d, &m,
                    (sw_transfer){.bytes = sizes[i], .value = 0x0123456789abcdef * (n + 3), .value_bytes = n},
                    random_below(999), 0, true);
        }
        release(&m);
        sw_device_destroy(d);
    }
}

static void boxes(void **state) {
    (void)state;
    sw_device *d = rig_device("gfx90a", 3, NULL);
    struct memory m = memory();
    for (int i = 0; i < 60; i++) {
        const bool large = i % 3 == 0, is_fill = i % 4 == 1;
        sw_transfer t = {.bytes = 1 + random_below(large ? 60000 : 300),
                         .rows = random_below(large ? 8 : 30),
                         .slices = random_below(5),
                         .value = random_below(UINT32_MAX),
                         .value_bytes = 1u << random_below(4)};
        const uint64_t rows = t.rows ? t.rows : 1;
        if (i & 4) t.to_pitch = t.bytes + random_below(50);
        if (i & 8) t.from_pitch = t.bytes + random_below(50);
        if (i & 16) t.to_slice = (t.to_pitch ? t.to_pitch : t.bytes) * rows + random_below(5000);
        if (i & 32) t.from_slice = (t.from_pitch ? t.from_pitch : t.bytes) * rows + random_below(5000);
        check(d, &m, t, random_below(999), random_below(999), is_fill);
    }
    release(&m);
    sw_device_destroy(d);
}

static void overlaps(void **state) {
    (void)state;
    sw_device *d = rig_device("gfx90a", 4, NULL);
    struct memory m = memory();
    static const int64_t distances[] = {-1, 1, -100000, 100000, -(2 << 20), 2 << 20, 0};
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        const uint64_t from = 2 << 20, to = from + (uint64_t)distances[i], n = 2 << 20;
        memmove(m.expected + to, m.expected + from, n);
        run(d, &(sw_transfer){.size = sizeof(sw_transfer), .to = m.to + to, .from = m.to + from, .bytes = n});
        assert_memory_equal(m.to, m.expected, ROOM);
    }
    release(&m);
    sw_device_destroy(d);
}

static void refusals(void **state) {
    (void)state;
    sw_device *d = rig_device("gfx90a", 1, NULL);
    static uint8_t a[64], b[64];
    const sw_transfer wrong[] = {
        {.size = 8, .to = a, .from = b, .bytes = 1},
        {.size = sizeof wrong[0], .to = NULL, .from = b, .bytes = 1},
        {.size = sizeof wrong[0], .to = a, .bytes = 8, .value_bytes = 3},
        {.size = sizeof wrong[0], .to = a, .bytes = 8, .value_bytes = 16},
        {.size = sizeof wrong[0], .to = a, .from = b, .bytes = UINT64_MAX},
        {.size = sizeof wrong[0], .to = a, .from = b, .bytes = 1ull << 40, .rows = 1ull << 40},
        {.size = sizeof wrong[0], .to = a, .from = b, .bytes = 1, .rows = 3, .to_pitch = 1ull << 63},
        {.size = sizeof wrong[0], .to = a, .from = b, .bytes = 1, .slices = 3, .from_slice = 1ull << 63},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sw_job *job = (sw_job *)d;
        assert_int_equal(sw_device_transfer(d, &wrong[i], NULL, &job, NULL), SW_USAGE);
        assert_null(job);
    }
    run(d, &(sw_transfer){.size = sizeof(sw_transfer)}); // nothing from nowhere
    sw_device_destroy(d);
}

// A copy ends beside a kernel that has every worker and waits for the end of the copy.
static void beside_kernels(void **state) {
    (void)state;
    const char *code = PIECE("beside_kernels: code");
    enum { WORDS = 1 << 20 };
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct rig r = {0};
        char text[2048];
        rig_text(text, sizeof text, code, DESCRIPTOR);
        r.object = rig_object("gfx900", text, &r.image);
        r.device = rig_device("gfx900", threads, NULL);
        assert_int_equal(sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL), SW_OK);
        uint32_t *words = sw_device_alloc(r.device, 4 * WORDS), *from = calloc(4, WORDS);
        uint64_t *kernarg = sw_device_alloc(r.device, 64);
        *kernarg = (uint64_t)(uintptr_t)&words[WORDS - 1];
        from[WORDS - 1] = 1;
        const sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, 64 * 100, 64);
        sw_job *kernel, *copy;
        assert_int_equal(sw_device_submit(r.device, &q, NULL, &kernel, NULL), SW_OK);
        usleep(1000);
        const sw_transfer t = {.size = sizeof t, .to = words, .from = from, .bytes = 4 * WORDS};
        assert_int_equal(sw_device_transfer(r.device, &t, NULL, &copy, NULL), SW_OK);
        assert_int_equal(sw_job_finish(copy, NULL, NULL, NULL), SW_OK);
        assert_int_equal(sw_job_finish(kernel, NULL, NULL, NULL), SW_OK);
        free(from);
        rig_close(&r);
    }
}

// One job's end starts the next, in whatever thread: a chain of copies, small and large.
struct chain {
    sw_device *device;
    uint8_t *memory;
    unsigned links, failed;
    sw_job *jobs[64];
    pthread_mutex_t lock;
    pthread_cond_t over;
};
enum { LINK = 100000, LINKS = 40 };
static void next_link(void *context, sw_job *job) {
    struct chain *c = context;
    (void)job;
    const unsigned n = __atomic_add_fetch(&c->links, 1, __ATOMIC_ACQ_REL);
    if (n < LINKS) {
        const sw_transfer t = {.size = sizeof t,
                               .to = c->memory + n * LINK,
                               .from = c->memory + (n - 1) * LINK,
                               .bytes = n % 3 ? LINK : 100};
        const sw_submit_options o = {.size = sizeof o, .done = next_link, .context = c};
        if (sw_device_transfer(c->device, &t, &o, &c->jobs[n], NULL) != SW_OK)
            __atomic_add_fetch(&c->failed, 1, __ATOMIC_RELAXED);
        return;
    }
    pthread_mutex_lock(&c->lock);
    pthread_cond_signal(&c->over);
    pthread_mutex_unlock(&c->lock);
}
static void *chain(void *device) {
    struct chain c = {.device = device, .memory = calloc(LINKS, LINK)};
    pthread_mutex_init(&c.lock, NULL);
    pthread_cond_init(&c.over, NULL);
    for (unsigned i = 0; i < LINK; i++) c.memory[i] = (uint8_t)(i * 7);
    pthread_mutex_lock(&c.lock);
    const sw_transfer t = {.size = sizeof t, .to = c.memory, .bytes = 1, .value = 99};
    const sw_submit_options o = {.size = sizeof o, .done = next_link, .context = &c};
    pthread_mutex_unlock(&c.lock);
    assert_int_equal(sw_device_transfer(device, &t, &o, &c.jobs[0], NULL), SW_OK);
    pthread_mutex_lock(&c.lock);
    while (__atomic_load_n(&c.links, __ATOMIC_ACQUIRE) < LINKS) pthread_cond_wait(&c.over, &c.lock);
    pthread_mutex_unlock(&c.lock);
    for (unsigned i = 0; i < LINKS; i++) assert_int_equal(sw_job_finish(c.jobs[i], NULL, NULL, NULL), SW_OK);
    assert_int_equal(c.failed, 0);
    for (unsigned i = 1; i < 100; i++) assert_int_equal(c.memory[(LINKS - 1) * LINK + i], (uint8_t)(i * 7));
    assert_int_equal(c.memory[(LINKS - 1) * LINK], 99);
    free(c.memory);
    return NULL;
}
static void chains(void **state) {
    (void)state;
    enum { THREADS = 4 };
    sw_device *d = rig_device("gfx90a", 2, NULL);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, chain, d), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    sw_device_destroy(d);
}

// A transfer is stopped between two pieces, or has ended.
static void stopped(void **state) {
    (void)state;
    sw_device *d = rig_device("gfx90a", 1, NULL);
    uint8_t *to = malloc(64 << 20);
    for (int i = 0; i < 20; i++) {
        const sw_transfer t = {.size = sizeof t, .to = to, .bytes = 64 << 20, .value = 5};
        sw_job *job;
        assert_int_equal(sw_device_transfer(d, &t, NULL, &job, NULL), SW_OK);
        sw_job_stop(job);
        sw_fault fault = {.size = sizeof fault};
        const sw_status status = sw_job_finish(job, &fault, NULL, NULL);
        assert_int_equal(fault.kind, status == SW_OK ? SW_FAULT_NONE : SW_FAULT_STOPPED);
    }
    free(to);
    sw_device_destroy(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes),    cmocka_unit_test(boxes),          cmocka_unit_test(overlaps),
        cmocka_unit_test(refusals), cmocka_unit_test(beside_kernels), cmocka_unit_test(chains),
        cmocka_unit_test(stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
