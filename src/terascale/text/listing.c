// SPDX-License-Identifier: MIT
// A program as a listing: control flow with each clause under the word that names it, then what is left as
// data.
#include <stdlib.h>
#include <string.h>

#include "terascale/isa/program_words.h"
#include "terascale/text/listing.h"
#include "terascale/text/print.h"

// ---- Clauses ----

static bool all_zero(const struct ts_group *g) {
    for (unsigned i = 0; i < g->count; i++)
        if (g->slot[i].swizzle) return false;
    return true;
}

// Swizzles need no words where the assembler finds the same.
static bool swizzles_found(const struct ts_chip *chip, const struct ts_group *g) {
    struct ts_group found = *g;
    return all_zero(g) && ts_find_swizzles(chip, &found) && all_zero(&found);
}

static void name_units(struct ts_group *g) {
    if (ts_place_units(g)) return;
    for (unsigned i = 0; i < g->count; i++)
        g->slot[i].unit = g->slot[i].dst_chan; // it fits nowhere: by channel
}

// Literals that no operand names and that are not zero need a line of their own.
static bool hidden_literals(const struct ts_group *g, const struct ts_literals *l) {
    bool seen[4] = {false}, direct = false;
    for (unsigned i = 0; i < g->count; i++)
        for (unsigned k = 0; k < g->slot[i].sources; k++) {
            const struct ts_source *s = &g->slot[i].src[k];
            if (s->sel == TS_SEL_LITERAL) seen[s->chan] = true;
            direct |= s->sel == TS_SEL_LDS_DIRECT_A || s->sel == TS_SEL_LDS_DIRECT_B;
        }
    if (direct && l->count) return true;
    for (unsigned i = 0; i < l->count; i++)
        if (!seen[i] && l->dwords[i]) return true;
    return false;
}

static uint32_t list_group(struct text *t, const struct ts_chip *chip, const uint32_t *code, uint32_t most,
                           unsigned number) {
    struct ts_group g;
    ts_take_group(chip->family, code, most, &g);
    name_units(&g);
    unsigned literals = g.literals / 2; // words of two dwords
    if (!g.ended) literals = 0;
    if (literals > most - g.count) literals = most - g.count;
    const bool legal = !ts_check_group(chip, &g) && literals == g.literals / 2;
    const struct ts_literals l = {code + 2 * (size_t)g.count, 2 * literals};
    const bool silent = legal && swizzles_found(chip, &g);
    const bool zero = all_zero(&g);
    for (unsigned i = 0; i < g.count; i++) {
        if (i)
            text_puts(t, "            ");
        else
            text_printf(t, "    %4u%s  ", number, legal ? " " : "!");
        ts_print_slot(t, &g.slot[i], &l, !silent && (g.slot[i].swizzle || (legal && zero && !i)));
        text_puts(t, "\n");
    }
    if (hidden_literals(&g, &l)) {
        text_puts(t, "            l: ");
        for (unsigned i = 0; i < l.count; i++) text_printf(t, "%s0x%08x", i ? ", " : "", l.dwords[i]);
        text_puts(t, "\n");
    }
    if (!g.ended) text_puts(t, "            NOT_LAST\n");
    return g.count + literals;
}

static unsigned list_clause(struct text *t, const struct ts_chip *chip, const uint32_t *code,
                            const struct ts_clause *c, unsigned number) {
    const uint32_t *begin = code + 2 * (size_t)c->begin;
    for (uint32_t i = 0; i < c->words; number++) {
        if (c->kind == TS_ALU_CLAUSE) {
            i += list_group(t, chip, begin + 2 * (size_t)i, c->words - i, number);
            continue;
        }
        struct ts_insn in;
        ts_decode_fetch(chip->family, begin + 2 * (size_t)i, &in);
        text_printf(t, "    %4u   ", number);
        ts_print_fetch(t, &in);
        text_puts(t, "\n");
        i += 2;
    }
    return number;
}

// ---- The program ----

static uint32_t list_data(struct text *t, const struct ts_map *m, const uint32_t *code, uint32_t at,
                          uint32_t words) {
    uint32_t zeros = 0;
    while (at + zeros < words && m->kind[at + zeros] == TS_WORD_DATA && !code[2 * (size_t)(at + zeros)] &&
           !code[2 * (size_t)(at + zeros) + 1])
        zeros++;
    if (zeros) {
        text_printf(t, "%04u .zero %u\n", at, zeros);
        return zeros;
    }
    text_printf(t, "%04u .long 0x%08x, 0x%08x\n", at, code[2 * (size_t)at], code[2 * (size_t)at + 1]);
    return 1;
}

