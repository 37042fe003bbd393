// SPDX-License-Identifier: MIT
// AMD GPU code objects: finding them in files, reading them, and loading them for execution.
//
// A *container* finds the code objects inside a file: a plain ELF code object, a clang offload bundle
// (plain or compressed), an offload binary, or a host executable or library that embeds any of these. An
// *object* is one opened code object: ELF tables, notes, metadata, kernels. Loading copies it into memory
// of the caller, laid out and relocated for the address at which the GPU will see it.
//
// Both handles refer to the caller's bytes in place: these must stay unchanged until the handle is closed.
// All strings and arrays returned belong to the handle. Distinct handles may be used from different threads;
// so may one sw_object, which never changes once open. Any bytes at all are acceptable input: malformed ones
// end in an error that names the offset and the section, note or key concerned.
#ifndef SOFTWAVE_OBJECT_H
#define SOFTWAVE_OBJECT_H

#include "softwave/target.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_container sw_container;
typedef struct sw_object sw_object;

// ---- Containers ----------------------------------------------------------------------------------------

typedef enum sw_container_kind {
    SW_CONTAINER_CODE_OBJECT = 0,    // the file is one ELF code object
    SW_CONTAINER_BUNDLE = 1,         // "__CLANG_OFFLOAD_BUNDLE__"
    SW_CONTAINER_COMPRESSED = 2,     // "CCOB", a bundle compressed with zlib or zstd
    SW_CONTAINER_OFFLOAD_BINARY = 3, // 10 FF 10 AD
    SW_CONTAINER_HOST = 4,           // host ELF file with embedded device code
    SW_CONTAINER_ARCHIVE = 5,        // "!<arch>" of files of the other kinds
    SW_CONTAINER_TEXT = 6,           // texts (assembly, LLVM IR) between comments with the bundle's magic
} sw_container_kind;

// One code object (or other image: host stub, bitcode) of a container.
typedef struct sw_entry {
    const char *id;   // as spelled in the file: "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-"; "" if it has none
    bool is_device;   // an AMD GPU image; the others are host stubs, other vendors' images, bitcode
    bool has_target;  // `target` is known
    sw_target target; // of the ELF header where it could be read, else of the id
    unsigned generic_version; // of a generic processor's code object, else 0
    size_t bundle;            // number of the bundle within the file, from 0
    uint64_t offset;          // in the file; of a compressed entry, in its decompressed bundle
    uint64_t size;
    const uint8_t *data; // NULL while still compressed: ask sw_container_data
    const char *member;  // of an archive: name of the file that the entry is in; else NULL
} sw_entry;

// What sw_container_open may spend on a hostile file. Zero members mean the defaults.
typedef struct sw_container_options {
    size_t size;               // sizeof(sw_container_options)
    const char *name;          // of the file, for messages
    uint64_t max_decompressed; // bytes of all bundles (default 64 times the file, at least 256 MiB)
} sw_container_options;

// Finds the code objects of a file of `length` bytes. Reads only headers: a mapped library of a gigabyte
// costs a few pages for each object. `options` may be NULL. On failure *out is NULL.
sw_status sw_container_open(const uint8_t *bytes, size_t length, const sw_container_options *options,
                            sw_container **out, const sw_sink *sink);
void sw_container_close(sw_container *container);
const char *sw_container_kind_text(sw_container_kind kind); // "offload bundle"
sw_container_kind sw_container_get_kind(const sw_container *container);
size_t sw_container_entry_count(const sw_container *container);
const sw_entry *sw_container_entry(const sw_container *container, size_t index); // NULL: there is none

// The bytes of entry `index`, decompressing its bundle on first use. Not for concurrent use of one container.
sw_status sw_container_data(sw_container *container, size_t index, const uint8_t **data, size_t *length,
                            const sw_sink *sink);

// Chooses the entry to run on `device` (NULL: any target). Entries that match the device's settings exactly
// win over those that work with any setting, and a processor's own code over generic code; a setting that
// the device leaves at SW_SETTING_ANY accepts every code. When `kernel` is not NULL, only entries that define
// it count. No entry or several equally good ones are SW_BAD_INPUT with a message that lists what is there.
sw_status sw_container_pick(sw_container *container, const sw_target *device, const char *kernel,
                            size_t *index, const sw_sink *sink);

// ---- ELF tables ----------------------------------------------------------------------------------------

