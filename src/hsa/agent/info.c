// SPDX-License-Identifier: MIT
// What the interface says of agents and their caches.
#include <string.h>

#include "hsa/agent/agent.h"

HSA(status, hsa_iterate_agents, status (*callback)(handle_t, void *), void *data) {
    NEED_RUNTIME;
    NEED(callback, ST_INVALID_ARGUMENT);
    struct agent *a;
    for (unsigned i = 0; (a = agent_at(i)); i++) {
        const status st = callback(handle_of(a), data);
        if (st != ST_SUCCESS) return st;
    }
    return ST_SUCCESS;
}

#define PUT(type, ...) (*(type *)value = (type)(__VA_ARGS__))
static void put_text(void *value, const char *text, size_t room) {
    memset(value, 0, room);
    memcpy(value, text, strnlen(text, room - 1));
}

static uint32_t memory_width(const struct agent *a) { return a->is_gpu ? a->product.bus_bits : 0; }

static status standard_info(const struct agent *a, uint32_t attribute, void *value) {
    const bool gpu = a->is_gpu;
    switch (attribute) {
    case AGENT_INFO_NAME: put_text(value, a->name, 64); break;
    case AGENT_INFO_VENDOR_NAME: put_text(value, a->vendor, 64); break;
    case AGENT_INFO_FEATURE: PUT(uint32_t, gpu ? FEATURE_KERNEL_DISPATCH : 0); break;
    case AGENT_INFO_MACHINE_MODEL: PUT(uint32_t, 1); break;
    case AGENT_INFO_PROFILE: PUT(uint32_t, gpu ? PROFILE_BASE : PROFILE_FULL); break;
    case AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE: PUT(uint32_t, 2); break; // rounding to nearest
    case AGENT_INFO_WAVEFRONT_SIZE: PUT(uint32_t, gpu ? (a->info.wave_sizes & 32 ? 32 : 64) : 0); break;
    case AGENT_INFO_WORKGROUP_MAX_DIM:
        for (int i = 0; i < 3; i++) ((uint16_t *)value)[i] = gpu ? 1024 : 0;
        break;
    case AGENT_INFO_WORKGROUP_MAX_SIZE: PUT(uint32_t, gpu ? 1024 : 0); break;
    case AGENT_INFO_GRID_MAX_DIM:
        for (int i = 0; i < 3; i++) ((uint32_t *)value)[i] = gpu ? UINT32_MAX : 0;
        break;
    case AGENT_INFO_GRID_MAX_SIZE: PUT(uint32_t, gpu ? UINT32_MAX : 0); break;
    case AGENT_INFO_FBARRIER_MAX_SIZE: PUT(uint32_t, gpu ? 32 : 0); break;
    case AGENT_INFO_QUEUES_MAX: PUT(uint32_t, gpu ? 128 : 0); break;
    case AGENT_INFO_QUEUE_MIN_SIZE: PUT(uint32_t, gpu ? 64 : 0); break;
    case AGENT_INFO_QUEUE_MAX_SIZE: PUT(uint32_t, gpu ? 131072 : 0); break;
    case AGENT_INFO_QUEUE_TYPE: PUT(uint32_t, QUEUE_MULTI); break;
    case AGENT_INFO_NODE: PUT(uint32_t, a->index); break;
    case AGENT_INFO_DEVICE: PUT(uint32_t, gpu ? DEVICE_GPU : DEVICE_CPU); break;
    case AGENT_INFO_CACHE_SIZE:
        memset(value, 0, 16);
        for (unsigned i = 0; i < a->cache_count; i++)
            ((uint32_t *)value)[a->caches[i].level - 1] = a->caches[i].bytes;
        break;
    case AGENT_INFO_ISA: PUT(handle_t, gpu ? handle_of(a->isa) : 0); break;
    case AGENT_INFO_EXTENSIONS:
        memset(value, 0, 128);
        if (gpu) ((uint8_t *)value)[EXT_IMAGES / 8] |= 1 << EXT_IMAGES % 8;
        break;
    case AGENT_INFO_VERSION_MAJOR: PUT(uint16_t, 1); break;
    case AGENT_INFO_VERSION_MINOR: PUT(uint16_t, 1); break;
    case AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES: PUT(uint32_t, 2); break;
    case AGENT_INFO_FAST_F16_OPERATION: PUT(bool, gpu && a->info.isa_major >= 8); break;
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}

// Limits of images, which programs ask for before they use pitched memory.
static status image_info(const struct agent *a, uint32_t attribute, void *value) {
    static const uint32_t limits[] = {16384, 16384, 1u << 27, 0, 0, 0, 0, 0, 2048, 128, 64, 16, 256};
    NEED(a->is_gpu && attribute - AGENT_INFO_IMAGE_1D_MAX_ELEMENTS < sizeof limits / sizeof *limits,
         ST_INVALID_ARGUMENT);
    switch (attribute) {
    case AGENT_INFO_IMAGE_2D_MAX_ELEMENTS:
    case AGENT_INFO_IMAGE_2DA_MAX_ELEMENTS:
    case AGENT_INFO_IMAGE_2DDEPTH_MAX_ELEMENTS:
    case AGENT_INFO_IMAGE_2DADEPTH_MAX_ELEMENTS:
        ((uint32_t *)value)[0] = ((uint32_t *)value)[1] = 16384;
        break;
    case AGENT_INFO_IMAGE_3D_MAX_ELEMENTS:
        for (int i = 0; i < 3; i++) ((uint32_t *)value)[i] = 2048;
        break;
    default: PUT(uint32_t, limits[attribute - AGENT_INFO_IMAGE_1D_MAX_ELEMENTS]); break;
    }
    return ST_SUCCESS;
}

HSA(status, hsa_amd_agent_set_async_scratch_limit, handle_t agent, size_t limit) {
    NEED_RUNTIME;
    struct agent *a = agent_gpu(agent);
    NEED(a, ST_INVALID_AGENT);
    NEED(limit <= scratch_most(a), ST_INVALID_ARGUMENT);
    __atomic_store_n(&a->scratch_limit, limit, __ATOMIC_RELAXED);
    return ST_SUCCESS;
}

static status amd_info(struct agent *a, uint32_t attribute, void *value) {
    const struct product *p = &a->product;
    const bool gpu = a->is_gpu;
    switch (attribute) {
    case AMD_AGENT_INFO_CHIP_ID: PUT(uint32_t, p->chip); break;
    case AMD_AGENT_INFO_CACHELINE_SIZE: PUT(uint32_t, 64); break;
    case AMD_AGENT_INFO_COMPUTE_UNIT_COUNT: PUT(uint32_t, p->cus); break;
    case AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY: PUT(uint32_t, p->mhz); break;
    case AMD_AGENT_INFO_DRIVER_NODE_ID: PUT(uint32_t, a->index); break;
    case AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS: PUT(uint32_t, gpu ? 4 : 1); break;
    case AMD_AGENT_INFO_BDFID: PUT(uint32_t, gpu ? 0x300 + 0x100 * a->gpu : 0); break;
    case AMD_AGENT_INFO_MEMORY_WIDTH: PUT(uint32_t, memory_width(a)); break;
    case AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY: PUT(uint32_t, p->memory_mhz); break;
    case AMD_AGENT_INFO_PRODUCT_NAME: put_text(value, a->product_name, 64); break;
    case AMD_AGENT_INFO_MAX_WAVES_PER_CU:
        PUT(uint32_t, gpu ? a->info.simds_per_cu * a->info.waves_per_simd : 0);
        break;
    case AMD_AGENT_INFO_NUM_SIMDS_PER_CU: PUT(uint32_t, gpu ? a->info.simds_per_cu : 0); break;
    case AMD_AGENT_INFO_NUM_SHADER_ENGINES: PUT(uint32_t, p->engines); break;
    case AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE: PUT(uint32_t, p->arrays); break;
    case AMD_AGENT_INFO_HDP_FLUSH: memset(value, 0, 16); break; // no flush is needed
    case AMD_AGENT_INFO_DOMAIN: PUT(uint32_t, 0); break;
    case AMD_AGENT_INFO_COOPERATIVE_QUEUES:
        PUT(bool, gpu && a->info.isa_major >= 9);
        break; // with global wave sync
    case AMD_AGENT_INFO_UUID: put_text(value, a->uuid, 21); break;
    case AMD_AGENT_INFO_ASIC_REVISION: PUT(uint32_t, gpu ? 1 : 0); break;
    case AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS: PUT(bool, gpu && a->target.xnack == SW_SETTING_ON); break;
    case AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT: PUT(uint32_t, p->cus); break;
    case AMD_AGENT_INFO_MEMORY_AVAIL:
        PUT(uint64_t,
            gpu ? a->pools[0].size - __atomic_load_n(&a->pools[0].used, __ATOMIC_RELAXED) : host_memory());
        break;
    case AMD_AGENT_INFO_TIMESTAMP_FREQUENCY: PUT(uint64_t, 100000000); break;
    case AMD_AGENT_INFO_ASIC_FAMILY_ID: PUT(uint32_t, 0); break;
    case AMD_AGENT_INFO_UCODE_VERSION: PUT(uint32_t, 0); break; // no firmware
    case AMD_AGENT_INFO_SDMA_UCODE_VERSION: PUT(uint32_t, 0); break;
    case AMD_AGENT_INFO_NUM_SDMA_ENG: PUT(uint32_t, gpu ? 2 : 0); break;
    case AMD_AGENT_INFO_NUM_SDMA_XGMI_ENG: PUT(uint32_t, 0); break;
    case AMD_AGENT_INFO_IOMMU_SUPPORT: PUT(uint32_t, 0); break;
    case AMD_AGENT_INFO_NUM_XCC: PUT(uint32_t, gpu ? p->xccs : 0); break;
    case AMD_AGENT_INFO_DRIVER_UID: PUT(uint32_t, a->index); break;
    case AMD_AGENT_INFO_NEAREST_CPU: PUT(handle_t, handle_of(&running()->cpu)); break;
    case AMD_AGENT_INFO_MEMORY_PROPERTIES: memset(value, 0, 8); break;
    case AMD_AGENT_INFO_AQL_EXTENSIONS: memset(value, 0, 8); break;
    case AMD_AGENT_INFO_SCRATCH_LIMIT_MAX: PUT(uint64_t, scratch_most(a)); break;
    case AMD_AGENT_INFO_SCRATCH_LIMIT_CURRENT:
        PUT(uint64_t, gpu ? __atomic_load_n(&a->scratch_limit, __ATOMIC_RELAXED) : 0);
        break;
    case AMD_AGENT_INFO_CLOCK_COUNTERS: { // clocks of the GPU, the CPU and the system, which are one; ticks
                                          // in a second
        const uint64_t now = monotonic_ns();
        for (int i = 0; i < 3; i++) ((uint64_t *)value)[i] = now;
        ((uint64_t *)value)[3] = 1000000000;
        break;
    }
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}

HSA(status, hsa_agent_get_info, handle_t agent, uint32_t attribute, void *value) {
    NEED_RUNTIME;
    struct agent *a = agent_of(agent);
    NEED(a, ST_INVALID_AGENT);
    NEED(value, ST_INVALID_ARGUMENT);
    if (attribute >= AMD_AGENT_INFO_CHIP_ID) return amd_info(a, attribute, value);
    if (attribute >= AGENT_INFO_IMAGE_1D_MAX_ELEMENTS) return image_info(a, attribute, value);
    return standard_info(a, attribute, value);
}

HSA(status, hsa_amd_image_get_info_max_dim, handle_t agent, uint32_t attribute, void *value) {
    NEED_RUNTIME;
    struct agent *a = agent_gpu(agent);
    NEED(a, ST_INVALID_AGENT);
    NEED(value, ST_INVALID_ARGUMENT);
    return image_info(a, attribute, value);
}

HSA(status, hsa_agent_get_exception_policies, handle_t agent, int profile, uint16_t *mask) {
    NEED_RUNTIME;
    NEED(agent_of(agent), ST_INVALID_AGENT);
    NEED(mask && (profile == PROFILE_BASE || profile == PROFILE_FULL), ST_INVALID_ARGUMENT);
    *mask = DETECT_POLICY;
    return ST_SUCCESS;
}

// ---- Caches ----

static struct cache *cache_of(handle_t handle) {
    struct agent *a;
    for (unsigned i = 0; (a = agent_at(i)); i++)
        for (unsigned c = 0; c < a->cache_count; c++)
            if (handle_of(&a->caches[c]) == handle) return &a->caches[c];
    return NULL;
}

HSA(status, hsa_cache_get_info, handle_t cache, int attribute, void *value) {
    NEED_RUNTIME;
    const struct cache *c = cache_of(cache);
    NEED(c, ST_INVALID_CACHE);
    NEED(value, ST_INVALID_ARGUMENT);
    switch (attribute) {
    case CACHE_INFO_NAME_LENGTH: PUT(uint32_t, strlen(c->name)); break;
    case CACHE_INFO_NAME: memcpy(value, c->name, strlen(c->name)); break;
    case CACHE_INFO_LEVEL: PUT(uint8_t, c->level); break;
    case CACHE_INFO_SIZE: PUT(uint32_t, c->bytes); break;
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}

HSA(status, hsa_agent_iterate_caches, handle_t agent, status (*callback)(handle_t, void *), void *data) {
    NEED_RUNTIME;
    struct agent *a = agent_of(agent);
    NEED(a, ST_INVALID_AGENT);
    NEED(callback, ST_INVALID_ARGUMENT);
    for (unsigned i = 0; i < a->cache_count; i++) {
        const status st = callback(handle_of(&a->caches[i]), data);
        if (st != ST_SUCCESS) return st;
    }
    return ST_SUCCESS;
}
