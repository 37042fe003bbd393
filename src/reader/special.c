// SPDX-License-Identifier: MIT
// Calls of intrinsics that no operation is: several operations, a result of several parts, or arguments that
// are no values.
#include "reader/reader.h"

// An exchange of rows gives two dwords, as one number of 64 bits.
static void swap_rows(struct reader *r, llvm_ref inst, const char *name, size_t length) {
    const uint16_t i64 = ir_int(r->m, 64), i32 = ir_int(r->m, 32);
    ir_ref operands[5] = {reader_symbol(r, name, length)};
    for (unsigned n = 0; n < 4; n++) operands[n + 1] = reader_value_of(r, r->l->GetOperand(inst, n));
    if (r->status) return;
    const ir_ref both = reader_emit(r, OP_intrinsic, i64, IR_CONVERGENT, operands, 5);
    const ir_ref high = READER_EMIT(r, OP_lshr, i64, 0, both, ir_constant_bits(r->f, i64, 32, 0));
    const ir_ref parts[] = {READER_EMIT(r, OP_trunc, i32, 0, both), READER_EMIT(r, OP_trunc, i32, 0, high)};
    if (!r->status) reader_set_parts(r, inst, parts, 2);
}

// A stack of nodes in LDS: the nodes on its top, and the place of the top behind them, as one number.
static void stack_of_nodes(struct reader *r, llvm_ref inst, const char *name, size_t length) {
    const uint16_t i32 = ir_int(r->m, 32), own = reader_leaf_type(r, r->l->TypeOf(inst), 0);
    if (r->status) return;
    const unsigned bits = ir_type_bits(r->m, own);
    const uint16_t all = ir_int(r->m, bits + 32);
    ir_ref operands[5] = {reader_symbol(r, name, length)};
    for (unsigned n = 0; n < 4; n++) operands[n + 1] = reader_value_of(r, r->l->GetOperand(inst, n));
    if (r->status) return;
    const ir_ref both = reader_emit(r, OP_intrinsic, all, IR_CONVERGENT, operands, 5);
    const ir_ref high = READER_EMIT(r, OP_lshr, all, 0, both, ir_constant_bits(r->f, all, bits, 0));
    const ir_ref parts[] = {READER_EMIT(r, OP_trunc, own, 0, both), READER_EMIT(r, OP_trunc, i32, 0, high)};
    if (!r->status) reader_set_parts(r, inst, parts, 2);
}

// Halves as numbers of 16 bits.
static void convert_half(struct reader *r, llvm_ref inst, bool to) {
    const uint16_t i16 = ir_int(r->m, 16), half = ir_type_of(r->m, IR_F16, 16, 1);
    const ir_ref x = reader_value_of(r, r->l->GetOperand(inst, 0));
    const uint16_t type = reader_type(r, r->l->TypeOf(inst));
    if (r->status) return;
    if (to)
        reader_set(r, inst, READER_EMIT(r, OP_bitcast, i16, 0, READER_EMIT(r, OP_fptrunc, half, 0, x)));
    else
        reader_set(r, inst, READER_EMIT(r, OP_fpext, type, 0, READER_EMIT(r, OP_bitcast, half, 0, x)));
}

