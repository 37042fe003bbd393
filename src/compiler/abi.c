// SPDX-License-Identifier: MIT
// What a kernel begins with: arguments become loads from the kernarg segment, ids and pointers become copies
// of the registers in which the hardware brings them. Only what is used is asked for. Requires: read. Leaves:
// no operation that stands for an input of the kernel.

#include "compiler/input.h"
#include "compiler/passes.h"

struct abi {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    uint32_t registers[INPUTS]; // by enum compiler_input
    ir_ref values[INPUTS];
};

static const struct {
    uint8_t dwords;
} user_inputs[] = {[INPUT_DISPATCH_POINTER] = {2},
                   [INPUT_QUEUE_POINTER] = {2},
                   [INPUT_KERNARG] = {2},
                   [INPUT_DISPATCH_ID] = {2},
                   [INPUT_FLAT_SCRATCH] = {2}};

// The input that an operation stands for; INPUTS: none.
static enum compiler_input input_of(unsigned op) {
    switch (op) {
    case OP_dispatch_pointer: return INPUT_DISPATCH_POINTER;
    case OP_queue_pointer: return INPUT_QUEUE_POINTER;
    case OP_kernarg_pointer:
    case OP_implicitarg_pointer: return INPUT_KERNARG;
    case OP_dispatch_id: return INPUT_DISPATCH_ID;
    case OP_workgroup_id_x: return INPUT_GROUP_X;
    case OP_workgroup_id_y: return INPUT_GROUP_Y;
    case OP_workgroup_id_z: return INPUT_GROUP_Z;
    case OP_workitem_id_x: return INPUT_ITEM_X;
    case OP_workitem_id_y: return INPUT_ITEM_Y;
    case OP_workitem_id_z: return INPUT_ITEM_Z;
    default: return INPUTS;
    }
}

static bool wants(const struct abi *a, enum compiler_input i) { return a->f->facts.inputs >> i & 1; }

static void find_inputs(struct abi *a) {
    struct ir_facts *facts = &a->f->facts;
    for (size_t i = 0; i < a->f->insts.count; i++) {
        const struct ir_inst *inst = &a->f->insts.items[i];
        const enum compiler_input in = input_of(inst->op);
        if (in < INPUTS) facts->inputs |= 1u << in;
        if (inst->op == OP_implicitarg_pointer) facts->hidden_offset = (facts->kernarg_bytes + 7) / 8 * 8;
        if (inst->op == OP_implicitarg_pointer) facts->inputs |= 1u << INPUT_HIDDEN;
    }
    for (size_t i = 0; i < a->f->operands.count; i++) {
        const struct ir_value *v = ir_value_of(a->f, a->f->operands.items[i]);
        if (v && v->def == IR_ARGUMENT_DEF) facts->inputs |= 1u << INPUT_KERNARG;
    }
}

// User SGPRs in the order of the descriptor's bits, then the work-group ids that are asked for.
static void place_inputs(struct abi *a) {
    const sw_processor *p = a->c->processor;
    unsigned next = a->f->facts.stack_buffer ? 4 : 0;
    for (unsigned i = 0; i <= INPUT_FLAT_SCRATCH; i++)
        if (wants(a, (enum compiler_input)i)) {
            a->registers[i] = ir_register(IR_SGPR, next, user_inputs[i].dwords);
            next += user_inputs[i].dwords;
        }
    a->f->facts.user_sgprs = next;
    if (wants(a, INPUT_FLAT_SCRATCH))
        a->f->facts.flat_stack = ir_register_first(a->registers[INPUT_FLAT_SCRATCH]) + 1;
    for (unsigned i = INPUT_GROUP_X; i <= INPUT_GROUP_Z; i++)
        if (has(p, CAP_architected_workgroup_ids)) // x is TTMP9; y and z share TTMP7
            a->registers[i] = ir_register(IR_TTMP, i == INPUT_GROUP_X ? 9 : 7, 1);
        else if (wants(a, (enum compiler_input)i))
            a->registers[i] = ir_register(IR_SGPR, next++, 1);
    if (a->f->facts.stack_buffer) a->f->facts.stack_offset = next + 1;
    for (unsigned i = INPUT_ITEM_X; i <= INPUT_ITEM_Z; i++)
        a->registers[i] = ir_register(IR_VGPR, has(p, CAP_packed_workitem_ids) ? 0 : i - INPUT_ITEM_X, 1);
}

