// SPDX-License-Identifier: MIT
// Texture fetches of one wave against a filter written apart: each texel of a level weighs what a tent says.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "softwave/terascale.h"
#include "terascale/texture_words.h"
#include "terascale/said.h"

enum { LANES = 64, BYTES = 1 << 20, ADDRESS = 0x10000, MIPS = ADDRESS + BYTES / 2 };

static double random_between(double low, double high) {
    return low + (high - low) * random32() / 4294967296.0;
}

static sw_terascale_wave wave;
static uint8_t memory[BYTES];
static uint64_t valid = ~0ull;
static const float (*parameters)[4][3];

static sw_status run(const char *chip, const char *stage, const char *text) {
    struct text t = {0};
    text_printf(&t, "main:\n.stage %s\n.set SQ_PGM_RESOURCES_%s NUM_GPRS(128)\n%s%s", stage,
                *stage == 'p' ? "PS" : "VS", text,
                !strcmp(chip, "cayman") ? "CF_END\n" : "NOP END_OF_PROGRAM\n");
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find(chip, strlen(chip))};
    const sw_terascale_buffer buffer = {memory, sizeof memory, ADDRESS, false};
    const sw_terascale_wave_options o = {.size = sizeof o,
                                         .parameters = parameters,
                                         .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup),
                                                                        .buffers = &buffer,
                                                                        .buffer_count = 1,
                                                                        .max_steps = 10000,
                                                                        .strict = true,
                                                                        .settings = settings,
                                                                        .setting_count = setting_count}};
    uint8_t *object;
    size_t size;
    *message = 0;
    wave.size = sizeof wave;
    wave.valid = valid;
    sw_status status = sw_terascale_assemble(t.data, t.length, &a, &object, &size, &sink);
    if (!status) status = sw_terascale_run_wave(object, size, &o, &wave, &sink);
    sw_free(object);
    text_free(&t);
    return status;
}

static const char *const chips[] = {"r600", "rv770", "cypress", "cayman"};
static struct place place_of(unsigned chip, bool pixel) {
    return (struct place){chip > 1, pixel ? 0 : chip > 1 ? 176 : 160, pixel ? 0 : 18};
}

static void put(unsigned gpr, unsigned c, unsigned lane, double v) {
    const float f = (float)v;
    memcpy(&wave.gpr[gpr][c][lane], &f, sizeof f);
}

// ---- The texture of the reference: floats of each level, as they were written to memory ----

enum { LEVELS = 5, SIDE = 40, DEEP = 8 };
static float texels[LEVELS][DEEP][SIDE][SIDE];
static const struct texture plain = {.dim = 1,
                                     .width = 16,
                                     .height = 16,
                                     .depth = 1,
                                     .pitch = 64,
                                     .tiling = 1,
                                     .format = 14, // 32_FLOAT
                                     .levels = 1,
                                     .address = ADDRESS,
                                     .mips = MIPS,
                                     .sel = {0, 1, 2, 3}};

static unsigned power(unsigned v) {
    unsigned p = 1;
    while (p < v) p <<= 1;
    return p;
}
static unsigned half(unsigned v, unsigned level) { return v >> level > 1 ? v >> level : 1; }
static bool is_array(const struct texture *t) { return t->dim == 4 || t->dim == 5; }
static unsigned deep(const struct texture *t, unsigned level) {
    return t->dim == 2 ? half(t->depth, level) : t->dim == 3 ? 6 : t->depth;
}
static unsigned tall(const struct texture *t, unsigned level) {
    return t->dim == 0 || t->dim == 4 ? 1 : half(t->height, level);
}

// Where a texel of 4 bytes lies: linear rows of 64, or micro tiles of 8 by 8 whose pairs of bits are known.
static size_t offset_of(const struct texture *t, unsigned row, unsigned x, unsigned y) {
    static const char shown[] = "xxyxyy", hidden[] = "xyxyxy";
    if (t->tiling < 2) return 4 * (y * (size_t)row + x);
    size_t in = 0;
    unsigned taken[2] = {0, 0};
    for (unsigned i = 0; i < 6; i++) {
        const bool of_y = (t->depth_order ? hidden : shown)[i] == 'y';
        in |= (size_t)((of_y ? y : x) >> taken[of_y]++ & 1) << i;
    }
    return 4 * (64 * ((y / 8) * (size_t)(row / 8) + x / 8) + in);
}

static void fill(const struct texture *t, bool old) {
    size_t at = t->address - ADDRESS;
    memset(memory, 0x5a, sizeof memory);
    for (unsigned level = 0; level < t->levels; level++) {
        if (level == 1) at = t->mips - ADDRESS;
        unsigned row = level ? power(half(t->width, level)) : t->pitch,
                 lines = level ? power(tall(t, level)) : tall(t, 0);
        if (t->dim == 0 || t->dim == 4) lines = level ? power(half(t->height, level)) : t->height;
        if (level && t->tiling && row < (t->tiling < 2 ? 64u : 8u)) row = t->tiling < 2 ? 64 : 8;
        if (t->tiling == 2) lines = (lines + 7) / 8 * 8;
        const unsigned slices = t->dim == 2   ? level ? power(deep(t, level)) : t->depth
                                : t->dim == 3 ? old ? 6 : 8
                                              : t->depth;
        for (unsigned z = 0; z < deep(t, level); z++)
            for (unsigned y = 0; y < tall(t, level); y++)
                for (unsigned x = 0; x < half(t->width, level); x++) {
                    const float v = (float)(random32() % 2000) / 64.0f - 10;
                    texels[level][z][y][x] = v;
                    memcpy(memory + at + z * (size_t)row * lines * 4 + offset_of(t, row, x, y), &v, 4);
                }
        at += (size_t)row * lines * 4 * slices;
    }
}

