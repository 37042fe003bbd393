// SPDX-License-Identifier: MIT
// The program state of seed 002, tables 2.5 and 2.6 (R7-01 to R7-18), item by item: a program reads and
// writes what the access column says, and there are as many as it says. Most of it on R700; what later
// families have of it, on these.
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

enum { LANES = 64 };

static uint64_t state = 1;
static uint32_t random32(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

static char message[300], warning[300];
static void take_message(void *context, const sw_diagnostic *d) {
    (void)context;
    char *to = d->severity == SW_SEVERITY_ERROR ? message : warning;
    snprintf(to, sizeof message, "%u: %s", d->at.line, d->message);
}
static const sw_sink sink = {take_message, NULL};

static sw_terascale_wave wave;
static uint32_t loops[32], file[256][4], booleans;

static sw_status run(const char *chip, const char *text) {
    struct text t = {0};
    text_printf(&t, "main:\n%s%s", text, !strcmp(chip, "cayman") ? "CF_END\n" : "NOP END_OF_PROGRAM\n");
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find(chip, strlen(chip))};
    const sw_terascale_wave_options o = {.size = sizeof o,
                                         .file = &file[0][0],
                                         .lds = 16384,
                                         .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup),
                                                                        .loops = loops,
                                                                        .loop_count = 32,
                                                                        .booleans = booleans,
                                                                        .max_steps = 20000,
                                                                        .strict = true}};
    uint8_t *object;
    size_t size;
    *message = *warning = 0;
    wave.size = sizeof wave;
    wave.valid = ~0ull;
    for (unsigned l = 0; l < LANES; l++) wave.gpr[0][0][l] = l;
    if (sw_terascale_assemble(t.data, t.length, &a, &object, &size, &sink))
        fail_msg("%s: %s\n%s", chip, message, t.data);
    const sw_status status = sw_terascale_run_wave(object, size, &o, &wave, &sink);
    sw_free(object);
    text_free(&t);
    return status;
}

static void expect(const char *chip, const char *text) {
    if (run(chip, text)) fail_msg("%s: %s\n%s", chip, message, text);
}

static const char *const chips[] = {"rv670", "rv770", "cypress", "cayman"};

// R7-03: 32 integer constants with a count of 12 bits, a first index and a step; a program reads them by
// LOOP_START only. R7-04: aL, which a program reads, is what it was behind the loop.
static void integer_constants_and_the_loop_index(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < 32; i++)
        loops[i] = (1 + i % 5) | (i * 3 + 1) << 12 | (uint32_t)(i % 7 - 3) << 24;
    for (unsigned i = 0; i < 32; i++) {
        const char *chip = chips[i % 4];
        char text[700];
        // Registers 32 + aL, which are their numbers, are summed up; a loop within has an aL of its own.
        for (unsigned g = 0; g < 128; g++)
            for (unsigned l = 0; l < LANES; l++) wave.gpr[g][1][l] = g;
        snprintf(text, sizeof text,
                 "ALU:\n0 x: MOV R2.x, 0\n y: MOV R2.y, 0\nLOOP_START CF_CONST(%u) ADDR(.L9)\n.L0:\n"
                 "ALU:\n0 x: ADD_INT R2.x, R2.x, R[AL+20].y\n"
                 "LOOP_START CF_CONST(0) ADDR(.L8)\n.L1:\nALU:\n0 y: ADD_INT R2.y, R2.y, R[AL+20].y\n"
                 "LOOP_END ADDR(.L1)\n.L8:\n"
                 "LOOP_START_NO_AL CF_CONST(1) ADDR(.L7)\n.L2:\nALU:\n0 z: MOV R2.z, R[AL+20].y\nLOOP_END "
                 "ADDR(.L2)\n.L7:\n"
                 "LOOP_END ADDR(.L0)\n.L9:\n",
                 i);
        expect(chip, text);
        const int count = 1 + (int)i % 5, first = (int)i * 3 + 1, step = (int8_t)(i % 7 - 3);
        uint32_t sum = 0;
        int last = 0;
        for (int k = 0; k < count; k++) {
            const int gpr = 20 + first + k * step;
            last = gpr;
            sum += gpr == 2 ? 0 : (uint32_t)gpr;
        }
        if (last != 2 && first + 20 + count * 4 < 128)
            for (unsigned l = 0; l < ts_chip_find(chip, strlen(chip))->wave; l++) {
                assert_int_equal(wave.gpr[2][0][l], sum);
                assert_int_equal(wave.gpr[2][1][l], (uint32_t)count * 21);
                assert_int_equal(wave.gpr[2][2][l], last); // aL of the loop around
            }
    }
}

