// SPDX-License-Identifier: MIT
// Copies and fills of memory become loads and stores: of a constant length up to 256 bytes one after the
// other, else loops of 16 bytes, then of single ones. Where a target may lie above its source and overlap it,
// the loops run backwards. Requires: lds. Leaves: no memory_copy, memory_move, memory_fill.
#include "compiler/place.h"

enum { UNROLLED = 256, CHUNK = 16 };

struct ends {
    struct ir_memory to, from;
    ir_ref target, source, length, byte; // byte: of a fill; else IR_NOTHING
    uint16_t size;                       // the length's type
};

static uint16_t piece_type(const struct split *s, unsigned bytes) {
    return bytes > 4 ? ir_type_of(s->c->m, IR_INT, 32, bytes / 4) : ir_int(s->c->m, bytes * 8);
}

static struct ir_memory piece_memory(struct ir_memory m, unsigned bytes, uint32_t offset) {
    m.bytes = (uint16_t)bytes;
    while (offset & ((1u << m.align_log2) - 1)) m.align_log2--;
    return m;
}

// The byte as often as the piece has bytes.
static ir_ref fill_value(struct split *s, const struct ends *e, unsigned bytes) {
    const uint16_t i32 = ir_int(s->c->m, 32);
    const struct ir_constant *k = ir_constant_of(s->f, e->byte);
    if (bytes == 1) return e->byte;
    ir_ref word = k ? ir_constant_bits(s->f, i32, (k->low & 255) * 0x01010101u, 0)
                    : SPLIT_EMIT(s, OP_mul, i32, SPLIT_EMIT(s, OP_zext, i32, e->byte),
                                 ir_constant_bits(s->f, i32, 0x01010101, 0));
    if (bytes == 2) return SPLIT_EMIT(s, OP_trunc, piece_type(s, 2), word);
    if (bytes == 4) return word;
    const ir_ref words[] = {word, word, word, word};
    return split_emit(s, OP_vector, piece_type(s, bytes), words, bytes / 4);
}

static ir_ref load(struct split *s, const struct ends *e, ir_ref at, uint32_t offset, unsigned bytes) {
    const struct ir_memory m = piece_memory(e->from, bytes, offset);
    const ir_ref v = SPLIT_EMIT(s, OP_load, piece_type(s, bytes), at, ir_immediate((int32_t)offset));
    split_set_memory(s, &m);
    return v;
}
static void store(struct split *s, const struct ends *e, ir_ref v, ir_ref at, uint32_t offset,
                  unsigned bytes) {
    const struct ir_memory m = piece_memory(e->to, bytes, offset);
    ir_append(s->f, OP_store, (ir_ref[]){v, at, ir_immediate((int32_t)offset)}, 3)->location = s->i->location;
    split_set_memory(s, &m);
}

// All is loaded before anything is stored, so that it does not matter how the two overlap.
static void unrolled(struct split *s, const struct ends *e, uint32_t length) {
    ir_ref values[UNROLLED / CHUNK + 4];
    uint8_t sizes[UNROLLED / CHUNK + 4];
    unsigned count = 0;
    for (uint32_t at = 0, bytes; at < length; at += bytes) {
        for (bytes = CHUNK; bytes > length - at;) bytes /= 2;
        sizes[count] = (uint8_t)bytes;
        values[count++] =
            ir_is(e->byte, IR_NONE) ? load(s, e, e->source, at, bytes) : fill_value(s, e, bytes);
    }
    for (uint32_t at = 0, n = 0; n < count; at += sizes[n++]) store(s, e, values[n], e->target, at, sizes[n]);
}

// ---- Loops ----

static void move_piece(struct split *s, const struct ends *e, ir_ref index, unsigned bytes) {
    const ir_ref v = ir_is(e->byte, IR_NONE) ? load(s, e, place_moved(s, e->source, index), 0, bytes)
                                             : fill_value(s, e, bytes);
    store(s, e, v, place_moved(s, e->target, index), 0, bytes);
}

