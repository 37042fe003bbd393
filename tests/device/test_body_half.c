// SPDX-License-Identifier: MIT
// Fused multiply-add of F16, single and packed, where it is easily rounded twice: every finite addend with
// products of half its last place, a little more and a little less, which an F32 sum cannot tell apart; and
// random operands. The reference is exact: integers of 128 bits in units of 2^-48, rounded by hand. Every
// rounding and denormal mode of F16, every vector level of the host.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "bare_wave.h"

typedef __int128 wide;

// In units of 2^-24.
static int64_t units(unsigned h) {
    const unsigned e = h >> 10 & 31;
    const int64_t v = e ? (int64_t)((h & 0x3ff) | 0x400) << (e - 1) : (int64_t)(h & 0x3ff);
    return h & 0x8000 ? -v : v;
}
static unsigned flushed(unsigned h, bool keeps) { return keeps || h & 0x7c00 ? h : h & 0x8000; }

// how: 0 nearest even, 1 up, 2 down, 3 to zero.
static unsigned fused(unsigned a, unsigned b, unsigned c, uint32_t mode) {
    const unsigned how = mode >> 2 & 3;
    a = flushed(a, mode & 0x40), b = flushed(b, mode & 0x40), c = flushed(c, mode & 0x40);
    const wide sum = (wide)units(a) * units(b) + (wide)units(c) * (1 << 24);
    if (sum == 0) { // of two zeros of one sign that one, else by the rounding
        const unsigned product = (a ^ b) & 0x8000, addend = c & 0x8000;
        const bool zeros = units(a) == 0 || units(b) == 0;
        return zeros && product == addend ? addend : how == 2 ? 0x8000 : 0;
    }
    const bool negative = sum < 0;
    const unsigned __int128 size = negative ? -(unsigned __int128)sum : (unsigned __int128)sum;
    unsigned last = 24; // the weight of the result's last place
    while (size >> last >= 2048) last++;
    unsigned __int128 n = size >> last;
    const unsigned __int128 rest = size - (n << last), half = (unsigned __int128)1 << (last - 1);
    if (how == 0 ? rest > half || (rest == half && n & 1) : rest && how == (negative ? 2 : 1)) n++;
    unsigned h = (unsigned)n + ((last - 24) << 10);
    if (h >= 0x7c00) h = how == 0 || how == (negative ? 2u : 1u) ? 0x7c00 : 0x7bff;
    return flushed(h | (negative ? 0x8000 : 0), mode & 0x80);
}

static uint32_t control(unsigned how, unsigned denormals) {
    static const uint32_t host[] = {0, 0x4000, 0x2000, 0x6000};
    return 0x1f80 | host[how] | (denormals & 1 ? 0 : 0x40) | (denormals & 2 ? 0 : 0x8000);
}
static void set_mode(struct wave *w, uint32_t mode) {
    w->mode = mode;
    w->mxcsr = control(mode & 3, mode >> 4 & 3);
    w->mxcsr64 = control(mode >> 2 & 3, mode >> 6 & 3);
    w->mixed = w->mxcsr != w->mxcsr64;
}

