// SPDX-License-Identifier: MIT
// The table of TeraScale instructions: four families, formats as bit pictures, a row for every operation.
// Decoding and encoding both go through the pictures; nothing else knows where a bit is.
#ifndef TERASCALE_TABLE_H
#define TERASCALE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "softwave/target.h"

enum ts_family { TS_R600, TS_R700, TS_EVERGREEN, TS_CAYMAN, TS_FAMILIES };

enum ts_format_id {
#define FORMAT_ID(name) TSF_##name,
#include "terascale/isa/format_ids.def"
#undef FORMAT_ID
    TS_FORMATS
};

enum ts_field {
#define FIELD(name, text, values) TS_##name,
#include "terascale/isa/fields.def"
#undef FIELD
    TS_FIELDS
};

// Enumerations of field values (enums.def).
enum ts_values {
    TSV_NONE,
    TSV_COND,
    TSV_CF_INDEX_MODE,
    TSV_FETCH_TYPE,
    TSV_NUM_FORMAT,
    TSV_FORMAT_COMP,
    TSV_SRF_MODE,
    TSV_ENDIAN,
    TSV_PRED_SEL,
    TSV_GWS_OPCODE,
    TSV_DATA_FORMAT,
    TSV_TEX_DIM,
    TSV_TILING,
    TSV_TEX_CLAMP,
    TSV_TEX_FILTER,
    TSV_TEX_STEP,
    TSV_TEX_BORDER,
    TSV_TEX_COMPARE,
};

struct ts_part {
    uint8_t field, word, lo, width, at; // `at`: which bits of the field these are, from here up
};

struct ts_format {
    const char *name;
    uint8_t id, words, part_count;
    const struct ts_part *parts;
    uint32_t reserved[4];     // bits without a name
    uint8_t width[TS_FIELDS]; // of each field; 0: not in this format
};

// Opcode spaces: which field says the operation, and where.
enum ts_space {
    TS_CF_SPACE,  // CF_INST of a CF word
    TS_CFA_SPACE, // CF_INST of a CF_ALU word
    TS_RAT_SPACE, // RAT_INST
    TS_OP2_SPACE,
    TS_OP3_SPACE,
    TS_LDS_SPACE, // LDS_OP
    TS_TEX_SPACE, // TEX_INST, INST_MOD above it
    TS_VTX_SPACE, // VC_INST
    TS_MEM_SPACE, // MEM_OP
    TS_GDS_SPACE, // GDS_OP
    TS_SPACES
};

// Which slots of a group execute an ALU operation.
enum ts_slots {
    TS_NOWHERE,
    TS_ANY,    // x y z w, or t
    TS_VEC,    // x y z w
    TS_TRANS,  // t only
    TS_ALL,    // all of x y z w together
    TS_TRIPLE, // x y z together; w may repeat them
};

enum ts_type { TS_B32, TS_F32, TS_I32, TS_U32, TS_F64 };

enum ts_flags {
    TS_KILL = 1,     // makes lanes invalid
    TS_PRED = 2,     // sets the predicate
    TS_MOVA = 4,     // writes the address register
    TS_CHAIN = 8,    // takes the result of a neighbouring slot
    TS_INTERP = 16,  // interpolates a parameter
    TS_DOUBLE = 32,  // on pairs of channels
    TS_BRANCH = 64,  // of control flow: goes to ADDR
    TS_CLAUSE = 128, // of control flow: executes the clause at ADDR
};

struct ts_row {
    const char *id;           // as Mesa has it; text may use it always
    const char *name;         // in AMD's text, where it differs
    const char *llvm;         // in llc's text, where it differs
    const char *gap;          // why it cannot be executed
    uint16_t op[TS_FAMILIES]; // plus one; 0: not in this family
    uint8_t space, format;
    uint8_t slots[TS_FAMILIES];
    uint8_t sources, returns, inst_mod;
    uint8_t dst, src; // enum ts_type
    uint16_t flags;
};

