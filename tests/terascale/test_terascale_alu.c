// SPDX-License-Identifier: MIT
// ALU operations by programs of one group: against references written apart, under every modifier, and that
// each row either executes or says why not.
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
#include "terascale/program.h"

static uint64_t state = 1;
static uint32_t random32(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

static char message[300];
static void take_message(void *context, const sw_diagnostic *d) {
    (void)context;
    if (d->severity == SW_ERROR) snprintf(message, sizeof message, "%u: %s", d->at.line, d->message);
}
static const sw_sink sink = {take_message, NULL};

// A wave with three inputs a lane, in R10.x, R11.y and R12.z, and the lane's number in R0.x; what the clause
// leaves in R20 is the result. Some chips have fewer lanes.
enum { LANES = 64 };
struct rig {
    uint32_t in[4][LANES], out[4][LANES];
};

static const uint32_t constants[32][4] = {{7, 70}, {8, 80}, {9, 90}, {10, 100}, {11, 110}};

static sw_status run(const char *chip, const char *clause, struct rig *r) {
    struct text t = {0};
    text_puts(&t, "main:\nALU: KCACHE0(CB0:0-31)\n");
    text_puts(&t, clause);
    text_puts(&t, !strcmp(chip, "cayman") ? "CF_END\n" : "NOP END_OF_PROGRAM\n");
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find(chip, strlen(chip))};
    uint8_t *object;
    size_t size;
    *message = 0;
    sw_status status = sw_terascale_assemble(t.data, t.length, &a, &object, &size, &sink);
    static sw_terascale_wave wave;
    wave = (sw_terascale_wave){.size = sizeof wave, .valid = ~0ull};
    for (unsigned l = 0; l < LANES; l++) wave.gpr[0][0][l] = l;
    for (unsigned k = 0; k < 3; k++) memcpy(wave.gpr[10 + k][k], r->in[k], sizeof r->in[k]);
    static const float parameters[32][4][3];
    const sw_terascale_wave_options o = {.size = sizeof o,
                                         .constants = constants,
                                         .constants_size = sizeof constants,
                                         .parameters = parameters,
                                         .strict = true};
    if (!status) status = sw_terascale_run_wave(object, size, &o, &wave, &sink);
    memcpy(r->out, wave.gpr[20], sizeof r->out);
    sw_terascale_free(object);
    text_free(&t);
    return status;
}

static float real(uint32_t v) {
    float f;
    memcpy(&f, &v, sizeof f);
    return f;
}
static uint32_t word(float f) {
    uint32_t v;
    memcpy(&v, &f, sizeof v);
    return v;
}

static void fill(struct rig *r, bool floats) {
    static const uint32_t edges[] = {0,          0x80000000, 1,          0xffffffff, 0x7fffffff, 0x3f800000,
                                     0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x3f000000, 31,
                                     32,         0x00ffffff, 0x4f000000, 0x7f7fffff};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned l = 0; l < LANES; l++) {
            uint32_t v = random32();
            if (floats && v % 3 == 0) v = word((float)((int32_t)random32() % 4000) / 16.0f);
            if (random32() % 3 == 0) v = edges[random32() % 16];
            if (floats && !(v & 0x7f800000))
                v &= 0x80000000; // denormals are flushed, which another test shows
            r->in[i][l] = v;
        }
}

// ---- References, one way or another than the bodies ----

typedef uint32_t integer_reference(uint32_t a, uint32_t b, uint32_t c);
typedef float float_reference(float a, float b, float c);

#define INTEGER(name, e)                                                                                     \
    static uint32_t name(uint32_t a, uint32_t b, uint32_t c) {                                               \
        (void)a, (void)b, (void)c;                                                                           \
        return (uint32_t)(e);                                                                                \
    }
#define FLOAT(name, e)                                                                                       \
    static float name(float a, float b, float c) {                                                           \
        (void)a, (void)b, (void)c;                                                                           \
        return (float)(e);                                                                                   \
    }