typedef struct sw_header {
    uint8_t elf_class, data, os_abi, abi_version; // e_ident
    uint16_t type, machine;
    uint32_t version, flags;
    uint64_t entry;
    unsigned code_object_version; // 2..6; 0 when os_abi is not amdhsa
    unsigned generic_version;     // V6 and later, generic processors only
    sw_os os;
    bool relocatable; // ET_REL
} sw_header;

typedef struct sw_section {
    const char *name;
    uint32_t type, link, info;
    uint64_t flags, address, offset, size, alignment, entry_size;
    const uint8_t *data; // NULL for SHT_NOBITS and SHT_NULL
} sw_section;

typedef struct sw_segment {
    uint32_t type, flags;
    uint64_t offset, address, file_size, memory_size, alignment;
} sw_segment;

typedef struct sw_symbol {
    const char *name;
    uint64_t value, size;
    uint32_t section; // index, or SHN_UNDEF, SHN_ABS, SHN_COMMON, SHN_AMDGPU_LDS
    uint8_t type, binding, visibility;
} sw_symbol;

typedef enum sw_symbol_table { SW_SYMTAB = 0, SW_DYNSYM = 1 } sw_symbol_table;

enum { SW_SHN_AMDGPU_LDS = 0xff00 }; // section index of variables in LDS; st_value is their alignment

typedef struct sw_relocation {
    uint64_t offset; // in `section` when that is not 0, else an address
    uint32_t type;   // R_AMDGPU_*
    uint32_t symbol; // index in `table`; 0 for none
    sw_symbol_table table;
    uint32_t section; // that it applies to (relocatable objects), 0 for dynamic relocations
    int64_t addend;
    bool implicit_addend; // REL: the addend is in the place itself
} sw_relocation;

typedef struct sw_note {
    const char *vendor; // "AMDGPU", "AMD"; "" when it is not a proper string
    uint32_t type;
    uint64_t offset; // of the note record in the file
    const uint8_t *data;
    size_t size;
} sw_note;

// ---- Kernel descriptors --------------------------------------------------------------------------------

// The 64 bytes that a dispatch packet points to. Members up to `kernarg_preload_offset` are the fields as
// stored, 0 where the processor has no such field; those after it say what they mean.
typedef struct sw_kernel_descriptor {
    size_t size; // sizeof(sw_kernel_descriptor) of the library, or of the caller who decodes one
    uint32_t group_segment_fixed_size, private_segment_fixed_size, kernarg_size;
    int64_t kernel_code_entry_byte_offset;
    uint32_t rsrc1, rsrc2, rsrc3; // COMPUTE_PGM_RSRC1..3 whole
    uint16_t properties;          // bits 448..463 whole

    // COMPUTE_PGM_RSRC1
    uint32_t granulated_workitem_vgpr_count, granulated_wavefront_sgpr_count, priority;
    uint32_t float_round_mode_32, float_round_mode_16_64, float_denorm_mode_32, float_denorm_mode_16_64;
    uint32_t priv, enable_dx10_clamp, wg_rr_en, debug_mode, enable_ieee_mode, disable_perf, bulky, cdbg_user;
    uint32_t fp16_ovfl, wgp_mode, mem_ordered, fwd_progress;
    // COMPUTE_PGM_RSRC2
    uint32_t enable_private_segment, user_sgpr_count, enable_trap_handler, enable_dynamic_vgpr;
    uint32_t enable_sgpr_workgroup_id_x, enable_sgpr_workgroup_id_y, enable_sgpr_workgroup_id_z;
    uint32_t enable_sgpr_workgroup_info, enable_vgpr_workitem_id;
    uint32_t enable_exception_address_watch, enable_exception_memory, granulated_lds_size;
    uint32_t enable_exception_invalid, enable_exception_denormal, enable_exception_division_by_zero;
    uint32_t enable_exception_overflow, enable_exception_underflow, enable_exception_inexact;
    uint32_t enable_exception_int_division_by_zero;
    // COMPUTE_PGM_RSRC3
    uint32_t accum_offset, tg_split;                                        // gfx90a, gfx942, gfx950
    uint32_t shared_vgpr_count, inst_pref_size, trap_on_start, trap_on_end; // GFX10 and later
    uint32_t glg_en, image_op;
    // Kernel code properties
    uint32_t enable_sgpr_private_segment_buffer, enable_sgpr_dispatch_ptr, enable_sgpr_queue_ptr;
    uint32_t enable_sgpr_kernarg_segment_ptr, enable_sgpr_dispatch_id, enable_sgpr_flat_scratch_init;
    uint32_t enable_sgpr_private_segment_size, enable_wavefront_size32, uses_dynamic_stack;
    uint32_t kernarg_preload_length, kernarg_preload_offset; // dwords

    // Derived
    unsigned wavefront_size; // 32 or 64
    unsigned vgprs;          // a lane, AGPRs of a unified file included
    unsigned first_agpr;     // register of the unified file where AGPRs begin; 0 when not unified
    unsigned sgprs;          // a wave, VCC and other special registers included
    unsigned shared_vgprs;
    unsigned prefetch_bytes;      // of instructions at the entry point
    unsigned user_sgprs_enabled;  // sum of the enabled user SGPRs, kernarg preload included
    unsigned reserved_bits;       // how many bits that must be 0 are not
    uint32_t named_barrier_count; // GFX12.5: in fours
} sw_kernel_descriptor;

