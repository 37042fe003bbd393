// SPDX-License-Identifier: MIT
// What operations of a group share.
#include "terascale/machine/step.h"

int ts_slot_at(const struct ts_group *g, unsigned unit) {
    for (unsigned i = 0; i < g->count; i++)
        if (g->slot[i].unit == unit) return (int)i;
    return -1;
}

void ts_set_predicate(struct ts_step *x, unsigned i, uint64_t passes) {
    const struct ts_slot *s = &x->g->group.slot[i];
    if (ts_get(&s->insn, TS_UPDATE_PRED)) {
        x->w->predicate = (x->w->predicate & ~x->lane_set[i]) | passes;
        x->w->predicate_defined = true;
    }
    if (ts_get(&s->insn, TS_UPDATE_EXEC_MASK)) {
        x->w->passes = passes | (x->lanes & ~x->lane_set[i] & x->w->passes);
        x->w->has_passes = true;
        x->w->mask_op = x->m->chip->family == TS_CAYMAN ? ts_get(&s->insn, TS_OMOD) : 0;
    }
}
