// SPDX-License-Identifier: MIT
// Every ALU operation against a reference written apart, under every modifier: signs and sizes of operands,
// factors and clamps of results. Doubles and chains have a test of their own.
#include <float.h>
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
#include "terascale/object/program.h"
#include "terascale/alu_lanes.h"

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
INTEGER(r_mulhis24, (int64_t)s24(a) * s24(b) >> 32)
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
FLOAT(f_maximum, a != a || b != b ? b : a < b ? b : a)
FLOAT(f_minimum, a != a || b != b ? b : b <= a ? b : a)
FLOAT(f_mov, a)
FLOAT(f_exp, exp2((double)a))
FLOAT(f_log, log2((double)a))
FLOAT(f_logc, a == 0 ? -FLT_MAX : (float)log2((double)a))
static float limited(double d) { return isinf(d) ? d < 0 ? -FLT_MAX : FLT_MAX : (float)d; }
static float nothing(double d) { return isinf(d) ? d < 0 ? -0.0f : 0.0f : (float)d; }
FLOAT(f_rcp, 1 / (double)a)
FLOAT(f_rcpc, limited((double)(float)(1 / (double)a)))
FLOAT(f_rcpff, nothing((double)(float)(1 / (double)a)))
FLOAT(f_rsq, 1 / sqrt((double)a))
FLOAT(f_rsqc, limited(1 / sqrt((double)a)))
FLOAT(f_rsqff, nothing(1 / sqrt((double)a)))
FLOAT(f_sqrt, sqrt((double)a))
static bool radians;
static double turn(double x) { return radians ? x : 2 * M_PI * (x - floor(x)); }
FLOAT(f_sin, isfinite(a) ? sin(turn((double)a)) : NAN)
FLOAT(f_cos, isfinite(a) ? cos(turn((double)a)) : NAN)
static float legacy(float a, float b) { return a == 0 || b == 0 ? 0.0f : (float)((double)a * (double)b); }
FLOAT(f_madl, legacy(a, b) + c)
FLOAT(f_madl2, (legacy(a, b) + c) * 2)
FLOAT(f_madl4, (legacy(a, b) + c) * 4)
FLOAT(f_madld2, (legacy(a, b) + c) / 2)
FLOAT(f_mad2, ((float)((double)a * (double)b) + c) * 2)
FLOAT(f_mad4, ((float)((double)a * (double)b) + c) * 4)
FLOAT(f_madd2, ((float)((double)a * (double)b) + c) / 2)
static float light(float a, float b, float c) { // nothing where the light or the exponent is bad
    const bool bad = isnan(b) || b <= -FLT_MAX || isnan(c) || c <= 0;
    return bad ? -FLT_MAX : legacy(a, b);
}
FLOAT(f_lit, light(a, b, c))
FLOAT(f_lit2, light(a, b, c) * 2)
FLOAT(f_lit4, light(a, b, c) * 4)
FLOAT(f_litd2, light(a, b, c) / 2)
FLOAT(f_cnde, a == 0 ? b : c)
FLOAT(f_cndgt, a > 0 ? b : c)
FLOAT(f_cndge, a >= 0 ? b : c)
static float half_value(uint32_t h) {
    const int e = (int)(h >> 10 & 31), f = (int)(h & 1023);
    const double v = e == 31 ? (f ? NAN : INFINITY) : e ? ldexp(1024 + f, e - 25) : ldexp(f, -24);
    return (float)(h >> 15 & 1 ? -v : v);
}
// The nearest half by trying all, to even where two are as near.
static uint32_t half_word(float f) {
    const uint32_t sign = word(f) >> 31 << 15;
    uint32_t best = 0;
    if (isnan(f)) return 0x7e00;
    const double v = fabs((double)f);
    if (v >= 65520) return sign | 0x7c00;
    uint32_t low = 0, high = 0x7bff;
    while (low < high) { // halves are in the order of their bits
        const uint32_t middle = (low + high + 1) / 2;
        if ((double)half_value(middle) <= v)
            low = middle;
        else
            high = middle - 1;
    }
    best = low;
    if (low < 0x7bff) {
        const double down = v - (double)half_value(low), up = (double)half_value(low + 1) - v;
        if (up < down || (up == down && low & 1)) best = low + 1;
    } else if (v - 65504 >= 16)
        best = 0x7c00;
    return sign | best;
}
static bool later; // Evergreen and Cayman round to integers, to nearest
static int32_t to_int(double d) {
    return isnan(d) ? 0 : d <= -2147483648.0 ? INT32_MIN : d >= 2147483647.0 ? INT32_MAX : (int32_t)d;
}
static uint32_t to_uint(double d) { return d >= 4294967295.0 ? UINT32_MAX : d > 0 ? (uint32_t)d : 0; }
static double even(double d) { // nearest, without the host's rounding
    const double w = floor(d);
    return !isfinite(d) || d == w ? d : d - w > 0.5 || (d - w == 0.5 && fmod(w, 2) != 0) ? w + 1 : w;
}
#define REAL(v) ((double)real(v))
INTEGER(b_sete, REAL(a) == REAL(b) ? -1 : 0)
INTEGER(b_setgt, REAL(a) > REAL(b) ? -1 : 0)
INTEGER(b_setge, REAL(a) >= REAL(b) ? -1 : 0)
INTEGER(b_setne, REAL(a) == REAL(b) ? 0 : -1)
INTEGER(b_f2i, to_int(later ? even(REAL(a)) : trunc(REAL(a))))
INTEGER(b_f2it, to_int(trunc(REAL(a))))
INTEGER(b_f2ir, to_int(floor(REAL(a) + 0.5)))
INTEGER(b_f2if, to_int(floor(REAL(a))))
INTEGER(b_f2u, to_uint(trunc(REAL(a))))
INTEGER(b_f2h, half_word(real(a)))
static uint32_t reversed(uint32_t v) {
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i++, v >>= 1) r = r * 2 + v % 2;
    return r;
}
INTEGER(r_reverse, reversed(a))
INTEGER(r_rcpu, a ? a == 1 ? UINT32_MAX : 0x100000000ull / a : UINT32_MAX)
INTEGER(r_rcpi, a ? (int64_t)0x100000000ll / (int32_t)a : -1)

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
    {"MULHI_INT24", r_mulhis24, 2},
    {"BFREV_INT", r_reverse, 1},
    {"RECIP_UINT", r_rcpu, 1},
    {"RECIP_INT", r_rcpi, 1},
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
};

