// SPDX-License-Identifier: MIT
// Where texels lie. Offsets in blocks against the published equations (hashes of them, in equations.txt). For
// random surfaces of every kind, dimension, tiling and number of levels: no two texels share bytes, none is
// outside of the surface's size, and views of a part give the addresses of the whole.
#include "texel_data.h"

static const uint8_t layouts[5] = {LAYOUT_8, LAYOUT_16, LAYOUT_32, LAYOUT_32_32, LAYOUT_32_32_32_32};

// As decoded from its own words; NULL or why not.
static const char *settle(struct texel_surface *s) {
    uint32_t words[8];
    const char *why = texel_encode_resource(s->kind, s, words);
    return why ? why : texel_decode_resource(s->kind, words, false, s);
}

static void equations(void **state) {
    (void)state;
    FILE *f = data_open("equations.txt");
    char line[200];
    unsigned checked = 0;
    while (data_line(f, line)) {
        unsigned kind, mode, thick, samples, at;
        assert_int_equal(sscanf(line, "%u %u %u %u %n", &kind, &mode, &thick, &samples, &at), 4);
        const char *text = line + at;
        for (unsigned log = 0; log < 5; log++, text += strcspn(text, " ") + 1) {
            struct texel_surface s = {.kind = (uint8_t)kind,
                                      .bound = true,
                                      .tiling = (uint8_t)mode,
                                      .levels = 1,
                                      .samples = (uint8_t)samples,
                                      .layout = layouts[log],
                                      .number = NUMBER_UINT,
                                      .width = 1024,
                                      .height = 1024,
                                      .depth = thick ? 64 : 1,
                                      .pitch = kind == RESOURCE_GFX9,
                                      .last_slice = thick ? 0 : 63};
            s.dimension = thick ? SURFACE_3D : samples > 1 ? SURFACE_2D_MSAA_ARRAY : SURFACE_2D_ARRAY;
            const char *why = settle(&s);
            if (text[0] == '-') {
                assert_non_null(why);
                continue;
            }
            if (why) fail_msg("%s: %s", line, why);
            uint64_t total, block;
            assert_true(texel_surface_bytes(&s, &total, &block));
            uint32_t seed = 1, hash = 2166136261u;
            for (unsigned i = 0; i < 64; i++) {
                uint32_t c[4];
                for (unsigned k = 0; k < 4; k++) seed = seed * 1664525 + 1013904223, c[k] = seed >> 16;
                uint64_t address;
                unsigned bytes;
                assert_true(texel_address(&s, 0, c[0] & 1023, c[1] & 1023, c[2] & 63, c[3] & (samples - 1),
                                          &address, &bytes));
                assert_int_equal(bytes, 1u << log);
                hash = (hash ^ (uint32_t)(address & (block - 1))) * 16777619;
            }
            if (hash != strtoul(text, NULL, 16)) fail_msg("%s: elements of %u bytes", line, 1u << log);
            checked++;
        }
    }
    fclose(f);
    assert_in_range(checked, 560, 700);
}

// ---- Properties ----

enum { MOST_BYTES = 64 << 20 };
static uint8_t *used; // a bit for each byte

// Every texel of every level. Returns how many elements there are.
static unsigned visit(const struct texel_surface *s, const char *what) {
    const struct texel_layout *l = &texel_layouts[s->layout];
    uint64_t total, alignment;
    unsigned count = 0;
    assert_true(texel_surface_bytes(s, &total, &alignment));
    if (total > MOST_BYTES) return 0;
    if (alignment > 256) assert_true(total % alignment == 0);
    memset(used, 0, total / 8 + 1);
    for (unsigned level = 0; level < s->levels; level++) {
        uint32_t size[3];
        texel_level_size(s, level, size);
        assert_true(size[0] && size[1] && size[2]);
        for (uint32_t z = 0; z < size[2]; z++)
            for (uint32_t y = 0; y < size[1]; y += l->height)
                for (uint32_t x = 0; x < size[0]; x += l->width)
                    for (uint32_t sample = 0; sample < s->samples; sample++) {
                        uint64_t a;
                        unsigned bytes;
                        assert_true(texel_address(s, level, x, y, z, sample, &a, &bytes));
                        a -= s->base;
                        if (a + bytes > total)
                            fail_msg("%s: level %u texel %u %u %u is at %lu of %lu", what, level, x, y, z,
                                     (unsigned long)a, (unsigned long)total);
                        for (uint64_t b = a; b < a + bytes; b++) {
                            if (used[b / 8] >> b % 8 & 1)
                                fail_msg("%s: level %u texel %u %u %u shares byte %lu", what, level, x, y, z,
                                         (unsigned long)b);
                            used[b / 8] |= (uint8_t)(1u << b % 8);
                        }
                        count++;
                    }
    }
    return count;
}

