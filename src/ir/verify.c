// SPDX-License-Identifier: MIT
// Checks what every stage keeps true: operands exist, values are defined once and before their uses, types
// belong together, blocks end in a terminator. A violation behind a pass is a bug of that pass.
#include "ir/ir.h"

#include <stdio.h>

struct check {
    const struct ir_module *m;
    const struct ir_function *f;
    const char *stage;
    const sw_sink *sink;
    struct ir_graph lanes; // the ways of lanes: along them vector registers live
    bool failed;
};

static void wrong(struct check *c, const struct ir_inst *i, const char *what) {
    if (c->failed) return;
    c->failed = true;
    struct text t = {0};
    if (i) ir_print_inst(&t, c->f, i);
    diag_fail(c->sink, SW_CHECK, NULL, "%s: @%s: %s%s%s", c->stage, c->f ? c->f->name : "", what,
              i ? ": " : "", t.data ? t.data : "");
    text_free(&t);
}

// ---- Operands exist ----

static bool exists(const struct check *c, ir_ref r) {
    const struct ir_function *f = c->f;
    const uint32_t n = ir_index(r);
    switch (ir_kind(r)) {
    case IR_VALUE: return n < f->values.count;
    case IR_CONSTANT: return n < f->constants.count;
    case IR_SYMBOL: return n < c->m->symbols.count;
    case IR_BLOCK: return n < f->blocks.count;
    case IR_REGISTER: return ir_register_class_of(n) < IR_REGISTERS;
    case IR_OBJECT: return false; // stack objects come with the frame
    case IR_IMMEDIATE:
    case IR_NONE:
    case IR_REF_KINDS: break;
    }
    return true;
}

// ---- Types ----

static const struct ir_type *type_of(const struct check *c, ir_ref r) {
    return ir_type_at(c->m, ir_ref_type(c->f, r));
}
static const struct ir_type *operand_type(const struct check *c, const struct ir_inst *i, unsigned n) {
    return type_of(c, ir_operand(c->f, i, n));
}
static bool same(const struct ir_type *a, const struct ir_type *b) {
    return a->kind == b->kind && a->bits == b->bits && a->count == b->count;
}
static bool is_float(const struct ir_type *t) { return t->kind >= IR_F16 && t->kind <= IR_F64; }
static bool is_integer(const struct ir_type *t) { return t->kind == IR_INT; }
static bool is_bit(const struct ir_type *t) { return t->kind == IR_INT && t->bits == 1; }

static bool same_element(const struct ir_type *a, const struct ir_type *b) {
    return a->kind == b->kind && a->bits == b->bits;
}

// Vectors from elements, and elements of vectors.
static bool vector_fits(const struct check *c, const struct ir_inst *i, const struct ir_type *r) {
    const struct ir_type *a = operand_type(c, i, 0), *b = operand_type(c, i, 1);
    bool all = true;
    switch (i->op) {
    case OP_extract: return same_element(a, r) && r->count == 1 && is_integer(b);
    case OP_insert:
        return same(a, r) && same_element(b, r) && b->count == 1 && is_integer(operand_type(c, i, 2));
    case OP_shuffle: return same(a, b) && same_element(a, r) && i->operands == 2 + r->count;
    default:
        for (unsigned n = 0; n < i->operands; n++)
            all &= same_element(operand_type(c, i, n), r) && operand_type(c, i, n)->count == 1;
        return all && i->operands == r->count;
    }
}

