// SPDX-License-Identifier: MIT
// What the parts of the public instruction interface (softwave/isa.h) share: the tables that a mode chooses
// and the decoded instruction inside a caller's sw_insn.
#ifndef ISA_API_H
#define ISA_API_H

#include <string.h>

#include "isa/isa.h"
#include "softwave/isa.h"

_Static_assert(sizeof(struct insn) <= sizeof(uint64_t) * SW_INSN_STATE_WORDS, "struct insn fits sw_insn");
_Static_assert((int)SW_INSN_MAX_BYTES == (int)INSN_MAX_BYTES, "the longest instruction");

// Processor, wave size and spelling of a mode whose `size` may be that of an older header; NULL in `isa`: it
// has no instructions.
struct api_mode {
    sw_isa_mode mode;
    const struct isa *isa;
};
// `copy` holds the tables where they differ from the processor's own.
struct api_mode api_mode_of(const sw_isa_mode *mode, struct isa *copy);

static inline const struct insn *api_insn(const sw_insn *insn) { return (const struct insn *)insn->state; }
// False: the caller's sw_insn is too small or holds no decoded instruction.
static inline bool api_has_insn(const sw_insn *insn) {
    return insn && insn->size >= sizeof(sw_insn) && insn->info && api_insn(insn)->row;
}
static inline const struct row *api_row(const sw_insn_info *info) { return (const struct row *)info; }
static inline const sw_insn_info *api_info(const struct row *row) { return (const sw_insn_info *)row; }

// Copies what the caller's header knows of element `index`; one place for all arrays of callers.
static inline void api_put(void *out, size_t index, size_t capacity, size_t stride, const void *from,
                           size_t size) {
    if (out && index < capacity && stride)
        memcpy((char *)out + index * stride, from, size < stride ? size : stride);
}

// Neg, abs and sext as the printer shows them for a source.
struct api_modifiers {
    bool neg, abs, sext;
};
bool api_is_matrix(const struct row *row);
unsigned api_implicit_reads(const struct row *row); // enum implicit; EXEC by the kind of operation
extern const char *const api_field_names[], *const api_type_names[];

#endif
