// SPDX-License-Identifier: MIT
// LLVM IR to AMD GPU code: text, a relocatable object, or one that can be loaded.
//
// Reading LLVM IR needs LLVM's library (22 or newer), which is loaded when it is first wanted; Softwave's own
// text of the compiler's program (.swir) needs none. A compiler may be used by several threads at once. The
// bytes and texts given are not kept.
#ifndef SOFTWAVE_COMPILER_H
#define SOFTWAVE_COMPILER_H

#include "softwave/target.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_compiler sw_compiler;

// `llvm` is the path of LLVM's library; NULL: what SOFTWAVE_LLVM names, or the system's. It is opened with
// the first LLVM IR that is compiled.
sw_status sw_compiler_open(const char *llvm, sw_compiler **out, const sw_sink *sink);
void sw_compiler_close(sw_compiler *compiler);

typedef enum sw_compile_output {
    SW_COMPILE_TEXT,     // assembly, or .swir where `until` ends before it
    SW_COMPILE_OBJECT,   // relocatable
    SW_COMPILE_LOADABLE, // linked
    SW_COMPILE_IR        // .swir
} sw_compile_output;

// What a function became.
typedef struct sw_compile_figures {
    size_t size;                         // sizeof(sw_compile_figures)
    const char *function;                // valid during the call
    unsigned instructions, sgprs, vgprs; // of the function's code
    unsigned spilled;                    // dwords that did not fit into registers
    unsigned stack, lds;                 // bytes of a lane; of a work-group
    unsigned waves;                      // of it that a SIMD holds at once, as registers have it
} sw_compile_figures;

typedef struct sw_compile_options {
    size_t size;                  // sizeof(sw_compile_options)
    const sw_target *target;      // NULL: each function's "target-cpu", which must agree
    const char *features;         // "+wavefrontsize64,-cumode", as -mattr; NULL: what the functions say
    const char *triple;           // NULL: the module's
    unsigned level;               // 0 to 3
    unsigned code_object_version; // 4 to 6; 0: the module's, else 6
    unsigned threads;             // that compile functions; 0: one. The result is the same
    sw_compile_output output;
    const char *from, *until; // stages by name; NULL: the first, the last
    const char *dump;         // stages by name, with commas between, or "all"; NULL: none
    // Is given the text of each dumped stage.
    void (*dumped)(void *context, const char *stage, const char *text, size_t length);
    void *context;
    const char *const *kernels; // or functions: these alone, and what they call; kernel_count 0: all
    size_t kernel_count;
    bool verify; // check the program between all passes
    // Are given the wall time of each stage, in its order, and the figures of each function at the end.
    void (*timed)(void *context, const char *stage, double seconds);
    void (*measured)(void *context, const sw_compile_figures *figures);
    const char *llvm_passes; // run by LLVM over the IR first, as `opt -passes=` names them; NULL: none
    bool verbose;            // notes say which LLVM reads, and what is compiled
} sw_compile_options;

// Compiles .ll, .bc or .swir, told apart by content. *out is freed by sw_free; NULL on failure.
// SW_BAD_INPUT: LLVM or the parser refuses it. SW_UNSUPPORTED: valid, but it cannot be compiled (function,
// instruction and source line are named), or there is no LLVM. SW_CHECK: a pass left a wrong program.
sw_status sw_compile(sw_compiler *compiler, const char *name, const void *bytes, size_t length,
                     const sw_compile_options *options, uint8_t **out, size_t *out_size, const sw_sink *sink);
// The same of an LLVMModuleRef of the LLVM library that this process uses, which must be shared and of a
// version that can be read. The module is not changed.
sw_status sw_compile_llvm_module(sw_compiler *compiler, void *module, const sw_compile_options *options,
                                 uint8_t **out, size_t *out_size, const sw_sink *sink);

// The compiler's stages in order: 0 .. count-1.
size_t sw_compile_stage_count(void);
const char *sw_compile_stage_name(size_t index);

#ifdef __cplusplus
}
#endif
#endif
