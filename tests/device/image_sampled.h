// SPDX-License-Identifier: MIT
// Trials of samples, for the tests of these: pictures whose colour is a linear function of the place, so that
// every linear filter must give that function again, and levels that have one colour each. What an
// operation does and which operands it has is read off its name.
#ifndef TESTS_IMAGE_SAMPLED_H
#define TESTS_IMAGE_SAMPLED_H

#include "image_shapes.h"

enum {
    P_OFFSET = 1,
    P_BIAS = 2,
    P_REFERENCE = 4,
    P_GRADIENTS = 8,
    P_LEVEL = 16,
    P_G16 = 32,
    P_GATHER = 64,
    P_LIMIT = 128,
    P_ZERO = 256
};
// image_sample_c_d_cl_o_g16: a comparison, derivatives, a limit of the level, an offset, short derivatives.
static inline unsigned parts_of(const char *name) {
    static const struct {
        const char *word;
        unsigned parts;
    } words[] = {{"c", P_REFERENCE},        {"o", P_OFFSET},     {"b", P_BIAS},
                 {"d", P_GRADIENTS},        {"cd", P_GRADIENTS}, {"l", P_LEVEL},
                 {"cl", P_LEVEL | P_LIMIT}, {"lz", P_ZERO},      {"g16", P_G16}};
    unsigned parts = !strncmp(name, "image_gather4", 13) ? P_GATHER : 0;
    for (const char *at = strchr(name + 6, '_'); at; at = strchr(at, '_')) {
        const size_t n = strcspn(++at, "_");
        for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
            if (strlen(words[i].word) == n && !strncmp(words[i].word, at, n)) parts |= words[i].parts;
    }
    return parts;
}

// Writes operands in their order; counts halves of dwords.
struct operands {
    struct image_run *r;
    const unsigned *place;
    unsigned next, lane;
};
static inline void operand(struct operands *o, double v, bool half) {
    if (!half) o->next = (o->next + 1) & ~1u;
    if (o->r && half) put_half(o->r, o->place, o->next, o->lane, half_bits(v));
    if (o->r && !half) put_word(o->r, o->place, o->next / 2, o->lane, bits_of((float)v));
    o->next += half ? 1 : 2;
}
static inline void raw_operand(struct operands *o, uint32_t v) {
    o->next = (o->next + 1) & ~1u;
    if (o->r) put_word(o->r, o->place, o->next / 2, o->lane, v);
    o->next += 2;
}
struct lane_values {
    double at[3], gradient[2][3], bias, reference, level;
    int offset[3];
};
// The order of the manuals; the number of dwords.
static inline unsigned put_operands(struct image_run *r, const struct machine_kind *m, const unsigned *place,
                                    unsigned lane, unsigned parts, unsigned kind, bool a16,
                                    const struct lane_values *v) {
    static const unsigned spaces[] = {1, 2, 3, 1, 2, 2};
    struct operands o = {r, place, 0, lane};
    const bool short_gradients = parts & P_G16 || (a16 && m->layout == L_GFX9);
    const unsigned space = spaces[kind];
    if (parts & P_OFFSET)
        raw_operand(&o, (uint32_t)(v->offset[0] & 63) | (uint32_t)(v->offset[1] & 63) << 8 |
                            (uint32_t)(v->offset[2] & 63) << 16);
    if (parts & P_BIAS) operand(&o, v->bias, a16);
    o.next = (o.next + 1) & ~1u;
    if (parts & P_REFERENCE) operand(&o, v->reference, false);
    if (parts & P_GRADIENTS)
        for (unsigned d = 0; d < 2; d++) {
            o.next = (o.next + 1) & ~1u;
            for (unsigned i = 0; i < space; i++) operand(&o, v->gradient[d][i], short_gradients);
        }
    o.next = (o.next + 1) & ~1u;
    for (unsigned i = 0; i < kinds[kind].coordinates; i++) operand(&o, v->at[i], a16);
    if (parts & P_LEVEL) operand(&o, v->level, a16);
    return (o.next + 1) / 2;
}

// How one operation is tried.
struct sampling {
    const char *name;
    unsigned parts, kind;
    bool a16, linear, list;
};
static inline bool is_one_row(unsigned kind) {
    return kinds[kind].dim == D_1D || kinds[kind].dim == D_1D_ARRAY;
}
static inline bool has_layers(unsigned kind) {
    return kinds[kind].dim == D_1D_ARRAY || kinds[kind].dim == D_2D_ARRAY;
}
// Gathers want four texels of a square.
static inline bool can_sample(unsigned parts, unsigned kind) {
    const enum dim dim = kinds[kind].dim;
    return !(parts & P_GATHER) || dim == D_2D || dim == D_2D_ARRAY || dim == D_CUBE;
}
static inline struct shape sampling_shape(const struct image_run *r, const struct sampling *x,
                                          unsigned data) {
    static const struct lane_values none;
    struct shape s = {.name = x->name,
                      .dim = kinds[x->kind].dim,
                      .data = data,
                      .dmask = 1,
                      .list = x->list,
                      .sampler = true,
                      .a16 = x->a16};
    s.words = put_operands(NULL, r->m, NULL, 0, x->parts, x->kind, x->a16, &none);
    return s;
}

