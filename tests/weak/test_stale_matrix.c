// SPDX-License-Identifier: MIT
// What follows on matrix operations (MATRIX of isa/hazards.def), with weak memory that delivers hazards: for
// each length and kind of operation and each way to use or to overwrite its registers, as many wait states as
// the manuals ask for leave what is left without, and one less leaves something else.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "stale.h"

enum { SEEDS = 12 };
enum use { TO_AB, TO_SAME, TO_C, TO_C_F32, TO_C_F64, TO_VALU, TO_MEMORY, WRITTEN, C_WRITTEN, USES };

// An operation: its name, registers of the result, of what it multiplies and of what it adds to, and the wait
// states for each use; 0: none is needed, or it is not known.
static const struct matrix {
    const char *on, *name;
    unsigned result, factor;
    bool f64;
    unsigned states[USES];
} matrices[] = {
    // CDNA 1
    {"gfx908", "v_mfma_f32_4x4x4f16", 4, 2, false, {4, 0, 2, 2, 0, 4, 0, 1, 0}},
    {"gfx908", "v_mfma_f32_16x16x4f16", 16, 2, false, {4, 0, 2, 2, 0, 10, 0, 7, 5}},
    {"gfx908", "v_mfma_f32_16x16x4f32", 4, 1, false, {4, 0, 2, 2, 0, 10, 0, 7, 5}},
    {"gfx908", "v_mfma_f32_32x32x8f16", 16, 2, false, {4, 0, 2, 2, 0, 18, 0, 15, 13}},
    // CDNA 2
    {"gfx90a", "v_mfma_f32_4x4x4f16", 4, 2, false, {5, 0, 2, 2, 3, 5, 5, 5, 1}},
    {"gfx90a", "v_mfma_f32_16x16x16f16", 4, 2, false, {11, 0, 8, 8, 9, 11, 11, 11, 7}},
    {"gfx90a", "v_mfma_f32_32x32x8f16", 16, 2, false, {19, 0, 16, 16, 17, 19, 19, 19, 15}},
    {"gfx90a", "v_mfma_f64_4x4x4f64", 2, 2, true, {6, 4, 0, 0, 0, 6, 9, 6, 0}},
    {"gfx90a", "v_mfma_f64_16x16x4f64", 8, 2, true, {11, 0, 0, 0, 9, 11, 18, 11, 0}},
    // CDNA 3
    {"gfx942", "v_mfma_f32_4x4x4_16b_f16", 4, 2, false, {5, 2, 3, 3, 3, 5, 5, 5, 1}},
    {"gfx942", "v_mfma_f32_16x16x16_f16", 4, 2, false, {7, 0, 5, 5, 5, 7, 7, 7, 3}},
    {"gfx942", "v_mfma_f32_16x16x4_4b_f16", 16, 2, false, {11, 0, 9, 9, 9, 11, 11, 11, 7}},
    {"gfx942", "v_mfma_f32_32x32x8_f16", 16, 2, false, {11, 0, 9, 9, 9, 11, 11, 11, 7}},
    {"gfx942", "v_mfma_f32_4x4x1_16b_f32", 4, 1, false, {4, 2, 0, 2, 2, 4, 4, 4, 0}},
    {"gfx942", "v_mfma_f32_16x16x4_f32", 4, 1, false, {10, 0, 0, 8, 8, 10, 10, 10, 0}},
    {"gfx942", "v_mfma_f32_32x32x2_f32", 16, 1, false, {18, 0, 0, 16, 16, 18, 18, 18, 0}},
    {"gfx942", "v_mfma_f64_4x4x4_4b_f64", 2, 2, true, {6, 4, 0, 0, 0, 6, 9, 6, 0}},
    {"gfx942", "v_mfma_f64_16x16x4_f64", 8, 2, true, {11, 0, 0, 9, 9, 11, 18, 11, 0}},
    // CDNA 4
    {"gfx950", "v_mfma_f32_4x4x4_16b_f16", 4, 2, false, {5, 2, 4, 3, 3, 5, 5, 5, 1}},
    {"gfx950", "v_mfma_f32_16x16x16_f16", 4, 2, false, {8, 0, 6, 6, 6, 8, 8, 8, 3}},
    {"gfx950", "v_mfma_f32_32x32x8_f16", 16, 2, false, {12, 0, 10, 10, 10, 12, 12, 12, 7}},
    {"gfx950", "v_mfma_f32_16x16x4_f32", 4, 1, false, {10, 0, 0, 8, 8, 10, 10, 10, 0}},
    {"gfx950", "v_mfma_f64_4x4x4_4b_f64", 2, 2, true, {6, 4, 0, 0, 0, 6, 9, 6, 0}},
    {"gfx950", "v_mfma_f64_16x16x4_f64", 8, 2, true, {19, 0, 0, 17, 17, 19, 18, 11, 0}},
};

static char code[16384];
static void put(const char *format, ...) {
    va_list a;
    va_start(a, format);
    const size_t length = strlen(code);
    vsnprintf(code + length, sizeof code - length, format, a);
    va_end(a);
}
static void put_states(unsigned n) {
    for (; n > 8; n -= 8) put("s_nop 7\n");
    if (n) put("s_nop %u\n", n - 1);
}
static void put_range(char bank, unsigned first, unsigned count) {
    if (count == 1)
        put("%c%u", bank, first);
    else
        put("%c[%u:%u]", bank, first, first + count - 1);
}

