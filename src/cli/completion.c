// SPDX-License-Identifier: MIT
// `softwave completion`: what a shell can complete, from the tables of the commands.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/commands.h"
#include "softwave/isa.h"
#include "softwave/target.h"

// What lists the words of a value when they are asked for, as they are too many for the script; NULL:
// nothing.
static const char *value_program(const char *value) {
    return value && !strcmp(value, "MNEMONIC") ? "softwave completion mnemonics 2>/dev/null" : NULL;
}

// The words that a value may be, apart by spaces: those of "a|b", processors for ID, commands for COMMAND.
// False when it is no list of words (a file, a folder, a number).
static bool value_words(struct text *t, const char *value) {
    if (!strcmp(value, "ID")) {
        for (size_t i = 0; i < sw_processor_count(); i++)
            text_printf(t, "%s%s", i ? " " : "", sw_processor_name(sw_processor_at(i)));
        return true;
    }
    if (!strcmp(value, "COMMAND")) {
        for (size_t i = 0; cli_commands[i]; i++) text_printf(t, "%s%s", i ? " " : "", cli_commands[i]->name);
        return true;
    }
    for (const char *p = value; *p; p++) // capitals stand for something else
        if (*p >= 'A' && *p <= 'Z') return false;
    for (const char *p = value; *p; p++) text_add(t, *p == '|' ? " " : p, 1);
    return true;
}

static bool is_file(const char *value) { return !strcmp(value, "FILE") || !strcmp(value, "OUT"); }

static const char *description(const struct cli_command *c, size_t i) {
    while (i && !c->options[i].help) i--;
    return c->options[i].help ? c->options[i].help : "";
}

static bool is_offered(const struct cli_option *o) { return !cli_is_heading(o) && o->id != CLI_IGNORED; }

// ---- bash ----

static void bash_values(struct text *t, const struct cli_command *c) {
    for (size_t i = 0; i < c->option_count; i++) {
        const struct cli_option *o = &c->options[i];
        if (!is_offered(o) || !o->value) continue;
        char value[64];
        cli_value_name(o, value);
        struct text words = {0};
        const char *action = value_words(&words, value) ? "words"
                             : !strcmp(value, "DIR")    ? "folders"
                                                        : "files";
        text_puts(t, "    ");
        if (o->letter && !cli_value_optional(o))
            text_printf(t, "'%s -%c'%s", c->name, o->letter, o->name ? " | " : "");
        if (o->name) text_printf(t, "'%s --%s'", c->name, o->name);
        text_printf(t, ") kind=%s words='%s' ;;\n", action, words.data ? words.data : "");
        text_free(&words);
    }
}

static void bash_options(struct text *t, const struct cli_command *c) {
    text_printf(t, "    %s) words='", c->name);
    for (size_t i = 0; i < c->option_count; i++) {
        const struct cli_option *o = &c->options[i];
        if (!is_offered(o)) continue;
        if (o->letter) text_printf(t, "-%c ", o->letter);
        if (o->name) text_printf(t, "--%s%s ", o->name, o->value && !cli_value_optional(o) ? "=" : "");
    }
    text_puts(t, "--help' ;;\n");
}

static void bash_operands(struct text *t, const struct cli_command *c) {
    struct text words = {0};
    if (value_program(c->operand))
        text_printf(t, "    %s) words=$(%s) ;;\n", c->name, value_program(c->operand));
    else if (c->operand && value_words(&words, c->operand))
        text_printf(t, "    %s) words='%s' ;;\n", c->name, words.data ? words.data : "");
    text_free(&words);
}

