// SPDX-License-Identifier: MIT
// Kernels from text, for tests: assembled by llvm-mc or compiled by clang, linked, and opened as a code
// object. Without llvm-mc our own assembler makes it. Files live in TMPDIR until
// assembled_close.
#ifndef TESTS_ASSEMBLE_H
#define TESTS_ASSEMBLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "softwave/asm.h"
#include "softwave/object.h"
#include "tools.h"

struct assembled {
    char path[96]; // of the linked object; the text and the relocatable one are beside it
    struct file file;
    sw_object *object;
};

static inline void assembled_close(struct assembled *a) {
    static const char *const endings[] = {"", ".s", ".cl", ".o"};
    sw_object_close(a->object);
    file_close(&a->file);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char path[112];
        snprintf(path, sizeof path, "%s%s", a->path, endings[i]);
        unlink(path);
    }
    *a = (struct assembled){0};
}

// `tool` makes PATH.o from the text in PATH`ending`; false when a step fails.
static inline bool build_object(struct assembled *a, const char *tool, const char *ending, const char *text,
                                size_t length) {
    static unsigned number;
    const char *parent = getenv("TMPDIR");
    *a = (struct assembled){0};
    snprintf(a->path, sizeof a->path, "%.60s/softwave-%d-%u", parent ? parent : "/tmp", (int)getpid(),
             number++);
    char source[112], command[1024];
    snprintf(source, sizeof source, "%s%s", a->path, ending);
    snprintf(command, sizeof command, "%s %s -o %s.o && $LD_LLD -shared %s.o -o %s", tool, source, a->path,
             a->path, a->path);
    if (file_write(source, text, length, NULL) == SW_OK && !system(command) &&
        file_open(&a->file, a->path, NULL) == SW_OK &&
        sw_object_open(a->file.data, a->file.size, NULL, &a->object, NULL) == SW_OK)
        return true;
    assembled_close(a);
    return false;
}
static inline bool has_llvm_mc(void) {
    return !system("command -v $LLVM_MC >/dev/null && command -v $LD_LLD >/dev/null");
}
static inline bool assemble_here(struct assembled *a, const char *processor, const char *flags,
                                 const char *text, size_t length) {
    sw_asm_options o = {.size = sizeof o, .os = SW_OS_AMDHSA, .no_files = true};
    if (!strncmp(flags, "-mattr=", 7)) o.features = flags + 7;
    uint8_t *bytes = NULL;
    size_t size = 0;
    const char *parent = getenv("TMPDIR");
    *a = (struct assembled){0};
    snprintf(a->path, sizeof a->path, "%.60s/softwave-%d-own", parent ? parent : "/tmp", (int)getpid());
    const bool done = sw_target_parse(processor, strlen(processor), &o.target, NULL) == SW_OK &&
                      sw_assemble(text, length, &o, &bytes, &size, NULL) == SW_OK &&
                      file_write(a->path, (const char *)bytes, size, NULL) == SW_OK &&
                      file_open(&a->file, a->path, NULL) == SW_OK &&
                      sw_object_open(a->file.data, a->file.size, NULL, &a->object, NULL) == SW_OK;
    sw_free(bytes);
    if (!done) assembled_close(a);
    return done;
}
static inline bool assemble(struct assembled *a, const char *processor, const char *flags, const char *text,
                            size_t length) {
    char tool[256];
    if (!has_llvm_mc()) return assemble_here(a, processor, flags, text, length);
    snprintf(tool, sizeof tool, "$LLVM_MC -triple=amdgcn-amd-amdhsa -mcpu=%s %s -filetype=obj", processor,
             flags);
    return build_object(a, tool, ".s", text, length);
}
// OpenCL C that needs no library.
static inline bool compile_opencl(struct assembled *a, const char *processor, const char *flags,
                                  const char *text) {
    char tool[256];
    snprintf(tool, sizeof tool,
             "$CLANG -w -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=%s %s -nogpulib -c", processor,
             flags);
    return build_object(a, tool, ".cl", text, strlen(text));
}

#endif
