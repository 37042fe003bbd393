// SPDX-License-Identifier: MIT
// Every vector integer body against a scalar reference that follows the manuals' definitions: all operand
// places, full, partial and empty EXEC, both wave sizes, every vector level of the host.
// Facts shown: TRAP-101 to 114, 116, 184 (packed halves), 193, 250 (compares).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "bare_wave.h"

typedef uint64_t u64;
typedef int64_t i64;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint16_t u16;
typedef int16_t i16;

// What a reference sees and gives: operands (16-bit ones with garbage above), the lane, the incoming mask
// bit, whether clamp is set; the result and the outgoing mask bit.
struct ref {
    u64 a, b, c;
    unsigned lane;
    bool k, clamp;
    u32 e;
    u64 d;
    bool o;
};
typedef void reference(struct ref *r);

enum kind { PLAIN, MASK_IN = 1, MASK_OUT = 2, CLAMPS = 4, COMPARES = 8, SIGNS = 16 };
struct check {
    const char *sem;
    unsigned kind, d, a, b, c;
    reference *fn;
}; // dwords of d, a, b, c

#define R(name, ...)                                                                                         \
    static void ref_##name(struct ref *r) {                                                                  \
        const u64 a = r->a, b = r->b, c = r->c;                                                              \
        (void)a, (void)b, (void)c;                                                                           \
        __VA_ARGS__;                                                                                         \
    }
#define D(v) r->d = (u64)(v)

static i64 fit(i64 v, i64 lo, i64 hi, const struct ref *r) {
    return !r->clamp ? v : v < lo ? lo : v > hi ? hi : v;
}
#define FIT_U32(v) (u32) fit((i64)(v), 0, UINT32_MAX, r)
#define FIT_I32(v) (u32) fit((i64)(v), INT32_MIN, INT32_MAX, r)
#define FIT_U16(v) (u16) fit((i64)(v), 0, 0xffff, r)
#define FIT_I16(v) (u16) fit((i64)(v), -0x8000, 0x7fff, r)
static i64 s24(u64 v) { return (i64)(v & 0xffffff) - (v & 0x800000 ? 0x1000000 : 0); }
static u64 u24(u64 v) { return v & 0xffffff; }

