// SPDX-License-Identifier: MIT
// Calls as the convention has them: what functions begin and end with, and what is passed to others, dword by
// dword in fixed registers or on the stack; memory on the stack whose size the program decides. A function
// whose address lanes have each their own is called once for all lanes that want the same one. Requires:
// read. Leaves: p_call instead of call; arguments of functions as copies of registers and loads; returns of
// dwords.
#include "compiler/convention.h"
#include "compiler/split.h"

enum { MOST_DWORDS = 256 };

struct calls {
    struct convention_places places; // of the arguments with which the function begins
    bool entered, jumped;
};

static void refuse(struct split *s, const char *what) {
    struct ir_inst copy = *s->i;
    copy.operands = 0;
    compiler_refuse(s->c, &copy, what);
}

static ir_ref stack_place(struct split *s, unsigned op, uint32_t offset) {
    const uint16_t address = ir_int(s->c->m, 32);
    const ir_ref base = ir_emit(s->f, op, address, NULL, 0);
    return offset ? ir_emit(s->f, OP_add, address,
                            (ir_ref[]){base, ir_constant_bits(s->f, address, offset, 0)}, 2)
                  : base;
}

static const struct ir_memory on_stack = {.space = IR_PRIVATE, .bytes = 4, .align_log2 = 2};

// ---- What a function begins with ----

static const char *no_register(uint32_t passed) {
    return passed & IR_IN_SGPR ? "an argument that no scalar register is left for"
                               : "an argument that no vector register is left for";
}

// The dwords of an argument: copies of registers, or IR_NOTHING for those on the stack, at offsets.
static unsigned take_registers(struct split *s, const struct ir_argument *a, ir_ref *dwords,
                               uint32_t *offsets) {
    struct calls *k = s->own;
    const unsigned count = convention_dwords(s->c, s->f->values.items[a->value].type);
    if (count > MOST_DWORDS) {
        compiler_refuse(s->c, NULL, "an argument of so many dwords");
        return 0;
    }
    for (unsigned n = 0; n < count; n++) {
        const uint32_t r = convention_next(&k->places, a->passed & IR_IN_SGPR, &offsets[n]);
        const ir_ref fixed = ir_make(IR_REGISTER, r);
        dwords[n] = r ? ir_emit(s->f, OP_copy, ir_int(s->c->m, 32), &fixed, 1) : IR_NOTHING;
        if (!r && !k->places.on_stack) compiler_refuse(s->c, NULL, no_register(a->passed));
    }
    return count;
}

struct taken {
    ir_ref dwords[MOST_DWORDS];
    uint32_t offsets[MOST_DWORDS];
    unsigned count;
};

static void make_argument(struct split *s, struct ir_argument *a, struct taken *t) {
    const uint16_t type = s->f->values.items[a->value].type;
    if (a->passed & IR_BY_VALUE) {
        const ir_ref at = stack_place(s, OP_stack_arguments, t->offsets[0]);
        ir_append(s->f, OP_copy, &at, 1);
    } else {
        for (unsigned n = 0; n < t->count; n++) {
            if (!ir_is(t->dwords[n], IR_NONE)) continue;
            const ir_ref at = stack_place(s, OP_stack_arguments, 0);
            t->dwords[n] = ir_emit(s->f, OP_load, ir_int(s->c->m, 32),
                                   (ir_ref[]){at, ir_immediate((int32_t)t->offsets[n])}, 2);
            split_set_memory(s, &on_stack);
        }
        const ir_ref v = convention_put_together(s->c, type, t->dwords);
        ir_append(s->f, OP_copy, &v, 1);
    }
    ir_define(s->f, a->value);
    a->value = ir_value_add(s->f, type); // the argument itself stays, for texts
    s->f->values.items[a->value].def = IR_ARGUMENT_DEF;
}