// Numbers of rows: TS_OP2_ADD, TS_CF_JUMP, TS_RAT_ADD...
enum ts_op {
#define CF(id, ...)   TS_CF_##id,
#define CFA(id, ...)  TS_CFA_##id,
#define EXP(id, ...)  TS_EXP_##id,
#define RAT(id, ...)  TS_RAT_##id,
#define ALU2(id, ...) TS_OP2_##id,
#define ALU3(id, ...) TS_OP3_##id,
#define LDS(id, ...)  TS_##id,
#define TEX(id, ...)  TS_TEX_##id,
#define VTX(id, ...)  TS_VTX_##id,
#define MEM(id, ...)  TS_MEM_##id,
#define GDS(id, ...)  TS_##id,
#include "terascale/isa/rows.def"
    TS_ROWS
};

extern const struct ts_row ts_rows[TS_ROWS];
const char *ts_row_name(const struct ts_row *row);

// ---- Tables made by expand.c ----

struct ts_isa {
    const struct ts_format *formats[TS_FORMATS]; // NULL: not in this family
    const uint16_t *index[TS_SPACES];            // opcode to row number plus one
    uint16_t count[TS_SPACES];
};
extern const struct ts_isa ts_isas[TS_FAMILIES];
extern const char *const ts_field_text[TS_FIELDS];
extern const uint8_t ts_field_values[TS_FIELDS]; // enum ts_values

// The name of a value, or NULL; its number, or -1.
const char *ts_value_name(enum ts_values values, unsigned number);
int ts_value_number(enum ts_values values, const char *name, size_t length);

// ---- Instructions ----

enum {
    TS_LDS_ALU_INST = 0x11, // the three-source operation whose words are LDS_IDX_OP
    TS_MEM_INST_NUMBER = 2, // the fetch that is a memory instruction
    TS_GDS_MEM_OP = 4,      // the memory instruction that GDS_OP tells apart
};

struct ts_insn {
    enum ts_family family;
    const struct ts_format *format;
    const struct ts_row *row; // NULL: no operation has this number
    const struct ts_row *rat; // of a MEM_RAT word: what it does there; NULL: none has this number
    uint32_t w[4];
};

// Words to instructions: these always succeed, `row` says whether the operation is known.
void ts_decode_cf(enum ts_family family, const uint32_t *w, struct ts_insn *in);    // 2 dwords
void ts_decode_alu(enum ts_family family, const uint32_t *w, struct ts_insn *in);   // 2 dwords
void ts_decode_fetch(enum ts_family family, const uint32_t *w, struct ts_insn *in); // 4 dwords

// A field of the word; 0 where the format has none of this name.
uint32_t ts_get(const struct ts_insn *in, enum ts_field f);
void ts_set(struct ts_insn *in, enum ts_field f, uint32_t value);
static inline unsigned ts_width(const struct ts_insn *in, enum ts_field f) { return in->format->width[f]; }
// Zeroes the word and writes what selects the operation. False: not in this family.
bool ts_begin(enum ts_family family, const struct ts_row *row, struct ts_insn *in);
static inline unsigned ts_row_number(const struct ts_row *row) { return (unsigned)(row - ts_rows); }
// Whether the word is the row with this number.
static inline bool ts_is(const struct ts_insn *in, enum ts_op op) { return in->row == &ts_rows[op]; }

// ---- Processors ----

struct ts_chip {
    const char *name;
    enum ts_family family;
    uint8_t wave;       // lanes
    uint8_t subentries; // of a stack entry
    uint8_t fetches;    // at most in a clause
    uint16_t facts;     // TS_FACT_*
};
enum ts_facts {
    TS_FACT_VERTEX_CACHE = 1, // vertex fetches have clauses of their own
    TS_FACT_DOUBLES = 2,
    TS_FACT_FMA = 4,
    TS_FACT_MOVA_GPR = 8,      // GPRs are indexed by MOVA_GPR_INT, constants by MOVA_INT
    TS_FACT_ALU_PUSH_BUG = 16, // compilers avoid ALU_PUSH_BEFORE at some depths
};
// The chip of an R600-family processor, or NULL.
const struct ts_chip *ts_chip_of(const sw_processor *p);
const struct ts_chip *ts_chip_find(const char *name, size_t length);

// ---- State registers ----

struct ts_register {
    uint8_t families; // bits 1 << enum ts_family
    uint8_t count;    // of this name, at steps of 4 bytes
    uint32_t offset;
    const char *name, *fields; // "NUM_GPRS:8@0 STACK_SIZE:8@8"
};
extern const struct ts_register ts_registers[];
extern const unsigned ts_register_count;
const struct ts_register *ts_register_at(enum ts_family family, uint32_t offset);

#endif
