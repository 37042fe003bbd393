// SPDX-License-Identifier: MIT
// For rounding.sh: constrained operations on floats under a rounding that the program sets.
//   rounding ll              kernels f16, f32, f64: a buffer of results (512 of 8 bytes for each operation),
//   three of
//                            operands, and the rounding by LLVM's number
//   rounding input TYPE FILE...      three files of operands
//   rounding expected TYPE MODE FILE what this host's processor computes under that rounding, from those
//   operands rounding compare TYPE FILE FILE  operations whose results differ; NaNs are all alike
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#pragma STDC FENV_ACCESS ON

enum { N = 512, F16 = 1, F32 = 2, F64 = 4, ALL = 7 };
static const int modes[] = {FE_TOWARDZERO, FE_TONEAREST, FE_UPWARD, FE_DOWNWARD};

// ---- Halves, by arithmetic on doubles that keeps every bit until it rounds ----

static double of_half(unsigned h) {
    const int e = h >> 10 & 31, m = h & 1023;
    const double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return h >> 15 ? -v : v;
}
static unsigned to_half(double x) { // rounded as the host does now
    const unsigned sign = signbit(x) ? 0x8000 : 0;
    int e;
    if (isnan(x)) return 0x7e00;
    if (isinf(x) || x == 0) return sign | (isinf(x) ? 0x7c00 : 0);
    frexp(x, &e);
    e = e - 1 < -14 ? -14 : e - 1;
    const double last = e > 16 ? x : nearbyint(ldexp(x, 10 - e)),
                 size = fabs(e > 16 ? INFINITY : ldexp(last, e - 10));
    if (size > 65504) {
        const int mode = fegetround();
        const int up = mode == FE_TONEAREST || mode == (sign ? FE_DOWNWARD : FE_UPWARD);
        return sign | (up ? 0x7c00 : 0x7bff);
    }
    if (size < ldexp(1, -14)) return sign | (unsigned)ldexp(size, 24);
    frexp(size, &e);
    return sign | (unsigned)(e + 14) << 10 | ((unsigned)ldexp(size, 11 - e) & 1023);
}

// ---- Operations ----
// A result is bits; operands are a, b, c of the type as doubles, x and y of the type itself, n an integer of
// 64 bits.

static uint64_t bits32(float f) {
    uint32_t b;
    return memcpy(&b, &f, 4), b;
}
static uint64_t bits64(double f) {
    uint64_t b;
    return memcpy(&b, &f, 8), b;
}
static uint64_t made(int type, double d) {
    return type == F16 ? to_half(d) : type == F32 ? bits32((float)d) : bits64(d);
}

#define BY(h, s, d)  (t == F16 ? to_half(h) : t == F32 ? bits32(s) : bits64(d))
#define SAME(f, ...) BY(f(__VA_ARGS__), f##f(__VA_ARGS__), f(__VA_ARGS__))
static double away(double x) {
    return copysign(floor(fabs(x) + 0.5) == fabs(x) + 1 ? fabs(x) : round(fabs(x)), x);
}
static double to_even(double x) {
    const int mode = fegetround();
    fesetround(FE_TONEAREST);
    const volatile double r = nearbyint(x);
    fesetround(mode);
    return r;
}
static double less(double a, double b) {
    return isnan(a) ? b : isnan(b) ? a : a < b || (a == b && signbit(a)) ? a : b;
}
static double more(double a, double b) {
    return isnan(a) ? b : isnan(b) ? a : a > b || (a == b && !signbit(a)) ? a : b;
}