enum { D, A, B, C, REGISTERS = 4 };
struct triple {
    uint16_t a, b, c;
};
static unsigned failures;
static void wrong(const char *name, const char *level, uint32_t mode, struct triple t, unsigned got) {
    if (failures++ < 10)
        print_error("%s %s mode %x: (%x, %x, %x) gives %x, should be %x\n", name, level, mode, t.a, t.b, t.c,
                    got, fused(t.a, t.b, t.c, mode));
}
// 128 of them: the second 64 are upper halves.
static void check(const struct level *level, struct wave *w, const struct triple *t) {
    struct op op = {.d = vgpr(w, D), .a = vgpr(w, A), .b = vgpr(w, B), .c = vgpr(w, C)};
    for (unsigned l = 0; l < 64; l++) {
        lanes_of(w, op.a)[l] = t[l].a | (uint32_t)t[l + 64].a << 16;
        lanes_of(w, op.b)[l] = t[l].b | (uint32_t)t[l + 64].b << 16;
        lanes_of(w, op.c)[l] = t[l].c | (uint32_t)t[l + 64].c << 16;
    }
    run_op(w, op, body_named(level, "v_fma_f16")->fn[0]);
    for (unsigned l = 0; l < 64; l++)
        if (lanes_of(w, op.d)[l] != fused(t[l].a, t[l].b, t[l].c, w->mode))
            wrong("v_fma_f16", level->name, w->mode, t[l], lanes_of(w, op.d)[l]);
    run_op(w, op, body_named(level, "v_pk_fma_f16")->fn[0]);
    for (unsigned l = 0; l < 128; l++) {
        const unsigned got = lanes_of(w, op.d)[l % 64] >> l / 64 * 16 & 0xffff;
        if (got != fused(t[l].a, t[l].b, t[l].c, w->mode))
            wrong("v_pk_fma_f16", level->name, w->mode, t[l], got);
    }
}

static unsigned finite_half(void) {
    const unsigned h = (unsigned)random64() & 0xffff;
    return (h & 0x7c00) == 0x7c00 ? h & 0xbfff : h;
}
// Factors whose product is half the last place of c, times 1, or about 1 +- 2^-20.
static struct triple close_call(unsigned c) {
    const unsigned e = c >> 10 & 31;
    const int half = (int)(e ? e : 1) - 26; // its exponent, -25 to 4
    const int first = half / 2 + (int)(random64() % 5) - 2,
              second = half - first; // -15 to 4: both normal, or exact
    const unsigned k = (unsigned)random64(), near = k & 3, sign = k >> 4 & 0x8000;
    if (first < -13 || second < -13)
        return (struct triple){(uint16_t)(finite_half() & 0x83ff), 0x1000, (uint16_t)c};
    const unsigned one = (unsigned)(first + 15) << 10, other = (unsigned)(second + 15) << 10;
    // (1 + u)(1 - u) is below 1; with u = 2^-10 and 1 - 2^-10 + 2^-11 above.
    const unsigned below[] = {0, 1, 1, 2}, less[] = {0, 2, 1, 4};
    return (struct triple){(uint16_t)((one + below[near]) | sign), (uint16_t)(other - less[near]),
                           (uint16_t)c};
}
static void every_addend(void **state) {
    (void)state;
    for (unsigned l = 0; l < level_count(); l++) {
        struct wave *w = bare_wave(64, REGISTERS);
        for (unsigned c = 0, k = 0; c < 0x10000; c += 16) {
            struct triple t[128];
            if ((c & 0x7c00) == 0x7c00) continue;
            for (unsigned i = 0; i < 128; i++) t[i] = close_call(c + i % 16);
            set_mode(w, k++ % 4 ? 0x3f0 : (uint32_t)random64() & 0x2ff);
            check(&levels[l], w, t);
        }
        free(w);
    }
    assert_int_equal(failures, 0);
}
static void random_operands(void **state) {
    (void)state;
    for (unsigned l = 0; l < level_count(); l++) {
        struct wave *w = bare_wave(64, REGISTERS);
        for (unsigned k = 0; k < 4000; k++) {
            struct triple t[128];
            for (unsigned i = 0; i < 128; i++)
                t[i] = (struct triple){(uint16_t)finite_half(), (uint16_t)finite_half(),
                                       (uint16_t)finite_half()};
            for (unsigned i = 0; i < 128; i += 2) { // small: of few bits, and next to a sum of zero
                t[i].a = (t[i].a & 0x8fff) | 0x1000, t[i].b = (t[i].b & 0x8fff) | 0x1000, t[i].c &= 0x83ff;
            }
            set_mode(w, k % 4 ? 0x3f0 : (uint32_t)random64() & 0x2ff);
            check(&levels[l], w, t);
        }
        free(w);
    }
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_addend), cmocka_unit_test(random_operands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
