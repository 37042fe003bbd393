// SPDX-License-Identifier: MIT
// Every floating-point body against a scalar reference: the manuals' definitions in plain C, exact values in
// quad precision rounded by hand, or the host's scalar arithmetic. Operands are special values and random
// bits in every operand place; EXEC full, partial and empty; both wave sizes; every rounding and denormal
// mode of F32 and of F64/F16 in every combination; every vector level of the host.
// Facts shown: TRAP-124, 126, 127, 128, 130, 141, 144, 154, 156, 157, 158, 159, 164, 185, 186.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

#include "bare_wave.h"

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef int64_t i64;
typedef int32_t i32;
typedef int16_t i16;
typedef __float128 quad;

struct ref {
    u64 a, b, c, d;
    u32 mode;
};
typedef u64 reference(const struct ref *r);

// ---- Bits and values ----

static float f32(u64 v) {
    u32 x = (u32)v;
    float f;
    memcpy(&f, &x, 4);
    return f;
}
static double f64(u64 v) {
    double f;
    memcpy(&f, &v, 8);
    return f;
}
static u64 b32(float f) {
    u32 x;
    memcpy(&x, &f, 4);
    return x;
}
static u64 b64(double f) {
    u64 x;
    memcpy(&x, &f, 8);
    return x;
}
static bool nan32(u64 v) { return (v & 0x7fffffff) > 0x7f800000; }
static bool nan64(u64 v) { return (v & 0x7fffffffffffffff) > 0x7ff0000000000000; }
static bool nan16(u64 v) { return (v & 0x7fff) > 0x7c00; }
static u64 flush32(u64 v) { return v & 0x7f800000 ? v : v & 0x80000000; }
static u64 flush64(u64 v) { return v & 0x7ff0000000000000 ? v : v & 0x8000000000000000; }
static u64 overflow16(const struct ref *r, u64 h) {
    return r->mode & 1 << 23 && (h & 0x7fff) == 0x7c00 ? h - 1 : h;
}
static u64 flush16(u64 v) { return v & 0x7c00 ? v : v & 0x8000; }
static u64 in32(const struct ref *r, u64 v) { return r->mode & 0x10 ? (u32)v : flush32((u32)v); }
static u64 out32(const struct ref *r, u64 v) { return r->mode & 0x20 ? (u32)v : flush32((u32)v); }
static u64 in64(const struct ref *r, u64 v) { return r->mode & 0x40 ? v : flush64(v); }
static u64 out64(const struct ref *r, u64 v) { return r->mode & 0x80 ? v : flush64(v); }
static u64 in16(const struct ref *r, u64 v) { return r->mode & 0x40 ? (u16)v : flush16((u16)v); }
static u64 out16(const struct ref *r, u64 v) { return r->mode & 0x80 ? (u16)v : flush16((u16)v); }
static unsigned round32(const struct ref *r) { return r->mode & 3; }
static unsigned round64(const struct ref *r) { return r->mode >> 2 & 3; }

static quad value16(u64 h) {
    const int e = h >> 10 & 31, m = h & 0x3ff;
    const double v = e ? ldexp(m + 1024, e - 25) : ldexp(m, -24);
    return h & 0x8000 ? -v : v;
}

// Rounds a finite exact value to a format of `bits` significant bits and `ebits` exponent bits, returning its
// encoding. how: 0 nearest even, 1 up, 2 down, 3 to zero. `negative` is the sign of a zero.
static u64 encode(quad v, bool negative, int bits, int ebits, unsigned how) {
    const int bias = (1 << (ebits - 1)) - 1,
              least = 2 - bias - bits; // exponent of the last place of denormals
    if (v != 0) negative = v < 0;
    const u64 sign = (u64)negative << (bits + ebits - 1);
    if (v == 0) return sign;
    if (v < 0) v = -v;
    u64 raw[2];
    memcpy(raw, &v, 16);
    int e = (int)(raw[1] >> 48 & 0x7fff) - 16383 - (bits - 1); // weight of the last place
    if (e < least) e = least;
    quad scaled = v; // to units of the last place
    for (int k = e; k > 0; k--) scaled /= 2;
    for (int k = e; k < 0; k++) scaled *= 2;
    u64 n = (u64)scaled;
    const quad rest = scaled - (quad)n;
    if (how == 0   ? rest > 0.5 || (rest == 0.5 && n & 1)
        : how == 1 ? rest > 0 && !negative
        : how == 2 ? rest > 0 && negative
                   : 0)
        n++;
    const u64 inf = ((1ull << ebits) - 1) << (bits - 1);
    u64 r =
        e - least > 2 * bias ? inf : n + ((u64)(e - least) << (bits - 1)); // a carry moves into the exponent
    if (r >= inf) r = how == 0 || (how == 1 && !negative) || (how == 2 && negative) ? inf : inf - 1;
    return sign | r;
}

// The NaN of a result: the first NaN operand quieted, else the default.
static u64 nan_of32(u64 r, u64 a, u64 b, u64 c) {
    if (!nan32(r)) return r;
    return nan32(a) ? a | 0x400000 : nan32(b) ? b | 0x400000 : nan32(c) ? c | 0x400000 : 0xffc00000;
}
static u64 nan_of64(u64 r, u64 a, u64 b, u64 c) {
    const u64 quiet = 0x8000000000000;
    if (!nan64(r)) return r;
    return nan64(a) ? a | quiet : nan64(b) ? b | quiet : nan64(c) ? c | quiet : 0xfff8000000000000;
}

// ---- Host arithmetic under a control word ----

static unsigned host_round(unsigned how) {
    return how == 0 ? 0 : how == 1 ? 0x4000 : how == 2 ? 0x2000 : 0x6000;
}
static unsigned control(unsigned how, unsigned denormals) {
    return 0x1f80 | host_round(how) | (denormals & 1 ? 0 : 0x40) | (denormals & 2 ? 0 : 0x8000);
}
static float (*volatile fma_host)(float, float, float) = fmaf;
static double (*volatile fma64_host)(double, double, double) = fma;
#define UNDER(csr, T, expr)                                                                                  \
    ({                                                                                                       \
        _mm_setcsr(csr);                                                                                     \
        volatile T v_ = (expr);                                                                              \
        T r_ = v_;                                                                                           \
        _mm_setcsr(0x1f80);                                                                                  \
        r_;                                                                                                  \
    })
#define HOST32(expr)                                                                                         \
    b32(UNDER(control(round32(r), r->mode >> 4 & 3), float, ({                                               \
                  volatile float x = f32(r->a), y = f32(r->b);                                               \
                  (void)x, (void)y;                                                                          \
                  expr;                                                                                      \
              })))
