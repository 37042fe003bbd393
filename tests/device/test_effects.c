// SPDX-License-Identifier: MIT
// The record of effects (isa/effect.h) is the truth about each instruction: every row, in each of its
// encodings and in variants of modifiers, on every processor over time (see effects_proof.h for what a proof
// is). EFFECTS=all runs every row on every processor; without, each processor runs a share of its rows that
// rotates by EFFECTS_SEED, so that each row of each generation runs somewhere. EFFECTS=ROW runs one row.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "effects_mutants.h"

// ---- What is not shown, by id of row, sem, or beginning of ids with a star ----

struct exception {
    const char *key, *what, *reason;
};
static const struct exception unseen[] = {
#include "effects_unseen.def"
};
enum { UNSEEN = sizeof unseen / sizeof *unseen };
static unsigned unseen_used[UNSEEN + 1];

static bool fits(const char *key, const char *name) {
    const size_t n = strlen(key);
    return n && key[n - 1] == '*' ? !strncmp(key, name, n - 1) : !strcmp(key, name);
}
static bool is_excused(const struct proof *p, const struct thing *t) {
    char text[64];
    describe_thing(p, t, text, sizeof text);
    for (unsigned i = 0; i < UNSEEN; i++) {
        const struct exception *x = &unseen[i];
        if (!fits(x->key, row_id(p->s->row)) && !fits(x->key, row_sem(p->s->row))) continue;
        if (!fits(x->what, text)) continue;
        unseen_used[i]++;
        return true;
    }
    return false;
}

// ---- Counts ----

static bool mutating; // of a wrong record more runs are seen
enum { ROWS = 4096, WHOLE_TRIALS = 4, MUTANT_TRIALS = 120, TRIALS = 500, VARIANTS = 7 };
static struct {
    unsigned proofs, runs, rows, variants;
    uint8_t row[ROWS], no_record[ROWS], no_slot[ROWS], no_run[ROWS];
    const char *because[ROWS];
} total;
static unsigned failures;

// ---- One instruction ----

static void print_slot(const struct proof *p) {
    char text[64];
    print_error("   ");
    for (unsigned i = 0; i < p->s->size; i += 4) print_error(" %08x", *(const uint32_t *)(p->s->bytes + i));
    for (unsigned i = 0; i < p->e.count; i++) {
        const struct effect_range *r = &p->e.ranges[i];
        snprintf(text, sizeof text, "%c%u", "sva"[r->bank], r -> first);
        print_error(" %s%s:%u/%x/%x", r->flags & EFFECT_WRITES ? "W" : "R", text, r->count, r->bytes,
                    r->flags);
    }
    print_error(" reads %x writes %x control %x memory %x\n", p->e.reads, p->e.writes, p->e.control,
                p->e.memory.access);
}

// Constants among the sources, and registers that are several of them, may hide what another source does.
static bool is_weak(const struct proof *p) {
    const struct insn *in = &p->s->in;
    unsigned sources = 0, ranges = 0;
    if (p->s->row->flags & ROW_BITOP3 || in->f[F_addr64]) return true;
    if (p->s->variant > 1 && !is_memory_format(in->format->id)) return true;
    if (in->suffix != SUFFIX_NONE ||
        (p->e.reads & p->e.writes & STATE_EXEC && p->s->in.format->id > FMT_SMEM))
        return true;
    for (unsigned i = 0; i < ROW_SRC; i++) {
        const struct operand o = insn_operand(p->m->isa, in, p->s->row->src[i], p->m->wave32);
        if (!p->s->row->src[i].type || o.type == T_NO_OPERAND || !operand_dwords[o.type]) continue;
        sources++;
        if (o.code >= S_ADDRESS + 16 && o.code < SRC_VGPR0) return true;
    }
    for (unsigned i = 0; i < p->e.count; i++) {
        const struct effect_range *r = &p->e.ranges[i];
        if (r->flags & EFFECT_WRITES) {
            for (unsigned k = 0; k < p->e.count && r->bank != BANK_SCALAR; k++) {
                const struct effect_range *q = &p->e.ranges[k];
                if (!(q->flags & EFFECT_WRITES) && q->bank == r->bank && q->first == r->first) return true;
            }
            continue;
        }
        ranges++;
        for (unsigned k = 0; k < i; k++) {
            const struct effect_range *q = &p->e.ranges[k];
            if (!(q->flags & EFFECT_WRITES) && q->bank == r->bank && q->first < r->first + r->count &&
                r->first < q->first + q->count)
                return true;
        }
    }
    return ranges < sources && p->s->in.format->id <= FMT_VOP3P;
}

