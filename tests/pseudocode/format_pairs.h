// SPDX-License-Identifier: MIT
// Buffer rows with formats of a processor as whole instructions: what formats mean by their names
// (device/format_reference.h), and where elements lie and which are in range by the manuals
// (device/buffer_rules.h), on descriptors of the processor's own layout.
#ifndef TESTS_PSEUDOCODE_FORMAT_PAIRS_H
#define TESTS_PSEUDOCODE_FORMAT_PAIRS_H

#include "device/buffer_rules.h"
#include "device/format_reference.h"
#include "isa/names.h"
#include "row_runner.h"

enum { F_ADDRESS = 2, F_DATA = 8, F_RESOURCE = 8, F_SOFFSET = 20, SELECT_0 = 0, SELECT_1 = 1, SELECT_X = 4 };

// ---- What a row is ----

static bool is_formatted(const struct row *row) {
    return strstr(row_id(row), "buffer_") && strstr(row_id(row), "_format_");
}
static unsigned components_of(const struct row *row) {
    return (unsigned)strlen(strrchr(row_id(row), '_') + 1); // x, xy, xyz, xyzw
}
static bool is_store(const struct row *row) { return strstr(row_id(row), "_store_") != NULL; }
enum halves { WHOLE_DWORDS, PACKED_HALVES, HALVES_APART, UPPER_HALF };
static enum halves halves_of(const struct isa *isa, const struct row *row) {
    if (strstr(row_id(row), "_d16_hi_")) return UPPER_HALF;
    if (!strstr(row_id(row), "_d16_")) return WHOLE_DWORDS;
    return isa->packed_d16 ? PACKED_HALVES : HALVES_APART;
}
static enum srd_kind descriptor_kind(enum generation g) {
    return generation_within(g, GFX12)   ? SRD_GFX12
           : generation_within(g, GFX11) ? SRD_GFX11
           : generation_within(g, GFX10) ? SRD_GFX10
           : generation_within(g, GFX9)  ? SRD_GFX9
           : generation_within(g, GFX8)  ? SRD_GFX8
                                         : SRD_GFX6;
}

// ---- A case ----

// The number of a format with its name, where the processor numbers them by one field; -1: it has none.
static int unified_number(const struct isa *isa, unsigned data, unsigned number) {
    char want[60];
    snprintf(want, sizeof want, "BUF_FMT_%s_%s", data_names[data], number_names[number]);
    for (unsigned n = 1; n < 128; n++) {
        const char *name = isa_name(isa, NAME_BUFFER_FORMAT, n);
        if (name && !strcmp(name, want)) return (int)n;
    }
    return -1;
}
static int format_number(const struct isa *isa, unsigned data, unsigned number) {
    if (!exists(data, number) || number == NUMBER_SNORM_OGL) return -1;
    return generation_within(isa->generation, GFX10) ? unified_number(isa, data, number)
                                                     : (int)(data | number << 4);
}
static unsigned format_bytes(unsigned data) {
    unsigned width[4], bits = 0;
    for (unsigned c = widths(data, width); c; c--) bits += width[c - 1];
    return bits / 8;
}
static bool make_formatted(struct row_rig *r, struct row_trial *t) {
    int32_t *f = t->in.f;
    int number;
    do t->a = 1 + row_random() % 14, t->b = row_random() % 8;
    while ((number = format_number(r->isa, t->a, t->b)) < 0);
    const unsigned kind = t->number % 4;
    f[F_idxen] = kind & 1, f[F_offen] = kind >> 1;
    f[F_offset] = row_random() & 1 ? 16 * (int32_t)(row_random() % 4) : 4 * (int32_t)(row_random() % 16);
    f[F_vaddr] = SRC_VGPR0 + F_ADDRESS, f[F_vdata] = SRC_VGPR0 + F_DATA;
    f[F_srsrc] = F_RESOURCE, f[F_soffset] = F_SOFFSET;
    if (t->format == FMT_MTBUF) f[F_format] = number;
    return true;
}

static struct {
    struct buffer b;
    unsigned select[4], soffset, size;
    uint64_t at[64]; // behind memory's beginning
    bool in[64];
} formatted; // the trial that runs

