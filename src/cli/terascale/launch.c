// SPDX-License-Identifier: MIT
// Buffers and arguments as for other GPUs, laid out as programs of the R600 family expect them.
#include "cli/terascale/launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

enum { FIRST_ADDRESS = 0x10000, SPACE_BETWEEN = 0x1000 };

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
    sw_status status = run_create_buffer(&l->run, 0, index, text);
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

sw_status launch_place(struct launch *l, const struct job *j) {
    sw_status status = SW_OK;
    for (size_t i = 0; !status && i < j->buffers.count; i++)
        status = run_create_buffer(&l->run, 0, SIZE_MAX, j->buffers.items[i]);
    if (!status) status = place_buffers(l);
    for (size_t i = 0; !status && i < j->arguments.count; i++)
        status = put_argument(l, j->arguments.items[i], i);
    return status;
}

sw_status launch_show_fidelity(const struct launch *l, const char *name, struct text *t) {
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

// ---- The program ----

sw_status launch_open(struct launch *l, const struct file *f, const struct run_settings *o) {
    l->o = o;
    l->object = f->data;
    l->size = f->size;
    l->run.jobs = o->jobs.items;
    if (!run_is_assembly(o->file)) return SW_OK;
    sw_asm_options a = {.size = sizeof a, .name = o->file};
    sw_status status = sw_target_choose(o->target, strlen(o->target), &a.target, &cli_sink);
    if (!status) status = terascale_as(f, &a, &l->made, &l->size);
    l->object = l->made;
    return status;
}

void launch_close(struct launch *l) {
    arena_free(&l->run.texts);
    array_free(&l->run.buffers);
    array_free(&l->run.argument_buffers);
    array_free(&l->buffers);
    sw_free(l->made);
}
