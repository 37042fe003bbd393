// SPDX-License-Identifier: MIT
// Operations that do the same to each element of a vector: what kind an operation on elements is.
#include "compiler/legal.h"

static bool is_float(struct ir_type t) { return t.kind >= IR_F16 && t.kind <= IR_F64; }

struct element legal_compute(struct legal *g, unsigned op, struct ir_type t, const struct element *o,
                             unsigned count) {
    struct element mask = {{IR_INT, 1, 1}, {IR_NOTHING, IR_NOTHING, IR_NOTHING, IR_NOTHING}};
    if (g->c->status || g->c->m->failed) { // what is computed any more is not looked at
        struct element none = {t, {N(0), N(0), N(0), N(0)}};
        none.d[0] = legal_retype(g, legal_dword_type(g, &t), none.d[0]);
        return none;
    }
    switch ((enum operation_types)operation_info((enum operation)op)->types) {
    case TYPES_COMPARE:
    case TYPES_FLOAT_COMPARE:
    case TYPES_FLOAT_CLASS: mask.d[0] = legal_compare(g, op, &o[0], &o[1]); return mask;
    case TYPES_SELECT: return legal_either(g, o[0].d[0], &o[1], &o[2]);
    case TYPES_WIDEN:
    case TYPES_NARROW:
    case TYPES_INT_TO_FLOAT:
    case TYPES_FLOAT_TO_FLOAT: return legal_convert(g, op, t, o[0]);
    case TYPES_FLOAT_TO_INT:
        if (op == OP_fptosi || op == OP_fptoui) return legal_convert(g, op, t, o[0]);
        break;
    default: break;
    }
    return is_float(o[0].type) ? legal_float(g, op, t, o, count) : legal_integer(g, op, t, o, count);
}

void legal_elementwise(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const unsigned each = legal_dwords(t), count = g->i->operands;
    ir_ref out[MOST_PARTS];
    struct ir_type one = *t;
    if (each * t->count > MOST_PARTS || count > 4 || !count || each > 4) {
        legal_refuse(g, "an operation on values of this size");
        return;
    }
    one.count = 1;
    // What becomes a mask is computed in scalar registers as far as its operands are there.
    g->bank = bank == IR_BANK_M ? IR_BANK_S : bank;
    for (unsigned n = 0; n < t->count && !g->c->status; n++) {
        struct element o[4];
        for (unsigned k = 0; k < count; k++) {
            const ir_ref r = legal_operand(g, k);
            o[k] = legal_element(g, r, legal_type(g, r)->count > 1 ? n : 0);
        }
        if (g->c->status) return;
        const struct element e = legal_compute(g, g->i->op, one, o, count);
        for (unsigned d = 0; d < each; d++) out[n * each + d] = e.d[d];
    }
    if (!g->c->status) legal_set_parts(g, out, each * t->count);
}
