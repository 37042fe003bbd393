// SPDX-License-Identifier: MIT
// A GPU in software: memory that it may touch, code loaded for it, dispatches that run.
//
// GPU addresses are host addresses, but for sw_device_map_alias. A dispatch runs on the device's worker
// threads.
//
// Threads: calls on one device may come from many threads, and several devices may live in one process. An
// observer, `message`, `written`, `faulted` and, but for exceptions that it names, `done` are called by
// workers, one of which may be the thread that calls sw_device_run; everything else that callers pass in
// (sink, resolve, print) in the thread of the call. Ownership: a device owns its memory and its executables
// until it is destroyed; a job belongs to whoever submitted it, until sw_job_finish. Names and reasons are
// constant texts.
#ifndef SOFTWAVE_DEVICE_H
#define SOFTWAVE_DEVICE_H

#include "softwave/isa.h"
#include "softwave/object.h"
#include "softwave/target.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_device sw_device;
typedef struct sw_executable sw_executable; // a code object loaded on a device
typedef struct sw_job sw_job;               // a dispatch or a transfer that runs
typedef struct sw_fault_event sw_fault_event;

// What registers, LDS and scratch hold before a kernel writes them.
typedef enum sw_init { SW_INIT_ZERO, SW_INIT_PATTERN, SW_INIT_RANDOM } sw_init;

// Where flat addresses of LDS and of scratch begin, on every device: the bases that kernels get as hidden
// arguments, in their queue (amd_queue_t) and from registers. No host pointer has such an address.
#define SW_SHARED_APERTURE  0x0001000000000000ull
#define SW_PRIVATE_APERTURE 0x0400000000000000ull

// How loads and stores must be aligned (SH_MEM_CONFIG.alignment_mode). One that is not faults with
// SW_FAULT_ALIGNMENT. Formatted buffer accesses and atomics have rules of their own.
typedef enum sw_alignment {
    SW_ALIGNMENT_UNALIGNED,    // not at all: as drivers set it
    SW_ALIGNMENT_DWORD_STRICT, // to what one lane transfers, but no more than a dword
    SW_ALIGNMENT_STRICT        // to what one lane transfers; three dwords count as four
} sw_alignment;

// Classes of instructions: what is counted where the device or the dispatch says so, and told to observers.
typedef enum sw_insn_class {
    SW_CLASS_SALU,
    SW_CLASS_SMEM,
    SW_CLASS_VALU,
    SW_CLASS_MATRIX,
    SW_CLASS_LDS,
    SW_CLASS_GLOBAL,
    SW_CLASS_SCRATCH,
    SW_CLASS_BRANCH,
    SW_CLASS_WAIT,
    SW_CLASS_OTHER,
    SW_CLASSES
} sw_insn_class;

// One executed instruction, for observers. Valid during the call only.
typedef struct sw_step {
    size_t size;          // sizeof(sw_step) of the library
    uint64_t pc;          // GPU address
    const uint8_t *bytes; // of the instruction
    uint32_t group[3];
    uint32_t wave;  // in the work-group
    uint32_t lanes; // 32 or 64
    uint64_t exec;
    uint32_t scc;
    uint64_t vcc;
    void *state; // for sw_step_register
    sw_insn_class insn_class;
    uint64_t kernel;     // GPU address of the kernel's first instruction
    uint64_t descriptor; // as its dispatch names it
    uint8_t vgpr_msb;    // upper bits of VGPR numbers here, for sw_isa_mode
} sw_step;

// A register of the wave that an observer was called for, to be read or changed until the call ends: 32-bit
// values, one for each lane or, of a scalar register, one. `code` is the number in the source space of the
// manuals: 0 to 127 scalar registers (106 VCC, 126 EXEC; M0 and NULL as the processor has them), from 256 on
// VGPRs; 512 to 767 are AGPRs on processors that have them. NULL when the kernel has no such register.
uint32_t *sw_step_register(const sw_step *step, unsigned code);
// SCC, to be read or changed.
uint32_t *sw_step_scc(const sw_step *step);

