// SPDX-License-Identifier: MIT
// Image resources and samplers: structures to words.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "texel/address.h"
#include "texel/bits.h"

// False: the field is too small for the value.
static bool put(enum resource_kind kind, uint32_t *words, enum resource_field f, uint64_t value) {
    const struct descriptor_field at = resource_fields[f][kind];
    if (at.bits ? value >> at.bits : value) return false;
    descriptor_put(words, at, value);
    return true;
}

static bool put_slices(enum resource_kind kind, uint32_t *w, const struct texel_surface *s) {
    const bool volume = s->dimension == SURFACE_3D && !s->layered;
    const uint32_t last = volume ? s->depth - 1 : s->last_slice;
    bool fits = put(kind, w, RESOURCE_BASE_ARRAY, volume ? 0 : s->first_slice);
    if (s->layered) fits &= put(kind, w, RESOURCE_UAV3D, 1);
    if (kind <= RESOURCE_GFX8) {
        fits &= put(kind, w, RESOURCE_DEPTH, volume ? last : 0);
        return fits && put(kind, w, RESOURCE_LAST_ARRAY, volume ? 0 : last);
    }
    return fits && put(kind, w, RESOURCE_DEPTH, last);
}

// What decode_pitch reads.
static bool put_pitch(enum resource_kind kind, uint32_t *w, const struct texel_surface *s) {
    const uint32_t block = texel_layouts[s->layout].width;
    if (kind <= RESOURCE_GFX8) return put(kind, w, RESOURCE_PITCH, (uint64_t)s->pitch * block - 1);
    if (kind == RESOURCE_GFX9) return put(kind, w, RESOURCE_PITCH, (uint64_t)s->pitch - 1);
    if (!s->pitch) return true;
    const unsigned low = resource_fields[RESOURCE_DEPTH][kind].bits;
    const uint32_t pitch = s->pitch - 1;
    if (kind == RESOURCE_GFX10) return false;
    return put(kind, w, RESOURCE_DEPTH, pitch & ((1u << low) - 1)) &&
           put(kind, w, RESOURCE_PITCH_MSB, pitch >> low);
}

static uint32_t fixed_point(float v) { return v > 0 ? (uint32_t)lrint((double)v * 256) : 0; }

const char *texel_encode_resource(enum resource_kind kind, const struct texel_surface *s, uint32_t words[8]) {
    uint32_t w[9] = {0};
    unsigned format, number;
    memset(words, 0, 32);
    if (!s->bound) return NULL;
    if (!texel_image_number(kind, (struct texel_format){s->layout, s->number}, &format, &number))
        return "a format that the processor does not have";
    const bool msaa = s->samples > 1;
    const uint32_t last = msaa ? (uint32_t)__builtin_ctz(s->samples) : s->last_level;
    bool fits = !(s->base & 255) && s->width && s->height && s->depth;
    fits &= put(kind, w, RESOURCE_BASE, s->base >> 8);
    fits &= put(kind, w, RESOURCE_FORMAT, format) && put(kind, w, RESOURCE_NUM_FORMAT, number);
    fits &= put(kind, w, RESOURCE_WIDTH, (uint64_t)s->width - 1);
    fits &= put(kind, w, RESOURCE_HEIGHT, (uint64_t)s->height - 1);
    for (unsigned c = 0; c < 4; c++) fits &= put(kind, w, RESOURCE_DST_SEL_X + c, s->select[c]);
    fits &= put(kind, w, RESOURCE_BASE_LEVEL, s->first_level) && put(kind, w, RESOURCE_LAST_LEVEL, last);
    if (kind >= RESOURCE_GFX9) fits &= put(kind, w, RESOURCE_MAX_MIP, msaa ? last : s->levels - 1u);
    fits &= put(kind, w, RESOURCE_TILING, s->tiling) && put(kind, w, RESOURCE_POW2_PAD, s->pow2_pad);
    fits &= put(kind, w, RESOURCE_BC_SWIZZLE, s->border_swizzle);
    fits &= put(kind, w, RESOURCE_TYPE, 8u + s->dimension);
    fits &= put(kind, w, RESOURCE_MIN_LOD, fixed_point(s->min_lod));
    fits &= put(kind, w, RESOURCE_MIN_LOD_WARN, fixed_point(s->min_lod_warn));
    if (resource_fields[RESOURCE_RESOURCE_LEVEL][kind].bits) put(kind, w, RESOURCE_RESOURCE_LEVEL, 1);
    fits &= put_slices(kind, w, s) && put_pitch(kind, w, s);
    if (!fits) return "a size, level or address beyond the fields of the resource";
    memcpy(words, w, 32);
    return NULL;
}

// A signed or unsigned number with a fraction, cut to the field.
static uint32_t field_of(float v, double scale, double least, double most) {
    const double d = (double)v * scale;
    return (uint32_t)(int32_t)lrint(d == d ? d < least ? least : d > most ? most : d : 0);
}

void texel_encode_sampler(enum resource_kind kind, const struct texel_sampler *s, uint32_t words[4]) {
    uint32_t w[5] = {0};
    const double most_lod = kind >= RESOURCE_GFX12 ? 8191 : 4095;
#define PUT(name, value) descriptor_put(w, sampler_fields[SAMPLER_##name][kind], value)
    PUT(CLAMP_X, s->clamp[0]), PUT(CLAMP_Y, s->clamp[1]), PUT(CLAMP_Z, s->clamp[2]);
    PUT(MAX_ANISO_RATIO, s->max_aniso ? 31u - (unsigned)__builtin_clz(s->max_aniso) : 0);
    PUT(DEPTH_COMPARE_FUNC, s->compare);
    PUT(FORCE_UNNORMALIZED, s->unnormalised), PUT(ANISO_THRESHOLD, s->aniso_threshold);
    PUT(MC_COORD_TRUNC, s->coarse_weights), PUT(FORCE_DEGAMMA, s->force_degamma);
    PUT(ANISO_BIAS, field_of(s->aniso_bias, 32, 0, 63));
    PUT(TRUNC_COORD, s->trunc_coord), PUT(DISABLE_CUBE_WRAP, s->no_cube_wrap);
    PUT(FILTER_MODE, s->reduction), PUT(SKIP_DEGAMMA, s->skip_degamma);
    PUT(MIN_LOD, field_of(s->min_lod, 256, 0, most_lod));
    PUT(MAX_LOD, field_of(s->max_lod, 256, 0, most_lod));
    PUT(PERF_MIP, s->perf_mip), PUT(PERF_Z, s->perf_z);
    PUT(LOD_BIAS, field_of(s->bias, 256, -8192, 8191));
    PUT(LOD_BIAS_SEC, field_of(s->bias_second, 16, -32, 31));
    PUT(XY_MAG_FILTER, s->mag), PUT(XY_MIN_FILTER, s->min);
    PUT(Z_FILTER, s->z_filter), PUT(MIP_FILTER, s->mip_filter);
    PUT(MIP_POINT_PRECLAMP, s->point_preclamp), PUT(ANISO_OVERRIDE, s->aniso_override);
    PUT(BORDER_COLOR_PTR, s->border_pointer), PUT(BORDER_COLOR_TYPE, s->border_type);
#undef PUT
    memcpy(words, w, 16);
}
