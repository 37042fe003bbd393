// SPDX-License-Identifier: MIT
// Small device memory is cut out of blocks of 2 MiB, as AMD's runtime does it: kernels that read a little
// beyond their memory read another part of the block, or zeros behind it. The owner may read all of a block
// and READABLE_REST behind it, as matrix kernels read whole tiles; it may write what is allocated. Addresses
// are not used twice: a block is filled from its begin to its end once, and goes with the last allocation in
// it. With exact bounds (SOFTWAVE_EXACT_BOUNDS=1) there are no blocks.
#include <stdlib.h>
#include <sys/mman.h>

#include "hsa/memory/allocations.h"

enum { BLOCK = 2 << 20, READABLE = BLOCK + READABLE_REST };

struct block {
    struct block *next;
    struct pool *pool;
    uint64_t base, offset; // address; place in the file
    uint64_t filled;       // bytes given away
    unsigned users;        // allocations that live
    int file;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *blocks; // a pool's first one is that which is filled

bool fragment_fits(uint64_t room) { return room < BLOCK; }

static void unmap(struct block *b) {
    rights_set(b->base, b->base + READABLE, 0, 0);
    munmap((void *)(uintptr_t)b->base, READABLE + PAGE);
    free(b);
}

static struct block *make(struct pool *pool) {
    struct block *b = calloc(1, sizeof *b);
    char *p = b ? addresses_take(READABLE + PAGE, BLOCK) : NULL;
    if (!p) {
        free(b);
        return NULL;
    }
    *b = (struct block){.pool = pool, .base = handle_of(p)};
    b->file = pool_room(BLOCK, &b->offset);
    if (b->file < 0 ||
        mmap(p, BLOCK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, b->file,
             (off_t)b->offset) == MAP_FAILED ||
        mprotect(p + BLOCK, READABLE_REST, PROT_READ) ||
        rights_set(b->base, b->base + READABLE, gpu_bit(pool->agent), SW_RIGHT_READ) != ST_SUCCESS) {
        unmap(b);
        return NULL;
    }
    b->next = blocks;
    blocks = b;
    return b;
}

static struct block *current(const struct pool *pool) {
    struct block *b = blocks;
    while (b && b->pool != pool) b = b->next;
    return b;
}

// Lock: lock.
static void drop_if_unused(struct block *b) {
    if (b->users || b == current(b->pool)) return;
    struct block **at = &blocks;
    while (*at != b) at = &(*at)->next;
    *at = b->next;
    unmap(b);
}

bool fragment_take(struct pool *pool, struct allocation *a) {
    pthread_mutex_lock(&lock);
    struct block *b = current(pool), *full = NULL;
    if (!b || b->filled + a->room > BLOCK) {
        full = b;
        b = make(pool);
        if (b && full) drop_if_unused(full);
    }
    if (b) {
        a->block = b;
        a->base = a->mapped = b->base + b->filled;
        a->mapped_size = a->room;
        a->file = b->file;
        a->offset = b->offset + b->filled;
        a->shared = true;
        b->filled += a->room;
        b->users++;
    }
    pthread_mutex_unlock(&lock);
    return b;
}

bool fragment_holds(uint64_t address) {
    if (pthread_mutex_trylock(&lock)) return false; // see memory_is_rest
    const struct block *b = blocks;
    while (b && address - b->base >= READABLE) b = b->next;
    pthread_mutex_unlock(&lock);
    return b;
}

void fragment_give_back(struct allocation *a) {
    pthread_mutex_lock(&lock);
    struct block *b = a->block;
    b->users--;
    drop_if_unused(b);
    pthread_mutex_unlock(&lock);
}

// The devices are gone.
void fragments_close(void) {
    pthread_mutex_lock(&lock);
    while (blocks) {
        struct block *b = blocks;
        blocks = b->next;
        munmap((void *)(uintptr_t)b->base, READABLE + PAGE);
        free(b);
    }
    pthread_mutex_unlock(&lock);
}
void fragments_forget(void) {
    pthread_mutex_init(&lock, NULL);
    blocks = NULL;
}
