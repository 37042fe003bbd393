// SPDX-License-Identifier: MIT
// Memory that a driver sets up: RATs with their return buffers, rings, streams, reduction and scatter memory,
// GDS, tessellation factors, R700's LDS, registers of a whole SIMD; what a geometry shader signals, and
// semaphores.
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

enum { LANES = 64, WORDS = 1024 };

static sw_terascale_wave wave;
static uint32_t areas[4][WORDS];
static sw_terascale_memory memories[4];
static size_t memory_count;

static struct {
    unsigned count;
    sw_terascale_emission all[8];
} emissions;
static void take_emission(void *context, const sw_terascale_emission *e) {
    (void)context;
    if (emissions.count < 8) emissions.all[emissions.count++] = *e;
}

// Memory of a kind in areas[i], of so many dwords.
static void give(unsigned i, sw_terascale_space space, unsigned number, size_t dwords) {
    memories[i] = (sw_terascale_memory){
        .size = sizeof memories[i], .space = space, .number = number, .data = areas[i], .bytes = 4 * dwords};
    if (i >= memory_count) memory_count = i + 1;
}

static uint8_t *assemble(const char *chip, const char *text, size_t *size) {
    struct text t = {0};
    text_printf(&t, "main:\n%s%s", text, !strcmp(chip, "cayman") ? "CF_END\n" : "NOP END_OF_PROGRAM\n");
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find(chip, strlen(chip))};
    uint8_t *object = NULL;
    *message = 0;
    if (sw_terascale_assemble(t.data, t.length, &a, &object, size, &sink))
        fail_msg("%s: %s\n%s", chip, message, text);
    text_free(&t);
    return object;
}

static sw_status run(const char *chip, const char *text) {
    size_t size;
    uint8_t *object = assemble(chip, text, &size);
    const sw_terascale_wave_options o = {.size = sizeof o,
                                         .lds = 4096,
                                         .emitted = take_emission,
                                         .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup),
                                                                        .max_steps = 10000,
                                                                        .strict = true,
                                                                        .memories = memories,
                                                                        .memory_count = memory_count}};
    wave.size = sizeof wave;
    wave.valid = ~0ull;
    for (unsigned l = 0; l < LANES; l++) wave.gpr[0][0][l] = l;
    const sw_status status = sw_terascale_run_wave(object, size, &o, &wave, &sink);
    sw_free(object);
    return status;
}

static void expect(const char *chip, const char *text, sw_status status, const char *part) {
    const sw_status got = run(chip, text);
    if (got != status || (part && !strstr(message, part)))
        fail_msg("%s: %d '%s', expected %d '%s'\n%s", chip, got, message, status, part ? part : "", text);
}

// ---- RATs ----

static void each_rat_has_memory_of_its_own(void **unused) {
    (void)unused;
    for (unsigned n = 0; n < 12; n++)
        for (unsigned cayman = 0; cayman < 2; cayman++) {
            char text[300];
            memory_count = 0;
            memset(areas, 0, sizeof areas);
            give(0, SW_TERASCALE_RAT, n, 256);
            give(1, SW_TERASCALE_RAT, (n + 1) % 12, 256);
            for (unsigned l = 0; l < LANES; l++)
                for (unsigned c = 0; c < 4; c++) wave.gpr[2][c][l] = 4 * l, wave.gpr[3][c][l] = random32();
            snprintf(text, sizeof text, "MEM_RAT%s: %s, RAT(%u)[R2], R3.xy_w\n", n & 1 ? "_CACHELESS" : "",
                     cayman ? "STORE_DWORD" : "STORE_RAW", n);
            expect(cayman ? "cayman" : "cypress", text, SW_OK, NULL);
            for (unsigned l = 0; l < LANES; l++)
                for (unsigned c = 0; c < 4; c++) {
                    assert_int_equal(areas[0][4 * l + c], c == 2 ? 0 : wave.gpr[3][c][l]);
                    assert_int_equal(areas[1][4 * l + c], 0);
                }
            memories[0].bytes = 64 * 4;
            expect(cayman ? "cayman" : "cypress", text, SW_FAULTED,
                   "lane 16: a write at 0x100, outside of the RAT");
        }
    // Numbers from an index of control flow, the same for all lanes.
    memory_count = 0;
    memset(areas, 0, sizeof areas);
    give(0, SW_TERASCALE_RAT, 5, 256);
    for (unsigned l = 0; l < LANES; l++)
        wave.gpr[2][0][l] = l, wave.gpr[3][0][l] = l + 1, wave.gpr[4][0][l] = 3;
    expect("cypress",
           "ALU:\n 0 x: MOVA_INT ____, R4.x\n 1 x: SET_CF_IDX1 ____\n"
           "MEM_RAT: STORE_RAW, RAT(2)[R2], R3.x___ RAT_INDEX_MODE(CF_IDX1)\n",
           SW_OK, NULL);
    for (unsigned l = 0; l < LANES; l++) assert_int_equal(areas[0][l], l + 1);
    memset(areas, 0, sizeof areas);
    expect("cayman",
           "ALU:\n 0 x: MOVA_INT ____:R2.x, R4.x\nMEM_RAT: STORE_RAW, RAT(2)[R2], R3.x___ "
           "RAT_INDEX_MODE(CF_IDX0)\n",
           SW_OK, NULL);
    for (unsigned l = 0; l < LANES; l++) assert_int_equal(areas[0][l], l + 1);
    wave.gpr[4][0][7] = 4;
    expect("cayman", "ALU:\n 0 x: MOVA_INT ____:R2.x, R4.x\n", SW_FAULTED,
           "lane 7: an index of control flow differs from that of the first lane");
    expect("cypress", "MEM_RAT: STORE_RAW, RAT(9)[R2], R3.x___\n", SW_FAULTED, "RAT 9 is not there");
    expect("cypress", "MEM_RAT: STORE_RAW, RAT(14)[R2], R3.x___\n", SW_FAULTED, "RAT 14 is not there");
    expect("cypress", "MEM_RAT: STORE_RAW, RAT(5)[R2], R3.x___ BURST_COUNT(1)\n", SW_UNSUPPORTED,
           "what a burst to a RAT addresses is not known");
    expect("cayman", "MEM_RAT: STORE_BYTE, RAT(5)[R2], R3.x___\n", SW_UNSUPPORTED,
           "STORE_BYTE: what its index counts is not known");
}

