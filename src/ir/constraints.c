// SPDX-License-Identifier: MIT
#include "ir/constraints.h"

#include <string.h>

static bool is(const char *text, size_t length, const char *what) {
    return strlen(what) == length && !memcmp(text, what, length);
}

// A register in braces: {v3}, {s[4:5]}. False: it is none.
static bool read_register(const char *s, size_t length, struct constraint *c) {
    unsigned numbers[2] = {0}, count = 0;
    size_t at = 2;
    if (length < 4 || *s != '{' || s[length - 1] != '}' || (s[1] != 's' && s[1] != 'v' && s[1] != 'a'))
        return false;
    const bool brackets = s[at] == '[';
    at += brackets;
    for (; at < length - 1 && count < 2; count++) {
        const size_t start = at;
        while (s[at] >= '0' && s[at] <= '9' && numbers[count] < 1000)
            numbers[count] = numbers[count] * 10 + (unsigned)(s[at++] - '0');
        if (at == start) return false;
        if (s[at] != ':' || !brackets) {
            count++;
            break;
        }
        at++;
    }
    if (brackets) at += s[at] == ']';
    if (count < 2) numbers[1] = numbers[0];
    if (at != length - 1 || numbers[1] < numbers[0] || numbers[1] - numbers[0] > 31 ||
        numbers[1] >= (s[1] == 's' ? 106u : 256u))
        return false;
    c->kind = s[1];
    c->first = (uint16_t)numbers[0];
    c->dwords = (uint8_t)(numbers[1] - numbers[0] + 1);
    return true;
}

// VCC and M0, which are no registers of a file.
static bool read_special(const char *s, size_t length, struct constraint *c) {
    static const struct {
        char name[12];
        uint8_t first, dwords;
    } all[] = {{"{vcc}", CONSTRAINT_VCC, 2},
               {"{vcc_lo}", CONSTRAINT_VCC, 1},
               {"{vcc_hi}", CONSTRAINT_VCC + 1, 1},
               {"{m0}", CONSTRAINT_M0, 1}};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        if (is(s, length, all[n].name)) {
            c->kind = 's';
            c->first = all[n].first;
            c->dwords = all[n].dwords;
            return true;
        }
    return false;
}

static void name_register(const struct constraint *c, struct constraints *out) {
    if (c->kind == 's' && c->first >= CONSTRAINT_VCC) {
        out->vcc |= c->first < CONSTRAINT_M0;
        return;
    }
    uint64_t *bits = c->kind == 's' ? out->sgprs : c->kind == 'a' ? out->agprs : out->vgprs;
    for (unsigned n = c->first; n < c->first + (unsigned)c->dwords; n++) bits[n / 64] |= 1ull << n % 64;
}

// What is changed besides the results. False: not known.
static bool read_clobber(const char *text, size_t length, struct constraints *out) {
    static const char *const others[] = {
        "{memory}",          "{scc}",        "{flat_scratch}", "{flat_scratch_lo}",
        "{flat_scratch_hi}", "{xnack_mask}", "{mode}"};
    struct constraint c;
    if (read_register(text, length, &c) || read_special(text, length, &c)) {
        name_register(&c, out);
        return true;
    }
    for (size_t n = 0; n < sizeof others / sizeof *others; n++)
        if (is(text, length, others[n])) return true;
    return false;
}

