// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct text *t, size_t more) {
    if (t->failed) return false;
    if (t->length + more + 1 <= t->capacity) return true;
    size_t room = (t->length + more + 1) * 2;
    char *p = realloc(t->data, room);
    if (!p) {
        t->failed = true;
        return false;
    }
    t->data = p;
    t->capacity = room;
    return true;
}

void text_add(struct text *t, const char *s, size_t length) {
    if (!reserve(t, length)) return;
    if (length) memcpy(t->data + t->length, s, length);
    t->length += length;
    t->data[t->length] = 0;
}

void text_puts(struct text *t, const char *s) { text_add(t, s, strlen(s)); }

void text_printf(struct text *t, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n >= 0 && reserve(t, (size_t)n)) {
        vsnprintf(t->data + t->length, (size_t)n + 1, format, again);
        t->length += (size_t)n;
    }
    va_end(again);
}

void text_pad(struct text *t, size_t column) {
    size_t start = t->length;
    while (start && t->data[start - 1] != '\n') start--;
    while (!t->failed && t->length - start < column) text_add(t, " ", 1);
}

void text_free(struct text *t) {
    free(t->data);
    *t = (struct text){0};
}

static void quoted(struct text *t, const char *s) {
    text_puts(t, "\"");
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            text_printf(t, "\\%c", c);
        else if (c == '\n')
            text_puts(t, "\\n");
        else if (c < 0x20)
            text_printf(t, "\\u%04x", c);
        else
            text_add(t, s, 1);
    }
    text_puts(t, "\"");
}

static void item(struct json *j, const char *key) {
    if (j->has_item) text_puts(j->out, ",");
    if (j->depth) text_printf(j->out, "\n%*s", j->depth * 2, "");
    if (key) {
        quoted(j->out, key);
        text_puts(j->out, ": ");
    }
    j->has_item = true;
}

void json_open(struct json *j, const char *key, char bracket) {
    item(j, key);
    text_add(j->out, &bracket, 1);
    j->depth++;
    j->has_item = false;
}

void json_close(struct json *j, char bracket) {
    j->depth--;
    if (j->has_item) text_printf(j->out, "\n%*s", j->depth * 2, "");
    text_add(j->out, &bracket, 1);
    if (!j->depth) text_puts(j->out, "\n");
    j->has_item = true;
}

void json_string(struct json *j, const char *key, const char *value) {
    item(j, key);
    if (value)
        quoted(j->out, value);
    else
        text_puts(j->out, "null");
}
void json_uint(struct json *j, const char *key, uint64_t value) {
    item(j, key);
    text_printf(j->out, "%" PRIu64, value);
}
void json_int(struct json *j, const char *key, int64_t value) {
    item(j, key);
    text_printf(j->out, "%" PRId64, value);
}
void json_bool(struct json *j, const char *key, bool value) {
    item(j, key);
    text_puts(j->out, value ? "true" : "false");
}
void json_real(struct json *j, const char *key, double value) {
    item(j, key);
    if (isfinite(value))
        text_printf(j->out, "%.9g", value);
    else
        text_puts(j->out, "null");
}

// ---- Names of others ----

// Length of the well-formed UTF-8 sequence at s, 0 if there is none.
static size_t utf8_length(const unsigned char *s, size_t left) {
    size_t n = s[0] < 0x80                   ? 1
               : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
               : (s[0] & 0xf0) == 0xe0       ? 3
               : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                             : 0;
    if (!n || n > left) return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f))) return 0;
    if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))) return 0;
    return n;
}

void text_name(struct text *t, const char *name, size_t length) {
    const unsigned char *s = (const unsigned char *)name;
    for (size_t i = 0; i < length;) {
        size_t n = utf8_length(s + i, length - i);
        bool control = s[i] < 0x20 || s[i] == 0x7f || (n == 2 && s[i] == 0xc2 && s[i + 1] < 0xa0);
        if (n && !control)
            text_add(t, name + i, n);
        else
            text_printf(t, "\\x%02x", s[i]);
        i += n ? n : 1;
    }
}

void json_name(struct json *j, const char *key, const char *name, size_t length) {
    struct text safe = {0};
    text_add(&safe, "", 0);
    text_name(&safe, name, length);
    if (safe.failed)
        j->out->failed = true;
    else
        json_string(j, key, safe.data);
    text_free(&safe);
}

// ---- Hexadecimal ----

static int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

size_t parse_hex_bytes(const char *line, size_t length, uint8_t *out, size_t capacity, size_t *bad) {
    size_t count = 0, i = 0;
    *bad = length;
    while (i < length) {
        char c = line[i], next = i + 1 < length ? line[i + 1] : 0;
        if (c == ';' || c == '#' || (c == '/' && next == '/')) break;
        if (c && strchr(" \t\r\v\f,[]", c)) {
            i++;
            continue;
        }
        if (c == '0' && (next | 32) == 'x') {
            i += 2;
            c = i < length ? line[i] : 0;
            next = i + 1 < length ? line[i + 1] : 0;
        }
        int high = hex_value(c), low = hex_value(next);
        if (high < 0 || low < 0 || count == capacity) {
            *bad = i < length ? i : length - 1;
            break;
        }
        out[count++] = (uint8_t)(high << 4 | low);
        i += 2;
    }
    return count;
}
