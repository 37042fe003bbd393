// SPDX-License-Identifier: MIT
// Images and samplers for callers: from their facts to words and memory (src/texel knows both).
#include "softwave/image.h"

#include <string.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "base/sized.h"
#include "target/target.h"
#include "texel/surface.h"

// ---- Formats ----

static const char *const number_names[] = {
    [NUMBER_UNORM] = "unorm",     [NUMBER_SNORM] = "snorm",         [NUMBER_USCALED] = "uscaled",
    [NUMBER_SSCALED] = "sscaled", [NUMBER_UINT] = "uint",           [NUMBER_SINT] = "sint",
    [NUMBER_FLOAT] = "float",     [NUMBER_SNORM_OGL] = "snorm_ogl", [NUMBER_SRGB] = "srgb",
};
static const char *const layout_names[LAYOUTS] = {
#define LAYOUT(name, kind, bits, bytes, width, height) [LAYOUT_##name] = #name,
#include "texel/layouts.def"
#undef LAYOUT
};
static const struct {
    const char *name;
    uint8_t layout, number;
    bool reversed; // blue before red
} short_names[] = {
    {"r8", LAYOUT_8, NUMBER_UNORM, 0},
    {"rg8", LAYOUT_8_8, NUMBER_UNORM, 0},
    {"rgba8", LAYOUT_8_8_8_8, NUMBER_UNORM, 0},
    {"bgra8", LAYOUT_8_8_8_8, NUMBER_UNORM, 1},
    {"rgba8_srgb", LAYOUT_8_8_8_8, NUMBER_SRGB, 0},
    {"r16f", LAYOUT_16, NUMBER_FLOAT, 0},
    {"rg16f", LAYOUT_16_16, NUMBER_FLOAT, 0},
    {"rgba16f", LAYOUT_16_16_16_16, NUMBER_FLOAT, 0},
    {"r32f", LAYOUT_32, NUMBER_FLOAT, 0},
    {"rg32f", LAYOUT_32_32, NUMBER_FLOAT, 0},
    {"rgba32f", LAYOUT_32_32_32_32, NUMBER_FLOAT, 0},
    {"r8u", LAYOUT_8, NUMBER_UINT, 0},
    {"rgba8u", LAYOUT_8_8_8_8, NUMBER_UINT, 0},
    {"r16u", LAYOUT_16, NUMBER_UINT, 0},
    {"r32u", LAYOUT_32, NUMBER_UINT, 0},
    {"rgba32u", LAYOUT_32_32_32_32, NUMBER_UINT, 0},
    {"r32i", LAYOUT_32, NUMBER_SINT, 0},
    {"rgba32i", LAYOUT_32_32_32_32, NUMBER_SINT, 0},
};

static bool same_word(const char *a, size_t length, const char *b) { // letters of either case
    if (strlen(b) != length) return false;
    for (size_t i = 0; i < length; i++)
        if ((a[i] | 32) != (b[i] | 32)) return false;
    return true;
}

static bool format_named(const char *name, struct texel_format *out, bool *reversed) {
    *reversed = false;
    for (size_t i = 0; i < sizeof short_names / sizeof *short_names; i++)
        if (!strcmp(short_names[i].name, name)) {
            *out = (struct texel_format){short_names[i].layout, short_names[i].number};
            *reversed = short_names[i].reversed;
            return true;
        }
    for (size_t l = LAYOUT_INVALID + 1; l < LAYOUTS; l++) {
        const size_t n = strlen(layout_names[l]);
        if (strlen(name) <= n || name[n] != '_' || !same_word(name, n, layout_names[l])) continue;
        for (size_t k = 0; k < sizeof number_names / sizeof *number_names; k++)
            if (same_word(name + n + 1, strlen(name + n + 1), number_names[k])) {
                *out = (struct texel_format){(uint8_t)l, (uint8_t)k};
                return true;
            }
    }
    return false;
}

// ---- Geometry ----