static void apart(void **state) {
    (void)state;
    uint32_t seed = 21;
    unsigned made[RESOURCE_KINDS][32] = {{0}}, chains = 0, volumes = 0, multisampled = 0;
    used = malloc(MOST_BYTES / 8 + 16);
    for (unsigned n = 0; n < 12000; n++) {
        static const uint8_t blocks[] = {LAYOUT_BC1, LAYOUT_BC7, LAYOUT_32_32_32, LAYOUT_GB_GR};
        struct texel_surface s = {.kind = (uint8_t)random_below(&seed, RESOURCE_KINDS),
                                  .bound = true,
                                  .samples = 1,
                                  .levels = 1,
                                  .depth = 1,
                                  .base = 1ull << 40};
        s.layout = random_below(&seed, 5) ? layouts[random_below(&seed, 5)] : blocks[random_below(&seed, 4)];
        s.number = texel_layouts[s.layout].kind == TEXEL_COMPONENTS ? NUMBER_UINT : NUMBER_UNORM;
        s.dimension = (uint8_t)random_below(&seed, 8);
        s.tiling = (uint8_t)random_below(&seed, 32);
        if (!random_below(&seed, 6)) s.tiling = s.kind <= RESOURCE_GFX8 ? 8 : 0;
        const uint32_t side = random_below(&seed, 4) ? 70 : 300;
        s.width = 1 + random_below(&seed, side), s.height = 1 + random_below(&seed, side);
        const bool flat = s.dimension == SURFACE_1D || s.dimension == SURFACE_1D_ARRAY;
        if (flat) s.height = 1, s.width *= 8;
        if (s.dimension == SURFACE_3D) s.depth = 1 + random_below(&seed, 20);
        if (s.dimension >= SURFACE_CUBE && s.dimension != SURFACE_2D_MSAA)
            s.last_slice = random_below(&seed, 5);
        if (s.dimension >= SURFACE_2D_MSAA) {
            s.samples = (uint8_t)(2 << random_below(&seed, 3));
        } else if (random_below(&seed, 2)) {
            uint32_t most = s.width > s.height ? s.width : s.height;
            if (s.depth > most) most = s.depth;
            s.levels = (uint8_t)(32 - __builtin_clz(most));
            if (random_below(&seed, 2)) s.levels = (uint8_t)(1 + random_below(&seed, s.levels));
            s.last_level = (uint8_t)(s.levels - 1);
        }
        s.pow2_pad = s.kind <= RESOURCE_GFX8 && s.levels > 1;
        const uint32_t width = (s.width + texel_layouts[s.layout].width - 1) / texel_layouts[s.layout].width;
        if (s.kind <= RESOURCE_GFX9) s.pitch = (width + 255) / 256 * 256;
        if (s.kind >= RESOURCE_GFX103 && s.dimension <= SURFACE_2D && s.levels == 1 && !s.tiling)
            s.pitch = width + 7;
        if (settle(&s)) continue;
        char what[80];
        snprintf(what, sizeof what,
                 "kind %u dimension %u tiling %u layout %u, %ux%ux%u, %u levels, %u samples", s.kind,
                 s.dimension, s.tiling, s.layout, s.width, s.height, s.depth, s.levels, s.samples);
        if (!visit(&s, what)) continue;
        made[s.kind][s.tiling]++;
        chains += s.levels > 1, volumes += s.dimension == SURFACE_3D, multisampled += s.samples > 1;
    }
    free(used);
    assert_true(chains > 300 && volumes > 100 && multisampled > 20);
    // Each mode that there is was met.
    static const uint32_t modes[RESOURCE_KINDS] = {0x2300,     0x2320,     0x0fff0fff, 0x0f660667,
                                                   0x9f660667, 0xff660665, 0xff};
    for (unsigned k = 0; k < RESOURCE_KINDS; k++)
        for (unsigned m = 0; m < 32; m++)
            if (!made[k][m] != !(modes[k] >> m & 1))
                fail_msg("kind %u mode %u: met %u times", k, m, made[k][m]);
}

