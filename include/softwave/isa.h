// SPDX-License-Identifier: MIT
// Instructions: bytes to a decoded form and back, text in both directions, operands, fields, and what is
// known of each operation. Part of libswisa, which needs nothing but libc.
//
// Every call works on memory of the caller: nothing is allocated, nothing is global but constant tables, and
// all calls may run in any number of threads. Numbers of enums are part of the interface and only grow.
#ifndef SOFTWAVE_ISA_H
#define SOFTWAVE_ISA_H

#include "softwave/target.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- How instructions are understood ----

typedef struct sw_isa_mode {
    size_t size; // sizeof(sw_isa_mode) of the caller; set before sw_isa_mode_init
    const sw_processor *processor;
    bool wave32;            // the wave size; widths of lane masks and of matrices depend on it
    sw_setting real_true16; // SW_SETTING_OFF, SW_SETTING_ON: 16-bit register halves are spelled or not;
                            // SW_SETTING_ANY: as LLVM
    // Names a branch target in sw_insn_format; NULL or a NULL result: the number.
    const char *(*label)(void *context, uint64_t address);
    void *label_context;
    // Upper bits of VGPR numbers, as s_set_vgpr_msb sets them where the instruction is (gfx1250): decoding
    // takes them along, into operands, text and accesses.
    uint8_t vgpr_msb;
} sw_isa_mode;

// The processor's defaults. SW_UNSUPPORTED: it has no instructions here (R600), SW_USAGE: no processor, or
// mode->size is not set.
sw_status sw_isa_mode_init(sw_isa_mode *mode, const sw_processor *processor);
// Switches features as -mattr spells them, "+wavefrontsize64,-real-true16". SW_USAGE: the processor has no
// such choice.
sw_status sw_isa_mode_set_features(sw_isa_mode *mode, const char *features, const sw_sink *sink);

// ---- Operations ----

// An operation, on whatever processors it exists: a constant, never freed. Encodings of one operation share
// it.
typedef struct sw_insn_info sw_insn_info;

typedef enum sw_insn_flag {
    SW_INSN_LOAD = 1 << 0,
    SW_INSN_STORE = 1 << 1,
    SW_INSN_ATOMIC = 1 << 2, // read-modify-write in memory
    SW_INSN_BRANCH = 1 << 3,
    SW_INSN_CALL = 1 << 4,
    SW_INSN_TERMINATOR = 1 << 5,      // ends a basic block
    SW_INSN_NO_FALL_THROUGH = 1 << 6, // control never reaches the next instruction
    SW_INSN_COUNTS_VM = 1 << 7,       // completes at the counter of vector memory
    SW_INSN_COUNTS_LGKM = 1 << 8,     // of LDS, scalar memory and messages
    SW_INSN_COUNTS_EXP = 1 << 9,
    SW_INSN_TRANSCENDENTAL = 1 << 10,
    SW_INSN_MATRIX = 1 << 11,
    SW_INSN_SCALAR = 1 << 12, // executed once a wave, by the scalar unit
    SW_INSN_LDS = 1 << 13,    // LDS or global data share (DS)
    SW_INSN_FLAT = 1 << 14,   // FLAT, GLOBAL, SCRATCH
    SW_INSN_BUFFER = 1 << 15,
    SW_INSN_IMAGE = 1 << 16,
    SW_INSN_EXPORT = 1 << 17,
    SW_INSN_DUAL = 1 << 18,  // can be half of a VOPD somewhere
    SW_INSN_D16 = 1 << 19,   // memory data of 16 bits
    SW_INSN_CLAMP = 1 << 20, // takes clamp, omod, neg and abs, DPP, SDWA in the encodings that have them
    SW_INSN_OMOD = 1 << 21,
    SW_INSN_NEG_ABS = 1 << 22,
    SW_INSN_DPP = 1 << 23,
    SW_INSN_SDWA = 1 << 24,
    SW_INSN_VOP3_DPP =
        1 << 25, // DPP in the long encoding too (GFX11 and later); SW_INSN_DPP: in the short one
    SW_INSN_ROW_NEWBCAST = 1 << 26,   // of DPP row_newbcast alone: lanes of 64 bits
    SW_INSN_SEXT = 1 << 27,           // SDWA sources may be sign-extended
    SW_INSN_OP_SEL = 1 << 28,         // chooses halves of registers
    SW_INSN_PACKED = 1 << 29,         // takes neg_lo and neg_hi
    SW_INSN_HIGH_RESULT = 1 << 30,    // writes the upper half of its register and keeps the lower
    SW_INSN_SPARSE = (int)(1u << 31), // of matrices half of whose elements an index register leaves out
} sw_insn_flag;

