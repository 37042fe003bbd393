// SPDX-License-Identifier: MIT
// Fetch formats, LDS, GDS and RATs of one wave, against references written apart.
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

enum { LANES = 64, WORDS = 256 };

static sw_terascale_wave wave;
static uint32_t memory[WORDS];

// The lane's number in R0.x; memory at address 0.
static sw_status run(const char *chip, const char *text) {
    struct text t = {0};
    text_printf(&t, "main:\n%s%s", text, !strcmp(chip, "cayman") ? "CF_END\n" : "NOP END_OF_PROGRAM\n");
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find(chip, strlen(chip))};
    const sw_terascale_buffer buffer = {memory, sizeof memory, 0, false};
    const sw_terascale_wave_options o = {.size = sizeof o,
                                         .lds = 1024,
                                         .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup),
                                                                        .buffers = &buffer,
                                                                        .buffer_count = 1,
                                                                        .max_steps = 10000,
                                                                        .strict = true}};
    uint8_t *object;
    size_t size;
    *message = 0;
    for (unsigned l = 0; l < LANES; l++) wave.gpr[0][0][l] = l;
    wave.size = sizeof wave;
    wave.valid = ~0ull;
    sw_status status = sw_terascale_assemble(t.data, t.length, &a, &object, &size, &sink);
    if (!status) status = sw_terascale_run_wave(object, size, &o, &wave, &sink);
    sw_free(object);
    text_free(&t);
    return status;
}

// ---- Formats ----

static double half_value(uint32_t h) {
    const int exponent = (int)(h >> 10 & 31), fraction = (int)(h & 1023), sign = h >> 15 ? -1 : 1;
    if (exponent == 31) return fraction ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
}

static void formats_become_registers(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        unsigned bits[4];
        bool real;
    } formats[] = {
        {"8", {8}, false},
        {"8_8", {8, 8}, false},
        {"8_8_8_8", {8, 8, 8, 8}, false},
        {"16", {16}, false},
        {"16_16", {16, 16}, false},
        {"16_16_16_16", {16, 16, 16, 16}, false},
        {"32", {32}, false},
        {"32_32", {32, 32}, false},
        {"32_32_32", {32, 32, 32}, false},
        {"32_32_32_32", {32, 32, 32, 32}, false},
        {"2_10_10_10", {10, 10, 10, 2}, false},
        {"5_6_5", {5, 6, 5}, false},
        {"16_FLOAT", {16}, true},
        {"16_16_FLOAT", {16, 16}, true},
        {"32_FLOAT", {32}, true},
        {"32_32_32_32_FLOAT", {32, 32, 32, 32}, true},
    };
    static const char *const numbers[3] = {"NORM", "INT", "SCALED"};
    static const char *const chips[] = {"rv670", "rv770", "cypress", "cayman"};
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
        for (unsigned n = 0; n < 12; n++) {
            const unsigned number = n % 3;
            const bool sign = n / 3 & 1, no_zero = n / 6;
            char text[300];
            for (unsigned k = 0; k < WORDS; k++) memory[k] = k % 5 ? random32() : k % 2 ? 0 : 0xffffffff;
            snprintf(text, sizeof text,
                     "ALU:\n0 x: LSHL_INT R1.x, R0.x, %s\nTC:\nVFETCH R2, R1.x, b1 FORMAT(%s) NUM_FORMAT(%s) "
                     "OFFSET(4)%s%s\n",
                     "1", formats[i].name, numbers[number], sign ? " FORMAT_COMP" : "",
                     no_zero ? " SRF_MODE" : "");
            const char *chip = chips[(i + n) % 4];
            if (!strcmp(chip, "rv670")) // shifts are slot t's there
                memcpy(strstr(text, "0 x:"), "0 t:", 4);
            if (run(chip, text)) fail_msg("%s: %s\n%s", chip, message, text);
            for (unsigned l = 0; l < 32; l++) {
                const uint8_t *p = (const uint8_t *)memory + 2 * l + 4;
                unsigned at = 0;
                for (unsigned c = 0; c < 4; c++) {
                    const unsigned bits = formats[i].bits[c];
                    uint64_t v = 0;
                    for (unsigned b = 0; b < bits; b++)
                        v |= (uint64_t)(p[(at + b) / 8] >> (at + b) % 8 & 1) << b;
                    at += bits;
                    const int64_t s =
                        sign && bits && v >> (bits - 1) & 1 ? (int64_t)v - (1ll << bits) : (int64_t)v;
                    double e;
                    if (!bits)
                        e = c == 3; // missing: 0, 0, 0, 1
                    else if (formats[i].real)
                        e = bits == 16 ? half_value((uint32_t)v) : (double)real((uint32_t)v);
                    else if (number == 0 && !sign)
                        e = (double)v / (pow(2, bits) - 1);
                    else if (number == 0)
                        e = no_zero ? (2.0 * (double)s + 1) / (pow(2, bits) - 1)
                                    : fmax(-1, (double)s / (pow(2, bits - 1) - 1));
                    else
                        e = (double)s;
                    const uint32_t got = wave.gpr[2][c][l];
                    const bool integer = number == 1 && !formats[i].real;
                    const bool same = integer ? got == (uint32_t)(int64_t)e
                                              : real(got) == (float)e || (isnan(real(got)) && isnan(e));
                    if (!same)
                        fail_msg("%s %s%s, component %u of 0x%llx: 0x%x, expected %g", formats[i].name,
                                 numbers[number], sign ? " signed" : "", c, (unsigned long long)v, got, e);
                }
            }
        }
}