R(mov_b32, D((u32)a))
R(mov_b64, D(a))
R(cndmask, D((u32)(r->k ? b : a)))
R(add_nc_u32, D(FIT_U32((i64)(u32)a + (u32)b)))
R(sub_nc_u32, D(FIT_U32((i64)(u32)a - (u32)b)))
R(subrev_nc_u32, D(FIT_U32((i64)(u32)b - (u32)a)))
R(add_nc_i32, D(FIT_I32((i64)(i32)a + (i32)b)))
R(sub_nc_i32, D(FIT_I32((i64)(i32)a - (i32)b)))
R(add3, D((u32)(a + b + c)))
R(lshl_add, D((u32)(((u32)a << (b % 32)) + c)))
R(add_lshl, D((u32)(a + b) << (c % 32))) R(xad, D((u32)((a ^ b) + c))) R(add_co, u64 t = (u64)(u32)a + (u32)b;
                                                                         D((u32)t); r->o = t >= 0x100000000)
    R(sub_co, D((u32)(a - b)); r->o = (u32)b > (u32)a) R(subrev_co, D((u32)(b - a)); r->o = (u32)a > (u32)b)
        R(add_co_ci, u64 t = (u64)(u32)a + (u32)b + r->k; D((u32)t);
          r->o = t >= 0x100000000) R(sub_co_ci, D((u32)(a - b - r->k)); r->o = (u64)(u32)b + r->k > (u32)a)
            R(subrev_co_ci, D((u32)(b - a - r->k));
              r->o = (u64)(u32)a + r->k >
                     (u32)b) R(mul_lo, D((u32)((u32)a *(u32)b))) R(mul_hi_u, D((u64)(u32)a *(u32)b >> 32))
                R(mul_hi_i, D((u32)((i64)(i32)a *(i32)b >> 32))) R(mul_u24, D(FIT_U32(u24(a) * u24(b)))) R(
                    mul_i24, D(FIT_I32(s24(a) * s24(b)))) R(mul_hi_u24, D(u24(a) * u24(b) >> 32))
                    R(mul_hi_i24, D((u32)((s24(a) * s24(b)) >> 32))) R(
                        mad_u24,
                        D(FIT_U32(u24(a) * u24(b) + (u32)c))) R(mad_i24, D(FIT_I32(s24(a) * s24(b) + (i32)c)))
                        R(mad_u32_u16, D(FIT_U32((u64)(u16)a *(u16)b + (u32)c))) R(
                            mad_i32_i16, D(FIT_I32((i64)(i16)a *(i16)b + (i32)c)))
                            R(mad_co_u64, unsigned __int128 t = (unsigned __int128)((u64)(u32)a * (u32)b) + c;
                              D((u64)t);
                              r->o = t >> 64 & 1)
                                R(mad_co_i64, __int128 t = (__int128)((i64)(i32)a * (i32)b) + (i64)c;
                                  D((u64)t);
                                  r->o =
                                      t >> 64 &
                                      1) R(lshl_add_u64,
                                           D((a << (b & 7)) +
                                             c)) R(not_, D((u32)~a)) R(and_, D((u32)(a &b)))
                                    R(or_,
                                      D((u32)(a |
                                              b))) R(xor_,
                                                     D((u32)(a ^ b))) R(xnor_, D((u32) ~(a ^ b)))
                                        R(and_or, D((u32)((a & b) | c))) R(or3, D((u32)(a | b | c))) R(
                                            xor3,
                                            D((u32)(a ^ b ^ c))) R(lshl_or, D((u32)a << (b % 32) | (u32)c))
                                            R(bfi, D((u32)((a & b) | (~a & c)))) R(
                                                lshlrev,
                                                D((u32)b << (a % 32))) R(lshrrev, D((u32)b >> (a % 32)))
                                                R(ashrrev, D((u32)((i32)b >> (a % 32)))) R(
                                                    lshl,
                                                    D((u32)a << (b % 32))) R(lshr, D((u32)a >> (b % 32)))
                                                    R(ashr, D((u32)((i32)a >> (b % 32)))) R(
                                                        lshlrev64,
                                                        D(b << (a % 64))) R(lshrrev64, D(b >> (a % 64)))
                                                        R(ashrrev64,
                                                          D((i64)b >> (a % 64))) R(lshl64, D(a << (b % 64)))
                                                            R(lshr64,
                                                              D(a >>
                                                                (b % 64))) R(ashr64, D((i64)a >> (b % 64)))
                                                                R(bfe_u, D((u32)a >> (b % 32) &
                                                                           ((1ull << (c % 32)) - 1)))
                                                                    R(bfe_i, const unsigned n = c % 32;
                                                                      u64 v =
                                                                          (u64)((i64)(i32)a >> (b % 32)) &
                                                                          ((1ull << n) - 1);
                                                                      if (n && v >> (n - 1) & 1) v -= 1ull
                                                                                                      << n;
                                                                      D((u32)v))
                                                                        R(bfm,
                                                                          D((u32)(((1ull << (a % 32)) - 1)
                                                                                  << (b % 32))))
                                                                            R(alignbit,
                                                                              D((u32)(((a << 32) | (u32)b) >>
                                                                                      (c % 32))))
                                                                                R(alignbyte,
                                                                                  D((u32)(((a << 32) |
                                                                                           (u32)b) >>
                                                                                          (c % 4 *
                                                                                           8)))) static u32
    bits_in(u64 v) {
    u32 n = 0;
    for (; v; v >>= 1) n += v & 1;
    return n;
}
R(bcnt, D((u32)(bits_in((u32)a) + b)))
R(mbcnt_lo, u32 n = (u32)b; for (unsigned l = 0; l < r->lane && l < 32; l++) n += a >> l & 1; D(n))
R(mbcnt_hi, u32 n = (u32)b; for (unsigned l = 32; l < r->lane; l++) n += a >> (l - 32) & 1; D(n))
R(
    clz, u32 n = ~0u; for (int i = 0; i < 32; i++) if (a >> (31 - i) & 1) {
        n = (u32)i;
        break;
    } D(n))
R(
    cls, u32 n = ~0u; for (int i = 1; i < 32; i++) if ((a >> (31 - i) & 1) != (a >> 31 & 1)) {
        n = (u32)i;
        break;
    } D(n))
R(
    ctz, u32 n = ~0u; for (int i = 0; i < 32; i++) if (a >> i & 1) {
        n = (u32)i;
        break;
    } D(n))
R(bfrev, u32 v = 0; for (int i = 0; i < 32; i++) v |= (u32)(a >> i & 1) << (31 - i); D(v))
R(
    perm, const u64 in = a << 32 | (u32)b; u32 v = 0; for (int i = 0; i < 4; i++) {
        const unsigned s = c >> (8 * i) & 255;
        u32 byte;
        if (s >= 13)
            byte = 255;
        else if (s == 12)
            byte = 0;
        else if (s >= 8)
            byte = in >> ((s - 8) * 16 + 15) & 1 ? 255 : 0;
        else
            byte = in >> (s * 8) & 255;
        v |= byte << (8 * i);
    } D(v))
