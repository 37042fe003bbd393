// SPDX-License-Identifier: MIT
// A section being filled, and what in it waits for symbols: fixups, whose bytes are there already, and
// pieces, whose very size is open. Offsets count the bytes emitted; what pieces add is reckoned when the
// section is laid out (layout.c), so that sections without pieces, which are nearly all, pay nothing for it.
#ifndef MC_SECTION_H
#define MC_SECTION_H

#include "base/array.h"
#include "mc/program/symbol.h"

enum fixup_kind {
    FIX_DATA1,
    FIX_DATA2,
    FIX_DATA4,
    FIX_DATA8,
    FIX_LITERAL,
    FIX_LITERAL8,
    FIX_BRANCH,
    FIX_RELOC
};

// Where in the main file a message that comes after the text has been read points to.
struct late {
    const char *where; // in its text; NULL: read from elsewhere for `line`
    uint32_t line;     // 0: nowhere
};

struct fixup {
    uint64_t offset;
    const struct expr *expr;
    struct late at;
    uint8_t kind; // enum fixup_kind
    uint8_t type; // of FIX_RELOC: the relocation
};

// A part of a section whose size is known only when all text has been read. It stands between the bytes that
// were emitted before it and those behind: it has none of its own until the section is laid out.
enum piece_kind {
    PIECE_ULEB,
    PIECE_SLEB,
    PIECE_FILL,  // `value` of `unit` bytes, as often as the expression says
    PIECE_ORG,   // bytes up to the place that the expression names
    PIECE_ALIGN, // bytes up to a multiple of `align`, behind another piece
    PIECE_NOP,   // one s_nop if the branch before it would have the offset that the hardware gets wrong
};
struct piece {
    uint64_t offset; // among the bytes emitted
    uint64_t size;   // so far: none shrinks but by alignment
    uint64_t end;    // bytes of all pieces up to this one's end
    uint64_t align, most;
    const struct expr *expr;
    int64_t value;
    struct late at;
    uint8_t kind; // enum piece_kind
    uint8_t unit;
    bool filled; // alignment with `value` of `unit` bytes
};

// A place in a section: bytes emitted before it, and pieces.
struct place {
    struct section *section;
    uint64_t offset;
    uint32_t piece;
};

struct relocation {
    uint64_t offset;
    int64_t addend;
    const struct symbol *symbol; // NULL: an absolute value
    uint32_t type;
};

struct section {
    const char *name;
    const struct symbol *group; // the signature of its group, or NULL
    const struct symbol *link;  // of SHF_LINK_ORDER: the symbol whose section it goes with
    uint64_t unique;            // sections of one name may differ in nothing but this; or NOT_UNIQUE
    bool comdat;
    uint32_t type;
    uint64_t flags, entsize, alignment;
    uint8_t *data; // NULL for SHT_NOBITS
    uint64_t size, capacity;
    ARRAY(struct fixup) fixups;
    ARRAY(struct relocation) relocations;
    ARRAY(struct piece) pieces; // of most sections: none
    struct line_program *lines; // rows of the line table (dwarf/line.c)
    bool described, has_code;   // by -g (dwarf/source.c)
    struct symbol *symbol;
    struct section *next;
    struct section *same_hash;
    uint32_t hash; // of what finds it
    uint32_t index, name_at, rela_name_at;

    // Subsections are filled one by one and joined in the order of their numbers when the text has ended. A
    // section is its own subsection 0.
    struct section *whole, *subsections; // the section of a subsection; the subsections of a section
    uint32_t number, base_piece;         // when joined: where in the section it begins
    uint64_t base;
    unsigned subsection_count;
    bool joined;
};
#define NOT_UNIQUE UINT64_MAX

// How far pieces have moved what stands behind `piece` of them.
static inline uint64_t section_growth(const struct section *s, uint32_t piece) {
    return piece ? s->pieces.items[piece - 1].end : 0;
}
static inline struct section *section_whole(struct section *s) { return s->whole ? s->whole : s; }
static inline uint64_t place_offset(struct place p) {
    if (p.section->joined)
        p = (struct place){p.section->whole, p.offset + p.section->base, p.piece + p.section->base_piece};
    return p.offset + section_growth(p.section, p.piece);
}

#endif
