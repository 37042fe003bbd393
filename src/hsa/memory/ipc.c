// SPDX-License-Identifier: MIT
// Memory shared between processes: device memory lies in a file without a name, which another process of the
// same user opens by way of /proc. Also what there is not: buffers of graphics drivers.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hsa/memory/ipc.h"
#include "hsa/memory/allocations.h"

HSA(status, hsa_amd_ipc_memory_create, void *p, size_t size, struct ipc_handle *out) {
    NEED_RUNTIME;
    NEED(p && size && out, ST_INVALID_ARGUMENT);
    status st = ST_INVALID_ARGUMENT;
    pthread_rwlock_wrlock(&map_lock);
    struct allocation *a = allocation_at(p);
    struct stat s;
    if (a && a->base == handle_of(p) && (size == a->size || size == a->room) && a->shared && !a->is_ipc &&
        !fstat(a->file, &s)) {
        const struct ticket t = {(uint32_t)getpid(), (uint32_t)a->file, a->offset, a->room, s.st_ino};
        memcpy(out, &t, sizeof t);
        a->exported = true;
        st = allocation_open(a, a->access);
    }
    pthread_rwlock_unlock(&map_lock);
    return st;
}

int ticket_open(const struct ticket *t) {
    char path[64];
    struct stat s;
    snprintf(path, sizeof path, "/proc/%u/fd/%u", t->process, t->file);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file >= 0 && !fstat(file, &s) && s.st_ino == t->inode) return file;
    if (file >= 0) close(file);
    return -1;
}

HSA(status, hsa_amd_ipc_memory_attach, const struct ipc_handle *handle, size_t size, uint32_t count,
    const handle_t *agents, void **out) {
    NEED_RUNTIME;
    NEED(handle && size && out && (agents || !count), ST_INVALID_ARGUMENT);
    struct ticket t;
    memcpy(&t, handle, sizeof t);
    uint32_t access = count ? 0 : all_gpus();
    for (uint32_t i = 0; i < count; i++) {
        const struct agent *a = agent_of(agents[i]);
        NEED(a, ST_INVALID_AGENT);
        access |= gpu_bit(a);
    }
    NEED(t.size && !(t.size % PAGE) && size <= t.size && size + PAGE > t.size, ST_INVALID_ARGUMENT);
    const int file = ticket_open(&t);
    NEED(file >= 0, ST_INVALID_ARGUMENT);
    struct allocation *a = calloc(1, sizeof *a);
    void *p = a ? addresses_take(t.size + PAGE, PAGE) : NULL;
    if (p && mmap(p, t.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)t.offset) !=
                 MAP_FAILED) {
        *a = (struct allocation){.base = handle_of(p),
                                 .size = size,
                                 .room = t.size,
                                 .mapped = handle_of(p),
                                 .mapped_size = t.size + PAGE,
                                 .access = access,
                                 .is_ipc = true,
                                 .file = file};
        status st = allocation_open(a, access);
        pthread_rwlock_wrlock(&map_lock);
        if (st == ST_SUCCESS && !allocation_add(a)) st = ST_OUT_OF_RESOURCES;
        pthread_rwlock_unlock(&map_lock);
        if (st == ST_SUCCESS) {
            *out = p;
            return ST_SUCCESS;
        }
    }
    if (p) munmap(p, t.size + PAGE);
    close(file);
    free(a);
    return ST_OUT_OF_RESOURCES;
}

HSA(status, hsa_amd_ipc_memory_detach, void *p) {
    NEED_RUNTIME;
    NEED(p, ST_INVALID_ARGUMENT);
    pthread_rwlock_wrlock(&map_lock);
    struct allocation *a = allocation_at(p);
    const bool found = a && a->is_ipc && a->base == handle_of(p);
    if (found) allocation_remove(a);
    pthread_rwlock_unlock(&map_lock);
    NEED(found, ST_INVALID_ARGUMENT);
    allocation_free(a);
    return ST_SUCCESS;
}

// ---- Graphics ----

HSA(status, hsa_amd_interop_map_buffer, uint32_t count, handle_t *agents, int file, uint32_t flags,
    size_t *size, void **p, size_t *metadata_size, const void **metadata) {
    NEED_RUNTIME;
    (void)file, (void)metadata_size, (void)metadata;
    NEED(count && agents && size && p && !flags, ST_INVALID_ARGUMENT);
    for (uint32_t i = 0; i < count; i++) NEED(agent_gpu(agents[i]), ST_INVALID_AGENT);
    return ST_INVALID_ARGUMENT; // there is no graphics driver whose buffer this could be
}
HSA(status, hsa_amd_interop_unmap_buffer, void *p) {
    NEED_RUNTIME;
    (void)p;
    return ST_INVALID_ARGUMENT;
}

// Device memory cannot be exported to other drivers, as no driver holds it: what the call says of such
// memory.
static status refuse_export(const char *p, size_t size, const int *file, const uint64_t *offset) {
    NEED_RUNTIME;
    NEED(p && size && file && offset, ST_INVALID_ARGUMENT);
    pthread_rwlock_rdlock(&map_lock);
    const struct allocation *a = allocation_at(p);
    const bool within = a && size <= a->room - (handle_of(p) - a->base);
    pthread_rwlock_unlock(&map_lock);
    return within ? ST_INVALID_AGENT : ST_INVALID_ALLOCATION;
}
HSA(status, hsa_amd_portable_export_dmabuf, const void *p, size_t size, int *file, uint64_t *offset) {
    return refuse_export(p, size, file, offset);
}
HSA(status, hsa_amd_portable_export_dmabuf_v2, const void *p, size_t size, int *file, uint64_t *offset,
    uint64_t flags) {
    (void)flags;
    return refuse_export(p, size, file, offset);
}
HSA(status, hsa_amd_portable_close_dmabuf, int file) {
    NEED_RUNTIME;
    (void)file;
    return ST_RESOURCE_FREE; // none was exported
}

// Files that a driver would read into device memory, and write from there.
static status refuse_file(const void *p, uint64_t size, const uint64_t *copied, const int32_t *error) {
    NEED_RUNTIME;
    NEED(p && size && copied && error, ST_INVALID_ARGUMENT);
    return ST_ERROR;
}
HSA(status, hsa_amd_ais_file_read, handle_t file, void *to, uint64_t size, int64_t offset, uint64_t *copied,
    int32_t *error) {
    (void)file, (void)offset;
    return refuse_file(to, size, copied, error);
}
HSA(status, hsa_amd_ais_file_write, handle_t file, void *from, uint64_t size, int64_t offset,
    uint64_t *copied, int32_t *error) {
    (void)file, (void)offset;
    return refuse_file(from, size, copied, error);
}
