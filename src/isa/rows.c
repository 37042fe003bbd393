// SPDX-License-Identifier: MIT
// The rows of the .def files as one constant array, for expand.c, which writes them as all others have them.
// An unknown column, operand kind or capability is a compile error at its line in the .def file.
#include "isa/isa.h"

const uint8_t operand_dwords[] = {
#define X(name, dwords, bits) dwords,
    OPERAND_TYPES(X)
#undef X
};
const uint8_t operand_bits[] = {
#define X(name, dwords, bits) bits,
    OPERAND_TYPES(X)
#undef X
};

#if defined(EXPAND)
enum { // short names of fields, types and flags, as the rows write them
#define FIELD(name) name = F_##name,
#include "isa/fields.def"
#undef FIELD
#define X(name, dwords, bits) name = T_##name,
    OPERAND_TYPES(X)
#undef X
        ABSNEG = ROW_ABSNEG,
    SEXT = ROW_SEXT,
    CLAMP = ROW_CLAMP,
    OMOD = ROW_OMOD,
    OPSEL = ROW_OPSEL,
    OPSEL_HI = ROW_OPSEL_HI,
    PACKED = ROW_PACKED,
    DPP = ROW_DPP,
    DPP64 = ROW_DPP64,
    E64_DPP = ROW_E64_DPP,
    SDWA = ROW_SDWA,
    TRANS = ROW_TRANS,
    D16 = ROW_D16,
    LOAD = ROW_LOAD,
    STORE = ROW_STORE,
    VM_CNT = ROW_VM_CNT,
    LGKM_CNT = ROW_LGKM_CNT,
    EXP_CNT = ROW_EXP_CNT,
    BRANCH = ROW_BRANCH,
    CALL = ROW_CALL,
    TERMINATOR = ROW_TERMINATOR,
    NO_FALL_THROUGH = ROW_NO_FALL_THROUGH,
    DST_HIGH = ROW_DST_HIGH,
    REVERSED = ROW_REVERSED,
    WORD_SEL = ROW_WORD_SEL,
    BARRIER = ROW_BARRIER,
    ATOMIC = ROW_ATOMIC,
    TWO_OFFSETS = ROW_TWO_OFFSETS,
    BYTE_SEL = ROW_BYTE_SEL,
    PAIR_SEL = ROW_PAIR_SEL,
    SWAPS = ROW_SWAPS,
    NEG_BLGP = ROW_NEG_BLGP,
    SEL4 = ROW_SEL4,
    SWAP_SEL = ROW_SWAP_SEL,
    BITOP3 = ROW_BITOP3,
    FP8 = ROW_FP8,
    SCALE_SEL = ROW_SCALE_SEL,
    E5M3 = ROW_E5M3,
    ASYNC_CNT = ROW_ASYNC_CNT,
    TENSOR_CNT = ROW_TENSOR_CNT,
    M4 = ROW_MATRIX_4,
    M32 = ROW_MATRIX_32,
    MF32 = ROW_MATRIX_F32,
    NONE = -2, // as an opcode: stored plus one as OPCODE_NONE
};

// G6(n), G7(n) ...: the opcode from there on down the tree.
#define OPCODE(generation, n) [generation] = (uint16_t)((n) + 1),
#define GENERATION(name, parent, column, family, facts)
#include "target/generations.def"
#undef GENERATION

#define E(fmt, ...)                                                                                          \
    {                                                                                                        \
        .format = FMT_##fmt, .op = { __VA_ARGS__ }                                                           \
    }
