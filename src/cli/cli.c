// SPDX-License-Identifier: MIT
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int scan_next(struct scan *s, const struct option *options, size_t count) {
    s->value = NULL;
    if (s->next >= s->argc) return SCAN_END;
    char *a = s->argv[s->next++];
    if (s->only_positional || a[0] != '-' || !a[1]) {
        s->value = a;
        return SCAN_POSITIONAL;
    }
    if (!strcmp(a, "--")) {
        s->only_positional = true;
        return scan_next(s, options, count);
    }
    bool is_long = a[1] == '-' || !a[2] || strchr(a, '=') || strlen(a) > 2;
    const char *name = a + (a[1] == '-' ? 2 : 1);
    size_t length = strcspn(name, "=");
    for (size_t i = 0; i < count; i++) {
        const struct option *o = &options[i];
        if (is_long && o->name && strlen(o->name) == length && !memcmp(o->name, name, length)) {
            if (name[length]) {
                if (!o->takes_value && !o->optional_value)
                    return cli_usage(s->argv[0], "--%s takes no value", o->name), SCAN_ERROR;
                s->value = name + length + 1;
            } else if (o->takes_value) {
                if (s->next >= s->argc)
                    return cli_usage(s->argv[0], "--%s needs a value", o->name), SCAN_ERROR;
                s->value = s->argv[s->next++];
            }
            return o->id;
        }
    }
    for (size_t i = 0; a[1] != '-' && i < count; i++) {
        const struct option *o = &options[i];
        if (!o->letter || o->letter != a[1]) continue;
        if (!o->takes_value && a[2]) break;
        if (o->takes_value) {
            if (a[2])
                s->value = a + 2;
            else if (s->next < s->argc)
                s->value = s->argv[s->next++];
            else
                return cli_usage(s->argv[0], "-%c needs a value", o->letter), SCAN_ERROR;
        }
        return o->id;
    }
    return cli_usage(s->argv[0], "unknown option %s", a), SCAN_ERROR;
}

static void print_diagnostic(void *context, const sw_diagnostic *d) {
    (void)context;
    static const char *const names[] = {"note", "warning", "error"}, *const colours[] = {"36", "35", "31"};
    bool colour = isatty(STDERR_FILENO) && !getenv("NO_COLOR");
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

int cli_finish(struct text *t, int status) {
    if (t->failed) {
        fprintf(stderr, "softwave: out of memory\n");
        status = SW_NO_MEMORY;
    } else if (t->length && (fwrite(t->data, 1, t->length, stdout) != t->length || fflush(stdout))) {
        perror("softwave: standard output");
        if (status == SW_OK) status = SW_BAD_INPUT;
    }
    text_free(t);
    return status;
}
