// SPDX-License-Identifier: MIT
// What waves begin with: arguments of kernels become loads from the kernarg segment, ids and pointers copies
// of the registers in which the hardware brings them, or in which functions are given them by those that call
// them. Only what is used is asked for. Requires: calls. Leaves: no operation that stands for an input, or
// for a place on the stack.

#include "compiler/callgraph.h"
#include "compiler/convention.h"

struct abi {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    uint32_t registers[INPUTS]; // by enum ir_input; 0: none
    ir_ref raw[INPUTS], values[INPUTS];
    ir_ref returns;     // where the function returns to, if that is wanted
    ir_ref clusters[3]; // ids of what comes as ids of work-groups: of clusters, where there are any
};

static const struct {
    uint8_t dwords;
} user_inputs[] = {[INPUT_DISPATCH_POINTER] = {2},
                   [INPUT_QUEUE_POINTER] = {2},
                   [INPUT_KERNARG] = {2},
                   [INPUT_DISPATCH_ID] = {2},
                   [INPUT_FLAT_SCRATCH] = {2}};

// The input that an operation stands for; INPUTS: none.
static enum ir_input input_of(unsigned op) {
    switch (op) {
    case OP_dispatch_pointer: return INPUT_DISPATCH_POINTER;
    case OP_queue_pointer: return INPUT_QUEUE_POINTER;
    case OP_kernarg_pointer:
    case OP_implicitarg_pointer: return INPUT_KERNARG;
    case OP_dispatch_id: return INPUT_DISPATCH_ID;
    case OP_cluster_id_x:
    case OP_workgroup_id_x: return INPUT_GROUP_X;
    case OP_cluster_id_y:
    case OP_workgroup_id_y: return INPUT_GROUP_Y;
    case OP_cluster_id_z:
    case OP_workgroup_id_z: return INPUT_GROUP_Z;
    case OP_workitem_id_x: return INPUT_ITEM_X;
    case OP_workitem_id_y: return INPUT_ITEM_Y;
    case OP_workitem_id_z: return INPUT_ITEM_Z;
    default: return INPUTS;
    }
}

static bool wants(const struct abi *a, enum ir_input i) { return a->f->facts.inputs >> i & 1; }

// What the instructions of a function need.
static uint32_t own_inputs(const struct ir_function *f) {
    uint32_t inputs = f->facts.inputs;
    for (size_t i = 0; i < f->insts.count; i++) {
        const enum ir_input in = input_of(f->insts.items[i].op);
        if (in < INPUTS) inputs |= 1u << in;
        if (f->insts.items[i].op == OP_implicitarg_pointer) inputs |= 1u << INPUT_HIDDEN;
    }
    for (size_t i = 0; i < f->operands.count && f->is_kernel; i++) {
        const struct ir_value *v = ir_value_of(f, f->operands.items[i]);
        if (v && v->def == IR_ARGUMENT_DEF) inputs |= 1u << INPUT_KERNARG;
    }
    return inputs;
}

// What functions may need whose bodies are not here.
static uint32_t unknown_inputs(const struct compiler *c) {
    const bool flat =
        has(c->processor, CAP_flat_address_space) && !has(c->processor, CAP_architected_flat_scratch);
    const uint32_t all = ((1u << INPUTS) - 1) & ~(1u << INPUT_KERNARG | 1u << INPUT_FLAT_SCRATCH);
    return flat ? all | 1u << INPUT_FLAT_SCRATCH : all;
}

// What a function may need whose body is not here: attributes rule out some of it.
static uint32_t inputs_of_unknown(const struct compiler *c, ir_ref callee) {
    if (ir_is(callee, IR_IMMEDIATE)) return 0; // by its address, of the graphics convention
    return unknown_inputs(c) &
           ~(ir_is(callee, IR_SYMBOL) ? c->m->symbols.items[ir_index(callee)].without : 0);
}

