// SPDX-License-Identifier: MIT
// Samples and gathers on each generation: pictures whose colour is a linear function of the place, so that
// every linear filter must give that function again, and levels that have one colour each. The filters
// themselves: test_image_sample.c. Facts shown: TRAP-330, TRAP-336, TRAP-337, TRAP-338, TRAP-341.
#include "image_sampled.h"
#include "image_wrap.h"

__attribute__((constructor)) static void cover(void) {
    covered("image_sample"), covered("image_gather4"), covered("image_get_lod"), covered("image_get_resinfo");
}

// ---- Samples ----

static const struct variant {
    const char *name;
    unsigned from, until; // layouts that have it
} variants[] = {
    {"image_sample", 0, 9},
    {"image_sample_l", 0, 9},
    {"image_sample_lz", 0, 9},
    {"image_sample_b", 0, 9},
    {"image_sample_d", 0, 9},
    {"image_sample_cl", 0, 9},
    {"image_sample_d_cl", 0, 9},
    {"image_sample_b_cl", 0, 9},
    {"image_sample_o", 0, 9},
    {"image_sample_c", 0, 9},
    {"image_sample_c_l", 0, 9},
    {"image_sample_c_lz_o", 0, 9},
    {"image_sample_l_o", 0, 9},
    {"image_sample_b_o", 0, 9},
    {"image_sample_d_o", 0, 9},
    {"image_sample_c_b_o", 0, 9},
    {"image_sample_c_d_o", 0, 9},
    {"image_sample_c_d_cl_o", 0, 9},
    {"image_sample_c_b_cl_o", 0, 9},
    {"image_sample_cd", 0, L_GFX10_3},
    {"image_sample_c_cd_cl_o", 0, L_GFX10_3},
    {"image_sample_d_g16", L_GFX10, 9},
    {"image_sample_c_d_cl_o_g16", L_GFX10, 9},
    {"image_gather4", 0, 9},
    {"image_gather4_l", 0, 9},
    {"image_gather4_lz_o", 0, 9},
    {"image_gather4_c", 0, 9},
    {"image_gather4_c_lz_o", 0, 9},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static bool has_variant(const struct machine_kind *m, unsigned n) {
    return m->layout >= variants[n].from && m->layout <= variants[n].until && (!m->few || !n);
}
static void samples(void **state) {
    (void)state;
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < VARIANTS * KINDS * 2; trial++) {
            struct sampling x = {.name = variants[trial % VARIANTS].name,
                                 .kind = trial / VARIANTS % KINDS,
                                 .a16 = has_a16(r.m) && trial / VARIANTS >= KINDS,
                                 .list = trial % 3 == 0};
            x.parts = parts_of(x.name), x.linear = trial & 1 || x.parts & P_GATHER;
            if (has_variant(r.m, trial % VARIANTS) && can_sample(x.parts, x.kind)) try_places(&r, &x);
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

static void levels(void **state) {
    (void)state;
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        make_levels(&r);
        for (unsigned trial = 0; trial < VARIANTS * 4; trial++) {
            struct sampling x = {.name = variants[trial % VARIANTS].name,
                                 .kind = D_2D,
                                 .a16 = has_a16(r.m) && trial / VARIANTS % 2,
                                 .list = trial % 2};
            x.parts = parts_of(x.name);
            if (has_variant(r.m, trial % VARIANTS) && !(x.parts & P_GATHER))
                try_levels(&r, &x, trial % 5 ? 0 : 0.25, trial % 3 ? 15 : 2.25);
        }
        for (unsigned trial = 0; trial < 8 && !r.m->few; trial++) try_get_lod(&r, trial % 2 ? 0.5 : 0);
        try_resinfo(&r);
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
