// SPDX-License-Identifier: MIT
// What an instruction touches (isa/effect.h), as a line of text or as members of a JSON object.
#include "isa/effect.h"

#include <string.h>

#include "isa/names.h"
#include "list/list.h"

enum { EXEC_LO = 126 };

// ---- Names ----

static void put_tuple(struct text *t, const char *file, unsigned first, unsigned count) {
    if (count == 1)
        text_printf(t, "%s%u", file, first);
    else
        text_printf(t, "%s[%u:%u]", file, first, first + count - 1);
}

// Scalar registers by their names: pairs that have one, SGPRs and TTMPs as far as they follow each other.
// Returns how many of `count` that were.
static unsigned put_scalars(struct text *t, const struct isa *isa, unsigned first, unsigned count) {
    const struct scalar pair = count > 1 ? isa_scalar(isa, first, 2) : (struct scalar){.kind = SCALAR_NONE};
    if (pair.kind == SCALAR_SPECIAL) {
        text_printf(t, "%s", pair.name);
        return 2;
    }
    const struct scalar one = isa_scalar(isa, first, 1);
    if (one.kind == SCALAR_SPECIAL || one.kind == SCALAR_NONE) {
        text_printf(t, "%s", one.name ? one.name : "?");
        return 1;
    }
    unsigned n = 1;
    while (n < count && isa_scalar(isa, first + n, 1).kind == one.kind) n++;
    put_tuple(t, one.kind == SCALAR_SGPR ? "s" : "ttmp", one.index, n);
    return n;
}

// A list of words: in text they follow each other after commas, in JSON they are strings of an array.
struct words {
    struct text *t;
    bool json, any;
    bool bare; // nothing stands before the first
};
static void begin_word(struct words *w) {
    text_printf(w->t, "%s%s", w->any ? ", " : w->json || w->bare ? "" : " ", w->json ? "\"" : "");
    w->any = true;
}
static void end_word(struct words *w) {
    if (w->json) text_printf(w->t, "\"");
}
static void put_word(struct words *w, const char *text) {
    begin_word(w);
    text_printf(w->t, "%s", text);
    end_word(w);
}

static void put_range(struct words *w, const struct isa *isa, const struct effect_range *r) {
    for (unsigned n = 0; n < r->count;) {
        begin_word(w);
        if (r->bank == BANK_SCALAR)
            n += put_scalars(w->t, isa, r->first + n, r->count - n);
        else {
            put_tuple(w->t, r->bank == BANK_ACC ? "a" : "v", r->first, r->count);
            n = r->count;
            if (r->bytes == 3) text_printf(w->t, ".l");
            if (r->bytes == 12) text_printf(w->t, ".h");
        }
        end_word(w);
    }
}

// ---- Parts of the record ----

// VCC, EXEC and M0 are among the ranges.
static const struct {
    uint16_t bit;
    char name[16];
} states[] = {
    {STATE_SCC, "scc"}, {STATE_MODE, "mode"},   {STATE_SCRATCH, "scratch base"}, {STATE_FLAGS, "flags"},
    {STATE_PC, "pc"},   {STATE_CLOCK, "clock"}, {STATE_OTHER, "hwreg"},
};
// A register may be the source of several operands.
static bool is_repeated(const struct effect *e, unsigned at) {
    const struct effect_range *r = &e->ranges[at];
    for (unsigned i = 0; i < at; i++) {
        const struct effect_range *q = &e->ranges[i];
        if (q->bank == r->bank && q->first == r->first && q->count == r->count && q->bytes == r->bytes &&
            (q->flags & EFFECT_WRITES) == (r->flags & EFFECT_WRITES))
            return true;
    }
    return false;
}
static void put_touched(struct words *w, const struct isa *isa, const struct effect *e, unsigned writes) {
    const unsigned state = writes ? e->writes : e->reads;
    bool by_lane = state & STATE_EXEC, named = false;
    for (unsigned i = 0; i < e->count; i++) {
        by_lane |= e->ranges[i].flags & EFFECT_EXEC;
        named |= e->ranges[i].bank == BANK_SCALAR && e->ranges[i].first == EXEC_LO &&
                 !writes == !(e->ranges[i].flags & EFFECT_WRITES);
        if ((e->ranges[i].flags & EFFECT_WRITES) == writes && !is_repeated(e, i))
            put_range(w, isa, &e->ranges[i]);
    }
    if (by_lane && !writes && !named) put_word(w, "exec");
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (state & states[i].bit) put_word(w, states[i].name);
}

