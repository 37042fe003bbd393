// SPDX-License-Identifier: MIT
// `softwave run --trace=[FILE][,pc=LO[-HI]][,wave=N][,lane=N]`: a line for every instruction executed. pc
// counts bytes from the start of the kernel, wave is the number in its work-group, lane keeps instructions
// that execute with that lane active.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"
#include "dis/dis.h"

struct tracer {
    FILE *out;
    bool owned;
    char path[4096];
    const sw_processor *processor;
    uint64_t kernel;    // GPU address of its first instruction
    uint64_t lo, hi;    // pc filter, inclusive
    int64_t wave, lane; // -1: any
};

static void trace_step(void *context, const sw_step *s) {
    struct tracer *tr = context;
    uint64_t pc = s->pc - tr->kernel;
    if (pc < tr->lo || pc > tr->hi || (tr->wave >= 0 && tr->wave != s->wave)) return;
    if (tr->lane >= 0 && !(s->exec >> tr->lane & 1)) return;
    struct text t = {0};
    text_printf(&t, "%u,%u,%u:%u %012" PRIx64 " exec=%016" PRIx64 " scc=%u  ", s->group[0], s->group[1],
                s->group[2], s->wave, s->pc, s->exec, s->scc);
    run_print_insn(&t, tr->processor, s->lanes == 32, s->pc);
    text_puts(&t, "\n");
    if (t.data) fputs(t.data, tr->out);
    text_free(&t);
}

static bool parse_filter(struct tracer *t, const char *s, size_t n) {
    char *end;
    if (n > 3 && !memcmp(s, "pc=", 3)) {
        t->lo = strtoull(s + 3, &end, 0);
        t->hi = *end == '-' ? strtoull(end + 1, &end, 0) : t->lo;
    } else if (n > 5 && !memcmp(s, "wave=", 5))
        t->wave = strtol(s + 5, &end, 0);
    else if (n > 5 && !memcmp(s, "lane=", 5))
        t->lane = strtol(s + 5, &end, 0);
    else
        return false;
    return end == s + n && t->lane < 64;
}

sw_status tracer_open(const char *spec, sw_device_options *options, struct tracer **out) {
    struct tracer *t = *out = calloc(1, sizeof *t);
    if (!t) return SW_NO_MEMORY;
    *t = (struct tracer){
        .out = stderr, .processor = options->target.processor, .hi = UINT64_MAX, .wave = -1, .lane = -1};
    char *path = t->path;
    strcpy(path, "-");
    for (const char *s = spec ? spec : ""; *s;) {
        size_t n = strcspn(s, ",");
        if (n && !parse_filter(t, s, n)) {
            if (s != spec || n >= sizeof t->path)
                return diag_fail(&cli_sink, SW_USAGE, NULL,
                                 "--trace: '%.*s' is not pc=LO-HI, wave=N or lane=0..63", (int)n, s);
            memcpy(path, s, n);
            path[n] = 0;
        }
        s += n + (s[n] == ',');
    }
    t->owned = strcmp(path, "-") != 0;
    if (t->owned && !(t->out = fopen(path, "w")))
        return t->owned = false, diag_fail(&cli_sink, SW_BAD_INPUT, &(sw_location){.file = path},
                                           "cannot write: %s", strerror(errno));
    options->observe = trace_step;
    options->observe_context = t;
    return SW_OK;
}

void tracer_kernel(struct tracer *t, uint64_t address) {
    if (t) t->kernel = address;
}

int tracer_close(struct tracer *t, int status) {
    if (!t) return status;
    if (t->out) status = cli_written(t->out, t->owned ? t->path : "standard error", status);
    if (t->owned && fclose(t->out) && status == SW_OK) // a network file system may say so only now
        status = diag_fail(&cli_sink, SW_BAD_INPUT, &(sw_location){.file = t->path}, "cannot write: %s",
                           strerror(errno));
    free(t);
    return status;
}
