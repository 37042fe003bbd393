// SPDX-License-Identifier: MIT
// Division by V_DIV_SCALE, V_DIV_FMAS and V_DIV_FIXUP in the sequence that compilers emit, run on the bodies:
// the quotient is the host's, rounded to nearest, for F32 and F64, for special values, values at every edge
// of the scaling rules, random bits and denormals, with denormals on and flushed. Also what each step does
// alone, and the bits of 2/pi from V_TRIG_PREOP_F64. Facts shown: TRAP-151, 152, 153.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "bare_wave.h"

typedef uint64_t u64;
typedef uint32_t u32;

static unsigned control(unsigned how, unsigned denormals) {
    static const unsigned host[] = {0, 0x4000, 0x2000, 0x6000};
    return 0x1f80 | host[how] | (denormals & 1 ? 0 : 0x40) | (denormals & 2 ? 0 : 0x8000);
}
static void set_mode(struct wave *w, u32 mode) {
    w->mode = mode;
    w->mxcsr = control(mode & 3, mode >> 4 & 3);
    w->mxcsr64 = control(mode >> 2 & 3, mode >> 6 & 3);
    w->mixed = w->mxcsr != w->mxcsr64;
}

// Registers by twos, so that F64 fits.
enum { NUM, DEN, ONE, DEN_S, NUM_S, RCP, NEG, T0, T1, T2, T3, T4, T5, RESULT, COUNT };
struct machine {
    const struct level *level;
    struct wave *w;
    bool wide;
};

static void run(const struct machine *m, const char *name, unsigned d, unsigned a, unsigned b, unsigned c) {
    char sem[32];
    snprintf(sem, sizeof sem, "%s_f%d", name, m->wide ? 64 : 32);
    const struct body *body = body_named(m->level, sem);
    assert_non_null(body);
    run_op(m->w,
           (struct op){.d = vgpr(m->w, 2 * d),
                       .a = vgpr(m->w, 2 * a),
                       .b = vgpr(m->w, 2 * b),
                       .c = vgpr(m->w, 2 * c),
                       .e = sgpr_offset(106)},
           body->fn[0]);
}
static void negate(const struct machine *m, unsigned d, unsigned a) {
    const u32 stride = m->w->stride, high = m->wide ? stride : 0;
    for (unsigned l = 0; l < m->w->lanes; l++) {
        set_pair(m->w, vgpr(m->w, 2 * d), l, pair_at(m->w, vgpr(m->w, 2 * a), l));
        lanes_of(m->w, vgpr(m->w, 2 * d) + high)[l] ^= 0x80000000;
    }
}
// As LLVM expands fdiv: denormals are on for the steps between, whatever the mode.
static void divide(const struct machine *m) {
    struct wave *w = m->w;
    const u32 mode = w->mode;
    run(m, "v_div_scale", DEN_S, DEN, DEN, NUM);
    run(m, "v_div_scale", NUM_S, NUM, DEN, NUM);
    run(m, "v_rcp", RCP, DEN_S, 0, 0);
    negate(m, NEG, DEN_S);
    set_mode(w, mode | (m->wide ? 0xc0 : 0x30));
    if (m->wide) {
        run(m, "v_fma", T0, NEG, RCP, ONE);
        run(m, "v_fma", T1, RCP, T0, RCP);
        run(m, "v_fma", T2, NEG, T1, ONE);
        run(m, "v_fma", T3, T1, T2, T1);
        run(m, "v_mul", T4, NUM_S, T3, 0);
        run(m, "v_fma", T5, NEG, T4, NUM_S);
        set_mode(w, mode);
        run(m, "v_div_fmas", RESULT, T5, T3, T4);
    } else {
        run(m, "v_fma", T0, NEG, RCP, ONE);
        run(m, "v_fma", T1, T0, RCP, RCP);
        run(m, "v_mul", T2, NUM_S, T1, 0);
        run(m, "v_fma", T3, NEG, T2, NUM_S);
        run(m, "v_fma", T4, T3, T1, T2);
        run(m, "v_fma", T5, NEG, T4, NUM_S);
        set_mode(w, mode);
        run(m, "v_div_fmas", RESULT, T5, T1, T4);
    }
    run(m, "v_div_fixup", RESULT, RESULT, DEN, NUM);
}

