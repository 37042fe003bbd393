// SPDX-License-Identifier: MIT
// Trials of image loads, stores and atomics against what the formats' text says, on images of which each
// texel lies where plain rows put it; for the tests of these.
#ifndef TESTS_IMAGE_TRIALS_H
#define TESTS_IMAGE_TRIALS_H

#include "image_shapes.h"

// ---- Loads ----

static inline struct shape load_shape(const struct image_run *r, unsigned kind, unsigned trial) {
    struct shape s = {.name = "image_load", .dim = kinds[kind].dim, .dmask = 1 + image_random() % 15};
    s.a16 = has_a16(r->m) && trial % 3 == 1;
    s.d16 = r->m->layout != L_GFX6 ? trial % 4 == 2 : r->m->apart && trial % 4 == 2;
    s.tfe = trial % 7 == 3 && !r->m->few, s.list = trial % 2;
    s.r128 = kind < (has_dim(r->m) ? 2 : 1) && r->m->layout != L_GFX9 &&
             trial % 9 == 4; // without a depth and a pitch
    s.words = s.a16 ? (kinds[kind].coordinates + 1) / 2 : kinds[kind].coordinates;
    const unsigned count = (unsigned)__builtin_popcount(s.dmask);
    s.data = s.d16 && !r->m->apart ? (count + 1) / 2 : count;
    return s;
}
// Outside of an image: zero, and one in a component that the format has not.
static inline void loaded_colour(const struct image_run *r, const struct picture_facts *f,
                                 const unsigned at[3], bool inside, double all[4]) {
    const enum pixel_name p = f->pixel;
    double rgba[4] = {0, 0, 0,
                      pixels[p].bytes == 4 * (p == P_R32F || p == P_R32UI) || p == P_R8 || p == P_565 ||
                          p == P_RG16SN || p == P_RG32UI};
    if (inside) decode(p, r->memory + place_in(r->m, f, at[0], at[1], at[2] + f->first_slice), rgba);
    memcpy(all, rgba, sizeof rgba);
    if (f->select) all[0] = rgba[2], all[2] = rgba[0], all[3] = 1;
}
static inline void check_loaded(const struct image_run *r, const struct picture_facts *f,
                                const struct shape *s, const char *text, unsigned l, const unsigned at[3],
                                bool inside) {
    double all[4];
    loaded_colour(r, f, at, inside, all);
    for (unsigned c = 0, k = 0; c < 4; c++) {
        if (!(s->dmask >> c & 1)) continue;
        const bool packed = s->d16 && !r->m->apart;
        const uint32_t v = r->after[V_DATA + (packed ? k / 2 : k)][l] >> (packed && k & 1 ? 16 : 0);
        if (!is_value(f->pixel, s->d16, v, all[c]))
            fail_msg("%s, %s of %s: lane %u, component %u of %u %u %u is %08x, not %g", r->m->name, text,
                     pixels[f->pixel].name, l, c, at[0], at[1], at[2], v, all[c]);
        k++;
    }
    if (s->tfe) assert_int_equal(r->after[V_DATA + s->data][l], 0);
}
static inline void try_load(struct image_run *r, unsigned trial) {
    const enum pixel_name p = (enum pixel_name)(trial % PIXELS);
    const unsigned kind = trial / PIXELS % KINDS;
    struct picture_facts f = picture_of(p, kind);
    if (trial % 5 == 0) f.select = 6 | 5 << 3 | 4 << 6 | 1 << 9; // blue, green, red, one
    if (f.type == TYPE_2D_ARRAY && trial % 2) f.first_slice = 2;
    fill(p, r->memory, 120000);
    const struct shape s = load_shape(r, kind, trial);
    char text[256];
    unsigned place[13], at[64][3];
    bool inside[64];
    instruction_text(r->m, &s, text, place);
    make_resource(r->m, &f, r->memory, r->t);
    randomize(r);
    for (unsigned l = 0; l < r->lanes; l++) {
        unsigned words[3];
        random_texel(&f, kind, at[l], &inside[l]);
        const unsigned k = coordinates_of(kind, at[l], words);
        for (unsigned i = 0; i < k; i++)
            if (s.a16)
                put_half(r, place, i, l, words[i]);
            else
                put_word(r, place, i, l, words[i]);
    }
    instructions++;
    if (image_run(r, text))
        print_error("%s: %s of %s: %s\n", r->m->name, text, pixels[p].name,
                    r->fault.reason ? r->fault.reason : "fault");
    assert_int_equal(r->fault.kind, 0);
    nothing_else_changed(r, V_DATA, s.data + s.tfe);
    for (unsigned l = 0; l < r->lanes; l++)
        if (executes(r, l)) check_loaded(r, &f, &s, text, l, at[l], inside[l]);
}

