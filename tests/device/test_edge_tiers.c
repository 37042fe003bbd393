// SPDX-License-Identifier: MIT
// Runs of lanes at the edges of what they may touch, at all tiers: at the first and the last byte of a range,
// and where the lower dword of an address or an offset gets or lacks a carry. The range has memory of the
// host on both sides, which kernels have no right to: who reads or writes there is not stopped by anybody.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/mman.h>

#include "rig.h"

enum {
    LANES = 64,
    ITEMS = 256,
    GROUPS = 2,
    PAGE = 4096,
    MEMORY = 4 * PAGE,
    MIDDLE = PAGE + 1024,
    STARTS = 16,
    OFFSETS = 8
};

// Arguments: the base of scalar addresses, the first lane's address, the first lane's offset, which access,
// where lanes leave what they loaded, and elements in the middle of the range. These are what the waves of
// the first group access, so that compiled code knows the range when those of the second are at an edge.
static const char code[] = " s_load_dwordx8 s[4:11], s[0:1], 0x0\n"
                           " s_load_dwordx2 s[12:13], s[0:1], 0x20\n"
                           " v_lshl_add_u32 v0, v1, 4, v0\n"
                           " v_and_b32 v2, 63, v0\n"
                           " v_lshlrev_b32 v2, 2, v2\n"
                           " v_lshlrev_b32 v7, 2, v0\n"
                           " v_or_b32 v6, 0x5a5a0000, v2\n"
                           " s_waitcnt lgkmcnt(0)\n"
                           " s_cmp_lg_u32 s2, 0\n s_cbranch_scc1 begin\n"
                           " s_mov_b64 s[4:5], s[12:13]\n s_mov_b64 s[6:7], s[12:13]\n s_mov_b32 s8, 0\n"
                           "begin: v_add_u32 v3, s8, v2\n"
                           " v_mov_b32 v5, s7\n"
                           " v_add_co_u32 v4, vcc, s6, v2\n"
                           " v_addc_co_u32 v5, vcc, 0, v5, vcc\n"
                           " v_mov_b32 v9, s5\n"
                           " v_add_co_u32 v8, vcc, s4, v3\n"
                           " v_addc_co_u32 v9, vcc, 0, v9, vcc\n"
                           " s_cmp_eq_u32 s9, 1\n s_cbranch_scc1 one\n"
                           " s_cmp_eq_u32 s9, 2\n s_cbranch_scc1 two\n"
                           " s_cmp_eq_u32 s9, 3\n s_cbranch_scc1 three\n"
                           " s_cmp_eq_u32 s9, 4\n s_cbranch_scc1 four\n"
                           " s_cmp_eq_u32 s9, 5\n s_cbranch_scc1 five\n"
                           " global_load_dword v6, v3, s[4:5]\n s_branch end\n"
                           "one: global_store_dword v3, v6, s[4:5]\n s_branch end\n"
                           "two: global_load_dword v6, v[4:5], off\n s_branch end\n"
                           "three: global_store_dword v[4:5], v6, off\n s_branch end\n"
                           "four: global_load_dword v6, v[8:9], off\n s_branch end\n"
                           "five: global_store_dword v[8:9], v6, off\n"
                           "end: s_waitcnt vmcnt(0)\n"
                           " s_lshl_b32 s2, s2, 10\n"
                           " v_add_u32 v7, s2, v7\n"
                           " global_store_dword v7, v6, s[10:11]\n"
                           " s_endpgm\n";
// IS_SUM: the vector address is the sum of a scalar one and an offset, which may wrap between lanes.
enum { IS_STORE = 1, IS_VECTOR = 2, IS_SUM = 4, KINDS = 6 };

// Four pages, with a multiple of 2^32 in their middle. Kernels may touch the two around it.
static char *around_4g(void) {
    const size_t all = (1ull << 32) + 2 * MEMORY;
    char *reserved = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) return NULL;
    const uint64_t middle = ((uint64_t)(uintptr_t)reserved + MEMORY + (1ull << 32) - 1) >> 32 << 32;
    char *memory = (char *)(uintptr_t)(middle - MEMORY / 2);
    return mprotect(memory, MEMORY, PROT_READ | PROT_WRITE) ? NULL : memory;
}
static uint8_t pattern(size_t n) { return (uint8_t)(n * 7 + n / 256); }

struct access {
    unsigned kind;
    uint32_t offset;
    uint64_t start;
};
static uint64_t address_of(const struct access *a, unsigned lane) {
    if (a->kind & IS_VECTOR) return a->start + 4 * lane;
    return a->start - a->offset + (uint32_t)(a->offset + 4 * lane);
}
static bool is_allowed(const char *memory, uint64_t address) {
    const uint64_t at = address - (uint64_t)(uintptr_t)memory;
    return at >= PAGE && at <= MEMORY - PAGE - 4;
}