// Where that is so, and with DPP, SDWA, EXEC or VCC as operands, things count for the row as a whole: by what
// they are and by the word that follows the encoding.
static uint64_t seen_by_row[ROWS], unseen_by_row[ROWS];
static uint64_t bucket_of(const struct proof *p, const struct thing *t) {
    const unsigned what = t->kind <= THING_RANGE   ? p->e.ranges[t->range].bank
                          : t->kind == THING_STATE ? t->index == STATE_MODE ? 3u : 4u
                                                   : 5u;
    return 1ull << (12 * (what == 3 ? 0 : p->s->in.suffix) + 6 * t->writes + what);
}
static void count_by_row(const struct proof *p) {
    for (unsigned i = 0; i < p->thing_count; i++) {
        const struct thing *t = &p->things[i];
        if (!is_excused(p, t))
            *(t->seen ? &seen_by_row[p->s->row - isa_rows] : &unseen_by_row[p->s->row - isa_rows]) |=
                bucket_of(p, t);
    }
}

// Registers that this wave does not have.
static bool is_outside(const struct proof *p) {
    for (unsigned i = 0; i < p->e.count; i++) {
        const struct effect_range *r = &p->e.ranges[i];
        if (r->bank != BANK_SCALAR && !(r->flags & EFFECT_RELATIVE) &&
            r->first + r->count > (r->bank == BANK_ACC ? p->m->agprs : p->m->vgprs))
            return true;
    }
    return false;
}

// NULL, or what is wrong with the record in p->e.
static const char *prove(struct proof *p, unsigned trials) {
    list_things(p);
    for (unsigned i = 0; i < p->thing_count; i++) p->things[i].seen = is_excused(p, &p->things[i]);
    for (unsigned n = 0; n < trials; n++) {
        if (!trial(p, n < (mutating ? MUTANT_TRIALS : WHOLE_TRIALS))) return p->why;
        bool all = n + 1 >= (mutating ? MUTANT_TRIALS : WHOLE_TRIALS);
        for (unsigned i = 0; i < p->thing_count && all; i++) all &= p->things[i].seen;
        if (all) break;
    }
    count_by_row(p);
    if (is_weak(p)) return NULL;
    for (unsigned i = 0; i < p->thing_count; i++) {
        if (p->things[i].kind == THING_STATE && p->things[i].index == STATE_MODE && !p->things[i].writes)
            continue; // by row
        if (p->things[i].seen) continue;
        char text[64];
        describe_thing(p, &p->things[i], text, sizeof text);
        snprintf(p->why, sizeof p->why, "%s never matters", text);
        return p->why;
    }
    return NULL;
}

static struct effect_context context_of(const struct subject *m) {
    return (struct effect_context){m->p, m->isa, m->wave32, m->clears_halves, 0};
}

// ---- Wrong records ----

static unsigned mutants[MUTATIONS], survivors[MUTATIONS];