// Arguments of pixel shaders that nobody uses have no registers; one of the first has to be there in any
// case, as without the hardware does not start the shader.
static uint32_t choose_pixel_inputs(struct split *s) {
    enum { PIXEL_INPUTS = 16, LOCATIONS = 0x7f, PERSPECTIVE = 0xf, POSITION_W = 1 << 11 };
    struct ir_facts *facts = &s->f->facts;
    uint32_t all = facts->pixel_inputs, skipped = 0;
    for (unsigned n = 0, input = 0; n < s->f->arguments.count && input < PIXEL_INPUTS; n++) {
        const struct ir_argument *a = &s->f->arguments.items[n];
        bool used = false;
        if (a->passed & IR_IN_SGPR) continue;
        for (size_t o = 0; o < s->old.operands.count && !used; o++)
            used = s->old.operands.items[o] == ir_make(IR_VALUE, a->value);
        if (used) facts->pixel_used |= 1u << input, all |= 1u << input;
        if (!(all >> input & 1) && n < 32) skipped |= 1u << n;
        input++;
    }
    if (!(all & LOCATIONS) || (!(all & PERSPECTIVE) && all & POSITION_W)) {
        ((struct calls *)s->own)->places.vgpr = 2;
        all |= 1, facts->pixel_used |= 1;
    }
    facts->pixel_inputs = all;
    return skipped;
}

// Copies of registers stand in front of everything else.
static void enter(struct split *s) {
    struct calls *k = s->own;
    const size_t count = s->f->arguments.count;
    k->entered = true;
    if (s->f->is_kernel) return;
    struct taken *taken = calloc(count + 1, sizeof *taken);
    if (!taken) {
        compiler_no_memory(s->c);
        return;
    }
    const enum ir_convention convention = (enum ir_convention)s->f->facts.convention;
    convention_begin(&k->places, s->c, convention, s->c->m->symbols.items[s->f->symbol].without);
    const uint32_t skipped = convention == IR_PIXEL_SHADER ? choose_pixel_inputs(s) : 0;
    for (size_t n = 0; n < count && !s->c->status; n++) {
        const struct ir_argument *a = &s->f->arguments.items[n];
        if (n < 32 && skipped >> n & 1) continue;
        if (a->passed & IR_BY_VALUE && s->f->values.items[a->value].type != ir_int(s->c->m, 32))
            compiler_refuse(s->c, NULL, "an argument by value that is not on the stack");
        else if (a->passed & IR_BY_VALUE)
            taken[n].offsets[0] = convention_memory(&k->places, a->passed);
        else
            taken[n].count = take_registers(s, a, taken[n].dwords, taken[n].offsets);
    }
    for (size_t n = 0; n < count && !s->c->status && !s->c->m->failed; n++)
        if (n >= 32 || !(skipped >> n & 1)) make_argument(s, &s->f->arguments.items[n], &taken[n]);
    if (ir_is_entry(s->f)) // they stand one behind the other
        s->f->facts.user_sgprs = k->places.sgprs ? (unsigned)__builtin_ctzll(k->places.sgprs) : 64;
    s->f->facts.incoming = (k->places.stack + CONVENTION_ALIGN - 1) / CONVENTION_ALIGN * CONVENTION_ALIGN;
    s->f->facts.stack += s->f->facts.incoming;
    free(taken);
}

// ---- Returns ----

// Shaders have floats in vector registers and all else in scalar ones: the types say so from here on.
static void mark_floats(struct split *s, ir_ref value, ir_ref *dwords, unsigned count) {
    const unsigned kind = ir_type_at(s->c->m, ir_ref_type(s->f, value))->kind;
    if (kind != IR_F16 && kind != IR_BF16 && kind != IR_F32) return;
    for (unsigned n = 0; n < count; n++)
        dwords[n] = ir_emit(s->f, OP_bitcast, ir_type_of(s->c->m, IR_F32, 32, 1), &dwords[n], 1);
}

