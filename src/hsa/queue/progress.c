// SPDX-License-Identifier: MIT
// SOFTWAVE_PROGRESS=MS: dispatches that take longer than so many milliseconds have a line on standard error,
// if that is a terminal (base/progress.h). A thread looks at what runs as long as something does, and sleeps
// otherwise.
#include <pthread.h>
#include <stdlib.h>

#include "base/progress.h"
#include "hsa/queue/queue.h"
#include "hsa/service/service.h"
#include "hsa/tell/trace.h"

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

static uint64_t step(struct service *service) {
    __atomic_store_n(&sleeps, true, __ATOMIC_SEQ_CST); // before it looks: who submits later wakes it
    pthread_mutex_unlock(&service->lock);
    const bool any = look();
    pthread_mutex_lock(&service->lock);
    if (!any && sleeps) return SERVICE_WHEN_WOKEN;
    __atomic_store_n(&sleeps, false, __ATOMIC_SEQ_CST);
    return monotonic_ns() + every_ns;
}
static struct service service = SERVICE("show", .step = step);

void progress_begins(struct record *r) {
    r->begin = monotonic_ns();
    if (service_runs(&service) && !__atomic_load_n(&sleeps, __ATOMIC_SEQ_CST)) return;
    pthread_mutex_lock(&service.lock);
    service_start(&service);
    __atomic_store_n(&sleeps, false, __ATOMIC_SEQ_CST);
    service_wake(&service);
    pthread_mutex_unlock(&service.lock);
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
    service_stop(&service);
    progress_clear();
}

void progress_forget(void) {
    service_forget(&service);
    sleeps = false;
    progress_reset();
}
