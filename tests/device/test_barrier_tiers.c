// SPDX-License-Identifier: MIT
// Waves of a group that run across barriers in one compiled loop: what they leave is what the interpreter
// leaves, where they wait with lanes off, at different barriers, for waves that end, or for other groups;
// where one faults, and where somebody stops them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <stdlib.h>

#include "device/device.h"
#include "jit/compiler.h"
#include "jit/join.h"
#include "piece.h"
#include "rig.h"

enum { WORDS = 8, MOST = 2048 * WORDS };
static const sw_tier tiers[] = {SW_TIER_INTERPRETER, SW_TIER_NATIVE, SW_TIER_COMPILED};
enum { TIERS = sizeof tiers / sizeof *tiers };

struct kind {
    const char *processor, *level;
    bool wave32, guarded, is_split; // barriers have two halves
    unsigned wide;                  // rows of the work-group have 1 << wide items; 0: it is one row
};
static const struct kind kinds[] = {
    {"gfx1030", "v4", true, false},      {"gfx1030", "v3", true, false}, {"gfx1030", "v4", true, true},
    {"gfx1030", "v3", true, true},       {"gfx90a", "v4", false, false}, {"gfx90a", "v3", false, false},
    {"gfx90a", "v4", false, true},       {"gfx90a", "v3", false, true},  {"gfx1201", "v4", true, true, true},
    {"gfx1200", "v3", true, false, true}};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct run {
    struct rig r;
    uint32_t *y;
    uint64_t *kernarg;
    sw_dispatch q;
};

// False: the host does not have this level.
static bool begin(struct run *t, const struct kind *k, sw_tier tier, const char *piece, unsigned bad,
                  uint32_t items, uint32_t group) {
    char code[8192], text[16384], directives[512];
    *t = (struct run){0};
    snprintf(code, sizeof code,
             ".set WAVE32, %d\n.set SHIFT, %d\n.set SPLIT, %d\n.set BAD, %u\n.set WIDE, %u\n%s%s%s",
             k->wave32, k->wave32 ? 0 : 1, k->is_split, bad, k->wide, PIECE("prolog"), piece,
             PIECE("epilog"));
    snprintf(directives, sizeof directives,
             ".amdhsa_next_free_vgpr 12\n.amdhsa_next_free_sgpr 40\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
             ".amdhsa_system_sgpr_workgroup_id_x 1\n.amdhsa_group_segment_fixed_size 4096\n%s%s",
             k->wide ? ".amdhsa_system_vgpr_workitem_id 1\n" : "",
             k->wave32 ? ".amdhsa_wavefront_size32 1\n" : ".amdhsa_accum_offset 12\n");
    assert_true(rig_text(text, sizeof text, code, directives));
    assert_non_null(t->r.object = rig_object(k->processor, text, &t->r.image));
    const sw_device_options o = {.size = sizeof o,
                                 .threads = 1,
                                 .target = *sw_object_target(t->r.object),
                                 .tier = tier,
                                 .level = k->level,
                                 .cache = rig_cache()};
    if (sw_device_create(&o, &t->r.device, NULL) != SW_OK) {
        rig_close(&t->r);
        return false;
    }
    if (k->guarded) assert_int_equal(sw_device_guard_memory(t->r.device), SW_OK);
    assert_int_equal(sw_device_load(t->r.device, t->r.object, NULL, NULL, &t->r.executable, NULL), SW_OK);
    assert_non_null(t->y = sw_device_alloc(t->r.device, MOST * 4));
    t->kernarg = sw_device_alloc(t->r.device, 4096); // apart from the results, so that it stays the same
    memset(t->y, 0x5a, MOST * 4);
    t->kernarg[0] = (uint64_t)(uintptr_t)t->y, t->kernarg[1] = group;
    t->q = rig_dispatch(t->r.object, t->r.executable, "k", t->kernarg, items, group);
    if (k->wide) {
        t->q.block[0] = 1u << k->wide, t->q.grid[0] = items / group << k->wide;
        t->q.grid[1] = t->q.block[1] = group >> k->wide;
    }
    return true;
}

#if defined(__SANITIZE_THREAD__)
enum { STANDS_IN = true }; // for compiled code, which it cannot see
#else
enum { STANDS_IN = false };
#endif
enum went { NO_LOOP, BEGUN, TO_THE_END };
static enum went went(const struct run *t) {
    const struct worker *k = &t->r.device->pool.workers[0];
    return !k->wave_loop_of ? NO_LOOP : k->wave_loop_cost ? BEGUN : TO_THE_END;
}
static void check_went(const struct run *t, enum went right) {
    const bool compiled = sw_device_tier(t->r.device, NULL) == SW_TIER_COMPILED && !STANDS_IN;
    assert_int_equal(went(t), compiled ? right : NO_LOOP);
}

