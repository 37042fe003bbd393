// SPDX-License-Identifier: MIT
#include "base/similar.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST = 96 };

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }
static bool same(char a, char b) { return lower(a) == lower(b); }
static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

// Row i holds the distances from the first i characters of `a` to each beginning of `b`. A swap looks two
// rows back.
unsigned similar_distance(const char *a, size_t n, const char *b, size_t m, unsigned limit) {
    unsigned rows[3][LONGEST + 1];
    if (n > LONGEST || m > LONGEST || (n > m ? n - m : m - n) >= limit) return limit;
    for (size_t j = 0; j <= m; j++) rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        unsigned smallest = row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least(above[j - 1] + !same(a[i - 1], b[j - 1]), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = least(row[j], two_above[j - 2] + 1);
            smallest = least(smallest, row[j]);
        }
        if (smallest > limit) return limit;
    }
    return least(rows[n % 3][m], limit);
}

struct similar similar_to(const char *wanted, size_t length) {
    return (struct similar){.wanted = wanted, .length = length, .limit = 2 + (unsigned)(length / 4)};
}

void similar_consider(struct similar *s, const char *name) {
    const unsigned d = similar_distance(s->wanted, s->length, name, strlen(name), s->limit);
    if (d < s->limit && d < s->length) s->limit = d, s->best = name;
}
