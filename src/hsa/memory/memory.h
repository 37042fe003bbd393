// SPDX-License-Identifier: MIT
// The process's memory as other rooms see it: what agents may touch. Addresses are those of the host.
#ifndef HSA_MEMORY_MEMORY_H
#define HSA_MEMORY_MEMORY_H

#include "hsa/agent/agent.h"

// Agents see locked host memory at its address with this bit, which no user address has.
#define AGENT_BIT (1ull << 47)
static inline void *host_pointer(const void *p) {
    return (void *)(uintptr_t)((uint64_t)(uintptr_t)p & ~AGENT_BIT);
}

struct pool *pool_of(handle_t handle); // NULL: no such pool or region
status memory_take(struct pool *pool, uint64_t size, uint32_t access, void **out);
status memory_give_back(void *p);
// Rights of the GPUs `access` on [lo, hi), none for others: of memory that the runtime alone unmaps, once it
// has taken them away.
status rights_set(uint64_t lo, uint64_t hi, uint32_t access, unsigned rights);
// Memory of the runtime's own that kernels may read or write.
void *own_memory(uint64_t size);
void own_memory_free(void *p, uint64_t size);
// Copies memory that lies in one allocation. False: it does not.
bool memory_read(uint64_t address, uint64_t bytes, void *out);
// True if the address is beside the allocations: kernels may read there, but nothing is there
// (allocations.c).
bool memory_is_rest(uint64_t address);
// True if the host can read, or write, all of [p, p + size) (bounds.c).
bool host_may_access(const void *p, uint64_t size, bool write);
// Host memory that was unmapped still has attributes and rights, which unmapped_settle takes away
// (unmapped.c).
bool unmapped_any(void);
void memory_settle(void); // waits for the map
// The preferred place of [lo, hi) is this agent (svm.c).
void svm_prefer(uint64_t lo, uint64_t hi, handle_t agent);

void memory_close(void);
void memory_forget(void); // in a child process
void vmem_close(void);
void vmem_forget(void);
void bounds_close(void);

#endif
