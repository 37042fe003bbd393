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
    LANE_READS_EXEC, // readlane, readfirstlane, writelane
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
    LOADS_REPLAYED = 1 << 10 // where XNACK is on, loads that follow each other are issued once more together
};
enum { HAZARD_MOST_STATES = 20 };

struct hazards {
    uint8_t states[HAZARD_FIRSTS][HAZARD_SECONDS]; // wait states that must lie between
    uint16_t events;                               // enum hazard_event
    // Within fewer wait states, who reads gets the register as it was; 0: not, or it is not known.
    uint8_t stale[HAZARD_FIRSTS][HAZARD_SECONDS];
};
void isa_hazards(const struct isa *isa, struct hazards *out);
// Whether it has any rule about old values.
bool isa_has_stale(const struct isa *isa);

#endif
