// SPDX-License-Identifier: MIT
// Whether the host can read or write memory that a program names in a copy or fill. A range beyond its end is
// an error of the call, where the host's processor would end the process.
#include <errno.h>
#include <sys/mman.h>

#include "hsa/map.h"

#ifndef MADV_POPULATE_READ // since Linux 5.14
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif

// An allocation of the runtime is open to the host as a whole. -1: the address lies in none.
static int in_allocation(uint64_t lo, uint64_t size) {
    pthread_rwlock_rdlock(&map_lock);
    const struct allocation *a = allocation_at((const void *)(uintptr_t)lo);
    const int inside = a ? size <= a->room - (lo - a->base) : -1;
    pthread_rwlock_unlock(&map_lock);
    return inside;
}

// Asks the system about the program's own memory, in pages. Looking at each page of a large range would cost
// as much as the copy, so of those only the ends are asked for rights, and all for being mapped.
static bool are_mapped(uint64_t lo, uint64_t hi) {
    return !msync((void *)(uintptr_t)lo, hi - lo, MS_ASYNC) || errno != ENOMEM;
}
static bool are_open(uint64_t lo, uint64_t hi, bool write) {
    return !madvise((void *)(uintptr_t)lo, hi - lo, write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
}
static bool system_knows_rights(void) { // Linux 5.14 does
    static _Alignas(PAGE) char page[PAGE];
    static int known; // atomic; 0: not asked, 1: no, 2: yes
    int k = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!k) {
        k = are_open(handle_of(page), handle_of(page) + PAGE, false) ? 2 : 1;
        __atomic_store_n(&known, k, __ATOMIC_RELAXED);
    }
    return k == 2;
}

bool host_may_access(const void *p, uint64_t size, bool write) {
    enum { FEW = 4 * PAGE };
    uint64_t lo = handle_of(p), hi;
    if (!size) return true;
    if (__builtin_add_overflow(lo, size, &hi) || hi > UINT64_MAX - PAGE) return false;
    const int inside = in_allocation(lo, size);
    if (inside >= 0) return inside;
    lo &= ~(uint64_t)(PAGE - 1);
    hi = (hi + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    if (!system_knows_rights()) return are_mapped(lo, hi);
    if (hi - lo <= FEW) return are_open(lo, hi, write);
    return are_mapped(lo, hi) && are_open(lo, lo + PAGE, write) && are_open(hi - PAGE, hi, write);
}