static uint32_t count_bits(uint32_t v) {
    uint32_t n = 0;
    for (; v; v &= v - 1) n++;
    return n;
}
static int first(uint32_t v, bool from_top) {
    for (int i = 0; i < 32; i++)
        if (v >> (from_top ? 31 - i : i) & 1) return i;
    return -1;
}
static uint32_t field(uint32_t v, uint32_t at, uint32_t n, bool sign) {
    uint32_t out = 0;
    at &= 31, n &= 31;
    for (uint32_t i = 0; i < n && at + i < 32; i++) out |= (v >> (at + i) & 1) << i;
    const uint32_t have = at + n > 32 ? 32 - at : n;
    if (sign && have && out >> (have - 1) & 1)
        out |= ~0u << (have - 1) << 1 >> 1 << 1 >> 0, out |= ~((1ull << have) - 1);
    return out;
}
static uint32_t byte_at(uint32_t v, unsigned n) { return v >> 8 * n & 255; }
static uint32_t differences(uint32_t a, uint32_t b) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        const int d = (int)byte_at(a, i) - (int)byte_at(b, i);
        sum += (uint32_t)(d < 0 ? -d : d);
    }
    return sum;
}
static uint32_t means(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t out = 0;
    for (unsigned i = 0; i < 4; i++)
        out |= (byte_at(a, i) + byte_at(b, i) + (byte_at(c, i) & 1)) / 2 << 8 * i;
    return out;
}
static int32_t s24(uint32_t v) { return (int32_t)(v & 0xffffff) - (v & 0x800000 ? 0x1000000 : 0); }

INTEGER(r_and, ~(~a | ~b))
INTEGER(r_or, ~(~a & ~b))
INTEGER(r_xor, (a | b) - (a & b))
INTEGER(r_not, -(int64_t)a - 1)
INTEGER(r_add, (uint64_t)a + b)
INTEGER(r_sub, (uint64_t)a - b)
INTEGER(r_carry, ((uint64_t)a + b) >> 32)
INTEGER(r_borrow, b > a)
INTEGER(r_max, (int32_t)a < (int32_t)b ? b : a)
INTEGER(r_min, (int32_t)a < (int32_t)b ? a : b)
INTEGER(r_maxu, a < b ? b : a)
INTEGER(r_minu, b < a ? b : a)
INTEGER(r_sete, a == b ? -1 : 0)
INTEGER(r_setgt, (int64_t)(int32_t)a - (int32_t)b > 0 ? -1 : 0)
INTEGER(r_setge, (int64_t)(int32_t)a - (int32_t)b >= 0 ? -1 : 0)
INTEGER(r_setne, a == b ? 0 : -1)
INTEGER(r_setgtu, (int64_t)a - b > 0 ? -1 : 0)
INTEGER(r_setgeu, (int64_t)a - b >= 0 ? -1 : 0)
INTEGER(r_ashr, b > 31 ? -(int32_t)(a >> 31)
                       : (int64_t)(int32_t)a / (1ll << b) - ((int32_t)a < 0 && (a & ((1ull << b) - 1))))
