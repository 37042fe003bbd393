// SPDX-License-Identifier: MIT
// Kernel arguments from their texts, and what happens to buffers after the run. The forms are those of
// `softwave run --help`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "cli/run.h"

static sw_status bad(const char *argument, const char *why) {
    return diag_fail(&cli_sink, SW_USAGE, NULL, "argument '%s': %s", argument, why);
}

static bool parse_size(const char *s, size_t length, uint64_t *out) {
    char *end;
    if (!length || *s < '0' || *s > '9') return false;
    uint64_t v = strtoull(s, &end, 0);
    unsigned shift = 0;
    if (end < s + length)
        shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0, end += shift != 0;
    if (end != s + length || v > (1ull << 40) >> shift) return false;
    *out = v << shift;
    return true;
}

// ---- Buffers ----

static uint64_t random_bits(uint64_t *state) { // splitmix64
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static void random_value(enum value_type t, uint64_t *state, void *out) {
    uint64_t r = random_bits(state);
    char text[32];
    if (t == F64) {
        double v = (double)(r >> 11) * 0x1p-53;
        memcpy(out, &v, 8);
    } else if (t == F32) {
        float v = (float)(r >> 40) * 0x1p-24f;
        memcpy(out, &v, 4);
    } else if (t == F16) {
        snprintf(text, sizeof text, "%.6f", (double)(r >> 53) * 0x1p-11);
        value_parse(F16, text, out);
    } else
        memcpy(out, &r, value_size(t));
}

// fill=TYPE:VALUE, TYPE:iota, TYPE:rand[:SEED]
static bool fill(struct buffer *b, const char *spec, size_t length) {
    const char *colon = memchr(spec, ':', length);
    if (!colon) return false;
    enum value_type t = value_type_of(spec, (size_t)(colon - spec));
    if (t == VALUE_TYPES) return false;
    b->type = t;
    size_t step = value_size(t), n = length - (size_t)(colon + 1 - spec);
    const char *v = colon + 1;
    char value[8], text[64];
    bool iota = n == 4 && !memcmp(v, "iota", 4),
         random = n >= 4 && !memcmp(v, "rand", 4) && (n == 4 || v[4] == ':');
    uint64_t seed = random && n > 5 ? strtoull(v + 5, NULL, 0) : 1;
    if (!iota && !random) {
        const char *end = value_parse(t, v, value);
        if (end != v + n) return false;
    }
    for (uint64_t i = 0; (i + 1) * step <= b->size; i++) {
        if (iota)
            snprintf(
                text, sizeof text, "%llu",
                (unsigned long long)(t == F16 || t == F32 || t == F64 ? i : i & (~0ull >> (64 - 8 * step)))),
                value_parse(t, text, value);
        if (random) random_value(t, &seed, value);
        memcpy(b->memory + i * step, value, step);
    }
    return true;
}

static sw_status find_buffer(struct run *r, const char *text, uint64_t *address) {
    size_t n = strcspn(text + 1, "+");
    uint64_t offset = text[1 + n] ? strtoull(text + 2 + n, NULL, 0) : 0;
    struct buffer *found = NULL;
    if (text[1] >= '0' && text[1] <= '9') {
        size_t i = strtoull(text + 1, NULL, 10);
        if (i < r->argument_buffers.count && r->argument_buffers.items[i])
            found = &r->buffers.items[r->argument_buffers.items[i] - 1];
    } else
        for (size_t i = 0; i < r->buffers.count; i++) {
            const char *name = r->buffers.items[i].name;
            if (name && strlen(name) == n && !memcmp(name, text + 1, n)) found = &r->buffers.items[i];
        }
    if (!found) return bad(text, "no such buffer before it");
    *address = (uint64_t)(uintptr_t)found->memory + offset;
    return SW_OK;
}

// ptr=OFFSET:@NAME: the address of an earlier buffer, in this one.
static sw_status store_pointer(struct run *r, const struct buffer *b, const char *spec) {
    char *end;
    uint64_t offset = strtoull(spec, &end, 0), address;
    if (end == spec || end[0] != ':' || end[1] != '@') return bad(spec, "ptr= needs OFFSET:@NAME");
    if (!in_range(offset, 8, b->size)) return bad(spec, "ptr= lies outside of its buffer");
    sw_status status = find_buffer(r, end + 1, &address);
    if (status == SW_OK) memcpy(b->memory + offset, &address, 8);
    return status;
}

static sw_status create_buffer(struct run *r, size_t job, size_t argument, const char *text) {
    struct buffer b = {.type = U32, .job = job, .argument = argument};
    const char *in = NULL, *fill_spec = NULL;
    size_t fill_length = 0;
    bool sized = false, typed = false;
    sw_status status;
    const char *pointers[16];
    size_t pointer_count = 0;
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, ",");
        const char *eq = memchr(s, '=', n);
        size_t key = eq ? (size_t)(eq - s) : 0;
        const char *v = eq ? eq + 1 : s;
        size_t vn = n - (size_t)(v - s);
        char *copy = arena_copy(&r->texts, v, vn);
        if (!copy) return SW_NO_MEMORY;
#define KEY(word) (key == strlen(word) && !memcmp(s, word, key))
        if (KEY("in"))
            in = copy;
        else if (KEY("out"))
            b.out = copy;
        else if (KEY("expect"))
            b.expect = copy;
        else if (KEY("tol"))
            b.tolerance = strtoull(copy, NULL, 0);
        else if (KEY("ptr")) {
            if (pointer_count == sizeof pointers / sizeof *pointers) return bad(text, "more than 16 ptr=");
            pointers[pointer_count++] = copy;
        } else if (KEY("fill"))
            fill_spec = copy, fill_length = vn;
        else if (KEY("show")) {
            size_t tn = strcspn(copy, ":");
            b.type = value_type_of(copy, tn);
            if (b.type == VALUE_TYPES)
                return bad(text, "show= needs a type: u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64");
            b.shown = typed = true;
            b.show_count = copy[tn] ? strtoull(copy + tn + 1, NULL, 0) : 16;
        } else if (s == text && key) {
            b.name = arena_copy(&r->texts, s, key);
            if (!parse_size(v, vn, &b.size)) return bad(text, "expected a size behind the name, such as 64K");
            sized = true;
        } else if (!key && parse_size(s, n, &b.size))
            sized = true;
        else
            return bad(text, "unknown part; known are SIZE, in=, fill=, out=, show=, expect=, tol=, ptr=");
        s += n + (s[n] == ',');
    }
    struct file f = {0};
    if (in) {
        status = sized ? file_open_begin(&f, in, b.size, &cli_sink) : file_open(&f, in, &cli_sink);
        if (status != SW_OK) return status;
        if (!sized) b.size = f.size;
    } else if (!sized)
        return bad(text, "a buffer needs a size or in=FILE");
    b.memory = sw_device_alloc(r->device, b.size);
    if (!b.memory) return diag_fail(&cli_sink, SW_NO_MEMORY, NULL, "argument '%s': out of memory", text);
    enum value_type shown = b.type;
    bool filled = !fill_spec || fill(&b, fill_spec, fill_length);
    if (typed) b.type = shown;
    if (in) memcpy(b.memory, f.data, f.size < b.size ? f.size : b.size), file_close(&f);
    if (!filled) return bad(text, "fill= needs TYPE:VALUE, TYPE:iota or TYPE:rand[:SEED]");
    for (size_t i = 0; i < pointer_count; i++)
        if ((status = store_pointer(r, &b, pointers[i])) != SW_OK) return status;
    return array_push(&r->buffers, b) ? SW_OK : SW_NO_MEMORY;
}

