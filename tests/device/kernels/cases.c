// SPDX-License-Identifier: MIT
// Reads the table of kernels, fills their buffers, runs them on the host, and compares.
#include "cases.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

static const struct {
    char name[4];
    unsigned size;
} types[TYPES] = {{"u8", 1},  {"i8", 1},  {"u16", 2}, {"i16", 2}, {"u32", 4}, {"i32", 4},
                  {"u64", 8}, {"i64", 8}, {"f16", 2}, {"f32", 4}, {"f64", 8}};

static bool is_float(enum type t) { return t >= F16; }

static uint64_t random_bits(uint64_t *s) {
    uint64_t z = *s += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static void store(enum type t, double real, uint64_t integer, void *out) {
    if (t == F64)
        memcpy(out, &real, 8);
    else if (t == F32)
        memcpy(out, &(float){(float)real}, 4);
    else if (t == F16)
        memcpy(out, &(_Float16){(_Float16)real}, 2);
    else
        memcpy(out, &integer, types[t].size);
}

// Numbers at which operations change their behaviour, as bits of each type.
static const uint16_t special16[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x8400, 0x3c00,
                                     0xbc00, 0x3800, 0xb800, 0x3e00, 0xbe00, 0x4000, 0x4248, 0x7bff,
                                     0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7d01, 0x5bf8, 0xd7ff};
static const uint32_t special32[] = {0,          0x80000000, 1,          0x80000001, 0x7fffff,   0x800000,
                                     0x80800000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3fc00000,
                                     0xbfc00000, 0x40200000, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x5f000000,
                                     0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
                                     0x7f800001, 0x42ff0000, 0x437f8000, 0x40490fdb};
static const uint64_t special64[] = {0,
                                     0x8000000000000000,
                                     1,
                                     0x8000000000000001,
                                     0xfffffffffffff,
                                     0x10000000000000,
                                     0x3ff0000000000000,
                                     0xbff0000000000000,
                                     0x3fe0000000000000,
                                     0xbfe0000000000000,
                                     0x3ff8000000000000,
                                     0x4004000000000000,
                                     0x41e0000000000000,
                                     0xc1e0000000200000,
                                     0x41efffffffe00000,
                                     0x43e0000000000000,
                                     0x7fefffffffffffff,
                                     0xffefffffffffffff,
                                     0x7ff0000000000000,
                                     0xfff0000000000000,
                                     0x7ff8000000000000,
                                     0xfff8000000000001,
                                     0x7ff0000000000001,
                                     0x400921fb54442d18,
                                     0x36a0000000000000,
                                     0x380fffffe0000000,
                                     0x3f0ffffff0000000};
static const uint64_t special_int[] = {0,
                                       1,
                                       2,
                                       3,
                                       7,
                                       0x7f,
                                       0x80,
                                       0xff,
                                       0x100,
                                       0x7fff,
                                       0x8000,
                                       0xffff,
                                       0x10000,
                                       0xffffff,
                                       0x1000000,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       0x100000000,
                                       0x7fffffffffffffff,
                                       0x8000000000000000,
                                       0xffffffffffffffff,
                                       0xfffffffffffffffe,
                                       0xaaaaaaaaaaaaaaaa};

static uint64_t special(enum type t, uint64_t i) {
#define OF(a) a[i % (sizeof a / sizeof *a)]
    return t == F16 ? OF(special16) : t == F32 ? OF(special32) : t == F64 ? OF(special64) : OF(special_int);
#undef OF
}

static bool fill(struct buffer *b, const char *how) {
    size_t step = types[b->type].size, n = b->size / step;
    const char *colon = strchr(how, ':');
    uint64_t s = colon ? strtoull(colon + 1, NULL, 0) : 1;
#define IS(word) (!strncmp(how, word, strlen(word)))
    if (IS("none")) return true;
    for (size_t i = 0; i < n; i++) {
        uint8_t *p = b->initial + i * step;
        if (IS("iota"))
            store(b->type, (double)i, i, p);
        else if (IS("rand")) {
            uint64_t r = random_bits(&s);
            store(b->type, (double)(int64_t)r * 0x1p-63, r, p);
        } else if (IS("small")) {
            uint64_t r = random_bits(&s) >> 60;
            store(b->type, (double)r, r, p);
        } else if (IS("bits")) {
            // one in four is a special value, so that every pair of them meets in a long buffer
            uint64_t r = random_bits(&s);
            if (r >> 62 == 0)
                r = special(b->type, r >> 8);
            else if (r >> 62 == 1)
                r = is_float(b->type) ? random_bits(&s)
                                      : (uint64_t)((int64_t)random_bits(&s) >> (r >> 2 & 63));
            memcpy(p, &r, step);
        } else if (IS("special")) {
            uint64_t count = 0, r;
            while (++count && special(b->type, count) != special(b->type, 0)) {}
            r = special(b->type, s ? i / count : i);
            memcpy(p, &r, step);
        } else if (IS("range")) { // range:LOW:HIGH[:SEED], uniform
            char *end;
            double low = strtod(colon + 1, &end), high = *end ? strtod(end + 1, &end) : 1;
            if (!i) s = *end ? strtoull(end + 1, NULL, 0) : 99;
            double x = low + (high - low) * (double)(random_bits(&s) >> 11) * 0x1p-53;
            store(b->type, x, (uint64_t)(int64_t)x, p);
        } else
            return false;
    }
    return true;
#undef IS
}

static bool parse_compare(const char *s, enum compare *how, double *limit) {
    *limit = 0;
    if (!strncmp(s, "exact", 5)) return *how = COMPARE_EXACT, true;
    if (!strncmp(s, "emitted", 7)) return *how = COMPARE_EMITTED, true;
    if (!strncmp(s, "ulp:", 4)) return *how = COMPARE_ULP, *limit = strtod(s + 4, NULL), true;
    if (!strncmp(s, "pixels:", 7)) return *how = COMPARE_PIXELS, *limit = strtod(s + 7, NULL), true;
    return false;
}

static void parse_dims(const char *s, uint32_t out[3]) {
    out[0] = out[1] = out[2] = 1;
    sscanf(s, "%u,%u,%u", &out[0], &out[1], &out[2]);
}

static bool parse_argument(const char *s, struct argument *a) {
    if (!strncmp(s, "lds:", 4))
        return a->kind = ARGUMENT_LDS, a->size = (uint32_t)strtoul(s + 4, NULL, 0), true;
    size_t n = strcspn(s, "*=");
    for (a->type = 0; a->type < TYPES; a->type++)
        if (strlen(types[a->type].name) == n && !memcmp(s, types[a->type].name, n)) break;
    if (a->type == TYPES) return false;
    if (s[n] == '=') {
        a->kind = ARGUMENT_VALUE;
        store(a->type, is_float(a->type) ? strtod(s + n + 1, NULL) : 0,
              is_float(a->type) ? 0 : strtoull(s + n + 1, NULL, 0), a->value);
        return true;
    }
    char *end;
    a->kind = ARGUMENT_BUFFER;
    a->buffer.type = a->type;
    a->buffer.size = strtoull(s + n + 1, &end, 0) * types[a->type].size;
    a->buffer.initial = calloc(1, a->buffer.size + 16);
    return *end == '=' && a->buffer.initial && fill(&a->buffer, end + 1);
}

static void *find_reference(const char *references, const char *file, const char *variant,
                            const char *kernel) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s.%s.so", references, file, variant);
    void *so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!so && !access(path, R_OK)) fprintf(stderr, "%s\n", dlerror());
    return so ? dlsym(so, kernel) : NULL;
}

