// SPDX-License-Identifier: MIT
// Calls. An intrinsic is known by its name without the suffixes of its types; a row of the table says what it
// is.
#include "reader/reader.h"

#include <stdio.h>

enum how {
    PLAIN,   // the operation, of the first so many arguments
    IGNORED, // says something that is not needed
    COUNT_ZEROS,
    OVERFLOW, // a pair: the operation's result, and that of the next operation
    CLASS,
    ABS,
    MOVE, // memcpy and kin
    EXPECT,
    FREXP,
    REDUCE,       // the operation over all elements
    REDUCE_FIRST, // the same, beginning with a value
    POINTER_MASK,
    NO,        // false
    ROUND_TO,  // an integer
    DESCRIPTOR // of a buffer
};
struct intrinsic {
    char name[40]; // behind "llvm."
    uint16_t op, second;
    uint8_t operands, how;
};
static const struct intrinsic intrinsics[] = {
    {"amdgcn.workitem.id.x", OP_workitem_id_x, 0, 0, PLAIN},
    {"amdgcn.workitem.id.y", OP_workitem_id_y, 0, 0, PLAIN},
    {"amdgcn.workitem.id.z", OP_workitem_id_z, 0, 0, PLAIN},
    {"amdgcn.workgroup.id.x", OP_workgroup_id_x, 0, 0, PLAIN},
    {"amdgcn.workgroup.id.y", OP_workgroup_id_y, 0, 0, PLAIN},
    {"amdgcn.workgroup.id.z", OP_workgroup_id_z, 0, 0, PLAIN},
    {"amdgcn.cluster.id.x", OP_cluster_id_x, 0, 0, PLAIN},
    {"amdgcn.cluster.id.y", OP_cluster_id_y, 0, 0, PLAIN},
    {"amdgcn.cluster.id.z", OP_cluster_id_z, 0, 0, PLAIN},
    {"amdgcn.wave.id", OP_wave_id, 0, 0, PLAIN},
    {"amdgcn.kernarg.segment.ptr", OP_kernarg_pointer, 0, 0, PLAIN},
    {"amdgcn.implicitarg.ptr", OP_implicitarg_pointer, 0, 0, PLAIN},
    {"amdgcn.dispatch.ptr", OP_dispatch_pointer, 0, 0, PLAIN},
    {"amdgcn.queue.ptr", OP_queue_pointer, 0, 0, PLAIN},
    {"amdgcn.dispatch.id", OP_dispatch_id, 0, 0, PLAIN},
    {"stacksave", OP_stack_save, 0, 0, PLAIN},
    {"stackrestore", OP_stack_restore, 0, 1, PLAIN},
    {"amdgcn.wavefrontsize", OP_wave_size, 0, 0, PLAIN},
    {"amdgcn.s.barrier", OP_barrier, 0, 0, PLAIN},
    {"amdgcn.wave.barrier", OP_wave_barrier, 0, 0, PLAIN},
    {"amdgcn.is.shared", OP_is_shared, 0, 1, PLAIN},
    {"amdgcn.is.private", OP_is_private, 0, 1, PLAIN},
    {"amdgcn.readfirstlane", OP_readfirstlane, 0, 1, PLAIN},
    {"amdgcn.readlane", OP_readlane, 0, 2, PLAIN},
    {"amdgcn.writelane", OP_writelane, 0, 3, PLAIN},
    {"amdgcn.mbcnt.lo", OP_mbcnt_lo, 0, 2, PLAIN},
    {"amdgcn.mbcnt.hi", OP_mbcnt_hi, 0, 2, PLAIN},
    {"amdgcn.ballot", OP_ballot, 0, 1, PLAIN},
    {"amdgcn.inverse.ballot", OP_inverse_ballot, 0, 1, PLAIN},
    {"amdgcn.ubfe", OP_ubfe, 0, 3, PLAIN},
    {"amdgcn.sbfe", OP_sbfe, 0, 3, PLAIN},
    {"amdgcn.sched.barrier", 0, 0, 0, IGNORED}, // instructions stay in their order
    {"amdgcn.sched.group.barrier", 0, 0, 0, IGNORED},
    {"amdgcn.iglp.opt", 0, 0, 0, IGNORED},
    {"amdgcn.unreachable", 0, 0, 0, IGNORED},
    {"va_end", 0, 0, 0, IGNORED},
    {"amdgcn.make.buffer.rsrc", OP_copy, 0, 4, DESCRIPTOR},
    {"amdgcn.rcp", OP_rcp, 0, 1, PLAIN},
    {"amdgcn.rsq", OP_rsq, 0, 1, PLAIN},
    {"amdgcn.fract", OP_fract, 0, 1, PLAIN},
    {"amdgcn.fmed3", OP_fmed3, 0, 3, PLAIN},
    {"amdgcn.fmul.legacy", OP_fmul_legacy, 0, 2, PLAIN},
    {"amdgcn.fma.legacy", OP_fma_legacy, 0, 3, PLAIN},
    {"amdgcn.ldexp", OP_ldexp, 0, 2, PLAIN},
    {"amdgcn.class", OP_fpclass, 0, 2, CLASS},
    {"amdgcn.frexp.mant", OP_frexp_mant, 0, 1, PLAIN},
    {"amdgcn.frexp.exp", OP_frexp_exp, 0, 1, PLAIN},
    {"amdgcn.perm", OP_perm, 0, 3, PLAIN},
    {"fma", OP_fma, 0, 3, PLAIN},
    {"fmuladd", OP_fmuladd, 0, 3, PLAIN},
    {"sqrt", OP_sqrt, 0, 1, PLAIN},
    {"fabs", OP_fabs, 0, 1, PLAIN},
    {"floor", OP_ffloor, 0, 1, PLAIN},
    {"ceil", OP_fceil, 0, 1, PLAIN},
    {"trunc", OP_ftrunc, 0, 1, PLAIN},
    {"rint", OP_frint, 0, 1, PLAIN},
    {"roundeven", OP_frint, 0, 1, PLAIN},
    {"nearbyint", OP_frint, 0, 1, PLAIN},
    {"round", OP_fround, 0, 1, PLAIN},
    {"copysign", OP_fcopysign, 0, 2, PLAIN},
    {"canonicalize", OP_fcanonicalize, 0, 1, PLAIN},
    {"minnum", OP_minnum, 0, 2, PLAIN},
    {"maxnum", OP_maxnum, 0, 2, PLAIN},
    {"minimumnum", OP_minimumnum, 0, 2, PLAIN},
    {"maximumnum", OP_maximumnum, 0, 2, PLAIN},
    {"minimum", OP_minimum, 0, 2, PLAIN},
    {"maximum", OP_maximum, 0, 2, PLAIN},
    {"ldexp", OP_ldexp, 0, 2, PLAIN},
    {"exp2", OP_exp2, 0, 1, PLAIN},
    {"log2", OP_log2, 0, 1, PLAIN},
    {"exp", OP_fexp, 0, 1, PLAIN},
    {"exp10", OP_fexp10, 0, 1, PLAIN},
    {"log", OP_flog, 0, 1, PLAIN},
    {"log10", OP_flog10, 0, 1, PLAIN},
    {"sin", OP_fsin, 0, 1, PLAIN},
    {"cos", OP_fcos, 0, 1, PLAIN},
    {"pow", OP_fpow, 0, 2, PLAIN},
    {"powi", OP_fpowi, 0, 2, PLAIN},
    {"fptosi.sat", OP_fptosi, 0, 1, PLAIN},
    {"fptoui.sat", OP_fptoui, 0, 1, PLAIN},
    {"is.fpclass", OP_fpclass, 0, 2, CLASS},
    {"umin", OP_umin, 0, 2, PLAIN},
    {"umax", OP_umax, 0, 2, PLAIN},
    {"smin", OP_smin, 0, 2, PLAIN},
    {"smax", OP_smax, 0, 2, PLAIN},
    {"abs", OP_abs, 0, 1, PLAIN},
    {"uadd.sat", OP_uadd_sat, 0, 2, PLAIN},
    {"sadd.sat", OP_sadd_sat, 0, 2, PLAIN},
    {"usub.sat", OP_usub_sat, 0, 2, PLAIN},
    {"ssub.sat", OP_ssub_sat, 0, 2, PLAIN},
    {"ushl.sat", OP_ushl_sat, 0, 2, PLAIN},
    {"sshl.sat", OP_sshl_sat, 0, 2, PLAIN},
    {"ucmp", OP_ucmp, 0, 2, PLAIN},
    {"scmp", OP_scmp, 0, 2, PLAIN},
    {"uadd.with.overflow", OP_add, OP_ucarry, 2, OVERFLOW},
    {"sadd.with.overflow", OP_add, OP_soverflow, 2, OVERFLOW},
    {"usub.with.overflow", OP_sub, OP_uborrow, 2, OVERFLOW},
    {"ssub.with.overflow", OP_sub, OP_soverflow_sub, 2, OVERFLOW},
    {"umul.with.overflow", OP_mul, OP_umul_overflow, 2, OVERFLOW},
    {"smul.with.overflow", OP_mul, OP_smul_overflow, 2, OVERFLOW},
    {"fshl", OP_fshl, 0, 3, PLAIN},
    {"fshr", OP_fshr, 0, 3, PLAIN},
    {"bswap", OP_bswap, 0, 1, PLAIN},
    {"bitreverse", OP_bitreverse, 0, 1, PLAIN},
    {"ctpop", OP_ctpop, 0, 1, PLAIN},
    {"ctlz", OP_fls, 0, 1, COUNT_ZEROS},
    {"cttz", OP_ffs, 0, 1, COUNT_ZEROS},
    {"trap", OP_trap, 0, 0, PLAIN},
    {"debugtrap", OP_debug_trap, 0, 0, PLAIN},
    {"memcpy", OP_memory_copy, 0, 3, MOVE},
    {"memmove", OP_memory_move, 0, 3, MOVE},
    {"memset", OP_memory_fill, 0, 3, MOVE},
    {"expect", OP_copy, 0, 1, EXPECT},
    {"expect.with.probability", OP_copy, 0, 1, EXPECT},
    {"ssa.copy", OP_copy, 0, 1, EXPECT},
    {"arithmetic.fence", OP_copy, 0, 1, EXPECT},
    {"launder.invariant.group", OP_copy, 0, 1, EXPECT},
    {"strip.invariant.group", OP_copy, 0, 1, EXPECT},
    {"annotation", OP_copy, 0, 1, EXPECT},
    {"ptr.annotation", OP_copy, 0, 1, EXPECT},
    {"is.constant", 0, 0, 0, NO},
    {"ptrmask", OP_and, 0, 2, POINTER_MASK},
    {"frexp", OP_frexp_mant, OP_frexp_exp, 1, FREXP},
    {"lrint", OP_frint, 0, 1, ROUND_TO},
    {"llrint", OP_frint, 0, 1, ROUND_TO},
    {"lround", OP_fround, 0, 1, ROUND_TO},
    {"llround", OP_fround, 0, 1, ROUND_TO},
    {"vector.reduce.add", OP_add, 0, 1, REDUCE},
    {"vector.reduce.mul", OP_mul, 0, 1, REDUCE},
    {"vector.reduce.and", OP_and, 0, 1, REDUCE},
    {"vector.reduce.or", OP_or, 0, 1, REDUCE},
    {"vector.reduce.xor", OP_xor, 0, 1, REDUCE},
    {"vector.reduce.umin", OP_umin, 0, 1, REDUCE},
    {"vector.reduce.umax", OP_umax, 0, 1, REDUCE},
    {"vector.reduce.smin", OP_smin, 0, 1, REDUCE},
    {"vector.reduce.smax", OP_smax, 0, 1, REDUCE},
    {"vector.reduce.fmin", OP_minnum, 0, 1, REDUCE},
    {"vector.reduce.fmax", OP_maxnum, 0, 1, REDUCE},
    {"vector.reduce.fminimum", OP_minimum, 0, 1, REDUCE},
    {"vector.reduce.fmaximum", OP_maximum, 0, 1, REDUCE},
    {"vector.reduce.fadd", OP_fadd, 0, 2, REDUCE_FIRST},
    {"vector.reduce.fmul", OP_fmul, 0, 2, REDUCE_FIRST},
    {"readcyclecounter", OP_cycle_counter, 0, 0, PLAIN},
    {"readsteadycounter", OP_real_time, 0, 0, PLAIN},
    {"invariant.end", 0, 0, 0, IGNORED},
    {"pseudoprobe", 0, 0, 0, IGNORED},
    {"var.annotation", 0, 0, 0, IGNORED},
    {"fake.use", 0, 0, 0, IGNORED},
    {"prefetch", 0, 0, 0, IGNORED},
    {"experimental.convergence.anchor", 0, 0, 0, IGNORED}, // operations keep their places
    {"experimental.convergence.entry", 0, 0, 0, IGNORED},
    {"experimental.convergence.loop", 0, 0, 0, IGNORED},
    {"assume", 0, 0, 0, IGNORED},
    {"lifetime.start", 0, 0, 0, IGNORED},
    {"lifetime.end", 0, 0, 0, IGNORED},
    {"experimental.noalias.scope.decl", 0, 0, 0, IGNORED},
    {"donothing", 0, 0, 0, IGNORED},
    {"sideeffect", 0, 0, 0, IGNORED},
    {"dbg.value", 0, 0, 0, IGNORED},
    {"dbg.declare", 0, 0, 0, IGNORED},
    {"dbg.label", 0, 0, 0, IGNORED},
};