// llvm.amdgcn.load.to.lds by a pointer into a buffer: the intrinsic of buffers.
static void load_place_to_lds(struct reader *r, llvm_ref inst) {
    enum { ADDRESS, TO, SIZE, OFFSET, POLICY };
    static const char raw[] = "llvm.amdgcn.raw.ptr.buffer.load.lds",
                      structured[] = "llvm.amdgcn.struct.ptr.buffer.load.lds";
    const llvm_ref pointer = r->l->GetOperand(inst, ADDRESS);
    const bool indexed = reader_fat_parts(r, r->l->TypeOf(pointer)) == 3;
    ir_ref o[9];
    unsigned n = 0;
    o[n++] =
        indexed ? reader_symbol(r, structured, sizeof structured - 1) : reader_symbol(r, raw, sizeof raw - 1);
    o[n++] = reader_leaf(r, pointer, 0);
    o[n++] = reader_value_of(r, r->l->GetOperand(inst, TO));
    o[n++] = reader_value_of(r, r->l->GetOperand(inst, SIZE));
    if (indexed) o[n++] = reader_leaf(r, pointer, 2);
    o[n++] = reader_leaf(r, pointer, 1);
    o[n++] = ir_constant_bits(r->f, ir_int(r->m, 32), 0, 0);
    o[n++] = reader_value_of(r, r->l->GetOperand(inst, OFFSET));
    o[n++] = reader_value_of(r, r->l->GetOperand(inst, POLICY));
    if (!r->status) reader_append(r, OP_intrinsic, o, n)->flags = IR_CONVERGENT;
}

// A load from a buffer or an image that also says whether memory was missing: dwords of the value, then the
// status.
static void load_with_status(struct reader *r, llvm_ref inst, const char *name, size_t length) {
    const struct llvm *l = r->l;
    const llvm_ref type = l->TypeOf(inst);
    const unsigned arguments = (unsigned)l->GetNumArgOperands(inst);
    ir_ref operands[25] = {reader_symbol(r, name, length)};
    if (reader_leaf_count(r, type) != 2 || arguments > 24) {
        reader_refuse(r, "an intrinsic with several results");
        return;
    }
    const uint16_t own = reader_leaf_type(r, type, 0), i32 = ir_int(r->m, 32);
    const unsigned bits = ir_type_bits(r->m, own), dwords = (bits + 31) / 32;
    if (bits > 128) reader_refuse(r, "a load of more than 128 bits from a buffer");
    for (unsigned n = 0; n < arguments; n++) operands[n + 1] = reader_value_of(r, l->GetOperand(inst, n));
    if (r->status) return;
    const ir_ref all = reader_emit(r, OP_intrinsic, ir_type_of(r->m, IR_INT, 32, dwords + 1), IR_CONVERGENT,
                                   operands, arguments + 1);
    const ir_ref status = READER_EMIT(r, OP_extract, i32, 0, all, ir_constant_bits(r->f, i32, dwords, 0));
    ir_ref data;
    if (dwords == 1)
        data = READER_EMIT(r, OP_extract, i32, 0, all, ir_constant_bits(r->f, i32, 0, 0));
    else {
        ir_ref first[6] = {all, all};
        for (unsigned n = 0; n < dwords; n++) first[2 + n] = ir_immediate((int32_t)n);
        data = reader_emit(r, OP_shuffle, ir_type_of(r->m, IR_INT, 32, dwords), 0, first, dwords + 2);
        data = READER_EMIT(r, OP_bitcast, ir_int(r->m, dwords * 32), 0, data);
    }
    if (bits % 32) data = READER_EMIT(r, OP_trunc, ir_int(r->m, bits), 0, data);
    if (!r->status && ir_ref_type(r->f, data) != own) data = READER_EMIT(r, OP_bitcast, own, 0, data);
    if (!r->status) reader_set_parts(r, inst, (const ir_ref[]){data, status}, 2);
}

// A number of a division, scaled, and the lanes in which that counts.
static void scale_for_division(struct reader *r, llvm_ref inst, const char *name, size_t length) {
    ir_ref operands[4] = {reader_symbol(r, name, length)};
    for (unsigned n = 0; n < 3; n++) operands[n + 1] = reader_value_of(r, r->l->GetOperand(inst, n));
    if (r->status) return;
    reader_append(r, OP_intrinsic, operands, 4)->flags = IR_CONVERGENT;
    const ir_ref scaled = ir_result(r->f, ir_ref_type(r->f, operands[1]));
    const ir_ref parts[] = {scaled, ir_result(r->f, ir_int(r->m, 1))};
    reader_set_parts(r, inst, parts, 2);
}

