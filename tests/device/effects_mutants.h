// SPDX-License-Identifier: MIT
// Records with one thing wrong. Each must be noticed by the proof. What says only more than is so (bytes of
// memory that no element has, a result that *may* be written) is no mutant: that is a bound, not a mistake.
#ifndef TESTS_EFFECTS_MUTANTS_H
#define TESTS_EFFECTS_MUTANTS_H

#include "effects_proof.h"

enum mutation {
    RANGE_DROPPED,
    RANGE_MOVED,
    RANGE_LONGER,
    RANGE_SHORTER,
    RESULT_PART,    // the low half of what is written whole, or the other half
    RESULT_CERTAIN, // what may stay is said to be written
    LANES_ALL,      // lanes that do not execute are said to be written
    LANES_OWN,      // and sources of other lanes not to be used
    STATE_READ,     // one of them more or fewer
    STATE_WRITTEN,
    MEMORY_KIND,
    MEMORY_SPACE,
    MEMORY_BYTES,
    MEMORY_OFFSET,
    MEMORY_REGISTER,
    MEMORY_ELEMENTS,
    CONTROL_BIT,
    MUTATIONS
};
static const char *const mutation_names[MUTATIONS] = {
    "range dropped", "range moved", "range longer", "range shorter", "part of a result", "certain result",
    "all lanes",     "own lanes",   "state read",   "state written", "kind of access",   "space",
    "bytes",         "offset",      "register",     "elements",      "control"};

static inline bool is_named(const struct effect *e, unsigned bank, unsigned code, bool writes) {
    for (unsigned i = 0; i < e->count; i++) {
        const struct effect_range *r = &e->ranges[i];
        if (r->bank == bank && code >= r->first && code < r->first + r->count &&
            !(r->flags & EFFECT_WRITES) == !writes)
            return true;
    }
    return false;
}

// Changes range n. False: it cannot be wrong in this way.
static inline bool mutate_range(const struct subject *m, struct effect *e, enum mutation what, unsigned n) {
    struct effect_range *r = &e->ranges[n];
    const bool writes = r->flags & EFFECT_WRITES, scalar = r->bank == BANK_SCALAR;
    const unsigned limit = scalar ? 100 : r->bank == BANK_ACC ? m->agprs : m->vgprs;
    if (r->flags & EFFECT_RELATIVE || (scalar && r->first >= SRC_EXEC_LO))
        return false; // EXEC is a state, too
    // A second range of the same registers says the same.
    const struct effect_range copy = *r;
    r->count = 0;
    const bool again = is_named(e, copy.bank, copy.first, writes) ||
                       (copy.count > 1 && is_named(e, copy.bank, copy.first + copy.count - 1u, writes));
    r->count = copy.count;
    if (again) return false;
    switch (what) {
    case RANGE_DROPPED:
        memmove(r, r + 1, (size_t)(e->count - n - 1) * sizeof *r);
        e->count--;
        return true;
    case RANGE_MOVED:
        if (r->first + r->count + 1u > limit || is_named(e, r->bank, r->first + r->count, writes))
            return false;
        r->first++;
        return true;
    case RANGE_LONGER:
        if (r->first + r->count + 1u > limit || is_named(e, r->bank, r->first + r->count, writes))
            return false;
        r->count++;
        return true;
    case RANGE_SHORTER:
        if (r->count < 2) return false;
        r->count--;
        return true;
    case RESULT_PART:
        if (!writes) return false;
        r->bytes = r->bytes == 15 ? 3 : r->bytes == 3 ? 12 : 3;
        return true;
    case RESULT_CERTAIN:
        if (!writes || !(r->flags & EFFECT_MAY)) return false;
        r->flags &= (uint8_t)~EFFECT_MAY;
        return true;
    case LANES_ALL:
        if (!writes || scalar || !(r->flags & EFFECT_EXEC) || r->flags & EFFECT_MAY) return false;
        r->flags &= (uint8_t)~EFFECT_EXEC;
        return true;
    case LANES_OWN:
        if (writes || scalar || r->flags & EFFECT_OWN_LANE || e->memory.space) return false;
        for (unsigned i = 0; i < e->count; i++)
            if (e->ranges[i].flags & EFFECT_WRITES && e->ranges[i].flags & EFFECT_OWN_LANE) {
                r->flags |= EFFECT_OWN_LANE;
                return true;
            }
        return false;
    default: return false;
    }
}

static inline bool mutate_state(const struct subject *m, struct effect *e, enum mutation what, unsigned n,
                                bool mode_matters) {
    static const uint16_t states[] = {STATE_SCC, STATE_EXEC, STATE_MODE, STATE_SCRATCH, STATE_FLAGS};
    if (n >= sizeof states / sizeof *states) return false;
    const unsigned s = states[n];
    uint16_t *set = what == STATE_READ ? &e->reads : &e->writes;
    // EXEC and the sticky flags are read by name, too; whether MODE matters counts by row.
    if (s == STATE_EXEC && (what == STATE_WRITTEN || is_named(e, BANK_SCALAR, SRC_EXEC_LO, false)))
        return false;
    if (s == STATE_FLAGS && what == STATE_READ && e->writes & STATE_FLAGS) return false;
    if (s == STATE_MODE && what == STATE_READ && (!(*set & s) || !mode_matters)) return false;
    if (s == STATE_EXEC && m->wave32 && !(*set & s)) return false;
    *set ^= (uint16_t)s;
    return true;
}

static inline bool mutate_memory(struct effect *e, enum mutation what, unsigned n) {
    struct effect_memory *y = &e->memory;
    if (!y->space || y->access & (MEMORY_TYPED | MEMORY_TO_LDS | MEMORY_FROM_LDS)) return false;
    switch (what) {
    case MEMORY_KIND:
        if (n > 1 || (!n && y->address >= ADDRESS_BUFFER)) return false;
        y->access ^= n ? MEMORY_WRITES : MEMORY_READS;
        return true;
    case MEMORY_SPACE:
        if (n) return false;
        y->space = y->space == SPACE_LDS ? SPACE_GLOBAL : SPACE_LDS;
        return true;
    case MEMORY_BYTES:
        if (n || y->bytes < 2) return false;
        y->bytes /= 2;
        return true;
    case MEMORY_OFFSET:
        if (n > 1 || (n && y->elements != 2)) return false;
        *(n ? &y->offset2 : &y->offset) += 4096;
        return true;
    case MEMORY_REGISTER: {
        uint16_t *all[] = {&y->vaddr, &y->saddr, &y->srsrc};
        if (n >= 3 || *all[n] == EFFECT_NOWHERE) return false;
        *all[n] += 2;
        return true;
    }
    case MEMORY_ELEMENTS:
        if (n || y->elements < 2 || y->address == ADDRESS_NONE) return false;
        y->elements--;
        return true;
    default: return false;
    }
}

static inline bool mutate(const struct subject *m, struct effect *e, enum mutation what, unsigned n,
                          bool mode_matters) {
    if (what <= LANES_OWN) return n < e->count && mutate_range(m, e, what, n);
    if (what <= STATE_WRITTEN) return mutate_state(m, e, what, n, mode_matters);
    if (what <= MEMORY_ELEMENTS) return mutate_memory(e, what, n);
    static const uint16_t controls[] = {CONTROL_NEXT, CONTROL_TARGET, CONTROL_END, CONTROL_TRAP};
    if (n >= sizeof controls / sizeof *controls) return false;
    e->control ^= controls[n];
    return true;
}

#endif
