// SPDX-License-Identifier: MIT
// Sections with pieces of late size are laid out here, after the last line of text: sizes are reckoned over
// and over until none changes, then the bytes are moved apart and the pieces written between them. LEB128
// numbers and padding never shrink on the way, which is also LLVM's rule; text in which the sizes chase each
// other for ever is refused after a bounded number of steps. Leaves fixups at their final offsets; labels
// keep their count of pieces (place_offset).
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "mc/object/object.h"
#include "base/bytes.h"
#include "base/sorted.h"

enum { MAX_ROUNDS = 20000, MAX_STEPS = 1 << 25 };

// ---- Sizes ----

static bool value_of(struct program *program, const struct piece *p, int64_t *out, const char *what) {
    struct mc_value v = {.expr = p->expr};
    enum expr_status status = expr_absolute(&v, &program->layout, out);
    if (status == EXPR_UNKNOWN)
        return program_late_error(program, p->at, "%s expression is not absolute", what);
    return !status || program_late_error(program, p->at, "%s: %s", what, expr_status_text(status));
}

// Where .org leads: an offset in its own section.
static bool org_target(struct program *program, const struct section *s, const struct piece *p,
                       uint64_t *out) {
    struct relocatable r;
    enum expr_status status = expr_evaluate(p->expr, &program->layout, &r);
    struct section *home;
    uint64_t offset = 0;
    if (status || r.sub || (r.add && (!symbol_place(program, r.add, &home, &offset) || home != s)))
        return program_late_error(program, p->at, "expected a place in this section");
    *out = offset + (uint64_t)r.number;
    return true;
}

// Sizes that follow from where things are now.
static bool measure_gap(struct program *program, const struct section *s, struct piece *p, uint64_t at) {
    int64_t v;
    uint64_t target;
    switch (p->kind) {
    case PIECE_FILL:
        if (!value_of(program, p, &v, ".fill, .zero or .space")) return false;
        if (v < 0) v = 0; // not yet known, or refused when written
        if ((uint64_t)v > (1ull << 40) / p->unit)
            return program_late_error(program, p->at, "the run is too long");
        p->size = (uint64_t)v * p->unit;
        return true;
    case PIECE_ORG:
        if (!org_target(program, s, p, &target)) return false;
        p->size = target > at && target - at < 1ull << 40 ? target - at : 0;
        return true;
    case PIECE_ALIGN:
        p->size = align_up(at, p->align) - at;
        if (p->most && p->size > p->most) p->size = 0;
        return true;
    default: return true;
    }
}

// Sizes that only grow.
static bool measure_number(struct program *program, const struct section *s, struct piece *p) {
    uint8_t bytes[10];
    int64_t v;
    switch (p->kind) {
    case PIECE_ULEB:
    case PIECE_SLEB:
        if (!value_of(program, p, &v, p->kind == PIECE_SLEB ? ".sleb128" : ".uleb128")) return false;
        p->size = leb_bytes(bytes, v, p->kind == PIECE_SLEB, (unsigned)p->size);
        return true;
    case PIECE_NOP:
        if (!object_branch(program, s, p->offset + p->end - p->size - 4, p->expr, &v) || v == 0x3f)
            p->size = 4;
        return true;
    default: return true;
    }
}

static bool place_pieces(struct program *program, struct section *s, bool *changed) {
    uint64_t moved = 0;
    for (size_t i = 0; i < s->pieces.count; i++) {
        struct piece *p = &s->pieces.items[i];
        uint64_t before = p->end;
        if (!measure_gap(program, s, p, p->offset + moved)) return false;
        moved += p->size;
        p->end = moved;
        *changed |= p->end != before;
    }
    return true;
}

static bool grow_pieces(struct program *program, struct section *s, bool *changed) {
    for (size_t i = 0; i < s->pieces.count; i++) {
        struct piece *p = &s->pieces.items[i];
        uint64_t before = p->size;
        if (!measure_number(program, s, p)) return false;
        *changed |= p->size != before;
    }
    return true;
}

// ---- Bytes ----

