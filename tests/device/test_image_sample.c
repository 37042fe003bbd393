// SPDX-License-Identifier: MIT
// Sampling (src/texel/sample.h) against a reference of its own: the formulas of Vulkan ("Image Sample
// Operations") and OpenCL ("Image Addressing and Filtering") in double precision, texel by texel, without
// fixed point. What may differ is what these interfaces allow: 1/256 of a texel and of a weight.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "texel/half.h"
#include "texel/sample.h"
#include "image_wrap.h"

static uint64_t chance = 88172645463325252;
static uint64_t random64(void) {
    chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
    return chance;
}
static double random_between(double lo, double hi) {
    return lo + (hi - lo) * (double)(random64() >> 11) / 9007199254740992.0;
}

// ---- An image: texels are numbers by a hash of where they are ----

enum { LEVELS = 4, BORDER = 3 };
struct picture {
    uint32_t size[3];
    unsigned fetched;
};
static double hash(unsigned level, int64_t x, int64_t y, int64_t z, unsigned layer, unsigned c) {
    uint64_t h = (uint64_t)x * 0x9e3779b97f4a7c15u + (uint64_t)y * 0xc2b2ae3d27d4eb4fu +
                 (uint64_t)z * 0x165667b19e3779f9u + level * 0x27d4eb2f165667c5u + layer * 77773 + c * 131;
    h ^= h >> 29, h *= 0xbf58476d1ce4e5b9u, h ^= h >> 32;
    return (double)(float)((double)(h & 0xffff) / 65535);
}
static uint32_t at_level(uint32_t n, unsigned level) { return n >> level ? n >> level : 1; }
static bool picture_texel(void *context, unsigned level, const uint32_t at[3], unsigned layer,
                          uint32_t out[4]) {
    struct picture *p = context;
    for (unsigned i = 0; i < 3; i++) assert_in_range(at[i], 0, at_level(p->size[i], level) - 1);
    assert_in_range(level, 0, LEVELS - 1);
    p->fetched++;
    for (unsigned c = 0; c < 4; c++) out[c] = float_bits((float)hash(level, at[0], at[1], at[2], layer, c));
    return true;
}
static struct sample_view view_of(struct picture *p, unsigned dimensions) {
    return (struct sample_view){.texel = picture_texel,
                                .context = p,
                                .size = {p->size[0], p->size[1], p->size[2]},
                                .dimensions = (uint8_t)dimensions,
                                .layers = 1,
                                .last = LEVELS - 1};
}
static struct sample_filter plain_filter(void) {
    struct sample_filter f = {.most = 16, .most_taps = 1, .truncates = true};
    for (unsigned c = 0; c < 4; c++) f.border[c] = float_bits(BORDER);
    return f;
}

// ---- The reference ----

static double texel_at(const struct picture *p, const struct sample_filter *f, unsigned dims, unsigned level,
                       const int64_t i[3], unsigned layer, unsigned c) {
    int64_t at[3] = {0};
    for (unsigned d = 0; d < dims; d++) {
        at[d] = wrapped(f->clamp[d], i[d], at_level(p->size[d], level));
        if (at[d] < 0) return BORDER;
    }
    return hash(level, at[0], at[1], at[2], layer, c);
}
// `doubt`: how near the result is to another one, in texels.
static double reference_of(const struct picture *p, const struct sample_filter *f, unsigned dims,
                           unsigned level, const double s[3], const int offset[3], bool linear, unsigned c,
                           double *doubt) {
    double frac[3] = {0}, sum = 0;
    int64_t first[3] = {0};
    *doubt = 1;
    for (unsigned d = 0; d < dims; d++) {
        const double u = unwrapped(f->clamp[d], s[d], at_level(p->size[d], level)) - (linear ? 0.5 : 0);
        first[d] = (int64_t)floor(u) + offset[d];
        frac[d] = u - floor(u);
        const double near = frac[d] < 0.5 ? frac[d] : 1 - frac[d];
        if (!linear && near < *doubt) *doubt = near;
    }
    for (unsigned k = 0; k < (linear ? 1u << dims : 1); k++) {
        double weight = 1;
        int64_t at[3] = {0};
        for (unsigned d = 0; d < dims; d++) {
            at[d] = first[d] + (k >> d & 1);
            if (linear) weight *= k >> d & 1 ? frac[d] : 1 - frac[d];
        }
        sum += weight * texel_at(p, f, dims, level, at, 0, c);
    }
    return sum;
}

