// SPDX-License-Identifier: MIT
// The device's math library under HIP against the host's, in units of the last place, for float and double.
#include "check.h"

#include <cmath>

// The functions of one argument, and what OpenCL allows them in float and double, or less; tgamma's
// reflection of negative arguments takes twice that.
#define UNARY(F)                                                                                             \
    F(sqrt, 1, 1)                                                                                            \
    F(cbrt, 2, 1)                                                                                            \
    F(exp, 2, 1) F(exp2, 2, 1) F(expm1, 2, 1) F(log, 3, 1) F(log2, 3, 1) F(log10, 3, 1) F(log1p, 3, 1)       \
        F(sin, 4, 2) F(cos, 4, 2) F(tan, 5, 2) F(asin, 4, 2) F(acos, 4, 2) F(atan, 4, 2) F(sinh, 4, 2)       \
            F(cosh, 4, 2) F(tanh, 4, 2) F(asinh, 4, 2) F(acosh, 4, 2) F(atanh, 4, 2) F(erf, 8, 6)            \
                F(erfc, 16, 8) F(tgamma, 32, 16) F(lgamma, 64, 64) F(floor, 0, 0) F(ceil, 0, 0)              \
                    F(trunc, 0, 0) F(round, 0, 0) F(rint, 0, 0) F(fabs, 0, 0)
#define BINARY(F)                                                                                            \
    F(pow, 16, 16)                                                                                           \
    F(atan2, 6, 4)                                                                                           \
    F(hypot, 4, 4) F(fmod, 0, 0) F(remainder, 0, 0) F(fmin, 0, 0) F(fmax, 0, 0) F(fdim, 0, 0)                \
        F(copysign, 0, 0)

static const int N = 512;
template <typename T> static T argument(int i, int kind) {
    const T x = (T)((i * 2654435761u >> 8) % 100000) / 100000;
    switch (kind) {
    case 0: return x * 2 - 1;
    case 1: return x * 40 - 20;
    case 2: return 1 + x * 30;
    default: return x * 1e6f;
    }
}
enum {
#define NAME(f, a, b) K_##f,
    UNARY(NAME) BINARY(NAME) COUNT
};
template <typename T> __global__ void all_of_them(const T *in, T *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const T x = in[i], y = in[N + i];
#define RUN(f, a, b) out[K_##f * N + i] = f(x);
    UNARY(RUN)
#define RUN2(f, a, b) out[K_##f * N + i] = f(x, y);
    BINARY(RUN2)
}
static const struct {
    const char *name;
    double single, twice;
} limits[] = {
#define LIMIT(f, a, b) {#f, a, b},
    UNARY(LIMIT) BINARY(LIMIT)};

static bool flushes; // GFX8's float, where HIP leaves denormal numbers out
// How far got is from what it should be, in units of the last place of T there.
template <typename T> static double distance(T got, long double want) {
    if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want) ? 0 : HUGE_VAL;
    const T rounded = (T)want;
    if (std::isinf(rounded) || std::isinf(got)) return got == rounded ? 0 : HUGE_VAL;
    if (flushes && sizeof(T) == 4 && std::fabs(rounded) < std::ldexp(1.0, -126) && got == 0) return 0;
    const T next = std::nextafter(std::fabs(rounded), (T)HUGE_VAL) - std::fabs(rounded);
    return (double)(std::fabs((long double)got - want) / (long double)next);
}
template <typename T> static void against_host(bool single) {
    T *p, *q;
    std::vector<T> got(COUNT * N), in(2 * N);
    for (int i = 0; i < N; i++)
        in[i] = argument<T>(i, i & 3), in[N + i] = argument<T>(i * 31 + 7, i >> 2 & 1);
    CALL(hipMalloc(&q, 2 * N * sizeof(T)));
    CALL(hipMemcpy(q, in.data(), 2 * N * sizeof(T), hipMemcpyHostToDevice));
    CALL(hipMalloc(&p, got.size() * sizeof(T)));
    all_of_them<T><<<N / 64, 64>>>(q, p);
    CALL(hipMemcpy(got.data(), p, got.size() * sizeof(T), hipMemcpyDeviceToHost));
    double worst[COUNT] = {};
    for (int i = 0; i < N; i++) {
        const long double x = in[i], y = in[N + i];
#define COMPARE(f, s, d) worst[K_##f] = std::fmax(worst[K_##f], distance(got[K_##f * N + i], std::f(x)));
        UNARY(COMPARE)
#define COMPARE2(f, s, d) worst[K_##f] = std::fmax(worst[K_##f], distance(got[K_##f * N + i], std::f(x, y)));
        BINARY(COMPARE2)
    }
    for (int k = 0; k < COUNT; k++) {
        const double limit = (single ? limits[k].single : limits[k].twice) + 0.51;
        if (!(worst[k] <= limit)) {
            printf("%s of %s: %.1f units of the last place, not %.1f\n", limits[k].name,
                   single ? "float" : "double", worst[k], limit);
            wrong = 1;
        }
    }
    CALL(hipFree(p));
    CALL(hipFree(q));
}
static void math_of_float() { against_host<float>(true); }
static void math_of_double() { against_host<double>(false); }

