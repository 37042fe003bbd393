// SPDX-License-Identifier: MIT
// Programs of the R600 family as text and back: every row, random words, the rules that the assembler checks.
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

static const char *const chips[TS_FAMILIES] = {"rv670", "rv770", "cypress", "cayman"};
static const char *const all_chips[] = {"r600",  "r630",   "rs880",   "rv670",   "rv710",   "rv730",
                                        "rv770", "cedar",  "cypress", "juniper", "redwood", "sumo",
                                        "barts", "caicos", "turks",   "cayman"};

static const sw_processor *processor(const char *name) { return sw_processor_find(name, strlen(name)); }

static uint64_t state = 1;
static uint32_t random32(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

// ---- Text, messages ----

static bool take_text(void *context, const char *text, size_t length) {
    text_add(context, text, length);
    return true;
}

static char message[256];
static void take_message(void *context, const sw_diagnostic *d) {
    (void)context;
    if (!*message) snprintf(message, sizeof message, "%u: %s", d->at.line, d->message);
}
static const sw_sink sink = {take_message, NULL};

static char *list(const char *chip, const uint32_t *code, size_t words) {
    struct text t = {0};
    const sw_terascale_output out = {take_text, &t};
    const sw_terascale_dis_options o = {.size = sizeof o, .processor = processor(chip)};
    assert_int_equal(sw_terascale_list((const uint8_t *)code, 8 * words, &o, &out, &sink), SW_OK);
    return t.data;
}

static sw_status assemble(const char *chip, const char *text, uint8_t **code, size_t *size) {
    const sw_terascale_as_options o = {.size = sizeof o, .processor = processor(chip), .raw = true};
    *message = 0;
    return sw_terascale_assemble(text, strlen(text), &o, code, size, &sink);
}

static void expect_inverse(const char *chip, const uint32_t *code, size_t words) {
    char *text = list(chip, code, words);
    uint8_t *back = NULL;
    size_t size;
    if (assemble(chip, text, &back, &size) || size != 8 * words || memcmp(back, code, size)) {
        for (size_t i = 0; back && i < words && 8 * i + 8 <= size; i++)
            if (memcmp(back + 8 * i, code + 2 * i, 8))
                print_message("word %zu: %08x %08x became %08x %08x\n", i, code[2 * i], code[2 * i + 1],
                              ((uint32_t *)back)[2 * i], ((uint32_t *)back)[2 * i + 1]);
        fail_msg("%s: %s\n%s", chip, message, text);
    }
    sw_free(back);
    free(text);
}

// ---- Rows ----

static void rows_have_their_numbers(void **unused) {
    (void)unused;
    unsigned count = 0;
    for (unsigned f = 0; f < TS_FAMILIES; f++)
        for (unsigned r = 0; r < TS_ROWS; r++) {
            const struct ts_row *row = &ts_rows[r];
            struct ts_insn in, back;
            assert_int_equal(ts_begin(f, row, &in), row->op[f] != 0);
            if (!row->op[f]) continue;
            count++;
            if (row->space == TS_RAT_SPACE) continue; // read below a MEM_RAT word
            if (row->space <= TS_CFA_SPACE)
                ts_decode_cf(f, in.w, &back);
            else if (row->space <= TS_LDS_SPACE)
                ts_decode_alu(f, in.w, &back);
            else
                ts_decode_fetch(f, in.w, &back);
            assert_ptr_equal(back.row, row);
            assert_ptr_equal(back.format, in.format);
        }
    assert_int_equal(count, 1311); // all instructions of the four families but the two names of LDS_IDX_OP
}

// Every field of every format holds what is written there, and nothing else changes.
static void fields_hold_their_bits(void **unused) {
    (void)unused;
    for (unsigned f = 0; f < TS_FAMILIES; f++)
        for (unsigned k = 0; k < TS_FORMATS; k++) {
            const struct ts_format *format = ts_isas[f].formats[k];
            uint32_t all[4] = {0};
            if (!format) continue;
            for (unsigned i = 0; i < TS_FIELDS; i++) {
                if (!format->width[i]) continue;
                struct ts_insn in = {.family = f, .format = format};
                ts_set(&in, i, 0xffffffffu);
                assert_int_equal(ts_get(&in, i), 0xffffffffu >> (32 - format->width[i]));
                for (unsigned d = 0; d < 4; d++) {
                    assert_int_equal(all[d] & in.w[d], 0);
                    all[d] |= in.w[d];
                }
            }
            for (unsigned d = 0; d < format->words; d++)
                assert_int_equal(all[d] ^ format->reserved[d], 0xffffffffu);
        }
}

// ---- Words ----

// Random words: control flow whose ALU and fetch clauses hold random slots and fetches, then anything.
static void fill(uint32_t *code, unsigned words, unsigned family) {
    for (unsigned i = 0; i < 2 * words; i++) code[i] = random32();
    struct ts_insn in;
    for (unsigned i = 0; i < 6; i++) {
        if (i != 1 && i != 3) {
            code[2 * i] &= 0xffffffe0u; // near
            continue;
        }
        ts_begin(family, &ts_rows[i == 1 ? TS_CFA_ALU : TS_CF_TEX], &in);
        ts_set(&in, TS_ADDR, i == 1 ? 8 : 24);
        ts_set(&in, TS_COUNT, i == 1 ? 15 : 3);
        memcpy(code + 2 * i, in.w, 8);
    }
    if (random32() & 1) // operations that exist
        for (unsigned i = 8; i < 24; i++) {
            unsigned r;
            do r = TS_OP2_ADD + random32() % (TS_OP3_MUL_LIT - TS_OP2_ADD);
            while (!ts_begin(family, &ts_rows[r], &in));
            ts_set(&in, TS_SRC0_SEL, random32() % 512);
            ts_set(&in, TS_SRC1_SEL, random32() % 512);
            ts_set(&in, TS_DST_GPR, random32());
            ts_set(&in, TS_DST_CHAN, random32());
            ts_set(&in, TS_WRITE_MASK, random32());
            ts_set(&in, TS_LAST, random32() % 3 == 0);
            memcpy(code + 2 * i, in.w, 8);
        }
}

static void random_words_come_back(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < 8000; i++) {
        const unsigned family = i % TS_FAMILIES, words = 40;
        uint32_t code[80];
        state = i + 1;
        fill(code, words, family);
        expect_inverse(chips[family], code, words);
    }
}

