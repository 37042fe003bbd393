// SPDX-License-Identifier: MIT
// Formats and geometries of the image interface as surfaces of the GPU. Every image is linear: its opaque
// layout is the linear one, so it is the same for all accesses.
#include <string.h>

#include "hsa/image.h"

// What a channel type is for one to four components; NONE: no such format.
static const struct {
    uint8_t layouts[4], number;
} types[IMAGE_TYPES] = {
    {{LAYOUT_8, LAYOUT_8_8, 0, LAYOUT_8_8_8_8}, NUMBER_SNORM},
    {{LAYOUT_16, LAYOUT_16_16, 0, LAYOUT_16_16_16_16}, NUMBER_SNORM},
    {{LAYOUT_8, LAYOUT_8_8, 0, LAYOUT_8_8_8_8}, NUMBER_UNORM},
    {{LAYOUT_16, LAYOUT_16_16, 0, LAYOUT_16_16_16_16}, NUMBER_UNORM},
    {{LAYOUT_8_24, 0, 0, 0}, NUMBER_UNORM},
    {{0, 0, LAYOUT_1_5_5_5, 0}, NUMBER_UNORM},
    {{0, 0, LAYOUT_5_6_5, 0}, NUMBER_UNORM},
    {{0, 0, LAYOUT_2_10_10_10, 0}, NUMBER_UNORM},
    {{LAYOUT_8, LAYOUT_8_8, 0, LAYOUT_8_8_8_8}, NUMBER_SINT},
    {{LAYOUT_16, LAYOUT_16_16, 0, LAYOUT_16_16_16_16}, NUMBER_SINT},
    {{LAYOUT_32, LAYOUT_32_32, 0, LAYOUT_32_32_32_32}, NUMBER_SINT},
    {{LAYOUT_8, LAYOUT_8_8, 0, LAYOUT_8_8_8_8}, NUMBER_UINT},
    {{LAYOUT_16, LAYOUT_16_16, 0, LAYOUT_16_16_16_16}, NUMBER_UINT},
    {{LAYOUT_32, LAYOUT_32_32, 0, LAYOUT_32_32_32_32}, NUMBER_UINT},
    {{LAYOUT_16, LAYOUT_16_16, 0, LAYOUT_16_16_16_16}, NUMBER_FLOAT},
    {{LAYOUT_32, LAYOUT_32_32, 0, LAYOUT_32_32_32_32}, NUMBER_FLOAT},
};
enum { UNORM_8 = 2, UNORM_16 = 3, UNORM_24 = 4, UNORM_555 = 5, UNORM_101010 = 7, FLOAT_32 = 15 };

#define NORMS    (1u << 0 | 1u << 1 | 1u << UNORM_8 | 1u << UNORM_16)
#define FLOATS   (1u << 14 | 1u << FLOAT_32)
#define PLAIN    (NORMS | FLOATS | 0x3f00u)
#define BYTES    (1u << 0 | 1u << UNORM_8 | 1u << 8 | 1u << 11)
#define PACKED   (1u << UNORM_555 | 1u << 6 | 1u << UNORM_101010)
#define OF_DEPTH (1u << UNORM_16 | 1u << UNORM_24 | 1u << FLOAT_32)
enum { O = TEXEL_SELECT_0, I = TEXEL_SELECT_1, X = TEXEL_SELECT_X, Y, Z, W };

// By channel order: components in memory, the channel types that it comes with, where red, green, blue and
// alpha come from. Packed types have red in the highest bits.
static const struct {
    uint8_t components;
    uint16_t types;
    uint8_t select[4];
    bool gamma, depth;
} orders[IMAGE_ORDERS] = {
    {1, PLAIN, {O, O, O, X}},                     // A
    {1, PLAIN, {X, O, O, I}},                     // R
    {0},                                          // RX
    {2, PLAIN, {X, Y, O, I}},                     // RG
    {0},                                          // RGX
    {2, PLAIN, {X, O, O, Y}},                     // RA
    {3, PACKED, {Z, Y, X, I}},                    // RGB
    {3, PACKED, {Z, Y, X, I}},                    // RGBX
    {4, PLAIN, {X, Y, Z, W}},                     // RGBA
    {4, BYTES, {Z, Y, X, W}},                     // BGRA
    {4, BYTES, {Y, Z, W, X}},                     // ARGB
    {4, BYTES, {W, Z, Y, X}},                     // ABGR
    {0},                                          // SRGB
    {0},                                          // SRGBX
    {4, 1u << UNORM_8, {X, Y, Z, W}, .gamma = 1}, // SRGBA
    {4, 1u << UNORM_8, {Z, Y, X, W}, .gamma = 1}, // SBGRA
    {1, NORMS | FLOATS, {X, X, X, X}},            // INTENSITY
    {1, NORMS | FLOATS, {X, X, X, I}},            // LUMINANCE
    {1, OF_DEPTH, {X, O, O, I}, .depth = 1},      // DEPTH
    {0},                                          // DEPTH_STENCIL
};

