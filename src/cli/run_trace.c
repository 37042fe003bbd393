// SPDX-License-Identifier: MIT
// `softwave run --trace=[FILE][,pc=LO[-HI]][,wave=N][,lane=N]`: a line for every instruction executed, with
// the values it reads behind "#" and those it writes behind "->". pc counts bytes from the start of the
// kernel, wave is the number in its work-group, lane keeps instructions that execute with that lane active,
// and their values in that lane.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run_values.h"

// A line that waits for what its instruction writes: that is there when the wave comes to its next one.
struct pending {
    void *state; // of the wave
    struct pending *next;
    struct text line;
    sw_operand operands[SW_MAX_OPERANDS];
    size_t count;
    uint64_t lanes;
};

enum { BUCKETS = 256 };

struct tracer {
    FILE *out;
    bool owned;
    char path[4096];
    const sw_processor *processor;
    uint64_t kernel;    // GPU address of its first instruction
    uint64_t lo, hi;    // pc filter, inclusive
    int64_t wave, lane; // -1: any
    sw_isa_mode mode;
    struct pending *pending[BUCKETS]; // by wave; kept for its next instruction
};

static struct pending *pending_of(struct tracer *tr, void *state) {
    struct pending **bucket = &tr->pending[((uintptr_t)state >> 6) * 0x9e3779b1u >> 8 & (BUCKETS - 1)],
                   *p = *bucket;
    while (p && p->state != state) p = p->next;
    if (p || !(p = calloc(1, sizeof *p))) return p;
    p->state = state;
    p->next = *bucket;
    return *bucket = p;
}

static void finish_line(struct tracer *tr, struct pending *p, const char *end) {
    if (!p->line.length) return;
    text_puts(&p->line, end);
    fwrite(p->line.data, 1, p->line.length, tr->out);
    p->line.length = 0;
}

// What the instruction before has written.
static void put_results(struct tracer *tr, struct pending *p, const sw_step *s) {
    if (!p->line.length) return;
    values_put(&p->line, " ->", s, p->operands, p->count, SW_OPERAND_WRITE, p->lanes);
    finish_line(tr, p, "\n");
}

static bool is_wanted(const struct tracer *tr, const sw_step *s) {
    uint64_t pc = s->pc - tr->kernel;
    if (pc < tr->lo || pc > tr->hi || (tr->wave >= 0 && tr->wave != s->wave)) return false;
    return tr->lane < 0 || s->exec >> tr->lane & 1;
}

static void trace_step(void *context, const sw_step *s) {
    struct tracer *tr = context;
    struct pending *p = pending_of(tr, s->state);
    if (!p) return;
    put_results(tr, p, s);
    if (!is_wanted(tr, s)) return;
    text_printf(&p->line, "%u,%u,%u:%u %012" PRIx64 " exec=%016" PRIx64 " scc=%u  ", s->group[0], s->group[1],
                s->group[2], s->wave, s->pc, s->exec, s->scc);
    run_print_insn(&p->line, tr->processor, s->lanes == 32, s->pc);
    sw_insn in = {.size = sizeof in};
    tr->mode.wave32 = s->lanes == 32;
    p->count = 0;
    if (sw_insn_decode(&tr->mode, s->bytes, SW_INSN_MAX_BYTES, &in) == SW_DECODED)
        p->count = sw_insn_operands(&tr->mode, &in, p->operands, SW_MAX_OPERANDS, sizeof *p->operands);
    p->lanes = tr->lane < 0 ? s->exec : 1ull << tr->lane;
    values_put(&p->line, "  #", s, p->operands, p->count, SW_OPERAND_READ, p->lanes);
    if (!values_any(p->operands, p->count, SW_OPERAND_WRITE)) finish_line(tr, p, "\n");
}

// One part of the option: a filter, or false.
static bool parse_filter(struct tracer *t, const char *s, size_t n) {
    uint64_t v;
    if (n > 3 && !memcmp(s, "pc=", 3)) {
        const char *dash = memchr(s, '-', n);
        size_t first = (dash ? (size_t)(dash - s) : n) - 3;
        if (!run_parse_number(s + 3, first, &t->lo)) return false;
        t->hi = t->lo;
        return !dash || run_parse_number(dash + 1, n - (size_t)(dash + 1 - s), &t->hi);
    }
    if (n <= 5 || (memcmp(s, "wave=", 5) && memcmp(s, "lane=", 5)) || !run_parse_number(s + 5, n - 5, &v))
        return false;
    if (*s == 'w')
        t->wave = (int64_t)(v & INT64_MAX);
    else if (v > 63)
        return false;
    else
        t->lane = (int64_t)v;
    return true;
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
    t->mode.size = sizeof t->mode;
    if (sw_isa_mode_init(&t->mode, t->processor) != SW_OK)
        return diag_fail(&cli_sink, SW_UNSUPPORTED, NULL, "%s has no instructions to trace",
                         sw_processor_name(t->processor));
    options->observe = trace_step;
    options->observe_context = t;
    return SW_OK;
}

void tracer_kernel(struct tracer *t, uint64_t address) {
    if (t) t->kernel = address;
}

// Waves that did not get any further.
static void end_lines(struct tracer *t) {
    for (int i = 0; i < BUCKETS; i++)
        for (struct pending *p = t->pending[i], *next; p; p = next) {
            next = p->next;
            if (t->out) finish_line(t, p, " (did not finish)\n");
            text_free(&p->line);
            free(p);
        }
}

int tracer_close(struct tracer *t, int status) {
    if (!t) return status;
    end_lines(t);
    if (t->out) status = cli_written(t->out, t->owned ? t->path : "standard error", status);
    if (t->owned && fclose(t->out) && status == SW_OK) // a network file system may say so only now
        status = diag_fail(&cli_sink, SW_BAD_INPUT, &(sw_location){.file = t->path}, "cannot write: %s",
                           strerror(errno));
    free(t);
    return status;
}
