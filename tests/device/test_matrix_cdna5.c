// SPDX-License-Identifier: MIT
// Matrix instructions of CDNA5: every row at every level on matrices of small whole numbers, whose sums are
// exact in any order, against the schoolbook product. Where each element stands is written here from the
// tables of the manual (CDNA5 7.12.2 to 7.12.6). Sparse index sets, signedness, saturation, signs of C, block
// scales of each format.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "bare_wave.h"
#include "exec/body/small.h"
#include "matrix_layout5.h"
#include "softwave/isa.h"

enum { A = 0, B = 32, C = 64, D = 80, INDEX = 100, SCALE_A = 104, SCALE_B = 106, VGPRS = 110 };
enum { SCALED = 1 << 19, RDNA = 1 << 17, BLOCKS_OF_16 = 1 << 15 };

static unsigned format_of(const char *kind) {
    static const struct {
        const char *kind;
        unsigned format;
    } formats[] = {{"f16", FORMAT_F16}, {"bf16", FORMAT_BF16}, {"fp8", FORMAT_FP8}, {"bf8", FORMAT_BF8},
                   {"fp6", FORMAT_FP6}, {"bf6", FORMAT_BF6},   {"f4", FORMAT_FP4},  {"f32", FORMAT_F32}};
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(formats[i].kind, kind)) return formats[i].format;
    fail_msg("format %s", kind);
    return 0;
}
static uint32_t encode(const char *kind, double v) {
    if (strchr(kind, 'i')) return (uint32_t)(int32_t)v & (bits_of_kind(kind) == 32 ? ~0u : 255u);
    const float f = (float)v;
    uint32_t u;
    memcpy(&u, &f, 4);
    return small_encode(format_of(kind), small_decode(FORMAT_F32, u), 0, 0);
}
static double decode(const char *kind, uint32_t code) {
    if (strchr(kind, 'i')) return (int32_t)code;
    const uint32_t u = small_encode(FORMAT_F32, small_decode(format_of(kind), code), 0, 0);
    float f;
    memcpy(&f, &u, 4);
    return (double)f;
}

static void put_bits(struct wave *w, unsigned reg, struct at at, unsigned bits, uint32_t v) {
    for (unsigned b = 0; b < bits; b++) {
        uint32_t *word = &lanes_of(w, vgpr(w, reg + (at.bit + b) / 32))[at.lane];
        *word = (*word & ~(1u << (at.bit + b) % 32)) | (v >> b & 1) << (at.bit + b) % 32;
    }
}
static uint32_t get_bits(struct wave *w, unsigned reg, struct at at, unsigned bits) {
    uint32_t v = 0;
    for (unsigned b = 0; b < bits; b++)
        v |= (lanes_of(w, vgpr(w, reg + (at.bit + b) / 32))[at.lane] >> (at.bit + b) % 32 & 1) << b;
    return v;
}

static double a_of[32][128], b_of[16][128], c_of[32][16], scale_a[32][8], scale_b[16][8];

static void scale_lane(struct wave *w, unsigned reg, unsigned lane, unsigned block, unsigned format,
                       double v) {
    // 2^n in each format: E8M0, E5M3, E4M3
    const int n = (int)log2(v);
    const uint32_t code = format == 0 ? (uint32_t)(127 + n) : (uint32_t)((format == 1 ? 15 : 7) + n) << 3;
    put_bits(w, reg, (struct at){lane, 8 * block}, 8, code);
}

