// SPDX-License-Identifier: MIT
// OpenCL C's builtin functions for kernels compiled for the host, by clang: with `overloadable` the names
// are mangled as in OpenCL C. Exact functions follow the specification; the others round a wider result, so
// that a comparison within a function's ULP is one against the true value.
#include <stdint.h>

#include "host.h"

#define API         __attribute__((overloadable, visibility("default")))
#define NAMED(name) __asm__(name)
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef float float4 __attribute__((ext_vector_type(4)));

// ---- Work-items ----
ulong API get_global_id(uint d) {
    return d < 3 ? (ulong)host_item()->group[d] * host_current()->block[d] + host_item()->local[d] : 0;
}
ulong API get_local_id(uint d) { return d < 3 ? host_item()->local[d] : 0; }
ulong API get_group_id(uint d) { return d < 3 ? host_item()->group[d] : 0; }
ulong API get_global_size(uint d) { return d < 3 ? host_current()->grid[d] : 1; }
ulong API get_local_size(uint d) { return d < 3 ? host_item()->size[d] : 1; }
ulong API get_enqueued_local_size(uint d) { return d < 3 ? host_current()->block[d] : 1; }
ulong API get_num_groups(uint d) {
    return d < 3 ? (host_current()->grid[d] + host_current()->block[d] - 1) / host_current()->block[d] : 1;
}
ulong API get_global_offset(uint d) { return d - d; }
uint API get_work_dim(void) { return host_current()->grid[2] > 1 ? 3 : host_current()->grid[1] > 1 ? 2 : 1; }
void API barrier(uint flags) { (void)flags, host_barrier(); }
void API mem_fence(uint flags) { (void)flags; }

// ---- Atomics of OpenCL 1; those of OpenCL 2 need no function ----
#define ATOMICS(space, T, t)                                                                                 \
    T atomic_add_##space##T(volatile T *p, T v) NAMED("_Z10atomic_add" space##_ "V" t t);                    \
    T atomic_add_##space##T(volatile T *p, T v) {                                                            \
        T o = *p;                                                                                            \
        *p = o + v;                                                                                          \
        return o;                                                                                            \
    }                                                                                                        \
    T atomic_inc_##space##T(volatile T *p) NAMED("_Z10atomic_inc" space##_ "V" t);                           \
    T atomic_inc_##space##T(volatile T *p) {                                                                 \
        T o = *p;                                                                                            \
        *p = o + 1;                                                                                          \
        return o;                                                                                            \
    }
#define global_ "PU8CLglobal"
#define local_  "PU7CLlocal"
ATOMICS(global, int, "i")
ATOMICS(global, uint, "j")
ATOMICS(local, int, "i")
ATOMICS(local, uint, "j")

// ---- Integers ----
typedef __int128 int128;
#define BITS(T) ((int)sizeof(T) * 8)
#define LOW(T)  ((T)-1 < 0 ? -((int128)1 << (BITS(T) - 1)) : 0)
#define HIGH(T) (LOW(T) + ((int128)1 << BITS(T)) - 1)
#define SAT(T, x)                                                                                            \
    ({                                                                                                       \
        int128 x_ = (x);                                                                                     \
        (T)(x_ < LOW(T) ? LOW(T) : x_ > HIGH(T) ? HIGH(T) : x_);                                             \
    })
#define BINARY(T, name, e)                                                                                   \
    T API name(T a, T b) { return (T)(e); }
#define TERNARY(T, name, e)                                                                                  \
    T API name(T a, T b, T c) { return (T)(e); }
