// SPDX-License-Identifier: MIT
// Agents, their ISAs, pools and caches, and the runtime that has them. None of this changes after hsa_init
// but what is marked atomic, so it is read without locks.
#ifndef HSA_AGENT_AGENT_H
#define HSA_AGENT_AGENT_H

#include "hsa/service/process.h"
#include "hsa/tell/call.h"
#include "softwave/device.h"

enum { MAX_GPUS = 32, CU_MASK_WORDS = 16 };
enum { SCRATCH_BYTES = 262128 }; // of a lane, at most

struct product {
    uint32_t chip, cus, mhz, engines, arrays, xccs;
    uint32_t l1_kib, l2_kib, l3_kib;
    uint32_t gib, bus_bits, memory_mhz;
};

struct isa {
    struct isa *next;
    sw_target target; // processor NULL: of the CPU
    char name[80];
    uint32_t wave_sizes[2], wave_count; // also what wavefront handles point to
};

struct pool {
    struct agent *agent;
    enum segment segment;
    uint32_t flags;
    uint64_t size;
    uint64_t used; // atomic
};
struct cache {
    uint32_t level, bytes;
    char name[24];
};

struct agent {
    bool is_gpu;
    unsigned index, gpu; // among all, and among GPUs
    char name[64], vendor[64], product_name[64], uuid[24];
    struct product product;
    sw_target target;
    sw_processor_info info;
    struct isa *isa;
    sw_device *device;
    struct pool pools[3];
    unsigned pool_count;
    struct cache caches[4];
    unsigned cache_count;
    bool is_masked; // by HSA_CU_MASK
    uint32_t cu_mask[CU_MASK_WORDS];
    uint64_t scratch_limit;     // bytes; atomic; kept, as scratch memory is never held back
    struct queue *cooperative;  // shared by all who ask for one
    unsigned cooperative_users; // atomic
};

// What rooms below ask of rooms above; runtime.c fills it in.
struct upcalls {
    // A kernel of this agent may have written memory of the runtime in [address, last].
    void (*written)(void *agent, uint64_t address, uint64_t last);
    // The host wrote [lo, lo + size): code in it is decoded anew.
    void (*host_wrote)(uint64_t lo, uint64_t size);
    // Ended dispatches of this agent let go of the code that they ran.
    void (*reap)(struct agent *a);
};

struct runtime {
    const struct upcalls *up;
    unsigned users;
    struct agent cpu;
    struct agent gpus[MAX_GPUS];
    unsigned gpu_count;
    bool xnack; // every GPU has it on
    bool fault_message;
    bool exact_bounds; // nothing around device memory can be read
    double timeout;    // seconds for each dispatch; 0: none
    uint64_t memory_limit;
};

// Where the pools' memory lies, and the runtime's own that kernels may touch.
#if defined(__SANITIZE_THREAD__)
#define ARENA_BASE 0x001000000000ull
#define ARENA_END  0x003f00000000ull
#else
#define ARENA_BASE 0x300000000000ull
#define ARENA_END  0x500000000000ull
#endif

// NULL: no such agent; `agent_gpu` also refuses the CPU.
struct agent *agent_of(handle_t handle);
struct agent *agent_gpu(handle_t handle);
struct agent *agent_at(unsigned i); // 0: the CPU, then GPUs; NULL behind the last
uint32_t gpu_bit(const struct agent *a);
uint32_t all_gpus(void);
uint64_t scratch_most(const struct agent *a); // bytes of all its waves; 0 for the CPU
void agent_describe(struct agent *a);

struct isa *isa_of_handle(handle_t handle);
struct isa *isa_of_target(const sw_target *target);
void isas_forget(void);

// The GPUs that the environment names, with their devices (open.c).
status gpus_open(struct runtime *r, const char *list);
void gpus_close(struct runtime *r);

#endif
