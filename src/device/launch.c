// SPDX-License-Identifier: MIT
// From a dispatch to a launch: what is common to the grid, computed once.
#include "exec/body/body.h"
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "exec/body/steps.h"
#include "jit/fused.h"
#include "jit/native.h"
#include "exec/host_control.h"

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
        l->whole[i] = q->grid[i] / q->block[i];
        groups *= l->groups[i];
        if (groups >> 48) return diag_fail(sink, SW_BAD_INPUT, NULL, "the grid has too many work-groups");
    }
    uint32_t lds = processor_lds(d->pool.options.target.processor);
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
    if ((d->pool.options.host_memory || device_may_read(d, l->dispatch->kernarg, last)) &&
        guard_read(&d->pool, l->preload, l->dispatch->kernarg + 4ull * k->kernarg_preload_offset,
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

// Descriptors count them in fours.
static uint8_t named_barriers(const struct launch *l, const sw_processor *p) {
    if (!fact(p, FACT_user_sgprs)) return NO_NAMED_BARRIERS;
    const uint32_t count = 4 * l->descriptor.named_barrier_count;
    return (uint8_t)(count < NAMED_BARRIERS ? count : NAMED_BARRIERS);
}

// A kernel dispatch packet (AQL), as a queue would hold it.
enum { AQL_KERNEL_DISPATCH = 2, AQL_BARRIER = 1 << 8 };
static void fill_packet(const struct launch *l) {
    const sw_dispatch *q = l->dispatch;
    uint64_t *packet = l->block->packet;
    uint16_t *h = (uint16_t *)packet;
    uint32_t *u = (uint32_t *)packet;
    memset(packet, 0, sizeof l->block->packet);
    h[0] = AQL_KERNEL_DISPATCH | AQL_BARRIER;
    h[1] = (uint16_t)(q->grid[2] > 1 ? 3 : q->grid[1] > 1 ? 2 : 1);
    for (int i = 0; i < 3; i++) h[2 + i] = (uint16_t)q->block[i], u[3 + i] = q->grid[i];
    u[6] = l->private_bytes;
    u[7] = l->lds_size;
    packet[4] = q->descriptor;
    packet[5] = q->kernarg;
    uint32_t *queue = (uint32_t *)l->block->queue; // amd_queue_t: apertures of GFX7-8
    queue[16] = (uint32_t)(SW_SHARED_APERTURE >> 32);
    queue[17] = (uint32_t)(SW_PRIVATE_APERTURE >> 32);
}

// ---- The block that pointers in SGPRs name: taken from those that launches before gave back ----

enum { BLOCKS_AT_ONCE = 16 };

static sw_status make_blocks(sw_device *d) {
    struct launch_block *b = device_reserve(d, BLOCKS_AT_ONCE * sizeof *b);
    if (!b) return SW_NO_MEMORY;
    pthread_mutex_lock(&d->pool.lock);
    const uint64_t at = (uint64_t)(uintptr_t)b;
    sw_status status = pool_set_rights(&d->pool, at, at + BLOCKS_AT_ONCE * sizeof *b, 0);
    for (int i = 0; status == SW_OK && i < BLOCKS_AT_ONCE; i++) {
        const uint64_t packet = (uint64_t)(uintptr_t)b[i].packet, queue = (uint64_t)(uintptr_t)b[i].queue;
        status = pool_set_rights(&d->pool, packet, packet + sizeof b->packet, SW_RIGHT_READ);
        if (status == SW_OK)
            status = pool_set_rights(&d->pool, queue, queue + sizeof b->queue, SW_RIGHT_READ);
        if (status == SW_OK && !array_push(&d->blocks, &b[i])) status = SW_NO_MEMORY;
    }
    pthread_mutex_unlock(&d->pool.lock);
    return status;
}

static struct launch_block *take_block(sw_device *d) {
    for (;;) {
        struct launch_block *b = NULL;
        pthread_mutex_lock(&d->pool.lock);
        if (d->blocks.count) b = d->blocks.items[--d->blocks.count];
        pthread_mutex_unlock(&d->pool.lock);
        if (b || make_blocks(d) != SW_OK) return b;
    }
}

void launch_release(struct launch *l, sw_device *d) {
    free(l->ids);
    l->ids = NULL;
    if (!l->block) return;
    pthread_mutex_lock(&d->pool.lock);
    array_push(&d->blocks, l->block); // there is room: it was taken from there
    pthread_mutex_unlock(&d->pool.lock);
    l->block = NULL;
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
    l->descriptor = SW_INIT(sw_kernel_descriptor);
    // Reserved bits that old compilers set are for `softwave obj` to report.
    if (sw_descriptor_decode(from, d->pool.options.target.processor, &l->descriptor, NULL) == SW_OK)
        return SW_OK;
    return diag_fail(sink, SW_BAD_INPUT, NULL, "the kernel descriptor at 0x%llx cannot be read",
                     (unsigned long long)q->descriptor);
}

// Whether all waves of a group begin with the same, but for their work-item ids: then they can run in a row.
static bool waves_begin_alike(const struct launch *l, const struct sw_device *d) {
    return d->pool.options.init == SW_INIT_ZERO && !l->scratch_bytes && l->info_sgpr == NO_SGPR;
}
// How the items of full waves of full groups lie in the first dimension.
static enum wave_rows rows_of(const struct launch *l, const struct sw_device *d) {
    const uint32_t *size = l->dispatch->block;
    const unsigned chunk = d->pool.tier_up.chunk;
    if (size[0] == l->lanes && size[1] == 1 && size[2] == 1) return ROWS_WAVE;
    if (!(size[0] % l->lanes) || (size[1] == 1 && size[2] == 1)) return ROWS_WAVES;
    if (chunk && size[0] == chunk) return ROWS_OF_CHUNKS;
    return chunk && !(size[0] % chunk) ? ROWS_CHUNKS : ROWS_NONE;
}

sw_status launch_prepare(struct launch *l, sw_device *d, const sw_dispatch *q, const sw_sink *sink) {
    const sw_processor *p = d->pool.options.target.processor;
    *l = (struct launch){.dispatch = q};
    if (q->unit_mask && q->unit_mask_words) {
        l->unit_words = q->unit_mask_words < 32 ? q->unit_mask_words : 32;
        memcpy(l->unit_mask, q->unit_mask, l->unit_words * sizeof *l->unit_mask);
        if (!place_units(&d->pool, l))
            return diag_fail(sink, SW_USAGE, NULL, "the mask of compute units leaves none of %u",
                             pool_compute_units(&d->pool));
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
    if (k->enable_exception_invalid || k->enable_exception_denormal || k->enable_exception_division_by_zero ||
        k->enable_exception_overflow || k->enable_exception_underflow || k->enable_exception_inexact ||
        k->enable_exception_int_division_by_zero)
        return diag_fail(sink, SW_UNSUPPORTED, NULL, "kernels that stop at arithmetic exceptions");
    if (k->enable_dynamic_vgpr)
        return diag_fail(sink, SW_UNSUPPORTED, NULL, "kernels that allocate their VGPRs as they run");
    find_registers(l, p);
    l->named_barriers = named_barriers(l, p);
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
    for (uint32_t i = 0; i < l->waves_per_group; i++) launch_ids(l, q->block, i, l->ids[i].lane);
    l->number = __atomic_add_fetch(&d->launches, 1, __ATOMIC_RELAXED);
    launch_find_sgprs(l);

    const struct isa *isa = d->pool.isa;
    struct code_facts facts = {.processor = p,
                               .isa = isa,
                               .wave32 = l->lanes == 32,
                               .clears_halves = d->pool.options.target.sramecc == SW_SETTING_ON,
                               .observed = d->pool.options.count || d->pool.hooks.observe || q->count ||
                                           q->observe || d->pool.weak,
                               .listened = q->atomic,
                               .weak = d->pool.weak,
                               .exact_only = d->pool.options.exact_only,
                               .stride = 4 * l->lanes,
                               .vgprs = l->vgprs,
                               .agprs = l->agprs,
                               .agpr_base = l->agpr_base,
                               .bodies = d->bodies,
                               .steps = d->pool.steps,
                               .alignment = d->pool.options.alignment};
    facts.m0 = isa->m0_register;
    facts.null = isa->null_register;
    l->program = executable_program(d, q->executable, &facts);
    l->code_object = q->executable->base;
    l->entry_address = q->descriptor + (uint64_t)k->kernel_code_entry_byte_offset;
    l->code_begin = l->entry_address;
    if (k->kernarg_preload_length) l->entry_address += 256; // INIT-20
    if (l->program && l->entry_address - l->program->base < l->program->size)
        l->entry = program_block(l->program, l->entry_address - l->program->base);
    if (l->entry && d->pool.tier_up.threshold && !facts.observed)
        l->hot = hot_kernel_of(l->program, l->entry, d->pool.tier_up.threshold);
    const enum wave_rows rows = rows_of(l, d);
    if (l->hot) __atomic_store_n(&l->hot->rows, rows, __ATOMIC_RELAXED);
    if (l->entry && d->native_at_once)
        native_at_once(l->program, d->pool.level, l->entry, d->fused_at_once ? &d->pool.tier_up : NULL, rows);
    if (l->entry && waves_begin_alike(l, d)) l->wave_loop = fused_wave_loop(l->program, l->entry, rows);
    if (l->entry) return SW_OK;
    return diag_fail(sink, SW_BAD_INPUT, NULL, "the kernel descriptor points to 0x%llx, outside the code",
                     (unsigned long long)l->entry_address);
}
