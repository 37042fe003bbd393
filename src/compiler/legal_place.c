// SPDX-License-Identifier: MIT
// Loads, stores and atomic operations by a place in a buffer (buffer_place), whose descriptor is the same in
// all lanes by now (waterfall.c). An access is taken apart into pieces that lie at multiples of their size,
// up to a dword: a buffer's bounds hold for each dword alone, and old processors drop the low bits of
// addresses.
#include "compiler/cache.h"
#include "compiler/legal_buffer.h"

enum { OFFSET = 4, INDEX, MOST_PLACE };

static bool is_place(unsigned space) { return space >= IR_FAT && space <= IR_STRIDED; }

void legal_place(struct legal *g) {
    ir_ref parts[MOST_PLACE];
    unsigned count = 0;
    for (unsigned d = 0; d < OFFSET; d++) parts[count++] = legal_part(g, legal_operand(g, 0), d);
    for (unsigned n = 1; n < g->i->operands && count < MOST_PLACE; n++)
        parts[count++] = legal_part(g, legal_operand(g, n), 0);
    if (!g->c->status) legal_set_parts(g, parts, count);
}

// Where the access at hand goes: operand `address`, and a number behind it.
static struct legal_buffer begin(struct legal *g, unsigned address) {
    struct legal_buffer b = {.m = *ir_memory_of(g->f, g->i), .data = IR_NOTHING, .index = IR_NOTHING};
    const ir_ref place = legal_operand(g, address);
    legal_descriptor(g, place, b.descriptor);
    b.offset = legal_part(g, place, OFFSET);
    if (b.m.space == IR_STRIDED) b.index = legal_part(g, place, INDEX);
    b.scalar_offset = legal_number(g, 0);
    b.more = (uint32_t)ir_number(legal_operand(g, address + 1));
    return b;
}

static void piece(struct legal *g, bool store, struct legal_buffer b, unsigned done, unsigned bytes,
                  ir_ref *words) {
    const unsigned count = (bytes + 3) / 4, shift = done % 4 * 8, w = done / 4;
    b.row = legal_buffer_row(g, store, bytes);
    b.more += done;
    b.m.bytes = (uint16_t)bytes;
    if (!b.row) {
        legal_refuse(g, "a buffer access of this size");
        return;
    }
    if (store) {
        b.data = legal_tuple(g, IR_BANK_V, ir_type_of(g->c->m, IR_BITS, count * 32, 1), words + w, count);
        if (shift) b.data = EMIT(g, OP_lshr, IR_BANK_V, b.data, legal_number(g, shift));
        legal_put_buffer(g, &b);
        return;
    }
    b.dwords = count;
    legal_put_buffer(g, &b);
    if (g->c->status) return;
    if (bytes >= 4)
        legal_parts_of(g, b.result, count, g->i32, words + w);
    else
        words[w] = shift ? EMIT(g, OP_or, IR_BANK_V, words[w],
                                EMIT(g, OP_shl, IR_BANK_V, b.result, legal_number(g, shift)))
                         : b.result;
}

// ---- Loads whose place is the same in all lanes ----

// The offset of a scalar load: within the instruction, or in a register.
static ir_ref scalar_place(struct legal *g, ir_ref offset, uint32_t more) {
    enum { IN_DWORDS = 256, IN_BYTES = 1 << 20 };
    const struct ir_constant *k = ir_constant_of(g->f, offset);
    const struct format *format = g->c->isa->formats[FMT_SMEM];
    const uint32_t n = k ? (uint32_t)k->low + more : 0;
    const bool in_dwords = format && format->words == 1;
    if (k && in_dwords && n % 4 == 0 && n / 4 < IN_DWORDS) return ir_immediate((int32_t)(n / 4));
    if (k && !in_dwords && n < IN_BYTES) return ir_immediate((int32_t)n);
    const ir_ref sum = k      ? legal_number(g, n)
                       : more ? EMIT(g, OP_add, IR_BANK_S, offset, legal_number(g, more))
                              : offset;
    return k ? legal_emit_as(g, OP_copy, IR_BANK_S, g->i32, &sum, 1) : legal_scalar(g, sum);
}

