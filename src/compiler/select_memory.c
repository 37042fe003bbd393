// SPDX-License-Identifier: MIT
// Accesses to memory to rows: by what they go, how wide, and the operands behind address and data. A part of
// select.c.
#include "compiler/cache.h"
#include "compiler/selection.h"
#include "isa/counters.h"

#include <stdio.h>

// Where an access goes, as rows begin their names: LDS, flat, global, or by a buffer where nothing else is.
static const char *way_of(const struct selection *s, const struct ir_memory *m) {
    const bool flat = has(s->c->processor, CAP_flat_address_space),
               global = compiler_named_row(s->c, "global_load_b32");
    if (m->space == IR_PRIVATE)
        return has(s->c->processor, CAP_architected_flat_scratch) ? "scratch" : "buffer";
    return m->space == IR_LOCAL || m->space == IR_REGION ? "ds"
           : m->space != IR_GENERIC && global            ? "global"
           : flat                                        ? "flat"
           : m->space != IR_GENERIC                      ? "buffer"
                                                         : NULL;
}

// A descriptor of all memory, to which the address is added: one a block.
static ir_ref all_memory(struct selection *s) {
    const ir_ref zero = ir_constant_bits(s->f, ir_int(s->c->m, 32), 0, 0);
    const ir_ref words[] = {zero, zero, zero, ir_constant_bits(s->f, ir_int(s->c->m, 32), 0xf000, 0)};
    if (s->all_memory_block == s->f->blocks.count) return s->all_memory;
    selection_append(s, OP_p_tuple, words, 4);
    s->all_memory = selection_result(s, ir_type_of(s->c->m, IR_BITS, 128, 1), IR_BANK_S);
    s->all_memory_block = s->f->blocks.count;
    return s->all_memory;
}

