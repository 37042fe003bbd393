// SPDX-License-Identifier: MIT
// Sections with SHF_COMPRESSED: an Elf64_Chdr, then a zlib stream or a zstd frame.
#ifndef OBJECT_ELF_COMPRESSED_H
#define OBJECT_ELF_COMPRESSED_H

#include <stdbool.h>
#include <stdint.h>

struct elf_compressed {
    uint32_t method;
    const uint8_t *payload;
    uint64_t payload_size, size, alignment; // `size`: of what comes out
};

// Both return NULL, or what is wrong. After the first, `size` is one that the method could reach; callers
// have limits of their own.
const char *elf_compressed_read(const uint8_t *section, uint64_t length, struct elf_compressed *out);
const char *elf_compressed_expand(const struct elf_compressed *c, uint8_t *plain);

#endif
