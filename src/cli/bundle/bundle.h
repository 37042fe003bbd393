// SPDX-License-Identifier: MIT
// What `softwave bundle` was asked for, between its options (bundle.c) and its files (files.c).
#ifndef CLI_BUNDLE_H
#define CLI_BUNDLE_H

#include "base/arena.h"
#include "base/array.h"
#include "cli/cli.h"
#include "softwave/bundle.h"

struct bundle_type {
    const char *name, *comment; // NULL: not text
};

typedef ARRAY(const char *) strings;
struct bundle_request {
    const struct bundle_type *type;
    strings targets, inputs, outputs; // targets in standard form
    bool unbundle, list, missing, check, compatible;
    sw_bundle_options options;
    struct arena arena;
};

// Writes the bundle of the inputs.
sw_status bundle_write_files(struct bundle_request *r);
// Takes the input apart, or adds its ids to the text.
sw_status bundle_read_file(struct bundle_request *r, struct text *t);

#endif
