// SPDX-License-Identifier: MIT
// Writes kernels in LLVM IR that compute every operation of a type, one behind the other, and inputs for
// them:
//   arithmetic ll [TYPE [OPERATION]]   the kernels of all types (of one; with one operation)
//   arithmetic types                   their names
//   arithmetic input TYPE A B C        three files of operands: special ones in all pairs, then random ones
// A kernel @TYPE(out, a, b, c) reads operands of 16 bytes each and writes 16 bytes a result: result k of
// work-item i stands at number k * 512 + i. All NaNs are made the same one.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 512 };
struct type {
    const char *name, *text; // of a kernel; in IR
    char kind;               // i: integer, f: float
    unsigned bits, count;
    const char *suffix; // of intrinsics
};
static const struct type types[] = {
    {"i1", "i1", 'i', 1, 1, "i1"},
    {"i3", "i3", 'i', 3, 1, "i3"},
    {"i8", "i8", 'i', 8, 1, "i8"},
    {"i16", "i16", 'i', 16, 1, "i16"},
    {"i20", "i20", 'i', 20, 1, "i20"},
    {"i31", "i31", 'i', 31, 1, "i31"},
    {"i32", "i32", 'i', 32, 1, "i32"},
    {"i33", "i33", 'i', 33, 1, "i33"},
    {"i48", "i48", 'i', 48, 1, "i48"},
    {"i64", "i64", 'i', 64, 1, "i64"},
    {"i96", "i96", 'i', 96, 1, "i96"},
    {"i128", "i128", 'i', 128, 1, "i128"},
    {"v2i16", "<2 x i16>", 'i', 16, 2, "v2i16"},
    {"v4i8", "<4 x i8>", 'i', 8, 4, "v4i8"},
    {"v3i32", "<3 x i32>", 'i', 32, 3, "v3i32"},
    {"v2i64", "<2 x i64>", 'i', 64, 2, "v2i64"},
    {"v8i1", "<8 x i1>", 'i', 1, 8, "v8i1"},
    {"f16", "half", 'f', 16, 1, "f16"},
    {"bf16", "bfloat", 'f', 16, 1, "bf16"},
    {"f32", "float", 'f', 32, 1, "f32"},
    {"f64", "double", 'f', 64, 1, "f64"},
    {"v2f16", "<2 x half>", 'f', 16, 2, "v2f16"},
    {"v4f32", "<4 x float>", 'f', 32, 4, "v4f32"},
};

