// SPDX-License-Identifier: MIT
// Memory freed by lifetime: an arena hands out zeroed blocks that live until arena_free.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena {
    struct arena_block *blocks;
};

// Zeroed memory aligned for any object, or NULL when out of memory. size 0 gives a unique pointer.
void *arena_alloc(struct arena *arena, size_t size);
// A copy of `length` bytes of `text` with a NUL behind it, or NULL when out of memory.
char *arena_copy(struct arena *arena, const char *text, size_t length);
void arena_free(struct arena *arena);

#endif
