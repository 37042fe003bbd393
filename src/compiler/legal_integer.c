// SPDX-License-Identifier: MIT
// Operations on integers, vectors element by element; and, for now, those of floats.
#include "compiler/legal.h"

ir_ref legal_widened(struct legal *g, enum ir_bank bank, ir_ref v, unsigned bits, bool is_signed) {
    if (bits >= 32) return v;
    if (!is_signed) return EMIT(g, OP_and, bank, v, legal_number(g, (1u << bits) - 1));
    return EMIT(g, OP_ashr, bank, EMIT(g, OP_shl, bank, v, legal_number(g, 32 - bits)),
                legal_number(g, 32 - bits));
}

// Two dwords and a carry between: the carry stands directly behind the sum, so that one row makes both.
void legal_carry(struct legal *g, enum ir_bank bank, bool add, const ir_ref a[2], const ir_ref b[2],
                 ir_ref out[2]) {
    if (legal_is_number(g, b[0], 0)) {
        out[0] = a[0];
        out[1] = EMIT(g, add ? OP_add : OP_sub, bank, a[1], b[1]);
        return;
    }
    const enum ir_bank flag = bank == IR_BANK_S ? IR_BANK_SCC : IR_BANK_M;
    out[0] = legal_emit_as(g, add ? OP_add : OP_sub, bank, g->i32, (ir_ref[]){a[0], b[0]}, 2);
    const ir_ref over =
        legal_emit_as(g, add ? OP_ucarry : OP_uborrow, flag, g->i1, (ir_ref[]){a[0], b[0]}, 2);
    out[1] = legal_emit_as(g, add ? OP_addc : OP_subb, bank, g->i32, (ir_ref[]){a[1], b[1], over}, 3);
}

static void multiply(struct legal *g, enum ir_bank bank, const ir_ref a[2], const ir_ref b[2],
                     ir_ref out[2]) {
    out[0] = EMIT(g, OP_mul, bank, a[0], b[0]);
    const ir_ref high = EMIT(g, OP_mulhu, bank, a[0], b[0]), x = EMIT(g, OP_mul, bank, a[0], b[1]),
                 y = EMIT(g, OP_mul, bank, a[1], b[0]);
    out[1] = EMIT(g, OP_add, bank, EMIT(g, OP_add, bank, high, x), y);
}

static void shift(struct legal *g, enum ir_bank bank, unsigned op, const ir_ref a[2], unsigned k,
                  ir_ref out[2]) {
    const ir_ref zero = legal_number(g, 0), by = legal_number(g, k & 31),
                 rest = legal_number(g, 32 - (k & 31));
    const bool left = op == OP_shl;
    const ir_ref from = a[left ? 1 : 0], to = a[left ? 0 : 1]; // bits go from `to` into `from`
    const ir_ref sign = op == OP_ashr ? EMIT(g, OP_ashr, bank, a[1], legal_number(g, 31)) : zero;
    ir_ref inner, outer; // the dword into which bits come, and the other
    if (k >= 32) {
        inner = EMIT(g, op, bank, to, by);
        outer = left ? zero : sign;
    } else {
        inner = !k ? from
                   : EMIT(g, OP_or, bank, EMIT(g, left ? OP_shl : OP_lshr, bank, from, by),
                          EMIT(g, left ? OP_lshr : OP_shl, bank, to, rest));
        outer = EMIT(g, op, bank, to, by);
    }
    out[0] = left ? outer : inner;
    out[1] = left ? inner : outer;
}

static void shift_by_value(struct legal *g, enum ir_bank bank, unsigned op, const ir_ref a[2], ir_ref amount,
                           ir_ref out[2]) {
    const enum select_bank s = bank == IR_BANK_S ? SELECT_S : SELECT_V;
    if (!compiler_row(g->c, op, s, 64, 0)) {
        legal_refuse(g, "a shift of 64 bits");
        return;
    }
    const ir_ref whole = legal_tuple(g, bank, g->i64, a, 2);
    legal_parts_of(g, legal_emit_as(g, op, bank, g->i64, (ir_ref[]){whole, amount}, 2), 2, g->i32, out);
}

static void integer64(struct legal *g, enum ir_bank bank, const ir_ref a[2], const ir_ref b[2],
                      ir_ref out[2]) {
    const unsigned op = g->i->op;
    const struct ir_constant *k = ir_constant_of(g->f, b[0]);
    switch (op) {
    case OP_add:
    case OP_sub: legal_carry(g, bank, op == OP_add, a, b, out); return;
    case OP_mul: multiply(g, bank, a, b, out); return;
    case OP_and:
    case OP_or:
    case OP_xor:
        for (unsigned n = 0; n < 2; n++) out[n] = EMIT(g, op, bank, a[n], b[n]);
        return;
    case OP_shl:
    case OP_lshr:
    case OP_ashr:
        if (k)
            shift(g, bank, op, a, (unsigned)k->low & 63, out);
        else
            shift_by_value(g, bank, op, a, b[0], out);
        return;
    default: legal_refuse(g, "this operation on 64-bit integers");
    }
}

