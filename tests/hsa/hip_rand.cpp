// SPDX-License-Identifier: MIT
// rocRAND and hipRAND: every generator of their host interface against sequences that the CPU computes from
// the generators' definitions, every distribution against what it should make of them and by its distance
// from the ideal one (Kolmogorov, Smirnov; Pearson for counts), and the generators in kernels. The first
// argument "more": longer.
#include "check.h"

#include <algorithm>
#include <cmath>

#include <hip/hip_fp16.h>
#include <hiprand/hiprand.h>
#include <rocrand/rocrand.h>
#include <rocrand/rocrand_kernel.h>
#include <rocrand/rocrand_mtgp32_11213.h>

#include "rand_reference.h"

#define RAND(...)    EXPECT((__VA_ARGS__) == ROCRAND_STATUS_SUCCESS)
#define HIPRAND(...) EXPECT((__VA_ARGS__) == HIPRAND_STATUS_SUCCESS)
// Generators side by side in the host interface (rocRAND 5.3): the sequence is made of a number of each in
// turn.
enum { SIDE_BY_SIDE = 512 * 256 };
static const uint64_t SEED = 0x123456789abcdefull;
static const uint64_t MRG_SEED = 0x12345678; // whose products fit in 64 bits
static size_t N = 150000;                    // more than there are side by side

typedef std::vector<uint32_t> Numbers;
static Numbers xorwow(size_t n) {
    Numbers v(n);
    Xorwow x(SEED);
    for (size_t i = 0; i < SIDE_BY_SIDE && i < n; i++, x.next_subsequence()) {
        Xorwow y = x;
        for (size_t k = i; k < n; k += SIDE_BY_SIDE) v[k] = y.next();
    }
    return v;
}
static Numbers mrg32k3a(size_t n) { // as it is; a whole number is stretched to 32 bits
    Numbers v(n);
    Mrg32k3a x(MRG_SEED);
    for (size_t i = 0; i < SIDE_BY_SIDE && i < n; i++, x.next_subsequence(76)) {
        Mrg32k3a y = x;
        for (size_t k = i; k < n; k += SIDE_BY_SIDE) v[k] = y.next();
    }
    return v;
}
static uint32_t stretched(uint32_t v) { return (uint32_t)((v - 1) * 1.000000048661607); }
static Numbers philox(size_t n) {
    Numbers v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = philox4x32_10({(uint32_t)(i / 4), 0, 0, 0}, (uint32_t)SEED, (uint32_t)(SEED >> 32))[i & 3];
    return v;
}
static Numbers mtgp32(size_t n) { // 512 of them, 256 numbers of each in turn
    Numbers v(n);
    const uint32_t seed = (uint32_t)(SEED ^ SEED >> 32);
    for (size_t b = 0; b < 512 && b * 256 < n; b++) {
        Mtgp32<mtgp32_params_fast_t> m(mtgp32dc_params_fast_11213[b], seed + (uint32_t)b + 1);
        for (size_t k = b * 256; k < n; k += SIDE_BY_SIDE)
            for (size_t i = 0; i < 256; i++) {
                const uint32_t x = m.next(mtgp32dc_params_fast_11213[0].mask);
                if (k + i < n) v[k + i] = x;
            }
    }
    return v;
}
static Numbers sobol32(size_t n) {
    Numbers v(n);
    const std::vector<uint64_t> d = sobol_directions(0, 32);
    for (size_t i = 0; i < n; i++) v[i] = (uint32_t)sobol(d, i);
    return v;
}

static const struct Generator {
    const char *name;
    rocrand_rng_type type;
    hiprandRngType_t hip_type;
    Numbers (*sequence)(size_t);
    bool quasi;
    uint64_t seed;
} generators[] = {
    {"xorwow", ROCRAND_RNG_PSEUDO_XORWOW, HIPRAND_RNG_PSEUDO_XORWOW, xorwow, false, SEED},
    {"mrg32k3a", ROCRAND_RNG_PSEUDO_MRG32K3A, HIPRAND_RNG_PSEUDO_MRG32K3A, mrg32k3a, false, MRG_SEED},
    {"philox", ROCRAND_RNG_PSEUDO_PHILOX4_32_10, HIPRAND_RNG_PSEUDO_PHILOX4_32_10, philox, false, SEED},
    {"mtgp32", ROCRAND_RNG_PSEUDO_MTGP32, HIPRAND_RNG_PSEUDO_MTGP32, mtgp32, false, SEED},
    {"sobol32", ROCRAND_RNG_QUASI_SOBOL32, HIPRAND_RNG_QUASI_SOBOL32, sobol32, true, 0},
};

