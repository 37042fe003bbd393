// SPDX-License-Identifier: MIT
// Memory that is watched: what a device tells of stores into it and when, and what a job says of itself while
// and after it runs (DISP-13).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "rig.h"

#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"

// What was told, in order.
struct told {
    pthread_mutex_t lock;
    uint64_t address[64], last[64];
    int64_t value[64]; // in memory at that time
    unsigned count;
    const int64_t *watch;
};
static void note(void *context, uint64_t address, uint64_t last) {
    struct told *t = context;
    pthread_mutex_lock(&t->lock);
    if (t->count < 64) {
        t->address[t->count] = address;
        t->last[t->count] = last;
        t->value[t->count] = __atomic_load_n(t->watch, __ATOMIC_ACQUIRE);
    }
    t->count++;
    pthread_mutex_unlock(&t->lock);
}
static unsigned told_count(struct told *t) {
    pthread_mutex_lock(&t->lock);
    const unsigned count = t->count;
    pthread_mutex_unlock(&t->lock);
    return count;
}

struct scene {
    struct rig rig;
    struct told told;
    uint8_t *page; // watched
    void *kernarg;
};

// A kernel whose first argument, s[0:1], is the page.
static void open_scene(struct scene *s, const char *processor, const char *code) {
    char text[8192], all[8192];
    *s = (struct scene){0};
    pthread_mutex_init(&s->told.lock, NULL);
    snprintf(
        text, sizeof text,
        "s_load_dwordx2 s[0:1], s[0:1], 0x0\n s_waitcnt lgkmcnt(0)\n v_mov_b32 v0, s0\n v_mov_b32 v1, s1\n"
        " v_mov_b32 v2, 7\n v_mov_b32 v3, 0\n s_mov_b32 exec_lo, 1\n s_mov_b32 exec_hi, 0\n%s\n s_endpgm",
        code);
    assert_true(rig_text(all, sizeof all, text, DESCRIPTOR));
    s->rig.object = rig_object(processor, all, &s->rig.image);
    assert_non_null(s->rig.object);
    sw_device_options o = {
        .size = sizeof o,
        .tier = rig_tier(),
        .threads = 1,
        .hooks = &(sw_device_hooks){.size = sizeof(sw_device_hooks), .context = &s->told, .written = note}};
    assert_int_equal(sw_target_parse(processor, strlen(processor), &o.target, NULL), SW_OK);
    assert_int_equal(sw_device_create(&o, &s->rig.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(s->rig.device, s->rig.object, NULL, NULL, &s->rig.executable, NULL),
                     SW_OK);
    s->page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    s->told.watch = (const int64_t *)s->page;
    assert_int_equal(
        sw_device_map(s->rig.device, s->page, 4096, SW_RIGHT_READ | SW_RIGHT_WRITE | SW_RIGHT_WATCH), SW_OK);
    assert_int_equal(sw_device_map(s->rig.device, s->page + 4096, 4096, SW_RIGHT_READ | SW_RIGHT_WRITE),
                     SW_OK);
    s->kernarg = sw_device_alloc(s->rig.device, 64);
    memcpy(s->kernarg, &s->page, sizeof s->page);
}
static void close_scene(struct scene *s) {
    rig_close(&s->rig);
    munmap(s->page, 8192);
}
static void expect(struct scene *s, const char *processor, const char *code, unsigned count,
                   const unsigned *blocks) {
    open_scene(s, processor, code);
    assert_int_equal(rig_run(&s->rig, s->kernarg, 64, 64, NULL), SW_OK);
    if (s->told.count != count) print_error("%s: told %u times\n", code, s->told.count);
    assert_int_equal(s->told.count, count);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(s->told.address[i], (uint64_t)(uintptr_t)s->page + 64 * blocks[i]);
        assert_int_equal(s->told.last[i], (uint64_t)(uintptr_t)s->page + 64 * blocks[i] + 63);
    }
}

