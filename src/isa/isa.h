// SPDX-License-Identifier: MIT
// The instruction table and what is derived from it.
//
// A row (struct row, in the .def files) is an operation: its id is not its mnemonic, which may differ by
// generation. A format (formats.def) is a bit picture. The build expands both, per processor, into an
// `struct isa`: which words select which format, and which row an opcode means there (build/isa_tables.c,
// written by expand.c). insn_decode needs nothing but that constant data and the caller's memory.
#ifndef ISA_ISA_H
#define ISA_ISA_H

#include <string.h>

#include "target/target.h"

// ---- The row ----

enum field {
#define FIELD(name) F_##name,
#include "isa/fields.def"
#undef FIELD
    FIELDS
};

// What an operand holds; the width in dwords and the reading of constants follow from it.
// X(name, dwords, bits of one element)
#define OPERAND_TYPES(X)                                                                                     \
    X(NO_OPERAND, 0, 0)                                                                                      \
    X(B16, 1, 16)                                                                                            \
    X(F16, 1, 16)                                                                                            \
    X(BF16, 1, 16)                                                                                           \
    X(I16, 1, 16)                                                                                            \
    X(U16, 1, 16)                                                                                            \
    X(B32, 1, 32)                                                                                            \
    X(F32, 1, 32)                                                                                            \
    X(I32, 1, 32)                                                                                            \
    X(U32, 1, 32)                                                                                            \
    X(V2B16, 1, 16)                                                                                          \
    X(V2F16, 1, 16)                                                                                          \
    X(V2BF16, 1, 16) /* two halves of a dword */                                                             \
    X(B64, 2, 64)                                                                                            \
    X(F64, 2, 64)                                                                                            \
    X(I64, 2, 64)                                                                                            \
    X(U64, 2, 64)                                                                                            \
    X(V2B32, 2, 32)                                                                                          \
    X(V2F32, 2, 32)                                                                                          \
    X(B96, 3, 32)                                                                                            \
    X(B128, 4, 32) X(B192, 6, 32) X(B256, 8, 32) X(B320, 10, 32) X(B512, 16, 32) X(B1024, 32, 32)            \
        X(W64, 2, 32) X(W128, 4, 32)                                                                         \
            X(W256, 8, 32) /* so many bits a lane in wave32, half of them in wave64 */                       \
        X(D16_XY, 1, 16) X(D16_XYZ, 2, 16)                                                                   \
            X(D16_XYZW, 2, 16) /* 16-bit components, a register each where not packed */                     \
        X(MASK, 0, 0)          /* one bit a lane: an SGPR pair in wave64, one SGPR in wave32 (TRAP-252) */   \
        X(MIX, 1, 0)           /* F32, or F16 in a half chosen by op_sel (TRAP-147) */                       \
        X(ADDR, 0, 0)          /* vaddr of FLAT, GLOBAL, SCRATCH: width by saddr and sve */                  \
        X(SADDR, 0, 0) X(BUFADDR, 0, 0) X(IMGADDR, 0, 0) X(DMASK, 0, 0) X(IMM16, 0, 0)                       \
            X(SMALL, 0, 0) /* printed in decimal where an inline constant could hold it */                   \
        X(LABEL, 0, 0) X(WAITCNT, 0, 0) X(SENDMSG, 0, 0) X(HWREG, 0, 0) X(DELAY, 0, 0) X(DEPCTR, 0, 0)       \
            X(GPR_IDX, 0, 0) X(VERSION, 0, 0) X(ENDPGM, 0, 0) X(EXPTGT, 0, 0) X(ATTR, 0, 0) X(INTERP, 0, 0)  \
                X(SWIZZLE, 0, 0) X(F8F6F4, 8, 32) /* 8, 6 or 4 dwords by the format in cbsz or blgp */       \
        X(AGPR, 1, 32)    /* an accumulation register, whatever the instruction's acc bit says */            \
        X(MIXB, 1, 0)     /* F32, or BF16 in a half chosen by op_sel */                                      \
        X(MATRIX, 16, 32) /* 16, 12 or 8 dwords by the format in op_sel (of A) or op_sel_hi (of B) */