// True if the types of an operation with one result belong together.
static bool types_fit(const struct check *c, const struct ir_inst *i) {
    const struct ir_type *r = ir_type_at(c->m, c->f->values.items[i->first_result].type);
    const struct ir_type *a = operand_type(c, i, 0), *b = operand_type(c, i, 1);
    const unsigned bits = (unsigned)r->bits * r->count, from = (unsigned)a->bits * a->count;
    bool all = true;
    for (unsigned n = 0; n < i->operands; n++) all &= same(operand_type(c, i, n), r);
    switch ((enum operation_types)operation_info((enum operation)i->op)->types) {
    case TYPES_INT: return all && is_integer(r);
    case TYPES_SHIFT: return same(a, r) && is_integer(r) && is_integer(b);
    case TYPES_FUNNEL: return same(a, r) && same(b, r) && is_integer(r);
    case TYPES_COMPARE: return is_bit(r) && same(a, b) && is_integer(a) && a->count == r->count;
    case TYPES_CARRY_IN: return same(a, r) && same(b, r) && is_integer(r) && is_bit(operand_type(c, i, 2));
    case TYPES_CARRY_BOTH: return is_bit(r) && same(a, b) && is_integer(a) && is_bit(operand_type(c, i, 2));
    case TYPES_SELECT: return is_bit(a) && same(b, r) && same(operand_type(c, i, 2), r);
    case TYPES_SAME:
        return same(a, r) || ir_is(ir_operand(c->f, i, 0), IR_SYMBOL) ||
               ir_is(ir_operand(c->f, i, 0), IR_REGISTER);
    case TYPES_WIDEN: return is_integer(r) && is_integer(a) && a->bits < r->bits && a->count == r->count;
    case TYPES_NARROW: return is_integer(r) && is_integer(a) && a->bits > r->bits && a->count == r->count;
    case TYPES_BITS: return bits == from;
    case TYPES_HALF: return bits * 2 == from;
    case TYPES_PAIR: return same(a, b) && bits == 2 * from;
    case TYPES_FLOAT:
    case TYPES_FLOAT_ROUND:
    case TYPES_FLOAT_OWN:
    case TYPES_FLOAT_BITS: return all && is_float(r);
    case TYPES_FLOAT_COMPARE: return is_bit(r) && same(a, b) && is_float(a) && a->count == r->count;
    case TYPES_FLOAT_CLASS: return is_bit(r) && is_float(a) && is_integer(b);
    case TYPES_FLOAT_INT: return same(a, r) && is_float(r) && is_integer(b);
    case TYPES_FLOAT_TO_INT: return is_float(a) && is_integer(r) && a->count == r->count;
    case TYPES_INT_TO_FLOAT: return is_integer(a) && is_float(r) && a->count == r->count;
    case TYPES_FLOAT_TO_FLOAT:
    case TYPES_FLOAT_OWN_TO_FLOAT: return is_float(a) && is_float(r) && a->count == r->count;
    case TYPES_FIELD: return same(a, r) && is_integer(r);
    case TYPES_MASK:
    case TYPES_COUNT:
    case TYPES_COMPARE3: return is_integer(r) && is_integer(a);
    case TYPES_LANE: return same(a, r);
    case TYPES_VECTOR: return vector_fits(c, i, r);
    case TYPES_FREE:
    case TYPES_VOID: break;
    }
    return true;
}

// ---- Instructions ----

// The kinds of operand that an operation may have in a place.
static unsigned kinds_allowed(const struct ir_inst *i, unsigned n) {
    const unsigned value = 1u << IR_VALUE | 1u << IR_CONSTANT, block = 1u << IR_BLOCK;
    const bool access = i->op >= OP_load && i->op <= OP_atomic_cmpxchg;
    switch (i->op) {
    case OP_jump: return block;
    case OP_branch: return n ? block : value;
    case OP_switch: return n == 0 ? value : n == 1 || n % 2 ? block : 1u << IR_CONSTANT;
    case OP_phi: return n % 2 ? value : block;
    case OP_copy: return value | 1u << IR_REGISTER | 1u << IR_SYMBOL;
    case OP_chain: return n % 2 || !n ? value | (n ? 0 : 1u << IR_SYMBOL) : 1u << IR_IMMEDIATE;
    case OP_call:
    case OP_call_gfx:
    case OP_tail_call: return n % 2 ? 1u << IR_IMMEDIATE : n ? value : value | 1u << IR_SYMBOL;
    case OP_intrinsic: return n ? value : 1u << IR_SYMBOL;
    case OP_inline_asm: return n > 1 ? value | 1u << IR_REGISTER : 1u << IR_SYMBOL;
    case OP_shuffle: return n < 2 ? value : 1u << IR_IMMEDIATE;
    case OP_aperture:
    case OP_cluster_place:
    case OP_hardware_field: return 1u << IR_IMMEDIATE;
    default: return access && n + 1u == i->operands ? 1u << IR_IMMEDIATE : value;
    }
}

// A place in a buffer: a descriptor, an offset, and perhaps an index, as so many dwords.
static bool is_place(const struct check *c, const struct ir_inst *i) {
    const struct ir_type *r = ir_type_at(c->m, c->f->values.items[i->first_result].type);
    bool fits = (i->operands == 2 || i->operands == 3) && is_integer(r) && r->bits == 32 &&
                r->count == i->operands + 3u;
    for (unsigned n = 0; n < i->operands && fits; n++) {
        const struct ir_type *t = operand_type(c, i, n);
        fits = is_integer(t) && t->count == 1 && t->bits == (n ? 32 : 128);
    }
    return fits;
}

// The place of an access in a buffer is made in front of it: passes change its parts.
static bool has_place(const struct check *c, const struct ir_inst *i, const struct ir_memory *m) {
    const struct ir_inst *place = ir_def(c->f, ir_operand(c->f, i, i->operands - 2u));
    return place && place->op == OP_buffer_place && place->operands == (m->space == IR_STRIDED ? 3 : 2);
}

