// SPDX-License-Identifier: MIT
// What loads, stores and atomics of a wave ask of memory: how many bytes, how many 64-byte lines these lie
// in, and of LDS, how often lanes want different dwords of one bank. Scalar loads, scratch, swizzled buffers
// and images are not looked at.
#include <stdlib.h>

#include "profile/profile.h"

enum { BANKS = 32, LINE = 64, MOST_LANES = 64 };

struct asked {
    uint64_t address[MOST_LANES];
    unsigned count;
};

// Adds one element of each active lane to what is asked of global memory and of LDS.
static void ask(const sw_insn_access *access, const sw_step *step, unsigned element, struct asked *global,
                struct asked *lds) {
    sw_step_place places[MOST_LANES];
    sw_step_places(step, access, element, places);
    for (unsigned lane = 0; lane < MOST_LANES; lane++) {
        const sw_step_place *p = &places[lane];
        struct asked *to = p->space == SW_STEP_GLOBAL ? global : p->space == SW_STEP_LDS ? lds : NULL;
        if (to) to->address[to->count++] = p->address;
    }
}

static int by_value(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool ascends(const uint64_t *a, unsigned n) {
    for (unsigned i = 1; i < n; i++)
        if (a[i] < a[i - 1]) return false;
    return true;
}

static uint64_t lines_of(uint64_t *a, unsigned n, unsigned bytes) {
    uint64_t lines = 0, next = 0; // the first line that is not counted
    if (!ascends(a, n)) qsort(a, n, sizeof *a, by_value);
    for (unsigned i = 0; i < n; i++) {
        uint64_t first = a[i] / LINE, last = (a[i] + bytes - 1) / LINE;
        if (first < next) first = next;
        if (last + 1 > first) lines += last + 1 - first, next = last + 1;
    }
    return lines;
}

// Lanes are served together as far as they ask for a dword of each bank: 32 of them for dwords, 16 for pairs.
static uint64_t conflicts(const uint64_t *a, unsigned n, unsigned bytes) {
    const unsigned dwords = bytes < 4 ? 1 : bytes / 4, together = BANKS / dwords ? BANKS / dwords : 1;
    uint64_t more = 0;
    for (unsigned first = 0; first < n; first += together) {
        uint64_t seen[BANKS * 4];
        unsigned in_bank[BANKS] = {0}, most = 1, count = 0;
        for (unsigned i = first; i < n && i < first + together; i++)
            for (unsigned d = 0; d < dwords && count < sizeof seen / sizeof *seen; d++) {
                const uint64_t dword = a[i] / 4 + d;
                unsigned k = 0;
                while (k < count && seen[k] != dword) k++;
                if (k < count) continue;
                seen[count++] = dword;
                if (++in_bank[dword % BANKS] > most) most = in_bank[dword % BANKS];
            }
        more += most - 1;
    }
    return more;
}

void memory_count(struct site *s, const sw_step *step) {
    const unsigned bytes = s->access.bytes;
    for (unsigned e = 0; bytes && e < s->access.elements; e++) {
        struct asked global = {.count = 0}, lds = {.count = 0};
        ask(&s->access, step, e, &global, &lds);
        s->counts.asked += (uint64_t)(global.count + lds.count) * bytes;
        s->counts.touched += LINE * lines_of(global.address, global.count, bytes);
        s->counts.conflicts += conflicts(lds.address, lds.count, bytes);
    }
}