#define MIN(x, y)    ((x) < (y) ? (x) : (y))
#define MAX(x, y)    ((x) > (y) ? (x) : (y))
#define MED(x, y, z) (MAX(MAX(x, y), z) == (x) ? MAX(y, z) : MAX(MAX(x, y), z) == (y) ? MAX(x, z) : MAX(x, y))
#define ORDER(suffix, T)                                                                                     \
    R(min_##suffix, const T x = (T)a; const T y = (T)b; D((u32)MIN(x, y));                                   \
      if (sizeof(T) == 2) r->d &= 0xffff)                                                                    \
    R(max_##suffix, const T x = (T)a; const T y = (T)b; D((u32)MAX(x, y));                                   \
      if (sizeof(T) == 2) r->d &= 0xffff)                                                                    \
    R(min3_##suffix, const T x = (T)a; const T y = (T)b; const T z = (T)c; D((u32)MIN(MIN(x, y), z));        \
      if (sizeof(T) == 2) r->d &= 0xffff)                                                                    \
    R(max3_##suffix, const T x = (T)a; const T y = (T)b; const T z = (T)c; D((u32)MAX(MAX(x, y), z));        \
      if (sizeof(T) == 2) r->d &= 0xffff)                                                                    \
    R(med3_##suffix, const T x = (T)a; const T y = (T)b; const T z = (T)c; D((u32)MED(x, y, z));             \
      if (sizeof(T) == 2) r->d &= 0xffff)
#define CLIP(suffix, T)                                                                                      \
    R(minmax_##suffix, const T x = (T)a; const T y = (T)b; const T z = (T)c; const T m = MIN(x, y);          \
      D((u32)MAX(m, z)))                                                                                     \
    R(maxmin_##suffix, const T x = (T)a; const T y = (T)b; const T z = (T)c; const T m = MAX(x, y);          \
      D((u32)MIN(m, z)))
CLIP(i32, i32)
CLIP(u32, u32) ORDER(i32, i32) ORDER(u32, u32) ORDER(i16, i16) ORDER(u16, u16) static i64 far(i64 x, i64 y) {
    return x > y ? x - y : y - x;
}
static i64 sad8(u64 a, u64 b, bool masked) {
    i64 n = 0;
    for (int i = 0; i < 4; i++)
        if (!masked || (b >> (8 * i) & 255)) n += far(a >> (8 * i) & 255, b >> (8 * i) & 255);
    return n;
}
R(sad_u8, D(FIT_U32(sad8(a, b, false) + (u32)c)))
R(sad_hi, D(FIT_U32(sad8(a, b, false) * 65536 + (u32)c)))
R(msad, D(FIT_U32(sad8(a, b, true) + (u32)c)))
R(sad_u16, D(FIT_U32(far((u16)a, (u16)b) + far((u16)(a >> 16), (u16)(b >> 16)) + (u32)c)))
R(sad_u32, D(FIT_U32(far((u32)a, (u32)b) + (u32)c)))
R(lerp, u32 v = 0;
  for (int i = 0; i < 32; i += 8) v |= (u32)((a >> i & 255) + (b >> i & 255) + (c >> i & 1)) / 2 << i; D(v))
static u64 quad(const struct ref *r, bool masked) {
    u64 d = 0;
    for (int i = 0; i < 4; i++)
        d |= (u64)FIT_U16(sad8(r->a >> (8 * i), r->b, masked) + (i64)(r->c >> (16 * i) & 0xffff)) << (16 * i);
    return d;
}
R(qsad, D(quad(r, false)))
R(mqsad, D(quad(r, true))) static i64 dot_ref(u64 a, u64 b, int bits, bool sa, bool sb) {
    i64 n = 0;
    for (int i = 0; i < 32; i += bits) {
        i64 x = (i64)(a >> i & ((1u << bits) - 1)), y = (i64)(b >> i & ((1u << bits) - 1));
        if (sa && x >> (bits - 1)) x -= 1 << bits;
        if (sb && y >> (bits - 1)) y -= 1 << bits;
        n += x * y;
    }
    return n;
}
R(dot2_i, D(FIT_I32(dot_ref(a, b, 16, 1, 1) + (i32)c)))
R(dot2_u, D(FIT_U32(dot_ref(a, b, 16, 0, 0) + (u32)c)))
R(dot4_i, D(FIT_I32(dot_ref(a, b, 8, 1, 1) + (i32)c)))
R(dot4_u, D(FIT_U32(dot_ref(a, b, 8, 0, 0) + (u32)c)))
R(dot8_i, D(FIT_I32(dot_ref(a, b, 4, 1, 1) + (i32)c)))
R(dot8_u, D(FIT_U32(dot_ref(a, b, 4, 0, 0) + (u32)c)))
R(dot4_iu, D(FIT_I32(dot_ref(a, b, 8, r->e >> 1 & 1, r->e >> 2 & 1) + (i32)c)))
R(dot8_iu, D(FIT_I32(dot_ref(a, b, 4, r->e >> 1 & 1, r->e >> 2 & 1) + (i32)c)))

