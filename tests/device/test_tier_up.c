// SPDX-License-Identifier: MIT
// Kernels that ran often are compiled behind their waves' back, and all goes on as it was: memory, waves that
// loop meanwhile, code that changes or goes away while it is compiled, devices that end, processes that fork
// or end; and where LLVM fails.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device/device.h"
#include "jit/compiler.h"
#include "jit/fused.h"
#include "jit/join.h"
#include "llvm/llvm.h"
#include "piece.h"
#include "rig.h"

#if !defined(HAVE_FUSED)
#define HAVE_FUSED 0 // a build without bitcode: cases that need it are skipped
#endif
#define TEXT(x)  TEXT_(x)
#define TEXT_(x) #x
#define LIBRARY  "libLLVM.so." TEXT(HAVE_FUSED) ".1"

#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 12\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"        \
    ".amdhsa_system_sgpr_workgroup_id_x 1\n"

enum { GROUPS = 100, ITEMS = 64 * GROUPS };

struct kernel {
    struct rig rig;
    uint32_t *memory;
    uint64_t *arguments;
};

static void open_kernel(struct kernel *k, sw_tier tier, unsigned threads, bool count, const char *piece) {
    char text[16384];
    *k = (struct kernel){0};
    struct rig *r = &k->rig;
    assert_true(rig_text(text, sizeof text, piece, DESCRIPTOR));
    assert_non_null(r->object = rig_object("gfx900", text, &r->image));
    const sw_device_options o = {.size = sizeof o,
                                 .threads = threads,
                                 .target = *sw_object_target(r->object),
                                 .tier = tier,
                                 .count = count};
    assert_int_equal(sw_device_create(&o, &r->device, NULL), SW_OK);
    r->device->pool.tier_up.keeps = true; // however long that takes: test_trial.c
    assert_int_equal(sw_device_load(r->device, r->object, NULL, NULL, &r->executable, NULL), SW_OK);
    k->memory = sw_device_alloc(r->device, ITEMS * 4);
    k->arguments = sw_device_alloc(r->device, 64);
    k->arguments[0] = (uint64_t)(uintptr_t)k->memory;
}
static void run_kernel(struct kernel *k, uint64_t second) {
    k->arguments[1] = second;
    memset(k->memory, 0xa5, ITEMS * 4);
    assert_int_equal(rig_run(&k->rig, k->arguments, ITEMS, 64, NULL), SW_OK);
}
static uint32_t want[ITEMS];
static void find_wanted(const char *piece, uint64_t second) {
    struct kernel k;
    open_kernel(&k, SW_TIER_INTERPRETER, 1, false, piece);
    run_kernel(&k, second);
    memcpy(want, k.memory, sizeof want);
    rig_close(&k.rig);
}
static void check_run(struct kernel *k, uint64_t second) {
    run_kernel(k, second);
    assert_memory_equal(k->memory, want, sizeof want);
}

static bool is_compiled(const struct rig *r) { return sw_device_tier(r->device, NULL) == SW_TIER_COMPILED; }

// Whether this build and host can, which ThreadSanitizer's have a stand-in for.
static bool compiler_here(void) {
    struct kernel k;
#if defined(__SANITIZE_THREAD__)
    return true;
#endif
    open_kernel(&k, SW_TIER_COMPILED, 1, false, PIECE("plain"));
    const bool here = is_compiled(&k.rig);
    rig_close(&k.rig);
    return here;
}
static struct hot_kernel *hot_of(const struct rig *r) {
    for (struct program *p = r->executable->programs; p; p = p->next)
        for (size_t i = 0; i < sizeof p->kernels / sizeof *p->kernels; i++)
            if (p->kernels[i]) return p->kernels[i];
    return NULL;
}

// Workers tell of less than their share what is left of it when they leave a dispatch, nothing twice.
static void all_is_weighed(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    setenv("SOFTWAVE_TIER_UP", "1000000000000", 1);
    find_wanted(PIECE("plain"), 0);
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct kernel k;
        open_kernel(&k, SW_TIER_BEST, threads, false, PIECE("plain"));
        for (uint64_t n = 1; n <= 5; n++) {
            check_run(&k, 0);
            assert_int_equal(hot_of(&k.rig)->weight, n * WAVE_WEIGHT * (ITEMS / 64));
        }
        rig_close(&k.rig);
    }
    setenv("SOFTWAVE_TIER_UP", "8000", 1);
}