// The product of three 64-bit values can leave 128 bits only where it is out of range anyway.
#define INTEGER(T, U)                                                                                        \
    BINARY(T, add_sat, SAT(T, (int128)a + b))                                                                \
    BINARY(T, sub_sat, SAT(T, (int128)a - b))                                                                \
    BINARY(T, hadd, ((int128)a + b) >> 1)                                                                    \
    BINARY(T, rhadd, ((int128)a + b + 1) >> 1)                                                               \
    BINARY(T, mul_hi,                                                                                        \
           (T)-1 < 0 ? (int128)a * b >> BITS(T) : (int128)((unsigned __int128)(U)a * (U)b >> BITS(T)))       \
    TERNARY(T, mad_hi, (U)mul_hi(a, b) + (U)c)                                                               \
    TERNARY(T, mad_sat, ((T)-1 < 0 ? SAT(T, (int128)a * b + c) : mad_sat_unsigned(BITS(T), a, b, c)))        \
    BINARY(T, min, a < b ? a : b)                                                                            \
    BINARY(T, max, a > b ? a : b)                                                                            \
    TERNARY(T, clamp, a<b ? b : a> c ? c : a)                                                                \
    BINARY(T, rotate, (U)((U)a << (b & (BITS(T) - 1))) | (U)((U)a >> (-b & (BITS(T) - 1))))                  \
    U API abs_diff(T a, T b) { return (U)(a < b ? (int128)b - a : (int128)a - b); }                          \
    U API abs(T a) { return (U)(a < 0 ? -(int128)a : a); }                                                   \
    T API clz(T a) {                                                                                         \
        int n = 0;                                                                                           \
        while (n < BITS(T) && !((U)a >> (BITS(T) - 1 - n) & 1)) n++;                                         \
        return (T)n;                                                                                         \
    }                                                                                                        \
    T API ctz(T a) {                                                                                         \
        int n = 0;                                                                                           \
        while (n < BITS(T) && !((U)a >> n & 1)) n++;                                                         \
        return (T)n;                                                                                         \
    }                                                                                                        \
    T API popcount(T a) { return (T)__builtin_popcountll((ulong)(U)a); }
static ulong mad_sat_unsigned(int bits, ulong a, ulong b, ulong c) {
    unsigned __int128 x = (unsigned __int128)a * b + c;
    ulong high = ~0ul >> (64 - bits);
    return x > high ? high : (ulong)x;
}
INTEGER(char, uchar)
INTEGER(uchar, uchar)
INTEGER(short, ushort)
INTEGER(ushort, ushort)
INTEGER(int, uint)
INTEGER(uint, uint)
INTEGER(long, ulong)
INTEGER(ulong, ulong)
int API mul24(int a, int b) { return (int)((uint)a * (uint)b); }
uint API mul24(uint a, uint b) { return a * b; }
int API mad24(int a, int b, int c) { return (int)((uint)a * (uint)b + (uint)c); }
uint API mad24(uint a, uint b, uint c) { return a * b + c; }

// ---- Conversions that saturate ----
#define FROM_INTEGER(T, F)                                                                                   \
    T API convert_##T##_sat(F x) { return SAT(T, (int128)x); }
#define FROM_REAL(T, x)                                                                                      \
    ({                                                                                                       \
        long double r = (x);                                                                                 \
        r != r ? 0 : r >= (long double)HIGH(T) ? (T)HIGH(T) : r <= (long double)LOW(T) ? (T)LOW(T) : (T)r;   \
    })
#define CONVERSIONS(T, half_name)                                                                            \
    FROM_INTEGER(T, char)                                                                                    \
    FROM_INTEGER(T, uchar)                                                                                   \
    FROM_INTEGER(T, short)                                                                                   \
    FROM_INTEGER(T, ushort)                                                                                  \
    FROM_INTEGER(T, int)                                                                                     \
    FROM_INTEGER(T, uint) FROM_INTEGER(T, long) FROM_INTEGER(T, ulong) T API convert_##T##_sat(float x) {    \
        return FROM_REAL(T, x);                                                                              \
    }                                                                                                        \
    T API convert_##T##_sat(double x) { return FROM_REAL(T, x); }                                            \
    T convert_##T##_sat_half(_Float16 x) NAMED(half_name);                                                   \
    T convert_##T##_sat_half(_Float16 x) { return FROM_REAL(T, (float)x); }
