// SPDX-License-Identifier: MIT
// What memory the process has from the runtime, and who may touch it. Every allocation begins at a page; a
// page without rights follows it, unless it is a part of a block (fragment.c). Addresses are the same in
// every run of the same calls and not used twice.
#include "hsa/memory/allocations.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/sorted.h"

pthread_rwlock_t map_lock = PTHREAD_RWLOCK_INITIALIZER;
struct memory_map memory_map;
static uint64_t arena_next = ARENA_BASE;
static pthread_mutex_t arena_lock = PTHREAD_MUTEX_INITIALIZER, charge_lock = PTHREAD_MUTEX_INITIALIZER;

enum { LARGE_PAGE = 2 << 20 };

static uint64_t page_up(uint64_t n) { return (n + PAGE - 1) & ~(uint64_t)(PAGE - 1); }

// ---- Addresses ----

void *addresses_take(uint64_t size, uint64_t alignment) {
    if (size > ARENA_END - ARENA_BASE) return NULL;
    pthread_mutex_lock(&arena_lock);
    void *got = MAP_FAILED;
    for (int attempt = 0; attempt < 64 && arena_next + size < ARENA_END; attempt++) {
        const uint64_t at = (arena_next + alignment - 1) & ~(alignment - 1);
        void *want = (void *)(uintptr_t)at;
        got = mmap(want, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                   -1, 0);
        if (got == want) {
            arena_next = at + size;
            break;
        }
        if (got != MAP_FAILED) munmap(got, size);
        got = MAP_FAILED;
        arena_next += 1ull << 30; // something else lives there
    }
    pthread_mutex_unlock(&arena_lock);
    if (got == MAP_FAILED && alignment <= PAGE)
        got = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return got == MAP_FAILED ? NULL : got;
}

void *own_memory(uint64_t size) {
    const uint64_t room = page_up(size);
    char *p = addresses_take(room + PAGE, PAGE);
    if (!p || !mprotect(p, room, PROT_READ | PROT_WRITE)) return p;
    munmap(p, room + PAGE);
    return NULL;
}
void own_memory_free(void *p, uint64_t size) {
    if (!p) return;
    rights_set(handle_of(p), handle_of(p) + page_up(size), 0, 0);
    munmap(p, page_up(size) + PAGE);
}

status rights_set(uint64_t lo, uint64_t hi, uint32_t access, unsigned rights) {
    struct runtime *r = running();
    status st = ST_SUCCESS;
    for (unsigned i = 0; r && i < r->gpu_count; i++) {
        const unsigned own = access >> i & 1 && rights ? rights | SW_RIGHT_STAYS : 0;
        if (sw_device_map(r->gpus[i].device, (void *)(uintptr_t)lo, hi - lo, own) != SW_OK)
            st = ST_OUT_OF_RESOURCES;
    }
    return st;
}

// A GPU's coarse-grained memory is nobody else's to change while kernels run. What other GPUs or processes
// have, too, is treated as if it were fine-grained.
status allocation_open(const struct allocation *a, uint32_t access) {
    const bool alone = a->pool && a->pool->agent->is_gpu && a->pool->flags & FLAG_COARSE &&
                       access == gpu_bit(a->pool->agent) && !a->exported;
    return rights_set(a->base, a->base + a->room, access,
                      SW_RIGHT_READ | SW_RIGHT_WRITE | (alone ? SW_RIGHT_ALONE : 0u));
}

status rights_of_host(uint64_t lo, uint64_t hi, uint32_t access) {
    struct runtime *r = running();
    status st = ST_SUCCESS;
    for (unsigned i = 0; i < r->gpu_count; i++) {
        const struct agent *a = &r->gpus[i];
        const bool all = a->target.xnack == SW_SETTING_ON, open = access >> i & 1;
        const unsigned rights = all    ? (open ? 0 : SW_RIGHT_CLOSED)
                                : open ? SW_RIGHT_READ | SW_RIGHT_WRITE
                                       : 0;
        if (open) sw_device_guard_memory(a->device);
        if (sw_device_map(a->device, (void *)(uintptr_t)lo, hi - lo, rights) != SW_OK)
            st = ST_OUT_OF_RESOURCES;
    }
    return st;
}