// Stores and atomics of every kind are told of, by block and once; loads and stores elsewhere are not.
static void blocks(void **state) {
    (void)state;
    static const struct {
        const char *code;
        unsigned count, blocks[3];
    } cases[] = {
        {"global_store_dwordx2 v[0:1], v[2:3], off offset:8", 1, {0}},
        {"global_store_byte v[0:1], v2, off offset:127", 1, {1}},
        {"global_atomic_add_x2 v[0:1], v[2:3], off offset:192", 1, {3}},
        {"flat_atomic_add_x2 v[0:1], v[2:3] offset:64", 1, {1}},
        {"flat_store_dword v[0:1], v2", 1, {0}},
        {"s_mov_b32 s4, 7\n s_store_dword s4, s[0:1], 0x40\n s_dcache_wb", 1, {1}},
        {"global_store_dword v[0:1], v2, off\n global_store_dword v[0:1], v2, off offset:256", 2, {0, 4}},
        {"global_load_dword v2, v[0:1], off", 0, {0}},
        {"v_add_co_u32 v0, vcc, 0x1000, v0\n global_store_dword v[0:1], v2, off", 0, {0}}, // unwatched
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene s;
        expect(&s, "gfx900", cases[i].code, cases[i].count, cases[i].blocks);
        close_scene(&s);
    }
}

// A loop of 40 stores to 40 blocks: more than a worker remembers.
static void too_many(void **state) {
    (void)state;
    struct scene s;
    open_scene(&s, "gfx900",
               "s_movk_i32 s4, 40\nl: global_store_dword v[0:1], v2, off\n v_add_co_u32 v0, vcc, 64, v0\n"
               " s_sub_u32 s4, s4, 1\n s_cmp_lg_u32 s4, 0\n s_cbranch_scc1 l");
    assert_int_equal(rig_run(&s.rig, s.kernarg, 64, 64, NULL), SW_OK);
    assert_int_equal(s.told.count, 1);
    assert_int_equal(s.told.address[0], 0);
    assert_true(s.told.last[0] == UINT64_MAX);
    close_scene(&s);
}

// A wave that has written and then waits for an answer: it is told while the wave goes on, after the store,
// and again of what the same instruction stores later.
static void while_it_runs(void **state) {
    (void)state;
    static const char *const ways[] = {"s_sleep 1", "s_sendmsg sendmsg(MSG_INTERRUPT)", "s_nop 0"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct scene s;
        char code[1024];
        snprintf(
            code, sizeof code,
            "s_mov_b32 m0, 1\n s_movk_i32 s5, 2\n"
            "again: global_atomic_add_x2 v[0:1], v[2:3], off\n s_waitcnt vmcnt(0)\n"
            "l: %s\n global_load_dword v4, v[0:1], off offset:128 glc\n s_waitcnt vmcnt(0)\n"
            " v_cmp_ne_u32 vcc, v4, v3\n s_cbranch_vccz l\n global_store_dword v[0:1], v3, off offset:128\n"
            " s_sub_u32 s5, s5, 1\n s_cmp_lg_u32 s5, 0\n s_cbranch_scc1 again",
            ways[i]);
        open_scene(&s, "gfx900", code);
        const sw_dispatch q = rig_dispatch(s.rig.object, s.rig.executable, "k", s.kernarg, 64, 64);
        sw_job *job;
        assert_int_equal(sw_device_submit(s.rig.device, &q, NULL, &job, NULL), SW_OK);
        unsigned seen = 0;
        for (int64_t round = 1; round <= 2; round++) {
            const int64_t *value = (const int64_t *)s.page;
            bool told = false;
            for (int wait = 0; !told && wait < 20000; wait++, usleep(100)) {
                pthread_mutex_lock(&s.told.lock);
                for (; seen < s.told.count && seen < 64 && !told; seen++)
                    told = s.told.address[seen] == (uint64_t)(uintptr_t)s.page &&
                           s.told.value[seen] == 7 * round;
                pthread_mutex_unlock(&s.told.lock);
            }
            assert_true(told);
            assert_int_equal(*value, 7 * round);
            sw_counts counts = {.size = sizeof counts};
            assert_int_equal(sw_job_look(job, NULL, &counts), SW_OK);
            assert_int_equal(counts.end_ns, 0); // it still runs
            __atomic_store_n((uint32_t *)(s.page + 128), 1, __ATOMIC_RELEASE);
        }
        sw_counts counts = {.size = sizeof counts};
        assert_int_equal(sw_job_finish(job, NULL, &counts, NULL), SW_OK);
        assert_true(counts.begin_ns && counts.end_ns >= counts.begin_ns);
        assert_true(told_count(&s.told) >= 2);
        close_scene(&s);
    }
}

