// SPDX-License-Identifier: MIT
// Relocatable objects of the R600 family: ELF32, state in .AMDGPU.config.
#ifndef TERASCALE_OBJECT_H
#define TERASCALE_OBJECT_H

#include "base/diag.h"
#include "terascale/object/program.h"

struct ts_symbol {
    const char *name;
    uint32_t value, size; // in .text
    bool global;
    // The registers that .AMDGPU.config sets for it: block n belongs to the nth function.
    const uint8_t *settings;
    uint32_t setting_count;
};

struct ts_object {
    const uint8_t *data;
    size_t size;
    const char *name; // of the file
    uint32_t flags;
    const sw_processor *processor;
    const struct ts_chip *chip;
    const uint8_t *text, *config;
    uint32_t text_size, config_size;
    struct ts_symbol *functions; // by address
    uint32_t function_count;
    uint32_t *code;       // the text as dwords, relocated, padded to whole words
    uint32_t relocations; // that were applied
    uint32_t unresolved;  // and that were not: their symbol is elsewhere
};

sw_status ts_object_open(const uint8_t *data, size_t size, const char *name, struct ts_object *out,
                         const sw_sink *sink);
void ts_object_close(struct ts_object *o);
// NULL: none of this name; of all that have a body worth running, if name is NULL, the only one.
const struct ts_symbol *ts_object_function(const struct ts_object *o, const char *name);
// Whose registers its settings are.
enum ts_stage ts_stage_of(const struct ts_object *o, const struct ts_symbol *f);
// A setting of a function, or `otherwise`.
uint32_t ts_symbol_setting(const struct ts_symbol *s, uint32_t reg, uint32_t otherwise);

#endif
