// SPDX-License-Identifier: MIT
// Statistics, timelines and fidelity of a run.
#ifndef HSA_TELL_TRACE_H
#define HSA_TELL_TRACE_H

#include "hsa/tell/call.h"
#include "softwave/device.h"

extern bool trace_on;
// `at_end` is called before the report of operations that are not exact, for code that is still loaded.
void trace_open(void (*at_end)(void));
bool trace_counts(void); // instructions are wanted
// `gpu`: the agent's name and index.
void trace_dispatch(const char *gpu, unsigned index, uint64_t queue, const char *kernel, const sw_counts *c);
void trace_fidelity(const char *gpu, sw_device *device, const sw_executable *code);
// A kernel's name for people; without .kd, as its source has it.
void kernel_name(const char *symbol, char *out, size_t size);
void trace_copy(uint64_t bytes, uint64_t begin, uint64_t end);

// Around fork, in the process that calls it; then in both.
void trace_before_fork(void);
void trace_after_fork(bool is_child);

#endif
