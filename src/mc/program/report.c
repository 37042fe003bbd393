// SPDX-License-Identifier: MIT
// Messages of a program: its reader knows what a place in the text is.
#include "mc/program/program.h"
#include "base/diag.h"

static void say(struct program *program, sw_severity severity, struct message_place place, const char *format,
                va_list args) {
    program->reader->message(program->reader->context, severity, place, format, args);
}

bool program_error(struct program *program, const char *where, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(program, SW_SEVERITY_ERROR, (struct message_place){.where = where}, format, args);
    va_end(args);
    return false;
}

bool program_error_at(struct program *program, const sw_location *at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(program, SW_SEVERITY_ERROR, (struct message_place){.at = at}, format, args);
    va_end(args);
    return false;
}

bool program_late_error(struct program *program, struct late at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(program, SW_SEVERITY_ERROR, (struct message_place){.late = &at}, format, args);
    va_end(args);
    return false;
}

void program_warn(struct program *program, const char *where, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(program, SW_SEVERITY_WARNING, (struct message_place){.where = where}, format, args);
    va_end(args);
}

bool program_no_memory(struct program *program) {
    if (!program->failed) diag_fail(program->sink, SW_NO_MEMORY, NULL, "out of memory");
    program->failed = program->ended = true;
    program->errors++;
    return false;
}