// name, types, arguments of LLVM (T the type, I i32, L i64 made of the bits), result (T, I, L, 1, S float, D
// double, H half), whether it has a rounding, the host's result
#define OPERATIONS(X)                                                                                        \
    X("fadd", ALL, "TT", 'T', 1, BY(a + b, x + y, a + b))                                                    \
    X("fsub", ALL, "TT", 'T', 1, BY(a - b, x - y, a - b))                                                    \
    X("fmul", ALL, "TT", 'T', 1, BY(a *b, x *y, a *b))                                                       \
    X("fdiv", ALL, "TT", 'T', 1, BY(a / b, x / y, a / b))                                                    \
    X("fma", F32 | F64, "TTT", 'T', 1, t == F32 ? bits32(fmaf(x, y, z)) : bits64(fma(a, b, c)))              \
    X("sqrt", ALL, "T", 'T', 1, BY(sqrt(a), sqrtf(x), sqrt(a)))                                              \
    X("frem", F32, "TT", 'T', 1, made(t, fmod(a, b)))                                                        \
    X("rint", ALL, "T", 'T', 1, made(t, rint(a)))                                                            \
    X("nearbyint", ALL, "T", 'T', 1, made(t, nearbyint(a)))                                                  \
    X("lrint", ALL, "T", 'I', 1, fits(a) ? (uint32_t)lrint(a) : 0)                                           \
    X("llrint", F32 | F64, "T", 'L', 1, fits(a) ? (uint64_t)llrint(a) : 0)                                   \
    X("lround", ALL, "T", 'I', 0, fits(a) ? (uint32_t)(int)away(a) : 0)                                      \
    X("llround", F32 | F64, "T", 'L', 0, fits(a) ? (uint64_t)(int64_t)away(a) : 0)                           \
    X("ceil", ALL, "T", 'T', 0, made(t, ceil(a)))                                                            \
    X("floor", ALL, "T", 'T', 0, made(t, floor(a)))                                                          \
    X("trunc", ALL, "T", 'T', 0, made(t, trunc(a)))                                                          \
    X("round", ALL, "T", 'T', 0, made(t, away(a)))                                                           \
    X("roundeven", ALL, "T", 'T', 0, made(t, to_even(a)))                                                    \
    X("minnum", ALL, "TT", 'T', 0, made(t, less(a, b)))                                                      \
    X("maxnum", ALL, "TT", 'T', 0, made(t, more(a, b)))                                                      \
    X("minimum", ALL, "TT", 'T', 0, made(t, isnan(a) || isnan(b) ? NAN : less(a, b)))                        \
    X("maximum", ALL, "TT", 'T', 0, made(t, isnan(a) || isnan(b) ? NAN : more(a, b)))                        \
    X("ldexp", F32 | F64, "TI", 'T', 1,                                                                      \
      t == F32 ? bits32(ldexpf(x, (int)n % 50)) : bits64(ldexp(a, (int)n % 50)))                             \
    X("fptosi", ALL, "T", 'I', 0, fits(a) ? (uint32_t)(int)a : 0)                                            \
    X("fptosi", F32 | F64, "T", 'L', 0, fits(a) ? (uint64_t)(int64_t)a : 0)                                  \
    X("fptoui", ALL, "T", 'I', 0, fits(a) && a > -1 ? (uint32_t)a : 0)                                       \
    X("fptrunc", F64, "T", 'S', 1, bits32((float)a))                                                         \
    X("fptrunc", F32 | F64, "T", 'H', 1, to_half(a))                                                         \
    X("fpext", F16 | F32, "T", 'D', 0, bits64(a))                                                            \
    X("sitofp", ALL, "I", 'T', 1, t == F16 ? to_half((int)n) : t == F32 ? bits32((int)n) : bits64((int)n))   \
    X("uitofp", ALL, "I", 'T', 1,                                                                            \
      t == F16   ? to_half((uint32_t)n)                                                                      \
      : t == F32 ? bits32((uint32_t)n)                                                                       \
                 : bits64((uint32_t)n))                                                                      \
    X("sitofp", ALL, "L", 'T', 1,                                                                            \
      t == F16   ? to_half((double)(int64_t)n)                                                               \
      : t == F32 ? bits32((int64_t)n)                                                                        \
                 : bits64((int64_t)n))                                                                       \
    X("uitofp", ALL, "L", 'T', 1, t == F16 ? to_half((double)n) : t == F32 ? bits32(n) : bits64(n))          \
    COMPARISONS(X, "fcmp ")
