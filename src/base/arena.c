// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 1 << 12, BLOCK = 1 << 16, ALIGN = 16 }; // of the first block, of later ones

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    _Alignas(ALIGN) unsigned char data[];
};

void *arena_alloc(struct arena *arena, size_t size) {
    if (size > SIZE_MAX / 2) return NULL;
    size = (size + ALIGN) & ~(size_t)(ALIGN - 1);
    struct arena_block *b = arena->blocks;
    if (!b || b->size - b->used < size) {
        size_t least = b ? BLOCK : FIRST, room = size > least ? size : least;
        b = calloc(1, sizeof *b + room);
        if (!b) return NULL;
        b->size = room;
        b->next = arena->blocks;
        arena->blocks = b;
    }
    void *p = b->data + b->used;
    b->used += size;
    return p;
}

char *arena_copy(struct arena *arena, const char *text, size_t length) {
    char *copy = arena_alloc(arena, length + 1);
    if (copy && length) memcpy(copy, text, length);
    return copy;
}

void arena_free(struct arena *arena) {
    for (struct arena_block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    arena->blocks = NULL;
}
