// SPDX-License-Identifier: MIT
// A profile as text, as JSON, and as folded stacks: totals, hot loops, functions, source lines, then every
// instruction that ran.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/sized.h"
#include "profile/profile.h"

struct report {
    const sw_profile *p;
    const sw_profile_options *o;
    struct text *t;
    struct site **sites; // by address
    sw_lines *lines;     // or NULL
    uint64_t executions, lanes;
    double seconds;
};

// A sum over instructions: of a function or a source line.
struct sum {
    const char *name;
    uint32_t line; // 0: of a function
    uint64_t executions, lanes;
    double seconds;
};
typedef ARRAY(struct sum) sum_list;

// ---- Places ----

static const sw_line *line_of(const struct report *r, uint64_t pc) {
    const sw_line *row = r->lines ? sw_lines_find(r->lines, pc - r->o->base) : NULL;
    return row && row->line ? row : NULL;
}

static const char *function_of(const struct report *r, uint64_t pc, uint64_t *distance) {
    sw_place place = {.size = sizeof place};
    *distance = pc - r->o->base;
    if (!r->o->object || *distance >= sw_object_layout(r->o->object)->size) return NULL;
    sw_object_place(r->o->object, *distance, &place);
    if (!place.symbol) return NULL;
    *distance = place.distance;
    return place.symbol->name;
}

static void put_function(const struct report *r, struct text *t, uint64_t pc, bool with_distance) {
    uint64_t distance;
    char plain[512];
    const char *name = function_of(r, pc, &distance);
    if (!name) {
        text_printf(t, "0x%" PRIx64, distance);
        return;
    }
    const size_t n = sw_demangle(name, plain, sizeof plain);
    text_name(t, n ? plain : name, n ? n : strlen(name));
    if (with_distance) text_printf(t, "+0x%" PRIx64, distance);
}

static void put_line(const struct report *r, struct text *t, const char *before, uint64_t pc) {
    const sw_line *row = line_of(r, pc);
    if (!row) return;
    text_puts(t, before);
    text_name(t, row->file->name, strlen(row->file->name));
    text_printf(t, ":%u", row->line);
}

static void insn_text(const struct report *r, const struct site *s, char out[SW_INSN_TEXT_SIZE]) {
    if (s->known)
        sw_insn_format(&r->p->mode, &s->insn, s->counts.pc, out, SW_INSN_TEXT_SIZE);
    else
        strcpy(out, "(unknown)");
}

// ---- Sums ----

static double share(const struct report *r, uint64_t executions) {
    return r->executions ? 100.0 * (double)executions / (double)r->executions : 0;
}
static double active(uint64_t lanes, uint64_t executions, unsigned wave) {
    return executions ? 100.0 * (double)lanes / ((double)executions * wave) : 0;
}
static unsigned wave_size(const struct report *r) { return r->p->mode.wave32 ? 32 : 64; }

static bool add_to(sum_list *list, const char *name, uint32_t line, const struct site *s, double seconds) {
    size_t i = 0;
    while (i < list->count && (list->items[i].name != name || list->items[i].line != line)) i++;
    if (i == list->count && !array_push(list, ((struct sum){.name = name, .line = line}))) return false;
    list->items[i].executions += s->counts.executions;
    list->items[i].lanes += s->counts.lanes;
    list->items[i].seconds += seconds;
    return true;
}