enum operand_type {
#define X(name, dwords, bits) T_##name,
    OPERAND_TYPES(X)
#undef X
};
extern const uint8_t operand_dwords[], operand_bits[];

struct operand_spec {
    uint8_t field; // enum field; an encoding without it uses the implicit register (VCC for MASK)
    uint8_t type;
};

// Size and widening of a plain memory access.
enum access {
    ACCESS_NONE,
    ACCESS_U8,
    ACCESS_I8,
    ACCESS_U16,
    ACCESS_I16,
    ACCESS_B32,
    ACCESS_B64,
    ACCESS_B96,
    ACCESS_B128,
    ACCESS_B256,
    ACCESS_B512,
    ACCESS_D16_U8,
    ACCESS_D16_I8,
    ACCESS_D16_B16,
    ACCESS_D16_HI_U8,
    ACCESS_D16_HI_I8,
    ACCESS_D16_HI_B16,
};

enum atomic_trait {  // what an operation takes besides its data, and what that is
    TAKES_TUPLE = 1, // {new, compare} in one tuple of registers
    TAKES_DATA1 = 2, // a second operand
    IS_FLOAT = 4,
    IS_F32 = 8,
};
enum atomic {
    ATOMIC_NONE,
#define ATOMIC(name, bytes, traits) ATOMIC_##name,
#include "isa/atomics.def"
#undef ATOMIC
};

enum row_flag {
    ROW_ABSNEG = 1 << 0, // float sources take neg and abs
    ROW_SEXT = 1 << 1,   // SDWA sources take sext
    ROW_CLAMP = 1 << 2,
    ROW_OMOD = 1 << 3,
    ROW_OPSEL = 1 << 4,
    ROW_OPSEL_HI = 1 << 5,
    ROW_PACKED = 1 << 6,  // neg_lo and neg_hi
    ROW_DPP = 1 << 7,     // the VOP1, VOP2 or VOPC form takes DPP
    ROW_DPP64 = 1 << 8,   // only row_newbcast DPP, gfx90a and later CDNA (TRAP-042)
    ROW_E64_DPP = 1 << 9, // the VOP3 or VOP3P form takes DPP (GFX11+)
    ROW_SDWA = 1 << 10,
    ROW_TRANS = 1 << 11, // transcendental unit
    ROW_D16 = 1 << 12,
    ROW_LOAD = 1 << 13,
    ROW_STORE = 1 << 14,
    ROW_VM_CNT = 1 << 15,
    ROW_LGKM_CNT = 1 << 16,
    ROW_EXP_CNT = 1 << 17,
    ROW_BRANCH = 1 << 18,
    ROW_CALL = 1 << 19,
    ROW_TERMINATOR = 1 << 20,
    ROW_NO_FALL_THROUGH = 1 << 21,
    ROW_ATOMIC = 1 << 22,      // read-modify-write in memory
    ROW_TWO_OFFSETS = 1 << 23, // DS: two 8-bit offsets, not one of 16 bits
    ROW_BYTE_SEL = 1 << 24,    // op_sel chooses a byte of the source
    ROW_PAIR_SEL = 1 << 25, // op_sel is two flags of the operation (permlane: fetch inactive, bound control)
    ROW_SWAPS = 1 << 26,    // destination and source are registers that are both read and written
    ROW_NEG_BLGP = 1 << 27, // the blgp field negates (MFMA on F64)
    ROW_SEL4 = 1 << 28,     // op_sel has four places though there are two sources
    ROW_SWAP_SEL = 1 << 29, // op_sel is bound_ctrl and fi
    ROW_BITOP3 = 1 << 30,   // neg, abs and omod hold a truth table
    ROW_DST_HIGH = 1ull << 31,  // a 16-bit result goes to the upper half
    ROW_REVERSED = 1ull << 32,  // computes src1 OP src0; cannot read LDS directly
    ROW_BARRIER = 1ull << 34,   // the source numbers a barrier: M0 or an inline constant
    ROW_WORD_SEL = 1ull << 33,  // op_sel chooses the half with a pair of 8-bit floats
    ROW_FP8 = 1ull << 35,       // sources are 8-bit floats, whose sign nothing changes
    ROW_SCALE_SEL = 1ull << 36, // op_sel chooses a scale
    ROW_E5M3 = 1ull << 39,      // of which clamp asks for 8-bit floats without a sign, on GFX12.5
    ROW_ASYNC_CNT = 1ull << 37,
    ROW_TENSOR_CNT = 1ull << 38,
    ROW_MATRIX_4 = 1ull << 40,   // MFMA: blocks of 4x4; neither: of 16x16
    ROW_MATRIX_32 = 1ull << 41,  // of 32x32
    ROW_MATRIX_F32 = 1ull << 42, // of F32 whole, which take more passes
};