// Floats in and out, exact or within so many units of the last place, or for sines of 2^-20.
enum { EXACT = 0, NEAR = 2, SINE = -1 };
static const struct {
    const char *name;
    float_reference *of;
    unsigned sources;
    int within;
} floats[] = {
    {"ADD", f_add, 2, EXACT},
    {"MUL_IEEE", f_mul, 2, EXACT},
    {"MUL_e", f_mul_legacy, 2, EXACT},
    {"MULADD_IEEE", f_mad, 3, EXACT},
    {"MULADD_IEEE_M2", f_mad2, 3, EXACT},
    {"MULADD_IEEE_M4", f_mad4, 3, EXACT},
    {"MULADD_IEEE_D2", f_madd2, 3, EXACT},
    {"MULADD_e", f_madl, 3, EXACT},
    {"MULADD_e_M2", f_madl2, 3, EXACT},
    {"MULADD_e_M4", f_madl4, 3, EXACT},
    {"MULADD_e_D2", f_madld2, 3, EXACT},
    {"MUL_LIT", f_lit, 3, EXACT},
    {"MUL_LIT_M2", f_lit2, 3, EXACT},
    {"MUL_LIT_M4", f_lit4, 3, EXACT},
    {"MUL_LIT_D2", f_litd2, 3, EXACT},
    {"FMA", f_fma, 3, EXACT},
    {"MAX", f_maximum, 2, EXACT},
    {"MIN", f_minimum, 2, EXACT},
    {"MAX_DX10", f_max, 2, EXACT},
    {"MIN_DX10", f_min, 2, EXACT},
    {"FRACT", f_fract, 1, EXACT},
    {"TRUNC", f_trunc, 1, EXACT},
    {"CEIL", f_ceil, 1, EXACT},
    {"RNDNE", f_rndne, 1, EXACT},
    {"FLOOR", f_floor, 1, EXACT},
    {"SETE", f_sete, 2, EXACT},
    {"SETGT", f_setgt, 2, EXACT},
    {"SETGE", f_setge, 2, EXACT},
    {"SETNE", f_setne, 2, EXACT},
    {"MOV", f_mov, 1, EXACT},
    {"CNDE", f_cnde, 3, EXACT},
    {"CNDGT", f_cndgt, 3, EXACT},
    {"CNDGE", f_cndge, 3, EXACT},
    {"EXP_e", f_exp, 1, NEAR},
    {"LOG_e", f_log, 1, NEAR},
    {"LOG_sat", f_logc, 1, NEAR},
    {"RCP_e", f_rcp, 1, NEAR},
    {"RECIP_CLAMPED", f_rcpc, 1, NEAR},
    {"RECIP_FF", f_rcpff, 1, NEAR},
    {"RSQ_e", f_rsq, 1, NEAR},
    {"RECIPSQRT_CLAMPED", f_rsqc, 1, NEAR},
    {"RECIPSQRT_FF", f_rsqff, 1, NEAR},
    {"SQRT_e", f_sqrt, 1, NEAR},
    {"SIN", f_sin, 1, SINE},
    {"COS", f_cos, 1, SINE},
};

