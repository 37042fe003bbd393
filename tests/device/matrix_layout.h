// SPDX-License-Identifier: MIT
// Where each element of A, B, C and D stands in matrix instructions of CDNA 1 to 4 (MFMA, SMFMAC), GFX11 and
// GFX12 (WMMA, SWMMAC), as manuals draw it: written for the tests, as functions from place to element.
#ifndef TESTS_MATRIX_LAYOUT_H
#define TESTS_MATRIX_LAYOUT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

struct shape_facts {
    bool rdna, gfx12, sparse;
    unsigned m, k, blocks, lanes;
    char a[8], b[8], d[8];
};
static inline unsigned bits_of_type(const char *t) {
    static const struct {
        const char *name;
        unsigned bits;
    } types[] = {{"f64", 64}, {"f32", 32}, {"xf32", 32}, {"i32", 32}, {"f16", 16}, {"bf16", 16},
                 {"fp8", 8},  {"bf8", 8},  {"i8", 8},    {"iu8", 8},  {"iu4", 4},  {"f8f6f4", 8}};
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, t) == 0) return types[i].bits;
    fail_msg("type %s", t);
    return 0;
}
// Reads the shape off a body's name: v_mfma_f32_32x32x4_2b_f16, v_wmma_i32_16x16x16_iu8.
static inline bool parse_shape(const char *sem, struct shape_facts *s) {
    char op[8];
    unsigned n;
    int used = 0;
    memset(s, 0, sizeof *s);
    s->blocks = 1;
    if (sscanf(sem, "v_%7[a-z]_%7[a-z0-9]_%ux%ux%u_%n", op, s->d, &s->m, &n, &s->k, &used) < 5 || !used)
        return false;
    const char *rest = sem + used;
    if (sscanf(rest, "%ub_%n", &s->blocks, &used) == 1 && strchr(rest, 'b') &&
        rest[strspn(rest, "0123456789")] == 'b')
        rest += used;
    else
        s->blocks = 1;
    s->rdna = op[0] == 'w' || op[1] == 'w';
    s->sparse = strstr(sem, "smfmac") || strstr(sem, "swmmac");
    s->gfx12 = s->rdna && (s->sparse || strstr(rest, "g12") || strstr(rest, "8_") || strstr(rest, "p8") ||
                           strcmp(rest, "bf8_bf8") == 0 || s->k == 32);
    if (sscanf(rest, "%7[a-z0-9]_%7[a-z0-9]", s->a, s->b) < 2 || strcmp(s->b, "g12") == 0) strcpy(s->b, s->a);
    return true;
}
static inline unsigned a_held(const struct shape_facts *s) { // elements of A in a lane
    unsigned groups = s->rdna && !s->gfx12 ? 1 : s->lanes / (s->m * s->blocks);
    return s->k / groups / (s->sparse ? 2 : 1);
}
static inline unsigned b_held(const struct shape_facts *s) { return a_held(s) * (s->sparse ? 2 : 1); }
// What lane l holds of A (B is the same, transposed): row, block, and K of its element j.
static inline void place_ab(const struct shape_facts *s, unsigned l, unsigned j, unsigned *i, unsigned *block,
                            unsigned *k) {
    *i = l % s->m;
    *block = l / s->m % s->blocks;
    *k = (s->rdna && !s->gfx12 ? 0 : l / (s->m * s->blocks)) * b_held(s) + j;
}
static inline void place_d(const struct shape_facts *s, unsigned l, unsigned v, unsigned *i, unsigned *j,
                           unsigned *block) {
    *j = l % s->m;
    *block = 0;
    if (s->rdna) {
        const unsigned group = l / 16, groups = s->lanes / 16;
        *i = s->gfx12 ? group * 16 / groups + v : v * groups + group;
    } else if (strcmp(s->d, "f64") == 0) {
        *i = s->m == 16 ? 4 * v + l / 16 : l / 16;
        *block = s->m == 16 ? 0 : l / 4 % 4;
    } else if (s->m == 32)
        *i = 8 * (v / 4 % 4) + 4 * (l / 32) + v % 4, *block = v / 16;
    else if (s->m == 16)
        *i = 4 * (l / 16) + v % 4, *block = v / 4;
    else
        *i = v, *block = l / 4;
}
// Where element v of D (or C) is in its registers, in bits.
static inline unsigned d_at(const struct shape_facts *s, unsigned v, bool high) {
    const unsigned bits = bits_of_type(s->d);
    if (bits == 16 && !s->gfx12) return 32 * v + (high ? 16 : 0);
    return bits * v;
}

#endif