#define COMPARISONS(X, how)                                                                                  \
    X(how "oeq", ALL, "TT", '1', 0, a == b)                                                                  \
    X(how "ogt", ALL, "TT", '1', 0, a > b)                                                                   \
    X(how "oge", ALL, "TT", '1', 0, a >= b)                                                                  \
    X(how "olt", ALL, "TT", '1', 0, a < b)                                                                   \
    X(how "ole", ALL, "TT", '1', 0, a <= b)                                                                  \
    X(how "one", ALL, "TT", '1', 0, a<b || a> b)                                                             \
    X(how "ord", ALL, "TT", '1', 0, !isnan(a) && !isnan(b))                                                  \
    X(how "uno", ALL, "TT", '1', 0, isnan(a) || isnan(b))                                                    \
    X(how "ueq", ALL, "TT", '1', 0, !(a < b || a > b))                                                       \
    X(how "ugt", ALL, "TT", '1', 0, !(a <= b))                                                               \
    X(how "uge", ALL, "TT", '1', 0, !(a < b))                                                                \
    X(how "ult", ALL, "TT", '1', 0, !(a >= b))                                                               \
    X(how "ule", ALL, "TT", '1', 0, !(a > b))                                                                \
    X(how "une", ALL, "TT", '1', 0, a != b)

struct operation {
    const char *name;
    int types;
    const char *arguments;
    char result;
    int rounds;
};
static const struct operation operations[] = {
#define X(name, types, arguments, result, rounds, host) {name, types, arguments, result, rounds},
    OPERATIONS(X) COMPARISONS(X, "fcmps ")
#undef X
};
enum { COUNT = sizeof operations / sizeof *operations };
static int fits(double a) { return fabs(a) < 2e9; }
static uint64_t host(int which, int t, double a0, double b0, double c0, uint64_t n) {
    const volatile double a = a0, b = b0, c = c0;
    const volatile float x = (float)a, y = (float)b, z = (float)c; // exact, where the type is f32
    int i = 0;
#define X(name, types, arguments, result, rounds, host)                                                      \
    if (i++ == which) return host;
    OPERATIONS(X)
    COMPARISONS(X, "fcmps ")
#undef X
    return 0;
}

// ---- Texts and files ----

static const char *type_name(char c, int t) {
    const char *own = t == F16 ? "half" : t == F32 ? "float" : "double";
    return c == 'T'   ? own
           : c == 'I' ? "i32"
           : c == 'L' ? "i64"
           : c == '1' ? "i1"
           : c == 'S' ? "float"
           : c == 'D' ? "double"
                      : "half";
}
static const char *suffix(char c, int t) {
    const char *own = t == F16 ? "f16" : t == F32 ? "f32" : "f64";
    return c == 'T' ? own : c == 'I' ? "i32" : c == 'L' ? "i64" : c == 'S' ? "f32" : c == 'D' ? "f64" : "f16";
}
static int bits(const char *type) {
    return !strcmp(type, "half")                            ? 16
           : !strcmp(type, "float") || !strcmp(type, "i32") ? 32
           : !strcmp(type, "i1")                            ? 1
                                                            : 64;
}
static int type_of(const char *s) { return !strcmp(s, "f16") ? F16 : !strcmp(s, "f32") ? F32 : F64; }

