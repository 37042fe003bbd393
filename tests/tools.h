// SPDX-License-Identifier: MIT
// Names of LLVM's tools for commands that tests give to a shell: "$CLANG -c ...". tests/tools.sh chooses
// them; a test that is started by hand takes version 22, whose spelling golden lines have.
#ifndef TESTS_TOOLS_H
#define TESTS_TOOLS_H

#include <stdlib.h>
#include <string.h>

static __attribute__((constructor)) void choose_tools(void) {
    static const char *const names[][2] = {
        {"LLVM_MAJOR", "22"},
        {"CLANG", "clang-22"},
        {"LLVM_MC", "llvm-mc-22"},
        {"LD_LLD", "ld.lld-22"},
        {"LLVM_READELF", "llvm-readelf-22"},
        {"LLVM_OBJCOPY", "llvm-objcopy-22"},
        {"LLVM_OFFLOAD_BINARY", "llvm-offload-binary-22"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) setenv(names[i][0], names[i][1], 0);
}

// The name of a tool as it is called: "$CLANG" is "clang-22".
static inline const char *tool_name(const char *tool) { return *tool == '$' ? getenv(tool + 1) : tool; }
static inline int is_llvm_22(void) { return !strcmp(getenv("LLVM_MAJOR"), "22"); }

#endif