// The generation's number decides which resource it has; whether it has any is a capability.
bool image_kind(const struct agent *a, enum resource_kind *kind) {
    const unsigned major = a->info.isa_major;
    if (!a->is_gpu || major < 6) return false;
    *kind = major <= 7    ? RESOURCE_GFX6
            : major == 8  ? RESOURCE_GFX8
            : major == 9  ? RESOURCE_GFX9
            : major == 10 ? (a->info.isa_minor < 3 ? RESOURCE_GFX10 : RESOURCE_GFX103)
            : major == 11 ? RESOURCE_GFX11
                          : RESOURCE_GFX12;
    for (size_t c = 0; c < sw_capability_count(); c++)
        if (!strcmp(sw_capability_name(c), "extended_image")) return sw_processor_has(a->target.processor, c);
    return false;
}

bool image_is_depth(const struct image_format *f) { return orders[f->order].depth; }

// AMD's OpenCL makes depth images of the plain geometries, too.
static bool format_of(enum resource_kind kind, uint32_t geometry, const struct image_format *f,
                      struct texel_format *out) {
    const bool only_depth = geometry == GEOMETRY_2D_DEPTH || geometry == GEOMETRY_2DA_DEPTH;
    const bool may_depth = only_depth || geometry == GEOMETRY_2D || geometry == GEOMETRY_2DA;
    if (f->type >= IMAGE_TYPES || f->order >= IMAGE_ORDERS || geometry >= GEOMETRIES) return false;
    if (!(orders[f->order].types >> f->type & 1)) return false;
    if (orders[f->order].depth ? !may_depth : only_depth) return false;
    *out =
        (struct texel_format){types[f->type].layouts[orders[f->order].components - 1], types[f->type].number};
    if (orders[f->order].gamma) out->number = NUMBER_SRGB;
    unsigned data, number;
    if (geometry == GEOMETRY_1DB && (out->layout > LAYOUT_32_32_32_32 || orders[f->order].gamma))
        return false;
    return out->layout && texel_image_number(kind, *out, &data, &number);
}

uint32_t image_capability(const struct agent *a, uint32_t geometry, const struct image_format *format) {
    enum { CAPABLE_READ = 1, CAPABLE_WRITE = 2, CAPABLE_BOTH = 4, CAPABLE_INVARIANT = 16 };
    enum resource_kind kind;
    struct texel_format f;
    if (!image_kind(a, &kind) || !format_of(kind, geometry, format, &f)) return 0;
    const uint32_t write = orders[format->order].gamma ? 0 : CAPABLE_WRITE | CAPABLE_BOTH;
    return CAPABLE_READ | CAPABLE_INVARIANT | write;
}

// Sizes that the geometry uses are not 0, all others are 0 or, as OpenCL gives them, 1.
static bool sizes_fit(const struct image_descriptor *d) {
    static const struct {
        uint32_t width, height, depth, layers;
    } most[GEOMETRIES] = {
        {16384},    {16384, 16384}, {2048, 2048, 2048},     {16384, 0, 0, 2048}, {16384, 16384, 0, 2048},
        {1u << 27}, {16384, 16384}, {16384, 16384, 0, 2048}};
#define FITS(size, limit) ((limit) ? (size) && (size) <= (limit) : (size) <= 1)
    const uint32_t g = d->geometry;
    return FITS(d->width, most[g].width) && FITS(d->height, most[g].height) &&
           FITS(d->depth, most[g].depth) && FITS(d->array_size, most[g].layers);
#undef FITS
}

