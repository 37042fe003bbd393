// SPDX-License-Identifier: MIT
// Intrinsics that say which lanes execute what: strict.wwm and its kin, set.inactive, init.whole.wave,
// init.exec, and of pixel shaders the lanes that are live. whole.c and lanes.c do what they say.
#include "compiler/legal.h"
#include "compiler/registers.h"

static ir_ref exec_of(const struct legal *g) {
    return ir_make(IR_REGISTER, ir_register(IR_EXEC, 0, g->f->facts.wave / 32));
}
static ir_ref live_of(const struct legal *g) { return ir_make(IR_REGISTER, lanes_live(g->f)); }

static const struct row *sized(struct legal *g, const char *wide, const char *narrow) {
    const struct row *row = compiler_named_row(g->c, g->f->facts.wave == 64 ? wide : narrow);
    if (!row) legal_refuse(g, "code of whole waves on this processor");
    return row;
}

static ir_ref lanes_number(struct legal *g, uint64_t lanes) {
    const unsigned wave = g->f->facts.wave;
    return ir_constant_bits(g->f, wave == 64 ? g->i64 : g->i32, wave == 64 ? lanes : (uint32_t)lanes, 0);
}

// A row of lane masks whose result is a mask.
static ir_ref mask(struct legal *g, const char *wide, const char *narrow, const ir_ref *o, unsigned count) {
    const struct row *row = sized(g, wide, narrow);
    return row ? legal_emit_as(g, ir_op_of_row(row), IR_BANK_M, g->i1, o, count) : IR_NOTHING;
}
// The same into a register, which is its first operand.
static void set(struct legal *g, const char *wide, const char *narrow, const ir_ref *o, unsigned count) {
    const struct row *row = sized(g, wide, narrow);
    if (row) ir_append(g->f, ir_op_of_row(row), o, count)->location = g->i->location;
}
#define MASK(g, id, ...)                                                                                     \
    mask(g, id "_b64", id "_b32", (const ir_ref[]){__VA_ARGS__},                                             \
         sizeof((const ir_ref[]){__VA_ARGS__}) / sizeof(ir_ref))
#define SET(g, id, ...)                                                                                      \
    set(g, id "_b64", id "_b32", (const ir_ref[]){__VA_ARGS__},                                              \
        sizeof((const ir_ref[]){__VA_ARGS__}) / sizeof(ir_ref))

// The operation on each dword of a value, in vector registers.
static void each_dword(struct legal *g, unsigned op, unsigned operands) {
    const struct ir_type t = *legal_type(g, legal_operand(g, 1));
    ir_ref in[2][MOST_PARTS], out[MOST_PARTS], parts[MOST_PARTS];
    unsigned count = 0;
    if (t.bits == 1) {
        legal_refuse(g, "a bit of whole waves");
        return;
    }
    g->bank = IR_BANK_V;
    for (unsigned n = 0; n < operands; n++) count = legal_packed(g, legal_operand(g, n + 1), in[n]);
    for (unsigned d = 0; d < count && !g->c->status; d++) {
        ir_ref o[2];
        for (unsigned n = 0; n < operands; n++) {
            const struct ir_value *v = ir_value_of(g->f, in[n][d]);
            o[n] = v && v->bank == IR_BANK_V ? in[n][d]
                                             : legal_emit_as(g, OP_copy, IR_BANK_V, g->i32, &in[n][d], 1);
        }
        out[d] = legal_emit_as(g, op, IR_BANK_V, g->i32, o, operands);
    }
    if (g->c->status) return;
    legal_unpacked(g, &t, out, parts);
    legal_set_parts(g, parts, legal_dwords(&t) * t.count);
}

// True where any lane of its quad says so.
static void vote(struct legal *g) {
    const ir_ref said = legal_part(g, legal_operand(g, 1), 0);
    const ir_ref active = MASK(g, "s_and", said, exec_of(g));
    const ir_ref voted = MASK(g, "s_wqm", active);
    if (!g->c->status) legal_set_parts(g, &voted, 1);
}

// All lanes go on; the result is those that did before.
static void begin_whole(struct legal *g) {
    if (g->block || !(ir_is_chain(g->f) || g->f->facts.whole)) {
        legal_refuse(g, "a wave that becomes whole here");
        return;
    }
    g->exact = MASK(g, "s_mov", exec_of(g));
    SET(g, "s_mov", exec_of(g), lanes_number(g, ~0ull));
    if (!g->f->facts.whole) g->f->facts.whole = 1;
    if (!g->c->status) legal_set_parts(g, &g->exact, 1);
}

