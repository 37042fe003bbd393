// SPDX-License-Identifier: MIT
// Runs operations on LDS and on global memory with lanes in a row, at one address, in records and anywhere,
// whichever are on, at every tier, and compares what they leave. In LDS some lanes are over the end (TRAP-260
// to TRAP-262).
#ifndef TESTS_DEVICE_ANYWHERE_H
#define TESTS_DEVICE_ANYWHERE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"

enum { STARTS = 5, STEPS = 8, MASKS = 8, GROUPS = STARTS * STEPS * MASKS, ROOM = 4096, MOST = 28 };

struct gpu {
    const char *name, *exec, *vcc, *bits; // of a whole mask; b32 or b64
    unsigned lanes;
};
static const struct gpu gpus[] = {{"gfx90a", "exec", "vcc", "b64", 64},
                                  {"gfx1100", "exec_lo", "vcc_lo", "b32", 32}};

// ---- The kernels ----
// Each operation has the address in v4 (v[4:5]), which a load replaces, and 16 bytes of data in v[12:15].

struct kernel {
    const char *name;
    bool is_lds, is_store;
    const char *operations[MOST];
    bool is_atomic;
    const char *only; // on this GPU
};

static unsigned count_of(const struct kernel *k) {
    unsigned n = 0;
    while (n < MOST && k->operations[n]) n++;
    return n;
}

// s[4:5] table, s[6:7] results, s[8:9] the group's memory. v[10:11]: address and whether the lane is on.
static void begin_text(FILE *f, const struct gpu *g) {
    fprintf(f,
            "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_load_dwordx2 s[8:9], s[0:1], 0x10\n"
            "v_mul_u32_u24 v1, 16, v0\nv_mul_u32_u24 v12, 0x930507, v0\nv_xor_b32 v13, 0x9abcdef, v12\n"
            "v_mul_u32_u24 v14, 0x51f2a3, v13\nv_xor_b32 v15, -1, v14\nds_write_b128 v1, v[12:15]\n"
            "s_mul_i32 s3, s2, %u\nv_add_lshl_u32 v1, v0, s3, 3\ns_waitcnt lgkmcnt(0)\n"
            "global_load_dwordx2 v[10:11], v1, s[4:5]\nv_lshlrev_b32 v1, 1, v1\n"
            "s_lshl_b32 s3, s2, 12\ns_add_u32 s8, s8, s3\ns_addc_u32 s9, s9, 0\n"
            "v_mul_u32_u24 v3, 16, v0\nv_mov_b32 v2, -1\ns_waitcnt vmcnt(0)\n",
            g->lanes);
}
static void put_operation(FILE *f, const struct gpu *g, const struct kernel *k, const char *operation) {
    const bool by_vector = !k->is_lds && !strstr(operation, "s[8:9]");
    for (int r = 4; r < 8; r++) fprintf(f, "v_mov_b32 v%d, 0xa5a5a5a5\n", r);
    fprintf(f, "v_cmp_ne_u32 %s, 0, v11\ns_mov_%s %s, %s\nv_mov_b32 v4, v10\n", g->vcc, g->bits, g->exec,
            g->vcc);
    if (by_vector) fprintf(f, "v_mad_u64_u32 v[4:5], %s, v4, 1, s[8:9]\n", g->vcc);
    fprintf(f, "%s\ns_waitcnt vmcnt(0) lgkmcnt(0)\ns_mov_%s %s, -1\n", operation, g->bits, g->exec);
    if (k->is_store && k->is_lds) fprintf(f, "ds_read_b128 v[4:7], v3\ns_waitcnt lgkmcnt(0)\n");
    if (k->is_store && !k->is_lds) fprintf(f, "global_load_dwordx4 v[4:7], v3, s[8:9]\ns_waitcnt vmcnt(0)\n");
    fprintf(f, "global_store_dwordx4 v1, v[4:7], s[6:7]\ns_add_u32 s6, s6, 0x%x\ns_addc_u32 s7, s7, 0\n",
            GROUPS * g->lanes * 16);
}

// ---- Where lanes are ----

static uint32_t mixed(uint32_t n) { return (n ^ n >> 7) * 2654435761u >> 8; }
// The byte of lane l of the group.
static uint32_t any_address(const struct gpu *g, bool is_lds, unsigned group, unsigned l) {
    const uint32_t end = is_lds ? g->lanes * 16 : ROOM;
    const unsigned start = group % STARTS, step = group / STARTS % STEPS;
    const uint32_t steps[STEPS] = {0,
                                   l * 4,
                                   l * 16,
                                   l * 20,
                                   (l * l & 63) * 4,
                                   l * 3,
                                   mixed(group * 64 + l) % (end / 2),
                                   mixed(group * 64 + l) % (end / 8) * 4};
    if (is_lds) { // over the end, and around 2^32
        const uint32_t starts[STARTS] = {0, 130, end / 2, end - 24, 0xfffffff8};
        return starts[start] + steps[step];
    }
    const uint32_t starts[STARTS] = {0, 1, 130, end / 4, end - 24};
    return (starts[start] + steps[step]) % (end - 23);
}
static uint32_t address_of(const struct gpu *g, const struct kernel *k, unsigned group, unsigned l) {
    return any_address(g, k->is_lds, group, l) & ~(k->is_atomic ? 7u : 0u);
}
static bool is_on(unsigned group, unsigned l) {
    static const uint64_t masks[MASKS] = {
        ~0ull, ~0ull, 0, 1ull << 20, 0xffff0000ffff, 0xffff0000, 0x8000f000ff0ff00f, ~3ull};
    return masks[group / STARTS / STEPS] >> l & 1;
}

