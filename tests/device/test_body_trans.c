// SPDX-License-Identifier: MIT
// Transcendental operations against the host's long double functions: results within one unit in the last
// place over the whole range (F16: correctly rounded or next to it), special values exactly, denormals
// flushed in F32; the scalar floating-point operations and packed F32 against their vector counterparts; dot
// products of BF16.
// Facts shown: TRAP-071, 143, 160, 163, 194, 198.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "bare_wave.h"
#include "exec/body/flags.h"

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;

static float f32(u64 v) {
    u32 x = (u32)v;
    float f;
    memcpy(&f, &x, 4);
    return f;
}
static u32 b32(float f) {
    u32 x;
    memcpy(&x, &f, 4);
    return x;
}
static double f64(u64 v) {
    double f;
    memcpy(&f, &v, 8);
    return f;
}
static long double f16(u64 h) {
    const int e = h >> 10 & 31, m = h & 0x3ff;
    const long double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexpl(m + 1024, e - 25) : ldexpl(m, -24);
    return h & 0x8000 ? -v : v;
}

typedef long double function(long double);
static long double rcp(long double v) { return 1 / v; }
static long double rsq(long double v) { return 1 / sqrtl(v); }
static const long double two_pi = 6.283185307179586476925286766559005768L;
// Of revolutions: the reduction is exact, and symmetric, so that zeros are zeros.
static long double sin_turn(long double v) {
    long double r = v - roundl(v);
    if (fabsl(r) > 0.25L) r = copysignl(0.5L, r) - r;
    return sinl(r * two_pi);
}
static long double cos_turn(long double v) {
    const long double r = fabsl(v - roundl(v));
    return sinl((0.25L - r) * two_pi);
}

struct check {
    const char *name;
    function *fn;
    bool wide;
};
static const struct check checks[] = {{"rcp", rcp, 1},     {"rsq", rsq, 1},   {"sqrt", sqrtl, 1},
                                      {"exp", exp2l, 0},   {"log", log2l, 0}, {"sin", sin_turn, 0},
                                      {"cos", cos_turn, 0}};

// Units in the last place between a result and the exact value, in a format with `bits` significant bits.
static long double ulps(long double got, long double want, int bits, int least) {
    if (isnan(got) || isnan(want)) return isnan(got) && isnan(want) ? 0 : INFINITY;
    if (got == want) return 0;
    if (isinf(want)) return INFINITY;
    int e;
    frexpl(want, &e);
    e = e - bits < least ? least : e - bits;
    const long double beyond = ldexpl(1, bits == 24   ? 128
                                         : bits == 11 ? 16
                                                      : 1024); // where rounding goes to infinity, nearly
    if (isinf(got)) got = fabsl(want) > beyond ? want : copysignl(beyond, got);
    return fabsl(got - want) / ldexpl(1, e);
}

static void f32_within_one_ulp(void **state) {
    (void)state;
    for (unsigned l = 0; l < level_count(); l++)
        for (unsigned k = 0; k < sizeof checks / sizeof *checks; k++) {
            char sem[32];
            snprintf(sem, sizeof sem, "v_%s_f32", checks[k].name);
            const struct body *body = body_named(&levels[l], sem);
            assert_non_null(body);
            assert_true(body->approximate);
            struct wave *w = bare_wave(64, 4);
            for (unsigned n = 0; n < (l ? 4000u : 200u); n++) {
                for (unsigned i = 0; i < 64; i++) {
                    u32 v = (u32)random64();
                    if (n % 2)
                        v = (v & 0x80ffffff) | (0x3c + (u32)(random64() % 8)) << 24;  // where curves bend
                    if (n % 8 == 3) v = 0x3f800000 + (u32)(random64() % 4096) - 2048; // around one
                    lanes_of(w, vgpr(w, 1))[i] = v;
                }
                run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 1)}, body->fn[0]);
                for (unsigned i = 0; i < 64; i++) {
                    const u32 in = lanes_of(w, vgpr(w, 1))[i], out = lanes_of(w, vgpr(w, 0))[i];
                    const float x = in & 0x7f800000 ? f32(in) : copysignf(0, f32(in));
                    long double want = checks[k].fn(x);
                    if (fabsl(want) < 0x1p-126L)
                        want = copysignl(0, want); // flushed; at the edge either is right
                    if (ulps(f32(out), want, 24, -149) >= 1 && !(want == 0 && fabsf(f32(out)) == 0x1p-126f))
                        fail_msg("%s %s: %x gives %x, should be %La", sem, levels[l].name, in, out, want);
                }
            }
            free(w);
        }
}

