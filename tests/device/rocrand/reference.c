// SPDX-License-Identifier: MIT
// The sequences that rocRAND's kernels must give, computed on the host from the published generators:
// Marsaglia's xorwow, L'Ecuyer's MRG32k3a, Salmon's Philox4x32-10, Saito's MTGP32 and Sobol's sequences with
// the direction numbers of Joe and Kuo. What is rocRAND's own is the seeding, which thread gives which
// element, and how integers become reals. usage: reference DIRECTORY [mad]; writes there one file for every
// buffer that rocrand.sh compares, and the inputs that the kernels take from memory. With a further argument,
// for a GPU whose multiply-add is not fused.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENGINES = 1024, COUNT = 5003, MOST = 16 }; // COUNT is no multiple of anything: the kernels have tails
enum { START = 3 };                               // the first thread takes this engine
static const char *directory;
static int fused; // a GPU without a fast FMA rounds the product first

static void save(const char *generator, const char *what, const void *data, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", directory, generator, what);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f)) {
        perror(path);
        exit(2);
    }
}

// ---- Distributions: `in` numbers become `out` values ----

static float uniform_float(uint32_t v) { return fmaf((float)v, 0x1p-32f, 0x1p-32f); }
static double uniform_double(uint64_t v) { return fma((double)v, 0x1p-53, 0x1p-53); }
static _Float16 uniform_half(uint16_t v) { return (_Float16)fmaf(v, 1.5258789e-05f, 1.5258789e-05f); }

// sin and cos of the GPU take turns, not radians.
static void turn(float radians, float *sine, float *cosine) {
    double turns = radians * 0.15915494f;
    *sine = (float)sin(turns * 2 * M_PI), *cosine = (float)cos(turns * 2 * M_PI);
}

static void box_muller(float u, float v, float out[2]) {
    float s = sqrtf(-2.0f * (float)log(u));
    turn(v, &out[0], &out[1]);
    out[0] *= s, out[1] *= s;
}

static void box_muller_double(double u, double half_turns, double out[2]) {
    double s = sqrt(-2.0 * log(u)), k = nearbyint(half_turns), r = half_turns - k,
           sign = fmod(k, 2) != 0 ? -s : s;
    out[0] = sin(r * M_PI) * sign, out[1] = sin((0.5 - fabs(r)) * M_PI) * sign;
}

static void as_uint(const uint32_t *in, void *out) { memcpy(out, in, 4); }
static void as_float(const uint32_t *in, void *out) { *(float *)out = uniform_float(in[0]); }
static void as_double(const uint32_t *in, void *out) {
    *(double *)out = uniform_double(in[0] | (uint64_t)(in[1] >> 11) << 32);
}
static void as_half(const uint32_t *in, void *out) {
    _Float16 *h = out;
    h[0] = uniform_half((uint16_t)in[0]), h[1] = uniform_half((uint16_t)(in[0] >> 16));
}
static void as_normal(const uint32_t *in, void *out) {
    static const float scale = 2.3283064e-10f * 6.2831855f;
    float v = (float)in[1];
    box_muller(uniform_float(in[0]), fused ? fmaf(v, scale, scale) : v * scale + scale, out);
}
static void as_normal_double(const uint32_t *in, void *out) {
    uint64_t a = in[0] ^ (uint64_t)in[1] << 21, b = in[2] ^ (uint64_t)in[3] << 21;
    box_muller_double(uniform_double(a), fma((double)b, 0x1p-52, 0x1p-52), out);
}

// The sine is no number: the device library of that release (sinH) takes the NaN where the angle is finite.
static void as_normal_half(const uint32_t *in, void *out) {
    static const float scale = 1.5258789e-05f * 6.2831855f;
    float x = (uint16_t)(in[0] >> 16), v = (_Float16)(fused ? fmaf(x, scale, scale) : x * scale + scale);
    _Float16 s = (_Float16)sqrtf((_Float16)(-2 * (_Float16)logf(uniform_half((uint16_t)in[0]))));
    _Float16 *h = out;
    h[0] = (_Float16)NAN, h[1] = (_Float16)cos(v) * s;
}
static void exp_of_floats(float *v) { v[0] = (float)exp(v[0]), v[1] = (float)exp(v[1]); }
static void exp_of_doubles(double *v) { v[0] = exp(v[0]), v[1] = exp(v[1]); }
static void exp_of_halves(_Float16 *v) { v[0] = (_Float16)exp(v[0]), v[1] = (_Float16)exp(v[1]); }
static void as_log_normal(const uint32_t *in, void *out) { as_normal(in, out), exp_of_floats(out); }
static void as_log_normal_double(const uint32_t *in, void *out) {
    as_normal_double(in, out), exp_of_doubles(out);
}
static void as_log_normal_half(const uint32_t *in, void *out) { as_normal_half(in, out), exp_of_halves(out); }

