// SPDX-License-Identifier: MIT
// What the host itself gives to threads: loops that share nothing but the host, divided among 1, 2 or more.
#ifndef BENCH_HOST_H
#define BENCH_HOST_H

// Fused multiply-adds in registers; y += a * x in a core's own caches, and over as much memory as saxpy uses.
enum host_loop { HOST_REGISTERS, HOST_CACHE, HOST_MEMORY, HOST_LOOPS };
extern const char *const host_loop_names[HOST_LOOPS];

struct host;
struct host *host_create(unsigned threads);
void host_destroy(struct host *h);

// Seconds from when all threads have begun until the last has done its part of the loop, which is the same
// work for any number of threads.
double host_run(struct host *h, enum host_loop loop);

#endif