// ---- Allocations ----

static size_t above(uint64_t address) {
    return SORTED_PREFIX(memory_map.allocations.count, i, memory_map.allocations.items[i]->base <= address);
}

struct allocation *allocation_at(const void *p) {
    const uint64_t address = handle_of(p);
    const size_t at = above(address);
    struct allocation *a = at ? memory_map.allocations.items[at - 1] : NULL;
    return a && address - a->base < a->room ? a : NULL;
}

bool allocation_add(struct allocation *a) {
    if (!array_reserve(&memory_map.allocations, 1)) return false;
    const size_t at = above(a->base);
    struct allocation **items = memory_map.allocations.items;
    memmove(items + at + 1, items + at, (memory_map.allocations.count++ - at) * sizeof *items);
    items[at] = a;
    return true;
}

void allocation_remove(struct allocation *a) {
    const size_t at = above(a->base);
    struct allocation **items = memory_map.allocations.items;
    if (!at || items[at - 1] != a) return;
    memmove(items + at - 1, items + at, (memory_map.allocations.count-- - at) * sizeof *items);
}

// The memory of all pools together is limited, each pool by what its card has.
bool pool_charge(struct pool *p, uint64_t size) {
    const uint64_t limit = running()->memory_limit;
    uint64_t all = 0;
    struct agent *a;
    pthread_mutex_lock(&charge_lock); // what is refused takes no room from others meanwhile
    for (unsigned i = 0; (a = agent_at(i)); i++)
        for (unsigned n = 0; n < a->pool_count; n++)
            all += __atomic_load_n(&a->pools[n].used, __ATOMIC_RELAXED);
    const uint64_t used = __atomic_load_n(&p->used, __ATOMIC_RELAXED);
    const bool fits = size <= p->size && used <= p->size - size && size <= limit && all <= limit - size;
    if (fits) __atomic_add_fetch(&p->used, size, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&charge_lock);
    return fits;
}

// Device memory lies in a file without a name, so that other processes can be given it.
static int pool_file(void) {
    static int file = -1;
    pthread_mutex_lock(&arena_lock);
    if (file < 0 || memory_map.file_of != getpid()) {
        file = memfd_create("softwave", MFD_CLOEXEC);
        if (file >= 0 && ftruncate(file, INT64_MAX / 2)) close(file), file = -1;
        memory_map.file_of = getpid();
        memory_map.file_next = 0;
    }
    pthread_mutex_unlock(&arena_lock);
    return file;
}

int pool_room(uint64_t size, uint64_t *offset) {
    const int file = pool_file();
    if (file >= 0) *offset = __atomic_fetch_add(&memory_map.file_next, size, __ATOMIC_RELAXED);
    return file;
}

static bool back(struct allocation *a, void *at, bool shared) {
    if (!shared) return !mprotect(at, a->room, PROT_READ | PROT_WRITE);
    a->file = pool_room(a->room, &a->offset);
    if (a->file < 0) return false;
    a->shared = true;
    return mmap(at, a->room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, a->file,
                (off_t)a->offset) != MAP_FAILED;
}

