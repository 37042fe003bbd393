// SPDX-License-Identifier: MIT
// Samples and gathers: what lanes give becomes a request for src/texel/sample.c, and texels come from memory
// that the wave may use. Levels of detail that nobody says come from the differences between the lanes of
// four that follow each other, whether these execute or not.
#include "exec/image.h"
#include "exec/image_operands.h"
#include "exec/image_surface.h"
#include "isa/isa.h"
#include "texel/half.h"
#include "texel/sample.h"

// All that the lanes of one instruction share.
struct sampling {
    struct image_surface s;
    struct image_places p;
    struct sample_view view;
    struct sample_filter filter;
};

static bool view_texel(void *context, unsigned level, const uint32_t at[3], unsigned layer, uint32_t out[4]) {
    struct image_surface *s = context;
    const struct image_texel texel = {at[0], at[1], at[2] + layer, 0, level};
    uint8_t *element;
    unsigned bytes;
    bool inside;
    memset(out, 0, 4 * sizeof *out);
    if (!image_element(s, &texel, RIGHT_READ, &inside, &element, &bytes)) return false;
    if (inside) texel_surface_load(&s->t, element, at[0], at[1], false, out);
    return true;
}

static void put_view(struct sampling *x, unsigned dim) {
    const struct texel_surface *t = &x->s.t;
    const bool cube = t->dimension == SURFACE_CUBE && dim == SURFACE_CUBE;
    const unsigned slices = t->last_slice >= t->first_slice ? t->last_slice - t->first_slice + 1 : 1;
    const bool layered = t->dimension != SURFACE_3D && x->p.slice != NO_PLACE;
    x->view = (struct sample_view){.texel = view_texel,
                                   .context = &x->s,
                                   .dimensions = x->p.coordinates,
                                   .is_cube = cube,
                                   .is_array = layered && !cube && slices > 1,
                                   .is_integer = x->s.is_integer,
                                   .is_unit = t->numbers[0] == NUMBER_UNORM,
                                   .layers = cube ? (slices + 5) / 6 : slices,
                                   .last = (unsigned)(t->last_level - t->first_level),
                                   .least = t->min_lod - t->first_level};
    texel_level_size(t, 0, x->view.size);
    for (unsigned i = 0; i < 3; i++)
        if (!x->view.size[i] || i >= x->view.dimensions) x->view.size[i] = 1;
}

// Constant colours are in the order of the image's components, which BC_SWIZZLE says.
static void put_border(struct sampling *x, const struct texel_sampler *s) {
    static const uint8_t orders[][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {3, 2, 1, 0},
                                        {3, 0, 1, 2}, {2, 1, 0, 3}, {1, 0, 3, 2}};
    const uint32_t one = x->s.is_integer ? 1 : 0x3f800000;
    const unsigned order = x->s.t.border_swizzle < 6 ? x->s.t.border_swizzle : 0;
    const uint32_t colour[4] = {s->border_type == BORDER_WHITE ? one : 0,
                                s->border_type == BORDER_WHITE ? one : 0,
                                s->border_type == BORDER_WHITE ? one : 0, s->border_type ? one : 0};
    for (unsigned c = 0; c < 4; c++) x->filter.border[c] = colour[orders[order][c]];
    x->filter.no_border = s->border_type == BORDER_TABLE;
}

static bool is_linear(unsigned filter) {
    return filter == FILTER_BILINEAR || filter == FILTER_ANISO_BILINEAR;
}

static void put_filter(struct sampling *x, const struct texel_sampler *s) {
    struct texel_surface *t = &x->s.t;
    const bool one_level = t->first_level == t->last_level;
    const bool mag = is_linear(s->mag), min = is_linear(s->min), by_xy = s->z_filter == Z_FILTER_AS_XY;
    x->filter = (struct sample_filter){.clamp = {s->clamp[0], s->clamp[1], s->clamp[2]},
                                       .mag_linear = mag,
                                       .min_linear = min,
                                       .mag_linear_z = by_xy ? mag : s->z_filter == Z_FILTER_LINEAR,
                                       .min_linear_z = by_xy ? min : s->z_filter == Z_FILTER_LINEAR,
                                       .mag_anisotropic = s->mag >= FILTER_ANISO_POINT,
                                       .min_anisotropic = s->min >= FILTER_ANISO_POINT,
                                       .mip = s->mip_filter,
                                       .compare = s->compare,
                                       .reduction = s->reduction,
                                       .most_taps = s->aniso_override && one_level ? 1 : s->max_aniso,
                                       .unnormalized = s->unnormalised || x->s.o->unnormalized,
                                       .truncates = s->trunc_coord,
                                       .halves = s->coarse_weights,
                                       .apart = s->no_cube_wrap,
                                       .bias = s->bias,
                                       .least = s->min_lod,
                                       .most = s->max_lod};
    put_border(x, s);
    for (unsigned c = 0; c < 3; c++) {
        if (s->skip_degamma && t->numbers[c] == NUMBER_SRGB) t->numbers[c] = NUMBER_UNORM;
        if (s->force_degamma && t->layout == LAYOUT_8_8_8_8 && t->numbers[c] == NUMBER_UNORM)
            t->numbers[c] = NUMBER_SRGB;
    }
}

static float of(struct sampling *x, unsigned place, unsigned lane) {
    return image_float(x->s.w, x->s.o, place, lane, x->s.o->half);
}

// Four lanes are two by two: the second is to the right of the first, the third below it.
static void derive(struct sampling *x, unsigned lane, struct sample_request *r) {
    const unsigned first = lane & ~3u;
    for (unsigned i = 0; i < x->p.coordinates; i++) {
        const float here = of(x, x->p.at[i], first);
        r->across[i] = of(x, x->p.at[i], first + 1) - here;
        r->down[i] = of(x, x->p.at[i], first + 2) - here;
    }
}

