// SPDX-License-Identifier: MIT
// Texture fetches: coordinates, gradients and offsets of lanes, and what each instruction asks for.
#include <math.h>

#include "base/bytes.h"
#include "terascale/machine/sample.h"

struct lookup {
    struct ts_machine *m;
    struct ts_wave *w;
    const struct ts_insn *in;
    enum ts_op op;
    struct ts_texture texture;
    struct ts_sampler sampler;
    struct ts_sampling sampling;
    uint32_t src[4][TS_LANES];
    uint32_t result[4][TS_LANES];
};

static double source(const struct lookup *x, unsigned c, unsigned lane) {
    return (double)ts_float(x->src[c][lane]);
}

// What the names of SAMPLE_* are made of.
enum sample_form { COMPARE = 1, GRADIENTS = 2, LOD = 4, BIAS = 8, ZERO = 16, FOUR = 32, OFFSETS = 64 };

static int form_of(enum ts_op op) {
    switch (op) {
    case TS_TEX_SAMPLE: return 0;
    case TS_TEX_SAMPLE_L: return LOD;
    case TS_TEX_SAMPLE_LB: return BIAS;
    case TS_TEX_SAMPLE_LZ: return ZERO;
    case TS_TEX_SAMPLE_G: return GRADIENTS;
    case TS_TEX_SAMPLE_G_L: return GRADIENTS | LOD;
    case TS_TEX_SAMPLE_G_LB: return GRADIENTS | BIAS;
    case TS_TEX_SAMPLE_G_LZ: return GRADIENTS | ZERO;
    case TS_TEX_SAMPLE_C: return COMPARE;
    case TS_TEX_SAMPLE_C_L: return COMPARE | LOD;
    case TS_TEX_SAMPLE_C_LB: return COMPARE | BIAS;
    case TS_TEX_SAMPLE_C_LZ: return COMPARE | ZERO;
    case TS_TEX_SAMPLE_C_G: return COMPARE | GRADIENTS;
    case TS_TEX_SAMPLE_C_G_L: return COMPARE | GRADIENTS | LOD;
    case TS_TEX_SAMPLE_C_G_LZ: return COMPARE | GRADIENTS | ZERO;
    case TS_TEX_SAMPLE_C_G_LB: return COMPARE | GRADIENTS | BIAS;
    case TS_TEX_FETCH4:
    case TS_TEX_GATHER4: return FOUR;
    case TS_TEX_GATHER4_O: return FOUR | OFFSETS;
    case TS_TEX_GATHER4_C: return FOUR | COMPARE;
    case TS_TEX_GATHER4_C_O: return FOUR | COMPARE | OFFSETS;
    default: return -1;
    }
}

// ---- Setting up ----

static void read_sources(struct lookup *x) {
    static const enum ts_field sels[4] = {TS_SRC_SEL_X, TS_SRC_SEL_Y, TS_SRC_SEL_Z, TS_SRC_SEL_W};
    uint32_t gpr = ts_fetch_gpr(x->w, ts_get(x->in, TS_SRC_GPR), ts_get(x->in, TS_SRC_REL));
    if (gpr >= TS_GPRS) gpr = 0;
    for (unsigned c = 0; c < 4; c++) {
        const unsigned sel = ts_get(x->in, sels[c]);
        for (unsigned l = 0; l < TS_LANES; l++)
            x->src[c][l] = sel < 4 ? x->w->gpr[gpr][sel][l] : sel == 5 ? 0x3f800000 : 0;
    }
}

static bool take_texture(struct lookup *x) {
    const uint32_t id = ts_get(x->in, TS_RESOURCE_ID);
    unsigned number;
    if (!ts_fetch_resource(x->m, x->w, x->in, id, ts_get(x->in, TS_RESOURCE_INDEX_MODE), &number))
        return false;
    if (ts_resource_type(x->m->state, number) != TS_RESOURCE_TEXTURE)
        return ts_fault(x->m, -1, "resource %u is no texture", id);
    ts_texture_of(x->m->state, number, &x->texture);
    if (x->texture.problem) return ts_refuse(x->m, "texture %u: %s", id, x->texture.problem);
    if (x->texture.width > x->texture.pitch)
        return ts_fault(x->m, -1, "texture %u is %u texels wide, with a pitch of %u", id, x->texture.width,
                        x->texture.pitch);
    return true;
}

