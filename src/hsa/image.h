// SPDX-License-Identifier: MIT
// Images and samplers of agents. Handles are addresses of memory that kernels read: device libraries load
// eight words of an image and four of a sampler.
#ifndef HSA_IMAGE_H
#define HSA_IMAGE_H

#include <stddef.h>

#include "hsa/agent/agent.h"
#include "texel/surface.h"

enum image_geometry {
    GEOMETRY_1D,
    GEOMETRY_2D,
    GEOMETRY_3D,
    GEOMETRY_1DA,
    GEOMETRY_2DA,
    GEOMETRY_1DB, // a buffer
    GEOMETRY_2D_DEPTH,
    GEOMETRY_2DA_DEPTH,
    GEOMETRIES,
};
enum { IMAGE_TYPES = 16, IMAGE_ORDERS = 20 }; // of struct image_format
enum { ACCESS_RO = 1, ACCESS_WO, ACCESS_RW };
enum { LAYOUT_OPAQUE, LAYOUT_LINEAR };

// An image or a sampler.
struct hsa_image {
    // The image's resource, then channel type, channel order and width, which libraries read; or the
    // sampler's.
    uint32_t words[12];
    bool is_sampler;
    const struct agent *agent;
    struct texel_surface surface; // its base: where the host finds the texels
    struct image_descriptor descriptor;
    struct hsa_image *next; // lock: images
};

// Whose resources an agent's kernels read. False: it has no images.
bool image_kind(const struct agent *a, enum resource_kind *kind);
// HSA_EXT_IMAGE_CAPABILITY_*; 0: not supported.
uint32_t image_capability(const struct agent *a, uint32_t geometry, const struct image_format *format);
bool image_is_depth(const struct image_format *format);
// The surface of an image without its place. Pitches are bytes; 0: as the image asks for.
status image_surface(const struct agent *a, const struct image_descriptor *d, int access, size_t row,
                     size_t slice, struct texel_surface *out);
uint64_t image_size(const struct texel_surface *s, const struct image_descriptor *d);
// The words that kernels read of an image at `data`.
bool image_words(const struct agent *a, const struct texel_surface *s, const struct image_descriptor *d,
                 const void *data, uint32_t words[8]);

struct hsa_image *image_of_handle(const struct agent *a, handle_t handle); // NULL: no such image of the agent
void images_close(void);
void images_forget(void);

// How functions of the interface begin.
#define NEED_IMAGES(agent)                                                                                   \
    NEED_RUNTIME;                                                                                            \
    NEED(agent_gpu(agent), ST_INVALID_AGENT)

// Functions of the interface in image_copy.c, for its table.
status hsa_ext_image_copy(handle_t agent, handle_t from, const struct dim3 *from_offset, handle_t to,
                          const struct dim3 *to_offset, const struct dim3 *range);
status hsa_ext_image_import(handle_t agent, const void *from, size_t row, size_t slice, handle_t image,
                            const struct image_region *region);
status hsa_ext_image_export(handle_t agent, handle_t image, void *to, size_t row, size_t slice,
                            const struct image_region *region);
status hsa_ext_image_clear(handle_t agent, handle_t image, const void *data,
                           const struct image_region *region);

size_t image_table(void *table, size_t length); // bytes written, `length` at the most

#endif
