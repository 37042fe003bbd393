// SPDX-License-Identifier: MIT
// Two kernels as inference of language models has them, for gfx90a: a product of a 4-bit quantised matrix with an 8-bit
// quantised vector, and attention with matrix instructions. bench/llm_host.c has the same in C.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#include "llm.h"

// y = W x, a row a wave. A block is 32 weights of 4 bits, less 8, with a scale; x has 32 numbers of 8 bits with a scale.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void matvec(global const struct q4_block *w,
                                                                   global const struct q8_block *x,
                                                                   global float *y, int blocks) {
    const int row = get_group_id(0), lane = get_local_id(0);
    local float sums[64];
    float sum = 0;
    for (int b = lane; b < blocks; b += 64) {
        global const struct q4_block *q = &w[(long)row * blocks + b];
        global const struct q8_block *v = &x[b];
        int dot = 0;
        for (int i = 0; i < 4; i++) {
            const uint n = q->nibbles[i];
            dot = __builtin_amdgcn_sdot4((int)(n & 0x0f0f0f0f), v->low[i], dot, false);
            dot = __builtin_amdgcn_sdot4((int)(n >> 4 & 0x0f0f0f0f), v->high[i], dot, false);
        }
        sum += q->scale * v->scale * (float)(dot - 8 * v->sum);
    }
    sums[lane] = sum;
    for (int step = 32; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < step) sums[lane] += sums[lane + step];
    }
    if (!lane) y[row] = sums[0];
}

typedef half half4_t __attribute__((ext_vector_type(4)));
typedef float float4_t __attribute__((ext_vector_type(4)));
#define MFMA(a, b, c) __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0)

// Over the lanes that hold the same query: those 16 and 32 apart.
static float other(float v, int apart) {
    return as_float(__builtin_amdgcn_ds_bpermute(4 * ((int)get_local_id(0) ^ apart), as_int(v)));
}
static float largest(float v) {
    v = fmax(v, other(v, 16));
    return fmax(v, other(v, 32));
}
static float total(float v) {
    v += other(v, 16);
    return v + other(v, 32);
}

// softmax(Q K') V for 16 queries a wave, keys in tiles of 16, one head a row of groups. The transposed product K Q' has
// each query's weights where the product with V reads its first operand.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void attention(global const half *q, global const half *k,
                                                                      global const half *v, global float *out,
                                                                      int keys) {
    const int lane = get_local_id(0), column = lane & 15, quarter = lane >> 4;
    const long head = (long)get_group_id(1) * keys * WIDTH;
    const long tile = head + (long)get_group_id(0) * 16 * WIDTH;
    half4_t query[WIDTH / 16];
    float4_t sums[WIDTH / 16] = {};
    for (int d = 0; d < WIDTH / 16; d++)
        query[d] = *(global const half4_t *)&q[tile + column * WIDTH + 16 * d + 4 * quarter];
    float most = -INFINITY, weight = 0;
    for (int key = 0; key < keys; key += 16) {
        float4_t s = 0;
        for (int d = 0; d < WIDTH / 16; d++)
            s = MFMA(*(global const half4_t *)&k[head + (key + column) * WIDTH + 16 * d + 4 * quarter], query[d], s);
        s *= SCALE;
        const float now = largest(fmax(fmax(s.x, s.y), fmax(s.z, s.w))), next = fmax(most, now);
        const float keep = native_exp2(most - next);
        const float4_t p = native_exp2(s - next);
        most = next;
        weight = weight * keep + total(p.x + p.y + p.z + p.w);
        const half4_t weights = {(half)p.x, (half)p.y, (half)p.z, (half)p.w};
        float4_t kept; // of the queries whose sums this lane holds
        for (int i = 0; i < 4; i++)
            kept[i] = as_float(__builtin_amdgcn_ds_bpermute(4 * (4 * quarter + i), as_int(keep)));
        for (int d = 0; d < WIDTH / 16; d++) {
            half4_t values;
            for (int i = 0; i < 4; i++) values[i] = v[head + (key + 4 * quarter + i) * WIDTH + 16 * d + column];
            sums[d] = MFMA(weights, values, sums[d] * kept);
        }
    }
    for (int i = 0; i < 4; i++) {
        const float w = as_float(__builtin_amdgcn_ds_bpermute(4 * (4 * quarter + i), as_int(weight)));
        for (int d = 0; d < WIDTH / 16; d++) out[tile + (4 * quarter + i) * WIDTH + 16 * d + column] = sums[d][i] / w;
    }
}
