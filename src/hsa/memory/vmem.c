// SPDX-License-Identifier: MIT
// Virtual memory: reserved addresses, memory without an address, and mappings of memory at addresses with
// permissions of each agent. Memory is a part of the pools' file, so it can be mapped several times.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hsa/memory/allocations.h"

struct memory { // what a handle means
    struct memory *next;
    struct pool *pool;
    uint64_t size, offset;
    int file, type;
    unsigned handles, mapped; // references of the program; mappings
};
struct mapping {
    uint64_t lo, hi;
    struct memory *memory;
    uint32_t readers, writers; // GPUs
    int host;                  // the CPU's permissions
};
struct reservation {
    uint64_t lo, hi;
};
struct access { // a permission for an agent
    uint32_t permissions;
    handle_t agent;
};
enum { PERMISSION_READ = 1, PERMISSION_WRITE = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct memory *memories;
static ARRAY(struct mapping) mappings;
static ARRAY(struct reservation) reservations;

static bool is_whole(uint64_t n) { return n && !(n % PAGE); }
// NULL: no handle, or one that the program has released, even if its memory is still mapped.
static struct memory *memory_of(handle_t handle) {
    struct memory *m = memories;
    while (m && handle_of(m) != handle) m = m->next;
    return m && m->handles ? m : NULL;
}
static void free_if_unused(struct memory *m) {
    if (m->handles || m->mapped) return;
    struct memory **at = &memories;
    while (*at != m) at = &(*at)->next;
    *at = m->next;
    fallocate(m->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)m->offset, (off_t)m->size);
    __atomic_sub_fetch(&m->pool->used, m->size, __ATOMIC_RELAXED);
    free(m);
}

// ---- Addresses ----

HSA(status, hsa_amd_vmem_address_reserve, void **out, size_t size, uint64_t address, uint64_t flags) {
    NEED_RUNTIME;
    NEED(out && is_whole(size) && !(address % PAGE) && !flags, ST_INVALID_ARGUMENT);
    void *p = MAP_FAILED;
    if (address) { // where the program would like it, if nothing is there
        p = mmap((void *)(uintptr_t)address, size, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (p != MAP_FAILED && handle_of(p) != address) munmap(p, size), p = MAP_FAILED;
    }
    if (p == MAP_FAILED) p = addresses_take(size, size >= 2 << 20 ? 2 << 20 : PAGE);
    NEED(p, ST_OUT_OF_RESOURCES);
    pthread_mutex_lock(&lock);
    const bool added = array_push(&reservations, (struct reservation){handle_of(p), handle_of(p) + size});
    pthread_mutex_unlock(&lock);
    if (!added) munmap(p, size);
    NEED(added, ST_OUT_OF_RESOURCES);
    *out = p;
    return ST_SUCCESS;
}
// With another alignment than pages have.
HSA(status, hsa_amd_vmem_address_reserve_align, void **out, size_t size, uint64_t address, uint64_t alignment,
    uint64_t flags) {
    NEED_RUNTIME;
    NEED(!(alignment & (alignment - 1)) && alignment <= 1u << 30, ST_INVALID_ARGUMENT);
    if (alignment <= PAGE) return hsa_amd_vmem_address_reserve(out, size, address, flags);
    NEED(out && is_whole(size) && !flags, ST_INVALID_ARGUMENT);
    void *p = addresses_take(size, alignment);
    NEED(p, ST_OUT_OF_RESOURCES);
    pthread_mutex_lock(&lock);
    const bool added = array_push(&reservations, (struct reservation){handle_of(p), handle_of(p) + size});
    pthread_mutex_unlock(&lock);
    if (!added) munmap(p, size);
    NEED(added, ST_OUT_OF_RESOURCES);
    *out = p;
    return ST_SUCCESS;
}

HSA(status, hsa_amd_vmem_address_free, void *p, size_t size) {
    NEED_RUNTIME;
    const uint64_t lo = handle_of(p), hi = lo + size;
    status st = ST_INVALID_ALLOCATION;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < mappings.count; i++)
        if (mappings.items[i].lo < hi && lo < mappings.items[i].hi) st = ST_RESOURCE_FREE; // unmap first
    for (size_t i = 0; st == ST_INVALID_ALLOCATION && i < reservations.count; i++) {
        if (reservations.items[i].lo != lo || reservations.items[i].hi != hi) continue;
        reservations.items[i] = reservations.items[--reservations.count];
        munmap(p, size);
        st = ST_SUCCESS;
    }
    pthread_mutex_unlock(&lock);
    return st;
}

// ---- Memory ----