static void give_back(struct split *s) {
    ir_ref dwords[CONVENTION_MOST_RESULTS];
    unsigned count = 0;
    if (ir_is_chain(s->f) && s->i->operands) refuse(s, "a result of a chain function");
    for (unsigned n = 0; n < s->i->operands; n++) {
        const ir_ref v = split_operand(s, n);
        const unsigned some = convention_take_apart(s->c, v, s->f->facts.result, dwords + count,
                                                    CONVENTION_MOST_RESULTS - count);
        if (!some) {
            refuse(s, "a result of more than 32 registers");
            return;
        }
        if (ir_is_entry(s->f)) mark_floats(s, v, dwords + count, some);
        count += some;
    }
    ir_append(s->f, OP_return, dwords, count)->location = s->i->location;
}

// ---- Calls ----

struct call {
    ARRAY(ir_ref) operands; // of the p_call
    unsigned op;            // or p_chain, p_tail_call
    struct convention_places places;
};

static void push(struct split *s, struct call *k, ir_ref r) {
    if (!array_push(&k->operands, r)) compiler_no_memory(s->c);
}

static void pass_by_value(struct split *s, struct call *k, uint32_t passed, ir_ref from) {
    const uint16_t i32 = ir_int(s->c->m, 32);
    const ir_ref to = stack_place(s, OP_stack_top, convention_memory(&k->places, passed));
    const unsigned align = ir_passed_align(passed);
    const struct ir_memory m = {.space = IR_PRIVATE, .cache = IR_PRIVATE, .align_log2 = (uint8_t)align};
    if (ir_ref_type(s->f, from) != i32) refuse(s, "an argument by value that is not on the stack");
    if (!ir_passed_size(passed)) return;
    ir_append(s->f, OP_memory_copy,
              (ir_ref[]){to, from, ir_constant_bits(s->f, i32, ir_passed_size(passed), 0)}, 3)
        ->location = s->i->location;
    split_set_memory(s, &m);
}

static void pass(struct split *s, struct call *k, uint32_t passed, ir_ref value) {
    ir_ref dwords[MOST_DWORDS];
    const unsigned count = convention_take_apart(s->c, value, passed, dwords, MOST_DWORDS);
    if (!count) refuse(s, "an argument of so many dwords");
    for (unsigned n = 0; n < count && !s->c->status; n++) {
        uint32_t offset = 0;
        const uint32_t r = convention_next(&k->places, passed & IR_IN_SGPR, &offset);
        const bool scalar = r && ir_register_class_of(r) == IR_SGPR;
        if (r) {
            push(s, k, ir_make(IR_REGISTER, r));
            push(s, k,
                 scalar ? ir_emit(s->f, OP_readfirstlane, ir_int(s->c->m, 32), &dwords[n], 1) : dwords[n]);
        } else if (!k->places.on_stack) {
            refuse(s, no_register(passed));
        } else { // a jump leaves its own caller's place to the next function
            const ir_ref top = stack_place(s, k->op == OP_p_tail_call ? OP_stack_arguments : OP_stack_top, 0);
            ir_append(s->f, OP_store, (ir_ref[]){dwords[n], top, ir_immediate((int32_t)offset)}, 3)
                ->location = s->i->location;
            split_set_memory(s, &on_stack);
        }
    }
}

// Values that the call gives, of the old numbers, or new ones.
static void take_results(struct split *s, const struct ir_inst *call, const ir_ref *dwords, ir_ref *out) {
    for (unsigned r = 0, at = 0; r < call->results; r++) {
        const uint16_t type = s->f->values.items[call->first_result + r].type;
        out[r] = convention_put_together(s->c, type, dwords + at);
        at += convention_dwords(s->c, type);
    }
}

