// SPDX-License-Identifier: MIT
// Results and messages: what every part of Softwave returns and how it reports.
//
// No function of the library prints, exits or aborts. A function that can fail returns an sw_status
// and, where it was given a sink, describes each problem to it once.
//
// Structs that callers make begin with `size`, which the caller sets to sizeof the struct, so that programs
// and libraries of different versions work together:
// - Options. Members that a caller's older header lacks are 0. SW_USAGE: a size that the struct never had (0
//   among them), or a member set that only a newer header has.
// - Results. As much is filled as the size covers, and the size stays. SW_USAGE for a size that the struct
//   never had, where the function can say so.
// - Arrays. The first element states the size of all.
// In structs that the library makes, `size` is the library's. Members are only ever added at the end, also to
// those structs without `size` that the library gives one by one (sw_section, sw_symbol and so on): take them
// by their function, never by counting on from another. The other structs without `size` are values, which
// never change: sw_target, sw_sink, sw_node and so on.
//
// All that these headers declare is there since version 0.1.0. What came later says so in its comment, as
// "Since 0.2.0".
//
// Nothing here is owned by anybody: texts are constant, what a sink is shown is valid during its call only.
// Every function may be called from any thread.
#ifndef SOFTWAVE_BASE_H
#define SOFTWAVE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Outcome of a call. The numbers are the exit codes of the command line.
typedef enum sw_status {
    SW_OK = 0,
    SW_USAGE = 1,       // the caller's arguments make no sense together
    SW_BAD_INPUT = 2,   // a file, text or encoding is malformed
    SW_FAULTED = 3,     // the GPU program faulted or was stopped
    SW_UNSUPPORTED = 4, // well formed, but Softwave cannot do it
    SW_CHECK = 5,       // a requested comparison failed
    SW_NO_MEMORY = 6,
} sw_status;

typedef enum sw_severity { SW_SEVERITY_NOTE, SW_SEVERITY_WARNING, SW_SEVERITY_ERROR } sw_severity;

// Where a message points. Unknown parts are 0 or NULL. `line` and `column` count from 1.
typedef struct sw_location {
    const char *file;
    uint32_t line, column;
    const char *line_text; // the source line, not necessarily NUL-terminated
    size_t line_length;
    uint64_t offset; // byte offset in a binary file, when has_offset
    bool has_offset;
    const char *within; // the section, note key or descriptor field concerned
} sw_location;

typedef struct sw_diagnostic {
    size_t size; // sizeof(sw_diagnostic) of the library
    sw_severity severity;
    sw_location at;
    const char *message; // one line, no trailing period or newline
} sw_diagnostic;

// Receiver of messages. `report` may be called from several threads at once when the call that was given
// the sink runs several threads (documented there). A NULL sink or report drops messages.
typedef struct sw_sink {
    void (*report)(void *context, const sw_diagnostic *diagnostic);
    void *context;
} sw_sink;

// What a status means: "done", "the input is malformed". "unknown status" for a number that is none.
const char *sw_status_text(sw_status status);

// Frees what a function of the library made for its caller: objects, images, bundles. NULL is nothing.
void sw_free(void *memory);

// The version of this header, and that of the library which runs: major * 10000 + minor * 100 + patch.
#define SW_VERSION_NUMBER 100
unsigned sw_version_number(void);
const char *sw_version(void); // "0.1.0"

#ifdef __cplusplus
}
#endif

// A struct of this interface with all members 0 but `size`: sw_device_options options =
// SW_INIT(sw_device_options);
#ifdef __cplusplus
template <class T> inline T sw_with_size() {
    T t = T();
    t.size = sizeof t;
    return t;
}
#define SW_INIT(type) sw_with_size<type>()
#else
#define SW_INIT(type) ((type){.size = sizeof(type)})
#endif
#endif
