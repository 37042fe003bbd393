// SPDX-License-Identifier: MIT
// Linking: relocatable code objects and archives of them to one loadable shared object.
//
// The result is laid out as ld.lld lays it out, byte for byte where both can do the job, so that loaders,
// tools and people meet nothing new. Inputs are the caller's bytes, which are not kept; any bytes at all are
// acceptable and malformed ones end in errors that name file, section and symbol. Calls share nothing: any
// number may run in different threads, and each calls its sink, `open` and `map` in its own thread.
#ifndef SOFTWAVE_LINK_H
#define SOFTWAVE_LINK_H

#include "softwave/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// An ELF object or an `ar` archive, in the order in which they shall be linked.
typedef struct sw_link_input {
    size_t size;      // sizeof(sw_link_input)
    const char *name; // for messages
    const uint8_t *bytes;
    size_t length;
    bool whole_archive; // take every member, not only those that define what is missing
    bool lazy;          // an object, but to be taken only when it defines what is missing (--start-lib)
} sw_link_input;

// Which of the object's own symbols its own references bind to, whatever else a process may load.
typedef enum sw_link_symbolic {
    SW_SYMBOLIC_NONE = 0,
    SW_SYMBOLIC_NON_WEAK_FUNCTIONS,
    SW_SYMBOLIC_FUNCTIONS,
    SW_SYMBOLIC_NON_WEAK,
    SW_SYMBOLIC_ALL
} sw_link_symbolic;

typedef enum sw_link_strip { SW_STRIP_NONE = 0, SW_STRIP_DEBUG, SW_STRIP_ALL } sw_link_strip;

// Local symbols to leave out: by default those named .L… in mergeable sections.
typedef enum sw_link_discard {
    SW_DISCARD_DEFAULT = 0,
    SW_DISCARD_NONE,
    SW_DISCARD_LOCALS,
    SW_DISCARD_ALL
} sw_link_discard;

typedef enum sw_link_hash { SW_HASH_BOTH = 0, SW_HASH_SYSV, SW_HASH_GNU } sw_link_hash;

// What becomes of mergeable sections: equal pieces share their bytes (-O1), nothing (-O0), or strings also
// the ends of others (-O2).
typedef enum sw_link_merge { SW_MERGE_EQUAL = 0, SW_MERGE_NOTHING, SW_MERGE_TAILS } sw_link_merge;

typedef enum sw_link_build_id {
    SW_BUILD_ID_NONE = 0,
    SW_BUILD_ID_8, // bytes of a hash of the output
    SW_BUILD_ID_16,
    SW_BUILD_ID_20,
    SW_BUILD_ID_GIVEN // build_id_bytes
} sw_link_build_id;

// A version script or dynamic list.
typedef struct sw_link_text {
    const char *name, *text; // text NULL: none
    size_t length;
} sw_link_text;

// All zero but `size`: as `ld.lld -shared`.
typedef struct sw_link_options {
    size_t size; // sizeof(sw_link_options)
    bool pie;    // position-independent executable: nothing can be replaced by others' symbols, none exported
    bool export_dynamic;   // with pie
    bool no_undefined;     // an undefined symbol is an error, also one that a loader could resolve
    bool allow_undefined;  // with pie: it is 0
    bool allow_duplicates; // the first definition wins
    bool gc_sections, print_gc_sections; // removed sections are notes to the sink
    bool keep_named_sections;            // -z nostart-stop-gc: __start_NAME keeps sections NAME alive
    bool bind_now;                       // asks the loader to resolve everything at once
    bool no_relro, no_gnu_stack_header, text_relocations, single_read_only_segment, separate_code;
    sw_link_symbolic symbolic;
    sw_link_strip strip;
    sw_link_discard discard;
    sw_link_hash hash;
    sw_link_merge merge;
    sw_link_build_id build_id;
    const uint8_t *build_id_bytes;
    size_t build_id_size;
    uint64_t max_page_size;       // power of two; 0: 4096
    const char *soname;           // NULL: none
    const char *entry;            // NULL: _start
    const char *init, *fini;      // NULL: _init, _fini
    const char *const *undefined; // names to pull out of archives and keep
    size_t undefined_count;
    sw_link_text version_script, dynamic_list;
    const char *comment; // of the linker, in .comment; NULL: "Linker: softwave VERSION"
    uint64_t max_output; // bytes of the result, and of decompressed input and members of thin
                         // archives (0: 4 GiB)
    // Opens a member of a thin archive, which only names it: `path` is absolute or starts with the archive's
    // folder. The bytes have to stay until sw_link returns. NULL: thin archives are unsupported.
    sw_status (*open)(void *context, const char *path, const uint8_t **bytes, size_t *length);
    void *open_context;
    bool relocatable; // -r: an object that can be linked again; of the other options only strip debug counts
    // Symbols to define, "NAME=EXPRESSION" each, a sum or difference of numbers and symbols; they win over
    // others' definitions.
    const char *const *definitions;
    size_t definition_count;
    // Takes the map: which section and symbol lies where, as ld.lld -Map writes it. NULL: none.
    void (*map)(void *context, const char *text, size_t length);
    void *map_context;
} sw_link_options;

// Links `count` inputs. *image becomes an ELF file of *length bytes, to be freed with sw_free; NULL on
// failure. `options` may be NULL.
//
// SW_BAD_INPUT: undefined and duplicate symbols, conflicting targets, what relocations cannot express,
// malformed files; several are reported at once. SW_UNSUPPORTED: LLVM bitcode, shared objects as input, and
// thin archives without `open`.
sw_status sw_link(const sw_link_input *inputs, size_t count, const sw_link_options *options, uint8_t **image,
                  size_t *length, const sw_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
