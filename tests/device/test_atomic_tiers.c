// SPDX-License-Identifier: MIT
// Atomics in stencils and in compiled code do what the interpreter does: lanes that meet take their turns in
// ascending order (TRAP-279), whichever are on; who listens is told of as many lanes and addresses, and where
// a lane is misaligned or has no right the fault and all memory are the same.
#include "anywhere.h"

enum { LANES = 64, TWICE_GROUPS = 8, WORDS = LANES * 2, OUTSIDE = 0x40000000 };

// ---- What they do ----
// Half of them with waves of 64 lanes, half of 32, as LLVM compiles each.

static const struct kernel kernels[] = {
    {"atomics on LDS",
     true,
     true,
     {"ds_add_u32 v4, v13 offset:8", "ds_sub_u32 v4, v14", "ds_min_i32 v4, v15 offset:8",
      "ds_max_i32 v4, v12", "ds_min_u32 v4, v13", "ds_max_u32 v4, v14", "ds_and_b32 v4, v15",
      "ds_or_b32 v4, v12 offset:8", "ds_xor_b32 v4, v13", "ds_inc_u32 v4, v14", "ds_dec_u32 v4, v12"},
     true,
     "gfx90a"},
    {"more atomics on LDS",
     true,
     true,
     {"ds_inc_u32 v4, v2", "ds_add_f32 v4, v12", "ds_add_f32 v4, v14", "ds_add_u64 v4, v[12:13] offset:8",
      "ds_sub_u64 v4, v[14:15]", "ds_min_i64 v4, v[12:13]", "ds_max_i64 v4, v[14:15]",
      "ds_min_u64 v4, v[12:13] offset:8", "ds_max_u64 v4, v[14:15]", "ds_and_b64 v4, v[12:13]",
      "ds_or_b64 v4, v[14:15]", "ds_xor_b64 v4, v[12:13]"},
     true,
     "gfx1100"},
    {"atomics on LDS with data that all lanes have in common, or all but one",
     true,
     true,
     {"ds_add_u32 v4, v2", "ds_inc_u32 v4, v6", "ds_dec_u32 v4, v6", "ds_sub_u32 v4, v6 offset:8",
      "ds_xor_b32 v4, v7", "ds_dec_u32 v4, v2", "v_writelane_b32 v6, 7, 20\nds_add_u32 v4, v6",
      "v_writelane_b32 v6, 7, 63\nds_inc_u32 v4, v6"},
     true,
     "gfx90a"},
    {"atomics on LDS that return",
     true,
     false,
     {"ds_add_rtn_u32 v4, v4, v13 offset:8", "ds_sub_rtn_u32 v5, v4, v14", "ds_min_rtn_i32 v4, v4, v15",
      "ds_max_rtn_i32 v4, v4, v12", "ds_min_rtn_u32 v4, v4, v13 offset:8", "ds_max_rtn_u32 v4, v4, v14",
      "ds_and_rtn_b32 v4, v4, v15", "ds_or_rtn_b32 v4, v4, v12", "ds_xor_rtn_b32 v4, v4, v13",
      "ds_inc_rtn_u32 v4, v4, v14"},
     true,
     "gfx1100"},
    {"more atomics on LDS that return",
     true,
     false,
     {"ds_dec_rtn_u32 v4, v4, v2", "ds_wrxchg_rtn_b32 v4, v4, v12 offset:8", "ds_add_rtn_f32 v4, v4, v12",
      "ds_add_rtn_f32 v4, v4, v14", "ds_add_rtn_u64 v[4:5], v4, v[12:13]",
      "ds_sub_rtn_u64 v[6:7], v4, v[14:15]", "ds_min_rtn_i64 v[4:5], v4, v[12:13] offset:8",
      "ds_max_rtn_u64 v[4:5], v4, v[14:15]", "ds_xor_rtn_b64 v[4:5], v4, v[12:13]",
      "ds_wrxchg_rtn_b64 v[4:5], v4, v[12:13]"},
     true,
     "gfx90a"},
    {"compares in LDS of GFX9",
     true,
     false,
     {"ds_wrxchg_rtn_b64 v[4:5], v4, v[12:13]", "ds_cmpst_rtn_b32 v4, v4, v12, v14",
      "ds_cmpst_rtn_b64 v[4:5], v4, v[12:13], v[14:15]", "ds_wrxchg_rtn_b64 v[4:5], v4, v[12:13]",
      "ds_cmpst_rtn_b64 v[4:5], v4, v[12:13], v[14:15]", "ds_cmpst_b32 v4, v14, v15",
      "ds_add_rtn_f64 v[4:5], v4, v[12:13]", "ds_add_f64 v4, v[14:15]"},
     true,
     "gfx90a"},
    {"compares in LDS of GFX11",
     true,
     false,
     {"ds_storexchg_rtn_b64 v[4:5], v4, v[12:13]", "ds_cmpstore_rtn_b32 v4, v4, v14, v12",
      "ds_cmpstore_rtn_b64 v[4:5], v4, v[14:15], v[12:13]", "ds_storexchg_rtn_b64 v[4:5], v4, v[12:13]",
      "ds_cmpstore_rtn_b64 v[4:5], v4, v[14:15], v[12:13]", "ds_cmpstore_b32 v4, v15, v14"},
     true,
     "gfx1100"},
    {"atomics on memory",
     false,
     true,
     {"global_atomic_add v4, v13, s[8:9] offset:8", "global_atomic_sub v4, v14, s[8:9]",
      "global_atomic_smin v[4:5], v15, off offset:8", "global_atomic_smax v4, v12, s[8:9]",
      "global_atomic_umin v4, v13, s[8:9]", "global_atomic_umax v[4:5], v14, off",
      "global_atomic_and v4, v15, s[8:9]", "global_atomic_or v4, v12, s[8:9]",
      "global_atomic_xor v[4:5], v13, off", "global_atomic_inc v4, v14, s[8:9]"},
     true,
     "gfx1100"},
    {"more atomics on memory",
     false,
     true,
     {"global_atomic_dec v4, v2, s[8:9]", "global_atomic_add_f32 v4, v12, s[8:9]",
      "global_atomic_add_f32 v[4:5], v14, off", "global_atomic_add_x2 v4, v[12:13], s[8:9] offset:8",
      "global_atomic_sub_x2 v[4:5], v[14:15], off", "global_atomic_smin_x2 v4, v[12:13], s[8:9]",
      "global_atomic_umax_x2 v4, v[14:15], s[8:9]", "global_atomic_xor_x2 v[4:5], v[12:13], off",
      "flat_atomic_add v[4:5], v13", "flat_atomic_or_x2 v[4:5], v[14:15]"},
     true,
     "gfx90a"},
    {"atomics on memory that return",
     false,
     false,
     {"global_atomic_add v4, v4, v13, s[8:9] offset:8 glc", "global_atomic_sub v4, v[4:5], v14, off glc",
      "global_atomic_smin v4, v4, v15, s[8:9] glc", "global_atomic_umax v4, v4, v14, s[8:9] glc",
      "global_atomic_and v4, v[4:5], v15, off glc", "global_atomic_xor v4, v4, v13, s[8:9] glc",
      "global_atomic_inc v4, v4, v14, s[8:9] glc", "global_atomic_dec v4, v4, v2, s[8:9] glc",
      "global_atomic_swap v4, v4, v13, s[8:9] glc", "global_atomic_cmpswap v4, v4, v[12:13], s[8:9] glc"},
     true,
     "gfx90a"},
    {"more atomics on memory that return",
     false,
     false,
     {"global_atomic_cmpswap v5, v[4:5], v[12:13], off offset:8 glc",
      "global_atomic_add_f32 v4, v4, v14, s[8:9] glc",
      "global_atomic_add_x2 v[4:5], v4, v[12:13], s[8:9] glc",
      "global_atomic_smax_x2 v[4:5], v[4:5], v[12:13], off glc",
      "global_atomic_swap_x2 v[4:5], v4, v[14:15], s[8:9] glc",
      "global_atomic_cmpswap_x2 v[4:5], v4, v[12:15], s[8:9] glc", "flat_atomic_add v4, v[4:5], v13 glc",
      "flat_atomic_cmpswap_x2 v[4:5], v[4:5], v[12:15] glc", "flat_atomic_umin v6, v[4:5], v12 glc"},
     true,
     "gfx1100"},
    {"packed and long sums on memory",
     false,
     true,
     {"global_atomic_pk_add_f16 v4, v13, s[8:9]", "global_atomic_pk_add_f16 v[4:5], v14, off",
      "global_atomic_add_f64 v4, v[12:13], s[8:9]", "flat_atomic_add_f64 v[4:5], v[14:15]"},
     true,
     "gfx90a"}};