static bool take_sampler(struct lookup *x) {
    uint32_t id = ts_get(x->in, TS_SAMPLER_ID);
    const unsigned by = ts_get(x->in, TS_SAMPLER_INDEX_MODE);
    enum ts_set set = ts_set_of(x->m->chip->family, x->m->stage);
    if (by) id += x->w->cf_index[(by - 1) & 1];
    if (id >= TS_SAMPLERS)
        return ts_fault(x->m, -1, "sampler %u is not there: a stage has %d", id, TS_SAMPLERS);
    if (ts_get(x->in, TS_ALT_CONST)) set = set == TS_SET_VS ? TS_SET_GS : TS_SET_VS;
    ts_sampler_of(x->m->state, set, id, &x->sampler);
    if (x->sampler.problem) return ts_refuse(x->m, "sampler %u: %s", id, x->sampler.problem);
    x->sampling.sampler = &x->sampler;
    return true;
}

static void take_fields(struct lookup *x) {
    static const enum ts_field types[3] = {TS_COORD_TYPE_X, TS_COORD_TYPE_Y, TS_COORD_TYPE_Z},
                               offsets[3] = {TS_OFFSET_X, TS_OFFSET_Y, TS_OFFSET_Z};
    x->sampling.m = x->m;
    x->sampling.texture = &x->texture;
    for (unsigned d = 0; d < 3; d++) {
        x->sampling.texels[d] = !ts_get(x->in, types[d]);
        x->sampling.offset[d] = (double)sign_extend(ts_get(x->in, offsets[d]), 5) / 2;
    }
}

// ---- Gradients ----

// Of a source along x or y of a quad: lanes are (0, 0), (1, 0), (0, 1), (1, 1).
static double gradient(const struct lookup *x, unsigned c, unsigned lane, bool vertical, bool fine) {
    const unsigned first = fine ? lane & (vertical ? ~2u : ~1u) : lane & ~3u;
    return source(x, c, first + (vertical ? 2 : 1)) - source(x, c, first);
}

static double lod_of_gradients(const struct lookup *x, unsigned lane, bool given) {
    struct ts_level base;
    ts_level_of(&x->texture, 0, &base);
    const enum ts_dim dim = x->texture.dim;
    const uint32_t size[3] = {base.width, base.height, base.depth};
    const unsigned dims = dim == TS_1D || dim == TS_1D_ARRAY ? 1 : dim == TS_3D ? 3 : 2;
    double most = 0;
    for (unsigned k = 0; k < 2; k++) {
        double square = 0;
        for (unsigned d = 0; d < dims; d++) {
            const double g = given ? (double)x->w->gradient[k][d][lane] : gradient(x, d, lane, k, false);
            const bool texels = given ? x->w->gradient_in_texels[d] : x->sampling.texels[d];
            const double in_texels = texels ? g : g * size[d];
            square += in_texels * in_texels;
        }
        most = fmax(most, square);
    }
    return log2(most) / 2;
}

// LOD_BIAS of the word is S3.4.
static double bias_of(const struct lookup *x, unsigned lane, int form) {
    return x->sampler.bias + (double)sign_extend(ts_get(x->in, TS_LOD_BIAS), 7) / 16 +
           (form & BIAS ? source(x, 3, lane) : 0);
}

// A LOD that is given counts, whatever gradients are given besides: they would shape an anisotropic filter.
static double lod_of(const struct lookup *x, unsigned lane, int form) {
    if (form & ZERO) return 0;
    if (form & LOD) return source(x, 3, lane);
    return lod_of_gradients(x, lane, form & GRADIENTS) + bias_of(x, lane, form);
}

static bool run_set_gradients(struct lookup *x, bool vertical, uint64_t lanes) {
    for (unsigned d = 0; d < 3; d++) {
        FOR_LANES(l, lanes) { x->w->gradient[vertical][d][l] = ts_float(x->src[d][l]); }
        x->w->gradient_in_texels[d] = x->sampling.texels[d];
    }
    return x->w->has_gradient[vertical] = true;
}

static bool run_get_gradients(struct lookup *x, bool vertical, bool fine, uint64_t lanes) {
    for (unsigned c = 0; c < 4; c++) FOR_LANES(l, lanes) {
            x->result[c][l] = ts_bits((float)gradient(x, c, l, vertical, fine));
        }
    ts_fetch_write(x->w, x->in, x->result, 0x3f800000, lanes);
    return true;
}

