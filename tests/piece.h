// SPDX-License-Identifier: MIT
// Assembly that a test works on, from the .s file beside it: PIECE("name") in a test is the text in
// its .s file behind the line "// ---- name ----", up to the next such line.
#ifndef TESTS_PIECE_H
#define TESTS_PIECE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A file beside the source file `source`.
static inline void path_beside(char out[4096], const char *source, const char *name) {
    const char *slash = strrchr(source, '/');
    snprintf(out, 4096, "%.*s%s", slash ? (int)(slash + 1 - source) : 0, source, name);
}

static inline const char *piece_of(const char *source, const char *name) {
    static struct {
        char name[64];
        char *text;
    } known[256];
    static unsigned count;
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(known[i].name, name)) return known[i].text;
    char path[4096], heading[128], all[1 << 17];
    snprintf(path, sizeof path, "%.*s.s", (int)strlen(source) - 2, source);
    snprintf(heading, sizeof heading, "// ---- %s ----\n", name);
    FILE *f = fopen(path, "r");
    const size_t length = f ? fread(all, 1, sizeof all - 1, f) : 0;
    all[length] = 0;
    if (f) fclose(f);
    char *from = strstr(all, heading), *to = from ? strstr(from + 1, "\n// ---- ") : NULL;
    if (!from || count == sizeof known / sizeof *known) {
        fprintf(stderr, "%s has no piece '%s'\n", path, name);
        abort();
    }
    from += strlen(heading);
    snprintf(known[count].name, sizeof known[count].name, "%s", name);
    known[count].text = strndup(from, to ? (size_t)(to + 1 - from) : strlen(from));
    return known[count++].text;
}
#define PIECE(name) piece_of(__FILE__, name)

#endif