static void tiers_are_equal(void **state) {
    (void)state;
    tiers_agree(kernels, sizeof kernels / sizeof *kernels);
}

// ---- Faults and listeners ----

// Twice, in the last group the second time with some bits of one lane's address set: compiled code has found
// the range before. v4 is the lane's eighth byte, s[8:9] memory, v[14:15] its address.
static const char text_format[] = "s_load_dwordx4 s[8:11], s[0:1], 0x0\n"
                                  "v_lshlrev_b32 v4, 3, v0\n"
                                  "v_mov_b32 v5, 7\n"
                                  "v_mov_b32 v6, 0\n"
                                  "v_mov_b32 v7, 0\n"
                                  "s_mov_b32 s12, 2\n"
                                  "s_waitcnt lgkmcnt(0)\n"
                                  "s_cmp_eq_u32 s2, 7\n"
                                  "s_cselect_b32 s10, s10, 0\n"
                                  "ds_write_b64 v4, v[4:5]\n"
                                  "again:\n"
                                  "v_mad_u64_u32 v[14:15], vcc, v4, 1, s[8:9]\n"
                                  "%s\n"
                                  "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
                                  "v_mov_b32 v8, s10\n"
                                  "v_cmp_eq_u32 vcc, s11, v0\n"
                                  "v_cndmask_b32 v8, 0, v8, vcc\n"
                                  "v_or_b32 v4, v4, v8\n"
                                  "s_sub_u32 s12, s12, 1\n"
                                  "s_cmp_lg_u32 s12, 0\n"
                                  "s_cbranch_scc1 again\n"
                                  "s_endpgm\n";
