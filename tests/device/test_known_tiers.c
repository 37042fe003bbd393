// SPDX-License-Identifier: MIT
// Loads and stores of every size whose lanes are so far apart as the kernel's text says: at one place, at
// neighbours that overlap, one behind the other and further apart, in rows as long as a wave and in shorter
// ones. Stencils and compiled code, which know that from the text, leave what the interpreter leaves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/device.h"
#include "rig.h"

enum { GROUPS = 6, ITEMS = 128, WIDTH = 16, ROOM = 1 << 14, STEPS = 5, MOST = 8 };

struct gpu {
    const char *name, *address; // v[4:5] = s[6:7] + v4
    const char *directives;
};
static const struct gpu gpus[] = {
    {"gfx90a", "v_add_co_u32 v4, vcc, s6, v4\nv_mov_b32 v5, s7\nv_addc_co_u32 v5, vcc, 0, v5, vcc\n",
     ".amdhsa_accum_offset 16\n"},
    {"gfx1100", "v_add_co_u32 v4, vcc_lo, s6, v4\nv_add_co_ci_u32_e64 v5, null, s7, 0, vcc_lo\n", ""}};

// The offset is in v4, the address in v[4:5], data in v[12:15].
static const char *const loads[MOST] = {
    "global_load_sbyte v4, v[4:5], off offset:1",
    "global_load_ushort v4, v[4:5], off",
    "global_load_dword v4, v[4:5], off",
    "global_load_dwordx2 v[4:5], v[4:5], off offset:4",
    "global_load_dwordx4 v[4:7], v[4:5], off offset:8",
    "global_load_short_d16_hi v4, v[4:5], off offset:1",
    "global_load_dwordx3 v[4:6], v4, s[6:7] offset:4",
};
static const char *const stores[MOST] = {
    "global_store_byte v[4:5], v12, off",  "global_store_short v[4:5], v12, off offset:1",
    "global_store_dword v[4:5], v12, off", "global_store_dwordx3 v[4:5], v[12:14], off offset:4",
    "flat_store_dwordx2 v[4:5], v[12:13]", "global_store_dwordx4 v4, v[12:15], s[6:7]",
};

// s[4:5] results, s[6:7] the memory; v1 and v2: column and row of the item, v3: where its results are.
static void put_text(FILE *f, const struct gpu *g, const char *const *operations, unsigned step) {
    fprintf(
        f,
        "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_and_b32 v1, 0x3ff, v0\nv_bfe_u32 v2, v0, 10, 10\n"
        "v_mul_u32_u24 v3, %d, v2\nv_mul_u32_u24 v12, 0x930507, v1\nv_xor_b32 v13, 0x9abcdef, v12\n"
        "v_mul_u32_u24 v14, 0x51f2a3, v13\nv_xor_b32 v15, -1, v14\ns_mul_i32 s3, s2, %d\n"
        "v_add_u32 v3, v1, v3\nv_add_lshl_u32 v3, v3, s3, 4\ns_lshl_b32 s3, s2, 5\ns_waitcnt lgkmcnt(0)\n",
        WIDTH, ITEMS);
    for (unsigned i = 0; i < MOST && operations[i]; i++) {
        const bool is_wide = !strstr(operations[i], "s[6:7]"), is_load = strstr(operations[i], "_load_");
        if (is_load)
            for (int r = 4; r < 8; r++) fprintf(f, "v_mov_b32 v%d, 0x%x\n", r, 0xa5a5a5a5 + i);
        fprintf(f, "v_mul_u32_u24 v4, %u, v1\nv_mul_u32_u24 v5, 0x190, v2\nv_add_u32 v4, v4, v5\n", step);
        fprintf(f, "v_add_u32 v4, s3, v4\n%s%s\n", is_wide ? g->address : "", operations[i]);
        if (!is_load) continue;
        fprintf(f,
                "s_waitcnt vmcnt(0) lgkmcnt(0)\nglobal_store_dwordx4 v3, v[4:7], s[4:5]\n"
                "v_add_u32 v3, %d, v3\n",
                GROUPS * ITEMS * 16);
    }
    fprintf(f, "s_endpgm\n");
}

