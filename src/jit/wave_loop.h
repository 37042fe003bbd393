// SPDX-License-Identifier: MIT
// One compiled loop runs all waves of a work-group, each from its first op to its end, and those of groups
// that follow it. No wave is stored between iterations. Each starts from a template wave, which is as a
// launch leaves it, plus its own work-item ids. A wave that cannot finish in the loop ends the loop. If it
// has changed nothing, it is left as if it had not begun; otherwise its registers are stored.
#ifndef JIT_WAVE_LOOP_H
#define JIT_WAVE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/wave.h"

// Work-item ids of a wave, a register each.
struct wave_ids {
    _Alignas(64) uint32_t lane[3][MAX_LANES];
};

enum { GROUP_LOOP_WAVES = 32 };

struct wave_loop {
    const struct wave_ids *next, *end; // of the waves to run
    const bool *stop;                  // of the dispatch; atomic
    const uint32_t *interrupt;         // of the worker; atomic
    // Returns the memory of the next wave, as the wave begins. Compiled code stores its registers there.
    struct wave *(*begin)(struct wave_loop *s);
    // Where memory may be unmapped (guard.c): the wave's changed registers, laid out as in a wave. They are
    // saved before a store and before the first access behind one. `kept_at` is the number of the place; 0:
    // the wave has changed nothing yet.
    struct wave *kept;
    uint32_t kept_at;
    // Groups that may run behind this one without the scheduler: all is as for this one, but that the id at
    // `id`, in the template wave, is one more each time. Code counts them down. `given`: how many there were
    // when the scheduler last took note. `first`: where their waves begin.
    uint32_t follow, given;
    uint32_t *id;
    const struct wave_ids *first;
    const struct launch *launch;
    struct group *group;
    struct worker *worker;
    // Of a group loop: all waves of the group, which have begun, and where the code left them. The wave that
    // ran last; how many barriers all have passed, and how many have arrived at the next one; how many have
    // ended.
    struct wave *const *waves;
    uint32_t count, at, phase, arrived, ended;
    uint32_t most_phases;              // after so many barriers the scheduler goes on
    uint32_t places[GROUP_LOOP_WAVES]; // by wave: at which barrier of the code it waits, or waited last
};

// Runs waves until none is left of this group and those that follow, the worker is interrupted, or a wave
// cannot finish here; s->next is that wave. Returns it if it has begun, else NULL. `image`: the template
// wave.
typedef struct wave *wave_loop_fn(const struct wave *image, struct wave_loop *s);
// Gives a wave that has just begun the registers that were kept of s->next. Returns where it goes on.
typedef void *wave_loop_restore_fn(struct wave *w, const struct wave_loop *s);

// Linear launches, for which there is code of its own. That code keeps no waves.
enum wave_rows {
    ROWS_NONE,
    // In each wave, ids of the first dimension count up by one from a multiple of the wave size. The other
    // ids are the same in all lanes.
    ROWS_WAVES,
    // The same, where each group is one wave: LDS is its own. So until it has written other memory, it can
    // begin anew.
    ROWS_WAVE,
    // As ROWS_WAVES in each chunk of a wave (as many lanes as the host's widest vector has). A chunk lies in
    // one row of the work-group; the next chunk may lie in the next row.
    ROWS_CHUNKS,
    // The same, where a row of the work-group is a chunk: so each chunk begins with id 0.
    ROWS_OF_CHUNKS,
};
static inline bool rows_of_waves(unsigned rows) { return rows == ROWS_WAVES || rows == ROWS_WAVE; }
static inline bool rows_in_chunks(unsigned rows) { return rows == ROWS_CHUNKS || rows == ROWS_OF_CHUNKS; }
struct wave_loop_code {
    wave_loop_fn *run;             // NULL: there is none
    bool is_group_loop;            // each wave runs up to a barrier; all have begun, and are real
    wave_loop_restore_fn *restore; // NULL: it keeps no waves, as all memory stays where it is
};
// The code for a launch: `usual` where its memory stays, `careful` where memory may be unmapped meanwhile.
struct wave_loop_choice {
    struct wave_loop_code usual, careful;
};

#endif
