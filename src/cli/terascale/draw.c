// SPDX-License-Identifier: MIT
// `softwave draw`: what vertex and pixel shaders of the R600 family draw, as a file.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "cli/commands.h"
#include "cli/png.h"
#include "cli/terascale/launch.h"

enum { CHANNELS = 4, UNTOUCHED = 0x7fc0dead }; // bits of pixels that nothing was drawn to

struct drawing {
    struct run_settings o; // the file, its one job with buffers and arguments, limits
    const char *kind, *size, *out;
    const char *vertex, *pixel, *fetch, *state, *indices;
};

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
        "draw",
        "what is drawn is triangles, strip, fan or quads and a number of vertices, such as quads,4, not '%s'",
        text);
}

static sw_status take_size(const char *text, sw_terascale_draw_options *d) {
    uint32_t size[3] = {64, 64, 1};
    if (text && (!run_parse_size(text, size) || size[2] != 1 || size[0] > 4096 || size[1] > 4096))
        return (sw_status)cli_usage("draw", "--size takes two numbers up to 4096, such as 256,256, not '%s'",
                                    text);
    d->width = size[0];
    d->height = size[1];
    return SW_OK;
}

// ---- State besides the program's ----

static sw_status read_state(const struct drawing *d, sw_terascale_setting **settings, size_t *count) {
    const char *path = d->state;
    sw_terascale_as_options a = {.size = sizeof a, .name = path};
    struct file f;
    *settings = NULL;
    *count = 0;
    if (!path) return SW_OK;
    sw_target target = {0};
    if (!d->o.target) return (sw_status)cli_usage("draw", "--state needs --target");
    sw_status status = sw_target_choose(d->o.target, strlen(d->o.target), &target, &cli_sink);
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
        return (sw_status)cli_usage("draw", "-o takes a name that ends in .png, .ppm or .pfm, not '%s'",
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

static sw_status draw(const struct drawing *d, const struct launch *l, sw_terascale_draw_options *o,
                      struct text *t) {
    const size_t pixels = (size_t)o->width * o->height;
    const uint32_t untouched = UNTOUCHED;
    float *colours = malloc(CHANNELS * pixels * sizeof *colours);
    if (!colours) return SW_NO_MEMORY;
    for (size_t i = 0; i < CHANNELS * pixels; i++) memcpy(&colours[i], &untouched, sizeof untouched);
    o->targets[0] = colours;
    sw_status status = sw_terascale_draw(l->object, l->size, o, &cli_sink);
    if (!status) {
        text_printf(t, "%zu of %ux%u pixels drawn\n", clear_untouched(colours, pixels), o->width, o->height);
        if (d->out) status = write_picture(d->out, colours, o->width, o->height);
    }
    free(colours);
    return status;
}

// ---- The command ----

// --indices: a buffer of numbers of vertices.
static sw_status find_indices(const struct drawing *d, const struct launch *l, sw_terascale_draw_options *o) {
    for (size_t i = 0; d->indices && i < l->run.buffers.count; i++) {
        const struct buffer *b = &l->run.buffers.items[i];
        if (!b->name || strcmp(b->name, d->indices)) continue;
        if (b->size / 4 < o->count)
            return (sw_status)cli_usage("draw", "--indices has %zu numbers, for %u vertices",
                                        (size_t)b->size / 4, o->count);
        o->indices = (const uint32_t *)(const void *)b->memory;
    }
    return !d->indices || o->indices
               ? SW_OK
               : (sw_status)cli_usage("draw", "--indices names no buffer: '%s'", d->indices);
}

static sw_status draw_with(const struct drawing *d, struct launch *l, struct text *t) {
    sw_terascale_draw_options o = {
        .size = sizeof o, .name = d->o.file, .vertex = d->vertex, .pixel = d->pixel, .fetch = d->fetch};
    sw_terascale_setup s = {
        .size = sizeof s, .max_steps = d->o.limit, .seconds = d->o.timeout, .strict = d->o.device.exact_only};
    sw_terascale_setting *settings = NULL;
    sw_status status = launch_place(l, &d->o.jobs.items[0]);
    for (unsigned i = 0; i < 2; i++) o.constants[i] = l->arguments, o.constants_size[i] = l->length;
    s.buffers = l->buffers.items;
    s.buffer_count = l->buffers.count;
    o.setup = &s;
    if (!status) status = take_kind(d->kind, &o);
    if (!status) status = take_size(d->size, &o);
    if (!status) status = find_indices(d, l, &o);
    if (!status) status = read_state(d, &settings, &s.setting_count);
    s.settings = settings;
    if (!status) status = draw(d, l, &o, t);
    if (!status) status = run_outputs(&l->run, t);
    sw_free(settings);
    return status;
}

static sw_status show_fidelity(const struct drawing *d, const struct launch *l, struct text *t) {
    const char *const names[] = {d->vertex, d->pixel, d->fetch};
    sw_status status = SW_OK;
    if (!d->vertex || !d->pixel) return (sw_status)cli_usage("draw", "--fidelity needs --vertex and --pixel");
    for (unsigned i = 0; i < 3 && !status; i++) {
        if (!names[i]) continue;
        text_printf(t, "%s: ", names[i]);
        status = launch_show_fidelity(l, names[i], t);
    }
    return status;
}

static sw_status draw_file(const struct drawing *d, struct text *t) {
    struct file f;
    sw_status status = file_open(&f, d->o.file, &cli_sink);
    if (status) return status;
    struct launch *l = calloc(1, sizeof *l);
    if (!l) status = SW_NO_MEMORY;
    if (!status && !terascale_can_run(&f, &d->o))
        status = diag_fail(
            &cli_sink, SW_UNSUPPORTED, NULL,
            "%s: no program of the R600 family, whose vertex and pixel shaders alone are drawn with "
            "(an object of `softwave as`, or assembly with --target)",
            d->o.file);
    if (!status) status = launch_open(l, &f, &d->o);
    if (!status) status = draw_with(d, l, t);
    if (l && d->o.fidelity && l->object && (!status || status == SW_FAULTED || status == SW_UNSUPPORTED)) {
        const sw_status shown = show_fidelity(d, l, t);
        if (!status) status = shown;
    }
    if (l) launch_close(l);
    free(l);
    file_close(&f);
    return status;
}

enum option {
    TARGET,
    SIZE,
    OUT,
    VERTEX,
    PIXEL,
    FETCH,
    STATE,
    INDICES,
    BUFFER,
    FIDELITY,
    STRICT,
    LIMIT,
    TIMEOUT,
    SCAN_RESULTS
};
static const struct cli_option options[] = {
    {TARGET, 0, "target", "ID", "the GPU, such as cypress (default: the one that the object was made for)"},
    {SIZE, 0, "size", "X,Y", "the size in pixels (default: 64,64)"},
    {OUT, 'o', "out", "FILE",
     "write the picture to FILE: .png, .ppm (portable pixmap) or .pfm (floats). Without this option only the "
     "number of pixels is printed"},
    {VERTEX, 0, "vertex", "NAME", "the vertex shader (default: the only one)"},
    {PIXEL, 0, "pixel", "NAME", "the pixel shader (default: the only one)"},
    {FETCH, 0, "fetch", "NAME", "the fetch shader that CALL_FS calls (default: none)"},
    {STATE, 0, "state", "FILE",
     "textures, buffers and samplers besides those of the program; FILE has functions of directives alone"},
    {BUFFER, 0, "buffer", "NAME=SIZE,...",
     "a buffer; the form is that of buf: (`softwave run --help`), at=ADDRESS says where shaders find it"},
    {INDICES, 0, "indices", "NAME", "a buffer of vertex numbers, 32 bits each"},
    {FIDELITY, 0, "fidelity", NULL, "print how sure the operations of the shaders are"},
    {STRICT, 0, "strict", NULL, "fault if a clause reads a temporary value that it did not write"},
    {LIMIT, 0, "limit", "N", "stop after N control-flow instructions of all waves together"},
    {TIMEOUT, 0, "timeout", "SEC", "stop after SEC seconds with exit code 3"},
};

static int take(struct drawing *d, int id, const char *value) {
    struct job *j = &d->o.jobs.items[0];
    switch ((enum option)id) {
    case SCAN_POSITIONAL:
        if (!d->kind)
            d->kind = value;
        else if (!d->o.file)
            d->o.file = value;
        else if (!array_push(&j->arguments, value))
            return SW_NO_MEMORY;
        return SW_OK;
    case TARGET: d->o.target = value; return SW_OK;
    case SIZE: d->size = value; return SW_OK;
    case OUT: d->out = value; return SW_OK;
    case VERTEX: d->vertex = value; return SW_OK;
    case PIXEL: d->pixel = value; return SW_OK;
    case FETCH: d->fetch = value; return SW_OK;
    case STATE: d->state = value; return SW_OK;
    case INDICES: d->indices = value; return SW_OK;
    case BUFFER: return array_push(&j->buffers, value) ? SW_OK : SW_NO_MEMORY;
    case FIDELITY: d->o.fidelity = true; return SW_OK;
    case STRICT: d->o.device.exact_only = true; return SW_OK;
    case LIMIT: return run_take_bytes("draw", "--limit", value, 1, 1ull << 60, &d->o.limit);
    case TIMEOUT: return run_take_seconds("draw", value, &d->o.timeout);
    case SCAN_ERROR:
    case SCAN_HELP: break;
    }
    return SW_USAGE;
}

static int parse(int argc, char **argv, struct drawing *d) {
    struct scan scan = cli_scan(&command_draw, argc, argv);
    if (!array_push(&d->o.jobs, (struct job){0})) return SW_NO_MEMORY;
    for (int id; (id = cli_next(&scan)) != SCAN_END;) {
        if (id == SCAN_HELP || id == SCAN_ERROR) return d->o.done = true, cli_early(id);
        const int status = take(d, id, scan.value);
        if (status) return status;
    }
    return d->o.file ? SW_OK : cli_usage("draw", "needs what is drawn, such as quads,4, and a file");
}

static int cmd_draw(int argc, char **argv) {
    struct drawing d = {0};
    struct text t = {0};
    int code = parse(argc, argv, &d);
    if (!code && !d.o.done) code = cli_finish(&t, (int)draw_file(&d, &t));
    if (d.o.jobs.count) {
        array_free(&d.o.jobs.items[0].arguments);
        array_free(&d.o.jobs.items[0].buffers);
    }
    array_free(&d.o.jobs);
    return code;
}

const struct cli_command command_draw = {
    .name = "draw",
    .run = cmd_draw,
    .what = "draw with vertex and pixel shaders of the R600 family",
    .synopsis = "[OPTION...] KIND,COUNT FILE [ARGUMENT...]",
    .about =
        "Draws COUNT vertices as triangles, strip, fan or quads with the vertex and pixel shaders of FILE: "
        "assembly text (.s), or an object of `softwave as`, for a GPU from R600 to Cayman.\n\n"
        "ARGUMENTs are constant buffer 0 of both shaders. Their forms are those of `softwave run`.",
    CLI_OPTIONS(options),
    .examples = "softwave draw --target=cypress --size=256,256 -o a.png quads,4 examples/picture.s\n",
    .operand = "FILE",
};
