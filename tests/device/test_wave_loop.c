// SPDX-License-Identifier: MIT
// Waves of a group that run in a row in compiled code, without being stored: what they leave is what the
// interpreter leaves, also where one of them faults, waits for another, or leaves the row for any other
// reason.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <stdlib.h>

#include "device/device.h"
#include "piece.h"
#include "rig.h"

#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 12\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"        \
    ".amdhsa_system_sgpr_workgroup_id_x 1\n"
#define DESCRIPTOR_2D DESCRIPTOR ".amdhsa_system_sgpr_workgroup_id_y 1\n.amdhsa_system_vgpr_workitem_id 1\n"

static const sw_tier tiers[] = {SW_TIER_INTERPRETER, SW_TIER_NATIVE, SW_TIER_COMPILED};
enum { TIERS = sizeof tiers / sizeof *tiers };

static bool open_on(struct rig *r, const char *level, sw_tier tier, unsigned threads, const char *processor,
                    const char *piece, const char *descriptor) {
    char text[16384];
    *r = (struct rig){0};
    assert_true(rig_text(text, sizeof text, piece, descriptor));
    assert_non_null(r->object = rig_object(processor, text, &r->image));
    const sw_device_options o = {.size = sizeof o,
                                 .threads = threads,
                                 .target = *sw_object_target(r->object),
                                 .tier = tier,
                                 .level = level};
    if (sw_device_create(&o, &r->device, NULL) != SW_OK) return false;
    assert_int_equal(sw_device_load(r->device, r->object, NULL, NULL, &r->executable, NULL), SW_OK);
    return true;
}
static void open_at(struct rig *r, sw_tier tier, unsigned threads, const char *processor, const char *piece,
                    const char *descriptor) {
    assert_true(open_on(r, NULL, tier, threads, processor, piece, descriptor));
}

// Without compiled code there are no wave loop, and nothing to be seen but that results are equal.
static bool is_compiled(const struct rig *r) { return sw_device_tier(r->device, NULL) == SW_TIER_COMPILED; }
static bool had_wave_loop(const struct rig *r) {
    for (unsigned i = 0; i < r->device->pool.thread_count; i++)
        if (r->device->pool.workers[i].wave_loop_of) return true;
    return false;
}
// ThreadSanitizer sees a stand-in for compiled code, which has none.
#if defined(__SANITIZE_THREAD__)
enum { STANDS_IN = true };
#else
enum { STANDS_IN = false };
#endif
#define CHECK_WAVE_LOOP(r) assert_int_equal(had_wave_loop(r), is_compiled(r) && !STANDS_IN)

enum { MOST = 40000 };
static uint32_t want[MOST];

// Groups of any size: of whole waves, with a last one of fewer lanes, with a last group of fewer work-items.
static void lines(void **state) {
    (void)state;
    static const uint32_t grids[][2] = {
        {64, 64}, {256 * 50, 256}, {200 * 20, 200}, {1000 * 20 + 77, 1000}, {30 * 7, 30}};
    for (int wave32 = 0; wave32 < 2; wave32++)
        for (size_t n = 0; n < sizeof grids / sizeof *grids; n++)
            for (int t = 0; t < TIERS; t++) {
                struct rig r;
                open_at(&r, tiers[t], 2, wave32 ? "gfx1100" : "gfx900",
                        wave32 ? PIECE("line32") : PIECE("line"), DESCRIPTOR);
                uint32_t *y = sw_device_alloc(r.device, MOST * 4), *x = sw_device_alloc(r.device, MOST * 4);
                uint64_t *kernarg = sw_device_alloc(r.device, 64);
                for (uint32_t i = 0; i < MOST; i++) y[i] = i * i, x[i] = i ^ 0x5555;
                kernarg[0] = (uint64_t)(uintptr_t)y, kernarg[1] = (uint64_t)(uintptr_t)x,
                kernarg[2] = grids[n][1];
                for (int twice = 0; twice < 2; twice++)
                    assert_int_equal(rig_run(&r, kernarg, grids[n][0], grids[n][1], NULL), SW_OK);
                for (uint32_t i = 0; i < MOST; i++)
                    if (y[i] != i * i + (i < grids[n][0] ? 6 * (i ^ 0x5555) : 0))
                        fail_msg("grid %u of %u, tier %d, work-item %u: %u", grids[n][0], grids[n][1], t, i,
                                 y[i]);
                if (grids[n][1] >= 64) CHECK_WAVE_LOOP(&r);
                rig_close(&r);
            }
}