// ---- The filter of the reference ----

enum { OUTSIDE = -1 };
static int meets(int i, int n, unsigned clamp) {
    switch (clamp) {
    case 0:
        while (i < 0) i += n;
        return i % n;
    case 1: // to and fro
        for (;;) {
            if (i < 0)
                i = -i - 1;
            else if (i >= n)
                i = 2 * n - 1 - i;
            else
                return i;
        }
    case 2: return i < 0 ? 0 : i > n - 1 ? n - 1 : i;
    case 3: i = i < 0 ? -i - 1 : i; return i > n - 1 ? n - 1 : i;
    case 4:
    case 6: return i < 0 || i >= n ? OUTSIDE : i;
    default: i = i < 0 ? -i - 1 : i; return i >= n ? OUTSIDE : i;
    }
}

static double tent(double d) { return fabs(d) < 1 ? 1 - fabs(d) : 0; }

struct axis {
    int index[5];
    double weight[5];
};
static struct axis axis_of(double u, int n, unsigned clamp, bool linear) {
    struct axis a = {{0}, {0}};
    if (clamp == 4) u = u < 0 ? 0 : u > n ? n : u;
    if (clamp == 5) u = fabs(u) > n ? n : fabs(u);
    int nearest = (int)floor(u);
    if ((clamp == 4 || clamp == 5) && nearest == n) nearest--;
    for (int k = 0; k < 5; k++) {
        const int i = (int)floor(u) - 2 + k;
        a.index[k] = meets(linear ? i : nearest, n, clamp);
        a.weight[k] = linear ? tent(u - 0.5 - i) : k == 0;
    }
    return a;
}

static double border_value;
static bool comparing;
static double reference;
static unsigned function;

static double weigh(double v) {
    if (!comparing) return v;
    const bool results[8] = {false, reference<v, reference == v, reference <= v, reference> v, reference != v,
                             reference >= v, true};
    return results[function];
}

static double level_value(const struct texture *t, const struct sampler *s, bool linear, unsigned level,
                          const double c[3]) {
    const unsigned n[3] = {half(t->width, level), tall(t, level), t->dim == 2 ? deep(t, level) : 1};
    const bool cube = t->dim == 3;
    const double add = cube ? -1 : 0;
    const struct axis x = axis_of((c[0] + add) * n[0], (int)n[0], cube ? 2 : s->clamp[0], linear),
                      y = t->dim == 0 || t->dim == 4
                              ? axis_of(0.5, 1, 2, false)
                              : axis_of((c[1] + add) * n[1], (int)n[1], cube ? 2 : s->clamp[1], linear),
                      z = t->dim == 2
                              ? axis_of(c[2] * n[2], (int)n[2], s->clamp[2], s->z ? s->z == 2 : linear)
                              : axis_of(0.5, 1, 2, false);
    double sum = 0;
    for (int k = 0; k < 125; k++) {
        const int i = k % 5, j = k / 5 % 5, h = k / 25;
        const double weight = x.weight[i] * y.weight[j] * z.weight[h];
        if (weight == 0) continue;
        int slice = z.index[h];
        if (cube || is_array(t)) {
            slice = (int)rint(c[2]);
            const int most = cube ? 5 : (int)(t->last_slice - t->first_slice);
            slice = (slice < 0 ? 0 : slice > most ? most : slice) + (int)t->first_slice;
        }
        const bool outside = x.index[i] == OUTSIDE || y.index[j] == OUTSIDE || z.index[h] == OUTSIDE;
        sum += weight * weigh(outside ? border_value : (double)texels[level][slice][y.index[j]][x.index[i]]);
    }
    return sum;
}

static double sampled(const struct texture *t, const struct sampler *s, double lod, const double c[3]) {
    lod = fmin(fmax(lod, s->min_lod), s->max_lod);
    const bool linear = lod > 0 ? s->minify : s->magnify;
    const double most = t->levels - 1 - t->base_level;
    double where = s->mip == 0 ? 0 : fmin(fmax(lod, 0), most);
    if (s->mip == 1) where = fmin(floor(where + 0.5), most);
    const unsigned first = (unsigned)where;
    const double a = level_value(t, s, linear, t->base_level + first, c), w = where - first;
    return w > 0 ? a * (1 - w) + w * level_value(t, s, linear, t->base_level + first + 1, c) : a;
}

static struct sampler random_sampler(bool old) {
    struct sampler s = {.max_lod = 15};
    for (unsigned i = 0; i < 3; i++) s.clamp[i] = random32() % 8;
    s.magnify = random32() % 2;
    s.minify = random32() % 2;
    s.z = random32() % 3;
    s.mip = random32() % 3;
    s.border = random32() % 4;
    s.compare = random32() % 8;
    if (random32() % 3 == 0) s.min_lod = random32() % 8 / 4.0, s.max_lod = s.min_lod + random32() % 8 / 4.0;
    s.bias = (int)(random32() % 9) / 4.0 - 1;
    (void)old;
    return s;
}