enum { SW_DESCRIPTOR_SIZE = 64, SW_KERNEL_CODE_SIZE = 256 };

// The kernel descriptor that says what an amd_kernel_code_t of code object V2 says, which a kernel's
// symbol points at there. SW_UNSUPPORTED: it asks for the grid's work-group counts in SGPRs, for GDS or for
// ordered append, which descriptors cannot say; SW_BAD_INPUT: these bytes are none.
sw_status sw_kernel_code_descriptor(const uint8_t code[SW_KERNEL_CODE_SIZE], uint8_t out[SW_DESCRIPTOR_SIZE],
                                    const sw_sink *sink);

// Decodes a kernel descriptor for `processor`. Bits that must be 0 and are not, and fields that contradict
// each other, are reported to `sink` as warnings naming the field, and counted in `reserved_bits`.
sw_status sw_descriptor_decode(const uint8_t bytes[SW_DESCRIPTOR_SIZE], const sw_processor *processor,
                               sw_kernel_descriptor *out, const sw_sink *sink);

// One field as stored, for tools that show descriptors. `meaning` is NULL where the number says it all.
typedef struct sw_descriptor_field {
    size_t size;      // sizeof(sw_descriptor_field) of the caller; set before the call
    const char *name; // as in the manual: "FLOAT_ROUND_MODE_32"
    unsigned bit, width;
    uint64_t value;
    bool must_be_zero;
    char meaning[56];
} sw_descriptor_field;

// Field `index` of the descriptor on this processor, in bit order. False past the last.
bool sw_descriptor_field_at(const uint8_t bytes[SW_DESCRIPTOR_SIZE], const sw_processor *processor,
                            size_t index, sw_descriptor_field *out);

// ---- Metadata ------------------------------------------------------------------------------------------

// The metadata as a tree, every key kept, vendors' too.
typedef enum sw_node_kind {
    SW_NODE_NULL,
    SW_NODE_BOOL,
    SW_NODE_UINT,
    SW_NODE_INT,
    SW_NODE_REAL,
    SW_NODE_STRING,
    SW_NODE_BYTES,
    SW_NODE_ARRAY,
    SW_NODE_MAP
} sw_node_kind;

typedef struct sw_node {
    sw_node_kind kind;
    uint32_t count; // items of an array, pairs of a map
    union {
        bool boolean;
        uint64_t uint;
        int64_t sint;
        double real;
        struct {
            const char *data; // not NUL-terminated
            size_t length;
        } string;
        const struct sw_node *items; // array: count; map: 2 * count, key before value
    } as;
} sw_node;

