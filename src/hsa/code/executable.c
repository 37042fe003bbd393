// SPDX-License-Identifier: MIT
// Executables: code objects of any number of agents, and variables that the program defines for them.
#include <elf.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/sorted.h"
#include "hsa/code/executable.h"
#include "hsa/tell/trace.h"

pthread_rwlock_t executables_lock = PTHREAD_RWLOCK_INITIALIZER;
struct executable *executables;
static ARRAY(struct loaded *) by_address; // of all agents

struct executable *executable_of(handle_t handle) {
    struct executable *e = executables;
    while (e && handle_of(e) != handle) e = e->next;
    return e;
}

// ---- By address ----

static size_t above(uint64_t address) {
    return SORTED_PREFIX(by_address.count, i, by_address.items[i]->base <= address);
}
static struct loaded *find(uint64_t address) {
    const size_t at = above(address);
    struct loaded *l = at ? by_address.items[at - 1] : NULL;
    return l && address - l->base < l->size ? l : NULL;
}

struct loaded *loaded_use(struct agent *a, uint64_t address) {
    pthread_rwlock_rdlock(&executables_lock);
    struct loaded *l = find(address);
    if (l && l->agent != a) l = NULL;
    if (l) __atomic_add_fetch(&l->users, 1, __ATOMIC_ACQ_REL);
    pthread_rwlock_unlock(&executables_lock);
    return l;
}
void loaded_unuse(struct loaded *l) { __atomic_sub_fetch(&l->users, 1, __ATOMIC_ACQ_REL); }

const struct symbol *loaded_kernel(const struct loaded *l, uint64_t address) {
    for (size_t i = 0; i < l->symbols.count; i++)
        if (l->symbols.items[i].is_kernel && l->symbols.items[i].address == address)
            return &l->symbols.items[i];
    return NULL;
}

static void tell_fidelity(const struct loaded *l) {
    trace_fidelity(l->agent->name, l->agent->device, l->code);
}
void executables_tell_fidelity(void) {
    pthread_rwlock_rdlock(&executables_lock);
    for (size_t i = 0; i < by_address.count; i++) tell_fidelity(by_address.items[i]);
    pthread_rwlock_unlock(&executables_lock);
}

bool code_lies_in(uint64_t lo, uint64_t size) {
    bool holds = false;
    pthread_rwlock_rdlock(&executables_lock);
    for (size_t i = 0; size && i < by_address.count; i++) {
        const struct loaded *l = by_address.items[i];
        holds |= lo < l->base + l->size && l->base < lo + size;
    }
    pthread_rwlock_unlock(&executables_lock);
    return holds;
}

void code_changed(uint64_t lo, uint64_t size) {
    pthread_rwlock_rdlock(&executables_lock);
    for (size_t i = 0; size && i < by_address.count; i++) {
        const struct loaded *l = by_address.items[i];
        if (lo >= l->base + l->size || l->base >= lo + size) continue;
        sw_device_code_changed(l->agent->device, lo, size);
    }
    pthread_rwlock_unlock(&executables_lock);
}

// ---- Symbols of a code object ----

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