// Loops, and waves without any, as many as it takes; before, while and after they are compiled.
static void memory_is_equal(void **state) {
    (void)state;
    const bool here = compiler_here();
    for (int i = 0; i < 2; i++) {
        const char *piece = i ? PIECE("plain") : PIECE("work");
        find_wanted(piece, 40);
        struct kernel k;
        open_kernel(&k, SW_TIER_BEST, 3, false, piece);
        check_run(&k, 40);
        assert_false(is_compiled(&k.rig)); // 4000 back-edges, and 800 for as many waves
        for (int n = 0; n < 12; n++) check_run(&k, 40);
        compiler_settle();
        assert_int_equal(is_compiled(&k.rig), here);
        if (here) assert_int_equal(hot_of(&k.rig)->compiled, 1);
        for (int n = 0; n < 4; n++) check_run(&k, 40);
        rig_close(&k.rig);
    }
}

#if !defined(__SANITIZE_THREAD__)
static const struct native_region *newest(const struct kernel *k) {
    struct program *p = k->rig.executable->programs;
    pthread_mutex_lock(&p->lock);
    const struct native_region *r = p->native;
    while (r && !r->copies) r = r->next; // stencils
    pthread_mutex_unlock(&p->lock);
    return r;
}
// Runs it, and a launch that no loop is for, until the newest code has what waves enter that run by
// themselves, or has it not. False: that never comes.
static bool settles(struct kernel *k, bool entered, bool other) {
    sw_dispatch q = rig_dispatch(k->rig.object, k->rig.executable, "k", k->arguments, ITEMS / 8, 8);
    q.grid[1] = q.block[1] = 8;
    for (int n = 0; n < 2000; n++) {
        check_run(k, 0);
        if (other) assert_int_equal(sw_device_run(k->rig.device, &q, NULL, NULL, NULL), SW_OK);
        compiler_settle();
        const struct native_region *r = newest(k);
        if (r && !r->entry_count == !entered) return true;
    }
    return false;
}
// The full configuration has the loops over waves alone. Waves that run by themselves have the quick code,
// until many do.
static void loops_alone(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    find_wanted(PIECE("plain"), 0);
    struct kernel k;
    open_kernel(&k, SW_TIER_BEST, 1, false, PIECE("plain"));
    assert_true(settles(&k, true, false));
    const struct hot_kernel *h = hot_of(&k.rig);
    assert_int_equal(h->full_steps, 0);
    assert_true(settles(&k, false, false));
    assert_non_null(newest(&k)->rows.run);
    assert_int_equal(h->full_steps, h->steps);
    assert_int_equal(h->usual_steps, 0);
    assert_false(settles(&k, true, false));
    assert_true(settles(&k, true, true));
    assert_int_equal(h->usual_steps, h->steps);
    const struct program *p = k.rig.executable->programs;
    assert_non_null(fused_wave_loop(k.rig.executable->programs, p->blocks[p->built.items[0].ops->pc / 4],
                                    ROWS_WAVES)
                        .usual.run); // the older code's
    for (int n = 0; n < 4; n++) check_run(&k, 0);
    rig_close(&k.rig);
}

// Another process has the loops as soon as the quick code where both were kept.
static void kept_loops(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    find_wanted(PIECE("plain"), 0);
    setenv("SOFTWAVE_CACHE", rig_cache(), 1);
    for (int again = 0; again < 2; again++) {
        struct kernel k;
        open_kernel(&k, SW_TIER_BEST, 1, false, PIECE("plain"));
        assert_int_equal(settles(&k, true, false), !again); // for a while
        assert_true(again || settles(&k, false, false));
        const struct hot_kernel *h = hot_of(&k.rig);
        assert_true(again ? h->weight < 2 * 8000 : h->weight >= 10 * 8000);
        assert_int_equal(h->full_steps, h->steps);
        assert_int_equal(h->usual_steps, 0);
        assert_non_null(newest(&k)->rows.run);
        rig_close(&k.rig);
    }
    setenv("SOFTWAVE_CACHE", "", 1);
}