typedef uint32_t operation(uint32_t old, uint32_t a, uint32_t b);
#define OPERATION(name, e)                                                                                   \
    static uint32_t name(uint32_t v, uint32_t a, uint32_t b) {                                               \
        (void)v, (void)a, (void)b;                                                                           \
        return (uint32_t)(e);                                                                                \
    }
OPERATION(o_add, v + a)
OPERATION(o_sub, v - a)
OPERATION(o_rsub, a - v)
OPERATION(o_inc, v < a ? v + 1 : 0)
OPERATION(o_dec, v &&v <= a ? v - 1 : a)
OPERATION(o_min, (int32_t)v > (int32_t)a ? a : v)
OPERATION(o_max, (int32_t)v < (int32_t)a ? a : v)
OPERATION(o_minu, v > a ? a : v)
OPERATION(o_maxu, v < a ? a : v)
OPERATION(o_and, ~(~v | ~a))
OPERATION(o_or, ~(~v & ~a))
OPERATION(o_xor, (v | a) - (v & a))
OPERATION(o_mskor, (v & ~b) | a) // the value in X, the mask in W
OPERATION(o_xchg, a)
OPERATION(o_cmp, v == b ? a : v)
OPERATION(o_cmpf, real(v) == real(b) ? a : v)
OPERATION(o_nop, v)

static void atomics_give_back_what_was_there(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        operation *of;
        bool returns_only;
    } atomics[] = {
        {"ADD", o_add, false},
        {"SUB", o_sub, false},
        {"RSUB", o_rsub, false},
        {"MIN_INT", o_min, false},
        {"MIN_UINT", o_minu, false},
        {"MAX_INT", o_max, false},
        {"MAX_UINT", o_maxu, false},
        {"AND", o_and, false},
        {"OR", o_or, false},
        {"XOR", o_xor, false},
        {"MSKOR", o_mskor, false},
        {"INC_UINT", o_inc, false},
        {"DEC_UINT", o_dec, false},
        {"CMPXCHG_INT", o_cmp, false},
        {"CMPXCHG_FLT", o_cmpf, false},
        {"CMPXCHG_FDENORM", o_cmpf, false},
        {"XCHG", o_xchg, true},
        {"XCHG_FDENORM", o_xchg, true},
        {"NOP", o_nop, true},
    };
    for (unsigned i = 0; i < sizeof atomics / sizeof *atomics; i++)
        for (unsigned form = 0; form < 4; form++) {
            const bool returns = form & 1, cayman = form & 2;
            const bool compares = !strncmp(atomics[i].name, "CMP", 3);
            uint32_t words[8], old[LANES];
            char text[200];
            if (!returns && atomics[i].returns_only) continue;
            memory_count = 0;
            memset(areas, 0, sizeof areas);
            give(0, SW_TERASCALE_RAT, i % 12, 64);
            give(1, SW_TERASCALE_RAT_RETURN, i % 12, 256);
            for (unsigned k = 0; k < 8; k++) words[k] = areas[0][16 + k] = 0x3f800000 + random32() % 3;
            for (unsigned l = 0; l < LANES; l++) {
                wave.gpr[2][0][l] = 16 + l % 8;
                for (unsigned c = 0; c < 4; c++) wave.gpr[3][c][l] = 0x3f800000 + random32() % 3;
                if (i % 3 == 0) wave.gpr[3][0][l] = random32() | 0x10000000;
                wave.gpr[3][1][l] = 2 * l + 5; // where the old value goes
            }
            snprintf(text, sizeof text, "MEM_RAT: %s%s, RAT(%u)[R2], R3 MARK\n", atomics[i].name,
                     returns ? "_RTN" : "", i % 12);
            expect(cayman ? "cayman" : "cypress", text, SW_OK, NULL);
            for (unsigned l = 0; l < LANES; l++) {
                old[l] = words[l % 8];
                words[l % 8] =
                    atomics[i].of(old[l], wave.gpr[3][0][l], wave.gpr[3][compares && cayman ? 2 : 3][l]);
                const uint32_t e = returns ? old[l] : 0;
                if (areas[1][2 * l + 5] != e)
                    fail_msg("%s, lane %u gave back 0x%x, expected 0x%x", text, l, areas[1][2 * l + 5], e);
            }
            for (unsigned k = 0; k < 8; k++)
                if (areas[0][16 + k] != words[k])
                    fail_msg("%s: 0x%x, expected 0x%x", text, areas[0][16 + k], words[k]);
        }
    give(0, SW_TERASCALE_RAT, 0, 64);
    give(1, SW_TERASCALE_RAT_RETURN, 0, 8);
    expect("cypress", "MEM_RAT: ADD_RTN, RAT(0)[R2], R3\n", SW_FAULTED, "outside of the return buffer");
    // What FDENORM does to denormals is not known; other values are as they are.
    for (unsigned l = 0; l < LANES; l++) wave.gpr[2][0][l] = 0, wave.gpr[3][0][l] = l == 3 ? 0x80000001 : 0;
    expect("cypress", "MEM_RAT: STORE_RAW_FDENORM, RAT(0)[R2], R3.x___\n", SW_UNSUPPORTED,
           "STORE_RAW_FDENORM: what it makes of denormals is not known");
}

