// SPDX-License-Identifier: MIT
// Transcendental operations against exact values: samples of F32, all of F16 and BF16, no further from them
// than the fidelity ledger says (bench/accuracy.c measures all operands), special values exactly, denormals
// flushed in F32; the ledger as such; the scalar floating-point operations and packed F32 against their vector counterparts; dot
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
#include "isa/fidelity.h"
#include "ulps.h"

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

static double bound_of(const char *sem) {
    const struct fidelity *f = fidelity_of_body(sem);
    if (!f || f->ulps <= 0) fail_msg("the ledger has no bound of %s", sem);
    return f->ulps;
}

// ---- Against exact values ----

// What early generations give in the place of infinity.
enum instead { NOTHING, LARGEST, ZERO };
static double replaced(double v, enum instead instead) {
    return !isinf(v) || instead == NOTHING ? v : copysign(instead == LARGEST ? ulp_f32.largest : 0, v);
}

static void check_lanes(struct wave *w, const char *sem, const struct level *level, exact_fn *fn,
                        const struct ulp_format *format, enum instead instead) {
    const struct body *body = body_named(level, sem);
    assert_non_null(body);
    run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 1)}, body->fn[0]);
    for (unsigned i = 0; i < 64; i++) {
        const u32 in = lanes_of(w, vgpr(w, 1))[i], out = lanes_of(w, vgpr(w, 0))[i];
        assert_true(format->bits == 24 || out <= 0xffff);
        const double want = replaced(fn(ulp_operand(format, in)), instead);
        const double got = ulp_value(format, out), apart = ulp_distance(format, got, want);
        if (apart > bound_of(sem))
            fail_msg("%s %s: 0x%x gives 0x%x, should be %a: %.6f ulp", sem, level->name, in, out, want,
                     apart);
    }
}

// A random operand: of all, where curves bend, and around one.
static u32 operand32(unsigned n) {
    u32 v = (u32)random64();
    if (n % 2) v = (v & 0x80ffffff) | (0x38 + (u32)(random64() % 12)) << 24;
    return n % 8 == 3 ? 0x3f800000 + (u32)(random64() % 4096) - 2048 : v;
}

static void f32_within_bounds(void **state) {
    (void)state;
    static const struct {
        const char *sem;
        exact_fn *fn;
        enum instead instead;
    } early[] = {{"v_rcp_clamp_f32", exact_rcp, LARGEST}, {"v_rsq_clamp_f32", exact_rsq, LARGEST},
                 {"v_log_clamp_f32", log2, LARGEST},      {"v_rcp_legacy_f32", exact_rcp, ZERO},
                 {"v_rsq_legacy_f32", exact_rsq, ZERO}};
    enum { EARLY = sizeof early / sizeof *early };
    for (unsigned l = 0; l < level_count(); l++)
        for (unsigned k = 0; k < ULP_OPERATIONS + EARLY; k++) {
            const bool is_early = k >= ULP_OPERATIONS;
            const struct ulp_operation *o = &ulp_operations[is_early ? 0 : k];
            char sem[32];
            snprintf(sem, sizeof sem, "v_%s_f32", o->name);
            if (is_early) snprintf(sem, sizeof sem, "%s", early[k - ULP_OPERATIONS].sem);
            struct wave *w = bare_wave(64, 4);
            for (unsigned n = 0; n < (l ? 4000u : 200u); n++) {
                for (unsigned i = 0; i < 64; i++) lanes_of(w, vgpr(w, 1))[i] = operand32(n);
                check_lanes(w, sem, &levels[l], is_early ? early[k - ULP_OPERATIONS].fn : o->fn,
                            ulp_format_of(o, &ulp_f32), is_early ? early[k - ULP_OPERATIONS].instead : NOTHING);
            }
            free(w);
        }
}

static void small_floats_within_bounds(void **state) {
    (void)state;
    for (unsigned l = 0; l < level_count(); l++)
        for (unsigned k = 0; k < 2 * ULP_OPERATIONS; k++) {
            char sem[32];
            snprintf(sem, sizeof sem, "v_%s_%s", ulp_operations[k / 2].name, k % 2 ? "bf16" : "f16");
            struct wave *w = bare_wave(64, 4);
            for (u32 base = 0; base < 0x10000; base += 64) {
                for (unsigned i = 0; i < 64; i++) lanes_of(w, vgpr(w, 1))[i] = base + i;
                check_lanes(w, sem, &levels[l], ulp_operations[k / 2].fn,
                            ulp_format_of(&ulp_operations[k / 2], k % 2 ? &ulp_bf16 : &ulp_f16), NOTHING);
            }
            free(w);
        }
}