// A Poisson distribution cut to what is likely, as Walker's aliases (for one comparison a value) and
// cumulated (for a binary search).
enum { LIKELY = 61, FIRST = 4 };
static uint32_t alias[LIKELY];
static double threshold[LIKELY], cumulated[LIKELY];

static void poisson_tables(double mean) {
    double p[LIKELY], sum = 0;
    for (int i = 0; i < LIKELY; i++)
        sum += p[i] = exp((i + FIRST) * log(mean) - mean - lgamma(i + FIRST + 1));
    for (int i = 0; i < LIKELY; i++) {
        cumulated[i] = p[i] / sum + (i ? cumulated[i - 1] : 0);
        threshold[i] = p[i] / sum * LIKELY, alias[i] = (uint32_t)i;
    }
    cumulated[LIKELY - 1] = 1;
    // What a value lacks to 1 it gets of one that has more.
    bool settled[LIKELY] = {0};
    for (int n = 0; n < LIKELY; n++) {
        int low = -1, high = -1;
        for (int i = 0; i < LIKELY; i++) {
            if (settled[i]) continue;
            if (low < 0 || threshold[i] < threshold[low]) low = i;
            if (high < 0 || threshold[i] > threshold[high]) high = i;
        }
        settled[low] = true, alias[low] = (uint32_t)high;
        if (low != high) threshold[high] -= 1 - threshold[low];
    }
    save("poisson", "alias", alias, sizeof alias);
    save("poisson", "threshold", threshold, sizeof threshold);
    save("poisson", "cumulated", cumulated, sizeof cumulated);
}

static void as_poisson(const uint32_t *in, void *out) {
    double x = in[0] * 0x1p-32 * LIKELY;
    uint32_t i = (uint32_t)x;
    *(uint32_t *)out = FIRST + (x - i < threshold[i] ? i : alias[i]);
}

static uint32_t poisson_search(double x) {
    uint32_t i = 0;
    while (i < LIKELY - 1 && x > cumulated[i]) i++;
    return FIRST + i;
}

// MRG32k3a gives 1 to m1; it is spread over the whole range first.
static uint32_t spread(uint32_t v) { return (uint32_t)((v - 1) * 1.000000048661607); }
static float mrg_float(uint32_t v) { return (float)(v * 2.3283065498378288e-10); }
static void mrg_as_uint(const uint32_t *in, void *out) { *(uint32_t *)out = spread(in[0]); }
static void mrg_as_float(const uint32_t *in, void *out) { *(float *)out = mrg_float(in[0]); }
static void mrg_as_double(const uint32_t *in, void *out) { *(double *)out = in[0] * 2.3283065498378288e-10; }
static void mrg_as_normal(const uint32_t *in, void *out) {
    box_muller(mrg_float(in[0]), mrg_float(in[1]) * 6.2831855f, out);
}

static void mrg_as_normal_double(const uint32_t *in, void *out) {
    box_muller_double(mrg_float(in[0]), mrg_float(in[1]) * 2.0, out);
}
static void mrg_as_half(const uint32_t *in, void *out) { as_half(&(uint32_t){spread(in[0])}, out); }
static void mrg_as_normal_half(const uint32_t *in, void *out) {
    as_normal_half(&(uint32_t){spread(in[0])}, out);
}
static void mrg_as_poisson(const uint32_t *in, void *out) { as_poisson(&(uint32_t){spread(in[0])}, out); }
static void mrg_as_log_normal(const uint32_t *in, void *out) { mrg_as_normal(in, out), exp_of_floats(out); }
static void mrg_as_log_normal_double(const uint32_t *in, void *out) {
    mrg_as_normal_double(in, out), exp_of_doubles(out);
}
static void mrg_as_log_normal_half(const uint32_t *in, void *out) {
    mrg_as_normal_half(in, out), exp_of_halves(out);
}

