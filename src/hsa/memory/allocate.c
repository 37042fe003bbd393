// SPDX-License-Identifier: MIT
// Allocating, opening to agents, asking about memory.
#include <stdlib.h>
#include <string.h>

#include "hsa/memory/allocations.h"
#include "hsa/tell/log.h"

static status access_of(uint32_t count, const handle_t *agents, uint32_t *access) {
    *access = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct agent *a = agent_of(agents[i]);
        NEED(a, ST_INVALID_AGENT);
        *access |= gpu_bit(a);
    }
    return ST_SUCCESS;
}

bool memory_read(uint64_t address, uint64_t bytes, void *out) {
    pthread_rwlock_rdlock(&map_lock);
    const struct allocation *a = allocation_at((const void *)(uintptr_t)address);
    const bool inside = a && bytes <= a->room - (address - a->base);
    if (inside) memcpy(out, (const void *)(uintptr_t)address, bytes);
    pthread_rwlock_unlock(&map_lock);
    return inside;
}

// ---- Pools and regions ----

HSA(status, hsa_amd_memory_pool_allocate, handle_t pool, size_t size, uint32_t flags, void **out) {
    NEED_RUNTIME;
    NEED(size && out, ST_INVALID_ARGUMENT);
    (void)flags; // none has a meaning here
    struct pool *p = pool_of(pool);
    NEED(p, ST_INVALID_MEMORY_POOL);
    NEED(p->segment == SEGMENT_GLOBAL, ST_INVALID_ALLOCATION);
    return memory_take(p, size, gpu_bit(p->agent), out);
}

HSA(status, hsa_amd_memory_pool_free, void *p) {
    NEED_RUNTIME;
    return p ? memory_give_back(p) : ST_SUCCESS;
}

// Memory of the system's regions is open to every GPU at once.
HSA(status, hsa_memory_allocate, handle_t region, size_t size, void **out) {
    NEED_RUNTIME;
    NEED(size && out, ST_INVALID_ARGUMENT);
    struct pool *p = pool_of(region);
    NEED(p, ST_INVALID_REGION);
    NEED(p->segment == SEGMENT_GLOBAL, ST_INVALID_ALLOCATION);
    return memory_take(p, size, p->agent->is_gpu ? gpu_bit(p->agent) : all_gpus(), out);
}
HSA(status, hsa_memory_free, void *p) { return hsa_amd_memory_pool_free(p); }

HSA(status, hsa_memory_assign_agent, void *p, handle_t agent, int access) {
    NEED_RUNTIME;
    NEED(p && access >= 1 && access <= 3, ST_INVALID_ARGUMENT);
    NEED(agent_of(agent), ST_INVALID_AGENT);
    return ST_SUCCESS; // memory has one place, and agents see each other's stores
}

HSA(status, hsa_memory_copy, void *to, const void *from, size_t size) {
    NEED_RUNTIME;
    NEED(to && from, ST_INVALID_ARGUMENT);
    NEED(host_may_access(host_pointer(to), size, true), ST_INVALID_ALLOCATION);
    NEED(host_may_access(host_pointer(from), size, false), ST_INVALID_ALLOCATION);
    if (size) memmove(host_pointer(to), host_pointer(from), size);
    running()->up->host_wrote(handle_of(host_pointer(to)), size);
    return ST_SUCCESS;
}

HSA(status, hsa_amd_memory_fill, void *p, uint32_t value, size_t count) {
    NEED_RUNTIME;
    NEED(p && !((uintptr_t)p & 3), ST_INVALID_ARGUMENT);
    uint32_t *at = host_pointer(p);
    uint64_t bytes;
    NEED(!__builtin_mul_overflow(count, sizeof *at, &bytes) && host_may_access(at, bytes, true),
         ST_INVALID_ALLOCATION);
    if (logs(LOG_BLIT))
        log_print("fill of %llu bytes at %p with 0x%x", (unsigned long long)bytes, (void *)at, value);
    if (value == (value & 0xff) * 0x01010101u)
        memset(at, (int)(value & 0xff), count * 4);
    else
        for (size_t i = 0; i < count; i++) at[i] = value;
    running()->up->host_wrote(handle_of(at), count * 4);
    return ST_SUCCESS;
}

// Registering promises nothing to agents of the base profile: they need the memory locked.
HSA(status, hsa_memory_register, void *p, size_t size) {
    NEED_RUNTIME;
    NEED(p && size, ST_INVALID_ARGUMENT);
    return ST_SUCCESS;
}
HSA(status, hsa_memory_deregister, void *p, size_t size) {
    NEED_RUNTIME;
    (void)p, (void)size;
    return ST_SUCCESS;
}

