// SPDX-License-Identifier: MIT
// Appending to the line being printed.
#include "dis/print.h"

void put_char(struct printer *p, char c) {
    if (p->p < p->end) *p->p++ = c;
}

void put(struct printer *p, const char *s) {
    while (*s && p->p < p->end) *p->p++ = *s++;
}

static void put_digits(struct printer *p, uint64_t v, unsigned base) {
    if (v < base) { // most register numbers and offsets are small
        put_char(p, "0123456789abcdef"[v]);
        return;
    }
    char digits[24];
    unsigned n = 0;
    do digits[n++] = "0123456789abcdef"[v % base];
    while (v /= base);
    while (n) put_char(p, digits[--n]);
}

void put_dec(struct printer *p, int64_t v) {
    if (v < 0) put_char(p, '-');
    put_digits(p, v < 0 ? -(uint64_t)v : (uint64_t)v, 10);
}

void put_hex(struct printer *p, uint64_t v) {
    put(p, "0x");
    put_digits(p, v, 16);
}

void put_field(struct printer *p, const char *label, int64_t v) {
    put_char(p, ' ');
    put(p, label);
    put_char(p, ':');
    put_dec(p, v);
}

void put_flag(struct printer *p, enum field field, const char *text) {
    if (!p->in->f[field]) return;
    put_char(p, ' ');
    put(p, text);
}

void put_list(struct printer *p, const char *label, unsigned bit_mask, unsigned count) {
    put_char(p, ' ');
    put(p, label);
    put(p, ":[");
    for (unsigned i = 0; i < count; i++) {
        if (i) put_char(p, ',');
        put_char(p, (char)('0' + (bit_mask >> i & 1)));
    }
    put_char(p, ']');
}
