// SPDX-License-Identifier: MIT
// Which operations code that was reached has, and whether they are exact.
#include "device/device.h"
#include "isa/fidelity.h"

size_t sw_executable_operations(sw_device *d, const sw_executable *e, sw_operation *out, size_t capacity) {
    const struct sized kind = SIZED(sw_operation, approximate);
    size_t count = 0;
    if (capacity && sized_check(kind, out, NULL)) return 0;
    pthread_mutex_lock(&d->pool.lock);
    for (unsigned r = 0; r < isa_row_count; r++) {
        bool seen = false;
        for (const struct program *p = e->programs; p && !seen; p = p->next) seen = p->seen[r];
        if (!seen) continue;
        const struct fidelity *f = row_fidelity(&isa_rows[r]);
        const sw_operation seen_one = {.mnemonic = isa_row_name(d->pool.isa, &isa_rows[r]),
                                       .unsupported = row_gap(&isa_rows[r]),
                                       .approximate = f != NULL,
                                       .why = f ? f->why : NULL,
                                       .ulps = f ? f->ulps : 0};
        if (count < capacity) sized_put(kind, out, count, &seen_one);
        count++;
    }
    pthread_mutex_unlock(&d->pool.lock);
    return count;
}
