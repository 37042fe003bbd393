// SPDX-License-Identifier: MIT
// The interface's calls for copies, and for the times of copies and dispatches.
#include "hsa/queue/queue.h"
#include "hsa/tell/log.h"

static void log_copy(const struct copy *c, uint32_t count, handle_t completion) {
    const unsigned kind = c->rect || c->to_agent == c->from_agent ? LOG_BLIT : LOG_ENGINE;
    if (!c->bytes || !logs(kind)) return;
    log_print("%s of %llu bytes from %p to %p, %u dependencies, completion signal 0x%llx",
              kind == LOG_BLIT ? "copy" : "copy between agents", (unsigned long long)copy_total_bytes(c),
              (const void *)c->from, (void *)c->to, count, (unsigned long long)completion);
}
// Looks up the signals that a call names, then submits. `needs_signal`: the completion may not be 0.
static status begin_call(struct copy *c, uint32_t count, const handle_t *handles, handle_t completion,
                         bool needs_signal) {
    struct signal_list deps;
    NEED(handles || !count, ST_INVALID_ARGUMENT);
    NEED(!copy_missing_range(c), ST_INVALID_ALLOCATION);
    c->completion = signal_of(completion);
    NEED(c->completion || (!completion && !needs_signal), ST_INVALID_SIGNAL);
    status st = signals_take(&deps, count, handles);
    NEED(st == ST_SUCCESS, st);
    for (uint32_t i = 0; i < count && st == ST_SUCCESS; i++)
        if (!deps.items[i]) st = ST_INVALID_SIGNAL;
    if (st == ST_SUCCESS) log_copy(c, count, completion);
    if (st == ST_SUCCESS && (c->bytes || !needs_signal))
        st = copy_submit(c, &deps); // of no bytes: the signal is left alone
    signals_let_go(&deps);
    return st;
}

HSA(status, hsa_amd_memory_async_copy, void *to, handle_t to_agent, const void *from, handle_t from_agent,
    size_t size, uint32_t count, const handle_t *deps, handle_t completion) {
    NEED_RUNTIME;
    NEED(to && from, ST_INVALID_ARGUMENT);
    NEED(agent_of(to_agent) && agent_of(from_agent), ST_INVALID_AGENT);
    struct copy c = {.to = host_pointer(to),
                     .from = host_pointer(from),
                     .bytes = size,
                     .to_agent = to_agent,
                     .from_agent = from_agent};
    return begin_call(&c, count, deps, completion, true);
}

HSA(status, hsa_amd_memory_async_copy_on_engine, void *to, handle_t to_agent, const void *from,
    handle_t from_agent, size_t size, uint32_t count, const handle_t *deps, handle_t completion,
    uint32_t engine, bool force) {
    (void)force;
    NEED_RUNTIME;
    NEED(engine && !(engine & (engine - 1)), ST_INVALID_ARGUMENT);
    NEED(engine <= 2, ST_OUT_OF_RESOURCES); // as many engines as the agent says
    return hsa_amd_memory_async_copy(to, to_agent, from, from_agent, size, count, deps, completion);
}
HSA(status, hsa_amd_memory_copy_engine_status, handle_t to, handle_t from, uint32_t *mask) {
    NEED_RUNTIME;
    NEED(agent_of(to) && agent_of(from), ST_INVALID_AGENT);
    NEED(mask, ST_INVALID_ARGUMENT);
    *mask = 3;
    return ST_SUCCESS;
}
// No engine is better than another: 0, and clients take one of those that the status call names.
HSA(status, hsa_amd_memory_get_preferred_copy_engine, handle_t to, handle_t from, uint32_t *mask) {
    NEED_RUNTIME;
    NEED(agent_of(to) && agent_of(from), ST_INVALID_AGENT);
    NEED(mask, ST_INVALID_ARGUMENT);
    *mask = 0;
    return ST_SUCCESS;
}

