// SPDX-License-Identifier: MIT
// Addresses, loads, stores, atomics and fences, with what LLVM says of the memory.
#include "reader/reader.h"

#include <stdio.h>

// ---- Addresses ----

// An index as wide as the address. Indices are signed.
static ir_ref index_of(struct reader *r, llvm_ref index, uint16_t type) {
    const ir_ref ref = reader_value_of(r, index);
    if (r->status) return IR_NOTHING;
    const struct ir_type own = *ir_type_at(r->m, ir_ref_type(r->f, ref));
    const unsigned want = ir_type_at(r->m, type)->bits;
    if (own.bits == want) return reader_splat(r, ref, type);
    const uint16_t wide = ir_type_of(r->m, IR_INT, want, own.count);
    return reader_splat(r, READER_EMIT(r, own.bits < want ? OP_sext : OP_trunc, wide, 0, ref), type);
}

static ir_ref scaled(struct reader *r, ir_ref index, uint64_t size, uint16_t type, unsigned flags) {
    if (size == 1) return index;
    if (size & (size - 1)) return READER_EMIT(r, OP_mul, type, flags, index, reader_number(r, size, type));
    unsigned shift = 0;
    while (size >> shift > 1) shift++;
    return READER_EMIT(r, OP_shl, type, flags, index, reader_number(r, shift, type));
}

// The number of a struct's field, which is the same for all addresses of a vector.
static bool field_of(struct reader *r, llvm_ref index, uint64_t out[2]) {
    const struct llvm *l = r->l;
    if (l->GetTypeKind(l->TypeOf(index)) == LLVM_VECTOR) index = l->GetAggregateElement(index, 0);
    if (!index || !reader_bits(r, index, out)) reader_refuse(r, "a field of this kind");
    return !r->status;
}

// The base plus all variable parts, then plus the sum of the constant ones.
ir_ref reader_address_from(struct reader *r, llvm_ref gep, ir_ref address, uint16_t type) {
    enum { INBOUNDS = 1, NUSW = 2, NUW = 4 };
    const struct llvm *l = r->l;
    const unsigned count = (unsigned)l->GetNumOperands(gep), gep_flags = l->GEPGetNoWrapFlags(gep);
    const unsigned nuw = gep_flags & NUW ? IR_NUW : 0, nsw = gep_flags & (NUSW | INBOUNDS) ? IR_NSW : 0;
    llvm_ref element = l->GetGEPSourceElementType(gep);
    uint64_t offset = 0;
    for (unsigned i = 1; i < count && !r->status; i++) {
        const llvm_ref index = l->GetOperand(gep, i);
        uint64_t field[2];
        if (i > 1 && l->GetTypeKind(element) == 10) { // a struct
            if (!field_of(r, index, field) || field[0] >= l->CountStructElementTypes(element)) break;
            offset += reader_field_offset(r, element, (unsigned)field[0]);
            element = l->StructGetTypeAtIndex(element, (unsigned)field[0]);
            continue;
        }
        if (i > 1) element = l->GetElementType(element);
        const uint64_t size = reader_size(r, element);
        if (r->status) break;
        if (l->IsAConstantInt(index)) {
            offset += size * (uint64_t)l->ConstIntGetSExtValue(index);
            continue;
        }
        const ir_ref part = scaled(r, index_of(r, index, type), size, type, nuw | nsw);
        address = READER_EMIT(r, OP_add, type, nuw, address, part);
    }
    // What does not wrap as a signed sum of an address and no negative number does not as an unsigned one.
    const unsigned forward = nsw && !(offset >> 63) ? IR_NUW : 0;
    if (offset && !r->status)
        address = READER_EMIT(r, OP_add, type, nuw | forward, address, reader_number(r, offset, type));
    return address;
}