// True if a type's name follows: i32, v2f16, p3, bf16. Else it is another intrinsic, whose name is longer.
static bool is_type(const char *rest, size_t length) {
    const size_t letters = length > 1 && rest[0] == 'b' && rest[1] == 'f' ? 2 : 1;
    return length > letters && strchr("ifpvba", *rest) && rest[letters] >= '0' && rest[letters] <= '9';
}

// The row whose name is the longest beginning of `name` that ends where a suffix begins.
static const struct intrinsic *find(const char *name, size_t length) {
    const struct intrinsic *best = NULL;
    size_t best_length = 0;
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++) {
        const size_t n = strlen(intrinsics[i].name);
        if (n > length || n < best_length || memcmp(intrinsics[i].name, name, n) ||
            (n < length && name[n] != '.'))
            continue;
        if (n < length && !memcmp(name, "amdgcn.", 7) && !is_type(name + n + 1, length - n - 1)) continue;
        best = &intrinsics[i];
        best_length = n;
    }
    return best;
}

static void count_zeros(struct reader *r, llvm_ref inst, const struct intrinsic *in, ir_ref a,
                        uint16_t type) {
    const ir_ref found = READER_EMIT(r, in->op, type, 0, a);
    if (r->l->ConstIntGetZExtValue(r->l->GetOperand(inst, 1))) { // of zero, the result does not matter
        reader_set(r, inst, found);
        return;
    }
    const struct ir_type t = *ir_type_at(r->m, type);
    ir_ref widths[IR_MOST_ELEMENTS];
    for (unsigned n = 0; n < t.count; n++)
        widths[n] = ir_constant_bits(r->f, ir_int(r->m, t.bits), t.bits, 0);
    const ir_ref width = t.count == 1 ? widths[0] : reader_emit(r, OP_vector, type, 0, widths, t.count);
    reader_set(r, inst, READER_EMIT(r, OP_umin, type, 0, found, width));
}

