// SPDX-License-Identifier: MIT
// softwave: one binary, subcommands.
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
} commands[] = {
    {"targets", cmd_targets, "processors, features and target ids"},
    {"obj", cmd_obj, "what a code object, bundle or host program contains"},
    {"bundle", cmd_bundle, "bundle code for several targets into one file, list it, take it out"},
    {"dis", cmd_dis, "disassemble code"},
    {"as", cmd_as, "assemble"},
    {"ld", cmd_ld, "link objects and archives"},
    {"isa", cmd_isa, "what an instruction is: encodings, operands, processors"},
    {"run", cmd_run, "run a kernel on a software GPU"},
    {"eval", cmd_eval, "run instructions on a bare wave and show what changed"},
};

static void print_help(FILE *to) {
    fprintf(to, "Usage: softwave COMMAND [ARG...]\n\nAMD GPU programs on any machine, with no AMD GPU.\n\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(to, "  %-8s  %s\n", commands[i].name, commands[i].what);
    fprintf(to, "\n'softwave COMMAND --help' tells more. 'softwave --version' prints the version.\n");
}

int main(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return SW_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_help(stdout);
        return SW_OK;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("softwave %s\n", sw_version());
        return SW_OK;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(argv[1], commands[i].name)) return commands[i].run(argc - 1, argv + 1);
    fprintf(stderr, "softwave: no command '%s'\nTry 'softwave --help'.\n", argv[1]);
    return SW_USAGE;
}