// What is exact: single operations, rounded as the function says, and conversions.
__global__ void exact(const double *in, double *out, float *fout, long long *iout) {
    const int i = threadIdx.x;
    const double a = in[i], b = in[(i + 1) % 64];
    out[i] = a + b, out[64 + i] = a * b, out[128 + i] = a / b, out[192 + i] = fma(a, b, a),
    out[256 + i] = sqrt(fabs(a));
    fout[i] = (float)a / (float)b, fout[64 + i] = sqrtf(fabsf((float)a)),
    fout[128 + i] = __fmaf_rn((float)a, (float)b, 1.0f);
    iout[i] = (long long)a, iout[64 + i] = (int)(float)b, iout[128 + i] = __double2ll_rn(a),
    iout[192 + i] = __float2int_rd((float)a);
}
static void exact_operations() {
    double in[64], *d, *out;
    float *fout;
    long long *iout;
    for (int i = 0; i < 64; i++)
        in[i] = std::ldexp(1 + (i * 2654435761u % 1000003) / 1000003.0, i % 29 - 9) * (i & 1 ? -1 : 1);
    CALL(hipMalloc(&d, sizeof in));
    CALL(hipMalloc(&out, 5 * 64 * 8));
    CALL(hipMalloc(&fout, 3 * 64 * 4));
    CALL(hipMalloc(&iout, 4 * 64 * 8));
    CALL(hipMemcpy(d, in, sizeof in, hipMemcpyHostToDevice));
    exact<<<1, 64>>>(d, out, fout, iout);
    std::vector<double> o(320);
    std::vector<float> f(192);
    std::vector<long long> n(256);
    CALL(hipMemcpy(o.data(), out, 320 * 8, hipMemcpyDeviceToHost));
    CALL(hipMemcpy(f.data(), fout, 192 * 4, hipMemcpyDeviceToHost));
    CALL(hipMemcpy(n.data(), iout, 256 * 8, hipMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++) {
        const double a = in[i], b = in[(i + 1) % 64];
        const volatile float fa = (float)a, fb = (float)b;
        EXPECT(o[i] == a + b && o[64 + i] == a * b && o[128 + i] == a / b && o[192 + i] == std::fma(a, b, a));
        EXPECT(o[256 + i] == std::sqrt(std::fabs(a)));
        EXPECT(f[i] == fa / fb && f[64 + i] == std::sqrt(std::fabs(fa)) &&
               f[128 + i] == std::fmaf(fa, fb, 1.0f));
        EXPECT(n[i] == (long long)a && n[64 + i] == (int)fb && n[128 + i] == std::llrint(a) &&
               n[192 + i] == (int)std::floor(fa));
    }
    CALL(hipFree(d));
    CALL(hipFree(out));
    CALL(hipFree(fout));
    CALL(hipFree(iout));
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    hipDeviceProp_t d;
    if (hipGetDeviceProperties(&d, 0) != hipSuccess) return 2;
    flushes = !strncmp(d.gcnArchName, "gfx8", 4);
    CASE(math_of_float);
    CASE(math_of_double);
    CASE(exact_operations);
    return wrong;
}
