// SPDX-License-Identifier: MIT
// --help and the man pages, from the tables of the commands.
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

enum { WIDTH = 100, DEEPEST = 28 };

static const struct {
    int code;
    const char *what;
} exit_codes[] = {
    {0, "done"},
    {1, "usage"},
    {2, "bad input"},
    {3, "the GPU program faulted"},
    {4, "an instruction or a feature is not supported"},
    {5, "a check or a comparison failed"},
};

static const char about_softwave[] =
    "Describes every AMD GPU from R600 to GFX12, assembles, disassembles, links and explains their code, and "
    "runs it on an ordinary CPU.";

// Words in lines of at most WIDTH, each line from `indent` on; the first goes on where the text stands.
static void wrap(struct text *t, size_t column, size_t indent, const char *words) {
    while (*words) {
        size_t n = strcspn(words, " \n");
        if (column > indent && column + 1 + n > WIDTH) {
            text_puts(t, "\n");
            text_pad(t, column = indent);
        }
        if (column > indent) text_puts(t, " "), column++;
        text_add(t, words, n);
        column += n;
        if (words[n] == '\n') {
            text_puts(t, "\n");
            if (words[n + 1]) text_pad(t, column = indent);
        }
        words += n + (words[n] != 0);
    }
    text_puts(t, "\n");
}

static void lines(struct text *t, const char *indent, const char *text) {
    while (*text) {
        size_t n = strcspn(text, "\n");
        if (n) text_printf(t, "%s%.*s", indent, (int)n, text);
        text_puts(t, "\n");
        text += n + (text[n] != 0);
    }
}

// Options that share a description: the row that has it and those below without one.
static size_t group_size(const struct cli_command *c, size_t first) {
    size_t n = 1;
    while (first + n < c->option_count && !c->options[first + n].help &&
           c->options[first + n].id != CLI_IGNORED && !cli_is_heading(&c->options[first + n]))
        n++;
    return n;
}

// "-k, --kernel=NAME, --function=NAME"; with bold and italic for roff.
static void spell(struct text *t, const struct cli_command *c, size_t first, size_t count, bool roff) {
    const char *bold = roff ? "\\fB" : "", *italic = roff ? "\\fI" : "", *plain = roff ? "\\fR" : "";
    const char *dash = roff ? "\\-" : "-";
    for (size_t i = first; i < first + count; i++) {
        const struct cli_option *o = &c->options[i];
        char value[64] = "";
        if (o->value) cli_value_name(o, value);
        if (i > first) text_puts(t, ", ");
        if (o->letter) text_printf(t, "%s%s%c%s", bold, dash, o->letter, plain);
        if (o->letter && o->name) text_puts(t, ", ");
        if (o->name) {
            text_printf(t, "%s%s%s", bold, dash, dash);
            for (const char *p = o->name; *p; p++) *p == '-' ? text_puts(t, dash) : text_add(t, p, 1);
            text_puts(t, plain);
        }
        if (!o->value) continue;
        text_puts(t, cli_value_optional(o) ? "[=" : o->name ? "=" : " ");
        text_printf(t, "%s%s%s%s", italic, value, plain, cli_value_optional(o) ? "]" : "");
    }
}

static size_t column_of_help(const struct cli_command *c) {
    size_t deepest = 0;
    for (size_t i = 0; i < c->option_count; i++) {
        if (cli_is_heading(&c->options[i]) || c->options[i].id == CLI_IGNORED) continue;
        struct text left = {0};
        size_t n = group_size(c, i);
        spell(&left, c, i, n, false);
        size_t width = 2 + left.length + 2;
        if (width > deepest && width <= DEEPEST) deepest = width;
        text_free(&left);
        i += n - 1;
    }
    return deepest;
}

static void help_option(struct text *t, const struct cli_command *c, size_t i, size_t count, size_t column) {
    size_t start = t->length;
    text_puts(t, "  ");
    spell(t, c, i, count, false);
    if (t->length - start + 2 > column) text_puts(t, "\n");
    text_pad(t, column);
    wrap(t, column, column, c->options[i].help ? c->options[i].help : "");
}

static void ignored_options(struct text *t, const struct cli_command *c) {
    struct text names = {0};
    for (size_t i = 0; i < c->option_count; i++) {
        if (c->options[i].id != CLI_IGNORED) continue;
        text_puts(&names, names.length ? ", " : "Accepted without effect: ");
        spell(&names, c, i, 1, false);
    }
    if (names.length) {
        text_puts(&names, ".");
        text_puts(t, "\n");
        wrap(t, 0, 0, names.data);
    }
    text_free(&names);
}

static void help_command(struct text *t, const struct cli_command *c) {
    const char *form = c->synopsis;
    for (const char *lead = "usage: "; *form; lead = "       ") {
        size_t n = strcspn(form, "\n");
        text_printf(t, "%ssoftwave %s%s%.*s\n", lead, c->name, n ? " " : "", (int)n, form);
        form += n + (form[n] != 0);
    }
    text_puts(t, "\n");
    wrap(t, 0, 0, c->about);
    text_puts(t, "\n");
    size_t column = column_of_help(c);
    for (size_t i = 0; i < c->option_count; i++) {
        const struct cli_option *o = &c->options[i];
        if (o->id == CLI_IGNORED) continue;
        if (cli_is_heading(o)) {
            text_printf(t, "%s%s:\n", i ? "\n" : "", o->help);
            continue;
        }
        size_t n = group_size(c, i);
        help_option(t, c, i, n, column);
        i += n - 1;
    }
    ignored_options(t, c);
    if (c->notes) {
        text_puts(t, "\n");
        lines(t, "", c->notes);
    }
    text_puts(t, "\nexamples:\n");
    lines(t, "  ", c->examples);
}