INTEGER(r_lshr, b > 31 ? 0 : a / (1ull << b))
INTEGER(r_lshl, b > 31 ? 0 : a * (1ull << b))
INTEGER(r_mullo, (uint64_t)a *b)
INTEGER(r_mulhi, (__int128)(int32_t)a *(int32_t)b >> 32)
INTEGER(r_mulhiu, (unsigned __int128)a *b >> 32)
INTEGER(r_mul24, (uint64_t)(a % 0x1000000) * (b % 0x1000000))
INTEGER(r_mulhi24, (uint64_t)(a % 0x1000000) * (b % 0x1000000) >> 32)
INTEGER(r_mad24, (uint64_t)(a % 0x1000000) * (b % 0x1000000) + c)
INTEGER(r_muls24, (int64_t)s24(a) * s24(b))
INTEGER(r_mads24, (int64_t)s24(a) * s24(b) + c)
INTEGER(r_bfm, ((1ull << b % 32) * ((1ull << a % 32) - 1)))
INTEGER(r_bcnt, count_bits(a))
INTEGER(r_ffbh, first(a, true))
INTEGER(r_ffbl, first(a, false))
INTEGER(r_ffbhi, first((int32_t)a < 0 ? ~a : a, true))
INTEGER(r_bfeu, field(a, b, c, false))
INTEGER(r_bfei, field(a, b, c, true))
INTEGER(r_bfi, c ^ ((b ^ c) & a))
INTEGER(r_bitalign, (((unsigned __int128)a << 32) + b) >> c % 32)
INTEGER(r_bytealign, (((unsigned __int128)a << 32) + b) >> c % 4 * 8)
INTEGER(r_lerp, means(a, b, c))
INTEGER(r_sad, differences(a, b) + c)
INTEGER(r_sadhi, differences(a, b) * 65536 + c)
INTEGER(r_cndei, a ? c : b)
INTEGER(r_cndgti, (int32_t)a > 0 ? b : c)
INTEGER(r_cndgei, a >> 31 ? c : b)
INTEGER(r_mov, a)
INTEGER(r_i2f, word((float)(int32_t)a))
INTEGER(r_u2f, word((float)a))
INTEGER(r_ub2, word((float)byte_at(a, 2)))

FLOAT(f_add, (double)a + (double)b)
FLOAT(f_mul, (double)a *(double)b)
FLOAT(f_mul_legacy, a == 0 || b == 0 ? 0.0 : (double)a * (double)b)
FLOAT(f_mad, (float)((double)a *(double)b) + c)
FLOAT(f_fma, fma((double)a, (double)b, (double)c) == (double)fmaf(a, b, c) ? fmaf(a, b, c) : fmaf(a, b, c))
FLOAT(f_max, a != a ? b : b != b ? a : a < b ? b : a)
FLOAT(f_min, a != a ? b : b != b ? a : b < a ? b : a)
FLOAT(f_fract, (double)a - floor((double)a))
FLOAT(f_trunc, a < 0 ? ceil((double)a) : floor((double)a))
FLOAT(f_ceil, -floor(-(double)a))
FLOAT(f_rndne, nearbyint((double)a))
FLOAT(f_floor, -ceil(-(double)a))
FLOAT(f_sete, a == b)
FLOAT(f_setgt, a > b)
FLOAT(f_setge, a >= b)
FLOAT(f_setne, !(a == b))

static const struct {
    const char *name;
    integer_reference *of;
    unsigned sources;
} integers[] = {
    {"AND_INT", r_and, 2},
    {"OR_INT", r_or, 2},
    {"XOR_INT", r_xor, 2},
    {"NOT_INT", r_not, 1},
    {"ADD_INT", r_add, 2},
    {"SUB_INT", r_sub, 2},
    {"ADDC_UINT", r_carry, 2},
    {"SUBB_UINT", r_borrow, 2},
    {"MAX_INT", r_max, 2},
    {"MIN_INT", r_min, 2},
    {"MAX_UINT", r_maxu, 2},
    {"MIN_UINT", r_minu, 2},
    {"SETE_INT", r_sete, 2},
    {"SETGT_INT", r_setgt, 2},
    {"SETGE_INT", r_setge, 2},
    {"SETNE_INT", r_setne, 2},
    {"SETGT_UINT", r_setgtu, 2},
    {"SETGE_UINT", r_setgeu, 2},
    {"ASHR_INT", r_ashr, 2},
    {"LSHR_INT", r_lshr, 2},
    {"LSHL_INT", r_lshl, 2},
    {"MULLO_INT", r_mullo, 2},
    {"MULLO_UINT", r_mullo, 2},
    {"MULHI_INT", r_mulhi, 2},
    {"MULHI_UINT", r_mulhiu, 2},
    {"MUL_UINT24", r_mul24, 2},
    {"MULHI_UINT24", r_mulhi24, 2},
    {"MULADD_UINT24", r_mad24, 3},
    {"MUL_INT24", r_muls24, 2},
    {"MULADD_INT24", r_mads24, 3},
    {"BFM_INT", r_bfm, 2},
    {"BCNT_INT", r_bcnt, 1},
    {"FFBH_UINT", r_ffbh, 1},
    {"FFBL_INT", r_ffbl, 1},
    {"FFBH_INT", r_ffbhi, 1},
    {"BFE_UINT", r_bfeu, 3},
    {"BFE_INT", r_bfei, 3},
    {"BFI_INT", r_bfi, 3},
    {"BIT_ALIGN_INT", r_bitalign, 3},
    {"BYTE_ALIGN_INT", r_bytealign, 3},
    {"LERP_UINT", r_lerp, 3},
    {"SAD_ACCUM_UINT", r_sad, 3},
    {"SAD_ACCUM_HI_UINT", r_sadhi, 3},
    {"CNDE_INT", r_cndei, 3},
    {"CNDGT_INT", r_cndgti, 3},
    {"CNDGE_INT", r_cndgei, 3},
    {"MOV", r_mov, 1},
    {"INT_TO_FLT", r_i2f, 1},
    {"UINT_TO_FLT", r_u2f, 1},
    {"UBYTE2_FLT", r_ub2, 1},
};