// Where an instruction accesses memory, by its record of effects: decoded once, and asked for every step.
typedef enum sw_step_space { SW_STEP_NOWHERE, SW_STEP_GLOBAL, SW_STEP_LDS, SW_STEP_SCRATCH } sw_step_space;
typedef struct sw_insn_access {
    size_t size; // sizeof(sw_insn_access) of the caller; set before the call
    bool reads, writes, atomic;
    bool once;           // for the wave, whatever EXEC says; else for each active lane
    uint32_t bytes;      // of an element; the most that there can be, where a format says how many
    uint32_t elements;   // of a lane
    uint64_t recipe[10]; // the library's
} sw_insn_access;
// False: the instruction accesses no memory, or what it does is not known.
bool sw_insn_get_access(const sw_isa_mode *mode, const sw_insn *insn, sw_insn_access *out);
// Where element `element` of each active lane lies, before the step is executed: a GPU address, or an offset
// into LDS or into the lane's scratch; of accesses made once, in lane 0. SW_STEP_NOWHERE: there is no such
// access, or it cannot be said (swizzled buffers). Whether a buffer's range has room for it is not asked.
typedef struct sw_step_place {
    uint64_t address;
    sw_step_space space;
} sw_step_place;
void sw_step_places(const sw_step *step, const sw_insn_access *access, unsigned element,
                    sw_step_place out[64]);

// What a wave sent with s_sendmsg: an interrupt is id 1, with its payload in M0.
typedef struct sw_message {
    size_t size; // sizeof(sw_message) of the library
    uint32_t id, m0;
    uint64_t dispatch_id;
    uint32_t group[3], wave;
} sw_message;

// What a wave exported: pixels, positions, parameters. Valid during the call only.
typedef struct sw_export {
    size_t size; // sizeof(sw_export) of the library
    uint64_t dispatch_id;
    uint32_t group[3], wave;
    uint64_t lanes;  // that exported, a bit for each
    unsigned target; // its number: 0 colour 0 and so on, 8 depth, 9 none, 12 position 0, 32 parameter 0
    const char *target_name;   // "mrt0", "mrtz", "null", "pos0", "param0" and so on
    int row;                   // of a mesh shader's export; -1: it names none
    bool compressed;           // values 0 and 1 are pairs of 16 bits
    bool done;                 // the wave's last export of colours, or of positions
    bool valid_mask;           // `lanes` says which pixels there are
    const uint32_t *values[4]; // 32 bits of each lane; NULL: this one is not exported
} sw_export;

// What executes a kernel. All do the same, bit for bit.
typedef enum sw_tier {
    SW_TIER_BEST, // what the host has; code becomes native, then is compiled in the background as it runs
                  // often
    SW_TIER_INTERPRETER, // tier 0: decoded instructions, one after the other
    SW_TIER_NATIVE,      // tier 1: all code becomes native before it runs, not only what ran often
    SW_TIER_COMPILED     // tier 2: all code is compiled by LLVM before it runs, which takes its time
} sw_tier;

// What a device tells its program. Each is called with `context`, by the worker that runs the wave and
// several at once unless it says otherwise. They must not take memory or code away from the device. NULL:
// nobody is told.
typedef struct sw_device_hooks {
    size_t size; // sizeof(sw_device_hooks)
    void *context;
    // Before every instruction, from one worker at a time. Such a device interprets.
    void (*observe)(void *context, const sw_step *step);
    // What waves send.
    void (*message)(void *context, const sw_message *message);
    // When kernels may have written bytes [address, last] of memory mapped with SW_RIGHT_WATCH (host
    // addresses): after the store, when the wave gives way, ends or sends a message at the latest. Must not
    // wait for the device.
    void (*written)(void *context, uint64_t address, uint64_t last);
    // Of each wave that faults, of deadlocks, timeouts and want of memory, before the job ends. It may use
    // the device, but not wait for the job. What its caller stops and what printing runs into is not told.
    void (*faulted)(void *context, const sw_fault_event *event);
    // The text that a phase in sw_device_options.dump leaves; in the thread of the call that loads or
    // submits.
    void (*dumped)(void *context, const char *phase, const char *text, size_t length);
    // What waves export, each wave's exports in their order. NULL: a wave that exports faults
    // (SW_FAULT_UNSUPPORTED), unless its target is none.
    void (*exported)(void *context, const sw_export *exported);
} sw_device_hooks;

