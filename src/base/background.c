// SPDX-License-Identifier: MIT
#include "base/background.h"

static bool is_busy; // atomic

void background_set(bool busy) { __atomic_store_n(&is_busy, busy, __ATOMIC_RELAXED); }
bool background_is_busy(void) { return __atomic_load_n(&is_busy, __ATOMIC_RELAXED); }