static void typed_stores_have_the_rats_format(void **unused) {
    (void)unused;
    static const struct {
        unsigned format, bits[4];
        sw_terascale_number type;
    } formats[] = {
        {26, {8, 8, 8, 8}, SW_TERASCALE_UNORM},
        {26, {8, 8, 8, 8}, SW_TERASCALE_SNORM},
        {26, {8, 8, 8, 8}, SW_TERASCALE_UINT},
        {1, {8}, SW_TERASCALE_SINT},
        {15, {16, 16}, SW_TERASCALE_SNORM},
        {16, {16, 16}, SW_TERASCALE_FLOAT},
        {14, {32}, SW_TERASCALE_FLOAT},
        {35, {32, 32, 32, 32}, SW_TERASCALE_FLOAT},
        {34, {32, 32, 32, 32}, SW_TERASCALE_UINT},
        {8, {5, 6, 5}, SW_TERASCALE_UNORM},
        {25, {10, 10, 10, 2}, SW_TERASCALE_UNORM},
        {31, {16, 16, 16, 16}, SW_TERASCALE_SINT},
    };
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
        const unsigned *bits = formats[i].bits, total = bits[0] + bits[1] + bits[2] + bits[3];
        const bool integer = formats[i].type == SW_TERASCALE_UINT || formats[i].type == SW_TERASCALE_SINT;
        memory_count = 0;
        memset(areas, 0xee, sizeof areas);
        give(0, SW_TERASCALE_RAT, 3, 512);
        memories[0].type = formats[i].type;
        memories[0].format = formats[i].format;
        memories[0].pitch = 8, memories[0].rows = 8;
        for (unsigned l = 0; l < LANES; l++) {
            wave.gpr[2][0][l] = l % 8, wave.gpr[2][1][l] = l / 8, wave.gpr[2][2][l] = 0;
            for (unsigned c = 0; c < 4; c++) {
                const float f = (float)(int32_t)random32() / 1.5e9f;
                memcpy(&wave.gpr[3][c][l], &f, 4);
                if (integer) wave.gpr[3][c][l] = (uint32_t)((int32_t)random32() >> random32() % 31);
                if (formats[i].type == SW_TERASCALE_FLOAT && bits[0] == 16) { // exact in 16 bits
                    const float h = (float)((int)(random32() % 4000) - 2000) / 4;
                    memcpy(&wave.gpr[3][c][l], &h, 4);
                }
            }
        }
        wave.gpr[2][0][63] = 8; // outside: nothing is written
        expect(i & 1 ? "cypress" : "cayman", "MEM_RAT: STORE_TYPED, RAT(3)[R2], R3\n", SW_OK, NULL);
        for (unsigned l = 0; l < 63; l++) {
            const uint8_t *p = (const uint8_t *)areas[0] + l * (total / 8);
            unsigned at = 0;
            for (unsigned c = 0; c < 4 && bits[c]; c++) {
                uint64_t v = 0;
                for (unsigned b = 0; b < bits[c]; b++)
                    v |= (uint64_t)(p[(at + b) / 8] >> (at + b) % 8 & 1) << b;
                at += bits[c];
                const uint32_t in = wave.gpr[3][c][l];
                const double f = (double)real(in), most = pow(2, bits[c]) - 1, half = pow(2, bits[c] - 1) - 1;
                const int64_t s = v >> (bits[c] - 1) & 1 ? (int64_t)v - (1ll << bits[c]) : (int64_t)v;
                bool good;
                switch (formats[i].type) {
                case SW_TERASCALE_UNORM: good = fabs((double)v - fmin(fmax(f, 0), 1) * most) <= 0.5; break;
                case SW_TERASCALE_SNORM: good = fabs((double)s - fmin(fmax(f, -1), 1) * half) <= 0.5; break;
                case SW_TERASCALE_UINT: good = (double)v == fmin((double)in, most); break;
                case SW_TERASCALE_SINT:
                    good = (double)s == fmin(fmax((double)(int32_t)in, -half - 1), half);
                    break;
                default:
                    good = bits[c] == 32 ? v == in
                                         : ldexp((v & 1023) | (v >> 10 & 31 ? 1024 : 0),
                                                 (int)(v >> 10 & 31 ? v >> 10 & 31 : 1) - 25) *
                                                   (v >> 15 ? -1 : 1) ==
                                               f;
                }
                if (!good)
                    fail_msg("format %u, lane %u, component %u of 0x%x: 0x%llx", formats[i].format, l, c, in,
                             (unsigned long long)v);
            }
        }
        assert_int_equal(((uint8_t *)areas[0])[63 * (total / 8)], 0xee);
    }
    memories[0].type = SW_TERASCALE_RAW;
    expect("cypress", "MEM_RAT: STORE_TYPED, RAT(3)[R2], R3\n", SW_UNSUPPORTED,
           "RAT 3 has no format that is known");
}

// ---- Rings, streams, reduction, scatter ----

