// SPDX-License-Identifier: MIT
// Image resources and samplers: words to structures.
#include <stddef.h>
#include <string.h>

#include "texel/address.h"
#include "texel/bits.h"

// TYPE of a resource: buffers have 0 to 7.
enum { TYPE_1D = 8, TYPE_2D, TYPE_3D, TYPE_CUBE, TYPE_1D_ARRAY, TYPE_2D_ARRAY, TYPE_MSAA, TYPE_MSAA_ARRAY };

static uint32_t get(enum resource_kind kind, const uint32_t *words, enum resource_field f) {
    return (uint32_t)descriptor_get(words, resource_fields[f][kind]);
}

static bool is_array(const struct texel_surface *s) {
    return s->dimension == SURFACE_1D_ARRAY || s->dimension == SURFACE_2D_ARRAY ||
           s->dimension == SURFACE_CUBE || s->dimension == SURFACE_2D_MSAA_ARRAY;
}
static bool is_msaa(const struct texel_surface *s) {
    return s->dimension == SURFACE_2D_MSAA || s->dimension == SURFACE_2D_MSAA_ARRAY;
}

static void decode_slices(enum resource_kind kind, const uint32_t *w, struct texel_surface *s) {
    const uint32_t depth = get(kind, w, RESOURCE_DEPTH), base = get(kind, w, RESOURCE_BASE_ARRAY);
    s->layered = s->dimension == SURFACE_3D && get(kind, w, RESOURCE_UAV3D);
    if (s->dimension == SURFACE_3D && !s->layered) {
        s->depth = depth + 1;
        return;
    }
    s->first_slice = s->last_slice = base;
    if (!is_array(s) && !s->layered) return;
    s->last_slice = kind <= RESOURCE_GFX8 ? get(kind, w, RESOURCE_LAST_ARRAY) : depth;
}

// The pitch stands where other dimensions have their depth from GFX10.3 on; it counts if it is longer than
// the width.
static void decode_pitch(enum resource_kind kind, const uint32_t *w, struct texel_surface *s) {
    const struct texel_layout *l = &texel_layouts[s->layout];
    if (kind <= RESOURCE_GFX9) {
        s->pitch = get(kind, w, RESOURCE_PITCH) + 1;
        if (kind <= RESOURCE_GFX8) s->pitch = (s->pitch + l->width - 1) / l->width;
        return;
    }
    const bool plain =
        s->dimension == SURFACE_1D || s->dimension == SURFACE_2D || s->dimension == SURFACE_2D_MSAA;
    if (!plain || s->levels > 1 || s->tiling || kind == RESOURCE_GFX10) return;
    const uint32_t pitch = (get(kind, w, RESOURCE_PITCH_MSB) << resource_fields[RESOURCE_DEPTH][kind].bits |
                            get(kind, w, RESOURCE_DEPTH)) +
                           1;
    if (pitch > (s->width + l->width - 1) / l->width) s->pitch = pitch;
}

static void decode_levels(enum resource_kind kind, const uint32_t *w, struct texel_surface *s) {
    const uint32_t last = get(kind, w, RESOURCE_LAST_LEVEL), most = get(kind, w, RESOURCE_MAX_MIP);
    s->samples = s->levels = 1;
    if (is_msaa(s)) {
        s->samples = (uint8_t)(last > 4 ? 0 : 1 << last);
        return;
    }
    s->first_level = (uint8_t)get(kind, w, RESOURCE_BASE_LEVEL);
    s->last_level = (uint8_t)last;
    s->levels = (uint8_t)((most > last ? most : last) + 1);
}

static const char *problem(enum resource_kind kind, const uint32_t *w, struct texel_surface *s) {
    if (!s->samples) return "more than 16 samples";
    if (s->levels > SURFACE_LEVELS) return "more than 17 levels";
    if (get(kind, w, RESOURCE_INTERLACED)) return "an interlaced image";
    if (kind < RESOURCE_GFX12 && get(kind, w, RESOURCE_COMPRESSION_EN)) return "a compressed image (DCC)";
    return texel_tiling_problem(s);
}

