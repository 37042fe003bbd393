// SPDX-License-Identifier: MIT
// Work that a thread notes while it holds locks and does when it holds none. The outermost call does all that
// was noted, so work that notes more work needs no stack.
#ifndef HSA_SERVICE_LATER_H
#define HSA_SERVICE_LATER_H

#include <stdbool.h>

struct later { // a part of what the work is for
    void (*run)(struct later *l);
    struct later *next;
    bool is_noted; // atomic: on some thread's list, which looks at the work after it takes it off
};

void later_note(struct later *l); // under any lock
void later_run(void);             // under none
void later_forget(void);          // in a child of fork

#endif
