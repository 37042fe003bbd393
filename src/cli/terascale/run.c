// SPDX-License-Identifier: MIT
// `run` for the R600 family: buffers and arguments as for other GPUs, laid out as its kernels expect them.
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/run/run.h"
#include "cli/terascale/terascale.h"
#include "softwave/terascale.h"

enum { FIRST_ADDRESS = 0x10000, SPACE_BETWEEN = 0x1000, ARGUMENTS_MOST = 4096 };

struct launch {
    struct run run;
    const struct run_settings *o;
    const uint8_t *object;
    size_t size;
    uint8_t arguments[ARGUMENTS_MOST];
    size_t length;
    uint32_t lds;                       // of the function, then with what arguments add
    ARRAY(sw_terascale_buffer) buffers; // at 32-bit addresses, as in run.buffers
    ARRAY(sw_terascale_memory) memories;
};

// Values lie at multiples of their size, counted from the first argument; vectors of three as those of four.
static sw_status put(struct launch *l, const char *text, const void *value, size_t size) {
    size_t alignment = 1;
    while (alignment < size) alignment *= 2;
    const size_t at = align_up(l->length, alignment);
    if (at + alignment > sizeof l->arguments) return run_bad(text, "too many arguments");
    memcpy(l->arguments + at, value, size);
    l->length = at + alignment;
    return SW_OK;
}

static sw_status put_values(struct launch *l, const char *text) {
    const char *colon = strchr(text, ':'), *s = colon ? colon + 1 : "";
    const enum value_type t = colon ? value_type_of(text, (size_t)(colon - text)) : VALUE_TYPES;
    uint8_t bytes[256];
    size_t n = 0;
    if (t == VALUE_TYPES) return run_bad(text, "unknown form; see 'softwave run --help'");
    const bool list = *s == '[';
    s += list;
    do {
        if (n + 8 > sizeof bytes) return run_bad(text, "too many values");
        if (!(s = value_parse(t, s, bytes + n))) return run_bad(text, "not a number of this type");
        n += value_size(t);
    } while (list && *s == ',' && s++);
    if ((list && *s++ != ']') || *s)
        return run_bad(text, list ? "expected ']'" : "not a number of this type");
    return put(l, text, bytes, n);
}

// The first buffer that lies where this one would, of those that have a place or ask for one.
static const struct buffer *overlap(const struct launch *l, const struct buffer *b, uint64_t at) {
    for (size_t i = 0; i < l->run.buffers.count; i++) {
        const struct buffer *other = &l->run.buffers.items[i];
        const uint64_t from = i < l->buffers.count ? l->buffers.items[i].address : other->address;
        if (other != b && from && at < from + other->size && from < at + b->size) return other;
    }
    return NULL;
}

// Behind the one before, with a gap, so that going past one is noticed; not where others ask to be.
static uint64_t choose_address(const struct launch *l, const struct buffer *b) {
    uint64_t at = FIRST_ADDRESS;
    if (b->address) return b->address;
    if (l->buffers.count) {
        const sw_terascale_buffer *last = &l->buffers.items[l->buffers.count - 1];
        at = align_up((uint64_t)last->address + last->size + SPACE_BETWEEN, 256);
    }
    for (const struct buffer *other; at <= UINT32_MAX && (other = overlap(l, b, at));)
        at = align_up(at + other->size + SPACE_BETWEEN, 256);
    return at;
}

static sw_status place_buffers(struct launch *l) {
    while (l->buffers.count < l->run.buffers.count) {
        const struct buffer *b = &l->run.buffers.items[l->buffers.count];
        const uint64_t at = choose_address(l, b);
        if (at + b->size > UINT32_MAX)
            return diag_fail(&cli_sink, SW_USAGE, NULL, "buffers do not fit 32-bit addresses");
        if (overlap(l, b, at))
            return diag_fail(&cli_sink, SW_USAGE, NULL, "buffers lie at the same addresses, from 0x%llx on",
                             (unsigned long long)at);
        const sw_terascale_buffer made = {b->memory, b->size, (uint32_t)at, false};
        if (!array_push(&l->buffers, made)) return SW_NO_MEMORY;
    }
    return SW_OK;
}

static sw_status put_buffer(struct launch *l, const char *text, size_t index) {
    sw_status status = run_create_buffer(&l->run, 0, index, text + 4);
    if (!status) status = place_buffers(l);
    if (!status && !array_push(&l->run.argument_buffers, l->buffers.count)) status = SW_NO_MEMORY;
    return status ? status : put(l, text, &l->buffers.items[l->buffers.count - 1].address, 4);
}

