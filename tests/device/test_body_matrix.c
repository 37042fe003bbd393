// SPDX-License-Identifier: MIT
// Matrix instructions: every row at every level on matrices of small whole numbers, whose sums are exact in
// any order, against the schoolbook product. Where each element of A, B, C and D stands is written here as a
// function from place to element. Broadcasts, sparse index sets, negation, signedness, saturation, rounding.
// Facts shown: TRAP-202, 205 to 208, 212, 215 to 217, 219, 220, 222 to 224, 226, 227.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "bare_wave.h"
#include "exec/body/small.h"
#include "exec/decode/translate.h"
#include "matrix_layout.h"
#include "softwave/isa.h"

enum { A = 0, B = 32, C = 64, D = 100, INDEX = 140, VGPRS = 144 };
enum { RDNA = 1 << 17, GFX12_LAYOUT = 1 << 18 };

static unsigned format_named(const char *t, bool fnuz) {
    if (strcmp(t, "f16") == 0) return FORMAT_F16;
    if (strcmp(t, "bf16") == 0) return FORMAT_BF16;
    if (strcmp(t, "fp8") == 0) return fnuz ? FORMAT_FP8_FNUZ : FORMAT_FP8;
    if (strcmp(t, "bf8") == 0) return fnuz ? FORMAT_BF8_FNUZ : FORMAT_BF8;
    return FORMAT_F32;
}
static uint64_t encode(const char *t, double v, bool fnuz) {
    if (strcmp(t, "f64") == 0) {
        uint64_t u;
        memcpy(&u, &v, 8);
        return u;
    }
    if (strchr(t, 'i')) return (uint64_t)(int64_t)v & ((1ull << bits_of_type(t)) - 1);
    const float f = (float)v;
    uint32_t u;
    memcpy(&u, &f, 4);
    return small_encode(format_named(t, fnuz), small_decode(FORMAT_F32, u), 0, 0);
}
static double decode(const char *t, uint64_t code) {
    if (strcmp(t, "f64") == 0) {
        double v;
        memcpy(&v, &code, 8);
        return v;
    }
    if (strcmp(t, "i32") == 0) return (int32_t)code;
    const uint32_t u = small_encode(FORMAT_F32, small_decode(format_named(t, false), (uint32_t)code), 0, 0);
    float f;
    memcpy(&f, &u, 4);
    return (double)f;
}
static void put_bits(struct wave *w, unsigned reg, unsigned l, unsigned at, unsigned bits, uint64_t v) {
    for (unsigned b = 0; b < bits; b++) {
        uint32_t *word = &lanes_of(w, vgpr(w, reg + (at + b) / 32))[l];
        *word = (*word & ~(1u << (at + b) % 32)) | (uint32_t)(v >> b & 1) << (at + b) % 32;
    }
}
static uint64_t get_bits(struct wave *w, unsigned reg, unsigned l, unsigned at, unsigned bits) {
    uint64_t v = 0;
    for (unsigned b = 0; b < bits; b++)
        v |= (uint64_t)(lanes_of(w, vgpr(w, reg + (at + b) / 32))[l] >> (at + b) % 32 & 1) << b;
    return v;
}
static void fill(struct wave *w) {
    for (unsigned v = 0; v < VGPRS; v++)
        for (unsigned l = 0; l < w->lanes; l++) lanes_of(w, vgpr(w, v))[l] = (uint32_t)random64();
}
static double a_of[16][32][128], b_of[16][32][128], c_of[16][32][32]; // [block][row or column][k]