typedef struct sw_device_options {
    size_t size; // sizeof(sw_device_options)
    sw_target target;
    // Workers, which begin when there is work for them; 0: as many as the host has processors.
    unsigned threads;
    sw_init init;
    uint64_t seed;                // of SW_INIT_RANDOM
    bool count;                   // keep instruction counts (slower)
    const char *level;            // vector level of the bodies: "v2", "v3", "v4"; NULL: the best of this host
    const sw_device_hooks *hooks; // copied; NULL: nobody is told anything
    sw_alignment alignment;
    unsigned compute_units; // that work-groups are in flight on at once; 0: as many as the processor has
    // Kernels may touch all memory that the process has mapped, as with XNACK; rights that the calls below
    // give or take matter only for what has some, for other devices' allocations and for addresses
    // [closed_begin, closed_end). What is not mapped faults: see sw_device_guard_memory.
    bool host_memory;
    bool pass_breakpoints; // s_trap 1 and 3 do nothing, as where there is no debugger
    uint64_t closed_begin, closed_end;
    sw_tier tier; // native code where the host cannot have it is no error: see sw_device_tier
    // A folder for compiled code, which other processes may use as well: made if it is not there, and used
    // only if it is the user's own and nobody else may write to it. "": none. NULL: SOFTWAVE_CACHE in the
    // environment, else softwave in XDG_CACHE_HOME or ~/.cache.
    const char *cache;
    // With SW_TIER_COMPILED: phases of its compiler whose results are shown to the hook `dumped`, by name
    // with commas between, or "all". Nothing is taken from the cache then. doc/tiers.md has the phases and
    // their syntax. NULL: none.
    const char *dump;
    // Not 0: memory is weak. Loads, stores, atomics and cache operations happen as late, and as much out of
    // order, as the memory model of the processor allows; which way is for this seed to say, the same way
    // each time. Programs that miss a wait, a fence or a cache operation then go wrong for some seeds. There
    // is one worker, which interprets. Not with host_memory. doc/weak.md says what is modelled.
    uint64_t weak;
    // An instruction whose operation is approximate (sw_insn_facts.approximate) is refused when a wave
    // reaches it, as one that cannot be executed is: what ends well consists of exact results.
    bool exact_only;
    // With `weak`: who reads or writes a register too soon behind another instruction, where the processor
    // leaves that to programs, gets or leaves an old value, and faults (SW_FAULT_HAZARD) where
    // nobody knows what the processor does. doc/weak.md lists which rules are known.
    bool weak_hazards;
} sw_device_options;

sw_status sw_device_create(const sw_device_options *options, sw_device **out, const sw_sink *sink);
// Waits for dispatches that run and for calls that are under way in other threads, which are refused from now
// on; then frees the device, its memory and its executables. Jobs must have been finished before.
void sw_device_destroy(sw_device *device);
const sw_target *sw_device_target(const sw_device *device);
// So many workers may run; fewer than asked for where the host could not begin all.
unsigned sw_device_threads(const sw_device *device);
const char *sw_device_level(const sw_device *device);
// The highest tier that code gets, with SW_TIER_BEST what it has got so far; `why`, unless NULL: the reason
// where code cannot get a higher one, else NULL. Observed dispatches are interpreted whatever it is.
sw_tier sw_device_tier(const sw_device *device, const char **why);

