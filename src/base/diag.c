// SPDX-License-Identifier: MIT
#include "base/diag.h"

#include <stdio.h>

void diag_reportv(const sw_sink *sink, sw_severity severity, const sw_location *at, const char *format,
                  va_list args) {
    if (!sink || !sink->report) return;
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    sw_diagnostic d = {.size = sizeof d, .severity = severity, .message = text};
    if (at) d.at = *at;
    sink->report(sink->context, &d);
}

sw_status diag_fail(const sw_sink *sink, sw_status status, const sw_location *at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    diag_reportv(sink, SW_SEVERITY_ERROR, at, format, args);
    va_end(args);
    return status;
}

void diag_note(const sw_sink *sink, const sw_location *at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    diag_reportv(sink, SW_SEVERITY_NOTE, at, format, args);
    va_end(args);
}

void diag_warn(const sw_sink *sink, const sw_location *at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    diag_reportv(sink, SW_SEVERITY_WARNING, at, format, args);
    va_end(args);
}
