// SPDX-License-Identifier: MIT
// URIs of loaded code objects, as debuggers and the runtime name them (OBJ-55 to OBJ-59):
// "file://PATH[#offset=N&size=N]" and "memory://PID#offset=N&size=N", numbers as C literals.
#include "base/diag.h"
#include "base/sized.h"
#include "softwave/object.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct cursor {
    const char *start, *at, *end;
    const sw_sink *sink;
};

static sw_status bad(const struct cursor *c, const char *message) {
    sw_location at = {.line = 1,
                      .column = (uint32_t)(c->at - c->start) + 1,
                      .line_text = c->start,
                      .line_length = (size_t)(c->end - c->start)};
    return diag_fail(c->sink, SW_BAD_INPUT, &at, "%s", message);
}

static bool skip(struct cursor *c, const char *word) {
    size_t n = strlen(word);
    if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n)) return false;
    c->at += n;
    return true;
}

static int digit(char ch) {
    if (ch >= '0' && ch <= '9') return ch - '0';
    if (ch >= 'a' && ch <= 'f') return ch - 'a' + 10;
    if (ch >= 'A' && ch <= 'F') return ch - 'A' + 10;
    return 99;
}

// OBJ-56: 0x and 0X hexadecimal, a leading 0 octal, else decimal.
static sw_status number(struct cursor *c, bool decimal_only, uint64_t *out) {
    int base = 10;
    if (!decimal_only) {
        if (skip(c, "0x") || skip(c, "0X"))
            base = 16;
        else if (c->end - c->at > 1 && c->at[0] == '0' && digit(c->at[1]) < 10)
            base = 8, c->at++;
    }
    uint64_t v = 0;
    const char *first = c->at;
    for (; c->at < c->end && digit(*c->at) < base; c->at++)
        if (__builtin_mul_overflow(v, (uint64_t)base, &v) ||
            __builtin_add_overflow(v, (uint64_t)digit(*c->at), &v))
            return bad(c, "the number exceeds 64 bits");
    if (c->at == first) return bad(c, "expected a number");
    *out = v;
    return SW_OK;
}

static sw_status range(struct cursor *c, sw_uri *u) {
    if (!skip(c, "#") && !skip(c, "?")) return bad(c, "expected '#' or '?'");
    if (!skip(c, "offset=")) return bad(c, "expected 'offset='");
    sw_status s = number(c, false, &u->offset);
    if (s) return s;
    if (!skip(c, "&size=")) return bad(c, "expected '&size='");
    if ((s = number(c, false, &u->bytes))) return s;
    u->has_offset = u->has_size = true;
    return SW_OK;
}

static sw_status path(struct cursor *c, sw_uri *u) {
    size_t n = 0;
    for (; c->at < c->end && *c->at != '#' && *c->at != '?'; c->at++) {
        int value = (unsigned char)*c->at;
        if (*c->at == '%') {
            if (c->end - c->at < 3 || digit(c->at[1]) > 15 || digit(c->at[2]) > 15)
                return bad(c, "expected two hexadecimal digits behind '%'");
            value = digit(c->at[1]) * 16 + digit(c->at[2]);
            c->at += 2;
        }
        if (!value) return bad(c, "the path contains a NUL");
        if (n + 1 >= sizeof u->path) return bad(c, "the path is too long");
        u->path[n++] = (char)value;
    }
    u->path[n] = 0;
    return n ? SW_OK : bad(c, "expected a path");
}

static const struct sized kind = SIZED(sw_uri, path);

sw_status sw_uri_parse(const char *text, size_t length, sw_uri *out, const sw_sink *sink) {
    struct cursor c = {text, text, text + length, sink};
    sw_uri u = {0};
    sw_status s = sized_check(kind, out, sink);
    if (s) return s;
    if (skip(&c, "file://")) {
        s = path(&c, &u);
        if (!s && c.at < c.end) s = range(&c, &u);
    } else if (skip(&c, "memory://")) {
        u.is_memory = true;
        s = number(&c, true, &u.process);
        if (!s) s = range(&c, &u); // OBJ-58: mandatory
    } else
        return bad(&c, "expected 'file://' or 'memory://'");
    if (!s && c.at < c.end) s = bad(&c, "unexpected text behind the URI");
    if (!s) sized_fill(kind, out, &u);
    return s;
}

size_t sw_uri_format(const sw_uri *given, char *out, size_t capacity) {
    sw_uri own, *const u = &own;
    if (sized_take(kind, u, given, NULL)) return 0;
    char tail[80] = "";
    int n = 0;
    if (u->has_offset || u->is_memory)
        n = snprintf(tail, sizeof tail, "#offset=0x%" PRIx64 "&size=%" PRIu64, u->offset, u->bytes);
    size_t tail_length = (size_t)n, used;
    if (u->is_memory) {
        n = snprintf(out, capacity, "memory://%" PRIu64 "%s", u->process, tail);
        return (size_t)n < capacity ? (size_t)n : 0;
    }
    n = snprintf(out, capacity, "file://");
    if ((size_t)n >= capacity) return 0;
    used = (size_t)n;
    for (const char *p = u->path; *p; p++) {
        unsigned char ch = (unsigned char)*p;
        bool plain = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
                     memchr("/_.~-", ch, 5);
        if (capacity - used < 4) return 0;
        if (plain)
            out[used++] = (char)ch;
        else
            used += (size_t)snprintf(out + used, 4, "%%%02X", ch); // OBJ-57
    }
    if (capacity - used < tail_length + 1) return 0;
    memcpy(out + used, tail, tail_length + 1);
    return used + tail_length;
}
