// SPDX-License-Identifier: MIT
// Running dispatches: worker threads take work-groups in order and run them to the end.
//
// A worker runs its oldest group until all its waves have ended. Only when every wave has used up its
// quantum, sleeps or waits does it turn to its next group or start another, up to the number that the
// device reports as resident: that is the forward progress that spinning kernels rely on.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "base/diag.h"
#include "device/body.h"
#include "device/device.h"
#include "device/state.h"

enum { QUANTUM = 20000, MAX_RESIDENT = 256 };

// ---- Group contexts ----

static void fill_constants(struct wave *w) {
    static const uint32_t f32[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                   0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
    static const uint16_t f16[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
    static const uint64_t f64[] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                   0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                   0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882}; // TRAP-027
    for (int code = 128; code <= 208; code++) {
        int64_t v = code <= 192 ? code - 128 : 192 - code;
        w->constant32[code - 128] = w->constant16[code - 128] = w->constant_bf16[code - 128] = (uint32_t)v;
        w->constant64[code - 128] = (uint64_t)v;
    }
    for (int i = 0; i < 9; i++) {
        w->constant32[112 + i] = f32[i];
        w->constant16[112 + i] = f16[i];
        w->constant_bf16[112 + i] = f32[i] >> 16;
        w->constant64[112 + i] = f64[i];
    }
    w->shared_base = SHARED_APERTURE;
    w->private_base = PRIVATE_APERTURE;
    uint64_t apertures[4] = {SHARED_APERTURE, SHARED_APERTURE + 0xffffffff, PRIVATE_APERTURE,
                             PRIVATE_APERTURE + 0xffffffff}; // 235-238
    for (int i = 0; i < 4; i++)
        w->constant64[107 + i] = apertures[i], w->constant32[107 + i] = (uint32_t)apertures[i];
}

struct group *group_create(struct worker *worker, const struct launch *l) {
    uint64_t scratch = l->scratch_bytes ? align_up((uint64_t)l->scratch_bytes * l->lanes, 4096) : 0;
    for (struct group **at = &worker->idle; *at; at = &(*at)->next) {
        struct group *g = *at;
        if (g->wave_bytes != l->wave_bytes || g->wave_count < l->waves_per_group ||
            g->lds_capacity < l->lds_size || g->lanes != l->lanes || g->scratch_bytes < scratch)
            continue;
        *at = g->next;
        return g;
    }
    size_t lds = align_up(l->lds_size + 64, 4096), waves = (size_t)l->waves_per_group * l->wave_bytes;
    size_t total =
        align_up(sizeof(struct group) + l->waves_per_group * sizeof(struct wave *), 4096) + waves + lds;
    uint8_t *memory =
        mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    struct group *g = (struct group *)memory;
    *g = (struct group){.memory = memory,
                        .memory_bytes = total,
                        .wave_count = l->waves_per_group,
                        .lanes = l->lanes,
                        .lds_capacity = (uint32_t)lds - 64,
                        .wave_bytes = l->wave_bytes,
                        .scratch_bytes = scratch,
                        .waves = (struct wave **)(g + 1)};
    uint8_t *at = memory + align_up(sizeof(struct group) + l->waves_per_group * sizeof(struct wave *), 4096);
    for (uint32_t i = 0; i < l->waves_per_group; i++, at += l->wave_bytes) {
        struct wave *w = g->waves[i] = (struct wave *)at;
        w->lanes = l->lanes;
        w->stride = 4 * l->lanes;
        w->all_lanes = l->lanes == 64 ? ~0ull : 0xffffffffull;
        w->not_lanes = ~w->all_lanes;
        w->end = WAVE_OFFSET(v) + (l->agpr_base + l->agprs + VECTOR_TUPLE) * w->stride;
        w->hwregs = worker->device->hwregs;
        fill_constants(w);
    }
    g->lds = memory + total - lds;
    if (scratch) {
        g->scratch = sw_device_alloc(worker->device, scratch * l->waves_per_group);
        if (!g->scratch) {
            munmap(memory, total);
            return NULL;
        }
    }
    return g;
}

void group_free(struct worker *worker, struct group *g) {
    if (g->scratch) sw_device_free(worker->device, g->scratch);
    munmap(g->memory, g->memory_bytes);
}

// ---- Running ----

static void adopt_map(struct worker *k) {
    sw_device *d = k->device;
    uint64_t version = __atomic_load_n(&d->map_version, __ATOMIC_ACQUIRE);
    if (k->map && version == k->map_version) return;
    pthread_mutex_lock(&d->lock);
    k->map = d->map;
    k->map_version = d->map_version;
    for (int i = 0; i < RANGE_SLOTS; i++) k->ranges[i] = (struct range){1, 0};
    pthread_cond_broadcast(&d->done);
    pthread_mutex_unlock(&d->lock);
}

static void start_group(struct worker *k, struct group *g, struct dispatch *q, uint64_t number) {
    const struct launch *l = q->launch;
    g->dispatch = q;
    g->id[0] = (uint32_t)(number % l->groups[0]);
    g->id[1] = (uint32_t)(number / l->groups[0] % l->groups[1]);
    g->id[2] = (uint32_t)(number / l->groups[0] / l->groups[1]);
    uint64_t items = 1;
    for (int i = 0; i < 3; i++) {
        uint32_t left = l->dispatch->grid[i] - g->id[i] * l->dispatch->block[i];
        items *= left < l->dispatch->block[i] ? left : l->dispatch->block[i];
    }
    g->wave_count = (uint32_t)((items + l->lanes - 1) / l->lanes);
    g->alive = g->wave_count;
    g->arrived = g->phase = 0;
    if (k->device->options.init != SW_INIT_ZERO && l->lds_size) memset(g->lds, 0xd5, l->lds_size);
    for (uint32_t i = 0; i < g->wave_count; i++) launch_wave(l, k, g, g->waves[i], i);
}

static void run_wave(struct wave *w) {
    const struct op *op = w->pc == w->group->dispatch->launch->entry_address
                              ? w->group->dispatch->launch->entry
                              : device_block(w, w->pc);
    w->status = WAVE_RUNNING;
    w->budget = QUANTUM;
    wave_mode_changed(w);
    if (!op)
        wave_fault(w, NULL, FAULT_JUMP, -1, w->pc);
    else {
#if TAIL_DISPATCH
        op->fn(w, op);
#else
        while (op) op = op->fn(w, op);
#endif
    }
}

enum progress { GROUP_ENDED, GROUP_WAITS, GROUP_DEADLOCKED };

// Runs every wave of the group until all have ended or none can do more than burn its quantum.
static enum progress run_group(struct worker *k, struct group *g) {
    while (g->alive && !dispatch_stopped(g->dispatch)) {
        bool moved = false, may_wait = false;
        for (uint32_t i = 0; i < g->wave_count && !dispatch_stopped(g->dispatch); i++) {
            struct wave *w = g->waves[i];
            if (w->status == WAVE_ENDED) continue;
            if (w->status == WAVE_AT_BARRIER && w->barrier_phase == g->phase && w->barrier_signalled)
                continue;
            run_wave(w);
            if (w->status == WAVE_ENDED) {
                moved = true;
                g->alive--;
                if (g->alive && g->arrived >= g->alive) g->arrived = 0, g->phase++; // TRAP-383
            } else if (w->status == WAVE_AT_BARRIER)
                moved = true;
            else
                may_wait = true;
            adopt_map(k);
        }
        if (moved) continue;
        return may_wait ? GROUP_WAITS : GROUP_DEADLOCKED;
    }
    return GROUP_ENDED;
}

static bool take_group(struct dispatch *q, uint64_t *number) {
    if (dispatch_stopped(q)) return false;
    uint64_t n = __atomic_load_n(&q->group_next, __ATOMIC_RELAXED);
    while (n < q->group_total)
        if (__atomic_compare_exchange_n(&q->group_next, &n, n + 1, true, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED)) {
            *number = n;
            return true;
        }
    return false;
}

static void out_of_memory(struct dispatch *q) {
    pthread_mutex_lock(&q->fault_lock);
    if (!q->fault.kind)
        q->fault = (sw_fault){
            .size = sizeof q->fault, .kind = SW_FAULT_STOPPED, .lane = -1, .reason = "out of memory"};
    dispatch_stop(q);
    pthread_mutex_unlock(&q->fault_lock);
}

static void deadlock(struct group *g) { wave_fault(g->waves[0], NULL, FAULT_DEADLOCK, -1, 0); }

// Runs groups of one dispatch until none is left to start and all that this worker holds have ended.
static void run_dispatch(struct worker *k, struct dispatch *q, unsigned resident) {
    struct group *held[MAX_RESIDENT];
    unsigned count = 0;
    uint64_t number, finished = 0;
    for (;;) {
        bool ended = false;
        unsigned i = 0;
        for (; i < count && !dispatch_stopped(q); i++) {
            enum progress p = run_group(k, held[i]);
            if (p == GROUP_DEADLOCKED) deadlock(held[i]);
            ended = p == GROUP_ENDED;
            if (ended) break;
        }
        if (dispatch_stopped(q)) break;
        struct group *g = NULL;
        if (ended) {
            finished++;
            g = held[i];
            memmove(&held[i], &held[i + 1], (count - i - 1) * sizeof *held);
            count--;
            if (count) { // older groups first; the context waits in the idle list
                g->next = k->idle;
                k->idle = g;
                continue;
            }
        } else if (count >= resident)
            continue;
        if (!take_group(q, &number)) {
            if (g) g->next = k->idle, k->idle = g;
            if (!count) break;
            continue;
        }
        if (!g && !(g = group_create(k, q->launch))) {
            out_of_memory(q);
            break;
        }
        adopt_map(k);
        start_group(k, g, q, number);
        held[count++] = g;
    }
    for (unsigned i = 0; i < count; i++) held[i]->next = k->idle, k->idle = held[i];
    __atomic_add_fetch(&q->group_done, finished, __ATOMIC_RELAXED);
}

static unsigned resident_per_worker(const sw_device *d, const struct launch *l) {
    const sw_processor *p = d->options.target.processor;
    unsigned waves = p->waves_per_simd * p->simds_per_cu;
    unsigned groups = waves / l->waves_per_group;
    if (l->lds_size && p->lds_bytes / l->lds_size < groups) groups = p->lds_bytes / l->lds_size;
    uint64_t total = (uint64_t)(groups ? groups : 1) * p->compute_units / d->thread_count;
    return total < 1 ? 1 : total > MAX_RESIDENT ? MAX_RESIDENT : (unsigned)total;
}

void *worker_main(void *argument) {
    struct worker *k = argument;
    sw_device *d = k->device;
    pthread_mutex_lock(&d->lock);
    for (;;) {
        struct dispatch *q = d->dispatches;
        while (q && (dispatch_stopped(q) || dispatch_next(q) >= q->group_total)) q = q->next;
        if (!q) {
            if (d->quit) break;
            pthread_cond_wait(&d->work, &d->lock);
            continue;
        }
        q->workers_in++;
        k->busy = true;
        pthread_mutex_unlock(&d->lock);
        adopt_map(k);
#if defined(__SSE2__)
        unsigned control = _mm_getcsr();
#endif
        run_dispatch(k, q, resident_per_worker(d, q->launch));
#if defined(__SSE2__)
        _mm_setcsr(control);
#endif
        pthread_mutex_lock(&d->lock);
        for (int i = 0; i < SW_CLASSES; i++) q->counts.instructions[i] += k->counts[i], k->counts[i] = 0;
        k->busy = false;
        q->workers_in--;
        pthread_cond_broadcast(&d->done);
    }
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

// A kind of fault has the same number inside as in the interface; bodies do not include the latter.
#define SAME(kind) _Static_assert((int)FAULT_##kind == (int)SW_FAULT_##kind, #kind)
SAME(NONE);
SAME(READ);
SAME(WRITE);
SAME(ATOMIC);
SAME(ALIGNMENT);
SAME(JUMP);
SAME(ILLEGAL);
SAME(UNSUPPORTED);
SAME(TRAP);
SAME(TIMEOUT);
SAME(DEADLOCK);
SAME(STOPPED);
#undef SAME

const struct op *wave_fault(struct wave *w, const struct op *op, enum fault_kind kind, int lane,
                            uint64_t address) {
    return wave_fault_because(w, op, kind, lane, address, NULL);
}

const struct op *wave_fault_because(struct wave *w, const struct op *op, enum fault_kind kind, int lane,
                                    uint64_t address, const char *reason) {
    struct dispatch *q = w->group->dispatch;
    pthread_mutex_lock(&q->fault_lock);
    if (!q->fault.kind) {
        uint64_t pc = op ? w->code_base + op->pc : w->pc;
        q->fault = (sw_fault){.size = sizeof q->fault,
                              .kind = (sw_fault_kind)kind,
                              .pc = pc,
                              .wave = w->wave_in_group,
                              .lane = lane,
                              .address = address,
                              .code_offset = pc - q->launch->dispatch->executable->base,
                              .reason = reason};
        memcpy(q->fault.group, w->group->id, sizeof w->group->id);
    }
    dispatch_stop(q);
    pthread_mutex_unlock(&q->fault_lock);
    w->status = WAVE_FAULTED;
    return NULL;
}

// ---- Submission ----

double device_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_until_done(sw_device *d, struct dispatch *q, double timeout) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    double whole = timeout < 1e9 ? timeout : 1e9;
    until.tv_sec += (time_t)whole;
    until.tv_nsec += (long)((whole - (double)(time_t)whole) * 1e9);
    if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
    while (q->workers_in || (!dispatch_stopped(q) && dispatch_next(q) < q->group_total)) {
        if (timeout <= 0 || dispatch_stopped(q))
            pthread_cond_wait(&d->done, &d->lock);
        else if (pthread_cond_timedwait(&d->done, &d->lock, &until) == ETIMEDOUT) {
            pthread_mutex_lock(&q->fault_lock);
            if (!q->fault.kind)
                q->fault = (sw_fault){.size = sizeof q->fault, .kind = SW_FAULT_TIMEOUT, .lane = -1};
            dispatch_stop(q);
            pthread_mutex_unlock(&q->fault_lock);
        }
    }
}

static void submit(sw_device *d, struct dispatch *q, double timeout) {
    pthread_mutex_lock(&d->lock);
    struct dispatch **at = &d->dispatches;
    while (*at) at = &(*at)->next;
    *at = q;
    pthread_cond_broadcast(&d->work);
    wait_until_done(d, q, timeout);
    for (at = &d->dispatches; *at != q; at = &(*at)->next) {}
    *at = q->next;
    pthread_mutex_unlock(&d->lock);
}

sw_status sw_device_run(sw_device *d, const sw_dispatch *dispatch, sw_fault *fault, sw_counts *counts,
                        const sw_sink *sink) {
    struct launch *l = calloc(1, sizeof *l);
    if (!l) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    sw_status status = launch_prepare(l, d, dispatch, sink);
    struct dispatch q = {
        .device = d, .launch = l, .start = state_now(), .fault_lock = PTHREAD_MUTEX_INITIALIZER};
    if (status == SW_OK) {
        uint64_t packet = (uint64_t)(uintptr_t)l; // the packet and queue that pointers in SGPRs name
        pthread_mutex_lock(&d->lock);
        status = device_set_rights(d, packet, packet + sizeof *l, SW_READ);
        pthread_mutex_unlock(&d->lock);
        q.group_total = (uint64_t)l->groups[0] * l->groups[1] * l->groups[2];
        double start = device_now();
        printf_begin(d, dispatch->executable);
        if (status == SW_OK) submit(d, &q, dispatch->timeout);
        const sw_status printed =
            printf_end(d, dispatch, dispatch->timeout > 0 ? start + dispatch->timeout : 0, &q.fault, sink);
        if (status == SW_OK) status = printed;
        q.counts.seconds = device_now() - start;
        q.counts.groups = q.group_done;
        sw_device_map(d, l, sizeof *l, 0);
        if (q.fault.kind) status = SW_FAULT;
    }
    if (q.fault.kind == SW_FAULT_UNSUPPORTED) status = SW_UNSUPPORTED;
    q.counts.waves = q.counts.groups * l->waves_per_group;
    if (fault) *fault = q.fault;
    if (counts) *counts = q.counts;
    pthread_mutex_destroy(&q.fault_lock);
    free(l->ids);
    free(l);
    return status;
}
