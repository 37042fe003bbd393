// SPDX-License-Identifier: MIT
// Images and samplers of the HSA interface: for every geometry, channel type and channel order what the agent
// says it can; random texels imported, exported, copied and cleared; the words that kernels read of an image;
// every mistake. Facts shown: DISP-12.
#include <math.h>

#include <hsa/hsa_ext_image.h>

#include "hsa_rig.h"

enum { MOST = 1 << 20 };
// Newer than the headers of some systems.
typedef struct {
    uint32_t coordinate, filter, address[3];
} sampler_v2_t;
hsa_status_t hsa_ext_sampler_create_v2(hsa_agent_t, const sampler_v2_t *, hsa_ext_sampler_t *);

static const char *const orders[] = {"A",     "R",     "Rx",   "RG",   "RGx",  "RA",   "RGB",
                                     "RGBx",  "RGBA",  "BGRA", "ARGB", "ABGR", "sRGB", "sRGBx",
                                     "sRGBA", "sBGRA", "I",    "L",    "D",    "DS"};
static const unsigned bytes_of[] = {1, 2, 1, 2, 4, 2, 2, 4,
                                    1, 2, 4, 1, 2, 4, 2, 4}; // of a component, or packed
static bool is_packed(unsigned type) { return type >= 5 && type <= 7; }
static unsigned components(unsigned order) {
    const char *s = orders[order];
    return (unsigned)strlen(s + (*s == 's'));
}
static unsigned element_of(unsigned type, unsigned order) {
    return bytes_of[type] * (is_packed(type) ? 1 : components(order));
}

// What is supported, by the interface's own lists: which types go with an order, which orders with a
// geometry.
static bool is_supported(unsigned geometry, unsigned type, unsigned order) {
    const bool byte = type == 0 || type == 2 || type == 8 || type == 11, depth = geometry >= 6;
    if (depth && order != 18) return false;
    if (order == 18 && !depth && geometry != 1 && geometry != 4) return false; // as AMD's OpenCL makes them
    switch (order) {
    case 0:
    case 1:
    case 3:
    case 5:
    case 8: return !is_packed(type) && type != 4;
    case 6:
    case 7: return is_packed(type) && (geometry != 5 || type == 7);
    case 9:
    case 10:
    case 11: return byte;
    case 14:
    case 15: return type == 2 && geometry != 5;
    case 16:
    case 17: return type <= 3 || type >= 14;
    case 18: return type == 3 || type == 4 || type == 15;
    default: return false;
    }
}

static uint32_t seed = 1;
static uint32_t chance(uint32_t n) {
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(seed >> 8) * n >> 24);
}

static hsa_agent_t gpu;
static bool has_images;
static char *memory, *other; // of the GPU's pool

static hsa_ext_image_descriptor_t described(unsigned geometry, unsigned type, unsigned order) {
    hsa_ext_image_descriptor_t d = {geometry, 13, 0, 0, 0, {type, order}};
    if (geometry != 0 && geometry != 3 && geometry != 5) d.height = 7;
    if (geometry == 2) d.depth = 5;
    if (geometry == 3 || geometry == 4 || geometry == 7) d.array_size = 4;
    return d;
}
static hsa_ext_image_region_t whole(const hsa_ext_image_descriptor_t *d) {
    hsa_ext_image_region_t r = {{0, 0, 0}, {(uint32_t)d->width, 1, 1}};
    if (d->height) r.range.y = (uint32_t)d->height;
    if (d->depth) r.range.z = (uint32_t)d->depth;
    if (d->array_size) r.range.z = (uint32_t)d->array_size;
    return r;
}
static void fill(char *p, size_t size) {
    for (size_t i = 0; i < size; i++) p[i] = (char)chance(256);
}

