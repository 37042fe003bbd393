// SPDX-License-Identifier: MIT
// Offload bundles: ids of entries, which entries may stand in one bundle, and writing bundles. Bundles are
// read as containers, with softwave/object.h.
//
// What is passed in stays the caller's and is not kept; sw_free frees the `*out` of a function. Any thread
// may call anything, but use one container from one thread at a time.
#ifndef SOFTWAVE_BUNDLE_H
#define SOFTWAVE_BUNDLE_H

#include "softwave/object.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Ids -----------------------------------------------------------------------------------------------

// An id is KIND-TRIPLE[-TARGET ID], of any architecture: "hip-amdgcn-amd-amdhsa--gfx906:xnack+",
// "host-x86_64-unknown-linux-gnu". Kinds are host, hip, hipv4 and openmp; a triple has three or four parts.
enum { SW_BUNDLE_ID_TEXT = 256 };

// Writes the id as bundles hold it: the triple with four parts, an AMD target id in canonical form. On error
// the message names the part that was refused.
sw_status sw_bundle_id_standardize(const char *id, char out[SW_BUNDLE_ID_TEXT], const sw_sink *sink);

// Whether code with the id `code` may be used where `wanted` is asked for. Both need the same triple and
// processor, and the same kind; hip and hipv4 count as the same kind, and openmp as well when
// `hip_is_openmp`. A feature that `code` sets must have the same setting in `wanted`.
bool sw_bundle_id_compatible(const char *code, const char *wanted, bool hip_is_openmp);

// Refuses ids that may not stand in one bundle: the same id twice; two ids of one processor when only one of
// them sets some feature; two host entries; no host entry when an entry is of another kind than hip or hipv4.
sw_status sw_bundle_ids_check(const char *const *ids, size_t count, const sw_sink *sink);

// ---- Unpacking -----------------------------------------------------------------------------------------

// Chooses an entry of the container for each of the wanted ids, which are in standard form: the entry with
// the same id, else the first compatible entry. No entry is chosen twice. entries[i] becomes the index of the
// entry for wanted[i], or -1.
void sw_bundle_choose(const sw_container *container, const char *const *wanted, size_t count,
                      bool hip_is_openmp, ptrdiff_t *entries);

// Checks the ids of each bundle in the container with sw_bundle_ids_check. In an archive, each member is a
// bundle of its own.
sw_status sw_bundle_check_container(const sw_container *container, const sw_sink *sink);

// ---- Writing -------------------------------------------------------------------------------------------

typedef struct sw_bundle_part {
    const char *id;
    const uint8_t *data;
    size_t length;
} sw_bundle_part;

typedef enum sw_bundle_form {
    SW_BUNDLE_BINARY = 0, // "__CLANG_OFFLOAD_BUNDLE__", a table, the parts
    SW_BUNDLE_TEXT = 1,   // the parts between lines of comment
    SW_BUNDLE_OBJECT = 2, // the host part, an ELF object, with a section for every part
} sw_bundle_form;

typedef enum sw_bundle_compression {
    SW_BUNDLE_PLAIN = 0,
    SW_BUNDLE_ZLIB = 1,
    SW_BUNDLE_ZSTD = 2
} sw_bundle_compression;

// Zero members mean the defaults.
typedef struct sw_bundle_options {
    size_t size;         // sizeof(sw_bundle_options)
    const char *comment; // of SW_BUNDLE_TEXT: "//", "#" or ";"
    uint64_t alignment;  // of each part of a binary bundle (default 1)
    sw_bundle_compression compression;
    int level;             // of compression (default: zstd 3, zlib 6)
    unsigned ccob_version; // 1 to 3; default 2, or 3 where sizes need more than 32 bits
} sw_bundle_options;

// Writes a bundle of the parts, in their order, to *out, which sw_free frees.
sw_status sw_bundle_write(sw_bundle_form form, const sw_bundle_part *parts, size_t count,
                          const sw_bundle_options *options, uint8_t **out, size_t *length,
                          const sw_sink *sink);

// The host part of a bundle of form SW_BUNDLE_OBJECT: the ELF object without its sections of other parts.
sw_status sw_bundle_host_object(const uint8_t *data, size_t size, uint8_t **out, size_t *length,
                                const sw_sink *sink);

// From an archive of bundles, the entries that are compatible with `wanted`, as an archive. *found becomes
// their number.
sw_status sw_bundle_unpack_archive(sw_container *container, const char *wanted, bool hip_is_openmp,
                                   uint8_t **out, size_t *length, size_t *found, const sw_sink *sink);

// Writes members as an archive that linkers read, without an index. `ids` of the parts are the members'
// names.
sw_status sw_archive_write(const sw_bundle_part *members, size_t count, uint8_t **out, size_t *length,
                           const sw_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
