// SPDX-License-Identifier: MIT
// Compiled code is timed against native code, and what is slower is not entered any more; results are the
// same in every phase. The device says which tier code has got, and why no higher one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "device/device.h"
#include "jit/compiler.h"
#include "jit/fused.h"
#include "jit/trial.h"
#include "piece.h"
#include "rig.h"

#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 12\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"        \
    ".amdhsa_system_sgpr_workgroup_id_x 1\n"

enum { GROUPS = 100, ITEMS = 64 * GROUPS, TURNS = 40 };

struct kernel {
    struct rig rig;
    uint32_t *memory;
    uint64_t *arguments;
};

static void open_kernel(struct kernel *k, sw_tier tier, const char *code) {
    static char text[1 << 16];
    *k = (struct kernel){0};
    struct rig *r = &k->rig;
    assert_true(rig_text(text, sizeof text, code, DESCRIPTOR));
    assert_non_null(r->object = rig_object("gfx900", text, &r->image));
    const sw_device_options o = {
        .size = sizeof o, .threads = 2, .target = *sw_object_target(r->object), .tier = tier, .cache = ""};
    assert_int_equal(sw_device_create(&o, &r->device, NULL), SW_OK);
    assert_int_equal(sw_device_load(r->device, r->object, NULL, NULL, &r->executable, NULL), SW_OK);
    k->memory = sw_device_alloc(r->device, ITEMS * 4);
    k->arguments = sw_device_alloc(r->device, 64);
    k->arguments[0] = (uint64_t)(uintptr_t)k->memory;
    k->arguments[1] = TURNS;
}
static void run_kernel(struct kernel *k) {
    memset(k->memory, 0xa5, ITEMS * 4);
    assert_int_equal(rig_run(&k->rig, k->arguments, ITEMS, 64, NULL), SW_OK);
}

// The kernel of the tests, and what it leaves.
static const char *work(void) {
    static char source[4096];
    path_beside(source, __FILE__, "test_tier_up.c");
    return piece_of(source, "work");
}
static uint32_t want[ITEMS];
static void find_wanted(void) {
    struct kernel k;
    open_kernel(&k, SW_TIER_INTERPRETER, work());
    run_kernel(&k);
    memcpy(want, k.memory, sizeof want);
    rig_close(&k.rig);
}
static void check_run(struct kernel *k) {
    run_kernel(k);
    assert_memory_equal(k->memory, want, sizeof want);
}

static bool compiler_here(void) {
#if defined(__SANITIZE_THREAD__)
    return false; // a stand-in has no entries
#endif
    struct kernel k;
    open_kernel(&k, SW_TIER_COMPILED, work());
    const bool here = sw_device_tier(k.rig.device, NULL) == SW_TIER_COMPILED;
    rig_close(&k.rig);
    return here;
}
static struct hot_kernel *hot_of(const struct rig *r) {
    for (struct program *p = r->executable->programs; p; p = p->next)
        for (size_t i = 0; i < sizeof p->kernels / sizeof *p->kernels; i++)
            if (p->kernels[i]) return p->kernels[i];
    return NULL;
}
// Runs a kernel until it is compiled.
static struct hot_kernel *compile(struct kernel *k, bool keeps) {
    find_wanted();
    open_kernel(k, SW_TIER_BEST, work());
    k->rig.device->pool.tier_up.keeps = keeps;
    for (int n = 0; n < 50 && !(hot_of(&k->rig) && hot_of(&k->rig)->compiled); n++) {
        check_run(k);
        compiler_settle();
    }
    assert_int_equal(hot_of(&k->rig)->compiled, 1);
    return hot_of(&k->rig);
}
// The code is on trial from here on. No group has been timed, and no other code will come.
static struct hot_kernel *begin_trial(struct kernel *k) {
    struct hot_kernel *h = compile(k, true);
    struct program *p = k->rig.executable->programs;
    h->due = UINT64_MAX;
    pthread_mutex_lock(&p->lock);
    trial_begin(&k->rig.device->pool.tier_up, p, h, fused_newest(p));
    pthread_mutex_unlock(&p->lock);
    assert_int_not_equal(h->trial.phase, 0);
    return h;
}
// Real groups, that are not timed.
static void check_untimed(struct kernel *k, struct hot_kernel *h) {
    const uint32_t phase = h->trial.phase;
    h->trial.phase = 0;
    check_run(k);
    h->trial.phase = phase;
}
static bool enters(const struct kernel *k, const struct hot_kernel *h) {
    struct program *p = k->rig.executable->programs;
    pthread_mutex_lock(&p->lock);
    const bool has = fused_has(p, h->entry);
    pthread_mutex_unlock(&p->lock);
    return has;
}

