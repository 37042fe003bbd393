// SPDX-License-Identifier: MIT
// Work-groups and workers: what the waves of a running dispatch share. dispatch.c runs them.
#ifndef DEVICE_GROUP_H
#define DEVICE_GROUP_H

#include <pthread.h>

#include "device/memory.h"
#include "device/program.h"
#include "softwave/device.h"

struct dispatch;

// A work-group in flight. All its waves run on one worker.
struct group {
    struct dispatch *dispatch;
    struct group *next; // of the worker's groups, oldest first
    uint32_t id[3];
    uint32_t wave_count, alive;
    uint32_t arrived, phase; // of the barrier
    uint32_t lds_capacity;
    uint8_t *lds;
    struct wave **waves;
    void *memory; // that all of the above live in
    size_t memory_bytes;
    uint32_t lanes;
    size_t wave_bytes;
    uint8_t *scratch;       // device memory, or NULL
    uint64_t scratch_bytes; // a wave
};

struct worker {
    struct sw_device *device;
    unsigned index;
    const struct map *map; // as of the last safe point
    uint64_t map_version;  // of it
    bool busy;             // holds groups
    struct range ranges[RANGE_SLOTS];
    uint64_t counts[SW_CLASSES]; // observed instructions of the running dispatch
    struct group *idle;          // contexts to use again
    pthread_t thread;
};

// A launch in progress.
struct dispatch {
    struct sw_device *device;
    struct dispatch *next;
    const struct launch *launch;      // facts common to the grid
    uint64_t group_total, group_next; // work-groups in all; next to start
    uint64_t group_done;
    uint64_t start;      // of the shader clock
    unsigned workers_in; // workers that hold groups of it
    bool stop;           // a wave faulted, or time is up; atomic
    bool finished;
    pthread_mutex_t fault_lock;
    struct sw_fault fault;
    struct sw_counts counts;
};

static inline bool dispatch_stopped(const struct dispatch *q) {
    return __atomic_load_n(&q->stop, __ATOMIC_RELAXED);
}
static inline void dispatch_stop(struct dispatch *q) { __atomic_store_n(&q->stop, true, __ATOMIC_RELAXED); }
// Work-groups handed out so far.
static inline uint64_t dispatch_next(const struct dispatch *q) {
    return __atomic_load_n(&q->group_next, __ATOMIC_RELAXED);
}

// The block at a GPU address, in whichever executable holds it; also gives the program. NULL: no code there.
const struct op *device_block(struct wave *w, uint64_t address);

#endif