// Floats in, bits out: signs and sizes of operands count, factors and clamps do not.
static const struct {
    const char *name;
    integer_reference *of;
    unsigned sources;
} tests_of_floats[] = {
    {"SETE_DX10", b_sete, 2},      {"SETGT_DX10", b_setgt, 2},      {"SETGE_DX10", b_setge, 2},
    {"SETNE_DX10", b_setne, 2},    {"FLT_TO_INT", b_f2i, 1},        {"FLT_TO_INT_TRUNC", b_f2it, 1},
    {"FLT_TO_INT_RPI", b_f2ir, 1}, {"FLT_TO_INT_FLOOR", b_f2if, 1}, {"FLT_TO_UINT", b_f2u, 1},
    {"FLT32_TO_FLT16", b_f2h, 1},
};

// Bits in, floats out: the other way round.
static const struct {
    const char *name;
} floats_of_bits[] = {
    {"INT_TO_FLT"}, {"UINT_TO_FLT"}, {"UBYTE0_FLT"},     {"UBYTE1_FLT"},
    {"UBYTE2_FLT"}, {"UBYTE3_FLT"},  {"FLT16_TO_FLT32"},
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
    for (unsigned u = 0; u < (kind == TS_ALL ? 4 : kind == TS_TRIPLE ? 3 : 1); u++) {
        text_printf(t, "%s%c: %s R20.%c", u ? " " : " 0 ", kind == TS_TRANS ? 't' : "xyzw"[u], name,
                    "xyzw"[u]);
        for (unsigned k = 0; k < row->sources; k++)
            text_printf(t, ", %s%s%s%s", neg >> k & 1 ? "-" : "", abs >> k & 1 ? "|" : "", operands[k],
                        abs >> k & 1 ? "|" : "");
        text_puts(t, "\n");
    }
}

static const char *const chips[] = {"rv670", "rv770", "cypress", "cayman"};

static bool has(const char *chip, const char *name) {
    const enum ts_family family = ts_chip_find(chip, strlen(chip))->family;
    radians = family == TS_R600;
    later = family >= TS_EVERGREEN;
    return row_called(name, strlen(name))->op[family] != 0;
}

// Modifiers at random, and their text.
struct modifiers {
    unsigned neg, abs, omod;
    bool clamp;
};
static struct modifiers draw(const char *name, unsigned sources, char *text, size_t size) {
    static const char *const omods[4] = {"", "*2", "*4", "/2"};
    const bool op3 = row_called(name, strlen(name))->space == TS_OP3_SPACE;
    const unsigned mask = (1u << sources) - 1;
    const struct modifiers m = {random32() & mask, op3 ? 0 : random32() & mask & 3, op3 ? 0 : random32() % 4,
                                random32() & 1};
    snprintf(text, size, "%s%s%s", name, omods[m.omod], m.clamp ? "_sat" : "");
    return m;
}

