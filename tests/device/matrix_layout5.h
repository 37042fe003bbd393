// SPDX-License-Identifier: MIT
// Where each element of A, B, C and D stands in matrix instructions of CDNA5, from the tables of its manual
// (7.12.2 to 7.12.6), and what the name of a body says of its product: written for the tests.
#ifndef TESTS_MATRIX_LAYOUT5_H
#define TESTS_MATRIX_LAYOUT5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct product {
    unsigned m, k;
    bool sparse, mixed, whole;
    const char *a, *b, *c, *d;
};
static const char *const kinds[] = {"bf16f32", "f8f6f4", "bf16", "f16", "f32", "fp8",
                                    "bf8",     "iu8",    "i32",  "fp6", "bf6", "f4"};
static inline const char *kind_at(const char **at) {
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t n = strlen(kinds[i]);
        if (strncmp(*at, kinds[i], n)) continue;
        *at += n + ((*at)[n] == '_');
        return kinds[i];
    }
    return NULL;
}
static inline bool parse_product(const char *sem, struct product *s) {
    const char *at = strstr(sem, "mma");
    unsigned n;
    int used = 0;
    *s = (struct product){.sparse = strstr(sem, "swmmac")};
    if (!at) return false;
    at = strchr(at, '_') + 1;
    s->d = kind_at(&at);
    if (!s->d || sscanf(at, "%ux%ux%u_%n", &s->m, &n, &s->k, &used) != 3 || !used) return false;
    at += used;
    s->a = kind_at(&at);
    s->b = *at ? kind_at(&at) : s->a;
    s->mixed = s->a && !strcmp(s->a, "f8f6f4");
    s->c = s->d;
    if (!strcmp(s->d, "bf16f32")) s->c = "f32", s->d = "bf16";
    s->whole = !strcmp(s->d, "i32");
    return s->a && s->b;
}
static inline unsigned bits_of_kind(const char *kind) {
    return strchr(kind, '3')    ? 32
           : strstr(kind, "16") ? 16
           : strchr(kind, '8')  ? 8
           : strchr(kind, '6')  ? 6
                                : 4;
}
// ---- The manual's tables ----
struct at {
    unsigned lane, bit;
};
// Of A, row r; of B, column r. Wide runs: B of sparse products, and 8 bits in products of mixed formats.
static inline struct at place_of_ab(unsigned bits, bool wide_runs, unsigned r, unsigned k) {
    struct at at = {0};
    if (bits == 32)
        at = (struct at){r + 16 * (k / 2), 32 * (k % 2)};
    else if (bits <= 6) // lanes 0 to 15 have K 0 to 31 and 64 to 95
        at = (struct at){r + 16 * (k / 32 % 2), bits * (k % 32 + (k >= 64 ? 32 : 0))};
    else if (wide_runs) // lanes 0 to 15 have K 0 to 15, 32 to 47 ...
        at = (struct at){r + 16 * (k / 16 % 2), bits * (k % 16 + 16 * (k / 32))};
    else // lanes 0 to 15 have K 0 to 7, 16 to 23 ...
        at = (struct at){r + 16 * (k / 8 % 2), bits * (k % 8 + 8 * (k / 16))};
    return at;
}
static inline struct at place_of_cd(unsigned bits, unsigned m, unsigned n) {
    const unsigned lane = n + (m % 16 >= 8 ? 16 : 0), row = m % 8;
    return (struct at){lane, bits == 16 ? 16 * row : 32 * row + (m >= 16 ? 256 : 0)};
}

#endif