HSA(status, hsa_amd_vmem_handle_create, handle_t pool, size_t size, int type, uint64_t flags, handle_t *out) {
    NEED_RUNTIME;
    struct pool *p = pool_of(pool);
    NEED(p && p->segment == SEGMENT_GLOBAL, ST_INVALID_ALLOCATION);
    NEED(out && is_whole(size) && (type == 0 || type == 1) && !flags, ST_INVALID_ARGUMENT);
    struct memory *m = calloc(1, sizeof *m);
    NEED(m, ST_OUT_OF_RESOURCES);
    *m = (struct memory){.pool = p, .size = size, .type = type, .handles = 1};
    if (!pool_charge(p, size)) {
        free(m);
        return ST_OUT_OF_RESOURCES;
    }
    m->file = pool_room(size, &m->offset);
    if (m->file < 0) {
        __atomic_sub_fetch(&p->used, size, __ATOMIC_RELAXED);
        free(m);
        return ST_OUT_OF_RESOURCES;
    }
    pthread_mutex_lock(&lock);
    m->next = memories;
    memories = m;
    pthread_mutex_unlock(&lock);
    *out = handle_of(m);
    return ST_SUCCESS;
}

HSA(status, hsa_amd_vmem_handle_release, handle_t handle) {
    NEED_RUNTIME;
    pthread_mutex_lock(&lock);
    struct memory *m = memory_of(handle);
    if (m) m->handles--, free_if_unused(m);
    pthread_mutex_unlock(&lock);
    return m ? ST_SUCCESS : ST_INVALID_ALLOCATION;
}

HSA(status, hsa_amd_vmem_get_alloc_properties_from_handle, handle_t handle, handle_t *pool, int *type) {
    NEED_RUNTIME;
    NEED(pool && type, ST_INVALID_ARGUMENT);
    pthread_mutex_lock(&lock);
    const struct memory *m = memory_of(handle);
    if (m) *pool = handle_of(m->pool), *type = m->type;
    pthread_mutex_unlock(&lock);
    return m ? ST_SUCCESS : ST_INVALID_ALLOCATION;
}

// ---- Mapping ----

static bool is_reserved(uint64_t lo, uint64_t hi) {
    for (size_t i = 0; i < reservations.count; i++)
        if (reservations.items[i].lo <= lo && hi <= reservations.items[i].hi) return true;
    return false;
}

HSA(status, hsa_amd_vmem_map, void *p, size_t size, size_t offset, handle_t handle, uint64_t flags) {
    NEED_RUNTIME;
    NEED(is_whole(size) && !(handle_of(p) % PAGE) && !offset && !flags, ST_INVALID_ARGUMENT);
    const uint64_t lo = handle_of(p), hi = lo + size;
    pthread_mutex_lock(&lock);
    struct memory *m = memory_of(handle);
    status st = !m                             ? ST_INVALID_ALLOCATION
                : size != m->size              ? ST_INVALID_ARGUMENT
                : !is_reserved(lo, hi)         ? ST_INVALID_ALLOCATION
                : !array_reserve(&mappings, 1) ? ST_OUT_OF_RESOURCES
                                               : ST_SUCCESS;
    for (size_t i = 0; st == ST_SUCCESS && i < mappings.count; i++)
        if (mappings.items[i].lo < hi && lo < mappings.items[i].hi)
            st = ST_INVALID_ARGUMENT; // something is there
    // Nobody may touch it before hsa_amd_vmem_set_access.
    if (st == ST_SUCCESS && mmap(p, size, PROT_NONE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, m->file,
                                 (off_t)m->offset) == MAP_FAILED)
        st = ST_OUT_OF_RESOURCES;
    if (st == ST_SUCCESS) {
        array_push(&mappings, (struct mapping){.lo = lo, .hi = hi, .memory = m});
        m->mapped++;
    }
    pthread_mutex_unlock(&lock);
    return st;
}

static struct mapping *mapping_at(uint64_t address) {
    for (size_t i = 0; i < mappings.count; i++)
        if (address - mappings.items[i].lo < mappings.items[i].hi - mappings.items[i].lo)
            return &mappings.items[i];
    return NULL;
}

