// SPDX-License-Identifier: MIT
// Sampling: from coordinates to filtered texels. Pure functions over three things: a view (the sizes of an
// image, and a function that gives the colour of one texel), a filter (what a sampler says) and a request
// (what an instruction gives). They know no memory and no bits of
// descriptors.
//
// What is exact: which texels count, address modes, weights of eight bits, the order of biases and limits.
// What is the bound that graphics interfaces set, as the hardware's own arithmetic is not published: the
// logarithm of a level of detail (rounded to 1/256 here), the sums of weighted texels (without rounding but
// for the last), the footprint of anisotropic filters (so many taps along the longer axis, alike in weight).
//
// Callers round to nearest and keep denormals while these functions run.
#ifndef TEXEL_SAMPLE_H
#define TEXEL_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "texel/surface.h"

// ---- The image ----

// The colour of a texel before components are selected: floats, or integers where the view says so. `layer`
// is a slice of an array, or a face of a cube plus six times its slice; z is 0 but in images of three
// dimensions. All lie in the image. False: the texel cannot be had, and sampling ends.
typedef bool sample_texel(void *context, unsigned level, const uint32_t at[3], unsigned layer,
                          uint32_t out[4]);

struct sample_view {
    sample_texel *texel;
    void *context;
    uint32_t size[3]; // of level 0; 1 in the dimensions that there are not
    uint8_t dimensions;
    bool is_cube, is_array;
    bool is_integer;     // such texels are not filtered
    bool is_unit;        // texels are in 0 to 1: references of compares are clamped
    unsigned layers;     // slices of an array; of a cube, its cubes
    unsigned base, last; // levels
    float least;         // level of detail, counted from level 0
};

// ---- The sampler ----

struct sample_filter {
    uint8_t clamp[3];            // enum texel_clamp
    bool mag_linear, min_linear; // of x and y
    bool mag_linear_z, min_linear_z;
    bool mag_anisotropic, min_anisotropic;
    uint8_t mip;             // enum texel_mip_filter
    uint8_t compare;         // enum texel_compare: of a reference with a texel
    uint8_t reduction;       // enum texel_reduction
    uint8_t most_taps;       // of an anisotropic filter: 1 to 16
    bool unnormalized;       // coordinates count texels
    bool truncates;          // coordinates are cut to 1/256 of a texel, not rounded
    bool halves;             // weights have one bit
    bool apart;              // faces of a cube do not join
    bool no_border;          // the border's colour is not known: a texel of it ends sampling
    float bias, least, most; // of the level of detail
    uint32_t border[4];
};

// ---- The instruction ----

enum sample_level { LEVEL_DERIVED, LEVEL_GIVEN, LEVEL_ZERO };

struct sample_request {
    float at[3];   // coordinates; of a cube 1 to 2 on its face
    float slice;   // of an array; of a cube the face plus eight times the slice
    int offset[3]; // in texels
    uint8_t level; // enum sample_level
    bool has_reference, has_limit;
    float across[3], down[3]; // derivatives of the coordinates, for LEVEL_DERIVED
    float given, bias, limit; // level of detail; what is added to it; its lower bound
    float reference;
};

enum sample_status { SAMPLE_DONE, SAMPLE_NO_TEXEL, SAMPLE_NO_BORDER };

// The colour at the coordinates.
enum sample_status sample_colour(const struct sample_view *v, const struct sample_filter *f,
                                 const struct sample_request *r, uint32_t out[4]);
// Colours of the four texels that a linear filter would join, in the order of results: lower left, lower
// right, upper right, upper left (y counts downwards). `level_counts`: of the level of detail, else of the
// base level. `row`: four neighbours from left to right.
enum sample_status sample_gather(const struct sample_view *v, const struct sample_filter *f,
                                 const struct sample_request *r, bool level_counts, bool row,
                                 uint32_t out[4][4]);
// The level of detail, counted from the base level, within its bounds; *raw: before these.
float sample_level_of(const struct sample_view *v, const struct sample_filter *f,
                      const struct sample_request *r, float *raw);

// ---- One axis (filter.c) ----

// One or two neighbouring texels; of 256 parts `weight` are the second's.
struct sample_axis {
    int32_t index[2];
    bool border[2];
    uint16_t weight;
    uint8_t count;
};
enum { AXIS_LINEAR = 1, AXIS_FREE = 2, AXIS_UNNORMALIZED = 4 };
// `flags`: linear; indices stay as they are (cubes); the coordinate counts texels.
struct sample_axis sample_axis_of(const struct sample_filter *f, unsigned axis, float coordinate,
                                  uint32_t size, int offset, unsigned flags);
// The texel that an index means: false for the border.
bool sample_clamp_index(unsigned clamp, int64_t index, uint32_t size, int32_t *out);

#endif