// The p_call itself. Returns the number of dwords that it gives.
static unsigned put_call(struct split *s, const struct call *k, ir_ref *dwords) {
    const struct ir_inst *call = s->i;
    unsigned count = 0;
    for (unsigned r = 0; r < call->results; r++)
        count += convention_dwords(s->c, s->f->values.items[call->first_result + r].type);
    if (count > CONVENTION_MOST_RESULTS) {
        refuse(s, "a result of more than 32 registers");
        return 0;
    }
    struct ir_inst *i = ir_append(s->f, k->op, k->operands.items, (unsigned)k->operands.count);
    i->location = call->location;
    i->flags = IR_CONVERGENT;
    for (unsigned n = 0; n < count; n++) dwords[n] = ir_result(s->f, ir_int(s->c->m, 32));
    return count;
}

static void define_results(struct split *s, const struct ir_inst *call, const ir_ref *values) {
    for (unsigned r = 0; r < call->results && !s->c->m->failed; r++) {
        ir_append(s->f, OP_copy, &values[r], 1);
        ir_define(s->f, call->first_result + r);
    }
}

static void direct(struct split *s, struct call *k) {
    ir_ref dwords[CONVENTION_MOST_RESULTS], values[CONVENTION_MOST_RESULTS];
    put_call(s, k, dwords);
    if (s->c->status) return;
    take_results(s, s->i, dwords, values);
    define_results(s, s->i, values);
}

// A loop: the address of the first lane that is left; lanes that have the same one call it, and are done.
static void indirect(struct split *s, struct call *k, ir_ref address) {
    ir_ref dwords[CONVENTION_MOST_RESULTS], out[CONVENTION_MOST_RESULTS], first[2];
    const uint16_t i32 = ir_int(s->c->m, 32), i1 = ir_int(s->c->m, 1), i64 = ir_int(s->c->m, 64);
    const uint32_t head = split_here(s) + 1, body = head + 1, tail = head + 2, done = head + 3;
    const ir_ref halves[] = {
        ir_emit(s->f, OP_trunc, i32, &address, 1),
        ir_emit(s->f, OP_trunc, i32,
                (ir_ref[]){
                    ir_emit(s->f, OP_lshr, i64, (ir_ref[]){address, ir_constant_bits(s->f, i64, 32, 0)}, 2)},
                1)};
    split_jump(s, head);
    ir_block_add(s->f);
    for (unsigned n = 0; n < 2; n++) first[n] = ir_emit(s->f, OP_readfirstlane, i32, &halves[n], 1);
    const ir_ref same = ir_emit(s->f, OP_and, i1,
                                (ir_ref[]){ir_emit(s->f, OP_eq, i1, (ir_ref[]){first[0], halves[0]}, 2),
                                           ir_emit(s->f, OP_eq, i1, (ir_ref[]){first[1], halves[1]}, 2)},
                                2);
    split_branch(s, same, body, tail);
    ir_block_add(s->f);
    const ir_ref at[] = {ir_make(IR_REGISTER, ir_register(IR_VCC, 0, 1)), first[0],
                         ir_make(IR_REGISTER, ir_register(IR_VCC, 1, 1)), first[1]};
    for (unsigned n = 0; n < 4; n++) push(s, k, at[n]);
    const unsigned count = put_call(s, k, dwords);
    split_jump(s, tail);
    ir_block_add(s->f);
    for (unsigned n = 0; n < count; n++)
        out[n] =
            ir_emit(s->f, OP_phi, i32,
                    (ir_ref[]){split_block(head), ir_poison(s->f, i32), split_block(body), dwords[n]}, 4);
    split_branch(s, same, done, head);
    ir_block_add(s->f);
    if (s->c->status) return;
    ir_ref values[CONVENTION_MOST_RESULTS];
    take_results(s, s->i, out, values);
    define_results(s, s->i, values);
}

// True if a symbol is a function that may be called.
static bool is_function(const struct split *s, ir_ref callee) {
    const struct ir_symbol *symbol = &s->c->m->symbols.items[ir_index(callee)];
    const bool entry = symbol->function && ir_is_entry(symbol->function);
    return !entry && symbol->kind == IR_FUNCTION_SYMBOL;
}

