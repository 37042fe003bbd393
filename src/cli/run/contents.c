// SPDX-License-Identifier: MIT
// What buffers of `softwave run` hold before it, and what happens to them after it.
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "cli/run/run.h"

// ---- Before the run ----

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
bool run_fill(struct buffer *b, const char *spec, size_t length) {
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
    uint64_t seed = 1;
    if (random && n > 4 && !run_parse_number(v + 5, n - 5, &seed)) return false;
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
        sw_status s = b->image ? run_image_fetch(b) : SW_OK;
        if (b->shown) show(t, b);
        if (b->out) s = b->image ? run_write_image(b) : file_write(b->out, b->memory, b->size, &cli_sink);
        if (s == SW_OK && b->expect) s = compare(b);
        if (status == SW_OK) status = s;
    }
    return status;
}
