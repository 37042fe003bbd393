// SPDX-License-Identifier: MIT
// Instruction sets: an agent has one, named with both features as clients compare it. Others can be asked for
// by name.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hsa/agent/agent.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct isa *list; // never gets shorter

static struct isa *intern(const sw_target *target, const char *name) {
    pthread_mutex_lock(&lock);
    struct isa *i = list;
    while (i && strcmp(i->name, name)) i = i->next;
    if (!i && (i = calloc(1, sizeof *i))) {
        i->target = *target;
        snprintf(i->name, sizeof i->name, "%s", name);
        sw_processor_info info = {.size = sizeof info};
        sw_processor_get_info(target->processor, &info);
        for (unsigned w = 32; w <= 64; w += 32)
            if (info.wave_sizes & w) i->wave_sizes[i->wave_count++] = w;
        i->next = list;
        list = i;
    }
    pthread_mutex_unlock(&lock);
    return i;
}

struct isa *isa_of_target(const sw_target *target) {
    char id[SW_TARGET_TEXT], name[80];
    sw_target_format(target, id);
    snprintf(name, sizeof name, "amdgcn-amd-amdhsa--%.60s", id);
    return intern(target, name);
}

struct isa *isa_of_handle(handle_t handle) {
    pthread_mutex_lock(&lock);
    struct isa *i = list;
    while (i && handle_of(i) != handle) i = i->next;
    pthread_mutex_unlock(&lock);
    return i;
}

HSA(status, hsa_isa_from_name, const char *name, handle_t *isa) {
    NEED_RUNTIME;
    NEED(name && isa, ST_INVALID_ARGUMENT);
    static const char triple[] = "amdgcn-amd-amdhsa--";
    sw_target t;
    if (strncmp(name, triple, sizeof triple - 1) ||
        sw_target_parse(name + sizeof triple - 1, strlen(name + sizeof triple - 1), &t, NULL) != SW_OK)
        return ST_INVALID_ISA_NAME;
    struct isa *i = isa_of_target(&t);
    NEED(i, ST_OUT_OF_RESOURCES);
    *isa = handle_of(i);
    return ST_SUCCESS;
}

HSA(status, hsa_agent_iterate_isas, handle_t agent, status (*callback)(handle_t, void *), void *data) {
    NEED_RUNTIME;
    struct agent *a = agent_of(agent);
    NEED(a, ST_INVALID_AGENT);
    NEED(callback, ST_INVALID_ARGUMENT);
    return a->isa ? callback(handle_of(a->isa), data) : ST_INVALID_AGENT;
}

#define PUT(type, ...) (*(type *)value = (type)(__VA_ARGS__))