static bool run_set_offsets(struct lookup *x, uint64_t lanes) {
    for (unsigned d = 0; d < 3; d++) FOR_LANES(l, lanes) {
            x->w->offset[d][l] = (int32_t)x->src[d][l];
        }
    return x->w->has_offsets = true;
}

// ---- Questions about a texture ----

// Sizes of a level, and how many levels there are.
static bool run_sizes(struct lookup *x, uint64_t lanes) {
    const struct ts_texture *t = &x->texture;
    const bool array = t->dim == TS_1D_ARRAY || t->dim == TS_2D_ARRAY;
    const uint32_t levels = t->last_level - t->base_level + 1;
    FOR_LANES(l, lanes) {
        struct ts_level level = {0};
        const bool there = x->src[0][l] < levels;
        if (there) ts_level_of(t, x->src[0][l], &level);
        x->result[0][l] = level.width;
        x->result[1][l] = t->dim == TS_1D || t->dim == TS_1D_ARRAY ? there : level.height;
        x->result[2][l] = array ? t->last_slice - t->first_slice + 1 : level.depth;
        x->result[3][l] = levels;
    }
    ts_fetch_write(x->w, x->in, x->result, 1, lanes);
    return true;
}

// The samples of a texel are in W.
static bool run_samples(struct lookup *x, uint64_t lanes) {
    static const enum ts_field sels[4] = {TS_DST_SEL_X, TS_DST_SEL_Y, TS_DST_SEL_Z, TS_DST_SEL_W};
    for (unsigned c = 0; c < 4; c++)
        if (ts_get(x->in, sels[c]) < 3)
            return ts_refuse(x->m, "what GET_NUMBER_OF_SAMPLES gives in X, Y and Z is not known");
    FOR_LANES(l, lanes) { x->result[3][l] = 1; }
    ts_fetch_write(x->w, x->in, x->result, 1, lanes);
    return true;
}

// In X the LOD as it was computed, in Y within the limits of sampler and texture.
static bool run_lod(struct lookup *x, uint64_t lanes) {
    const double most = x->texture.last_level - x->texture.base_level;
    FOR_LANES(l, lanes) {
        const double lod = lod_of(x, l, 0);
        double used = fmax(0, fmin(most, ts_clamp_lod(&x->sampling, lod)));
        if (x->sampler.mip != TS_STEP_LINEAR) used = x->sampler.mip ? fmin(most, floor(used + 0.5)) : 0;
        x->result[0][l] = ts_bits((float)lod);
        x->result[1][l] = ts_bits((float)used);
        x->result[2][l] = x->result[3][l] = 0;
    }
    ts_fetch_write(x->w, x->in, x->result, 0x3f800000, lanes);
    return true;
}

// ---- Texels ----

static void give(struct lookup *x, unsigned lane, const uint32_t v[4]) {
    for (unsigned c = 0; c < 4; c++) x->result[c][lane] = v[c];
}

// The texels are (1, 0), (0, 1), (1, 1), (0, 0) in X to W, on Cayman (0, 1), (1, 1), (1, 0), (0, 0).
static bool run_four(struct lookup *x, int form, uint64_t lanes) {
    static const uint8_t orders[2][4] = {{1, 2, 3, 0}, {2, 3, 1, 0}};
    const uint8_t *order = orders[x->m->chip->family == TS_CAYMAN];
    if (form & OFFSETS && !x->w->has_offsets)
        return ts_fault(x->m, -1, "no SET_TEXTURE_OFFSETS stands before this in the clause");
    FOR_LANES(l, lanes) {
        const double at[3] = {source(x, 0, l), source(x, 1, l), source(x, 2, l)};
        uint32_t v[4];
        for (unsigned d = 0; d < 3 && form & OFFSETS; d++) x->sampling.offset[d] = x->w->offset[d][l];
        if (!ts_gather(&x->sampling, l, at, ts_get(x->in, TS_INST_MOD), source(x, 3, l), v)) return false;
        for (unsigned c = 0; c < 4; c++) x->result[c][l] = v[order[c]];
    }
    return true;
}

