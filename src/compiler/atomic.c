// SPDX-License-Identifier: MIT
// Atomic operations that no row computes become loops of compare and exchange: the new value is computed of
// the one that memory held, and written if memory still holds that. Those of 8 and 16 bits are done on the
// dword around them. Plain bits stand for floats there. Requires: abi. Leaves: atomic operations that rows
// compute.
#include "compiler/place.h"
#include "isa/counters.h"

#include <stdio.h>

// ---- What rows compute ----

enum element { INT, F32, F64, HALVES, BF16S, OTHER };
enum { REMOTE = 1, FLOAT = 2, RETURN = 4 };
static const struct native {
    uint16_t op;
    uint8_t element;
    const char *name, *lds, *kind;
    uint8_t limits;
} natives[] = {
#define NATIVE(operation, element, name, lds, kind, limits)                                                  \
    {OP_atomic_##operation, element, name, lds, kind, limits},
#include "compiler/atomics_native.def"
};
enum { NATIVES = sizeof natives / sizeof *natives };

static enum element element_of(const struct ir_type *t) {
    if (t->count == 2 && t->bits == 16)
        return t->kind == IR_F16 ? HALVES : t->kind == IR_BF16 ? BF16S : OTHER;
    if (t->count != 1) return OTHER;
    return (t->kind == IR_INT || t->kind == IR_BITS) && (t->bits == 32 || t->bits == 64) ? INT
           : t->kind == IR_F32                                                           ? F32
           : t->kind == IR_F64                                                           ? F64
                                                                                         : OTHER;
}

static const struct row *row_of(const struct compiler *c, const struct native *n, const struct ir_type *t,
                                const char *way, bool returns) {
    char id[64], kind[8];
    if (*way == 'd' ? !n->lds : !n->name) return NULL;
    snprintf(kind, sizeof kind, n->kind[1] ? "%s" : "%s%u", n->kind, (unsigned)t->bits * t->count);
    if (*way != 'd')
        snprintf(id, sizeof id, "%s_atomic_%s_%s", way, n->name, kind);
    else
        snprintf(id, sizeof id, "ds_%s%s_%s", n->lds, returns ? "_rtn" : "", kind);
    const struct row *row = compiler_named_row(c, id);
    if (row || *way != 'd' || returns) return row;
    snprintf(id, sizeof id, "ds_%s_rtn_%s", n->lds, kind); // an exchange returns the old value always
    return compiler_named_row(c, id);
}

// True if the processor's row returns the old value: the first additions of floats in memory did not.
static bool can_return(const struct compiler *c, const struct native *n, const char *way) {
    if (*way == 'd' || n->op != OP_atomic_fadd) return true;
    return n->element == F32      ? has(c->processor, CAP_atomic_fadd_rtn)
           : n->element == HALVES ? has(c->processor, CAP_atomic_pk_add_f16_rtn)
                                  : true;
}

const struct row *compiler_atomic_row(const struct compiler *c, unsigned op, const struct ir_type *t,
                                      const char *way, bool returns) {
    const enum element e = element_of(t);
    for (size_t n = 0; n < NATIVES && e != OTHER; n++) {
        if (natives[n].op != op || natives[n].element != e || (returns && !can_return(c, &natives[n], way)))
            continue;
        if (natives[n].limits & RETURN && !returns) continue;
        const struct row *row = row_of(c, &natives[n], t, way, returns);
        if (row) return row;
    }
    return NULL;
}

// ---- The pass ----

static const char *way_of(const struct compiler *c, const struct ir_memory *m) {
    return m->space == IR_LOCAL || m->space == IR_REGION                        ? "ds"
           : place_is_in_buffer(m->space)                                       ? "buffer"
           : m->space != IR_GENERIC && compiler_named_row(c, "global_load_b32") ? "global"
           : has(c->processor, CAP_flat_address_space)                          ? "flat"
                                                                                : "buffer";
}

// True if additions of 32-bit floats in memory flush denormals whatever MODE says: on the first processors
// that have packed ones.
static bool flushes(const struct compiler *c) {
    return compiler_named_row(c, "global_atomic_pk_add_f16") &&
           !compiler_named_row(c, "global_atomic_pk_add_bf16");
}

// Whether a row computes it in this memory.
static bool is_native(const struct split *l, const struct ir_type *t, const struct ir_memory *m) {
    const bool returns = ((const uint32_t *)l->own)[l->i->first_result];
    const char *way = way_of(l->c, m);
    const bool coherent = compiler_named_row(l->c, "global_atomic_pk_add_bf16") != NULL;
    // Where links between devices have no such operations, gfx1250 does them otherwise.
    const bool reaches_all = isa_memory_family(l->c->isa) == MEMORY_GFX125;
    if (!compiler_atomic_row(l->c, l->i->op, t, way, returns)) return false;
    if (m->space == IR_LOCAL || m->space == IR_REGION) return true;
    for (size_t n = 0; n < NATIVES; n++) {
        if (natives[n].op != l->i->op || natives[n].element != element_of(t)) continue;
        // Memory of another device, or of the host, is fine-grained.
        if (natives[n].limits & REMOTE && !reaches_all && m->scope == IR_SYSTEM &&
            !(m->flags & (IR_NO_REMOTE | IR_NO_FINE)))
            return false;
        // Of generic memory part may be LDS, whose additions of floats are other instructions on old
        // processors.
        if (natives[n].limits & FLOAT && !coherent && (!(m->flags & IR_NO_FINE) || m->space == IR_GENERIC))
            return false;
        if (flushes(l->c) && l->i->op == OP_atomic_fadd && element_of(t) == F32 && l->f->facts.denormal32 &&
            !(m->flags & IR_ANY_DENORMALS))
            return false;
        return true;
    }
    return false;
}

static void refuse(struct split *l, const char *what) {
    struct ir_inst copy = *l->i;
    copy.operands = 0; // they are the old function's
    compiler_refuse(l->c, &copy, what);
}

// The new value of the old one, in the operation's own type.
static ir_ref new_value(struct split *l, unsigned op, uint16_t type, ir_ref old, ir_ref v) {
    static const struct {
        uint16_t atomic, plain;
    } plain[] = {
        {OP_atomic_add, OP_add},     {OP_atomic_sub, OP_sub},          {OP_atomic_and, OP_and},
        {OP_atomic_or, OP_or},       {OP_atomic_xor, OP_xor},          {OP_atomic_smax, OP_smax},
        {OP_atomic_smin, OP_smin},   {OP_atomic_umax, OP_umax},        {OP_atomic_umin, OP_umin},
        {OP_atomic_fadd, OP_fadd},   {OP_atomic_fsub, OP_fsub},        {OP_atomic_fmax, OP_maxnum},
        {OP_atomic_fmin, OP_minnum}, {OP_atomic_fmaximum, OP_maximum}, {OP_atomic_fminimum, OP_minimum}};
    const uint16_t i1 = ir_int(l->c->m, 1);
    for (size_t n = 0; n < sizeof plain / sizeof *plain; n++)
        if (plain[n].atomic == op) return SPLIT_EMIT(l, plain[n].plain, type, old, v);
    if (op == OP_atomic_xchg) return v;
    const ir_ref zero = ir_constant_bits(l->f, type, 0, 0), one = ir_constant_bits(l->f, type, 1, 0);
    switch (op) {
    case OP_atomic_nand:
        return SPLIT_EMIT(l, OP_xor, type, SPLIT_EMIT(l, OP_and, type, old, v),
                          ir_constant_bits(l->f, type, UINT64_MAX, UINT64_MAX));
    case OP_atomic_inc_wrap:
        return SPLIT_EMIT(l, OP_select, type, SPLIT_EMIT(l, OP_uge, i1, old, v), zero,
                          SPLIT_EMIT(l, OP_add, type, old, one));
    case OP_atomic_dec_wrap: {
        const ir_ref down = SPLIT_EMIT(l, OP_select, type, SPLIT_EMIT(l, OP_ugt, i1, old, v), v,
                                       SPLIT_EMIT(l, OP_sub, type, old, one));
        return SPLIT_EMIT(l, OP_select, type, SPLIT_EMIT(l, OP_eq, i1, old, zero), v, down);
    }
    case OP_atomic_sub_cond:
        return SPLIT_EMIT(l, OP_select, type, SPLIT_EMIT(l, OP_uge, i1, old, v),
                          SPLIT_EMIT(l, OP_sub, type, old, v), old);
    case OP_atomic_sub_sat:
        return SPLIT_EMIT(l, OP_select, type, SPLIT_EMIT(l, OP_uge, i1, old, v),
                          SPLIT_EMIT(l, OP_sub, type, old, v), zero);
    default: refuse(l, "an atomic operation of this kind"); return v;
    }
}

// The dword that a small value lies in, and where in it.
struct around {
    ir_ref address;
    int32_t offset;
    ir_ref shift, keep; // bits below the value; a mask of all others
    uint16_t word, small;
};

static uint16_t address_type(const struct split *l, ir_ref at) { return ir_ref_type(l->f, at); }

static struct around find_around(struct split *l, ir_ref at, int32_t offset, unsigned bits) {
    struct around a = {
        .address = at, .offset = offset, .word = ir_int(l->c->m, 32), .small = ir_int(l->c->m, bits)};
    if (offset)
        at = place_moved(l, at, ir_constant_bits(l->f, ir_int(l->c->m, 64), (uint64_t)(int64_t)offset, 0));
    a.offset = 0;
    a.address = place_masked(l, at, ~(uint64_t)3);
    ir_ref byte = place_low(l, at);
    byte = SPLIT_EMIT(l, OP_and, a.word, byte, ir_constant_bits(l->f, a.word, 3, 0));
    a.shift = SPLIT_EMIT(l, OP_shl, a.word, byte, ir_constant_bits(l->f, a.word, 3, 0));
    const ir_ref mask =
        SPLIT_EMIT(l, OP_shl, a.word, ir_constant_bits(l->f, a.word, (1u << bits) - 1, 0), a.shift);
    a.keep = SPLIT_EMIT(l, OP_xor, a.word, mask, ir_constant_bits(l->f, a.word, 0xffffffff, 0));
    return a;
}

static ir_ref take_out(struct split *l, const struct around *a, ir_ref word) {
    return SPLIT_EMIT(l, OP_trunc, a->small, SPLIT_EMIT(l, OP_lshr, a->word, word, a->shift));
}
static ir_ref put_in(struct split *l, const struct around *a, ir_ref word, ir_ref small) {
    const ir_ref moved = SPLIT_EMIT(l, OP_shl, a->word, SPLIT_EMIT(l, OP_zext, a->word, small), a->shift);
    return SPLIT_EMIT(l, OP_or, a->word, SPLIT_EMIT(l, OP_and, a->word, word, a->keep), moved);
}

// Gives the old instruction's result the name it had.
static void define(struct split *l, ir_ref v, uint16_t type) {
    if (address_type(l, v) == type)
        ir_append(l->f, OP_copy, &v, 1);
    else
        ir_append(l->f, OP_bitcast, &v, 1);
    ir_define(l->f, l->i->first_result);
}

static void loop(struct split *l) {
    const struct ir_memory *m = ir_memory_of(l->f, l->i);
    const bool exchange = l->i->op == OP_atomic_cmpxchg;
    const uint16_t type = l->f->values.items[l->i->first_result].type, i1 = ir_int(l->c->m, 1);
    const struct ir_type t = *ir_type_at(l->c->m, type);
    const unsigned bits = (unsigned)t.bits * t.count;
    const ir_ref at = split_operand(l, exchange ? 2 : 1);
    const int32_t offset = ir_number(split_operand(l, exchange ? 3 : 2));
    const bool small = bits < 32;
    const uint16_t plain = ir_int(l->c->m, bits), word = small ? ir_int(l->c->m, 32) : plain;
    struct around a = {.address = at, .offset = offset};
    struct ir_memory first = *m, each = *m;
    if ((bits != 8 && bits != 16 && bits != 32 && bits != 64) || (exchange && !small)) {
        refuse(l, "an atomic operation on this type");
        return;
    }
    if (small) {
        a = find_around(l, at, offset, bits);
        first.bytes = each.bytes = 4;
        first.align_log2 = each.align_log2 = 2;
    }
    // The first load may see anything: the exchange checks it.
    first.order = IR_MONOTONIC;
    if (!each.failure_order) each.failure_order = IR_MONOTONIC;
    const ir_ref place = ir_immediate(a.offset);
    const ir_ref begin = SPLIT_EMIT(l, OP_atomic_load, word, a.address, place);
    split_set_memory(l, &first);
    const uint32_t before = split_here(l), body = before + 1, done = before + 2;
    uint32_t phi;
    split_jump(l, body);
    ir_block_add(l->f);
    const ir_ref old = split_phi(l, word, before, begin, body, &phi);
    const ir_ref narrow = small ? take_out(l, &a, old) : old;
    ir_ref next;
    if (exchange)
        next = split_operand(l, 1);
    else if (plain == type)
        next = new_value(l, l->i->op, type, narrow, split_operand(l, 0));
    else {
        const ir_ref own = SPLIT_EMIT(l, OP_bitcast, type, narrow);
        next = SPLIT_EMIT(l, OP_bitcast, plain, new_value(l, l->i->op, type, own, split_operand(l, 0)));
    }
    ir_ref expected = old;
    if (exchange) expected = put_in(l, &a, old, split_operand(l, 0)); // others' bytes may change meanwhile
    if (small) next = put_in(l, &a, old, next);
    const ir_ref found = SPLIT_EMIT(l, OP_atomic_cmpxchg, word, expected, next, a.address, place);
    split_set_memory(l, &each);
    ir_ref over = SPLIT_EMIT(l, OP_eq, i1, found, expected);
    if (exchange) { // or our own bytes differ: then nothing is written
        const ir_ref others =
            SPLIT_EMIT(l, OP_and, word, SPLIT_EMIT(l, OP_xor, word, found, expected), a.keep);
        const ir_ref same = SPLIT_EMIT(l, OP_eq, i1, others, ir_constant_bits(l->f, word, 0, 0));
        over = same;
    }
    split_branch(l, over, done, body);
    split_fill(l, phi, found);
    ir_block_add(l->f);
    define(l, small ? take_out(l, &a, found) : found, type);
}

// The lane's own memory: nobody else sees what happens between load and store.
static void plain(struct split *l) {
    const bool exchange = l->i->op == OP_atomic_cmpxchg;
    const uint16_t type = l->f->values.items[l->i->first_result].type;
    struct ir_memory m = *ir_memory_of(l->f, l->i);
    const ir_ref at = split_operand(l, exchange ? 2 : 1), offset = split_operand(l, exchange ? 3 : 2);
    m.order = m.failure_order = m.scope = 0;
    const ir_ref old = SPLIT_EMIT(l, OP_load, type, at, offset);
    split_set_memory(l, &m);
    const ir_ref next = exchange
                            ? SPLIT_EMIT(l, OP_select, type,
                                         SPLIT_EMIT(l, OP_eq, ir_int(l->c->m, 1), old, split_operand(l, 0)),
                                         split_operand(l, 1), old)
                            : new_value(l, l->i->op, type, old, split_operand(l, 0));
    ir_append(l->f, OP_store, (ir_ref[]){next, at, offset}, 3)->location = l->i->location;
    split_set_memory(l, &m);
    define(l, old, type);
}

static void expand(struct split *l) {
    const struct ir_memory *m = ir_memory_of(l->f, l->i);
    if (m->space == IR_PRIVATE)
        plain(l);
    else
        loop(l);
}

static bool needs_loop(struct split *l) {
    if (l->i->op < OP_atomic_xchg || l->i->op > OP_atomic_cmpxchg) return false;
    const struct ir_memory *m = ir_memory_of(l->f, l->i);
    const struct ir_type *t = ir_type_at(l->c->m, l->f->values.items[l->i->first_result].type);
    return m && (m->space == IR_PRIVATE || !is_native(l, t, m));
}

void compiler_atomic(struct compiler *c) {
    uint32_t *uses = calloc(c->f->values.count + 1, sizeof *uses);
    if (!uses) {
        compiler_no_memory(c);
        return;
    }
    for (size_t n = 0; n < c->f->operands.count; n++)
        if (ir_is(c->f->operands.items[n], IR_VALUE)) uses[ir_index(c->f->operands.items[n])]++;
    compiler_split(c, uses, needs_loop, expand);
    free(uses);
    if (!c->status) compiler_reduce(c);
    if (!c->status) compiler_remainder(c);
}
