// SPDX-License-Identifier: MIT
// Memory pools and regions, which are two views of the same: the CPU's fine-grained, argument and
// coarse-grained memory, and each GPU's own.
#include <string.h>

#include "hsa/memory/memory.h"

struct pool *pool_of(handle_t handle) {
    struct agent *a;
    for (unsigned i = 0; (a = agent_at(i)); i++)
        for (unsigned p = 0; p < a->pool_count; p++)
            if (handle_of(&a->pools[p]) == handle) return &a->pools[p];
    return NULL;
}

#define PUT(type, ...) (*(type *)value = (type)(__VA_ARGS__))
static bool allocates(const struct pool *p) { return p->segment == SEGMENT_GLOBAL; }

HSA(status, hsa_amd_memory_pool_get_info, handle_t pool, int attribute, void *value) {
    NEED_RUNTIME;
    const struct pool *p = pool_of(pool);
    NEED(p, ST_INVALID_MEMORY_POOL);
    NEED(value, ST_INVALID_ARGUMENT);
    switch (attribute) {
    case AMD_MEMORY_POOL_INFO_SEGMENT: PUT(uint32_t, p->segment); break;
    case AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS: PUT(uint32_t, p->flags); break;
    case AMD_MEMORY_POOL_INFO_SIZE: PUT(size_t, p->size); break;
    case AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED: PUT(bool, allocates(p)); break;
    case AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE:
    case AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT: PUT(size_t, allocates(p) ? PAGE : 0); break;
    case AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL: PUT(bool, !p->agent->is_gpu); break;
    case AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE: PUT(size_t, allocates(p) ? p->size : 0); break;
    case AMD_MEMORY_POOL_INFO_LOCATION: PUT(uint32_t, p->agent->is_gpu); break;
    case AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_REC_GRANULE: PUT(size_t, allocates(p) ? 2u << 20 : 0); break;
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}

HSA(status, hsa_amd_agent_iterate_memory_pools, handle_t agent, status (*callback)(handle_t, void *),
    void *data) {
    NEED_RUNTIME;
    struct agent *a = agent_of(agent);
    NEED(a, ST_INVALID_AGENT);
    NEED(callback, ST_INVALID_ARGUMENT);
    for (unsigned i = 0; i < a->pool_count; i++) {
        const status st = callback(handle_of(&a->pools[i]), data);
        if (st != ST_SUCCESS) return st;
    }
    return ST_SUCCESS;
}

HSA(status, hsa_amd_agent_memory_pool_get_info, handle_t agent, handle_t pool, int attribute, void *value) {
    NEED_RUNTIME;
    const struct agent *a = agent_of(agent);
    NEED(a, ST_INVALID_AGENT);
    const struct pool *p = pool_of(pool);
    NEED(p, ST_INVALID_MEMORY_POOL);
    NEED(value, ST_INVALID_ARGUMENT);
    const bool own = p->agent == a;
    switch (attribute) {
    case AMD_AGENT_MEMORY_POOL_INFO_ACCESS:
        PUT(uint32_t, own             ? AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT
                      : !allocates(p) ? AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED
                                      : AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT);
        break;
    case AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS: PUT(uint32_t, own ? 0 : 1); break;
    case AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO:
        if (!own)
            *(struct link_info *)value = (struct link_info){.atomic32 = true,
                                                            .atomic64 = true,
                                                            .coherent = true,
                                                            .type = 2 /* PCIe */,
                                                            .numa_distance = 20};
        break;
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}

HSA(status, hsa_amd_memory_pool_can_migrate, handle_t from, handle_t to, bool *result) {
    NEED_RUNTIME;
    NEED(pool_of(from) && pool_of(to), ST_INVALID_MEMORY_POOL);
    NEED(result, ST_INVALID_ARGUMENT);
    *result = false;
    return ST_SUCCESS;
}
HSA(status, hsa_amd_memory_migrate, const void *p, handle_t pool, uint32_t flags) {
    NEED_RUNTIME;
    NEED(pool_of(pool), ST_INVALID_MEMORY_POOL);
    NEED(p && !flags, ST_INVALID_ARGUMENT);
    return ST_OUT_OF_RESOURCES; // no pool can be migrated to, as hsa_amd_memory_pool_can_migrate says
}

// ---- Regions ----

HSA(status, hsa_region_get_info, handle_t region, int attribute, void *value) {
    NEED_RUNTIME;
    const struct pool *p = pool_of(region);
    NEED(p, ST_INVALID_REGION);
    NEED(value, ST_INVALID_ARGUMENT);
    switch (attribute) {
    case REGION_INFO_SEGMENT: PUT(uint32_t, p->segment); break;
    case REGION_INFO_GLOBAL_FLAGS: PUT(uint32_t, p->flags); break;
    case REGION_INFO_SIZE: PUT(size_t, p->size); break;
    case REGION_INFO_ALLOC_MAX_SIZE: PUT(size_t, allocates(p) ? p->size : 0); break;
    case REGION_INFO_RUNTIME_ALLOC_ALLOWED: PUT(bool, allocates(p)); break;
    case REGION_INFO_RUNTIME_ALLOC_GRANULE:
    case REGION_INFO_RUNTIME_ALLOC_ALIGNMENT: PUT(size_t, allocates(p) ? PAGE : 0); break;
    case REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE: PUT(uint32_t, 0); break;
    case AMD_REGION_INFO_HOST_ACCESSIBLE: PUT(bool, true); break; // the CPU sees it
    case AMD_REGION_INFO_BASE: PUT(void *, NULL); break;          // no base that all of it has
    case AMD_REGION_INFO_BUS_WIDTH: PUT(uint32_t, p->agent->product.bus_bits); break;
    case AMD_REGION_INFO_MAX_CLOCK_FREQUENCY: PUT(uint32_t, p->agent->product.memory_mhz); break;
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}

static status iterate(struct agent *a, status (*callback)(handle_t, void *), void *data) {
    status st = ST_SUCCESS;
    for (unsigned i = 0; st == ST_SUCCESS && i < a->pool_count; i++)
        st = callback(handle_of(&a->pools[i]), data);
    return st;
}
// Of a GPU: its own before the system's, so that each finds its own memory first.
HSA(status, hsa_agent_iterate_regions, handle_t agent, status (*callback)(handle_t, void *), void *data) {
    NEED_RUNTIME;
    struct agent *a = agent_of(agent);
    NEED(a, ST_INVALID_AGENT);
    NEED(callback, ST_INVALID_ARGUMENT);
    status st = iterate(a, callback, data);
    if (st == ST_SUCCESS && a->is_gpu) st = iterate(&running()->cpu, callback, data);
    return st;
}
