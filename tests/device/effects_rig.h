// SPDX-License-Identifier: MIT
// One instruction on a wave of its own: translated from its bytes as a device does it, run by its ops, with
// memory between pages without rights, LDS between guard bytes, and everything that it can touch in one
// image that can be copied and compared.
#ifndef TESTS_EFFECTS_RIG_H
#define TESTS_EFFECTS_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "exec/body/body.h"
#include "exec/body/steps.h"
#include "device/device.h"
#include "exec/decode/program.h"
#include "exec/decode/control_ops.h"
#include "exec/host_control.h"
#include "isa/effect.h"
#include "isa/kinds.h"

enum { MEMORY = 0x4000, LDS = 0x1000, LDS_GUARD = 64, PAGE = 4096 };
enum { VECTORS = 80, SCRATCH_LANE = 128, SCRATCH_AT = 0x1000 };
enum { CODE_SIZE = 256, CODE_AT = 128 }; // where the instruction stands

enum outcome { WENT_ON, WENT_TO, ENDED, YIELDED, WAITS, SLEEPS, FAULTED };

// All that an instruction can touch. The registers are those of struct wave from s[0] on.
struct image {
    uint32_t mode, trap_status;
    int outcome;
    uint64_t where; // of a jump
    uint32_t *area;
    uint8_t memory[MEMORY], lds[LDS + LDS_GUARD];
};

struct subject {
    const sw_processor *p;
    const struct isa *isa;
    sw_device *device;
    bool wave32, clears_halves;
    unsigned lanes, vgprs, agprs, m0;
    size_t area_bytes;
    struct wave *w;
    struct worker worker;
    struct group group;
    struct dispatch dispatch;
    struct launch launch;
    sw_dispatch request;
    struct sw_executable executable;
    struct map map;
    struct map_range ranges[1];
    uint8_t *memory, *lds, *code;
    uint64_t memory_address;
    struct program *program;
    struct op ops[64];
    unsigned op_count;
    uint64_t message; // that it sent, or what it exported
};

static const struct op *rig_next(struct wave *w, const struct op *op) {
    (void)op;
    w->status = WAVE_RUNNING;
    return NULL;
}
static const struct op *rig_taken(struct wave *w, const struct op *op) {
    (void)op;
    w->status = WAVE_RUNNING;
    w->pc = 1;
    return NULL;
}
static const struct op rig_target = {.fn = rig_taken, .body = rig_taken};

static inline void machine_close(struct subject *m) {
    if (!m) return;
    program_destroy(m->program);
    if (m->memory) munmap(m->memory - PAGE, MEMORY + 2 * PAGE);
    free(m->code);
    free(m->w);
    free(m->lds);
    sw_device_destroy(m->device);
    free(m);
}

static void rig_message(void *context, const sw_message *message) {
    ((struct subject *)context)->message = message->m0 | (uint64_t)message->id << 32;
}

// Of what an export sends, a number that each value changes.
static void rig_exported(void *context, const sw_export *x) {
    uint64_t sum = x->target + 100 * (uint64_t)(x->row + 1) + ((uint64_t)x->done << 20);
    for (unsigned i = 0; i < 4; i++)
        for (uint64_t left = x->values[i] ? x->lanes : 0; left; left &= left - 1)
            sum = (sum ^ x->values[i][__builtin_ctzll(left)]) * 0x9e3779b97f4a7c15;
    ((struct subject *)context)->message = sum;
}