// ---- What times say ----

static void fill(double *rates, double with, double without) {
    for (unsigned i = 0; i < TRIAL_PHASES; i++) rates[i] = trial_is_without(i) ? without : with;
}
static void verdicts(void **state) {
    (void)state;
    static const struct {
        double with, without;
        unsigned at; // number of phases that are enough
        enum verdict v;
    } cases[] = {{1, 2, 4, VERDICT_KEEP},     {2, 1, 4, VERDICT_REFUSE},  {1, 1.3, 8, VERDICT_KEEP},
                 {1.3, 1, 8, VERDICT_REFUSE}, {1, 1.1, 16, VERDICT_KEEP}, {1.1, 1, 16, VERDICT_REFUSE},
                 {1, 1, 16, VERDICT_KEEP},    {1.01, 1, 16, VERDICT_KEEP}};
    double rates[TRIAL_PHASES];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fill(rates, cases[i].with, cases[i].without);
        for (unsigned n = 0; n <= TRIAL_PHASES; n++)
            if (n < cases[i].at)
                assert_int_equal(trial_verdict(rates, n), VERDICT_UNKNOWN);
            else if (n == cases[i].at)
                assert_int_equal(trial_verdict(rates, n), cases[i].v);
    }
    // Phases that are long and short in turns say nothing of the tiers: the code is kept.
    for (unsigned i = 0; i < TRIAL_PHASES; i++) rates[i] = i & 1 ? 10 : 1;
    for (unsigned n = 0; n < TRIAL_PHASES; n++) assert_int_equal(trial_verdict(rates, n), VERDICT_UNKNOWN);
    assert_int_equal(trial_verdict(rates, TRIAL_PHASES), VERDICT_KEEP);
    // One outlier does not decide.
    fill(rates, 1, 1.1);
    rates[0] = 100;
    assert_int_equal(trial_verdict(rates, TRIAL_PHASES), VERDICT_KEEP);
}

// ---- Trials ----

// Tells of groups that take so long with the code and without it, and runs real ones in each phase.
static void feed(struct kernel *k, struct hot_kernel *h, uint64_t with, uint64_t without) {
    struct program *p = k->rig.executable->programs;
    struct tier_up *t = &k->rig.device->pool.tier_up;
    for (int n = 0; h->trial.phase && n < 100; n++) {
        trial_add(t, p, h, h->trial.phase, h->trial.paused ? without : with, 100);
        assert_int_equal(enters(k, h), !h->trial.paused);
        if (n < 8) check_untimed(k, h);
    }
    assert_int_equal(h->trial.phase, 0);
}

static void slower_is_refused(void **state) {
    (void)state;
    const char *why = NULL;
    if (!compiler_here()) skip();
    struct kernel k;
    struct hot_kernel *h = begin_trial(&k);
    feed(&k, h, 3000000000u, 1000000000u);
    assert_false(enters(&k, h));
    assert_int_equal(sw_device_tier(k.rig.device, &why), SW_TIER_NATIVE);
    assert_non_null(why);
    assert_non_null(strstr(why, "slower"));
    struct program *p = k.rig.executable->programs;
    assert_null(fused_wave_loop(p, h->entry, false).usual.run);
    pthread_mutex_lock(&p->lock);
    assert_true(fused_was_made(p, h->entry));
    pthread_mutex_unlock(&p->lock);
    // A later launch remembers it.
    check_run(&k);
    assert_false(enters(&k, h));
    rig_close(&k.rig);
}

static void faster_is_kept(void **state) {
    (void)state;
    const char *why = "";
    if (!compiler_here()) skip();
    struct kernel k;
    struct hot_kernel *h = begin_trial(&k);
    feed(&k, h, 1000000000u, 3000000000u);
    assert_true(enters(&k, h));
    assert_int_equal(sw_device_tier(k.rig.device, &why), SW_TIER_COMPILED);
    assert_null(why);
    check_run(&k);
    rig_close(&k.rig);
}

