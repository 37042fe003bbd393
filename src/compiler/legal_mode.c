// SPDX-License-Identifier: MIT
// The environment of floating point: intrinsics that read and write MODE and TRAPSTS. Rounding is by LLVM's
// number where both kinds of floats round alike, and by one of its twelve others where not; tables of 16
// numbers of four bits translate them.
#include "compiler/legal.h"

enum { MODE = 1, TRAPSTS = 3 }; // hardware registers
enum { ROUNDING_BITS = 4, MODE_BITS = 23, TRAP_BITS = 5 };
static const uint32_t rounding_of_mode[2] = {0xeb24da71, 0x0c96f385},
                      mode_of_rounding[2] = {0x1c84a50f, 0xb73e62d9};

static ir_ref hardware_register(unsigned number, unsigned first, unsigned bits) {
    return ir_immediate((int32_t)(number | first << 6 | (bits - 1) << 11));
}

static ir_ref get_field(struct legal *g, unsigned number, unsigned first, unsigned bits) {
    const struct row *row = compiler_named_row(g->c, "s_getreg_b32");
    if (row)
        return legal_emit_as(g, ir_op_of_row(row), IR_BANK_S, g->i32,
                             (ir_ref[]){hardware_register(number, first, bits)}, 1);
    legal_refuse(g, "reading a hardware register");
    return legal_number(g, 0);
}

void legal_hardware_field(struct legal *g) {
    const struct row *row = compiler_named_row(g->c, "s_getreg_b32");
    const ir_ref which = legal_operand(g, 0);
    const ir_ref bits = legal_emit_as(g, ir_op_of_row(row), IR_BANK_S, g->i32, &which, 1);
    legal_set_parts(g, &bits, 1);
}

static ir_ref get(struct legal *g, unsigned number, unsigned bits) { return get_field(g, number, 0, bits); }

static void set_field(struct legal *g, unsigned number, unsigned first, unsigned bits, ir_ref value) {
    const struct row *row = compiler_named_row(g->c, "s_setreg_b32");
    value = legal_scalar(g, value);
    if (row)
        ir_append(g->f, ir_op_of_row(row), (ir_ref[]){hardware_register(number, first, bits), value}, 2)
            ->location = g->i->location;
    else
        legal_refuse(g, "writing a hardware register");
}

static void set(struct legal *g, unsigned number, unsigned bits, ir_ref value) {
    set_field(g, number, 0, bits, value);
}

// Four bits of a table, by a number below 16.
static ir_ref entry(struct legal *g, const uint32_t table[2], ir_ref n) {
    const ir_ref shift = DO(shl, DO(and, n, N(7)), N(2));
    const ir_ref upper = DO(sub, N(0), DO(lshr, n, N(3)));
    const ir_ref both = DO(xor, N(table[0]), DO(and, upper, N(table[0] ^ table[1])));
    return DO(and, DO(lshr, both, shift), N(15));
}

static void get_rounding(struct legal *g) {
    const ir_ref k = entry(g, rounding_of_mode, get(g, MODE, ROUNDING_BITS));
    const ir_ref is_other = DO(lshr, DO(add, k, N(12)), N(4)); // from 4 on
    const ir_ref out = DO(add, k, DO(shl, is_other, N(2)));
    legal_set_parts(g, &out, 1);
}

static void set_rounding(struct legal *g, ir_ref number) {
    const ir_ref n = DO(umin, number, DO(sub, number, N(4)));
    set(g, MODE, ROUNDING_BITS, entry(g, mode_of_rounding, DO(and, n, N(15))));
}

ir_ref legal_round_to_nearest(struct legal *g) {
    const ir_ref held = get(g, MODE, ROUNDING_BITS);
    set(g, MODE, ROUNDING_BITS, N(0));
    return held;
}

void legal_round_as(struct legal *g, ir_ref held) {
    if (ir_is(held, IR_VALUE)) set(g, MODE, ROUNDING_BITS, held);
}

// llvm.fptrunc.round: a conversion to a smaller float under a rounding of its own, by its number in MODE.
static void truncate_rounded(struct legal *g) {
    enum { FIRST = 2, BITS = 2 }; // of halves and doubles, which is what these conversions ask
    const struct ir_type t = *legal_type(g, ir_make(IR_VALUE, g->i->first_result)),
                         from = *legal_type(g, legal_operand(g, 1));
    const struct ir_constant *rounding = ir_constant_of(g->f, legal_operand(g, 2));
    const bool known = (t.kind == IR_F16 && from.kind == IR_F32) || (t.kind == IR_F32 && from.kind == IR_F64);
    struct ir_type one = t;
    ir_ref out[MOST_PARTS];
    if (!known || !rounding || t.count > MOST_PARTS) {
        legal_refuse(g, "a conversion with a rounding of its own between these types");
        return;
    }
    one.count = 1;
    const ir_ref held = get_field(g, MODE, FIRST, BITS);
    set_field(g, MODE, FIRST, BITS, N((uint32_t)rounding->low & 3));
    g->bank = IR_BANK_V;
    for (unsigned n = 0; n < t.count && !g->c->status; n++) {
        const struct element e = legal_element(g, legal_operand(g, 1), n);
        // Of a scalar value, too: scalar instructions round as MODE says for floats of 32 bits.
        out[n] = COMPUTE(g, OP_fptrunc, one, e).d[0];
    }
    g->bank = IR_BANK_S;
    set_field(g, MODE, FIRST, BITS, held);
    if (!g->c->status) legal_set_parts(g, out, t.count);
}

bool legal_mode(struct legal *g, const char *name) {
    static const char *const names[] = {"llvm.get.fpmode.i32", "llvm.get.rounding", "llvm.set.rounding",
                                        "llvm.get.fpenv.i64", "llvm.set.fpenv.i64"};
    unsigned which = 0;
    if (!strcmp(name, "llvm.fptrunc.round")) return truncate_rounded(g), true;
    while (which < 5 && strcmp(name, names[which])) which++;
    if (which == 5) return false;
    g->bank = IR_BANK_S;
    ir_ref in[2] = {IR_NOTHING, IR_NOTHING}, out[2];
    if (which == 2 || which == 4) {
        const unsigned count = which == 2 ? 1 : 2;
        for (unsigned n = 0; n < count; n++) in[n] = legal_scalar(g, legal_part(g, legal_operand(g, 1), n));
    }
    const bool overflow = fact(g->c->processor, FACT_fp16_overflow);
    switch (which) {
    case 0:
        out[0] = DO(and, get(g, MODE, overflow ? 24 : 19), N(overflow ? 0x87f3ff : 0x7f3ff));
        legal_set_parts(g, out, 1);
        break;
    case 1: get_rounding(g); break;
    case 2: set_rounding(g, in[0]); break;
    case 3:
        out[0] = get(g, MODE, MODE_BITS), out[1] = get(g, TRAPSTS, TRAP_BITS);
        legal_set_parts(g, out, 2);
        break;
    default: set(g, MODE, MODE_BITS, in[0]), set(g, TRAPSTS, TRAP_BITS, in[1]); break;
    }
    return true;
}