struct distribution {
    const char *name;
    size_t size; // of one value
    int in, out;
    void (*make)(const uint32_t *in, void *out);
};

static const struct distribution plain[] = {
    {"uint", 4, 1, 1, as_uint},
    {"uchar", 1, 1, 4, as_uint},
    {"ushort", 2, 1, 2, as_uint},
    {"float", 4, 1, 1, as_float},
    {"double", 8, 2, 1, as_double},
    {"half", 2, 1, 2, as_half},
    {"normal", 4, 2, 2, as_normal},
    {"normal_double", 8, 4, 2, as_normal_double},
    {"normal_half", 2, 1, 2, as_normal_half},
    {"log_normal", 4, 2, 2, as_log_normal},
    {"log_normal_double", 8, 4, 2, as_log_normal_double},
    {"log_normal_half", 2, 1, 2, as_log_normal_half},
    {0},
};
static const struct distribution of_mrg[] = {
    {"uint", 4, 1, 1, mrg_as_uint},
    {"uchar", 1, 1, 4, mrg_as_uint},
    {"ushort", 2, 1, 2, mrg_as_uint},
    {"float", 4, 1, 1, mrg_as_float},
    {"double", 8, 1, 1, mrg_as_double},
    {"half", 2, 1, 2, mrg_as_half},
    {"normal", 4, 2, 2, mrg_as_normal},
    {"normal_double", 8, 2, 2, mrg_as_normal_double},
    {"normal_half", 2, 1, 2, mrg_as_normal_half},
    {"log_normal", 4, 2, 2, mrg_as_log_normal},
    {"log_normal_double", 8, 2, 2, mrg_as_log_normal_double},
    {"log_normal_half", 2, 1, 2, mrg_as_log_normal_half},
    {0},
};

static const struct distribution poisson = {"poisson", 4, 1, 1, as_poisson},
                                 mrg_poisson = {"poisson", 4, 1, 1, mrg_as_poisson};

// Values lie in memory in the threads' order, `out` of them at once; the thread whose turn it would be makes
// the values left over. Engines keep their state from one kernel to the next.
static void generate(const char *generator, const struct distribution *d, void *engines, size_t engine_size,
                     uint32_t (*next)(void *), uint32_t start) {
    size_t groups = COUNT / d->out, left = COUNT % d->out;
    char *data = calloc(COUNT + MOST, d->size);
    for (size_t thread = 0; thread < ENGINES; thread++) {
        void *engine = (char *)engines + (thread + start) % ENGINES * engine_size;
        for (size_t index = thread; index < groups + (left != 0); index += ENGINES) {
            uint32_t in[4];
            for (int i = 0; i < d->in; i++) in[i] = next(engine);
            d->make(in, data + index * d->out * d->size);
        }
    }
    save(generator, d->name, data, COUNT * d->size);
    free(data);
}

// ---- xorwow ----

struct xorwow {
    uint32_t d, x[5];
};

// A linear map of 160 bits, as the image of each bit.
typedef uint32_t map[160][5];

static uint32_t xorwow_next(void *engine) {
    struct xorwow *e = engine;
    uint32_t t = e->x[0] ^ e->x[0] >> 2;
    memmove(e->x, e->x + 1, 4 * sizeof *e->x);
    e->x[4] ^= e->x[4] << 4 ^ t ^ t << 1;
    return (e->d += 362437) + e->x[4];
}

static void apply(map m, uint32_t x[5]) {
    uint32_t y[5] = {0};
    for (int bit = 0; bit < 160; bit++)
        if (x[bit / 32] >> bit % 32 & 1)
            for (int i = 0; i < 5; i++) y[i] ^= m[bit][i];
    memcpy(x, y, sizeof y);
}

static void square(map m) {
    map r;
    memcpy(r, m, sizeof r);
    for (int bit = 0; bit < 160; bit++) apply(m, r[bit]);
    memcpy(m, r, sizeof r);
}

