// SPDX-License-Identifier: MIT
// Whether the host can read or write memory that a program names in a copy or fill. A range beyond its end is
// an error of the call, where the host's processor would end the process.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hsa/memory/allocations.h"

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

// Asks the system about the program's own memory, in pages. Looking at each page takes about as long as a
// copy.
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

// Mappings one after the other, which Linux tells since 6.11 in half a microsecond each: <linux/fs.h> has
// this as PROCMAP_QUERY.
struct mapping {
    uint64_t size, flags, address, begin, end, rights, page, offset, inode;
    uint32_t major, minor, name_size, id_size;
    uint64_t name, id;
};
#define MAPPING_QUERY _IOWR('f', 17, struct mapping)
enum { MAY_READ = 1, MAY_WRITE = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int mappings = -1; // /proc/self/maps, of `owner`
static pid_t owner;

static int mappings_open(void) {
    pthread_mutex_lock(&lock);
    if (mappings < 0 || owner != getpid()) mappings = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    owner = getpid();
    const int file = mappings;
    pthread_mutex_unlock(&lock);
    return file;
}
void bounds_close(void) {
    pthread_mutex_lock(&lock);
    if (mappings >= 0 && owner == getpid()) close(mappings);
    mappings = -1;
    pthread_mutex_unlock(&lock);
}
// 1: all of them allow it. -1: the system does not tell.
static int mappings_allow(uint64_t lo, uint64_t hi, uint64_t right) {
    const int file = mappings_open();
    if (file < 0) return -1;
    while (lo < hi) {
        struct mapping m = {.size = sizeof m, .address = lo};
        if (ioctl(file, MAPPING_QUERY, &m)) return errno == ENOENT ? 0 : -1;
        if (!(m.rights & right)) return 0;
        lo = m.end;
    }
    return 1;
}

// The same before Linux 6.11, from the text that it has of all mappings: that takes 0.1 ms and more.
static int lines_allow(uint64_t lo, uint64_t hi, uint64_t right) {
    FILE *f = fopen("/proc/self/maps", "re");
    char line[PAGE + 256], rights[5];
    uint64_t begin, end;
    if (!f) return -1;
    while (lo < hi && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &begin, &end, rights) != 3 || end <= lo) continue;
        if (begin > lo || rights[right == MAY_WRITE] == '-') break;
        lo = end;
    }
    fclose(f);
    return lo >= hi;
}

bool host_may_access(const void *p, uint64_t size, bool write) {
    enum { FEW = 4 * PAGE, SOME = 4 << 20 };
    uint64_t lo = handle_of(p), hi;
    if (!size) return true;
    if (__builtin_add_overflow(lo, size, &hi) || hi > UINT64_MAX - PAGE) return false;
    const int inside = in_allocation(lo, size);
    if (inside >= 0) return inside;
    lo &= ~(uint64_t)(PAGE - 1);
    hi = (hi + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    const uint64_t right = write ? MAY_WRITE : MAY_READ;
    const bool knows = system_knows_rights();
    if (knows && hi - lo <= FEW) return are_open(lo, hi, write);
    int allowed = mappings_allow(lo, hi, right);
    if (allowed < 0 && knows && hi - lo <= SOME) return are_open(lo, hi, write);
    if (allowed < 0) allowed = lines_allow(lo, hi, right);
    if (allowed < 0) allowed = are_mapped(lo, hi);
    return allowed && (!knows || (are_open(lo, lo + PAGE, write) && are_open(hi - PAGE, hi, write)));
}
