// SPDX-License-Identifier: MIT
// Instructions to ops. A translator turns one basic block; each family appends ops for one instruction.
#ifndef EXEC_DECODE_TRANSLATE_H
#define EXEC_DECODE_TRANSLATE_H

#include "base/arena.h"
#include "base/array.h"
#include "exec/map.h"
#include "exec/wave.h"
#include "isa/isa.h"

struct body;
struct steps;

// Facts that are the same for all code of a program.
struct code_facts {
    const sw_processor *processor;
    const struct isa *isa;
    bool wave32;
    bool clears_halves;    // 16-bit loads into a half of a register clear the other half
    bool observed;         // keep ops that a functional model could drop
    bool listened;         // somebody is told of atomics on memory: handlers do that (state_atomic)
    bool weak;             // and ask before each op (src/weak)
    bool exact_only;       // operations that are approximate are not executed
    uint32_t stride;       // bytes of a vector register
    uint32_t vgprs, agprs; // allocated to the wave
    uint32_t agpr_base;    // register index of a0
    unsigned alignment;    // enum sw_alignment
    unsigned m0, null;     // scalar numbers; null is 0 where there is none
    const struct body *const *bodies; // by row index
    const struct steps *steps;
};

struct translator {
    const struct code_facts *facts;
    struct arena *arena; // of the program: for mem_op and other extra facts
    ARRAY(struct op) ops;
    ARRAY(uint8_t) flow; // of each op, enum op_flow: told behind each instruction
    uint32_t pc;         // byte offset of the instruction being translated
    uint32_t *next_slot; // of range slots
    unsigned gpr_index;  // roles of VGPR index mode in force (TRAP-118), 0: off; known within a block
    unsigned vgpr_msb;   // as s_set_vgpr_msb left them (struct insn)
    uint16_t *settings;  // of the program (program.h)
    uint64_t size;       // of the code
    bool failed;         // out of memory
    bool out_of_bounds;  // an access was emitted that may not run
    const char *gap;     // set with a false result: why the instruction cannot run
    bool illegal;        // set with gap: no processor runs it
};

// The one place where operands are held against what the wave has: whether every offset of the op, and of the
// memory instruction behind it, is that of a scalar register, constant, temporary or register of the wave. As
// tuples have at most VECTOR_TUPLE and SCALAR_TUPLE registers and as many lie behind the last, an op that
// passes stays inside its wave whatever it does. Every op of a program has passed (program.c).
bool op_in_bounds(const struct code_facts *f, const struct op *op);
bool mem_op_in_bounds(const struct code_facts *f, const struct mem_op *mo);

// Appends an op; returns NULL (and sets failed) when out of memory. The pointer holds until the next emit.
struct op *emit_op(struct translator *t, op_fn *fn);

static inline uint32_t vgpr_offset(const struct code_facts *f, unsigned n) {
    return WAVE_OFFSET(v) + n * f->stride;
}

// Vector registers of a wave; behind the last come those that nobody writes.
static inline unsigned vector_registers(const struct code_facts *f) { return f->agpr_base + f->agprs; }

// Where a register or constant of the source number space lives, as an offset usable by get32/get64 or, for
// vector registers, reg_at. `dwords` registers are read. Literals read as OP_IMM: set op->imm by literal_of.
// VCCZ and EXECZ, which are sources of some processors: what they are is found by a step before.
static inline bool is_zero_flag(unsigned code) { return code == 251 || code == 252; }
// SRC_FLAT_SCRATCH_BASE, its halves: a step before the reader finds it, too.
static inline bool is_scratch_base(const struct isa *isa, unsigned code) {
    return isa->flat_scratch_base && (code == 230 || code == 231);
}
void emit_scratch_base(struct translator *t);
uint32_t scratch_base_offset(unsigned code);
uint32_t source_offset(const struct translator *t, unsigned code, unsigned type, unsigned dwords);
// Consecutive scalar registers as a source; s0 when they run past the last (TRAP-088, TRAP-393).
uint32_t scalar_tuple(const struct translator *t, unsigned code, unsigned dwords);
// Destination registers; the null register gives the sink. UINT32_MAX: out of range, drop the instruction.
uint32_t destination_offset(const struct translator *t, unsigned code, unsigned dwords);
static inline bool is_vector(unsigned code) { return code >= SRC_VGPR0; } // VGPR or AGPR
static inline bool is_vgpr(unsigned code) { return code >= SRC_VGPR0 && code < SRC_AGPR0; }
// The type by which inline constants are read where body->half_source is not WHOLE_SOURCE.
unsigned half_source_type(const struct body *body);
// The literal as the 8 bytes that an operand of this type reads (TRAP-023, TRAP-024).
uint64_t literal_of(uint32_t literal, unsigned type);
static inline uint64_t wide_literal_of(const struct insn *in) {
    return (uint32_t)in->f[F_literal] | (uint64_t)(uint32_t)in->f[F_literal_hi] << 32;
}

// Range slots: the next free one whose low bits are the rights; shared round robin when they run out.
uint16_t range_slot(struct translator *t, uint32_t rights);

// Control comes to the instruction at this offset with the upper bits of VGPR numbers as they are: each
// instruction is decoded under one setting of them. False: it has another one already.
bool keep_setting(struct translator *t, uint64_t offset);

// Families: append ops for the instruction; false with t->gap when it cannot be executed.
bool translate_memory(struct translator *t, const struct insn *in, const struct body *body);
bool translate_vector(struct translator *t, const struct insn *in);

#endif