static void capabilities(void) {
    unsigned can = 0;
    for (uint32_t n = 0; n < 8 * 16 * 20; n++) {
        const unsigned geometry = n % 8;
        hsa_ext_image_format_t format = {n / 8 % 16, n / 128};
        uint32_t mask = 99, linear = 98;
        CALL(hsa_ext_image_get_capability(gpu, geometry, &format, &mask));
        CALL(hsa_ext_image_get_capability_with_layout(gpu, geometry, &format, 1, &linear));
        const bool supported =
            has_images && is_supported(geometry, format.channel_type, format.channel_order);
        const bool gamma = format.channel_order >= 14 && format.channel_order <= 15;
        if (mask != (!supported ? 0u : gamma ? 0x11u : 0x17u))
            printf("geometry %u type %u order %u: %x\n", geometry, format.channel_type, format.channel_order,
                   mask);
        CHECK(mask == (!supported ? 0u : gamma ? 0x11u : 0x17u) && linear == mask);
        hsa_ext_image_descriptor_t d = described(geometry, format.channel_type, format.channel_order);
        hsa_ext_image_t image = {0};
        if (!supported) {
            CHECK((int)hsa_ext_image_create(gpu, &d, memory, HSA_ACCESS_PERMISSION_RO, &image) ==
                  HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED);
            CHECK(!image.handle);
        }
        can += supported;
    }
    // A, R, RG, RA and RGBA of 12 types; BGRA, ARGB, ABGR of 4; I and L of 6; packed and sRGB but for
    // buffers.
    CHECK(can == (has_images ? 6 * (5 * 12 + 3 * 4 + 2 * 6) + 5 * (2 * 3 + 2) + 2 + 4 * 3 : 0));
}

// One component as the channel type stores a float or an integer.
static uint32_t stored(unsigned type, uint32_t bits) {
    float f;
    memcpy(&f, &bits, 4);
    switch (type) {
    case 0: return (uint32_t)lrintf(f * 127) & 0xff;
    case 1: return (uint32_t)lrintf(f * 32767) & 0xffff;
    case 2: return (uint32_t)lrintf(f * 255);
    case 3: return (uint32_t)lrintf(f * 65535);
    case 4: return (uint32_t)lrint((double)f * 16777215);
    case 14: return f == 0 ? 0 : f == 0.5f ? 0x3800 : f == 1 ? 0x3c00 : 0x3400; // 0.25
    default: return bits;
    }
}

// What an element looks like that is cleared to these values of red, green, blue, alpha.
static void expected_clear(unsigned type, unsigned order, const uint32_t rgba[4], uint8_t *out) {
    const char *s = orders[order], *const channels = "RGBA";
    const bool gamma = *s == 's';
    if (is_packed(type)) { // red is the highest
        const unsigned bits[3][3] = {{5, 5, 5}, {5, 6, 5}, {10, 10, 10}};
        uint32_t v = 0;
        for (int c = 0; c < 3; c++) {
            float f;
            memcpy(&f, &rgba[c], 4);
            const unsigned n = bits[type - 5][c];
            v = v << n | (uint32_t)lrintf(f * (float)((1 << n) - 1));
        }
        memcpy(out, &v, bytes_of[type]);
        return;
    }
    for (s += gamma; *s; s++, out += bytes_of[type]) {
        const char *at = strchr(channels, *s);
        uint32_t bits = rgba[at ? at - channels : 0];
        if (gamma && *s != 'A') {
            float f;
            memcpy(&f, &bits, 4);
            f = f <= 0.0031308f ? 12.92f * f : 1.055f * powf(f, 1 / 2.4f) - 0.055f;
            memcpy(&bits, &f, 4);
        }
        const uint32_t v = stored(type, bits);
        memcpy(out, &v, bytes_of[type]);
    }
}