// Registers that operations touch without naming them.
typedef enum sw_implicit {
    SW_IMPLICIT_SCC = 1 << 0,
    SW_IMPLICIT_VCC = 1 << 1,
    SW_IMPLICIT_EXEC = 1 << 2,
    SW_IMPLICIT_M0 = 1 << 3,
    SW_IMPLICIT_MODE = 1 << 4,
} sw_implicit;

typedef struct sw_insn_facts {
    size_t size;            // sizeof(sw_insn_facts) of the caller; set before the call
    const char *id;         // stable: the same in every release
    uint32_t flags;         // sw_insn_flag
    uint32_t reads, writes; // sw_implicit; EXEC is read by everything that runs lane by lane
    const char *gap;        // why the software GPU does not execute it; NULL: it does
    unsigned access_bits;   // of one lane's plain load or store, 0: none
    // The fidelity ledger. Why results of the software GPU need not be a card's bit for bit, such as tables
    // that are not published; NULL: they are, as the documents define them, or it does not execute it (gap).
    const char *approximate;
    // Of an approximate one: no result is further from the exact value than so many units in the last place,
    // measured over all operands of F32, F16 and BF16; 0: no such number is known.
    double ulps;
} sw_insn_facts;

size_t sw_insn_info_count(void);
const sw_insn_info *sw_insn_info_at(size_t index); // NULL behind the last
const sw_insn_info *sw_insn_info_by_id(const char *id, size_t length);
const char *sw_insn_id(const sw_insn_info *info);
void sw_insn_get_facts(const sw_insn_info *info, sw_insn_facts *facts);
// The mnemonic on a processor, without the suffix of an encoding; NULL: it has no such instruction.
const char *sw_insn_mnemonic(const sw_insn_info *info, const sw_processor *processor);
// Further mnemonics that assemblers accept there: the one at `index`, or NULL.
const char *sw_insn_alias(const sw_insn_info *info, const sw_processor *processor, size_t index);
// Operations that a mnemonic names on a processor: *cursor starts at 0; NULL after the last.
const sw_insn_info *sw_insn_info_find(const sw_processor *processor, const char *mnemonic, size_t length,
                                      size_t *cursor);

// What an operation does: a sentence, and code in a small language (empty: nothing to compute). Both are
// constants. The language's rules are sw_insn_meaning_rule(0), (1) ..., a sentence or more each; NULL behind
// the last.
void sw_insn_meaning(const sw_insn_info *info, const char **sentence, const char **code);
const char *sw_insn_meaning_rule(size_t index);
// What it computes as a pattern of the compiler's operations, by which it is selected, such as
// "add(a, b); scc = ucarry(a, b)"; a, b, c, d are its sources. NULL: none. In libsoftwave, not in libswisa.
const char *sw_insn_pattern(const sw_insn_info *info);

// An encoding of an operation on a processor.
typedef struct sw_encoding {
    const char *format; // "VOP3": of sw_format_parts; "VOPDX", "VOPDY": as a half of "VOPD"
    unsigned opcode;
    unsigned bytes; // without literal, DPP, SDWA or further address words
} sw_encoding;
// Writes up to `capacity` encodings, each `stride` bytes after the last (sizeof(sw_encoding) of the caller),
// the shortest first; returns how many there are.
size_t sw_insn_encodings(const sw_insn_info *info, const sw_processor *processor, sw_encoding *out,
                         size_t capacity, size_t stride);