#define FLUSHED32(expr) b32(UNDER(control(round32(r), 0), float, expr))
#define HOST64(expr)                                                                                         \
    b64(UNDER(control(round64(r), r->mode >> 6 & 3), double, ({                                              \
                  volatile double x = f64(r->a), y = f64(r->b);                                              \
                  (void)x, (void)y;                                                                          \
                  expr;                                                                                      \
              })))

#define R(name, ...)                                                                                         \
    static u64 name(const struct ref *r) {                                                                   \
        const u64 a = r->a, b = r->b, c = r->c;                                                              \
        (void)a, (void)b, (void)c;                                                                           \
        __VA_ARGS__;                                                                                         \
    }
#define NAN32(v) nan_of32(v, a, b, c)
#define NAN64(v) nan_of64(v, a, b, c)

// ---- F32 ----

static u64 ignore(u64 r, u64 a, u64 b) { return nan_of32(r, a, b, b); }
R(add32, return ignore(HOST32(x + y), r->a, r->b))
R(sub32, return ignore(HOST32(x - y), r->a, r->b))
R(subrev32, return ignore(HOST32(y - x), r->a, r->b))
R(mul32, return ignore(HOST32(x * y), r->a, r->b)) static u64 fma32_by(u64 a, u64 b, u64 c, unsigned csr) {
    _mm_setcsr(csr);
    volatile float v = fma_host(f32(a), f32(b), f32(c));
    _mm_setcsr(0x1f80);
    return nan_of32(b32(v), a, b, c);
}
R(fma_32, return fma32_by(a, b, c, control(round32(r), r->mode >> 4 & 3)))
static u64 mad_by(const struct ref *r, u64 a, u64 b, u64 c) {
    const u64 product = FLUSHED32(({
        volatile float x = f32(a), y = f32(b);
        x *y;
    }));
    return nan_of32(FLUSHED32(({
                        volatile float x = f32(product), y = f32(c);
                        x + y;
                    })),
                    a, b, c);
}
R(mad_32, return mad_by(r, a, b, c))
#define IS_ZERO(v) ((in32(r, v) & 0x7fffffff) == 0)
R(mul_dx9, return IS_ZERO(a) || IS_ZERO(b) ? 0 : mul32(r))
R(fma_dx9,
  return IS_ZERO(a) || IS_ZERO(b)
             ? nan_of32(flush32((u32)c) == (u32)c || (r->mode & 0x30) == 0x30 ? c : flush32((u32)c), c, c, c)
             : nan_of32(fma_32(&(struct ref){a, b, c, 0, r->mode}), a, b, c))
R(mad_dx9, const bool zero = !(flush32((u32)a) & 0x7fffffff) || !(flush32((u32)b) & 0x7fffffff);
  return zero ? nan_of32(mad_by(r, 0, 0, c), c, c, c) : mad_by(r, a, b, c))
R(mullit, const u32 x = (u32)b; const u32 y = (u32)in32(r, c);
  return x == 0xff7fffff || x == 0xff800000 || nan32(x) || nan32(y) || f32(y) <= 0 ? 0xff7fffff : mul32(r))