// Operations about which encoding, checking and printing know something of their own.
enum row_class {
    CLASS_NONE,
    CLASS_NOP,           // no operands
    CLASS_SHIFT64,       // reads one scalar value even where others may read two
    CLASS_ALIGN,         // v_alignbit_b32, v_alignbyte_b32: do not clamp on GFX8, where they have no op_sel
    CLASS_SMALL_INTEGER, // on 16-bit integers, with a short form once: op_sel and clamp on GFX10 alone
    CLASS_HALF_MOVE,     // v_mov_b16, v_swap_b16: without names for halves they do not exist
    CLASS_PK_FMAC,       // packs halves in a short form
    CLASS_SELECT,        // v_cndmask: takes neg and abs on 32 or 16 bits of any kind
    CLASS_CLASSIFY,      // v_cmp_class: the second source is a set of classes
    CLASS_LDEXP16,       // v_ldexp_f16: the second source is an integer, its constants those of F16
    CLASS_READLANE,      // brings a lane's value to a scalar register, which is never M0
    CLASS_DOT2,          // dot products of halves, which GFX940 reads whole
    CLASS_DOT4_FP8,      // dot products of 8-bit floats: no scalar sources behind DPP
    CLASS_DOT,           // other dot products
    CLASS_WAIT_STATES,   // s_nop
    CLASS_DENORM_MODE,   // s_denorm_mode
    CLASS_VERSION,       // s_version: nothing that a unit does
    CLASS_WAIT_UNITS,    // s_wait_alu (s_waitcnt_depctr): fields say for what
    CLASS_WAIT_IDLE,     // s_wait_idle: for all units
    CLASS_WMMA,          // matrices across a wave
    CLASS_SWMMAC,        // sparse ones, with an index whose part op_sel chooses
    CLASS_SCALE,         // the prefix with the scales of a matrix operation
    CLASS_ACC_MOVE,      // v_accvgpr_read_b32, v_accvgpr_write_b32
    CLASS_WAIT,          // s_waitcnt_vscnt and kin: from GFX11 on their register is null
    CLASS_GWS,           // global wave sync: data in the place of an address, or nothing
    CLASS_GDS,           // on the global data share alone: without the gds bit no instruction
    CLASS_BETWEEN_LANES, // moves values between lanes or on their stacks: in LDS alone
    CLASS_VGPR_MSB,      // s_set_vgpr_msb
    CLASS_SKIP,          // s_setvskip
    CLASS_LD_SCALE,      // the first half of a matrix operation with scales, on its own
};

// What an image instruction's address consists of besides coordinates, and how wide its data is.
enum image_fact {
    IMAGE_OFFSET = 1 << 0,
    IMAGE_BIAS = 1 << 1,
    IMAGE_COMPARE = 1 << 2,
    IMAGE_LEVEL = 1 << 3, // a level of detail, a mip level, or with IMAGE_LIMIT a bound of the former
    IMAGE_GRADIENTS = 1 << 4,
    IMAGE_G16 = 1 << 5,       // gradients of 16 bits
    IMAGE_GATHER = 1 << 6,    // four components of data, whatever dmask says
    IMAGE_QUERY = 1 << 7,     // no coordinates
    IMAGE_RAY = 1 << 8,       // an intersection: node, extent, origin, direction, inverse direction
    IMAGE_NODE64 = 1 << 9,    // whose node pointer has 64 bits
    IMAGE_NO_D16 = 1 << 10,   // data of 32-bit components only
    IMAGE_TWO_DATA = 1 << 11, // compare and swap: two values a lane
    IMAGE_DUAL_RAY = 1 << 12, // origin and direction are written as well
    IMAGE_MSAA = 1 << 13,     // of images with samples only
    // What is done, beside the address.
    IMAGE_RAW = 1 << 14,        // the texel's bits without conversion
    IMAGE_SIGNED = 1 << 15,     // with the sign of each component extended
    IMAGE_LEVEL_ZERO = 1 << 16, // level of detail 0
    IMAGE_LIMIT = 1 << 17,      // the level is a lower bound of the level of detail
    IMAGE_ROW = 1 << 18,        // gathers four texels of a row, not two of two
};

