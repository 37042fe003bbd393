// SPDX-License-Identifier: MIT
// Names, numbers and strings of assembly text, as LLVM's lexer understands them for AMDGPU.
#include "asm/text/lex.h"

#include <string.h>

#define LETTER (CHAR_NAME | CHAR_NAME_START)
#define DIGIT  (CHAR_NAME | CHAR_DIGIT)
const uint8_t char_class[256] = {
    ['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER, ['_'] = LETTER,        ['.'] = LETTER,
    ['$'] = LETTER,         ['?'] = CHAR_NAME,      ['0' ... '9'] = DIGIT, [' '] = CHAR_SPACE,
    ['\t'] = CHAR_SPACE,    ['\r'] = CHAR_SPACE,    ['\v'] = CHAR_SPACE,   ['\f'] = CHAR_SPACE,
    ['\n'] = CHAR_STOP,     [';'] = CHAR_STOP,      ['/'] = CHAR_STOP,     ['"'] = CHAR_STOP,
    ['\''] = CHAR_STOP,
};

bool lex_name(const char **at, const char *end, struct slice *out) {
    const char *p = *at;
    if (p == end || !char_is(*p, CHAR_NAME_START)) return false;
    while (p < end && char_is(*p, CHAR_NAME)) p++;
    *out = (struct slice){*at, (size_t)(p - *at)};
    *at = p;
    return true;
}

static int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

// Digits of a base into 128 bits; returns where they end. *big: they do not fit 64, *over: not even 128.
static const char *read_digits(const char *p, const char *end, unsigned base, struct number *n, bool *over) {
    unsigned __int128 v = 0;
    for (; p < end && (unsigned)digit_value(*p) < base; p++) {
        *over |= v > ((unsigned __int128)-1 - (unsigned)digit_value(*p)) / base;
        v = v * base + (unsigned)digit_value(*p);
    }
    n->low = (uint64_t)v;
    n->high = (uint64_t)(v >> 64);
    n->kind = n->high || *over ? NUMBER_BIG : NUMBER_INTEGER;
    return p;
}

static const char *read_float(const char *p, const char *end, bool hex, struct number *n) {
    n->kind = NUMBER_FLOAT;
    unsigned base = hex ? 16 : 10;
    if (p < end && *p == '.')
        for (p++; p < end && (unsigned)digit_value(*p) < base;) p++;
    if (p < end && (*p | 0x20) == (hex ? 'p' : 'e')) {
        const char *q = p + 1;
        if (q < end && (*q == '+' || *q == '-')) q++;
        if (q == end || !char_is(*q, CHAR_DIGIT)) {
            if (hex) n->error = "invalid hexadecimal floating-point constant: expected exponent";
            return hex ? q : p;
        }
        while (q < end && char_is(*q, CHAR_DIGIT)) q++;
        p = q;
    } else if (hex)
        n->error = "invalid hexadecimal floating-point constant: expected exponent part 'p'";
    return p;
}

struct number lex_number(const char **at, const char *end) {
    struct number n = {0};
    const char *p = *at;
    bool over = false;
    if (p == end || (!char_is(*p, CHAR_DIGIT) && !(*p == '.' && p + 1 < end && char_is(p[1], CHAR_DIGIT))))
        return n;
    char next = p + 1 < end ? (char)(p[1] | 0x20) : 0;
    if (*p == '0' && next == 'x') {
        const char *q = read_digits(p + 2, end, 16, &n, &over);
        if (q < end && (*q == '.' || (*q | 0x20) == 'p'))
            q = read_float(q, end, true, &n);
        else if (q == p + 2)
            n.error = "invalid hexadecimal number";
        p = q;
    } else if (*p == '0' && next == 'b' && p + 2 < end && (p[2] == '0' || p[2] == '1')) {
        p = read_digits(p + 2, end, 2, &n, &over);
        if (p < end && char_is(*p, CHAR_DIGIT)) n.error = "invalid binary number";
    } else {
        bool octal = *p == '0';
        const char *start = p;
        p = read_digits(p, end, 10, &n, &over);
        if (p < end && (*p == '.' || (*p | 0x20) == 'e') && n.kind) {
            const char *q = read_float(p, end, false, &n);
            if (q == p) n.kind = NUMBER_INTEGER;
            p = q;
        } else if (octal && p - start > 1) {
            const char *q = read_digits(start, end, 8, &n, &over);
            if (q != p) n.error = "invalid octal number";
        }
        if (n.kind == NUMBER_INTEGER && p < end && (*p == 'b' || *p == 'f') &&
            (p + 1 == end || !char_is(p[1], CHAR_NAME)))
            n.kind = *p++ == 'b' ? NUMBER_BEHIND : NUMBER_AHEAD;
    }
    if (n.kind == NUMBER_INTEGER || n.kind == NUMBER_BIG) { // C's suffixes mean nothing
        const char *q = p;
        if (q < end && (*q | 0x20) == 'u') q++;
        if (q < end && (*q | 0x20) == 'l') q++;
        if (q > p && q < end && (*q | 0x20) == 'l') q++;
        if (q == end || !char_is(*q, CHAR_NAME)) p = q;
    }
    if (over && n.kind == NUMBER_BIG) n.error = "number does not fit 128 bits";
    *at = p;
    return n;
}

// The character behind a backslash, octal and hexadecimal ones included.
static bool escape(const char **at, const char *end, char *out, const char **error) {
    static const char from[] = "bfnrt\"\\'", to[] = "\b\f\n\r\t\"\\'";
    const char *p = *at;
    if (p == end) return *error = "unexpected backslash at end of string", false;
    if (*p == 'x' || *p == 'X') {
        unsigned v = 0;
        if (p + 1 == end || digit_value(p[1]) > 15)
            return *error = "invalid hexadecimal escape sequence", false;
        for (p++; p < end && digit_value(*p) < 16; p++) v = (v * 16 + (unsigned)digit_value(*p)) & 0xff;
        *out = (char)v;
    } else if (*p >= '0' && *p <= '7') {
        unsigned v = 0;
        for (int i = 0; i < 3 && p < end && *p >= '0' && *p <= '7'; i++) v = v * 8 + (unsigned)(*p++ - '0');
        if (v > 255) return *error = "invalid octal escape sequence (out of range)", false;
        *out = (char)v;
    } else {
        const char *known = *p ? strchr(from, *p) : NULL;
        if (!known) return *error = "invalid escape sequence (unrecognized character)", false;
        *out = to[known - from];
        p++;
    }
    *at = p;
    return true;
}

bool lex_character(const char **at, const char *end, int64_t *out, const char **error) {
    const char *p = *at;
    char c = 0;
    if (p < end && *p == '\\') {
        p++;
        // What is no escape means itself here.
        bool known = p < end && (char_is(*p, CHAR_DIGIT) || strchr("bfnrt\"\\'xX", *p));
        if (known ? !escape(&p, end, &c, error) : p == end || *p == '\n')
            return *error = "unterminated character constant", false;
        if (!known) c = *p++;
    } else if (p < end && *p != '\n')
        c = *p++;
    if (p >= end || *p != '\'') return *error = "unterminated character constant", false;
    *at = p + 1;
    *out = (uint8_t)c;
    return true;
}

bool lex_skip_string(const char **at, const char *end) {
    const char *p = *at + 1;
    while (p < end && *p != '"') p += *p == '\\' && p + 1 < end ? 2 : 1;
    if (p >= end) return false;
    *at = p + 1;
    return true;
}

bool lex_string(const char **at, const char *end, struct text *out, const char **error) {
    const char *p = *at + 1;
    for (;;) {
        const char *start = p;
        while (p < end && *p != '"' && *p != '\\') p++;
        text_add(out, start, (size_t)(p - start));
        if (p >= end) return *error = "unterminated string", false;
        if (*p++ == '"') break;
        char c;
        *at = p - 1;
        if (!escape(&p, end, &c, error)) return false;
        text_add(out, &c, 1);
    }
    if (out->failed) return *error = "out of memory", false;
    *at = p;
    return true;
}
