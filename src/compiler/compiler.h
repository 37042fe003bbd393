// SPDX-License-Identifier: MIT
// The passes, from the reader's program to assembly. Each is a function of its own file; compile.c has them
// in order. A pass says in its first lines what it requires and what it leaves true.
#ifndef COMPILER_COMPILER_H
#define COMPILER_COMPILER_H

#include "ir/ir.h"
#include "softwave/compiler.h"
#include "softwave/target.h"

struct compiler_options {
    unsigned level, threads;         // threads 0: one
    const char *from, *until, *dump; // stages
    void (*dumped)(void *context, const char *stage, const char *text, size_t length);
    void (*timed)(void *context, const char *stage, double seconds);
    void (*measured)(void *context, const sw_compile_figures *figures);
    void *context;
    bool verify;
    bool own_text;    // the program was .swir: it stands behind the stage that its text names
    const char *name; // of the source, for messages
};

// Runs the stages that the options ask for. *whole: all of them, so that `assembly` is complete.
sw_status compiler_run(struct ir_module *m, const struct compiler_options *options, const sw_sink *sink,
                       struct text *assembly, bool *whole);

size_t compiler_stage_count(void);
const char *compiler_stage_name(size_t index);
size_t compiler_stage(const char *name); // the count: none of this name
// The system that a program is for: shaders for the one that the triple names; kernels, and what they call,
// are code objects of amdhsa in any case.
sw_os compiler_system(const struct ir_module *m);
// What the assembler must be told besides the target, as -mattr; NULL: nothing.
const char *compiler_features(const struct ir_module *m);

// ---- For passes ----

struct compiler {
    struct ir_module *m;
    struct ir_function *f; // the one at hand
    const struct compiler_options *options;
    const sw_sink *sink;
    const sw_processor *processor;
    const struct isa *isa;
    struct text *assembly;
    struct ir_function *left_out; // functions that were refused
    struct callgraph *calls;      // callgraph_of; NULL: not made yet
    sw_status status;             // of the first error
};

// Refuses the function because of an instruction (NULL: as a whole), by name and source line.
void compiler_refuse(struct compiler *c, const struct ir_inst *i, const char *what);
void compiler_no_memory(struct compiler *c);

#endif
