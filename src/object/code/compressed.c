// SPDX-License-Identifier: MIT
#include "object/code/compressed.h"

#include <elf.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { ZLIB = 1, ZSTD = 2 }; // ELFCOMPRESS_*
// zlib reaches 1:1032; a zstd block of 4 bytes can stand for 128 KiB
enum { ZLIB_MOST = 1040, ZSTD_MOST = 1 << 16 };

const char *elf_compressed_read(const uint8_t *section, uint64_t length, struct elf_compressed *out) {
    Elf64_Chdr h;
    if (!section || length < sizeof h) return "the header of compressed data is cut off";
    memcpy(&h, section, sizeof h);
    *out = (struct elf_compressed){h.ch_type, section + sizeof h, length - sizeof h, h.ch_size,
                                   h.ch_addralign ? h.ch_addralign : 1};
    if (h.ch_type != ZLIB && h.ch_type != ZSTD)
        return "the compression method is neither 1, zlib, nor 2, zstd";
    if (h.ch_addralign & (h.ch_addralign - 1)) return "the alignment of compressed data is no power of two";
    if (h.ch_size / (h.ch_type == ZLIB ? ZLIB_MOST : ZSTD_MOST) > out->payload_size)
        return "so few compressed bytes cannot become so many";
    return NULL;
}

const char *elf_compressed_expand(const struct elf_compressed *c, uint8_t *plain) {
    uLongf made = c->size;
    bool ok = c->method == ZLIB
                  ? uncompress(plain, &made, c->payload, c->payload_size) == Z_OK && made == c->size
                  : ZSTD_decompress(plain, c->size, c->payload, c->payload_size) == c->size;
    return ok ? NULL : "the compressed data is damaged";
}