// Runs it twice at each tier, of which the first is right.
static void at_all_tiers(const struct kind *k, const char *piece, unsigned bad, uint32_t items,
                         uint32_t group, enum went how) {
    static uint32_t want[MOST];
    for (int i = 0; i < TIERS; i++) {
        struct run t;
        if (!begin(&t, k, tiers[i], piece, bad, items, group)) return;
        for (int twice = 0; twice < 2; twice++)
            assert_int_equal(sw_device_run(t.r.device, &t.q, NULL, NULL, NULL), SW_OK);
        if (!i) memcpy(want, t.y, sizeof want);
        for (uint32_t n = 0; n < MOST; n++)
            if (t.y[n] != want[n])
                fail_msg("%s %s%s, tier %d, %u items in groups of %u: dword %u of item %u is %#x, not %#x",
                         k->processor, k->level, k->guarded ? ", guarded" : "", i, items, group, n % WORDS,
                         n / WORDS, t.y[n], want[n]);
        check_went(&t, how);
        rig_close(&t.r);
    }
}

// Whole groups go through the loop; those with lanes that nobody has, and a last one of fewer waves, do not.
static void exchange(void **state) {
    (void)state;
    static const uint32_t sizes[][2] = {{1024, 256}, {2048, 1024}, {300, 128}, {256, 64}, {300, 100}};
    for (size_t k = 0; k < KINDS; k++)
        for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
            const bool gathers = !strcmp(kinds[k].level, "v4"); // from LDS; else handlers do that
            const enum went how = sizes[n][1] % 64 ? NO_LOOP : gathers ? TO_THE_END : BEGUN;
            at_all_tiers(&kinds[k], PIECE("exchange"), 0, sizes[n][0], sizes[n][1], how);
        }
}

// What a wave does not need behind a barrier is not kept there; what is replaced in part is.
static void replaced(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (uint32_t group = 64; group <= 1024; group *= 4)
            at_all_tiers(&kinds[k], PIECE("replaced"), 0, 1024, group,
                         strcmp(kinds[k].level, "v4") ? BEGUN : TO_THE_END);
}

// The same of scalar registers and of masks.
static void scalars(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (uint32_t group = 64; group <= 1024; group *= 4)
            at_all_tiers(&kinds[k], PIECE("scalars"), 0, 1024, group,
                         strcmp(kinds[k].level, "v4") ? BEGUN : TO_THE_END);
}

// Rows of half a chunk of the host's vectors, of one, and of more.
static void tile(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (unsigned wide = 2; wide <= 6; wide++) {
            struct kind kind = kinds[k];
            kind.wide = wide;
            const enum went how = strcmp(kind.level, "v4") ? BEGUN : TO_THE_END;
            at_all_tiers(&kind, PIECE("tile"), 0, 1024, 256, wide >= (how == BEGUN ? 3 : 4) ? how : NO_LOOP);
        }
}

// Accesses to LDS by one register, of which some waves have some outside.
static void far(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (unsigned bad = 0; bad <= 1024; bad = bad ? 4 * bad : 4)
            at_all_tiers(&kinds[k], PIECE("far"), bad, 1024, 256,
                         bad || strcmp(kinds[k].level, "v4") ? BEGUN : TO_THE_END);
}

// Roots and quotients of what all lanes have, which waves have in common, or not.
static void roots(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        at_all_tiers(&kinds[k], PIECE("roots"), 0, 1024, 256,
                     strcmp(kinds[k].level, "v4") ? BEGUN : TO_THE_END);
}

// A barrier in two halves is one if only what is the wave's own stands between them. Without the other half,
// of other numbers, and with anything else between, waves leave there, and no loop begins.
static void split(void **state) {
    (void)state;
    enum { OTHERS = 12 };
    for (size_t k = 0; k < KINDS; k++) {
        const enum went how = strcmp(kinds[k].level, "v4") ? BEGUN : TO_THE_END;
        if (!kinds[k].is_split) continue;
        for (uint32_t group = 64; group <= 1024; group *= 4)
            at_all_tiers(&kinds[k], PIECE("split"), 0, 2048, group, how);
        for (uint32_t group = 32; group <= 256; group *= 8)
            for (unsigned other = 0; other <= OTHERS; other++)
                at_all_tiers(&kinds[k], PIECE("apart"), other, 512, group, other ? NO_LOOP : how);
    }
}