static struct texture random_texture(void) {
    static const unsigned dims[] = {0, 1, 1, 2, 3, 4, 5};
    struct texture t = plain;
    t.dim = dims[random32() % 7];
    t.tiling = random32() % 3;
    t.depth_order = random32() % 2;
    t.width = 1 + random32() % 33;
    t.height = t.dim == 3 ? t.width : 1 + random32() % 33;
    t.depth = t.dim == 2 || is_array(&t) ? 1 + random32() % 8 : 1;
    if (t.dim == 0 || t.dim == 4) t.height = 1;
    t.pitch = t.tiling == 1 ? 64 : 40;
    t.levels = 1 + random32() % LEVELS;
    if (is_array(&t)) t.first_slice = random32() % t.depth, t.last_slice = t.depth - 1;
    t.base_level = random32() % 4 ? 0 : random32() % t.levels;
    return t;
}

static void expect_near(double got, double e, const struct texture *t, const struct sampler *s,
                        unsigned lane) {
    if (fabs(got - e) <= 1e-5 * fmax(1, fabs(e))) return;
    fail_msg("lane %u: %g, expected %g; dim %u tiling %u %ux%ux%u levels %u base %u; clamp %u %u %u mag %u "
             "min %u z %u "
             "mip %u border %u lod %g to %g bias %g",
             lane, got, e, t->dim, t->tiling, t->width, t->height, t->depth, t->levels, t->base_level,
             s->clamp[0], s->clamp[1], s->clamp[2], s->magnify, s->minify, s->z, s->mip, s->border,
             s->min_lod, s->max_lod, s->bias);
}

// A border colour for a stage's sampler (R7-22): registers of its own, or behind an index.
static void set_border(bool newer, unsigned sampler, float v) {
    uint32_t bits;
    memcpy(&bits, &v, 4);
    if (newer) set(0xa400, sampler);
    set(newer ? 0xa404 : 0xa400 + 16 * sampler, bits);
}

// R7-20, R7-21, R7-22: SAMPLE_L and its likes, on textures and samplers of all kinds.
static void samples_agree(void **unused) {
    (void)unused;
    static const char *const names[] = {"SAMPLE_L", "SAMPLE_LZ", "SAMPLE_C_LZ", "SAMPLE_C_L"};
    for (unsigned round = 0; round < 300; round++) {
        const unsigned chip = round % 4, op = round / 4 % 4;
        struct texture t = random_texture();
        const struct sampler s = random_sampler(chip < 2);
        const unsigned sampler = random32() % 18, id = random32() % 160;
        if (op == 3 && t.dim > 1) t = plain;
        fill(&t, chip == 0);
        setting_count = 0;
        set_texture(place_of(chip, true), id, &t);
        set_sampler(place_of(chip, true), sampler, &s);
        const float border = (float)(random32() % 100);
        set_border(chip > 1, sampler, border);
        if (chip < 2) set(0x9508, 1); // TA_CNTL_AUX DISABLE_CUBE_WRAP
        border_value = s.border == 3 ? (double)border : s.border == 2;
        comparing = op > 1;
        function = s.compare;
        const bool whole = t.dim == 3 || is_array(&t);
        for (unsigned l = 0; l < LANES; l++) {
            for (unsigned c = 0; c < 3; c++)
                put(1, c, l,
                    t.dim == 3 && c < 2 ? random_between(1, 2)
                    : c == 2 && whole   ? random32() % (t.dim == 3 ? 9 : 10) - 1.0
                                        : random_between(-2.5, 3.5));
            const double lod = (int)(random32() % 64) / 8.0 - 2;
            put(1, 3, l, op == 2 ? random_between(-10, 20) : lod);
            if (op == 3) put(1, 2, l, random_between(-10, 20));
            if (l % 5 == 0) put(1, 0, l, (double)(random32() % 8) / 4);
        }
        char text[100];
        snprintf(text, sizeof text, "TC:\n%s R2, R1, t%u, s%u%s\n", names[op], id, sampler,
                 whole && t.dim != 3 ? " UNNORM(z)" : "");
        if (run(chips[chip], "pixel", text)) fail_msg("%s: %s\n%s", chips[chip], message, text);
        const unsigned lanes = sw_terascale_lanes(sw_processor_find(chips[chip], strlen(chips[chip])));
        for (unsigned l = 0; l < lanes; l++) {
            const double c[3] = {(double)real(wave.gpr[1][0][l]), (double)real(wave.gpr[1][1][l]),
                                 (double)real(wave.gpr[1][2][l])};
            reference = (double)real(wave.gpr[1][op == 3 ? 2 : 3][l]);
            const double lod = op == 1 || op == 2 ? 0 : (double)real(wave.gpr[1][3][l]);
            expect_near((double)real(wave.gpr[2][0][l]), sampled(&t, &s, lod, c), &t, &s, l);
            if (s.border == 1 || s.border == 2) assert_int_equal(wave.gpr[2][3][l], 0x3f800000);
        }
    }
    comparing = false;
}