// Where an operation can be asked for: kinds, then conditions. w: at least 4 bits; b: whole bytes, and at
// least two; s: one element; n: not bfloat; 6: at most 64 bits; v: vectors; q: llc-22 can it.
struct operation {
    const char *name, *where, *result, *text; // result: T, its type; else a type. text: lines that end in %r
};
static const struct operation operations[] = {
    {"add", "i", "T", "%r = add $T %x, %y"},
    {"sub", "i", "T", "%r = sub $T %x, %y"},
    {"mul", "i", "T", "%r = mul $T %x, %y"},
    {"muladd", "i", "T", "%p = mul $T %x, %y|%r = add $T %p, %z"},
    {"logic", "i", "T", "%p = and $T %x, %y|%q = xor $T %p, %z|%o = or $T %q, %y|%r = xor $T %o, $ONES"},
    {"shl", "i", "T", "$AMOUNT|%r = shl $T %x, %m"},
    {"lshr", "i", "T", "$AMOUNT|%r = lshr $T %x, %m"},
    {"ashr", "i", "T", "$AMOUNT|%r = ashr $T %x, %m"},
    {"shift3", "iw", "T",
     "%p = shl $T %x, $THREE|%q = lshr $T %p, $THREE|%o = ashr $T %y, $THREE|%r = sub $T %q, %o"},
    {"udiv", "iw", "T", "%d = or $T %y, $THREE|%r = udiv $T %x, %d"},
    {"urem", "iw", "T", "%d = or $T %y, $THREE|%r = urem $T %x, %d"},
    {"sdiv", "iw", "T",
     "%h = lshr $T %y, $ONE|%d = or $T %h, $THREE|%n = sub $T $ZERO, %d|%c = icmp slt $T %z, $ZERO|%e = "
     "select $C %c, $T %n, $T %d|%r = sdiv $T %x, %e"},
    {"srem", "iw", "T",
     "%h = lshr $T %y, $ONE|%d = or $T %h, $THREE|%n = sub $T $ZERO, %d|%c = icmp slt $T %z, $ZERO|%e = "
     "select $C %c, $T %n, $T %d|%r = srem $T %x, %e"},
    {"udiv3", "iw", "T", "%r = udiv $T %x, $THREE"},
    {"urem7", "iw", "T", "%r = urem $T %x, $SEVEN"},
    {"sdiv7", "iw", "T", "%r = sdiv $T %x, $SEVEN"},
    {"srem4", "iw", "T", "%r = srem $T %x, $FOUR"},
    {"sdiv4", "iw", "T", "%r = sdiv $T %x, $FOUR"},
    {"eq", "i", "C", "%r = icmp eq $T %x, %y"},
    {"ne", "i", "C", "%r = icmp ne $T %x, %y"},
    {"ult", "i", "C", "%r = icmp ult $T %x, %y"},
    {"uge", "i", "C", "%r = icmp uge $T %x, %y"},
    {"slt", "i", "C", "%r = icmp slt $T %x, %y"},
    {"sle", "i", "C", "%r = icmp sle $T %x, %y"},
    {"sgt", "i", "C", "%r = icmp sgt $T %x, %y"},
    {"ule", "i", "C", "%r = icmp ule $T %x, %y"},
    {"select", "i", "T",
     "%c = icmp ugt $T %x, %y|%d = icmp sge $T %y, %z|%e = and $C %c, %d|%f = xor $C %e, %c|%r = select $C "
     "%f, $T %z, $T %x"},
    {"umin", "i", "T", "%r = call $T @llvm.umin.$S($T %x, $T %y)"},
    {"umax", "i", "T", "%r = call $T @llvm.umax.$S($T %x, $T %y)"},
    {"smin", "i", "T", "%r = call $T @llvm.smin.$S($T %x, $T %y)"},
    {"smax", "i", "T", "%r = call $T @llvm.smax.$S($T %x, $T %y)"},
    {"abs", "i", "T", "%r = call $T @llvm.abs.$S($T %x, i1 false)"},
    {"uadd_sat", "i", "T", "%r = call $T @llvm.uadd.sat.$S($T %x, $T %y)"},
    {"sadd_sat", "i", "T", "%r = call $T @llvm.sadd.sat.$S($T %x, $T %y)"},
    {"usub_sat", "i", "T", "%r = call $T @llvm.usub.sat.$S($T %x, $T %y)"},
    {"ssub_sat", "i", "T", "%r = call $T @llvm.ssub.sat.$S($T %x, $T %y)"},
    {"ushl_sat", "iw", "T", "$AMOUNT|%r = call $T @llvm.ushl.sat.$S($T %x, $T %m)"},
    {"sshl_sat", "iw", "T", "$AMOUNT|%r = call $T @llvm.sshl.sat.$S($T %x, $T %m)"},
    {"uadd_over", "i", "T", "$OVER(uadd)"},
    {"sadd_over", "i", "T", "$OVER(sadd)"},
    {"usub_over", "i", "T", "$OVER(usub)"},
    {"ssub_over", "i", "T", "$OVER(ssub)"},
    {"umul_over", "iw6", "T", "$OVER(umul)"},
    {"smul_over", "iw6", "T", "$OVER(smul)"},
    {"fshl", "iwq", "T", "%r = call $T @llvm.fshl.$S($T %x, $T %y, $T %z)"},
    {"fshr", "iwq", "T", "%r = call $T @llvm.fshr.$S($T %x, $T %y, $T %z)"},
    {"rotate3", "iwq", "T", "%r = call $T @llvm.fshl.$S($T %x, $T %x, $T $THREE)"},
    {"ctpop", "i", "T", "%r = call $T @llvm.ctpop.$S($T %x)"},
    {"ctlz", "i", "T", "%r = call $T @llvm.ctlz.$S($T %x, i1 false)"},
    {"cttz", "i", "T", "%r = call $T @llvm.cttz.$S($T %x, i1 false)"},
    {"ctlz1", "iw", "T", "%d = or $T %x, $ONE|%r = call $T @llvm.ctlz.$S($T %d, i1 true)"},
    {"bitreverse", "i", "T", "%r = call $T @llvm.bitreverse.$S($T %x)"},
    {"bswap", "ib", "T", "%r = call $T @llvm.bswap.$S($T %x)"},
    {"scmp", "is", "i8", "%r = call i8 @llvm.scmp.i8.$S($T %x, $T %y)"},
    {"ucmp", "is", "i64", "%r = call i64 @llvm.ucmp.i64.$S($T %x, $T %y)"},
    {"zext", "is6", "i77", "%r = zext $T %x to i77"},
    {"sext", "is6", "i99", "%r = sext $T %x to i99"},
    {"uitofp32", "is", "float", "%r = uitofp $T %x to float"},
    {"sitofp32", "is", "float", "%r = sitofp $T %x to float"},
    {"uitofp64", "is", "double", "%r = uitofp $T %x to double"},
    {"sitofp64", "is", "double", "%r = sitofp $T %x to double"},
    {"uitofp16", "is6", "half", "%r = uitofp $T %x to half"},
    {"sitofp16", "is6", "half", "%r = sitofp $T %x to half"},
    {"freeze", "i", "T",
     "%p = freeze $T %x|%r = add $T %p, poison|%q = freeze $T %r|%s = xor $T %q, %q|%o = add $T %s, %x|%r2 = "
     "add $T %o, $ZERO"},
    {"index", "iv", "$E",
     "%p = insertelement $T %y, $E $EONE, i32 %index|%i2 = xor i32 %index, 1|%r = extractelement $T %p, i32 "
     "%i2"},
    {"fadd", "f", "T", "%r = fadd $T %x, %y"},
    {"fsub", "f", "T", "%r = fsub $T %x, %y"},
    {"fmul", "f", "T", "%r = fmul $T %x, %y"},
    {"fdiv", "f", "T", "%r = fdiv $T %x, %y"},
    {"fma", "f", "T", "%r = call $T @llvm.fma.$S($T %x, $T %y, $T %z)"},
    {"fneg", "f", "T", "%r = fneg $T %x"},
    {"fabs", "f", "T", "%r = call $T @llvm.fabs.$S($T %x)"},
    {"copysign", "f", "T", "%r = call $T @llvm.copysign.$S($T %x, $T %y)"},
    {"floor", "f", "T", "%r = call $T @llvm.floor.$S($T %x)"},
    {"ceil", "f", "T", "%r = call $T @llvm.ceil.$S($T %x)"},
    {"trunc", "f", "T", "%r = call $T @llvm.trunc.$S($T %x)"},
    {"rint", "f", "T", "%r = call $T @llvm.rint.$S($T %x)"},
    {"roundeven", "f", "T", "%r = call $T @llvm.roundeven.$S($T %x)"},
    {"round", "f", "T", "%r = call $T @llvm.round.$S($T %x)"},
    {"sqrt", "f", "T", "%r = call $T @llvm.sqrt.$S($T %x)"},
    {"minnum", "f", "T",
     "%p = call $T @llvm.canonicalize.$S($T %x)|%q = call $T @llvm.canonicalize.$S($T %y)|%r = call $T "
     "@llvm.minnum.$S($T %p, $T %q)"},
    {"maxnum", "f", "T",
     "%p = call $T @llvm.canonicalize.$S($T %x)|%q = call $T @llvm.canonicalize.$S($T %y)|%r = call $T "
     "@llvm.maxnum.$S($T %p, $T %q)"},
    {"minimumnum", "fn", "T", "%r = call $T @llvm.minimumnum.$S($T %x, $T %y)"},
    {"maximumnum", "fn", "T", "%r = call $T @llvm.maximumnum.$S($T %x, $T %y)"},
    {"minimum", "fn", "T", "%r = call $T @llvm.minimum.$S($T %x, $T %y)"},
    {"maximum", "fn", "T", "%r = call $T @llvm.maximum.$S($T %x, $T %y)"},
    {"canonicalize", "f", "T", "%r = call $T @llvm.canonicalize.$S($T %x)"},
    {"ldexp", "fsn", "T", "%p = ashr i32 %bits, 22|%r = call $T @llvm.ldexp.$S.i32($T %x, i32 %p)"},
    {"foeq", "f", "C", "%r = fcmp oeq $T %x, %y"},
    {"fone", "f", "C", "%r = fcmp one $T %x, %y"},
    {"folt", "f", "C", "%r = fcmp olt $T %x, %y"},
    {"foge", "f", "C", "%r = fcmp oge $T %x, %y"},
    {"ford", "f", "C", "%r = fcmp ord $T %x, %y"},
    {"fueq", "f", "C", "%r = fcmp ueq $T %x, %y"},
    {"fugt", "f", "C", "%r = fcmp ugt $T %x, %y"},
    {"fule", "f", "C", "%r = fcmp ule $T %x, %y"},
    {"fune", "f", "C", "%r = fcmp une $T %x, %y"},
    {"funo", "f", "C", "%r = fcmp uno $T %x, %y"},
    {"class1", "fs", "C", "%r = call i1 @llvm.is.fpclass.$S($T %x, i32 3)"},
    {"class2", "fs", "C", "%r = call i1 @llvm.is.fpclass.$S($T %x, i32 144)"},
    {"class3", "fs", "C", "%r = call i1 @llvm.is.fpclass.$S($T %x, i32 612)"},
    {"class4", "fs", "C", "%r = call i1 @llvm.is.fpclass.$S($T %x, i32 265)"},
    {"fselect", "f", "T", "%c = fcmp olt $T %x, %y|%r = select $C %c, $T %z, $T %x"},
    {"to_i32", "fs", "i32", "%r = call i32 @llvm.fptosi.sat.i32.$S($T %x)"},
    {"to_u32", "fs", "i32", "%r = call i32 @llvm.fptoui.sat.i32.$S($T %x)"},
    {"to_i8", "fs", "i8", "%r = call i8 @llvm.fptosi.sat.i8.$S($T %x)"},
    {"to_u16", "fs", "i16", "%r = call i16 @llvm.fptoui.sat.i16.$S($T %x)"},
    {"to_i64", "fs", "i64", "%r = call i64 @llvm.fptosi.sat.i64.$S($T %x)"},
    {"to_u64", "fs", "i64", "%r = call i64 @llvm.fptoui.sat.i64.$S($T %x)"},
    {"to_f16", "fsn", "half", "$CONVERT(half)"},
    {"to_bf16", "fsn", "bfloat", "$CONVERT(bfloat)"},
    {"to_f32", "fs", "float", "$CONVERT(float)"},
    {"to_f64", "fs", "double", "$CONVERT(double)"},
};
enum { TYPES = sizeof types / sizeof *types, OPERATIONS = sizeof operations / sizeof *operations };

