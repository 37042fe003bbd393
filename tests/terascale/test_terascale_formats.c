// SPDX-License-Identifier: MIT
// Data formats of buffers and textures (R7-19, R7-21), and what vertex fetches do with their resources,
// against references written apart: a format's name says its components from the most significant bit down.
#include <ctype.h>
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
#include "terascale/texture_words.h"
#include "terascale/said.h"

enum { LANES = 64, BYTES = 8192, ADDRESS = 0x2000 };

static sw_terascale_wave wave;
static uint8_t memory[BYTES];
static const char *const chips[] = {"r600", "rv770", "cypress", "cayman"};
static const char *fetch_shader;

static sw_status run(unsigned chip, const char *stage, const char *text) {
    struct text t = {0};
    const char *end = chip == 3 ? "CF_END\n" : "NOP END_OF_PROGRAM\n";
    text_printf(&t, "main:\n.stage %s\n%s%s", stage, text, end);
    if (fetch_shader) text_printf(&t, "fs:\n.stage vertex\n%s", fetch_shader);
    const sw_terascale_as_options a = {.size = sizeof a,
                                       .processor = sw_processor_find(chips[chip], strlen(chips[chip]))};
    const sw_terascale_buffer buffer = {memory, sizeof memory, ADDRESS, false};
    const sw_terascale_wave_options o = {.size = sizeof o,
                                         .function = "main",
                                         .fetch = fetch_shader ? "fs" : NULL,
                                         .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup),
                                                                        .buffers = &buffer,
                                                                        .buffer_count = 1,
                                                                        .max_steps = 10000,
                                                                        .strict = true,
                                                                        .settings = settings,
                                                                        .setting_count = setting_count}};
    uint8_t *object;
    size_t size;
    *message = 0;
    wave.size = sizeof wave;
    wave.valid = ~0ull;
    for (unsigned l = 0; l < LANES; l++) wave.gpr[0][0][l] = l;
    sw_status status = sw_terascale_assemble(t.data, t.length, &a, &object, &size, &sink);
    if (!status) status = sw_terascale_run_wave(object, size, &o, &wave, &sink);
    sw_free(object);
    text_free(&t);
    return status;
}

// ---- Formats ----

static const struct {
    const char *name;
    unsigned number;
} formats[] = {
    {"8", 1},
    {"4_4", 2},
    {"3_3_2", 3},
    {"16", 5},
    {"16_FLOAT", 6},
    {"8_8", 7},
    {"5_6_5", 8},
    {"6_5_5", 9},
    {"1_5_5_5", 10},
    {"4_4_4_4", 11},
    {"5_5_5_1", 12},
    {"32", 13},
    {"32_FLOAT", 14},
    {"16_16", 15},
    {"16_16_FLOAT", 16},
    {"8_24", 17},
    {"24_8", 19},
    {"10_11_11", 21},
    {"10_11_11_FLOAT", 22},
    {"11_11_10", 23},
    {"11_11_10_FLOAT", 24},
    {"2_10_10_10", 25},
    {"8_8_8_8", 26},
    {"10_10_10_2", 27},
    {"X24_8_32_FLOAT", 28},
    {"32_32", 29},
    {"32_32_FLOAT", 30},
    {"16_16_16_16", 31},
    {"16_16_16_16_FLOAT", 32},
    {"32_32_32_32", 34},
    {"32_32_32_32_FLOAT", 35},
    {"5_9_9_9_SHAREDEXP", 43},
    {"8_8_8", 44},
    {"16_16_16", 45},
    {"16_16_16_FLOAT", 46},
    {"32_32_32", 47},
    {"32_32_32_FLOAT", 48},
    {"GB_GR", 39},
    {"BG_RG", 40},
    {"BC1", 49},
    {"BC2", 50},
    {"BC3", 51},
    {"BC4", 52},
    {"BC5", 53},
};
enum { FORMATS = sizeof formats / sizeof *formats, BUFFER_FORMATS = 37 };

// Bits of components from the least significant up.
static unsigned components_of(const char *name, unsigned bits[4]) {
    unsigned all[8], n = 0;
    if (!strcmp(name, "X24_8_32_FLOAT")) return bits[0] = 32, bits[1] = 8, 2;
    for (const char *p = name; *p;) {
        if (isdigit((unsigned char)*p))
            all[n++] = (unsigned)strtoul(p, (char **)(uintptr_t)&p, 10);
        else
            p++;
    }
    if (strstr(name, "SHAREDEXP")) n = 4;
    for (unsigned i = 0; i < n; i++) bits[i] = all[n - 1 - i];
    return strstr(name, "SHAREDEXP") ? 3 : n;
}

static uint64_t bits_at(const uint8_t *p, unsigned at, unsigned n) {
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++) v |= (uint64_t)(p[(at + i) / 8] >> (at + i) % 8 & 1) << i;
    return v;
}

