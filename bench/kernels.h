// SPDX-License-Identifier: MIT
// The ten kernels of kernels.cl with the sizes that both sides of the bench run: bench.c on Softwave,
// native.c on the host's OpenCL CPU device.
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <stddef.h>
#include <stdint.h>

struct bench_kernel {
    const char *name;
    uint32_t grid[2], block[2];
    int buffers;
    size_t size[3];
    int has_f32, has_f64;
    float f32;
    double f64;
    int scalars, scalar[3]; // int arguments behind the others
};

static const struct bench_kernel bench_kernels[] = {
    {"saxpy", {1 << 22, 1}, {256, 1}, 2, {4 << 22, 4 << 22}, .has_f32 = 1, .f32 = 1.5f},
    {"sgemm_naive", {512, 512}, {64, 4}, 3, {1 << 20, 1 << 20, 1 << 20}, .scalars = 1, .scalar = {512}},
    {"sgemm_lds", {512, 512}, {16, 16}, 3, {1 << 20, 1 << 20, 1 << 20}, .scalars = 1, .scalar = {512}},
    {"nbody", {4096, 1}, {256, 1}, 2, {65536, 65536}, .scalars = 1, .scalar = {4096}},
    {"mandel", {1024, 1024}, {64, 4}, 1, {4 << 20}, .scalars = 3, .scalar = {1024, 1024, 256}},
    {"reduce", {1 << 22, 1}, {256, 1}, 2, {4 << 14, 4 << 22}},
    {"histogram", {1 << 16, 1}, {256, 1}, 2, {1024, 1 << 22}, .scalars = 1, .scalar = {1 << 22}},
    {"hash", {1 << 18, 1}, {256, 1}, 1, {4 << 18}, .scalars = 1, .scalar = {200}},
    {"stencil", {2048, 2048}, {64, 4}, 2, {2050 * 2050 * 4, 2050 * 2050 * 4}, .scalars = 1, .scalar = {2050}},
    {"daxpy64",
     {1 << 20, 1},
     {256, 1},
     2,
     {8 << 20, 8 << 20},
     .has_f64 = 1,
     .f64 = 1.0001,
     .scalars = 1,
     .scalar = {64}},
};
enum { BENCH_KERNELS = sizeof bench_kernels / sizeof *bench_kernels, BENCH_RUNS = 6 };

// Both sides start from the same numbers.
static inline void bench_fill(void *memory, size_t bytes) {
    float *f = memory;
    uint32_t z = 1;
    for (size_t i = 0; i < bytes / 4; i++) {
        z = z * 1664525u + 1013904223u;
        f[i] = (float)(z >> 9) * (1.0f / (1 << 23));
    }
}

#endif
