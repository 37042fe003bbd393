// SPDX-License-Identifier: MIT
// Image resources and samplers: where their fields are, against the published registers; words made of random
// structures say the same structures; any words are read without harm.
#include "texel/bits.h"
#include "texel_data.h"

// ---- Fields ----

// A field as the registers have it, by word and lowest bit. Fields that go on in the next word have two.
static bool published(const char *gen, char set, const struct descriptor_field *at, const char *name) {
    FILE *f = data_open("fields.txt");
    char line[200];
    unsigned covered = 0;
    const bool base = !strcmp(name, "BASE");
    if (base) covered = 32; // word 0 is not listed
    while (data_line(f, line)) {
        char g[10], field[40], reg;
        unsigned word, low, high;
        assert_int_equal(sscanf(line, "%9s %c%u %39s %u %u", g, &reg, &word, field, &low, &high), 6);
        if (strcmp(g, gen) || reg != set) continue;
        const unsigned first = word * 32 + low, want = at->word * 32u + at->low;
        if (first < want || first >= want + at->bits) continue;
        // The name, but for parts of wide fields and for those that changed their name.
        const bool part =
            base || strstr(field, name) == field || strstr(field, "_FORMAT") ||
            (!strcmp(name, "TILING") && (!strcmp(field, "SW_MODE") || !strcmp(field, "TILING_INDEX"))) ||
            (!strcmp(name, "UAV3D") && !strcmp(field, "ARRAY_PITCH"));
        if (!part) print_error("%s %s is %s\n", gen, name, field);
        if (part) covered += high - low + 1;
    }
    fclose(f);
    return covered >= at->bits;
}
static const char *const generations[RESOURCE_KINDS] = {"gfx6",  "gfx8",  "gfx9", "gfx10",
                                                        "gfx10", "gfx11", "gfx12"};

static void fields(void **state) {
    (void)state;
    unsigned checked = 0;
    for (unsigned k = 0; k < RESOURCE_KINDS; k++) {
        for (unsigned f = 0; f < RESOURCE_FIELDS; f++)
            if (resource_fields[f][k].bits) {
                if (!published(generations[k], 'R', &resource_fields[f][k], resource_field_names[f]))
                    fail_msg("%s of %s", resource_field_names[f], generations[k]);
                checked++;
            }
        for (unsigned f = 0; f < SAMPLER_FIELDS; f++)
            if (sampler_fields[f][k].bits) {
                if (!published(generations[k], 'S', &sampler_fields[f][k], sampler_field_names[f]))
                    fail_msg("%s of %s", sampler_field_names[f], generations[k]);
                checked++;
            }
    }
    assert_in_range(checked, 340, 500);
}

// The other way: a published field that decides where texels lie or what they are is in the table.
static void complete(void **state) {
    (void)state;
    static const char passed_over[][28] = {"MTYPE",
                                           "ATC",
                                           "NV",
                                           "META_",
                                           "PERF_MOD",
                                           "COUNTER_BANK_ID",
                                           "LOD_HDW_CNT_EN",
                                           "ALPHA_IS_ON_MSB",
                                           "UNUNSED",
                                           "COLOR_TRANSFORM",
                                           "LOST_",
                                           "CORNER_SAMPLES",
                                           "PRT_DEFAULT",
                                           "BIG_PAGE",
                                           "ITERATE_256",
                                           "LLC_NOALLOC",
                                           "MAX_UNCOMPRESSED_",
                                           "MAX_COMPRESSED_",
                                           "WRITE_COMPRESS_",
                                           "SAMPLE_PATTERN_",
                                           "NO_EDGE_CLAMP",
                                           "COMPRESSION_ACCESS",
                                           "ARRAY_PITCH",
                                           "DISABLE_LSB_CEIL",
                                           "FILTER_PREC_FIX",
                                           "BLEND_",
                                           "UPGRADED_DEPTH"};
    FILE *f = data_open("fields.txt");
    char line[200];
    unsigned all = 0;
    while (data_line(f, line)) {
        char g[10], field[40], reg;
        unsigned word, low, high, k;
        sscanf(line, "%9s %c%u %39s %u %u", g, &reg, &word, field, &low, &high);
        for (k = 0; strcmp(generations[k], g);) k++;
        if (k == RESOURCE_GFX10) k = RESOURCE_GFX103;
        bool known = false;
        for (unsigned i = 0; i < sizeof passed_over / sizeof *passed_over; i++)
            known |= strstr(field, passed_over[i]) == field;
        const unsigned first = word * 32 + low;
        for (unsigned i = 0; i < (reg == 'R' ? RESOURCE_FIELDS : SAMPLER_FIELDS); i++) {
            const struct descriptor_field at = reg == 'R' ? resource_fields[i][k] : sampler_fields[i][k];
            known |= first >= at.word * 32u + at.low && first < at.word * 32u + at.low + at.bits;
        }
        if (!known) fail_msg("%s is in no table", line);
        all++;
    }
    fclose(f);
    assert_in_range(all, 370, 500);
}

