// SPDX-License-Identifier: MIT
// Conversions between every pair of types: C's casts where the value fits, saturating ones everywhere, and
// each rounding mode.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define ID size_t i = get_global_id(0)

#define FROM_INTEGER(T)                                                                            \
    __kernel void from_##T(__global char *c, __global ushort *us, __global int *in, __global ulong *ul, __global half *h, \
                           __global float *f, __global double *d, __global const T *pa) {          \
        ID;                                                                                        \
        T a = pa[i];                                                                               \
        c[i * 2] = (char)a, c[i * 2 + 1] = convert_char_sat(a);                                    \
        us[i * 2] = (ushort)a, us[i * 2 + 1] = convert_ushort_sat(a);                              \
        in[i * 2] = (int)a, in[i * 2 + 1] = convert_int_sat(a);                                    \
        ul[i * 2] = (ulong)a, ul[i * 2 + 1] = convert_ulong_sat(a);                                \
        h[i] = (half)a;                                                                            \
        f[i] = (float)a;                                                                           \
        d[i] = (double)a;                                                                          \
    }
FROM_INTEGER(char)
FROM_INTEGER(uchar)
FROM_INTEGER(short)
FROM_INTEGER(ushort)
FROM_INTEGER(int)
FROM_INTEGER(uint)
FROM_INTEGER(long)
FROM_INTEGER(ulong)

#define FROM_REAL(T)                                                                               \
    __kernel void sat_##T(__global uchar *c, __global short *s, __global int *in, __global uint *ui, __global long *l, \
                          __global ulong *ul, __global const T *pa) {                              \
        ID;                                                                                        \
        T a = isnan(pa[i]) ? (T)7 : pa[i];                                                         \
        c[i] = convert_uchar_sat(a);                                                               \
        s[i] = convert_short_sat(a);                                                               \
        in[i] = convert_int_sat(a);                                                                \
        ui[i] = convert_uint_sat(a);                                                               \
        l[i] = convert_long_sat(a);                                                                \
        ul[i] = convert_ulong_sat(a);                                                              \
    }                                                                                              \
    __kernel void cast_##T(__global int *in, __global uint *ui, __global long *l, __global ulong *ul, __global half *h, \
                           __global float *f, __global double *d, __global const T *pa) {          \
        ID;                                                                                        \
        T a = pa[i], x = fabs(a) < (T)60000 ? a : (T)-5, y = fabs(x);                              \
        in[i] = (int)x;                                                                            \
        ui[i] = (uint)y;                                                                           \
        l[i] = (long)x;                                                                            \
        ul[i] = (ulong)y;                                                                          \
        h[i] = (half)a;                                                                            \
        f[i] = (float)a;                                                                           \
        d[i] = (double)a;                                                                          \
    }
FROM_REAL(half)
FROM_REAL(float)
FROM_REAL(double)

__kernel void big_float(__global long *l, __global ulong *ul, __global const float *pa) {
    ID;
    float a = pa[i];
    l[i] = fabs(a) < 9.2e18f ? (long)a : 1;
    ul[i] = a >= 0 && a < 1.8e19f ? (ulong)a : 1;
}
__kernel void big_double(__global long *l, __global ulong *ul, __global int *in, __global uint *ui, __global const double *pa) {
    ID;
    double a = pa[i];
    l[i] = fabs(a) < 9.2e18 ? (long)a : 1;
    ul[i] = a >= 0 && a < 1.8e19 ? (ulong)a : 1;
    in[i] = fabs(a) < 2147483648.0 ? (int)a : 1;
    ui[i] = a >= 0 && a < 4294967296.0 ? (uint)a : 1;
}

__kernel void rounding_modes(__global int *out, __global float *f, __global const float *pa, __global const long *pl) {
    ID;
    float a = isnan(pa[i]) ? 0.5f : pa[i];
    out[i * 4] = convert_int_sat_rte(a);
    out[i * 4 + 1] = convert_int_sat_rtz(a);
    out[i * 4 + 2] = convert_int_sat_rtp(a);
    out[i * 4 + 3] = convert_int_sat_rtn(a);
    f[i] = convert_float(pl[i]);
}

__kernel void half_memory(__global half *out, __global float *back, __global const float *pa, __global const half *ph) {
    ID;
    vstore_half(pa[i], i, out);
    back[i] = vload_half(i, ph);
}
