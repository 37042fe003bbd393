// SPDX-License-Identifier: MIT
// Numbers of kernel arguments and buffers as text.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/trace_line.h"
#include "cli/run/run.h"

static const struct {
    const char *name;
    uint8_t size, is_float, is_signed;
} types[] = {
    {"u8", 1, 0, 0},  {"i8", 1, 0, 1},  {"u16", 2, 0, 0}, {"i16", 2, 0, 1},
    {"u32", 4, 0, 0}, {"i32", 4, 0, 1}, {"u64", 8, 0, 0}, {"i64", 8, 0, 1},
    {"f16", 2, 1, 1}, {"f32", 4, 1, 1}, {"f64", 8, 1, 1},
};

enum value_type value_type_of(const char *name, size_t length) {
    int t = 0;
    while (t < VALUE_TYPES && (strlen(types[t].name) != length || memcmp(types[t].name, name, length))) t++;
    return (enum value_type)t;
}

size_t value_size(enum value_type t) { return types[t].size; }

static uint16_t double_to_half(double v) {
    uint16_t sign = signbit(v) ? 0x8000 : 0;
    if (isnan(v)) return 0x7e00;
    v = fabs(v);
    if (v >= 65520) return sign | 0x7c00;
    if (v == 0) return sign; // has no exponent
    int e;
    frexp(v, &e);
    if (e < -13) return (uint16_t)(sign | (uint16_t)rint(ldexp(v, 24)));
    uint16_t m = (uint16_t)rint(ldexp(v, 11 - e)); // 1024 .. 2048
    return (uint16_t)(sign + ((uint32_t)(e + 13) << 10) + m);
}

const char *value_parse(enum value_type t, const char *text, void *out) {
    char *end;
    if (types[t].is_float) {
        double v = strtod(text, &end);
        if (end == text) return NULL;
        float f = t == F32 ? strtof(text, &end) : (float)v;
        uint16_t h = double_to_half(v);
        memcpy(out, t == F64 ? (void *)&v : t == F32 ? (void *)&f : (void *)&h, types[t].size);
        return end;
    }
    while (*text == ' ') text++;
    bool negative = *text == '-';
    uint64_t v = strtoull(text + negative, &end, 0);
    if (end == text + negative || text[negative] == '-') return NULL;
    unsigned bits_of = 8u * types[t].size;
    uint64_t limit = negative ? 1ull << (bits_of - 1) : ~0ull >> (64 - bits_of); // unsigned notation fits too
    if (v > limit || (negative && !types[t].is_signed && v)) return NULL;
    if (negative) v = -v;
    memcpy(out, &v, types[t].size);
    return end;
}

static double as_double(enum value_type t, const void *p) {
    if (t == F16) return half_to_double(rd16(p));
    float f;
    double d;
    if (t == F32) return memcpy(&f, p, 4), (double)f;
    return memcpy(&d, p, 8), d;
}

static int64_t as_integer(enum value_type t, const void *p) {
    uint64_t v = 0;
    memcpy(&v, p, types[t].size);
    return types[t].is_signed || types[t].is_float ? sign_extend(v, 8u * types[t].size) : (int64_t)v;
}

void value_print(struct text *t, enum value_type type, const void *value) {
    if (types[type].is_float)
        text_printf(t, "%.*g", type == F64 ? 17 : type == F32 ? 9 : 5, as_double(type, value));
    else if (types[type].is_signed)
        text_printf(t, "%" PRId64, as_integer(type, value));
    else
        text_printf(t, "%" PRIu64, (uint64_t)as_integer(type, value));
}

uint64_t value_distance(enum value_type t, const void *a, const void *b) {
    int64_t x = as_integer(t, a), y = as_integer(t, b);
    if (types[t].is_float) {
        bool nan_a = isnan(as_double(t, a)), nan_b = isnan(as_double(t, b));
        if (nan_a || nan_b) return nan_a && nan_b ? 0 : UINT64_MAX;
        int64_t low = (int64_t)(~0ull << (8 * types[t].size - 1)); // order by value
        if (x < 0) x = low - x;
        if (y < 0) y = low - y;
    }
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}