static const struct {
    const char *name;
    float_reference *of;
    unsigned sources;
} floats[] = {
    {"ADD", f_add, 2},     {"MUL_IEEE", f_mul, 2}, {"MUL_e", f_mul_legacy, 2}, {"MULADD_IEEE", f_mad, 3},
    {"FMA", f_fma, 3},     {"MAX_DX10", f_max, 2}, {"MIN_DX10", f_min, 2},     {"FRACT", f_fract, 1},
    {"TRUNC", f_trunc, 1}, {"CEIL", f_ceil, 1},    {"RNDNE", f_rndne, 1},      {"FLOOR", f_floor, 1},
    {"SETE", f_sete, 2},   {"SETGT", f_setgt, 2},  {"SETGE", f_setge, 2},      {"SETNE", f_setne, 2},
};

static const struct ts_row *row_called(const char *name, size_t n) {
    for (unsigned i = 0; i < TS_ROWS; i++)
        if (ts_rows[i].space == TS_OP2_SPACE || ts_rows[i].space == TS_OP3_SPACE)
            if (strlen(ts_row_name(&ts_rows[i])) == n && !memcmp(ts_row_name(&ts_rows[i]), name, n))
                return &ts_rows[i];
    fail_msg("no operation %s", name);
    return NULL;
}

// The operation `name` with suffixes in the slots where it may be, its operands with these signs and bars.
static void write_group(struct text *t, const char *chip, const char *name, size_t length, unsigned neg,
                        unsigned abs) {
    static const char *const operands[3] = {"R10.x", "R11.y", "R12.z"};
    const struct ts_row *row = row_called(name, length);
    const unsigned kind = row->slots[ts_chip_find(chip, strlen(chip))->family];
    for (unsigned u = 0; u < (kind == TS_ALL ? 4 : 1); u++) {
        text_printf(t, "%s%c: %s R20.%c", u ? " " : " 0 ", kind == TS_TRANS ? 't' : "xyzw"[u], name,
                    "xyzw"[u]);
        for (unsigned k = 0; k < row->sources; k++)
            text_printf(t, ", %s%s%s%s", neg >> k & 1 ? "-" : "", abs >> k & 1 ? "|" : "", operands[k],
                        abs >> k & 1 ? "|" : "");
        text_puts(t, "\n");
    }
}

