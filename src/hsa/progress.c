// SPDX-License-Identifier: MIT
// SOFTWAVE_PROGRESS=MS: dispatches that take longer than so many milliseconds have a line on standard error,
// if that is a terminal (base/progress.h). A thread looks at what runs as long as something does, and sleeps
// otherwise.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/progress.h"
#include "hsa/trace.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more;
static pthread_t thread;
static bool started; // atomic
static bool quit;
static bool sleeps; // atomic: nothing runs, so whoever submits wakes the thread
static uint64_t after_ns, every_ns;
bool progress_on;

struct oldest {
    const struct record *record;
    uint64_t begin;
};
static void find_oldest(void *argument, struct record *r) {
    struct oldest *o = argument;
    if (__atomic_load_n(&r->over, __ATOMIC_SEQ_CST)) return;
    if (!o->record || r->begin < o->begin) o->record = r, o->begin = r->begin;
}

static uint64_t groups_of(const union packet *p) {
    uint64_t all = 1;
    for (int i = 0; i < (p->dispatch.setup & 3); i++)
        all *= ((uint64_t)p->dispatch.grid[i] + p->dispatch.workgroup[i] - 1) / p->dispatch.workgroup[i];
    return all;
}

static void show(void *argument, struct record *r) {
    const struct oldest *o = argument;
    sw_counts counts = {.size = sizeof counts};
    if (r != o->record || r->begin != o->begin || sw_job_look(r->job, NULL, &counts) != SW_OK) return;
    char name[1024];
    const struct symbol *k = loaded_kernel(r->loaded, r->packet.dispatch.kernel_object);
    kernel_name(k ? k->name : "(unknown)", name, sizeof name);
    const struct progress p = {.kernel = name,
                               .gpu = r->queue->agent->name,
                               .done = counts.groups,
                               .all = groups_of(&r->packet),
                               .seconds = (double)(monotonic_ns() - r->begin) * 1e-9,
                               .is_over = &r->over};
    progress_show(&p);
}

// Whether anything runs, or may. What is shown has run for long enough.
static bool look(void) {
    struct oldest o = {0};
    const bool all_seen = queues_show_running(find_oldest, &o);
    if (o.record && monotonic_ns() - o.begin >= after_ns) queues_show_running(show, &o);
    return o.record || !all_seen;
}

static void *progress_main(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    while (!quit) {
        __atomic_store_n(&sleeps, true, __ATOMIC_SEQ_CST); // before it looks: who submits later wakes it
        pthread_mutex_unlock(&lock);
        const bool any = look();
        pthread_mutex_lock(&lock);
        while (!any && !quit && sleeps) pthread_cond_wait(&more, &lock);
        __atomic_store_n(&sleeps, false, __ATOMIC_SEQ_CST);
        const uint64_t due = monotonic_ns() + every_ns;
        const struct timespec t = {(time_t)(due / 1000000000), (long)(due % 1000000000)};
        while (!quit && monotonic_ns() < due) pthread_cond_timedwait(&more, &lock, &t);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

void progress_begins(struct record *r) {
    r->begin = monotonic_ns();
    if (__atomic_load_n(&started, __ATOMIC_ACQUIRE) && !__atomic_load_n(&sleeps, __ATOMIC_SEQ_CST)) return;
    pthread_mutex_lock(&lock);
    if (!started && !quit) {
        pthread_condattr_t a;
        pthread_condattr_init(&a);
        pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
        pthread_cond_init(&more, &a);
        pthread_condattr_destroy(&a);
        __atomic_store_n(&started, thread_start(&thread, "show", progress_main, NULL), __ATOMIC_RELEASE);
    }
    __atomic_store_n(&sleeps, false, __ATOMIC_SEQ_CST);
    if (started) pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

void progress_open(void) {
    const char *asked = getenv("SOFTWAVE_PROGRESS");
    if (progress_on || !asked || !*asked || !progress_is_possible()) return;
    progress_on = true;
    after_ns = progress_after();
    every_ns = progress_every();
    atexit(progress_clear);
}

void progress_close(void) {
    pthread_mutex_lock(&lock);
    const bool join = started;
    quit = true;
    if (join) pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    if (join) pthread_join(thread, NULL);
    progress_clear();
    pthread_mutex_lock(&lock);
    __atomic_store_n(&started, false, __ATOMIC_RELEASE);
    quit = false;
    pthread_mutex_unlock(&lock);
}

void progress_forget(void) {
    pthread_mutex_init(&lock, NULL);
    started = quit = sleeps = false;
    progress_reset();
}
