// SPDX-License-Identifier: MIT
// Transposed loads: lanes of a group load a row each, and a lane gets its column. CDNA4 11.4: 16 lanes have
// 16 rows of 16 elements, or eight of 8 bits, or four of 16, which lie in a row one behind the other. RDNA4
// and CDNA5, of 16 bits: the figures of 10.9, eight lanes and rows of eight. Of 4 and 6 bits: ERR-45. CDNA5,
// of 8 bits: all lanes have one tile of 16 rows and columns; four lanes load the left halves of four rows,
// the next four the right halves (ERR-39).
#ifndef TESTS_PSEUDOCODE_TRANSPOSED_PAIRS_H
#define TESTS_PSEUDOCODE_TRANSPOSED_PAIRS_H

#include "row_runner.h"

enum { X_ADDRESS = 2, X_DATA = 8, X_APART = 64 };

static unsigned bits_of_element(const struct row *row) {
    static const struct {
        const char *part;
        unsigned bits;
    } parts[] = {{"tr_b16", 16}, {"tr_b4", 4}, {"tr_b6", 6}, {"tr_b8", 8}, {"tr_b128", 16},
                 {"tr_b64", 8},  {"tr16", 16}, {"tr4", 4},   {"tr6", 6},   {"tr8", 8}};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *at = strstr(row_id(row), parts[i].part);
        const char end = at ? at[strlen(parts[i].part)] : 'x';
        if (!end || end == '_') return parts[i].bits;
    }
    return 0;
}
static bool is_transposed(const struct row *row) {
    return strstr(row_id(row), "load_") && bits_of_element(row);
}
static bool is_tile(const struct row_rig *r, const struct row *row) {
    return bits_of_element(row) == 8 && generation_within(r->isa->generation, GFX12);
}
static unsigned bits_of_lane(const struct row *row) {
    return strstr(row_id(row), "b128") ? 128 : strstr(row_id(row), "b96") ? 96 : 64;
}
static bool make_transposed(struct row_rig *r, struct row_trial *t) {
    if (r->lanes == 64 && generation_within(r->isa->generation, GFX12)) return false; // other registers
    // RDNA4 does not say where bytes go.
    if (is_tile(r, t->row) && !generation_within(r->isa->generation, GFX12_5)) return false;
    const bool lds = t->format == FMT_DS;
    t->in.f[lds ? F_offset0 : F_offset] = 16 * (int)(row_random() % 4);
    t->in.f[lds ? F_addr : F_vaddr] = SRC_VGPR0 + X_ADDRESS, t->in.f[F_vdst] = SRC_VGPR0 + X_DATA;
    if (!lds) t->in.f[F_saddr] = (int)r->isa->null_register;
    return true;
}
static void set_transposed(struct row_rig *r, const struct row_trial *t) {
    r->exec = r->lanes == 64 ? ~0ull : 0xffffffff;
    for (unsigned l = 0; l < r->lanes; l++) { // anywhere
        const uint64_t at = X_APART * ((l * 29 + t->number) % 64);
        const uint64_t base = t->format == FMT_DS ? 0 : (uint64_t)(uintptr_t)r->memory;
        r->before.v[X_ADDRESS][l] = (uint32_t)(base + at);
        r->before.v[X_ADDRESS + 1][l] = t->format == FMT_DS ? 0 : (uint32_t)((base + at) >> 32);
    }
}
static uint32_t loaded_element(const struct row_rig *r, const struct row_trial *t, unsigned lane,
                               unsigned n) {
    const unsigned bits = bits_of_element(t->row),
                   offset = (unsigned)(t->in.f[F_offset] | t->in.f[F_offset0]);
    const uint8_t *from = (t->format == FMT_DS ? r->before.lds : r->before.memory) +
                          X_APART * ((lane * 29 + t->number) % 64) + offset;
    uint32_t v = 0;
    for (unsigned b = 0; b < bits; b++)
        v |= (uint32_t)(from[(n * bits + b) / 8] >> (n * bits + b) % 8 & 1) << b;
    return v;
}
// Element n of the result's lane.
static uint32_t wanted_element(const struct row_rig *r, const struct row_trial *t, unsigned lane,
                               unsigned n) {
    const unsigned bits = bits_of_element(t->row), count = bits_of_lane(t->row) / bits;
    if (is_tile(r, t->row)) {
        uint32_t tile[16][16];
        for (unsigned l = 0; l < 32; l++)
            for (unsigned i = 0; i < 8; i++)
                tile[l / 8 * 4 + l % 4][l / 4 % 2 * 8 + i] = loaded_element(r, t, l, i);
        return tile[lane / 16 * 8 + n][lane % 16];
    }
    const unsigned group = bits == 16 && count == 8 ? 8 : 16, flat = n * group + lane % group;
    return loaded_element(r, t, lane / group * group + flat / count, flat % count);
}
static void check_transposed(struct row_rig *r, const struct row_trial *t) {
    const unsigned bits = bits_of_element(t->row), count = bits_of_lane(t->row) / bits;
    row_others_stay(r, t, X_DATA, bits_of_lane(t->row) / 32);
    row_memory_is(r, t, r->before.memory, r->before.lds);
    for (unsigned l = 0; l < r->lanes; l++)
        for (unsigned j = 0; j < count; j++) {
            const uint32_t want = wanted_element(r, t, l, j);
            uint32_t got = 0;
            for (unsigned b = 0; b < bits; b++)
                got |= (r->after.v[X_DATA + (j * bits + b) / 32][l] >> (j * bits + b) % 32 & 1) << b;
            if (got != want) row_fail(r, t, "an element", l, want, got);
        }
}
static const struct row_kind transposed_kind = {make_transposed, set_transposed, check_transposed};

#endif
