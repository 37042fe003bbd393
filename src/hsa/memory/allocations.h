// SPDX-License-Identifier: MIT
// The process's memory as the files of this room see it.
#ifndef HSA_MEMORY_ALLOCATIONS_H
#define HSA_MEMORY_ALLOCATIONS_H

#include <pthread.h>

#include "base/array.h"
#include "hsa/memory/memory.h"

struct callback {
    void (*call)(void *p, void *data);
    void *data;
};
struct allocation {
    uint64_t base, size, room; // room: whole pages
    uint64_t mapped, mapped_size;
    struct pool *pool;
    struct block *block; // that it is a part of; NULL: none
    uint32_t access;     // GPUs that may touch it
    bool is_ipc, shared;
    bool exported;   // other processes may have it, too
    uint64_t offset; // in the pools' file, when shared
    int file;
    void *user_data;
    ARRAY(struct callback) callbacks;
};
struct locked {
    uint64_t host, size; // as asked for
    uint32_t access;
    unsigned count;
    struct pool *pool;
    void *user_data;
};

enum { SVM_ATTRIBUTES = 8 };
struct svm_range {
    uint64_t lo, hi; // whole pages
    uint32_t access, in_place;
    uint64_t attribute[SVM_ATTRIBUTES];
};

struct memory_map {
    ARRAY(struct allocation *) allocations; // by address
    ARRAY(struct locked) locks;
    ARRAY(struct svm_range) svm; // by address
    uint64_t file_next;          // atomic
    int file_of;                 // process
};
extern pthread_rwlock_t map_lock;
extern struct memory_map memory_map;

// Called with the lock held.
struct allocation *allocation_at(const void *p);
bool allocation_add(struct allocation *a);
void allocation_remove(struct allocation *a);
struct locked *locked_at(const void *p); // the youngest that holds it
status locked_refresh(uint64_t lo, uint64_t hi);
// Opens host memory that is not the runtime's to these GPUs and closes it to the others; the program may
// unmap it at any time.
status rights_of_host(uint64_t lo, uint64_t hi, uint32_t access);
// Opens an allocation to these GPUs and closes it to the others.
status allocation_open(const struct allocation *a, uint32_t access);
// Attributes of [lo, hi) are what they are where none were set; rights of host memory go with them (svm.c).
void svm_forget(uint64_t lo, uint64_t hi);
// Host memory that has attributes and is unmapped (unmapped.c).
void unmapped_watch(uint64_t lo, uint64_t hi);
void unmapped_settle(void);
// Without it: what was taken out of the map ends.
void allocation_free(struct allocation *a);
// Takes from what a pool may have; from the file that device memory lies in (-1: there is none).
bool pool_charge(struct pool *p, uint64_t size);
int pool_room(uint64_t size, uint64_t *offset);
void unmapped_close(void);
void unmapped_forget(void);
// Bytes behind blocks and large memory of a GPU that its kernels can read as zeros.
enum { READABLE_REST = 16 << 20 };
// Small memory of a GPU (fragment.c). Sets where it lies, from its pool and room; false: there is none left.
bool fragment_fits(uint64_t room);
bool fragment_take(struct pool *pool, struct allocation *a);
void fragment_give_back(struct allocation *a);
bool fragment_holds(uint64_t address); // some block does
void fragments_close(void);
void fragments_forget(void);
// Addresses without memory. NULL: none left.
void *addresses_take(uint64_t size, uint64_t alignment);

#endif