static const struct {
    uint8_t dimension;
    bool height, depth, layers;
    unsigned least_layers;
} dimensions[] = {
    [SW_IMAGE_1D] = {SURFACE_1D, 0, 0, 0, 1},
    [SW_IMAGE_2D] = {SURFACE_2D, 1, 0, 0, 1},
    [SW_IMAGE_3D] = {SURFACE_3D, 1, 1, 0, 1},
    [SW_IMAGE_CUBE] = {SURFACE_CUBE, 1, 0, 1, 6},
    [SW_IMAGE_1D_ARRAY] = {SURFACE_1D_ARRAY, 0, 0, 1, 1},
    [SW_IMAGE_2D_ARRAY] = {SURFACE_2D_ARRAY, 1, 0, 1, 1},
};
enum { DIMENSIONS = sizeof dimensions / sizeof *dimensions };

static sw_status check_processor(const sw_processor *p, const sw_sink *sink) {
    if (!p) return diag_fail(sink, SW_USAGE, NULL, "no processor");
    if (!has(p,
             CAP_extended_image)) // gfx90a has rows of image instructions, but neither samplers nor filters
        return diag_fail(sink, SW_UNSUPPORTED, NULL, "%s has no images", sw_processor_name(p));
    return SW_OK;
}

static sw_status check_sizes(const sw_image *i, const sw_sink *sink) {
    enum { LARGEST = 16384, DEEPEST = 2048 };
    if ((unsigned)i->dimension >= DIMENSIONS) return diag_fail(sink, SW_USAGE, NULL, "no such dimension");
    const unsigned d = (unsigned)i->dimension;
    if (!i->width || (dimensions[d].height ? !i->height : i->height > 1) ||
        (dimensions[d].depth ? !i->depth : i->depth > 1) || (!dimensions[d].layers && i->layers > 1))
        return diag_fail(sink, SW_USAGE, NULL, "the image's sizes do not fit its dimension");
    const uint32_t most = dimensions[d].depth ? DEEPEST : LARGEST;
    if (i->width > most || i->height > most || i->depth > DEEPEST || i->layers > DEEPEST)
        return diag_fail(sink, SW_UNSUPPORTED, NULL,
                         "an image has at most %d texels in each direction, %d in 3D, and %d layers", LARGEST,
                         DEEPEST, DEEPEST);
    if (d == SW_IMAGE_CUBE && (i->width != i->height || i->layers % 6))
        return diag_fail(sink, SW_USAGE, NULL, "a cube is square and has six layers");
    const uint32_t longest = i->width > i->height ? i->width : i->height;
    const uint32_t side = longest > i->depth ? longest : i->depth;
    if (i->levels > 32u - (unsigned)__builtin_clz(side))
        return diag_fail(sink, SW_USAGE, NULL, "the image is too small for so many levels");
    return SW_OK;
}

// Rows of linear images are whole units of so many bytes.
static uint32_t pitch_of(enum resource_kind kind, const struct texel_surface *s) {
    const struct texel_layout *l = &texel_layouts[s->layout];
    const uint32_t elements = (s->width + l->width - 1) / l->width;
    uint32_t pitch = elements;
    if (kind > RESOURCE_GFX9) return 0;
    while (pitch * l->bytes % 256) pitch++;
    return pitch;
}