static bool list_amd(struct text *t, const struct ts_chip *chip, const uint32_t *code, uint32_t words) {
    struct ts_map m;
    if (!ts_map_program(chip->family, code, words, &m)) return false;
    struct ts_insn in, ext = {0};
    unsigned number = 0;
    for (uint32_t i = 0; i < words;) {
        if (m.kind[i] == TS_WORD_DATA) {
            i += list_data(t, &m, code, i, words);
            continue;
        }
        if (m.kind[i] != TS_WORD_CF) {
            i++;
            continue;
        }
        ts_decode_cf(chip->family, code + 2 * (size_t)i, &in);
        const struct ts_clause c = ts_clause_of(&in);
        const bool body = c.kind && c.begin < words && m.owner[c.begin] == i + 1;
        const bool extended = ext.row && ts_is(&ext, TS_CFA_ALU_EXT);
        text_printf(t, "%04u ", i);
        ts_print_cf(t, &in);
        if (body && ts_check_clause(chip, &in, extended ? &ext : NULL, code + 2 * (size_t)c.begin))
            text_puts(t, " UNCHECKED");
        text_puts(t, "\n");
        if (body) number = list_clause(t, chip, code, &c, number);
        ext = in;
        i++;
    }
    ts_map_free(&m);
    return !t->failed;
}

// ---- llc's order: control flow, then clauses where they lie ----

static void llvm_bytes(struct text *t, const uint32_t *w, unsigned dwords) {
    text_puts(t, " ; encoding: [");
    for (unsigned i = 0; i < 4 * dwords; i++)
        text_printf(t, "%s0x%02x", i ? "," : "", w[i / 4] >> 8 * (i & 3) & 255);
    text_puts(t, "]\n");
}

// Without the sign of a NaN, as llc has it.
static void llvm_literal(struct text *t, uint32_t v) {
    float f;
    memcpy(&f, &v, sizeof f);
    if (f != f)
        text_printf(t, "%d(nan)", (int)v);
    else if (f - f != 0)
        text_printf(t, "%d(%s)", (int)v, f < 0 ? "-INF" : "INF");
    else
        text_printf(t, "%d(%e)", (int)v, (double)f);
}

static uint32_t llvm_group(struct text *t, enum ts_family family, const uint32_t *code, uint32_t most) {
    struct ts_group g;
    ts_take_group(family, code, most, &g);
    name_units(&g);
    unsigned literals = g.literals / 2;
    if (literals > most - g.count) literals = most - g.count;
    const struct ts_literals l = {code + 2 * (size_t)g.count, 2 * literals};
    for (unsigned i = 0; i < g.count; i++) {
        ts_llvm_slot(t, &g.slot[i], &l);
        llvm_bytes(t, code + 2 * i, 2);
    }
    for (unsigned i = 0; i < literals; i++) {
        llvm_literal(t, l.dwords[2 * i]);
        text_puts(t, ", ");
        llvm_literal(t, l.dwords[2 * i + 1]);
        llvm_bytes(t, l.dwords + 2 * i, 2);
    }
    return g.count + literals;
}

static bool list_llvm(struct text *t, const struct ts_chip *chip, const uint32_t *code, uint32_t words) {
    struct ts_map m;
    if (!ts_map_program(chip->family, code, words, &m)) return false;
    struct ts_insn in;
    uint32_t clauses = 0; // the first word behind the control flow
    while (clauses < words && m.kind[clauses] != TS_WORD_CLAUSE) clauses++;
    for (uint32_t i = 0; i < words; i++) {
        const uint32_t *w = code + 2 * (size_t)i;
        if (m.kind[i] == TS_WORD_CF || (m.kind[i] == TS_WORD_DATA && i < clauses)) {
            ts_decode_cf(chip->family, w, &in);
            ts_llvm_cf(t, &in);
            llvm_bytes(t, w, 2);
        }
        if (m.kind[i] != TS_WORD_CLAUSE || !m.owner[i]) continue;
        ts_decode_cf(chip->family, code + 2 * (size_t)(m.owner[i] - 1), &in);
        const struct ts_clause c = ts_clause_of(&in);
        text_printf(t, "%s clause starting at %u:\n", c.kind == TS_ALU_CLAUSE ? "ALU" : "Fetch", i);
        for (uint32_t k = 0; k < c.words;) {
            if (c.kind == TS_ALU_CLAUSE) {
                k += llvm_group(t, chip->family, w + 2 * (size_t)k, c.words - k);
                continue;
            }
            ts_decode_fetch(chip->family, w + 2 * (size_t)k, &in);
            ts_llvm_fetch(t, &in);
            llvm_bytes(t, w + 2 * (size_t)k, 4);
            k += 2;
        }
    }
    ts_map_free(&m);
    return !t->failed;
}

bool ts_list_program(struct text *t, const struct ts_chip *chip, const uint32_t *code, uint32_t words,
                     bool llvm) {
    return llvm ? list_llvm(t, chip, code, words) : list_amd(t, chip, code, words);
}