static void rings_and_streams_have_a_part_for_each_lane(void **unused) {
    (void)unused;
    static const struct {
        const char *chip, *name;
        sw_terascale_space space;
        unsigned number;
    } words[] = {
        {"rv670", "MEM_RING", SW_TERASCALE_RING, 0},
        {"rv770", "MEM_STREAM0", SW_TERASCALE_STREAM, 0},
        {"rv670", "MEM_STREAM1", SW_TERASCALE_STREAM, 1},
        {"rv770", "MEM_STREAM2", SW_TERASCALE_STREAM, 2},
        {"rv770", "MEM_STREAM3", SW_TERASCALE_STREAM, 3},
        {"cypress", "MEM_RING", SW_TERASCALE_RING, 0},
        {"cypress", "MEM_RING1", SW_TERASCALE_RING, 1},
        {"cayman", "MEM_RING2", SW_TERASCALE_RING, 2},
        {"cayman", "MEM_RING3", SW_TERASCALE_RING, 3},
        {"cypress", "MEM_STREAM0_BUF0", SW_TERASCALE_STREAM, 0},
        {"cypress", "MEM_STREAM0_BUF3", SW_TERASCALE_STREAM, 3},
        {"cayman", "MEM_STREAM1_BUF2", SW_TERASCALE_STREAM, 6},
        {"cypress", "MEM_STREAM2_BUF1", SW_TERASCALE_STREAM, 9},
        {"cayman", "MEM_STREAM3_BUF3", SW_TERASCALE_STREAM, 15},
    };
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        char text[200];
        memory_count = 0;
        memset(areas, 0, sizeof areas);
        give(0, words[i].space, words[i].number, WORDS);
        memories[0].stride = 64;
        for (unsigned l = 0; l < LANES; l++) {
            wave.gpr[2][0][l] = l % 3;
            for (unsigned c = 0; c < 4; c++) wave.gpr[3][c][l] = random32(), wave.gpr[4][c][l] = random32();
        }
        // ARRAY_BASE counts dwords, the index elements; two registers to elements that follow one another.
        snprintf(text, sizeof text, "%s: [3+R2], R3.x_zw TYPE(1) ELEM_SIZE(3) ARRAY_SIZE(2) BURST_COUNT(1)\n",
                 words[i].name);
        expect(words[i].chip, text, SW_OK, NULL);
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned k = 0; k < 16; k++) {
                uint32_t e = 0;
                for (unsigned r = 0; r < 2; r++)
                    for (unsigned c = 0; c < 4; c++)
                        if (c != 1 && l % 3 + r <= 2 && 3 + 4 * (l % 3 + r) + c == k)
                            e = wave.gpr[3 + r][c][l];
                if (areas[0][16 * l + k] != e)
                    fail_msg("%s, lane %u dword %u: 0x%x, expected 0x%x", text, l, k, areas[0][16 * l + k],
                             e);
            }
        memories[0].bytes -= 4;
        snprintf(text, sizeof text, "%s: [12], R3 ELEM_SIZE(3) ARRAY_SIZE(2)\n", words[i].name);
        expect(words[i].chip, text, SW_FAULTED, "accesses dword 1020, outside of its memory");
        memory_count = 0;
        expect(words[i].chip, text, SW_UNSUPPORTED, "no memory was given for it");
    }
}

static void scatter_and_reduction_memory_is_read_back(void **unused) {
    (void)unused;
    static const struct {
        const char *chip, *write, *read;
        sw_terascale_space space;
    } words[] = {
        {"rv770", "MEM_EXPORT", "READ_MEM", SW_TERASCALE_SCATTER},
        {"cypress", "MEM_EXPORT", "READ_MEM", SW_TERASCALE_SCATTER},
        {"cayman", "MEM_EXPORT", "READ_MEM", SW_TERASCALE_SCATTER},
        {"rv770", "MEM_REDUCT", "READ_REDUCT", SW_TERASCALE_REDUCTION},
        {"rv670", "MEM_REDUCT", NULL, SW_TERASCALE_REDUCTION},
    };
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        char text[400];
        memory_count = 0;
        memset(areas, 0, sizeof areas);
        give(0, words[i].space, 0, WORDS);
        for (unsigned l = 0; l < LANES; l++) {
            wave.gpr[2][0][l] = l ^ 5;
            for (unsigned c = 0; c < 4; c++) wave.gpr[3][c][l] = random32(), wave.gpr[7][c][l] = 7;
        }
        int n = snprintf(text, sizeof text, "%s: [1+R2], R3 TYPE(%u) ELEM_SIZE(3) ARRAY_SIZE(100)\n",
                         words[i].write,
                         strcmp(words[i].chip, "rv670") && strcmp(words[i].chip, "rv770") ? 3 : 1);
        if (words[i].read)
            snprintf(text + n, sizeof text - (size_t)n, "TC:\n%s R7.yx_w, [1+R2.x] INDEXED ELEM_SIZE(3)\n",
                     words[i].read);
        else // R600 reads with the same word
            snprintf(text + n, sizeof text - (size_t)n,
                     "%s: [1+R2], R7.xy_w TYPE(3) ELEM_SIZE(3) ARRAY_SIZE(100)\n", words[i].write);
        expect(words[i].chip, text, SW_OK, NULL);
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned c = 0; c < 4; c++) {
                assert_int_equal(areas[0][4 * (1 + wave.gpr[2][0][l]) + c], wave.gpr[3][c][l]);
                const unsigned from = words[i].read && c < 2 ? 1 - c : c;
                assert_int_equal(wave.gpr[7][c][l], c == 2 ? 7 : wave.gpr[3][from][l]);
            }
        wave.gpr[2][0][60] = 0x40000000;
        if (words[i].read) expect(words[i].chip, strstr(text, "TC:"), SW_FAULTED, "outside of its memory");
    }
}

// ---- GDS and tessellation factors ----

