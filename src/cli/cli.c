// SPDX-License-Identifier: MIT
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/similar.h"

struct scan cli_scan(const struct cli_command *command, int argc, char **argv) {
    return (struct scan){.command = command, .argc = argc, .argv = argv, .next = 1};
}

bool cli_value_optional(const struct cli_option *o) { return o->value && !strncmp(o->value, "[=", 2); }

void cli_value_name(const struct cli_option *o, char out[64]) {
    const char *v = o->value + (cli_value_optional(o) ? 2 : 0);
    snprintf(out, 64, "%.*s", (int)(strlen(v) - cli_value_optional(o)), v);
}

bool cli_is_heading(const struct cli_option *o) { return !o->letter && !o->name; }

// The value of a long option: behind "=", or the next argument.
static int take_long(struct scan *s, const struct cli_option *o, const char *behind) {
    bool needs = o->value && !cli_value_optional(o);
    if (*behind && !o->value) return cli_usage(s->command->name, "--%s takes no value", o->name), SCAN_ERROR;
    if (*behind)
        s->value = behind + 1;
    else if (needs && s->next >= s->argc)
        return cli_usage(s->command->name, "--%s needs a value", o->name), SCAN_ERROR;
    else if (needs)
        s->value = s->argv[s->next++];
    return o->id;
}

static int take_short(struct scan *s, const struct cli_option *o, const char *behind) {
    if (o->value && *behind)
        s->value = behind;
    else if (o->value && s->next < s->argc)
        s->value = s->argv[s->next++];
    else if (o->value)
        return cli_usage(s->command->name, "-%c needs a value", o->letter), SCAN_ERROR;
    return o->id;
}

static int show_help(const struct scan *s) {
    struct text t = {0};
    cli_help(&t, s->command);
    cli_finish(&t, SW_OK); // main sees to it that an error of writing counts
    return SCAN_HELP;
}

static void unknown_option(const struct cli_command *c, const char *a, const char *name, size_t length) {
    struct similar s = similar_to(name, length);
    for (size_t i = 0; i < c->option_count; i++)
        if (c->options[i].name) similar_consider(&s, c->options[i].name);
    similar_consider(&s, "help");
    if (s.best)
        cli_usage(c->name, "unknown option %s; did you mean --%s?", a, s.best);
    else
        cli_usage(c->name, "unknown option %s", a);
}

// The GPU has three names: the target of code, the GPU of exec, the processor of LLVM's tools. Each command
// has one of them in its table and takes all.
static bool names_gpu(struct slice name) {
    return slice_is(name, "target") || slice_is(name, "gpu") || slice_is(name, "mcpu");
}
static const struct cli_option *find_long(const struct cli_command *c, struct slice name) {
    const struct cli_option *gpu = NULL;
    for (size_t i = 0; i < c->option_count; i++) {
        const char *own = c->options[i].name;
        if (own && slice_is(name, own)) return &c->options[i];
        if (own && !gpu && names_gpu((struct slice){own, strlen(own)})) gpu = &c->options[i];
    }
    return names_gpu(name) ? gpu : NULL;
}

static int next_option(struct scan *s, const char *a) {
    const struct cli_command *c = s->command;
    const char *name = a + (a[1] == '-' ? 2 : 1);
    size_t length = strcspn(name, "=");
    const struct cli_option *o = a[2] ? find_long(c, (struct slice){name, length}) : NULL;
    if (o) return take_long(s, o, name + length);
    for (size_t i = 0; a[1] != '-' && i < c->option_count; i++) {
        o = &c->options[i];
        if (o->letter == a[1] && (o->value || !a[2])) return take_short(s, o, a + 2);
    }
    if (!strcmp(a, "--help") || !strcmp(a, "-h")) return show_help(s);
    return unknown_option(c, a, name, length), SCAN_ERROR;
}

int cli_next(struct scan *s) {
    for (;;) {
        s->value = NULL;
        if (s->next >= s->argc) return SCAN_END;
        const char *a = s->argv[s->next++];
        if (s->only_positional || a[0] != '-' || !a[1]) {
            s->value = a;
            return SCAN_POSITIONAL;
        }
        int id = CLI_IGNORED;
        if (!strcmp(a, "--"))
            s->only_positional = true;
        else
            id = next_option(s, a);
        if (id != CLI_IGNORED) return id;
    }
}

bool cli_has_colours(FILE *f) { return isatty(fileno(f)) && !getenv("NO_COLOR"); }

static void print_diagnostic(void *context, const sw_diagnostic *d) {
    (void)context;
    static const char *const names[] = {"note", "warning", "error"}, *const colours[] = {"36", "35", "31"};
    bool colour = cli_has_colours(stderr);
    const sw_location *at = &d->at;
    flockfile(stderr);
    fprintf(stderr, "%s", at->file ? at->file : "softwave");
    if (at->line) fprintf(stderr, ":%u", at->line);
    if (at->column) fprintf(stderr, ":%u", at->column);
    if (at->has_offset) fprintf(stderr, ":0x%llx", (unsigned long long)at->offset);
    if (colour)
        fprintf(stderr, ": \33[1;%sm%s:\33[0m ", colours[d->severity], names[d->severity]);
    else
        fprintf(stderr, ": %s: ", names[d->severity]);
    if (at->within) fprintf(stderr, "%s: ", at->within);
    fprintf(stderr, "%s\n", d->message);
    if (at->line_text) {
        fprintf(stderr, "%.*s\n", (int)at->line_length, at->line_text);
        if (at->column) fprintf(stderr, "%*s^\n", (int)at->column - 1, "");
    }
    funlockfile(stderr);
}

const sw_sink cli_sink = {.report = print_diagnostic};

int cli_usage(const char *command, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "softwave %s: ", command);
    vfprintf(stderr, format, args);
    fprintf(stderr, "\nTry 'softwave %s --help'.\n", command);
    va_end(args);
    return SW_USAGE;
}

int cli_written(FILE *to, const char *name, int status) {
    static bool reported; // one message is enough
    errno = 0;
    if (!fflush(to) && !ferror(to)) return status;
    if (!reported)
        fprintf(stderr, "softwave: %s: cannot write: %s\n", name,
                errno ? strerror(errno) : "it took only a part");
    reported = true;
    return status == SW_OK ? SW_BAD_INPUT : status;
}

int cli_finish(struct text *t, int status) {
    if (t->failed) {
        fprintf(stderr, "softwave: out of memory\n");
        status = SW_NO_MEMORY;
    } else {
        if (t->length) fwrite(t->data, 1, t->length, stdout);
        status = cli_written(stdout, "standard output", status);
    }
    text_free(t);
    return status;
}
