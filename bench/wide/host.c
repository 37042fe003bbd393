// SPDX-License-Identifier: MIT
// The algorithms of kernels.cl on one thread, as one writes them in C for a compiler that vectorizes:
// work-items of a group are loops.
#include "bench/wide/wide.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define HOST(name)         void host_##name(const struct wide_args *a)
#define IN(type, name, i)  const type *restrict name = a->buffer[i]
#define OUT(type, name, i) type *restrict name = a->buffer[i]

HOST(transpose) {
    IN(float, in, 0);
    OUT(float, out, 1);
    const int n = a->scalar[0];
    for (int gy = 0; gy < n; gy += 16)
        for (int gx = 0; gx < n; gx += 16)
            for (int y = 0; y < 16; y++)
                for (int x = 0; x < 16; x++) out[(gx + y) * n + gy + x] = in[(gy + x) * n + gx + y];
}

HOST(floyd) {
    int *d = a->buffer[0];
    const int n = a->scalar[0], k = a->scalar[1];
    int row[4096];
    memcpy(row, d + k * n, (unsigned)n * sizeof *row);
    for (int i = 0; i < n; i++) {
        const int to = d[i * n + k];
        int *restrict own = d + i * n;
        for (int j = 0; j < n; j++) own[j] = to + row[j] < own[j] ? to + row[j] : own[j];
    }
}

HOST(bitonic) {
    IN(uint32_t, in, 0);
    OUT(uint32_t, out, 1);
    for (int g = 0; g < 64; g++) {
        uint32_t *s = out + g * 512;
        memcpy(s, in + g * 512, 2048);
        for (unsigned k = 2; k <= 512; k *= 2)
            for (unsigned j = k / 2; j; j /= 2)
                for (unsigned first = 0; first < 512; first += 2 * j) {
                    const int up = !(first & k);
                    for (unsigned i = first; i < first + j; i++) {
                        const uint32_t x = s[i], y = s[i + j], less = x < y ? x : y, more = x < y ? y : x;
                        s[i] = up ? less : more;
                        s[i + j] = up ? more : less;
                    }
                }
    }
}

HOST(scan) {
    IN(uint32_t, in, 0);
    OUT(uint32_t, out, 1);
    for (int g = 0; g < 512; g++) {
        uint32_t s[2][256];
        int from = 0;
        memcpy(s[0], in + g * 256, 1024);
        for (int d = 1; d < 256; d *= 2, from = !from) {
            memcpy(s[!from], s[from], (unsigned)d * 4);
            for (int t = d; t < 256; t++) s[!from][t] = s[from][t] + s[from][t - d];
        }
        memcpy(out + g * 256, s[from], 1024);
    }
}

static float sum_of_group(float *s, int n) {
    for (int d = n / 2; d; d /= 2)
        for (int t = 0; t < d; t++) s[t] += s[t + d];
    return s[0];
}
HOST(reduce) {
    IN(float, in, 0);
    OUT(float, out, 1);
    const int n = a->scalar[0], size = 64 * 256;
    for (int g = 0; g < 64; g++) {
        float s[256] = {0};
        for (int i = g * 256; i < n; i += size)
            for (int t = 0; t < 256; t++) s[t] += in[i + t];
        out[g] = sum_of_group(s, 256);
    }
}