// SAMPLE takes the LOD of its quad, _LB adds W, _G takes gradients that were set; all add the word's bias.
static void lods_come_from_gradients(void **unused) {
    (void)unused;
    for (unsigned round = 0; round < 160; round++) {
        const unsigned chip = round % 4, op = round / 4 % 4;
        struct texture t = plain;
        t.width = t.height = 32;
        t.levels = 5;
        const struct sampler s = {
            .magnify = 1, .minify = 1, .mip = 2, .max_lod = 15, .bias = (int)(round % 5) / 4.0 - 0.5};
        fill(&t, chip == 0);
        setting_count = 0;
        set_texture(place_of(chip, false), 3, &t);
        set_sampler(place_of(chip, false), 5, &s);
        double lod[LANES];
        const double word = (int)(round % 7) / 16.0;
        for (unsigned q = 0; q < LANES; q += 4) {
            const double dx = random_between(-0.3, 0.3), dy = random_between(-0.3, 0.3),
                         ex = random_between(-0.3, 0.3), ey = random_between(-0.3, 0.3),
                         x = random_between(0, 1), y = random_between(0, 1);
            for (unsigned k = 0; k < 4; k++) {
                put(1, 0, q + k, x + (k & 1) * dx + (k >> 1) * ex);
                put(1, 1, q + k, y + (k & 1) * dy + (k >> 1) * ey);
                put(1, 3, q + k, (k - 1.5) / 4);
                put(3, 0, q + k, dx * (k + 1)), put(3, 1, q + k, dy), put(4, 0, q + k, ex),
                    put(4, 1, q + k, ey);
                const double gx = op >= 2 ? dx * (k + 1) : dx;
                lod[q + k] = log2(32 * fmax(hypot(gx, dy), hypot(ex, ey))) + s.bias + word +
                             (op & 1 ? (k - 1.5) / 4 : 0);
            }
        }
        static const char *const names[] = {"SAMPLE", "SAMPLE_LB", "SAMPLE_G", "SAMPLE_G_LB"};
        char text[300];
        snprintf(text, sizeof text,
                 "TC:\n%s%s R2, R1, t3, s5 LOD_BIAS(%u)\nGET_COMP_TEX_LOD R5, R1, t3, s5 LOD_BIAS(%u)\n",
                 op >= 2 ? "SET_GRADIENTS_H R6.____, R3, t3, s5\nSET_GRADIENTS_V R6.____, R4, t3, s5\n" : "",
                 names[op], round % 7, round % 7);
        if (run(chips[chip], "vertex", text)) fail_msg("%s: %s\n%s", chips[chip], message, text);
        for (unsigned l = 0; l < LANES / 4; l++) {
            const double c[3] = {(double)real(wave.gpr[1][0][l]), (double)real(wave.gpr[1][1][l]), 0};
            const double e = sampled(&t, &s, lod[l], c), got = (double)real(wave.gpr[2][0][l]);
            if (fabs(e - got) > 1e-3) fail_msg("%s: lane %u: %g, expected %g", text, l, got, e);
            if (op) continue;
            const double clamped = fmin(4, fmax(0, lod[l]));
            assert_true(fabs((double)real(wave.gpr[5][0][l]) - lod[l]) < 1e-4);
            assert_true(fabs((double)real(wave.gpr[5][1][l]) - clamped) < 1e-4);
        }
    }
}

// Differences within quads, coarse and fine.
static void gradients_are_differences(void **unused) {
    (void)unused;
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned c = 0; c < 4; c++) put(1, c, l, (double)(random32() % 1000));
    setting_count = 0;
    if (run("cypress", "pixel",
            "TC:\nGET_GRADIENTS_H R2, R1, t0, s0\nGET_GRADIENTS_V R3, R1, t0, s0\n"
            "GET_GRADIENTS_H_FINE R4, R1, t0, s0\nGET_GRADIENTS_V_FINE R5, R1, t0, s0\n"))
        fail_msg("%s", message);
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned c = 0; c < 4; c++) {
            float v[4];
            for (unsigned k = 0; k < 4; k++) v[k] = real(wave.gpr[1][c][(l & ~3u) + k]);
            assert_true(real(wave.gpr[2][c][l]) == v[1] - v[0]);
            assert_true(real(wave.gpr[3][c][l]) == v[2] - v[0]);
            assert_true(real(wave.gpr[4][c][l]) == (l & 2 ? v[3] - v[2] : v[1] - v[0]));
            assert_true(real(wave.gpr[5][c][l]) == (l & 1 ? v[3] - v[1] : v[2] - v[0]));
        }
}

static void loads_and_sizes_agree(void **unused) {
    (void)unused;
    for (unsigned round = 0; round < 120; round++) {
        const unsigned chip = round % 4;
        struct texture t = random_texture();
        if (t.dim == 3) t.last_slice = 5;
        fill(&t, chip == 0);
        setting_count = 0;
        set_texture(place_of(chip, true), 7, &t);
        for (unsigned l = 0; l < LANES; l++) {
            for (unsigned c = 0; c < 3; c++)
                wave.gpr[1][c][l] = random32() % (t.dim == 1 && c == 2 ? 1 : 36) - 2;
            if (t.dim == 1) wave.gpr[1][2][l] = 0;
            wave.gpr[1][3][l] = random32() % 6 - 1;
            wave.gpr[3][0][l] = random32() % 6;
        }
        if (run(chips[chip], "pixel",
                "TC:\nLD R2, R1, t7, s0 OFFSET_X(2) OFFSET_Y(30)\nGET_TEXTURE_INFO R4, R3.xxxx, t7, s0\n"))
            fail_msg("%s: %s", chips[chip], message);
        const unsigned levels = t.levels - t.base_level;
        for (unsigned l = 0; l < LANES; l++) {
            const int x = (int)wave.gpr[1][0][l] + 1, y = (int)wave.gpr[1][1][l] - 1,
                      z = (int)wave.gpr[1][2][l];
            const unsigned level = wave.gpr[1][3][l], of = level < levels ? t.base_level + level : 0,
                           asked = wave.gpr[3][0][l];
            const bool flat = t.dim == 0 || t.dim == 4, in_z = t.dim > 1;
            const int slices = t.dim == 2 ? (int)deep(&t, of)
                               : in_z     ? (int)(t.last_slice - t.first_slice + 1)
                                          : 1;
            float e = 0;
            bool there =
                level < levels && x >= 0 && x < (int)half(t.width, of) && (!in_z || (z >= 0 && z < slices));
            if (!flat) there = there && y >= 0 && y < (int)tall(&t, of);
            if (there) e = texels[of][in_z ? z + (int)t.first_slice : 0][flat ? 0 : y][x];
            if (real(wave.gpr[2][0][l]) != e)
                fail_msg("dim %u, %d %d %d level %u: %g, expected %g", t.dim, x, y, z, level,
                         (double)real(wave.gpr[2][0][l]), (double)e);
            const bool known = asked < levels;
            assert_int_equal(wave.gpr[4][0][l], known ? half(t.width, t.base_level + asked) : 0);
            assert_int_equal(wave.gpr[4][1][l], known ? tall(&t, t.base_level + asked) : 0);
            if (is_array(&t)) assert_int_equal(wave.gpr[4][2][l], t.last_slice - t.first_slice + 1);
            if (t.dim == 2) assert_int_equal(wave.gpr[4][2][l], known ? deep(&t, t.base_level + asked) : 0);
            assert_int_equal(wave.gpr[4][3][l], levels);
        }
    }
}

