// SPDX-License-Identifier: MIT
// What the words of resources and samplers say.
#include "base/bytes.h"
#include "terascale/state/state.h"

static uint32_t word(const struct ts_state *s, unsigned number, unsigned k) {
    const bool newer = s->family >= TS_EVERGREEN;
    return ts_state_get(s, newer ? 0x30000 + 32 * number + 4 * k : 0x38000 + 28 * number + 4 * k);
}

static uint32_t field(uint32_t w, unsigned lo, unsigned width) { return (uint32_t)bits(w, lo, width); }

unsigned ts_resource_type(const struct ts_state *s, unsigned number) {
    return word(s, number, s->family >= TS_EVERGREEN ? 7 : 6) >> 30;
}

void ts_vertex_resource_of(const struct ts_state *s, unsigned number, struct ts_vertex_resource *out) {
    const uint32_t w2 = word(s, number, 2), w3 = word(s, number, 3);
    const bool newer = s->family >= TS_EVERGREEN;
    const uint8_t comp = (uint8_t)field(w2, 28, 1);
    *out = (struct ts_vertex_resource){
        .address = word(s, number, 0) | (uint64_t)field(w2, 0, 8) << 32,
        .size = (uint64_t)word(s, number, 1) + 1,
        .stride = field(w2, 8, 11),
        .clamp_to_nan = field(w2, 19, 1),
        .conversion = {.format = (uint8_t)field(w2, 20, 6),
                       .number = (uint8_t)field(w2, 26, 2),
                       .comp = {comp, comp, comp, comp},
                       .no_zero = field(w2, 29, 1),
                       .endian = (uint8_t)field(w2, 30, 2)},
    };
    for (unsigned i = 0; i < 4; i++) out->sel[i] = (uint8_t)(newer ? field(w3, 3 + 3 * i, 3) : i);
}

// ---- Textures ----

static void old_layout(const struct ts_state *s, unsigned number, struct ts_texture *t) {
    const uint32_t w0 = word(s, number, 0), w1 = word(s, number, 1), w6 = word(s, number, 6);
    t->dim = (enum ts_dim)field(w0, 0, 3);
    t->tiling = field(w0, 3, 4);
    t->depth_order = field(w0, 7, 1);
    t->pitch = 8 * (field(w0, 8, 11) + 1);
    t->width = field(w0, 19, 13) + 1;
    t->height = field(w1, 0, 13) + 1;
    t->depth = field(w1, 13, 13) + 1;
    t->conversion.format = (uint8_t)field(w1, 26, 6);
    if (field(w6, 0, 2)) t->problem = "what MPEG_CLAMP does is not known";
    if (field(w6, 8, 1)) t->problem = "interlaced textures are not executed";
}

static void new_layout(const struct ts_state *s, unsigned number, struct ts_texture *t) {
    const uint32_t w0 = word(s, number, 0), w1 = word(s, number, 1), w4 = word(s, number, 4),
                   w6 = word(s, number, 6);
    t->dim = (enum ts_dim)field(w0, 0, 3);
    t->depth_order = s->family == TS_CAYMAN ? field(w0, 4, 2) : field(w0, 5, 1);
    t->pitch = 8 * (field(w0, 6, 12) + 1);
    t->width = field(w0, 18, 14) + 1;
    t->height = field(w1, 0, 14) + 1;
    t->depth = field(w1, 14, 13) + 1;
    t->tiling = field(w1, 28, 4);
    t->conversion.format = (uint8_t)field(word(s, number, 7), 0, 6);
    if (field(w4, 14, 2)) t->problem = "textures of several samples are not executed";
    if (field(w6, 6, 1)) t->problem = "interlaced textures are not executed";
}

void ts_texture_of(const struct ts_state *s, unsigned number, struct ts_texture *out) {
    const uint32_t w4 = word(s, number, 4), w5 = word(s, number, 5);
    *out = (struct ts_texture){.family = s->family,
                               .base = (uint64_t)word(s, number, 2) << 8,
                               .mips = (uint64_t)word(s, number, 3) << 8,
                               .base_level = field(w4, 28, 4),
                               .last_level = field(w5, 0, 4),
                               .first_slice = field(w5, 4, 13),
                               .last_slice = field(w5, 17, 13)};
    if (s->family >= TS_EVERGREEN)
        new_layout(s, number, out);
    else
        old_layout(s, number, out);
    for (unsigned i = 0; i < 4; i++) {
        out->conversion.comp[i] = (uint8_t)field(w4, 2 * i, 2);
        out->sel[i] = (uint8_t)field(w4, 16 + 3 * i, 3);
    }
    out->conversion.number = (uint8_t)field(w4, 8, 2);
    out->conversion.no_zero = field(w4, 10, 1);
    out->conversion.degamma = field(w4, 11, 1);
    out->conversion.endian = (uint8_t)field(w4, 12, 2);
    if (out->dim >= TS_2D_MSAA)
        out->problem = "textures of several samples are not executed";
    else if (out->tiling > TS_1D_THIN)
        out->problem = "only linear and 1D-tiled textures are executed";
    else if (out->base_level > out->last_level)
        out->problem = "BASE_LEVEL is above LAST_LEVEL";
    if (!out->problem)
        out->problem = ts_conversion_problem(&out->conversion, true, s->family >= TS_EVERGREEN);
}