// Code object V2: the kernel's symbol is its own name, and points at an amd_kernel_code_t.
static bool add_old_kernel(struct loaded *l, const sw_object *o, const sw_kernel *k) {
    const sw_symbol *at = k->symbol ? sw_object_find_symbol(o, k->symbol) : NULL;
    if (!at) at = sw_object_find_symbol(o, k->name); // some metadata says NAME@kd
    uint64_t offset;
    uint8_t descriptor[SW_DESCRIPTOR_SIZE];
    sw_kernel_descriptor d = SW_INIT(sw_kernel_descriptor);
    if (!at || !sw_object_symbol_offset(o, at, &offset) || l->size < SW_KERNEL_CODE_SIZE ||
        offset > l->size - SW_KERNEL_CODE_SIZE)
        return true;
    const uint8_t *code = (const uint8_t *)(uintptr_t)(l->base + offset);
    if (sw_kernel_code_descriptor(code, descriptor, NULL) != SW_OK ||
        sw_descriptor_decode(descriptor, l->agent->target.processor, &d, NULL) != SW_OK)
        return true; // no dispatch could run it
    enum { ARGUMENTS_ALIGNMENT = 100 };
    const uint8_t log2 = code[ARGUMENTS_ALIGNMENT];
    struct symbol s = {.name = strdup(at->name),
                       .is_kernel = true,
                       .is_definition = true,
                       .is_dynamic = d.uses_dynamic_stack,
                       .loaded = l,
                       .address = l->base + offset,
                       .size = SW_KERNEL_CODE_SIZE,
                       .alignment = SW_KERNEL_CODE_SIZE,
                       .kernarg_size = d.kernarg_size,
                       .kernarg_alignment = log2 > 4 && log2 < 16 ? 1u << log2 : 16,
                       .group_size = d.group_segment_fixed_size,
                       .private_size = d.private_segment_fixed_size,
                       .wave_size = d.wavefront_size};
    return s.name && array_push(&l->symbols, s);
}

static bool add_kernel(struct loaded *l, const sw_object *o, const sw_kernel *k) {
    if (sw_object_header(o)->code_object_version == 2) return add_old_kernel(l, o, k);
    if (!k->has_descriptor || !k->symbol) return true;
    const sw_kernel_descriptor *d = k->descriptor;
    struct symbol s = {.name = strdup(k->symbol),
                       .is_kernel = true,
                       .is_definition = true,
                       .is_dynamic = k->uses_dynamic_stack || d->uses_dynamic_stack,
                       .loaded = l,
                       .address = l->base + k->descriptor_offset,
                       .size = SW_DESCRIPTOR_SIZE,
                       .alignment = 64,
                       .kernarg_size = k->has_metadata ? k->kernarg_segment_size : d->kernarg_size,
                       .kernarg_alignment = k->kernarg_segment_align > 16 ? k->kernarg_segment_align : 16,
                       .group_size = d->group_segment_fixed_size,
                       .private_size = d->private_segment_fixed_size,
                       .wave_size = d->wavefront_size};
    if (k->has_metadata && k->private_segment_fixed_size > s.private_size)
        s.private_size = k->private_segment_fixed_size;
    return s.name && array_push(&l->symbols, s);
}

enum { TYPE_OBJECT = 1, TYPE_COMMON = 5, BIND_LOCAL = 0, FLAG_WRITE = 1 };

static bool add_variables(struct loaded *l, const sw_object *o) {
    const sw_symbol *s;
    for (size_t i = 0; (s = sw_object_symbol(o, SW_DYNSYM, i)); i++) {
        uint64_t offset;
        const size_t n = strlen(s->name);
        if (s->type != TYPE_OBJECT || s->binding == BIND_LOCAL || !n) continue;
        if (n > 3 && !strcmp(s->name + n - 3, ".kd")) continue;
        if (!sw_object_symbol_offset(o, s, &offset)) continue;
        const sw_section *home = sw_object_section(o, s->section);
        struct symbol v = {.name = strdup(s->name),
                           .is_definition = true,
                           .is_const = home && !(home->flags & FLAG_WRITE),
                           .loaded = l,
                           .address = l->base + offset,
                           .size = s->size,
                           .alignment = home ? home->alignment : 1};
        if (!v.name || !array_push(&l->symbols, v)) return false;
    }
    return true;
}

static bool collect_symbols(struct loaded *l, const sw_object *o) {
    const sw_kernel *k;
    for (size_t i = 0; (k = sw_object_kernel(o, i)); i++)
        if (!add_kernel(l, o, k)) return false;
    if (!add_variables(l, o)) return false;
    if (l->symbols.count) qsort(l->symbols.items, l->symbols.count, sizeof *l->symbols.items, by_name);
    return true;
}