// One operation over all elements of a vector, in their order.
static void reduce(struct reader *r, llvm_ref inst, const struct intrinsic *in, ir_ref first, ir_ref vector,
                   uint16_t type, unsigned flags) {
    const unsigned count = ir_type_at(r->m, ir_ref_type(r->f, vector))->count;
    for (unsigned n = 0; n < count && !r->status; n++) {
        const ir_ref index = ir_constant_bits(r->f, ir_int(r->m, 32), n, 0);
        const ir_ref e = count == 1 ? vector : READER_EMIT(r, OP_extract, type, 0, vector, index);
        first = ir_is(first, IR_NONE) ? e : READER_EMIT(r, in->op, type, flags, first, e);
    }
    reader_set(r, inst, first);
}

ir_ref reader_symbol(struct reader *r, const char *name, size_t length) {
    uint32_t symbol = ir_symbol_named(r->m, name, length);
    if (symbol != IR_NO_DEF) return ir_make(IR_SYMBOL, symbol);
    const char *copy = arena_copy(&r->m->arena, name, length);
    symbol = ir_symbol_add(r->m, copy, IR_FUNCTION_SYMBOL);
    if (!copy || r->m->failed) reader_no_memory(r);
    return ir_make(IR_SYMBOL, symbol);
}

void reader_begin_whole(struct reader *r, llvm_ref function) {
    static const char name[] = "llvm.amdgcn.init.whole.wave";
    const ir_ref symbol = reader_symbol(r, name, sizeof name - 1);
    if (!r->status)
        reader_set(r, r->l->GetParam(function, 0),
                   reader_emit(r, OP_intrinsic, ir_int(r->m, 1), IR_CONVERGENT, &symbol, 1));
}