// ---- Stores ----

static const enum pixel_name stored[] = {P_R8,     P_RGBA8,   P_RGBA8UI, P_RGBA8SI, P_R32UI, P_R32F,
                                         P_RG32UI, P_RGBA16F, P_RGBA32F, P_RGB10A2, P_RG16SN};
enum { STORED = sizeof stored / sizeof *stored, STORE_BYTES = 120000 };

static inline void check_stored(const struct image_run *r, enum pixel_name p, const char *text, unsigned l,
                                const uint8_t *texel) {
    double got[4];
    decode(p, texel, got);
    const double step = p == P_RGBA8 || p == P_R8 ? 0.5 / 255
                        : p == P_RGB10A2          ? 0.5 / 3
                        : p == P_RG16SN           ? 0.5 / 32767
                        : p == P_RGBA16F          ? 0x1p-11
                                                  : 0;
    const unsigned components = p == P_R8 || p == P_R32UI || p == P_R32F ? 1
                                : p == P_RG32UI || p == P_RG16SN         ? 2
                                                                         : 4;
    for (unsigned c = 0; c < components; c++) {
        const uint32_t v = r->before[V_DATA + c][l];
        const double want = is_integer(p) ? v : (double)float_of(v);
        const double bound = p == P_RGB10A2 && c < 3 ? 0.5 / 1023 : step;
        compared++;
        if (fabs(got[c] - want) > bound + 1e-7)
            fail_msg("%s %s %s: %g, not %g", r->m->name, text, pixels[p].name, got[c], want);
    }
}
// What is stored is what a load gives, and no other byte changes.
static inline void try_store(struct image_run *r, unsigned trial) {
    static uint8_t copy[STORE_BYTES];
    const enum pixel_name p = stored[trial % STORED];
    const unsigned kind = trial / STORED % KINDS;
    const struct picture_facts f = picture_of(p, kind);
    fill(p, r->memory, STORE_BYTES);
    memcpy(copy, r->memory, STORE_BYTES);
    const struct shape s = {.name = "image_store",
                            .dim = kinds[kind].dim,
                            .dmask = 15,
                            .data = 4,
                            .list = trial % 2,
                            .words = kinds[kind].coordinates};
    char text[256];
    unsigned place[13], at[64][3];
    bool inside[64];
    instruction_text(r->m, &s, text, place);
    make_resource(r->m, &f, r->memory, r->t);
    randomize(r);
    for (unsigned l = 0; l < r->lanes; l++) {
        unsigned words[3];
        random_texel(&f, kind, at[l], &inside[l]);
        at[l][0] = inside[l] ? l % f.width : at[l][0]; // lanes apart
        const unsigned k = coordinates_of(kind, at[l], words);
        for (unsigned i = 0; i < k; i++) put_word(r, place, i, l, words[i]);
        for (unsigned c = 0; c < 4; c++)
            r->before[V_DATA + c][l] = is_integer(p) ? image_random() & (p == P_RGBA8SI ? 0x7f : 0xff)
                                                     : bits_of((float)(image_random() % 1001) / 1000);
    }
    instructions++;
    assert_int_equal(image_run(r, text), SW_OK);
    nothing_else_changed(r, 0, 0);
    for (unsigned l = 0; l < r->lanes; l++) {
        if (!executes(r, l) || !inside[l]) continue;
        const size_t place_at = place_in(r->m, &f, at[l][0], at[l][1], at[l][2]);
        bool later = false;
        for (unsigned k = l + 1; k < r->lanes; k++)
            later |=
                executes(r, k) && inside[k] && place_at == place_in(r->m, &f, at[k][0], at[k][1], at[k][2]);
        memcpy(copy + place_at, r->memory + place_at, pixels[p].bytes);
        if (!later) check_stored(r, p, text, l, r->memory + place_at);
    }
    assert_memory_equal(copy, r->memory, STORE_BYTES);
}

