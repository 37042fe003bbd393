// SPDX-License-Identifier: MIT
// Level of detail, mip levels, anisotropy, cubes, compares, gathers. The order of steps is the one that
// graphics interfaces give (Vulkan, "Texel Input Operations" and "Image Sample Operations").
#include "texel/sample.h"

#include <math.h>
#include <string.h>

static float float_of(uint32_t v) {
    float f;
    memcpy(&f, &v, 4);
    return f;
}
static uint32_t bits_of(float f) {
    uint32_t v;
    memcpy(&v, &f, 4);
    return v;
}
static uint32_t at_level(uint32_t size, unsigned level) {
    const uint32_t n = level < 32 ? size >> level : 0;
    return n ? n : 1;
}
static double within(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

// ---- Level of detail ----

struct footprint {
    double raw, level; // relative to the base level, before bounds and within
    unsigned taps;     // of an anisotropic filter
    double along[3];   // its longer axis, in coordinates
};

static double rounded_level(double x) { return floor(x * 256 + 0.5) / 256; }

// Lengths of the derivatives in texels of the base level.
static double length_of(const struct sample_view *v, const struct sample_filter *f, const float d[3]) {
    double sum = 0;
    const unsigned n = v->dimensions;
    for (unsigned i = 0; i < n; i++) {
        const double t = (double)d[i] * (f->unnormalized ? 1 : at_level(v->size[i], v->base));
        sum += t * t;
    }
    return sqrt(sum);
}

static double log2_of(double x) {
    if (!(x > 0)) return -1e6; // no change from lane to lane, or no number
    return x > 1e30 ? 100 : log2(x);
}

static struct footprint footprint_of(const struct sample_view *v, const struct sample_filter *f,
                                     const struct sample_request *r) {
    struct footprint p = {.taps = 1};
    double level = 0;
    if (r->level == LEVEL_GIVEN)
        level = r->given == r->given ? (double)r->given : 0;
    else if (r->level == LEVEL_DERIVED && !f->unnormalized) {
        const double a = length_of(v, f, r->across), d = length_of(v, f, r->down);
        double longer = a > d ? a : d;
        const double shorter = a > d ? d : a;
        if ((f->mag_anisotropic || f->min_anisotropic) && f->most_taps > 1 && longer > 0 && longer <= 1e30) {
            const double ratio = shorter > 0 ? ceil(longer / shorter) : f->most_taps;
            p.taps = ratio < f->most_taps ? (unsigned)ratio : f->most_taps;
            for (unsigned i = 0; i < 3; i++) p.along[i] = (double)(a > d ? r->across : r->down)[i];
            longer /= p.taps;
        }
        level = log2_of(longer);
    }
    if (r->level != LEVEL_ZERO) level += (double)f->bias + (r->bias == r->bias ? (double)r->bias : 0);
    p.raw = rounded_level(within(level, -1000, 1000));
    level = within(p.raw, (double)f->least, (double)f->most);
    if (r->has_limit && (double)r->limit > level) level = (double)r->limit;
    const double first = (double)v->least - v->base, last = (double)v->last - v->base;
    if (level < first) level = first;
    // The side of magnification has no end: only the choice of the filter asks how far it goes.
    p.level = level > last ? last : level;
    return p;
}

float sample_level_of(const struct sample_view *v, const struct sample_filter *f,
                      const struct sample_request *r, float *raw) {
    const struct footprint p = footprint_of(v, f, r);
    *raw = (float)p.raw;
    return (float)(p.level < 0 ? 0 : p.level);
}

// ---- Sums of texels ----

struct sum {
    const struct sample_view *v;
    const struct sample_filter *f;
    const struct sample_request *r;
    double value[4];
    uint32_t plain[4]; // of the first texel: what integers give
    bool any;
    enum sample_status status;
};

static uint32_t passes(unsigned compare, double reference, double texel) {
    if (compare == COMPARE_NOT_EQUAL) return reference != texel ? 0x3f800000 : 0; // of no number, too
    return (compare & 1 && reference < texel) || (compare & 2 && reference == texel) ||
                   (compare & 4 && reference > texel) || (compare & 7) == 7
               ? 0x3f800000
               : 0;
}

// One texel's colour, compared if the request asks for it; denormals are zeros for samplers.
static bool colour_of(struct sum *s, unsigned level, const uint32_t at[3], unsigned layer, bool border,
                      uint32_t out[4]) {
    if (border && s->f->no_border) {
        s->status = SAMPLE_NO_BORDER;
        return false;
    }
    if (border)
        memcpy(out, s->f->border, 4 * sizeof *out);
    else if (!s->v->texel(s->v->context, level, at, layer, out)) {
        s->status = SAMPLE_NO_TEXEL;
        return false;
    }
    if (s->v->is_integer) return true;
    for (unsigned c = 0; c < 4; c++)
        if (!(out[c] & 0x7f800000)) out[c] &= 0x80000000u;
    if (s->r->has_reference) {
        double reference = (double)s->r->reference;
        if (s->v->is_unit) reference = reference == reference ? within(reference, 0, 1) : 0;
        out[0] = passes(s->f->compare, reference, (double)float_of(out[0]));
    }
    return true;
}

static void add_colour(struct sum *s, const uint32_t colour[4], double weight) {
    if (!s->any) memcpy(s->plain, colour, sizeof s->plain);
    for (unsigned c = 0; c < 4 && !s->v->is_integer; c++) {
        const double x = (double)float_of(colour[c]);
        if (s->f->reduction == REDUCE_BLEND)
            s->value[c] += weight * x;
        else if (!s->any || (s->f->reduction == REDUCE_MIN ? x < s->value[c] : x > s->value[c]))
            s->value[c] = x;
    }
    s->any = true;
}

// ---- Cubes ----

// A point on a face, from -1 to 1, or beyond it, as a direction, and back.
static void face_to_direction(unsigned face, double x, double y, double d[3]) {
    switch (face) {
    case 0: d[0] = 1, d[1] = -y, d[2] = -x; break;
    case 1: d[0] = -1, d[1] = -y, d[2] = x; break;
    case 2: d[0] = x, d[1] = 1, d[2] = y; break;
    case 3: d[0] = x, d[1] = -1, d[2] = -y; break;
    case 4: d[0] = x, d[1] = -y, d[2] = 1; break;
    default: d[0] = -x, d[1] = -y, d[2] = -1;
    }
}
static unsigned direction_to_face(const double d[3], double *x, double *y) {
    const double a[3] = {fabs(d[0]), fabs(d[1]), fabs(d[2])};
    const unsigned axis = a[2] >= a[0] && a[2] >= a[1] ? 2 : a[1] >= a[0] ? 1 : 0;
    const unsigned face = 2 * axis + (d[axis] < 0);
    const double sx[6] = {-d[2], d[2], d[0], d[0], d[0], -d[0]},
                 sy[6] = {-d[1], -d[1], d[2], -d[2], -d[1], -d[1]};
    *x = sx[face] / a[axis];
    *y = sy[face] / a[axis];
    return face;
}

// A texel one step beyond one edge of a face lies on the neighbouring face.
static void cross_edge(uint32_t size, unsigned *face, int32_t at[2]) {
    double d[3], x, y;
    face_to_direction(*face, (2 * at[0] + 1.0) / size - 1, (2 * at[1] + 1.0) / size - 1, d);
    *face = direction_to_face(d, &x, &y);
    const double p[2] = {(x + 1) / 2 * size, (y + 1) / 2 * size};
    for (unsigned i = 0; i < 2; i++) at[i] = (int32_t)within(floor(p[i]), 0, size - 1.0);
}
static bool is_beyond(int32_t i, uint32_t size) { return i < 0 || i >= (int64_t)size; }

// The four texels of a cube's footprint, or one. Where three faces meet there is no fourth texel: the mean of
// the three stands for it.
static bool cube_colours(struct sum *s, unsigned level, unsigned face, unsigned first_layer,
                         const struct sample_axis axis[2], uint32_t out[2][2][4]) {
    const uint32_t size = at_level(s->v->size[0], level);
    int corner = -1;
    for (unsigned k = 0; k < (unsigned)axis[0].count * axis[1].count; k++) {
        const unsigned i = axis[0].count == 2 ? k & 1 : 0, j = axis[0].count == 2 ? k >> 1 : k;
        int32_t at[2] = {axis[0].index[i], axis[1].index[j]};
        unsigned on = face;
        const bool beyond_x = is_beyond(at[0], size), beyond_y = is_beyond(at[1], size);
        if (s->f->apart || axis[0].count == 1) {
            for (unsigned n = 0; n < 2; n++) at[n] = (int32_t)within(at[n], 0, size - 1.0);
        } else if (beyond_x && beyond_y) {
            corner = (int)(2 * j + i);
            continue;
        } else if (beyond_x || beyond_y)
            cross_edge(size, &on, at);
        const uint32_t texel[3] = {(uint32_t)at[0], (uint32_t)at[1], 0};
        if (!colour_of(s, level, texel, first_layer + on, false, out[j][i])) return false;
    }
    if (corner < 0) return true;
    const unsigned i = corner & 1, j = (unsigned)corner >> 1;
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t *a = out[j][!i], *b = out[!j][i], *d = out[!j][!i];
        out[j][i][c] =
            s->v->is_integer
                ? a[c]
                : bits_of((float)(((double)float_of(a[c]) + (double)float_of(b[c]) + (double)float_of(d[c])) /
                                  3));
    }
    return true;
}

