// SPDX-License-Identifier: MIT
// Operations that need more than one slot of a group: sums over four slots, faces of cubes, doubles, and
// chains of slots.
#include <math.h>

#include "terascale/machine/step.h"

static enum ts_op op_of(const struct ts_slot *s) { return (enum ts_op)ts_row_number(s->insn.row); }

// ---- Four slots with one result ----

// DOT4 and MAX4 give all four slots the same.
static void run_dot(struct ts_step *x, bool ieee, bool most) {
    const struct ts_mode *mode = &x->m->mode;
    ts_round(mode->single_round);
    FOR_LANES(l, x->lanes) {
        float sum = most ? -INFINITY : 0;
        for (unsigned u = 0; u < 4; u++) {
            const int i = ts_slot_at(&x->g->group, u);
            const float a = ts_flush(x->src[i][0][l], mode), b = ts_flush(x->src[i][1][l], mode);
            if (most)
                sum = u && sum >= a ? sum : a;
            else
                sum += !ieee && (a == 0 || b == 0) ? 0 : a * b;
        }
        const uint32_t result = ts_flush_result(ts_bits(sum), mode);
        for (unsigned u = 0; u < 4; u++) x->result[ts_slot_at(&x->g->group, u)][l] = result;
    }
    ts_round(TS_TO_NEAREST);
}

// The face of a cube that a direction meets: x and y on it, twice the major axis, and its number.
static void run_cube(struct ts_step *x) {
    int at[4];
    for (unsigned u = 0; u < 4; u++) at[u] = ts_slot_at(&x->g->group, u);
    FOR_LANES(l, x->lanes) {
        const float dx = ts_float(x->src[at[2]][0][l]), dy = ts_float(x->src[at[3]][0][l]),
                    dz = ts_float(x->src[at[0]][0][l]);
        const float ax = fabsf(dx), ay = fabsf(dy), az = fabsf(dz);
        float tc, sc, ma, face;
        if (az >= ax && az >= ay)
            ma = 2 * dz, sc = dz < 0 ? -dx : dx, tc = -dy, face = dz < 0 ? 5 : 4;
        else if (ay >= ax)
            ma = 2 * dy, sc = dx, tc = dy < 0 ? -dz : dz, face = dy < 0 ? 3 : 2;
        else
            ma = 2 * dx, sc = dx < 0 ? dz : -dz, tc = -dy, face = dx < 0 ? 1 : 0;
        x->result[at[0]][l] = ts_bits(tc);
        x->result[at[1]][l] = ts_bits(sc);
        x->result[at[2]][l] = ts_bits(ma);
        x->result[at[3]][l] = ts_bits(face);
    }
}

// The same operation in all four slots.
static bool has_all(struct ts_step *x, const struct ts_slot *s) {
    for (unsigned u = 0; u < 4; u++) {
        const int i = ts_slot_at(&x->g->group, u);
        if (i < 0 || x->g->group.slot[i].insn.row != s->insn.row)
            return ts_fault(x->m, -1, "%s without all of x, y, z and w", ts_row_name(s->insn.row));
    }
    return true;
}

bool ts_run_spread(struct ts_step *x, unsigned i, bool *good) {
    const struct ts_slot *s = &x->g->group.slot[i];
    const enum ts_op op = op_of(s);
    if (op != TS_OP2_DOT4 && op != TS_OP2_DOT4_IEEE && op != TS_OP2_MAX4 && op != TS_OP2_CUBE) return false;
    *good = has_all(x, s);
    if (!*good || s->unit) return true; // done with x
    if (op == TS_OP2_CUBE)
        run_cube(x);
    else
        run_dot(x, op == TS_OP2_DOT4_IEEE, op == TS_OP2_MAX4);
    return true;
}

// ---- Doubles ----

// Of a pair the first slot reads the high dwords and the second the low ones; the result is the other way
// round: the low dword goes to x or z, the high one to y or w. Products read the high dwords in x, y and z
// and the low ones in w. Reciprocals and roots read both in each slot, the high dword first.
struct doubles {
    int high, low;                     // slots with the halves of operands
    bool both;                         // ... which are operands 0 and 1 of one slot
    int to[4];                         // slots with results: low and high, twice; -1: none
    const struct ts_slot *first, *row; // whose modifiers are used
};

static uint64_t operand(const struct ts_step *x, const struct doubles *d, unsigned k, unsigned lane) {
    const struct ts_source *o = &d->first->src[k];
    uint32_t high = x->src[d->high][k][lane];
    if (o->abs) high &= 0x7fffffffu;
    if (o->neg) high ^= 0x80000000u;
    return (uint64_t)high << 32 | (d->both ? x->src[d->low][1][lane] : x->src[d->low][k][lane]);
}

static void put(struct ts_step *x, const struct doubles *d, unsigned lane, uint64_t v) {
    for (unsigned k = 0; k < 4; k++)
        if (d->to[k] >= 0) x->result[d->to[k]][lane] = (uint32_t)(k & 1 ? v >> 32 : v);
}

