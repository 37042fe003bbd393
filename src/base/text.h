// SPDX-License-Identifier: MIT
// Building text in memory: a sticky-error string, and a JSON writer on top of it.
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <string.h>

#include "base/diag.h"

// A growing string. After an allocation failure `failed` is set and further calls do nothing.
struct text {
    char *data; // NUL-terminated once anything was added
    size_t length, capacity;
    bool failed;
};

void text_add(struct text *t, const char *s, size_t length);
void text_puts(struct text *t, const char *s);
void text_printf(struct text *t, const char *format, ...) PRINTF_LIKE(2, 3);
void text_pad(struct text *t, size_t column); // spaces until the current line has `column` characters
void text_free(struct text *t);

// JSON: commas and indentation are the writer's business. A key of NULL means an array element.
struct json {
    struct text *out;
    int depth;
    bool has_item;
};

void json_open(struct json *j, const char *key, char bracket);        // '{' or '['
void json_close(struct json *j, char bracket);                        // '}' or ']'
void json_string(struct json *j, const char *key, const char *value); // NULL value: null
void json_uint(struct json *j, const char *key, uint64_t value);
void json_int(struct json *j, const char *key, int64_t value);
void json_bool(struct json *j, const char *key, bool value);
void json_real(struct json *j, const char *key, double value);

// Text that lies elsewhere.
struct slice {
    const char *text;
    size_t length;
};

static inline bool slice_is(struct slice s, const char *word) {
    return strlen(word) == s.length && !memcmp(s.text, word, s.length);
}

// A name that others gave, with bytes that a terminal or JSON would mind written as \xNN; UTF-8 stays.
void text_name(struct text *t, const char *name, size_t length);
void json_name(struct json *j, const char *key, const char *name, size_t length);

// Reads bytes in hexadecimal, apart by spaces, commas, brackets or 0x or not at all; '#', ';' and "//" end
// the line. Returns their number; *bad is the place of what is no byte or does not fit, else `length`.
size_t parse_hex_bytes(const char *line, size_t length, uint8_t *out, size_t capacity, size_t *bad);

#endif