// "@N[+OFFSET]" or "@NAME[+OFFSET]"
static sw_status put_address(struct launch *l, const char *text) {
    uint64_t host;
    const sw_status status = run_find_buffer(&l->run, text, &host);
    for (size_t i = 0; !status && i < l->buffers.count; i++) {
        const sw_terascale_buffer *b = &l->buffers.items[i];
        const uint64_t from = (uint64_t)(uintptr_t)b->data;
        const uint32_t address = b->address + (uint32_t)(host - from);
        if (host >= from && host <= from + b->size) return put(l, text, &address, 4);
    }
    return status ? status : run_bad(text, "lies outside of its buffer");
}

static sw_status put_argument(struct launch *l, const char *text, size_t index) {
    if (!strncmp(text, "buf:", 4)) return put_buffer(l, text, index);
    sw_status status = SW_OK;
    if (*text == '@')
        status = put_address(l, text);
    else if (!strncmp(text, "lds:", 4)) {
        uint64_t size;
        if (!run_parse_bytes(text + 4, strlen(text + 4), &size) || size > 1 << 20)
            return run_bad(text, "expected a size in bytes");
        l->lds = (uint32_t)align_up(l->lds, 16);
        status = put(l, text, &l->lds, 4);
        l->lds += (uint32_t)size;
    } else if (!strcmp(text, "null"))
        status = put(l, text, &(uint32_t){0}, 4);
    else
        status = put_values(l, text);
    if (!status && !array_push(&l->run.argument_buffers, 0)) status = SW_NO_MEMORY;
    return status;
}

static sw_status choose_sizes(struct job *j, sw_terascale_run_options *r) {
    for (unsigned i = 0; i < 3; i++) {
        if (!j->has_block) j->block[i] = i ? 1 : j->has_grid && j->grid[0] < 256 ? j->grid[0] : 256;
        if (!j->has_grid) j->grid[i] = j->block[i];
        if (j->grid[i] % j->block[i])
            return (sw_status)cli_usage("run",
                                        "the grid is a number of whole work-groups on the R600 family");
        r->groups[i] = j->grid[i] / j->block[i];
        r->group_size[i] = j->block[i];
    }
    return SW_OK;
}

// Buffers that --buffer names as what they are: "rat3", "return3", "scatter", "gds", "simd_gprs".
static bool name_memories(struct launch *l) {
    static const struct {
        const char *name;
        sw_terascale_space space;
    } kinds[] = {{"rat", SW_TERASCALE_RAT},
                 {"return", SW_TERASCALE_RAT_RETURN},
                 {"scatter", SW_TERASCALE_SCATTER},
                 {"gds", SW_TERASCALE_GDS},
                 {"simd_gprs", SW_TERASCALE_SIMD_GPRS}};
    for (size_t i = 0; i < l->run.buffers.count; i++) {
        const struct buffer *b = &l->run.buffers.items[i];
        for (unsigned k = 0; b->name && k < sizeof kinds / sizeof *kinds; k++) {
            const size_t n = strlen(kinds[k].name);
            const bool numbered = kinds[k].space <= SW_TERASCALE_RAT_RETURN;
            char *end = b->name;
            if (strncmp(b->name, kinds[k].name, n)) continue;
            const unsigned long number = numbered ? strtoul(b->name + n, &end, 10) : 0;
            if (numbered ? end == b->name + n || *end : b->name[n] != 0) continue;
            const sw_terascale_memory memory = {.size = sizeof memory,
                                                .space = kinds[k].space,
                                                .number = number > 99 ? 99 : (unsigned)number,
                                                .data = b->memory,
                                                .bytes = b->size};
            if (!array_push(&l->memories, memory)) return false;
        }
    }
    return true;
}

static sw_status show_fidelity(const struct launch *l, const char *name, struct text *t) {
    size_t count, kinds[3] = {0};
    sw_terascale_operation all[600] = {{.size = sizeof *all}};
    const sw_status status = sw_terascale_operations(l->object, l->size, name, all, 600, &count, &cli_sink);
    if (status) return status;
    for (size_t i = 0; i < count && i < 600; i++) kinds[all[i].certainty]++;
    text_printf(t, "fidelity: %zu operations known, %zu unsure, %zu unsupported\n", kinds[0], kinds[1],
                kinds[2]);
    for (size_t i = 0; i < count && i < 600; i++)
        if (all[i].certainty)
            text_printf(t, "fidelity: %s is %s: %s\n", all[i].name,
                        all[i].certainty == SW_TERASCALE_UNSURE ? "unsure" : "unsupported", all[i].why);
    return SW_OK;
}

// --indices: a buffer of numbers of vertices.
static sw_status find_indices(const struct launch *l, struct terascale_drawing *d) {
    const char *name = l->o->drawing.indices;
    for (size_t i = 0; name && i < l->run.buffers.count; i++) {
        const struct buffer *b = &l->run.buffers.items[i];
        if (!b->name || strcmp(b->name, name)) continue;
        d->indices = (const uint32_t *)(const void *)b->memory;
        d->index_count = b->size / 4;
    }
    return !name || d->indices ? SW_OK : (sw_status)cli_usage("run", "--indices names no buffer: '%s'", name);
}

