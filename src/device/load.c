// SPDX-License-Identifier: MIT
// Code objects onto a device, and the programs decoded from them.
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "device/device.h"
#include "exec/body/flags.h"
#include "jit/native.h"

static sw_status check_target(const sw_device *d, const sw_object *object, const sw_sink *sink) {
    const sw_target *code = sw_object_target(object);
    unsigned generic = sw_object_header(object)->generic_version;
    if (code && sw_target_compatible(code, generic, &d->pool.options.target)) return SW_OK;
    char have[SW_TARGET_TEXT] = "an unknown target", want[SW_TARGET_TEXT];
    if (code) sw_target_format(code, have);
    sw_target_format(&d->pool.options.target, want);
    return diag_fail(sink, SW_BAD_INPUT, NULL, "the code object is for %s and cannot be loaded on %s", have,
                     want);
}

static sw_status load(sw_device *d, const sw_object *object, sw_resolve resolve, void *context,
                      sw_executable **out, const sw_sink *sink) {
    sw_status status = check_target(d, object, sink);
    if (status != SW_OK) return status;
    const sw_layout *layout = sw_object_layout(object);
    uint64_t size = layout->size ? layout->size : 1,
             alignment = layout->alignment > 256 ? layout->alignment : 256;
    if (size > 1ull << 32 || alignment > 1 << 24)
        return diag_fail(sink, SW_BAD_INPUT, NULL, "the code object would take %llu bytes of memory",
                         (unsigned long long)size);
    sw_executable *e = calloc(1, sizeof *e);
    uint8_t *memory = e ? device_reserve(d, size + alignment) : NULL;
    if (!memory) {
        free(e);
        return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    }
    e->memory = memory;
    e->base = align_up((uint64_t)(uintptr_t)memory, alignment);
    e->size = size;
    e->has_kernel_code = sw_object_header(object)->code_object_version == 2;
    const sw_load_options options = {.size = sizeof options,
                                     .memory = (void *)(uintptr_t)e->base,
                                     .length = size,
                                     .address = e->base,
                                     .resolve = resolve,
                                     .context = context,
                                     .zeroed = true};
    status = sw_object_load(object, &options, sink);
    if (status == SW_OK) status = printf_create(d, object, e, sink);
    pthread_mutex_lock(&d->pool.lock);
    if (status == SW_OK)
        status = pool_set_rights(&d->pool, (uint64_t)(uintptr_t)memory,
                                 (uint64_t)(uintptr_t)memory + size + alignment, 0);
    uint64_t lo = UINT64_MAX, hi = 0;
    for (size_t i = 0; status == SW_OK && i < layout->range_count; i++) {
        const sw_image_range *r = &layout->ranges[i];
        if (!in_range(r->offset, r->size, size)) continue;
        unsigned rights = (r->readable ? SW_RIGHT_READ : 0u) | (r->writable ? SW_RIGHT_WRITE : 0u) |
                          (r->executable ? SW_RIGHT_EXECUTE | SW_RIGHT_READ : 0u) | SW_RIGHT_STAYS;
        status = pool_set_rights(&d->pool, e->base + r->offset, e->base + r->offset + r->size, rights);
        if (!r->executable) continue;
        if (r->offset < lo) lo = r->offset;
        if (r->offset + r->size > hi) hi = r->offset + r->size;
    }
    if (status == SW_OK && hi > lo) e->code.offset = lo, e->code.size = hi - lo;
    if (status == SW_OK) {
        e->next = d->executables;
        d->executables = e;
    }
    pthread_mutex_unlock(&d->pool.lock);
    if (status != SW_OK) {
        executable_free(d, e);
        return status;
    }
    *out = e;
    return SW_OK;
}

sw_status sw_device_load(sw_device *d, const sw_object *object, sw_resolve resolve, void *context,
                         sw_executable **out, const sw_sink *sink) {
    *out = NULL;
    if (!device_enter(d)) return diag_fail(sink, SW_USAGE, NULL, "the device is being destroyed");
    const sw_status status = load(d, object, resolve, context, out, sink);
    device_leave(d);
    return status;
}

static sw_executable **find_executable(sw_device *d, const sw_executable *e) {
    sw_executable **at = &d->executables;
    while (*at && *at != e) at = &(*at)->next;
    return at;
}

static void free_programs(struct program **list) {
    for (struct program *p = *list, *next; p; p = next) {
        next = p->next;
        native_release(p);
        program_destroy(p);
    }
    *list = NULL;
}

void executable_free(sw_device *d, sw_executable *e) {
    free_programs(&e->programs);
    free_programs(&e->stale);
    printf_free(d, e);
    if (e->memory) device_release(d, e->memory);
    free(e);
}

// ---- Memory as code ----

sw_executable *code_create(uint64_t base, uint64_t size) {
    sw_executable *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->base = base;
    e->size = e->code.size = size;
    return e;
}

void code_remove(sw_device *d, sw_executable *e) {
    sw_executable **at = find_executable(d, e);
    if (*at) *at = e->next;
}

// Native code may rely on memory that stays: it is entered no more. Launches from now on have programs of
// their own, the waves of others go on in the interpreter when they have passed a safe point. Called with the
// lock held.
static void retire_unguarded(struct program *p) {
    if (!p->guarded) native_retire(p);
}
static void code_guard(sw_device *d) {
    for (sw_executable *e = d->executables; e; e = e->next) {
        for (struct program *p = e->programs; p; p = p->next) retire_unguarded(p);
        for (struct program *p = e->stale; p; p = p->next) retire_unguarded(p);
    }
}

