// SPDX-License-Identifier: MIT
// What a piece, as LLVM sees it, does with its wave.
#ifndef JIT_PIECES_H
#define JIT_PIECES_H

#include "base/array.h"
#include "llvm/llvm.h"

// Parameters of pieces (PIECE_PARAMETERS in exec/holes.h).
enum {
    PIECE_WAVE,
    PIECE_D,
    PIECE_A,
    PIECE_B,
    PIECE_C,
    PIECE_IMM,
    PIECE_PC,
    PIECE_E,
    PIECE_VADDR,
    PIECE_SADDR,
    PIECE_DATA,
    PIECE_DATA1,
    PIECE_DST,
    PIECE_SOFFSET,
    PIECE_SLOT,
    PIECE_OFFSET,
    PIECE_OFFSET1,
    PIECE_LDS_MASK,
    PIECE_PARAMETER_COUNT,
    PIECE_FAR = PIECE_SLOT // of an access to LDS, which has no range (find_far)
};

// Bytes [offset + parameter, + size) from the start of the wave; parameter 0: none.
struct piece_access {
    uint32_t parameter;
    int32_t offset;
    uint32_t size;
    bool writes, always; // it writes whichever way control takes
};
struct piece_facts {
    ARRAY(struct piece_access) accesses;
    bool only_next;  // what follows is always the next op
    bool only_ends;  // the wave always stops
    bool comes_back; // it may leave all to its handler, behind which compiled code goes on
    bool stores;     // it may write memory, LDS included
};

// False: the function is none that can be joined with others, as it calls something or names a place of the
// wave that is not its parameters' alone.
bool piece_look(const struct llvm *l, llvm_ref layout, llvm_ref function, struct piece_facts *facts);
// Whether it is an operation on vectors that a body writes out as an instruction of the host.
bool piece_is_written_out(const struct llvm *l, llvm_ref instruction);

#endif
