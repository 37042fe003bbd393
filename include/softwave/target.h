// SPDX-License-Identifier: MIT
// Processors, target features and target ids.
//
// Processors, names and texts are constants, never to be freed; all else is memory of the caller, in which
// results may point into the text that was parsed. Any thread may call anything.
#ifndef SOFTWAVE_TARGET_H
#define SOFTWAVE_TARGET_H

#include "softwave/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_processor sw_processor; // a constant; never freed

typedef enum sw_os { SW_OS_NONE, SW_OS_AMDHSA, SW_OS_AMDPAL, SW_OS_MESA3D } sw_os;

// Setting of a target-id feature (XNACK, SRAMECC). ANY: the code works either way.
typedef enum sw_setting { SW_SETTING_NONE, SW_SETTING_ANY, SW_SETTING_OFF, SW_SETTING_ON } sw_setting;

// A processor with its target-id features: what "gfx90a:sramecc+:xnack-" means.
typedef struct sw_target {
    const sw_processor *processor;
    sw_setting sramecc, xnack;
} sw_target;

// The processor with this canonical or alternative name, or NULL. `length` excludes any NUL.
const sw_processor *sw_processor_find(const char *name, size_t length);
// The processor with this EF_AMDGPU_MACH value, or NULL.
const sw_processor *sw_processor_by_mach(unsigned mach);
// Processors in table order: index 0 .. count-1.
size_t sw_processor_count(void);
const sw_processor *sw_processor_at(size_t index);
const char *sw_processor_name(const sw_processor *p);

// Parses a target id, optionally preceded by a triple ("amdgcn-amd-amdhsa--gfx90a:xnack+"), in any
// feature order. On error the message names the part and why it was refused.
sw_status sw_target_parse(const char *text, size_t length, sw_target *out, const sw_sink *sink);
// Parses the V2-V3 syntax "gfx90a+sramecc+xnack" where an absent feature is OFF.
sw_status sw_target_parse_v3(const char *text, size_t length, sw_target *out, const sw_sink *sink);

// The same, or the name of a product in place of the processor's: "mi300x", "Radeon RX 7900 XTX",
// "mi250x:xnack+". For what people type; files and assembly name processors only.
sw_status sw_target_choose(const char *text, size_t length, sw_target *out, const sw_sink *sink);

// A product that people own, by the processor that it has. Of one product for most processors it is known
// what its drivers report; for the others these numbers are 0.
typedef struct sw_product {
    size_t size;      // sizeof(sw_product) of the caller; set before the call
    const char *name; // "AMD Radeon RX 7900 XTX"
    const sw_processor *processor;
    unsigned chip, compute_units, mhz, engines, arrays, xccs;
    unsigned l1_kib, l2_kib, l3_kib, memory_gib, bus_bits, memory_mhz;
} sw_product;
size_t sw_product_count(void);
// Products 0 .. count-1 in the order of their processors' ages.
void sw_product_get(size_t index, sw_product *out);

enum { SW_TARGET_TEXT = 64 }; // large enough for every canonical id
// Writes the canonical id ("gfx90a:sramecc+:xnack-"), NUL-terminated; returns its length.
size_t sw_target_format(const sw_target *t, char out[SW_TARGET_TEXT]);
size_t sw_target_format_v3(const sw_target *t, char out[SW_TARGET_TEXT]);

// e_flags of an ELF code object. `abi_version` is e_ident[EI_ABIVERSION] of an amdhsa object (0: V2, 1: V3,
// 2: V4, 3: V5, 4: V6); objects of amdpal, mesa3d and no OS use the flags of V3, so pass 1 for them. Reading
// V2 fails: its processor is in a note, see sw_target_from_isa_version.
uint32_t sw_target_to_eflags(const sw_target *t, unsigned abi_version);
sw_status sw_target_from_eflags(uint32_t e_flags, unsigned abi_version, sw_target *out, const sw_sink *sink);

// The generic version in e_flags: 0 before V6 and for other processors.
unsigned sw_eflags_generic_version(uint32_t e_flags, unsigned abi_version);
// Refuses what this ABI version cannot hold: generic processors before V6, processors without an
// entry in the V2 map before V3.
sw_status sw_target_check_abi(const sw_target *t, unsigned abi_version, const sw_sink *sink);
// The target that a code object V2 names by the numbers of its ISA_VERSION note.
sw_status sw_target_from_isa_version(unsigned major, unsigned minor, unsigned stepping, sw_target *out,
                                     const sw_sink *sink);