// ---- Tests ----

static unsigned compared;

// Every address mode in each dimension, point and linear, with and without offsets.
static void modes_and_filters(void **state) {
    (void)state;
    static const uint32_t sizes[][3] = {{8, 8, 8}, {7, 5, 3}, {1, 13, 2}, {16, 1, 6}, {100, 33, 17}};
    for (unsigned dims = 1; dims <= 3; dims++)
        for (unsigned z = 0; z < sizeof sizes / sizeof *sizes; z++)
            for (unsigned clamp = 0; clamp < 8; clamp++)
                for (unsigned linear = 0; linear < 2; linear++)
                    for (unsigned n = 0; n < 60; n++) {
                        struct picture p = {.size = {sizes[z][0], 1, 1}};
                        for (unsigned d = 1; d < dims; d++) p.size[d] = sizes[z][d];
                        struct sample_view v = view_of(&p, dims);
                        struct sample_filter f = plain_filter();
                        f.mag_linear = f.mag_linear_z = linear;
                        f.truncates = n & 1;
                        struct sample_request r = {.level = LEVEL_ZERO};
                        double s[3] = {0}, doubt;
                        for (unsigned d = 0; d < dims; d++) {
                            f.clamp[d] = (uint8_t)((clamp + d * 3) % 8);
                            r.at[d] = (float)random_between(-2.6, 2.6);
                            s[d] = (double)r.at[d];
                            r.offset[d] = n % 3 ? 0 : (int)(random64() % 64) - 32;
                        }
                        uint32_t out[4];
                        assert_int_equal(sample_colour(&v, &f, &r, out), SAMPLE_DONE);
                        for (unsigned c = 0; c < 4; c++) {
                            const double want = reference_of(&p, &f, dims, 0, s, r.offset, linear, c, &doubt);
                            // Coordinates to 1/256 of a texel; the border is 3, so weights move by 3.
                            const double bound = linear ? dims * BORDER / 256.0 : 1e-7;
                            if (!linear && doubt < 1 / 256.0) continue;
                            compared++;
                            if (fabs((double)bits_float(out[c]) - want) > bound)
                                print_error("%u dimensions, size %u, mode %u, linear %u: %g, not %g\n", dims,
                                            p.size[0], f.clamp[0], linear, (double)bits_float(out[c]), want);
                            assert_true(fabs((double)bits_float(out[c]) - want) <= bound);
                        }
                    }
}

