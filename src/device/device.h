// SPDX-License-Identifier: MIT
// The device as its own files see it.
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include <sched.h>

#include "base/array.h"
#include "base/sized.h"
#include "device/native/hot.h"
#include "device/native/series.h"
#include "device/queue/group.h"

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

// A resource of global wave sync (gws.c).
struct gws {
    int32_t counter;
    uint32_t phase;            // of the barrier
    uint32_t queued, released; // waves that wait for the semaphore, and those of them that may go on
};

// Threads of workers (queue/start.c). The host's processors are those that the device was made on.
struct crew {
    pthread_mutex_t lock; // held while some are started; taken before the device's
    unsigned started;     // under it
    unsigned promised;    // that are started or about to be; under the device's lock
    unsigned arrived;     // that have looked for work; under the device's lock
#if defined(__linux__)
    bool has_processors;
    cpu_set_t processors;
#endif
};

struct sw_device {
    sw_device_options options;
    const struct isa *isa;
    const struct body *const *bodies;
    const struct steps *steps;
    const char *level;
    bool native;            // hot code becomes native (native.h)
    bool native_at_once;    // all code does
    bool fused_at_once;     // and is compiled (native/fused.h)
    struct tier_up tier_up; // hot kernels are compiled
    const char *native_not; // why it does not, or NULL
    uint8_t hwregs[64];     // enum hwreg by number

    pthread_mutex_t lock; // guards everything below but the code of bodies
    pthread_cond_t work, done;
    struct map map;                       // changed with all workers' map locks held, too
    uint64_t map_version;                 // counts the times that rights or code were taken away; atomic
    uint64_t arena_next, arena_end;       // addresses for allocations
    ARRAY(struct allocation) allocations; // by address
    ARRAY(struct launch_block *) blocks;  // not in use
    sw_executable *executables;
    struct dispatch *dispatches;      // that are not finished, in order
    ARRAY(struct residency *) queues; // that jobs are of
    uint64_t work_version;            // counts submissions; atomic
    uint64_t launches;                // atomic
    unsigned sleepers;                // workers that wait for work
    unsigned lookouts;                // workers that look for work before they sleep
    unsigned wanted;                  // so many of these are to come; atomic
    struct group *retired;            // contexts to be freed by a caller
    struct worker *workers;
    unsigned thread_count; // of workers that there are or may be; less where no more can be started
    struct crew crew;      // those that there are
    unsigned calls;        // of other threads that are under way
    bool closing, quit;
    bool guarded; // atomic
    pthread_mutex_t observer_lock;
    pthread_mutex_t gws_lock;
    struct gws gws[64]; // under gws_lock
};

// What a kernel's dispatch and queue pointers point to, when the caller has no packet and queue of its own.
// Blocks lie in memory that kernels may read, where nothing else of the host is.
struct launch_block {
    uint64_t packet[8]; // the AQL packet
    uint64_t gap[56];
    uint64_t queue[32]; // the amd_queue_t stand-in
    uint64_t end[32];
};

// Facts common to every group of a dispatch (launch.c).
enum { BEGIN_SGPRS = 80, NO_SGPR = 0xff };
struct launch {
    const sw_dispatch *dispatch;
    sw_kernel_descriptor descriptor;
    struct program *program;
    const struct op *entry;
    struct hot_kernel *hot;      // NULL: nobody asks how hot it is
    struct series_choice series; // run waves from there one after the other
    uint64_t entry_address;
    uint64_t code_begin; // of the kernel: what preloads arguments stands before the entry
    uint32_t lanes, waves_per_group, group_items;
    uint32_t groups[3]; // work-groups in each dimension
    uint32_t lds_size;
    uint32_t private_bytes, scratch_bytes; // a lane: as the kernel sees it, and as allocated
    uint32_t vgprs, agprs, agpr_base;
    uint32_t mode;
    bool packed_ids, architected_ids, architected_scratch, gfx10_scratch;
    bool element_sizes;   // scratch descriptors say how wide swizzled elements are (before GFX9)
    struct wave_ids *ids; // work-item ids of each wave of a full group, packed if the hardware does
    struct launch_block *block;
    uint64_t packet, queue; // what pointers in SGPRs name
    uint32_t preload[32];   // arguments that waves begin with in SGPRs
    uint64_t number;        // of the launch: what its contexts were prepared for
    // SGPRs that waves begin with; those that hold what differs by group or wave, 0xff: none.
    uint32_t sgprs[BEGIN_SGPRS];
    unsigned sgpr_count;
    uint8_t buffer_sgpr, scratch_sgpr, id_sgpr[3], info_sgpr, zero_sgpr;
    unsigned id_registers;  // VGPRs with work-item ids
    uint32_t unit_mask[32]; // compute units that it may use
    unsigned unit_words;    // of the mask; 0: all
};

// A copy, or without `from` a fill: slices of rows of bytes. Pieces are bytes of a single row, or rows.
struct transfer {
    char *to;
    const char *from;
    uint64_t bytes, rows, slices, to_pitch, from_pitch, to_slice, from_slice;
    uint64_t value;
    unsigned value_bytes;
    uint64_t piece; // bytes or rows
};
void transfer_piece(const struct transfer *t, uint64_t number);

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
void job_enqueue(struct sw_job *job);
// Does a transfer in this thread: it has ended when this returns.
void job_run_here(struct sw_job *job);