// Large memory: addresses of its own. Drivers give it whole large pages, which device malloc counts on to
// find a block's slab; its owner can read the rest of the last one, and READABLE_REST behind it.
static bool take_alone(struct pool *pool, struct allocation *a) {
    const bool large = a->room >= LARGE_PAGE, lenient = pool->agent->is_gpu && !running()->exact_bounds;
    const uint64_t tail = lenient ? (-a->room & (LARGE_PAGE - 1)) + READABLE_REST : 0;
    char *p = addresses_take(a->room + tail + PAGE, large ? LARGE_PAGE : PAGE);
    if (!p) return false;
    a->base = a->mapped = handle_of(p);
    a->mapped_size = a->room + tail + PAGE;
    const uint64_t end = a->base + a->room;
    if (back(a, p, pool->agent->is_gpu) &&
        (!tail || (!mprotect(p + a->room, tail, PROT_READ) &&
                   rights_set(end, end + tail, gpu_bit(pool->agent), SW_RIGHT_READ) == ST_SUCCESS)))
        return true;
    rights_set(end, end + tail, 0, 0);
    munmap(p, a->mapped_size);
    return false;
}
static void unmap(const struct allocation *a) {
    rights_set(a->base, a->mapped + a->mapped_size, 0, 0);
    munmap((void *)(uintptr_t)a->mapped, a->mapped_size);
}
static void empty_file(const struct allocation *a) {
    if (a->shared)
        fallocate(a->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)a->offset, (off_t)a->room);
}

status memory_take(struct pool *pool, uint64_t size, uint32_t access, void **out) {
    *out = NULL;
    NEED(size, ST_INVALID_ARGUMENT);
    const uint64_t room = page_up(size);
    if (room < size || !pool_charge(pool, room)) return ST_OUT_OF_RESOURCES;
    struct allocation *a = calloc(1, sizeof *a);
    bool taken = false;
    if (a) {
        *a = (struct allocation){.size = size, .room = room, .pool = pool, .access = access, .file = -1};
        const bool in_block = pool->agent->is_gpu && !running()->exact_bounds && fragment_fits(room);
        taken = in_block ? fragment_take(pool, a) : take_alone(pool, a);
    }
    if (taken) {
        status st = allocation_open(a, access);
        pthread_rwlock_wrlock(&map_lock);
        if (st == ST_SUCCESS && !allocation_add(a)) st = ST_OUT_OF_RESOURCES;
        pthread_rwlock_unlock(&map_lock);
        if (st == ST_SUCCESS) {
            *out = (void *)(uintptr_t)a->base;
            return ST_SUCCESS;
        }
        allocation_free(a);
        return ST_OUT_OF_RESOURCES;
    }
    free(a);
    __atomic_sub_fetch(&pool->used, room, __ATOMIC_RELAXED);
    return ST_OUT_OF_RESOURCES;
}

// Called by workers, for which a thread that holds a lock may wait: whether it is so may stay unknown.
bool memory_is_rest(uint64_t address) {
    bool known = false, rest = false;
    for (int i = 0; i < 100 && !known; i++, known || usleep(100)) {
        if (pthread_rwlock_tryrdlock(&map_lock)) continue;
        known = true;
        const size_t at = above(address);
        const struct allocation *a = at ? memory_map.allocations.items[at - 1] : NULL;
        const bool inside = a && address - a->base < a->room;
        rest = !inside && ((a && address - a->mapped < a->mapped_size) || fragment_holds(address));
        pthread_rwlock_unlock(&map_lock);
    }
    return rest;
}

void allocation_free(struct allocation *a) {
    if (a->block)
        rights_set(a->base, a->base + a->room, gpu_bit(a->pool->agent),
                   SW_RIGHT_READ); // as the rest of the block
    else
        unmap(a);
    empty_file(a);
    if (a->block) fragment_give_back(a);
    if (a->is_ipc) close(a->file);
    if (a->pool && !a->is_ipc) __atomic_sub_fetch(&a->pool->used, a->room, __ATOMIC_RELAXED);
    array_free(&a->callbacks);
    free(a);
}

// Whoever takes it out of the map frees it: two calls at once cannot both.
status memory_give_back(void *p) {
    pthread_rwlock_wrlock(&map_lock);
    struct allocation *a = allocation_at(p);
    const bool found = a && a->base == handle_of(p) && !a->is_ipc && a->pool;
    if (found) {
        svm_forget(a->base, a->base + a->room);
        allocation_remove(a);
    }
    pthread_rwlock_unlock(&map_lock);
    if (!found) return ST_INVALID_ALLOCATION;
    for (size_t i = 0; i < a->callbacks.count; i++) a->callbacks.items[i].call(p, a->callbacks.items[i].data);
    allocation_free(a);
    return ST_SUCCESS;
}

