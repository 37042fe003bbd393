// SPDX-License-Identifier: MIT
// LLVM's constants: scalars to bits, vectors to operations on them, initialisers to bytes.
#include "reader/reader.h"

#include <stdio.h>

enum { HALF = 1, FLOAT, DOUBLE, INTEGER = 8, STRUCT = 10, ARRAY_TYPE, POINTER, VECTOR, BFLOAT = 18 };

static unsigned float_bits(int kind) { return kind == FLOAT ? 32 : kind == DOUBLE ? 64 : 16; }

// ConstIntGetZExtValue is wrong above 64 bits: the decimal text is read instead ("i128 -5").
static bool wide_bits(struct reader *r, llvm_ref value, unsigned bits, uint64_t out[2]) {
    char *text = r->l->PrintValueToString(value);
    const char *s = text ? strchr(text, ' ') : NULL;
    op_bits n = 0;
    bool negative = false;
    if (s && *++s == '-') negative = true, s++;
    for (; s && *s >= '0' && *s <= '9'; s++) n = n * 10 + (unsigned)(*s - '0');
    if (negative) n = -n;
    if (bits < 128) n &= ((op_bits)1 << bits) - 1;
    out[0] = (uint64_t)n;
    out[1] = (uint64_t)(n >> 64);
    const bool read = s && !*s;
    r->l->DisposeMessage(text);
    return read;
}

bool reader_bits(struct reader *r, llvm_ref value, uint64_t out[2]) {
    const struct llvm *l = r->l;
    const llvm_ref type = l->TypeOf(value);
    const int kind = l->GetTypeKind(type);
    out[0] = out[1] = 0;
    if (l->IsPoison(value) || l->IsUndef(value)) return false;
    if (kind == POINTER) {
        // LLVM's null is 0 in all spaces. Casts make of it what is no address there (AS-04, AS-06).
        return l->IsNull(value);
    }
    if (kind == INTEGER && l->IsAConstantInt(value)) {
        const unsigned bits = l->GetIntTypeWidth(type);
        if (bits > 64) return bits <= 128 && wide_bits(r, value, bits, out);
        out[0] = l->ConstIntGetZExtValue(value);
        return true;
    }
    if ((kind == HALF || kind == FLOAT || kind == DOUBLE || kind == BFLOAT) && l->IsAConstantFP(value)) {
        const llvm_ref as_int = l->ConstBitCast(value, l->IntTypeInContext(r->context, float_bits(kind)));
        if (!l->IsAConstantInt(as_int)) return false;
        out[0] = l->ConstIntGetZExtValue(as_int);
        return true;
    }
    return false;
}

static ir_ref vector(struct reader *r, llvm_ref value, uint16_t type) {
    const struct ir_type t = *ir_type_at(r->m, type);
    const uint16_t element = ir_type_of(r->m, (enum ir_kind)t.kind, t.bits, 1);
    ir_ref parts[IR_MOST_ELEMENTS];
    for (unsigned i = 0; i < t.count && !r->status; i++) {
        const llvm_ref part = r->l->GetAggregateElement(value, i);
        if (part)
            parts[i] = reader_constant(r, part);
        else if (r->l->IsNull(value))
            parts[i] = ir_constant_bits(r->f, element, 0, 0);
        else
            reader_refuse(r, "a constant vector of scalable or unknown form");
    }
    return r->status ? IR_NOTHING : reader_emit(r, OP_vector, type, 0, parts, t.count);
}

static ir_ref symbol(struct reader *r, llvm_ref value) {
    size_t length;
    const char *name = r->l->GetValueName2(value, &length);
    const uint32_t n = ir_symbol_named(r->m, name, length);
    if (n != IR_NO_DEF) return ir_make(IR_SYMBOL, n);
    reader_refuse(r, "a reference to an unknown symbol");
    return IR_NOTHING;
}

