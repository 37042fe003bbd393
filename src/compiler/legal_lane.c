// SPDX-License-Identifier: MIT
// What reads other lanes, or masks of lanes: readlane and its kin, ballots, exchanges between neighbours
// (DPP) and between rows of lanes.
#include "compiler/legal.h"

// The mask's bits of active lanes as a number.
static void set_ballot(struct legal *g, ir_ref mask) {
    const struct ir_type t = *legal_type(g, ir_make(IR_VALUE, g->i->first_result));
    const unsigned dwords = g->f->facts.wave / 32;
    const struct row *row = compiler_named_row(g->c, dwords == 2 ? "s_and_b64" : "s_and_b32");
    const ir_ref exec = ir_make(IR_REGISTER, ir_register(IR_EXEC, 0, dwords));
    ir_ref words[MOST_PARTS];
    if (!row) return;
    const ir_ref r = legal_emit_as(g, ir_op_of_row(row), IR_BANK_S, dwords == 2 ? g->i64 : g->i32,
                                   (ir_ref[]){mask, exec}, 2);
    legal_parts_of(g, r, dwords, g->i32, words);
    for (unsigned d = dwords; d < legal_dwords(&t); d++) words[d] = legal_number(g, 0);
    legal_set_parts(g, words, legal_dwords(&t));
}

// llvm.amdgcn.icmp and fcmp: a comparison, by LLVM's number of it, as a ballot.
void legal_ballot(struct legal *g, bool is_float) {
    static const uint16_t integer[] = {OP_eq,  OP_ne,  OP_ugt, OP_uge, OP_ult,
                                       OP_ule, OP_sgt, OP_sge, OP_slt, OP_sle};
    static const uint16_t real[] = {0,       OP_foeq, OP_fogt, OP_foge, OP_folt, OP_fole, OP_fone, OP_ford,
                                    OP_funo, OP_fueq, OP_fugt, OP_fuge, OP_fult, OP_fule, OP_fune, 0};
    enum { ALWAYS = 15 };
    uint32_t k;
    if (!legal_number_in(g, 3, &k)) return;
    const bool known = is_float ? k > 0 && k < 15 : k >= 32 && k <= 41;
    if (is_float && k == ALWAYS) {
        set_ballot(g, legal_truth(g, true));
        return;
    }
    if (!known) { // never, or a number that says nothing
        const unsigned dwords = legal_dwords(legal_type(g, ir_make(IR_VALUE, g->i->first_result)));
        legal_set_parts(g, (ir_ref[]){N(0), N(0)}, dwords < 2 ? dwords : 2);
        return;
    }
    g->bank = IR_BANK_S;
    const struct element a = legal_element(g, legal_operand(g, 1), 0),
                         b = legal_element(g, legal_operand(g, 2), 0);
    if (!g->c->status) set_ballot(g, legal_compare(g, is_float ? real[k] : integer[k - 32], &a, &b));
}

static bool knows_eight(const struct compiler *c) { return c->isa->formats[FMT_DPP8] != NULL; }

// DPP: neighbours' values, by the number that LLVM gives the exchange.
void legal_exchange(struct legal *g, bool has_old) {
    const unsigned first = has_old ? 2 : 1;
    const ir_ref source = legal_operand(g, first);
    const struct ir_type t = *legal_type(g, source);
    const struct row *row = compiler_named_row(g->c, "v_mov_b32");
    ir_ref from[MOST_PARTS], held[MOST_PARTS], out[MOST_PARTS], parts[MOST_PARTS];
    uint32_t k[4];
    if (!g->c->isa->formats[FMT_DPP16]) {
        legal_refuse_name(g);
        return;
    }
    for (unsigned n = 0; n < 4; n++)
        if (!legal_number_in(g, first + 1 + n, &k[n])) return;
    g->bank = IR_BANK_V;
    const unsigned count = legal_packed(g, source, from);
    if (has_old) legal_packed(g, legal_operand(g, 1), held);
    for (unsigned d = 0; d < count && !g->c->status; d++) {
        const ir_ref o[] = {has_old ? held[d] : legal_number(g, 0),
                            from[d],
                            ir_immediate((int32_t)k[0]),
                            ir_immediate((int32_t)k[1]),
                            ir_immediate((int32_t)k[2]),
                            ir_immediate((int32_t)k[3])};
        out[d] = legal_emit_as(g, ir_op_of_row(row), IR_BANK_V, g->i32, o, 6);
        struct ir_inst *i = ir_def(g->f, out[d]);
        if (i) i->modifiers = IR_TIED | IR_DPP;
    }
    legal_unpacked(g, &t, out, parts);
    if (!g->c->status) legal_set_parts(g, parts, legal_dwords(&t) * t.count);
}

// llvm.amdgcn.mov.dpp8: each of eight neighbours gets what one of them has, three bits a lane.
void legal_exchange_eight(struct legal *g) {
    const ir_ref source = legal_operand(g, 1);
    const struct ir_type t = *legal_type(g, source);
    const struct row *row = compiler_named_row(g->c, "v_mov_b32");
    ir_ref from[MOST_PARTS], out[MOST_PARTS], parts[MOST_PARTS];
    uint32_t lanes;
    if (!knows_eight(g->c) || !legal_number_in(g, 2, &lanes)) {
        if (!knows_eight(g->c)) legal_refuse_name(g);
        return;
    }
    g->bank = IR_BANK_V;
    const unsigned count = legal_packed(g, source, from);
    for (unsigned d = 0; d < count && !g->c->status; d++) {
        const ir_ref o[] = {from[d], ir_immediate((int32_t)lanes)};
        out[d] = legal_emit_as(g, ir_op_of_row(row), IR_BANK_V, g->i32, o, 2);
        struct ir_inst *i = ir_def(g->f, out[d]);
        if (i) i->modifiers = IR_DPP;
    }
    legal_unpacked(g, &t, out, parts);
    if (!g->c->status) legal_set_parts(g, parts, legal_dwords(&t) * t.count);
}

