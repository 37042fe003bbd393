// SPDX-License-Identifier: MIT
// Operations on doubles in every slot form, floats under SQ_PGM_RESOURCES_2's rounding and denormals, and
// chains of slots. The references compute with integers: what they round, they round themselves.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "softwave/terascale.h"
#include "terascale/isa/table.h"
#include "terascale/said.h"

enum { LANES = 64 };

static sw_terascale_wave wave;

// One ALU clause on one wave; `set` is what .set says.
static sw_status run(const char *chip, const char *set, const char *clause) {
    struct text t = {0};
    text_printf(&t, "main:\n%s%sALU:\n%s%s", set, *set ? "\n" : "", clause,
                !strcmp(chip, "cayman") ? "CF_END\n" : "NOP END_OF_PROGRAM\n");
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find(chip, strlen(chip))};
    const sw_terascale_wave_options o = {
        .size = sizeof o,
        .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup), .strict = true, .max_steps = 100}};
    uint8_t *object;
    size_t size;
    *message = 0;
    wave.size = sizeof wave;
    wave.valid = ~0ull;
    sw_status status = sw_terascale_assemble(t.data, t.length, &a, &object, &size, &sink);
    if (!status) status = sw_terascale_run_wave(object, size, &o, &wave, &sink);
    sw_free(object);
    text_free(&t);
    return status;
}

// ---- Numbers of P bits, exponents from LEAST on, as integers ----

struct kind {
    int bits, least, most; // of a value's fraction with its leading bit; exponents of its lowest bit
    uint64_t sign;
    int total;
};
static const struct kind single = {24, -149, 104, 1ull << 31, 32}, pair = {53, -1074, 971, 1ull << 63, 64};
enum class { ZERO, FINITE, INFINITE, NOT_A_NUMBER };
struct number {
    enum class class;
    bool minus;
    int exponent;
    unsigned __int128 m;
};

static struct number take(const struct kind *k, uint64_t v, bool keep_denormals) {
    const uint64_t mantissa = v & ((1ull << (k->bits - 1)) - 1);
    const uint64_t e = (v & (k->sign - 1)) >> (k->bits - 1), all = (1ull << (k->total - k->bits)) - 1;
    struct number n = {.minus = (v & k->sign) != 0, .exponent = k->least + (e ? (int)e - 1 : 0)};
    n.m = mantissa | (e ? 1ull << (k->bits - 1) : 0);
    n.class = e == all ? mantissa ? NOT_A_NUMBER : INFINITE : n.m ? FINITE : ZERO;
    if (!e && !keep_denormals) n.class = ZERO;
    return n;
}

static int width(unsigned __int128 m) {
    int n = 0;
    for (; m; m >>= 1) n++;
    return n;
}

// Rounds to the kind: 0 nearest even, 1 up, 2 down, 3 to zero.
static uint64_t give(const struct kind *k, struct number n, unsigned rounding, bool keep_denormals) {
    const uint64_t sign = n.minus ? k->sign : 0, infinity = (k->sign - 1) & ~((1ull << (k->bits - 1)) - 1);
    if (n.class == NOT_A_NUMBER) return infinity | 1ull << (k->bits - 2);
    if (n.class == INFINITE) return sign | infinity;
    if (n.class == ZERO || !n.m) return sign;
    int drop = width(n.m) - k->bits;
    if (n.exponent + drop < k->least) drop = k->least - n.exponent;
    if (drop > 0) {
        const unsigned __int128 one = 1;
        const unsigned __int128 rest = drop < 128 ? n.m & ((one << drop) - 1) : n.m,
                                half = drop < 128 ? one << (drop - 1) : 0;
        n.m = drop < 128 ? n.m >> drop : 0;
        n.exponent += drop;
        const bool up = rounding == 0   ? drop < 128 && (rest > half || (rest == half && n.m & 1))
                        : rounding == 3 ? false
                                        : rest && n.minus == (rounding == 2);
        n.m += up;
    } else {
        n.m <<= -drop;
        n.exponent += drop;
    }
    if (width(n.m) > k->bits) n.m >>= 1, n.exponent++;
    if (n.exponent > k->most) {
        const bool away = rounding == 0 || (rounding == 1 && !n.minus) || (rounding == 2 && n.minus);
        return sign | (away ? infinity : infinity - 1);
    }
    if (width(n.m) < k->bits) return sign | (keep_denormals ? (uint64_t)n.m : 0);
    return sign | ((uint64_t)n.m + ((uint64_t)(n.exponent - k->least) << (k->bits - 1)));
}