// Rows of which something cannot be seen prove nothing about a record that says it.
static bool is_listed(const struct row *row) {
    for (unsigned i = 0; i < UNSEEN; i++)
        if (fits(unseen[i].key, row_id(row)) || fits(unseen[i].key, row_sem(row))) return true;
    return false;
}
// What may be written hides what is read.
static bool is_relative(const struct effect *e) {
    for (unsigned i = 0; i < e->count; i++)
        if (e->ranges[i].flags & EFFECT_RELATIVE) return true;
    return false;
}
static void try_mutants(struct proof *p) {
    const struct effect right = p->e;
    if (p->s->variant || is_weak(p) || is_listed(p->s->row) ||
        right.control & (CONTROL_TRAP | CONTROL_REGISTER) || right.reads & (STATE_CLOCK | STATE_OTHER) ||
        is_relative(&right))
        return;
    // Where a few runs show nothing of MODE, a record without it is hard to tell from the right one.
    bool mode_matters = false;
    prove(p, 12);
    for (unsigned i = 0; i < p->thing_count; i++)
        mode_matters |=
            p->things[i].kind == THING_STATE && p->things[i].index == STATE_MODE && p->things[i].seen;
    for (unsigned what = 0; what < MUTATIONS; what++)
        for (unsigned n = 0; n < EFFECT_RANGES; n++) {
            p->e = right;
            if (!mutate(p->m, &p->e, what, n, mode_matters)) continue;
            mutants[what]++;
            if (prove(p, TRIALS)) continue;
            survivors[what]++;
            failures++;
            print_error("%s (%s): %s %u is wrong, and nothing notices\n", row_id(p->s->row),
                        sw_processor_name(p->m->p), mutation_names[what], n);
            print_slot(p);
        }
    p->e = right;
}

static unsigned reported[ROWS];
static void try_slot(struct proof *p, const struct slot *s) {
    const unsigned row = (unsigned)(s->row - isa_rows);
    const struct effect_context c = context_of(p->m);
    p->s = s;
    if (!insn_effect(&c, &s->in, &p->e)) {
        total.no_record[row] = 1;
        return;
    }
    p->right = p->e;
    if (is_outside(p)) return;
    const char *gap = machine_load(p->m, &s->in, s->bytes);
    if (gap && !(p->e.control & CONTROL_TRAP)) {
        total.no_run[row] = 1;
        total.because[row] = gap;
        return;
    }
    const char *wrong = NULL;
    if (mutating) {
        try_mutants(p);
        return;
    }
    wrong = prove(p, is_weak(p) ? WHOLE_TRIALS + 8 : TRIALS);
    total.proofs++;
    total.row[row] = 1;
    if (!wrong) return;
    failures++;
    if (reported[row]++ && !getenv("EFFECTS_ALL_FAILURES")) return;
    print_error("%s (%s, %s, wave%u): %s\n", row_id(s->row), sw_processor_name(p->m->p),
                format_names[s->in.format->id], p->m->lanes, wrong);
    print_slot(p);
}

// ---- Processors ----

// Whether it is this processor's turn to run the row: one of those that have it.
static bool is_its_turn(const sw_processor *q, unsigned row, unsigned turn) {
    unsigned have = 0, before = 0;
    for (unsigned i = 0; i < sw_processor_count(); i++) {
        const sw_processor *other = sw_processor_at(i);
        const struct isa *isa = isa_of(other);
        if (!isa || isa->row_codings[row] == isa->row_codings[row + 1]) continue;
        before += q == other ? have + 1 : 0;
        have++;
    }
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) // ten times as slow
    if (row % 8 != turn % 8) return false;
#endif
    return before && before - 1 == (row + turn) % have;
}

static void try_machine(struct subject *m, const char *only, bool all, unsigned turn) {
    struct proof *p = proof_new(m);
    for (unsigned r = 0; r < isa_row_count; r++) {
        if (only ? !fits(only, row_id(&isa_rows[r])) : !all && !is_its_turn(m->p, r, turn)) continue;
        if (row_gap(&isa_rows[r])) total.no_record[r] = 1;
        if (total.no_record[r]) continue;
        for (unsigned c = m->isa->row_codings[r]; c < m->isa->row_codings[r + 1]; c++) {
            bool any = false;
            for (unsigned v = 0; v < VARIANTS; v++) {
                struct slot s;
                if (!all && !only && v > 1 && (v + r + turn) % 2) continue; // half of them
                begin_chance(row_id(&isa_rows[r]), v + 16 * m->isa->codings[c].format + 1024 * turn);
                if (!make_slot(m, &m->isa->codings[c], v, &s)) continue;
                any = true;
                try_slot(p, &s);
            }
            if (!any) total.no_slot[r]++;
        }
    }
    total.runs += p->runs;
    proof_free(p);
}