ir_ref reader_address(struct reader *r, llvm_ref gep) {
    const ir_ref base = reader_value_of(r, r->l->GetOperand(gep, 0));
    const uint16_t type = reader_type_of(r, gep);
    if (!r->status && ir_type_at(r->m, type)->bits > 64) reader_refuse(r, "an address of this address space");
    return r->status ? IR_NOTHING : reader_address_from(r, gep, reader_splat(r, base, type), type);
}

ir_ref reader_access_address(struct reader *r, llvm_ref pointer) {
    return reader_is_fat(r, r->l->TypeOf(pointer)) ? reader_fat_place(r, pointer)
                                                   : reader_value_of(r, pointer);
}

// ---- What is known of an access ----

static unsigned log2_of(uint64_t n) {
    unsigned log2 = 0;
    while (n >> log2 > 1) log2++;
    return log2;
}

static void read_scope(struct reader *r, llvm_ref inst, struct ir_memory *m) {
    const unsigned id = r->l->GetAtomicSyncScopeID(inst);
    for (unsigned i = 0; i < 2 * IR_SCOPES; i++)
        if (r->scopes[i] == id) {
            m->scope = (uint8_t)(i % IR_SCOPES);
            if (i >= IR_SCOPES) m->flags |= IR_ONE_AS;
            return;
        }
    char *text = r->l->PrintValueToString(inst), what[128] = "a synchronization scope of unknown name";
    const char *scope = text ? strstr(text, "syncscope(") : NULL;
    if (scope) snprintf(what, sizeof what, "%.*s)", (int)strcspn(scope, ")"), scope);
    r->l->DisposeMessage(text);
    reader_refuse(r, what);
}

static struct ir_memory access(struct reader *r, llvm_ref inst, llvm_ref address, llvm_ref type) {
    static const struct {
        uint8_t kind;
        uint16_t flag;
    } flags[] = {{KIND_INVARIANT, IR_INVARIANT},        {KIND_NONTEMPORAL, IR_NONTEMPORAL},
                 {KIND_LAST_USE, IR_LAST_USE},          {KIND_NOCLOBBER, IR_NOCLOBBER},
                 {KIND_NO_REMOTE, IR_NO_REMOTE},        {KIND_NO_FINE, IR_NO_FINE},
                 {KIND_ANY_DENORMALS, IR_ANY_DENORMALS}};
    const struct llvm *l = r->l;
    struct ir_memory m = {0};
    const unsigned space = l->GetPointerAddressSpace(l->TypeOf(address));
    const uint64_t bytes = reader_store_size(r, type);
    if (space >= IR_SPACES || space == IR_RESOURCE)
        reader_refuse(r, "an access to this address space");
    else if (bytes > IR_MOST_BYTES && !reader_is_aggregate(r, type))
        reader_refuse(r, "an access to more than 1024 bytes");
    m.space = (uint8_t)space;
    m.bytes = (uint16_t)bytes;
    const unsigned align = l->GetAlignment(inst);
    m.align_log2 = (uint8_t)log2_of(align ? align : 1);
    if (l->GetVolatile(inst)) m.flags |= IR_VOLATILE;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (reader_instruction_node(r, inst, (enum reader_kind)flags[i].kind)) m.flags |= flags[i].flag;
    if (space == IR_GENERIC && reader_is_not_stack(r, inst)) m.flags |= IR_NOT_STACK;
    return m;
}

static ir_ref with_memory(struct reader *r, const struct ir_memory *m) {
    if (r->status || r->m->failed) return IR_NOTHING;
    struct ir_inst *i = &r->f->insts.items[r->f->insts.count - 1];
    i->memory = ir_memory_add(r->f, m);
    return i->results ? ir_make(IR_VALUE, i->first_result) : IR_NOTHING;
}

// Integers whose width is no number of bytes lie in memory with zeros above. Elements of vectors lie one
// behind the other, bit for bit.
static uint16_t memory_type(struct reader *r, uint16_t type) {
    const struct ir_type t = *ir_type_at(r->m, type);
    if (t.kind != IR_INT || t.bits % 8 == 0 || t.count != 1) return type;
    return ir_int(r->m, (t.bits + 7u) / 8 * 8);
}