// R7-05: programs cannot reach the stack; one that declares too little of it is told.
static void the_stack_is_counted(void **unused) {
    (void)unused;
    struct text t = {0};
    text_puts(&t, ".set SQ_PGM_RESOURCES_VS NUM_GPRS(4) STACK_SIZE(1)\n");
    for (unsigned i = 0; i < 5; i++) text_printf(&t, "PUSH ADDR(.L%u)\n.L%u:\n", i, i);
    text_puts(&t, "POP POP_CNT(5)\n");
    expect("rv770", t.data);
    assert_non_null(strstr(warning, "the program declares 1 stack entries and needs 2, at word 4"));
    text_free(&t);
    expect("rv770", "PUSH ADDR(.L0)\n.L0:\nPOP POP_CNT(1)\n"); // counted by the assembler
    assert_string_equal(warning, "");
}

// R7-06: all 128 numbers with four channels, read and written; R7-07: what they hold is what an operation
// takes it for.
static void registers_hold_what_is_written(void **unused) {
    (void)unused;
    for (unsigned c = 0; c < 4; c++) {
        struct text t = {0};
        text_puts(&t, ".set SQ_PGM_RESOURCES_VS NUM_GPRS(128)\nALU:\n");
        for (unsigned g = 1; g < 128; g++)
            text_printf(&t, "%u %c: NOT_INT R%u.%c, R%u.%c\n", g, "xyzw"[c], g, "xyzw"[c], g, "xyzw"[c]);
        static uint32_t before[128][4][LANES];
        for (unsigned g = 0; g < 128; g++)
            for (unsigned k = 0; k < 4; k++)
                for (unsigned l = 0; l < LANES; l++) before[g][k][l] = wave.gpr[g][k][l] = random32();
        expect("rv770", t.data);
        for (unsigned g = 1; g < 128; g++)
            for (unsigned k = 0; k < 4; k++)
                for (unsigned l = 0; l < LANES; l++)
                    assert_int_equal(wave.gpr[g][k][l], k == c ? ~before[g][k][l] : before[g][k][l]);
        text_free(&t);
    }
    const float f = -2.5f;
    for (unsigned l = 0; l < LANES; l++) memcpy(&wave.gpr[1][0][l], &f, 4);
    expect("rv770",
           "ALU:\n0 x: ADD R2.x, R1.x, R1.x\n y: SETGT_INT R2.y, 0, R1.x\n z: SETGT_UINT R2.z, 0, R1.x\n");
    assert_int_equal(wave.gpr[2][0][7], 0xc0a00000);
    assert_int_equal(wave.gpr[2][1][7], 0xffffffff);
    assert_int_equal(wave.gpr[2][2][7], 0);
}

// R7-10: four elements on R600 and R700, each of nine bits, written by MOVA* and read as indexes; one from
// Evergreen on.
static void the_address_register_has_four_elements(void **unused) {
    (void)unused;
    for (unsigned g = 0; g < 128; g++)
        for (unsigned l = 0; l < LANES; l++) wave.gpr[g][1][l] = g;
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned c = 0; c < 4; c++) wave.gpr[1][c][l] = c * 10 + l % 7;
    expect("rv770", "ALU:\n0 x: MOVA_INT ____, R1.x\n y: MOVA_INT ____, R1.y\n z: MOVA_INT ____, R1.z\n w: "
                    "MOVA_INT ____, R1.w\n"
                    "1 x: MOV R2.x, R[AR.x+20].y\n2 y: MOV R2.y, R[AR.y+20].y\n3 z: MOV R2.z, "
                    "R[AR.z+20].y\n4 w: MOV R2.w, R[AR.w+20].y\n");
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned c = 0; c < 4; c++) assert_int_equal(wave.gpr[2][c][l], 20 + c * 10 + l % 7);
}

// R7-11: the constant file: 256 vectors a stage, which a program reads, also by an index.
static void the_constant_file_is_read(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < 256; i++)
        for (unsigned c = 0; c < 4; c++) file[i][c] = 4 * i + c + 100;
    for (unsigned chip = 0; chip < 2; chip++)
        for (unsigned i = 0; i < 256; i += 16) {
            struct text t = {0};
            text_puts(&t, "ALU:\n");
            for (unsigned k = 0; k < 16; k++)
                text_printf(&t, "%u %c: MOV R%u.%c, C%u.%c\n", k, "xyzw"[k & 3], 2 + k, "xyzw"[k & 3], i + k,
                            "xyzw"[k & 3]);
            text_puts(&t, chip ? "20 x: MOVA_INT ____, R0.x\n" : "20 x: MOVA_INT ____, R0.x\n");
            text_puts(&t, "21 x: MOV R30.x, C[AR.x+200].z\n");
            expect(chips[chip], t.data);
            for (unsigned k = 0; k < 16; k++) assert_int_equal(wave.gpr[2 + k][k & 3][5], file[i + k][k & 3]);
            for (unsigned l = 0; l < LANES; l++)
                assert_int_equal(wave.gpr[30][0][l], 200 + l < 256 ? file[200 + l][2] : 0); // outside: 0
            text_free(&t);
        }
}