static void xorwow(uint64_t seed, uint64_t offset) {
    static struct xorwow engines[ENGINES];
    static map jump;
    for (int bit = 0; bit < 160; bit++) {
        struct xorwow e = {0};
        e.x[bit / 32] = 1u << bit % 32;
        xorwow_next(&e);
        memcpy(jump[bit], e.x, sizeof e.x);
    }
    for (int i = 0; i < 67; i++) square(jump);
    uint32_t a = 1228688033u * ((uint32_t)seed ^ 0x2c7f967f),
             b = 2073658381u * ((uint32_t)(seed >> 32) ^ 0xa03697cb);
    struct xorwow first = {6615241 + a + b,
                           {123456789 + a, 362436069 ^ a, 521288629 + b, 88675123 ^ b, 5783321 + a}};
    // Engines lie 2^67 numbers apart; 2^67 steps leave d as it is.
    for (uint32_t i = 0; i < ENGINES; i++) {
        engines[i] = first;
        apply(jump, first.x);
        for (uint64_t k = 0; k < offset + (i < START); k++) xorwow_next(&engines[i]);
    }
    save("xorwow", "engines", engines, sizeof engines);
    static struct xorwow again[ENGINES];
    memcpy(again, engines, sizeof again);
    generate("xorwow", &poisson, again, sizeof *again, xorwow_next, START);
    for (const struct distribution *d = plain; d->name; d++)
        generate("xorwow", d, engines, sizeof *engines, xorwow_next, START);
}

// ---- MRG32k3a ----

struct mrg {
    uint32_t x[3], y[3];
};
static const uint64_t m1 = 4294967087, m2 = 4294944443;

static uint32_t mrg_next(void *engine) {
    struct mrg *e = engine;
    uint32_t x = (uint32_t)((1403580 * (uint64_t)e->x[1] % m1 + (m1 - 810728) * e->x[0] % m1) % m1);
    uint32_t y = (uint32_t)((527612 * (uint64_t)e->y[2] % m2 + (m2 - 1370589) * e->y[0] % m2) % m2);
    e->x[0] = e->x[1], e->x[1] = e->x[2], e->x[2] = x;
    e->y[0] = e->y[1], e->y[1] = e->y[2], e->y[2] = y;
    return x <= y ? (uint32_t)(x + m1 - y) : x - y;
}

static void mrg_apply(uint64_t a[3][3], uint32_t v[3], uint64_t m) {
    uint32_t r[3];
    for (int i = 0; i < 3; i++)
        r[i] = (uint32_t)((a[i][0] * v[0] % m + a[i][1] * v[1] % m + a[i][2] * v[2] % m) % m);
    memcpy(v, r, sizeof r);
}