// ---- Memory ----
// SW_RIGHT_WATCH: sw_device_hooks.written is told of stores and atomics, by blocks of 64 bytes. Such memory
// is slow. SW_RIGHT_CLOSED: nothing, also where sw_device_options.host_memory would allow it. SW_RIGHT_STAYS:
// the caller takes all rights away before it unmaps the memory. Kernels are faster then on devices that guard
// memory (sw_device_guard_memory). If such memory is missing all the same, the fault may name the first
// instruction of the kernel, and a load that nobody uses may go unnoticed. SW_RIGHT_ALONE: while kernels run
// that change the memory by atomics, nobody but kernels of this device changes it. Memory that is
// coarse-grained in HSA's terms is such. Then atomics of a device with one worker are as fast as other
// accesses. sw_device_share takes it away.
enum {
    SW_RIGHT_READ = 1,
    SW_RIGHT_WRITE = 2,
    SW_RIGHT_EXECUTE = 4,
    SW_RIGHT_WATCH = 8,
    SW_RIGHT_CLOSED = 16,
    SW_RIGHT_STAYS = 32,
    SW_RIGHT_ALONE = 64
};

// Allocates zeroed memory of `size` bytes that ends at a page without rights. The addresses are the same in
// every run of the same calls. NULL when out of memory.
void *sw_device_alloc(sw_device *device, uint64_t size);
// The same with a choice of alignment and use.
enum {
    SW_MEMORY_EXECUTABLE = 1,   // kernels may jump there: see sw_device_code_changed
    SW_MEMORY_FINE_GRAINED = 2, // all memory is coherent here: kept for sw_device_memory_info
};
typedef struct sw_memory_options {
    size_t size;        // sizeof(sw_memory_options)
    uint64_t bytes;     // 0: 1
    uint64_t alignment; // a power of two up to 1 GiB; 0: 256
    unsigned flags;     // SW_MEMORY_*
} sw_memory_options;
// SW_USAGE: options that make no sense; SW_NO_MEMORY: the sink is told what could not be had.
sw_status sw_device_allocate(sw_device *device, const sw_memory_options *options, void **out,
                             const sw_sink *sink);

// What the device knows of an address: the allocation that it lies in, and what kernels may do there.
typedef struct sw_memory_info {
    size_t size;          // sizeof(sw_memory_info) of the caller; set before the call
    uint64_t base, bytes; // of the allocation as it was asked for; 0: none
    unsigned flags;       // SW_MEMORY_* of it
    bool internal;        // the device's own: code, scratch, packets
    unsigned rights;      // at this address
} sw_memory_info;
sw_status sw_device_memory_info(sw_device *device, uint64_t address, sw_memory_info *out);

// SW_USAGE: not an address that sw_device_alloc gave, or freed already. On return no wave touches it any
// more.
sw_status sw_device_free(sw_device *device, void *memory);
// Lets kernels touch host memory [memory, memory+size), by bytes; replaces rights that part of it had. rights
// 0 takes them away: on return no wave touches the memory any more. Each device has rights of its own.
sw_status sw_device_map(sw_device *device, void *memory, uint64_t size, unsigned rights);
// The same for a second address of host memory, as drivers give it to memory that they lock: *address is
// memory + 2^47, where host code finds nothing. Kernels may have rights at either address, or other ones at
// each. SW_UNSUPPORTED: pointers of this host may have that bit (all but x86-64).
sw_status sw_device_map_alias(sw_device *device, void *memory, uint64_t size, unsigned rights,
                              uint64_t *address);
// Lets kernels of another device touch an allocation of `owner`, which begins at `memory`; rights 0 takes it
// away again: on return none of its waves touches it any more. Freeing the allocation, or destroying either
// device, does so, too. SW_USAGE: no such allocation, or rights other than SW_RIGHT_READ and SW_RIGHT_WRITE.
sw_status sw_device_share(sw_device *owner, void *memory, sw_device *with, unsigned rights);

