// SPDX-License-Identifier: MIT
// One kernel in shares: what a share of its work-groups changed, as bytes of a file, and all shares together.
//
//   each share:  sw_changes_begin, sw_device_run, sw_changes_end, sw_changes_write
//   then:        sw_changes_read for each file, sw_changes_merge, sw_changes_apply for each region
//
// A share runs its work-groups as they run in the whole grid. What it changed is told relative to regions:
// buffers and variables, under their names. A byte that holds what it held before was not changed. Where
// atomic operations that commute are all that touched a word (sw_atomic_kind), their common effect is kept,
// and effects of several shares are joined. Whatever else two shares changed differently is refused, and so
// are words that two shares touched with atomic operations which do not commute.
//
// Threads: calls on distinct sw_changes may come from many threads.
#ifndef SOFTWAVE_CHANGES_H
#define SOFTWAVE_CHANGES_H

#include "softwave/device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_changes sw_changes;

// Memory that the kernel may change. Regions may overlap.
typedef struct sw_region {
    const char *name; // the same in all shares
    void *memory;     // aligned to 8 bytes; it stays until sw_changes_end
    uint64_t bytes;
} sw_region;

typedef struct sw_changes_options {
    size_t size; // sizeof(sw_changes_options)
    const sw_device *device;
    const sw_kernel *kernel;  // that the dispatch runs
    unsigned share, shares;   // number `share`, from 1 on, of so many; at most as many as work-groups
    const sw_region *regions; // all that the kernel may change
    size_t region_count;      // SW_MOST_REGIONS at the most
    const char *setup;        // whatever else must be the same in all shares; NULL: nothing
} sw_changes_options;
enum { SW_MOST_REGIONS = 4096 };

// Keeps a copy of the regions, and sets the members of the dispatch that make it a share: first_group,
// group_count, atomic, atomic_context. All else of the dispatch is as for the whole grid.
sw_status sw_changes_begin(const sw_changes_options *options, sw_dispatch *dispatch, sw_changes **out,
                           const sw_sink *sink);
// The dispatch has ended well: finds what it changed.
sw_status sw_changes_end(sw_changes *changes, const sw_sink *sink);
// As the bytes of a file (doc/changes-file.md), to be freed with sw_changes_free_bytes.
sw_status sw_changes_write(const sw_changes *changes, uint8_t **out, size_t *size, const sw_sink *sink);
void sw_changes_free_bytes(uint8_t *bytes);
// Reads such bytes, which need not stay. `name` is for messages. SW_BAD_INPUT: they are malformed, or of a
// newer version.
sw_status sw_changes_read(const uint8_t *bytes, size_t size, const char *name, sw_changes **out,
                          const sw_sink *sink);
// Joins the shares of one run. SW_BAD_INPUT: they are of different runs, or one is missing or there twice;
// SW_CHECK: two shares changed something differently. The sink is told which, and where.
sw_status sw_changes_merge(const sw_changes *const *shares, size_t count, sw_changes **out,
                           const sw_sink *sink);
void sw_changes_free(sw_changes *changes);

typedef struct sw_changes_info {
    size_t size; // sizeof(sw_changes_info) of the caller; set before the call
    const char *kernel, *target;
    unsigned share, shares; // share 0: all of them, merged
    uint64_t first_group, group_count, groups;
    size_t region_count;
} sw_changes_info;
sw_status sw_changes_look(const sw_changes *changes, sw_changes_info *out);

typedef struct sw_region_info {
    size_t size; // sizeof(sw_region_info) of the caller; set before the call
    const char *name;
    uint64_t bytes, changed; // changed: bytes, those of words below not among them
    uint64_t words, ordered; // words with joined atomic operations; touched by others
    bool has_initial;        // what it held before the run is known here
} sw_region_info;
sw_status sw_changes_region(const sw_changes *changes, size_t index, sw_region_info *out);
// Writes what the region held before the run. SW_BAD_INPUT: that is not known here.
sw_status sw_changes_initial(const sw_changes *changes, size_t index, void *memory, uint64_t bytes,
                             const sw_sink *sink);
// From what the region held before the run to what it holds after it. SW_BAD_INPUT: `memory` is not what it
// held; where sw_changes_initial wrote it, that is not looked at again.
sw_status sw_changes_apply(const sw_changes *changes, size_t index, void *memory, uint64_t bytes,
                           const sw_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
