// SPDX-License-Identifier: MIT
#include "cli/assembly.h"

#include <string.h>

// The next line that begins with `word`, behind spaces: what follows the word, up to *stop. NULL: none.
static const char *find_line(const char *p, const char *end, const char *word, const char **stop) {
    const size_t length = strlen(word);
    while (p < end) {
        const char *next = memchr(p, '\n', (size_t)(end - p));
        *stop = next ? next : end;
        while (p < *stop && (*p == ' ' || *p == '\t')) p++;
        if ((size_t)(*stop - p) >= length && !memcmp(p, word, length)) return p + length;
        p = *stop + 1;
    }
    return NULL;
}

size_t assembly_target(const struct file *text, const char **target) {
    const char *p = (const char *)text->data, *end = p + text->size, *stop;
    while ((p = find_line(p, end, ".amdgcn_target", &stop))) {
        const char *open = memchr(p, '"', (size_t)(stop - p));
        const char *close = open ? memchr(open + 1, '"', (size_t)(stop - open - 1)) : NULL;
        if (close) return *target = open + 1, (size_t)(close - open - 1);
        p = stop < end ? stop + 1 : end;
    }
    return 0;
}

bool assembly_has_line(const struct file *text, const char *word) {
    const char *p = (const char *)text->data, *stop;
    return find_line(p, p + text->size, word, &stop) != NULL;
}
