// SPDX-License-Identifier: MIT
// What an instruction touches: the registers that it reads and writes, its access to memory, the counters
// that it raises and waits for, and where control goes. insn_effect derives the record from the row's columns
// and the decoded fields. Nothing else in the tree says it: device, compiler, traces and profiles read it.
// tests/device/test_effects.c runs each row in each encoding and holds what changed, and what the result
// depended on, against the record (doc/effects.md).
//
// The record is about the registers that the instruction names. It does not know how many a wave has: what
// lies behind a wave's last register is the device's business.
#ifndef ISA_EFFECT_H
#define ISA_EFFECT_H

#include "isa/counters.h"
#include "isa/isa.h"

// ---- Registers ----

// Scalar registers go by their number among the sources: VCC is 106, M0 and EXEC are there as well.
enum effect_bank { BANK_SCALAR, BANK_VECTOR, BANK_ACC };

enum effect_flag {
    EFFECT_WRITES = 1 << 0, // else it is read
    // Written under a condition: some of these registers, lanes or bits may stay as they are.
    EFFECT_MAY = 1 << 1,
    // Lanes outside EXEC are neither read nor written.
    EFFECT_EXEC = 1 << 2,
    // Lane n is used for lane n of the results alone. Of a scalar register, bit n: it is a mask of lanes.
    EFFECT_OWN_LANE = 1 << 3,
    // Which register it is, M0 says at run time: the range has all that can be meant.
    EFFECT_RELATIVE = 1 << 4,
};

struct effect_range {
    uint8_t bank, flags; // enum effect_bank, enum effect_flag
    uint8_t bytes;       // of each register, a bit for each: 15 is all of it, 3 its low half
    uint16_t first, count;
};

// What else there is to be read or written, and registers that many ask for. VCC, EXEC and M0 are among the
// ranges, too.
enum effect_state {
    STATE_SCC = 1 << 0,
    STATE_VCC = 1 << 1,
    STATE_EXEC = 1 << 2,
    STATE_M0 = 1 << 3,
    STATE_MODE = 1 << 4,
    STATE_SCRATCH = 1 << 5, // the address of the wave's scratch, where it is no register
    STATE_FLAGS = 1 << 6,   // sticky exceptions: TRAPSTS, later EXCP_FLAG_USER
    STATE_PC = 1 << 7,      // read: the instruction's own address
    STATE_CLOCK = 1 << 8,
    STATE_OTHER = 1 << 9, // hardware registers that do not change while a wave runs
};

// ---- Memory ----

// FLAT: global, LDS or scratch by the address's aperture.
enum effect_space { SPACE_NONE, SPACE_GLOBAL, SPACE_LDS, SPACE_SCRATCH, SPACE_FLAT };

enum effect_access {
    MEMORY_READS = 1 << 0,
    MEMORY_WRITES = 1 << 1,
    MEMORY_ATOMIC = 1 << 2,
    MEMORY_RETURNS = 1 << 3,  // an atomic writes the old value to registers
    MEMORY_WAVE = 1 << 4,     // once for the wave, not for each lane; EXEC has no say
    MEMORY_TYPED = 1 << 6,    // a format says what is moved: `bytes` is the most that one has
    MEMORY_TO_LDS = 1 << 5,   // what is read goes to LDS, from M0 and the immediate on, or where `lds` says
    MEMORY_FROM_LDS = 1 << 7, // what is written comes from LDS, from such places
};

// How the address is made: sums of what the members name. The scalar offset of SMEM and of buffers is
// `soffset`.
enum effect_address {
    ADDRESS_NONE,
    ADDRESS_LANES,           // saddr (64 bits, 32 in scratch) + vaddr (32 bits, or 64) + offset
    ADDRESS_LANES_8,         // the same in LDS, 16 bits of it without the low three
    ADDRESS_THREAD,          // saddr or M0 + offset + 4 times the lane's number
    ADDRESS_OFFSET,          // the offset alone
    ADDRESS_SCALAR,          // saddr + soffset + offset, without the low bits of each
    ADDRESS_BUFFER,          // by the descriptor at srsrc
    ADDRESS_SCALAR_BUFFER,   // by the descriptor at saddr
    ADDRESS_PARAMETERS,      // of attribute `scale` by the primitive of the quad, M0 and offset
    ADDRESS_LANE_PARAMETERS, // the same, 16 bytes further for each lane of the quad but the last
    ADDRESS_DIRECT,          // M0, in dwords
};

