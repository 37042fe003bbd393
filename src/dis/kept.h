// SPDX-License-Identifier: MIT
// Compiled code repeats itself, and the text of an instruction depends on its words alone, but for branch
// targets. So the last lines are kept, found by a hash of their words. A set of the table has four places,
// one of which the next line takes; lines lie in a ring, oldest first.
#ifndef DIS_KEPT_H
#define DIS_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_COLUMN = 59, KEPT_LINE = 1 + TEXT_COLUMN + 3, KEPT_WORDS = 3 };

struct kept_line {
    uint32_t words[KEPT_WORDS]; // those past `size` are 0
    uint8_t size;               // bytes
    bool wave32;
    char text[KEPT_LINE + 1]; // tab, text, spaces up to its column, "// "; and a byte to copy 64 at once
};

struct kept_place {
    uint32_t hash;
    uint32_t serial; // of the line; 0: empty
};

struct kept {
    struct kept_place *places; // `count` of them, in sets of four
    struct kept_line *lines;   // `count`
    uint32_t count, serial;    // a power of two; the last line's serial
    uint8_t sizes[512]; // of kept instructions with these nine top bits in the first word: bit n, n+1 words
};

// For `code` bytes of code. False: no memory.
bool kept_open(struct kept *k, size_t code);
void kept_close(struct kept *k);

// The line of the instruction that these bytes begin with, or NULL.
const struct kept_line *kept_find(const struct kept *k, const uint8_t *bytes, size_t available, bool wave32);

// Keeps it, unless it is too long.
void kept_add(struct kept *k, const uint8_t *bytes, size_t size, bool wave32, const char *text,
              size_t length);

#endif