static void round_trip(unsigned geometry, unsigned type, unsigned order) {
    const hsa_ext_image_descriptor_t d = described(geometry, type, order);
    const hsa_ext_image_region_t all = whole(&d);
    const unsigned element = element_of(type, order);
    const size_t row = all.range.x * element, slice = row * all.range.y, size = slice * all.range.z;
    const hsa_access_permission_t access =
        order == 14 || order == 15 ? HSA_ACCESS_PERMISSION_RO : HSA_ACCESS_PERMISSION_RW;
    hsa_ext_image_data_info_t info;
    CALL(hsa_ext_image_data_get_info(gpu, &d, access, &info));
    CHECK(info.size >= size && info.size <= MOST && info.alignment == 256);
    memset(memory, 0x5a, info.size + 256);
    hsa_ext_image_t image = {0}, second = {0};
    CALL(hsa_ext_image_create(gpu, &d, memory, access, &image));
    CALL(hsa_ext_image_create(gpu, &d, other, access, &second));
    CHECK(image.handle && second.handle && image.handle != second.handle);
    const uint32_t *words = (const uint32_t *)image.handle;
    CHECK(words[8] == type && words[9] == order && words[10] == d.width && image.handle % 64 == 0);
    if (geometry == 5)
        CHECK(words[0] == (uint32_t)(uintptr_t)memory && (words[3] >> 30) == 0);
    else
        CHECK(words[0] == (uint32_t)((uintptr_t)memory >> 8) && (words[3] >> 28) >= 8);
    // All of it there and back; then a part, with rows and slices apart.
    char *given = malloc(size), *got = malloc(size), *wide = malloc(size * 4);
    fill(given, size);
    CALL(hsa_ext_image_import(gpu, given, 0, 0, image, &all));
    CALL(hsa_ext_image_export(gpu, image, got, 0, 0, &all));
    CHECK(!memcmp(given, got, size));
    for (size_t i = 0; i < 256; i++) CHECK(memory[info.size + i] == 0x5a); // nothing behind it
    hsa_ext_image_region_t part = all;
    part.offset.x = 1 + chance(all.range.x - 1), part.range.x -= part.offset.x;
    if (all.range.y > 1) part.offset.y = chance(all.range.y), part.range.y -= part.offset.y;
    if (all.range.z > 1) part.offset.z = chance(all.range.z), part.range.z -= part.offset.z;
    memset(wide, 0x11, size * 4);
    CALL(hsa_ext_image_export(gpu, image, wide, row + 8, slice * 2, &part));
    for (uint32_t z = 0; z < part.range.z; z++)
        for (uint32_t y = 0; y < part.range.y; y++) {
            const size_t stride = (row + 8) * part.range.y > slice * 2 ? (row + 8) * part.range.y : slice * 2;
            const char *from =
                given + (z + part.offset.z) * slice + (y + part.offset.y) * row + part.offset.x * element;
            const char *to = wide + z * stride + y * (row + 8);
            CHECK(!memcmp(to, from, part.range.x * element));
            CHECK(to[part.range.x * element] == 0x11);
        }
    // To the other image.
    CALL(hsa_ext_image_copy(gpu, image, &all.offset, second, &all.offset, &all.range));
    CALL(hsa_ext_image_export(gpu, second, got, 0, 0, &all));
    CHECK(!memcmp(given, got, size));
    // Part of it cleared: elements outside stay.
    uint32_t rgba[4];
    uint8_t cleared[16] = {0};
    const bool whole_numbers = type >= 8 && type <= 13;
    const float floats[4] = {1, 0.25f, 0, 0.5f};
    memcpy(rgba, floats, sizeof rgba);
    if (whole_numbers)
        for (int c = 0; c < 4; c++) rgba[c] = chance(100);
    expected_clear(type, order, rgba, cleared);
    CALL(hsa_ext_image_clear(gpu, image, rgba, &part));
    CALL(hsa_ext_image_export(gpu, image, got, 0, 0, &all));
    for (uint32_t z = 0; z < all.range.z; z++)
        for (uint32_t y = 0; y < all.range.y; y++)
            for (uint32_t x = 0; x < all.range.x; x++) {
                const size_t at = z * slice + y * row + x * element;
                const bool in = x >= part.offset.x && y >= part.offset.y && z >= part.offset.z;
                if (memcmp(got + at, in ? (char *)cleared : given + at, element))
                    printf("geometry %u type %u order %u: texel %u %u %u\n", geometry, type, order, x, y, z);
                CHECK(!memcmp(got + at, in ? (char *)cleared : given + at, element));
            }
    CALL(hsa_ext_image_destroy(gpu, image));
    CALL(hsa_ext_image_destroy(gpu, second));
    CHECK(hsa_ext_image_destroy(gpu, second) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    free(given), free(got), free(wide);
}
static void round_trips(void) {
    if (!has_images) return;
    for (unsigned n = 0; n < 8 * 16 * 20; n++)
        if (is_supported(n % 8, n / 8 % 16, n / 128)) round_trip(n % 8, n / 8 % 16, n / 128);
}

// Rows as long as the program says; which lengths there are differs.
static void pitches(void) {
    if (!has_images) return;
    const hsa_access_permission_t rw = HSA_ACCESS_PERMISSION_RW;
    hsa_ext_image_descriptor_t d = described(1, 11, 8);
    hsa_ext_image_data_info_t info;
    hsa_ext_image_t image;
    CALL(hsa_ext_image_data_get_info_with_layout(gpu, &d, rw, 1, 256, 0, &info));
    CHECK(info.size >= 256 * 6 + 13 * 4 && info.size <= 256 * 7);
    CALL(hsa_ext_image_create_with_layout(gpu, &d, memory, rw, 1, 256, 0, &image));
    uint32_t texel = 0x01020304;
    const hsa_ext_image_region_t one = {{12, 6, 0}, {1, 1, 1}};
    CALL(hsa_ext_image_import(gpu, &texel, 0, 0, image, &one));
    CHECK(!memcmp(memory + 6 * 256 + 12 * 4, &texel, 4));
    CALL(hsa_ext_image_destroy(gpu, image));
    const hsa_status_t st = hsa_ext_image_create_with_layout(gpu, &d, memory, rw, 1, 512, 0, &image);
    if (st == HSA_STATUS_SUCCESS) {
        CALL(hsa_ext_image_import(gpu, &texel, 0, 0, image, &one));
        CHECK(!memcmp(memory + 6 * 512 + 12 * 4, &texel, 4));
        CALL(hsa_ext_image_destroy(gpu, image));
    } else
        CHECK((int)st == HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED);
    for (size_t bad = 1; bad < 256; bad += 50) // too short, or not whole
        CHECK((int)hsa_ext_image_create_with_layout(gpu, &d, memory, rw, 1, bad, 0, &image) ==
              HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED);
    CHECK(hsa_ext_image_create_with_layout(gpu, &d, memory, rw, 0, 256, 0, &image) ==
          HSA_STATUS_ERROR_INVALID_ARGUMENT);
    d = described(4, 11, 8);
    CHECK((int)hsa_ext_image_create_with_layout(gpu, &d, memory, rw, 1, 256, 256 * 9, &image) ==
          HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED);
}

// Layers of rows may be counted by y, too, as OpenCL does; not by both.
static void layers_by_y(void) {
    const hsa_status_t invalid = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!has_images) return;
    const hsa_ext_image_descriptor_t d = described(3, 11, 8);
    hsa_ext_image_t image;
    CALL(hsa_ext_image_create(gpu, &d, memory, HSA_ACCESS_PERMISSION_RW, &image));
    char given[4 * 13 * 4], got[sizeof given];
    fill(given, sizeof given);
    hsa_ext_image_region_t by_y = {{0, 0, 0}, {13, 4, 1}}, by_z = {{0, 0, 0}, {13, 1, 4}};
    CALL(hsa_ext_image_import(gpu, given, 0, 0, image, &by_y));
    CALL(hsa_ext_image_export(gpu, image, got, 0, 0, &by_z));
    CHECK(!memcmp(given, got, sizeof given));
    by_y.offset.y = by_z.offset.z = 2, by_y.range.y = by_z.range.z = 2;
    memset(got, 0, sizeof got);
    CALL(hsa_ext_image_export(gpu, image, got, 60, 0, &by_y)); // rows of 60 bytes
    CHECK(!memcmp(given + 2 * 52, got, 52) && !memcmp(given + 3 * 52, got + 60, 52));
    CALL(hsa_ext_image_clear(gpu, image, (uint32_t[4]){1, 1, 1, 1}, &by_y));
    memset(given + 2 * 52, 1, 2 * 52);
    CALL(hsa_ext_image_export(gpu, image, got, 0, 0, &by_z));
    CHECK(!memcmp(given + 2 * 52, got, 2 * 52));
    by_y.range.y = 3;
    CHECK(hsa_ext_image_export(gpu, image, got, 0, 0, &by_y) == invalid);
    const hsa_ext_image_region_t both = {{0, 0, 0}, {13, 2, 2}}, together = {{0, 2, 2}, {13, 1, 1}};
    CHECK(hsa_ext_image_export(gpu, image, got, 0, 0, &both) == invalid);
    CHECK(hsa_ext_image_export(gpu, image, got, 0, 0, &together) == invalid);
    CALL(hsa_ext_image_destroy(gpu, image));
}