HOST(fft256) {
    IN(float, in, 0);
    IN(float, twiddles, 1);
    OUT(float, out, 2);
    for (int g = 0; g < 256; g++) {
        float s[2][2][256]; // parts of the stages
        for (int i = 0; i < 256; i++)
            for (int p = 0; p < 2; p++) s[0][p][i] = in[2 * (g * 256 + i) + p];
        for (int n = 1, from = 0; n < 256; n *= 4, from = !from) {
            const float *x = s[from][0], *y = s[from][1];
            for (int first = 0; first < 64; first += n)
                for (int j = 0; j < n && first + j < 64; j++) {
                    const int t = first + j, at = first * 4 + j;
                    float u[4] = {x[t]}, v[4] = {y[t]};
                    for (int i = 1; i < 4; i++) {
                        const float *w = twiddles + 2 * (i * j * (64 / n));
                        const float p = x[t + 64 * i], q = y[t + 64 * i];
                        u[i] = p * w[0] - q * w[1];
                        v[i] = p * w[1] + q * w[0];
                    }
                    const float ax = u[0] + u[2], ay = v[0] + v[2], bx = u[0] - u[2], by = v[0] - v[2];
                    const float cx = u[1] + u[3], cy = v[1] + v[3], dx = u[1] - u[3], dy = v[1] - v[3];
                    float *r = s[!from][0] + at, *m = s[!from][1] + at;
                    r[0] = ax + cx, m[0] = ay + cy;
                    r[n] = bx + dy, m[n] = by - dx;
                    r[2 * n] = ax - cx, m[2 * n] = ay - cy;
                    r[3 * n] = bx - dy, m[3 * n] = by + dx;
                }
        }
        for (int i = 0; i < 256; i++)
            for (int p = 0; p < 2; p++) out[2 * (g * 256 + i) + p] = s[0][p][i];
    }
}

static void gemm(const struct wide_args *a, int tile) {
    IN(float, x, 0);
    IN(float, y, 1);
    OUT(float, z, 2);
    const int n = a->scalar[0];
    for (int i = 0; i < n; i += tile)
        for (int j = 0; j < n; j += 16) {
            float s[16][16] = {{0}};
            for (int k = 0; k < n; k++)
                for (int p = 0; p < tile; p++)
                    for (int q = 0; q < 16; q++) s[p][q] += x[(i + p) * n + k] * y[k * n + j + q];
            for (int p = 0; p < tile; p++) memcpy(&z[(i + p) * n + j], s[p], 64);
        }
}
HOST(gemm_tiled) { gemm(a, 4); }
HOST(gemm_naive) { gemm(a, 1); }

HOST(gemm_i8) {
    IN(int8_t, x, 0);
    IN(int8_t, y, 1);
    OUT(int, z, 2);
    const int n = a->scalar[0], depth = a->scalar[1];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int k = 0; k < depth; k++) sum += x[i * depth + k] * y[j * depth + k];
            z[i * n + j] = sum;
        }
}

HOST(dot_i8) {
    IN(int8_t, x, 0);
    IN(int8_t, y, 1);
    OUT(int, z, 2);
    const int n = 4 * a->scalar[0], size = 64 * 256;
    memset(z, 0, (unsigned)size * 4);
    for (int i = 0; i < n; i += size)
        for (int t = 0; t < size; t++) z[t] += x[i + t] * y[i + t];
}

static float normal(float d) {
    const float k = 1 / (1 + 0.2316419f * fabsf(d));
    const float p =
        ((((1.330274429f * k - 1.821255978f) * k + 1.781477937f) * k - 0.356563782f) * k + 0.31938153f) * k;
    const float c = 0.39894228f * expf(-0.5f * d * d) * p;
    return d > 0 ? 1 - c : c;
}
HOST(black_scholes) {
    IN(float, price, 0);
    IN(float, years, 1);
    OUT(float, call, 2);
    OUT(float, put, 3);
    for (int i = 0; i < 32768; i++) {
        const float s = 5 + 25 * price[i], x = 20, t = 0.25f + 9.75f * years[i], r = 0.02f, v = 0.3f;
        const float root = sqrtf(t), d1 = (logf(s / x) + (r + 0.5f * v * v) * t) / (v * root),
                    d2 = d1 - v * root;
        const float p = normal(d1), q = normal(d2), discounted = x * expf(-r * t);
        call[i] = s * p - discounted * q;
        put[i] = discounted * (1 - q) - s * (1 - p);
    }
}