// A run of bits of a format. Bits that belong to no part are ignored by hardware and encoded as zero.
typedef struct sw_format_part {
    const char *field; // NULL: fixed bits of that value
    unsigned word, low, width;
    unsigned at;    // the field's bit that `low` holds: the field is value << at, parts added up
    unsigned bias;  // added to the field (256 where only VGPRs are possible)
    bool is_signed; // two's complement
    uint32_t value; // of fixed bits
} sw_format_part;
// The parts of a format on a processor in the order of words, most significant bit first; 0: no such format
// there. "DPP16", "DPP8", "SDWA" and "SDWAB" (compares) are the words that some encodings are followed by.
size_t sw_format_parts(const sw_processor *processor, const char *format, sw_format_part *out,
                       size_t capacity, size_t stride);

// What an operand of an operation can be; of the operation as such, not of one instruction.
typedef enum sw_allowed {
    SW_ALLOW_VGPR = 1 << 0,
    SW_ALLOW_AGPR = 1 << 1,
    SW_ALLOW_SGPR = 1 << 2, // and special scalar registers
    SW_ALLOW_INLINE = 1 << 3,
    SW_ALLOW_LITERAL = 1 << 4,
    SW_ALLOW_IMMEDIATE = 1 << 5,
    SW_ALLOW_LABEL = 1 << 6,
} sw_allowed;

typedef struct sw_operand_spec {
    const char *field, *type; // type: "F32", "B64", "MASK" (a bit a lane)
    bool written;             // else read; an operand that is both stands twice
    unsigned dwords;          // 0: depends on the instruction
    unsigned element_bits;
    unsigned allowed; // sw_allowed, in the encoding that allows most
} sw_operand_spec;
size_t sw_insn_operand_specs(const sw_insn_info *info, const sw_processor *processor, sw_operand_spec *out,
                             size_t capacity, size_t stride);

// ---- Decoding ----

enum { SW_INSN_STATE_WORDS = 96, SW_INSN_MAX_BYTES = 20, SW_INSN_TEXT_SIZE = 512 };

// A decoded instruction.
typedef struct sw_insn {
    size_t size; // sizeof(sw_insn) of the caller; set before decoding
    const sw_insn_info *info;
    const sw_insn_info *second;          // the other half of a VOPD, else NULL
    unsigned length;                     // bytes; when decoding failed, of what to step over
    uint64_t state[SW_INSN_STATE_WORDS]; // the library's; may be copied
} sw_insn;

typedef enum sw_decode {
    SW_DECODED = 0,
    SW_DECODE_TRUNCATED = 1,   // more bytes are needed
    SW_DECODE_UNKNOWN = 2,     // no instruction of this processor
    SW_DECODE_BAD_OPERAND = 3, // an instruction, but an operand of a kind that it does not take
    SW_DECODE_USAGE = 4,       // insn->size is not set, or the mode has no instructions
} sw_decode;

// Decodes one instruction. On failure insn->length is 4, or less when fewer bytes are left.
sw_decode sw_insn_decode(const sw_isa_mode *mode, const void *bytes, size_t available, sw_insn *insn);
// Whether it is as an assembler would write it. Hardware ignores some fields of some instructions; where such
// a field is not zero the text does not show it, and listings show data instead.
bool sw_insn_is_canonical(const sw_isa_mode *mode, const sw_insn *insn);
// Why a listing shows these bytes as data, in a few words; of bytes that it shows as an instruction this
// means nothing.
const char *sw_insn_data_reason(const sw_isa_mode *mode, const void *bytes, size_t available);

// Writes the text in LLVM's spelling, NUL-terminated and cut to `capacity`; returns the whole length, which
// is less than SW_INSN_TEXT_SIZE. `address` is the instruction's own, for branch targets.
size_t sw_insn_format(const sw_isa_mode *mode, const sw_insn *insn, uint64_t address, char *buffer,
                      size_t capacity);