static struct number multiply(struct number a, struct number b) {
    struct number n = {.minus = a.minus != b.minus, .exponent = a.exponent + b.exponent, .m = a.m * b.m};
    n.class = a.class == NOT_A_NUMBER || b.class == NOT_A_NUMBER ||
                      (a.class == ZERO && b.class == INFINITE) || (a.class == INFINITE && b.class == ZERO)
                  ? NOT_A_NUMBER
              : a.class == INFINITE || b.class == INFINITE ? INFINITE
              : a.class == ZERO || b.class == ZERO         ? ZERO
                                                           : FINITE;
    return n;
}

// Both with their highest bit at 120; what is lost of the smaller one stays as a lowest bit.
static struct number add(struct number a, struct number b, unsigned rounding) {
    if (a.class == NOT_A_NUMBER || b.class == NOT_A_NUMBER ||
        (a.class == INFINITE && b.class == INFINITE && a.minus != b.minus))
        return (struct number){.class = NOT_A_NUMBER};
    if (a.class == INFINITE || b.class == INFINITE) return a.class == INFINITE ? a : b;
    if (a.class == ZERO && b.class == ZERO) {
        a.minus = a.minus == b.minus ? a.minus : rounding == 2;
        return a;
    }
    if (a.class == ZERO || b.class == ZERO) return a.class == ZERO ? b : a;
    struct number *both[2] = {&a, &b};
    for (unsigned i = 0; i < 2; i++) {
        const int up = 121 - width(both[i]->m);
        both[i]->m = up < 0 ? both[i]->m >> -up | (both[i]->m & 1) : both[i]->m << up;
        both[i]->exponent -= up;
    }
    if (a.exponent < b.exponent) {
        const struct number swap = a;
        a = b, b = swap;
    }
    const int by = a.exponent - b.exponent;
    const unsigned __int128 kept = by < 128 ? b.m >> by : 0;
    const bool lost = by >= 128 || (by && b.m << (128 - by));
    b.m = kept | lost;
    if (a.minus == b.minus) {
        a.m += b.m;
        return a;
    }
    if (a.m < b.m) {
        b.m -= a.m;
        b.exponent = a.exponent;
        return b;
    }
    a.m -= b.m;
    if (!a.m) return (struct number){.class = ZERO, .minus = rounding == 2};
    return a;
}

// a < b: -1, equal: 0, a > b: 1; 2 with a NaN.
static int compare(struct number a, struct number b) {
    if (a.class == NOT_A_NUMBER || b.class == NOT_A_NUMBER) return 2;
    if (a.class == INFINITE && b.class == INFINITE && a.minus == b.minus) return 0;
    b.minus = !b.minus;
    const struct number d = add(a, b, 0);
    return d.class == ZERO ? 0 : d.minus ? -1 : 1;
}

// ---- Values ----

static uint64_t random_double(void) {
    static const uint64_t edges[] = {0,
                                     0x8000000000000000,
                                     0x3ff0000000000000,
                                     0xbff0000000000000,
                                     0x7ff0000000000000,
                                     0xfff0000000000000,
                                     0x7ff8000000000000,
                                     0x7fefffffffffffff,
                                     0x0010000000000000,
                                     0x000fffffffffffff,
                                     0x8000000000000001,
                                     0x3fe0000000000000,
                                     0x4340000000000000,
                                     0x3ca0000000000001};
    if (random32() % 4 == 0) return edges[random32() % 14];
    const uint64_t v = (uint64_t)random32() << 32 | random32();
    if (random32() % 2) return v;
    const uint64_t e = 1023 - 8 + random32() % 60; // near one another
    return (v & 0x800fffffffffffff) | e << 52;
}

static uint32_t random_float(void) {
    static const uint32_t edges[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                     0xff800000, 0x7fc00000, 0x7f7fffff, 0x00800000, 0x007fffff,
                                     0x80000001, 0x3f000000, 0x4b000001, 0x4effffff};
    if (random32() % 4 == 0) return edges[random32() % 14];
    const uint32_t v = random32();
    return random32() % 2 ? v : (v & 0x807fffff) | (120u + random32() % 30) << 23;
}

static bool same(uint64_t a, uint64_t b, const struct kind *k) {
    const bool nan = take(k, a, true).class == NOT_A_NUMBER && take(k, b, true).class == NOT_A_NUMBER;
    return nan || a == b;
}

// ---- Doubles ----

enum form { PAIR, FOUR, SCALAR, SPLIT };
struct modifiers {
    unsigned neg, abs, omod;
    bool clamp;
};

static uint64_t in[3][LANES];

static const char *const halves[3][2] = {
    {"R10.x", "R10.y"}, {"R11.x", "R11.y"}, {"R12.x", "R12.y"}}; // low, high