// ---- One argument ----

static sw_status put(const char *text, sw_argument *a, uint8_t *kernarg, const void *value, size_t size) {
    if (!a->size) { // not in any metadata: behind the one before
        a->offset = (uint32_t)align_up(a->offset, size >= 8 ? 8 : size >= 4 ? 4 : size ? size : 1);
        a->size = (uint32_t)size;
        if (!in_range(a->offset, size, a->pointee_align)) return bad(text, "lies outside the argument block");
    }
    if (size != a->size)
        return diag_fail(&cli_sink, SW_USAGE, NULL, "argument '%s': %zu bytes given, but %s%s%s takes %u",
                         text, size, a->name ? "'" : "it", a->name ? a->name : "", a->name ? "'" : "",
                         a->size);
    memcpy(kernarg + a->offset, value, size);
    return SW_OK;
}

static sw_status put_values(const char *text, sw_argument *a, uint8_t *kernarg) {
    const char *colon = strchr(text, ':');
    enum value_type t = colon ? value_type_of(text, (size_t)(colon - text)) : VALUE_TYPES;
    uint8_t bytes[1024];
    size_t n = 0;
    if (colon && !strncmp(text, "hex:", 4)) {
        for (const char *s = colon + 1; *s; s += 2) {
            unsigned v;
            if (n == sizeof bytes || sscanf(s, "%2x", &v) != 1 || !s[1])
                return bad(text, "expected pairs of hex digits");
            bytes[n++] = (uint8_t)v;
        }
        return put(text, a, kernarg, bytes, n);
    }
    if (t == VALUE_TYPES) return bad(text, "unknown form; see 'softwave run --help'");
    const char *s = colon + 1;
    bool list = *s == '[';
    s += list;
    do {
        if (n + 8 > sizeof bytes) return bad(text, "too many values");
        s = value_parse(t, s, bytes + n);
        if (!s) return bad(text, "not a number of this type");
        n += value_size(t);
    } while (list && *s == ',' && s++);
    if (list && *s++ != ']') return bad(text, "expected ']'");
    if (*s) return bad(text, "not a number of this type");
    return put(text, a, kernarg, bytes, n);
}