// A value of this type at an address plus a number of bytes.
static ir_ref load_one(struct reader *r, uint16_t type, ir_ref address, uint64_t offset,
                       const struct ir_memory *m) {
    const uint16_t in_memory = memory_type(r, type);
    READER_EMIT(r, m->order ? OP_atomic_load : OP_load, in_memory, 0, address, ir_immediate((int32_t)offset));
    const ir_ref loaded = with_memory(r, m);
    return in_memory == type || r->status ? loaded : READER_EMIT(r, OP_trunc, type, 0, loaded);
}

static void store_one(struct reader *r, ir_ref value, ir_ref address, uint64_t offset,
                      const struct ir_memory *m) {
    const uint16_t type = r->status ? 0 : ir_ref_type(r->f, value), in_memory = memory_type(r, type);
    if (r->status) return;
    if (in_memory != type) value = READER_EMIT(r, OP_zext, in_memory, 0, value);
    reader_append(r, m->order ? OP_atomic_store : OP_store,
                  (const ir_ref[]){value, address, ir_immediate((int32_t)offset)}, 3);
    with_memory(r, m);
}

// The access to a part of what `m` says, so many bytes behind its beginning.
static struct ir_memory part_of(struct reader *r, const struct ir_memory *m, const struct reader_place *p) {
    struct ir_memory one = *m;
    const uint64_t bytes = p->bytes;
    if (bytes > IR_MOST_BYTES || p->offset > IR_INDEX_MASK / 4)
        reader_refuse(r, "an access to more than 1024 bytes");
    one.bytes = (uint16_t)bytes;
    while (one.align_log2 && p->offset & ((1u << one.align_log2) - 1)) one.align_log2--;
    return one;
}

// The place of one element of what lies at a place.
static struct reader_place element_at(struct reader *r, const struct reader_place *p, unsigned n) {
    const struct ir_type t = *ir_type_at(r->m, p->type);
    if (!p->stride) return *p;
    return (struct reader_place){ir_type_of(r->m, t.kind, t.bits, 1), p->offset + n * p->stride, p->bytes, 0};
}
static unsigned elements_at(struct reader *r, const struct reader_place *p) {
    return p->stride ? ir_type_at(r->m, p->type)->count : 1;
}

static ir_ref load_place(struct reader *r, const struct reader_place *p, ir_ref address,
                         const struct ir_memory *m) {
    const unsigned count = elements_at(r, p);
    ir_ref all[IR_MOST_ELEMENTS];
    for (unsigned n = 0; n < count && !r->status; n++) {
        const struct reader_place e = element_at(r, p, n);
        const struct ir_memory one = part_of(r, m, &e);
        all[n] = load_one(r, e.type, address, e.offset, &one);
    }
    if (r->status) return IR_NOTHING;
    return p->stride ? reader_emit(r, OP_vector, p->type, 0, all, count) : all[0];
}

static void store_place(struct reader *r, const struct reader_place *p, ir_ref value, ir_ref address,
                        const struct ir_memory *m) {
    const unsigned count = elements_at(r, p);
    for (unsigned n = 0; n < count && !r->status; n++) {
        const struct reader_place e = element_at(r, p, n);
        const struct ir_memory one = part_of(r, m, &e);
        const ir_ref index = ir_constant_bits(r->f, ir_int(r->m, 32), n, 0);
        store_one(r, p->stride ? READER_EMIT(r, OP_extract, e.type, 0, value, index) : value, address,
                  e.offset, &one);
    }
}

static const struct ir_memory on_stack = {.space = IR_PRIVATE, .align_log2 = 4};