static void integers_agree(void **unused) {
    (void)unused;
    static const char *const chips[] = {"rv670", "rv770", "cypress", "cayman"};
    for (unsigned i = 0; i < sizeof integers / sizeof *integers; i++)
        for (unsigned chip = 0; chip < 4; chip++)
            for (unsigned round = 0; round < 6; round++) {
                struct rig r;
                struct text t = {0};
                const struct ts_row *row = row_called(integers[i].name, strlen(integers[i].name));
                if (!row->op[ts_chip_find(chips[chip], strlen(chips[chip]))->family]) continue;
                fill(&r, false);
                if (round > 2) // small amounts
                    for (unsigned l = 0; l < LANES; l++) r.in[1][l] %= 40, r.in[2][l] %= 40;
                write_group(&t, chips[chip], integers[i].name, strlen(integers[i].name), 0, 0);
                if (run(chips[chip], t.data, &r))
                    fail_msg("%s on %s: %s\n%s", integers[i].name, chips[chip], message, t.data);
                for (unsigned l = 0; l < LANES; l++) {
                    const uint32_t e = integers[i].of(r.in[0][l], r.in[1][l], r.in[2][l]);
                    if (r.out[0][l] != e)
                        fail_msg("%s on %s of 0x%x 0x%x 0x%x: 0x%x, expected 0x%x", integers[i].name,
                                 chips[chip], r.in[0][l], r.in[1][l], r.in[2][l], r.out[0][l], e);
                }
                text_free(&t);
            }
}

static uint32_t sign_and_size(uint32_t v, bool neg, bool abs) {
    return (abs ? v & 0x7fffffff : v) ^ (neg ? 0x80000000 : 0);
}
static uint32_t flushed(uint32_t v) { return v & 0x7f800000 ? v : v & 0x80000000; }
static bool equal(uint32_t a, uint32_t b) { return a == b || (isnan(real(a)) && isnan(real(b))); }

static void floats_agree_under_modifiers(void **unused) {
    (void)unused;
    static const char *const omods[4] = {"", "*2", "*4", "/2"};
    static const float factors[4] = {1, 2, 4, 0.5f};
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++)
        for (unsigned m = 0; m < 64; m++) {
            const bool op3 = floats[i].sources == 3, clamp = m & 1;
            const unsigned omod = op3 ? 0 : m >> 1 & 3, neg = m >> 3 & 7, abs = op3 ? 0 : random32() & 3;
            struct rig r;
            struct text t = {0};
            char name[32];
            fill(&r, true);
            snprintf(name, sizeof name, "%s%s%s", floats[i].name, omods[omod], clamp ? "_sat" : "");
            const unsigned mask = (1u << floats[i].sources) - 1;
            write_group(&t, "cypress", name, strlen(floats[i].name), neg & mask, abs & mask);
            if (run("cypress", t.data, &r)) fail_msg("%s: %s\n%s", name, message, t.data);
            for (unsigned l = 0; l < LANES; l++) {
                uint32_t v[3];
                for (unsigned k = 0; k < 3; k++)
                    v[k] = sign_and_size(r.in[k][l], (neg & mask) >> k & 1, (abs & mask) >> k & 1);
                float e = real(flushed(word(floats[i].of(real(v[0]), real(v[1]), real(v[2])))));
                if (omod) e = real(flushed(word(e * factors[omod])));
                if (clamp) e = isnan(e) ? e : e < 0 ? 0 : e > 1 ? 1 : e;
                const bool zeros = e == 0 && real(r.out[0][l]) == 0 &&
                                   (strstr(name, "M") == name); // the sign of equal zeros
                if (!equal(r.out[0][l], word(e)) && !zeros)
                    fail_msg("%s of 0x%x 0x%x 0x%x: 0x%x, expected 0x%x\n%s", name, v[0], v[1], v[2],
                             r.out[0][l], word(e), t.data);
            }
            text_free(&t);
        }
}

// ---- Groups ----

static void groups_read_before_they_write(void **unused) {
    (void)unused;
    struct rig r;
    fill(&r, false);
    // A rotation of three registers in one group; PV and PS are the results of the group before (R7-12,
    // R7-13).
    assert_int_equal(run("cypress",
                         " 0 x: MOV R20.x, R10.x\n y: MOV R20.y, R11.y\n z: MOV R20.z, R12.z\n"
                         " 1 x: MOV R20.x, R20.y\n y: MOV R20.y, R20.z\n z: MOV R20.z, R20.x\n w: MOV "
                         "____:R9.w, R12.z\n t: MOV R9.x, R10.x\n"
                         " 2 w: ADD_INT R20.w, PV.w, PS\n",
                         &r),
                     SW_OK);
    for (unsigned l = 0; l < LANES; l++) {
        assert_int_equal(r.out[0][l], r.in[1][l]);
        assert_int_equal(r.out[1][l], r.in[2][l]);
        assert_int_equal(r.out[2][l], r.in[0][l]);
        assert_int_equal(r.out[3][l], r.in[2][l] + r.in[0][l]); // a masked slot gives PV as well
    }
}