static sw_status put_argument(struct run *r, size_t job, size_t index, sw_argument *a, const char *text) {
    struct job *j = &r->jobs[job];
    uint64_t address = 0;
    sw_status status = SW_OK;
    size_t buffer = 0;
    if (!strncmp(text, "buf:", 4)) {
        status = create_buffer(r, job, index, text + 4);
        if (status == SW_OK)
            buffer = r->buffers.count, address = (uint64_t)(uintptr_t)r->buffers.items[buffer - 1].memory;
    } else if (*text == '@')
        status = find_buffer(r, text, &address);
    else if (!strncmp(text, "lds:", 4)) {
        uint64_t size;
        if (a->value_kind != SW_VALUE_DYNAMIC_SHARED_POINTER)
            return bad(text, "this argument is not a __local pointer");
        if (!parse_size(text + 4, strlen(text + 4), &size)) return bad(text, "expected a size in bytes");
        uint32_t align = a->pointee_align ? a->pointee_align : 16;
        j->dynamic_lds = (uint32_t)align_up(j->dynamic_lds, align);
        address = j->kernel->group_segment_fixed_size;
        address = align_up(address, 16) + j->dynamic_lds;
        j->dynamic_lds += (uint32_t)size;
        array_push(&r->argument_buffers, 0);
        return put(text, a, j->kernarg, &address, 4);
    } else if (strcmp(text, "null")) {
        array_push(&r->argument_buffers, 0);
        return put_values(text, a, j->kernarg);
    }
    if (status != SW_OK) return status;
    array_push(&r->argument_buffers, buffer);
    return put(text, a, j->kernarg, &address, 8);
}

