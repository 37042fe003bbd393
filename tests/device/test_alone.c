// SPDX-License-Identifier: MIT
// Memory that nobody but a device's kernels changes (SW_RIGHT_ALONE): each atomic counts, also with several
// workers, where a second device shares the memory, and as soon as the right is taken away.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>

#include "rig.h"

// Each lane counts in the same few dwords, TIMES times.
enum { TIMES = 64, ITEMS = 64 * 512, WORDS = 16, BYTES = WORDS * 4 };
static const char code[] = "s_load_dwordx2 s[2:3], s[0:1], 0x0\n"
                           "v_and_b32 v1, 15, v0\n"
                           "v_lshlrev_b32 v1, 2, v1\n"
                           "v_mov_b32 v2, 1\n"
                           "s_movk_i32 s4, 64\n"
                           "s_waitcnt lgkmcnt(0)\n"
                           "l:\n"
                           "global_atomic_add v1, v2, s[2:3]\n"
                           "s_sub_u32 s4, s4, 1\n"
                           "s_cmp_lg_u32 s4, 0\n"
                           "s_cbranch_scc1 l\n"
                           "s_endpgm\n";
static const char directives[] =
    ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n";
enum { ALONE = SW_RIGHT_READ | SW_RIGHT_WRITE | SW_RIGHT_STAYS | SW_RIGHT_ALONE };

static void open_rig(struct rig *r, unsigned threads, sw_tier tier) {
    char text[4096];
    const sw_device_options o = {.size = sizeof o, .threads = threads, .tier = tier, .cache = rig_cache()};
    assert_true(rig_text(text, sizeof text, code, directives));
    assert_true(rig_open_text(r, "gfx900", text, o));
}
static uint32_t *take(struct rig *r) {
    uint32_t *p = sw_device_alloc(r->device, BYTES);
    assert_non_null(p);
    assert_int_equal(sw_device_map(r->device, p, BYTES, ALONE), SW_OK);
    return p;
}
static uint64_t *argument(struct rig *r, uint32_t *p) {
    uint64_t *kernarg = sw_device_alloc(r->device, 64);
    *kernarg = (uint64_t)(uintptr_t)p;
    return kernarg;
}
static uint64_t sum_of(const uint32_t *p) {
    uint64_t sum = 0;
    for (int i = 0; i < WORDS; i++) sum += p[i];
    return sum;
}

static void each_counts(void **state) {
    (void)state;
    for (sw_tier tier = SW_TIER_INTERPRETER; tier <= SW_TIER_COMPILED; tier++)
        for (unsigned threads = 1; threads <= 4; threads++) {
            struct rig r;
            open_rig(&r, threads, tier);
            uint32_t *p = take(&r);
            uint64_t *kernarg = argument(&r, p);
            for (uint64_t n = 1; n <= 4; n++) {
                assert_int_equal(rig_run(&r, kernarg, ITEMS, 64, NULL), SW_OK);
                assert_int_equal(sum_of(p), n * ITEMS * TIMES);
            }
            rig_close(&r);
        }
}

// ---- Somebody else comes ----

enum { OTHER = 8 }; // so many times as long

struct other {
    struct rig rig;
    uint64_t *kernarg;
    sw_status status;
    bool ended;
};
static void *run_other(void *context) {
    struct other *o = context;
    o->status = rig_run(&o->rig, o->kernarg, OTHER * ITEMS, 64, NULL);
    __atomic_store_n(&o->ended, true, __ATOMIC_RELEASE);
    return NULL;
}
static void shared_memory_is_not_alone(void **state) {
    (void)state;
    struct rig r;
    struct other o = {.status = SW_OK};
    uint64_t runs = 1;
    open_rig(&r, 1, SW_TIER_COMPILED);
    open_rig(&o.rig, 1, SW_TIER_COMPILED);
    uint32_t *p = take(&r);
    uint64_t *kernarg = argument(&r, p);
    o.kernarg = argument(&o.rig, p);
    assert_int_equal(rig_run(&r, kernarg, ITEMS, 64, NULL), SW_OK); // its range is found
    assert_int_equal(sw_device_share(r.device, p, o.rig.device, SW_RIGHT_READ | SW_RIGHT_WRITE), SW_OK);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run_other, &o), 0);
    for (; !__atomic_load_n(&o.ended, __ATOMIC_ACQUIRE); runs++)
        assert_int_equal(rig_run(&r, kernarg, ITEMS, 64, NULL), SW_OK);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(o.status, SW_OK);
    assert_int_equal(sum_of(p), (runs + OTHER) * ITEMS * TIMES);
    rig_close(&o.rig);
    rig_close(&r);
}

// The host counts, too, as soon as the right has been taken away.
static void the_host_counts(void **state) {
    (void)state;
    struct rig r;
    open_rig(&r, 1, SW_TIER_COMPILED);
    uint32_t *p = take(&r);
    uint64_t *kernarg = argument(&r, p);
    uint64_t counted = 0;
    sw_job *jobs[8];
    const sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, ITEMS, 64);
    assert_int_equal(rig_run(&r, kernarg, ITEMS, 64, NULL), SW_OK); // its range is found
    for (int i = 0; i < 8; i++) assert_int_equal(sw_device_submit(r.device, &q, NULL, &jobs[i], NULL), SW_OK);
    assert_int_equal(sw_device_map(r.device, p, BYTES, ALONE & ~SW_RIGHT_ALONE), SW_OK);
    for (int i = 0; i < 8; i++) {
        for (; !sw_job_wait(jobs[i], 0); counted += WORDS)
            for (int w = 0; w < WORDS; w++) __atomic_add_fetch(&p[w], 1, __ATOMIC_SEQ_CST);
        assert_int_equal(sw_job_finish(jobs[i], NULL, NULL, NULL), SW_OK);
    }
    assert_true(counted > 0);
    assert_int_equal(sum_of(p), 9ull * ITEMS * TIMES + counted);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_counts),
                                       cmocka_unit_test(shared_memory_is_not_alone),
                                       cmocka_unit_test(the_host_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
