// SPDX-License-Identifier: MIT
// What a link tells its caller, and memory that lives as long as it.
#include <stdarg.h>

#include "link/link.h"

enum { MOST_ERRORS = 20 };

static void report(struct link *l, sw_severity severity, const struct object_file *file, const char *within,
                   const char *format, va_list args) {
    sw_location at = {.file = file ? file->name : NULL, .within = within && *within ? within : NULL};
    diag_reportv(l->sink, severity, &at, format, args);
}

void link_error(struct link *l, const struct object_file *file, const char *within, const char *format, ...) {
    if (l->errors++ < MOST_ERRORS) {
        va_list args;
        va_start(args, format);
        report(l, SW_SEVERITY_ERROR, file, within, format, args);
        va_end(args);
    } else if (l->errors == MOST_ERRORS + 2)
        diag_fail(l->sink, SW_BAD_INPUT, NULL, "more errors are not shown");
}

void link_warn(struct link *l, const struct object_file *file, const char *within, const char *format, ...) {
    if (l->warnings++ >= MOST_ERRORS) return;
    va_list args;
    va_start(args, format);
    report(l, SW_SEVERITY_WARNING, file, within, format, args);
    va_end(args);
}

void link_unsupported(struct link *l, const char *name, const char *what) {
    sw_location at = {.file = name};
    diag_fail(l->sink, SW_UNSUPPORTED, &at, "unsupported: %s", what);
    l->unsupported = true;
}

void link_no_memory(struct link *l) {
    if (!l->no_memory) diag_fail(l->sink, SW_NO_MEMORY, NULL, "out of memory");
    l->no_memory = true;
}

void *link_alloc(struct link *l, size_t size) {
    void *p = arena_alloc(&l->arena, size);
    if (!p) link_no_memory(l);
    return p;
}