static void predicates_choose_and_give_zero(void **unused) {
    (void)unused;
    struct rig r;
    fill(&r, false);
    assert_int_equal(run("cypress",
                         " 0 x: PRED_SETGT_INT R20.x, R10.x, R11.y UPDATE_PRED\n"
                         " 1 y: MOV R20.y, R10.x PRED_SEL_ONE\n"
                         " 2 y: MOV R20.y, R11.y PRED_SEL_ZERO\n",
                         &r),
                     SW_OK); // R7-15
    for (unsigned l = 0; l < LANES; l++) {
        const bool pass = (int32_t)r.in[0][l] > (int32_t)r.in[1][l];
        assert_int_equal(r.out[0][l], pass ? 0 : 0x3f800000);
        assert_int_equal(r.out[1][l], pass ? r.in[0][l] : r.in[1][l]);
    }
}

// Each lane has an index of its own (R7-10), added to GPRs, their destinations and constants; nine bits.
static void indexes_are_each_lanes_own(void **unused) {
    (void)unused;
    struct rig r;
    fill(&r, false);
    for (unsigned l = 0; l < LANES; l++) r.in[0][l] = l % 4;
    assert_int_equal(
        run("cypress",
            " 0 x: MOV R30.x, (100)\n 1 x: MOV R31.x, (101)\n 2 x: MOV R32.x, (102)\n 3 x: MOV R33.x, (103)\n"
            " 4 x: MOVA_INT ____, R10.x\n 5 x: MOV R20.x, R[AR.x+30].x\n y: MOV R20.y, KC0[AR.x+0].x\n"
            " 6 x: MOV R[AR.x+30].x, 1\n 7 z: ADD_INT R20.z, R30.x, R33.x\n"
            " 8 x: MOVA_INT ____, (1000)\n 9 w: MOV R20.w, R[AR.x+100].x\n",
            &r),
        SW_OK);
    for (unsigned l = 0; l < LANES; l++) {
        assert_int_equal(r.out[0][l], 100 + l % 4);
        assert_int_equal(r.out[1][l], 7 + l % 4); // of the constants
        assert_int_equal(r.out[2][l], (l % 4 == 0 ? 1 : 100) + (l % 4 == 3 ? 1 : 103));
        assert_int_equal(r.out[3][l], l); // outside: GPR 0, which holds the lane
    }
}

static void four_slots_work_together(void **unused) {
    (void)unused;
    struct rig r;
    fill(&r, true);
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned k = 0; k < 3; k++) r.in[k][l] = word((float)((int32_t)random32() % 100));
    const char *dot = " 0 x: DOT4_IEEE R20.x, R10.x, R10.x\n y: DOT4_IEEE R20.y, R11.y, R11.y\n z: DOT4_IEEE "
                      "R20.z, R12.z, R12.z\n"
                      " w: DOT4_IEEE R20.w, 1.0, 0.5\n";
    for (unsigned chip = 0; chip < 4; chip++) {
        static const char *const chips[] = {"rv670", "rv770", "cypress", "cayman"};
        assert_int_equal(run(chips[chip], dot, &r), SW_OK);
        for (unsigned l = 0; l < LANES; l++) {
            float sum = 0.5f;
            for (unsigned k = 0; k < 3; k++) sum += real(r.in[k][l]) * real(r.in[k][l]);
            for (unsigned c = 0; c < 4; c++) assert_true(real(r.out[c][l]) == sum);
        }
    }
    // A direction to a face of a cube: source 0 is z z x y, source 1 y x z z.
    assert_int_equal(run("cypress",
                         " 0 x: CUBE R20.x, R12.z, R11.y\n y: CUBE R20.y, R12.z, R10.x\n z: CUBE R20.z, "
                         "R10.x, R12.z\n w: CUBE R20.w, R11.y, R12.z\n",
                         &r),
                     SW_OK);
    for (unsigned l = 0; l < LANES; l++) {
        const float d[3] = {real(r.in[0][l]), real(r.in[1][l]), real(r.in[2][l])};
        unsigned axis = 2;
        if (fabsf(d[1]) > fabsf(d[axis])) axis = 1;
        if (fabsf(d[0]) > fabsf(d[axis])) axis = 0;
        assert_true(real(r.out[2][l]) == 2 * d[axis]);
        assert_true(real(r.out[3][l]) == (float)(2 * axis + (d[axis] < 0)));
    }
}

