// SPDX-License-Identifier: MIT
// Memory of a device: allocations at reproducible addresses, and the map of rights. What a worker found in
// the map it remembers until its next safe point (between groups and when waves give way); taking rights away
// waits until every worker that runs something has passed one.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "device/device.h"

// Addresses of the first device's allocations. Chosen away from where Linux puts programs and libraries.
enum { PAGE = 4096 };
#if defined(__SANITIZE_THREAD__) // which has its own plan of the address space
#define ARENA_BASE 0x004000000000ull
#define ARENA_SIZE 0x004000000000ull
#else
#define ARENA_BASE 0x200000000000ull
#define ARENA_SIZE 0x010000000000ull
#endif

bool wave_find_range(struct wave *w, uint64_t address, uint32_t rights, struct range *out) {
    struct worker *k = w->worker;
    pthread_mutex_lock(&k->map_lock);
    const bool found = map_find(k->map, address, rights, out);
    pthread_mutex_unlock(&k->map_lock);
    return found;
}

bool device_may_read(sw_device *d, uint64_t address, uint64_t last) {
    struct range range;
    pthread_mutex_lock(&d->lock);
    const bool found = map_find(&d->map, address, RIGHT_READ, &range);
    pthread_mutex_unlock(&d->lock);
    return found && last >= address && last <= range.last;
}

sw_status device_set_rights(sw_device *d, uint64_t lo, uint64_t hi, unsigned rights) {
    if (lo >= hi) return SW_OK;
    for (unsigned i = 0; i < d->thread_count; i++) pthread_mutex_lock(&d->workers[i].map_lock);
    const bool set = map_set(&d->map, lo, hi, rights);
    for (unsigned i = 0; i < d->thread_count; i++) pthread_mutex_unlock(&d->workers[i].map_lock);
    return set ? SW_OK : SW_NO_MEMORY;
}

void worker_forget_ranges(struct worker *k) {
    if (k->map_version == k->device->map_version) return;
    k->map_version = k->device->map_version;
    for (int i = 0; i < RANGE_SLOTS; i++) k->ranges[i] = (struct range){1, 0};
}

void rights_settle(sw_device *d) {
    const uint64_t version = __atomic_add_fetch(&d->map_version, 1, __ATOMIC_RELEASE);
    for (unsigned i = 0; i < d->thread_count; i++)
        while (d->workers[i].busy && d->workers[i].map_version < version)
            pthread_cond_wait(&d->done, &d->lock);
}

sw_status sw_device_map(sw_device *d, void *memory, uint64_t size, unsigned rights) {
    uint64_t lo = (uint64_t)(uintptr_t)memory;
    if (size > UINT64_MAX - lo || !device_enter(d)) return SW_USAGE;
    pthread_mutex_lock(&d->lock);
    sw_status status = device_set_rights(d, lo, lo + size, rights & 7);
    if (status == SW_OK && (rights & 7) != 7) rights_settle(d);
    pthread_mutex_unlock(&d->lock);
    device_leave(d);
    return status;
}

// ---- Allocations ----

static void *reserve(sw_device *d, uint64_t size) {
    for (int attempt = 0; attempt < 64; attempt++) {
        if (d->arena_next + size > d->arena_end) break;
        void *want = (void *)(uintptr_t)d->arena_next;
        void *p = mmap(want, size, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (p == want) {
            d->arena_next += size;
            return p;
        }
        if (p != MAP_FAILED) munmap(p, size);
        d->arena_next += 1ull << 30; // something else lives there
    }
    void *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

// The index of the first allocation above this address.
static size_t allocation_above(const sw_device *d, uint64_t address) {
    size_t lo = 0, hi = d->allocations.count;
    while (lo < hi) {
        const size_t middle = lo + (hi - lo) / 2;
        if (d->allocations.items[middle].base <= address)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static void *allocate(sw_device *d, uint64_t size, bool internal) {
    if (!size) size = 1;
    if (size > ARENA_SIZE / 2) return NULL;
    if (!d->arena_end) {
        d->arena_next = ARENA_BASE;
        d->arena_end = ARENA_BASE + ARENA_SIZE;
    }
    // The object ends at its guard page, but starts aligned to 256 bytes.
    uint64_t room = align_up(align_up(size, 256), PAGE), total = room + 2 * PAGE;
    uint8_t *p = reserve(d, total);
    if (!p) return NULL;
    uint8_t *pages = p + PAGE, *start = pages + (room - align_up(size, 256));
    if (mprotect(pages, room, PROT_READ | PROT_WRITE)) {
        munmap(p, total);
        return NULL;
    }
    // Rights reach the guard page: compilers widen loads, and byte-exact limits are a checker's business.
    const struct allocation a = {(uint64_t)(uintptr_t)start, align_up(size, 256), (uint64_t)(uintptr_t)p,
                                 total, internal};
    if (!array_reserve(&d->allocations, 1) ||
        device_set_rights(d, a.base, a.base + size, SW_READ | SW_WRITE) != SW_OK) {
        munmap(p, total);
        return NULL;
    }
    const size_t at = allocation_above(d, a.base);
    struct allocation *items = d->allocations.items;
    memmove(items + at + 1, items + at, (d->allocations.count++ - at) * sizeof *items);
    items[at] = a;
    return start;
}

void *device_reserve(sw_device *d, uint64_t size) {
    pthread_mutex_lock(&d->lock);
    void *p = allocate(d, size, true);
    pthread_mutex_unlock(&d->lock);
    return p;
}

void *sw_device_alloc(sw_device *d, uint64_t size) {
    if (!device_enter(d)) return NULL;
    pthread_mutex_lock(&d->lock);
    void *p = allocate(d, size, false);
    pthread_mutex_unlock(&d->lock);
    device_leave(d);
    return p;
}

// Frees an allocation that begins at this address, the caller's or the device's own. False: there is none.
static bool deallocate(sw_device *d, uint64_t base, bool internal) {
    const size_t at = allocation_above(d, base);
    if (!at) return false;
    const struct allocation a = d->allocations.items[at - 1];
    if (a.base != base || a.internal != internal) return false;
    // From here on nobody else frees it.
    memmove(&d->allocations.items[at - 1], &d->allocations.items[at],
            (d->allocations.count-- - at) * sizeof a);
    device_set_rights(d, a.base, a.base + a.size, 0);
    rights_settle(d);
    munmap((void *)(uintptr_t)a.mapped, a.mapped_size);
    return true;
}

void device_release(sw_device *d, void *memory) {
    pthread_mutex_lock(&d->lock);
    deallocate(d, (uint64_t)(uintptr_t)memory, true);
    pthread_mutex_unlock(&d->lock);
}

sw_status sw_device_free(sw_device *d, void *memory) {
    if (!memory) return SW_OK;
    if (!device_enter(d)) return SW_USAGE;
    pthread_mutex_lock(&d->lock);
    const bool freed = deallocate(d, (uint64_t)(uintptr_t)memory, false);
    pthread_mutex_unlock(&d->lock);
    device_leave(d);
    return freed ? SW_OK : SW_USAGE;
}

void allocations_free(sw_device *d) {
    for (size_t i = 0; i < d->allocations.count; i++)
        munmap((void *)(uintptr_t)d->allocations.items[i].mapped, d->allocations.items[i].mapped_size);
    array_free(&d->allocations);
}
