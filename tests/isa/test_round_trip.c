// SPDX-License-Identifier: MIT
// Bytes to text and back, on every instruction set: each encoding of each row with each of its fields run
// through its values (all of narrow ones, the ends and the borders between register files of wide ones) on
// several backgrounds, and with random fields. What is shown as an instruction assembles to the same bytes;
// what is not is counted: words in which bits are set that no assembler writes (doc/errata.md, ERR-05). The
// golden lines of tests/isa say that the text is LLVM's.
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "isa/isa.h"
#include "softwave/isa.h"

struct counts {
    uint64_t words, padding, same, ignored, longer, other, refused, data, undecoded;
};

// Each encoding of each row has numbers of its own, from its name, so that a new row changes no other's
// words.
static uint64_t random_state;
static void seed(const char *name, const char *format) {
    random_state = 14695981039346656037u;
    for (const char *p = name; *p; p++) random_state = (random_state ^ (uint8_t)*p) * 1099511628211u;
    for (const char *p = format; *p; p++) random_state = (random_state ^ (uint8_t)*p) * 1099511628211u;
    random_state |= 1;
}
static uint32_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

static void try_bytes(const sw_isa_mode *mode, const uint8_t bytes[SW_INSN_MAX_BYTES], struct counts *c) {
    sw_insn insn = {.size = sizeof insn};
    char text[SW_INSN_TEXT_SIZE];
    uint8_t again[SW_INSN_MAX_BYTES];
    size_t size;
    c->words++;
    if (sw_insn_decode(mode, bytes, SW_INSN_MAX_BYTES, &insn) != SW_DECODED) {
        c->undecoded++;
        return;
    }
    if (!sw_insn_is_canonical(mode, &insn)) {
        c->data++;
        return;
    }
    sw_insn_format(mode, &insn, 0, text, sizeof text);
    if (rd32(bytes) == 0) { // padding, shown as LLVM does (ERR-05)
        c->padding++;
        return;
    }
    if (sw_insn_assemble(mode, text, strlen(text), again, &size, NULL) != SW_OK) {
        if (c->refused++ < 8) print_error("%s refuses %s\n", sw_processor_name(mode->processor), text);
        return;
    }
    if (size == insn.length && !memcmp(again, bytes, size)) {
        c->same++;
        return;
    }
    // Bits that hardware ignores: what came of the text is the same instruction, to the reader as well.
    sw_insn other = {.size = sizeof other};
    char printed[SW_INSN_TEXT_SIZE] = "(nothing)";
    if (sw_insn_decode(mode, again, size, &other) == SW_DECODED)
        sw_insn_format(mode, &other, 0, printed, sizeof printed);
    if (!strcmp(printed, text))
        size == insn.length ? c->ignored++
                            : c->longer++; // inline halves are printed as LLVM does, as literals
    else if (c->other++ < 8)
        print_error("%s: %s became %s\n", sw_processor_name(mode->processor), text, printed);
}

static void set_part(uint32_t *words, const struct part *p, uint32_t v) {
    uint32_t mask = (uint32_t)((1ull << p->width) - 1) << p->lo;
    words[p->word] = (words[p->word] & ~mask) | (v << p->lo & mask);
}

static void try_words(const sw_isa_mode *mode, const uint32_t *words, struct counts *c) {
    uint8_t bytes[SW_INSN_MAX_BYTES];
    for (int i = 0; i < SW_INSN_MAX_BYTES / 4; i++) wr32(bytes + 4 * i, words[i]);
    try_bytes(mode, bytes, c);
}

// The opcode and fixed bits of a coding over a background.
static void base_words(const struct isa *isa, const struct coding *coding, uint32_t background,
                       uint32_t words[5]) {
    const struct format *format = isa->formats[coding->format];
    for (int i = 0; i < 5; i++) words[i] = background == 1 ? next_random() : background;
    words[0] = (words[0] & ~format->mask) | format->match;
    for (unsigned i = 1; i < format->words; i++)
        words[i] = (words[i] & ~format->tail_mask[i - 1]) | format->tail_match[i - 1];
    for (unsigned i = 0; i < format->op_parts; i++)
        set_part(words, &format->parts[i], (uint32_t)coding->op >> format->parts[i].at);
}

static const uint16_t edges[] = {0,   1,   2,   101, 102, 104, 106, 107, 108, 123, 124, 125, 126, 127, 128,
                                 129, 192, 193, 208, 209, 230, 233, 234, 235, 239, 240, 247, 248, 249, 250,
                                 251, 252, 253, 254, 255, 256, 257, 258, 383, 384, 385, 510, 511};
enum { EDGES = sizeof edges / sizeof *edges };

// A value as assemblers write it more often than chance would: nothing, an end, a constant's number.
static uint32_t likely_value(const struct part *p) {
    uint32_t r = next_random(), v = next_random();
    if (p->width <= 5) return r & 3 ? 0 : v;
    if (p->width > 9) return r & 1 ? 0 : v;
    return r & 1 ? edges[v % EDGES] : v;
}

