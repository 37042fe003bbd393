// SPDX-License-Identifier: MIT
// One walk over the stream's blocks and records serves both directions: a field is read from one form and
// written in the other. The stream says itself how its records are laid out (abbreviations), for a block or,
// in the block with id 0, for all blocks of an id. Lengths of blocks are not kept.
#include "jit/bitstream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { END_BLOCK, ENTER_BLOCK, DEFINE_ABBREVIATION, PLAIN_RECORD, ABBREVIATED };
enum { LITERAL, FIXED, VARIABLE, ARRAY_OF, CHAR6, BLOB };
enum { INFO_BLOCK = 0, INFO_SET_BLOCK = 1, DEEPEST = 16 };

struct layout_part {
    uint8_t kind;
    uint64_t value; // of a literal; width of a number
};
struct layout {
    uint32_t first, count; // in parts
    uint64_t block;        // for which the info block defines it; NO_BLOCK
};
#define NO_BLOCK UINT64_MAX

struct open_block {
    uint64_t id;
    unsigned width;   // of abbreviation ids
    uint32_t known;   // where its layouts begin in the walk's
    size_t length_at; // bytes
};

struct walk {
    bool to_numbers, bad;
    const uint8_t *in;
    size_t in_size, in_bit; // in_bit: of the bits
    size_t in_byte;         // of the numbers
    ARRAY(uint8_t) out;
    uint64_t late;      // bits that do not fill a word of it yet
    unsigned late_bits; // fewer than 32
    ARRAY(struct layout_part) parts;
    ARRAY(struct layout) layouts;
    ARRAY(uint32_t) known; // layouts of the open blocks
    struct open_block stack[DEEPEST];
    unsigned depth;
};

// ---- Both forms ----

static void put_byte(struct walk *w, uint8_t byte) {
    if (!array_push(&w->out, byte)) w->bad = true;
}
static uint64_t get_bits(struct walk *w, unsigned width) {
    uint64_t v = 0;
    if (width > 64 || w->in_bit + width > 8 * w->in_size) {
        w->bad = true;
        return 0;
    }
    for (unsigned have = 0; have < width;) {
        const unsigned from = w->in_bit % 8, n = 8 - from < width - have ? 8 - from : width - have;
        v |= (uint64_t)(w->in[w->in_bit / 8] >> from & ((1u << n) - 1)) << have;
        have += n;
        w->in_bit += n;
    }
    return v;
}
// Up to 32 of them.
static void put_bits(struct walk *w, uint64_t v, unsigned width) {
    w->late |= v << w->late_bits;
    w->late_bits += width;
    if (w->late_bits < 32) return;
    const uint32_t word = (uint32_t)w->late;
    if (!array_reserve(&w->out, 4)) {
        w->bad = true;
        return;
    }
    memcpy(w->out.items + w->out.count, &word, 4);
    w->out.count += 4;
    w->late >>= 32;
    w->late_bits -= 32;
}
static uint64_t get_number(struct walk *w) {
    uint64_t v = 0;
    if (w->in_byte < w->in_size && w->in[w->in_byte] < 0x80) return w->in[w->in_byte++];
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (w->in_byte >= w->in_size) break;
        const uint8_t byte = w->in[w->in_byte++];
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return v;
    }
    w->bad = true;
    return 0;
}
static void put_number(struct walk *w, uint64_t v) {
    for (; v > 0x7f; v >>= 7) put_byte(w, (uint8_t)(v | 0x80));
    put_byte(w, (uint8_t)v);
}

// ---- One field, from one form to the other ----

static uint64_t fixed(struct walk *w, unsigned width) {
    const uint64_t v = w->to_numbers ? get_bits(w, width) : get_number(w);
    if (v >> width) w->bad = true;
    if (w->to_numbers)
        put_number(w, v);
    else
        put_bits(w, v, width);
    return v;
}

// A number in groups of so many bits, the top one of which says that more follow.
static uint64_t variable(struct walk *w, unsigned width) {
    const uint64_t more = width > 1 && width <= 32 ? 1ull << (width - 1) : 0;
    if (!more) w->bad = true;
    if (!w->to_numbers) {
        const uint64_t v = get_number(w);
        uint64_t left = v;
        for (; !w->bad && left >= more; left >>= width - 1) put_bits(w, (left & (more - 1)) | more, width);
        put_bits(w, left, width);
        return v;
    }
    uint64_t v = 0;
    for (unsigned shift = 0; !w->bad; shift += width - 1) {
        const uint64_t group = get_bits(w, width);
        if (shift >= 64) w->bad = true;
        if (w->bad) return 0;
        v |= (group & (more - 1)) << shift;
        if (!(group & more)) break;
    }
    put_number(w, v);
    return v;
}

static void align(struct walk *w) {
    if (w->to_numbers)
        w->in_bit = (w->in_bit + 31) / 32 * 32;
    else if (w->late_bits)
        put_bits(w, 0, 32 - w->late_bits);
}

static void blob(struct walk *w) {
    const uint64_t size = variable(w, 6);
    align(w);
    if (size > w->in_size) w->bad = true;
    for (uint64_t i = 0; i < size && !w->bad; i++) {
        if (w->to_numbers)
            put_byte(w, (uint8_t)get_bits(w, 8));
        else if (w->in_byte < w->in_size)
            put_bits(w, w->in[w->in_byte++], 8);
        else
            w->bad = true;
    }
    align(w);
}

// ---- Blocks and records ----