static long double rcp_wide(long double v) { return 1 / v; }
static long double rsq_wide(long double v) { return 1 / sqrtl(v); }
static long double distance64(double got, long double want) {
    if (isnan(want) || got == want) return isnan(want) && !isnan(got) ? INFINITY : 0;
    int e;
    frexpl(want, &e);
    const long double last = ldexpl(1, e - 53 < -1074 ? -1074 : e - 53);
    if (isinf(got)) return fabsl(want) >= 0x1.fffffffffffff8p1023L ? 0 : INFINITY;
    return fabsl(got - want) / last;
}
static void f64_within_bounds(void **state) {
    (void)state;
    static const struct {
        const char *sem;
        long double (*fn)(long double);
        bool clamps;
    } checks[] = {{"v_rcp_f64", rcp_wide, 0},
                  {"v_rsq_f64", rsq_wide, 0},
                  {"v_sqrt_f64", sqrtl, 0},
                  {"v_rcp_clamp_f64", rcp_wide, 1},
                  {"v_rsq_clamp_f64", rsq_wide, 1}};
    for (unsigned l = 0; l < level_count(); l++)
        for (unsigned k = 0; k < sizeof checks / sizeof *checks; k++) {
            const char *sem = checks[k].sem;
            const struct body *body = body_named(&levels[l], sem);
            assert_non_null(body);
            struct wave *w = bare_wave(64, 8);
            for (unsigned n = 0; n < 2000; n++) {
                for (unsigned i = 0; i < 64; i++) set_pair(w, vgpr(w, 2), i, random64());
                run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 2)}, body->fn[0]);
                for (unsigned i = 0; i < 64; i++) {
                    const double in = f64(pair_at(w, vgpr(w, 2), i)), out = f64(pair_at(w, vgpr(w, 0), i));
                    long double want = checks[k].fn(in);
                    if (checks[k].clamps && fabsl(want) > 0x1.fffffffffffffp1023L)
                        want = copysignl(0x1.fffffffffffffp1023L, want);
                    if (distance64(out, want) > bound_of(sem))
                        fail_msg("%s %s: %a gives %a, should be %La: %.6Lf ulp", sem, levels[l].name, in, out,
                                 want, distance64(out, want));
                }
            }
            free(w);
        }
}

// ---- The ledger ----

// Each entry names a body, once; matrices of floats are in it, those of integers are not; pseudo-scalar
// operations have the bound of the vector operation.
static void the_ledger_holds(void **state) {
    (void)state;
    const struct fidelity *f;
    for (unsigned i = 0; (f = fidelity_at(i)); i++) {
        bool known = false;
        for (unsigned r = 0; r < isa_row_count; r++) known |= !strcmp(row_sem(&isa_rows[r]), f->sem);
        if (!known) fail_msg("the ledger names %s, which no row has", f->sem);
        if (fidelity_of_body(f->sem) != f) fail_msg("the ledger names %s twice", f->sem);
        char vector[40];
        snprintf(vector, sizeof vector, "v_%s", f->sem + (strncmp(f->sem, "v_s_", 4) ? 2 : 4));
        if (!strncmp(f->sem, "v_s_", 4) && bound_of(vector) != f->ulps)
            fail_msg("the ledger has other bounds of %s and %s", f->sem, vector);
    }
    for (unsigned r = 0; r < isa_row_count; r++) {
        const struct row *row = &isa_rows[r];
        const bool matrix = (row->enc[0].format == FMT_MAI && row->class != CLASS_ACC_MOVE) ||
                            row->class == CLASS_WMMA || row->class == CLASS_SWMMAC;
        if (!matrix || row_gap(row)) continue;
        if ((strstr(row_id(row), "_i32_") == NULL) != (row_fidelity(row) != NULL))
            fail_msg("%s: is it exact?", row_id(row));
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
        cmocka_unit_test(f32_within_bounds),  cmocka_unit_test(small_floats_within_bounds),
        cmocka_unit_test(f64_within_bounds),  cmocka_unit_test(special_values),
        cmocka_unit_test(the_ledger_holds),
        cmocka_unit_test(scalar_as_vector),   cmocka_unit_test(packed_f32),
        cmocka_unit_test(dot_products),       cmocka_unit_test(f64_roots_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