CONVERSIONS(char, "_Z16convert_char_satDh")
CONVERSIONS(uchar, "_Z17convert_uchar_satDh")
CONVERSIONS(short, "_Z17convert_short_satDh")
CONVERSIONS(ushort, "_Z18convert_ushort_satDh")
CONVERSIONS(int, "_Z15convert_int_satDh")
CONVERSIONS(uint, "_Z16convert_uint_satDh")
CONVERSIONS(long, "_Z16convert_long_satDh")
CONVERSIONS(ulong, "_Z17convert_ulong_satDh")
int API convert_int_sat_rte(float x) { return FROM_REAL(int, __builtin_rint((double)x)); }
int API convert_int_sat_rtz(float x) { return FROM_REAL(int, __builtin_trunc((double)x)); }
int API convert_int_sat_rtp(float x) { return FROM_REAL(int, __builtin_ceil((double)x)); }
int API convert_int_sat_rtn(float x) { return FROM_REAL(int, __builtin_floor((double)x)); }
float API convert_float(long x) { return (float)x; }
float vload_half_(ulong i, const _Float16 *p) NAMED("_Z10vload_halfmPU9CLgenericKDh");
float vload_half_(ulong i, const _Float16 *p) { return (float)p[i]; }
void vstore_half_(float x, ulong i, _Float16 *p) NAMED("_Z11vstore_halffmPU9CLgenericDh");
void vstore_half_(float x, ulong i, _Float16 *p) { p[i] = (_Float16)x; }

// ---- Floating point that IEEE 754 defines ----
typedef _Float16 half;
typedef half half4 __attribute__((ext_vector_type(4)));
// half functions by way of float, which is exact or rounds once, see each
#define HALF(R, name, mangled, parameters, e)                                                                \
    R name##_half parameters NAMED(mangled);                                                                 \
    R name##_half parameters { return (R)(e); }