// ---- Loading ----

struct resolving {
    const struct executable *executable;
    const struct agent *agent;
    bool undefined;
};
static bool resolve(void *context_, const char *name, uint64_t *address) {
    struct resolving *r = context_;
    for (size_t i = 0; i < r->executable->definitions.count; i++) {
        const struct definition *d = r->executable->definitions.items[i];
        if (strcmp(d->name, name) || (d->agent && d->agent != r->agent)) continue;
        *address = d->address;
        return true;
    }
    r->undefined = true;
    return false;
}

static void tell(void *context_, const sw_diagnostic *d) {
    (void)context_;
    if (d->severity == SW_SEVERITY_ERROR) runtime_complain("loading: %s", d->message);
}
static const sw_sink loud = {tell, NULL};

static status check_object(const sw_object *o, const struct agent *a) {
    const sw_header *h = sw_object_header(o);
    NEED(h->code_object_version >= 2 && h->code_object_version <= 6 && !h->relocatable,
         ST_INVALID_CODE_OBJECT);
    const sw_target *t = sw_object_target(o);
    NEED(t && t->processor, ST_INVALID_ISA_NAME);
    NEED(sw_target_compatible(t, h->generic_version, &a->target), ST_INCOMPATIBLE_ARGUMENTS);
    return ST_SUCCESS;
}

static void free_symbols(struct loaded *l) {
    for (size_t i = 0; i < l->symbols.count; i++) free(l->symbols.items[i].name);
    array_free(&l->symbols);
}
static void free_loaded(struct loaded *l) {
    if (l->object) sw_object_close(l->object);
    if (l->copy) munmap(l->copy, l->copied);
    free_symbols(l);
    free(l->uri);
    free(l);
}

static bool has_lines(const sw_object *o) {
    const sw_section *s;
    for (size_t i = 0; (s = sw_object_section(o, i)); i++)
        if (!strcmp(s->name, ".debug_line")) return true;
    return false;
}
// Faults are shown with their source line: an object that has some is kept, in a copy, as the program may
// free its bytes. Code and notes, which are most of a library's objects and are nothing for lines, are left
// out of it: pages that are not touched take no memory.
static bool is_for_lines(const sw_section *s) {
    return !(s->flags & SHF_ALLOC) || !(s->flags & SHF_EXECINSTR || s->type == SHT_NOTE);
}
static void keep_lines(struct loaded *l, const sw_object *o, const uint8_t *bytes, uint64_t size) {
    if (!has_lines(o)) return;
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return;
    l->copy = p, l->copied = size;
    uint64_t at = 0; // all before it is copied or left out
    const sw_section *s;
    for (size_t i = 0; (s = sw_object_section(o, i)); i++) {
        if (is_for_lines(s) || !s->data || s->offset < at || s->offset + s->size > size) continue;
        memcpy(l->copy + at, bytes + at, s->offset - at);
        at = s->offset + s->size;
    }
    memcpy(l->copy + at, bytes + at, size - at);
    const sw_object_options options = {.size = sizeof options, .no_metadata = true};
    if (sw_object_open(l->copy, size, &options, &l->object, NULL) != SW_OK) l->object = NULL;
}

// Cards do not protect constants: HIP 6 sets variables in constant memory by kernels that copy. Instructions
// stay as they are.
static status open_constants(struct agent *a, const sw_object *o, const sw_executable *code) {
    const sw_layout *layout = sw_object_layout(o);
    for (size_t i = 0; i < layout->range_count; i++) {
        const sw_image_range *r = &layout->ranges[i];
        if (!r->readable || r->writable || r->executable || !r->size) continue;
        void *at = (void *)(uintptr_t)(sw_executable_base(code) + r->offset);
        if (sw_device_map(a->device, at, r->size, SW_RIGHT_READ | SW_RIGHT_WRITE | SW_RIGHT_STAYS) != SW_OK)
            return ST_OUT_OF_RESOURCES;
    }
    return ST_SUCCESS;
}