status image_surface(const struct agent *a, const struct image_descriptor *d, int access, size_t row,
                     size_t slice, struct texel_surface *out) {
    static const uint8_t dimensions[GEOMETRIES] = {SURFACE_1D,       SURFACE_2D,       SURFACE_3D,
                                                   SURFACE_1D_ARRAY, SURFACE_2D_ARRAY, SURFACE_1D,
                                                   SURFACE_2D,       SURFACE_2D_ARRAY};
    enum resource_kind kind;
    struct texel_format f;
    const uint32_t capable = image_capability(a, d->geometry, &d->format);
    if (!capable || (access != ACCESS_RO && !(capable & 2))) return ST_IMAGE_FORMAT_UNSUPPORTED;
    if (!sizes_fit(d)) return ST_IMAGE_SIZE_UNSUPPORTED;
    image_kind(a, &kind);
    format_of(kind, d->geometry, &d->format, &f);
    *out = (struct texel_surface){.kind = (uint8_t)kind,
                                  .dimension = dimensions[d->geometry],
                                  .bound = true,
                                  .levels = 1,
                                  .samples = 1};
    memcpy(out->select, orders[d->format.order].select, 4);
    texel_surface_format(out, f);
    out->tiling = kind <= RESOURCE_GFX8 ? 8 : 0;
    out->width = (uint32_t)d->width;
    out->height = d->height ? (uint32_t)d->height : 1;
    out->depth = d->depth ? (uint32_t)d->depth : 1;
    out->last_slice = d->array_size ? (uint32_t)d->array_size - 1 : 0;
    // Rows: as the surface has them by itself, or as its pitch says.
    const size_t element = texel_layouts[f.layout].bytes, tight = out->width * element;
    const size_t unit = kind >= RESOURCE_GFX12 ? 128 : 256, by_itself = (tight + unit - 1) / unit * unit;
    if (d->geometry == GEOMETRY_1DB) {
        if ((row && row < tight) || slice) return ST_IMAGE_PITCH_UNSUPPORTED;
        return ST_SUCCESS;
    }
    if (!row) row = by_itself;
    const bool flat = out->dimension <= SURFACE_2D;
    if (row < tight || row % element || row / element > 16384 || (row % 256 && row != by_itself))
        return ST_IMAGE_PITCH_UNSUPPORTED;
    if (kind <= RESOURCE_GFX9)
        out->pitch = (uint32_t)(row / element);
    else if (row != by_itself) {
        if (kind == RESOURCE_GFX10 || !flat) return ST_IMAGE_PITCH_UNSUPPORTED;
        out->pitch = (uint32_t)(row / element);
    }
    // Slices follow each other.
    uint64_t all, alignment;
    struct texel_surface one = *out;
    one.last_slice = 0, one.depth = 1;
    if (!texel_surface_bytes(&one, &all, &alignment)) return ST_IMAGE_SIZE_UNSUPPORTED;
    if (slice && !flat && slice != all) return ST_IMAGE_PITCH_UNSUPPORTED;
    return ST_SUCCESS;
}

uint64_t image_size(const struct texel_surface *s, const struct image_descriptor *d) {
    uint64_t bytes = 0, alignment;
    if (d->geometry == GEOMETRY_1DB) return (uint64_t)s->width * texel_layouts[s->layout].bytes;
    texel_surface_bytes(s, &bytes, &alignment);
    return bytes;
}

// A buffer's resource, which kernels read images of one dimension of buffers by.
static bool buffer_words(const struct texel_surface *s, uint64_t at, uint32_t words[8]) {
    const enum resource_kind kind = s->kind;
    const unsigned bytes = texel_layouts[s->layout].bytes;
    unsigned data, number;
    if (!texel_image_number(kind, (struct texel_format){s->layout, s->number}, &data, &number)) return false;
    memset(words, 0, 32);
    words[0] = (uint32_t)at;
    words[1] = (uint32_t)(at >> 32 & 0xffff) | bytes << 16;
    words[2] = kind == RESOURCE_GFX8 ? s->width * bytes : s->width; // GFX8 counts bytes
    for (unsigned c = 0; c < 4; c++) words[3] |= (uint32_t)s->select[c] << 3 * c;
    words[3] |= kind <= RESOURCE_GFX9 ? data << 15 | number << 12 : data << 12;
    if (kind == RESOURCE_GFX10 || kind == RESOURCE_GFX103) words[3] |= 1u << 24; // RESOURCE_LEVEL
    return true;
}

bool image_words(const struct agent *a, const struct texel_surface *s, const struct image_descriptor *d,
                 const void *data, uint32_t words[8]) {
    struct texel_surface placed = *s;
    (void)a;
    placed.base = handle_of(data);
    if (d->geometry == GEOMETRY_1DB) return buffer_words(s, placed.base, words);
    return !texel_encode_resource(s->kind, &placed, words);
}
