// SPDX-License-Identifier: MIT
// Takes values apart into dwords and makes operations that no row computes of ones that rows do. Vectors
// become their elements, 64-bit integers two dwords, smaller integers a dword whose upper bits are undefined.
// Requires: divergence. Leaves: integers of one dword, floats that rows take, tuples made of parts.
#include "compiler/passes.h"

enum { MOST_PARTS = 32 };

struct value_parts {
    uint32_t first;
    uint8_t count;
};
// A phi of one dword, whose operands are known when all blocks are done.
struct phi_part {
    const struct ir_inst *old;
    uint32_t value;
    unsigned part;
};
struct legal {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    const struct ir_inst *i; // the old one
    struct value_parts *values;
    ARRAY(ir_ref) parts;
    uint16_t i1, i32, i64;
    ARRAY(struct phi_part) phis;
};

static void refuse(struct legal *g, const char *what) {
    if (g->c->status) return;
    // The old arrays hold the instruction that is printed.
    struct ir_inst copy = *g->i;
    if (!ir_set_operands(g->f, &copy, g->old.operands.items + copy.first_operand, copy.operands))
        copy.operands = 0;
    compiler_refuse(g->c, &copy, what);
}

static ir_ref operand(const struct legal *g, unsigned n) {
    return n < g->i->operands ? g->old.operands.items[g->i->first_operand + n] : IR_NOTHING;
}
static const struct ir_type *type_of(const struct legal *g, ir_ref r) {
    return ir_type_at(g->c->m, ir_ref_type(g->f, r));
}
static unsigned element_dwords(const struct ir_type *t) { return t->bits <= 32 ? 1 : (t->bits + 31u) / 32; }

// ---- Emission ----

static ir_ref number(struct legal *g, uint32_t n) { return ir_constant_bits(g->f, g->i32, n, 0); }
static bool is_number(const struct legal *g, ir_ref r, uint32_t n) {
    const struct ir_constant *c = ir_constant_of(g->f, r);
    return c && !c->poison && (uint32_t)c->low == n;
}

static ir_ref emit_as(struct legal *g, unsigned op, enum ir_bank bank, uint16_t type, const ir_ref *operands,
                      unsigned count) {
    struct ir_inst *i = ir_append(g->f, op, operands, count);
    i->location = g->i->location;
    i->flags = (uint16_t)(g->i->flags & (IR_FAST | IR_CONVERGENT));
    const ir_ref r = ir_result(g->f, type);
    struct ir_value *v = ir_value_of(g->f, r);
    if (v) v->bank = (uint8_t)bank;
    return r;
}

// The value of an operation on constants, or an operand that it leaves as it is. IR_NOTHING: it has to be
// computed.
static ir_ref fold(struct legal *g, unsigned op, const ir_ref *o, unsigned count) {
    op_bits values[3], out;
    struct value_type types[3], i32 = {VALUE_INT, 32};
    bool all = count <= 3 && op < OPERATIONS;
    for (unsigned n = 0; n < count && all; n++) {
        const struct ir_constant *k = ir_constant_of(g->f, o[n]);
        all = k && !k->poison && ir_type_at(g->c->m, k->type)->kind == IR_INT;
        if (all)
            values[n] = k->low,
            types[n] = (struct value_type){VALUE_INT, (uint8_t)ir_type_bits(g->c->m, k->type)};
    }
    const struct operation_mode mode = {0};
    if (all && operation_evaluate((enum operation)op, &mode, i32, types, values, count, &out))
        return number(g, (uint32_t)out);
    if (op == OP_mul || op == OP_and || op == OP_mulhu)
        for (unsigned n = 0; n < 2; n++)
            if (is_number(g, o[n], 0)) return number(g, 0);
    if (op == OP_mul && is_number(g, o[1], 1)) return o[0];
    if ((op == OP_add || op == OP_or || op == OP_xor) && is_number(g, o[0], 0)) return o[1];
    const bool zero = op == OP_add || op == OP_sub || op == OP_or || op == OP_xor || op == OP_shl ||
                      op == OP_lshr || op == OP_ashr;
    return zero && is_number(g, o[1], 0) ? o[0] : IR_NOTHING;
}

