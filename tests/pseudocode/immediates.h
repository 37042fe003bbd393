// SPDX-License-Identifier: MIT
// Numbers in the fields of instructions that no register holds. Included by trial.h.
#ifndef TESTS_PSEUDOCODE_IMMEDIATES_H
#define TESTS_PSEUDOCODE_IMMEDIATES_H

static bool is_immediate(unsigned type) {
    return type == T_IMM16 || type == T_SMALL || type == T_HWREG || type == T_WAITCNT || type == T_SENDMSG ||
           type == T_DELAY || type == T_DEPCTR || type == T_VERSION || type == T_GPR_IDX;
}
static int immediate(const struct row *row, unsigned type) {
    enum { HWREG_ID_MODE = 1, MODE_FLOAT_BITS = 8, MESSAGE_INTERRUPT = 1 };
    switch (type) {
    case T_HWREG: {
        const unsigned offset = below(MODE_FLOAT_BITS), bits = 1 + below(MODE_FLOAT_BITS - offset);
        return HWREG_ID_MODE | (int)(offset << 6) | (int)(bits - 1) << 11;
    }
    case T_SENDMSG: return MESSAGE_INTERRUPT;
    case T_DELAY: return (int)(below(5) | below(6) << 4 | below(5) << 7);
    case T_GPR_IDX: return (int)below(16);
    case T_WAITCNT:
    case T_DEPCTR:
    case T_VERSION: return (int16_t)next64();
    default: break;
    }
    if (row_begins(row, "s_sethalt") || row_begins(row, "s_setkill"))
        return 2 * (int)below(2); // bit 0 ends it
    if (row_begins(row, "s_round_mode") || row_begins(row, "s_denorm_mode")) return (int)below(16);
    if (row_begins(row, "s_trap")) return 0;
    if (row_begins(row, "s_barrier_wait")) return -1;          // the work-group's
    if (row->enc[0].format == FMT_SMEM) return (int)below(32); // in the field of data
    int x = below(3) ? (int)below(0x10000) : (int)below(4) - 2;
    if (!row->dst[0].type || !row_begins(row, "s_")) x &= 0xffff;
    return (int16_t)x;
}

#endif
