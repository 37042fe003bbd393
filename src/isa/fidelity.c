// SPDX-License-Identifier: MIT
// Looks entries of the fidelity ledger up (fidelity.def).
#include "isa/fidelity.h"

#include <string.h>

static const struct fidelity ledger[] = {
#define WITHIN(sem, ulps, why) {#sem, why, "its result is not exact: " why, ulps},
#define OPEN(sem, why)         WITHIN(sem, 0, why)
#include "isa/fidelity.def"
#undef WITHIN
#undef OPEN
};

const struct fidelity *fidelity_at(unsigned index) {
    return index < sizeof ledger / sizeof *ledger ? &ledger[index] : NULL;
}

const struct fidelity *fidelity_of_body(const char *sem) {
    const struct fidelity *f;
    for (unsigned i = 0; (f = fidelity_at(i)) && strcmp(f->sem, sem) != 0;) i++;
    return f;
}