// An operation on dwords of integers. A scalar one that no scalar row computes is computed in v and read
// back.
static ir_ref emit(struct legal *g, unsigned op, enum ir_bank bank, const ir_ref *operands, unsigned count) {
    const ir_ref folded = fold(g, op, operands, count);
    if (!ir_is(folded, IR_NONE)) return folded;
    if (bank != IR_BANK_S || compiler_row(g->c, op, SELECT_S, 32, 0))
        return emit_as(g, op, bank, g->i32, operands, count);
    const ir_ref v = emit_as(g, op, IR_BANK_V, g->i32, operands, count);
    return emit_as(g, OP_readfirstlane, IR_BANK_S, g->i32, &v, 1);
}
#define EMIT(g, op, bank, ...)                                                                               \
    emit(g, op, bank, (const ir_ref[]){__VA_ARGS__}, sizeof((const ir_ref[]){__VA_ARGS__}) / sizeof(ir_ref))

// ---- Parts of values ----

static ir_ref part(struct legal *g, ir_ref r, unsigned n) {
    const struct ir_constant *c = ir_constant_of(g->f, r);
    const struct ir_type *t = type_of(g, r);
    if (c) {
        const uint16_t type = t->kind == IR_F32 ? ir_ref_type(g->f, r) : g->i32;
        const uint64_t bits = n < 2 ? c->low >> n % 2 * 32 : c->high >> n % 2 * 32;
        return c->poison ? ir_constant_bits(g->f, type, 0, 0)
                         : ir_constant_bits(g->f, type, (uint32_t)bits, 0);
    }
    if (ir_is(r, IR_VALUE) && n < g->values[ir_index(r)].count)
        return g->parts.items[g->values[ir_index(r)].first + n];
    refuse(g, "an operand of this kind");
    return number(g, 0);
}

static void set_parts(struct legal *g, const ir_ref *parts, unsigned count) {
    struct value_parts *v = &g->values[g->i->first_result];
    *v = (struct value_parts){(uint32_t)g->parts.count, (uint8_t)count};
    for (unsigned n = 0; n < count; n++)
        if (!array_push(&g->parts, parts[n])) compiler_no_memory(g->c);
}

// A tuple of these dwords in a bank: the value that they are parts of, or a new one.
static ir_ref tuple(struct legal *g, enum ir_bank bank, uint16_t type, const ir_ref *parts, unsigned count) {
    const struct ir_inst *first = ir_def(g->f, parts[0]);
    if (count == 1) return parts[0];
    bool same = first && first->op == OP_p_part;
    for (unsigned n = 0; n < count && same; n++) {
        const struct ir_inst *d = ir_def(g->f, parts[n]);
        same = d && d->op == OP_p_part && ir_operand(g->f, d, 0) == ir_operand(g->f, first, 0) &&
               ir_number(ir_operand(g->f, d, 1)) == (int32_t)n;
    }
    if (same) {
        const ir_ref whole = ir_operand(g->f, first, 0);
        const uint16_t has_type = ir_ref_type(g->f, whole);
        if (ir_type_bits(g->c->m, has_type) == count * 32 && ir_value_of(g->f, whole)->bank == bank)
            return has_type == type ? whole : emit_as(g, OP_bitcast, bank, type, &whole, 1);
    }
    return emit_as(g, OP_p_tuple, bank, type, parts, count);
}

static unsigned parts_of_tuple(struct legal *g, ir_ref whole, unsigned count, uint16_t element, ir_ref *out) {
    const struct ir_value *v = ir_value_of(g->f, whole);
    const enum ir_bank bank = v ? (enum ir_bank)v->bank : IR_BANK_V;
    for (unsigned n = 0; n < count; n++)
        out[n] = count == 1
                     ? whole
                     : emit_as(g, OP_p_part, bank, element, (ir_ref[]){whole, ir_immediate((int32_t)n)}, 2);
    return count;
}

