// SPDX-License-Identifier: MIT
// Copies between images and memory, between images, and clears. The host does them, element by element, at
// once; as the interface says, what kernels do with the image meanwhile is theirs to order.
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "hsa/image.h"
#include "hsa/memory/memory.h"

// True if the image has all of the region. Layers of arrays are counted by z.
// Layers of rows are counted by z, as the header says, or by y, as OpenCL counts and AMD's library takes
// them.
static bool has_region(const struct hsa_image *i, const struct dim3 *at, const struct dim3 *range) {
    uint32_t size[3];
    texel_level_size(&i->surface, 0, size);
    if (i->descriptor.geometry == GEOMETRY_1DA)
        return range->x && range->y && range->z && (uint64_t)at->x + range->x <= size[0] &&
               (range->y == 1 || range->z == 1) &&
               (uint64_t)at->y + at->z + (uint64_t)range->y * range->z <= size[2];
    return range->x && range->y && range->z && (uint64_t)at->x + range->x <= size[0] &&
           (uint64_t)at->y + range->y <= size[1] && (uint64_t)at->z + range->z <= size[2];
}

// Where a texel lies; images of buffers have no rows.
static uint8_t *element(const struct hsa_image *i, uint32_t x, uint32_t y, uint32_t z, unsigned *bytes) {
    uint64_t at = 0;
    if (i->descriptor.geometry == GEOMETRY_1DA) z += y, y = 0;
    if (i->descriptor.geometry == GEOMETRY_1DB) {
        *bytes = texel_layouts[i->surface.layout].bytes;
        at = i->surface.base + (uint64_t)x * *bytes;
    } else
        texel_address(&i->surface, 0, x, y, z, 0, &at, bytes);
    return (uint8_t *)(uintptr_t)at;
}

// Linear memory: bytes from row to row and from slice to slice, at least what the range needs.
struct pitches {
    size_t row, slice;
};
static struct pitches pitches_of(const struct hsa_image *i, const struct dim3 *range, size_t row,
                                 size_t slice) {
    const size_t tight = (size_t)range->x * texel_layouts[i->surface.layout].bytes;
    if (row < tight) row = tight;
    if (slice < row * range->y) slice = row * range->y;
    return (struct pitches){row, slice};
}

static void transfer(const struct hsa_image *i, const struct image_region *r, uint8_t *memory,
                     struct pitches p, bool import) {
    for (uint32_t z = 0; z < r->range.z; z++)
        for (uint32_t y = 0; y < r->range.y; y++)
            for (uint32_t x = 0; x < r->range.x; x++) {
                unsigned bytes;
                uint8_t *e = element(i, r->offset.x + x, r->offset.y + y, r->offset.z + z, &bytes);
                uint8_t *m = memory + z * p.slice + y * p.row + (size_t)x * bytes;
                memcpy(import ? e : m, import ? m : e, bytes);
            }
}

HSA(status, hsa_ext_image_import, handle_t agent, const void *from, size_t row, size_t slice, handle_t image,
    const struct image_region *region) {
    NEED_IMAGES(agent);
    const struct hsa_image *i = image_of_handle(agent_gpu(agent), image);
    NEED(i && from && region && has_region(i, &region->offset, &region->range), ST_INVALID_ARGUMENT);
    transfer(i, region, host_pointer(from), pitches_of(i, &region->range, row, slice), true);
    return ST_SUCCESS;
}
HSA(status, hsa_ext_image_export, handle_t agent, handle_t image, void *to, size_t row, size_t slice,
    const struct image_region *region) {
    NEED_IMAGES(agent);
    const struct hsa_image *i = image_of_handle(agent_gpu(agent), image);
    NEED(i && to && region && has_region(i, &region->offset, &region->range), ST_INVALID_ARGUMENT);
    transfer(i, region, host_pointer(to), pitches_of(i, &region->range, row, slice), false);
    return ST_SUCCESS;
}

