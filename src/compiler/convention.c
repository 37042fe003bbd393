// SPDX-License-Identifier: MIT
// See convention.h. Measured with llc-22: dwords of integers, floats of 32 bits and more, and pointers in
// order; smaller integers a register each; two elements of 16 bits in one register, where there is arithmetic
// on such, else an element in each, floats as f32.
#include "compiler/convention.h"
#include "ir/constraints.h"

// ---- Places ----

static const struct {
    uint8_t input, first, dwords;
} inputs[] = {
    {INPUT_DISPATCH_POINTER, 4, 2}, {INPUT_QUEUE_POINTER, 6, 2}, {INPUT_HIDDEN, 8, 2},
    {INPUT_DISPATCH_ID, 10, 2},     {INPUT_GROUP_X, 12, 1},      {INPUT_GROUP_Y, 13, 1},
    {INPUT_GROUP_Z, 14, 1},         {INPUT_KERNARG, 15, 1}}; // the last: a number by which LDS is found

bool convention_passes_stack(const struct compiler *c) {
    return ir_is_chain(c->f) && !has(c->processor, CAP_architected_flat_scratch);
}

static void begin_other(struct convention_places *p, const struct compiler *c,
                        enum ir_convention convention) {
    enum { GFX_VGPRS = 32, SHADER_VGPRS = 136, SHADER_SGPRS = 44, GFX_SGPRS = 0x3ffffff0 };
    const bool chain = convention >= IR_CHAIN;
    const unsigned chained = has(c->processor, CAP_architected_flat_scratch) ? 64 : CONVENTION_CHAIN_STACK;
    if (convention == IR_GFX)
        *p = (struct convention_places){.vgprs = GFX_VGPRS, .sgprs = GFX_SGPRS, .on_stack = true};
    else
        *p = (struct convention_places){.vgpr = chain ? CONVENTION_CHAIN_VGPR : 0,
                                        .vgprs = chain ? 256 : SHADER_VGPRS,
                                        .sgprs = UINT64_MAX >> (64 - (chain ? chained : SHADER_SGPRS))};
    // There, shaders begin with the address of a buffer.
    if (!chain && convention != IR_GFX && compiler_system(c->m) == SW_OS_MESA3D) p->sgprs &= ~(uint64_t)3;
}

void convention_begin(struct convention_places *p, const struct compiler *c, enum ir_convention convention,
                      uint32_t without) {
    if (convention != IR_OWN) {
        begin_other(p, c, convention);
        return;
    }
    *p = (struct convention_places){
        .vgprs = CONVENTION_ITEM_IDS, .sgprs = (1u << 30) - 1, .on_stack = true, .scalars_go_on = true};
    if (!has(c->processor, CAP_architected_flat_scratch)) p->sgprs &= ~(uint64_t)15; // the stack's descriptor
    for (size_t n = 0; n < sizeof inputs / sizeof *inputs; n++)
        if (!(without >> inputs[n].input & 1))
            p->sgprs &= ~(uint64_t)(((1u << inputs[n].dwords) - 1) << inputs[n].first);
}

uint32_t convention_next(struct convention_places *p, bool scalar, uint32_t *offset) {
    if (scalar && p->sgprs) {
        const unsigned first = (unsigned)__builtin_ctzll(p->sgprs);
        p->sgprs &= p->sgprs - 1;
        return ir_register(IR_SGPR, first, 1);
    }
    if ((!scalar || p->scalars_go_on) && p->vgpr < p->vgprs) return ir_register(IR_VGPR, p->vgpr++, 1);
    *offset = p->stack;
    p->stack += 4;
    return 0;
}

uint32_t convention_memory(struct convention_places *p, uint32_t passed) {
    const uint32_t align = ir_passed_align(passed) < 2 ? 4 : 1u << ir_passed_align(passed);
    const uint32_t at = (p->stack + align - 1) / align * align;
    p->stack = at + (ir_passed_size(passed) + 3) / 4 * 4;
    return at;
}

uint32_t convention_input(const struct compiler *c, enum ir_input input) {
    const bool group = input >= INPUT_GROUP_X && input <= INPUT_GROUP_Z;
    if (input >= INPUT_ITEM_X && input <= INPUT_ITEM_Z) return ir_register(IR_VGPR, CONVENTION_ITEM_IDS, 1);
    if (input == INPUT_KERNARG || (group && has(c->processor, CAP_architected_workgroup_ids))) return 0;
    for (size_t n = 0; n < sizeof inputs / sizeof *inputs; n++)
        if (inputs[n].input == input) return ir_register(IR_SGPR, inputs[n].first, inputs[n].dwords);
    return 0;
}