// ---- Components as they lie in memory ----

// With and without their signs, and put back.
static inline void try_raw(struct image_run *r, const char *name) {
    const bool sign = strstr(name, "sgn"), store = strstr(name, "store");
    const struct picture_facts f = picture_of(sign || store ? P_RGBA8 : P_RGBA8SI, 1);
    const struct shape s = {.name = name, .dim = D_2D, .words = 2, .data = 4, .dmask = 15};
    char text[256];
    unsigned place[13];
    fill(f.pixel, r->memory, 20000);
    instruction_text(r->m, &s, text, place);
    make_resource(r->m, &f, r->memory, r->t);
    randomize(r);
    for (unsigned l = 0; l < r->lanes; l++)
        put_word(r, place, 0, l, l % f.width), put_word(r, place, 1, l, l / f.width);
    instructions++;
    assert_int_equal(image_run(r, text), SW_OK);
    for (unsigned l = 0; l < r->lanes; l++)
        for (unsigned c = 0; c < 4 && executes(r, l); c++) {
            const uint8_t b = r->memory[place_in(r->m, &f, l % f.width, l / f.width, 0) + c];
            if (store)
                assert_int_equal(b, r->before[V_DATA + c][l] & 255);
            else
                assert_int_equal(r->after[V_DATA + c][l], sign ? (uint32_t)(int8_t)b : b);
            compared++;
        }
}
// An access to each texel of two levels of an image of 8 x 8, a lane for each; a third has none.
static inline void run_levels(struct image_run *r, const char *name, uint32_t data[3][64][4]) {
    const struct shape s = {.name = name, .dim = D_2D, .words = 3, .data = 4, .dmask = 15};
    const bool store = strstr(name, "store");
    char text[256];
    unsigned place[13];
    instruction_text(r->m, &s, text, place);
    for (unsigned level = 0; level < 3; level++)
        for (unsigned first = 0; first < 64u >> 2 * level; first += r->lanes) {
            const unsigned wide = 8 >> level;
            randomize(r);
            r->exec = r->lanes == 64 ? ~0ull : 0xffffffff;
            for (unsigned l = 0; l < r->lanes; l++) {
                const unsigned n = first + l < wide * wide ? first + l : 0;
                put_word(r, place, 0, l, n % wide), put_word(r, place, 1, l, n / wide);
                put_word(r, place, 2, l, level);
                for (unsigned c = 0; c < 4; c++) r->before[V_DATA + c][l] = data[level][n][c];
            }
            instructions++;
            assert_int_equal(image_run(r, text), SW_OK);
            for (unsigned l = 0; l < r->lanes && first + l < wide * wide && !store; l++)
                for (unsigned c = 0; c < 4; c++) data[level][first + l][c] = r->after[V_DATA + c][l];
        }
}
// Texels of levels by `name`, the way back by the plain operation of integers; the first level is in memory
// where rows of texels are, as in images of one level, or behind other levels in this order.
static inline void try_raw_levels(struct image_run *r, const char *name) {
    static uint32_t put[3][64][4], got[3][64][4];
    struct picture_facts f = picture_of(strstr(name, "pck") ? P_RGBA8 : P_RGBA8SI, 1);
    const bool raw = strstr(name, "pck"), store = strstr(name, "store"),
               sign = !store && (strstr(name, "sgn") || !raw);
    f.width = f.height = 8, f.last_level = 1;
    for (unsigned level = 0; level < 3; level++)
        for (unsigned i = 0; i < 64 * 4; i++)
            put[level][i / 4][i % 4] = raw ? image_random() : (uint32_t)(int8_t)image_random();
    memset(r->memory, 0x5a, STORE_BYTES);
    make_resource(r->m, &f, r->memory, r->t);
    run_levels(r, store ? name : raw ? "image_store_mip_pck" : "image_store_mip", put);
    memcpy(got, put, sizeof got);
    run_levels(r, store ? "image_load_mip_pck" : name, got);
    unsigned changed = 0;
    for (unsigned i = 0; i < STORE_BYTES; i++) changed += r->memory[i] != 0x5a;
    assert_true(changed <= 4 * (64 + 16)); // nothing of a level that is not there
    for (unsigned level = 0; level < 2; level++)
        for (unsigned n = 0; n < 64u >> 2 * level; n++)
            for (unsigned c = 0; c < 4; c++) {
                const uint8_t b = (uint8_t)put[level][n][c];
                if (got[level][n][c] != (sign ? (uint32_t)(int8_t)b : b))
                    fail_msg("%s: %s, level %u, texel %u: %x, not %x", r->m->name, name, level, n,
                             got[level][n][c], b);
                compared++;
            }
}