sw_status sw_device_guard_memory(sw_device *d) {
    bool is_new = false;
    if (!device_enter(d)) return SW_USAGE;
    const bool joined = guard_join(&d->pool, &is_new);
    if (joined && is_new) { // waves that run were entered without
        pthread_mutex_lock(&d->pool.lock);
        code_guard(d);
        rights_settle(&d->pool);
        pthread_mutex_unlock(&d->pool.lock);
    }
    device_leave(d);
    return joined ? SW_OK : SW_NO_MEMORY;
}

// Decoded code of executables that run goes when the next change finds them at rest, or when they do.
sw_status sw_device_code_changed(sw_device *d, uint64_t address, uint64_t size) {
    if (size > UINT64_MAX - address || !device_enter(d)) return SW_USAGE;
    pthread_mutex_lock(&d->pool.lock);
    for (sw_executable *e = d->executables; e; e = e->next) {
        const uint64_t lo = e->base + e->code.offset;
        if (lo >= address + size || address >= lo + e->code.size) continue;
        struct program **last = &e->stale;
        while (*last) last = &(*last)->next;
        *last = e->programs;
        e->programs = NULL;
    }
    rights_settle(&d->pool); // nobody is inside but dispatches of the executable itself
    for (sw_executable *e = d->executables; e; e = e->next)
        if (!e->users) free_programs(&e->stale);
    pthread_mutex_unlock(&d->pool.lock);
    device_leave(d);
    return SW_OK;
}

// ---- Use and end ----

sw_status executable_use(sw_device *d, sw_executable *e, const sw_sink *sink) {
    pthread_mutex_lock(&d->pool.lock);
    const bool loaded = *find_executable(d, e) != NULL;
    if (loaded) e->users++;
    pthread_mutex_unlock(&d->pool.lock);
    return loaded ? SW_OK : diag_fail(sink, SW_USAGE, NULL, "the executable is not loaded on this device");
}

void executable_unuse(sw_device *d, sw_executable *e) {
    pthread_mutex_lock(&d->pool.lock);
    e->users--;
    pthread_mutex_unlock(&d->pool.lock);
}

// Kernels of other executables may be in it: once it is in the list no more, they find no way in, and those
// inside have left it at the next safe point, where a wave knows no more than the address at which it goes
// on.
static sw_status take_out(sw_device *d, sw_executable *e, const sw_sink *sink) {
    sw_executable **at = find_executable(d, e);
    if (!*at) return diag_fail(sink, SW_USAGE, NULL, "the executable is not loaded on this device");
    if (e->users)
        return diag_fail(sink, SW_USAGE, NULL,
                         "the executable is in use: %u dispatches of its kernels are not finished", e->users);
    *at = e->next;
    rights_settle(&d->pool);
    return SW_OK;
}

sw_status sw_device_unload(sw_device *d, sw_executable *e, const sw_sink *sink) {
    if (!device_enter(d)) return diag_fail(sink, SW_USAGE, NULL, "the device is being destroyed");
    pthread_mutex_lock(&d->pool.lock);
    const sw_status status = take_out(d, e, sink);
    pthread_mutex_unlock(&d->pool.lock);
    if (status == SW_OK) executable_free(d, e);
    device_leave(d);
    return status;
}

uint64_t sw_executable_base(const sw_executable *e) { return e->base; }

static bool same_facts(const struct code_facts *a, const struct code_facts *b) {
    return a->wave32 == b->wave32 && a->vgprs == b->vgprs && a->agprs == b->agprs &&
           a->agpr_base == b->agpr_base && a->observed == b->observed && a->listened == b->listened;
}

// The executable's program for these facts; NULL: it has no code, or no memory. Called with the lock held.
static struct program *program_for(const sw_device *d, sw_executable *e, const struct code_facts *facts) {
    const bool guarded = __atomic_load_n(&d->pool.guarded, __ATOMIC_RELAXED);
    struct program *p = e->programs;
    while (p && !(same_facts(&p->facts, facts) && p->guarded == guarded)) p = p->next;
    if (p || !e->code.size) return p;
    p = program_create(facts, e->base + e->code.offset, e->code.size);
    if (!p) return NULL;
    p->guarded = guarded;
    p->next = e->programs;
    return e->programs = p;
}

struct program *executable_program(sw_device *d, sw_executable *e, const struct code_facts *facts) {
    pthread_mutex_lock(&d->pool.lock);
    struct program *p = program_for(d, e, facts);
    pthread_mutex_unlock(&d->pool.lock);
    return p;
}

// The program of the executable whose code is at this address, for a wave like this one.
static struct program *program_at(const struct wave *w, uint64_t address) {
    sw_device *d = device_of(w->worker->pool);
    pthread_mutex_lock(&d->pool.lock);
    sw_executable *e = d->executables;
    while (e && address - (e->base + e->code.offset) >= e->code.size) e = e->next;
    struct program *p = e ? program_for(d, e, &w->group->dispatch->launch->program->facts) : NULL;
    pthread_mutex_unlock(&d->pool.lock);
    return p;
}

struct program *device_other_program(const struct wave *w) {
    return program_at(w, w->code_base);
}

const struct op *device_block(struct wave *w, uint64_t address, bool *own) {
    struct program *p = w->group->dispatch->launch->program;
    w->at = NULL; // reading code is not the wave's doing
    if (address - p->base >= p->size) p = program_at(w, address);
    if (!p) return NULL;
    if (w->mode & MODE_VSKIP && fact(p->facts.processor, FACT_vector_skip)) program_skip_vectors(p);
    *own = w->code_base == p->base;
    w->code_base = p->base;
    const struct op *op = program_block(p, address - p->base);
    sw_device *d = device_of(w->worker->pool);
    if (d->native_at_once && op)
        native_at_once(p, d->pool.level, op, d->fused_at_once ? &d->pool.tier_up : NULL, ROWS_NONE);
    return op;
}