static void doubles_take_pairs(void **unused) {
    (void)unused;
    struct rig r;
    fill(&r, false);
    double a[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        a[l] = (double)(int32_t)random32() / 1e5;
        uint64_t v;
        memcpy(&v, &a[l], 8);
        r.in[0][l] = (uint32_t)v;
        r.in[1][l] = (uint32_t)(v >> 32);
    }
    // The first slot reads the high dwords and gives the low one.
    const char *add = " 0 x: MOV R21.x, R10.x\n y: MOV R21.y, R11.y\n"
                      " 1 x: ADD_64 R20.x, R21.y, R21.y\n y: ADD_64 R20.y, R21.x, R21.x\n";
    assert_int_equal(run("cypress", add, &r), SW_OK);
    for (unsigned l = 0; l < LANES; l++) {
        const uint64_t v = (uint64_t)r.out[1][l] << 32 | r.out[0][l];
        double d;
        memcpy(&d, &v, 8);
        assert_true(d == a[l] + a[l]);
    }
}

// Without ALLOW_SINGLE_DENORM denormals are zeros of their sign, but moved bits stay.
static void denormals_are_flushed(void **unused) {
    (void)unused;
    struct rig r;
    fill(&r, false);
    for (unsigned l = 0; l < LANES; l++) r.in[0][l] = 0x80000000u | (random32() & 0x7fffff);
    assert_int_equal(run("cypress",
                         " 0 x: ADD R20.x, R10.x, 0\n y: MOV R20.y, R10.x\n z: MUL_IEEE R20.z, R10.x, 1.0\n",
                         &r),
                     SW_OK);
    for (unsigned l = 0; l < LANES; l++) {
        assert_int_equal(r.out[0][l], 0);
        assert_int_equal(r.out[1][l], r.in[0][l]);
        assert_int_equal(r.out[2][l], 0x80000000);
    }
}

// Every operation of a family is executed, or refused by name.
static void rows_execute_or_say_why(void **unused) {
    (void)unused;
    static const char *const chips[TS_FAMILIES] = {"rv670", "rv770", "cypress", "cayman"};
    unsigned executed = 0, refused = 0;
    unsigned of[TS_FAMILIES] = {0};
    for (unsigned f = 0; f < TS_FAMILIES; f++)
        for (unsigned n = 0; n < TS_ROWS; n++) {
            const struct ts_row *row = &ts_rows[n];
            if ((row->space != TS_OP2_SPACE && row->space != TS_OP3_SPACE) || !row->op[f]) continue;
            struct rig r;
            struct text t = {0};
            fill(&r, true);
            const unsigned slots = row->slots[f] == TS_ALL || n == TS_OP2_FREXP_64 || row->flags & TS_INTERP
                                       ? 4
                                   : row->slots[f] == TS_TRIPLE                        ? 3
                                   : row->flags & TS_DOUBLE && row->slots[f] == TS_VEC ? 2
                                                                                       : 1;
            for (unsigned u = 0; u < slots; u++) {
                const bool masked = row->space == TS_OP2_SPACE;
                text_printf(&t, "%s%c: %s %s", u ? " " : " 0 ", row->slots[f] == TS_TRANS ? 't' : "xyzw"[u],
                            row -> id, masked ? "____" : "");
                if (!masked) text_printf(&t, "R20.%c", "xyzw"[u]);
                for (unsigned k = 0; k < row->sources; k++)
                    text_puts(&t, row->flags & TS_INTERP && k + 1 == row->sources ? ", Param0.x"
                                  : n == TS_OP2_FREXP_64                          ? ", 1.0"
                                                                                  : ", R10.x");
                text_puts(&t, "\n");
            }
            if (row->flags & TS_CHAIN) text_puts(&t, " z: MOV R20.z, R10.x\n");
            const sw_status status = run(chips[f], t.data, &r);
            if (status == SW_UNSUPPORTED
                    ? !strstr(message, ts_row_name(row)) && !strstr(message, "source 448")
                    : status != SW_OK)
                fail_msg("%s on %s: %d %s\n%s", row->id, chips[f], status, message, t.data);
            if (row->gap) assert_int_equal(status, SW_UNSUPPORTED);
            *(status ? &refused : &executed) += 1;
            of[f] += !status;
            text_free(&t);
        }
    print_message("%u, %u, %u and %u executed, %u refused by name\n", of[0], of[1], of[2], of[3], refused);
    assert_true(executed > 250);
}