// Each row alone, with all other bits at random, and with all of them set.
static void each_row_comes_back(void **unused) {
    (void)unused;
    for (unsigned f = 0; f < TS_FAMILIES; f++)
        for (unsigned r = 0; r < TS_ROWS; r++)
            for (unsigned round = 0; round < 6; round++) {
                const struct ts_row *row = &ts_rows[r];
                struct ts_insn in, clause;
                uint32_t code[16] = {0};
                if (!ts_begin(f, row, &in)) continue;
                const struct ts_insn fixed = in;
                for (unsigned i = 0; i < in.format->words; i++) in.w[i] = round ? random32() : 0xffffffffu;
                for (unsigned i = 0; i < in.format->part_count; i++) {
                    const struct ts_part *p = &in.format->parts[i];
                    const bool selects = p->field == TS_CF_INST || p->field == TS_ALU_INST ||
                                         p->field == TS_LDS_OP || p->field == TS_TEX_INST ||
                                         p->field == TS_VC_INST || p->field == TS_MEM_INST ||
                                         p->field == TS_MEM_OP || p->field == TS_INST_MOD ||
                                         (p->field == TS_GDS_OP && row->space == TS_GDS_SPACE);
                    if (selects) ts_set(&in, p->field, ts_get(&fixed, p->field));
                }
                if (row->space <= TS_RAT_SPACE) {
                    if (row->space == TS_RAT_SPACE) {
                        ts_set(&in, TS_CF_INST, ts_rows[TS_EXP_MEM_RAT].op[f] - 1u);
                        ts_set(&in, TS_RAT_INST, row->op[f] - 1u);
                    }
                    memcpy(code, in.w, 8);
                    expect_inverse(chips[f], code, 8);
                    continue;
                }
                const bool alu = row->space <= TS_LDS_SPACE;
                ts_begin(f, &ts_rows[alu ? TS_CFA_ALU : TS_CF_TEX], &clause);
                ts_set(&clause, TS_ADDR, 4);
                ts_set(&clause, TS_COUNT, alu ? 2 : 0);
                memcpy(code, clause.w, 8);
                memcpy(code + 8, in.w, 4 * in.format->words);
                expect_inverse(chips[f], code, 8);
            }
}

