// SPDX-License-Identifier: MIT
// Named barriers: waves that meet in pairs, members that leave, counts that come with signals, numbers that
// are none, and a group that waits for ever (CDNA5, chapter on barriers).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "piece.h"
#include "rig.h"

#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 16\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"        \
    ".amdhsa_group_segment_fixed_size 1024\n.amdhsa_named_barrier_count "

enum { WAVES = 4, LANES = 32 };

// Runs the pieces on groups of four waves; the fault's kind. out: four words of each wave of all groups.
static sw_fault_kind run(const char *piece, const char *barriers, unsigned groups, unsigned threads,
                         uint32_t (*out)[4]) {
    char code[8192], descriptor[512], text[8192];
    snprintf(code, sizeof code, "%s%s%s", PIECE("begin"), piece, PIECE("store"));
    snprintf(descriptor, sizeof descriptor, DESCRIPTOR "%s\n", barriers);
    assert_true(rig_text(text, sizeof text, code, descriptor));
    sw_device *device = rig_device("gfx1250", threads, NULL);
    uint8_t *image;
    sw_object *object = rig_object("gfx1250", text, &image);
    if (!object) fail_msg("%s", text);
    sw_executable *e;
    assert_int_equal(sw_device_load(device, object, NULL, NULL, &e, NULL), SW_OK);
    const size_t bytes = (size_t)groups * WAVES * sizeof *out;
    uint32_t *memory = sw_device_alloc(device, bytes);
    uint64_t *kernarg = sw_device_alloc(device, 64);
    memset(memory, 0xff, bytes);
    *kernarg = (uint64_t)(uintptr_t)memory;
    const sw_dispatch q = rig_dispatch(object, e, "k", kernarg, LANES * WAVES * groups, LANES * WAVES);
    sw_job *job;
    sw_fault fault = {.size = sizeof fault};
    assert_int_equal(sw_device_submit(device, &q, NULL, &job, NULL), SW_OK);
    const sw_status status = sw_job_finish(job, &fault, NULL, NULL);
    if (status == SW_OK && fault.kind) fail_msg("a fault that is none");
    memcpy(out, memory, bytes);
    sw_device_destroy(device);
    sw_object_close(object);
    sw_free(image);
    return fault.kind;
}

// Partners add 1, 3, 9, 27 and 81 times the other's number.
static void pairs(void **state) {
    (void)state;
    enum { SUM = 1 + 3 + 9 + 27 + 81 };
    uint32_t got[WAVES][4];
    for (unsigned threads = 1; threads < 3; threads++) {
        assert_int_equal(run(PIECE("pairs"), "1", 1, threads, got), SW_FAULT_NONE);
        for (unsigned w = 0; w < WAVES; w++) {
            assert_int_equal(got[w][0], SUM * ((w ^ 1) + 1));
            assert_int_equal(got[w][3], (w / 2 + 1) << 4); // joined, nothing complete
        }
    }
}

static void members_leave(void **state) {
    (void)state;
    uint32_t got[WAVES][4];
    assert_int_equal(run(PIECE("leaves"), "1", 1, 1, got), SW_FAULT_NONE);
    unsigned last = 0;
    for (unsigned w = 0; w < WAVES; w++) {
        last += got[w][0];
        assert_int_equal(got[w][1], 1u << 24 | 2 << 4 | 1); // two members, no signals
        assert_int_equal(got[w][2], 1);                     // whoever is no member
    }
    assert_int_equal(last, 1);
}

static void counts_and_numbers(void **state) {
    (void)state;
    uint32_t got[WAVES][4];
    assert_int_equal(run(PIECE("counts"), "2", 1, 1, got), SW_FAULT_NONE);
    unsigned first = 0;
    for (unsigned w = 0; w < WAVES; w++) {
        first += got[w][0];
        assert_int_equal(got[w][1], 0);
        assert_int_equal(got[w][2], 2u << 24 | WAVES << 4 | 1);
        assert_int_equal(got[w][3], 2u << 24 | WAVES << 4 | 1);
    }
    assert_int_equal(first, 1);
}

static void many_groups(void **state) {
    (void)state;
    static uint32_t got[64 * WAVES][4];
    assert_int_equal(run(PIECE("pairs"), "1", 64, 2, got), SW_FAULT_NONE);
    for (unsigned w = 0; w < 64 * WAVES; w++) assert_int_equal(got[w][0], 121 * ((w % WAVES ^ 1) + 1));
}

static void never_completes(void **state) {
    (void)state;
    uint32_t got[WAVES][4];
    assert_int_equal(run(PIECE("stuck"), "1", 1, 1, got), SW_FAULT_DEADLOCK);
    // Without any allocated, nothing waits.
    assert_int_equal(run(PIECE("stuck"), "0", 1, 1, got), SW_FAULT_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs),
        cmocka_unit_test(members_leave),
        cmocka_unit_test(counts_and_numbers),
        cmocka_unit_test(many_groups),
        cmocka_unit_test(never_completes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
