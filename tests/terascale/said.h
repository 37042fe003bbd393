// SPDX-License-Identifier: MIT
// What the tests of the R600 family share: numbers drawn from a seed, the last error that was told, floats as
// words.
#ifndef TERASCALE_SAID_H
#define TERASCALE_SAID_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "softwave/base.h"

static uint64_t drawn = 1;
static inline uint32_t random32(void) {
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(drawn >> 32);
}

static char message[400];
static inline void take_message(void *context, const sw_diagnostic *d) {
    (void)context;
    if (d->severity == SW_SEVERITY_ERROR) snprintf(message, sizeof message, "%u: %s", d->at.line, d->message);
}
static const sw_sink sink = {take_message, NULL};

static inline float real(uint32_t v) {
    float f;
    memcpy(&f, &v, sizeof f);
    return f;
}
static inline uint32_t word(float f) {
    uint32_t v;
    memcpy(&v, &f, sizeof v);
    return v;
}

#endif
