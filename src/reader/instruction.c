// SPDX-License-Identifier: MIT
// Instructions other than memory accesses and calls. LLVM's opcodes that compute become operations of the
// same meaning. Ours are total: where LLVM leaves a result undefined they have one, and the flag `partial`
// says that such operands do not occur.
#include "reader/reader.h"

#include <stdio.h>

// LLVMOpcode, as far as llvm.h does not name them.
enum {
    BRANCH = 2,
    SWITCH = 3,
    UNREACHABLE = 7,
    FADD = 9,
    FSUB = 11,
    FMUL = 13,
    UDIV,
    SDIV,
    FDIV,
    UREM,
    SREM,
    FREM,
    FPTOUI = 33,
    FPTOSI,
    UITOFP,
    SITOFP,
    FPTRUNC,
    FPEXT,
    FCMP = 43,
    EXTRACT_VALUE = 53,
    INSERT_VALUE,
    FENCE,
    FNEG = 66,
    FREEZE = 68,
};
enum { NO_OPERATION = OPERATIONS };

// Operations with the same operands as LLVM's, by opcode; 0: not such a one. OP_add is 0 itself.
static unsigned simple(int opcode) {
    static const struct {
        uint8_t opcode;
        uint16_t op;
    } table[] = {
        {LLVM_ADD, OP_add},   {LLVM_SUB, OP_sub},    {LLVM_MUL, OP_mul},     {LLVM_SHL, OP_shl},
        {LLVM_LSHR, OP_lshr}, {LLVM_ASHR, OP_ashr},  {LLVM_AND, OP_and},     {LLVM_OR, OP_or},
        {LLVM_XOR, OP_xor},   {FADD, OP_fadd},       {FSUB, OP_fsub},        {FMUL, OP_fmul},
        {UDIV, OP_udiv},      {SDIV, OP_sdiv},       {FDIV, OP_fdiv},        {UREM, OP_urem},
        {SREM, OP_srem},      {FREM, OP_frem},       {LLVM_TRUNC, OP_trunc}, {LLVM_ZEXT, OP_zext},
        {LLVM_SEXT, OP_sext}, {FPTOUI, OP_fptoui},   {FPTOSI, OP_fptosi},    {UITOFP, OP_uitofp},
        {SITOFP, OP_sitofp},  {FPTRUNC, OP_fptrunc}, {FPEXT, OP_fpext},      {LLVM_SELECT, OP_select},
        {FNEG, OP_fneg},      {FREEZE, OP_freeze},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].opcode == opcode) return table[i].op;
    return NO_OPERATION;
}

// Flags that LLVM gives instructions, each asked where it may be asked.
static unsigned flags_of(struct reader *r, llvm_ref inst, int opcode) {
    const struct llvm *l = r->l;
    unsigned flags = 0;
    switch (opcode) {
    case LLVM_ADD:
    case LLVM_SUB:
    case LLVM_MUL:
    case LLVM_SHL:
    case LLVM_TRUNC: flags = (l->GetNUW(inst) ? IR_NUW : 0) | (l->GetNSW(inst) ? IR_NSW : 0); break;
    case UDIV:
    case SDIV:
    case LLVM_LSHR:
    case LLVM_ASHR: flags = l->GetExact(inst) ? IR_EXACT : 0; break;
    case LLVM_OR: flags = l->GetIsDisjoint(inst) ? IR_DISJOINT : 0; break;
    case LLVM_ZEXT:
    case UITOFP: flags = l->GetNNeg(inst) ? IR_NNEG : 0; break;
    default:
        if (l->CanValueUseFastMathFlags(inst)) flags = l->GetFastMathFlags(inst) << IR_FAST_SHIFT & IR_FAST;
    }
    if (opcode == FDIV && reader_is_rough(r, inst)) flags |= IR_ARCP;
    // Shifts by the width or more, and values that do not fit a conversion's result.
    if (opcode == LLVM_SHL || opcode == LLVM_LSHR || opcode == LLVM_ASHR || opcode == FPTOUI ||
        opcode == FPTOSI)
        flags |= IR_PARTIAL;
    return flags;
}