// Where there is no register for it, the stack is reached through a buffer.
static void ask_for_stack(struct abi *a) {
    bool used = a->f->facts.stack || wants(a, INPUT_FLAT_SCRATCH);
    for (size_t n = 0; n < a->f->memory.count; n++) used |= a->f->memory.items[n].space == IR_PRIVATE;
    a->f->facts.stack_buffer = used && !has(a->c->processor, CAP_architected_flat_scratch);
}

static ir_ref number(struct abi *a, uint32_t n) { return ir_constant_bits(a->f, ir_int(a->c->m, 32), n, 0); }

// Bits of a register that several inputs share.
static ir_ref field(struct abi *a, ir_ref whole, unsigned first, unsigned bits) {
    const uint16_t i32 = ir_int(a->c->m, 32);
    if (first) whole = ir_emit(a->f, OP_lshr, i32, (ir_ref[]){whole, number(a, first)}, 2);
    if (first + bits >= 32) return whole;
    return ir_emit(a->f, OP_and, i32, (ir_ref[]){whole, number(a, (1u << bits) - 1)}, 2);
}

static void copy_input(struct abi *a, enum compiler_input i) {
    const sw_processor *p = a->c->processor;
    const unsigned dwords = ir_register_dwords(a->registers[i]);
    const ir_ref fixed = ir_make(IR_REGISTER, a->registers[i]);
    const bool items = wants(a, INPUT_ITEM_Y) || wants(a, INPUT_ITEM_Z);
    ir_ref v = ir_emit(a->f, OP_copy, ir_int(a->c->m, dwords * 32), &fixed, 1);
    if (i >= INPUT_ITEM_X && has(p, CAP_packed_workitem_ids) && items)
        v = field(a, v, (i - INPUT_ITEM_X) * 10u, 10);
    if ((i == INPUT_GROUP_Y || i == INPUT_GROUP_Z) && has(p, CAP_architected_workgroup_ids))
        v = field(a, v, i == INPUT_GROUP_Y ? 0 : 16, 16);
    a->values[i] = v;
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

static void replace(struct abi *a, const struct ir_inst *i) {
    const enum compiler_input in = input_of(i->op);
    if (in == INPUTS) {
        ir_copy(a->f, &a->old, i);
        return;
    }
    if (i->op == OP_implicitarg_pointer)
        ir_append(a->f, OP_add,
                  (ir_ref[]){a->values[in],
                             ir_constant_bits(a->f, ir_int(a->c->m, 64), a->f->facts.hidden_offset, 0)},
                  2);
    else
        ir_append(a->f, OP_copy, &a->values[in], 1);
    ir_define(a->f, i->first_result);
}

void compiler_abi(struct compiler *c) {
    struct abi a = {.c = c, .f = c->f};
    if (!c->f->is_kernel) {
        compiler_refuse(c, NULL, "a function that is no kernel");
        return;
    }
    find_inputs(&a);
    ask_for_stack(&a);
    place_inputs(&a);
    // Which arguments are used is known only before the instructions are taken.
    bool *argument_used = calloc(c->f->arguments.count + 1, 1);
    for (size_t n = 0; argument_used && n < c->f->arguments.count; n++)
        for (size_t i = 0; i < c->f->operands.count; i++)
            argument_used[n] |= c->f->operands.items[i] == ir_make(IR_VALUE, c->f->arguments.items[n].value);
    ir_take(c->f, &a.old);
    for (size_t b = 0; b < a.old.blocks.count && argument_used; b++) {
        ir_block_add(c->f);
        if (!b) {
            for (unsigned i = 0; i < INPUTS; i++)
                if (wants(&a, (enum compiler_input)i) && i != INPUT_HIDDEN && i != INPUT_FLAT_SCRATCH)
                    copy_input(&a, (enum compiler_input)i);
            for (size_t n = 0; n < c->f->arguments.count && !c->status; n++)
                if (argument_used[n]) load_argument(&a, &c->f->arguments.items[n]);
        }
        const struct ir_block *block = &a.old.blocks.items[b];
        for (uint32_t n = 0; n < block->count && !c->status; n++)
            replace(&a, &a.old.insts.items[block->first + n]);
    }
    if (!argument_used) compiler_no_memory(c);
    free(argument_used);
    ir_old_free(&a.old);
}