R(add_u16, D(FIT_U16((u16)a + (u16)b)))
R(sub_u16, D(FIT_U16((u16)a - (u16)b)))
R(subrev_u16, D(FIT_U16((u16)b - (u16)a)))
R(add_i16, D(FIT_I16((i16)a + (i16)b)))
R(sub_i16, D(FIT_I16((i16)a - (i16)b)))
R(mul_u16, D((u16)((u32)(u16)a *(u16)b))) R(mad_u16, D(FIT_U16((i64)(u16)a *(u16)b + (u16)c)))
    R(mad_i16, D(FIT_I16((i64)(i16)a *(i16)b + (i16)c))) R(lshlrev16, D((u16)((u32)(u16)b << (a % 16))))
        R(lshrrev16, D((u16)b >> (a % 16))) R(ashrrev16, D((u16)((i16)b >> (a % 16)))) R(mov16, D((u16)a))
            R(not16, D((u16)~a)) R(and16, D((u16)(a &b))) R(or16, D((u16)(a | b))) R(xor16, D((u16)(a ^ b)))
                R(cndmask16, D((u16)(r->k ? b : a))) static u32 sat8(i16 v) {
    return v < 0 ? 0 : v > 255 ? 255 : (u32)v;
}
R(sat_pk, D(sat8((i16)a) | sat8((i16)(a >> 16)) << 8))
// Packed operations are the single ones on each half.
static void halves(struct ref *r, reference *fn) {
    struct ref lo = *r, hi = *r;
    hi.a = r->a >> 16, hi.b = r->b >> 16, hi.c = r->c >> 16;
    fn(&lo), fn(&hi);
    r->d = (lo.d & 0xffff) | (hi.d & 0xffff) << 16;
}
#define PK(name, single) R(pk_##name, halves(r, ref_##single))
PK(add_u16, add_u16)
PK(sub_u16, sub_u16)
PK(add_i16, add_i16)
PK(sub_i16, sub_i16)
PK(mad_u16, mad_u16)
PK(mad_i16, mad_i16)
PK(lshl, lshlrev16)
PK(lshr, lshrrev16)
PK(ashr, ashrrev16)
PK(min_i16, min_i16)
PK(max_i16, max_i16) PK(min_u16, min_u16) PK(max_u16, max_u16) R(mul_sat16, D(FIT_U16((i64)(u16)a *(u16)b)))
    PK(mul, mul_sat16)

        R(cvt_i32_i16, D((u32)(i16)a)) R(cvt_u32_u16, D((u16)a))
            R(prng, D((u32)(a << 1) ^ (a >> 31 & 1 ? 197 : 0))) static u32 pin(i64 v, i64 lo, i64 hi) {
    return (u32)(v < lo ? lo : v > hi ? hi : v) & 0xffff;
}
R(cvt_pk_i16, D(pin((i32)a, -0x8000, 0x7fff) | pin((i32)b, -0x8000, 0x7fff) << 16))
R(cvt_pk_u16, D(pin((u32)a, 0, 0xffff) | pin((u32)b, 0, 0xffff) << 16))

