// SPDX-License-Identifier: MIT
// Shared virtual memory: which agents may use host memory at its own address, page by page.
#include <string.h>

#include "hsa/memory/allocations.h"

// GPUs that may use all of the process's memory without being asked.
static uint32_t by_default(void) {
    uint32_t access = 0;
    for (unsigned i = 0; i < running()->gpu_count; i++)
        if (running()->gpus[i].target.xnack == SW_SETTING_ON) access |= 1u << i;
    return access;
}

static bool insert(size_t at, const struct svm_range *r) {
    if (!array_reserve(&memory_map.svm, 1)) return false;
    struct svm_range *items = memory_map.svm.items;
    memmove(items + at + 1, items + at, (memory_map.svm.count++ - at) * sizeof *items);
    items[at] = *r;
    return true;
}
// Makes a range begin at this address if one holds it.
static bool cut(uint64_t address) {
    for (size_t i = 0; i < memory_map.svm.count; i++) {
        struct svm_range *r = &memory_map.svm.items[i];
        if (address <= r->lo || address >= r->hi) continue;
        struct svm_range right = *r;
        right.lo = address;
        r->hi = address;
        return insert(i + 1, &right);
    }
    return true;
}
// Ranges that cover [lo, hi) without a gap.
static bool cover(uint64_t lo, uint64_t hi) {
    if (!cut(lo) || !cut(hi)) return false;
    size_t i = 0;
    for (uint64_t at = lo; at < hi; i++) {
        while (i < memory_map.svm.count && memory_map.svm.items[i].hi <= at) i++;
        uint64_t next = i < memory_map.svm.count ? memory_map.svm.items[i].lo : hi;
        if (next > at) {
            const struct svm_range gap = {.lo = at, .hi = next < hi ? next : hi, .access = by_default()};
            if (!insert(i, &gap)) return false;
        }
        at = memory_map.svm.items[i].hi;
    }
    return true;
}

static status check(const struct svm_pair *list, size_t count) {
    for (size_t i = 0; i < count; i++) switch (list[i].attribute) {
        case AMD_SVM_ATTRIB_GLOBAL_FLAG: NEED(list[i].value <= 2, ST_INVALID_ARGUMENT); break;
        case AMD_SVM_ATTRIB_READ_ONLY:
        case AMD_SVM_ATTRIB_HIVE_LOCAL:
        case AMD_SVM_ATTRIB_MIGRATION_GRANULARITY:
        case AMD_SVM_ATTRIB_READ_MOSTLY:
        case AMD_SVM_ATTRIB_GPU_EXEC: break;
        case AMD_SVM_ATTRIB_PREFERRED_LOCATION:
            NEED(!list[i].value || agent_of(list[i].value), ST_INVALID_AGENT);
            break;
        case AMD_SVM_ATTRIB_AGENT_ACCESSIBLE:
        case AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE:
        case AMD_SVM_ATTRIB_AGENT_NO_ACCESS: NEED(agent_of(list[i].value), ST_INVALID_AGENT); break;
        default: return ST_INVALID_ARGUMENT;
        }
    return ST_SUCCESS;
}

static void apply(struct svm_range *r, const struct svm_pair *p) {
    const uint32_t bit = p->attribute >= AMD_SVM_ATTRIB_AGENT_ACCESSIBLE ? gpu_bit(agent_of(p->value)) : 0;
    switch (p->attribute) {
    case AMD_SVM_ATTRIB_AGENT_ACCESSIBLE: r->access |= bit, r->in_place &= ~bit; break;
    case AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE: r->access |= bit, r->in_place |= bit; break;
    case AMD_SVM_ATTRIB_AGENT_NO_ACCESS: r->access &= ~bit, r->in_place &= ~bit; break;
    default: r->attribute[p->attribute] = p->value; break;
    }
}

void svm_forget(uint64_t lo, uint64_t hi) {
    if (!cut(lo) || !cut(hi)) return; // out of memory: they stay
    for (size_t i = 0; i < memory_map.svm.count;) {
        struct svm_range *r = &memory_map.svm.items[i];
        if (r->lo < lo || r->hi > hi) {
            i++;
            continue;
        }
        if (r->access != by_default() && !allocation_at((const void *)(uintptr_t)r->lo))
            rights_of_host(r->lo, r->hi, by_default());
        memmove(r, r + 1, (--memory_map.svm.count - i) * sizeof *r);
    }
}