// A view of some levels and slices, and a view with a swizzle of pipes in its base.
static void views(void **state) {
    (void)state;
    uint32_t seed = 5;
    for (unsigned n = 0; n < 3000; n++) {
        static const uint8_t modes[RESOURCE_KINDS][3] = {{8, 9, 13},  {8, 9, 13},  {0, 9, 6}, {0, 27, 9},
                                                         {0, 27, 31}, {0, 27, 30}, {0, 3, 4}};
        const enum resource_kind k = n % RESOURCE_KINDS;
        struct texel_surface s = {.kind = (uint8_t)k,
                                  .bound = true,
                                  .samples = 1,
                                  .levels = 9,
                                  .last_level = 8,
                                  .depth = 1,
                                  .base = 3ull << 32,
                                  .layout = LAYOUT_8_8_8_8,
                                  .number = NUMBER_UINT,
                                  .width = 300,
                                  .height = 200,
                                  .dimension = SURFACE_2D_ARRAY,
                                  .last_slice = 6,
                                  .tiling = modes[k][random_below(&seed, 3)],
                                  .pitch = k <= RESOURCE_GFX9 ? 320 : 0};
        struct texel_surface view = s;
        view.first_level = (uint8_t)random_below(&seed, 9), view.first_slice = random_below(&seed, 7);
        assert_null(settle(&s));
        assert_null(settle(&view));
        uint32_t size[3];
        const unsigned level = random_below(&seed, 9u - view.first_level);
        texel_level_size(&view, level, size);
        const uint32_t x = random_below(&seed, size[0]), y = random_below(&seed, size[1]),
                       z = random_below(&seed, size[2]);
        uint64_t a, b;
        unsigned bytes;
        assert_true(texel_address(&view, level, x, y, z, 0, &a, &bytes));
        assert_true(texel_address(&s, level + view.first_level, x, y, z + view.first_slice, 0, &b, &bytes));
        assert_true(a == b);
        if (k < RESOURCE_GFX9 || !s.tiling) continue;
        uint64_t total, block;
        texel_surface_bytes(&s, &total, &block);
        const uint64_t swizzle = random_below(&seed, (uint32_t)block) & ~255u;
        s.base += swizzle;
        assert_null(settle(&s));
        assert_true(texel_address(&s, level + view.first_level, x, y, z + view.first_slice, 0, &b, &bytes));
        assert_true((a ^ swizzle) == b);
    }
}

