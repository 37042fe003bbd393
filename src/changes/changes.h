// SPDX-License-Identifier: MIT
// What a share changed (softwave/changes.h), in memory.
#ifndef CHANGES_CHANGES_H
#define CHANGES_CHANGES_H

#include "base/array.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "softwave/changes.h"

enum { BLOCK_BYTES = 64, DIGEST_BYTES = 16, NAME_MOST = 4096, SHARES_MOST = 1 << 20 };

// Changed bytes of a region, by blocks.
struct block {
    uint64_t index; // of the block in the region
    uint64_t mask;  // a bit for each byte that changed
    uint8_t bytes[BLOCK_BYTES];
};

// A word that atomic operations touched.
struct word {
    uint64_t offset;
    uint64_t operand; // what has the effect of all of them; 0 where they are ordered
    uint8_t kind;     // sw_atomic_kind
    uint8_t bytes;    // 4 or 8
};

// How a region's content before the run is known.
enum initial { INITIAL_PATTERN, INITIAL_STORED, INITIAL_ELSEWHERE, INITIALS };
enum { PATTERN_BYTES = 8, STORED_MOST = 1 << 20 };

struct region {
    char *name;
    uint64_t bytes;
    uint8_t digest[DIGEST_BYTES]; // of that content
    enum initial initial;
    uint8_t pattern[PATTERN_BYTES]; // that it repeats
    uint8_t *stored;
    ARRAY(struct block) blocks; // both in ascending order
    ARRAY(struct word) words;
    // While it is recorded:
    const uint8_t *memory;
    uint8_t *before;
    uint16_t *touched; // for each dword, what atomic operations there were: record.c
    bool any_touched;  // atomic
};

struct sw_changes {
    char *kernel, *target;
    uint8_t fingerprint[DIGEST_BYTES]; // of all that the shares of a run have in common
    unsigned share, shares;            // share 0: merged
    uint64_t first_group, group_count, groups;
    struct region *regions;
    size_t region_count;
};

// Sets first_group and group_count of the share.
void changes_split(sw_changes *c);
// What the word holds after the operations that the operand stands for.
uint64_t word_apply(const struct word *w, uint64_t old);
// Both operands in one.
uint64_t word_join(const struct word *w, uint64_t other);
static inline sw_status no_memory(const sw_sink *sink) {
    return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
}

#endif
