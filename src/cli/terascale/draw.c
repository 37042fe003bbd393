// SPDX-License-Identifier: MIT
// `run --draw`: what shaders of the R600 family draw, as a file.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"
#include "cli/png.h"
#include "cli/terascale/terascale.h"

enum { CHANNELS = 4, UNTOUCHED = 0x7fc0dead }; // bits of pixels that nothing was drawn to

static sw_status take_kind(const char *text, sw_terascale_draw_options *d) {
    static const char *const names[] = {"triangles", "strip", "fan", "quads"};
    const size_t n = strcspn(text, ",");
    uint64_t count;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) != n || memcmp(names[i], text, n)) continue;
        if (!text[n] || !run_parse_number(text + n + 1, strlen(text + n + 1), &count) || count > 1 << 20)
            break;
        d->primitive = (sw_terascale_primitive)i;
        d->count = (uint32_t)count;
        return SW_OK;
    }
    return (sw_status)cli_usage(
        "run",
        "--draw takes triangles, strip, fan or quads and a number of vertices, such as quads,4, not '%s'",
        text);
}

static sw_status take_size(const char *text, sw_terascale_draw_options *d) {
    uint32_t size[3] = {64, 64, 1};
    if (text && (!run_parse_size(text, size) || size[2] != 1 || size[0] > 4096 || size[1] > 4096))
        return (sw_status)cli_usage("run", "--size takes two numbers up to 4096, such as 256,256, not '%s'",
                                    text);
    d->width = size[0];
    d->height = size[1];
    return SW_OK;
}

// ---- State besides the program's ----

static sw_status read_state(const struct terascale_drawing *d, sw_terascale_setting **settings,
                            size_t *count) {
    const char *path = d->o->drawing.state;
    sw_terascale_as_options a = {.size = sizeof a, .name = path};
    struct file f;
    *settings = NULL;
    *count = 0;
    if (!path) return SW_OK;
    sw_target target = {0};
    if (!d->o->target) return (sw_status)cli_usage("run", "--state needs --target");
    sw_status status = sw_target_choose(d->o->target, strlen(d->o->target), &target, &cli_sink);
    if (!status) status = file_open(&f, path, &cli_sink);
    if (status) return status;
    a.processor = target.processor;
    status = sw_terascale_state((const char *)f.data, f.size, &a, settings, count, &cli_sink);
    file_close(&f);
    return status;
}

// ---- The picture ----

static bool is_untouched(const float *pixel) {
    uint32_t bits[CHANNELS];
    memcpy(bits, pixel, sizeof bits);
    return bits[0] == UNTOUCHED && bits[1] == UNTOUCHED && bits[2] == UNTOUCHED && bits[3] == UNTOUCHED;
}

static size_t clear_untouched(float *colours, size_t pixels) {
    size_t drawn = 0;
    for (size_t i = 0; i < pixels; i++) {
        drawn += !is_untouched(colours + CHANNELS * i);
        for (unsigned c = 0; c < CHANNELS; c++) {
            uint32_t bits;
            memcpy(&bits, &colours[CHANNELS * i + c], sizeof bits);
            if (bits == UNTOUCHED) colours[CHANNELS * i + c] = 0;
        }
    }
    return drawn;
}

static uint8_t byte_of(float v) { return (uint8_t)(v >= 1 ? 255 : v > 0 ? lrintf(v * 255) : 0); }

static bool ends_in(const char *path, const char *end) {
    const size_t length = strlen(path), n = strlen(end);
    return length > n && !strcmp(path + length - n, end);
}

// Rows from the top in bytes, red, green and blue.
static uint8_t *to_bytes(const float *colours, uint32_t width, uint32_t height) {
    const size_t pixels = (size_t)width * height;
    uint8_t *bytes = malloc(3 * pixels + 1);
    for (size_t i = 0; bytes && i < pixels; i++)
        for (int c = 0; c < 3; c++) bytes[3 * i + (size_t)c] = byte_of(colours[CHANNELS * i + (size_t)c]);
    return bytes;
}

// Rows from the bottom.
static void put_floats(struct text *t, const float *colours, uint32_t width, uint32_t height) {
    text_printf(t, "PF\n%u %u\n-1.0\n", width, height);
    for (uint32_t row = height; row--;)
        for (uint32_t x = 0; x < width; x++)
            text_add(t, (const char *)(const void *)(colours + CHANNELS * ((size_t)width * row + x)),
                     3 * sizeof *colours);
}

static sw_status write_picture(const char *path, const float *colours, uint32_t width, uint32_t height) {
    struct text t = {0};
    if (!ends_in(path, ".png") && !ends_in(path, ".ppm") && !ends_in(path, ".pfm"))
        return (sw_status)cli_usage("run", "--picture takes a name that ends in .png, .ppm or .pfm, not '%s'",
                                    path);
    uint8_t *bytes = to_bytes(colours, width, height);
    if (!bytes) return SW_NO_MEMORY;
    if (ends_in(path, ".pfm"))
        put_floats(&t, colours, width, height);
    else if (ends_in(path, ".png"))
        png_add(&t, bytes, width, height);
    else {
        text_printf(&t, "P6\n%u %u\n255\n", width, height);
        text_add(&t, (const char *)bytes, 3 * (size_t)width * height);
    }
    free(bytes);
    const sw_status status = t.failed ? SW_NO_MEMORY : file_write(path, t.data, t.length, &cli_sink);
    text_free(&t);
    return status;
}

static sw_status draw(const struct terascale_drawing *d, sw_terascale_draw_options *o, struct text *t) {
    const size_t pixels = (size_t)o->width * o->height;
    const uint32_t untouched = UNTOUCHED;
    float *colours = malloc(CHANNELS * pixels * sizeof *colours);
    if (!colours) return SW_NO_MEMORY;
    for (size_t i = 0; i < CHANNELS * pixels; i++) memcpy(&colours[i], &untouched, sizeof untouched);
    o->targets[0] = colours;
    sw_status status = sw_terascale_draw(d->object, d->size, o, &cli_sink);
    if (!status) {
        text_printf(t, "%zu of %ux%u pixels drawn\n", clear_untouched(colours, pixels), o->width, o->height);
        if (d->o->drawing.picture)
            status = write_picture(d->o->drawing.picture, colours, o->width, o->height);
    }
    free(colours);
    return status;
}

sw_status terascale_draw(const struct terascale_drawing *d, struct text *t) {
    const struct run_drawing *w = &d->o->drawing;
    sw_terascale_draw_options o = {.size = sizeof o,
                                   .name = d->o->file,
                                   .vertex = w->vertex,
                                   .pixel = w->pixel,
                                   .fetch = w->fetch,
                                   .indices = d->indices,
                                   .constants = {d->constants, d->constants},
                                   .constants_size = {d->constants_size, d->constants_size},
                                   .buffers = d->buffers,
                                   .buffer_count = d->buffer_count,
                                   .max_steps = d->o->limit,
                                   .seconds = d->o->timeout,
                                   .strict = d->o->strict};
    sw_terascale_setting *settings = NULL;
    size_t count = 0;
    sw_status status = take_kind(w->kind, &o);
    if (!status) status = take_size(w->size, &o);
    if (!status && d->indices && d->index_count < o.count)
        status = (sw_status)cli_usage("run", "--indices has %zu numbers, for %u vertices", d->index_count,
                                      o.count);
    if (!status) status = read_state(d, &settings, &count);
    o.settings = settings;
    o.setting_count = count;
    if (!status) status = draw(d, &o, t);
    sw_terascale_free(settings);
    return status;
}