// Given levels between two images, by each filter of levels.
static void levels_given(void **state) {
    (void)state;
    for (unsigned mip = 0; mip < 3; mip++)
        for (unsigned n = 0; n < 2000; n++) {
            struct picture p = {.size = {32, 24, 1}};
            struct sample_view v = view_of(&p, 2);
            struct sample_filter f = plain_filter();
            const bool linear = n & 1;
            f.mip = (uint8_t)mip;
            f.mag_linear = f.min_linear = linear;
            f.bias = (float)((int)(n % 5) - 2) / 4;
            f.least = n % 7 == 0 ? 0.75f : 0;
            f.most = n % 11 == 0 ? 1.5f : 15;
            v.base = n % 13 == 0;
            v.last = LEVELS - 1 - (n % 17 == 0);
            struct sample_request r = {.level = LEVEL_GIVEN, .given = (float)random_between(-1, 5)};
            r.at[0] = (float)random_between(0, 1), r.at[1] = (float)random_between(0, 1);
            uint32_t out[4];
            assert_int_equal(sample_colour(&v, &f, &r, out), SAMPLE_DONE);
            const double s[3] = {(double)r.at[0], (double)r.at[1]};
            double level = (double)r.given + (double)f.bias, doubt, worst = 1;
            level = fmin(fmax(level, (double)f.least), (double)f.most);
            level = fmin(fmax(level, 0), v.last - v.base);
            for (unsigned c = 0; c < 4; c++) {
                double want;
                if (mip == MIP_NONE)
                    want = reference_of(&p, &f, 2, v.base, s, r.offset, linear, c, &worst);
                else if (mip == MIP_POINT) {
                    if (fabs(level - floor(level) - 0.5) < 1 / 256.0) continue;
                    want = reference_of(&p, &f, 2, v.base + (unsigned)floor(level + 0.5), s, r.offset, linear,
                                        c, &worst);
                } else {
                    const unsigned l = v.base + (unsigned)floor(level);
                    const double part = level - floor(level);
                    want = (1 - part) * reference_of(&p, &f, 2, l, s, r.offset, linear, c, &worst);
                    if (part > 0) {
                        want += part * reference_of(&p, &f, 2, l + 1, s, r.offset, linear, c, &doubt);
                        if (doubt < worst) worst = doubt;
                    }
                }
                if (!linear && worst < 1 / 128.0) continue;
                compared++;
                assert_true(fabs((double)bits_float(out[c]) - want) <= 4 / 256.0);
            }
        }
}

// The level that derivatives ask for: log2 of the longer of two vectors in texels.
static void levels_derived(void **state) {
    (void)state;
    for (unsigned n = 0; n < 3000; n++) {
        const unsigned dims = 1 + n % 3;
        struct picture p = {.size = {64, dims > 1 ? 40 : 1, dims > 2 ? 20 : 1}};
        struct sample_view v = view_of(&p, dims);
        struct sample_filter f = plain_filter();
        f.bias = n % 4 ? 0 : 0.5f;
        struct sample_request r = {.level = LEVEL_DERIVED, .bias = n % 3 ? 0 : -0.25f};
        r.has_limit = n % 5 == 0;
        r.limit = 1.125f;
        v.least = n % 6 ? 0 : 0.5f;
        double a = 0, b = 0;
        for (unsigned d = 0; d < dims; d++) {
            r.across[d] = (float)random_between(-0.2, 0.2);
            r.down[d] = (float)random_between(-0.2, 0.2);
            a += pow((double)r.across[d] * p.size[d], 2);
            b += pow((double)r.down[d] * p.size[d], 2);
        }
        const double want = log2(fmax(sqrt(a), sqrt(b))) + (double)f.bias + (double)r.bias;
        double level = fmin(fmax(want, 0), 16);
        if (r.has_limit) level = fmax(level, (double)r.limit);
        level = fmin(fmax(level, (double)v.least), v.last);
        float raw, got = sample_level_of(&v, &f, &r, &raw);
        assert_true(fabs((double)raw - want) <= 1 / 256.0);
        assert_true(fabs((double)got - level) <= 1 / 256.0);
        compared += 2;
    }
}