// ---- Places ----

enum { PLACES_W = 32, PLACES_H = 16, PLACES_D = 8 };
// Each texel's colour is x + 32 y + 1024 z.
static inline struct picture_facts picture_of_places(struct image_run *r, unsigned kind) {
    const bool cube = kinds[kind].dim == D_CUBE, deep = kinds[kind].dim == D_3D || has_layers(kind);
    const struct picture_facts f = {.pixel = P_R32F,
                                    .type = kinds[kind].type,
                                    .width = PLACES_W,
                                    .height = is_one_row(kind) ? 1
                                              : cube           ? PLACES_W
                                                               : PLACES_H,
                                    .depth = deep   ? PLACES_D
                                             : cube ? 12
                                                    : 1};
    for (unsigned z = 0; z < f.depth; z++)
        for (unsigned y = 0; y < f.height; y++)
            for (unsigned i = 0; i < PLACES_W; i++) {
                const float v = (float)(i + 32.0 * y + 1024.0 * z);
                memcpy(r->memory + place_in(r->m, &f, i, y, z), &v, 4);
            }
    return f;
}
// A place by quarters of a texel, inside; a point filter is never between two. Its slice.
static inline double random_place(const struct picture_facts *f, const struct sampling *x,
                                  struct lane_values *v, double texel[3]) {
    const enum dim dim = kinds[x->kind].dim;
    for (unsigned i = 0; i < 2; i++) {
        const double size = i ? f->height : f->width;
        texel[i] = size == 1 ? 0.5 : 5 + image_random() % 5 + (x->linear ? image_random() % 4 / 4.0 : 0.5);
        v->at[i] = texel[i] / size + (dim == D_CUBE ? 1 : 0);
        v->gradient[0][i] = v->gradient[1][i] = 0.125;
        v->offset[i] = (int)(image_random() % 7) - 3;
    }
    if (has_layers(x->kind)) return v->at[is_one_row(x->kind) ? 1 : 2] = image_random() % PLACES_D;
    if (dim == D_CUBE) { // the second cube's faces begin at 8, but at 6 in memory
        const unsigned which = image_random() % 2, face = image_random() % 6;
        v->at[2] = 8 * which + face;
        return 6 * which + face;
    }
    if (dim == D_3D) {
        texel[2] = 4 + image_random() % 2 + (x->linear ? 0.25 : 0.5);
        v->at[2] = texel[2] / PLACES_D;
        v->offset[2] = (int)(image_random() % 3) - 1;
    }
    return 0;
}
static inline void wanted_colours(const struct sampling *x, const struct lane_values *v,
                                  const double texel[3], double slice, bool below_all, double want[4]) {
    static const int8_t corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const bool gather = x->parts & P_GATHER, offset = x->parts & P_OFFSET && kinds[x->kind].dim != D_CUBE;
    for (unsigned k = 0; k < (gather ? 4u : 1u); k++) {
        double t[3];
        for (unsigned i = 0; i < 3; i++) t[i] = texel[i] - 0.5 + (offset ? v->offset[i] : 0);
        if (gather) t[0] = floor(t[0]) + corners[k][0], t[1] = floor(t[1]) + corners[k][1];
        if (is_one_row(x->kind)) t[1] = 0;
        if (kinds[x->kind].dim != D_3D) t[2] = slice;
        want[k] = x->parts & P_REFERENCE ? below_all : t[0] + 32 * t[1] + 1024 * t[2];
    }
}
// Coordinates, slices, offsets and references stand where each operation has them.
static inline void try_places(struct image_run *r, const struct sampling *x) {
    const struct picture_facts f = picture_of_places(r, x->kind);
    const struct sampler_facts sampler = {.clamp = {2, 2, 2}, .filter = x->linear, .compare = 1, .most = 15};
    const struct shape s = sampling_shape(r, x, x->parts & P_GATHER ? 4 : 1);
    char text[256];
    unsigned place[13];
    double want[64][4];
    make_resource(r->m, &f, r->memory, r->t);
    make_sampler(r->m, &sampler, r->s);
    instruction_text(r->m, &s, text, place);
    randomize(r);
    for (unsigned l = 0; l < r->lanes; l++) {
        struct lane_values v = {.bias = 1, .level = 0, .reference = l % 2 ? -5 : 1e6};
        double texel[3] = {0};
        const double slice = random_place(&f, x, &v, texel);
        assert_int_equal(put_operands(r, r->m, place, l, x->parts, x->kind, x->a16, &v), s.words);
        wanted_colours(x, &v, texel, slice, l % 2, want[l]);
    }
    instructions++;
    if (image_run(r, text)) print_error("%s: %s fault %u\n", r->m->name, text, r->fault.kind);
    assert_int_equal(r->fault.kind, 0);
    nothing_else_changed(r, V_DATA, s.data);
    for (unsigned l = 0; l < r->lanes; l++)
        for (unsigned k = 0; executes(r, l) && k < s.data; k++) {
            const double got = (double)float_of(r->after[V_DATA + k][l]);
            compared++;
            if (fabs(got - want[l][k]) <= 0.001) continue;
            fail_msg("%s: %s, lane %u, result %u: %g, not %g", r->m->name, text, l, k, got, want[l][k]);
        }
}

