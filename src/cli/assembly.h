// SPDX-License-Identifier: MIT
// Assembly text as `as`, `run` and `eval` take it.
#ifndef CLI_ASSEMBLY_H
#define CLI_ASSEMBLY_H

#include "base/file.h"
#include "cli/cli.h"

// The length of the target id that a line `.amdgcn_target "..."` of the text names, and where it stands; 0:
// none.
size_t assembly_target(const struct file *text, const char **target);
// Whether a line of the text begins with the word.
bool assembly_has_line(const struct file *text, const char *word);

#endif
