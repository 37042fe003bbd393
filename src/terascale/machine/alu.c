// SPDX-License-Identifier: MIT
// ALU clauses: groups whose slots read everything before any of them writes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "terascale/machine/step.h"

enum { POISON = 0xbad0bad0, FIRST_TEMPORARY = 124 };

// ---- Sources ----

enum { INDEX_AL = 4, INDEX_GLOBAL, INDEX_GLOBAL_AR_X };

// R600 (but RV670) indexes GPRs by what MOVA_GPR_INT wrote, constants by what the other MOVAs wrote.
static bool splits(const struct ts_step *x) { return x->m->chip->facts & TS_FACT_MOVA_GPR; }

static int32_t index_of(const struct ts_step *x, const struct ts_slot *s, bool gpr, unsigned lane) {
    switch (s->index_mode) {
    case INDEX_AL: return x->w->index;
    case INDEX_GLOBAL: return 0;
    case INDEX_GLOBAL_AR_X: return x->w->ar[0][lane];
    default: return x->w->ar[(s->index_mode & 3) + (gpr && splits(x) ? 4 : 0)][lane];
    }
}

static bool is_global(const struct ts_slot *s) { return s->index_mode >= INDEX_GLOBAL; }

static bool check_index(struct ts_step *x, const struct ts_slot *s, bool gpr) {
    if (s->index_mode > INDEX_GLOBAL_AR_X)
        return ts_refuse(x->m, "index mode %u has no meaning", s->index_mode);
    if (is_global(s) && x->m->chip->family == TS_R600)
        return ts_refuse(x->m, "%s has no registers of a whole SIMD", x->m->chip->name);
    if (is_global(s) && !x->m->spaces[TS_SPACE_GPRS].data)
        return ts_refuse(x->m, "registers of a whole SIMD were not given");
    if (s->index_mode != INDEX_AL && s->index_mode != INDEX_GLOBAL && x->m->strict &&
        !x->w->ar_defined[gpr && splits(x)])
        return ts_fault(x->m, -1, "the address register is read before this clause wrote it");
    return true;
}

// Registers of the whole SIMD, which all waves share and which outlive them: [register][channel][lane].
static uint32_t *global_gpr(const struct ts_step *x, int64_t n, unsigned chan, unsigned lane) {
    const struct ts_area *s = &x->m->spaces[TS_SPACE_GPRS];
    const uint64_t at = ((uint64_t)n * 4 + chan) * TS_LANES + lane;
    return n >= 0 && in_range(4 * at, 4, s->size) ? (uint32_t *)(void *)s->data + at : NULL;
}

// GPRs 124 to 127 are clause temporaries unless the program declares that it uses them as others.
static bool is_temporary(const struct ts_step *x, unsigned gpr) {
    return gpr >= FIRST_TEMPORARY && x->m->gprs <= FIRST_TEMPORARY;
}

static bool read_gpr(struct ts_step *x, const struct ts_slot *s, const struct ts_source *o, uint32_t *out) {
    if (!o->rel) {
        if (x->m->strict && is_temporary(x, o->sel) &&
            !(x->w->temporaries >> (4 * (o->sel - FIRST_TEMPORARY) + o->chan) & 1))
            return ts_fault(x->m, -1, "temporary R%u.%c is read before this clause wrote it", o->sel,
                            ts_unit_letter[o->chan]);
        memcpy(out, x->w->gpr[o->sel][o->chan], sizeof x->w->gpr[0][0]);
        return true;
    }
    // Outside of the file GPR 0 is read.
    FOR_LANES(l, x->reading) {
        const int64_t n = (int64_t)o->sel + index_of(x, s, true, l);
        const uint32_t *shared = is_global(s) ? global_gpr(x, n, o->chan, l) : NULL;
        out[l] = shared ? *shared : x->w->gpr[!is_global(s) && n >= 0 && n < TS_GPRS ? n : 0][o->chan][l];
    }
    return true;
}