void reader_load_from(struct reader *r, llvm_ref value, ir_ref address) {
    struct reader_place places[READER_LEAVES];
    ir_ref leaves[READER_LEAVES];
    const llvm_ref type = r->l->TypeOf(value);
    const unsigned count = reader_places(r, type, places);
    for (unsigned n = 0; n < count && !r->status; n++)
        leaves[n] = load_place(r, &places[n], address, &on_stack);
    reader_set_leaves(r, value, leaves, count);
}

void reader_store_to(struct reader *r, llvm_ref value, ir_ref address) {
    reader_store_at(r, value, address, 0);
}

void reader_store_at(struct reader *r, llvm_ref value, ir_ref address, uint64_t offset) {
    struct reader_place places[READER_LEAVES];
    const unsigned count = reader_places(r, r->l->TypeOf(value), places);
    for (unsigned n = 0; n < count && !r->status; n++) {
        places[n].offset += offset;
        store_place(r, &places[n], reader_leaf(r, value, n), address, &on_stack);
    }
}

// Nobody writes constant memory while the kernel runs, so a flat address from there is none of LDS or the
// stack.
static ir_ref of_constant(struct reader *r, llvm_ref type, ir_ref loaded) {
    const struct ir_memory m = {.space = IR_GENERIC, .cache = IR_GLOBAL};
    if (r->l->GetTypeKind(type) != LLVM_POINTER || r->l->GetPointerAddressSpace(type) != IR_GENERIC)
        return loaded;
    const ir_ref flat = READER_EMIT(r, OP_space_cast, ir_ref_type(r->f, loaded), 0, loaded);
    if (!r->status && !r->m->failed) ir_def(r->f, flat)->memory = ir_memory_add(r->f, &m);
    return flat;
}

void reader_load(struct reader *r, llvm_ref inst) {
    const struct llvm *l = r->l;
    const llvm_ref pointer = l->GetOperand(inst, 0), type = l->TypeOf(inst);
    struct ir_memory m = access(r, inst, pointer, type);
    m.order = (uint8_t)l->GetOrdering(inst);
    if (m.order) read_scope(r, inst, &m);
    const ir_ref address = reader_access_address(r, pointer);
    if (reader_is_aggregate(r, type)) {
        struct reader_place places[READER_LEAVES];
        ir_ref leaves[READER_LEAVES];
        const unsigned count = reader_places(r, type, places);
        for (unsigned n = 0; n < count && !r->status; n++) leaves[n] = load_place(r, &places[n], address, &m);
        if (!r->status) reader_set_parts(r, inst, leaves, count);
        return;
    }
    ir_ref loaded = r->status ? IR_NOTHING : load_one(r, reader_type(r, type), address, 0, &m);
    if (!r->status && m.space == IR_CONSTANT_SPACE) loaded = of_constant(r, type, loaded);
    if (!r->status) reader_set(r, inst, loaded);
}

// llvm.amdgcn.cooperative.atomic.*: address, of stores the value, order as C has it, scope. What lanes access
// lies one behind the other.
void reader_cooperative(struct reader *r, llvm_ref inst, bool store) {
    static const uint8_t orders[] = {2, 4, 4, 5, 6, 7}; // LLVM's number of each of C's
    const struct llvm *l = r->l;
    const llvm_ref pointer = l->GetOperand(inst, 0), value = store ? l->GetOperand(inst, 1) : inst;
    const unsigned at = store ? 2 : 1;
    const uint64_t bytes = reader_store_size(r, l->TypeOf(value)),
                   order = l->ConstIntGetZExtValue(l->GetOperand(inst, at));
    unsigned length = 0, n = 0;
    const char *name = l->GetMDString(l->GetOperand(inst, at + 1), &length);
    const unsigned scope = l->GetSyncScopeID(r->context, name ? name : "", name ? length : 0);
    while (n < IR_SCOPES && r->scopes[n] != scope) n++;
    struct ir_memory m = {.space = (uint8_t)l->GetPointerAddressSpace(l->TypeOf(pointer)),
                          .bytes = (uint16_t)bytes,
                          .align_log2 = (uint8_t)log2_of(bytes),
                          .scope = (uint8_t)n};
    if (order > 5 || n == IR_SCOPES || (m.space != IR_GENERIC && m.space != IR_GLOBAL)) {
        reader_refuse(r, "a cooperative atomic operation of this kind");
        return;
    }
    m.order = orders[order];
    const ir_ref address = reader_access_address(r, pointer);
    if (store) {
        const ir_ref data = reader_value_of(r, value);
        if (!r->status) store_one(r, data, address, 0, &m);
        return;
    }
    const uint16_t type = reader_type(r, l->TypeOf(inst));
    const ir_ref loaded = r->status ? IR_NOTHING : load_one(r, type, address, 0, &m);
    if (!r->status) reader_set(r, inst, loaded);
}