// A conversion with a rounding of its own: the value, and the number that MODE has for it.
static void round_truncated(struct reader *r, llvm_ref inst) {
    static const char names[][12] = {"tonearest", "upward", "downward", "towardzero"};
    static const char name[] = "llvm.fptrunc.round";
    char word[24];
    unsigned n = 0;
    reader_word(r, inst, 1, word, sizeof word);
    while (n < 4 && strcmp(word, names[n])) n++;
    const uint16_t type = reader_type_of(r, inst);
    const ir_ref o[] = {reader_symbol(r, name, sizeof name - 1),
                        reader_value_of(r, r->l->GetOperand(inst, 0)),
                        ir_constant_bits(r->f, ir_int(r->m, 32), n, 0)};
    if (n == 4) reader_refuse(r, "a rounding of this name");
    if (!r->status) reader_set(r, inst, reader_emit(r, OP_intrinsic, type, IR_CONVERGENT, o, 3));
}

// EXEC, as the lanes for which it holds that they are there.
static void read_register(struct reader *r, llvm_ref inst) {
    const uint16_t type = reader_type_of(r, inst), i64 = ir_int(r->m, 64);
    char name[16] = "";
    if (r->status) return;
    if (!reader_node_text(r, r->l->GetOperand(inst, 0), 0, name, sizeof name) ||
        (strcmp(name, "exec") && strcmp(name, "exec_lo") && strcmp(name, "exec_hi"))) {
        reader_refuse(r, "a register of this name");
        return;
    }
    ir_ref all = READER_EMIT(r, OP_ballot, i64, IR_CONVERGENT, ir_constant_bits(r->f, ir_int(r->m, 1), 1, 0));
    if (!strcmp(name, "exec_hi"))
        all = READER_EMIT(r, OP_lshr, i64, 0, all, ir_constant_bits(r->f, i64, 32, 0));
    if (type != i64) all = READER_EMIT(r, OP_trunc, type, 0, all);
    reader_set(r, inst, all);
}

// Nobody calls a kernel, and who called the caller is not known.
static void return_address(struct reader *r, llvm_ref inst) {
    const uint16_t type = reader_type_of(r, inst);
    const struct ir_constant *depth =
        r->status ? NULL : ir_constant_of(r->f, reader_value_of(r, r->l->GetOperand(inst, 0)));
    if (r->status) return;
    reader_set(r, inst,
               ir_is_entry(r->f) || !depth || depth->low
                   ? ir_constant_bits(r->f, type, 0, 0)
                   : reader_emit(r, OP_return_address, type, 0, NULL, 0));
}

// A product of 24 bits by 24: all of its 48 bits.
static void whole_product(struct reader *r, llvm_ref inst, bool is_signed) {
    const uint16_t i32 = ir_int(r->m, 32), i64 = ir_int(r->m, 64);
    const ir_ref eight = ir_constant_bits(r->f, i32, 8, 0);
    ir_ref o[2];
    for (unsigned n = 0; n < 2; n++) {
        const ir_ref a = reader_value_of(r, r->l->GetOperand(inst, n));
        if (r->status) return;
        const ir_ref low = READER_EMIT(r, is_signed ? OP_ashr : OP_lshr, i32, 0,
                                       READER_EMIT(r, OP_shl, i32, 0, a, eight), eight);
        o[n] = READER_EMIT(r, is_signed ? OP_sext : OP_zext, i64, 0, low);
    }
    reader_set(r, inst, reader_emit(r, OP_mul, i64, 0, o, 2));
}

