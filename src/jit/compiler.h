// SPDX-License-Identifier: MIT
// The threads that compile hot code, two a process, off the waves' critical path. They start when one is
// first asked, and end with the process, wherever they are then.
#ifndef JIT_COMPILER_H
#define JIT_COMPILER_H

#include "jit/hot.h"

// The kernel is due. False: not now, ask later.
bool compiler_ask(struct tier_up *t, struct program *p, struct hot_kernel *h, const struct op *loop);
// The program is about to go away: what is compiled of it now goes nowhere.
void compiler_forget(const struct program *p);
// Waits until nothing is left to do; for tests.
void compiler_settle(void);

#endif