// The surface as hardware sees it: what the words say, with a base of 0.
static sw_status surface_of(const sw_image *given, struct texel_surface *out, uint32_t words[8],
                            const sw_sink *sink) {
    sw_image i;
    sw_status status = sized_take(SIZED(sw_image, levels), &i, given, sink);
    if (status == SW_OK) status = check_processor(i.processor, sink);
    if (status == SW_OK) status = check_sizes(&i, sink);
    if (status) return status;
    const char *name = i.format ? i.format : "rgba8";
    struct texel_format format;
    bool reversed;
    if (!format_named(name, &format, &reversed))
        return diag_fail(
            sink, SW_USAGE, NULL,
            "there is no image format '%s'; short names are r8 rgba8 bgra8 rgba8_srgb r16f rgba16f "
            "r32f rgba32f r32u rgba32u r32i, long ones as in 8_8_8_8_unorm or bc1_srgb",
            name);
    const enum resource_kind kind = (enum resource_kind)fact(i.processor, FACT_resource);
    const unsigned layers = i.layers ? i.layers : dimensions[i.dimension].least_layers;
    struct texel_surface s = {.kind = (uint8_t)kind,
                              .dimension = dimensions[i.dimension].dimension,
                              .bound = true,
                              .levels = (uint8_t)(i.levels ? i.levels : 1),
                              .samples = 1,
                              .width = i.width,
                              .height = i.height ? i.height : 1,
                              .depth = i.depth ? i.depth : 1,
                              .last_slice = layers - 1,
                              .tiling = kind <= RESOURCE_GFX8 ? 8 : 0};
    s.last_level = (uint8_t)(s.levels - 1);
    unsigned data, number;
    if (!texel_image_number(kind, format, &data, &number))
        return diag_fail(sink, SW_UNSUPPORTED, NULL, "%s has no images of format %s",
                         sw_processor_name(i.processor), name);
    texel_surface_format(&s, format);
    const unsigned components = texel_layouts[format.layout].components;
    for (unsigned c = 0; c < 4; c++)
        s.select[c] = (uint8_t)(c < components ? TEXEL_SELECT_X + c
                                : c == 3       ? TEXEL_SELECT_1
                                               : TEXEL_SELECT_0);
    if (reversed) s.select[0] = TEXEL_SELECT_Z, s.select[2] = TEXEL_SELECT_X;
    s.pitch = pitch_of(kind, &s);
    const char *why = texel_encode_resource(kind, &s, words);
    if (!why) why = texel_decode_resource(kind, words, false, out);
    if (why)
        return diag_fail(sink, SW_UNSUPPORTED, NULL, "no such image on %s: %s",
                         sw_processor_name(i.processor), why);
    return SW_OK;
}

// ---- Memory ----

// Walks over the rows of elements, as plain rows follow each other. Returns the bytes of all; `to_image` or
// `to_plain` is NULL, or both are, to measure.
static uint64_t copy_rows(const struct texel_surface *s, uint8_t *memory, const uint8_t *to_image,
                          uint8_t *to_plain) {
    const struct texel_layout *l = &texel_layouts[s->layout];
    uint64_t at = 0;
    for (unsigned level = 0; level < s->levels; level++) {
        uint32_t size[3];
        texel_level_size(s, level, size);
        const uint64_t row = (uint64_t)((size[0] + l->width - 1) / l->width) * l->bytes;
        for (uint32_t z = 0; z < size[2]; z++)
            for (uint32_t y = 0; y < size[1]; y += l->height, at += row) {
                uint64_t place;
                unsigned bytes;
                if ((!to_image && !to_plain) || !texel_address(s, level, 0, y, z, 0, &place, &bytes))
                    continue;
                if (to_image) memcpy(memory + place, to_image + at, row);
                if (to_plain) memcpy(to_plain + at, memory + place, row);
            }
    }
    return at;
}

sw_status sw_image_measure(const sw_image *image, sw_image_memory *out, const sw_sink *sink) {
    struct texel_surface s;
    uint32_t words[8];
    const struct sized kind = SIZED(sw_image_memory, component_bits);
    sw_status status = sized_check(kind, out, sink);
    if (status == SW_OK) status = surface_of(image, &s, words, sink);
    if (status) return status;
    const struct texel_layout *l = &texel_layouts[s.layout];
    sw_image_memory m = {.element_bytes = l->bytes,
                         .block_width = l->width,
                         .block_height = l->height,
                         .components = l->components,
                         .component_bits = l->bits[0]};
    for (unsigned c = 1; c < l->components; c++)
        if (l->bits[c] != l->bits[0]) m.component_bits = 0;
    texel_surface_bytes(&s, &m.bytes, &m.alignment);
    m.plain_bytes = copy_rows(&s, NULL, NULL, NULL);
    sized_fill(kind, out, &m);
    return SW_OK;
}