// How an operation on fewer than 32 bits reads its operands.
static void promote(struct legal *g, enum ir_bank bank, unsigned bits, ir_ref *o, unsigned count) {
    bool zero = false, sign = false;
    switch (g->i->op) {
    case OP_lshr:
    case OP_udiv:
    case OP_urem:
    case OP_umin:
    case OP_umax: zero = true; break;
    case OP_ashr:
    case OP_sdiv:
    case OP_srem:
    case OP_smin:
    case OP_smax: sign = true; break;
    case OP_add:
    case OP_sub:
    case OP_mul:
    case OP_and:
    case OP_or:
    case OP_xor:
    case OP_shl: break;
    default: legal_refuse(g, "this operation on integers of fewer than 32 bits"); return;
    }
    for (unsigned n = 0; n < count && (zero || sign); n++) o[n] = legal_widened(g, bank, o[n], bits, sign);
}

// ---- Elementwise operations ----

// True if FMA is as fast as a multiplication: it is from GFX9 on, which is also where global instructions
// come.
static bool fuses(const struct legal *g) { return compiler_named_row(g->c, "global_load_b32") != NULL; }

// One element of 64 bits in registers that follow each other.
static void wide_row(struct legal *g, const struct ir_type *t, unsigned element, ir_ref *out) {
    ir_ref operands[3];
    const unsigned count = g->i->operands;
    const bool saturates = (g->i->op == OP_fptosi || g->i->op == OP_fptoui) && !(g->i->flags & IR_PARTIAL);
    if ((t->kind == IR_INT && t->bits > 32 && t->bits != 64) || (saturates && t->bits < 32)) {
        legal_refuse(g, "a result of this width");
        return;
    }
    for (unsigned n = 0; n < count && n < 3; n++) {
        const struct ir_type o = *legal_type(g, legal_operand(g, n));
        if (o.kind == IR_INT && o.bits > 32 && o.bits != 64) legal_refuse(g, "an integer of this width");
        const unsigned dwords = legal_dwords(&o);
        ir_ref parts[4];
        for (unsigned d = 0; d < dwords && d < 4; d++)
            parts[d] = legal_part(g, legal_operand(g, n), (o.count > 1 ? element : 0) * dwords + d);
        operands[n] = dwords == 1
                          ? parts[0]
                          : legal_tuple(g, IR_BANK_V, ir_type_of(g->c->m, (enum ir_kind)o.kind, o.bits, 1),
                                        parts, dwords);
        if (dwords == 1 && o.bits < 32 && o.kind == IR_INT)
            operands[n] = legal_widened(g, IR_BANK_V, operands[n], o.bits, g->i->op == OP_sitofp);
    }
    const unsigned op = g->i->op == OP_fmuladd ? OP_fma : g->i->op, bits = t->bits < 32 ? 32 : t->bits;
    const struct ir_type first = *legal_type(g, legal_operand(g, 0));
    if (count > 3 || !compiler_row(g->c, op, SELECT_V, bits, first.bits < 32 ? 32 : first.bits)) {
        legal_refuse(g, "an operation that no instruction computes");
        return;
    }
    const uint16_t type = ir_type_of(g->c->m, (enum ir_kind)t->kind, t->bits, 1);
    ir_ref whole;
    if (g->i->op == OP_fmuladd && !fuses(g)) {
        const ir_ref product = legal_emit_as(g, OP_fmul, IR_BANK_V, type, operands, 2);
        whole = legal_emit_as(g, OP_fadd, IR_BANK_V, type, (ir_ref[]){product, operands[2]}, 2);
    } else
        whole = legal_emit_as(g, op, IR_BANK_V, t->bits < 32 ? g->i32 : type, operands, count);
    legal_parts_of(g, whole, legal_dwords(t), legal_dword_type(g, t), out);
}