static void gds_has_parts_and_pairs(void **unused) {
    (void)unused;
    for (unsigned cayman = 0; cayman < 2; cayman++) {
        const char *chip = cayman ? "cayman" : "cypress";
        memory_count = 0;
        give(0, SW_TERASCALE_GDS, 0, 512);
        for (unsigned k = 0; k < WORDS; k++) areas[0][k] = random32();
        uint32_t before[WORDS];
        memcpy(before, areas[0], sizeof before);
        for (unsigned l = 0; l < LANES; l++) {
            wave.gpr[2][0][l] = 8 * l + 1, wave.gpr[2][1][l] = 8 * l + 6, wave.gpr[2][2][l] = random32();
            wave.gpr[3][0][l] = 8 * l + 4, wave.gpr[3][1][l] = 8 * l;
            wave.gpr[4][0][l] = 8 * l + 2, wave.gpr[4][1][l] = random32();
        }
        expect(chip,
               "GDS:\nGDS_BYTE_READ_RET R5.x___, R2.xyz\nGDS_UBYTE_READ_RET R6.x___, R2.xyz\n"
               "GDS_SHORT_READ_RET R7.x___, R2.yxx\nGDS_USHORT_READ_RET R8.x___, R2.yxx\n"
               "GDS_READ2_RET R9.xy10, R3.xyx\nGDS:\nGDS_BYTE_WRITE R10.____, R4.xyx\n",
               SW_OK, NULL);
        for (unsigned l = 0; l < LANES; l++) {
            const uint32_t low = before[2 * l], high = before[2 * l + 1];
            assert_int_equal(wave.gpr[5][0][l], (uint32_t)(int8_t)(low >> 8));
            assert_int_equal(wave.gpr[6][0][l], low >> 8 & 255);
            assert_int_equal(wave.gpr[7][0][l], (uint32_t)(int16_t)(high >> 16));
            assert_int_equal(wave.gpr[8][0][l], high >> 16);
            assert_int_equal(wave.gpr[9][0][l], high);
            assert_int_equal(wave.gpr[9][1][l], low);
            assert_int_equal(wave.gpr[9][2][l], 1);
            assert_int_equal(wave.gpr[9][3][l], 0);
            assert_int_equal(areas[0][2 * l], (low & ~0xff0000u) | (wave.gpr[4][1][l] & 255) << 16);
        }
        for (unsigned l = 0; l < LANES; l++) wave.gpr[2][0][l] = 4 * 512; // outside: 0, nothing written
        expect(chip, "GDS:\nGDS_ADD_RET R5.x___, R2.xyz\n", SW_OK, NULL);
        assert_int_equal(wave.gpr[5][0][9], 0);
        expect(chip, "GDS:\nGDS_WRITE2 R5.____, R2.xyz\n", SW_UNSUPPORTED,
               "which operands are its two addresses");
        expect(chip, "GDS:\nGDS_WRITE_REL R5.____, R2.xyz\n", SW_UNSUPPORTED, "no place for the distance");
        expect(chip, "GDS:\nGDS_ADD R5.____, R2.xyz ALLOC_CONSUME\n", SW_UNSUPPORTED,
               "where the counter of a UAV lies");
        expect(chip, "GDS:\nGDS_ADD R5.____, R2.xyz BCAST_FIRST_REQ\n", SW_UNSUPPORTED, "what is broadcast");
        expect(chip, "GDS:\nGDS_ATOMIC_ORDERED_ALLOC R5.x___, R2.xyz\n", SW_UNSUPPORTED,
               "the order of waves");
        memory_count = 0;
        expect(chip, "GDS:\nTF_WRITE R5.____, R3.xy0\n", SW_UNSUPPORTED,
               "no memory for tessellation factors");
        give(0, SW_TERASCALE_FACTORS, 0, 200);
        expect(chip, "GDS:\nTF_WRITE R5.____, R3.xy0\n", SW_OK, NULL);
        for (unsigned l = 0; l < LANES; l++) assert_int_equal(areas[0][2 * l + 1], 8 * l);
        memories[0].bytes = 100;
        expect(chip, "GDS:\nTF_WRITE R5.____, R3.xy0\n", SW_FAULTED,
               "lane 12: a tessellation factor at 0x64");
    }
}

// ---- LDS ----

// R7-14: a thread writes its own part, all read; 16 to 256 bytes a thread.
static void owners_write_r700s_lds_and_all_read(void **unused) {
    (void)unused;
    memory_count = 0;
    for (unsigned l = 0; l < LANES; l++) {
        for (unsigned c = 0; c < 4; c++) wave.gpr[2][c][l] = random32(), wave.gpr[3][c][l] = random32();
        wave.gpr[4][0][l] = (l + 1) % 4;          // the bank of another lane of the quad
        wave.gpr[4][1][l] = (l + 4) % 64 / 4 * 8; // ... of the next quad
        for (unsigned c = 0; c < 4; c++) wave.gpr[5][c][l] = wave.gpr[6][c][l] = 7;
    }
    expect("rv770",
           "TC:\nDS_LOCAL_WRITE R2.xyzw DST_STRIDE(8) BURST_COUNT(1)\nTC:\n"
           "DS_LOCAL_READ R5, R4 SRC_SEL_Y(1) DST_WRX DST_WRY DST_WRW\n"
           "DS_LOCAL_READ R6, R4 SRC_SEL_Y(1) DST_WRX DST_WRY DST_WRZ DST_WRW RD_OFFSET(1) BROADCAST "
           "WATERFALL\n",
           SW_OK, NULL);
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned c = 0; c < 4; c++) {
            const unsigned owner = (l + 4) % 64 / 4 * 4 + (l + 1) % 4;
            assert_int_equal(wave.gpr[5][c][l], c == 2 ? 7 : wave.gpr[2][c][owner]);
            assert_int_equal(wave.gpr[6][c][l], wave.gpr[3][c][5]); // what lane 0 asks for, four dwords on
        }
    expect("rv770", "TC:\nDS_LOCAL_WRITE R2.xyzw DST_STRIDE(6)\n", SW_FAULTED, "a stride of 6");
    expect("rv770", "TC:\nDS_LOCAL_WRITE R2.xyzw DST_STRIDE(64) DST_INDEX(60) BURST_COUNT(1)\n", SW_FAULTED,
           "outside of its 4096 bytes");
    expect("rv770", "TC:\nDS_LOCAL_READ R5, R4 SRC_SEL_Y(1) DST_WRX MUX_CNTL(2)\n", SW_UNSUPPORTED,
           "the numbers of MUX_CNTL are not known");
    expect("rv770", "TC:\nDS_GLOBAL_READ R5, R4 SRC_SEL_Y(1) DST_WRX\n", SW_UNSUPPORTED,
           "how the global share is addressed");
}

