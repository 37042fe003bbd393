// SPDX-License-Identifier: MIT
// What the tests of code objects share: a scratch directory, tools of LLVM run in it, messages heard.
#ifndef TESTS_OBJECT_SUPPORT_H
#define TESTS_OBJECT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "base/file.h"
#include "object/code/object.h"
#include "object/print/print.h"
#include "tools.h"

// where inputs and outputs of tools are
static char directory[64];

// The messages of a call, one per line.
struct heard {
    char text[4096];
    unsigned errors, warnings;
};

static inline void hear(void *context, const sw_diagnostic *d) {
    struct heard *h = context;
    size_t used = strlen(h->text);
    snprintf(h->text + used, sizeof h->text - used, "%s: %s\n", d->at.within ? d->at.within : "", d->message);
    if (d->severity == SW_SEVERITY_ERROR)
        h->errors++;
    else
        h->warnings++;
}

static inline bool has_tool(const char *name) {
    char command[128];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", name);
    return system(command) == 0;
}

static inline void need(const char *name) {
    if (has_tool(name)) return;
    print_message("%s is not installed\n", tool_name(name));
    skip();
}

static inline void need_llvm_22(void) {
    if (is_llvm_22()) return;
    print_message("it needs LLVM 22, whose processors and directives it knows\n");
    skip();
}

// Whether the compiler, which may be an older one, knows the processor.
static inline bool clang_knows(const char *cpu) {
    char command[256];
    snprintf(command, sizeof command,
             "$CLANG -x c -target amdgcn-amd-amdhsa -mcpu=%s -nogpulib -fsyntax-only /dev/null 2>/dev/null",
             cpu);
    if (system(command) == 0) return true;
    print_message("%s knows no %s\n", tool_name("$CLANG"), cpu);
    return false;
}

static inline void write_input(const char *name, const char *text) {
    char path[128];
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (file_write(path, text, strlen(text), &sink)) fail_msg("%s", h.text);
}

static inline void run(const char *format, ...) PRINTF_LIKE(1, 2);
static inline void run(const char *format, ...) {
    char command[1024];
    int n = snprintf(command, sizeof command, "cd %s && ", directory);
    va_list args;
    va_start(args, format);
    vsnprintf(command + n, sizeof command - (size_t)n, format, args);
    va_end(args);
    if (system(command)) fail_msg("failed: %s", command);
}

static inline struct file open_input(const char *name) {
    char path[128];
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    struct file f;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (file_open(&f, path, &sink)) fail_msg("%s", h.text);
    return f;
}

static inline sw_object *open_object(const struct file *f) {
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    sw_object *o;
    if (sw_object_open(f->data, f->size, NULL, &o, &sink)) fail_msg("%s", h.text);
    if (h.warnings) fail_msg("unexpected: %s", h.text);
    return o;
}

static inline const sw_processor *processor(const char *name) {
    const sw_processor *p = sw_processor_find(name, strlen(name));
    if (!p) fail_msg("no processor %s", name);
    return p;
}

static const char opencl[] __attribute__((unused)) =
    "__constant int table[4] = {1,2,3,4};\n"
    "__global int counter = 7; __global int zeros[1000];\n"
    "__global int *pointer = &counter;\n"
    "__attribute__((noinline)) int deep(int x) { return x*3 + table[x&3]; }\n"
    "__kernel void add(__global const float *a, __global float *b, float s, int n,\n"
    "                  __local float *l) {\n"
    "  int i = __builtin_amdgcn_workitem_id_x();\n"
    "  if (i < n) b[i] = a[i]*s + deep(n) + l[i&7] + *pointer; zeros[i] = 1; }\n"
    "__kernel __attribute__((reqd_work_group_size(64,1,1)))\n"
    "void copy(__global int *restrict a, volatile __global const int *v) {\n"
    "  __local int t[32]; t[a[3]] = 1; a[0] += t[a[1]] + v[0] + counter; }\n"
    "__kernel void picture(read_only image2d_t i, write_only image2d_t o, sampler_t s,\n"
    "                      __global float4 *b) { }\n";

// Compiles `opencl` to NAME.o and links it to NAME.co.
static inline void compile(const char *name, const char *cpu, int version) {
    run("$CLANG -w -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=%s -mcode-object-version=%d "
        "-nogpulib -O2"
        " -c k.cl -o %s.o && $LD_LLD -shared %s.o -o %s.co",
        cpu, version, name, name, name);
}

static inline int setup(void **state) {
    (void)state;
    const char *parent = getenv("TMPDIR");
    int n = snprintf(directory, sizeof directory, "%s/softwave-XXXXXX", parent ? parent : "/tmp");
    if (n >= (int)sizeof directory) return -1;
    return mkdtemp(directory) ? 0 : -1;
}

static inline int teardown(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

#endif
