// SPDX-License-Identifier: MIT
// Instruction to text, in LLVM's spelling.
#ifndef DIS_DIS_H
#define DIS_DIS_H

#include "base/text.h"
#include "isa/isa.h"

struct print_options {
    const sw_processor *processor;
    const struct isa *isa; // NULL: the processor's own; else a copy with features switched
    bool wave32;
    uint8_t vgpr_msb; // upper bits of VGPRs of src0, src1, src2 and the result, two each, as s_set_vgpr_msb
                      // sets them
    uint64_t address; // of the instruction, for branch targets
    // Names a branch target; NULL or a NULL result prints the number. `context` is passed on.
    const char *(*label)(void *context, uint64_t address);
    void *context;
};

enum { INSN_TEXT = 512 };
// Writes the text, NUL-terminated and without indentation, to `out`; returns its length.
size_t insn_print(const struct insn *in, const struct print_options *options, char out[INSN_TEXT]);

#endif