static uint32_t likely_word(void) { // what follows: a literal, or the word of DPP or SDWA
    static const uint32_t words[] = {0,          1,          64,         65,         0xffffffff,
                                     0x3f800000, 0x3e22f983, 0x3c00,     0x3118,     0x3f80,
                                     0xffff,     0x8000,     0xbf800000, 0x3c003c00, 0x7fffffff};
    uint32_t r = next_random();
    if (r & 1) return next_random();
    if (r & 2) return words[next_random() % (sizeof words / sizeof *words)];
    return next_random() & next_random() & next_random() & (r & 4 ? 0xff : ~0u);
}

// Words with this opcode as they come, half of them with fields and literals that are likely.
static void try_random(const sw_isa_mode *mode, const struct isa *isa, const struct coding *coding,
                       unsigned count, struct counts *c) {
    const struct format *format = isa->formats[coding->format];
    uint32_t words[5];
    for (unsigned i = 0; i < count; i++) {
        base_words(isa, coding, 1, words);
        for (unsigned k = format->op_parts; i & 1 && k < format->part_count; k++)
            set_part(words, &format->parts[k], likely_value(&format->parts[k]));
        for (unsigned k = format->words; k < 5; k++) words[k] = likely_word();
        try_words(mode, words, c);
    }
}

// Each row as the first or second half of a VOPD, the other half by chance.
static void try_halves(const sw_isa_mode *mode, const struct isa *isa, const struct coding *coding,
                       unsigned count, struct counts *c) {
    const bool wide = coding->format >= FMT_VOPD3X;
    const struct format *format = isa->formats[wide ? FMT_VOPD3 : FMT_VOPD];
    enum field half = coding->format == FMT_VOPDX || coding->format == FMT_VOPD3X ? F_opx : F_op;
    uint32_t words[5];
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < 5; k++) words[k] = k < format->words ? next_random() : likely_word();
        words[0] = (words[0] & ~format->mask) | format->match;
        for (unsigned k = 0; k < format->part_count; k++) {
            const struct part *p = &format->parts[k];
            if (p->field == half) set_part(words, p, (uint32_t)coding->op >> p->at);
            if (p->width == 9 && i & 1) set_part(words, p, likely_value(p));
        }
        try_words(mode, words, c);
    }
}

static void try_coding(const sw_isa_mode *mode, const struct isa *isa, const struct coding *coding,
                       unsigned count, struct counts *c) {
    static const char *const halves[] = {"VOPDX", "VOPDY", "VOPD3X", "VOPD3Y"};
    const bool half = coding->format >= FMT_VOPDX;
    seed(row_id(&isa_rows[coding->row]),
         half ? halves[coding->format - FMT_VOPDX] : format_names[coding->format]);
    if (half) {
        try_halves(mode, isa, coding, count, c);
        return;
    }
    const struct format *format = isa->formats[coding->format];
    uint32_t words[5];
    for (unsigned i = format->op_parts; i < format->part_count; i++) {
        const struct part *p = &format->parts[i];
        unsigned values = p->width <= 5 ? 1u << p->width : EDGES;
        for (unsigned v = 0; v < values; v++)
            for (uint32_t background = 0; background < 2; background++) {
                base_words(isa, coding, background, words);
                set_part(words, p, p->width <= 5 ? v : p->width > 9 ? edges[v] * 0x10101u : edges[v]);
                try_words(mode, words, c);
            }
    }
    try_random(mode, isa, coding, count, c);
}

static void every_encoding_and_field(void **state) {
    (void)state;
    const char *asked = getenv("ROUND_TRIP_WORDS"); // random ones an encoding
    unsigned count = asked ? (unsigned)atoi(asked) : 24;
    struct counts all = {0};
    size_t sets = 0;
    for (size_t i = 0; i < sw_processor_count(); i++) {
        const sw_processor *p = sw_processor_at(i);
        const struct isa *isa = isa_of(p);
        bool seen = !isa;
        for (size_t k = 0; k < i && !seen; k++)
            seen = isa_of(sw_processor_at(k)) && isa_of(sw_processor_at(k))->codings == isa->codings;
        if (seen) continue;
        sw_isa_mode mode = {.size = sizeof mode};
        assert_int_equal(sw_isa_mode_init(&mode, p), SW_OK);
        struct counts c = {0};
        for (unsigned k = 0; k < isa->row_codings[isa_row_count]; k++)
            try_coding(&mode, isa, &isa->codings[k], count, &c);
        seed("words of any kind", "");
        for (int k = 0; k < 20000; k++) { // no matter what
            uint32_t words[5];
            for (int w = 0; w < 5; w++) words[w] = next_random();
            try_words(&mode, words, &c);
        }
        print_message("%-16s %8llu words: %8llu the same again, %llu but for ignored bits, %llu others, %llu "
                      "refused; %8llu data (%.2f %%), %8llu undecoded\n",
                      sw_processor_name(p), (unsigned long long)c.words, (unsigned long long)c.same,
                      (unsigned long long)c.ignored, (unsigned long long)c.other,
                      (unsigned long long)c.refused, (unsigned long long)c.data,
                      100.0 * (double)c.data / (double)(c.words - c.undecoded),
                      (unsigned long long)c.undecoded);
        all.same += c.same;
        all.other += c.other;
        all.refused += c.refused;
        sets++;
    }
    assert_true(sets >= 20 && all.same > 2000000);
    assert_int_equal(all.other, 0);
    assert_int_equal(all.refused, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_encoding_and_field)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
