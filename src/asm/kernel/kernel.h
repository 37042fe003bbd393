// SPDX-License-Identifier: MIT
// The fields of .amdhsa_kernel as one table (rows.c): block.c reads them, fields.c checks them and makes the
// 64 bytes.
#ifndef ASM_KERNEL_H
#define ASM_KERNEL_H

#include "mc/program/program.h"

enum need {
    ALL,
    SCRATCH_SETUP, // flat scratch is set up by the program
    ARCHITECTED,   // or not
    FLAT,          // flat addresses and a program that sets scratch up
    XNACK,         // there is an XNACK mask
    UNIFIED,       // VGPRs and AGPRs in one file
    PRELOAD,
    WAVES, // wave32 exists
    WGP,   // and groups may be spread over a WGP
    IEEE,
    NO_IEEE,
    CLAMP16,
    SHARED,
    PREFETCH,
    BARRIERS, // with names
};

enum field_id {
    GROUP_SIZE,
    PRIVATE_SIZE,
    KERNARG_SIZE,
    USER_COUNT,
    NEXT_VGPR,
    NEXT_SGPR,
    ACCUM_OFFSET,
    RESERVE_VCC,
    RESERVE_FLAT,
    RESERVE_XNACK,
    PRELOAD_LENGTH,
    PRELOAD_OFFSET,
    WAVE32,
    SHARED_COUNT,
    PREFETCH_SIZE,
    WGP_MODE,
    MEMORY_ORDERED,
    FORWARD,
    TG_SPLIT,
    FIRST_PLAIN,
};

// Bit first..first+width of the descriptor; width 0: not a field of its own. `sgprs`: user SGPRs that it asks
// for. `now`: its value may not depend on later text.
struct field_row {
    const char *name;
    uint16_t first;
    uint8_t width, need, sgprs, initial;
    bool now;
};
enum { ROWS = 50 };
extern const struct field_row kernel_rows[];

struct kernel {
    struct kernel *next;
    struct slice name;
    struct place at;
    sw_location where; // of the end of the block
    struct mc_value value[ROWS];
    bool given[ROWS];
    sw_location *places[ROWS]; // of the values
    uint8_t order[ROWS];       // of the fields in the text
    unsigned count;
    bool done; // bytes are final
    uint8_t bytes[64];
};

bool kernel_has(const struct program *program, enum need need);
static inline bool kernel_has_row(const struct program *program, unsigned row) {
    return kernel_has(program, kernel_rows[row].need);
}
// The largest value that the field may have, and the smallest, on this processor.
void kernel_range(const struct program *program, unsigned row, int64_t *least, int64_t *most);
bool kernel_check_range(struct program *program, const struct kernel *k, unsigned row, int64_t v);
// Checks all fields together and makes the bytes. *late: some value is not known yet, nothing was done.
bool kernel_make(struct program *program, struct kernel *k, bool *late);

#endif
