// SPDX-License-Identifier: MIT
// The steps around bodies: splat, modifiers, halves, SDWA, packed selection, clamp, omod, merges.
// Facts shown: TRAP-131, 132, 134, 135, 147, 150.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "bare_wave.h"

typedef uint64_t u64;
typedef uint32_t u32;

enum { SRC = 0, DST = 2, REGISTERS = 6 };

#define EVERYWHERE                                                                                           \
    (void)state;                                                                                             \
    for (unsigned n = 0; n < level_count(); n++)                                                             \
        for (unsigned lanes = 32; lanes <= 64; lanes += 32)
#define STEP(name) levels[n].steps->name

static struct wave *filled(unsigned lanes) {
    struct wave *w = bare_wave(lanes, REGISTERS);
    for (unsigned r = 0; r < REGISTERS; r++)
        for (unsigned l = 0; l < lanes; l++) lanes_of(w, vgpr(w, r))[l] = tricky32();
    w->exec = tricky_exec();
    return w;
}

// Runs the step on random values: `expr` over a (source), d (old destination) is expected, in every lane or,
// when `masked`, in the executing ones while the others keep d. HI names the second register of pairs.
#define LANEWISE_CHECK(step_name, op_init, masked, expr)                                                     \
    for (unsigned round = 0; round < 6; round++) {                                                           \
        struct wave *own = filled(lanes);                                                                    \
        struct op op = {.d = vgpr(own, DST), .a = vgpr(own, SRC), op_init};                                  \
        u32 want[64];                                                                                        \
        for (unsigned l = 0; l < lanes; l++) {                                                               \
            const u32 a = lanes_of(own, op.a)[l], d = lanes_of(own, op.d)[l];                                \
            want[l] = (masked) && !(own->exec >> l & 1) ? d : (u32)(expr);                                   \
        }                                                                                                    \
        run_op(own, op, STEP(step_name));                                                                    \
        for (unsigned l = 0; l < lanes; l++)                                                                 \
            if (lanes_of(own, op.d)[l] != want[l])                                                           \
                fail_msg(#step_name " %s wave%u lane %u: %08x, expected %08x", levels[n].name, lanes, l,     \
                         lanes_of(own, op.d)[l], want[l]);                                                   \
        free(own);                                                                                           \
    }

static void sources(void **state) {
    EVERYWHERE {
        struct wave *w = filled(lanes);
        run_op(w, (struct op){.d = vgpr(w, DST), .a = OP_IMM, .imm = 0x1122334455667788}, STEP(splat64));
        run_op(w, (struct op){.d = vgpr(w, 4), .a = WAVE_OFFSET(vcc)}, STEP(splat32));
        for (unsigned l = 0; l < lanes; l++) {
            assert_true(pair_at(w, vgpr(w, DST), l) == 0x1122334455667788);
            assert_int_equal(lanes_of(w, vgpr(w, 4))[l], 0);
        }
        free(w);
        for (u32 e = 0; e < 4; e++) {
            LANEWISE_CHECK(modify_f32, .e = e, false, (e & 1 ? a & 0x7fffffff : a) ^ (e & 2 ? 0x80000000 : 0))
            LANEWISE_CHECK(modify_f16, .e = e, false, (e & 1 ? a & 0xffff7fff : a) ^ (e & 2 ? 0x8000 : 0))
            w = filled(lanes);
            run_op(w, (struct op){.d = vgpr(w, DST), .a = vgpr(w, SRC), .e = e}, STEP(modify_f64));
            for (unsigned l = 0; l < lanes; l++) {
                const u64 a = pair_at(w, vgpr(w, SRC), l);
                assert_true(pair_at(w, vgpr(w, DST), l) ==
                            ((e & 1 ? a & ~0ull >> 1 : a) ^ (e & 2 ? 1ull << 63 : 0)));
            }
            free(w);
        }
        LANEWISE_CHECK(xor_bits, .imm = 0x80008000, false, a ^ 0x80008000)
        LANEWISE_CHECK(shift_high, .e = 0, false, a >> 16)
        for (u32 e = 0; e < 16; e++) {
            const unsigned sel = e & 7;
            LANEWISE_CHECK(select, .e = e, false,
                           sel <= 3 ? e & 8 ? (u32)(int8_t)(a >> 8 * sel) : a >> 8 * sel & 0xff
                           : sel <= 5
                               ? e & 8 ? (u32)(int16_t)(a >> 16 * (sel - 4)) : a >> 16 * (sel - 4) & 0xffff
                               : a)
        }
        for (u32 k = 0; k < 16; k++) {
            LANEWISE_CHECK(pk_select, .imm = k, false,
                           (((k & 1 ? a >> 16 : a) & 0xffff) | (k & 2 ? a >> 16 : a) << 16) ^
                               (k & 4 ? 0x8000 : 0) ^ (k & 8 ? 0x80000000 : 0))
            w = filled(lanes);
            run_op(w, (struct op){.d = vgpr(w, DST), .a = vgpr(w, SRC), .imm = k}, STEP(pk_select64));
            for (unsigned l = 0; l < lanes; l++) {
                const u32 lo = lanes_of(w, vgpr(w, SRC + (k & 1)))[l] ^ (k & 4 ? 0x80000000 : 0);
                const u32 hi = lanes_of(w, vgpr(w, SRC + (k >> 1 & 1)))[l] ^ (k & 8 ? 0x80000000 : 0);
                assert_true(pair_at(w, vgpr(w, DST), l) == (lo | (u64)hi << 32));
            }
            free(w);
        }
    }
}

