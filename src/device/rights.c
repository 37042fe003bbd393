// SPDX-License-Identifier: MIT
// Memory of a device: allocations at reproducible addresses, and the map of rights. A map is immutable;
// changing rights publishes a new one. Workers take up the current map at safe points (between groups and
// when waves give way); taking rights away waits until every running worker has done so.
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
    return map_find(w->worker->map, address, rights, out);
}

// Copies `old` with [lo, hi) given `rights`, neighbours of equal rights kept apart only where they were:
// a range is never merged, so that running past an allocation into its neighbour is found.
static struct map *map_with(const struct map *old, uint64_t lo, uint64_t hi, uint32_t rights) {
    struct map *m = malloc(sizeof *m + (old->count + 3) * sizeof *m->ranges);
    if (!m) return NULL;
    size_t n = 0;
    bool placed = !rights;
    for (size_t i = 0; i < old->count; i++) {
        struct map_range r = old->ranges[i];
        if (r.lo < lo) m->ranges[n++] = (struct map_range){r.lo, r.hi < lo ? r.hi : lo, r.rights};
        if (!placed && r.hi > lo) m->ranges[n++] = (struct map_range){lo, hi, rights}, placed = true;
        if (r.hi > hi) m->ranges[n++] = (struct map_range){r.lo > hi ? r.lo : hi, r.hi, r.rights};
    }
    if (!placed) m->ranges[n++] = (struct map_range){lo, hi, rights};
    m->count = n;
    return m;
}

static bool all_current(const sw_device *d) {
    for (unsigned i = 0; i < d->thread_count; i++)
        if (d->workers[i].busy && d->workers[i].map_version != d->map_version) return false;
    return true;
}

sw_status device_set_rights(sw_device *d, uint64_t lo, uint64_t hi, unsigned rights) {
    if (lo >= hi) return SW_OK;
    struct map *m = map_with(d->map, lo, hi, rights);
    if (!m || !array_push(&d->old_maps, d->map)) {
        free(m);
        return SW_NO_MEMORY;
    }
    __atomic_store_n(&d->map, m, __ATOMIC_RELEASE);
    __atomic_add_fetch(&d->map_version, 1, __ATOMIC_RELEASE);
    return SW_OK;
}

// Rights taken away hold only when no worker can use the old map. Called with the lock held.
static void wait_for_workers(sw_device *d) {
    while (!all_current(d)) pthread_cond_wait(&d->done, &d->lock);
    bool idle = true;
    for (unsigned i = 0; i < d->thread_count; i++) idle &= !d->workers[i].busy;
    if (!idle) return; // maps in use are freed later
    for (size_t i = 0; i < d->old_maps.count; i++) free((void *)d->old_maps.items[i]);
    d->old_maps.count = 0;
}

sw_status sw_device_map(sw_device *d, void *memory, uint64_t size, unsigned rights) {
    uint64_t lo = (uint64_t)(uintptr_t)memory;
    if (size > UINT64_MAX - lo) return SW_USAGE;
    pthread_mutex_lock(&d->lock);
    sw_status status = device_set_rights(d, lo, lo + size, rights & 7);
    if (status == SW_OK && (rights & 7) != 7) wait_for_workers(d);
    pthread_mutex_unlock(&d->lock);
    return status;
}

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

void *device_alloc_locked(sw_device *d, uint64_t size) {
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
    struct allocation a = {(uint64_t)(uintptr_t)start, align_up(size, 256), (uint64_t)(uintptr_t)p, total};
    if (!array_push(&d->allocations, a) ||
        device_set_rights(d, a.base, a.base + size, SW_READ | SW_WRITE) != SW_OK) {
        munmap(p, total);
        return NULL;
    }
    return start;
}

void *sw_device_alloc(sw_device *d, uint64_t size) {
    pthread_mutex_lock(&d->lock);
    void *p = device_alloc_locked(d, size);
    pthread_mutex_unlock(&d->lock);
    return p;
}

void sw_device_free(sw_device *d, void *memory) {
    if (!memory) return;
    pthread_mutex_lock(&d->lock);
    for (size_t i = 0; i < d->allocations.count; i++) {
        struct allocation a = d->allocations.items[i];
        if (a.base != (uint64_t)(uintptr_t)memory) continue;
        device_set_rights(d, a.base, a.base + a.size, 0);
        wait_for_workers(d);
        munmap((void *)(uintptr_t)a.mapped, a.mapped_size);
        d->allocations.items[i] = d->allocations.items[--d->allocations.count];
        break;
    }
    pthread_mutex_unlock(&d->lock);
}
