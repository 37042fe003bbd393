// SPDX-License-Identifier: MIT
#include "base/sized.h"

#include <string.h>

#include "base/diag.h"

// No struct will ever be larger: such a size was never set.
enum { SIZED_MOST = 8192 };

static size_t size_of(const void *callers) {
    size_t size;
    memcpy(&size, callers, sizeof size);
    return size;
}

sw_status sized_check(struct sized kind, const void *callers, const sw_sink *sink) {
    const size_t size = size_of(callers);
    if (size >= kind.first && size <= SIZED_MOST) return SW_OK;
    return diag_fail(sink, SW_USAGE, NULL, "%s.size is %zu; it has to be sizeof(%s), at least %zu", kind.name,
                     size, kind.name, kind.first);
}

sw_status sized_take(struct sized kind, void *into, const void *callers, const sw_sink *sink) {
    memset(into, 0, kind.known);
    memcpy(into, &kind.known, sizeof kind.known);
    if (!callers) return SW_OK;
    const sw_status status = sized_check(kind, callers, sink);
    if (status) return status;
    const size_t size = size_of(callers);
    for (size_t i = kind.known; i < size; i++)
        if (((const char *)callers)[i])
            return diag_fail(sink, SW_USAGE, NULL,
                             "%s has a member set that this version does not know, at byte %zu of %zu",
                             kind.name, i, size);
    const size_t skip = sizeof size, covered = size < kind.known ? size : kind.known;
    memcpy((char *)into + skip, (const char *)callers + skip, covered - skip);
    return SW_OK;
}

static void fill(struct sized kind, char *to, size_t size, const char *from) {
    const size_t covered = size < kind.known ? size : kind.known;
    if (covered < sizeof size) return;
    memcpy(to, from, covered);
    memcpy(to, &size, sizeof size);
}

void sized_fill(struct sized kind, void *callers, const void *from) {
    fill(kind, callers, size_of(callers), from);
}

void sized_put(struct sized kind, void *callers, size_t index, const void *from) {
    const size_t size = size_of(callers);
    fill(kind, (char *)callers + index * size, size, from);
}