static void compute(struct reader *r, llvm_ref inst, unsigned op, int opcode) {
    const unsigned count = (unsigned)r->l->GetNumOperands(inst);
    ir_ref operands[3];
    if (reader_is_aggregate(r, r->l->TypeOf(inst)) && (op == OP_select || op == OP_freeze)) {
        reader_aggregate(r, inst, op);
        return;
    }
    if (reader_is_aggregate(r, r->l->TypeOf(inst)) || count > 3) {
        reader_refuse(r, "an operation on an aggregate");
        return;
    }
    for (unsigned i = 0; i < count; i++) operands[i] = reader_value_of(r, r->l->GetOperand(inst, i));
    const uint16_t type = reader_type_of(r, inst);
    if (!r->status) reader_set(r, inst, reader_emit(r, op, type, flags_of(r, inst, opcode), operands, count));
}

static void compare(struct reader *r, llvm_ref inst, bool is_float) {
    static const uint16_t integer[] = {OP_eq,  OP_ne,  OP_ugt, OP_uge, OP_ult,
                                       OP_ule, OP_sgt, OP_sge, OP_slt, OP_sle};
    static const uint16_t real[] = {0,       OP_foeq, OP_fogt, OP_foge, OP_folt, OP_fole, OP_fone, OP_ford,
                                    OP_funo, OP_fueq, OP_fugt, OP_fuge, OP_fult, OP_fule, OP_fune, 0};
    const int predicate = is_float ? r->l->GetFCmpPredicate(inst) : r->l->GetICmpPredicate(inst) - LLVM_EQ;
    const ir_ref a = reader_value_of(r, r->l->GetOperand(inst, 0)),
                 b = reader_value_of(r, r->l->GetOperand(inst, 1));
    const uint16_t type = reader_type_of(r, inst);
    if (r->status) return;
    if (is_float && (predicate == 0 || predicate == 15) && ir_type_at(r->m, type)->count == 1) {
        reader_set(r, inst, ir_constant_bits(r->f, type, predicate == 15, 0));
        return;
    }
    if (predicate < (is_float ? 1 : 0) || predicate > (is_float ? 14 : 9)) {
        reader_refuse(r, "a comparison of this kind");
        return;
    }
    const unsigned flags = is_float ? flags_of(r, inst, FCMP) : 0;
    reader_set(r, inst, READER_EMIT(r, is_float ? real[predicate] : integer[predicate], type, flags, a, b));
}

// Casts between pointers, integers and types of one width.
static void cast(struct reader *r, llvm_ref inst) {
    const ir_ref a = reader_value_of(r, r->l->GetOperand(inst, 0));
    const uint16_t to = reader_type_of(r, inst);
    if (r->status) return;
    const uint16_t from = ir_ref_type(r->f, a);
    const unsigned have = ir_type_bits(r->m, from), want = ir_type_bits(r->m, to);
    const bool integers = ir_type_at(r->m, from)->kind == IR_INT && ir_type_at(r->m, to)->kind == IR_INT;
    if (from == to)
        reader_set(r, inst, a);
    else if (have == want)
        reader_set(r, inst, READER_EMIT(r, OP_bitcast, to, 0, a));
    else if (integers)
        reader_set(r, inst, READER_EMIT(r, have < want ? OP_zext : OP_trunc, to, 0, a));
    else
        reader_refuse(r, "a cast of this kind");
}

static unsigned space_of(struct reader *r, llvm_ref type) {
    const bool vector = r->l->GetTypeKind(type) == LLVM_VECTOR;
    return r->l->GetPointerAddressSpace(vector ? r->l->GetElementType(type) : type);
}

// Each address of a vector is cast by itself.
ir_ref reader_space_cast(struct reader *r, llvm_ref inst, ir_ref address) {
    const unsigned from = space_of(r, r->l->TypeOf(r->l->GetOperand(inst, 0)));
    const unsigned to = space_of(r, r->l->TypeOf(inst));
    const uint16_t type = reader_type_of(r, inst);
    if (!r->status && (from >= IR_SPACES || to >= IR_SPACES))
        reader_refuse(r, "an address space of this number");
    if (r->status) return IR_NOTHING;
    const struct ir_type own = *ir_type_at(r->m, type);
    const struct ir_memory m = {.space = (uint8_t)to, .cache = (uint8_t)from};
    const uint16_t here = ir_int(r->m, ir_type_at(r->m, ir_ref_type(r->f, address))->bits);
    ir_ref all[IR_MOST_ELEMENTS];
    for (unsigned n = 0; n < own.count && !r->status; n++) {
        const ir_ref one = own.count > 1 ? READER_EMIT(r, OP_extract, here, 0, address,
                                                       ir_constant_bits(r->f, ir_int(r->m, 32), n, 0))
                                         : address;
        all[n] = READER_EMIT(r, OP_space_cast, ir_int(r->m, own.bits), 0, one);
        ir_def(r->f, all[n])->memory = ir_memory_add(r->f, &m);
    }
    return own.count > 1 ? reader_emit(r, OP_vector, type, 0, all, own.count) : all[0];
}