// A generator of the library that begins anew, and memory for n values.
template <typename T> struct Fresh {
    rocrand_generator g = nullptr;
    T *p = nullptr;
    size_t n;
    Fresh(const Generator &from, size_t n) : n(n) {
        if (rocrand_create_generator(&g, from.type) != ROCRAND_STATUS_SUCCESS) g = nullptr;
        if (g && !from.quasi) (void)rocrand_set_seed(g, from.seed);
        if (hipMalloc((void **)&p, n * sizeof(T)) != hipSuccess) p = nullptr;
    }
    ~Fresh() {
        if (g) (void)rocrand_destroy_generator(g);
        (void)hipFree(p);
    }
    std::vector<T> read(rocrand_status s) { return as<T>(s); }
    template <typename U> std::vector<U> as(rocrand_status s) {
        std::vector<U> v(n);
        if (s != ROCRAND_STATUS_SUCCESS ||
            hipMemcpy(v.data(), p, n * sizeof(U), hipMemcpyDeviceToHost) != hipSuccess)
            v.clear();
        return v;
    }
};

// How far the values' distribution is from the ideal one, times the root of their number: beyond 1.95 once in
// a thousand. Values of few bits are further off by half of a step.
static bool distributed(const char *what, std::vector<double> v, double (*ideal)(double), double step = 0) {
    std::sort(v.begin(), v.end());
    const double n = (double)v.size();
    double most = 0;
    for (size_t i = 0; i < v.size(); i++) {
        const double f = ideal(v[i]);
        most = std::fmax(most, std::fmax(std::fabs(f - (double)i / n), std::fabs((double)(i + 1) / n - f)));
    }
    if (n > 0 && (most - step) * std::sqrt(n) < 1.95) return true;
    printf("%s: %.2f\n", what, most * std::sqrt(n));
    return false;
}
static double flat(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
static double normal(double x) { return 0.5 * std::erfc(-(x - 2) / 3 / std::sqrt(2.0)); } // 2, 3
static double log_normal(double x) {
    return x <= 0 ? 0 : 0.5 * std::erfc(-(std::log(x) - 0.5) / 0.25 / std::sqrt(2.0));
}
template <typename T> static std::vector<double> doubles(const std::vector<T> &v) {
    std::vector<double> d(v.size());
    for (size_t i = 0; i < v.size(); i++) d[i] = (double)v[i];
    return d;
}
static std::vector<double> doubles(const std::vector<__half> &v) {
    std::vector<double> d(v.size());
    for (size_t i = 0; i < v.size(); i++) d[i] = (double)__half2float(v[i]);
    return d;
}
// Pearson's sum for counts, against its mean and spread.
static bool poisson(const std::vector<unsigned> &v, double mean) {
    const int most = (int)(mean + 10 * std::sqrt(mean)) + 10;
    std::vector<double> seen(most + 1, 0.0);
    for (unsigned x : v) seen[x < (unsigned)most ? x : most]++;
    double sum = 0, rest_seen = 0, rest_want = 0;
    int cells = 0;
    for (int k = 0; k <= most; k++) {
        const double want = std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0)) * (double)v.size();
        if (want < 10)
            rest_seen += seen[k], rest_want += want;
        else
            sum += (seen[k] - want) * (seen[k] - want) / want, cells++;
    }
    sum += (rest_seen - rest_want) * (rest_seen - rest_want) / (rest_want + 1);
    if (v.size() && sum < cells + 4 * std::sqrt(2.0 * cells)) return true;
    printf("poisson of %g: %.1f in %d cells\n", mean, sum, cells);
    return false;
}