static const char directives[] =
    ".amdhsa_next_free_vgpr 16\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
    ".amdhsa_group_segment_fixed_size 1024\n.amdhsa_accum_offset 16\n";

struct outcome {
    sw_status status;
    sw_fault fault;
    uint32_t memory[WORDS];
    unsigned lanes, calls, kind;
    uint64_t addresses; // their sum, from the begin of memory
};
struct listener {
    struct outcome *to;
    uint64_t from;
};
static void listen(void *context, const sw_atomic_event *e) {
    const struct listener *l = context;
    l->to->calls++;
    l->to->kind += (unsigned)e->kind + 1;
    for (unsigned n = 0; n < LANES; n++)
        if (e->lanes >> n & 1) l->to->lanes++, l->to->addresses += e->addresses[n] - l->from;
}

static void run_twice(const char *operation, uint32_t bits, uint32_t lane, bool listens, sw_tier tier,
                      struct outcome *out) {
    char code[4096], all[8192];
    struct rig r;
    *out = (struct outcome){.fault.size = sizeof out->fault};
    snprintf(code, sizeof code, text_format, operation);
    assert_true(rig_text(all, sizeof all, code, directives));
    const sw_device_options o = {.size = sizeof o, .threads = 1, .tier = tier, .cache = rig_cache()};
    if (!rig_open_text(&r, "gfx90a", all, o)) fail_msg("does not assemble or load: %s", operation);
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    uint32_t *memory = sw_device_alloc(r.device, sizeof out->memory);
    for (uint32_t i = 0; i < WORDS; i++) memory[i] = i * 0x9e3779b1u;
    struct listener l = {out, (uint64_t)(uintptr_t)memory};
    kernarg[0] = l.from, kernarg[1] = bits | (uint64_t)lane << 32;
    sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, TWICE_GROUPS * LANES, LANES);
    if (listens) q.atomic = listen, q.atomic_context = &l;
    out->status = sw_device_run(r.device, &q, &out->fault, NULL, NULL);
    memcpy(out->memory, memory, sizeof out->memory);
    out->fault.address -= out->status == SW_FAULTED && out->fault.address > OUTSIDE ? l.from : 0;
    const sw_tier has = sw_device_tier(r.device, NULL);
    if (has != tier) print_message("%s: tier %d\n", operation, has - SW_TIER_INTERPRETER);
    rig_close(&r);
}
static void compare(const char *operation, const struct outcome *want, const struct outcome *is, int tier) {
    const sw_fault *a = &want->fault, *b = &is->fault;
    if (want->status != is->status || a->kind != b->kind || a->code_offset != b->code_offset ||
        a->lane != b->lane || a->address != b->address)
        fail_msg("%s, tier %d: status %d kind %d at %llx, lane %d, address %llx, not %d %d %llx %d %llx",
                 operation, tier, is->status, b->kind, (unsigned long long)b->code_offset, b->lane,
                 (unsigned long long)b->address, want->status, a->kind, (unsigned long long)a->code_offset,
                 a->lane, (unsigned long long)a->address);
    if (memcmp(want->memory, is->memory, sizeof is->memory))
        fail_msg("%s, tier %d: memory differs", operation, tier);
    if (want->lanes != is->lanes || want->calls != is->calls || want->kind != is->kind ||
        want->addresses != is->addresses)
        fail_msg("%s, tier %d: told %u times of %u lanes at %llu, not %u of %u at %llu", operation, tier,
                 is->calls, is->lanes, (unsigned long long)is->addresses, want->calls, want->lanes,
                 (unsigned long long)want->addresses);
}
static void at_all_tiers(const char *operation, uint32_t bits, uint32_t lane, bool listens,
                         struct outcome *want) {
    struct outcome is;
    run_twice(operation, bits, lane, listens, SW_TIER_INTERPRETER, want);
    for (int tier = 1; tier < 3; tier++) {
        run_twice(operation, bits, lane, listens, (sw_tier)(SW_TIER_INTERPRETER + tier), &is);
        compare(operation, want, &is, tier);
    }
}