// From now on memory may be unmapped, or its file cut off, while kernels have rights to it: touching it is a
// fault of theirs. For that, SIGSEGV and SIGBUS get handlers as long as the device lives, which pass on all
// that does not come from a kernel's access to what handlers the program has, also if it sets them later.
// Without this call, such an access is one of the process.
sw_status sw_device_guard_memory(sw_device *device);

// ---- Code ----
typedef bool (*sw_resolve)(void *context, const char *name, uint64_t *address);

// Loads a code object; `object` may be closed afterwards, but kernels found in it stay usable by name only.
// Refused when it was built for another processor or feature setting.
sw_status sw_device_load(sw_device *device, const sw_object *object, sw_resolve resolve, void *context,
                         sw_executable **out, const sw_sink *sink);
// Removes it. SW_USAGE, and nothing happens, while a dispatch of one of its kernels is not finished, or when
// it is not loaded. Kernels of other executables that call into it fault when they do so the next time.
sw_status sw_device_unload(sw_device *device, sw_executable *executable, const sw_sink *sink);
// Code in [address, address+size) was written anew: dispatches that are submitted from now on run what stands
// there.
sw_status sw_device_code_changed(sw_device *device, uint64_t address, uint64_t size);
// Address of byte 0 of the loaded image.
uint64_t sw_executable_base(const sw_executable *executable);

// ---- Running ----
typedef enum sw_fault_kind {
    SW_FAULT_NONE,
    SW_FAULT_READ,
    SW_FAULT_WRITE,
    SW_FAULT_ATOMIC,
    SW_FAULT_ALIGNMENT,
    SW_FAULT_JUMP,        // control left the code
    SW_FAULT_ILLEGAL,     // not an instruction
    SW_FAULT_UNSUPPORTED, // an instruction that Softwave cannot execute; `reason` says why
    SW_FAULT_TRAP,        // s_trap; `address` is its number
    SW_FAULT_TIMEOUT,
    SW_FAULT_DEADLOCK, // every wave waits
    SW_FAULT_STOPPED,  // by its caller, or for want of memory; `reason` says which
    SW_FAULT_HAZARD,   // with weak_hazards: nobody knows what the processor does; `reason` says why
} sw_fault_kind;

typedef struct sw_fault {
    size_t size; // sizeof(sw_fault) of the caller; set before the call
    sw_fault_kind kind;
    uint64_t pc;          // GPU address of the instruction
    uint64_t code_offset; // pc from the start of the executable's image
    uint32_t group[3], wave;
    int32_t lane; // -1: the whole wave
    uint64_t address;
    const char *reason;                        // constant text or NULL
    bool is_scratch;                           // the access was to scratch, behind what a work-item has
    uint32_t scratch_declared, scratch_needed; // then: bytes that it has, and that this access needs
    size_t waves;     // how many were in flight; sw_dispatch.waves has the first of them
    bool unmapped;    // kernels have the right, but the process has no memory there
    uint8_t vgpr_msb; // upper bits of VGPR numbers there, for sw_isa_mode
} sw_fault;

// A fault, told when it happens. Valid during the call only.
struct sw_fault_event {
    size_t size; // sizeof(sw_fault_event) of the library
    sw_job *job;
    uint64_t dispatch_id, queue; // as the dispatch had them
    const sw_fault *fault;       // all but `waves`
    bool first;                  // the one that stopped the dispatch, which its job reports
};

// What a wave did when its dispatch was stopped.
typedef enum sw_wave_doing {
    SW_WAVE_RUNS,  // between instructions, or has not begun
    SW_WAVE_LOOPS, // runs, and jumped back at last
    SW_WAVE_SLEEPS,
    SW_WAVE_AT_BARRIER,
    SW_WAVE_FAULTED
} sw_wave_doing;