// R7-14: 16 KB are read; a thread writes 16 to 256 bytes, with strides of 4 to 64 dwords.
static void lds_is_written_in_parts(void **unused) {
    (void)unused;
    for (unsigned stride = 4; stride <= 64; stride += 4) {
        char text[300];
        for (unsigned l = 0; l < LANES; l++) {
            for (unsigned c = 0; c < 4; c++) wave.gpr[2][c][l] = random32();
            wave.gpr[4][0][l] = l % 4, wave.gpr[4][1][l] = (LANES - 1 - l) / 4 * stride + stride - 4;
        }
        snprintf(text, sizeof text,
                 "TC:\nDS_LOCAL_WRITE R2.xyzw DST_STRIDE(%u) DST_INDEX(%u)\nTC:\n"
                 "DS_LOCAL_READ R5, R4 SRC_SEL_Y(1) DST_WRX DST_WRY DST_WRZ DST_WRW\n",
                 stride, stride - 4);
        expect("rv770", text);
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned c = 0; c < 4; c++)
                assert_int_equal(wave.gpr[5][c][l], wave.gpr[2][c][(LANES - 1 - l) / 4 * 4 + l % 4]);
    }
}

// R7-15: a predicate of one bit a lane, set by a comparison, that masks writes and is a condition of control
// flow; R7-18: the active mask follows the last PRED_SET* of a clause, when that ends.
static void predicates_and_the_active_mask(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < 4; i++) {
        expect(chips[i],
               "ALU_PUSH_BEFORE:\n0 x: PRED_SETGT_INT ____, R0.x, (40) UPDATE_EXEC_MASK UPDATE_PRED\n"
               "1 x: MOV R2.x, 1\n2 y: MOV R2.y, 1 PRED_SEL_ONE\n3 y: MOV R2.y, 0 PRED_SEL_ZERO\n"
               "4 x: PRED_SETGT_INT ____, R0.x, (20) UPDATE_EXEC_MASK UPDATE_PRED\n5 z: MOV R2.z, 1\n"
               "ALU_POP_AFTER:\n0 w: MOV R2.w, 1\n");
        for (unsigned l = 0; l < ts_chip_find(chips[i], strlen(chips[i]))->wave; l++) {
            assert_int_equal(wave.gpr[2][0][l], 1); // all lanes, until the clause ends
            assert_int_equal(wave.gpr[2][1][l], l > 40);
            assert_int_equal(wave.gpr[2][2][l], 1);
            assert_int_equal(wave.gpr[2][3][l] == 1, l > 20); // the last one counts
        }
        for (unsigned l = 0; l < LANES; l++) wave.gpr[2][3][l] = 0;
    }
}

// R7-16: a lane is active, or out because of a branch, a continue or a break, each of which ends elsewhere.
// R7-17: KILL clears a lane's valid bit for good.
static void lanes_have_four_states(void **unused) {
    (void)unused;
    loops[0] = 3;
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned c = 0; c < 4; c++) wave.gpr[2][c][l] = 0;
    expect(
        "rv770",
        "LOOP_START CF_CONST(0) ADDR(.L9)\n.L0:\n"
        "ALU_BREAK:\n0 x: PRED_SETNE_INT ____, R0.x, 1 UPDATE_EXEC_MASK\n"
        "ALU_CONTINUE:\n0 x: PRED_SETNE_INT ____, R0.x, (2) UPDATE_EXEC_MASK\n"
        "ALU_PUSH_BEFORE:\n0 x: PRED_SETNE_INT ____, R0.x, (3) UPDATE_EXEC_MASK\n"
        "ALU_POP_AFTER:\n0 x: ADD_INT R2.x, R2.x, 1\n"
        "ALU:\n0 y: ADD_INT R2.y, R2.y, 1\n.L8:\nLOOP_END ADDR(.L0)\n.L9:\nALU:\n0 z: ADD_INT R2.z, R2.z, 1\n"
        "1 x: KILLE_INT ____, R0.x, (4)\n");
    for (unsigned l = 0; l < LANES; l++) {
        assert_int_equal(wave.gpr[2][0][l], l == 1 || l == 2 || l == 3 ? 0 : 3);
        assert_int_equal(wave.gpr[2][1][l], l == 1 || l == 2 ? 0 : 3); // the branch has ended
        assert_int_equal(wave.gpr[2][2][l], 1);                        // all have
    }
    assert_true(wave.valid == ~(1ull << 4));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_constants_and_the_loop_index),
        cmocka_unit_test(the_stack_is_counted),
        cmocka_unit_test(registers_hold_what_is_written),
        cmocka_unit_test(the_address_register_has_four_elements),
        cmocka_unit_test(the_constant_file_is_read),
        cmocka_unit_test(lds_is_written_in_parts),
        cmocka_unit_test(predicates_and_the_active_mask),
        cmocka_unit_test(lanes_have_four_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
