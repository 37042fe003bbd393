// SPDX-License-Identifier: MIT
// Runs a kernel of test_stale.c and of test_stale_matrix.c on one wave of 64 lanes, or two of 32.
#ifndef TESTS_WEAK_STALE_H
#define TESTS_WEAK_STALE_H

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"

enum { LANES = 64, ROOM = 4096 };
#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 96\n.amdhsa_next_free_sgpr 40\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"        \
    ".amdhsa_group_segment_fixed_size 512\n"

static inline unsigned generation_of(const char *processor) {
    return (unsigned)strtoul(processor + 3, NULL, 16) >> 8;
}
static inline bool has_accumulators(const char *p) {
    return !strcmp(p, "gfx90a") || !strncmp(p, "gfx94", 5) || !strcmp(p, "gfx950");
}

// Of those that have a choice.
static inline bool is_wave64(const char *p) { return generation_of(p) >= 0x10 && strcmp(p, "gfx1250") != 0; }

static inline void describe(const char *p, char descriptor[512]) {
    snprintf(descriptor, 512, "%s%s%s", DESCRIPTOR, has_accumulators(p) ? ".amdhsa_accum_offset 48\n" : "",
             is_wave64(p) ? ".amdhsa_wavefront_size32 0\n" : "");
}

// What the kernel leaves; where it faults, what no kernel leaves.
static inline void stale_run(const char *processor, const char *code, uint64_t seed, bool hazards,
                             uint32_t out[LANES]) {
    char text[16384], descriptor[512];
    struct rig r = {0};
    sw_device_options o = {.size = sizeof o, .weak = seed, .weak_hazards = hazards, .cache = ""};
    describe(processor, descriptor);
    assert_true(rig_text(text, sizeof text, code, descriptor));
    assert_int_equal(sw_target_parse(processor, strlen(processor), &o.target, NULL), SW_OK);
    sw_asm_options a = {.size = sizeof a, .os = SW_OS_AMDHSA, .no_files = true, .target = o.target};
    a.features = is_wave64(processor) ? "+wavefrontsize64" : NULL;
    size_t size = 0;
    if (sw_assemble(text, strlen(text), &a, &r.image, &size, NULL) != SW_OK)
        fail_msg("%s does not assemble: %s", processor, text);
    assert_int_equal(sw_object_open(r.image, size, NULL, &r.object, NULL), SW_OK);
    assert_int_equal(sw_device_create(&o, &r.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL), SW_OK);
    uint32_t *to = sw_device_alloc(r.device, ROOM), *from = sw_device_alloc(r.device, ROOM);
    uint64_t *kernarg = sw_device_alloc(r.device, 16);
    assert_true(to && from && kernarg);
    for (uint32_t i = 0; i < ROOM / 4; i++) from[i] = 1000 + i;
    kernarg[0] = (uintptr_t)to, kernarg[1] = (uintptr_t)from;
    sw_fault fault = {.size = sizeof fault};
    const sw_status status = rig_run(&r, kernarg, LANES, LANES, &fault);
    if (status != SW_OK && !(hazards && fault.kind))
        fail_msg("%s faults (%d): %s", processor, (int)fault.kind, text);
    memcpy(out, to, LANES * sizeof *out);
    if (fault.kind) {
        assert_int_equal(fault.kind, SW_FAULT_HAZARD);
        assert_non_null(fault.reason);
        memset(out, 0xee, LANES * sizeof *out);
    }
    rig_close(&r);
}

#endif