static void one(const struct level *level, const struct row *row, const struct shape_facts *s, unsigned n) {
    const unsigned lanes = s->lanes, ab = bits_of_type(s->a), db = bits_of_type(s->d);
    const bool whole = strcmp(s->d, "i32") == 0, fnuz = !s->rdna && n % 2,
               high = s->rdna && !s->gfx12 && n & 1;
    const bool signed_a = !s->rdna || n & 1, signed_b = !s->rdna || n & 2;
    struct wave *w = bare_wave(lanes, VGPRS);
    fill(w);
    w->exec = random64() & random64(); // does not matter
    const unsigned held = a_held(s), sets = s->sparse ? 32 / (2 * held) : 1, set = n % sets;
    uint8_t index[64][32];
    // Matrices.
    for (unsigned b = 0; b < s->blocks; b++)
        for (unsigned i = 0; i < s->m; i++) {
            for (unsigned k = 0; k < s->k; k++) {
                const bool nibble = ab == 4;
                a_of[b][i][k] = whole && !signed_a ? (double)(random64() % (nibble ? 16 : 256))
                                : whole ? (double)(random64() % (nibble ? 16 : 256)) - (nibble ? 8 : 128)
                                        : (double)(random64() % 9) - 4;
                b_of[b][i][k] = whole && !signed_b ? (double)(random64() % (nibble ? 16 : 256))
                                : whole ? (double)(random64() % (nibble ? 16 : 256)) - (nibble ? 8 : 128)
                                        : (double)(random64() % 9) - 4;
                if (s->sparse) a_of[b][i][k] = a_of[b][i][k];
            }
            for (unsigned j = 0; j < s->m; j++) c_of[b][i][j] = (double)(random64() % 101) - 50;
        }
    // Sparse: which two of four are kept, the same for all lanes that hold a part of a row.
    for (unsigned l = 0; s->sparse && l < lanes; l++) {
        unsigned i, block, k0;
        place_ab(s, l, 0, &i, &block, &k0);
        uint32_t word = (uint32_t)random64();
        for (unsigned p = 0; p < held / 2; p++) {
            const unsigned first = (unsigned)random64() % 3,
                           second = first + 1 + (unsigned)random64() % (3 - first);
            index[l][2 * p] = (uint8_t)(4 * p + first), index[l][2 * p + 1] = (uint8_t)(4 * p + second);
            const unsigned at = 2 * held * set + 4 * p;
            word = (word & ~(15u << at)) | (first | second << 2) << at;
            for (unsigned q = 0; q < 4; q++)
                if (q != first && q != second) a_of[block][i][k0 + 4 * p + q] = 0;
        }
        lanes_of(w, vgpr(w, INDEX))[l] = word;
    }
    // Into registers.
    for (unsigned l = 0; l < lanes; l++) {
        unsigned i, block, k;
        for (unsigned j = 0; j < held; j++) {
            place_ab(s, l, s->sparse ? index[l][j] : j, &i, &block, &k);
            put_bits(w, A, l, j * ab, ab, encode(s->a, a_of[block][i][k], fnuz));
        }
        for (unsigned j = 0; j < b_held(s); j++) {
            place_ab(s, l, j, &i, &block, &k);
            put_bits(w, B, l, j * ab, ab, encode(s->b, b_of[block][i][k], fnuz));
        }
    }
    const unsigned results = s->m * s->m * s->blocks / lanes, from = s->sparse ? D : C;
    for (unsigned l = 0; l < lanes; l++)
        for (unsigned v = 0; v < results; v++) {
            unsigned i, j, block;
            place_d(s, l, v, &i, &j, &block);
            put_bits(w, from, l, d_at(s, v, high), db, encode(s->d, c_of[block][i][j], false));
        }
    uint32_t e = s->rdna ? RDNA | (s->gfx12 ? GFX12_LAYOUT : 0) : fnuz ? 1 << 16 : 0;
    if (s->rdna && whole) e |= (uint32_t)signed_a | (uint32_t)signed_b << 1;
    if (high) e |= 4 << 6;
    if (s->sparse) e |= s->rdna ? set << 6 : set << 3;
    struct wave *before = bare_wave(lanes, VGPRS);
    memcpy(before->v, w->v, (size_t)VGPRS * w->stride);
    run_op(
        w,
        (struct op){
            .d = vgpr(w, D), .a = vgpr(w, A), .b = vgpr(w, B), .c = vgpr(w, s->sparse ? INDEX : C), .e = e},
        level->bodies[row - isa_rows]->fn[0]);
    for (unsigned l = 0; l < lanes; l++)
        for (unsigned v = 0; v < results; v++) {
            unsigned i, j, block;
            place_d(s, l, v, &i, &j, &block);
            double want = c_of[block][i][j];
            for (unsigned k = 0; k < s->k; k++) want += a_of[block][i][k] * b_of[block][j][k];
            const double got = decode(s->d, get_bits(w, D, l, d_at(s, v, high), db));
            if (strcmp(s->d, "bf16") == 0) want = decode("bf16", encode("bf16", want, false));
            if (got != want)
                fail_msg("%s %s lanes %u: lane %u element %u, D[%u][%u] of block %u: got %g want %g",
                         row_id(row), level->name, lanes, l, v, i, j, block, got, want);
        }
    // Nothing else changed.
    const unsigned d_registers = db == 16 && s->gfx12 ? results / 2 : db == 64 ? 2 * results : results;
    for (unsigned r = 0; r < VGPRS; r++)
        if (r < D || r >= D + d_registers)
            assert_memory_equal(lanes_of(w, vgpr(w, r)), lanes_of(before, vgpr(w, r)), w->stride);
    if (db == 16 && !s->gfx12)
        for (unsigned v = 0; v < results; v++)
            assert_int_equal(get_bits(w, D, 3, 32 * v + (high ? 0 : 16), 16),
                             get_bits(before, D, 3, 32 * v + (high ? 0 : 16), 16));
    free(w);
    free(before);
}

