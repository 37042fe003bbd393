// SPDX-License-Identifier: MIT
// What the subcommands share: an option scanner, the terminal sink, printing of finished text.
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/text.h"

// A subcommand takes its own arguments (argv[0] is its name) and returns the exit code.
int cmd_targets(int argc, char **argv);
int cmd_obj(int argc, char **argv);
int cmd_bundle(int argc, char **argv);
int cmd_dis(int argc, char **argv);
int cmd_as(int argc, char **argv);
int cmd_ld(int argc, char **argv);
int cmd_isa(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_eval(int argc, char **argv);

// Scans "--name=value", "--name value", "-x value", "-xvalue" and flags. Positional arguments and "-" end
// up in order; "--" ends the options. An option that begins no known name is a usage error.
struct option {
    char letter;      // 0: none
    const char *name; // long name without dashes, NULL: none
    bool takes_value; // otherwise "--name=value" is refused unless optional_value
    bool optional_value;
    int id;
};

struct scan {
    int argc;
    char **argv;
    int next;
    bool only_positional;
    const char *value; // of the option just returned, or the positional text
};

enum { SCAN_END = -1, SCAN_POSITIONAL = -2, SCAN_ERROR = -3 };
// The id of the next option, or one of the above (an error has been printed).
int scan_next(struct scan *s, const struct option *options, size_t count);

// Prints messages to standard error as file:line:column: error: text, with the source line and a caret;
// coloured on a terminal.
extern const sw_sink cli_sink;

int cli_usage(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);
// Prints the text to standard output, frees it, and returns `status` or an error code.
int cli_finish(struct text *t, int status);

#endif