// A compare of each texel with a reference, then the filter; eight functions.
static void compares(void **state) {
    (void)state;
    for (unsigned function = 0; function < 8; function++)
        for (unsigned n = 0; n < 300; n++) {
            struct picture p = {.size = {9, 9, 1}};
            struct sample_view v = view_of(&p, 2);
            struct sample_filter f = plain_filter();
            f.compare = (uint8_t)function;
            f.clamp[0] = f.clamp[1] = CLAMP_LAST_TEXEL;
            f.mag_linear = n & 1;
            v.is_unit = n & 2;
            struct sample_request r = {.level = LEVEL_ZERO, .has_reference = true};
            r.at[0] = (float)random_between(0, 1), r.at[1] = (float)random_between(0, 1);
            r.reference = n % 9 == 0 ? 1.5f : (float)random_between(0, 1);
            const double z = v.is_unit ? fmin((double)r.reference, 1) : (double)r.reference;
            double want = 0, near = 1;
            const double u = (double)r.at[0] * 9 - (n & 1 ? 0.5 : 0),
                         w = (double)r.at[1] * 9 - (n & 1 ? 0.5 : 0);
            for (unsigned k = 0; k < (n & 1 ? 4u : 1u); k++) {
                const int64_t at[3] = {(int64_t)floor(u) + (k & 1), (int64_t)floor(w) + (k >> 1)};
                const double d = texel_at(&p, &f, 2, 0, at, 0, 0);
                const bool yes[8] = {false, z<d, z == d, z <= d, z> d, z != d, z >= d, true};
                const double fx = u - floor(u), fy = w - floor(w);
                const double weight = n & 1 ? (k & 1 ? fx : 1 - fx) * (k >> 1 ? fy : 1 - fy) : 1;
                want += weight * yes[function];
                if (!(n & 1)) near = fmin(fmin(fx, 1 - fx), fmin(fy, 1 - fy));
            }
            uint32_t out[4];
            assert_int_equal(sample_colour(&v, &f, &r, out), SAMPLE_DONE);
            if (near < 1 / 256.0) continue;
            compared++;
            assert_true(fabs((double)bits_float(out[0]) - want) <= 2 / 256.0);
        }
}

// The four texels of a linear filter, unfiltered, and the smallest and largest of them.
static void gathers_and_reductions(void **state) {
    (void)state;
    for (unsigned n = 0; n < 1000; n++) {
        struct picture p = {.size = {11, 6, 1}};
        struct sample_view v = view_of(&p, 2);
        struct sample_filter f = plain_filter();
        f.clamp[0] = (uint8_t)(n % 8), f.clamp[1] = (uint8_t)(n / 8 % 8);
        f.mag_linear = true;
        struct sample_request r = {.level = LEVEL_ZERO, .offset = {(int)(n % 3) - 1, 0, 0}};
        double s[2], frac[2];
        int64_t first[2];
        bool near = false;
        for (unsigned d = 0; d < 2; d++) {
            r.at[d] = (float)random_between(-1.5, 1.5);
            s[d] = unwrapped(f.clamp[d], (double)r.at[d], p.size[d]) - 0.5;
            first[d] = (int64_t)floor(s[d]);
            frac[d] = s[d] - floor(s[d]);
            near |= frac[d] < 1 / 128.0 || frac[d] > 1 - 1 / 128.0;
        }
        if (near) continue;
        first[0] += r.offset[0];
        double four[4], least = 9, most = -9;
        static const int8_t places[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
        uint32_t out[4][4], one[4];
        assert_int_equal(sample_gather(&v, &f, &r, false, false, out), SAMPLE_DONE);
        for (unsigned k = 0; k < 4; k++) {
            const int64_t at[3] = {first[0] + places[k][0], first[1] + places[k][1]};
            four[k] = texel_at(&p, &f, 2, 0, at, 0, 2);
            assert_true((double)bits_float(out[k][2]) == four[k]);
            least = fmin(least, four[k]), most = fmax(most, four[k]);
            compared++;
        }
        f.reduction = n & 1 ? REDUCE_MIN : REDUCE_MAX;
        assert_int_equal(sample_colour(&v, &f, &r, one), SAMPLE_DONE);
        assert_true((double)bits_float(one[2]) == (n & 1 ? least : most));
        compared++;
    }
}

// Slices are the nearest ones, and the last stands for those behind it.
static void slices(void **state) {
    (void)state;
    static const struct {
        float slice;
        unsigned layer;
    } cases[] = {{0, 0}, {0.4f, 0}, {0.6f, 1}, {3.3f, 3}, {9, 4}, {-3, 0}, {1e30f, 4}, {NAN, 0}};
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct picture p = {.size = {8, 8, 1}};
        struct sample_view v = view_of(&p, 2);
        v.is_array = true, v.layers = 5;
        const struct sample_filter f = plain_filter();
        const struct sample_request r = {.level = LEVEL_ZERO, .slice = cases[n].slice, .at = {0.3f, 0.7f}};
        uint32_t out[4];
        assert_int_equal(sample_colour(&v, &f, &r, out), SAMPLE_DONE);
        assert_true((double)bits_float(out[1]) == hash(0, 2, 5, 0, cases[n].layer, 1));
        compared++;
    }
}