static const uint32_t sha_k[64] = {
#include "bench/wide/sha256.inc"
};
static inline uint32_t rotr(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }
HOST(sha256) {
    IN(uint32_t, in, 0);
    OUT(uint32_t, out, 1);
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for (int g = 0; g < 4096; g++) {
        uint32_t w[64], h[8];
        memcpy(w, in + g * 16, 64);
        memcpy(h, start, 32);
        for (int i = 16; i < 64; i++) {
            const uint32_t x = w[i - 15], y = w[i - 2];
            w[i] = w[i - 16] + w[i - 7] + (rotr(x, 7) ^ rotr(x, 18) ^ x >> 3) +
                   (rotr(y, 17) ^ rotr(y, 19) ^ y >> 10);
        }
        for (int i = 0; i < 64; i++) {
            const uint32_t e = h[4], b = h[0];
            const uint32_t t = h[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & h[5]) ^ (~e & h[6])) +
                               sha_k[i] + w[i];
            const uint32_t u =
                (rotr(b, 2) ^ rotr(b, 13) ^ rotr(b, 22)) + ((b & h[1]) ^ (b & h[2]) ^ (h[1] & h[2]));
            for (int k = 7; k; k--) h[k] = h[k - 1];
            h[4] += t;
            h[0] = t + u;
        }
        for (int i = 0; i < 8; i++) out[g * 8 + i] = h[i] + start[i];
    }
}

HOST(aes) {
    IN(uint32_t, in, 0);
    IN(uint32_t, key, 1);
    IN(uint32_t, s, 2);
    OUT(uint32_t, out, 3);
    for (int i = 0; i < 16384; i++) {
        uint32_t v[4], n[4];
        for (int k = 0; k < 4; k++) v[k] = in[4 * i + k] ^ key[k];
        for (int r = 4; r < 44; r += 4) {
            for (int k = 0; k < 4; k++)
                n[k] = s[v[k] & 255] ^ s[256 + (v[(k + 1) & 3] >> 8 & 255)] ^
                       s[512 + (v[(k + 2) & 3] >> 16 & 255)] ^ s[768 + (v[(k + 3) & 3] >> 24)] ^ key[r + k];
            memcpy(v, n, sizeof v);
        }
        memcpy(out + 4 * i, v, sizeof v);
    }
}

HOST(philox) {
    OUT(uint32_t, out, 0);
    for (uint32_t i = 0; i < 65536; i++) {
        uint32_t c[4] = {i, 0, 1, 2}, k0 = (uint32_t)a->scalar[0], k1 = (uint32_t)a->scalar[1];
        for (int r = 0; r < 10; r++) {
            const uint64_t p = (uint64_t)0xd2511f53u * c[0], q = (uint64_t)0xcd9e8d57u * c[2];
            const uint32_t n[4] = {(uint32_t)(q >> 32) ^ c[1] ^ k0, (uint32_t)q,
                                   (uint32_t)(p >> 32) ^ c[3] ^ k1, (uint32_t)p};
            memcpy(c, n, sizeof c);
            k0 += 0x9e3779b9;
            k1 += 0xbb67ae85;
        }
        memcpy(out + 4 * i, c, sizeof c);
    }
}

HOST(mt19937) {
    OUT(uint32_t, out, 0);
    for (uint32_t g = 0; g < 256; g++) {
        uint32_t s[624];
        s[0] = (uint32_t)a->scalar[0] + g;
        for (uint32_t i = 1; i < 624; i++) s[i] = 1812433253u * (s[i - 1] ^ s[i - 1] >> 30) + i;
        for (uint32_t i = 0; i < 624; i++) {
            const uint32_t y = (s[i] & 0x80000000u) | (s[i < 623 ? i + 1 : 0] & 0x7fffffff);
            uint32_t v = s[i < 227 ? i + 397 : i - 227] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
            s[i] = v;
            v ^= v >> 11;
            v ^= v << 7 & 0x9d2c5680u;
            v ^= v << 15 & 0xefc60000u;
            out[i * 256 + g] = v ^ v >> 18;
        }
    }
}

HOST(spmv) {
    IN(int, first, 0);
    IN(int, column, 1);
    IN(float, m, 2);
    IN(float, x, 3);
    OUT(float, y, 4);
    for (int row = 0; row < a->scalar[0]; row++) {
        float sum = 0;
        for (int i = first[row]; i < first[row + 1]; i++) sum += m[i] * x[column[i]];
        y[row] = sum;
    }
}