enum implicit { R_SCC = 1, R_VCC = 2, R_EXEC = 4, R_M0 = 8, R_MODE = 16 };

enum { OPCODE_NONE = 0xffff };

// One encoding of a row: a format and the opcode by generation, plus one; 0 inherits from the parent. Opcodes
// are for expand.c alone, which is built with EXPAND: all others find them in the tables.
struct encoding {
    uint8_t format;
#if defined(EXPAND)
    uint8_t promoted_from; // format whose opcodes these are derived from (VOP3_OF), plus one
    uint16_t op[GENERATIONS];
#endif
};

// What a row says in text. While the build expands the rows, that are pointers; then places in isa_texts, as
// the loader would have to write each pointer, and with it each page of the table, when a process begins.
#if defined(EXPAND)
typedef const char *row_text;
static inline const char *row_text_of(row_text t) { return t; }
#else
typedef uint32_t row_text; // 0: none
extern const char isa_texts[];
static inline const char *row_text_of(row_text t) { return t ? isa_texts + t : NULL; }
#endif

struct alias {
    uint8_t generation; // from here on down the tree
    row_text name;
};

enum { ROW_DST = 2, ROW_SRC = 5, ROW_ENC = 7, ROW_ALIASES = 7, ROW_NEEDS = 2 };

struct row {
    row_text id;   // these have functions below
    row_text sem;  // name of the body that executes it
    row_text gap;  // why it cannot be executed, or NULL
    row_text dual; // mnemonic as half of a VOPD, or behind a prefix with scales
#if defined(EXPAND)
    struct alias name[ROW_ALIASES]; // mnemonic where it differs from the id, and an end
#else
    uint16_t name; // the first of these in isa_row_names; one without a name ends them
#endif
    struct operand_spec dst[ROW_DST], src[ROW_SRC];
    uint64_t flags;        // enum row_flag
    uint8_t reads, writes; // enum implicit
    uint8_t access, atomic, class;
    uint32_t image;           // enum image_fact
    uint8_t scalars;          // bit n: source n is a scalar register or a constant, the same for all lanes
    uint8_t registers;        // bit n: source n is a register (a VGPR in vector formats), never a constant
    uint8_t key[2];           // bits of op_sel that choose part of the index register: in wave32, in wave64
    uint8_t needs[ROW_NEEDS]; // capability plus one; NEEDS_NOT set means its absence; 0 ends
    struct encoding enc[ROW_ENC];
};
enum { NEEDS_NOT = 0x80 };

extern const struct row isa_rows[];
extern const unsigned isa_row_count;

static inline const char *row_id(const struct row *row) { return row_text_of(row->id); }
static inline const char *row_sem(const struct row *row) { return row_text_of(row->sem); }
static inline const char *row_gap(const struct row *row) { return row_text_of(row->gap); }
static inline const char *row_dual(const struct row *row) { return row_text_of(row->dual); }
#if defined(EXPAND)
static inline const struct alias *row_names(const struct row *row) { return row->name; }
#else
extern const struct alias isa_row_names[];
static inline const struct alias *row_names(const struct row *row) { return &isa_row_names[row->name]; }
#endif

// A further mnemonic of a row that assemblers accept (aliases.def).
struct row_alias {
    uint8_t from, until; // generations; until is exclusive, 0 for no end
    uint16_t row;
    row_text name;
};
extern const struct row_alias isa_row_aliases[];
extern const unsigned isa_alias_count;

// ---- The format ----