bool tests_read(struct tests *out, const char *path, const char *references) {
    FILE *f = fopen(path, "r");
    if (!f) return perror(path), false;
    *out = (struct tests){0};
    char line[1000];
    for (unsigned number = 1; fgets(line, sizeof line, f); number++) {
        char *save, *word[6 + CASE_ARGUMENTS];
        unsigned n = 0;
        for (char *w = strtok_r(line, " \t\n", &save); w && n < 5 + CASE_ARGUMENTS;
             w = strtok_r(NULL, " \t\n", &save))
            word[n++] = w;
        if (!n || *word[0] == '#') continue;
        out->items = realloc(out->items, (out->count + 1) * sizeof *out->items);
        struct test *t = &out->items[out->count++];
        *t = (struct test){0};
        bool ok = n > 5;
        if (ok) {
            snprintf(t->file, sizeof t->file, "%s", word[0]);
            snprintf(t->kernel, sizeof t->kernel, "%s", word[1]);
            parse_dims(word[2], t->grid);
            parse_dims(word[3], t->block);
            t->together = strstr(word[4], "+together") != NULL;
            const char *stack = strstr(word[4], "+stack:");
            t->stack = stack ? (uint32_t)strtoul(stack + 7, NULL, 0) : 0;
            char *slash = strchr(word[4], '/');
            ok = parse_compare(word[4], &t->strict.how, &t->strict.limit) &&
                 parse_compare(slash ? slash + 1 : word[4], &t->defaults.how, &t->defaults.limit);
        }
        for (unsigned i = 5; ok && i < n; i++) {
            ok = parse_argument(word[i], &t->arguments[t->argument_count++]);
            if (!ok) fprintf(stderr, "%s:%u: error: bad argument '%s'\n", path, number, word[i]);
        }
        if (!ok) return fprintf(stderr, "%s:%u: error: bad line\n", path, number), fclose(f), false;
        t->reference[0] = (void (*)(void))find_reference(references, t->file, "strict", t->kernel);
        t->reference[1] = (void (*)(void))find_reference(references, t->file, "fused", t->kernel);
    }
    fclose(f);
    return true;
}

// ---- On the host ----