static int fits(const struct type *t, const struct operation *o) {
    if (*o->where != t->kind) return 0;
    for (const char *c = o->where + 1; *c; c++)
        if ((*c == 'w' && t->bits < 4) || (*c == 'b' && t->bits % 16) || (*c == 's' && t->count > 1) ||
            (*c == 'n' && !strcmp(t->text, "bfloat")) || (*c == '6' && t->bits > 64) ||
            (*c == 'v' && t->count < 2) || (*c == 'q' && t->bits == 96))
            return 0;
    return 1;
}

static void element(const struct type *t, char *out) {
    const char *x = strchr(t->text, 'x');
    if (t->count == 1)
        strcpy(out, t->text);
    else
        strcpy(out, x + 2), out[strlen(out) - 1] = 0;
}
static void with_count(const struct type *t, const char *scalar, char *out) {
    if (t->count == 1)
        strcpy(out, scalar);
    else
        sprintf(out, "<%u x %s>", t->count, scalar);
}
static void constant(const struct type *t, const char *number) {
    char e[32];
    element(t, e);
    if (t->count == 1) printf("%s", number);
    for (unsigned n = 0; n < t->count && t->count > 1; n++)
        printf("%s%s %s%s", n ? ", " : "<", e, number, n + 1 == t->count ? ">" : "");
}
static unsigned bits_of(const char *e) {
    return *e == 'i' ? (unsigned)atoi(e + 1) : !strcmp(e, "float") ? 32 : !strcmp(e, "double") ? 64 : 16;
}

