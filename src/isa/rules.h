// SPDX-License-Identifier: MIT
// What may stand in an operand's place: for an operation in one encoding (format and following word) on one
// set of processors. The assembler, the check for canonical instructions and the public interface ask here.
// What further depends on the instruction as a whole stays with them: the constant bus, modifiers, the text
// of literals.
#ifndef ISA_RULES_H
#define ISA_RULES_H

#include "isa/isa.h"

enum allow {
    ALLOW_SGPR = 1 << 0, // numbered ones, VCC, TTMPs, FLAT_SCRATCH and its kin
    ALLOW_VGPR = 1 << 1,
    ALLOW_AGPR = 1 << 2,
    ALLOW_CONSTANT = 1 << 3, // inline
    ALLOW_LITERAL = 1 << 4,
    // Scalar registers that some places except, and what is read like one.
    ALLOW_M0 = 1 << 5,
    ALLOW_NULL = 1 << 6,
    ALLOW_EXEC = 1 << 7,
    ALLOW_APERTURE = 1 << 8, // SRC_SHARED_BASE and its kin
    ALLOW_FLAG = 1 << 9,     // VCCZ, EXECZ, SCC
    ALLOW_LDS = 1 << 10,     // SRC_LDS_DIRECT
    ALLOW_NUMBER = 1 << 11,  // an immediate field, which is no operand of the source space
    ALLOW_LABEL = 1 << 12,

    ALLOW_REGISTERS = ALLOW_SGPR | ALLOW_M0 | ALLOW_NULL | ALLOW_EXEC, // that can be written
    ALLOW_SCALAR = ALLOW_REGISTERS | ALLOW_APERTURE | ALLOW_FLAG,
    ALLOW_SOURCE = ALLOW_SCALAR | ALLOW_VGPR | ALLOW_CONSTANT,
};

struct rule {
    uint16_t allow; // enum allow; 0: the row has no such operand, or the encoding no place for it
    uint8_t dwords; // registers: so many in a row
    uint8_t align;  // vector registers: a tuple begins at a multiple of it
    uint8_t vgprs;  // vector registers that can be named, less one
    bool implied;   // no field holds it: it is VCC
    bool tied;      // a source that is the old value of a destination
    bool with_dst;  // of the same file, VGPRs or AGPRs, as the destination
};

// Operands of a row by place: destinations first.
enum { RULE_SRC = ROW_DST, RULE_PLACES = ROW_DST + ROW_SRC };
static inline struct operand_spec row_operand(const struct row *row, unsigned place) {
    return place < RULE_SRC ? row->dst[place] : row->src[place - RULE_SRC];
}

// Of `in` the row, format, suffix and the fields that give widths and register files count.
struct rule rule_of(const struct isa *isa, const struct insn *in, unsigned place, bool wave32);

// The same for registers that encodings name beside the row's operands, or with a width of their own: scalar
// offsets, scalar addresses, vector addresses of `dwords`, scales, exported values.
struct rule rule_of_field(const struct isa *isa, const struct insn *in, enum field field, unsigned dwords);

// To which of the kinds above a number of the source space belongs; 0: to none.
unsigned rule_kind(const struct isa *isa, unsigned code);
// Whether a register, constant or literal may stand there, and exists so wide.
bool rule_admits(const struct isa *isa, const struct rule *rule, unsigned code);
// Whether `dwords` registers from a number of the source space on exist.
bool registers_exist(const struct isa *isa, unsigned code, unsigned dwords);

// Integers from -16 to 64 and floating-point values that have numbers among the sources.
// Matrices whose modifiers lie in op_sel and op_sel_hi (GFX12.5); those of GFX12 have registers by the wave's
// width.
static inline bool is_reusing(const struct isa *isa, const struct row *row) {
    const unsigned d = row->dst[0].type;
    if (!isa->matrix_reuse || row->class == CLASS_LD_SCALE) return row->class == CLASS_LD_SCALE;
    return (row->class == CLASS_WMMA || row->class == CLASS_SWMMAC) && d != T_W256 && d != T_W128;
}

static inline bool is_inline_constant(unsigned code) {
    return (code >= SRC_ZERO && code <= 208) || (code >= 240 && code <= 248);
}

#endif