static void put_operand(struct text *t, unsigned k, unsigned half, const struct modifiers *m) {
    const bool marked = half == 1; // signs belong to the high dword
    const char *bar = marked && m->abs >> k & 1 ? "|" : "";
    text_printf(t, ", %s%s%s%s", marked && m->neg >> k & 1 ? "-" : "", bar, halves[k][half], bar);
}

static void put_double(struct text *t, const char *chip, const char *name, unsigned sources, bool op3,
                       enum form form, const struct modifiers *m) {
    static const char *const omods[4] = {"", "*2", "*4", "/2"};
    const bool cayman = !strcmp(chip, "cayman");
    const unsigned slots = form == PAIR ? 2 : form == SCALAR ? (cayman ? 3 : 2) : 4;
    for (unsigned u = 0; u < slots; u++) {
        const bool group = !u || (form == SCALAR && !cayman);
        text_printf(t, "%s%c: %s%s%s ", group ? (u ? " 1 " : " 0 ") : " ",
                    form == SCALAR && !cayman ? 't' : "xyzw"[u], name, omods[m->omod],
                    m -> clamp ? "_sat" : "");
        if (u < 2 || form == SPLIT)
            text_printf(t, "R20.%c", "xyzw"[u]);
        else if (op3)
            text_printf(t, "R21.%c", "xyzw"[u]);
        else
            text_puts(t, "____");
        const unsigned half = form == PAIR || form == SPLIT ? !(u & 1) : u != 3;
        if (form == SCALAR) {
            put_operand(t, 0, 1, m);
            text_puts(t, ", R10.x");
        } else
            for (unsigned k = 0; k < sources; k++) put_operand(t, k, half, m);
        text_puts(t, "\n");
    }
}

static void fill_doubles(void) {
    for (unsigned k = 0; k < 3; k++)
        for (unsigned l = 0; l < LANES; l++) {
            in[k][l] = random_double();
            if (k == 2 && random32() % 3 == 0) { // sums that cancel
                double a, b, c;
                memcpy(&a, &in[0][l], 8), memcpy(&b, &in[1][l], 8);
                c = -(a * b);
                memcpy(&in[k][l], &c, 8);
            }
            wave.gpr[10 + k][0][l] = (uint32_t)in[k][l];
            wave.gpr[10 + k][1][l] = (uint32_t)(in[k][l] >> 32);
        }
}

static struct number operand(unsigned k, unsigned l, const struct modifiers *m, bool denormals) {
    uint64_t v = in[k][l];
    if (m->abs >> k & 1) v &= ~pair.sign;
    if (m->neg >> k & 1) v ^= pair.sign;
    return take(&pair, v, denormals);
}

static const char *const modes = ".set SQ_PGM_RESOURCES_2_LS DOUBLE_ROUND(%u) SINGLE_ROUND(%u) "
                                 "ALLOW_DOUBLE_DENORM_IN(%u) ALLOW_DOUBLE_DENORM_OUT(%u) "
                                 "ALLOW_SINGLE_DENORM_IN(%u) ALLOW_SINGLE_DENORM_OUT(%u)";

enum what { SUM, PRODUCT, FUSED, APART, TIMES2, TIMES4, HALF_OF, LEAST, MOST, FRACTION };
static struct number scaled(struct number n, int by) {
    n.exponent += by;
    return n;
}

static uint64_t expected(enum what what, unsigned l, const struct modifiers *m, unsigned rounding, bool din,
                         bool dout) {
    const struct number a = operand(0, l, m, din), b = operand(1, l, m, din), c = operand(2, l, m, din);
    const int order = compare(a, b);
    uint64_t v;
    switch (what) {
    case SUM: return give(&pair, add(a, b, rounding), rounding, dout);
    case PRODUCT: return give(&pair, multiply(a, b), rounding, dout);
    case FUSED: return give(&pair, add(multiply(a, b), c, rounding), rounding, dout);
    case APART:
    case TIMES2:
    case TIMES4:
    case HALF_OF:
        v = give(&pair, multiply(a, b), rounding, true);
        v = give(&pair, add(take(&pair, v, true), c, rounding), rounding, true);
        return give(&pair, scaled(take(&pair, v, true), what == HALF_OF ? -1 : (int)what - APART), rounding,
                    dout);
    case LEAST:
    case MOST:
        if (a.class == NOT_A_NUMBER || b.class == NOT_A_NUMBER)
            return give(&pair, a.class == NOT_A_NUMBER ? b : a, 0, dout);
        return give(&pair, (order < 0) == (what == LEAST) && (order || what == MOST) ? a : b, 0, dout);
    default: break;
    }
    // What lies below the point, counted from the whole number below.
    if (a.class != FINITE)
        return give(&pair, (struct number){.class = a.class == ZERO ? ZERO : NOT_A_NUMBER}, 0, dout);
    const int by = -a.exponent;
    const struct number one = {.class = FINITE, .minus = true, .m = 1};
    struct number whole = {.class = ZERO};
    if (by < 64) whole = a;
    if (by > 0 && by < 64) whole.m = a.m >> by << by;
    if (!whole.m) whole.class = ZERO;
    if (by > 0 && a.minus && whole.m != a.m) whole = add(whole, one, 0);
    whole.minus = !whole.minus;
    struct number rest = add(a, whole, rounding);
    if (rest.class == ZERO) rest.minus = false;
    return give(&pair, rest, rounding, dout);
}

