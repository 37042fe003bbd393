// SPDX-License-Identifier: MIT
// What `softwave run` tells of a kernel that did not come to its end: where it was, why, and what its waves
// did.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"
#include "softwave/isa.h"

// What all of a report refers to.
struct report {
    struct text *t;
    const struct run *r;
    const sw_kernel *kernel;
    const sw_object *object;
    const sw_processor *processor;
    sw_lines *lines; // or NULL
};

void run_print_insn(struct text *t, const sw_processor *p, bool wave32, uint8_t vgpr_msb, uint64_t pc) {
    char text[SW_INSN_TEXT_SIZE];
    sw_isa_mode mode = {.size = sizeof mode};
    sw_insn in = {.size = sizeof in};
    if (sw_isa_mode_init(&mode, p)) return;
    mode.wave32 = wave32, mode.vgpr_msb = vgpr_msb;
    if (sw_insn_decode(&mode, (const void *)(uintptr_t)pc, SW_INSN_MAX_BYTES, &in) != SW_DECODED) return;
    sw_insn_format(&mode, &in, pc, text, sizeof text);
    text_puts(t, text);
}

static bool in_image(const struct report *p, uint64_t pc, uint64_t *offset) {
    *offset = pc - sw_executable_base(p->r->executable);
    return pc && *offset + SW_INSN_MAX_BYTES <= sw_object_layout(p->object)->size;
}

// "name+0x14", demangled; nothing where no function is known.
static void put_symbol(const struct report *p, const sw_place *place) {
    char name[512];
    if (!sw_demangle(place->symbol->name, name, sizeof name))
        text_name(p->t, place->symbol->name, strlen(place->symbol->name));
    else
        text_name(p->t, name, strlen(name));
    text_printf(p->t, "+0x%" PRIx64, place->distance);
}

// "r+0x40, 0x1910 in dis": the function that contains the address, and the address that a listing of the file
// shows.
static void put_place(const struct report *p, uint64_t pc) {
    uint64_t offset;
    sw_place place = {.size = sizeof place};
    if (!in_image(p, pc, &offset)) {
        text_puts(p->t, "outside the code object");
        return;
    }
    sw_object_place(p->object, offset, &place);
    if (place.symbol) put_symbol(p, &place), text_puts(p->t, ", ");
    text_printf(p->t, "0x%" PRIx64 " in dis", place.address);
}

static bool put_line(const struct report *p, const char *before, uint64_t pc) {
    uint64_t offset;
    if (!p->lines || !in_image(p, pc, &offset)) return false;
    const sw_line *row = sw_lines_find(p->lines, offset);
    if (!row || !row->line) return false;
    text_puts(p->t, before);
    text_name(p->t, row->file->name, strlen(row->file->name));
    text_printf(p->t, ":%u", row->line);
    if (row->column) text_printf(p->t, ":%u", row->column);
    return true;
}

static void put_insn(const struct report *p, uint8_t vgpr_msb, uint64_t pc) {
    uint64_t offset;
    if (in_image(p, pc, &offset))
        run_print_insn(p->t, p->processor, p->kernel->descriptor->wavefront_size == 32, vgpr_msb, pc);
}

static void put_where(const struct report *p, const sw_fault *f) {
    text_printf(p->t, ", pc 0x%" PRIx64 " (", f->pc);
    put_place(p, f->pc);
    text_printf(p->t, ")\n  work-group %u,%u,%u, wave %u", f->group[0], f->group[1], f->group[2], f->wave);
    if (f->lane >= 0) text_printf(p->t, ", lane %d", f->lane);
    put_line(p, "\n  ", f->pc);
    if (f->kind == SW_FAULT_ILLEGAL) return;
    text_puts(p->t, "\n  ");
    put_insn(p, f->vgpr_msb, f->pc);
}

// ---- Likely reasons ----

// A pointer that nobody filled in: what little it was offset by.
static bool is_null(const sw_fault *f) {
    return (f->kind == SW_FAULT_READ || f->kind == SW_FAULT_WRITE || f->kind == SW_FAULT_ATOMIC) &&
           f->address < 4096;
}