// A kernel that no loop is possible for, as its lanes lie in no rows: it keeps its quick code for longer.
static void full_code_later(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    struct kernel k;
    open_kernel(&k, SW_TIER_BEST, 1, false, PIECE("long"));
    sw_dispatch q = rig_dispatch(k.rig.object, k.rig.executable, "k", k.arguments, ITEMS / 16, 4);
    q.grid[1] = q.block[1] = 16;
    const struct native_region *quick = NULL;
    uint64_t tried = 0;
    for (int n = 0; n < 2000 && !(tried && hot_of(&k.rig)->usual_steps); n++) {
        assert_int_equal(sw_device_run(k.rig.device, &q, NULL, NULL, NULL), SW_OK);
        compiler_settle();
        const struct hot_kernel *h = hot_of(&k.rig);
        if (!h->full_steps) quick = newest(&k);
        if (h->full_steps && !tried) tried = h->weight;
        if (!h->usual_steps) assert_ptr_equal(newest(&k), quick);
    }
    const struct hot_kernel *h = hot_of(&k.rig);
    assert_non_null(quick);
    assert_true(h->steps > 160);
    assert_int_equal(h->full_steps, h->steps);
    assert_int_equal(h->usual_steps, h->steps);
    assert_true(tried >= 10 * 8000 && h->weight >= 4 * tried);
    assert_ptr_not_equal(newest(&k), quick);
    assert_true(newest(&k)->entry_count);
    rig_close(&k.rig);
}
#endif

// Code that is decoded after the kernel was compiled: it is compiled once more when that runs often.
static void later_code(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    struct kernel k;
    open_kernel(&k, SW_TIER_BEST, 2, false, PIECE("paths"));
    find_wanted(PIECE("paths"), 1);
    for (int n = 0; n < 4; n++) check_run(&k, 1);
    compiler_settle();
    const struct hot_kernel *h = hot_of(&k.rig);
    const size_t before = h->steps;
    assert_int_equal(h->compiled, 1);
    find_wanted(PIECE("paths"), 0);
    for (int n = 0; n < 200 && h->compiled < 2; n++) {
        check_run(&k, 0);
        compiler_settle();
    }
    assert_int_equal(h->compiled, 2);
    assert_true(h->steps > before);
    check_run(&k, 0);
    // And no more when there is nothing new.
    for (int n = 0; n < 200; n++) check_run(&k, 0);
    compiler_settle();
    assert_int_equal(h->compiled, 2);
    rig_close(&k.rig);
}

// Functions whose address is in registers, and what calls return to, are compiled beside the kernel.
static void calls(void **state) {
    (void)state;
    enum { FUNCTION = 256, START = 512, BEHIND_CALL = START + 20 };
    const uint64_t distance = (uint64_t)(FUNCTION - (START + 4));
    const bool here = compiler_here();
    find_wanted(PIECE("call"), distance);
    struct kernel k;
    open_kernel(&k, SW_TIER_BEST, 2, false, PIECE("call"));
    for (int n = 0; n < 40; n++) {
        check_run(&k, distance);
        compiler_settle();
    }
    assert_int_equal(is_compiled(&k.rig), here);
    if (!here) {
        rig_close(&k.rig);
        skip();
    }
    struct program *p = k.rig.executable->programs;
    const unsigned entry = hot_of(&k.rig)->entry->pc;
    pthread_mutex_lock(&p->lock);
#if !defined(__SANITIZE_THREAD__) // whose stand-in is for all code
    assert_int_equal(fused_has(p, p->blocks[(entry + FUNCTION) / 4]), here);
    assert_int_equal(fused_has(p, p->blocks[(entry + BEHIND_CALL) / 4]), here);
    assert_int_equal(hot_of(&k.rig)->compiled, here);
#endif
    assert_in_range(hot_of(&k.rig)->calls, 0, 2); // each once
    pthread_mutex_unlock(&p->lock);
    rig_close(&k.rig);
}

// Long straight code is compiled as a whole; as long code of many blocks is not. The result is the same.
#define LONG_BEGIN                                                                                           \
    "s_load_dwordx2 s[4:5], s[0:1], 0x0\n v_lshl_add_u32 v1, s2, 6, v0\n v_lshlrev_b32 v1, 2, v1\n"          \
    "v_mov_b32 v2, 0\n s_cmp_eq_u32 s2, -1\n"