// ---- Atomics ----

static inline uint64_t after_atomic(const char *op, uint64_t old, uint64_t src, uint64_t compare,
                                    unsigned bits) {
    const uint64_t all = bits == 64 ? ~0ull : 0xffffffff;
    const int64_t so = bits == 64 ? (int64_t)old : (int32_t)old,
                  ss = bits == 64 ? (int64_t)src : (int32_t)src;
    if (!strcmp(op, "swap")) return src;
    if (!strcmp(op, "cmpswap")) return old == compare ? src : old;
    if (!strncmp(op, "add", 3)) return (old + src) & all;
    if (!strncmp(op, "sub", 3)) return (old - src) & all;
    if (!strncmp(op, "rsub", 4)) return (src - old) & all;
    if (!strcmp(op, "smin") || !strcmp(op, "min_int")) return ss < so ? src : old;
    if (!strcmp(op, "umin") || !strcmp(op, "min_uint")) return src < old ? src : old;
    if (!strcmp(op, "smax") || !strcmp(op, "max_int")) return ss > so ? src : old;
    if (!strcmp(op, "umax") || !strcmp(op, "max_uint")) return src > old ? src : old;
    if (!strcmp(op, "and")) return old & src;
    if (!strcmp(op, "or")) return old | src;
    if (!strcmp(op, "xor")) return old ^ src;
    if (!strncmp(op, "inc", 3)) return old >= src ? 0 : old + 1;
    assert_true(!strncmp(op, "dec", 3));
    return old == 0 || old > src ? src : old - 1;
}
static inline uint64_t pair_of(const struct image_run *r, unsigned v, unsigned lane, bool wide) {
    return r->before[v][lane] | (wide ? (uint64_t)r->before[v + 1][lane] << 32 : 0);
}
static inline void try_atomic(struct image_run *r, const char *op, bool wide, bool returns) {
    const bool swaps = !strcmp(op, "cmpswap");
    const unsigned size = wide ? 8 : 4, words = size / 4 * (swaps ? 2 : 1);
    const struct picture_facts f = picture_of(wide ? P_RG32UI : P_R32UI, 1);
    char name[64], text[256];
    unsigned place[13];
    snprintf(name, sizeof name, "image_atomic_%s", op);
    const struct shape s = {.name = name,
                            .dim = D_2D,
                            .words = 2,
                            .data = words,
                            .dmask = (1u << words) - 1,
                            .returns = returns,
                            .list = image_random() % 2};
    instruction_text(r->m, &s, text, place);
    make_resource(r->m, &f, r->memory, r->t);
    randomize(r);
    fill(P_R32UI, r->memory, 20000);
    uint64_t expected[64], old[64] = {0};
    bool inside[64];
    for (unsigned l = 0; l < r->lanes; l++) {
        unsigned at[3];
        random_texel(&f, 1, at, &inside[l]);
        if (inside[l]) at[0] = l % f.width, at[1] = l / f.width; // lanes apart
        put_word(r, place, 0, l, at[0]), put_word(r, place, 1, l, at[1]);
        if (!inside[l]) continue;
        memcpy(&old[l], r->memory + place_in(r->m, &f, at[0], at[1], 0), size);
        if (swaps && l % 2) r->before[V_DATA + size / 4][l] = (uint32_t)old[l];
        if (swaps && l % 2 && wide) r->before[V_DATA + 3][l] = (uint32_t)(old[l] >> 32);
        expected[l] = after_atomic(op, old[l], pair_of(r, V_DATA, l, wide),
                                   pair_of(r, V_DATA + size / 4, l, wide), wide ? 64 : 32);
    }
    instructions++;
    if (image_run(r, text)) print_error("%s: %s fault %u\n", r->m->name, text, r->fault.kind);
    assert_int_equal(r->fault.kind, 0);
    nothing_else_changed(r, V_DATA, returns ? size / 4 : 0);
    for (unsigned l = 0; l < r->lanes; l++) {
        if (!executes(r, l)) continue;
        if (returns) assert_int_equal(r->after[V_DATA][l], (uint32_t)old[l]);
        if (returns && wide) assert_int_equal(r->after[V_DATA + 1][l], (uint32_t)(old[l] >> 32));
        if (!inside[l]) continue;
        uint64_t now = 0;
        memcpy(&now, r->memory + place_in(r->m, &f, l % f.width, l / f.width, 0), size);
        if (now != expected[l]) fail_msg("%s: %s, lane %u", r->m->name, text, l);
        compared += 2;
    }
}

