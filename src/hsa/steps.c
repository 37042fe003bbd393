// SPDX-License-Identifier: MIT
// SOFTWAVE_TRACE=FILE ("-": standard error): a line for every instruction that kernels execute, in the order
// of execution. A wave is named by its GPU, work-group and number; devices call for one instruction at a
// time.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hsa/trace.h"
#include "softwave/isa.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;

static void put_step(void *agent, const sw_step *s) {
    const struct agent *a = agent;
    char text[SW_INSN_TEXT_SIZE] = "(not an instruction)";
    sw_isa_mode mode = {.size = sizeof mode};
    sw_insn in = {.size = sizeof in};
    if (sw_isa_mode_init(&mode, a->target.processor) == SW_OK) {
        mode.wave32 = s->lanes == 32;
        if (sw_insn_decode(&mode, s->bytes, SW_INSN_MAX_BYTES, &in) == SW_DECODED)
            sw_insn_format(&mode, &in, s->pc, text, sizeof text);
    }
    pthread_mutex_lock(&lock);
    if (file)
        fprintf(file, "%u %u,%u,%u:%u %012" PRIx64 " exec=%016" PRIx64 " scc=%u  %s\n", a->gpu, s->group[0],
                s->group[1], s->group[2], s->wave, s->pc, s->exec, s->scc, text);
    pthread_mutex_unlock(&lock);
}

static void at_end(void) {
    pthread_mutex_lock(&lock);
    if (file) fflush(file);
    pthread_mutex_unlock(&lock);
}

void trace_steps(struct agent *a, sw_device_options *o) {
    const char *name = getenv("SOFTWAVE_TRACE");
    if (!name || !*name) return;
    pthread_mutex_lock(&lock);
    if (!file) {
        file = strcmp(name, "-") ? fopen(name, "we") : stderr;
        if (file)
            atexit(at_end);
        else
            complain("%s cannot be written", name);
    }
    if (file) {
        o->observe = put_step;
        o->observe_context = a;
    }
    pthread_mutex_unlock(&lock);
}

void steps_before_fork(void) {
    pthread_mutex_lock(&lock);
    if (file) fflush(file);
}
void steps_after_fork(void) { pthread_mutex_unlock(&lock); }