static int hottest(const void *a, const void *b) {
    const struct sum *x = a, *y = b;
    if (x->executions != y->executions) return x->executions < y->executions ? 1 : -1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static bool sum_up(const struct report *r, sum_list *functions, sum_list *lines) {
    uint64_t distance;
    for (size_t i = 0; i < r->p->count; i++) {
        const struct site *s = r->sites[i];
        const double seconds = profile_seconds(r->p, s);
        const char *name = function_of(r, s->counts.pc, &distance);
        const sw_line *row = line_of(r, s->counts.pc);
        if (name && !add_to(functions, name, 0, s, seconds)) return false;
        if (row && !add_to(lines, row->file->name, row->line, s, seconds)) return false;
    }
    if (functions->count) qsort(functions->items, functions->count, sizeof(struct sum), hottest);
    if (lines->count) qsort(lines->items, lines->count, sizeof(struct sum), hottest);
    return true;
}

// Instructions executed inside a loop, its inner loops included.
static uint64_t inside(const struct report *r, const struct loop *l) {
    uint64_t n = 0;
    for (size_t i = 0; i < r->p->count; i++)
        if (r->sites[i]->counts.pc >= l->head && r->sites[i]->counts.pc <= l->tail)
            n += r->sites[i]->counts.executions;
    return n;
}

struct hot_loop {
    struct loop loop;
    uint64_t executions;
};
static int hottest_loop(const void *a, const void *b) {
    const struct hot_loop *x = a, *y = b;
    if (x->executions != y->executions) return x->executions < y->executions ? 1 : -1;
    return (x->loop.head > y->loop.head) - (x->loop.head < y->loop.head);
}
// By what they execute; to be freed. NULL: none, or out of memory.
static struct hot_loop *hot_loops(const struct report *r) {
    struct hot_loop *all = r->p->loops.count ? calloc(r->p->loops.count, sizeof *all) : NULL;
    for (size_t i = 0; all && i < r->p->loops.count; i++)
        all[i] = (struct hot_loop){r->p->loops.items[i], inside(r, &r->p->loops.items[i])};
    if (all) qsort(all, r->p->loops.count, sizeof *all, hottest_loop);
    return all;
}

// ---- Text ----

enum { SHOWN_LOOPS = 10, SHOWN_SUMS = 20 };

static void put_sums(const struct report *r, const char *heading, const sum_list *list) {
    if (!list->count) return;
    text_printf(r->t, "\n%s\n  share    executions  lanes   time\n", heading);
    for (size_t i = 0; i < list->count && i < SHOWN_SUMS; i++) {
        const struct sum *s = &list->items[i];
        text_printf(r->t, "%6.1f %% %12" PRIu64 " %5.1f %% %6.1f %%  ", share(r, s->executions),
                    s->executions, active(s->lanes, s->executions, wave_size(r)),
                    r->seconds > 0 ? 100 * s->seconds / r->seconds : 0);
        char plain[512];
        const size_t n = s->line ? 0 : sw_demangle(s->name, plain, sizeof plain);
        text_name(r->t, n ? plain : s->name, n ? n : strlen(s->name));
        if (s->line) text_printf(r->t, ":%u", s->line);
        text_puts(r->t, "\n");
    }
    if (list->count > SHOWN_SUMS) text_printf(r->t, "  and %zu more\n", list->count - SHOWN_SUMS);
}

static void put_loops(const struct report *r) {
    struct hot_loop *all = hot_loops(r);
    if (!all) return;
    text_puts(r->t, "\nHot loops (instructions inside, iterations)\n");
    for (size_t i = 0; i < r->p->loops.count && i < SHOWN_LOOPS; i++) {
        text_printf(r->t, "%6.1f %% %12" PRIu64 " %10" PRIu64 "  ", share(r, all[i].executions),
                    all[i].executions, all[i].loop.times);
        put_function(r, r->t, all[i].loop.head, true);
        text_puts(r->t, " to ");
        put_function(r, r->t, all[i].loop.tail, true);
        put_line(r, r->t, "  ", all[i].loop.head);
        text_puts(r->t, "\n");
    }
    free(all);
}

static void put_memory(const struct report *r, const struct site *s) {
    const sw_profile_site *c = &s->counts;
    if (c->conflicts) text_printf(r->t, "  ; %" PRIu64 " bank conflicts", c->conflicts);
    if (c->touched && c->asked)
        text_printf(r->t, "  ; %" PRIu64 " bytes asked, %.2f touched for each", c->asked,
                    (double)c->touched / (double)c->asked);
}

// Blocks are apart: where control can come from elsewhere, or went elsewhere.
static bool begins_block(const struct report *r, size_t i) {
    if (!i) return true;
    const struct site *before = r->sites[i - 1], *s = r->sites[i];
    return before->counts.pc + before->insn.length != s->counts.pc ||
           before->flags & (SW_INSN_BRANCH | SW_INSN_CALL | SW_INSN_TERMINATOR) ||
           before->counts.executions != s->counts.executions;
}

static void put_sites(const struct report *r) {
    char text[SW_INSN_TEXT_SIZE];
    uint64_t distance;
    const char *function = NULL;
    const sw_line *line = NULL;
    text_puts(r->t, "\nInstructions\n  share    executions  lanes     ns  instruction");
    for (size_t i = 0; i < r->p->count; i++) {
        const struct site *s = r->sites[i];
        const char *name = function_of(r, s->counts.pc, &distance);
        const sw_line *row = line_of(r, s->counts.pc);
        if (begins_block(r, i)) text_puts(r->t, "\n");
        if (name && name != function) {
            put_function(r, r->t, s->counts.pc, false);
            text_puts(r->t, ":\n");
        }
        if (row && (!line || row->file != line->file || row->line != line->line)) {
            put_line(r, r->t, "; ", s->counts.pc);
            text_puts(r->t, "\n");
        }
        function = name;
        line = row;
        insn_text(r, s, text);
        text_printf(r->t, "%6.1f %% %12" PRIu64 " %5.1f %% %6.1f  %s", share(r, s->counts.executions),
                    s->counts.executions, active(s->counts.lanes, s->counts.executions, wave_size(r)),
                    profile_seconds(r->p, s) * 1e9 / (double)s->counts.executions, text);
        if (s->counts.taken) text_printf(r->t, "  ; taken %" PRIu64, s->counts.taken);
        put_memory(r, s);
        text_puts(r->t, "\n");
    }
}

static bool write_text(const struct report *r) {
    sum_list functions = {0}, lines = {0};
    const bool ok = sum_up(r, &functions, &lines);
    if (r->o->kernel) {
        text_name(r->t, r->o->kernel, strlen(r->o->kernel));
        text_puts(r->t, ": ");
    }
    text_printf(r->t, "%" PRIu64 " instructions by %" PRIu64 " waves of %u, %.1f %% of lanes active\n",
                r->executions, r->p->waves_seen, wave_size(r), active(r->lanes, r->executions, wave_size(r)));
    put_loops(r);
    if (functions.count > 1) put_sums(r, "Functions", &functions);
    put_sums(r, "Source lines", &lines);
    put_sites(r);
    array_free(&functions);
    array_free(&lines);
    return ok;
}

// ---- JSON ----

static void json_sites(const struct report *r, struct json *j) {
    char text[SW_INSN_TEXT_SIZE];
    uint64_t distance;
    json_open(j, "instructions", '[');
    for (size_t i = 0; i < r->p->count; i++) {
        const struct site *s = r->sites[i];
        const sw_profile_site *c = &s->counts;
        const char *name = function_of(r, c->pc, &distance);
        const sw_line *row = line_of(r, c->pc);
        insn_text(r, s, text);
        json_open(j, NULL, '{');
        json_uint(j, "pc", c->pc - r->o->base);
        json_string(j, "text", text);
        if (name) json_name(j, "function", name, strlen(name));
        if (row)
            json_name(j, "file", row->file->name, strlen(row->file->name)), json_uint(j, "line", row->line);
        json_uint(j, "executions", c->executions);
        json_uint(j, "lanes", c->lanes);
        json_uint(j, "partial", c->partial);
        json_real(j, "seconds", profile_seconds(r->p, s));
        if (s->flags & (SW_INSN_BRANCH | SW_INSN_CALL)) json_uint(j, "taken", c->taken);
        if (s->has_access) json_uint(j, "bytes_asked", c->asked);
        if (s->has_access && s->flags & SW_INSN_LDS) json_uint(j, "bank_conflicts", c->conflicts);
        if (s->has_access && !(s->flags & SW_INSN_LDS)) json_uint(j, "bytes_touched", c->touched);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static bool write_json(const struct report *r) {
    struct json j = {.out = r->t};
    struct hot_loop *loops = hot_loops(r);
    json_open(&j, NULL, '{');
    if (r->o->kernel) json_name(&j, "kernel", r->o->kernel, strlen(r->o->kernel));
    json_uint(&j, "waves", r->p->waves_seen);
    json_uint(&j, "wave_size", wave_size(r));
    json_uint(&j, "executions", r->executions);
    json_uint(&j, "lanes", r->lanes);
    json_open(&j, "loops", '[');
    for (size_t i = 0; loops && i < r->p->loops.count; i++) {
        json_open(&j, NULL, '{');
        json_uint(&j, "from", loops[i].loop.head - r->o->base);
        json_uint(&j, "to", loops[i].loop.tail - r->o->base);
        json_uint(&j, "iterations", loops[i].loop.times);
        json_uint(&j, "executions", loops[i].executions);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_sites(r, &j);
    json_close(&j, '}');
    free(loops);
    return true;
}

// ---- Folded stacks ----

static void put_frame(const struct report *r, uint64_t pc) {
    struct text name = {0};
    put_function(r, &name, pc, false);
    for (size_t i = 0; i < name.length; i++) // which separate frames, and the count
        if (name.data[i] == ';' || name.data[i] == ' ') name.data[i] = '_';
    text_add(r->t, name.data ? name.data : "", name.length);
    text_puts(r->t, ";");
    text_free(&name);
}

static bool write_folded(const struct report *r) {
    for (size_t i = 0; i < r->p->stacks.count; i++) {
        const struct stack_count *c = &r->p->stacks.items[i];
        char text[SW_INSN_TEXT_SIZE];
        // An address behind a call belongs to the caller even where the call is its last instruction.
        for (unsigned k = 0; k < c->stack.depth; k++) put_frame(r, c->stack.calls[k] - 1);
        put_frame(r, c->site->counts.pc);
        if (line_of(r, c->site->counts.pc)) {
            put_line(r, r->t, "", c->site->counts.pc);
        } else {
            insn_text(r, c->site, text);
            for (char *p = text; *p; p++)
                if (*p == ' ' || *p == ';') *p = '_';
            text_puts(r->t, text);
        }
        text_printf(r->t, " %" PRIu64 "\n", c->executions);
    }
    return true;
}

// ---- Public ----

sw_status sw_profile_write(const sw_profile *p, const sw_profile_options *options, const sw_sink *sink) {
    sw_profile_options o;
    sw_status status = sized_take(SIZED(sw_profile_options, base), &o, options, sink);
    if (status) return status;
    if (!o.write || o.format > SW_PROFILE_FOLDED)
        return diag_fail(sink, SW_USAGE, NULL,
                         o.write ? "no such format of a profile"
                                 : "a profile needs a function that takes it");
    struct text t = {0};
    struct report r = {.p = p, .o = &o, .t = &t, .sites = profile_sorted(p)};
    bool ok = r.sites && !p->failed;
    if (ok && o.object && sw_lines_open(o.object, &r.lines, NULL)) r.lines = NULL; // damaged: without lines
    for (size_t i = 0; ok && i < p->count; i++) {
        r.executions += r.sites[i]->counts.executions;
        r.lanes += r.sites[i]->counts.lanes;
        r.seconds += profile_seconds(p, r.sites[i]);
    }
    ok = ok && (o.format == SW_PROFILE_TEXT   ? write_text(&r)
                : o.format == SW_PROFILE_JSON ? write_json(&r)
                                              : write_folded(&r));
    if (!ok || t.failed)
        status = diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory: the profile is incomplete");
    if (!status && t.length) o.write(o.context, t.data, t.length);
    sw_lines_close(r.lines);
    free(r.sites);
    text_free(&t);
    return status;
}