// Those of CDNA5 are test_matrix_cdna5.c's.
static bool is_new(const struct row *row) {
    const sw_insn_info *info = sw_insn_info_by_id(row_id(row), strlen(row_id(row)));
    return sw_insn_mnemonic(info, sw_processor_find("gfx1250", 7)) &&
           !sw_insn_mnemonic(info, sw_processor_find("gfx1200", 7));
}

static void every_row(void **state) {
    (void)state;
    unsigned rows = 0;
    for (unsigned r = 0; r < isa_row_count; r++) {
        if (levels[0].bodies[r]->shape != SHAPE_MATRIX || is_new(&isa_rows[r])) continue;
        struct shape_facts s;
        if (!parse_shape(row_sem(&isa_rows[r]), &s)) fail_msg("%s", row_sem(&isa_rows[r]));
        covered(row_sem(&isa_rows[r]));
        bare_stream(r, row_sem(&isa_rows[r]));
        rows++;
        if (strcmp(s.a, "f8f6f4") == 0) strcpy(s.a, "fp8"), strcpy(s.b, "fp8");
        for (unsigned level = 0; level < level_count(); level++)
            for (unsigned lanes = s.rdna ? 32 : 64; lanes <= 64; lanes += 32)
                for (unsigned n = 0; n < 4; n++) {
                    s.lanes = lanes;
                    one(&levels[level], &isa_rows[r], &s, n);
                }
    }
    assert_true(rows > 120);
}

// ---- Whole instructions ----
static struct op translated(const char *gpu, const char *hex, unsigned level, bool wave32) {
    const sw_processor *p = sw_processor_find(gpu, strlen(gpu));
    struct code_facts f = {.processor = p,
                           .isa = isa_of(p),
                           .wave32 = wave32,
                           .stride = wave32 ? 128 : 256,
                           .vgprs = VGPRS,
                           .agpr_base = VGPRS,
                           .m0 = 124,
                           .bodies = levels[level].bodies,
                           .steps = levels[level].steps};
    struct arena arena = {0};
    uint32_t slots = 0;
    struct translator t = {.facts = &f, .arena = &arena, .next_slot = &slots};
    uint8_t bytes[16] = {0};
    for (size_t i = 0; i < strlen(hex) / 2; i++) sscanf(hex + 2 * i, "%2hhx", &bytes[i]);
    struct insn in;
    assert_int_equal(insn_decode(f.isa, bytes, strlen(hex) / 2, &in), DECODE_OK);
    if (!translate_vector(&t, &in)) fail_msg("%s", t.gap);
    assert_int_equal(t.ops.count, 1);
    struct op op = t.ops.items[0];
    array_free(&t.ops);
    arena_free(&arena);
    return op;
}
static float lane_float(struct wave *w, unsigned reg, unsigned l) {
    float f;
    memcpy(&f, &lanes_of(w, vgpr(w, reg))[l], 4);
    return f;
}
static void put_float(struct wave *w, unsigned reg, unsigned l, float f) {
    memcpy(&lanes_of(w, vgpr(w, reg))[l], &f, 4);
}