bool convention_keeps(enum ir_convention convention, bool vector, unsigned number) {
    if (!vector && convention == IR_GFX)
        return (number >= 4 && number < 32) || (number >= 64 && number < 106);
    if (vector) return number >= 40 && number % 16 >= 8;
    return (number >= 34 && number < 40) || (number >= 48 && number < 106 && number % 16 < 8);
}

// Scalar registers that inline assembly of the function names, of those that there are.
static struct convention_set named(const struct compiler *c) {
    struct convention_set all = {{0, 0}};
    for (size_t n = 0; n < c->f->insts.count; n++) {
        const struct ir_inst *i = &c->f->insts.items[n];
        struct constraints k;
        if (i->op != OP_inline_asm) continue;
        compiler_asm_constraints(c, ir_operand(c->f, i, 1), &k);
        for (unsigned w = 0; w < 2; w++) all.bits[w] |= k.sgprs[w];
    }
    for (unsigned r = fact(c->processor, FACT_sgprs); r < CONVENTION_SGPRS; r++)
        all.bits[r / 64] &= ~(1ull << r % 64);
    return all;
}

static void set_bit(struct convention_set *set, unsigned n) { set->bits[n / 64] |= 1ull << n % 64; }
static bool has_bit(const struct convention_set *set, unsigned n) { return set->bits[n / 64] >> n % 64 & 1; }

struct convention_set convention_changes(const struct compiler *c) {
    const struct ir_function *f = c->f;
    const enum ir_convention own = (enum ir_convention)f->facts.convention;
    const struct convention_set text = named(c);
    struct convention_set changed = {{0, 0}};
    for (size_t n = 0; n < f->insts.count && own == IR_GFX; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        for (unsigned o = 1; o < i->operands && i->op == OP_p_call; o += 2) {
            const uint32_t r = ir_index(ir_operand(f, i, o));
            if (ir_register_class_of(r) == IR_SGPR && ir_register_first(r) < CONVENTION_RETURN)
                set_bit(&changed, ir_register_first(r));
        }
    }
    for (unsigned r = 0; r < CONVENTION_SGPRS; r++)
        if (has_bit(&text, r) && convention_keeps(own, false, r) &&
            (r < CONVENTION_RETURN || r > CONVENTION_FRAME))
            set_bit(&changed, r);
    return changed;
}

unsigned convention_count(const struct convention_set *set) {
    return (unsigned)(__builtin_popcountll(set->bits[0]) + __builtin_popcountll(set->bits[1]));
}

unsigned convention_take_first(struct convention_set *set) {
    const unsigned w = set->bits[0] ? 0 : 1;
    if (!set->bits[w]) return 0;
    const unsigned n = (unsigned)__builtin_ctzll(set->bits[w]);
    set->bits[w] &= set->bits[w] - 1;
    return 64 * w + n;
}

bool convention_names_kept(const struct compiler *c) {
    const struct convention_set text = named(c);
    bool any = has_bit(&text, CONVENTION_RETURN) || has_bit(&text, CONVENTION_RETURN + 1);
    for (unsigned r = 0; r < CONVENTION_SGPRS; r++)
        any |= has_bit(&text, r) && convention_keeps((enum ir_convention)c->f->facts.convention, false, r);
    return any;
}

// ---- Values and dwords ----

static ir_ref emit(struct compiler *c, unsigned op, uint16_t type, const ir_ref *operands, unsigned count) {
    return ir_emit(c->f, op, type, operands, count);
}
#define EMIT(c, op, type, ...)                                                                               \
    emit(c, op, type, (const ir_ref[]){__VA_ARGS__}, sizeof((const ir_ref[]){__VA_ARGS__}) / sizeof(ir_ref))

static uint16_t i32(struct compiler *c) { return ir_int(c->m, 32); }
static ir_ref number(struct compiler *c, uint16_t type, uint64_t n) {
    return ir_constant_bits(c->f, type, n, 0);
}

static bool is_small_float(const struct ir_type *t) { return t->kind == IR_F16 || t->kind == IR_BF16; }
static bool is_packed(const struct compiler *c, const struct ir_type *t) {
    return t->bits == 16 && t->count > 1 && compiler_named_row(c, "v_add_f16");
}
static uint16_t element_of(struct compiler *c, const struct ir_type *t) {
    return ir_type_of(c->m, (enum ir_kind)t->kind, t->bits, 1);
}

unsigned convention_dwords(const struct compiler *c, uint16_t type) {
    const struct ir_type *t = ir_type_at(c->m, type);
    if (is_packed(c, t)) return (t->count + 1u) / 2;
    return (t->bits + 31u) / 32 * t->count;
}