// A float of so many bits: five of exponent, with or without a sign.
static double narrow(uint64_t v, unsigned size) {
    const unsigned fraction = size == 16 ? 10 : size - 5;
    const double scale = pow(2, -(double)fraction), m = (double)(v & ((1u << fraction) - 1)) * scale;
    const int e = (int)(v >> fraction & 31), sign = size == 16 && v >> 15 ? -1 : 1;
    if (e == 31) return m != 0 ? NAN : sign * INFINITY;
    return sign * (e ? (1 + m) * pow(2, e - 15) : m * pow(2, -14));
}

struct how {
    unsigned number; // NORM, INT, SCALED
    bool sign, no_zero, degamma;
};

static double number_of(uint64_t v, unsigned size, const struct how *h) {
    const int64_t s = h->sign && v >> (size - 1) & 1 ? (int64_t)v - (int64_t)(1ull << size) : (int64_t)v;
    if (h->number) return (double)s;
    if (!h->sign) return (double)v / (pow(2, size) - 1);
    if (h->no_zero) return (2.0 * (double)s + 1) / (pow(2, size) - 1);
    return fmax(-1, size == 1 ? (double)s : (double)s / (pow(2, size - 1) - 1));
}

// The palette of a block, written out, then the entry that two or three bits of each texel name.
static void block(const char *name, const uint8_t *p, unsigned texel, bool sign, double out[4]) {
    if (name[2] >= '4') { // BC4, BC5: one or two ramps
        for (unsigned k = 0; k < (unsigned)(name[2] - '3'); k++) {
            double r[8];
            const int a = sign ? (int8_t)p[8 * k] : p[8 * k], b = sign ? (int8_t)p[8 * k + 1] : p[8 * k + 1];
            const double most = sign ? 127 : 255;
            r[0] = fmax(-1, a / most), r[1] = fmax(-1, b / most);
            const int steps = a > b ? 7 : 5;
            for (int i = 1; i < steps; i++) r[1 + i] = r[0] + (r[1] - r[0]) * i / steps;
            if (steps == 5) r[6] = sign ? -1 : 0, r[7] = 1;
            out[k] = r[bits_at(p + 8 * k + 2, 3 * texel, 3)];
        }
        return;
    }
    const uint8_t *c = p + (name[2] == '1' ? 0 : 8);
    const unsigned first = (unsigned)bits_at(c, 0, 16), second = (unsigned)bits_at(c, 16, 16);
    double palette[4][4];
    for (unsigned k = 0; k < 2; k++) {
        const unsigned v = k ? second : first;
        palette[k][0] = (v >> 11) / 31.0, palette[k][1] = (v >> 5 & 63) / 63.0,
        palette[k][2] = (v & 31) / 31.0;
        palette[k][3] = palette[k + 2][3] = 1;
    }
    const bool punch = name[2] == '1' && first <= second;
    for (unsigned i = 0; i < 3; i++) {
        palette[2][i] = palette[0][i] + (palette[1][i] - palette[0][i]) / (punch ? 2 : 3);
        palette[3][i] = punch ? 0 : palette[0][i] + (palette[1][i] - palette[0][i]) * 2 / 3;
    }
    if (punch) palette[3][3] = 0;
    memcpy(out, palette[bits_at(c, 32 + 2 * texel, 2)], 4 * sizeof *out);
    if (name[2] == '2') out[3] = (double)bits_at(p, 4 * texel, 4) / 15;
    if (name[2] == '3') {
        double alpha[4];
        block("BC4", p, texel, false, alpha);
        out[3] = alpha[0];
    }
}

// What a register holds of texel x, y of an element; true: integers.
static bool expected(const char *name, const uint8_t *p, unsigned x, unsigned y, const struct how *h,
                     double out[4]) {
    unsigned bits[4] = {0}, at = 0;
    const bool floats = strstr(name, "FLOAT");
    out[0] = out[1] = out[2] = 0, out[3] = 1;
    if (*name == 'B' && name[1] == 'C') return block(name, p, 4 * y + x, h->sign, out), false;
    if (strchr("GB", *name)) { // bytes R G B G, or G R G B
        const unsigned green = *name == 'G' ? 1 : 0;
        out[0] = number_of(p[1 - green], 8, h);
        out[1] = number_of(p[green + 2 * x], 8, h);
        out[2] = number_of(p[3 - green], 8, h);
    } else {
        const unsigned n = components_of(name, bits);
        for (unsigned i = 0; i < n; at += bits[i++]) {
            const uint64_t v = bits_at(p, at, bits[i]);
            const uint32_t word = (uint32_t)v;
            if (strstr(name, "SHARED"))
                out[i] = (double)v * pow(2, (double)bits_at(p, 27, 5) - 24);
            else if (floats && bits[i] == 32)
                out[i] = (double)real(word);
            else if (floats && *name != 'X')
                out[i] = narrow(v, bits[i]);
            else
                out[i] = number_of(v, bits[i], h);
        }
    }
    for (unsigned i = 0; i < 3 && h->degamma && !floats && !strstr(name, "SHARED") && !h->number && !h->sign;
         i++)
        if (i == 0 || strchr("GB", *name) || bits[i])
            out[i] = out[i] <= 0.04045 ? out[i] / 12.92 : pow((out[i] + 0.055) / 1.055, 2.4);
    return h->number == 1 && !floats && !strstr(name, "SHARED");
}