static void try(struct rig *r, char *memory, const struct access *a, bool square) {
    static uint32_t want[MEMORY / 4];
    uint32_t *out = sw_device_alloc(r->device, GROUPS * ITEMS * 4);
    uint64_t *kernarg = sw_device_alloc(r->device, 64);
    kernarg[0] = a->start - a->offset, kernarg[1] = a->start;
    kernarg[2] = a->offset | (uint64_t)a->kind << 32, kernarg[3] = (uint64_t)(uintptr_t)out;
    kernarg[4] = (uint64_t)(uintptr_t)memory + MIDDLE;
    for (size_t i = 0; i < MEMORY; i++) memory[i] = (char)pattern(i);
    memcpy(want, memory, MEMORY);
    unsigned bad = 0;
    while (bad < LANES && is_allowed(memory, address_of(a, bad))) bad++;
    sw_dispatch q = rig_dispatch(r->object, r->executable, "k", kernarg, ITEMS, ITEMS);
    q.grid[0] *= GROUPS;
    if (square) q.grid[0] = 16 * GROUPS, q.grid[1] = q.block[0] = q.block[1] = 16;
    sw_fault fault = {.size = sizeof fault};
    const sw_status status = sw_device_run(r->device, &q, &fault, NULL, NULL);
    assert_int_equal(status, bad < LANES ? SW_FAULTED : SW_OK);
    if (bad < LANES) {
        assert_int_equal(fault.kind, a->kind & IS_STORE ? SW_FAULT_WRITE : SW_FAULT_READ);
        assert_int_equal(fault.lane, bad);
        assert_int_equal(fault.address, address_of(a, bad));
        assert_memory_equal(memory, want, PAGE);
        assert_memory_equal(memory + MEMORY - PAGE, (char *)want + MEMORY - PAGE, PAGE);
    } else {
        for (unsigned i = 0; i < GROUPS * ITEMS; i++) {
            const unsigned lane = i % LANES;
            const size_t at = address_of(a, lane) - (uint64_t)(uintptr_t)memory;
            char *to = (char *)want + (i < ITEMS ? MIDDLE + 4 * lane : at);
            uint32_t v = 0x5a5a0000 | 4 * lane;
            memcpy(a->kind & IS_STORE ? (void *)to : &v, a->kind & IS_STORE ? (void *)&v : to, 4);
            assert_int_equal(out[i], v);
        }
        assert_memory_equal(memory, want, MEMORY);
    }
    sw_device_free(r->device, kernarg);
    sw_device_free(r->device, out);
}

static void at_the_edges(void **state) {
    (void)state;
    static const uint32_t offsets[OFFSETS] = {0,          1,          0x12345678, 0xffffff00,
                                              0xffffff01, 0xffffff03, 0xffffff04, 0xfffffffc};
    static const int32_t starts[STARTS] = {// from the multiple of 2^32
                                           -PAGE,      -PAGE + 1,  -PAGE - 1,  -PAGE - 4, -256, -255,
                                           -253,       -252,       -4,         0,         4,    -512,
                                           PAGE - 256, PAGE - 255, PAGE - 252, PAGE};
    char *memory = around_4g(), text[4096];
    if (!memory) skip();
    assert_true(rig_text(text, sizeof text, code,
                         ".amdhsa_next_free_vgpr 12\n.amdhsa_next_free_sgpr 32\n"
                         ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_system_vgpr_workitem_id 1\n"));
    for (sw_tier tier = SW_TIER_INTERPRETER; tier <= SW_TIER_COMPILED; tier++)
        for (int square = 0; square < 2; square++) {
            struct rig r;
            const sw_device_options o = {.size = sizeof o, .threads = 1, .tier = tier, .cache = ""};
            assert_true(rig_open_text(&r, "gfx900", text, o));
            assert_int_equal(
                sw_device_map(r.device, memory + PAGE, MEMORY - 2 * PAGE, SW_RIGHT_READ | SW_RIGHT_WRITE),
                SW_OK);
            for (unsigned kind = 0; kind < KINDS; kind++)
                for (unsigned s = 0; s < STARTS; s++)
                    for (unsigned n = 0; n < (kind & IS_VECTOR ? 1 : OFFSETS); n++) {
                        const uint64_t start = (uint64_t)(uintptr_t)memory + MEMORY / 2 + (uint64_t)starts[s];
                        try(&r, memory, &(struct access){kind, offsets[n], start}, square);
                    }
            rig_close(&r);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(at_the_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
