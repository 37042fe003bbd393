// SPDX-License-Identifier: MIT
// OpenCL C's builtin functions for kernels compiled for the host, by clang: with `overloadable` the names
// are mangled as in OpenCL C. Exact functions follow the specification; the others round a wider result, so
// that a comparison within a function's ULP is one against the true value.
#include <stdint.h>

#include "host.h"

#define API __attribute__((overloadable, visibility("default")))
#define NAMED(name) __asm__(name)
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef float float4 __attribute__((ext_vector_type(4)));

// ---- Work-items ----
ulong API get_global_id(uint d) { return d < 3 ? (ulong)host_item()->group[d] * host_current()->block[d] + host_item()->local[d] : 0; }
ulong API get_local_id(uint d) { return d < 3 ? host_item()->local[d] : 0; }
ulong API get_group_id(uint d) { return d < 3 ? host_item()->group[d] : 0; }
ulong API get_global_size(uint d) { return d < 3 ? host_current()->grid[d] : 1; }
ulong API get_local_size(uint d) { return d < 3 ? host_item()->size[d] : 1; }
ulong API get_enqueued_local_size(uint d) { return d < 3 ? host_current()->block[d] : 1; }
ulong API get_num_groups(uint d) { return d < 3 ? (host_current()->grid[d] + host_current()->block[d] - 1) / host_current()->block[d] : 1; }
ulong API get_global_offset(uint d) { return d - d; }
uint API get_work_dim(void) { return host_current()->grid[2] > 1 ? 3 : host_current()->grid[1] > 1 ? 2 : 1; }
void API barrier(uint flags) { (void)flags, host_barrier(); }
void API mem_fence(uint flags) { (void)flags; }
float API fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
double API fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
uint API rotate(uint a, uint b) { return a << (b & 31) | a >> (-b & 31); }
float API native_rsqrt(float x) { return (float)(1 / __builtin_sqrt((double)x)); }

// ---- Atomics of OpenCL 1; those of OpenCL 2 need no function ----
#define ATOMICS(space, T, t)                                                                                              \
    T atomic_add_##space##T(volatile T *p, T v) NAMED("_Z10atomic_add" space##_ "V" t t);                                 \
    T atomic_add_##space##T(volatile T *p, T v) { T o = *p; *p = o + v; return o; }                                       \
    T atomic_inc_##space##T(volatile T *p) NAMED("_Z10atomic_inc" space##_ "V" t);                                        \
    T atomic_inc_##space##T(volatile T *p) { T o = *p; *p = o + 1; return o; }
#define global_ "PU8CLglobal"
#define local_ "PU7CLlocal"
ATOMICS(global, int, "i")
ATOMICS(global, uint, "j")
ATOMICS(local, int, "i")
ATOMICS(local, uint, "j")
