// SPDX-License-Identifier: MIT
// What both sides of the bench of language model kernels agree on.
#ifndef BENCH_LLM_H
#define BENCH_LLM_H

#define WIDTH 64                   // of a head
#define SCALE (0.125f * 1.442695f) // 1 / sqrt(WIDTH), for powers of two

struct q4_block {
    float scale;
    unsigned nibbles[4]; // the low nibble of byte i is weight i, the high one weight 16 + i
};
struct q8_block {
    float scale;
    int sum; // of the 32 numbers
    int low[4], high[4];
};

#ifndef __OPENCL_C_VERSION__
#include <stdint.h>
void host_matvec(const struct q4_block *w, const struct q8_block *x, float *y, int rows, int blocks);
void host_attention(const uint16_t *q, const uint16_t *k, const uint16_t *v, float *out, int heads, int keys);
#endif

#endif