HOST(conv5) {
    IN(float, in, 0);
    IN(float, weights, 1);
    OUT(float, out, 2);
    const int n = a->scalar[0];
    for (int y = 0; y < 256; y++)
        for (int x = 0; x < n; x++) {
            float sum = 0;
            for (int j = 0; j < 5; j++)
                for (int i = 0; i < 5; i++) sum += weights[j * 5 + i] * in[(y + j) * (n + 4) + x + i];
            out[y * n + x] = sum;
        }
}

HOST(sobel) {
    IN(uint8_t, in, 0);
    OUT(uint8_t, out, 1);
    const int n = a->scalar[0], w = n + 2;
    for (int y = 0; y < 256; y++)
        for (int x = 0; x < n; x++) {
            const uint8_t *p = in + y * w + x;
            const int u = p[2] + 2 * p[w + 2] + p[2 * w + 2] - p[0] - 2 * p[w] - p[2 * w];
            const int v = p[2 * w] + 2 * p[2 * w + 1] + p[2 * w + 2] - p[0] - 2 * p[1] - p[2];
            const int sum = (u < 0 ? -u : u) + (v < 0 ? -v : v);
            out[y * n + x] = (uint8_t)(sum > 255 ? 255 : sum);
        }
}

HOST(det8) {
    IN(float, in, 0);
    OUT(float, out, 1);
    const int count = a->scalar[0];
    for (int g = 0; g < count; g++) {
        float m[8][8], det = 1;
        for (int k = 0; k < 64; k++) m[k / 8][k % 8] = in[k * count + g] + (k / 8 == k % 8 ? 4 : 0);
        for (int k = 0; k < 8; k++) {
            det *= m[k][k];
            for (int i = k + 1; i < 8; i++) {
                const float f = m[i][k] / m[k][k];
                for (int j = k + 1; j < 8; j++) m[i][j] -= f * m[k][j];
            }
        }
        out[g] = det;
    }
}

static float distance_at(float x, float y, float z) {
    const float u = x - floorf(x) - 0.5f, v = y - floorf(y) - 0.5f;
    return sqrtf(u * u + v * v + (z - 4) * (z - 4)) - 0.3f;
}
HOST(raymarch) {
    OUT(float, out, 0);
    const int width = a->scalar[0], height = a->scalar[1];
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) {
            const float dx = (float)(i - width / 2) / (float)width,
                        dy = (float)(j - height / 2) / (float)height;
            const float scale = 1 / sqrtf(dx * dx + dy * dy + 1);
            float t = 0;
            for (int n = 0; n < 48; n++) {
                const float d = distance_at(t * dx * scale, t * dy * scale, t * scale);
                t += 0.5f * d;
                if (d < 0.001f || t > 12) break;
            }
            out[j * width + i] = t > 12 ? 12 : t;
        }
}

HOST(softmax) {
    IN(float, in, 0);
    OUT(float, out, 1);
    const int n = a->scalar[0];
    for (int g = 0; g < 64; g++) {
        const float *row = in + g * n;
        float *to = out + g * n, most = -INFINITY, sum = 0;
        for (int i = 0; i < n; i++) most = row[i] > most ? row[i] : most;
        for (int i = 0; i < n; i++) sum += to[i] = expf(row[i] - most);
        for (int i = 0; i < n; i++) to[i] /= sum;
    }
}

HOST(rmsnorm) {
    IN(float, in, 0);
    IN(float, weight, 1);
    OUT(float, out, 2);
    const int n = a->scalar[0];
    for (int g = 0; g < 128; g++) {
        const float *row = in + g * n;
        float s[256] = {0};
        for (int i = 0; i < n; i += 256)
            for (int t = 0; t < 256; t++) s[t] += row[i + t] * row[i + t];
        const float scale = 1 / sqrtf(sum_of_group(s, 256) / (float)n + 1e-5f);
        for (int i = 0; i < n; i++) out[g * n + i] = row[i] * scale * weight[i];
    }
}