static bool write_piece(struct program *program, const struct section *s, const struct piece *p, uint8_t *to,
                        uint64_t at) {
    static const uint8_t nop[4] = {0x00, 0x00, 0x80, 0xbf};
    uint8_t bytes[10];
    int64_t v;
    uint64_t target;
    switch ((enum piece_kind)p->kind) {
    case PIECE_ULEB:
    case PIECE_SLEB:
        if (!value_of(program, p, &v, ".uleb128 or .sleb128")) return false;
        leb_bytes(bytes, v, p->kind == PIECE_SLEB, (unsigned)p->size);
        memcpy(to, bytes, p->size);
        return true;
    case PIECE_FILL:
        if (!value_of(program, p, &v, ".fill, .zero or .space")) return false;
        if (v < 0) return program_late_error(program, p->at, "invalid number of bytes: %lld", (long long)v);
        for (uint64_t i = 0; i < p->size; i += p->unit) memcpy(to + i, &p->value, p->unit);
        return true;
    case PIECE_ORG:
        if (!org_target(program, s, p, &target)) return false;
        if (target != at + p->size)
            return program_late_error(program, p->at, "invalid .org offset '%lld' (at offset '%llu')",
                                      (long long)target, (unsigned long long)at);
        memset(to, (int)(p->value & 0xff), p->size);
        return true;
    case PIECE_ALIGN:
        return fill_gap(program, s, to, p->size, p->filled ? (const uint8_t *)&p->value : NULL, p->unit);
    default: memcpy(to, nop, p->size); return true;
    }
}

// A piece at the very offset of emitted bytes stands before them.
static uint32_t pieces_before(const struct section *s, uint64_t offset) {
    return (uint32_t)SORTED_PREFIX(s->pieces.count, i, s->pieces.items[i].offset <= offset);
}

static bool spread(struct program *program, struct section *s) {
    uint64_t grown = section_growth(s, (uint32_t)s->pieces.count), from = 0;
    uint64_t most = program->options->max_output ? program->options->max_output : 1ull << 30;
    for (size_t i = 0; i < s->fixups.count; i++)
        s->fixups.items[i].offset += section_growth(s, pieces_before(s, s->fixups.items[i].offset));
    if (s->type == SHT_NOBITS) {
        s->size += grown;
        return true;
    }
    if (grown > most || program->output > most - grown)
        return program_late_error(program, NOWHERE, "the output exceeds %llu bytes",
                                  (unsigned long long)most);
    program->output += grown;
    uint8_t *data = malloc(s->size + grown + 1), *to = data;
    if (!data) return program_no_memory(program);
    bool ok = true;
    for (size_t i = 0; ok && i < s->pieces.count; i++) {
        const struct piece *p = &s->pieces.items[i];
        if (p->offset > from) memcpy(to, s->data + from, p->offset - from);
        to += p->offset - from;
        from = p->offset;
        ok = write_piece(program, s, p, to, (uint64_t)(to - data));
        to += p->size;
    }
    if (ok && s->size > from) memcpy(to, s->data + from, s->size - from);
    free(s->data);
    s->data = data;
    s->size += grown;
    s->capacity = s->size + 1;
    return ok;
}

bool object_lay_out(struct program *program) {
    uint64_t pieces = 0, steps = 0;
    for (struct section *s = program->sections; s; s = s->next) pieces += s->pieces.count;
    program->laid_out = true;
    if (!pieces) return true;
    // Numbers grow only once all else has its place: what is half placed may look negative or huge.
    bool grown = true;
    for (unsigned round = 0; grown; round++) {
        for (bool moved = true; moved; round++) {
            moved = false;
            for (struct section *s = program->sections; s; s = s->next)
                if (!place_pieces(program, s, &moved)) return false;
            steps += pieces;
            if (moved && (round >= MAX_ROUNDS || steps > MAX_STEPS))
                return program_late_error(program, NOWHERE,
                                          "the sizes of this text depend on each other without end");
        }
        grown = false;
        for (struct section *s = program->sections; s; s = s->next)
            if (!grow_pieces(program, s, &grown)) return false;
        steps += pieces;
        if (grown && (round >= MAX_ROUNDS || steps > MAX_STEPS))
            return program_late_error(program, NOWHERE,
                                      "the sizes of this text depend on each other without end");
    }
    for (struct section *s = program->sections; s; s = s->next)
        if (s->pieces.count && !spread(program, s)) return false;
    return true;
}