static enum ir_convention convention_of(const struct split *s) {
    return s->i->op == OP_call_gfx ? IR_GFX : s->i->op == OP_tail_call ? s->f->facts.convention : IR_OWN;
}

// Who has to keep registers for others cannot call what keeps fewer, and only kernels know what waves of both
// kinds begin with.
static bool may_call(const struct split *s, enum ir_convention convention) {
    if (convention == IR_GFX) return ir_is_entry(s->f) || s->f->facts.convention == IR_GFX;
    return s->f->facts.convention == IR_OWN;
}

static void pass_all(struct split *s, struct call *k, unsigned first) {
    for (unsigned n = first; n + 1 < s->i->operands && !s->c->status; n += 2) {
        const uint32_t passed = (uint32_t)ir_number(split_operand(s, n));
        if (passed & IR_BY_VALUE)
            pass_by_value(s, k, passed, split_operand(s, n + 1));
        else
            pass(s, k, passed, split_operand(s, n + 1));
    }
}

static void call(struct split *s, enum ir_convention convention) {
    struct call k = {.op = OP_p_call};
    const ir_ref callee = split_operand(s, 0);
    const bool named = ir_is(callee, IR_SYMBOL);
    s->f->facts.calls = 1;
    s->f->facts.callees |= 1u << convention;
    if (named && !is_function(s, callee)) refuse(s, "a call of what is no function, or is a kernel");
    if (!named && ir_type_bits(s->c->m, ir_ref_type(s->f, callee)) != 64)
        refuse(s, "a call of such an address");
    if (!may_call(s, convention)) refuse(s, "a call from a function of another convention");
    if (s->f->facts.convention == IR_CHAIN_KEEP) refuse(s, "a call from a function that keeps all registers");
    convention_begin(&k.places, s->c, convention,
                     named ? s->c->m->symbols.items[ir_index(callee)].without : 0);
    push(s, &k, named ? callee : convention == IR_GFX ? ir_immediate(IR_GFX) : IR_NOTHING);
    pass_all(s, &k, 1);
    if (named && !s->c->status)
        direct(s, &k);
    else if (!s->c->status)
        indirect(s, &k, callee);
    array_free(&k.operands);
}

// ---- Jumps to functions ----

// True if what is passed on the stack fits where the function's own arguments are.
static bool fits_stack(struct split *s, struct convention_places places) {
    for (unsigned n = 1; n + 1 < s->i->operands; n += 2) {
        const uint32_t passed = (uint32_t)ir_number(split_operand(s, n));
        const unsigned count = convention_dwords(s->c, ir_ref_type(s->f, split_operand(s, n + 1)));
        uint32_t offset;
        if (passed & IR_BY_VALUE) return false;
        // What it changes of these, the function that called it would see.
        if (passed & IR_IN_SGPR && s->f->facts.convention == IR_GFX) return false;
        for (unsigned d = 0; d < count; d++) convention_next(&places, passed & IR_IN_SGPR, &offset);
    }
    return places.stack <= s->f->facts.incoming;
}

// A call that has to be a jump is one where all lanes come to it together: where it is the only way out of
// the function. Else it is a call, and takes stack.
static void tail_call(struct split *s) {
    struct call k = {.op = OP_p_tail_call};
    const ir_ref callee = split_operand(s, 0);
    const enum ir_convention convention = convention_of(s);
    unsigned returns = 0;
    for (size_t n = 0; n < s->old.insts.count; n++) returns += s->old.insts.items[n].op == OP_return;
    if (ir_is(callee, IR_SYMBOL) && is_function(s, callee))
        convention_begin(&k.places, s->c, convention, s->c->m->symbols.items[ir_index(callee)].without);
    if (!k.places.vgprs || ir_is_entry(s->f) || returns != 1 || !fits_stack(s, k.places)) {
        call(s, convention);
        return;
    }
    s->f->facts.calls = 1;
    s->f->facts.callees |= 1u << convention;
    push(s, &k, callee);
    pass_all(s, &k, 1);
    if (!s->c->status)
        ir_append(s->f, OP_p_tail_call, k.operands.items, (unsigned)k.operands.count)->location =
            s->i->location;
    for (unsigned r = 0; r < s->i->results && !s->c->m->failed; r++) { // only the return uses them
        const ir_ref none = ir_poison(s->f, s->f->values.items[s->i->first_result + r].type);
        ir_append(s->f, OP_copy, &none, 1);
        ir_define(s->f, s->i->first_result + r);
    }
    ((struct calls *)s->own)->jumped = true;
    array_free(&k.operands);
}

