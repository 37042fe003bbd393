// SPDX-License-Identifier: MIT
// The device as its own files see it.
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "base/array.h"
#include "base/sized.h"
#include "sched/pool.h"

// Addresses of the first device's allocations. Chosen away from where Linux puts programs and libraries.
#if defined(__SANITIZE_THREAD__) // which has its own plan of the address space
#define ARENA_BASE 0x004000000000ull
#define ARENA_SIZE 0x004000000000ull
#else
#define ARENA_BASE 0x200000000000ull
#define ARENA_SIZE 0x010000000000ull
#endif

struct allocation {
    uint64_t base, size;          // as asked for
    uint64_t mapped, mapped_size; // with guard pages
    uint64_t asked;               // bytes that kernels may touch
    bool internal;                // not the caller's to free
    bool shared;                  // maybe with other devices (share.c)
    unsigned flags;               // SW_MEMORY_*
    sw_executable *code;          // of executable memory
};

struct sw_executable {
    struct sw_executable *next;
    uint64_t base, size;
    void *memory;
    struct {
        uint64_t offset, size;
    } code;               // the executable range
    bool has_kernel_code; // of code object V2: kernels have an amd_kernel_code_t, not a descriptor
    struct program *programs;
    struct program *stale;       // of code that has changed since: running dispatches may still be in them
    unsigned users;              // jobs that are not finished; under the device's lock
    struct printf_buffer *print; // NULL: its kernels print nothing
};

struct sw_device {
    struct pool pool; // first, so that it leads to its device
    const struct body *const *bodies;
    bool native_at_once;    // all code becomes native
    bool fused_at_once;     // and is compiled (jit/fused.h)
    const char *native_not; // why it does not, or NULL
    uint64_t launches;      // atomic

    // Under the pool's lock.
    uint64_t arena_next, arena_end;       // addresses for allocations
    ARRAY(struct allocation) allocations; // by address
    ARRAY(struct launch_block *) blocks;  // not in use
    sw_executable *executables;
    unsigned calls; // of other threads that are under way
    bool closing;
};
static inline sw_device *device_of(struct pool *pool) { return (sw_device *)pool; }

// What a kernel's dispatch and queue pointers point to, when the caller has no packet and queue of its own.
// Blocks lie in memory that kernels may read, where nothing else of the host is.
struct launch_block {
    uint64_t packet[8]; // the AQL packet
    uint64_t gap[56];
    uint64_t queue[32]; // the amd_queue_t stand-in
    uint64_t end[32];
};

struct sw_job {
    struct dispatch dispatch; // first, so that it leads to its job
    struct launch launch;     // of a dispatch
    struct transfer transfer; // of what is not one
    sw_dispatch request;
    sw_submit_options options;
};
sw_status job_create(sw_device *d, const sw_submit_options *options, struct sw_job **out,
                     const sw_sink *sink);
void job_discard(struct sw_job *job);
// Does a transfer in this thread: it has ended when this returns.
void job_run_here(struct sw_job *job);

sw_status launch_prepare(struct launch *l, sw_device *device, const sw_dispatch *d, const sw_sink *sink);
// Gives back what launch_prepare took, also after it failed.
void launch_release(struct launch *l, sw_device *device);
// Memory of the device's own, which kernels may touch. device_release waits for workers: not for them to
// call.
void *device_reserve(sw_device *d, uint64_t size);
void device_release(sw_device *d, void *memory);
void allocations_free(sw_device *d); // all, when nothing runs any more
void executable_free(sw_device *d, sw_executable *e);
// Memory as code without kernels of its own. NULL: out of memory.
sw_executable *code_create(uint64_t base, uint64_t size);
// Ends it as unloading does. Called with the lock held.
void code_remove(sw_device *d, sw_executable *e);

// An executable with users is not unloaded. Refuses one that is not loaded.
sw_status executable_use(sw_device *d, sw_executable *e, const sw_sink *sink);
void executable_unuse(sw_device *d, sw_executable *e);

// Calls that are under way keep the device alive: false when it is being destroyed.
bool device_enter(sw_device *d);
// The same for who knows that it is not gone yet.
void device_keep(sw_device *d);
void device_leave(sw_device *d);
// What callers may state of their structs (base/sized.h).
static const struct sized dispatch_kind = SIZED(sw_dispatch, print_context);

// printf in kernels (printf.c).
sw_status printf_create(sw_device *d, const sw_object *object, sw_executable *e, const sw_sink *sink);
void printf_free(sw_device *d, sw_executable *e);
uint64_t printf_address(const sw_executable *e); // of the buffer, 0: none
void printf_begin(sw_device *d, sw_executable *e);
// Hands out what the kernel printed, until `deadline` (of monotonic_ns; 0: none). A limit that is met is a
// fault.
sw_status printf_end(sw_device *d, const sw_dispatch *q, uint64_t deadline, sw_fault *fault,
                     const sw_sink *sink);

// Marks the caller's allocation at this address as one that is shared: how many bytes kernels may touch.
// *less: its own kernels may still count on being alone. Called with the lock held.
bool allocation_share(sw_device *d, uint64_t base, uint64_t *size, bool *less);
// Takes shared memory from all that have it; of a device that ends, everything, also what others share with
// it. Called without locks.
void shares_revoke(sw_device *owner, uint64_t base);
void shares_forget(sw_device *d);

// The block at a GPU address, in whichever executable holds it. `own`: it belongs to the same program as the
// code that ran, so that it lives as long. NULL: no code there.
const struct op *device_block(struct wave *w, uint64_t address, bool *own);
struct program *device_other_program(const struct wave *w); // see struct pool
struct program *executable_program(sw_device *d, sw_executable *e, const struct code_facts *facts);
// Whether bytes [address, last] may be read.
bool device_may_read(sw_device *d, uint64_t address, uint64_t last);

#endif