// The ledger names what is unsure, and never an operation that is not executed.
static void the_ledger_knows_every_operation(void **unused) {
    (void)unused;
    unsigned count = 0;
    for (unsigned r = 0; r < TS_ROWS; r++) {
        if (ts_unsure(&ts_rows[r]) && ts_rows[r].gap) fail_msg("%s is not executed", ts_rows[r].id);
        count += ts_unsure(&ts_rows[r]) != NULL;
    }
    assert_true(count > 150);
    const char *text =
        "f:\nALU:\n0 x: ADD R0.x, R1.x, R2.y\n1 t: SIN R0.x, R0.x\n2 x: SET_MODE R0.x, R0.x, R0.x\n"
        "GDS:\nGDS_INC R1.____, R2.xyz\nMEM_RAT: DEC_UINT, RAT(0)[R0], R1 END_OF_PROGRAM\n"
        "ALU:\n0 x: SUB_INT R0.x, R0.x, R0.x\n"; // not reached
    static const struct {
        const char *name;
        sw_terascale_certainty certainty;
    } expected[] = {
        {"ADD", SW_TERASCALE_SURE},
        {"ALU", SW_TERASCALE_SURE},
        {"DEC_UINT", SW_TERASCALE_UNSURE},
        {"GDS", SW_TERASCALE_SURE},
        {"GDS_INC", SW_TERASCALE_UNSURE},
        {"MEM_RAT", SW_TERASCALE_SURE},
        {"SET_MODE", SW_TERASCALE_UNSUPPORTED},
        {"SIN", SW_TERASCALE_UNSURE},
    };
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find("cypress", 7)};
    uint8_t *object;
    size_t size, found;
    assert_int_equal(sw_terascale_assemble(text, strlen(text), &a, &object, &size, &sink), SW_OK);
    sw_terascale_operation all[20] = {{.size = sizeof *all}};
    assert_int_equal(sw_terascale_operations(object, size, NULL, all, 20, &found, &sink), SW_OK);
    assert_int_equal(found, 8);
    for (unsigned i = 0; i < 8; i++) {
        assert_string_equal(all[i].name, expected[i].name);
        assert_int_equal(all[i].certainty, expected[i].certainty);
        assert_int_equal(all[i].why == NULL, !expected[i].certainty);
    }
    assert_int_equal(sw_terascale_operations(object, size, NULL, NULL, 0, &found, &sink), SW_OK);
    assert_int_equal(found, 8);
    sw_terascale_free(object);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_agree),
        cmocka_unit_test(floats_agree_under_modifiers),
        cmocka_unit_test(groups_read_before_they_write),
        cmocka_unit_test(predicates_choose_and_give_zero),
        cmocka_unit_test(indexes_are_each_lanes_own),
        cmocka_unit_test(four_slots_work_together),
        cmocka_unit_test(doubles_take_pairs),
        cmocka_unit_test(denormals_are_flushed),
        cmocka_unit_test(rows_execute_or_say_why),
        cmocka_unit_test(the_ledger_knows_every_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