#define LONG_END "s_waitcnt lgkmcnt(0)\n global_store_dword v1, v2, s[4:5]\n s_endpgm\n"
static void long_code(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    static const char *const kernels[] = {
        LONG_BEGIN ".rept 1500\n v_add_u32 v2, v2, v0\n .endr\n" LONG_END,
        LONG_BEGIN ".macro part\n s_cbranch_scc1 l\\@\n v_add_u32 v2, v2, v0\n v_add_u32 v2, v2, v0\n"
                   "v_add_u32 v2, v2, v0\n l\\@: v_add_u32 v2, v2, v0\n v_add_u32 v2, v2, v0\n .endm\n"
                   ".rept 300\n part\n .endr\n" LONG_END,
    };
    for (int i = 0; i < 2; i++) {
        struct kernel k;
        open_kernel(&k, SW_TIER_COMPILED, 1, false, kernels[i]);
        assert_int_equal(rig_run(&k.rig, k.arguments, ITEMS, 64, NULL), SW_OK);
        for (uint32_t n = 0; n < ITEMS; n++) assert_int_equal(k.memory[n], 1500 * (n % 64));
        struct program *p = k.rig.executable->programs;
        pthread_mutex_lock(&p->lock);
#if !defined(__SANITIZE_THREAD__)
        const bool compiled = fused_has(p, p->blocks[p->built.items[0].ops->pc / 4]);
        if (!compiled) fail_msg("kernel %d is not compiled", i);
#endif
        pthread_mutex_unlock(&p->lock);
        rig_close(&k.rig);
    }
}

// Code that is decoded bit by bit becomes native each time, and most of it once or twice: what was made
// before takes room for as long as the program lives.
enum { PARTS = 32 };
#define BIT_BY_BIT                                                                                           \
    "s_load_dwordx4 s[4:7], s[0:1], 0x0\n v_mov_b32 v2, 0\n v_lshlrev_b32 v1, 2, v0\n"                       \
    ".set number, 0\n s_waitcnt lgkmcnt(0)\n"                                                                \
    ".rept 32\n part\n .set number, number + 1\n .endr\n"                                                    \
    "done: global_store_dword v1, v2, s[4:5]\n s_endpgm\n"
static void bit_by_bit(void **state) {
    (void)state;
    static const char code[] =
        ".macro part\n s_cmp_eq_u32 s6, number\n s_cbranch_scc0 next\\@\n s_mov_b32 s7, 60000\n"
        "loop\\@:\n .rept 8\n v_add_u32 v2, v2, v0\n .endr\n s_sub_u32 s7, s7, 1\n"
        "s_cmp_lg_u32 s7, 0\n s_cbranch_scc1 loop\\@\n s_branch done\n next\\@:\n .endm\n" BIT_BY_BIT;
    struct kernel k;
    open_kernel(&k, SW_TIER_BEST, 1, false, code);
    k.rig.device->pool.tier_up.on = false;
    const char *why;
    if (sw_device_tier(k.rig.device, &why) == SW_TIER_INTERPRETER) {
        rig_close(&k.rig);
        skip();
    }
    for (unsigned n = 0; n < PARTS; n++) {
        k.arguments[1] = n;
        assert_int_equal(rig_run(&k.rig, k.arguments, 64, 64, NULL), SW_OK);
        for (uint32_t l = 0; l < 64; l++) assert_int_equal(k.memory[l], 480000 * l);
    }
    const struct program *p = k.rig.executable->programs;
    size_t all = 0, most = 0, regions = 0;
    for (const struct native_region *r = p->native; r; r = r->next, regions++) {
        all += r->bytes;
        if (r->bytes > most) most = r->bytes;
    }
    print_message("%zu blocks: native code %zu times, %zu bytes, of which at once %zu\n", p->built.count,
                  regions, all, most);
    assert_int_equal(p->joined, p->built.count);
    assert_in_range(regions, PARTS / 2, 2 * PARTS);
    assert_in_range(all, most, 4 * most);
    rig_close(&k.rig);
}

// ---- Waves that loop while their kernel is compiled ----

