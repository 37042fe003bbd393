// SPDX-License-Identifier: MIT
// What clients set and ask of a queue: its priority, its compute units, profiling, its agent and doorbell.
#include <string.h>

#include "hsa/queue/queue.h"

HSA(status, hsa_amd_queue_set_priority, struct aql_queue *hsa, int priority) {
    NEED_RUNTIME;
    struct queue *q = queue_of(hsa);
    NEED(q, ST_INVALID_QUEUE);
    NEED(priority >= 0 && priority <= 2, ST_INVALID_ARGUMENT);
    q->priority = (unsigned)priority;
    return ST_SUCCESS;
}

static bool mask_bit(const uint32_t *mask, uint32_t i) { return mask[i / 32] >> i % 32 & 1; }

// HSA_CU_MASK limits all queues of an agent.
static bool may_have(const struct agent *a, uint32_t unit) {
    return unit < a->product.cus && unit < 32 * CU_MASK_WORDS &&
           (!a->is_masked || mask_bit(a->cu_mask, unit));
}

// From GFX10 on, two compute units are one work-group processor, which is on or off as a whole.
static bool splits_pair(const struct agent *a, uint32_t bits, const uint32_t *mask) {
    for (uint32_t i = 0; a->info.isa_major >= 10 && i + 1 < bits && i + 1 < a->product.cus; i += 2)
        if (mask_bit(mask, i) != mask_bit(mask, i + 1)) return true;
    return false;
}

// Bits behind the last unit are dropped. A mask may be empty: dispatches then run as without a mask, as they
// could never end otherwise.
HSA(status, hsa_amd_queue_cu_set_mask, const struct aql_queue *hsa, uint32_t bits, const uint32_t *mask) {
    NEED_RUNTIME;
    struct queue *q = queue_of(hsa);
    NEED(q && !q->soft, ST_INVALID_QUEUE);
    NEED(!(bits % 32) && (mask || !bits), ST_INVALID_ARGUMENT);
    NEED(!splits_pair(q->agent, bits, mask), ST_INVALID_ARGUMENT);
    uint32_t wanted[CU_MASK_WORDS] = {0};
    bool reduced = false;
    for (uint32_t i = 0; i < (bits ? bits : 32 * CU_MASK_WORDS); i++) {
        if (bits && !mask_bit(mask, i)) continue;
        if (may_have(q->agent, i))
            wanted[i / 32] |= 1u << i % 32;
        else
            reduced |= bits && q->agent->is_masked;
    }
    queue_hold(q);
    memcpy(q->cu_mask, wanted, sizeof wanted);
    q->is_masked = bits || q->agent->is_masked;
    queue_let_go(q);
    return reduced ? ST_CU_MASK_REDUCED : ST_SUCCESS;
}
HSA(status, hsa_amd_queue_cu_get_mask, const struct aql_queue *hsa, uint32_t bits, uint32_t *mask) {
    NEED_RUNTIME;
    struct queue *q = queue_of(hsa);
    NEED(q && !q->soft, ST_INVALID_QUEUE);
    NEED(bits && !(bits % 32) && mask, ST_INVALID_ARGUMENT);
    memset(mask, 0, bits / 8);
    queue_hold(q);
    for (uint32_t i = 0; i < bits; i++)
        if (may_have(q->agent, i) && (!q->is_masked || mask_bit(q->cu_mask, i))) mask[i / 32] |= 1u << i % 32;
    queue_let_go(q);
    return ST_SUCCESS;
}

HSA(status, hsa_amd_profiling_set_profiler_enabled, struct aql_queue *hsa, int enable) {
    NEED_RUNTIME;
    struct queue *q = queue_of(hsa);
    NEED(q && !q->soft, ST_INVALID_QUEUE);
    q->properties = PROPERTY_PTR64 | (enable ? PROPERTY_PROFILING : 0); // times are kept always
    block_put_properties(q->block, q->properties);
    return ST_SUCCESS;
}

// For newer clients.
HSA(status, hsa_amd_queue_get_info, struct aql_queue *hsa, int attribute, void *value) {
    NEED_RUNTIME;
    struct queue *q = queue_of(hsa);
    NEED(q && !q->soft, ST_INVALID_QUEUE);
    NEED(value, ST_INVALID_ARGUMENT);
    switch (attribute) {
    case AMD_QUEUE_INFO_AGENT: *(handle_t *)value = handle_of(q->agent); return ST_SUCCESS;
    case AMD_QUEUE_INFO_DOORBELL_ID:
        *(uint64_t *)value = doorbell_address(q->ringer.doorbell);
        return ST_SUCCESS;
    default: return ST_INVALID_ARGUMENT;
    }
}
