// SPDX-License-Identifier: MIT
// Memory of a device: allocations at reproducible addresses, and the rights that callers give to kernels.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/sorted.h"
#include "device/device.h"

enum { PAGE = 4096 };

bool device_may_read(sw_device *d, uint64_t address, uint64_t last) {
    struct range range;
    pthread_mutex_lock(&d->pool.lock);
    const bool found = map_find(&d->pool.map, address, RIGHT_READ, &range);
    pthread_mutex_unlock(&d->pool.lock);
    return found && last >= address && last <= range.last;
}

static sw_status map_range(sw_device *d, uint64_t lo, uint64_t size, unsigned rights) {
    if (size > UINT64_MAX - lo || !device_enter(d)) return SW_USAGE;
    pthread_mutex_lock(&d->pool.lock);
    const uint32_t all =
        RIGHT_READ | RIGHT_WRITE | RIGHT_EXECUTE | RIGHT_WATCH | RIGHT_CLOSED | RIGHT_STAYS | RIGHT_ALONE;
    // Watching must begin, too, where stores went unseen until now.
    const bool less = map_has_more(&d->pool.map, lo, lo + size, rights & (all & ~(uint32_t)RIGHT_WATCH)) ||
                      (rights & RIGHT_WATCH && map_has_more(&d->pool.map, lo, lo + size, 0)) ||
                      d->pool.options.host_memory; // which has rights without being in the map
    sw_status status = pool_set_rights(&d->pool, lo, lo + size, rights & all);
    if (status == SW_OK && less) rights_settle(&d->pool);
    pthread_mutex_unlock(&d->pool.lock);
    device_leave(d);
    return status;
}

// Whether [lo, lo + size) may be host memory: none of it has the bit of second addresses.
static bool is_host_range(uint64_t lo, uint64_t size) {
    const uint64_t bit = ALIAS_BIT; // 0 if the host has no such addresses
    return !bit || (lo < bit && size <= bit - lo);
}

sw_status sw_device_map(sw_device *d, void *memory, uint64_t size, unsigned rights) {
    const uint64_t lo = (uint64_t)(uintptr_t)memory;
    return is_host_range(lo, size) ? map_range(d, lo, size, rights) : SW_USAGE;
}

// The first page of second addresses stays free, so that no range begins among the first addresses and ends
// among these.
sw_status sw_device_map_alias(sw_device *d, void *memory, uint64_t size, unsigned rights, uint64_t *address) {
    const uint64_t lo = (uint64_t)(uintptr_t)memory;
    *address = 0;
    if (!ALIAS_BIT) return SW_UNSUPPORTED;
    if (lo < PAGE || !is_host_range(lo, size)) return SW_USAGE;
    const sw_status status = map_range(d, lo + ALIAS_BIT, size, rights);
    if (status == SW_OK) *address = lo + ALIAS_BIT;
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
    return SORTED_PREFIX(d->allocations.count, i, d->allocations.items[i].base <= address);
}

// Objects from so many bytes on may have huge pages: what walks through them misses fewer translations.
enum { HUGE_FROM = 8 << 20 };

// Gives the address, or 0 when out of memory or addresses. Called with the lock held.
static uint64_t allocate(sw_device *d, uint64_t size, uint64_t alignment, unsigned flags, bool internal) {
    if (!size) size = 1;
    if (alignment < 256) alignment = 256;
    if (size > ARENA_SIZE / 2) return 0;
    if (!d->arena_end) {
        d->arena_next = ARENA_BASE;
        d->arena_end = ARENA_BASE + ARENA_SIZE;
    }
    // The object ends at its guard page, but starts aligned.
    const uint64_t bytes = align_up(size, alignment), room = align_up(bytes, PAGE);
    const uint64_t total = room + 2 * PAGE + (alignment > PAGE ? alignment : 0);
    const uint64_t p = (uint64_t)(uintptr_t)reserve(d, total);
    if (!p) return 0;
    const uint64_t pages = alignment > PAGE ? align_up(p + PAGE, alignment) : p + PAGE;
    const uint64_t start = pages + (room - bytes);
    // Rights reach the guard page: compilers widen loads, and byte-exact limits are a checker's business.
    struct allocation a = {.base = start,
                           .size = align_up(size, 256),
                           .asked = size,
                           .mapped = p,
                           .mapped_size = total,
                           .internal = internal,
                           .flags = flags};
    const unsigned rights = SW_RIGHT_READ | SW_RIGHT_WRITE | SW_RIGHT_STAYS |
                            (flags & SW_MEMORY_EXECUTABLE ? SW_RIGHT_EXECUTE : 0u);
    if (flags & SW_MEMORY_EXECUTABLE) a.code = code_create(start, a.size);
    if ((flags & SW_MEMORY_EXECUTABLE && !a.code) ||
        mprotect((void *)(uintptr_t)pages, room, PROT_READ | PROT_WRITE) ||
        !array_reserve(&d->allocations, 1) ||
        pool_set_rights(&d->pool, start, start + size, rights) != SW_OK) {
        if (a.code) executable_free(d, a.code);
        munmap((void *)(uintptr_t)p, total);
        return 0;
    }
    if (room >= HUGE_FROM && !internal)
        madvise((void *)(uintptr_t)pages, room, MADV_HUGEPAGE); // if not, so be it
    if (a.code) {
        a.code->next = d->executables;
        d->executables = a.code;
    }
    const size_t at = allocation_above(d, start);
    struct allocation *items = d->allocations.items;
    memmove(items + at + 1, items + at, (d->allocations.count++ - at) * sizeof *items);
    items[at] = a;
    return start;
}

