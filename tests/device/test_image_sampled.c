// SPDX-License-Identifier: MIT
// Samples and gathers on each generation: pictures whose colour is a linear function of the place, so that
// every linear filter must give that function again, and levels that have one colour each. The filters
// themselves: test_image_sample.c. Facts shown: TRAP-330, TRAP-336, TRAP-337, TRAP-338, TRAP-341.
#include "image_shapes.h"
#include "image_wrap.h"

__attribute__((constructor)) static void cover(void) {
    covered("image_sample"), covered("image_gather4"), covered("image_get_lod"), covered("image_get_resinfo");
}

// ---- Samples ----

enum part {
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
static const struct variant {
    const char *name;
    unsigned parts, from, until; // layouts that have it
} variants[] = {
    {"image_sample", 0, 0, 9},
    {"image_sample_l", P_LEVEL, 0, 9},
    {"image_sample_lz", P_ZERO, 0, 9},
    {"image_sample_b", P_BIAS, 0, 9},
    {"image_sample_d", P_GRADIENTS, 0, 9},
    {"image_sample_cl", P_LEVEL | P_LIMIT, 0, 9},
    {"image_sample_d_cl", P_GRADIENTS | P_LEVEL | P_LIMIT, 0, 9},
    {"image_sample_b_cl", P_BIAS | P_LEVEL | P_LIMIT, 0, 9},
    {"image_sample_o", P_OFFSET, 0, 9},
    {"image_sample_c", P_REFERENCE, 0, 9},
    {"image_sample_c_l", P_REFERENCE | P_LEVEL, 0, 9},
    {"image_sample_c_lz_o", P_REFERENCE | P_OFFSET | P_ZERO, 0, 9},
    {"image_sample_l_o", P_LEVEL | P_OFFSET, 0, 9},
    {"image_sample_b_o", P_BIAS | P_OFFSET, 0, 9},
    {"image_sample_d_o", P_GRADIENTS | P_OFFSET, 0, 9},
    {"image_sample_c_b_o", P_REFERENCE | P_BIAS | P_OFFSET, 0, 9},
    {"image_sample_c_d_o", P_REFERENCE | P_GRADIENTS | P_OFFSET, 0, 9},
    {"image_sample_c_d_cl_o", P_REFERENCE | P_GRADIENTS | P_OFFSET | P_LEVEL | P_LIMIT, 0, 9},
    {"image_sample_c_b_cl_o", P_REFERENCE | P_BIAS | P_OFFSET | P_LEVEL | P_LIMIT, 0, 9},
    {"image_sample_cd", P_GRADIENTS, 0, L_GFX10_3},
    {"image_sample_c_cd_cl_o", P_REFERENCE | P_GRADIENTS | P_OFFSET | P_LEVEL | P_LIMIT, 0, L_GFX10_3},
    {"image_sample_d_g16", P_GRADIENTS | P_G16, L_GFX10, 9},
    {"image_sample_c_d_cl_o_g16", P_REFERENCE | P_GRADIENTS | P_OFFSET | P_LEVEL | P_LIMIT | P_G16, L_GFX10,
     9},
    {"image_gather4", P_GATHER, 0, 9},
    {"image_gather4_l", P_GATHER | P_LEVEL, 0, 9},
    {"image_gather4_lz_o", P_GATHER | P_OFFSET | P_ZERO, 0, 9},
    {"image_gather4_c", P_GATHER | P_REFERENCE, 0, 9},
    {"image_gather4_c_lz_o", P_GATHER | P_REFERENCE | P_OFFSET | P_ZERO, 0, 9},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

// Writes operands in their order; counts halves of dwords.
struct operands {
    struct image_run *r;
    const unsigned *place;
    unsigned next, lane;
};
static void operand(struct operands *o, double v, bool half) {
    if (!half) o->next = (o->next + 1) & ~1u;
    if (o->r && half) put_half(o->r, o->place, o->next, o->lane, half_bits(v));
    if (o->r && !half) put_word(o->r, o->place, o->next / 2, o->lane, bits_of((float)v));
    o->next += half ? 1 : 2;
}
static void raw_operand(struct operands *o, uint32_t v) {
    o->next = (o->next + 1) & ~1u;
    if (o->r) put_word(o->r, o->place, o->next / 2, o->lane, v);
    o->next += 2;
}
struct lane_values {
    double at[3], gradient[2][3], bias, reference, level;
    int offset[3];
};
// The order of the manuals; the number of dwords.
static unsigned put_operands(struct image_run *r, const struct machine_kind *m, const unsigned *place,
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

// Coordinates, slices, offsets and references stand where each operation has them.
static void samples(void **state) {
    (void)state;
    enum { W = 32, H = 16, D = 8 };
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < VARIANTS * KINDS * 2; trial++) {
            const struct variant *x = &variants[trial % VARIANTS];
            const unsigned kind = trial / VARIANTS % KINDS;
            const enum dim dim = kinds[kind].dim;
            const bool a16 = has_a16(r.m) && trial / VARIANTS >= KINDS, cube = dim == D_CUBE,
                       one = dim == D_1D || dim == D_1D_ARRAY;
            const bool gather = x->parts & P_GATHER, has_slices = dim == D_1D_ARRAY || dim == D_2D_ARRAY;
            if (r.m->layout < x->from || r.m->layout > x->until || (r.m->few && trial % VARIANTS) ||
                (gather && dim != D_2D && dim != D_2D_ARRAY && !cube))
                continue;
            struct picture_facts f = {.pixel = P_R32F,
                                      .type = kinds[kind].type,
                                      .width = W,
                                      .height = one    ? 1
                                                : cube ? W
                                                       : H,
                                      .depth = dim == D_3D || has_slices ? D
                                               : cube                    ? 12
                                                                         : 1};
            for (unsigned z = 0; z < f.depth; z++)
                for (unsigned y = 0; y < f.height; y++)
                    for (unsigned i = 0; i < W; i++) {
                        const float v = (float)(i + 32.0 * y + 1024.0 * z);
                        memcpy(r.memory + place_in(r.m, &f, i, y, z), &v, 4);
                    }
            make_resource(r.m, &f, r.memory, r.t);
            const bool linear = trial & 1 || gather;
            const struct sampler_facts sampler = {
                .clamp = {2, 2, 2}, .filter = linear, .compare = 1, .most = 15};
            make_sampler(r.m, &sampler, r.s);
            struct lane_values none = {.at = {0}};
            struct shape s = {.name = x->name,
                              .dim = dim,
                              .data = gather ? 4 : 1,
                              .dmask = 1,
                              .list = trial % 3 == 0,
                              .sampler = true,
                              .a16 = a16};
            s.words = put_operands(NULL, r.m, NULL, 0, x->parts, kind, a16, &none);
            char text[256];
            unsigned place[13];
            instruction_text(r.m, &s, text, place);
            randomize(&r);
            double want[64][4];
            for (unsigned l = 0; l < r.lanes; l++) {
                struct lane_values v = {.bias = 1, .level = 0, .reference = l % 2 ? -5 : 1e6};
                double texel[3] = {0};
                // By quarters of a texel, inside; a point filter is never between two.
                for (unsigned i = 0; i < 2; i++) {
                    const double size = i ? f.height : W;
                    texel[i] =
                        size == 1 ? 0.5 : 5 + image_random() % 5 + (linear ? image_random() % 4 / 4.0 : 0.5);
                    v.at[i] = texel[i] / size + (cube ? 1 : 0);
                    v.gradient[0][i] = v.gradient[1][i] = 0.125;
                    v.offset[i] = (int)(image_random() % 7) - 3;
                }
                double slice = 0;
                if (has_slices) slice = v.at[one ? 1 : 2] = image_random() % D;
                if (cube) { // the second cube's faces begin at 8, but at 6 in memory
                    const unsigned which = image_random() % 2, face = image_random() % 6;
                    v.at[2] = 8 * which + face;
                    slice = 6 * which + face;
                }
                if (dim == D_3D) {
                    texel[2] = 4 + image_random() % 2 + (linear ? 0.25 : 0.5);
                    v.at[2] = texel[2] / D;
                    v.offset[2] = (int)(image_random() % 3) - 1;
                }
                assert_int_equal(put_operands(&r, r.m, place, l, x->parts, kind, a16, &v), s.words);
                if (!(x->parts & P_OFFSET) || cube) memset(v.offset, 0, sizeof v.offset);
                static const int8_t corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
                for (unsigned k = 0; k < (gather ? 4u : 1u); k++) {
                    double t[3];
                    for (unsigned i = 0; i < 3; i++) t[i] = texel[i] - 0.5 + v.offset[i];
                    if (gather) t[0] = floor(t[0]) + corners[k][0], t[1] = floor(t[1]) + corners[k][1];
                    if (one) t[1] = 0;
                    if (dim != D_3D) t[2] = slice;
                    want[l][k] = x->parts & P_REFERENCE ? !(l % 2) ? 0 : 1 : t[0] + 32 * t[1] + 1024 * t[2];
                }
            }
            instructions++;
            if (image_run(&r, text)) print_error("%s: %s fault %u\n", r.m->name, text, r.fault.kind);
            assert_int_equal(r.fault.kind, 0);
            nothing_else_changed(&r, V_DATA, s.data);
            for (unsigned l = 0; l < r.lanes; l++)
                for (unsigned k = 0; executes(&r, l) && k < s.data; k++) {
                    compared++;
                    if (fabs((double)float_of(r.after[V_DATA + k][l]) - want[l][k]) > 0.001) {
                        print_error("%s: %s, lane %u, result %u: %g, not %g\n", r.m->name, text, l, k,
                                    (double)float_of(r.after[V_DATA + k][l]), want[l][k]);
                        fail();
                    }
                }
        }
        image_close(&r);
    }
}

// What a sampler's words say: address modes, borders, filters, the least and the most of texels, coordinates
// that count texels.
static void samplers(void **state) {
    (void)state;
    enum { W = 9, H = 7 };
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        const struct picture_facts f = {
            .pixel = P_RGBA32F, .type = TYPE_2D, .width = W, .height = H, .depth = 1};
        fill(f.pixel, r.memory, 20000);
        for (unsigned trial = 0; trial < 400; trial++) {
            struct sampler_facts sampler = {.clamp = {trial % 8, trial / 8 % 8, 0},
                                            .filter = trial / 64 % 2,
                                            .border = trial % 3,
                                            .reduction = trial / 128 % 3,
                                            .most = 15,
                                            .unnormalized = trial % 5 == 0};
            const bool linear = sampler.filter;
            // Coordinates that count texels do not repeat.
            for (unsigned i = 0; i < 2 && sampler.unnormalized; i++)
                if (sampler.clamp[i] < TO_EDGE) sampler.clamp[i] = TO_EDGE;
            struct sampler_facts words = sampler;
            const bool by_instruction = sampler.unnormalized && trial % 2; // or by the sampler
            if (by_instruction) words.unnormalized = false;
            make_resource(r.m, &f, r.memory, r.t);
            make_sampler(r.m, &words, r.s);
            const struct shape s = {
                .name = "image_sample", .dim = D_2D, .words = 2, .data = 4, .dmask = 15, .sampler = true};
            char text[256];
            unsigned place[13];
            instruction_text(r.m, &s, text, place);
            if (by_instruction) strcat(text, " unorm");
            randomize(&r);
            double want[64][4];
            bool sure[64];
            for (unsigned l = 0; l < r.lanes; l++) {
                double u[2];
                int64_t first[2];
                sure[l] = true;
                for (unsigned i = 0; i < 2; i++) {
                    const double size = i ? H : W;
                    double at = ((double)(image_random() % 100000) / 100000 * 4 - 1.5);
                    at = (double)(float)(sampler.unnormalized ? at * size : at);
                    put_word(&r, place, i, l, bits_of((float)at));
                    u[i] = unwrapped(sampler.clamp[i], sampler.unnormalized ? at / size : at, size) -
                           (linear ? 0.5 : 0);
                    first[i] = (int64_t)floor(u[i]);
                    u[i] -= (double)first[i];
                    sure[l] &= u[i] > 1 / 128.0 && u[i] < 127 / 128.0;
                }
                for (unsigned c = 0; c < 4; c++) {
                    double sum = 0, least = INFINITY, most = -INFINITY;
                    for (unsigned k = 0; k < (linear ? 4u : 1u); k++) {
                        const int64_t x = wrapped(sampler.clamp[0], first[0] + (k & 1), W);
                        const int64_t y = wrapped(sampler.clamp[1], first[1] + (k >> 1), H);
                        double texel[4] = {sampler.border == 2, sampler.border == 2, sampler.border == 2,
                                           sampler.border != 0};
                        if (x >= 0 && y >= 0)
                            decode(f.pixel, r.memory + place_in(r.m, &f, (unsigned)x, (unsigned)y, 0), texel);
                        const double weight =
                            !linear ? 1 : (k & 1 ? u[0] : 1 - u[0]) * (k >> 1 ? u[1] : 1 - u[1]);
                        sum += weight * texel[c];
                        least = fmin(least, texel[c]), most = fmax(most, texel[c]);
                    }
                    want[l][c] = sampler.reduction == 1 ? least : sampler.reduction == 2 ? most : sum;
                }
            }
            instructions++;
            assert_int_equal(image_run(&r, text), SW_OK);
            for (unsigned l = 0; l < r.lanes; l++)
                for (unsigned c = 0; c < 4 && executes(&r, l) && sure[l]; c++) {
                    const double got = (double)float_of(r.after[V_DATA + c][l]);
                    // Texels are below 32,768: a step of weights of 1/256 in each direction.
                    const double bound = linear && !sampler.reduction ? 65536 * 2 / 256.0 : 0;
                    compared++;
                    if (fabs(got - want[l][c]) > bound) {
                        print_error("%s: modes %u %u, border %u, filter %u: %g, not %g\n", r.m->name,
                                    sampler.clamp[0], sampler.clamp[1], sampler.border, sampler.filter, got,
                                    want[l][c]);
                        fail();
                    }
                }
        }
        image_close(&r);
    }
}