void reader_store(struct reader *r, llvm_ref inst) {
    const struct llvm *l = r->l;
    const llvm_ref value = l->GetOperand(inst, 0), pointer = l->GetOperand(inst, 1), type = l->TypeOf(value);
    struct ir_memory m = access(r, inst, pointer, type);
    m.order = (uint8_t)l->GetOrdering(inst);
    if (m.order) read_scope(r, inst, &m);
    const ir_ref address = reader_access_address(r, pointer);
    if (reader_is_aggregate(r, type)) {
        struct reader_place places[READER_LEAVES];
        const unsigned count = reader_places(r, type, places);
        for (unsigned n = 0; n < count && !r->status; n++)
            store_place(r, &places[n], reader_leaf(r, value, n), address, &m);
        return;
    }
    store_one(r, reader_value_of(r, value), address, 0, &m);
}

// ---- Arguments in the kernarg segment ----

static ir_ref kernarg_bits(struct reader *r, ir_ref segment, uint64_t offset, unsigned bits, unsigned bytes) {
    const struct ir_memory m = {.space = IR_CONSTANT_SPACE,
                                .bytes = (uint16_t)bytes,
                                .align_log2 = (uint8_t)log2_of((offset | 16) & -(offset | 16)),
                                .flags = IR_INVARIANT | IR_DEREFERENCEABLE};
    const ir_ref whole = load_one(r, ir_int(r->m, bytes * 8), segment, offset, &m);
    return bits == bytes * 8 || r->status ? whole : READER_EMIT(r, OP_trunc, ir_int(r->m, bits), 0, whole);
}

// One scalar or vector of it. What is smaller than a dword comes with the dword that holds it.
static ir_ref kernarg_leaf(struct reader *r, ir_ref segment, uint64_t offset, uint16_t own, unsigned bytes) {
    if (r->status) return IR_NOTHING;
    const unsigned bits = ir_type_bits(r->m, own), within = (unsigned)offset % 4;
    ir_ref v;
    if (bytes < 4 && within + bytes <= 4) {
        v = kernarg_bits(r, segment, offset - within, 32, 4);
        if (within)
            v = READER_EMIT(r, OP_lshr, ir_int(r->m, 32), 0, v,
                            ir_constant_bits(r->f, ir_int(r->m, 32), within * 8, 0));
        v = READER_EMIT(r, OP_trunc, ir_int(r->m, bits), 0, v);
    } else if (bytes <= 16)
        v = kernarg_bits(r, segment, offset, bits, bytes);
    else {
        struct ir_memory m = {.space = IR_CONSTANT_SPACE,
                              .bytes = (uint16_t)bytes,
                              .align_log2 = (uint8_t)log2_of((offset | 16) & -(offset | 16)),
                              .flags = IR_INVARIANT | IR_DEREFERENCEABLE};
        if (bytes > IR_MOST_BYTES) reader_refuse(r, "an argument of more than 1024 bytes");
        return r->status ? IR_NOTHING : load_one(r, own, segment, offset, &m);
    }
    return r->status || ir_ref_type(r->f, v) == own ? v : READER_EMIT(r, OP_bitcast, own, 0, v);
}