// Minimum and maximum by the manuals' cases. `less`: a is below b, with -0 below +0.
static bool less(u64 a, u64 b) {
    return f32(a) < f32(b) || (f32(a) == f32(b) && (a & 0x80000000) > (b & 0x80000000));
}
static bool signalling(u64 v) { return nan32(v) && !(v & 0x400000); }
static u64 choose_ieee(const struct ref *r, u64 a, u64 b, bool max) {
    if (r->mode & 0x200 && signalling(a)) return a | 0x400000;
    if (r->mode & 0x200 && signalling(b)) return b | 0x400000;
    if (nan32(a)) return b;
    if (nan32(b)) return a;
    return less(a, b) != max ? a : b;
}
static u64 choose_num(u64 a, u64 b, bool max) {
    if (nan32(a) && nan32(b)) return a | 0x400000;
    if (nan32(a)) return b;
    if (nan32(b)) return a;
    return less(a, b) != max ? a : b;
}
static u64 choose_2019(u64 a, u64 b, bool max) {
    if (signalling(a)) return a | 0x400000;
    if (signalling(b)) return b | 0x400000;
    if (nan32(a)) return a;
    if (nan32(b)) return b;
    return less(a, b) != max ? a : b;
}
enum flavour { IEEE, NUM, F2019 };
static u64 choose(const struct ref *r, enum flavour f, u64 a, u64 b, bool max) {
    return f == IEEE ? choose_ieee(r, a, b, max) : f == NUM ? choose_num(a, b, max) : choose_2019(a, b, max);
}
static u64 median(const struct ref *r, enum flavour f, u64 a, u64 b, u64 c) {
    if (nan32(a) || nan32(b) || nan32(c)) return choose(r, f, choose(r, f, a, b, 0), c, 0);
    const u64 top = choose(r, f, choose(r, f, a, b, 1), c, 1);
    if (f32(top) == f32(a)) return choose(r, f, b, c, 1);
    if (f32(top) == f32(b)) return choose(r, f, a, c, 1);
    return choose(r, f, a, b, 1);
}
static u64 pass32(const struct ref *r, u64 v) { return (r->mode & 0x30) == 0x30 ? (u32)v : flush32((u32)v); }
#define P(v) pass32(r, v)
#define CHOOSE_REFS(name, flavour)                                                                           \
    R(min_##name, return choose(r, flavour, P(a), P(b), 0))                                                  \
    R(max_##name, return choose(r, flavour, P(a), P(b), 1))                                                  \
    R(min3_##name, return choose(r, flavour, choose(r, flavour, P(a), P(b), 0), P(c), 0))                    \
    R(max3_##name, return choose(r, flavour, choose(r, flavour, P(a), P(b), 1), P(c), 1))                    \
    R(minmax_##name, return choose(r, flavour, choose(r, flavour, P(a), P(b), 0), P(c), 1))                  \
    R(maxmin_##name, return choose(r, flavour, choose(r, flavour, P(a), P(b), 1), P(c), 0))

CHOOSE_REFS(ieee, IEEE)
CHOOSE_REFS(num, NUM)
CHOOSE_REFS(f2019, F2019)
// The middle one: of operands as MODE takes them, and flushed where MODE flushes results.
R(med3_ieee, return out32(r, median(r, IEEE, in32(r, a), in32(r, b), in32(r, c))))
R(med3_num, return out32(r, median(r, NUM, in32(r, a), in32(r, b), in32(r, c))))

// Rounding to integral values of any width at once: the value is small or already integral.
static double integral(double v, int how) {
    return how == 0 ? roundeven(v) : how == 1 ? floor(v) : how == 2 ? ceil(v) : trunc(v);
}
#define ROUND_REFS(name, how)                                                                                \
    R(name##32, return nan_of32(b32((float)integral(f32(in32(r, a)), how)), a, a, a))                        \
    R(name##64, return nan_of64(b64(integral(f64(in64(r, a)), how)), a, a, a))                               \
    R(name##16, const u64 h = in16(r, a); if ((h & 0x7c00) == 0x7c00) return nan16(h) ? h | 0x200 : h;       \
      return encode(integral((double)value16(h), how), h >> 15, 11, 5, 0))
ROUND_REFS(rndne, 0)
ROUND_REFS(floor, 1)
ROUND_REFS(ceil, 2)
ROUND_REFS(trunc, 3)
R(fract_32, const u64 in = in32(r, a);
  if ((in & 0x7f800000) == 0x7f800000) return nan_of32(0xffc00000, in, in, in);
  const u64 v = HOST32(x - (float)floor((double)x)); return f32(v) >= 1 ? 0x3f7fffff : v)
R(fract_64, const u64 in = in64(r, a);
  if ((in & 0x7ff0000000000000) == 0x7ff0000000000000) return nan_of64(0xfff8000000000000, in, in, in);
  const double whole = floor(f64(in)); const u64 v = HOST64(x - whole);
  return f64(v) >= 1 ? 0x3fefffffffffffff : v)
R(fract_16, const u64 x = in16(r, a); if ((x & 0x7c00) == 0x7c00) return nan16(x) ? x | 0x200 : 0xfe00;
  const double v = (double)value16(x); const u64 h = encode(v - floor(v), round64(r) == 2, 11, 5, round64(r));
  return out16(r, h >= 0x3c00 && h < 0x8000 ? 0x3bff : h))
R(frexp_exp_32, const float v = f32(in32(r, a)); int e; if (!isfinite(v) || v == 0) return 0; frexp(v, &e);
  return (u32)e)
R(frexp_exp_64, const double v = f64(in64(r, a)); int e; if (!isfinite(v) || v == 0) return 0; frexp(v, &e);
  return (u32)e)
R(frexp_exp_16, const u64 h = in16(r, a); const double v = (double)value16(h); int e;
  if ((h & 0x7c00) == 0x7c00 || v == 0) return 0; frexp(v, &e); return (u16)e)
R(frexp_mant_32, const float v = f32(in32(r, a)); int e;
  return isfinite(v) ? b32((float)frexp(v, &e)) : (u32)a)
R(frexp_mant_64, const double v = f64(in64(r, a)); int e; return isfinite(v) ? b64(frexp(v, &e)) : a)
R(frexp_mant_16, const u64 h = in16(r, a); int e;
  return (h & 0x7c00) == 0x7c00 ? h : encode(frexp((double)value16(h), &e), h >> 15, 11, 5, 0))
static quad scaled(quad v, i64 e) {
    e = e > 6000 ? 6000 : e < -6000 ? -6000 : e;
    for (; e > 0; e--) v *= 2;
    for (; e < 0; e++) v /= 2;
    return v;
}
R(ldexp_32, const u64 x = in32(r, a); if ((x & 0x7f800000) == 0x7f800000) return nan_of32(x, x, x, x);
  return out32(r, encode(scaled(f32(x), (i32)b), x >> 31, 24, 8, round32(r))))
R(ldexp_64, const u64 x = in64(r, a);
  if ((x & 0x7ff0000000000000) == 0x7ff0000000000000) return nan_of64(x, x, x, x);
  return out64(r, encode(scaled(f64(x), (i32)b), x >> 63, 53, 11, round64(r))))
R(ldexp_16, const u64 x = in16(r, a); if ((x & 0x7c00) == 0x7c00) return nan16(x) ? x | 0x200 : x;
  return out16(r, overflow16(r, encode(scaled(value16(x), (i16)b), x >> 15, 11, 5, round64(r)))))

// Cube maps, by the axis of the largest magnitude; later axes win ties.
static int face(const struct ref *r) {
    const float x = f32(in32(r, r->a)), y = f32(in32(r, r->b)), z = f32(in32(r, r->c));
    if (fabsf(z) >= fabsf(x) && fabsf(z) >= fabsf(y)) return z < 0 ? 5 : 4;
    if (fabsf(y) >= fabsf(x)) return y < 0 ? 3 : 2;
    return x < 0 ? 1 : 0;
}
#define NEG(v) ((v) ^ 0x80000000)
R(cube_id, return b32((float)face(r)))
// A source as a result: flushed where MODE flushes either side.
static u32 chosen32(const struct ref *r, u64 v) { return (r->mode & 0x30) == 0x30 ? (u32)v : flush32((u32)v); }
R(cube_sc, const u64 v[] = {NEG(c), c, a, a, a, NEG(a)}; return NAN32(chosen32(r, v[face(r)])))
R(cube_tc, const u64 v[] = {NEG(b), NEG(b), c, NEG(c), NEG(b), NEG(b)}; return NAN32(chosen32(r, v[face(r)])))
R(cube_ma, const u64 v[] = {a, a, b, b, c, c}; const struct ref two = {v[face(r)], b32(2), 0, 0, r->mode};
  return nan_of32(mul32(&two), nan32(mul32(&two)) ? a : 0, b, c))

// ---- F64 ----

static u64 first64(u64 r, u64 a, u64 b) { return nan_of64(r, a, b, b); }
R(add64, return first64(HOST64(x + y), r->a, r->b))
R(mul64, return first64(HOST64(x * y), r->a, r->b))
R(fma_64, return NAN64(HOST64(fma64_host(x, y, f64(c)))))
// By the F32 cases on the order of the values: NaNs keep their kind.
static u64 quiet64(u64 v) { return v | 0x8000000000000; }
static bool signalling64(u64 v) { return nan64(v) && !(v & 0x8000000000000); }
static u64 choose64(const struct ref *r, enum flavour f, bool max) {
    const bool keep = (r->mode & 0xc0) == 0xc0;
    const u64 a = keep ? r->a : flush64(r->a), b = keep ? r->b : flush64(r->b);
    if (f == F2019 || (f == IEEE && r->mode & 0x200)) {
        if (signalling64(a)) return quiet64(a);
        if (signalling64(b)) return quiet64(b);
    }
    if (f == F2019 && (nan64(a) || nan64(b))) return nan64(a) ? a : b;
    if (f == NUM && nan64(a) && nan64(b)) return quiet64(a);
    if (nan64(a)) return b;
    if (nan64(b)) return a;
    const bool below = f64(a) < f64(b) || (f64(a) == f64(b) && a >> 63 > b >> 63);
    return below != max ? a : b;
}
R(min64, return choose64(r, IEEE, 0))
R(max64, return choose64(r, IEEE, 1))
R(min_num64, return choose64(r, NUM, 0))
R(max_num64, return choose64(r, NUM, 1))
R(minimum64, return choose64(r, F2019, 0))
R(maximum64, return choose64(r, F2019, 1))

// ---- F16 ----

static u64 nan_of16(u64 a, u64 b, u64 c) {
    a = (u16)a, b = (u16)b, c = (u16)c;
    return nan16(a) ? a | 0x200 : nan16(b) ? b | 0x200 : nan16(c) ? c | 0x200 : 0xfe00;
}
// a * b + c: the product rounded first when `twice`. The sign of an exact zero follows the rounding mode.
static u64 fma16(const struct ref *r, u64 a, u64 b, u64 c, bool twice) {
    a = twice ? flush16((u16)a) : in16(r, a), b = twice ? flush16((u16)b) : in16(r, b),
    c = twice ? flush16((u16)c) : in16(r, c);
    const bool inf_a = (a & 0x7fff) == 0x7c00, inf_b = (b & 0x7fff) == 0x7c00, inf_c = (c & 0x7fff) == 0x7c00;
    const u64 sign = (a ^ b) & 0x8000;
    if (nan16(a) || nan16(b) || nan16(c)) return nan_of16(a, b, c);
    if ((inf_a && !(b & 0x7fff)) || (inf_b && !(a & 0x7fff))) return 0xfe00;
    bool inf_p = inf_a || inf_b;
    quad p = inf_p ? 0 : value16(a) * value16(b);
    if (twice && !inf_p) {
        const u64 h = flush16(overflow16(r, encode(p, sign, 11, 5, round64(r))));
        inf_p = (h & 0x7fff) == 0x7c00;
        p = value16(h);
    }
    if (inf_p) return inf_c && (c & 0x8000) != sign ? 0xfe00 : sign | 0x7c00;
    if (inf_c) return c;
    const quad s = p + value16(c);
    const bool same = sign == (c & 0x8000) && p == 0 && value16(c) == 0;
    const u64 h = encode(s, same ? sign != 0 : round64(r) == 2, 11, 5, round64(r));
    return twice ? flush16(overflow16(r, h)) : out16(r, overflow16(r, h));
}
R(fma_16, return fma16(r, a, b, c, false))
R(mad_16, return fma16(r, a, b, c, true)) static u64 add16(const struct ref *r, u64 a, u64 b) {
    const u64 one = 0x3c00; // a * 1 + b has the sum's zeros as well
    return nan16(in16(r, a)) || nan16(in16(r, b)) ? nan_of16(a, b, b) : fma16(r, a, one, b, false);
}
static u64 mul16(const struct ref *r, u64 a, u64 b) {
    const u64 sign = (a ^ b) & 0x8000; // adding a zero of the product's sign changes nothing
    return fma16(r, a, b, sign, false);
}
R(add_16, return add16(r, a, b))
R(mul_16, return mul16(r, a, b)) static u64 sub16(const struct ref *r, u64 a, u64 b) {
    return nan16(a) || nan16(b) ? nan_of16(a, b, b) : add16(r, a, b ^ 0x8000);
}
R(sub_16, return sub16(r, a, b))
R(subrev_16, return nan16(a) || nan16(b) ? nan_of16(a, b, b) : sub16(r, b, a))
// The F32 rules on values that keep order, zeros and NaNs.
static u64 widen16(const struct ref *r, u64 h) {
    h = (r->mode & 0xc0) == 0xc0 ? (u16)h : flush16((u16)h);
    if (nan16(h)) return (h & 0x8000) << 16 | 0x7f800000 | (h & 0x3ff) << 13;
    if ((h & 0x7fff) == 0x7c00) return (h & 0x8000) << 16 | 0x7f800000;
    return b32((float)value16(h)) | (h & 0x8000) << 16;
}
static u64 narrow16(u64 v) {
    if (nan32(v)) return (v >> 16 & 0x8000) | 0x7c00 | (v >> 13 & 0x3ff);
    if ((v & 0x7fffffff) == 0x7f800000) return (v >> 16 & 0x8000) | 0x7c00;
    return encode(f32(v), v >> 31, 11, 5, 0);
}
static u64 by_f32(const struct ref *r, reference *f, u64 a, u64 b, u64 c) {
    const struct ref wide = {widen16(r, a), widen16(r, b), widen16(r, c), 0, r->mode | 0x30};
    return narrow16(f(&wide));
}
#define HALF_REFS(name)                                                                                      \
    R(h_min_##name, return by_f32(r, min_##name, a, b, c))                                                   \
    R(h_max_##name, return by_f32(r, max_##name, a, b, c))                                                   \
    R(h_min3_##name, return by_f32(r, min3_##name, a, b, c))                                                 \
    R(h_max3_##name, return by_f32(r, max3_##name, a, b, c))                                                 \
    R(h_minmax_##name, return by_f32(r, minmax_##name, a, b, c))                                             \
    R(h_maxmin_##name, return by_f32(r, maxmin_##name, a, b, c))                                             \
    R(p_min_##name, return h_min_##name(r) | h_min_##name(&(struct ref){a >> 16, b >> 16, 0, 0, r->mode})    \
                                                 << 16)                                                      \
    R(p_max_##name, return h_max_##name(r) | h_max_##name(&(struct ref){a >> 16, b >> 16, 0, 0, r->mode})    \
                                                 << 16)
HALF_REFS(ieee)
HALF_REFS(num)
HALF_REFS(f2019)
static u64 half_median(const struct ref *r, reference *f, u64 a, u64 b, u64 c) {
    const struct ref operands = {a, b, c, 0, r->mode & 0x40 ? r->mode | 0xc0 : r->mode & ~0xc0u};
    const u64 h = by_f32(&operands, f, a, b, c);
    return r->mode & 0x80 ? h : flush16((u16)h);
}
R(h_med3_ieee, return half_median(r, med3_ieee, a, b, c))
R(h_med3_num, return half_median(r, med3_num, a, b, c))
R(p_add, return add16(r, a, b) | add16(r, a >> 16, b >> 16) << 16)
R(p_mul, return mul16(r, a, b) | mul16(r, a >> 16, b >> 16) << 16)
R(p_fma, return fma16(r, a, b, c, 0) | fma16(r, a >> 16, b >> 16, c >> 16, 0) << 16)
R(p_fmac, return fma16(r, a, b, r->d, 0) | fma16(r, a >> 16, b >> 16, r->d >> 16, 0) << 16)
R(fixup_16, const u64 q = in16(r, a); const u64 d = in16(r, b); const u64 n = in16(r, c);
  const u64 sign = (d ^ n) & 0x8000; if (nan16(n)) return n | 0x200; if (nan16(d)) return d | 0x200;
  const bool zd = !(d & 0x7fff); const bool zn = !(n & 0x7fff); const bool id = (d & 0x7fff) == 0x7c00;
  const bool in = (n & 0x7fff) == 0x7c00; if ((zd && zn) || (id && in)) return 0xfe00;
  if (zd || in) return sign | 0x7c00; if (id || zn) return sign;
  return out16(r, sign | (q & 0x7fff) | (nan16(q) ? 0x200 : 0)))
// An F32 result rounded to F16.
static u64 to16(const struct ref *r, u64 v) {
    if (nan32(v)) return (v >> 16 & 0x8000) | 0x7e00 | (v >> 13 & 0x1ff);
    if ((v & 0x7fffffff) == 0x7f800000) return (v >> 16 & 0x8000) | 0x7c00;
    return out16(r, overflow16(r, encode(f32(v), v >> 31, 11, 5, round64(r))));
}
R(mixlo, return to16(r, fma_32(r)))
R(madlo, return to16(r, mad_32(r)))

// ---- Dot products ----

static quad half_flushed(u64 h) { return value16(flush16((u16)h)); }
R(dot2, const u64 v[] = {a, b, a >> 16, b >> 16}; u64 n = 0;
  for (int k = 0; k < 4; k++) n |= (v[k] & 0x7c00) == 0x7c00;
  if (n || (c & 0x7f800000) == 0x7f800000) return ~0ull; // special values apart
  const float s0 = f32(flush32((u32)c)); const float p0 = (float)(half_flushed(v[0]) * half_flushed(v[1]));
  const float p1 = (float)(half_flushed(v[2]) * half_flushed(v[3])); _mm_setcsr(0x9fc0);
  volatile float s1 = s0 + p0; volatile float s2 = s1 + p1; _mm_setcsr(0x1f80); return b32(s2))

// ---- Conversions ----

static i64 saturate(double v, double lo, double hi) {
    return isnan(v) ? 0 : v <= lo ? (i64)lo : v >= hi ? (i64)hi : (i64)v;
}
static double half_value(const struct ref *r, u64 h) {
    h = in16(r, h);
    return nan16(h) ? NAN : (h & 0x7fff) == 0x7c00 ? (h & 0x8000 ? -INFINITY : INFINITY) : (double)value16(h);
}
R(i32_f32, return (u32)saturate(f32(a), INT32_MIN, INT32_MAX))
R(u32_f32, return (u32)saturate(f32(a), 0, UINT32_MAX))
R(i32_f64, return (u32)saturate(f64(a), INT32_MIN, INT32_MAX))
R(u32_f64, return (u32)saturate(f64(a), 0, UINT32_MAX))
R(flr_f32, return (u32)saturate(floor(f32(in32(r, a))), INT32_MIN, INT32_MAX))
R(rpi_f32, return (u32)saturate(floor(f32(HOST32(x + 0.5f))), INT32_MIN, INT32_MAX))
R(i16_f16, return (u16)saturate(half_value(r, a), INT16_MIN, INT16_MAX))
R(u16_f16, return (u16)saturate(half_value(r, a), 0, UINT16_MAX))
R(pk_i16,
  return (u16)saturate(f32(a), INT16_MIN, INT16_MAX) | (u64)(u16)saturate(f32(b), INT16_MIN, INT16_MAX) << 16)
R(pk_u16, return (u16)saturate(f32(a), 0, UINT16_MAX) | (u64)(u16)saturate(f32(b), 0, UINT16_MAX) << 16)
R(f32_i32, return encode((i32)a, 0, 24, 8, round32(r)))
R(f32_u32, return encode((u32)a, 0, 24, 8, round32(r)))
R(f64_i32, return b64((i32)a))
R(f64_u32, return b64((u32)a))
R(ub0, return b32(a & 255))
R(ub1, return b32(a >> 8 & 255))
R(ub2, return b32(a >> 16 & 255)) R(ub3, return b32(a >> 24 & 255))
    R(off_i4, return b32((float)((i32)((u32)a << 28) >> 28) / 16))
        R(f64_f32, const u64 x = in32(r, a);
          return nan32(x) ? (x & 0x80000000) << 32 | 0x7ff8000000000000 | (x & 0x7fffff) << 29 : b64(f32(x)))
            R(f32_f64, if (nan64(a)) return (a >> 32 & 0x80000000) | 0x7fc00000 | (a >> 29 & 0x3fffff);
              if (isinf(f64(a))) return b32((float)f64(a));
              return out32(r, encode(f64(in64(r, a)), a >> 63, 24, 8, round64(r))))
                R(f16_f32, return to16(r, in32(r, a)))
                    R(f32_f16, const u64 h = in16(r, a); const u64 s = (h & 0x8000) << 16;
                      if (nan16(h)) return s | 0x7fc00000 | (h & 0x3ff) << 13;
                      return (h & 0x7c00) == 0x7c00 ? s | 0x7f800000 : b32((float)value16(h)) | s)
                        R(rtz, const struct ref z = {0, 0, 0, 0, (r->mode & ~(1u << 23)) | 0xc};
                          return to16(&z, a) | to16(&z, b) << 16)
                            R(f16_i16, return out16(r, overflow16(r, encode((i16)a, 0, 11, 5, round64(r)))))
                                R(f16_u16, return out16(r, overflow16(r, encode((u16)a, 0, 11, 5,
                                                                                round64(r))))) static u64
    norm(double v, double lo, double by) {
    v = isnan(v) ? 0 : v < lo ? lo : v > 1 ? 1 : v;
    return (u16)(i64)roundeven(v * by);
}
R(snorm, return norm(f32(a), -1, 32767) | norm(f32(b), -1, 32767) << 16)
R(unorm, return norm(f32(a), 0, 65535) | norm(f32(b), 0, 65535) << 16)
R(snorm16, return norm(half_value(r, a), -1, 32767))
R(unorm16, return norm(half_value(r, a), 0, 65535))
R(snorm_pk, return norm(half_value(r, a), -1, 32767) | norm(half_value(r, b), -1, 32767) << 16)
R(unorm_pk, return norm(half_value(r, a), 0, 65535) | norm(half_value(r, b), 0, 65535) << 16)
static u64 byte_of(const struct ref *r, u64 bits) {
    const float v = f32(in32(r, bits)), whole = floorf(v), rest = v - whole;
    if (!(v > 0)) return 0;
    if (v >= 255) return 255;
    const unsigned how = round32(r);
    return (u64)whole + (how == 0   ? rest > 0.5f || (rest == 0.5f && (int)whole & 1)
                         : how == 1 ? rest > 0
                                    : 0);
}
R(pk_u8, const unsigned s = b % 4 * 8; return (u32)((c & ~(255ull << s)) | byte_of(r, a) << s))
R(accum_u8, const unsigned s = b % 4 * 8; return (u32)((r->d & ~(255ull << s)) | byte_of(r, a) << s))
R(pack, return (u16)a | (u64)(u16)b << 16)

// ---- Comparisons ----

#define PREDICATES(X)                                                                                        \
    X(f, 0)                                                                                                  \
    X(lt, x < y)                                                                                             \
    X(eq, x == y)                                                                                            \
    X(le, x <= y)                                                                                            \
    X(gt, x > y)                                                                                             \
    X(lg, x<y || x> y)                                                                                       \
    X(ge, x >= y)                                                                                            \
    X(o, !isnan(x) && !isnan(y))                                                                             \
    X(u, isnan(x) || isnan(y))                                                                               \
    X(nge, !(x >= y))                                                                                        \
    X(nlg, !(x < y || x > y)) X(ngt, !(x > y)) X(nle, !(x <= y)) X(neq, !(x == y)) X(nlt, !(x < y)) X(tru, 1)
#define COMPARE_REFS(p, expr)                                                                                \
    R(cmp_##p##_32, const float x = f32(in32(r, a)); const float y = f32(in32(r, b)); (void)x, (void)y;      \
      return expr)                                                                                           \
    R(cmp_##p##_64, const double x = f64(in64(r, a)); const double y = f64(in64(r, b)); (void)x, (void)y;    \
      return expr)                                                                                           \
    R(cmp_##p##_16, const double x = half_value(r, a); const double y = half_value(r, b); (void)x, (void)y;  \
      return expr)
PREDICATES(COMPARE_REFS)
static u64 class_of(u64 v, int bits, int ebits) {
    const u64 f = v & ((1ull << (bits - 1)) - 1), e = v >> (bits - 1) & ((1ull << ebits) - 1);
    const bool s = v >> (bits + ebits - 1) & 1, top = e == (1ull << ebits) - 1;
    if (top && f) return f >> (bits - 2) & 1;
    const int distance = top ? 3 : e ? 2 : f ? 1 : 0;
    return (u64)(s ? 5 - distance : 6 + distance);
}
R(class32, return b >> class_of((u32)a, 24, 8) & 1)
R(class64, return b >> class_of(a, 53, 11) & 1)
R(class16, return b >> class_of((u16)a, 11, 5) & 1)

// ---- The table ----
// Types: f F32, d F64, h F16, p two F16, i 32-bit integer, m lane mask. The first is the result.

struct check {
    const char *sem, *types;
    reference *fn;
};
static const struct check checks[] = {
    {"v_add_f32", "fff", add32},
    {"v_sub_f32", "fff", sub32},
    {"v_subrev_f32", "fff", subrev32},
    {"v_mul_f32", "fff", mul32},
    {"v_fma_f32", "ffff", fma_32},
    {"v_mad_f32", "ffff", mad_32},
    {"v_mul_dx9_zero_f32", "fff", mul_dx9},
    {"v_fma_dx9_zero_f32", "ffff", fma_dx9},
    {"v_mad_legacy_f32", "ffff", mad_dx9},
    {"v_mullit_f32", "ffff", mullit},
    {"v_min_f32", "fff", min_ieee},
    {"v_max_f32", "fff", max_ieee},
    {"v_min_num_f32", "fff", min_num},
    {"v_max_num_f32", "fff", max_num},
    {"v_minimum_f32", "fff", min_f2019},
    {"v_maximum_f32", "fff", max_f2019},
    {"v_min3_f32", "ffff", min3_ieee},
    {"v_max3_f32", "ffff", max3_ieee},
    {"v_med3_f32", "ffff", med3_ieee},
    {"v_minmax_f32", "ffff", minmax_ieee},
    {"v_maxmin_f32", "ffff", maxmin_ieee},
    {"v_min3_num_f32", "ffff", min3_num},
    {"v_max3_num_f32", "ffff", max3_num},
    {"v_med3_num_f32", "ffff", med3_num},
    {"v_minmax_num_f32", "ffff", minmax_num},
    {"v_maxmin_num_f32", "ffff", maxmin_num},
    {"v_minimum3_f32", "ffff", min3_f2019},
    {"v_maximum3_f32", "ffff", max3_f2019},
    {"v_minimummaximum_f32", "ffff", minmax_f2019},
    {"v_maximumminimum_f32", "ffff", maxmin_f2019},
    {"v_rndne_f32", "ff", rndne32},
    {"v_floor_f32", "ff", floor32},
    {"v_ceil_f32", "ff", ceil32},
    {"v_trunc_f32", "ff", trunc32},
    {"v_fract_f32", "ff", fract_32},
    {"v_frexp_exp_i32_f32", "if", frexp_exp_32},
    {"v_frexp_mant_f32", "ff", frexp_mant_32},
    {"v_ldexp_f32", "ffi", ldexp_32},
    {"v_cubeid_f32", "ffff", cube_id},
    {"v_cubesc_f32", "ffff", cube_sc},
    {"v_cubetc_f32", "ffff", cube_tc},
    {"v_cubema_f32", "ffff", cube_ma},
    {"v_add_f64", "ddd", add64},
    {"v_mul_f64", "ddd", mul64},
    {"v_fma_f64", "dddd", fma_64},
    {"v_min_f64", "ddd", min64},
    {"v_max_f64", "ddd", max64},
    {"v_min_num_f64", "ddd", min_num64},
    {"v_max_num_f64", "ddd", max_num64},
    {"v_minimum_f64", "ddd", minimum64},
    {"v_maximum_f64", "ddd", maximum64},
    {"v_rndne_f64", "dd", rndne64},
    {"v_floor_f64", "dd", floor64},
    {"v_ceil_f64", "dd", ceil64},
    {"v_trunc_f64", "dd", trunc64},
    {"v_fract_f64", "dd", fract_64},
    {"v_frexp_exp_i32_f64", "id", frexp_exp_64},
    {"v_frexp_mant_f64", "dd", frexp_mant_64},
    {"v_ldexp_f64", "ddi", ldexp_64},
    {"v_add_f16", "hhh", add_16},
    {"v_sub_f16", "hhh", sub_16},
    {"v_subrev_f16", "hhh", subrev_16},
    {"v_mul_f16", "hhh", mul_16},
    {"v_fma_f16", "hhhh", fma_16},
    {"v_mad_f16", "hhhh", mad_16},
    {"v_div_fixup_f16", "hhhh", fixup_16},
    {"v_min_f16", "hhh", h_min_ieee},
    {"v_max_f16", "hhh", h_max_ieee},
    {"v_min_num_f16", "hhh", h_min_num},
    {"v_max_num_f16", "hhh", h_max_num},
    {"v_minimum_f16", "hhh", h_min_f2019},
    {"v_maximum_f16", "hhh", h_max_f2019},
    {"v_min3_f16", "hhhh", h_min3_ieee},
    {"v_max3_f16", "hhhh", h_max3_ieee},
    {"v_med3_f16", "hhhh", h_med3_ieee},
    {"v_minmax_f16", "hhhh", h_minmax_ieee},
    {"v_maxmin_f16", "hhhh", h_maxmin_ieee},
    {"v_min3_num_f16", "hhhh", h_min3_num},
    {"v_max3_num_f16", "hhhh", h_max3_num},
    {"v_med3_num_f16", "hhhh", h_med3_num},
    {"v_minmax_num_f16", "hhhh", h_minmax_num},
    {"v_maxmin_num_f16", "hhhh", h_maxmin_num},
    {"v_minimum3_f16", "hhhh", h_min3_f2019},
    {"v_maximum3_f16", "hhhh", h_max3_f2019},
    {"v_minimummaximum_f16", "hhhh", h_minmax_f2019},
    {"v_maximumminimum_f16", "hhhh", h_maxmin_f2019},
    {"v_rndne_f16", "hh", rndne16},
    {"v_floor_f16", "hh", floor16},
    {"v_ceil_f16", "hh", ceil16},
    {"v_trunc_f16", "hh", trunc16},
    {"v_fract_f16", "hh", fract_16},
    {"v_frexp_exp_i16_f16", "ih", frexp_exp_16},
    {"v_frexp_mant_f16", "hh", frexp_mant_16},
    {"v_ldexp_f16", "hhi", ldexp_16},
    {"v_pk_add_f16", "ppp", p_add},
    {"v_pk_mul_f16", "ppp", p_mul},
    {"v_pk_fma_f16", "pppp", p_fma},
    {"v_pk_fmac_f16", "ppp", p_fmac},
    {"v_pk_min_f16", "ppp", p_min_ieee},
    {"v_pk_max_f16", "ppp", p_max_ieee},
    {"v_pk_min_num_f16", "ppp", p_min_num},
    {"v_pk_max_num_f16", "ppp", p_max_num},
    {"v_pk_minimum_f16", "ppp", p_min_f2019},
    {"v_pk_maximum_f16", "ppp", p_max_f2019},
    {"v_fma_mixlo_f16", "hfff", mixlo},
    {"v_mad_mixlo_f16", "hfff", madlo},
    {"v_dot2_f32_f16", "fppf", dot2},
    {"v_cvt_i32_f32", "if", i32_f32},
    {"v_cvt_u32_f32", "if", u32_f32},
    {"v_cvt_floor_i32_f32", "if", flr_f32},
    {"v_cvt_nearest_i32_f32", "if", rpi_f32},
    {"v_cvt_i32_f64", "id", i32_f64},
    {"v_cvt_u32_f64", "id", u32_f64},
    {"v_cvt_i16_f16", "ih", i16_f16},
    {"v_cvt_u16_f16", "ih", u16_f16},
    {"v_cvt_pk_i16_f32", "iff", pk_i16},
    {"v_cvt_pk_u16_f32", "iff", pk_u16},
    {"v_cvt_f32_i32", "fi", f32_i32},
    {"v_cvt_f32_u32", "fi", f32_u32},
    {"v_cvt_f64_i32", "di", f64_i32},
    {"v_cvt_f64_u32", "di", f64_u32},
    {"v_cvt_f32_ubyte0", "fi", ub0},
    {"v_cvt_f32_ubyte1", "fi", ub1},
    {"v_cvt_f32_ubyte2", "fi", ub2},
    {"v_cvt_f32_ubyte3", "fi", ub3},
    {"v_cvt_off_f32_i4", "fi", off_i4},
    {"v_cvt_f64_f32", "df", f64_f32},
    {"v_cvt_f32_f64", "fd", f32_f64},
    {"v_cvt_f16_f32", "hf", f16_f32},
    {"v_cvt_f32_f16", "fh", f32_f16},
    {"v_cvt_pk_rtz_f16_f32", "pff", rtz},
    {"v_cvt_f16_i16", "hi", f16_i16},
    {"v_cvt_f16_u16", "hi", f16_u16},
    {"v_cvt_pk_norm_i16_f32", "iff", snorm},
    {"v_cvt_pk_norm_u16_f32", "iff", unorm},
    {"v_cvt_norm_i16_f16", "ih", snorm16},
    {"v_cvt_norm_u16_f16", "ih", unorm16},
    {"v_cvt_pk_norm_i16_f16", "ihh", snorm_pk},
    {"v_cvt_pk_norm_u16_f16", "ihh", unorm_pk},
    {"v_cvt_pk_u8_f32", "ifii", pk_u8},
    {"v_cvt_pkaccum_u8_f32", "ifi", accum_u8},
    {"v_pack_b32_f16", "phh", pack},
#define COMPARE_CHECKS(p, expr)                                                                              \
    {"v_cmp_" #p "_f32", "mff", cmp_##p##_32}, {"v_cmp_" #p "_f64", "mdd", cmp_##p##_64},                    \
        {"v_cmp_" #p "_f16", "mhh", cmp_##p##_16},
    PREDICATES(COMPARE_CHECKS){"v_cmp_class_f32", "mfi", class32},
    {"v_cmp_class_f64", "mdi", class64},
    {"v_cmp_class_f16", "mhi", class16},
};

static u64 tricky_f32(void) {
    static const u32 values[] = {
        0,          1,          0x7fffff,   0x800000,   0x800001,   0x3f800000, 0x3f800001, 0x3f7fffff,
        0x3f000000, 0x3effffff, 0x3fc00000, 0x40200000, 0x4b000001, 0x4b800000, 0x4f000000, 0x4effffff,
        0x4f7fffff, 0x4f800000, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7fc12345, 0x7f800001, 0x7fa00000,
        0x477fe000, 0x477ff000, 0x477fefff, 0x38800000, 0x33800000, 0x33000000, 0x32ffffff, 0x387fffff,
        0x437f0000, 0x437e8000, 0x3f7fffff, 0x33000001, 0x38fff000, 0x40c90fdb, 0x7e800000, 0x00400000};
    const u64 k = random64();
    u32 v = k & 3 ? values[(k >> 8) % (sizeof values / sizeof *values)] : (u32)(k >> 32);
    if ((k & 7) == 4) v = (v & 0x807fffff) | (120 + (u32)(k >> 16) % 16) << 23; // near one
    return v ^ (u32)(k >> 4 & 1) << 31;
}
static u64 tricky_f64(void) {
    static const u64 values[] = {0,
                                 1,
                                 0xfffffffffffff,
                                 0x10000000000000,
                                 0x3ff0000000000000,
                                 0x3ff0000000000001,
                                 0x3fefffffffffffff,
                                 0x3fe0000000000000,
                                 0x4004000000000000,
                                 0x41dfffffffc00000,
                                 0x41e0000000000000,
                                 0x41efffffffe00000,
                                 0x41efffffffffffff,
                                 0x41f0000000000000,
                                 0x7fefffffffffffff,
                                 0x7ff0000000000000,
                                 0x7ff8000000000000,
                                 0x7ff8123456789abc,
                                 0x7ff0000000000001,
                                 0x4340000000000001,
                                 0x36a0000000000000,
                                 0x3690000000000001,
                                 0x380fffffffffffff,
                                 0x47efffffefffffff,
                                 0x47effffff0000000,
                                 0x41dfffffffffffff};
    const u64 k = random64();
    u64 v = k & 3 ? values[(k >> 8) % (sizeof values / sizeof *values)] : random64();
    if ((k & 7) == 4) v = (v & 0x800fffffffffffff) | (1010 + (k >> 16) % 30) << 52;
    return v ^ (k >> 4 & 1) << 63;
}
static u64 tricky_f16(void) {
    static const u16 values[] = {0,      1,      0x3ff,  0x400,  0x401,  0x3c00, 0x3c01,
                                 0x3bff, 0x3800, 0x3e00, 0x4100, 0x7bff, 0x7c00, 0x7e00,
                                 0x7e55, 0x7c01, 0x7d00, 0x6400, 0x77ff, 0x7800};
    const u64 k = random64();
    const u64 v = k & 1 ? values[(k >> 8) % (sizeof values / sizeof *values)] : (u16)(k >> 32);
    return (v ^ (k >> 4 & 1) << 15) | (k >> 40 & 0xffff) << 16; // garbage above
}
static u64 tricky_int(void) {
    const u64 k = random64();
    return k & 1 ? tricky32() : (u32)(i32)((i64)(k >> 8 & 0x3ff) - 512) & (k & 2 ? ~0u : 0xffffu);
}
static u64 tricky_of(char type) {
    switch (type) {
    case 'f': return tricky_f32();
    case 'd': return tricky_f64();
    case 'h': return tricky_f16();
    case 'p': return (tricky_f16() & 0xffff) | tricky_f16() << 16;
    default: return tricky_int();
    }
}

static void set_mode(struct wave *w, u32 mode) {
    w->mode = mode;
    w->mxcsr = control(mode & 3, mode >> 4 & 3);
    w->mxcsr64 = control(mode >> 2 & 3, mode >> 6 & 3);
    w->mixed = w->mxcsr != w->mxcsr64;
}

enum { D, A, B, C, REGISTERS = 8 };
static const u32 scalar_at = 16; // SGPR of the scalar operand
static unsigned failures;
static void run_check(const struct level *level, const struct check *k, unsigned iteration) {
    const struct body *body = body_named(level, k->sem);
    assert_non_null(body);
    const unsigned sources = (unsigned)strlen(k->types) - 1, lanes = iteration & 1 ? 32 : 64;
    const unsigned before = failures;
    struct wave *w = bare_wave(lanes, REGISTERS);
    set_mode(w, iteration % 3 == 0 ? 0x3f0 : ((u32)random64() & 0x2ff) | ((random64() & 15) == 0) << 23);
    w->exec = tricky_exec();
    for (unsigned variant = 0; variant <= sources; variant++) {
        u64 values[4][64];
        struct op op = {.d = vgpr(w, 0), .a = vgpr(w, 2), .b = vgpr(w, 4), .c = vgpr(w, 6)};
        u32 *const offsets[] = {&op.d, &op.a, &op.b, &op.c};
        for (unsigned n = 0; n <= sources; n++) {
            const bool scalar = n && n == variant;
            const u64 all = tricky_of(k->types[n]);
            if (scalar) {
                *offsets[n] = sgpr_offset(scalar_at);
                w->s[scalar_at] = (u32)all, w->s[scalar_at + 1] = (u32)(all >> 32);
            }
            for (unsigned l = 0; l < lanes; l++) {
                values[n][l] = scalar ? all : tricky_of(k->types[n]);
                if (!scalar) set_pair(w, *offsets[n], l, values[n][l]);
            }
        }
        if (k->types[0] == 'm') op.d = sgpr_offset(8), w->s[8] = w->s[9] = 0xdeadbeef;
        run_op(w, op, body->fn[variant]);
        for (unsigned l = 0; l < lanes; l++) {
            const struct ref r = {values[A][l], sources > 1 ? values[B][l] : 0,
                                  sources > 2 ? values[C][l] : 0, values[D][l], w->mode};
            const bool active = w->exec >> l & 1;
            u64 want = active ? k->fn(&r) : values[D][l], got;
            if (k->types[0] == 'm') {
                want = active && want;
                got = w->s[8 + l / 32] >> l % 32 & 1;
            } else
                got = k->types[0] == 'd' ? pair_at(w, op.d, l) : lanes_of(w, op.d)[l];
            if (k->types[0] != 'd' && k->types[0] != 'm') want = active && want == ~0ull ? got : (u32)want;
            if (got != want && failures == before)
                failures++,
                    print_error("%s %s wave%u variant %u lane %u mode %x: (%llx, %llx, %llx) gives %llx, "
                                "should be %llx\n",
                                k->sem, level->name, lanes, variant, l, w->mode, (unsigned long long)r.a,
                                (unsigned long long)r.b, (unsigned long long)r.c, (unsigned long long)got,
                                (unsigned long long)want);
        }
        if (k->types[0] == 'm' && lanes == 32) assert_int_equal(w->s[9], 0xdeadbeef);
    }
    free(w);
}
static void every_body(void **state) {
    (void)state;
    for (unsigned l = 0; l < level_count(); l++)
        for (unsigned k = 0; k < sizeof checks / sizeof *checks; k++)
            for (unsigned i = 0, before = failures; i < 60 && failures == before; i++)
                run_check(&levels[l], &checks[k], i);
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_body)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
