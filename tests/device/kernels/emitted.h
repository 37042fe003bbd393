// SPDX-License-Identifier: MIT
// The reference for kernels built with default flags: the operations that clang emitted, evaluated with
// bounds.
#ifndef TESTS_KERNELS_EMITTED_H
#define TESTS_KERNELS_EMITTED_H

#include "cases.h"

// Evaluates the test's kernel as the IR file at `path` has it and compares `memory` with the bounds. NULL, or
// what differs.
const char *emitted_compare(const char *path, const struct test *t, void *const memory[CASE_ARGUMENTS],
                            unsigned wave, char *why, size_t capacity);

#endif