// Who observes a launch sees each wave at each barrier, also where others went through the loop.
static void count_barriers(void *context, const sw_step *step) {
    static const uint8_t barriers[][4] = {
        {0, 0, 0x8a, 0xbf}, {0xc1, 0x4e, 0x80, 0xbe}, {0xff, 0xff, 0x94, 0xbf}}; // and both halves of one
    uint32_t *seen = context;
    for (size_t i = 0; i < sizeof barriers / sizeof *barriers; i++)
        if (!memcmp(step->bytes, barriers[i], sizeof barriers[i])) seen[step->group[0] * 8 + step->wave]++;
}
static void observed(void **state) {
    (void)state;
    enum { GROUP = 256, GROUPS = 4, ROUNDS = 6 };
    static uint32_t want[MOST];
    for (size_t k = 0; k < KINDS; k++)
        for (int i = 0; i < TIERS; i++) {
            struct run t;
            const unsigned waves = GROUP / (kinds[k].wave32 ? 32 : 64), each = kinds[k].is_split ? 2 : 1;
            if (!begin(&t, &kinds[k], tiers[i], PIECE("exchange"), 0, GROUPS * GROUP, GROUP)) break;
            for (int n = 0; n < 3; n++) { // the second time it is observed
                uint32_t seen[GROUPS * 8] = {0};
                memset(t.y, 0x5a, MOST * 4);
                t.q.observe = n == 1 ? count_barriers : NULL;
                t.q.observe_context = seen;
                assert_int_equal(sw_device_run(t.r.device, &t.q, NULL, NULL, NULL), SW_OK);
                if (!i && !n) memcpy(want, t.y, sizeof want);
                assert_memory_equal(t.y, want, sizeof want);
                for (unsigned w = 0; w < GROUPS * 8; w++)
                    assert_int_equal(seen[w], n == 1 && w % 8 < waves ? each * 2 * ROUNDS : 0);
            }
            check_went(&t, !strcmp(kinds[k].level, "v4") ? TO_THE_END : BEGUN);
            rig_close(&t.r);
        }
}

// By default the loop comes last, made by itself. Until then, and from then on, all is as it was.
static const struct native_region *newest(const struct run *t) {
    const struct native_region *last = NULL;
    for (struct program *p = t->r.executable->programs; p; p = p->next) {
        pthread_mutex_lock(&p->lock);
        for (const struct native_region *r = p->native; r && !last; r = r->next)
            if (r->copies) last = r;
        pthread_mutex_unlock(&p->lock);
    }
    return last;
}
static void by_default(void **state) {
    (void)state;
    enum { ITEMS = 1024, GROUP = 256, MOST_RUNS = 600 };
    static uint32_t want[MOST];
    if (STANDS_IN) skip();
    setenv("SOFTWAVE_TIER_UP", "2000", 1);
    for (size_t k = 0; k < KINDS; k++) {
        struct run t;
        bool usual = false, group = false;
        if (!begin(&t, &kinds[k], SW_TIER_COMPILED, PIECE("exchange"), 0, ITEMS, GROUP)) continue;
        const bool here = sw_device_tier(t.r.device, NULL) == SW_TIER_COMPILED;
        rig_close(&t.r);
        if (!here || !begin(&t, &kinds[k], SW_TIER_BEST, PIECE("exchange"), 0, ITEMS, GROUP)) continue;
        t.r.device->pool.tier_up.keeps = true;
        for (int n = 0; n < MOST_RUNS && !group; n++) {
            memset(t.y, 0x5a, MOST * 4);
            assert_int_equal(sw_device_run(t.r.device, &t.q, NULL, NULL, NULL), SW_OK);
            if (!n) memcpy(want, t.y, sizeof want);
            assert_memory_equal(t.y, want, sizeof want);
            assert_int_equal(went(&t), NO_LOOP);
            compiler_settle();
            const struct native_region *r = newest(&t);
            group = r && r->group.run;
            usual |= r && !group;
            if (r) assert_true(group ? !r->entry_count : r->entry_count > 0);
        }
        assert_true(usual);
        assert_true(group);
        for (int n = 0; n < 2; n++) {
            memset(t.y, 0x5a, MOST * 4);
            assert_int_equal(sw_device_run(t.r.device, &t.q, NULL, NULL, NULL), SW_OK);
            assert_memory_equal(t.y, want, sizeof want);
        }
        const bool gathers = !strcmp(kinds[k].level, "v4");
        assert_int_equal(went(&t), gathers ? TO_THE_END : BEGUN);
        rig_close(&t.r);
    }
    unsetenv("SOFTWAVE_TIER_UP");
}

// Waves that end while others wait, or that wait where others have ended, go on without the loop.
static void ends(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (unsigned how = 0; how < 3; how++) {
            at_all_tiers(&kinds[k], PIECE("ends"), how, 512, 256, BEGUN);
            at_all_tiers(&kinds[k], PIECE("ends"), how, 1024, 512, BEGUN);
        }
}