static void doubles_agree(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        enum what what;
        enum form form;
        unsigned sources;
        bool op3;
    } operations[] = {
        {"ADD_64", SUM, PAIR, 2, false},          {"MUL_64", PRODUCT, FOUR, 2, false},
        {"FMA_64", FUSED, FOUR, 3, true},         {"MULADD_64", APART, FOUR, 3, true},
        {"MULADD_64_M2", TIMES2, FOUR, 3, true},  {"MULADD_64_M4", TIMES4, FOUR, 3, true},
        {"MULADD_64_D2", HALF_OF, FOUR, 3, true}, {"MIN_64", LEAST, PAIR, 2, false},
        {"MAX_64", MOST, PAIR, 2, false},         {"FRACT_64", FRACTION, PAIR, 1, false},
    };
    static const char *const chips[] = {"rv770", "cypress", "cayman"};
    for (unsigned i = 0; i < sizeof operations / sizeof *operations; i++)
        for (unsigned n = 0; n < 48; n++) {
            const char *chip = chips[n % 3];
            const bool later = n % 3 != 0, op3 = operations[i].op3;
            if (later == (operations[i].what >= APART && operations[i].what <= HALF_OF)) continue;
            if (!later &&
                (operations[i].what == FUSED || operations[i].what == LEAST || operations[i].what == MOST))
                continue;
            struct text t = {0};
            char set[200] = "";
            const unsigned rounding = later ? n / 3 % 4 : 0;
            const bool din = later && n & 1, dout = later && n & 2;
            const unsigned mask = (1u << operations[i].sources) - 1;
            const struct modifiers m = {random32() & mask, op3 ? 0 : random32() & mask & 3,
                                        op3 ? 0 : n / 12 % 4, n % 5 == 0};
            if (later)
                snprintf(set, sizeof set, modes, rounding, random32() % 4, din, dout, n & 1, n >> 1 & 1);
            fill_doubles();
            put_double(&t, chip, operations[i].name, operations[i].sources, op3, operations[i].form, &m);
            if (run(chip, set, t.data)) fail_msg("%s: %s\n%s\n%s", chip, message, set, t.data);
            for (unsigned l = 0; l < LANES; l++) {
                uint64_t e = expected(operations[i].what, l, &m, rounding, din, dout);
                const struct number r = take(&pair, e, true);
                if (m.omod) e = give(&pair, scaled(r, m.omod == 3 ? -1 : (int)m.omod), rounding, dout);
                if (m.clamp && r.class != NOT_A_NUMBER) {
                    double d;
                    memcpy(&d, &e, 8);
                    d = d < 0 ? 0 : d > 1 ? 1 : d;
                    memcpy(&e, &d, 8);
                }
                const uint64_t got = (uint64_t)wave.gpr[20][1][l] << 32 | wave.gpr[20][0][l];
                if (!same(got, e, &pair))
                    fail_msg("%s of %016llx %016llx %016llx: %016llx, expected %016llx\n%s\n%s", chip,
                             (unsigned long long)in[0][l], (unsigned long long)in[1][l],
                             (unsigned long long)in[2][l], (unsigned long long)got, (unsigned long long)e,
                             set, t.data);
            }
            text_free(&t);
        }
}

