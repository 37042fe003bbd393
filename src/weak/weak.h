// SPDX-License-Identifier: MIT
// The weak machine: loads, stores, atomics and cache operations of waves happen as late, and as much out of
// order, as the memory models allow. A program that misses a wait, a fence or a cache operation then gives
// wrong results for some seed, the same ones each time; a correct program gives right ones for every seed.
// The machine does less than hardware may, never more. A device with it has one worker and interprets.
//
// What is modelled (doc/weak.md): results that arrive late, by the counters of isa/counters.h; accesses that
// are done out of order beyond a compute unit; caches of compute units, of shader arrays, for scalars, and
// several L2 caches (isa/caches.h), with stale lines.
#ifndef WEAK_WEAK_H
#define WEAK_WEAK_H

#include "exec/wave.h"

struct weak;
struct group;
struct pool;

// `hazards`: who reads a register too soon gets what it held. NULL: out of memory.
struct weak *weak_create(const struct pool *pool, uint64_t seed, bool hazards);
void weak_destroy(struct weak *m);

// For struct machine: see there.
const struct op *weak_step(struct wave *w, const struct op *op);
void weak_forget(struct group *g);

#endif