static bool read_constant(struct ts_step *x, const struct ts_slot *s, const struct ts_source *o, unsigned set,
                          uint32_t n, uint32_t *out) {
    static const enum ts_field fields[4][3] = {{TS_KCACHE_MODE0, TS_KCACHE_BANK0, TS_KCACHE_ADDR0},
                                               {TS_KCACHE_MODE1, TS_KCACHE_BANK1, TS_KCACHE_ADDR1},
                                               {TS_KCACHE_MODE2, TS_KCACHE_BANK2, TS_KCACHE_ADDR2},
                                               {TS_KCACHE_MODE3, TS_KCACHE_BANK3, TS_KCACHE_ADDR3}};
    static const enum ts_field modes[4] = {TS_KCACHE_BANK_INDEX_MODE0, TS_KCACHE_BANK_INDEX_MODE1,
                                           TS_KCACHE_BANK_INDEX_MODE2, TS_KCACHE_BANK_INDEX_MODE3};
    const struct ts_insn *lock = set < 2 ? x->cf : x->ext;
    const unsigned mode = lock ? ts_get(lock, fields[set][0]) : 0;
    if (!mode) return ts_fault(x->m, -1, "KC%u is read, which the clause does not lock", set);
    if (ts_get(x->cf, TS_ALT_CONST)) return ts_refuse(x->m, "the constants of another stage are not there");
    if (o->rel && is_global(s)) return ts_refuse(x->m, "a constant of a whole SIMD");
    uint32_t bank = ts_get(lock, fields[set][1]);
    const unsigned by = x->ext ? ts_get(x->ext, modes[set]) : 0;
    if (by) bank += x->w->clause_index[(by - 1) & 1];
    if (bank >= TS_BUFFERS || !x->m->constants[bank].data)
        return ts_fault(x->m, -1, "constant buffer %u is not there", bank);
    const struct ts_memory *b = &x->m->constants[bank];
    const int64_t line = (int64_t)ts_get(lock, fields[set][2]) * 16 + (mode == 3 ? x->w->index : 0);
    FOR_LANES(l, x->reading) {
        const int64_t vector = line + n + (o->rel ? index_of(x, s, false, l) : 0);
        const uint64_t at = (uint64_t)vector * 16 + 4 * o->chan;
        out[l] = 0; // outside
        if (vector >= 0 && at + 4 <= b->size) memcpy(&out[l], b->data + at, 4);
    }
    return true;
}

// The constant file: 256 vectors.
static void read_file(struct ts_step *x, const struct ts_slot *s, const struct ts_source *o, uint32_t *out) {
    FOR_LANES(l, x->reading) {
        const int64_t n = (int64_t)o->sel - TS_SEL_KC2 + (o->rel ? index_of(x, s, false, l) : 0);
        out[l] = x->m->file && n >= 0 && n < 256 ? x->m->file[4 * n + o->chan] : 0;
    }
}

static bool read_queue(struct ts_step *x, const struct ts_source *o, uint32_t *out) {
    const bool pops = o->sel > TS_SEL_LDS_OQ_A + 1;
    FOR_LANES(l, x->reading) {
        struct ts_queue *q = &x->w->queue[l][(o->sel - TS_SEL_LDS_OQ_A) & 1];
        if (!q->count) return ts_fault(x->m, (int)l, "a queue of LDS is read that is empty");
        out[l] = q->value[q->first];
        if (pops) q->first = (uint8_t)((q->first + 1) % TS_QUEUE), q->count--;
    }
    return true;
}

// A dword of LDS at a place that the group's literals name: 13 bits of dwords, with a stride from item to
// item.
static bool read_direct(struct ts_step *x, const struct ts_source *o, uint32_t *out) {
    const uint32_t *literal = x->g->literal, half = literal[o->sel == TS_SEL_LDS_DIRECT_B];
    const uint32_t offset = half & 0x1fff, stride = half >> 13 & 0x7f;
    const bool relative = half >> 22 & 1;
    if (!(literal[1] >> 31))
        return ts_refuse(x->m, "LDS_DIRECT: what is read without DIRECT_READ_32 is not known");
    if (stride && !relative)
        return ts_refuse(x->m, "LDS_DIRECT: what a stride counts without THREAD_REL is not known");
    FOR_LANES(l, x->reading) {
        const uint32_t item = x->w->number * x->m->chip->wave + l;
        const uint64_t at = 4ull * (offset + (relative ? stride * item : 0));
        out[l] = 0; // outside
        if (in_range(at, 4, x->m->lds_size)) memcpy(&out[l], x->m->lds + at, 4);
    }
    return true;
}

