// SPDX-License-Identifier: MIT
// The loops of host.h. Built for the host that runs them, as the vectors of kernels are.
#include "bench/host.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

typedef float lanes __attribute__((vector_size(64)));
enum {
    SUMS = 8,                  // so that none waits for the one before
    ADDITIONS = 1 << 21,       // to each of them
    LINES = (16 << 20) / 64,   // of a vector in memory
    CACHED = (128 << 10) / 64, // in the second level of caches,
    TIMES = 2048,              // gone through so often
    APART = 32,                // loads and stores of vectors that are whole pages apart wait for each other
    PIECES = 128,
};
const char *const host_loop_names[HOST_LOOPS] = {"registers", "cache", "memory"};

struct part {
    _Alignas(128) struct host *host;
    unsigned number;
    pthread_t thread;
    lanes *x, *y; // of its own
    lanes sum;
};
struct host {
    unsigned threads;
    struct part *parts;
    lanes *x, *y; // of all
    // Threads sleep until there is another round, then count themselves, and begin together.
    pthread_mutex_t lock;
    pthread_cond_t news;
    unsigned round;
    enum host_loop loop;
    bool ends;
    _Alignas(128) unsigned ready;
    _Alignas(128) unsigned begun;
    _Alignas(128) unsigned done;
    _Alignas(128) unsigned next; // piece
};

static void *need(void *p) {
    if (!p) exit(1);
    return p;
}
static lanes *vector_of(size_t lines) {
    lanes *v = need(aligned_alloc(4096, lines * sizeof *v));
    for (size_t i = 0; i < lines; i++) v[i] = (lanes){(float)i};
    return v;
}

// ---- The loops ----

static void add_up(struct part *p, unsigned count) {
    lanes sum[SUMS];
    const lanes a = p->x[0] + 0.999f, b = p->y[0] + 0.5f;
    for (int i = 0; i < SUMS; i++) sum[i] = p->x[i];
    for (unsigned n = 0; n < count; n++)
#pragma GCC unroll 8
        for (int i = 0; i < SUMS; i++) sum[i] = sum[i] * a + b;
    for (int i = 0; i < SUMS; i++) p->sum += sum[i];
}

static void triad(lanes *restrict y, const lanes *restrict x, size_t lines) {
    for (size_t i = 0; i < lines; i++) y[i] += 0.25f * x[i];
}
static void triads(struct part *p, size_t lines, size_t times) {
    for (size_t i = 0; i < times; i++) {
        triad(p->y, p->x, lines);
        __asm__ volatile("" ::: "memory");
    }
}

// Pieces of some 20 us are claimed one by one, as groups are, so that none waits for a slower thread.
static void run_part(struct part *p) {
    struct host *h = p->host;
    for (unsigned n; (n = __atomic_fetch_add(&h->next, 1, __ATOMIC_RELAXED)) < PIECES;) {
        const size_t first = (size_t)LINES / PIECES * n;
        switch (h->loop) {
        case HOST_REGISTERS: add_up(p, ADDITIONS / PIECES); break;
        case HOST_CACHE: triads(p, CACHED, TIMES / PIECES); break;
        default: triad(h->y + first, h->x + first, LINES / PIECES);
        }
    }
}

// ---- Threads ----

static unsigned count_up(unsigned *at) { return __atomic_add_fetch(at, 1, __ATOMIC_ACQ_REL); }
static void wait_for(const unsigned *at, unsigned value) {
    while (__atomic_load_n(at, __ATOMIC_ACQUIRE) != value) continue;
}

static void *part_main(void *argument) {
    struct part *p = argument;
    struct host *h = p->host;
    for (unsigned round = 1;; round++) {
        pthread_mutex_lock(&h->lock);
        while (h->round != round && !h->ends) pthread_cond_wait(&h->news, &h->lock);
        pthread_mutex_unlock(&h->lock);
        if (h->ends) return NULL;
        count_up(&h->ready);
        wait_for(&h->begun, round);
        run_part(p);
        count_up(&h->done);
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The caller is the first of the threads.
double host_run(struct host *h, enum host_loop loop) {
    pthread_mutex_lock(&h->lock);
    h->loop = loop;
    h->ready = h->done = h->next = 0;
    h->round++;
    pthread_cond_broadcast(&h->news);
    pthread_mutex_unlock(&h->lock);
    wait_for(&h->ready, h->threads - 1);
    const double start = now();
    __atomic_store_n(&h->begun, h->round, __ATOMIC_RELEASE);
    run_part(&h->parts[0]);
    wait_for(&h->done, h->threads - 1);
    return now() - start;
}

struct host *host_create(unsigned threads) {
    struct host *h = need(aligned_alloc(128, sizeof *h));
    *h = (struct host){.threads = threads, .x = vector_of(LINES), .y = vector_of(LINES + APART) + APART};
    h->parts = need(aligned_alloc(128, threads * sizeof *h->parts));
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->news, NULL);
    for (unsigned i = 0; i < threads; i++) {
        struct part *p = &h->parts[i];
        *p = (struct part){
            .host = h, .number = i, .x = vector_of(CACHED), .y = vector_of(CACHED + APART) + APART};
        if (i && pthread_create(&p->thread, NULL, part_main, p)) exit(1);
    }
    return h;
}

void host_destroy(struct host *h) {
    pthread_mutex_lock(&h->lock);
    h->ends = true;
    pthread_cond_broadcast(&h->news);
    pthread_mutex_unlock(&h->lock);
    for (unsigned i = 0; i < h->threads; i++) {
        if (i) pthread_join(h->parts[i].thread, NULL);
        free(h->parts[i].x);
        free(h->parts[i].y - APART);
    }
    free(h->x);
    free(h->y - APART);
    free(h->parts);
    free(h);
}