// ---- Cubes: a smooth function of the direction, whose filtered value has no seams ----

static double smooth(const double d[3]) {
    const double n = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    return 0.5 + 0.2 * d[0] / n - 0.15 * d[1] / n + 0.1 * d[2] / n;
}
// Direct3D's table: the direction of s, t from 0 to 1 on a face.
static void direction(unsigned face, double s, double t, double d[3]) {
    const double u = 2 * s - 1, v = 2 * t - 1;
    const double all[6][3] = {{1, -v, -u}, {-1, -v, u}, {u, 1, v}, {u, -1, -v}, {u, -v, 1}, {-u, -v, -1}};
    memcpy(d, all[face], sizeof all[face]);
}
static bool cube_texel(void *context, unsigned level, const uint32_t at[3], unsigned layer, uint32_t out[4]) {
    double d[3];
    const uint32_t *size = context;
    assert_true(at[0] < *size && at[1] < *size && layer < 6 && !level);
    direction(layer, (at[0] + 0.5) / *size, (at[1] + 0.5) / *size, d);
    for (unsigned c = 0; c < 4; c++) out[c] = float_bits((float)smooth(d));
    return true;
}
static void cubes_have_no_seams(void **state) {
    (void)state;
    uint32_t size = 32;
    const struct sample_view v = {.texel = cube_texel,
                                  .context = &size,
                                  .size = {size, size, 1},
                                  .dimensions = 2,
                                  .is_cube = true,
                                  .layers = 1};
    struct sample_filter f = plain_filter();
    f.mag_linear = true;
    for (unsigned n = 0; n < 20000; n++) {
        const unsigned face = n % 6;
        // Along edges and at corners more often than elsewhere.
        double s = random_between(0, 1), t = random_between(0, 1), d[3];
        if (n & 8) s = s < 0.5 ? s / 40 : 1 - (1 - s) / 40;
        if (n & 16) t = t < 0.5 ? t / 40 : 1 - (1 - t) / 40;
        const struct sample_request r = {
            .level = LEVEL_ZERO, .at = {(float)(s + 1), (float)(t + 1)}, .slice = (float)face};
        uint32_t out[4];
        direction(face, s, t, d);
        assert_int_equal(sample_colour(&v, &f, &r, out), SAMPLE_DONE);
        compared++;
        // A clamped edge would be off by half a texel, 0.008; the corner's mean by a third of one.
        assert_true(fabs((double)bits_float(out[0]) - smooth(d)) < ((n & 24) == 24 ? 0.006 : 0.003));
    }
}

// The taps of an anisotropic filter lie along the longer axis, and the level is that of the shorter one.
static void anisotropic(void **state) {
    (void)state;
    struct picture p = {.size = {64, 64, 1}};
    const struct sample_view v = view_of(&p, 2);
    struct sample_filter f = plain_filter();
    f.mip = MIP_POINT, f.min_linear = f.mag_linear = true;
    f.min_anisotropic = f.mag_anisotropic = true;
    for (unsigned taps = 1; taps <= 16; taps *= 2) {
        f.most_taps = (uint8_t)taps;
        struct sample_request r = {.level = LEVEL_DERIVED, .at = {0.4f, 0.6f}};
        r.across[0] = 16 / 64.0f, r.down[1] = 1 / 64.0f;
        float raw;
        sample_level_of(&v, &f, &r, &raw);
        assert_true(fabs((double)raw - log2(16.0 / taps)) < 1 / 256.0);
        p.fetched = 0;
        uint32_t out[4];
        assert_int_equal(sample_colour(&v, &f, &r, out), SAMPLE_DONE);
        assert_in_range(p.fetched, taps, 4 * taps);
        const unsigned level =
            (unsigned)lround(log2(16.0 / taps)) < LEVELS ? (unsigned)lround(log2(16.0 / taps)) : LEVELS - 1;
        double want = 0, doubt;
        for (unsigned n = 0; n < taps; n++) {
            const double s[3] = {(double)r.at[0] + 0.25 * ((n + 0.5) / taps - 0.5), (double)r.at[1]};
            want += reference_of(&p, &f, 2, level, s, r.offset, true, 0, &doubt) / taps;
        }
        assert_true(fabs((double)bits_float(out[0]) - want) < 3 / 256.0);
        compared++;
    }
}

