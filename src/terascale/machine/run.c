// SPDX-License-Identifier: MIT
// Running a kernel: Mesa's conventions for compute, groups and their waves.
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/sized.h"
#include "softwave/terascale.h"
#include "terascale/machine/bind.h"
#include "terascale/machine/machine.h"
#include "terascale/object/object.h"

enum {
    ARGUMENTS_AT = 36, // behind numbers of groups, global and group sizes
    GROUP_MOST = 1024,
    LDS_MOST = 32768,
    GDS_BYTES = 65536,
    REGISTER_BYTES = 4 * TS_LANES * sizeof(uint32_t), // of a whole SIMD
    FLAT_BUFFER = 1,
    TEXT_BUFFER = 2,
    ARGUMENT_BUFFER = 3,
    WAVES_MOST = GROUP_MOST / 16,
};

struct launch {
    struct ts_machine m;
    struct ts_object object;
    const struct ts_symbol *function;
    sw_terascale_run_options o;
    sw_terascale_setup setup;
    const sw_terascale_wave_options *single; // one wave of any stage, instead of a grid
    sw_terascale_wave *wave;
    uint8_t *constants, *gds, *registers;
    size_t constants_size;
    struct ts_wave *waves;
    struct ts_queue (*queues)[2];
    unsigned wave_count, items;
};

// ---- What is run ----

// clang writes each kernel a second time as a plain function, whose arguments are in the wrong place.
static bool is_copy(const char *name) {
    static const char prefix[] = "__clang_ocl_kern_imp_";
    return !strncmp(name, prefix, sizeof prefix - 1);
}

static const struct ts_symbol *choose(const struct ts_object *o, const char *name) {
    const struct ts_symbol *only = NULL;
    if (name) return ts_object_function(o, name);
    for (uint32_t i = 0; i < o->function_count; i++) {
        if (is_copy(o->functions[i].name)) continue;
        if (only) return NULL;
        only = &o->functions[i];
    }
    return only;
}

sw_status ts_find_function(const struct ts_object *o, const char *name, const struct ts_symbol **out,
                           const sw_sink *sink) {
    const sw_location at = {.file = o->name};
    *out = choose(o, name);
    if (*out) return SW_OK;
    if (name) return diag_fail(sink, SW_BAD_INPUT, &at, "no kernel '%s'", name);
    return diag_fail(sink, o->function_count ? SW_USAGE : SW_BAD_INPUT, &at,
                     o->function_count ? "several kernels; which one?" : "no kernel");
}

static uint32_t declared_lds(const struct ts_symbol *f) {
    return 4 * (ts_symbol_setting(f, TS_REG_LDS_ALLOC, 0) & 0x3fff);
}

sw_status sw_terascale_lds(const uint8_t *data, size_t size, const char *function, uint32_t *bytes,
                           const sw_sink *sink) {
    struct ts_object o;
    const struct ts_symbol *f;
    *bytes = 0;
    sw_status status = ts_object_open(data, size, NULL, &o, sink);
    if (status) return status;
    status = ts_find_function(&o, function, &f, sink);
    if (!status) *bytes = declared_lds(f);
    ts_object_close(&o);
    return status;
}

// ---- Setting up ----

static sw_status no_memory(const struct launch *l) {
    return diag_fail(l->m.sink, SW_NO_MEMORY, NULL, "out of memory");
}

sw_status ts_take_setup(const sw_terascale_setup *from, sw_terascale_setup *to, const sw_sink *sink) {
    return sized_take(SIZED(sw_terascale_setup, strict), to, from, sink);
}

sw_status ts_check_buffers(const sw_terascale_setup *s, const char *name, const sw_sink *sink) {
    for (size_t i = 0; i < s->buffer_count; i++)
        if (!in_range(s->buffers[i].address, s->buffers[i].size, 1ull << 32))
            return diag_fail(sink, SW_USAGE, &(sw_location){.file = name},
                             "buffer %zu does not fit 32-bit addresses", i);
    return SW_OK;
}

