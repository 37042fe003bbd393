// SPDX-License-Identifier: MIT
// Address spaces. Accesses by flat addresses that all come from one space become accesses to it; casts
// between spaces of different widths become arithmetic on where those lie among flat addresses; the null of
// LDS and of scratch is all ones, that of the others 0. Requires: lds. Leaves: casts between spaces whose
// addresses are the same alone.
#include "compiler/split.h"

enum { UNKNOWN = IR_SPACES }; // nothing is known yet: any space may turn out

struct spaces {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    const struct ir_inst *i; // the old one
    uint8_t *of;             // by value: the space that a flat address is in
    uint16_t i1, i32, i64;
};

static bool is_far(unsigned space) {
    return space == IR_GENERIC || space == IR_GLOBAL || space == IR_CONSTANT_SPACE;
}
static bool is_near(unsigned space) { return space == IR_LOCAL || space == IR_PRIVATE; }

// ---- Which space a flat address is in ----

static unsigned space_of(const struct spaces *s, ir_ref r) {
    if (ir_constant_of(s->f, r) && ir_constant_of(s->f, r)->poison) return UNKNOWN;
    return ir_is(r, IR_VALUE) ? s->of[ir_index(r)] : IR_GENERIC;
}
static unsigned meet(unsigned a, unsigned b) {
    return a == UNKNOWN ? b : b == UNKNOWN || a == b ? a : IR_GENERIC;
}

static unsigned found(const struct spaces *s, const struct ir_inst *i) {
    const struct ir_memory *m = ir_memory_of(s->f, i);
    unsigned space = UNKNOWN;
    switch (i->op) {
    case OP_space_cast: return m->space == IR_GENERIC && m->cache < IR_SPACES ? m->cache : IR_GENERIC;
    case OP_add:
    case OP_copy:
    case OP_bitcast:
    case OP_freeze: return space_of(s, ir_operand(s->f, i, 0));
    case OP_select: return meet(space_of(s, ir_operand(s->f, i, 1)), space_of(s, ir_operand(s->f, i, 2)));
    case OP_phi:
        for (unsigned k = 1; k < i->operands; k += 2)
            space = meet(space, space_of(s, ir_operand(s->f, i, k)));
        return space;
    default: return IR_GENERIC;
    }
}

static void infer(struct spaces *s) {
    memset(s->of, IR_GENERIC, s->f->values.count);
    for (size_t n = 0; n < s->f->insts.count; n++)
        for (unsigned r = 0; r < s->f->insts.items[n].results; r++)
            s->of[s->f->insts.items[n].first_result + r] = UNKNOWN;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t n = 0; n < s->f->insts.count; n++) {
            const struct ir_inst *i = &s->f->insts.items[n];
            for (unsigned r = 0; r < i->results; r++) {
                uint8_t *of = &s->of[i->first_result + r];
                const unsigned now = meet(*of, found(s, i));
                changed |= now != *of;
                *of = (uint8_t)now;
            }
        }
    }
}

// The operand that is the address of an access; operands: none.
static unsigned address_operand(const struct ir_inst *i) {
    switch (i->op) {
    case OP_load:
    case OP_atomic_load: return 0;
    case OP_store:
    case OP_atomic_store: return 1;
    default: return i->op >= OP_atomic_xchg && i->op <= OP_atomic_cmpxchg ? i->operands - 2u : i->operands;
    }
}

// ---- Emission ----

static ir_ref emit(struct spaces *s, unsigned op, uint16_t type, const ir_ref *operands, unsigned count) {
    const ir_ref r = ir_emit(s->f, op, type, operands, count);
    if (!s->f->module->failed) s->f->insts.items[s->f->insts.count - 1].location = s->i->location;
    return r;
}
#define EMIT(s, op, type, ...)                                                                               \
    emit(s, op, type, (const ir_ref[]){__VA_ARGS__}, sizeof((const ir_ref[]){__VA_ARGS__}) / sizeof(ir_ref))
static ir_ref number(struct spaces *s, uint16_t type, uint64_t n) {
    return ir_constant_bits(s->f, type, n, 0);
}
static ir_ref operand(const struct spaces *s, unsigned n) {
    return s->old.operands.items[s->i->first_operand + n];
}