static void fetches_choose_components(void **unused) {
    (void)unused;
    for (unsigned k = 0; k < WORDS; k++) memory[k] = 0x04030201;
    for (unsigned c = 0; c < 4; c++) wave.gpr[2][c][5] = 77;
    assert_int_equal(
        run("cypress", "TC:\nVFETCH R2.w01_, R0.y, b1 FORMAT(8_8_8_8) NUM_FORMAT(INT) ENDIAN_SWAP(8IN32)\n"),
        SW_OK);
    assert_int_equal(wave.gpr[2][0][5], 1); // of the swapped word the last
    assert_int_equal(wave.gpr[2][1][5], 0);
    assert_int_equal(wave.gpr[2][2][5], 1);
    assert_int_equal(wave.gpr[2][3][5], 77);
}

// ---- Atomics ----

typedef uint32_t operation(uint32_t old, uint32_t a, uint32_t b);
#define OPERATION(name, e)                                                                                   \
    static uint32_t name(uint32_t v, uint32_t a, uint32_t b) {                                               \
        (void)v, (void)a, (void)b;                                                                           \
        return (uint32_t)(e);                                                                                \
    }
OPERATION(o_add, v + a)
OPERATION(o_sub, v - a)
OPERATION(o_rsub, a - v)
OPERATION(o_inc, v >= a ? 0 : v + 1)
OPERATION(o_dec, v == 0 || v > a ? a : v - 1)
OPERATION(o_min, (int32_t)v > (int32_t)a ? a : v)
OPERATION(o_max, (int32_t)v < (int32_t)a ? a : v)
OPERATION(o_minu, v > a ? a : v)
OPERATION(o_maxu, v < a ? a : v)
OPERATION(o_and, v &a)
OPERATION(o_or, v | a)
OPERATION(o_xor, v ^ a)
OPERATION(o_mskor, (v & ~a) | b)
OPERATION(o_write, a)
OPERATION(o_cmp, v == a ? b : v)

static const struct {
    const char *lds, *lds_return, *rat;
    operation *of;
    bool two;
} atomics[] = {
    {"ADD", "ADD_RET", "ADD", o_add},
    {"SUB", "SUB_RET", "SUB", o_sub},
    {"RSUB", "RSUB_RET", "RSUB", o_rsub},
    {"INC", "INC_RET", "INC_UINT", o_inc},
    {"DEC", "DEC_RET", "DEC_UINT", o_dec},
    {"MIN_INT", "MIN_INT_RET", "MIN_INT", o_min},
    {"MAX_INT", "MAX_INT_RET", "MAX_INT", o_max},
    {"MIN_UINT", "MIN_UINT_RET", "MIN_UINT", o_minu},
    {"MAX_UINT", "MAX_UINT_RET", "MAX_UINT", o_maxu},
    {"AND", "AND_RET", "AND", o_and},
    {"OR", "OR_RET", "OR", o_or},
    {"XOR", "XOR_RET", "XOR", o_xor},
    {"MSKOR", "MSKOR_RET", NULL, o_mskor, true},
    {"WRITE", "XCHG_RET", NULL, o_write},
    {"CMP_STORE", "CMP_XCHG_RET", NULL, o_cmp, true},
};

