// SPDX-License-Identifier: MIT
// The deprecated calls on code objects, whose handle is the address of the bytes.
#include <stdlib.h>
#include <string.h>

#include "hsa/code/executable.h"

struct old {
    struct old *next;
    const uint8_t *bytes;
    uint64_t size;
    sw_object *object;
    struct symbol *symbols;
    size_t count;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct old *list;

static struct old *find(handle_t handle) {
    struct old *o = list;
    while (o && handle_of(o->bytes) != handle) o = o->next;
    return o;
}
static void free_old(struct old *o) {
    for (size_t i = 0; i < o->count; i++) free(o->symbols[i].name);
    free(o->symbols);
    if (o->object) sw_object_close(o->object);
    free(o);
}

static bool collect(struct old *o) {
    const sw_kernel *k;
    const sw_symbol *s;
    const size_t most = sw_object_kernel_count(o->object) + sw_object_symbol_count(o->object, SW_DYNSYM) + 1;
    o->symbols = calloc(most, sizeof *o->symbols);
    if (!o->symbols) return false;
    for (size_t i = 0; (k = sw_object_kernel(o->object, i)); i++) {
        if (!k->symbol) continue;
        o->symbols[o->count] = (struct symbol){.name = strdup(k->symbol),
                                               .is_kernel = true,
                                               .is_definition = true,
                                               .is_dynamic = k->uses_dynamic_stack,
                                               .kernarg_size = k->kernarg_segment_size,
                                               .kernarg_alignment = 16,
                                               .group_size = k->descriptor->group_segment_fixed_size,
                                               .private_size = k->descriptor->private_segment_fixed_size};
        if (!o->symbols[o->count++].name) return false;
    }
    for (size_t i = 0; (s = sw_object_symbol(o->object, SW_DYNSYM, i)); i++) {
        const size_t n = strlen(s->name);
        if (s->type != 1 || !n || (n > 3 && !strcmp(s->name + n - 3, ".kd"))) continue;
        o->symbols[o->count] = (struct symbol){
            .name = strdup(s->name), .is_definition = s->section != 0, .size = s->size, .alignment = 1};
        if (!o->symbols[o->count++].name) return false;
    }
    return true;
}

HSA(status, hsa_code_object_deserialize, void *bytes, size_t size, const char *options, handle_t *out) {
    NEED_RUNTIME;
    (void)options;
    NEED(bytes && size && out, ST_INVALID_ARGUMENT);
    struct old *o = calloc(1, sizeof *o);
    NEED(o, ST_OUT_OF_RESOURCES);
    o->bytes = bytes;
    o->size = size;
    if (sw_object_open(bytes, size, NULL, &o->object, NULL) != SW_OK || !collect(o)) {
        const bool open = o->object != NULL;
        free_old(o);
        return open ? ST_OUT_OF_RESOURCES : ST_INVALID_CODE_OBJECT;
    }
    pthread_mutex_lock(&lock);
    o->next = list;
    list = o;
    pthread_mutex_unlock(&lock);
    *out = handle_of(bytes);
    return ST_SUCCESS;
}

HSA(status, hsa_code_object_destroy, handle_t handle) {
    NEED_RUNTIME;
    pthread_mutex_lock(&lock);
    struct old **at = &list;
    while (*at && handle_of((*at)->bytes) != handle) at = &(*at)->next;
    struct old *o = *at;
    if (o) *at = o->next;
    pthread_mutex_unlock(&lock);
    NEED(o, ST_INVALID_CODE_OBJECT);
    free_old(o);
    return ST_SUCCESS;
}

HSA(status, hsa_code_object_serialize, handle_t handle, status (*alloc)(size_t, handle_t, void **),
    handle_t data, const char *options, void **bytes, size_t *size) {
    NEED_RUNTIME;
    (void)options;
    NEED(alloc && bytes && size, ST_INVALID_ARGUMENT);
    pthread_mutex_lock(&lock);
    const struct old *o = find(handle);
    const uint8_t *from = o ? o->bytes : NULL;
    const uint64_t n = o ? o->size : 0;
    pthread_mutex_unlock(&lock);
    NEED(from, ST_INVALID_CODE_OBJECT);
    void *p = NULL;
    const status st = alloc(n, data, &p);
    NEED(st == ST_SUCCESS, st);
    NEED(p, ST_OUT_OF_RESOURCES);
    memcpy(p, from, n);
    *bytes = p;
    *size = n;
    return ST_SUCCESS;
}

#define PUT(type, ...) (*(type *)value = (type)(__VA_ARGS__))

HSA(status, hsa_code_object_get_info, handle_t handle, int attribute, void *value) {
    NEED_RUNTIME;
    NEED(value, ST_INVALID_ARGUMENT);
    pthread_mutex_lock(&lock);
    const struct old *o = find(handle);
    const sw_target *t = o ? sw_object_target(o->object) : NULL;
    sw_target copy = t ? *t : (sw_target){0};
    const unsigned version = o ? sw_object_header(o->object)->code_object_version : 0;
    pthread_mutex_unlock(&lock);
    NEED(o, ST_INVALID_CODE_OBJECT);
    switch (attribute) {
    case CODE_OBJECT_INFO_VERSION: // text of up to 64 characters
        memset(value, 0, 64);
        ((char *)value)[0] = (char)('0' + version % 10);
        break;
    case CODE_OBJECT_INFO_TYPE: PUT(uint32_t, 0); break;
    case CODE_OBJECT_INFO_ISA: {
        struct isa *isa = copy.processor ? isa_of_target(&copy) : NULL;
        PUT(handle_t, handle_of(isa));
        break;
    }
    case CODE_OBJECT_INFO_MACHINE_MODEL: PUT(uint32_t, 1); break;
    case CODE_OBJECT_INFO_PROFILE: PUT(uint32_t, PROFILE_BASE); break;
    case CODE_OBJECT_INFO_DEFAULT_FLOAT_ROUNDING_MODE: PUT(uint32_t, 2); break;
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}

HSA(status, hsa_executable_load_code_object, handle_t executable, handle_t agent, handle_t code,
    const char *options) {
    NEED_RUNTIME;
    (void)options;
    struct agent *a = agent_gpu(agent);
    NEED(a, ST_INVALID_AGENT);
    pthread_mutex_lock(&lock);
    const struct old *o = find(code);
    const uint8_t *bytes = o ? o->bytes : NULL;
    const uint64_t size = o ? o->size : 0;
    pthread_mutex_unlock(&lock);
    NEED(bytes, ST_INVALID_CODE_OBJECT);
    char *uri = memory_uri(bytes, size);
    NEED(uri, ST_OUT_OF_RESOURCES);
    pthread_rwlock_wrlock(&executables_lock);
    struct executable *e = executable_of(executable);
    const status st =
        e ? executable_load(e, a, bytes, size, STORAGE_MEMORY, uri, NULL) : ST_INVALID_EXECUTABLE;
    pthread_rwlock_unlock(&executables_lock);
    free(uri);
    return st;
}

// ---- Symbols ----

HSA(status, hsa_code_object_get_symbol, handle_t code, const char *name, handle_t *out) {
    NEED_RUNTIME;
    NEED(name && out, ST_INVALID_ARGUMENT);
    pthread_mutex_lock(&lock);
    const struct old *o = find(code);
    const struct symbol *s = NULL;
    for (size_t i = 0; o && !s && i < o->count; i++)
        if (!strcmp(o->symbols[i].name, name)) s = &o->symbols[i];
    pthread_mutex_unlock(&lock);
    NEED(o, ST_INVALID_CODE_OBJECT);
    NEED(s, ST_INVALID_SYMBOL_NAME);
    *out = handle_of(s);
    return ST_SUCCESS;
}
HSA(status, hsa_code_object_get_symbol_from_name, handle_t code, const char *module, const char *name,
    handle_t *out) {
    NEED_RUNTIME;
    NEED(!module || !*module, ST_INVALID_SYMBOL_NAME);
    return hsa_code_object_get_symbol(code, name, out);
}

static status info(const struct symbol *s, int attribute, void *value) {
    switch (attribute) {
    case SYMBOL_INFO_TYPE: PUT(uint32_t, s->is_kernel); return ST_SUCCESS;
    case SYMBOL_INFO_NAME_LENGTH: PUT(uint32_t, strlen(s->name)); return ST_SUCCESS;
    case SYMBOL_INFO_NAME: memcpy(value, s->name, strlen(s->name)); return ST_SUCCESS;
    case SYMBOL_INFO_MODULE_NAME_LENGTH: PUT(uint32_t, 0); return ST_SUCCESS;
    case SYMBOL_INFO_MODULE_NAME: return ST_SUCCESS;
    case SYMBOL_INFO_LINKAGE: PUT(uint32_t, 1); return ST_SUCCESS;
    case SYMBOL_INFO_IS_DEFINITION: PUT(bool, s->is_definition); return ST_SUCCESS;
    default: break;
    }
    if (s->is_kernel) switch (attribute) {
        case SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE: PUT(uint32_t, s->kernarg_size); return ST_SUCCESS;
        case SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT:
            PUT(uint32_t, s->kernarg_alignment);
            return ST_SUCCESS;
        case SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE: PUT(uint32_t, s->group_size); return ST_SUCCESS;
        case SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE: PUT(uint32_t, s->private_size); return ST_SUCCESS;
        case SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK: PUT(bool, s->is_dynamic); return ST_SUCCESS;
        case SYMBOL_INFO_KERNEL_CALL_CONVENTION: PUT(uint32_t, 0); return ST_SUCCESS;
        default: return ST_INVALID_ARGUMENT;
        }
    switch (attribute) {
    case SYMBOL_INFO_VARIABLE_ALLOCATION: PUT(uint32_t, 0); return ST_SUCCESS;
    case SYMBOL_INFO_VARIABLE_SEGMENT: PUT(uint32_t, 0); return ST_SUCCESS;
    case SYMBOL_INFO_VARIABLE_ALIGNMENT: PUT(uint32_t, s->alignment); return ST_SUCCESS;
    case SYMBOL_INFO_VARIABLE_SIZE: PUT(uint32_t, s->size); return ST_SUCCESS;
    case SYMBOL_INFO_VARIABLE_IS_CONST: PUT(bool, s->is_const); return ST_SUCCESS;
    default: return ST_INVALID_ARGUMENT;
    }
}
HSA(status, hsa_code_symbol_get_info, handle_t symbol, int attribute, void *value) {
    NEED_RUNTIME;
    status st = ST_INVALID_CODE_SYMBOL;
    pthread_mutex_lock(&lock);
    for (const struct old *o = list; o && st == ST_INVALID_CODE_SYMBOL; o = o->next) {
        const uint64_t offset = symbol - handle_of(o->symbols);
        if (offset < o->count * sizeof *o->symbols && offset % sizeof *o->symbols == 0)
            st = value ? info(&o->symbols[offset / sizeof *o->symbols], attribute, value)
                       : ST_INVALID_ARGUMENT;
    }
    pthread_mutex_unlock(&lock);
    return st;
}
HSA(status, hsa_code_object_iterate_symbols, handle_t code, status (*callback)(handle_t, handle_t, void *),
    void *data) {
    NEED_RUNTIME;
    NEED(callback, ST_INVALID_ARGUMENT);
    for (size_t i = 0;; i++) {
        pthread_mutex_lock(&lock);
        const struct old *o = find(code);
        const struct symbol *s = o && i < o->count ? &o->symbols[i] : NULL;
        pthread_mutex_unlock(&lock);
        NEED(o, ST_INVALID_CODE_OBJECT);
        if (!s) return ST_SUCCESS;
        const status st = callback(code, handle_of(s), data);
        if (st != ST_SUCCESS) return st;
    }
}

void old_code_forget(void) { pthread_mutex_init(&lock, NULL); }
