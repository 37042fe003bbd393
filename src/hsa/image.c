// SPDX-License-Identifier: MIT
// Images. The device does not execute image instructions yet, so no format is supported: capabilities are
// none, and making an image fails with the status for that. Clients turn it into errors that do not name
// images, so the first refusal is reported on standard error.
#include <stdlib.h>
#include <string.h>

#include "hsa/agent/agent.h"
#include "hsa/image.h"

enum { GEOMETRIES = 8, TYPES = 16, ORDERS = 20 };

#define NEED_IMAGES(agent)                                                                                   \
    NEED_RUNTIME;                                                                                            \
    NEED(agent_gpu(agent), ST_INVALID_AGENT)

static status refuse(status st) {
    static bool said; // atomic
    const char *quiet = getenv("SOFTWAVE_FAULT");
    if (!(quiet && !strcmp(quiet, "quiet")) && !__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
        runtime_complain("images are not supported yet: no image, array, texture or sampler can be made");
    return st;
}

static status check(const struct image_descriptor *d, int access) {
    NEED(d && access >= 1 && access <= 3 && d->geometry < GEOMETRIES && d->format.type < TYPES &&
             d->format.order < ORDERS,
         ST_INVALID_ARGUMENT);
    return refuse(ST_IMAGE_FORMAT_UNSUPPORTED);
}

HSA(status, hsa_ext_image_get_capability, handle_t agent, uint32_t geometry,
    const struct image_format *format, uint32_t *mask) {
    NEED_IMAGES(agent);
    NEED(format && mask && geometry < GEOMETRIES, ST_INVALID_ARGUMENT);
    *mask = 0;
    return ST_SUCCESS;
}
HSA(status, hsa_ext_image_get_capability_with_layout, handle_t agent, uint32_t geometry,
    const struct image_format *format, uint32_t layout, uint32_t *mask) {
    NEED_IMAGES(agent);
    NEED(layout <= 1, ST_INVALID_ARGUMENT);
    return hsa_ext_image_get_capability(agent, geometry, format, mask);
}
HSA(status, hsa_ext_image_data_get_info, handle_t agent, const struct image_descriptor *d, int access,
    struct image_data_info *out) {
    NEED_IMAGES(agent);
    NEED(out, ST_INVALID_ARGUMENT);
    return check(d, access);
}
HSA(status, hsa_ext_image_data_get_info_with_layout, handle_t agent, const struct image_descriptor *d,
    int access, uint32_t layout, size_t row, size_t slice, struct image_data_info *out) {
    (void)row, (void)slice;
    NEED_IMAGES(agent);
    NEED(out && layout <= 1, ST_INVALID_ARGUMENT);
    return check(d, access);
}
HSA(status, hsa_ext_image_create, handle_t agent, const struct image_descriptor *d, const void *data,
    int access, handle_t *out) {
    NEED_IMAGES(agent);
    NEED(data && out, ST_INVALID_ARGUMENT);
    return check(d, access);
}
HSA(status, hsa_ext_image_create_with_layout, handle_t agent, const struct image_descriptor *d,
    const void *data, int access, uint32_t layout, size_t row, size_t slice, handle_t *out) {
    (void)row, (void)slice;
    NEED_IMAGES(agent);
    NEED(data && out && layout <= 1, ST_INVALID_ARGUMENT);
    return check(d, access);
}
HSA(status, hsa_amd_image_create, handle_t agent, const struct image_descriptor *d, const void *layout,
    const void *data, int access, handle_t *out) {
    NEED_IMAGES(agent);
    NEED(layout && data && out, ST_INVALID_ARGUMENT);
    return check(d, access);
}

// No image exists that these could be given.
static status no_image(handle_t agent) {
    NEED_IMAGES(agent);
    return ST_INVALID_ARGUMENT;
}
HSA(status, hsa_ext_image_destroy, handle_t agent, handle_t image) {
    (void)image;
    return no_image(agent);
}
HSA(status, hsa_ext_image_copy, handle_t agent, handle_t from, const struct dim3 *from_offset, handle_t to,
    const struct dim3 *to_offset, const struct dim3 *range) {
    (void)from, (void)from_offset, (void)to, (void)to_offset, (void)range;
    return no_image(agent);
}
HSA(status, hsa_ext_image_import, handle_t agent, const void *from, size_t row, size_t slice, handle_t image,
    const struct image_region *region) {
    (void)from, (void)row, (void)slice, (void)image, (void)region;
    return no_image(agent);
}
HSA(status, hsa_ext_image_export, handle_t agent, handle_t image, void *to, size_t row, size_t slice,
    const struct image_region *region) {
    (void)image, (void)to, (void)row, (void)slice, (void)region;
    return no_image(agent);
}
HSA(status, hsa_ext_image_clear, handle_t agent, handle_t image, const void *data,
    const struct image_region *region) {
    (void)image, (void)data, (void)region;
    return no_image(agent);
}

HSA(status, hsa_ext_sampler_create, handle_t agent, const struct sampler_descriptor *d, handle_t *out) {
    NEED_IMAGES(agent);
    NEED(d && out && d->coordinate <= 1 && d->filter <= 1 && d->address <= 4, ST_INVALID_ARGUMENT);
    return refuse(ST_SAMPLER_DESCRIPTOR_UNSUPPORTED);
}
HSA(status, hsa_ext_sampler_create_v2, handle_t agent, const struct sampler_descriptor_v2 *d, handle_t *out) {
    NEED_IMAGES(agent);
    NEED(d && out && d->coordinate <= 1 && d->filter <= 1, ST_INVALID_ARGUMENT);
    for (int i = 0; i < 3; i++) NEED(d->address[i] <= 4, ST_INVALID_ARGUMENT);
    return refuse(ST_SAMPLER_DESCRIPTOR_UNSUPPORTED);
}
HSA(status, hsa_ext_sampler_destroy, handle_t agent, handle_t sampler) {
    (void)sampler;
    return no_image(agent);
}

size_t image_table(void *table, size_t length) {
    typedef void (*function)(void);
    const function functions[] = {
        (function)hsa_ext_image_get_capability,
        (function)hsa_ext_image_data_get_info,
        (function)hsa_ext_image_create,
        (function)hsa_ext_image_destroy,
        (function)hsa_ext_image_copy,
        (function)hsa_ext_image_import,
        (function)hsa_ext_image_export,
        (function)hsa_ext_image_clear,
        (function)hsa_ext_sampler_create,
        (function)hsa_ext_sampler_destroy,
        (function)hsa_ext_image_get_capability_with_layout,
        (function)hsa_ext_image_data_get_info_with_layout,
        (function)hsa_ext_image_create_with_layout,
        (function)hsa_ext_sampler_create_v2,
    };
    const size_t size = length < sizeof functions ? length : sizeof functions;
    memcpy(table, functions, size);
    return size;
}