// Lanes go in order; all of eight share a word. R2.x is the byte address, R3 the operands.
static void lds_and_gds_agree(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < sizeof atomics / sizeof *atomics; i++)
        for (unsigned form = 0; form < 4; form++) {
            const bool returns = form & 1, gds = form >> 1;
            const char *name = returns ? atomics[i].lds_return : atomics[i].lds,
                       *chip = i & 1 ? "cayman" : "cypress";
            char text[700];
            uint32_t words[8];
            for (unsigned k = 0; k < 8; k++) words[k] = random32() % 50;
            for (unsigned l = 0; l < LANES; l++) {
                wave.gpr[2][0][l] = l % 8 * 4;
                wave.gpr[2][1][l] = wave.gpr[3][0][l] = random32() % 50;
                wave.gpr[2][2][l] = wave.gpr[3][1][l] = random32() % 50;
                wave.gpr[4][0][l] = words[l % 8];
            }
            if (gds)
                snprintf(text, sizeof text,
                         "GDS:\nGDS_WRITE R9.____, R5.xyz\nGDS:\nGDS_%s R6%s, R2.xyz\nGDS:\nGDS_READ_RET "
                         "R7.x___, R2.xyz\n",
                         name, returns ? ".x___" : ".____");
            else
                snprintf(text, sizeof text,
                         "ALU:\n0 x: LDS_WRITE R2.x, R4.x\n1 x: LDS_%s R2.x, R3.x%s\n%s3 x: LDS_READ_RET "
                         "R2.x\n4 x: MOV R7.x, LDS_OQ_A_POP\n",
                         name, atomics[i].two ? ", R3.y" : "",
                         returns ? "2 x: MOV R6.x, LDS_OQ_A_POP\n" : "");
            for (unsigned l = 0; l < LANES; l++) {
                wave.gpr[5][0][l] = wave.gpr[2][0][l];
                wave.gpr[5][1][l] = words[l % 8];
            }
            if (run(chip, text)) fail_msg("%s: %s\n%s", chip, message, text);
            for (unsigned l = 0; l < LANES; l++) {
                const uint32_t old = words[l % 8];
                words[l % 8] = atomics[i].of(old, wave.gpr[3][0][l], wave.gpr[3][1][l]);
                if (returns && wave.gpr[6][0][l] != old)
                    fail_msg("%s, lane %u returned %u, expected %u", name, l, wave.gpr[6][0][l], old);
            }
            for (unsigned l = 0; l < LANES; l++)
                if (wave.gpr[7][0][l] != words[l % 8])
                    fail_msg("%s%s, word %u: %u, expected %u", gds ? "GDS_" : "LDS_", name, l % 8,
                             wave.gpr[7][0][l], words[l % 8]);
        }
}