static uint32_t inputs_of_callees(const struct compiler *c, const struct ir_function *f) {
    uint32_t inputs = 0;
    for (size_t n = 0; n < f->insts.count; n++) {
        const ir_ref callee = ir_operand(f, &f->insts.items[n], 0);
        const unsigned op = f->insts.items[n].op;
        if ((op == OP_p_call || op == OP_p_tail_call) &&
            !(ir_is(callee, IR_SYMBOL) && c->calls->of_symbol[ir_index(callee)]))
            inputs |= inputs_of_unknown(c, callee);
    }
    return inputs;
}

// What the function of another object may need that takes its place.
static uint32_t inputs_of_others(const struct compiler *c, const struct ir_function *f) {
    const bool replaceable =
        !ir_is_entry(f) && f->symbol != IR_NO_DEF && c->m->symbols.items[f->symbol].replaceable;
    return replaceable && f->facts.convention == IR_OWN ? unknown_inputs(c) : 0;
}

void compiler_inputs(struct compiler *c) {
    const struct callgraph g = *callgraph_of(c);
    for (uint32_t n = 0; n < g.count && !c->status; n++)
        g.functions[n]->facts.inputs = own_inputs(g.functions[n]) | inputs_of_callees(c, g.functions[n]) |
                                       inputs_of_others(c, g.functions[n]);
    for (bool changed = true; changed && !c->status;) { // callees come first: only circles take rounds
        changed = false;
        for (uint32_t at = 0; at < g.count; at++) {
            const uint32_t n = g.order[at];
            struct ir_facts *facts = &g.functions[n]->facts;
            for (uint32_t e = g.first[n]; e < g.first[n + 1]; e++) {
                const uint32_t theirs =
                    g.functions[g.callees.items[e]]->facts.inputs & ~(1u << INPUT_KERNARG);
                changed |= (theirs & ~facts->inputs) != 0;
                facts->inputs |= theirs;
            }
        }
    }
    for (uint32_t n = 0; n < g.count && !c->status; n++) {
        struct ir_facts *facts = &g.functions[n]->facts;
        if (!g.functions[n]->is_kernel) continue;
        if (facts->inputs >> INPUT_HIDDEN & 1) facts->inputs |= 1u << INPUT_KERNARG;
        facts->hidden_offset = (facts->kernarg_bytes + 7) / 8 * 8;
    }
}

static void place_groups(struct abi *a, unsigned next) {
    for (unsigned i = INPUT_GROUP_X; i <= INPUT_GROUP_Z; i++)
        if (has(a->c->processor, CAP_architected_workgroup_ids)) // x is TTMP9; y and z share TTMP7
            a->registers[i] = ir_register(IR_TTMP, i == INPUT_GROUP_X ? 9 : 7, 1);
        else if (!a->f->is_kernel)
            a->registers[i] = convention_input(a->c, (enum ir_input)i);
        else if (wants(a, (enum ir_input)i))
            a->registers[i] = ir_register(IR_SGPR, next++, 1);
    if (a->f->facts.stack_buffer && a->f->is_kernel) a->f->facts.stack_offset = next + 1;
}

// User SGPRs in the order of the descriptor's bits, then the work-group ids that are asked for. Functions
// have them where the convention says.
static void place_inputs(struct abi *a) {
    const bool packed = has(a->c->processor, CAP_packed_workitem_ids);
    unsigned next = a->f->facts.stack_buffer ? 4 : 0;
    for (unsigned i = 0; i <= INPUT_FLAT_SCRATCH && a->f->is_kernel; i++)
        if (wants(a, (enum ir_input)i)) {
            a->registers[i] = ir_register(IR_SGPR, next, user_inputs[i].dwords);
            next += user_inputs[i].dwords;
        }
    for (unsigned i = 0; i < INPUTS && !a->f->is_kernel; i++)
        a->registers[i] = convention_input(a->c, (enum ir_input)i);
    if (a->f->is_kernel) a->f->facts.user_sgprs = next;
    if (a->f->is_kernel && wants(a, INPUT_FLAT_SCRATCH))
        a->f->facts.flat_stack = ir_register_first(a->registers[INPUT_FLAT_SCRATCH]) + 1;
    place_groups(a, next);
    for (unsigned i = INPUT_ITEM_X; i <= INPUT_ITEM_Z && a->f->is_kernel; i++)
        a->registers[i] = ir_register(IR_VGPR, packed ? 0 : i - INPUT_ITEM_X, 1);
}

