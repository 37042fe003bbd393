// SPDX-License-Identifier: MIT
// Interpolation of parameters, which Evergreen and later keep in LDS: a primitive's value at its first
// vertex, P0, and what the second and the third have more, P10 and P20.
#include "terascale/machine/step.h"

enum { PARAMETERS = 32 };

static bool find(struct ts_step *x, const struct ts_source *s, unsigned lane, unsigned chan,
                 const float **out) {
    if (s->sel < TS_SEL_PARAM || s->sel >= TS_SEL_PARAM + PARAMETERS)
        return ts_refuse(x->m, "what INTERP reads besides parameters is not known");
    const float(*all)[4][3] = x->w->parameters[lane];
    if (!all)
        return ts_fault(x->m, (int)lane, "parameter %u is read, and there are none", s->sel - TS_SEL_PARAM);
    *out = all[s->sel - TS_SEL_PARAM][chan];
    return true;
}

// INTERP_LOAD_P0, _P10, _P20.
static bool run_load(struct ts_step *x, unsigned i, unsigned which) {
    const struct ts_slot *s = &x->g->group.slot[i];
    FOR_LANES(l, x->lane_set[i]) {
        const float *p = NULL;
        if (!find(x, &s->src[0], l, s->src[0].chan, &p)) return false;
        x->result[i][l] = ts_bits(p[which]);
    }
    return true;
}

// INTERP_XY and _ZW give two components in the slots of their names, _X and _Z one: slots x and z bring j,
// y and w bring i.
static bool run_pair(struct ts_step *x, unsigned i, unsigned first, unsigned count) {
    const struct ts_slot *s = &x->g->group.slot[i];
    const int j = ts_slot_at(&x->g->group, first), k = ts_slot_at(&x->g->group, first + 1);
    if (s->unit < first || s->unit >= first + count) {
        if (s->write)
            return ts_refuse(x->m, "what %s gives in slot %c is not known", ts_row_name(s->insn.row),
                             ts_unit_letter[s->unit]);
        FOR_LANES(l, x->lane_set[i]) { x->result[i][l] = 0; }
        return true;
    }
    if (j < 0 || k < 0) return ts_fault(x->m, -1, "%s without both of its slots", ts_row_name(s->insn.row));
    FOR_LANES(l, x->lane_set[i]) {
        const float *p = NULL;
        if (!find(x, &s->src[1], l, s->unit, &p)) return false;
        const double sum = (double)p[0] + (double)ts_float(x->src[k][0][l]) * (double)p[1] +
                           (double)ts_float(x->src[j][0][l]) * (double)p[2];
        x->result[i][l] = ts_bits((float)sum);
    }
    return true;
}

bool ts_run_interp(struct ts_step *x, unsigned i) {
    switch ((enum ts_op)ts_row_number(x->g->group.slot[i].insn.row)) {
    case TS_OP2_INTERP_LOAD_P0: return run_load(x, i, 0);
    case TS_OP2_INTERP_LOAD_P10: return run_load(x, i, 1);
    case TS_OP2_INTERP_LOAD_P20: return run_load(x, i, 2);
    case TS_OP2_INTERP_XY: return run_pair(x, i, 0, 2);
    case TS_OP2_INTERP_ZW: return run_pair(x, i, 2, 2);
    case TS_OP2_INTERP_X: return run_pair(x, i, 0, 1);
    default: return run_pair(x, i, 2, 1);
    }
}
