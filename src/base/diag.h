// SPDX-License-Identifier: MIT
// Reporting to the caller's sink. Each helper returns the status that the caller will return, so that
// `return diag_bad(sink, at, "...")` is the whole error path.
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdarg.h>
#include "softwave/base.h"

#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))

void diag_reportv(const sw_sink *sink, sw_severity severity, const sw_location *at, const char *format,
                  va_list args) PRINTF_LIKE(4, 0);

// Reports an error and returns `status`. `at` may be NULL.
sw_status diag_fail(const sw_sink *sink, sw_status status, const sw_location *at, const char *format, ...)
    PRINTF_LIKE(4, 5);

void diag_note(const sw_sink *sink, const sw_location *at, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_warn(const sw_sink *sink, const sw_location *at, const char *format, ...) PRINTF_LIKE(3, 4);

#endif