// A lane that faults between barriers: where it is, its registers, and where all waves stand.
static void faults(void **state) {
    (void)state;
    enum { GROUP = 256, WAVES = 16 };
    for (size_t k = 0; k < KINDS; k++)
        for (unsigned bad = 3; bad < GROUP; bad += 95) {
            sw_fault fault[TIERS];
            sw_wave_state at[TIERS][WAVES];
            uint32_t registers[12 * 64];
            uint64_t code[TIERS];
            const uint32_t lanes = kinds[k].wave32 ? 32 : 64;
            for (int i = 0; i < TIERS; i++) {
                struct run t;
                if (!begin(&t, &kinds[k], tiers[i], PIECE("bad"), bad, 3 * GROUP, GROUP)) break;
                memset(at[i], 0, sizeof at[i]);
                at[i][0].size = sizeof at[i][0];
                t.q.waves = at[i], t.q.wave_capacity = WAVES;
                fault[i] = (sw_fault){.size = sizeof *fault};
                assert_int_equal(sw_device_run(t.r.device, &t.q, &fault[i], NULL, NULL), SW_FAULTED);
                code[i] = sw_executable_base(t.r.executable);
                assert_int_equal(fault[i].kind, SW_FAULT_READ);
                assert_int_equal(fault[i].group[0], 1);
                assert_int_equal(fault[i].wave, bad / lanes);
                assert_int_equal(fault[i].lane, bad % lanes);
                assert_int_equal(fault[i].code_offset, fault[0].code_offset);
                assert_int_equal(fault[i].waves, fault[0].waves);
                for (size_t n = 0; n < fault[i].waves && n < WAVES; n++) {
                    assert_int_equal(at[i][n].wave, at[0][n].wave);
                    assert_int_equal(at[i][n].doing, at[0][n].doing);
                    assert_int_equal(at[i][n].exec, at[0][n].exec);
                    assert_true(at[i][n].pc - code[i] == at[0][n].pc - code[0]);
                    assert_int_equal(at[i][n].arrived, at[0][n].arrived);
                    assert_int_equal(at[i][n].expected, at[0][n].expected);
                }
                for (unsigned n = 0; n < GROUP / lanes; n++) { // v0 to v4 of each wave, and s11
                    const struct wave *w = t.r.device->pool.workers[0].idle->waves[n];
                    for (unsigned v = 0; v < 5 * lanes; v++)
                        if (v / lanes != 2 && v / lanes != 4) registers[v] = w->v[v];
                    for (unsigned lane = 0; lane < lanes; lane++) {
                        assert_int_equal(registers[lane], n * lanes + lane);
                        assert_int_equal(registers[3 * lanes + lane], 3 * 2 * (n * lanes + lane));
                    }
                    assert_int_equal(w->s[11], 3);
                }
                rig_close(&t.r);
            }
        }
}

// Barriers without an end: somebody stops them, or their time is up.
static void stopping(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (int i = 0; i < 2 * TIERS; i++) {
            const bool timed = i % 2;
            struct run t;
            if (!begin(&t, &kinds[k], tiers[i / 2], PIECE("forever"), 0, 256, 128)) break;
            volatile uint32_t *flag = t.y;
            sw_job *job;
            if (timed) t.q.timeout = 0.3;
            assert_int_equal(sw_device_submit(t.r.device, &t.q, NULL, &job, NULL), SW_OK);
            while (*flag != 1) sched_yield();
            if (!timed) sw_job_stop(job);
            sw_fault fault = {.size = sizeof fault};
            assert_int_equal(sw_job_finish(job, &fault, NULL, NULL), SW_FAULTED);
            assert_int_equal(fault.kind, timed ? SW_FAULT_TIMEOUT : SW_FAULT_STOPPED);
            check_went(&t, BEGUN);
            rig_close(&t.r);
        }
}

// Groups that wait at barriers for groups that the worker has not begun yet.
static void chain(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (int i = 0; i < TIERS; i++) {
            struct run t;
            if (!begin(&t, &kinds[k], tiers[i], PIECE("chain"), 0, 4 * 128, 128)) break;
            assert_int_equal(sw_device_run(t.r.device, &t.q, NULL, NULL, NULL), SW_OK);
            for (uint32_t n = 0; n < 4 * 128; n++) assert_int_equal(t.y[n * WORDS], 5);
            check_went(&t, BEGUN);
            rig_close(&t.r);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchange), cmocka_unit_test(replaced), cmocka_unit_test(scalars),
        cmocka_unit_test(tile),     cmocka_unit_test(far),      cmocka_unit_test(roots),
        cmocka_unit_test(split),    cmocka_unit_test(observed), cmocka_unit_test(by_default),
        cmocka_unit_test(ends),     cmocka_unit_test(faults),   cmocka_unit_test(stopping),
        cmocka_unit_test(chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
