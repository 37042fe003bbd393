// SPDX-License-Identifier: MIT
// Pointers into buffers: a descriptor and a byte offset (address space 7), or also an index of an element
// (space 9). To the reader they are aggregates of these parts, in this order, so that a descriptor which all
// lanes share stays one value whatever the offsets are. As a number, and in memory, the parts stand from the
// most significant bits down. An access takes its address from a buffer_place.
#include "reader/reader.h"

enum { DESCRIPTOR, OFFSET, INDEX, MOST_FAT_PARTS };

// Of a number with as many bits, the same: LLVM's passes make such ones of pointers.
static unsigned space_of(struct reader *r, llvm_ref type) {
    const int kind = r->l->GetTypeKind(type);
    const unsigned bits = kind == LLVM_INTEGER ? r->l->GetIntTypeWidth(type) : 0;
    return kind == LLVM_POINTER                      ? r->l->GetPointerAddressSpace(type)
           : bits == reader_pointer_bits(IR_FAT)     ? IR_FAT
           : bits == reader_pointer_bits(IR_STRIDED) ? IR_STRIDED
                                                     : IR_GENERIC;
}

bool reader_is_fat(struct reader *r, llvm_ref type) {
    const unsigned space = space_of(r, type);
    return space == IR_FAT || space == IR_STRIDED;
}

unsigned reader_fat_parts(struct reader *r, llvm_ref type) {
    return space_of(r, type) == IR_STRIDED ? MOST_FAT_PARTS : INDEX;
}

uint64_t reader_fat_offset(struct reader *r, llvm_ref type, unsigned part) {
    return 4 * (reader_fat_parts(r, type) - 1 - part);
}

uint16_t reader_fat_part_type(struct reader *r, unsigned part) {
    return ir_int(r->m, part == DESCRIPTOR ? 128 : 32);
}

static void read_parts(struct reader *r, llvm_ref pointer, ir_ref *parts) {
    const unsigned count = reader_fat_parts(r, r->l->TypeOf(pointer));
    for (unsigned n = 0; n < count; n++) parts[n] = r->status ? IR_NOTHING : reader_leaf(r, pointer, n);
}

ir_ref reader_fat_place(struct reader *r, llvm_ref pointer) {
    const unsigned count = reader_fat_parts(r, r->l->TypeOf(pointer));
    ir_ref parts[MOST_FAT_PARTS];
    read_parts(r, pointer, parts);
    return reader_emit(r, OP_buffer_place, ir_type_of(r->m, IR_INT, 32, count + 3), 0, parts, count);
}

// Offset and index are 0 where a pointer begins.
void reader_fat_begin(struct reader *r, llvm_ref pointer, ir_ref descriptor, ir_ref *parts) {
    const unsigned count = reader_fat_parts(r, r->l->TypeOf(pointer));
    parts[DESCRIPTOR] = descriptor;
    for (unsigned n = OFFSET; n < count; n++) parts[n] = ir_constant_bits(r->f, ir_int(r->m, 32), 0, 0);
}

void reader_fat_move(struct reader *r, llvm_ref gep, ir_ref *parts) {
    read_parts(r, r->l->GetOperand(gep, 0), parts);
    if (!r->status) parts[OFFSET] = reader_address_from(r, gep, parts[OFFSET], ir_int(r->m, 32));
}

void reader_fat_constant(struct reader *r, llvm_ref value, ir_ref *parts) {
    const struct llvm *l = r->l;
    const unsigned count = reader_fat_parts(r, l->TypeOf(value));
    const int opcode = l->IsAConstantExpr(value) ? l->GetConstOpcode(value) : 0;
    const llvm_ref from = opcode ? l->GetOperand(value, 0) : NULL;
    if (l->IsPoison(value) || l->IsUndef(value))
        for (unsigned n = 0; n < count; n++) parts[n] = ir_poison(r->f, reader_fat_part_type(r, n));
    else if (l->IsNull(value))
        for (unsigned n = 0; n < count; n++)
            parts[n] = ir_constant_bits(r->f, reader_fat_part_type(r, n), 0, 0);
    else if (opcode == LLVM_GEP)
        reader_fat_move(r, value, parts);
    else if (opcode == LLVM_SPACE_CAST && space_of(r, l->TypeOf(from)) == IR_RESOURCE)
        reader_fat_begin(r, value, reader_constant(r, from), parts);
    else
        reader_refuse(r, "a constant pointer into a buffer of this kind");
}

