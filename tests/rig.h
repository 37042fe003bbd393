// SPDX-License-Identifier: MIT
// A device with one kernel on it, for tests: assembled from text by our own assembler, run in one call.
#ifndef TESTS_RIG_H
#define TESTS_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softwave/asm.h"
#include "softwave/device.h"

struct rig {
    uint8_t *image;
    sw_object *object;
    sw_device *device;
    sw_executable *executable;
};

// The code object of an assembly text. NULL: it does not assemble.
static inline sw_object *rig_object(const char *processor, const char *text, uint8_t **image) {
    sw_asm_options o = {.size = sizeof o, .os = SW_OS_AMDHSA, .no_files = true};
    size_t size = 0;
    sw_object *object = NULL;
    *image = NULL;
    if (sw_target_parse(processor, strlen(processor), &o.target, NULL) == SW_OK &&
        sw_assemble(text, strlen(text), &o, image, &size, NULL) == SW_OK)
        sw_object_open(*image, size, NULL, &object, NULL);
    return object;
}
// Tests of devices run once more at the tier that TEST_TIER names (tests/device/tiers.sh).
static inline sw_tier rig_tier(void) {
    const char *tier = getenv("TEST_TIER");
    return !tier                          ? SW_TIER_BEST
           : *tier >= '0' && *tier <= '2' ? (sw_tier)(*tier - '0' + SW_TIER_INTERPRETER)
                                          : SW_TIER_INTERPRETER;
}
static inline sw_device_options rig_options(unsigned threads, const char *level) {
    sw_device_options o = {.size = sizeof o, .threads = threads, .level = level, .tier = rig_tier()};
    if (!getenv("SOFTWAVE_CACHE")) o.cache = ""; // compiled code is kept nowhere
    return o;
}
// A folder of compiled code for this process alone, removed at its exit: a kernel that a test runs on many
// devices is compiled once.
static inline char *rig_folder(void) {
    static char folder[] = "/tmp/softwave-test-XXXXXX";
    return folder;
}
static inline void rig_remove_cache(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", rig_folder());
    if (system(command)) perror(rig_folder());
}
static inline const char *rig_cache(void) {
    static bool made;
    if (!made && mkdtemp(rig_folder())) made = !atexit(rig_remove_cache);
    return made ? rig_folder() : "";
}
static inline sw_device *rig_device_with(const char *processor, sw_device_options o) {
    sw_device *device = NULL;
    if (sw_target_parse(processor, strlen(processor), &o.target, NULL) == SW_OK)
        sw_device_create(&o, &device, NULL);
    return device;
}
static inline sw_device *rig_device(const char *processor, unsigned threads, const char *level) {
    return rig_device_with(processor, rig_options(threads, level));
}

// A kernel `k` of this code; `directives` go into its descriptor. Everything stands in `out`.
static inline bool rig_text(char *out, size_t room, const char *code, const char *directives) {
    return (size_t)snprintf(out, room,
                            ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n%s\n"
                            ".section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel k\n%s.end_amdhsa_kernel\n",
                            code, directives) < room;
}
static inline void rig_close(struct rig *r) {
    sw_device_destroy(r->device);
    sw_object_close(r->object);
    sw_free(r->image);
    *r = (struct rig){0};
}
// A whole text on a device with these options, but for their target.
static inline bool rig_open_text(struct rig *r, const char *processor, const char *text,
                                 sw_device_options o) {
    *r = (struct rig){0};
    if ((r->object = rig_object(processor, text, &r->image)) && (r->device = rig_device_with(processor, o)) &&
        sw_device_load(r->device, r->object, NULL, NULL, &r->executable, NULL) == SW_OK)
        return true;
    rig_close(r);
    return false;
}
static inline bool rig_open(struct rig *r, const char *processor, const char *code, const char *directives) {
    char text[16384];
    *r = (struct rig){0};
    return rig_text(text, sizeof text, code, directives) &&
           rig_open_text(r, processor, text, rig_options(1, NULL));
}
// On a device of one thread, with somebody who looks on.
static inline bool rig_open_watched(struct rig *r, const char *processor, const char *text,
                                    const sw_device_hooks *hooks) {
    return rig_open_text(
        r, processor, text,
        (sw_device_options){.size = sizeof(sw_device_options), .threads = 1, .hooks = hooks});
}

// A launch of a kernel of the object; `kernarg` is memory of the device.
static inline sw_dispatch rig_dispatch(const sw_object *object, const sw_executable *e, const char *kernel,
                                       void *kernarg, uint32_t grid, uint32_t block) {
    const sw_kernel *k = sw_object_find_kernel(object, kernel);
    return (sw_dispatch){.size = sizeof(sw_dispatch),
                         .executable = (sw_executable *)(uintptr_t)e,
                         .descriptor = sw_executable_base(e) + (k ? k->descriptor_offset : 0),
                         .kernarg = (uint64_t)(uintptr_t)kernarg,
                         .grid = {grid, 1, 1},
                         .block = {block, 1, 1},
                         .timeout = 120}; // of a machine under load, whose compiler runs meanwhile
}
static inline sw_status rig_run(struct rig *r, void *kernarg, uint32_t grid, uint32_t block,
                                sw_fault *fault) {
    const sw_dispatch q = rig_dispatch(r->object, r->executable, "k", kernarg, grid, block);
    return sw_device_run(r->device, &q, fault, NULL, NULL);
}

#endif
