// SPDX-License-Identifier: MIT
// Messages, numbers of the environment, and the size of the host's memory.
#include "hsa/service/process.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"

void runtime_complain(const char *format, ...) {
    char text[1024];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    progress_clear();
    if (n > 0) fprintf(stderr, "softwave: %s\n", text);
}

uint64_t number_of(const char *text, const char *end) {
    char own[32];
    if (end - text >= (long)sizeof own) return 0;
    memcpy(own, text, (size_t)(end - text));
    own[end - text] = 0;
    char *rest;
    uint64_t n = strtoull(own, &rest, 0);
    const char *const letters = "kKmMgG", *letter = *rest ? strchr(letters, *rest) : NULL;
    const unsigned shift = letter ? 10 * (1 + (unsigned)(letter - letters) / 2) : 0;
    if (letter) rest++;
    return *rest || *own < '0' || *own > '9' || n > UINT64_MAX >> shift ? 0 : n << shift;
}

bool runtime_setting(const char *name, uint64_t *out) {
    const char *text = getenv(name);
    if (!text || !*text) return true;
    const uint64_t n = number_of(text, text + strlen(text));
    if (n)
        *out = n;
    else
        runtime_complain("%s: '%s' is not a number above 0, which may end in K, M or G", name, text);
    return n;
}

uint64_t host_memory(void) {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 1ull << 32;
}
