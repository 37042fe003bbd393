// SPDX-License-Identifier: MIT
// Bodies of ALU operations on one lane. What is remembered of AMD's manuals rather than read in them is said
// in doc/terascale.md.
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "texel/half.h"
#include "terascale/body/body.h"

// ---- Floats ----

// Without IEEE rules 0 times anything is +0.
static float mul_legacy(float a, float b) { return a == 0 || b == 0 ? 0.0f : a * b; }

static float clamp_infinity(float f) { return isinf(f) ? copysignf(FLT_MAX, f) : f; }
// To the nearest integer, whatever the host's rounding is.
static float nearest_even(float f) {
    const float whole = truncf(f), rest = fabsf(f - whole);
    const bool away = rest > 0.5f || (rest == 0.5f && fmodf(whole, 2));
    return copysignf(away ? fabsf(whole) + 1 : fabsf(whole), f);
}
static float infinity_to_zero(float f) { return isinf(f) ? copysignf(0.0f, f) : f; }

// In turns, the argument is reduced exactly.
static float sine(float x, bool cosine, const struct ts_mode *m) {
    if (!isfinite(x)) return NAN;
    const double turns = m->radians ? (double)x / (2 * M_PI) : (double)x;
    const double rest = turns - rint(turns);
    return (float)(cosine ? cos(2 * M_PI * rest) : sin(2 * M_PI * rest));
}

static int32_t to_int(float f) {
    if (isnan(f)) return 0;
    return f >= 2147483648.0f ? INT32_MAX : f < -2147483648.0f ? INT32_MIN : (int32_t)f;
}

static uint32_t to_uint(float f) {
    if (!(f > 0)) return 0;
    return f >= 4294967296.0f ? UINT32_MAX : (uint32_t)f;
}

static uint32_t to_half(float f) { return half_of(f); }
static float from_half(uint32_t v) { return of_half((uint16_t)v); }

// Lighting: nothing where the exponent or the light is out of bounds.
static float mul_lit(float a, float b, float c) {
    if (b == -FLT_MAX || isnan(b) || b == -INFINITY || isnan(c) || !(c > 0)) return -FLT_MAX;
    return mul_legacy(a, b);
}

static bool float_body(enum ts_op op, const float f[3], const struct ts_mode *m, float *out) {
    const float a = f[0], b = f[1], c = f[2];
    switch (op) {
    case TS_OP2_ADD: *out = a + b; return true;
    case TS_OP2_MUL: *out = mul_legacy(a, b); return true;
    case TS_OP2_MUL_IEEE: *out = a * b; return true;
    case TS_OP2_MAX: *out = a >= b ? a : b; return true;
    case TS_OP2_MIN: *out = a < b ? a : b; return true;
    case TS_OP2_MAX_DX10: *out = isnan(a) ? b : isnan(b) ? a : a >= b ? a : b; return true;
    case TS_OP2_MIN_DX10: *out = isnan(a) ? b : isnan(b) ? a : a < b ? a : b; return true;
    case TS_OP2_SETE: *out = a == b; return true;
    case TS_OP2_SETGT: *out = a > b; return true;
    case TS_OP2_SETGE: *out = a >= b; return true;
    case TS_OP2_SETNE: *out = a != b; return true;
    case TS_OP2_FRACT: *out = a == floorf(a) && isfinite(a) ? 0 : a - floorf(a); return true;
    case TS_OP2_TRUNC: *out = truncf(a); return true;
    case TS_OP2_CEIL: *out = ceilf(a); return true;
    case TS_OP2_RNDNE: *out = nearest_even(a); return true;
    case TS_OP2_FLOOR: *out = floorf(a); return true;
    case TS_OP2_EXP_IEEE: *out = exp2f(a); return true;
    case TS_OP2_LOG_IEEE: *out = log2f(a); return true;
    case TS_OP2_LOG_CLAMPED: *out = log2f(a) == -INFINITY ? -FLT_MAX : log2f(a); return true;
    case TS_OP2_RECIP_IEEE: *out = 1.0f / a; return true;
    case TS_OP2_RECIP_CLAMPED: *out = clamp_infinity(1.0f / a); return true;
    case TS_OP2_RECIP_FF: *out = infinity_to_zero(1.0f / a); return true;
    case TS_OP2_RECIPSQRT_IEEE: *out = 1.0f / sqrtf(a); return true;
    case TS_OP2_RECIPSQRT_CLAMPED: *out = clamp_infinity(1.0f / sqrtf(a)); return true;
    case TS_OP2_RECIPSQRT_FF: *out = infinity_to_zero(1.0f / sqrtf(a)); return true;
    case TS_OP2_SQRT_IEEE: *out = sqrtf(a); return true;
    case TS_OP2_SIN: *out = sine(a, false, m); return true;
    case TS_OP2_COS: *out = sine(a, true, m); return true;
    case TS_OP3_MULADD: *out = mul_legacy(a, b) + c; return true;
    case TS_OP3_MULADD_M2: *out = (mul_legacy(a, b) + c) * 2; return true;
    case TS_OP3_MULADD_M4: *out = (mul_legacy(a, b) + c) * 4; return true;
    case TS_OP3_MULADD_D2: *out = (mul_legacy(a, b) + c) / 2; return true;
    case TS_OP3_MULADD_IEEE: *out = a * b + c; return true;
    case TS_OP3_MULADD_IEEE_M2: *out = (a * b + c) * 2; return true;
    case TS_OP3_MULADD_IEEE_M4: *out = (a * b + c) * 4; return true;
    case TS_OP3_MULADD_IEEE_D2: *out = (a * b + c) / 2; return true;
    case TS_OP3_FMA: *out = fmaf(a, b, c); return true;
    case TS_OP3_MUL_LIT: *out = mul_lit(a, b, c); return true;
    case TS_OP3_MUL_LIT_M2: *out = mul_lit(a, b, c) * 2; return true;
    case TS_OP3_MUL_LIT_M4: *out = mul_lit(a, b, c) * 4; return true;
    case TS_OP3_MUL_LIT_D2: *out = mul_lit(a, b, c) / 2; return true;
    default: return false;
    }
}

