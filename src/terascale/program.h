// SPDX-License-Identifier: MIT
// Assembling: text to programs, and programs to objects.
#ifndef TERASCALE_PROGRAM_H
#define TERASCALE_PROGRAM_H

#include "base/array.h"
#include "base/diag.h"
#include "terascale/table.h"

// The shader stages that programs are for; which registers hold their resources.
enum ts_stage {
    TS_STAGE_COMPUTE,
    TS_STAGE_VERTEX,
    TS_STAGE_PIXEL,
    TS_STAGE_GEOMETRY,
    TS_STAGE_EXPORT,
    TS_STAGES
};
uint32_t ts_resources_register(enum ts_family family, enum ts_stage stage);
enum { TS_PADDING = 0xbf800000 }; // what llc fills the space between functions with
enum { TS_REG_DB_SHADER_CONTROL = 0x2880c, TS_REG_LDS_ALLOC = 0x288e8 };

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

// What a program needs: GPRs, entries of the stack, whether it kills; which rows it uses.
struct ts_needs {
    unsigned gprs, stack;
    bool kills;
    bool uses[TS_ROWS];
};
// Why the body of a row is not sure to be right; NULL: it is, or there is none.
const char *ts_unsure(const struct ts_row *row);
// False: out of memory.
bool ts_program_needs(const struct ts_chip *chip, const uint32_t *code, uint32_t words, struct ts_needs *out);

sw_status ts_assemble(const char *text, size_t length, const struct ts_chip *chip, const char *file,
                      ts_functions *out, const sw_sink *sink);
void ts_functions_free(ts_functions *f);
// An object as llc writes it. NULL: no memory.
uint8_t *ts_write_object(const struct ts_chip *chip, unsigned mach, const ts_functions *f, size_t *size);

#endif