static void kernel(int t) {
    const char *type = type_name('T', t);
    printf("define amdgpu_kernel void @%s(ptr addrspace(1) %%out, ptr addrspace(1) %%in0, ptr addrspace(1) "
           "%%in1, ptr addrspace(1) "
           "%%in2, i32 %%mode) #0 {\n  %%lane = call i32 @llvm.amdgcn.workitem.id.x()\n  %%group = call i32 "
           "@llvm.amdgcn.workgroup.id.x()\n"
           "  %%first = shl i32 %%group, 6\n  %%id = add i32 %%first, %%lane\n",
           suffix('T', t));
    for (int k = 0; k < 3; k++)
        printf("  %%p%d = getelementptr i64, ptr addrspace(1) %%in%d, i32 %%id\n  %%v%d = load %s, ptr "
               "addrspace(1) %%p%d\n",
               k, k, k, type, k);
    printf("  %%n = load i64, ptr addrspace(1) %%p1\n  %%small = trunc i64 %%n to i32\n  %%power = srem i32 "
           "%%small, 50\n"
           "  call void @llvm.set.rounding(i32 %%mode)\n");
    for (int i = 0, next = 0; i < COUNT; i++) {
        const struct operation *o = &operations[i];
        const char *blank = strchr(o->name, ' '), *result = type_name(o->result, t);
        const int length = blank ? (int)(blank - o->name) : (int)strlen(o->name), compares = blank != NULL;
        const int converts = !strncmp(o->name, "fpto", 4) || strstr(o->name, "tofp") ||
                             !strncmp(o->name, "fptr", 4) || !strncmp(o->name, "fpe", 3) || *o->name == 'l';
        if (!(o->types & t)) continue;
        printf("  %%r%d = call %s @llvm.experimental.constrained.%.*s.%s", i, result, length, o->name,
               suffix(compares ? 'T' : o->result, t));
        if (converts) printf(".%s", suffix(strcmp(o->name, "ldexp") ? *o->arguments : 'I', t));
        printf("(");
        for (int k = 0; o->arguments[k]; k++)
            printf("%s%s %s%.0d", k ? ", " : "", type_name(o->arguments[k], t),
                   o->arguments[k] == 'T'   ? (k == 0   ? "%v0"
                                               : k == 1 ? "%v1"
                                                        : "%v2")
                   : o->arguments[k] == 'L' ? "%n"
                   : k                      ? "%power"
                                            : "%small",
                   0);
        if (compares) printf(", metadata !\"%s\"", blank + 1);
        if (o->rounds) printf(", metadata !\"round.dynamic\"");
        printf(", metadata !\"fpexcept.%s\") strictfp\n", i % 3 == 0   ? "strict"
                                                          : i % 3 == 1 ? "maytrap"
                                                                       : "ignore");
        printf("  %%q%d = getelementptr i64, ptr addrspace(1) %%out, i32 %d\n  %%o%d = getelementptr i64, "
               "ptr addrspace(1) %%q%d, i32 %%id\n",
               i, next++ * N, i, i);
        if (!strchr("IL1", o->result))
            printf("  %%b%d = bitcast %s %%r%d to i%d\n", i, result, i, bits(result));
        else
            printf("  %%b%d = freeze %s %%r%d\n", i, result, i);
        if (bits(result) < 64) printf("  %%w%d = zext i%d %%b%d to i64\n", i, bits(result), i);
        printf("  store i64 %%%c%d, ptr addrspace(1) %%o%d\n", bits(result) < 64 ? 'w' : 'b', i, i);
    }
    printf("  ret void\n}\n");
}

static double value(int t, uint64_t b) {
    float f;
    double d;
    if (t == F16) return of_half((unsigned)b);
    if (t == F32) return memcpy(&f, &b, 4), f;
    return memcpy(&d, &b, 8), d;
}
static uint64_t state = 88172645463325252u;
static uint64_t number(void) { return state ^= state << 13, state ^= state >> 7, state ^= state << 17; }
static uint64_t operand(int t) {
    static const double special[] = {0,
                                     -0.0,
                                     1,
                                     -1,
                                     0.5,
                                     -0.5,
                                     1.5,
                                     -1.5,
                                     2.5,
                                     -2.5,
                                     3,
                                     10,
                                     -10,
                                     0.1,
                                     4194304.5,
                                     4503599627370497.5,
                                     1e-310,
                                     1e300,
                                     -1e300,
                                     1e-40,
                                     65504,
                                     65519,
                                     65520,
                                     INFINITY,
                                     -INFINITY,
                                     NAN,
                                     1e-7,
                                     3e-8,
                                     0.49999999999999994,
                                     2147483647.5};
    const uint64_t n = number();
    switch (n >> 60) {
    case 0:
    case 1:
    case 2:
    case 3: return made(t, special[(n >> 20) % (sizeof special / sizeof *special)]);
    case 4:
    case 5:
    case 6: return made(t, (double)((int64_t)(n >> 8) % 4000 - 2000) / 8);
    case 7:
    case 8:
    case 9:
        return made(t, ldexp((double)(n >> 12 & 0xffffffffffff), (int)(n >> 4 & 31) - 46) * (n & 1 ? 1 : -1));
    case 10: return made(t, 1 + ldexp((double)(n >> 20 & 0xff), -8) * (n & 1 ? 1 : -1));
    default: { // NaNs are quiet: of signalling ones, LLVM leaves minnum open
        const uint64_t b = t == F16 ? n & 0xffff : t == F32 ? n & 0xffffffff : n;
        return isnan(value(t, b)) ? made(t, NAN) : b;
    }
    }
}
static int is_nan(char c, int t, uint64_t b) {
    const char *type = type_name(c, t);
    if (strchr("IL1", c)) return 0;
    return isnan(value(!strcmp(type, "half") ? F16 : !strcmp(type, "float") ? F32 : F64, b));
}
static void get(const char *name, void *data, size_t size) {
    FILE *f = fopen(name, "rb");
    if (!f || fread(data, 1, size, f) != size) fprintf(stderr, "%s is too short\n", name), exit(1);
    fclose(f);
}
static void put(const char *name, const void *data, size_t size) {
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(data, 1, size, f) != size) exit(1);
    fclose(f);
}