// The pointer as a number of at most 128 bits: the least significant ones.
static ir_ref number_of(struct reader *r, const ir_ref *parts, unsigned count, uint16_t type) {
    const unsigned bits = ir_type_bits(r->m, type);
    ir_ref whole = IR_NOTHING;
    for (unsigned n = count, at = 0; n-- > 0 && at < bits; at += 32) {
        const unsigned have = n == DESCRIPTOR ? 128 : 32;
        ir_ref part = parts[n];
        if (have != bits) part = READER_EMIT(r, have < bits ? OP_zext : OP_trunc, type, 0, part);
        if (at) part = READER_EMIT(r, OP_shl, type, 0, part, ir_constant_bits(r->f, type, at, 0));
        whole = ir_is(whole, IR_NONE) ? part : READER_EMIT(r, OP_or, type, 0, whole, part);
    }
    return whole;
}

static void to_number(struct reader *r, llvm_ref inst) {
    const llvm_ref pointer = r->l->GetOperand(inst, 0);
    const uint16_t type = reader_type_of(r, inst);
    ir_ref parts[MOST_FAT_PARTS];
    read_parts(r, pointer, parts);
    if (r->status) return;
    const ir_ref n = number_of(r, parts, reader_fat_parts(r, r->l->TypeOf(pointer)), type);
    if (!r->status) reader_set(r, inst, n);
}

static void from_number(struct reader *r, llvm_ref inst) {
    const unsigned count = reader_fat_parts(r, r->l->TypeOf(inst));
    const ir_ref number = reader_value_of(r, r->l->GetOperand(inst, 0));
    ir_ref parts[MOST_FAT_PARTS];
    if (r->status) return;
    const uint16_t type = ir_ref_type(r->f, number);
    const unsigned have = ir_type_bits(r->m, type);
    for (unsigned n = count, at = 0; n-- > 0; at += 32) {
        const uint16_t own = reader_fat_part_type(r, n);
        const unsigned want = ir_type_bits(r->m, own);
        ir_ref part = at && at < have
                          ? READER_EMIT(r, OP_lshr, type, 0, number, ir_constant_bits(r->f, type, at, 0))
                          : number;
        if (at >= have)
            part = ir_constant_bits(r->f, own, 0, 0);
        else if (have != want)
            part = READER_EMIT(r, have < want ? OP_zext : OP_trunc, own, 0, part);
        parts[n] = part;
    }
    if (!r->status) reader_set_parts(r, inst, parts, count);
}

// The address of such a pointer is its offset, and addresses are what is compared.
static void compare(struct reader *r, llvm_ref inst) {
    static const uint16_t ops[] = {OP_eq,  OP_ne,  OP_ugt, OP_uge, OP_ult,
                                   OP_ule, OP_sgt, OP_sge, OP_slt, OP_sle};
    const unsigned predicate = (unsigned)(r->l->GetICmpPredicate(inst) - LLVM_EQ);
    ir_ref a[MOST_FAT_PARTS], b[MOST_FAT_PARTS];
    read_parts(r, r->l->GetOperand(inst, 0), a);
    read_parts(r, r->l->GetOperand(inst, 1), b);
    if (r->l->GetTypeKind(r->l->TypeOf(r->l->GetOperand(inst, 0))) == LLVM_INTEGER || predicate > 9)
        reader_refuse(r, "a comparison of numbers of this width");
    if (r->status) return;
    reader_set(r, inst, READER_EMIT(r, ops[predicate], ir_int(r->m, 1), 0, a[OFFSET], b[OFFSET]));
}

// The descriptor of a buffer: 48 bits of address and the stride above, the number of records, flags.
// An address of 57 bits, a size of 45 and a stride of 14; flags stand in the four upper bits.
static ir_ref wide_descriptor(struct reader *r, const ir_ref o[4]) {
    const uint16_t half = ir_int(r->m, 64), whole = ir_int(r->m, 128);
#define N(n)          ir_constant_bits(r->f, half, n, 0)
#define TWO(op, a, b) READER_EMIT(r, OP_##op, half, 0, a, b)
    const ir_ref low = TWO(or, TWO(and, o[0], N(0x1ffffffffffffff)), TWO(shl, o[2], N(57)));
    const ir_ref records = TWO(lshr, TWO(and, o[2], N(0x1fffffffffff)), N(7));
    const ir_ref stride = TWO(shl, TWO(and, o[1], N(0x3fff)), N(44)), flags = TWO(shl, o[3], N(60));
    const ir_ref high = TWO(or, TWO(or, records, stride), flags);
#undef TWO
#undef N
    const ir_ref up = READER_EMIT(r, OP_shl, whole, 0, READER_EMIT(r, OP_zext, whole, 0, high),
                                  ir_constant_bits(r->f, whole, 64, 0));
    return READER_EMIT(r, OP_or, whole, 0, READER_EMIT(r, OP_zext, whole, 0, low), up);
}