HSA(status, hsa_amd_coherency_get_type, handle_t agent, int *type) {
    NEED_RUNTIME;
    NEED(agent_gpu(agent), ST_INVALID_AGENT);
    NEED(type, ST_INVALID_ARGUMENT);
    *type = 0; // coherent
    return ST_SUCCESS;
}
HSA(status, hsa_amd_coherency_set_type, handle_t agent, int type) {
    NEED_RUNTIME;
    NEED(agent_gpu(agent), ST_INVALID_AGENT);
    NEED(type == 0 || type == 1, ST_INVALID_ARGUMENT);
    return ST_SUCCESS; // all memory is coherent, which is allowed where it need not be
}

// ---- Rights ----

HSA(status, hsa_amd_agents_allow_access, uint32_t count, const handle_t *agents, const uint32_t *flags,
    const void *p) {
    NEED_RUNTIME;
    NEED(count && agents && !flags && p, ST_INVALID_ARGUMENT);
    uint32_t access;
    status st = access_of(count, agents, &access);
    NEED(st == ST_SUCCESS, st);
    pthread_rwlock_wrlock(&map_lock);
    struct allocation *a = allocation_at(p);
    if (!a)
        st = locked_at(p) ? ST_SUCCESS : ST_INVALID_ALLOCATION;
    else {
        access |= a->pool ? gpu_bit(a->pool->agent) : 0;
        if (access != a->access) st = allocation_open(a, access);
        if (st == ST_SUCCESS) a->access = access;
    }
    pthread_rwlock_unlock(&map_lock);
    return st;
}

// ---- Locked memory ----

static status lock_range(void *host, size_t size, const handle_t *agents, int count, struct pool *pool,
                         void **agent) {
    NEED(host && size && agent && count >= 0 && (!count || agents) && (count || !agents),
         ST_INVALID_ARGUMENT);
    *agent = NULL;
    uint32_t access = all_gpus();
    status st = count ? access_of((uint32_t)count, agents, &access) : ST_SUCCESS;
    NEED(st == ST_SUCCESS, st);
    pthread_rwlock_wrlock(&map_lock);
    struct allocation *a = allocation_at(host);
    if (a) // the runtime's own: agents see it where it is
        *agent = host;
    else {
        const uint64_t lo = handle_of(host_pointer(host));
        struct locked *same = NULL;
        for (size_t i = 0; i < memory_map.locks.count; i++)
            if (memory_map.locks.items[i].host == lo && memory_map.locks.items[i].size == size)
                same = &memory_map.locks.items[i];
        if (same)
            same->count++, same->access |= access;
        else if (!array_push(
                     &memory_map.locks,
                     (struct locked){.host = lo, .size = size, .access = access, .count = 1, .pool = pool}))
            st = ST_OUT_OF_RESOURCES;
        if (st == ST_SUCCESS) st = locked_refresh(lo, lo + size);
        *agent = (void *)(uintptr_t)(lo | AGENT_BIT);
    }
    pthread_rwlock_unlock(&map_lock);
    return st;
}

HSA(status, hsa_amd_memory_lock, void *host, size_t size, handle_t *agents, int count, void **agent) {
    NEED_RUNTIME;
    return lock_range(host, size, agents, count, &running()->cpu.pools[0], agent);
}
HSA(status, hsa_amd_memory_lock_to_pool, void *host, size_t size, handle_t *agents, int count, handle_t pool,
    uint32_t flags, void **agent) {
    NEED_RUNTIME;
    NEED(!flags, ST_INVALID_ARGUMENT);
    struct pool *p = pool_of(pool);
    NEED(p && !p->agent->is_gpu, ST_INVALID_MEMORY_POOL);
    return lock_range(host, size, agents, count, p, agent);
}
HSA(status, hsa_amd_memory_unlock, void *host) {
    NEED_RUNTIME;
    NEED(host, ST_INVALID_ARGUMENT);
    pthread_rwlock_wrlock(&map_lock);
    status st = allocation_at(host) ? ST_SUCCESS : ST_INVALID_ALLOCATION;
    const uint64_t lo = handle_of(host_pointer(host));
    for (size_t i = memory_map.locks.count; i-- > 0;) {
        struct locked *l = &memory_map.locks.items[i];
        if (l->host != lo) continue;
        const uint64_t hi = lo + l->size;
        st = ST_SUCCESS;
        if (--l->count) break;
        *l = memory_map.locks.items[--memory_map.locks.count];
        locked_refresh(lo, hi);
        break;
    }
    pthread_rwlock_unlock(&map_lock);
    return st;
}

// ---- Asking ----

struct about {
    uint32_t type, flags, access;
    void *agent_base, *host_base, *user_data;
    size_t bytes;
    const struct agent *owner;
};

