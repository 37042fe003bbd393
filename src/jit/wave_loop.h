// SPDX-License-Identifier: MIT
// Waves of a work-group one after the other in compiled code, from their first op to their end, without that
// any of them is stored: what they begin with comes from one wave of the group, the image, which is as a
// launch leaves it, and from the launch's work-item ids. Whatever cannot go on like that ends the wave loop
// before or in a wave. One that has changed nothing yet is left as if it had not begun; another gets its
// registers then.
#ifndef JIT_WAVE_LOOP_H
#define JIT_WAVE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/wave.h"

// Work-item ids of a wave, a register each.
struct wave_ids {
    _Alignas(64) uint32_t lane[3][MAX_LANES];
};

struct wave_loop {
    const struct wave_ids *next, *end; // of the waves to run
    const bool *stop;                  // of the dispatch; atomic
    const uint32_t *interrupt;         // of the worker; atomic
    // Lets the next wave begin in its own memory, which compiled code then brings up to date.
    struct wave *(*begin)(struct wave_loop *s);
    // Where memory may be missing (guard.c): what the wave has changed, kept before it writes memory and
    // before what follows that, laid out as in a wave, and the number of the place; 0: it has changed nothing
    // yet.
    struct wave *kept;
    uint32_t kept_at;
    const struct launch *launch;
    struct group *group;
    struct worker *worker;
};

// Runs waves until none is left, somebody wants something, or one cannot go on here, which is next then. That
// wave if it has begun; else NULL.
typedef struct wave *wave_loop_fn(const struct wave *image, struct wave_loop *s);
// Lets a wave that has just begun go on where the next one was kept.
typedef void *wave_loop_restore_fn(struct wave *w, const struct wave_loop *s);

// Some code is for launches in rows only. It keeps no waves.
enum wave_rows {
    ROWS_NONE,
    // The first register of ids of each wave counts up by one from a multiple of the wave size on, and the
    // others have the same in all lanes.
    ROWS_WAVES,
    // So in each chunk of the wave, as many lanes as the host's widest vector has: the chunk lies in one row
    // of the work-group, but the next one may lie in the next row.
    ROWS_CHUNKS,
};
struct wave_loop_code {
    wave_loop_fn *run;             // NULL: there is none
    wave_loop_restore_fn *restore; // NULL: it keeps no waves, as all memory stays where it is
};
// Of a launch: where its memory stays, and where some may be unmapped under the waves.
struct wave_loop_choice {
    struct wave_loop_code usual, careful;
};

#endif
