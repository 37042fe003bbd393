// SPDX-License-Identifier: MIT
// Programs as the assembler makes them, and objects of them.
#ifndef TERASCALE_PROGRAM_H
#define TERASCALE_PROGRAM_H

#include "base/array.h"
#include "terascale/state/stage.h"

enum { TS_PADDING = 0xbf800000 }; // what llc fills the space between functions with

struct ts_setting {
    uint32_t reg, value;
};

// A function: its code begins at a multiple of 256 bytes of the text.
struct ts_function {
    char *name;
    ARRAY(uint32_t) code; // two dwords a word
    uint32_t begin;       // in bytes, once all functions are known
    enum ts_stage stage;
    uint32_t lds;                      // bytes
    ARRAY(struct ts_setting) settings; // that the text gives
    uint32_t gprs, stack;
    bool kills;
};
typedef ARRAY(struct ts_function) ts_functions;

void ts_functions_free(ts_functions *f);
// An object as llc writes it. NULL: no memory.
uint8_t *ts_write_object(const struct ts_chip *chip, unsigned mach, const ts_functions *f, size_t *size);

#endif