// ---- Ends of blocks ----

static ir_ref block_operand(struct reader *r, llvm_ref block) {
    return ir_make(IR_BLOCK, reader_block(r, block));
}

static void branch(struct reader *r, llvm_ref inst) {
    const struct llvm *l = r->l;
    const bool conditional = l->GetNumSuccessors(inst) == 2;
    if (!conditional || l->GetSuccessor(inst, 0) == l->GetSuccessor(inst, 1)) {
        reader_append(r, OP_jump, (const ir_ref[]){block_operand(r, l->GetSuccessor(inst, 0))}, 1);
        return;
    }
    const ir_ref condition = reader_value_of(r, l->GetCondition(inst));
    if (r->status) return;
    reader_append(r, OP_branch,
                  (const ir_ref[]){condition, block_operand(r, l->GetSuccessor(inst, 0)),
                                   block_operand(r, l->GetSuccessor(inst, 1))},
                  3);
}

static void read_switch(struct reader *r, llvm_ref inst) {
    const struct llvm *l = r->l;
    const unsigned successors = l->GetNumSuccessors(inst);
    ARRAY(ir_ref) operands = {0};
    bool kept = array_push(&operands, reader_value_of(r, l->GetOperand(inst, 0))) &&
                array_push(&operands, block_operand(r, l->GetSwitchDefaultDest(inst)));
    for (unsigned i = 1; i < successors && kept && !r->status; i++)
        kept = array_push(&operands, reader_constant(r, l->GetSwitchCaseValue(inst, i))) &&
               array_push(&operands, block_operand(r, l->GetSuccessor(inst, i)));
    if (!kept)
        reader_no_memory(r);
    else if (operands.count > 0xffff)
        reader_refuse(r, "a switch with more than 32766 cases");
    else if (!r->status)
        reader_append(r, OP_switch, operands.items, (unsigned)operands.count);
    array_free(&operands);
}

static void read_return(struct reader *r, llvm_ref inst) {
    if (!r->l->GetNumOperands(inst)) {
        reader_append(r, OP_return, NULL, 0);
        return;
    }
    const llvm_ref value = r->l->GetOperand(inst, 0);
    ARRAY(ir_ref) leaves = {0};
    if (!ir_is(r->result_place, IR_NONE)) {
        reader_store_to(r, value, r->result_place);
        if (!r->status) reader_append(r, OP_return, NULL, 0);
        return;
    }
    const unsigned count = reader_leaf_count(r, r->l->TypeOf(value));
    for (unsigned n = 0; n < count && !r->status; n++)
        if (!array_push(&leaves, reader_leaf(r, value, n))) reader_no_memory(r);
    if (!r->status) reader_append(r, OP_return, leaves.items, (unsigned)leaves.count);
    array_free(&leaves);
}

// Memory whose size the program decides, or that it takes again each time it comes there.
static void dynamic_alloca(struct reader *r, llvm_ref inst, ir_ref count, uint32_t size, uint32_t align) {
    const uint16_t i32 = ir_int(r->m, 32);
    const unsigned bits = ir_type_bits(r->m, ir_ref_type(r->f, count));
    struct ir_memory m = {.space = IR_PRIVATE};
    if (bits != 32) count = READER_EMIT(r, bits > 32 ? OP_trunc : OP_zext, i32, 0, count);
    while (1u << m.align_log2 < align) m.align_log2++;
    const ir_ref bytes = READER_EMIT(r, OP_mul, i32, 0, count, ir_constant_bits(r->f, i32, size, 0));
    const ir_ref place = READER_EMIT(r, OP_alloca, i32, 0, bytes);
    if (r->status || r->m->failed) return;
    r->f->insts.items[r->f->insts.count - 1].memory = ir_memory_add(r->f, &m);
    reader_set(r, inst, place);
}

