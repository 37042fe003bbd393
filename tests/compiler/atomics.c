// SPDX-License-Identifier: MIT
// For memory.sh: every atomic operation on every type. `atomics ll` prints kernels TYPE_SPACE as LLVM IR;
// `atomics data` writes inputs (TYPE.a, TYPE.b) and what the kernels are to leave behind (TYPE.cpu), computed
// here. Item i does each operation on a slot of its own; the result is the old value, then the new one, by
// operation and item.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ITEMS = 64, MOST = 17 };
enum { INT, FLOAT, CMPXCHG };
static const struct {
    const char *name;
    int on;
} kinds[] = {{"xchg", INT},      {"add", INT},        {"sub", INT},       {"and", INT},
             {"nand", INT},      {"or", INT},         {"xor", INT},       {"max", INT},
             {"min", INT},       {"umax", INT},       {"umin", INT},      {"uinc_wrap", INT},
             {"udec_wrap", INT}, {"usub_cond", INT},  {"usub_sat", INT},  {"cmpxchg", CMPXCHG},
             {"xchg", FLOAT},    {"fadd", FLOAT},     {"fsub", FLOAT},    {"fmax", FLOAT},
             {"fmin", FLOAT},    {"fmaximum", FLOAT}, {"fminimum", FLOAT}};
static const struct {
    const char *name;
    unsigned bytes;
    int floats;
} types[] = {{"i8", 1, 0}, {"i16", 2, 0}, {"i32", 4, 0}, {"i64", 8, 0}, {"float", 4, 1}, {"double", 8, 1}};
enum { KINDS = sizeof kinds / sizeof *kinds, TYPES = sizeof types / sizeof *types };
static int applies(int kind, int type) { return (kinds[kind].on == FLOAT) == types[type].floats; }

// ---- Kernels ----

static void kernel(int t, const char *space) {
    static const char *const orders[] = {"monotonic", "acquire", "release", "acq_rel", "seq_cst"};
    static const char *const scopes[] = {"agent", "workgroup", "", "wavefront", "singlethread"};
    const char *type = types[t].name;
    const unsigned bytes = types[t].bytes;
    const int local = !strcmp(space, "local"), flat = !strcmp(space, "flat"),
              coarse = !strcmp(space, "coarse");
    unsigned slot = 0;
    if (local || flat)
        printf("@%s_%s_l = internal addrspace(3) global [%d x %s] poison, align %u\n", type, space,
               MOST * ITEMS, type, bytes);
    printf("define amdgpu_kernel void @%s_%s(ptr addrspace(1) %%o, ptr addrspace(1) %%a, ptr addrspace(1) "
           "%%b) #0 {\n"
           "  %%id = call i32 @llvm.amdgcn.workitem.id.x()\n  %%odd = and i32 %%id, 1\n  %%is = icmp eq i32 "
           "%%odd, 0\n",
           type, space);
    for (int k = 0; k < KINDS; k++) {
        char pointer[64];
        if (!applies(k, t)) continue;
        const unsigned n = slot++;
        printf("  %%s%u = add i32 %%id, %u\n  %%d%u = add i32 %%id, %u\n  %%e%u = add i32 %%id, %u\n", n,
               n * ITEMS, n, 2 * n * ITEMS, n, (2 * n + 1) * ITEMS);
        printf("  %%a%u = getelementptr %s, ptr addrspace(1) %%a, i32 %%s%u\n  %%b%u = getelementptr %s, ptr "
               "addrspace(1) %%b, i32 %%s%u\n",
               n, type, n, n, type, n);
        printf("  %%v%u = load %s, ptr addrspace(1) %%b%u, align %u\n  %%x%u = load %s, ptr addrspace(1) "
               "%%a%u, align %u\n",
               n, type, n, bytes, n, type, n, bytes);
        if (local || flat)
            printf("  %%l%u = getelementptr %s, ptr addrspace(3) @%s_%s_l, i32 %%s%u\n  store %s %%x%u, ptr "
                   "addrspace(3) %%l%u, align %u\n",
                   n, type, type, space, n, type, n, n, bytes);
        if (flat)
            printf("  %%f%u = addrspacecast ptr addrspace(3) %%l%u to ptr\n  %%g%u = addrspacecast ptr "
                   "addrspace(1) %%a%u to ptr\n"
                   "  %%p%u = select i1 %%is, ptr %%f%u, ptr %%g%u\n",
                   n, n, n, n, n, n, n);
        snprintf(pointer, sizeof pointer,
                 local  ? "ptr addrspace(3) %%l%u"
                 : flat ? "ptr %%p%u"
                        : "ptr addrspace(1) %%a%u",
                 n);
        char scope[64] = "";
        if (*scopes[n % 5]) snprintf(scope, sizeof scope, "syncscope(\"%s\") ", scopes[n % 5]);
        const char *order = orders[(n + t) % 5];
        if (kinds[k].on == CMPXCHG)
            printf("  %%w%u = select i1 %%is, %s %%x%u, %s %%v%u\n  %%c%u = cmpxchg %s, %s %%w%u, %s %%v%u "
                   "%s%s monotonic\n"
                   "  %%r%u = extractvalue {%s, i1} %%c%u, 0\n",
                   n, type, n, type, n, n, pointer, type, n, type, n, scope, order, n, type, n);
        else
            printf("  %%r%u = atomicrmw %s %s, %s %%v%u %s%s%s\n", n, kinds[k].name, pointer, type, n, scope,
                   order, coarse ? ", !amdgpu.no.fine.grained.memory !0, !amdgpu.no.remote.memory !0" : "");
        printf("  %%n%u = load %s, %s, align %u\n", n, type, pointer, bytes);
        printf("  %%do%u = getelementptr %s, ptr addrspace(1) %%o, i32 %%d%u\n  store %s %%r%u, ptr "
               "addrspace(1) %%do%u, align %u\n",
               n, type, n, type, n, n, bytes);
        printf("  %%eo%u = getelementptr %s, ptr addrspace(1) %%o, i32 %%e%u\n  store %s %%n%u, ptr "
               "addrspace(1) %%eo%u, align %u\n",
               n, type, n, type, n, n, bytes);
    }
    puts("  ret void\n}");
}