static void lds_has_bytes_pairs_and_two_queues(void **unused) {
    (void)unused;
    for (unsigned l = 0; l < LANES; l++) {
        wave.gpr[2][0][l] = l * 8;
        wave.gpr[3][0][l] = random32();
        wave.gpr[3][1][l] = random32();
        wave.gpr[2][1][l] = l * 8 + 4;
        wave.gpr[2][2][l] = l * 8 + 1;
        wave.gpr[2][3][l] = l * 8 + 6;
    }
    assert_int_equal(
        run("cypress",
            "ALU:\n0 x: LDS_WRITE_REL R2.x, R3.x, R3.y IDX_OFFSET(1)\n1 x: LDS_READ_REL_RET R2.x "
            "IDX_OFFSET(1)\n"
            "2 x: MOV R4.x, LDS_OQ_A_POP\n y: MOV R4.y, LDS_OQ_B_POP\n3 x: LDS_READ2_RET R2.y, R2.x\n"
            "4 z: MOV R4.z, LDS_OQ_A_POP\n w: MOV R4.w, LDS_OQ_B_POP\n5 x: LDS_UBYTE_READ_RET R2.z\n"
            "6 x: MOV R5.x, LDS_OQ_A\n7 y: MOV R5.y, LDS_OQ_A_POP\n8 x: LDS_SHORT_READ_RET R2.w\n"
            "9 z: MOV R5.z, LDS_OQ_A_POP\n10 x: LDS_BYTE_WRITE R2.z, (0x1aa)\n11 x: LDS_BYTE_READ_RET R2.z\n"
            "12 w: MOV R5.w, LDS_OQ_A_POP\n13 x: LDS_SHORT_WRITE R2.w, (0x1beef)\n14 x: LDS_USHORT_READ_RET "
            "R2.w\n"
            "15 x: MOV R6.x, LDS_OQ_A_POP\n16 x: LDS_READ_RET (0x7000)\n17 y: MOV R6.y, LDS_OQ_A_POP\n"),
        SW_OK);
    for (unsigned l = 0; l < LANES; l++) {
        const uint32_t a = wave.gpr[3][0][l], b = wave.gpr[3][1][l];
        assert_int_equal(wave.gpr[4][0][l], a);
        assert_int_equal(wave.gpr[4][1][l], b);
        assert_int_equal(wave.gpr[4][2][l], b);
        assert_int_equal(wave.gpr[4][3][l], a);
        assert_int_equal(wave.gpr[5][0][l], a >> 8 & 255);
        assert_int_equal(wave.gpr[5][1][l], a >> 8 & 255);
        assert_int_equal(wave.gpr[5][2][l], (uint32_t)(int16_t)(b >> 16));
        assert_int_equal(wave.gpr[5][3][l], 0xffffffaa);
        assert_int_equal(wave.gpr[6][0][l], 0xbeef);
        assert_int_equal(wave.gpr[6][1][l], 0); // outside
    }
}

// The index counts dwords.
static void rats_agree(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < sizeof atomics / sizeof *atomics; i++) {
        uint32_t words[8];
        char text[200];
        if (!atomics[i].rat) continue;
        for (unsigned k = 0; k < 8; k++) words[k] = memory[16 + k] = random32() % 50;
        for (unsigned l = 0; l < LANES; l++)
            wave.gpr[2][0][l] = 16 + l % 8, wave.gpr[3][0][l] = random32() % 50;
        snprintf(text, sizeof text, "MEM_RAT: %s%s, RAT(0)[R2], R3\n", atomics[i].rat, i & 1 ? "_RTN" : "");
        if (run(i & 2 ? "cayman" : "cypress", text)) fail_msg("%s\n%s", message, text);
        for (unsigned l = 0; l < LANES; l++) words[l % 8] = atomics[i].of(words[l % 8], wave.gpr[3][0][l], 0);
        for (unsigned k = 0; k < 8; k++)
            if (memory[16 + k] != words[k])
                fail_msg("%s: %u, expected %u", atomics[i].rat, memory[16 + k], words[k]);
    }
    // Compare with W on Evergreen, with Z on Cayman.
    for (unsigned cayman = 0; cayman < 2; cayman++) {
        memory[20] = 5;
        for (unsigned l = 0; l < LANES; l++) {
            wave.gpr[2][0][l] = 20;
            wave.gpr[3][0][l] = 100 + l;
            wave.gpr[3][2][l] = wave.gpr[3][3][l] = 0xffff;
            wave.gpr[3][cayman ? 2 : 3][l] = l == 9 ? 5 : 6;
        }
        assert_int_equal(run(cayman ? "cayman" : "cypress", "MEM_RAT: CMPXCHG_INT, RAT(0)[R2], R3\n"), SW_OK);
        assert_int_equal(memory[20], 109);
    }
    // A masked byte: the value in X, the mask in W; and two components of a store.
    memory[30] = 0x11223344;
    for (unsigned l = 0; l < LANES; l++) {
        wave.gpr[2][0][l] = 30, wave.gpr[3][0][l] = 0xab00, wave.gpr[3][3][l] = 0xff00;
        wave.gpr[4][0][l] = 40 + 3 * l, wave.gpr[5][0][l] = l, wave.gpr[5][2][l] = l * l;
    }
    for (unsigned k = 0; k < 200; k++) memory[40 + k] = 1;
    assert_int_equal(
        run("cypress", "MEM_RAT: MSKOR, RAT(0)[R2], R3\nMEM_RAT_CACHELESS: STORE_RAW, RAT(0)[R4], R5.x_z_\n"),
        SW_OK);
    assert_int_equal(memory[30], 0x1122ab44);
    for (unsigned l = 0; l < LANES; l++) {
        assert_int_equal(memory[40 + 3 * l], l);
        assert_int_equal(memory[41 + 3 * l], 1);
        assert_int_equal(memory[42 + 3 * l], l * l);
    }
}

