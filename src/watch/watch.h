// SPDX-License-Identifier: MIT
// Observers of running waves.
#ifndef WATCH_WATCH_H
#define WATCH_WATCH_H

#include "exec/wave.h"

// Before an instruction of an observed program (struct machine).
void watch_step(struct wave *w, const struct op *op);

#endif
