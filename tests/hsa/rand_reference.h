// SPDX-License-Identifier: MIT
// Random sequences computed on the CPU from their authors' definitions: XORWOW (Marsaglia 2003), MRG32k3a
// (L'Ecuyer 1999), Philox4x32-10 (Salmon et al. 2011), MTGP32 (Saito, Matsumoto 2013), Sobol by Gray code
// (Antonov, Saleev 1979). How far generators are apart and how they are seeded is what rocRAND documents;
// jumps are powers of the generators' matrices, not tables.
#ifndef TESTS_HSA_RAND_REFERENCE_H
#define TESTS_HSA_RAND_REFERENCE_H

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

// A linear map of 160 bits, by the image of each bit.
struct Bits160 {
    std::array<uint32_t, 5> w;
    bool bit(int i) const { return w[i / 32] >> (i % 32) & 1; }
};
struct Map160 {
    std::vector<Bits160> image{160};
    Bits160 of(const Bits160 &v) const {
        Bits160 r{{0, 0, 0, 0, 0}};
        for (int i = 0; i < 160; i++)
            if (v.bit(i))
                for (int k = 0; k < 5; k++) r.w[k] ^= image[i].w[k];
        return r;
    }
    Map160 squared() const {
        Map160 m;
        for (int i = 0; i < 160; i++) m.image[i] = of(image[i]);
        return m;
    }
};
struct Xorwow {
    Bits160 x;
    uint32_t d;
    static void step(Bits160 &s) {
        const uint32_t t = s.w[0] ^ s.w[0] >> 2, v = s.w[4];
        s.w = {s.w[1], s.w[2], s.w[3], v, (v ^ v << 4) ^ (t ^ t << 1)};
    }
    explicit Xorwow(uint64_t seed) {
        const uint32_t t0 = 1228688033u * ((uint32_t)seed ^ 0x2c7f967fu),
                       t1 = 2073658381u * ((uint32_t)(seed >> 32) ^ 0xa03697cbu);
        x.w = {123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0};
        d = 6615241u + t1 + t0;
    }
    uint32_t next() {
        step(x);
        return (d += 362437u) + x.w[4];
    }
    // Past 2^67 numbers, over which d, a multiple of 2^32 steps, comes back.
    void next_subsequence() {
        static const Map160 far = [] {
            Map160 m;
            for (int i = 0; i < 160; i++) {
                m.image[i] = {{0, 0, 0, 0, 0}};
                m.image[i].w[i / 32] = 1u << (i % 32);
                step(m.image[i]);
            }
            for (int i = 0; i < 67; i++) m = m.squared();
            return m;
        }();
        x = far.of(x);
    }
};

struct Mrg32k3a {
    static const uint64_t M1 = 4294967087, M2 = 4294944443;
    typedef std::array<std::array<uint64_t, 3>, 3> Matrix;
    uint64_t a[3], b[3];
    explicit Mrg32k3a(uint64_t seed) {
        const uint64_t x = (uint32_t)seed ^ 0x55555555u, y = (uint32_t)(seed >> 32) ^ 0xaaaaaaaau;
        for (int i = 0; i < 3; i++) {
            a[i] = (uint64_t)((unsigned __int128)(i & 1 ? y : x) * seed % M1);
            b[i] = (uint64_t)((unsigned __int128)(i & 1 ? x : y) * seed % M2);
        }
    }
    // From 1 to M1.
    uint32_t next() {
        const uint64_t p = (1403580 * a[1] + 810728 * (M1 - a[0])) % M1,
                       q = (527612 * b[2] + 1370589 * (M2 - b[0])) % M2;
        a[0] = a[1], a[1] = a[2], a[2] = p;
        b[0] = b[1], b[1] = b[2], b[2] = q;
        return (uint32_t)(p > q ? p - q : p + M1 - q);
    }
    static Matrix squared(const Matrix &m, uint64_t mod) {
        Matrix r;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                uint64_t sum = 0;
                for (int l = 0; l < 3; l++) sum = (sum + m[i][l] * m[l][k] % mod) % mod;
                r[i][k] = sum;
            }
        return r;
    }
    static void apply(const Matrix &m, uint64_t *v, uint64_t mod) {
        uint64_t r[3] = {0, 0, 0};
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) r[i] = (r[i] + m[i][k] * v[k] % mod) % mod;
        memcpy(v, r, sizeof r);
    }
    void next_subsequence(int log2) { // past 2^log2 numbers
        Matrix m = {{{0, 1, 0}, {0, 0, 1}, {M1 - 810728, 1403580, 0}}},
               n = {{{0, 1, 0}, {0, 0, 1}, {M2 - 1370589, 0, 527612}}};
        static Matrix far_a, far_b;
        static int known = -1;
        if (known != log2) {
            for (int i = 0; i < log2; i++) m = squared(m, M1), n = squared(n, M2);
            far_a = m, far_b = n, known = log2;
        }
        apply(far_a, a, M1);
        apply(far_b, b, M2);
    }
};

