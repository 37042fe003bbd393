// SPDX-License-Identifier: MIT
// From a dispatch to running waves: what is common to the grid, computed once, and the initial state of
// each wave (INIT-01 to INIT-21).
#include "device/body/body.h"
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "device/body/steps.h"
#include "device/native/fused.h"
#include "device/native/native.h"
#include "device/wave/control.h"

// Scratch a work-item when the compiler could not tell how deep calls go (KD-18) and the caller did not say.
enum { DYNAMIC_STACK = 16384 };

static sw_status refuse(const sw_sink *sink, const char *what, uint64_t found, uint64_t limit) {
    return diag_fail(sink, SW_BAD_INPUT, NULL, "%s is %llu, the limit is %llu", what,
                     (unsigned long long)found, (unsigned long long)limit);
}

static sw_status check_sizes(struct launch *l, const sw_device *d, const sw_sink *sink) {
    const sw_dispatch *q = l->dispatch;
    uint64_t items = 1;
    for (int i = 0; i < 3; i++) {
        if (!q->grid[i] || !q->block[i])
            return diag_fail(sink, SW_BAD_INPUT, NULL, "grid and work-group sizes must not be 0");
        if (q->block[i] > 1024) return refuse(sink, "work-group size", q->block[i], 1024);
        items *= q->block[i];
    }
    if (items > 1024) return refuse(sink, "work-items in a work-group", items, 1024); // TRAP-403
    l->group_items = (uint32_t)items;
    uint64_t groups = 1;
    for (int i = 0; i < 3; i++) {
        l->groups[i] = (uint32_t)(((uint64_t)q->grid[i] + q->block[i] - 1) / q->block[i]);
        groups *= l->groups[i];
        if (groups >> 48) return diag_fail(sink, SW_BAD_INPUT, NULL, "the grid has too many work-groups");
    }
    uint32_t lds = processor_lds(d->options.target.processor);
    l->lds_size = q->group_segment_size > l->descriptor.group_segment_fixed_size
                      ? q->group_segment_size
                      : l->descriptor.group_segment_fixed_size;
    if (l->lds_size > lds) return refuse(sink, "LDS size in bytes", l->lds_size, lds);
    return SW_OK;
}

// The hardware reads preloaded arguments itself (INIT-19): they must be there.
static sw_status read_preload(struct launch *l, sw_device *d, const sw_sink *sink) {
    const sw_kernel_descriptor *k = &l->descriptor;
    if (!k->kernarg_preload_length) return SW_OK;
    const uint64_t bytes = 4ull * k->kernarg_preload_length;
    const uint64_t last =
        l->dispatch->kernarg + 4ull * (k->kernarg_preload_offset + k->kernarg_preload_length) - 1;
    if ((d->options.host_memory || device_may_read(d, l->dispatch->kernarg, last)) &&
        guard_read(d, l->preload, l->dispatch->kernarg + 4ull * k->kernarg_preload_offset,
                   bytes < sizeof l->preload ? bytes : sizeof l->preload))
        return SW_OK;
    return diag_fail(sink, SW_BAD_INPUT, NULL,
                     "the kernel preloads %u dwords at offset %u of its arguments, which end before that",
                     (unsigned)k->kernarg_preload_length, 4 * (unsigned)k->kernarg_preload_offset);
}

static void find_registers(struct launch *l, const sw_processor *p) {
    const sw_kernel_descriptor *k = &l->descriptor;
    l->vgprs = k->vgprs + k->shared_vgprs;
    if (has(p, CAP_unified_vgprs)) { // one file, AGPRs behind accum_offset (TRAP-400)
        l->agpr_base = k->first_agpr ? k->first_agpr : l->vgprs;
        l->agprs = l->vgprs > l->agpr_base ? l->vgprs - l->agpr_base : 0;
        if (l->agpr_base < l->vgprs) l->vgprs = l->agpr_base;
    } else {
        l->agpr_base = l->vgprs;
        l->agprs = has(p, CAP_agprs) ? l->vgprs : 0;
    }
}