// Where there is no register for it, the stack is reached through a buffer, which functions are given.
static void ask_for_stack(struct abi *a) {
    bool used = a->f->facts.stack || a->f->facts.calls || !ir_is_entry(a->f) || wants(a, INPUT_FLAT_SCRATCH);
    for (size_t n = 0; n < a->f->memory.count; n++) used |= a->f->memory.items[n].space == IR_PRIVATE;
    a->f->facts.stack_buffer = used && !has(a->c->processor, CAP_architected_flat_scratch);
    if (a->f->facts.stack_buffer && ir_is_entry(a->f) && !a->f->is_kernel &&
        !compiler_take_shader_stack(a->c))
        compiler_refuse(a->c, NULL, "a shader with memory on the stack, or a call, on this processor");
}

// What a wave begins with besides arguments: kernels and what they call alone, but for the ids of work-groups
// where these are in registers of their own.
static void refuse_inputs(struct abi *a) {
    const uint32_t groups = 7u << INPUT_GROUP_X;
    const uint32_t known = has(a->c->processor, CAP_architected_workgroup_ids) ? groups : 0;
    if (a->f->facts.convention != IR_OWN && a->f->facts.inputs & ~known)
        compiler_refuse(a->c, NULL, "a shader that asks for what only kernels begin with");
}

static ir_ref number(struct abi *a, uint32_t n) { return ir_constant_bits(a->f, ir_int(a->c->m, 32), n, 0); }

// Buffers count for all lanes of a wave.
static ir_ref wave_log2(struct abi *a) { return number(a, a->f->facts.wave == 64 ? 6 : 5); }

// Bits of a register that several inputs share.
static ir_ref field(struct abi *a, ir_ref whole, unsigned first, unsigned bits) {
    const uint16_t i32 = ir_int(a->c->m, 32);
    if (first) whole = ir_emit(a->f, OP_lshr, i32, (ir_ref[]){whole, number(a, first)}, 2);
    if (first + bits >= 32) return whole;
    return ir_emit(a->f, OP_and, i32, (ir_ref[]){whole, number(a, (1u << bits) - 1)}, 2);
}

static bool is_item(enum ir_input i) { return i >= INPUT_ITEM_X && i <= INPUT_ITEM_Z; }

// True if the register has the ids of all three dimensions, ten bits each.
static bool is_packed(const struct abi *a) {
    const bool items = wants(a, INPUT_ITEM_Y) || wants(a, INPUT_ITEM_Z);
    return !a->f->is_kernel || (has(a->c->processor, CAP_packed_workitem_ids) && items);
}

static void copy_input(struct abi *a, enum ir_input i) {
    const unsigned dwords = ir_register_dwords(a->registers[i]);
    const ir_ref fixed = ir_make(IR_REGISTER, a->registers[i]);
    a->raw[i] = ir_emit(a->f, OP_copy, ir_int(a->c->m, dwords * 32), &fixed, 1);
}

// What is called changes the register.
static void take_return(struct abi *a) {
    const ir_ref fixed = ir_make(IR_REGISTER, ir_register(IR_SGPR, CONVENTION_RETURN, 2));
    bool wanted = false;
    for (size_t n = 0; n < a->old.insts.count; n++) wanted |= a->old.insts.items[n].op == OP_return_address;
    if (wanted) a->returns = ir_emit(a->f, OP_copy, ir_int(a->c->m, 64), &fixed, 1);
}

