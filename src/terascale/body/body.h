// SPDX-License-Identifier: MIT
// What ALU operations do to the values of one lane.
#ifndef TERASCALE_BODY_H
#define TERASCALE_BODY_H

#include <string.h>

#include "terascale/isa/alu.h"

// As SINGLE_ROUND and DOUBLE_ROUND number them.
enum ts_rounding { TS_TO_NEAREST, TS_UP, TS_DOWN, TS_TO_ZERO };
struct ts_mode {
    bool denorms_in, denorms_out; // of single precision are kept
    bool double_denorms_in, double_denorms_out;
    uint8_t single_round, double_round; // enum ts_rounding
    bool dx10_clamp;                    // a NaN that is clamped becomes 0
    bool radians;                       // SIN and COS take radians (R600), else turns
    bool rounds_to_int;                 // FLT_TO_INT rounds, else it truncates
};

// The result of an operation that looks at its own slot's operands only. False: it has no such body.
bool ts_body(enum ts_op op, const uint32_t s[3], const struct ts_mode *mode, uint32_t *out);
// Operations on doubles that give a double. False: it has no such body.
bool ts_body_double(enum ts_op op, const uint64_t s[3], const struct ts_mode *mode, uint64_t *out);
// Comparisons of doubles: whether it holds.
bool ts_body_compare_64(enum ts_op op, const uint64_t s[2], const struct ts_mode *mode, bool *holds);
// The host's rounding for operations that round as the mode says; nearest for others.
bool ts_body_rounds(enum ts_op op);
void ts_round(enum ts_rounding r);

// Whether a PRED_SET* passes, and the value that it gives.
bool ts_body_predicate(enum ts_op op, const uint32_t s[2], bool *pass, uint32_t *out);
// Whether a KILL* takes the lane.
bool ts_body_kill(enum ts_op op, const uint32_t s[2], bool *kill);

// Output modifiers of a float result.
uint32_t ts_output(uint32_t value, unsigned omod, bool clamp, const struct ts_mode *mode);
uint64_t ts_output_double(uint64_t value, unsigned omod, bool clamp, const struct ts_mode *mode);

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
static inline double ts_double(uint64_t v) {
    double d;
    memcpy(&d, &v, sizeof d);
    return d;
}
static inline uint64_t ts_double_bits(double d) {
    uint64_t v;
    memcpy(&v, &d, sizeof v);
    return v;
}
// A denormal operand, or result, becomes a zero of its sign.
static inline float ts_flush(uint32_t v, const struct ts_mode *m) {
    if (!m->denorms_in && !(v & 0x7f800000u)) v &= 0x80000000u;
    return ts_float(v);
}
static inline uint32_t ts_flush_result(uint32_t v, const struct ts_mode *m) {
    return m->denorms_out || v & 0x7f800000u ? v : v & 0x80000000u;
}

#endif
