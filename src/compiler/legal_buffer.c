// SPDX-License-Identifier: MIT
// Loads and stores through buffer descriptors: llvm.amdgcn.{raw,struct}.{buffer,ptr.buffer}.{load,store}. The
// descriptor and the scalar offset are the same in all lanes; others are refused.
#include "compiler/cache.h"
#include "compiler/legal.h"
#include "isa/counters.h"
#include "isa/rules.h"

#include <stdio.h>

struct buffer_access {
    bool store, indexed; // indexed: of an element of a structure
    unsigned first;      // operand with the descriptor
};

static bool parse(const char *name, struct buffer_access *a) {
    *a = (struct buffer_access){.first = 1};
    a->indexed = !strncmp(name, "struct.", 7);
    if (!a->indexed && strncmp(name, "raw.", 4)) return false;
    name += a->indexed ? 7 : 4;
    if (!strncmp(name, "ptr.", 4)) name += 4;
    if (!strncmp(name, "buffer.load.", 12))
        return strncmp(name + 12, "lds", 3) && strncmp(name + 12, "format", 6);
    a->store = !strncmp(name, "buffer.store.", 13) && strncmp(name + 13, "format", 6);
    a->first = 2;
    return a->store;
}

bool legal_is_buffer(const char *name) {
    struct buffer_access a;
    return parse(name, &a);
}

// Dwords that are the same in all lanes.
static bool scalar_words(struct legal *g, ir_ref r, unsigned count, ir_ref *out, const char *what) {
    g->bank = IR_BANK_S;
    for (unsigned d = 0; d < count; d++) {
        out[d] = legal_part(g, r, d);
        const struct ir_value *v = ir_value_of(g->f, out[d]);
        if (v && v->bank != IR_BANK_S) legal_refuse(g, what);
    }
    return !g->c->status;
}

static const struct row *row_of(struct legal *g, const struct buffer_access *a, unsigned bits) {
    char id[32];
    if (bits < 32)
        snprintf(id, sizeof id, "buffer_%s_%c%u", a->store ? "store" : "load", a->store ? 'b' : 'u', bits);
    else
        snprintf(id, sizeof id, "buffer_%s_b%u", a->store ? "store" : "load", bits);
    return bits == 8 || bits == 16 || (bits % 32 == 0 && bits <= 128) ? compiler_named_row(g->c, id) : NULL;
}

// The policy bits that LLVM has in a number. False: they say something that is not known here.
static bool cache_of(const struct legal *g, uint32_t aux, struct ir_memory *m) {
    const bool volatile_ = aux >> 31;
    aux &= 0x7fffffff;
    if (volatile_) m->flags |= IR_VOLATILE;
    if (g->c->isa->sc_bits) { // sc0, nt and sc1 are bits 0, 1 and 4
        m->cache = (uint8_t)((aux & 3) | (aux >> 4 & 1) << 2);
        return !(aux & ~19u);
    }
    if (isa_memory_family(g->c->isa) == MEMORY_GFX12) return !aux;
    m->cache = (uint8_t)(aux & 7);
    return !(aux & ~7u);
}

void legal_buffer(struct legal *g, const char *name) {
    struct buffer_access a;
    ir_ref rsrc[4], soffset[1], words[MOST_PARTS], parts[MOST_PARTS], o[8];
    unsigned count = 0;
    if (!parse(name, &a)) return;
    const ir_ref data = a.store ? legal_operand(g, 1) : ir_make(IR_VALUE, g->i->first_result);
    const struct ir_type t = *legal_type(g, data);
    const unsigned bits = (unsigned)t.bits * t.count, dwords = (bits + 31) / 32;
    const struct row *row = row_of(g, &a, bits);
    const unsigned next = a.first + (a.indexed ? 2 : 1); // the vector offset
    const struct ir_constant *aux = ir_constant_of(g->f, legal_operand(g, next + 2));
    struct ir_memory m = {
        .space = a.indexed ? IR_STRIDED : IR_RESOURCE, .bytes = (uint16_t)(bits / 8), .align_log2 = 2};
    if (!row || !aux || !cache_of(g, (uint32_t)aux->low, &m)) {
        legal_refuse(g, !row ? "a buffer access of this size" : "a cache policy of this kind");
        return;
    }
    if (!scalar_words(g, legal_operand(g, a.first), 4, rsrc, "a buffer descriptor that differs by lane") ||
        !scalar_words(g, legal_operand(g, next + 1), 1, soffset, "a scalar offset that differs by lane"))
        return;
    const struct isa *isa = g->c->isa;
    const struct insn in = {.row = row,
                            .format = isa->formats[isa->codings[isa->row_codings[row - isa_rows]].format]};
    const struct ir_constant *k = ir_constant_of(g->f, soffset[0]);
    const bool small = k && (int32_t)k->low >= -16 && (int32_t)k->low <= 64 &&
                       rule_of_field(isa, &in, F_soffset, 1).allow & ALLOW_CONSTANT;
    if (k && !small) soffset[0] = legal_emit_as(g, OP_copy, IR_BANK_S, g->i32, soffset, 1);
    g->bank = IR_BANK_V;
    if (a.store) {
        legal_packed(g, data, words);
        o[count++] = legal_tuple(g, IR_BANK_V, ir_type_of(g->c->m, IR_BITS, dwords * 32, 1), words, dwords);
    }
    ir_ref at[2] = {legal_part(g, legal_operand(g, a.first + 1), 0), IR_NOTHING};
    if (a.indexed) at[1] = legal_part(g, legal_operand(g, a.first + 2), 0);
    o[count++] = a.indexed ? legal_tuple(g, IR_BANK_V, g->i64, at, 2) : at[0];
    o[count++] = legal_tuple(g, IR_BANK_S, ir_type_of(g->c->m, IR_BITS, 128, 1), rsrc, 4);
    o[count++] = soffset[0];
    o[count++] = ir_immediate(0);
    for (unsigned n = 0; n < count && !g->c->status; n++) { // data and address are in vector registers
        const struct ir_value *v = ir_value_of(g->f, o[n]);
        const bool vector = n < count - 3;
        if (vector && (!v || v->bank != IR_BANK_V))
            o[n] = legal_emit_as(g, OP_copy, IR_BANK_V, ir_ref_type(g->f, o[n]), &o[n], 1);
    }
    if (g->c->status) return;
    struct ir_inst *i = ir_append(g->f, ir_op_of_row(row), o, count);
    i->location = g->i->location;
    i->memory = ir_memory_add(g->f, &m);
    if (a.store) return;
    const ir_ref r = ir_result(g->f, dwords == 1 ? g->i32 : ir_type_of(g->c->m, IR_BITS, dwords * 32, 1));
    struct ir_value *v = ir_value_of(g->f, r);
    if (!v) return;
    v->bank = IR_BANK_V;
    legal_parts_of(g, r, dwords, g->i32, words);
    legal_unpacked(g, &t, words, parts);
    if (!g->c->status) legal_set_parts(g, parts, legal_dwords(&t) * t.count);
}