// The id of a work-group by that of its cluster, where it is in one: TTMP6 has its place in the cluster, in
// four bits for each dimension, and behind these the cluster's size, less one.
static ir_ref group_in_cluster(struct abi *a, ir_ref id, unsigned dimension) {
#define TWO(op, x, y) ir_emit(a->f, OP_##op, i32, (ir_ref[]){x, y}, 2)
    enum { CLUSTER_OF_GROUP = 28 | 6 << 6 | 3 << 11 }; // four bits of IB_STS2: 0 where there is no cluster
    const uint16_t i32 = ir_int(a->c->m, 32);
    const ir_ref which = ir_immediate(CLUSTER_OF_GROUP),
                 fixed = ir_make(IR_REGISTER, ir_register(IR_TTMP, 6, 1));
    const ir_ref cluster = ir_emit(a->f, OP_hardware_field, i32, &which, 1),
                 places = ir_emit(a->f, OP_copy, i32, &fixed, 1);
    const ir_ref size = TWO(add, field(a, places, 12 + 4 * dimension, 4), number(a, 1)),
                 own = TWO(add, TWO(mul, id, size), field(a, places, 4 * dimension, 4)),
                 none = TWO(ashr, TWO(sub, cluster, number(a, 1)), number(a, 31)); // all ones or nothing
    return TWO(xor, own, TWO(and, TWO(xor, own, id), none));
#undef TWO
}

// The input itself, from its register.
static void take_input(struct abi *a, enum ir_input i) {
    ir_ref v = a->raw[i];
    if (is_item(i) && is_packed(a)) v = field(a, v, (i - INPUT_ITEM_X) * 10u, 10);
    if ((i == INPUT_GROUP_Y || i == INPUT_GROUP_Z) && has(a->c->processor, CAP_architected_workgroup_ids))
        v = field(a, v, i == INPUT_GROUP_Y ? 0 : 16, 16);
    if (i >= INPUT_GROUP_X && i <= INPUT_GROUP_Z) a->clusters[i - INPUT_GROUP_X] = v;
    if (i >= INPUT_GROUP_X && i <= INPUT_GROUP_Z && has(a->c->processor, CAP_clusters))
        v = group_in_cluster(a, v, i - INPUT_GROUP_X);
    a->values[i] = v;
}

static void take_inputs(struct abi *a) {
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < INPUTS; i++)
            if (wants(a, (enum ir_input)i) && a->registers[i] && i != INPUT_FLAT_SCRATCH)
                (pass ? take_input : copy_input)(a, (enum ir_input)i);
}

// ---- What functions are given ----

static ir_ref hidden(struct abi *a) {
    const uint16_t i64 = ir_int(a->c->m, 64);
    if (!a->f->is_kernel) return a->values[INPUT_HIDDEN];
    return ir_emit(
        a->f, OP_add, i64,
        (ir_ref[]){a->values[INPUT_KERNARG], ir_constant_bits(a->f, i64, a->f->facts.hidden_offset, 0)}, 2);
}

// The ids of the work-item, of those dimensions that are wanted.
static ir_ref item_ids(struct abi *a) {
    const uint16_t i32 = ir_int(a->c->m, 32);
    ir_ref all = IR_NOTHING;
    for (unsigned i = INPUT_ITEM_X; i <= INPUT_ITEM_Z; i++) {
        if (!wants(a, (enum ir_input)i)) continue;
        if (is_packed(a)) return a->raw[i];
        ir_ref id = a->values[i];
        if (i != INPUT_ITEM_X)
            id = ir_emit(a->f, OP_shl, i32, (ir_ref[]){id, number(a, (i - INPUT_ITEM_X) * 10)}, 2);
        all = ir_is(all, IR_NONE) ? id : ir_emit(a->f, OP_or, i32, (ir_ref[]){all, id}, 2);
    }
    return all;
}

static uint32_t wanted_by(const struct abi *a, ir_ref callee) {
    const uint32_t f = ir_is(callee, IR_SYMBOL) ? a->c->calls->of_symbol[ir_index(callee)] : 0;
    return f ? a->c->calls->functions[f - 1]->facts.inputs : inputs_of_unknown(a->c, callee);
}