HSA(status, hsa_amd_svm_attributes_set, void *p, size_t size, struct svm_pair *list, size_t count) {
    NEED_RUNTIME;
    NEED(p && size && (list || !count), ST_INVALID_ARGUMENT);
    status st = check(list, count);
    NEED(st == ST_SUCCESS, st);
    const uint64_t lo = handle_of(p) & ~(uint64_t)(PAGE - 1);
    const uint64_t hi = (handle_of(p) + size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    pthread_rwlock_wrlock(&map_lock);
    unmapped_settle();
    if (!cover(lo, hi)) st = ST_OUT_OF_RESOURCES;
    if (!allocation_at(p)) unmapped_watch(lo, hi);
    for (size_t i = 0; st == ST_SUCCESS && i < memory_map.svm.count; i++) {
        struct svm_range *r = &memory_map.svm.items[i];
        if (r->lo < lo || r->hi > hi) continue;
        const uint32_t before = r->access;
        for (size_t n = 0; n < count; n++) apply(r, &list[n]);
        if (r->access != before && !allocation_at(p)) // those have rights of their own
            st = rights_of_host(r->lo, r->hi, r->access);
    }
    pthread_rwlock_unlock(&map_lock);
    return st;
}

// A value that the whole range does not share is "indeterminate", or no agent.
static status query(uint64_t lo, uint64_t hi, struct svm_pair *p) {
    const struct agent *a = p->attribute == AMD_SVM_ATTRIB_ACCESS_QUERY ? agent_of(p->value) : NULL;
    NEED(p->attribute < SVM_ATTRIBUTES || (p->attribute == AMD_SVM_ATTRIB_ACCESS_QUERY && a),
         ST_INVALID_ARGUMENT);
    uint64_t found = 0, at = lo;
    bool first = true, same = true;
    for (size_t i = 0; at < hi; i++) {
        while (i < memory_map.svm.count && memory_map.svm.items[i].hi <= at) i++;
        const struct svm_range *r = i < memory_map.svm.count ? &memory_map.svm.items[i] : NULL;
        const bool holds = r && r->lo <= at;
        uint64_t value = holds && p->attribute < SVM_ATTRIBUTES ? r->attribute[p->attribute] : 0;
        if (a) {
            const uint32_t bit = gpu_bit(a);
            value = !a->is_gpu                                 ? AMD_SVM_ATTRIB_AGENT_ACCESSIBLE
                    : holds && r->in_place & bit               ? AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE
                    : (holds ? r->access : by_default()) & bit ? AMD_SVM_ATTRIB_AGENT_ACCESSIBLE
                                                               : AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
        }
        same &= first || value == found;
        found = value;
        first = false;
        at = holds ? r->hi : r && r->lo < hi ? r->lo : hi;
    }
    if (p->attribute == AMD_SVM_ATTRIB_ACCESS_QUERY) {
        p->attribute = same ? found : AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
    } else
        p->value = same ? found : p->attribute == AMD_SVM_ATTRIB_GLOBAL_FLAG ? 2 : 0;
    return ST_SUCCESS;
}

HSA(status, hsa_amd_svm_attributes_get, void *p, size_t size, struct svm_pair *list, size_t count) {
    NEED_RUNTIME;
    NEED(p && size && (list || !count), ST_INVALID_ARGUMENT);
    status st = ST_SUCCESS;
    pthread_rwlock_wrlock(&map_lock);
    unmapped_settle();
    for (size_t i = 0; st == ST_SUCCESS && i < count; i++)
        st = query(handle_of(p), handle_of(p) + size, &list[i]);
    pthread_rwlock_unlock(&map_lock);
    return st;
}

void svm_prefer(uint64_t lo, uint64_t hi, handle_t agent) {
    pthread_rwlock_wrlock(&map_lock);
    for (size_t i = 0; i < memory_map.svm.count; i++) {
        struct svm_range *r = &memory_map.svm.items[i];
        if (r->lo < hi && lo < r->hi) r->attribute[AMD_SVM_ATTRIB_PREFETCH_LOCATION] = agent;
    }
    pthread_rwlock_unlock(&map_lock);
}