const char *texel_decode_resource(enum resource_kind kind, const uint32_t words[8], bool r128,
                                  struct texel_surface *out) {
    uint32_t w[9] = {0}, any = 0;
    memcpy(w, words, r128 ? 16 : 32);
    for (unsigned i = 0; i < 8; i++) any |= w[i];
    memset(out, 0, sizeof *out);
    out->kind = (uint8_t)kind;
    out->depth = out->samples = out->levels = 1;
    const uint32_t type = get(kind, w, RESOURCE_TYPE), format = get(kind, w, RESOURCE_FORMAT);
    if (!any) return NULL;
    if (type < TYPE_1D) return out->buffer = true, NULL;
    out->dimension = (uint8_t)(type - TYPE_1D);
    for (unsigned c = 0; c < 4; c++) out->select[c] = (uint8_t)get(kind, w, RESOURCE_DST_SEL_X + c);
    if (!format) return NULL;
    struct texel_format f;
    const char *why = texel_image_format(kind, format, get(kind, w, RESOURCE_NUM_FORMAT), &f);
    if (why) return why;
    out->bound = true;
    texel_surface_format(out, f);
    out->base = descriptor_get(w, resource_fields[RESOURCE_BASE][kind]) << 8;
    out->width = get(kind, w, RESOURCE_WIDTH) + 1;
    out->height = get(kind, w, RESOURCE_HEIGHT) + 1;
    if (out->dimension == SURFACE_1D || out->dimension == SURFACE_1D_ARRAY) out->height = 1;
    out->tiling = (uint8_t)get(kind, w, RESOURCE_TILING);
    out->border_swizzle = (uint8_t)get(kind, w, RESOURCE_BC_SWIZZLE);
    out->pow2_pad = get(kind, w, RESOURCE_POW2_PAD);
    out->min_lod = (float)get(kind, w, RESOURCE_MIN_LOD) / 256;
    out->min_lod_warn = (float)get(kind, w, RESOURCE_MIN_LOD_WARN) / 256;
    decode_levels(kind, w, out);
    decode_slices(kind, w, out);
    if (!r128) decode_pitch(kind, w, out);
    if ((why = problem(kind, w, out))) out->bound = false;
    return why;
}

void texel_surface_format(struct texel_surface *s, struct texel_format f) {
    s->layout = f.layout;
    s->number = f.number;
    for (unsigned c = 0; c < 4; c++)
        s->numbers[c] = f.number == NUMBER_SRGB && c == 3 ? NUMBER_UNORM : f.number;
    if (f.layout == LAYOUT_X24_8_32) s->numbers[1] = NUMBER_UINT;
}

static uint32_t sampler(enum resource_kind kind, const uint32_t *words, enum sampler_field f) {
    return (uint32_t)descriptor_get(words, sampler_fields[f][kind]);
}
static float extended(uint32_t v, unsigned bits, float scale) {
    return (float)((int32_t)(v << (32 - bits)) >> (32 - bits)) / scale;
}

void texel_decode_sampler(enum resource_kind kind, const uint32_t words[4], struct texel_sampler *out) {
    uint32_t w[5] = {0};
    memcpy(w, words, 16);
    memset(out, 0, sizeof *out);
#define GET(name) sampler(kind, w, SAMPLER_##name)
    const uint32_t aniso = GET(MAX_ANISO_RATIO);
    out->clamp[0] = (uint8_t)GET(CLAMP_X), out->clamp[1] = (uint8_t)GET(CLAMP_Y);
    out->clamp[2] = (uint8_t)GET(CLAMP_Z);
    out->compare = (uint8_t)GET(DEPTH_COMPARE_FUNC);
    out->mag = (uint8_t)GET(XY_MAG_FILTER), out->min = (uint8_t)GET(XY_MIN_FILTER);
    out->z_filter = (uint8_t)GET(Z_FILTER), out->mip_filter = (uint8_t)GET(MIP_FILTER);
    out->reduction = (uint8_t)GET(FILTER_MODE);
    out->border_type = (uint8_t)GET(BORDER_COLOR_TYPE);
    out->border_pointer = (uint16_t)GET(BORDER_COLOR_PTR);
    out->max_aniso = (uint8_t)(1 << (aniso < 4 ? aniso : 4));
    out->aniso_threshold = (uint8_t)GET(ANISO_THRESHOLD);
    out->perf_mip = (uint8_t)GET(PERF_MIP), out->perf_z = (uint8_t)GET(PERF_Z);
    out->unnormalised = GET(FORCE_UNNORMALIZED);
    out->trunc_coord = GET(TRUNC_COORD), out->coarse_weights = GET(MC_COORD_TRUNC);
    out->force_degamma = GET(FORCE_DEGAMMA), out->skip_degamma = GET(SKIP_DEGAMMA);
    out->no_cube_wrap = GET(DISABLE_CUBE_WRAP), out->point_preclamp = GET(MIP_POINT_PRECLAMP);
    out->aniso_override = GET(ANISO_OVERRIDE);
    out->min_lod = (float)GET(MIN_LOD) / 256, out->max_lod = (float)GET(MAX_LOD) / 256;
    out->bias = extended(GET(LOD_BIAS), 14, 256);
    out->bias_second = extended(GET(LOD_BIAS_SEC), 6, 16);
    out->aniso_bias = (float)GET(ANISO_BIAS) / 32;
#undef GET
}