static void element_operation(struct legal *g, enum ir_bank bank, const struct ir_type *t, unsigned element,
                              ir_ref *out) {
    const unsigned op = g->i->op == OP_fmuladd ? OP_fma : g->i->op, count = g->i->operands;
    const struct ir_type from = *legal_type(g, legal_operand(g, 0));
    ir_ref a[2], b[2] = {IR_NOTHING, IR_NOTHING}, o[3];
    if (t->kind != IR_INT || from.kind != IR_INT || count > 3) {
        if ((op == OP_fneg || op == OP_fabs) && t->kind == IR_F32) {
            a[0] = legal_emit_as(g, OP_bitcast, bank, g->i32,
                                 (ir_ref[]){legal_part(g, legal_operand(g, 0), element)}, 1);
            a[0] = op == OP_fneg ? EMIT(g, OP_xor, bank, a[0], legal_number(g, 0x80000000u))
                                 : EMIT(g, OP_and, bank, a[0], legal_number(g, 0x7fffffffu));
            out[0] = legal_emit_as(g, OP_bitcast, bank, legal_dword_type(g, t), a, 1);
        } else if (t->kind == IR_F16 || t->kind == IR_BF16 || from.kind == IR_F16 || from.kind == IR_BF16)
            legal_refuse(g, "a float of 16 bits");
        else
            wide_row(g, t, element, out);
        return;
    }
    if (t->bits > 32) {
        if (t->bits != 64 || count != 2) {
            legal_refuse(g, "this operation on integers of this width");
            return;
        }
        for (unsigned d = 0; d < 2; d++) {
            a[d] = legal_part(g, legal_operand(g, 0), element * 2 + d);
            b[d] = legal_part(g, legal_operand(g, 1), element * 2 + d);
        }
        integer64(g, bank, a, b, out);
        return;
    }
    if (from.bits != t->bits) {
        legal_refuse(g, "an operation between integers of different widths");
        return;
    }
    for (unsigned n = 0; n < count; n++) o[n] = legal_part(g, legal_operand(g, n), element);
    if (t->bits < 32) promote(g, bank, t->bits, o, count);
    const struct ir_constant *by =
        t->bits == 32 && (op == OP_fshl || op == OP_fshr) ? ir_constant_of(g->f, o[2]) : NULL;
    if (by && !compiler_row(g->c, op, bank == IR_BANK_S ? SELECT_S : SELECT_V, 32, 0)) {
        // The upper half of a:b, moved left: by no bits it is a, else parts of both.
        const unsigned k = (unsigned)by->low & 31, left = op == OP_fshl ? k : (32 - k) & 31;
        out[0] = !k ? o[op == OP_fshl ? 0 : 1]
                    : EMIT(g, OP_or, bank, EMIT(g, OP_shl, bank, o[0], legal_number(g, left)),
                           EMIT(g, OP_lshr, bank, o[1], legal_number(g, 32 - left)));
        return;
    }
    if (!compiler_row(g->c, op, bank == IR_BANK_S ? SELECT_S : SELECT_V, 32, 0) &&
        !compiler_row(g->c, op, SELECT_V, 32, 0))
        legal_refuse(g, "an operation that no instruction computes");
    if (!g->c->status) out[0] = legal_emit(g, op, bank, o, count);
}

static void convert(struct legal *g, enum ir_bank bank, const struct ir_type *t, const struct ir_type *from,
                    unsigned element, ir_ref *out) {
    const unsigned op = g->i->op, dwords = legal_dwords(from);
    const ir_ref low = legal_part(g, legal_operand(g, 0), element * dwords);
    if ((from->bits > 32 && from->bits != 64) || (t->bits > 32 && t->bits != 64)) {
        legal_refuse(g, "an integer of this width");
    } else if (from->bits == 1) {
        out[0] = legal_emit_as(
            g, OP_select, IR_BANK_V, g->i32,
            (ir_ref[]){low, legal_number(g, op == OP_zext ? 1 : 0xffffffffu), legal_number(g, 0)}, 3);
        if (t->bits > 32) out[1] = op == OP_zext ? legal_number(g, 0) : out[0];
    } else if (op == OP_trunc && t->bits == 1) {
        const ir_ref bit = EMIT(g, OP_and, bank == IR_BANK_M ? IR_BANK_V : bank, low, legal_number(g, 1));
        out[0] = legal_emit_as(g, OP_ne, IR_BANK_M, g->i1, (ir_ref[]){bit, legal_number(g, 0)}, 2);
    } else if (op == OP_trunc) {
        out[0] = low;
        if (t->bits > 32) out[1] = legal_part(g, legal_operand(g, 0), element * dwords + 1);
    } else {
        out[0] = legal_widened(g, bank, low, from->bits, op == OP_sext);
        if (t->bits > 32)
            out[1] = from->bits > 32 ? legal_part(g, legal_operand(g, 0), element * dwords + 1)
                     : op == OP_zext ? legal_number(g, 0)
                                     : EMIT(g, OP_ashr, bank, out[0], legal_number(g, 31));
    }
}

void legal_elementwise(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const unsigned each = legal_dwords(t);
    const struct ir_type from = *legal_type(g, legal_operand(g, 0));
    const bool converts = g->i->op == OP_zext || g->i->op == OP_sext || g->i->op == OP_trunc;
    ir_ref out[MOST_PARTS];
    if (each * t->count > MOST_PARTS) {
        legal_refuse(g, "a vector of this size");
        return;
    }
    for (unsigned n = 0; n < t->count && !g->c->status; n++)
        if (converts)
            convert(g, bank, t, &from, n, out + n * each);
        else
            element_operation(g, bank, t, n, out + n * each);
    if (!g->c->status) legal_set_parts(g, out, each * t->count);
}