// A loop by strides of the grid, whose lanes follow each other in all iterations but where a low half wraps:
// nowhere, between two iterations, between two lanes where the loop begins, and between two lanes later.
static void run_strides(const char *level, sw_tier tier, bool wave32, bool guarded, uint32_t start) {
    enum { GROUP = 256, STRIDE = 4 * GROUP, COUNT = 9 * STRIDE + 333 };
    struct rig r;
    if (!open_on(&r, level, tier, 2, wave32 ? "gfx1100" : "gfx900",
                 wave32 ? PIECE("strides32") : PIECE("strides"), DESCRIPTOR)) {
        rig_close(&r); // the host does not have this level
        return;
    }
    if (guarded) assert_int_equal(sw_device_guard_memory(r.device), SW_OK);
    uint32_t *y = sw_device_alloc(r.device, COUNT * 4), *x = sw_device_alloc(r.device, COUNT * 4);
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    for (uint32_t i = 0; i < COUNT; i++) x[i] = i * i, y[i] = 0;
    kernarg[0] = (uint64_t)(uintptr_t)y, kernarg[1] = (uint64_t)(uintptr_t)x;
    kernarg[2] = GROUP | (uint64_t)COUNT << 32, kernarg[3] = STRIDE | (uint64_t)start << 32;
    for (int twice = 0; twice < 2; twice++)
        assert_int_equal(rig_run(&r, kernarg, STRIDE, GROUP, NULL), SW_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t low = start + 4 * (i % STRIDE);
        const uint32_t high = 7 + (uint32_t)(((uint64_t)low + 4 * (uint64_t)(i - i % STRIDE)) >> 32);
        if (y[i] != 3 * i * i + high)
            fail_msg("level %s, tier %d%s, wave%d, start %#x: %u has %u, not %u", level, tier,
                     guarded ? ", guarded" : "", wave32 ? 32 : 64, start, i, y[i], 3 * i * i + high);
    }
    CHECK_WAVE_LOOP(&r);
    rig_close(&r);
}
static void strides(void **state) {
    (void)state;
    static const char *const levels[] = {"v3", "v4"};
    static const uint32_t starts[] = {0, 0u - 4 * 1024 * 2, 0u - 4 * 20, 0u - 4 * 1024 * 2 - 4 * 20};
    for (size_t l = 0; l < 2; l++)
        for (int t = 0; t < TIERS; t++)
            for (size_t s = 0; s < sizeof starts / sizeof *starts; s++)
                for (int kind = 0; kind < 4; kind++)
                    run_strides(levels[l], tiers[t], kind & 1, kind & 2, starts[s]);
}

// A long loop that the lanes of a wave leave together, some of them earlier, or that only some enter.
static void run_long(sw_tier tier, bool wave32, bool guarded, uint32_t count, uint32_t start) {
    enum { GROUP = 256, STRIDE = 2 * GROUP };
    struct rig r;
    open_at(&r, tier, 1, wave32 ? "gfx1100" : "gfx900", wave32 ? PIECE("long32") : PIECE("long"), DESCRIPTOR);
    if (guarded) assert_int_equal(sw_device_guard_memory(r.device), SW_OK);
    uint32_t *y = sw_device_alloc(r.device, 2 * STRIDE * 4),
             *x = sw_device_alloc(r.device, (count + STRIDE) * 4);
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    for (uint32_t i = 0; i < count; i++) x[i] = i * i + 1;
    kernarg[0] = (uint64_t)(uintptr_t)y, kernarg[1] = (uint64_t)(uintptr_t)x;
    kernarg[2] = GROUP | (uint64_t)count << 32, kernarg[3] = STRIDE | (uint64_t)start << 32;
    for (int twice = 0; twice < 2; twice++)
        assert_int_equal(rig_run(&r, kernarg, STRIDE, GROUP, NULL), SW_OK);
    for (uint32_t i = 0; i < STRIDE; i++) {
        uint32_t sum = 0;
        uint64_t high = (uint64_t)7 << 32 | (start + 4 * i);
        for (uint32_t k = i; k < count; k += STRIDE) sum += 160 * x[k], high += 4 * STRIDE;
        if (y[i] != sum || y[i + STRIDE] != (uint32_t)(high >> 32))
            fail_msg("tier %d%s, wave%d, %u, start %#x: %u has %u and %u, not %u and %u", tier,
                     guarded ? ", guarded" : "", wave32 ? 32 : 64, count, start, i, y[i], y[i + STRIDE], sum,
                     (uint32_t)(high >> 32));
    }
    CHECK_WAVE_LOOP(&r);
    rig_close(&r);
}
static void long_loops(void **state) {
    (void)state;
    static const uint32_t counts[] = {3 * 512, 3 * 512 + 77, 128 + 5}, starts[] = {0, 0u - 4 * 512 - 4 * 20};
    for (int t = 0; t < TIERS; t++)
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
            for (int kind = 0; kind < 8; kind++)
                run_long(tiers[t], kind & 1, kind & 2, counts[n], starts[kind >> 2]);
}