ir_ref reader_descriptor(struct reader *r, llvm_ref call) {
    const uint16_t half = ir_int(r->m, 64), whole = ir_int(r->m, 128);
    ir_ref o[4];
    for (unsigned n = 0; n < 4 && !r->status; n++) {
        o[n] = reader_value_of(r, r->l->GetOperand(call, n));
        if (!r->status && ir_type_bits(r->m, ir_ref_type(r->f, o[n])) != 64)
            o[n] = READER_EMIT(r, OP_zext, half, 0, o[n]);
    }
    if (r->status) return IR_NOTHING;
    if (isa_of(r->m->processor)->srd == SRD_GFX12_5) return wide_descriptor(r, o);
    const ir_ref address =
        READER_EMIT(r, OP_and, half, 0, o[0], ir_constant_bits(r->f, half, 0xffffffffffff, 0));
    const ir_ref stride = READER_EMIT(r, OP_shl, half, 0, o[1], ir_constant_bits(r->f, half, 48, 0));
    const ir_ref records = READER_EMIT(r, OP_and, half, 0, o[2], ir_constant_bits(r->f, half, 0xffffffff, 0));
    const ir_ref flags = READER_EMIT(r, OP_shl, half, 0, o[3], ir_constant_bits(r->f, half, 32, 0));
    const ir_ref low = READER_EMIT(r, OP_zext, whole, 0, READER_EMIT(r, OP_or, half, 0, address, stride));
    const ir_ref high = READER_EMIT(r, OP_zext, whole, 0, READER_EMIT(r, OP_or, half, 0, records, flags));
    const ir_ref up = READER_EMIT(r, OP_shl, whole, 0, high, ir_constant_bits(r->f, whole, 64, 0));
    return READER_EMIT(r, OP_or, whole, 0, low, up);
}
// Intrinsics that give such a pointer, which are no rows of the table's operations.
bool reader_fat_intrinsic(struct reader *r, llvm_ref call, unsigned op) {
    const struct llvm *l = r->l;
    ir_ref parts[MOST_FAT_PARTS];
    if (!reader_is_fat(r, l->TypeOf(call))) return false;
    const llvm_ref first = l->GetOperand(call, 0);
    if (op == OP_and) { // a mask of the offset
        read_parts(r, first, parts);
        const ir_ref mask = reader_value_of(r, l->GetOperand(call, 1));
        if (!r->status) parts[OFFSET] = READER_EMIT(r, OP_and, ir_int(r->m, 32), 0, parts[OFFSET], mask);
    } else if (reader_is_fat(r, l->TypeOf(first)))
        read_parts(r, first, parts);
    else
        reader_fat_begin(r, call, reader_descriptor(r, call), parts);
    if (!r->status) reader_set_parts(r, call, parts, reader_fat_parts(r, l->TypeOf(call)));
    return true;
}

void reader_scalar_buffer_load(struct reader *r, llvm_ref call) {
    enum { POLICY = 2, MOST_POLICY = 63 };
    const struct llvm *l = r->l;
    const uint16_t i128 = ir_int(r->m, 128), type = reader_type_of(r, call);
    const uint64_t policy = l->ConstIntGetZExtValue(l->GetOperand(call, POLICY));
    ir_ref parts[] = {reader_value_of(r, l->GetOperand(call, DESCRIPTOR)),
                      reader_value_of(r, l->GetOperand(call, OFFSET))};
    if (r->status) return;
    if (ir_ref_type(r->f, parts[DESCRIPTOR]) != i128)
        parts[DESCRIPTOR] = READER_EMIT(r, OP_bitcast, i128, 0, parts[DESCRIPTOR]);
    if (policy > MOST_POLICY) reader_refuse(r, "a cache policy of this kind");
    const unsigned bytes = ir_type_bits(r->m, type) / 8;
    const struct ir_memory m = {.space = IR_RESOURCE,
                                .bytes = (uint16_t)bytes,
                                .align_log2 = bytes >= 4 ? 2 : bytes == 2,
                                .flags = IR_INVARIANT | IR_DEREFERENCEABLE,
                                .cache = (uint8_t)policy};
    const ir_ref place =
        READER_EMIT(r, OP_buffer_place, ir_type_of(r->m, IR_INT, 32, 5), 0, parts[DESCRIPTOR], parts[OFFSET]);
    const ir_ref loaded = READER_EMIT(r, OP_load, type, 0, place, ir_immediate(0));
    if (r->status || r->m->failed) return;
    ir_def(r->f, loaded)->memory = ir_memory_add(r->f, &m);
    reader_set(r, call, loaded);
}