static void draw_buffer(const struct row_rig *r, const struct row_trial *t) {
    static const uint32_t strides[] = {0, 4, 16, 32, 64};
    struct buffer *b = &formatted.b;
    const enum srd_kind kind = descriptor_kind(r->isa->generation);
    *b = (struct buffer){.kind = kind,
                         .base = 0x400,
                         .stride = strides[row_random() % 5],
                         .index_stride = 8u << row_random() % 4,
                         .element = 4,
                         .swizzled = row_random() & 1,
                         .add_tid = row_random() % 4 == 0,
                         .oob = row_random() % 4,
                         .unbound = row_random() % 32 == 0 && t->format == FMT_MUBUF};
    if (kind <= SRD_GFX8 || kind >= SRD_GFX11) b->element = row_random() & 1 ? 16 : 4;
    // An access stays within one element.
    if ((unsigned)t->in.f[F_offset] % b->element + formatted.size > b->element) b->swizzled = false;
    // ERR-30
    b->soffset_counts = kind != SRD_GFX6 && (kind != SRD_GFX9 || r->isa->generation == GFX90A);
    if (b->unbound) b->add_tid = false;
    b->records = b->stride && row_random() & 1 ? row_random() % 40 : row_random() % 1200;
    if (row_random() % 3 == 0) b->records = 4000;
}
// Components of memory in registers: of loads 0, 1 or one of those that there are; of stores any order.
static void draw_selection(const struct row_trial *t, unsigned components) {
    unsigned *s = formatted.select;
    for (unsigned c = 0; c < 4; c++) s[c] = formatted.b.unbound ? SELECT_0 : SELECT_X + c;
    if (t->format != FMT_MUBUF || formatted.b.unbound) return;
    if (is_store(t->row)) {
        for (unsigned c = 3; c; c--) {
            const unsigned with = row_random() % (c + 1), was = s[c];
            s[c] = s[with], s[with] = was;
        }
        return;
    }
    for (unsigned c = 0; c < 4; c++)
        s[c] = row_random() % 4 ? SELECT_X + row_random() % components : row_random() % 2;
}
static void put_resource(struct row_rig *r, const struct row_trial *t) {
    uint32_t word[4];
    struct buffer b = formatted.b;
    b.base += (uint64_t)(uintptr_t)r->memory;
    lay_out(&b, word);
    word[3] &= ~(127u << 12); // its format
    if (t->format == FMT_MUBUF && !b.unbound) {
        const unsigned n = (unsigned)format_number(r->isa, t->a, t->b);
        word[3] |= b.kind >= SRD_GFX10 ? n << 12 : (n >> 4) << 12 | (n & 15) << 15;
    } else if (!b.unbound)
        word[3] |= b.kind >= SRD_GFX10 ? 20u << 12 : 4u << 15; // any that there is
    if (b.kind == SRD_GFX10) word[3] |= 1u << 24;
    for (unsigned c = 0; c < 4; c++) word[3] |= formatted.select[c] << 3 * c;
    memcpy(&r->before.s[F_RESOURCE], word, sizeof word);
}
// Where a lane's element is, and whether all of it is in range.
static void place_lane(const struct row_trial *t, unsigned l, uint32_t index, uint32_t offset) {
    const struct buffer *b = &formatted.b;
    uint64_t at;
    bool in = true;
    for (unsigned c = 0; c < (formatted.size + 3) / 4; c++) {
        in &=
            locate(b, t->in.f[F_idxen], false, index + (b->add_tid ? l : 0),
                   (uint64_t)(uint32_t)t->in.f[F_offset] + offset, formatted.soffset, formatted.size, c, &at);
        if (!c) formatted.at[l] = at;
    }
    formatted.in[l] = in && !b->unbound;
    assert_true(!formatted.in[l] || formatted.at[l] + 16 <= ROW_MEMORY);
}
static uint32_t near_float(const struct row_trial *t) { // what stores round, and what they limit
    const double v = (double)(int32_t)row_random() / 0x80000000;
    const double scales[] = {1.2, 1, 300, 70000};
    if (row_random() % 16 == 0) return row_random();
    return float_bits((float)(v * (t->b == NUMBER_FLOAT ? 1e5 : scales[row_random() % 4])));
}
static void set_formatted(struct row_rig *r, const struct row_trial *t) {
    const bool linear_index = row_random() & 1;
    const enum halves halves = halves_of(r->isa, t->row);
    unsigned width[4];
    formatted.size = format_bytes(t->a);
    draw_buffer(r, t);
    draw_selection(t, widths(t->a, width));
    put_resource(r, t);
    formatted.soffset = r->before.s[F_SOFFSET] = 16 * (row_random() % 4);
    for (unsigned l = 0; l < r->lanes; l++) {
        uint32_t index = linear_index ? l % 24 : row_random() % 24, offset = 16 * (row_random() % 8),
                 v = F_ADDRESS;
        if (t->in.f[F_idxen])
            r->before.v[v++][l] = index;
        else
            index = 0;
        if (t->in.f[F_offen])
            r->before.v[v][l] = offset;
        else
            offset = 0;
        place_lane(t, l, index, offset);
        for (unsigned c = 0; c < 4 && is_store(t->row) && !is_int(t->b); c++)
            r->before.v[F_DATA + c][l] = halves == WHOLE_DWORDS
                                             ? near_float(t)
                                             : as_half(bits_float(near_float(t)), false) |
                                                   as_half(bits_float(near_float(t)), false) << 16;
    }
}