// Groups follow each other in a wave loop, also those of several dispatches in turn: each runs once, as
// itself.
enum { JOB_ITEMS = 125 * 64, JOBS = MOST / JOB_ITEMS, TRIES = 100 };
static uint64_t groups_that_followed(const struct rig *r) {
    uint64_t n = 0;
    for (unsigned i = 0; i < r->device->pool.thread_count; i++) n += r->device->pool.workers[i].followed;
    return n;
}
// Every other round its dispatches are in flight together.
static void run_round(const struct rig *r, uint64_t *kernarg, uint32_t *y, uint32_t *x, bool together) {
    sw_job *jobs[JOBS];
    for (unsigned k = 0; k < JOBS; k++) {
        uint64_t *a = kernarg + 8 * k;
        a[0] = (uint64_t)(uintptr_t)(y + k * JOB_ITEMS), a[1] = (uint64_t)(uintptr_t)x, a[2] = 64;
        const sw_dispatch q = rig_dispatch(r->object, r->executable, "k", a, JOB_ITEMS, 64);
        assert_int_equal(sw_device_submit(r->device, &q, NULL, &jobs[k], NULL), SW_OK);
        if (!together) assert_int_equal(sw_job_finish(jobs[k], NULL, NULL, NULL), SW_OK);
    }
    for (unsigned k = 0; k < JOBS && together; k++) {
        sw_counts counts = {.size = sizeof counts};
        assert_int_equal(sw_job_finish(jobs[k], NULL, &counts, NULL), SW_OK);
        assert_int_equal(counts.groups, JOB_ITEMS / 64);
    }
}
static void following(void **state) {
    (void)state;
    for (int t = 0; t < TIERS; t++)
        for (unsigned threads = 1; threads < 4; threads += 2) {
            struct rig r;
            open_at(&r, tiers[t], threads, "gfx900", PIECE("line"), DESCRIPTOR);
            uint32_t *y = sw_device_alloc(r.device, MOST * 4), *x = sw_device_alloc(r.device, MOST * 4);
            uint64_t *kernarg = sw_device_alloc(r.device, 4096);
            for (uint32_t i = 0; i < MOST; i++) y[i] = i * i, x[i] = i ^ 0x5555;
            const bool follows = is_compiled(&r) && !STANDS_IN;
            uint32_t rounds = 0;
            while (rounds < 6 || (follows && rounds < TRIES && !groups_that_followed(&r)))
                run_round(&r, kernarg, y, x, rounds++ & 1);
            for (uint32_t i = 0; i < JOBS * JOB_ITEMS; i++)
                if (y[i] != i * i + 3 * rounds * (i % JOB_ITEMS ^ 0x5555))
                    fail_msg("tier %d, %u threads, %u rounds: %u has %u", t, threads, rounds, i, y[i]);
            assert_int_equal(groups_that_followed(&r) != 0, follows);
            rig_close(&r);
        }
}