enum { EFFECT_NOWHERE = 0xffff }; // no register

struct effect_memory {
    uint8_t space, access, address; // the enums above
    uint8_t bytes;                  // of one element
    uint8_t elements;               // 1; 2 with offset2; so many in a row of a block, by the bits of M0
    bool vaddr64, idxen, offen, addr64;
    uint16_t vaddr, saddr, srsrc, soffset; // numbers of the source space
    uint16_t
        lds; // of transfers between memory and LDS: a place there for each lane, to which offset is added
    uint8_t quads; // of a wave, where parameters are read
    uint8_t scale; // of soffset in ADDRESS_SCALAR: bytes that it counts by
    int64_t offset, offset2;
    // Bits of the encoding: glc (sc0), slc (nt), dlc, scc (sc1), nv; th and scope.
    uint8_t policy, th, scope;
};
enum effect_policy {
    POLICY_GLC = 1 << 0,
    POLICY_SLC = 1 << 1,
    POLICY_DLC = 1 << 2,
    POLICY_SCC = 1 << 3,
    POLICY_NV = 1 << 4
};

// ---- Control ----

enum effect_control {
    CONTROL_NEXT = 1 << 0,     // may go on behind itself
    CONTROL_TARGET = 1 << 1,   // may go on at `target`
    CONTROL_REGISTER = 1 << 2, // goes on where a register says
    CONTROL_CALL = 1 << 3,     // and leaves the address behind itself in a register
    CONTROL_END = 1 << 4,      // may end the wave
    CONTROL_BARRIER = 1 << 5,  // arrives at a barrier, or waits there
    CONTROL_YIELD = 1 << 6,    // the wave may give way here
    CONTROL_TRAP = 1 << 7,     // may stop the wave for a trap handler, or as no instruction
    CONTROL_MESSAGE = 1 << 8,
    CONTROL_ARRIVES = 1 << 9, // with CONTROL_BARRIER: at the one of the work-group
    CONTROL_WAITS = 1 << 10,  // likewise: until all waves of the work-group have arrived
};

enum effect_unit { UNIT_NONE, UNIT_SALU, UNIT_VALU, UNIT_SMEM, UNIT_VMEM, UNIT_FLAT, UNIT_LDS, UNIT_BRANCH };

// ---- The record ----

enum { EFFECT_RANGES = 24, EFFECT_NO_WAIT = 255 };

struct effect {
    uint8_t unit;           // enum effect_unit
    uint8_t count;          // ranges
    uint16_t reads, writes; // enum effect_state
    uint16_t control;       // enum effect_control
    int32_t target;         // of CONTROL_TARGET, in bytes from the instruction
    // Carried out twice, it leaves what it leaves after once: nothing that it reads does it write.
    bool again;
    uint8_t raises[COUNTERS]; // enum count_kind: of what it begins
    uint8_t waits[COUNTERS];  // until so few are left; EFFECT_NO_WAIT
    struct effect_memory memory;
    struct effect_range ranges[EFFECT_RANGES];
};

struct effect_context {
    const sw_processor *processor;
    const struct isa *isa;
    bool wave32;
    bool clears_halves; // a load into half of a register clears the other half (SRAM ECC)
    uint8_t index;      // roles of VGPR index mode in force (TRAP-118); 0: off
};

// False: there is no record: the row has no body (row_gap says why), or data lies in the global data share.
bool insn_effect(const struct effect_context *c, const struct insn *in, struct effect *out);

// True if the atomic returns the old value.
bool insn_asks_for_old(const struct insn *in);

#endif