// The dword's type for elements of a type.
static uint16_t dword_type(struct legal *g, const struct ir_type *t) {
    return t->kind == IR_F32 ? ir_type_of(g->c->m, IR_F32, 32, 1) : g->i32;
}

// ---- Integers ----

static ir_ref widened(struct legal *g, enum ir_bank bank, ir_ref v, unsigned bits, bool is_signed) {
    if (bits >= 32) return v;
    if (!is_signed) return EMIT(g, OP_and, bank, v, number(g, (1u << bits) - 1));
    return EMIT(g, OP_ashr, bank, EMIT(g, OP_shl, bank, v, number(g, 32 - bits)), number(g, 32 - bits));
}

// Two dwords and a carry between: the carry stands directly behind the sum, so that one row makes both.
static void carry(struct legal *g, enum ir_bank bank, bool add, const ir_ref a[2], const ir_ref b[2],
                  ir_ref out[2]) {
    if (is_number(g, b[0], 0)) {
        out[0] = a[0];
        out[1] = EMIT(g, add ? OP_add : OP_sub, bank, a[1], b[1]);
        return;
    }
    const enum ir_bank flag = bank == IR_BANK_S ? IR_BANK_SCC : IR_BANK_M;
    out[0] = emit_as(g, add ? OP_add : OP_sub, bank, g->i32, (ir_ref[]){a[0], b[0]}, 2);
    const ir_ref over = emit_as(g, add ? OP_ucarry : OP_uborrow, flag, g->i1, (ir_ref[]){a[0], b[0]}, 2);
    out[1] = emit_as(g, add ? OP_addc : OP_subb, bank, g->i32, (ir_ref[]){a[1], b[1], over}, 3);
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
    const ir_ref zero = number(g, 0), by = number(g, k & 31), rest = number(g, 32 - (k & 31));
    const bool left = op == OP_shl;
    const ir_ref from = a[left ? 1 : 0], to = a[left ? 0 : 1]; // bits go from `to` into `from`
    const ir_ref sign = op == OP_ashr ? EMIT(g, OP_ashr, bank, a[1], number(g, 31)) : zero;
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
        refuse(g, "a shift of 64 bits");
        return;
    }
    const ir_ref whole = tuple(g, bank, g->i64, a, 2);
    parts_of_tuple(g, emit_as(g, op, bank, g->i64, (ir_ref[]){whole, amount}, 2), 2, g->i32, out);
}

static void integer64(struct legal *g, enum ir_bank bank, const ir_ref a[2], const ir_ref b[2],
                      ir_ref out[2]) {
    const unsigned op = g->i->op;
    const struct ir_constant *k = ir_constant_of(g->f, b[0]);
    switch (op) {
    case OP_add:
    case OP_sub: carry(g, bank, op == OP_add, a, b, out); return;
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
    default: refuse(g, "this operation on 64-bit integers");
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
    default: refuse(g, "this operation on integers of fewer than 32 bits"); return;
    }
    for (unsigned n = 0; n < count && (zero || sign); n++) o[n] = widened(g, bank, o[n], bits, sign);
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
        refuse(g, "a result of this width");
        return;
    }
    for (unsigned n = 0; n < count && n < 3; n++) {
        const struct ir_type o = *type_of(g, operand(g, n));
        if (o.kind == IR_INT && o.bits > 32 && o.bits != 64) refuse(g, "an integer of this width");
        const unsigned dwords = element_dwords(&o);
        ir_ref parts[4];
        for (unsigned d = 0; d < dwords && d < 4; d++)
            parts[d] = part(g, operand(g, n), (o.count > 1 ? element : 0) * dwords + d);
        operands[n] = dwords == 1 ? parts[0]
                                  : tuple(g, IR_BANK_V, ir_type_of(g->c->m, (enum ir_kind)o.kind, o.bits, 1),
                                          parts, dwords);
        if (dwords == 1 && o.bits < 32 && o.kind == IR_INT)
            operands[n] = widened(g, IR_BANK_V, operands[n], o.bits, g->i->op == OP_sitofp);
    }
    const unsigned op = g->i->op == OP_fmuladd ? OP_fma : g->i->op, bits = t->bits < 32 ? 32 : t->bits;
    const struct ir_type first = *type_of(g, operand(g, 0));
    if (count > 3 || !compiler_row(g->c, op, SELECT_V, bits, first.bits < 32 ? 32 : first.bits)) {
        refuse(g, "an operation that no instruction computes");
        return;
    }
    const uint16_t type = ir_type_of(g->c->m, (enum ir_kind)t->kind, t->bits, 1);
    ir_ref whole;
    if (g->i->op == OP_fmuladd && !fuses(g)) {
        const ir_ref product = emit_as(g, OP_fmul, IR_BANK_V, type, operands, 2);
        whole = emit_as(g, OP_fadd, IR_BANK_V, type, (ir_ref[]){product, operands[2]}, 2);
    } else
        whole = emit_as(g, op, IR_BANK_V, t->bits < 32 ? g->i32 : type, operands, count);
    parts_of_tuple(g, whole, element_dwords(t), dword_type(g, t), out);
}