// Dwords of a scalar. Upper bits of the last one are undefined, unless they are asked for.
static void scalar_apart(struct compiler *c, ir_ref v, uint32_t passed, ir_ref *out) {
    const struct ir_type *t = ir_type_at(c->m, ir_ref_type(c->f, v));
    const unsigned extend = passed & IR_SIGN_EXTENDED ? OP_sext : OP_zext;
    if (is_small_float(t) && !compiler_named_row(c, "v_add_f16")) {
        v = EMIT(c, OP_fpext, ir_type_of(c->m, IR_F32, 32, 1), v);
        t = ir_type_at(c->m, ir_ref_type(c->f, v));
    }
    const unsigned bits = t->bits, dwords = (bits + 31u) / 32;
    if (t->kind != IR_INT) v = EMIT(c, OP_bitcast, ir_int(c->m, bits), v);
    if (bits % 32) v = EMIT(c, extend, ir_int(c->m, dwords * 32), v);
    const uint16_t whole = ir_int(c->m, dwords * 32);
    for (unsigned d = 0; d < dwords; d++) {
        const ir_ref moved = d ? EMIT(c, OP_lshr, whole, v, number(c, whole, 32 * d)) : v;
        out[d] = dwords > 1 ? EMIT(c, OP_trunc, i32(c), moved) : moved;
    }
}

unsigned convention_take_apart(struct compiler *c, ir_ref value, uint32_t passed, ir_ref *dwords,
                               unsigned room) {
    const uint16_t type = ir_ref_type(c->f, value);
    const struct ir_type t = *ir_type_at(c->m, type);
    const uint16_t one = element_of(c, &t);
    const unsigned count = convention_dwords(c, type), each = count / t.count;
    if (count > room) return 0;
    if (t.count == 1) {
        scalar_apart(c, value, passed, dwords);
        return count;
    }
    for (unsigned n = 0; n < t.count; n++) {
        const ir_ref e = EMIT(c, OP_extract, one, value, number(c, i32(c), n));
        if (!is_packed(c, &t)) {
            scalar_apart(c, e, passed, dwords + n * each);
        } else if (n % 2 == 0) {
            const ir_ref next = n + 1 < t.count ? EMIT(c, OP_extract, one, value, number(c, i32(c), n + 1))
                                                : number(c, one, 0);
            const ir_ref pair = EMIT(c, OP_vector, ir_type_of(c->m, (enum ir_kind)t.kind, 16, 2), e, next);
            dwords[n / 2] = EMIT(c, OP_bitcast, i32(c), pair);
        }
    }
    return count;
}

static ir_ref scalar_together(struct compiler *c, uint16_t type, const ir_ref *d) {
    const struct ir_type t = *ir_type_at(c->m, type);
    const bool widened = is_small_float(&t) && !compiler_named_row(c, "v_add_f16");
    const unsigned bits = widened ? 32 : t.bits, dwords = (bits + 31u) / 32;
    ir_ref v = d[0];
    if (dwords > 1)
        v = EMIT(c, OP_bitcast, ir_int(c->m, dwords * 32),
                 emit(c, OP_vector, ir_type_of(c->m, IR_INT, 32, dwords), d, dwords));
    if (bits % 32) v = EMIT(c, OP_trunc, ir_int(c->m, bits), v);
    if (widened) return EMIT(c, OP_fptrunc, type, EMIT(c, OP_bitcast, ir_type_of(c->m, IR_F32, 32, 1), v));
    return t.kind == IR_INT ? v : EMIT(c, OP_bitcast, type, v);
}

ir_ref convention_put_together(struct compiler *c, uint16_t type, const ir_ref *dwords) {
    enum { MOST = IR_MOST_ELEMENTS };
    const struct ir_type t = *ir_type_at(c->m, type);
    const unsigned count = convention_dwords(c, type), each = count / t.count;
    const uint16_t one = element_of(c, &t);
    ir_ref elements[MOST];
    if (t.count == 1) return scalar_together(c, type, dwords);
    for (unsigned n = 0; n < t.count && n < MOST; n++) {
        if (!is_packed(c, &t)) {
            elements[n] = scalar_together(c, one, dwords + n * each);
        } else {
            const ir_ref pair =
                EMIT(c, OP_bitcast, ir_type_of(c->m, (enum ir_kind)t.kind, 16, 2), dwords[n / 2]);
            elements[n] = EMIT(c, OP_extract, one, pair, number(c, i32(c), n % 2));
        }
    }
    return emit(c, OP_vector, type, elements, t.count);
}