typedef struct sw_wave_state {
    size_t size; // sizeof(sw_wave_state) of the caller; set in the first of an array
    uint32_t group[3], wave;
    uint64_t pc; // GPU address of the next instruction; of the one that faulted
    uint64_t exec;
    uint32_t lanes; // 32 or 64
    sw_wave_doing doing;
    uint64_t loop_begin, loop_end; // SW_WAVE_LOOPS, SW_WAVE_SLEEPS: the first instruction of the loop that it
                                   // is in, and the one that jumps back; 0: none is known
    uint32_t arrived, expected;    // SW_WAVE_AT_BARRIER: waves of its work-group
    uint8_t vgpr_msb;              // upper bits of VGPR numbers at pc, for sw_isa_mode
} sw_wave_state;

typedef struct sw_counts {
    size_t size; // sizeof(sw_counts) of the caller; set before the call
    uint64_t groups, waves;
    uint64_t instructions[SW_CLASSES];
    double seconds;
    uint64_t begin_ns, end_ns; // of the first work-group and of the last, on CLOCK_MONOTONIC; 0: not yet
} sw_counts;

// How an atomic operation on memory goes together with others. Those of a kind commute with each other, so
// that it does not matter in which order they come; `ordered` ones do with none.
typedef enum sw_atomic_kind {
    SW_ATOMIC_ORDERED, // exchanges, compare-and-swap, float operations, and all whose old value the kernel
                       // gets
    SW_ATOMIC_ADD,     // add, subtract; increment and decrement where they wrap at the end of the range only
    SW_ATOMIC_AND,
    SW_ATOMIC_OR,
    SW_ATOMIC_XOR,
    SW_ATOMIC_MIN_SIGNED,
    SW_ATOMIC_MIN_UNSIGNED,
    SW_ATOMIC_MAX_SIGNED,
    SW_ATOMIC_MAX_UNSIGNED,
} sw_atomic_kind;
// Atomic operations of one instruction, for whoever listens. Valid during the call only.
typedef struct sw_atomic_event {
    size_t size; // sizeof(sw_atomic_event) of the library
    sw_atomic_kind kind;
    unsigned bytes;            // 4 or 8
    const uint64_t *addresses; // host addresses, by lane
    uint64_t lanes;            // a bit for each that there is
} sw_atomic_event;

// One launch, as an AQL packet states it. Grid and group sizes are in work-items.
typedef struct sw_dispatch {
    size_t size; // sizeof(sw_dispatch)
    sw_executable *executable;
    uint64_t descriptor; // GPU address of the kernel descriptor
    uint64_t kernarg;    // GPU address of the arguments
    uint32_t grid[3], block[3];
    uint32_t group_segment_size;   // LDS bytes: fixed and dynamic
    uint32_t private_segment_size; // scratch bytes a work-item; 0: what the descriptor says
    uint64_t dispatch_id;
    double timeout; // seconds; 0: none
    // Receives what the kernel printed, when it has ended or faulted. NULL: that is dropped. Kernels of one
    // executable print into one buffer: of several that run at once the last to end hands out the text of
    // all. Longer text than print_limit, or printing beyond the timeout, is cut off and is a fault.
    void (*print)(void *context, const char *text, size_t length);
    void *print_context;
    uint64_t print_limit; // 0: 64 MiB
    // GPU addresses of the AQL packet and the amd_queue_t that kernels see; 0:
    // those that the device makes up. Kernels must have been given the right to read them.
    uint64_t packet, queue;
    // An array for the states of the waves that are in flight when a fault, a deadlock or the timeout stops
    // the dispatch. It is written until the dispatch has ended. sw_fault.waves is how many there were, which
    // may be more than wave_capacity. NULL: not wanted.
    sw_wave_state *waves;
    size_t wave_capacity;
    // For this dispatch, what the device has for all: its observer goes before the device's.
    bool count;
    void (*observe)(void *context, const sw_step *step);
    void *observe_context;
    // Groups of dispatches with a higher number are started first, but for one in 16.
    int priority;
    // Waves that are in flight at once at the most, together with those of all dispatches with the same
    // `queue`, unless that is 0; one work-group always may be. 0: as many as the device's compute units hold.
    uint64_t wave_limit;
    // A bit for each compute unit that its groups may run on, in unit_mask_words words, 32 at the most; NULL:
    // on any. Fewer units have fewer waves in flight, and hardware registers name these. SW_USAGE: no unit is
    // left.
    const uint32_t *unit_mask;
    unsigned unit_mask_words;
    // A share of the grid (softwave/changes.h): its work-groups from number first_group on, x first, then y,
    // then z. Their ids, sizes and results are those in the whole grid. group_count 0: all, from number 0.
    // What reaches for work-groups of other shares ends as SW_FAULT_UNSUPPORTED: global wave sync, and groups
    // that all wait in loops in which nothing changes any more.
    uint64_t first_group, group_count;
    // Called before atomic operations on memory, by the worker, several at once. NULL: nobody is told.
    void (*atomic)(void *context, const sw_atomic_event *event);
    void *atomic_context;
} sw_dispatch;