enum format_id {
    FMT_SOP2,
    FMT_SOPK,
    FMT_SOP1,
    FMT_SOPC,
    FMT_SOPP,
    FMT_SMEM,
    FMT_VOP2,
    FMT_VOP1,
    FMT_VOPC,
    FMT_VOP3,
    FMT_VOP3B,
    FMT_VOP3S,
    FMT_VOP3I,
    FMT_VOP3P,
    FMT_WMMA_SCALE,
    FMT_WMMA_SCALE16,
    FMT_MAI,
    FMT_VINTRP,
    FMT_VINTERP,
    FMT_LDSDIR,
    FMT_VOPD,
    FMT_VOPD3,
    FMT_DS,
    FMT_FLAT,
    FMT_GLOBAL,
    FMT_SCRATCH,
    FMT_MUBUF,
    FMT_MTBUF,
    FMT_MIMG,
    FMT_VIMAGE,
    FMT_VSAMPLE,
    FMT_TENSOR,
    FMT_EXP,
    FMT_DPP16,
    FMT_DPP8,
    FMT_SDWA,
    FMT_SDWAB,
    FMT_VOPDX,
    FMT_VOPDY,
    FMT_VOPD3X,
    FMT_VOPD3Y,
    FORMATS
};
extern const char *const format_names[FORMATS];

struct part {
    uint8_t field, word, lo, width, at;
    uint8_t sign; // significant bits when two's complement, else 0
    uint16_t bias;
};

struct format {
    uint8_t id, words;
    uint8_t part_count, op_parts; // the parts of `op` come first
    uint32_t mask, match;         // fixed bits of the first dword
    const struct part *parts;
    uint64_t present[3];                  // bit set of fields
    uint32_t tail_mask[3], tail_match[3]; // fixed bits of the dwords behind the first
};

// ---- What a processor decodes ----

struct entry {
    uint16_t row;   // plus one; 0: no such instruction
    uint8_t format; // index into isa->formats
    bool two_forms; // this processor has a short and a VOP3 encoding of the row
};

struct space { // opcodes that share fixed bits and opcode position
    uint32_t mask, match;
    const struct format *format; // tells where the opcode is
    const struct entry *index;
    uint16_t count;
    uint8_t next; // further candidate with the same top bits, plus one
};

// An encoding of a row that exists on this processor. Those of one row are neighbours, the shortest first:
// the order in which an assembler tries them.
struct coding {
    uint16_t row, op;
    uint8_t format;
};

// Capabilities of the processor that encodings and their text depend on: X(name, capability)
#define ISA_CHOICES(X)                                                                                       \
    X(true16, real_true16)           /* 16-bit operands may name halves of registers */                      \
    X(halves_named, true16_default)  /* and do, as v1.l and v1.h, unless asked otherwise */                  \
    X(accvgpr_memory, unified_vgprs) /* memory instructions take AGPRs, and matrices VGPRs */                \
    X(even_tuples, even_vgpr_tuples) /* vector tuples begin at even registers */                             \
    X(packed_d16, packed_d16)        /* two 16-bit components a register */                                  \
    X(fadd_returns, atomic_fadd_rtn) /* float additions in memory return the old value */                    \
    X(literal64, literal64)          /* sources of 64 bits may be literals of 64 bits */

struct isa {
    const struct format *const *formats; // by format_id; NULL where absent
    const struct coding *codings;
    const uint16_t *row_codings; // by row: its first coding; the next row's ends them
    const uint16_t *names; // hash table of mnemonics: row plus one, with ISA_DUAL for half of a VOPD, or the
                           // number of an alias plus one with ISA_ALIAS
    const struct space *spaces;
    uint8_t space_count;
    uint8_t top[512];               // first space to try by bits 31:23, plus one
    const struct entry *vopd[2][2]; // VOPD and VOPD3, first and second half
    enum generation generation;
#define X(name, capability) bool name;
    ISA_CHOICES(X)
#undef X
#define FACT(name, text) uint8_t name; // of the generation
#define AMOUNT(name, text)
#include "target/facts.def"
#undef FACT
};

enum { ISA_NAME_SLOTS = 4096, ISA_DUAL = 0x8000, ISA_ALIAS = 0x4000 };