// ---- Data ----

static uint64_t state = 1;
static uint64_t number(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 16;
}

static uint64_t integer(const char *name, uint64_t x, uint64_t v, unsigned bytes) {
    const unsigned up = 64 - 8 * bytes;
    const uint64_t mask = ~(uint64_t)0 >> up;
    const int64_t sx = (int64_t)(x << up) >> up, sv = (int64_t)(v << up) >> up;
    if (!strcmp(name, "xchg")) return v;
    if (!strcmp(name, "add")) return (x + v) & mask;
    if (!strcmp(name, "sub")) return (x - v) & mask;
    if (!strcmp(name, "and")) return x & v;
    if (!strcmp(name, "nand")) return ~(x & v) & mask;
    if (!strcmp(name, "or")) return x | v;
    if (!strcmp(name, "xor")) return x ^ v;
    if (!strcmp(name, "max")) return sx > sv ? x : v;
    if (!strcmp(name, "min")) return sx < sv ? x : v;
    if (!strcmp(name, "umax")) return x > v ? x : v;
    if (!strcmp(name, "umin")) return x < v ? x : v;
    if (!strcmp(name, "uinc_wrap")) return x >= v ? 0 : x + 1;
    if (!strcmp(name, "udec_wrap")) return x == 0 || x > v ? v : x - 1;
    if (!strcmp(name, "usub_cond")) return x >= v ? x - v : x;
    return x >= v ? x - v : 0;
}
static double real(const char *name, double x, double v) {
    if (!strcmp(name, "xchg")) return v;
    if (!strcmp(name, "fadd")) return x + v;
    if (!strcmp(name, "fsub")) return x - v;
    return strstr(name, "max") ? (x > v ? x : v) : x < v ? x : v;
}

static void put(uint8_t *at, int t, uint64_t bits, double value) {
    const float single = (float)value;
    if (!types[t].floats)
        memcpy(at, &bits, types[t].bytes);
    else if (types[t].bytes == 4)
        memcpy(at, &single, 4);
    else
        memcpy(at, &value, 8);
}
static void write(const char *type, const char *what, const void *data, size_t size) {
    char name[64];
    snprintf(name, sizeof name, "%s.%s", type, what);
    FILE *f = fopen(name, "wb");
    if (f) fwrite(data, 1, size, f), fclose(f);
}

static void data(int t) {
    static uint8_t a[MOST * ITEMS * 8], b[MOST * ITEMS * 8], out[2 * MOST * ITEMS * 8];
    const unsigned bytes = types[t].bytes;
    unsigned slot = 0;
    memset(out, 0, sizeof out);
    for (int k = 0; k < KINDS; k++) {
        if (!applies(k, t)) continue;
        const unsigned n = slot++;
        for (unsigned i = 0; i < ITEMS; i++) {
            const uint64_t mask = ~(uint64_t)0 >> (64 - 8 * bytes);
            // Often equal, or small: wrapping is tried.
            const uint64_t x = (i % 5 == 0 ? number() % 3 : number() << 16 ^ number()) & mask;
            const uint64_t v =
                i % 7 == 0 ? x : (i % 5 == 1 ? number() % 3 : number() << 16 ^ number()) & mask;
            const double fx = (double)((int)(number() % 4000) - 2000) / 8,
                         fv = (double)((int)(number() % 4000) - 2000) / 8;
            const int exchanged = i % 2 == 0 || x == v;
            put(a + (n * ITEMS + i) * bytes, t, x, fx);
            put(b + (n * ITEMS + i) * bytes, t, v, fv);
            put(out + (2 * n * ITEMS + i) * bytes, t, x, fx);
            put(out + ((2 * n + 1) * ITEMS + i) * bytes, t,
                kinds[k].on == CMPXCHG ? (exchanged ? v : x) : integer(kinds[k].name, x, v, bytes),
                real(kinds[k].name, fx, fv));
        }
    }
    write(types[t].name, "a", a, slot * ITEMS * bytes);
    write(types[t].name, "b", b, slot * ITEMS * bytes);
    write(types[t].name, "cpu", out, 2 * slot * ITEMS * bytes);
}

int main(int count, char **arguments) {
    static const char *const spaces[] = {"global", "coarse", "local", "flat"};
    if (count < 2) return 1;
    for (int t = 0; t < (int)TYPES; t++)
        if (!strcmp(arguments[1], "data"))
            data(t);
        else
            for (int s = 0; s < 4; s++) kernel(t, spaces[s]);
    if (strcmp(arguments[1], "data"))
        puts("attributes #0 = { \"amdgpu-flat-work-group-size\"=\"1,64\" }\ndeclare i32 "
             "@llvm.amdgcn.workitem.id.x()\n!0 = !{}");
    return 0;
}
