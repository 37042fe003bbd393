// SPDX-License-Identifier: MIT
// Lanes that load dwords a step apart which is known only when code runs, at all tiers: in memory and in LDS,
// with steps up and down, in loops, over the edges of a range, and where an offset gets a carry between two
// lanes. The host has memory on both sides of the range, so that nobody stops who reads there.
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
    MEMORY = 32 * PAGE,
    LDS = 4096,
    KINDS = 4,
    TIMES = 3
};
enum { BY_SCALAR, BY_VECTOR, BY_LDS, BY_CHOICE };

// Arguments: the base, the first offset, the step from lane to lane and the one from load to load, which
// access, where lanes leave what they make of all loads. The waves of the first group have lanes four bytes
// apart in the middle of the range, so that compiled code knows the range when the second group is elsewhere.
// Work-item n has put 3 n + 7 into LDS; the last access has another step where the group's number is odd.
static const char code[] = " s_load_dwordx8 s[4:11], s[0:1], 0x0\n"
                           " s_load_dwordx2 s[12:13], s[0:1], 0x20\n"
                           " v_lshl_add_u32 v0, v1, 4, v0\n"
                           " v_lshlrev_b32 v7, 2, v0\n"
                           " v_mul_u32_u24 v3, 3, v0\n"
                           " v_add_u32 v3, 7, v3\n"
                           " ds_write_b32 v7, v3\n"
                           " v_mov_b32 v6, 0\n"
                           " s_waitcnt lgkmcnt(0)\n"
                           " s_barrier\n"
                           " s_mov_b32 s14, 3\n"
                           " s_cmp_lg_u32 s2, 0\n s_cbranch_scc1 begin\n"
                           " s_mov_b64 s[4:5], s[12:13]\n"
                           " s_mov_b32 s6, 0\n s_mov_b32 s7, 4\n s_mov_b32 s8, 0\n"
                           "begin: v_mul_lo_u32 v3, v0, s7\n"
                           " v_mov_b32 v5, s5\n"
                           " v_add_u32 v3, s6, v3\n"
                           " v_add_co_u32 v4, vcc, s4, v3\n"
                           " v_addc_co_u32 v5, vcc, 0, v5, vcc\n"
                           " s_cmp_lg_u32 s9, 3\n s_cbranch_scc1 loop\n"
                           " s_cmp_eq_u32 s2, 0\n s_cbranch_scc1 even\n"
                           " v_lshlrev_b32 v3, 1, v3\n"
                           "even: v_subrev_u32 v3, s8, v3\n"
                           "loop: s_cmp_eq_u32 s9, 1\n s_cbranch_scc1 vector\n"
                           " s_cmp_eq_u32 s9, 2\n s_cbranch_scc1 lds\n"
                           " global_load_dword v8, v3, s[4:5]\n s_branch next\n"
                           "vector: global_load_dword v8, v[4:5], off\n s_branch next\n"
                           "lds: ds_read_b32 v8, v3 offset:16\n"
                           "next: s_waitcnt vmcnt(0) lgkmcnt(0)\n"
                           " v_mul_lo_u32 v6, v6, 5\n"
                           " v_add_u32 v6, v6, v8\n"
                           " v_add_u32 v3, s8, v3\n"
                           " v_add_co_u32 v4, vcc, s8, v4\n"
                           " v_addc_co_u32 v5, vcc, 0, v5, vcc\n"
                           " s_sub_u32 s14, s14, 1\n"
                           " s_cmp_lg_u32 s14, 0\n s_cbranch_scc1 loop\n"
                           " s_lshl_b32 s2, s2, 10\n"
                           " v_add_u32 v7, s2, v7\n"
                           " global_store_dword v7, v6, s[10:11]\n"
                           " s_endpgm\n";

struct access {
    unsigned kind;
    uint64_t base;
    uint32_t first, step, more;
};
static uint64_t address_of(const struct access *a, unsigned item, unsigned time) {
    const uint32_t at = a->first + item * a->step;
    if (a->kind == BY_CHOICE) return a->base + (uint32_t)(2 * at - a->more + time * a->more);
    if (a->kind == BY_VECTOR) return a->base + at + (uint64_t)time * a->more;
    return a->base + (uint32_t)(at + time * a->more);
}
static bool is_allowed(const char *memory, uint64_t address) {
    const uint64_t at = address - (uint64_t)(uintptr_t)memory;
    return at >= PAGE && at <= MEMORY - PAGE - 4;
}
static uint32_t in_lds(uint32_t at) {
    uint8_t bytes[LDS] = {0};
    for (uint32_t i = 0; i < ITEMS; i++) memcpy(bytes + 4 * i, &(uint32_t){3 * i + 7}, 4);
    uint32_t v = 0;
    if (at <= LDS - 4) memcpy(&v, bytes + at, 4);
    return v;
}