// Appends the operands that stand behind a vector access's address and data.
static unsigned add_place(struct selection *s, const char *way, const struct ir_memory *m, ir_ref offset,
                          ir_ref *o, unsigned count) {
    if (*way == 'b' && m->space == IR_PRIVATE) {
        o[count++] = ir_make(IR_REGISTER, ir_register(IR_SGPR, 0, 4));
        o[count++] = ir_constant_bits(s->f, ir_int(s->c->m, 32), 0, 0);
    } else if (*way == 'b') {
        o[count++] = all_memory(s);
        o[count++] = ir_constant_bits(s->f, ir_int(s->c->m, 32), 0, 0);
    }
    if (*way == 'g' || !strcmp(way, "scratch")) o[count++] = IR_NOTHING;
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

static ir_ref in_vector(struct selection *s, ir_ref r) {
    const struct ir_value *v = ir_value_of(s->f, r);
    return v && v->bank == IR_BANK_V ? r : selection_move(s, IR_BANK_V, r);
}

// True if an access to LDS that is aligned to its half alone is made of two.
static bool is_double(const struct selection *s, const char *way, const struct ir_memory *m) {
    return *way == 'd' && m->bytes >= 8 && 1u << m->align_log2 < m->bytes && !isa_lds_unaligned(s->c->isa);
}
static ir_ref two_offsets(ir_ref offset, unsigned bytes) {
    const unsigned first = (unsigned)ir_number(offset) / (bytes / 2);
    return ir_immediate((int32_t)(first | (first + 1) << 8));
}

static const struct row *plain_row(struct selection *s, const char *way, const char *what,
                                   bool unsigned_small, const struct ir_memory *m) {
    char id[40];
    const bool twice = is_double(s, way, m);
    snprintf(id, sizeof id, "%s_%s%s_%c%u", way, what, twice ? "_2addr" : "",
             unsigned_small && m->bytes < 4 ? 'u' : 'b', m->bytes * (twice ? 4u : 8u));
    return compiler_named_row(s->c, id);
}

void selection_load(struct selection *s) {
    const struct ir_memory *m = ir_memory_of(s->f, s->i);
    const struct ir_value v = s->f->values.items[s->i->first_result];
    const char *way = v.bank == IR_BANK_S ? "s" : way_of(s, m);
    const struct row *row = way ? plain_row(s, way, "load", true, m) : NULL;
    ir_ref o[6] = {selection_operand(s, 0)};
    unsigned count = 1;
    if (!row) {
        selection_refuse(s, "a load of this kind on this processor");
        return;
    }
    if (v.bank == IR_BANK_S)
        o[count++] = scalar_offset(s, selection_operand(s, 1));
    else {
        if (*way == 'd' || m->space == IR_PRIVATE) o[0] = in_vector(s, o[0]);
        const ir_ref offset = selection_operand(s, 1);
        count = add_place(s, way, m, is_double(s, way, m) ? two_offsets(offset, m->bytes) : offset, o, count);
    }
    if (s->c->status) return;
    selection_append(s, ir_op_of_row(row), o, count)->memory = s->i->memory;
    selection_map(s, s->i->first_result, (enum ir_bank)v.bank);
}

// The halves of a value of 8 or 16 bytes.
static void halves(struct selection *s, ir_ref whole, unsigned bytes, ir_ref out[2]) {
    const uint16_t i32 = ir_int(s->c->m, 32), type = ir_type_of(s->c->m, IR_BITS, bytes * 4, 1);
    for (unsigned h = 0; h < 2; h++) {
        ir_ref dwords[2];
        for (unsigned d = 0; d < bytes / 8; d++) {
            selection_append(s, OP_p_part, (ir_ref[]){whole, ir_immediate((int32_t)(h * bytes / 8 + d))}, 2);
            dwords[d] = selection_result(s, i32, IR_BANK_V);
        }
        out[h] = dwords[0];
        if (bytes == 16) {
            selection_append(s, OP_p_tuple, dwords, 2);
            out[h] = selection_result(s, type, IR_BANK_V);
        }
    }
}

void selection_store(struct selection *s) {
    const struct ir_memory *m = ir_memory_of(s->f, s->i);
    const char *way = way_of(s, m);
    const struct row *row = way ? plain_row(s, way, "store", false, m) : NULL;
    ir_ref o[6], offset = selection_operand(s, 2);
    unsigned count = 0;
    if (!row) {
        selection_refuse(s, "a store of this kind on this processor");
        return;
    }
    const ir_ref data = in_vector(s, selection_operand(s, 0)), at = selection_operand(s, 1);
    if (*way == 'b') o[count++] = data;
    o[count++] = *way == 'd' || m->space == IR_PRIVATE ? in_vector(s, at) : at;
    if (is_double(s, way, m)) {
        halves(s, data, m->bytes, o + count);
        count += 2;
        offset = two_offsets(offset, m->bytes);
    } else if (*way != 'b')
        o[count++] = data;
    count = add_place(s, way, m, offset, o, count);
    if (!s->c->status) selection_append(s, ir_op_of_row(row), o, count)->memory = s->i->memory;
}

// ---- Atomic operations ----

// Expected and new value in one tuple, the new one first.
static ir_ref exchange_pair(struct selection *s, ir_ref expected, ir_ref new_value, unsigned dwords) {
    ir_ref parts[4];
    for (unsigned n = 0; n < 2 * dwords; n++) {
        const ir_ref from = n < dwords ? new_value : expected;
        parts[n] = from;
        if (dwords == 1) continue;
        selection_append(s, OP_p_part, (ir_ref[]){from, ir_immediate((int32_t)(n % dwords))}, 2);
        parts[n] = selection_result(s, ir_int(s->c->m, 32), IR_BANK_V);
    }
    selection_append(s, OP_p_tuple, parts, 2 * dwords);
    return selection_result(s, ir_type_of(s->c->m, IR_BITS, 64 * dwords, 1), IR_BANK_V);
}

// Buffers return the old value in the registers of the new one: these are the access's own, and what is read
// of them behind it is the result.
static ir_ref fresh(struct selection *s, ir_ref whole, unsigned dwords) {
    ir_ref parts[2] = {whole};
    for (unsigned n = 0; n < dwords && dwords > 1; n++) {
        selection_append(s, OP_p_part, (ir_ref[]){whole, ir_immediate((int32_t)n)}, 2);
        parts[n] = selection_result(s, ir_int(s->c->m, 32), IR_BANK_V);
    }
    const uint16_t type = ir_ref_type(s->f, whole);
    selection_append(s, OP_p_tuple, parts, dwords);
    return selection_result(s, type, IR_BANK_V);
}
static void take_back(struct selection *s, ir_ref data, unsigned dwords) {
    ir_ref parts[2];
    if (ir_type_bits(s->c->m, ir_ref_type(s->f, data)) == dwords * 32) {
        selection_append(s, OP_p_copy, &data, 1);
        selection_map(s, s->i->first_result, IR_BANK_V);
        return;
    }
    for (unsigned n = 0; n < dwords; n++) {
        selection_append(s, OP_p_part, (ir_ref[]){data, ir_immediate((int32_t)n)}, 2);
        if (dwords > 1) parts[n] = selection_result(s, ir_int(s->c->m, 32), IR_BANK_V);
    }
    if (dwords > 1) selection_append(s, OP_p_tuple, parts, dwords);
    selection_map(s, s->i->first_result, IR_BANK_V);
}

void selection_atomic(struct selection *s, bool returns) {
    const struct ir_memory *m = ir_memory_of(s->f, s->i);
    const struct ir_type t = *ir_type_at(s->c->m, s->f->values.items[s->i->first_result].type);
    const bool exchange = s->i->op == OP_atomic_cmpxchg;
    const char *way = way_of(s, m);
    const struct row *row = way ? compiler_atomic_row(s->c, s->i->op, &t, way, returns) : NULL;
    ir_ref o[8], data[2];
    unsigned count = 0;
    if (!row) {
        selection_refuse(s, "an atomic operation of this kind on this processor");
        return;
    }
    for (unsigned n = 0; n < (exchange ? 2u : 1u); n++) data[n] = in_vector(s, selection_operand(s, n));
    const ir_ref at = in_vector(s, selection_operand(s, exchange ? 2 : 1));
    if (exchange && *way != 'd')
        data[0] = exchange_pair(s, data[0], data[1], (unsigned)t.bits * t.count / 32);
    if (*way == 'b' && !exchange && returns) data[0] = fresh(s, data[0], (unsigned)t.bits * t.count / 32);
    if (*way == 'b') o[count++] = data[0];
    o[count++] = at;
    if (*way != 'b') o[count++] = data[0];
    if (exchange && *way == 'd') {
        // GFX11 exchanged the two places with the name of the row.
        o[count++] = data[1];
        if (row->atomic == ATOMIC_cmpstore_b32 || row->atomic == ATOMIC_cmpstore_b64)
            o[count - 2] = data[1], o[count - 1] = data[0];
    }
    count = add_place(s, way, m, selection_operand(s, exchange ? 3 : 2), o, count);
    if (s->c->status) return;
    struct ir_memory own = *m;
    if (returns && *way != 'd') own.cache |= CACHE_RETURN;
    selection_append(s, ir_op_of_row(row), o, count)->memory = ir_memory_add(s->f, &own);
    if (*way == 'b' && returns)
        take_back(s, data[0], (unsigned)t.bits * t.count / 32);
    else if (row->dst[0].type != T_NO_OPERAND && (returns || *way == 'd'))
        selection_map(s, s->i->first_result, IR_BANK_V);
}

// ---- Barriers ----

void selection_barrier(struct selection *s) {
    const struct row *row = compiler_named_row(s->c, "s_barrier"),
                     *signal = compiler_named_row(s->c, "s_barrier_signal"),
                     *wait = compiler_named_row(s->c, "s_barrier_wait");
    const ir_ref all = ir_constant_bits(s->f, ir_int(s->c->m, 32), 0xffffffff, 0),
                 number = ir_immediate(0xffff);
    if (row)
        selection_append(s, ir_op_of_row(row), NULL, 0);
    else if (signal && wait) {
        selection_append(s, ir_op_of_row(signal), &all, 1);
        selection_append(s, ir_op_of_row(wait), &number, 1);
    } else
        selection_refuse(s, "a barrier on this processor");
}

// ---- Apertures ----

// Vector instructions cannot read these registers, and scalar ones only both halves at once.
void selection_aperture(struct selection *s) {
    const struct row *row = compiler_named_row(s->c, "s_mov_b64");
    const unsigned which = (unsigned)ir_number(selection_operand(s, 0));
    const ir_ref base = ir_make(IR_REGISTER, ir_register(IR_APERTURE, which > 2 ? 2 : which, 2));
    if (!row || !has(s->c->processor, CAP_aperture_registers)) {
        selection_refuse(s, "the place of an address space on this processor");
        return;
    }
    selection_append(s, ir_op_of_row(row), &base, 1);
    const ir_ref whole = selection_result(s, ir_int(s->c->m, 64), IR_BANK_S);
    selection_append(s, OP_p_part, (ir_ref[]){whole, ir_immediate(which != 2)}, 2);
    selection_map(s, s->i->first_result, IR_BANK_S);
}