static void records_are_true(void **state) {
    (void)state;
    const char *what = getenv("EFFECTS"), *seed = getenv("EFFECTS_SEED"), *on = getenv("EFFECTS_ON");
    const bool all = what && !strcmp(what, "all");
    const unsigned turn = seed ? (unsigned)atoi(seed) : 0;
    unsigned machines = 0;
    for (unsigned i = 0; i < sw_processor_count(); i++) {
        const sw_processor *q = sw_processor_at(i);
        if (!isa_of(q) || (on && strcmp(on, sw_processor_name(q)))) continue;
        for (unsigned size = has(q, CAP_wave32) ? 0 : 1; size < (has(q, CAP_wave32_only) ? 1 : 2); size++) {
            static const char *const levels[] = {NULL, "v2", "v3"}; // NULL: the host's best
            const bool clears = has(q, CAP_sramecc) && (i + turn) % 2;
            struct subject *m = machine_open(q, !size, clears, levels[(i + turn) % 3]);
            if (!m) m = machine_open(q, !size, clears, NULL);
            if (!m) continue;
            try_machine(m, all ? NULL : what, all, turn);
            machine_close(m);
            machines++;
        }
    }
    unsigned rows = 0, without = 0;
    for (unsigned r = 0; r < isa_row_count; r++) rows += total.row[r], without += total.no_record[r];
    print_message("%u rows, %u proofs on %u processors and wave sizes, %u runs; %u rows have no record\n",
                  rows, total.proofs, machines, total.runs, without);
    for (unsigned r = 0; r < isa_row_count; r++) {
        if (total.row[r]) continue;
        if (total.no_run[r])
            print_message("  %s does not run: %s\n", row_id(&isa_rows[r]), total.because[r]);
        else if (total.no_slot[r])
            print_message("  %s: no operands\n", row_id(&isa_rows[r]));
    }
    for (unsigned r = 0; r < isa_row_count; r++) {
        const uint64_t never = unseen_by_row[r] & ~seen_by_row[r];
        for (unsigned b = 0; never >> b; b++)
            if (never >> b & 1)
                print_message(
                    "  %s: never %s %s (suffix %u)\n", row_id(&isa_rows[r]), b % 12 / 6 ? "writes" : "reads",
                    (const char *[]){"a scalar", "a vector", "an AGPR", "MODE", "a state", "memory"}[b % 6],
                    b / 12);
    }
    assert_int_equal(failures, 0);
}

// A few rows on a few processors: each part of their records is made wrong.
static void wrong_records_are_noticed(void **state) {
    (void)state;
    static const char *const names[] = {"gfx906", "gfx90a", "gfx1030", "gfx1200"};
    const char *what = getenv("EFFECTS"), *seed = getenv("EFFECTS_SEED");
    const unsigned turn = seed ? (unsigned)atoi(seed) : 0;
    unsigned all = 0, alive = 0;
    if (getenv("EFFECTS_ON")) return;
    mutating = true;
    failures = 0;
    const bool whole = what && !strcmp(what, "all");
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (!what && (i + turn) % 2) continue; // half of them
        struct subject *m = machine_open(sw_processor_find(names[i], strlen(names[i])), false, false, NULL);
        assert_non_null(m);
        try_machine(m, what && !whole ? what : NULL, whole, turn + i);
        machine_close(m);
    }
    mutating = false;
    for (unsigned k = 0; k < MUTATIONS; k++) {
        print_message("  %-16s %5u wrong records, %u not noticed\n", mutation_names[k], mutants[k],
                      survivors[k]);
        all += mutants[k], alive += survivors[k];
    }
    print_message("%u wrong records, %u noticed\n", all, all - alive);
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(records_are_true),
                                       cmocka_unit_test(wrong_records_are_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
