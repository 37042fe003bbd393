// SPDX-License-Identifier: MIT
// Writes random kernels in the C that OpenCL and the host's compiler both take:
//   random KERNELS SEED [FUNCTIONS]
// Each kernel has variables of all widths, computes them anew in nested conditions, loops and switches that
// lanes take differently, and leaves a mixture of all of them for each work-item. Nothing in it is undefined:
// signed sums are made of unsigned ones, shifts and divisors are bounded, floats become integers only where
// they fit. Functions take all variables and some more, and call those that stand before them.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { VARIABLES = 9, MOST_DEPTH = 4 };
static const char *const types[VARIABLES] = {"uchar", "ushort", "uint",  "uint",  "ulong",
                                             "int",   "short",  "float", "double"};
static uint64_t state;
static unsigned loops;

static unsigned below(unsigned n) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned)(state >> 11) % n;
}

static void integer(unsigned depth);
static void real(unsigned depth);

enum { MOST_FUNCTIONS = 16 };
static unsigned functions, calls_left, more_arguments[MOST_FUNCTIONS];

static void argument(unsigned type) {
    printf("(%s)", types[type]);
    if (type >= 7)
        real(1);
    else
        integer(1);
}

// A function that stands before.
static void call(void) {
    const unsigned f = below(functions);
    calls_left--;
    printf("f%u(", f);
    for (unsigned n = 0; n < VARIABLES + more_arguments[f]; n++) {
        if (n) printf(", ");
        argument((n + f) % VARIABLES);
    }
    printf(")");
}

static int calls_now(void) { return functions && calls_left && !below(6); }

static void condition(unsigned depth) {
    static const char *const compare[] = {"<", ">", "<=", ">=", "==", "!="};
    printf("(");
    switch (below(6)) {
    case 0: integer(depth - 1), printf(" %s ", compare[below(6)]), integer(depth - 1); break;
    case 1:
        printf("(int)"), integer(depth - 1), printf(" %s (int)", compare[below(6)]), integer(depth - 1);
        break;
    case 2:
        printf("(long)"), integer(depth - 1), printf(" %s (long)", compare[below(6)]), integer(depth - 1);
        break;
    case 3: real(depth - 1), printf(" %s ", compare[below(6)]), real(depth - 1); break;
    case 4:
        printf("(uchar)"), integer(depth - 1), printf(" %s (ushort)", compare[below(6)]), integer(depth - 1);
        break;
    default:
        if (depth > 1)
            condition(depth - 1), printf(below(2) ? " && " : " || "), condition(depth - 1);
        else
            printf("v2 & %u", 1u << below(8));
    }
    printf(")");
}

// All as ulong, so that nothing overflows and both sides agree.
static void integer(unsigned depth) {
    static const char *const casts[] = {"(ulong)(uchar)",     "(ulong)(ushort)",      "(ulong)(uint)",
                                        "(ulong)(long)(int)", "(ulong)(long)(short)", "(ulong)(long)(char)"};
    printf("(");
    if (!depth || !below(6)) {
        const unsigned v = below(9);
        if (v < 7)
            printf("(ulong)v%u", v);
        else if (v == 7)
            printf("%uul", below(1000));
        else
            printf("0x%x%08xul", (unsigned)below(1u << 16), below(1u << 31));
    } else if (calls_now())
        printf("(ulong)(long)whole((double)"), call(), printf(")");
    else
        switch (below(14)) {
        case 0: integer(depth - 1), printf(" + "), integer(depth - 1); break;
        case 1: integer(depth - 1), printf(" - "), integer(depth - 1); break;
        case 2: integer(depth - 1), printf(" * "), integer(depth - 1); break;
        case 3: integer(depth - 1), printf(" & "), integer(depth - 1); break;
        case 4: integer(depth - 1), printf(" | "), integer(depth - 1); break;
        case 5: integer(depth - 1), printf(" ^ "), integer(depth - 1); break;
        case 6: integer(depth - 1), printf(" << ("), integer(depth - 1), printf(" & 63)"); break;
        case 7: integer(depth - 1), printf(" >> ("), integer(depth - 1), printf(" & 63)"); break;
        case 8:
            printf("(ulong)(((int)"), integer(depth - 1), printf(") >> ("), integer(depth - 1),
                printf(" & 31))");
            break;
        case 9:
            printf("(ulong)((uint)"), integer(depth - 1), printf(" / ((uint)"), integer(depth - 1),
                printf(" | 1u))");
            break;
        case 10: integer(depth - 1), printf(" %% ("), integer(depth - 1), printf(" | 1ul)"); break;
        case 11:
            condition(depth), printf(" ? "), integer(depth - 1), printf(" : "), integer(depth - 1);
            break;
        case 12: printf("%s", casts[below(6)]), integer(depth - 1); break;
        default: printf("(ulong)(long)whole("), real(depth - 1), printf(")");
        }
    printf(")");
}