static uint32_t sign_and_size(uint32_t v, bool neg, bool abs) {
    return (abs ? v & 0x7fffffff : v) ^ (neg ? 0x80000000 : 0);
}
static uint32_t flushed(uint32_t v) { return v & 0x7f800000 ? v : v & 0x80000000; }

// What factors and clamps make of a result.
static float output(float e, const struct modifiers *m) {
    static const float factors[4] = {1, 2, 4, 0.5f};
    e = real(flushed(word(e)));
    if (m->omod) e = real(flushed(word(e * factors[m->omod])));
    return m->clamp && !isnan(e) ? e < 0 ? 0 : e > 1 ? 1 : e : e;
}

static bool agrees(uint32_t got, float e, int within, float scale) {
    const float g = real(got);
    if (isnan(e) || isnan(g)) return isnan(e) && isnan(g);
    if (g == e) return true;
    if (within == SINE) return fabsf(g - e) <= 0x1p-20f * scale;
    return within && isfinite(e) && fabsf(g - e) <= (float)within * 0x1p-23f * fabsf(e) + 0x1p-126f;
}

// Groups with a KILL have to write something: the lanes that stay valid are the result.
static void execute(const char *chip, const char *name, const char *full, const struct modifiers *m,
                    struct rig *r) {
    struct text t = {0};
    write_group(&t, chip, full, strlen(name), m->neg, m->abs);
    if (run(chip, t.data, r)) fail_msg("%s on %s: %s\n%s", full, chip, message, t.data);
    text_free(&t);
}

static void integers_agree(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < sizeof integers / sizeof *integers; i++)
        for (unsigned n = 0; n < 24; n++) {
            struct rig r;
            char full[40];
            const char *chip = chips[n % 4], *name = integers[i].name;
            struct modifiers m = draw(name, integers[i].sources, full, sizeof full);
            if (!has(chip, name)) continue;
            if (n < 8) m = (struct modifiers){0}, snprintf(full, sizeof full, "%s", name);
            fill(&r, false);
            if (n > 11) // small amounts
                for (unsigned l = 0; l < LANES; l++) r.in[1][l] %= 40, r.in[2][l] %= 40;
            execute(chip, name, full, &m, &r);
            for (unsigned l = 0; l < LANES; l++) {
                const uint32_t e = integers[i].of(r.in[0][l], r.in[1][l], r.in[2][l]);
                if (r.out[0][l] != e)
                    fail_msg("%s on %s of 0x%x 0x%x 0x%x: 0x%x, expected 0x%x", full, chip, r.in[0][l],
                             r.in[1][l], r.in[2][l], r.out[0][l], e);
            }
        }
}

static void floats_agree_under_modifiers(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++)
        for (unsigned n = 0; n < 64; n++) {
            struct rig r;
            char full[40];
            const char *chip = chips[n % 4], *name = floats[i].name;
            const struct modifiers m = draw(name, floats[i].sources, full, sizeof full);
            if (!has(chip, name)) continue;
            fill(&r, true);
            for (unsigned l = 0; floats[i].within == SINE && l < LANES; l++)
                if (isfinite(real(r.in[0][l])))
                    r.in[0][l] = word((float)((int32_t)random32() % 12867) / 4096); // -pi to pi
            execute(chip, name, full, &m, &r);
            for (unsigned l = 0; l < LANES; l++) {
                uint32_t v[3];
                for (unsigned k = 0; k < 3; k++)
                    v[k] = sign_and_size(r.in[k][l], m.neg >> k & 1, m.abs >> k & 1);
                const float e = output(floats[i].of(real(v[0]), real(v[1]), real(v[2])), &m);
                if (!agrees(r.out[0][l], e, floats[i].within, 4))
                    fail_msg("%s on %s of 0x%x 0x%x 0x%x: 0x%x, expected 0x%x", full, chip, v[0], v[1], v[2],
                             r.out[0][l], word(e));
            }
        }
}

