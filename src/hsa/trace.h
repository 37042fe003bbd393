// SPDX-License-Identifier: MIT
// Statistics and timelines.
#ifndef HSA_TRACE_H
#define HSA_TRACE_H

#include "hsa/hsa.h"

extern bool trace_on;
void trace_open(void);
bool trace_counts(void); // instructions are wanted
void trace_dispatch(const struct agent *a, uint64_t queue, const char *kernel, const sw_counts *c);
void trace_copy(uint64_t bytes, uint64_t begin, uint64_t end);

#endif