static void real(unsigned depth) {
    printf("(");
    if (!depth || !below(5)) {
        if (below(3))
            printf("v%u", 7 + below(2));
        else
            printf("%u.5f", below(9));
    } else
        switch (below(8)) {
        case 0: real(depth - 1), printf(" + "), real(depth - 1); break;
        case 1: real(depth - 1), printf(" - "), real(depth - 1); break;
        case 2: real(depth - 1), printf(" * "), real(depth - 1); break;
        case 3:
            printf("(float)("), real(depth - 1), printf(") / (float)("), real(depth - 1), printf(")");
            break;
        case 4: printf("(float)(int)"), integer(depth - 1); break;
        case 5: printf("(double)(long)"), integer(depth - 1); break;
        case 6: condition(depth), printf(" ? "), real(depth - 1), printf(" : "), real(depth - 1); break;
        default: printf("-"), real(depth - 1);
        }
    printf(")");
}

static void indent(unsigned depth) {
    for (unsigned n = 0; n <= depth; n++) printf("    ");
}

static void statements(unsigned count, unsigned depth, int in_loop);

static void statement(unsigned depth, int in_loop) {
    const unsigned kind = depth < MOST_DEPTH ? below(10) : below(5);
    indent(depth);
    if (kind < 5) {
        const unsigned v = below(VARIABLES);
        printf("v%u = (%s)", v, types[v]);
        if (v >= 7)
            real(3);
        else
            integer(3);
        printf(";\n");
    } else if (kind < 7) {
        printf("if "), condition(3), printf(" {\n");
        statements(2, depth + 1, in_loop);
        if (below(2)) indent(depth), printf("} else {\n"), statements(2, depth + 1, in_loop);
        indent(depth), printf("}\n");
    } else if (kind == 7) {
        const unsigned l = loops++;
        printf("for (uint l%u = 0, e%u = ", l, l);
        if (below(2))
            printf("%u", 1 + below(5));
        else
            printf("(uint)"), integer(2), printf(" %% %uu", 2 + below(6));
        printf("; l%u < e%u; l%u++) {\n", l, l, l);
        indent(depth + 1), printf("v%u ^= l%u;\n", below(7), l);
        statements(2, depth + 1, 1);
        indent(depth), printf("}\n");
    } else if (kind == 8) {
        printf("switch ((uint)"), integer(2), printf(" & 7) {\n");
        for (unsigned n = 0, cases = 1 + below(4); n < cases; n++) {
            indent(depth), printf("case %u:\n", n * 2);
            statement(depth + 1, 0);
            if (below(3)) indent(depth + 1), printf("break;\n");
        }
        indent(depth), printf("default: v%u++;\n", 2 + below(3));
        indent(depth), printf("}\n");
    } else if (in_loop)
        printf("if "), condition(2), printf(below(2) ? " break;\n" : " continue;\n");
    else
        printf("v%u++;\n", 2 + below(3));
}

static void statements(unsigned count, unsigned depth, int in_loop) {
    for (unsigned n = 0, all = 1 + below(count + 1); n < all; n++) statement(depth, in_loop);
}

static const char *const sum =
    "v0 + 3 * (ulong)v1 + 5 * (ulong)v2 + 7 * (ulong)v3 + 11 * v4 + 13 * (ulong)(long)v5 + 17 * "
    "(ulong)(long)v6 + 19 * bits_of(v7) + 23 * bits_of(v8)";