static u64 edge32(void) {
    const u64 k = random64();
    static const unsigned exponents[] = {0,   0,   1,   2,   22,  23,  24,  25,  63,  64,  95,  96,  97, 103,
                                         126, 127, 128, 149, 150, 151, 222, 223, 224, 252, 253, 254, 255};
    const u32 e = k & 1 ? exponents[(k >> 8) % (sizeof exponents / sizeof *exponents)] : (u32)(k >> 8) & 255;
    u32 f = (u32)(k >> 20) & 0x7fffff;
    if (k & 2)
        f = k & 4 ? 0 : k & 8 ? 1 : 0x7fffff;
    else if (e == 0)
        f >>= (k >> 50) % 23;
    return e << 23 | f | (u32)(k >> 4 & 1) << 31;
}
static u64 edge64(void) {
    const u64 k = random64();
    static const unsigned exponents[] = {0,    0,    1,    2,    52,   53,   54,   127,  128,
                                         254,  255,  767,  768,  769,  1022, 1023, 1024, 1074,
                                         1075, 1076, 1790, 2044, 2045, 2046, 2047};
    const u64 e = k & 1 ? exponents[(k >> 8) % (sizeof exponents / sizeof *exponents)] : (k >> 8) & 2047;
    u64 f = random64() & 0xfffffffffffff;
    if (k & 2)
        f = k & 4 ? 0 : k & 8 ? 1 : 0xfffffffffffff;
    else if (e == 0)
        f >>= (k >> 50) % 52;
    return e << 52 | f | (k >> 4 & 1) << 63;
}

static u64 quotient32(u64 n, u64 d, u32 mode) {
    float x, y;
    u32 bits = (u32)n;
    memcpy(&x, &bits, 4);
    bits = (u32)d;
    memcpy(&y, &bits, 4);
    if (isnan(x)) return n | 0x400000;
    if (isnan(y)) return d | 0x400000;
    _mm_setcsr(control(mode & 3, mode >> 4 & 3));
    volatile float a = x, b = y;
    volatile float q = a / b;
    _mm_setcsr(0x1f80);
    x = q;
    memcpy(&bits, &x, 4);
    return bits;
}
static u64 quotient64(u64 n, u64 d, u32 mode) {
    double x, y;
    memcpy(&x, &n, 8);
    memcpy(&y, &d, 8);
    if (isnan(x)) return n | 0x8000000000000;
    if (isnan(y)) return d | 0x8000000000000;
    _mm_setcsr(control(mode >> 2 & 3, mode >> 6 & 3));
    volatile double a = x, b = y;
    volatile double q = a / b;
    _mm_setcsr(0x1f80);
    x = q;
    memcpy(&n, &x, 8);
    return n;
}

static void check_division(const struct level *level, bool wide, u32 mode, unsigned rounds) {
    for (unsigned lanes = 32; lanes <= 64; lanes += 32) {
        struct machine m = {level, bare_wave(lanes, 2 * COUNT), wide};
        for (unsigned k = 0; k < rounds; k++) {
            set_mode(m.w, mode);
            m.w->exec = k % 4 ? m.w->all_lanes : random64() & m.w->all_lanes;
            for (unsigned l = 0; l < lanes; l++) {
                set_pair(m.w, vgpr(m.w, 2 * NUM), l, wide ? edge64() : edge32());
                set_pair(m.w, vgpr(m.w, 2 * DEN), l, wide ? edge64() : edge32());
                set_pair(m.w, vgpr(m.w, 2 * ONE), l, wide ? 0x3ff0000000000000 : 0x3f800000);
            }
            divide(&m);
            for (unsigned l = 0; l < lanes; l++) {
                if (!(m.w->exec >> l & 1)) continue;
                const u64 mask = wide ? ~0ull : 0xffffffff;
                const u64 n = pair_at(m.w, vgpr(m.w, 2 * NUM), l) & mask,
                          d = pair_at(m.w, vgpr(m.w, 2 * DEN), l) & mask;
                const u64 got = pair_at(m.w, vgpr(m.w, 2 * RESULT), l) & mask;
                const u64 want = wide ? quotient64(n, d, mode) : quotient32(n, d, mode);
                if (got != want)
                    fail_msg("F%d %s mode %x: %llx / %llx gives %llx, should be %llx", wide ? 64 : 32,
                             level->name, mode, (unsigned long long)n, (unsigned long long)d,
                             (unsigned long long)got, (unsigned long long)want);
            }
        }
        free(m.w);
    }
}
// To nearest the quotient is correctly rounded with denormals on and with denormals flushed.
static void quotients_to_nearest(void **state) {
    (void)state;
    for (unsigned l = 0; l < level_count(); l++) {
        for (unsigned wide = 0; wide < 2; wide++) {
            check_division(&levels[l], wide, 0xf0, l ? 3000 : 300);
            check_division(&levels[l], wide, wide ? 0x30 : 0xc0, l ? 1000 : 100);
            check_division(&levels[l], wide, wide ? 0xc0 : 0x30, l ? 1000 : 100);
        }
    }
}

