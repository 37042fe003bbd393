// SPDX-License-Identifier: MIT
// Text and operands of image instructions, and what formats mean, for the tests of these.
#ifndef TESTS_IMAGE_SHAPES_H
#define TESTS_IMAGE_SHAPES_H

#include "covered.h"
#include "image_rig.h"

enum { V_ADDRESS = 20, V_DATA = 2 };
enum dim { D_1D, D_2D, D_3D, D_CUBE, D_1D_ARRAY, D_2D_ARRAY };
static const char *const dim_names[] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY"};

static inline bool has_dim(const struct machine_kind *m) { return m->layout >= L_GFX10; }
static inline bool has_a16(const struct machine_kind *m) { return m->layout >= L_GFX9; }

// ---- Text of an instruction ----

// The address in `words` dwords: one run from V_ADDRESS on, or scattered where the processor can. Sets where
// each dword is.
static inline void address_text(const struct machine_kind *m, unsigned words, bool list, bool samples,
                                char *out, unsigned place[13]) {
    const unsigned fields = m->layout == L_GFX12 ? samples ? 4 : 5 : m->layout == L_GFX11 ? 5 : 13;
    if (m->layout == L_GFX12) list = true;
    if (!has_dim(m) || words < 2 || (m->layout == L_GFX10 && words > 5)) list = false;
    unsigned at = V_ADDRESS;
    for (unsigned i = 0; i < words; i++) {
        place[i] = at;
        at += list && i + 1 < fields ? 2 : 1;
    }
    if (words == 1)
        sprintf(out, "v%u", V_ADDRESS);
    else if (!list)
        sprintf(out, "v[%u:%u]", V_ADDRESS, V_ADDRESS + words - 1);
    else {
        char *p = out + sprintf(out, "[v%u", place[0]);
        const unsigned plain = words <= fields ? words : fields - 1;
        for (unsigned i = 1; i < plain; i++) p += sprintf(p, ", v%u", place[i]);
        if (plain < words) p += sprintf(p, ", v[%u:%u]", place[plain], place[words - 1]);
        sprintf(p, "]");
    }
}
// The registers that the text of older processors may name: no name but a place.
static inline unsigned named_words(const struct machine_kind *m, unsigned words) {
    return has_dim(m) || words <= 4 || words >= 8 ? words : 8;
}
static inline void registers_text(unsigned first, unsigned count, char *out) {
    if (count == 1)
        sprintf(out, "v%u", first);
    else
        sprintf(out, "v[%u:%u]", first, first + count - 1);
}
struct shape {
    const char *name;
    enum dim dim;
    unsigned words, data, dmask;
    bool list, sampler, a16, d16, tfe, r128, returns;
};
static inline void instruction_text(const struct machine_kind *m, const struct shape *s, char *out,
                                    unsigned place[13]) {
    char address[128], data[32];
    registers_text(V_DATA, s->data + s->tfe, data);
    if (has_dim(m))
        address_text(m, s->words, s->list, s->sampler, address, place);
    else {
        for (unsigned i = 0; i < s->words; i++) place[i] = V_ADDRESS + i;
        registers_text(V_ADDRESS, named_words(m, s->words), address);
    }
    out += sprintf(out, "%s %s, %s, s[%u:%u]", s->name, data, address, T_AT, T_AT + 7);
    if (s->sampler) out += sprintf(out, ", s[%u:%u]", S_AT, S_AT + 3);
    out += sprintf(out, " dmask:0x%x", s->dmask);
    if (has_dim(m)) out += sprintf(out, " dim:SQ_RSRC_IMG_%s", dim_names[s->dim]);
    if (!s->sampler && m->layout != L_GFX12) out += sprintf(out, " unorm");
    if (s->returns) out += sprintf(out, m->layout == L_GFX12 ? " th:TH_ATOMIC_RETURN" : " glc");
    if (s->r128) out += sprintf(out, " r128");
    if (s->a16) out += sprintf(out, " a16");
    if (s->tfe) out += sprintf(out, " tfe");
    if (!has_dim(m) && (s->dim == D_1D_ARRAY || s->dim == D_2D_ARRAY)) out += sprintf(out, " da");
    if (s->d16) sprintf(out, " d16");
}