static void f16_next_to_exact(void **state) {
    (void)state;
    for (unsigned l = 0; l < level_count(); l++)
        for (unsigned k = 0; k < sizeof checks / sizeof *checks; k++) {
            char sem[32];
            snprintf(sem, sizeof sem, "v_%s_f16", checks[k].name);
            const struct body *body = body_named(&levels[l], sem);
            assert_non_null(body);
            struct wave *w = bare_wave(64, 4);
            for (u32 base = 0; base < 0x10000; base += 64) {
                for (unsigned i = 0; i < 64; i++) lanes_of(w, vgpr(w, 1))[i] = base + i;
                run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 1)}, body->fn[0]);
                for (unsigned i = 0; i < 64; i++) {
                    const u32 out = lanes_of(w, vgpr(w, 0))[i];
                    const long double want = checks[k].fn(f16(base + i));
                    assert_true(out <= 0xffff);
                    if (ulps(f16(out), want, 11, -24) > 0.502L && !(fabsl(want) >= 65520 && isinf(f16(out))))
                        fail_msg("%s %s: %x gives %x, should be %La", sem, levels[l].name, base + i, out,
                                 want);
                }
            }
            free(w);
        }
}

static void f64_within_one_ulp(void **state) {
    (void)state;
    for (unsigned l = 0; l < level_count(); l++)
        for (unsigned k = 0; k < 3; k++) {
            char sem[32];
            snprintf(sem, sizeof sem, "v_%s_f64", checks[k].name);
            const struct body *body = body_named(&levels[l], sem);
            assert_non_null(body);
            struct wave *w = bare_wave(64, 8);
            for (unsigned n = 0; n < 200; n++) {
                for (unsigned i = 0; i < 64; i++) set_pair(w, vgpr(w, 2), i, random64());
                run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 2)}, body->fn[0]);
                for (unsigned i = 0; i < 64; i++) {
                    const double in = f64(pair_at(w, vgpr(w, 2), i)), out = f64(pair_at(w, vgpr(w, 0), i));
                    const long double want = checks[k].fn(in);
                    if (ulps(out, want, 53, -1074) >= 1.01L)
                        fail_msg("%s %s: %a gives %a, should be %La", sem, levels[l].name, in, out, want);
                }
            }
            free(w);
        }
}

// Levels fuse as the host can, and round alike in all modes of F64.
static void f64_roots_are_equal(void **state) {
    (void)state;
    enum { WAVES = 40 };
    static u64 in[WAVES][64], want[16][WAVES][64];
    for (unsigned n = 0; n < WAVES; n++)
        for (unsigned i = 0; i < 64; i++) {
            in[n][i] = random64();
            if (n % 4) in[n][i] &= INT64_MAX;                             // half of all others give NaN
            if (n % 4 == 2) in[n][i] = in[n][i] % (1ull << 55);           // denormals and the least normals
            if (n % 4 == 3) in[n][i] |= 0x7fe0000000000000 | ~0ull >> 36; // the largest
        }
    for (unsigned l = 0; l < level_count(); l++) {
        const struct body *body = body_named(&levels[l], "v_rsq_f64");
        struct wave *w = bare_wave(64, 8);
        for (unsigned m = 0; m < 16; m++) {
            wave_set_mode(w, (m & 3) << 2 | m >> 2 << 6);
            for (unsigned n = 0; n < WAVES; n++) {
                for (unsigned i = 0; i < 64; i++) set_pair(w, vgpr(w, 2), i, in[n][i]);
                run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 2)}, body->fn[0]);
                for (unsigned i = 0; i < 64; i++) {
                    const u64 out = pair_at(w, vgpr(w, 0), i);
                    if (!l) want[m][n][i] = out;
                    if (out != want[m][n][i])
                        fail_msg("v_rsq_f64 %s, mode %u: %a gives %a, at %s %a", levels[l].name, m,
                                 f64(in[n][i]), f64(out), levels[0].name, f64(want[m][n][i]));
                }
            }
        }
        free(w);
    }
}

