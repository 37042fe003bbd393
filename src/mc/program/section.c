// SPDX-License-Identifier: MIT
// Filling sections: bytes, values, alignment, pieces of late size.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "mc/program/program.h"
#include "base/bytes.h"

uint8_t *program_room(struct program *program, uint64_t size) {
    struct section *s = program->section;
    uint64_t most = program->options->max_output ? program->options->max_output : 1ull << 30;
    if (size > most || program->output > most - size) {
        program_error(program, NULL, "the output exceeds %llu bytes", (unsigned long long)most);
        program->ended = true;
        return NULL;
    }
    program->output += size;
    if (s->size + size > s->capacity || !s->data) {
        uint64_t capacity = s->capacity ? s->capacity + s->capacity / 2 : 512;
        if (capacity < s->size + size) capacity = s->size + size;
        uint8_t *data = realloc(s->data, capacity);
        if (!data) return program_no_memory(program), NULL;
        s->data = data;
        s->capacity = capacity;
    }
    uint8_t *p = s->data + s->size;
    s->size += size;
    return p;
}

bool program_emit(struct program *program, const void *bytes, size_t size) {
    struct section *s = program->section;
    if (program->loc_pending && !program->reader->row(program->reader->context)) return false;
    if (program->options->listing) {
        s->size += size;
        return true;
    }
    if (s->type == SHT_NOBITS) {
        for (size_t i = 0; i < size; i++)
            if (((const uint8_t *)bytes)[i])
                return program_error(program, NULL, "a section without contents, %s, takes only zeros",
                                     s->name);
        s->size += size;
        return true;
    }
    uint8_t *p = program_room(program, size);
    if (p) memcpy(p, bytes, size);
    return p;
}

bool program_fixup(struct program *program, uint64_t offset, unsigned kind, const struct expr *e) {
    program_register_used(program, e);
    struct fixup f = {.offset = offset,
                      .expr = e,
                      .at = program->reader->late(program->reader->context),
                      .kind = (uint8_t)kind};
    return array_push(&program->section->fixups, f) || program_no_memory(program);
}

bool program_emit_value(struct program *program, const struct mc_value *v, unsigned size, const char *where) {
    uint8_t bytes[8] = {0};
    struct mc_value now = *v;
    if (v->expr) {
        struct relocatable r;
        enum expr_status s = expr_evaluate(v->expr, &program->layout, &r);
        if (!s && !r.add && !r.sub && !r.variant) now = (struct mc_value){.number = r.number};
    }
    if (!now.expr) {
        int64_t n = now.number;
        if (size < 8 && (n < -(1ll << (size * 8 - 1)) || n >= 1ll << size * 8))
            return program_error(program, where, "out of range literal value: %lld does not fit %u bytes",
                                 (long long)n, size);
        memcpy(bytes, &n, size);
        return program_emit(program, bytes, size);
    }
    if (program->section->type == SHT_NOBITS)
        return program_error(program, where, "a section without contents, %s, takes only zeros",
                             program->section->name);
    unsigned kind = size == 1 ? FIX_DATA1 : size == 2 ? FIX_DATA2 : size == 4 ? FIX_DATA4 : FIX_DATA8;
    return program_fixup(program, program->section->size, kind, v->expr) &&
           program_emit(program, bytes, size);
}

bool fill_gap(struct program *program, const struct section *s, uint8_t *p, uint64_t gap, const uint8_t *fill,
              unsigned unit) {
    static const uint8_t nop[4] = {0x00, 0x00, 0x80, 0xbf}; // s_nop 0
    if (!fill && s->flags & SHF_EXECINSTR) {
        memset(p, 0, gap & 3);
        for (uint64_t i = gap & 3; i < gap; i += 4) memcpy(p + i, nop, 4);
        return true;
    }
    memset(p, 0, gap);
    if (!fill) return true;
    if (gap % unit)
        return program_error(program, NULL, "%llu bytes of padding are no multiple of the fill value's %u",
                             (unsigned long long)gap, unit);
    for (uint64_t i = 0; i < gap; i += unit) memcpy(p + i, fill, unit);
    return true;
}

bool program_align(struct program *program, uint64_t alignment, const uint8_t *fill, unsigned fill_size,
                   uint64_t most) {
    struct section *s = program->section;
    if (alignment < 2) return true;
    if (s->alignment < alignment) s->alignment = alignment;
    if ((s->pieces.count || s->whole) && !program->laid_out) { // who knows where a subsection will begin
        struct piece piece = {.kind = PIECE_ALIGN, .align = alignment, .most = most, .filled = fill};
        if (fill) memcpy(&piece.value, fill, piece.unit = (uint8_t)fill_size);
        return program_piece(program, piece);
    }
    uint64_t gap = align_up(s->size, alignment) - s->size;
    if (!gap || (most && gap > most)) return true;
    if (s->type == SHT_NOBITS || program->options->listing) {
        s->size += gap;
        return true;
    }
    uint8_t *p = program_room(program, gap);
    return p && fill_gap(program, s, p, gap, fill, fill_size);
}

struct place program_here(const struct program *program) {
    struct section *s = program->section;
    return (struct place){s, s->size, program->laid_out ? 0 : (uint32_t)s->pieces.count};
}

unsigned leb_bytes(uint8_t out[10], int64_t v, bool is_signed, unsigned least) {
    unsigned n = 0;
    for (bool more = true; more;) {
        uint8_t low = (uint8_t)v & 0x7f;
        v = is_signed ? v >> 7 : (int64_t)((uint64_t)v >> 7);
        more = is_signed ? !((v == 0 && !(low & 0x40)) || (v == -1 && low & 0x40)) : v != 0;
        out[n] = (uint8_t)(low | (more || n + 1 < least ? 0x80 : 0));
        n++;
    }
    uint8_t pad = is_signed && v < 0 ? 0x7f : 0;
    while (n < least) {
        out[n] = (uint8_t)(pad | (n + 1 < least ? 0x80 : 0));
        n++;
    }
    return n;
}

bool program_piece(struct program *program, struct piece piece) {
    struct section *s = program->section;
    piece.offset = s->size;
    piece.at = program->reader->late(program->reader->context);
    if (s->pieces.count) piece.end = s->pieces.items[s->pieces.count - 1].end;
    if (s->pieces.count >= UINT32_MAX) return program_error(program, NULL, "too many late sizes");
    return array_push(&s->pieces, piece) || program_no_memory(program);
}