static ir_ref kernarg_place(struct reader *r, ir_ref segment, uint64_t offset, const struct reader_place *p) {
    const unsigned count = elements_at(r, p);
    ir_ref all[IR_MOST_ELEMENTS];
    for (unsigned n = 0; n < count && !r->status; n++) {
        const struct reader_place e = element_at(r, p, n);
        all[n] = kernarg_leaf(r, segment, offset + e.offset, e.type, (unsigned)e.bytes);
    }
    if (r->status) return IR_NOTHING;
    return p->stride ? reader_emit(r, OP_vector, p->type, 0, all, count) : all[0];
}

void reader_kernarg(struct reader *r, llvm_ref parameter, uint64_t offset, bool by_reference) {
    const llvm_ref type = r->l->TypeOf(parameter);
    const uint16_t address = ir_int(r->m, 64);
    const ir_ref segment = reader_emit(r, OP_kernarg_pointer, address, 0, NULL, 0);
    if (by_reference) {
        if (reader_pointer_bits(r->l->GetPointerAddressSpace(type)) != 64)
            reader_refuse(r, "a reference to the kernarg segment in this address space");
        const ir_ref at =
            offset ? READER_EMIT(r, OP_add, address, 0, segment, ir_constant_bits(r->f, address, offset, 0))
                   : segment;
        if (!r->status) reader_set(r, parameter, at);
    } else if (reader_is_aggregate(r, type)) {
        struct reader_place places[READER_LEAVES];
        ir_ref leaves[READER_LEAVES];
        const unsigned count = reader_places(r, type, places);
        for (unsigned n = 0; n < count && !r->status; n++)
            leaves[n] = kernarg_place(r, segment, offset, &places[n]);
        if (!r->status) reader_set_parts(r, parameter, leaves, count);
    } else {
        const ir_ref v =
            kernarg_leaf(r, segment, offset, reader_type(r, type), (unsigned)reader_store_size(r, type));
        if (!r->status) reader_set(r, parameter, v);
    }
}

// The spaces that a fence orders, by the metadata "amdgpu-synchronize-as"; 0: all.
static uint8_t fenced_spaces(struct reader *r, llvm_ref inst) {
    const llvm_ref node = reader_instruction_node(r, inst, KIND_MMRA);
    char key[32], value[16];
    uint8_t spaces = 0;
    for (unsigned n = 0; node && reader_node_text(r, node, n, key, sizeof key) &&
                         reader_node_text(r, node, n + 1, value, sizeof value);
         n += 2)
        if (!strcmp(key, "amdgpu-synchronize-as") || !strcmp(key, "amdgpu-as"))
            for (unsigned s = 0; s < 8; s++)
                if (!strcmp(value, ir_space_names[s])) spaces |= (uint8_t)(1 << s);
    return spaces;
}

void reader_fence(struct reader *r, llvm_ref inst) {
    struct ir_memory m = {.order = (uint8_t)r->l->GetOrdering(inst)};
    read_scope(r, inst, &m);
    m.spaces_fenced = fenced_spaces(r, inst);
    if (r->status) return;
    reader_append(r, OP_fence, NULL, 0);
    with_memory(r, &m);
}