const struct isa *isa_of(const sw_processor *p);

// ---- Addresses and data of image instructions ----

struct insn;
// The registers that hold an image instruction's address, in order: scattered over the fields vaddr0 to
// vaddr12
// (`list`) or following each other from vaddr0. False: no such address (the row does not take the dimension,
// or has more components than the encoding has places for); then out holds what LLVM shows for it.
struct image_address {
    bool list;
    uint8_t count;
    uint8_t dwords[13];
    uint16_t code[13];
};
bool isa_image_address(const struct isa *isa, const struct insn *in, struct image_address *out);
// The most dwords that any dimension gives the address of this operation.
unsigned isa_image_most(const struct row *row);
// The dwords of its data.
unsigned isa_image_data(const struct isa *isa, const struct insn *in, bool address_fits);

// ---- Mnemonics ----

static inline uint32_t isa_name_hash(const char *name, size_t length) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++) h = (h ^ (uint8_t)name[i]) * 16777619u;
    return h ^ h >> 15;
}
// The next row whose mnemonic is `name`, or NULL; *slot starts at ISA_NAME_START and keeps the place, since
// several rows may share a name. `dual`: the name of half of a VOPD.
#define ISA_NAME_START UINT32_MAX
const struct row *isa_find_name(const struct isa *isa, const char *name, size_t length, bool dual,
                                uint32_t *slot);

// ---- A decoded instruction ----

enum suffix { SUFFIX_NONE, SUFFIX_LITERAL, SUFFIX_DPP16, SUFFIX_DPP8, SUFFIX_SDWA };

struct insn {
    const struct row *row;
    const struct row *row_y; // second half of a VOPD, else NULL
    const struct format *format;
    uint8_t size;   // bytes
    uint8_t suffix; // enum suffix
    bool dpp8_fi;
    bool two_forms;
    bool sdwa_sdst;    // the SDWA word of compares can name the destination (GFX9+)
    bool has_literal;  // literal in f[F_literal]
    bool wide_literal; // and its upper half in f[F_literal_hi]
    bool scaled;       // a prefix names scales: scale0, scale1, scale_sel, scale_sel_hi
    // Two upper bits each of the numbers of VGPRs that stand as src0, src1, src2 and destination: as
    // s_set_vgpr_msb has them. Who decodes code in its order puts them here; decoding leaves 0.
    uint8_t vgpr_msb;
    int32_t f[FIELDS]; // 0 where the format has no such field
};

enum decode_status { DECODE_OK, DECODE_TRUNCATED, DECODE_UNKNOWN, DECODE_BAD_OPERAND };
enum { INSN_MAX_BYTES = 20 };

// Decodes the instruction at `bytes`. On failure `out->size` is the number of bytes to step over (4, or less
// when fewer are left) and nothing else is meaningful.
enum decode_status insn_decode(const struct isa *isa, const uint8_t *bytes, size_t available,
                               struct insn *out);

// The bytes of an instruction: the inverse of insn_decode. `in` needs row, format, suffix, dpp8_fi,
// has_literal and the fields; `op` is the opcode of the coding. Ignored bits become zero. Returns the size in
// bytes.
unsigned insn_encode(const struct isa *isa, const struct insn *in, unsigned op, uint8_t out[INSN_MAX_BYTES]);

// Whether the instruction is as an assembler would write it: its operands exist, unused fields are zero,
// modifiers are those that the operation takes. Hardware ignores much of this; listings show the rest as
// data.
bool insn_is_canonical(const struct isa *isa, const struct insn *in, bool wave32);

static inline bool insn_has(const struct insn *in, enum field f) {
    return in->format->present[f >> 6] >> (f & 63) & 1;
}

// The mnemonic on this generation, without encoding suffix.
const char *row_name(const struct row *row, enum generation g);
static inline const char *isa_row_name(const struct isa *isa, const struct row *row) {
    return row_name(row, isa->generation);
}
// Whether a generation is `ancestor` or below it in the tree.
static inline bool generation_within(enum generation g, enum generation ancestor) {
    while (g != ancestor && g != generation_rows[g].parent) g = (enum generation)generation_rows[g].parent;
    return g == ancestor;
}