// Comparisons and conversions: floats in, bits out.
static bool compare_body(enum ts_op op, const float f[3], const struct ts_mode *m, uint32_t *out) {
    const float a = f[0], b = f[1];
    switch (op) {
    case TS_OP2_SETE_DX10: *out = -(uint32_t)(a == b); return true;
    case TS_OP2_SETGT_DX10: *out = -(uint32_t)(a > b); return true;
    case TS_OP2_SETGE_DX10: *out = -(uint32_t)(a >= b); return true;
    case TS_OP2_SETNE_DX10: *out = -(uint32_t)(a != b); return true;
    case TS_OP2_FLT_TO_INT: *out = (uint32_t)to_int(m->rounds_to_int ? rintf(a) : truncf(a)); return true;
    case TS_OP2_FLT_TO_INT_TRUNC: *out = (uint32_t)to_int(truncf(a)); return true;
    case TS_OP2_FLT_TO_INT_RPI: *out = (uint32_t)to_int((float)floor((double)a + 0.5)); return true;
    case TS_OP2_FLT_TO_INT_FLOOR: *out = (uint32_t)to_int(floorf(a)); return true;
    case TS_OP2_FLT_TO_UINT: *out = to_uint(truncf(a)); return true; // llc's division on Cayman needs it
    case TS_OP2_FLT32_TO_FLT16: *out = to_half(a); return true;
    default: return false;
    }
}

// Choices leave the bits of what they choose alone.
static bool choice_body(enum ts_op op, const uint32_t s[3], const struct ts_mode *m, uint32_t *out) {
    const float a = ts_flush(s[0], m);
    bool first;
    switch (op) {
    case TS_OP3_CNDE: first = a == 0; break;
    case TS_OP3_CNDGT: first = a > 0; break;
    case TS_OP3_CNDGE: first = a >= 0; break;
    case TS_OP3_CNDE_INT: first = !s[0]; break;
    case TS_OP3_CNDGT_INT: first = (int32_t)s[0] > 0; break;
    case TS_OP3_CNDGE_INT: first = (int32_t)s[0] >= 0; break;
    default: return false;
    }
    *out = first ? s[1] : s[2];
    return true;
}

// ---- Integers ----

