// SPDX-License-Identifier: MIT
// A section with debug information as its readers want it: decompressed, and in relocatable objects with its
// relocations applied.
#ifndef OBJECT_DEBUG_SECTION_H
#define OBJECT_DEBUG_SECTION_H

#include "object/code/object.h"

struct debug_section {
    const uint8_t *data; // "" when there is no such section
    uint64_t size;
    uint64_t where; // in the object: of `data`, or of what it was made from
    bool compressed;
};

// `arena` takes the copy where one is needed: of a compressed section at most 64 times as large as that, and
// 64 KiB.
sw_status debug_section_read(const struct sw_object *o, const char *name, struct arena *arena,
                             struct debug_section *out, const sw_sink *sink);

#endif