// Memory on the stack. A kernel's own begins at 0; a function's where its frame does, which is a multiple of
// 16.
static void read_alloca(struct reader *r, llvm_ref inst) {
    enum { MOST_STACK = 1 << 20, FRAME_ALIGN = 16 };
    const struct llvm *l = r->l;
    const llvm_ref type = l->GetAllocatedType(inst);
    const ir_ref count = reader_value_of(r, l->GetOperand(inst, 0));
    const struct ir_constant *n = r->status ? NULL : ir_constant_of(r->f, count);
    const uint16_t address = ir_int(r->m, 32);
    const uint64_t size = reader_size(r, type), stated = l->GetAlignment(inst),
                   align = stated ? stated : reader_align(r, type);
    const bool at_entry = l->GetInstructionParent(inst) == l->GetFirstBasicBlock(r->function);
    const bool moves = !ir_is_entry(r->f) && align > FRAME_ALIGN; // its place in the frame is not known
    if (r->status) return;
    uint64_t at = (r->f->facts.stack + align - 1) / align * align;
    if (moves) at += align - FRAME_ALIGN;
    if (l->GetPointerAddressSpace(l->TypeOf(inst)) != IR_PRIVATE)
        reader_refuse(r, "memory on the stack in another address space");
    else if (align > 32768 || size > MOST_STACK)
        reader_refuse(r, "so much memory on the stack");
    else if (!n || n->poison || n->high || !at_entry) {
        dynamic_alloca(r, inst, count, (uint32_t)size, (uint32_t)align);
        return;
    } else if (size > MOST_STACK || n->low > MOST_STACK || align > 65536 || at + size * n->low > MOST_STACK)
        reader_refuse(r, "more than 1 MiB of memory on the stack");
    if (r->status) return;
    r->f->facts.stack = (uint32_t)((at + size * n->low + 3) / 4 * 4);
    ir_ref place = ir_constant_bits(r->f, address, at, 0);
    if (!ir_is_entry(r->f))
        place = READER_EMIT(r, OP_add, address, 0, reader_emit(r, OP_frame_base, address, 0, NULL, 0), place);
    if (moves) place = READER_EMIT(r, OP_and, address, 0, place, ir_constant_bits(r->f, address, -align, 0));
    reader_set(r, inst, place);
}

void reader_instruction(struct reader *r, llvm_ref inst) {
    const int opcode = r->l->GetInstructionOpcode(inst);
    const unsigned op = simple(opcode);
    if (reader_fat(r, inst)) return;
    if (op != NO_OPERATION) {
        compute(r, inst, op, opcode);
        return;
    }
    switch (opcode) {
    case LLVM_RET: read_return(r, inst); return;
    case BRANCH: branch(r, inst); return;
    case SWITCH: read_switch(r, inst); return;
    case UNREACHABLE: reader_append(r, OP_unreachable, NULL, 0); return;
    case LLVM_ICMP: compare(r, inst, false); return;
    case FCMP: compare(r, inst, true); return;
    case LLVM_PTR_TO_INT:
    case LLVM_PTR_TO_ADDRESS:
    case LLVM_INT_TO_PTR:
    case LLVM_BIT_CAST: cast(r, inst); return;
    case LLVM_SPACE_CAST:
        reader_set(r, inst, reader_space_cast(r, inst, reader_value_of(r, r->l->GetOperand(inst, 0))));
        return;
    case LLVM_GEP: reader_set(r, inst, reader_address(r, inst)); return;
    case LLVM_LOAD: reader_load(r, inst); return;
    case LLVM_STORE: reader_store(r, inst); return;
    case FENCE: reader_fence(r, inst); return;
    case LLVM_ATOMIC: reader_atomic(r, inst); return;
    case LLVM_COMPARE_EXCHANGE: reader_cmpxchg(r, inst); return;
    case LLVM_CALL: reader_call(r, inst); return;
    case LLVM_EXTRACT_ELEMENT: reader_element(r, inst, OP_extract); return;
    case LLVM_INSERT_ELEMENT: reader_element(r, inst, OP_insert); return;
    case LLVM_SHUFFLE: reader_shuffle(r, inst); return;
    case EXTRACT_VALUE: reader_extract_value(r, inst); return;
    case INSERT_VALUE: reader_insert_value(r, inst); return;
    case LLVM_ALLOCA: read_alloca(r, inst); return;
    default: reader_refuse(r, "an instruction of this kind");
    }
}