// Of a work-group in its cluster: fields of one register, and one of another.
static void place_in_cluster(struct reader *r, llvm_ref inst, const char *name, size_t length) {
    static const char *const places[] = {"id.x",     "id.y",     "id.z",       "max.id.x",
                                         "max.id.y", "max.id.z", "max.flat.id"};
    enum { FLAT_ID = 28 | 21 << 6 | 3 << 11 }; // four bits of IB_STS2
    const uint16_t i32 = ir_int(r->m, 32);
    unsigned n = 0;
    while (n < 7 && (strlen(places[n]) != length || memcmp(places[n], name, length))) n++;
    const bool flat = n == 7 && length == 7 && !memcmp(name, "flat.id", length);
    const ir_ref which = ir_immediate(flat ? FLAT_ID : (int32_t)n);
    if (n == 7 && !flat) reader_refuse(r, "a place in a cluster of this name");
    if (!r->status)
        reader_set(r, inst, reader_emit(r, flat ? OP_hardware_field : OP_cluster_place, i32, 0, &which, 1));
}

// The first wave of a work-group to come signals for all of it that the others have come as well.
static const char cluster_barrier[] = "s_barrier_signal_isfirst -1\n\ts_barrier_wait -1\n\ts_cbranch_scc0 1\n"
                                      "\ts_barrier_signal -3\n\ts_barrier_wait -3";

// ---- By name ----

enum special {
    CAST, // between address spaces, of what is not null
    CALL_WHOLE,
    CHAIN,
    CLUSTER_BARRIER,
    CLUSTER_PLACE,
    NODES,
    COOPERATIVE_LOAD,
    COOPERATIVE_STORE,
    ALLOWED, // what may be checked is checked
    CONSTRAINED,
    FPTRUNC,
    FROM_HALF,
    INVARIANT, // memory that nobody changes from here on
    TO_HALF,
    LOAD_TO_LDS,
    READ_REGISTER,
    RETURN_ADDRESS,
    SCALAR_LOAD,
    SCALE,
    SIGNED_PRODUCT,
    STATUS, // if it has two results
    SWAP,
    UNSIGNED_PRODUCT,
    VA_COPY,
    VA_START,
    VECTOR_EXTRACT,
    VECTOR_INSERT
};
// Sorted by name, so that the longest beginning of a name is the last one that is not behind it.
static const struct {
    char name[36]; // behind "llvm."; one that ends in a dot is the beginning of names
    uint8_t how;
} specials[] = {
    {"allow.runtime.check", ALLOWED},
    {"allow.ubsan.check", ALLOWED},
    {"amdgcn.addrspacecast.nonnull.", CAST},
    {"amdgcn.call.whole.wave.", CALL_WHOLE},
    {"amdgcn.cluster.workgroup.", CLUSTER_PLACE},
    {"amdgcn.cooperative.atomic.load.", COOPERATIVE_LOAD},
    {"amdgcn.cooperative.atomic.store.", COOPERATIVE_STORE},
    {"amdgcn.cs.chain.", CHAIN},
    {"amdgcn.div.scale.", SCALE},
    {"amdgcn.ds.bvh.stack.", NODES},
    {"amdgcn.image.", STATUS},
    {"amdgcn.load.to.lds.", LOAD_TO_LDS},
    {"amdgcn.mul.i24.i64", SIGNED_PRODUCT},
    {"amdgcn.mul.u24.i64", UNSIGNED_PRODUCT},
    {"amdgcn.permlane16.swap", SWAP},
    {"amdgcn.permlane32.swap", SWAP},
    {"amdgcn.raw.buffer.load.", STATUS},
    {"amdgcn.raw.ptr.buffer.load.", STATUS},
    {"amdgcn.raw.ptr.tbuffer.load.", STATUS},
    {"amdgcn.raw.tbuffer.load.", STATUS},
    {"amdgcn.s.buffer.load.", SCALAR_LOAD},
    {"amdgcn.s.cluster.barrier", CLUSTER_BARRIER},
    {"amdgcn.struct.buffer.load.", STATUS},
    {"amdgcn.struct.ptr.buffer.load.", STATUS},
    {"amdgcn.struct.ptr.tbuffer.load.", STATUS},
    {"amdgcn.struct.tbuffer.load.", STATUS},
    {"convert.from.fp16.", FROM_HALF},
    {"convert.to.fp16.", TO_HALF},
    {"experimental.constrained.", CONSTRAINED},
    {"fptrunc.round.", FPTRUNC},
    {"invariant.start.", INVARIANT},
    {"read_register.", READ_REGISTER},
    {"returnaddress", RETURN_ADDRESS},
    {"va_copy.", VA_COPY},
    {"va_start.", VA_START},
    {"vector.extract.", VECTOR_EXTRACT},
    {"vector.insert.", VECTOR_INSERT},
};