// Levels: each has one colour, 100 times its number, written by image_store_mip.
static void levels(void **state) {
    (void)state;
    enum { SIZE = 32, LEVELS = 4 };
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        const struct picture_facts f = {.pixel = P_R32F,
                                        .type = TYPE_2D,
                                        .width = SIZE,
                                        .height = SIZE,
                                        .depth = 1,
                                        .last_level = LEVELS - 1};
        make_resource(r.m, &f, r.memory, r.t);
        char text[256];
        unsigned place[13];
        for (unsigned level = 0; level < LEVELS; level++) {
            const unsigned size = SIZE >> level;
            const struct shape s = {
                .name = "image_store_mip", .dim = D_2D, .words = 3, .data = 1, .dmask = 1};
            instruction_text(r.m, &s, text, place);
            for (unsigned first = 0; first < size * size; first += r.lanes) {
                randomize(&r);
                r.exec = r.lanes == 64 ? ~0ull : 0xffffffff;
                for (unsigned l = 0; l < r.lanes; l++) {
                    put_word(&r, place, 0, l, (first + l) % size),
                        put_word(&r, place, 1, l, (first + l) / size);
                    put_word(&r, place, 2, l, level);
                    r.before[V_DATA][l] = bits_of(100.0f * (float)level);
                }
                assert_int_equal(image_run(&r, text), SW_OK);
            }
        }
        for (unsigned trial = 0; trial < VARIANTS * 4; trial++) {
            const struct variant *x = &variants[trial % VARIANTS];
            const bool a16 = has_a16(r.m) && trial / VARIANTS % 2;
            if (r.m->layout < x->from || r.m->layout > x->until || (r.m->few && trial % VARIANTS) ||
                x->parts & (P_GATHER | P_REFERENCE))
                continue;
            const struct sampler_facts sampler = {.clamp = {2, 2, 2},
                                                  .filter = 1,
                                                  .mip = 2,
                                                  .most = trial % 3 ? 15 : 2.25,
                                                  .bias = trial % 5 ? 0 : 0.25};
            make_sampler(r.m, &sampler, r.s);
            struct lane_values none = {.at = {0}};
            struct shape s = {.name = x->name,
                              .dim = D_2D,
                              .data = 1,
                              .dmask = 1,
                              .list = trial % 2,
                              .sampler = true,
                              .a16 = a16};
            s.words = put_operands(NULL, r.m, NULL, 0, x->parts, 1, a16, &none);
            instruction_text(r.m, &s, text, place);
            randomize(&r);
            double want[64];
            for (unsigned l = 0; l < r.lanes; l++) {
                static unsigned across, down;
                if (l % 4 == 0)
                    across = image_random() % 5, down = image_random() % 5; // powers of two, in texels
                struct lane_values v = {.bias = (double)(image_random() % 9) / 8 - 0.5,
                                        .level = (double)(image_random() % 33) / 8 - 0.5};
                v.at[0] = 0.25 + (l & 1) * ldexp(1, (int)across) / SIZE;
                v.at[1] = 0.25 + (l >> 1 & 1) * ldexp(1, (int)down) / SIZE;
                if (x->parts & P_GRADIENTS)
                    v.at[0] = v.at[1] = 0.5, v.gradient[0][0] = ldexp(1, (int)across) / SIZE,
                    v.gradient[1][1] = ldexp(1, (int)down) / SIZE;
                put_operands(&r, r.m, place, l, x->parts, 1, a16, &v);
                double level = across > down ? across : down;
                if (x->parts & P_LEVEL && !(x->parts & P_LIMIT)) level = v.level;
                if (x->parts & P_BIAS) level += v.bias;
                level = fmin(level + sampler.bias, sampler.most);
                if (x->parts & P_LIMIT) level = fmax(level, v.level);
                if (x->parts & P_ZERO) level = 0;
                want[l] = 100 * fmin(fmax(level, 0), LEVELS - 1);
            }
            instructions++;
            assert_int_equal(image_run(&r, text), SW_OK);
            for (unsigned l = 0; l < r.lanes; l++) {
                if (!executes(&r, l)) continue;
                compared++;
                if (fabs((double)float_of(r.after[V_DATA][l]) - want[l]) > 100 / 256.0 + 1e-3) {
                    print_error("%s: %s, lane %u: %g, not %g\n", r.m->name, text, l,
                                (double)float_of(r.after[V_DATA][l]), want[l]);
                    fail();
                }
            }
        }
        // The level that differences between lanes ask for, within its bounds and without them.
        for (unsigned trial = 0; trial < 8 && !r.m->few; trial++) {
            const struct sampler_facts sampler = {
                .filter = 1, .mip = 2, .most = 2.5, .bias = trial % 2 ? 0.5 : 0};
            make_sampler(r.m, &sampler, r.s);
            const struct shape s = {
                .name = "image_get_lod", .dim = D_2D, .words = 2, .data = 2, .dmask = 3, .sampler = true};
            instruction_text(r.m, &s, text, place);
            randomize(&r);
            double want[64];
            for (unsigned l = 0; l < r.lanes; l++) {
                static int step;
                if (l % 4 == 0) step = (int)(image_random() % 8) - 2;
                put_word(&r, place, 0, l, bits_of((float)(0.5 + (l & 1) * ldexp(1, step) / SIZE)));
                put_word(&r, place, 1, l, bits_of(0.5f));
                want[l] = step + sampler.bias;
            }
            instructions++;
            assert_int_equal(image_run(&r, text), SW_OK);
            for (unsigned l = 0; l < r.lanes; l++) {
                if (!executes(&r, l)) continue;
                compared += 2;
                assert_true((double)float_of(r.after[V_DATA + 1][l]) == want[l]);
                assert_true((double)float_of(r.after[V_DATA][l]) == fmin(fmax(want[l], 0), 2.5));
            }
        }
        // What an image says of itself.
        const struct shape q = {.name = "image_get_resinfo", .dim = D_2D, .words = 1, .data = 4, .dmask = 15};
        instruction_text(r.m, &q, text, place);
        randomize(&r);
        for (unsigned l = 0; l < r.lanes; l++) put_word(&r, place, 0, l, l % 6);
        assert_int_equal(image_run(&r, text), SW_OK);
        for (unsigned l = 0; l < r.lanes; l++) {
            if (!executes(&r, l)) continue;
            const bool there = l % 6 < LEVELS;
            assert_int_equal(r.after[V_DATA][l], there ? SIZE >> l % 6 : 0);
            assert_int_equal(r.after[V_DATA + 1][l], there ? SIZE >> l % 6 : 0);
            assert_int_equal(r.after[V_DATA + 3][l], there ? LEVELS : 0);
            compared += 3;
        }
        image_close(&r);
    }
}

static void count(void **state) {
    (void)state;
    print_message("%u instructions, %u values compared\n", instructions, compared);
    assert_true(instructions > 2000 && compared > 100000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples), cmocka_unit_test(samplers),
                                       cmocka_unit_test(levels), cmocka_unit_test(count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