// A group that does not end while its kernel's code is not entered does not wait for that.
static void endless_groups(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    struct kernel k;
    struct hot_kernel *h = begin_trial(&k);
    struct program *p = k.rig.executable->programs;
    struct tier_up *t = &k.rig.device->pool.tier_up;
    while (h->trial.phase && !h->trial.paused) {
        trial_add_unfinished(t, p, h, 2000000000u); // with the code it may take its time
        assert_int_not_equal(h->trial.phase, 0);
        trial_add(t, p, h, h->trial.phase, 1000000000u, 100);
    }
    trial_add_unfinished(t, p, h, 400000000u);
    assert_int_not_equal(h->trial.phase, 0);
    trial_add_unfinished(t, p, h, 700000000u);
    assert_int_equal(h->trial.phase, 0);
    assert_true(enters(&k, h));
    check_run(&k);
    rig_close(&k.rig);
}

// By their own times: a trial ends in a few runs, and what the device says then is what is entered.
static void real_times(void **state) {
    (void)state;
    const char *why = NULL;
    if (!compiler_here()) skip();
    struct kernel k;
    struct hot_kernel *h = compile(&k, false);
    assert_int_not_equal(h->trial.last_phase, 0);
    for (int n = 0; n < 500 && __atomic_load_n(&h->trial.phase, __ATOMIC_RELAXED); n++) check_run(&k);
    compiler_settle(); // which may have begun another one, of the full configuration
    for (int n = 0; n < 500 && __atomic_load_n(&h->trial.phase, __ATOMIC_RELAXED); n++) check_run(&k);
    assert_int_equal(h->trial.phase, 0);
    const sw_tier tier = sw_device_tier(k.rig.device, &why);
    assert_int_equal(tier, enters(&k, h) ? SW_TIER_COMPILED : SW_TIER_NATIVE);
    assert_int_equal(why != NULL, tier == SW_TIER_NATIVE);
    check_run(&k);
    rig_close(&k.rig);
}

// What is on trial goes away, or gets other code.
static void gone_on_trial(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    for (int i = 0; i < 3; i++) {
        struct kernel k;
        struct hot_kernel *h = begin_trial(&k);
        struct program *p = k.rig.executable->programs;
        if (i == 1) {
            const uint64_t base = sw_executable_base(k.rig.executable);
            assert_int_equal(sw_device_code_changed(k.rig.device, base, 4096), SW_OK);
            check_run(&k);
            check_run(&k);
        } else if (i) {
            pthread_mutex_lock(&p->lock); // waves go on in the interpreter
            p->retired = true;
            pthread_mutex_unlock(&p->lock);
            feed(&k, h, 3000000000u, 1000000000u);
            check_run(&k);
        }
        rig_close(&k.rig);
    }
}

// ---- What the device says ----

#define LONG_BEGIN                                                                                           \
    "s_load_dwordx2 s[4:5], s[0:1], 0x0\n v_lshl_add_u32 v1, s2, 6, v0\n v_lshlrev_b32 v1, 2, v1\n"          \
    "v_mov_b32 v2, 0\n s_cmp_eq_u32 s2, 5\n"
#define LONG_END "s_waitcnt lgkmcnt(0)\n global_store_dword v1, v2, s[4:5]\n s_endpgm\n"
#define LONG_PART                                                                                            \
    ".macro part\n s_cbranch_scc1 l\\@\n v_add_u32 v2, v2, v0\n l\\@: v_add_u32 v2, v2, v0\n .endm\n"
#define TOO_LONG LONG_BEGIN ".rept 9000\n v_add_u32 v2, v2, v0\n .endr\n" LONG_END
static void too_long(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    const sw_tier tiers[] = {SW_TIER_COMPILED, SW_TIER_BEST};
    for (int i = 0; i < 2; i++) {
        struct kernel k;
        const char *why = NULL;
        open_kernel(&k, tiers[i], TOO_LONG);
        for (int n = 0; n < 30; n++) {
            run_kernel(&k);
            compiler_settle();
        }
        for (uint32_t n = 0; n < ITEMS; n++) assert_int_equal(k.memory[n], 9000 * (n % 64));
        assert_int_equal(sw_device_tier(k.rig.device, &why), SW_TIER_NATIVE);
        assert_non_null(why);
        assert_non_null(strstr(why, "too long"));
        rig_close(&k.rig);
    }
}

