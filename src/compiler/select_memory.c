// SPDX-License-Identifier: MIT
// Accesses to memory to rows: by what they go, how wide, and the operands behind address and data. A part of
// select.c.
#include "compiler/selection.h"

#include <stdio.h>

// Where an access goes, as rows begin their names: scalar, flat, global, or by a buffer where nothing else
// is.
static const char *way_of(const struct selection *s, const struct ir_memory *m) {
    const bool flat = compiler_named_row(s->c, "flat_load_b32"),
               global = compiler_named_row(s->c, "global_load_b32");
    return m->space != IR_GENERIC && global ? "global"
           : flat                           ? "flat"
           : m->space != IR_GENERIC         ? "buffer"
                                            : NULL;
}

// Appends the operands that stand behind a vector access's address and data.
static unsigned add_place(struct selection *s, const char *way, ir_ref offset, ir_ref *o, unsigned count) {
    if (*way == 'b') {
        // A descriptor of all memory, to which the address is added.
        const ir_ref zero = ir_constant_bits(s->f, ir_int(s->c->m, 32), 0, 0);
        const ir_ref words[] = {zero, zero, zero, ir_constant_bits(s->f, ir_int(s->c->m, 32), 0xf000, 0)};
        selection_append(s, OP_p_tuple, words, 4);
        o[count++] = selection_result(s, ir_type_of(s->c->m, IR_BITS, 128, 1), IR_BANK_S);
        o[count++] = zero;
    }
    if (*way == 'g') o[count++] = IR_NOTHING;
    o[count++] = offset;
    return count;
}

// A scalar load whose encoding has one dword counts its offset in dwords, up to 255; from a register, in
// bytes.
static ir_ref scalar_offset(struct selection *s, ir_ref offset) {
    const int32_t n = ir_number(offset);
    const struct format *format = s->c->isa->formats[FMT_SMEM];
    if (!format || format->words > 1) return offset;
    return n % 4 == 0 && n / 4 < 256
               ? ir_immediate(n / 4)
               : selection_move(s, IR_BANK_S, ir_constant_bits(s->f, ir_int(s->c->m, 32), (uint32_t)n, 0));
}

void selection_load(struct selection *s) {
    const struct ir_memory *m = ir_memory_of(s->f, s->i);
    const struct ir_value v = s->f->values.items[s->i->first_result];
    const char *way = v.bank == IR_BANK_S ? "s" : way_of(s, m);
    ir_ref o[6] = {selection_operand(s, 0)};
    unsigned count = 1;
    char id[32];
    snprintf(id, sizeof id, "%s_load_%c%u", way ? way : "flat", m->bytes < 4 ? 'u' : 'b', m->bytes * 8u);
    const struct row *row = compiler_named_row(s->c, id);
    if (!way || !row) {
        selection_refuse(s, "a load of this kind on this processor");
        return;
    }
    if (v.bank == IR_BANK_S)
        o[count++] = scalar_offset(s, selection_operand(s, 1));
    else
        count = add_place(s, way, selection_operand(s, 1), o, count);
    selection_append(s, ir_op_of_row(row), o, count)->memory = s->i->memory;
    selection_map(s, s->i->first_result, (enum ir_bank)v.bank);
}

void selection_store(struct selection *s) {
    const struct ir_memory *m = ir_memory_of(s->f, s->i);
    const char *way = way_of(s, m);
    char id[32];
    snprintf(id, sizeof id, "%s_store_b%u", way ? way : "flat", m->bytes * 8u);
    const struct row *row = compiler_named_row(s->c, id);
    ir_ref data = selection_operand(s, 0);
    const struct ir_value *v = ir_value_of(s->f, data);
    if (!way || !row) {
        selection_refuse(s, "a store of this kind on this processor");
        return;
    }
    if (!v || v->bank != IR_BANK_V) data = selection_move(s, IR_BANK_V, data);
    ir_ref o[6] = {selection_operand(s, 1), data};
    if (*way == 'b') o[0] = data, o[1] = selection_operand(s, 1);
    const unsigned count = add_place(s, way, selection_operand(s, 2), o, 2);
    if (!s->c->status) selection_append(s, ir_op_of_row(row), o, count)->memory = s->i->memory;
}
