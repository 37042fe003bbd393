// SPDX-License-Identifier: MIT
// One link, as the files of this folder share it, in the order in which they work on it:
//   archive.c   members of an archive
//   resolve.c   names to symbols; which members are taken
//   symbols.c   what the linker defines itself; who may be replaced when the object is loaded
//   define.c    what the caller defines
//   version.c   version scripts and dynamic lists: which symbols are exported
//   input.c     an object's sections, groups, local symbols
//   target.c    what target the inputs are for together; LDS variables
//   gc.c        which sections live
//   output.c    input sections to output sections, their order
//   merge.c     mergeable sections
//   relocate.c  what relocations need (table entries, dynamic relocations), and their application
//   dynamic.c   the linker's own sections
//   layout.c    segments, addresses, file offsets
//   partial.c   relocatable output instead of the last three
//   map_file.c  where everything has come to lie, as text
//   write.c     the file
// report.c, hash.c, names.c, globals.c and query.c serve them all; steps.c calls one after the other.
// Every decision that ld.lld makes visible in its output is made the same way: order of symbols, sections,
// relocations and strings included.
#ifndef LINK_LINK_H
#define LINK_LINK_H

#include "base/arena.h"
#include "base/text.h"
#include "object/code/object.h"
#include "softwave/link.h"

enum { SHT_LLVM_FIRST = 0x6fff4c00, SHT_LLVM_LAST = 0x6fff4cff };

enum section_kind {
    SECTION_NONE,      // tables of the file, or nothing
    SECTION_DISCARDED, // of a group that another file has, or not for the output
    SECTION_PLAIN,
    SECTION_MERGED // its pieces go to a merge group
};

// The linker's own input sections.
enum own_section {
    OWN_NOTHING,
    OWN_COMMON, // room of a common symbol
    OWN_MERGE,  // a merge group
    OWN_BUILD_ID,
    OWN_DYNSYM,
    OWN_GNU_HASH,
    OWN_HASH,
    OWN_DYNAMIC,
    OWN_DYNSTR,
    OWN_RELA_DYN,
    OWN_GOT,
    OWN_RELRO_PADDING,
    OWN_SYMTAB,
    OWN_SYMTAB_SHNDX,
    OWN_SHSTRTAB,
    OWN_STRTAB,
    OWN_SECTIONS
};

struct output_section;
struct object_file;
struct merge_group;

// A string or record of a mergeable section.
struct piece {
    uint32_t offset; // in the input
    uint32_t hash : 31, live : 1;
    uint64_t place; // in the merge group
};

struct input_section {
    enum section_kind kind;
    enum own_section own;
    struct object_file *file; // NULL: the linker's own
    const char *name;
    uint32_t type, link;
    uint64_t flags, alignment, entry_size, size;
    const uint8_t *data; // NULL: no bytes in the file
    const sw_relocation *relocations;
    size_t relocation_count;
    bool live, has_relocation_section;
    struct input_section *next_in_group;               // ring of a section group that can be collected
    struct input_section *dependents, *next_dependent; // SHF_LINK_ORDER sections that describe this one
    struct output_section *out;
    uint64_t place; // in out; of a merged section meaningless
    struct piece *pieces;
    size_t piece_count;
    struct merge_group *group; // that holds the pieces, or of OWN_MERGE
};

// Where a symbol of an input is, when not in a section: its st_shndx marked, as a large file has sections of
// those numbers.
#define HOME_SPECIAL 0x80000000u
#define HOME_COMMON  (HOME_SPECIAL | SHN_COMMON)
#define HOME_LDS     (HOME_SPECIAL | SW_SHN_AMDGPU_LDS)

enum symbol_kind { SYMBOL_NEW, SYMBOL_UNDEFINED, SYMBOL_DEFINED, SYMBOL_COMMON, SYMBOL_LAZY };

struct link_symbol {
    const char *name;
    uint32_t name_length;
    struct object_file *file;           // that defines, else first names it; NULL: the linker
    struct input_section *section;      // of a definition; NULL with out NULL: absolute
    struct output_section *out;         // of a definition by the linker
    uint64_t value, size;               // COMMON: value is the alignment
    uint32_t discarded;                 // index of the discarded section that defined it
    uint32_t got, dynsym;               // slot + 1, index
    uint8_t kind, type, binding, other; // other: st_other with the merged visibility
    bool in_regular, referenced, exported, in_dynamic_list, version_local, version_assigned;
    bool preemptible, used, wants_got, at_end; // at_end: value counts from the end of `out`
    bool lds, reported, nowhere; // nowhere: the linker's own symbol of a section that there is not
};