static void lds_is_read_by_operands(void **unused) {
    (void)unused;
    memory_count = 0;
    for (unsigned l = 0; l < LANES; l++) wave.gpr[2][0][l] = 8 * l, wave.gpr[2][1][l] = random32();
    // From dword 1 on, every second dword; and dword 6 for all.
    expect(
        "cypress",
        "ALU:\n0 x: LDS_WRITE_REL R2.x, 0, R2.y IDX_OFFSET(1)\n"
        "1 x: ADD_INT R3.x, LDS_DIRECT_A, 0\n y: ADD_INT R3.y, LDS_DIRECT_B, 0\n l: 0x404001, 0x80000007\n",
        SW_OK, NULL);
    for (unsigned l = 0; l < LANES; l++) {
        assert_int_equal(wave.gpr[3][0][l], wave.gpr[2][1][l]);
        assert_int_equal(wave.gpr[3][1][l], wave.gpr[2][1][3]);
    }
    expect("cayman", "ALU:\n0 x: MOV R3.x, LDS_DIRECT_A\n l: 0x404001, 0\n", SW_UNSUPPORTED,
           "without DIRECT_READ_32");
    expect("cayman", "ALU:\n0 x: MOV R3.x, LDS_DIRECT_A\n l: 0x4001, 0x80000000\n", SW_UNSUPPORTED,
           "without THREAD_REL");
    // Two words at once, and floats that are compared.
    for (unsigned l = 0; l < LANES; l++) wave.gpr[2][2][l] = l & 1 ? 0x80000000 : 0x3f800000;
    expect(
        "cypress",
        "ALU:\n0 x: LDS_WRITE_REL R2.x, R2.y, R0.x IDX_OFFSET(1)\n1 x: LDS_XCHG_REL_RET R2.x, 0, R2.z "
        "IDX_OFFSET(1)\n"
        "2 x: MOV R3.x, LDS_OQ_A_POP\n y: MOV R3.y, LDS_OQ_B_POP\n3 x: LDS_CMP_STORE_SPF R2.x, R2.z, (99)\n"
        "4 x: LDS_READ_REL_RET R2.x IDX_OFFSET(1)\n5 x: MOV R4.x, LDS_OQ_A_POP\n y: MOV R4.y, LDS_OQ_B_POP\n",
        SW_OK, NULL);
    for (unsigned l = 0; l < LANES; l++) {
        assert_int_equal(wave.gpr[3][0][l], wave.gpr[2][1][l]);
        assert_int_equal(wave.gpr[3][1][l], l);
        assert_int_equal(wave.gpr[4][0][l], l & 1 ? 99 : 0); // -0.0 is 0
        assert_int_equal(wave.gpr[4][1][l], wave.gpr[2][2][l]);
    }
}

// ---- Registers ----

// R7-09: of a whole SIMD, by lane; they outlive a wave.
static void registers_of_a_simd_outlive_a_wave(void **unused) {
    (void)unused;
    static uint32_t registers[128][4][LANES];
    static const char *const chips[] = {"rv770", "cypress", "cayman"};
    for (unsigned i = 0; i < 3; i++) {
        memset(registers, 0, sizeof registers);
        memory_count = 1;
        memories[0] = (sw_terascale_memory){.size = sizeof memories[0],
                                            .space = SW_TERASCALE_SIMD_GPRS,
                                            .data = registers,
                                            .bytes = sizeof registers};
        for (unsigned l = 0; l < LANES; l++) wave.gpr[2][0][l] = random32(), wave.gpr[3][0][l] = l % 3;
        // An absolute number, and one behind AR.x; the wave's own registers are others.
        expect(chips[i],
               "ALU:\n0 x: MOV R4.x, (5)\n1 x: MOV R[GLOBAL+4].x, R2.x\n2 x: MOVA_INT ____, R3.x\n"
               "3 y: MOV R[GLOBAL_AR.x+10].y, R0.x\n",
               SW_OK, NULL);
        for (unsigned l = 0; l < LANES; l++) {
            assert_int_equal(wave.gpr[4][0][l], 5);
            assert_int_equal(registers[4][0][l], wave.gpr[2][0][l]);
            assert_int_equal(registers[10 + l % 3][1][l], l);
        }
        expect(chips[i],
               "ALU:\n0 x: ADD_INT R5.x, R[GLOBAL+4].x, R[GLOBAL+4].x\n1 x: MOVA_INT ____, R3.x\n"
               "2 y: MOV R5.y, R[GLOBAL_AR.x+10].y\n",
               SW_OK, NULL);
        for (unsigned l = 0; l < LANES; l++) {
            assert_int_equal(wave.gpr[5][0][l], 2 * registers[4][0][l]);
            assert_int_equal(wave.gpr[5][1][l], l);
        }
    }
    expect("rv670", "ALU:\n0 x: MOV R5.x, R[GLOBAL+4].x\n", SW_UNSUPPORTED, "no registers of a whole SIMD");
    expect("rv770", "ALU:\n0 x: MOV R5.x, R[GLOBAL_AR.x+4].x\n", SW_FAULTED,
           "the address register is read before");
}