// D = A * B + C among accumulation registers; A and B are v[40:41] unless `factor` names others.
static void put_matrix(const char *name, unsigned result, unsigned factor, unsigned d, int a, unsigned c) {
    put("%s ", name);
    put_range('a', d, result);
    put(", ");
    if (a >= 0)
        put_range('a', (unsigned)a, factor);
    else
        put_range('v', 40, factor);
    put(", ");
    put_range('v', 40, factor);
    put(", ");
    put_range('a', c, result);
    put("\n");
}

// The name of a short operation of the same processor that adds up halves, floats or doubles.
static const char *short_one(const struct matrix *x, enum use use) {
    const bool old = !strcmp(x->on, "gfx908") || !strcmp(x->on, "gfx90a");
    if (use == TO_C_F64) return old ? "v_mfma_f64_4x4x4f64" : "v_mfma_f64_4x4x4_4b_f64";
    if (use == TO_C_F32) return old ? "v_mfma_f32_4x4x1f32" : "v_mfma_f32_4x4x1_16b_f32";
    return old ? "v_mfma_f32_4x4x4f16" : "v_mfma_f32_4x4x4_16b_f16";
}

static void put_use(const struct matrix *x, enum use use) {
    const bool f64 = use == TO_C_F64;
    switch (use) {
    case TO_AB: put_matrix(short_one(x, use), 4, 2, 36, 0, 32); break;
    case TO_SAME: put_matrix(x->name, x->result, x->factor, 36, -1, 0); break;
    case TO_C:
    case TO_C_F32:
    case TO_C_F64:
        put_matrix(short_one(x, use), f64 ? 2 : 4, use == TO_C_F32 ? 1 : 2, 36, -1,
                   f64 && x->result > 2 ? 2
                   : f64                ? 0
                                        : x->result - 2);
        break;
    case TO_VALU: put("v_accvgpr_read_b32 v31, a1\n"); return;
    case TO_MEMORY:
        put("ds_write_b32 v30, a1\ns_waitcnt lgkmcnt(0)\nds_read_b32 v31, v30\ns_waitcnt lgkmcnt(0)\n");
        return;
    case WRITTEN: put("v_accvgpr_write_b32 a1, v1\n"); break;
    case C_WRITTEN: put("v_accvgpr_write_b32 a17, v44\n"); break;
    default: break;
    }
    put("s_nop 7\ns_nop 7\ns_nop 7\nv_accvgpr_read_b32 v31, a%u\n",
        use == WRITTEN || use == C_WRITTEN ? 1 : 37);
}

static void kernel(const struct matrix *x, enum use use, unsigned states) {
    code[0] = 0;
    put("s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_and_b32 v0, 63, v0\nv_lshlrev_b32 v30, 2, v0\nv_mov_b32 v1, "
        "5\n");
    put("v_mov_b32 v31, 0\nv_mov_b32 v42, 0\nv_mov_b32 v44, 2.0\n");
    put("v_mov_b32 v40, %s\nv_mov_b32 v41, %s\n",
        x->f64           ? "0"
        : x->factor == 1 ? "1.0"
                         : "0x3c003c00",
        x->f64 ? "0x3ff00000" : "0x3c003c00");
    for (unsigned n = 0; n < 48; n++) put("v_accvgpr_write_b32 a%u, v42\n", n);
    put("s_waitcnt lgkmcnt(0)\ns_nop 7\n");
    put_matrix(x->name, x->result, x->factor, 0, -1, use == C_WRITTEN ? 16 : 0);
    put_states(states);
    put_use(x, use);
    put("s_nop 7\ns_nop 7\nglobal_store_dword v30, v31, s[4:5]\ns_endpgm\n");
}

static unsigned wrong_ones;
static void check(const struct matrix *x, enum use use) {
    uint32_t want[LANES], got[LANES];
    const unsigned states = x->states[use], seeds = getenv("SANITIZED") ? SEEDS / 4 : SEEDS;
    kernel(x, use, states);
    stale_run(x->on, code, 0, false, want);
    for (unsigned less = 0; less <= 1; less++) {
        unsigned differs = 0;
        kernel(x, use, states - less);
        for (uint64_t seed = 1; seed <= (less ? SEEDS : seeds) && !(less && differs); seed++) {
            stale_run(x->on, code, seed, true, got);
            differs += memcmp(want, got, sizeof want) != 0;
        }
        if (!differs == !less) continue;
        wrong_ones++;
        print_message("%s on %s, use %d: %s\n", x->name, x->on, (int)use,
                      less ? "nothing is noticed" : "goes wrong");
    }
}

static void matrix_results_need_their_time(void **state) {
    (void)state;
    for (unsigned i = 0; i < sizeof matrices / sizeof *matrices; i++)
        for (unsigned use = 0; use < USES; use++)
            if (matrices[i].states[use]) check(&matrices[i], (enum use)use);
    assert_int_equal(wrong_ones, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_results_need_their_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
