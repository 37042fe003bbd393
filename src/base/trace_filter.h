// SPDX-License-Identifier: MIT
// Which instructions a trace has, as `run --trace` and `exec --trace` take it:
// [FILE][,kernel=NAME][,pc=LO[-HI]][,wave=N][,lane=N][,class=NAME[+NAME]...]
#ifndef BASE_TRACE_FILTER_H
#define BASE_TRACE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softwave/device.h"

struct trace_filter {
    char kernel[256];   // symbol, or part of the name as the source has it; "": any
    uint64_t lo, hi;    // bytes from the kernel's begin, inclusive
    int64_t wave, lane; // -1: any
    uint32_t classes;   // bits by sw_insn_class
};

#define TRACE_FILTERS "kernel=NAME, pc=LO[-HI], wave=N, lane=0..63 or class=NAME[+NAME]..."

// `path` gets the file's name, "" when there is none. Returns what is neither (*length of it), or NULL: all
// is well.
const char *trace_spec_parse(const char *spec, struct trace_filter *filter, char *path, size_t size,
                             size_t *length);
// Whether a kernel of this symbol is to be traced.
bool trace_filter_kernel(const struct trace_filter *filter, const char *symbol);
// Whether an instruction of such a kernel is.
bool trace_filter_step(const struct trace_filter *filter, const sw_step *step);

#endif