static bool stencil_is_integer; // of X24_8_32_FLOAT, whose depth is a float

static void compare(const char *name, unsigned chip, unsigned lane, const double e[4], bool integers) {
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t got = wave.gpr[2][c][lane];
        const double g = (double)real(got);
        const bool whole = integers || (*name == 'X' && c == 1 && stencil_is_integer);
        const bool same = whole         ? got == (uint32_t)(int64_t)e[c]
                          : isnan(e[c]) ? isnan(g)
                          : isinf(e[c]) ? g == e[c]
                                        : fabs(g - e[c]) <= 1.2e-7 * fabs(e[c]) + 1e-45;
        const bool near = !integers && (*name == 'B' || *name == 'G') && fabs(g - e[c]) < 1e-6;
        if (!same && !near)
            fail_msg("%s on %s, lane %u, component %u: 0x%x (%g), expected %.9g", name, chips[chip], lane, c,
                     got, g, e[c]);
    }
}

static void fill_memory(void) {
    for (unsigned i = 0; i < BYTES; i += 4) {
        const uint32_t kinds[4] = {random32(), 0, 0xffffffff, 0x80808080};
        memcpy(memory + i, &kinds[random32() % 8 > 4 ? random32() % 4 : 0], 4);
    }
}

static unsigned bytes_of(const char *name) {
    unsigned bits[4] = {0}, sum = 0;
    if (*name == 'X') return 8;
    if (strchr("GB", *name))
        return *name == 'B' && name[1] == 'C' ? name[2] == '1' || name[2] == '4' ? 8 : 16 : 4;
    if (strstr(name, "SHARED")) return 4;
    for (unsigned i = 0, n = components_of(name, bits); i < n; i++) sum += bits[i];
    return sum / 8;
}

static void buffers_hold_every_format(void **unused) {
    (void)unused;
    static const char *const numbers[3] = {"NORM", "INT", "SCALED"};
    for (unsigned i = 0; i < BUFFER_FORMATS; i++)
        for (unsigned n = 0; n < 12; n++) {
            const struct how h = {n % 3, n / 3 & 1, n / 6, false};
            const unsigned chip = (i + n) % 4;
            const bool by_resource = n & 1;
            char text[600], fields[160];
            fill_memory();
            stencil_is_integer = h.number == 1;
            setting_count = 0;
            snprintf(fields, sizeof fields, "FORMAT(%s) NUM_FORMAT(%s)%s%s", formats[i].name,
                     numbers[h.number], h.sign ? " FORMAT_COMP" : "", h.no_zero ? " SRF_MODE" : "");
            snprintf(
                text, sizeof text,
                ".buffer b7 ADDRESS(0x2004) SIZE(%u) STRIDE(17)%s%s\nTC:\nVFETCH R2, R0.x, b7 OFFSET(3) %s\n",
                BYTES - 4, by_resource ? " " : "", by_resource ? fields : "",
                by_resource ? "USE_CONST_FIELDS" : fields);
            if (run(chip, "vertex", text)) fail_msg("%s: %s\n%s", chips[chip], message, text);
            for (unsigned l = 0; l < 16; l++) {
                double e[4];
                const bool integers = expected(formats[i].name, memory + 4 + 17 * l + 3, 0, 0, &h, e);
                compare(formats[i].name, chip, l, e, integers);
            }
        }
}

// LD of each texel of a small texture, in every format and number format.
static void textures_hold_every_format(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < FORMATS; i++)
        for (unsigned n = 0; n < 16; n++) {
            const char *name = formats[i].name;
            struct how h = {n % 3, n / 3 & 1, n / 6 & 1, n / 12};
            const bool blocks = *name == 'B' && name[1] == 'C', pairs = strchr("GB", *name) && !blocks;
            const unsigned chip = (i + n) % 4, bytes = bytes_of(name),
                           wide = blocks  ? 4
                                  : pairs ? 2
                                          : 1,
                           tall = blocks ? 4 : 1;
            if (blocks || pairs) h.number = 0;
            if (blocks) h.no_zero = h.degamma = false;
            if (blocks && name[2] < '4') h.sign = false;
            const struct texture t = {.dim = 1,
                                      .tiling = 0,
                                      .width = 8,
                                      .height = 8,
                                      .depth = 1,
                                      .pitch = 16,
                                      .format = formats[i].number,
                                      .number = h.number,
                                      .comp = h.sign,
                                      .degamma = h.degamma,
                                      .no_zero = h.no_zero,
                                      .levels = 1,
                                      .address = ADDRESS,
                                      .sel = {0, 1, 2, 3}};
            fill_memory();
            stencil_is_integer = h.number == 1;
            setting_count = 0;
            set_texture((struct place){chip > 1, 0, 0}, 2, &t);
            for (unsigned l = 0; l < LANES; l++)
                wave.gpr[1][0][l] = l % 8, wave.gpr[1][1][l] = l / 8,
                wave.gpr[1][2][l] = wave.gpr[1][3][l] = 0;
            if (run(chip, "pixel", "TC:\nLD R2, R1, t2, s0\n"))
                fail_msg("%s: %s %u", chips[chip], message, formats[i].number);
            for (unsigned l = 0; l < 16; l++) {
                const unsigned x = l % 8, y = l / 8;
                double e[4];
                const bool integers = expected(name, memory + ((y / tall) * (16 / wide) + x / wide) * bytes,
                                               x % wide, y % tall, &h, e);
                compare(name, chip, l, e, integers);
            }
        }
}