static sw_status check(struct launch *l) {
    const sw_location at = {.file = l->o.name};
    const sw_sink *sink = l->m.sink;
    const sw_terascale_run_options *o = &l->o;
    uint64_t items = 1;
    for (unsigned i = 0; i < 3; i++) {
        if (!o->groups[i] || !o->group_size[i])
            return diag_fail(sink, SW_USAGE, &at, "a size of the grid is 0");
        items *= o->group_size[i];
        if (items > GROUP_MOST)
            return diag_fail(sink, SW_USAGE, &at, "a group has at most %d work-items", GROUP_MOST);
    }
    l->items = (unsigned)items;
    if (l->m.chip->family < TS_EVERGREEN && !l->single)
        return diag_fail(sink, SW_UNSUPPORTED, &at, "%s has no compute stage", l->m.chip->name);
    if (l->object.unresolved)
        return diag_fail(sink, SW_UNSUPPORTED, &at, "the object has relocations to symbols outside of .text");
    if (o->arguments_size > LDS_MOST || l->setup.loop_count > 32)
        return diag_fail(sink, SW_USAGE, &at, "too many arguments or loop constants");
    if (declared_lds(l->function) + (uint64_t)o->dynamic_lds > LDS_MOST)
        return diag_fail(sink, SW_USAGE, &at, "a group has at most %d bytes of LDS", LDS_MOST);
    return ts_check_buffers(&l->setup, o->name, sink);
}

static sw_status make_constants(struct launch *l) {
    const sw_terascale_run_options *o = &l->o;
    const size_t arguments = (o->arguments_size + 3) & ~(size_t)3;
    l->constants_size = ARGUMENTS_AT + arguments + 16;
    l->constants = calloc(1, (l->constants_size + 255) & ~(size_t)255);
    if (!l->constants) return no_memory(l);
    for (unsigned i = 0; i < 3; i++) {
        wr32(l->constants + 4 * i, o->groups[i]);
        wr32(l->constants + 12 + 4 * i, o->groups[i] * o->group_size[i]);
        wr32(l->constants + 24 + 4 * i, o->group_size[i]);
        wr32(l->constants + ARGUMENTS_AT + arguments + 4 + 4 * i, o->offset[i]);
    }
    if (o->arguments_size) memcpy(l->constants + ARGUMENTS_AT, o->arguments, o->arguments_size);
    const unsigned dimensions = o->groups[2] * o->group_size[2] > 1   ? 3
                                : o->groups[1] * o->group_size[1] > 1 ? 2
                                                                      : 1;
    wr32(l->constants + ARGUMENTS_AT + arguments, dimensions);
    return SW_OK;
}

static void bind(struct launch *l) {
    struct ts_machine *m = &l->m;
    struct ts_memory constants = {l->constants, l->constants_size, 0, false};
    if (l->single)
        constants = (struct ts_memory){(uint8_t *)(uintptr_t)l->single->constants, l->single->constants_size,
                                       0, false};
    m->constants[0] = constants;
    m->buffers[ARGUMENT_BUFFER] = constants;
    m->buffers[TEXT_BUFFER] =
        (struct ts_memory){(uint8_t *)l->object.code, (l->object.text_size + 3) & ~3u, 0, false};
    m->flat[FLAT_BUFFER] = true;
    for (unsigned i = 0; i < 256; i++) m->stride[i] = 1; // indexes are byte addresses
    for (size_t i = 0; i < l->setup.buffer_count; i++) {
        const sw_terascale_buffer *b = &l->setup.buffers[i];
        m->memory[i] = (struct ts_memory){b->data, b->size, b->address, !b->read_only};
    }
    m->memory_count = l->setup.buffer_count;
    for (size_t i = 0; i < l->setup.loop_count; i++) m->loops[i] = l->setup.loops[i];
    if (l->single) m->file = l->single->file;
    ts_bind_state(m);
}

// A fetch shader: another function, which CALL_FS calls.
static sw_status set_fetch_shader(struct launch *l, const char *name) {
    struct ts_machine *m = &l->m;
    const struct ts_symbol *f;
    sw_status status = ts_find_function(&l->object, name, &f, m->sink);
    if (status) return status;
    return ts_set_fetch_shader(m, &l->object, f) ? ts_write_settings(m->state, f, l->o.name, m->sink)
                                                 : no_memory(l);
}

static sw_status set_state(struct launch *l) {
    struct ts_machine *m = &l->m;
    const char *fetch = l->single ? l->single->fetch : NULL;
    m->state = ts_state_new(m->chip->family);
    if (!m->state) return no_memory(l);
    sw_status status = fetch ? set_fetch_shader(l, fetch) : SW_OK;
    if (!status) status = ts_write_settings(m->state, l->function, l->o.name, m->sink);
    if (!status) status = ts_write_callers(m->state, l->setup.settings, l->setup.setting_count, m->sink);
    return status;
}