// A call also passes what the wave began with, as far as the function may need it.
static void pass_inputs(struct abi *a, const struct ir_inst *i) {
    const ir_ref *old = a->old.operands.items + i->first_operand;
    const uint32_t wanted = wanted_by(a, old[0]);
    ARRAY(ir_ref) operands = {0};
    bool items = false, done = true;
    for (unsigned n = 0; n < i->operands; n++) done &= array_push(&operands, old[n]);
    for (unsigned in = 0; in < INPUTS; in++) {
        const uint32_t r = convention_input(a->c, (enum ir_input)in);
        if (!r || !(wanted >> in & 1) || in == INPUT_FLAT_SCRATCH || (is_item(in) && items)) continue;
        items |= is_item(in);
        done &= array_push(&operands, ir_make(IR_REGISTER, r)) &&
                array_push(&operands, is_item(in)          ? item_ids(a)
                                      : in == INPUT_HIDDEN ? hidden(a)
                                                           : a->values[in]);
    }
    struct ir_inst *copy = ir_copy(a->f, &a->old, i);
    if (!done || !ir_set_operands(a->f, copy, operands.items, operands.count)) compiler_no_memory(a->c);
    array_free(&operands);
}

// ---- Places on the stack, as lanes address it ----

static void place_on_stack(struct abi *a, const struct ir_inst *i) {
    const struct ir_facts *facts = &a->f->facts;
    const uint16_t i32 = ir_int(a->c->m, 32);
    const bool top = i->op == OP_stack_top, frame = i->op == OP_frame_base && facts->incoming;
    const unsigned number_of = top || !facts->calls ? CONVENTION_STACK_TOP : CONVENTION_FRAME;
    const ir_ref fixed = ir_make(IR_REGISTER, ir_register(IR_SGPR, number_of, 1));
    const ir_ref base = ir_emit(a->f, OP_copy, i32, &fixed, 1);
    // Buffers count for all lanes.
    const ir_ref lane =
        facts->stack_buffer ? ir_emit(a->f, OP_lshr, i32, (ir_ref[]){base, wave_log2(a)}, 2) : base;
    if (frame)
        ir_append(a->f, OP_add, (ir_ref[]){lane, number(a, facts->incoming)}, 2);
    else
        ir_append(a->f, OP_copy, &lane, 1);
    ir_define(a->f, i->first_result);
}

static void load_argument(struct abi *a, struct ir_argument *argument) {
    struct ir_function *f = a->f;
    const uint16_t type = f->values.items[argument->value].type, i32 = ir_int(a->c->m, 32);
    const unsigned bits = ir_type_bits(a->c->m, type);
    const bool small = argument->size < 4;
    struct ir_memory m = {.space = IR_CONSTANT_SPACE,
                          .bytes = (uint8_t)argument->size,
                          .align_log2 = 2,
                          .flags = IR_INVARIANT | IR_DEREFERENCEABLE};
    const ir_ref address[] = {a->values[INPUT_KERNARG],
                              ir_immediate((int32_t)(small ? argument->offset & ~3u : argument->offset))};
    if (argument->size > 64) {
        compiler_refuse(a->c, NULL, "an argument of more than 64 bytes");
        return;
    }
    if (small) m.bytes = 4;
    struct ir_inst *i = ir_append(f, OP_load, address, 2);
    i->memory = ir_memory_add(f, &m);
    if (!small && bits == argument->size * 8) {
        ir_define(f, argument->value);
    } else if (small && bits < 32 && ir_type_at(a->c->m, type)->kind == IR_INT &&
               ir_type_at(a->c->m, type)->count == 1) {
        ir_ref v = ir_result(f, i32);
        if (argument->offset & 3)
            v = ir_emit(f, OP_lshr, i32, (ir_ref[]){v, number(a, (argument->offset & 3) * 8)}, 2);
        ir_append(f, OP_trunc, &v, 1);
        ir_define(f, argument->value);
    } else
        compiler_refuse(a->c, NULL, "an argument of this type");
    // The argument itself stays, for the metadata.
    argument->value = ir_value_add(f, type);
    f->values.items[argument->value].def = IR_ARGUMENT_DEF;
}

static void set_stack_top(struct abi *a, ir_ref lane) {
    const ir_ref top = a->f->facts.stack_buffer
                           ? ir_emit(a->f, OP_shl, ir_int(a->c->m, 32), (ir_ref[]){lane, wave_log2(a)}, 2)
                           : lane;
    ir_append(a->f, OP_p_moves,
              (ir_ref[]){ir_make(IR_REGISTER, ir_register(IR_SGPR, CONVENTION_STACK_TOP, 1)), top}, 2);
}

