// SPDX-License-Identifier: MIT
// What instructions mean for the weak machine: their record of effects, kept by address. An entry is compared
// with the code bytes, as another program may lie there later.
#include <string.h>

#include "weak/inside.h"

static bool fill(const struct weak *m, const struct wave *w, const struct op *op, uint8_t msb,
                 struct record *r) {
    const uint64_t pc = w->code_base + op->pc;
    const uint8_t *code = (const uint8_t *)(uintptr_t)pc;
    const struct isa *isa = m->pool->isa;
    struct insn in;
    // The op comes of these bytes, so decoding does not look behind them.
    if (insn_decode(isa, code, sizeof r->code, &in) != DECODE_OK || in.size > sizeof r->code) return false;
    *r = (struct record){.pc = pc, .size = (uint8_t)in.size, .msb = msb};
    memcpy(r->code, code, in.size);
    in.vgpr_msb = msb;
    const struct effect_context c = {.processor = m->pool->options.target.processor,
                                     .isa = isa,
                                     .wave32 = w->lanes == 32,
                                     .clears_halves = m->pool->options.target.sramecc == SW_SETTING_ON};
    struct effect *e = &r->effect;
    r->known = insn_effect(&c, &in, e);
    r->actions = isa_cache_actions(isa, &in);
    if (!r->known) return true;
    if (m->hazards) stale_describe(m, &in, r);
    r->ends = e->control & CONTROL_END;
    for (unsigned k = 0; k < COUNTERS; k++) r->waits |= e->waits[k] != EFFECT_NO_WAIT;
    bool counts = false;
    for (unsigned k = 0; k < COUNTERS; k++) counts |= e->raises[k] != 0;
    r->defers = counts && e->control == CONTROL_NEXT &&
                (e->memory.address != ADDRESS_NONE || e->raises[COUNTER_TENSOR]);
    return true;
}

const struct record *weak_record(struct weak *m, const struct wave *w, const struct op *op) {
    const uint64_t pc = w->code_base + op->pc;
    struct record *r = &m->records[pc / 4 % (sizeof m->records / sizeof *m->records)];
    const uint8_t msb = (uint8_t)state_vgpr_msb(w, pc);
    if (r->pc == pc && r->msb == msb && !memcmp(r->code, (const void *)(uintptr_t)pc, r->size)) return r;
    r->pc = 0;
    return fill(m, w, op, msb, r) ? r : NULL;
}