static bool is_mrg(const Generator &g) { return g.type == ROCRAND_RNG_PSEUDO_MRG32K3A; }
static void sequence(const Generator &g, const Numbers &reference) {
    Fresh<unsigned> f(g, N);
    const std::vector<unsigned> v = f.read(rocrand_generate(f.g, f.p, N));
    EXPECT(v.size() == N);
    for (size_t i = 0; i < N; i++) EXPECT(v[i] == (is_mrg(g) ? stretched(reference[i]) : reference[i]));
    Fresh<float> u(g, N);
    const std::vector<float> w = u.read(rocrand_generate_uniform(u.g, u.p, N));
    EXPECT(w.size() == N);
    for (size_t i = 0; i < N; i++) {
        const double want = is_mrg(g) ? reference[i] / 4294967087.0 : (reference[i] + 1.0) / 4294967296.0;
        EXPECT(w[i] > 0 && w[i] <= 1 && std::fabs(w[i] - want) <= 1.2e-7);
    }
    // From a place further on: as if the numbers before had been taken.
    if (g.type == ROCRAND_RNG_PSEUDO_MTGP32) return;
    Fresh<unsigned> o(g, 1000);
    const size_t skipped = 5000;
    RAND(rocrand_set_offset(o.g, skipped));
    const std::vector<unsigned> x = o.read(rocrand_generate(o.g, o.p, 1000));
    EXPECT(x.size() == 1000);
    for (size_t i = 0; i < 1000; i++)
        EXPECT(x[i] == (is_mrg(g) ? stretched(reference[skipped + i]) : reference[skipped + i]));
}
// The sine of a half of these device libraries (5.2.3) is NaN where it should not be (v_cmp_class_f16 for
// what is finite chooses NaN), so every other number of Box and Muller's pairs is none.
static std::vector<double> halves(const Generator &g, const std::vector<__half> &v) {
    const std::vector<double> all = doubles(v);
    std::vector<double> r;
    for (size_t i = 0; i < all.size(); i++)
        if (g.quasi || i & 1) r.push_back(all[i]);
    return r;
}
static void distributions(const Generator &g) {
    const size_t n = 1 << 16;
    Fresh<double> all(g, n); // one after another
    EXPECT(distributed("uniform double",
                       doubles(all.as<double>(rocrand_generate_uniform_double(all.g, (double *)all.p, n))),
                       flat));
    EXPECT(distributed("uniform half",
                       doubles(all.as<__half>(rocrand_generate_uniform_half(all.g, (__half *)all.p, n))),
                       flat, 1.0 / 2048));
    EXPECT(distributed("normal",
                       doubles(all.as<float>(rocrand_generate_normal(all.g, (float *)all.p, n, 2.0f, 3.0f))),
                       normal));
    EXPECT(distributed(
        "normal double",
        doubles(all.as<double>(rocrand_generate_normal_double(all.g, (double *)all.p, n, 2.0, 3.0))),
        normal));
    const __half two = __float2half(2.0f), three = __float2half(3.0f), half = __float2half(0.5f),
                 quarter = __float2half(0.25f);
    EXPECT(distributed(
        "normal half",
        halves(g, all.as<__half>(rocrand_generate_normal_half(all.g, (__half *)all.p, n, two, three))),
        normal, 1.0 / 1024));
    EXPECT(distributed(
        "log-normal",
        doubles(all.as<float>(rocrand_generate_log_normal(all.g, (float *)all.p, n, 0.5f, 0.25f))),
        log_normal));
    EXPECT(distributed(
        "log-normal double",
        doubles(all.as<double>(rocrand_generate_log_normal_double(all.g, (double *)all.p, n, 0.5, 0.25))),
        log_normal));
    EXPECT(distributed(
        "log-normal half",
        halves(g, all.as<__half>(rocrand_generate_log_normal_half(all.g, (__half *)all.p, n, half, quarter))),
        log_normal, 1.0 / 512));
    for (double mean : {0.5, 10.0, 200.0, 5000.0})
        EXPECT(poisson(all.as<unsigned>(rocrand_generate_poisson(all.g, (unsigned *)all.p, n, mean)), mean));
    std::vector<double> chars =
        doubles(all.as<unsigned char>(rocrand_generate_char(all.g, (unsigned char *)all.p, n)));
    for (double &x : chars) x = (x + 0.5) / 256;
    EXPECT(distributed("char", chars, flat, 1.0 / 512));
    std::vector<double> shorts =
        doubles(all.as<unsigned short>(rocrand_generate_short(all.g, (unsigned short *)all.p, n)));
    for (double &x : shorts) x = (x + 0.5) / 65536;
    EXPECT(distributed("short", shorts, flat, 1.0 / 131072));
}
// Normal numbers come in pairs of Box and Muller from pairs of whole ones: those of one generator.
static void normal_pairs() {
    const size_t n = 4096;
    Fresh<float> f(generators[2], n);
    const std::vector<float> v = f.read(rocrand_generate_normal(f.g, f.p, n, 0.0f, 1.0f));
    const Numbers x = philox(n);
    EXPECT(v.size() == n);
    for (size_t i = 0; i < n; i += 2) {
        const double u = (x[i] + 1.0) / 4294967296.0, w = (x[i + 1] + 1.0) / 4294967296.0 * 2 * M_PI,
                     r = std::sqrt(-2 * std::log(u));
        EXPECT(std::fabs(v[i] - std::sin(w) * r) < 1e-4 && std::fabs(v[i + 1] - std::cos(w) * r) < 1e-4);
    }
}
static void by_rocrand(size_t at) {
    const Generator &g = generators[at];
    sequence(g, g.sequence(N));
    if (!wrong) distributions(g);
}
static void rocrand_xorwow() { by_rocrand(0); }
static void rocrand_mrg32k3a() { by_rocrand(1); }
static void rocrand_philox() { by_rocrand(2); }
static void rocrand_mtgp32() { by_rocrand(3); }
static void rocrand_sobol32() { by_rocrand(4); }
static void rocrand_sobol_dimensions() {
    const size_t each = 3000, n = each * SOBOL_DIMENSIONS;
    Fresh<unsigned> f(generators[4], n);
    RAND(rocrand_set_quasi_random_generator_dimensions(f.g, SOBOL_DIMENSIONS));
    const std::vector<unsigned> v = f.read(rocrand_generate(f.g, f.p, n));
    EXPECT(v.size() == n);
    for (int d = 0; d < SOBOL_DIMENSIONS; d++) {
        const std::vector<uint64_t> directions = sobol_directions(d, 32);
        for (size_t i = 0; i < each; i++) EXPECT(v[d * each + i] == (uint32_t)sobol(directions, i));
    }
    EXPECT(rocrand_generate(f.g, f.p, n - 1) == ROCRAND_STATUS_LENGTH_NOT_MULTIPLE);
}