static ir_ref expression(struct reader *r, llvm_ref value) {
    const struct llvm *l = r->l;
    const uint16_t type = reader_type(r, l->TypeOf(value));
    ir_ref of_pointer;
    if (r->status) return IR_NOTHING;
    if (reader_fat_expression(r, value, &of_pointer)) return of_pointer;
    switch (l->GetConstOpcode(value)) {
    case LLVM_GEP: return reader_address(r, value);
    case LLVM_PTR_TO_INT:
    case LLVM_PTR_TO_ADDRESS:
    case LLVM_INT_TO_PTR:
    case LLVM_BIT_CAST: {
        const llvm_ref from = l->GetOperand(value, 0);
        const ir_ref ref = reader_constant(r, from);
        const unsigned have = ir_type_bits(r->m, reader_type(r, l->TypeOf(from))),
                       want = ir_type_bits(r->m, type);
        if (r->status || ir_ref_type(r->f, ref) == type) return ref;
        return READER_EMIT(r, have < want ? OP_zext : have > want ? OP_trunc : OP_bitcast, type, 0, ref);
    }
    case LLVM_ADD:
    case LLVM_SUB:
    case LLVM_XOR: {
        const int opcode = l->GetConstOpcode(value);
        const ir_ref a = reader_constant(r, l->GetOperand(value, 0)),
                     b = reader_constant(r, l->GetOperand(value, 1));
        return READER_EMIT(r,
                           opcode == LLVM_ADD   ? OP_add
                           : opcode == LLVM_SUB ? OP_sub
                                                : OP_xor,
                           type, 0, a, b);
    }
    case LLVM_TRUNC: return READER_EMIT(r, OP_trunc, type, 0, reader_constant(r, l->GetOperand(value, 0)));
    case LLVM_EXTRACT_ELEMENT:
        return READER_EMIT(r, OP_extract, type, 0, reader_constant(r, l->GetOperand(value, 0)),
                           reader_constant(r, l->GetOperand(value, 1)));
    case LLVM_SPACE_CAST: return reader_space_cast(r, value, reader_constant(r, l->GetOperand(value, 0)));
    default: reader_refuse(r, "a constant expression of this kind"); return IR_NOTHING;
    }
}

llvm_ref reader_aliased(struct reader *r, llvm_ref value) {
    while (r->l->IsAGlobalAlias(value)) value = r->l->GetOperand(value, 0);
    return value;
}

ir_ref reader_constant(struct reader *r, llvm_ref value) {
    const struct llvm *l = r->l;
    uint64_t bits[2];
    if (r->status) return IR_NOTHING;
    value = reader_aliased(r, value);
    if (l->IsAGlobalVariable(value) || l->IsAFunction(value)) {
        const ir_ref s = symbol(r, value);
        return r->status ? IR_NOTHING : READER_EMIT(r, OP_copy, reader_type(r, l->TypeOf(value)), 0, s);
    }
    const uint16_t type = reader_type(r, l->TypeOf(value));
    if (r->status) return IR_NOTHING;
    if (l->IsPoison(value) || l->IsUndef(value)) return ir_poison(r->f, type);
    if (l->GetTypeKind(l->TypeOf(value)) == VECTOR && !l->IsAConstantExpr(value))
        return vector(r, value, type);
    if (reader_bits(r, value, bits)) return ir_constant_bits(r->f, type, bits[0], bits[1]);
    if (l->IsAConstantExpr(value)) return expression(r, value);
    reader_refuse(r, "a constant of this kind");
    return IR_NOTHING;
}

// ---- Initialisers ----

// The bytes between a constant address and what its first operand is the address of.
static int64_t distance(struct reader *r, llvm_ref gep) {
    const struct llvm *l = r->l;
    const int count = l->GetNumOperands(gep);
    llvm_ref element = l->GetGEPSourceElementType(gep);
    uint64_t offset = 0, number[2];
    for (int i = 1; i < count && !r->status; i++) {
        const llvm_ref index = l->GetOperand(gep, (unsigned)i);
        if (!l->IsAConstantInt(index)) {
            reader_refuse(r, "an initialiser with such an address");
        } else if (i > 1 && l->GetTypeKind(element) == STRUCT) {
            if (!reader_bits(r, index, number) || number[0] >= l->CountStructElementTypes(element)) break;
            offset += reader_field_offset(r, element, (unsigned)number[0]);
            element = l->StructGetTypeAtIndex(element, (unsigned)number[0]);
        } else {
            if (i > 1) element = l->GetElementType(element);
            offset += reader_size(r, element) * (uint64_t)l->ConstIntGetSExtValue(index);
        }
    }
    return (int64_t)offset;
}

