// SPDX-License-Identifier: MIT
// LLVM's types as ours, and their layout in memory by amdgcn's data layout.
#include "reader/reader.h"

#include <stdio.h>

// LLVMTypeKind
enum {
    VOID,
    HALF,
    FLOAT,
    DOUBLE,
    INTEGER = 8,
    FUNCTION,
    STRUCT,
    ARRAY_TYPE,
    POINTER,
    VECTOR,
    BFLOAT = 18,
    TARGET = 20
};

unsigned reader_pointer_bits(unsigned space) {
    switch (space) {
    case IR_REGION:
    case IR_LOCAL:
    case IR_PRIVATE:
    case IR_CONSTANT32: return 32;
    case IR_FAT: return 160;
    case IR_RESOURCE: return 128;
    case IR_STRIDED: return 192;
    default: return 64;
    }
}

static uint16_t refuse_type(struct reader *r, llvm_ref type) {
    char *text = r->l->PrintTypeToString(type), what[128];
    snprintf(what, sizeof what, "type %.100s", text ? text : "");
    r->l->DisposeMessage(text);
    reader_refuse(r, what);
    return 0;
}

static uint16_t scalar(struct reader *r, llvm_ref type, unsigned count) {
    switch (r->l->GetTypeKind(type)) {
    case VOID: return 0;
    case HALF: return ir_type_of(r->m, IR_F16, 16, count);
    case BFLOAT: return ir_type_of(r->m, IR_BF16, 16, count);
    case FLOAT: return ir_type_of(r->m, IR_F32, 32, count);
    case DOUBLE: return ir_type_of(r->m, IR_F64, 64, count);
    case INTEGER: {
        const unsigned bits = r->l->GetIntTypeWidth(type);
        return bits && bits <= 128 ? ir_type_of(r->m, IR_INT, bits, count) : refuse_type(r, type);
    }
    case POINTER: {
        const unsigned bits = reader_pointer_bits(r->l->GetPointerAddressSpace(type));
        return bits <= 128 ? ir_type_of(r->m, IR_INT, bits, count) : refuse_type(r, type);
    }
    default: return refuse_type(r, type);
    }
}

uint16_t reader_type(struct reader *r, llvm_ref type) {
    if (r->l->GetTypeKind(type) != VECTOR) return scalar(r, type, 1);
    const unsigned count = r->l->GetVectorSize(type);
    return count && count <= IR_MOST_ELEMENTS ? scalar(r, r->l->GetElementType(type), count)
                                              : refuse_type(r, type);
}

// Pointers into buffers have parts as well.
bool reader_is_aggregate(struct reader *r, llvm_ref type) {
    const int kind = r->l->GetTypeKind(type);
    return kind == STRUCT || kind == ARRAY_TYPE || reader_is_fat(r, type);
}

// ---- Layout ----

static uint64_t round_up(uint64_t n, uint64_t to) { return to ? (n + to - 1) / to * to : n; }

static uint64_t pow2_from(uint64_t n) {
    uint64_t p = 1;
    while (p < n) p *= 2;
    return p;
}

static uint64_t struct_layout(struct reader *r, llvm_ref type, unsigned until) {
    uint64_t at = 0;
    const bool packed = r->l->IsPackedStruct(type);
    const unsigned count = r->l->CountStructElementTypes(type);
    for (unsigned i = 0; i < count && !r->status; i++) {
        const llvm_ref field = r->l->StructGetTypeAtIndex(type, i);
        if (!packed) at = round_up(at, reader_align(r, field));
        if (i == until) return at;
        at += reader_size(r, field);
    }
    return packed ? at : round_up(at, reader_align(r, type));
}

bool reader_is_barrier(struct reader *r, llvm_ref type) {
    while (r->l->GetTypeKind(type) == ARRAY_TYPE) type = r->l->GetElementType(type);
    return r->l->GetTypeKind(type) == TARGET &&
           !strcmp(r->l->GetTargetExtTypeName(type), "amdgcn.named.barrier");
}

uint64_t reader_store_size(struct reader *r, llvm_ref type) {
    switch (r->l->GetTypeKind(type)) {
    case HALF:
    case BFLOAT: return 2;
    case FLOAT: return 4;
    case DOUBLE: return 8;
    case INTEGER: return (r->l->GetIntTypeWidth(type) + 7) / 8;
    case POINTER: return reader_pointer_bits(r->l->GetPointerAddressSpace(type)) / 8;
    case VECTOR: {
        const llvm_ref element = r->l->GetElementType(type);
        const uint64_t bits = r->l->GetTypeKind(element) == INTEGER ? r->l->GetIntTypeWidth(element)
                                                                    : 8 * reader_store_size(r, element);
        return (bits * r->l->GetVectorSize(type) + 7) / 8;
    }
    case ARRAY_TYPE: {
        const uint64_t count = r->l->GetArrayLength2(type), one = reader_size(r, r->l->GetElementType(type));
        if (one && count > (1ull << 40) / one) return refuse_type(r, type);
        return one * count;
    }
    case STRUCT:
        return r->l->IsOpaqueStruct(type) ? refuse_type(r, type) : struct_layout(r, type, UINT32_MAX);
    case TARGET: return reader_is_barrier(r, type) ? IR_BARRIER_BYTES : refuse_type(r, type);
    default: return refuse_type(r, type);
    }
}

uint64_t reader_align(struct reader *r, llvm_ref type) {
    switch (r->l->GetTypeKind(type)) {
    case HALF:
    case BFLOAT: return 2;
    case FLOAT: return 4;
    case DOUBLE: return 8;
    case INTEGER: {
        const uint64_t size = pow2_from(reader_store_size(r, type));
        return size > 8 ? r->data_layout_i128 : size;
    }
    case POINTER: {
        const unsigned bits = reader_pointer_bits(r->l->GetPointerAddressSpace(type));
        return bits > 128 ? 32 : bits / 8;
    }
    case VECTOR: return pow2_from(reader_store_size(r, type));
    case ARRAY_TYPE: return reader_align(r, r->l->GetElementType(type));
    case STRUCT: {
        uint64_t most = 1;
        const unsigned count = r->l->IsPackedStruct(type) ? 0 : r->l->CountStructElementTypes(type);
        for (unsigned i = 0; i < count; i++) {
            const uint64_t a = reader_align(r, r->l->StructGetTypeAtIndex(type, i));
            most = a > most ? a : most;
        }
        return most;
    }
    case TARGET: return IR_BARRIER_BYTES;
    default: return 1;
    }
}

uint64_t reader_size(struct reader *r, llvm_ref type) {
    return round_up(reader_store_size(r, type), reader_align(r, type));
}

uint64_t reader_field_offset(struct reader *r, llvm_ref type, unsigned field) {
    return struct_layout(r, type, field);
}