static void one(unsigned n, struct wave *w, op_fn *fn, u32 e, u32 a, u32 want) {
    for (unsigned l = 0; l < w->lanes; l++) lanes_of(w, vgpr(w, SRC))[l] = a;
    run_op(w, (struct op){.d = vgpr(w, SRC), .a = vgpr(w, SRC), .e = e}, fn);
    for (unsigned l = 0; l < w->lanes; l++)
        if (lanes_of(w, vgpr(w, SRC))[l] != want)
            fail_msg("%s: %08x gave %08x, expected %08x", levels[n].name, a, lanes_of(w, vgpr(w, SRC))[l],
                     want);
}
static void one64(unsigned n, struct wave *w, op_fn *fn, u32 e, u64 a, u64 want) {
    for (unsigned l = 0; l < w->lanes; l++) set_pair(w, vgpr(w, SRC), l, a);
    run_op(w, (struct op){.d = vgpr(w, SRC), .a = vgpr(w, SRC), .e = e}, fn);
    for (unsigned l = 0; l < w->lanes; l++)
        if (pair_at(w, vgpr(w, SRC), l) != want)
            fail_msg("%s: %llx gave %llx", levels[n].name, (unsigned long long)a,
                     (unsigned long long)pair_at(w, vgpr(w, SRC), l));
}

// {OPSEL_HI, OPSEL}: F32, or F16 from the low or high half; NEG_HI is abs (TRAP-147).
static void mixed(void **state) {
    EVERYWHERE {
        struct wave *w = bare_wave(lanes, 2);
        one(n, w, STEP(mix_source), 0, 0x3fc00000, 0x3fc00000);
        one(n, w, STEP(mix_source), 1, 0xc0003c00, 0x3f800000);
        one(n, w, STEP(mix_source), 3, 0xc0003c00, 0xc0000000);
        one(n, w, STEP(mix_source), 7, 0xc0003c00, 0x40000000);
        one(n, w, STEP(mix_source), 15, 0xc0003c00, 0xc0000000);
        one(n, w, STEP(mix_source), 8, 0x3f800000, 0xbf800000);
        one(n, w, STEP(mix_source), 1, 0x00000001, 0x33800000); // an F16 denormal
        one(n, w, STEP(mix_source), 1, 0x7c00, 0x7f800000);
        w->mode &= ~0x40u; // F16 denormals as inputs off
        one(n, w, STEP(mix_source), 1, 0x8001, 0x80000000);
        free(w);
    }
}

static void clamps(void **state) {
    EVERYWHERE {
        struct wave *w = bare_wave(lanes, 2);
        static const u32 f32[][2] = {{0x3f000000, 0x3f000000}, {0x40000000, 0x3f800000}, {0xbf800000, 0},
                                     {0x80000000, 0},          {0x00000001, 1},          {0x80000001, 0},
                                     {0x7f800000, 0x3f800000}, {0xff800000, 0}};
        for (unsigned k = 0; k < sizeof f32 / sizeof *f32; k++)
            one(n, w, STEP(clamp_f32), 0, f32[k][0], f32[k][1]);
        one(n, w, STEP(clamp_f32), 0, 0x7fc00000, 0); // DX10_CLAMP is set
        one(n, w, STEP(clamp_f32), 0, 0xffc00000, 0);
        one64(n, w, STEP(clamp_f64), 0, 0x4000000000000000, 0x3ff0000000000000);
        one64(n, w, STEP(clamp_f64), 0, 0x8000000000000000, 0);
        one64(n, w, STEP(clamp_f64), 0, 0x3fe0000000000001, 0x3fe0000000000001);
        one64(n, w, STEP(clamp_f64), 0, 0xfff8000000000000, 0);
        one(n, w, STEP(clamp_f16), 0, 0x4000, 0x3c00);
        one(n, w, STEP(clamp_f16), 0, 0xbc00, 0);
        one(n, w, STEP(clamp_f16), 0, 0x7e00, 0);
        one(n, w, STEP(clamp_pk_f16), 0, 0xbc004000, 0x00003c00);
        one(n, w, STEP(clamp_pk_bf16), 0, 0xbf804000, 0x00003f80);
        one(n, w, STEP(clamp_pk_bf16), 0, 0x3f007fc0, 0x3f000000);
        one(n, w, STEP(clamp_bf16), 0, 0x4000, 0x3f80);
        one(n, w, STEP(clamp_bf16), 0, 0xff80, 0);
        one(n, w, STEP(clamp_pk_f16), 0, 0x38007e00, 0x38000000);
        w->mode &= ~(1u << 8); // the NaN survives (TRAP-132), unless the processor has no such bit
        one(n, w, STEP(clamp_f32), 0, 0x7fc00001, 0x7fc00001);
        one(n, w, STEP(clamp_f32), 1, 0x7fc00001, 0);
        one64(n, w, STEP(clamp_f64), 0, 0x7ff8000000000000, 0x7ff8000000000000);
        one(n, w, STEP(clamp_pk_f16), 0, 0x7e01fe01, 0x7e01fe01);
        free(w);
    }
}