static op_fn *compiled_code;
static int came_by;
static const struct op *spy(struct wave *w, const struct op *op) {
    __atomic_store_n(&came_by, 1, __ATOMIC_RELAXED);
    return __atomic_load_n(&compiled_code, __ATOMIC_ACQUIRE)(w, op);
}
static void pause_a_little(void) { nanosleep(&(struct timespec){0, 1000000}, NULL); }

static void waves_in_loops_get_in(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    struct kernel k;
    sw_job *job;
    open_kernel(&k, SW_TIER_BEST, 1, false, PIECE("poll"));
    uint32_t *go_on = sw_device_alloc(k.rig.device, 64);
    *go_on = 0;
    k.arguments[1] = (uint64_t)(uintptr_t)go_on;
    sw_dispatch q = rig_dispatch(k.rig.object, k.rig.executable, "k", k.arguments, 64, 64);
    q.timeout = 0;
    assert_int_equal(sw_device_submit(k.rig.device, &q, NULL, &job, NULL), SW_OK);
    while (!is_compiled(&k.rig)) pause_a_little();
    // The one wave is in native code, or already in compiled code. It comes by the loop's first op again.
    struct program *p = k.rig.executable->programs;
    const struct op *loop = NULL;
    pthread_mutex_lock(&p->lock);
    for (size_t b = 0; b < p->built.count; b++)
        for (size_t i = 0; i < p->built.items[b].count; i++) {
            const struct op *op = &p->built.items[b].ops[i];
            if (op->class == SW_CLASS_BRANCH && op->d) loop = __atomic_load_n(&op->target, __ATOMIC_ACQUIRE);
        }
    assert_non_null(loop);
#if !defined(__SANITIZE_THREAD__)
    assert_true(fused_has(p, loop));
#endif
    __atomic_store_n(&compiled_code, (op_fn *)__atomic_load_n(&loop->fn, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
    __atomic_store_n((op_fn **)&loop->fn, spy, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&p->lock);
    while (!__atomic_load_n(&came_by, __ATOMIC_RELAXED)) pause_a_little();
    __atomic_store_n((op_fn **)&loop->fn, compiled_code, __ATOMIC_RELEASE);
    __atomic_store_n(go_on, 1, __ATOMIC_RELAXED);
    assert_int_equal(sw_job_finish(job, NULL, NULL, NULL), SW_OK);
    for (int i = 0; i < 64; i++) assert_int_equal(k.memory[i], 7);
    rig_close(&k.rig);
}

// ---- Programs that go away meanwhile ----

static void gone_while_compiling(void **state) {
    (void)state;
    find_wanted(PIECE("work"), 400);
    for (int i = 0; i < 12;
         i++) { // the kernel is due after the first run, and compiled in the second or later
        struct kernel k;
        open_kernel(&k, SW_TIER_BEST, 2, false, PIECE("work"));
        for (int n = i / 3; n >= 0; n--) check_run(&k, 400);
        if (i % 3 == 0) assert_int_equal(sw_device_unload(k.rig.device, k.rig.executable, NULL), SW_OK);
        if (i % 3 == 1) {
            const uint64_t base = sw_executable_base(k.rig.executable);
            assert_int_equal(sw_device_code_changed(k.rig.device, base, 4096), SW_OK);
            check_run(&k, 400);
        }
        rig_close(&k.rig);
    }
    compiler_settle();
}

// Code that changes is run as it is then, whatever was being made of it as it was.
static void changed_while_compiling(void **state) {
    (void)state;
    struct kernel k;
    open_kernel(&k, SW_TIER_BEST, 2, false, PIECE("work"));
    uint32_t *literal = (uint32_t *)(uintptr_t)(sw_executable_base(k.rig.executable) +
                                                sw_object_find_kernel(k.rig.object, "k")->entry_offset);
    while (*literal != 0x3f8ccccd) literal++;
    for (int i = 0; i < 8; i++) {
        char text[8192];
        snprintf(text, sizeof text, "%s", PIECE("work"));
        char number[16];
        snprintf(number, sizeof number, "0x%08x", 0x3f8ccccd + i % 4);
        memcpy(strstr(text, "0x3f8ccccd"), number, 10);
        find_wanted(text, 400);
        *literal = 0x3f8ccccd + (uint32_t)i % 4;
        assert_int_equal(sw_device_code_changed(k.rig.device, (uint64_t)(uintptr_t)literal, 4), SW_OK);
        check_run(&k, 400);
        if (i % 2) compiler_settle();
        check_run(&k, 400);
    }
    rig_close(&k.rig);
    compiler_settle();
}

static void several_devices(void **state) {
    (void)state;
    const bool here = compiler_here();
    struct kernel k[4];
    find_wanted(PIECE("work"), 400);
    for (int i = 0; i < 4; i++) open_kernel(&k[i], SW_TIER_BEST, 1, false, PIECE("work"));
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < 4; i++) check_run(&k[i], 400);
    compiler_settle();
    for (int i = 0; i < 4; i++) {
        check_run(&k[i], 400); // where the compiler was too busy to be asked, now it is not
        compiler_settle();
        assert_int_equal(is_compiled(&k[i].rig), here);
        check_run(&k[i], 400);
        rig_close(&k[i].rig);
    }
}

// Who picks a tier has that one, and who observes the interpreter.
static void exactly_as_asked(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct kernel k;
        open_kernel(&k,
                    i == 1 ? SW_TIER_NATIVE
                    : i    ? SW_TIER_BEST
                           : SW_TIER_INTERPRETER,
                    2, i == 2, PIECE("work"));
        find_wanted(PIECE("work"), 400);
        for (int n = 0; n < 4; n++) check_run(&k, 400);
        compiler_settle();
        assert_null(hot_of(&k.rig));
        assert_false(is_compiled(&k.rig));
        rig_close(&k.rig);
    }
    // Nor is what dispatches that are counted run anybody's weight.
    struct kernel k;
    open_kernel(&k, SW_TIER_BEST, 2, false, PIECE("work"));
    k.arguments[1] = 400;
    sw_dispatch q = rig_dispatch(k.rig.object, k.rig.executable, "k", k.arguments, ITEMS, 64);
    q.count = true;
    for (int n = 0; n < 4; n++) assert_int_equal(sw_device_run(k.rig.device, &q, NULL, NULL, NULL), SW_OK);
    compiler_settle();
    assert_null(hot_of(&k.rig));
    rig_close(&k.rig);
}

