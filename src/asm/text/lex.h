// SPDX-License-Identifier: MIT
// The smallest pieces of assembly text: names, numbers, strings. All of them read from *at up to `end`, leave
// *at behind what they took, and know nothing of symbols or statements.
#ifndef ASM_LEX_H
#define ASM_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum char_class {
    CHAR_NAME = 1,       // continues a name
    CHAR_NAME_START = 2, // may begin one
    CHAR_SPACE = 4,      // blank within a line
    CHAR_DIGIT = 8,
    CHAR_STOP = 16, // may end or bend a statement: newline ; / " '
};
extern const uint8_t char_class[256];
static inline bool char_is(char c, enum char_class k) { return char_class[(uint8_t)c] & k; }

static inline const char *skip_space(const char *p, const char *end) {
    while (p < end && char_is(*p, CHAR_SPACE)) p++;
    return p;
}
// A name: letters, digits, _ $ . ? and no digit first. False: there is none.
bool lex_name(const char **at, const char *end, struct slice *out);

enum number_kind { NUMBER_NONE, NUMBER_INTEGER, NUMBER_BIG, NUMBER_FLOAT, NUMBER_BEHIND, NUMBER_AHEAD };
struct number {
    enum number_kind kind; // BIG: an integer of more than 64 bits; BEHIND, AHEAD: the label 1b, 1f
    uint64_t low, high;    // of an integer, up to 128 bits
    const char *error;     // why a text that begins like a number is none
};
// Decimal, 0x, 0b, leading-0 octal, decimal and hexadecimal floats (whose text is [*at before, *at after)).
struct number lex_number(const char **at, const char *end);

// A character constant behind its opening quote. False with *error set: malformed.
bool lex_character(const char **at, const char *end, int64_t *out, const char **error);
// A string at its opening quote: escapes are resolved into *out (which is added to).
bool lex_string(const char **at, const char *end, struct text *out, const char **error);
// Steps over a string without resolving it; false when it has no end.
bool lex_skip_string(const char **at, const char *end);

#endif
