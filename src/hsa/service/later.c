// SPDX-License-Identifier: MIT
// Each thread's list of noted work (see later.h).
#include "hsa/service/later.h"

#include <stddef.h>

static _Thread_local struct {
    struct later *first, *last;
    bool runs; // an outer call does what is noted
} noted;

void later_note(struct later *l) {
    // On another thread's list: that one clears is_noted before it does the work, so it sees the change.
    if (__atomic_exchange_n(&l->is_noted, true, __ATOMIC_SEQ_CST)) return;
    l->next = NULL;
    if (noted.first)
        noted.last->next = l;
    else
        noted.first = l;
    noted.last = l;
}

void later_run(void) {
    if (noted.runs) return;
    noted.runs = true;
    for (struct later *l; (l = noted.first);) {
        noted.first = l->next;
        __atomic_store_n(&l->is_noted, false, __ATOMIC_SEQ_CST);
        l->run(l);
    }
    noted.runs = false;
}

void later_forget(void) {
    noted.first = NULL;
    noted.runs = false;
}
