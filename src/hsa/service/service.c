// SPDX-License-Identifier: MIT
// Threads of the runtime's own (see service.h).
#include "hsa/service/service.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/clock.h"

static void sleep_until(struct service *s, uint64_t due) { // with the lock held
    if (due == SERVICE_WHEN_WOKEN) {
        pthread_cond_wait(&s->more, &s->lock);
        return;
    }
    if (due <= monotonic_ns()) return;
    const struct timespec t = {(time_t)(due / 1000000000), (long)(due % 1000000000)};
    pthread_cond_timedwait(&s->more, &s->lock, &t);
}

static void *service_main(void *argument) {
    struct service *s = argument;
    char name[16]; // as long as the system takes it
    snprintf(name, sizeof name, "softwave/%.6s", s->name);
    prctl(PR_SET_NAME, name);
    pthread_mutex_lock(&s->lock);
    const unsigned mine = s->begun;
    while (s->stops == mine) {
        const uint64_t due = s->step(s);
        if (s->stops == mine) sleep_until(s, due);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static void make_condition(pthread_cond_t *c) {
    pthread_condattr_t a;
    pthread_condattr_init(&a);
    pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
    pthread_cond_init(c, &a);
    pthread_condattr_destroy(&a);
}

bool service_start(struct service *s) {
    if (s->runs) return true;
    make_condition(&s->more);
    s->begun = s->stops;
    sigset_t all, before;
    sigfillset(&all);
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}; // of the thread itself
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const bool started = !pthread_create(&s->thread, NULL, service_main, s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    __atomic_store_n(&s->runs, started, __ATOMIC_RELEASE);
    return started;
}

void service_wake(struct service *s) {
    if (!s->runs) return;
    if (s->interrupt) s->interrupt();
    pthread_cond_signal(&s->more);
}

void service_stop(struct service *s) {
    pthread_mutex_lock(&s->lock);
    const bool ran = s->runs;
    const pthread_t thread = s->thread;
    s->stops++;
    service_wake(s);
    __atomic_store_n(&s->runs, false, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&s->lock);
    if (!ran) return;
    if (pthread_equal(thread, pthread_self()))
        pthread_detach(thread);
    else
        pthread_join(thread, NULL);
}

void service_forget(struct service *s) {
    pthread_mutex_init(&s->lock, NULL);
    s->runs = false;
    s->stops++;
}
