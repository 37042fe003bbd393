// SPDX-License-Identifier: MIT
// Running vertex and pixel shaders: waves of vertices, triangles, waves of quads, colours.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/sized.h"
#include "terascale/machine/bind.h"
#include "terascale/draw/draw.h"
#include "terascale/draw/raster.h"

enum { VERTICES_MOST = 1 << 18, SIDE_MOST = 4096, POSITION = 60, QUADS_MOST = 16 };
enum { EXPORT_PIXEL, EXPORT_POSITION, EXPORT_PARAMETER };

struct vertex {
    float position[4], parameter[TS_PARAMETERS][4];
    bool placed;
};

struct draw {
    sw_terascale_draw_options o;
    sw_terascale_setup setup;
    const sw_sink *sink;
    struct ts_object object;
    const struct ts_symbol *vertex, *pixel, *fetch;
    struct ts_state *state;
    struct ts_memory *memory;
    struct ts_machine vs, ps;
    struct ts_inputs inputs;
    struct vertex *vertices;
    uint32_t vertex_count;
    uint32_t exported; // bits of parameters that the vertex shader gave
    struct ts_queue (*queue)[2];
    struct ts_wave *wave;
    uint32_t wave_first; // vertex of the wave's first lane
    unsigned wave_number;

    // The wave of pixels that is being filled.
    struct ts_quad quads[QUADS_MOST];
    float parameters[QUADS_MOST][TS_PARAMETERS][4][3];
    unsigned quad_count;
    const struct vertex *triangle[3];
};

static sw_status no_memory(const struct draw *d) {
    return diag_fail(d->sink, SW_NO_MEMORY, NULL, "out of memory");
}

// ---- What is drawn ----

// The only function of a stage; R600 and R700 have one register for programs of the vertex stage and fetch
// shaders.
static sw_status choose(struct draw *d, const char *name, enum ts_stage stage, const struct ts_symbol **out) {
    const sw_location at = {.file = d->o.name};
    const char *const word = stage == TS_STAGE_PIXEL ? "pixel" : "vertex";
    *out = NULL;
    if (name) return ts_find_function(&d->object, name, out, d->sink);
    for (uint32_t i = 0; i < d->object.function_count; i++) {
        const struct ts_symbol *f = &d->object.functions[i];
        enum ts_stage s = ts_stage_of(&d->object, f);
        if (s == TS_STAGE_COMPUTE && d->object.chip->family < TS_EVERGREEN) s = TS_STAGE_VERTEX;
        if (s != stage || f == d->fetch) continue;
        if (*out) return diag_fail(d->sink, SW_USAGE, &at, "several %s shaders; which one?", word);
        *out = f;
    }
    return *out ? SW_OK : diag_fail(d->sink, SW_BAD_INPUT, &at, "no %s shader", word);
}

static sw_status check(const struct draw *d) {
    const sw_location at = {.file = d->o.name};
    const sw_terascale_draw_options *o = &d->o;
    if (!o->width || !o->height || o->width > SIDE_MOST || o->height > SIDE_MOST)
        return diag_fail(d->sink, SW_USAGE, &at, "a picture is 1 to %d pixels wide and high", SIDE_MOST);
    if ((unsigned)o->primitive > SW_TERASCALE_QUADS)
        return diag_fail(d->sink, SW_USAGE, &at, "no primitive has the number %u", (unsigned)o->primitive);
    if ((uint64_t)o->count * (o->instances ? o->instances : 1) > VERTICES_MOST)
        return diag_fail(d->sink, SW_USAGE, &at, "more than %d vertices", VERTICES_MOST);
    if (d->object.unresolved)
        return diag_fail(d->sink, SW_UNSUPPORTED, &at,
                         "the object has relocations to symbols outside of .text");
    if (d->setup.memory_count || d->setup.booleans || d->setup.loop_count)
        return diag_fail(d->sink, SW_UNSUPPORTED, &at,
                         "drawing takes no memories, boolean or loop constants");
    return ts_check_buffers(&d->setup, o->name, d->sink);
}

// ---- Setting up ----

static sw_status write_state(struct draw *d) {
    sw_status status = ts_write_settings(d->state, d->vertex, d->o.name, d->sink);
    if (!status && d->fetch) status = ts_write_settings(d->state, d->fetch, d->o.name, d->sink);
    if (!status) status = ts_write_settings(d->state, d->pixel, d->o.name, d->sink);
    if (!status) status = ts_write_callers(d->state, d->setup.settings, d->setup.setting_count, d->sink);
    return status ? status : ts_take_inputs(d->state, &d->inputs, d->o.name, d->sink);
}

