// SPDX-License-Identifier: MIT
#include "isa/hazards.h"

struct rule {
    uint8_t from, until, first, second, distance, stale;
    uint16_t event;
};
static const struct rule rules[] = {
#define STATES(id, from, until, first, second, distance) {from, until, first, second, distance, 0, 0},
#define STALE(id, from, until, first, second, distance)  {from, until, first, second, 0, distance, 0},
#define EVENT(id, from, until, what)                     {from, until, 0, 0, 0, 0, what},
#include "isa/hazards.def"
};

void isa_hazards(const struct isa *isa, struct hazards *out) {
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *r = &rules[i];
        if (!generation_within(isa->generation, (enum generation)r->from) ||
            (r->until && generation_within(isa->generation, (enum generation)r->until)))
            continue;
        // GFX10 descends from GFX9, but from none of its branches.
        uint8_t *states = &out->states[r->first][r->second];
        uint8_t *stale = &out->stale[r->first][r->second];
        if (r->distance > *states) *states = r->distance;
        if (r->stale > *stale) *stale = r->stale;
        out->events |= r->event;
    }
}

bool isa_has_stale(const struct isa *isa) {
    struct hazards h;
    isa_hazards(isa, &h);
    for (unsigned f = 0; f < HAZARD_FIRSTS; f++)
        for (unsigned s = 0; s < HAZARD_SECONDS; s++)
            if (h.stale[f][s]) return true;
    return false;
}
