// SPDX-License-Identifier: MIT
// What the files of `softwave targets` share.
#ifndef CLI_TARGETS_H
#define CLI_TARGETS_H

#include "cli/cli.h"
#include "softwave/target.h"

sw_processor_info targets_info(const sw_processor *p);
// Sizes of waves, in words.
static inline const char *targets_lanes(unsigned wave_sizes) {
    return wave_sizes == 64 ? "64" : wave_sizes == 32 ? "32" : "32 or 64";
}
void targets_join(struct text *t, const char *const *list, const char *separator);
// Products that have the processor, in lines from `column` on; nothing where none is known.
void targets_products(struct text *t, const sw_processor *processor, size_t column);
void targets_show_processor(struct text *t, const sw_processor *processor);
void targets_json_processor(struct json *j, const char *key, const sw_processor *processor);

// What the two do not have in common. Refuses the R600 family.
sw_status targets_compare(struct text *t, const sw_processor *a, const sw_processor *b);

#endif