typedef enum sw_value_kind {
    SW_VALUE_UNKNOWN = 0,
    SW_VALUE_BY_VALUE,
    SW_VALUE_GLOBAL_BUFFER,
    SW_VALUE_DYNAMIC_SHARED_POINTER,
    SW_VALUE_SAMPLER,
    SW_VALUE_IMAGE,
    SW_VALUE_PIPE,
    SW_VALUE_QUEUE,
    SW_VALUE_HIDDEN_GLOBAL_OFFSET_X, // every kind from here on is filled by the runtime
    SW_VALUE_HIDDEN_GLOBAL_OFFSET_Y,
    SW_VALUE_HIDDEN_GLOBAL_OFFSET_Z,
    SW_VALUE_HIDDEN_NONE,
    SW_VALUE_HIDDEN_PRINTF_BUFFER,
    SW_VALUE_HIDDEN_HOSTCALL_BUFFER,
    SW_VALUE_HIDDEN_DEFAULT_QUEUE,
    SW_VALUE_HIDDEN_COMPLETION_ACTION,
    SW_VALUE_HIDDEN_MULTIGRID_SYNC_ARG,
    SW_VALUE_HIDDEN_BLOCK_COUNT_X, // V5
    SW_VALUE_HIDDEN_BLOCK_COUNT_Y,
    SW_VALUE_HIDDEN_BLOCK_COUNT_Z,
    SW_VALUE_HIDDEN_GROUP_SIZE_X,
    SW_VALUE_HIDDEN_GROUP_SIZE_Y,
    SW_VALUE_HIDDEN_GROUP_SIZE_Z,
    SW_VALUE_HIDDEN_REMAINDER_X,
    SW_VALUE_HIDDEN_REMAINDER_Y,
    SW_VALUE_HIDDEN_REMAINDER_Z,
    SW_VALUE_HIDDEN_GRID_DIMS,
    SW_VALUE_HIDDEN_HEAP_V1,
    SW_VALUE_HIDDEN_DYNAMIC_LDS_SIZE,
    SW_VALUE_HIDDEN_PRIVATE_BASE,
    SW_VALUE_HIDDEN_SHARED_BASE,
    SW_VALUE_HIDDEN_QUEUE_PTR,
    SW_VALUE_KINDS
} sw_value_kind;

static inline bool sw_value_kind_is_hidden(sw_value_kind k) { return k >= SW_VALUE_HIDDEN_GLOBAL_OFFSET_X; }

typedef enum sw_pointer_space {
    SW_SPACE_UNKNOWN = 0,
    SW_SPACE_PRIVATE,
    SW_SPACE_GLOBAL,
    SW_SPACE_CONSTANT,
    SW_SPACE_LOCAL,
    SW_SPACE_GENERIC,
    SW_SPACE_REGION
} sw_pointer_space;
typedef enum sw_access {
    SW_ACCESS_UNKNOWN = 0,
    SW_ACCESS_READ_ONLY,
    SW_ACCESS_WRITE_ONLY,
    SW_ACCESS_READ_WRITE
} sw_access;
typedef enum sw_kernel_kind { SW_KERNEL_NORMAL = 0, SW_KERNEL_INIT, SW_KERNEL_FINI } sw_kernel_kind;

// Strings are NULL when the key is absent.
typedef struct sw_argument {
    const char *name, *type_name;
    uint32_t offset, size; // in the kernarg segment
    sw_value_kind value_kind;
    const char *value_kind_name, *value_type;
    uint32_t pointee_align; // 0: absent
    sw_pointer_space address_space;
    sw_access access, actual_access;
    bool is_const, is_restrict, is_volatile, is_pipe;
} sw_argument;

// A kernel: its descriptor symbol, entry point, descriptor and metadata. Offsets count from the start of the
// loaded image, see sw_object_layout.
typedef struct sw_kernel {
    size_t size;        // sizeof(sw_kernel) of the library, or of the caller who made it
    const char *name;   // without ".kd"
    const char *symbol; // with ".kd"
    bool has_descriptor, has_metadata;
    uint64_t descriptor_offset, entry_offset;
    uint64_t code_size;              // of the entry point's function symbol, 0 if unknown
    const uint8_t *descriptor_bytes; // in the file; a relocatable object's entry offset is not filled in
    const sw_kernel_descriptor *descriptor; // decoded without messages; all 0 where it has none

    // Metadata; 0 or NULL where absent.
    const sw_argument *arguments; // the first: sw_kernel_argument gives each
    size_t argument_count;
    uint32_t kernarg_segment_size, kernarg_segment_align;
    uint32_t group_segment_fixed_size, private_segment_fixed_size;
    uint32_t wavefront_size, sgpr_count, vgpr_count, agpr_count, sgpr_spill_count, vgpr_spill_count;
    uint32_t max_flat_workgroup_size;
    uint32_t reqd_workgroup_size[3], workgroup_size_hint[3], max_num_workgroups[3], cluster_dims[3];
    const char *language, *vec_type_hint, *device_enqueue_symbol;
    uint32_t language_version[2];
    sw_kernel_kind kind;
    bool uses_dynamic_stack, workgroup_processor_mode, uniform_work_group_size;
    const sw_node *metadata; // its map
} sw_kernel;