// Whether a wave has that first lane outside the range: of any wave, as one of them is the first to get
// there. Lanes with another upper dword of the address than the first one come later.
static bool is_fault(const char *memory, const struct access *a, const sw_fault *fault) {
    const unsigned lane = (unsigned)fault->lane;
    for (unsigned n = 0; n < TIMES * ITEMS; n += LANES) {
        const unsigned first = n % ITEMS, time = n / ITEMS;
        bool is_first = !is_allowed(memory, address_of(a, first + lane, time));
        for (unsigned i = 0; i < lane && a->kind != BY_VECTOR; i++)
            is_first &= is_allowed(memory, address_of(a, first + i, time));
        if (is_first && address_of(a, first + lane, time) == fault->address) return true;
    }
    return false;
}

static void try(struct rig *r, const char *memory, const struct access *a, bool square) {
    uint32_t *out = sw_device_alloc(r->device, GROUPS * ITEMS * 4);
    uint64_t *kernarg = sw_device_alloc(r->device, 64);
    kernarg[0] = a->base, kernarg[1] = a->first | (uint64_t)a->step << 32;
    kernarg[2] = a->more | (uint64_t)a->kind << 32, kernarg[3] = (uint64_t)(uintptr_t)out;
    kernarg[4] = (uint64_t)(uintptr_t)memory + MEMORY / 2;
    bool is_bad = false;
    for (unsigned n = 0; a->kind != BY_LDS && n < TIMES * ITEMS; n++)
        is_bad |= !is_allowed(memory, address_of(a, n % ITEMS, n / ITEMS));
    sw_dispatch q = rig_dispatch(r->object, r->executable, "k", kernarg, ITEMS, ITEMS);
    q.grid[0] *= GROUPS;
    if (square) q.grid[0] = 16 * GROUPS, q.grid[1] = q.block[0] = q.block[1] = 16;
    sw_fault fault = {.size = sizeof fault};
    const sw_status status = sw_device_run(r->device, &q, &fault, NULL, NULL);
    assert_int_equal(status, is_bad ? SW_FAULTED : SW_OK);
    if (is_bad) {
        assert_int_equal(fault.kind, SW_FAULT_READ);
        assert_true(is_fault(memory, a, &fault));
    } else
        for (unsigned i = 0; i < ITEMS; i++) {
            uint32_t want = 0;
            for (unsigned time = 0; time < TIMES; time++) {
                const uint64_t at = address_of(a, i, time);
                uint32_t v = 0;
                if (a->kind == BY_LDS)
                    v = in_lds((uint32_t)(at - a->base) + 16);
                else
                    memcpy(&v, (const char *)(uintptr_t)at, 4);
                want = 5 * want + v;
            }
            assert_int_equal(out[ITEMS + i], want);
        }
    sw_device_free(r->device, kernarg);
    sw_device_free(r->device, out);
}

static void lanes_a_step_apart(void **state) {
    (void)state;
    static const uint32_t steps[] = {0,   1,    4,    12,     64,         68,        1000,
                                     -4u, -16u, -68u, -1000u, 0x10000000, 0x04000001};
    static const uint32_t more[] = {0, 4, 260, -8u};
    // From the middle of the range, less what the last lane is behind the first: up to an edge and over it.
    static const int starts[] = {0, -(MEMORY / 2 - PAGE), -(MEMORY / 2 - PAGE) - 1, MEMORY / 2 - PAGE - 4,
                                 MEMORY / 2 - PAGE - 3};
    static const uint32_t firsts[] = {0, 0x10000, 0xffffff00, 0xfffffff8};
    char *memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), text[4096];
    assert_true(memory != MAP_FAILED);
    for (size_t i = 0; i < MEMORY; i++) memory[i] = (char)(i * 7 + i / 256);
    assert_true(rig_text(text, sizeof text, code,
                         ".amdhsa_next_free_vgpr 12\n.amdhsa_next_free_sgpr 32\n"
                         ".amdhsa_group_segment_fixed_size 4096\n"
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
                for (unsigned n = 0; n < sizeof steps / sizeof *steps; n++)
                    for (unsigned m = 0; m < sizeof more / sizeof *more; m++)
                        for (unsigned s = 0; s < sizeof starts / sizeof *starts; s++)
                            for (unsigned f = 0; f < sizeof firsts / sizeof *firsts; f++) {
                                // The item at the edge: the first one, or the last one.
                                const bool up = (int32_t)steps[n] >= 0, low = starts[s] < 0;
                                const int64_t back = up == low ? 0 : (int64_t)(int32_t)steps[n] * (ITEMS - 1);
                                struct access a = {kind, 0, firsts[f], steps[n], more[m]};
                                a.base = (uint64_t)(uintptr_t)memory + MEMORY / 2 +
                                         (uint64_t)(starts[s] - (starts[s] ? back : 0)) - a.first;
                                if (kind == BY_LDS) a.first = (uint32_t)starts[s] & 0xfff;
                                if (kind == BY_LDS && s == 1) a.first = (1 - ITEMS) * a.step - 24;
                                try(&r, memory, &a, square);
                            }
            rig_close(&r);
        }
    munmap(memory, MEMORY);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_a_step_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