// Values that are the same in each lane, and those that only depend on the lane's number.
static bool read_special(struct ts_step *x, unsigned sel, uint32_t *out) {
    uint32_t v;
    switch (sel) {
    case TS_SEL_ZERO: v = 0; break;
    case 249: v = 0x3f800000; break;
    case TS_SEL_ONE_INT: v = 1; break;
    case 251: v = 0xffffffff; break;
    case 252: v = 0x3f000000; break;
    case 229: v = (uint32_t)(x->w->active >> 32); break;
    case 230: v = (uint32_t)x->w->active; break;
    case 227: v = (uint32_t)(x->m->steps >> 32); break; // time goes by control-flow instructions
    case 228: v = (uint32_t)x->m->steps; break;
    case 231:
    case 235: v = x->w->number; break;
    case 232: // one SIMD of one engine, and one pipeline of it
    case 233:
    case 234: // groups run one after the other
    case 237: v = 0; break;
    case 236: v = x->m->group_waves; break;
    case 238: v = (uint32_t)x->w->index; break;
    case 244:
    case 246: v = 0; break;
    case 245: v = 0x3ff00000; break;
    case 247: v = 0x3fe00000; break;
    default: return ts_refuse(x->m, "source %u is not executed", sel);
    }
    for (unsigned l = 0; l < TS_LANES; l++) out[l] = v;
    return true;
}

static bool read_raw(struct ts_step *x, const struct ts_slot *s, const struct ts_source *o, uint32_t *out) {
    const bool new = x->m->chip->family >= TS_EVERGREEN;
    if (o->rel && !check_index(x, s, o->sel < TS_SEL_KC0)) return false;
    if (o->sel < TS_SEL_KC0) return read_gpr(x, s, o, out);
    if (o->sel < TS_SEL_KC1) return read_constant(x, s, o, 0, o->sel - TS_SEL_KC0, out);
    if (o->sel < TS_SEL_KC1 + 32) return read_constant(x, s, o, 1, o->sel - TS_SEL_KC1, out);
    if (new && o->sel >= TS_SEL_KC2 && o->sel < TS_SEL_KC3)
        return read_constant(x, s, o, 2, o->sel - TS_SEL_KC2, out);
    if (new && o->sel >= TS_SEL_KC3 && o->sel < TS_SEL_KC3 + 32)
        return read_constant(x, s, o, 3, o->sel - TS_SEL_KC3, out);
    if (new && o->sel >= TS_SEL_LDS_OQ_A && o->sel <= TS_SEL_LDS_OQ_B_POP) return read_queue(x, o, out);
    if (new && (o->sel == TS_SEL_LDS_DIRECT_A || o->sel == TS_SEL_LDS_DIRECT_B))
        return read_direct(x, o, out);
    if (o->sel == TS_SEL_LITERAL) {
        for (unsigned l = 0; l < TS_LANES; l++) out[l] = x->g->literal[o->chan];
        return true;
    }
    if (o->sel == TS_SEL_PV || o->sel == TS_SEL_PS) {
        const unsigned bit = o->sel == TS_SEL_PS ? 4 : o->chan;
        if (x->m->strict && !(x->w->defined >> bit & 1))
            return ts_fault(x->m, -1, "%s.%c is read, which the group before did not write",
                            bit == 4 ? "PS" : "PV", ts_unit_letter[o->chan]);
        memcpy(out, bit == 4 ? x->w->ps : x->w->pv[o->chan], sizeof x->w->ps);
        return true;
    }
    if (o->sel >= TS_SEL_KC2 && !new) return read_file(x, s, o, out), true;
    if (o->sel >= TS_SEL_PARAM && s->insn.row->flags & TS_INTERP) return true; // ts_run_interp reads it
    if (o->sel >= TS_SEL_KC2) return ts_refuse(x->m, "source %u is not executed", o->sel);
    return read_special(x, o->sel, out);
}

static bool takes_modifiers(const struct ts_slot *s) {
    const unsigned t = s->insn.row->src;
    return t == TS_F32 || t == TS_B32;
}

static bool read_sources(struct ts_step *x) {
    for (unsigned i = 0; i < x->g->group.count; i++) {
        const struct ts_slot *s = &x->g->group.slot[i];
        x->reading = x->lane_set[i];
        for (unsigned k = 0; k < s->used; k++) {
            uint32_t *out = x->src[i][k];
            if (!read_raw(x, s, &s->src[k], out)) return false;
            if (!takes_modifiers(s) || !(s->src[k].neg || s->src[k].abs)) continue;
            for (unsigned l = 0; l < TS_LANES; l++)
                out[l] = (s->src[k].abs ? out[l] & 0x7fffffffu : out[l]) ^ (s->src[k].neg ? 0x80000000u : 0);
        }
    }
    return true;
}

