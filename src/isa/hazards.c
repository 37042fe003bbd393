// SPDX-License-Identifier: MIT
#include "isa/effect_kinds.h"
#include "isa/hazards.h"

enum table { STATES_OF, STALE_OF, SOON_OF, UNDEFINED_OF, EVENTS_OF };
struct rule {
    uint8_t from, until, first, second, distance, table;
    uint16_t event;
};
static const struct rule rules[] = {
#define STATES(id, from, until, first, second, distance) {from, until, first, second, distance, STATES_OF, 0},
#define STALE(id, from, until, first, second, distance)  {from, until, first, second, distance, STALE_OF, 0},
#define SOON(id, from, until, first, second, distance)   {from, until, first, second, distance, SOON_OF, 0},
#define UNDEFINED(id, from, until, first, second, distance)                                                  \
    {from, until, first, second, distance, UNDEFINED_OF, 0},
#define EVENT(id, from, until, what) {from, until, 0, 0, 0, EVENTS_OF, what},
#include "isa/hazards.def"
};

struct matrix_rule {
    uint8_t from, until, kind, use, states[MATRIX_PASSES];
};
static const struct matrix_rule matrix_rules[] = {
#define MATRIX(id, from, until, kind, use, p2, p4, p8, p16) {from, until, kind, use, {p2, p4, p8, p16}},
#include "isa/hazards.def"
};

// GFX10 descends from GFX9, but from none of its branches.
static bool holds(const struct isa *isa, uint8_t from, uint8_t until) {
    return generation_within(isa->generation, (enum generation)from) &&
           !(until && generation_within(isa->generation, (enum generation)until));
}

void isa_hazards(const struct isa *isa, struct hazards *out) {
    memset(out, 0, sizeof *out);
    uint8_t(*const tables[])[HAZARD_SECONDS] = {out->states, out->stale, out->soon, out->undefined};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *r = &rules[i];
        if (!holds(isa, r->from, r->until)) continue;
        out->events |= r->event;
        if (r->table == EVENTS_OF) continue;
        uint8_t *most = &tables[r->table][r->first][r->second];
        if (r->distance > *most) *most = r->distance;
    }
    for (size_t i = 0; i < sizeof matrix_rules / sizeof *matrix_rules; i++) {
        const struct matrix_rule *r = &matrix_rules[i];
        if (holds(isa, r->from, r->until)) memcpy(out->matrix[r->kind][r->use], r->states, MATRIX_PASSES);
    }
    out->salu_states = out->events & SCALAR_READ_THEN_WRITTEN ? 10 : 6;
}

// ---- What rows are ----

bool row_is_dot(const struct row *row) {
    return row->class == CLASS_DOT || row->class == CLASS_DOT2 || row->class == CLASS_DOT4_FP8;
}

bool row_selects_lane(const struct row *row) {
    const enum effect_kind kind = effect_kind_of(row);
    return kind == KIND_READ_LANE || kind == KIND_WRITE_LANE;
}
