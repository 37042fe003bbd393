// SPDX-License-Identifier: MIT
// Assembly text to a relocatable code object, or to a listing with the bytes of each instruction.
//
// The text and all that the options name stay the caller's and are not kept. Calls share nothing: any number
// may run in different threads. Sink and listing are called in the thread of the call.
#ifndef SOFTWAVE_ASM_H
#define SOFTWAVE_ASM_H

#include "softwave/target.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_asm_options {
    size_t size; // sizeof(sw_asm_options)
    sw_target
        target; // the processor is required; its features SW_SETTING_ANY where the code works either way
    sw_os os;   // SW_OS_AMDHSA for kernels: only it has .amdhsa_ directives
    unsigned code_object_version; // 2 to 6 (amdhsa only); 0: 6
    const char *features;         // "+wavefrontsize64,-real-true16", as LLVM's -mattr; NULL: none
    const char *name;             // of the text's file, for messages; .include looks in its folder first
    const char *const *include;   // further folders in which .include and .incbin look
    size_t include_count;
    const char *const *define; // "NAME=NUMBER"
    size_t define_count;
    bool no_files; // .include and .incbin are errors

    // When set, the result is a listing, which this function is given line by line, and no object. It returns
    // false to stop the assembly with SW_BAD_INPUT.
    bool (*listing)(void *context, const char *text, size_t length);
    void *listing_context;

    uint64_t max_output;    // bytes of all sections (0: 1 GiB)
    uint64_t max_expansion; // bytes of the text of macros, repetitions and included files (0: 256 MiB)

    unsigned dwarf_version; // of line tables and frames: 2 to 5 (0: 4, and 5 once the text says .file 0)
    const char *directory;  // of the compilation, as version 5 names it where the text does not; NULL: ""
    bool debug;             // describe the text itself, if it has no .file directives (as -g)
    const char *producer;   // who made that description; NULL: softwave and its version

    // The triple that the object's metadata names before the processor, "amdgcn-mesa-mesa3d-"; NULL: the
    // usual triple of `os`.
    const char *triple;
} sw_asm_options;

// Assembles `length` bytes of text. *object becomes an ELF file of *object_size bytes, to be freed with
// sw_free; NULL for a listing or on failure. Each error in the text goes to the sink with its line and
// column.
sw_status sw_assemble(const char *text, size_t length, const sw_asm_options *options, uint8_t **object,
                      size_t *object_size, const sw_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