// Both slots of a pair get a result of 32 bits.
static void put_both(struct ts_step *x, const struct doubles *d, unsigned lane, uint32_t v) {
    put(x, d, lane, (uint64_t)v << 32 | v);
}

// FREXP_64 takes four slots: the fraction comes out in z and w, its exponent in y.
static bool split_double(struct ts_step *x, const struct doubles *d, unsigned lane, uint64_t v) {
    int exponent = 0;
    if ((v >> 52 & 0x7ff) == 0x7ff)
        return ts_refuse(x->m, "FREXP_64: what it gives for infinities and NaN is not known");
    if (!(v >> 52 & 0x7ff) && !x->m->mode.double_denorms_in) v &= 0x8000000000000000u;
    const double fraction = frexp(ts_double(v), &exponent);
    put(x, d, lane, ts_double_bits(fraction));
    x->result[d->to[0]][lane] = 0;
    x->result[d->to[1]][lane] = (uint32_t)exponent;
    return true;
}

// The exponent of LDEXP_64 is operand 0; which of the two slots it is taken from is not known.
static bool take_exponent(struct ts_step *x, const struct doubles *d, unsigned lane, uint64_t *v) {
    if (x->src[d->high][0][lane] != x->src[d->low][0][lane])
        return ts_refuse(x->m, "LDEXP_64: its slots name two exponents");
    *v = x->src[d->low][0][lane];
    return true;
}

static bool convert_double(struct ts_step *x, const struct doubles *d, enum ts_op op, unsigned lane) {
    const struct ts_mode *m = &x->m->mode;
    if (op == TS_OP2_FLT32_TO_FLT64) {
        put(x, d, lane, ts_double_bits((double)ts_flush(x->src[d->high][0][lane], m)));
        return true;
    }
    uint64_t v = operand(x, d, 0, lane);
    if (!m->double_denorms_in && !(v >> 52 & 0x7ff)) v &= 0x8000000000000000u;
    put_both(x, d, lane, ts_flush_result(ts_bits((float)ts_double(v)), m));
    return true;
}

static bool double_lane(struct ts_step *x, const struct doubles *d, unsigned lane, uint64_t *passes) {
    const enum ts_op op = op_of(d->first);
    const unsigned used = d->both ? 1 : d->first->used;
    uint64_t v[3] = {0}, result;
    bool holds;
    if (op == TS_OP2_FLT32_TO_FLT64 || op == TS_OP2_FLT64_TO_FLT32) return convert_double(x, d, op, lane);
    for (unsigned k = 0; k < used; k++) v[k] = operand(x, d, k, lane);
    if (op == TS_OP2_FREXP_64) return split_double(x, d, lane, v[0]);
    if (op == TS_OP2_LDEXP_64 && !take_exponent(x, d, lane, &v[0])) return false;
    if (ts_body_compare_64(op, v, &x->m->mode, &holds)) {
        *passes |= (uint64_t)holds << lane;
        put_both(x, d, lane,
                 d->first->insn.row->flags & TS_PRED ? (holds ? 0 : ts_bits(1.0f)) : -(uint32_t)holds);
        return true;
    }
    if (!ts_body_double(op, v, &x->m->mode, &result))
        return ts_refuse(x->m, "%s is not executed", ts_row_name(d->first->insn.row));
    const bool moves = op == TS_OP3_CNDNE_64 || op == TS_OP2_LDEXP_64;
    put(x, d, lane,
        moves ? result
              : ts_output_double(result, ts_get(&d->first->insn, TS_OMOD), ts_get(&d->first->insn, TS_CLAMP),
                                 &x->m->mode));
    return true;
}

// Where a double's halves are and go. False: a slot is missing.
static bool place_doubles(struct ts_step *x, unsigned i, struct doubles *d) {
    const struct ts_group *g = &x->g->group;
    const struct ts_slot *s = &g->slot[i];
    const unsigned kind = s->insn.row->slots[s->insn.family];
    *d = (struct doubles){.high = (int)i, .low = (int)i, .to = {-1, -1, -1, -1}, .first = s};
    if (kind == TS_TRANS || kind == TS_TRIPLE) {
        d->both = true;
        d->to[s->dst_chan & 1] = (int)i;
        return true;
    }
    const bool splits = op_of(s) == TS_OP2_FREXP_64;
    if (splits && g->count < 4)
        return ts_refuse(x->m, "FREXP_64: where its exponent goes without four slots is not known");
    if (kind == TS_ALL || splits) {
        if (!has_all(x, s)) return false;
        for (unsigned u = 0; u < 4; u++) d->to[u] = ts_slot_at(g, u);
        d->low = d->to[kind == TS_ALL ? 3 : 1];
        return true;
    }
    const int other = ts_slot_at(g, s->unit ^ 1u);
    if (other < 0 || g->slot[other].insn.row != s->insn.row)
        return ts_fault(x->m, -1, "%s without its second slot", ts_row_name(s->insn.row));
    d->to[0] = (int)i;
    d->to[1] = d->low = other;
    return true;
}