// ---- Operations with effects ----

static bool run_predicate(struct ts_step *x, unsigned i) {
    const struct ts_slot *s = &x->g->group.slot[i];
    const enum ts_op op = (enum ts_op)ts_row_number(s->insn.row);
    uint64_t passes = 0;
    FOR_LANES(l, x->lane_set[i]) {
        const uint32_t v[2] = {x->src[i][0][l], x->src[i][1][l]};
        bool pass;
        if (!ts_body_predicate(op, v, &pass, &x->result[i][l]))
            return ts_refuse(x->m, "%s is not executed", ts_row_name(s->insn.row));
        passes |= (uint64_t)pass << l;
    }
    ts_set_predicate(x, i, passes);
    return true;
}

static bool run_kill(struct ts_step *x, unsigned i) {
    const enum ts_op op = (enum ts_op)ts_row_number(x->g->group.slot[i].insn.row);
    FOR_LANES(l, x->lane_set[i]) {
        const uint32_t v[2] = {x->src[i][0][l], x->src[i][1][l]};
        bool kill;
        if (!ts_body_kill(op, v, &kill))
            return ts_refuse(x->m, "%s is not executed", ts_row_name(&ts_rows[op]));
        if (kill) x->w->valid &= ~(1ull << l);
        x->result[i][l] = kill ? ts_bits(1.0f) : 0;
    }
    return true;
}

static int32_t nine_bits(double v) { return v < -256 ? -256 : v > 255 ? 255 : (int32_t)v; }

// Where MOVA_INT goes: the address register, or on Cayman an index of control flow, the same for all lanes.
static bool run_mova(struct ts_step *x, unsigned i) {
    const struct ts_slot *s = &x->g->group.slot[i];
    const enum ts_op op = (enum ts_op)ts_row_number(s->insn.row);
    const bool one = x->m->chip->family >= TS_EVERGREEN, gprs = op == TS_OP2_MOVA_GPR_INT;
    FOR_LANES(l, x->lane_set[i]) {
        const uint32_t v = x->src[i][0][l];
        const double f = (double)ts_float(v);
        x->result[i][l] = v;
        if (one && x->m->chip->family == TS_CAYMAN && s->dst_gpr) {
            if (s->dst_gpr < 2 || s->dst_gpr > 3)
                return ts_refuse(x->m, "MOVA_INT to the program counter is not executed");
            if (x->m->strict && v != x->src[i][0][__builtin_ctzll(x->lane_set[i])])
                return ts_fault(x->m, (int)l, "an index of control flow differs from that of the first lane");
            if (l == (unsigned)__builtin_ctzll(x->lane_set[i])) x->w->cf_index[s->dst_gpr - 2] = v;
            continue;
        }
        const double n = op == TS_OP2_MOVA         ? rint(f)
                         : op == TS_OP2_MOVA_FLOOR ? floor(f)
                                                   : (double)(int32_t)v;
        x->w->ar[(one ? 0 : s->dst_chan) + (gprs ? 4 : 0)][l] = nine_bits(isnan(n) ? 0 : n);
    }
    x->w->ar_defined[gprs] = true;
    return true;
}

// The same for all lanes: the first one's.
static bool run_set_index(struct ts_step *x, enum ts_op op) {
    FOR_LANES(l, x->lanes) {
        if (x->m->strict && x->w->ar[0][l] != x->w->ar[0][__builtin_ctzll(x->lanes)])
            return ts_fault(x->m, (int)l, "an index of control flow differs from that of the first lane");
    }
    if (x->lanes) x->w->cf_index[op == TS_OP2_SET_CF_IDX1] = (uint32_t)x->w->ar[0][__builtin_ctzll(x->lanes)];
    return true;
}

// ---- A slot ----

