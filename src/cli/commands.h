// SPDX-License-Identifier: MIT
// The subcommands, each in a file of its name.
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/cli.h"

extern const struct cli_command command_targets, command_obj, command_bundle, command_dis, command_as,
    command_cc, command_ld, command_isa, command_run, command_draw, command_merge, command_exec, command_eval,
    command_help, command_completion;

#endif