// Stopped anywhere: groups before that have run, those behind it have not, and what is in flight is of one.
static void stopping_between(void **state) {
    (void)state;
    enum { GROUPS = MOST / 128 };
    for (int t = 0; t < TIERS; t++)
        for (unsigned n = 0; n < 20; n++) {
            struct rig r;
            open_at(&r, tiers[t], 1, "gfx900", PIECE("line"), DESCRIPTOR);
            uint32_t *y = sw_device_alloc(r.device, MOST * 4), *x = sw_device_alloc(r.device, MOST * 4);
            uint64_t *kernarg = sw_device_alloc(r.device, 64);
            for (uint32_t i = 0; i < MOST; i++) x[i] = 1;
            kernarg[0] = (uint64_t)(uintptr_t)y, kernarg[1] = (uint64_t)(uintptr_t)x, kernarg[2] = 128;
            for (unsigned warm = 0; warm < 2; warm++)
                assert_int_equal(rig_run(&r, kernarg, GROUPS * 128, 128, NULL), SW_OK);
            memset(y, 0, MOST * 4);
            const sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, GROUPS * 128, 128);
            sw_job *job;
            assert_int_equal(sw_device_submit(r.device, &q, NULL, &job, NULL), SW_OK);
            while (!__atomic_load_n(&y[n * 64 * 30], __ATOMIC_RELAXED)) sched_yield();
            sw_job_stop(job);
            sw_fault fault = {.size = sizeof fault};
            sw_counts counts = {.size = sizeof counts};
            const sw_status status = sw_job_finish(job, &fault, &counts, NULL);
            uint32_t ran = 0;
            while (ran < GROUPS * 128 && y[ran] == 3) ran++;
            for (uint32_t i = ran; i < GROUPS * 128; i++)
                if (y[i]) fail_msg("tier %d, stop %u, ran %u: %u has %u", t, n, ran, i, y[i]);
            assert_int_equal(ran % 64, 0);
            assert_int_equal(counts.groups, ran / 128);
            assert_true(status == SW_OK ? ran == GROUPS * 128 : status == SW_FAULTED);
            rig_close(&r);
        }
}

// Two dimensions, lanes that are off, and groups over the edges. They are so many that groups of a row follow
// each other.
static void picture(void **state) {
    (void)state;
    enum { WIDTH = 101, HEIGHT = 93 };
    for (unsigned partial = 0; partial < 2; partial++)
        for (int t = 0; t < TIERS; t++) {
            struct rig r;
            open_at(&r, tiers[t], 1, "gfx900", PIECE("picture"), DESCRIPTOR_2D);
            uint32_t *y = sw_device_alloc(r.device, MOST * 4), *kernarg = sw_device_alloc(r.device, 64);
            memset(y, 0xa5, MOST * 4);
            const uint64_t address = (uint64_t)(uintptr_t)y;
            memcpy(kernarg, &address, 8);
            kernarg[2] = WIDTH, kernarg[3] = HEIGHT;
            sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, partial ? WIDTH : 112, 16);
            q.grid[1] = partial ? HEIGHT : 96, q.block[1] = 8;
            assert_int_equal(sw_device_run(r.device, &q, NULL, NULL, NULL), SW_OK);
            if (!t) memcpy(want, y, sizeof want);
            assert_memory_equal(y, want, sizeof want);
            assert_int_equal(y[WIDTH + 33], 2u << 24 | 1 << 12 | 33);
            CHECK_WAVE_LOOP(&r);
            rig_close(&r);
        }
}

// Groups whose memory is not where the group before had its own: their first waves leave, and the others
// follow.
static void leaving(void **state) {
    (void)state;
    enum { GROUPS = 300, AREAS = 7 };
    for (int t = 0; t < TIERS; t++) {
        struct rig r;
        open_at(&r, tiers[t], 1, "gfx900", PIECE("pointers"), DESCRIPTOR);
        uint32_t *area[AREAS];
        for (int i = 0; i < AREAS; i++) {
            area[i] = sw_device_alloc(r.device, 1024);
            memset(area[i], 0, 1024);
        }
        uint64_t *table = sw_device_alloc(r.device, (GROUPS + 1) * 8),
                 *kernarg = sw_device_alloc(r.device, 64);
        kernarg[0] = (uint64_t)(uintptr_t)table;
        for (unsigned every = 1; every < 60; every += 29) { // too often to be worth it, and seldom
            for (unsigned i = 0; i <= GROUPS; i++) table[i] = (uint64_t)(uintptr_t)area[i / every % AREAS];
            assert_int_equal(rig_run(&r, kernarg, GROUPS * 256, 256, NULL), SW_OK);
        }
        uint64_t sum = 0;
        for (int i = 0; i < AREAS; i++)
            for (int k = 0; k < 256; k++) {
                assert_int_equal(area[i][k], area[i][0]);
                sum += area[i][k];
            }
        assert_int_equal(sum, 3 * GROUPS * 256 * 2);
        rig_close(&r);
    }
}