// The upper dword of flat addresses in LDS or scratch: a register, or what the runtime says.
static ir_ref aperture(struct spaces *s, unsigned near) {
    const bool private = near == IR_PRIVATE, hidden = s->c->m->code_object_version >= 5;
    // Flat instructions find the stack by FLAT_SCRATCH, which the kernel sets.
    if (private && !has(s->c->processor, CAP_architected_flat_scratch))
        s->f->facts.inputs |= 1u << INPUT_FLAT_SCRATCH;
    if (has(s->c->processor, CAP_aperture_registers))
        return EMIT(s, OP_aperture, s->i32, ir_immediate(private));
    if (!has(s->c->processor, CAP_flat_address_space)) {
        struct ir_inst copy = *s->i;
        copy.operands = 0;
        compiler_refuse(s->c, &copy, "a flat address on this processor");
        return number(s, s->i32, 0);
    }
    const struct ir_memory m = {
        .space = IR_CONSTANT_SPACE, .bytes = 4, .align_log2 = 2, .flags = IR_INVARIANT | IR_DEREFERENCEABLE};
    const ir_ref from = emit(s, hidden ? OP_implicitarg_pointer : OP_queue_pointer, s->i64, NULL, 0);
    const ir_ref base = EMIT(s, OP_load, s->i32, from,
                             ir_immediate(hidden    ? (private ? 192 : 196)
                                          : private ? 0x44
                                                    : 0x40));
    if (!s->f->module->failed) s->f->insts.items[s->f->insts.count - 1].memory = ir_memory_add(s->f, &m);
    return base;
}

// Half of what is added to addresses on the stack, where flat ones name the lane.
static ir_ref scratch_base(struct spaces *s, bool upper) {
    return EMIT(s, OP_aperture, s->i32, ir_immediate(upper ? 3 : 2));
}
static bool is_spread(const struct spaces *s, unsigned near) {
    return near == IR_PRIVATE && has(s->c->processor, CAP_spread_scratch);
}

// A flat address on the stack of this lane: its number stands from bit 52 on.
static ir_ref spread(struct spaces *s, ir_ref address) {
    const ir_ref all = number(s, s->i32, 0xffffffff);
    const ir_ref lane = EMIT(s, OP_mbcnt_lo, s->i32, all, number(s, s->i32, 0));
    const ir_ref places[] = {EMIT(s, OP_zext, s->i64, EMIT(s, OP_shl, s->i32, lane, number(s, s->i32, 20))),
                             EMIT(s, OP_zext, s->i64, scratch_base(s, true))};
    const ir_ref high = EMIT(s, OP_add, s->i64, places[0], places[1]);
    const ir_ref low = EMIT(s, OP_zext, s->i64, address),
                 base = EMIT(s, OP_zext, s->i64, scratch_base(s, false));
    return EMIT(s, OP_add, s->i64, EMIT(s, OP_add, s->i64, low, base),
                EMIT(s, OP_shl, s->i64, high, number(s, s->i64, 32)));
}

static void define(struct spaces *s, unsigned op, const ir_ref *operands, unsigned count) {
    ir_append(s->f, op, operands, count)->location = s->i->location;
    ir_define(s->f, s->i->first_result);
}

// Addresses of constant32 are the lower halves of addresses of constant memory; the function says the upper
// one.
static ir_ref whole(struct spaces *s, ir_ref low) {
    const uint64_t high = (uint64_t)s->f->facts.high32 << 32;
    return EMIT(s, OP_or, s->i64, EMIT(s, OP_zext, s->i64, low), number(s, s->i64, high));
}

// A flat address of two dwords.
static ir_ref beside(struct spaces *s, ir_ref low, ir_ref high) {
    const ir_ref wide = EMIT(s, OP_shl, s->i64, EMIT(s, OP_zext, s->i64, high), number(s, s->i64, 32));
    return EMIT(s, OP_or, s->i64, EMIT(s, OP_zext, s->i64, low), wide);
}