// Memories by their kind, at most so many of each.
static sw_status bind_memories(struct launch *l) {
    static const struct {
        uint8_t first, count;
    } kinds[SW_TERASCALE_SPACES] = {
        [SW_TERASCALE_RAT] = {TS_SPACE_RAT, TS_RATS},
        [SW_TERASCALE_RAT_RETURN] = {TS_SPACE_RETURN, TS_RATS},
        [SW_TERASCALE_RING] = {TS_SPACE_RING, 4},
        [SW_TERASCALE_STREAM] = {TS_SPACE_STREAM, 16},
        [SW_TERASCALE_REDUCTION] = {TS_SPACE_REDUCTION, 1},
        [SW_TERASCALE_SCATTER] = {TS_SPACE_SCATTER, 1},
        [SW_TERASCALE_FACTORS] = {TS_SPACE_FACTORS, 1},
        [SW_TERASCALE_GDS] = {TS_SPACE_GDS, 1},
        [SW_TERASCALE_SIMD_GPRS] = {TS_SPACE_GPRS, 1},
    };
    const sw_location at = {.file = l->o.name};
    struct ts_machine *m = &l->m;
    m->spaces[TS_SPACE_GDS] = (struct ts_area){.data = l->gds, .size = GDS_BYTES};
    m->spaces[TS_SPACE_GPRS] = (struct ts_area){.data = l->registers, .size = TS_GPRS * REGISTER_BYTES};
    for (size_t i = 0; i < l->setup.memory_count; i++) {
        const sw_terascale_memory *g = &l->setup.memories[i];
        if (g->size < sizeof *g || (unsigned)g->space >= SW_TERASCALE_SPACES ||
            g->number >= kinds[g->space].count)
            return diag_fail(m->sink, SW_USAGE, &at, "memory %zu is of no kind that there is", i);
        if (!g->data || g->stride & 3 || ((uintptr_t)g->data & 3))
            return diag_fail(m->sink, SW_USAGE, &at, "memory %zu is not there, or not of whole dwords", i);
        m->spaces[kinds[g->space].first + g->number] = (struct ts_area){.data = g->data,
                                                                        .size = g->bytes,
                                                                        .stride = g->stride,
                                                                        .pitch = g->pitch,
                                                                        .rows = g->rows,
                                                                        .type = (uint8_t)g->type,
                                                                        .format = (uint8_t)(g->format & 63)};
    }
    return SW_OK;
}

// SQ_PGM_RESOURCES of whatever stage the object has for the function.
static uint32_t declared_resources(enum ts_family family, const struct ts_symbol *f) {
    uint32_t value = 0;
    for (unsigned s = TS_STAGES; s-- > 0;)
        value = ts_symbol_setting(f, ts_resources_register(family, (enum ts_stage)s), value);
    return value;
}

static void take_mode(struct ts_mode *m, uint32_t second) {
    m->single_round = second & 3;
    m->double_round = second >> 2 & 3;
    m->denorms_in = second >> 4 & 1;
    m->denorms_out = second >> 5 & 1;
    m->double_denorms_in = second >> 6 & 1;
    m->double_denorms_out = second >> 7 & 1;
}

// What SQ_PGM_RESOURCES and, from Evergreen on, SQ_PGM_RESOURCES_2 say of floats. Where the object has no
// second register, denormals are kept as Mesa sets it up: those of doubles.
static struct ts_mode mode_of(enum ts_family family, const struct ts_symbol *f, uint32_t resources) {
    struct ts_mode m = {.dx10_clamp = resources >> 21 & 1, .radians = family == TS_R600};
    if (family < TS_EVERGREEN) return m;
    uint32_t second = 3u << 6;
    for (unsigned s = TS_STAGES; s-- > 0;)
        second = ts_symbol_setting(f, ts_resources_register(family, (enum ts_stage)s) + 4, second);
    m.rounds_to_int = true;
    take_mode(&m, second);
    return m;
}

bool ts_set_program(struct ts_machine *m, const struct ts_object *o, const struct ts_symbol *f) {
    const uint32_t resources = declared_resources(o->chip->family, f);
    m->chip = o->chip;
    m->name = o->name;
    m->code = o->code + f->value / 4;
    m->words = (o->text_size + 7) / 8 - f->value / 8;
    m->gprs = resources & 0xff;
    m->stack = resources >> 8 & 0xff;
    m->mode = mode_of(o->chip->family, f, resources);
    m->stage = ts_stage_of(o, f);
    m->clauses = calloc((size_t)m->words + 1, sizeof *m->clauses);
    return m->clauses;
}

bool ts_set_fetch_shader(struct ts_machine *m, const struct ts_object *o, const struct ts_symbol *f) {
    m->other.words = o->code + f->value / 4;
    m->other.count = (o->text_size + 7) / 8 - f->value / 8;
    m->other.clauses = calloc((size_t)m->other.count + 1, sizeof *m->other.clauses);
    return m->has_fetch_shader = m->other.clauses;
}

