// SPDX-License-Identifier: MIT
// Filtering. Weights are exact; hardware has eight bits of them.
#include "terascale/machine/sample.h"

#include <math.h>
#include <string.h>

#include "terascale/body/body.h"

enum { BORDER = -1 };
enum clamp { WRAP, MIRROR, LAST, MIRROR_LAST, HALF, MIRROR_HALF, TO_BORDER, MIRROR_BORDER };

// ---- Texels ----

static bool texel(const struct ts_sampling *x, unsigned lane, const struct ts_level *l, uint32_t i,
                  uint32_t j, uint32_t slice, uint32_t out[4]) {
    const struct ts_texture *t = x->texture;
    const struct ts_element e = ts_element_of(t->conversion.format);
    const uint64_t at = ts_element_address(t, l, i, j, slice);
    const uint8_t *p = at >> 32 ? NULL : ts_memory_at(x->m, (uint32_t)at, e.bytes, false);
    struct ts_conversion c = t->conversion;
    if (!p)
        return ts_fault(x->m, (int)lane, "texel %u, %u of slice %u is at 0x%llx, outside of every buffer", i,
                        j, slice, (unsigned long long)at);
    c.degamma |= x->sampler && x->sampler->degamma;
    ts_convert(&c, p, i % e.width, j % e.height, out);
    return true;
}

void ts_select(const struct ts_texture *t, const uint32_t in[4], uint32_t out[4]) {
    const uint32_t one = ts_one(&t->conversion);
    for (unsigned c = 0; c < 4; c++) out[c] = t->sel[c] < 4 ? in[t->sel[c]] : t->sel[c] == 5 ? one : 0;
}

static void border(const struct ts_sampling *x, uint32_t out[4]) {
    const struct ts_sampler *s = x->sampler;
    const bool integers = ts_gives_integers(&x->texture->conversion);
    for (unsigned c = 0; c < 4; c++)
        out[c] = s->border_is_register || !integers ? s->border[c] : s->border[c] != 0;
}

static bool passes(unsigned function, double reference, double v) {
    switch (function) {
    case 1: return reference < v;
    case 2: return reference == v;
    case 3: return reference <= v;
    case 4: return reference > v;
    case 5: return reference != v;
    case 6: return reference >= v;
    default: return function == 7;
    }
}

static void compare(const struct ts_sampling *x, double reference, uint32_t v[4]) {
    const bool pass = passes(x->sampler->compare, reference, (double)ts_float(v[0]));
    v[0] = pass ? 0x3f800000 : 0;
    v[1] = v[2] = 0;
    v[3] = 0x3f800000;
}

// ---- Coordinates to indexes ----

static int64_t modulo(int64_t i, int64_t n) { return (i % n + n) % n; }

static int32_t wrap(int64_t i, uint32_t size, unsigned clamp) {
    const int64_t n = size, mirrored = i < 0 ? -1 - i : i;
    int64_t r;
    switch (clamp) {
    case WRAP: return (int32_t)modulo(i, n);
    case MIRROR: r = modulo(i, 2 * n); return (int32_t)(r < n ? r : 2 * n - 1 - r);
    case LAST: return (int32_t)(i < 0 ? 0 : i >= n ? n - 1 : i);
    case MIRROR_LAST: return (int32_t)(mirrored >= n ? n - 1 : mirrored);
    case HALF:
    case TO_BORDER: return i < 0 || i >= n ? BORDER : (int32_t)i;
    default: return mirrored >= n ? BORDER : (int32_t)mirrored;
    }
}

// The one or two texels along an axis that a coordinate meets, and how much of the second one.
struct axis {
    int32_t i[2];
    double weight;
};

static double tame(double u) { return isnan(u) ? 0 : fmax(-1e9, fmin(1e9, u)); }

static struct axis meet(double u, uint32_t n, unsigned clamp, bool linear) {
    u = tame(u);
    if (clamp == HALF || clamp == MIRROR_HALF) u = fmin(clamp == HALF ? fmax(u, 0) : fabs(u), n);
    if (linear) {
        const double first = floor(u - 0.5);
        return (struct axis){{wrap((int64_t)first, n, clamp), wrap((int64_t)first + 1, n, clamp)},
                             u - 0.5 - first};
    }
    int64_t i = (int64_t)floor(u);
    if (clamp == HALF || clamp == MIRROR_HALF) i = i == n ? i - 1 : i;
    return (struct axis){{wrap(i, n, clamp), 0}, 0};
}