// The place of a work-group in its cluster, or of a wave in its work-group.
static void take_place(struct abi *a, const struct ir_inst *i) {
    const bool wave = i->op == OP_wave_id;
    const enum capability needed = wave ? CAP_architected_workgroup_ids : CAP_clusters;
    const ir_ref fixed = ir_make(IR_REGISTER, ir_register(IR_TTMP, wave ? 8 : 6, 1));
    if (!has(a->c->processor, needed)) {
        compiler_refuse(a->c, i, "a place in a cluster or a work-group on this processor");
        return;
    }
    const unsigned first = wave ? 25 : 4 * (unsigned)ir_number(a->old.operands.items[i->first_operand]);
    const ir_ref v = field(a, ir_emit(a->f, OP_copy, ir_int(a->c->m, 32), &fixed, 1), first, wave ? 5 : 4);
    ir_append(a->f, OP_copy, &v, 1);
    ir_define(a->f, i->first_result);
}

static bool is_of_cluster(unsigned op) {
    return op == OP_cluster_id_x || op == OP_cluster_id_y || op == OP_cluster_id_z;
}

static void replace(struct abi *a, const struct ir_inst *i) {
    const enum ir_input in = input_of(i->op);
    ir_ref v = in < INPUTS ? a->values[in] : IR_NOTHING;
    if (is_of_cluster(i->op)) {
        v = a->clusters[in - INPUT_GROUP_X];
        if (!has(a->c->processor, CAP_clusters))
            compiler_refuse(a->c, i, "the id of a cluster on this processor");
    }
    if (i->op == OP_p_call || i->op == OP_p_tail_call) {
        pass_inputs(a, i);
    } else if (i->op == OP_frame_base || i->op == OP_stack_arguments || i->op == OP_stack_top) {
        place_on_stack(a, i);
    } else if (i->op == OP_set_stack_top) {
        set_stack_top(a, a->old.operands.items[i->first_operand]);
    } else if (i->op == OP_cluster_place || i->op == OP_wave_id) {
        take_place(a, i);
    } else if (i->op == OP_return_address) {
        ir_append(a->f, OP_copy, &a->returns, 1);
        ir_define(a->f, i->first_result);
    } else if (in == INPUTS) {
        ir_copy(a->f, &a->old, i);
    } else {
        if (i->op == OP_implicitarg_pointer) v = hidden(a);
        if (i->op == OP_kernarg_pointer && !a->f->is_kernel) // nobody passes it
            v = ir_constant_bits(a->f, ir_int(a->c->m, 64), 0, 0);
        ir_append(a->f, OP_copy, &v, 1);
        ir_define(a->f, i->first_result);
    }
}

static void write_all(struct abi *a, const bool *argument_used) {
    for (size_t b = 0; b < a->old.blocks.count; b++) {
        const struct ir_block *block = &a->old.blocks.items[b];
        ir_block_add(a->f);
        if (!b) {
            take_inputs(a);
            take_return(a);
            for (size_t n = 0; n < a->f->arguments.count && a->f->is_kernel && !a->c->status; n++)
                if (argument_used[n]) load_argument(a, &a->f->arguments.items[n]);
        }
        for (uint32_t n = 0; n < block->count && !a->c->status && !a->c->m->failed; n++)
            replace(a, &a->old.insts.items[block->first + n]);
    }
}

void compiler_abi(struct compiler *c) {
    struct abi a = {.c = c, .f = c->f};
    // Which arguments are used is known only before the instructions are taken.
    bool *argument_used = calloc(c->f->arguments.count + 1, 1);
    if (!argument_used) compiler_no_memory(c);
    for (size_t n = 0; !c->status && n < c->f->arguments.count; n++)
        for (size_t i = 0; i < c->f->operands.count; i++)
            argument_used[n] |= c->f->operands.items[i] == ir_make(IR_VALUE, c->f->arguments.items[n].value);
    ask_for_stack(&a);
    refuse_inputs(&a);
    place_inputs(&a);
    ir_take(c->f, &a.old);
    if (!c->status) write_all(&a, argument_used);
    free(argument_used);
    ir_old_free(&a.old);
}