// The next shader of a chain goes on, with lanes and registers that it is given.
static void chain(struct split *s) {
    struct call k = {.op = OP_p_chain};
    const ir_ref callee = split_operand(s, 0);
    const bool named = ir_is(callee, IR_SYMBOL);
    const unsigned own = CONVENTION_CHAIN_VGPR;
    unsigned given = own;
    if (!ir_is_entry(s->f) || s->f->is_kernel) refuse(s, "a chain from what is no shader");
    if (!ir_is_chain(s->f) && !has(s->c->processor, CAP_architected_flat_scratch))
        refuse(s, "a chain that begins here, on this processor");
    convention_begin(&k.places, s->c, IR_CHAIN, 0);
    push(s, &k, named ? callee : IR_NOTHING);
    push(s, &k, ir_make(IR_REGISTER, ir_register(IR_SGPR, CONVENTION_CHAIN_LANES, s->f->facts.wave / 32)));
    push(s, &k, split_operand(s, 1));
    if (!named) {
        push(s, &k, ir_make(IR_REGISTER, ir_register(IR_VCC, 0, 2)));
        push(s, &k, callee);
    }
    pass_all(s, &k, 2);
    for (size_t n = 0; n < s->f->arguments.count; n++)
        if (!(s->f->arguments.items[n].passed & IR_IN_SGPR))
            given += convention_dwords(s->c, s->f->values.items[s->f->arguments.items[n].value].type);
    if (s->f->facts.convention == IR_CHAIN_KEEP && k.places.vgpr > given)
        refuse(s, "a chain with more arguments than the function has, which keeps what others are in");
    if (!s->c->status)
        ir_append(s->f, OP_p_chain, k.operands.items, (unsigned)k.operands.count)->location = s->i->location;
    array_free(&k.operands);
}

// ---- Memory on the stack whose size the program decides ----

static ir_ref number(struct split *s, uint32_t n) {
    return ir_constant_bits(s->f, ir_int(s->c->m, 32), n, 0);
}

// The greatest of the active lanes' numbers: one lane after the other.
static ir_ref greatest(struct split *s, ir_ref lanes) {
    const uint16_t i1 = ir_int(s->c->m, 1), i32 = ir_int(s->c->m, 32),
                   mask = ir_int(s->c->m, s->f->facts.wave);
    const uint32_t before = split_here(s), body = before + 1, done = before + 2;
    uint32_t at, rest;
    if (ir_constant_of(s->f, lanes)) return lanes;
    const ir_ref all = SPLIT_EMIT(s, OP_ballot, mask, ir_constant_bits(s->f, i1, 1, 0));
    split_jump(s, body);
    ir_block_add(s->f);
    const ir_ref most = split_phi(s, i32, before, number(s, 0), body, &at);
    const ir_ref left = split_phi(s, mask, before, all, body, &rest);
    ir_ref lane = SPLIT_EMIT(s, OP_ffs, mask, left);
    if (mask != i32) lane = SPLIT_EMIT(s, OP_trunc, i32, lane);
    const ir_ref more = SPLIT_EMIT(s, OP_umax, i32, most, SPLIT_EMIT(s, OP_readlane, i32, lanes, lane));
    const ir_ref less = SPLIT_EMIT(s, OP_sub, mask, left, ir_constant_bits(s->f, mask, 1, 0));
    const ir_ref others = SPLIT_EMIT(s, OP_and, mask, left, less);
    const ir_ref none = SPLIT_EMIT(s, OP_eq, i1, others, ir_constant_bits(s->f, mask, 0, 0));
    split_branch(s, none, done, body);
    split_fill(s, at, more);
    split_fill(s, rest, others);
    ir_block_add(s->f);
    return more;
}