static bool set_machine(struct draw *d, struct ts_machine *m, const struct ts_symbol *f,
                        enum ts_stage stage) {
    const unsigned k = stage == TS_STAGE_PIXEL;
    if (!ts_set_program(m, &d->object, f)) return false;
    m->stage = stage;
    m->state = d->state;
    m->memory = d->memory;
    m->memory_count = d->setup.buffer_count;
    m->strict = d->setup.strict;
    m->steps_most = d->setup.max_steps;
    m->seconds = d->setup.seconds;
    m->sink = d->sink;
    m->context = d;
    m->start = monotonic_ns();
    m->constants[0] =
        (struct ts_memory){(uint8_t *)(uintptr_t)d->o.constants[k], d->o.constants_size[k], 0, false};
    ts_bind_state(m);
    return true;
}

static void take_vertices(void *context, const sw_terascale_export *e);
static void take_pixels(void *context, const sw_terascale_export *e);

static sw_status set_up(struct draw *d) {
    const uint32_t instances = d->o.instances ? d->o.instances : 1;
    d->vertex_count = d->o.count;
    d->state = ts_state_new(d->object.chip->family);
    d->memory = calloc(d->setup.buffer_count + 1, sizeof *d->memory);
    d->vertices = calloc((size_t)d->o.count * instances + 1, sizeof *d->vertices);
    d->queue = calloc(TS_LANES, sizeof *d->queue);
    d->wave = calloc(1, sizeof *d->wave);
    if (!d->state || !d->memory || !d->vertices || !d->queue || !d->wave) return no_memory(d);
    for (size_t i = 0; i < d->setup.buffer_count; i++) {
        const sw_terascale_buffer *b = &d->setup.buffers[i];
        d->memory[i] = (struct ts_memory){b->data, b->size, b->address, !b->read_only};
    }
    const sw_status status = write_state(d);
    if (status) return status;
    if (!set_machine(d, &d->vs, d->vertex, TS_STAGE_VERTEX) ||
        !set_machine(d, &d->ps, d->pixel, TS_STAGE_PIXEL) ||
        (d->fetch && !ts_set_fetch_shader(&d->vs, &d->object, d->fetch)))
        return no_memory(d);
    d->vs.exported = take_vertices;
    d->ps.exported = take_pixels;
    return SW_OK;
}

static void tear_down(struct draw *d) {
    d->vs.state = d->ps.state = NULL; // they share it
    d->vs.memory = d->ps.memory = NULL;
    ts_machine_free(&d->vs);
    ts_machine_free(&d->ps);
    if (d->wave) {
        array_free(&d->wave->frames);
        free(d->wave->scratch);
    }
    free(d->wave);
    free(d->queue);
    free(d->vertices);
    free(d->memory);
    ts_state_free(d->state);
    ts_object_close(&d->object);
}

// ---- Vertices ----

static void take_vertices(void *context, const sw_terascale_export *e) {
    struct draw *d = context;
    const bool position = e->type == EXPORT_POSITION && e->base == POSITION;
    if (!position && (e->type != EXPORT_PARAMETER || e->base >= TS_PARAMETERS)) return;
    for (unsigned l = 0; l < TS_LANES; l++) {
        if (!(e->lanes >> l & 1)) continue;
        struct vertex *v = &d->vertices[d->wave_first + l];
        float *to = position ? v->position : v->parameter[e->base];
        for (unsigned c = 0; c < 4; c++)
            if (e->values[c]) to[c] = ts_float(e->values[c][l]);
        v->placed |= position;
    }
    if (!position) d->exported |= 1u << e->base;
}

static bool run_wave(struct draw *d, struct ts_machine *m) {
    while (!d->wave->done) {
        if (!ts_run_wave(m, d->wave)) return false;
        if ((d->wave->waiting || d->wave->blocked) && !d->wave->done)
            return ts_fault(m, -1, "a shader of the %s stage waits %s", m == &d->ps ? "pixel" : "vertex",
                            d->wave->waiting ? "at a barrier" : "for a semaphore");
    }
    return true;
}

static bool run_vertices(struct draw *d, uint32_t instance) {
    const unsigned lanes = d->vs.chip->wave;
    for (uint32_t first = 0; first < d->o.count; first += lanes) {
        const uint32_t left = d->o.count - first, used = left < lanes ? left : lanes;
        struct ts_wave *w = d->wave;
        ts_reset_wave(w, lanes, d->wave_number++, d->queue);
        w->valid = w->active = used == 64 ? ~0ull : (1ull << used) - 1;
        d->wave_first = instance * d->o.count + first;
        for (unsigned l = 0; l < used; l++) {
            w->gpr[0][0][l] = d->o.indices ? d->o.indices[first + l] : d->o.first + first + l;
            w->gpr[0][1][l] = first + l;
            w->gpr[0][3][l] = instance;
        }
        if (!run_wave(d, &d->vs)) return false;
    }
    return true;
}

// ---- Pixels ----

static void take_pixels(void *context, const sw_terascale_export *e) {
    struct draw *d = context;
    float *target = e->type == EXPORT_PIXEL && e->base < SW_TERASCALE_TARGETS ? d->o.targets[e->base] : NULL;
    for (unsigned l = 0; target && l < 4 * d->quad_count; l++) {
        const struct ts_quad *q = &d->quads[l / 4];
        const size_t pixel = (q->y + (l >> 1 & 1)) * (size_t)d->o.width + q->x + (l & 1);
        if (!(e->lanes >> l & 1)) continue;
        for (unsigned c = 0; c < 4; c++)
            if (e->values[c] && d->inputs.written >> (4 * e->base + c) & 1)
                target[4 * pixel + c] = ts_float(e->values[c][l]);
    }
}