// Runs a kernel to its end, in the calling thread and in those of the device. SW_FAULTED: `fault` says what
// happened. `fault` and `counts` may be NULL. SW_USAGE: nothing ran.
sw_status sw_device_run(sw_device *device, const sw_dispatch *dispatch, sw_fault *fault, sw_counts *counts,
                        const sw_sink *sink);

// ---- Jobs: dispatches that run while their caller does something else ----
// Dispatches that are submitted run side by side: those that wait for each other make progress. A job belongs
// to whoever submitted it and must be finished; its calls may come from any thread, but none after
// sw_job_finish.
typedef struct sw_submit_options {
    size_t size; // sizeof(sw_submit_options)
    // Called once when the job has ended, before anybody who waits for it hears of it: by a worker, or in the
    // call that stops the job or does a small transfer. It may use the device, but neither wait for this job
    // nor finish it. NULL: nobody listens.
    void (*done)(void *context, sw_job *job);
    void *context;
} sw_submit_options;

// Starts a dispatch, of which a copy is kept. `options` may be NULL. On failure *job is NULL.
sw_status sw_device_submit(sw_device *device, const sw_dispatch *dispatch, const sw_submit_options *options,
                           sw_job **job, const sw_sink *sink);
// A copy, or where `from` is NULL a fill: `slices` times `rows` rows of so many bytes. It moves what the
// process may move, whatever rights kernels have; second addresses (sw_device_map_alias) stand for their
// memory. Parts that overlap are moved as if through a copy, where they are rows without gaps.
typedef struct sw_transfer {
    size_t size; // sizeof(sw_transfer)
    void *to;
    const void *from;
    uint64_t bytes;                // of a row
    uint64_t rows, slices;         // 0: 1
    uint64_t to_pitch, from_pitch; // from row to row; 0: no gaps
    uint64_t to_slice, from_slice; // from slice to slice; 0: no gaps
    uint64_t value;                // what fills: its low value_bytes, 1, 2, 4 or 8, over and over in each row
    unsigned value_bytes;          // 0: 1
} sw_transfer;
// Starts it as a job, which workers do in pieces beside dispatches. Small ones are done in this call, and
// `done` is called in its thread. Whoever must wait for something first does so before; code that it writes
// is told with sw_device_code_changed.
sw_status sw_device_transfer(sw_device *device, const sw_transfer *transfer, const sw_submit_options *options,
                             sw_job **job, const sw_sink *sink);
// Waits until the job has ended, at most so many seconds; forever when negative. Whether it has ended.
bool sw_job_wait(sw_job *job, double seconds);
// Lets it end at the next safe point of its waves: SW_FAULT_STOPPED. A job that has ended is left as it is.
void sw_job_stop(sw_job *job);
// What is known of the job by now: while it runs, work-groups that have ended, and instructions where they
// are counted. From `done` on that is all, except that printing a kernel's text, which
// sw_job_finish does, may run into a limit of its own. Either may be NULL.
sw_status sw_job_look(sw_job *job, sw_fault *fault, sw_counts *counts);
// Waits for its end, says what happened as sw_device_run does, and frees the job. SW_USAGE: nothing was done,
// and the job is still there.
sw_status sw_job_finish(sw_job *job, sw_fault *fault, sw_counts *counts, const sw_sink *sink);