static void fill_packet(const struct launch *l) {
    const sw_dispatch *q = l->dispatch;
    uint64_t *packet = l->block->packet;
    uint16_t *h = (uint16_t *)packet;
    uint32_t *u = (uint32_t *)packet;
    memset(packet, 0, sizeof l->block->packet);
    h[0] = 2 | 1 << 8; // kernel dispatch, barrier bit
    h[1] = (uint16_t)(q->grid[2] > 1 ? 3 : q->grid[1] > 1 ? 2 : 1);
    for (int i = 0; i < 3; i++) h[2 + i] = (uint16_t)q->block[i], u[3 + i] = q->grid[i];
    u[6] = l->private_bytes;
    u[7] = l->lds_size;
    packet[4] = q->descriptor;
    packet[5] = q->kernarg;
    uint32_t *queue = (uint32_t *)l->block->queue; // amd_queue_t: apertures of GFX7-8
    queue[16] = (uint32_t)(SHARED_APERTURE >> 32);
    queue[17] = (uint32_t)(PRIVATE_APERTURE >> 32);
}

// ---- The block that pointers in SGPRs name: taken from those that launches before gave back ----

enum { BLOCKS_AT_ONCE = 16 };

static sw_status make_blocks(sw_device *d) {
    struct launch_block *b = device_reserve(d, BLOCKS_AT_ONCE * sizeof *b);
    if (!b) return SW_NO_MEMORY;
    pthread_mutex_lock(&d->lock);
    const uint64_t at = (uint64_t)(uintptr_t)b;
    sw_status status = device_set_rights(d, at, at + BLOCKS_AT_ONCE * sizeof *b, 0);
    for (int i = 0; status == SW_OK && i < BLOCKS_AT_ONCE; i++) {
        const uint64_t packet = (uint64_t)(uintptr_t)b[i].packet, queue = (uint64_t)(uintptr_t)b[i].queue;
        status = device_set_rights(d, packet, packet + sizeof b->packet, SW_READ);
        if (status == SW_OK) status = device_set_rights(d, queue, queue + sizeof b->queue, SW_READ);
        if (status == SW_OK && !array_push(&d->blocks, &b[i])) status = SW_NO_MEMORY;
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

static struct launch_block *take_block(sw_device *d) {
    for (;;) {
        struct launch_block *b = NULL;
        pthread_mutex_lock(&d->lock);
        if (d->blocks.count) b = d->blocks.items[--d->blocks.count];
        pthread_mutex_unlock(&d->lock);
        if (b || make_blocks(d) != SW_OK) return b;
    }
}

void launch_release(struct launch *l, sw_device *d) {
    free(l->ids);
    l->ids = NULL;
    if (!l->block) return;
    pthread_mutex_lock(&d->lock);
    array_push(&d->blocks, l->block); // there is room: it was taken from there
    pthread_mutex_unlock(&d->lock);
    l->block = NULL;
}

// Work-item ids of a wave in a group of the given size, in the registers that the kernel asks for.
static uint64_t make_ids(const struct launch *l, const uint32_t size[3], uint32_t wave,
                         uint32_t ids[3][MAX_LANES]) {
    uint32_t items = size[0] * size[1] * size[2];
    uint64_t exec = 0;
    for (uint32_t lane = 0; lane < l->lanes; lane++) {
        uint32_t n = wave * l->lanes + lane;
        if (n < items) exec |= 1ull << lane;
        uint32_t x = n % size[0], y = n / size[0] % size[1], z = n / size[0] / size[1] % size[2];
        if (l->packed_ids) {
            unsigned dims = l->descriptor.enable_vgpr_workitem_id;
            ids[0][lane] = x | (dims > 0 ? y << 10 : 0) | (dims > 1 ? z << 20 : 0); // INIT-15
            continue;
        }
        const uint32_t of[3] = {x, y, z};
        for (unsigned i = 0; i < l->id_registers; i++) ids[i][lane] = of[i];
    }
    return exec;
}

// ---- What waves begin with ----

// Private segment buffer: swizzled by dword over the lanes of the wave (CALL-04).
static void put_scratch_descriptor(const struct launch *l, uint64_t scratch, uint32_t *s) {
    s[0] = (uint32_t)scratch;
    s[1] = (uint32_t)(scratch >> 32) | 1u << 31;
    s[2] = l->scratch_bytes * l->lanes;
    s[3] = (l->lanes == 64 ? 3u : 2u) << 21 | 1u << 23;
    if (l->element_sizes) s[3] |= 1u << 19;                                // of 4 bytes
    if (l->gfx10_scratch) s[3] |= 1u << 24 | 2u << 28 | 20u << 12 | 0xfac; // 32_FLOAT, raw bounds
}

static unsigned put64_sgpr(uint32_t *s, unsigned n, uint64_t v) {
    s[n] = (uint32_t)v;
    s[n + 1] = (uint32_t)(v >> 32);
    return n + 2;
}

// SGPRs of any wave, with places for what is its own.
static void find_sgprs(struct launch *l) {
    const sw_kernel_descriptor *k = &l->descriptor;
    const sw_dispatch *q = l->dispatch;
    uint32_t *s = l->sgprs;
    unsigned n = 0;
    l->buffer_sgpr = l->scratch_sgpr = l->info_sgpr = l->zero_sgpr = NO_SGPR;
    for (int i = 0; i < 3; i++) l->id_sgpr[i] = NO_SGPR;
    if (k->enable_sgpr_private_segment_buffer) l->buffer_sgpr = (uint8_t)n, n += 4;
    if (k->enable_sgpr_dispatch_ptr) n = put64_sgpr(s, n, l->packet);
    if (k->enable_sgpr_queue_ptr) n = put64_sgpr(s, n, l->queue);
    if (k->enable_sgpr_kernarg_segment_ptr) n = put64_sgpr(s, n, q->kernarg);
    if (k->enable_sgpr_dispatch_id) n = put64_sgpr(s, n, q->dispatch_id);
    // The wave offset below is 0, so that the prolog's sum is the wave's own scratch.
    if (k->enable_sgpr_flat_scratch_init) l->scratch_sgpr = (uint8_t)n, n += 2;
    if (k->enable_sgpr_private_segment_size) s[n++] = l->private_bytes;
    for (unsigned i = 0; i < k->kernarg_preload_length && n < 32; i++) s[n++] = l->preload[i]; // INIT-19
    l->sgpr_count = n;
    if (n < k->user_sgpr_count) n = k->user_sgpr_count;
    if (l->architected_ids) return;
    if (k->enable_sgpr_workgroup_id_x) l->id_sgpr[0] = (uint8_t)n++;
    if (k->enable_sgpr_workgroup_id_y) l->id_sgpr[1] = (uint8_t)n++;
    if (k->enable_sgpr_workgroup_id_z) l->id_sgpr[2] = (uint8_t)n++;
    if (k->enable_sgpr_workgroup_info) l->info_sgpr = (uint8_t)n++;
    if (k->enable_private_segment && !l->architected_scratch) l->zero_sgpr = (uint8_t)n;
}

static sw_status read_descriptor(struct launch *l, const struct sw_device *d, const sw_sink *sink) {
    const sw_dispatch *q = l->dispatch;
    const bool old = q->executable->has_kernel_code;
    const unsigned bytes = old ? SW_KERNEL_CODE_SIZE : SW_DESCRIPTOR_SIZE;
    if (q->descriptor & (63 | ALIAS_BIT) ||
        !device_may_read((sw_device *)(uintptr_t)d, q->descriptor, q->descriptor + bytes - 1))
        return diag_fail(sink, SW_BAD_INPUT, NULL, "no kernel descriptor at 0x%llx",
                         (unsigned long long)q->descriptor);
    uint8_t copy[SW_KERNEL_CODE_SIZE], translated[SW_DESCRIPTOR_SIZE]; // kernels may write where it stands
    const uint8_t *from = memcpy(copy, (const void *)(uintptr_t)q->descriptor, bytes);
    if (old) {
        const sw_status status = sw_kernel_code_descriptor(from, translated, sink);
        if (status != SW_OK) return status;
        from = translated;
    }
    // Reserved bits that old compilers set are for `softwave obj` to report.
    if (sw_descriptor_decode(from, d->options.target.processor, &l->descriptor, NULL) == SW_OK) return SW_OK;
    return diag_fail(sink, SW_BAD_INPUT, NULL, "the kernel descriptor at 0x%llx cannot be read",
                     (unsigned long long)q->descriptor);
}

// Whether all waves of a group begin with the same, but for their work-item ids: then they can run in a row.
static bool waves_begin_alike(const struct launch *l, const struct sw_device *d) {
    return d->options.init == SW_INIT_ZERO && !l->scratch_bytes && l->info_sgpr == NO_SGPR;
}
// Whether the items of every full wave of a full group follow each other in the first dimension, from a
// multiple of the wave size on.
static bool waves_are_rows(const struct launch *l) {
    const uint32_t *size = l->dispatch->block;
    return !(size[0] % l->lanes) || (size[1] == 1 && size[2] == 1);
}

sw_status launch_prepare(struct launch *l, sw_device *d, const sw_dispatch *q, const sw_sink *sink) {
    const sw_processor *p = d->options.target.processor;
    *l = (struct launch){.dispatch = q};
    if (q->unit_mask && q->unit_mask_words) {
        l->unit_words = q->unit_mask_words < 32 ? q->unit_mask_words : 32;
        memcpy(l->unit_mask, q->unit_mask, l->unit_words * sizeof *l->unit_mask);
        if (!place_units(d, l))
            return diag_fail(sink, SW_USAGE, NULL, "the mask of compute units leaves none of %u",
                             device_compute_units(d));
    }
    sw_status status = read_descriptor(l, d, sink);
    if (status != SW_OK) return status;
    l->lanes = l->descriptor.wavefront_size;
    if ((status = check_sizes(l, d, sink)) != SW_OK) return status;
    l->waves_per_group = (l->group_items + l->lanes - 1) / l->lanes;
    uint64_t scratch = q->private_segment_size > l->descriptor.private_segment_fixed_size
                           ? q->private_segment_size
                           : l->descriptor.private_segment_fixed_size;
    if (l->descriptor.uses_dynamic_stack && !q->private_segment_size) scratch += DYNAMIC_STACK;
    if (scratch > 1 << 22) return refuse(sink, "scratch size in bytes", scratch, 1 << 22);
    l->private_bytes = (uint32_t)align_up(scratch, 4);
    l->scratch_bytes = (uint32_t)align_up(scratch, 16);
    if ((status = read_preload(l, d, sink)) != SW_OK) return status;
    l->packed_ids = has(p, CAP_packed_workitem_ids);
    l->architected_ids = has(p, CAP_architected_workgroup_ids);
    l->architected_scratch = has(p, CAP_architected_flat_scratch);
    l->gfx10_scratch = fact(p, FACT_srd) >= SRD_GFX10;
    l->element_sizes = fact(p, FACT_srd) < SRD_GFX9;
    const sw_kernel_descriptor *k = &l->descriptor;
    l->mode = k->float_round_mode_32 | k->float_round_mode_16_64 << 2 | k->float_denorm_mode_32 << 4 |
              k->float_denorm_mode_16_64 << 6 | k->fp16_ovfl << 23;
    if (has(p, CAP_ieee_mode)) l->mode |= k->enable_dx10_clamp << 8 | k->enable_ieee_mode << 9;
    if (!host_has_mode(l->mode))
        return diag_fail(sink, SW_UNSUPPORTED, NULL, "the kernel descriptor's denormal modes (%u and %u): %s",
                         k->float_denorm_mode_32, k->float_denorm_mode_16_64, HOST_LACKS_MODE);
    find_registers(l, p);
    if (!(l->block = take_block(d))) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    fill_packet(l);
    l->packet = q->packet ? q->packet : (uint64_t)(uintptr_t)l->block->packet;
    l->queue = q->queue ? q->queue : (uint64_t)(uintptr_t)l->block->queue;
    if (!device_may_read(d, l->packet, l->packet + sizeof l->block->packet - 1))
        return diag_fail(sink, SW_BAD_INPUT, NULL, "no AQL packet that kernels may read at 0x%llx",
                         (unsigned long long)l->packet);

    l->id_registers = l->packed_ids ? 1 : l->descriptor.enable_vgpr_workitem_id + 1;
    if (l->id_registers > 3) l->id_registers = 3; // 3 in the descriptor means no more than 2 (KD-50)
    if (l->id_registers > l->vgprs) l->id_registers = l->vgprs;
    l->ids = aligned_alloc(_Alignof(struct wave_ids), l->waves_per_group * sizeof *l->ids);
    if (!l->ids) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    memset(l->ids, 0, l->waves_per_group * sizeof *l->ids);
    for (uint32_t i = 0; i < l->waves_per_group; i++) make_ids(l, q->block, i, l->ids[i].lane);
    l->number = __atomic_add_fetch(&d->launches, 1, __ATOMIC_RELAXED);
    find_sgprs(l);

    const struct isa *isa = d->isa;
    struct code_facts facts = {.processor = p,
                               .isa = isa,
                               .wave32 = l->lanes == 32,
                               .clears_halves = d->options.target.sramecc == SW_ON,
                               .observed = d->options.count || d->options.observe || q->count || q->observe,
                               .stride = 4 * l->lanes,
                               .vgprs = l->vgprs,
                               .agprs = l->agprs,
                               .agpr_base = l->agpr_base,
                               .bodies = d->bodies,
                               .steps = d->steps,
                               .alignment = d->options.alignment};
    facts.m0 = isa->m0_register;
    facts.null = isa->null_register;
    l->program = executable_program(d, q->executable, &facts);
    l->entry_address = q->descriptor + (uint64_t)k->kernel_code_entry_byte_offset;
    l->code_begin = l->entry_address;
    if (k->kernarg_preload_length) l->entry_address += 256; // INIT-20
    if (l->program && l->entry_address - l->program->base < l->program->size)
        l->entry = program_block(l->program, l->entry_address - l->program->base);
    if (l->entry && d->tier_up.threshold && !facts.observed)
        l->hot = hot_kernel_of(l->program, l->entry, d->tier_up.threshold);
    if (l->entry && d->native_at_once)
        native_at_once(l->program, d->level, l->entry, d->fused_at_once ? &d->tier_up : NULL);
    if (l->entry && waves_begin_alike(l, d))
        l->series = fused_series(l->program, l->entry, waves_are_rows(l));
    if (l->entry) return SW_OK;
    return diag_fail(sink, SW_BAD_INPUT, NULL, "the kernel descriptor points to 0x%llx, outside the code",
                     (unsigned long long)l->entry_address);
}

// ---- One wave ----

static void put_own_sgprs(const struct launch *l, const struct group *g, struct wave *w) {
    uint32_t *s = w->s;
    if (l->buffer_sgpr != NO_SGPR) put_scratch_descriptor(l, w->scratch_base, s + l->buffer_sgpr);
    if (l->scratch_sgpr != NO_SGPR) put64_sgpr(s, l->scratch_sgpr, w->scratch_base);
    if (l->architected_ids) {
        s[108 + 9] = g->id[0];
        s[108 + 7] = (g->id[1] & 0xffff) | g->id[2] << 16;
        s[108 + 8] = w->wave_in_group << 25 | 1u << 30;
        return;
    }
    for (int i = 0; i < 3; i++)
        if (l->id_sgpr[i] != NO_SGPR) s[l->id_sgpr[i]] = g->id[i];
    if (l->info_sgpr != NO_SGPR)
        s[l->info_sgpr] = (w->wave_in_group == 0 ? 1u << 31 : 0) | w->wave_in_group << 20 | g->wave_count;
    if (l->zero_sgpr != NO_SGPR) s[l->zero_sgpr] = 0;
}

static void init_registers(struct worker *worker, const struct launch *l, struct wave *w) {
    size_t bytes = (size_t)(l->agpr_base + l->agprs) * w->stride;
    switch (worker->device->options.init) {
    case SW_INIT_ZERO: return; // registers keep what the wave before left, which reads as any value
    case SW_INIT_PATTERN:
        memset(w->s, 0xd5, sizeof w->s);
        memset(w->v, 0xd5, bytes);
        break;
    case SW_INIT_RANDOM: {
        uint64_t x = worker->device->options.seed * 0x9e3779b97f4a7c15ull +
                     w->group->id[0] * 0x100000001b3ull + w->wave_in_group + 1;
        for (size_t i = 0; i < bytes / 4; i++)
            x = x * 6364136223846793005ull + 1442695040888963407ull, w->v[i] = (uint32_t)(x >> 32);
        for (size_t i = 0; i < 106; i++)
            x = x * 6364136223846793005ull + 1442695040888963407ull, w->s[i] = (uint32_t)(x >> 32);
        break;
    }
    }
}

// What stays the same for all groups of the launch that the context serves.
static void prepare_context(const struct launch *l, struct worker *worker, struct group *g) {
    for (uint32_t i = 0; i < l->waves_per_group; i++) {
        struct wave *w = g->waves[i];
        w->group = g;
        w->wave_in_group = i;
        w->worker = worker;
        w->ranges = worker->ranges;
        w->interrupt = &worker->interrupt;
        w->lds = g->lds;
        w->lds_size = w->lds_limit = l->lds_size;
        w->scratch_size = l->scratch_bytes;
        // A context may have scratch that the launch does not ask for.
        w->scratch_base = l->scratch_bytes ? (uint64_t)(uintptr_t)g->scratch + i * g->scratch_bytes : 0;
        w->status = WAVE_ENDED; // what runs in a series keeps that
    }
    g->prepared = l->number;
    g->image_of = 0;
}

static void begin_wave(const struct launch *l, struct group *g, struct wave *w, uint32_t number,
                       uint32_t (*ids)[MAX_LANES], const struct steps *steps, unsigned sgprs) {
    w->scc = 0;
    w->trap_status = 0;
    w->vcc = 0;
    if (UNLIKELY(w->mode != l->mode) || !w->mxcsr) wave_set_mode(w, l->mode); // as the wave before left it
    w->resume = l->entry;
    w->status = WAVE_RUNNING;
    w->barrier_signalled = 0;
    w->gws_kind = 0;
    w->pc = l->entry_address;
    w->code_base = l->program->base;
    const uint32_t left = g->items - number * l->lanes;
    w->exec = LIKELY(left >= l->lanes) ? w->all_lanes : (1ull << left) - 1;
    steps->begin(w, l->sgprs, sgprs, ids, l->id_registers);
    put_own_sgprs(l, g, w);
}

// SGPRs that nobody sets may have any value, so that whole vectors are copied.
static unsigned sgprs_at_once(const struct launch *l, const struct sw_device *d) {
    return d->options.init == SW_INIT_ZERO ? (l->sgpr_count + 15) & ~15u : l->sgpr_count;
}

void launch_waves(const struct launch *l, struct worker *worker, struct group *g, uint32_t first) {
    const struct sw_device *d = worker->device;
    const unsigned sgprs = sgprs_at_once(l, d);
    if (UNLIKELY(g->prepared != l->number)) prepare_context(l, worker, g);
    if (first < g->wave_count) g->image_of = 0;
    for (uint32_t i = first; i < g->wave_count; i++) {
        uint32_t partial[3][MAX_LANES], (*ids)[MAX_LANES] = l->ids[i].lane;
        if (UNLIKELY(g->partial)) { // the hardware numbers the work-items that exist
            make_ids(l, g->size, i, partial);
            ids = partial;
        }
        if (d->options.init != SW_INIT_ZERO) init_registers(worker, l, g->waves[i]);
        begin_wave(l, g, g->waves[i], i, ids, d->steps, sgprs);
    }
}

struct wave *launch_wave(const struct launch *l, struct worker *worker, struct group *g, uint32_t number) {
    const struct sw_device *d = worker->device;
    struct wave *w = g->waves[number];
    if (number + 1 == g->wave_count) g->image_of = 0;
    begin_wave(l, g, w, number, l->ids[number].lane, d->steps, sgprs_at_once(l, d));
    return w;
}

struct wave *launch_image(const struct launch *l, struct worker *worker, struct group *g) {
    if (UNLIKELY(g->prepared != l->number)) prepare_context(l, worker, g);
    struct wave *w = g->waves[g->wave_count - 1];
    if (g->image_of == l->number)
        put_own_sgprs(l, g, w);
    else {
        launch_wave(l, worker, g, g->wave_count - 1);
        w->status = WAVE_ENDED;
        g->image_of = l->number;
    }
    w->budget = group_quantum(worker);
    return w;
}
