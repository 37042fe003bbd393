// SPDX-License-Identifier: MIT
// Images and samplers as kernels see them: the words of an image resource (T#) and of a sampler (S#), where
// texels lie in memory, and copies between that memory and plain rows. Images are linear. No call needs a
// device: the caller has the memory, such as that of sw_device_alloc, and puts the words where its kernel
// reads them.
#ifndef SOFTWAVE_IMAGE_H
#define SOFTWAVE_IMAGE_H

#include "softwave/target.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sw_image_dimension {
    SW_IMAGE_1D = 0,
    SW_IMAGE_2D = 1,
    SW_IMAGE_3D = 2,
    SW_IMAGE_CUBE = 3, // six layers each
    SW_IMAGE_1D_ARRAY = 4,
    SW_IMAGE_2D_ARRAY = 5,
} sw_image_dimension;

typedef struct sw_image {
    size_t size; // sizeof(sw_image)
    const sw_processor *processor;
    // As manuals call it, in lower case, such as "8_8_8_8_unorm", "16_16_float" or "bc1_srgb"; or a short
    // name: r8, rg8, rgba8, bgra8, rgba8_srgb, r16f, rg16f, rgba16f, r32f, rg32f, rgba32f, and r8u, rgba8u,
    // r16u, r32u, rgba32u, r32i, rgba32i.
    const char *format;
    sw_image_dimension dimension;
    uint32_t width, height, depth; // texels of level 0; 0 where the dimension has none
    uint32_t layers;               // of arrays and cubes; 0 is one, or one cube
    uint32_t levels;               // mip levels; 0 is one
} sw_image;

typedef struct sw_image_memory {
    size_t size; // sizeof(sw_image_memory) of the caller; set before the call
    // What the image takes, from an address that is a multiple of `alignment`.
    uint64_t bytes, alignment;
    // The same as plain rows: level after level, in each layer after layer, row after row, without gaps.
    uint64_t plain_bytes;
    unsigned element_bytes, block_width, block_height; // of a texel, or of a compressed block of texels
    unsigned components, component_bits;               // component_bits: 0 if they differ
} sw_image_memory;

// SW_UNSUPPORTED: the processor has no images, or not this format or size; the message says which.
sw_status sw_image_measure(const sw_image *image, sw_image_memory *out, const sw_sink *sink);
// The eight words of the resource of an image whose texels begin at `address`, as kernels see it.
sw_status sw_image_resource(const sw_image *image, uint64_t address, uint32_t words[8], const sw_sink *sink);
// Copies all texels from plain rows to the image's memory, and back.
sw_status sw_image_put(const sw_image *image, void *memory, const void *plain, const sw_sink *sink);
sw_status sw_image_get(const sw_image *image, const void *memory, void *plain, const sw_sink *sink);

typedef enum sw_sampler_address {
    SW_ADDRESS_CLAMP = 0, // to the last texel
    SW_ADDRESS_WRAP = 1,
    SW_ADDRESS_MIRROR = 2,
    SW_ADDRESS_MIRROR_ONCE = 3,
    SW_ADDRESS_BORDER = 4,
} sw_sampler_address;
typedef enum sw_sampler_filter { SW_FILTER_NEAREST = 0, SW_FILTER_LINEAR = 1 } sw_sampler_filter;
typedef enum sw_sampler_border {
    SW_BORDER_TRANSPARENT = 0,
    SW_BORDER_BLACK = 1,
    SW_BORDER_WHITE = 2,
} sw_sampler_border;

typedef struct sw_sampler {
    size_t size; // sizeof(sw_sampler)
    const sw_processor *processor;
    sw_sampler_address address[3]; // of x, y, z
    sw_sampler_filter filter;      // within a level
    sw_sampler_filter levels;      // between levels
    sw_sampler_border border;
    bool texels;                   // coordinates are texels, not 0 to 1
    unsigned anisotropy;           // 1, 2, 4, 8 or 16 samples at most; 0 is 1
    float least_level, most_level; // of detail; both 0: all levels
} sw_sampler;

// The four words of the sampler. SW_UNSUPPORTED: the processor has no images.
sw_status sw_sampler_resource(const sw_sampler *sampler, uint32_t words[4], const sw_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
