// SPDX-License-Identifier: MIT
// One line on a terminal that says how far something is, written anew in place until it is taken away. For
// the programs and the runtime, which talk to people; libraries have a caller for that.
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROGRESS_AFTER_MS = 1000, PROGRESS_EVERY_MS = 250 };
// After how long it appears, and how often it changes, in ns. SOFTWAVE_PROGRESS=MS says otherwise than 1000.
uint64_t progress_after(void);
uint64_t progress_every(void);

struct progress {
    const char *kernel, *gpu;
    uint64_t done, all; // work-groups
    double seconds;
    const bool *is_over; // atomic: by then nobody wants it shown any more; NULL: its caller knows
};

// The line, of no more than `columns` characters: where room is short, the kernel's name is cut.
void progress_format(const struct progress *p, size_t columns, char *out, size_t size);

// Whether standard error is a terminal on which a line can be written anew.
bool progress_is_possible(void);
// Any thread may show and clear. Whoever writes something else to the terminal clears first.
void progress_show(const struct progress *p);
void progress_clear(void);
void progress_reset(void); // in a child of fork: the line is the parent's

#endif
