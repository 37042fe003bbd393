// SPDX-License-Identifier: MIT
// Part of the pass select: values in accumulation registers. Where matrix operations have their results in
// such registers alone, the result stays there for the next of them, and whatever else uses it reads it dword
// by dword. The same for operands of inline assembly that asks for such registers.
#include "compiler/selection.h"
#include "isa/kinds.h"
#include "isa/rules.h"

enum { MOST_DWORDS = 32 };

static bool is_acc(const struct selection *s, ir_ref r) {
    const struct ir_value *v = ir_value_of(s->f, r);
    return v && v->bank == IR_BANK_A;
}

bool selection_is_matrix(const struct selection *s, const struct row *row) {
    const struct isa *isa = s->c->isa;
    const unsigned format = isa->codings[isa->row_codings[row - isa_rows]].format;
    const struct insn in = {.row = row, .format = isa->formats[format]};
    return format == FMT_MAI && row->dst[0].type != T_NO_OPERAND &&
           rule_of(isa, &in, 0, s->f->facts.wave == 32).allow == ALLOW_AGPR;
}

static ir_ref emit(struct selection *s, unsigned op, const ir_ref *o, unsigned count, uint16_t type,
                   enum ir_bank bank) {
    selection_append(s, op, o, count);
    return selection_result(s, type, bank);
}

static ir_ref between(struct selection *s, const char *id, ir_ref dword, enum ir_bank bank) {
    const struct row *row = compiler_named_row(s->c, id);
    if (row) return emit(s, ir_op_of_row(row), &dword, 1, ir_int(s->c->m, 32), bank);
    selection_refuse(s, "an accumulation register");
    return dword;
}

// Every dword of a value through a move to another bank.
static ir_ref through(struct selection *s, ir_ref r, const char *id, enum ir_bank to) {
    const uint16_t type = ir_ref_type(s->f, r), i32 = ir_int(s->c->m, 32);
    const unsigned dwords = (ir_type_bits(s->c->m, type) + 31) / 32;
    const struct ir_value *v = ir_value_of(s->f, r);
    const enum ir_bank from = v ? (enum ir_bank)v->bank : IR_BANK_S;
    ir_ref moved[MOST_DWORDS];
    if (dwords > MOST_DWORDS) {
        selection_refuse(s, "so many accumulation registers at once");
        return r;
    }
    for (unsigned n = 0; n < dwords; n++) {
        ir_ref dword = r;
        if (dwords > 1) dword = emit(s, OP_p_part, (ir_ref[]){r, ir_immediate((int32_t)n)}, 2, i32, from);
        if (from != IR_BANK_A && from != IR_BANK_V) dword = selection_move(s, IR_BANK_V, dword);
        moved[n] = dword;
    }
    for (unsigned n = 0; n < dwords; n++) moved[n] = between(s, id, moved[n], to);
    return dwords > 1 ? emit(s, OP_p_tuple, moved, dwords, type, to) : moved[0];
}

ir_ref selection_to_acc(struct selection *s, ir_ref r) {
    return is_acc(s, r) ? r : through(s, r, "v_accvgpr_write_b32", IR_BANK_A);
}

ir_ref selection_from_acc(struct selection *s, ir_ref r) {
    return is_acc(s, r) ? through(s, r, "v_accvgpr_read_b32", IR_BANK_V) : r;
}

bool selection_part_of_acc(struct selection *s) {
    if (s->i->op != OP_p_part) return false;
    const ir_ref whole = selection_operand(s, 0);
    if (!is_acc(s, whole)) return false;
    const uint32_t old = s->i->first_result;
    const ir_ref part = emit(s, OP_p_part, (ir_ref[]){whole, selection_operand(s, 1)}, 2,
                             s->f->values.items[old].type, IR_BANK_A);
    s->map[old] = between(s, "v_accvgpr_read_b32", part, IR_BANK_V);
    return true;
}

unsigned selection_read_accs(struct selection *s, struct selection_read *reads, unsigned room) {
    unsigned count = 0;
    for (unsigned n = 0; n < s->i->operands && s->i->op != OP_phi; n++) {
        const ir_ref old = s->old.operands.items[s->i->first_operand + n], now = selection_operand(s, n);
        if (!is_acc(s, now)) continue;
        if (count == room) {
            selection_refuse(s, "so many values in accumulation registers");
            return count;
        }
        reads[count++] = (struct selection_read){ir_index(old), now};
        s->map[ir_index(old)] = selection_from_acc(s, now);
    }
    return count;
}
