// SPDX-License-Identifier: MIT
// Images and samplers of `softwave run`, from their texts to memory: `image:` and `sampler:` arguments. The
// kernel gets the address of the resource's eight words, or the sampler's four, as OpenCL passes images. An
// image is also a buffer of plain rows: fill=, show=, expect= and files see that; texels are copied to the
// image before its first kernel and back after the last.
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/png.h"
#include "cli/run/run.h"
#include "softwave/image.h"

struct run_image {
    sw_image image;
    sw_image_memory facts;
    uint8_t *texels;
    uint32_t
        *words; // that kernels read: the resource, then channel type and order (0: unknown), and the width
};

// ---- Pictures ----

static bool ends_in(const char *name, const char *end) {
    const size_t n = strlen(name), m = strlen(end);
    return n > m && !strcmp(name + n - m, end);
}

// The next number of a header of PPM or PGM; false: there is none.
static bool header_number(const struct file *f, size_t *at, uint32_t *out) {
    uint64_t v = 0;
    while (*at < f->size && strchr(" \t\r\n#", f->data[*at])) {
        if (f->data[*at] == '#')
            while (*at < f->size && f->data[*at] != '\n') ++*at;
        else
            ++*at;
    }
    const size_t begin = *at;
    for (; *at < f->size && f->data[*at] >= '0' && f->data[*at] <= '9' && v <= 1 << 20; ++*at)
        v = v * 10 + (uint64_t)(f->data[*at] - '0');
    *out = (uint32_t)v;
    return *at > begin;
}

struct picture {
    uint32_t width, height;
    unsigned channels; // 3: red, green, blue; 1: grey
    const uint8_t *pixels;
};
static bool is_picture(const struct file *f) {
    return f->size > 2 && f->data[0] == 'P' && (f->data[1] == '5' || f->data[1] == '6');
}
static bool read_picture(const struct file *f, struct picture *p) {
    size_t at = 2;
    uint32_t most;
    p->channels = f->data[1] == '6' ? 3 : 1;
    if (!header_number(f, &at, &p->width) || !header_number(f, &at, &p->height) ||
        !header_number(f, &at, &most) || most != 255)
        return false;
    p->pixels = f->data + ++at; // one white space ends the header
    return at <= f->size && (f->size - at) / p->channels / (p->width ? p->width : 1) >= p->height;
}

// Where the channel of a pixel stands in a texel: blue comes first in bgra8.
static unsigned channel_at(const struct run_image *m, unsigned c) {
    const bool reversed = m->image.format && !strcmp(m->image.format, "bgra8");
    return reversed && c < 3 ? 2 - c : c;
}
static bool takes_pictures(const struct run_image *m) {
    return m->facts.component_bits == 8 && m->facts.block_width == 1 &&
           m->facts.element_bytes == m->facts.components;
}

// Texels of 8-bit components from pixels; alpha is 255, grey is all colours.
static void from_picture(const struct run_image *m, const struct picture *p, uint8_t *texels) {
    const unsigned n = m->facts.components;
    for (uint64_t i = 0; i < (uint64_t)p->width * p->height; i++)
        for (unsigned c = 0; c < n; c++)
            texels[i * n + channel_at(m, c)] =
                c == 3 ? 255 : p->pixels[i * p->channels + (p->channels == 3 ? c : 0)];
}

// The other way: what is missing of red, green and blue is as the first component in grey images, else 0. The
// slices and levels of an image stand below each other, but only level 0 of a picture is written.
static bool to_picture(const struct run_image *m, const uint8_t *texels, uint32_t rows, struct text *rgb) {
    const unsigned n = m->facts.components;
    for (uint64_t i = 0; i < (uint64_t)m->image.width * rows; i++)
        for (unsigned c = 0; c < 3; c++) {
            const char v = n == 1 ? (char)texels[i] : c < n ? (char)texels[i * n + channel_at(m, c)] : 0;
            text_add(rgb, &v, 1);
        }
    return !rgb->failed;
}

sw_status run_write_image(const struct buffer *b) {
    const struct run_image *m = b->image;
    const bool png = ends_in(b->out, ".png"), ppm = ends_in(b->out, ".ppm");
    if (!png && !ppm) return file_write(b->out, b->memory, b->size, &cli_sink);
    const uint32_t height = m->image.height ? m->image.height : 1,
                   depth = m->image.depth ? m->image.depth : 1;
    const uint32_t rows = height * depth * (m->image.layers ? m->image.layers : 1);
    struct text rgb = {0}, file = {0};
    bool made = to_picture(m, b->memory, rows, &rgb);
    if (made && png) png_add(&file, (const uint8_t *)rgb.data, m->image.width, rows);
    if (made && ppm) {
        text_printf(&file, "P6\n%u %u\n255\n", m->image.width, rows);
        text_add(&file, rgb.data, rgb.length);
    }
    made &= !file.failed;
    const sw_status status = made ? file_write(b->out, (const uint8_t *)file.data, file.length, &cli_sink)
                                  : diag_fail(&cli_sink, SW_NO_MEMORY, NULL, "out of memory");
    text_free(&rgb);
    text_free(&file);
    return status;
}