// ---- Processes ----

#if !defined(__SANITIZE_THREAD__)
static int code_of(pid_t child) {
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

// Processes end whenever they like, also where LLVM is their own and ends before them. Most are in LLVM then,
// or loading it.
static void processes_end(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        const pid_t child = fork();
        if (!child) {
            alarm(60); // one that hangs fails
            struct kernel k;
            find_wanted(PIECE("work"), 400);
            open_kernel(&k, SW_TIER_BEST, 2, false, PIECE("work"));
            check_run(&k, 400);
            if (i % 2) rig_close(&k.rig);
            for (int n = 0; n < 3 * i; n++) pause_a_little();
            exit(0);
        }
        const int code = code_of(child);
        if (code) fail_msg("process %d ends with exit code %d", i, code);
    }
}

// A process that has LLVM of its own, as HIP's has, ends it at exit. Its kernels are compiled by a copy,
// which does not end: the first process waits for compiled code, others end at any moment of compiling or
// loading.
static void llvm_of_others(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    find_wanted(PIECE("work"), 400);
    compiler_settle();
    for (int i = 0; i < 8; i++) {
        const pid_t child = fork();
        if (!child) {
            const char pauses[] = {(char)('0' + i), 0};
            alarm(60); // one that hangs fails
            execl("/proc/self/exe", "test_tier_up", "others", pauses, NULL);
            _exit(1);
        }
        const int code = code_of(child);
        if (code) fail_msg("process %d ends with exit code %d", i, code);
    }
}
static int run_with_own_llvm(int pauses) {
    struct kernel k;
    void *own = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!own) return 2;
    open_kernel(&k, SW_TIER_BEST, 2, false, PIECE("work"));
    for (int n = 0; n < 3; n++) run_kernel(&k, 400);
    if (pauses) {
        for (int n = 0; n < 10 * pauses; n++) pause_a_little();
        exit(0); // LLVM's destructors run
    }
    compiler_settle();
    if (!is_compiled(&k.rig)) return 3;
    const struct llvm *ours = llvm_load(HAVE_FUSED, NULL);
    if (!ours || ours->library == own || llvm_is_others(ours)) return 4;
    rig_close(&k.rig);
    return 0;
}