// ---- There and back ----

static bool has(enum resource_kind k, enum resource_field f) { return resource_fields[f][k].bits; }
static uint32_t any(uint32_t *seed, enum resource_kind k, enum resource_field f) {
    const unsigned bits = resource_fields[f][k].bits;
    return bits ? random_below(seed, 1u << bits) : 0;
}

// A surface that the kind can have; linear, as tilings follow from the same members.
static struct texel_surface random_surface(enum resource_kind k, uint32_t *seed) {
    struct texel_surface s = {.kind = (uint8_t)k, .bound = true, .samples = 1, .levels = 1, .depth = 1};
    struct texel_format format;
    do {
        const unsigned data = random_below(seed, 1u << resource_fields[RESOURCE_FORMAT][k].bits);
        if (texel_image_format(k, data, random_below(seed, 16), &format)) format.layout = 0;
    } while (!format.layout);
    s.layout = format.layout, s.number = format.number;
    for (unsigned c = 0; c < 4; c++) {
        s.select[c] = (uint8_t)random_below(seed, 8);
        s.numbers[c] = s.number == NUMBER_SRGB && c == 3 ? NUMBER_UNORM : s.number;
    }
    if (s.layout == LAYOUT_X24_8_32) s.numbers[1] = NUMBER_UINT;
    s.base = (uint64_t)random_below(seed, 1 << 20) << 28 | (uint64_t)random_below(seed, 1 << 20) << 8;
    s.dimension = (uint8_t)random_below(seed, 6);
    s.tiling = k <= RESOURCE_GFX8 ? 8 : 0;
    s.width = any(seed, k, RESOURCE_WIDTH) + 1, s.height = any(seed, k, RESOURCE_HEIGHT) + 1;
    if (s.dimension == SURFACE_1D || s.dimension == SURFACE_1D_ARRAY) s.height = 1;
    s.border_swizzle = (uint8_t)any(seed, k, RESOURCE_BC_SWIZZLE);
    s.pow2_pad = any(seed, k, RESOURCE_POW2_PAD);
    s.min_lod = (float)any(seed, k, RESOURCE_MIN_LOD) / 256;
    s.min_lod_warn = (float)any(seed, k, RESOURCE_MIN_LOD_WARN) / 256;
    const bool several = random_below(seed, 2);
    if (several) {
        s.first_level = (uint8_t)random_below(seed, 16), s.last_level = (uint8_t)random_below(seed, 16);
        s.levels = (uint8_t)(s.last_level + 1);
        if (has(k, RESOURCE_MAX_MIP)) s.levels = (uint8_t)(s.levels + random_below(seed, 16 - s.last_level));
    }
    const bool volume = s.dimension == SURFACE_3D;
    s.layered = volume && has(k, RESOURCE_UAV3D) && random_below(seed, 2);
    if (volume && !s.layered)
        s.depth = any(seed, k, RESOURCE_DEPTH) + 1;
    else if (s.dimension >= SURFACE_3D) {
        s.first_slice = any(seed, k, RESOURCE_BASE_ARRAY);
        s.last_slice = any(seed, k, k <= RESOURCE_GFX8 ? RESOURCE_LAST_ARRAY : RESOURCE_DEPTH);
    }
    const uint32_t width = (s.width + texel_layouts[s.layout].width - 1) / texel_layouts[s.layout].width;
    if (k <= RESOURCE_GFX8)
        s.pitch = (any(seed, k, RESOURCE_PITCH) + 1) / texel_layouts[s.layout].width + 1;
    else if (k == RESOURCE_GFX9)
        s.pitch = any(seed, k, RESOURCE_PITCH) + 1;
    else if (k >= RESOURCE_GFX103 && s.dimension <= SURFACE_2D && s.levels == 1 && random_below(seed, 2))
        s.pitch = width + random_below(seed, 200) + 1;
    return s;
}

