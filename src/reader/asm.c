// SPDX-License-Identifier: MIT
// Inline assembly: its text and its constraints as names, then its inputs. Results are those of the call, one
// by one.
#include "ir/constraints.h"
#include "reader/reader.h"

#include <stdio.h>

// Of a pair of the same halves, one stands for both, as in LLVM.
static llvm_ref number_in(struct reader *r, llvm_ref value) {
    const struct llvm *l = r->l;
    const llvm_ref type = l->TypeOf(value);
    if (l->GetTypeKind(type) != LLVM_VECTOR || l->GetVectorSize(type) != 2 || !l->IsAConstant(value))
        return value;
    const llvm_ref first = l->GetAggregateElement(value, 0), second = l->GetAggregateElement(value, 1);
    const uint16_t one = reader_type(r, l->TypeOf(first));
    return first == second && ir_type_bits(r->m, one) == 16 ? first : value;
}

// Of all numbers the constant must be one that the constraint allows.
static void check_number(struct reader *r, const struct constraint *c, ir_ref value) {
    const struct ir_constant *k = r->status ? NULL : ir_constant_of(r->f, value);
    char what[96];
    if (k && !k->poison && constraint_allows(c, k->low, ir_type_bits(r->m, k->type))) return;
    snprintf(what, sizeof what, "a value that constraint '%s' of inline assembly does not allow",
             *c->range ? c->range : "i");
    reader_refuse(r, what);
}

void reader_asm_text(struct reader *r, const char *text) {
    static const char changes[] = "~{scc},~{memory}";
    const ir_ref operands[] = {reader_symbol(r, text, strlen(text)),
                               reader_symbol(r, changes, sizeof changes - 1)};
    if (!r->status) reader_append(r, OP_inline_asm, operands, 2)->flags = IR_CONVERGENT;
}

void reader_asm(struct reader *r, llvm_ref inst) {
    const struct llvm *l = r->l;
    const llvm_ref callee = l->GetCalledValue(inst), type = l->TypeOf(inst);
    const unsigned count = (unsigned)l->GetNumArgOperands(inst);
    struct constraints c;
    struct reader_place places[READER_LEAVES];
    ir_ref operands[MOST_CONSTRAINTS + 2], results[MOST_CONSTRAINTS];
    size_t text_length, length;
    const char *text = l->GetInlineAsmAsmString(callee, &text_length);
    const char *all = l->GetInlineAsmConstraintString(callee, &length);
    char constraints[8192], what[96]; // all registers may be named
    snprintf(constraints, sizeof constraints, "%.*s", (int)length, all);
    const char *why = length >= sizeof constraints ? "so many operands" : constraints_read(constraints, &c);
    if (why || c.inputs != count) {
        snprintf(what, sizeof what, "inline assembly with %s", why ? why : "an operand of this kind");
        reader_refuse(r, what);
        return;
    }
    operands[0] = reader_symbol(r, text, text_length);
    operands[1] = reader_symbol(r, constraints, length);
    for (unsigned n = 0; n < count && !r->status; n++) {
        const bool number = c.of[c.results + n].kind == 'i';
        operands[n + 2] =
            reader_value_of(r, number ? number_in(r, l->GetOperand(inst, n)) : l->GetOperand(inst, n));
        if (number) check_number(r, &c.of[c.results + n], operands[n + 2]);
    }
    if (r->status) return;
    unsigned have = 0;
    if (reader_is_aggregate(r, type))
        have = reader_places(r, type, places);
    else if (reader_type(r, type))
        places[have++].type = reader_type(r, type);
    if (!r->status && have != c.results) reader_refuse(r, "inline assembly with a result of this kind");
    if (r->status) return;
    reader_append(r, OP_inline_asm, operands, count + 2)->flags = IR_CONVERGENT;
    for (unsigned n = 0; n < have && !r->status; n++) results[n] = ir_result(r->f, places[n].type);
    if (reader_is_aggregate(r, type))
        reader_set_parts(r, inst, results, have);
    else if (have && !r->status)
        reader_set(r, inst, results[0]);
}
