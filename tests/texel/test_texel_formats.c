// SPDX-License-Identifier: MIT
// Formats of images: each number of each generation against its published name; each is read and stored, or
// refused with its name.
#include <math.h>

#include "texel/half.h"
#include "texel_data.h"

static const char *layout_name(unsigned layout) {
    static const char *const names[] = {
#define LAYOUT(name, ...) #name,
#include "texel/layouts.def"
#undef LAYOUT
    };
    return names[layout];
}
static const char *number_name(struct texel_format f) {
    static const char *const names[] = {"UNORM", "SNORM",     "USCALED", "SSCALED", "UINT",
                                        "SINT",  "SNORM_OGL", "FLOAT",   "SRGB"};
    if (f.layout == LAYOUT_BC6) return f.number == NUMBER_SNORM ? "SFLOAT" : "UFLOAT";
    return names[f.number];
}
static bool starts(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }
// Formats that nothing is done with.
static bool left_out(const char *name) {
    static const char *const names[] = {"6E4",  "7E3",  "1_",   "32_FLOAT_CLAMP", "FMASK", "MM_",  "YCBCR",
                                        "ETC2", "ASTC", "N_IN", "8_AS",           "16_AS", "32_AS"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (starts(name, names[i]) && !starts(name, "1_5")) return true;
    return !strcmp(name, "1");
}

static void unified(void **state) {
    (void)state;
    FILE *f = data_open("formats.txt");
    char line[200];
    unsigned done = 0, refused = 0, seen[2][512] = {{0}};
    while (data_line(f, line)) {
        char gen[12], way, name[60], want[60];
        unsigned value;
        assert_int_equal(sscanf(line, "%11s %c %u %59s", gen, &way, &value, name), 4);
        if (way != 'U') continue;
        struct texel_format format;
        const bool eleven = !strcmp(gen, "gfx11");
        seen[eleven][value] = 1;
        const char *why = texel_image_format(eleven ? RESOURCE_GFX12 : RESOURCE_GFX103, value, 0, &format);
        if (left_out(name)) {
            if (!why) fail_msg("%s is executed", line);
            refused++;
            continue;
        }
        if (why) fail_msg("%s: %s", line, why);
        snprintf(want, sizeof want, "%s_%s", layout_name(format.layout), number_name(format));
        if (strcmp(want, name)) fail_msg("%s: is %s", line, want);
        unsigned back, none;
        assert_true(texel_image_number(eleven ? RESOURCE_GFX11 : RESOURCE_GFX10, format, &back, &none));
        assert_int_equal(back, value);
        done++;
    }
    fclose(f);
    assert_int_equal(done, 114 + 100);
    assert_in_range(refused, 70, 100);
    for (unsigned n = 1; n < 512; n++)
        for (unsigned e = 0; e < 2; e++) {
            struct texel_format format;
            if (!seen[e][n] && !texel_image_format(e ? RESOURCE_GFX11 : RESOURCE_GFX10, n, 0, &format))
                fail_msg("format %u of no name is executed", n);
        }
}

static void pairs(void **state) {
    (void)state;
    static const char *const gens[] = {"gfx6", "gfx8", "gfx9"};
    for (unsigned g = 0; g < 3; g++) {
        char names[64][60] = {{0}}, numbers[16][60] = {{0}}, line[200];
        FILE *f = data_open("formats.txt");
        while (data_line(f, line)) {
            char gen[12], way, name[60];
            unsigned value;
            sscanf(line, "%11s %c %u %59s", gen, &way, &value, name);
            if (!strcmp(gen, gens[g])) strcpy(way == 'D' ? names[value] : numbers[value], name);
        }
        fclose(f);
        unsigned good = 0;
        for (unsigned d = 1; d < 64; d++)
            for (unsigned n = 0; n < 16; n++) {
                struct texel_format format;
                const char *why = texel_image_format(g, d, n, &format);
                if (!names[d][0] || left_out(names[d]) || !numbers[n][0]) {
                    if (!why) fail_msg("%s: %u %u", gens[g], d, n);
                    continue;
                }
                if (why) continue;
                good++;
                assert_string_equal(layout_name(format.layout), names[d]);
                if (format.layout != LAYOUT_BC6) assert_string_equal(number_name(format), numbers[n]);
                unsigned data, number;
                assert_true(texel_image_number(g, format, &data, &number));
                assert_true(data == d && number == n);
            }
        assert_int_equal(good, g ? 115 : 115 + 14);
    }
}

static struct texel_surface surface_of(enum resource_kind kind, unsigned data, unsigned number) {
    struct texel_surface s = {.kind = (uint8_t)kind,
                              .bound = true,
                              .width = 4,
                              .height = 4,
                              .depth = 1,
                              .samples = 1,
                              .levels = 1,
                              .dimension = SURFACE_2D,
                              .select = {4, 5, 6, 7},
                              .pitch = 64,
                              .tiling = kind <= RESOURCE_GFX8 ? 8 : 0};
    struct texel_format f;
    assert_null(texel_image_format(kind, data, number, &f));
    s.layout = f.layout, s.number = f.number;
    if (kind >= RESOURCE_GFX10) s.pitch = 0;
    uint32_t words[8];
    struct texel_surface out;
    assert_null(texel_encode_resource(kind, &s, words));
    assert_null(texel_decode_resource(kind, words, false, &out));
    return out;
}

// What is stored is what was loaded; which formats can be stored; what absent components are.
static void there_and_back(void **state) {
    (void)state;
    uint32_t seed = 5;
    unsigned stored = 0, not_stored = 0;
    for (unsigned data = 1; data < 183; data++) {
        struct texel_format f;
        if (texel_image_format(RESOURCE_GFX103, data, 0, &f)) continue;
        const struct texel_surface s = surface_of(RESOURCE_GFX103, data, 0);
        const struct texel_layout *l = &texel_layouts[s.layout];
        const bool whole = number_is_int(s.number);
        for (unsigned n = 0; n < 300; n++) {
            uint8_t element[16] = {0}, again[16] = {0};
            uint32_t first[4], second[4];
            for (unsigned i = 0; i < l->bytes; i++) element[i] = (uint8_t)random_below(&seed, 256);
            texel_surface_load(&s, element, 0, 0, false, first);
            if (l->components < 2) assert_int_equal(first[1], 0);
            if (l->components < 3 && l->kind != TEXEL_PAIR) assert_int_equal(first[2], 0);
            if (l->components < 4) assert_int_equal(first[3], whole ? 1 : 0x3f800000);
            if (!texel_surface_store(&s, first, false, again)) {
                assert_true(l->kind == TEXEL_BLOCK || l->kind == TEXEL_PAIR || s.number == NUMBER_SRGB);
                not_stored += !n;
                continue;
            }
            stored += !n;
            texel_surface_load(&s, again, 0, 0, false, second);
            for (unsigned c = 0; c < 4; c++)
                if (first[c] != second[c]) {
                    // NaNs of short floats become one of them, and an 11-bit float's sign is none.
                    if (s.number == NUMBER_FLOAT && isnan(bits_float(first[c])) &&
                        isnan(bits_float(second[c])))
                        continue;
                    fail_msg("format %u component %u: %x is %x", data, c, first[c], second[c]);
                }
        }
    }
    assert_int_equal(stored, 77 + 12);
    assert_int_equal(not_stored, 3 + 8 + 14);
    assert_false(texel_can_store(&(struct texel_surface){.kind = RESOURCE_GFX10, .layout = LAYOUT_5_9_9_9}));
}

// Shared exponents against the definition: the exponent of the largest, each rounded.
static void shared(void **state) {
    (void)state;
    const struct texel_surface s = surface_of(RESOURCE_GFX11, 67, 0);
    uint32_t seed = 11;
    for (unsigned n = 0; n < 20000; n++) {
        uint32_t in[4] = {0}, out[4];
        float c[3], most = 0;
        for (unsigned i = 0; i < 3; i++) {
            c[i] = ldexpf((float)random_below(&seed, 1 << 20) / (1 << 20), (int)random_below(&seed, 40) - 22);
            if (n % 10 == i) c[i] = -c[i];
            in[i] = float_bits(c[i]);
            c[i] = c[i] > 0 ? fminf(c[i], 65408) : 0;
            most = fmaxf(most, c[i]);
        }
        uint8_t element[4];
        assert_true(texel_surface_store(&s, in, false, element));
        texel_surface_load(&s, element, 0, 0, false, out);
        const float step = most < 0x1p-16f ? 0x1p-24f : ldexpf(1, ilogbf(most) - 8);
        for (unsigned i = 0; i < 3; i++) {
            const float got = bits_float(out[i]);
            if (fabsf(got - c[i]) > step)
                fail_msg("%a stored as %a", (double)c[i], (double)got); // twice after a carry
        }
    }
    const uint32_t one[4] = {0x3f800000, 0x7fc00000, 0x7f800000};
    uint8_t element[4];
    uint32_t out[4];
    texel_surface_store(&s, one, false, element);
    texel_surface_load(&s, element, 0, 0, false, out);
    assert_true(bits_float(out[1]) == 0 && bits_float(out[2]) == 65408);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unified),
        cmocka_unit_test(pairs),
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
