// SPDX-License-Identifier: MIT
// Directives for program state: registers by name, resources, samplers and constants by what they say.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "terascale/text/parse.h"
#include "terascale/state/state.h"

// ---- Registers ----

// "NUM_GPRS(3) BITS(0x100)": fields of a register by name, BITS for bits that have none.
static bool parse_fields(struct ts_cursor *c, const struct ts_register *r, uint32_t *value) {
    const char *field;
    while (!ts_at_end(c)) {
        const size_t length = ts_word(c, &field);
        uint32_t v, width = 0, lo = 0;
        const char *f = r->fields;
        for (; *f && !width; f += strcspn(f, " "), f += *f == ' ')
            if (strcspn(f, ":") == length && !memcmp(f, field, length))
                sscanf(f + length + 1, "%u@%u", &width, &lo);
        if (length == 4 && !memcmp(field, "BITS", 4)) width = 32;
        if (!length || !width) return ts_fail(c, "%s has no such field", r->name);
        if (!ts_expect(c, "(") || !ts_number(c, &v) || !ts_expect(c, ")")) return false;
        if (width < 32 && v >> width) return ts_fail(c, "%.*s has %u bits", (int)length, field, width);
        *value |= v << lo;
    }
    return true;
}

static bool parse_set(struct ts_cursor *c, struct ts_settings *out) {
    const char *name;
    struct ts_setting s = {0, 0};
    ts_skip(c);
    const bool number = c->p < c->end && *c->p >= '0' && *c->p <= '9';
    if (number) { // a register without a name
        if (!ts_number(c, &s.reg) || !ts_number(c, &s.value)) return false;
        if (s.reg & 3 || s.reg < TS_STATE_FIRST || s.reg >= TS_STATE_END)
            return ts_fail(c, "no register at 0x%x", s.reg);
    } else {
        const size_t n = ts_word(c, &name);
        const struct ts_register *r = ts_register_named(c->family, name, n, &s.reg);
        if (!r) return ts_fail(c, "no register '%.*s'", (int)n, name);
        if (!parse_fields(c, r, &s.value)) return false;
    }
    out->item[out->count++] = s;
    return true;
}

// ---- Fields of resources and samplers ----

// How the number in the text becomes the field's: as it is; one less; eighths less one; 256ths; selectors of
// four components; fixed point.
enum kind { PLAIN, FLAG, LESS_ONE, EIGHTHS, PAGES, SELECTORS, FIXED };
struct at {
    uint8_t word, lo, width; // width 0: the family has none
};
struct state_field {
    const char *name;
    struct at at[2]; // R600 and R700; Evergreen and later
    uint8_t kind;
    uint8_t values; // TSV_*
};