// Places that follow from the rules by hand.
static void by_hand(void **state) {
    (void)state;
    uint64_t a, bytes, alignment;
    unsigned element;
    // GFX10: rows of 256 bytes, the smallest level first: 1x1, 2x1, 5x3 of 4 bytes.
    struct texel_surface s = {.kind = RESOURCE_GFX10,
                              .bound = true,
                              .samples = 1,
                              .levels = 3,
                              .last_level = 2,
                              .depth = 1,
                              .layout = LAYOUT_32,
                              .number = NUMBER_UINT,
                              .width = 5,
                              .height = 3,
                              .dimension = SURFACE_2D};
    assert_null(settle(&s));
    assert_true(texel_address(&s, 2, 0, 0, 0, 0, &a, &element) && a == 0);
    assert_true(texel_address(&s, 1, 1, 0, 0, 0, &a, &element) && a == 256 + 4);
    assert_true(texel_address(&s, 0, 4, 2, 0, 0, &a, &element) && a == 256 + 2 * 256 + 2 * 256 + 16);
    assert_true(texel_surface_bytes(&s, &bytes, &alignment) && bytes == 6 * 256 && alignment == 256);
    // GFX12: rows of 128 bytes.
    s.kind = RESOURCE_GFX12, s.levels = 1, s.last_level = 0;
    assert_null(settle(&s));
    assert_true(texel_address(&s, 0, 4, 2, 0, 0, &a, &element) && a == 2 * 128 + 16);
    // GFX9: levels below each other, in rows as long as the first says.
    s.kind = RESOURCE_GFX9, s.levels = 2, s.last_level = 1, s.pitch = 64;
    assert_null(settle(&s));
    assert_true(texel_address(&s, 1, 1, 0, 0, 0, &a, &element) && a == 3 * 256 + 4);
    // GFX12, 64 KiB blocks of 128 by 128: the tail starts at 64 by 128, at 32 KiB of the first block.
    s = (struct texel_surface){.kind = RESOURCE_GFX12,
                               .bound = true,
                               .samples = 1,
                               .levels = 9,
                               .last_level = 8,
                               .depth = 1,
                               .layout = LAYOUT_32,
                               .number = NUMBER_UINT,
                               .width = 256,
                               .height = 256,
                               .tiling = 3,
                               .dimension = SURFACE_2D};
    assert_null(settle(&s));
    assert_true(texel_address(&s, 2, 0, 0, 0, 0, &a, &element) && a == 32768);
    assert_true(texel_address(&s, 3, 0, 0, 0, 0, &a, &element) && a == 16384);
    assert_true(texel_address(&s, 8, 0, 0, 0, 0, &a, &element) && a == 5 * 256);
    assert_true(texel_address(&s, 1, 0, 0, 0, 0, &a, &element) && a == 65536);
    assert_true(texel_address(&s, 0, 0, 0, 0, 0, &a, &element) && a == 2 * 65536);
    // GFX9, 4 KiB blocks of 32 by 32 in rows of 8: levels below, to the right, below, then the tail to the
    // right.
    s = (struct texel_surface){.kind = RESOURCE_GFX9,
                               .bound = true,
                               .samples = 1,
                               .levels = 9,
                               .last_level = 8,
                               .depth = 1,
                               .layout = LAYOUT_32,
                               .number = NUMBER_UINT,
                               .width = 256,
                               .height = 256,
                               .tiling = 5,
                               .dimension = SURFACE_2D,
                               .pitch = 256};
    static const uint32_t places[][3] = {{0, 0, 0},  {0, 8, 0},  {4, 8, 0}, {4, 10, 0},
                                         {5, 10, 8}, {5, 10, 6}, {5, 10, 5}};
    assert_null(settle(&s));
    for (unsigned level = 0; level < sizeof places / sizeof *places; level++) {
        const uint32_t *p = places[level];
        assert_true(texel_address(&s, level, 0, 0, 0, 0, &a, &element));
        assert_int_equal(a, (p[1] * 8 + p[0]) * 4096 + p[2] * 256);
    }
    // Micro tiles of GFX6: texel (3, 1) of the second tile, 4 bytes, display order x0 x1 y0 x2 y1 y2.
    s = (struct texel_surface){.kind = RESOURCE_GFX6,
                               .bound = true,
                               .samples = 1,
                               .levels = 1,
                               .depth = 1,
                               .pitch = 16,
                               .layout = LAYOUT_32,
                               .number = NUMBER_UINT,
                               .width = 16,
                               .height = 16,
                               .tiling = 9,
                               .dimension = SURFACE_2D};
    assert_null(settle(&s));
    assert_true(texel_address(&s, 0, 11, 1, 0, 0, &a, &element) && a == (64 + 7) * 4);
    // What is not done has its name.
    s.tiling = 14;
    assert_string_equal(settle(&s), "tiling mode 14");
    s.bound = true, s.kind = RESOURCE_GFX11, s.tiling = 1, s.pitch = 0;
    assert_string_equal(settle(&s), "tiling mode 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations),
        cmocka_unit_test(apart),
        cmocka_unit_test(views),
        cmocka_unit_test(by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
