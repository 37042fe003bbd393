// SPDX-License-Identifier: MIT
// Memory that is unmapped under a kernel, and all memory of the process where a device may touch that
// (XNACK): faults with lane and address instead of an end of the process, whose own signals stay its own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rig.h"

// Where nothing else is put when pages there are unmapped, and sanitizers have nothing.
#if defined(__SANITIZE_THREAD__)
#define LONELY ((void *)0x3f80000000)
#else
#define LONELY ((void *)0x280000000000)
#endif
enum { PAGE = 4096 };

struct scene {
    struct rig rig;
    char *pages; // four
    uint64_t *kernarg;
};

// A kernel with v[0:1] = s[0:1] = the first argument and v2 = the work-item; s[4:7] is a buffer of 64 KiB
// there.
static void open_scene(struct scene *s, const char *processor, const char *code, bool host_memory,
                       const sw_device_options *more) {
    char text[8192], all[8192];
    *s = (struct scene){0};
    snprintf(text, sizeof text,
             "v_mov_b32 v2, v0\n s_load_dwordx2 s[0:1], s[0:1], 0x0\n s_waitcnt lgkmcnt(0)\n"
             " s_mov_b32 s4, s0\n s_and_b32 s5, s1, 0xffff\n s_mov_b32 s6, 0x10000\n s_mov_b32 s7, 0x27fac\n"
             " v_mov_b32 v0, s0\n v_mov_b32 v1, s1\n v_mov_b32 v4, 7\n v_mov_b32 v5, 0\n%s\n"
             " s_waitcnt vmcnt(0) lgkmcnt(0)\n s_endpgm",
             code);
    assert_true(rig_text(all, sizeof all, text,
                         ".amdhsa_next_free_vgpr 16\n.amdhsa_next_free_sgpr 32\n"
                         ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n"));
    s->rig.object = rig_object(processor, all, &s->rig.image);
    assert_non_null(s->rig.object);
    sw_device_options o = {.size = sizeof o, .threads = 1, .host_memory = host_memory};
    if (more)
        o.closed_begin = more->closed_begin, o.closed_end = more->closed_end, o.count = more->count,
        o.tier = more->tier;
    assert_int_equal(sw_target_parse(processor, strlen(processor), &o.target, NULL), SW_OK);
    assert_int_equal(sw_device_create(&o, &s->rig.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(s->rig.device, s->rig.object, NULL, NULL, &s->rig.executable, NULL),
                     SW_OK);
    // Where nothing else is put when they are unmapped, nor AddressSanitizer keeps its own.
    s->pages = mmap(LONELY, 4 * PAGE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    assert_true(s->pages != MAP_FAILED);
    s->kernarg = sw_device_alloc(s->rig.device, 64);
    *s->kernarg = (uint64_t)(uintptr_t)s->pages;
}
static void close_scene(struct scene *s) {
    rig_close(&s->rig);
    munmap(s->pages, 4 * PAGE);
}
static void allow(struct scene *s) {
    assert_int_equal(sw_device_map(s->rig.device, s->pages, 4 * PAGE, SW_RIGHT_READ | SW_RIGHT_WRITE), SW_OK);
    assert_int_equal(sw_device_guard_memory(s->rig.device), SW_OK);
}
static void expect_fault(struct scene *s, const char *code, sw_fault_kind kind, int lane, uint64_t address,
                         bool unmapped) {
    sw_fault fault = {.size = sizeof fault};
    const sw_status status = rig_run(&s->rig, s->kernarg, 64, 64, &fault);
    if (status != SW_FAULTED || fault.kind != kind || fault.lane != lane || fault.address != address ||
        fault.unmapped != unmapped)
        print_error("%s: status %d kind %d lane %d address %llx (page %p) unmapped %d\n", code, status,
                    fault.kind, fault.lane, (unsigned long long)fault.address, (void *)s->pages,
                    fault.unmapped);
    assert_int_equal(status, SW_FAULTED);
    assert_int_equal(fault.kind, kind);
    assert_int_equal(fault.lane, lane);
    assert_true(fault.address == address);
    assert_int_equal(fault.unmapped, unmapped);
}

// Accesses of every kind; the third page goes. Address 0x2000 is the page, lane 0 has 0x1fc0 in strides of 8.
#define SPREAD " v_lshlrev_b32 v3, 3, v2\n v_add_co_u32 v0, vcc, v0, v3\n v_add_co_u32 v0, vcc, 0x1fc0, v0\n"
static const struct {
    const char *code;
    sw_fault_kind kind;
    int lane;
    uint64_t offset;
} accesses[] = {
    {SPREAD "global_load_dword v6, v[0:1], off", SW_FAULT_READ, 8, 0x2000},
    {SPREAD "global_load_dwordx2 v[6:7], v[0:1], off", SW_FAULT_READ, 8, 0x2000},
    {SPREAD "flat_load_dword v6, v[0:1]", SW_FAULT_READ, 8, 0x2000},
    {SPREAD "global_store_dword v[0:1], v4, off", SW_FAULT_WRITE, 8, 0x2000},
    {SPREAD "global_store_dwordx2 v[0:1], v[4:5], off", SW_FAULT_WRITE, 8, 0x2000},
    {SPREAD "flat_store_byte v[0:1], v4", SW_FAULT_WRITE, 8, 0x2000},
    {SPREAD "global_atomic_add v[0:1], v4, off", SW_FAULT_ATOMIC, 8, 0x2000},
    {SPREAD "flat_atomic_add_x2 v[6:7], v[0:1], v[4:5] glc", SW_FAULT_ATOMIC, 8, 0x2000},
    {"s_load_dwordx4 s[8:11], s[0:1], 0x2000", SW_FAULT_READ, -1, 0x2000},
    {"s_buffer_load_dword s8, s[4:7], 0x2004", SW_FAULT_READ, -1, 0x2004},
    {"s_mov_b32 s8, 1\n s_store_dword s8, s[0:1], 0x2008", SW_FAULT_WRITE, -1, 0x2008},
    {"v_lshlrev_b32 v3, 3, v2\n v_add_u32 v3, 0x1fc0, v3\n buffer_load_dword v6, v3, s[4:7], 0 offen",
     SW_FAULT_READ, 8, 0x2000},
    {"v_lshlrev_b32 v3, 3, v2\n v_add_u32 v3, 0x1fc0, v3\n buffer_store_dword v4, v3, s[4:7], 0 offen",
     SW_FAULT_WRITE, 8, 0x2000},
    {"v_lshlrev_b32 v3, 3, v2\n v_add_u32 v3, 0x1fc0, v3\n buffer_load_format_x v6, v3, s[4:7], 0 offen",
     SW_FAULT_READ, 8, 0x2000},
};

static void unmapped_under_a_kernel(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
        for (int counted = 0; counted < 2; counted++) {
            struct scene s;
            open_scene(&s, "gfx900", accesses[i].code, false, &(sw_device_options){.count = counted});
            allow(&s);
            assert_int_equal(rig_run(&s.rig, s.kernarg, 64, 64, NULL), SW_OK);
            munmap(s.pages + 2 * PAGE, PAGE);
            for (int twice = 0; twice < 2; twice++)
                expect_fault(&s, accesses[i].code, accesses[i].kind, accesses[i].lane,
                             (uint64_t)(uintptr_t)s.pages + accesses[i].offset, true);
            // What is mapped there later may be used again.
            assert_true(mmap(s.pages + 2 * PAGE, PAGE, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED);
            assert_int_equal(rig_run(&s.rig, s.kernarg, 64, 64, NULL), SW_OK);
            close_scene(&s);
        }
}

// A load into its own addresses: some lanes have lost theirs when the page is missed.
static void own_address(void **state) {
    (void)state;
    struct scene s;
    open_scene(&s, "gfx900", SPREAD "global_load_dwordx2 v[0:1], v[0:1], off", false, NULL);
    allow(&s);
    memset(s.pages, 0x5a, 4 * PAGE);
    munmap(s.pages + 2 * PAGE, PAGE);
    sw_fault fault = {.size = sizeof fault};
    assert_int_equal(rig_run(&s.rig, s.kernarg, 64, 64, &fault), SW_FAULTED);
    assert_int_equal(fault.kind, SW_FAULT_READ);
    assert_true(fault.address - (uint64_t)(uintptr_t)s.pages >= 0x2000 &&
                fault.address - (uint64_t)(uintptr_t)s.pages < 0x2200);
    assert_true(fault.unmapped);
    close_scene(&s);
}

// The second address of memory, several pages gone, and a file that was cut off.
static void other_ways(void **state) {
    (void)state;
    struct scene s;
    open_scene(&s, "gfx900", SPREAD "global_load_dword v6, v[0:1], off", false, NULL);
    uint64_t alias;
    if (sw_device_map_alias(s.rig.device, s.pages, 4 * PAGE, SW_RIGHT_READ, &alias) == SW_OK) {
        assert_int_equal(sw_device_guard_memory(s.rig.device), SW_OK);
        *s.kernarg = alias;
        munmap(s.pages + 2 * PAGE, 2 * PAGE);
        expect_fault(&s, "alias", SW_FAULT_READ, 8, alias + 0x2000, true);
    }
    close_scene(&s);

    open_scene(&s, "gfx900",
               "v_lshlrev_b32 v3, 12, v2\n v_and_b32 v3, 0x3000, v3\n v_add_co_u32 v0, vcc, v0, v3\n"
               " global_load_dword v6, v[0:1], off",
               false, NULL);
    allow(&s);
    munmap(s.pages + PAGE, 3 * PAGE); // of lanes 1, 2 and 3
    expect_fault(&s, "pages", SW_FAULT_READ, 1, (uint64_t)(uintptr_t)s.pages + PAGE, true);
    close_scene(&s);

    open_scene(&s, "gfx900", "global_load_dword v6, v[0:1], off", false, NULL);
    const int file = memfd_create("cut", MFD_CLOEXEC);
    assert_int_equal(ftruncate(file, 4 * PAGE), 0);
    assert_true(mmap(s.pages, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == s.pages);
    allow(&s);
    assert_int_equal(rig_run(&s.rig, s.kernarg, 64, 64, NULL), SW_OK);
    assert_int_equal(ftruncate(file, 0), 0);
    expect_fault(&s, "file", SW_FAULT_READ, 0, (uint64_t)(uintptr_t)s.pages, true);
    close(file);
    close_scene(&s);
}

// All that the process has mapped, less what it keeps to itself.
static void host_memory(void **state) {
    (void)state;
    struct scene s;
    open_scene(&s, "gfx900", SPREAD "global_atomic_add v[0:1], v4, off", true, NULL);
    assert_int_equal(rig_run(&s.rig, s.kernarg, 64, 64, NULL), SW_OK);
    for (int i = 0; i < 64; i++) assert_int_equal(s.pages[0x1fc0 + 8 * i], 7);
    mprotect(s.pages + 2 * PAGE, PAGE, PROT_READ);
    expect_fault(&s, "read-only", SW_FAULT_ATOMIC, 8, (uint64_t)(uintptr_t)s.pages + 0x2000, false);
    *s.kernarg = 0;
    expect_fault(&s, "null", SW_FAULT_ATOMIC, 0, 0x1fc0, false); // nobody's: as without
    *s.kernarg = 1ull << 47;
    expect_fault(&s, "no address", SW_FAULT_ATOMIC, 0, (1ull << 47) + 0x1fc0, false);
    // Rights that were given bound what is in the map.
    *s.kernarg = (uint64_t)(uintptr_t)s.pages;
    mprotect(s.pages + 2 * PAGE, PAGE, PROT_READ | PROT_WRITE);
    assert_int_equal(sw_device_map(s.rig.device, s.pages + 2 * PAGE, PAGE, SW_RIGHT_READ), SW_OK);
    expect_fault(&s, "mapped", SW_FAULT_ATOMIC, 8, (uint64_t)(uintptr_t)s.pages + 0x2000, false);
    close_scene(&s);

    char *own = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const sw_device_options closed = {.closed_begin = (uint64_t)(uintptr_t)own + 0x2000,
                                      .closed_end = (uint64_t)(uintptr_t)own + 0x3000};
    open_scene(&s, "gfx900", SPREAD "global_load_dword v6, v[0:1], off", true, &closed);
    *s.kernarg = (uint64_t)(uintptr_t)own;
    expect_fault(&s, "closed", SW_FAULT_READ, 8, (uint64_t)(uintptr_t)own + 0x2000, false);
    close_scene(&s);
    munmap(own, 4 * PAGE);
}

// Arguments that waves begin with, in memory that is not there (INIT-19).
static void preloaded_arguments(void **state) {
    (void)state;
    char text[4096];
    struct rig r = {0};
    assert_true(rig_text(text, sizeof text,
                         ".fill 64, 4, 0xbf800000\n v_mov_b32 v0, s2\n v_mov_b32 v1, s3\n v_mov_b32 v2, 9\n"
                         " global_store_dword v[0:1], v2, off\n s_endpgm",
                         ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n.amdhsa_accum_offset 8\n"
                         ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
                         ".amdhsa_user_sgpr_kernarg_preload_length 2\n"));
    r.object = rig_object("gfx942", text, &r.image);
    assert_non_null(r.object);
    sw_device_options o = {.size = sizeof o, .threads = 1, .host_memory = true};
    assert_int_equal(sw_target_parse("gfx942", 6, &o.target, NULL), SW_OK);
    assert_int_equal(sw_device_create(&o, &r.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL), SW_OK);
    volatile uint32_t out = 0;
    uint64_t *page =
        mmap(LONELY, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    *page = (uint64_t)(uintptr_t)&out;
    assert_int_equal(rig_run(&r, page, 64, 64, NULL), SW_OK);
    assert_int_equal(out, 9);
    munmap(page, PAGE);
    assert_int_equal(rig_run(&r, page, 64, 64, NULL), SW_BAD_INPUT);
    rig_close(&r);
}

// ---- The program's own signals ----

static sigjmp_buf back;
static volatile int mine;
static void on_segv(int number, siginfo_t *info, void *context) {
    (void)number, (void)info, (void)context;
    mine++;
    siglongjmp(back, 1);
}
static struct sigaction replaced;
static void calls_the_one_before(int number, siginfo_t *info, void *context) {
    mine += 10;
    replaced.sa_sigaction(number, info, context);
}
static volatile uintptr_t nowhere = 16;
static void crash(void) {
    if (!sigsetjmp(back, 1)) *(volatile char *)nowhere = 0;
}

static void signals_of_the_program(void **state) {
    (void)state;
    struct sigaction a = {.sa_sigaction = on_segv, .sa_flags = SA_SIGINFO}, before, now;
    sigaction(SIGSEGV, &a, &before);
    struct scene s;
    mine = 0;
    open_scene(&s, "gfx900", "global_load_dword v6, v[0:1], off", false, NULL);
    allow(&s);
    crash();
    assert_int_equal(mine, 1);
    munmap(s.pages, PAGE);
    expect_fault(&s, "load", SW_FAULT_READ, 0, (uint64_t)(uintptr_t)s.pages, true);
    assert_int_equal(mine, 1);
    // A handler set later, which calls the one that it found: ours, which must not call it again.
    a.sa_sigaction = calls_the_one_before;
    sigaction(SIGSEGV, &a, &replaced);
    expect_fault(&s, "load", SW_FAULT_READ, 0, (uint64_t)(uintptr_t)s.pages, true);
    assert_int_equal(mine, 1);
    crash();
    assert_int_equal(mine, 12);
    crash();
    assert_int_equal(mine, 23);
    close_scene(&s);
    sigaction(SIGSEGV, NULL, &now); // and it has it back
    assert_true(now.sa_sigaction == calls_the_one_before);
    sigaction(SIGSEGV, &before, NULL);
}

// At every tier, also of code that was compiled while memory stayed where it is: of a launch that comes
// later, and of one that runs.
static void tiers(void **state) {
    (void)state;
    static const sw_tier kinds[] = {SW_TIER_INTERPRETER, SW_TIER_NATIVE, SW_TIER_COMPILED};
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
        for (size_t t = 0; t < sizeof kinds / sizeof *kinds; t++) {
            struct scene s;
            open_scene(&s, "gfx900", accesses[i].code, false, &(sw_device_options){.tier = kinds[t]});
            assert_int_equal(sw_device_map(s.rig.device, s.pages, 4 * PAGE, SW_RIGHT_READ | SW_RIGHT_WRITE),
                             SW_OK);
            assert_int_equal(rig_run(&s.rig, s.kernarg, 64, 64, NULL), SW_OK);
            if (i % 2) assert_int_equal(rig_run(&s.rig, s.kernarg, 64, 64, NULL), SW_OK);
            assert_int_equal(sw_device_guard_memory(s.rig.device), SW_OK);
            munmap(s.pages + 2 * PAGE, PAGE);
            expect_fault(&s, accesses[i].code, accesses[i].kind, accesses[i].lane,
                         (uint64_t)(uintptr_t)s.pages + accesses[i].offset, true);
            close_scene(&s);
        }
}

// The kernel says that it runs, loads what tells it where to load from next, and is told of what is gone.
static void guarded_while_it_runs(void **state) {
    (void)state;
    static const sw_tier kinds[] = {SW_TIER_INTERPRETER, SW_TIER_NATIVE, SW_TIER_COMPILED};
    for (size_t t = 0; t < sizeof kinds / sizeof *kinds; t++) {
        struct scene s;
        open_scene(&s, "gfx900",
                   "global_store_dword v[0:1], v4, off\n v_mov_b32 v8, v0\n v_mov_b32 v9, v1\n"
                   "spin: global_load_dword v6, v[8:9], off offset:64\n s_waitcnt vmcnt(0)\n"
                   " v_add_co_u32 v8, vcc, v0, v6\n v_addc_co_u32 v9, vcc, 0, v1, vcc\n"
                   " v_cmp_gt_u32 vcc, 0x4000, v6\n s_cbranch_vccnz spin",
                   false, &(sw_device_options){.tier = kinds[t]});
        assert_int_equal(sw_device_map(s.rig.device, s.pages, 4 * PAGE, SW_RIGHT_READ | SW_RIGHT_WRITE),
                         SW_OK);
        sw_dispatch q = {.size = sizeof q,
                         .executable = s.rig.executable,
                         .descriptor = sw_executable_base(s.rig.executable) +
                                       sw_object_find_kernel(s.rig.object, "k")->descriptor_offset,
                         .kernarg = (uint64_t)(uintptr_t)s.kernarg,
                         .grid = {64, 1, 1},
                         .block = {64, 1, 1}};
        sw_job *job;
        assert_int_equal(sw_device_submit(s.rig.device, &q, NULL, &job, NULL), SW_OK);
        while (*(volatile int *)s.pages != 7) usleep(100);
        assert_int_equal(sw_device_guard_memory(s.rig.device), SW_OK);
        munmap(s.pages + 2 * PAGE, PAGE);
        *(volatile int *)(s.pages + 64) = 0x2000;
        assert_true(sw_job_wait(job, 30));
        sw_fault fault = {.size = sizeof fault};
        assert_int_equal(sw_job_finish(job, &fault, NULL, NULL), SW_FAULTED);
        assert_int_equal(fault.lane, 0);
        assert_true(fault.address == (uint64_t)(uintptr_t)s.pages + 0x2040 && fault.unmapped);
        close_scene(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiers),
        cmocka_unit_test(guarded_while_it_runs),
        cmocka_unit_test(unmapped_under_a_kernel),
        cmocka_unit_test(own_address),
        cmocka_unit_test(other_ways),
        cmocka_unit_test(host_memory),
        cmocka_unit_test(preloaded_arguments),
        cmocka_unit_test(signals_of_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