// Names in a text get the operation's number, so that all stand in one function.
static void put(const struct type *t, const char *text, unsigned k) {
    char c[32], e[32];
    with_count(t, "i1", c);
    element(t, e);
    for (const char *s = text; *s; s++) {
        if (*s == '|')
            printf("\n  ");
        else if (!strncmp(s, "$THREE", 6))
            constant(t, "3"), s += 5;
        else if (!strncmp(s, "$SEVEN", 6))
            constant(t, "7"), s += 5;
        else if (!strncmp(s, "$FOUR", 5))
            constant(t, "4"), s += 4;
        else if (!strncmp(s, "$ZERO", 5))
            constant(t, "0"), s += 4;
        else if (!strncmp(s, "$ONES", 5))
            constant(t, "-1"), s += 4;
        else if (!strncmp(s, "$ONE", 4))
            constant(t, "1"), s += 3;
        else if (!strncmp(s, "$EONE", 5))
            printf("1"), s += 4;
        else if (!strncmp(s, "$AMOUNT", 7)) {
            char most[8];
            sprintf(most, "%u", t->bits - 1);
            printf("%%m_%u = call %s @llvm.umin.%s(%s %%y, %s ", k, t->text, t->suffix, t->text, t->text);
            constant(t, t->bits == 1 ? "0" : most), printf(")"), s += 6;
        } else if (!strncmp(s, "$OVER(", 6)) {
            char how[8] = {0};
            memcpy(how, s + 6, 4);
            printf("%%p_%u = call {%s, %s} @llvm.%s.with.overflow.%s(%s %%x, %s %%y)\n  %%q_%u = "
                   "extractvalue {%s, %s} %%p_%u, 0\n  "
                   "%%o_%u = extractvalue {%s, %s} %%p_%u, 1\n  %%s_%u = select %s %%o_%u, %s %%z, %s ",
                   k, t->text, c, how, t->suffix, t->text, t->text, k, t->text, c, k, k, t->text, c, k, k, c,
                   k, t->text, t->text);
            constant(t, "0"), printf("\n  %%r_%u = xor %s %%q_%u, %%s_%u", k, t->text, k, k), s += 10;
        } else if (!strncmp(s, "$CONVERT(", 9)) {
            char to[16] = {0};
            strncpy(to, s + 9, strcspn(s + 9, ")"));
            const unsigned have = t->bits, want = bits_of(to);
            if (!strcmp(to, t->text))
                printf("%%r_%u = fneg %s %%x", k, to);
            else if (have == want)
                printf("%%p_%u = fpext %s %%x to float\n  %%r_%u = fptrunc float %%p_%u to %s", k, t->text, k,
                       k, to);
            else
                printf("%%r_%u = %s %s %%x to %s", k, have < want ? "fpext" : "fptrunc", t->text, to);
            s += 9 + strlen(to);
        } else if (*s == '$')
            s++, printf("%s", *s == 'T' ? t->text : *s == 'S' ? t->suffix : *s == 'C' ? c : e);
        else if (*s == '%' && strncmp(s, "%x", 2) && strncmp(s, "%y", 2) && strncmp(s, "%z", 2) &&
                 strncmp(s, "%index", 6) && strncmp(s, "%bits", 5)) {
            putchar(*s++);
            while (*s && strchr("abcdefghijklmnopqrstuvwxyz0123456789_", *s)) putchar(*s++);
            printf("_%u", k), s--;
        } else
            putchar(*s);
    }
    printf("\n");
}

