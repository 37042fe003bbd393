// SPDX-License-Identifier: MIT
// Code and code objects as text: listings of instructions, graphs of basic blocks, and what an object says of
// itself.
//
// Text goes to the caller piece by piece, so memory does not grow with the code. Nothing is kept behind a
// call; calls may run in any number of threads, as far as what they read does not change.
#ifndef SOFTWAVE_LIST_H
#define SOFTWAVE_LIST_H

#include "softwave/object.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_list_options {
    size_t size; // sizeof(sw_list_options) of the caller
    // Takes a finished piece of text; false stops the listing, which is no error.
    bool (*write)(void *context, const char *text, size_t length);
    void *context;

    // What is listed: everything between two addresses, of one function, or of several. A kernel may be
    // called by its C++ name in `function`.
    uint64_t start, stop; // stop 0: to the end
    const char *function; // NULL: all
    const char *const *functions;
    size_t function_count; // 0: all
    // How it is understood. wave_size 0: the kernel's own, else 32 where the processor has it.
    unsigned wave_size;
    const char *features; // "+wavefrontsize64,-real-true16"; NULL: the processor's defaults

    const char *name;    // of the file, for messages
    const char *heading; // written first, once it is certain that there is something to list; then a heading
                         // for each section. NULL: none
    bool json;           // elements of an array {address, words, text}, without its brackets
    bool json_continues; // the array has elements already
    bool graph;          // instead a cluster of basic blocks for each function, to stand in a digraph
    bool labels;         // branch targets get names L0, L1, ... and lines of their own
    bool reasons;        // say why a word is data
    bool zeroes;         // write out runs of zeros
    bool no_address, no_words;
    bool colour;      // with escape sequences of terminals
    bool relocations; // behind the instructions that they change
    bool demangle;    // names of C++ as they are written there
    bool lines;       // where code comes from, as comments: FILE:LINE
    bool source_text; // the source itself, where it is embedded or its file can be read
    bool all;         // every section that is loaded, not only code
    bool effects; // behind each instruction what it reads, writes and does; in JSON as reads, writes, does
} sw_list_options;

// Code and nothing else, which lies at `address`. SW_UNSUPPORTED: the processor has no disassembler.
sw_status sw_list_code(const sw_processor *processor, const void *code, size_t length, uint64_t address,
                       const sw_list_options *options, const sw_sink *sink);
// Every section of code of an object. SW_BAD_INPUT: it has no such function.
sw_status sw_list_object(const sw_object *object, const sw_list_options *options, const sw_sink *sink);

typedef enum sw_description {
    SW_DESCRIBE_ALL = 0,      // headers, tables, notes, kernels, metadata
    SW_DESCRIBE_METADATA = 1, // the metadata as YAML; nothing when there is none
    SW_DESCRIBE_LINES = 2,    // each row of the line table as OFFSET FILE:LINE:COLUMN
} sw_description;

typedef struct sw_describe_options {
    size_t size; // sizeof(sw_describe_options) of the caller
    bool (*write)(void *context, const char *text, size_t length);
    void *context;
    sw_description what;
    const char *kernel; // of ALL: only this one; NULL: all
    // ALL as JSON: members of an object that the caller opened, `json_depth` deep and not empty. 0: as text.
    unsigned json_depth;
} sw_describe_options;

// What an object says of itself. What is wrong with a descriptor is part of the text.
sw_status sw_describe_object(const sw_object *object, const sw_describe_options *options,
                             const sw_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