void *device_reserve(sw_device *d, uint64_t size) {
    pthread_mutex_lock(&d->pool.lock);
    void *p = (void *)(uintptr_t)allocate(d, size, 0, 0, true);
    pthread_mutex_unlock(&d->pool.lock);
    return p;
}

void *sw_device_alloc(sw_device *d, uint64_t size) {
    if (!device_enter(d)) return NULL;
    pthread_mutex_lock(&d->pool.lock);
    void *p = (void *)(uintptr_t)allocate(d, size, 0, 0, false);
    pthread_mutex_unlock(&d->pool.lock);
    device_leave(d);
    return p;
}

sw_status sw_device_allocate(sw_device *d, const sw_memory_options *options, void **out,
                             const sw_sink *sink) {
    *out = NULL;
    sw_memory_options own, *o = &own;
    const sw_status status = sized_take(SIZED(sw_memory_options, flags), o, options, sink);
    if (status) return status;
    if (o->alignment & (o->alignment - 1) || o->alignment > 1 << 30 ||
        o->flags & ~(unsigned)(SW_MEMORY_EXECUTABLE | SW_MEMORY_FINE_GRAINED))
        return diag_fail(sink, SW_USAGE, NULL,
                         "alignment %llu or flags 0x%x are none of those that memory may have",
                         (unsigned long long)o->alignment, o->flags);
    if (!device_enter(d)) return diag_fail(sink, SW_USAGE, NULL, "the device is being destroyed");
    pthread_mutex_lock(&d->pool.lock);
    const uint64_t p = allocate(d, o->bytes, o->alignment, o->flags, false);
    pthread_mutex_unlock(&d->pool.lock);
    device_leave(d);
    *out = (void *)(uintptr_t)p;
    return p ? SW_OK
             : diag_fail(sink, SW_NO_MEMORY, NULL,
                         "no memory or addresses for %llu bytes, %zu allocations exist",
                         (unsigned long long)o->bytes, d->allocations.count);
}

sw_status sw_device_memory_info(sw_device *d, uint64_t address, sw_memory_info *out) {
    const struct sized kind = SIZED(sw_memory_info, rights);
    if (sized_check(kind, out, NULL) || !device_enter(d)) return SW_USAGE;
    sw_memory_info info = {0};
    pthread_mutex_lock(&d->pool.lock);
    const size_t at = allocation_above(d, address);
    if (at && address - d->allocations.items[at - 1].base < d->allocations.items[at - 1].size) {
        const struct allocation *a = &d->allocations.items[at - 1];
        info.base = a->base, info.bytes = a->size;
        info.flags = a->flags;
        info.internal = a->internal;
    }
    struct range range;
    for (unsigned right = SW_RIGHT_READ; right <= SW_RIGHT_EXECUTE; right *= 2)
        if (map_find(&d->pool.map, address, right, &range) ||
            map_find_host(&d->pool.map, address, right, &range))
            info.rights |= right;
    pthread_mutex_unlock(&d->pool.lock);
    device_leave(d);
    sized_fill(kind, out, &info);
    return SW_OK;
}

// The allocation that begins at this address, the caller's or the device's own.
static struct allocation *allocation_at(sw_device *d, uint64_t base, bool internal) {
    const size_t at = allocation_above(d, base);
    struct allocation *a = at ? &d->allocations.items[at - 1] : NULL;
    return a && a->base == base && a->internal == internal ? a : NULL;
}

bool allocation_share(sw_device *d, uint64_t base, uint64_t *size, bool *less) {
    struct allocation *a = allocation_at(d, base, false);
    if (!a) return false;
    a->shared = true;
    *size = a->asked;
    *less = pool_take_right(&d->pool, base, base + a->size, RIGHT_ALONE);
    return true;
}

// Takes it out of the list, so that nobody else frees it, and its rights away.
static bool take_out(sw_device *d, uint64_t base, bool internal, struct allocation *out) {
    struct allocation *a = allocation_at(d, base, internal);
    if (!a) return false;
    *out = *a;
    const size_t behind = (size_t)(d->allocations.items + d->allocations.count - (a + 1));
    memmove(a, a + 1, behind * sizeof *a);
    d->allocations.count--;
    pool_set_rights(&d->pool, out->base, out->base + out->size, 0);
    if (out->code) code_remove(d, out->code);
    rights_settle(&d->pool);
    return true;
}

// False: there is no such allocation.
static bool deallocate(sw_device *d, uint64_t base, bool internal) {
    struct allocation a;
    pthread_mutex_lock(&d->pool.lock);
    const bool found = take_out(d, base, internal, &a);
    pthread_mutex_unlock(&d->pool.lock);
    if (!found) return false;
    if (a.shared) shares_revoke(d, base);
    if (a.code) executable_free(d, a.code);
    munmap((void *)(uintptr_t)a.mapped, a.mapped_size);
    return true;
}

void device_release(sw_device *d, void *memory) { deallocate(d, (uint64_t)(uintptr_t)memory, true); }

sw_status sw_device_free(sw_device *d, void *memory) {
    if (!memory) return SW_OK;
    if (!device_enter(d)) return SW_USAGE;
    const bool freed = deallocate(d, (uint64_t)(uintptr_t)memory, false);
    device_leave(d);
    return freed ? SW_OK : SW_USAGE;
}

void allocations_free(sw_device *d) {
    for (size_t i = 0; i < d->allocations.count; i++)
        munmap((void *)(uintptr_t)d->allocations.items[i].mapped, d->allocations.items[i].mapped_size);
    array_free(&d->allocations);
}