// Watching begins where stores went unseen before, also for a kernel that is storing there.
static void watched_later(void **state) {
    (void)state;
    struct scene s;
    open_scene(&s, "gfx900",
               "v_add_co_u32 v0, vcc, 0x1000, v0\nl: global_store_dword v[0:1], v2, off\n"
               " global_load_dword v4, v[0:1], off offset:128 glc\n s_waitcnt vmcnt(0)\n"
               " v_cmp_ne_u32 vcc, v4, v3\n s_cbranch_vccz l");
    const sw_dispatch q = rig_dispatch(s.rig.object, s.rig.executable, "k", s.kernarg, 64, 64);
    sw_job *job;
    assert_int_equal(sw_device_submit(s.rig.device, &q, NULL, &job, NULL), SW_OK);
    usleep(2000);
    assert_int_equal(told_count(&s.told), 0);
    assert_int_equal(
        sw_device_map(s.rig.device, s.page + 4096, 4096, SW_RIGHT_READ | SW_RIGHT_WRITE | SW_RIGHT_WATCH),
        SW_OK);
    for (int wait = 0; !told_count(&s.told) && wait < 20000; wait++) usleep(100);
    assert_true(told_count(&s.told));
    __atomic_store_n((uint32_t *)(s.page + 4096 + 128), 1, __ATOMIC_RELEASE);
    assert_int_equal(sw_job_finish(job, NULL, NULL, NULL), SW_OK);
    close_scene(&s);
}

// In `done` a job says already what it came to.
static void look(void *context, sw_job *job) {
    sw_fault *fault = context;
    sw_counts counts = {.size = sizeof counts};
    if (sw_job_look(job, fault, &counts) != SW_OK || !counts.end_ns) fault->kind = SW_FAULT_NONE;
}
static void faults_in_done(void **state) {
    (void)state;
    struct scene s;
    open_scene(&s, "gfx900", "v_mov_b32 v0, 0\n v_mov_b32 v1, 0\n global_store_dword v[0:1], v2, off");
    const sw_dispatch q = rig_dispatch(s.rig.object, s.rig.executable, "k", s.kernarg, 64, 64);
    sw_fault fault = {.size = sizeof fault}, again = {.size = sizeof again};
    const sw_submit_options listen = {.size = sizeof listen, .done = look, .context = &fault};
    sw_job *job;
    assert_int_equal(sw_device_submit(s.rig.device, &q, &listen, &job, NULL), SW_OK);
    assert_int_equal(sw_job_finish(job, &again, NULL, NULL), SW_FAULTED);
    assert_int_equal(fault.kind, SW_FAULT_WRITE);
    assert_int_equal(fault.pc, again.pc);
    sw_fault old = {.size = 1};
    assert_int_equal(sw_device_submit(s.rig.device, &q, NULL, &job, NULL), SW_OK);
    assert_int_equal(sw_job_look(job, &old, NULL), SW_USAGE);
    sw_job_finish(job, NULL, NULL, NULL);
    close_scene(&s);
}

// Of 20 work-groups the one that comes first waits for the host: meanwhile the job says that all others
// ended.
static void groups_so_far(void **state) {
    (void)state;
    struct scene s;
    open_scene(&s, "gfx900",
               "v_add_co_u32 v0, vcc, 0x1000, v0\n global_atomic_add v4, v[0:1], v2, off glc\n"
               " s_waitcnt vmcnt(0)\n v_cmp_ne_u32 vcc, v4, v3\n s_cbranch_vccnz e\n"
               "l: global_load_dword v4, v[0:1], off offset:128 glc\n s_waitcnt vmcnt(0)\n"
               " v_cmp_ne_u32 vcc, v4, v3\n s_cbranch_vccz l\ne:");
    const sw_dispatch q = rig_dispatch(s.rig.object, s.rig.executable, "k", s.kernarg, 20 * 64, 64);
    sw_job *job;
    assert_int_equal(sw_device_submit(s.rig.device, &q, NULL, &job, NULL), SW_OK);
    sw_counts counts = {.size = sizeof counts};
    for (int wait = 0; counts.groups < 19 && wait < 20000; wait++, usleep(100))
        assert_int_equal(sw_job_look(job, NULL, &counts), SW_OK);
    assert_int_equal(counts.groups, 19);
    assert_int_equal(counts.end_ns, 0);
    __atomic_store_n((uint32_t *)(s.page + 4096 + 128), 1, __ATOMIC_RELEASE);
    assert_int_equal(sw_job_finish(job, NULL, &counts, NULL), SW_OK);
    assert_int_equal(counts.groups, 20);
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks),        cmocka_unit_test(too_many),       cmocka_unit_test(while_it_runs),
        cmocka_unit_test(watched_later), cmocka_unit_test(faults_in_done), cmocka_unit_test(groups_so_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
