// SPDX-License-Identifier: MIT
// The code around an instruction that is tried: MODE before it, and what jumps can reach behind and before
// it.
#ifndef TESTS_PSEUDOCODE_SLOT_CODE_H
#define TESTS_PSEUDOCODE_SLOT_CODE_H

#include <stdio.h>
#include <string.h>

#include "isa/isa.h"

// Labels are a dword behind the next instruction, or the dword before this one, which leads behind it all.
enum { LABEL_FORWARDS = 1, LABEL_BACKWARDS = -2, LANDING_BYTES = 8 };
static const uint32_t MODE_TOLD = 0xe08003ff; // what lines say of MODE: forks, FP16_OVFL and the lower bits

static inline bool row_begins(const struct row *row, const char *beginning) {
    return !strncmp(row_id(row), beginning, strlen(beginning));
}
static inline bool row_jumps(const struct row *row) {
    return row->flags & (ROW_BRANCH | ROW_CALL) || row_begins(row, "s_setpc") || row_begins(row, "s_swappc");
}
// Whether results tell where the instruction stands.
static inline bool row_tells_pc(const struct row *row) {
    return row_jumps(row) || row_begins(row, "s_getpc");
}
// Appends the text of an instruction; `at` is the offset of what comes next. Returns the instruction's
// offset.
static inline uint64_t put_slot_code(char **text, uint64_t *at, const struct row *row, const uint8_t *bytes,
                                     unsigned size, uint32_t mode) {
    char *p = *text;
    p += sprintf(p, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 24), 0x%x\n", mode & 0x8003ffu), *at += 8;
    const bool jumps = row_jumps(row);
    if (jumps) p += sprintf(p, "s_branch 1\ns_branch %u\n", size / 4 + 2), *at += LANDING_BYTES;
    const uint64_t place = *at;
    for (unsigned i = 0; i < size; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, sizeof word);
        p += sprintf(p, ".long 0x%08x\n", word);
    }
    *at += size;
    if (jumps) p += sprintf(p, "s_nop 0\ns_nop 0\n"), *at += 8;
    if (row_begins(row, "s_set_gpr_idx")) p += sprintf(p, "s_set_gpr_idx_off\n"), *at += 4;
    *text = p;
    return place;
}

#endif