static inline unsigned visibility_of(const struct link_symbol *s) { return s->other & 3; }

struct object_file {
    const char *name;
    struct sw_object *object;
    const uint8_t *bytes;
    size_t length;
    bool lazy;
    size_t order;
    uint32_t symbol_count, first_global;
    const sw_symbol *table;
    struct link_symbol **symbols; // by index of its table
    struct input_section *sections;
    size_t section_count;
};

struct output_section {
    const char *name;
    uint32_t type, index, name_offset, link, info, rank;
    uint64_t flags, entry_size, alignment, address, offset, size;
    bool has_inputs, relro;
    ARRAY(struct input_section *) inputs;
    struct link_segment *load;
};

struct link_segment {
    uint32_t type, flags;
    uint64_t alignment, offset, address, file_size, memory_size;
    struct output_section *first, *last;
};

struct dynamic_relocation {
    struct input_section *section;
    uint64_t offset; // in section
    int64_t addend;
    struct link_symbol *symbol;
    uint32_t type;
    // computed
    uint64_t address, value;
    uint32_t index;
};

struct string_table {
    struct text text; // begins with a NUL
};

struct table_entry {
    struct link_symbol *symbol;
    uint32_t name;
    uint32_t hash, bucket; // .gnu.hash
};

// A symbol that the caller defines: a number, and symbols added to it or taken away.
enum { DEFINITION_TERMS = 8 };
struct definition {
    const char *text, *name;
    size_t name_length, term_count;
    struct link_symbol *symbol;
    uint64_t number;
    struct {
        struct link_symbol *symbol;
        bool minus;
    } terms[DEFINITION_TERMS];
    bool late; // known only with the addresses of sections
};

// Names to whatever they name.
struct name_entry {
    const char *name; // not copied
    uint32_t length, hash;
    void *value;
};
struct hash_key {
    uint64_t start, factor;
};
struct name_table {
    struct name_entry *entries;
    size_t size, count;
    struct hash_key key;
};

struct link {
    const sw_link_options *options;
    const sw_sink *sink;
    struct arena arena;
    size_t errors, warnings;
    bool no_memory, unsupported;
    uint64_t budget; // of decompressed bytes
    bool shared;     // not pie
    bool symbolic;   // all own references bind here, unless in the dynamic list

    ARRAY(struct object_file *) objects; // taken, in order
    ARRAY(struct object_file *) all;     // every opened one, to be closed
    ARRAY(struct link_symbol *) symbols; // global, in the order in which they were first met
    struct name_table symbol_names;      // struct link_symbol
    struct name_table groups;            // struct object_file: the one whose group is kept

    ARRAY(struct definition) definitions;

    uint32_t flags; // e_flags
    uint64_t lds_size;

    ARRAY(struct input_section *) inputs;
    struct input_section own[OWN_SECTIONS];
    ARRAY(struct output_section *) sections;
    ARRAY(struct output_section *) every_section;  // also those that turned out not to be needed
    struct name_table section_names;               // struct output_section
    struct output_section header, program_headers; // what the first segment begins with
    ARRAY(struct merge_group *) merge_groups;
    struct name_table merge_kinds; // struct merge_group, by struct merge_kind

    ARRAY(struct dynamic_relocation) relocations;
    size_t relative_count;
    ARRAY(struct link_symbol *) got;
    ARRAY(struct table_entry) symtab, dynsym;
    size_t symtab_locals, first_hashed; // first_hashed: entry of dynsym
    uint32_t gnu_buckets, gnu_mask_words;
    struct string_table strtab, dynstr, shstrtab;
    uint32_t soname;
    struct link_symbol *end_of[7]; // reserved symbols, by enum reserved
    ARRAY(struct link_segment) segments;
    uint64_t section_headers, file_size;
    uint8_t *image;
};

// ---- Messages ----

// Reports an error in `file` (may be NULL), inside what `within` names (may be NULL), and counts it.
void link_error(struct link *l, const struct object_file *file, const char *within, const char *format, ...)
    PRINTF_LIKE(4, 5);
void link_warn(struct link *l, const struct object_file *file, const char *within, const char *format, ...)
    PRINTF_LIKE(4, 5);
void link_unsupported(struct link *l, const char *name, const char *what);
void link_no_memory(struct link *l);
static inline bool link_failed(const struct link *l) { return l->errors || l->no_memory || l->unsupported; }

// Appends to an array of the link, or notes that memory ran out.
#define link_push(l, array, ...) (array_push(array, __VA_ARGS__) ? true : (link_no_memory(l), false))
// Zeroed memory that lives as long as the link; NULL (noted) when there is none.
void *link_alloc(struct link *l, size_t size);