// The four texels of a bilinear filter, in the order of each family.
static void four_texels_are_fetched(void **unused) {
    (void)unused;
    static const char *const names[4] = {"FETCH4", "FETCH4", "GATHER4", "GATHER4"};
    const struct sampler s = {.clamp = {0, 2, 0}, .max_lod = 15, .compare = 1};
    for (unsigned chip = 0; chip < 4; chip++)
        for (unsigned form = 0; form < (chip < 2 ? 1 : 4); form++) {
            const bool compares = form & 1, offsets = form & 2;
            fill(&plain, false);
            setting_count = 0;
            set_texture(place_of(chip, true), 0, &plain);
            set_sampler(place_of(chip, true), 0, &s);
            for (unsigned l = 0; l < LANES; l++) {
                for (unsigned c = 0; c < 2; c++)
                    put(1, c, l, random_between(0, 1)), wave.gpr[3][c][l] = random32() % 5 - 2;
                put(1, 3, l, random_between(-10, 20));
            }
            char text[200];
            snprintf(text, sizeof text, "TC:\n%s%s%s%s R2, R1, t0, s0\n",
                     offsets ? "SET_TEXTURE_OFFSETS R6.____, R3, t0, s0\n" : "", names[chip],
                     compares ? "_C" : "", offsets ? "_O" : "");
            if (run(chips[chip], "pixel", text)) fail_msg("%s: %s", chips[chip], message);
            for (unsigned l = 0; l < 16; l++) {
                const double u = (double)real(wave.gpr[1][0][l]) * 16 - 0.5 +
                                 (offsets ? (int)wave.gpr[3][0][l] : 0),
                             v = (double)real(wave.gpr[1][1][l]) * 16 - 0.5 +
                                 (offsets ? (int)wave.gpr[3][1][l] : 0);
                const int x = (int)floor(u), y = (int)floor(v);
                static const char *const orders[2] = {"10011100", "01111000"}; // x and y of each
                for (unsigned c = 0; c < 4; c++) {
                    const char *o = orders[chip == 3] + 2 * c;
                    float e = texels[0][0][meets(y + o[1] - '0', 16, 2)][meets(x + o[0] - '0', 16, 0)];
                    if (compares) e = real(wave.gpr[1][3][l]) < e;
                    if (real(wave.gpr[2][c][l]) != e)
                        fail_msg("%s on %s, lane %u, %c: %g, expected %g", text, chips[chip], l, "xyzw"[c],
                                 (double)real(wave.gpr[2][c][l]), (double)e);
                }
            }
        }
}

// A direction near the edge of a face: with wrap the filter takes texels of both faces. All texels of a face
// are equal here, so that the weights show.
static void cubes_wrap_over_edges(void **unused) {
    (void)unused;
    struct texture t = plain;
    t.dim = 3;
    t.width = t.height = 8;
    t.last_slice = 5;
    for (unsigned chip = 1; chip < 4; chip++) {
        for (unsigned face = 0; face < 6; face++)
            for (unsigned k = 0; k < 8 * 64; k++)
                memcpy(memory + 4 * (face * 8 * 64 + k), &(float){(float)(1 << face)}, 4);
        setting_count = 0;
        set_texture(place_of(chip, true), 0, &t);
        set_sampler(place_of(chip, true), 0, &(struct sampler){.magnify = 1, .max_lod = 1});
        if (chip > 1) settings[setting_count - 1].value = 0; // DISABLE_CUBE_WRAP
        // Face, place along x and y, and the neighbours that share the weight: half each at the edge.
        static const struct {
            double x, y, face;
            float e;
        } cases[] = {
            {1.5, 1.5, 0, 1},
            {1, 1.5, 0, (1 + 16) / 2.0f},
            {2, 1.5, 0, (1 + 32) / 2.0f},
            {1.5, 1, 0, (1 + 4) / 2.0f},
            {1.5, 2, 0, (1 + 8) / 2.0f},
            {1, 1.5, 1, (2 + 32) / 2.0f},
            {1.5, 1, 2, (4 + 32) / 2.0f},
            {1.5, 2, 2, (4 + 16) / 2.0f},
            {1, 1.5, 4, (16 + 2) / 2.0f},
            {1, 1.5, 5, (32 + 1) / 2.0f},
            {1, 1, 0, (1 + 16 + 4) / 3.0f},
            {2, 2, 0, (1 + 32 + 8) / 3.0f},
        };
        for (unsigned l = 0; l < 12; l++)
            put(1, 0, l, cases[l].x), put(1, 1, l, cases[l].y), put(1, 2, l, cases[l].face);
        if (run(chips[chip], "pixel", "TC:\nSAMPLE_LZ R2, R1, t0, s0\n")) fail_msg("%s", message);
        for (unsigned l = 0; l < 12; l++)
            if (fabsf(real(wave.gpr[2][0][l]) - cases[l].e) > 1e-4f)
                fail_msg("case %u: %g, expected %g", l, (double)real(wave.gpr[2][0][l]), (double)cases[l].e);
    }
}

