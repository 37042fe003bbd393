// SPDX-License-Identifier: MIT
// Readers of code objects: memory, or a part of a file.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hsa/code/executable.h"

struct reader *readers;

struct reader *reader_of(handle_t handle) {
    struct reader *r = readers;
    while (r && handle_of(r) != handle) r = r->next;
    return r;
}

char *memory_uri(const void *bytes, uint64_t size) {
    char text[128];
    const sw_uri uri = {.size = sizeof uri,
                        .is_memory = true,
                        .process = (uint64_t)getpid(),
                        .has_offset = true,
                        .has_size = true,
                        .offset = handle_of(bytes),
                        .bytes = size};
    return sw_uri_format(&uri, text, sizeof text) ? strdup(text) : NULL;
}

static status add(struct reader like, handle_t *out) {
    struct reader *r = malloc(sizeof *r);
    if (!r || !like.uri) {
        free(r);
        free(like.uri);
        if (like.map) munmap((void *)(uintptr_t)like.map, like.mapped);
        return ST_OUT_OF_RESOURCES;
    }
    *r = like;
    pthread_rwlock_wrlock(&executables_lock);
    r->next = readers;
    readers = r;
    pthread_rwlock_unlock(&executables_lock);
    *out = handle_of(r);
    return ST_SUCCESS;
}

HSA(status, hsa_code_object_reader_create_from_memory, const void *bytes, size_t size, handle_t *out) {
    NEED_RUNTIME;
    NEED(bytes && size && out, ST_INVALID_ARGUMENT);
    return add(
        (struct reader){
            .bytes = bytes, .size = size, .storage = STORAGE_MEMORY, .uri = memory_uri(bytes, size)},
        out);
}

static char *file_uri(int file, uint64_t offset, uint64_t size, bool part) {
    char link[64], text[8192];
    sw_uri *uri = calloc(1, sizeof *uri);
    if (!uri) return NULL;
    uri->size = sizeof *uri;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t n = readlink(link, uri->path, sizeof uri->path - 1);
    if (n > 0) uri->path[n] = 0;
    uri->has_offset = uri->has_size = part;
    uri->offset = offset;
    uri->bytes = size;
    const bool fits = n > 0 && sw_uri_format(uri, text, sizeof text);
    free(uri);
    return strdup(fits ? text : "file:///unknown");
}

static status from_file(int file, uint64_t offset, uint64_t size, bool part, handle_t *out) {
    struct stat st;
    NEED(out, ST_INVALID_ARGUMENT);
    NEED(!fstat(file, &st) && S_ISREG(st.st_mode), ST_INVALID_FILE);
    const uint64_t whole = (uint64_t)st.st_size;
    if (!part) size = whole;
    NEED(whole && size && offset <= whole && size <= whole - offset,
         part ? ST_INVALID_ARGUMENT : ST_INVALID_FILE);
    const uint64_t page = offset & ~(uint64_t)(PAGE - 1), mapped = size + (offset - page);
    const void *map = mmap(NULL, mapped, PROT_READ, MAP_PRIVATE, file, (off_t)page);
    NEED(map != MAP_FAILED, ST_INVALID_FILE);
    return add((struct reader){.bytes = (const uint8_t *)map + (offset - page),
                               .size = size,
                               .map = map,
                               .mapped = mapped,
                               .storage = STORAGE_FILE,
                               .uri = file_uri(file, offset, size, part)},
               out);
}
HSA(status, hsa_code_object_reader_create_from_file, int file, handle_t *out) {
    NEED_RUNTIME;
    return from_file(file, 0, 0, false, out);
}
HSA(status, hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size, int file, size_t offset,
    size_t size, handle_t *out) {
    NEED_RUNTIME;
    return from_file(file, offset, size, true, out);
}

HSA(status, hsa_code_object_reader_destroy, handle_t handle) {
    NEED_RUNTIME;
    pthread_rwlock_wrlock(&executables_lock);
    struct reader **at = &readers;
    while (*at && handle_of(*at) != handle) at = &(*at)->next;
    struct reader *r = *at;
    if (r) *at = r->next;
    pthread_rwlock_unlock(&executables_lock);
    NEED(r, ST_INVALID_CODE_OBJECT_READER);
    if (r->map) munmap((void *)(uintptr_t)r->map, r->mapped);
    free(r->uri);
    free(r);
    return ST_SUCCESS;
}
