// SPDX-License-Identifier: MIT
// The files of the legaliser among themselves: what they share while a function is written anew. legal.c
// walks over the instructions; the others each know the operations of one kind.
#ifndef COMPILER_LEGAL_H
#define COMPILER_LEGAL_H

#include "compiler/passes.h"

enum { MOST_PARTS = 32 };

struct value_parts {
    uint32_t first;
    uint8_t count;
};
// A phi of one dword, whose operands are known when all blocks are done.
struct phi_part {
    const struct ir_inst *old;
    uint32_t value;
    unsigned part;
};
struct legal {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    const struct ir_inst *i; // the old one
    struct value_parts *values;
    ARRAY(ir_ref) parts;
    uint16_t i1, i32, i64;
    ARRAY(struct phi_part) phis;
};

// ---- legal_parts.c ----

void legal_refuse(struct legal *g, const char *what);
ir_ref legal_operand(const struct legal *g, unsigned n); // of the old instruction
const struct ir_type *legal_type(const struct legal *g, ir_ref r);
// Dwords of one element; smaller ones have one whose upper bits are undefined.
static inline unsigned legal_dwords(const struct ir_type *t) {
    return t->bits <= 32 ? 1 : (t->bits + 31u) / 32;
}

ir_ref legal_number(struct legal *g, uint32_t n);
bool legal_is_number(const struct legal *g, ir_ref r, uint32_t n);
ir_ref legal_emit_as(struct legal *g, unsigned op, enum ir_bank bank, uint16_t type, const ir_ref *operands,
                     unsigned count);
// An operation on dwords of integers; constants are folded. A scalar one that no scalar row computes is
// computed in v and read back.
ir_ref legal_emit(struct legal *g, unsigned op, enum ir_bank bank, const ir_ref *operands, unsigned count);
#define EMIT(g, op, bank, ...)                                                                               \
    legal_emit(g, op, bank, (const ir_ref[]){__VA_ARGS__},                                                   \
               sizeof((const ir_ref[]){__VA_ARGS__}) / sizeof(ir_ref))

// Dword `n` of an old value or constant.
ir_ref legal_part(struct legal *g, ir_ref r, unsigned n);
// The dwords of the old instruction's result.
void legal_set_parts(struct legal *g, const ir_ref *parts, unsigned count);
// A tuple of these dwords in a bank: the value that they are parts of, or a new one.
ir_ref legal_tuple(struct legal *g, enum ir_bank bank, uint16_t type, const ir_ref *parts, unsigned count);
// The dwords of a tuple. Returns their count.
unsigned legal_parts_of(struct legal *g, ir_ref whole, unsigned count, uint16_t element, ir_ref *out);
uint16_t legal_dword_type(struct legal *g, const struct ir_type *t); // for elements of a type

// ---- By kind of operation ----

ir_ref legal_widened(struct legal *g, enum ir_bank bank, ir_ref v, unsigned bits, bool is_signed);
void legal_elementwise(struct legal *g, enum ir_bank bank, const struct ir_type *t);
// Two dwords and a carry between them: a sum or difference.
void legal_carry(struct legal *g, enum ir_bank bank, bool add, const ir_ref a[2], const ir_ref b[2],
                 ir_ref out[2]);
void legal_access(struct legal *g, bool store);
void legal_atomic(struct legal *g);
void legal_effect(struct legal *g); // fences and barriers
void legal_space_cast(struct legal *g, enum ir_bank bank, const struct ir_type *t);
void legal_gather(struct legal *g, const struct ir_type *t);
void legal_rename(struct legal *g, enum ir_bank bank,
                  const struct ir_type *t); // the same dwords, another type
void legal_copy(struct legal *g, enum ir_bank bank, const struct ir_type *t);

#endif
