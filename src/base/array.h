// SPDX-License-Identifier: MIT
// Growable arrays: `ARRAY(struct symbol) symbols;` zero-initialised, then array_push, .count, .items.
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define ARRAY(type)                                                                                          \
    struct {                                                                                                 \
        type *items;                                                                                         \
        size_t count, capacity;                                                                              \
    }

static inline bool array_grow_(void **items, size_t *capacity, size_t needed, size_t size) {
    if (needed <= *capacity) return true;
    size_t room = *capacity ? *capacity * 2 : 8;
    if (room < needed) room = needed;
    if (room > SIZE_MAX / size) return false;
    void *p = realloc(*items, room * size);
    if (!p) return false;
    *items = p;
    *capacity = room;
    return true;
}

// Room for n more items; false when out of memory.
#define array_reserve(a, n)                                                                                  \
    array_grow_((void **)&(a)->items, &(a)->capacity, (a)->count + (n), sizeof *(a)->items)
// Appends a value; false when out of memory.
#define array_push(a, ...) (array_reserve(a, 1) && ((a)->items[(a)->count++] = (__VA_ARGS__), true))
#define array_free(a)      (free((a)->items), (a)->items = NULL, (a)->count = (a)->capacity = 0)

#endif