sw_status sw_image_resource(const sw_image *image, uint64_t address, uint32_t words[8], const sw_sink *sink) {
    struct texel_surface s;
    const sw_status status = surface_of(image, &s, words, sink);
    if (status) return status;
    s.base = address;
    const char *why = texel_encode_resource((enum resource_kind)s.kind, &s, words);
    return why ? diag_fail(sink, SW_USAGE, NULL, "the image cannot lie at 0x%llx: %s",
                           (unsigned long long)address, why)
               : SW_OK;
}

sw_status sw_image_put(const sw_image *image, void *memory, const void *plain, const sw_sink *sink) {
    struct texel_surface s;
    uint32_t words[8];
    const sw_status status = surface_of(image, &s, words, sink);
    if (status == SW_OK) copy_rows(&s, memory, plain, NULL);
    return status;
}

sw_status sw_image_get(const sw_image *image, const void *memory, void *plain, const sw_sink *sink) {
    struct texel_surface s;
    uint32_t words[8];
    const sw_status status = surface_of(image, &s, words, sink);
    if (status == SW_OK) copy_rows(&s, (uint8_t *)(uintptr_t)memory, NULL, plain);
    return status;
}

// ---- Samplers ----

sw_status sw_sampler_resource(const sw_sampler *given, uint32_t words[4], const sw_sink *sink) {
    static const uint8_t clamps[] = {[SW_ADDRESS_CLAMP] = CLAMP_LAST_TEXEL,
                                     [SW_ADDRESS_WRAP] = CLAMP_WRAP,
                                     [SW_ADDRESS_MIRROR] = CLAMP_MIRROR,
                                     [SW_ADDRESS_MIRROR_ONCE] = CLAMP_MIRROR_ONCE_LAST,
                                     [SW_ADDRESS_BORDER] = CLAMP_BORDER};
    static const uint8_t borders[] = {BORDER_TRANSPARENT, BORDER_BLACK, BORDER_WHITE};
    sw_sampler g;
    sw_status status = sized_take(SIZED(sw_sampler, most_level), &g, given, sink);
    if (status == SW_OK) status = check_processor(g.processor, sink);
    if (status) return status;
    const unsigned aniso = g.anisotropy ? g.anisotropy : 1;
    if ((unsigned)g.filter > SW_FILTER_LINEAR || (unsigned)g.levels > SW_FILTER_LINEAR ||
        (unsigned)g.border > SW_BORDER_WHITE || aniso > 16 || aniso & (aniso - 1) || !(g.least_level >= 0) ||
        !(g.most_level >= g.least_level))
        return diag_fail(sink, SW_USAGE, NULL, "no such sampler");
    struct texel_sampler s = {.max_aniso = (uint8_t)aniso,
                              .unnormalised = g.texels,
                              .compare = COMPARE_NEVER,
                              .border_type = borders[g.border],
                              .min_lod = g.least_level,
                              .max_lod = g.most_level > 0 ? g.most_level : 4095.0f / 256};
    for (int i = 0; i < 3; i++) {
        if ((unsigned)g.address[i] > SW_ADDRESS_BORDER)
            return diag_fail(sink, SW_USAGE, NULL, "no such sampler");
        if (g.texels && g.address[i] != SW_ADDRESS_CLAMP && g.address[i] != SW_ADDRESS_BORDER)
            return diag_fail(sink, SW_UNSUPPORTED, NULL, "coordinates in texels neither wrap nor mirror");
        s.clamp[i] = clamps[g.address[i]];
    }
    const bool linear = g.filter == SW_FILTER_LINEAR;
    s.mag = s.min = aniso > 1 ? (linear ? FILTER_ANISO_BILINEAR : FILTER_ANISO_POINT)
                    : linear  ? FILTER_BILINEAR
                              : FILTER_POINT;
    s.z_filter = linear ? Z_FILTER_LINEAR : Z_FILTER_POINT;
    s.mip_filter = g.levels == SW_FILTER_LINEAR ? MIP_LINEAR : MIP_POINT;
    texel_encode_sampler((enum resource_kind)fact(g.processor, FACT_resource), &s, words);
    return SW_OK;
}