// Special values: the operation, the operand, the result.
static void special_values(void **state) {
    (void)state;
    enum { INF = 0x7f800000, NINF = 0xff800000, QNAN = 0xffc00000, MAX = 0x7f7fffff };
    static const struct {
        const char *sem;
        u32 in, out;
    } cases[] = {
        {"v_rcp_f32", 0, INF},
        {"v_rcp_f32", 0x80000000, NINF},
        {"v_rcp_f32", NINF, 0x80000000},
        {"v_rcp_f32", 1, INF},
        {"v_rcp_f32", 0x7f000001, 0},
        {"v_rcp_f32", 0x7e800000, 0x00800000},
        {"v_rcp_f32", 0x7fa00000, 0x7fe00000},
        {"v_rsq_f32", 0, INF},
        {"v_rsq_f32", 0x80000000, NINF},
        {"v_rsq_f32", 0xbf800000, QNAN},
        {"v_rsq_f32", INF, 0},
        {"v_rsq_f32", 0x007fffff, INF},
        {"v_sqrt_f32", 0x80000000, 0x80000000},
        {"v_sqrt_f32", 0xbf800000, QNAN},
        {"v_sqrt_f32", INF, INF},
        {"v_sqrt_f32", 5, 0},
        {"v_exp_f32", INF, INF},
        {"v_exp_f32", NINF, 0},
        {"v_exp_f32", 0x43000000, INF},
        {"v_exp_f32", 0xc2fc0000, 0x00800000},
        {"v_exp_f32", 0xc2fc0001, 0},
        {"v_exp_f32", 0, 0x3f800000},
        {"v_exp_f32", 0x40a00000, 0x42000000},
        {"v_exp_f32", 0xffc01234, 0xffc01234},
        {"v_log_f32", 0, NINF},
        {"v_log_f32", 0x80000000, NINF},
        {"v_log_f32", 0x007fffff, NINF},
        {"v_log_f32", 0xbf800000, QNAN},
        {"v_log_f32", INF, INF},
        {"v_log_f32", 0x3f800000, 0},
        {"v_log_f32", 0x42000000, 0x40a00000},
        {"v_log_f32", 0x00800000, 0xc2fc0000},
        {"v_log_f32", NINF, QNAN},
        {"v_sin_f32", 0x80000000, 0x80000000},
        {"v_sin_f32", 0x3e800000, 0x3f800000},
        {"v_sin_f32", 0x3f400000, 0xbf800000},
        {"v_sin_f32", INF, QNAN},
        {"v_cos_f32", 0, 0x3f800000},
        {"v_cos_f32", 0x3f000000, 0xbf800000},
        {"v_cos_f32", 0x3e800000, 0},
        {"v_cos_f32", NINF, QNAN},
        {"v_rcp_clamp_f32", 0, MAX},
        {"v_rcp_clamp_f32", 0x80000000, 0xff7fffff},
        {"v_rsq_clamp_f32", 0, MAX},
        {"v_log_clamp_f32", 0, 0xff7fffff},
        {"v_rcp_legacy_f32", 0, 0},
        {"v_rcp_legacy_f32", 0x80000000, 0x80000000},
        {"v_rsq_legacy_f32", 0, 0},
    };
    for (unsigned l = 0; l < level_count(); l++)
        for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
            const struct body *body = body_named(&levels[l], cases[k].sem);
            assert_non_null(body);
            struct wave *w = bare_wave(32, 4);
            w->s[4] = cases[k].in;
            run_op(w, (struct op){.d = vgpr(w, 0), .a = sgpr_offset(4)}, body->fn[1]);
            if (lanes_of(w, vgpr(w, 0))[7] != cases[k].out)
                fail_msg("%s %s: %x gives %x, should be %x", cases[k].sem, levels[l].name, cases[k].in,
                         lanes_of(w, vgpr(w, 0))[7], cases[k].out);
            free(w);
        }
}

