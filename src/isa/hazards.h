// SPDX-License-Identifier: MIT
// The hazards of a processor (hazards.def).
#ifndef ISA_HAZARDS_H
#define ISA_HAZARDS_H

#include "isa/isa.h"

enum hazard_first { // what is remembered, by the register
    VALU_SCALAR,    // the vector unit wrote a scalar register
    ANY_VECTOR,     // a vector register was written
    SETREG,
    SALU_M0,
    WIDE_STORE,    // a store of more than 64 bits reads a vector register
    VALU_VECTOR,   // the vector unit wrote one
    MATRIX_SOURCE, // a matrix operation reads one as what it adds to
    TRANS_VECTOR,
    PART_VECTOR, // of 16 bits
    DOT_VECTOR,
    MATRIX_VECTOR,
    ACC_MOVE_VECTOR,
    ACC_WRITTEN,  // v_accvgpr_write
    WMMA_VECTOR,  // a matrix operation across the wave
    DENSE_VECTOR, // such a one, by whether it is sparse and how long it takes
    DENSE_LONG_VECTOR,
    SPARSE_VECTOR,
    SPARSE_LONG_VECTOR,
    CMPX_EXEC, // a compare wrote EXEC
    HAZARD_FIRSTS
};
enum hazard_second { // what comes too soon
    VMEM_READS_SCALAR,
    SMEM_READS_SCALAR,
    LANE_SELECT,
    DIV_FMAS, // reads VCC
    DPP_READS_VECTOR,
    SETREG_GETREG,
    READS_M0,
    VALU_WRITES_VECTOR,
    VALU_READS_SCALAR,
    LANE_READS_VECTOR, // readlane, readfirstlane
    VALU_READS_VECTOR,
    ANY_READS_VECTOR,
    MATRIX_READS_VECTOR, // accumulation registers too, which moves to these do as well
    DPP_READS_EXEC,
    LANE_READS_EXEC,   // readlane, readfirstlane, writelane
    MATRIX_READS_EXEC, // v_accvgpr_write too, where that is no plain move
    ACC_READS,         // v_accvgpr_read
    MATRIX_READS_C,    // of accumulation registers, what is added to
    MATRIX_READS_AB,
    MEMORY_READS_VECTOR,
    UNIT_READS_VECTOR, // any instruction of the vector unit
    WMMA_READS_AB,     // what is multiplied, and the index
    PERMLANE_READS_EXEC,
    UNIT_READS_SCALAR, // any instruction of the vector or of the scalar unit
    HAZARD_SECONDS
};
enum hazard_event {
    VMEM_READS_THEN_SALU_WRITES = 1 << 0,
    SMEM_READS_THEN_VALU_WRITES = 1 << 1,
    LDS_BRANCH_VMEM = 1 << 2,
    TRANS_USE = 1 << 3,
    EXEC_BETWEEN_WRITES = 1 << 4,    // waves of 64 lanes
    MASK_READ_THEN_WRITTEN = 1 << 5, // waves of 64 lanes
    WMMA_NEXT = 1 << 6,
    SCALAR_READ_THEN_WRITTEN = 1 << 7,
    TRANS_NEXT = 1 << 8, // the vector instruction behind a transcendental one is carried out beside it
    SCRATCH_BASE_READ = 1 << 9,
    LOADS_REPLAYED = 1 << 10, // where XNACK is on, loads that follow each other are issued once more together
    // Those from here on compiled code does not bring about.
    EXEC_READ_THEN_CMPX = 1 << 11,     // by memory instructions
    ATOMIC_THEN_DENORM_MODE = 1 << 12, // on floats
    DEALLOC_BEHIND_NOP = 1 << 13,      // s_sendmsg dealloc_vgprs has to be
    LANES_COME_BACK = 1 << 14, // other lanes of what a load has not written yet are written as they were
    // Matrix operations of one block take half as long, but those on floats of 32 bits.
    ONE_BLOCK_IN_HALF_THE_PASSES = 1 << 15,
};
enum { HAZARD_MOST_STATES = 20, HAZARD_EVENTS_OF_COMPILER = EXEC_READ_THEN_CMPX - 1 };

// Matrix operations by how many passes they take: 2, 4, 8, 16. What follows on them, by who reads or writes
// what.
enum matrix_kind { MATRIX_NONE, MATRIX_XDL, MATRIX_F32, MATRIX_F64_4, MATRIX_F64_16, MATRIX_KINDS };
enum matrix_use {
    MATRIX_TO_AB,     // a matrix operation multiplies the result, or has it for index
    MATRIX_TO_SAME_C, // one of as many passes adds to exactly the result
    MATRIX_TO_XDL_C,  // one adds to other registers that have some of it, by the kind of that
    MATRIX_TO_F32_C,
    MATRIX_TO_F64_C,
    MATRIX_TO_VALU,
    MATRIX_TO_MEMORY,
    MATRIX_OVERWRITTEN, // by the vector unit
    MATRIX_C_WRITTEN,   // that writes what the matrix operation adds to
    MATRIX_USES
};
enum { MATRIX_PASSES = 4 };
struct matrix_of {
    uint8_t kind, passes; // enum matrix_kind; 0 to 3 for 2, 4, 8, 16
};

struct hazards {
    uint8_t states[HAZARD_FIRSTS][HAZARD_SECONDS]; // wait states that must lie between
    uint16_t events;                               // enum hazard_event
    // Within fewer wait states, who reads gets the register as it was; 0: not, or it is not known.
    uint8_t stale[HAZARD_FIRSTS][HAZARD_SECONDS];
    uint8_t soon[HAZARD_FIRSTS][HAZARD_SECONDS];      // the same with fewer instructions of the vector unit
    uint8_t undefined[HAZARD_FIRSTS][HAZARD_SECONDS]; // within fewer wait states anything may happen
    uint8_t matrix[MATRIX_KINDS][MATRIX_USES][MATRIX_PASSES]; // in wait states
    uint8_t salu_states; // instructions of the scalar unit until what it wrote is there for certain
};
void isa_hazards(const struct isa *isa, struct hazards *out);

// What rows are to these rules.
bool row_is_dot(const struct row *row);
bool row_selects_lane(const struct row *row); // by number, which LANE_SELECT is about: readlane, writelane

#endif