// ---- Samplers ----

// POINT, BILINEAR, and on R600 and R700 BICUBIC before the two with anisotropy, which a ratio of 1 makes
// plain.
static enum ts_xy_filter take_filter(struct ts_sampler *out, bool newer, unsigned value, unsigned ratio) {
    const unsigned plain = newer ? 2 : 4;
    if (!newer && value == 2)
        out->problem = "bicubic filters are not executed";
    else if (value >= plain + 2 || (value >= 2 && value < plain))
        out->problem = "no XY filter has this number";
    else if (value >= plain && ratio)
        out->problem = "what anisotropic filters take together is not known";
    return value & 1 ? TS_BILINEAR : TS_POINT;
}

static void take_border(const struct ts_state *s, enum ts_set set, unsigned id, unsigned type,
                        struct ts_sampler *out) {
    const uint32_t one = 0x3f800000;
    for (unsigned i = 0; i < 4; i++) {
        out->border[i] = type == 2 || (type == 1 && i == 3) ? one : 0;
        if (type != 3) continue;
        out->border_is_register = true;
        out->border[i] = s->family >= TS_EVERGREEN
                             ? s->border[set][id][i]
                             : ts_state_get(s, 0xa400 + 0x200 * (unsigned)set + 16 * id + 4 * i);
    }
}

static void old_sampler(const struct ts_state *s, enum ts_set set, unsigned id, const uint32_t w[3],
                        struct ts_sampler *out) {
    const unsigned ratio = field(w[0], 19, 3);
    out->magnify = take_filter(out, false, field(w[0], 9, 3), ratio);
    out->minify = take_filter(out, false, field(w[0], 12, 3), ratio);
    out->z = (enum ts_between)field(w[0], 15, 2);
    out->mip = (enum ts_between)field(w[0], 17, 2);
    out->compare = field(w[0], 26, 3);
    out->min_lod = field(w[1], 0, 10) / 64.0;
    out->max_lod = field(w[1], 10, 10) / 64.0;
    out->bias = (double)sign_extend(field(w[1], 20, 12), 12) / 64.0;
    out->degamma = field(w[2], 13, 1);
    out->cube_wrap = !(ts_state_get(s, TS_REG_TA_CNTL_AUX) & 1);
    take_border(s, set, id, field(w[0], 22, 2), out);
    if (set == TS_SET_PS && ts_state_get(s, TS_REG_CLEARTYPE + 4 * id))
        out->problem = "Cleartype filters are not executed";
    if (field(w[0], 24, 1)) out->problem = "what POINT_SAMPLING_CLAMP does is not known";
    if (field(w[0], 25, 1)) out->problem = "what TEX_ARRAY_OVERRIDE does is not known";
    if (field(w[0], 29, 2)) out->problem = "chroma keys are not executed";
    if (field(w[0], 31, 1)) out->problem = "LODs of the minor axis are not executed";
    if (field(w[2], 0, 12)) out->problem = "what LOD_BIAS_SEC does is not known";
    if (field(w[2], 26, 2)) out->problem = "what FETCH_4 and SAMPLE_IS_PCF of samplers do is not known";
}

static void new_sampler(const struct ts_state *s, enum ts_set set, unsigned id, const uint32_t w[3],
                        struct ts_sampler *out) {
    const unsigned ratio = field(w[0], 17, 3);
    out->magnify = take_filter(out, true, field(w[0], 9, 2), ratio);
    out->minify = take_filter(out, true, field(w[0], 11, 2), ratio);
    out->z = (enum ts_between)field(w[0], 13, 2);
    out->mip = (enum ts_between)field(w[0], 15, 2);
    out->compare = field(w[0], 22, 3);
    out->min_lod = field(w[1], 0, 12) / 256.0;
    out->max_lod = field(w[1], 12, 12) / 256.0;
    out->bias = (double)sign_extend(field(w[2], 0, 14), 14) / 256.0;
    out->degamma = field(w[2], 21, 1);
    out->cube_wrap = !field(w[2], 29, 1);
    take_border(s, set, id, field(w[0], 20, 2), out);
    if (field(w[0], 25, 2)) out->problem = "chroma keys are not executed";
    if (field(w[2], 14, 6)) out->problem = "what LOD_BIAS_SEC does is not known";
}

void ts_sampler_of(const struct ts_state *s, enum ts_set set, unsigned id, struct ts_sampler *out) {
    // 18 of each stage (R7-20); ES and fetch shaders have those of VS.
    const enum ts_set of = set >= TS_SET_FS ? TS_SET_VS : set;
    uint32_t w[3];
    *out = (struct ts_sampler){0};
    for (unsigned k = 0; k < 3; k++) w[k] = ts_state_get(s, 0x3c000 + 12 * (TS_SAMPLERS * of + id) + 4 * k);
    for (unsigned i = 0; i < 3; i++) out->clamp[i] = (uint8_t)field(w[0], 3 * i, 3);
    if (s->family >= TS_EVERGREEN)
        new_sampler(s, of, id, w, out);
    else
        old_sampler(s, of, id, w, out);
    if (out->z > TS_STEP_LINEAR || out->mip > TS_STEP_LINEAR)
        out->problem = "no filter along Z or between levels has this number";
}