status executable_load(struct executable *e, struct agent *a, const uint8_t *bytes, uint64_t size,
                       uint32_t storage, const char *uri, struct loaded **out) {
    sw_object *o;
    NEED(!e->frozen, ST_FROZEN_EXECUTABLE);
    NEED(sw_object_open(bytes, size, NULL, &o, NULL) == SW_OK, ST_INVALID_CODE_OBJECT);
    status st = check_object(o, a);
    struct loaded *l = st == ST_SUCCESS ? calloc(1, sizeof *l) : NULL;
    if (st == ST_SUCCESS && (!l || !array_reserve(&by_address, 1))) st = ST_OUT_OF_RESOURCES;
    if (st == ST_SUCCESS) {
        struct resolving r = {e, a, false};
        const sw_status loaded = sw_device_load(a->device, o, resolve, &r, &l->code, &loud);
        st = loaded == SW_OK          ? ST_SUCCESS
             : r.undefined            ? ST_VARIABLE_UNDEFINED
             : loaded == SW_NO_MEMORY ? ST_OUT_OF_RESOURCES
                                      : ST_INVALID_CODE_OBJECT;
        if (st == ST_SUCCESS && (st = open_constants(a, o, l->code)) != ST_SUCCESS)
            sw_device_unload(a->device, l->code, NULL);
    }
    if (st == ST_SUCCESS) {
        l->executable = e;
        l->agent = a;
        l->base = sw_executable_base(l->code);
        l->size = sw_object_layout(o)->size;
        l->storage = storage;
        l->storage_base = bytes;
        l->storage_size = size;
        l->uri = strdup(uri);
        if (l->uri && collect_symbols(l, o)) {
            keep_lines(l, o, bytes, size);
            const size_t at = above(l->base);
            memmove(by_address.items + at + 1, by_address.items + at,
                    (by_address.count++ - at) * sizeof *by_address.items);
            by_address.items[at] = l;
            struct loaded **end = &e->loaded;
            while (*end) end = &(*end)->next;
            *end = l;
            if (out) *out = l;
            sw_object_close(o);
            return ST_SUCCESS;
        }
        sw_device_unload(a->device, l->code, NULL);
        st = ST_OUT_OF_RESOURCES;
    }
    if (l) free_loaded(l);
    sw_object_close(o);
    return st;
}

static status load(handle_t executable, struct agent *a, handle_t reader, handle_t *out) {
    pthread_rwlock_wrlock(&executables_lock);
    struct executable *e = executable_of(executable);
    struct reader *r = reader_of(reader);
    struct loaded *l = NULL;
    const status st = !e   ? ST_INVALID_EXECUTABLE
                      : !r ? ST_INVALID_CODE_OBJECT_READER
                           : executable_load(e, a, r->bytes, r->size, r->storage, r->uri, &l);
    pthread_rwlock_unlock(&executables_lock);
    if (st == ST_SUCCESS && out) *out = handle_of(l);
    return st;
}
HSA(status, hsa_executable_load_agent_code_object, handle_t executable, handle_t agent, handle_t reader,
    const char *options, handle_t *out) {
    NEED_RUNTIME;
    (void)options;
    struct agent *a = agent_gpu(agent);
    NEED(a, ST_INVALID_AGENT);
    return load(executable, a, reader, out);
}
// Program code objects hold no code of an agent; no compiler makes them any more.
HSA(status, hsa_executable_load_program_code_object, handle_t executable, handle_t reader,
    const char *options, handle_t *out) {
    NEED_RUNTIME;
    (void)options, (void)out;
    pthread_rwlock_rdlock(&executables_lock);
    const status st = !executable_of(executable) ? ST_INVALID_EXECUTABLE
                      : !reader_of(reader)       ? ST_INVALID_CODE_OBJECT_READER
                                                 : ST_INVALID_CODE_OBJECT;
    pthread_rwlock_unlock(&executables_lock);
    return st;
}