void reader_atomic(struct reader *r, llvm_ref inst) {
    // LLVMAtomicRMWBinOp
    static const uint16_t ops[] = {
        OP_atomic_xchg,     OP_atomic_add,      OP_atomic_sub,      OP_atomic_and,     OP_atomic_nand,
        OP_atomic_or,       OP_atomic_xor,      OP_atomic_smax,     OP_atomic_smin,    OP_atomic_umax,
        OP_atomic_umin,     OP_atomic_fadd,     OP_atomic_fsub,     OP_atomic_fmax,    OP_atomic_fmin,
        OP_atomic_inc_wrap, OP_atomic_dec_wrap, OP_atomic_sub_cond, OP_atomic_sub_sat, OP_atomic_fmaximum,
        OP_atomic_fminimum};
    const struct llvm *l = r->l;
    const llvm_ref pointer = l->GetOperand(inst, 0), value = l->GetOperand(inst, 1);
    const unsigned op = (unsigned)l->GetAtomicRMWBinOp(inst);
    struct ir_memory m = access(r, inst, pointer, l->TypeOf(value));
    m.order = (uint8_t)l->GetOrdering(inst);
    read_scope(r, inst, &m);
    const ir_ref address = reader_access_address(r, pointer), operand = reader_value_of(r, value);
    const uint16_t type = reader_type_of(r, inst);
    if (r->status) return;
    if (op >= sizeof ops / sizeof *ops) {
        reader_refuse(r, "an atomic operation of this kind");
        return;
    }
    READER_EMIT(r, ops[op], type, 0, operand, address, ir_immediate(0));
    reader_set(r, inst, with_memory(r, &m));
}

void reader_cmpxchg(struct reader *r, llvm_ref inst) {
    const struct llvm *l = r->l;
    const llvm_ref pointer = l->GetOperand(inst, 0), expected = l->GetOperand(inst, 1);
    struct ir_memory m = access(r, inst, pointer, l->TypeOf(expected));
    m.order = (uint8_t)l->GetCmpXchgSuccessOrdering(inst);
    m.failure_order = (uint8_t)l->GetCmpXchgFailureOrdering(inst);
    if (l->GetWeak(inst)) m.flags |= IR_WEAK;
    read_scope(r, inst, &m);
    const ir_ref address = reader_access_address(r, pointer), old = reader_value_of(r, expected);
    const ir_ref replacement = reader_value_of(r, l->GetOperand(inst, 2));
    const uint16_t type = reader_type_of(r, expected);
    if (r->status) return;
    READER_EMIT(r, OP_atomic_cmpxchg, type, 0, old, replacement, address, ir_immediate(0));
    const ir_ref found = with_memory(r, &m);
    const ir_ref same = READER_EMIT(r, OP_eq, ir_int(r->m, 1), 0, found, old);
    reader_set_parts(r, inst, (const ir_ref[]){found, same}, 2);
}

// ---- Copies ----

static unsigned argument_align(struct reader *r, llvm_ref call, unsigned argument) {
    const unsigned kind = r->l->GetEnumAttributeKindForName("align", 5);
    const llvm_ref align = r->l->GetCallSiteEnumAttribute(call, argument + 1, kind);
    return align ? log2_of(r->l->GetEnumAttributeValue(align)) : 0;
}

// llvm.memcpy and kin: to, from or a byte, length, and whether it is volatile. To a space, from the one in
// `cache`.
void reader_move(struct reader *r, llvm_ref call, unsigned op, const ir_ref operands[3]) {
    const struct llvm *l = r->l;
    struct ir_memory m = {0};
    const bool fills = op == OP_memory_fill;
    if (r->status) return;
    const unsigned to = l->GetPointerAddressSpace(l->TypeOf(l->GetOperand(call, 0)));
    const unsigned from = fills ? to : l->GetPointerAddressSpace(l->TypeOf(l->GetOperand(call, 1)));
    const unsigned spaces = ((1u << (IR_PRIVATE + 1)) - 1) | 1u << IR_FAT | 1u << IR_STRIDED;
    if (to >= IR_SPACES || from >= IR_SPACES || !(spaces >> to & spaces >> from & 1)) {
        reader_refuse(r, "a copy of memory in this address space");
        return;
    }
    const unsigned a = argument_align(r, call, 0), b = fills ? a : argument_align(r, call, 1);
    m.space = (uint8_t)to;
    m.cache = (uint8_t)from;
    m.align_log2 = (uint8_t)(a < b ? a : b);
    if (l->ConstIntGetZExtValue(l->GetOperand(call, 3))) m.flags |= IR_VOLATILE;
    reader_append(r, op, operands, 3);
    with_memory(r, &m);
}