// R7-06, R7-08: GPRs 124 to 127 live in one clause.
static void temporaries_live_in_a_clause(void **unused) {
    (void)unused;
    memory_count = 0;
    expect("rv770", "ALU:\n0 x: MOV R125.x, R0.x\n1 y: ADD_INT R2.y, R125.x, R125.x\n", SW_OK, NULL);
    for (unsigned l = 0; l < LANES; l++) assert_int_equal(wave.gpr[2][1][l], 2 * l);
    expect("rv770",
           ".set SQ_PGM_RESOURCES_VS NUM_GPRS(8)\nALU:\n0 x: MOV R125.x, R0.x\nALU:\n0 x: MOV R2.x, R125.x\n",
           SW_FAULTED, "temporary R125.x is read before this clause wrote it");
    expect("rv770",
           ".set SQ_PGM_RESOURCES_VS NUM_GPRS(8)\nALU:\n0 x: MOV R125.x, R0.x\n1 x: MOV R2.x, R125.y\n",
           SW_FAULTED, "temporary R125.y is read before this clause wrote it");
    // Registers like others where the program declares them.
    expect(
        "rv770",
        ".set SQ_PGM_RESOURCES_VS NUM_GPRS(128)\nALU:\n0 x: MOV R125.x, R0.x\nALU:\n0 x: MOV R2.x, R125.x\n",
        SW_OK, NULL);
}

// ---- Signals and semaphores ----

static void geometry_shaders_signal(void **unused) {
    (void)unused;
    memory_count = 0;
    emissions.count = 0;
    expect("cypress",
           "EMIT_VERTEX COUNT(2)\nALU_PUSH_BEFORE:\n0 x: PRED_SETGT_INT ____, (8), R0.x UPDATE_EXEC_MASK "
           "UPDATE_PRED\n"
           "CUT_VERTEX\nPOP POP_CNT(1)\nEMIT_CUT_VERTEX COND(BOOL)\nEMIT_CUT_VERTEX COND(NOT_BOOL)\n",
           SW_OK, NULL);
    assert_int_equal(emissions.count, 3);
    assert_true(emissions.all[0].emits && !emissions.all[0].cuts && emissions.all[0].lanes == ~0ull);
    assert_int_equal(emissions.all[0].stream, 2);
    assert_true(!emissions.all[1].emits && emissions.all[1].cuts && emissions.all[1].lanes == 0xff);
    assert_true(emissions.all[2].emits && emissions.all[2].cuts && emissions.all[2].lanes == ~0ull);
}

// One wave waits for what another does; all may wait for nobody.
static sw_status run_waves(const char *text, uint32_t *data, size_t bytes) {
    size_t size;
    uint8_t *object = assemble("cypress", text, &size);
    const sw_terascale_buffer buffer = {data, bytes, 0x1000, false};
    const sw_terascale_run_options o = {.size = sizeof o,
                                        .groups = {2, 1, 1},
                                        .group_size = {192, 1, 1},
                                        .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup),
                                                                       .buffers = &buffer,
                                                                       .buffer_count = 1,
                                                                       .max_steps = 10000,
                                                                       .strict = true}};
    const sw_status status = sw_terascale_run(object, size, &o, &sink);
    sw_free(object);
    return status;
}

static void waves_wait_for_semaphores(void **unused) {
    (void)unused;
    uint32_t data[4] = {0};
    // Waves 0 and 1 wait until wave 2 has counted up twice.
    const char *waits =
        "ALU_PUSH_BEFORE:\n0 x: PRED_SETGT_INT ____, (128), R0.x UPDATE_EXEC_MASK UPDATE_PRED\n"
        "JUMP ADDR(.Lelse)\nWAVE_SYNC RESOURCE(5) GWS_OPCODE(SEMA_P)\n"
        "ALU:\n0 x: MOV R3.x, (0x400)\n y: MOV R4.y, 1\n z: MOV R5.z, 1\n1 x: MOV R4.x, 1\n"
        "MEM_RAT: ADD, RAT(0)[R3], R4\n.Lelse:\nELSE ADDR(.Lend) POP_CNT(1)\n"
        "WAVE_SYNC RESOURCE(5) GWS_OPCODE(SEMA_V)\nWAVE_SYNC RESOURCE(5) GWS_OPCODE(SEMA_V)\n"
        "POP POP_CNT(1)\n.Lend:\nALU:\n0 x: GROUP_BARRIER ____\n";
    if (run_waves(waits, data, sizeof data)) fail_msg("%s", message);
    assert_int_equal(data[0], 2 * 128); // of two groups, the lanes that waited
    assert_int_equal(run_waves("WAVE_SYNC RESOURCE(3) GWS_OPCODE(SEMA_P)\n", data, sizeof data), SW_FAULTED);
    assert_non_null(strstr(message, "every wave of the group waits for a semaphore or a barrier"));
    // Three waves, three counts.
    assert_int_equal(
        run_waves("ALU_PUSH_BEFORE:\n0 x: PRED_SETGT_INT ____, (64), R0.x UPDATE_EXEC_MASK UPDATE_PRED\n"
                  "JUMP ADDR(.Lend) POP_CNT(1)\nWAVE_SYNC RESOURCE(3) VALUE(3) GWS_OPCODE(INIT)\n"
                  "POP POP_CNT(1)\n.Lend:\nWAVE_SYNC RESOURCE(3) GWS_OPCODE(SEMA_P)\n",
                  data, sizeof data),
        SW_OK);
    assert_int_equal(run_waves("WAVE_SYNC GWS_OPCODE(BARRIER)\n", data, sizeof data), SW_UNSUPPORTED);
    assert_non_null(strstr(message, "how many waves a barrier waits for is not known"));
}

