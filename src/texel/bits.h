// SPDX-License-Identifier: MIT
// Fields of descriptors: where they are, and how they are read and written. Private to src/texel.
#ifndef TEXEL_BITS_H
#define TEXEL_BITS_H

#include "texel/surface.h"

#define FIELD(name, ...) RESOURCE_##name,
enum resource_field {
#include "texel/resource.def"
    RESOURCE_FIELDS
};
#undef FIELD
#define FIELD(name, ...) SAMPLER_##name,
enum sampler_field {
#include "texel/sampler.def"
    SAMPLER_FIELDS
};
#undef FIELD

struct descriptor_field {
    uint8_t word, low, bits; // bits 0: the kind has no such field
};
extern const struct descriptor_field resource_fields[RESOURCE_FIELDS][RESOURCE_KINDS];
extern const struct descriptor_field sampler_fields[SAMPLER_FIELDS][RESOURCE_KINDS];
extern const char resource_field_names[RESOURCE_FIELDS][24], sampler_field_names[SAMPLER_FIELDS][24];

uint64_t descriptor_get(const uint32_t *words, struct descriptor_field f);
void descriptor_put(uint32_t *words, struct descriptor_field f, uint64_t value);

#endif