// The parts of a vector with as many bits, word by word.
static void from_vector(struct reader *r, llvm_ref inst, ir_ref *parts) {
    const unsigned count = reader_fat_parts(r, r->l->TypeOf(inst)), words = count + 3;
    const uint16_t i32 = ir_int(r->m, 32), four = ir_type_of(r->m, IR_INT, 32, 4);
    const ir_ref vector = reader_value_of(r, r->l->GetOperand(inst, 0));
    ir_ref word[MOST_FAT_PARTS + 3];
    if (r->status) return;
    const ir_ref all = READER_EMIT(r, OP_bitcast, ir_type_of(r->m, IR_INT, 32, words), 0, vector);
    for (unsigned n = 0; n < words; n++)
        word[n] = READER_EMIT(r, OP_extract, i32, 0, all, ir_constant_bits(r->f, i32, n, 0));
    for (unsigned n = OFFSET; n < count; n++) parts[n] = word[count - 1 - n];
    const ir_ref high = reader_emit(r, OP_vector, four, 0, word + count - 1, 4);
    parts[DESCRIPTOR] = READER_EMIT(r, OP_bitcast, ir_int(r->m, 128), 0, high);
}

static void to_vector(struct reader *r, llvm_ref inst) {
    const llvm_ref from = r->l->GetOperand(inst, 0);
    const unsigned count = reader_fat_parts(r, r->l->TypeOf(from)), words = count + 3;
    const uint16_t i32 = ir_int(r->m, 32), four = ir_type_of(r->m, IR_INT, 32, 4);
    ir_ref parts[MOST_FAT_PARTS], word[MOST_FAT_PARTS + 3];
    read_parts(r, from, parts);
    const uint16_t type = reader_type_of(r, inst);
    if (r->status) return;
    const ir_ref high = READER_EMIT(r, OP_bitcast, four, 0, parts[DESCRIPTOR]);
    for (unsigned n = 0; n < words; n++)
        word[n] = n < count - 1 ? parts[count - 1 - n]
                                : READER_EMIT(r, OP_extract, i32, 0, high,
                                              ir_constant_bits(r->f, i32, n - (count - 1), 0));
    const ir_ref all = reader_emit(r, OP_vector, ir_type_of(r->m, IR_INT, 32, words), 0, word, words);
    reader_set(r, inst, ir_ref_type(r->f, all) == type ? all : READER_EMIT(r, OP_bitcast, type, 0, all));
}

bool reader_fat(struct reader *r, llvm_ref inst) {
    const struct llvm *l = r->l;
    const int opcode = l->GetInstructionOpcode(inst);
    const llvm_ref first = l->GetNumOperands(inst) ? l->GetOperand(inst, 0) : NULL;
    const bool from = first && reader_is_fat(r, l->TypeOf(first)), to = reader_is_fat(r, l->TypeOf(inst));
    ir_ref parts[MOST_FAT_PARTS];
    if (!from && !to) return false;
    switch (opcode) {
    case LLVM_GEP: reader_fat_move(r, inst, parts); break;
    case LLVM_SPACE_CAST:
        if (from || space_of(r, l->TypeOf(first)) != IR_RESOURCE) {
            reader_refuse(r, "a cast between these address spaces");
            return true;
        }
        reader_fat_begin(r, inst, reader_value_of(r, first), parts);
        break;
    case LLVM_ICMP: compare(r, inst); return true;
    case LLVM_PTR_TO_INT:
    case LLVM_TRUNC:
    case LLVM_INT_TO_PTR:
    case LLVM_ZEXT:
        if (from && to && reader_fat_parts(r, l->TypeOf(first)) == reader_fat_parts(r, l->TypeOf(inst))) {
            read_parts(r, first, parts);
            break;
        }
        if (from && to)
            reader_refuse(r, "a number of this width");
        else if (from)
            to_number(r, inst);
        else
            from_number(r, inst);
        return true;
    case LLVM_PTR_TO_ADDRESS: // the offset alone
        read_parts(r, first, parts);
        if (!r->status) reader_set(r, inst, parts[OFFSET]);
        return true;
    case LLVM_BIT_CAST:
        if (!to) {
            to_vector(r, inst);
            return true;
        }
        if (from)
            read_parts(r, first, parts);
        else
            from_vector(r, inst, parts);
        break;
    default: return false; // as of any aggregate
    }
    if (!r->status) reader_set_parts(r, inst, parts, reader_fat_parts(r, l->TypeOf(inst)));
    return true;
}