// Services that neither the library nor `run` has.
static size_t unserved(const sw_fault *f, const sw_kernel *kernel, const char *names[16]) {
    size_t count = is_null(f) ? sw_kernel_unserved_arguments(kernel, names, 16) : 0, left = 0;
    if (count > 16) count = 16;
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], "hidden_hostcall_buffer") && strcmp(names[i], "hidden_heap_v1"))
            names[left++] = names[i];
    return left;
}

bool run_needs_service(const sw_fault *f, const sw_kernel *kernel) {
    const char *names[16];
    return unserved(f, kernel, names);
}

static bool is_access(const sw_fault *f) {
    return f->kind == SW_FAULT_READ || f->kind == SW_FAULT_WRITE || f->kind == SW_FAULT_ATOMIC;
}

// The explicit argument of this number, or NULL.
static const sw_argument *explicit_argument(const sw_kernel *k, size_t number) {
    for (size_t i = 0; i < k->argument_count; i++)
        if (!sw_value_kind_is_hidden(sw_kernel_argument(k, i)->value_kind) && !number--)
            return sw_kernel_argument(k, i);
    return NULL;
}

static void put_argument_name(const struct report *p, size_t number) {
    const sw_argument *a = explicit_argument(p->kernel, number);
    text_printf(p->t, "argument %zu", number);
    if (!a || !a->name) return;
    text_puts(p->t, " (");
    text_name(p->t, a->name, strlen(a->name));
    text_puts(p->t, ")");
}

// The arguments that were given as `null`.
static void put_null_arguments(const struct report *p, const struct job *j) {
    for (size_t i = 0, n = 0; i < j->arguments.count; i++)
        if (!strcmp(j->arguments.items[i], "null")) {
            text_puts(p->t, n++ ? ", " : "\n  ");
            put_argument_name(p, i);
            text_puts(p->t, " is null");
        }
}

// The buffer that the address is just outside of: within as much as it has, and 64 KiB.
static const struct buffer *near_buffer(const struct run *r, uint64_t address, uint64_t *distance,
                                        bool *before) {
    const struct buffer *best = NULL;
    for (size_t i = 0; i < r->buffers.count; i++) {
        const struct buffer *b = &r->buffers.items[i];
        const uint64_t start = (uint64_t)(uintptr_t)b->memory, end = start + b->size;
        if (address >= start && address < end) continue; // its rights are not the reason
        const uint64_t d = address < start ? start - address : address - end;
        if (d > b->size + (64 << 10) || (best && d >= *distance)) continue;
        best = b, *distance = d, *before = address < start;
    }
    return best;
}

// Which argument an access that failed belongs to.
static void put_argument(const struct report *p, const sw_fault *f) {
    const struct job *j = p->r->jobs;
    while (p->r->job_count && j < p->r->jobs + p->r->job_count && j->kernel != p->kernel) j++;
    const bool has_job = p->r->job_count && j < p->r->jobs + p->r->job_count;
    uint64_t distance = 0;
    bool before = false;
    if (has_job && is_null(f)) put_null_arguments(p, j);
    const struct buffer *b = is_access(f) ? near_buffer(p->r, f->address, &distance, &before) : NULL;
    if (!b) return;
    text_printf(p->t, "\n  %" PRIu64 " bytes %s of ", distance, before ? "before the start" : "past the end");
    if (b->argument != SIZE_MAX && has_job && b->job == (size_t)(j - p->r->jobs))
        put_argument_name(p, b->argument);
    else if (b->name)
        text_printf(p->t, "buffer %s", b->name);
    else
        text_printf(p->t, "argument %zu of kernel %zu", b->argument, b->job + 1);
    text_printf(p->t, " (%" PRIu64 " bytes)", b->size);
}

static void put_reasons(const struct report *p, const sw_fault *f) {
    const char *names[16];
    const size_t count = unserved(f, p->kernel, names);
    if (f->is_scratch)
        text_printf(p->t,
                    "\n  stack: %u bytes declared, %u needed so far; --stack=BYTES gives a work-item more",
                    f->scratch_declared, f->scratch_needed);
    if (!count) return;
    text_puts(p->t, "\n  the kernel needs ");
    for (size_t i = 0; i < count; i++) text_printf(p->t, "%s%s", i ? " or " : "", names[i]);
    text_puts(p->t, ", which `run` does not serve");
}