static uint32_t extract(uint32_t v, uint32_t offset, uint32_t width, bool sign) {
    offset &= 31;
    width &= 31;
    if (!width) return 0;
    const unsigned have = 32 - offset < width ? 32 - offset : width;
    const uint32_t up = v << (32 - offset - have);
    return sign ? (uint32_t)((int32_t)up >> (32 - have)) : up >> (32 - have);
}

static uint32_t reverse(uint32_t v) {
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i++) r |= (v >> i & 1) << (31 - i);
    return r;
}

static uint32_t first_high(uint32_t v) { return v ? (uint32_t)__builtin_clz(v) : UINT32_MAX; }
static int32_t low24(uint32_t v) { return (int32_t)(v << 8) >> 8; }

static uint32_t bytes_lerp(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i += 8) r |= ((a >> i & 255) + (b >> i & 255) + (c >> i & 1)) >> 1 << i;
    return r;
}

static uint32_t bytes_difference(uint32_t a, uint32_t b) {
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i += 8) r += (uint32_t)abs((int)(a >> i & 255) - (int)(b >> i & 255));
    return r;
}

// Shifts of more than 31 places leave the sign or nothing.
static bool shift_body(enum ts_op op, uint32_t a, uint32_t b, uint32_t *out) {
    switch (op) {
    case TS_OP2_ASHR_INT: *out = (uint32_t)((int32_t)a >> (b > 31 ? 31 : b)); return true;
    case TS_OP2_LSHR_INT: *out = b > 31 ? 0 : a >> b; return true;
    case TS_OP2_LSHL_INT: *out = b > 31 ? 0 : a << b; return true;
    default: return false;
    }
}

static bool multiply_body(enum ts_op op, uint32_t a, uint32_t b, uint32_t c, uint32_t *out) {
    const uint64_t low = (uint64_t)(a & 0xffffff) * (b & 0xffffff);
    const int64_t slow = (int64_t)low24(a) * low24(b);
    switch (op) {
    case TS_OP2_MULLO_INT:
    case TS_OP2_MULLO_UINT: *out = a * b; return true;
    case TS_OP2_MULHI_INT: *out = (uint32_t)((int64_t)(int32_t)a * (int32_t)b >> 32); return true;
    case TS_OP2_MULHI_UINT: *out = (uint32_t)((uint64_t)a * b >> 32); return true;
    case TS_OP2_MUL_UINT24: *out = (uint32_t)low; return true;
    case TS_OP2_MULHI_UINT24: *out = (uint32_t)(low >> 32); return true;
    case TS_OP2_MUL_INT24: *out = (uint32_t)slow; return true;
    case TS_OP2_MULHI_INT24: *out = (uint32_t)(slow >> 32); return true;
    case TS_OP3_MULADD_UINT24: *out = (uint32_t)low + c; return true;
    case TS_OP3_MULADD_INT24: *out = (uint32_t)slow + c; return true;
    // Estimates in hardware; their floor is what the correction of a division expects.
    case TS_OP2_RECIP_UINT:
        *out = a ? (uint32_t)(a == 1 ? UINT32_MAX : (1ull << 32) / a) : UINT32_MAX;
        return true;
    case TS_OP2_RECIP_INT: *out = !a ? UINT32_MAX : (uint32_t)((1ll << 32) / (int32_t)a); return true;
    default: return false;
    }
}

