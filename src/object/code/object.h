// SPDX-License-Identifier: MIT
// One opened code object, as the files of this folder share it: elf.c fills the tables, v2.c and metadata.c
// read the notes, kernels.c joins metadata and descriptors, layout.c places sections, load.c copies.
#ifndef OBJECT_OBJECT_H
#define OBJECT_OBJECT_H

#include <elf.h>
#include "base/arena.h"
#include "base/array.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "meta/meta.h"
#include "softwave/object.h"
#include "target/target.h"

// e_ident[EI_OSABI] and the vendor's note types (OBJ-03, OBJ-22, OBJ-31).
enum { OSABI_HSA = 64, OSABI_PAL = 65, OSABI_MESA = 66 };
enum {
    NOTE_V2_VERSION = 1,
    NOTE_V2_HSAIL = 2,
    NOTE_V2_ISA_VERSION = 3,
    NOTE_V2_METADATA = 10,
    NOTE_V2_ISA_NAME = 11,
    NOTE_PAL_PAIRS = 12, // of vendor AMD too
    NOTE_METADATA = 32,
    NOTE_CORE_STATE = 33
};

enum { STT_KERNEL = 10 }; // symbols of V2's kernels

// OBJ-39 to OBJ-51.
enum relocation_type {
    R_AMDGPU_NONE = 0,
    R_AMDGPU_ABS32_LO = 1,
    R_AMDGPU_ABS32_HI = 2,
    R_AMDGPU_ABS64 = 3,
    R_AMDGPU_REL32 = 4,
    R_AMDGPU_REL64 = 5,
    R_AMDGPU_ABS32 = 6,
    R_AMDGPU_GOTPCREL = 7,
    R_AMDGPU_GOTPCREL32_LO = 8,
    R_AMDGPU_GOTPCREL32_HI = 9,
    R_AMDGPU_REL32_LO = 10,
    R_AMDGPU_REL32_HI = 11,
    R_AMDGPU_RELATIVE64 = 13,
    R_AMDGPU_REL16 = 14,
};

struct symbols {
    sw_symbol *items;
    size_t count;
    uint32_t section; // of the table, 0: found through PT_DYNAMIC
};

struct sw_object {
    const uint8_t *bytes;
    size_t size;
    const char *name;     // of the file
    uint64_t file_offset; // of bytes[0] in that file
    bool no_metadata;
    struct arena arena;

    sw_header header;
    sw_target target;
    sw_section *sections;
    size_t section_count;
    sw_segment *segments;
    size_t segment_count;
    struct symbols symbols[2]; // by sw_symbol_table
    uint32_t *by_name;         // defined symbols of the linking table, sorted
    size_t by_name_count;
    sw_relocation *relocations;
    size_t relocation_count;
    sw_note *notes;
    size_t note_count;

    const sw_node *metadata, *metadata_v2; // the latter as V2's note has it
    sw_kernel *kernels;
    size_t kernel_count;

    sw_layout layout;
    uint64_t base;           // linked: address of the image's first byte
    uint64_t *section_place; // relocatable: image offset of each section, PLACE_NONE when not loaded
    uint64_t got;            // relocatable: image offset of the table
    uint32_t *got_slot;      // by symbol of SW_SYMTAB: slot + 1, 0 for none
    uint32_t *lds_place;     // by symbol of SW_SYMTAB: LDS offset of an LDS variable
};

#define PLACE_NONE (~0ull)

// Reports an error at `offset` of the object, inside what `within` names (NULL: nothing in particular).
sw_status object_bad(const struct sw_object *o, const sw_sink *sink, uint64_t offset, const char *within,
                     const char *format, ...) PRINTF_LIKE(5, 6);
void object_warn(const struct sw_object *o, const sw_sink *sink, uint64_t offset, const char *within,
                 const char *format, ...) PRINTF_LIKE(5, 6);
sw_status object_no_memory(const struct sw_object *o, const sw_sink *sink);

