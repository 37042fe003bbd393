// SPDX-License-Identifier: MIT
// Images and samplers of the public interface: words say what the caller said, texels come back from every
// kind of image of every processor that has images, no two share a byte, and what cannot be is refused by a
// message.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softwave/image.h"
#include "target/target.h"
#include "texel/surface.h"

static char told[512];
static void report(void *context, const sw_diagnostic *d) {
    (void)context;
    snprintf(told, sizeof told, "%s", d->message);
}
static const sw_sink sink = {report, NULL};

static const sw_processor *processor(const char *name) { return sw_processor_find(name, strlen(name)); }

static const sw_image shapes[] = {
    {.dimension = SW_IMAGE_1D, .width = 37},
    {.dimension = SW_IMAGE_2D, .width = 37, .height = 21},
    {.dimension = SW_IMAGE_2D, .width = 64, .height = 64, .levels = 7},
    {.dimension = SW_IMAGE_3D, .width = 20, .height = 9, .depth = 5},
    {.dimension = SW_IMAGE_CUBE, .width = 16, .height = 16},
    {.dimension = SW_IMAGE_1D_ARRAY, .width = 33, .layers = 4},
    {.dimension = SW_IMAGE_2D_ARRAY, .width = 12, .height = 30, .layers = 3, .levels = 2},
};
static const char *const formats[] = {"r8",          "rgba8",     "bgra8",    "rg16f",
                                      "rgba32f",     "bc1_unorm", "BC7_SRGB", "2_10_10_10_unorm",
                                      "5_6_5_unorm", "32_32_uint"};

// Bytes of plain rows by the sizes of levels alone.
static uint64_t plain_bytes(const sw_image *i, const sw_image_memory *m) {
    uint64_t all = 0;
    const unsigned layers = i->layers ? i->layers : i->dimension == SW_IMAGE_CUBE ? 6 : 1;
    for (unsigned l = 0; l < (i->levels ? i->levels : 1); l++) {
        const uint32_t w = i->width >> l ? i->width >> l : 1, h = i->height >> l ? i->height >> l : 1,
                       d = i->depth >> l ? i->depth >> l : 1;
        all += (uint64_t)((w + m->block_width - 1) / m->block_width) *
               ((h + m->block_height - 1) / m->block_height) * d * layers * m->element_bytes;
    }
    return all;
}

static void texels_come_back(void **state) {
    (void)state;
    unsigned tried = 0;
    for (unsigned n = 0; n < sw_processor_count(); n++)
        for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++)
            for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++) {
                sw_image i = shapes[k];
                sw_image_memory m = {.size = sizeof m};
                i.size = sizeof i, i.processor = sw_processor_at(n), i.format = formats[f];
                if (!has(i.processor, CAP_extended_image)) {
                    assert_int_equal(sw_image_measure(&i, &m, &sink), SW_UNSUPPORTED);
                    assert_non_null(strstr(told, "has no images"));
                    continue;
                }
                const sw_status status = sw_image_measure(&i, &m, &sink);
                if (status)
                    fail_msg("%s, %s, shape %u: %s", sw_processor_name(i.processor), formats[f], k, told);
                assert_true(m.plain_bytes == plain_bytes(&i, &m));
                uint8_t *plain = malloc(m.plain_bytes), *back = malloc(m.plain_bytes),
                        *memory = malloc(m.bytes + 64);
                for (uint64_t at = 0; at < m.plain_bytes; at++) plain[at] = (uint8_t)(at * 2654435761u >> 13);
                memset(memory, 0xa5, m.bytes + 64);
                assert_int_equal(sw_image_put(&i, memory, plain, &sink), SW_OK);
                for (unsigned b = 0; b < 64; b++) assert_int_equal(memory[m.bytes + b], 0xa5);
                assert_int_equal(sw_image_get(&i, memory, back, &sink), SW_OK);
                if (memcmp(plain, back, m.plain_bytes))
                    fail_msg("%s, %s, shape %u: other texels", sw_processor_name(i.processor), formats[f], k);
                free(plain), free(back), free(memory);
                tried++;
            }
    print_message("%u images\n", tried);
    assert_true(tried > 1000);
}

// The words, read again, have the sizes, the format, and the base.
static void words_say_it(void **state) {
    (void)state;
    static const char *const names[] = {"gfx600",  "gfx803",  "gfx900", "gfx1010",
                                        "gfx1030", "gfx1100", "gfx1200"};
    for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
        for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
            static const uint8_t dimensions[] = {SURFACE_1D,   SURFACE_2D,       SURFACE_3D,
                                                 SURFACE_CUBE, SURFACE_1D_ARRAY, SURFACE_2D_ARRAY};
            sw_image i = shapes[k];
            uint32_t words[8];
            struct texel_surface s;
            i.size = sizeof i, i.processor = processor(names[n]), i.format = "rgba16f";
            assert_int_equal(sw_image_resource(&i, 0x123456789a00, words, &sink), SW_OK);
            assert_null(texel_decode_resource((enum resource_kind)fact(i.processor, FACT_resource), words,
                                              false, &s));
            assert_true(s.base == (0x123456789a00 & 0xffffffffffff) ||
                        s.base == (0x123456789a00 & 0xffffffffff));
            assert_int_equal(s.dimension, dimensions[i.dimension]);
            assert_int_equal(s.width, i.width);
            if (i.height) assert_int_equal(s.height, i.height);
            if (i.depth) assert_int_equal(s.depth, i.depth);
            assert_int_equal(s.layout, LAYOUT_16_16_16_16);
            assert_int_equal(s.number, NUMBER_FLOAT);
            assert_int_equal(s.last_level + 1u, i.levels ? i.levels : 1);
            assert_int_equal(s.last_slice + 1u, i.layers ? i.layers : i.dimension == SW_IMAGE_CUBE ? 6 : 1);
        }
}