// A child of fork compiles by itself, or where its parent was compiling at that moment not at all.
static void processes_fork(void **state) {
    (void)state;
    const bool here = compiler_here();
    for (int busy = 0; busy < 2; busy++) {
        struct kernel k;
        find_wanted(PIECE("work"), 400);
        open_kernel(&k, SW_TIER_BEST, 2, false, PIECE("work"));
        check_run(&k, 400);
        if (!busy) compiler_settle();
        const pid_t child = fork();
        if (!child) {
            alarm(60); // one that hangs fails
            struct kernel own;
            open_kernel(&own, SW_TIER_BEST, 2, false, PIECE("work"));
            for (int n = 0; n < 3; n++) check_run(&own, 400);
            compiler_settle();
            // Where the parent had finished before it forked is the same as where it had not begun.
            const char *why = NULL;
            if (here && sw_device_tier(own.rig.device, &why) != SW_TIER_COMPILED && !(busy && why)) exit(2);
            check_run(&own, 400);
            rig_close(&own.rig);
            exit(0);
        }
        assert_int_equal(code_of(child), 0);
        check_run(&k, 400);
        rig_close(&k.rig);
    }
}

// LLVM ends the process where it meets what must not be: not this one.
static llvm_ref fail_fatally(llvm_ref module, const char *passes, llvm_ref machine, llvm_ref options) {
    (void)module, (void)passes, (void)machine, (void)options;
    void *library = llvm_load(HAVE_FUSED, NULL)->library;
    llvm_ref (*create)(const char *);
    *(void **)&create = dlsym(library, "LLVMCreateTargetData");
    create("what no target has");
    return NULL;
}
static void llvm_fails(void **state) {
    (void)state;
    if (!compiler_here()) skip();
    find_wanted(PIECE("work"), 400);
    compiler_settle();
    for (int at_once = 0; at_once < 2; at_once++) {
        const pid_t child = fork();
        if (!child) {
            alarm(60); // one that hangs fails
            struct kernel k;
            const char *why = NULL;

            ((struct llvm *)(uintptr_t)llvm_load(HAVE_FUSED, NULL))->RunPasses = fail_fatally;
            open_kernel(&k, at_once ? SW_TIER_COMPILED : SW_TIER_BEST, 2, false, PIECE("work"));
            for (int n = 0; n < 3; n++) check_run(&k, 400);
            compiler_settle();
            if (sw_device_tier(k.rig.device, &why) != SW_TIER_NATIVE || !why || !strstr(why, "LLVM")) exit(2);
            check_run(&k, 400);
            rig_close(&k.rig);
            exit(0);
        }
        assert_int_equal(code_of(child), 0);
    }
}
#endif

int main(int argc, char **argv) {
    (void)argv;
    setenv("SOFTWAVE_TIER_UP", "8000", 1);
    setenv("SOFTWAVE_CACHE", "", 1);
#if !defined(__SANITIZE_THREAD__)
    if (argc > 2) return run_with_own_llvm(argv[2][0] - '0');
#else
    (void)argc;
#endif
    const struct CMUnitTest tests[] = {
#if !defined(__SANITIZE_THREAD__) // before anybody has started threads
        cmocka_unit_test(processes_end),
        cmocka_unit_test(processes_fork),
        cmocka_unit_test(llvm_fails),
        cmocka_unit_test(llvm_of_others),
        cmocka_unit_test(loops_alone),
        cmocka_unit_test(kept_loops),
        cmocka_unit_test(full_code_later),
#endif
        cmocka_unit_test(all_is_weighed),
        cmocka_unit_test(memory_is_equal),
        cmocka_unit_test(later_code),
        cmocka_unit_test(long_code),
        cmocka_unit_test(bit_by_bit),
        cmocka_unit_test(calls),
        cmocka_unit_test(waves_in_loops_get_in),
        cmocka_unit_test(gone_while_compiling),
        cmocka_unit_test(changed_while_compiling),
        cmocka_unit_test(several_devices),
        cmocka_unit_test(exactly_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