static void bash(struct text *t) {
    text_puts(t, "# Completion of softwave for bash. To use it: source <(softwave completion bash)\n"
                 "_softwave() {\n"
                 "    local word=\"${COMP_WORDS[COMP_CWORD]}\" option=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
                 "    local command=\"${COMP_WORDS[1]}\" kind= words=\n"
                 "    COMPREPLY=()\n"
                 "    # bash takes --name=value apart at the equals sign.\n"
                 "    if [ \"$word\" = = ]; then word=\n"
                 "    elif [ \"$option\" = = ]; then option=\"${COMP_WORDS[COMP_CWORD-2]}\"; fi\n"
                 "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
                 "        COMPREPLY=($(compgen -W '--help --version");
    for (size_t i = 0; cli_commands[i]; i++) text_printf(t, " %s", cli_commands[i]->name);
    text_puts(t, "' -- \"$word\"))\n        return\n    fi\n    case \"$command $option\" in\n");
    for (size_t i = 0; cli_commands[i]; i++) bash_values(t, cli_commands[i]);
    text_puts(t, "    esac\n"
                 "    if [ \"$kind\" = folders ]; then COMPREPLY=($(compgen -d -- \"$word\")); return; fi\n"
                 "    if [ \"$kind\" = files ]; then return; fi # as the shell does\n"
                 "    if [ -z \"$kind\" ]; then case \"$word\" in\n"
                 "    -*) case \"$command\" in\n");
    for (size_t i = 0; cli_commands[i]; i++) bash_options(t, cli_commands[i]);
    text_puts(t, "        esac ;;\n    *) case \"$command\" in\n");
    for (size_t i = 0; cli_commands[i]; i++) bash_operands(t, cli_commands[i]);
    text_puts(t, "        esac ;;\n"
                 "    esac; fi\n"
                 "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                 "    case \"${COMPREPLY[*]}\" in -*=) compopt -o nospace 2>/dev/null ;; esac\n"
                 "}\n"
                 "complete -o default -F _softwave softwave\n");
}

// ---- zsh ----

// Within single quotes, with what _arguments takes for its own behind backslashes; one line.
static void zsh_quoted(struct text *t, const char *text) {
    for (; *text; text++) {
        if (strchr("[]:\\", *text)) text_puts(t, "\\");
        if (*text == '\'')
            text_puts(t, "'\\''");
        else
            text_add(t, *text == '\n' ? " " : text, 1);
    }
}

static void zsh_action(struct text *t, const char *value) {
    struct text words = {0};
    if (value_program(value))
        text_printf(t, ":value:{compadd $(%s)}", value_program(value));
    else if (value_words(&words, value))
        text_printf(t, ":%s:(%s)", "value", words.data ? words.data : "");
    else if (!strcmp(value, "DIR"))
        text_puts(t, ":folder:_files -/");
    else if (is_file(value))
        text_puts(t, ":file:_files");
    else {
        text_puts(t, ":");
        zsh_quoted(t, value);
        text_puts(t, ": ");
    }
    text_free(&words);
}

static void zsh_option(struct text *t, const struct cli_command *c, size_t i, bool is_long) {
    const struct cli_option *o = &c->options[i];
    char value[64] = "";
    if (o->value) cli_value_name(o, value);
    text_puts(t, "            '*");
    if (is_long)
        text_printf(t, "--%s%s", o->name, !o->value ? "" : cli_value_optional(o) ? "=-" : "=");
    else
        text_printf(t, "-%c%s", o->letter, o->value ? "+" : "");
    text_puts(t, "[");
    zsh_quoted(t, description(c, i));
    text_puts(t, "]");
    if (o->value && cli_value_optional(o)) text_puts(t, ":");
    if (o->value) zsh_action(t, value);
    text_puts(t, "' \\\n");
}

static void zsh(struct text *t) {
    text_puts(
        t, "#compdef softwave\n"
           "# Completion of softwave for zsh. To use it: source <(softwave completion zsh), behind compinit\n"
           "_softwave() {\n"
           "    local -a commands=(\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        text_printf(t, "        '%s:", cli_commands[i]->name);
        zsh_quoted(t, cli_commands[i]->what);
        text_puts(t, "'\n");
    }
    text_puts(t, "    )\n"
                 "    if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
                 "    local command=$words[2]\n"
                 "    shift words; (( CURRENT-- ))\n"
                 "    case $command in\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        const struct cli_command *c = cli_commands[i];
        text_printf(t, "    %s)\n        _arguments -S \\\n", c->name);
        for (size_t k = 0; k < c->option_count; k++) {
            if (!is_offered(&c->options[k])) continue;
            if (c->options[k].letter) zsh_option(t, c, k, false);
            if (c->options[k].name) zsh_option(t, c, k, true);
        }
        text_puts(t, "            '--help[print a summary]' '*");
        zsh_action(t, c->operand ? c->operand : "FILE");
        text_puts(t, "' ;;\n");
    }
    text_puts(
        t,
        "    esac\n"
        "}\n"
        "if [ \"$funcstack[1]\" = _softwave ]; then _softwave \"$@\"; else compdef _softwave softwave; fi\n");
}