// A number as the operation has it: two halves of 16 bits, the upper one 1.5, or one of 32. F16 and BF16
// have these numbers.
static inline uint32_t operand_of_float(const char *op, float v) {
    if (!strcmp(op, "pk_add_f16")) return half_bits((double)v) | 0x3e000000;
    return !strcmp(op, "pk_add_bf16") ? bits_of(v) >> 16 | 0x3fc00000 : bits_of(v);
}
static inline uint32_t after_float_atomic(const char *op, float old, float src, bool same) {
    if (!strcmp(op, "pk_add_f16")) return half_bits((double)(old + src)) | 0x42000000;
    if (!strcmp(op, "pk_add_bf16")) return bits_of(old + src) >> 16 | 0x40400000;
    if (!strcmp(op, "add_flt")) return bits_of(old + src);
    if (!strcmp(op, "fcmpswap")) return bits_of(same ? src : old);
    assert_true(strstr(op, "min") || strstr(op, "max"));
    return bits_of(strstr(op, "min") ? fminf(old, src) : fmaxf(old, src));
}
static inline void try_float_atomic(struct image_run *r, const char *op) {
    const bool swaps = !strcmp(op, "fcmpswap"), packed = !strncmp(op, "pk", 2);
    const struct picture_facts f = picture_of(packed ? P_R32UI : P_R32F, 1);
    char name[64], text[256];
    unsigned place[13];
    snprintf(name, sizeof name, "image_atomic_%s", op);
    const struct shape s = {.name = name,
                            .dim = D_2D,
                            .words = 2,
                            .data = swaps ? 2 : 1,
                            .dmask = swaps ? 3 : 1,
                            .returns = true};
    instruction_text(r->m, &s, text, place);
    make_resource(r->m, &f, r->memory, r->t);
    randomize(r);
    float old[64], src[64];
    for (unsigned l = 0; l < r->lanes; l++) {
        put_word(r, place, 0, l, l % f.width), put_word(r, place, 1, l, l / f.width);
        old[l] = (float)(image_random() % 64) / 4, src[l] = (float)(image_random() % 64) / 4;
        const uint32_t v = operand_of_float(op, old[l]);
        memcpy(r->memory + place_in(r->m, &f, l % f.width, l / f.width, 0), &v, 4);
        r->before[V_DATA][l] = operand_of_float(op, src[l]);
        if (swaps) r->before[V_DATA + 1][l] = l % 2 ? v : bits_of(-1);
    }
    instructions++;
    assert_int_equal(image_run(r, text), SW_OK);
    for (unsigned l = 0; l < r->lanes; l++) {
        if (!executes(r, l)) continue;
        uint32_t now;
        memcpy(&now, r->memory + place_in(r->m, &f, l % f.width, l / f.width, 0), 4);
        assert_int_equal(now, after_float_atomic(op, old[l], src[l], l % 2));
        assert_int_equal(r->after[V_DATA][l], operand_of_float(op, old[l]));
        compared += 2;
    }
}

#endif
