// SPDX-License-Identifier: MIT
// Descriptors of images and samplers, and descriptors and scalar offsets of buffers, that differ by lane:
// their accesses become loops over the distinct ones. A round takes those of the first lane that is left;
// lanes that have the same do the access, and are done. Requires: blocks. Leaves: blocks; operands of buffers
// that scalar registers hold are the same in all lanes.
#include "compiler/divergence.h"
#include "compiler/image.h"
#include "compiler/place.h"

enum { MOST = 2 }; // operands of one instruction
struct waterfall {
    struct lanes *lanes;
    bool *wanted; // by instruction
    bool *used;   // by value
};

static const char *intrinsic_name(const struct compiler *c, const struct ir_inst *i, ir_ref symbol) {
    static const char before[] = "llvm.amdgcn.";
    if (i->op != OP_intrinsic || !ir_is(symbol, IR_SYMBOL)) return "";
    const char *name = c->m->symbols.items[ir_index(symbol)].name;
    return strncmp(name, before, sizeof before - 1) ? "" : name + sizeof before - 1;
}

// The operand of an access that is its place in a buffer; operands: none.
static unsigned place_operand(const struct compiler *c, const struct ir_inst *i) {
    const struct ir_memory *m = ir_memory_of(c->f, i);
    const bool access = i->op >= OP_load && i->op <= OP_atomic_cmpxchg;
    return access && m && m->space >= IR_FAT ? i->operands - 2u : i->operands;
}

// The operands of an intrinsic that have to be the same in all lanes; false: there are none such.
static bool scalar_operands(const struct compiler *c, const struct ir_inst *i, const ir_ref symbol,
                            unsigned operands[MOST]) {
    const char *name = intrinsic_name(c, i, symbol);
    if (!compiler_image_operands(name, i->operands, &operands[0], &operands[1]))
        return compiler_buffer_operands(name, &operands[0], &operands[1]);
    if (!operands[1]) operands[1] = i->operands; // no sampler
    return true;
}

static bool differs(const struct lanes *l, const struct ir_inst *i) {
    unsigned operands[MOST];
    const unsigned place = place_operand(l->c, i);
    if (place < i->operands) {
        const struct ir_inst *of = ir_def(l->f, ir_operand(l->f, i, place));
        return of && !compiler_is_uniform(l, of, 0);
    }
    if (!i->operands || !scalar_operands(l->c, i, ir_operand(l->f, i, 0), operands)) return false;
    for (unsigned n = 0; n < MOST; n++)
        if (operands[n] < i->operands && !compiler_is_uniform(l, i, operands[n])) return true;
    return false;
}

// While looking whether there are any, the instruction is still the function's own.
static bool wanted(struct split *s) {
    const struct waterfall *w = s->own;
    const struct ir_inst *first = s->old.insts.items ? s->old.insts.items : s->f->insts.items;
    return w->wanted[s->i - first];
}

// Replaces an operand by that of the first lane. Returns for which lanes it is the same, dword by dword: of
// descriptors some are often numbers.
static ir_ref take_first(struct split *s, ir_ref *operand) {
    const uint16_t i1 = ir_int(s->c->m, 1), i32 = ir_int(s->c->m, 32), type = ir_ref_type(s->f, *operand);
    const unsigned dwords = ir_type_bits(s->c->m, type) / 32;
    const uint16_t words = ir_type_of(s->c->m, IR_INT, 32, dwords);
    const ir_ref own = type == words ? *operand : SPLIT_EMIT(s, OP_bitcast, words, *operand);
    const ir_ref first = SPLIT_EMIT(s, OP_readfirstlane, words, own);
    s->f->insts.items[s->f->insts.count - 1].flags |= IR_CONVERGENT;
    *operand = type == words ? first : SPLIT_EMIT(s, OP_bitcast, type, first);
    const ir_ref same = SPLIT_EMIT(s, OP_eq, ir_type_of(s->c->m, IR_INT, 1, dwords), first, own);
    ir_ref all = same;
    for (unsigned n = 0; n < dwords && dwords > 1; n++) {
        const ir_ref one = SPLIT_EMIT(s, OP_extract, i1, same, ir_constant_bits(s->f, i32, n, 0));
        all = n ? SPLIT_EMIT(s, OP_and, i1, all, one) : one;
    }
    return all;
}

