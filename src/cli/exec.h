// SPDX-License-Identifier: MIT
// Parts of `softwave exec`: what can be told of a program before it runs, and running it.
#ifndef CLI_EXEC_H
#define CLI_EXEC_H

#include "cli/cli.h"
#include "softwave/target.h"

// Warns on standard error if the program has GPU code but none for these GPUs, or if the HIP library that it
// loads does not know one of them. Says nothing of what cannot be found out.
// `folder` is the runtime's: warns as well if the program or its HIP imports what the runtime does not have.
void exec_check_program(const char *program, const char *folder, const sw_target *gpus, size_t count);
void exec_check_symbols(const char *path, const char *folder);

// The file that the shell would take for this name. False: none that can be read.
enum { EXEC_PATH = 4096 };
bool exec_find_program(const char *name, char out[EXEC_PATH]);

// True if the program looks for the kernel driver's files, and the system has none.
bool exec_driver_is_wanted(const char *program);
// Makes them in a folder of their own and sets the environment by which the program finds them. False: they
// cannot be made. Remove the folder, if it has a name, after the program.
enum { EXEC_FOLDER = 1024 };
bool exec_driver_offer(const char *library, const sw_target *gpus, size_t count, char folder[EXEC_FOLDER]);
void exec_driver_end(const char *folder);

// Runs the program as a child. Signals that others send to this process go on to the child. Returns its exit
// code, or 128 and the number of the signal that ended it, which is said on standard error unless `quiet`.
int exec_run_program(char **program, bool quiet);

#endif