static void one(const struct level *level, unsigned r, struct product s, unsigned n, bool scaled) {
    static const char *const mixed[] = {"fp8", "bf8", "fp6", "bf6", "f4"};
    const struct row *row = &isa_rows[r];
    struct wave *w = bare_wave(32, VGPRS);
    uint32_t e = RDNA;
    w->constant32[242 - 128] = 0x3f800000;
    if (s.mixed) {
        const unsigned fa = n % 5, fb = n / 5 % 5;
        s.a = mixed[fa], s.b = mixed[fb];
        e |= fa << 6 | fb << 10;
    }
    const bool signed_a = n & 1, signed_b = n & 2, clamps = n & 4;
    const bool negates = !s.sparse && !s.whole && n & 1, absolute = !s.sparse && !s.whole && n & 2;
    if (s.whole) e |= (uint32_t)signed_a | (uint32_t)signed_b << 1 | (uint32_t)clamps << 9;
    e |= negates ? 4u : 0u;
    e |= absolute ? 4u << 3 : 0u;
    for (unsigned v = 0; v < VGPRS; v++)
        for (unsigned l = 0; l < 32; l++) lanes_of(w, vgpr(w, v))[l] = (uint32_t)random64();
    w->exec = random64();
    for (unsigned m = 0; m < s.m; m++)
        for (unsigned k = 0; k < s.k; k++)
            a_of[m][k] =
                s.whole ? (double)(random64() % 256) - (signed_a ? 128 : 0) : (double)(random64() % 5) - 2;
    for (unsigned c = 0; c < 16; c++)
        for (unsigned k = 0; k < s.k; k++)
            b_of[c][k] =
                s.whole ? (double)(random64() % 256) - (signed_b ? 128 : 0) : (double)(random64() % 5) - 2;
    for (unsigned m = 0; m < s.m; m++)
        for (unsigned c = 0; c < 16; c++)
            c_of[m][c] = s.whole && clamps ? (double)(int32_t)random64() : (double)(random64() % 101) - 50;
    const unsigned wa = bits_of_kind(s.a), wb = bits_of_kind(s.b), wc = bits_of_kind(s.c),
                   wd = bits_of_kind(s.d);
    for (unsigned m = 0; m < s.m; m++) {
        const unsigned set = m / 16 * 8; // registers of the second sixteen rows: 128 elements of 4 bits
        if (!s.sparse) {
            for (unsigned k = 0; k < s.k; k++)
                put_bits(w, A + set, place_of_ab(wa, s.mixed, m % 16, k), wa, encode(s.a, a_of[m][k]));
            continue;
        }
        for (unsigned group = 0; group < s.k / 4; group++) {
            const unsigned first = (unsigned)random64() % 3,
                           second = first + 1 + (unsigned)random64() % (3 - first);
            const unsigned kept[2] = {first, second};
            for (unsigned q = 0; q < 4; q++)
                if (q != first && q != second) a_of[m][4 * group + q] = 0;
            for (unsigned j = 0; j < 2; j++) {
                const struct at at = place_of_ab(wa, false, m, 2 * group + j);
                put_bits(w, A, at, wa, encode(s.a, a_of[m][4 * group + kept[j]]));
                put_bits(w, INDEX, (struct at){at.lane, at.bit / wa * 2}, 2, kept[j]);
            }
        }
    }
    for (unsigned c = 0; c < 16; c++)
        for (unsigned k = 0; k < s.k; k++)
            put_bits(w, B, place_of_ab(wb, s.mixed || s.sparse, c, k), wb, encode(s.b, b_of[c][k]));
    const unsigned from = s.sparse ? D : C;
    for (unsigned m = 0; m < s.m; m++)
        for (unsigned c = 0; c < 16; c++)
            put_bits(w, from, place_of_cd(wc, m, c), wc, encode(s.c, c_of[m][c]));

    const unsigned size = n & 8 ? 16 : 32, format = s.mixed ? 0 : n % 3, half_a = n >> 1 & 1,
                   half_b = n >> 2 & 1;
    for (unsigned block = 0; scaled && block < 128 / size; block++) {
        for (unsigned m = 0; m < s.m; m++) {
            scale_a[m][block] = ldexp(1, (int)(random64() % 5) - 2);
            scale_lane(w, SCALE_A, s.m == 32 ? m : m + 16 * half_a, block, format, scale_a[m][block]);
        }
        for (unsigned c = 0; c < 16; c++) {
            scale_b[c][block] = ldexp(1, (int)(random64() % 5) - 2);
            scale_lane(w, SCALE_B, c + 16 * half_b, block, format, scale_b[c][block]);
        }
    }
    if (scaled)
        e |= SCALED | (size == 16 ? BLOCKS_OF_16 : 0u) | half_a << 13 | half_b << 14 | format << 20 |
             format << 22;
    struct wave *before = bare_wave(32, VGPRS);
    memcpy(before->v, w->v, (size_t)VGPRS * w->stride);
    run_op(w,
           (struct op){.d = vgpr(w, D),
                       .a = vgpr(w, A),
                       .b = vgpr(w, B),
                       .c = vgpr(w, s.sparse ? INDEX : C),
                       .imm = vgpr(w, SCALE_A) | (uint64_t)vgpr(w, SCALE_B) << 32,
                       .e = e},
           level->bodies[r]->fn[0]);
    for (unsigned m = 0; m < s.m; m++)
        for (unsigned c = 0; c < 16; c++) {
            double want = c_of[m][c];
            if (absolute) want = fabs(want);
            if (negates) want = -want;
            for (unsigned k = 0; k < s.k; k++)
                want += a_of[m][k] * b_of[c][k] * (scaled ? scale_a[m][k / size] * scale_b[c][k / size] : 1);
            if (s.whole && clamps) want = fmin(fmax(want, INT32_MIN), INT32_MAX);
            if (!s.whole) want = decode(s.d, encode(s.d, want));
            const double got = decode(s.d, get_bits(w, D, place_of_cd(wd, m, c), wd));
            if (got != want)
                fail_msg("%s %s, case %u: D[%u][%u]: got %g want %g", row_id(row), level->name, n, m, c, got,
                         want);
        }
    const unsigned registers = s.m / 16 * (wd == 16 ? 4 : 8);
    for (unsigned v = 0; v < VGPRS; v++) // nothing else changed
        if (v < D || v >= D + registers)
            assert_memory_equal(lanes_of(w, vgpr(w, v)), lanes_of(before, vgpr(w, v)), w->stride);
    free(w);
    free(before);
}

static bool is_new(const struct row *row) {
    const sw_insn_info *info = sw_insn_info_by_id(row_id(row), strlen(row_id(row)));
    return sw_insn_mnemonic(info, sw_processor_find("gfx1250", 7)) &&
           !sw_insn_mnemonic(info, sw_processor_find("gfx1200", 7));
}

static void every_row(void **state) {
    (void)state;
    unsigned rows = 0;
    for (unsigned r = 0; r < isa_row_count; r++) {
        struct product s;
        if (levels[0].bodies[r]->shape != SHAPE_MATRIX || !is_new(&isa_rows[r])) continue;
        if (!parse_product(row_sem(&isa_rows[r]), &s)) fail_msg("%s", row_sem(&isa_rows[r]));
        covered(row_sem(&isa_rows[r]));
        bare_stream(r, row_sem(&isa_rows[r]));
        rows++;
        const bool scaled = strstr(row_id(&isa_rows[r]), "_scale");
        for (unsigned level = 0; level < level_count(); level++)
            for (unsigned n = 0; n < (s.mixed ? 25u : 12u); n++) one(&levels[level], r, s, n, scaled);
    }
    assert_int_equal(rows, 43);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