// ---- Waves ----

static int by_number(const void *a, const void *b) {
    const sw_wave_state *x = a, *y = b;
    for (int i = 2; i >= 0; i--)
        if (x->group[i] != y->group[i]) return x->group[i] < y->group[i] ? -1 : 1;
    return x->wave < y->wave ? -1 : x->wave > y->wave;
}

static void put_doing(const struct report *p, const sw_wave_state *s) {
    switch (s->doing) {
    case SW_WAVE_RUNS: text_puts(p->t, "ready to run"); break;
    case SW_WAVE_LOOPS: text_puts(p->t, "runs a loop"); break;
    case SW_WAVE_SLEEPS: text_puts(p->t, "sleeps"); break;
    case SW_WAVE_FAULTED: text_puts(p->t, "this one faulted"); break;
    case SW_WAVE_AT_BARRIER:
        text_printf(p->t, "waits at a barrier: %u of %u waves have arrived", s->arrived, s->expected);
        break;
    }
}

static void put_wave(const struct report *p, const sw_wave_state *s) {
    text_printf(p->t, "\n  %u,%u,%u:%u  exec=%0*" PRIx64 "  ", s->group[0], s->group[1], s->group[2], s->wave,
                (int)s->lanes / 4, s->exec);
    put_place(p, s->pc);
    text_puts(p->t, ": ");
    put_insn(p, s->vgpr_msb, s->pc);
    text_puts(p->t, "\n      ");
    put_doing(p, s);
    put_line(p, ", ", s->pc);
}

// The loop that most waves are in.
static void put_loop(const struct report *p, const sw_wave_state *all, size_t count) {
    const sw_wave_state *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        if (!all[i].loop_end) continue;
        for (size_t j = 0; j < count; j++)
            same += all[j].loop_begin == all[i].loop_begin && all[j].loop_end == all[i].loop_end;
        if (same > most) most = same, best = &all[i];
    }
    if (!best) return;
    text_puts(p->t, "\n  likely loop: from ");
    put_place(p, best->loop_begin);
    text_puts(p->t, " to ");
    put_place(p, best->loop_end);
    put_line(p, ", from ", best->loop_begin);
    put_line(p, " to ", best->loop_end);
    text_printf(p->t, " (%zu of %zu waves)", most, count);
}

static void put_waves(const struct report *p, const sw_fault *f, sw_wave_state *all, size_t capacity) {
    enum { SHOWN = 16 };
    const size_t count = f->waves < capacity ? f->waves : capacity;
    if (!count) return;
    qsort(all, count, sizeof *all, by_number);
    text_printf(p->t, "\n  %zu wave%s in flight:", f->waves, f->waves == 1 ? "" : "s");
    for (size_t i = 0; i < count && i < SHOWN; i++) put_wave(p, &all[i]);
    if (f->waves > SHOWN) text_printf(p->t, "\n  and %zu more", f->waves - SHOWN);
    put_loop(p, all, count);
}

void run_fault(const sw_fault *f, const struct run *r, const sw_kernel *kernel, const sw_object *object,
               sw_wave_state *waves, size_t capacity) {
    struct text t = {0};
    struct report p = {.t = &t,
                       .r = r,
                       .kernel = kernel,
                       .object = object,
                       .processor = sw_device_target(r->device)->processor};
    if (sw_lines_open(object, &p.lines, NULL) != SW_OK) p.lines = NULL;
    char what[512];
    sw_fault_describe(f, what, sizeof what);
    text_printf(&t, "softwave: fault: %s", what);
    put_argument(&p, f);
    text_puts(&t, "\n  kernel ");
    text_name(&t, kernel->name, strlen(kernel->name));
    if (f->pc) put_where(&p, f);
    put_reasons(&p, f);
    if (f->kind == SW_FAULT_TIMEOUT || f->kind == SW_FAULT_DEADLOCK) put_waves(&p, f, waves, capacity);
    text_puts(&t, "\n");
    if (t.data) fputs(t.data, stderr);
    text_free(&t);
    sw_lines_close(p.lines);
}