// ---- fish ----

static void fish_quoted(struct text *t, const char *text) {
    text_puts(t, "'");
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') text_puts(t, "\\");
        text_add(t, *text == '\n' ? " " : text, 1);
    }
    text_puts(t, "'");
}

static void fish_option(struct text *t, const struct cli_command *c, size_t i) {
    const struct cli_option *o = &c->options[i];
    text_printf(t, "complete -c softwave -n '__fish_seen_subcommand_from %s'", c->name);
    if (o->letter) text_printf(t, " -s %c", o->letter);
    if (o->name) text_printf(t, " -l %s", o->name);
    if (o->value && !cli_value_optional(o)) {
        struct text words = {0};
        if (value_words(&words, o->value))
            text_printf(t, " -x -a '%s'", words.data ? words.data : "");
        else if (!strcmp(o->value, "DIR"))
            text_puts(t, " -x -a '(__fish_complete_directories)'");
        else
            text_puts(t, is_file(o->value) ? " -r" : " -x");
        text_free(&words);
    }
    text_puts(t, " -d ");
    fish_quoted(t, description(c, i));
    text_puts(t, "\n");
}

static void fish(struct text *t) {
    text_puts(t, "# Completion of softwave for fish. To use it: softwave completion fish | source\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        const struct cli_command *c = cli_commands[i];
        text_printf(t, "complete -c softwave -f -n __fish_use_subcommand -a %s -d ", c->name);
        fish_quoted(t, c->what);
        text_puts(t, "\n");
        for (size_t k = 0; k < c->option_count; k++)
            if (is_offered(&c->options[k])) fish_option(t, c, k);
        struct text words = {0};
        if (value_program(c->operand))
            text_printf(t, "complete -c softwave -f -n '__fish_seen_subcommand_from %s' -a '(%s)'\n", c->name,
                        value_program(c->operand));
        else if (c->operand && value_words(&words, c->operand))
            text_printf(t, "complete -c softwave -f -n '__fish_seen_subcommand_from %s' -a '%s'\n", c->name,
                        words.data ? words.data : "");
        text_free(&words);
    }
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Every name that some processor gives an instruction, a line each.
static void mnemonics(struct text *t) {
    ARRAY(const char *) names = {0};
    for (size_t i = 0; i < sw_insn_info_count(); i++)
        for (size_t p = 0; p < sw_processor_count(); p++) {
            const char *name = sw_insn_mnemonic(sw_insn_info_at(i), sw_processor_at(p));
            if (name && (!names.count || names.items[names.count - 1] != name))
                t->failed |= !array_push(&names, name);
        }
    if (names.count) qsort(names.items, names.count, sizeof *names.items, by_text);
    for (size_t i = 0; i < names.count; i++)
        if (!i || strcmp(names.items[i], names.items[i - 1])) text_printf(t, "%s\n", names.items[i]);
    array_free(&names);
}

static int cmd_completion(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*print)(struct text *t);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}, {"mnemonics", mnemonics}};
    struct scan scan = cli_scan(&command_completion, argc, argv);
    const char *shell = NULL;
    for (int id; (id = cli_next(&scan)) != SCAN_END;) {
        if (id != SCAN_POSITIONAL) return cli_early(id);
        if (shell) return cli_usage("completion", "one shell at a time");
        shell = scan.value;
    }
    struct text t = {0};
    for (size_t i = 0; shell && i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shells[i].name, shell)) continue;
        shells[i].print(&t);
        return cli_finish(&t, SW_OK);
    }
    return cli_usage("completion", "%s%s%sbash, zsh and fish can be completed in", shell ? "not in " : "",
                     shell ? shell : "", shell ? ": " : "");
}
const struct cli_command command_completion = {
    .name = "completion",
    .run = cmd_completion,
    .what = "print the completion script for a shell",
    .synopsis = "bash|zsh|fish",
    .about =
        "Prints a script for a shell. With it, the shell completes commands, options and their values. The "
        "scripts call 'softwave completion mnemonics', which prints the names of all instructions.",
    .examples = "source <(softwave completion bash)\n"
                "softwave completion zsh > ~/.zfunc/_softwave\n"
                "softwave completion fish > ~/.config/fish/completions/softwave.fish\n",
    .operand = "bash|zsh|fish",
};