static bool bits_body(enum ts_op op, uint32_t a, uint32_t b, uint32_t c, uint32_t *out) {
    switch (op) {
    case TS_OP2_AND_INT: *out = a & b; return true;
    case TS_OP2_OR_INT: *out = a | b; return true;
    case TS_OP2_XOR_INT: *out = a ^ b; return true;
    case TS_OP2_NOT_INT: *out = ~a; return true;
    case TS_OP2_BFREV_INT: *out = reverse(a); return true;
    case TS_OP2_BFM_INT: *out = ((1u << (a & 31)) - 1) << (b & 31); return true;
    case TS_OP2_BCNT_INT: *out = (uint32_t)__builtin_popcount(a); return true;
    case TS_OP2_FFBH_UINT: *out = first_high(a); return true;
    case TS_OP2_FFBL_INT: *out = a ? (uint32_t)__builtin_ctz(a) : UINT32_MAX; return true;
    case TS_OP2_FFBH_INT: *out = first_high((int32_t)a < 0 ? ~a : a); return true;
    case TS_OP3_BFE_UINT: *out = extract(a, b, c, false); return true;
    case TS_OP3_BFE_INT: *out = extract(a, b, c, true); return true;
    case TS_OP3_BFI_INT: *out = (b & a) | (c & ~a); return true;
    case TS_OP3_BIT_ALIGN_INT: *out = (uint32_t)(((uint64_t)a << 32 | b) >> (c & 31)); return true;
    case TS_OP3_BYTE_ALIGN_INT: *out = (uint32_t)(((uint64_t)a << 32 | b) >> 8 * (c & 3)); return true;
    case TS_OP3_LERP_UINT: *out = bytes_lerp(a, b, c); return true;
    case TS_OP3_SAD_ACCUM_UINT: *out = bytes_difference(a, b) + c; return true;
    case TS_OP3_SAD_ACCUM_HI_UINT: *out = (bytes_difference(a, b) << 16) + c; return true;
    default: return false;
    }
}

static bool integer_body(enum ts_op op, uint32_t a, uint32_t b, uint32_t *out) {
    const int32_t x = (int32_t)a, y = (int32_t)b;
    switch (op) {
    case TS_OP2_NOP: *out = 0; return true;
    case TS_OP2_MOV: *out = a; return true;
    case TS_OP2_ADD_INT: *out = a + b; return true;
    case TS_OP2_SUB_INT: *out = a - b; return true;
    case TS_OP2_ADDC_UINT: *out = a + b < a; return true;
    case TS_OP2_SUBB_UINT: *out = a < b; return true;
    case TS_OP2_MAX_INT: *out = x > y ? a : b; return true;
    case TS_OP2_MIN_INT: *out = x < y ? a : b; return true;
    case TS_OP2_MAX_UINT: *out = a > b ? a : b; return true;
    case TS_OP2_MIN_UINT: *out = a < b ? a : b; return true;
    case TS_OP2_SETE_INT: *out = -(uint32_t)(a == b); return true;
    case TS_OP2_SETGT_INT: *out = -(uint32_t)(x > y); return true;
    case TS_OP2_SETGE_INT: *out = -(uint32_t)(x >= y); return true;
    case TS_OP2_SETNE_INT: *out = -(uint32_t)(a != b); return true;
    case TS_OP2_SETGT_UINT: *out = -(uint32_t)(a > b); return true;
    case TS_OP2_SETGE_UINT: *out = -(uint32_t)(a >= b); return true;
    case TS_OP2_INT_TO_FLT: *out = ts_bits((float)x); return true;
    case TS_OP2_UINT_TO_FLT: *out = ts_bits((float)a); return true;
    case TS_OP2_FLT16_TO_FLT32: *out = ts_bits(from_half(a)); return true;
    case TS_OP2_UBYTE0_FLT: *out = ts_bits((float)(a & 255)); return true;
    case TS_OP2_UBYTE1_FLT: *out = ts_bits((float)(a >> 8 & 255)); return true;
    case TS_OP2_UBYTE2_FLT: *out = ts_bits((float)(a >> 16 & 255)); return true;
    case TS_OP2_UBYTE3_FLT: *out = ts_bits((float)(a >> 24)); return true;
    default: return false;
    }
}

bool ts_body(enum ts_op op, const uint32_t s[3], const struct ts_mode *m, uint32_t *out) {
    const float f[3] = {ts_flush(s[0], m), ts_flush(s[1], m), ts_flush(s[2], m)};
    float result;
    if (integer_body(op, s[0], s[1], out) || bits_body(op, s[0], s[1], s[2], out) ||
        shift_body(op, s[0], s[1], out) || multiply_body(op, s[0], s[1], s[2], out) ||
        choice_body(op, s, m, out) || compare_body(op, f, m, out))
        return true;
    if (!float_body(op, f, m, &result)) return false;
    *out = ts_flush_result(ts_bits(result), m);
    return true;
}