static sw_status set_up(struct launch *l) {
    struct ts_machine *m = &l->m;
    if (!ts_set_program(m, &l->object, l->function)) return no_memory(l);
    m->strict = l->setup.strict;
    m->booleans = l->setup.booleans;
    m->steps_most = l->setup.max_steps;
    m->seconds = l->setup.seconds;
    m->start = monotonic_ns();
    m->lds_size = declared_lds(l->function) + l->o.dynamic_lds;
    m->lds = calloc(1, m->lds_size + 4);
    l->gds = calloc(1, GDS_BYTES);
    l->registers = calloc(TS_GPRS, REGISTER_BYTES);
    m->memory = calloc(l->setup.buffer_count + 1, sizeof *m->memory);
    l->wave_count = (l->items + m->chip->wave - 1) / m->chip->wave;
    l->waves = calloc(l->wave_count, sizeof *l->waves);
    l->queues = calloc((size_t)l->wave_count * TS_LANES, sizeof *l->queues);
    if (!m->lds || !l->gds || !l->registers || !m->memory || !l->waves || !l->queues) return no_memory(l);
    const uint32_t modes = ts_resources_register(m->chip->family, m->stage) + 4;
    for (size_t i = 0; m->chip->family >= TS_EVERGREEN && i < l->setup.setting_count; i++)
        if (l->setup.settings[i].reg == modes) take_mode(&m->mode, l->setup.settings[i].value);
    sw_status status = make_constants(l);
    if (!status) status = set_state(l);
    if (!status) bind(l);
    return status ? status : bind_memories(l);
}

static void free_clauses(struct ts_code_clause **clauses, uint32_t count) {
    for (uint32_t i = 0; clauses && i < count; i++)
        if (clauses[i]) {
            free(clauses[i]->groups);
            free(clauses[i]);
        }
    free(clauses);
}

void ts_machine_free(struct ts_machine *m) {
    free_clauses(m->clauses, m->words);
    free_clauses(m->other.clauses, m->other.count);
    ts_state_free(m->state);
    free(m->memory);
    free(m->lds);
}

static void tear_down(struct launch *l) {
    ts_machine_free(&l->m);
    for (unsigned i = 0; l->waves && i < l->wave_count; i++) {
        array_free(&l->waves[i].frames);
        free(l->waves[i].scratch);
    }
    free(l->waves);
    free(l->queues);
    free(l->constants);
    free(l->gds);
    free(l->registers);
    ts_object_close(&l->object);
}

// ---- Groups ----

void ts_reset_wave(struct ts_wave *w, unsigned lanes, unsigned number, struct ts_queue (*queue)[2]) {
    memset(w->gpr, 0, sizeof w->gpr);
    w->frames.count = 0;
    w->pushes = w->loops = 0;
    w->pc = w->resume = 0;
    w->index = 0;
    w->done = w->waiting = w->blocked = false;
    w->breaks = w->continues = 0;
    w->cf_index[0] = w->cf_index[1] = 0;
    w->number = number;
    w->queue = queue;
    memset(w->queue, 0, TS_LANES * sizeof *w->queue);
    w->in_fetch_shader = false;
    free(w->scratch);
    w->scratch = NULL;
    memset(w->parameters, 0, sizeof w->parameters);
    w->present = lanes == 64 ? ~0ull : (1ull << lanes) - 1;
}

// R0 holds the work-item's place in its group, R1 the group's.
static void begin_wave(const struct launch *l, struct ts_wave *w, unsigned number) {
    const uint32_t *size = l->o.group_size;
    const unsigned lanes = l->m.chip->wave, first = number * lanes;
    ts_reset_wave(w, lanes, number, l->queues + (size_t)number * TS_LANES);
    const unsigned left = l->items - first, used = left < lanes ? left : lanes;
    w->valid = w->active = used == 64 ? ~0ull : (1ull << used) - 1;
    for (unsigned k = 0; k < used; k++) {
        const uint32_t id = first + k;
        w->gpr[0][0][k] = id % size[0];
        w->gpr[0][1][k] = id / size[0] % size[1];
        w->gpr[0][2][k] = id / size[0] / size[1];
        for (unsigned i = 0; i < 3; i++) w->gpr[1][i][k] = l->m.group[i];
    }
}

