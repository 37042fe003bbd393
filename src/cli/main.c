// SPDX-License-Identifier: MIT
// softwave: one binary, subcommands.
#include <stdio.h>
#include <string.h>

#include "base/similar.h"
#include "cli/commands.h"

const struct cli_command *const cli_commands[] = {
    &command_targets, &command_obj,  &command_bundle,     &command_dis,  &command_as,    &command_cc,
    &command_ld,      &command_isa,  &command_run,        &command_draw, &command_merge, &command_exec,
    &command_eval,    &command_help, &command_completion, NULL,
};

const struct cli_command *cli_find_command(const char *name) {
    for (size_t i = 0; cli_commands[i]; i++)
        if (!strcmp(cli_commands[i]->name, name)) return cli_commands[i];
    return NULL;
}

static int unknown(const char *name) {
    struct similar s = similar_to(name, strlen(name));
    for (size_t i = 0; cli_commands[i]; i++) similar_consider(&s, cli_commands[i]->name);
    fprintf(stderr, "softwave: no command '%s'%s%s%s\nTry 'softwave --help'.\n", name,
            s.best ? "; did you mean '" : "", s.best ? s.best : "", s.best ? "'?" : "");
    return SW_USAGE;
}

// ---- softwave help ----

enum { MAN, NAMES };
static const struct cli_option help_options[] = {
    {MAN, 0, "man", NULL, "print a man page"},
    {NAMES, 0, "names", NULL, "print only the names of the commands"},
};
static int cmd_help(int argc, char **argv) {
    struct scan scan = cli_scan(&command_help, argc, argv);
    const struct cli_command *command = NULL;
    bool man = false, names = false;
    for (int id; (id = cli_next(&scan)) != SCAN_END;) {
        if (id == SCAN_ERROR || id == SCAN_HELP) return cli_early(id);
        man |= id == MAN;
        names |= id == NAMES;
        if (id != SCAN_POSITIONAL) continue;
        if (command) return cli_usage("help", "one COMMAND at a time");
        if (!(command = cli_find_command(scan.value))) return unknown(scan.value);
    }
    struct text t = {0};
    for (size_t i = 0; names && cli_commands[i]; i++) text_printf(&t, "%s\n", cli_commands[i]->name);
    if (names)
        ;
    else if (man)
        cli_man(&t, command);
    else
        cli_help(&t, command);
    return cli_finish(&t, SW_OK);
}
const struct cli_command command_help = {
    .name = "help",
    .run = cmd_help,
    .what = "show the help or the man page of a command",
    .synopsis = "[--man] [COMMAND]\n--names",
    .about =
        "Prints the same text as 'softwave COMMAND --help'. Without COMMAND, it prints the list of commands.",
    CLI_OPTIONS(help_options),
    .examples = "softwave help run\n"
                "softwave help --man dis | man -l -\n",
    .operand = "COMMAND",
};

int main(int argc, char **argv) {
    struct text t = {0};
    if (argc < 2) {
        cli_help(&t, NULL);
        fputs(t.data ? t.data : "", stderr);
        text_free(&t);
        return SW_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        cli_help(&t, NULL);
        return cli_finish(&t, SW_OK);
    }
    if (!strcmp(argv[1], "--version")) {
        text_printf(&t, "softwave %s\n", sw_version());
        return cli_finish(&t, SW_OK);
    }
    const struct cli_command *command = cli_find_command(argv[1]);
    if (!command) return unknown(argv[1]);
    return cli_written(stdout, "standard output", command->run(argc - 1, argv + 1));
}