static void floats_give_bits(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < sizeof tests_of_floats / sizeof *tests_of_floats; i++)
        for (unsigned n = 0; n < 32; n++) {
            struct rig r;
            char full[40];
            const char *chip = chips[n % 4], *name = tests_of_floats[i].name;
            const struct modifiers m = draw(name, tests_of_floats[i].sources, full, sizeof full);
            if (!has(chip, name)) continue;
            fill(&r, true);
            for (unsigned l = 0; l < LANES; l += 3) r.in[1][l] = r.in[0][l]; // equal ones
            for (unsigned l = 1; l < LANES; l += 3) r.in[0][l] = word((float)((int32_t)random32() >> 8) / 4);
            execute(chip, name, full, &m, &r);
            for (unsigned l = 0; l < LANES; l++) {
                uint32_t v[2];
                for (unsigned k = 0; k < 2; k++)
                    v[k] = sign_and_size(r.in[k][l], m.neg >> k & 1, m.abs >> k & 1);
                const uint32_t e = tests_of_floats[i].of(v[0], v[1], 0);
                const bool nan = !strcmp(name, "FLT32_TO_FLT16") && isnan(real(v[0]));
                if (nan ? (r.out[0][l] & 0x7c00) != 0x7c00 || !(r.out[0][l] & 0x3ff) : r.out[0][l] != e)
                    fail_msg("%s on %s of 0x%x 0x%x: 0x%x, expected 0x%x", full, chip, v[0], v[1],
                             r.out[0][l], e);
            }
        }
}

static void bits_give_floats(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < sizeof floats_of_bits / sizeof *floats_of_bits; i++)
        for (unsigned n = 0; n < 32; n++) {
            struct rig r;
            char full[40];
            const char *chip = chips[n % 4], *name = floats_of_bits[i].name;
            const struct modifiers m = draw(name, 1, full, sizeof full);
            if (!has(chip, name)) continue;
            fill(&r, false);
            execute(chip, name, full, &m, &r);
            for (unsigned l = 0; l < LANES; l++) {
                const uint32_t v = r.in[0][l];
                float e;
                switch (i) { // a NaN's bits are no number to pass on
                case 0: e = (float)(int32_t)v; break;
                case 1: e = (float)v; break;
                case 6: e = half_value(v & 0xffff); break;
                default: e = (float)byte_at(v, i - 2); break;
                }
                e = m.omod || m.clamp ? output(e, &m) : e;
                if (!agrees(r.out[0][l], e, EXACT, 1))
                    fail_msg("%s on %s of 0x%x: 0x%x, expected 0x%x", full, chip, v, r.out[0][l], word(e));
            }
        }
}

// ---- Tests of lanes ----

enum { E, GT, GE, NE, LT, LE };
static bool holds(unsigned condition, double a, double b) {
    switch (condition) {
    case E: return a == b;
    case GT: return a > b;
    case GE: return a >= b;
    case NE: return !(a == b);
    case LT: return a < b;
    default: return a <= b;
    }
}

// The condition and the domain, 'f', 'i' or 'u', that a name ends with.
static void parse_test(const char *rest, unsigned *condition, char *domain, bool *push) {
    static const char *const names[] = {"E", "GT", "GE", "NE", "LT", "LE"};
    for (unsigned i = 6; i-- > 0;)
        if (!strncmp(rest, names[i], strlen(names[i]))) {
            *condition = i;
            rest += strlen(names[i]);
            break;
        }
    *push = !strncmp(rest, "_PUSH", 5);
    if (*push) rest += 5;
    *domain = !strcmp(rest, "_INT") ? 'i' : !strcmp(rest, "_UINT") ? 'u' : 'f';
}

static double value_of(char domain, uint32_t v) {
    return domain == 'i' ? (double)(int32_t)v : domain == 'u' ? (double)v : (double)real(v);
}

// What a PRED_SET* gives, and whether it passes; KILL* takes the lanes that pass.
static bool expected_test(const char *name, uint32_t a, uint32_t b, float *result) {
    unsigned condition = 0;
    char domain;
    bool push, pass;
    const double x = (double)real(a), y = (double)real(b);
    if (!strcmp(name, "PRED_SET_INV")) return *result = x == 1 ? 0 : x == 0 ? 1 : (float)x, x == 1;
    if (!strcmp(name, "PRED_SET_POP")) return *result = x <= y ? 0 : (float)x - (float)y, x <= y;
    if (!strcmp(name, "PRED_SET_CLR")) return *result = FLT_MAX, false;
    if (!strcmp(name, "PRED_SET_RESTORE")) return *result = x == 0 ? 0 : (float)x, x == 0;
    const bool kill = !strncmp(name, "KILL", 4);
    parse_test(name + (kill ? 4 : 8), &condition, &domain, &push);
    if (push) {
        pass = x == 0 && holds(condition, value_of(domain, b), 0);
        return *result = pass ? 0 : (float)x + 1, pass;
    }
    pass = holds(condition, value_of(domain, a), value_of(domain, b));
    return *result = kill == pass ? 1 : 0, pass;
}