static struct sample_request request_of(struct sampling *x, unsigned lane) {
    const struct image_op *o = x->s.o;
    struct wave *w = x->s.w;
    const struct image_places *p = &x->p;
    struct sample_request r = {.has_reference = o->facts & IMAGE_COMPARE,
                               .has_limit = o->facts & IMAGE_LIMIT};
    x->s.lane = lane;
    for (unsigned i = 0; i < p->coordinates; i++) r.at[i] = of(x, p->at[i], lane);
    r.slice = of(x, p->slice, lane);
    r.bias = of(x, p->bias, lane);
    if (r.has_reference) r.reference = image_float(w, o, p->reference, lane, false);
    if (o->facts & IMAGE_OFFSET) { // six bits each with a sign
        const uint32_t v = image_dword(w, o, p->offset, lane);
        for (unsigned i = 0; i < 3; i++) r.offset[i] = (int32_t)(v << (26 - 8 * i)) >> 26;
    }
    if (r.has_limit) r.limit = of(x, p->level, lane);
    r.level = LEVEL_DERIVED;
    if (o->facts & IMAGE_LEVEL_ZERO)
        r.level = LEVEL_ZERO;
    else if (o->facts & IMAGE_LEVEL && !r.has_limit) {
        r.level = LEVEL_GIVEN;
        r.given = of(x, p->level, lane);
    } else if (o->facts & IMAGE_GRADIENTS)
        for (unsigned i = 0; i < p->coordinates; i++) {
            r.across[i] = image_float(w, o, p->gradient[0][i], lane, o->half_gradients);
            r.down[i] = image_float(w, o, p->gradient[1][i], lane, o->half_gradients);
        }
    else
        derive(x, lane, &r);
    return r;
}

// The resource and the sampler of the instruction.
static enum image_found begin(struct sampling *x, struct wave *w, const struct op *op) {
    const enum image_found found = image_surface_find(w, op, &x->s);
    if (found != IMAGE_FOUND) return found;
    const struct image_op *o = x->s.o;
    const unsigned dim = image_dim_of(o, x->s.t.dimension);
    uint32_t words[4];
    struct texel_sampler s;
    if (x->s.t.samples > 1)
        return image_refuse(w, op, "sample of an image with several samples a texel"), IMAGE_FAULTED;
    for (unsigned i = 0; i < 4; i++) words[i] = rd32((const char *)wave_at(w, o->ssamp) + 4 * i);
    texel_decode_sampler((enum resource_kind)o->kind, words, &s);
    x->p = image_places_of(o, dim);
    put_view(x, dim);
    put_filter(x, &s);
    return IMAGE_FOUND;
}

static bool succeeded(struct sampling *x, enum sample_status status) {
    if (status == SAMPLE_NO_BORDER) return image_refuse(x->s.w, x->s.op, "border colours of a table");
    return status == SAMPLE_DONE;
}

// As the data registers hold it.
static uint32_t result_of(const struct sampling *x, uint32_t v) {
    return x->s.o->mem.d16 && !x->s.is_integer ? half_of(bits_float(v)) : v;
}

static bool sample_lane(void *sampling, unsigned lane, uint32_t out[4]) {
    struct sampling *x = sampling;
    const struct sample_request q = request_of(x, lane);
    uint32_t colour[4] = {0};
    if (!x->s.t.bound || !x->s.o->dmask) return true; // TRAP-331
    if (!succeeded(x, sample_colour(&x->view, &x->filter, &q, colour))) return false;
    texel_select(&x->s.t, colour, false, out);
    for (unsigned c = 0; c < 4; c++) out[c] = result_of(x, out[c]);
    return true;
}

static bool gather_lane(void *sampling, unsigned lane, uint32_t out[4]) {
    struct sampling *x = sampling;
    const struct image_op *o = x->s.o;
    const unsigned component = (unsigned)__builtin_ctz(image_mask(o));
    const bool level_counts = o->facts & (IMAGE_LEVEL | IMAGE_BIAS);
    const struct sample_request q = request_of(x, lane);
    uint32_t four[4][4] = {{0}};
    if (!x->s.t.bound) return true;
    if (!succeeded(x, sample_gather(&x->view, &x->filter, &q, level_counts, o->facts & IMAGE_ROW, four)))
        return false;
    for (unsigned n = 0; n < 4; n++) {
        uint32_t colour[4];
        texel_select(&x->s.t, four[n], false, colour);
        out[n] = result_of(x, colour[component]);
    }
    return true;
}

// The level within its bounds and as it was before them.
static bool level_lane(void *sampling, unsigned lane, uint32_t out[4]) {
    struct sampling *x = sampling;
    const struct sample_request q = request_of(x, lane);
    float raw = 0;
    if (!x->s.t.bound) return true;
    out[0] = float_bits(sample_level_of(&x->view, &x->filter, &q, &raw));
    out[1] = float_bits(raw);
    return true;
}

static bool for_lanes(struct wave *w, const struct op *op, bool all, image_lane *one) {
    struct sampling x;
    const enum image_found found = begin(&x, w, op);
    if (found != IMAGE_FOUND) return found == IMAGE_NOTHING;
    return image_each_lane(w, x.s.o, all, one, &x);
}
bool image_sample(struct wave *w, const struct op *op) { return for_lanes(w, op, false, sample_lane); }
bool image_gather4(struct wave *w, const struct op *op) { return for_lanes(w, op, true, gather_lane); }
bool image_get_lod(struct wave *w, const struct op *op) { return for_lanes(w, op, false, level_lane); }