inline std::array<uint32_t, 4> philox4x32_10(std::array<uint32_t, 4> c, uint32_t k0, uint32_t k1) {
    for (int round = 0; round < 10; round++, k0 += 0x9e3779b9u, k1 += 0xbb67ae85u) {
        const uint64_t p = 0xd2511f53ull * c[0], q = 0xcd9e8d57ull * c[2];
        c = {(uint32_t)(q >> 32) ^ c[1] ^ k0, (uint32_t)q, (uint32_t)(p >> 32) ^ c[3] ^ k1, (uint32_t)p};
    }
    return c;
}

// One of the generators of MTGP32 with a period of 2^11213 - 1; its parameters are published tables.
template <typename Parameters> struct Mtgp32 {
    const Parameters &p;
    std::vector<uint32_t> x;
    size_t at = 0;
    Mtgp32(const Parameters &parameters, uint32_t seed) : p(parameters) {
        const uint32_t size = 351, hidden = p.tbl[4] ^ p.tbl[8] << 16;
        uint32_t t = hidden;
        t += t >> 16, t += t >> 8;
        x.assign(size, (t & 0xff) * 0x01010101u);
        x[0] = seed, x[1] = hidden;
        for (uint32_t i = 1; i < size; i++) x[i] ^= 1812433253u * (x[i - 1] ^ x[i - 1] >> 30) + i;
    }
    uint32_t next(uint32_t mask) {
        uint32_t v = (x[at] & mask) ^ x[at + 1], t = x[at + p.pos - 1];
        v ^= v << p.sh1;
        const uint32_t y = v ^ x[at + p.pos] >> p.sh2, r = y ^ p.tbl[y & 15];
        x.push_back(r);
        t ^= t >> 16, t ^= t >> 8;
        at++;
        return r ^ p.tmp_tbl[t & 15];
    }
};

// Direction vectors of the first ten dimensions, from the primitive polynomials and first numbers of Joe and
// Kuo (2008, new-joe-kuo-6).
enum { SOBOL_DIMENSIONS = 10 };
inline std::vector<uint64_t> sobol_directions(int dimension, int bits) {
    static const struct {
        int degree, polynomial, m[5];
    } joe_kuo[SOBOL_DIMENSIONS - 1] = {{1, 0, {1}},
                                       {2, 1, {1, 3}},
                                       {3, 1, {1, 3, 1}},
                                       {3, 2, {1, 1, 1}},
                                       {4, 1, {1, 1, 3, 3}},
                                       {4, 4, {1, 3, 5, 13}},
                                       {5, 2, {1, 1, 5, 5, 17}},
                                       {5, 4, {1, 1, 5, 5, 5}},
                                       {5, 7, {1, 1, 7, 11, 19}}};
    std::vector<uint64_t> v(bits);
    for (int i = 0; i < bits; i++) {
        if (dimension == 0) {
            v[i] = 1ull << (bits - 1 - i);
            continue;
        }
        const auto &p = joe_kuo[dimension - 1];
        if (i < p.degree) {
            v[i] = (uint64_t)p.m[i] << (bits - 1 - i);
            continue;
        }
        v[i] = v[i - p.degree] ^ v[i - p.degree] >> p.degree;
        for (int k = 1; k < p.degree; k++)
            if (p.polynomial >> (p.degree - 1 - k) & 1) v[i] ^= v[i - k];
    }
    return v;
}
inline uint64_t sobol(const std::vector<uint64_t> &directions, uint64_t n) {
    uint64_t r = 0;
    const uint64_t gray = n ^ n >> 1;
    for (size_t i = 0; i < directions.size(); i++)
        if (gray >> i & 1) r ^= directions[i];
    return r;
}

#endif