static sw_status draw_one(struct launch *l, struct text *t) {
    struct terascale_drawing d = {.object = l->object,
                                  .size = l->size,
                                  .o = l->o,
                                  .buffers = l->buffers.items,
                                  .buffer_count = l->buffers.count,
                                  .constants = l->arguments,
                                  .constants_size = l->length};
    sw_status status = find_indices(l, &d);
    if (!status) status = terascale_draw(&d, t);
    return status ? status : run_outputs(&l->run, t);
}

// Of the kernel, or of the shaders that draw.
static sw_status show_all_fidelity(const struct launch *l, const struct job *j, struct text *t) {
    const struct run_drawing *w = &l->o->drawing;
    const char *const names[] = {w->vertex, w->pixel, w->fetch};
    sw_status status = SW_OK;
    if (!w->kind) return show_fidelity(l, j->kernel_name, t);
    if (!w->vertex || !w->pixel)
        return (sw_status)cli_usage("run", "--fidelity with --draw needs --vertex and --pixel");
    for (unsigned i = 0; i < 3 && !status; i++)
        if (names[i]) {
            text_printf(t, "%s: ", names[i]);
            status = show_fidelity(l, names[i], t);
        }
    return status;
}

static sw_status run_one(struct launch *l, struct job *j, struct text *t) {
    sw_terascale_run_options r = {.size = sizeof r,
                                  .name = l->o->file,
                                  .function = j->kernel_name,
                                  .seconds = l->o->timeout,
                                  .max_steps = l->o->limit,
                                  .strict = l->o->strict};
    uint32_t declared = 0;
    const bool draws = l->o->drawing.kind;
    sw_status status =
        draws ? SW_OK : sw_terascale_lds(l->object, l->size, j->kernel_name, &declared, &cli_sink);
    l->lds = declared;
    for (size_t i = 0; !status && i < j->buffers.count; i++)
        status = run_create_buffer(&l->run, 0, SIZE_MAX, j->buffers.items[i]);
    if (!status) status = place_buffers(l);
    for (size_t i = 0; !status && i < j->arguments.count; i++)
        status = put_argument(l, j->arguments.items[i], i);
    if (!status && draws) return draw_one(l, t);
    if (!status) status = choose_sizes(j, &r);
    if (status) return status;
    r.arguments = l->arguments;
    r.arguments_size = l->length;
    r.buffers = l->buffers.items;
    r.buffer_count = l->buffers.count;
    r.dynamic_lds = l->lds - declared + j->dynamic_lds;
    if (!name_memories(l)) return SW_NO_MEMORY;
    r.memories = l->memories.items;
    r.memory_count = l->memories.count;
    status = sw_terascale_run(l->object, l->size, &r, &cli_sink);
    return status ? status : run_outputs(&l->run, t);
}

bool terascale_can_run(const struct file *f, const struct run_settings *o) {
    sw_target target = {0};
    if (sw_terascale_is_object(f->data, f->size)) return true;
    return run_is_assembly(o->file) && o->target &&
           !sw_target_choose(o->target, strlen(o->target), &target, NULL) &&
           sw_terascale_processor(target.processor);
}

sw_status terascale_run(const struct file *f, const struct run_settings *o, struct text *t) {
    struct launch *l = calloc(1, sizeof *l);
    uint8_t *made = NULL;
    sw_status status = SW_OK;
    if (!l) return SW_NO_MEMORY;
    l->o = o;
    l->object = f->data;
    l->size = f->size;
    l->run.jobs = o->jobs.items;
    if (o->jobs.count != 1 || o->tracing || o->stats || o->symbols.count)
        status =
            (sw_status)cli_usage("run", "--then, --trace, --stats and --symbol are not for the R600 family");
    if (!status && run_is_assembly(o->file)) {
        sw_asm_options a = {.size = sizeof a, .name = o->file};
        status = sw_target_choose(o->target, strlen(o->target), &a.target, &cli_sink);
        if (!status) status = terascale_as(f, &a, &made, &l->size);
        l->object = made;
    }
    if (!status) status = run_one(l, &o->jobs.items[0], t);
    if (o->fidelity && l->object && (!status || status == SW_FAULT || status == SW_UNSUPPORTED)) {
        const sw_status shown = show_all_fidelity(l, &o->jobs.items[0], t);
        if (!status) status = shown;
    }
    arena_free(&l->run.texts);
    array_free(&l->run.buffers);
    array_free(&l->run.argument_buffers);
    array_free(&l->buffers);
    array_free(&l->memories);
    sw_terascale_free(made);
    free(l);
    return status;
}
