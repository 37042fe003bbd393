// SPDX-License-Identifier: MIT
// Which instructions a trace has, as `run --trace` and `exec --trace` take it:
// [FILE][,kernel=NAME][,pc=LO[-HI]][,wave=N][,lane=N][,class=NAME[+NAME]...][,registers=NAME[+NAME]...]
#ifndef BASE_TRACE_FILTER_H
#define BASE_TRACE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softwave/device.h"

enum { TRACE_REGISTERS = 16 };
struct trace_filter {
    char kernel[256];                    // symbol, or part of the name as the source has it; "": any
    uint64_t lo, hi;                     // bytes from the kernel's begin, inclusive
    int64_t wave, lane;                  // -1: any
    uint32_t classes;                    // bits by sw_insn_class
    unsigned register_count;             // 0: no table
    uint16_t registers[TRACE_REGISTERS]; // columns of a table, as sw_step_register numbers them
};

#define TRACE_FILTERS                                                                                        \
    "kernel=NAME, pc=LO[-HI], wave=N, lane=0..63, class=NAME[+NAME]... or registers=NAME[+NAME]... (up to "  \
    "16 "                                                                                                    \
    "of v0, a0, s0, vcc_lo, exec_lo)"

// `path` gets the file's name, "" when there is none. Returns what is neither (*length of it), or NULL: all
// is well.
const char *trace_spec_parse(const char *spec, struct trace_filter *filter, char *path, size_t size,
                             size_t *length);
// Whether a kernel of this symbol is to be traced.
bool trace_filter_kernel(const struct trace_filter *filter, const char *symbol);
// Whether an instruction of such a kernel is.
bool trace_filter_step(const struct trace_filter *filter, const sw_step *step);

// The register's name.
void trace_register_name(unsigned code, char out[16]);

#endif
