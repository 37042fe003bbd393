// SPDX-License-Identifier: MIT
// Programs that once reached what they must not: registers beyond the wave's, the host's state of the wave,
// memory beyond the arguments. Each must fault or read what the manual says, and change nothing else.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "piece.h"
#include "rig.h"

#define REGISTERS(vgprs, more)                                                                               \
    ".amdhsa_next_free_vgpr " #vgprs "\n.amdhsa_next_free_sgpr 90\n"                                         \
    ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n" more
#define ACCUM(n) ".amdhsa_accum_offset " #n "\n"

// What a kernel that gets the address of `out` in s[0:1] leaves there; NULL in `fault`: it must not fault.
static void expect(const char *processor, const char *code, const char *directives, const uint32_t *words,
                   size_t count) {
    struct rig r;
    sw_fault fault = {.size = sizeof fault};
    assert_true(rig_open(&r, processor, code, directives));
    uint32_t *out = sw_device_alloc(r.device, 64 << 10);
    const uint64_t address = (uint64_t)(uintptr_t)out;
    void *kernarg = sw_device_alloc(r.device, 64);
    memcpy(kernarg, &address, 8);
    if (rig_run(&r, kernarg, 64, 64, &fault) != SW_OK)
        fail_msg("%s: fault %d at code %llx: %s", processor, fault.kind,
                 (unsigned long long)fault.code_offset, fault.reason ? fault.reason : "");
    for (size_t i = 0; i < count; i++)
        if (out[i] != words[i])
            fail_msg("%s: word %zu is %x, not %x\n%s", processor, i, out[i], words[i], code);
    rig_close(&r);
}
static void expect_fault(const char *processor, const char *code, const char *directives,
                         sw_fault_kind kind) {
    struct rig r;
    sw_fault fault = {.size = sizeof fault};
    assert_true(rig_open(&r, processor, code, directives));
    const sw_status s = rig_run(&r, sw_device_alloc(r.device, 64), 1024, 1024, &fault);
    assert_int_equal(s, kind == SW_FAULT_UNSUPPORTED ? SW_UNSUPPORTED : SW_FAULTED);
    assert_int_equal(fault.kind, kind);
    rig_close(&r);
}

// ---- Registers named relative to M0 ----

// A result of 16 bits whose register M0 moves out of range is dropped, and moved within range keeps the other
// half where the processor does (TRAP-118, TRAP-395).
static void indexed_halves(void **state) {
    (void)state;
    const char *out_of_range = PIECE("indexed_halves: out_of_range");
    static const uint32_t unchanged[] = {1, 2, 3};
    expect("gfx900", out_of_range, REGISTERS(8, ""), unchanged, 3);
    const char *within = PIECE("indexed_halves: within");
    // v3 = v1 + v2, v2 = 2.0, byte 1 of v1 = low byte of v1 + v2: gfx900 clears upper halves of VOP3 results.
    static const uint32_t moved[] = {0x50101 | 0, 0x4000, 3};
    expect("gfx900", within, REGISTERS(8, ""), moved, 3);
}

// v_mac reads its destination where M0 moved it (TRAP-119).
static void indexed_accumulator(void **state) {
    (void)state;
    const char *code = PIECE("indexed_accumulator: code");
    static const uint32_t out[] = {0x40000000, 0x3f800000, 0x41000000}; // v3 = 2 * 2 + 4
    expect("gfx900", code, REGISTERS(8, ""), out, 3);
    const char *lane = PIECE("indexed_accumulator: lane");
    static const uint32_t written[] = {1, 2, 99};
    expect("gfx900", lane, REGISTERS(8, ""), written, 3);
}

// Operands of 16 and 32 registers that M0 moves: more temporaries than there are.
static void indexed_tuples(void **state) {
    (void)state;
    const char *accumulators = PIECE("indexed_tuples: accumulators");
    static const uint32_t kept[] = {1, 2, 3};
    expect("gfx908", accumulators, REGISTERS(8, ""), kept, 3);
    expect_fault("gfx942",
                 "s_set_gpr_idx_on s6, 0x7\n v_mfma_f32_32x32x1_2b_f32 v[0:31], v0, v1, v[0:31]\n s_endpgm",
                 REGISTERS(40, ACCUM(40)), SW_FAULT_UNSUPPORTED);
    // 16 of them fit; with an index out of range they are v[0:15], and with fewer registers zeros.
    const char *code = PIECE("indexed_tuples: code");
    static const uint32_t zeros[] = {0, 0, 0};
    expect("gfx942", code, REGISTERS(24, ACCUM(24)), zeros, 3);
}