// Waves that leave behind what they wrote to LDS. The only one of its group begins anew then, unless it has
// written other memory. At last one has no memory to write: its registers are those of the interpreter, too.
enum { OWN_GROUPS = 200, OWN_AREAS = 5, OWN_WORDS = 128, OWN_BAD = 131, OWN_X = OWN_GROUPS * OWN_WORDS };
struct own {
    uint32_t x[OWN_X], areas[OWN_AREAS][OWN_WORDS], registers[8 * 64];
    uint64_t code_offset;
    int lane;
    unsigned wave;
};
static void run_own(sw_tier tier, const char *piece, unsigned items, unsigned every, struct own *to) {
    struct rig r;
    open_at(&r, tier, 1, "gfx900", piece, DESCRIPTOR ".amdhsa_group_segment_fixed_size 2048\n");
    uint32_t *area[OWN_AREAS], *x = sw_device_alloc(r.device, sizeof to->x);
    uint64_t *table = sw_device_alloc(r.device, OWN_GROUPS * 16), *kernarg = sw_device_alloc(r.device, 64);
    for (unsigned i = 0; i < OWN_AREAS; i++)
        memset(area[i] = sw_device_alloc(r.device, sizeof *to->areas), 0, sizeof *to->areas);
    for (unsigned i = 0; i < OWN_X; i++) x[i] = i * i;
    for (unsigned i = 0; i < 2 * OWN_GROUPS; i++) table[i] = (uint64_t)(uintptr_t)area[i / every % OWN_AREAS];
    kernarg[0] = (uint64_t)(uintptr_t)table, kernarg[1] = (uint64_t)(uintptr_t)x;
    assert_int_equal(rig_run(&r, kernarg, OWN_GROUPS * items, items, NULL), SW_OK);
    memcpy(to->x, x, sizeof to->x);
    for (unsigned i = 0; i < OWN_AREAS; i++) memcpy(to->areas[i], area[i], sizeof *to->areas);
    sw_fault fault = {.size = sizeof fault};
    table[2 * OWN_BAD + items / 128] = 0x100000000000;
    assert_int_equal(rig_run(&r, kernarg, OWN_GROUPS * items, items, &fault), SW_FAULTED);
    assert_int_equal(fault.group[0], OWN_BAD);
    to->code_offset = fault.code_offset, to->lane = fault.lane, to->wave = fault.wave;
    memcpy(to->registers, r.device->pool.workers[0].idle->waves[fault.wave]->v, sizeof to->registers);
    CHECK_WAVE_LOOP(&r);
    rig_close(&r);
}
static void own_lds(void **state) {
    (void)state;
    static struct own own[TIERS];
    for (unsigned every = 1; every < 60; every += 19)
        for (int kind = 0; kind < 3; kind++) // of one wave, of two, of one that counts
            for (int t = 0; t < TIERS; t++) {
                memset(&own[t], 0, sizeof *own);
                run_own(tiers[t], kind == 2 ? PIECE("counted_lds") : PIECE("own_lds"), kind == 1 ? 128 : 64,
                        every, &own[t]);
                assert_memory_equal(&own[t], &own[0], sizeof *own);
            }
}

// The registers of a wave that faulted are still in its context.
static void compare_registers(const struct wave *w, uint32_t *first, bool is_first) {
    uint32_t now[6 * 64 + 16], n = 0;
    for (unsigned i = 0; i < 6 * 64; i++)
        if (i / 64 != 5) now[n++] = w->v[i]; // nothing has been loaded
    for (unsigned i = 0; i < 10; i++)
        if (i != 3 && (i < 4 || i > 7)) now[n++] = w->s[i]; // addresses differ
    now[n++] = w->s[106], now[n++] = w->s[107];
    for (unsigned i = 0; i < 2; i++) now[5 * 64 + i] = 0; // the arguments' address
    if (is_first)
        memcpy(first, now, n * 4);
    else
        assert_memory_equal(now, first, n * 4);
}