static void resources(void **state) {
    (void)state;
    uint32_t seed = 7;
    unsigned made = 0;
    for (unsigned n = 0; n < 40000; n++) {
        const enum resource_kind k = n % RESOURCE_KINDS;
        const struct texel_surface s = random_surface(k, &seed);
        struct texel_surface back;
        uint32_t words[8];
        if (texel_encode_resource(k, &s, words)) continue; // a pitch too long
        const char *why = texel_decode_resource(k, words, false, &back);
        if (why) fail_msg("%s", why);
        assert_memory_equal(&back, &s, sizeof s);
        made++;
    }
    assert_in_range(made, 35000, 40000);
}

static void samplers(void **state) {
    (void)state;
    uint32_t seed = 9;
    for (unsigned n = 0; n < 20000; n++) {
        const enum resource_kind k = n % RESOURCE_KINDS;
        uint32_t words[4], once[4], twice[4];
        struct texel_sampler s, back;
        for (unsigned i = 0; i < 4; i++)
            words[i] = random_below(&seed, 1 << 16) << 16 | random_below(&seed, 1 << 16);
        texel_decode_sampler(k, words, &s);
        texel_encode_sampler(k, &s, once);
        texel_decode_sampler(k, once, &back);
        assert_memory_equal(&back, &s, sizeof s);
        texel_encode_sampler(k, &back, twice);
        assert_memory_equal(once, twice, sizeof once);
        // Nothing is lost but what the structure leaves out.
        for (unsigned f = 0; f < SAMPLER_FIELDS; f++) {
            const struct descriptor_field at = sampler_fields[f][k];
            uint64_t a = descriptor_get(words, at), b = descriptor_get(once, at);
            if (f == SAMPLER_COMPAT_MODE) continue;
            if (f == SAMPLER_MAX_ANISO_RATIO && a > 4) a = 4;
            if (a != b) fail_msg("%s", sampler_field_names[f]);
        }
    }
    // One written by hand: GFX10, linear, clamp to the last texel, levels 0 to 15, bias -0.5.
    const uint32_t words[4] = {2 | 2 << 3 | 2 << 6, 0xf00 << 12, 0x3f80 | 1 << 20 | 1 << 22 | 2 << 26,
                               1u << 30};
    struct texel_sampler s;
    texel_decode_sampler(RESOURCE_GFX10, words, &s);
    assert_int_equal(s.clamp[1], CLAMP_LAST_TEXEL);
    assert_int_equal(s.mag, FILTER_BILINEAR);
    assert_int_equal(s.mip_filter, MIP_LINEAR);
    assert_int_equal(s.border_type, BORDER_BLACK);
    assert_true(s.max_lod == 15 && s.bias == -0.5f && s.min_lod == 0 && s.max_aniso == 1);
}

// ---- Words ----