// A constant of eight bytes (of LDS: four) that is the address of a variable or function, a place near it, or
// a number.
static void put_address(struct reader *r, llvm_ref value, uint8_t *out, uint64_t at, unsigned bytes) {
    const struct llvm *l = r->l;
    struct ir_address a = {.offset = at};
    value = reader_aliased(r, value);
    while (!r->status && l->IsAConstantExpr(value)) {
        const int opcode = l->GetConstOpcode(value);
        const llvm_ref from = reader_aliased(r, l->GetOperand(value, 0));
        const bool fits = l->GetTypeKind(l->TypeOf(from)) != LLVM_POINTER ||
                          reader_pointer_bits(l->GetPointerAddressSpace(l->TypeOf(from))) == 8 * bytes;
        if (opcode == LLVM_GEP)
            a.addend += distance(r, value);
        else if (opcode != LLVM_PTR_TO_INT && opcode != LLVM_SPACE_CAST && opcode != LLVM_INT_TO_PTR &&
                 opcode != LLVM_BIT_CAST)
            break;
        if (!fits) break;
        value = from;
    }
    if (l->IsAConstantInt(value)) {
        const uint64_t bits = (uint64_t)l->ConstIntGetSExtValue(value) + (uint64_t)a.addend;
        for (unsigned i = 0; i < bytes; i++) out[at + i] = (uint8_t)(bits >> i * 8);
        return;
    }
    const bool named = l->IsAGlobalVariable(value) || l->IsAFunction(value);
    const unsigned space = named ? l->GetPointerAddressSpace(l->TypeOf(value)) : 0;
    if (!named || reader_pointer_bits(space) != 8 * bytes || (bytes == 4 && space != IR_LOCAL)) {
        reader_refuse(r, "an initialiser with such an address");
        return;
    }
    const ir_ref s = symbol(r, value);
    a.symbol = ir_index(s);
    if (!r->status) ir_address_add(r->m, r->variable, &a);
}

// Names of other things are there if other objects may use them; here, what they stand for is used itself.
void reader_aliases(struct reader *r) {
    enum { INTERNAL = 8, PRIVATE = 9 };
    const struct llvm *l = r->l;
    for (llvm_ref a = l->GetFirstGlobalAlias(r->module); a && !r->status; a = l->GetNextGlobalAlias(a)) {
        struct ir_alias alias = {0};
        size_t length;
        const int linkage = l->GetLinkage(a);
        llvm_ref of = reader_aliased(r, a);
        if (linkage == INTERNAL || linkage == PRIVATE) continue;
        while (l->IsAConstantExpr(of) && l->GetConstOpcode(of) == LLVM_GEP && !r->status) {
            alias.addend += distance(r, of);
            of = reader_aliased(r, l->GetOperand(of, 0));
        }
        if (!l->IsAGlobalVariable(of) && !l->IsAFunction(of)) {
            reader_refuse(r, "an alias of what is no function or variable");
            return;
        }
        const ir_ref s = symbol(r, of);
        const char *name = l->GetValueName2(a, &length);
        alias.name = arena_copy(&r->m->arena, name, length);
        alias.symbol = ir_index(s);
        reader_linkage(r, a, &alias.visibility, &alias.weak);
        if (!r->status && (!alias.name || !array_push(&r->m->aliases, alias))) reader_no_memory(r);
    }
}

static void put_bytes(struct reader *r, llvm_ref value, uint8_t *out, uint64_t at, uint64_t size) {
    const struct llvm *l = r->l;
    const llvm_ref type = l->TypeOf(value);
    const int kind = l->GetTypeKind(type);
    const uint64_t own = reader_size(r, type);
    uint64_t bits[2];
    if (r->status || l->IsPoison(value) || l->IsUndef(value) || at > size || own > size - at) return;
    if (reader_bits(r, value, bits)) {
        const uint64_t store = reader_store_size(r, type);
        for (uint64_t i = 0; i < store && i < 16; i++) out[at + i] = (uint8_t)(bits[i / 8] >> i % 8 * 8);
        return;
    }
    if (l->IsNull(value)) return;
    if (kind != STRUCT && kind != ARRAY_TYPE && kind != VECTOR) {
        if (own == 8 || own == 4)
            put_address(r, value, out, at, (unsigned)own);
        else
            reader_refuse(r, "an initialiser with addresses of this size");
        return;
    }
    const uint64_t count = kind == STRUCT   ? l->CountStructElementTypes(type)
                           : kind == VECTOR ? l->GetVectorSize(type)
                                            : l->GetArrayLength2(type);
    for (uint64_t i = 0; i < count && !r->status; i++) {
        const llvm_ref part = l->GetAggregateElement(value, (unsigned)i);
        if (!part) {
            reader_refuse(r, "an initialiser of unknown form");
            return;
        }
        const uint64_t offset =
            kind == STRUCT ? reader_field_offset(r, type, (unsigned)i) : i * reader_size(r, l->TypeOf(part));
        put_bytes(r, part, out, at + offset, size);
    }
}

const uint8_t *reader_initialiser(struct reader *r, llvm_ref value, uint64_t size) {
    if (!value || r->l->IsNull(value) || r->l->IsUndef(value) || r->l->IsPoison(value)) return NULL;
    uint8_t *out = arena_alloc(&r->m->arena, size);
    if (!out) {
        reader_no_memory(r);
        return NULL;
    }
    put_bytes(r, value, out, 0, size);
    return out;
}