static void mistakes(void) {
    const hsa_access_permission_t rw = HSA_ACCESS_PERMISSION_RW;
    const hsa_status_t invalid = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    hsa_ext_image_t image = {0}, none = {12345};
    hsa_ext_image_data_info_t info;
    hsa_ext_image_descriptor_t d = described(1, 2, 8);
    if (!has_images) return;
    CHECK(hsa_ext_image_create(gpu, &d, memory + 16, rw, &image) == invalid); // not aligned
    d.width = 0;
    CHECK((int)hsa_ext_image_create(gpu, &d, memory, rw, &image) ==
          HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED);
    d.width = 16385;
    CHECK((int)hsa_ext_image_data_get_info(gpu, &d, rw, &info) ==
          HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED);
    d.width = 16384, d.array_size = 2;
    CHECK((int)hsa_ext_image_data_get_info(gpu, &d, rw, &info) ==
          HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED);
    d = described(1, 2, 14);
    CHECK((int)hsa_ext_image_create(gpu, &d, memory, rw, &image) ==
          HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED);
    d = described(1, 2, 8);
    CALL(hsa_ext_image_create(gpu, &d, memory, rw, &image));
    const hsa_ext_image_region_t all = whole(&d);
    hsa_ext_image_region_t out = all;
    out.offset.y = 1;
    CHECK(hsa_ext_image_import(gpu, other, 0, 0, image, &out) == invalid);
    CHECK(hsa_ext_image_export(gpu, image, other, 0, 0, &out) == invalid);
    CHECK(hsa_ext_image_clear(gpu, image, other, &out) == invalid);
    CHECK(hsa_ext_image_copy(gpu, image, &out.offset, image, &all.offset, &all.range) == invalid);
    out = all, out.range.z = 0;
    CHECK(hsa_ext_image_import(gpu, other, 0, 0, image, &out) == invalid);
    CHECK(hsa_ext_image_import(gpu, NULL, 0, 0, image, &all) == invalid);
    CHECK(hsa_ext_image_import(gpu, other, 0, 0, none, &all) == invalid);
    CHECK(hsa_ext_image_copy(gpu, none, &all.offset, image, &all.offset, &all.range) == invalid);
    CHECK(hsa_ext_sampler_destroy(gpu, (hsa_ext_sampler_t){image.handle}) == invalid); // an image is none
    d = described(1, 3, 8);
    hsa_ext_image_t longer;
    CALL(hsa_ext_image_create(gpu, &d, other, rw, &longer));
    CHECK(hsa_ext_image_copy(gpu, image, &all.offset, longer, &all.offset, &all.range) == invalid);
    CALL(hsa_ext_image_destroy(gpu, longer));
    CALL(hsa_ext_image_destroy(gpu, image));
}

