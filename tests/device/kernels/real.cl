// SPDX-License-Identifier: MIT
// Floating point that IEEE 754 defines: operators, division, square root, fma, rounding to integers,
// minimum and maximum with NaN and signed zero, comparisons, denormal operands and results.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// libclc-22 computes fma in software and flushes denormals there, unless the optimiser recognises the call.
#ifdef __AMDGCN__
#define fma __builtin_elementwise_fma
#endif
#define ID size_t i = get_global_id(0)

#define OPERATORS(T)                                                                               \
    __kernel void ops_##T(__global T *out, __global const T *pa, __global const T *pb, __global const T *pc) { \
        ID;                                                                                        \
        T a = pa[i], b = pb[i], c = pc[i];                                                         \
        __global T *o = out + i * 16;                                                              \
        o[0] = a + b;                                                                              \
        o[1] = a - b;                                                                              \
        o[2] = a * b;                                                                              \
        o[3] = a / b;                                                                              \
        o[4] = sqrt(a);                                                                            \
        o[5] = fma(a, b, c);                                                                       \
        o[6] = fabs(a) + c;                                                                        \
        o[7] = copysign(a, b);                                                                     \
        o[8] = a < b ? c : a;                                                                      \
        o[9] = a >= b ? (T)1 : (T)2;                                                               \
        o[10] = (T)((a == b) + 2 * (a != b) + 4 * isnan(a) + 8 * isinf(b) + 16 * (a > c) + 32 * isless(b, c)); \
        o[11] = -fma(-a, b, -c);                                                                   \
        o[12] = a * b + c;                                                                         \
        o[13] = (T)(isunordered(a, b) + 2 * isfinite(a) + 4 * isnormal(b) + 8 * !!signbit(c));     \
        o[14] = (T)2 * a - (T)0.5 * b;                                                             \
        o[15] = (T)1 / a;                                                                          \
    }
OPERATORS(half)
OPERATORS(float)
OPERATORS(double)

#define ROUNDING(T)                                                                                \
    __kernel void round_##T(__global T *out, __global const T *pa) {                               \
        ID;                                                                                        \
        T a = pa[i];                                                                               \
        __global T *o = out + i * 8;                                                               \
        o[0] = floor(a);                                                                           \
        o[1] = ceil(a);                                                                            \
        o[2] = trunc(a);                                                                           \
        o[3] = rint(a);                                                                            \
        o[4] = round(a);                                                                           \
        o[5] = fabs(a);                                                                            \
        o[6] = a - floor(a);                                                                       \
        o[7] = -a;                                                                                 \
    }
ROUNDING(half)
ROUNDING(float)
ROUNDING(double)

// fmin and fmax give the number when the other operand is a quiet NaN; equal zeros of either sign may give
// either zero, so the sign is dropped. Signalling NaNs may count as NaN: they are made quiet first.
#define QUIET(x) ((x) != (x) ? nan0 : (x))
#define MINMAX(T, N)                                                                               \
    __kernel void minmax_##T(__global T *out, __global const T *pa, __global const T *pb, __global const T *pc) { \
        ID;                                                                                        \
        const T nan0 = N;                                                                          \
        T a = QUIET(pa[i]), b = QUIET(pb[i]), c = QUIET(pc[i]);                                    \
        __global T *o = out + i * 4;                                                               \
        o[0] = fmin(a, b) + (T)0;                                                                  \
        o[1] = fmax(a, b) + (T)0;                                                                  \
        o[2] = fmax(fmin(a, b), c) + (T)0;                                                         \
        o[3] = fmin(fmax(a, (T)0), (T)1) + (T)0;                                                   \
    }
MINMAX(half, as_half((short)0x7e00))
MINMAX(float, as_float(0x7fc00000))
MINMAX(double, as_double(0x7ff8000000000000L))

#define SCALING(T, I, field)                                                                       \
    __kernel void scale_##T(__global T *out, __global int *exponents, __global const T *pa, __global const int *pn) { \
        ID;                                                                                        \
        T a = pa[i];                                                                               \
        int n = pn[i] % field, e = 0;                                                              \
        out[i * 2] = ldexp(a, n);                                                                  \
        out[i * 2 + 1] = frexp(a, &e);                                                             \
        exponents[i] = isfinite(a) ? e : 0;                                                        \
    }
SCALING(float, int, 300)
SCALING(double, long, 2200)

// Vectors, which targets may pack.
__kernel void packed_half(__global half4 *out, __global const half4 *pa, __global const half4 *pb, __global const half4 *pc) {
    ID;
    half4 a = pa[i], b = pb[i], c = pc[i];
    __global half4 *o = out + i * 4;
    o[0] = a + b;
    o[1] = a * -b;
    o[2] = fma(a, b.wzyx, -c);
    o[3] = a.yxwz - b;
}
__kernel void packed_float(__global float4 *out, __global const float4 *pa, __global const float4 *pb, __global const float4 *pc) {
    ID;
    float4 a = pa[i], b = pb[i], c = pc[i];
    __global float4 *o = out + i * 4;
    o[0] = a + b;
    o[1] = a * -b;
    o[2] = fma(a, b.wzyx, -c);
    o[3] = a.yxwz - b;
}
