// SPDX-License-Identifier: MIT
// Values of the manuals' pseudo-code: bits, integers and floating-point numbers of any width.
#ifndef TESTS_PSEUDOCODE_VALUE_H
#define TESTS_PSEUDOCODE_VALUE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "number.h"

enum { VALUE_WORDS = 20 }; // 1201 bits of 2/pi are the widest

enum kind { V_BITS, V_UINT, V_SINT, V_FLOAT };
struct val {
    uint8_t kind, fmt;
    uint16_t width;
    uint8_t special;  // enum special: how it compares
    bool tiny;        // a denormal that rounding made the smallest normal number
    uint64_t any_nan; // 16 bits of it each, a bit: a NaN that arithmetic made, whose payload is not told
    uint64_t inexact; // and what a function approximates
    uint8_t part_fmt; // the format of those parts
    real r;           // of REAL
    uint64_t w[VALUE_WORDS];
};

enum special { AS_IT_IS, SIGNED_ZERO, ANY_DENORMAL };
static jmp_buf problem_place;
static char problem[160];
__attribute__((noreturn, format(printf, 1, 2))) static void fail_with(const char *format, ...) {
    va_list a;
    va_start(a, format);
    vsnprintf(problem, sizeof problem, format, a);
    va_end(a);
    longjmp(problem_place, 1);
}

static struct val val_int(enum kind kind, unsigned width, wide x) {
    struct val v;
    memset(&v, 0, sizeof v);
    v.kind = (uint8_t)kind, v.width = (uint16_t)width;
    if (width < 128) x &= ((wide)1 << width) - 1;
    v.w[0] = (uint64_t)x, v.w[1] = (uint64_t)(x >> 64);
    return v;
}
static struct val val_bool(bool b) { return val_int(V_UINT, 1, b); }
static struct val val_code(enum fmt f, uint64_t code) {
    struct val v;
    memset(&v, 0, sizeof v);
    v.kind = V_FLOAT, v.fmt = (uint8_t)f, v.width = fmt_facts[f].bits;
    v.w[0] = code & fmt_mask(f);
    return v;
}
static struct val val_real(real r) {
    struct val v;
    memset(&v, 0, sizeof v);
    v.kind = V_FLOAT, v.fmt = REAL, v.width = 128, v.r = r;
    return v;
}
static bool is_float(const struct val *v) { return v->kind == V_FLOAT; }
// A number as a mathematical integer: of at most 128 bits.
static swide val_number(const struct val *v) {
    if (is_float(v)) fail_with("a float where an integer must be");
    if (v->width > 128) fail_with("an integer of %u bits", v->width);
    wide x = v->w[0] | (wide)v->w[1] << 64;
    if (v->kind == V_SINT && v->width && v->width < 128 && x >> (v->width - 1) & 1) x |= ~(wide)0 << v->width;
    return (swide)x;
}
static bool val_true(const struct val *v) {
    if (is_float(v)) fail_with("a float as a condition");
    for (unsigned i = 0; i < VALUE_WORDS; i++)
        if (v->w[i]) return true;
    return false;
}
static real val_float(const struct val *v) {
    if (!is_float(v)) return (real)val_number(v);
    return v->fmt == REAL ? v->r : fmt_number((enum fmt)v->fmt, v->w[0]);
}
static bool val_is_nan(const struct val *v) {
    return is_float(v) && (v->fmt == REAL ? real_is_nan(v->r) : fmt_is_nan((enum fmt)v->fmt, v->w[0]));
}
static void val_trim(struct val *v) {
    for (unsigned i = 0; i < VALUE_WORDS; i++) {
        const unsigned at = 64 * i;
        if (v->width <= at)
            v->w[i] = 0;
        else if (v->width < at + 64)
            v->w[i] &= (1ull << (v->width - at)) - 1;
    }
}
static bool val_bit(const struct val *v, unsigned i) {
    return i < 64 * VALUE_WORDS && i < v->width && v->w[i / 64] >> i % 64 & 1;
}
static void val_set_bit(struct val *v, unsigned i, bool b) {
    if (i >= 64 * VALUE_WORDS) fail_with("bit %u", i);
    v->w[i / 64] = (v->w[i / 64] & ~(1ull << i % 64)) | (uint64_t)b << i % 64;
}
static uint64_t val_part(const struct val *v, unsigned lo, unsigned width) { // at most 64 bits
    uint64_t x = 0;
    if (lo / 64 < VALUE_WORDS) x = v->w[lo / 64] >> lo % 64;
    if (lo % 64 && lo / 64 + 1 < VALUE_WORDS) x |= v->w[lo / 64 + 1] << (64 - lo % 64);
    return width < 64 ? x & ((1ull << width) - 1) : x;
}
static struct val val_slice(const struct val *v, unsigned lo, unsigned width) {
    if (width > 64 * VALUE_WORDS || lo > 64 * VALUE_WORDS) fail_with("bits %u, %u of them", lo, width);
    struct val out = val_int(V_BITS, width, 0);
    for (unsigned at = 0; at < width; at += 64)
        out.w[at / 64] = val_part(v, lo + at, width - at < 64 ? width - at : 64);
    if (lo % 16 == 0 && lo < 1024)
        out.any_nan = v->any_nan >> lo / 16, out.inexact = v->inexact >> lo / 16, out.part_fmt = v->part_fmt;
    return out;
}
static void val_put(struct val *v, unsigned lo, unsigned width, const struct val *from) {
    if (lo + width > 64 * VALUE_WORDS) fail_with("bits up to %u", lo + width);
    for (unsigned i = 0; i < width; i++)
        val_set_bit(v, lo + i, i / 64 < VALUE_WORDS && from->w[i / 64] >> i % 64 & 1);
    if (v->width < lo + width) v->width = (uint16_t)(lo + width);
    if (lo % 16 || lo >= 1024) return;
    const unsigned parts = (width + 15) / 16;
    const uint64_t mask = (parts > 63 ? ~0ull : (1ull << parts) - 1) << lo / 16;
    v->any_nan = (v->any_nan & ~mask) | (from->any_nan << lo / 16 & mask);
    v->inexact = (v->inexact & ~mask) | (from->inexact << lo / 16 & mask);
    if (from->part_fmt) v->part_fmt = from->part_fmt;
}
// All of a float's parts are of one NaN, or of one approximation.
static uint8_t val_parts(enum fmt f) { return (uint8_t)((1u << (fmt_facts[f].bits + 15) / 16) - 1); }
// The value's bits at another width: signed integers keep their number.
static struct val val_resized(const struct val *v, enum kind kind, unsigned width) {
    struct val out = *v;
    if (is_float(v) && v->fmt == REAL) fail_with("the bits of a number without a format");
    out.special = AS_IT_IS;
    if (v->kind == V_SINT && width > v->width && v->width && val_bit(v, v->width - 1u))
        for (unsigned i = v->width; i < width; i++) val_set_bit(&out, i, 1);
    out.kind = (uint8_t)kind, out.width = (uint16_t)width, out.fmt = 0;
    val_trim(&out);
    return out;
}

#endif