// ---- Golden lines ----

// tests/terascale/lines.txt: CHIP, the bytes of a program, its listing with " | " between lines.
static void lines_are_as_ever(void **unused) {
    (void)unused;
    FILE *f = fopen("tests/terascale/lines.txt", "r");
    assert_non_null(f);
    static char line[4096];
    bool seen[TS_FAMILIES][TS_ROWS] = {{false}};
    unsigned count = 0;
    while (fgets(line, sizeof line, f)) {
        char chip[16];
        uint32_t code[64];
        unsigned dwords = 0;
        int at = 0, used;
        if (*line == '#' || sscanf(line, "%15s%n", chip, &at) != 1) continue;
        while (sscanf(line + at, " %8x%n", &code[dwords], &used) == 1 && line[at + 1] != '|')
            at += used, dwords++;
        const char *text = strstr(line, " | ");
        assert_non_null(text);
        char *got = list(chip, code, dwords / 2);
        size_t n = 0;
        char joined[4096] = "";
        for (char *p = strtok(got, "\n"); p; p = strtok(NULL, "\n"))
            if (strcmp(p, "main:"))
                n += (size_t)snprintf(joined + n, sizeof joined - n, " | %s", p + strspn(p, " "));
        line[strcspn(line, "\n")] = 0;
        assert_string_equal(joined, text);
        free(got);
        count++;
        const unsigned family = ts_chip_find(chip, strlen(chip))->family;
        struct ts_insn in;
        ts_decode_cf(family, code, &in);
        if (in.row) seen[family][ts_row_number(in.row)] = true;
        if (in.rat) seen[family][ts_row_number(in.rat)] = true;
        if (dwords < 9) continue;
        if (ts_is(&in, TS_CFA_ALU))
            ts_decode_alu(family, code + 8, &in);
        else
            ts_decode_fetch(family, code + 8, &in);
        if (in.row) seen[family][ts_row_number(in.row)] = true;
    }
    fclose(f);
    assert_true(count > 1300);
    for (unsigned k = 0; k < TS_FAMILIES; k++)
        for (unsigned r = 0; r < TS_ROWS; r++)
            if (ts_rows[r].op[k] && !seen[k][r]) fail_msg("no line has %s of %s", ts_rows[r].id, chips[k]);
}

// ---- What the assembler refuses ----

