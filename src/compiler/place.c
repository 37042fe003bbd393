// SPDX-License-Identifier: MIT
#include "compiler/place.h"

enum { DESCRIPTOR, OFFSET, INDEX };

// The parts of a place in a buffer; NULL: the address is a number.
static const struct ir_inst *place_of(const struct split *s, ir_ref address) {
    const struct ir_inst *i = ir_def(s->f, address);
    return i && i->op == OP_buffer_place ? i : NULL;
}

static ir_ref with_offset(struct split *s, ir_ref address, ir_ref offset) {
    const struct ir_inst *place = place_of(s, address);
    const unsigned count = place->operands;
    const ir_ref parts[] = {ir_operand(s->f, place, DESCRIPTOR), offset, ir_operand(s->f, place, INDEX)};
    return split_emit(s, OP_buffer_place, ir_ref_type(s->f, address), parts, count);
}

static ir_ref as_wide(struct split *s, ir_ref r, uint16_t type) {
    const unsigned have = ir_type_bits(s->c->m, ir_ref_type(s->f, r)), want = ir_type_bits(s->c->m, type);
    return have == want ? r : SPLIT_EMIT(s, have < want ? OP_zext : OP_trunc, type, r);
}

ir_ref place_moved(struct split *s, ir_ref address, ir_ref bytes) {
    const struct ir_inst *place = place_of(s, address);
    const ir_ref from = place ? ir_operand(s->f, place, OFFSET) : address;
    const uint16_t type = ir_ref_type(s->f, from);
    const ir_ref sum = SPLIT_EMIT(s, OP_add, type, from, as_wide(s, bytes, type));
    return place ? with_offset(s, address, sum) : sum;
}

ir_ref place_masked(struct split *s, ir_ref address, uint64_t mask) {
    const struct ir_inst *place = place_of(s, address);
    const ir_ref from = place ? ir_operand(s->f, place, OFFSET) : address;
    const uint16_t type = ir_ref_type(s->f, from);
    const ir_ref rest = SPLIT_EMIT(s, OP_and, type, from, ir_constant_bits(s->f, type, mask, 0));
    return place ? with_offset(s, address, rest) : rest;
}

ir_ref place_low(struct split *s, ir_ref address) {
    const struct ir_inst *place = place_of(s, address);
    return as_wide(s, place ? ir_operand(s->f, place, OFFSET) : address, ir_int(s->c->m, 32));
}

// The lowest bits of a number, which begin at one.
static ir_ref field(struct split *s, ir_ref r, unsigned first, uint64_t mask) {
    const uint16_t type = ir_ref_type(s->f, r), i64 = ir_int(s->c->m, 64);
    if (first) r = SPLIT_EMIT(s, OP_lshr, type, r, ir_constant_bits(s->f, type, first, 0));
    return SPLIT_EMIT(s, OP_and, i64, as_wide(s, r, i64), ir_constant_bits(s->f, i64, mask, 0));
}

ir_ref place_number(struct split *s, ir_ref address) {
    enum { STRIDE_BIT = 48 };
    const uint16_t i64 = ir_int(s->c->m, 64);
    const struct ir_inst *found = place_of(s, address);
    if (!found) return as_wide(s, address, i64);
    const struct ir_inst place = *found;
    const ir_ref descriptor = ir_operand(s->f, &place, DESCRIPTOR), offset = ir_operand(s->f, &place, OFFSET),
                 index = ir_operand(s->f, &place, INDEX);
    const ir_ref base = field(s, descriptor, 0, 0xffffffffffff);
    const ir_ref sum = SPLIT_EMIT(s, OP_add, i64, base, as_wide(s, offset, i64));
    if (place.operands <= INDEX) return sum;
    const ir_ref stride = field(s, descriptor, STRIDE_BIT, 0x3fff);
    return SPLIT_EMIT(s, OP_add, i64, sum, SPLIT_EMIT(s, OP_mul, i64, as_wide(s, index, i64), stride));
}