// What waves begin with is loaded once for those of a group, but where they store there: each wave sees what
// the one before it has made of its argument.
static void changing(void **state) {
    (void)state;
    enum { WAVES = 4 * 30 };
    for (int apart = 0; apart < 2; apart++)
        for (int t = 0; t < TIERS; t++) {
            struct rig r;
            open_at(&r, tiers[t], 1, "gfx900", PIECE("changing"), DESCRIPTOR);
            uint32_t *kernarg = sw_device_alloc(r.device, 4096), *y = sw_device_alloc(r.device, 4096);
            memset(kernarg, 0, 4096);
            const uint64_t address = (uint64_t)(uintptr_t)(apart ? y : kernarg + 2);
            memcpy(kernarg, &address, 8);
            kernarg[2] = 5;
            assert_int_equal(rig_run(&r, kernarg, WAVES * 64, 256, NULL), SW_OK);
            assert_int_equal(kernarg[2], apart ? 5 : 5 + WAVES);
            if (apart) assert_int_equal(y[63], 6);
            rig_close(&r);
        }
}

// Bits that differ from lane to lane, in one part of the wave alone: LLVM makes `trunc to i1` of them.
static void run_chosen(const char *level, sw_tier tier, bool wave32, uint64_t mask, unsigned odd) {
    enum { ITEMS = 1024, GROUP = 256 };
    char code[4096];
    struct rig r;
    snprintf(code, sizeof code, ".set LO, 0x%x\n.set HI, 0x%x\n.set ODD, %u\n%s", (uint32_t)mask,
             (uint32_t)(mask >> 32), odd, wave32 ? PIECE("chosen32") : PIECE("chosen"));
    if (!open_on(&r, level, tier, 1, wave32 ? "gfx1100" : "gfx900", code, DESCRIPTOR)) {
        rig_close(&r); // the host does not have this level
        return;
    }
    uint32_t *table = sw_device_alloc(r.device, 64), *out = sw_device_alloc(r.device, ITEMS * 4);
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    for (uint32_t i = 0; i < 16; i++) table[i] = i;
    kernarg[0] = (uint64_t)(uintptr_t)table, kernarg[1] = (uint64_t)(uintptr_t)out;
    assert_int_equal(rig_run(&r, kernarg, ITEMS, GROUP, NULL), SW_OK);
    for (uint32_t i = 0; i < ITEMS; i++) {
        const unsigned lane = i % (wave32 ? 32 : 64);
        const uint32_t right = mask >> lane & i * odd & 1 ? 9 : 5;
        if (out[i] != right)
            fail_msg("level %s, tier %d, mask %llx, ids times %u: work-item %u has %u, not %u", level, tier,
                     (unsigned long long)mask, odd, i, out[i], right);
    }
    CHECK_WAVE_LOOP(&r);
    rig_close(&r);
}
static void bits_that_alternate(void **state) {
    (void)state;
    static const char *const levels[] = {"v3", "v4"};
    static const uint64_t masks[] = {0xffff,     0xffffull << 16,     0xffffull << 32, 0xffffull << 48,
                                     0xffffffff, 0xffffffffull << 32, UINT64_MAX,      0xff00ff0000};
    for (size_t l = 0; l < 2; l++)
        for (int t = 0; t < TIERS; t++)
            for (size_t m = 0; m < sizeof masks / sizeof *masks; m++)
                for (unsigned odd = 1; odd < 8; odd += 6) {
                    run_chosen(levels[l], tiers[t], false, masks[m], odd);
                    run_chosen(levels[l], tiers[t], true, masks[m], odd);
                }
}

// Work-item ids are only in the registers that the descriptor asks for.
static void unset(void **state) {
    (void)state;
    for (int t = 0; t < TIERS; t++) {
        struct rig r;
        open_at(&r, tiers[t], 1, "gfx900", PIECE("unset"), DESCRIPTOR);
        uint32_t *y = sw_device_alloc(r.device, 4096);
        uint64_t *kernarg = sw_device_alloc(r.device, 64);
        memset(y, 0xa5, 4096);
        *kernarg = (uint64_t)(uintptr_t)y;
        sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, 64 * 8, 64);
        q.grid[1] = 4, q.block[1] = 4;
        assert_int_equal(sw_device_run(r.device, &q, NULL, NULL, NULL), SW_OK);
        for (int i = 0; i < 64; i++) assert_int_equal(y[i], 0);
        CHECK_WAVE_LOOP(&r);
        rig_close(&r);
    }
}