// An intrinsic of the target that only the compiler knows: its name, then its arguments.
static void target_intrinsic(struct reader *r, llvm_ref inst, const char *name, size_t length) {
    const struct llvm *l = r->l;
    const unsigned count = (unsigned)l->GetNumArgOperands(inst);
    const llvm_ref type = l->TypeOf(inst);
    ir_ref operands[32];
    if (count > 31 || reader_is_aggregate(r, type)) {
        reader_refuse(r, count > 31 ? "an intrinsic with so many arguments"
                                    : "an intrinsic with several results");
        return;
    }
    operands[0] = reader_symbol(r, name, length);
    for (unsigned i = 0; i < count; i++) operands[i + 1] = reader_value_of(r, l->GetOperand(inst, i));
    if (r->status) return;
    const uint16_t result = reader_type(r, type);
    const unsigned flags =
        l->CanValueUseFastMathFlags(inst) ? l->GetFastMathFlags(inst) << IR_FAST_SHIFT & IR_FAST : 0;
    if (result)
        reader_set(r, inst, reader_emit(r, OP_intrinsic, result, flags | IR_CONVERGENT, operands, count + 1));
    else
        reader_append(r, OP_intrinsic, operands, count + 1)->flags = (uint16_t)(flags | IR_CONVERGENT);
}