// ---- Texts ----

static const struct {
    const char *name;
    sw_image_dimension dimension;
} kinds[] = {{"1d", SW_IMAGE_1D},
             {"2d", SW_IMAGE_2D},
             {"3d", SW_IMAGE_3D},
             {"cube", SW_IMAGE_CUBE},
             {"1darray", SW_IMAGE_1D_ARRAY},
             {"2darray", SW_IMAGE_2D_ARRAY}};

// "W", "WxH" or "WxHxD".
bool run_parse_extent(const char *s, size_t n, uint32_t out[3]) {
    uint32_t size[3] = {0};
    for (int i = 0; i < 3; i++) {
        const size_t length = strcspn(s, "x,");
        uint64_t v;
        if (length > n || !run_parse_number(s, length, &v) || !v || v > UINT32_MAX) return false;
        size[i] = (uint32_t)v;
        if (length == n) {
            memcpy(out, size, sizeof size);
            return true;
        }
        s += length + 1, n -= length + 1;
    }
    return false;
}

sw_status run_image_part(struct image_spec *i, const char *whole, const char *key, size_t length,
                         const char *value, bool *known) {
    uint64_t n;
#define KEY(word) (length == strlen(word) && !memcmp(key, word, length))
    *known = true;
    if (KEY("format"))
        i->format = value;
    else if (KEY("kind")) {
        size_t k = 0;
        while (k < sizeof kinds / sizeof *kinds && strcmp(kinds[k].name, value) != 0) k++;
        if (k == sizeof kinds / sizeof *kinds)
            return run_bad(whole, "kind= is 1d, 2d, 3d, cube, 1darray or 2darray");
        i->kind = kinds[k].dimension, i->has_kind = true;
    } else if (KEY("layers") || KEY("levels")) {
        if (!run_parse_number(value, strlen(value), &n) || !n || n > 16384)
            return run_bad(whole, "layers= and levels= are numbers from 1 on");
        *(key[1] == 'a' ? &i->layers : &i->levels) = (uint32_t)n;
    } else
        *known = false;
    return SW_OK;
#undef KEY
}

// ---- Making one ----

static sw_status place(struct run *r, struct run_image *m, const char *whole) {
    m->texels = sw_device_alloc(r->device, m->facts.bytes);
    m->words = sw_device_alloc(r->device, 12 * sizeof *m->words);
    if (!m->texels || !m->words)
        return diag_fail(&cli_sink, SW_NO_MEMORY, NULL, "argument '%s': out of memory", whole);
    memset(m->texels, 0, m->facts.bytes);
    memset(m->words, 0, 12 * sizeof *m->words);
    m->words[10] = m->image.width;
    return sw_image_resource(&m->image, (uint64_t)(uintptr_t)m->texels, m->words, &cli_sink);
}

sw_status run_image_begin(struct run *r, struct buffer *b, const struct image_spec *i, const struct file *in,
                          const char *whole, struct file *texels) {
    if (!r->device) return run_bad(whole, "images are not for the R600 family");
    if (r->shared) return run_bad(whole, "images do not run in shares");
    struct picture p = {0};
    const bool drawn = is_picture(in);
    if (drawn && !read_picture(in, &p)) return run_bad(whole, "in= is not a PPM or PGM file of 8 bits");
    struct run_image *m = arena_alloc(&r->texts, sizeof *m);
    if (!m) return SW_NO_MEMORY;
    *m = (struct run_image){.image = {.size = sizeof m->image,
                                      .processor = sw_device_target(r->device)->processor,
                                      .format = i->format,
                                      .width = i->extent[0] ? i->extent[0] : p.width,
                                      .height = i->extent[0] ? i->extent[1] : p.height,
                                      .depth = i->extent[2],
                                      .layers = i->layers,
                                      .levels = i->levels},
                            .facts = {.size = sizeof m->facts}};
    if (!m->image.width)
        return run_bad(whole, "an image needs its size, such as 256x256, or in= with a PPM file");
    m->image.dimension = i->has_kind       ? i->kind
                         : m->image.depth  ? SW_IMAGE_3D
                         : m->image.height ? SW_IMAGE_2D
                                           : SW_IMAGE_1D;
    sw_status status = sw_image_measure(&m->image, &m->facts, &cli_sink);
    if (status == SW_OK) status = place(r, m, whole);
    if (status) return status;
    b->image = m;
    b->size = m->facts.plain_bytes;
    b->memory = arena_alloc(&r->texts, b->size);
    if (!b->memory) return diag_fail(&cli_sink, SW_NO_MEMORY, NULL, "argument '%s': out of memory", whole);
    memset(b->memory, 0, b->size);
    if (b->out && (ends_in(b->out, ".png") || ends_in(b->out, ".ppm")) && !takes_pictures(m))
        return run_bad(whole, "pictures have 8-bit components; give another format or file name");
    *texels = *in;
    if (drawn) {
        if (!takes_pictures(m)) return run_bad(whole, "a picture needs a format of 8-bit components");
        if (p.width != m->image.width || p.height != m->image.height)
            return run_bad(whole, "the picture has another size than the image");
        from_picture(m, &p, b->memory);
        texels->size = 0;
    } else if (in->size && in->size != b->size)
        return diag_fail(&cli_sink, SW_USAGE, NULL, "argument '%s': the file has %zu bytes, the image %llu",
                         whole, in->size, (unsigned long long)b->size);
    return SW_OK;
}