static void comparisons_of_doubles_agree(void **unused) {
    (void)unused;
    static const char *const conditions[] = {"E", "NE", "GT", "GE"};
    static const char *const chips[] = {"rv770", "cypress", "cayman"};
    const struct modifiers none = {0, 0, 0, false};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned predicate = 0; predicate < 2; predicate++)
            for (unsigned chip = 0; chip < 3; chip++) {
                if ((predicate && i == 1) || (!predicate && !chip)) continue; // PRED_SETNE_64 there is not
                struct text t = {0};
                char name[40];
                snprintf(name, sizeof name, "%sSET%s_64", predicate ? "PRED_" : "", conditions[i]);
                fill_doubles();
                for (unsigned l = 0; l < LANES; l += 3)
                    for (unsigned c = 0; c < 2; c++)
                        wave.gpr[11][c][l] = wave.gpr[10][c][l], in[1][l] = in[0][l];
                if (predicate) {
                    text_printf(&t, " 0 x: %s R20.x, R10.y, R11.y UPDATE_PRED\n y: %s R20.y, R10.x, R11.x\n",
                                name, name);
                    text_puts(&t, " 1 z: MOV R20.z, 1 PRED_SEL_ONE\n 2 z: MOV R20.z, 0 PRED_SEL_ZERO\n");
                } else
                    put_double(&t, chips[chip], name, 2, false, PAIR, &none);
                if (run(chips[chip], "", t.data)) fail_msg("%s: %s\n%s", chips[chip], message, t.data);
                for (unsigned l = 0; l < LANES; l++) {
                    const int order = compare(take(&pair, in[0][l], chip), take(&pair, in[1][l], chip));
                    const bool holds = i == 0   ? order == 0
                                       : i == 1 ? order != 0
                                       : i == 2 ? order == 1
                                                : order == 0 || order == 1;
                    const uint32_t e = predicate ? (holds ? 0 : 0x3f800000) : holds ? 0xffffffff : 0;
                    if (wave.gpr[20][0][l] != e || (predicate && wave.gpr[20][2][l] != holds))
                        fail_msg("%s %s of %016llx %016llx: 0x%x", chips[chip], name,
                                 (unsigned long long)in[0][l], (unsigned long long)in[1][l],
                                 wave.gpr[20][0][l]);
                }
                text_free(&t);
            }
}

static void doubles_are_converted_split_and_chosen(void **unused) {
    (void)unused;
    static const char *const chips[] = {"rv770", "cypress", "cayman"};
    for (unsigned chip = 0; chip < 3; chip++) {
        uint32_t floats[LANES];
        fill_doubles();
        for (unsigned l = 0; l < LANES; l++) {
            floats[l] = wave.gpr[13][0][l] = random_float();
            wave.gpr[14][0][l] = wave.gpr[14][1][l] = random32() % 100 - 50;
            if (l % 7 == 0) wave.gpr[14][0][l] = wave.gpr[14][1][l] = random32();
            if (take(&pair, in[0][l], true).class > FINITE) in[0][l] = 0x3ff8000000000000u + l;
            wave.gpr[10][0][l] = (uint32_t)in[0][l], wave.gpr[10][1][l] = (uint32_t)(in[0][l] >> 32);
        }
        if (run(chips[chip], "",
                " 0 x: FLT32_TO_FLT64 R20.x, R13.x\n y: FLT32_TO_FLT64 R20.y, 0\n"
                " 1 x: FLT64_TO_FLT32 R21.x, -R11.y\n y: FLT64_TO_FLT32 ____, R11.x\n"
                " 2 x: FREXP_64 R22.x, R10.y\n y: FREXP_64 R22.y, R10.x\n z: FREXP_64 R22.z, R10.y\n"
                " w: FREXP_64 R22.w, R10.x\n"
                " 3 x: LDEXP_64 R23.x, R14.y, R11.y\n y: LDEXP_64 R23.y, R14.x, R11.x\n"))
            fail_msg("%s: %s", chips[chip], message);
        for (unsigned l = 0; l < LANES; l++) {
            const uint64_t wide = (uint64_t)wave.gpr[20][1][l] << 32 | wave.gpr[20][0][l];
            struct number n = take(&single, floats[l], false);
            assert_true(same(wide, give(&pair, n, 0, true), &pair));
            n = take(&pair, in[1][l], chip);
            n.minus = !n.minus;
            assert_true(same(wave.gpr[21][0][l], give(&single, n, 0, false), &single));
            // The fraction lies in 0.5 to 1, and with the exponent it is the value.
            struct number f = take(&pair, (uint64_t)wave.gpr[22][3][l] << 32 | wave.gpr[22][2][l], true);
            n = take(&pair, in[0][l], chip);
            assert_int_equal(f.class, n.class);
            if (n.class == FINITE) {
                assert_int_equal(width(f.m) + f.exponent, 0);
                assert_true(give(&pair, scaled(f, (int32_t)wave.gpr[22][1][l]), 0, true) == in[0][l]);
            } else
                assert_int_equal(wave.gpr[22][1][l], 0);
            // An exponent is added; what is too small becomes zero.
            n = take(&pair, in[1][l], false);
            const uint64_t got = (uint64_t)wave.gpr[23][1][l] << 32 | wave.gpr[23][0][l];
            const int64_t by = (int32_t)wave.gpr[14][0][l];
            if (n.class == FINITE && by < 5000 && by > -5000)
                n = scaled(n, (int)by);
            else if (n.class == FINITE)
                n.class = by > 0 ? INFINITE : ZERO;
            assert_true(same(got, give(&pair, n, 3, false), &pair) ||
                        same(got, give(&pair, n, 0, false), &pair));
        }
        if (!chip) continue;
        assert_int_equal(run(chips[chip], "",
                             " 0 x: CNDNE_64 R20.x, R11.y, R10.y, R12.y\n y: CNDNE_64 R20.y, R11.x, R10.x, "
                             "R12.x\n"),
                         SW_OK);
        for (unsigned l = 0; l < LANES; l++) {
            const uint64_t chosen = take(&pair, in[1][l], true).class != ZERO ? in[0][l] : in[2][l];
            // The first slot reads high dwords and gives the low one.
            assert_int_equal(wave.gpr[20][0][l], (uint32_t)chosen);
            assert_int_equal(wave.gpr[20][1][l], (uint32_t)(chosen >> 32));
        }
    }
    wave.gpr[14][0][5] = 1, wave.gpr[14][1][5] = 2;
    assert_int_equal(
        run("cypress", "", " 0 x: LDEXP_64 R23.x, R14.y, R11.y\n y: LDEXP_64 R23.y, R14.x, R11.x\n"),
        SW_UNSUPPORTED);
    assert_non_null(strstr(message, "LDEXP_64: its slots name two exponents"));
    wave.gpr[10][1][3] = 0x7ff00000;
    assert_int_equal(run("cypress", "",
                         " 0 x: FREXP_64 R22.x, R10.y\n y: FREXP_64 R22.y, R10.x\n z: FREXP_64 R22.z, R10.y\n"
                         " w: FREXP_64 R22.w, R10.x\n"),
                     SW_UNSUPPORTED);
    assert_int_equal(run("cypress", "", " 0 x: ADD_64 R22.x, R10.y, R10.y\n z: MOV R0.x, R0.y\n"),
                     SW_BAD_INPUT);
}