int main(int argc, char **argv) {
    static uint64_t in[3][N], out[COUNT * N], other[COUNT * N];
    const int t = argc > 2 ? type_of(argv[2]) : 0;
    size_t made_here = 0;
    if (!strcmp(argv[1], "ll")) {
        kernel(F16), kernel(F32), kernel(F64);
        printf("attributes #0 = { strictfp \"amdgpu-flat-work-group-size\"=\"64,64\" }\n");
        for (int t = 1; t < 8; t *= 2) continue;
    } else if (!strcmp(argv[1], "count")) {
        for (int i = 0; i < COUNT; i++) made_here += (operations[i].types & t) != 0;
        printf("%zu\n", made_here);
    } else if (!strcmp(argv[1], "input")) {
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < N; i++) in[k][i] = operand(t);
            put(argv[3 + k], in[k], sizeof in[k]);
        }
    } else if (!strcmp(argv[1], "expected")) {
        for (int k = 0; k < 3; k++) get(argv[4 + k], in[k], sizeof in[k]);
        fesetround(modes[atoi(argv[3])]);
        for (int o = 0; o < COUNT; o++)
            for (int i = 0; i < N && operations[o].types & t; i++)
                out[made_here++] =
                    host(o, t, value(t, in[0][i]), value(t, in[1][i]), value(t, in[2][i]), in[1][i]);
        fesetround(FE_TONEAREST);
        put(argv[7], out, made_here * 8);
    } else {
        for (int o = 0; o < COUNT; o++) made_here += (operations[o].types & t) != 0;
        get(argv[3], out, made_here * N * 8), get(argv[4], other, made_here * N * 8);
        get(argv[5], in[0], sizeof in[0]), get(argv[6], in[1], sizeof in[1]);
        made_here = 0;
        for (int o = 0; o < COUNT; o++) {
            int wrong = 0, first = 0;
            if (!(operations[o].types & t)) continue;
            for (int i = 0; i < N; i++, made_here++) {
                const char r = operations[o].result;
                const double a = value(t, in[0][i]);
                const int open = !strchr("T1SDH", r) && !(fits(a) && (strcmp(operations[o].name, "fptoui") ||
                                                                      a > -1)); // LLVM leaves these undefined
                if (out[made_here] == other[made_here] || open ||
                    (is_nan(r, t, out[made_here]) && is_nan(r, t, other[made_here])))
                    continue;
                if (!wrong++) first = i;
            }
            const size_t at = made_here - N + (size_t)first;
            if (wrong)
                printf("%s.%c: %d wrong, as of %a and %a: %llx instead of %llx; ", operations[o].name,
                       operations[o].result, wrong, value(t, in[0][first]), value(t, in[1][first]),
                       (unsigned long long)out[at], (unsigned long long)other[at]);
        }
    }
    return 0;
}