static void put_memory(struct words *w, const struct effect_memory *m) {
    static const char spaces[][8] = {
        [SPACE_GLOBAL] = "global", [SPACE_LDS] = "LDS", [SPACE_SCRATCH] = "scratch", [SPACE_FLAT] = "flat"};
    if (!m->access) return;
    const bool loads = m->access & MEMORY_READS, stores = m->access & MEMORY_WRITES;
    begin_word(w);
    text_printf(w->t, "%s %s",
                m->access & MEMORY_ATOMIC ? "changes"
                : loads && stores         ? "copies"
                : loads                   ? "loads"
                                          : "stores",
                m->access & MEMORY_TYPED ? "up to " : "");
    if (m->elements > 1) text_printf(w->t, "%u x ", m->elements);
    text_printf(w->t, "%u byte%s%s of %s%s", m->bytes, m->bytes == 1 ? "" : "s",
                m->access & MEMORY_WAVE ? "" : " a lane", spaces[m->space],
                m->space == SPACE_LDS ? "" : " memory");
    if (m->access & MEMORY_TO_LDS) text_printf(w->t, " to LDS");
    if (m->access & MEMORY_FROM_LDS) text_printf(w->t, " from LDS");
    end_word(w);
}

static void put_counters(struct words *w, const struct isa *isa, const struct effect *e) {
    const struct counters *c = isa_counters(isa);
    for (unsigned i = 0; i < COUNTERS; i++) {
        const char *name = c->wait[i];
        if (!*name) continue;
        if (!strncmp(name, "s_wait_", 7)) name += 7;
        if (e->raises[i]) {
            begin_word(w);
            text_printf(w->t, "raises %s", name);
            end_word(w);
        }
        if (e->waits[i] == EFFECT_NO_WAIT) continue;
        begin_word(w);
        text_printf(w->t, "waits for %s %u", name, e->waits[i]);
        end_word(w);
    }
}

static void put_control(struct words *w, const struct effect *e) {
    static const struct {
        uint16_t bit;
        char text[28];
    } ways[] = {
        {CONTROL_TARGET, "may jump"}, {CONTROL_REGISTER, "jumps to a register"},
        {CONTROL_CALL, "calls"},      {CONTROL_END, "may end the wave"},
        {CONTROL_BARRIER, "barrier"}, {CONTROL_YIELD, "may give way"},
        {CONTROL_TRAP, "may trap"},   {CONTROL_MESSAGE, "sends a message"},
    };
    const bool always = !(e->control & CONTROL_NEXT);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (!(e->control & ways[i].bit)) continue;
        const char *text = ways[i].text;
        if (always && ways[i].bit == CONTROL_TARGET) text = "jumps";
        if (always && ways[i].bit == CONTROL_END) text = "ends the wave";
        put_word(w, text);
    }
}

// ---- The whole ----

static void put_text(struct text *t, const struct isa *isa, const struct effect *e) {
    struct words r = {.t = t}, w = r, d = r;
    const size_t begin = t->length;
    static const char reads[] = "reads", writes[] = "writes";
    text_printf(t, "%s", reads);
    put_touched(&r, isa, e, 0);
    if (!r.any) t->length = begin;
    const size_t before = t->length;
    text_printf(t, "%s%s", before > begin ? "; " : "", writes);
    put_touched(&w, isa, e, EFFECT_WRITES);
    if (!w.any) t->length = before;
    const size_t so_far = t->length;
    if (so_far > begin)
        text_printf(t, ";");
    else
        d.bare = true;
    put_memory(&d, &e->memory);
    put_counters(&d, isa, e);
    put_control(&d, e);
    if (!d.any) t->length = so_far;
    if (t->length == begin) text_printf(t, "touches nothing");
    if (t->data) t->data[t->length] = 0;
}

static void put_json(struct text *t, const struct isa *isa, const struct effect *e) {
    struct words w = {.t = t, .json = true};
    text_printf(t, "\"reads\": [");
    put_touched(&w, isa, e, 0);
    text_printf(t, "], \"writes\": [");
    w.any = false;
    put_touched(&w, isa, e, EFFECT_WRITES);
    text_printf(t, "], \"does\": [");
    w.any = false;
    put_memory(&w, &e->memory);
    put_counters(&w, isa, e);
    put_control(&w, e);
    text_printf(t, "]");
}

void list_effects(struct text *t, const struct listing *l, const struct insn *in, bool wave32) {
    struct effect e;
    const struct isa *isa = l->isa ? l->isa : isa_of(l->processor);
    const struct effect_context c = {.processor = l->processor, .isa = isa, .wave32 = wave32};
    if (!insn_effect(&c, in, &e)) {
        if (!l->json) text_printf(t, "not known");
        return;
    }
    (l->json ? put_json : put_text)(t, isa, &e);
}