// ---- BC6 and BC7 ----

static uint64_t block_state;
static uint32_t block_word(void) {
    block_state = block_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(block_state >> 32);
}

// Eight random blocks of each mode; their texels in bytes, as a sum (FNV-1a). `low`: the bits of the modes'
// numbers.
static uint64_t sum_of_blocks(unsigned format, bool sign, uint64_t seed, const uint8_t *codes,
                              const uint8_t *low, unsigned modes) {
    uint64_t sum = 0xcbf29ce484222325;
    const unsigned channels = format == 55 ? 4 : 3;
    const struct texture t = {.dim = 1,
                              .width = 4,
                              .height = 4,
                              .depth = 1,
                              .pitch = 8,
                              .format = format,
                              .comp = sign,
                              .levels = 1,
                              .address = ADDRESS,
                              .sel = {0, 1, 2, 3}};
    block_state = seed;
    for (unsigned k = 0; k < 8 * modes; k++) {
        uint32_t w[4];
        for (unsigned i = 0; i < 4; i++) w[i] = block_word();
        w[0] = w[0] >> low[k / 8] << low[k / 8] | codes[k / 8];
        memcpy(memory, w, sizeof w);
        setting_count = 0;
        set_texture((struct place){true, 0, 0}, 2, &t);
        for (unsigned l = 0; l < LANES; l++)
            wave.gpr[1][0][l] = l % 4, wave.gpr[1][1][l] = l / 4 % 4,
            wave.gpr[1][2][l] = wave.gpr[1][3][l] = 0;
        if (run(2, "pixel", "TC:\nLD R2, R1, t2, s0\n")) fail_msg("%s", message);
        for (unsigned l = 0; l < 16; l++)
            for (unsigned c = 0; c < channels; c++) {
                const float v = fmaxf(0, fminf(1, real(wave.gpr[2][c][l])));
                sum = (sum ^ (uint8_t)(format == 55 ? lrintf(v * 255) : (long)(v * 255))) * 0x100000001b3;
            }
    }
    return sum;
}