// The same elements; sRGB orders match their plain ones.
static bool same_format(const struct image_format *a, const struct image_format *b) {
    enum { RGBA = 8, BGRA = 9, SRGBA = 14, SBGRA = 15 };
    const uint32_t plain[2] = {a->order == SRGBA   ? RGBA
                               : a->order == SBGRA ? BGRA
                                                   : a->order,
                               b->order == SRGBA   ? RGBA
                               : b->order == SBGRA ? BGRA
                                                   : b->order};
    return a->type == b->type && plain[0] == plain[1];
}

HSA(status, hsa_ext_image_copy, handle_t agent, handle_t from, const struct dim3 *from_offset, handle_t to,
    const struct dim3 *to_offset, const struct dim3 *range) {
    NEED_IMAGES(agent);
    const struct hsa_image *a = image_of_handle(agent_gpu(agent), from),
                           *b = image_of_handle(agent_gpu(agent), to);
    NEED(a && b && from_offset && to_offset && range, ST_INVALID_ARGUMENT);
    NEED(has_region(a, from_offset, range) && has_region(b, to_offset, range), ST_INVALID_ARGUMENT);
    NEED(same_format(&a->descriptor.format, &b->descriptor.format), ST_INVALID_ARGUMENT);
    for (uint32_t z = 0; z < range->z; z++)
        for (uint32_t y = 0; y < range->y; y++)
            for (uint32_t x = 0; x < range->x; x++) {
                unsigned bytes;
                const uint8_t *e =
                    element(a, from_offset->x + x, from_offset->y + y, from_offset->z + z, &bytes);
                memmove(element(b, to_offset->x + x, to_offset->y + y, to_offset->z + z, &bytes), e, bytes);
            }
    return ST_SUCCESS;
}

// ---- Clears ----

static float gamma_of(float linear) {
    if (!(linear > 0)) return 0;
    return linear <= 0.0031308f ? 12.92f * linear
           : linear >= 1        ? 1
                                : 1.055f * powf(linear, 1 / 2.4f) - 0.055f;
}

// The element that holds red, green, blue and alpha. sRGB is given as linear light.
static bool clear_element(const struct hsa_image *i, const void *data, uint8_t out[16]) {
    struct texel_surface s = i->surface;
    uint32_t given[4] = {0}, stored[4];
    memcpy(given, data, image_is_depth(&i->descriptor.format) ? 4 : 16);
    if (s.number == NUMBER_SRGB) {
        s.number = NUMBER_UNORM;
        for (int c = 0; c < 3; c++) {
            float f;
            memcpy(&f, &given[c], 4);
            f = gamma_of(f);
            memcpy(&given[c], &f, 4);
        }
    }
    fenv_t environment;
    feholdexcept(&environment);
    fesetround(FE_TONEAREST);
    texel_unselect(&s, given, stored);
    for (unsigned c = 0; c < 4; c++) // bits that no channel has are 0
        if (!memchr(s.select, TEXEL_SELECT_X + (int)c, 4)) stored[c] = 0;
    const bool can = texel_surface_store(&s, stored, false, out);
    fesetenv(&environment);
    return can;
}

HSA(status, hsa_ext_image_clear, handle_t agent, handle_t image, const void *data,
    const struct image_region *region) {
    uint8_t e[16];
    unsigned bytes;
    NEED_IMAGES(agent);
    const struct hsa_image *i = image_of_handle(agent_gpu(agent), image);
    NEED(i && data && region && has_region(i, &region->offset, &region->range), ST_INVALID_ARGUMENT);
    NEED(clear_element(i, data, e), ST_INVALID_ARGUMENT);
    const struct dim3 *at = &region->offset;
    for (uint32_t z = 0; z < region->range.z; z++)
        for (uint32_t y = 0; y < region->range.y; y++)
            for (uint32_t x = 0; x < region->range.x; x++) {
                uint8_t *to = element(i, at->x + x, at->y + y, at->z + z, &bytes);
                memcpy(to, e, bytes);
            }
    return ST_SUCCESS;
}
