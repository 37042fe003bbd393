// SPDX-License-Identifier: MIT
// Statistics and timelines, and how far what runs is.
#ifndef HSA_TRACE_H
#define HSA_TRACE_H

#include "hsa/hsa.h"

extern bool trace_on;
void trace_open(void);
// steps.c: has dispatches of kernels that are wanted tell of their instructions.
void steps_open(void);
void steps_observe(struct agent *a, const struct symbol *kernel, sw_dispatch *d);
bool trace_counts(void); // instructions are wanted
void trace_dispatch(const struct agent *a, uint64_t queue, const char *kernel, const sw_counts *c);
void trace_fidelity(const struct agent *a, const sw_executable *code); // of code that goes
void executables_tell_fidelity(void);                                  // of what is still loaded
// A kernel's name for people; without .kd, as its source has it.
void kernel_name(const char *symbol, char *out, size_t size);
void trace_copy(uint64_t bytes, uint64_t begin, uint64_t end);

// Around fork, in the process that calls it; then in both.
void trace_before_fork(void);
void trace_after_fork(bool is_child);
void steps_before_fork(void);
void steps_after_fork(bool is_child);

// progress.c
extern bool progress_on;
void progress_open(void);
void progress_begins(struct record *r); // by who holds its queue
void progress_close(void);
void progress_forget(void);

#endif
