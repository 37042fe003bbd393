// SPDX-License-Identifier: MIT
#include "base/weak_request.h"

#include <string.h>

// A number from 1 on; NULL: there is none, or it is too large. What stands behind it.
static const char *take_seed(const char *s, uint64_t *out) {
    uint64_t v = 0;
    for (; *s >= '0' && *s <= '9'; s++)
        if (__builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v))
            return NULL;
    *out = v;
    return v ? s : NULL;
}

bool weak_request_parse(const char *text, struct weak_request *out) {
    struct weak_request r = {0};
    const char *s = take_seed(text, &r.first);
    if (s && !strncmp(s, "..", 2)) s = take_seed(s + 2, &r.last);
    r.hazards = s && !strcmp(s, ",hazards");
    if (!s || (*s && !r.hazards) || (r.last && r.last < r.first)) return false;
    *out = r;
    return true;
}
