// SPDX-License-Identifier: MIT
// OpenCL's mathematical functions from libclc, against functions of the host one size wider. The limits in
// table.txt are those of the OpenCL specification.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define UNARY(f)                                                                                   \
    __kernel void f##_float(__global float *out, __global const float *in) {                       \
        size_t i = get_global_id(0);                                                               \
        out[i] = f(in[i]);                                                                         \
    }                                                                                              \
    __kernel void f##_double(__global double *out, __global const double *in) {                    \
        size_t i = get_global_id(0);                                                               \
        out[i] = f(in[i]);                                                                         \
    }
#define BINARY(f)                                                                                  \
    __kernel void f##_float(__global float *out, __global const float *a, __global const float *b) { \
        size_t i = get_global_id(0);                                                               \
        out[i] = f(a[i], b[i]);                                                                    \
    }                                                                                              \
    __kernel void f##_double(__global double *out, __global const double *a, __global const double *b) { \
        size_t i = get_global_id(0);                                                               \
        out[i] = f(a[i], b[i]);                                                                    \
    }
#define NATIVE(f)                                                                                  \
    __kernel void f##_float(__global float *out, __global const float *in) {                       \
        size_t i = get_global_id(0);                                                               \
        out[i] = f(in[i]);                                                                         \
    }
UNARY(sin)
UNARY(cos)
UNARY(tan)
UNARY(asin)
UNARY(acos)
UNARY(atan)
UNARY(sinh)
UNARY(cosh)
UNARY(tanh)
UNARY(asinh)
UNARY(acosh)
UNARY(atanh)
UNARY(exp)
UNARY(exp2)
UNARY(exp10)
UNARY(expm1)
UNARY(log)
UNARY(log2)
UNARY(log10)
UNARY(log1p)
UNARY(cbrt)
UNARY(rsqrt)
UNARY(erf)
UNARY(erfc)
UNARY(tgamma)
UNARY(sinpi)
UNARY(cospi)
UNARY(tanpi)
BINARY(pow)
BINARY(atan2)
BINARY(hypot)
BINARY(fmod)
BINARY(remainder)
BINARY(fdim)
BINARY(nextafter)
NATIVE(native_sin)
NATIVE(native_cos)
NATIVE(native_exp)
NATIVE(native_exp2)
NATIVE(native_log2)
NATIVE(native_recip)
NATIVE(native_sqrt)
NATIVE(native_rsqrt)
NATIVE(half_sin)
NATIVE(half_exp)
NATIVE(half_recip)
