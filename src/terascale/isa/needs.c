// SPDX-License-Identifier: MIT
// What a program needs: registers and stack.
#include "terascale/isa/needs.h"

#include <stdlib.h>
#include <string.h>

#include "terascale/isa/program_words.h"

// ---- Registers ----

static void use(struct ts_needs *n, unsigned gpr) {
    if (gpr >= n->gprs) n->gprs = gpr + 1;
}

static void use_row(struct ts_needs *n, const struct ts_row *row) {
    if (row) n->uses[ts_row_number(row)] = true;
}

static void count_group(struct ts_needs *n, const struct ts_group *g) {
    for (unsigned i = 0; i < g->count; i++) {
        const struct ts_slot *s = &g->slot[i];
        use_row(n, s->insn.row);
        if (s->insn.row && s->insn.row->flags & TS_KILL) n->kills = true;
        for (unsigned k = 0; k < s->used; k++)
            if (s->src[k].sel < TS_SEL_KC0) use(n, s->src[k].sel);
        if (!s->lds && s->write) use(n, s->dst_gpr);
    }
}

static void count_clause(const struct ts_chip *chip, struct ts_needs *n, const uint32_t *code,
                         const struct ts_clause *c) {
    for (uint32_t i = 0; i < c->words;) {
        const uint32_t *w = code + 2 * (size_t)(c->begin + i);
        if (c->kind == TS_ALU_CLAUSE) {
            struct ts_group g;
            ts_take_group(chip->family, w, c->words - i, &g);
            count_group(n, &g);
            i += g.count + g.literals / 2;
            continue;
        }
        struct ts_insn in;
        ts_decode_fetch(chip->family, w, &in);
        use_row(n, in.row);
        if (ts_width(&in, TS_SRC_GPR)) use(n, ts_get(&in, TS_SRC_GPR));
        if (ts_width(&in, TS_DST_GPR)) use(n, ts_get(&in, TS_DST_GPR));
        i += 2;
    }
}

static void count_cf(struct ts_needs *n, const struct ts_insn *in) {
    use_row(n, in->row);
    use_row(n, in->rat);
    if (ts_width(in, TS_RW_GPR)) use(n, ts_get(in, TS_RW_GPR) + ts_get(in, TS_BURST_COUNT));
    if (ts_width(in, TS_INDEX_GPR) && (ts_get(in, TS_TYPE) & 1 || in->rat)) use(n, ts_get(in, TS_INDEX_GPR));
    if (ts_is(in, TS_CF_KILL)) n->kills = true;
}

// ---- Stack ----

// What the stack holds where a word is executed.
struct depth {
    bool seen;
    uint16_t pushes, loops, wqm, calls;
};

struct walk {
    const struct ts_chip *chip;
    struct depth *at;
    uint32_t *todo, count, words;
    unsigned stack;
};

// A loop takes an entry, a push a quarter of one, whatever the chip's subentries are (Mesa's measurement);
// the first push reserves some more.
static void note(struct walk *w, const struct depth *d) {
    const enum ts_family f = w->chip->family;
    const unsigned entries = d->loops + d->wqm;
    unsigned n = d->pushes + d->calls * (w->chip->wave == 16 ? 2 : 1);
    if (f <= TS_R700) n += d->pushes ? 2 : 0;
    if (f == TS_EVERGREEN) n += d->pushes ? 1 : 0;
    if (f == TS_CAYMAN) n += n + entries ? 2 : 0;
    if (entries + (n + 3) / 4 > w->stack) w->stack = entries + (n + 3) / 4;
}

static void go(struct walk *w, uint64_t to, struct depth d) {
    if (to >= w->words) return;
    struct depth *at = &w->at[to];
    if (at->seen) return; // structured code arrives everywhere with one depth
    *at = d;
    at->seen = true;
    w->todo[w->count++] = (uint32_t)to;
}

static void pop(struct depth *d, unsigned n) {
    while (n-- && (d->pushes || d->wqm)) {
        if (d->pushes)
            d->pushes--;
        else
            d->wqm--;
    }
}

static void step(struct walk *w, uint32_t at, const struct ts_insn *in) {
    struct depth d = w->at[at], jump = d;
    const unsigned pops = ts_get(in, TS_POP_COUNT);
    bool falls = ts_falls_through(in), jumps = in->row && in->row->flags & TS_BRANCH;
    switch (in->row ? (enum ts_op)ts_row_number(in->row) : TS_ROWS) {
    case TS_CF_PUSH:
    case TS_CF_PUSH_ELSE:
        pop(&jump, pops);
        *(ts_get(in, TS_WHOLE_QUAD_MODE) ? &d.wqm : &d.pushes) += 1;
        break;
    case TS_CF_PUSH_WQM: d.wqm++; break;
    case TS_CF_POP:
    case TS_CF_POP_WQM: pop(&d, pops), jump = d; break;
    case TS_CF_POP_PUSH:
    case TS_CF_POP_PUSH_ELSE: pop(&d, pops), jump = d, d.pushes++; break;
    case TS_CF_POP_JUMP: pop(&d, pops), jump = d; break;
    case TS_CF_JUMP:
    case TS_CF_JUMP_ANY:
    case TS_CF_ELSE:
    case TS_CF_ELSE_WQM: pop(&jump, pops); break;
    case TS_CF_LOOP_START:
    case TS_CF_LOOP_START_NO_AL:
    case TS_CF_LOOP_START_DX10: pop(&jump, pops), d.loops++; break;
    case TS_CF_LOOP_END:
        jumps = false; // back to where the depth is known
        if (d.loops) d.loops--;
        break;
    case TS_CF_LOOP_BREAK:
    case TS_CF_LOOP_CONTINUE: jumps = false; break; // to the loop's end, which is reached anyway
    case TS_CF_CALL: jump.calls++; break;
    case TS_CF_CALL_FS: jump.calls++, note(w, &jump); break;
    case TS_CFA_ALU_PUSH_BEFORE: d.pushes++; break;
    case TS_CFA_ALU_POP_AFTER: pop(&d, 1); break;
    case TS_CFA_ALU_POP2_AFTER: pop(&d, 2); break;
    case TS_CFA_ALU_BREAK:
    case TS_CFA_ALU_CONTINUE: // push within
        jump.pushes++;
        note(w, &jump);
        break;
    default: break;
    }
    note(w, &d);
    if (falls) go(w, (uint64_t)at + 1, d); // first, as PUSH names the word behind it with another depth
    if (jumps) note(w, &jump), go(w, ts_get(in, TS_ADDR), jump);
}

bool ts_program_needs(const struct ts_chip *chip, const uint32_t *code, uint32_t words,
                      struct ts_needs *out) {
    struct walk w = {.chip = chip, .words = words};
    *out = (struct ts_needs){.gprs = 1};
    w.at = calloc((size_t)words + 1, sizeof *w.at);
    w.todo = malloc(4u * ((size_t)words + 1));
    if (!w.at || !w.todo) {
        free(w.at);
        free(w.todo);
        return false;
    }
    go(&w, 0, (struct depth){0});
    while (w.count) {
        const uint32_t at = w.todo[--w.count];
        struct ts_insn in;
        ts_decode_cf(chip->family, code + 2 * (size_t)at, &in);
        count_cf(out, &in);
        const struct ts_clause c = ts_clause_of(&in);
        if (c.kind && c.begin < words && c.words <= words - c.begin) count_clause(chip, out, code, &c);
        step(&w, at, &in);
    }
    out->stack = w.stack;
    free(w.at);
    free(w.todo);
    return true;
}
