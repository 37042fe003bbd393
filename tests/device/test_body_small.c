// SPDX-License-Identifier: MIT
// Conversions of FP8, BF8, FP6, BF6 and FP4: every code both ways against a reference in doubles that finds
// the nearest value by search, then every conversion body at every level: places chosen by op_sel, scales,
// random bits, packed streams of six bits. Also facts that bodies get from the translator in op->e.
// Facts shown: TRAP-044, 115, 117, 125, 165 to 167, 169, 171, 173, 174, 176, 178, 184, 191, 194.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "bare_wave.h"
#include "exec/body/small.h"

// What the formats are, written down apart from the code under test: exponent bits, mantissa bits, bias, and
// the largest number.
static const struct {
    unsigned e, m;
    int bias;
    double most;
    bool infinite, nan, fnuz;
} facts[] = {{8, 23, 127, 0x1.fffffep127, true, true, false},
             {5, 10, 15, 65504, true, true, false},
             {8, 7, 127, 0x1.fep127, true, true, false},
             {4, 3, 7, 448, false, true, false},
             {5, 2, 15, 57344, true, true, false},
             {4, 3, 8, 240, false, true, true},
             {5, 2, 16, 57344, false, true, true},
             {2, 3, 1, 7.5, false, false, false},
             {3, 2, 3, 28, false, false, false},
             {2, 1, 1, 6, false, false, false}};
static double make_value(unsigned f, uint32_t code) {
    const uint32_t fraction = code & ((1u << facts[f].m) - 1),
                   exponent = code >> facts[f].m & ((1u << facts[f].e) - 1);
    const double s = code >> (facts[f].e + facts[f].m) & 1 ? -1 : 1;
    if (facts[f].fnuz && code == 0x80) return NAN;
    const double v = ldexp((exponent ? 1.0 : 0.0) + ldexp(fraction, -(int)facts[f].m),
                           (int)(exponent ? exponent : 1) - facts[f].bias);
    if (v > facts[f].most) return facts[f].infinite && !fraction ? s * INFINITY : NAN;
    return s * v;
}
// From a table, but for F32.
static double value_of(unsigned f, uint32_t code) {
    if (!f) return make_value(f, code);
    static double *values[sizeof facts / sizeof *facts];
    const uint32_t codes = 2u << (facts[f].e + facts[f].m);
    if (!values[f]) {
        assert_non_null(values[f] = malloc(codes * sizeof **values));
        for (uint32_t c = 0; c < codes; c++) values[f][c] = make_value(f, c);
    }
    return values[f][code & (codes - 1)];
}
static bool same_value(double a, double b) {
    return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}
