// SPDX-License-Identifier: MIT
// Kernels of the kinds that programs have, none of them written with an emulator in mind. host.c has the same
// algorithms in C; cases.def says how they are launched.
#define LOCAL(x, y) __attribute__((reqd_work_group_size(x, y, 1)))

kernel LOCAL(16, 16) void transpose(global const float *a, global float *b, int n) {
    local float tile[16][17];
    const int x = get_local_id(0), y = get_local_id(1), gx = get_group_id(0) * 16, gy = get_group_id(1) * 16;
    tile[y][x] = a[(gy + y) * n + gx + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[(gx + y) * n + gy + x] = tile[x][y];
}

kernel LOCAL(16, 16) void floyd(global int *d, int n, int k) {
    const int j = get_global_id(0), i = get_global_id(1);
    const int by = d[i * n + k] + d[k * n + j], now = d[i * n + j];
    d[i * n + j] = by < now ? by : now;
}

kernel LOCAL(256, 1) void bitonic(global const uint *in, global uint *out, int unused) {
    local uint s[512];
    const uint t = get_local_id(0), first = get_group_id(0) * 512;
    s[t] = in[first + t];
    s[t + 256] = in[first + t + 256];
    for (uint k = 2; k <= 512; k *= 2)
        for (uint j = k / 2; j; j /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            const uint i = 2 * t - (t & (j - 1)), a = s[i], b = s[i + j];
            const bool up = !(i & k);
            if ((a > b) == up) {
                s[i] = b;
                s[i + j] = a;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[first + t] = s[t];
    out[first + t + 256] = s[t + 256];
}

kernel LOCAL(256, 1) void scan(global const uint *in, global uint *out, int unused) {
    local uint s[2][256];
    const uint t = get_local_id(0), g = get_global_id(0);
    s[0][t] = in[g];
    uint from = 0;
    for (uint d = 1; d < 256; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        s[!from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
        from = !from;
    }
    out[g] = s[from][t];
}

static float sum_of_group(local float *s, uint t, float v) {
    s[t] = v;
    for (uint d = 128; d; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) s[t] += s[t + d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return s[0];
}
kernel LOCAL(256, 1) void reduce(global const float *in, global float *out, int n) {
    local float s[256];
    float v = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) v += in[i];
    v = sum_of_group(s, get_local_id(0), v);
    if (!get_local_id(0)) out[get_group_id(0)] = v;
}

// Four stages of four points a work-item.
kernel LOCAL(64, 1) void fft256(global const float2 *in, global const float2 *twiddles, global float2 *out, int unused) {
    local float2 s[256];
    const uint t = get_local_id(0), first = get_group_id(0) * 256;
    float2 v[4];
    for (uint i = 0; i < 4; i++) v[i] = in[first + t + 64 * i];
    for (uint n = 1; n < 256; n *= 4) {
        const uint j = t & (n - 1);
        for (uint i = 1; i < 4; i++) {
            const float2 w = twiddles[i * j * (64 / n)];
            v[i] = (float2)(v[i].x * w.x - v[i].y * w.y, v[i].x * w.y + v[i].y * w.x);
        }
        const float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
        const float2 e = (float2)(d.y, -d.x);
        const uint at = (t - j) * 4 + j;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[at] = a + c;
        s[at + n] = b + e;
        s[at + 2 * n] = a - c;
        s[at + 3 * n] = b - e;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < 4; i++) v[i] = s[t + 64 * i];
    }
    for (uint i = 0; i < 4; i++) out[first + t + 64 * i] = v[i];
}

kernel LOCAL(16, 16) void gemm_tiled(global const float *a, global const float *b, global float *c, int n) {
    local float s[16][16], r[16][16];
    const int x = get_local_id(0), y = get_local_id(1), j = get_global_id(0), i = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[y][x] = a[i * n + k + x];
        r[y][x] = b[(k + y) * n + j];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int l = 0; l < 16; l++) sum += s[y][l] * r[l][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[i * n + j] = sum;
}

kernel LOCAL(16, 16) void gemm_naive(global const float *a, global const float *b, global float *c, int n) {
    const int j = get_global_id(0), i = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}

// Rows of both matrices lie in the direction of the sum.
kernel LOCAL(64, 4) void gemm_i8(global const char4 *a, global const char4 *b, global int *c, int n, int depth) {
    const int j = get_global_id(0), i = get_global_id(1), words = depth / 4;
    int sum = 0;
    for (int k = 0; k < words; k++) {
        const int4 p = convert_int4(a[i * words + k]) * convert_int4(b[j * words + k]);
        sum += p.x + p.y + p.z + p.w;
    }
    c[i * n + j] = sum;
}

kernel LOCAL(256, 1) void dot_i8(global const char *a, global const char *b, global int *out, int words) {
    int sum = 0;
    for (int i = get_global_id(0); i < 4 * words; i += get_global_size(0)) sum += a[i] * b[i];
    out[get_global_id(0)] = sum;
}

static float normal(float d) {
    const float k = 1 / (1 + 0.2316419f * fabs(d));
    const float p = ((((1.330274429f * k - 1.821255978f) * k + 1.781477937f) * k - 0.356563782f) * k + 0.31938153f) * k;
    const float c = 0.39894228f * exp(-0.5f * d * d) * p;
    return d > 0 ? 1 - c : c;
}
kernel LOCAL(256, 1) void black_scholes(global const float *price, global const float *years, global float *call,
                                        global float *put, int unused) {
    const int i = get_global_id(0);
    const float s = 5 + 25 * price[i], x = 20, t = 0.25f + 9.75f * years[i], r = 0.02f, v = 0.3f;
    const float root = sqrt(t), d1 = (log(s / x) + (r + 0.5f * v * v) * t) / (v * root), d2 = d1 - v * root;
    const float a = normal(d1), b = normal(d2), discounted = x * exp(-r * t);
    call[i] = s * a - discounted * b;
    put[i] = discounted * (1 - b) - s * (1 - a);
}

constant uint sha_k[64] = {
#include "sha256.inc"
};
#define ROTR(x, n) rotate((uint)(x), 32u - n)
kernel LOCAL(64, 1) void sha256(global const uint *in, global uint *out, int unused) {
    const uint g = get_global_id(0);
    const uint start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint w[16], h[8];
    for (int i = 0; i < 16; i++) w[i] = in[g * 16 + i];
    for (int i = 0; i < 8; i++) h[i] = start[i];
#pragma unroll
    for (int i = 0; i < 64; i++) {
        if (i >= 16) {
            const uint a = w[(i + 1) & 15], b = w[(i + 14) & 15];
            w[i & 15] += w[(i + 9) & 15] + (ROTR(a, 7) ^ ROTR(a, 18) ^ a >> 3) + (ROTR(b, 17) ^ ROTR(b, 19) ^ b >> 10);
        }
        const uint e = h[4], a = h[0];
        const uint t = h[7] + (ROTR(e, 6) ^ ROTR(e, 11) ^ ROTR(e, 25)) + ((e & h[5]) ^ (~e & h[6])) + sha_k[i] + w[i & 15];
        const uint u = (ROTR(a, 2) ^ ROTR(a, 13) ^ ROTR(a, 22)) + ((a & h[1]) ^ (a & h[2]) ^ (h[1] & h[2]));
        for (int k = 7; k; k--) h[k] = h[k - 1];
        h[4] += t;
        h[0] = t + u;
    }
    for (int i = 0; i < 8; i++) out[g * 8 + i] = h[i] + start[i];
}

// Rounds by tables of 256 words; the tables' contents do not matter to the time.
kernel LOCAL(256, 1) void aes(global const uint4 *in, global const uint *key, global const uint *tables, global uint4 *out, int unused) {
    local uint s[1024];
    for (uint i = get_local_id(0); i < 1024; i += 256) s[i] = tables[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint4 p = in[get_global_id(0)];
    uint a = p.x ^ key[0], b = p.y ^ key[1], c = p.z ^ key[2], d = p.w ^ key[3];
    for (int r = 4; r < 44; r += 4) {
        const uint e = s[a & 255] ^ s[256 + (b >> 8 & 255)] ^ s[512 + (c >> 16 & 255)] ^ s[768 + (d >> 24)] ^ key[r];
        const uint f = s[b & 255] ^ s[256 + (c >> 8 & 255)] ^ s[512 + (d >> 16 & 255)] ^ s[768 + (a >> 24)] ^ key[r + 1];
        const uint g = s[c & 255] ^ s[256 + (d >> 8 & 255)] ^ s[512 + (a >> 16 & 255)] ^ s[768 + (b >> 24)] ^ key[r + 2];
        const uint h = s[d & 255] ^ s[256 + (a >> 8 & 255)] ^ s[512 + (b >> 16 & 255)] ^ s[768 + (c >> 24)] ^ key[r + 3];
        a = e, b = f, c = g, d = h;
    }
    out[get_global_id(0)] = (uint4)(a, b, c, d);
}

kernel LOCAL(256, 1) void philox(global uint4 *out, uint k0, uint k1) {
    uint4 c = (uint4)(get_global_id(0), 0, 1, 2);
    for (int i = 0; i < 10; i++) {
        const uint h0 = mul_hi(0xd2511f53u, c.x), l0 = 0xd2511f53u * c.x;
        const uint h1 = mul_hi(0xcd9e8d57u, c.z), l1 = 0xcd9e8d57u * c.z;
        c = (uint4)(h1 ^ c.y ^ k0, l1, h0 ^ c.w ^ k1, l0);
        k0 += 0x9e3779b9;
        k1 += 0xbb67ae85;
    }
    out[get_global_id(0)] = c;
}

kernel LOCAL(64, 1) void mt19937(global uint *out, uint seed) {
    uint s[624];
    const uint g = get_global_id(0);
    s[0] = seed + g;
    for (uint i = 1; i < 624; i++) s[i] = 1812433253u * (s[i - 1] ^ s[i - 1] >> 30) + i;
    for (uint i = 0; i < 624; i++) {
        const uint y = (s[i] & 0x80000000u) | (s[i < 623 ? i + 1 : 0] & 0x7fffffff);
        uint v = s[i < 227 ? i + 397 : i - 227] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        s[i] = v;
        v ^= v >> 11;
        v ^= v << 7 & 0x9d2c5680u;
        v ^= v << 15 & 0xefc60000u;
        out[i * get_global_size(0) + g] = v ^ v >> 18;
    }
}

kernel LOCAL(256, 1) void spmv(global const int *first, global const int *column, global const float *a, global const float *x,
                               global float *y, int rows) {
    const int row = get_global_id(0);
    if (row >= rows) return;
    float sum = 0;
    for (int i = first[row]; i < first[row + 1]; i++) sum += a[i] * x[column[i]];
    y[row] = sum;
}

kernel LOCAL(16, 16) void conv5(global const float *in, global const float *weights, global float *out, int n) {
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++) sum += weights[j * 5 + i] * in[(y + j) * (n + 4) + x + i];
    out[y * n + x] = sum;
}

kernel LOCAL(16, 16) void sobel(global const uchar *in, global uchar *out, int n) {
    const int x = get_global_id(0), y = get_global_id(1), w = n + 2;
    global const uchar *p = in + y * w + x;
    const int a = p[0], b = p[1], c = p[2], d = p[w], f = p[w + 2], g = p[2 * w], h = p[2 * w + 1], i = p[2 * w + 2];
    const int u = c + 2 * f + i - a - 2 * d - g, v = g + 2 * h + i - a - 2 * b - c;
    const int sum = abs(u) + abs(v);
    out[y * n + x] = sum > 255 ? 255 : sum;
}

// An LU decomposition without pivots; element k of all matrices lies together.
kernel LOCAL(64, 1) void det8(global const float *in, global float *out, int count) {
    const int g = get_global_id(0);
    float m[8][8], det = 1;
#pragma unroll
    for (int k = 0; k < 64; k++) m[k / 8][k % 8] = in[k * count + g] + (k / 8 == k % 8 ? 4 : 0);
#pragma unroll
    for (int k = 0; k < 8; k++) {
        det *= m[k][k];
#pragma unroll
        for (int i = k + 1; i < 8; i++) {
            const float f = m[i][k] / m[k][k];
#pragma unroll
            for (int j = k + 1; j < 8; j++) m[i][j] -= f * m[k][j];
        }
    }
    out[g] = det;
}

static float distance_at(float x, float y, float z) {
    const float u = x - floor(x) - 0.5f, v = y - floor(y) - 0.5f;
    return sqrt(u * u + v * v + (z - 4) * (z - 4)) - 0.3f;
}
kernel LOCAL(64, 4) void raymarch(global float *out, int width, int height) {
    const int i = get_global_id(0), j = get_global_id(1);
    const float dx = (i - width / 2) / (float)width, dy = (j - height / 2) / (float)height;
    const float scale = 1 / sqrt(dx * dx + dy * dy + 1);
    float t = 0;
    for (int n = 0; n < 48; n++) {
        const float d = distance_at(t * dx * scale, t * dy * scale, t * scale);
        t += 0.5f * d;
        if (d < 0.001f || t > 12) break;
    }
    out[j * width + i] = t > 12 ? 12 : t;
}

static float most_of_group(local float *s, uint t, float v) {
    s[t] = v;
    for (uint d = 128; d; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) s[t] = fmax(s[t], s[t + d]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return s[0];
}
kernel LOCAL(256, 1) void softmax(global const float *in, global float *out, int n) {
    local float s[256], r[256];
    const uint t = get_local_id(0);
    global const float *row = in + get_group_id(0) * n;
    float most = -INFINITY, sum = 0;
    for (int i = t; i < n; i += 256) most = fmax(most, row[i]);
    most = most_of_group(s, t, most);
    for (int i = t; i < n; i += 256) sum += exp(row[i] - most);
    sum = sum_of_group(r, t, sum);
    for (int i = t; i < n; i += 256) out[get_group_id(0) * n + i] = exp(row[i] - most) / sum;
}

kernel LOCAL(256, 1) void rmsnorm(global const float *in, global const float *weight, global float *out, int n) {
    local float s[256];
    global const float *row = in + get_group_id(0) * n;
    float sum = 0;
    for (int i = get_local_id(0); i < n; i += 256) sum += row[i] * row[i];
    const float scale = 1 / sqrt(sum_of_group(s, get_local_id(0), sum) / n + 1e-5f);
    for (int i = get_local_id(0); i < n; i += 256) out[get_group_id(0) * n + i] = row[i] * scale * weight[i];
}

// Pairs of numbers, `pairs` of them a head of one position.
kernel LOCAL(256, 1) void rope(global const float2 *in, global float2 *out, int pairs) {
    const int g = get_global_id(0), pair = g % pairs, position = g / pairs;
    const float angle = position * exp2(-13.28771f * pair / pairs), c = cos(angle), s = sin(angle);
    const float2 v = in[g];
    out[g] = (float2)(v.x * c - v.y * s, v.x * s + v.y * c);
}

struct q4 {
    float scale;
    uint nibbles[4];
};
static float sum_of_wave(local float *s, uint t, float v) {
    s[t] = v;
    for (uint d = 32; d; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) s[t] += s[t + d];
    }
    return s[0];
}
kernel LOCAL(64, 1) void matvec_q4(global const struct q4 *w, global const float *x, global float *y, int blocks) {
    local float s[64];
    const uint t = get_local_id(0), row = get_group_id(0);
    float sum = 0;
    for (int b = t; b < blocks; b += 64) {
        global const struct q4 *q = &w[row * blocks + b];
        float part = 0;
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 8; k++) part += ((int)(q->nibbles[i] >> 4 * k & 15) - 8) * x[(i * 8 + k) * blocks + b];
        sum += q->scale * part;
    }
    sum = sum_of_wave(s, t, sum);
    if (!t) y[row] = sum;
}

struct q8 {
    float scale;
    char n[32];
};
kernel LOCAL(64, 1) void matvec_q8(global const struct q8 *w, global const struct q8 *x, global float *y, int blocks) {
    local float s[64];
    const uint t = get_local_id(0), row = get_group_id(0);
    float sum = 0;
    for (int b = t; b < blocks; b += 64) {
        global const struct q8 *q = &w[row * blocks + b], *v = &x[b];
        int dot = 0;
        for (int i = 0; i < 32; i++) dot += q->n[i] * v->n[i];
        sum += q->scale * v->scale * dot;
    }
    sum = sum_of_wave(s, t, sum);
    if (!t) y[row] = sum;
}

kernel LOCAL(256, 1) void string_search(global const uchar *text, global const uchar *word, global uchar *found, int length) {
    const int i = get_global_id(0);
    int n = 0;
    while (n < length && text[i + n] == word[n]) n++;
    found[i] = n;
}

kernel LOCAL(256, 1) void hist_global(global const uint *in, global uint *bins, int n) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&bins[in[i] & 255]);
}

kernel LOCAL(256, 1) void hist_lds(global const uint *in, global uint *bins, int n) {
    local uint s[256];
    const uint t = get_local_id(0);
    s[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&s[in[i] & 255]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[t], s[t]);
}

kernel LOCAL(256, 1) void copy(global const uint *in, global uint *out, int n) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i];
}

kernel LOCAL(256, 1) void nbody(global const float4 *in, global float4 *out, int n) {
    local float4 s[256];
    const float4 own = in[get_global_id(0)];
    float3 force = 0;
    for (int k = 0; k < n; k += 256) {
        s[get_local_id(0)] = in[k + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 256; i++) {
            const float3 d = s[i].xyz - own.xyz;
            const float r = 1 / sqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
            force += d * (s[i].w * r * r * r);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = (float4)(force, own.w);
}