// Numbers of the source space that all formats share.
enum {
    SRC_FLAT_SCRATCH_LO = 102, // and XNACK_MASK at 104 where SGPRs end at 101
    SRC_VCC_LO = 106,
    SRC_VCC_HI = 107,
    SRC_EXEC_LO = 126,
    SRC_EXEC_HI = 127,
    SRC_ZERO = 128,
    SRC_SDWA = 249,
    SRC_DPP16 = 250,
    SRC_DPP8 = 233,
    SRC_DPP8_FI = 234,
    SRC_LDS_DIRECT = 254,
    SRC_LITERAL64 = 254, // where there is no LDS_DIRECT
    SRC_LITERAL = 255,
    SRC_VGPR0 = 256,
    SRC_AGPR0 = 512,
};

// An operand of a decoded instruction: where it is, in the number space above.
struct operand {
    uint16_t code;
    uint8_t type;
    uint8_t dwords;
    bool half; // a 16-bit operand, on processors where registers have halves
    bool high; // 16-bit operand in the upper half, named by the register number itself (true16)
};
// Compilers fill so small a struct byte by byte and then stall on reading it whole; this is called for every
// operand of every instruction that is listed.
static inline struct operand pack_operand(unsigned code, unsigned type, unsigned dwords, bool half,
                                          bool high) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t whole = code | type << 16 | dwords << 24 | (uint64_t)half << 32 | (uint64_t)high << 40;
    struct operand o;
    _Static_assert(sizeof o == 6 && offsetof(struct operand, high) == 5, "the layout that `whole` has");
    memcpy(&o, &whole, sizeof o);
    return o;
#else
    return (struct operand){(uint16_t)code, (uint8_t)type, (uint8_t)dwords, half, high};
#endif
}

// Formats and types of operands about which there is nothing to say but a number.
static inline bool operand_is_plain(const struct insn *in, struct operand_spec spec) {
    const uint64_t formats = 1ull << FMT_SOP2 | 1ull << FMT_SOP1 | 1ull << FMT_SOPC | 1ull << FMT_VOP2 |
                             1ull << FMT_VOP1 | 1ull << FMT_VOPC | 1ull << FMT_VOP3 | 1ull << FMT_VOP3P |
                             1ull << FMT_VOP3S | 1ull << FMT_VOP3B | 1ull << FMT_DS | 1ull << FMT_FLAT |
                             1ull << FMT_GLOBAL | 1ull << FMT_MUBUF;
    const uint64_t types = 1ull << T_B32 | 1ull << T_U32 | 1ull << T_I32 | 1ull << T_F32 | 1ull << T_B64 |
                           1ull << T_U64 | 1ull << T_I64 | 1ull << T_F64 | 1ull << T_B96 | 1ull << T_B128;
    return formats >> in->format->id & 1 && types >> spec.type & 1 && in->suffix != SUFFIX_SDWA &&
           spec.field != F_literal && spec.field != F_sdst && !in->row->scalars && !in->f[F_acc] &&
           in->format->present[spec.field >> 6] >> (spec.field & 63) & 1;
}

// The registers that an operand of a type consists of.
unsigned operand_width(const struct isa *isa, const struct insn *in, struct operand_spec spec, bool wave32);
struct operand insn_operand_at_length(const struct isa *isa, const struct insn *in, struct operand_spec spec,
                                      bool wave32);
// The number of the VGPR (or what else there is) in a field, by in->vgpr_msb. Such numbers go beyond
// SRC_AGPR0 where there are no AGPRs.
unsigned insn_vgpr(const struct insn *in, enum field field);

// `wave32` gives the width of MASK operands. An absent operand has type T_NO_OPERAND.
static inline struct operand insn_operand(const struct isa *isa, const struct insn *in,
                                          struct operand_spec spec, bool wave32) {
    if (!operand_is_plain(in, spec) || in->vgpr_msb) return insn_operand_at_length(isa, in, spec, wave32);
    return pack_operand((unsigned)in->f[spec.field] & 0xffff, spec.type, operand_dwords[spec.type], false,
                        false);
}

#endif
