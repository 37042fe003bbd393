// SPDX-License-Identifier: MIT
// Whole quads of lanes in pixel shaders: samples that take their level of detail from neighbours, and
// llvm.amdgcn.wqm, want the other lanes of a quad to compute as well. The shader begins with all lanes of its
// quads and goes on with its own ones behind the last such instruction. That is so where all of them stand in
// the first block and nothing in front of them can tell that lanes are there which should not: no store, no
// atomic operation, no export, nothing that reads which lanes there are. Elsewhere all lanes go on
// (facts.live): ends.c says until where, legal_whole.c begins with them, lanes.c leaves them out of what
// others can see.
#include "compiler/legal.h"

static const char *name_of(const struct legal *g, const struct ir_inst *i) {
    static const char before[] = "llvm.amdgcn.";
    const ir_ref symbol =
        i->op == OP_intrinsic && i->operands ? g->old.operands.items[i->first_operand] : IR_NOTHING;
    if (!ir_is(symbol, IR_SYMBOL)) return "";
    const char *name = g->c->m->symbols.items[ir_index(symbol)].name;
    return strncmp(name, before, sizeof before - 1) ? "" : name + sizeof before - 1;
}

static bool begins(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

bool legal_wants_quads(const char *name) {
    if (begins(name, "lds.param.load") || begins(name, "lds.direct.load")) return true;
    return begins(name, "wqm.") ? !begins(name, "wqm.vote") && !begins(name, "wqm.demote")
                                : legal_is_sloped(name);
}
static bool wants_quads(const struct legal *g, const struct ir_inst *i) {
    return legal_wants_quads(name_of(g, i));
}

bool legal_is_quiet(unsigned op, const char *name) {
    static const char *const quiet[] = {"image.load",
                                        "image.sample",
                                        "image.gather4",
                                        "image.get",
                                        "image.msaa",
                                        "wqm.",
                                        "softwqm.",
                                        "update.dpp.",
                                        "mov.dpp.",
                                        "ds.swizzle",
                                        "rcp",
                                        "rsq",
                                        "raw.buffer.load",
                                        "raw.ptr.buffer.load",
                                        "cvt.",
                                        "cube",
                                        "lds.param.load",
                                        "lds.direct.load",
                                        "interp."};
    if (op >= OPERATIONS || op == OP_inline_asm) return false;
    if (op != OP_intrinsic)
        return !(ir_op_properties(op) & (OPERATION_EFFECT | OPERATION_WRITES | OPERATION_CONVERGENT));
    if (begins(name, "wqm.demote")) return false;
    for (size_t n = 0; n < sizeof quiet / sizeof *quiet; n++)
        if (begins(name, quiet[n])) return true;
    return false;
}

static const struct row *of_wave(const struct legal *g, const char *wide, const char *narrow) {
    return compiler_named_row(g->c, g->f->facts.wave == 64 ? wide : narrow);
}
static ir_ref exec_of(const struct legal *g) {
    return ir_make(IR_REGISTER, ir_register(IR_EXEC, 0, g->f->facts.wave / 32));
}

void legal_find_quads(struct legal *g) {
    uint32_t last = IR_NO_DEF;
    if (g->f->facts.convention != IR_PIXEL_SHADER || g->f->facts.live) return;
    const struct ir_block *first = &g->old.blocks.items[0];
    for (uint32_t n = 0; n < g->old.insts.count; n++) {
        if (!wants_quads(g, &g->old.insts.items[n])) continue;
        if (n < first->first || n >= first->first + first->count) return;
        if (last == IR_NO_DEF || n > last) last = n;
    }
    if (last == IR_NO_DEF) return;
    for (uint32_t n = first->first; n < last; n++)
        if (!legal_is_quiet(g->old.insts.items[n].op, name_of(g, &g->old.insts.items[n]))) return;
    g->quads = last + 1;
}

void legal_begin_quads(struct legal *g) {
    const struct row *move = of_wave(g, "s_mov_b64", "s_mov_b32"),
                     *whole = of_wave(g, "s_wqm_b64", "s_wqm_b32");
    const ir_ref exec = exec_of(g);
    if (!g->quads || !move || !whole) return;
    g->i = &g->old.insts.items[g->old.blocks.items[0].first];
    g->exact =
        legal_emit_as(g, ir_op_of_row(move), IR_BANK_S, g->f->facts.wave == 64 ? g->i64 : g->i32, &exec, 1);
    ir_append(g->f, ir_op_of_row(whole), (ir_ref[]){exec, exec}, 2);
}

void legal_end_quads(struct legal *g) {
    const struct row *move = of_wave(g, "s_mov_b64", "s_mov_b32");
    if (!g->quads || &g->old.insts.items[g->quads - 1] != g->i || !move) return;
    ir_append(g->f, ir_op_of_row(move), (ir_ref[]){exec_of(g), g->exact}, 2)->location = g->i->location;
}

// llvm.amdgcn.wqm and softwqm: the value, which is computed in whole quads (softwqm: if others are).
bool legal_quads(struct legal *g, const char *name) {
    const bool soft = begins(name, "softwqm.");
    if (!soft && !wants_quads(g, g->i)) return false;
    const ir_ref from = legal_operand(g, 1);
    const struct ir_type t = *legal_type(g, from);
    ir_ref parts[MOST_PARTS];
    if (t.bits == 1) return false;
    if (!soft && !g->quads && !g->f->facts.live && g->f->facts.convention == IR_PIXEL_SHADER) {
        legal_refuse_quads(g);
        return true;
    }
    const unsigned count = legal_dwords(&t) * t.count;
    for (unsigned n = 0; n < count && n < MOST_PARTS; n++) {
        const ir_ref part = legal_part(g, from, n);
        parts[n] = legal_emit_as(g, OP_copy, IR_BANK_V, ir_ref_type(g->f, part), &part, 1);
    }
    if (!g->c->status) legal_set_parts(g, parts, count);
    return true;
}

void legal_refuse_quads(struct legal *g) {
    legal_refuse(g, "a pixel shader that wants whole quads of lanes here");
}
