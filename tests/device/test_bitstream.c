// SPDX-License-Identifier: MIT
// Bit streams as numbers and back: everything that LLVM's container has comes back bit by bit, and what is
// cut off or changed ends with a result or none. (The build holds its own bitcode against what comes back,
// gather.c.)
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "jit/bitstream.h"

struct writer {
    uint8_t bytes[512];
    size_t bit;
};
static void bits(struct writer *w, uint64_t v, unsigned width) {
    for (unsigned i = 0; i < width; i++, w->bit++)
        if (v >> i & 1) w->bytes[w->bit / 8] |= (uint8_t)(1u << w->bit % 8);
}
static void vbr(struct writer *w, uint64_t v, unsigned width) {
    const uint64_t more = 1ull << (width - 1);
    for (; v >= more; v >>= width - 1) bits(w, (v & (more - 1)) | more, width);
    bits(w, v, width);
}
static void align(struct writer *w) { w->bit = (w->bit + 31) / 32 * 32; }
static size_t enter(struct writer *w, unsigned id_width, uint64_t block, unsigned width) {
    bits(w, 1, id_width);
    vbr(w, block, 8);
    vbr(w, width, 4);
    align(w);
    w->bit += 32;
    return w->bit;
}
static void leave(struct writer *w, unsigned width, size_t begin) {
    bits(w, 0, width);
    align(w);
    const uint32_t words = (uint32_t)((w->bit - begin) / 32);
    memcpy(w->bytes + begin / 8 - 4, &words, 4);
}
static void plain(struct writer *w, unsigned width, uint64_t code, uint64_t count, const uint64_t *v) {
    bits(w, 3, width);
    vbr(w, code, 6);
    vbr(w, count, 6);
    for (uint64_t i = 0; i < count; i++) vbr(w, v[i], 6);
}

// A stream whose info block describes block 9 with a literal and an array of char6, and block 9 itself adds a
// layout of a fixed, a wide and a variable number and one of a blob, in a block within.
static size_t make(struct writer *w) {
    static const uint64_t of_nine[] = {9}, values[] = {0, 1, 31, 32, UINT32_MAX, 1ull << 63, UINT64_MAX};
    *w = (struct writer){{0}, 0};
    bits(w, 0xdec04342, 32);
    const size_t info = enter(w, 2, 0, 2);
    plain(w, 2, 1, 1, of_nine);
    bits(w, 2, 2); // literal 7, array of char6
    vbr(w, 3, 5);
    bits(w, 1, 1), vbr(w, 7, 8);
    bits(w, 0, 1), bits(w, 3, 3);
    bits(w, 0, 1), bits(w, 4, 3);
    leave(w, 2, info);
    const size_t nine = enter(w, 2, 9, 4);
    plain(w, 4, 3, sizeof values / sizeof *values, values);
    bits(w, 2, 4); // fixed 3, fixed 32, variable 6, fixed 0
    vbr(w, 4, 5);
    bits(w, 0, 1), bits(w, 1, 3), vbr(w, 3, 5);
    bits(w, 0, 1), bits(w, 1, 3), vbr(w, 32, 5);
    bits(w, 0, 1), bits(w, 2, 3), vbr(w, 6, 5);
    bits(w, 0, 1), bits(w, 1, 3), vbr(w, 0, 5);
    bits(w, 4, 4), vbr(w, 5, 6); // the info block's: five letters
    for (unsigned i = 0; i < 5; i++) bits(w, 7 * i + 1, 6);
    bits(w, 5, 4), bits(w, 5, 3), bits(w, 0xfedcba98, 32), vbr(w, 1234567, 6);
    const size_t inner = enter(w, 4, 10, 3);
    bits(w, 2, 3); // a blob
    vbr(w, 1, 5);
    bits(w, 0, 1), bits(w, 5, 3);
    bits(w, 4, 3), vbr(w, 5, 6);
    align(w);
    for (unsigned i = 0; i < 5; i++) bits(w, 0xf0 + i, 8);
    align(w);
    leave(w, 3, inner);
    bits(w, 5, 4), bits(w, 2, 3), bits(w, 1, 32), vbr(w, 0, 6); // block 9's layouts again
    leave(w, 4, nine);
    return w->bit / 8;
}

static void what_is_written_comes_back(void **state) {
    (void)state;
    struct writer w;
    size_t count, back;
    const size_t size = make(&w);
    uint8_t *numbers = bitstream_to_numbers(w.bytes, size, &count);
    assert_non_null(numbers);
    uint8_t *bitcode = bitstream_from_numbers(numbers, count, &back);
    assert_non_null(bitcode);
    assert_int_equal(back, size);
    assert_memory_equal(bitcode, w.bytes, size);
    free(bitcode);
    free(numbers);
}

static void what_is_cut_off_is_refused(void **state) {
    (void)state;
    struct writer w;
    size_t count, out;
    const size_t size = make(&w);
    uint8_t *numbers = bitstream_to_numbers(w.bytes, size, &count);
    for (size_t n = 0; n < size; n += 4) {
        uint8_t *cut = bitstream_to_numbers(w.bytes, n, &out);
        if (!n || n > size - 64) assert_null(cut); // within the last block
        free(cut);
    }
    assert_null(bitstream_from_numbers(numbers, count - 1, &out));
    assert_null(bitstream_from_numbers(numbers, 0, &out));
    free(numbers);
}

static void what_is_changed_ends(void **state) {
    (void)state;
    struct writer w;
    size_t count, out;
    const size_t size = make(&w);
    uint8_t *numbers = bitstream_to_numbers(w.bytes, size, &count);
    for (size_t i = 0; i < 8 * size; i++) {
        w.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
        free(bitstream_to_numbers(w.bytes, size, &out));
        w.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
    }
    for (size_t i = 0; i < 8 * count; i++) {
        numbers[i / 8] ^= (uint8_t)(1u << i % 8);
        free(bitstream_from_numbers(numbers, count, &out));
        numbers[i / 8] ^= (uint8_t)(1u << i % 8);
    }
    free(numbers);
}

int main(void) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_written_comes_back),
                                              cmocka_unit_test(what_is_cut_off_is_refused),
                                              cmocka_unit_test(what_is_changed_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