// The operands for a round. Returns for which lanes they hold.
static ir_ref round_operands(struct split *s, ir_ref *o, ir_ref parts[3]) {
    unsigned operands[MOST];
    const struct ir_inst *place = NULL;
    const unsigned at = place_operand(s->c, s->i);
    if (at < s->i->operands) {
        place = ir_def(s->f, o[at]);
        for (unsigned n = 0; n < 3; n++) parts[n] = ir_operand(s->f, place, n);
        return take_first(s, &parts[0]);
    }
    scalar_operands(s->c, s->i, o[0], operands);
    ir_ref same = IR_NOTHING;
    for (unsigned n = 0; n < MOST; n++) {
        if (operands[n] >= s->i->operands || ir_constant_of(s->f, o[operands[n]])) continue;
        const ir_ref one = take_first(s, &o[operands[n]]);
        same = ir_is(same, IR_NONE) ? one : SPLIT_EMIT(s, OP_and, ir_int(s->c->m, 1), same, one);
    }
    return same;
}

static void expand(struct split *s) {
    enum { MOST_OPERANDS = 32 };
    ir_ref o[MOST_OPERANDS], parts[3], result = IR_NOTHING;
    const uint32_t head = split_here(s) + 1, body = head + 1, tail = head + 2, done = head + 3;
    const unsigned at = place_operand(s->c, s->i);
    for (unsigned n = 0; n < s->i->operands && n < MOST_OPERANDS; n++) o[n] = split_operand(s, n);
    split_jump(s, head);
    ir_block_add(s->f);
    const ir_ref same = round_operands(s, o, parts);
    split_branch(s, same, body, tail);
    ir_block_add(s->f);
    if (at < s->i->operands) {
        const uint16_t type = ir_ref_type(s->f, o[at]);
        o[at] = split_emit(s, OP_buffer_place, type, parts, ir_type_at(s->c->m, type)->count - 3u);
    }
    struct ir_inst *now = ir_append(s->f, s->i->op, o, s->i->operands);
    now->location = s->i->location;
    now->memory = s->i->memory;
    now->flags = s->i->flags;
    if (s->i->results) result = ir_result(s->f, s->f->values.items[s->i->first_result].type);
    split_jump(s, tail);
    ir_block_add(s->f);
    if (s->i->results && ((const struct waterfall *)s->own)->used[s->i->first_result]) {
        const ir_ref none = ir_poison(s->f, ir_ref_type(s->f, result));
        ir_append(s->f, OP_phi, (ir_ref[]){split_block(head), none, split_block(body), result}, 4);
        ir_define(s->f, s->i->first_result);
    }
    split_branch(s, same, done, head);
    ir_block_add(s->f);
}

static bool is_candidate(const struct compiler *c, const struct ir_inst *i) {
    unsigned operands[MOST];
    return place_operand(c, i) < i->operands ||
           (i->operands && scalar_operands(c, i, ir_operand(c->f, i, 0), operands));
}

void compiler_waterfall(struct compiler *c) {
    struct lanes lanes = {.c = c, .f = c->f};
    struct waterfall w = {.lanes = &lanes};
    bool any = false;
    for (size_t n = 0; n < c->f->insts.count && !any; n++) any = is_candidate(c, &c->f->insts.items[n]);
    if (!any) return;
    compiler_find_lanes(&lanes);
    w.wanted = calloc(c->f->insts.count + 1, 1);
    w.used = calloc(c->f->values.count + 1, 1);
    if (!w.wanted || !w.used) compiler_no_memory(c);
    for (size_t n = 0; n < c->f->operands.count && !c->status; n++)
        if (ir_is(c->f->operands.items[n], IR_VALUE)) w.used[ir_index(c->f->operands.items[n])] = true;
    any = false;
    for (size_t n = 0; n < c->f->insts.count && !c->status; n++)
        any |= w.wanted[n] = differs(&lanes, &c->f->insts.items[n]);
    compiler_forget_lanes(&lanes);
    if (any && !c->status) {
        compiler_split(c, &w, wanted, expand);
        if (!c->status) compiler_blocks(c);
    }
    free(w.wanted);
    free(w.used);
}
