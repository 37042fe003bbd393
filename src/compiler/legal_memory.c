// SPDX-License-Identifier: MIT
// Loads and stores piece by piece, as rows take them, and casts between address spaces.
#include "compiler/legal.h"

static unsigned piece(unsigned bytes, bool scalar) {
    if (scalar) return bytes;
    return bytes >= 16 ? 16 : bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes == 2 || bytes == 1 ? bytes : 0;
}

static ir_ref address(struct legal *g, unsigned n, enum ir_bank bank) {
    return legal_tuple(
        g, bank, g->i64,
        (ir_ref[]){legal_part(g, legal_operand(g, n), 0), legal_part(g, legal_operand(g, n), 1)}, 2);
}

void legal_access(struct legal *g, bool store) {
    const struct ir_memory m = *ir_memory_of(g->f, g->i);
    const ir_ref data = store ? legal_operand(g, 0) : ir_make(IR_VALUE, g->i->first_result);
    const struct ir_type t = *legal_type(g, data);
    const unsigned dwords = legal_dwords(&t) * t.count;
    const bool scalar = !store && ir_value_of(g->f, data)->bank == IR_BANK_S;
    ir_ref parts[MOST_PARTS];
    if (m.space != IR_GLOBAL && m.space != IR_CONSTANT_SPACE && m.space != IR_GENERIC)
        legal_refuse(g, "an access to this address space");
    else if (m.order || m.flags & (IR_VOLATILE | IR_NONTEMPORAL | IR_LAST_USE))
        legal_refuse(g, "an ordered, volatile or nontemporal access");
    else if (dwords > MOST_PARTS || (t.count > 1 && t.bits % 32) || (t.bits > 16 && t.bits % 32) ||
             (t.kind != IR_INT && t.bits < 32))
        legal_refuse(g, "an access to memory of this type");
    else if (m.bytes * 8u != (t.bits < 8 ? 8u : t.bits) * t.count)
        legal_refuse(g, "an access whose size is not that of its type");
    if (g->c->status) return;
    const enum ir_bank bank = scalar ? IR_BANK_S : IR_BANK_V;
    const ir_ref at = address(g, store ? 1 : 0, bank);
    const int32_t offset = ir_number(legal_operand(g, store ? 2 : 1));
    for (unsigned done = 0, d = 0, bytes; done < m.bytes && !g->c->status;
         done += bytes, d += (bytes + 3) / 4) {
        struct ir_memory one = m;
        bytes = piece(m.bytes - done, scalar);
        const unsigned words = (bytes + 3) / 4;
        one.bytes = (uint8_t)bytes;
        while (done & ((1u << one.align_log2) - 1)) one.align_log2--;
        const ir_ref where = ir_immediate(offset + (int32_t)done);
        const uint16_t type =
            words == 1 ? legal_dword_type(g, &t) : ir_type_of(g->c->m, IR_BITS, words * 32, 1);
        if (!bytes) {
            legal_refuse(g, "an access to memory of this size");
        } else if (store) {
            for (unsigned w = 0; w < words; w++) parts[w] = legal_part(g, data, d + w);
            ir_append(g->f, OP_store, (ir_ref[]){legal_tuple(g, IR_BANK_V, type, parts, words), at, where}, 3)
                ->location = g->i->location;
            g->f->insts.items[g->f->insts.count - 1].memory = ir_memory_add(g->f, &one);
        } else {
            const ir_ref v = legal_emit_as(g, OP_load, bank, type, (ir_ref[]){at, where}, 2);
            if (!g->c->m->failed) ir_def(g->f, v)->memory = ir_memory_add(g->f, &one);
            legal_parts_of(g, v, words, legal_dword_type(g, &t), parts + d);
        }
    }
    if (!store) legal_set_parts(g, parts, dwords);
}

void legal_space_cast(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const struct ir_memory *m = ir_memory_of(g->f, g->i);
    const unsigned flat = 1u << IR_GENERIC | 1u << IR_GLOBAL | 1u << IR_CONSTANT_SPACE;
    if (!m || !(flat >> m->space & 1) || !(flat >> m->cache & 1))
        legal_refuse(g, "a cast between these address spaces");
    else
        legal_rename(g, bank, t);
}