// An access has an address of as many bits as its address space has.
static bool has_address(const struct check *c, const struct ir_inst *i) {
    const struct ir_memory *m = ir_memory_of(c->f, i);
    const bool access = i->op >= OP_load && i->op <= OP_atomic_cmpxchg;
    if (!access || !m || i->operands < 2) return true;
    if (m->space >= IR_FAT) return has_place(c, i, m);
    const struct ir_type *t = operand_type(c, i, i->operands - 2u);
    const bool small =
        m->space == IR_LOCAL || m->space == IR_PRIVATE || m->space == IR_REGION || m->space == IR_CONSTANT32;
    return (t->kind == IR_INT || t->kind == IR_BITS) && t->count == 1 && t->bits == (small ? 32 : 64);
}

static void check_kinds(struct check *c, const struct ir_inst *i) {
    for (unsigned n = 0; n < i->operands && !c->failed; n++)
        if (!(kinds_allowed(i, n) >> ir_kind(ir_operand(c->f, i, n)) & 1))
            wrong(c, i, "an operand is of the wrong kind");
    if (!c->failed && i->op == OP_branch && !is_bit(operand_type(c, i, 0)))
        wrong(c, i, "a branch asks for one bit");
    if (!c->failed && i->op == OP_switch && (i->operands < 2 || i->operands % 2))
        wrong(c, i, "a switch has pairs of a constant and a block");
    for (unsigned n = 1; n < i->operands && i->op == OP_phi && !c->failed; n += 2)
        if (!same(operand_type(c, i, n), ir_type_at(c->m, c->f->values.items[i->first_result].type)))
            wrong(c, i, "the types do not belong together");
}

static bool address_fits(const struct check *c, const struct ir_inst *i) {
    const struct ir_type *address = operand_type(c, i, i->operands - 2u);
    const struct ir_memory *m = ir_memory_of(c->f, i);
    const unsigned near = 1u << IR_LOCAL | 1u << IR_PRIVATE | 1u << IR_REGION | 1u << IR_CONSTANT32;
    const unsigned far = 1u << IR_GENERIC | 1u << IR_GLOBAL | 1u << IR_CONSTANT_SPACE;
    if (!m || !((near | far) >> m->space & 1)) return true;
    return is_integer(address) && address->count == 1 && address->bits == (near >> m->space & 1 ? 32 : 64);
}

static void check_operation(struct check *c, const struct ir_inst *i) {
    const unsigned wanted = ir_op_operands(i->op);
    if (wanted != OPERATION_ANY && wanted != i->operands)
        wrong(c, i, "the operation has another number of operands");
    if (c->failed || i->op >= OPERATIONS) return;
    check_kinds(c, i);
    if (c->failed) return;
    const bool is_void = operation_info((enum operation)i->op)->types == TYPES_VOID;
    if (is_void != !i->results && !ir_calls(i->op) && i->op != OP_intrinsic && i->op != OP_inline_asm)
        wrong(c, i, is_void ? "the operation has no result" : "the operation has a result");
    if (!c->failed && i->op == OP_buffer_place && !is_place(c, i))
        wrong(c, i, "a place in a buffer has a descriptor, an offset and perhaps an index");
    if (!c->failed && i->results && !types_fit(c, i)) wrong(c, i, "the types do not belong together");
    const bool access = i->op >= OP_load && i->op <= OP_atomic_cmpxchg;
    if (!c->failed && access && !address_fits(c, i)) wrong(c, i, "the address does not fit its space");
    const unsigned memory = OPERATION_READS | OPERATION_WRITES;
    if (!c->failed && i->op >= OP_load && i->op <= OP_fence && !i->memory &&
        (i->op == OP_fence || ir_op_properties(i->op) & memory))
        wrong(c, i, "the memory access says nothing of the memory");
    if (!c->failed && i->op == OP_alloca && !i->memory)
        wrong(c, i, "the memory access says nothing of the memory");
    if (!c->failed && !has_address(c, i)) wrong(c, i, "the address is not one of this address space");
}

static void check_results(struct check *c, uint32_t number, const struct ir_inst *i) {
    for (unsigned r = 0; r < i->results && !c->failed; r++)
        if (i->first_result + r >= c->f->values.count ||
            c->f->values.items[i->first_result + r].def != number)
            wrong(c, i, "a result is not defined here");
}

static bool is_of_lanes(const struct check *c, uint32_t value) {
    return ir_is_of_lanes((enum ir_bank)c->f->values.items[value].bank);
}