static const char *const operations[] = {
    "global_atomic_add v4, v5, s[8:9]", "global_atomic_inc v6, v4, v5, s[8:9] glc",
    "global_atomic_swap_x2 v[6:7], v[14:15], v[4:5], off glc", "flat_atomic_umax v[14:15], v5"};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static void faults_are_equal(void **state) {
    (void)state;
    static const uint32_t bits[] = {2, 4, OUTSIDE}, lanes[] = {0, 37, 63};
    struct outcome want;
    unsigned faults = 0;
    for (size_t i = 0; i < OPERATIONS; i++)
        for (size_t b = 0; b < sizeof bits / sizeof *bits; b++)
            for (size_t l = 0; l < sizeof lanes / sizeof *lanes; l++) {
                at_all_tiers(operations[i], bits[b], lanes[l], false, &want);
                faults += want.status == SW_FAULTED;
                if (bits[b] != 4) assert_int_equal(want.fault.lane, lanes[l]);
            }
    at_all_tiers("ds_add_u32 v4, v5", 2, 37, false, &want);
    assert_int_equal(want.fault.lane, 37);
    at_all_tiers("ds_inc_rtn_u32 v6, v4, v5\nglobal_atomic_xor v4, v6, s[8:9]", OUTSIDE, 37, false, &want);
    print_message("%u faults of memory\n", faults);
}
static void listeners_are_told(void **state) {
    (void)state;
    struct outcome want;
    for (size_t i = 0; i < OPERATIONS; i++) {
        at_all_tiers(operations[i], 0, 0, true, &want);
        assert_int_equal(want.lanes, 2 * TWICE_GROUPS * LANES);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiers_are_equal), cmocka_unit_test(faults_are_equal),
                                       cmocka_unit_test(listeners_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
