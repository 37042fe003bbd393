// SPDX-License-Identifier: MIT
// How weak memory is asked for, on command lines and in the environment: a seed from 1 on, or a range of
// seeds, and whether hazards are wanted.
#ifndef BASE_WEAK_REQUEST_H
#define BASE_WEAK_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

struct weak_request {
    uint64_t first, last; // last 0: one seed
    bool hazards;
};
// Reads "FIRST[..LAST][,hazards]". False: it is something else.
bool weak_request_parse(const char *text, struct weak_request *out);

#endif
