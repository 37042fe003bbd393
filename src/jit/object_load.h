// SPDX-License-Identifier: MIT
// Reading the object files that LLVM makes of one function.
#ifndef JIT_OBJECT_LOAD_H
#define JIT_OBJECT_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes that its sections take, each aligned by 64; 0: it is not one that can be read.
size_t compiled_size(const uint8_t *object, size_t size);
// Puts the sections to `to`, as they shall be when they stand at `base`, where the one symbol that they may
// lack is at `table`, and says where the function begins. False: no.
bool compiled_place(const uint8_t *object, size_t size, uint8_t *to, uint64_t base, const char *function,
                    const char *table_name, uint64_t table, size_t *start);
// Where another function of it begins. False: it has none of that name.
bool compiled_find(const uint8_t *object, size_t size, const char *function, size_t *start);

#endif