HSA(status, hsa_isa_get_info_alt, handle_t isa, int attribute, void *value) {
    NEED_RUNTIME;
    const struct isa *i = isa_of_handle(isa);
    NEED(i, ST_INVALID_ISA);
    NEED(value, ST_INVALID_ARGUMENT);
    switch (attribute) {
    case ISA_INFO_NAME_LENGTH:
        PUT(uint32_t, strlen(i->name) + 1);
        break; // clients make room by it and read a string
    case ISA_INFO_NAME: memcpy(value, i->name, strlen(i->name) + 1); break;
    case ISA_INFO_CALL_CONVENTION_COUNT: PUT(uint32_t, 1); break;
    case ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE: PUT(uint32_t, i->wave_sizes[0]); break;
    case ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT: {
        sw_processor_info info = {.size = sizeof info};
        sw_processor_get_info(i->target.processor, &info);
        PUT(uint32_t, info.simds_per_cu * info.waves_per_simd);
        break;
    }
    case ISA_INFO_MACHINE_MODELS: // machine models: small, large
        ((bool *)value)[0] = false;
        ((bool *)value)[1] = true;
        break;
    case ISA_INFO_PROFILES: // profiles: base, full
        ((bool *)value)[0] = true;
        ((bool *)value)[1] = false;
        break;
    case ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES:
    case ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES: // rounding: default, to zero, to nearest
        ((bool *)value)[0] = false;
        ((bool *)value)[1] = false;
        ((bool *)value)[2] = true;
        break;
    case ISA_INFO_FAST_F16_OPERATION: PUT(bool, true); break;
    case ISA_INFO_WORKGROUP_MAX_DIM:
        for (int n = 0; n < 3; n++) ((uint16_t *)value)[n] = 1024;
        break;
    case ISA_INFO_WORKGROUP_MAX_SIZE: PUT(uint32_t, 1024); break;
    case ISA_INFO_GRID_MAX_DIM:
        for (int n = 0; n < 3; n++) ((uint32_t *)value)[n] = UINT32_MAX;
        break;
    case ISA_INFO_GRID_MAX_SIZE: PUT(uint64_t, UINT32_MAX); break;
    case ISA_INFO_FBARRIER_MAX_SIZE: PUT(uint32_t, 32); break;
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}

HSA(status, hsa_isa_get_info, handle_t isa, int attribute, uint32_t index, void *value) {
    if ((attribute == 3 || attribute == 4) && index) return ST_INVALID_INDEX;
    return hsa_isa_get_info_alt(isa, attribute, value);
}

HSA(status, hsa_isa_get_exception_policies, handle_t isa, int profile, uint16_t *mask) {
    NEED_RUNTIME;
    NEED(isa_of_handle(isa), ST_INVALID_ISA);
    NEED(mask && (profile == PROFILE_BASE || profile == PROFILE_FULL), ST_INVALID_ARGUMENT);
    *mask = DETECT_POLICY;
    return ST_SUCCESS;
}

HSA(status, hsa_isa_get_round_method, handle_t isa, int type, int flush, int *method) {
    NEED_RUNTIME;
    NEED(isa_of_handle(isa), ST_INVALID_ISA);
    NEED(method && (type == 1 || type == 2 || type == 4) && (flush == 1 || flush == 2), ST_INVALID_ARGUMENT);
    *method = 1; // one rounding
    return ST_SUCCESS;
}

// A wavefront's handle is the address of its size in the ISA.
static const uint32_t *wavefront_of(handle_t handle) {
    const uint32_t *found = NULL;
    pthread_mutex_lock(&lock);
    for (struct isa *i = list; i && !found; i = i->next)
        for (unsigned w = 0; w < i->wave_count; w++)
            if (handle_of(&i->wave_sizes[w]) == handle) found = &i->wave_sizes[w];
    pthread_mutex_unlock(&lock);
    return found;
}

HSA(status, hsa_wavefront_get_info, handle_t wavefront, int attribute, void *value) {
    NEED_RUNTIME;
    const uint32_t *w = wavefront_of(wavefront);
    NEED(w, ST_INVALID_WAVEFRONT);
    NEED(value && !attribute, ST_INVALID_ARGUMENT);
    PUT(uint32_t, *w);
    return ST_SUCCESS;
}

HSA(status, hsa_isa_iterate_wavefronts, handle_t isa, status (*callback)(handle_t, void *), void *data) {
    NEED_RUNTIME;
    const struct isa *i = isa_of_handle(isa);
    NEED(i, ST_INVALID_ISA);
    NEED(callback, ST_INVALID_ARGUMENT);
    for (unsigned w = 0; w < i->wave_count; w++) {
        const status st = callback(handle_of(&i->wave_sizes[w]), data);
        if (st != ST_SUCCESS) return st;
    }
    return ST_SUCCESS;
}

HSA(status, hsa_isa_compatible, handle_t code, handle_t agent, bool *result) {
    NEED_RUNTIME;
    const struct isa *c = isa_of_handle(code), *a = isa_of_handle(agent);
    NEED(c && a, ST_INVALID_ISA);
    NEED(result, ST_INVALID_ARGUMENT);
    sw_processor_info info = {.size = sizeof info};
    sw_processor_get_info(c->target.processor, &info);
    *result = sw_target_compatible(&c->target, info.generic_version, &a->target);
    return ST_SUCCESS;
}

void isas_forget(void) { pthread_mutex_init(&lock, NULL); }