static void rules_are_checked(void **unused) {
    (void)unused;
    static const struct {
        const char *chip, *text, *message;
    } cases[] = {
        // Ports: three cycles, one GPR a channel in each.
        {"cypress", "0 x: ADD R0.x, R1.x, R2.x\n y: ADD R0.y, R3.x, R4.x\n",
         "3: two GPRs of one channel are read in one cycle"},
        {"cypress", "0 x: ADD R0.x, R1.x, R2.x VEC_012\n y: ADD R0.y, R3.x, R1.x VEC_201\n", NULL},
        {"cypress", "0 x: ADD R0.x, R1.x, R2.x VEC_012\n y: ADD R0.y, R3.x, R1.x\n",
         "3: two GPRs of one channel are read in one cycle"},
        // Constants: two pairs from R700 on, four elements on R600.
        {"cypress", "0 x: MULADD R0.x, KC0[0].x, KC0[1].x, KC0[2].x\n", "3: too many constants in a group"},
        {"cypress", "0 x: MULADD R0.x, KC0[0].x, KC0[0].y, KC0[2].x\n", NULL},
        {"rv670", "0 x: MULADD R0.x, KC0[0].x, KC0[1].x, KC0[2].x\n y: ADD R0.y, KC0[3].x, KC0[4].x\n",
         "3: too many constants in a group"},
        {"rv670", "0 x: MULADD R0.x, KC0[0].x, KC0[1].x, KC0[2].x\n y: ADD R0.y, KC0[3].x, KC0[2].x\n", NULL},
        // Slot t: two constants, and no register in the cycles that they take.
        {"cypress", "0 t: MUL_LIT R0.x, 1.0, 0.5, 0\n", "3: slot t reads at most two constants"},
        {"cypress", "0 t: MUL_LIT R0.x, 1.0, 0.5, R1.x SCL_221\n",
         "3: slot t reads a register in a cycle that its constants take"},
        {"cypress", "0 t: MUL_LIT R0.x, R1.x, 0.5, 1.0\n", NULL},
        {"cypress", "0 t: MUL_LIT R0.x, R1.x, R2.y, 1.0 SCL_221\n", NULL},
        {"cypress", "0 x: ADD R0.x, R1.x, R2.x BANK_SWIZZLE(7)\n", "3: a bank swizzle has no such number"},
        {"cypress", "0 t: RCP_e R0.x, R1.x BANK_SWIZZLE(5)\n",
         "3: a bank swizzle of slot t has no such number"},
        {"cypress", "0 t: RCP_e R0.x, R1.x VEC_021\n", "3: slot t takes SCL_ swizzles"},
        // Units.
        {"cypress", "0 x: RCP_e R0.x, R1.x\n", "3: this executes in slot t, not x"},
        {"cypress", "0 x: BFE_UINT R0.x, R1.x, R1.x, R1.x\n x: BFE_UINT R0.x, R1.x, R1.x, R1.x\n",
         "3: two slots of a group want one unit, or their order is not x y z w t"},
        {"cayman", "0 x: ADD R0.x, R1.x, R1.x\n t: ADD R0.x, R1.x, R1.x\n",
         "3: two slots of a group want one unit, or their order is not x y z w t"},
        {"cypress", "0 x: DOT4_e R0.x, R1.x, R2.x\n", "3: this operation takes x, y, z and w together"},
        {"cayman", "0 x: RCP_e R0.x, R1.x\n", "3: this operation takes x, y and z together"},
        {"rv770", "0 x: ASHR_INT R0.x, R1.x, R1.x\n", NULL},
        {"rv670", "0 x: ASHR_INT R0.x, R1.x, R1.x\n", "3: this executes in slot t, not x"},
        // Once a group.
        {"cypress", "0 x: KILLGT ____, R1.x, R1.x\n y: PRED_SETE ____, R1.x, R1.x\n",
         "3: a group has one KILL or PRED_SET"},
        {"cypress", "0 x: MOVA_INT ____, R1.x\n y: MOV R0.y, R[AR.x+1].x\n",
         "3: a group with MOVA has no relative operands"},
        {"cypress", "0 x: MOV R0.x, LDS_OQ_A\n y: MOV R0.y, LDS_OQ_A\n",
         "3: one slot of a group reads a queue of LDS"},
        {"cypress", "0 x: ADD R0.x, LDS_OQ_A_POP, LDS_OQ_A_POP\n", "3: a group pops a queue of LDS once"},
        {"juniper", "0 x: ADD_64 R0.x, R1.x, R1.x\n", "3: this processor has no doubles"},
        {"redwood", "0 x: FMA R0.x, R1.x, R1.x, R1.x\n", "3: this processor has no FMA"},
        {"rv670", "0 t: MOVA_GPR_INT ____, R1.x\n", "3: this processor indexes registers by MOVA_INT"},
        {"r600", "0 t: MOVA_GPR_INT ____, R1.x\n", NULL},
        {"cypress", "0 x: ADD_PREV R0.x, R1.x\n y: MOV R0.y, R1.x\n",
         "3: this operation takes the result of a slot that the group has not"},
        {"cypress", "0 y: ADD_PREV R0.y, R1.x\n w: MOV R0.w, R1.x\n", NULL},
        {"cypress", "0 x: MOV R0.x, R[AR.x+1].x SRC1(R[AL+2].x)\n",
         "3: the relative operands of a slot share one index"},
        // Literals.
        {"cypress", "0 x: MULADD R0.x, (1), (2), (3)\n y: ADD R0.y, (4), (5)\n",
         "3: a group has at most four literals"},
        {"cypress", "0 x: ADD R0.x, (1).x, (2).x\n", "3: two literals of a group want one channel"},
        {"cypress", "0 x: ADD R0.x, LITERAL.x, R1.x\n", "3: a literal has no value"},
        {"cypress", "0 x: ADD R0.x, (1.5), (0x3fc00000)\n", NULL}, // one literal
        // Locks.
        {"cypress", "0 x: MOV R0.x, KC1[0].x\n",
         "2: a constant is read from a line that the clause does not lock"},
        // Text.
        {"cypress", "0 x: FROB R0.x\n", "3: no operation 'FROB'"},
        {"cypress", "0 x: MUL_INT24 R0.x, R1.x, R1.x\n", "3: cypress has no MUL_INT24"},
        {"cypress", "0 x: MOV R128.x, R1.x\n", "3: DST_GPR is 128, and goes up to 127"},
        {"cypress", "0 x: MOV R0.x, C1.x\n", "3: no operand is called so"},
        {"cypress", "0 x: MULADD ____, R1.x, R1.x, R1.x\n",
         "3: an operation with three sources always writes"},
        {"cypress", "0 x: MULADD R0.x, |R1.x|, R1.x, R1.x\n", "3: SRC0_ABS is no field of this instruction"},
        {"cypress", "SAMPLE R0, R1, t0, s0\n", "3: a fetch stands below a fetch clause"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        uint8_t *code;
        size_t size;
        const bool wide = strstr(cases[i].text, "KC0[") != NULL;
        snprintf(text, sizeof text, "f:\nALU:%s\n%s", wide ? " KCACHE0(CB0:0-31)" : "", cases[i].text);
        const sw_status status = assemble(cases[i].chip, text, &code, &size);
        if (cases[i].message ? status != SW_BAD_INPUT || strcmp(message, cases[i].message) : status != SW_OK)
            fail_msg("%s: %s: '%s', expected '%s'", cases[i].chip, cases[i].text, message,
                     cases[i].message ? cases[i].message : "none");
        sw_free(code);
    }
}

static void clauses_are_checked(void **unused) {
    (void)unused;
    static const struct {
        const char *chip, *text, *message;
    } cases[] = {
        {"cypress", "ALU:\n", "2: the clause is empty"},
        {"cypress", "ALU: CNT(2)\n0 x: MOV R0.x, R1.x\n", "2: the clause has 1 of the 2 that CNT says"},
        {"cypress", "TC: ADDR(5)\nLD R0, R1, t0, s0\n", "2: a fetch clause begins at a multiple of 16 bytes"},
        {"cypress", "TC: ADDR(5) UNCHECKED\nLD R0, R1, t0, s0\n", NULL},
        {"cypress", "TC:\nLD R0, R1, t0, s0\nLD R2, R0, t0, s0\n",
         "2: a fetch uses the result of another in its clause"},
        {"cypress", "ALU: ADDR(0)\n0 x: MOV R0.x, R1.x\n", "2: another word is there already"},
        {"cypress", "JUMP ADDR(.L1)\n", "2: no such label"},
        {"cypress", "JUMP ADDR(.L1)\n.L1:\nCF_END\n", NULL},
        {"cypress", "JUMP ADDR(0x1000000)\n", "2: ADDR is 16777216, and goes up to 16777215"},
        {"cypress", "ALU_BREAK: KCACHE2(CB0:0-15)\n", "2: this word locks no KCACHE2"},
        {"cayman", "ALU_BREAK: ADDR(1) CNT(1)\n", "2: cayman has no ALU_BREAK"},
        {"cayman", "VC: ADDR(1) CNT(1)\n", "2: cayman has no VC"},
        {"caicos", "VC:\nVFETCH R0, R1.x, b1 FORMAT(32)\n", "2: this processor has no vertex cache"},
        {"cedar", "VC:\nVFETCH R0, R1.x, b1 FORMAT(32)\n", NULL},
        {"cypress", "ALU: KCACHE0(CB0:8-23)\n", "2: a lock takes one or two lines of 16 constants"},
        {"cypress", "4194304 JUMP ADDR(0)\n", "2: the program has too many words"},
        {"cypress", ".set SQ_PGM_RESOURCES_PS\nCF_END\n",
         "3: an object has no place for SQ_PGM_RESOURCES_PS in a function of this stage"},
        {"cypress", ".set SQ_PGM_RESOURCES_2_LS DOUBLE_ROUND(3)\nCF_END\n", NULL},
        {"cypress", ".set SQ_PGM_RESOURCES_LS NUM_GPRS(256)\nCF_END\n", "2: NUM_GPRS has 8 bits"},
        {"cypress", ".set SQ_PGM_RESOURCES_LS FROB(1)\nCF_END\n", "2: SQ_PGM_RESOURCES_LS has no such field"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        uint8_t *code;
        size_t size;
        snprintf(text, sizeof text, "f:\n%s", cases[i].text);
        const sw_status status = assemble(cases[i].chip, text, &code, &size);
        if (cases[i].message ? status != SW_BAD_INPUT || strcmp(message, cases[i].message) : status != SW_OK)
            fail_msg("%s: '%s', expected '%s'", cases[i].text, message,
                     cases[i].message ? cases[i].message : "none");
        sw_free(code);
    }
    // More fetches than a clause of the processor takes: 8 on R600, 16 later.
    for (unsigned k = 0; k < 2; k++) {
        struct text t = {0};
        uint8_t *code;
        size_t size;
        text_puts(&t, "f:\nTC:\n");
        const unsigned most = k ? 8 : 9;
        for (unsigned i = 0; i < most; i++) text_printf(&t, "LD R%u, R100, t0, s0\n", i);
        assert_int_equal(assemble(k ? "rv670" : "rv670", t.data, &code, &size), SW_BAD_INPUT * (most > 8));
        if (most > 8) assert_string_equal(message, "2: the clause has 9, and takes 1 to 8");
        sw_free(code);
        text_free(&t);
    }
}

static void mistakes_are_named(void **unused) {
    (void)unused;
    static const struct {
        const char *chip, *text, *message;
    } cases[] = {
        {"cypress", "ALU:\n0 x: MOV R0.x, R1.x\nNOT_LAST\n", "3: the clause ends within a group"},
        {"cypress",
         "ALU:\n0 x: MOV R0.x, R1.x\n y: MOV R0.y, R1.y\n z: MOV R0.z, R1.z\n w: MOV R0.w, R1.w\n t: MOV "
         "R2.x, R1.x\n"
         " x: MOV R3.x, R1.x\n",
         "3: a group has too many slots"},
        {"cypress", "%$\n", "2: expected an instruction"},
        {"cypress", "TC:\n0 x: MOV R0.x, R1.x\n", "3: a slot stands below an ALU clause"},
        {"cypress", "ALU:\n0 x: MOV R0.x, LITERAL.x\n l: 1\n", "4: two or four literals, below a group"},
        {"cypress", ".stage nothing\n", "2: stages are compute, vertex, pixel, geometry and export"},
        {"cypress", ".stage pixel 4\n", "2: nothing stands behind the stage"},
        {"cypress", "\"f\n", "2: a name in quotes"},
        {"cypress", ".L1:\n.L1:\n", "3: this label is there already"},
        {"cypress", "NOP\n.L1:\nNOP\n.L1:\nNOP\n", "5: this label is there already"},
        {"cypress", "NOP CF_CONST(99999999999)\n", "2: a number over 32 bits"},
        {"cypress", "NOP CF_CONST(x)\n", "2: expected a number"},
        {"cypress", "ALU:\n0 x: MOV R0, R1.x\n", "3: expected a channel: .x .y .z or .w"},
        {"cypress", "ALU:\n0 x: MOV R0.x, (frob)\n", "3: this is no number"},
        {"cypress", "ALU:\n0 x: LDS_WRITE -R1.x, R1.y\n", "3: this operand cannot be negated"},
        {"rv770", "ALU:\n0 x: LDS_WRITE R1.x, R1.y\n", "3: rv770 has no LDS_WRITE"},
        {"cypress", "ALU:\n0 x: \n", "3: expected an operation"},
        {"cypress", "ALU:\n0 x: MOV R0.x, R1.x SCL_122\n", "3: slots x to w take VEC_ swizzles"},
        {"cayman", "ALU:\n0 x: PRED_SETE ____, R1.x, R1.x EXECUTE_MASK_OP(FROB)\n",
         "3: expected (DEACTIVATE), (BREAK), (CONTINUE) or (KILL)"},
        {"cypress", "ALU:\n0 x: MOV R0.x, R1.x SRC2(R1.x)\n", "3: this operation has no SRC2"},
        {"cypress", "ALU:\n0 t: LDS_WRITE R1.x, R1.y\n", "3: slot t has no access to LDS"},
        {"cypress", "ALU:\n0 x: MOV R0.x, R1.x FROB(1)\n", "3: this is no attribute of the operation"},
        {"cypress", "FROB\n", "2: no instruction 'FROB'"},
        {"rv770", "WAVE_SYNC\n", "2: rv770 has no WAVE_SYNC"},
        {"cypress", "EXP: POS9, R0\n", "2: positions are POS0 to POS3; others are written POS(n)"},
        {"cypress", "EXP: FROB, R0\n", "2: expected PIXn, POSn, PARAMn or SXn"},
        {"cypress", "EXP: PIX0, R0.qxyz\n", "2: expected 4 of the letters x y z w 0 1 _"},
        {"cypress", "MEM_RAT: STORE_RAW, RAT(0)[R1], R0.yx__\n",
         "2: components are written in their own places: x y z w or _"},
        {"cypress", "MEM_RAT: FROB, RAT(0)[R1], R0\n", "2: cypress has no RAT operation 'FROB'"},
        {"cypress", "NOP FROB(1)\n", "2: this is no attribute of the instruction"},
        {"cypress", "TC:\nLD R0, R1, t0, s0 UNNORM(q)\n", "3: expected letters of coordinates: x y z w"},
        {"cypress", ".frob\n", "2: no such directive"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        uint8_t *code;
        size_t size;
        snprintf(text, sizeof text, "f:\n%s", cases[i].text);
        const sw_status status = assemble(cases[i].chip, text, &code, &size);
        if (status != SW_BAD_INPUT || strcmp(message, cases[i].message))
            fail_msg("%s: '%s', expected '%s'", cases[i].text, message, cases[i].message);
        sw_free(code);
    }
}

// What a listed program breaks is marked, so that it assembles again.
static void broken_rules_are_marked(void **unused) {
    (void)unused;
    static const struct {
        const char *chip, *text, *mark; // assembled without checks
    } cases[] = {
        {"cypress", "f:\nALU:\n0! x: ADD R0.x, R1.x, R2.x\n y: ADD R0.y, R3.x, R4.x\nNOP END_OF_PROGRAM\n",
         "! x: ADD"},
        {"cypress", "f:\nALU:\n0! x: MOVA_INT ____, R1.x\n y: MOV R0.y, R[AR.x+1].x\nNOP END_OF_PROGRAM\n",
         "! x: MOVA_INT"},
        {"cypress", "f:\nTC: ADDR(5) UNCHECKED\nLD R0, R1, t0, s0\nNOP END_OF_PROGRAM\n", "UNCHECKED"},
        {"cypress", "f:\nALU: UNCHECKED\n0! x: MOV R0.x, LITERAL.x\nNOP END_OF_PROGRAM\n", "UNCHECKED"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t *code;
        size_t size;
        if (assemble(cases[i].chip, cases[i].text, &code, &size)) fail_msg("%s: %s", cases[i].text, message);
        char *listed = list(cases[i].chip, (const uint32_t *)(const void *)code, size / 8), squeezed[2000];
        size_t n = 0;
        for (char *p = listed; *p && n + 1 < sizeof squeezed; p++)
            if (*p != ' ' || (n && squeezed[n - 1] != ' ')) squeezed[n++] = *p;
        squeezed[n] = 0;
        if (!strstr(squeezed, cases[i].mark)) fail_msg("%s\n%s", cases[i].text, listed);
        expect_inverse(cases[i].chip, (const uint32_t *)(const void *)code, size / 8);
        free(listed);
        sw_free(code);
    }
}

// ---- Hostile input ----

static void random_text_is_harmless(void **unused) {
    (void)unused;
    static const char *const words[] = {"f:\n",    "ALU: ",      "ADDR(",
                                        "0 ",      "x: ",        "t: ",
                                        "MOV ",    "R0.x",       ", ",
                                        "(1)",     "\n",         "TC:\n",
                                        "VFETCH ", "b0",         ")",
                                        "CNT(",    "99999",      "|",
                                        "-",       "KC0[",       "]",
                                        ".long ",  ".zero ",     "!",
                                        "l: ",     "R[",         "AR.x+",
                                        "____",    "JUMP ",      "\"q\":\n",
                                        ".set ",   "POP_CNT(7)", "KCACHE0(CB0:0-15)",
                                        "EXP: ",   "PIX0",       "MULADD ",
                                        "DOT4_e ", ".L1:\n",     "NOT_LAST\n"};
    for (unsigned i = 0; i < 20000; i++) {
        char text[600] = "f:\n";
        state = i + 99;
        for (unsigned k = 0; k < 40; k++) strcat(text, words[random32() % (sizeof words / sizeof *words)]);
        uint8_t *code;
        size_t size;
        const sw_status status = assemble(all_chips[i % 16], text, &code, &size);
        assert_true(status == SW_OK || (status == SW_BAD_INPUT && *message));
        sw_free(code);
    }
}

// A bank swizzle without a name beside a predicate.
static void llvms_text_ends_where_names_end(void **unused) {
    (void)unused;
    struct ts_insn in;
    uint32_t code[8] = {0};
    struct text t = {0};
    const sw_terascale_output out = {take_text, &t};
    const sw_terascale_dis_options o = {.size = sizeof o, .processor = processor("cypress"), .llvm = true};
    ts_begin(TS_EVERGREEN, &ts_rows[TS_CFA_ALU], &in);
    ts_set(&in, TS_ADDR, 2);
    memcpy(code, in.w, 8);
    code[3] = 1u << 21; // END_OF_PROGRAM
    ts_begin(TS_EVERGREEN, &ts_rows[TS_OP2_MOV], &in);
    ts_set(&in, TS_BANK_SWIZZLE, 7);
    ts_set(&in, TS_PRED_SEL, 3);
    ts_set(&in, TS_LAST, 1);
    memcpy(code + 4, in.w, 8);
    assert_int_equal(sw_terascale_list((const uint8_t *)code, 24, &o, &out, &sink), SW_OK);
    const char *end = strstr(t.data, ", Pred_sel_one");
    assert_non_null(end);
    assert_true(strchr(" ;\n", end[strlen(", Pred_sel_one")]));
    text_free(&t);
}

static void broken_objects_are_harmless(void **unused) {
    (void)unused;
    const char *text = "main:\nALU:\n0 x: MOV R1.x, R0.x\nMEM_RAT: STORE_RAW, RAT(0)[R1], R1 END_OF_PROGRAM\n"
                       "\"other one\":\n.lds 16\nCF_END\n";
    const sw_terascale_as_options o = {.size = sizeof o, .processor = processor("redwood")};
    uint8_t *object, *copy;
    size_t size;
    assert_int_equal(sw_terascale_assemble(text, strlen(text), &o, &object, &size, &sink), SW_OK);
    assert_true(sw_terascale_is_object(object, size));
    copy = malloc(size);
    struct text t = {0};
    const sw_terascale_output out = {take_text, &t};
    assert_int_equal(sw_terascale_show_object(object, size, "o", &out, &sink), SW_OK);
    assert_non_null(strstr(t.data, "SQ_PGM_RESOURCES_LS NUM_GPRS(2)\n"));
    assert_non_null(strstr(t.data, "SQ_LDS_ALLOC SIZE(4)\n"));
    text_free(&t);
    for (unsigned i = 0; i < 20000; i++) {
        state = i;
        memcpy(copy, object, size);
        for (unsigned k = 0; k <= i % 5; k++) copy[random32() % size] = (uint8_t)random32();
        const size_t length = i % 7 ? size : random32() % size;
        *message = 0;
        const sw_terascale_dis_options d = {.size = sizeof d, .name = "o"};
        const sw_status status = sw_terascale_list_object(copy, length, &d, &out, &sink);
        assert_true(status == SW_OK || *message);
        text_free(&t);
    }
    free(copy);
    sw_free(object);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_their_numbers),     cmocka_unit_test(fields_hold_their_bits),
        cmocka_unit_test(random_words_come_back),      cmocka_unit_test(each_row_comes_back),
        cmocka_unit_test(lines_are_as_ever),           cmocka_unit_test(rules_are_checked),
        cmocka_unit_test(clauses_are_checked),         cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(broken_rules_are_marked),     cmocka_unit_test(random_text_is_harmless),
        cmocka_unit_test(broken_objects_are_harmless), cmocka_unit_test(llvms_text_ends_where_names_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
