// SPDX-License-Identifier: MIT
// Kernel arguments from their texts, in the forms of `softwave run --help`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "cli/run/run.h"

// ---- One argument ----

// An explicit argument and what was given for it.
struct given {
    const sw_kernel *kernel;
    sw_argument *a;
    size_t number;
    const char *text;
    uint8_t *kernarg;
};

static sw_status wrong_size(const struct given *g, size_t size) {
    char type[512], form[64], what[700] = "it";
    const sw_argument *a = g->a;
    run_argument_type(g->kernel, a, g->number, type, sizeof type);
    run_argument_form(g->kernel, a, g->number, "V", form, sizeof form);
    if (a->name) snprintf(what, sizeof what, "'%s %s'", type, a->name);
    return diag_fail(&cli_sink, SW_USAGE, NULL, "argument %zu, '%s': %zu byte%s given, but %s takes %u (%s)",
                     g->number, g->text, size, size == 1 ? "" : "s", what, a->size, form);
}

static sw_status put(const struct given *g, const void *value, size_t size) {
    sw_argument *a = g->a;
    if (!a->size) { // not in any metadata: behind the one before
        a->offset = (uint32_t)align_up(a->offset, size >= 8 ? 8 : size >= 4 ? 4 : size ? size : 1);
        a->size = (uint32_t)size;
        if (!in_range(a->offset, size, a->pointee_align))
            return run_bad(g->text, "lies outside the argument block");
    }
    if (size != a->size) return wrong_size(g, size);
    memcpy(g->kernarg + a->offset, value, size);
    return SW_OK;
}

static sw_status put_values(const struct given *g) {
    const char *text = g->text, *colon = strchr(text, ':');
    enum value_type t = colon ? value_type_of(text, (size_t)(colon - text)) : VALUE_TYPES;
    uint8_t bytes[1024];
    size_t n = 0;
    if (colon && !strncmp(text, "hex:", 4)) {
        for (const char *s = colon + 1; *s; s += 2) {
            unsigned v;
            if (n == sizeof bytes || sscanf(s, "%2x", &v) != 1 || !s[1])
                return run_bad(text, "expected pairs of hex digits");
            bytes[n++] = (uint8_t)v;
        }
        return put(g, bytes, n);
    }
    if (t == VALUE_TYPES) return run_unknown_form(text, g->kernel, g->a, g->number);
    const char *s = colon + 1;
    bool list = *s == '[';
    s += list;
    do {
        if (n + 8 > sizeof bytes) return run_bad(text, "too many values");
        s = value_parse(t, s, bytes + n);
        if (!s) return run_bad(text, "not a number of this type");
        n += value_size(t);
    } while (list && *s == ',' && s++);
    if (list && *s++ != ']') return run_bad(text, "expected ']'");
    if (*s) return run_bad(text, "not a number of this type");
    return put(g, bytes, n);
}

static sw_status put_argument(struct run *r, size_t job, size_t index, sw_argument *a, const char *text) {
    struct job *j = &r->jobs[job];
    const struct given g = {j->kernel, a, index, text, j->kernarg};
    uint64_t address = 0;
    sw_status status = SW_OK;
    size_t buffer = 0;
    if (!strncmp(text, "buf:", 4) || !strncmp(text, "image:", 6)) {
        status = run_create_buffer(r, job, index, text);
        if (status == SW_OK)
            buffer = r->buffers.count, address = run_buffer_address(&r->buffers.items[buffer - 1]);
    } else if (!strncmp(text, "sampler:", 8)) {
        status = run_create_sampler(r, text, &address);
    } else if (*text == '@')
        status = run_find_buffer(r, text, &address);
    else if (!strncmp(text, "lds:", 4)) {
        uint64_t size;
        if (a->value_kind != SW_VALUE_DYNAMIC_SHARED_POINTER)
            return run_bad(text, "this argument is not a __local pointer");
        if (!run_parse_bytes(text + 4, strlen(text + 4), &size))
            return run_bad(text, "expected a size in bytes");
        uint32_t align = a->pointee_align ? a->pointee_align : 16;
        j->dynamic_lds = (uint32_t)align_up(j->dynamic_lds, align);
        address = j->kernel->group_segment_fixed_size;
        address = align_up(address, 16) + j->dynamic_lds;
        j->dynamic_lds += (uint32_t)size;
        array_push(&r->argument_buffers, 0);
        return put(&g, &address, 4);
    } else if (strcmp(text, "null")) {
        array_push(&r->argument_buffers, 0);
        return put_values(&g);
    }
    if (status != SW_OK) return status;
    array_push(&r->argument_buffers, buffer);
    return put(&g, &address, 8);
}

// Bytes of arguments, as the metadata says, else the descriptor.
static uint32_t block_size(const sw_kernel *k) {
    return k->has_metadata ? k->kernarg_segment_size : k->descriptor->kernarg_size;
}

// Where the code object lists no arguments: one behind the other in the block.
static sw_status put_unlisted(struct run *r, size_t job) {
    struct job *j = &r->jobs[job];
    uint32_t end = 0;
    for (size_t i = 0; i < j->arguments.count; i++) {
        sw_argument a = {.offset = end, .pointee_align = block_size(j->kernel)};
        sw_status status = put_argument(r, job, i, &a, j->arguments.items[i]);
        if (status != SW_OK) return status;
        end = a.offset + a.size;
    }
    return SW_OK;
}

sw_status run_arguments(struct run *r, size_t job) {
    struct job *j = &r->jobs[job];
    const sw_kernel *k = j->kernel;
    sw_status status;
    for (size_t i = 0; i < j->buffers.count; i++)
        if ((status = run_create_buffer(r, job, SIZE_MAX, j->buffers.items[i])) != SW_OK) return status;
    bool listed = k->argument_count || !block_size(k);
    size_t wanted = 0, given = j->arguments.count;
    for (size_t i = 0; i < k->argument_count; i++)
        wanted += !sw_value_kind_is_hidden(sw_kernel_argument(k, i)->value_kind);
    if (listed && given != wanted) {
        diag_fail(&cli_sink, SW_USAGE, NULL, "kernel '%s' takes %zu argument%s, %zu given", k->name, wanted,
                  wanted == 1 ? "" : "s", given);
        run_list_arguments(k);
        return SW_USAGE;
    }
    j->kernarg = sw_device_alloc(r->device, block_size(k) > 64 ? block_size(k) : 64);
    if (!j->kernarg) return diag_fail(&cli_sink, SW_NO_MEMORY, NULL, "out of memory");
    r->argument_buffers.count = 0;
    if (!listed) return put_unlisted(r, job);
    size_t next = 0;
    for (size_t i = 0; i < k->argument_count; i++) {
        sw_argument a = *sw_kernel_argument(k, i);
        if (sw_value_kind_is_hidden(a.value_kind)) continue;
        if (!in_range(a.offset, a.size, k->kernarg_segment_size))
            return diag_fail(&cli_sink, SW_BAD_INPUT, NULL,
                             "kernel '%s': argument %zu lies outside the argument block", k->name, i);
        if ((status = put_argument(r, job, next, &a, j->arguments.items[next])) != SW_OK) return status;
        next++;
    }
    return SW_OK;
}
