// SPDX-License-Identifier: MIT
// What ALU operations do to the values of one lane.
#ifndef TERASCALE_BODY_H
#define TERASCALE_BODY_H

#include <string.h>

#include "terascale/alu.h"

struct ts_mode {
    bool denormals;  // of single precision are kept
    bool dx10_clamp; // a NaN that is clamped becomes 0
    bool radians;    // SIN and COS take radians (R600), else turns
};

// The result of an operation that looks at its own slot's operands only. False: it has no such body.
bool ts_body(enum ts_op op, const uint32_t s[3], const struct ts_mode *mode, uint32_t *out);
// Operations of pairs of channels: operands and result with the high dword first.
bool ts_body_double(enum ts_op op, const uint64_t s[3], uint64_t *out);

// Whether a PRED_SET* passes, and the value that it gives.
bool ts_body_predicate(enum ts_op op, const uint32_t s[2], bool *pass, uint32_t *out);
// Whether a KILL* takes the lane.
bool ts_body_kill(enum ts_op op, const uint32_t s[2], bool *kill);

// Output modifiers of a float result.
uint32_t ts_output(uint32_t value, unsigned omod, bool clamp, const struct ts_mode *mode);

static inline float ts_float(uint32_t v) {
    float f;
    memcpy(&f, &v, sizeof f);
    return f;
}
static inline uint32_t ts_bits(float f) {
    uint32_t v;
    memcpy(&v, &f, sizeof v);
    return v;
}
// A denormal becomes a zero of its sign.
static inline float ts_flush(uint32_t v, const struct ts_mode *m) {
    if (!m->denormals && !(v & 0x7f800000u)) v &= 0x80000000u;
    return ts_float(v);
}

#endif