static void intrinsic(struct reader *r, llvm_ref inst, const struct intrinsic *in) {
    const struct llvm *l = r->l;
    ir_ref operands[4] = {0};
    if (l->GetNumArgOperands(inst) < in->operands || in->operands > 4) {
        reader_refuse(r, "an intrinsic with other arguments");
        return;
    }
    if (reader_fat_intrinsic(r, inst, in->op)) return;
    for (unsigned i = 0; i < in->operands; i++) {
        const llvm_ref operand = l->GetOperand(inst, i);
        operands[i] = in->how == MOVE ? reader_access_address(r, operand) : reader_value_of(r, operand);
    }
    if (in->how == OVERFLOW) {
        const uint16_t type = r->status ? 0 : ir_ref_type(r->f, operands[0]);
        const ir_ref parts[] = {reader_emit(r, in->op, type, 0, operands, 2),
                                reader_emit(r, in->second,
                                            ir_type_of(r->m, IR_INT, 1, ir_type_at(r->m, type)->count), 0,
                                            operands, 2)};
        if (!r->status) reader_set_parts(r, inst, parts, 2);
        return;
    }
    if (in->how == FREXP) {
        const uint16_t type = r->status ? 0 : ir_ref_type(r->f, operands[0]);
        const uint16_t whole = reader_type(r, l->StructGetTypeAtIndex(l->TypeOf(inst), 1));
        const ir_ref parts[] = {reader_emit(r, in->op, type, 0, operands, 1),
                                reader_emit(r, in->second, whole, 0, operands, 1)};
        if (!r->status) reader_set_parts(r, inst, parts, 2);
        return;
    }
    const uint16_t type = reader_type_of(r, inst);
    if (r->status) return;
    const uint16_t place = in->op == OP_stack_restore ? ir_ref_type(r->f, operands[0]) : type;
    if ((in->op == OP_stack_save || in->op == OP_stack_restore) && place != ir_int(r->m, 32)) {
        reader_refuse(r, "a place on the stack in another address space");
        return;
    }
    unsigned flags =
        l->CanValueUseFastMathFlags(inst) ? l->GetFastMathFlags(inst) << IR_FAST_SHIFT & IR_FAST : 0;
    if (in->op == OP_sqrt && reader_is_rough(r, inst)) flags |= IR_ARCP;
    if (ir_op_properties(in->op) & OPERATION_CONVERGENT) flags |= IR_CONVERGENT;
    switch ((enum how)in->how) {
    case COUNT_ZEROS: count_zeros(r, inst, in, operands[0], type); return;
    case MOVE: reader_move(r, inst, in->op, operands); return;
    case EXPECT: reader_set(r, inst, operands[0]); return;
    case REDUCE: reduce(r, inst, in, IR_NOTHING, operands[0], type, flags); return;
    case REDUCE_FIRST: reduce(r, inst, in, operands[0], operands[1], type, flags); return;
    case NO: reader_set(r, inst, ir_constant_bits(r->f, type, 0, 0)); return;
    case ROUND_TO: {
        const ir_ref whole = reader_emit(r, in->op, ir_ref_type(r->f, operands[0]), flags, operands, 1);
        reader_set(r, inst, READER_EMIT(r, OP_fptosi, type, IR_PARTIAL, whole));
        return;
    }
    case DESCRIPTOR: reader_set(r, inst, reader_descriptor(r, inst)); return;
    case POINTER_MASK:
        if (ir_ref_type(r->f, operands[1]) != type)
            reader_refuse(r, "a mask of fewer bits than the pointer has");
        else
            reader_set(r, inst, reader_emit(r, OP_and, type, 0, operands, 2));
        return;
    case PLAIN:
    case CLASS:
    case ABS:
        if (type)
            reader_set(r, inst, reader_emit(r, in->op, type, flags, operands, in->operands));
        else
            reader_append(r, in->op, operands, in->operands)->flags = (uint16_t)flags;
        return;
    case FREXP:
    case OVERFLOW:
    case IGNORED: return;
    }
}