static void samplers(void) {
    for (uint32_t n = 0; n < 2 * 2 * 5; n++) {
        const hsa_ext_sampler_descriptor_t how = {n & 1, n >> 1 & 1, n / 4};
        hsa_ext_sampler_t s = {0};
        const hsa_status_t st = hsa_ext_sampler_create(gpu, &how, &s);
        if (!has_images || (!(n & 1) && n / 4 > 2)) { // nothing repeats without normalised coordinates
            CHECK((int)st == HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED && !s.handle);
            continue;
        }
        CALL(st);
        const uint32_t *w = (const uint32_t *)s.handle;
        static const uint32_t clamps[] = {2, 2, 6, 0, 1};
        CHECK((w[0] & 0x1ff) == clamps[n / 4] * 0111 && (w[0] >> 15 & 1) == !(n & 1));
        CHECK((w[2] >> 20 & 15) == (n >> 1 & 1) * 5u && (w[2] >> 26 & 3) == 0);
        CALL(hsa_ext_sampler_destroy(gpu, s));
        CHECK(hsa_ext_sampler_destroy(gpu, s) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    }
    const sampler_v2_t mixed = {1, 1, {3, 2, 4}}; // repeat, clamp to border, mirrored repeat
    hsa_ext_sampler_t s;
    if (!has_images) return;
    CALL(hsa_ext_sampler_create_v2(gpu, &mixed, &s));
    CHECK((*(uint32_t *)s.handle & 0x1ff) == (0 | 6 << 3 | 1 << 6));
    CALL(hsa_ext_sampler_destroy(gpu, s));
}

// Words that another driver made: the place is put in.
static void vendor(void) {
    struct {
        uint32_t version, device, words[8];
    } v = {1};
    const hsa_access_permission_t rw = HSA_ACCESS_PERMISSION_RW;
    hsa_ext_image_descriptor_t d = described(1, 2, 8);
    hsa_ext_image_t image, made;
    uint32_t chip;
    if (!has_images) return;
    CALL(hsa_agent_get_info(gpu, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_CHIP_ID, &chip));
    v.device = 0x1002 << 16 | chip;
    CALL(hsa_ext_image_create(gpu, &d, other, rw, &image));
    memcpy(v.words, (void *)image.handle, 32);
    CALL(hsa_amd_image_create(gpu, &d, (void *)&v, memory, rw, &made));
    const uint32_t *a = (void *)image.handle, *b = (void *)made.handle;
    CHECK(b[0] == (uint32_t)((uintptr_t)memory >> 8) && (b[1] & 0xff) == (uint32_t)((uintptr_t)memory >> 40));
    CHECK(b[1] >> 8 == a[1] >> 8 && !memcmp(a + 2, b + 2, 36));
    CALL(hsa_ext_image_destroy(gpu, made));
    v.version = 2;
    CHECK(hsa_amd_image_create(gpu, &d, (void *)&v, memory, rw, &made) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    v.version = 1, v.device++;
    CHECK(hsa_amd_image_create(gpu, &d, (void *)&v, memory, rw, &made) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CALL(hsa_ext_image_destroy(gpu, image));
}

// ---- Kernels, which read and write images by the device libraries ----

static struct code code;
static hsa_queue_t *queue;
static void launch(const char *kernel, const void *args, size_t size, uint32_t items) {
    void *at;
    hsa_signal_t done = make_signal(1);
    CALL(hsa_amd_memory_pool_allocate(kernargs, 256, 0, &at));
    CALL(hsa_amd_agents_allow_access(1, &gpu, NULL, at));
    memset(at, 0, 256);
    memcpy(at, args, size);
    dispatch(queue, kernel_of(&code, kernel), at, (items + 63) / 64 * 64, 64, done, BARRIER);
    CHECK(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) ==
          0);
    CALL(hsa_signal_destroy(done));
    CALL(hsa_amd_memory_pool_free(at));
}

// Texels that loads and stores keep as they are: no NaNs, no second -1.
static void tame(uint8_t *p, size_t size, unsigned type) {
    const unsigned bytes = bytes_of[type];
    for (size_t i = 0; i + bytes <= size; i += bytes) {
        uint32_t v = 0;
        memcpy(&v, p + i, bytes);
        if ((type == 0 && v == 0x80) || (type == 1 && v == 0x8000)) v++;
        if (type == 14 && (v & 0x7c00) == 0x7c00) v &= 0xbfff;
        if (type == 15 && (v & 0x7f800000) == 0x7f800000) v &= 0xbfffffff;
        if (type == 4) v &= 0xffffff;
        if (type == 5) v &= 0x7fff;
        if (type == 7) v &= 0x3fffffff;
        memcpy(p + i, &v, bytes);
    }
}

static void kernels_copy(void) {
    static const char *const names[8] = {"copy_1D", "copy_2D", "copy_3D", NULL, "copy_2Da", "copy_1Db"};
    for (unsigned n = 0; has_images && n < 8 * 16 * 20; n++) {
        const unsigned geometry = n % 8, type = n / 8 % 16, order = n / 128;
        if (!is_supported(geometry, type, order) || !names[geometry] || order == 14 || order == 15) continue;
        const hsa_ext_image_descriptor_t d = described(geometry, type, order);
        const hsa_ext_image_region_t all = whole(&d);
        const size_t size = (size_t)all.range.x * all.range.y * all.range.z * element_of(type, order);
        hsa_ext_image_t from, to;
        CALL(hsa_ext_image_create(gpu, &d, memory, HSA_ACCESS_PERMISSION_RO, &from));
        CALL(hsa_ext_image_create(gpu, &d, other, HSA_ACCESS_PERMISSION_WO, &to));
        char *given = malloc(size), *got = malloc(size);
        fill(given, size);
        tame((uint8_t *)given, size, type);
        CALL(hsa_ext_image_import(gpu, given, 0, 0, from, &all));
        const struct {
            uint64_t from, to;
            int32_t width, height;
        } args = {from.handle, to.handle, (int32_t)all.range.x, (int32_t)all.range.y};
        launch(names[geometry], &args, sizeof args, all.range.x * all.range.y * all.range.z);
        CALL(hsa_ext_image_export(gpu, to, got, 0, 0, &all));
        if (is_packed(type) || type == 4) tame((uint8_t *)got, size, type); // bits that no channel has
        if (memcmp(given, got, size)) printf("%s: type %u order %s\n", names[geometry], type, orders[order]);
        CHECK(!memcmp(given, got, size));
        CALL(hsa_ext_image_destroy(gpu, from));
        CALL(hsa_ext_image_destroy(gpu, to));
        free(given), free(got);
    }
}

// The middle of each texel, by either filter, is the texel.
static void kernels_sample(void) {
    for (unsigned filter = 0; has_images && filter < 2; filter++) {
        const hsa_ext_image_descriptor_t d = described(1, 2, 9); // BGRA
        const hsa_ext_image_region_t all = whole(&d);
        const hsa_ext_sampler_descriptor_t how = {1, filter, 1};
        hsa_ext_image_t image;
        hsa_ext_sampler_t sampler;
        uint8_t given[13 * 7 * 4];
        float *out;
        CALL(hsa_ext_image_create(gpu, &d, memory, HSA_ACCESS_PERMISSION_RO, &image));
        CALL(hsa_ext_sampler_create(gpu, &how, &sampler));
        CALL(hsa_amd_memory_pool_allocate(fine, 4096, 0, (void **)&out));
        CALL(hsa_amd_agents_allow_access(1, &gpu, NULL, out));
        fill((char *)given, sizeof given);
        CALL(hsa_ext_image_import(gpu, given, 0, 0, image, &all));
        const struct {
            uint64_t image, sampler;
            float *out;
            int32_t width;
        } args = {image.handle, sampler.handle, out, 13};
        launch("sample", &args, sizeof args, 64); // the first 64 texels
        for (unsigned i = 0; i < 64; i++)
            for (unsigned c = 0; c < 4; c++) {
                const float want = given[4 * i + (c < 3 ? 2 - c : 3)] / 255.0f;
                if (fabsf(out[4 * i + c] - want) > 1e-6f)
                    printf("texel %u: %g, not %g\n", i, out[4 * i + c], want);
                CHECK(fabsf(out[4 * i + c] - want) <= 1e-6f);
            }
        CALL(hsa_amd_memory_pool_free(out));
        CALL(hsa_ext_sampler_destroy(gpu, sampler));
        CALL(hsa_ext_image_destroy(gpu, image));
    }
}

#define RUN(name) (name(), printf("ok " #name "\n"), fflush(stdout))
int main(int argc, char **argv) {
    CHECK(argc == 2 || argc == 3); // whether the GPU has images; kernels
    has_images = argv[1][0] == '1';
    open_runtime();
    gpu = gpus[0];
    CALL(hsa_amd_memory_pool_allocate(device_pool[0], MOST, 0, (void **)&memory));
    CALL(hsa_amd_memory_pool_allocate(device_pool[0], MOST, 0, (void **)&other));
    RUN(capabilities);
    RUN(round_trips);
    RUN(pitches);
    RUN(layers_by_y);
    RUN(mistakes);
    RUN(samplers);
    RUN(vendor);
    if (argc == 3) {
        load_code(&code, argv[2], gpu);
        queue = make_queue(gpu, 64);
        RUN(kernels_copy);
        RUN(kernels_sample);
        CALL(hsa_queue_destroy(queue));
        drop_code(&code);
    }
    CALL(hsa_amd_memory_pool_free(memory));
    CALL(hsa_amd_memory_pool_free(other));
    CALL(hsa_shut_down());
    return 0;
}