HOST(rope) {
    IN(float, in, 0);
    OUT(float, out, 1);
    const int pairs = a->scalar[0];
    for (int g = 0; g < 32768; g++) {
        const int pair = g % pairs, position = g / pairs;
        const float angle = (float)position * exp2f(-13.28771f * (float)pair / (float)pairs), c = cosf(angle),
                    s = sinf(angle);
        const float x = in[2 * g], y = in[2 * g + 1];
        out[2 * g] = x * c - y * s;
        out[2 * g + 1] = x * s + y * c;
    }
}

struct q4 {
    float scale;
    uint32_t nibbles[4];
};
HOST(matvec_q4) {
    IN(struct q4, w, 0);
    IN(float, x, 1);
    OUT(float, y, 2);
    const int blocks = a->scalar[0];
    for (int row = 0; row < 512; row++) {
        float s[64] = {0};
        for (int b = 0; b < blocks; b++) {
            const struct q4 *q = &w[row * blocks + b];
            float part = 0;
            for (int i = 0; i < 4; i++)
                for (int k = 0; k < 8; k++)
                    part += (float)((int)(q->nibbles[i] >> 4 * k & 15) - 8) * x[(i * 8 + k) * blocks + b];
            s[b % 64] += q->scale * part;
        }
        y[row] = sum_of_group(s, 64);
    }
}

struct q8 {
    float scale;
    int8_t n[32];
};
HOST(matvec_q8) {
    IN(struct q8, w, 0);
    IN(struct q8, x, 1);
    OUT(float, y, 2);
    const int blocks = a->scalar[0];
    for (int row = 0; row < 256; row++) {
        float s[64] = {0};
        for (int b = 0; b < blocks; b++) {
            const struct q8 *q = &w[row * blocks + b], *v = &x[b];
            int dot = 0;
            for (int i = 0; i < 32; i++) dot += q->n[i] * v->n[i];
            s[b % 64] += q->scale * v->scale * (float)dot;
        }
        y[row] = sum_of_group(s, 64);
    }
}

HOST(string_search) {
    IN(uint8_t, text, 0);
    IN(uint8_t, word, 1);
    OUT(uint8_t, found, 2);
    for (int i = 0; i < 262144; i++) {
        int n = 0;
        while (n < a->scalar[0] && text[i + n] == word[n]) n++;
        found[i] = (uint8_t)n;
    }
}

static void histogram(const struct wide_args *a) {
    IN(uint32_t, in, 0);
    OUT(uint32_t, bins, 1);
    for (int i = 0; i < a->scalar[0]; i++) bins[in[i] & 255]++;
}
HOST(hist_global) { histogram(a); }
HOST(hist_lds) { histogram(a); }

HOST(copy) { memcpy(a->buffer[1], a->buffer[0], (unsigned)a->scalar[0] * 4u); }

HOST(nbody) {
    IN(float, in, 0);
    OUT(float, out, 1);
    const int n = a->scalar[0];
    for (int i = 0; i < n; i += 16) {
        float p[3][16], force[3][16] = {{0}};
        for (int c = 0; c < 3; c++)
            for (int l = 0; l < 16; l++) p[c][l] = in[4 * (i + l) + c];
        for (int k = 0; k < n; k++)
            for (int l = 0; l < 16; l++) {
                const float x = in[4 * k] - p[0][l], y = in[4 * k + 1] - p[1][l], z = in[4 * k + 2] - p[2][l];
                const float r = 1 / sqrtf(x * x + y * y + z * z + 0.01f), m = in[4 * k + 3] * r * r * r;
                force[0][l] += x * m;
                force[1][l] += y * m;
                force[2][l] += z * m;
            }
        for (int l = 0; l < 16; l++) {
            for (int c = 0; c < 3; c++) out[4 * (i + l) + c] = force[c][l];
            out[4 * (i + l) + 3] = in[4 * (i + l) + 3];
        }
    }
}
