// SPDX-License-Identifier: MIT
// llvm.amdgcn.image.bvh.intersect.ray: a node (of 32 or 64 bits), the ray's extent, its origin, its
// direction, the direction's inverse (both of three floats of 32 or 16 bits), the descriptor. What the
// instruction takes as one address is a tuple, or where parts of an address may have several registers, a
// tuple for each part.
#include "compiler/image.h"
#include "compiler/legal.h"

enum { NODE = 1, EXTENT, ORIGIN, DIRECTION, INVERSE, DESCRIPTOR, ARGUMENTS };
enum { MOST_WORDS = 12, MOST_GROUPS = 5 };

struct ray {
    ir_ref words[MOST_WORDS];
    unsigned count, first[MOST_GROUPS + 1], groups; // where each part begins
};

static void begin_part(struct ray *r) { r->first[r->groups++] = r->count; }

static void put_words(struct legal *g, struct ray *r, unsigned operand) {
    const struct ir_type t = *legal_type(g, legal_operand(g, operand));
    const unsigned count = legal_dwords(&t) * t.count;
    begin_part(r);
    for (unsigned n = 0; n < count && r->count < MOST_WORDS; n++)
        r->words[r->count++] = legal_retype(g, g->i32, legal_part(g, legal_operand(g, operand), n));
}

static ir_ref half(struct legal *g, unsigned operand, unsigned n) {
    return legal_retype(g, g->i32, legal_part(g, legal_operand(g, operand), n));
}

// Direction and inverse of 16 bits, in three dwords: one behind the other, or a dword for each dimension.
static void put_halves(struct legal *g, struct ray *r) {
    ir_ref in[6], out[4];
    begin_part(r);
    for (unsigned n = 0; n < 6; n++) {
        const bool pairs = g->c->isa->partial_nsa;
        const unsigned of = pairs ? n % 2 : n / 3, dimension = pairs ? n / 2 : n % 3;
        in[n] = half(g, of ? INVERSE : DIRECTION, dimension);
    }
    const unsigned count = legal_joined(g, in, 6, out);
    for (unsigned n = 0; n < count && r->count < MOST_WORDS; n++) r->words[r->count++] = out[n];
}

static ir_ref tuple(struct legal *g, enum ir_bank bank, const ir_ref *words, unsigned count) {
    ir_ref in[MOST_WORDS];
    for (unsigned n = 0; n < count; n++) {
        const struct ir_value *v = ir_value_of(g->f, words[n]);
        in[n] = v && v->bank == bank ? words[n] : legal_emit_as(g, OP_copy, bank, g->i32, &words[n], 1);
    }
    return count == 1 ? in[0] : legal_tuple(g, bank, ir_type_of(g->c->m, IR_BITS, count * 32, 1), in, count);
}

static bool is_known(const struct legal *g, bool halves) {
    const struct ir_type *node = legal_type(g, legal_operand(g, NODE));
    for (unsigned n = ORIGIN; n <= INVERSE; n++) {
        const struct ir_type *t = legal_type(g, legal_operand(g, n));
        if (t->count != 3 || t->kind != (n > ORIGIN && halves ? IR_F16 : IR_F32)) return false;
    }
    return node->kind == IR_INT && node->count == 1 && (node->bits == 32 || node->bits == 64);
}

bool legal_ray(struct legal *g, const char *name) {
    static const char begin[] = "image.bvh.intersect.ray.";
    if (strncmp(name, begin, sizeof begin - 1) || g->i->operands != ARGUMENTS || !g->i->results) return false;
    const bool halves = legal_type(g, legal_operand(g, DIRECTION))->kind == IR_F16,
               wide = legal_type(g, legal_operand(g, NODE))->bits == 64;
    const struct row *row =
        compiler_named_row(g->c, wide ? "image_bvh64_intersect_ray" : "image_bvh_intersect_ray");
    struct ray r = {0};
    ir_ref o[MOST_GROUPS + 2], words[4], parts[4];
    if (!row || !is_known(g, halves)) return false;
    g->bank = IR_BANK_V;
    for (unsigned n = NODE; n <= ORIGIN; n++) put_words(g, &r, n);
    for (unsigned n = DIRECTION; n <= INVERSE && !halves; n++) put_words(g, &r, n);
    if (halves) put_halves(g, &r);
    if (!g->c->isa->partial_nsa) r.groups = 1;
    r.first[r.groups] = r.count;
    for (unsigned n = 0; n < r.groups && !g->c->status; n++)
        o[n] = tuple(g, IR_BANK_V, r.words + r.first[n], r.first[n + 1] - r.first[n]);
    for (unsigned n = 0; n < 4; n++)
        words[n] = legal_scalar(g, legal_part(g, legal_operand(g, DESCRIPTOR), n));
    o[r.groups] = tuple(g, IR_BANK_S, words, 4);
    o[r.groups + 1] = ir_immediate(
        (int32_t)(15 * IMAGE_BIT_MASK | (halves ? IMAGE_BIT_A16 : 0u) | r.groups * IMAGE_BIT_ADDRESSES));
    if (g->c->status) return true;
    const struct ir_memory m = {.space = IR_FAT, .align_log2 = 2, .bytes = 16};
    const ir_ref found =
        legal_emit_as(g, ir_op_of_row(row), IR_BANK_V, ir_type_of(g->c->m, IR_BITS, 128, 1), o, r.groups + 2);
    struct ir_inst *i = ir_def(g->f, found);
    if (i) i->memory = ir_memory_add(g->f, &m);
    g->bank = IR_BANK_V;
    legal_parts_of(g, found, 4, g->i32, parts);
    if (!g->c->status) legal_set_parts(g, parts, 4);
    return true;
}