// Sums of what Pillow 9.4 decodes. It does not round between the ends of BC6, which these blocks do not show;
// with signs it agrees in the modes whose ends are no differences.
static void partitioned_blocks_agree(void **unused) {
    (void)unused;
    static const uint8_t codes7[8] = {1, 2, 4, 8, 16, 32, 64, 128}, low7[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const uint8_t codes6[14] = {0, 1, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15},
                         low6[14] = {2, 2, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, plain[3] = {30, 3, 15};
    assert_true(sum_of_blocks(55, false, 7, codes7, low7, 8) == 0x2314c3720b7ee1e6);
    assert_true(sum_of_blocks(54, false, 3, codes6, low6, 14) == 0x21f195e6582cc892);
    assert_true(sum_of_blocks(54, true, 1, plain, low6 + 2, 3) == 0xff62a67ddf1467ed);
    // Numbers that no mode has give zeros.
    memset(memory, 0, 16);
    const struct texture t = {.dim = 1,
                              .width = 4,
                              .height = 4,
                              .depth = 1,
                              .pitch = 8,
                              .format = 55,
                              .levels = 1,
                              .address = ADDRESS,
                              .sel = {0, 1, 2, 3}};
    setting_count = 0;
    set_texture((struct place){true, 0, 0}, 2, &t);
    assert_int_equal(run(2, "pixel", "TC:\nLD R2, R1, t2, s0\n"), SW_OK);
    assert_int_equal(wave.gpr[2][0][3] | wave.gpr[2][3][3], 0);
}

// ---- Resources of buffers ----

static void bytes_are_swapped(void **unused) {
    (void)unused;
    static const char *const swaps[4] = {"NONE", "8IN16", "8IN32", "8IN64"};
    for (unsigned chip = 0; chip < 4; chip++)
        for (unsigned k = 0; k < 4; k++) {
            char text[200];
            for (unsigned i = 0; i < BYTES; i++) memory[i] = (uint8_t)(i * 7 + 1);
            setting_count = 0;
            snprintf(
                text, sizeof text,
                ".buffer b1 ADDRESS(0x2000) SIZE(8192) STRIDE(8)\nTC:\nVFETCH R2, R0.x, b1 FORMAT(32_32) "
                "NUM_FORMAT(INT) ENDIAN_SWAP(%s)\n",
                swaps[k]);
            const sw_status status = run(chip, "vertex", text);
            if (k == 3 && chip < 2) { // AUTO there
                assert_int_equal(status, SW_UNSUPPORTED);
                continue;
            }
            if (status) fail_msg("%s", message);
            for (unsigned l = 0; l < 16; l++)
                for (unsigned c = 0; c < 2; c++) {
                    uint32_t e = 0;
                    for (unsigned b = 0; b < 4; b++)
                        e |= (uint32_t)memory[8 * l + ((4 * c + b) ^ ((1u << k) - 1))] << 8 * b;
                    assert_int_equal(wave.gpr[2][c][l], e);
                }
        }
    assert_int_equal(run(2, "vertex",
                         ".buffer b1 ADDRESS(0x2000) SIZE(8)\nTC:\nVFETCH R2, R0.x, b1 FORMAT(8) "
                         "ENDIAN_SWAP(8IN16)\n"),
                     SW_UNSUPPORTED);
    assert_non_null(strstr(message, "an endian swap is wider than the element"));
}

// SIZE ends a resource whatever the buffer holds: 0 behind it, or NaN; offsets and negative indexes included.
static void sizes_end_resources(void **unused) {
    (void)unused;
    for (unsigned chip = 0; chip < 4; chip++)
        for (unsigned nan = 0; nan < 2; nan++) {
            char text[300];
            for (unsigned i = 0; i < BYTES / 4; i++) memcpy(memory + 4 * i, &(float){(float)i + 1}, 4);
            setting_count = 0;
            snprintf(
                text, sizeof text,
                ".buffer b0 ADDRESS(0x2000) SIZE(83) STRIDE(4)%s\n"
                "TC:\nVFETCH R2, R0.x, b0 FORMAT(32_FLOAT)\nVFETCH R3, R0.y, b0 FORMAT(32_FLOAT) OFFSET(8)\n"
                "VFETCH R4, R0.x, b0 FORMAT(8) NUM_FORMAT(INT) CONST_BUF_NO_STRIDE\n",
                nan ? " CLAMP_TO_NAN" : "");
            for (unsigned l = 0; l < LANES; l++) wave.gpr[0][1][l] = l - 2;
            if (run(chip, "vertex", text)) fail_msg("%s", message);
            for (unsigned l = 0; l < 16; l++) {
                const bool in = 4 * l + 4 <= 83, second = l >= 2 && 4 * (l - 2) + 8 + 4 <= 83;
                for (unsigned c = 0; c < 2; c++) {
                    const float got = real(wave.gpr[2 + c][0][l]);
                    if (c ? second : in)
                        assert_true(got == (float)l + 1);
                    else
                        assert_true(nan ? isnan(got) : got == 0);
                }
                assert_int_equal(wave.gpr[4][0][l], memory[l]); // no stride
                assert_int_equal(wave.gpr[4][3][l], 1);
            }
        }
    // Inside the resource, outside of memory.
    assert_int_equal(
        run(2, "vertex", ".buffer b0 ADDRESS(0x900000) SIZE(83)\nTC:\nVFETCH R2, R0.x, b0 FORMAT(32)\n"),
        SW_FAULTED);
    assert_non_null(strstr(message, "outside of every buffer"));
}

// VERTEX_DATA and INSTANCE_DATA add what the registers say; NO_INDEX_OFFSET adds nothing. SEL of a resource
// counts with USE_CONST_FIELDS from Evergreen on.
static void indexes_and_selectors(void **unused) {
    (void)unused;
    for (unsigned chip = 0; chip < 4; chip++) {
        for (unsigned i = 0; i < BYTES; i++) memory[i] = (uint8_t)i;
        setting_count = 0;
        set(0x3cff0, 10);
        set(0x3cff4, 20);
        char text[600];
        snprintf(text, sizeof text,
                 ".buffer b3 ADDRESS(0x2000) SIZE(8192) STRIDE(4) FORMAT(8_8_8_8) NUM_FORMAT(INT)%s\n"
                 "TC:\nVFETCH R2.wx1_, R0.x, b3 FORMAT(8_8_8_8) NUM_FORMAT(INT) FETCH_TYPE(INSTANCE_DATA)\n"
                 "VFETCH R3.x0__, R0.x, b3 FORMAT(8_8_8_8) NUM_FORMAT(INT)\n"
                 "VFETCH R4, R0.x, b3 USE_CONST_FIELDS FETCH_TYPE(NO_INDEX_OFFSET)%s\n",
                 chip > 1 ? " SEL(zy01)" : "", chip < 3 ? " MEGA_FETCH_COUNT(31)" : "");
        for (unsigned l = 0; l < LANES; l++) wave.gpr[2][3][l] = wave.gpr[3][2][l] = 77;
        if (run(chip, "vertex", text)) fail_msg("%s", message);
        for (unsigned l = 0; l < 16; l++) {
            const uint32_t at = 4 * (l + 20), second = 4 * (l + 10), third = 4 * l;
            assert_int_equal(wave.gpr[2][0][l], memory[at + 3]);
            assert_int_equal(wave.gpr[2][1][l], memory[at]);
            assert_int_equal(wave.gpr[2][2][l], 1);
            assert_int_equal(wave.gpr[2][3][l], 77);
            assert_int_equal(wave.gpr[3][0][l], memory[second]);
            assert_int_equal(wave.gpr[3][1][l], 0);
            assert_int_equal(wave.gpr[3][2][l], 77);
            for (unsigned c = 0; c < 4; c++) {
                const uint32_t e = chip < 2 ? memory[third + c]
                                   : c == 0 ? memory[third + 2]
                                   : c == 1 ? memory[third + 1]
                                            : c == 3;
                assert_int_equal(wave.gpr[4][c][l], e);
            }
        }
    }
}

// SEMFETCH goes to the register behind that of the entry with its number; without one it is dropped. CALL_FS
// calls the fetch shader, whose resources lie behind all stages'.
static void fetch_shaders_have_semantics(void **unused) {
    (void)unused;
    for (unsigned chip = 0; chip < 4; chip++) {
        for (unsigned i = 0; i < BYTES / 4; i++) memcpy(memory + 4 * i, &i, 4);
        setting_count = 0;
        for (unsigned i = 0; i < 32; i++) set(0x28380 + 4 * i, i == 4 ? 9 : 200);
        char fetch[300];
        snprintf(fetch, sizeof fetch,
                 ".buffer f2 ADDRESS(0x2000) SIZE(8192) STRIDE(4) FORMAT(32) NUM_FORMAT(INT)\nTC:\n"
                 "SEMFETCH SEM(9).x___, R0.x, b%u USE_CONST_FIELDS\nSEMFETCH SEM(11).x___, R0.x, b%u "
                 "USE_CONST_FIELDS\nRETURN\n",
                 chip < 2 ? 162 : 2, chip < 2 ? 162 : 2);
        for (unsigned g = 1; g < 16; g++)
            for (unsigned l = 0; l < LANES; l++) wave.gpr[g][0][l] = 1000;
        fetch_shader = fetch;
        if (run(chip, "vertex", "CALL_FS\nALU:\n0 x: MOV R9.x, R5.x\n"))
            fail_msg("%s: %s", chips[chip], message);
        fetch_shader = NULL;
        for (unsigned g = 1; g < 16; g++)
            for (unsigned l = 0; l < 16; l++)
                assert_int_equal(wave.gpr[g][0][l], g == 5 || g == 9 ? l : 1000);
    }
}

// R7-21: 160 of each stage and 16 of fetch shaders on R600 and R700; R7-20: 18 samplers.
static void resources_are_counted(void **unused) {
    (void)unused;
    static const struct {
        unsigned chip;
        const char *stage, *text, *why;
        sw_status status;
    } cases[] = {
        {0, "pixel", ".buffer b159 ADDRESS(0x2000) SIZE(64)\nTC:\nVFETCH R2, R0.x, b159 FORMAT(8)\n", "",
         SW_OK},
        {0, "vertex", ".buffer f15 ADDRESS(0x2000) SIZE(64)\nTC:\nVFETCH R2, R0.x, b175 FORMAT(8)\n", "",
         SW_OK},
        {1, "geometry", ".buffer b159 ADDRESS(0x2000) SIZE(64)\nTC:\nVFETCH R2, R0.x, b159 FORMAT(8)\n", "",
         SW_OK},
        {1, "geometry", "TC:\nVFETCH R2, R0.x, b160 FORMAT(8)\n", "resource 160 is not there", SW_FAULTED},
        {1, "geometry", ".buffer b160 SIZE(4)\n", "no resource has the number 160", SW_BAD_INPUT},
        {2, "pixel", ".buffer b175 ADDRESS(0x2000) SIZE(64)\nTC:\nVFETCH R2, R0.x, b175 FORMAT(8)\n", "",
         SW_OK},
        {3, "compute", ".buffer b9 ADDRESS(0x2000) SIZE(64)\nTC:\nVFETCH R2, R0.x, b9 FORMAT(8)\n", "",
         SW_OK},
        {2, "vertex", "TC:\nVFETCH R2, R0.x, b9 FORMAT(8)\n", "vertex buffer 9 is not there", SW_FAULTED},
        {2, "vertex", ".texture t9 WIDTH(4)\nTC:\nVFETCH R2, R0.x, b9 FORMAT(8)\n", "resource 9 is a texture",
         SW_FAULTED},
        {2, "pixel", ".buffer b9 SIZE(4)\nTC:\nSAMPLE R2, R0, t9, s0\n", "resource 9 is no texture",
         SW_FAULTED},
        {2, "pixel", ".texture t9 WIDTH(4) FORMAT(8) ADDRESS(0x2000)\nTC:\nSAMPLE_LZ R2, R0, t9, s17\n", "",
         SW_OK},
        {2, "pixel", ".texture t9 WIDTH(4) FORMAT(8) ADDRESS(0x2000)\nTC:\nSAMPLE_LZ R2, R0, t9, s18\n",
         "sampler 18 is not there: a stage has 18", SW_FAULTED},
        {2, "vertex", "TC:\nVFETCH R2, R0.x, b9 FORMAT(8) ALT_CONST\n", "vertex buffer 9 is not there",
         SW_FAULTED},
        {2, "pixel", "TC:\nVFETCH R2, R0.x, b9 FORMAT(8) ALT_CONST\n", "ALT_CONST is known of",
         SW_UNSUPPORTED},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        setting_count = 0;
        const sw_status status = run(cases[i].chip, cases[i].stage, cases[i].text);
        if (status != cases[i].status || !strstr(message, cases[i].why))
            fail_msg("%s: %d %s", cases[i].text, status, message);
    }
    // ALT_CONST: a vertex shader reads the geometry shader's resource.
    setting_count = 0;
    const uint32_t at = 0x30000 + 32 * (336 + 9);
    set(at, ADDRESS), set(at + 4, 63), set(at + 28, 3u << 30);
    memory[0] = 200;
    for (unsigned l = 0; l < LANES; l++) wave.gpr[5][0][l] = 0;
    assert_int_equal(run(2, "vertex", "TC:\nVFETCH R2, R5.x, b9 FORMAT(8) NUM_FORMAT(INT) ALT_CONST\n"),
                     SW_OK);
    assert_int_equal(wave.gpr[2][0][0], 200);
    // GET_BUFFER_RESINFO counts elements.
    setting_count = 0;
    assert_int_equal(
        run(2, "vertex", ".buffer b3 SIZE(100) STRIDE(12)\nTC:\nGET_BUFFER_RESINFO R2.x___, R0.x, b3\n"),
        SW_OK);
    assert_int_equal(wave.gpr[2][0][7], 8);
}

static bool add_line(void *context, const char *text, size_t length) {
    text_add(context, text, length);
    return true;
}

// R7-23, R7-24 and what else is state that is held: it is shown, and a filter that would use it refused.
static void filters_are_refused_by_name(void **unused) {
    (void)unused;
    static const struct {
        unsigned chip;
        const char *text, *why;
    } cases[] = {
        {0, ".sampler s0 MAG(2)\n", "bicubic filters are not executed"},
        {1, ".set TD_PS_SAMPLER0_CLEARTYPE_KERNEL WIDTH(3) HEIGHT(2)\n",
         "Cleartype filters are not executed"},
        {1, ".sampler s0 MAG(3)\n", "no XY filter has this number"},
        {1, ".sampler s0 MAG(5) ANISO(2)\n", "anisotropic filters"},
        {2, ".sampler s0 MIN(3) ANISO(1)\n", "anisotropic filters"},
        {2, ".sampler s0 MIP(3)\n", "no filter along Z or between levels has this number"},
        {0, ".set SQ_TEX_SAMPLER_WORD0_0 CHROMA_KEY(1)\n", "chroma keys"},
        {0, ".set SQ_TEX_SAMPLER_WORD2_0 FETCH_4(1)\n", "FETCH_4"},
        {1, ".set SQ_TEX_SAMPLER_WORD0_0 POINT_SAMPLING_CLAMP(1)\n", "POINT_SAMPLING_CLAMP"},
        {2, ".set SQ_TEX_SAMPLER_WORD2_0 LOD_BIAS_SEC(1)\n", "LOD_BIAS_SEC"},
        {2, ".texture t0 TILING(2D_THIN) WIDTH(4) FORMAT(8)\n", "only linear and 1D-tiled textures"},
        {2, ".texture t0 DIM(2D_MSAA) WIDTH(4) FORMAT(8)\n", "several samples"},
        {1, ".texture t0 WIDTH(4) FORMAT(BC7)\n", "BC6 and BC7 came with Evergreen"},
        {2, ".texture t0 WIDTH(4) FORMAT(37)\n", "the order of bits in a byte is not known"},
        {2, ".texture t0 WIDTH(4) FORMAT(8) COMP(2)\n", "UNSIGNED_BIASED"},
        {2, ".texture t0 WIDTH(4) FORMAT(8) BASE_LEVEL(3)\n", "BASE_LEVEL is above LAST_LEVEL"},
        {2, ".texture t0 WIDTH(4) FORMAT(8) NUM_FORMAT(INT) ADDRESS(0x2000)\n.sampler s0 MAG(BILINEAR)\n",
         "what filters make of integers is not known"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        setting_count = 0;
        snprintf(text, sizeof text, "%s%sTC:\nSAMPLE_LZ R2, R0.w___, t0, s0\n",
                 strstr(cases[i].text, ".texture") ? "" : ".texture t0 WIDTH(4) FORMAT(8) ADDRESS(0x2000)\n",
                 cases[i].text);
        for (unsigned l = 0; l < LANES; l++) wave.gpr[0][3][l] = 0x3f000000;
        const sw_status status = run(cases[i].chip, "pixel", text);
        if (status != SW_UNSUPPORTED || !strstr(message, cases[i].why))
            fail_msg("%s: %d %s", text, status, message);
    }
    static const char *const unknown[] = {"PASS R2, R0, t0, s0", "SET_CUBEMAP_INDEX R2, R0, t0, s0",
                                          "GET_LERP R2, R0, t0, s0", "KEEP_GRADIENTS R2, R0, t0, s0"};
    for (unsigned i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        char text[100];
        setting_count = 0;
        snprintf(text, sizeof text, "TC:\n%s\n", unknown[i]);
        assert_int_equal(run(1, "pixel", text), SW_UNSUPPORTED);
        assert_non_null(strstr(message, " not known"));
    }
    // Weights are kept and shown by the register's name.
    const char *held = "a:\n.stage pixel\n.set TD_FILTER4_35 BITS(0x1234)\nNOP END_OF_PROGRAM\n";
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find("rv770", 5)};
    uint8_t *object;
    size_t size;
    struct text shown = {0};
    assert_int_equal(sw_terascale_assemble(held, strlen(held), &a, &object, &size, &sink), SW_OK);
    const sw_terascale_output out = {add_line, &shown};
    assert_int_equal(sw_terascale_show_object(object, size, "a", &out, &sink), SW_OK);
    assert_non_null(strstr(shown.data, "TD_FILTER4_35 BITS(0x1234)"));
    sw_free(object);
    text_free(&shown);
}

// Fetches whose words, resources and samplers are drawn at random, often nearly sound: a result or a
// diagnostic, whatever they say.
static void random_words_are_harmless(void **unused) {
    (void)unused;
    unsigned outcomes[8] = {0};
    fill_memory();
    for (unsigned round = 0; round < 4000; round++) {
        const unsigned chip = round % 4;
        const bool newer = chip > 1;
        setting_count = 0;
        for (unsigned id = 0; id < 2; id++) {
            const struct place p = {newer, 0, 0};
            const struct texture t = {.dim = random32() % 6,
                                      .tiling = random32() % 3,
                                      .width = 1 + random32() % 40,
                                      .height = 1 + random32() % 40,
                                      .depth = 1 + random32() % 8,
                                      .pitch = 64,
                                      .format = random32() % 57,
                                      .number = random32() % 3,
                                      .levels = 1 + random32() % 16,
                                      .last_slice = random32() % 4,
                                      .address = ADDRESS,
                                      .mips = ADDRESS + 256,
                                      .sel = {random32() % 8, 1, 2, 3}};
            set_texture(p, id, &t);
            const struct sampler s = {.clamp = {random32() % 8, random32() % 8, random32() % 8},
                                      .magnify = random32() % 2,
                                      .minify = random32() % 2,
                                      .mip = random32() % 3,
                                      .max_lod = 15};
            set_sampler(p, id, &s);
            for (unsigned k = 0; k < 8 && random32() % 2; k++) // a broken bit or a broken word
                settings[random32() % setting_count].value ^=
                    random32() % 2 ? 1u << random32() % 32 : random32();
        }
        uint32_t w[4] = {random32(), random32(), random32(), 0};
        w[0] = (w[0] & 0x06ff00a0) | random32() % 32 | (random32() % 2) << 8;
        if (random32() % 2) w[0] &= 0x00ffff9f;
        w[2] = (w[2] & 0xfff07fff) | (random32() % 2) << 15;
        for (unsigned c = 0; c < 4; c++)
            for (unsigned l = 0; l < LANES; l++) {
                const float small = (float)(int)(random32() % 64) / 8 - 2;
                memcpy(&wave.gpr[random32() % 128][c][l], &small, 4);
                if (random32() % 8 == 0) wave.gpr[random32() % 128][c][l] = random32();
            }
        char text[300];
        snprintf(text, sizeof text, "TC: ADDR(2) CNT(1)\n0002 .long 0x%x, 0x%x\n0003 .long 0x%x, 0\n", w[0],
                 w[1], w[2]);
        const sw_status status = run(chip, "pixel", text);
        if (status && !*message) fail_msg("status %d without a message: %s", status, text);
        assert_true(status == SW_OK || status == SW_FAULTED || status == SW_UNSUPPORTED ||
                    status == SW_USAGE);
        outcomes[status]++;
    }
    print_message("%u done, %u faults, %u unsupported\n", outcomes[SW_OK], outcomes[SW_FAULTED],
                  outcomes[SW_UNSUPPORTED]);
    assert_true(outcomes[SW_OK] > 300 && outcomes[SW_FAULTED] > 100 && outcomes[SW_UNSUPPORTED] > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_hold_every_format),    cmocka_unit_test(textures_hold_every_format),
        cmocka_unit_test(partitioned_blocks_agree),     cmocka_unit_test(bytes_are_swapped),
        cmocka_unit_test(sizes_end_resources),          cmocka_unit_test(indexes_and_selectors),
        cmocka_unit_test(fetch_shaders_have_semantics), cmocka_unit_test(resources_are_counted),
        cmocka_unit_test(filters_are_refused_by_name),  cmocka_unit_test(random_words_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