static void element_operation(struct legal *g, enum ir_bank bank, const struct ir_type *t, unsigned element,
                              ir_ref *out) {
    const unsigned op = g->i->op == OP_fmuladd ? OP_fma : g->i->op, count = g->i->operands;
    const struct ir_type from = *type_of(g, operand(g, 0));
    ir_ref a[2], b[2] = {IR_NOTHING, IR_NOTHING}, o[3];
    if (t->kind != IR_INT || from.kind != IR_INT || count > 3) {
        if ((op == OP_fneg || op == OP_fabs) && t->kind == IR_F32) {
            a[0] = emit_as(g, OP_bitcast, bank, g->i32, (ir_ref[]){part(g, operand(g, 0), element)}, 1);
            a[0] = op == OP_fneg ? EMIT(g, OP_xor, bank, a[0], number(g, 0x80000000u))
                                 : EMIT(g, OP_and, bank, a[0], number(g, 0x7fffffffu));
            out[0] = emit_as(g, OP_bitcast, bank, dword_type(g, t), a, 1);
        } else if (t->kind == IR_F16 || t->kind == IR_BF16 || from.kind == IR_F16 || from.kind == IR_BF16)
            refuse(g, "a float of 16 bits");
        else
            wide_row(g, t, element, out);
        return;
    }
    if (t->bits > 32) {
        if (t->bits != 64 || count != 2) {
            refuse(g, "this operation on integers of this width");
            return;
        }
        for (unsigned d = 0; d < 2; d++) {
            a[d] = part(g, operand(g, 0), element * 2 + d);
            b[d] = part(g, operand(g, 1), element * 2 + d);
        }
        integer64(g, bank, a, b, out);
        return;
    }
    if (from.bits != t->bits) {
        refuse(g, "an operation between integers of different widths");
        return;
    }
    for (unsigned n = 0; n < count; n++) o[n] = part(g, operand(g, n), element);
    if (t->bits < 32) promote(g, bank, t->bits, o, count);
    const struct ir_constant *by =
        t->bits == 32 && (op == OP_fshl || op == OP_fshr) ? ir_constant_of(g->f, o[2]) : NULL;
    if (by && !compiler_row(g->c, op, bank == IR_BANK_S ? SELECT_S : SELECT_V, 32, 0)) {
        // The upper half of a:b, moved left: by no bits it is a, else parts of both.
        const unsigned k = (unsigned)by->low & 31, left = op == OP_fshl ? k : (32 - k) & 31;
        out[0] = !k ? o[op == OP_fshl ? 0 : 1]
                    : EMIT(g, OP_or, bank, EMIT(g, OP_shl, bank, o[0], number(g, left)),
                           EMIT(g, OP_lshr, bank, o[1], number(g, 32 - left)));
        return;
    }
    if (!compiler_row(g->c, op, bank == IR_BANK_S ? SELECT_S : SELECT_V, 32, 0) &&
        !compiler_row(g->c, op, SELECT_V, 32, 0))
        refuse(g, "an operation that no instruction computes");
    if (!g->c->status) out[0] = emit(g, op, bank, o, count);
}

