// SPDX-License-Identifier: MIT
// The image interface: capabilities, sizes, images and their making. Agents without image instructions
// support no format. Clients turn the refusal into errors that do not name images, so the first one is
// reported on standard error.
#include "hsa/image.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "hsa/memory/memory.h"

static struct {
    pthread_mutex_t lock;
    struct hsa_image *first; // lock
} images = {.lock = PTHREAD_MUTEX_INITIALIZER};

static status refuse(const struct agent *a, status st) {
    static bool said; // atomic
    const char *quiet = getenv("SOFTWAVE_FAULT");
    enum resource_kind kind;
    if (image_kind(a, &kind)) return st;
    if (!(quiet && !strcmp(quiet, "quiet")) && !__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
        runtime_complain("this GPU has no images: no image, array, texture or sampler can be made");
    return st;
}

HSA(status, hsa_ext_image_get_capability, handle_t agent, uint32_t geometry,
    const struct image_format *format, uint32_t *mask) {
    NEED_IMAGES(agent);
    NEED(format && mask && geometry < GEOMETRIES, ST_INVALID_ARGUMENT);
    *mask = image_capability(agent_gpu(agent), geometry, format);
    return ST_SUCCESS;
}
HSA(status, hsa_ext_image_get_capability_with_layout, handle_t agent, uint32_t geometry,
    const struct image_format *format, uint32_t layout, uint32_t *mask) {
    NEED_IMAGES(agent);
    NEED(layout <= LAYOUT_LINEAR, ST_INVALID_ARGUMENT);
    return hsa_ext_image_get_capability(agent, geometry, format, mask);
}

// ---- Sizes ----

static status describe(handle_t agent, const struct image_descriptor *d, int access, size_t row, size_t slice,
                       struct texel_surface *out) {
    NEED(d && access >= ACCESS_RO && access <= ACCESS_RW && d->geometry < GEOMETRIES &&
             d->format.type < IMAGE_TYPES && d->format.order < IMAGE_ORDERS,
         ST_INVALID_ARGUMENT);
    const struct agent *a = agent_gpu(agent);
    const status st = image_surface(a, d, access, row, slice, out);
    return st == ST_SUCCESS ? st : refuse(a, st);
}
static status info(handle_t agent, const struct image_descriptor *d, int access, size_t row, size_t slice,
                   struct image_data_info *out) {
    struct texel_surface s;
    const status st = describe(agent, d, access, row, slice, &s);
    if (st == ST_SUCCESS) *out = (struct image_data_info){image_size(&s, d), 256};
    return st;
}

HSA(status, hsa_ext_image_data_get_info, handle_t agent, const struct image_descriptor *d, int access,
    struct image_data_info *out) {
    NEED_IMAGES(agent);
    NEED(out, ST_INVALID_ARGUMENT);
    return info(agent, d, access, 0, 0, out);
}
HSA(status, hsa_ext_image_data_get_info_with_layout, handle_t agent, const struct image_descriptor *d,
    int access, uint32_t layout, size_t row, size_t slice, struct image_data_info *out) {
    NEED_IMAGES(agent);
    NEED(out && layout <= LAYOUT_LINEAR && (layout || (!row && !slice)), ST_INVALID_ARGUMENT);
    return info(agent, d, access, row, slice, out);
}

// ---- Images ----

// Puts the object in memory that its agent's kernels can read, and notes it.
static status note(const struct hsa_image *object, handle_t *out) {
    _Static_assert(sizeof(struct hsa_image) <= PAGE, "an object has a page");
    struct hsa_image *image = own_memory(PAGE);
    NEED(image, ST_OUT_OF_RESOURCES);
    *image = *object;
    const uint64_t at = handle_of(image);
    if (rights_set(at, at + PAGE, gpu_bit(object->agent), SW_RIGHT_READ) != ST_SUCCESS) {
        own_memory_free(image, PAGE);
        return ST_OUT_OF_RESOURCES;
    }
    pthread_mutex_lock(&images.lock);
    image->next = images.first;
    images.first = image;
    pthread_mutex_unlock(&images.lock);
    *out = at;
    return ST_SUCCESS;
}
static status note_image(const struct agent *a, const uint32_t words[8], const struct texel_surface *s,
                         const struct image_descriptor *d, const void *data, handle_t *out) {
    struct hsa_image image = {.agent = a, .surface = *s, .descriptor = *d};
    memcpy(image.words, words, 32);
    image.words[8] = d->format.type;
    image.words[9] = d->format.order;
    image.words[10] = (uint32_t)d->width;
    image.surface.base = handle_of(host_pointer(data));
    return note(&image, out);
}

static status create(handle_t agent, const struct image_descriptor *d, const void *data, int access,
                     size_t row, size_t slice, handle_t *out) {
    struct texel_surface s;
    uint32_t words[8];
    const status st = describe(agent, d, access, row, slice, &s);
    if (st != ST_SUCCESS) return st;
    NEED(handle_of(data) % 256 == 0, ST_INVALID_ARGUMENT);
    NEED(image_words(agent_gpu(agent), &s, d, data, words), ST_IMAGE_SIZE_UNSUPPORTED);
    return note_image(agent_gpu(agent), words, &s, d, data, out);
}
HSA(status, hsa_ext_image_create, handle_t agent, const struct image_descriptor *d, const void *data,
    int access, handle_t *out) {
    NEED_IMAGES(agent);
    NEED(data && out, ST_INVALID_ARGUMENT);
    return create(agent, d, data, access, 0, 0, out);
}
HSA(status, hsa_ext_image_create_with_layout, handle_t agent, const struct image_descriptor *d,
    const void *data, int access, uint32_t layout, size_t row, size_t slice, handle_t *out) {
    NEED_IMAGES(agent);
    NEED(data && out && layout <= LAYOUT_LINEAR && (layout || (!row && !slice)), ST_INVALID_ARGUMENT);
    return create(agent, d, data, access, row, slice, out);
}

// An image whose resource another driver made: its words, but for the place.
struct vendor_layout {
    uint32_t version, device;
    uint32_t words[8];
};
HSA(status, hsa_amd_image_create, handle_t agent, const struct image_descriptor *d, const void *layout,
    const void *data, int access, handle_t *out) {
    enum { VERSION = 1, AMD = 0x1002 };
    const struct vendor_layout *v = layout;
    struct texel_surface s;
    uint32_t words[8];
    NEED_IMAGES(agent);
    NEED(layout && data && out, ST_INVALID_ARGUMENT);
    const struct agent *a = agent_gpu(agent);
    const status st = describe(agent, d, access, 0, 0, &s);
    if (st != ST_SUCCESS) return st;
    NEED(v->version == VERSION && v->device == (AMD << 16 | a->product.chip), ST_INVALID_ARGUMENT);
    NEED(handle_of(data) % 256 == 0 && d->geometry != GEOMETRY_1DB, ST_INVALID_ARGUMENT);
    const uint8_t layout_id = s.layout;
    memcpy(words, v->words, 32);
    words[0] = (uint32_t)(handle_of(data) >> 8);
    words[1] = (words[1] & ~0xffu) | (uint32_t)(handle_of(data) >> 40 & 0xff);
    const char *why = texel_decode_resource(s.kind, words, false, &s);
    NEED(!why && s.bound && texel_layouts[s.layout].bytes == texel_layouts[layout_id].bytes,
         ST_INVALID_ARGUMENT);
    return note_image(a, words, &s, d, data, out);
}

// The place in the list that names it. Requires: the lock.
static struct hsa_image **find(const struct agent *a, handle_t handle, bool is_sampler) {
    struct hsa_image **at = &images.first;
    while (*at && (handle_of(*at) != handle || (*at)->agent != a || (*at)->is_sampler != is_sampler))
        at = &(*at)->next;
    return at;
}
struct hsa_image *image_of_handle(const struct agent *a, handle_t handle) {
    pthread_mutex_lock(&images.lock);
    struct hsa_image *i = *find(a, handle, false);
    pthread_mutex_unlock(&images.lock);
    return i;
}
static status destroy(const struct agent *a, handle_t handle, bool is_sampler) {
    pthread_mutex_lock(&images.lock);
    struct hsa_image **at = find(a, handle, is_sampler), *i = *at;
    if (i) *at = i->next;
    pthread_mutex_unlock(&images.lock);
    NEED(i, ST_INVALID_ARGUMENT);
    own_memory_free(i, PAGE);
    return ST_SUCCESS;
}
HSA(status, hsa_ext_image_destroy, handle_t agent, handle_t image) {
    NEED_IMAGES(agent);
    return destroy(agent_gpu(agent), image, false);
}

void images_close(void) {
    while (images.first) {
        struct hsa_image *next = images.first->next;
        own_memory_free(images.first, PAGE);
        images.first = next;
    }
}
// The child of fork has none of the memory's rights, and forgets what it has.
void images_forget(void) {
    pthread_mutex_init(&images.lock, NULL);
    images.first = NULL;
}

// ---- Samplers ----

static status make_sampler(const struct agent *a, const struct sampler_descriptor_v2 *d, handle_t *out) {
    // Addressing: undefined, clamp to edge, clamp to border, repeat, mirrored repeat.
    static const uint8_t clamps[] = {CLAMP_LAST_TEXEL, CLAMP_LAST_TEXEL, CLAMP_BORDER, CLAMP_WRAP,
                                     CLAMP_MIRROR};
    enum resource_kind kind;
    if (!image_kind(a, &kind)) return refuse(a, ST_SAMPLER_DESCRIPTOR_UNSUPPORTED);
    struct texel_sampler s = {.max_aniso = 1, .unnormalised = !d->coordinate, .compare = COMPARE_NEVER};
    for (int i = 0; i < 3; i++) {
        if (s.unnormalised && d->address[i] > 2) return ST_SAMPLER_DESCRIPTOR_UNSUPPORTED; // nothing repeats
        s.clamp[i] = clamps[d->address[i]];
    }
    s.mag = s.min = d->filter ? FILTER_BILINEAR : FILTER_POINT;
    s.z_filter = d->filter ? Z_FILTER_LINEAR : Z_FILTER_POINT;
    // Coordinates are rounded to 1/256 texel, not cut: the device library gives n / width for texel n, which
    // may lie a little below.
    s.max_lod = 4095.0f / 256;
    struct hsa_image made = {.agent = a, .is_sampler = true};
    texel_encode_sampler(kind, &s, made.words);
    return note(&made, out);
}

HSA(status, hsa_ext_sampler_create, handle_t agent, const struct sampler_descriptor *d, handle_t *out) {
    NEED_IMAGES(agent);
    NEED(d && out && d->coordinate <= 1 && d->filter <= 1 && d->address <= 4, ST_INVALID_ARGUMENT);
    const uint32_t each = d->address;
    const struct sampler_descriptor_v2 all = {d->coordinate, d->filter, {each, each, each}};
    return make_sampler(agent_gpu(agent), &all, out);
}
HSA(status, hsa_ext_sampler_create_v2, handle_t agent, const struct sampler_descriptor_v2 *d, handle_t *out) {
    NEED_IMAGES(agent);
    NEED(d && out && d->coordinate <= 1 && d->filter <= 1, ST_INVALID_ARGUMENT);
    for (int i = 0; i < 3; i++) NEED(d->address[i] <= 4, ST_INVALID_ARGUMENT);
    return make_sampler(agent_gpu(agent), d, out);
}
HSA(status, hsa_ext_sampler_destroy, handle_t agent, handle_t sampler) {
    NEED_IMAGES(agent);
    return destroy(agent_gpu(agent), sampler, true);
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