static const char *read_one(const char *s, size_t length, struct constraint *c) {
    static const char *const numbers[] = {"i", "n", "I", "J", "A", "B", "C", "DA", "DB"};
    if (length && *s >= '0' && *s <= '9') {
        unsigned n = 0;
        for (size_t i = 0; i < length; i++) {
            if (s[i] < '0' || s[i] > '9' || n > 25) return "a constraint";
            n = n * 10 + (unsigned)(s[i] - '0');
        }
        c->tied = (uint8_t)(n < NOT_TIED ? n : NOT_TIED - 1);
        return NULL;
    }
    if (is(s, length, "s") || is(s, length, "v") || is(s, length, "a")) {
        c->kind = *s;
        return NULL;
    }
    if (is(s, length, "VA")) { // a vector register of either kind
        c->kind = 'v';
        return NULL;
    }
    if (is(s, length, "r")) { // LLVM takes scalar registers
        c->kind = 's';
        return NULL;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (is(s, length, numbers[i])) {
            c->kind = 'i';
            if (i > 1) memcpy(c->range, s, length);
            return NULL;
        }
    if (read_register(s, length, c) || read_special(s, length, c)) return NULL;
    return *s == '{' ? "a register of this name" : *s == '*' ? "an operand in memory" : "a constraint";
}

const char *constraints_read(const char *text, struct constraints *out) {
    *out = (struct constraints){0};
    for (const char *s = text; *s;) {
        const char *end = s;
        for (bool within = false; *end && (within || *end != ','); end++)
            within = *end == '{' ? true : *end == '}' ? false : within;
        const char *next = end + (*end == ',');
        while (end > s && (end[-1] == ' ' || end[-1] == '\n' || end[-1] == '\t')) end--;
        struct constraint c = {.kind = 'c', .tied = NOT_TIED};
        bool result = false;
        if (*s == '~') {
            if (!read_clobber(s + 1, (size_t)(end - s - 1), out)) return "a register of this name";
        } else {
            for (; *s == '=' || *s == '&' || *s == '+'; s++) {
                if (*s == '+') return "a constraint";
                result |= *s == '=';
                c.early |= *s == '&';
            }
            s += *s == '^' || *s == '$'; // a name of two letters comes; a letter that LLVM passes over
            const char *why = read_one(s, (size_t)(end - s), &c);
            if (why) return why;
            if (out->results + out->inputs == MOST_CONSTRAINTS || (result && out->inputs))
                return "so many operands";
            if (result && c.kind == 'i') return "a result that is a number";
            if (c.dwords) name_register(&c, out);
            out->of[out->results + out->inputs] = c;
            if (result)
                out->results++;
            else
                out->inputs++;
        }
        s = next;
    }
    for (unsigned n = out->results; n < out->results + out->inputs; n++) {
        struct constraint *c = &out->of[n];
        if (c->tied == NOT_TIED) continue;
        if (c->tied >= out->results) return "a constraint";
        c->kind = out->of[c->tied].kind;
    }
    return NULL;
}

static bool is_inline_float(uint64_t bits, unsigned width) {
    static const uint64_t of64[] = {0x3fe0000000000000, 0x3ff0000000000000, 0x4000000000000000,
                                    0x4010000000000000, 0x3fc45f306dc9c882};
    static const uint64_t of32[] = {0x3f000000, 0x3f800000, 0x40000000, 0x40800000, 0x3e22f983};
    static const uint64_t of16[] = {0x3800, 0x3c00, 0x4000, 0x4400, 0x3118};
    const uint64_t *all = width == 64 ? of64 : width == 16 ? of16 : of32;
    const uint64_t sign = 1ull << (width - 1);
    for (unsigned n = 0; n < 5; n++)
        if (bits == all[n] || (n < 4 && bits == (all[n] | sign))) return true;
    return false;
}

static bool is_inline(uint64_t bits, unsigned width) {
    const int64_t n = width < 64 ? (int64_t)(bits << (64 - width)) >> (64 - width) : (int64_t)bits;
    return (n >= -16 && n <= 64) || (width >= 16 && is_inline_float(bits, width));
}

bool constraint_allows(const struct constraint *c, uint64_t bits, unsigned width) {
    const int64_t n = width && width < 64 ? (int64_t)(bits << (64 - width)) >> (64 - width) : (int64_t)bits;
    const uint64_t high = (uint64_t)n >> 32, low = (uint64_t)n & 0xffffffff;
    const unsigned half = width < 32 ? width : 32; // each dword of a small number is one of so many bits
    if (is(c->range, strlen(c->range), "I")) return n >= -16 && n <= 64;
    if (is(c->range, strlen(c->range), "J")) return n >= INT16_MIN && n <= INT16_MAX;
    if (is(c->range, strlen(c->range), "A")) return is_inline(bits, width);
    if (is(c->range, strlen(c->range), "B")) return n >= INT32_MIN && n <= INT32_MAX;
    if (is(c->range, strlen(c->range), "C")) return bits <= UINT32_MAX || (n >= -16 && n <= 64);
    if (is(c->range, strlen(c->range), "DA")) return is_inline(high, half) && is_inline(low, half);
    return true; // DB: any
}