static void convert(struct legal *g, enum ir_bank bank, const struct ir_type *t, const struct ir_type *from,
                    unsigned element, ir_ref *out) {
    const unsigned op = g->i->op, dwords = element_dwords(from);
    const ir_ref low = part(g, operand(g, 0), element * dwords);
    if ((from->bits > 32 && from->bits != 64) || (t->bits > 32 && t->bits != 64)) {
        refuse(g, "an integer of this width");
    } else if (from->bits == 1) {
        out[0] = emit_as(g, OP_select, IR_BANK_V, g->i32,
                         (ir_ref[]){low, number(g, op == OP_zext ? 1 : 0xffffffffu), number(g, 0)}, 3);
        if (t->bits > 32) out[1] = op == OP_zext ? number(g, 0) : out[0];
    } else if (op == OP_trunc && t->bits == 1) {
        const ir_ref bit = EMIT(g, OP_and, bank == IR_BANK_M ? IR_BANK_V : bank, low, number(g, 1));
        out[0] = emit_as(g, OP_ne, IR_BANK_M, g->i1, (ir_ref[]){bit, number(g, 0)}, 2);
    } else if (op == OP_trunc) {
        out[0] = low;
        if (t->bits > 32) out[1] = part(g, operand(g, 0), element * dwords + 1);
    } else {
        out[0] = widened(g, bank, low, from->bits, op == OP_sext);
        if (t->bits > 32)
            out[1] = from->bits > 32 ? part(g, operand(g, 0), element * dwords + 1)
                     : op == OP_zext ? number(g, 0)
                                     : EMIT(g, OP_ashr, bank, out[0], number(g, 31));
    }
}

// ---- Comparisons and selects ----

static bool is_signed_comparison(unsigned op) { return op >= OP_slt && op <= OP_sge; }

static void compare(struct legal *g) {
    const struct ir_type t = *type_of(g, operand(g, 0));
    ir_ref o[2], parts[2];
    const unsigned dwords = element_dwords(&t);
    if (t.count != 1 || (t.bits > 32 && t.bits != 64) || t.bits == 1 || (t.kind != IR_INT && t.bits < 32)) {
        refuse(g, "a comparison of this type");
        return;
    }
    for (unsigned n = 0; n < 2; n++) {
        for (unsigned d = 0; d < dwords; d++) parts[d] = part(g, operand(g, n), d);
        o[n] = dwords == 1 ? parts[0]
                           : tuple(g, IR_BANK_V, ir_type_of(g->c->m, (enum ir_kind)t.kind, 64, 1), parts, 2);
        if (t.bits < 32) o[n] = widened(g, IR_BANK_V, o[n], t.bits, is_signed_comparison(g->i->op));
    }
    if (!compiler_row(g->c, g->i->op, SELECT_M, 0, t.bits < 32 ? 32 : t.bits)) {
        refuse(g, "an operation that no instruction computes");
        return;
    }
    const ir_ref r = emit_as(g, g->i->op, IR_BANK_M, g->i1, o, 2);
    set_parts(g, &r, 1);
}

static void choose(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    ir_ref out[MOST_PARTS];
    const unsigned count = element_dwords(t) * t->count;
    const ir_ref condition = part(g, operand(g, 0), 0);
    (void)bank;
    if (type_of(g, operand(g, 0))->count != 1 || t->bits == 1 || count > MOST_PARTS) {
        refuse(g, "a choice of this type");
        return;
    }
    for (unsigned n = 0; n < count && !g->c->status; n++)
        out[n] = emit_as(g, OP_select, IR_BANK_V, dword_type(g, t),
                         (ir_ref[]){condition, part(g, operand(g, 1), n), part(g, operand(g, 2), n)}, 3);
    set_parts(g, out, count);
}

// ---- Memory ----

static unsigned piece(unsigned bytes, bool scalar) {
    if (scalar) return bytes;
    return bytes >= 16 ? 16 : bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes == 2 || bytes == 1 ? bytes : 0;
}

