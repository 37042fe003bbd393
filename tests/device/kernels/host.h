// SPDX-License-Identifier: MIT
// Runs OpenCL kernels that were compiled for the host: the reference against which the device is compared.
// Every work-item is a coroutine, so barriers and operations across the lanes of a wave work as on a GPU.
#ifndef TESTS_KERNELS_HOST_H
#define TESTS_KERNELS_HOST_H

#include <stdint.h>

enum { HOST_INTEGERS = 10, HOST_REALS = 8 };

// Arguments by register class of the System V ABI: pointers and integers, then floating point.
struct host_call {
    void (*kernel)(void);
    uint64_t integers[HOST_INTEGERS];
    double reals[HOST_REALS]; // a float or half lies in the low bytes
    uint32_t grid[3], block[3];
    unsigned wave; // lanes
};

// Runs the work-groups of a call one after another; with `together` all at once, for kernels whose
// work-groups wait for each other. Returns 0, or -1 when out of memory or when every work-item waits.
int host_run(const struct host_call *call, int together);

// What the builtins in builtins.c ask of the running work-item.
struct host_item {
    uint32_t group[3], local[3], size[3]; // size: of its work-group
    uint32_t lane, index;                 // index in the work-group
};
const struct host_item *host_item(void);
const struct host_call *host_current(void);
void host_yield(void);
void host_barrier(void);
// Collective over the wave: each live work-item gives a value, then reads those of the others. Lanes that
// do not exist read as 0; returns the array of 64 values, valid until the next exchange.
const uint64_t *host_exchange(uint64_t value);
uint64_t host_live_lanes(void);

#endif
