// SPDX-License-Identifier: MIT
// What the pseudo-code of memory instructions names: data, what is returned, addresses and offsets.
#ifndef TESTS_PSEUDOCODE_MEMORY_OPERANDS_H
#define TESTS_PSEUDOCODE_MEMORY_OPERANDS_H

#include "machine.h"

struct memory_operands {
    bool any, between_lanes, whole; // whole: ADDR is the sum of all that makes the address
    struct place address, data, data2, returned;
    unsigned offset0, offset1;
    int64_t offset;
    unsigned swizzled;            // over that many lanes, dword by dword
    bool address64, index, offen; // the register holds a whole address; a buffer's index, its offset
    bool blocks;                  // the scalar offset counts 64 bytes (Vega 7.2.1, S_SCRATCH_LOAD)
    bool wide_base;               // of a buffer: 57 bits, with the stride behind the number of records
    struct place scalar, resource;
    uint64_t base;    // of the memory that there is
    uint8_t *touched; // a byte of it each: the text read or wrote it
};

#endif
