// SPDX-License-Identifier: MIT
// Compiled code on disk, so that another process has it without compiling it. A folder has a file for each,
// named by a hash of its key; what is in a file is believed only where all of the key is the same, its
// checksum is right, it and the folder are the user's own and nobody else may write to them. Nothing that
// goes wrong here is an error: then there is no cache.
#ifndef JIT_CACHE_H
#define JIT_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CACHE_BYTES = 64 << 20 }; // all files together: what was used least recently goes first

struct cache_key {
    const uint8_t *bytes;
    size_t count;
};

// The folder that a caller names, else the environment: SOFTWAVE_CACHE, or softwave in XDG_CACHE_HOME or
// ~/.cache. To be freed. NULL: none, as where the name is empty.
char *cache_folder(const char *given);

// NULL: not there. To be freed. `maker`: the library that made it must be as it was then.
uint8_t *cache_get(const char *folder, struct cache_key key, size_t *size);
void cache_put(const char *folder, struct cache_key key, const char *maker, const uint8_t *object,
               size_t size, uint64_t limit);

#endif