static bool run_plain(struct ts_step *x, unsigned i) {
    const struct ts_slot *s = &x->g->group.slot[i];
    const enum ts_op op = (enum ts_op)ts_row_number(s->insn.row);
    if (s->insn.row->gap) return ts_refuse(x->m, "%s: %s", ts_row_name(s->insn.row), s->insn.row->gap);
    if (op == TS_OP2_MBCNT_32HI_INT) {
        FOR_LANES(l, x->lane_set[i]) {
            const uint32_t below = l < 32 ? 0 : (1u << (l - 32)) - 1;
            x->result[i][l] = (uint32_t)__builtin_popcount(x->src[i][0][l] & below);
        }
        return true;
    }
    bool good = true;
    if (ts_body_rounds(op)) ts_round(x->m->mode.single_round);
    FOR_LANES(l, x->lane_set[i]) {
        uint32_t v[3] = {0};
        for (unsigned k = 0; k < s->used; k++) v[k] = x->src[i][k][l];
        good = good && ts_body(op, v, &x->m->mode, &x->result[i][l]);
    }
    ts_round(TS_TO_NEAREST);
    return good || ts_refuse(x->m, "%s is not executed", ts_row_name(s->insn.row));
}

static bool run_slot(struct ts_step *x, unsigned i) {
    const struct ts_slot *s = &x->g->group.slot[i];
    const unsigned flags = s->insn.row->flags;
    const enum ts_op op = (enum ts_op)ts_row_number(s->insn.row);
    bool good = true;
    const char *lacks = ts_check_facts(x->m->chip, s->insn.row);
    if (lacks) return ts_refuse(x->m, "%s: %s", ts_row_name(s->insn.row), lacks);
    if (s->lds) return ts_run_lds(x->m, x->w, s, x->src[i], x->lane_set[i]);
    if (op == TS_OP2_GROUP_BARRIER) return x->w->waiting = true;
    if (op == TS_OP2_SET_CF_IDX0 || op == TS_OP2_SET_CF_IDX1) return run_set_index(x, op);
    if (flags & TS_INTERP) return ts_run_interp(x, i);
    if (ts_run_spread(x, i, &good)) return good;
    if (flags & TS_DOUBLE) return ts_run_double(x, i);
    if (flags & TS_CHAIN) return ts_run_chain(x, i);
    if (flags & TS_PRED) return run_predicate(x, i);
    if (flags & TS_KILL) return run_kill(x, i);
    if (flags & TS_MOVA) return run_mova(x, i);
    return run_plain(x, i);
}

// ---- Results ----

static bool write_gpr(struct ts_step *x, const struct ts_slot *s, unsigned i) {
    if (s->dst_rel && !check_index(x, s, true)) return false;
    if (s->dst_rel)
        x->w->temporaries = 0xffff; // which one is not looked at
    else if (s->dst_gpr >= FIRST_TEMPORARY)
        x->w->temporaries |= (uint16_t)(1u << (4 * (s->dst_gpr - FIRST_TEMPORARY) + s->dst_chan));
    FOR_LANES(l, x->lane_set[i]) {
        const int64_t n = (int64_t)s->dst_gpr + (s->dst_rel ? index_of(x, s, true, l) : 0);
        uint32_t *to = s->dst_rel && is_global(s) ? global_gpr(x, n, s->dst_chan, l)
                       : n >= 0 && n < TS_GPRS    ? &x->w->gpr[n][s->dst_chan][l]
                                                  : NULL;
        if (to) *to = x->result[i][l]; // outside: dropped
    }
    return true;
}

static bool write_results(struct ts_step *x) {
    x->w->defined = 0;
    for (unsigned i = 0; i < x->g->group.count; i++) {
        const struct ts_slot *s = &x->g->group.slot[i];
        if (s->lds) continue;
        const bool is_float =
            s->insn.row->dst == TS_F32 && !(s->insn.row->flags & TS_PRED && x->m->chip->family == TS_CAYMAN);
        const bool moves = s->insn.row->dst == TS_B32 && s->insn.row->src == TS_B32;
        const unsigned omod = ts_get(&s->insn, TS_OMOD);
        const bool clamp = ts_get(&s->insn, TS_CLAMP);
        if ((is_float || moves) && (omod || clamp)) FOR_LANES(l, x->lane_set[i]) {
                x->result[i][l] = ts_output(x->result[i][l], omod, clamp, &x->m->mode);
            }
        if (s->write && !write_gpr(x, s, i)) return false;
        uint32_t *previous = s->unit == TS_UNIT_T ? x->w->ps : x->w->pv[s->unit];
        FOR_LANES(l, x->lane_set[i]) { previous[l] = x->result[i][l]; }
        x->w->defined |= (uint8_t)(1u << s->unit);
    }
    return true;
}