static void mrg_square(uint64_t a[3][3], uint64_t m) {
    uint64_t r[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r[i][j] = (a[i][0] * a[0][j] % m + a[i][1] * a[1][j] % m + a[i][2] * a[2][j] % m) % m;
    memcpy(a, r, sizeof r);
}

static void mrg32k3a(uint64_t seed, uint64_t offset) {
    static struct mrg engines[ENGINES];
    uint64_t a[3][3] = {{0, 1, 0}, {0, 0, 1}, {m1 - 810728, 1403580, 0}};
    uint64_t b[3][3] = {{0, 1, 0}, {0, 0, 1}, {m2 - 1370589, 0, 527612}};
    for (int i = 0; i < 76; i++) mrg_square(a, m1), mrg_square(b, m2);
    uint64_t u = (uint32_t)seed ^ 0x55555555u, v = (uint32_t)(seed >> 32) ^ 0xaaaaaaaau;
    uint32_t ux = (uint32_t)(u * seed % m1), vx = (uint32_t)(v * seed % m1);
    uint32_t uy = (uint32_t)(u * seed % m2), vy = (uint32_t)(v * seed % m2);
    struct mrg first = {{ux, vx, ux}, {vy, uy, vy}};
    for (uint32_t i = 0; i < ENGINES; i++) {
        engines[i] = first;
        mrg_apply(a, first.x, m1), mrg_apply(b, first.y, m2);
        for (uint64_t k = 0; k < offset + (i < START); k++) mrg_next(&engines[i]);
    }
    save("mrg32k3a", "engines", engines, sizeof engines);
    static struct mrg again[ENGINES];
    memcpy(again, engines, sizeof again);
    generate("mrg32k3a", &mrg_poisson, again, sizeof *again, mrg_next, START);
    for (const struct distribution *d = of_mrg; d->name; d++)
        generate("mrg32k3a", d, engines, sizeof *engines, mrg_next, START);
}

// ---- Philox4x32-10 ----

struct philox {
    uint32_t counter[4], result[4], key[2], taken, unused;
};

static void rounds(const uint32_t counter[4], const uint32_t key[2], uint32_t r[4]) {
    uint32_t k0 = key[0], k1 = key[1];
    memcpy(r, counter, 16);
    for (int i = 0; i < 10; i++, k0 += 0x9e3779b9, k1 += 0xbb67ae85) {
        uint64_t a = (uint64_t)0xd2511f53 * r[0], b = (uint64_t)0xcd9e8d57 * r[2];
        uint32_t x = (uint32_t)(b >> 32) ^ r[1] ^ k0, z = (uint32_t)(a >> 32) ^ r[3] ^ k1;
        r[0] = x, r[1] = (uint32_t)b, r[2] = z, r[3] = (uint32_t)a;
    }
}

static uint32_t philox_next(void *engine) {
    struct philox *e = engine;
    uint32_t v = e->result[e->taken++];
    if (e->taken == 4) {
        for (int i = 0; i < 4 && !++e->counter[i]; i++) {}
        rounds(e->counter, e->key, e->result);
        e->taken = 0;
    }
    return v;
}

// The threads share one sequence, in order.
static void philox_generate(const struct distribution *d, struct philox e) {
    char *data = calloc(COUNT + MOST, d->size);
    for (size_t i = 0; i < COUNT; i += d->out) {
        uint32_t in[4];
        for (int k = 0; k < d->in; k++) in[k] = philox_next(&e);
        d->make(in, data + i * d->size);
    }
    save("philox", d->name, data, COUNT * d->size);
    free(data);
}

// The low words of the counter wrap on the way.
static void philox(uint64_t seed) {
    struct philox first = {
        {0xffffff00, 0xffffffff, 7, 0}, {0}, {(uint32_t)seed, (uint32_t)(seed >> 32)}, 1, 0};
    rounds(first.counter, first.key, first.result);
    save("philox", "engine", &first, sizeof first);
    philox_generate(&poisson, first);
    for (const struct distribution *d = plain; d->name; d++) philox_generate(d, first);
}

// ---- MTGP32, 11213 bits ----

// The two first parameter sets; the tables are linear, so the entries 1, 2, 4 and 8 say all.
static const struct parameters {
    uint32_t position, shift1, shift2, table[4], temper[4];
} sets[] = {
    {19,
     13,
     4,
     {0x4f909277, 0xd506358c, 0xecc00000, 0x00009fd9},
     {0x007c4132, 0x2b4020ed, 0x000240a5, 0x00414015}},
    {36,
     13,
     4,
     {0x04e7bdd9, 0xbd4135d8, 0xf0c00015, 0x0000e79e},
     {0x007802fe, 0x0084013b, 0x00060156, 0x0004001a}},
};
enum { GROUPS = 2, WORDS = 351, RING = 1024, GROUP = 256 };

struct mtgp {
    int32_t offset, id;
    uint32_t status[RING], position, table[16], temper[16], shift1, shift2, temper_float[16], mask;
};

static uint32_t mtgp_next(struct mtgp *e) {
    uint32_t *s = e->status, at = (uint32_t)e->offset++;
    uint32_t x = (s[at % RING] & e->mask) ^ s[(at + 1) % RING];
    x ^= x << e->shift1;
    uint32_t y = x ^ s[(at + e->position) % RING] >> e->shift2;
    uint32_t r = s[(at + WORDS) % RING] = y ^ e->table[y & 15];
    uint32_t t = s[(at + e->position - 1) % RING];
    t ^= t >> 16, t ^= t >> 8;
    return r ^ e->temper[t & 15];
}

// A work-group shares an engine and takes its numbers GROUP at a time, for as many groups as there are
// values, wanted or not.
static void mtgp_generate(const struct distribution *d, struct mtgp engines[GROUPS]) {
    static uint32_t in[GROUP][4];
    size_t stride = GROUPS * GROUP, groups = COUNT / d->out, left = COUNT % d->out;
    size_t full = (groups + GROUP - 1) / GROUP * GROUP;
    char *data = calloc(COUNT + MOST, d->size);
    for (size_t g = 0; g < GROUPS; g++) {
        size_t index = g * GROUP;
        for (int tail = 0; tail < 2; index += stride) {
            if (index >= full) {
                if (d->out == 1 || !left) break;
                tail = 2;
            }
            for (int i = 0; i < d->in; i++)
                for (int t = 0; t < GROUP; t++) in[t][i] = mtgp_next(&engines[g]);
            for (size_t t = 0; t < GROUP; t++) {
                char out[64];
                d->make(in[t], out);
                if (tail < 2 && index + t < groups)
                    memcpy(data + (index + t) * d->out * d->size, out, d->out * d->size);
                if (tail == 2 && index + t == full + 1)
                    memcpy(data + groups * d->out * d->size, out, left * d->size);
            }
        }
    }
    for (size_t g = 0; g < GROUPS; g++) engines[g].offset %= RING;
    save("mtgp32", d->name, data, COUNT * d->size);
    free(data);
}

static void mtgp32(uint64_t seed) {
    static struct mtgp engines[GROUPS];
    for (uint32_t g = 0; g < GROUPS; g++) {
        struct mtgp *e = &engines[g];
        const struct parameters *p = &sets[g];
        e->id = (int32_t)g, e->position = p->position, e->shift1 = p->shift1, e->shift2 = p->shift2,
        e->mask = 0xfff80000;
        for (int i = 0; i < 16; i++) {
            for (int bit = 0; bit < 4; bit++)
                if (i >> bit & 1) e->table[i] ^= p->table[bit], e->temper[i] ^= p->temper[bit];
            e->temper_float[i] = e->temper[i] >> 9 | 0x3f800000;
        }
        uint32_t hidden = e->table[4] ^ e->table[8] << 16, fill = hidden + (hidden >> 16);
        fill += fill >> 8;
        memset(e->status, (int)(fill & 255), WORDS * 4);
        e->status[0] = (uint32_t)(seed ^ seed >> 32) + g + 1;
        e->status[1] = hidden;
        for (uint32_t i = 1; i < WORDS; i++)
            e->status[i] ^= 1812433253u * (e->status[i - 1] ^ e->status[i - 1] >> 30) + i;
    }
    save("mtgp32", "engines", engines, sizeof engines);
    static struct mtgp again[GROUPS];
    memcpy(again, engines, sizeof again);
    mtgp_generate(&poisson, again);
    for (const struct distribution *d = plain; d->name; d++) mtgp_generate(d, engines);
}

// ---- Sobol ----

// Joe and Kuo's polynomials and initial numbers; dimension 0 is the one without.
static const struct polynomial {
    unsigned degree, inner;
    uint64_t m[5];
} polynomials[] = {
    {1, 0, {1}},          {2, 1, {1, 3}},        {3, 1, {1, 3, 1}},        {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}}, {4, 4, {1, 3, 5, 13}}, {5, 2, {1, 1, 5, 5, 17}},
};
enum { DIMENSIONS = 8, PER_DIMENSION = 1500, SOBOL_OFFSET = 77 };

