// SPDX-License-Identifier: MIT
// Parts of `softwave exec`: what can be told of a program before it runs, and running it.
#ifndef CLI_EXEC_H
#define CLI_EXEC_H

#include "cli/cli.h"
#include "softwave/target.h"

// Warns on standard error if the program has GPU code but none for these GPUs, or if the HIP library that it
// loads does not know one of them. Says nothing of what cannot be found out.
void exec_check_program(const char *program, const sw_target *gpus, size_t count);

// Runs the program as a child, in which `prepare` is called before. Signals that others send to this process
// go on to the child. Returns its exit code, or 128 and the number of the signal that ended it, which is said
// on standard error unless `quiet`.
int exec_run_program(char **program, void (*prepare)(const char *program), bool quiet);

#endif