// ---- Formats, from their text in the manuals ----

static inline double half_value(uint16_t h) {
    const int e = h >> 10 & 31, f = h & 1023;
    const double v = e == 31 ? f ? NAN : INFINITY : e ? ldexp(1024 + f, e - 25) : ldexp(f, -24);
    return h >> 15 ? -v : v;
}
// Colour of a texel as numbers; integers as well.
static inline void decode(enum pixel_name p, const uint8_t *b, double out[4]) {
    uint32_t w[4] = {0};
    memcpy(w, b, pixels[p].bytes);
    out[0] = out[1] = out[2] = 0, out[3] = 1;
    switch (p) {
    case P_R8: out[0] = b[0] / 255.0; break;
    case P_RGBA8:
        for (int c = 0; c < 4; c++) out[c] = b[c] / 255.0;
        break;
    case P_RGBA8UI:
        for (int c = 0; c < 4; c++) out[c] = b[c];
        break;
    case P_RGBA8SI:
        for (int c = 0; c < 4; c++) out[c] = (int8_t)b[c];
        break;
    case P_R32UI: out[0] = w[0]; break;
    case P_R32F: out[0] = (double)float_of(w[0]); break;
    case P_RG32UI: out[0] = w[0], out[1] = w[1]; break;
    case P_RGBA16F:
        for (int c = 0; c < 4; c++) out[c] = half_value((uint16_t)(w[c / 2] >> 16 * (c & 1)));
        break;
    case P_RGBA32F:
        for (int c = 0; c < 4; c++) out[c] = (double)float_of(w[c]);
        break;
    case P_RGB10A2:
        for (int c = 0; c < 3; c++) out[c] = (w[0] >> 10 * c & 1023) / 1023.0;
        out[3] = (w[0] >> 30) / 3.0;
        break;
    case P_565:
        out[0] = (w[0] & 31) / 31.0, out[1] = (w[0] >> 5 & 63) / 63.0, out[2] = (w[0] >> 11 & 31) / 31.0;
        break;
    case P_RG16SN:
        for (int c = 0; c < 2; c++) out[c] = fmax((int16_t)(w[0] >> 16 * c) / 32767.0, -1);
        break;
    case P_SRGB8:
        for (int c = 0; c < 4; c++) {
            const double v = b[c] / 255.0;
            out[c] = c == 3 ? v : v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
        }
        break;
    case P_RGBA32UI:
        for (int c = 0; c < 4; c++) out[c] = w[c];
        break;
    }
}
static inline bool is_integer(enum pixel_name p) { return pixels[p].number == 4 || pixels[p].number == 5; }
// Numbers where NaNs would be compared.
static inline void fill(enum pixel_name p, uint8_t *memory, size_t n) {
    for (size_t i = 0; i + 4 <= n; i += 4) {
        uint32_t v = image_random();
        if (p == P_R32F || p == P_RGBA32F) v = bits_of((float)(int32_t)v / 65536);
        if (p == P_RGBA16F) v &= 0xbbffbbff;
        memcpy(memory + i, &v, 4);
    }
}

static unsigned compared, instructions;
static inline bool is_value(enum pixel_name p, bool half, uint32_t got, double want) {
    compared++;
    if (half && is_integer(p)) return (got & 0xffff) == ((uint32_t)(int64_t)want & 0xffff);
    if (half)
        return fabs(half_value((uint16_t)got) - want) <= fabs(want) / 1024 + 0x1p-24 ||
               half_value((uint16_t)got) == want;
    if (is_integer(p)) return got == (uint32_t)(int64_t)want;
    return fabs((double)float_of(got) - want) <= fabs(want) * 0x1p-22;
}