static void enter(struct walk *w) {
    const uint64_t id = variable(w, 8), width = variable(w, 4);
    align(w);
    if (w->depth == DEEPEST || width < 2 || width > 32) w->bad = true;
    if (w->bad) return;
    w->stack[w->depth++] = (struct open_block){id, (unsigned)width, (uint32_t)w->known.count, w->out.count};
    if (w->to_numbers)
        get_bits(w, 32);
    else
        put_bits(w, 0, 32);
    for (size_t i = 0; i < w->layouts.count; i++)
        if (w->layouts.items[i].block == id && !array_push(&w->known, (uint32_t)i)) w->bad = true;
}

static void leave(struct walk *w) {
    align(w);
    if (!w->depth || w->bad) {
        w->bad = true;
        return;
    }
    const struct open_block *b = &w->stack[--w->depth];
    w->known.count = b->known;
    if (w->to_numbers) return;
    const uint32_t words = (uint32_t)((w->out.count - b->length_at) / 4 - 1);
    for (int i = 0; i < 4; i++) w->out.items[b->length_at + (size_t)i] = (uint8_t)(words >> 8 * i);
}

static void define(struct walk *w, uint64_t block) {
    const uint64_t count = variable(w, 5);
    struct layout l = {(uint32_t)w->parts.count, (uint32_t)count, block};
    for (uint64_t i = 0; i < count && !w->bad; i++) {
        struct layout_part p = {0};
        if (fixed(w, 1))
            p.value = variable(w, 8);
        else {
            p.kind = (uint8_t)fixed(w, 3);
            if (p.kind == FIXED || p.kind == VARIABLE) p.value = variable(w, 5);
            if (p.kind == LITERAL || p.kind > BLOB || p.value > 32) w->bad = true;
        }
        if (!array_push(&w->parts, p)) w->bad = true;
    }
    if (!array_push(&w->layouts, l)) w->bad = true;
    if (block == NO_BLOCK && !array_push(&w->known, (uint32_t)(w->layouts.count - 1))) w->bad = true;
}

// Returns the first operand of a record that has INFO_SET_BLOCK as its code, else NO_BLOCK.
static uint64_t plain_record(struct walk *w) {
    const uint64_t code = variable(w, 6), count = variable(w, 6);
    uint64_t first = NO_BLOCK;
    for (uint64_t i = 0; i < count && !w->bad; i++) {
        const uint64_t v = variable(w, 6);
        if (!i && code == INFO_SET_BLOCK) first = v;
    }
    return first;
}

static void part(struct walk *w, const struct layout_part *p) {
    switch (p->kind) {
    case FIXED:
        if (p->value) fixed(w, (unsigned)p->value);
        break;
    case VARIABLE:
        if (p->value) variable(w, (unsigned)p->value);
        break;
    case CHAR6: fixed(w, 6); break;
    case BLOB: blob(w); break;
    default: break;
    }
}

static void abbreviated_record(struct walk *w, uint64_t which) {
    const size_t at = w->stack[w->depth - 1].known + which;
    if (at >= w->known.count) {
        w->bad = true;
        return;
    }
    const struct layout l = w->layouts.items[w->known.items[at]];
    for (uint32_t i = 0; i < l.count && !w->bad; i++) {
        const struct layout_part *p = &w->parts.items[l.first + i];
        if (p->kind != ARRAY_OF) {
            part(w, p);
            continue;
        }
        const uint64_t count = variable(w, 6);
        if (++i == l.count) w->bad = true;
        for (uint64_t k = 0; k < count && !w->bad; k++) part(w, p + 1);
    }
}

static bool at_end(const struct walk *w) {
    return !w->depth && (w->to_numbers ? w->in_bit + 32 > 8 * w->in_size : w->in_byte >= w->in_size);
}

static void walk(struct walk *w) {
    uint64_t described = NO_BLOCK; // by the info block
    fixed(w, 32);                  // the magic number
    while (!w->bad && !at_end(w)) {
        const bool info = w->depth && w->stack[w->depth - 1].id == INFO_BLOCK;
        const uint64_t id = fixed(w, w->depth ? w->stack[w->depth - 1].width : 2);
        if (!w->depth && id != ENTER_BLOCK) w->bad = true;
        if (w->bad) return;
        if (id == ENTER_BLOCK)
            enter(w);
        else if (id == END_BLOCK)
            leave(w);
        else if (id == DEFINE_ABBREVIATION)
            define(w, info ? described : NO_BLOCK);
        else if (id >= ABBREVIATED)
            abbreviated_record(w, id - ABBREVIATED);
        else {
            const uint64_t block = plain_record(w);
            if (info && block != NO_BLOCK) described = block;
        }
    }
    if (w->depth) w->bad = true;
}

static uint8_t *transform(const uint8_t *in, size_t size, bool to_numbers, size_t *out_size) {
    struct walk w = {.to_numbers = to_numbers, .in = in, .in_size = size};
    walk(&w);
    array_free(&w.parts);
    array_free(&w.layouts);
    array_free(&w.known);
    if (w.bad) array_free(&w.out);
    *out_size = w.out.count;
    return w.out.items;
}
uint8_t *bitstream_to_numbers(const uint8_t *bits, size_t size, size_t *out_size) {
    return transform(bits, size, true, out_size);
}
uint8_t *bitstream_from_numbers(const uint8_t *numbers, size_t size, size_t *out_size) {
    return transform(numbers, size, false, out_size);
}