static void samplers_say_it(void **state) {
    (void)state;
    static const char *const names[] = {"gfx600",  "gfx803",  "gfx900", "gfx1010",
                                        "gfx1030", "gfx1100", "gfx1200"};
    static const uint8_t clamps[] = {CLAMP_LAST_TEXEL, CLAMP_WRAP, CLAMP_MIRROR, CLAMP_MIRROR_ONCE_LAST,
                                     CLAMP_BORDER};
    for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
        for (unsigned a = 0; a < 5; a++)
            for (unsigned bits = 0; bits < 8; bits++) {
                sw_sampler g = {.size = sizeof g,
                                .processor = processor(names[n]),
                                .address = {(sw_sampler_address)a, SW_ADDRESS_CLAMP, SW_ADDRESS_BORDER},
                                .filter = (sw_sampler_filter)(bits & 1),
                                .levels = (sw_sampler_filter)(bits >> 1 & 1),
                                .border = (sw_sampler_border)(a % 3),
                                .anisotropy = bits & 4 ? 8 : 0,
                                .most_level = 2.5f};
                uint32_t words[4];
                struct texel_sampler s;
                assert_int_equal(sw_sampler_resource(&g, words, &sink), SW_OK);
                texel_decode_sampler((enum resource_kind)fact(g.processor, FACT_resource), words, &s);
                assert_int_equal(s.clamp[0], clamps[a]);
                assert_int_equal(s.clamp[1], CLAMP_LAST_TEXEL);
                assert_int_equal(s.clamp[2], CLAMP_BORDER);
                assert_int_equal(s.mag & 1, bits & 1);
                assert_int_equal(s.min & 1, bits & 1);
                assert_int_equal(s.mip_filter, bits & 2 ? MIP_LINEAR : MIP_POINT);
                assert_int_equal(s.border_type, a % 3);
                assert_int_equal(s.max_aniso, bits & 4 ? 8 : 1);
                assert_true(s.max_lod == 2.5f);
                g.texels = true;
                assert_int_equal(sw_sampler_resource(&g, words, &sink),
                                 a == SW_ADDRESS_CLAMP || a == SW_ADDRESS_BORDER ? SW_OK : SW_UNSUPPORTED);
            }
}

static void what_cannot_be(void **state) {
    (void)state;
    static const struct {
        sw_image image;
        sw_status status;
        const char *text;
    } cases[] = {
        {{.format = "rgb7", .dimension = SW_IMAGE_2D, .width = 4, .height = 4},
         SW_USAGE,
         "no image format 'rgb7'"},
        {{.dimension = SW_IMAGE_2D, .width = 4}, SW_USAGE, "do not fit"},
        {{.dimension = SW_IMAGE_1D, .width = 4, .height = 4}, SW_USAGE, "do not fit"},
        {{.dimension = SW_IMAGE_2D, .width = 4, .height = 4, .layers = 2}, SW_USAGE, "do not fit"},
        {{.dimension = SW_IMAGE_CUBE, .width = 4, .height = 8}, SW_USAGE, "square"},
        {{.dimension = SW_IMAGE_2D, .width = 4, .height = 4, .levels = 4}, SW_USAGE, "too small"},
        {{.dimension = SW_IMAGE_2D, .width = 20000, .height = 4}, SW_UNSUPPORTED, "16384"},
        {{.format = "6_5_5_unorm", .dimension = SW_IMAGE_2D, .width = 4, .height = 4},
         SW_UNSUPPORTED,
         "6_5_5_unorm"},
        {{.dimension = (sw_image_dimension)9, .width = 4}, SW_USAGE, "dimension"},
    };
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        sw_image i = cases[k].image;
        uint32_t words[8];
        i.size = sizeof i, i.processor = processor("gfx1100");
        *told = 0;
        assert_int_equal(sw_image_resource(&i, 0, words, &sink), cases[k].status);
        if (!strstr(told, cases[k].text)) fail_msg("case %u: %s", k, told);
    }
    sw_image misplaced = {
        .size = sizeof misplaced, .processor = processor("gfx1100"), .dimension = SW_IMAGE_1D, .width = 4};
    uint32_t words[8];
    assert_int_equal(sw_image_resource(&misplaced, 100, words, &sink), SW_USAGE);
    const sw_sampler none = {.size = sizeof none, .processor = processor("gfx90a")};
    assert_int_equal(sw_sampler_resource(&none, words, &sink), SW_UNSUPPORTED);
    assert_non_null(strstr(told, "gfx90a has no images"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texels_come_back),
        cmocka_unit_test(words_say_it),
        cmocka_unit_test(samplers_say_it),
        cmocka_unit_test(what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
