// SPDX-License-Identifier: MIT
// What an instruction reads and changes: registers, MODE and memory, places in them, and what of a result may
// differ.
#ifndef TESTS_PSEUDOCODE_MACHINE_H
#define TESTS_PSEUDOCODE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

enum { MACHINE_VGPRS = 128, MEMORY_DWORDS = 1024 };
struct machine {
    uint32_t v[MACHINE_VGPRS][64], s[128];
    uint32_t scc, mode;
    uint32_t mem[MEMORY_DWORDS]; // what the instruction can reach of memory
};
enum place_kind { P_NOWHERE, P_VGPR, P_SGPR, P_CONSTANT, P_MODE };
struct place {
    enum place_kind kind;
    unsigned index; // register number
    uint64_t constant;
};
// What of a result may differ: a NaN of arithmetic may be any quiet NaN, a transcendental may be some units
// off.
struct mark {
    uint32_t *at;
    uint8_t lo, fmt;
    bool nan, inexact, quiets; // a signalling NaN that is passed on may be quiet
};
enum { MARKS = 64 * 40 };

#endif
