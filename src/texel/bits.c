// SPDX-License-Identifier: MIT
// Fields of descriptors, from the tables resource.def and sampler.def.
#include "texel/bits.h"

#define NONE (0, 0, 0)
#define PLACE(at)                                                                                            \
    { PLACE_ at }
#define PLACE_(word, low, bits) word, low, bits
#define FIELD(name, a, b, c, d, e, f, g)                                                                     \
    {PLACE(a), PLACE(b), PLACE(c), PLACE(d), PLACE(e), PLACE(f), PLACE(g)},
const struct descriptor_field resource_fields[RESOURCE_FIELDS][RESOURCE_KINDS] = {
#include "texel/resource.def"
};
const struct descriptor_field sampler_fields[SAMPLER_FIELDS][RESOURCE_KINDS] = {
#include "texel/sampler.def"
};
#undef FIELD
#define FIELD(name, ...) #name,
const char resource_field_names[RESOURCE_FIELDS][24] = {
#include "texel/resource.def"
};
const char sampler_field_names[SAMPLER_FIELDS][24] = {
#include "texel/sampler.def"
};
#undef FIELD

uint64_t descriptor_get(const uint32_t *words, struct descriptor_field f) {
    if (!f.bits) return 0;
    uint64_t v = words[f.word];
    if (f.low + f.bits > 32) v |= (uint64_t)words[f.word + 1] << 32;
    return v >> f.low & (~0ull >> (64 - f.bits));
}

void descriptor_put(uint32_t *words, struct descriptor_field f, uint64_t value) {
    if (!f.bits) return;
    const uint64_t mask = (~0ull >> (64 - f.bits)) << f.low, v = value << f.low & mask;
    words[f.word] = (words[f.word] & ~(uint32_t)mask) | (uint32_t)v;
    if (f.low + f.bits > 32)
        words[f.word + 1] = (words[f.word + 1] & ~(uint32_t)(mask >> 32)) | (uint32_t)(v >> 32);
}