// ---- One level ----

struct place { // of a request, in one level
    struct sample_axis axis[3];
    unsigned layer, face;
};

// Slices are rounded to the nearest, and the last one of the image stands for those behind it.
static unsigned slice_of(const struct sample_view *v, double slice) {
    if (!v->is_array || !(slice > 0)) return 0;
    const double most = v->layers ? v->layers - 1.0 : 0;
    return (unsigned)within(floor(slice + 0.5), 0, most);
}

static struct place place_of(const struct sample_view *v, const struct sample_filter *f,
                             const struct sample_request *r, const double at[3], unsigned level, bool linear,
                             bool linear_z) {
    struct place p = {0};
    unsigned flags = (linear ? AXIS_LINEAR : 0) | (v->is_cube ? AXIS_FREE : 0);
    if (f->unnormalized) flags |= AXIS_UNNORMALIZED;
    if (v->is_cube) {
        const double id = r->slice == r->slice ? within(floor((double)r->slice + 0.5), 0, 0x1p20) : 0;
        const unsigned cube = (unsigned)id >> 3, most = v->layers ? v->layers - 1 : 0;
        p.face = ((unsigned)id & 7) < 5 ? (unsigned)id & 7 : 5;
        p.layer = 6 * (cube < most ? cube : most);
    } else
        p.layer = slice_of(v, (double)r->slice);
    for (unsigned i = 0; i < 3; i++) {
        p.axis[i] = (struct sample_axis){.count = 1};
        if (i >= v->dimensions) continue;
        if (i == 2) flags = (flags & ~(unsigned)AXIS_LINEAR) | (linear_z ? AXIS_LINEAR : 0);
        const double x = at[i] - (v->is_cube ? 1 : 0);
        p.axis[i] =
            sample_axis_of(f, i, (float)x, at_level(v->size[i], level), v->is_cube ? 0 : r->offset[i], flags);
    }
    return p;
}