// Whether code built for `code` may be loaded by a process on `device` (generic processors
// cover their members). `generic_version` is that of the code object, 0 if none.
// A device whose setting is ANY takes code of either setting.
bool sw_target_compatible(const sw_target *code, unsigned generic_version, const sw_target *device);

// A target triple. `vendor` and `environment` point into the parsed text and are not NUL-terminated.
typedef struct sw_triple {
    size_t size;              // sizeof(sw_triple) of the caller
    const char *architecture; // "amdgcn" or "r600"
    sw_os os;
    const char *vendor, *environment;
    size_t vendor_length, environment_length;
} sw_triple;

// Parses "amdgcn-amd-amdhsa-" and shorter forms; a trailing component is the environment.
sw_status sw_triple_parse(const char *text, size_t length, sw_triple *out, const sw_sink *sink);

// An entry id of an offload bundle: "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", "host-x86_64-unknown-linux--"
// For a host entry `target.processor` is NULL and the triple is text only.
typedef enum sw_bundle_kind {
    SW_BUNDLE_HOST,
    SW_BUNDLE_HIP,
    SW_BUNDLE_HIPV4,
    SW_BUNDLE_OPENMP
} sw_bundle_kind;

typedef struct sw_bundle_entry {
    size_t size; // sizeof(sw_bundle_entry) of the caller
    sw_bundle_kind kind;
    sw_target target;
    bool v3;            // the target id is, or shall be, in V2-V3 syntax
    const char *triple; // of a host entry, without the trailing dashes; points into the parsed text
    size_t triple_length;
} sw_bundle_entry;

enum { SW_BUNDLE_ENTRY_TEXT = 160 };
// The kind "hip" with no feature is V2-V3 code (features off); "hipv4" and "openmp" are V4 (features any).
sw_status sw_bundle_entry_parse(const char *text, size_t length, sw_bundle_entry *out, const sw_sink *sink);
// Writes the canonical id; returns its length, 0 if a host triple does not fit.
size_t sw_bundle_entry_format(const sw_bundle_entry *e, char out[SW_BUNDLE_ENTRY_TEXT]);

// Everything known of a processor. Lists end with NULL.
enum { SW_PROCESSOR_LIST = 8 };
typedef struct sw_processor_info {
    size_t size; // sizeof(sw_processor_info) of the caller; set before the call
    const char *name, *architecture, *family;
    const char *const *alternatives; // never NULL
    bool apu, generic;
    unsigned mach;                               // EF_AMDGPU_MACH
    unsigned isa_major, isa_minor, isa_stepping; // .amdgcn.gfx_generation_* (0 on r600)
    unsigned generic_version;                    // current version of a generic processor, else 0
    const sw_processor *member_of;               // generic processor that covers this one, or NULL
    unsigned member_since;                       // its version that introduced this member
    const char *features[SW_PROCESSOR_LIST];     // "cumode", "sramecc", ... in alphabetical order
    const char *properties[SW_PROCESSOR_LIST];   // "Absolute flat scratch", ...
    const char *loaders[SW_PROCESSOR_LIST];      // "rocm-amdhsa", "pal-amdhsa", "pal-amdpal"
    unsigned wave_sizes;                         // 32 | 64
    unsigned vgprs, agprs;                       // addressable by one wave
    unsigned vgpr_file_w64, vgpr_file_w32;       // per lane of a SIMD
    unsigned vgpr_granule_w64, vgpr_granule_w32;
    unsigned sgprs, sgpr_granule;
    unsigned waves_per_simd, simds_per_cu, compute_units;
    uint32_t lds_bytes, lds_granule;
} sw_processor_info;

// Fills as much of *info as the caller's size covers.
void sw_processor_get_info(const sw_processor *p, sw_processor_info *info);

// Capabilities: named facts such as "dot1" or "xnack", with one line of explanation.
size_t sw_capability_count(void);
const char *sw_capability_name(size_t index);
const char *sw_capability_text(size_t index);
bool sw_processor_has(const sw_processor *p, size_t capability);

// LLVM IR address spaces.
typedef struct sw_address_space {
    unsigned number;
    const char *name, *hsa_segment, *hardware; // segment and hardware name NULL where there is none
    unsigned bits;                             // of a pointer; 0: no pointers (streamout registers)
    uint64_t null_value;
    bool has_null; // region pointers have none on amdhsa
} sw_address_space;

size_t sw_address_space_count(void);
const sw_address_space *sw_address_space_at(size_t index);
// Whether code for this processor may use the address space (r600 and GFX6 have no generic one).
bool sw_processor_has_address_space(const sw_processor *p, unsigned number);

#ifdef __cplusplus
}
#endif
#endif
