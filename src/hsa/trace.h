// SPDX-License-Identifier: MIT
// Statistics and timelines.
#ifndef HSA_TRACE_H
#define HSA_TRACE_H

#include "hsa/hsa.h"

extern bool trace_on;
void trace_open(void);
void trace_steps(struct agent *a, sw_device_options *o); // steps.c; has the device tell of instructions
bool trace_counts(void);                                 // instructions are wanted
void trace_dispatch(const struct agent *a, uint64_t queue, const char *kernel, const sw_counts *c);
void trace_fidelity(const struct agent *a, const sw_executable *code); // of code that goes
void executables_tell_fidelity(void);                                  // of what is still loaded
void trace_copy(uint64_t bytes, uint64_t begin, uint64_t end);

#endif