static void function(unsigned f) {
    const unsigned result = below(VARIABLES);
    loops = 0, calls_left = 2;
    more_arguments[f] = below(3) ? below(5) : below(24);
    printf("FUNCTION %s f%u(", types[result], f);
    for (unsigned n = 0; n < VARIABLES + more_arguments[f]; n++)
        printf(n < VARIABLES ? "%s%s a%u" : "%s%s x%u", n ? ", " : "", types[(n + f) % VARIABLES], n);
    printf(") {\n");
    for (unsigned v = 0; v < VARIABLES; v++)
        printf("    %s v%u = a%u;\n", types[v], v, (v + VARIABLES - f % VARIABLES) % VARIABLES);
    for (unsigned n = VARIABLES; n < VARIABLES + more_arguments[f]; n++)
        printf("    v4 = v4 * 3 + (ulong)(long)whole((double)x%u);\n", n);
    statements(3, 0, 0);
    printf(result < 7 ? "    return (%s)(%s);\n}\n" : "    return (%s)(short)(%s);\n}\n", types[result], sum);
}

int main(int argc, char **argv) {
    const unsigned kernels = argc >= 3 ? (unsigned)atoi(argv[1]) : 0;
    const unsigned all_functions = argc == 4 ? (unsigned)atoi(argv[3]) % MOST_FUNCTIONS : 0;
    if (!kernels) return 2;
    state = 88172645463325252u + 7919u * strtoul(argv[2], NULL, 0);
    for (unsigned n = 0; n < 20; n++) below(2);
    printf("#ifdef __OPENCL_C_VERSION__\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
           "#define KERNEL(n) __kernel void r##n(__global ulong *out, __global const ulong *in) { \\\n"
           "    uint i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();\n"
           "#define FUNCTION static __attribute__((noinline))\n"
           "#else\n#include <stddef.h>\n#define FUNCTION static\n#endif\n"
           "typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned uint; typedef "
           "unsigned long ulong;\n"
           "#ifndef __OPENCL_C_VERSION__\n#define KERNEL(n) void r##n(ulong *out, const ulong *in, size_t i) "
           "{\n#endif\n"
           "// A whole number that fits.\nstatic inline long whole(double x) { return x > -1e15 && x < 1e15 "
           "? (long)x : 77; }\n"
           "static inline ulong bits_of(double x) { union { double d; ulong u; } b; b.d = x; return x != x ? "
           "5 : b.u; }\n");
    for (; functions < all_functions; functions++) function(functions);
    for (unsigned k = 0; k < kernels; k++) {
        loops = 0, calls_left = 3;
        printf("KERNEL(%u)\n    ulong a = in[i], b = in[i + 256];\n", k);
        for (unsigned v = 0; v < VARIABLES; v++)
            printf(v < 7 ? "    %s v%u = (%s)(%s >> %u);\n" : "    %s v%u = (%s)(short)(%s >> %u);\n",
                   types[v], v, types[v], v & 1 ? "a" : "b", 3 * v);
        statements(6, 0, 0);
        printf("    out[i] = %s;\n}\n", sum);
    }
    printf("#ifndef __OPENCL_C_VERSION__\n#include <stdio.h>\n#include <stdlib.h>\nstatic void (*const "
           "all[])(ulong *, const ulong *, size_t) = {");
    for (unsigned k = 0; k < kernels; k++) printf("r%u, ", k);
    printf(
        "};\nint main(void) {\n    static ulong in[512], out[256];\n    ulong s = %uul * 2654435761u + 1;\n"
        "    for (int i = 0; i < 512; i++) s = s * 6364136223846793005u + 1442695040888963407u, in[i] = i %% "
        "7 ? s >> (s >> 58) : s >> 60;\n"
        "    FILE *f = fopen(\"in\", \"wb\");\n    fwrite(in, sizeof in, 1, f), fclose(f);\n"
        "    for (int k = 0; k < %u; k++) {\n        char name[32];\n        for (int i = 0; i < 256; i++) "
        "all[k](out, in, i);\n"
        "        sprintf(name, \"r%%d.cpu\", k);\n        f = fopen(name, \"wb\"), fwrite(out, sizeof out, "
        "1, f), fclose(f);\n    }\n}\n#endif\n",
        (unsigned)strtoul(argv[2], NULL, 0), kernels);
    return 0;
}
