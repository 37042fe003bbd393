// SPDX-License-Identifier: MIT
// Images: what an image resource (T#) and a sampler (S#) say, and where the texels of an image lie.
//
// Structures here are plain data. Levels and slices count from the first of the view: level 0 is
// `first_level` of the memory, slice 0 is `first_slice`. Coordinates are texels, also of compressed formats.
// Any words are allowed: each call gives a result or a reason, and no address outside the surface.
#ifndef TEXEL_SURFACE_H
#define TEXEL_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/resource_kind.h"
#include "texel/texel.h"

enum surface_dimension { // as the field DIM of instructions
    SURFACE_1D,
    SURFACE_2D,
    SURFACE_3D,
    SURFACE_CUBE, // slice: 6 * cube + face
    SURFACE_1D_ARRAY,
    SURFACE_2D_ARRAY,
    SURFACE_2D_MSAA,
    SURFACE_2D_MSAA_ARRAY,
};

// Values of `select`.
enum { TEXEL_SELECT_0, TEXEL_SELECT_1, TEXEL_SELECT_X = 4, TEXEL_SELECT_Y, TEXEL_SELECT_Z, TEXEL_SELECT_W };

enum { SURFACE_LEVELS = 17 }; // most levels that a surface has

struct texel_surface {
    uint64_t base;      // address, with the swizzle of pipes and banks in it
    uint8_t kind;       // enum resource_kind
    uint8_t dimension;  // enum surface_dimension
    uint8_t layout;     // enum texel_layout_id
    uint8_t number;     // enum texel_number, as the format says it
    uint8_t numbers[4]; // of each component: sRGB has a linear alpha
    uint8_t select[4];  // where each component of the registers comes from
    uint8_t tiling;     // SW_MODE, or TILING_INDEX up to GFX8; 0 is linear from GFX9 on
    uint8_t first_level, last_level;
    uint8_t levels;                   // of the memory
    uint8_t samples;                  // 1 without MSAA
    uint8_t border_swizzle;           // BC_SWIZZLE
    bool bound;                       // false: loads give 0, stores do nothing
    bool buffer;                      // a buffer's resource, with which image instructions do nothing at all
    bool layered;                     // 3D, and the slices of one level are counted as those of an array
    uint8_t equation;                 // of a tiled surface, for texel_address
    bool pow2_pad;                    // levels have the places of powers of two (GFX6 to GFX8)
    uint32_t width, height, depth;    // of the memory's level 0, in texels; depth 1 without 3D
    uint32_t first_slice, last_slice; // of the memory
    uint32_t pitch;                   // elements; 0: as the width asks for
    float min_lod;                    // of the memory's levels
    float min_lod_warn;
};

enum texel_clamp {
    CLAMP_WRAP,
    CLAMP_MIRROR,
    CLAMP_LAST_TEXEL,
    CLAMP_MIRROR_ONCE_LAST,
    CLAMP_HALF_BORDER,
    CLAMP_MIRROR_ONCE_HALF_BORDER,
    CLAMP_BORDER,
    CLAMP_MIRROR_ONCE_BORDER,
};
enum texel_filter { FILTER_POINT, FILTER_BILINEAR, FILTER_ANISO_POINT, FILTER_ANISO_BILINEAR };
enum texel_z_filter { Z_FILTER_AS_XY, Z_FILTER_POINT, Z_FILTER_LINEAR };
enum texel_mip_filter { MIP_NONE, MIP_POINT, MIP_LINEAR, MIP_POINT_ANISO };
enum texel_reduction { REDUCE_BLEND, REDUCE_MIN, REDUCE_MAX };
enum texel_border { BORDER_TRANSPARENT, BORDER_BLACK, BORDER_WHITE, BORDER_TABLE };
enum texel_compare { // depth compare functions
    COMPARE_NEVER,
    COMPARE_LESS,
    COMPARE_EQUAL,
    COMPARE_LESS_EQUAL,
    COMPARE_GREATER,
    COMPARE_NOT_EQUAL,
    COMPARE_GREATER_EQUAL,
    COMPARE_ALWAYS,
};

