// SPDX-License-Identifier: MIT
// SOFTWAVE_TRACE=FILE[,FILTER]... ("-": standard error; filters: base/trace_filter.h): a line for every
// instruction that kernels execute, in the order of execution. A wave is named by its GPU, work-group and
// number. Only dispatches of kernels that the filter lets pass are observed.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trace_filter.h"
#include "hsa/trace.h"
#include "softwave/isa.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;
static struct trace_filter filter;
static bool steps_on; // never changes once a device is there

static void put_step(void *agent, const sw_step *s) {
    const struct agent *a = agent;
    if (!trace_filter_step(&filter, s)) return;
    char text[SW_INSN_TEXT_SIZE] = "(not an instruction)";
    sw_isa_mode mode = {.size = sizeof mode};
    sw_insn in = {.size = sizeof in};
    if (sw_isa_mode_init(&mode, a->target.processor) == SW_OK) {
        mode.wave32 = s->lanes == 32;
        if (sw_insn_decode(&mode, s->bytes, SW_INSN_MAX_BYTES, &in) == SW_DECODED)
            sw_insn_format(&mode, &in, s->pc, text, sizeof text);
    }
    pthread_mutex_lock(&lock);
    fprintf(file, "%u %u,%u,%u:%u %012" PRIx64 " exec=%016" PRIx64 " scc=%u  %s\n", a->gpu, s->group[0],
            s->group[1], s->group[2], s->wave, s->pc, s->exec, s->scc, text);
    pthread_mutex_unlock(&lock);
}

static void at_end(void) {
    pthread_mutex_lock(&lock);
    if (fflush(file) || ferror(file)) complain("the trace is cut short: its file cannot be written");
    pthread_mutex_unlock(&lock);
}

void steps_open(void) {
    const char *spec = getenv("SOFTWAVE_TRACE");
    char path[4096];
    size_t length;
    if (steps_on || !spec || !*spec) return;
    const char *bad = trace_spec_parse(spec, &filter, path, sizeof path, &length);
    if (bad || !*path) {
        complain("SOFTWAVE_TRACE: '%.*s' is not FILE, or behind that " TRACE_FILTERS,
                 bad ? (int)length : (int)strlen(spec), bad ? bad : spec);
        return;
    }
    file = strcmp(path, "-") ? fopen(path, "we") : stderr;
    steps_on = file != NULL;
    if (steps_on)
        atexit(at_end);
    else
        complain("%s cannot be written: %s", path, strerror(errno));
}

void steps_observe(struct agent *a, const struct symbol *kernel, sw_dispatch *d) {
    if (!steps_on || !trace_filter_kernel(&filter, kernel ? kernel->name : "(unknown)")) return;
    d->observe = put_step;
    d->observe_context = a;
}

void steps_before_fork(void) {
    pthread_mutex_lock(&lock);
    if (file) fflush(file);
}
void steps_after_fork(void) { pthread_mutex_unlock(&lock); }