// Each wave up to a barrier, its end or a semaphore that it does not get. When all that are left wait at a
// barrier, they go on.
static bool run_waves(struct launch *l) {
    for (;;) {
        unsigned left = 0, waiting = 0;
        bool moved = false;
        for (unsigned i = 0; i < l->wave_count; i++) {
            struct ts_wave *w = &l->waves[i];
            const uint64_t before = l->m.steps;
            const bool runs = !w->done && !w->waiting, again = w->blocked;
            if (runs && !ts_run_wave(&l->m, w)) return false;
            moved |= runs && !(again && w->blocked && l->m.steps == before + 1); // it tried once more
            left += !w->done;
            waiting += w->waiting;
        }
        if (!left) return true;
        if (waiting == left)
            for (unsigned i = 0; i < l->wave_count; i++) l->waves[i].waiting = false;
        else if (!moved)
            return ts_fault(&l->m, -1, "every wave of the group waits for a semaphore or a barrier");
    }
}

static bool run_group(struct launch *l) {
    memset(l->m.lds, 0, l->m.lds_size);
    l->m.group_waves = l->wave_count;
    for (unsigned i = 0; i < l->wave_count; i++) begin_wave(l, &l->waves[i], i);
    return run_waves(l);
}

static sw_status run_all(struct launch *l) {
    const uint32_t *n = l->o.groups;
    for (l->m.group[2] = 0; l->m.group[2] < n[2]; l->m.group[2]++)
        for (l->m.group[1] = 0; l->m.group[1] < n[1]; l->m.group[1]++)
            for (l->m.group[0] = 0; l->m.group[0] < n[0]; l->m.group[0]++)
                if (!run_group(l)) return l->m.status;
    return SW_OK;
}

static sw_status launch(struct launch *l, const uint8_t *object, size_t size,
                        sw_status (*run)(struct launch *)) {
    sw_status status = ts_take_setup(l->o.setup, &l->setup, l->m.sink);
    if (!status) status = ts_object_open(object, size, l->o.name, &l->object, l->m.sink);
    if (!status) status = ts_find_function(&l->object, l->o.function, &l->function, l->m.sink);
    if (!status) {
        l->m.chip = l->object.chip;
        status = check(l);
    }
    if (!status) status = set_up(l);
    if (!status) status = run(l);
    tear_down(l);
    return status;
}

sw_status sw_terascale_run(const uint8_t *object, size_t size, const sw_terascale_run_options *options,
                           const sw_sink *sink) {
    struct launch *l = calloc(1, sizeof *l);
    if (!l) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    l->m.sink = sink;
    sw_status status = sized_take(SIZED(sw_terascale_run_options, setup), &l->o, options, sink);
    if (!status) status = launch(l, object, size, run_all);
    free(l);
    return status;
}

// ---- One wave ----

static sw_status run_single(struct launch *l) {
    struct ts_wave *w = l->waves;
    const unsigned lanes = l->m.chip->wave;
    begin_wave(l, w, 0);
    memcpy(w->gpr, l->wave->gpr, sizeof w->gpr);
    w->valid = w->active = l->wave->valid & w->present;
    for (unsigned k = 0; k < lanes; k++) w->parameters[k] = l->single->parameters;
    l->m.exported = l->single->exported;
    l->m.context = l->single->context;
    l->m.emitted = l->single->emitted;
    l->m.group_waves = 1;
    if (!run_waves(l)) return l->m.status;
    for (unsigned g = 0; g < TS_GPRS; g++)
        for (unsigned c = 0; c < 4; c++) memcpy(l->wave->gpr[g][c], w->gpr[g][c], lanes * sizeof(uint32_t));
    l->wave->valid = w->valid;
    return SW_OK;
}

sw_status sw_terascale_run_wave(const uint8_t *object, size_t size, const sw_terascale_wave_options *options,
                                sw_terascale_wave *wave, const sw_sink *sink) {
    sw_terascale_wave_options o;
    sw_status status = sized_take(SIZED(sw_terascale_wave_options, setup), &o, options, sink);
    if (!status && wave->size < sizeof *wave) // too large for sized_check
        status = diag_fail(sink, SW_USAGE, NULL, "sw_terascale_wave.size is not sizeof(sw_terascale_wave)");
    struct launch *l = status ? NULL : calloc(1, sizeof *l);
    if (!l) return status ? status : diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    l->m.sink = sink;
    l->single = &o;
    l->wave = wave;
    l->o = (sw_terascale_run_options){.name = o.name,
                                      .function = o.function,
                                      .groups = {1, 1, 1},
                                      .group_size = {1, 1, 1},
                                      .dynamic_lds = o.lds,
                                      .setup = o.setup};
    status = launch(l, object, size, run_single);
    free(l);
    return status;
}