struct left {
    uint8_t out[MOST * GROUPS * ITEMS * 16], memory[ROOM];
};
static void run(const struct gpu *g, const char *const *operations, unsigned step, bool rows, sw_tier tier,
                struct left *left) {
    static char all[1 << 15];
    char *text = NULL, directives[256];
    size_t size;
    struct rig r = {0};
    FILE *f = open_memstream(&text, &size);
    put_text(f, g, operations, step);
    fclose(f);
    snprintf(directives, sizeof directives,
             ".amdhsa_next_free_vgpr 16\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
             ".amdhsa_system_sgpr_workgroup_id_x 1\n.amdhsa_system_vgpr_workitem_id 1\n%s",
             g->directives);
    assert_true(rig_text(all, sizeof all, text, directives));
    r.object = rig_object(g->name, all, &r.image);
    if (!r.object) fail_msg("does not assemble for %s:\n%s", g->name, all);
    const sw_device_options o = {
        .size = sizeof o, .threads = 1, .target = *sw_object_target(r.object), .tier = tier, .cache = ""};
    assert_int_equal(sw_device_create(&o, &r.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL), SW_OK);
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    uint8_t *out = sw_device_alloc(r.device, sizeof left->out), *memory = sw_device_alloc(r.device, ROOM);
    memset(out, 0, sizeof left->out);
    for (unsigned i = 0; i < ROOM; i++) memory[i] = (uint8_t)((i ^ i >> 7) * 2654435761u >> 8);
    kernarg[0] = (uint64_t)(uintptr_t)out, kernarg[1] = (uint64_t)(uintptr_t)memory;
    sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, ITEMS, ITEMS);
    q.grid[0] *= GROUPS;
    if (rows) q.grid[0] = WIDTH * GROUPS, q.block[0] = WIDTH, q.grid[1] = q.block[1] = ITEMS / WIDTH;
    sw_fault fault = {.size = sizeof fault};
    if (sw_device_run(r.device, &q, &fault, NULL, NULL) != SW_OK)
        fail_msg("%s, step %u: fault %d, address 0x%llx", g->name, step, fault.kind,
                 (unsigned long long)fault.address);
    if (tier == SW_TIER_COMPILED && r.device->fused_at_once)
        assert_int_equal(sw_device_tier(r.device, NULL), SW_TIER_COMPILED);
    memcpy(left->out, out, sizeof left->out);
    memcpy(left->memory, memory, ROOM);
    rig_close(&r);
    free(text);
}

static void compare(const char *const *operations) {
    static const unsigned steps[STEPS] = {0, 1, 4, 8, 16};
    static struct left want, got;
    for (size_t n = 0; n < sizeof gpus / sizeof *gpus; n++)
        for (unsigned s = 0; s < STEPS; s++)
            for (int rows = 0; rows < 2; rows++) {
                run(&gpus[n], operations, steps[s], rows, SW_TIER_INTERPRETER, &want);
                for (sw_tier tier = SW_TIER_NATIVE; tier <= SW_TIER_COMPILED; tier++) {
                    run(&gpus[n], operations, steps[s], rows, tier, &got);
                    for (size_t i = 0; i < sizeof want.out; i++)
                        if (want.out[i] != got.out[i])
                            fail_msg("%s, tier %d, %u bytes apart: %s: item %zu, byte %zu", gpus[n].name,
                                     (int)tier, steps[s], operations[i / (GROUPS * ITEMS * 16)],
                                     i / 16 % (GROUPS * ITEMS), i % 16);
                    assert_memory_equal(want.memory, got.memory, ROOM);
                }
            }
}
static void loads_agree(void **state) {
    (void)state;
    compare(loads);
}
static void stores_agree(void **state) {
    (void)state;
    compare(stores);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_agree), cmocka_unit_test(stores_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
