// SPDX-License-Identifier: MIT
// Places for values that are taken out of registers: dwords of the stack, accumulation registers, lanes of
// vector registers. Values that are never needed together share a place. Part of the pass assign.
#include "compiler/spilling.h"

// The first and the last point of the function where a value is needed. Points are the beginnings of blocks,
// their instructions and their ends, in the order of the blocks. Values whose spans do not meet are never
// needed together.
struct span {
    uint32_t value, first, last;
};
enum { NOWHERE = 0xffffffff };

static void cover(struct span *span, uint32_t at) {
    if (at < span->first) span->first = at;
    if (at > span->last) span->last = at;
}

static void cover_set(const struct spilling *s, struct span *spans, const uint64_t *set, uint32_t at) {
    for (uint32_t word = 0; word <= s->values / 64; word++)
        for (uint64_t left = set[word]; left; left &= left - 1) {
            const uint32_t v = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (s->spills->chosen[v]) cover(&spans[v], at);
        }
}

// The places of phis are filled at the ends of the blocks before them.
static void cover_phis(const struct spilling *s, struct span *spans, uint32_t block, uint32_t at) {
    const struct ir_function *f = s->f;
    for (unsigned lanes = 0; lanes < 2; lanes++)
        for (uint32_t e = 0, to; (to = live_way(f, &f->blocks.items[block], lanes, e)) != NO_VALUE; e++) {
            uint32_t n = 0;
            for (const struct ir_inst *phi;
                 (phi = live_next_phi(f, f->insts.items, &f->blocks.items[to], lanes, &n));)
                cover(&spans[phi->first_result], at);
        }
}

static void cover_block(const struct spilling *s, const struct live *l, struct span *spans, uint32_t block,
                        uint32_t *at) {
    const struct ir_block *b = &s->f->blocks.items[block];
    const uint32_t begin = ++*at;
    bool phis = false;
    cover_set(s, spans, l->in + block * l->words, begin);
    for (uint32_t n = b->first; n < b->first + b->count; n++) {
        const struct ir_inst *i = &s->f->insts.items[n];
        ++*at;
        if (!phis && (i->op == OP_p_logical || ir_is_terminator(i)))
            phis = true, cover_phis(s, spans, block, *at);
        for (unsigned r = 0; r < i->results; r++)
            cover(&spans[s->whole[i->first_result + r]], i->op == OP_phi ? begin : *at);
        for (unsigned o = 0; o < i->operands && i->op != OP_phi; o++) {
            const ir_ref r = ir_operand(s->f, i, o);
            if (ir_is(r, IR_VALUE)) cover(&spans[s->whole[ir_index(r)]], *at);
        }
    }
    cover_set(s, spans, l->out + block * l->words, ++*at);
}

// What is kept for lanes that do not execute is needed all the time: other ways of lanes come between.
static void find_spans(const struct spilling *s, const struct live *l, struct span *spans) {
    uint32_t at = 0;
    for (uint32_t v = 0; v < s->values; v++) spans[v] = (struct span){.value = v, .first = NOWHERE};
    for (uint32_t b = 0; b < s->f->blocks.count; b++) cover_block(s, l, spans, b, &at);
    for (uint32_t v = 0; v < s->values; v++)
        if (s->f->values.items[v].bank == IR_BANK_W) cover(&spans[v], 0), cover(&spans[v], NOWHERE);
}

// By dword of one kind of place: the last point at which somebody needs it.
typedef ARRAY(uint32_t) slot_ends;

// The first dwords in a row, of `most`, that nobody needs from the beginning of the span on; NOWHERE: there
// are none.
static uint32_t find_slot(struct spilling *s, slot_ends *ends, const struct span *span, unsigned dwords,
                          uint32_t most) {
    uint32_t at = 0, unused = 0;
    for (; unused < dwords && at < ends->count; at++) unused = ends->items[at] < span->first ? unused + 1 : 0;
    const uint32_t first = at - unused;
    if (dwords > most || first > most - dwords) return NOWHERE;
    while (ends->count < first + dwords)
        if (!array_push(ends, 0)) {
            compiler_no_memory(s->c);
            return NOWHERE;
        }
    for (unsigned n = 0; n < dwords; n++) ends->items[first + n] = span->last;
    return first;
}

static void place(struct spilling *s, const struct span *span, slot_ends *accs, slot_ends *stack,
                  slot_ends *scalars) {
    const uint32_t v = span->value, had = s->spills->accs;
    const unsigned dwords = live_dwords(s->f, v);
    const bool vector = is_vector(&s->f->values.items[v]);
    const uint32_t acc = vector ? find_slot(s, accs, span, dwords, s->spills->most_accs - had) : NOWHERE;
    if (acc != NOWHERE) {
        s->slot[v] = IN_ACCS + had + acc;
        return;
    }
    s->f->facts.spilled += dwords;
    s->slot[v] = vector ? find_slot(s, stack, span, dwords, IN_ACCS)
                        : s->spills->lane_dwords + find_slot(s, scalars, span, dwords, IN_ACCS);
}

static int by_first(const void *a, const void *b) {
    const struct span *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

void spill_place(struct spilling *s, const struct live *live) {
    struct span *spans = malloc((s->values + 1) * sizeof *spans);
    slot_ends accs = {0}, stack = {0}, scalars = {0};
    size_t count = 0;
    if (!spans) {
        compiler_no_memory(s->c);
        return;
    }
    find_spans(s, live, spans);
    for (uint32_t v = 0; v < s->values; v++)
        if (s->spills->chosen[v]) spans[count++] = spans[v];
    qsort(spans, count, sizeof *spans, by_first);
    for (size_t n = 0; n < count && !s->c->status; n++) place(s, &spans[n], &accs, &stack, &scalars);
    s->accs = (uint32_t)accs.count;
    s->stack = (uint32_t)stack.count;
    s->scalars = (uint32_t)scalars.count;
    if (s->stack) spill_ask_for_stack(s);
    s->spills->stack = (s->f->facts.stack + 3) / 4 * 4;
    s->spills->accs += s->accs;
    s->spills->lane_dwords += s->scalars;
    const unsigned lanes = spill_lane_registers(s->spills, s->f->facts.wave);
    if (lanes > s->spills->wished_lanes) s->f->facts.most_vgprs = s->f->facts.waves_min = 0;
    if (lanes > s->spills->most_lanes)
        compiler_refuse(s->c, NULL, "a function that needs more registers than there are");
    s->f->facts.stack = s->spills->stack + 4 * s->stack;
    free(spans);
    array_free(&accs);
    array_free(&stack);
    array_free(&scalars);
}