// From `begin` up to `end`, or, downwards, from `end` down to `begin`, in pieces of so many bytes. Goes on in
// a new block.
static void loop(struct split *s, const struct ends *e, ir_ref begin, ir_ref end, unsigned bytes, bool down) {
    const uint16_t i1 = ir_int(s->c->m, 1);
    const ir_ref step = ir_constant_bits(s->f, e->size, bytes, 0);
    const uint32_t before = split_here(s), body = before + 1, done = before + 2;
    uint32_t phi;
    split_branch(s, SPLIT_EMIT(s, OP_eq, i1, begin, end), done, body);
    ir_block_add(s->f);
    const ir_ref at = split_phi(s, e->size, before, down ? end : begin, body, &phi);
    const ir_ref lower = down ? SPLIT_EMIT(s, OP_sub, e->size, at, step) : at;
    const ir_ref next = down ? lower : SPLIT_EMIT(s, OP_add, e->size, at, step);
    move_piece(s, e, lower, bytes);
    split_branch(s, SPLIT_EMIT(s, OP_eq, i1, next, down ? begin : end), done, body);
    split_fill(s, phi, next);
    ir_block_add(s->f);
}

static void loops(struct split *s, const struct ends *e, ir_ref whole, bool down) {
    const ir_ref zero = ir_constant_bits(s->f, e->size, 0, 0);
    if (down) loop(s, e, whole, e->length, 1, true);
    loop(s, e, zero, whole, CHUNK, down);
    if (!down) loop(s, e, whole, e->length, 1, false);
}

// ---- The pass ----

static bool may_overlap(const struct split *s, const struct ends *e) {
    const unsigned far =
        1u << IR_GENERIC | 1u << IR_GLOBAL | 1u << IR_CONSTANT_SPACE | 1u << IR_FAT | 1u << IR_STRIDED;
    return s->i->op == OP_memory_move &&
           (e->to.space == e->from.space || (far >> e->to.space & 1 && far >> e->from.space & 1) ||
            e->to.space == IR_GENERIC || e->from.space == IR_GENERIC);
}

static void expand(struct split *s) {
    const struct ir_memory both = *ir_memory_of(s->f, s->i); // to space, from cache
    const bool fills = s->i->op == OP_memory_fill;
    struct ends e = {.to = both, .from = both, .target = split_operand(s, 0), .length = split_operand(s, 2)};
    e.from.space = both.cache;
    e.to.cache = e.from.cache = 0;
    e.byte = fills ? split_operand(s, 1) : IR_NOTHING;
    e.source = fills ? IR_NOTHING : split_operand(s, 1);
    e.size = ir_ref_type(s->f, e.length);
    const struct ir_constant *k = ir_constant_of(s->f, e.length);
    if (k && k->low <= UNROLLED) {
        unrolled(s, &e, (uint32_t)k->low);
        return;
    }
    // What follows begins at any place.
    const unsigned bits = ir_type_bits(s->c->m, e.size);
    const ir_ref mask = ir_constant_bits(s->f, e.size, ~(uint64_t)(CHUNK - 1), 0);
    const ir_ref whole = SPLIT_EMIT(s, OP_and, e.size, e.length, mask);
    if (!may_overlap(s, &e)) {
        loops(s, &e, whole, false);
        return;
    }
    const bool in_buffer = place_is_in_buffer(e.to.space) || place_is_in_buffer(e.from.space);
    const ir_ref target = in_buffer ? place_number(s, e.target) : e.target,
                 source = in_buffer ? place_number(s, e.source) : e.source;
    const uint16_t pointer = ir_ref_type(s->f, target);
    if (ir_ref_type(s->f, source) != pointer || ir_type_bits(s->c->m, pointer) < bits) {
        struct ir_inst copy = *s->i;
        copy.operands = 0;
        compiler_refuse(s->c, &copy, "a move of memory between these address spaces");
    } else {
        ir_ref apart = SPLIT_EMIT(s, OP_sub, pointer, target, source), length = e.length;
        if (pointer != e.size) length = SPLIT_EMIT(s, OP_zext, pointer, length);
        const uint32_t here = split_here(s);
        const ir_ref above = SPLIT_EMIT(s, OP_ult, ir_int(s->c->m, 1), apart, length);
        // Each way is five blocks, and the last one of the first jumps behind the second.
        split_branch(s, above, here + 1, here + 6);
        ir_block_add(s->f);
        loops(s, &e, whole, true);
        split_jump(s, here + 11);
        ir_block_add(s->f);
        loops(s, &e, whole, false);
        split_jump(s, here + 11);
        ir_block_add(s->f);
    }
}

static bool wanted(struct split *s) { return s->i->op >= OP_memory_copy && s->i->op <= OP_memory_fill; }

void compiler_move(struct compiler *c) { compiler_split(c, NULL, wanted, expand); }