// a + b * c; false: more than 64 bits.
static bool add_product(uint64_t *a, uint64_t b, uint64_t c) {
    return !__builtin_mul_overflow(b, c, &c) && !__builtin_add_overflow(*a, c, a);
}
// NULL: the box does not lie in 64 bits of address.
static void *begin_of_box(const struct pitched *p, const struct dim3 *offset, const struct dim3 *range) {
    uint64_t at = handle_of(host_pointer(p->base));
    if (!add_product(&at, offset->x, 1) || !add_product(&at, offset->y, p->pitch) ||
        !add_product(&at, offset->z, p->slice))
        return NULL;
    uint64_t end = at;
    const bool fits = add_product(&end, range->x, 1) && add_product(&end, range->y - 1, p->pitch) &&
                      add_product(&end, range->z - 1, p->slice);
    return fits ? (void *)(uintptr_t)at : NULL;
}

HSA(status, hsa_amd_memory_async_copy_rect, const struct pitched *to, const struct dim3 *to_offset,
    const struct pitched *from, const struct dim3 *from_offset, const struct dim3 *range, handle_t agent,
    int direction, uint32_t count, const handle_t *deps, handle_t completion) {
    NEED_RUNTIME;
    (void)direction;
    NEED(to && from && to_offset && from_offset && range && to->base && from->base, ST_INVALID_ARGUMENT);
    NEED(agent_gpu(agent), ST_INVALID_AGENT);
    struct copy c = {.rect = true, .bytes = range->x, .range = *range};
    if (!range->y || !range->z) c.bytes = 0;
    if (c.bytes) {
        NEED(range->y == 1 || (to->pitch && from->pitch), ST_INVALID_ARGUMENT);
        NEED(range->z == 1 || (to->slice && from->slice), ST_INVALID_ARGUMENT);
        c.to = begin_of_box(to, to_offset, range);
        c.from = begin_of_box(from, from_offset, range);
        NEED(c.to && c.from, ST_INVALID_ALLOCATION);
    }
    c.to_pitch = to->pitch, c.to_slice = to->slice;
    c.from_pitch = from->pitch, c.from_slice = from->slice;
    return begin_call(&c, count, deps, completion, true);
}

// Memory has one place: what is left of a prefetch is its order, its signal and the attribute.
HSA(status, hsa_amd_svm_prefetch_async, void *p, size_t size, handle_t agent, uint32_t count,
    const handle_t *deps, handle_t completion) {
    NEED_RUNTIME;
    NEED(p && size, ST_INVALID_ARGUMENT);
    NEED(agent_of(agent), ST_INVALID_AGENT);
    struct copy c = {0};
    const status st = begin_call(&c, count, deps, completion, false);
    NEED(st == ST_SUCCESS, st);
    svm_prefer(handle_of(p), handle_of(p) + size, agent);
    return ST_SUCCESS;
}

// ---- Times ----

HSA(status, hsa_amd_profiling_async_copy_enable, bool enable) {
    NEED_RUNTIME;
    (void)enable; // times are kept always
    return ST_SUCCESS;
}
static status times_of(handle_t handle, struct times *out) {
    NEED(out, ST_INVALID_ARGUMENT);
    const struct signal *s = signal_of(handle);
    NEED(s && !signal_is_doorbell(s), ST_INVALID_SIGNAL);
    *out = slot_times(signal_index(s));
    return ST_SUCCESS;
}
HSA(status, hsa_amd_profiling_get_dispatch_time, handle_t agent, handle_t signal, struct times *out) {
    NEED_RUNTIME;
    NEED(agent_gpu(agent), ST_INVALID_AGENT);
    return times_of(signal, out);
}
HSA(status, hsa_amd_profiling_get_async_copy_time, handle_t signal, struct times *out) {
    NEED_RUNTIME;
    return times_of(signal, out);
}
HSA(status, hsa_amd_profiling_convert_tick_to_system_domain, handle_t agent, uint64_t tick, uint64_t *out) {
    NEED_RUNTIME;
    NEED(agent_gpu(agent), ST_INVALID_AGENT);
    NEED(out, ST_INVALID_ARGUMENT);
    *out = tick; // one clock for all
    return ST_SUCCESS;
}