// The same by way of hipRAND, and what this one has no generator for.
static void by_hiprand() {
    const size_t n = 20000;
    unsigned *p;
    CALL(hipMalloc(&p, n * 8));
    for (const Generator &g : generators) {
        hiprandGenerator_t h;
        HIPRAND(hiprandCreateGenerator(&h, g.hip_type));
        if (!g.quasi) HIPRAND(hiprandSetPseudoRandomGeneratorSeed(h, g.seed));
        HIPRAND(hiprandGenerate(h, p, n));
        std::vector<unsigned> v(n);
        std::vector<float> f(n);
        std::vector<double> d(n);
        CALL(hipMemcpy(v.data(), p, n * 4, hipMemcpyDeviceToHost));
        const Numbers x = g.sequence(n);
        for (size_t i = 0; i < n; i++) EXPECT(v[i] == (is_mrg(g) ? stretched(x[i]) : x[i]));
        HIPRAND(hiprandGenerateUniform(h, (float *)p, n));
        CALL(hipMemcpy(f.data(), p, n * 4, hipMemcpyDeviceToHost));
        EXPECT(distributed("uniform", doubles(f), flat));
        HIPRAND(hiprandGenerateUniformDouble(h, (double *)p, n));
        CALL(hipMemcpy(d.data(), p, n * 8, hipMemcpyDeviceToHost));
        EXPECT(distributed("uniform double", d, flat));
        HIPRAND(hiprandGenerateNormal(h, (float *)p, n, 2.0f, 3.0f));
        CALL(hipMemcpy(f.data(), p, n * 4, hipMemcpyDeviceToHost));
        EXPECT(distributed("normal", doubles(f), normal));
        HIPRAND(hiprandGenerateNormalDouble(h, (double *)p, n, 2.0, 3.0));
        CALL(hipMemcpy(d.data(), p, n * 8, hipMemcpyDeviceToHost));
        EXPECT(distributed("normal double", d, normal));
        HIPRAND(hiprandGenerateLogNormal(h, (float *)p, n, 0.5f, 0.25f));
        CALL(hipMemcpy(f.data(), p, n * 4, hipMemcpyDeviceToHost));
        EXPECT(distributed("log-normal", doubles(f), log_normal));
        HIPRAND(hiprandGenerateLogNormalDouble(h, (double *)p, n, 0.5, 0.25));
        CALL(hipMemcpy(d.data(), p, n * 8, hipMemcpyDeviceToHost));
        EXPECT(distributed("log-normal double", d, log_normal));
        HIPRAND(hiprandGeneratePoisson(h, p, n, 10.0));
        CALL(hipMemcpy(v.data(), p, n * 4, hipMemcpyDeviceToHost));
        EXPECT(poisson(v, 10));
        HIPRAND(hiprandDestroyGenerator(h));
    }
    hiprandGenerator_t h;
    EXPECT(hiprandCreateGenerator(&h, HIPRAND_RNG_PSEUDO_MT19937) == HIPRAND_STATUS_NOT_IMPLEMENTED);
    EXPECT(hiprandCreateGenerator(&h, HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL32) == HIPRAND_STATUS_NOT_IMPLEMENTED);
    CALL(hipFree(p));
}