// What reads and writes the environment of floating point.
static bool is_of_mode(const char *name, size_t length) {
    static const char *const names[] = {"get.fpmode", "get.rounding", "set.rounding", "get.fpenv",
                                        "set.fpenv"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const size_t some = strlen(names[n]);
        if (length >= some + 5 && !memcmp(name, "llvm.", 5) && !memcmp(name + 5, names[n], some) &&
            (length == some + 5 || name[some + 5] == '.'))
            return true;
    }
    return false;
}

// Bundles that only name the lanes which come together, as the program's order of blocks does.
static bool bundles_say_nothing(struct reader *r, llvm_ref inst) {
    static const char control[] = "convergencectrl";
    const unsigned count = r->l->GetNumOperandBundles(inst);
    bool nothing = true;
    for (unsigned n = 0; n < count; n++) {
        const llvm_ref bundle = r->l->GetOperandBundleAtIndex(inst, n);
        size_t length = 0;
        const char *tag = r->l->GetOperandBundleTag(bundle, &length);
        nothing &= length == sizeof control - 1 && !memcmp(tag, control, length);
        r->l->DisposeOperandBundle(bundle);
    }
    return nothing;
}

void reader_call(struct reader *r, llvm_ref inst) {
    const struct llvm *l = r->l;
    const llvm_ref callee = l->GetCalledValue(inst);
    char what[160];
    if (l->IsAInlineAsm(callee)) {
        reader_asm(r, inst);
        return;
    }
    size_t length = 0;
    const char *name = l->IsAFunction(callee) ? l->GetValueName2(callee, &length) : "";
    const bool is_intrinsic = length > 5 && !memcmp(name, "llvm.", 5);
    const struct intrinsic *in = is_intrinsic ? find(name + 5, length - 5) : NULL;
    if (in && in->how == IGNORED) return;
    if (!bundles_say_nothing(r, inst)) {
        reader_refuse(r, "a call with operand bundles");
        return;
    }
    if (in) {
        intrinsic(r, inst, in);
        return;
    }
    if (is_intrinsic && reader_special(r, inst, name, length)) return;
    if ((length > 12 && !memcmp(name, "llvm.amdgcn.", 12)) || is_of_mode(name, length)) {
        target_intrinsic(r, inst, name, length);
        return;
    }
    if (!is_intrinsic) {
        reader_call_function(r, inst, callee);
        return;
    }
    snprintf(what, sizeof what, "the intrinsic %.*s", (int)(length > 120 ? 120 : length), name);
    reader_refuse(r, what);
}