static ir_ref address(struct legal *g, unsigned n, enum ir_bank bank) {
    return tuple(g, bank, g->i64, (ir_ref[]){part(g, operand(g, n), 0), part(g, operand(g, n), 1)}, 2);
}

static void access(struct legal *g, bool store) {
    const struct ir_memory m = *ir_memory_of(g->f, g->i);
    const ir_ref data = store ? operand(g, 0) : ir_make(IR_VALUE, g->i->first_result);
    const struct ir_type t = *type_of(g, data);
    const unsigned dwords = element_dwords(&t) * t.count;
    const bool scalar = !store && ir_value_of(g->f, data)->bank == IR_BANK_S;
    ir_ref parts[MOST_PARTS];
    if (m.space != IR_GLOBAL && m.space != IR_CONSTANT_SPACE && m.space != IR_GENERIC)
        refuse(g, "an access to this address space");
    else if (m.order || m.flags & (IR_VOLATILE | IR_NONTEMPORAL | IR_LAST_USE))
        refuse(g, "an ordered, volatile or nontemporal access");
    else if (dwords > MOST_PARTS || (t.count > 1 && t.bits % 32) || (t.bits > 16 && t.bits % 32) ||
             (t.kind != IR_INT && t.bits < 32))
        refuse(g, "an access to memory of this type");
    else if (m.bytes * 8u != (t.bits < 8 ? 8u : t.bits) * t.count)
        refuse(g, "an access whose size is not that of its type");
    if (g->c->status) return;
    const enum ir_bank bank = scalar ? IR_BANK_S : IR_BANK_V;
    const ir_ref at = address(g, store ? 1 : 0, bank);
    const int32_t offset = ir_number(operand(g, store ? 2 : 1));
    for (unsigned done = 0, d = 0, bytes; done < m.bytes && !g->c->status;
         done += bytes, d += (bytes + 3) / 4) {
        struct ir_memory one = m;
        bytes = piece(m.bytes - done, scalar);
        const unsigned words = (bytes + 3) / 4;
        one.bytes = (uint8_t)bytes;
        while (done & ((1u << one.align_log2) - 1)) one.align_log2--;
        const ir_ref where = ir_immediate(offset + (int32_t)done);
        const uint16_t type = words == 1 ? dword_type(g, &t) : ir_type_of(g->c->m, IR_BITS, words * 32, 1);
        if (!bytes) {
            refuse(g, "an access to memory of this size");
        } else if (store) {
            for (unsigned w = 0; w < words; w++) parts[w] = part(g, data, d + w);
            ir_append(g->f, OP_store, (ir_ref[]){tuple(g, IR_BANK_V, type, parts, words), at, where}, 3)
                ->location = g->i->location;
            g->f->insts.items[g->f->insts.count - 1].memory = ir_memory_add(g->f, &one);
        } else {
            const ir_ref v = emit_as(g, OP_load, bank, type, (ir_ref[]){at, where}, 2);
            if (!g->c->m->failed) ir_def(g->f, v)->memory = ir_memory_add(g->f, &one);
            parts_of_tuple(g, v, words, dword_type(g, &t), parts + d);
        }
    }
    if (!store) set_parts(g, parts, dwords);
}

// ---- Vectors and copies ----

static void gather(struct legal *g, const struct ir_type *t) {
    const unsigned each = element_dwords(t);
    const struct ir_constant *index = ir_constant_of(g->f, operand(g, g->i->op == OP_insert ? 2 : 1));
    const struct ir_type from = *type_of(g, operand(g, 0));
    ir_ref out[MOST_PARTS];
    if (each * t->count > MOST_PARTS ||
        ((g->i->op == OP_extract || g->i->op == OP_insert) && (!index || index->low >= from.count))) {
        refuse(g, "a vector of this kind, or an element at a variable index");
        return;
    }
    for (unsigned n = 0; n < t->count && !g->c->status; n++)
        for (unsigned d = 0; d < each; d++) {
            ir_ref source = operand(g, 0);
            unsigned element = n;
            if (g->i->op == OP_vector) source = operand(g, n), element = 0;
            if (g->i->op == OP_extract) element = (unsigned)index->low;
            if (g->i->op == OP_insert && n == index->low) source = operand(g, 1), element = 0;
            if (g->i->op == OP_shuffle) {
                const int32_t k = ir_number(operand(g, n + 2));
                element = k < 0 ? 0 : (unsigned)k;
                if (element >= from.count) source = operand(g, 1), element -= from.count;
            }
            out[n * each + d] = part(g, source, element * each + d);
        }
    set_parts(g, out, each * t->count);
}