static void directions(unsigned dimension, unsigned bits, uint64_t v[64]) {
    const struct polynomial *p = &polynomials[dimension ? dimension - 1 : 0];
    for (unsigned i = 0; i < bits; i++) {
        if (dimension == 0)
            v[i] = 1ull << (bits - 1 - i);
        else if (i < p->degree)
            v[i] = p->m[i] << (bits - 1 - i);
        else {
            v[i] = v[i - p->degree] ^ v[i - p->degree] >> p->degree;
            for (unsigned k = 1; k < p->degree; k++)
                if (p->inner >> (p->degree - 1 - k) & 1) v[i] ^= v[i - k];
        }
    }
}

// Sobol's normals use the inverse error function, by Winitzki's formula.
static float inverse_error(float x) {
    float l = logf((1 - x) * (1 + x)), a = 2.0f / (3.1415926f * 0.147f), b = 1.0f / 0.147f * l;
    float t = fused ? fmaf(0.5f, l, a) : a + 0.5f * l;
    float r = sqrtf(-t + sqrtf(fused ? fmaf(t, t, -b) : t * t - b));
    return isnan(l) ? 1 : isinf(l) ? 0 : x < 0 ? -r : r;
}
static double inverse_error_double(double x) {
    double l = log((1 - x) * (1 + x)), t = fma(0.5, l, 2.0 / (3.1415926535897932 * 0.147));
    double r = sqrt(-t + sqrt(fma(t, t, -(1.0 / 0.147 * l))));
    return isnan(l) ? 1 : isinf(l) ? 0 : x < 0 ? -r : r;
}