// What CUBE gives, divided and moved by 1.5, finds the face and place of a direction.
static void cube_coordinates_reach_faces(void **unused) {
    (void)unused;
    static const float directions[6][3] = {{1, .25f, -.5f},  {-1, .25f, -.5f}, {.25f, 1, .75f},
                                           {.25f, -1, .75f}, {.5f, -.25f, 1},  {.5f, -.25f, -1}};
    // Row and column of the texel that OpenGL's table of faces gives, of 8.
    static const uint8_t expected[6][2] = {{6, 3}, {2, 3}, {5, 7}, {5, 1}, {6, 5}, {2, 5}};
    struct texture t = plain;
    t.dim = 3;
    t.width = t.height = 8;
    t.last_slice = 5;
    for (unsigned k = 0; k < 6 * 8 * 64; k++) memcpy(memory + 4 * k, &(float){(float)k}, 4);
    for (unsigned chip = 1; chip < 4; chip++) {
        setting_count = 0;
        set_texture(place_of(chip, true), 0, &t);
        set_sampler(place_of(chip, true), 0, &(struct sampler){.max_lod = 1});
        for (unsigned l = 0; l < 6; l++)
            for (unsigned c = 0; c < 3; c++) put(1, c, l, (double)directions[l][c]);
        static const char cube[] = "ALU:\n0 x: CUBE R2.x, R1.z, R1.y\ny: CUBE R2.y, R1.z, R1.x\n"
                                   "z: CUBE R2.z, R1.x, R1.z\nw: CUBE R3.w, R1.y, R1.z\n";
        char text[600];
        snprintf(text, sizeof text,
                 "%s%s\n2 x: MULADD_e R3.x, R2.x, %s, (1.5)\ny: MULADD_e R3.y, R2.y, %s, (1.5)\n"
                 "TC:\nSAMPLE_LZ R4, R3.yxww, t0, s0\n",
                 cube,
                 chip == 3 ? "1 x: RCP_e ____, |R2.z|\ny: RCP_e ____, |R2.z|\nz: RCP_e R2.z, |R2.z|"
                           : "1 t: RCP_e R2.z, |R2.z|",
                 chip == 3 ? "PV.z" : "PS", chip == 3 ? "PV.z" : "PS");
        if (run(chips[chip], "pixel", text)) fail_msg("%s\n%s", message, text);
        for (unsigned l = 0; l < 6; l++) {
            const unsigned e = l * 8 * 64 + expected[l][1] * 64 + expected[l][0];
            if (real(wave.gpr[4][0][l]) != (float)e)
                fail_msg("%s, direction %u: %g, expected %u", chips[chip], l, (double)real(wave.gpr[4][0][l]),
                         e);
        }
    }
}

// Resources and samplers by CF_IDX0 and 1, registers by aL, and fetches that all lanes of a quad execute.
static void fetches_are_indexed(void **unused) {
    (void)unused;
    struct texture t = plain;
    fill(&t, false);
    setting_count = 0;
    set_texture(place_of(2, true), 5, &t);
    set_sampler(place_of(2, true), 7, &(struct sampler){.clamp = {6, 6, 6}, .border = 2});
    for (unsigned l = 0; l < LANES; l++) put(1, 0, l, l / 32.0), put(1, 1, l, 0.5);
    if (run("cypress", "pixel",
            "ALU:\n0 x: MOVA_INT ____, (2)\n1 x: SET_CF_IDX0 ____\n2 x: MOVA_INT ____, (4)\n3 x: SET_CF_IDX1 "
            "____\n"
            "TC:\nSAMPLE_LZ R2, R1, t3, s3 RESOURCE_INDEX_MODE(CF_IDX0) SAMPLER_INDEX_MODE(CF_IDX1)\n"))
        fail_msg("%s", message);
    for (unsigned l = 0; l < LANES; l++)
        assert_true(real(wave.gpr[2][0][l]) == (l < 32 ? texels[0][0][8][l / 2] : 1));
    for (unsigned chip = 0; chip < 4; chip++) {
        setting_count = 0;
        set_texture(place_of(chip, true), 5, &t);
        for (unsigned g = 10; g < 40; g++)
            for (unsigned l = 0; l < LANES; l++)
                for (unsigned c = 0; c < 4; c++) wave.gpr[g][c][l] = c ? 0 : (g + l) % 16;
        if (run(chips[chip], "pixel",
                ".loop 0 COUNT(3) INIT(1) INC(2)\nLOOP_START ADDR(.Lend) CF_CONST(0)\n.Lin:\n"
                "TC:\nLD R[AL+10], R[AL+20], t5, s0\nLOOP_END ADDR(.Lin)\n.Lend:\nNOP\n"))
            fail_msg("%s", message);
        for (unsigned g = 10; g < 17; g++)
            for (unsigned l = 0; l < 16; l++) {
                const bool loaded = g == 11 || g == 13 || g == 15;
                const float e = texels[0][0][0][(g + 10 + l) % 16];
                if (loaded)
                    assert_true(real(wave.gpr[g][0][l]) == e);
                else
                    assert_int_equal(wave.gpr[g][0][l], (g + l) % 16);
            }
    }
    // Lane 5 alone is active: its quad's lanes fetch with FETCH_WHOLE_QUAD.
    for (unsigned whole = 0; whole < 2; whole++) {
        valid = 1ull << 5;
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned c = 0; c < 4; c++) wave.gpr[1][c][l] = 0, wave.gpr[2][c][l] = 77;
        setting_count = 0;
        set_texture(place_of(1, true), 5, &t);
        assert_int_equal(
            run("rv770", "pixel",
                whole ? "TC:\nLD R2, R1, t5, s0 FETCH_WHOLE_QUAD\n" : "TC:\nLD R2, R1, t5, s0\n"),
            SW_OK);
        for (unsigned l = 0; l < LANES; l++)
            assert_int_equal(wave.gpr[2][0][l] != 77, whole ? l / 4 == 1 : l == 5);
    }
    valid = ~0ull;
}