// The same dwords under another type.
static void rename(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const struct ir_type from = *type_of(g, operand(g, 0));
    const unsigned count = element_dwords(t) * t->count;
    ir_ref out[MOST_PARTS];
    if (count > MOST_PARTS || element_dwords(&from) * from.count != count ||
        (from.bits < 32 && from.bits != t->bits)) {
        refuse(g, "a change of type of this kind");
        return;
    }
    for (unsigned n = 0; n < count; n++) {
        out[n] = part(g, operand(g, 0), n);
        if (!g->c->status && ir_ref_type(g->f, out[n]) != dword_type(g, t))
            out[n] = emit_as(g, OP_bitcast, bank, dword_type(g, t), &out[n], 1);
    }
    set_parts(g, out, count);
}

static void copy(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const ir_ref from = operand(g, 0);
    ir_ref out[MOST_PARTS];
    if (ir_is(from, IR_SYMBOL))
        refuse(g, "the address of a variable or function");
    else if (ir_is(from, IR_REGISTER)) {
        const ir_ref v = emit_as(g, OP_copy, bank,
                                 ir_value_of(g->f, ir_make(IR_VALUE, g->i->first_result))->type, &from, 1);
        set_parts(g, out, parts_of_tuple(g, v, element_dwords(t), g->i32, out));
    } else
        rename(g, bank, t);
}

static void space_cast(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const struct ir_memory *m = ir_memory_of(g->f, g->i);
    const unsigned flat = 1u << IR_GENERIC | 1u << IR_GLOBAL | 1u << IR_CONSTANT_SPACE;
    if (!m || !(flat >> m->space & 1) || !(flat >> m->cache & 1))
        refuse(g, "a cast between these address spaces");
    else
        rename(g, bank, t);
}

// ---- Control flow ----

static void begin_phi(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const unsigned count = element_dwords(t) * t->count;
    ir_ref out[MOST_PARTS];
    if (count > MOST_PARTS || bank == IR_BANK_M) {
        refuse(g, "a phi of this type");
        return;
    }
    for (unsigned n = 0; n < count; n++) {
        out[n] = emit_as(g, OP_phi, bank, dword_type(g, t), NULL, 0);
        if (!array_push(&g->phis, (struct phi_part){g->i, ir_index(out[n]), n})) compiler_no_memory(g->c);
    }
    set_parts(g, out, count);
}

static void fill_phi(struct legal *g, const struct phi_part *p) {
    const uint32_t first = (uint32_t)g->f->operands.count;
    g->i = p->old;
    for (unsigned n = 0; n + 1 < p->old->operands && !g->c->status; n += 2) {
        const ir_ref value = part(g, operand(g, n + 1), p->part);
        if (!array_push(&g->f->operands, operand(g, n)) || !array_push(&g->f->operands, value))
            compiler_no_memory(g->c);
    }
    struct ir_inst *i = ir_def(g->f, ir_make(IR_VALUE, p->value));
    if (g->c->status || !i) return;
    i->first_operand = first;
    i->operands = (uint16_t)(g->f->operands.count - first);
}

static void jump(struct legal *g) {
    ir_ref o[3];
    for (unsigned n = 0; n < g->i->operands; n++)
        o[n] = ir_is(operand(g, n), IR_BLOCK) ? operand(g, n) : part(g, operand(g, n), 0);
    if (g->i->op == OP_branch && ir_constant_of(g->f, o[0]))
        refuse(g, "a branch by a constant");
    else
        ir_append(g->f, g->i->op, o, g->i->operands)->location = g->i->location;
}

// ---- The pass ----