static void output_modifiers(void **state) {
    EVERYWHERE {
        struct wave *w = bare_wave(lanes, 2);
        one(n, w, STEP(omod_f32), 1, 0x3f800000, 0x3f800000); // ignored: IEEE and denormals (TRAP-134)
        w->mode = 0xf0;
        one(n, w, STEP(omod_f32), 1, 0x3f800000, 0x3f800000); // denormals
        w->mode = 1 << 9;
        one(n, w, STEP(omod_f32), 1, 0x3f800000, 0x3f800000); // IEEE
        one(n, w, STEP(omod_f32), 5, 0x3f800000, 0x40000000); // a processor without that bit
        w->mode = 0, w->mxcsr = w->mxcsr64 = 0x9fc0;
        one(n, w, STEP(omod_f32), 1, 0x3fc00000, 0x40400000);
        one(n, w, STEP(omod_f32), 2, 0x3fc00000, 0x40c00000);
        one(n, w, STEP(omod_f32), 3, 0x3fc00000, 0x3f400000);
        one(n, w, STEP(omod_f32), 3, 0x80000000, 0); // -0
        one(n, w, STEP(omod_f32), 3, 0x00800000, 0); // a denormal result
        one(n, w, STEP(omod_f32), 1, 0x7f7fffff, 0x7f800000);
        one(n, w, STEP(omod_f32), 1, 0x7fc01234, 0x7fc01234);
        one64(n, w, STEP(omod_f64), 2, 0x3ff8000000000000, 0x4018000000000000);
        one64(n, w, STEP(omod_f64), 3, 0x8010000000000000, 0);
        one(n, w, STEP(omod_f16), 1, 0x3c00, 0x4000);
        one(n, w, STEP(omod_f16), 3, 0x0400, 0);
        one(n, w, STEP(omod_f16), 3, 0x8000, 0);
        one(n, w, STEP(omod_f16), 2, 0x7bff, 0x7c00);
        free(w);
    }
}

static void destinations(void **state) {
    EVERYWHERE {
        LANEWISE_CHECK(merge_low, .e = 0, true, (d & 0xffff0000) | (a & 0xffff))
        LANEWISE_CHECK(merge_high, .e = 0, true, (d & 0xffff) | a << 16)
        for (u32 sel = 0; sel < 7; sel++) {
            const unsigned shift = sel < 4    ? 8 * sel
                                   : sel == 5 ? 16
                                              : 0,
                           bits = sel < 4   ? 8
                                  : sel < 6 ? 16
                                            : 32;
            const u32 place = (u32)(((1ull << bits) - 1) << shift);
            LANEWISE_CHECK(sdwa_merge, .e = sel | SDWA_PAD << 4, true, a << shift & place)
            LANEWISE_CHECK(sdwa_merge, .e = sel | SDWA_PRESERVE << 4, true,
                           (a << shift & place) | (d & ~place))
            LANEWISE_CHECK(sdwa_merge, .e = sel | SDWA_SEXT << 4, true,
                           bits == 8    ? (u32)(int8_t)a << shift
                           : bits == 16 ? (u32)(int16_t)a << shift
                                        : a)
        }
        LANEWISE_CHECK(clamp_f32, .e = 1, true,
                       (int32_t)a <= 0 || a > 0x7f800000 ? 0
                       : a > 0x3f800000                  ? 0x3f800000
                                                         : a)
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources),          cmocka_unit_test(mixed),        cmocka_unit_test(clamps),
        cmocka_unit_test(output_modifiers), cmocka_unit_test(destinations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
