// SPDX-License-Identifier: MIT
// The rules of clauses.
#include "terascale/isa/clause.h"

struct ts_clause ts_clause_of(const struct ts_insn *cf) {
    if (!cf->row || !(cf->row->flags & TS_CLAUSE)) return (struct ts_clause){TS_NO_CLAUSE, 0, 0};
    const bool alu = cf->format->id == TSF_CF_ALU;
    const uint32_t count = ts_get(cf, TS_COUNT) + 1;
    return (struct ts_clause){alu ? TS_ALU_CLAUSE : TS_FETCH_CLAUSE, ts_get(cf, TS_ADDR),
                              alu ? count : 2 * count};
}

bool ts_ends_program(const struct ts_insn *cf) {
    return ts_get(cf, TS_END_OF_PROGRAM) || ts_is(cf, TS_CF_CF_END) || ts_is(cf, TS_EXP_EXPORT_DONE_END);
}

bool ts_falls_through(const struct ts_insn *cf) {
    return !ts_ends_program(cf) && !(ts_is(cf, TS_CF_RET) && !ts_get(cf, TS_COND));
}

// ---- Constants that are locked ----

static bool is_locked(const struct ts_insn *cf, const struct ts_insn *ext, unsigned set, unsigned line) {
    static const enum ts_field modes[4] = {TS_KCACHE_MODE0, TS_KCACHE_MODE1, TS_KCACHE_MODE2,
                                           TS_KCACHE_MODE3};
    const struct ts_insn *in = set < 2 ? cf : ext;
    const unsigned mode = in ? ts_get(in, modes[set]) : 0;
    return mode >= 2 ? true : mode == 1 && line == 0;
}

// The set of kcache that a selector reads, or -1.
static int set_of(const struct ts_source *s, enum ts_family family) {
    if (s->sel >= TS_SEL_KC0 && s->sel < TS_SEL_KC1) return 0;
    if (s->sel >= TS_SEL_KC1 && s->sel < TS_SEL_KC1 + 32) return 1;
    if (family < TS_EVERGREEN || s->sel < TS_SEL_KC2 || s->sel >= TS_SEL_KC3 + 32) return -1;
    return s->sel < TS_SEL_KC3 ? 2 : 3;
}

static const char *check_alu(const struct ts_chip *chip, const struct ts_insn *cf, const struct ts_insn *ext,
                             const uint32_t *code, uint32_t words) {
    for (uint32_t i = 0; i < words;) {
        struct ts_group g;
        ts_take_group(chip->family, code + 2 * i, words - i, &g);
        for (unsigned k = 0; k < g.count; k++)
            for (unsigned n = 0; n < g.slot[k].used; n++) {
                const struct ts_source *s = &g.slot[k].src[n];
                const int set = set_of(s, chip->family);
                if (set >= 0 && !is_locked(cf, ext, (unsigned)set, s->sel >> 4 & 1))
                    return "a constant is read from a line that the clause does not lock";
            }
        i += g.count + g.literals / 2;
        if (i > words) return "the clause ends within a group's literals";
    }
    return NULL;
}

// A fetch may not take what one before it in the clause fetches.
static const char *check_fetches(const struct ts_chip *chip, const uint32_t *code, unsigned count) {
    if (count > chip->fetches) return "too many fetches in a clause";
    bool fetched[128] = {false};
    for (unsigned i = 0; i < count; i++) {
        struct ts_insn in;
        ts_decode_fetch(chip->family, code + 4 * i, &in);
        if (in.row && fetched[ts_get(&in, TS_SRC_GPR) & 127])
            return "a fetch uses the result of another in its clause";
        const bool gradients = in.format->id == TSF_TEX && in.row && ts_get(&in, TS_DST_SEL_X) == 7 &&
                               ts_get(&in, TS_DST_SEL_Y) == 7 && ts_get(&in, TS_DST_SEL_Z) == 7 &&
                               ts_get(&in, TS_DST_SEL_W) == 7;
        if (ts_width(&in, TS_DST_GPR) && !gradients) fetched[ts_get(&in, TS_DST_GPR)] = true;
    }
    return NULL;
}

const char *ts_check_clause(const struct ts_chip *chip, const struct ts_insn *cf, const struct ts_insn *ext,
                            const uint32_t *code) {
    const struct ts_clause c = ts_clause_of(cf);
    const char *why = ts_check_facts(chip, cf->row);
    if (why) return why;
    if (c.kind == TS_ALU_CLAUSE) return check_alu(chip, cf, ext, code, c.words);
    if (c.kind != TS_FETCH_CLAUSE) return NULL;
    if (c.begin & 1) return "a fetch clause begins at a multiple of 16 bytes";
    return check_fetches(chip, code, c.words / 2);
}
