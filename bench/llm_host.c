// SPDX-License-Identifier: MIT
// The kernels of llm.cl in C with OpenMP, built for the host with all that its compiler can do.
#include "llm.h"

#include <math.h>
#include <string.h>

void host_matvec(const struct q4_block *w, const struct q8_block *x, float *y, int rows, int blocks) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; row++) {
        float sum = 0;
        for (int b = 0; b < blocks; b++) {
            const struct q4_block *q = &w[(long)row * blocks + b];
            const uint8_t *n = (const uint8_t *)q->nibbles;
            const int8_t *low = (const int8_t *)x[b].low, *high = (const int8_t *)x[b].high;
            int dot = 0;
            for (int i = 0; i < 16; i++) dot += (n[i] & 15) * low[i] + (n[i] >> 4) * high[i];
            sum += q->scale * x[b].scale * (float)(dot - 8 * x[b].sum);
        }
        y[row] = sum;
    }
}

enum { QUERIES = 16, TILE = 16 };

static void head_tile(const _Float16 *q, const _Float16 *k, const _Float16 *v, float *out, int keys) {
    float most[QUERIES], weight[QUERIES] = {0}, sums[QUERIES][WIDTH] = {{0}}, query[QUERIES][WIDTH];
    for (int i = 0; i < QUERIES; i++) {
        most[i] = -INFINITY;
        for (int d = 0; d < WIDTH; d++) query[i][d] = (float)q[i * WIDTH + d];
    }
    for (int key = 0; key < keys; key += TILE) {
        float column[TILE][WIDTH], row[TILE][WIDTH];
        for (int j = 0; j < TILE; j++)
            for (int d = 0; d < WIDTH; d++) {
                column[j][d] = (float)k[(key + j) * WIDTH + d];
                row[j][d] = (float)v[(key + j) * WIDTH + d];
            }
        for (int i = 0; i < QUERIES; i++) {
            float s[TILE], next = most[i];
            for (int j = 0; j < TILE; j++) {
                float sum = 0;
                for (int d = 0; d < WIDTH; d++) sum += column[j][d] * query[i][d];
                s[j] = sum * SCALE;
                next = fmaxf(next, s[j]);
            }
            const float keep = exp2f(most[i] - next);
            most[i] = next;
            weight[i] *= keep;
            for (int d = 0; d < WIDTH; d++) sums[i][d] *= keep;
            for (int j = 0; j < TILE; j++) {
                const float p = exp2f(s[j] - next), rounded = (float)(_Float16)p;
                weight[i] += p;
                for (int d = 0; d < WIDTH; d++) sums[i][d] += rounded * row[j][d];
            }
        }
    }
    for (int i = 0; i < QUERIES; i++)
        for (int d = 0; d < WIDTH; d++) out[i * WIDTH + d] = sums[i][d] / weight[i];
}

void host_attention(const uint16_t *q, const uint16_t *k, const uint16_t *v, float *out, int heads,
                    int keys) {
#pragma omp parallel for schedule(dynamic) collapse(2)
    for (int head = 0; head < heads; head++)
        for (int tile = 0; tile < keys / QUERIES; tile++) {
            const long at = (long)head * keys * WIDTH, first = at + (long)tile * QUERIES * WIDTH;
            head_tile((const _Float16 *)q + first, (const _Float16 *)k + at, (const _Float16 *)v + at,
                      out + first, keys);
        }
}