static void sobol(unsigned bits) {
    static uint64_t v[64], vectors[DIMENSIONS][64];
    static uint32_t narrow[DIMENSIONS][32], u[DIMENSIONS][PER_DIMENSION];
    static uint32_t counts[DIMENSIONS][PER_DIMENSION];
    static float f[DIMENSIONS][PER_DIMENSION];
    static double g[DIMENSIONS][PER_DIMENSION];
    static uint8_t b[DIMENSIONS][PER_DIMENSION];
    static uint16_t s[DIMENSIONS][PER_DIMENSION];
    static _Float16 h[DIMENSIONS][PER_DIMENSION], normal_half[DIMENSIONS][PER_DIMENSION],
        log_normal_half[DIMENSIONS][PER_DIMENSION];
    static float normal[DIMENSIONS][PER_DIMENSION], log_normal[DIMENSIONS][PER_DIMENSION];
    static double normal_double[DIMENSIONS][PER_DIMENSION], log_normal_double[DIMENSIONS][PER_DIMENSION];
    const char *name = bits == 64 ? "sobol64" : "sobol32";
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        directions(d, bits, v);
        for (unsigned i = 0; i < bits; i++) vectors[d][i] = v[i], narrow[d][i % 32] = (uint32_t)v[i];
        for (unsigned i = 0; i < PER_DIMENSION; i++) {
            uint64_t at = SOBOL_OFFSET + i, gray = at ^ at >> 1, x = 0;
            for (unsigned k = 0; k < bits; k++)
                if (gray >> k & 1) x ^= v[k];
            u[d][i] = (uint32_t)(x >> (bits - 32)), b[d][i] = (uint8_t)(x >> (bits - 8)),
            s[d][i] = (uint16_t)(x >> (bits - 16));
            f[d][i] = uniform_float((uint32_t)x); // the low word of 64 bits: a slip in rocRAND 5.3
            g[d][i] = bits == 64 ? uniform_double(x >> 11) : fma((double)x, 0x1p-32, 0x1p-32);
            counts[d][i] = poisson_search((double)x * (bits == 64 ? 0x1p-64 : 0x1p-32));
            h[d][i] = uniform_half(s[d][i]);
            normal[d][i] = 1.4142135f * inverse_error(2 * f[d][i] - 1);
            log_normal[d][i] = (float)exp(normal[d][i]);
            normal_half[d][i] = (_Float16)normal[d][i];
            log_normal_half[d][i] = (_Float16)exp(normal_half[d][i]);
            normal_double[d][i] = 1.4142135f * inverse_error_double(2 * g[d][i] - 1);
            log_normal_double[d][i] =
                exp(1.4142135f * inverse_error_double(2 * fma((uint32_t)x, 0x1p-32, 0x1p-32) - 1));
        }
    }
    if (bits == 64)
        save(name, "vectors", vectors, sizeof vectors);
    else
        save(name, "vectors", narrow, sizeof narrow);
    save(name, "uint", u, sizeof u), save(name, "float", f, sizeof f), save(name, "double", g, sizeof g);
    save(name, "poisson", counts, sizeof counts);
    save(name, "half", h, sizeof h), save(name, "normal", normal, sizeof normal);
    save(name, "normal_half", normal_half, sizeof normal_half);
    save(name, "log_normal_half", log_normal_half, sizeof log_normal_half);
    save(name, "log_normal", log_normal, sizeof log_normal);
    save(name, "normal_double", normal_double, sizeof normal_double);
    save(name, "log_normal_double", log_normal_double, sizeof log_normal_double);
    save(name, "uchar", b, sizeof b), save(name, "ushort", s, sizeof s);
}

int main(int argc, char **argv) {
    if (argc < 2) return 1;
    fused = argc == 2;
    directory = argv[1];
    poisson_tables(20);
    xorwow(0x123456789abcdef0, 5);
    mrg32k3a(12345, 5);
    philox(0xdeadbeefcafef00d);
    mtgp32(0x0123456700000042);
    sobol(32);
    sobol(64);
    return 0;
}