// Within half a place: the square of a root, the product with a reciprocal.
static void roots_and_reciprocals_are_near(void **unused) {
    (void)unused;
    static const char *const names[] = {"RECIP_64", "RECIPSQRT_64", "SQRT_64", "RECIP_CLAMPED_64",
                                        "RECIPSQRT_CLAMPED_64"};
    for (unsigned i = 0; i < 5; i++)
        for (unsigned cayman = 0; cayman < 2; cayman++) {
            struct text t = {0};
            const struct modifiers m = {0, 1, 0, false};
            const char *chip = cayman ? "cayman" : "cypress";
            fill_doubles();
            put_double(&t, chip, names[i], 2, false, SCALAR, &m);
            if (run(chip, "", t.data)) fail_msg("%s: %s\n%s", chip, message, t.data);
            for (unsigned l = 0; l < LANES; l++) {
                const uint64_t v = (uint64_t)wave.gpr[20][1][l] << 32 | wave.gpr[20][0][l];
                double a, r;
                memcpy(&a, &in[0][l], 8);
                memcpy(&r, &v, 8);
                a = fabs(a);
                const bool root = i == 1 || i == 2 || i == 4;
                const long double e = i == 2 ? sqrtl(a) : root ? 1 / sqrtl(a) : 1 / (long double)a;
                if (isnan(a))
                    assert_true(isnan(r));
                else if (i > 2 && (a == 0 || e > DBL_MAX))
                    assert_true(r == DBL_MAX);
                else if (e > DBL_MAX || isinf((double)e))
                    assert_true(isinf(r));
                else
                    assert_true(fabsl(r - e) <= 0x1p-52L * e);
            }
            text_free(&t);
        }
}

// ---- Floats under modes ----