#define COMPARISONS(suffix, T)                                                                               \
    R(lt_##suffix, r->o = (T)a < (T)b)                                                                       \
    R(eq_##suffix, r->o = (T)a == (T)b)                                                                      \
    R(le_##suffix, r->o = (T)a <= (T)b)                                                                      \
    R(gt_##suffix, r->o = (T)a > (T)b) R(ne_##suffix, r->o = (T)a != (T)b) R(ge_##suffix, r->o = (T)a >= (T)b)
COMPARISONS(i16, i16)
COMPARISONS(u16, u16)
COMPARISONS(i32, i32)
COMPARISONS(u32, u32)
COMPARISONS(i64, i64)
COMPARISONS(u64, u64)
R(never, (void)r)
R(always, r->o = true)

#define U(sem, fn)                                                                                           \
    { "v_" sem, PLAIN, 1, 1, 0, 0, ref_##fn }
#define B(sem, kind, fn)                                                                                     \
    { "v_" sem, kind, 1, 1, 1, 0, ref_##fn }
#define T(sem, kind, fn)                                                                                     \
    { "v_" sem, kind, 1, 1, 1, 1, ref_##fn }
#define C(suffix, n)                                                                                         \
    {"v_cmp_lt_" #suffix, COMPARES, 0, n, n, 0, ref_lt_##suffix},                                            \
        {"v_cmp_eq_" #suffix, COMPARES, 0, n, n, 0, ref_eq_##suffix},                                        \
        {"v_cmp_le_" #suffix, COMPARES, 0, n, n, 0, ref_le_##suffix},                                        \
        {"v_cmp_gt_" #suffix, COMPARES, 0, n, n, 0, ref_gt_##suffix},                                        \
        {"v_cmp_ne_" #suffix, COMPARES, 0, n, n, 0, ref_ne_##suffix},                                        \
        {"v_cmp_ge_" #suffix, COMPARES, 0, n, n, 0, ref_ge_##suffix},                                        \
        {"v_cmp_f_" #suffix, COMPARES, 0, n, n, 0, ref_never}, {                                             \
        "v_cmp_tru_" #suffix, COMPARES, 0, n, n, 0, ref_always                                               \
    }
static const struct check checks[] = {
    U("mov_b32", mov_b32),
    {"v_mov_b64", PLAIN, 2, 2, 0, 0, ref_mov_b64},
    B("cndmask_b32", MASK_IN, cndmask),
    B("add_nc_u32", CLAMPS, add_nc_u32),
    B("sub_nc_u32", CLAMPS, sub_nc_u32),
    B("subrev_nc_u32", CLAMPS, subrev_nc_u32),
    B("add_nc_i32", CLAMPS, add_nc_i32),
    B("sub_nc_i32", CLAMPS, sub_nc_i32),
    T("add3_u32", PLAIN, add3),
    T("lshl_add_u32", PLAIN, lshl_add),
    T("add_lshl_u32", PLAIN, add_lshl),
    T("xad_u32", PLAIN, xad),
    B("add_co_u32", MASK_OUT, add_co),
    B("sub_co_u32", MASK_OUT, sub_co),
    B("subrev_co_u32", MASK_OUT, subrev_co),
    B("add_co_ci_u32", MASK_IN | MASK_OUT, add_co_ci),
    B("sub_co_ci_u32", MASK_IN | MASK_OUT, sub_co_ci),
    B("subrev_co_ci_u32", MASK_IN | MASK_OUT, subrev_co_ci),
    B("mul_lo_u32", PLAIN, mul_lo),
    B("mul_hi_u32", PLAIN, mul_hi_u),
    B("mul_hi_i32", PLAIN, mul_hi_i),
    B("mul_u32_u24", CLAMPS, mul_u24),
    B("mul_i32_i24", CLAMPS, mul_i24),
    B("mul_hi_u32_u24", PLAIN, mul_hi_u24),
    B("mul_hi_i32_i24", PLAIN, mul_hi_i24),
    T("mad_u32_u24", CLAMPS, mad_u24),
    T("mad_i32_i24", CLAMPS, mad_i24),
    T("mad_u32_u16", CLAMPS, mad_u32_u16),
    T("mad_i32_i16", CLAMPS, mad_i32_i16),
    {"v_mad_co_u64_u32", MASK_OUT, 2, 1, 1, 2, ref_mad_co_u64},
    {"v_mad_co_i64_i32", MASK_OUT, 2, 1, 1, 2, ref_mad_co_i64},
    {"v_lshl_add_u64", PLAIN, 2, 2, 1, 2, ref_lshl_add_u64},
    U("not_b32", not_),
    B("and_b32", PLAIN, and_),
    B("or_b32", PLAIN, or_),
    B("xor_b32", PLAIN, xor_),
    B("xnor_b32", PLAIN, xnor_),
    T("and_or_b32", PLAIN, and_or),
    T("or3_b32", PLAIN, or3),
    T("xor3_b32", PLAIN, xor3),
    T("lshl_or_b32", PLAIN, lshl_or),
    T("bfi_b32", PLAIN, bfi),
    B("lshlrev_b32", PLAIN, lshlrev),
    B("lshrrev_b32", PLAIN, lshrrev),
    B("ashrrev_i32", PLAIN, ashrrev),
    B("lshl_b32", PLAIN, lshl),
    B("lshr_b32", PLAIN, lshr),
    B("ashr_i32", PLAIN, ashr),
    {"v_lshlrev_b64", PLAIN, 2, 1, 2, 0, ref_lshlrev64},
    {"v_lshrrev_b64", PLAIN, 2, 1, 2, 0, ref_lshrrev64},
    {"v_ashrrev_i64", PLAIN, 2, 1, 2, 0, ref_ashrrev64},
    {"v_lshl_b64", PLAIN, 2, 2, 1, 0, ref_lshl64},
    {"v_lshr_b64", PLAIN, 2, 2, 1, 0, ref_lshr64},
    {"v_ashr_i64", PLAIN, 2, 2, 1, 0, ref_ashr64},
    T("bfe_u32", PLAIN, bfe_u),
    T("bfe_i32", PLAIN, bfe_i),
    B("bfm_b32", PLAIN, bfm),
    T("alignbit_b32", PLAIN, alignbit),
    T("alignbyte_b32", PLAIN, alignbyte),
    B("bcnt_u32_b32", PLAIN, bcnt),
    B("mbcnt_lo_u32_b32", PLAIN, mbcnt_lo),
    B("mbcnt_hi_u32_b32", PLAIN, mbcnt_hi),
    U("clz_i32_u32", clz),
    U("cls_i32", cls),
    U("ctz_i32_b32", ctz),
    U("bfrev_b32", bfrev),
    T("perm_b32", PLAIN, perm),
    B("min_i32", PLAIN, min_i32),
    B("max_i32", PLAIN, max_i32),
    B("min_u32", PLAIN, min_u32),
    B("max_u32", PLAIN, max_u32),
    T("min3_i32", PLAIN, min3_i32),
    T("max3_i32", PLAIN, max3_i32),
    T("min3_u32", PLAIN, min3_u32),
    T("max3_u32", PLAIN, max3_u32),
    T("med3_i32", PLAIN, med3_i32),
    T("med3_u32", PLAIN, med3_u32),
    T("minmax_i32", PLAIN, minmax_i32),
    T("maxmin_i32", PLAIN, maxmin_i32),
    T("minmax_u32", PLAIN, minmax_u32),
    T("maxmin_u32", PLAIN, maxmin_u32),
    T("sad_u8", CLAMPS, sad_u8),
    T("sad_hi_u8", CLAMPS, sad_hi),
    T("msad_u8", CLAMPS, msad),
    T("sad_u16", CLAMPS, sad_u16),
    T("sad_u32", CLAMPS, sad_u32),
    T("lerp_u8", PLAIN, lerp),
    {"v_qsad_pk_u16_u8", CLAMPS, 2, 2, 1, 2, ref_qsad},
    {"v_mqsad_pk_u16_u8", CLAMPS, 2, 2, 1, 2, ref_mqsad},
    T("dot2_i32_i16", CLAMPS, dot2_i),
    T("dot2_u32_u16", CLAMPS, dot2_u),
    T("dot4_i32_i8", CLAMPS, dot4_i),
    T("dot4_u32_u8", CLAMPS, dot4_u),
    T("dot8_i32_i4", CLAMPS, dot8_i),
    T("dot8_u32_u4", CLAMPS, dot8_u),
    T("dot4_i32_iu8", CLAMPS | SIGNS, dot4_iu),
    T("dot8_i32_iu4", CLAMPS | SIGNS, dot8_iu),
    B("add_nc_u16", CLAMPS, add_u16),
    B("sub_nc_u16", CLAMPS, sub_u16),
    B("subrev_u16", CLAMPS, subrev_u16),
    B("add_nc_i16", CLAMPS, add_i16),
    B("sub_nc_i16", CLAMPS, sub_i16),
    B("mul_lo_u16", PLAIN, mul_u16),
    T("mad_u16", CLAMPS, mad_u16),
    T("mad_i16", CLAMPS, mad_i16),
    B("lshlrev_b16", PLAIN, lshlrev16),
    B("lshrrev_b16", PLAIN, lshrrev16),
    B("ashrrev_i16", PLAIN, ashrrev16),
    B("min_u16", PLAIN, min_u16),
    B("max_u16", PLAIN, max_u16),
    B("min_i16", PLAIN, min_i16),
    B("max_i16", PLAIN, max_i16),
    T("min3_u16", PLAIN, min3_u16),
    T("max3_u16", PLAIN, max3_u16),
    T("med3_u16", PLAIN, med3_u16),
    T("min3_i16", PLAIN, min3_i16),
    T("max3_i16", PLAIN, max3_i16),
    T("med3_i16", PLAIN, med3_i16),
    U("mov_b16", mov16),
    U("not_b16", not16),
    B("and_b16", PLAIN, and16),
    B("or_b16", PLAIN, or16),
    B("xor_b16", PLAIN, xor16),
    B("cndmask_b16", MASK_IN, cndmask16),
    U("sat_pk_u8_i16", sat_pk),
    B("pk_add_u16", CLAMPS, pk_add_u16),
    B("pk_sub_u16", CLAMPS, pk_sub_u16),
    B("pk_add_i16", CLAMPS, pk_add_i16),
    B("pk_sub_i16", CLAMPS, pk_sub_i16),
    B("pk_mul_lo_u16", CLAMPS, pk_mul),
    T("pk_mad_u16", CLAMPS, pk_mad_u16),
    T("pk_mad_i16", CLAMPS, pk_mad_i16),
    B("pk_min_i16", PLAIN, pk_min_i16),
    B("pk_max_i16", PLAIN, pk_max_i16),
    B("pk_min_u16", PLAIN, pk_min_u16),
    B("pk_max_u16", PLAIN, pk_max_u16),
    B("pk_lshlrev_b16", PLAIN, pk_lshl),
    B("pk_lshrrev_b16", PLAIN, pk_lshr),
    B("pk_ashrrev_i16", PLAIN, pk_ashr),
    U("cvt_i32_i16", cvt_i32_i16),
    U("cvt_u32_u16", cvt_u32_u16),
    U("prng_b32", prng),
    B("cvt_pk_i16_i32", PLAIN, cvt_pk_i16),
    B("cvt_pk_u16_u32", PLAIN, cvt_pk_u16),
    C(i16, 1),
    C(u16, 1),
    C(i32, 1),
    C(u32, 1),
    C(i64, 2),
    C(u64, 2),
};

enum { A = 2, B_ = 4, C_ = 6, RESULT = 8, SGPR = 10, MASK_FROM = 40, MASK_TO = 42, REGISTERS = 12 };

// Which operand is scalar in variant fn[n]: bit 0 a, 1 b, 2 c.
static unsigned scalar_set(const struct check *k, unsigned n) {
    if (n == 3 && k->c == 0) return 3; // both, where there is such a variant
    return n == 0 ? 0 : 1u << (n - 1);
}

static void check_once(const struct level *level, const struct check *k, const struct body *body,
                       unsigned lanes, unsigned variant, struct wave *w) {
    const unsigned scalar = scalar_set(k, variant), width[3] = {k->a, k->b, k->c}, at[3] = {A, B_, C_};
    struct op op = {.d = vgpr(w, RESULT)};
    uint32_t *const offset[3] = {&op.a, &op.b, &op.c};
    for (unsigned n = 0; n < 3; n++) {
        for (unsigned l = 0; l < lanes; l++) set_pair(w, vgpr(w, at[n]), l, tricky64());
        const u64 s = tricky64();
        memcpy(&w->s[SGPR + 2 * n], &s, 8);
        *offset[n] = scalar >> n & 1 ? sgpr_offset(SGPR + 2 * n) : vgpr(w, at[n]);
    }
    for (unsigned l = 0; l < lanes; l++) set_pair(w, vgpr(w, RESULT), l, 0xdeadbeef00c0ffee + l);
    w->exec = tricky_exec();
    if (lanes == 32) w->exec &= 0xffffffff;
    const u64 in = random64(), old_mask = random64();
    memcpy(&w->s[MASK_FROM], &in, 8);
    memcpy(&w->s[MASK_TO], &old_mask, 8);
    if (k->kind & CLAMPS) op.e = random64() & (k->kind & SIGNS ? 7 : 1);
    if (k->kind & MASK_IN) op.c = sgpr_offset(MASK_FROM);
    if (k->kind & MASK_OUT) op.e = sgpr_offset(MASK_TO);
    if (k->kind & COMPARES) op.d = sgpr_offset(MASK_TO);
    u64 expected[64], bits = 0;
    for (unsigned l = 0; l < lanes; l++) {
        u64 v[3];
        for (unsigned n = 0; n < 3; n++) {
            if (scalar >> n & 1)
                memcpy(&v[n], &w->s[SGPR + 2 * n], 8);
            else
                v[n] = pair_at(w, vgpr(w, at[n]), l);
            if (width[n] == 1) v[n] = (u32)v[n];
        }
        struct ref r = {
            v[0],     v[1], v[2], .lane = l, .k = in >> l & 1, .clamp = (k->kind & CLAMPS) && (op.e & 1),
            .e = op.e};
        k->fn(&r);
        const bool on = w->exec >> l & 1;
        const u64 old = pair_at(w, vgpr(w, RESULT), l);
        expected[l] = !on || k->d == 0 ? old : k->d == 2 ? r.d : (u32)r.d | (old >> 32 << 32);
        if (on && r.o) bits |= 1ull << l;
    }
    run_op(w, op, body->fn[variant]);
    for (unsigned l = 0; l < lanes; l++)
        if (pair_at(w, vgpr(w, RESULT), l) != expected[l])
            fail_msg("%s %s wave%u variant %u lane %u: got %llx, expected %llx (clamp %u)", k->sem,
                     level->name, lanes, variant, l, (unsigned long long)pair_at(w, vgpr(w, RESULT), l),
                     (unsigned long long)expected[l], op.e & 1);
    u64 mask;
    memcpy(&mask, &w->s[MASK_TO], 8);
    u64 want = old_mask;
    if (k->kind & (MASK_OUT | COMPARES)) want = lanes == 64 ? bits : bits | (old_mask >> 32 << 32);
    if (mask != want)
        fail_msg("%s %s wave%u variant %u: mask %llx, expected %llx", k->sem, level->name, lanes, variant,
                 (unsigned long long)mask, (unsigned long long)want);
}

static void against_reference(void **state) {
    (void)state;
    for (unsigned lanes = 32; lanes <= 64; lanes += 32) {
        struct wave *w = bare_wave(lanes, REGISTERS);
        for (unsigned n = 0; n < level_count(); n++)
            for (unsigned k = 0; k < sizeof checks / sizeof *checks; k++) {
                const struct body *body = body_named(&levels[n], checks[k].sem);
                if (!body) fail_msg("%s: no row has it", checks[k].sem);
                assert_non_null(body->fn[0]);
                const unsigned sources = checks[k].c && !(checks[k].kind & MASK_IN) ? 3 : checks[k].b ? 2 : 1;
                assert_int_equal(body->shape,
                                 checks[k].kind & COMPARES ? SHAPE_COMPARE : SHAPE_VECTOR1 + sources - 1);
                for (unsigned variant = 0; variant < 4; variant++)
                    if (body->fn[variant])
                        for (unsigned round = 0; round < 24; round++)
                            check_once(&levels[n], &checks[k], body, lanes, variant, w);
            }
        free(w);
    }
}

// The destination may be any of the sources (both halves of a pair included).
static void in_place(void **state) {
    (void)state;
    static const char *const ops[] = {"v_mad_co_u64_u32", "v_add_co_u32", "v_lshl_add_u64",
                                      "v_mqsad_pk_u16_u8", "v_pk_mad_u16"};
    for (unsigned n = 0; n < level_count(); n++)
        for (unsigned k = 0; k < sizeof ops / sizeof *ops; k++)
            for (unsigned same = 0; same < 3; same++) {
                struct wave *w = bare_wave(64, REGISTERS), *x = bare_wave(64, REGISTERS);
                for (unsigned r = 0; r < REGISTERS; r++)
                    for (unsigned l = 0; l < 64; l++)
                        lanes_of(x, vgpr(x, r))[l] = lanes_of(w, vgpr(w, r))[l] = tricky32();
                w->exec = x->exec = random64();
                const struct body *body = body_named(&levels[n], ops[k]);
                const uint32_t sources[3] = {vgpr(w, A), vgpr(w, B_), vgpr(w, C_)};
                struct op op = {.a = sources[0], .b = sources[1], .c = sources[2], .d = vgpr(w, RESULT)};
                op.e = k < 2 ? sgpr_offset(MASK_TO) : 0;
                run_op(w, op, body->fn[0]);
                op.d = sources[same];
                run_op(x, op, body->fn[0]);
                for (unsigned l = 0; l < 64; l++)
                    if (w->exec >> l & 1)
                        assert_int_equal(lanes_of(w, vgpr(w, RESULT))[l], lanes_of(x, sources[same])[l]);
                free(w), free(x);
            }
}

static void swap_and_long_sad(void **state) {
    (void)state;
    for (unsigned n = 0; n < level_count(); n++) {
        struct wave *w = bare_wave(32, 20);
        for (unsigned l = 0; l < 32; l++)
            lanes_of(w, vgpr(w, 0))[l] = l, lanes_of(w, vgpr(w, 1))[l] = 100 + l;
        w->exec = 0xf0;
        run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 1)}, body_named(&levels[n], "v_swap_b32")->fn[0]);
        for (unsigned l = 0; l < 32; l++) {
            const bool on = w->exec >> l & 1;
            assert_int_equal(lanes_of(w, vgpr(w, 0))[l], on ? 100 + l : l);
            assert_int_equal(lanes_of(w, vgpr(w, 1))[l], on ? l : 100 + l);
        }
        // Four windows of S0 against S1, whose zero byte does not count; accumulators in v8-v11.
        for (unsigned l = 0; l < 32; l++) {
            set_pair(w, vgpr(w, 2), l, 0x0807060504030201);
            lanes_of(w, vgpr(w, 4))[l] = 0x00010101;
            for (unsigned k = 0; k < 4; k++) lanes_of(w, vgpr(w, 8 + k))[l] = 1000 * k + l;
        }
        run_op(w, (struct op){.d = vgpr(w, 8), .a = vgpr(w, 2), .b = vgpr(w, 4), .c = vgpr(w, 8)},
               body_named(&levels[n], "v_mqsad_u32_u8")->fn[0]);
        for (unsigned k = 0; k < 4; k++) {
            assert_int_equal(lanes_of(w, vgpr(w, 8 + k))[5], 1000 * k + 5 + (0 + 1 + 2) + 3 * k);
            assert_int_equal(lanes_of(w, vgpr(w, 8 + k))[3], 1000 * k + 3); // inactive
        }
        free(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_reference),
        cmocka_unit_test(in_place),
        cmocka_unit_test(swap_and_long_sad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