// ---- Runs ----

struct left {
    uint8_t *bytes;
    size_t size;
};
// `alone`: nobody else is said to change the memory.
static struct left run(const struct gpu *g, const struct kernel *k, sw_tier tier, bool alone,
                       unsigned *full) {
    char *text = NULL, *all = malloc(1 << 16), directives[256];
    size_t size;
    struct rig r = {0};
    FILE *f = open_memstream(&text, &size);
    begin_text(f, g);
    for (unsigned i = 0; i < count_of(k); i++) put_operation(f, g, k, k->operations[i]);
    fprintf(f, "s_endpgm\n");
    fclose(f);
    snprintf(directives, sizeof directives,
             ".amdhsa_next_free_vgpr 16\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
             ".amdhsa_system_sgpr_workgroup_id_x 1\n.amdhsa_group_segment_fixed_size %u\n%s",
             g->lanes * 16, g->lanes == 64 ? ".amdhsa_accum_offset 16\n" : "");
    assert_true(rig_text(all, 1 << 16, text, directives));
    r.object = rig_object(g->name, all, &r.image);
    if (!r.object) fail_msg("does not assemble for %s:\n%s", g->name, all);
    const sw_device_options o = {
        .size = sizeof o, .threads = 1, .target = *sw_object_target(r.object), .tier = tier, .cache = ""};
    assert_int_equal(sw_device_create(&o, &r.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL), SW_OK);

    const unsigned items = GROUPS * g->lanes;
    struct left left = {.size = (size_t)count_of(k) * items * 16 + (size_t)GROUPS * ROOM};
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    uint32_t(*lane)[2] = sw_device_alloc(r.device, items * sizeof *lane);
    uint8_t *out = sw_device_alloc(r.device, left.size - (size_t)GROUPS * ROOM),
            *memory = sw_device_alloc(r.device, (size_t)GROUPS * ROOM);
    const unsigned rights = SW_RIGHT_READ | SW_RIGHT_WRITE | SW_RIGHT_STAYS | (alone ? SW_RIGHT_ALONE : 0u);
    assert_int_equal(sw_device_map(r.device, memory, (size_t)GROUPS * ROOM, rights), SW_OK);
    for (unsigned n = 0; n < items; n++) {
        lane[n][0] = address_of(g, k, n / g->lanes, n % g->lanes);
        lane[n][1] = is_on(n / g->lanes, n % g->lanes);
    }
    for (size_t i = 0; i < (size_t)GROUPS * ROOM; i++) memory[i] = (uint8_t)mixed((uint32_t)i);
    kernarg[0] = (uint64_t)(uintptr_t)lane, kernarg[1] = (uint64_t)(uintptr_t)out;
    kernarg[2] = (uint64_t)(uintptr_t)memory;
    sw_fault fault = {.size = sizeof fault};
    if (rig_run(&r, kernarg, items, g->lanes, &fault) != SW_OK)
        fail_msg("%s, %s, tier %d: fault %d at 0x%llx, lane %d, address 0x%llx", g->name, k->name,
                 tier - SW_TIER_INTERPRETER, fault.kind, (unsigned long long)fault.code_offset, fault.lane,
                 (unsigned long long)fault.address);
    const char *why = NULL;
    *full += sw_device_tier(r.device, &why) == tier;
    left.bytes = malloc(left.size);
    memcpy(left.bytes, out, left.size - (size_t)GROUPS * ROOM);
    memcpy(left.bytes + left.size - (size_t)GROUPS * ROOM, memory, (size_t)GROUPS * ROOM);
    rig_close(&r);
    free(text);
    free(all);
    return left;
}
static void say_difference(const struct gpu *g, const struct kernel *k, int tier, size_t byte) {
    const size_t each = (size_t)GROUPS * g->lanes * 16, operation = byte / each;
    if (operation >= count_of(k)) fail_msg("%s, %s, tier %d: memory differs", g->name, k->name, tier);
    const unsigned item = (unsigned)(byte % each / 16);
    fail_msg("%s, %s, tier %d: %s: group %u, lane %u (at 0x%x), byte %zu differs", g->name, k->name, tier,
             k->operations[operation], item / g->lanes, item % g->lanes,
             address_of(g, k, item / g->lanes, item % g->lanes), byte % 16);
}
// What these kernels leave is the same at every tier.
static void tiers_agree(const struct kernel *kernels, size_t count) {
    unsigned at_tier[3] = {0}, operations = 0;
    for (size_t n = 0; n < sizeof gpus / sizeof *gpus; n++)
        for (size_t i = 0; i < count; i++) {
            const struct kernel *k = &kernels[i];
            if (k->only && strcmp(k->only, gpus[n].name)) continue;
            const struct left want = run(&gpus[n], k, SW_TIER_INTERPRETER, false, &at_tier[0]);
            operations += count_of(k);
            for (int way = 1; way < (k->is_atomic && !k->is_lds ? 4 : 3); way++) { // the last: alone
                const int tier = way < 3 ? way : 2;
                const struct left got =
                    run(&gpus[n], k, (sw_tier)(SW_TIER_INTERPRETER + tier), way == 3, &at_tier[tier]);
                for (size_t b = 0; b < want.size; b++)
                    if (got.bytes[b] != want.bytes[b]) say_difference(&gpus[n], k, tier, b);
                free(got.bytes);
            }
            free(want.bytes);
        }
    print_message("operations: %u, each with %u sets of lanes; kernels at tiers 0, 1, 2: %u %u %u\n",
                  operations, GROUPS, at_tier[0], at_tier[1], at_tier[2]);
}

#endif