sw_status launch_prepare(struct launch *l, sw_device *device, const sw_dispatch *d, const sw_sink *sink);
// Gives back what launch_prepare took, also after it failed.
void launch_release(struct launch *l, sw_device *device);
// Sets the initial state of the waves of a group from the first that has not begun yet (INIT rows).
void launch_waves(const struct launch *l, struct worker *worker, struct group *g, uint32_t first);
// The same for one wave of a group that is not partial, and no other; and for the wave that a series takes
// what the waves have in common from.
struct wave *launch_wave(const struct launch *l, struct worker *worker, struct group *g, uint32_t number);
struct wave *launch_image(const struct launch *l, struct worker *worker, struct group *g);

// Memory of the device's own, which kernels may touch. device_release waits for workers: not for them to
// call.
void *device_reserve(sw_device *d, uint64_t size);
void device_release(sw_device *d, void *memory);
void allocations_free(sw_device *d); // all, when nothing runs any more
void executable_free(sw_device *d, sw_executable *e);
// Memory as code without kernels of its own. NULL: out of memory.
sw_executable *code_create(uint64_t base, uint64_t size);
// Waves rely on memory that stays no more, in no code, when the workers have passed a safe point. Called with
// the lock held.
void code_guard(sw_device *d);
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
static const struct sized wave_state_kind = SIZED(sw_wave_state, expected);

// The worker left the dispatch, which ends with the last one.
void dispatch_leave(struct worker *k, struct dispatch *q);
// As its options say, or as the processor has them.
unsigned device_compute_units(const sw_device *d);
// Those of them that the dispatch may use.
unsigned place_units(const sw_device *d, const struct launch *l);
// Where a wave runs, as hardware registers say it (place.c).
uint32_t place_hw_id(const struct wave *w);
uint32_t place_hw_id1(const struct wave *w);
uint32_t place_xcc_id(const struct wave *w);
// A job is of a queue, or no more.
bool residency_enter(struct dispatch *q, const sw_dispatch *request);
void residency_leave(struct dispatch *q);
// There is something that workers have not seen, for so many of them at the most. Called with the lock held.
void device_has_news(sw_device *d, uint64_t groups);
// Work-groups of the launch that are in flight at once at the most.
uint64_t resident_groups(const sw_device *d, const struct launch *l);

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
// Called with the lock held.
bool allocation_share(sw_device *d, uint64_t base, uint64_t *size);
// Takes shared memory from all that have it; of a device that ends, everything, also what others share with
// it. Called without locks.
void shares_revoke(sw_device *owner, uint64_t base);
void shares_forget(sw_device *d);

struct program *executable_program(sw_device *d, sw_executable *e, const struct code_facts *facts);
// Changes rights. Called with the lock held. What is taken away holds only once rights_settle returned, which
// waits for every worker's next safe point.
sw_status device_set_rights(sw_device *d, uint64_t lo, uint64_t hi, unsigned rights);
void rights_settle(sw_device *d);
// Whether all of the range is memory that stays mapped as long as kernels have rights to it (SW_STAYS).
enum { RIGHT_STAYS = 32 };
bool map_stays(const struct map *map, const struct range *range);
// The worker looks ranges up anew: if rights were taken away, with the lock held; in any case.
void worker_forget_ranges(struct worker *k);
void worker_drop_ranges(struct worker *k);
// Runs a wave where memory may be unmapped under it: that is a fault of the wave (guard.c).
void guard_enter(struct worker *k, struct wave *w, const struct op *op);
// Runs waves in a row where memory may be unmapped under them: the wave to which that happens leaves.
struct wave *guard_series(struct worker *k, struct wave *image, struct series *s,
                          const struct series_code *code);
// Puts what the process's memory has to do with it into a fault.
void guard_explain(const struct worker *k, sw_fault *fault);
// The worker's thread has begun.
void guard_begin(struct worker *k);
// Looks whether the program took the signals meanwhile. Called for each dispatch of a guarded device.
void guard_look(const sw_device *d);
void guard_leave(sw_device *d);
// Reads memory that may be unmapped; false if it is.
bool guard_read(const sw_device *d, void *into, uint64_t address, uint64_t bytes);
// While it calls the program outside of waves, a worker has nothing that others would wait for: calls may
// then take memory and code away. Called with the lock held.
void worker_rest(struct worker *k);
void worker_resume(struct worker *k);
// Whether something was submitted, or there is room again, since the worker last looked.
static inline bool worker_has_submissions(const struct worker *k) {
    return __atomic_load_n(&k->device->work_version, __ATOMIC_RELAXED) != k->work_version;
}
// Or it claimed what it has not begun: the groups that it runs are to give way.
static inline bool worker_has_news(const struct worker *k) {
    return k->unstarted || worker_has_submissions(k);
}
static inline unsigned worker_count(const sw_device *d) {
    return __atomic_load_n(&d->thread_count, __ATOMIC_RELAXED);
}
// A device that is made may have so many workers, none of which runs yet.
void workers_prepare(sw_device *d, unsigned count);
// Before anything is submitted: there is one at least.
sw_status workers_begin(sw_device *d, const sw_sink *sink);
// How many there shall be for so many groups besides those that are submitted, as far as that is more than
// there are: else 0. Called with the lock held; who asks then calls workers_start without it. False: there
// are none.
unsigned workers_wanted(sw_device *d, uint64_t coming);
bool workers_start(sw_device *d, unsigned count);
void workers_join(sw_device *d);
// Whether bytes [address, last] may be read.
bool device_may_read(sw_device *d, uint64_t address, uint64_t last);

#endif
