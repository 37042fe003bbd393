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
