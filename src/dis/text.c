// SPDX-License-Identifier: MIT
// Appending to the line being printed.
#include "dis/print.h"

void put_char(struct printer *p, char c) {
    if (p->p < p->end) *p->p++ = c;
}

void printer_put(struct printer *p, const char *s) {
    char *q = p->p, *end = p->end; // characters may alias the printer itself, as far as a compiler knows
    while (*s && q < end) *q++ = *s++;
    p->p = q;
}

void put_number(struct printer *p, unsigned v) {
    if (p->end - p->p < 3) return;
    char *q = p->p;
    if (v >= 100) *q++ = (char)('0' + v / 100);
    if (v >= 10) *q++ = (char)('0' + v / 10 % 10);
    *q++ = (char)('0' + v % 10);
    p->p = q;
}

void put_dec(struct printer *p, int64_t v) {
    if (v < 0) put_char(p, '-');
    uint64_t rest = v < 0 ? -(uint64_t)v : (uint64_t)v;
    if (rest < 1000) {
        put_number(p, (unsigned)rest);
        return;
    }
    char digits[24], *q = digits + sizeof digits;
    *--q = 0;
    do *--q = (char)('0' + rest % 10);
    while (rest /= 10);
    printer_put(p, q);
}

void put_hex(struct printer *p, uint64_t v) {
    char digits[24], *q = digits + sizeof digits;
    *--q = 0;
    do *--q = "0123456789abcdef"[v & 15];
    while (v >>= 4);
    *--q = 'x';
    *--q = '0';
    printer_put(p, q);
}

void put_field(struct printer *p, const char *label, int64_t v) {
    put_char(p, ' ');
    printer_put(p, label);
    put_char(p, ':');
    put_dec(p, v);
}

void put_flag(struct printer *p, enum field field, const char *text) {
    if (!p->in->f[field]) return;
    put_char(p, ' ');
    printer_put(p, text);
}

void put_list(struct printer *p, const char *label, unsigned bit_mask, unsigned count) {
    put_char(p, ' ');
    printer_put(p, label);
    printer_put(p, ":[");
    for (unsigned i = 0; i < count; i++) {
        if (i) put_char(p, ',');
        put_char(p, (char)('0' + (bit_mask >> i & 1)));
    }
    put_char(p, ']');
}