// ---- Faces of cubes ----

// The texel of a neighbouring face that lies at texel -1 or n of this one, along one axis.
static uint32_t across(uint32_t face, uint32_t n, int64_t *i, int64_t *j) {
    const double inside = 1 - 1.0 / n;
    double s = 2 * ((double)*i + 0.5) / n - 1, t = 2 * ((double)*j + 0.5) / n - 1, v[3];
    s = fmax(-1, fmin(1, s)), t = fmax(-1, fmin(1, t));
    switch (face) {
    case 0: v[0] = inside, v[1] = -t, v[2] = -s; break;
    case 1: v[0] = -inside, v[1] = -t, v[2] = s; break;
    case 2: v[0] = s, v[1] = inside, v[2] = t; break;
    case 3: v[0] = s, v[1] = -inside, v[2] = -t; break;
    case 4: v[0] = s, v[1] = -t, v[2] = inside; break;
    default: v[0] = -s, v[1] = -t, v[2] = -inside; break;
    }
    if (fabs(v[0]) == 1)
        face = v[0] > 0 ? 0 : 1, s = v[0] > 0 ? -v[2] : v[2], t = -v[1];
    else if (fabs(v[1]) == 1)
        face = v[1] > 0 ? 2 : 3, s = v[0], t = v[1] > 0 ? v[2] : -v[2];
    else
        face = v[2] > 0 ? 4 : 5, s = v[2] > 0 ? v[0] : -v[0], t = -v[1];
    *i = (int64_t)fmin(floor((s + 1) / 2 * n), n - 1.0);
    *j = (int64_t)fmin(floor((t + 1) / 2 * n), n - 1.0);
    return face;
}

// ---- One level ----

struct tap {
    uint32_t v[4];
    double weight;
    bool missing; // beyond the corner of a cube
};
struct taps {
    struct tap tap[16];
    unsigned count;
};

static bool take(const struct ts_sampling *x, unsigned lane, const struct ts_level *l, int32_t i, int32_t j,
                 int64_t slice, double weight, double reference, struct taps *out) {
    struct tap *t = &out->tap[out->count];
    if (weight == 0) return true;
    t->weight = weight;
    t->missing = false;
    if (i == BORDER || j == BORDER || slice == BORDER)
        border(x, t->v);
    else if (!texel(x, lane, l, (uint32_t)i, (uint32_t)j, (uint32_t)slice, t->v))
        return false;
    if (x->compares) compare(x, reference, t->v);
    out->count++;
    return true;
}

static bool take_cube(const struct ts_sampling *x, unsigned lane, const struct ts_level *l, const double u[3],
                      bool linear, double reference, struct taps *out) {
    const uint32_t n = l->width;
    const double z = tame(rint(u[2]));
    const uint32_t number = z < 0 ? 0 : (uint32_t)z, cube = number >> 3, known = number & 7;
    if (cube && x->texture->family < TS_EVERGREEN) return ts_refuse(x->m, "arrays of cubes are not executed");
    const double first[2] = {floor(tame(u[0]) - (linear ? 0.5 : 0)), floor(tame(u[1]) - (linear ? 0.5 : 0))};
    const double w[2] = {linear ? tame(u[0]) - 0.5 - first[0] : 0, linear ? tame(u[1]) - 0.5 - first[1] : 0};
    for (unsigned k = 0; k < 4; k++) {
        int64_t i = (int64_t)first[0] + (k & 1), j = (int64_t)first[1] + (k >> 1);
        const double weight = (k & 1 ? w[0] : 1 - w[0]) * (k >> 1 ? w[1] : 1 - w[1]);
        uint32_t face = known > 5 ? 5 : known;
        const bool off[2] = {i < 0 || i >= n, j < 0 || j >= n};
        if (weight == 0) continue;
        if (off[0] && off[1] && x->sampler->cube_wrap) {
            out->tap[out->count++] = (struct tap){.weight = weight, .missing = true};
            continue;
        }
        if ((off[0] || off[1]) && x->sampler->cube_wrap) face = across(face, n, &i, &j);
        i = wrap(i, n, LAST), j = wrap(j, n, LAST);
        const uint64_t slice = (uint64_t)x->texture->first_slice + 6ull * cube + face;
        if (slice > (cube ? x->texture->last_slice : slice))
            return ts_fault(x->m, (int)lane, "cube %u is not in the texture", cube);
        if (!take(x, lane, l, (int32_t)i, (int32_t)j, (int64_t)slice, weight, reference, out)) return false;
    }
    return true;
}