// Any bits as coordinates, levels and derivatives: an answer from inside the image, in few texels.
static void hostile(void **state) {
    (void)state;
    for (unsigned n = 0; n < 200000; n++) {
        struct picture p = {.size = {1 + random64() % 300, 1 + random64() % 9, 1 + random64() % 5}};
        struct sample_view v = view_of(&p, 1 + n % 3);
        for (unsigned d = v.dimensions; d < 3; d++) v.size[d] = p.size[d] = 1;
        v.is_integer = n % 7 == 0;
        if (v.dimensions == 2 && n % 5 == 0) v.is_cube = true, v.size[1] = p.size[1] = p.size[0];
        struct sample_filter f;
        struct sample_request r;
        uint64_t bits[(sizeof f + sizeof r) / 8 + 2];
        for (unsigned i = 0; i < sizeof bits / 8; i++) bits[i] = random64();
        memset(&f, 0, sizeof f), memset(&r, 0, sizeof r);
        const uint8_t *b = (const uint8_t *)bits;
        for (unsigned i = 0; i < 3; i++) {
            f.clamp[i] = b[i] & 7;
            r.at[i] = bits_float((uint32_t)bits[1 + i]);
            r.across[i] = bits_float((uint32_t)bits[4 + i]), r.down[i] = bits_float((uint32_t)bits[7 + i]);
            r.offset[i] = (int)(b[100 + i] & 63) - 32;
        }
        f.mag_linear = b[4] & 1, f.min_linear = b[4] & 2, f.min_anisotropic = b[4] & 4;
        f.mag_linear_z = b[4] & 8, f.min_linear_z = b[4] & 16, f.unnormalized = b[4] & 32;
        f.mip = b[5] % 3, f.reduction = b[6] % 3, f.most_taps = 1 + b[7] % 16, f.compare = b[3] & 7;
        f.bias = bits_float((uint32_t)bits[10]), f.most = 15, f.least = 0;
        r.level = b[90] % 3, r.has_limit = b[91] & 1, r.has_reference = b[91] & 2;
        r.given = bits_float((uint32_t)bits[12]), r.limit = bits_float((uint32_t)bits[13] ^ b[92]);
        r.slice = bits_float((uint32_t)bits[11] ^ b[93]);
        if (f.bias != f.bias) f.bias = 0;
        uint32_t out[4], four[4][4];
        assert_int_equal(sample_colour(&v, &f, &r, out), SAMPLE_DONE);
        assert_in_range(p.fetched, 0, 16 * 16);
        assert_int_equal(sample_gather(&v, &f, &r, n & 1, n % 9 == 0, four), SAMPLE_DONE);
    }
}

static void count(void **state) {
    (void)state;
    print_message("%u values compared with the reference\n", compared);
    assert_true(compared > 50000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_and_filters),
        cmocka_unit_test(levels_given),
        cmocka_unit_test(levels_derived),
        cmocka_unit_test(compares),
        cmocka_unit_test(gathers_and_reductions),
        cmocka_unit_test(slices),
        cmocka_unit_test(cubes_have_no_seams),
        cmocka_unit_test(anisotropic),
        cmocka_unit_test(hostile),
        cmocka_unit_test(count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