static void elementwise(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const unsigned each = element_dwords(t);
    const struct ir_type from = *type_of(g, operand(g, 0));
    const bool converts = g->i->op == OP_zext || g->i->op == OP_sext || g->i->op == OP_trunc;
    ir_ref out[MOST_PARTS];
    if (each * t->count > MOST_PARTS) {
        refuse(g, "a vector of this size");
        return;
    }
    for (unsigned n = 0; n < t->count && !g->c->status; n++)
        if (converts)
            convert(g, bank, t, &from, n, out + n * each);
        else
            element_operation(g, bank, t, n, out + n * each);
    if (!g->c->status) set_parts(g, out, each * t->count);
}

static void masks(struct legal *g) {
    ir_ref o[2];
    if (g->i->op != OP_and && g->i->op != OP_or && g->i->op != OP_xor) {
        refuse(g, "this operation on single bits");
        return;
    }
    for (unsigned n = 0; n < 2; n++) o[n] = part(g, operand(g, n), 0);
    const ir_ref r = emit_as(g, g->i->op, IR_BANK_M, g->i1, o, 2);
    set_parts(g, &r, 1);
}

static void instruction(struct legal *g) {
    const ir_ref result = ir_make(IR_VALUE, g->i->first_result);
    const struct ir_type t = g->i->results ? *type_of(g, result) : (struct ir_type){0};
    const enum ir_bank bank = g->i->results ? (enum ir_bank)ir_value_of(g->f, result)->bank : IR_BANK_V;
    const unsigned op = g->i->op;
    if (op >= OPERATIONS)
        refuse(g, "this operation");
    else if (op == OP_load || op == OP_store)
        access(g, op == OP_store);
    else if (op == OP_return && !g->i->operands)
        ir_append(g->f, OP_end_program, NULL, 0)->location = g->i->location;
    else if (op == OP_jump || op == OP_branch)
        jump(g);
    else if (op == OP_phi)
        begin_phi(g, bank, &t);
    else if (op == OP_copy)
        copy(g, bank, &t);
    else if (op == OP_bitcast || op == OP_freeze)
        rename(g, bank, &t);
    else if (op == OP_space_cast)
        space_cast(g, bank, &t);
    else if (op == OP_select)
        choose(g, bank, &t);
    else if (op == OP_vector || op == OP_extract || op == OP_insert || op == OP_shuffle)
        gather(g, &t);
    else if (g->i->results == 1 && t.kind == IR_INT && t.bits == 1 && op != OP_trunc) {
        const enum operation_types types = (enum operation_types)operation_info((enum operation)op)->types;
        if (t.count != 1)
            refuse(g, "a vector of single bits");
        else if (types == TYPES_COMPARE || types == TYPES_FLOAT_COMPARE)
            compare(g);
        else
            masks(g);
    } else if (g->i->results == 1 && !(ir_op_properties(op) & (OPERATION_EFFECT | OPERATION_READS |
                                                               OPERATION_WRITES | OPERATION_CONVERGENT)))
        elementwise(g, bank, &t);
    else
        refuse(g, "this operation");
}

void compiler_legal(struct compiler *c) {
    struct legal g = {
        .c = c, .f = c->f, .i1 = ir_int(c->m, 1), .i32 = ir_int(c->m, 32), .i64 = ir_int(c->m, 64)};
    g.values = calloc(c->f->values.count + 1, sizeof *g.values);
    if (!g.values) compiler_no_memory(c);
    ir_take(c->f, &g.old);
    for (size_t b = 0; b < g.old.blocks.count && !c->status; b++) {
        const struct ir_block *block = &g.old.blocks.items[b];
        ir_block_add(c->f);
        for (uint32_t n = 0; n < block->count && !c->status && !c->m->failed; n++) {
            g.i = &g.old.insts.items[block->first + n];
            instruction(&g);
        }
    }
    for (size_t n = 0; n < g.phis.count && !c->status; n++) fill_phi(&g, &g.phis.items[n]);
    ir_old_free(&g.old);
    array_free(&g.phis);
    array_free(&g.parts);
    free(g.values);
}
