// SPDX-License-Identifier: MIT
// Constrained floating point: llvm.experimental.constrained.*, operations in functions that change how floats
// are rounded, or that look at exceptions. Ours round as MODE says. A named rounding only says what MODE
// holds; where it is to nearest, an operation of the same name without constraints is taken. An operation
// whose exceptions count stays though nobody needs its result; instructions keep their order in any case.
#include "reader/reader.h"

#include <stdio.h>

enum how {
    AS_MODE,   // rounds as MODE says
    AS_MODE_I, // the same as an integer
    ANYHOW,    // is not rounded, or in its own way
    AWAY_I,    // to the nearest integer, half-way cases away from zero
    TO_INTEGER,
    COMPARE,
    COMPARE_SIGNALS // with an exception where an operand is NaN
};
struct constrained {
    char name[12];
    uint16_t op, by_mode; // where rounding is to nearest, and where it is not known to be
    uint8_t operands, how;
};
static const struct constrained table[] = {
    {"fadd", OP_fadd, OP_fadd, 2, AS_MODE},
    {"fsub", OP_fsub, OP_fsub, 2, AS_MODE},
    {"fmul", OP_fmul, OP_fmul, 2, AS_MODE},
    {"fdiv", OP_fdiv, OP_fdiv_mode, 2, AS_MODE},
    {"frem", OP_frem, OP_frem, 2, AS_MODE},
    {"fma", OP_fma, OP_fma, 3, AS_MODE},
    {"fmuladd", OP_fmuladd, OP_fmuladd, 3, AS_MODE},
    {"sqrt", OP_sqrt, OP_sqrt_mode, 1, AS_MODE},
    {"sitofp", OP_sitofp, OP_sitofp, 1, AS_MODE},
    {"uitofp", OP_uitofp, OP_uitofp, 1, AS_MODE},
    {"fptrunc", OP_fptrunc, OP_fptrunc, 1, AS_MODE},
    {"ldexp", OP_ldexp, OP_ldexp, 2, AS_MODE},
    {"pow", OP_fpow, OP_fpow, 2, AS_MODE},
    {"powi", OP_fpowi, OP_fpowi, 2, AS_MODE},
    {"exp", OP_fexp, OP_fexp, 1, AS_MODE},
    {"exp2", OP_exp2, OP_exp2, 1, AS_MODE},
    {"log", OP_flog, OP_flog, 1, AS_MODE},
    {"log2", OP_log2, OP_log2, 1, AS_MODE},
    {"log10", OP_flog10, OP_flog10, 1, AS_MODE},
    {"sin", OP_fsin, OP_fsin, 1, AS_MODE},
    {"cos", OP_fcos, OP_fcos, 1, AS_MODE},
    {"tan", OP_ftan, OP_ftan, 1, AS_MODE},
    {"fpext", OP_fpext, OP_fpext, 1, ANYHOW},
    {"ceil", OP_fceil, OP_fceil, 1, ANYHOW},
    {"floor", OP_ffloor, OP_ffloor, 1, ANYHOW},
    {"trunc", OP_ftrunc, OP_ftrunc, 1, ANYHOW},
    {"round", OP_fround, OP_fround, 1, ANYHOW},
    {"roundeven", OP_frint, OP_frint, 1, ANYHOW},
    {"minnum", OP_minnum, OP_minnum, 2, ANYHOW},
    {"maxnum", OP_maxnum, OP_maxnum, 2, ANYHOW},
    {"minimum", OP_minimum, OP_minimum, 2, ANYHOW},
    {"maximum", OP_maximum, OP_maximum, 2, ANYHOW},
    {"rint", OP_frint, OP_frint_mode, 1, AS_MODE},
    {"nearbyint", OP_frint, OP_frint_mode, 1, AS_MODE},
    {"lrint", OP_frint, OP_frint_mode, 1, AS_MODE_I},
    {"llrint", OP_frint, OP_frint_mode, 1, AS_MODE_I},
    {"lround", OP_fround, OP_fround, 1, AWAY_I},
    {"llround", OP_fround, OP_fround, 1, AWAY_I},
    {"fptosi", OP_fptosi, OP_fptosi, 1, TO_INTEGER},
    {"fptoui", OP_fptoui, OP_fptoui, 1, TO_INTEGER},
    {"fcmp", 0, 0, 2, COMPARE},
    {"fcmps", 0, 0, 2, COMPARE_SIGNALS},
};

static const struct constrained *find(const char *name, size_t length) {
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        const size_t some = strlen(table[n].name);
        if (length > some && !memcmp(name, table[n].name, some) && name[some] == '.') return &table[n];
    }
    return NULL;
}

// The word in argument `n` behind its first part, as "strict" of "fpexcept.strict".
void reader_word(struct reader *r, llvm_ref inst, unsigned n, char *out, size_t room) {
    unsigned length = 0;
    const char *text = r->l->GetMDString(r->l->GetOperand(inst, n), &length);
    const char *point = text ? memchr(text, '.', length) : NULL;
    const char *from = point ? point + 1 : text;
    snprintf(out, room, "%.*s", from ? (int)(length - (size_t)(from - text)) : 0, from ? from : "");
}