static void operand(const struct type *t, const char *name, const char *from) {
    const unsigned bits = t->bits * t->count;
    printf("  %%p%s = getelementptr i128, ptr addrspace(1) %%%s, i64 %%i\n  %%w%s = load i128, ptr "
           "addrspace(1) %%p%s\n",
           from, from, from, from);
    printf("  %%t%s = %s i128 %%w%s%s i%u\n", from, bits < 128 ? "trunc" : "add", from,
           bits < 128 ? " to" : ", 0 ;", bits);
    printf("  %%%s = bitcast i%u %%t%s to %s\n", name, bits, from, t->text);
}

static void result(const struct type *t, const struct operation *o, unsigned k, unsigned place) {
    char scalar[32], type[40], nan[24];
    unsigned count = 1;
    if (!strcmp(o->result, "T"))
        element(t, scalar), count = t->count;
    else if (!strcmp(o->result, "C"))
        strcpy(scalar, "i1"), count = t->count;
    else if (*o->result == '$')
        element(t, scalar);
    else
        strcpy(scalar, o->result);
    if (count > 1)
        sprintf(type, "<%u x %s>", count, scalar);
    else
        strcpy(type, scalar);
    const unsigned bits = bits_of(scalar) * count;
    const char *value = strstr(o->text, "%r2") ? "r2" : "r";
    strcpy(nan, strcmp(scalar, "float") && strcmp(scalar, "double")
                    ? strcmp(scalar, "half") ? "0xR7FC0" : "0xH7E00"
                    : "0x7FF8000000000000");
    if (*scalar != 'i') {
        char c[40] = "i1";
        if (count > 1) sprintf(c, "<%u x i1>", count);
        printf("  %%nan_%u = fcmp uno %s %%%s_%u, %%%s_%u\n  %%val_%u = select %s %%nan_%u, %s ", k, type,
               value, k, value, k, k, c, k, type);
        if (count > 1)
            for (unsigned n = 0; n < count; n++)
                printf("%s%s %s%s", n ? ", " : "<", scalar, nan, n + 1 == count ? ">" : "");
        else
            printf("%s", nan);
        printf(", %s %%%s_%u\n", type, value, k);
        value = "val";
    }
    printf("  %%bit_%u = bitcast %s %%%s_%u to i%u\n", k, type, value, k, bits);
    if (bits < 128) printf("  %%ext_%u = zext i%u %%bit_%u to i128\n", k, bits, k);
    printf("  %%num_%u = add i64 %%i, %u\n  %%adr_%u = getelementptr i128, ptr addrspace(1) %%out, i64 "
           "%%num_%u\n"
           "  store i128 %%%s_%u, ptr addrspace(1) %%adr_%u\n",
           k, place * ITEMS, k, k, bits < 128 ? "ext" : "bit", k, k);
}