static void about_pointer(const void *p, struct about *out) {
    *out = (struct about){0};
    pthread_rwlock_rdlock(&map_lock);
    const struct allocation *a = allocation_at(p);
    const struct locked *l = a ? NULL : locked_at(p);
    if (a)
        *out = (struct about){.type = a->is_ipc ? POINTER_IPC : POINTER_HSA,
                              .flags = a->pool ? a->pool->flags : FLAG_COARSE,
                              .access = a->access,
                              .agent_base = (void *)(uintptr_t)a->base,
                              .host_base = (void *)(uintptr_t)a->base,
                              .bytes = a->size,
                              .user_data = a->user_data,
                              .owner = a->pool ? a->pool->agent : &running()->cpu};
    if (l)
        *out = (struct about){.type = POINTER_LOCKED,
                              .flags = l->pool->flags,
                              .access = l->access,
                              .agent_base = (void *)(uintptr_t)(l->host | AGENT_BIT),
                              .host_base = (void *)(uintptr_t)l->host,
                              .bytes = l->size,
                              .user_data = l->user_data,
                              .owner = &running()->cpu};
    pthread_rwlock_unlock(&map_lock);
}

HSA(status, hsa_amd_pointer_info, const void *p, struct pointer_info *info, void *(*alloc)(size_t),
    uint32_t *count, handle_t **accessible) {
    NEED_RUNTIME;
    NEED(p && info && info->size && (!alloc == !count || !alloc) && !(alloc && !accessible),
         ST_INVALID_ARGUMENT);
    struct about x;
    about_pointer(p, &x);
    struct pointer_info full = {.size = info->size < sizeof full ? info->size : sizeof full,
                                .type = x.type,
                                .agent_base = x.agent_base,
                                .host_base = x.host_base,
                                .bytes = x.bytes,
                                .user_data = x.user_data,
                                .owner = x.owner ? handle_of(x.owner) : 0,
                                .global_flags = x.flags};
    memcpy(info, &full, full.size);
    if (!alloc || !count || !accessible) return ST_SUCCESS;
    uint32_t n = 0;
    struct agent *a;
    if (x.type == POINTER_UNKNOWN) {
        *count = 0;
        return ST_SUCCESS;
    }
    for (unsigned i = 0; (a = agent_at(i)); i++) n += !a->is_gpu || x.access & gpu_bit(a);
    handle_t *list = alloc(n * sizeof *list);
    NEED(list, ST_OUT_OF_RESOURCES);
    *count = 0;
    for (unsigned i = 0; (a = agent_at(i)); i++)
        if (!a->is_gpu || x.access & gpu_bit(a)) list[(*count)++] = handle_of(a);
    *accessible = list;
    return ST_SUCCESS;
}

HSA(status, hsa_amd_pointer_info_set_userdata, const void *p, void *data) {
    NEED_RUNTIME;
    NEED(p, ST_INVALID_ARGUMENT);
    pthread_rwlock_wrlock(&map_lock);
    struct allocation *a = allocation_at(p);
    struct locked *l = a ? NULL : locked_at(p);
    if (a) a->user_data = data;
    if (l) l->user_data = data;
    pthread_rwlock_unlock(&map_lock);
    return a || l ? ST_SUCCESS : ST_INVALID_ARGUMENT;
}

// ---- Hearing of the end of an allocation ----

HSA(status, hsa_amd_register_deallocation_callback, void *p, void (*call)(void *, void *), void *data) {
    NEED_RUNTIME;
    NEED(p && call, ST_INVALID_ARGUMENT);
    pthread_rwlock_wrlock(&map_lock);
    struct allocation *a = allocation_at(p);
    const status st = !a                                                         ? ST_INVALID_ALLOCATION
                      : array_push(&a->callbacks, (struct callback){call, data}) ? ST_SUCCESS
                                                                                 : ST_OUT_OF_RESOURCES;
    pthread_rwlock_unlock(&map_lock);
    return st;
}
HSA(status, hsa_amd_deregister_deallocation_callback, void *p, void (*call)(void *, void *)) {
    NEED_RUNTIME;
    NEED(p && call, ST_INVALID_ARGUMENT);
    status st = ST_INVALID_ARGUMENT;
    pthread_rwlock_wrlock(&map_lock);
    struct allocation *a = allocation_at(p);
    for (size_t i = 0; a && i < a->callbacks.count; i++)
        if (a->callbacks.items[i].call == call) {
            memmove(&a->callbacks.items[i], &a->callbacks.items[i + 1],
                    (--a->callbacks.count - i) * sizeof *a->callbacks.items);
            st = ST_SUCCESS;
            break;
        }
    pthread_rwlock_unlock(&map_lock);
    return st;
}