sw_status run_image_fill(const struct buffer *b) {
    return sw_image_put(&b->image->image, b->image->texels, b->memory, &cli_sink);
}
sw_status run_image_fetch(const struct buffer *b) {
    return sw_image_get(&b->image->image, b->image->texels, b->memory, &cli_sink);
}
uint64_t run_image_address(const struct buffer *b) { return (uint64_t)(uintptr_t)b->image->words; }

// ---- Samplers ----

enum sampler_member { FILTER, ADDRESS, BORDER, TEXELS, LEVELS };
static const struct {
    const char *word;
    uint8_t member, value;
} sampler_words[] = {
    {"nearest", FILTER, SW_FILTER_NEAREST},
    {"linear", FILTER, SW_FILTER_LINEAR},
    {"clamp", ADDRESS, SW_ADDRESS_CLAMP},
    {"wrap", ADDRESS, SW_ADDRESS_WRAP},
    {"mirror", ADDRESS, SW_ADDRESS_MIRROR},
    {"mirror-once", ADDRESS, SW_ADDRESS_MIRROR_ONCE},
    {"border", ADDRESS, SW_ADDRESS_BORDER},
    {"transparent", BORDER, SW_BORDER_TRANSPARENT},
    {"black", BORDER, SW_BORDER_BLACK},
    {"white", BORDER, SW_BORDER_WHITE},
    {"texels", TEXELS, 0},
    {"mip-nearest", LEVELS, SW_FILTER_NEAREST},
    {"mip-linear", LEVELS, SW_FILTER_LINEAR},
};

static bool take_word(sw_sampler *s, const char *word, size_t n) {
    uint64_t most;
    if (n > 6 && !memcmp(word, "aniso=", 6) && run_parse_number(word + 6, n - 6, &most) && most <= 16) {
        s->anisotropy = (unsigned)most;
        return true;
    }
    for (size_t i = 0; i < sizeof sampler_words / sizeof *sampler_words; i++) {
        if (strlen(sampler_words[i].word) != n || memcmp(word, sampler_words[i].word, n) != 0) continue;
        const uint8_t v = sampler_words[i].value;
        switch ((enum sampler_member)sampler_words[i].member) {
        case FILTER: s->filter = (sw_sampler_filter)v; break;
        case ADDRESS: s->address[0] = s->address[1] = s->address[2] = (sw_sampler_address)v; break;
        case BORDER: s->border = (sw_sampler_border)v; break;
        case TEXELS: s->texels = true; break;
        case LEVELS: s->levels = (sw_sampler_filter)v; break;
        }
        return true;
    }
    return false;
}

sw_status run_create_sampler(struct run *r, const char *text, uint64_t *address) {
    if (!r->device) return run_bad(text, "samplers are not for the R600 family");
    sw_sampler s = {.size = sizeof s, .processor = sw_device_target(r->device)->processor};
    for (const char *p = text + strlen("sampler:"); *p;) {
        const size_t n = strcspn(p, ",");
        if (!take_word(&s, p, n))
            return run_bad(
                text, "unknown part; known are nearest, linear, clamp, wrap, mirror, mirror-once, border, "
                      "transparent, black, white, texels, mip-nearest, mip-linear, aniso=N");
        p += n + (p[n] == ',');
    }
    uint32_t *words = sw_device_alloc(r->device, 4 * sizeof *words);
    if (!words) return diag_fail(&cli_sink, SW_NO_MEMORY, NULL, "argument '%s': out of memory", text);
    *address = (uint64_t)(uintptr_t)words;
    return sw_sampler_resource(&s, words, &cli_sink);
}
