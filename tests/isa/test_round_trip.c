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
    uint64_t words, padding, same, ignored, other, refused, data, undecoded;
};

static uint64_t random_state = 88172645463325252u;
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
        c->ignored++;
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
    for (unsigned i = 0; i < format->op_parts; i++)
        set_part(words, &format->parts[i], (uint32_t)coding->op >> format->parts[i].at);
}

static void try_coding(const sw_isa_mode *mode, const struct isa *isa, const struct coding *coding,
                       struct counts *c) {
    static const uint16_t edges[] = {0,   1,   2,   101, 102, 104, 106, 107, 108, 123, 124,
                                     125, 126, 127, 128, 129, 192, 193, 208, 209, 230, 233,
                                     234, 235, 239, 240, 247, 248, 249, 250, 251, 252, 253,
                                     254, 255, 256, 257, 258, 383, 384, 385, 510, 511};
    const struct format *format = isa->formats[coding->format];
    uint32_t words[5];
    for (unsigned i = format->op_parts; i < format->part_count; i++) {
        const struct part *p = &format->parts[i];
        unsigned values = p->width <= 5 ? 1u << p->width : sizeof edges / sizeof *edges;
        for (unsigned v = 0; v < values; v++)
            for (uint32_t background = 0; background < 2; background++) {
                base_words(isa, coding, background, words);
                set_part(words, p, p->width <= 5 ? v : p->width > 9 ? edges[v] * 0x10101u : edges[v]);
                try_words(mode, words, c);
            }
    }
    for (int i = 0; i < 24; i++) {
        base_words(isa, coding, 1, words);
        try_words(mode, words, c);
    }
}

static void every_encoding_and_field(void **state) {
    (void)state;
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
            if (isa->codings[k].format != FMT_VOPDX && isa->codings[k].format != FMT_VOPDY)
                try_coding(&mode, isa, &isa->codings[k], &c);
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