static void load_scalar(struct legal *g, const struct ir_type *t) {
    struct legal_buffer b = begin(g, 0);
    const unsigned dwords = b.m.bytes == 12 ? 4 : (b.m.bytes + 3u) / 4;
    const struct row *row = compiler_scalar_buffer_row(g->c, b.m.bytes);
    ir_ref words[MOST_PARTS];
    if (!row || !legal_cache(g, row, b.m.cache, &b.m)) {
        legal_refuse(g, row ? "a cache policy of this kind" : "a scalar load of this size from a buffer");
        return;
    }
    const ir_ref o[] = {legal_tuple(g, IR_BANK_S, ir_type_of(g->c->m, IR_BITS, 128, 1), b.descriptor, 4),
                        scalar_place(g, b.offset, b.more)};
    struct ir_inst *i = ir_append(g->f, ir_op_of_row(row), o, 2);
    i->location = g->i->location;
    i->memory = ir_memory_add(g->f, &b.m);
    const ir_ref r = ir_result(g->f, dwords == 1 ? g->i32 : ir_type_of(g->c->m, IR_BITS, dwords * 32, 1));
    struct ir_value *v = ir_value_of(g->f, r);
    if (!v) return;
    v->bank = IR_BANK_S;
    legal_parts_of(g, r, dwords, g->i32, words);
    legal_set_words(g, IR_BANK_S, t, words);
}

// ---- Operations ----

bool legal_place_access(struct legal *g, bool store) {
    const ir_ref data = store ? legal_operand(g, 0) : ir_make(IR_VALUE, g->i->first_result);
    const struct ir_type t = *legal_type(g, data);
    ir_ref words[MOST_PARTS];
    if (!is_place(ir_memory_of(g->f, g->i)->space)) return false;
    if (!store && ir_value_of(g->f, data)->bank == IR_BANK_S) {
        load_scalar(g, &t);
        return true;
    }
    const struct legal_buffer b = begin(g, store ? 1 : 0);
    struct legal_buffer one = b;
    if (b.m.space == IR_RESOURCE) {
        const struct row *row = legal_buffer_row(g, false, 4);
        if (!row || !legal_cache(g, row, b.m.cache, &one.m)) legal_refuse(g, "a cache policy of this kind");
    }
    if (store) legal_words_of(g, data, words);
    for (unsigned done = 0, bytes; done < b.m.bytes && !g->c->status; done += bytes) {
        unsigned align = b.m.align_log2;
        while (done & ((1u << align) - 1)) align--;
        bytes = legal_buffer_piece(g, b.m.bytes - done, align);
        if (b.m.order && bytes != b.m.bytes)
            legal_refuse(g, "an atomic access of this size");
        else
            piece(g, store, one, done, bytes, words);
    }
    if (!store && !g->c->status) legal_set_words(g, IR_BANK_V, &t, words);
    return true;
}

ir_ref legal_exchange_pair(struct legal *g, ir_ref expected, ir_ref wanted) {
    ir_ref words[MOST_PARTS];
    const unsigned count = legal_words_of(g, wanted, words);
    legal_words_of(g, expected, words + count);
    return g->c->status
               ? IR_NOTHING
               : legal_tuple(g, IR_BANK_V, ir_type_of(g->c->m, IR_BITS, count * 64, 1), words, 2 * count);
}

bool legal_place_atomic(struct legal *g) {
    const bool exchange = g->i->op == OP_atomic_cmpxchg, returns = legal_is_used(g);
    const struct ir_type t = *legal_type(g, ir_make(IR_VALUE, g->i->first_result));
    const unsigned bits = (unsigned)t.bits * t.count;
    ir_ref words[MOST_PARTS];
    if (!is_place(ir_memory_of(g->f, g->i)->space)) return false;
    struct legal_buffer b = begin(g, exchange ? 2 : 1);
    b.row = bits == 32 || bits == 64 ? compiler_atomic_row(g->c, g->i->op, &t, "buffer", returns) : NULL;
    if (!b.row) {
        legal_refuse(g, "an atomic operation of this kind on a buffer on this processor");
        return true;
    }
    if (exchange)
        b.data = legal_exchange_pair(g, legal_operand(g, 0), legal_operand(g, 1));
    else {
        const unsigned count = legal_words_of(g, legal_operand(g, 0), words);
        if (!g->c->status)
            b.data = legal_tuple(g, IR_BANK_V, ir_type_of(g->c->m, IR_BITS, count * 32, 1), words, count);
    }
    b.returns = b.held = returns;
    b.dwords = returns ? bits / 32 * (exchange ? 2 : 1) : 0;
    if (g->c->status) return true;
    legal_put_buffer(g, &b);
    for (unsigned d = 0; d < bits / 32 && !returns; d++) words[d] = legal_number(g, 0);
    if (returns && !g->c->status) legal_parts_of(g, b.result, b.dwords, g->i32, words);
    if (!g->c->status) legal_set_words(g, IR_BANK_V, &t, words);
    return true;
}
