// SPDX-License-Identifier: MIT
// Vectors from their elements and elements of them; the same bits under another type.
#include "compiler/legal.h"

// ---- Elements ----

static void set_elements(struct legal *g, const struct ir_type *t, const struct element *e) {
    const unsigned each = legal_dwords(t);
    ir_ref out[MOST_PARTS];
    for (unsigned n = 0; n < t->count; n++)
        for (unsigned d = 0; d < each; d++) out[n * each + d] = e[n].d[d];
    if (!g->c->status) legal_set_parts(g, out, each * t->count);
}

// The element of a variable index: one after the other is chosen where the index is its number.
static struct element chosen(struct legal *g, ir_ref vector, unsigned count, ir_ref index) {
    struct element e = legal_element(g, vector, 0);
    for (unsigned n = 1; n < count && !g->c->status; n++) {
        const struct element next = legal_element(g, vector, n);
        e = legal_either(g, legal_test(g, OP_eq, index, N(n)), &next, &e);
    }
    return e;
}

static struct element gathered(struct legal *g, unsigned n, unsigned count) {
    const struct ir_inst *i = g->i;
    if (i->op == OP_vector) return legal_element(g, legal_operand(g, n), 0);
    if (i->op == OP_shuffle) {
        const int32_t k = ir_number(legal_operand(g, n + 2));
        const unsigned from = k < 0 ? 0 : (unsigned)k;
        return from < count ? legal_element(g, legal_operand(g, 0), from)
                            : legal_element(g, legal_operand(g, 1), from - count);
    }
    const ir_ref index = legal_part(g, legal_operand(g, i->op == OP_insert ? 2 : 1), 0);
    const struct ir_constant *k = ir_constant_of(g->f, index);
    if (i->op == OP_extract) // what stands behind the end is poison
        return k ? legal_element(g, legal_operand(g, 0), k->low < count ? (unsigned)k->low : 0)
                 : chosen(g, legal_operand(g, 0), count, index);
    const struct element old = legal_element(g, legal_operand(g, 0), n),
                         new = legal_element(g, legal_operand(g, 1), 0);
    if (k) return k->low == n ? new : old;
    return legal_either(g, legal_test(g, OP_eq, index, N(n)), &new, &old);
}

void legal_gather(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const unsigned count = legal_type(g, legal_operand(g, 0))->count;
    struct element e[MOST_PARTS];
    if (legal_dwords(t) * t->count > MOST_PARTS || legal_dwords(t) > 4) {
        legal_refuse(g, "a vector of this size");
        return;
    }
    g->bank = bank == IR_BANK_M ? IR_BANK_S : bank;
    for (unsigned n = 0; n < t->count && !g->c->status; n++) e[n] = gathered(g, n, count);
    set_elements(g, t, e);
}

// ---- Bits ----

unsigned legal_packed(struct legal *g, ir_ref r, ir_ref *out) {
    const struct ir_type t = *legal_type(g, r);
    const unsigned dwords = ((unsigned)t.bits * t.count + 31) / 32;
    for (unsigned d = 0; d < dwords; d++) out[d] = N(0);
    for (unsigned n = 0; n < t.count && !g->c->status; n++) {
        const struct element e = legal_element(g, r, n);
        struct element x = e;
        if (t.kind != IR_INT || t.bits > 1) x.type.kind = IR_INT;
        for (unsigned d = 0; d < legal_dwords(&t); d++)
            x.d[d] = t.bits == 1 ? x.d[d] : legal_retype(g, g->i32, x.d[d]);
        const bool is_last = n + 1 == t.count && (n + 1) * t.bits % 32 == 0;
        if (t.bits % 32 && !(is_last && t.bits < 32 && t.bits > 1)) x = legal_extended(g, &x, false);
        for (unsigned d = 0; d < legal_dwords(&t); d++) {
            const unsigned at = n * t.bits + 32 * d, by = at % 32, have = t.bits - 32 * d;
            const ir_ref low = by ? DO(shl, x.d[d], N(by)) : x.d[d];
            out[at / 32] = DO(or, out[at / 32], low);
            if (by + (have < 32 ? have : 32) > 32)
                out[at / 32 + 1] = DO(or, out[at / 32 + 1], DO(lshr, x.d[d], N(32 - by)));
        }
    }
    return dwords;
}

