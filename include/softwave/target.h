// SPDX-License-Identifier: MIT
// Processors, target features and target ids.
#ifndef SOFTWAVE_TARGET_H
#define SOFTWAVE_TARGET_H

#include "softwave/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_processor sw_processor; // a constant; never freed

typedef enum sw_os { SW_OS_NONE, SW_OS_AMDHSA, SW_OS_AMDPAL, SW_OS_MESA3D } sw_os;

// Setting of a target-id feature (XNACK, SRAMECC). ANY: the code works either way (TGT-65).
typedef enum sw_setting { SW_UNSUPPORTED_SETTING, SW_ANY, SW_OFF, SW_ON } sw_setting;

// A processor with its target-id features: what "gfx90a:sramecc+:xnack-" means.
typedef struct sw_target {
    const sw_processor *processor;
    sw_setting sramecc, xnack;
} sw_target;

// The processor with this canonical or alternative name, or NULL. `length` excludes any NUL.
const sw_processor *sw_processor_find(const char *name, size_t length);
// The processor with this EF_AMDGPU_MACH value, or NULL (OBJ-11 to OBJ-14).
const sw_processor *sw_processor_by_mach(unsigned mach);
// Processors in table order: index 0 .. count-1.
size_t sw_processor_count(void);
const sw_processor *sw_processor_at(size_t index);
const char *sw_processor_name(const sw_processor *p);

// Parses a target id, optionally preceded by a triple ("amdgcn-amd-amdhsa--gfx90a:xnack+"), in any
// feature order (TGT-74 to TGT-77). On error the message names the part and why it was refused (TGT-81).
sw_status sw_target_parse(const char *text, size_t length, sw_target *out, const sw_sink *sink);
// Parses the V2-V3 syntax "gfx90a+sramecc+xnack" where an absent feature is OFF (TGT-78, TGT-79).
sw_status sw_target_parse_v3(const char *text, size_t length, sw_target *out, const sw_sink *sink);

enum { SW_TARGET_TEXT = 64 }; // large enough for every canonical id
// Writes the canonical id ("gfx90a:sramecc+:xnack-"), NUL-terminated; returns its length.
size_t sw_target_format(const sw_target *t, char out[SW_TARGET_TEXT]);
size_t sw_target_format_v3(const sw_target *t, char out[SW_TARGET_TEXT]);

// e_flags of an ELF code object. `abi_version` is e_ident[EI_ABIVERSION] (0: V2, 1: V3, 2: V4, 3: V5, 4: V6).
uint32_t sw_target_to_eflags(const sw_target *t, unsigned abi_version);
sw_status sw_target_from_eflags(uint32_t e_flags, unsigned abi_version, sw_target *out, const sw_sink *sink);

// Whether code built for `code` may be loaded by a process on `device` (TGT-61, TGT-68, TGT-71; generic
// processors cover their members). `generic_version` is that of the code object, 0 if none.
bool sw_target_compatible(const sw_target *code, unsigned generic_version, const sw_target *device);

#ifdef __cplusplus
}
#endif
#endif
