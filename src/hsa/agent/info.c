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
    case 0: put_text(value, a->name, 64); break;
    case 1: put_text(value, a->vendor, 64); break;
    case 2: PUT(uint32_t, gpu ? FEATURE_KERNEL_DISPATCH : 0); break;
    case 3: PUT(uint32_t, 1); break; // large machine model
    case 4: PUT(uint32_t, gpu ? PROFILE_BASE : PROFILE_FULL); break;
    case 5: PUT(uint32_t, 2); break; // rounding to nearest
    case 6: PUT(uint32_t, gpu ? (a->info.wave_sizes & 32 ? 32 : 64) : 0); break;
    case 7:
        for (int i = 0; i < 3; i++) ((uint16_t *)value)[i] = gpu ? 1024 : 0;
        break;
    case 8: PUT(uint32_t, gpu ? 1024 : 0); break;
    case 9:
        for (int i = 0; i < 3; i++) ((uint32_t *)value)[i] = gpu ? UINT32_MAX : 0;
        break;
    case 10: PUT(uint32_t, gpu ? UINT32_MAX : 0); break;
    case 11: PUT(uint32_t, gpu ? 32 : 0); break;
    case 12: PUT(uint32_t, gpu ? 128 : 0); break;
    case 13: PUT(uint32_t, gpu ? 64 : 0); break;
    case 14: PUT(uint32_t, gpu ? 131072 : 0); break;
    case 15: PUT(uint32_t, QUEUE_MULTI); break;
    case 16: PUT(uint32_t, a->index); break;
    case 17: PUT(uint32_t, gpu ? DEVICE_GPU : DEVICE_CPU); break;
    case 18:
        memset(value, 0, 16);
        for (unsigned i = 0; i < a->cache_count; i++)
            ((uint32_t *)value)[a->caches[i].level - 1] = a->caches[i].bytes;
        break;
    case 19: PUT(handle_t, gpu ? handle_of(a->isa) : 0); break;
    case 20:
        memset(value, 0, 128);
        if (gpu) ((uint8_t *)value)[EXT_IMAGES / 8] |= 1 << EXT_IMAGES % 8;
        break;
    case 21: PUT(uint16_t, 1); break;
    case 22: PUT(uint16_t, 1); break;
    case 23: PUT(uint32_t, 2); break;
    case 24: PUT(bool, gpu && a->info.isa_major >= 8); break; // fast half precision
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}

// Limits of images, which programs ask for before they use pitched memory.
static status image_info(const struct agent *a, uint32_t attribute, void *value) {
    static const uint32_t limits[] = {16384, 16384, 1u << 27, 0, 0, 0, 0, 0, 2048, 128, 64, 16, 256};
    NEED(a->is_gpu && attribute - 0x3000 < sizeof limits / sizeof *limits, ST_INVALID_ARGUMENT);
    switch (attribute) {
    case 0x3003:
    case 0x3004:
    case 0x3005:
    case 0x3006: ((uint32_t *)value)[0] = ((uint32_t *)value)[1] = 16384; break;
    case 0x3007:
        for (int i = 0; i < 3; i++) ((uint32_t *)value)[i] = 2048;
        break;
    default: PUT(uint32_t, limits[attribute - 0x3000]); break;
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
    case 0xa000: PUT(uint32_t, p->chip); break;
    case 0xa001: PUT(uint32_t, 64); break;
    case 0xa002: PUT(uint32_t, p->cus); break;
    case 0xa003: PUT(uint32_t, p->mhz); break;
    case 0xa004: PUT(uint32_t, a->index); break;
    case 0xa005: PUT(uint32_t, gpu ? 4 : 1); break;
    case 0xa006: PUT(uint32_t, gpu ? 0x300 + 0x100 * a->gpu : 0); break;
    case 0xa007: PUT(uint32_t, memory_width(a)); break;
    case 0xa008: PUT(uint32_t, p->memory_mhz); break;
    case 0xa009: put_text(value, a->product_name, 64); break;
    case 0xa00a: PUT(uint32_t, gpu ? a->info.simds_per_cu * a->info.waves_per_simd : 0); break;
    case 0xa00b: PUT(uint32_t, gpu ? a->info.simds_per_cu : 0); break;
    case 0xa00c: PUT(uint32_t, p->engines); break;
    case 0xa00d: PUT(uint32_t, p->arrays); break;
    case 0xa00e: memset(value, 0, 16); break; // no flush is needed
    case 0xa00f: PUT(uint32_t, 0); break;
    case 0xa010: PUT(bool, gpu && a->info.isa_major >= 9); break; // with global wave sync
    case 0xa011: put_text(value, a->uuid, 21); break;
    case 0xa012: PUT(uint32_t, gpu ? 1 : 0); break;
    case 0xa013: PUT(bool, gpu && a->target.xnack == SW_ON); break;
    case 0xa014: PUT(uint32_t, p->cus); break;
    case 0xa015:
        PUT(uint64_t,
            gpu ? a->pools[0].size - __atomic_load_n(&a->pools[0].used, __ATOMIC_RELAXED) : host_memory());
        break;
    case 0xa016: PUT(uint64_t, 100000000); break;
    case 0xa107: PUT(uint32_t, 0); break; // family
    case 0xa108: PUT(uint32_t, 0); break; // no firmware
    case 0xa109: PUT(uint32_t, 0); break;
    case 0xa10a: PUT(uint32_t, gpu ? 2 : 0); break; // engines that copy
    case 0xa10b: PUT(uint32_t, 0); break;
    case 0xa110: PUT(uint32_t, 0); break;
    case 0xa111: PUT(uint32_t, gpu ? p->xccs : 0); break;
    case 0xa112: PUT(uint32_t, a->index); break;
    case 0xa113: PUT(handle_t, handle_of(&running()->cpu)); break;
    case 0xa114: memset(value, 0, 8); break;
    case 0xa115: memset(value, 0, 8); break;
    case 0xa116: PUT(uint64_t, scratch_most(a)); break;
    case 0xa117: PUT(uint64_t, gpu ? __atomic_load_n(&a->scratch_limit, __ATOMIC_RELAXED) : 0); break;
    case 0xa118: { // clocks of the GPU, the CPU and the system, which are one; ticks in a second
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
    if (attribute >= 0xa000) return amd_info(a, attribute, value);
    if (attribute >= 0x3000) return image_info(a, attribute, value);
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
    case 0: PUT(uint32_t, strlen(c->name)); break;
    case 1: memcpy(value, c->name, strlen(c->name)); break;
    case 2: PUT(uint8_t, c->level); break;
    case 3: PUT(uint32_t, c->bytes); break;
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