// How many work-groups of this dispatch may be in flight at once. In a grid that has no more of them, groups
// may wait for each other. 0: the dispatch cannot be run.
uint64_t sw_device_resident_groups(sw_device *device, const sw_dispatch *dispatch);

// An operation that some kernel has reached. Its results are exact, as the manual defines them, unless it is
// approximate or unsupported.
typedef struct sw_operation {
    size_t size; // sizeof(sw_operation) of the caller; set in the first of an array
    const char *mnemonic;
    const char *unsupported; // why it cannot be executed; NULL: it can
    bool approximate;        // not bit for bit what a card gives, or nobody outside AMD can know
    const char *why;         // it is approximate; else NULL
    double ulps;             // of an approximate one: as sw_insn_facts.ulps
} sw_operation;

// The operations that were decoded for execution so far. Returns how many there are; fills at most
// `capacity`. 0 when out->size is not set.
size_t sw_executable_operations(sw_device *device, const sw_executable *executable, sw_operation *out,
                                size_t capacity);

// Instruction classes by name, for printing.
const char *sw_insn_class_name(sw_insn_class c);

// Fills the hidden arguments of a kernel in its argument block (code object V4 and V5).
// `kernarg` holds kernel->kernarg_segment_size bytes. Arguments for services that Softwave does not have
// (hostcalls, a device heap) become null.
sw_status sw_device_fill_hidden_arguments(const sw_device *device, const sw_kernel *kernel,
                                          const sw_dispatch *dispatch, uint32_t dynamic_lds, void *kernarg);
// The hidden arguments of this kernel that become null for want of a service, by their names in the metadata.
// Returns how many there are; fills at most `capacity`.
size_t sw_kernel_unserved_arguments(const sw_kernel *kernel, const char **names, size_t capacity);

// ---- A kernel by its name ----
// An explicit argument. `data` points to its value: `bytes` bytes, as many as the kernel takes. For a buffer
// that is the pointer that sw_device_alloc gave: {&buffer, sizeof buffer}. A __local pointer has data NULL,
// and `bytes` is the size of its memory.
typedef struct sw_kernel_value {
    const void *data;
    size_t bytes;
} sw_kernel_value;

typedef struct sw_launch {
    size_t size; // sizeof(sw_launch)
    sw_executable *executable;
    const sw_object *object; // that the executable was loaded from
    const char *kernel;      // its name, in any form that sw_object_match_kernels takes
    uint32_t grid[3];        // work-items in all; 0: 1
    uint32_t block[3];       // work-items of a work-group; all 0: what the kernel requires, else up to 256
    const sw_kernel_value *arguments;
    size_t argument_count;
    uint32_t dynamic_lds; // bytes of LDS beside those of __local pointers
    double timeout;       // seconds; 0: none
    void (*print)(void *context, const char *text, size_t length); // NULL: what the kernel prints is dropped
    void *print_context;
} sw_launch;
// Runs a kernel to its end: finds it, fills a block of arguments, the hidden ones included, and waits.
// SW_USAGE: no such kernel, or arguments that it does not take; nothing ran. SW_FAULTED: the sink is told,
// and `fault`, unless NULL, says what happened.
sw_status sw_device_launch(sw_device *device, const sw_launch *launch, sw_fault *fault, const sw_sink *sink);

// A fault in words, to stand behind "the kernel": "reads memory that it may not at 0x1000: reason". Writes at
// most `capacity` bytes, the NUL among them, and returns the length of the whole text.
size_t sw_fault_describe(const sw_fault *fault, char *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
