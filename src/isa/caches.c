// SPDX-License-Identifier: MIT
#include "isa/caches.h"

#include <string.h>

static const struct cache_facts of_family[MEMORY_FAMILIES] = {
    [MEMORY_GFX6] = {.line = 64},
    [MEMORY_GFX90A] = {.line = 128},
    [MEMORY_GFX942] = {.line = 128, .several_l2 = true},
    [MEMORY_GFX10] = {.line = 128, .middle = true},
    [MEMORY_GFX12] = {.line = 128},
    [MEMORY_GFX125] = {.line = 128},
};

const struct cache_facts *isa_caches(const struct isa *isa) { return &of_family[isa_memory_family(isa)]; }

enum { SCOPE_CU, SCOPE_SE, SCOPE_DEVICE, SCOPE_SYSTEM }; // of GFX12's scope field

// sc1 and sc0 together: the scope that is asked for.
static unsigned coherence(const struct effect_memory *m) {
    return (m->policy & POLICY_SCC ? 2u : 0) | (m->policy & POLICY_GLC ? 1u : 0);
}

static enum cache_reach reach_of_load(const struct isa *isa, const struct effect_memory *m, bool split) {
    const bool glc = m->policy & POLICY_GLC, dlc = m->policy & POLICY_DLC;
    switch (isa_memory_family(isa)) {
    case MEMORY_GFX942:
        return coherence(m) >= 2 ? REACH_MEMORY : coherence(m) && split ? REACH_L2 : REACH_NEAR;
    case MEMORY_GFX10: return !glc ? REACH_NEAR : dlc || isa_dlc_is_policy(isa) ? REACH_MEMORY : REACH_MIDDLE;
    case MEMORY_GFX12:
    case MEMORY_GFX125: return m->scope == SCOPE_CU ? REACH_NEAR : REACH_MEMORY;
    default: return glc ? REACH_MEMORY : REACH_NEAR;
    }
}

enum cache_reach isa_cache_reach(const struct isa *isa, const struct effect_memory *m, bool split) {
    if (m->access & MEMORY_ATOMIC) return REACH_MEMORY;
    if (!(m->access & MEMORY_WRITES)) return reach_of_load(isa, m, split);
    return isa_caches(isa)->several_l2 && coherence(m) < 2 ? REACH_L2 : REACH_MEMORY;
}

static const struct {
    const char *row;
    unsigned actions;
} rows[] = {
    {"buffer_wbinvl1", CACHE_DROP_NEAR},    {"buffer_wbinvl1_vol", CACHE_DROP_NEAR},
    {"buffer_wbinvl1_sc", CACHE_DROP_NEAR}, {"buffer_gl0_inv", CACHE_DROP_NEAR},
    {"buffer_gl1_inv", CACHE_DROP_MIDDLE},  {"s_gl1_inv", CACHE_DROP_MIDDLE},
    {"s_dcache_inv", CACHE_DROP_SCALAR},    {"s_dcache_inv_vol", CACHE_DROP_SCALAR},
    {"buffer_inv", CACHE_DROP_NEAR},        {"buffer_invl2", CACHE_DROP_L2},
    {"buffer_wbl2", CACHE_WRITE_L2},        {"global_inv", CACHE_DROP_NEAR},
    {"global_wb", CACHE_WRITE_L2},          {"global_wbinv", CACHE_DROP_NEAR | CACHE_WRITE_L2},
};

// Operations for a scope that needs none do nothing: on GFX942 those of work-groups leave L2 as it is; on
// GFX12 a compute unit is in order with itself.
static unsigned limited(const struct isa *isa, const struct insn *in, unsigned actions) {
    if (in->row->flags & ROW_LGKM_CNT) return actions;
    if (isa_memory_family(isa) >= MEMORY_GFX12)
        return insn_has(in, F_scope) && in->f[F_scope] == SCOPE_CU ? 0 : actions;
    if (!isa_caches(isa)->several_l2) return actions;
    const bool wide = insn_has(in, F_scc) && in->f[F_scc];
    if (actions & CACHE_WRITE_L2) return wide ? actions : 0;
    return wide ? actions | CACHE_DROP_L2 : actions;
}

unsigned isa_cache_actions(const struct isa *isa, const struct insn *in) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(row_id(in->row), rows[i].row)) return limited(isa, in, rows[i].actions);
    return 0;
}
