// SPDX-License-Identifier: MIT
// One pass over all functions, by one thread or several. What a pass reports and writes is kept by function
// and handed on in the functions' order, so that messages and results do not depend on the number of threads.
// A pass may look at other functions only for what stages before it left, and adds nothing to the module but
// types.
#include "compiler/passes.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST_THREADS = 256 };

struct message {
    sw_diagnostic d;
    char *text;
};
struct job {
    struct ir_function *f;
    sw_status status;
    struct text assembly;
    ARRAY(struct message) messages;
};
struct crew {
    const struct compiler *c;
    compiler_pass *pass;
    struct job *jobs;
    size_t count;
    atomic_size_t next;
};

static void keep(void *context, const sw_diagnostic *d) {
    struct job *job = context;
    struct message m = {*d, strdup(d->message)};
    if (!m.text || !array_push(&job->messages, m)) free(m.text);
}

static void *work(void *context) {
    struct crew *crew = context;
    for (size_t n; (n = atomic_fetch_add(&crew->next, 1)) < crew->count;) {
        struct job *job = &crew->jobs[n];
        const sw_sink sink = {keep, job};
        struct compiler own = *crew->c;
        own.f = job->f;
        own.sink = &sink;
        own.assembly = &job->assembly;
        crew->pass(&own);
        if (own.m->failed) compiler_no_memory(&own);
        job->status = own.status;
    }
    return NULL;
}

// What a job left, in its turn.
static void hand_on(struct compiler *c, struct job *job, void (*after)(struct compiler *)) {
    for (size_t n = 0; n < job->messages.count && !c->status; n++) {
        struct message *m = &job->messages.items[n];
        m->d.message = m->text;
        if (c->sink && c->sink->report) c->sink->report(c->sink->context, &m->d);
    }
    if (c->status) return;
    text_add(c->assembly, job->assembly.data ? job->assembly.data : "", job->assembly.length);
    if (job->assembly.failed || c->assembly->failed) compiler_no_memory(c);
    c->f = job->f;
    if (!c->status) c->status = job->status;
    after(c);
}

static void in_parallel(struct compiler *c, compiler_pass *pass, void (*after)(struct compiler *),
                        size_t count, size_t threads) {
    pthread_t others[MOST_THREADS];
    size_t started = 0, n = 0;
    struct crew crew = {.c = c, .pass = pass, .count = count};
    if (!(crew.jobs = calloc(count, sizeof *crew.jobs))) {
        compiler_no_memory(c);
        return;
    }
    for (struct ir_function *f = c->m->functions; f; f = f->next) crew.jobs[n++].f = f;
    // Where a thread cannot be had, those that are there do the work.
    while (started + 1 < threads && !pthread_create(&others[started], NULL, work, &crew)) started++;
    work(&crew);
    for (n = 0; n < started; n++) pthread_join(others[n], NULL);
    for (n = 0; n < count; n++) {
        struct job *job = &crew.jobs[n];
        hand_on(c, job, after);
        for (size_t k = 0; k < job->messages.count; k++) free(job->messages.items[k].text);
        array_free(&job->messages);
        text_free(&job->assembly);
    }
    free(crew.jobs);
}

void compiler_each(struct compiler *c, compiler_pass *pass, void (*after)(struct compiler *)) {
    size_t count = 0, threads = c->options->threads;
    for (const struct ir_function *f = c->m->functions; f; f = f->next) count++;
    if (threads > count) threads = count;
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    if (threads > 1) in_parallel(c, pass, after, count, threads);
    for (struct ir_function *f = c->m->functions, *next; f && threads <= 1 && !c->status; f = next) {
        next = f->next;
        c->f = f;
        pass(c);
        if (c->m->failed) compiler_no_memory(c);
        after(c);
    }
    c->f = NULL;
}