// The number of the row for a name; the table's size: none.
static size_t find_special(const char *name, size_t length) {
    const size_t count = sizeof specials / sizeof *specials;
    for (size_t low = 0, high = count; low < high;) {
        const size_t middle = (low + high) / 2, own = strlen(specials[middle].name);
        const int order = memcmp(name, specials[middle].name, own < length ? own : length);
        const bool open = specials[middle].name[own - 1] == '.';
        if (!order && own <= length && (open ? length > own : length == own)) return middle;
        if (order > 0 || (!order && length > own))
            low = middle + 1;
        else
            high = middle;
    }
    return count;
}

bool reader_special(struct reader *r, llvm_ref inst, const char *name, size_t length) {
    enum { BEFORE = sizeof "llvm." - 1 };
    const size_t n = find_special(name + BEFORE, length - BEFORE);
    if (n == sizeof specials / sizeof *specials) return false;
    const size_t own = BEFORE + strlen(specials[n].name);
    switch ((enum special)specials[n].how) {
    case ALLOWED: reader_set(r, inst, ir_constant_bits(r->f, ir_int(r->m, 1), 1, 0)); return true;
    case FROM_HALF:
    case TO_HALF: convert_half(r, inst, specials[n].how == TO_HALF); return true;
    case CAST:
        reader_set(r, inst, reader_space_cast(r, inst, reader_value_of(r, r->l->GetOperand(inst, 0))));
        return true;
    case INVARIANT: reader_set(r, inst, ir_poison(r->f, reader_type_of(r, inst))); return true;
    case CALL_WHOLE: reader_call_whole(r, inst); return true;
    case CHAIN: reader_chain(r, inst); return true;
    case NODES: stack_of_nodes(r, inst, name, length); return true;
    case CLUSTER_BARRIER:
        if (!has(r->m->target.processor, CAP_clusters)) return false;
        reader_asm_text(r, cluster_barrier);
        return true;
    case CLUSTER_PLACE: place_in_cluster(r, inst, name + own, length - own); return true;
    case COOPERATIVE_LOAD:
    case COOPERATIVE_STORE: reader_cooperative(r, inst, specials[n].how == COOPERATIVE_STORE); return true;
    case CONSTRAINED: reader_constrained(r, inst, name + own, length - own); return true;
    case FPTRUNC: round_truncated(r, inst); return true;
    case LOAD_TO_LDS:
        if (!reader_is_fat(r, r->l->TypeOf(r->l->GetOperand(inst, 0)))) return false;
        load_place_to_lds(r, inst);
        return true;
    case READ_REGISTER: read_register(r, inst); return true;
    case RETURN_ADDRESS: return_address(r, inst); return true;
    case SCALAR_LOAD: reader_scalar_buffer_load(r, inst); return true;
    case SCALE: scale_for_division(r, inst, name, length); return true;
    case STATUS:
        if (!reader_is_aggregate(r, r->l->TypeOf(inst))) return false;
        load_with_status(r, inst, name, length);
        return true;
    case VA_COPY: reader_variadic_copy(r, inst); return true;
    case VA_START: reader_variadic_start(r, inst); return true;
    case VECTOR_EXTRACT:
    case VECTOR_INSERT: reader_subvector(r, inst, specials[n].how == VECTOR_INSERT); return true;
    case SWAP: swap_rows(r, inst, name, length); return true;
    case SIGNED_PRODUCT:
    case UNSIGNED_PRODUCT: whole_product(r, inst, specials[n].how == SIGNED_PRODUCT); return true;
    }
    return false;
}