static void cast(struct spaces *s) {
    const struct ir_memory m = *ir_memory_of(s->f, s->i); // to space, from cache
    const ir_ref from = operand(s, 0);
    if (is_near(m.cache) && m.space == IR_GENERIC) {
        const ir_ref flat = is_spread(s, m.cache) ? spread(s, from) : beside(s, from, aperture(s, m.cache));
        const ir_ref some = EMIT(s, OP_ne, s->i1, from, number(s, s->i32, 0xffffffff));
        define(s, OP_select, (ir_ref[]){some, flat, number(s, s->i64, 0)}, 3);
    } else if (m.cache == IR_GENERIC && is_near(m.space)) {
        ir_ref low = EMIT(s, OP_trunc, s->i32, from);
        if (is_spread(s, m.space)) low = EMIT(s, OP_sub, s->i32, low, scratch_base(s, false));
        const ir_ref some = EMIT(s, OP_ne, s->i1, from, number(s, s->i64, 0));
        define(s, OP_select, (ir_ref[]){some, low, number(s, s->i32, 0xffffffff)}, 3);
    } else if (m.cache == IR_CONSTANT32 && is_far(m.space)) {
        const ir_ref flat = whole(s, from);
        define(s, OP_copy, &flat, 1);
    } else if (m.space == IR_CONSTANT32 && is_far(m.cache))
        define(s, OP_trunc, &from, 1);
    else
        ir_copy(s->f, &s->old, s->i);
}

static void is_in(struct spaces *s, unsigned near) {
    const ir_ref high =
        EMIT(s, OP_trunc, s->i32, EMIT(s, OP_lshr, s->i64, operand(s, 0), number(s, s->i64, 32)));
    if (is_spread(s, near)) { // the bits above those of lanes
        const ir_ref apart = EMIT(s, OP_xor, s->i32, high, scratch_base(s, true));
        define(s, OP_ult, (ir_ref[]){apart, number(s, s->i32, 1u << 26)}, 2);
    } else
        define(s, OP_eq, (ir_ref[]){high, aperture(s, near)}, 2);
}

// An access by a flat address that is known to be in one space, or by half an address.
static void narrow(struct spaces *s, unsigned at, unsigned space) {
    struct ir_memory m = *ir_memory_of(s->f, s->i);
    ir_ref address = operand(s, at);
    if (is_near(space)) address = EMIT(s, OP_trunc, s->i32, address);
    if (is_spread(s, space)) address = EMIT(s, OP_sub, s->i32, address, scratch_base(s, false));
    if (m.space == IR_CONSTANT32) address = whole(s, address);
    m.space = (uint8_t)space;
    struct ir_inst *copy = ir_copy(s->f, &s->old, s->i);
    if (s->f->module->failed) return;
    copy->memory = ir_memory_add(s->f, &m);
    s->f->operands.items[copy->first_operand + at] = address;
}

// Atomic operations on the stack are flat ones where other lanes may come to it, but for those of 64 bits,
// which do not reach it.
static bool changes(const struct ir_inst *i) { return i->op >= OP_atomic_xchg && i->op <= OP_atomic_cmpxchg; }
static bool is_atomic(const struct ir_inst *i) {
    return i->op == OP_atomic_load || i->op == OP_atomic_store || changes(i);
}
static void widen(struct spaces *s, unsigned at) {
    struct ir_memory m = *ir_memory_of(s->f, s->i);
    const ir_ref near = operand(s, at), some = EMIT(s, OP_ne, s->i1, near, number(s, s->i32, 0xffffffff));
    const ir_ref address = EMIT(s, OP_select, s->i64, some, spread(s, near), number(s, s->i64, 0));
    m.space = IR_GENERIC;
    struct ir_inst *copy = ir_copy(s->f, &s->old, s->i);
    if (s->f->module->failed) return;
    copy->memory = ir_memory_add(s->f, &m);
    s->f->operands.items[copy->first_operand + at] = address;
}

static bool tells_queue(const struct compiler *c) {
    return compiler_system(c->m) == SW_OS_AMDHSA && !has(c->processor, CAP_aperture_registers);
}

