// SPDX-License-Identifier: MIT
// Trying one encoding of one row on a parsed statement. Each attempt fills a struct insn or refuses; the
// first refusal ends it. The attempt that got furthest is repeated with `reporting` set, so that a message is
// composed once and only when it is needed.
#ifndef ASM_FIT_H
#define ASM_FIT_H

#include "asm/insn/statement.h"
#include "isa/kinds.h"
#include "isa/rules.h"

struct fit {
    const struct statement *st;
    const struct isa *isa;
    const struct row *row;
    struct insn in;
    unsigned next;     // positional operands taken
    uint64_t taken[2]; // modifiers taken
    bool reporting;
    bool literals;      // this encoding can hold a literal
    bool literal_given; // by an operand, as opposed to has_literal of a row that always has one
    const struct expr *literal_expr, *branch_expr;
    const struct parsed *half[4]; // of src0, src1, src2 and the result: operands that are halves of registers
    enum field half_field[4];
    bool named, plain; // halves with and without .l or .h were given: one instruction has one kind
    bool data_seen;    // the register file of data operands is decided
    unsigned scalars;  // distinct scalar sources, for the constant bus
    uint16_t scalar[6];
    const struct parsed *last_scalar; // the operand counted last
    enum field last_field;
    const char *where; // of the refusal
};

// Notes where the attempt failed and, when reporting, says why. Returns false.
bool fit_refuse(struct fit *f, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same for an operand of the row: "mnemonic: operand <what> on <processor>, found <text>".
bool refuse_operand(struct fit *f, enum field field, const struct parsed *p, const char *allowed);
// The next positional operand, or NULL after refusing because there is none.
const struct parsed *fit_take(struct fit *f, enum field field);
static inline const struct parsed *peek(const struct fit *f) {
    return f->next < f->st->operands ? &f->st->operand[f->next] : NULL;
}

// ---- Modifiers ----
const struct modifier *take_modifier(struct fit *f, enum modifier_id id); // NULL: not given
// name:integer in [lo, hi] into *out, which keeps its value when not given.
bool fit_int(struct fit *f, enum modifier_id id, int64_t lo, int64_t hi, int32_t *out);
void fit_flag(struct fit *f, enum modifier_id id, int32_t *out);
bool fit_bits(struct fit *f, enum modifier_id id, unsigned count,
              int32_t *out);    // name:[..] of `count` elements
bool fit_finish(struct fit *f); // nothing may be left over

// ---- Operands ----
// What may stand in a place of the row (isa/rules.h).
static inline struct rule fit_rule(const struct fit *f, unsigned place) {
    return rule_of(f->isa, &f->in, place, f->st->mode->wave32);
}
// A register, constant or literal of the type, as a number of the source space. `allowed`: of enum allow.
bool fit_value(struct fit *f, const struct parsed *p, enum field field, enum operand_type type,
               unsigned dwords, unsigned allowed, int32_t *code);
void count_scalar(struct fit *f, unsigned code, unsigned dwords); // one more value of the constant bus
bool fit_register(struct fit *f, enum field field, unsigned dwords, unsigned allowed, int32_t *code);
// A register beside the row's operands.
bool fit_field(struct fit *f, enum field field, unsigned dwords);
// constant.c: an inline constant's number or, where allowed, SRC_LITERAL.
bool fit_constant(struct fit *f, const struct parsed *p, enum field field, enum operand_type type,
                  unsigned allowed, int32_t *code);
bool fit_fixed_literal(struct fit *f, const struct parsed *p,
                       enum operand_type type); // always in the instruction
bool fit_number(struct fit *f, const struct parsed *p, enum field field, int64_t lo, int64_t hi,
                int32_t *out);
uint16_t half_of_double(double d, bool *fits);

// The immediates that have a notation of their own (immediate.c). 1: taken, 0: refused, -1: another type.
int fit_immediate(struct fit *f, struct operand_spec spec, int32_t *out);
bool fit_swizzle(struct fit *f, const struct modifier *m, int32_t *out);

// ---- Formats ----
bool fit_scalar(struct fit *f);
bool fit_valu(struct fit *f);
bool fit_vopd(struct fit *f, struct fit *second); // and, by the format, one of three dwords
bool fit_smem(struct fit *f);
bool fit_ds(struct fit *f);
bool fit_flat(struct fit *f);
bool fit_buffer(struct fit *f);
bool fit_image(struct fit *f);
bool fit_export(struct fit *f);
bool fit_tensor(struct fit *f);
bool fit_cache_policy(struct fit *f);

static inline bool is_dst(const struct row *row,
                          struct operand_spec s) { // a source that is a destination's old value
    return row->dst[0].type &&
           (s.field == row->dst[0].field || (row->dst[1].type && s.field == row->dst[1].field));
}
extern const char *const asm_field_names[];

#endif