static inline void randomize(struct image_run *r) {
    for (unsigned v = 0; v < IMG_REGISTERS; v++)
        for (unsigned l = 0; l < 64; l++) r->before[v][l] = image_random();
    const uint64_t any = (uint64_t)image_random() << 32 | image_random();
    r->exec = image_random() % 3 ? ~0ull : any;
    if (r->lanes == 32) r->exec &= 0xffffffff;
}
static inline bool executes(const struct image_run *r, unsigned lane) { return r->exec >> lane & 1; }

// Word `n` of a lane's address, 32 bits or a half of it.
static inline void put_word(struct image_run *r, const unsigned *place, unsigned n, unsigned lane,
                            uint32_t v) {
    r->before[place[n]][lane] = v;
}
static inline void put_half(struct image_run *r, const unsigned *place, unsigned half, unsigned lane,
                            uint32_t v) {
    uint32_t *w = &r->before[place[half / 2]][lane];
    *w = half & 1 ? (*w & 0xffff) | v << 16 : (*w & 0xffff0000) | (v & 0xffff);
}

// Registers that an instruction does not write stay.
static inline void nothing_else_changed(const struct image_run *r, unsigned first, unsigned count) {
    for (unsigned v = 0; v < IMG_REGISTERS; v++)
        for (unsigned l = 0; l < r->lanes; l++)
            if (v < first || v >= first + count || !executes(r, l))
                assert_int_equal(r->after[v][l], r->before[v][l]);
}

static const struct {
    unsigned type;
    enum dim dim;
    unsigned coordinates;
} kinds[] = {{TYPE_1D, D_1D, 1},
             {TYPE_2D, D_2D, 2},
             {TYPE_3D, D_3D, 3},
             {TYPE_1D_ARRAY, D_1D_ARRAY, 2},
             {TYPE_2D_ARRAY, D_2D_ARRAY, 3},
             {TYPE_CUBE, D_CUBE, 3}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static inline struct picture_facts picture_of(enum pixel_name p, unsigned kind) {
    struct picture_facts f = {.pixel = p, .type = kinds[kind].type, .width = 37, .height = 1, .depth = 1};
    if (kinds[kind].dim != D_1D && kinds[kind].dim != D_1D_ARRAY) f.height = 21;
    if (kinds[kind].coordinates == 3 || kinds[kind].dim == D_1D_ARRAY) f.depth = 5;
    if (kinds[kind].dim == D_CUBE) f.height = f.width = 24, f.depth = 6;
    return f;
}
// x, y and slice or z of a lane's address; of one lane in six outside.
static inline void random_texel(const struct picture_facts *f, unsigned kind, unsigned at[3], bool *inside) {
    const unsigned limit[3] = {f->width, f->height, f->depth};
    at[0] = image_random() % f->width, at[1] = image_random() % f->height, at[2] = image_random() % f->depth;
    *inside = image_random() % 6;
    const bool one = kinds[kind].dim == D_1D, two = kinds[kind].dim == D_2D;
    if (*inside) return;
    const unsigned d = one                             ? 0
                       : two                           ? image_random() % 2
                       : kinds[kind].dim == D_1D_ARRAY ? image_random() % 2 * 2
                                                       : image_random() % 3;
    at[d] = limit[d] + (image_random() % 2 ? 0 : image_random() % 30000);
}
// The words of the address for x, y, z.
static inline unsigned coordinates_of(unsigned kind, const unsigned at[3], unsigned out[3]) {
    if (kinds[kind].dim == D_1D_ARRAY) {
        out[0] = at[0], out[1] = at[2];
        return 2;
    }
    memcpy(out, at, 3 * sizeof *out);
    return kinds[kind].coordinates;
}

static inline uint16_t half_bits(double d) { // of numbers that F16 has
    if (d == 0) return 0;
    int e;
    const double m = frexp(fabs(d), &e);
    const uint16_t sign = d < 0 ? 0x8000 : 0;
    if (e < -13) return (uint16_t)(sign | lrint(ldexp(fabs(d), 24)));
    return (uint16_t)(sign | (e + 14) << 10 | (lrint(ldexp(m, 11)) & 1023));
}

#endif