#define REAL(name, ep, fn)                                                                                   \
    float API name(float a) { return fn##f(a); }                                                             \
    double API name(double a) { return fn(a); }                                                              \
    HALF(half, name, ep, (half a), fn##f((float)a))
REAL(floor, "_Z5floorDh", __builtin_floor)
REAL(ceil, "_Z4ceilDh", __builtin_ceil)
REAL(trunc, "_Z5truncDh", __builtin_trunc)
REAL(rint, "_Z4rintDh", __builtin_rint)
double half_away(double a) NAMED("round");
float API round(float a) { return (float)half_away((double)a); }
double API round(double a) { return half_away(a); }
HALF(half, round, "_Z5roundDh", (half a), half_away((double)(float)a))
REAL(fabs, "_Z4fabsDh", __builtin_fabs)
REAL(sqrt, "_Z4sqrtDh", __builtin_sqrt) // 24 bits are enough to round a root to 11
float API fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
double API fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
// The product and the sum of halves fit the 113 bits of a quadruple.
static half half_fma(half a, half b, half c) {
    return (half)((__float128)(float)a * (__float128)(float)b + (__float128)(float)c);
}
HALF(half, fma, "_Z3fmaDhDhDh", (half a, half b, half c), half_fma(a, b, c))
half4 fma_half4(half4 a, half4 b, half4 c) NAMED("_Z3fmaDv4_DhS_S_");
half4 fma_half4(half4 a, half4 b, half4 c) {
    return (half4){half_fma(a.x, b.x, c.x), half_fma(a.y, b.y, c.y), half_fma(a.z, b.z, c.z),
                   half_fma(a.w, b.w, c.w)};
}
float4 API fma(float4 a, float4 b, float4 c) {
    return (float4){__builtin_fmaf(a.x, b.x, c.x), __builtin_fmaf(a.y, b.y, c.y),
                    __builtin_fmaf(a.z, b.z, c.z), __builtin_fmaf(a.w, b.w, c.w)};
}
#define SMALLER(a, b) ((a) != (a) ? (b) : (b) != (b) ? (a) : (a) < (b) ? (a) : (b))
#define GREATER(a, b) ((a) != (a) ? (b) : (b) != (b) ? (a) : (a) > (b) ? (a) : (b))
float API fmin(float a, float b) { return SMALLER(a, b); }
double API fmin(double a, double b) { return SMALLER(a, b); }
HALF(half, fmin, "_Z4fminDhDh", (half a, half b), SMALLER(a, b))
float API fmax(float a, float b) { return GREATER(a, b); }
double API fmax(double a, double b) { return GREATER(a, b); }
HALF(half, fmax, "_Z4fmaxDhDh", (half a, half b), GREATER(a, b))
float API copysign(float a, float b) { return __builtin_copysignf(a, b); }
double API copysign(double a, double b) { return __builtin_copysign(a, b); }
HALF(half, copysign, "_Z8copysignDhDh", (half a, half b), __builtin_copysignf((float)a, (float)b))
#define CLASSIFY(name, mangled, parameters, half_parameters, e)                                              \
    int API name parameters(float) { return e; }                                                             \
    int API name parameters(double) { return e; }                                                            \
    HALF(int, name, mangled, half_parameters, e)
#define ONE(T) (T a)
#define TWO(T) (T a, T b)
CLASSIFY(isnan, "_Z5isnanDh", ONE, (half a), a != a)
CLASSIFY(isinf, "_Z5isinfDh", ONE, (half a), a == a && a - a != a - a)
CLASSIFY(isfinite, "_Z8isfiniteDh", ONE, (half a), a - a == 0)
CLASSIFY(isless, "_Z6islessDhDh", TWO, (half a, half b), a < b)
CLASSIFY(isunordered, "_Z11isunorderedDhDh", TWO, (half a, half b), a != a || b != b)
int API isnormal(float a) { return __builtin_isnormal(a); }
int API isnormal(double a) { return __builtin_isnormal(a); }
HALF(int, isnormal, "_Z8isnormalDh", (half a), a - a == 0 && (a >= 0x1p-14f || a <= -0x1p-14f))
int API signbit(float a) { return __builtin_signbitf(a) != 0; }
int API signbit(double a) { return __builtin_signbit(a) != 0; }
HALF(int, signbit, "_Z7signbitDh", (half a), __builtin_signbitf((float)a) != 0)
double scalb(double, int) NAMED("ldexp");
float scalbf(float, int) NAMED("ldexpf");
double split(double, int *) NAMED("frexp");
float splitf(float, int *) NAMED("frexpf");
float API ldexp(float a, int n) { return scalbf(a, n); }
double API ldexp(double a, int n) { return scalb(a, n); }
float frexp_float(float a, int *e) NAMED("_Z5frexpfPU9CLgenerici");
float frexp_float(float a, int *e) { return splitf(a, e); }
double frexp_double(double a, int *e) NAMED("_Z5frexpdPU9CLgenerici");
double frexp_double(double a, int *e) { return split(a, e); }

// ---- Approximations of the hardware ----
float API native_rsqrt(float x) { return (float)(1 / __builtin_sqrt((double)x)); }

// ---- Vectors in memory ----
typedef uchar uchar16 __attribute__((ext_vector_type(16)));
uchar16 vload16_(ulong i, const uchar *p) NAMED("_Z7vload16mPU9CLgenericKh");
uchar16 vload16_(ulong i, const uchar *p) {
    uchar16 v;
    __builtin_memcpy(&v, p + i * 16, 16);
    return v;
}

// ---- Lanes ----
uint host_lane(void);
uint host_wave(void);
uint host_lane(void) { return host_item()->lane; }
uint host_wave(void) { return host_current()->wave; }

// ---- Kernels in C ----
uint host_id(void);
uint host_id(void) { return (uint)get_global_id(0); }

// ---- Mathematical functions: the next wider type, rounded once ----
typedef long double real;
#define PI 3.14159265358979323846264338327950288L
#define WIDE(name, e)                                                                                        \
    float API name(float a) {                                                                                \
        real x = a;                                                                                          \
        return (float)(e);                                                                                   \
    }                                                                                                        \
    double API name(double a) {                                                                              \
        real x = a;                                                                                          \
        return (double)(e);                                                                                  \
    }
#define WIDE2(name, e)                                                                                       \
    float API name(float a, float b) {                                                                       \
        real x = a, y = b;                                                                                   \
        return (float)(e);                                                                                   \
    }                                                                                                        \
    double API name(double a, double b) {                                                                    \
        real x = a, y = b;                                                                                   \
        return (double)(e);                                                                                  \
    }
real acos_(real) NAMED("acosl");
real acosh_(real) NAMED("acoshl");
real asin_(real) NAMED("asinl");
real asinh_(real) NAMED("asinhl");
real atan_(real) NAMED("atanl");
real atanh_(real) NAMED("atanhl");
real cbrt_(real) NAMED("cbrtl");
real cos_(real) NAMED("cosl");
real cosh_(real) NAMED("coshl");
real erf_(real) NAMED("erfl");
real erfc_(real) NAMED("erfcl");
real exp_(real) NAMED("expl");
real exp10_(real) NAMED("exp10l");
real exp2_(real) NAMED("exp2l");
real expm1_(real) NAMED("expm1l");
real log_(real) NAMED("logl");
real log10_(real) NAMED("log10l");
real log1p_(real) NAMED("log1pl");
real log2_(real) NAMED("log2l");
real sin_(real) NAMED("sinl");
real sinh_(real) NAMED("sinhl");
real sqrt_(real) NAMED("sqrtl");
real tan_(real) NAMED("tanl");
real tanh_(real) NAMED("tanhl");
real tgamma_(real) NAMED("tgammal");
real pow_(real, real) NAMED("powl");
real atan2_(real, real) NAMED("atan2l");
real hypot_(real, real) NAMED("hypotl");
real fmod_(real, real) NAMED("fmodl");
real remainder_(real, real) NAMED("remainderl");
real fdim_(real, real) NAMED("fdiml");
WIDE(sin, sin_(x))
WIDE(cos, cos_(x))
WIDE(tan, tan_(x))
WIDE(asin, asin_(x))
WIDE(acos, acos_(x))
WIDE(atan, atan_(x))
WIDE(sinh, sinh_(x))
WIDE(cosh, cosh_(x))
WIDE(tanh, tanh_(x))
WIDE(asinh, asinh_(x))
WIDE(acosh, acosh_(x))
WIDE(atanh, atanh_(x))
WIDE(exp, exp_(x))
WIDE(exp2, exp2_(x))
WIDE(exp10, exp10_(x))
WIDE(expm1, expm1_(x))
WIDE(log, log_(x))
WIDE(log2, log2_(x))
WIDE(log10, log10_(x))
WIDE(log1p, log1p_(x))
WIDE(cbrt, cbrt_(x))
WIDE(rsqrt, 1 / sqrt_(x))
WIDE(erf, erf_(x))
WIDE(erfc, erfc_(x))
WIDE(tgamma, tgamma_(x))
// Reduced without error before pi comes in.
static real sine_pi(real x) {
    real r = x - 2 * __builtin_roundl(x / 2), a = r < 0 ? -r : r;
    if (a > 0.5L) a = 1 - a;
    return r < 0 ? -sin_(a * PI) : sin_(a * PI);
}
static real cosine_pi(real x) {
    real r = x - 2 * __builtin_roundl(x / 2);
    return sin_((0.5L - (r < 0 ? -r : r)) * PI);
}
WIDE(sinpi, sine_pi(x))
WIDE(cospi, cosine_pi(x))
WIDE(tanpi, sine_pi(x) / cosine_pi(x))
WIDE2(pow, pow_(x, y))
WIDE2(atan2, atan2_(x, y))
WIDE2(hypot, hypot_(x, y))
WIDE2(fmod, fmod_(x, y))
WIDE2(remainder, remainder_(x, y))
WIDE2(fdim, fdim_(x, y))
float next_float(float, float) NAMED("nextafterf");
double next_double(double, double) NAMED("nextafter");
float API nextafter(float a, float b) { return next_float(a, b); }
double API nextafter(double a, double b) { return next_double(a, b); }
float API native_sin(float a) {
    real x = a;
    return (float)(sin_(x));
}
float API native_cos(float a) {
    real x = a;
    return (float)(cos_(x));
}
float API native_exp(float a) {
    real x = a;
    return (float)(exp_(x));
}
float API native_exp2(float a) {
    real x = a;
    return (float)(exp2_(x));
}
float API native_log2(float a) {
    real x = a;
    return (float)(log2_(x));
}
float API native_recip(float a) {
    real x = a;
    return (float)(1 / x);
}
float API native_sqrt(float a) {
    real x = a;
    return (float)(sqrt_(x));
}
float API half_sin(float a) {
    real x = a;
    return (float)(sin_(x));
}
float API half_exp(float a) {
    real x = a;
    return (float)(exp_(x));
}
float API half_recip(float a) {
    real x = a;
    return (float)(1 / x);
}
