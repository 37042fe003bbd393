// SPDX-License-Identifier: MIT
// Searching what is sorted.
#ifndef BASE_SORTED_H
#define BASE_SORTED_H

#include <stddef.h>

// Of so many items, how many at the begin have the condition, an expression of the index `i`. It holds for
// none behind the first that does not have it. That is also the index of that first item.
#define SORTED_PREFIX(count, i, condition)                                                                   \
    ({                                                                                                       \
        size_t low_ = 0, high_ = (count);                                                                    \
        while (low_ < high_) {                                                                               \
            const size_t i = low_ + (high_ - low_) / 2;                                                      \
            if (condition)                                                                                   \
                low_ = i + 1;                                                                                \
            else                                                                                             \
                high_ = i;                                                                                   \
        }                                                                                                    \
        low_;                                                                                                \
    })

#endif