static const struct state_field texture_fields[] = {
    {"DIM", {{0, 0, 3}, {0, 0, 3}}, PLAIN, TSV_TEX_DIM},
    {"TILING", {{0, 3, 4}, {1, 28, 4}}, PLAIN, TSV_TILING},
    {"DEPTH_ORDER", {{0, 7, 1}, {0, 5, 1}}, FLAG, 0},
    {"PITCH", {{0, 8, 11}, {0, 6, 12}}, EIGHTHS, 0},
    {"WIDTH", {{0, 19, 13}, {0, 18, 14}}, LESS_ONE, 0},
    {"HEIGHT", {{1, 0, 13}, {1, 0, 14}}, LESS_ONE, 0},
    {"DEPTH", {{1, 13, 13}, {1, 14, 13}}, LESS_ONE, 0},
    {"FORMAT", {{1, 26, 6}, {7, 0, 6}}, PLAIN, TSV_DATA_FORMAT},
    {"ADDRESS", {{2, 0, 32}, {2, 0, 32}}, PAGES, 0},
    {"MIPS", {{3, 0, 32}, {3, 0, 32}}, PAGES, 0},
    {"COMP", {{4, 0, 8}, {4, 0, 8}}, PLAIN, 0},
    {"NUM_FORMAT", {{4, 8, 2}, {4, 8, 2}}, PLAIN, TSV_NUM_FORMAT},
    {"SRF_MODE", {{4, 10, 1}, {4, 10, 1}}, FLAG, 0},
    {"DEGAMMA", {{4, 11, 1}, {4, 11, 1}}, FLAG, 0},
    {"ENDIAN_SWAP", {{4, 12, 2}, {4, 12, 2}}, PLAIN, TSV_ENDIAN},
    {"SEL", {{4, 16, 12}, {4, 16, 12}}, SELECTORS, 0},
    {"BASE_LEVEL", {{4, 28, 4}, {4, 28, 4}}, PLAIN, 0},
    {"LEVELS", {{5, 0, 4}, {5, 0, 4}}, LESS_ONE, 0},
    {"FIRST_SLICE", {{5, 4, 13}, {5, 4, 13}}, PLAIN, 0},
    {"LAST_SLICE", {{5, 17, 13}, {5, 17, 13}}, PLAIN, 0},
    {0},
};
static const struct state_field buffer_fields[] = {
    {"ADDRESS", {{0, 0, 32}, {0, 0, 32}}, PLAIN, 0},
    {"SIZE", {{1, 0, 32}, {1, 0, 32}}, LESS_ONE, 0},
    {"STRIDE", {{2, 8, 11}, {2, 8, 11}}, PLAIN, 0},
    {"CLAMP_TO_NAN", {{2, 19, 1}, {2, 19, 1}}, FLAG, 0},
    {"FORMAT", {{2, 20, 6}, {2, 20, 6}}, PLAIN, TSV_DATA_FORMAT},
    {"NUM_FORMAT", {{2, 26, 2}, {2, 26, 2}}, PLAIN, TSV_NUM_FORMAT},
    {"FORMAT_COMP", {{2, 28, 1}, {2, 28, 1}}, FLAG, 0},
    {"SRF_MODE", {{2, 29, 1}, {2, 29, 1}}, FLAG, 0},
    {"ENDIAN_SWAP", {{2, 30, 2}, {2, 30, 2}}, PLAIN, TSV_ENDIAN},
    {"SEL", {{0, 0, 0}, {3, 3, 12}}, SELECTORS, 0},
    {0},
};
static const struct state_field sampler_fields[] = {
    {"CLAMP_X", {{0, 0, 3}, {0, 0, 3}}, PLAIN, TSV_TEX_CLAMP},
    {"CLAMP_Y", {{0, 3, 3}, {0, 3, 3}}, PLAIN, TSV_TEX_CLAMP},
    {"CLAMP_Z", {{0, 6, 3}, {0, 6, 3}}, PLAIN, TSV_TEX_CLAMP},
    {"MAG", {{0, 9, 3}, {0, 9, 2}}, PLAIN, TSV_TEX_FILTER},
    {"MIN", {{0, 12, 3}, {0, 11, 2}}, PLAIN, TSV_TEX_FILTER},
    {"Z", {{0, 15, 2}, {0, 13, 2}}, PLAIN, TSV_TEX_STEP},
    {"MIP", {{0, 17, 2}, {0, 15, 2}}, PLAIN, TSV_TEX_STEP},
    {"ANISO", {{0, 19, 3}, {0, 17, 3}}, PLAIN, 0},
    {"BORDER", {{0, 22, 2}, {0, 20, 2}}, PLAIN, TSV_TEX_BORDER},
    {"COMPARE", {{0, 26, 3}, {0, 22, 3}}, PLAIN, TSV_TEX_COMPARE},
    {"MIN_LOD", {{1, 0, 10}, {1, 0, 12}}, FIXED, 0},
    {"MAX_LOD", {{1, 10, 10}, {1, 12, 12}}, FIXED, 0},
    {"LOD_BIAS", {{1, 20, 12}, {2, 0, 14}}, FIXED, 0},
    {"DEGAMMA", {{2, 13, 1}, {2, 21, 1}}, FLAG, 0},
    {"NO_CUBE_WRAP", {{0, 0, 0}, {2, 29, 1}}, FLAG, 0},
    {0},
};