static void fields(void **state) {
    (void)state;
    for (unsigned level = 0; level < level_count(); level++) {
        struct wave *w = bare_wave(64, VGPRS);
        w->constant32[242 - 128] = 0x3f800000;
        for (unsigned l = 0; l < 64; l++)
            put_float(w, 0, l, (float)(l + 1)), put_float(w, 1, l, (float)(100 + l));
        // 4x4x1, 16 blocks: D[i][j] of block b = A[4b + i] B[4b + j] + 1.0
        static const struct {
            const char *hex, *text;
            unsigned cbsz, abid, blgp;
        } forms[] = {
            {"0400c2d30003ca03", "v_mfma_f32_4x4x1f32 v[4:7], v0, v1, 1.0", 0, 0, 0},
            {"0412c2d30003ca03", "... cbsz:2 abid:2", 2, 2, 0},
            {"0400c2d30003ca23", "... blgp:1", 0, 0, 1},
            {"0400c2d30003ca43", "... blgp:2", 0, 0, 2},
            {"0400c2d30003ca63", "... blgp:3", 0, 0, 3},
            {"0400c2d30003cac3", "... blgp:6", 0, 0, 6},
        };
        for (unsigned k = 0; k < sizeof forms / sizeof *forms; k++) {
            const struct op op = translated("gfx90a", forms[k].hex, level, false);
            run_op(w, op, op.fn);
            for (unsigned l = 0; l < 64; l++)
                for (unsigned i = 0; i < 4; i++) {
                    unsigned a = l / 4 * 4 + i, b = l;
                    if (forms[k].cbsz == 2) a = l / 16 * 16 + 4 * forms[k].abid + i; // of each four blocks
                    switch (forms[k].blgp) {
                    case 1: b &= 31; break;
                    case 2: b |= 32; break;
                    case 3: b = (b + 16) & 63; break;
                    case 6: b = b % 16 + 32; break;
                    default: break;
                    }
                    const float want = (float)(a + 1) * (float)(100 + b) + 1, got = lane_float(w, 4 + i, l);
                    if (got != want)
                        fail_msg("%s: lane %u row %u: got %g want %g", forms[k].text, l, i, (double)got,
                                 (double)want);
                }
        }
        free(w);
    }
}
// Denormals of F32: A and B by MODE, C and D stay; rounding is to nearest whatever MODE says (TRAP-212).
static void rounding(void **state) {
    (void)state;
    for (unsigned level = 0; level < level_count(); level++)
        for (unsigned mode = 0; mode < 256; mode += 13) {
            struct wave *w = bare_wave(64, VGPRS);
            w->mode = (w->mode & ~0xffu) | mode;
            w->mxcsr = 0x1f80 | (mode & 3) << 13 | (mode & 0x10 ? 0 : 0x40) | (mode & 0x20 ? 0 : 0x8000);
            for (unsigned l = 0; l < 64; l++) {
                lanes_of(w, vgpr(w, 0))[l] = l % 4 == 0 ? 0x00400000 : 0x3f800001; // row 0 of A is denormal
                put_float(w, 1, l, l % 4 == 1 ? 1.5f : 1.0f);
                for (unsigned v = 0; v < 4; v++)
                    lanes_of(w, vgpr(w, 8 + v))[l] = v == 0 ? 3 : 0x33800000; // 2^-24
            }
            const struct op op =
                translated("gfx90a", "0400c2d300032204", level, false); // ..., v[4:7], v0, v1, v[8:11]
            run_op(w, op, op.fn);
            assert_int_equal(lanes_of(w, vgpr(w, 4))[0], mode & 0x10 ? 0x00400003 : 3);
            assert_int_equal(lanes_of(w, vgpr(w, 5))[0], 0x3f800002); // half of the last place: to even
            free(w);
        }
}
// F8F6F4: formats by number, 6-bit and 4-bit streams (TRAP-208).
static void mixed_formats(void **state) {
    (void)state;
    static const unsigned formats[] = {FORMAT_FP8, FORMAT_BF8, FORMAT_FP6, FORMAT_BF6, FORMAT_FP4};
    const struct row *row = NULL;
    for (unsigned r = 0; r < isa_row_count; r++)
        if (strcmp(row_id(&isa_rows[r]), "v_mfma_f32_16x16x128_f8f6f4") == 0) row = &isa_rows[r];
    assert_non_null(row);
    for (unsigned level = 0; level < level_count(); level++)
        for (unsigned n = 0; n < 25; n++) {
            struct wave *w = bare_wave(64, VGPRS);
            const unsigned fa = formats[n % 5], fb = formats[n / 5];
            fill(w);
            for (unsigned l = 0; l < 64; l++)
                for (unsigned j = 0; j < 32; j++) {
                    const unsigned k = l / 16 * 32 + j;
                    const float x = (float)(random64() % 5) - 2, y = (float)(random64() % 5) - 2;
                    uint32_t ux, uy;
                    memcpy(&ux, &x, 4), memcpy(&uy, &y, 4);
                    a_of[0][l % 16][k] = (double)x, b_of[0][l % 16][k] = (double)y;
                    put_bits(w, A, l, j * small_bits(fa), small_bits(fa),
                             small_encode(fa, small_decode(FORMAT_F32, ux), 0, 0));
                    put_bits(w, B, l, j * small_bits(fb), small_bits(fb),
                             small_encode(fb, small_decode(FORMAT_F32, uy), 0, 0));
                }
            run_op(w,
                   (struct op){.d = vgpr(w, D),
                               .a = vgpr(w, A),
                               .b = vgpr(w, B),
                               .c = sgpr_offset(0),
                               .e = n % 5 | n / 5 << 7},
                   levels[level].bodies[row - isa_rows]->fn[0]);
            for (unsigned l = 0; l < 64; l++)
                for (unsigned v = 0; v < 4; v++) {
                    double want = 0;
                    for (unsigned k = 0; k < 128; k++)
                        want += a_of[0][4 * (l / 16) + v][k] * b_of[0][l % 16][k];
                    assert_true((double)lane_float(w, D + v, l) == want);
                }
            free(w);
        }
}
// Scales of blocks, read by the decoder from the prefix (TRAP-005, TRAP-210).
static void scales(void **state) {
    (void)state;
    for (unsigned level = 0; level < level_count(); level++)
        for (unsigned n = 0; n < 2; n++) {
            struct wave *w = bare_wave(64, VGPRS);
            fill(w);
            for (unsigned l = 0; l < 64; l++)
                for (unsigned j = 0; j < 32; j++) {
                    const unsigned k = l / 16 * 32 + j, exponent = (unsigned)random64() % 3;
                    if (j == 0) {
                        const unsigned at = n ? 16 : 0; // op_sel 0, op_sel_hi 1: byte 2
                        put_bits(w, 70, l, at, 8, 126 + exponent);
                        put_bits(w, 71, l, at, 8, 127 + l / 16);
                    }
                    const double scale = ldexp(1, (int)get_bits(w, 70, l, n ? 16 : 0, 8) - 127);
                    const float x = (float)(random64() % 5) - 2, y = (float)(random64() % 5) - 2;
                    uint32_t ux, uy;
                    memcpy(&ux, &x, 4), memcpy(&uy, &y, 4);
                    a_of[0][l % 16][k] = (double)x * scale,
                                b_of[0][l % 16][k] = (double)y * ldexp(1, (int)(l / 16));
                    put_bits(w, A, l, j * 8, 8, small_encode(FORMAT_FP8, small_decode(FORMAT_F32, ux), 0, 0));
                    put_bits(w, B, l, j * 8, 8, small_encode(FORMAT_FP8, small_decode(FORMAT_F32, uy), 0, 0));
                }
            // v_mfma_scale_f32_16x16x128_f8f6f4 v[100:103], v[0:7], v[32:39], 0, v70, v71 op_sel_hi:[n,n,0]
            const struct op op = translated("gfx950",
                                            n ? "0000acd3468f0218"
                                                "6408add300410202"
                                              : "0000acd3468f0200"
                                                "6408add300410202",
                                            level, false);
            run_op(w, op, op.fn);
            for (unsigned l = 0; l < 64; l++)
                for (unsigned v = 0; v < 4; v++) {
                    double want = 0;
                    for (unsigned k = 0; k < 128; k++)
                        want += a_of[0][4 * (l / 16) + v][k] * b_of[0][l % 16][k];
                    assert_true((double)lane_float(w, D + v, l) == want);
                }
            free(w);
        }
}
// RDNA: negation of halves and of C, saturation.
static void modifiers(void **state) {
    (void)state;
    for (unsigned level = 0; level < level_count(); level++) {
        struct wave *w = bare_wave(32, VGPRS);
        for (unsigned l = 0; l < 32; l++) {
            for (unsigned r = 0; r < 8; r++) {
                lanes_of(w, vgpr(w, A + r))[l] = r ? 0 : 0x40003c00; // 1.0, 2.0
                lanes_of(w, vgpr(w, B + r))[l] = r ? 0 : 0x3c003c00;
                put_float(w, C + r, l, -7);
            }
        }
        const struct body *f = body_named(&levels[level], "v_wmma_f32_16x16x16_f16");
        static const struct {
            unsigned neg, neg_hi;
            float want;
        } cases[] = {{0, 0, -4}, {1, 0, -6}, {0, 1, -8}, {2, 2, -10},
                     {3, 0, -4}, {4, 0, 10}, {0, 4, 10}, {4, 4, -4}};
        for (unsigned k = 0; k < 8; k++) {
            run_op(w,
                   (struct op){.d = vgpr(w, D),
                               .a = vgpr(w, A),
                               .b = vgpr(w, B),
                               .c = vgpr(w, C),
                               .e = RDNA | cases[k].neg | cases[k].neg_hi << 3},
                   f->fn[0]);
            assert_float_equal(lane_float(w, D + 5, 17), cases[k].want, 0);
        }
        for (unsigned l = 0; l < 32; l++)
            for (unsigned r = 0; r < 8; r++) {
                lanes_of(w, vgpr(w, A + r))[l] = 0x01010101;
                lanes_of(w, vgpr(w, B + r))[l] = 0xffffffff;
                lanes_of(w, vgpr(w, C + r))[l] = r & 1 ? 0x7fffffff : 0x80000000;
            }
        const struct body *i = body_named(&levels[level], "v_wmma_i32_16x16x16_iu8");
        run_op(w,
               (struct op){
                   .d = vgpr(w, D), .a = vgpr(w, A), .b = vgpr(w, B), .c = vgpr(w, C), .e = RDNA | 1 << 9},
               i->fn[0]);
        assert_int_equal(lanes_of(w, vgpr(w, D + 1))[3], 0x7fffffff);
        assert_int_equal(lanes_of(w, vgpr(w, D))[3], 0x80000000 + 16 * 255);
        run_op(
            w,
            (struct op){
                .d = vgpr(w, D), .a = vgpr(w, A), .b = vgpr(w, B), .c = vgpr(w, C), .e = RDNA | 2 | 1 << 9},
            i->fn[0]);
        assert_int_equal(lanes_of(w, vgpr(w, D))[3], 0x80000000);
        run_op(w,
               (struct op){.d = vgpr(w, D), .a = vgpr(w, A), .b = vgpr(w, B), .c = vgpr(w, C), .e = RDNA | 2},
               i->fn[0]);
        assert_int_equal(lanes_of(w, vgpr(w, D))[3], 0x80000000 - 16);
        free(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row), cmocka_unit_test(fields),
                                       cmocka_unit_test(rounding),  cmocka_unit_test(mixed_formats),
                                       cmocka_unit_test(scales),    cmocka_unit_test(modifiers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