static inline struct subject *machine_open(const sw_processor *p, bool wave32, bool clears_halves,
                                           const char *level) {
    struct subject *m = calloc(1, sizeof *m);
    sw_device_options o = {.size = sizeof o,
                           .hooks = &(sw_device_hooks){.size = sizeof(sw_device_hooks),
                                                       .context = m,
                                                       .message = rig_message,
                                                       .exported = rig_exported},
                           .threads = 1,
                           .level = level,
                           .tier = SW_TIER_INTERPRETER,
                           .cache = ""};
    const char *name = sw_processor_name(p);
    if (sw_target_parse(name, strlen(name), &o.target, NULL) != SW_OK ||
        sw_device_create(&o, &m->device, NULL) != SW_OK)
        return free(m), NULL;
    m->p = p;
    m->isa = isa_of(p);
    m->wave32 = wave32;
    m->clears_halves = clears_halves;
    m->lanes = wave32 ? 32 : 64;
    m->vgprs = VECTORS;
    m->agprs = has(p, CAP_agprs) ? VECTORS : 0;
    m->m0 = m->isa->m0_register;
    const uint32_t stride = 4 * m->lanes, registers = m->vgprs + m->agprs + VECTOR_TUPLE;
    const size_t size = sizeof(struct wave) + (size_t)registers * stride;
    struct wave *w = m->w = aligned_alloc(64, (size + 63) & ~(size_t)63);
    memset(w, 0, size);
    m->area_bytes = WAVE_OFFSET(v) + (size_t)registers * stride;
    m->lds = calloc(1, LDS + LDS_GUARD);
    m->code = aligned_alloc(64, CODE_SIZE);
    uint8_t *pages = mmap(NULL, MEMORY + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    m->memory = pages + PAGE;
    mprotect(m->memory, MEMORY, PROT_READ | PROT_WRITE);
    m->memory_address = (uint64_t)(uintptr_t)m->memory;
    m->ranges[0] =
        (struct map_range){m->memory_address, m->memory_address + MEMORY, RIGHT_READ | RIGHT_WRITE};
    m->map.ranges = m->ranges;
    m->map.count = 1;
    m->worker.map = &m->map;
    m->worker.pool = &m->device->pool;
    for (int i = 0; i < RANGE_SLOTS; i++) m->worker.ranges[i] = (struct range){1, 0};
    pthread_mutex_init(&m->dispatch.fault_lock, NULL);
    m->executable.base = (uint64_t)(uintptr_t)m->code;
    m->request.executable = &m->executable;
    m->launch.code_object = m->executable.base;
    m->launch.dispatch = &m->request;
    m->launch.vgprs = m->vgprs, m->launch.agprs = m->agprs, m->launch.agpr_base = m->vgprs;
    m->dispatch.launch = &m->launch;
    m->dispatch.pool = &m->device->pool;
    m->group.dispatch = &m->dispatch;
    w->lanes = m->lanes;
    w->all_lanes = wave32 ? 0xffffffff : ~0ull;
    w->not_lanes = ~w->all_lanes;
    w->stride = stride;
    w->end = (uint32_t)m->area_bytes;
    static const uint32_t never;
    w->interrupt = &never;
    w->worker = &m->worker;
    w->ranges = m->worker.ranges;
    w->group = &m->group;
    w->barrier = &m->group.barrier;
    w->machine = m->device->pool.machine;
    w->lds = m->lds;
    w->scratch_size = SCRATCH_LANE;
    w->hwregs = m->device->pool.hwregs;
    w->code_base = (uint64_t)(uintptr_t)m->code;
    wave_fill_constants(w);
    w->shared_base = SW_SHARED_APERTURE, w->private_base = SW_PRIVATE_APERTURE;
    wave_set_mode(w, 0xf0 | 1 << 8 | 1 << 9);
    return m;
}

static inline struct code_facts machine_facts(const struct subject *m) {
    return (struct code_facts){.processor = m->p,
                               .isa = m->isa,
                               .wave32 = m->wave32,
                               .clears_halves = m->clears_halves,
                               .stride = 4 * m->lanes,
                               .vgprs = m->vgprs,
                               .agprs = m->agprs,
                               .agpr_base = m->vgprs,
                               .m0 = m->isa->m0_register,
                               .null = m->isa->null_register,
                               .bodies = m->device->bodies,
                               .steps = m->device->pool.steps};
}

// The words of an instruction without operands, by the id of its row.
static inline uint32_t word_of(const struct subject *m, const char *id) {
    for (unsigned r = 0; r < isa_row_count; r++) {
        if (strcmp(row_id(&isa_rows[r]), id) || m->isa->row_codings[r] == m->isa->row_codings[r + 1])
            continue;
        const struct coding *c = &m->isa->codings[m->isa->row_codings[r]];
        const struct insn in = {.row = &isa_rows[r], .format = m->isa->formats[c->format]};
        uint8_t bytes[INSN_MAX_BYTES] = {0};
        insn_encode(m->isa, &in, c->op, bytes);
        return *(uint32_t *)bytes;
    }
    return 0;
}

// Translates the instruction. NULL, or why it cannot run.
static inline const char *machine_load(struct subject *m, const struct insn *in, const uint8_t *bytes) {
    const uint32_t end = word_of(m, "s_endpgm"), sleep = word_of(m, "s_sleep");
    for (unsigned at = 0; at < CODE_SIZE; at += 4) memcpy(m->code + at, &sleep, 4);
    memcpy(m->code + CODE_AT, bytes, in->size);
    memcpy(m->code + CODE_AT + in->size, &end, 4);
    program_destroy(m->program);
    const struct code_facts facts = machine_facts(m);
    m->program = program_create(&facts, (uint64_t)(uintptr_t)m->code, CODE_SIZE);
    m->launch.program = m->program;
    if (!program_block(m->program, CODE_AT)) return "no memory";
    const struct op_block *b = &m->program->built.items[0];
    m->op_count = 0;
    for (size_t i = 0; i < b->count && b->ops[i].pc == CODE_AT; i++) {
        if (b->ops[i].body == control_fault) return b->ops[i].extra ? b->ops[i].extra : "it faults";
        if (m->op_count == sizeof m->ops / sizeof *m->ops - 2) return "too many ops";
        m->ops[m->op_count++] = b->ops[i];
        struct op *op = &m->ops[m->op_count - 1];
        if (op->body == m->device->pool.steps->go_to)
            op->fn = op->body = rig_next; // a block of more than one piece
        if (in->row->flags & ROW_BRANCH) op->target = &rig_target;
    }
    m->ops[m->op_count] = (struct op){.fn = rig_next, .body = rig_next};
    m->ops[m->op_count + 1] = m->ops[m->op_count]; // for steps that skip the next
    return NULL;
}

// ---- Images ----

static inline struct image *image_new(const struct subject *m) {
    struct image *x = calloc(1, sizeof *x);
    x->area = aligned_alloc(64, (m->area_bytes + 63) & ~(size_t)63);
    return x;
}
static inline void image_free(struct image *x) {
    free(x->area);
    free(x);
}
static inline void image_copy(const struct subject *m, struct image *to, const struct image *from) {
    uint32_t *area = to->area;
    *to = *from;
    to->area = area;
    memcpy(area, from->area, m->area_bytes);
}
static inline uint32_t *image_scalar(struct image *x, unsigned n) { return &x->area[n]; }
static inline uint32_t *image_vector(const struct subject *m, struct image *x, unsigned n) {
    return &x->area[WAVE_OFFSET(v) / 4 + n * m->lanes];
}
enum { AREA_SCC = WAVE_OFFSET(scc) / 4, AREA_SCRATCH = WAVE_OFFSET(scratch_base) / 4 };

// Puts the image into the machine, runs the instruction, and takes what is there then.
static inline void machine_run(struct subject *m, const struct image *before, struct image *after) {
    struct wave *w = m->w;
    memcpy(w->s, before->area, m->area_bytes);
    memcpy(m->memory, before->memory, MEMORY);
    memcpy(m->lds, before->lds, LDS + LDS_GUARD);
    wave_set_mode(w, before->mode);
    w->trap_status = before->trap_status;
    w->status = WAVE_RUNNING;
    w->pc = 0;
    w->resume = NULL;
    w->code_base = (uint64_t)(uintptr_t)m->code;
    w->lds_size = w->lds_limit = LDS;
    m->message = 0;
    w->budget = before->where; // a jump's: few are left, or many
    w->barrier_signalled = w->barrier_phase = 0;
    m->group.wave_count = 1, m->group.barrier = (struct barrier){.alive = 1};
    memset(&m->dispatch.fault, 0, sizeof m->dispatch.fault);
    for (int i = 0; i < 64; i++) m->device->pool.gws[i] = (struct gws){.counter = 1};
    const uint32_t saved = host_control();
    host_control_set(w->mxcsr);
    m->device->pool.steps->enter(w, m->ops);
    host_control_set(saved);
    memcpy(after->area, w->s, m->area_bytes);
    memcpy(after->memory, m->memory, MEMORY);
    memcpy(after->lds, m->lds, LDS + LDS_GUARD);
    after->mode = w->mode;
    after->trap_status = w->trap_status;
    after->where = m->message;
    const uint64_t here = w->code_base + CODE_AT;
    switch (w->status) {
    case WAVE_RUNNING: after->outcome = w->pc == 1 ? WENT_TO : WENT_ON; break;
    case WAVE_YIELDED: after->outcome = YIELDED; break;
    case WAVE_SLEEPING: // at its own place, or where a jump led
        after->outcome = w->pc >= here && w->pc <= here + 4 ? SLEEPS : WENT_TO;
        after->where = w->pc;
        break;
    case WAVE_AT_BARRIER: after->outcome = WAITS; break;
    case WAVE_ENDED: after->outcome = ENDED; break;
    default: after->outcome = FAULTED;
    }
}

#endif