static double weight_of(const struct sample_axis *a, unsigned i) {
    return (a->count == 1 ? 256 : i ? a->weight : 256 - a->weight) / 256.0;
}

static bool add_level(struct sum *s, const double at[3], unsigned level, bool linear, bool linear_z,
                      double weight) {
    if (s->v->is_integer) linear = linear_z = false;
    const struct place p = place_of(s->v, s->f, s->r, at, level, linear, linear_z);
    uint32_t colours[2][2][4];
    if (s->v->is_cube && !cube_colours(s, level, p.face, p.layer, p.axis, colours)) return false;
    for (unsigned k = 0; k < p.axis[2].count; k++)
        for (unsigned j = 0; j < p.axis[1].count; j++)
            for (unsigned i = 0; i < p.axis[0].count; i++) {
                const double part =
                    weight_of(&p.axis[0], i) * weight_of(&p.axis[1], j) * weight_of(&p.axis[2], k);
                if (part == 0) continue; // not even an infinity counts
                const bool border = p.axis[0].border[i] || p.axis[1].border[j] || p.axis[2].border[k];
                const uint32_t texel[3] = {(uint32_t)p.axis[0].index[i], (uint32_t)p.axis[1].index[j],
                                           (uint32_t)p.axis[2].index[k]};
                uint32_t colour[4];
                if (s->v->is_cube)
                    memcpy(colour, colours[j][i], sizeof colour);
                else if (!colour_of(s, level, texel, p.layer, border, colour))
                    return false;
                add_colour(s, colour, part * weight);
            }
    return true;
}

