// SPDX-License-Identifier: MIT
// A file with code objects in it, as container.c (formats), compressed.c and pick.c share it.
#ifndef OBJECT_CONTAINER_H
#define OBJECT_CONTAINER_H

#include "base/arena.h"
#include "base/array.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "softwave/object.h"

enum { COMPRESS_NONE = -1, COMPRESS_ZLIB = 0, COMPRESS_ZSTD = 1 };

// One bundle or offload binary, or the file itself when that is an ELF.
struct bundle {
    uint64_t offset;        // in the file
    int method;             // COMPRESS_*
    const uint8_t *payload; // compressed bytes
    uint64_t payload_size, plain_size, hash;
    uint8_t *plain; // the decompressed bundle, once needed
};

struct sw_container {
    const uint8_t *bytes;
    size_t size;
    const char *name;
    uint64_t max_decompressed, decompressed; // bytes of all bundles: allowed, and taken so far
    uint64_t measured;                       // bytes that were made only to find where streams end
    sw_container_kind kind;
    const char *member; // of the archive, while that is read; else NULL
    struct arena arena;
    ARRAY(struct bundle) bundles;
    ARRAY(sw_entry) entries;
};

sw_status container_bad(const struct sw_container *c, const sw_sink *sink, uint64_t offset,
                        const char *within, const char *format, ...) PRINTF_LIKE(5, 6);
sw_status container_no_memory(const struct sw_container *c, const sw_sink *sink);

// Reads a "CCOB" header at `offset`; *end becomes the offset behind the bundle, at most `limit`.
sw_status compressed_header(struct sw_container *c, uint64_t offset, uint64_t limit, struct bundle *out,
                            uint64_t *end, const sw_sink *sink);
// The first bytes of the decompressed bundle, at most *length of them, into `out`.
sw_status compressed_peek(const struct sw_container *c, const struct bundle *b, uint8_t *out, size_t *length,
                          const sw_sink *sink);
// Fills b->plain, once.
sw_status compressed_expand(struct sw_container *c, struct bundle *b, const sw_sink *sink);

// Appends an entry of the last bundle, with the name and target that its id and header give it.
sw_status container_add_entry(struct sw_container *c, sw_entry e, const char *id, size_t id_length,
                              const sw_sink *sink);
// The entries of the file, or of the archive's member c->member, in [base, base + size).
sw_status container_read_part(struct sw_container *c, uint64_t base, uint64_t size, sw_container_kind *kind,
                              const sw_sink *sink);
// archive.c: the members of an archive; the texts of a bundle of texts, of which *found counts the entries.
sw_status container_read_archive(struct sw_container *c, const sw_sink *sink);
sw_status container_read_text(struct sw_container *c, uint64_t base, uint64_t size, size_t *found,
                              const sw_sink *sink);

// Sets is_device, has_target, target and generic_version from the entry's ELF header, else from its id.
void container_identify(sw_entry *e);

#endif