// Bytes of arguments, as the metadata says, else the descriptor.
static uint32_t block_size(const sw_kernel *k) {
    return k->has_metadata ? k->kernarg_segment_size : k->descriptor.kernarg_size;
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
        if ((status = create_buffer(r, job, SIZE_MAX, j->buffers.items[i])) != SW_OK) return status;
    bool listed = k->argument_count || !block_size(k);
    size_t wanted = 0, given = j->arguments.count;
    for (size_t i = 0; i < k->argument_count; i++) wanted += !sw_value_is_hidden(k->arguments[i].value_kind);
    if (listed && given != wanted)
        return diag_fail(&cli_sink, SW_USAGE, NULL, "kernel '%s' takes %zu argument%s, %zu given", k->name,
                         wanted, wanted == 1 ? "" : "s", given);
    j->kernarg = sw_device_alloc(r->device, block_size(k) > 64 ? block_size(k) : 64);
    if (!j->kernarg) return diag_fail(&cli_sink, SW_NO_MEMORY, NULL, "out of memory");
    r->argument_buffers.count = 0;
    if (!listed) return put_unlisted(r, job);
    size_t next = 0;
    for (size_t i = 0; i < k->argument_count; i++) {
        sw_argument a = k->arguments[i];
        if (sw_value_is_hidden(a.value_kind)) continue;
        if (!in_range(a.offset, a.size, k->kernarg_segment_size))
            return diag_fail(&cli_sink, SW_BAD_INPUT, NULL,
                             "kernel '%s': argument %zu lies outside the argument block", k->name, i);
        if ((status = put_argument(r, job, next, &a, j->arguments.items[next])) != SW_OK) return status;
        next++;
    }
    return SW_OK;
}

// ---- After the run ----

static sw_status compare(const struct buffer *b) {
    struct file f;
    sw_status status = file_open(&f, b->expect, &cli_sink);
    if (status != SW_OK) return status;
    size_t step = value_size(b->type);
    uint64_t n = (f.size < b->size ? f.size : b->size) / step, wrong = 0, first = 0, worst = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t distance = value_distance(b->type, b->memory + i * step, f.data + i * step);
        if (distance > worst) worst = distance;
        if (distance > b->tolerance && !wrong++) first = i;
    }
    if (f.size != b->size)
        status = diag_fail(&cli_sink, SW_CHECK, NULL, "%s has %zu bytes, the buffer %llu", b->expect, f.size,
                           (unsigned long long)b->size);
    else if (wrong) {
        struct text t = {0};
        value_print(&t, b->type, b->memory + first * step);
        text_puts(&t, ", expected ");
        value_print(&t, b->type, f.data + first * step);
        status =
            diag_fail(&cli_sink, SW_CHECK, NULL,
                      "%llu of %llu values differ from %s by more than %llu ULP; the first is [%llu]: %s",
                      (unsigned long long)wrong, (unsigned long long)n, b->expect,
                      (unsigned long long)b->tolerance, (unsigned long long)first, t.data);
        text_free(&t);
    }
    file_close(&f);
    return status;
}

static void show(struct text *t, const struct buffer *b) {
    size_t step = value_size(b->type);
    uint64_t n = b->size / step, shown = b->show_count < n ? b->show_count : n;
    if (b->name)
        text_printf(t, "%s:", b->name);
    else
        text_printf(t, "@%zu:", b->argument);
    for (uint64_t i = 0; i < shown; i++) {
        text_puts(t, " ");
        value_print(t, b->type, b->memory + i * step);
    }
    text_puts(t, shown < n ? " ...\n" : "\n");
}

sw_status run_outputs(struct run *r, struct text *t) {
    sw_status status = SW_OK;
    for (size_t i = 0; i < r->buffers.count; i++) {
        const struct buffer *b = &r->buffers.items[i];
        sw_status s = SW_OK;
        if (b->shown) show(t, b);
        if (b->out) s = file_write(b->out, b->memory, b->size, &cli_sink);
        if (s == SW_OK && b->expect) s = compare(b);
        if (status == SW_OK) status = s;
    }
    return status;
}