// The lanes in which a slot executes: PRED_SEL compares with the predicate.
static bool choose_lanes(struct ts_step *x) {
    for (unsigned i = 0; i < x->g->group.count; i++) {
        const unsigned sel = ts_get(&x->g->group.slot[i].insn, TS_PRED_SEL);
        x->lane_set[i] = x->lanes;
        if (sel < 2) continue;
        if (x->m->strict && !x->w->predicate_defined)
            return ts_fault(x->m, -1, "the predicate is read before this clause set it");
        x->lane_set[i] &= sel == 2 ? ~x->w->predicate : x->w->predicate;
    }
    return true;
}

static bool run_group(struct ts_step *x) {
    const struct ts_group *g = &x->g->group;
    if (g->count > TS_GROUP_MOST) return ts_fault(x->m, -1, "a group of more than five slots");
    for (unsigned i = 0; i < g->count; i++)
        if (!g->slot[i].insn.row)
            return ts_refuse(x->m, "no ALU operation has the number in group %u", x->number);
    if (!choose_lanes(x) || !read_sources(x)) return false;
    for (unsigned i = g->count; i-- > 0;) // chains take results of slots behind them
        if (!run_slot(x, i)) return false;
    return write_results(x);
}

// ---- Clauses ----

struct ts_code_clause *ts_clause_code(struct ts_machine *m, const struct ts_clause *c) {
    if (c->begin >= m->words || c->words > m->words - c->begin) {
        ts_fault(m, -1, "the clause is outside of the program");
        return NULL;
    }
    struct ts_code_clause *k = m->clauses[c->begin];
    if (k && k->words == c->words) return k;
    if (k) free(k->groups), free(k), m->clauses[c->begin] = NULL;
    k = calloc(1, sizeof *k);
    if (k) k->groups = calloc(c->words, sizeof *k->groups);
    if (!k || !k->groups) {
        free(k);
        m->status = diag_fail(m->sink, SW_NO_MEMORY, NULL, "out of memory");
        return NULL;
    }
    k->begin = c->begin;
    k->words = c->words;
    for (uint32_t i = 0; i < c->words; k->count++) {
        struct ts_code_group *g = &k->groups[k->count];
        const uint32_t *w = m->code + 2 * (size_t)(c->begin + i);
        ts_take_group(m->chip->family, w, c->words - i, &g->group);
        ts_place_units(&g->group);
        const uint32_t behind = c->words - i - g->group.count, literals = g->group.literals / 2;
        memcpy(g->literal, w + 2 * g->group.count, 8 * (size_t)(literals < behind ? literals : behind));
        i += g->group.count + literals;
    }
    return m->clauses[c->begin] = k;
}

// What lives in one clause is undefined when it begins.
// GPRs 124 to 127 are clause temporaries unless the program declares that it uses them as others.
static void begin_clause(struct ts_wave *w, bool temporaries) {
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < TS_LANES; l++) {
            w->pv[c][l] = w->ps[l] = POISON;
            w->ar[c][l] = w->ar[c + 4][l] = 0;
            for (unsigned t = FIRST_TEMPORARY; temporaries && t < TS_GPRS; t++) w->gpr[t][c][l] = POISON;
        }
    w->defined = 0;
    w->ar_defined[0] = w->ar_defined[1] = w->predicate_defined = false;
    w->predicate = 0;
    w->temporaries = 0;
    memcpy(w->clause_index, w->cf_index, sizeof w->clause_index);
}

static bool queues_empty(const struct ts_wave *w) {
    for (unsigned l = 0; l < TS_LANES; l++)
        if (w->queue[l][0].count || w->queue[l][1].count) return false;
    return true;
}

bool ts_run_alu(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *cf, const struct ts_insn *ext,
                uint64_t lanes) {
    static _Thread_local struct ts_step x;
    const struct ts_clause c = ts_clause_of(cf);
    const struct ts_code_clause *code = ts_clause_code(m, &c);
    if (!code) return false;
    if (!w->resume) begin_clause(w, m->gprs <= FIRST_TEMPORARY);
    x.m = m;
    x.w = w;
    x.cf = cf;
    x.ext = ext;
    x.lanes = lanes;
    for (unsigned i = w->resume; i < code->count; i++) {
        x.g = &code->groups[i];
        x.number = i;
        if (!run_group(&x)) return false;
        if (w->waiting) {
            w->resume = i + 1;
            return true;
        }
    }
    w->resume = 0;
    return queues_empty(w) || ts_fault(m, -1, "a clause leaves results of LDS in a queue");
}