// A scalar operation gives in an SGPR what the vector operation gives in a lane, with EXEC zero too.
static void scalar_as_vector(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"v_s_rcp_f32", "v_rcp_f32"},       {"v_s_rsq_f32", "v_rsq_f32"},
        {"v_s_sqrt_f32", "v_sqrt_f32"},     {"v_s_exp_f32", "v_exp_f32"},
        {"v_s_log_f32", "v_log_f32"},       {"v_s_rcp_f16", "v_rcp_f16"},
        {"v_s_rsq_f16", "v_rsq_f16"},       {"v_s_sqrt_f16", "v_sqrt_f16"},
        {"v_s_exp_f16", "v_exp_f16"},       {"v_s_log_f16", "v_log_f16"},
        {"s_add_f32", "v_add_f32"},         {"s_sub_f32", "v_sub_f32"},
        {"s_mul_f32", "v_mul_f32"},         {"s_min_f32", "v_min_f32"},
        {"s_max_f32", "v_max_f32"},         {"s_min_num_f32", "v_min_num_f32"},
        {"s_max_num_f32", "v_max_num_f32"}, {"s_minimum_f32", "v_minimum_f32"},
        {"s_maximum_f32", "v_maximum_f32"}, {"s_fmaak_f32", "v_fma_f32"},
        {"s_ceil_f32", "v_ceil_f32"},       {"s_floor_f32", "v_floor_f32"},
        {"s_trunc_f32", "v_trunc_f32"},     {"s_rndne_f32", "v_rndne_f32"},
        {"s_add_f16", "v_add_f16"},         {"s_sub_f16", "v_sub_f16"},
        {"s_mul_f16", "v_mul_f16"},         {"s_min_f16", "v_min_f16"},
        {"s_max_f16", "v_max_f16"},         {"s_min_num_f16", "v_min_num_f16"},
        {"s_max_num_f16", "v_max_num_f16"}, {"s_minimum_f16", "v_minimum_f16"},
        {"s_maximum_f16", "v_maximum_f16"}, {"s_ceil_f16", "v_ceil_f16"},
        {"s_floor_f16", "v_floor_f16"},     {"s_trunc_f16", "v_trunc_f16"},
        {"s_rndne_f16", "v_rndne_f16"},     {"s_cvt_f32_i32", "v_cvt_f32_i32"},
        {"s_cvt_f32_u32", "v_cvt_f32_u32"}, {"s_cvt_i32_f32", "v_cvt_i32_f32"},
        {"s_cvt_u32_f32", "v_cvt_u32_f32"}, {"s_cvt_f16_f32", "v_cvt_f16_f32"},
        {"s_cvt_f32_f16", "v_cvt_f32_f16"}, {"s_cvt_pk_rtz_f16_f32", "v_cvt_pk_rtz_f16_f32"},
    };
    static const char *const predicates[] = {"lt", "eq",  "le",  "gt",  "lg",  "ge",  "o",
                                             "u",  "nge", "nlg", "ngt", "nle", "neq", "nlt"};
    for (unsigned l = 0; l < level_count(); l++) {
        struct wave *w = bare_wave(32, 8);
        for (unsigned n = 0; n < 400; n++) {
            for (unsigned k = 0; k < 3; k++) {
                w->s[k] = tricky32();
                for (unsigned i = 0; i < 32; i++) lanes_of(w, vgpr(w, 1 + k))[i] = w->s[k];
            }
            const struct op vector = {
                .d = vgpr(w, 0), .a = vgpr(w, 1), .b = vgpr(w, 2), .c = vgpr(w, 3), .e = BODY_FIRST_NAN};
            const struct op scalar = {
                .d = sgpr_offset(8), .a = sgpr_offset(0), .b = sgpr_offset(1), .c = sgpr_offset(2)};
            for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
                const struct body *s = body_named(&levels[l], names[k][0]),
                                  *v = body_named(&levels[l], names[k][1]);
                assert_non_null(s);
                w->exec = ~0ull;
                run_op(w, vector, v->fn[0]);
                w->exec = 0;
                run_op(w, scalar, s->fn[0]);
                if (w->s[8] != lanes_of(w, vgpr(w, 0))[5])
                    fail_msg("%s(%x, %x) gives %x, should be %x", names[k][0], w->s[0], w->s[1], w->s[8],
                             lanes_of(w, vgpr(w, 0))[5]);
            }
            for (unsigned k = 0; k < 2 * sizeof predicates / sizeof *predicates; k++) {
                char s[24], v[24];
                snprintf(s, sizeof s, "s_cmp_%s_f%d", predicates[k / 2], k % 2 ? 16 : 32);
                snprintf(v, sizeof v, "v_cmp_%s_f%d", predicates[k / 2], k % 2 ? 16 : 32);
                w->exec = ~0ull;
                run_op(w, (struct op){.d = sgpr_offset(10), .a = vgpr(w, 1), .b = vgpr(w, 2)},
                       body_named(&levels[l], v)->fn[0]);
                run_op(w, scalar, body_named(&levels[l], s)->fn[0]);
                assert_int_equal(w->scc, w->s[10] & 1);
            }
            // Accumulating forms read their destination; the high form converts the upper half.
            w->exec = ~0ull;
            w->s[8] = w->s[2];
            run_op(w, vector, body_named(&levels[l], "v_fma_f32")->fn[0]);
            run_op(w, scalar, body_named(&levels[l], "s_fmac_f32")->fn[0]);
            assert_int_equal(w->s[8], lanes_of(w, vgpr(w, 0))[0]);
            w->s[8] = w->s[2];
            run_op(w, vector, body_named(&levels[l], "v_fma_f16")->fn[0]);
            run_op(w, scalar, body_named(&levels[l], "s_fmac_f16")->fn[0]);
            assert_int_equal(w->s[8], lanes_of(w, vgpr(w, 0))[0]);
            run_op(w, scalar, body_named(&levels[l], "s_cvt_hi_f32_f16")->fn[0]);
            const u32 high = w->s[8];
            w->s[0] >>= 16;
            run_op(w, scalar, body_named(&levels[l], "s_cvt_f32_f16")->fn[0]);
            assert_int_equal(high, w->s[8]);
        }
        free(w);
    }
}

