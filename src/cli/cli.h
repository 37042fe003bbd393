// SPDX-License-Identifier: MIT
// What the subcommands share: the table that describes one, its option scanner, the terminal sink, printing
// of finished text.
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdio.h>

#include <stdio.h>

#include "base/text.h"

// An option. Parsing, --help, man page and shell completion all come from its row.
struct cli_option {
    int id;
    char letter;       // 0: none
    const char *name;  // long, without dashes; NULL: none
    const char *value; // NULL: takes none; "[=X]": may be left out. FILE, DIR and ID say what a shell may
                       // complete, "a|b" the words that there are
    const char *help;  // NULL: the row above says it
};
// A row without letter and name is a heading. An option with this id is accepted and does nothing.
enum { CLI_IGNORED = -100 };

// A subcommand. It takes its own arguments (argv[0] is its name) and returns the exit code.
struct cli_command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;     // in one line
    const char *synopsis; // what may follow its name, a form a line
    const char *about;    // paragraphs
    const struct cli_option *options;
    size_t option_count;
    const char *notes;    // behind the options: lines as they are, or NULL
    const char *examples; // lines as they are
    const char *operand;  // FILE, ID or words, as in `value`
};
#define CLI_OPTIONS(table) .options = (table), .option_count = sizeof(table) / sizeof *(table)

extern const struct cli_command *const cli_commands[]; // up to NULL
const struct cli_command *cli_find_command(const char *name);

struct scan {
    const struct cli_command *command;
    int argc;
    char **argv;
    int next;
    bool only_positional;
    const char *value; // of the option just returned, or the positional text
};

enum { SCAN_END = -1, SCAN_POSITIONAL = -2, SCAN_ERROR = -3, SCAN_HELP = -4 };
// In the enumeration of a command's options, so that the compiler names a row that its switch forgets.
#define SCAN_RESULTS                                                                                         \
    SCAN_IS_POSITIONAL = SCAN_POSITIONAL, SCAN_IS_ERROR = SCAN_ERROR, SCAN_IS_HELP = SCAN_HELP
struct scan cli_scan(const struct cli_command *command, int argc, char **argv);
// The id of the next option, or one of the above (SCAN_ERROR: a message was printed; SCAN_HELP: the help
// was). Takes "--name=value", "--name value", "-name", "-x value", "-xvalue" and flags; "--" ends the
// options, "-" is positional.
int cli_next(struct scan *s);

void cli_help(struct text *t, const struct cli_command *command); // NULL: of softwave itself
void cli_man(struct text *t, const struct cli_command *command);  // the same as a man page
void cli_exit_codes(struct text *t);

// Whether a value may be left out; its name without the sign of that.
bool cli_value_optional(const struct cli_option *o);
void cli_value_name(const struct cli_option *o, char out[64]);
bool cli_is_heading(const struct cli_option *o);

// Prints messages to standard error as file:line:column: error: text, with the source line and a caret;
// coloured on a terminal.
extern const sw_sink cli_sink;
bool cli_has_colours(FILE *f); // a terminal, and nobody asked for none

int cli_usage(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);
// What the command printed is out: `status`, or an error code and a message when it cannot be written. main
// asks this of standard output after every command.
int cli_written(FILE *to, const char *name, int status);
// Prints the text to standard output, frees it, and returns `status` or an error code.
int cli_finish(struct text *t, int status);
// The exit code once `id` (negative, of cli_next) ended a command's loop early.
static inline int cli_early(int id) { return id == SCAN_HELP ? SW_OK : SW_USAGE; }

#endif
