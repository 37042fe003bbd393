// SPDX-License-Identifier: MIT
// Where a kernel spends its instructions: executions, active lanes, time and memory behaviour of each
// instruction, summed up by loop, function and source line. A profile is an observer of a device or of one
// dispatch; what it took down is written when the kernel has ended.
//
// A profile may be used by one device at a time; its calls may come from any thread, but not two at once. It
// keeps one record an instruction of the kernel, whatever the kernel executes.
#ifndef SOFTWAVE_PROFILE_H
#define SOFTWAVE_PROFILE_H

#include "softwave/device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_profile sw_profile;

// SW_UNSUPPORTED: the processor has no instructions here.
sw_status sw_profile_create(const sw_processor *processor, sw_profile **out, const sw_sink *sink);
void sw_profile_destroy(sw_profile *profile);
// For sw_device_hooks.observe or sw_dispatch.observe, with the profile as context. Times mean something
// where the device has one thread.
void sw_profile_step(void *profile, const sw_step *step);
// Forgets what was taken down.
void sw_profile_clear(sw_profile *profile);

typedef enum sw_profile_format {
    SW_PROFILE_TEXT = 0,
    SW_PROFILE_JSON = 1,
    SW_PROFILE_FOLDED =
        2, // kernel;function;line COUNT, for flame graphs: executed instructions by call stack
} sw_profile_format;

typedef struct sw_profile_options {
    size_t size;                                                   // sizeof(sw_profile_options) of the caller
    bool (*write)(void *context, const char *text, size_t length); // false stops
    void *context;
    sw_profile_format format;
    const char *kernel;      // its name, for headings; NULL: none
    const sw_object *object; // where names and source lines come from; NULL: there are none
    uint64_t base;           // GPU address at which it was loaded
} sw_profile_options;
sw_status sw_profile_write(const sw_profile *profile, const sw_profile_options *options, const sw_sink *sink);

// What was taken down of one instruction.
typedef struct sw_profile_site {
    size_t size;                         // sizeof(sw_profile_site) of the caller; set before the call
    uint64_t pc;                         // GPU address
    uint64_t executions, lanes, partial; // by waves; active lanes in all; with some lanes off
    double seconds;                      // of the host, without what observing costs
    // Of loads, stores and atomics that were looked at: bytes that their lanes asked for, and bytes of the
    // 64-byte lines in which these lie.
    uint64_t asked, touched;
    uint64_t conflicts; // of LDS: passes beyond the first, because lanes want several dwords of a bank
    uint64_t taken;     // of branches
} sw_profile_site;
// Sites in the order of addresses: how many there are; fills at most `capacity`.
size_t sw_profile_sites(const sw_profile *profile, sw_profile_site *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