// The special cases of FIXUP, whatever the quotient so far is; zero over zero gives the NaN with its sign
// set.
static void fixup_cases(void **state) {
    (void)state;
    static const struct {
        u32 q, den, num, want;
    } cases[] = {
        {0x3f800000, 0, 0, 0xffc00000},
        {0x3f800000, 0x7f800000, 0xff800000, 0xffc00000},
        {0x3f800000, 0x80000000, 0x3f800000, 0xff800000},
        {0x3f800000, 0x3f800000, 0xff800000, 0xff800000},
        {0x3f800000, 0xff800000, 0x3f800000, 0x80000000},
        {0x3f800000, 0xbf800000, 0, 0x80000000},
        {0x3f800000, 0x7fa00001, 0x7f812345, 0x7fc12345},
        {0x3f800000, 0x7fa00001, 0x3f800000, 0x7fe00001},
        {0x3f800000, 0x7f000000, 0x00800000, 0},
        {0x7fc00000, 0x00000001, 0xff000000, 0xff800000},
        {0xbf800000, 0x40000000, 0x40400000, 0x3f800000},
        {0x3f800000, 0x40000000, 0xc0400000, 0xbf800000},
    };
    for (unsigned l = 0; l < level_count(); l++) {
        struct machine m = {&levels[l], bare_wave(32, 2 * COUNT), false};
        for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
            lanes_of(m.w, vgpr(m.w, 2 * T0))[k] = cases[k].q;
            lanes_of(m.w, vgpr(m.w, 2 * DEN))[k] = cases[k].den;
            lanes_of(m.w, vgpr(m.w, 2 * NUM))[k] = cases[k].num;
        }
        run(&m, "v_div_fixup", RESULT, T0, DEN, NUM);
        for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
            assert_int_equal(lanes_of(m.w, vgpr(m.w, 2 * RESULT))[k], cases[k].want);
        free(m.w);
    }
}

// Segments of 2/pi add up to it, and stand further right for large arguments.
static void trig_segments(void **state) {
    (void)state;
    for (unsigned l = 0; l < level_count(); l++) {
        struct wave *w = bare_wave(64, 8);
        const struct body *body = body_named(&levels[l], "v_trig_preop_f64");
        for (unsigned k = 0; k < 64; k++) {
            set_pair(w, vgpr(w, 2), k,
                     k < 32 ? 0x3ff0000000000000 : 0x4550000000000000); // exponents 1023 and 1109
            lanes_of(w, vgpr(w, 4))[k] = k;
        }
        run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 2), .b = vgpr(w, 4)}, body->fn[0]);
        double v[64];
        for (unsigned k = 0; k < 64; k++) {
            const u64 bits = pair_at(w, vgpr(w, 0), k);
            memcpy(&v[k], &bits, 8);
        }
        const __float128 sum = (__float128)v[0] + v[1] + v[2],
                         want = 0.63661977236758134307553505349005744813783858296183Q;
        const __float128 difference = sum > want ? sum - want : want - sum;
        assert_true(difference < 0x1p-112);
        for (unsigned k = 0; k < 19; k++) {
            assert_true(v[k] * 0x1p53 * ldexp(1, 53 * (int)k) ==
                        floor(v[k] * 0x1p53 * ldexp(1, 53 * (int)k)));
            assert_true(v[k] < ldexp(1, -53 * (int)k));
        }
        // Exponent 1109 shifts by 32 more: its first segment begins 32 bits into 2/pi.
        const double whole = floor(v[0] * 0x1p32) * 0x1p-32;
        const __float128 rest = (__float128)v[0] - whole + v[1] - v[32];
        assert_true((rest < 0 ? -rest : rest) < 0x1p-84);
        free(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(quotients_to_nearest), cmocka_unit_test(fixup_cases),
                                       cmocka_unit_test(trig_segments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