// The manuals say "4x1 texels", not where they begin: one component of four neighbours in a row, among them
// the nearest one.
static inline void try_row_gather(struct image_run *r) {
    const struct sampling x = {
        .name = "image_gather4h", .parts = P_GATHER, .kind = 1, .linear = true, .list = image_random() % 2};
    const struct picture_facts f = picture_of_places(r, x.kind);
    const struct sampler_facts sampler = {.clamp = {2, 2, 2}, .filter = 1, .most = 15};
    const struct shape s = sampling_shape(r, &x, 4);
    char text[256];
    unsigned place[13];
    double texel[64][3];
    make_resource(r->m, &f, r->memory, r->t);
    make_sampler(r->m, &sampler, r->s);
    instruction_text(r->m, &s, text, place);
    randomize(r);
    for (unsigned l = 0; l < r->lanes; l++) {
        struct lane_values v = {.level = 0};
        random_place(&f, &x, &v, texel[l]);
        put_operands(r, r->m, place, l, x.parts, x.kind, false, &v);
    }
    instructions++;
    assert_int_equal(image_run(r, text), SW_OK);
    nothing_else_changed(r, V_DATA, 4);
    for (unsigned l = 0; l < r->lanes; l++) {
        if (!executes(r, l)) continue;
        const double first = (double)float_of(r->after[V_DATA][l]), line = 32 * floor(first / 32),
                     from = first - line;
        for (unsigned k = 1; k < 4; k++) assert_true((double)float_of(r->after[V_DATA + k][l]) == first + k);
        assert_true(from <= texel[l][0] && texel[l][0] <= from + 4);
        assert_true(fabs(line / 32 - (texel[l][1] - 0.5)) <= 1);
        compared += 4;
    }
}

// ---- Levels ----