// ---- Samples ----

// The level that is nearest, or the two around and the share of the second.
static unsigned first_level(const struct sample_view *v, const struct sample_filter *f, double level,
                            double *second) {
    *second = 0;
    if (f->mip == MIP_NONE || level <= 0) return v->base;
    if (f->mip != MIP_LINEAR) level = floor(level + 0.5);
    const double whole = floor(level);
    *second = floor((level - whole) * 256) / 256;
    const unsigned at = v->base + (unsigned)whole;
    return at < v->last ? at : v->last;
}

enum sample_status sample_colour(const struct sample_view *v, const struct sample_filter *f,
                                 const struct sample_request *r, uint32_t out[4]) {
    struct sum s = {.v = v, .f = f, .r = r};
    const struct footprint p = footprint_of(v, f, r);
    const bool mag = p.level <= 0;
    const bool linear = mag ? f->mag_linear : f->min_linear,
               linear_z = mag ? f->mag_linear_z : f->min_linear_z;
    const unsigned taps = (mag ? f->mag_anisotropic : f->min_anisotropic) ? p.taps : 1;
    double second;
    const unsigned level = first_level(v, f, p.level, &second);
    for (unsigned n = 0; n < taps; n++) {
        double at[3];
        for (unsigned i = 0; i < 3; i++)
            at[i] = (double)r->at[i] + p.along[i] * ((n + 0.5) / taps - 0.5) * (taps > 1);
        if (!add_level(&s, at, level, linear, linear_z, (1 - second) / taps)) return s.status;
        if (second > 0 && level < v->last && !add_level(&s, at, level + 1, linear, linear_z, second / taps))
            return s.status;
    }
    for (unsigned c = 0; c < 4; c++) out[c] = v->is_integer ? s.plain[c] : bits_of((float)s.value[c]);
    return SAMPLE_DONE;
}

enum sample_status sample_gather(const struct sample_view *v, const struct sample_filter *f,
                                 const struct sample_request *r, bool level_counts, bool row,
                                 uint32_t out[4][4]) {
    static const uint8_t places[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}}; // x and y of each result
    struct sum s = {.v = v, .f = f, .r = r};
    struct sample_filter near = *f;
    near.mip = MIP_POINT;
    double second = 0, at[3] = {(double)r->at[0], (double)r->at[1], (double)r->at[2]};
    const unsigned level =
        level_counts ? first_level(v, &near, footprint_of(v, f, r).level, &second) : v->base;
    struct place p = place_of(v, f, r, at, level, true, false);
    if (v->is_cube) {
        uint32_t colours[2][2][4];
        if (!cube_colours(&s, level, p.face, p.layer, p.axis, colours)) return s.status;
        for (unsigned n = 0; n < 4; n++) memcpy(out[n], colours[places[n][1]][places[n][0]], sizeof out[n]);
        return SAMPLE_DONE;
    }
    for (unsigned n = 0; n < 4; n++) {
        struct sample_request moved = *r;
        unsigned i = places[n][0], j = p.axis[1].count == 2 ? places[n][1] : 0;
        if (row) {
            moved.offset[0] = r->offset[0] + (int)n;
            i = 0, j = 0;
            p = place_of(v, f, &moved, at, level, true, false);
            p.axis[1] = place_of(v, f, r, at, level, false, false).axis[1];
        }
        const bool border = p.axis[0].border[i] || p.axis[1].border[j];
        const uint32_t texel[3] = {(uint32_t)p.axis[0].index[i], (uint32_t)p.axis[1].index[j],
                                   (uint32_t)p.axis[2].index[0]};
        if (!colour_of(&s, level, texel, p.layer, border || p.axis[2].border[0], out[n])) return s.status;
    }
    return SAMPLE_DONE;
}