// Waves of this kernel that fit on one SIMD, by registers, LDS and barriers of `processor`, with work-groups
// of `workgroup_size` work-items (0: the kernel's maximum); 0 when one work-group does not fit at all.
// `limit`, if not NULL, receives what limits it: "waves", "vgprs", "sgprs", "lds" or "work-groups" (too large
// to fill the SIMDs, or too many barriers).
unsigned sw_kernel_occupancy(const sw_kernel *kernel, const sw_processor *processor, unsigned workgroup_size,
                             unsigned dynamic_lds, const char **limit);

// ---- Objects -------------------------------------------------------------------------------------------

typedef struct sw_object_options {
    size_t size;      // sizeof(sw_object_options)
    const char *name; // of the file, for messages
    uint64_t offset;  // of the code object in that file, added to offsets in messages
    bool no_metadata; // leave it unread: kernels then have descriptors alone
} sw_object_options;

// Opens one code object. `options` may be NULL. On failure *out is NULL. Code objects of version 2, of PAL
// and of Mesa open with their tables and notes but without kernels.
sw_status sw_object_open(const uint8_t *bytes, size_t length, const sw_object_options *options,
                         sw_object **out, const sw_sink *sink);
void sw_object_close(sw_object *object);

const sw_header *sw_object_header(const sw_object *object);
const sw_target *sw_object_target(const sw_object *object);
// What an object has, one by one; NULL behind the last.
size_t sw_object_section_count(const sw_object *object);
const sw_section *sw_object_section(const sw_object *object, size_t index);
size_t sw_object_segment_count(const sw_object *object);
const sw_segment *sw_object_segment(const sw_object *object, size_t index);
size_t sw_object_symbol_count(const sw_object *object, sw_symbol_table table);
const sw_symbol *sw_object_symbol(const sw_object *object, sw_symbol_table table, size_t index);
size_t sw_object_relocation_count(const sw_object *object);
const sw_relocation *sw_object_relocation(const sw_object *object, size_t index);
size_t sw_object_note_count(const sw_object *object);
const sw_note *sw_object_note(const sw_object *object, size_t index);
size_t sw_object_kernel_count(const sw_object *object);
const sw_kernel *sw_object_kernel(const sw_object *object, size_t index); // sorted by name
const sw_node *sw_object_metadata(const sw_object *object);               // NULL: none
// The kernel of this name, with or without ".kd", or NULL.
const sw_kernel *sw_object_find_kernel(const sw_object *object, const char *name);
// The kernels that a name means: of this very symbol, else those whose C++ name it is, or the end of it
// behind a "::", with or without parameters and template arguments. Returns how many; fills at most
// `capacity`.
size_t sw_object_match_kernels(const sw_object *object, const char *name, const sw_kernel **out,
                               size_t capacity);
bool sw_kernel_is_called(const sw_kernel *kernel, const char *name);
// Argument `index` of a kernel, or NULL.
const sw_argument *sw_kernel_argument(const sw_kernel *kernel, size_t index);
// The kernel with the descriptor that its dispatches need: one of code object V2 gets what its
// amd_kernel_code_t means, in `descriptor`, and that one's place. Others are as they are.
sw_status sw_kernel_with_descriptor(const sw_object *object, const sw_kernel *kernel, sw_kernel *out,
                                    sw_kernel_descriptor *descriptor, const sw_sink *sink);
// The kernel with a name much like this one, or NULL.
const sw_kernel *sw_object_similar_kernel(const sw_object *object, const char *name);
// The defined symbol of this name that links globally, else a local one, or NULL.
const sw_symbol *sw_object_find_symbol(const sw_object *object, const char *name);
// The C++ name that `name` mangles ("_Z..."), NUL-terminated in out[capacity]. Its length; 0 when it is no
// such name, one of a form that is not known, or does not fit.
size_t sw_demangle(const char *name, char *out, size_t capacity);
// The strings of "amdhsa.printf", "ID:N:S[0]:...:FORMAT", in order; not NUL-terminated.
const sw_node *sw_object_printf(const sw_object *object, size_t *count);

// Checks what opening let pass: the metadata against the tables of keys (required, types, values, versions),
// and kernel descriptors by themselves and against the metadata. Errors and warnings go to `sink`, each
// naming the kernel and the key or field. SW_CHECK when there was an error.
sw_status sw_object_check(const sw_object *object, const sw_sink *sink);

// ---- Line tables ---------------------------------------------------------------------------------------

// Which source line an instruction comes from: the rows of .debug_line (DWARF 2 to 5, 32 and 64-bit).
typedef struct sw_lines sw_lines;