// The trap handler finds the queue by itself where there are registers for apertures; before, s[0:1] say it.
static void trap(struct spaces *s) {
    const struct ir_memory m = {
        .space = IR_CONSTANT_SPACE, .bytes = 8, .align_log2 = 3, .flags = IR_INVARIANT | IR_DEREFERENCEABLE};
    const bool hidden = s->c->m->code_object_version >= 5;
    ir_ref queue = emit(s, hidden ? OP_implicitarg_pointer : OP_queue_pointer, s->i64, NULL, 0);
    if (hidden) {
        queue = EMIT(s, OP_load, s->i64, queue, ir_immediate(200));
        if (!s->f->module->failed) s->f->insts.items[s->f->insts.count - 1].memory = ir_memory_add(s->f, &m);
    }
    const ir_ref low = EMIT(s, OP_trunc, s->i32, queue),
                 high = EMIT(s, OP_trunc, s->i32, EMIT(s, OP_lshr, s->i64, queue, number(s, s->i64, 32)));
    ir_append(s->f, OP_p_moves,
              (ir_ref[]){ir_make(IR_REGISTER, ir_register(IR_SGPR, 0, 1)), low,
                         ir_make(IR_REGISTER, ir_register(IR_SGPR, 1, 1)), high},
              4);
    ir_copy(s->f, &s->old, s->i);
}

static void instruction(struct spaces *s) {
    const struct ir_memory *m = ir_memory_of(s->f, s->i);
    const unsigned at = address_operand(s->i);
    if (s->i->op == OP_space_cast)
        cast(s);
    else if (s->i->op == OP_is_shared || s->i->op == OP_is_private)
        is_in(s, s->i->op == OP_is_shared ? IR_LOCAL : IR_PRIVATE);
    else if (s->i->op == OP_trap && tells_queue(s->c))
        trap(s);
    else if (m && is_spread(s, m->space) && is_atomic(s->i) && (m->bytes <= 4 || !changes(s->i)))
        widen(s, at);
    else if (m && m->space == IR_CONSTANT32 && at < s->i->operands)
        narrow(s, at, IR_CONSTANT_SPACE);
    else if (m && m->space == IR_GENERIC && at < s->i->operands) {
        const unsigned space = space_of(s, operand(s, at));
        if (is_near(space) || (is_far(space) && space != IR_GENERIC))
            narrow(s, at, space);
        else
            ir_copy(s->f, &s->old, s->i);
    } else
        ir_copy(s->f, &s->old, s->i);
}

static bool any_wanted(const struct compiler *c) {
    const struct ir_function *f = c->f;
    bool any = false;
    for (size_t n = 0; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        const struct ir_memory *m = ir_memory_of(f, i);
        any |= i->op == OP_space_cast || i->op == OP_is_shared || i->op == OP_is_private ||
               (i->op == OP_trap && tells_queue(c)) || (m && m->space == IR_CONSTANT32) ||
               (m && m->space == IR_PRIVATE && is_atomic(i) && has(c->processor, CAP_spread_scratch));
    }
    return any;
}

static void settle(struct compiler *c) {
    struct spaces s = {
        .c = c, .f = c->f, .i1 = ir_int(c->m, 1), .i32 = ir_int(c->m, 32), .i64 = ir_int(c->m, 64)};
    if (!any_wanted(c)) return;
    if (!(s.of = malloc(c->f->values.count + 1))) {
        compiler_no_memory(c);
        return;
    }
    infer(&s);
    ir_take(c->f, &s.old);
    for (size_t b = 0; b < s.old.blocks.count && !c->status; b++) {
        const struct ir_block *block = &s.old.blocks.items[b];
        ir_block_add(c->f);
        for (uint32_t n = 0; n < block->count && !c->status && !c->m->failed; n++) {
            s.i = &s.old.insts.items[block->first + n];
            instruction(&s);
        }
    }
    ir_old_free(&s.old);
    free(s.of);
}

// What is known of an address is found first: few may be one of the stack.
void compiler_space(struct compiler *c) {
    settle(c);
    if (!c->status && !c->m->failed && compiler_stack_apart(c)) settle(c);
}