// ---- Names ----

void *name_table_get(const struct name_table *t, const char *name, size_t length); // NULL: none
// Where the name's value stands, NULL when it is new; no pointer at all when memory ran out.
void **name_table_at(struct name_table *t, const char *name, size_t length);

// Puts a name into a table of the output; where it begins.
uint32_t string_add(struct link *l, struct string_table *t, const char *text, size_t length);

// Global symbols (globals.c).
struct link_symbol *global_find(const struct link *l, const char *name, size_t length);
struct link_symbol *global_insert(struct link *l, const char *name, size_t length);

// A hash that others cannot foresee.
void hash_key_make(struct hash_key *k);
uint32_t hash_keyed(const struct hash_key *k, const void *data, size_t length);
static inline uint64_t multiply_fold(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// ---- Questions (query.c) ----

bool section_in_output(const struct input_section *s);
bool is_debug(const struct input_section *s);
bool is_c_name(const char *name);
struct output_section *output_find(const struct link *l, const char *name);
bool dynamic_needed(const struct link *l, enum own_section own);
// The piece that holds `offset`, the last one for all beyond; NULL when there is none.
struct piece *piece_at(const struct input_section *s, uint64_t offset);
uint64_t input_address(const struct input_section *s, uint64_t offset);
unsigned symbol_binding(const struct link_symbol *s); // as the output has it
bool symbol_exported(const struct link *l, const struct link_symbol *s);
uint64_t symbol_address(const struct link_symbol *s, int64_t addend); // addend included

// ---- Steps ----

// archive.c
// Calls each() for every member, in order, with a name like "lib.a(m.o)".
void archive_members(struct link *l, const sw_link_input *input,
                     void (*each)(struct link *l, const char *name, const uint8_t *bytes, size_t length,
                                  void *context),
                     void *context);
bool is_archive(const uint8_t *bytes, size_t length);

// resolve.c
void resolve_inputs(struct link *l, const sw_link_input *inputs, size_t count);
void resolve_duplicates(struct link *l); // and definitions in discarded sections

// symbols.c
void symbols_reserve(struct link *l);        // _end and its like
void symbols_place_reserved(struct link *l); // once the segments are known
void symbols_start_stop(struct link *l);     // __start_NAME, __init_array_start, _DYNAMIC
void symbols_finish(struct link *l);         // drop definitions in dead sections; who may be replaced

void symbol_define(struct link *l, struct link_symbol *s); // as a number, whoever else defines it

// define.c
void definitions_read(struct link *l);
void definitions_declare(struct link *l);
void definitions_place(struct link *l);
void definitions_finish(struct link *l);

// input.c
struct object_file *object_file_open(struct link *l, const char *name, const uint8_t *bytes, size_t length);
// Reads the rest of a file that is to be linked, before its symbols are resolved.
bool object_file_take(struct link *l, struct object_file *f);
void object_file_sections(struct link *l, struct object_file *f);
void object_file_locals(struct link *l, struct object_file *f);

// version.c
void versions_apply(struct link *l);

// target.c
void target_merge(struct link *l);
void lds_place(struct link *l);
void lds_raise_descriptors(struct link *l);

// gc.c
void sections_collect(struct link *l);

// output.c
void commons_place(struct link *l);
void sections_gather(struct link *l);
void output_create(struct link *l);
void output_sort(struct link *l);
void output_link_order(struct link *l);

// merge.c
struct merge_kind {
    const struct output_section *out;
    uint64_t flags, entry_size, alignment;
};
struct merge_group {
    struct merge_kind kind;
    struct input_section section; // in the output section
    ARRAY(struct input_section *) members;
    uint8_t *bytes;
};
bool section_mergeable(struct link *l, const struct input_section *s);
void pieces_split(struct link *l, struct input_section *s);
void merge_into(struct link *l, struct output_section *out, struct input_section *s);
void merge_finish(struct link *l);
uint64_t hash64(const uint8_t *data, size_t length);

// relocate.c
void relocations_scan(struct link *l);
void relocations_apply(struct link *l);

// dynamic.c
void dynamic_create(struct link *l);       // the own sections, before sections_gather's order is fixed
void dynamic_fill_symbols(struct link *l); // .symtab and .dynsym
void dynamic_finish(struct link *l);       // sizes and links
void dynamic_write(struct link *l);

// layout.c
void segments_create(struct link *l);
void layout_assign(struct link *l);

// partial.c
void partial_write(struct link *l);

// map_file.c
void map_write(struct link *l);

// write.c
void image_write(struct link *l);

#endif
