// SPDX-License-Identifier: MIT
// Pointers into buffers: a descriptor and a byte offset (address space 7), or also an index of an element
// (space 9). To the reader they are aggregates of these parts, in this order, so that a descriptor which all
// lanes share stays one value whatever the offsets are. As a number, and in memory, the parts stand from the
// most significant bits down. An access takes its address from a buffer_place. A vector of such pointers has
// a vector of each part.
#include "reader/reader.h"

enum { DESCRIPTOR, OFFSET, INDEX, MOST_FAT_PARTS };

static bool is_vector(struct reader *r, llvm_ref type) { return r->l->GetTypeKind(type) == LLVM_VECTOR; }

static unsigned count_of(struct reader *r, llvm_ref type) {
    return is_vector(r, type) ? r->l->GetVectorSize(type) : 1;
}

// Of a number with as many bits, the same: LLVM's passes make such ones of pointers.
static unsigned space_of(struct reader *r, llvm_ref type) {
    if (is_vector(r, type)) type = r->l->GetElementType(type);
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

uint16_t reader_fat_part_type(struct reader *r, llvm_ref type, unsigned part) {
    const unsigned count = count_of(r, type);
    if (count > IR_MOST_ELEMENTS) reader_refuse(r, "a vector of so many pointers into buffers");
    return ir_type_of(r->m, IR_INT, part == DESCRIPTOR ? 128 : 32, r->status ? 1 : count);
}

// A number as a part.
static ir_ref part_number(struct reader *r, llvm_ref type, unsigned part, uint64_t low, uint64_t high) {
    const uint16_t one = ir_int(r->m, part == DESCRIPTOR ? 128 : 32);
    return reader_splat(r, ir_constant_bits(r->f, one, low, high), reader_fat_part_type(r, type, part));
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
    const llvm_ref type = r->l->TypeOf(pointer);
    const unsigned count = reader_fat_parts(r, type);
    parts[DESCRIPTOR] = descriptor;
    for (unsigned n = OFFSET; n < count; n++) parts[n] = part_number(r, type, n, 0, 0);
}

// Where one pointer is moved by a vector of indices, there are several behind it.
void reader_fat_move(struct reader *r, llvm_ref gep, ir_ref *parts) {
    const llvm_ref type = r->l->TypeOf(gep);
    read_parts(r, r->l->GetOperand(gep, 0), parts);
    for (unsigned n = 0; n < reader_fat_parts(r, type) && !r->status; n++)
        parts[n] = reader_splat(r, parts[n], reader_fat_part_type(r, type, n));
    if (!r->status)
        parts[OFFSET] = reader_address_from(r, gep, parts[OFFSET], reader_fat_part_type(r, type, OFFSET));
}

// ---- Numbers ----

// The pointer as a number of at most 128 bits: the least significant ones.
static ir_ref number_of(struct reader *r, const ir_ref *parts, unsigned count, uint16_t type) {
    const unsigned bits = ir_type_at(r->m, type)->bits;
    ir_ref whole = IR_NOTHING;
    for (unsigned n = count, at = 0; n-- > 0 && at < bits; at += 32) {
        const unsigned have = n == DESCRIPTOR ? 128 : 32;
        ir_ref part = parts[n];
        if (have != bits) part = READER_EMIT(r, have < bits ? OP_zext : OP_trunc, type, 0, part);
        if (at) part = READER_EMIT(r, OP_shl, type, 0, part, reader_number(r, at, type));
        whole = ir_is(whole, IR_NONE) ? part : READER_EMIT(r, OP_or, type, 0, whole, part);
    }
    return whole;
}

static ir_ref to_number(struct reader *r, llvm_ref value) {
    const llvm_ref pointer = r->l->GetOperand(value, 0);
    const uint16_t type = reader_type_of(r, value);
    ir_ref parts[MOST_FAT_PARTS];
    read_parts(r, pointer, parts);
    return r->status ? IR_NOTHING : number_of(r, parts, reader_fat_parts(r, r->l->TypeOf(pointer)), type);
}

static void from_number(struct reader *r, llvm_ref value, ir_ref *parts) {
    const llvm_ref pointer = r->l->TypeOf(value);
    const unsigned count = reader_fat_parts(r, pointer);
    const ir_ref number = reader_value_of(r, r->l->GetOperand(value, 0));
    if (r->status) return;
    const uint16_t type = ir_ref_type(r->f, number);
    const unsigned have = ir_type_at(r->m, type)->bits;
    for (unsigned n = count, at = 0; n-- > 0; at += 32) {
        const uint16_t own = reader_fat_part_type(r, pointer, n);
        const unsigned want = ir_type_at(r->m, own)->bits;
        ir_ref part =
            at && at < have ? READER_EMIT(r, OP_lshr, type, 0, number, reader_number(r, at, type)) : number;
        if (at >= have)
            part = part_number(r, pointer, n, 0, 0);
        else if (have != want)
            part = READER_EMIT(r, have < want ? OP_zext : OP_trunc, own, 0, part);
        parts[n] = part;
    }
}

// A number of 160 or 192 bits, which the library gives as text alone: "i160 -5".
static void number_parts(struct reader *r, llvm_ref value, ir_ref *parts) {
    enum { WORDS = 6 };
    const llvm_ref type = r->l->TypeOf(value);
    const unsigned count = reader_fat_parts(r, type), above = count - 1;
    char *text = r->l->PrintValueToString(value);
    const char *s = text ? strchr(text, ' ') : NULL;
    const bool negative = s && s[1] == '-';
    uint32_t word[WORDS] = {0};
    for (s = s ? s + 1 + negative : NULL; s && *s >= '0' && *s <= '9'; s++) {
        uint64_t carry = (uint64_t)(*s - '0');
        for (unsigned n = 0; n < WORDS; n++, carry >>= 32) word[n] = (uint32_t)(carry += 10ull * word[n]);
    }
    for (uint64_t n = 0, carry = 1; n < WORDS && negative; n++, carry >>= 32)
        word[n] = (uint32_t)(carry += (uint32_t)~word[n]);
    if (!s || *s) reader_refuse(r, "a number of this width");
    r->l->DisposeMessage(text);
    for (unsigned n = OFFSET; n < count; n++) parts[n] = part_number(r, type, n, word[above - n], 0);
    parts[DESCRIPTOR] = part_number(r, type, DESCRIPTOR, word[above] | (uint64_t)word[above + 1] << 32,
                                    word[above + 2] | (uint64_t)word[above + 3] << 32);
}

// ---- Constants ----

static void constant_elements(struct reader *r, llvm_ref value, ir_ref *parts) {
    const llvm_ref type = r->l->TypeOf(value);
    const unsigned count = reader_fat_parts(r, type), elements = count_of(r, type);
    ir_ref all[MOST_FAT_PARTS][IR_MOST_ELEMENTS], own[MOST_FAT_PARTS];
    for (unsigned e = 0; e < elements && e < IR_MOST_ELEMENTS && !r->status; e++) {
        const llvm_ref element = r->l->GetAggregateElement(value, e);
        if (element)
            reader_fat_constant(r, element, own);
        else
            reader_refuse(r, "a constant vector of scalable or unknown form");
        for (unsigned n = 0; n < count && !r->status; n++) all[n][e] = own[n];
    }
    for (unsigned n = 0; n < count && !r->status; n++)
        parts[n] = elements > 1
                       ? reader_emit(r, OP_vector, reader_fat_part_type(r, type, n), 0, all[n], elements)
                       : all[n][0];
}

static bool make_parts(struct reader *r, llvm_ref value, int opcode, ir_ref *parts);

void reader_fat_constant(struct reader *r, llvm_ref value, ir_ref *parts) {
    const struct llvm *l = r->l;
    const llvm_ref type = l->TypeOf(value);
    const unsigned count = reader_fat_parts(r, type);
    if (l->IsPoison(value) || l->IsUndef(value))
        for (unsigned n = 0; n < count; n++) parts[n] = ir_poison(r->f, reader_fat_part_type(r, type, n));
    else if (l->IsNull(value))
        for (unsigned n = 0; n < count; n++) parts[n] = part_number(r, type, n, 0, 0);
    else if (l->IsAConstantInt(value) && !is_vector(r, type))
        number_parts(r, value, parts);
    else if (l->IsAConstantExpr(value)) {
        if (!make_parts(r, value, l->GetConstOpcode(value), parts))
            reader_refuse(r, "a constant pointer into a buffer of this kind");
    } else if (is_vector(r, type))
        constant_elements(r, value, parts);
    else
        reader_refuse(r, "a constant pointer into a buffer of this kind");
}

// ---- What is computed ----

static bool is_number(struct reader *r, llvm_ref type) {
    if (is_vector(r, type)) type = r->l->GetElementType(type);
    return r->l->GetTypeKind(type) == LLVM_INTEGER;
}

// The address of such a pointer is its offset, and addresses are what is compared.
static ir_ref compare(struct reader *r, llvm_ref inst) {
    static const uint16_t ops[] = {OP_eq,  OP_ne,  OP_ugt, OP_uge, OP_ult,
                                   OP_ule, OP_sgt, OP_sge, OP_slt, OP_sle};
    const unsigned predicate = (unsigned)(r->l->GetICmpPredicate(inst) - LLVM_EQ);
    ir_ref a[MOST_FAT_PARTS], b[MOST_FAT_PARTS];
    read_parts(r, r->l->GetOperand(inst, 0), a);
    read_parts(r, r->l->GetOperand(inst, 1), b);
    if (is_number(r, r->l->TypeOf(r->l->GetOperand(inst, 0))) || predicate > 9)
        reader_refuse(r, "a comparison of numbers of this width");
    const uint16_t type = reader_type_of(r, inst);
    return r->status ? IR_NOTHING : READER_EMIT(r, ops[predicate], type, 0, a[OFFSET], b[OFFSET]);
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
        const uint16_t own = reader_fat_part_type(r, l->TypeOf(call), OFFSET);
        if (!r->status) parts[OFFSET] = READER_EMIT(r, OP_and, own, 0, parts[OFFSET], mask);
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

// ---- Casts ----

// Word `n` of several numbers of 32 bits.
static ir_ref word_of(struct reader *r, ir_ref words, unsigned n) {
    const uint16_t i32 = ir_int(r->m, 32);
    return READER_EMIT(r, OP_extract, i32, 0, words, ir_constant_bits(r->f, i32, n, 0));
}

// The parts of a vector with as many bits, word by word.
static void from_vector(struct reader *r, llvm_ref value, ir_ref *parts) {
    const llvm_ref type = r->l->TypeOf(value);
    const unsigned count = reader_fat_parts(r, type), words = count + 3, elements = count_of(r, type);
    const uint16_t four = ir_type_of(r->m, IR_INT, 32, 4);
    const ir_ref vector = reader_value_of(r, r->l->GetOperand(value, 0));
    ir_ref word[MOST_FAT_PARTS + 3], own[MOST_FAT_PARTS][IR_MOST_ELEMENTS];
    if (elements * words > IR_MOST_ELEMENTS) reader_refuse(r, "a vector of so many pointers into buffers");
    if (r->status) return;
    const ir_ref all = READER_EMIT(r, OP_bitcast, ir_type_of(r->m, IR_INT, 32, elements * words), 0, vector);
    for (unsigned e = 0; e < elements; e++) {
        for (unsigned n = 0; n < words; n++) word[n] = word_of(r, all, e * words + n);
        for (unsigned n = OFFSET; n < count; n++) own[n][e] = word[count - 1 - n];
        const ir_ref high = reader_emit(r, OP_vector, four, 0, word + count - 1, 4);
        own[DESCRIPTOR][e] = READER_EMIT(r, OP_bitcast, ir_int(r->m, 128), 0, high);
    }
    for (unsigned n = 0; n < count; n++)
        parts[n] = elements > 1
                       ? reader_emit(r, OP_vector, reader_fat_part_type(r, type, n), 0, own[n], elements)
                       : own[n][0];
}

static ir_ref to_vector(struct reader *r, llvm_ref value) {
    const llvm_ref from = r->l->GetOperand(value, 0), pointer = r->l->TypeOf(from);
    const unsigned count = reader_fat_parts(r, pointer), words = count + 3, elements = count_of(r, pointer);
    const uint16_t i32 = ir_int(r->m, 32), i128 = ir_int(r->m, 128), four = ir_type_of(r->m, IR_INT, 32, 4);
    const uint16_t type = reader_type_of(r, value);
    ir_ref parts[MOST_FAT_PARTS], word[IR_MOST_ELEMENTS];
    read_parts(r, from, parts);
    if (elements * words > IR_MOST_ELEMENTS) reader_refuse(r, "a vector of so many pointers into buffers");
    if (r->status) return IR_NOTHING;
    for (unsigned e = 0; e < elements; e++) {
        const ir_ref index = ir_constant_bits(r->f, i32, e, 0);
        const ir_ref descriptor =
            elements > 1 ? READER_EMIT(r, OP_extract, i128, 0, parts[DESCRIPTOR], index) : parts[DESCRIPTOR];
        const ir_ref high = READER_EMIT(r, OP_bitcast, four, 0, descriptor);
        for (unsigned n = 0; n < words; n++) {
            const unsigned part = count - 1 - n;
            word[e * words + n] = n >= count - 1 ? word_of(r, high, n - (count - 1))
                                  : elements > 1 ? word_of(r, parts[part], e)
                                                 : parts[part];
        }
    }
    const ir_ref all =
        reader_emit(r, OP_vector, ir_type_of(r->m, IR_INT, 32, elements * words), 0, word, elements * words);
    return ir_ref_type(r->f, all) == type ? all : READER_EMIT(r, OP_bitcast, type, 0, all);
}

// The parts of what such an operation gives. False: it is none of these.
static bool make_parts(struct reader *r, llvm_ref value, int opcode, ir_ref *parts) {
    const struct llvm *l = r->l;
    const llvm_ref first = l->GetOperand(value, 0), from = l->TypeOf(first), to = l->TypeOf(value);
    const bool same = reader_is_fat(r, from) && reader_fat_parts(r, from) == reader_fat_parts(r, to) &&
                      count_of(r, from) == count_of(r, to);
    switch (opcode) {
    case LLVM_GEP: reader_fat_move(r, value, parts); return true;
    case LLVM_SPACE_CAST:
        if (space_of(r, from) == IR_RESOURCE)
            reader_fat_begin(r, value, reader_value_of(r, first), parts);
        else
            reader_refuse(r, "a cast between these address spaces");
        return true;
    case LLVM_PTR_TO_INT:
    case LLVM_TRUNC:
    case LLVM_INT_TO_PTR:
    case LLVM_ZEXT:
    case LLVM_BIT_CAST:
        if (same)
            read_parts(r, first, parts);
        else if (reader_is_fat(r, from))
            reader_refuse(r, "a number of this width");
        else if (opcode == LLVM_BIT_CAST)
            from_vector(r, value, parts);
        else
            from_number(r, value, parts);
        return true;
    default: return false; // as of any aggregate
    }
}

// What such an operation on such pointers gives, if that is none. False: it is none of these.
static bool make_value(struct reader *r, llvm_ref value, int opcode, ir_ref *out) {
    ir_ref parts[MOST_FAT_PARTS];
    switch (opcode) {
    case LLVM_SPACE_CAST:
        reader_refuse(r, "a cast between these address spaces");
        *out = IR_NOTHING;
        return true;
    case LLVM_ICMP: *out = compare(r, value); return true;
    case LLVM_PTR_TO_INT:
    case LLVM_INT_TO_PTR:
    case LLVM_TRUNC: *out = to_number(r, value); return true;
    case LLVM_PTR_TO_ADDRESS: // the offset alone
        read_parts(r, r->l->GetOperand(value, 0), parts);
        *out = r->status ? IR_NOTHING : parts[OFFSET];
        return true;
    case LLVM_BIT_CAST: *out = to_vector(r, value); return true;
    default: return false;
    }
}

bool reader_fat_expression(struct reader *r, llvm_ref expression, ir_ref *out) {
    const llvm_ref first = r->l->GetOperand(expression, 0);
    return reader_is_fat(r, r->l->TypeOf(first)) &&
           make_value(r, expression, r->l->GetConstOpcode(expression), out);
}

bool reader_fat(struct reader *r, llvm_ref inst) {
    const struct llvm *l = r->l;
    const int opcode = l->GetInstructionOpcode(inst);
    const llvm_ref first = l->GetNumOperands(inst) ? l->GetOperand(inst, 0) : NULL, type = l->TypeOf(inst);
    const bool from = first && reader_is_fat(r, l->TypeOf(first)), to = reader_is_fat(r, type);
    ir_ref parts[MOST_FAT_PARTS], value;
    if (to) {
        if (!first || !make_parts(r, inst, opcode, parts)) return false;
        if (!r->status) reader_set_parts(r, inst, parts, reader_fat_parts(r, type));
        return true;
    }
    if (!from || !make_value(r, inst, opcode, &value)) return false;
    if (!r->status) reader_set(r, inst, value);
    return true;
}