// The layer of an array, or BORDER's number for other textures' only slice.
static int64_t layer(const struct ts_texture *t, double z) {
    const int64_t most = (int64_t)t->last_slice - t->first_slice;
    int64_t k = (int64_t)rint(tame(z));
    if (t->dim != TS_1D_ARRAY && t->dim != TS_2D_ARRAY) return t->first_slice;
    k = k > most ? most : k;
    return (k < 0 ? 0 : k) + t->first_slice;
}

// Coordinates in texels of the level.
static bool scale(const struct ts_sampling *x, const struct ts_level *l, const double at[3], double u[3]) {
    const struct ts_texture *t = x->texture;
    struct ts_level base;
    ts_level_of(t, 0, &base);
    const uint32_t size[3] = {l->width, l->height, l->depth}, full[3] = {base.width, base.height, base.depth};
    const bool cube = t->dim == TS_CUBE;
    const unsigned dims = t->dim == TS_1D || t->dim == TS_1D_ARRAY ? 1 : t->dim == TS_3D ? 3 : 2;
    for (unsigned d = 0; d < 3; d++) {
        u[d] = at[d];
        if (d >= dims) continue;
        if (cube && x->texels[d]) return ts_refuse(x->m, "texel coordinates of cubes are not executed");
        // Faces go from 1 to 2: what CUBE gives, over its major axis, plus 1.5.
        u[d] = x->texels[d] ? at[d] / full[d] * size[d] : (at[d] - cube) * size[d];
        u[d] += x->offset[d];
    }
    return true;
}

static bool take_level(const struct ts_sampling *x, unsigned lane, const struct ts_level *l,
                       const double at[3], bool linear, double reference, struct taps *out) {
    const struct ts_texture *t = x->texture;
    const struct ts_sampler *s = x->sampler;
    double u[3];
    out->count = 0;
    if (!scale(x, l, at, u)) return false;
    if (t->dim == TS_CUBE) return take_cube(x, lane, l, u, linear, reference, out);
    const bool flat = t->dim == TS_1D || t->dim == TS_1D_ARRAY, solid = t->dim == TS_3D;
    const bool along_z = solid && (s->z == TS_STEP_NONE ? linear : s->z == TS_STEP_LINEAR);
    const struct axis a = meet(u[0], l->width, s->clamp[0], linear),
                      b = flat ? (struct axis){0} : meet(u[1], l->height, s->clamp[1], linear),
                      c = solid ? meet(u[2], l->depth, s->clamp[2], along_z) : (struct axis){0};
    for (unsigned k = 0; k < 8; k++) {
        const double weight = (k & 1 ? a.weight : 1 - a.weight) * (k & 2 ? b.weight : 1 - b.weight) *
                              (k & 4 ? c.weight : 1 - c.weight);
        const int64_t slice = solid ? c.i[k >> 2] : layer(t, at[2]);
        if (!take(x, lane, l, a.i[k & 1], b.i[k >> 1 & 1], slice, weight, reference, out)) return false;
    }
    return true;
}

// Beyond the corner of a cube there is the mean of the three texels around it.
static void fill_corner(struct taps *t) {
    for (unsigned i = 0; i < t->count; i++) {
        if (!t->tap[i].missing) continue;
        double rest = 0;
        for (unsigned k = 0; k < t->count; k++) rest += !t->tap[k].missing;
        const double share = t->tap[i].weight / fmax(rest, 1);
        for (unsigned k = 0; k < t->count; k++) t->tap[k].weight += t->tap[k].missing ? 0 : share;
        t->tap[i].weight = 0;
    }
}

static bool mix(const struct ts_sampling *x, struct taps *t, uint32_t out[4]) {
    fill_corner(t);
    if (t->count == 1) {
        memcpy(out, t->tap[0].v, sizeof t->tap[0].v);
        return true;
    }
    if (!x->compares && ts_gives_integers(&x->texture->conversion))
        return ts_refuse(x->m, "what filters make of integers is not known");
    for (unsigned c = 0; c < 4; c++) {
        double sum = 0;
        for (unsigned i = 0; i < t->count; i++)
            if (t->tap[i].weight != 0) sum += t->tap[i].weight * (double)ts_float(t->tap[i].v[c]);
        out[c] = ts_bits((float)sum);
    }
    return true;
}