unsigned legal_joined(struct legal *g, const ir_ref *in, unsigned halves, ir_ref *out) {
    for (unsigned n = 0; n < halves; n += 2)
        out[n / 2] = n + 1 == halves ? in[n] : DO(or, DO(and, in[n], N(0xffff)), DO(shl, in[n + 1], N(16)));
    return (halves + 1) / 2;
}

void legal_unpacked(struct legal *g, const struct ir_type *t, const ir_ref *in, ir_ref *out) {
    const unsigned each = legal_dwords(t), total = ((unsigned)t->bits * t->count + 31) / 32;
    for (unsigned n = 0; n < t->count; n++)
        for (unsigned d = 0; d < each; d++) {
            const unsigned at = n * t->bits + 32 * d, by = at % 32, have = t->bits - 32 * d;
            ir_ref x = by ? DO(lshr, in[at / 32], N(by)) : in[at / 32];
            if (by + (have < 32 ? have : 32) > 32 && at / 32 + 1 < total)
                x = DO(or, x, DO(shl, in[at / 32 + 1], N(32 - by)));
            out[n * each + d] = t->kind == IR_INT && t->bits == 1
                                    ? legal_test(g, OP_ne, DO(and, x, N(1)), N(0))
                                    : legal_retype(g, legal_dword_type(g, t), x);
        }
}

// The same bits under another type.
void legal_rename(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const ir_ref r = legal_operand(g, 0);
    const struct ir_type from = *legal_type(g, r);
    const unsigned count = legal_dwords(t) * t->count;
    ir_ref out[MOST_PARTS], packed[MOST_PARTS];
    g->bank = bank == IR_BANK_M ? IR_BANK_S : bank;
    if (count > MOST_PARTS || legal_dwords(&from) * from.count > MOST_PARTS) {
        legal_refuse(g, "a change of type of this size");
        return;
    }
    const bool same =
        from.bits == t->bits && from.count == t->count && (from.bits > 1 || from.kind == t->kind);
    if (same || (from.bits % 32 == 0 && t->bits % 32 == 0)) {
        for (unsigned n = 0; n < count; n++) {
            out[n] = legal_part(g, r, n);
            const struct ir_value *v = ir_value_of(g->f, out[n]);
            if (v && v->bank == IR_BANK_S && bank == IR_BANK_V) // lanes keep what was the same in all
                out[n] = legal_emit_as(g, OP_copy, bank, v->type, &out[n], 1);
            if (!g->c->status && t->bits > 1) out[n] = legal_retype(g, legal_dword_type(g, t), out[n]);
        }
    } else {
        legal_packed(g, r, packed);
        if (!g->c->status) legal_unpacked(g, t, packed, out);
    }
    if (!g->c->status) legal_set_parts(g, out, count);
}

void legal_copy(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const ir_ref from = legal_operand(g, 0);
    ir_ref out[MOST_PARTS];
    if (ir_is(from, IR_SYMBOL)) {
        const ir_ref at = legal_emit_as(g, OP_p_address, IR_BANK_S, g->i64, &from, 1);
        legal_set_parts(g, out, legal_parts_of(g, at, 2, g->i32, out));
    } else if (ir_is(from, IR_REGISTER)) {
        const ir_ref v = legal_emit_as(
            g, OP_copy, bank, ir_value_of(g->f, ir_make(IR_VALUE, g->i->first_result))->type, &from, 1);
        legal_set_parts(g, out, legal_parts_of(g, v, legal_dwords(t), g->i32, out));
    } else
        legal_rename(g, bank, t);
}