// A number as the lanes whose bits are set in it.
static void set_lanes(struct legal *g) {
    const unsigned dwords = g->f->facts.wave / 32;
    const struct row *row = compiler_named_row(g->c, dwords == 2 ? "s_mov_b64" : "s_mov_b32");
    const struct row *one = compiler_named_row(g->c, "s_mov_b32");
    const struct ir_type *t = legal_type(g, legal_operand(g, 0));
    ir_ref words[2] = {N(0), N(0)};
    for (unsigned d = 0; d < dwords && one; d++) {
        if (d < legal_dwords(t)) words[d] = legal_scalar(g, legal_part(g, legal_operand(g, 0), d));
        if (ir_constant_of(g->f, words[d]))
            words[d] = legal_emit_as(g, ir_op_of_row(one), IR_BANK_S, g->i32, &words[d], 1);
    }
    const ir_ref all = legal_tuple(g, IR_BANK_S, dwords == 2 ? g->i64 : g->i32, words, dwords);
    const ir_ref lanes = row ? legal_emit_as(g, ir_op_of_row(row), IR_BANK_M, g->i1, &all, 1) : all;
    if (!g->c->status) legal_set_parts(g, &lanes, 1);
}

void legal_lane(struct legal *g) {
    const struct ir_type t = *legal_type(g, ir_make(IR_VALUE, g->i->first_result));
    const unsigned op = g->i->op;
    ir_ref from[MOST_PARTS], held[MOST_PARTS], out[MOST_PARTS], parts[MOST_PARTS];
    g->bank = IR_BANK_S;
    if (op == OP_inverse_ballot) {
        set_lanes(g);
        return;
    }
    if (op == OP_ballot) {
        set_ballot(g, legal_part(g, legal_operand(g, 0), 0));
        return;
    }
    const unsigned count = legal_packed(g, legal_operand(g, 0), from);
    ir_ref lane =
        op == OP_readfirstlane ? IR_NOTHING : legal_scalar(g, legal_part(g, legal_operand(g, 1), 0));
    if (ir_constant_of(g->f, lane)) lane = DO(and, lane, N(g->f->facts.wave - 1)); // as rows take it
    if (op == OP_writelane) legal_packed(g, legal_operand(g, 2), held);
    const struct row *row =
        compiler_named_row(g->c, op == OP_writelane ? "v_writelane_b32" : "v_readlane_b32");
    for (unsigned d = 0; d < count && !g->c->status; d++) {
        const struct ir_value *v = ir_value_of(g->f, from[d]);
        if (op == OP_writelane) {
            // Where one scalar value is all that an instruction reads, the other one may be in M0.
            const struct ir_value *l = ir_value_of(g->f, lane);
            ir_ref at = lane;
            const struct ir_constant *k = ir_constant_of(g->f, from[d]);
            const bool small = k && (int32_t)k->low >= -16 && (int32_t)k->low <= 64;
            if (l && !small && g->c->isa->scalar_values == 1) {
                legal_fix_m0(g, lane);
                at = ir_make(IR_REGISTER, ir_register(IR_M0, 0, 1));
            }
            out[d] = legal_emit_as(g, ir_op_of_row(row), IR_BANK_V, g->i32,
                                   (ir_ref[]){held[d], legal_scalar(g, from[d]), at}, 3);
            struct ir_inst *i = ir_def(g->f, out[d]);
            if (i) i->modifiers = IR_TIED;
        } else if (!v || v->bank != IR_BANK_V)
            out[d] = from[d]; // the same in all lanes
        else if (op == OP_readfirstlane)
            out[d] = legal_scalar(g, from[d]);
        else
            out[d] = legal_emit_as(g, ir_op_of_row(row), IR_BANK_S, g->i32, (ir_ref[]){from[d], lane}, 2);
    }
    if (g->c->status) return;
    legal_unpacked(g, &t, out, parts);
    legal_set_parts(g, parts, legal_dwords(&t) * t.count);
}

// Rows of lanes change places between two registers: a tuple of both, which the row changes.
void legal_swap_rows(struct legal *g, const char *id) {
    const struct row *row = compiler_named_row(g->c, id);
    uint32_t inactive, bounds;
    ir_ref words[2], parts[2];
    if (!row) {
        legal_refuse_name(g);
        return;
    }
    if (!legal_number_in(g, 3, &inactive) || !legal_number_in(g, 4, &bounds)) return;
    for (unsigned n = 0; n < 2; n++) words[n] = legal_dword(g, legal_operand(g, n + 1), 0);
    const uint16_t type = ir_type_of(g->c->m, IR_BITS, 64, 1);
    const ir_ref both = legal_tuple(g, IR_BANK_V, type, words, 2);
    const ir_ref swapped = legal_emit_as(g, ir_op_of_row(row), IR_BANK_V, type, &both, 1);
    struct ir_inst *i = ir_def(g->f, swapped);
    if (i) {
        i->modifiers = (uint16_t)(IR_TIED | (inactive ? IR_OP_SEL : 0u) | (bounds ? IR_OP_SEL * 2u : 0u));
        i->flags |= IR_CONVERGENT;
    }
    legal_set_parts(g, parts, legal_parts_of(g, swapped, 2, g->i32, parts));
}