static bool compute(struct test *t, bool wave64, bool fused) {
    if (t->computed[wave64][fused]) return true;
    struct host_call c = {.kernel = t->reference[fused], .wave = wave64 ? 64 : 32};
    memcpy(c.grid, t->grid, sizeof c.grid);
    memcpy(c.block, t->block, sizeof c.block);
    unsigned integers = 0, reals = 0;
    static char lds[1 << 16];
    uint64_t used = 0;
    for (unsigned i = 0; i < t->argument_count; i++) {
        struct argument *a = &t->arguments[i];
        if (a->kind == ARGUMENT_BUFFER) {
            uint8_t *p = malloc(a->buffer.size + 16);
            memcpy(p, a->buffer.initial, a->buffer.size);
            a->buffer.expected[wave64][fused] = p;
            c.integers[integers++] = (uint64_t)(uintptr_t)p;
        } else if (a->kind == ARGUMENT_LDS) {
            c.integers[integers++] = (uint64_t)(uintptr_t)(lds + used);
            used += (a->size + 15) & ~15u;
        } else if (is_float(a->type))
            memcpy(&c.reals[reals++], a->value, 8);
        else {
            int64_t v = 0;
            memcpy(&v, a->value, 8);
            unsigned unused = 64 - 8 * types[a->type].size;
            if (a->type == I8 || a->type == I16 || a->type == I32)
                v = (int64_t)((uint64_t)v << unused) >> unused;
            c.integers[integers++] = (uint64_t)v;
        }
    }
    t->computed[wave64][fused] = true;
    return host_run(&c, t->together) == 0;
}

static int64_t ordered(enum type t, const uint8_t *p) {
    int64_t v = 0;
    memcpy(&v, p, types[t].size);
    unsigned unused = 64 - 8 * types[t].size;
    v = (int64_t)((uint64_t)v << unused) >> unused;
    return v < 0 ? -(v & INT64_MAX >> unused) : v; // sign and magnitude
}

static double real(enum type t, const uint8_t *p) {
    if (t == F64) return *(const double *)p;
    if (t == F32) return (double)*(const float *)p;
    return (double)*(const _Float16 *)p;
}

// Distance in ULP; integers: 0 or infinity.
static double distance(enum type t, const uint8_t *a, const uint8_t *b) {
    if (!is_float(t)) return memcmp(a, b, types[t].size) ? INFINITY : 0;
    double x = real(t, a), y = real(t, b);
    if (isnan(x) || isnan(y)) return isnan(x) && isnan(y) ? 0 : INFINITY;
    if (isinf(x) != isinf(y) && fabs(x) > 1 && fabs(y) > 1) return 1;
    return fabs((double)(ordered(t, a) - ordered(t, b)));
}

static bool same(enum type t, const uint8_t *a, const uint8_t *b) {
    if (!memcmp(a, b, types[t].size)) return true;
    return is_float(t) && isnan(real(t, a)) && isnan(real(t, b));
}

static void print_value(char *out, size_t n, enum type t, const uint8_t *p) {
    uint64_t v = 0;
    memcpy(&v, p, types[t].size);
    if (is_float(t))
        snprintf(out, n, "%.17g (0x%llx)", real(t, p), (unsigned long long)v);
    else
        snprintf(out, n, "0x%llx", (unsigned long long)v);
}

static const char *compare_with(struct test *t, void *const memory[], bool wave64, bool fused, bool defaults,
                                char *why, size_t capacity) {
    if (!t->reference[fused]) return "the host has no such kernel";
    if (!compute(t, wave64, fused)) return "the host cannot run this kernel";
    enum compare how = defaults ? t->defaults.how : t->strict.how;
    double limit = defaults ? t->defaults.limit : t->strict.limit;
    for (unsigned i = 0; i < t->argument_count; i++) {
        const struct argument *a = &t->arguments[i];
        if (a->kind != ARGUMENT_BUFFER) continue;
        const uint8_t *got = memory[i], *want = a->buffer.expected[wave64][fused];
        size_t step = types[a->type].size, n = a->buffer.size / step, wrong = 0, first = 0;
        double worst = 0;
        for (size_t j = 0; j < n; j++) {
            const uint8_t *g = got + j * step, *w = want + j * step;
            bool bad = !same(a->type, g, w);
            if (bad && how == COMPARE_ULP) {
                double far = distance(a->type, g, w);
                if (far > worst) worst = far;
                bad = far > limit;
            }
            if (bad && !wrong++) first = j;
        }
        if (how == COMPARE_PIXELS && (double)wrong * 100 <= limit * (double)n) continue;
        if (!wrong) continue;
        char x[64], y[64];
        print_value(x, sizeof x, a->type, got + first * step);
        print_value(y, sizeof y, a->type, want + first * step);
        snprintf(why, capacity,
                 "%zu of %zu values of argument %u differ, worst %g ulp; [%zu] is %s, expected %s", wrong, n,
                 i, worst, first, x, y);
        return why;
    }
    return NULL;
}

const char *test_compare(struct test *t, void *const memory[CASE_ARGUMENTS], unsigned wave, bool defaults,
                         char *why, size_t capacity) {
    bool wave64 = wave == 64;
    const char *bad = compare_with(t, memory, wave64, false, defaults, why, capacity);
    // By default clang lets a*b+c be fused; which targets do so is theirs to choose.
    if (bad && defaults && t->reference[1] && !compare_with(t, memory, wave64, true, defaults, why, capacity))
        return NULL;
    return bad;
}
