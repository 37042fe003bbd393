// SPDX-License-Identifier: MIT
// The loader's extension: where code objects came from and where they went.
#include <stdlib.h>
#include <string.h>

#include "hsa/code/executable.h"

status hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(int, size_t, size_t,
                                                                               handle_t *);

// GPU addresses are host addresses.
HSA(status, hsa_ven_amd_loader_query_host_address, const void *device, const void **host) {
    NEED_RUNTIME;
    NEED(device && host, ST_INVALID_ARGUMENT);
    pthread_rwlock_rdlock(&executables_lock);
    bool found = false;
    for (const struct executable *e = executables; e && !found; e = e->next)
        for (const struct loaded *l = e->loaded; l && !found; l = l->next)
            found = handle_of(device) - l->base < l->size;
    pthread_rwlock_unlock(&executables_lock);
    NEED(found, ST_INVALID_ARGUMENT);
    *host = device;
    return ST_SUCCESS;
}

// With no array: how many there are. Else the count must be that very number.
HSA(status, hsa_ven_amd_loader_query_segment_descriptors, struct segment_descriptor *out, size_t *count) {
    NEED_RUNTIME;
    NEED(count && (out || !*count), ST_INVALID_ARGUMENT);
    size_t n = 0;
    pthread_rwlock_rdlock(&executables_lock);
    for (const struct executable *e = executables; e; e = e->next)
        for (const struct loaded *l = e->loaded; l; l = l->next) n++;
    const bool fits = !out || n == *count;
    if (!out) *count = n;
    n = 0;
    for (const struct executable *e = executables; e && out && fits; e = e->next)
        for (const struct loaded *l = e->loaded; l; l = l->next)
            out[n++] = (struct segment_descriptor){.agent = handle_of(l->agent),
                                                   .executable = handle_of(e),
                                                   .storage = l->storage,
                                                   .storage_base = l->storage_base,
                                                   .storage_size = l->storage_size,
                                                   .base = (const void *)(uintptr_t)l->base,
                                                   .size = l->size};
    pthread_rwlock_unlock(&executables_lock);
    return fits ? ST_SUCCESS : ST_INCOMPATIBLE_ARGUMENTS;
}

HSA(status, hsa_ven_amd_loader_query_executable, const void *device, handle_t *out) {
    NEED_RUNTIME;
    NEED(device && out, ST_INVALID_ARGUMENT);
    handle_t found = 0;
    pthread_rwlock_rdlock(&executables_lock);
    for (const struct executable *e = executables; e && !found; e = e->next)
        for (const struct loaded *l = e->loaded; l && !found; l = l->next)
            if (handle_of(device) - l->base < l->size) found = handle_of(e);
    pthread_rwlock_unlock(&executables_lock);
    NEED(found, ST_INVALID_ARGUMENT);
    *out = found;
    return ST_SUCCESS;
}

static struct loaded *nth(handle_t executable, size_t n, bool *exists) {
    pthread_rwlock_rdlock(&executables_lock);
    const struct executable *e = executable_of(executable);
    struct loaded *l = e ? e->loaded : NULL;
    while (l && n--) l = l->next;
    pthread_rwlock_unlock(&executables_lock);
    *exists = e != NULL;
    return l;
}
HSA(status, hsa_ven_amd_loader_executable_iterate_loaded_code_objects, handle_t executable,
    status (*callback)(handle_t, handle_t, void *), void *data) {
    NEED_RUNTIME;
    NEED(callback, ST_INVALID_ARGUMENT);
    for (size_t i = 0;; i++) {
        bool exists;
        const struct loaded *l = nth(executable, i, &exists);
        NEED(exists, ST_INVALID_EXECUTABLE);
        if (!l) return ST_SUCCESS;
        const status st = callback(executable, handle_of(l), data);
        if (st != ST_SUCCESS) return st;
    }
}

#define PUT(type, ...) (*(type *)value = (type)(__VA_ARGS__))
static status info(const struct loaded *l, int attribute, void *value) {
    const bool memory = l->storage == STORAGE_MEMORY;
    switch (attribute) {
    case LOADED_INFO_EXECUTABLE: PUT(handle_t, handle_of(l->executable)); break;
    case LOADED_INFO_KIND: PUT(uint32_t, 2); break; // of an agent
    case LOADED_INFO_AGENT: PUT(handle_t, handle_of(l->agent)); break;
    case LOADED_INFO_STORAGE_TYPE: PUT(uint32_t, l->storage); break;
    case LOADED_INFO_STORAGE_MEMORY_BASE:
        NEED(memory, ST_INVALID_ARGUMENT);
        PUT(uint64_t, handle_of(l->storage_base));
        break;
    case LOADED_INFO_STORAGE_MEMORY_SIZE:
        NEED(memory, ST_INVALID_ARGUMENT);
        PUT(uint64_t, l->storage_size);
        break;
    case LOADED_INFO_STORAGE_FILE: return ST_INVALID_ARGUMENT; // files are not kept open
    case LOADED_INFO_LOAD_DELTA: PUT(int64_t, l->base); break;
    case LOADED_INFO_LOAD_BASE: PUT(uint64_t, l->base); break;
    case LOADED_INFO_LOAD_SIZE: PUT(uint64_t, l->size); break;
    case LOADED_INFO_URI_LENGTH: PUT(uint32_t, strlen(l->uri)); break;
    case LOADED_INFO_URI: memcpy(value, l->uri, strlen(l->uri)); break;
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}
HSA(status, hsa_ven_amd_loader_loaded_code_object_get_info, handle_t loaded, int attribute, void *value) {
    NEED_RUNTIME;
    NEED(value, ST_INVALID_ARGUMENT);
    status st = ST_INVALID_CODE_OBJECT;
    pthread_rwlock_rdlock(&executables_lock);
    for (const struct executable *e = executables; e; e = e->next)
        for (const struct loaded *l = e->loaded; l; l = l->next)
            if (handle_of(l) == loaded) st = info(l, attribute, value);
    pthread_rwlock_unlock(&executables_lock);
    return st;
}

HSA(status, hsa_ven_amd_loader_iterate_executables, status (*callback)(handle_t, void *), void *data) {
    NEED_RUNTIME;
    NEED(callback, ST_INVALID_ARGUMENT);
    for (size_t i = 0;; i++) {
        pthread_rwlock_rdlock(&executables_lock);
        const struct executable *e = executables;
        for (size_t n = i; e && n; n--) e = e->next;
        pthread_rwlock_unlock(&executables_lock);
        if (!e) return ST_SUCCESS;
        const status st = callback(handle_of(e), data);
        if (st != ST_SUCCESS) return st;
    }
}

size_t loader_table(void *table, size_t length) {
    typedef void (*function)(void);
    const function functions[] = {
        (function)hsa_ven_amd_loader_query_host_address,
        (function)hsa_ven_amd_loader_query_segment_descriptors,
        (function)hsa_ven_amd_loader_query_executable,
        (function)hsa_ven_amd_loader_executable_iterate_loaded_code_objects,
        (function)hsa_ven_amd_loader_loaded_code_object_get_info,
        (function)hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size,
        (function)hsa_ven_amd_loader_iterate_executables,
    };
    const size_t size = length < sizeof functions ? length : sizeof functions;
    memcpy(table, functions, size);
    return size;
}

// Debuggers look for the list of loaded code by this name. An empty one (version 0): there is none to read.
struct r_debug_like {
    int version;
    void *map;
    uint64_t breakpoint;
    int state;
    uint64_t base;
};
extern struct r_debug_like _amdgpu_r_debug;
struct r_debug_like _amdgpu_r_debug;