// The reference stands in W, or in Z where W has the LOD or its bias.
static bool run_sample(struct lookup *x, int form, uint64_t lanes) {
    if (form & GRADIENTS && !(x->w->has_gradient[0] && x->w->has_gradient[1]))
        return ts_fault(x->m, -1, "SET_GRADIENTS_H and _V do not stand before this in the clause");
    const enum ts_dim dim = x->texture.dim;
    if ((dim == TS_CUBE || dim == TS_3D || dim == TS_1D_ARRAY || dim == TS_2D_ARRAY) && form & COMPARE &&
        form & (LOD | BIAS))
        return ts_refuse(x->m, "where a reference stands beside Z and a LOD is not known");
    FOR_LANES(l, lanes) {
        const double at[3] = {source(x, 0, l), source(x, 1, l), source(x, 2, l)};
        const double reference = source(x, form & (LOD | BIAS) ? 2 : 3, l);
        uint32_t v[4], selected[4];
        if (!ts_sample(&x->sampling, l, at, lod_of(x, l, form), reference, v)) return false;
        ts_select(&x->texture, v, selected);
        give(x, l, selected);
    }
    return true;
}

static bool run_load(struct lookup *x, uint64_t lanes) {
    for (unsigned d = 0; d < 3; d++)
        if (x->sampling.offset[d] != floor(x->sampling.offset[d]))
            return ts_refuse(x->m, "what half a texel of offset does to LD is not known");
    FOR_LANES(l, lanes) {
        const int64_t at[3] = {(int32_t)x->src[0][l], (int32_t)x->src[1][l], (int32_t)x->src[2][l]};
        uint32_t v[4], selected[4];
        if (!ts_load(&x->sampling, l, at, (int32_t)x->src[3][l], v)) return false;
        ts_select(&x->texture, v, selected);
        give(x, l, selected);
    }
    return true;
}

static bool run_texels(struct lookup *x, uint64_t lanes) {
    const int form = form_of(x->op);
    x->sampling.compares = form > 0 && form & COMPARE;
    const bool good = x->op == TS_TEX_LD ? run_load(x, lanes)
                      : form & FOUR      ? run_four(x, form, lanes)
                                         : run_sample(x, form, lanes);
    if (good) ts_fetch_write(x->w, x->in, x->result, ts_one(&x->texture.conversion), lanes);
    return good;
}

bool ts_run_texture(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes) {
    static _Thread_local struct lookup x;
    x = (struct lookup){.m = m, .w = w, .in = in, .op = (enum ts_op)ts_row_number(in->row)};
    if (in->row->gap) return ts_refuse(m, "%s: %s", ts_row_name(in->row), in->row->gap);
    if (ts_get(in, TS_FETCH_WHOLE_QUAD)) lanes = ts_whole_quads(w, lanes);
    take_fields(&x);
    read_sources(&x);
    switch (x.op) {
    case TS_TEX_SET_GRADIENTS_H:
    case TS_TEX_SET_GRADIENTS_V: return run_set_gradients(&x, x.op == TS_TEX_SET_GRADIENTS_V, lanes);
    case TS_TEX_GET_GRADIENTS_H:
    case TS_TEX_GET_GRADIENTS_V: return run_get_gradients(&x, x.op == TS_TEX_GET_GRADIENTS_V, false, lanes);
    case TS_TEX_GET_GRADIENTS_H_FINE:
    case TS_TEX_GET_GRADIENTS_V_FINE:
        return run_get_gradients(&x, x.op == TS_TEX_GET_GRADIENTS_V_FINE, true, lanes);
    case TS_TEX_SET_TEXTURE_OFFSETS: return run_set_offsets(&x, lanes);
    default: break;
    }
    if (!take_texture(&x)) return false;
    switch (x.op) {
    case TS_TEX_GET_TEXTURE_RESINFO: return run_sizes(&x, lanes);
    case TS_TEX_GET_NUMBER_OF_SAMPLES: return run_samples(&x, lanes);
    case TS_TEX_LD: return run_texels(&x, lanes);
    default: break;
    }
    if (!take_sampler(&x)) return false;
    if (x.op == TS_TEX_GET_LOD) return run_lod(&x, lanes);
    if (form_of(x.op) < 0) return ts_refuse(m, "%s is not executed", ts_row_name(in->row));
    return run_texels(&x, lanes);
}