#define PROMOTED(to, from)                                                                                   \
    { .format = FMT_##to, .promoted_from = FMT_##from + 1 }
#define SOP2(...)         E(SOP2, __VA_ARGS__)
#define SOPK(...)         E(SOPK, __VA_ARGS__)
#define SOP1(...)         E(SOP1, __VA_ARGS__)
#define SOPC(...)         E(SOPC, __VA_ARGS__)
#define SOPP(...)         E(SOPP, __VA_ARGS__)
#define SMEM(...)         E(SMEM, __VA_ARGS__)
#define VOP2(...)         E(VOP2, __VA_ARGS__)
#define VOP1(...)         E(VOP1, __VA_ARGS__)
#define VOPC(...)         E(VOPC, __VA_ARGS__)
#define VOP3(...)         E(VOP3, __VA_ARGS__)
#define VOP3B(...)        E(VOP3B, __VA_ARGS__)
#define VOP3S(...)        E(VOP3S, __VA_ARGS__)
#define VOP3I(...)        E(VOP3I, __VA_ARGS__)
#define VOP3P(...)        E(VOP3P, __VA_ARGS__)
#define WMMA_SCALE(...)   E(WMMA_SCALE, __VA_ARGS__)
#define WMMA_SCALE16(...) E(WMMA_SCALE16, __VA_ARGS__)
#define MAI(...)          E(MAI, __VA_ARGS__)
#define VINTRP(...)       E(VINTRP, __VA_ARGS__)
#define VINTERP(...)      E(VINTERP, __VA_ARGS__)
#define LDSDIR(...)       E(LDSDIR, __VA_ARGS__)
#define VOPDX(...)        E(VOPDX, __VA_ARGS__)
#define VOPDY(...)        E(VOPDY, __VA_ARGS__)
#define VOPD3X(...)       E(VOPD3X, __VA_ARGS__)
#define VOPD3Y(...)       E(VOPD3Y, __VA_ARGS__)
#define TENSOR(...)       E(TENSOR, __VA_ARGS__)
#define DS(...)           E(DS, __VA_ARGS__)
#define FLAT(...)         E(FLAT, __VA_ARGS__)
#define GLOBAL(...)       E(GLOBAL, __VA_ARGS__)
#define SCRATCH(...)      E(SCRATCH, __VA_ARGS__)
#define MUBUF(...)        E(MUBUF, __VA_ARGS__)
#define MTBUF(...)        E(MTBUF, __VA_ARGS__)
#define MIMG(...)         E(MIMG, __VA_ARGS__)
#define VIMAGE(...)       E(VIMAGE, __VA_ARGS__)
#define VSAMPLE(...)      E(VSAMPLE, __VA_ARGS__)
#define EXP(...)          E(EXP, __VA_ARGS__)
#define VOP3_OF(f)        PROMOTED(VOP3, f)
#define VOP3B_OF(f)       PROMOTED(VOP3B, f)
#define VOP3S_OF(f)       PROMOTED(VOP3S, f)
#define VOPD3X_OF         PROMOTED(VOPD3X, VOPDX)
#define VOPD3Y_OF         PROMOTED(VOPD3Y, VOPDY)

// ---- Operand lists and flags that many rows have; arguments are types ----
// clang-format off
#define VD(type)        { {vdst, type} }
#define SD(type)        { {sdst, type} }
#define DATA(type)      { {vdata, type} }
#define V1(a)           { {src0, a} }
#define V2(a, b)        { {src0, a}, {src1, b} }
#define V3(a, b, c)     { {src0, a}, {src1, b}, {src2, c} }
#define S1(a)           { {ssrc0, a} }
#define S2(a, b)        { {ssrc0, a}, {ssrc1, b} }
#define DS_DATA(type)   { {addr, B32}, {data0, type} }
#define FLAT_ADDRESS    { {vaddr, ADDR}, {saddr, SADDR} }
#define FLAT_DATA(type) { {vaddr, ADDR}, {vdata, type}, {saddr, SADDR} }
#define BUFFER_ADDRESS  { {vaddr, BUFADDR}, {srsrc, B128}, {soffset, B32} }
#define BUFFER_DATA(type) { {vdata, type}, {vaddr, BUFADDR}, {srsrc, B128}, {soffset, B32} }
#define IMAGE           { {vaddr0, IMGADDR}, {srsrc, B256} }
#define SAMPLED_IMAGE   { {vaddr0, IMGADDR}, {srsrc, B256}, {ssamp, B128} }
#define FLOAT_MODS      (ABSNEG | CLAMP | OMOD)
#define ALL_FORMS       (DPP | E64_DPP | SDWA)
// clang-format on

#define AS(generation, text) {generation_##generation, text},
enum {
#define GENERATION(name, parent, column, family, facts) generation_##column = name,
#include "target/generations.def"
#undef GENERATION
};
#define HAS(capability)     CAP_##capability + 1
#define HAS_NOT(capability) (CAP_##capability + 1) | NEEDS_NOT

const struct row isa_rows[] = {
#define I(row_id, body, ...) {.id = #row_id, .sem = #body, __VA_ARGS__},
#include "isa/rows.def"
#undef I
};
enum { // row numbers, for aliases.def
#define I(row_id, body, ...) ROW_NUMBER_##row_id,
#include "isa/rows.def"
#undef I
};
const struct row_alias isa_row_aliases[] = {
#define ALIAS(from, until, name, row) {from, until, ROW_NUMBER_##row, name},
#include "isa/aliases.def"
#undef ALIAS
};
const unsigned isa_alias_count = sizeof isa_row_aliases / sizeof *isa_row_aliases;
const unsigned isa_row_count = sizeof isa_rows / sizeof *isa_rows;
#endif