// The generators in kernels: each work-item its own subsequence, some numbers further on.
template <typename State>
__global__ void numbers_of(uint64_t seed, unsigned *out, float *uniform, double *normal) {
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    State s;
    rocrand_init(seed, t, 3, &s);
    for (int i = 0; i < 8; i++) out[t * 8 + i] = rocrand(&s);
    uniform[t] = rocrand_uniform(&s);
    normal[t] = rocrand_normal_double(&s);
}
__global__ void sobol_of(const unsigned *v32, const unsigned long long *v64, unsigned *out,
                         unsigned long long *out64) {
    const unsigned t = threadIdx.x, d = blockIdx.x;
    rocrand_state_sobol32 s;
    rocrand_state_sobol64 w;
    rocrand_init(v32 + d * 32, t * 5, &s);
    rocrand_init(v64 + d * 64, t * 5, &w);
    for (int i = 0; i < 5; i++)
        out[(d * 64 + t) * 5 + i] = rocrand(&s), out64[(d * 64 + t) * 5 + i] = rocrand(&w);
}
enum { ITEMS = 256 };
template <typename State, typename F> static void in_kernels(uint64_t seed, F reference) {
    unsigned *p;
    float *u;
    double *d;
    CALL(hipMalloc(&p, ITEMS * 32));
    CALL(hipMalloc(&u, ITEMS * 4));
    CALL(hipMalloc(&d, ITEMS * 8));
    numbers_of<State><<<ITEMS / 64, 64>>>(seed, p, u, d);
    std::vector<unsigned> v(ITEMS * 8);
    std::vector<float> uniform(ITEMS);
    std::vector<double> normals(ITEMS);
    CALL(hipMemcpy(v.data(), p, ITEMS * 32, hipMemcpyDeviceToHost));
    CALL(hipMemcpy(uniform.data(), u, ITEMS * 4, hipMemcpyDeviceToHost));
    CALL(hipMemcpy(normals.data(), d, ITEMS * 8, hipMemcpyDeviceToHost));
    for (unsigned t = 0; t < ITEMS; t++) {
        const Numbers x = reference(t, 12); // from the beginning
        for (int i = 0; i < 8; i++) EXPECT(v[t * 8 + i] == x[3 + i]);
        EXPECT(std::fabs(uniform[t] - (x[11] + 1.0) / 4294967296.0) < 1.2e-7);
    }
    for (double &x : normals) x = x * 3 + 2;
    EXPECT(distributed("normal double", normals, normal));
    CALL(hipFree(p));
    CALL(hipFree(u));
    CALL(hipFree(d));
}
static void kernels_xorwow() {
    in_kernels<rocrand_state_xorwow>(SEED, [](unsigned t, size_t n) {
        Xorwow x(SEED);
        while (t--) x.next_subsequence();
        Numbers v(n);
        for (uint32_t &e : v) e = x.next();
        return v;
    });
}
static void kernels_mrg32k3a() {
    in_kernels<rocrand_state_mrg32k3a>(MRG_SEED, [](unsigned t, size_t n) {
        Mrg32k3a x(MRG_SEED);
        while (t--) x.next_subsequence(76);
        Numbers v(n);
        for (uint32_t &e : v) e = stretched(x.next());
        return v;
    });
}
static void kernels_philox() {
    in_kernels<rocrand_state_philox4x32_10>(SEED, [](unsigned t, size_t n) {
        Numbers v(n);
        for (size_t i = 0; i < n; i++)
            v[i] = philox4x32_10({(uint32_t)(i / 4), 0, t, 0}, (uint32_t)SEED, (uint32_t)(SEED >> 32))[i & 3];
        return v;
    });
}
static void kernels_sobol() {
    std::vector<unsigned> v32, got(SOBOL_DIMENSIONS * 320);
    std::vector<unsigned long long> v64, wide(SOBOL_DIMENSIONS * 320);
    for (int d = 0; d < SOBOL_DIMENSIONS; d++) {
        for (uint64_t x : sobol_directions(d, 32)) v32.push_back((unsigned)x);
        for (uint64_t x : sobol_directions(d, 64)) v64.push_back(x);
    }
    unsigned *p, *q;
    unsigned long long *r, *s;
    CALL(hipMalloc(&p, v32.size() * 4));
    CALL(hipMalloc(&r, v64.size() * 8));
    CALL(hipMalloc(&q, got.size() * 4));
    CALL(hipMalloc(&s, wide.size() * 8));
    CALL(hipMemcpy(p, v32.data(), v32.size() * 4, hipMemcpyHostToDevice));
    CALL(hipMemcpy(r, v64.data(), v64.size() * 8, hipMemcpyHostToDevice));
    sobol_of<<<SOBOL_DIMENSIONS, 64>>>(p, r, q, s);
    CALL(hipMemcpy(got.data(), q, got.size() * 4, hipMemcpyDeviceToHost));
    CALL(hipMemcpy(wide.data(), s, wide.size() * 8, hipMemcpyDeviceToHost));
    for (int d = 0; d < SOBOL_DIMENSIONS; d++) {
        const std::vector<uint64_t> a = sobol_directions(d, 32), b = sobol_directions(d, 64);
        for (int i = 0; i < 320; i++)
            EXPECT(got[d * 320 + i] == (uint32_t)sobol(a, i) && wide[d * 320 + i] == sobol(b, i));
    }
    CALL(hipFree(p));
    CALL(hipFree(q));
    CALL(hipFree(r));
    CALL(hipFree(s));
}

// Random123's known answers for the reference itself, and the Mersenne twister's parameters are those that
// the generator's matrices have full period for, which a wrong one would not reproduce.
static void the_reference() {
    const std::array<uint32_t, 4> zeros = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                  ones = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                  pi = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
    const uint32_t all = 0xffffffff;
    EXPECT(philox4x32_10({0, 0, 0, 0}, 0, 0) == zeros);
    EXPECT(philox4x32_10({all, all, all, all}, all, all) == ones);
    EXPECT(philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0) == pi);
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "more")) N = 1000000, argc--, argv++;
    arguments = argc, names = argv;
    CASE(the_reference);
    CASE(rocrand_xorwow);
    CASE(rocrand_mrg32k3a);
    CASE(rocrand_philox);
    CASE(rocrand_mtgp32);
    CASE(rocrand_sobol32);
    CASE(rocrand_sobol_dimensions);
    CASE(normal_pairs);
    CASE(by_hiprand);
    CASE(kernels_xorwow);
    CASE(kernels_mrg32k3a);
    CASE(kernels_philox);
    CASE(kernels_sobol);
    return wrong;
}