// Packed F32 is two F32 operations on neighbouring registers, also with a scalar pair and under EXEC.
static void packed_f32(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"v_pk_add_f32", "v_add_f32"}, {"v_pk_mul_f32", "v_mul_f32"}, {"v_pk_fma_f32", "v_fma_f32"}};
    for (unsigned l = 0; l < level_count(); l++) {
        struct wave *w = bare_wave(64, 16);
        for (unsigned n = 0; n < 100; n++)
            for (unsigned k = 0; k < 3; k++)
                for (unsigned variant = 0; variant <= (k == 2 ? 3u : 2u); variant++) {
                    for (unsigned r = 0; r < 16; r++)
                        for (unsigned i = 0; i < 64; i++) lanes_of(w, vgpr(w, r))[i] = tricky32();
                    w->s[2] = tricky32(), w->s[3] = tricky32();
                    u32 at[4] = {vgpr(w, 0), vgpr(w, 2), vgpr(w, 4), vgpr(w, 6)};
                    if (variant) at[variant] = sgpr_offset(2);
                    w->exec = tricky_exec();
                    for (unsigned half = 0; half < 2; half++) { // expected, in v8 and v9
                        u32 from[4];
                        for (unsigned o = 1; o < 4; o++)
                            from[o] = at[o] + half * (o == variant ? 4 : w->stride);
                        memcpy(lanes_of(w, vgpr(w, 8 + half)), lanes_of(w, vgpr(w, half)), 256);
                        run_op(w,
                               (struct op){.d = vgpr(w, 8 + half), .a = from[1], .b = from[2], .c = from[3]},
                               body_named(&levels[l], names[k][1])->fn[variant]);
                    }
                    run_op(w, (struct op){.d = at[0], .a = at[1], .b = at[2], .c = at[3]},
                           body_named(&levels[l], names[k][0])->fn[variant]);
                    assert_memory_equal(lanes_of(w, vgpr(w, 0)), lanes_of(w, vgpr(w, 8)), 512);
                }
        w->exec = 0xffff0000ffff0000;
        run_op(w, (struct op){.d = vgpr(w, 8), .a = vgpr(w, 2), .b = vgpr(w, 4)},
               body_named(&levels[l], "v_pk_mov_b32")->fn[0]);
        for (unsigned i = 0; i < 64; i++)
            if (w->exec >> i & 1)
                assert_true(pair_at(w, vgpr(w, 8), i) ==
                            (lanes_of(w, vgpr(w, 2))[i] | (u64)lanes_of(w, vgpr(w, 4))[i] << 32));
        free(w);
    }
}