static bool add_line(void *context, const char *text, size_t length) {
    text_add(context, text, length);
    return true;
}

// Directives for state say what the words say, and what `dis` prints of them assembles to the same object.
static void directives_are_words(void **unused) {
    (void)unused;
    static const char *const parts[2] = {
        ".texture t5 WIDTH(16) HEIGHT(9) FORMAT(32_FLOAT) TILING(1D_THIN) DEPTH_ORDER PITCH(24) "
        "ADDRESS(0x10000) "
        "MIPS(0x20000) SEL(xx01) LEVELS(2)\n"
        ".sampler s3 CLAMP_X(BORDER) CLAMP_Y(MIRROR) MAG(BILINEAR) BORDER(REGISTER) MAX_LOD(1.5) "
        "LOD_BIAS(-0.25)\n"
        ".border s2 9, 9, 9, 9\n.border s3 1.5, 0, 0, -2\n",
        "TC:\nSAMPLE_L R2, R1, t5, s3\n",
    };
    struct texture t = plain;
    t.width = 16, t.height = 9, t.tiling = 2, t.depth_order = true, t.pitch = 24, t.mips = 0x20000,
    t.levels = 2;
    const struct sampler s = {.clamp = {6, 1, 0}, .magnify = 1, .border = 3, .max_lod = 1.5, .bias = -0.25};
    setting_count = 0;
    for (unsigned chip = 0; chip < 4; chip++) {
        fill(&t, chip == 0);
        border_value = 1.5;
        for (unsigned l = 0; l < LANES; l++)
            put(1, 0, l, random_between(-1, 2)), put(1, 1, l, random_between(-1, 2)), put(1, 3, l, l % 3);
        char text[1000];
        snprintf(text, sizeof text, "%s%s", parts[0], parts[1]);
        if (run(chips[chip], "pixel", text)) fail_msg("%s: %s", chips[chip], message);
        for (unsigned l = 0; l < 32; l++) {
            const double c[3] = {(double)real(wave.gpr[1][0][l]), (double)real(wave.gpr[1][1][l]), 0};
            expect_near((double)real(wave.gpr[2][0][l]), sampled(&t, &s, l % 3, c), &t, &s, l);
            assert_true(real(wave.gpr[2][1][l]) == real(wave.gpr[2][0][l]) && wave.gpr[2][2][l] == 0 &&
                        wave.gpr[2][3][l] == 0x3f800000);
        }
        struct text source = {0}, again = {0};
        text_printf(
            &source,
            "a:\n.stage pixel\n%s.loop 3 COUNT(10) INIT(2) INC(255)\n.bool 0x21\n%s%s\nb:\n.stage vertex\n"
            ".buffer b2 ADDRESS(0x1234) SIZE(100) STRIDE(12) FORMAT(8_8_8_8) NUM_FORMAT(INT) FORMAT_COMP\n"
            ".buffer f1 SIZE(1)\n%s\n",
            text, chip < 2 ? ".const C5 1, -0.5, 1e10, 2\n" : "", chip == 3 ? "CF_END" : "NOP END_OF_PROGRAM",
            chip == 3 ? "CF_END" : "NOP END_OF_PROGRAM");
        const sw_terascale_as_options a = {.size = sizeof a,
                                           .processor = sw_processor_find(chips[chip], strlen(chips[chip]))};
        const sw_terascale_output out = {add_line, &again};
        uint8_t *first, *second;
        size_t first_size, second_size;
        if (sw_terascale_assemble(source.data, source.length, &a, &first, &first_size, &sink))
            fail_msg("%s", message);
        assert_int_equal(sw_terascale_list_object(first, first_size, NULL, &out, &sink), SW_OK);
        if (sw_terascale_assemble(again.data, again.length, &a, &second, &second_size, &sink))
            fail_msg("%s\n%s", message, again.data);
        assert_int_equal(first_size, second_size);
        assert_memory_equal(first, second, first_size);
        assert_non_null(strstr(again.data, "SQ_TEX_RESOURCE_WORD0_5 DIM(1)"));
        assert_non_null(strstr(again.data, "SQ_LOOP_CONST_3 COUNT(10) INIT(2) INC(255)"));
        assert_non_null(
            strstr(again.data, chip < 2 ? "SQ_TEX_RESOURCE_WORD1_162" : "SQ_TEX_RESOURCE_WORD1_178"));
        if (chip < 2)
            assert_non_null(strstr(again.data, "TD_PS_SAMPLER3_BORDER_ALPHA BORDER_ALPHA(3221225472)"));
        sw_free(first);
        sw_free(second);
        text_free(&source);
        text_free(&again);
    }
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {".texture t0 WIDTH(0)", "WIDTH is at least 1"},
        {".texture t0 WIDTH(20000)", "WIDTH does not hold this"},
        {".texture t0 PITCH(12)", "PITCH is a multiple of 8"},
        {".texture t0 ADDRESS(12)", "ADDRESS is a multiple of 256"},
        {".texture t0 SEL(xyz)", "expected four of the letters"},
        {".texture t0 COLOUR(3)", "no field 'COLOUR' here"},
        {".texture t2000 WIDTH(3)", "no resource has the number 2000"},
        {".sampler s18 MAG(POINT)", "a stage has 18 samplers"},
        {".sampler s1 MAX_LOD(16)", "MAX_LOD does not hold 16"},
        {".sampler t1", "expected s and a number"},
        {".border s1 1, 2", "expected ','"},
        {".const C0 1, 2, 3, 4", "constants lie in memory"},
        {".loop 32 COUNT(1)", "a stage has 32 loop constants"},
        {".set SQ_TEX_RESOURCE_WORD0_1008 DIM(1)", "no register"},
        {".set 0x40000 1", "no register at 0x40000"},
        {".frob", "no such directive"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s\n", wrong[i].text);
        assert_int_equal(run("cypress", "pixel", text), SW_BAD_INPUT);
        if (!strstr(message, wrong[i].why)) fail_msg("%s: %s", wrong[i].text, message);
    }
}

