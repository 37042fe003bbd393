// SPDX-License-Identifier: MIT
// Symbols of executables: kernels and variables by name and agent.
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "hsa/code/executable.h"

struct symbol *symbol_of(handle_t handle) {
    for (struct executable *e = executables; e; e = e->next) {
        for (struct loaded *l = e->loaded; l; l = l->next) {
            const uint64_t offset = handle - handle_of(l->symbols.items);
            if (l->symbols.count && offset < l->symbols.count * sizeof *l->symbols.items &&
                offset % sizeof *l->symbols.items == 0)
                return &l->symbols.items[offset / sizeof *l->symbols.items];
        }
        for (size_t i = 0; i < e->definitions.count; i++)
            if (handle_of(&e->definitions.items[i]->symbol) == handle)
                return &e->definitions.items[i]->symbol;
    }
    return NULL;
}

static struct symbol *find_in(const struct loaded *l, const char *name) {
    const size_t at = SORTED_PREFIX(l->symbols.count, i, strcmp(l->symbols.items[i].name, name) < 0);
    return at < l->symbols.count && !strcmp(l->symbols.items[at].name, name) ? &l->symbols.items[at] : NULL;
}

// `a` NULL: variables of the program only.
static status find(handle_t executable, const char *name, const struct agent *a, handle_t *out) {
    pthread_rwlock_rdlock(&executables_lock);
    struct executable *e = executable_of(executable);
    struct symbol *s = NULL;
    for (struct loaded *l = e && a ? e->loaded : NULL; l && !s; l = l->next)
        if (l->agent == a) s = find_in(l, name);
    for (size_t i = 0; e && !s && i < e->definitions.count; i++) {
        struct definition *d = e->definitions.items[i];
        if (!strcmp(d->name, name) && (!d->agent || d->agent == a)) s = &d->symbol;
    }
    pthread_rwlock_unlock(&executables_lock);
    NEED(e, ST_INVALID_EXECUTABLE);
    NEED(s, ST_INVALID_SYMBOL_NAME);
    *out = handle_of(s);
    return ST_SUCCESS;
}

HSA(status, hsa_executable_get_symbol_by_name, handle_t executable, const char *name, const handle_t *agent,
    handle_t *out) {
    NEED_RUNTIME;
    NEED(name && out, ST_INVALID_ARGUMENT);
    const struct agent *a = agent ? agent_of(*agent) : NULL;
    NEED(a || !agent, ST_INVALID_AGENT);
    return find(executable, name, a, out);
}
HSA(status, hsa_executable_get_symbol, handle_t executable, const char *module, const char *name,
    handle_t agent, int32_t convention, handle_t *out) {
    NEED_RUNTIME;
    (void)convention;
    NEED(name && out, ST_INVALID_ARGUMENT);
    NEED(!module || !*module, ST_INVALID_SYMBOL_NAME); // no module has a name
    const struct agent *a = agent_of(agent);
    NEED(a || !agent, ST_INVALID_AGENT);
    return find(executable, name, a, out);
}

#define PUT(type, ...) (*(type *)value = (type)(__VA_ARGS__))