static bool parse_real(struct ts_cursor *c, double *out) {
    char copy[40], *end;
    ts_skip(c);
    size_t n = 0;
    while (n + 1 < sizeof copy && c->p + n < c->end && strchr("+-.0123456789eExXabcdfABCDFinINF", c->p[n]) &&
           c->p[n] != ' ')
        copy[n] = c->p[n], n++;
    copy[n] = 0;
    *out = strtod(copy, &end);
    if (end == copy) return ts_fail(c, "expected a number");
    c->p += end - copy;
    return true;
}

static bool parse_selectors(struct ts_cursor *c, uint32_t *out) {
    static const char letters[] = "xyzw01";
    *out = 0;
    for (unsigned i = 0; i < 4; i++) {
        const char *l = c->p < c->end ? memchr(letters, *c->p, 6) : NULL;
        if (!l) return ts_fail(c, "expected four of the letters x y z w 0 1");
        *out |= (uint32_t)(l - letters) << 3 * i;
        c->p++;
    }
    return true;
}

static bool parse_named(struct ts_cursor *c, unsigned values, uint32_t *out) {
    const char *const before = c->p, *name;
    const size_t n = ts_word(c, &name);
    const int number = n ? ts_value_number((enum ts_values)values, name, n) : -1;
    if (number >= 0) return *out = (uint32_t)number, true;
    c->p = before;
    return ts_number(c, out);
}

// The field's number. Fixed point has six bits behind the point on R600 and R700, eight later.
static bool parse_state_value(struct ts_cursor *c, const struct state_field *f, const struct at *at,
                              uint32_t *v) {
    double real;
    *v = 1;
    if (f->kind == FLAG) return true;
    if (!ts_expect(c, "(")) return false;
    if (f->kind == SELECTORS) return parse_selectors(c, v) && ts_expect(c, ")");
    if (f->kind == FIXED) {
        const bool newer = c->family >= TS_EVERGREEN, sign = f->name[0] == 'L';
        if (!parse_real(c, &real)) return false;
        const double scaled = real * (newer ? 256 : 64), most = (double)(1u << (at->width - sign));
        if (!(scaled < most && scaled >= (sign ? -most : 0)))
            return ts_fail(c, "%s does not hold %g", f->name, real);
        *v = (uint32_t)(int32_t)scaled & (uint32_t)((1ull << at->width) - 1);
        return ts_expect(c, ")");
    }
    if (!parse_named(c, f->values, v)) return false;
    if ((f->kind == LESS_ONE && !*v) || (f->kind == EIGHTHS && (!*v || *v % 8)) ||
        (f->kind == PAGES && *v & 255))
        return ts_fail(c, "%s is %s", f->name,
                       f->kind == EIGHTHS ? "a multiple of 8"
                       : f->kind == PAGES ? "a multiple of 256"
                                          : "at least 1");
    *v = f->kind == LESS_ONE ? *v - 1 : f->kind == EIGHTHS ? *v / 8 - 1 : f->kind == PAGES ? *v >> 8 : *v;
    return ts_expect(c, ")");
}

static const struct state_field *find_field(const struct state_field *fields, const char *name, size_t n) {
    for (; fields->name; fields++)
        if (strlen(fields->name) == n && !memcmp(fields->name, name, n)) return fields;
    return NULL;
}

// Names and values up to the line's end; words[] and the bits of *given say what they were.
static bool parse_words(struct ts_cursor *c, const struct state_field *fields, uint32_t words[8],
                        uint32_t *given) {
    const unsigned newer = c->family >= TS_EVERGREEN;
    while (!ts_at_end(c)) {
        const char *name;
        const size_t n = ts_word(c, &name);
        const struct state_field *f = find_field(fields, name, n);
        uint32_t v;
        if (!f || !f->at[newer].width) return ts_fail(c, "no field '%.*s' here", (int)n, name);
        const struct at *at = &f->at[newer];
        if (!parse_state_value(c, f, at, &v)) return false;
        if (at->width < 32 && v >> at->width) return ts_fail(c, "%s does not hold this", f->name);
        const uint32_t mask = (uint32_t)((1ull << at->width) - 1) << at->lo;
        words[at->word] = (words[at->word] & ~mask) | v << at->lo;
        *given |= 1u << (f - fields);
    }
    return true;
}