bool ts_run_double(struct ts_step *x, unsigned i) {
    const struct ts_slot *s = &x->g->group.slot[i];
    struct doubles d;
    uint64_t passes = 0;
    if (!place_doubles(x, i, &d)) return false;
    // Pairs are done with their first slot, four slots with x.
    if (!d.both && (s->unit & 1 || (d.to[2] >= 0 && s->unit))) return true;
    const bool narrows = op_of(s) == TS_OP2_FLT64_TO_FLT32;
    ts_round(narrows ? x->m->mode.single_round : x->m->mode.double_round);
    bool good = true;
    FOR_LANES(l, x->lane_set[i]) {
        if (!double_lane(x, &d, l, &passes)) {
            good = false;
            break;
        }
    }
    ts_round(TS_TO_NEAREST);
    if (good && s->insn.row->flags & TS_PRED) ts_set_predicate(x, i, passes);
    return good;
}

// ---- Chains ----

// The slot whose result another takes: the next one, or for *_PREV the one two further on. Sums over several
// slots go on as long as the operation is the same one. -1: none.
static int chained_to(const struct ts_step *x, const struct ts_slot *s, enum ts_op op) {
    const struct ts_group *g = &x->g->group;
    const bool dot = op == TS_OP2_DOT || op == TS_OP2_DOT_IEEE;
    const bool next = dot || op == TS_OP2_BCNT_ACCUM_PREV_INT || op == TS_OP2_MBCNT_32LO_ACCUM_PREV_INT ||
                      op == TS_OP2_SAD_ACCUM_PREV_UINT;
    const unsigned unit = s->unit + (next ? 1u : 2u);
    const int i = unit < TS_UNIT_T ? ts_slot_at(g, unit) : -1;
    return i >= 0 && dot && g->slot[i].insn.row != s->insn.row ? -1 : i;
}

static float product(float a, float b, bool ieee) { return !ieee && (a == 0 || b == 0) ? 0 : a * b; }

static float chain_float(enum ts_op op, float a, float b, float previous) {
    switch (op) {
    case TS_OP2_DOT: return product(a, b, false) + previous;
    case TS_OP2_DOT_IEEE: return product(a, b, true) + previous;
    case TS_OP2_MUL_PREV: return product(a, previous, false);
    case TS_OP2_MUL_IEEE_PREV: return product(a, previous, true);
    case TS_OP2_ADD_PREV: return a + previous;
    case TS_OP2_MULADD_PREV: return product(a, b, false) + previous;
    default: return product(a, b, true) + previous; // MULADD_IEEE_PREV
    }
}

static uint32_t sad(uint32_t a, uint32_t b) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < 32; i += 8) {
        const uint32_t p = a >> i & 255, q = b >> i & 255;
        sum += p > q ? p - q : q - p;
    }
    return sum;
}

static uint32_t chain_integer(enum ts_op op, uint32_t a, uint32_t b, uint32_t previous, unsigned lane) {
    if (op == TS_OP2_SAD_ACCUM_PREV_UINT) return sad(a, b) + previous;
    if (op == TS_OP2_MBCNT_32LO_ACCUM_PREV_INT && lane < 32) a &= (1u << lane) - 1;
    return (uint32_t)__builtin_popcount(a) + previous;
}

bool ts_run_chain(struct ts_step *x, unsigned i) {
    const struct ts_group *g = &x->g->group;
    const struct ts_slot *s = &g->slot[i];
    const enum ts_op op = op_of(s);
    const int from = chained_to(x, s, op);
    const bool needs = s->insn.row->src == TS_F32 && op != TS_OP2_DOT && op != TS_OP2_DOT_IEEE;
    if (needs && from < 0)
        return ts_fault(x->m, -1, "%s takes the result of slot %c, which the group has not",
                        ts_row_name(s->insn.row), s->unit < 2 ? ts_unit_letter[s->unit + 2] : '-');
    if (from >= 0 && (ts_get(&g->slot[from].insn, TS_OMOD) || ts_get(&g->slot[from].insn, TS_CLAMP)))
        return ts_refuse(x->m, "%s: whether output modifiers come before it is not known",
                         ts_row_name(s->insn.row));
    const struct ts_mode *m = &x->m->mode;
    ts_round(m->single_round);
    FOR_LANES(l, x->lane_set[i]) {
        const uint32_t a = x->src[i][0][l], b = x->src[i][1][l], previous = from < 0 ? 0 : x->result[from][l];
        x->result[i][l] =
            s->insn.row->src == TS_F32
                ? ts_flush_result(
                      ts_bits(chain_float(op, ts_flush(a, m), ts_flush(b, m), ts_flush(previous, m))), m)
                : chain_integer(op, a, b, previous, l);
    }
    ts_round(TS_TO_NEAREST);
    return true;
}
