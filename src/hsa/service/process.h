// SPDX-License-Identifier: MIT
// The process that the runtime lives in: what its environment says, its memory, and messages to its user.
#ifndef HSA_SERVICE_PROCESS_H
#define HSA_SERVICE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

enum { PAGE = 4096 };

// A message on standard error, one line, "softwave: " before it.
void runtime_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
// A number in [text, end), which may end in K, M or G; 0: it is none.
uint64_t number_of(const char *text, const char *end);
// A number of the environment, if it is set. False: it is no number above 0, and the user was told.
bool runtime_setting(const char *name, uint64_t *out);
uint64_t host_memory(void); // bytes

#endif