// INTERP_*: P0 + i * P10 + j * P20, i in slots y and w, j in x and z; Cayman's and Evergreen's alike.
static void parameters_are_interpolated(void **unused) {
    (void)unused;
    static float all[32][4][3];
    for (unsigned k = 0; k < 32 * 12; k++)
        all[k / 12][k / 3 % 4][k % 3] = (float)(random32() % 1000) / 8 - 60;
    parameters = all;
    for (unsigned chip = 2; chip < 4; chip++) {
        setting_count = 0;
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned c = 0; c < 2; c++) put(0, c, l, random_between(-1, 2));
        if (run(chips[chip], "pixel",
                "ALU:\n0 x: INTERP_ZW ____, R0.y, Param3.x VEC_210\ny: INTERP_ZW ____, R0.x, Param3.x "
                "VEC_210\n"
                "z: INTERP_ZW R1.z, R0.y, Param3.x VEC_210\nw: INTERP_ZW R1.w, R0.x, Param3.x VEC_210\n"
                "1 x: INTERP_XY R1.x, R0.y, Param3.x VEC_210\ny: INTERP_XY R1.y, R0.x, Param3.x VEC_210\n"
                "z: INTERP_XY ____, R0.y, Param3.x VEC_210\nw: INTERP_XY ____, R0.x, Param3.x VEC_210\n"
                "2 x: INTERP_X R2.x, R0.y, Param31.x VEC_210\ny: INTERP_X ____, R0.x, Param31.x VEC_210\n"
                "3 z: INTERP_Z R2.z, R0.y, Param31.x VEC_210\nw: INTERP_Z ____, R0.x, Param31.x VEC_210\n"
                "4 x: INTERP_LOAD_P0 R3.x, Param5.x\ny: INTERP_LOAD_P0 R3.y, Param5.w\n"
                "5 z: INTERP_LOAD_P10 R3.z, Param5.x\n6 w: INTERP_LOAD_P20 R3.w, Param5.x\n"))
            fail_msg("%s: %s", chips[chip], message);
        for (unsigned l = 0; l < 32; l++) {
            const double i = (double)real(wave.gpr[0][0][l]), j = (double)real(wave.gpr[0][1][l]);
            for (unsigned c = 0; c < 6; c++) {
                const unsigned gpr = c < 4 ? 1 : 2, at = c < 4 ? c : (c - 4) * 2;
                const float *p = all[c < 4 ? 3 : 31][at];
                const double e = (double)p[0] + i * (double)p[1] + j * (double)p[2];
                assert_true(fabs((double)real(wave.gpr[gpr][at][l]) - e) < 1e-3);
            }
            assert_true(real(wave.gpr[3][0][l]) == all[5][0][0] && real(wave.gpr[3][1][l]) == all[5][3][0]);
            assert_true(real(wave.gpr[3][2][l]) == all[5][0][1] && real(wave.gpr[3][3][l]) == all[5][0][2]);
        }
    }
    parameters = NULL;
    assert_int_equal(run("cypress", "pixel", "ALU:\n0 x: INTERP_LOAD_P0 R3.x, Param5.x\n"), SW_FAULTED);
    assert_non_null(strstr(message, "parameter 5 is read, and there are none"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_agree),
        cmocka_unit_test(lods_come_from_gradients),
        cmocka_unit_test(gradients_are_differences),
        cmocka_unit_test(loads_and_sizes_agree),
        cmocka_unit_test(four_texels_are_fetched),
        cmocka_unit_test(cubes_wrap_over_edges),
        cmocka_unit_test(cube_coordinates_reach_faces),
        cmocka_unit_test(parameters_are_interpolated),
        cmocka_unit_test(directives_are_words),
        cmocka_unit_test(fetches_are_indexed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