// What cannot be compiled at once is not tried again at each launch, and does not count as compiled.
static void count_plans(void *context, const char *phase, const char *text, size_t length) {
    (void)phase, (void)text, (void)length;
    ++*(unsigned *)context;
}
static void refused_once(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    for (int too_large = 0; too_large < 2; too_large++) {
        struct kernel k;
        const char *why = NULL;
        unsigned tries = 0;
        open_kernel(&k, SW_TIER_COMPILED, too_large ? work() : TOO_LONG);
        struct tier_up *t = &k.rig.device->pool.tier_up;
        t->dump = (struct jit_dump){strdup("plan"), count_plans, &tries};
        t->most = 10;
        for (int n = 0; n < 5; n++) run_kernel(&k);
        assert_int_equal(tries, too_large ? 2 : 0); // as a whole and in parts
        assert_int_equal(k.rig.executable->programs->fusions, too_large);
        assert_int_equal(sw_device_tier(k.rig.device, &why), SW_TIER_NATIVE);
        assert_non_null(why);
        assert_non_null(strstr(why, too_large ? "too large" : "too long"));
        rig_close(&k.rig);
    }
}

// A kernel that is longer than most may be is compiled at once; else in parts, and as a whole when it has run
// for longer than others.
static void long_and_hot(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    static const char branches[] = LONG_BEGIN LONG_PART ".rept 150\n part\n .endr\n" LONG_END;
    const sw_tier tiers[] = {SW_TIER_COMPILED, SW_TIER_BEST};
    for (int i = 0; i < 2; i++) {
        struct kernel k;
        open_kernel(&k, tiers[i], branches);
        k.rig.device->pool.tier_up.keeps = true;
        const struct tier_up *t = &k.rig.device->pool.tier_up;
        const uint64_t due = tier_up_threshold() * TIER_UP_LONG / (GROUPS * WAVE_WEIGHT); // runs
        uint64_t runs = 0;
        const unsigned wanted = tiers[i] == SW_TIER_COMPILED ? 1 : 2;
        uint64_t first = 0;
        for (; runs < 10 * due && t->compiled < wanted; runs++) {
            run_kernel(&k);
            compiler_settle();
            if (t->compiled && !first) first = runs + 1;
        }
        assert_int_equal(t->compiled, wanted);
        if (tiers[i] == SW_TIER_COMPILED)
            assert_int_equal(runs, 1);
        else {
            assert_in_range(first, 1, due / 2 - 1);
            assert_in_range(runs, due / 2, 10 * due);
        }
        run_kernel(&k);
        for (uint32_t n = 0; n < ITEMS; n++)
            assert_int_equal(k.memory[n], (n / 64 == 5 ? 150 : 300) * (n % 64));
        rig_close(&k.rig);
    }
}

// A kernel that is too large for the quick configuration, where it can be compiled in full, is when it has
// run for as long as one of too many steps.
static void too_large_and_hot(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    struct kernel k;
    const char *why = NULL;
    find_wanted();
    open_kernel(&k, SW_TIER_BEST, work());
    struct tier_up *t = &k.rig.device->pool.tier_up;
    t->keeps = true;
    t->most = 10;
    while (!hot_of(&k.rig) || !hot_of(&k.rig)->steps) {
        check_run(&k);
        compiler_settle();
    }
    const struct hot_kernel *h = hot_of(&k.rig);
    assert_int_equal(sw_device_tier(k.rig.device, &why), SW_TIER_NATIVE);
    assert_non_null(strstr(why, "too large"));
    assert_int_not_equal(h->due, UINT64_MAX);
    t->most = 0;
    for (int n = 0; n < 10000 && !t->compiled; n++) {
        check_run(&k);
        compiler_settle();
    }
    assert_int_equal(t->compiled, 1);
    assert_int_equal(h->compiled, 0); // quick
    assert_int_equal(h->full_steps, h->steps);
    assert_true(h->weight >= tier_up_threshold() * TIER_UP_LONG);
    check_run(&k);
    rig_close(&k.rig);
}

int main(void) {
    setenv("SOFTWAVE_TIER_UP", "8000", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),       cmocka_unit_test(slower_is_refused),
        cmocka_unit_test(faster_is_kept), cmocka_unit_test(endless_groups),
        cmocka_unit_test(real_times),     cmocka_unit_test(gone_on_trial),
        cmocka_unit_test(too_long),       cmocka_unit_test(refused_once),
        cmocka_unit_test(long_and_hot),   cmocka_unit_test(too_large_and_hot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