// Dot products with numbers: exact products added to the accumulator one after the other in F32.
static u32 to_bf16(float v) {
    const u32 x = b32(v);
    return (x + 0x7fff + (x >> 16 & 1)) >> 16;
}
static void dot_products(void **state) {
    (void)state;
    for (unsigned l = 0; l < level_count(); l++) {
        struct wave *w = bare_wave(64, 8);
        for (unsigned n = 0; n < 200; n++) {
            w->mode = n & 1 ? 0x3f0 : 0x30f; // of no effect
            w->mxcsr = w->mxcsr64 = n & 1 ? 0x1f80 : 0xffc0;
            for (unsigned i = 0; i < 64; i++)
                for (unsigned r = 1; r < 4; r++) // near one in BF16, in F16 and, as accumulator, in F32
                    lanes_of(w, vgpr(w, r))[i] = ((u32)random64() & 0x83ff83ff) + 0x3e003e00;
            const struct op op = {.d = vgpr(w, 0), .a = vgpr(w, 1), .b = vgpr(w, 2), .c = vgpr(w, 3)};
            run_op(w, op, body_named(&levels[l], "v_dot2_f32_bf16")->fn[0]);
            for (unsigned i = 0; i < 64; i++) {
                const u32 a = lanes_of(w, vgpr(w, 1))[i], b = lanes_of(w, vgpr(w, 2))[i],
                          c = lanes_of(w, vgpr(w, 3))[i];
                const float sum =
                    (f32(c) + f32(a << 16) * f32(b << 16)) + f32(a & 0xffff0000) * f32(b & 0xffff0000);
                assert_int_equal(lanes_of(w, vgpr(w, 0))[i], b32(sum));
            }
            run_op(w, op, body_named(&levels[l], "v_dot2_bf16_bf16")->fn[0]);
            for (unsigned i = 0; i < 64; i++) {
                const u32 a = lanes_of(w, vgpr(w, 1))[i], b = lanes_of(w, vgpr(w, 2))[i],
                          c = lanes_of(w, vgpr(w, 3))[i];
                const float sum =
                    (f32(c << 16) + f32(a << 16) * f32(b << 16)) + f32(a & 0xffff0000) * f32(b & 0xffff0000);
                assert_int_equal(lanes_of(w, vgpr(w, 0))[i], to_bf16(sum));
            }
            run_op(w, op, body_named(&levels[l], "v_dot2_f16_f16")->fn[0]);
            for (unsigned i = 0; i < 64; i++) {
                const u32 a = lanes_of(w, vgpr(w, 1))[i], b = lanes_of(w, vgpr(w, 2))[i],
                          c = lanes_of(w, vgpr(w, 3))[i];
                const long double sum =
                    f16(c & 0xffff) + f16(a & 0xffff) * f16(b & 0xffff) + f16(a >> 16) * f16(b >> 16);
                if (fabsl(sum) < 60000)
                    assert_true(fabsl(f16(lanes_of(w, vgpr(w, 0))[i]) - sum) <=
                                fabsl(sum) * 0x1p-11L + 0x1p-20L);
            }
        }
        free(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f32_within_one_ulp), cmocka_unit_test(f16_next_to_exact),
        cmocka_unit_test(f64_within_one_ulp), cmocka_unit_test(special_values),
        cmocka_unit_test(scalar_as_vector),   cmocka_unit_test(packed_f32),
        cmocka_unit_test(dot_products),       cmocka_unit_test(f64_roots_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
