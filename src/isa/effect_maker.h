// SPDX-License-Identifier: MIT
// The record of effects while it is made (effect.h): what the files for kinds of instructions share.
#ifndef ISA_EFFECT_MAKER_H
#define ISA_EFFECT_MAKER_H

#include "isa/effect.h"
#include "isa/effect_kinds.h"

struct effect_maker {
    const struct effect_context *c;
    const struct isa *isa;
    const struct insn *in;
    const struct row *row;
    enum effect_kind kind;
    struct effect *e;
};

enum {
    VCCZ = 251,
    EXECZ = 252,
    SCC_SOURCE = 253,
    SCALARS = 128,
    FIRST_TTMP = 108,
    TTMPS_END = 124,
    WHOLE = 15
};
enum { PER_LANE = EFFECT_EXEC | EFFECT_OWN_LANE };
enum { RELATIVE_SCALARS = 108, ROLE_TARGET = 3 };

// ---- Ranges and parts of registers (effect_ranges.c) ----

void effect_put(struct effect_maker *m, unsigned bank, unsigned first, unsigned count, unsigned bytes,
                unsigned flags);
void effect_put_scalars(struct effect_maker *m, unsigned code, unsigned count, unsigned flags);
void effect_put_vcc(struct effect_maker *m, unsigned flags);
void effect_put_exec(struct effect_maker *m, unsigned count, unsigned flags);
void effect_put_m0(struct effect_maker *m, unsigned flags);
void effect_put_code(struct effect_maker *m, unsigned code, unsigned count, unsigned bytes, unsigned flags);
unsigned effect_mask_dwords(const struct effect_maker *m);
unsigned effect_source_bytes(const struct effect_maker *m, unsigned i, const struct operand *o);
unsigned effect_result_bytes(const struct effect_maker *m, const struct operand *o);
unsigned effect_packed_bytes(const struct effect_maker *m, unsigned i);

// ---- Vector instructions (effect_vector.c) ----

void effect_vector_row(struct effect_maker *m);
bool effect_is_matrix(const struct row *row, unsigned format);
void effect_vector_insn(struct effect_maker *m);

// ---- Scalar instructions (effect_scalar.c) ----

void effect_scalar_result(struct effect_maker *m);
void effect_scalar_insn(struct effect_maker *m);

// ---- Memory (effect_memory.c) ----

struct operand effect_operand_in(const struct effect_maker *m, enum field field, bool dst);
void effect_put_policy(struct effect_maker *m);
void effect_memory_insn(struct effect_maker *m);

// ---- Images (effect_image.c) ----

void effect_image_insn(struct effect_maker *m);
void effect_tensor_insn(struct effect_maker *m);
void effect_export_insn(struct effect_maker *m);

#endif