// ---- Directives ----

// "t3", "b3", "s3": a number of the stage's; "f3" is the fetch shader's.
static bool parse_number_of(struct ts_cursor *c, char letter, bool *fetch, uint32_t *out) {
    ts_skip(c);
    *fetch = letter != 's' && c->p < c->end && *c->p == 'f';
    if (c->p >= c->end || (*c->p != letter && !*fetch)) return ts_fail(c, "expected %c and a number", letter);
    c->p++;
    return ts_number(c, out);
}

static bool put_resource(struct ts_cursor *c, enum ts_set set, bool fetch, uint32_t id,
                         const uint32_t words[8], struct ts_settings *out) {
    const bool newer = c->family >= TS_EVERGREEN;
    const int n = ts_resource_number(c->family, fetch ? TS_SET_FS : set, id);
    if (n < 0) return ts_fail(c, "no resource has the number %u", id);
    const uint32_t at = newer ? 0x30000 + 32 * (uint32_t)n : 0x38000 + 28 * (uint32_t)n;
    for (unsigned i = 0; i < (newer ? 8 : 7); i++)
        out->item[out->count++] = (struct ts_setting){at + 4 * i, words[i]};
    return true;
}

// What is left out is 2D, its selectors x y z w; the pitch is what the width needs.
static bool parse_texture(struct ts_cursor *c, enum ts_set set, struct ts_settings *out) {
    const unsigned newer = c->family >= TS_EVERGREEN;
    uint32_t words[8] = {TS_2D, 0, 0, 0, 0x688 << 16}, given = 0, id;
    bool fetch;
    if (!parse_number_of(c, 't', &fetch, &id) || !parse_words(c, texture_fields, words, &given)) return false;
    words[newer ? 7 : 6] |= (uint32_t)TS_RESOURCE_TEXTURE << 30;
    const struct at *width = &find_field(texture_fields, "WIDTH", 5)->at[newer],
                    *pitch = &find_field(texture_fields, "PITCH", 5)->at[newer];
    const uint32_t tiling = newer ? words[1] >> 28 : words[0] >> 3 & 15,
                   texels = (uint32_t)bits(words[0], width->lo, width->width) + 1;
    if (!(given & 1u << 3))
        words[0] |= ((uint32_t)align_up(texels, tiling == TS_LINEAR_ALIGNED ? 64 : 8) / 8 - 1) << pitch->lo;
    return put_resource(c, set, fetch, id, words, out);
}

static bool parse_buffer(struct ts_cursor *c, enum ts_set set, struct ts_settings *out) {
    const unsigned newer = c->family >= TS_EVERGREEN;
    uint32_t words[8] = {0, 0, 0, newer ? 0x688 << 3 : 0}, given = 0, id;
    bool fetch;
    if (!parse_number_of(c, 'b', &fetch, &id) || !parse_words(c, buffer_fields, words, &given)) return false;
    words[newer ? 7 : 6] |= (uint32_t)TS_RESOURCE_BUFFER << 30;
    return put_resource(c, set, fetch, id, words, out);
}

// Without MAX_LOD there is no limit.
static bool parse_sampler(struct ts_cursor *c, enum ts_set set, struct ts_settings *out) {
    const bool newer = c->family >= TS_EVERGREEN;
    uint32_t words[8] = {0, newer ? 0xfffu << 12 : 0x3ffu << 10}, given = 0, id;
    bool fetch;
    if (!parse_number_of(c, 's', &fetch, &id) || !parse_words(c, sampler_fields, words, &given)) return false;
    if (id >= TS_SAMPLERS) return ts_fail(c, "a stage has %d samplers", TS_SAMPLERS);
    for (unsigned i = 0; i < 3; i++)
        out->item[out->count++] =
            (struct ts_setting){0x3c000 + 12 * (TS_SAMPLERS * (uint32_t)set + id) + 4 * i, words[i]};
    return true;
}