uint32_t ts_output(uint32_t value, unsigned omod, bool clamp, const struct ts_mode *m) {
    static const float factors[4] = {1, 2, 4, 0.5f};
    if (!omod && !clamp) return value;
    float f = ts_float(ts_flush_result(ts_bits(ts_flush(value, m) * factors[omod & 3]), m));
    if (clamp) f = isnan(f) ? (m->dx10_clamp ? 0.0f : f) : f < 0 ? 0.0f : f > 1 ? 1.0f : f;
    return ts_bits(f);
}

// ---- Predicates and kills ----

enum condition { COND_NONE, COND_E, COND_GT, COND_GE, COND_NE, COND_LT, COND_LE };
enum domain { DOMAIN_FLOAT, DOMAIN_INT, DOMAIN_UINT };

static bool holds(enum condition c, enum domain d, uint32_t a, uint32_t b) {
    const double x = d == DOMAIN_FLOAT ? (double)ts_float(a)
                     : d == DOMAIN_INT ? (double)(int32_t)a
                                       : (double)a;
    const double y = d == DOMAIN_FLOAT ? (double)ts_float(b)
                     : d == DOMAIN_INT ? (double)(int32_t)b
                                       : (double)b;
    switch (c) {
    case COND_E: return x == y;
    case COND_GT: return x > y;
    case COND_GE: return x >= y;
    case COND_NE: return x != y;
    case COND_LT: return x < y;
    case COND_LE: return x <= y;
    default: return false;
    }
}

static const struct {
    uint16_t op;
    uint8_t condition, domain;
    bool push;
} tests[] = {
    {TS_OP2_PRED_SETE, COND_E, DOMAIN_FLOAT, false},
    {TS_OP2_PRED_SETGT, COND_GT, DOMAIN_FLOAT, false},
    {TS_OP2_PRED_SETGE, COND_GE, DOMAIN_FLOAT, false},
    {TS_OP2_PRED_SETNE, COND_NE, DOMAIN_FLOAT, false},
    {TS_OP2_PRED_SETE_INT, COND_E, DOMAIN_INT, false},
    {TS_OP2_PRED_SETGT_INT, COND_GT, DOMAIN_INT, false},
    {TS_OP2_PRED_SETGE_INT, COND_GE, DOMAIN_INT, false},
    {TS_OP2_PRED_SETNE_INT, COND_NE, DOMAIN_INT, false},
    {TS_OP2_PRED_SETGT_UINT, COND_GT, DOMAIN_UINT, false},
    {TS_OP2_PRED_SETGE_UINT, COND_GE, DOMAIN_UINT, false},
    {TS_OP2_PRED_SETE_PUSH, COND_E, DOMAIN_FLOAT, true},
    {TS_OP2_PRED_SETGT_PUSH, COND_GT, DOMAIN_FLOAT, true},
    {TS_OP2_PRED_SETGE_PUSH, COND_GE, DOMAIN_FLOAT, true},
    {TS_OP2_PRED_SETNE_PUSH, COND_NE, DOMAIN_FLOAT, true},
    {TS_OP2_PRED_SETE_PUSH_INT, COND_E, DOMAIN_INT, true},
    {TS_OP2_PRED_SETGT_PUSH_INT, COND_GT, DOMAIN_INT, true},
    {TS_OP2_PRED_SETGE_PUSH_INT, COND_GE, DOMAIN_INT, true},
    {TS_OP2_PRED_SETNE_PUSH_INT, COND_NE, DOMAIN_INT, true},
    {TS_OP2_PRED_SETLT_PUSH_INT, COND_LT, DOMAIN_INT, true},
    {TS_OP2_PRED_SETLE_PUSH_INT, COND_LE, DOMAIN_INT, true},
    {TS_OP2_KILLE, COND_E, DOMAIN_FLOAT, false},
    {TS_OP2_KILLGT, COND_GT, DOMAIN_FLOAT, false},
    {TS_OP2_KILLGE, COND_GE, DOMAIN_FLOAT, false},
    {TS_OP2_KILLNE, COND_NE, DOMAIN_FLOAT, false},
    {TS_OP2_KILLE_INT, COND_E, DOMAIN_INT, false},
    {TS_OP2_KILLGT_INT, COND_GT, DOMAIN_INT, false},
    {TS_OP2_KILLGE_INT, COND_GE, DOMAIN_INT, false},
    {TS_OP2_KILLNE_INT, COND_NE, DOMAIN_INT, false},
    {TS_OP2_KILLGT_UINT, COND_GT, DOMAIN_UINT, false},
    {TS_OP2_KILLGE_UINT, COND_GE, DOMAIN_UINT, false},
};

