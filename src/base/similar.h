// SPDX-License-Identifier: MIT
// "Did you mean": how far two names are from each other, and which of many is nearest.
#ifndef BASE_SIMILAR_H
#define BASE_SIMILAR_H

#include <stddef.h>

// Edits that make one name of the other, up to `limit`. An edit changes, adds or removes a character or swaps
// two neighbours; the other case of a letter is none. Names of more than 96 characters are `limit` apart.
unsigned similar_distance(const char *a, size_t a_length, const char *b, size_t b_length, unsigned limit);

// The nearest of the names that similar_consider has seen; NULL: none is near enough.
struct similar {
    const char *wanted;
    size_t length;
    unsigned limit; // names so far away or farther are not similar
    const char *best;
};
struct similar similar_to(const char *wanted, size_t length);
void similar_consider(struct similar *s, const char *name);

#endif
