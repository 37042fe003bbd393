// SPDX-License-Identifier: MIT
// The fidelity ledger: which operations give what a card gives, bit for bit, as far as documents say, and
// which do not, and why. What has a gap (row_gap) is not executed at all; what is neither here nor has a gap
// is exact.
#ifndef ISA_FIDELITY_H
#define ISA_FIDELITY_H

#include "isa/isa.h"

struct fidelity {
    const char *sem; // the body that executes the operation
    const char *why;
    const char *refusal; // the message where only exact operations are executed
    double ulps; // the greatest distance from the exact value, in units in the last place; 0: none is known
};

// NULL: the body is exact.
const struct fidelity *fidelity_of_body(const char *sem);
static inline const struct fidelity *row_fidelity(const struct row *row) {
    return fidelity_of_body(row_sem(row));
}
// The entry at an index from 0 on; NULL behind the last.
const struct fidelity *fidelity_at(unsigned index);

#endif