// ---- Making and ending ----

static status create(int profile, int rounding, bool frozen, handle_t *out) {
    NEED(out && (profile == PROFILE_BASE || profile == PROFILE_FULL) && rounding >= 0 && rounding <= 2,
         ST_INVALID_ARGUMENT);
    struct executable *e = calloc(1, sizeof *e);
    NEED(e, ST_OUT_OF_RESOURCES);
    e->profile = profile;
    e->rounding = rounding;
    e->frozen = frozen;
    pthread_rwlock_wrlock(&executables_lock);
    e->next = executables;
    executables = e;
    pthread_rwlock_unlock(&executables_lock);
    *out = handle_of(e);
    return ST_SUCCESS;
}
HSA(status, hsa_executable_create_alt, int profile, int rounding, const char *options, handle_t *out) {
    NEED_RUNTIME;
    (void)options;
    return create(profile, rounding, false, out);
}
HSA(status, hsa_executable_create, int profile, int state, const char *options, handle_t *out) {
    NEED_RUNTIME;
    (void)options;
    NEED(state == 0 || state == 1, ST_INVALID_ARGUMENT);
    return create(profile, 0, state == 1, out);
}

// Waits for dispatches of it.
static void unload(struct loaded *l) {
    while (__atomic_load_n(&l->users, __ATOMIC_ACQUIRE)) {
        running()->up->reap(l->agent);
        if (__atomic_load_n(&l->users, __ATOMIC_ACQUIRE)) sched_yield();
    }
    tell_fidelity(l);
    while (sw_device_unload(l->agent->device, l->code, NULL) == SW_USAGE) sched_yield();
}
void executable_free(struct executable *e) {
    while (e->loaded) {
        struct loaded *l = e->loaded;
        e->loaded = l->next;
        unload(l);
        free_loaded(l);
    }
    for (size_t i = 0; i < e->definitions.count; i++) {
        free(e->definitions.items[i]->name);
        free(e->definitions.items[i]);
    }
    array_free(&e->definitions);
    free(e);
}
static void forget_addresses(const struct executable *e) {
    size_t kept = 0;
    for (size_t i = 0; i < by_address.count; i++)
        if (by_address.items[i]->executable != e) by_address.items[kept++] = by_address.items[i];
    by_address.count = kept;
}
HSA(status, hsa_executable_destroy, handle_t handle) {
    NEED_RUNTIME;
    pthread_rwlock_wrlock(&executables_lock);
    struct executable **at = &executables;
    while (*at && handle_of(*at) != handle) at = &(*at)->next;
    struct executable *e = *at;
    if (e) {
        *at = e->next;
        forget_addresses(e);
    }
    pthread_rwlock_unlock(&executables_lock);
    NEED(e, ST_INVALID_EXECUTABLE);
    executable_free(e);
    return ST_SUCCESS;
}
void executables_close(void) {
    while (executables) hsa_executable_destroy(handle_of(executables));
    while (readers) hsa_code_object_reader_destroy(handle_of(readers));
    array_free(&by_address);
}
void executables_forget(void) {
    pthread_rwlock_init(&executables_lock, NULL);
    executables = NULL;
    readers = NULL;
    by_address.count = 0;
}

// ---- Definitions ----