// A word of every row of control flow, memory, LDS and GDS, with all other fields 0: it is executed, faults
// or says what is not known about it.
static void each_row_executes_or_says_why(void **unused) {
    (void)unused;
    static const char *const chips[TS_FAMILIES] = {"r600", "rv770", "cypress", "cayman"};
    static const sw_terascale_space kinds[4] = {SW_TERASCALE_SCATTER, SW_TERASCALE_REDUCTION,
                                                SW_TERASCALE_FACTORS, SW_TERASCALE_RAT};
    unsigned refused = 0;
    memory_count = 0;
    for (unsigned i = 0; i < 4; i++) give(i, kinds[i], 0, WORDS);
    memories[3].type = SW_TERASCALE_UINT, memories[3].format = 13;
    for (unsigned f = 0; f < TS_FAMILIES; f++)
        for (unsigned r = 0; r < TS_ROWS; r++) {
            const struct ts_row *row = &ts_rows[r];
            const bool lds = row->space == TS_LDS_SPACE,
                       fetch = row->space == TS_MEM_SPACE || row->space == TS_GDS_SPACE;
            struct ts_insn in, clause;
            char text[300], stripped[80];
            if (!row->op[f] || (row->space > TS_RAT_SPACE && !lds && !fetch) || r == TS_CFA_ALU_EXT) continue;
            if (row->flags & (TS_CLAUSE | TS_BRANCH) || r == TS_CF_RET)
                continue; // shown by the random programs
            if (r >= TS_EXP_MEM_STREAM0 && row->format == TSF_CF_ALLOC_EXPORT_BUF && r != TS_EXP_MEM_REDUCT &&
                r != TS_EXP_MEM_EXPORT && r != TS_EXP_MEM_SCRATCH && !row->gap)
                continue; // rings and streams have a test above
            ts_begin(f, row, &in);
            if (row->space == TS_RAT_SPACE) {
                ts_begin(f, &ts_rows[TS_EXP_MEM_RAT], &in);
                ts_set(&in, TS_RAT_INST, row->op[f] - 1u);
                ts_set(&in, TS_COMP_MASK, 1);
                ts_set(&in, TS_RW_GPR, 1);
                ts_set(&in, TS_INDEX_GPR, 1);
            }
            if (lds) ts_set(&in, TS_LAST, 1);
            if (fetch) ts_set(&in, TS_SRC_GPR, 1);
            if (r == TS_MEM_TF_WRITE) ts_set(&in, TS_SRC_SEL_Z, 4);
            if (lds || fetch) {
                ts_begin(f, &ts_rows[lds ? TS_CFA_ALU : f >= TS_EVERGREEN ? TS_CF_GDS : TS_CF_TEX], &clause);
                ts_set(&clause, TS_ADDR, 4);
                snprintf(text, sizeof text, "0 .long 0x%x, 0x%x\n4 .long 0x%x, 0x%x\n5 .long 0x%x, 0x%x\n1 ",
                         clause.w[0], clause.w[1], in.w[0], in.w[1], in.w[2], in.w[3]);
            } else
                snprintf(text, sizeof text, "0 .long 0x%x, 0x%x\n1 ", in.w[0], in.w[1]);
            for (unsigned l = 0; l < LANES; l++)
                for (unsigned g = 0; g < 4; g++) memset(wave.gpr[g], 0, sizeof wave.gpr[g]);
            const sw_status status = run(chips[f], text);
            snprintf(stripped, sizeof stripped, "%s: ", ts_row_name(row));
            const bool said = strstr(message, stripped) != NULL;
            const bool queues = status == SW_FAULTED && strstr(message, "leaves results of LDS");
            const bool exports =
                status == SW_UNSUPPORTED && strstr(message, "a compute program has no exports");
            if (status && !(status == SW_UNSUPPORTED && said && row->gap) && !queues && !exports)
                fail_msg("%s on %s: %d %s\n%s", row->id, chips[f], status, message, text);
            if (row->gap && !status) fail_msg("%s on %s is executed", row->id, chips[f]);
            refused += status == SW_UNSUPPORTED;
        }
    assert_true(refused > 20);
}

static void memories_are_checked(void **unused) {
    (void)unused;
    memory_count = 0;
    give(0, SW_TERASCALE_RAT, 12, 4);
    expect("cypress", "NOP\n", SW_USAGE, "memory 0 is of no kind that there is");
    give(0, SW_TERASCALE_RING, 4, 4);
    expect("cypress", "NOP\n", SW_USAGE, "memory 0 is of no kind that there is");
    give(0, SW_TERASCALE_RING, 0, 4);
    memories[0].stride = 6;
    expect("cypress", "NOP\n", SW_USAGE, "not of whole dwords");
    give(0, SW_TERASCALE_RING, 0, 4);
    memories[0].data = NULL;
    expect("cypress", "NOP\n", SW_USAGE, "is not there");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rat_has_memory_of_its_own),
        cmocka_unit_test(atomics_give_back_what_was_there),
        cmocka_unit_test(typed_stores_have_the_rats_format),
        cmocka_unit_test(rings_and_streams_have_a_part_for_each_lane),
        cmocka_unit_test(scatter_and_reduction_memory_is_read_back),
        cmocka_unit_test(gds_has_parts_and_pairs),
        cmocka_unit_test(owners_write_r700s_lds_and_all_read),
        cmocka_unit_test(lds_is_read_by_operands),
        cmocka_unit_test(registers_of_a_simd_outlive_a_wave),
        cmocka_unit_test(temporaries_live_in_a_clause),
        cmocka_unit_test(geometry_shaders_signal),
        cmocka_unit_test(waves_wait_for_semaphores),
        cmocka_unit_test(each_row_executes_or_says_why),
        cmocka_unit_test(memories_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