typedef struct sw_line_file {
    const char *name;   // with its directory
    const char *source; // embedded text (DW_LNCT_LLVM_source), not NUL-terminated; NULL: none
    size_t source_length;
    size_t rows; // that name this file, ends of sequences not counted
    uint64_t low,
        high; // the image offsets that these rows cover, high exclusive; overlaps others' where inlined
} sw_line_file;

typedef struct sw_line {
    uint64_t offset; // in the image
    const sw_line_file *file;
    uint32_t line, column, discriminator; // line 0: of no source line
    uint32_t isa;                         // always 0
    bool is_statement, basic_block, prologue_end, epilogue_begin;
    bool end_sequence; // the first offset behind a run of rows; says nothing of a line
} sw_line;

// Reads the line tables. An object without any has no rows. What a linker discarded is left out.
sw_status sw_lines_open(const sw_object *object, sw_lines **out, const sw_sink *sink);
void sw_lines_close(sw_lines *lines);
size_t sw_lines_row_count(const sw_lines *lines);
const sw_line *sw_lines_row(const sw_lines *lines, size_t index); // by run, runs by offset; NULL: no more
size_t sw_lines_file_count(const sw_lines *lines);
const sw_line_file *sw_lines_file(const sw_lines *lines, size_t index); // those with rows, by name
// The row that covers this image offset, or NULL.
const sw_line *sw_lines_find(const sw_lines *lines, uint64_t offset);

// ---- Loading -------------------------------------------------------------------------------------------

// A part of the image with its own rights.
typedef struct sw_image_range {
    uint64_t offset, size;
    bool readable, writable, executable;
} sw_image_range;

// How the object lies in memory: linked objects as their PT_LOAD segments say, relocatable objects with
// their allocated sections one after another and a global offset table behind them.
typedef struct sw_layout {
    uint64_t size, alignment;
    uint32_t lds_size; // bytes that LDS variables of a relocatable object take (SW_SHN_AMDGPU_LDS)
    const sw_image_range *ranges;
    size_t range_count;
} sw_layout;

const sw_layout *sw_object_layout(const sw_object *object);

// Where a defined symbol lies in the image. False for undefined, LDS and absolute symbols and those of
// sections that are not loaded.
bool sw_object_symbol_offset(const sw_object *object, const sw_symbol *symbol, uint64_t *offset);

// Where a section lies in the image. False when it is not loaded.
bool sw_object_section_offset(const sw_object *object, size_t section, uint64_t *offset);

// What stands at an offset of the image.
typedef struct sw_place {
    size_t size;             // sizeof(sw_place) of the caller; set before the call
    const sw_symbol *symbol; // the function that contains it, or the label before it; NULL: none is known
    uint64_t distance;       // from its begin
    uint64_t address;    // that a disassembly of the file shows: in a relocatable object, from the section's
                         // begin
    const char *section; // of a relocatable object
} sw_place;

void sw_object_place(const sw_object *object, uint64_t offset, sw_place *out);

typedef struct sw_load_options {
    size_t size;      // sizeof(sw_load_options)
    void *memory;     // layout.size bytes, aligned to layout.alignment at `address`
    uint64_t length;  // of memory
    uint64_t address; // at which the GPU sees memory
    // Finds a symbol that the object does not define; false if unknown. NULL: none is known.
    bool (*resolve)(void *context, const char *name, uint64_t *address);
    void *context;
    bool zeroed; // memory holds zeros: what the object leaves empty is not touched
} sw_load_options;

// Copies the object into memory and applies every relocation. An object may be loaded any number of times.
// Undefined symbols that are neither weak nor resolved are errors, each named once.
sw_status sw_object_load(const sw_object *object, const sw_load_options *options, const sw_sink *sink);

// ---- URIs of loaded code objects -----------------------------------------------------------------------

// "file:///dir/file#offset=0x2000&size=3000" or "memory://1234#offset=0x20000&size=3000".
typedef struct sw_uri {
    size_t size; // sizeof(sw_uri) of the caller; set before the call
    bool is_memory;
    uint64_t process; // memory
    bool has_offset, has_size;
    uint64_t offset, bytes; // file: 0 when absent, where 0 bytes mean the whole file
    char path[4096];        // file: decoded
} sw_uri;

sw_status sw_uri_parse(const char *text, size_t length, sw_uri *out, const sw_sink *sink);
// Writes the URI NUL-terminated into out[capacity]; returns its length, or 0 when it does not fit.
size_t sw_uri_format(const sw_uri *uri, char *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