// ---- What fetches ask for ----

double ts_clamp_lod(const struct ts_sampling *x, double lod) {
    const struct ts_sampler *s = x->sampler;
    if (isnan(lod)) lod = 0;
    return fmax(s->min_lod, fmin(s->max_lod, lod));
}

bool ts_sample(const struct ts_sampling *x, unsigned lane, const double at[3], double lod, double reference,
               uint32_t out[4]) {
    const struct ts_texture *t = x->texture;
    const struct ts_sampler *s = x->sampler;
    const double most = t->last_level - t->base_level;
    lod = ts_clamp_lod(x, lod);
    const bool linear = (lod <= 0 ? s->magnify : s->minify) == TS_BILINEAR;
    double where = s->mip == TS_STEP_NONE ? 0 : s->mip == TS_STEP_POINT ? floor(lod + 0.5) : lod;
    where = fmax(0, fmin(most, where));
    const double first = floor(where), between = where - first;
    struct ts_level level;
    struct taps a, b;
    ts_level_of(t, (uint32_t)first, &level);
    if (!take_level(x, lane, &level, at, linear, reference, &a)) return false;
    if (between > 0) {
        ts_level_of(t, (uint32_t)first + 1, &level);
        if (!take_level(x, lane, &level, at, linear, reference, &b)) return false;
        fill_corner(&a);
        fill_corner(&b);
        for (unsigned i = 0; i < a.count; i++) a.tap[i].weight *= 1 - between;
        for (unsigned i = 0; i < b.count; i++) {
            b.tap[i].weight *= between;
            a.tap[a.count++] = b.tap[i];
        }
    }
    return mix(x, &a, out);
}

bool ts_gather(const struct ts_sampling *x, unsigned lane, const double at[3], unsigned component,
               double reference, uint32_t out[4]) {
    const struct ts_texture *t = x->texture;
    struct ts_level level;
    double u[3];
    if (t->dim != TS_2D && t->dim != TS_2D_ARRAY)
        return ts_refuse(x->m, "four texels are fetched of 2D textures only");
    ts_level_of(t, 0, &level);
    if (!scale(x, &level, at, u)) return false;
    const struct axis a = meet(u[0], level.width, x->sampler->clamp[0], true),
                      b = meet(u[1], level.height, x->sampler->clamp[1], true);
    for (unsigned k = 0; k < 4; k++) {
        struct taps one = {.count = 0};
        uint32_t v[4];
        if (!take(x, lane, &level, a.i[k & 1], b.i[k >> 1], layer(t, at[2]), 1, reference, &one))
            return false;
        ts_select(t, one.tap[0].v, v);
        out[k] = v[component];
    }
    return true;
}

bool ts_load(const struct ts_sampling *x, unsigned lane, const int64_t at[3], int64_t level,
             uint32_t out[4]) {
    const struct ts_texture *t = x->texture;
    const bool flat = t->dim == TS_1D || t->dim == TS_1D_ARRAY, solid = t->dim == TS_3D,
               array = t->dim == TS_1D_ARRAY || t->dim == TS_2D_ARRAY || t->dim == TS_CUBE;
    struct ts_level l;
    for (unsigned c = 0; c < 4; c++) out[c] = 0;
    if (level < 0 || level > (int64_t)t->last_level - t->base_level) return true;
    ts_level_of(t, (uint32_t)level, &l);
    const int64_t i = at[0] + (int64_t)x->offset[0], j = flat ? 0 : at[1] + (int64_t)x->offset[1],
                  k = solid || array ? at[2] + (solid ? (int64_t)x->offset[2] : 0) : 0;
    const int64_t slices = solid ? l.depth : array ? (int64_t)t->last_slice - t->first_slice + 1 : 1;
    if (i < 0 || i >= l.width || j < 0 || j >= (flat ? 1 : l.height) || k < 0 || k >= slices) return true;
    return texel(x, lane, &l, (uint32_t)i, (uint32_t)j, (uint32_t)(k + (solid ? 0 : t->first_slice)), out);
}
