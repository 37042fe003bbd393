// SPDX-License-Identifier: MIT
// One piece of a copy or fill.
#include <string.h>

#include "sched/launch.h"

enum { PATTERN_ROOM = 4096 };

static void fill(char *to, uint64_t bytes, const struct transfer *t) {
    if (t->value_bytes == 1) {
        memset(to, (int)(t->value & 255), bytes);
        return;
    }
    char pattern[PATTERN_ROOM];
    const uint64_t room = bytes < sizeof pattern ? bytes : sizeof pattern;
    for (uint64_t i = 0; i < room; i++) pattern[i] = (char)(t->value >> 8 * (i % t->value_bytes));
    for (uint64_t n; bytes; bytes -= n, to += n) memcpy(to, pattern, n = bytes < room ? bytes : room);
}

static void move(const struct transfer *t, uint64_t row, uint64_t offset, uint64_t bytes) {
    const uint64_t slice = row / t->rows;
    row %= t->rows;
    char *to = t->to + slice * t->to_slice + row * t->to_pitch + offset;
    if (t->from)
        memmove(to, t->from + slice * t->from_slice + row * t->from_pitch + offset, bytes);
    else
        fill(to, bytes, t);
}

void transfer_piece(const struct transfer *t, uint64_t number) {
    const uint64_t rows = t->rows * t->slices;
    if (rows == 1) {
        const uint64_t at = number * t->piece, left = t->bytes - at;
        move(t, 0, at, left < t->piece ? left : t->piece);
        return;
    }
    uint64_t row = number * t->piece, end = row + t->piece < rows ? row + t->piece : rows;
    for (; row < end; row++) move(t, row, 0, t->bytes);
}