// ---- What comes of it ----

static uint32_t component_in(const struct row_state *m, enum halves h, unsigned c, unsigned l) {
    const uint32_t v = m->v[F_DATA + (h == PACKED_HALVES ? c / 2 : c)][l];
    return h == UPPER_HALF || (h == PACKED_HALVES && c & 1) ? v >> 16 : v;
}
static unsigned data_registers(const struct isa *isa, const struct row *row) {
    const unsigned n = components_of(row);
    return halves_of(isa, row) == PACKED_HALVES ? (n + 1) / 2 : n;
}
static uint32_t wanted_component(const struct row_rig *r, const struct row_trial *t, unsigned l, unsigned c) {
    unsigned width[4], at = 0;
    const unsigned n = widths(t->a, width), from = formatted.select[c];
    const bool half = halves_of(r->isa, t->row) != WHOLE_DWORDS;
    if (from == SELECT_1) return is_int(t->b) ? 1 : half ? 0x3c00 : float_bits(1);
    if (from == SELECT_0 || from - SELECT_X >= n || !formatted.in[l]) return 0;
    for (unsigned i = 0; i < from - SELECT_X; i++) at += width[i];
    return expected_register(take_bits(r->before.memory + formatted.at[l], at, width[from - SELECT_X]),
                             width[from - SELECT_X], t->b, half);
}
static void check_format_load(struct row_rig *r, const struct row_trial *t) {
    const enum halves h = halves_of(r->isa, t->row);
    const unsigned components = components_of(t->row);
    row_others_stay(r, t, F_DATA, data_registers(r->isa, t->row));
    row_memory_is(r, t, r->before.memory, r->before.lds);
    for (unsigned l = 0; l < r->lanes; l++) {
        if (!row_executes(r, l)) continue;
        for (unsigned c = 0; c < components; c++) {
            const uint32_t want = wanted_component(r, t, l, c), got = component_in(&r->after, h, c, l);
            if (!same_register(got, want, is_int(t->b), h != WHOLE_DWORDS))
                row_fail(r, t, "a component", l, want, got);
        }
        if (h == UPPER_HALF && (r->after.v[F_DATA][l] ^ r->before.v[F_DATA][l]) & 0xffff)
            row_fail(r, t, "the lower half", l, r->before.v[F_DATA][l], r->after.v[F_DATA][l]);
    }
}
// A stored component means the nearest value of its format; floats that get shorter are truncated.
static bool is_stored(const struct row_trial *t, uint32_t raw, unsigned bits, uint32_t from, bool half) {
    const uint32_t all = bits == 32 ? ~0u : (1u << bits) - 1;
    if (is_int(t->b)) {
        const bool sign = t->b == NUMBER_SINT;
        const int64_t v = half   ? sign ? (int16_t)from : (int64_t)(from & 0xffff)
                            : sign ? (int64_t)(int32_t)from
                                 : (int64_t)from;
        const int64_t most = sign ? all >> 1 : all, least = sign ? -most - 1 : 0;
        return raw == ((uint32_t)(v > most ? most : v < least ? least : v) & all);
    }
    const long double v = half ? meaning(from & 0xffff, 16, NUMBER_FLOAT) : (long double)bits_float(from);
    if (t->b == NUMBER_FLOAT) return nearest(raw, bits, t->b, v, !half);
    if (v != v) return meaning(raw, bits, t->b) == 0;
    const bool sign = t->b == NUMBER_SNORM || t->b == NUMBER_SSCALED;
    const long double least = meaning(sign ? all / 2 + 1 : 0, bits, t->b),
                      most = meaning(sign ? all / 2 : all, bits, t->b),
                      limited = v < least  ? least
                                : v > most ? most
                                           : v,
                      step = meaning(1, bits, t->b) - meaning(0, bits, t->b);
    return fabsl(meaning(raw, bits, t->b) - limited) <= step / 2 * (1 + 1e-4L);
}
static void check_format_store(struct row_rig *r, const struct row_trial *t) {
    static uint8_t memory[ROW_MEMORY], owner[ROW_MEMORY];
    const enum halves h = halves_of(r->isa, t->row);
    const unsigned components = components_of(t->row);
    unsigned width[4];
    const unsigned n = widths(t->a, width);
    row_others_stay(r, t, 0, 0);
    memcpy(memory, r->before.memory, sizeof memory);
    memset(owner, 0, sizeof owner);
    for (unsigned l = 0; l < r->lanes; l++)
        for (unsigned i = 0; row_executes(r, l) && formatted.in[l] && i < formatted.size; i++) {
            memory[formatted.at[l] + i] = r->after.memory[formatted.at[l] + i];
            owner[formatted.at[l] + i]++;
        }
    row_memory_is(r, t, memory, r->before.lds);
    for (unsigned l = 0; l < r->lanes; l++) {
        if (!row_executes(r, l) || !formatted.in[l]) continue;
        bool alone = true; // lanes that meet leave one of their values
        for (unsigned i = 0; i < formatted.size; i++) alone &= owner[formatted.at[l] + i] == 1;
        for (unsigned c = 0, at = 0; alone && c < n; at += width[c], c++) {
            unsigned from = 0; // the component that selects this one; the first where none does
            for (unsigned i = 4; i-- > 0;)
                if (formatted.select[i] == SELECT_X + c) from = i;
            const uint32_t raw = take_bits(r->after.memory + formatted.at[l], at, width[c]),
                           v = component_in(&r->before, h, from < components ? from : 0, l);
            if (!is_stored(t, raw, width[c], v, h != WHOLE_DWORDS))
                row_fail(r, t, "what is stored", l, v, raw);
        }
    }
}
static const struct row_kind format_loads = {make_formatted, set_formatted, check_format_load},
                             format_stores = {make_formatted, set_formatted, check_format_store};

static unsigned formats_of(const sw_processor *p, const struct isa *isa, bool *seen) {
    static struct row_rig r;
    enum { EACH = 10 };
    for (unsigned lanes = generation_within(isa->generation, GFX10) ? 32 : 64; lanes <= 64; lanes += 32) {
        r.p = p, r.isa = isa, r.lanes = lanes;
        for (unsigned row = 0; row < isa_row_count; row++)
            for (unsigned c = isa->row_codings[row]; c < isa->row_codings[row + 1]; c++) {
                const unsigned format = isa->codings[c].format;
                if ((format != FMT_MUBUF && format != FMT_MTBUF) || !is_formatted(&isa_rows[row])) continue;
                for (unsigned n = 0; n < EACH; n++)
                    seen[row] |= row_add(&r, is_store(&isa_rows[row]) ? &format_stores : &format_loads,
                                         &isa->codings[c], n);
            }
        row_run(&r);
    }
    const unsigned failures = r.failures;
    r.failures = 0;
    return failures;
}

#endif
