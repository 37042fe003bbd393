// SPDX-License-Identifier: MIT
// What the tests of texels share: their data files, and random numbers.
#ifndef TEXEL_DATA_H
#define TEXEL_DATA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "texel/surface.h"

// The next line that is no comment, without its end. False: there is none.
static inline bool data_line(FILE *f, char line[200]) {
    while (fgets(line, 200, f)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] && line[0] != '#') return true;
    }
    return false;
}
static inline FILE *data_open(const char *name) {
    char path[100];
    snprintf(path, sizeof path, "tests/texel/%s", name);
    FILE *f = fopen(path, "r");
    if (!f) snprintf(path, sizeof path, "../tests/texel/%s", name), f = fopen(path, "r");
    assert_non_null(f);
    return f;
}

static inline uint32_t random_below(uint32_t *seed, uint32_t n) {
    *seed = *seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(*seed >> 8) * n >> 24);
}

#endif
