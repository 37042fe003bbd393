// SPDX-License-Identifier: MIT
// SOFTWAVE_TRACE=FILE[,FILTER]... ("-": standard error; filters: base/trace_filter.h): a line for every
// instruction that kernels execute, with its values, as `softwave run --trace` writes it (base/trace_line.h).
// Before it stands the number of the GPU. Only dispatches of kernels that the filter lets pass are observed.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trace_filter.h"
#include "base/trace_line.h"
#include "hsa/queue/queue.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct trace_lines lines; // under the lock
static struct trace_filter filter;
static bool steps_on; // never changes once a device is there

static void put_step(void *agent, const sw_step *s) {
    const struct agent *a = agent;
    char prefix[16];
    snprintf(prefix, sizeof prefix, "%u ", a->gpu);
    pthread_mutex_lock(&lock);
    trace_lines_step(&lines, a->target.processor, s, prefix, &filter);
    pthread_mutex_unlock(&lock);
}

static void at_end(void) {
    pthread_mutex_lock(&lock);
    trace_lines_end(&lines);
    if (fflush(lines.out) || ferror(lines.out))
        runtime_complain("the trace is cut short: its file cannot be written");
    pthread_mutex_unlock(&lock);
}

void steps_open(void) {
    const char *spec = getenv("SOFTWAVE_TRACE");
    char path[4096];
    size_t length;
    if (steps_on || !spec || !*spec) return;
    const char *bad = trace_spec_parse(spec, &filter, path, sizeof path, &length);
    if (bad || !*path) {
        runtime_complain("SOFTWAVE_TRACE: '%.*s' is not FILE, or behind that " TRACE_FILTERS,
                         bad ? (int)length : (int)strlen(spec), bad ? bad : spec);
        return;
    }
    lines.out = strcmp(path, "-") ? fopen(path, "we") : stderr;
    steps_on = lines.out != NULL;
    if (steps_on)
        atexit(at_end);
    else
        runtime_complain("%s cannot be written: %s", path, strerror(errno));
}

void steps_observe(struct agent *a, const struct symbol *kernel, sw_dispatch *d) {
    if (!steps_on || !trace_filter_kernel(&filter, kernel ? kernel->name : "(unknown)")) return;
    d->observe = put_step;
    d->observe_context = a;
}

void steps_before_fork(void) {
    pthread_mutex_lock(&lock);
    if (lines.out) fflush(lines.out);
}
// Lines that wait are the parent's.
void steps_after_fork(bool is_child) {
    if (is_child) memset(lines.waves, 0, sizeof lines.waves);
    pthread_mutex_unlock(&lock);
}