static void by_hand(void **state) {
    (void)state;
    // GFX10: 5 by 3 texels of R8G8B8A8 at 0x12345600, blue first.
    uint32_t w[8] = {0x123456, 56 << 20, 1u | 2u << 14 | 1u << 31, 6 | 5 << 3 | 4 << 6 | 7 << 9 | 9u << 28};
    struct texel_surface s;
    assert_null(texel_decode_resource(RESOURCE_GFX10, w, false, &s));
    assert_true(s.bound && s.base == 0x12345600 && s.width == 5 && s.height == 3 &&
                s.layout == LAYOUT_8_8_8_8);
    const uint32_t in[4] = {1, 2, 3, 4};
    uint32_t out[4];
    texel_select(&s, in, false, out);
    assert_true(out[0] == 3 && out[1] == 2 && out[2] == 1 && out[3] == 4);
    texel_unselect(&s, out, out + 0);
    uint64_t address;
    unsigned bytes;
    assert_true(texel_address(&s, 0, 4, 2, 0, 0, &address, &bytes));
    assert_true(address == 0x12345600 + 2 * 256 + 16 && bytes == 4);
    assert_false(texel_address(&s, 0, 5, 2, 0, 0, &address, &bytes));
    assert_false(texel_address(&s, 0, 4, 3, 0, 0, &address, &bytes));
    assert_false(texel_address(&s, 1, 0, 0, 0, 0, &address, &bytes));
    assert_false(texel_address(&s, 0, 0, 0, 1, 0, &address, &bytes));
    // Unbound, a buffer, and four words.
    memset(w, 0, sizeof w);
    assert_null(texel_decode_resource(RESOURCE_GFX11, w, false, &s));
    assert_true(!s.bound && !s.buffer);
    w[3] = 0x20000000;
    assert_null(texel_decode_resource(RESOURCE_GFX11, w, false, &s));
    assert_true(!s.bound && s.buffer);
    const uint32_t far[8] = {1, 56 << 20, 1u << 31, 9u << 28, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
    assert_null(texel_decode_resource(RESOURCE_GFX10, far, true, &s));
    assert_true(s.bound && s.first_slice == 0 && s.levels == 1);
    assert_string_equal(texel_decode_resource(RESOURCE_GFX10, far, false, &s), "a compressed image (DCC)");
}

// Any words give a surface whose texels have addresses in bounded time, or a reason.
static void any_words(void **state) {
    (void)state;
    uint32_t seed = 3, reasons = 0, bound = 0;
    for (unsigned n = 0; n < 200000; n++) {
        uint32_t w[8];
        struct texel_surface s;
        for (unsigned i = 0; i < 8; i++)
            w[i] = random_below(&seed, 1 << 16) << 16 | random_below(&seed, 1 << 16);
        if (n & 1) w[3] |= 1u << 31, w[6] &= ~(1u << 21);
        const enum resource_kind k = random_below(&seed, RESOURCE_KINDS);
        const char *why = texel_decode_resource(k, w, n % 5 == 0, &s);
        if (why) assert_false(s.bound), reasons++;
        uint32_t size[3];
        texel_level_size(&s, 0, size);
        uint64_t address, bytes, alignment;
        unsigned element;
        if (!texel_address(&s, 0, size[0] - 1, size[1] - 1, size[2] - 1, s.samples - 1u, &address, &element))
            continue;
        assert_true(texel_surface_bytes(&s, &bytes, &alignment));
        bound++;
        uint8_t texel[16] = {0};
        uint32_t out[4], picked[4];
        texel_surface_load(&s, texel, size[0], size[1], n & 2, out);
        texel_select(&s, out, n & 2, picked);
        texel_surface_store(&s, picked, n & 2, texel);
    }
    assert_true(reasons > 1000 && bound > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields),   cmocka_unit_test(complete), cmocka_unit_test(resources),
        cmocka_unit_test(samplers), cmocka_unit_test(by_hand),  cmocka_unit_test(any_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