// All lanes have theirs at the same place: as much as the lane that wants most.
static void take_stack(struct split *s) {
    const uint16_t i32 = ir_int(s->c->m, 32);
    const uint32_t align = 1u << ir_memory_of(s->f, s->i)->align_log2;
    ir_ref bytes = split_operand(s, 0);
    const struct ir_constant *k = ir_constant_of(s->f, bytes);
    s->f->facts.calls = s->f->facts.dynamic_stack = 1;
    if (k)
        bytes = number(s, ((uint32_t)k->low + CONVENTION_ALIGN - 1) / CONVENTION_ALIGN * CONVENTION_ALIGN);
    else
        bytes = SPLIT_EMIT(s, OP_and, i32, SPLIT_EMIT(s, OP_add, i32, bytes, number(s, CONVENTION_ALIGN - 1)),
                           number(s, (uint32_t)-CONVENTION_ALIGN));
    const ir_ref most = greatest(s, bytes);
    ir_ref place = stack_place(s, OP_stack_top, 0);
    if (align > CONVENTION_ALIGN)
        place = SPLIT_EMIT(s, OP_and, i32, SPLIT_EMIT(s, OP_add, i32, place, number(s, align - 1)),
                           number(s, -align));
    const ir_ref top = SPLIT_EMIT(s, OP_add, i32, place, most);
    ir_append(s->f, OP_set_stack_top, &top, 1)->location = s->i->location;
    ir_append(s->f, OP_copy, &place, 1);
    ir_define(s->f, s->i->first_result);
}

static void save_stack(struct split *s) {
    const ir_ref top = stack_place(s, OP_stack_top, 0);
    s->f->facts.calls = 1;
    ir_append(s->f, OP_copy, &top, 1);
    ir_define(s->f, s->i->first_result);
}

// ---- The pass ----

static bool wanted(struct split *s) {
    const struct calls *k = s->own;
    return ir_calls(s->i->op) || (s->i->op >= OP_alloca && s->i->op <= OP_stack_restore) ||
           (!s->f->is_kernel && (!k->entered || s->i->op == OP_return));
}

static void expand(struct split *s) {
    struct calls *k = s->own;
    if (!k->entered) enter(s);
    if (s->c->status) return;
    if (s->i->op == OP_tail_call) {
        tail_call(s);
    } else if (s->i->op == OP_chain) {
        chain(s);
    } else if (ir_calls(s->i->op)) {
        call(s, convention_of(s));
    } else if (s->i->op == OP_alloca) {
        take_stack(s);
    } else if (s->i->op == OP_stack_save) {
        save_stack(s);
    } else if (s->i->op == OP_stack_restore) {
        const ir_ref top = split_operand(s, 0);
        s->f->facts.calls = 1;
        ir_append(s->f, OP_set_stack_top, &top, 1)->location = s->i->location;
    } else if (s->i->op == OP_return && k->jumped) {
        ir_append(s->f, OP_return, NULL, 0);
    } else if (s->i->op == OP_return && !s->f->is_kernel) {
        give_back(s);
    } else
        ir_copy(s->f, &s->old, s->i);
}

void compiler_calls(struct compiler *c) {
    struct calls k = {0};
    // What inline assembly changes of registers to be kept is kept in a frame.
    if (!ir_is_entry(c->f) && convention_names_kept(c)) c->f->facts.calls = 1;
    compiler_split(c, &k, wanted, expand);
}