static unsigned comparison_of(struct reader *r, llvm_ref inst) {
    static const struct {
        char name[4];
        uint16_t op;
    } names[] = {{"oeq", OP_foeq}, {"ogt", OP_fogt}, {"oge", OP_foge}, {"olt", OP_folt}, {"ole", OP_fole},
                 {"one", OP_fone}, {"ord", OP_ford}, {"uno", OP_funo}, {"ueq", OP_fueq}, {"ugt", OP_fugt},
                 {"uge", OP_fuge}, {"ult", OP_fult}, {"ule", OP_fule}, {"une", OP_fune}};
    char name[8];
    reader_word(r, inst, 2, name, sizeof name);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (!strcmp(names[n].name, name)) return names[n].op;
    reader_refuse(r, "a comparison of this kind");
    return OP_foeq;
}

// A number of a float type, in all elements.
static ir_ref everywhere(struct reader *r, uint16_t type, uint64_t bits) {
    const struct ir_type t = *ir_type_at(r->m, type);
    ir_ref all[IR_MOST_ELEMENTS];
    for (unsigned n = 0; n < t.count; n++)
        all[n] = ir_constant_bits(r->f, ir_type_of(r->m, (enum ir_kind)t.kind, t.bits, 1), bits, 0);
    return t.count == 1 ? all[0] : reader_emit(r, OP_vector, type, 0, all, t.count);
}

// No comparison of the hardware has an exception for quiet NaNs; infinity less infinity has.
static void signal_nan(struct reader *r, const ir_ref operands[2], uint16_t truth) {
    const uint16_t type = ir_ref_type(r->f, operands[0]);
    const struct ir_type t = *ir_type_at(r->m, type);
    const uint64_t infinity = t.kind == IR_F16    ? 0x7c00
                              : t.kind == IR_BF16 ? 0x7f80
                              : t.kind == IR_F32  ? 0x7f800000
                                                  : 0x7ff0000000000000;
    const ir_ref nan = READER_EMIT(r, OP_funo, truth, 0, operands[0], operands[1]);
    const ir_ref some =
        READER_EMIT(r, OP_select, type, 0, nan, everywhere(r, type, infinity), everywhere(r, type, 0));
    const ir_ref none = READER_EMIT(r, OP_fsub, type, 0, some, some);
    if (!r->status) reader_append(r, OP_keep, &none, 1);
}

// Rounding of bf16 is done by its bits, to nearest.
static bool has_bf16(struct reader *r, uint16_t type, ir_ref operand) {
    return ir_type_at(r->m, type)->kind == IR_BF16 ||
           ir_type_at(r->m, ir_ref_type(r->f, operand))->kind == IR_BF16;
}

void reader_constrained(struct reader *r, llvm_ref inst, const char *name, size_t length) {
    const struct llvm *l = r->l;
    const struct constrained *c = find(name, length);
    const unsigned count = (unsigned)l->GetNumArgOperands(inst);
    char what[120], rounding[24] = "", exceptions[16];
    ir_ref operands[3], result;
    if (!c || count < c->operands + 1u) {
        snprintf(what, sizeof what, "the intrinsic llvm.experimental.constrained.%.*s",
                 (int)(length > 60 ? 60 : length), name);
        reader_refuse(r, what);
        return;
    }
    for (unsigned n = 0; n < c->operands; n++) operands[n] = reader_value_of(r, l->GetOperand(inst, n));
    if (count > c->operands + 1u) reader_word(r, inst, count - 2, rounding, sizeof rounding);
    reader_word(r, inst, count - 1, exceptions, sizeof exceptions);
    const bool strict = !strcmp(exceptions, "strict");
    const uint16_t type = reader_type_of(r, inst);
    if (r->status) return;
    const unsigned flags =
        l->CanValueUseFastMathFlags(inst) ? l->GetFastMathFlags(inst) << IR_FAST_SHIFT & IR_FAST : 0;
    const uint16_t from = ir_ref_type(r->f, operands[0]);
    const bool is_open = c->how <= AS_MODE_I && strcmp(rounding, "tonearest");
    if (is_open && has_bf16(r, type, operands[0])) {
        reader_refuse(r, "rounding of bf16 that is not known to be to nearest");
        return;
    }
    const unsigned op = is_open ? c->by_mode : c->op;
    switch ((enum how)c->how) {
    case AS_MODE_I:
    case AWAY_I:
        result = READER_EMIT(r, op, from, flags, operands[0]);
        result = READER_EMIT(r, OP_fptosi, type, IR_PARTIAL, result);
        break;
    case TO_INTEGER: result = READER_EMIT(r, op, type, IR_PARTIAL, operands[0]); break;
    case COMPARE_SIGNALS: signal_nan(r, operands, type); // fall through
    case COMPARE: result = reader_emit(r, comparison_of(r, inst), type, flags, operands, 2); break;
    default: result = reader_emit(r, op, type, flags, operands, c->operands); break;
    }
    if (!r->status && strict) reader_append(r, OP_keep, &result, 1);
    if (!r->status) reader_set(r, inst, result);
}