static void kernel(const struct type *t, const char *only) {
    unsigned place = 0;
    printf("define amdgpu_kernel void @%s(ptr addrspace(1) %%out, ptr addrspace(1) noalias %%a, ptr "
           "addrspace(1) noalias %%b, "
           "ptr addrspace(1) noalias %%c) {\n  %%id = call i32 @llvm.amdgcn.workitem.id.x()\n  %%group = "
           "call i32 @llvm.amdgcn.workgroup.id.x()\n"
           "  %%base = shl i32 %%group, 6\n  %%global = add i32 %%id, %%base\n  %%i = zext i32 %%global to "
           "i64\n",
           t->name);
    operand(t, "x", "a"), operand(t, "y", "b"), operand(t, "z", "c");
    printf("  %%bits = trunc i128 %%wb to i32\n  %%index = and i32 %%global, 1\n");
    for (unsigned k = 0; k < OPERATIONS; k++)
        if (fits(t, &operations[k]) && (!only || !strcmp(only, operations[k].name))) {
            printf("  ; %s\n  ", operations[k].name);
            put(t, operations[k].text, k);
            result(t, &operations[k], k, place++);
        }
    printf("  ret void\n}\n");
}

// ---- Inputs ----

static uint64_t state = 88172645463325252u;
static uint64_t number(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static unsigned __int128 special(const struct type *t, unsigned n) {
    static const uint16_t half[] = {0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e01, 0x7d01,
                                    1, 0x83ff, 0x7bff, 0x400,  0x3e00, 0xc080, 0x3800, 0x6401};
    static const uint16_t brain[] = {0, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc1, 0x7f81,
                                     1, 0x807f, 0x7f7f, 0x80,   0x3fc0, 0xc010, 0x3f00, 0x4f01};
    static const uint32_t single[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                      0x7fc00001, 0x7f800001, 1,          0x807fffff, 0x7f7fffff, 0x00800000,
                                      0x3fc00000, 0xc0200000, 0x3f000000, 0x4f000001};
    static const uint64_t twice[] = {0,
                                     1ull << 63,
                                     0x3ff0000000000000,
                                     0xbff0000000000000,
                                     0x7ff0000000000000,
                                     0xfff0000000000000,
                                     0x7ff8000000000001,
                                     0x7ff0000000000001,
                                     1,
                                     0x800fffffffffffff,
                                     0x7fefffffffffffff,
                                     0x0010000000000000,
                                     0x3ff8000000000000,
                                     0xc004000000000000,
                                     0x3fe0000000000000,
                                     0x43e0000000000001};
    const unsigned __int128 one = 1;
    const unsigned b = t->bits;
    if (t->kind == 'f')
        return b == 64 ? twice[n] : b == 32 ? single[n] : strstr(t->text, "bf") ? brain[n] : half[n];
    const unsigned __int128 integers[] = {0,
                                          1,
                                          2,
                                          3,
                                          7,
                                          ~(one - 1),
                                          ~(one - 1) - 1,
                                          one << (b - 1),
                                          (one << (b - 1)) - 1,
                                          one << (b - 1) | 1,
                                          one << b / 2,
                                          (one << b / 2) - 1,
                                          0x80,
                                          0x7fff,
                                          0x55555555,
                                          31};
    return integers[n];
}
static unsigned __int128 low(unsigned __int128 v, unsigned bits) {
    return bits < 128 ? v & (((unsigned __int128)1 << bits) - 1) : v;
}

static unsigned __int128 random_value(const struct type *t) {
    unsigned __int128 v = (unsigned __int128)number() << 64 | number();
    if (t->kind == 'i') return v >> number() % t->bits; // of all sizes
    // Mostly floats of like size, so that sums and quotients are no matter of exponents alone.
    const unsigned shift = t->bits == 64 ? 52 : t->bits == 32 ? 23 : strstr(t->text, "bf") ? 7 : 10;
    const unsigned bias = t->bits == 64 ? 1023 : shift == 10 ? 15 : 127;
    if (number() % 4)
        v = (v & (((uint64_t)1 << shift) - 1)) | (unsigned __int128)(bias - 5 + number() % 12) << shift |
            (unsigned __int128)(number() & 1) << (t->bits - 1);
    return v;
}

static void input(const struct type *t, char **paths) {
    unsigned __int128 all[3][ITEMS];
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned k = 0; k < 3; k++) {
            unsigned __int128 v = 0;
            for (unsigned e = 0; e < t->count; e++) {
                const unsigned n = k == 0 ? i + e : k == 1 ? i / 16 + e : i / 3 + e;
                v |= low(i < 256 ? special(t, n % 16) : random_value(t), t->bits) << e * t->bits;
            }
            all[k][i] = v;
        }
    for (unsigned k = 0; k < 3; k++) {
        FILE *f = fopen(paths[k], "wb");
        if (!f || fwrite(all[k], sizeof all[k], 1, f) != 1 || fclose(f)) exit(1);
    }
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "types"))
        for (unsigned n = 0; n < TYPES; n++) {
            unsigned results = 0;
            for (unsigned k = 0; k < OPERATIONS; k++) results += (unsigned)fits(&types[n], &operations[k]);
            printf("%s %u\n", types[n].name, results);
        }
    else if (argc == 3 && !strcmp(argv[1], "operations")) {
        for (unsigned n = 0; n < TYPES; n++)
            for (unsigned k = 0; k < OPERATIONS; k++)
                if (!strcmp(argv[2], types[n].name) && fits(&types[n], &operations[k]))
                    printf("%s\n", operations[k].name);
    } else if (argc >= 2 && !strcmp(argv[1], "ll")) {
        for (unsigned n = 0; n < TYPES; n++)
            if (argc < 3 || !strcmp(argv[2], types[n].name)) kernel(&types[n], argc > 3 ? argv[3] : NULL);
    } else if (argc == 6 && !strcmp(argv[1], "input")) {
        for (unsigned n = 0; n < TYPES; n++)
            if (!strcmp(argv[2], types[n].name)) input(&types[n], argv + 3);
    } else
        return 2;
    return 0;
}