static bool is_test(const struct ts_row *row) {
    return row->flags & (TS_PRED | TS_KILL) && !(row->flags & TS_DOUBLE);
}

static void predicates_and_kills_agree(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < TS_ROWS; i++)
        for (unsigned n = 0; is_test(&ts_rows[i]) && n < 16; n++) {
            const struct ts_row *row = &ts_rows[i];
            const char *chip = chips[n % 4], *name = row->id;
            const bool kill = row->flags & TS_KILL, real_ones = row->src == TS_F32;
            struct text t = {0};
            struct rig r;
            if (!has(chip, name)) continue;
            fill(&r, real_ones);
            for (unsigned l = 0; l < LANES; l++) {
                if (l % 3 == 0) r.in[1][l] = r.in[0][l];
                if (l % 3 == 1) r.in[0][l] = random32() & 1 ? 0 : 0x3f800000; // counters
                if (l % 6 == 1) r.in[1][l] = 0;
            }
            const unsigned neg = random32() & 3, abs = real_ones ? random32() & 3 : 0;
            text_printf(&t, " 0 x: %s R20.x", name);
            for (unsigned k = 0; k < row->sources; k++)
                text_printf(&t, ", %s%s%s%s", neg >> k & 1 ? "-" : "", abs >> k & 1 ? "|" : "",
                            k ? "R11.y" : "R10.x", abs >> k & 1 ? "|" : "");
            text_puts(
                &t,
                kill ? "\n"
                     : " UPDATE_PRED\n 1 y: MOV R20.y, 1 PRED_SEL_ONE\n 2 y: MOV R20.y, 0 PRED_SEL_ZERO\n");
            if (run(chip, t.data, &r)) fail_msg("%s on %s: %s\n%s", name, chip, message, t.data);
            for (unsigned l = 0; l < ts_chip_find(chip, strlen(chip))->wave; l++) {
                uint32_t v[2];
                float e;
                for (unsigned k = 0; k < 2; k++)
                    v[k] = real_ones ? sign_and_size(r.in[k][l], neg >> k & 1, abs >> k & 1) : r.in[k][l];
                const bool pass = expected_test(name, v[0], v[1], &e);
                const bool found = kill ? !(r.valid >> l & 1) : r.out[1][l] == 1;
                if (pass != found || !agrees(r.out[0][l], e, EXACT, 1))
                    fail_msg("%s on %s of 0x%x 0x%x: 0x%x, %s\n%s", name, chip, v[0], v[1], r.out[0][l],
                             found ? "passes" : "fails", t.data);
            }
            text_free(&t);
        }
}

// ---- The address register ----

// MOVA rounds to nearest, MOVA_FLOOR down; all end at nine bits, and beyond the registers GPR 0 is read
// (R7-10).
static void addresses_are_rounded_and_limited(void **unused) {
    (void)unused;
    static const char *const names[] = {"MOVA", "MOVA_FLOOR", "MOVA_INT", "MOVA_GPR_INT"};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned chip = 0; chip < 4; chip++) {
            struct rig r;
            char text[200];
            if (!has(chips[chip], names[i])) continue;
            for (unsigned l = 0; l < LANES; l++) {
                const float f = (float)l / 4 - 3.25f;
                r.in[0][l] = i < 2 ? word(l > 60 ? f * 1e9f : f) : l > 60 ? random32() | 0x10000 : l / 4;
            }
            snprintf(text, sizeof text, " 0 %c: %s ____, R10.x\n 1 x: MOV R20.x, R[AR.x+45].x\n",
                     i == 3 ? 't' : 'x', names[i]);
            if (run(i == 3 ? "r600" : chips[chip], text, &r))
                fail_msg("%s on %s: %s", names[i], chips[chip], message);
            for (unsigned l = 0; l < LANES; l++) {
                const double f = (double)real(r.in[0][l]);
                double n = i == 0 ? even(f) : i == 1 ? floor(f) : (double)(int32_t)r.in[0][l];
                n = n < -256 ? -256 : n > 255 ? 255 : n;
                const int gpr = 45 + (int)n;
                const uint32_t e = gpr < 0 || gpr > 127    ? l
                                   : gpr >= 40 && gpr < 72 ? 1000 + (uint32_t)gpr - 40
                                                           : 0;
                if (r.out[0][l] != e)
                    fail_msg("%s on %s, lane %u: %u, expected %u", names[i], chips[chip], l, r.out[0][l], e);
            }
        }
}