static int find_test(enum ts_op op) {
    for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++)
        if (tests[i].op == op) return (int)i;
    return -1;
}

bool ts_body_kill(enum ts_op op, const uint32_t s[2], bool *kill) {
    const int i = find_test(op);
    if (i < 0 || !(ts_rows[op].flags & TS_KILL)) return false;
    *kill = holds(tests[i].condition, tests[i].domain, s[0], s[1]);
    return true;
}

// The stack counters that predicates kept before there was a stack: 0 is on top.
static bool counter_body(enum ts_op op, float a, float b, bool *pass, float *out) {
    switch (op) {
    case TS_OP2_PRED_SET_INV: *pass = a == 1, *out = *pass ? 0 : a == 0 ? 1 : a; return true;
    case TS_OP2_PRED_SET_POP: *pass = a <= b, *out = *pass ? 0 : a - b; return true;
    case TS_OP2_PRED_SET_CLR: *pass = false, *out = FLT_MAX; return true;
    case TS_OP2_PRED_SET_RESTORE: *pass = a == 0, *out = *pass ? 0 : a; return true;
    default: return false;
    }
}

// 0.0 where it passes, 1.0 where not.
bool ts_body_predicate(enum ts_op op, const uint32_t s[2], bool *pass, uint32_t *out) {
    const int i = find_test(op);
    float result;
    if (counter_body(op, ts_float(s[0]), ts_float(s[1]), pass, &result)) {
        *out = ts_bits(result);
        return true;
    }
    if (i < 0 || !(ts_rows[op].flags & TS_PRED)) return false;
    if (tests[i].push) {
        *pass = ts_float(s[0]) == 0 && holds(tests[i].condition, tests[i].domain, s[1], 0);
        *out = *pass ? 0 : ts_bits(ts_float(s[0]) + 1.0f);
        return true;
    }
    *pass = holds(tests[i].condition, tests[i].domain, s[0], s[1]);
    *out = *pass ? 0 : ts_bits(1.0f);
    return true;
}

// ---- Rounding ----

// What rounds as the mode says: sums, products and conversions of floats. The others round to nearest.
bool ts_body_rounds(enum ts_op op) {
    switch (op) {
    case TS_OP2_ADD:
    case TS_OP2_MUL:
    case TS_OP2_MUL_IEEE:
    case TS_OP2_FRACT:
    case TS_OP2_DOT4:
    case TS_OP2_DOT4_IEEE:
    case TS_OP2_DOT:
    case TS_OP2_DOT_IEEE:
    case TS_OP2_MUL_PREV:
    case TS_OP2_MUL_IEEE_PREV:
    case TS_OP2_ADD_PREV:
    case TS_OP2_MULADD_PREV:
    case TS_OP2_MULADD_IEEE_PREV:
    case TS_OP2_FLT_TO_INT:
    case TS_OP3_MULADD:
    case TS_OP3_MULADD_M2:
    case TS_OP3_MULADD_M4:
    case TS_OP3_MULADD_D2:
    case TS_OP3_MULADD_IEEE:
    case TS_OP3_MULADD_IEEE_M2:
    case TS_OP3_MULADD_IEEE_M4:
    case TS_OP3_MULADD_IEEE_D2:
    case TS_OP3_FMA:
    case TS_OP2_FLT64_TO_FLT32: return true;
    default: return false;
    }
}

void ts_round(enum ts_rounding r) {
    static const int modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    fesetround(modes[r]);
}

// ---- Doubles ----

static uint64_t flush_64(uint64_t v, bool keep) {
    return keep || v & 0x7ff0000000000000u ? v : v & 0x8000000000000000u;
}