struct texel_sampler {
    uint8_t clamp[3];             // enum texel_clamp of x, y, z
    uint8_t compare;              // enum texel_compare
    uint8_t mag, min;             // enum texel_filter
    uint8_t z_filter, mip_filter; // enum texel_z_filter, enum texel_mip_filter
    uint8_t reduction;            // enum texel_reduction (FILTER_MODE)
    uint8_t border_type;          // enum texel_border
    uint8_t max_aniso;            // 1, 2, 4, 8 or 16
    uint8_t aniso_threshold;
    uint8_t perf_mip, perf_z;
    uint16_t border_pointer; // entry of the table of border colours, 16 bytes each
    bool unnormalised;       // coordinates are texels
    bool trunc_coord;        // point filters truncate
    bool coarse_weights;     // bilinear weights have one bit (MC_COORD_TRUNC)
    bool force_degamma;      // sRGB even if the format is UNORM
    bool skip_degamma;       // not sRGB even if the format is
    bool no_cube_wrap;       // taps do not leave the face of a cube
    bool point_preclamp;     // level rounding before the clamp of the level (MIP_POINT_PRECLAMP)
    bool aniso_override;     // no anisotropy if the view has one level
    float min_lod, max_lod, bias, bias_second;
    float aniso_bias;
};

// What the words say. `r128`: only the first four words count. Returns NULL, or what is not supported, in
// words for a message ("tiling mode 27"). All-zero words are an unbound resource and no error.
const char *texel_decode_resource(enum resource_kind kind, const uint32_t words[8], bool r128,
                                  struct texel_surface *out);
void texel_decode_sampler(enum resource_kind kind, const uint32_t words[4], struct texel_sampler *out);

// The other way. Returns NULL, or what the kind's words cannot say. Requires: `number` and `layout`; what
// follows from them and from other members is not read.
const char *texel_encode_resource(enum resource_kind kind, const struct texel_surface *s, uint32_t words[8]);
// Values are cut to what the fields hold.
void texel_encode_sampler(enum resource_kind kind, const struct texel_sampler *s, uint32_t words[4]);

// The format of an image by its number; `number` is NUM_FORMAT up to GFX9. Returns NULL, or which format it
// is that is not supported.
const char *texel_image_format(enum resource_kind kind, unsigned format, unsigned number,
                               struct texel_format *out);

// Gives a surface its format, and what follows from it.
void texel_surface_format(struct texel_surface *s, struct texel_format f);

// The number of an image's format. False: the kind does not have it.
bool texel_image_number(enum resource_kind kind, struct texel_format format, unsigned *data,
                        unsigned *number);

// True if image instructions can store the surface's format.
bool texel_can_store(const struct texel_surface *s);

// Size of a level in texels: width, height, and depth of 3D or slices of the view; {0, 0, 0} beyond the last
// level.
void texel_level_size(const struct texel_surface *s, unsigned level, uint32_t size[3]);

// Where the element lies that holds texel (x, y) of a level, at depth or slice z; its address and bytes.
// False: there is no such texel.
bool texel_address(const struct texel_surface *s, unsigned level, uint32_t x, uint32_t y, uint32_t z,
                   uint32_t sample, uint64_t *address, unsigned *bytes);

// Bytes of the memory from `base` on that a surface has, and how it is aligned. False: it is unbound.
bool texel_surface_bytes(const struct texel_surface *s, uint64_t *bytes, uint64_t *alignment);

// The texel at x, y out of the bytes of its element as red, green, blue, alpha: integers or F32, or 16-bit
// values if `half`. Components that the format lacks are 0, alpha 1. Requires: rounding to nearest.
void texel_surface_load(const struct texel_surface *s, const uint8_t *element, uint32_t x, uint32_t y,
                        bool half, uint32_t out[4]);
// The other way. False: the format cannot be stored.
bool texel_surface_store(const struct texel_surface *s, const uint32_t in[4], bool half, uint8_t *element);

// Components of the format to those of registers, as `select` says; and those of registers, in the order of
// the registers, to the format's for a store.
void texel_select(const struct texel_surface *s, const uint32_t in[4], bool half, uint32_t out[4]);
void texel_unselect(const struct texel_surface *s, const uint32_t in[4], uint32_t out[4]);

#endif