// ---- Locked memory ----

static bool locked_holds(const struct locked *l, uint64_t host, uint64_t size) {
    return host >= l->host && host - l->host < l->size && size <= l->size - (host - l->host);
}
struct locked *locked_at(const void *p) {
    const uint64_t host = handle_of(host_pointer(p));
    for (size_t i = memory_map.locks.count; i-- > 0;)
        if (locked_holds(&memory_map.locks.items[i], host, 1)) return &memory_map.locks.items[i];
    return NULL;
}

// The GPUs that some lock opens a page to.
static uint32_t locked_access(uint64_t page) {
    uint32_t access = 0;
    for (size_t i = 0; i < memory_map.locks.count; i++) {
        const struct locked *l = &memory_map.locks.items[i];
        if (l->host < page + PAGE && page < l->host + l->size) access |= l->access;
    }
    return access;
}
// Where locks begin or end behind this page, and `hi` at the most: up to there pages have the same rights.
static uint64_t next_border(uint64_t page, uint64_t hi) {
    for (size_t i = 0; i < memory_map.locks.count; i++) {
        const struct locked *l = &memory_map.locks.items[i];
        const uint64_t begin = l->host & ~(uint64_t)(PAGE - 1), end = page_up(l->host + l->size);
        if (begin > page && begin < hi) hi = begin;
        if (end > page && end < hi) hi = end;
    }
    return hi;
}
static status set_alias(uint64_t lo, uint64_t hi, uint32_t access) {
    struct runtime *r = running();
    for (unsigned i = 0; i < r->gpu_count; i++) {
        uint64_t address;
        if (access >> i & 1) sw_device_guard_memory(r->gpus[i].device);
        const unsigned rights = access >> i & 1 ? SW_RIGHT_READ | SW_RIGHT_WRITE : 0;
        const sw_status done =
            sw_device_map_alias(r->gpus[i].device, (void *)(uintptr_t)lo, hi - lo, rights, &address);
        if (done == SW_UNSUPPORTED) {
            runtime_complain(
                "memory cannot be locked: pointers of this host leave no bit for the agents' address");
            return ST_NOT_SUPPORTED;
        }
        NEED(done == SW_OK, ST_OUT_OF_RESOURCES);
    }
    return ST_SUCCESS;
}
status locked_refresh(uint64_t lo, uint64_t hi) {
    status st = ST_SUCCESS;
    hi = page_up(hi);
    for (lo &= ~(uint64_t)(PAGE - 1); lo < hi && st == ST_SUCCESS;) {
        const uint64_t border = next_border(lo, hi);
        st = set_alias(lo, border, locked_access(lo));
        lo = border;
    }
    return st;
}

// ---- The end ----

void memory_close(void) {
    pthread_rwlock_wrlock(&map_lock);
    unmapped_close();
    while (memory_map.allocations.count) {
        struct allocation *a = memory_map.allocations.items[--memory_map.allocations.count];
        if (!a->block) munmap((void *)(uintptr_t)a->mapped, a->mapped_size);
        empty_file(a);
        if (a->is_ipc) close(a->file);
        array_free(&a->callbacks);
        free(a);
    }
    fragments_close();
    array_free(&memory_map.allocations);
    array_free(&memory_map.locks);
    array_free(&memory_map.svm);
    pthread_rwlock_unlock(&map_lock);
}

void memory_forget(void) {
    pthread_rwlock_init(&map_lock, NULL);
    pthread_mutex_init(&arena_lock, NULL);
    pthread_mutex_init(&charge_lock, NULL);
    unmapped_forget();
    fragments_forget();
    memory_map = (struct memory_map){0};
}
