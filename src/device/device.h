// SPDX-License-Identifier: MIT
// The device as its own files see it: memory.c, load.c, launch.c, dispatch.c.
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "base/array.h"
#include "device/group.h"

struct allocation {
    uint64_t base, size;          // as asked for
    uint64_t mapped, mapped_size; // with guard pages
};

struct sw_executable {
    struct sw_executable *next;
    uint64_t base, size;
    void *memory;
    struct {
        uint64_t offset, size;
    } code; // the executable range
    struct program *programs;
    struct printf_buffer *print; // NULL: its kernels print nothing
};

struct sw_device {
    sw_device_options options;
    const struct isa *isa;
    const struct body *const *bodies;
    const struct steps *steps;
    const char *level;
    uint8_t hwregs[64]; // enum hwreg by number

    pthread_mutex_t lock; // guards everything below but the code of bodies
    pthread_cond_t work, done;
    const struct map *map; // current; replaced as a whole
    uint64_t map_version;
    ARRAY(const struct map *) old_maps;
    uint64_t arena_next, arena_end; // addresses for allocations
    ARRAY(struct allocation) allocations;
    sw_executable *executables;
    struct dispatch *dispatches; // with groups left to start, in order
    struct worker *workers;
    unsigned thread_count;
    bool quit;
    pthread_mutex_t observer_lock;
};

// Facts common to every group of a dispatch (launch.c).
struct launch {
    const sw_dispatch *dispatch;
    sw_kernel_descriptor descriptor;
    struct program *program;
    const struct op *entry;
    uint64_t entry_address;
    uint32_t lanes, waves_per_group, group_items;
    uint32_t groups[3]; // work-groups in each dimension
    uint32_t lds_size;
    uint32_t private_bytes, scratch_bytes; // a lane: as the kernel sees it, and as allocated
    uint32_t vgprs, agprs, agpr_base;
    size_t wave_bytes;
    uint32_t mode;
    bool packed_ids, architected_ids, architected_scratch, gfx10_scratch;
    bool element_sizes;            // scratch descriptors say how wide swizzled elements are (before GFX9)
    uint32_t (*ids)[3][MAX_LANES]; // work-item ids of each wave of a full group, packed if the hardware does
    uint64_t packet[8];            // the AQL packet that the dispatch pointer names
    uint64_t queue[32];            // the amd_queue_t stand-in that the queue pointer names
};

sw_status launch_prepare(struct launch *l, sw_device *device, const sw_dispatch *d, const sw_sink *sink);
// Sets the initial state of one wave (INIT rows).
void launch_wave(const struct launch *l, struct worker *worker, struct group *g, struct wave *w,
                 uint32_t number);

// A group context for this launch: from the worker's idle list or new. NULL: out of memory.
struct group *group_create(struct worker *worker, const struct launch *l);
void group_free(struct worker *worker, struct group *g);
void *worker_main(void *worker);
void *device_alloc_locked(sw_device *d, uint64_t size);
void executable_free(sw_device *d, sw_executable *e);

// printf in kernels (printf.c).
sw_status printf_create(sw_device *d, const sw_object *object, sw_executable *e, const sw_sink *sink);
void printf_free(sw_device *d, sw_executable *e);
uint64_t printf_address(const sw_executable *e); // of the buffer, 0: none
void printf_begin(sw_device *d, sw_executable *e);
// Hands out what the kernel printed, until `deadline` (of device_now; 0: none). A limit that is met is a
// fault.
sw_status printf_end(sw_device *d, const sw_dispatch *q, double deadline, sw_fault *fault,
                     const sw_sink *sink);
double device_now(void); // seconds

struct program *executable_program(sw_device *d, sw_executable *e, const struct code_facts *facts);
// Publishes a change of rights. Called with the lock held; waits for workers when rights were taken away.
sw_status device_set_rights(sw_device *d, uint64_t lo, uint64_t hi, unsigned rights);

#endif
