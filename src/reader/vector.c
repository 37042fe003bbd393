// SPDX-License-Identifier: MIT
// Elements of vectors. A vector of pointers into buffers is several ones, of which each is treated alike.
#include "reader/reader.h"

enum { MOST_LEAVES = 3 }; // of a vector

ir_ref reader_splat(struct reader *r, ir_ref one, uint16_t type) {
    const unsigned count = ir_type_at(r->m, type)->count;
    ir_ref all[IR_MOST_ELEMENTS];
    if (r->status || count == 1 || ir_type_at(r->m, ir_ref_type(r->f, one))->count == count) return one;
    for (unsigned n = 0; n < count; n++) all[n] = one;
    return reader_emit(r, OP_vector, type, 0, all, count);
}

ir_ref reader_number(struct reader *r, uint64_t n, uint16_t type) {
    return reader_splat(r, ir_constant_bits(r->f, ir_int(r->m, ir_type_at(r->m, type)->bits), n, 0), type);
}

void reader_element(struct reader *r, llvm_ref inst, unsigned op) {
    const struct llvm *l = r->l;
    const llvm_ref type = l->TypeOf(inst);
    const bool insert = op == OP_insert;
    const unsigned leaves = reader_leaf_count(r, type);
    ir_ref made[MOST_LEAVES];
    for (unsigned k = 0; k < leaves && k < MOST_LEAVES && !r->status; k++) {
        ir_ref operands[3] = {reader_leaf(r, l->GetOperand(inst, 0), k)};
        if (insert) operands[1] = reader_leaf(r, l->GetOperand(inst, 1), k);
        operands[1 + insert] = reader_value_of(r, l->GetOperand(inst, 1 + insert));
        made[k] = reader_emit(r, op, reader_leaf_type(r, type, k), 0, operands, 2 + insert);
    }
    reader_set_leaves(r, inst, made, leaves);
}

void reader_shuffle(struct reader *r, llvm_ref inst) {
    const struct llvm *l = r->l;
    const llvm_ref type = l->TypeOf(inst);
    const unsigned count = l->GetNumMaskElements(inst), leaves = reader_leaf_count(r, type);
    ir_ref operands[IR_MOST_ELEMENTS + 2], made[MOST_LEAVES];
    for (unsigned i = 0; i < count && i < IR_MOST_ELEMENTS; i++)
        operands[2 + i] = ir_immediate(l->GetMaskValue(inst, i));
    for (unsigned k = 0; k < leaves && k < MOST_LEAVES && !r->status; k++) {
        for (unsigned n = 0; n < 2; n++) operands[n] = reader_leaf(r, l->GetOperand(inst, n), k);
        made[k] = reader_emit(r, OP_shuffle, reader_leaf_type(r, type, k), 0, operands, count + 2);
    }
    reader_set_leaves(r, inst, made, leaves);
}

// Elements of one vector from `first` on, as a vector of so many; behind its end there is nothing.
static ir_ref elements(struct reader *r, ir_ref from, unsigned first, uint16_t type) {
    const unsigned have = ir_type_at(r->m, ir_ref_type(r->f, from))->count,
                   count = ir_type_at(r->m, type)->count;
    ir_ref operands[IR_MOST_ELEMENTS + 2] = {from, from};
    for (unsigned n = 0; n < count; n++)
        operands[2 + n] = ir_immediate(first + n < have ? (int32_t)(first + n) : -1);
    return reader_emit(r, OP_shuffle, type, 0, operands, count + 2);
}

// A vector with another one in place of its elements from `first` on.
static ir_ref with_elements(struct reader *r, ir_ref into, ir_ref part, unsigned first) {
    const uint16_t type = ir_ref_type(r->f, into);
    const unsigned count = ir_type_at(r->m, type)->count,
                   had = ir_type_at(r->m, ir_ref_type(r->f, part))->count;
    ir_ref operands[IR_MOST_ELEMENTS + 2] = {into, elements(r, part, 0, type)};
    for (unsigned n = 0; n < count; n++)
        operands[2 + n] = ir_immediate((int32_t)(n >= first && n - first < had ? count + n - first : n));
    return reader_emit(r, OP_shuffle, type, 0, operands, count + 2);
}

void reader_subvector(struct reader *r, llvm_ref call, bool insert) {
    const struct llvm *l = r->l;
    const llvm_ref type = l->TypeOf(call), whole = l->GetOperand(call, 0);
    const unsigned leaves = reader_leaf_count(r, type);
    const uint64_t first = l->ConstIntGetZExtValue(l->GetOperand(call, 1 + insert));
    ir_ref made[MOST_LEAVES];
    for (unsigned k = 0; k < leaves && k < MOST_LEAVES && !r->status; k++) {
        const ir_ref from = reader_leaf(r, whole, k);
        if (r->status) return;
        if (first >= ir_type_at(r->m, ir_ref_type(r->f, from))->count)
            reader_refuse(r, "a place behind the end of a vector");
        else if (insert)
            made[k] = with_elements(r, from, reader_leaf(r, l->GetOperand(call, 1), k), (unsigned)first);
        else
            made[k] = elements(r, from, (unsigned)first, reader_leaf_type(r, type, k));
    }
    reader_set_leaves(r, call, made, leaves);
}