static status kernel_info(const struct symbol *s, int attribute, void *value) {
    switch (attribute) {
    case SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE: PUT(uint32_t, s->kernarg_size); break;
    case SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT: PUT(uint32_t, s->kernarg_alignment); break;
    case SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE: PUT(uint32_t, s->group_size); break;
    case SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE: PUT(uint32_t, s->private_size); break;
    case SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK: PUT(bool, s->is_dynamic); break;
    case SYMBOL_INFO_KERNEL_CALL_CONVENTION: PUT(uint32_t, 0); break;
    case SYMBOL_INFO_KERNEL_OBJECT: PUT(uint64_t, s->address); break;
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}
static status variable_info(const struct symbol *s, int attribute, void *value) {
    switch (attribute) {
    case SYMBOL_INFO_VARIABLE_ALLOCATION: PUT(uint32_t, s->loaded ? 0 : 1); break; // by agent or program
    case SYMBOL_INFO_VARIABLE_SEGMENT: PUT(uint32_t, s->is_const); break; // segment: global or read-only
    case SYMBOL_INFO_VARIABLE_ALIGNMENT: PUT(uint32_t, s->alignment); break;
    case SYMBOL_INFO_VARIABLE_SIZE: PUT(uint32_t, s->size); break;
    case SYMBOL_INFO_VARIABLE_IS_CONST: PUT(bool, s->is_const); break;
    case SYMBOL_INFO_VARIABLE_ADDRESS: PUT(uint64_t, s->address); break;
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}
static status symbol_info(const struct symbol *s, int attribute, void *value) {
    switch (attribute) {
    case SYMBOL_INFO_TYPE: PUT(uint32_t, s->is_kernel); break;
    case SYMBOL_INFO_NAME_LENGTH: PUT(uint32_t, strlen(s->name)); break;
    case SYMBOL_INFO_NAME: memcpy(value, s->name, strlen(s->name)); break;
    case SYMBOL_INFO_MODULE_NAME_LENGTH: PUT(uint32_t, 0); break; // no module
    case SYMBOL_INFO_MODULE_NAME: break;
    case SYMBOL_INFO_LINKAGE: PUT(uint32_t, 1); break; // linkage: program
    case SYMBOL_INFO_IS_DEFINITION: PUT(bool, s->is_definition); break;
    case SYMBOL_INFO_AGENT:
        NEED(s->loaded, ST_INVALID_ARGUMENT);
        PUT(handle_t, handle_of(s->loaded->agent));
        break;
    default: return s->is_kernel ? kernel_info(s, attribute, value) : variable_info(s, attribute, value);
    }
    return ST_SUCCESS;
}

HSA(status, hsa_executable_symbol_get_info, handle_t symbol, int attribute, void *value) {
    NEED_RUNTIME;
    pthread_rwlock_rdlock(&executables_lock);
    const struct symbol *s = symbol_of(symbol);
    const status st = !s       ? ST_INVALID_EXECUTABLE_SYMBOL
                      : !value ? ST_INVALID_ARGUMENT
                               : symbol_info(s, attribute, value);
    pthread_rwlock_unlock(&executables_lock);
    return st;
}

// ---- Iterating: over what there is when it begins, without the lock ----

struct chosen {
    handle_t *items;
    handle_t *agents;
    size_t count;
};
static status choose(handle_t executable, const struct agent *a, bool of_agents, bool of_program,
                     struct chosen *out) {
    *out = (struct chosen){0};
    pthread_rwlock_rdlock(&executables_lock);
    const struct executable *e = executable_of(executable);
    size_t room = e ? e->definitions.count : 0;
    for (const struct loaded *l = e ? e->loaded : NULL; l; l = l->next) room += l->symbols.count;
    out->items = calloc(room + 1, sizeof *out->items);
    out->agents = calloc(room + 1, sizeof *out->agents);
    const bool fits = out->items && out->agents;
    for (const struct loaded *l = e && fits && of_agents ? e->loaded : NULL; l; l = l->next)
        for (size_t i = 0; (!a || l->agent == a) && i < l->symbols.count; i++) {
            out->agents[out->count] = handle_of(l->agent);
            out->items[out->count++] = handle_of(&l->symbols.items[i]);
        }
    for (size_t i = 0; e && fits && of_program && i < e->definitions.count; i++)
        if (!e->definitions.items[i]->agent)
            out->items[out->count++] = handle_of(&e->definitions.items[i]->symbol);
    pthread_rwlock_unlock(&executables_lock);
    return !e ? ST_INVALID_EXECUTABLE : fits ? ST_SUCCESS : ST_OUT_OF_RESOURCES;
}
static status finish(struct chosen *c, status st) {
    free(c->items);
    free(c->agents);
    return st;
}

HSA(status, hsa_executable_iterate_symbols, handle_t executable,
    status (*callback)(handle_t, handle_t, void *), void *data) {
    NEED_RUNTIME;
    NEED(callback, ST_INVALID_ARGUMENT);
    struct chosen c;
    status st = choose(executable, NULL, true, true, &c);
    for (size_t i = 0; st == ST_SUCCESS && i < c.count; i++) st = callback(executable, c.items[i], data);
    return finish(&c, st);
}
HSA(status, hsa_executable_iterate_program_symbols, handle_t executable,
    status (*callback)(handle_t, handle_t, void *), void *data) {
    NEED_RUNTIME;
    NEED(callback, ST_INVALID_ARGUMENT);
    struct chosen c;
    status st = choose(executable, NULL, false, true, &c);
    for (size_t i = 0; st == ST_SUCCESS && i < c.count; i++) st = callback(executable, c.items[i], data);
    return finish(&c, st);
}
HSA(status, hsa_executable_iterate_agent_symbols, handle_t executable, handle_t agent,
    status (*callback)(handle_t, handle_t, handle_t, void *), void *data) {
    NEED_RUNTIME;
    NEED(callback, ST_INVALID_ARGUMENT);
    const struct agent *a = agent_of(agent);
    NEED(a, ST_INVALID_AGENT);
    struct chosen c;
    status st = choose(executable, a, true, false, &c);
    for (size_t i = 0; st == ST_SUCCESS && i < c.count; i++)
        st = callback(executable, agent, c.items[i], data);
    return finish(&c, st);
}