// A sink that passes messages on with this place, for callees that know only text or fields.
struct located_sink {
    sw_sink sink;
    const sw_sink *out;
    sw_location at;
};
const sw_sink *object_located(struct located_sink *l, const struct sw_object *o, const sw_sink *sink,
                              uint64_t offset, const char *within);

// The table whose symbols link: .symtab, or .dynsym of a stripped object.
sw_symbol_table object_linking_table(const struct sw_object *o);
// File offset of [address, address+length) through the PT_LOAD segments of a linked object.
bool object_file_offset(const struct sw_object *o, uint64_t address, uint64_t length, uint64_t *offset);

// For the linker, which looks into many objects and takes few: sections and symbols; then what it needs of
// those that it takes.
sw_status object_open_names(const uint8_t *bytes, size_t length, const sw_object_options *options,
                            struct sw_object **out, const sw_sink *sink);
sw_status object_read_for_link(struct sw_object *o, const sw_sink *sink);
sw_status object_read_symbols(struct sw_object *o, const sw_sink *sink);
sw_status object_read_relocations(struct sw_object *o, const sw_sink *sink);
sw_status object_read_elf(struct sw_object *o, const sw_sink *sink);
sw_status object_read_tables(struct sw_object *o, const sw_sink *sink);  // symbols, relocations
sw_status object_read_dynamic(struct sw_object *o, const sw_sink *sink); // the same without section headers
sw_status object_read_notes(struct sw_object *o, const sw_sink *sink);
sw_status object_symbols_in(struct sw_object *o, const sw_sink *sink, uint64_t offset, uint64_t count,
                            uint64_t strings, uint64_t strings_size, uint32_t section, const char *within,
                            struct symbols *out);
sw_status object_relocations_in(struct sw_object *o, const sw_sink *sink, uint64_t offset, uint64_t size,
                                bool rela, sw_symbol_table table, uint32_t section, const char *within);
sw_status object_target_v2(struct sw_object *o, const sw_sink *sink);
sw_status object_read_metadata(struct sw_object *o, const sw_sink *sink);
sw_status object_read_kernels(struct sw_object *o, const sw_sink *sink);
sw_status object_place(struct sw_object *o, const sw_sink *sink);

// Whether `name` means the kernel with this symbol (without ".kd").
bool kernel_name_means(const char *kernel, const char *name);
// MessagePack bytes as a tree in the arena. `where` is their offset in the object.
sw_status msgpack_read(struct sw_object *o, const uint8_t *data, size_t size, uint64_t where,
                       const sw_node **out, const sw_sink *sink);
// V2's YAML note as a tree with the keys and values of V3: o->metadata.
sw_status object_read_metadata_v2(struct sw_object *o, const sw_note *n, const sw_sink *sink);
// The kernels of the metadata, in its order; each with its arguments.
sw_status metadata_kernels(struct sw_object *o, uint64_t where, sw_kernel **out, size_t *count,
                           const sw_sink *sink);
#define node_get meta_get
#define node_is  meta_text_is

static inline bool is_pal_pairs(const sw_note *n) {
    return n->type == NOTE_PAL_PAIRS && !strcmp(n->vendor, "AMD");
}
// "SPI_SHADER_USER_DATA_PS_2" and "SpillTable" (PAL-18 to PAL-28) into 48 bytes; false: it has no name.
bool pal_register_name(uint32_t number, char *out);
bool pal_user_data(uint32_t value, char *out);

// Names for people: "R_AMDGPU_REL32_LO", "SHT_PROGBITS" without prefix, "PT_LOAD" without prefix; NULL: none.
const char *name_of_relocation(unsigned type);
const char *name_of_section_type(unsigned type);
const char *name_of_segment_type(unsigned type);
const char *name_of_symbol_type(unsigned type);
const char *name_of_note(const sw_note *n);
const char *name_of_value_kind(sw_value_kind k);
const char *name_of_address_space(sw_pointer_space s);
const char *name_of_access(sw_access a);

#endif