static void floats_round_as_the_mode_says(void **unused) {
    (void)unused;
    static const char *const chips[] = {"cypress", "cayman"};
    for (unsigned n = 0; n < 64; n++) {
        const unsigned rounding = n & 3;
        const bool din = n & 4, dout = n & 8;
        const char *chip = chips[n >> 4 & 1];
        char set[200];
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned k = 0; k < 3; k++) wave.gpr[10 + k][0][l] = random_float();
        snprintf(set, sizeof set, modes, random32() % 4, rounding, n >> 5, n >> 5, din, dout);
        if (run(chip, set,
                " 0 x: ADD R20.x, R10.x, -R11.x\n 1 y: MUL_IEEE R20.y, R10.x, R11.x\n"
                " 2 z: FMA R20.z, R10.x, R11.x, R12.x\n 3 w: MULADD_IEEE R20.w, R10.x, R11.x, R12.x\n"
                " 4 x: FLT_TO_INT R21.x, R10.x\n 5 y: FRACT R21.y, |R10.x|\n"))
            fail_msg("%s: %s\n%s", chip, message, set);
        for (unsigned l = 0; l < LANES; l++) {
            const uint32_t *const got[2] = {&wave.gpr[20][0][l], &wave.gpr[21][0][l]};
            const struct number a = take(&single, wave.gpr[10][0][l], din),
                                b = take(&single, wave.gpr[11][0][l], din),
                                c = take(&single, wave.gpr[12][0][l], din);
            struct number minus = b;
            minus.minus = !minus.minus;
            const uint64_t apart = give(&single, multiply(a, b), rounding, true);
            const uint64_t e[4] = {
                give(&single, add(a, minus, rounding), rounding, dout),
                give(&single, multiply(a, b), rounding, dout),
                give(&single, add(multiply(a, b), c, rounding), rounding, dout),
                give(&single, add(take(&single, apart, true), c, rounding), rounding, dout),
            };
            for (unsigned k = 0; k < 4; k++)
                if (!same(got[0][k * LANES], e[k], &single))
                    fail_msg("%s %s, %c of %08x %08x %08x: %08x, expected %08llx", chip, set, "xyzw"[k],
                             wave.gpr[10][0][l], wave.gpr[11][0][l], wave.gpr[12][0][l], got[0][k * LANES],
                             (unsigned long long)e[k]);
            // To an integer: counted in halves, which decide.
            if (a.class == FINITE && a.exponent < 0 && a.exponent > -60) {
                const uint64_t whole = (uint64_t)(a.m >> -a.exponent),
                               rest = (uint64_t)(a.m - ((unsigned __int128)whole << -a.exponent)),
                               half = 1ull << (-a.exponent - 1);
                const bool up = rounding == 0   ? rest > half || (rest == half && whole & 1)
                                : rounding == 3 ? false
                                                : rest && a.minus == (rounding == 2);
                const int64_t value = (int64_t)(whole + up) * (a.minus ? -1 : 1);
                assert_int_equal((int32_t)got[1][0], (int32_t)value);
            }
        }
    }
}

// The caller can say it as well, instead of the object.
static void callers_set_modes(void **unused) {
    (void)unused;
    const char *text = "main:\nALU:\n0 x: MUL_IEEE R20.x, R10.x, R10.x\nNOP END_OF_PROGRAM\n";
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find("cypress", 7)};
    const sw_terascale_setting setting = {0x288d8, 1}; // SQ_PGM_RESOURCES_2_LS SINGLE_ROUND(1)
    uint8_t *object;
    size_t size;
    assert_int_equal(sw_terascale_assemble(text, strlen(text), &a, &object, &size, &sink), SW_OK);
    for (unsigned set = 0; set < 2; set++) {
        const sw_terascale_wave_options o = {
            .size = sizeof o,
            .setup = &(sw_terascale_setup){
                .size = sizeof(sw_terascale_setup), .settings = &setting, .setting_count = set}};
        wave.size = sizeof wave;
        wave.valid = ~0ull;
        for (unsigned l = 0; l < LANES; l++) wave.gpr[10][0][l] = 0x3f800001;
        assert_int_equal(sw_terascale_run_wave(object, size, &o, &wave, &sink), SW_OK);
        assert_int_equal(wave.gpr[20][0][9], 0x3f800002 + set); // a bit more than 1 + 2^-22
    }
    sw_free(object);
}

// R600 and R700 truncate, whatever follows.
static void old_families_truncate(void **unused) {
    (void)unused;
    for (unsigned l = 0; l < LANES; l++) {
        const float f = (float)l / 4 - 8;
        memcpy(&wave.gpr[10][0][l], &f, 4);
    }
    assert_int_equal(run("rv770", "", " 0 t: FLT_TO_INT R20.x, R10.x\n"), SW_OK);
    for (unsigned l = 0; l < LANES; l++) assert_int_equal((int32_t)wave.gpr[20][0][l], ((int)l - 32) / 4);
}

// ---- Chains ----

