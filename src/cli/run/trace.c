// SPDX-License-Identifier: MIT
// `softwave run --trace=[FILE][,FILTER]...`: a line for every instruction executed, with the values it reads
// behind "#", those it writes behind "->", and its source line behind ";" where that is known. Filters are
// those of base/trace_filter.h; with lane= only the values in that lane are shown.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/trace_filter.h"
#include "base/trace_line.h"
#include "cli/run/run.h"

// A line that waits for what its instruction writes: that is there when the wave comes to its next one.
struct pending {
    void *state; // of the wave
    struct pending *next;
    struct text line;
    sw_operand operands[SW_MAX_OPERANDS];
    size_t count;
    uint64_t lanes;
    const sw_line *source; // of the instruction; NULL: not known
};

enum { BUCKETS = 256 };

struct tracer {
    FILE *out;
    struct file_output file; // that `out` belongs to, unless it is standard error
    char path[4096];
    const sw_processor *processor;
    struct trace_filter filter;
    sw_isa_mode mode;
    bool colours, has_head;           // of a table
    sw_lines *lines;                  // of the code object; NULL: it has none
    uint64_t image;                   // where that is loaded
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

// Colours of a terminal: what is read, what is written, where it comes from.
static void put_colour(const struct tracer *tr, struct text *t, const char *code) {
    if (tr->colours) text_printf(t, "\33[%sm", code);
}

static void finish_line(struct tracer *tr, struct pending *p, const char *end) {
    if (!p->line.length) return;
    if (p->source) {
        put_colour(tr, &p->line, "2");
        text_puts(&p->line, "  ; ");
        text_name(&p->line, p->source->file->name, strlen(p->source->file->name));
        text_printf(&p->line, ":%u", p->source->line);
    }
    put_colour(tr, &p->line, "0");
    text_puts(&p->line, end);
    fwrite(p->line.data, 1, p->line.length, tr->out);
    p->line.length = 0;
}

// A row of a table: the wave's registers behind the instruction.
static void put_row(struct tracer *tr, struct pending *p, const sw_step *s) {
    struct text row = {0};
    char wave[48];
    const int n = snprintf(wave, sizeof wave, "%u,%u,%u:%u", s->group[0], s->group[1], s->group[2], s->wave);
    if (!tr->has_head) {
        text_printf(&row, "%-*s", n, "wave");
        registers_head(&row, &tr->filter);
    }
    tr->has_head = true;
    text_puts(&row, wave);
    put_colour(tr, &row, "32");
    registers_put(&row, &tr->filter, s);
    put_colour(tr, &row, "0");
    text_printf(&row, "  %s", p->line.data ? p->line.data : "");
    p->line.length = 0;
    text_add(&p->line, row.data, row.length);
    text_free(&row);
    finish_line(tr, p, "\n");
}

// What the instruction before has written.
static void put_results(struct tracer *tr, struct pending *p, const sw_step *s) {
    if (!p->line.length) return;
    if (tr->filter.register_count) {
        put_row(tr, p, s);
        return;
    }
    put_colour(tr, &p->line, "32");
    values_put(&p->line, " ->", s, p->operands, p->count, SW_OPERAND_WRITE, p->lanes);
    finish_line(tr, p, "\n");
}

static void trace_step(void *context, const sw_step *s) {
    struct tracer *tr = context;
    struct pending *p = pending_of(tr, s->state);
    if (!p) return;
    put_results(tr, p, s);
    if (!trace_filter_step(&tr->filter, s)) return;
    const bool is_table = tr->filter.register_count;
    if (!is_table)
        text_printf(&p->line, "%u,%u,%u:%u %012" PRIx64 " exec=%016" PRIx64 " scc=%u  ", s->group[0],
                    s->group[1], s->group[2], s->wave, s->pc, s->exec, s->scc);
    put_colour(tr, &p->line, "1");
    run_print_insn(&p->line, tr->processor, s->lanes == 32, s->vgpr_msb, s->pc);
    put_colour(tr, &p->line, "0;36");
    p->source = tr->lines ? sw_lines_find(tr->lines, s->pc - tr->image) : NULL;
    if (p->source && (!p->source->line || !p->source->file)) p->source = NULL;
    sw_insn in = {.size = sizeof in};
    tr->mode.wave32 = s->lanes == 32, tr->mode.vgpr_msb = s->vgpr_msb;
    p->count = 0;
    const bool is_known = sw_insn_decode(&tr->mode, s->bytes, SW_INSN_MAX_BYTES, &in) == SW_DECODED;
    if (is_known)
        p->count = sw_insn_operands(&tr->mode, &in, p->operands, SW_MAX_OPERANDS, sizeof *p->operands);
    p->lanes = tr->filter.lane < 0 ? s->exec : 1ull << tr->filter.lane;
    if (!is_table) values_put(&p->line, "  #", s, p->operands, p->count, SW_OPERAND_READ, p->lanes);
    if (!is_table && is_known) values_put_places(&p->line, &tr->mode, &in, s, p->lanes);
    if (values_any(p->operands, p->count, SW_OPERAND_WRITE)) return;
    if (is_table)
        put_row(tr, p, s);
    else
        finish_line(tr, p, "\n");
}

sw_status tracer_open(const char *spec, const sw_processor *processor, struct tracer **out) {
    struct tracer *t = *out = calloc(1, sizeof *t);
    if (!t) return SW_NO_MEMORY;
    *t = (struct tracer){.out = stderr, .processor = processor};
    size_t length;
    char *path = t->path;
    const char *bad = trace_spec_parse(spec ? spec : "", &t->filter, path, sizeof t->path, &length);
    if (bad)
        return diag_fail(&cli_sink, SW_USAGE, NULL, "--trace: '%.*s' is not " TRACE_FILTERS, (int)length,
                         bad);
    if (*path && strcmp(path, "-")) {
        const sw_status status = file_output_open(&t->file, path, &cli_sink);
        if (status != SW_OK) return status;
        t->out = t->file.stream;
    }
    t->colours = cli_has_colours(t->out);
    t->mode.size = sizeof t->mode;
    if (sw_isa_mode_init(&t->mode, t->processor) != SW_OK)
        return diag_fail(&cli_sink, SW_UNSUPPORTED, NULL, "%s has no instructions to trace",
                         sw_processor_name(t->processor));
    return SW_OK;
}

void tracer_object(struct tracer *t, const sw_object *object, uint64_t image) {
    if (!t) return;
    t->image = image;
    if (sw_lines_open(object, &t->lines, NULL) != SW_OK) t->lines = NULL;
}

void tracer_kernel(struct tracer *t, const char *symbol, sw_dispatch *q) {
    if (!t || !trace_filter_kernel(&t->filter, symbol)) return;
    q->observe = trace_step;
    q->observe_context = t;
}

// Waves that did not get any further.
static void end_lines(struct tracer *t) {
    for (int i = 0; i < BUCKETS; i++)
        for (struct pending *p = t->pending[i], *next; p; p = next) {
            next = p->next;
            finish_line(t, p, " (did not finish)\n");
            text_free(&p->line);
            free(p);
        }
}

int tracer_close(struct tracer *t, int status) {
    if (!t) return status;
    end_lines(t);
    sw_lines_close(t->lines);
    if (t->file.stream) {
        const sw_status written = file_output_close(&t->file, t->path, true, &cli_sink);
        if (status == SW_OK) status = (int)written;
    } else
        status = cli_written(t->out, "standard error", status);
    free(t);
    return status;
}
