// SPDX-License-Identifier: MIT
// Structs of the public headers whose first member is their caller's `size`. Callers may have been built with
// an older header, whose struct ends earlier, or with a newer one. What they say is honoured or refused, and
// nothing behind their struct is touched.
#ifndef BASE_SIZED_H
#define BASE_SIZED_H

#include "softwave/base.h"

struct sized {
    const char *name;
    size_t first; // bytes that the struct had in the first release with it, without padding at its end
    size_t known; // bytes that it has today
};

// `last` is the last member that the struct had in the first release with it.
#define SIZED(type, last)                                                                                    \
    (struct sized) { #type, offsetof(type, last) + sizeof(((type *)0)->last), sizeof(type) }

// SW_USAGE: the struct states no size, or one smaller than it ever had.
sw_status sized_check(struct sized kind, const void *callers, const sw_sink *sink);

// Copies a caller's options to `into`, where members that the caller's header lacks become 0. All are 0 when
// `callers` is NULL. SW_USAGE also where a member is set that only a newer header has.
sw_status sized_take(struct sized kind, void *into, const void *callers, const sw_sink *sink);

// Fills as much of a caller's struct as its size covers; the size stays.
void sized_fill(struct sized kind, void *callers, const void *from);

// Fills element `index` of a caller's array, whose first element states the size of all.
void sized_put(struct sized kind, void *callers, size_t index, const void *from);

#endif