// An exponent is added as R700's manual has it: zeros and denormals give zeros, what gets too small as well.
static uint64_t add_exponent(uint64_t v, int32_t by) {
    const uint64_t sign = v & 0x8000000000000000u, old = v >> 52 & 0x7ff;
    const int64_t exponent = (int64_t)old + by;
    if (old == 0x7ff) return v;
    if (!old || exponent <= 0) return sign;
    if (exponent >= 0x7ff) return sign | 0x7ff0000000000000u;
    return (v & 0x800fffffffffffffu) | (uint64_t)exponent << 52;
}

static double clamp_infinity_64(double d) { return isinf(d) ? copysign(DBL_MAX, d) : d; }
static double maximum(double a, double b) { return isnan(a) ? b : isnan(b) ? a : a >= b ? a : b; }
static double minimum(double a, double b) { return isnan(a) ? b : isnan(b) ? a : a < b ? a : b; }

static bool double_value(enum ts_op op, double a, double b, double c, double *out) {
    switch (op) {
    case TS_OP2_ADD_64: *out = a + b; return true;
    case TS_OP2_MUL_64: *out = a * b; return true;
    case TS_OP2_MIN_64: *out = minimum(a, b); return true;
    case TS_OP2_MAX_64: *out = maximum(a, b); return true;
    case TS_OP2_FRACT_64: *out = a == floor(a) && isfinite(a) ? 0 : a - floor(a); return true;
    case TS_OP2_RECIP_64: *out = 1 / a; return true;
    case TS_OP2_RECIP_CLAMPED_64: *out = clamp_infinity_64(1 / a); return true;
    case TS_OP2_RECIPSQRT_64: *out = 1 / sqrt(a); return true;
    case TS_OP2_RECIPSQRT_CLAMPED_64: *out = clamp_infinity_64(1 / sqrt(a)); return true;
    case TS_OP2_SQRT_64: *out = sqrt(a); return true;
    case TS_OP3_FMA_64: *out = fma(a, b, c); return true;
    case TS_OP3_MULADD_64: *out = a * b + c; return true;
    case TS_OP3_MULADD_64_M2: *out = (a * b + c) * 2; return true;
    case TS_OP3_MULADD_64_M4: *out = (a * b + c) * 4; return true;
    case TS_OP3_MULADD_64_D2: *out = (a * b + c) / 2; return true;
    default: return false;
    }
}

bool ts_body_double(enum ts_op op, const uint64_t s[3], const struct ts_mode *m, uint64_t *out) {
    double result;
    if (op == TS_OP2_LDEXP_64) {
        *out = add_exponent(s[1], (int32_t)s[0]);
        return true;
    }
    if (op == TS_OP3_CNDNE_64) {
        *out = ts_double(flush_64(s[0], m->double_denorms_in)) != 0 ? s[1] : s[2];
        return true;
    }
    if (!double_value(op, ts_double(flush_64(s[0], m->double_denorms_in)),
                      ts_double(flush_64(s[1], m->double_denorms_in)),
                      ts_double(flush_64(s[2], m->double_denorms_in)), &result))
        return false;
    *out = flush_64(ts_double_bits(result), m->double_denorms_out);
    return true;
}

uint64_t ts_output_double(uint64_t value, unsigned omod, bool clamp, const struct ts_mode *m) {
    static const double factors[4] = {1, 2, 4, 0.5};
    if (!omod && !clamp) return value;
    double d =
        ts_double(flush_64(ts_double_bits(ts_double(value) * factors[omod & 3]), m->double_denorms_out));
    if (clamp) d = isnan(d) ? (m->dx10_clamp ? 0 : d) : d < 0 ? 0 : d > 1 ? 1 : d;
    return ts_double_bits(d);
}

bool ts_body_compare_64(enum ts_op op, const uint64_t s[2], const struct ts_mode *m, bool *holds) {
    const double a = ts_double(flush_64(s[0], m->double_denorms_in)),
                 b = ts_double(flush_64(s[1], m->double_denorms_in));
    switch (op) {
    case TS_OP2_SETE_64:
    case TS_OP2_PRED_SETE_64: *holds = a == b; return true;
    case TS_OP2_SETNE_64: *holds = a != b; return true;
    case TS_OP2_SETGT_64:
    case TS_OP2_PRED_SETGT_64: *holds = a > b; return true;
    case TS_OP2_SETGE_64:
    case TS_OP2_PRED_SETGE_64: *holds = a >= b; return true;
    default: return false;
    }
}