void legal_end_whole(struct legal *g) {
    if (g->f->facts.whole == 2) SET(g, "s_mov", exec_of(g), g->exact);
}

// The shader's lanes as a number.
static void begin_with(struct legal *g) {
    const struct ir_constant *k = ir_constant_of(g->f, legal_operand(g, 1));
    if (!k || g->block || !ir_is_entry(g->f))
        legal_refuse(g, "lanes that are chosen here");
    else
        SET(g, "s_mov", exec_of(g), lanes_number(g, k->low));
}

// The first so many lanes, as seven bits of a scalar say.
static void begin_with_first(struct legal *g) {
    const unsigned wide = g->f->facts.wave == 64, dwords = wide + 1;
    const struct row *row = sized(g, "s_bfm_b64", "s_bfm_b32");
    const struct ir_constant *at = ir_constant_of(g->f, legal_operand(g, 2));
    ir_ref words[2];
    if (!row || !at || g->block || !ir_is_entry(g->f)) {
        legal_refuse(g, "lanes that are chosen here");
        return;
    }
    g->bank = IR_BANK_S;
    const ir_ref input = legal_scalar(g, legal_part(g, legal_operand(g, 1), 0));
    const ir_ref count = DO(and, DO(lshr, input, N((uint32_t)at->low & 31)), N(127));
    const ir_ref some =
        legal_emit_as(g, ir_op_of_row(row), IR_BANK_S, wide ? g->i64 : g->i32, (ir_ref[]){count, N(0)}, 2);
    // The row has no number for all of them.
    const ir_ref all = DO(sub, N(0), DO(lshr, count, N(wide ? 6 : 5)));
    legal_parts_of(g, some, dwords, g->i32, words);
    for (unsigned d = 0; d < dwords; d++) words[d] = DO(or, words[d], all);
    const ir_ref lanes = legal_tuple(g, IR_BANK_S, wide ? g->i64 : g->i32, words, dwords);
    SET(g, "s_mov", exec_of(g), lanes);
}

// ---- Live lanes of a pixel shader ----

void legal_begin_live(struct legal *g) {
    if (!g->f->facts.live) return;
    g->i = &g->old.insts.items[g->old.blocks.items[0].first];
    g->exact = MASK(g, "s_mov", exec_of(g));
    SET(g, "s_mov", live_of(g), exec_of(g));
    SET(g, "s_wqm", exec_of(g), exec_of(g));
}

void legal_live(struct legal *g) {
    const ir_ref live = MASK(g, "s_mov", live_of(g));
    if (!g->c->status) legal_set_parts(g, &live, 1);
}

// Where no lane is there for its quad alone, all of them are live.
static void is_live(struct legal *g, bool at_first) {
    if (!g->f->facts.live)
        legal_set_parts(g, (ir_ref[]){legal_truth(g, true)}, 1);
    else if (at_first)
        legal_set_parts(g, &g->exact, 1);
    else
        legal_live(g);
}

// Lanes for which it does not hold are there for their quads from here on.
static void demote(struct legal *g) {
    const ir_ref holds = legal_part(g, legal_operand(g, 1), 0);
    const struct ir_constant *k = ir_constant_of(g->f, holds);
    if (k && !k->poison && k->low) return;
    const ir_ref gone = k ? exec_of(g) : MASK(g, "s_and_not1", exec_of(g), holds);
    SET(g, "s_and_not1", live_of(g), live_of(g), gone);
}

bool legal_lanes(struct legal *g, const char *name) {
    static const struct {
        char name[24]; // a beginning
        uint16_t op;
        uint8_t operands;
    } rows[] = {{"set.inactive.", OP_p_set_inactive, 2},
                {"strict.wwm.", OP_p_whole, 1},
                {"wwm.", OP_p_whole, 1},
                {"strict.wqm.", OP_p_quads, 1}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        if (strncmp(name, rows[n].name, strlen(rows[n].name))) continue;
        each_dword(g, rows[n].op, rows[n].operands);
        return true;
    }
    if (!strcmp(name, "wqm.vote"))
        vote(g);
    else if (!strcmp(name, "init.whole.wave"))
        begin_whole(g);
    else if (!strcmp(name, "init.exec"))
        begin_with(g);
    else if (!strcmp(name, "init.exec.from.input"))
        begin_with_first(g);
    else if (!strcmp(name, "ps.live") || !strcmp(name, "live.mask"))
        is_live(g, *name == 'p');
    else if (!strcmp(name, "wqm.demote") && g->f->facts.live)
        demote(g);
    else
        return false;
    return true;
}