static bool parse_reals(struct ts_cursor *c, uint32_t out[4]) {
    for (unsigned i = 0; i < 4; i++) {
        double v;
        if ((i && !ts_expect(c, ",")) || !parse_real(c, &v)) return false;
        const float f = (float)v;
        memcpy(&out[i], &f, sizeof f);
    }
    return true;
}

// ".border s3 1, 0, 0.5, 1": the sampler's colour in its registers.
static bool parse_border(struct ts_cursor *c, enum ts_set set, struct ts_settings *out) {
    const bool newer = c->family >= TS_EVERGREEN;
    uint32_t id, colour[4];
    bool fetch;
    if (!parse_number_of(c, 's', &fetch, &id) || !parse_reals(c, colour)) return false;
    if (id >= TS_SAMPLERS) return ts_fail(c, "a stage has %d samplers", TS_SAMPLERS);
    const uint32_t at = newer ? 0xa400 + 20 * (uint32_t)set : 0xa400 + 0x200 * (uint32_t)set + 16 * id;
    if (newer) out->item[out->count++] = (struct ts_setting){at, id};
    for (unsigned i = 0; i < 4; i++)
        out->item[out->count++] = (struct ts_setting){at + 4 * (i + newer), colour[i]};
    return true;
}

// ".const C5 1, 0, 0.5, 1": a vector of the constant file.
static bool parse_constant(struct ts_cursor *c, enum ts_set set, struct ts_settings *out) {
    uint32_t n, v[4];
    if (c->family >= TS_EVERGREEN)
        return ts_fail(c, "constants lie in memory from Evergreen on: SQ_ALU_CONST_CACHE");
    if (!ts_accept(c, "C") || !ts_number(c, &n)) return ts_fail(c, "expected C and a number");
    if (n > 255 || set > TS_SET_VS)
        return ts_fail(c, "pixel and vertex shaders have the constants C0 to C255");
    if (!parse_reals(c, v)) return false;
    for (unsigned i = 0; i < 4; i++)
        out->item[out->count++] =
            (struct ts_setting){0x30000 + 0x1000 * (uint32_t)set + 16 * n + 4 * i, v[i]};
    return true;
}

// ".loop 3 COUNT(10) INIT(0) INC(1)", ".bool 0x5": what LOOP_* and COND(BOOL) look at.
static bool parse_loop(struct ts_cursor *c, enum ts_set set, struct ts_settings *out) {
    const bool newer = c->family >= TS_EVERGREEN;
    struct ts_setting s = {0, 0};
    uint32_t n;
    if (!ts_number(c, &n)) return false;
    if (n > 31) return ts_fail(c, "a stage has 32 loop constants");
    s.reg = (newer ? 0x3a200 : 0x3e200) + 128 * (uint32_t)set + 4 * n;
    if (!parse_fields(c, ts_register_at(c->family, newer ? 0x3a200 : 0x3e200), &s.value)) return false;
    out->item[out->count++] = s;
    return true;
}

static bool parse_bool(struct ts_cursor *c, enum ts_set set, struct ts_settings *out) {
    struct ts_setting s = {(c->family >= TS_EVERGREEN ? 0x3a500 : 0x3e380) + 4 * (uint32_t)set, 0};
    if (!ts_number(c, &s.value)) return false;
    out->item[out->count++] = s;
    return true;
}

bool ts_parse_state(struct ts_cursor *c, enum ts_stage stage, struct ts_settings *out) {
    static const struct {
        const char *name;
        bool (*parse)(struct ts_cursor *c, enum ts_set set, struct ts_settings *out);
    } directives[] = {{".texture", parse_texture}, {".buffer", parse_buffer},  {".sampler", parse_sampler},
                      {".border", parse_border},   {".const", parse_constant}, {".loop", parse_loop},
                      {".bool", parse_bool}};
    const enum ts_set set = ts_set_of(c->family, stage);
    out->count = 0;
    if (ts_accept(c, ".set")) return parse_set(c, out);
    for (unsigned i = 0; i < sizeof directives / sizeof *directives; i++)
        if (ts_accept(c, directives[i].name))
            return directives[i].parse(c, set, out) &&
                   (ts_at_end(c) || ts_fail(c, "nothing stands behind this"));
    return ts_fail(c, "no such directive");
}
