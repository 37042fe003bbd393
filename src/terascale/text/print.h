// SPDX-License-Identifier: MIT
// Instructions as text, in AMD's spelling and in llc's.
#ifndef TERASCALE_PRINT_H
#define TERASCALE_PRINT_H

#include "base/text.h"
#include "terascale/isa/alu.h"

// The literals that stand behind a group; `count` dwords of them are in the clause.
struct ts_literals {
    const uint32_t *dwords;
    unsigned count;
};

// AMD's spelling. Fields at their default are left out, all else is named, reserved bits too.
void ts_print_cf(struct text *t, const struct ts_insn *in);
void ts_print_fetch(struct text *t, const struct ts_insn *in);
void ts_print_slot(struct text *t, const struct ts_slot *s, const struct ts_literals *literals, bool swizzle);

// llc's spelling, which leaves out much.
void ts_llvm_cf(struct text *t, const struct ts_insn *in);
void ts_llvm_fetch(struct text *t, const struct ts_insn *in);
void ts_llvm_slot(struct text *t, const struct ts_slot *s, const struct ts_literals *literals);

// The name of a source selector that is no GPR, constant or literal; NULL: it has none. And back, or -1.
const char *ts_source_name(enum ts_family family, unsigned sel);
int ts_source_number(enum ts_family family, const char *name, size_t length);

// A set of fields.
struct ts_field_set {
    uint64_t bits[3];
};
static inline void ts_mark(struct ts_field_set *s, enum ts_field f) { s->bits[f >> 6] |= 1ull << (f & 63); }
static inline bool ts_marked(const struct ts_field_set *s, enum ts_field f) {
    return s->bits[f >> 6] >> (f & 63) & 1;
}
// What a field is when the text does not name it.
static inline uint32_t ts_default(enum ts_field f) { return f == TS_BARRIER; }

// Mnemonics of operations without a row: "CF_0x44".
extern const char *const ts_space_prefix[TS_SPACES];

#endif
