// SPDX-License-Identifier: MIT
// Kernels that are compiled in parts: where plans are cut, and that waves which go from part to part give
// what they give at the lowest tier, however small the parts are.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/device.h"
#include "jit/compiler.h"
#include "jit/cut.h"
#include "jit/fused.h"
#include "jit/join.h"
#include "rig.h"

enum { ITEMS = 640, GROUP = 160, WORDS = 2 * ITEMS, PART = 400 };

// Arguments: memory. Each kernel leaves two words for each item.
#define BEGIN                                                                                                \
    " s_load_dwordx2 s[4:5], s[0:1], 0x0\n s_mul_i32 s6, s2, 160\n v_add_u32 v1, s6, v0\n"                   \
    " v_lshlrev_b32 v2, 3, v1\n v_mov_b32 v3, 1\n v_mov_b32 v4, 7\n s_waitcnt lgkmcnt(0)\n"
#define END " global_store_dwordx2 v2, v[3:4], s[4:5]\n s_endpgm\n"

static const struct {
    const char *name, *code;
} kernels[] = {
    {"straight", BEGIN " .rept 40\n v_mad_u32_u24 v3, v3, v1, v4\n v_xor_b32 v4, v3, v0\n .endr\n" END},
    {"loops", BEGIN " s_mov_b32 s8, 5\n"
                    "outer: v_add_u32 v3, v3, v1\n s_mov_b32 s9, 3\n"
                    "inner: v_xor_b32 v4, v3, v4\n v_add_u32 v3, v3, v4\n v_lshlrev_b32 v4, 1, v4\n"
                    " s_sub_u32 s9, s9, 1\n s_cmp_lg_u32 s9, 0\n s_cbranch_scc1 inner\n"
                    " .rept 20\n v_add_u32 v4, v4, v3\n v_xor_b32 v3, v3, v1\n .endr\n"
                    " s_sub_u32 s8, s8, 1\n s_cmp_lg_u32 s8, 0\n s_cbranch_scc1 outer\n" END},
    // Lanes that end one after the other, and code that some of them skip.
    {"lanes", BEGIN " v_and_b32 v5, 31, v1\n s_mov_b64 s[10:11], exec\n"
                    "again: v_mad_u32_u24 v3, v3, v4, v5\n v_and_b32 v6, 1, v5\n v_cmp_eq_u32 vcc, 0, v6\n"
                    " s_and_saveexec_b64 s[12:13], vcc\n s_cbranch_execz over\n"
                    " .rept 12\n v_add_u32 v4, v4, v3\n v_xor_b32 v3, v3, v5\n .endr\n"
                    "over: s_mov_b64 exec, s[12:13]\n v_subrev_u32 v5, 1, v5\n"
                    " v_cmp_lt_i32 vcc, 0, v5\n s_and_b64 exec, exec, vcc\n s_cbranch_execnz again\n"
                    " s_mov_b64 exec, s[10:11]\n" END},
    // Groups of three waves, of which the last has half of its lanes.
    {"barriers", BEGIN " v_lshlrev_b32 v5, 2, v0\n s_mov_b32 s8, 4\n"
                       "turn: v_add_u32 v3, v3, v1\n ds_write_b32 v5, v3\n s_waitcnt lgkmcnt(0)\n s_barrier\n"
                       " v_xor_b32 v6, 4, v5\n ds_read_b32 v7, v6\n s_waitcnt lgkmcnt(0)\n"
                       " v_mad_u32_u24 v3, v7, v4, v3\n .rept 8\n v_add_u32 v4, v4, v7\n .endr\n s_barrier\n"
                       " s_sub_u32 s8, s8, 1\n s_cmp_lg_u32 s8, 0\n s_cbranch_scc1 turn\n" END},
    // Functions, and divisions of which some are left to their handlers.
    {"calls",
     BEGIN " s_getpc_b64 s[14:15]\n s_add_u32 s14, s14, there-.\n s_addc_u32 s15, s15, 0\n"
           " s_swappc_b64 s[16:17], s[14:15]\n v_add_u32 v3, v3, v1\n"
           " s_getpc_b64 s[14:15]\n s_add_u32 s14, s14, there-.\n s_addc_u32 s15, s15, 0\n"
           " s_swappc_b64 s[16:17], s[14:15]\n" END
           "there: v_cvt_f32_u32 v6, v1\n v_cvt_f32_u32 v7, v0\n v_div_scale_f32 v8, s[20:21], v7, v7, v6\n"
           " v_div_scale_f32 v9, vcc, v6, v7, v6\n v_rcp_f32 v10, v8\n v_mul_f32 v11, v9, v10\n"
           " v_div_fmas_f32 v11, v11, v10, v9\n v_div_fixup_f32 v11, v11, v7, v6\n"
           " v_xor_b32 v3, v3, v11\n v_add_u32 v4, v4, v3\n s_setpc_b64 s[16:17]\n"},
    // Each lane reads what the one before left.
    {"memory",
     BEGIN " s_mov_b32 s8, 6\n"
           "more: global_store_dword v2, v3, s[4:5]\n s_waitcnt vmcnt(0)\n"
           " global_load_dword v5, v2, s[4:5]\n s_waitcnt vmcnt(0)\n v_add_u32 v3, v5, v1\n"
           " ds_bpermute_b32 v6, v2, v3\n s_waitcnt lgkmcnt(0)\n v_xor_b32 v4, v4, v6\n"
           " global_store_byte v2, v4, s[4:5] offset:5\n s_waitcnt vmcnt(0)\n"
           " global_load_dword v7, v2, s[4:5] offset:4\n s_waitcnt vmcnt(0)\n v_add_u32 v4, v4, v7\n"
           " s_sub_u32 s8, s8, 1\n s_cmp_lg_u32 s8, 0\n s_cbranch_scc1 more\n" END},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

struct kernel {
    struct rig rig;
    uint32_t *memory;
    uint64_t *arguments;
};
static bool open_kernel(struct kernel *k, const char *code, sw_tier tier, const char *level, unsigned part) {
    char text[8192];
    *k = (struct kernel){0};
    struct rig *r = &k->rig;
    assert_true(rig_text(text, sizeof text, code,
                         ".amdhsa_next_free_vgpr 12\n.amdhsa_next_free_sgpr 32\n"
                         ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_system_sgpr_workgroup_id_x 1\n"
                         ".amdhsa_group_segment_fixed_size 1024\n"));
    assert_non_null(r->object = rig_object("gfx900", text, &r->image));
    const sw_device_options o = {.size = sizeof o,
                                 .threads = 1,
                                 .target = *sw_object_target(r->object),
                                 .tier = tier,
                                 .cache = "",
                                 .level = level};
    if (sw_device_create(&o, &r->device, NULL) != SW_OK) {
        rig_close(r);
        return false;
    }
    r->device->pool.tier_up.part = part;
    assert_int_equal(sw_device_load(r->device, r->object, NULL, NULL, &r->executable, NULL), SW_OK);
    k->memory = sw_device_alloc(r->device, WORDS * 4);
    k->arguments = sw_device_alloc(r->device, 64);
    k->arguments[0] = (uint64_t)(uintptr_t)k->memory;
    return true;
}
static void run_kernel(struct kernel *k) {
    memset(k->memory, 0xa5, WORDS * 4);
    assert_int_equal(rig_run(&k->rig, k->arguments, ITEMS, GROUP, NULL), SW_OK);
}
static bool is_compiled(const struct kernel *k) {
    return sw_device_tier(k->rig.device, NULL) == SW_TIER_COMPILED;
}
static bool compiler_here(void) {
    struct kernel k;
#if defined(__SANITIZE_THREAD__)
    return false; // stand-ins are not compiled
#endif
    assert_true(open_kernel(&k, kernels[0].code, SW_TIER_COMPILED, NULL, 0));
    const bool here = is_compiled(&k);
    rig_close(&k.rig);
    return here;
}
static unsigned regions(const struct kernel *k) {
    unsigned n = 0;
    for (const struct native_region *r = k->rig.executable->programs->native; r; r = r->next)
        n += r->copies != NULL;
    return n;
}

static void same_results(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    static const char *const levels[] = {"v3", "v4"};
    static const unsigned parts[] = {1, PART, 4 * PART};
    static uint32_t want[WORDS];
    for (size_t n = 0; n < KERNELS; n++) {
        struct kernel k;
        assert_true(open_kernel(&k, kernels[n].code, SW_TIER_INTERPRETER, NULL, 0));
        run_kernel(&k);
        memcpy(want, k.memory, sizeof want);
        rig_close(&k.rig);
        for (size_t i = 0; i < 6; i++) {
            if (!open_kernel(&k, kernels[n].code, SW_TIER_COMPILED, levels[i % 2], parts[i / 2])) continue;
            for (int twice = 0; twice < 2; twice++) {
                run_kernel(&k);
                for (unsigned w = 0; w < WORDS; w++)
                    if (k.memory[w] != want[w])
                        fail_msg("%s at %s in parts of %u bytes: word %u is %x, not %x", kernels[n].name,
                                 levels[i % 2], parts[i / 2], w, k.memory[w], want[w]);
            }
            assert_true(is_compiled(&k));
            if (regions(&k) < 3) fail_msg("%s: %u parts", kernels[n].name, regions(&k));
            rig_close(&k.rig);
        }
    }
}

// A fault is of the instruction, wave and lane that it is of at the lowest tier.
static void same_fault(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    static const char code[] = BEGIN " .rept 20\n v_add_u32 v3, v3, v1\n .endr\n v_mov_b32 v7, s5\n"
                                     " v_mov_b32 v6, s4\n v_cmp_eq_u32 vcc, 300, v1\n"
                                     " v_cndmask_b32 v7, v7, v4, vcc\n v_cndmask_b32 v6, v6, v4, vcc\n"
                                     " .rept 20\n v_add_u32 v3, v3, v1\n .endr\n"
                                     " global_load_dword v4, v[6:7], off offset:1\n s_waitcnt vmcnt(0)\n" END;
    sw_fault want = {.size = sizeof want};
    for (int i = 0; i < 3; i++) {
        struct kernel k;
        sw_fault is = {.size = sizeof is};
        assert_true(open_kernel(&k, code, i ? SW_TIER_COMPILED : SW_TIER_INTERPRETER, NULL, i * PART));
        assert_int_equal(rig_run(&k.rig, k.arguments, ITEMS, GROUP, &is), SW_FAULTED);
        if (!i) want = is;
        assert_int_equal(is.kind, want.kind);
        assert_int_equal(is.code_offset, want.code_offset);
        assert_int_equal(is.group[0], 300 / GROUP);
        assert_int_equal(is.wave, want.wave);
        assert_int_equal(is.lane, 300 % GROUP % 64);
        assert_int_equal(is.address, want.address);
        rig_close(&k.rig);
    }
}

#if !defined(__SANITIZE_THREAD__)
// Parts cover all steps once and begin with an instruction; what is in the innermost loops comes first, and a
// loop that fits into a part is in one.
static void where_to_cut(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    struct kernel k;
    assert_true(open_kernel(&k, kernels[1].code, SW_TIER_NATIVE, NULL, 0));
    run_kernel(&k);
    struct program *p = k.rig.executable->programs;
    struct plan plan;
    pthread_mutex_lock(&p->lock);
    assert_true(fused_plan(&plan, p, sw_device_level(k.rig.device), p->built.items[0].ops, 1000, false));
    uint32_t inner_begin = 0, inner_end = 0;
    for (uint32_t i = 0; i < plan.steps.count && !inner_end; i++)
        if (plan.steps.items[i].target >= 0 && plan.steps.items[i].target <= (int64_t)i)
            inner_begin = (uint32_t)plan.steps.items[i].target, inner_end = i + 1;
    assert_in_range(inner_end, inner_begin + 4, plan.steps.count);
    assert_in_range(plan.loops_end, inner_end + 40, plan.steps.count);
    unsigned together = 0;
    bool *some = cut_find_some(&plan);
    assert_non_null(some);
    for (unsigned most = 1; most < 20000; most += most / 3 + 1) {
        struct cuts cuts;
        uint32_t covered = 0;
        uint64_t inner = 0;
        for (uint32_t i = inner_begin; i < inner_end; i++)
            inner += plan.image->stencils[plan.steps.items[i].piece].size;
        assert_true(cut_plan(&plan, most, &cuts));
        for (size_t n = 0; n < cuts.parts.count; n++) {
            const struct cut *c = &cuts.parts.items[n];
            struct plan part;
            covered += c->end - c->begin;
            assert_true(plan.steps.items[c->begin].is_first);
            assert_true(!n || c->depth <= c[-1].depth);
            for (size_t m = 0; m < n; m++)
                assert_true(cuts.parts.items[m].end <= c->begin || cuts.parts.items[m].begin >= c->end);
            assert_true(cut_part(&plan, c, some, &part));
            assert_true(part.steps.items[0].is_entry);
            for (size_t i = 0; i < part.steps.count; i++) {
                const struct step *s = &part.steps.items[i];
                assert_true(s->target < (int64_t)part.steps.count);
                assert_int_equal(s->goes_on, i >= c->end - c->begin);
                if (i < c->end - c->begin) assert_ptr_equal(part.ops.items[i], plan.ops.items[c->begin + i]);
            }
            plan_free(&part);
            together += c->begin <= inner_begin && c->end >= inner_end && cuts.parts.count > 1;
            if (c->begin > inner_begin && c->begin < inner_end && inner * 2 < most)
                fail_msg("parts of %u bytes: a loop of %u is cut", most, (unsigned)inner);
        }
        assert_int_equal(covered, plan.steps.count);
        assert_int_equal(cuts.parts.items[0].depth, 2);
        cuts_free(&cuts);
    }
    assert_in_range(together, 1, 100);
    pthread_mutex_unlock(&p->lock);
    free(some);
    plan_free(&plan);
    rig_close(&k.rig);
}

// Parts are entered with some lanes where a branch that asks EXEC leads around them or back, but not if all
// of the kernel is under one condition.
static void where_lanes_part(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    static const char guarded[] = BEGIN " v_cmp_gt_u32 vcc, 600, v1\n s_and_saveexec_b64 s[10:11], vcc\n"
                                        " s_cbranch_execz over\n v_add_u32 v3, v3, v1\n" //
                                        " global_store_dwordx2 v2, v[3:4], s[4:5]\nover: s_endpgm\n";
    for (int i = 0; i < 2; i++) {
        struct kernel k;
        assert_true(open_kernel(&k, i ? guarded : kernels[2].code, SW_TIER_NATIVE, NULL, 0));
        run_kernel(&k);
        struct program *p = k.rig.executable->programs;
        struct plan plan;
        pthread_mutex_lock(&p->lock);
        assert_true(fused_plan(&plan, p, sw_device_level(k.rig.device), p->built.items[0].ops, 1000, false));
        bool *some = cut_find_some(&plan);
        assert_non_null(some);
        unsigned asks = 0, inside = 0;
        for (uint32_t n = 0; n < plan.steps.count; n++) {
            asks += plan.steps.items[n].asks_exec;
            inside += some[n];
        }
        assert_int_equal(asks, i ? 1 : 2);
        assert_false(some[0]);
        if (i)
            assert_int_equal(inside, 0);
        else
            assert_in_range(inside, 30, plan.steps.count - 10);
        for (uint32_t n = 1; n + 1 < plan.steps.count && !i; n++) {
            const struct cut c = {.begin = n, .end = (uint32_t)plan.steps.count};
            struct plan part;
            assert_true(cut_part(&plan, &c, some, &part));
            assert_int_equal(part.steps.items[0].takes_some, some[n]);
            plan_free(&part);
        }
        free(some);
        pthread_mutex_unlock(&p->lock);
        plan_free(&plan);
        rig_close(&k.rig);
    }
}

// By default, too: the parts of a kernel count as one, and are on trial together.
static void by_default(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    struct kernel k;
    static uint32_t want[WORDS];
    setenv("SOFTWAVE_TIER_UP", "8000", 1);
    assert_true(open_kernel(&k, kernels[1].code, SW_TIER_BEST, NULL, PART));
    run_kernel(&k);
    memcpy(want, k.memory, sizeof want);
    const struct tier_up *t = &k.rig.device->pool.tier_up;
    struct program *p = k.rig.executable->programs;
    for (int n = 0; n < 5000; n++) {
        run_kernel(&k);
        assert_memory_equal(k.memory, want, sizeof want);
        compiler_settle();
        if (t->compiled) break;
    }
    assert_int_equal(t->compiled, 1);
    const unsigned made = regions(&k);
    assert_in_range(made, 3, 100);
    unsigned beside = 0;
    pthread_mutex_lock(&p->lock);
    struct native_region *all = fused_newest(p);
    while (!all->copies) all = all->next; // native code is newer
    for (const struct native_region *r = all; r; r = r->beside) beside++;
    assert_int_equal(beside, made);
    for (int enter = 0; enter < 2; enter++) {
        fused_enter(all, enter);
        for (const struct native_region *r = all; r; r = r->beside)
            for (size_t i = 0; i < r->entry_count; i++)
                assert_int_equal(r->entries[i].op->fn == r->entries[i].own, enter);
    }
    pthread_mutex_unlock(&p->lock);
    for (int n = 0; n < 200; n++) {
        run_kernel(&k);
        assert_memory_equal(k.memory, want, sizeof want);
    }
    unsetenv("SOFTWAVE_TIER_UP");
    rig_close(&k.rig);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_results),
        cmocka_unit_test(same_fault),
#if !defined(__SANITIZE_THREAD__)
        cmocka_unit_test(where_to_cut),
        cmocka_unit_test(where_lanes_part),
        cmocka_unit_test(by_default),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