static void check_use(struct check *c, uint32_t block, uint32_t number, const struct ir_inst *i, unsigned n) {
    const ir_ref r = ir_operand(c->f, i, n);
    if (!exists(c, r)) {
        wrong(c, i, "an operand does not exist");
        return;
    }
    if (!ir_is(r, IR_VALUE)) return;
    const uint32_t def = c->f->values.items[ir_index(r)].def;
    if (def == IR_ARGUMENT_DEF) return;
    if (def >= c->f->insts.count) {
        wrong(c, i, "an operand is not defined");
        return;
    }
    // A phi uses its operand at the end of the block that stands before it.
    if (i->op == OP_phi) {
        const ir_ref from = n ? ir_operand(c->f, i, n - 1) : IR_NOTHING;
        if (!ir_is(from, IR_BLOCK) || ir_index(from) >= c->f->blocks.count) {
            wrong(c, i, "a phi has pairs of a block and a value");
            return;
        }
        block = ir_index(from);
        number = c->f->blocks.items[block].first + c->f->blocks.items[block].count;
    }
    const struct ir_block *b = &c->f->blocks.items[block];
    if (def >= b->first && def < b->first + b->count) {
        if (def >= number) wrong(c, i, "an operand is defined behind its use");
        return;
    }
    // The block that defines it: blocks are in order of their instructions.
    uint32_t low = 0, high = (uint32_t)c->f->blocks.count;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (c->f->blocks.items[middle].first <= def)
            low = middle;
        else
            high = middle;
    }
    const bool reaches = is_of_lanes(c, ir_index(r)) ? ir_graph_dominates(&c->lanes, low, block)
                                                     : ir_dominates(c->f, low, block);
    if (!reaches) wrong(c, i, "an operand is not defined on every way to its use");
}

static void check_phi(struct check *c, uint32_t block, const struct ir_inst *i) {
    const struct ir_block *b = &c->f->blocks.items[block];
    const bool lanes = is_of_lanes(c, i->first_result);
    if (b->dominator == IR_NO_DEF || (lanes && c->lanes.place[block] == IR_NOWHERE)) return;
    const uint32_t count =
        lanes ? c->lanes.in_first[block + 1] - c->lanes.in_first[block] : b->predecessor_count;
    const uint32_t *from =
        lanes ? c->lanes.in + c->lanes.in_first[block] : c->f->edges.items + b->predecessors;
    bool each = i->operands == 2 * count;
    for (uint32_t e = 0; e < count && each; e++) {
        unsigned found = 0;
        for (unsigned n = 0; n < i->operands; n += 2)
            found += ir_operand(c->f, i, n) == ir_make(IR_BLOCK, from[e]);
        each = found == 1;
    }
    if (!each) wrong(c, i, "a phi has a value for each way in");
}

static void check_block(struct check *c, uint32_t block) {
    const struct ir_block *b = &c->f->blocks.items[block];
    bool ended = false;
    for (uint32_t n = 0; n < b->count && !c->failed; n++) {
        const uint32_t number = b->first + n;
        const struct ir_inst *i = &c->f->insts.items[number];
        check_results(c, number, i);
        for (unsigned k = 0; k < i->operands && !c->failed; k++) check_use(c, block, number, i, k);
        if (!c->failed) check_operation(c, i);
        if (!c->failed && i->op == OP_phi) check_phi(c, block, i);
        if (ended && !ir_is_terminator(i)) wrong(c, i, "an instruction stands behind the block's end");
        ended |= ir_is_terminator(i);
    }
    if (!c->failed && !ended) {
        char what[64];
        snprintf(what, sizeof what, "b%u has no terminator", block);
        wrong(c, NULL, what);
    }
}

static bool blocks_exist(struct check *c) {
    for (size_t n = 0; n < c->f->insts.count; n++)
        for (unsigned k = 0; k < c->f->insts.items[n].operands; k++) {
            const ir_ref r = ir_operand(c->f, &c->f->insts.items[n], k);
            if (ir_is(r, IR_BLOCK) && !exists(c, r))
                wrong(c, NULL, "an operand names a block that does not exist");
        }
    return !c->failed;
}

bool ir_verify(const struct ir_module *m, const char *stage, const sw_sink *sink) {
    struct check c = {.m = m, .stage = stage, .sink = sink};
    for (struct ir_function *f = m->functions; f && !c.failed; f = f->next) {
        c.f = f;
        if (!f->blocks.count) wrong(&c, NULL, "a function has blocks");
        if (c.failed || !blocks_exist(&c)) break;
        const bool made = ir_lane_graphs(f, &c.lanes, NULL, NULL);
        for (uint32_t b = 0; b < f->blocks.count && made && !c.failed; b++) check_block(&c, b);
        ir_graph_free(&c.lanes);
        if (!made) {
            f->module->failed = true;
            return false;
        }
    }
    return !c.failed;
}