// A lane of the third wave of a group, one of the first or one that follows others: the place, memory,
// registers and what else was in flight.
static void faults(void **state) {
    (void)state;
    static const unsigned groups[] = {3, 41, 53, 54, 89};
    for (unsigned n = 0; n < 2 * sizeof groups / sizeof *groups; n++) {
        const bool at_once = n & 1;
        const unsigned group = groups[n / 2], BAD = group * 256 + 2 * 64 + 37;
        sw_fault fault[TIERS];
        uint32_t registers[6 * 64 + 16];
        for (int t = 0; t < TIERS; t++) {
            struct rig r;
            open_at(&r, tiers[t], 1, "gfx900", at_once ? PIECE("bad_at_once") : PIECE("bad"), DESCRIPTOR);
            uint32_t *y = sw_device_alloc(r.device, MOST * 4), *x = sw_device_alloc(r.device, MOST * 4);
            uint64_t *kernarg = sw_device_alloc(r.device, 64);
            memset(y, 0xa5, MOST * 4);
            for (uint32_t i = 0; i < MOST; i++) x[i] = i == BAD ? 0x10000000 : i;
            kernarg[0] = (uint64_t)(uintptr_t)y, kernarg[1] = (uint64_t)(uintptr_t)x, kernarg[2] = 256;
            fault[t] = (sw_fault){.size = sizeof *fault};
            assert_int_equal(rig_run(&r, kernarg, 256 * 96, 256, &fault[t]), SW_FAULTED);
            assert_int_equal(fault[t].kind, SW_FAULT_READ);
            assert_int_equal(fault[t].lane, 37);
            assert_int_equal(fault[t].wave, 2);
            assert_int_equal(fault[t].group[0], group);
            assert_true(fault[t].address == (uint64_t)(uintptr_t)y + 0x40000000);
            assert_int_equal(fault[t].code_offset, fault[0].code_offset);
            assert_int_equal(fault[t].waves, fault[0].waves);
            if (!t) memcpy(want, y, sizeof want);
            assert_memory_equal(y, want, sizeof want);
            compare_registers(r.device->pool.workers[0].idle->waves[2], registers, !t);
            CHECK_WAVE_LOOP(&r);
            rig_close(&r);
        }
    }
}

// The first wave of each group waits for the last.
static void waiting(void **state) {
    (void)state;
    enum { GROUPS = 6 };
    for (int t = 0; t < TIERS; t++) {
        struct rig r;
        open_at(&r, tiers[t], 1, "gfx900", PIECE("wait"), DESCRIPTOR);
        uint32_t *flags = sw_device_alloc(r.device, 64 * GROUPS);
        uint64_t *kernarg = sw_device_alloc(r.device, 64);
        memset(flags, 0, 64 * GROUPS);
        kernarg[0] = (uint64_t)(uintptr_t)flags;
        assert_int_equal(rig_run(&r, kernarg, 256 * GROUPS, 256, NULL), SW_OK);
        for (int i = 0; i < GROUPS; i++) {
            assert_int_equal(flags[16 * i], 1);
            assert_in_range(flags[16 * i + 2], 2, 1000000);
        }
        CHECK_WAVE_LOOP(&r);
        rig_close(&r);
    }
}

// All stay until somebody stops them.
static void stopping(void **state) {
    (void)state;
    for (int t = 0; t < TIERS; t++) {
        struct rig r;
        open_at(&r, tiers[t], 1, "gfx900", PIECE("forever"), DESCRIPTOR);
        volatile uint32_t *flag = sw_device_alloc(r.device, 64);
        uint64_t *kernarg = sw_device_alloc(r.device, 64);
        *flag = 0;
        kernarg[0] = (uint64_t)(uintptr_t)flag;
        const sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, 1024, 256);
        sw_job *job;
        assert_int_equal(sw_device_submit(r.device, &q, NULL, &job, NULL), SW_OK);
        while (!*flag) sched_yield();
        sw_job_stop(job);
        sw_fault fault = {.size = sizeof fault};
        assert_int_equal(sw_job_finish(job, &fault, NULL, NULL), SW_FAULTED);
        assert_int_equal(fault.kind, SW_FAULT_STOPPED);
        assert_true(fault.waves >= 4);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_lds),   cmocka_unit_test(lines),
        cmocka_unit_test(picture),   cmocka_unit_test(leaving),
        cmocka_unit_test(changing),  cmocka_unit_test(unset),
        cmocka_unit_test(faults),    cmocka_unit_test(waiting),
        cmocka_unit_test(stopping),  cmocka_unit_test(bits_that_alternate),
        cmocka_unit_test(strides),   cmocka_unit_test(long_loops),
        cmocka_unit_test(following), cmocka_unit_test(stopping_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
