// SPDX-License-Identifier: MIT
// What both sides of the wide set agree on.
#ifndef BENCH_WIDE_H
#define BENCH_WIDE_H

enum { WIDE_BUFFERS = 6, WIDE_SCALARS = 2, WIDE_NAME = 24 };

struct wide_args {
    void *buffer[WIDE_BUFFERS];
    int scalar[WIDE_SCALARS];
};

// The kernels in C: host_NAME(arguments).
#define CASE(name, ...) void host_##name(const struct wide_args *a);
#include "bench/wide/cases.def"
#undef CASE

#endif