static uint32_t code_of_f32(float f) {
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}
// The neighbours of |v| in the format: the largest code not above it.
static uint32_t below(unsigned f, double v) {
    uint32_t code = 0;
    for (uint32_t bit = 1u << (facts[f].e + facts[f].m - 1); bit; bit >>= 1)
        if (value_of(f, code | bit) <= v) code |= bit;
    return code;
}
static uint32_t expected(unsigned f, double v, bool saturate, bool stochastic, uint32_t random) {
    const uint32_t sign = signbit(v) ? 1u << (facts[f].e + facts[f].m) : 0;
    const bool nan = isnan(v);
    const double a = fabs(v);
    uint32_t all = (1u << (facts[f].e + facts[f].m)) - 1;
    uint32_t most = below(f, facts[f].most), special = facts[f].infinite ? most + 1
                                                       : facts[f].fnuz   ? 0x80
                                                                         : all;
    if (nan)
        return facts[f].fnuz   ? 0x80
               : !facts[f].nan ? sign | most
                               : sign | (facts[f].infinite ? most + 1 + (1u << (facts[f].m - 1)) : all);
    uint32_t code = isinf(v) ? most + 1 : below(f, a);
    if (code <= most && !isinf(v)) {
        // The step above the largest number is as wide as the one below it.
        const double lo = value_of(f, code),
                     hi = code < most ? value_of(f, code + 1) : 2 * lo - value_of(f, code - 1);
        const double part = (a - lo) / (hi - lo);
        if (stochastic) {
            const unsigned drop = 23 - facts[f].m;
            if (drop &&
                floor(ldexp(part, (int)drop)) + (double)(random >> (32 - drop)) >= ldexp(1, (int)drop))
                code++;
        } else if (part > 0.5 || (part == 0.5 && code & 1))
            code++;
    }
    if (code > most)
        return saturate || !facts[f].nan ? sign | most : facts[f].fnuz ? special : sign | special;
    return facts[f].fnuz && !code ? 0 : sign | code;
}
static float interesting(unsigned n) {
    if (n % 4 == 0) return (float)ldexp((double)(int64_t)random64() / 9.3e18, (int)(random64() % 40) - 20);
    if (n % 4 == 1) return (float)value_of(3 + n / 4 % 7, (uint32_t)random64() & 255);
    if (n % 4 == 2) { // halfway between codes
        const unsigned f = 3 + n / 4 % 7;
        const uint32_t c = (uint32_t)random64() % ((1u << (facts[f].e + facts[f].m)) - 1);
        return (float)((value_of(f, c) + value_of(f, c + 1)) / 2);
    }
    const uint32_t u = tricky32();
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static void codes(void **state) {
    (void)state;
    for (unsigned f = 1; f < 10; f++)
        for (uint32_t c = 0; c < 1u << small_bits(f); c++) {
            const uint32_t bits = small_encode(FORMAT_F32, small_decode(f, c), 0, 0);
            assert_true(same_value(value_of(0, bits), value_of(f, c)));
            if (!isnan(value_of(f, c))) assert_int_equal(small_encode(f, small_decode(f, c), 0, 0), c);
        }
    for (unsigned n = 0; n < 400000; n++) {
        const unsigned f = 1 + n % 9;
        const float x = interesting(n / 9);
        const uint32_t random = (uint32_t)random64(), u = code_of_f32(x);
        for (unsigned flags = 0; flags < 4; flags++) {
            const uint32_t got = small_encode(f, small_decode(FORMAT_F32, u), flags, random);
            const uint32_t want = expected(f, (double)x, flags & 1, flags & 2, random);
            if (got != want)
                fail_msg("%a to format %u flags %u random %x: got %x want %x", (double)x, f, flags, random,
                         got, want);
        }
    }
}

// ---- Bodies ----
enum { NO, BYTE_IN, HALF_IN, BYTE_OUT, HALF_OUT, BYTE_IN_HALF_OUT };
struct row_facts {
    const char *sem;
    unsigned from, to, count, place, scale; // scale operand: 0 none, 1 b, 2 c
    bool two, random;
};
#define EIGHT(x, F)                                                                                          \
    {"v_cvt_f32_" x, F, 0, 1, BYTE_IN, 0, 0, 0}, {"v_cvt_pk_f32_" x, F, 0, 2, HALF_IN, 0, 0, 0},             \
        {"v_cvt_pk_" x "_f32", 0, F, 2, NO, 0, 1, 0}, {"v_cvt_sr_" x "_f32", 0, F, 1, BYTE_OUT, 0, 0, 1},    \
        {"v_cvt_scalef32_pk_" x "_f32", 0, F, 2, HALF_OUT, 2, 1, 0},                                         \
        {"v_cvt_scalef32_pk_" x "_f16", 1, F, 2, HALF_OUT, 1, 0, 0},                                         \
        {"v_cvt_scalef32_pk_" x "_bf16", 2, F, 2, HALF_OUT, 1, 0, 0},                                        \
        {"v_cvt_scalef32_sr_" x "_f32", 0, F, 1, BYTE_OUT, 2, 0, 1},                                         \
        {"v_cvt_scalef32_sr_" x "_f16", 1, F, 1, BYTE_OUT, 2, 0, 1},                                         \
        {"v_cvt_scalef32_sr_" x "_bf16", 2, F, 1, BYTE_OUT, 2, 0, 1},                                        \
        {"v_cvt_scalef32_f32_" x, F, 0, 1, BYTE_IN, 1, 0, 0},                                                \
        {"v_cvt_scalef32_f16_" x, F, 1, 1, BYTE_IN_HALF_OUT, 1, 0, 0},                                       \
        {"v_cvt_scalef32_pk_f32_" x, F, 0, 2, HALF_IN, 1, 0, 0},                                             \
        {"v_cvt_scalef32_pk_f16_" x, F, 1, 2, HALF_IN, 1, 0, 0}, {                                           \
        "v_cvt_scalef32_pk_bf16_" x, F, 2, 2, HALF_IN, 1, 0, 0                                               \
    }
#define SIX(x, F)                                                                                            \
    {"v_cvt_scalef32_2xpk16_" x "_f32", 0, F, 32, NO, 2, 1, 0},                                              \
        {"v_cvt_scalef32_sr_pk32_" x "_f32", 0, F, 32, NO, 2, 0, 1},                                         \
        {"v_cvt_scalef32_sr_pk32_" x "_f16", 1, F, 32, NO, 2, 0, 1},                                         \
        {"v_cvt_scalef32_sr_pk32_" x "_bf16", 2, F, 32, NO, 2, 0, 1},                                        \
        {"v_cvt_scalef32_pk32_" x "_f16", 1, F, 32, NO, 1, 0, 0},                                            \
        {"v_cvt_scalef32_pk32_" x "_bf16", 2, F, 32, NO, 1, 0, 0},                                           \
        {"v_cvt_scalef32_pk32_f32_" x, F, 0, 32, NO, 1, 0, 0},                                               \
        {"v_cvt_scalef32_pk32_f16_" x, F, 1, 32, NO, 1, 0, 0}, {                                             \
        "v_cvt_scalef32_pk32_bf16_" x, F, 2, 32, NO, 1, 0, 0                                                 \
    }
static const struct row_facts rows[] = {
    EIGHT("fp8", 3),
    EIGHT("bf8", 4),
    SIX("fp6", 7),
    SIX("bf6", 8),
    {"v_cvt_scalef32_pk_fp4_f32", 0, 9, 2, BYTE_OUT, 2, 1, 0},
    {"v_cvt_scalef32_pk_fp4_f16", 1, 9, 2, BYTE_OUT, 1, 0, 0},
    {"v_cvt_scalef32_pk_fp4_bf16", 2, 9, 2, BYTE_OUT, 1, 0, 0},
    {"v_cvt_scalef32_sr_pk_fp4_f32", 0, 9, 2, BYTE_OUT, 2, 0, 1},
    {"v_cvt_scalef32_sr_pk_fp4_f16", 1, 9, 2, BYTE_OUT, 2, 0, 1},
    {"v_cvt_scalef32_sr_pk_fp4_bf16", 2, 9, 2, BYTE_OUT, 2, 0, 1},
    {"v_cvt_scalef32_pk_f32_fp4", 9, 0, 2, BYTE_IN, 1, 0, 0},
    {"v_cvt_scalef32_pk_f16_fp4", 9, 1, 2, BYTE_IN, 1, 0, 0},
    {"v_cvt_scalef32_pk_bf16_fp4", 9, 2, 2, BYTE_IN, 1, 0, 0},
    {"v_cvt_sr_f16_f32", 0, 1, 1, HALF_OUT, 0, 0, 1},
    {"v_cvt_sr_bf16_f32", 0, 2, 1, HALF_OUT, 0, 0, 1},
    {"v_cvt_pk_f16_f32", 0, 1, 2, NO, 0, 1, 0},
    {"v_cvt_pk_bf16_f32", 0, 2, 2, NO, 0, 1, 0},
    {"v_cvt_f32_bf16", 2, 0, 1, NO, 0, 0, 0},
};
enum { ROWS = sizeof rows / sizeof *rows, A = 0, B = 32, C = 64, D = 66 };
static unsigned width(unsigned f) { return 1 + facts[f].e + facts[f].m; }
static uint32_t get_field(const uint8_t *bytes, unsigned at, unsigned bits) {
    uint32_t v = 0;
    for (unsigned b = 0; b < bits; b++) v |= (uint32_t)(bytes[(at + b) / 8] >> (at + b) % 8 & 1) << b;
    return v;
}
static void gather(struct wave *w, unsigned reg, unsigned count, unsigned l, uint8_t *bytes) {
    for (unsigned r = 0; r < count; r++) memcpy(bytes + 4 * r, &lanes_of(w, vgpr(w, reg + r))[l], 4);
}
static void bodies(void **state) {
    (void)state;
    for (unsigned level = 0; level < level_count(); level++)
        for (unsigned r = 0; r < ROWS; r++)
            for (unsigned n = 0; n < 24; n++) {
                const struct row_facts *row = &rows[r];
                const struct body *body = body_named(&levels[level], row->sem);
                if (!body) fail_msg("no row has %s", row->sem);
                struct wave *w = bare_wave(n & 1 ? 32 : 64, 100);
                const bool fnuz = n & 2 && !row->scale &&
                                  (row->from == 3 || row->from == 4 || row->to == 3 || row->to == 4);
                const unsigned sel = (unsigned)random64() & 15;
                const unsigned from = fnuz && row->from >= 3 ? row->from + 2 : row->from;
                const unsigned to = fnuz && row->to >= 3 ? row->to + 2 : row->to;
                // FP16_OVFL, where the processor says that these conversions obey it (ERR-39).
                const bool stays_below = n % 3 == 0 && row->two && row->place == NO && row->to < 3;
                w->exec = n < 4 ? ~0ull : random64();
                if (n & 4) w->mode |= 1 << 23;
                if (n & 8)
                    w->mode &= ~0xf0u, w->mxcsr = 0x1f80 | 0x8040 | 0x6000; // other rounding, no denormals
                for (unsigned v = 0; v < 100; v++)
                    for (unsigned l = 0; l < w->lanes; l++) {
                        const float x = interesting((unsigned)random64());
                        uint32_t u = from ? (uint32_t)random64() : code_of_f32(x);
                        if (from == 1 || from == 2)
                            u = expected(from, (double)x, 0, 0, 0) |
                                expected(from, (double)interesting(l), 0, 0, 0) << 16;
                        lanes_of(w, vgpr(w, v))[l] = u;
                    }
                const unsigned scale_reg = row->scale == 1 ? B : C;
                for (unsigned l = 0; row->scale && l < w->lanes; l++)
                    lanes_of(w, vgpr(w, scale_reg))[l] = (uint32_t)(l % 16 == 9 ? 255 : 110 + random64() % 30)
                                                             << 23 |
                                                         ((uint32_t)random64() & 0x7fffff);
                for (unsigned l = 0; row->random && l < w->lanes; l++)
                    lanes_of(w, vgpr(w, B))[l] = (uint32_t)random64();
                static uint8_t before[64][136], source[2][64][136];
                for (unsigned l = 0; l < w->lanes; l++) {
                    gather(w, D, 34, l, before[l]);
                    gather(w, A, 32, l, source[0][l]);
                    gather(w, B, 32, l, source[1][l]);
                }
                run_op(w,
                       (struct op){.d = vgpr(w, D),
                                   .a = vgpr(w, A),
                                   .b = vgpr(w, B),
                                   .c = vgpr(w, C),
                                   .e = sel << 8 | (fnuz ? 64u : 0) | (stays_below ? 1u << 14 : 0)},
                       body->fn[0]);
                const unsigned in_at = row->place == BYTE_IN || row->place == BYTE_IN_HALF_OUT ? 8 * (sel & 3)
                                       : row->place == HALF_IN ? 16 * (sel & 1)
                                                               : 0;
                const unsigned out_at = row->place == BYTE_OUT ? 8 * (sel >> 2)
                                        : row->place == HALF_OUT || row->place == BYTE_IN_HALF_OUT
                                            ? 16 * (sel >> 3)
                                            : 0;
                for (unsigned l = 0; l < w->lanes; l++) {
                    uint8_t after[136];
                    gather(w, D, 34, l, after);
                    const bool on = w->exec >> l & 1;
                    uint32_t random = lanes_of(w, vgpr(w, B))[l];
                    const unsigned scale = lanes_of(w, vgpr(w, scale_reg))[l] >> 23 & 255;
                    for (unsigned b = 0; b < 34 * 32; b++) {
                        const bool ours = on && b >= out_at && b < out_at + row->count * width(to);
                        if (!ours) assert_int_equal(get_field(after, b, 1), get_field(before[l], b, 1));
                    }
                    for (unsigned i = 0; on && i < row->count; i++) {
                        const uint8_t *bytes = source[row->two && i & 1][l];
                        const uint32_t code =
                            get_field(bytes, in_at + (row->two ? i / 2 : i) * width(from), width(from));
                        double v = value_of(from, code);
                        if (row->scale)
                            v = scale == 255
                                    ? NAN
                                    : ldexp(v, width(from) > width(to) ? 127 - (int)scale : (int)scale - 127);
                        const uint32_t got = get_field(after, out_at + i * width(to), width(to));
                        uint32_t want = expected(to, v, to >= 3 && n & 4, row->random, random);
                        if (stays_below && n & 4 && isinf(value_of(to, want)) && !isinf(v)) want--;
                        const bool both_nan = isnan(value_of(to, got)) && isnan(v);
                        if (got != want && !both_nan && !(isnan(v) && to >= 7))
                            fail_msg("%s element %u (%x, scale %u, random %x): got %x want %x", row->sem, i,
                                     code, scale, random, got, want);
                        random = random << 1 ^ (random >> 31 ? 197 : 0);
                    }
                }
                free(w);
            }
}

// ---- Facts in op->e ----
static uint32_t run3(const struct level *level, const char *sem, uint32_t e, uint32_t a, uint32_t b,
                     uint32_t c) {
    struct wave *w = bare_wave(32, 4);
    for (unsigned l = 0; l < 32; l++)
        lanes_of(w, vgpr(w, 0))[l] = a, lanes_of(w, vgpr(w, 1))[l] = b, lanes_of(w, vgpr(w, 2))[l] = c;
    run_op(w, (struct op){.d = vgpr(w, 3), .a = vgpr(w, 0), .b = vgpr(w, 1), .c = vgpr(w, 2), .e = e},
           body_named(level, sem)->fn[0]);
    const uint32_t r = lanes_of(w, vgpr(w, 3))[31];
    free(w);
    return r;
}
static void flags(void **state) {
    (void)state;
    for (unsigned n = 0; n < level_count(); n++) {
        const struct level *v = &levels[n];
        assert_int_equal(run3(v, "v_min_f32", 0, 0x7fc00001, 0x7fc00002, 0), 0x7fc00002);
        assert_int_equal(run3(v, "v_min_f32", 8, 0x7fc00001, 0x7fc00002, 0), 0x7fc00001); // TRAP-125
        assert_int_equal(run3(v, "v_max_f32", 8, 0x7fc00001, 0x7fc00002, 0), 0x7fc00001);
        assert_int_equal(run3(v, "v_max_f32", 8, 0x7fc00001, 0x40000000, 0), 0x40000000);
        assert_int_equal(run3(v, "v_min_f32", 8, 0x7fc00001, 0x7f800002, 0), 0x7fc00002); // signalling
        // 2^30 - 2^30 + 1 (in BF16), and the sum of products first (TRAP-194).
        assert_int_equal(run3(v, "v_dot2_f32_bf16", 0, 0x3f803f80, 0xce803f80, 0x4e800000), 0);
        assert_int_equal(run3(v, "v_dot2_f32_bf16", 16, 0xce804e80, 0x3f803f80, 0x3f800000), 0x3f800000);
        assert_int_equal(run3(v, "v_dot2_f32_bf16", 16, 0x3f803f80, 0xce803f80, 0x4e800000), 0);
        assert_int_equal(run3(v, "v_dot2_f32_bf16", 16, 0x3f80ce80, 0x3f803f80, 0x4e800000), 0);
        assert_int_equal(run3(v, "v_dot2_f32_bf16", 0, 0x3f80ce80, 0x3f803f80, 0x4e800000), 0x3f800000);
        assert_int_equal(run3(v, "v_sin_f32", 32, 0x43808000, 0, 0), 0); // 257
        assert_int_equal(run3(v, "v_cos_f32", 32, 0xc3808020, 0, 0), 0x3f800000);
        assert_int_equal(run3(v, "v_cos_f32", 0, 0x4380c000, 0, 0),
                         run3(v, "v_cos_f32", 0, 0x3f000000, 0, 0)); // 257.5 is 0.5
        for (unsigned t = 0; t < 256; t++) {
            const uint32_t a = 0xf0f0f0f0, b = 0xcccccccc, c = 0xaaaaaaaa;
            assert_int_equal(run3(v, "v_bitop3_b32", t, a, b, c), t * 0x01010101u); // TRAP-044
        }
        assert_int_equal(run3(v, "v_ashr_pk_i8_i32", 0, 0x1234, 0xffff0000, 36), 0x807f);
        assert_int_equal(run3(v, "v_ashr_pk_u8_i32", 0, 0x123, 0xffff0000, 4), 0x0012);
    }
    // FP8 and BF8 in dot products: 1.5 * 2 + 1 * 1 + 0.5 * 4 + -1 * 1 + 10
    for (unsigned n = 0; n < level_count(); n++) {
        float r;
        const uint32_t fp8 = 0x3c | 0x38 << 8 | 0x30 << 16 | 0xb8u << 24,
                       bf8 = 0x40 | 0x3c << 8 | 0x44 << 16 | 0x3cu << 24;
        const uint32_t u = run3(&levels[n], "v_dot4_f32_fp8_bf8", 0, fp8, bf8, code_of_f32(10));
        memcpy(&r, &u, 4);
        assert_float_equal(r, 15, 0);
        assert_int_equal(run3(&levels[n], "v_dot4_f32_bf8_fp8", 0, bf8, fp8, code_of_f32(10)), u);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(codes), cmocka_unit_test(bodies),
                                       cmocka_unit_test(flags)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