// Each lane has scratch memory of its own: elements of four dwords, from ARRAY_BASE on, with an index of its
// own.
static void scratch_is_each_lanes_own(void **unused) {
    (void)unused;
    const char *write = "MEM_SCRATCH: [2+R2], R3 TYPE(1) ELEM_SIZE(3) ARRAY_SIZE(5) BURST_COUNT(1)\n";
    static const char *const chips[] = {"rv670", "rv770", "cypress", "cayman"};
    for (unsigned i = 0; i < 4; i++) {
        char text[500];
        for (unsigned l = 0; l < LANES; l++) {
            wave.gpr[2][0][l] = l % 7;
            for (unsigned c = 0; c < 4; c++) {
                wave.gpr[3][c][l] = random32(), wave.gpr[4][c][l] = random32();
                wave.gpr[7][c][l] = wave.gpr[8][c][l] = 7;
            }
        }
        snprintf(text, sizeof text, "%s%s", write,
                 i ? "TC:\nREAD_SCRATCH R7.wz_x, [3+R2.x] INDEXED ELEM_SIZE(3)\nREAD_SCRATCH R8, [4+R0.x] "
                     "ELEM_SIZE(3)\n"
                   : "MEM_SCRATCH: [3+R2], R7.xy_w TYPE(3) ELEM_SIZE(3) ARRAY_SIZE(63)\n"
                     "MEM_SCRATCH: [4], R8 TYPE(2) ELEM_SIZE(3) ARRAY_SIZE(63)\n");
        if (run(chips[i], text)) fail_msg("%s: %s\n%s", chips[i], message, text);
        for (unsigned l = 0; l < LANES; l++) {
            // Elements 2 + n and 3 + n are written, those past 2 + 5 not.
            const unsigned n = l % 7;
            uint32_t second[4], fourth[4];
            for (unsigned c = 0; c < 4; c++) {
                second[c] = n < 5 ? wave.gpr[4][c][l] : 0;
                fourth[c] = n == 2 ? wave.gpr[3][c][l] : n == 1 ? wave.gpr[4][c][l] : 0;
                assert_int_equal(wave.gpr[8][c][l], fourth[c]);
            }
            assert_int_equal(wave.gpr[7][0][l], second[i ? 3 : 0]);
            assert_int_equal(wave.gpr[7][1][l], second[i ? 2 : 1]);
            assert_int_equal(wave.gpr[7][2][l], 7); // masked
            assert_int_equal(wave.gpr[7][3][l], second[i ? 0 : 3]);
        }
    }
    assert_int_equal(run("cypress", "MEM_SCRATCH: [8000], R3 ELEM_SIZE(3) ARRAY_SIZE(4)\n"), SW_FAULTED);
    assert_non_null(strstr(message, "scratch memory is accessed at dword 32000"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_become_registers),
        cmocka_unit_test(fetches_choose_components),
        cmocka_unit_test(lds_and_gds_agree),
        cmocka_unit_test(lds_has_bytes_pairs_and_two_queues),
        cmocka_unit_test(rats_agree),
        cmocka_unit_test(scratch_is_each_lanes_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