// "VOP2", and the word behind it: "DPP16", "DPP8", "SDWA", "literal" or NULL.
const char *sw_insn_format_name(const sw_insn *insn);
const char *sw_insn_suffix_name(const sw_insn *insn);

// ---- Operands ----

typedef enum sw_operand_kind {
    SW_OPERAND_VGPR = 1,
    SW_OPERAND_AGPR = 2,
    SW_OPERAND_SGPR = 3,
    SW_OPERAND_TTMP = 4,
    SW_OPERAND_SPECIAL = 5, // a register by name: vcc, exec, m0, null, scc, mode ...
    SW_OPERAND_INLINE = 6,  // a constant that the encoding has a number for
    SW_OPERAND_LITERAL = 7, // a constant in a word of its own
    SW_OPERAND_IMMEDIATE = 8,
    SW_OPERAND_LABEL = 9,
    SW_OPERAND_INVALID = 10, // a register number that this processor does not have
} sw_operand_kind;

enum { SW_OPERAND_READ = 1, SW_OPERAND_WRITE = 2 };
enum { SW_HALF_NONE = 0, SW_HALF_LOW = 1, SW_HALF_HIGH = 2 };
enum { SW_MAX_OPERANDS = 40 };

typedef struct sw_operand {
    uint8_t kind;   // sw_operand_kind
    uint8_t access; // SW_OPERAND_READ, SW_OPERAND_WRITE
    bool implicit;  // not in the encoding
    bool second;    // of the second half of a VOPD
    bool neg, abs, sext;
    uint8_t half;          // SW_HALF_*: of a register that is addressed by halves
    uint8_t element_bits;  // 0: not made of elements
    uint16_t first, count; // registers: v[first : first + count - 1]; of a special register, its dwords
    int16_t code;          // number in the space of sources; -1: has none
    const char *name;      // of a special register, else NULL
    const char *field;     // of the encoding; NULL: implicit
    const char *type;      // "F32", "B64" ...
    // The bits of one element of a constant as the operation sees them; an immediate's field; a label's
    // distance in bytes from the beginning of this instruction.
    int64_t value;
} sw_operand;

// Writes up to `capacity` operands, each `stride` bytes after the last (sizeof(sw_operand) of the caller):
// destinations, sources, then implicit registers. Returns how many there are, at most SW_MAX_OPERANDS. A
// destination that is read as well stands once, with both accesses.
size_t sw_insn_operands(const sw_isa_mode *mode, const sw_insn *insn, sw_operand *out, size_t capacity,
                        size_t stride);

// ---- Fields and encoding ----

// The value of a field of the encoding by its name in the manuals ("offset", "glc", "src0", "literal").
// Vector sources share one space: 0-255 scalar registers and constants, 256-511 VGPRs. False: it has no such
// field.
bool sw_insn_field(const sw_isa_mode *mode, const sw_insn *insn, const char *name, int64_t *value);
// SW_BAD_INPUT: no such field, or the value does not fit. The opcode cannot be changed. "literal" gives an
// instruction whose source is number 255 its constant.
sw_status sw_insn_set_field(const sw_isa_mode *mode, sw_insn *insn, const char *name, int64_t value,
                            const sw_sink *sink);
// Bytes of the instruction; ignored bits become zero. SW_BAD_INPUT: the fields make no instruction of this
// operation any more.
sw_status sw_insn_encode(const sw_isa_mode *mode, const sw_insn *insn, uint8_t bytes[SW_INSN_MAX_BYTES],
                         size_t *size, const sw_sink *sink);

// Assembles one statement, without label or comment; expressions have integers, parentheses and LLVM's
// operators, but no symbols. An error goes to the sink with its column.
sw_status sw_insn_assemble(const sw_isa_mode *mode, const char *text, size_t length,
                           uint8_t bytes[SW_INSN_MAX_BYTES], size_t *size, const sw_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