enum { LEVELS_SIZE = 32, LEVELS_MADE = 4 };
// Each level has one colour, 100 times its number, written by image_store_mip.
static inline void make_levels(struct image_run *r) {
    const struct picture_facts f = {.pixel = P_R32F,
                                    .type = TYPE_2D,
                                    .width = LEVELS_SIZE,
                                    .height = LEVELS_SIZE,
                                    .depth = 1,
                                    .last_level = LEVELS_MADE - 1};
    const struct shape s = {.name = "image_store_mip", .dim = D_2D, .words = 3, .data = 1, .dmask = 1};
    char text[256];
    unsigned place[13];
    make_resource(r->m, &f, r->memory, r->t);
    instruction_text(r->m, &s, text, place);
    for (unsigned level = 0; level < LEVELS_MADE; level++) {
        const unsigned size = LEVELS_SIZE >> level;
        for (unsigned first = 0; first < size * size; first += r->lanes) {
            randomize(r);
            r->exec = r->lanes == 64 ? ~0ull : 0xffffffff;
            for (unsigned l = 0; l < r->lanes; l++) {
                put_word(r, place, 0, l, (first + l) % size), put_word(r, place, 1, l, (first + l) / size);
                put_word(r, place, 2, l, level);
                r->before[V_DATA][l] = bits_of(100.0f * (float)level);
            }
            assert_int_equal(image_run(r, text), SW_OK);
        }
    }
}
static inline double wanted_level(const struct sampling *x, const struct lane_values *v,
                                  const struct sampler_facts *sampler, double derived) {
    double level = x->parts & P_LEVEL && !(x->parts & P_LIMIT) ? v->level : derived;
    if (x->parts & P_BIAS) level += v->bias;
    level = fmin(level + sampler->bias, sampler->most);
    if (x->parts & P_LIMIT) level = fmax(level, v->level);
    if (x->parts & P_ZERO) level = 0;
    return fmin(fmax(level, 0), LEVELS_MADE - 1);
}
// The level that is sampled, where make_levels was. Comparisons take the nearest level.
static inline void try_levels(struct image_run *r, const struct sampling *x, double bias, double most) {
    const bool compares = x->parts & P_REFERENCE;
    const struct sampler_facts sampler = {
        .clamp = {2, 2, 2}, .filter = 1, .mip = compares ? 1 : 2, .compare = 1, .most = most, .bias = bias};
    const struct shape s = sampling_shape(r, x, 1);
    char text[256];
    unsigned place[13], across = 0, down = 0; // powers of two, in texels
    double want[64];
    make_sampler(r->m, &sampler, r->s);
    instruction_text(r->m, &s, text, place);
    randomize(r);
    for (unsigned l = 0; l < r->lanes; l++) {
        if (l % 4 == 0) across = image_random() % 5, down = image_random() % 5;
        struct lane_values v = {.bias = (double)(image_random() % 9) / 8 - 0.5,
                                .level = (double)(image_random() % 33) / 8 - 0.5,
                                .reference = 100.0 * (image_random() % LEVELS_MADE) - 50};
        v.at[0] = 0.25 + (l & 1) * ldexp(1, (int)across) / LEVELS_SIZE;
        v.at[1] = 0.25 + (l >> 1 & 1) * ldexp(1, (int)down) / LEVELS_SIZE;
        if (x->parts & P_GRADIENTS)
            v.at[0] = v.at[1] = 0.5, v.gradient[0][0] = ldexp(1, (int)across) / LEVELS_SIZE,
            v.gradient[1][1] = ldexp(1, (int)down) / LEVELS_SIZE;
        put_operands(r, r->m, place, l, x->parts, x->kind, x->a16, &v);
        const double level = wanted_level(x, &v, &sampler, across > down ? across : down);
        const bool between = level - floor(level) == 0.5;
        want[l] = !compares ? 100 * level : between ? NAN : v.reference < 100 * floor(level + 0.5);
    }
    instructions++;
    assert_int_equal(image_run(r, text), SW_OK);
    for (unsigned l = 0; l < r->lanes; l++) {
        const double got = (double)float_of(r->after[V_DATA][l]);
        if (!executes(r, l) || isnan(want[l])) continue;
        compared++;
        if (fabs(got - want[l]) > (compares ? 0 : 100 / 256.0 + 1e-3))
            fail_msg("%s: %s, lane %u: %g, not %g", r->m->name, text, l, got, want[l]);
    }
}
// The level that differences between lanes ask for, within its bounds and without them.
static inline void try_get_lod(struct image_run *r, double bias) {
    const struct sampler_facts sampler = {.filter = 1, .mip = 2, .most = 2.5, .bias = bias};
    const struct shape s = {
        .name = "image_get_lod", .dim = D_2D, .words = 2, .data = 2, .dmask = 3, .sampler = true};
    char text[256];
    unsigned place[13];
    double want[64];
    int step = 0;
    make_sampler(r->m, &sampler, r->s);
    instruction_text(r->m, &s, text, place);
    randomize(r);
    for (unsigned l = 0; l < r->lanes; l++) {
        if (l % 4 == 0) step = (int)(image_random() % 8) - 2;
        put_word(r, place, 0, l, bits_of((float)(0.5 + (l & 1) * ldexp(1, step) / LEVELS_SIZE)));
        put_word(r, place, 1, l, bits_of(0.5f));
        want[l] = step + sampler.bias;
    }
    instructions++;
    assert_int_equal(image_run(r, text), SW_OK);
    for (unsigned l = 0; l < r->lanes; l++) {
        if (!executes(r, l)) continue;
        compared += 2;
        assert_true((double)float_of(r->after[V_DATA + 1][l]) == want[l]);
        assert_true((double)float_of(r->after[V_DATA][l]) == fmin(fmax(want[l], 0), 2.5));
    }
}
// What an image says of itself.
static inline void try_resinfo(struct image_run *r) {
    const struct shape q = {.name = "image_get_resinfo", .dim = D_2D, .words = 1, .data = 4, .dmask = 15};
    char text[256];
    unsigned place[13];
    instruction_text(r->m, &q, text, place);
    randomize(r);
    for (unsigned l = 0; l < r->lanes; l++) put_word(r, place, 0, l, l % 6);
    instructions++;
    assert_int_equal(image_run(r, text), SW_OK);
    for (unsigned l = 0; l < r->lanes; l++) {
        if (!executes(r, l)) continue;
        const bool there = l % 6 < LEVELS_MADE;
        assert_int_equal(r->after[V_DATA][l], there ? LEVELS_SIZE >> l % 6 : 0);
        assert_int_equal(r->after[V_DATA + 1][l], there ? LEVELS_SIZE >> l % 6 : 0);
        assert_int_equal(r->after[V_DATA + 3][l], there ? LEVELS_MADE : 0);
        compared += 3;
    }
}

#endif