static void chains_take_results_of_their_group(void **unused) {
    (void)unused;
    static const char *const chips[] = {"cypress", "cayman"};
    for (unsigned chip = 0; chip < 2; chip++) {
        float a[4][LANES], b[4][LANES];
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned c = 0; c < 4; c++) {
                a[c][l] = (float)(random32() % 200) - 100, b[c][l] = (float)(random32() % 200) - 100;
                memcpy(&wave.gpr[10][c][l], &a[c][l], 4);
                memcpy(&wave.gpr[11][c][l], &b[c][l], 4);
                wave.gpr[12][c][l] = random32();
                wave.gpr[13][c][l] = random32();
            }
        // Two and three elements; a sum ends where the next slot does something else.
        assert_int_equal(
            run(chips[chip], "",
                " 0 x: DOT_IEEE R20.x, R10.x, R11.x\n y: DOT_IEEE ____, R10.y, R11.y\n"
                " 1 y: DOT R20.y, R10.y, R11.y\n z: DOT ____, R10.z, R11.z\n w: DOT ____, R10.w, R11.w\n"
                " 2 z: DOT_IEEE R20.z, R10.z, R11.z\n w: MOV R20.w, R10.w\n"
                " 3 x: MUL_IEEE_PREV R21.x, R10.x\n y: ADD_PREV R21.y, R10.y\n z: ADD R22.z, R10.z, R11.z\n"
                " w: ADD R22.w, R10.w, R11.w\n"
                " 4 x: MULADD_IEEE_PREV R24.x, R10.x, R11.x\n z: MUL_IEEE ____, R10.z, R11.z\n"
                " 5 x: MBCNT_32LO_ACCUM_PREV_INT R23.x, -1\n y: MBCNT_32HI_INT R23.y, -1\n"
                " 6 x: BCNT_ACCUM_PREV_INT R25.x, R12.x\n y: BCNT_ACCUM_PREV_INT R25.y, R12.y\n"
                " z: BCNT_INT R25.z, R12.z\n"
                " 7 z: SAD_ACCUM_PREV_UINT R23.z, R12.x, R13.x\n w: SAD_ACCUM_PREV_UINT R23.w, R12.y, "
                "R13.y\n"),
            SW_OK);
        for (unsigned l = 0; l < LANES; l++) {
            float f[4];
            for (unsigned c = 0; c < 3; c++) memcpy(&f[c], &wave.gpr[20][c][l], 4);
            assert_true(f[0] == a[0][l] * b[0][l] + a[1][l] * b[1][l]);
            assert_true(f[1] == a[1][l] * b[1][l] + a[2][l] * b[2][l] + a[3][l] * b[3][l]);
            assert_true(f[2] == a[2][l] * b[2][l]);
            memcpy(&f[0], &wave.gpr[21][0][l], 4), memcpy(&f[1], &wave.gpr[21][1][l], 4);
            memcpy(&f[2], &wave.gpr[24][0][l], 4);
            assert_true(f[0] == a[0][l] * (a[2][l] + b[2][l]));
            assert_true(f[1] == a[1][l] + (a[3][l] + b[3][l]));
            assert_true(f[2] == a[0][l] * b[0][l] + a[2][l] * b[2][l]);
            assert_int_equal(wave.gpr[23][0][l], l); // the lanes below this one
            uint32_t bits = 0, sum = 0;
            for (unsigned k = 0; k < 32; k++)
                for (unsigned c = 0; c < 3; c++) bits += wave.gpr[12][c][l] >> k & 1;
            assert_int_equal(wave.gpr[25][0][l], bits);
            for (unsigned k = 0; k < 8; k++) {
                const int p = (int)(wave.gpr[12][k / 4][l] >> 8 * (k % 4) & 255),
                          q = (int)(wave.gpr[13][k / 4][l] >> 8 * (k % 4) & 255);
                sum += (uint32_t)abs(p - q);
            }
            assert_int_equal(wave.gpr[23][2][l], sum);
        }
    }
}

static void chains_without_an_end_are_refused(void **unused) {
    (void)unused;
    assert_int_equal(run("cypress", "", " 0! x: ADD_PREV R20.x, R10.x\n"), SW_FAULTED);
    assert_non_null(strstr(message, "ADD_PREV takes the result of slot z, which the group has not"));
    assert_int_equal(run("cypress", "", " 0! z: MUL_PREV R20.z, R10.x\n"), SW_FAULTED);
    assert_int_equal(run("cypress", "", " 0 x: MUL_PREV R20.x, R10.x\n z: MOV_sat R20.z, R10.y\n"),
                     SW_UNSUPPORTED);
    assert_non_null(strstr(message, "whether output modifiers come before it is not known"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_agree),
        cmocka_unit_test(comparisons_of_doubles_agree),
        cmocka_unit_test(doubles_are_converted_split_and_chosen),
        cmocka_unit_test(roots_and_reciprocals_are_near),
        cmocka_unit_test(floats_round_as_the_mode_says),
        cmocka_unit_test(callers_set_modes),
        cmocka_unit_test(old_families_truncate),
        cmocka_unit_test(chains_take_results_of_their_group),
        cmocka_unit_test(chains_without_an_end_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