void cli_exit_codes(struct text *t) {
    text_puts(t, "Exit codes: ");
    size_t count = sizeof exit_codes / sizeof *exit_codes;
    for (size_t i = 0; i < count; i++)
        text_printf(t, "%s%d %s", i ? ", " : "", exit_codes[i].code, exit_codes[i].what);
    text_puts(t, ".\n");
}

void cli_help(struct text *t, const struct cli_command *command) {
    if (command) {
        help_command(t, command);
        return;
    }
    text_puts(t, "Usage: softwave COMMAND [ARG...]\n\nAMD GPU programs on any machine, with no AMD GPU.\n\n");
    for (size_t i = 0; cli_commands[i]; i++)
        text_printf(t, "  %-10s  %s\n", cli_commands[i]->name, cli_commands[i]->what);
    text_puts(t,
              "\n'softwave COMMAND --help' describes a command. 'softwave --version' prints the version.\n");
}

// ---- Man pages ----

// Text with what roff would take for its own made plain.
static void roff(struct text *t, const char *text) {
    for (bool start = true; *text; start = *text++ == '\n') {
        if (start && (*text == '.' || *text == '\'')) text_puts(t, "\\&");
        if (*text == '-')
            text_puts(t, "\\-");
        else if (*text == '\\')
            text_puts(t, "\\e");
        else
            text_add(t, text, 1);
    }
}

static void roff_lines(struct text *t, const char *heading, const char *text) {
    text_printf(t, ".SH %s\n.nf\n", heading);
    roff(t, text);
    text_puts(t, ".fi\n");
}

static void man_options(struct text *t, const struct cli_command *c) {
    text_puts(t, ".SH OPTIONS\n");
    for (size_t i = 0; i < c->option_count; i++) {
        const struct cli_option *o = &c->options[i];
        if (o->id == CLI_IGNORED) continue;
        if (cli_is_heading(o)) {
            text_printf(t, ".SS %s\n", o->help);
            continue;
        }
        size_t n = group_size(c, i);
        text_puts(t, ".TP\n");
        spell(t, c, i, n, true);
        text_puts(t, "\n");
        roff(t, o->help ? o->help : "");
        text_puts(t, "\n");
        i += n - 1;
    }
    struct text ignored = {0};
    ignored_options(&ignored, c);
    if (ignored.length) {
        text_puts(t, ".PP\n");
        roff(t, ignored.data + 1);
    }
    text_free(&ignored);
    text_puts(t, ".TP\n\\fB\\-\\-help\\fR\nprints a summary of this page\n");
}

static void man_head(struct text *t, const char *name, const char *what) {
    text_puts(t, ".TH ");
    for (const char *p = name; *p; p++) text_printf(t, "%c", *p >= 'a' && *p <= 'z' ? *p - 32 : *p);
    text_printf(t, " 1 \"\" \"softwave %s\" \"User Commands\"\n.SH NAME\n", sw_version());
    roff(t, name);
    text_puts(t, " \\- ");
    roff(t, what);
    text_puts(t, "\n.SH SYNOPSIS\n");
}

static void man_tail(struct text *t, const struct cli_command *self) {
    text_puts(t, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++)
        text_printf(t, ".TP\n%d\n%s\n", exit_codes[i].code, exit_codes[i].what);
    text_puts(t, ".SH SEE ALSO\n");
    if (self) text_puts(t, ".BR softwave (1)");
    for (size_t i = 0; cli_commands[i]; i++) {
        if (cli_commands[i] == self) continue;
        text_printf(t, "%s.BR softwave\\-%s (1)", t->data[t->length - 1] == ')' ? ",\n" : "",
                    cli_commands[i]->name);
    }
    text_puts(t, "\n");
}

static void man_command(struct text *t, const struct cli_command *c) {
    char name[64];
    snprintf(name, sizeof name, "softwave-%s", c->name);
    man_head(t, name, c->what);
    text_puts(t, ".nf\n");
    for (const char *form = c->synopsis; *form;) {
        size_t n = strcspn(form, "\n");
        struct text line = {0};
        text_printf(&line, "%.*s\n", (int)n, form);
        text_printf(t, "\\fBsoftwave %s\\fR%s", c->name, n ? " " : "");
        roff(t, line.data ? line.data : "");
        text_free(&line);
        form += n + (form[n] != 0);
    }
    text_puts(t, ".fi\n.SH DESCRIPTION\n");
    roff(t, c->about);
    text_puts(t, "\n");
    man_options(t, c);
    if (c->notes) roff_lines(t, "NOTES", c->notes);
    roff_lines(t, "EXAMPLES", c->examples);
    man_tail(t, c);
}

void cli_man(struct text *t, const struct cli_command *command) {
    if (command) {
        man_command(t, command);
        return;
    }
    man_head(t, "softwave", "AMD GPU programs on any machine, with no AMD GPU");
    text_puts(t, ".B softwave\n.I COMMAND\n.RI [ ARG ...]\n.SH DESCRIPTION\n");
    roff(t, about_softwave);
    text_puts(t, "\n.SH COMMANDS\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        text_printf(t, ".TP\n.B %s\n", cli_commands[i]->name);
        roff(t, cli_commands[i]->what);
        text_puts(t, "\n");
    }
    text_puts(t, ".PP\nEach command has a page of its own and prints its options and examples with\n"
                 ".BR \\-\\-help .\nWhere a file is named,\n.B \\-\nstands for standard input or output.\n"
                 ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nset to anything: no colours on a terminal\n");
    man_tail(t, NULL);
}