HSA(status, hsa_amd_vmem_unmap, void *p, size_t size) {
    NEED_RUNTIME;
    const uint64_t lo = handle_of(p);
    pthread_mutex_lock(&lock);
    struct mapping *m = mapping_at(lo);
    const bool found = m && m->lo == lo && m->hi - m->lo == size;
    if (found) {
        rights_set(lo, m->hi, 0, 0); // no kernel touches it any more
        mmap(p, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
        m->memory->mapped--;
        free_if_unused(m->memory);
        *m = mappings.items[--mappings.count];
    }
    pthread_mutex_unlock(&lock);
    return found ? ST_SUCCESS : ST_INVALID_ALLOCATION;
}

// ---- Permissions ----

static status apply(struct mapping *m) {
    status st = ST_SUCCESS;
    for (unsigned i = 0; i < running()->gpu_count; i++) {
        const unsigned rights =
            (m->readers >> i & 1 ? SW_RIGHT_READ : 0u) | (m->writers >> i & 1 ? SW_RIGHT_WRITE : 0u);
        if (sw_device_map(running()->gpus[i].device, (void *)(uintptr_t)m->lo, m->hi - m->lo, rights) !=
            SW_OK)
            st = ST_OUT_OF_RESOURCES;
    }
    return st;
}

// The host's pages open when anybody may read them, as kernels run in this process.
static void protect(const struct mapping *m) {
    const bool read = m->readers || m->writers || m->host, write = m->writers || m->host & PERMISSION_WRITE;
    mprotect((void *)(uintptr_t)m->lo, m->hi - m->lo,
             (read ? PROT_READ : 0) | (write ? PROT_READ | PROT_WRITE : 0));
}

HSA(status, hsa_amd_vmem_set_access, void *p, size_t size, const struct access *list, size_t count) {
    NEED_RUNTIME;
    NEED(size && list && count, ST_INVALID_ARGUMENT);
    for (size_t i = 0; i < count; i++) {
        NEED(agent_of(list[i].agent), ST_INVALID_AGENT);
        NEED(list[i].permissions <= 3, ST_INVALID_ARGUMENT);
    }
    status st = ST_SUCCESS;
    pthread_mutex_lock(&lock);
    for (uint64_t at = handle_of(p), end = at + size; at < end && st == ST_SUCCESS;) {
        struct mapping *m = mapping_at(at);
        if (!m || m->lo != at || m->hi > end) { // whole mappings only
            st = ST_INVALID_ALLOCATION;
            break;
        }
        for (size_t i = 0; i < count; i++) {
            const struct agent *a = agent_of(list[i].agent);
            const uint32_t bit = gpu_bit(a), p3 = list[i].permissions;
            m->readers = (m->readers & ~bit) | (p3 & PERMISSION_READ ? bit : 0);
            m->writers = (m->writers & ~bit) | (p3 & PERMISSION_WRITE ? bit : 0);
            if (!a->is_gpu) m->host = (int)p3;
        }
        protect(m);
        st = apply(m);
        at = m->hi;
    }
    pthread_mutex_unlock(&lock);
    return st;
}

HSA(status, hsa_amd_vmem_get_access, void *p, uint32_t *permissions, handle_t agent) {
    NEED_RUNTIME;
    NEED(permissions, ST_INVALID_ARGUMENT);
    const struct agent *a = agent_of(agent);
    NEED(a, ST_INVALID_AGENT);
    pthread_mutex_lock(&lock);
    const struct mapping *m = mapping_at(handle_of(p));
    if (m)
        *permissions = !a->is_gpu ? (uint32_t)m->host
                                  : (m->readers & gpu_bit(a) ? PERMISSION_READ : 0u) |
                                        (m->writers & gpu_bit(a) ? PERMISSION_WRITE : 0u);
    pthread_mutex_unlock(&lock);
    return m ? ST_SUCCESS : ST_INVALID_ALLOCATION;
}

HSA(status, hsa_amd_vmem_retain_alloc_handle, handle_t *out, void *p) {
    NEED_RUNTIME;
    NEED(out && p, ST_INVALID_ARGUMENT);
    pthread_mutex_lock(&lock);
    const struct mapping *m = mapping_at(handle_of(p));
    if (m) m->memory->handles++, *out = handle_of(m->memory);
    pthread_mutex_unlock(&lock);
    return m ? ST_SUCCESS : ST_INVALID_ALLOCATION;
}

// There are no descriptors of a driver that another process could import.
HSA(status, hsa_amd_vmem_export_shareable_handle, int *file, handle_t handle, uint64_t flags) {
    NEED_RUNTIME;
    NEED(file && !flags, ST_INVALID_ARGUMENT);
    pthread_mutex_lock(&lock);
    const bool found = memory_of(handle) != NULL;
    pthread_mutex_unlock(&lock);
    return found ? ST_OUT_OF_RESOURCES : ST_INVALID_ALLOCATION;
}
HSA(status, hsa_amd_vmem_import_shareable_handle, int file, handle_t *out) {
    NEED_RUNTIME;
    (void)file;
    NEED(out, ST_INVALID_ARGUMENT);
    return ST_INVALID_ARGUMENT; // none was ever exported
}

void vmem_close(void) {
    pthread_mutex_lock(&lock);
    while (memories) {
        struct memory *m = memories;
        memories = m->next;
        fallocate(m->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)m->offset, (off_t)m->size);
        free(m);
    }
    for (size_t i = 0; i < reservations.count; i++)
        munmap((void *)(uintptr_t)reservations.items[i].lo,
               reservations.items[i].hi - reservations.items[i].lo);
    array_free(&mappings);
    array_free(&reservations);
    pthread_mutex_unlock(&lock);
}
void vmem_forget(void) {
    pthread_mutex_init(&lock, NULL);
    memories = NULL;
    mappings.count = reservations.count = 0;
}