// The registers of the kernel before do not count (v_movrels reads v0 where there is none: TRAP-120).
static void registers_of_this_kernel(void **state) {
    (void)state;
    const char *text = PIECE("registers_of_this_kernel: text");
    uint8_t *image;
    sw_object *object = rig_object("gfx803", text, &image);
    assert_non_null(object);
    sw_device *d = rig_device("gfx803", 1, NULL);
    sw_executable *e;
    assert_int_equal(sw_device_load(d, object, NULL, NULL, &e, NULL), SW_OK);
    uint32_t *out = sw_device_alloc(d, 64);
    uint64_t *kernarg = sw_device_alloc(d, 64);
    kernarg[0] = (uint64_t)(uintptr_t)out;
    for (int i = 0; i < 2; i++) {
        const sw_dispatch q = rig_dispatch(object, e, i ? "kb" : "ka", kernarg, 64, 64);
        assert_int_equal(sw_device_run(d, &q, NULL, NULL, NULL), SW_OK);
    }
    assert_int_equal(out[0], 42);
    sw_device_destroy(d);
    sw_object_close(object);
    sw_free(image);
}

// ---- Operands that are not where an encoding claims ----

// Operations that write both operands take registers only.
static void swaps_of_scalars(void **state) {
    (void)state;
    static const char *const words[] = {
        ".long 0x7e02b27e",                   // v_permlane16_swap_b32 v1, exec_lo
        ".long 0x7e02b25b",                   // s91
        ".long 0x7e02b4ff\n.long 0x41424344", // v_permlane32_swap_b32 v1, literal
        ".long 0x7e02a27e",                   // v_swap_b32 v1, exec_lo
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        expect_fault("gfx950", words[i], REGISTERS(16, ACCUM(16)), SW_FAULT_ILLEGAL);
}

// A 64-bit result at the last scalar register ends nowhere.
static void last_scalar_register(void **state) {
    (void)state;
    const char *code = PIECE("last_scalar_register: code");
    static const uint32_t scc[] = {1};
    expect("gfx950", code, REGISTERS(16, ACCUM(16)), scc, 1);
}

// Blocks of 32 registers where the wave has fewer: what is not there reads as zero.
static void block_store(void **state) {
    (void)state;
    const char *code = PIECE("block_store: code");
    static const uint32_t zeros[32] = {0};
    expect("gfx1200", code, REGISTERS(4, ""), zeros, 32);
}

// An atomic without a result has no status word either, whatever its TFE bit says.
static void status_of_nothing(void **state) {
    (void)state;
    const char *code = PIECE("status_of_nothing: code");
    static const uint32_t words[] = {5, 77};
    expect("gfx700", code, REGISTERS(8, ""), words, 2);
}

// Exchanges of 64 bits in LDS need addresses of 4 bytes only.
static void misaligned_lds_exchange(void **state) {
    (void)state;
    const char *code = PIECE("misaligned_lds_exchange: code");
    static const uint32_t words[] = {4, 17, 18};
    expect("gfx900", code, REGISTERS(8, ".amdhsa_group_segment_fixed_size 64\n"), words, 3);
}

// Lanes whose target in LDS does not exist do not read for it (TRAP-323): only lane 0 of the first load has
// one, and none of the second.
static void loads_to_no_lds(void **state) {
    (void)state;
    const char *code = PIECE("loads_to_no_lds: code");
    static const uint32_t words[] = {9, 2, 3};
    expect("gfx950", code, REGISTERS(16, ACCUM(16) ".amdhsa_group_segment_fixed_size 64\n"), words, 3);
}

// A descriptor that asks for a fourth work-item id gets three (KD-50).
static void fourth_workitem_id(void **state) {
    (void)state;
    const char *code = PIECE("fourth_workitem_id: code");
    static const uint32_t zeros[] = {0, 0, 0};
    expect("gfx900", code, REGISTERS(8, ".amdhsa_system_vgpr_workitem_id 3\n"), zeros, 3);
}

// ---- Arguments ----

// Preloaded arguments beyond the block that the caller gave (INIT-19).
static void preload_in_bounds(void **state) {
    (void)state;
    struct rig r;
    assert_true(rig_open(&r, "gfx942", "s_endpgm\n.fill 64, 4, 0xbf800000\ns_endpgm",
                         ".amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 40\n"
                         ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_accum_offset 4\n"
                         ".amdhsa_user_sgpr_kernarg_preload_offset 511\n"
                         ".amdhsa_user_sgpr_kernarg_preload_length 14\n"));
    assert_int_equal(rig_run(&r, sw_device_alloc(r.device, 2048), 64, 64, NULL), SW_BAD_INPUT);
    assert_int_equal(rig_run(&r, NULL, 64, 64, NULL), SW_BAD_INPUT);
    assert_int_equal(rig_run(&r, sw_device_alloc(r.device, 4 * (511 + 14)), 64, 64, NULL), SW_OK);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indexed_halves),
        cmocka_unit_test(indexed_accumulator),
        cmocka_unit_test(indexed_tuples),
        cmocka_unit_test(registers_of_this_kernel),
        cmocka_unit_test(swaps_of_scalars),
        cmocka_unit_test(last_scalar_register),
        cmocka_unit_test(block_store),
        cmocka_unit_test(status_of_nothing),
        cmocka_unit_test(misaligned_lds_exchange),
        cmocka_unit_test(fourth_workitem_id),
        cmocka_unit_test(loads_to_no_lds),
        cmocka_unit_test(preload_in_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