// R600 has indexes of GPRs and of constants apart, RV670 one for both.
static void r600_has_two_address_registers(void **unused) {
    (void)unused;
    struct rig r;
    for (unsigned l = 0; l < LANES; l++) r.in[0][l] = l % 4, r.in[1][l] = 3 - l % 4;
    const char *text = " 0 x: MOVA_INT ____, R10.x\n t: MOVA_GPR_INT ____:R0.x, R11.y\n"
                       " 1 x: MOV R20.x, R[AR.x+40].x\n y: MOV R20.y, KC0[AR.x+0].x\n";
    if (run("r600", text, &r)) fail_msg("%s", message);
    for (unsigned l = 0; l < LANES; l++) {
        assert_int_equal(r.out[0][l], 1003 - l % 4);
        assert_int_equal(r.out[1][l], 7 + l % 4);
    }
    assert_int_equal(run("r600", " 0 x: MOVA_INT ____, R10.x\n 1 x: MOV R20.x, R[AR.x+40].x\n", &r),
                     SW_FAULTED);
    assert_int_equal(run("rv670", " 0 x: MOVA_INT ____, R10.x\n 1 x: MOV R20.x, R[AR.x+40].x\n", &r), SW_OK);
}

// ---- Nothing is left out ----

static bool listed(const char *name) {
    for (unsigned i = 0; i < sizeof integers / sizeof *integers; i++)
        if (!strcmp(integers[i].name, name)) return true;
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++)
        if (!strcmp(floats[i].name, name)) return true;
    for (unsigned i = 0; i < sizeof tests_of_floats / sizeof *tests_of_floats; i++)
        if (!strcmp(tests_of_floats[i].name, name)) return true;
    for (unsigned i = 0; i < sizeof floats_of_bits / sizeof *floats_of_bits; i++)
        if (!strcmp(floats_of_bits[i].name, name)) return true;
    return false;
}

static void each_operation_has_a_reference(void **unused) {
    (void)unused;
    // Beside those here: tests of lanes and MOVA above, doubles and chains in their own test, sums of four,
    // what has no result.
    static const char *const elsewhere[] = {"NOP",         "DOT4_e",        "DOT4_IEEE",
                                            "CUBE",        "MAX4",          "SET_CF_IDX0",
                                            "SET_CF_IDX1", "GROUP_BARRIER", "MBCNT_32HI_INT"};
    for (unsigned i = 0; i < TS_ROWS; i++) {
        const struct ts_row *row = &ts_rows[i];
        if ((row->space != TS_OP2_SPACE && row->space != TS_OP3_SPACE) || row->gap) continue;
        bool found = is_test(row) || row->flags & (TS_DOUBLE | TS_CHAIN | TS_INTERP | TS_MOVA) ||
                     listed(ts_row_name(row));
        for (unsigned k = 0; k < sizeof elsewhere / sizeof *elsewhere; k++)
            found |= !strcmp(elsewhere[k], ts_row_name(row));
        if (!found) fail_msg("%s has no reference", ts_row_name(row));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_agree),
        cmocka_unit_test(floats_agree_under_modifiers),
        cmocka_unit_test(floats_give_bits),
        cmocka_unit_test(bits_give_floats),
        cmocka_unit_test(predicates_and_kills_agree),
        cmocka_unit_test(addresses_are_rounded_and_limited),
        cmocka_unit_test(r600_has_two_address_registers),
        cmocka_unit_test(each_operation_has_a_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
