// SPDX-License-Identifier: MIT
// A section being filled, and what in it waits for symbols.
#ifndef ASM_SECTION_H
#define ASM_SECTION_H

#include "asm/symbol.h"
#include "base/array.h"

enum fixup_kind { FIX_DATA1, FIX_DATA2, FIX_DATA4, FIX_DATA8, FIX_LITERAL, FIX_BRANCH };
struct fixup {
    uint64_t offset;
    const struct expr *expr;
    uint32_t line;
    uint8_t kind; // enum fixup_kind
};

struct relocation {
    uint64_t offset;
    int64_t addend;
    const struct symbol *symbol; // NULL: an absolute value
    uint32_t type;
};

struct section {
    const char *name;
    uint32_t type;
    uint64_t flags, entsize, alignment;
    uint8_t *data; // NULL for SHT_NOBITS
    uint64_t size, capacity;
    ARRAY(struct fixup) fixups;
    ARRAY(struct relocation) relocations;
    struct symbol symbol;
    struct section *next;
    uint32_t index, name_at, rela_name_at;
};

#endif