static status define(handle_t executable, struct agent *a, const char *name, void *address, bool readonly) {
    NEED(name && address, ST_INVALID_ARGUMENT);
    struct definition *d = calloc(1, sizeof *d);
    char *copy = strdup(name);
    status st = d && copy ? ST_SUCCESS : ST_OUT_OF_RESOURCES;
    pthread_rwlock_wrlock(&executables_lock);
    struct executable *e = executable_of(executable);
    if (!e)
        st = ST_INVALID_EXECUTABLE;
    else if (e->frozen)
        st = ST_FROZEN_EXECUTABLE;
    for (size_t i = 0; st == ST_SUCCESS && i < e->definitions.count; i++) {
        const struct definition *old = e->definitions.items[i];
        if (!strcmp(old->name, name) && (!old->agent || !a || old->agent == a))
            st = ST_VARIABLE_ALREADY_DEFINED;
    }
    for (struct loaded *l = e ? e->loaded : NULL; st == ST_SUCCESS && l; l = l->next)
        for (size_t i = 0; i < l->symbols.count; i++)
            if (!strcmp(l->symbols.items[i].name, name) && (!a || l->agent == a))
                st = ST_VARIABLE_ALREADY_DEFINED;
    if (st == ST_SUCCESS) {
        *d = (struct definition){
            .name = copy, .address = handle_of(address), .agent = a, .readonly = readonly};
        d->symbol = (struct symbol){.name = copy, .address = d->address, .is_const = readonly};
        if (!array_push(&e->definitions, d)) st = ST_OUT_OF_RESOURCES;
    }
    pthread_rwlock_unlock(&executables_lock);
    if (st == ST_SUCCESS) return st;
    free(copy);
    free(d);
    return st;
}
HSA(status, hsa_executable_global_variable_define, handle_t executable, const char *name, void *address) {
    NEED_RUNTIME;
    return define(executable, NULL, name, address, false);
}
HSA(status, hsa_executable_agent_global_variable_define, handle_t executable, handle_t agent,
    const char *name, void *address) {
    NEED_RUNTIME;
    struct agent *a = agent_of(agent);
    NEED(a, ST_INVALID_AGENT);
    return define(executable, a, name, address, false);
}
HSA(status, hsa_executable_readonly_variable_define, handle_t executable, handle_t agent, const char *name,
    void *address) {
    NEED_RUNTIME;
    struct agent *a = agent_of(agent);
    NEED(a, ST_INVALID_AGENT);
    return define(executable, a, name, address, true);
}

// ---- State ----

HSA(status, hsa_executable_freeze, handle_t executable, const char *options) {
    NEED_RUNTIME;
    (void)options;
    pthread_rwlock_wrlock(&executables_lock);
    struct executable *e = executable_of(executable);
    const status st = !e ? ST_INVALID_EXECUTABLE : e->frozen ? ST_FROZEN_EXECUTABLE : ST_SUCCESS;
    if (st == ST_SUCCESS) e->frozen = true;
    pthread_rwlock_unlock(&executables_lock);
    return st;
}
// What is loaded was checked then: nothing is undefined or of the wrong kind.
HSA(status, hsa_executable_validate_alt, handle_t executable, const char *options, uint32_t *result) {
    NEED_RUNTIME;
    (void)options;
    NEED(result, ST_INVALID_ARGUMENT);
    pthread_rwlock_rdlock(&executables_lock);
    const status st = executable_of(executable) ? ST_SUCCESS : ST_INVALID_EXECUTABLE;
    pthread_rwlock_unlock(&executables_lock);
    if (st == ST_SUCCESS) *result = 0;
    return st;
}
HSA(status, hsa_executable_validate, handle_t executable, uint32_t *result) {
    return hsa_executable_validate_alt(executable, NULL, result);
}
HSA(status, hsa_executable_get_info, handle_t executable, int attribute, void *value) {
    NEED_RUNTIME;
    NEED(value && attribute >= 1 && attribute <= 3, ST_INVALID_ARGUMENT);
    pthread_rwlock_rdlock(&executables_lock);
    const struct executable *e = executable_of(executable);
    if (e) *(int *)value = attribute == 1 ? e->profile : attribute == 2 ? e->frozen : e->rounding;
    pthread_rwlock_unlock(&executables_lock);
    return e ? ST_SUCCESS : ST_INVALID_EXECUTABLE;
}