// All four pixels of a quad execute, for the sake of gradients; those outside of the triangle are not valid.
static bool run_pixels(struct draw *d) {
    struct ts_wave *w = d->wave;
    const unsigned used = 4 * d->quad_count;
    if (!used) return true;
    ts_reset_wave(w, d->ps.chip->wave, d->wave_number++, d->queue);
    w->active = used == 64 ? ~0ull : (1ull << used) - 1;
    w->valid = 0;
    for (unsigned k = 0; k < d->quad_count; k++) {
        w->valid |= (uint64_t)d->quads[k].covered << 4 * k;
        for (unsigned i = 0; i < 4; i++) w->parameters[4 * k + i] = d->parameters[k];
        ts_give_inputs(&d->inputs, d->object.chip->family, &d->quads[k], d->parameters[k], w, 4 * k);
    }
    const bool good = run_wave(d, &d->ps);
    d->quad_count = 0;
    return good;
}

static bool take_quad(void *context, const struct ts_quad *q) {
    struct draw *d = context;
    const unsigned k = d->quad_count++;
    const float *const parameters[3] = {d->triangle[0]->parameter[0], d->triangle[1]->parameter[0],
                                        d->triangle[2]->parameter[0]};
    d->quads[k] = *q;
    ts_make_parameters(&d->inputs, d->exported, parameters, d->parameters[k]);
    return 4 * d->quad_count < d->ps.chip->wave || run_pixels(d);
}

static bool draw_triangle(struct draw *d, uint32_t first, uint32_t a, uint32_t b, uint32_t c) {
    const struct ts_raster r = {d->o.width, d->o.height, take_quad, d};
    const struct vertex *v[3] = {&d->vertices[first + a], &d->vertices[first + b], &d->vertices[first + c]};
    float position[3][4];
    for (unsigned i = 0; i < 3; i++) {
        if (!v[i]->placed) return true; // killed, or nothing was exported
        memcpy(position[i], v[i]->position, sizeof position[i]);
        d->triangle[i] = v[i];
    }
    return ts_rasterize(&r, position);
}

// Each triangle begins with the vertex that flat parameters come from.
static bool draw_primitives(struct draw *d, uint32_t first) {
    const uint32_t n = d->o.count;
    bool good = true;
    switch (d->o.primitive) {
    case SW_TERASCALE_TRIANGLES:
        for (uint32_t i = 0; i + 2 < n && good; i += 3) good = draw_triangle(d, first, i, i + 1, i + 2);
        break;
    case SW_TERASCALE_TRIANGLE_STRIP:
        for (uint32_t i = 0; i + 2 < n && good; i++)
            good = draw_triangle(d, first, i, i + 1 + (i & 1), i + 2 - (i & 1));
        break;
    case SW_TERASCALE_TRIANGLE_FAN:
        for (uint32_t i = 1; i + 1 < n && good; i++) good = draw_triangle(d, first, i, i + 1, 0);
        break;
    default:
        for (uint32_t i = 0; i + 3 < n && good; i += 4)
            good = draw_triangle(d, first, i, i + 1, i + 2) && draw_triangle(d, first, i, i + 2, i + 3);
    }
    return good;
}

static sw_status run_all(struct draw *d) {
    const uint32_t instances = d->o.instances ? d->o.instances : 1;
    for (uint32_t i = 0; i < instances; i++)
        if (!run_vertices(d, i)) return d->vs.status;
    d->ps.steps = d->vs.steps;
    d->wave_number = 0;
    for (uint32_t i = 0; i < instances; i++)
        if (!draw_primitives(d, i * d->o.count)) return d->ps.status;
    return run_pixels(d) ? SW_OK : d->ps.status;
}

sw_status sw_terascale_draw(const uint8_t *object, size_t size, const sw_terascale_draw_options *options,
                            const sw_sink *sink) {
    struct draw *d = calloc(1, sizeof *d);
    if (!d) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    d->sink = sink;
    sw_status status = sized_take(SIZED(sw_terascale_draw_options, targets), &d->o, options, sink);
    if (!status) status = ts_take_setup(d->o.setup, &d->setup, sink);
    if (!status) status = ts_object_open(object, size, d->o.name, &d->object, sink);
    if (!status && d->o.fetch) status = ts_find_function(&d->object, d->o.fetch, &d->fetch, sink);
    if (!status) status = choose(d, d->o.vertex, TS_STAGE_VERTEX, &d->vertex);
    if (!status) status = choose(d, d->o.pixel, TS_STAGE_PIXEL, &d->pixel);
    if (!status) status = check(d);
    if (!status) status = set_up(d);
    if (!status) status = run_all(d);
    tear_down(d);
    free(d);
    return status;
}
