// SPDX-License-Identifier: MIT
// Tiers: native code does what the interpreter does, bit for bit: memory, faults, progress of waves that wait
// for each other, code that changes; and where the host forbids it, kernels run without.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__) && defined(__x86_64__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#define HAVE_SECCOMP
#endif

#include "device/device.h"
#include "jit/fused.h"
#include "jit/stencil_set.h"
#include "jit/plan.h"
#include "piece.h"
#include "rig.h"

#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 12\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"        \
    ".amdhsa_system_sgpr_workgroup_id_x 1\n.amdhsa_group_segment_fixed_size 1024\n"

static bool open_at(struct rig *r, sw_tier tier, unsigned threads, const char *piece) {
    char text[16384];
    *r = (struct rig){0};
    if (!rig_text(text, sizeof text, PIECE(piece), DESCRIPTOR) ||
        !(r->object = rig_object("gfx900", text, &r->image)))
        return false;
    const sw_device_options o = {
        .size = sizeof o, .threads = threads, .target = *sw_object_target(r->object), .tier = tier};
    return sw_device_create(&o, &r->device, NULL) == SW_OK &&
           sw_device_load(r->device, r->object, NULL, NULL, &r->executable, NULL) == SW_OK;
}

static bool has_native_code(const struct rig *r) {
    for (const struct program *p = r->executable->programs; p; p = p->next)
        if (__atomic_load_n(&p->native, __ATOMIC_RELAXED)) return true;
    return false;
}

enum { GROUPS = 200, ITEMS = 64 * GROUPS };

// What the kernel leaves; whether native code ran is told.
static bool run_work(sw_tier tier, unsigned threads, unsigned loops, unsigned launches, uint32_t out[ITEMS]) {
    struct rig r;
    assert_true(open_at(&r, tier, threads, "work"));
    uint32_t *memory = sw_device_alloc(r.device, ITEMS * 4);
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    kernarg[0] = (uint64_t)(uintptr_t)memory, kernarg[1] = loops;
    for (unsigned i = 0; i < launches; i++) {
        memset(memory, 0xa5, ITEMS * 4);
        assert_int_equal(rig_run(&r, kernarg, ITEMS, 64, NULL), SW_OK);
    }
    memcpy(out, memory, ITEMS * 4);
    const bool native = has_native_code(&r);
    rig_close(&r);
    return native;
}

static bool native_here(void) {
    struct rig r;
    assert_true(open_at(&r, SW_TIER_NATIVE, 1, "work"));
    const char *why = NULL;
    const bool native = sw_device_tier(r.device, &why) == SW_TIER_NATIVE;
    assert_true(native || why);
    rig_close(&r);
    return native;
}

static uint32_t want[ITEMS], got[ITEMS];

static void memory_is_equal(void **state) {
    (void)state;
    const bool here = native_here();
    for (unsigned loops = 1; loops < 40; loops += 13) {
        assert_false(run_work(SW_TIER_INTERPRETER, 1, loops, 1, want));
        assert_int_equal(run_work(SW_TIER_NATIVE, 1, loops, 1, got), here);
        assert_memory_equal(got, want, sizeof want);
        assert_int_equal(run_work(SW_TIER_BEST, 1, loops, 3, got), here); // hot by then
        assert_memory_equal(got, want, sizeof want);
        assert_int_equal(run_work(SW_TIER_COMPILED, 1, loops, 1, got), here);
        assert_memory_equal(got, want, sizeof want);
    }
}

// Workers meet code that others have just joined: what ThreadSanitizer is to look at (make threads).
static void handed_over(void **state) {
    (void)state;
    run_work(SW_TIER_INTERPRETER, 1, 5, 1, want);
    for (unsigned i = 0; i < 8; i++) {
        run_work(i % 2 ? SW_TIER_BEST : SW_TIER_NATIVE, 3, 5, 4, got);
        assert_memory_equal(got, want, sizeof want);
    }
}

static void one_long_loop(void **state) {
    (void)state;
    struct rig r;
    const bool here = native_here();
    assert_true(open_at(&r, SW_TIER_BEST, 1, "work"));
    uint32_t *memory = sw_device_alloc(r.device, 256);
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    kernarg[0] = (uint64_t)(uintptr_t)memory, kernarg[1] = 50000; // more than a quantum
    assert_int_equal(rig_run(&r, kernarg, 64, 64, NULL), SW_OK);
    assert_int_equal(has_native_code(&r), here);
    rig_close(&r);
}

// Lanes that are read, written and exchanged, and scalars that SCC chooses, with all lanes, some and none.
enum { LANE_WAVES = 12, LANE_BYTES = LANE_WAVES * 0x4000 };
static void lanes_are_equal(void **state) {
    (void)state;
    char *want_lanes = NULL;
    for (int tier = 0; tier < 4; tier++) {
        struct rig r;
        assert_true(open_at(
            &r, (sw_tier[]){SW_TIER_INTERPRETER, SW_TIER_NATIVE, SW_TIER_BEST, SW_TIER_COMPILED}[tier], 1,
            "lanes"));
        uint64_t *kernarg = sw_device_alloc(r.device, 64);
        char *memory = sw_device_alloc(r.device, LANE_BYTES);
        kernarg[0] = (uint64_t)(uintptr_t)memory;
        memset(memory, 0xa5, LANE_BYTES);
        assert_int_equal(rig_run(&r, kernarg, 64 * LANE_WAVES, 64, NULL), SW_OK);
        if (!want_lanes)
            memcpy(want_lanes = malloc(LANE_BYTES), memory, LANE_BYTES);
        else
            assert_memory_equal(memory, want_lanes, LANE_BYTES);
        rig_close(&r);
    }
    assert_int_not_equal(((uint32_t *)want_lanes)[64 + 5], 0xa5a5a5a5);
    free(want_lanes);
}

#if !defined(__SANITIZE_THREAD__)
// A plan has each instruction once, whatever blocks are decoded over it.
static void plans_have_code_once(void **state) {
    (void)state;
    if (!native_here()) skip();
    struct rig r;
    assert_true(open_at(&r, SW_TIER_NATIVE, 1, "overlap"));
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    kernarg[0] = (uint64_t)(uintptr_t)sw_device_alloc(r.device, 256);
    assert_int_equal(rig_run(&r, kernarg, 64, 64, NULL), SW_OK);
    struct program *p = r.executable->programs;
    struct plan plan;
    fused_decode(p);
    pthread_mutex_lock(&p->lock);
    assert_true(
        plan_make(&plan, p, native_image_of(r.device->pool.level), p->built.items[0].ops, 100000, false));
    pthread_mutex_unlock(&p->lock);
    unsigned times[1024] = {0}, stores = 0;
    for (size_t i = 0; i < plan.steps.count; i++) {
        const struct op *op = plan.ops.items[i];
        if (plan.steps.items[i].kind == STEP_GO_TO || !op->first) continue;
        assert_true(op->pc / 4 < 1024);
        assert_int_equal(times[op->pc / 4]++, 0);
        stores += op->class == SW_CLASS_GLOBAL;
    }
    assert_int_equal(stores, 1);
    plan_free(&plan);
    rig_close(&r);
}
#endif

static void faults_are_equal(void **state) {
    (void)state;
    sw_fault fault[4] = {
        {.size = sizeof *fault}, {.size = sizeof *fault}, {.size = sizeof *fault}, {.size = sizeof *fault}};
    for (int tier = 0; tier < 4; tier++) {
        struct rig r;
        assert_true(open_at(&r, (sw_tier)tier, 1, "fault"));
        uint64_t *kernarg = sw_device_alloc(r.device, 64);
        kernarg[0] = (uint64_t)(uintptr_t)sw_device_alloc(r.device, 256);
        assert_int_equal(rig_run(&r, kernarg, 64, 64, &fault[tier]), SW_FAULTED);
        assert_int_equal(fault[tier].kind, SW_FAULT_WRITE);
        assert_int_equal(fault[tier].lane, 37);
        assert_int_equal(fault[tier].address, kernarg[0] + 0x100000);
        assert_int_equal(fault[tier].code_offset, fault[0].code_offset);
        assert_int_equal(fault[tier].waves, fault[0].waves);
        rig_close(&r);
    }
}

// Lanes with elements in any order, all or some of them on, one of them in another 4 GiB than the others:
// there it faults if it is on, whichever chunk it is in.
enum { UPPER_LANES = 5, UPPER_MASKS = 6, UPPER_RUNS = UPPER_LANES * UPPER_MASKS * 3 };
struct upper {
    sw_status status;
    sw_fault fault;
    uint32_t out[64];
};
static void run_upper(struct rig *r, uint64_t *kernarg, unsigned n, struct upper *u) {
    static const uint32_t lanes[UPPER_LANES] = {0, 15, 17, 40, 63};
    static const uint64_t masks[UPPER_MASKS] = {~0ull,  0xffffull << 48,       0x8001000080010000ull,
                                                0xff01, 0xfffffffffffdffffull, 1ull << 40 | 1};
    memset((void *)(uintptr_t)kernarg[1], 0xa5, 64 * 4);
    kernarg[2] = masks[n / UPPER_LANES % UPPER_MASKS];
    kernarg[3] = lanes[n % UPPER_LANES] | (uint64_t)(n / (UPPER_LANES * UPPER_MASKS))
                                              << 32; // none, load, store
    u->fault = (sw_fault){.size = sizeof u->fault};
    u->status = rig_run(r, kernarg, 64, 64, &u->fault);
    if (u->status == SW_FAULTED) u->fault.address -= kernarg[u->fault.kind == SW_FAULT_WRITE];
    memcpy(u->out, (const void *)(uintptr_t)kernarg[1], sizeof u->out);
}
static void other_upper_dwords(void **state) {
    (void)state;
    static struct upper wanted[UPPER_RUNS];
    unsigned faults = 0;
    for (int tier = 0; tier < 4; tier++) {
        struct rig r;
        assert_true(open_at(&r, (sw_tier)tier, 1, "upper"));
        uint64_t *kernarg = sw_device_alloc(r.device, 64);
        uint32_t *table = sw_device_alloc(r.device, 256);
        for (unsigned i = 0; i < 64; i++) table[i] = 0x1000 + i;
        kernarg[0] = (uint64_t)(uintptr_t)table;
        kernarg[1] = (uint64_t)(uintptr_t)sw_device_alloc(r.device, 256);
        for (unsigned n = 0; n < UPPER_RUNS; n++) {
            struct upper u, *first = tier ? &wanted[n] : &u;
            run_upper(&r, kernarg, n, &u);
            const unsigned other = n / (UPPER_LANES * UPPER_MASKS), lane = (unsigned)kernarg[3];
            const bool is_on = kernarg[2] >> lane & 1;
            assert_int_equal(u.status, other && is_on ? SW_FAULTED : SW_OK);
            assert_memory_equal(u.out, first->out, sizeof u.out);
            if (u.status == SW_FAULTED) {
                assert_int_equal(u.fault.lane, lane);
                assert_int_equal(u.fault.kind, other == 1 ? SW_FAULT_READ : SW_FAULT_WRITE);
                assert_int_equal(u.fault.address, (1ull << 32) + 4 * (7 * lane % 64));
                assert_int_equal(u.fault.code_offset, first->fault.code_offset);
                faults++;
            } else
                for (unsigned i = 0; i < 64; i++)
                    assert_int_equal(u.out[7 * i % 64],
                                     kernarg[2] >> i & 1 ? 0x1000 + 7 * i % 64 : 0xa5a5a5a5);
            if (!tier) wanted[n] = u;
        }
        rig_close(&r);
    }
    assert_int_equal(faults, 4 * 2 * 15);
}

// LDS, however lanes lie and whichever are on: a run, one address, neither, over the end, around 2^32; pieces
// know some of that and leave the rest to handlers (TRAP-260 to TRAP-265).
enum { LDS_STARTS = 6, LDS_STEPS = 6, LDS_MASKS = 8, LDS_GROUPS = LDS_STARTS * LDS_STEPS * LDS_MASKS };
static void fill_lds_lanes(uint32_t (*lane)[2]) {
    static const uint32_t starts[LDS_STARTS] = {0, 4, 130, 700, 1016, 0xfffffff8};
    static const uint64_t masks[LDS_MASKS] = {
        ~0ull, 0, 1, 1ull << 40, 0xffff0000ffff, 0xfffffffe, 0x8000f000ff0ff00f, ~3ull};
    for (unsigned n = 0; n < LDS_GROUPS * 64; n++) {
        const unsigned l = n % 64, step = n / 64 / LDS_STARTS % LDS_STEPS;
        const uint32_t steps[LDS_STEPS] = {0, l * 4, l / 16 * 64, l % 16 * 4, l * 8, (l * l & 63) * 4};
        const unsigned mask = n / 64 / LDS_STARTS / LDS_STEPS;
        const bool on = masks[mask] >> l & 1; // of the last mask, rows begin with lanes that are off
        lane[n][0] = on || mask == LDS_MASKS - 1 ? starts[n / 64 % LDS_STARTS] + steps[step] : 0x12345678 * l;
        lane[n][1] = on;
    }
}
static void lds_is_equal(void **state) {
    (void)state;
    const size_t bytes = LDS_GROUPS * 64 * 48;
    char *want_lds = NULL;
    for (int i = 0; i < 3; i++) {
        const sw_tier tier = (sw_tier[]){SW_TIER_INTERPRETER, SW_TIER_NATIVE, SW_TIER_BEST}[i];
        struct rig r;
        assert_true(open_at(&r, tier, 1, "lds"));
        uint64_t *kernarg = sw_device_alloc(r.device, 64);
        uint32_t(*lane)[2] = sw_device_alloc(r.device, LDS_GROUPS * 64 * sizeof *lane);
        char *out = sw_device_alloc(r.device, bytes);
        memset(out, 0xa5, bytes);
        fill_lds_lanes(lane);
        kernarg[0] = (uint64_t)(uintptr_t)lane, kernarg[1] = (uint64_t)(uintptr_t)out;
        assert_int_equal(rig_run(&r, kernarg, LDS_GROUPS * 64, 64, NULL), SW_OK);
        if (!want_lds) {
            want_lds = malloc(bytes);
            memcpy(want_lds, out, bytes);
        }
        for (size_t b = 0; b < bytes; b++)
            if (out[b] != want_lds[b])
                fail_msg("run %d, group %zu, lane %zu, byte %zu: 0x%02x, not 0x%02x", i, b / 48 / 64,
                         b / 48 % 64, b % 48, (uint8_t)out[b], (uint8_t)want_lds[b]);
        rig_close(&r);
    }
    free(want_lds);
}

// Turns of a loop whose vector instructions are skipped now and then, by MODE.VSKIP (TRAP-079).
enum { SKIP_GROUPS = 64, SKIP_ITEMS = SKIP_GROUPS * 64, SKIP_PATTERN = 0x35a96c71 };
static uint32_t skipped_turns(uint32_t pattern, uint32_t item) {
    uint32_t sum = 0;
    bool skips = false;
    for (unsigned n = 100; n; n--) {
        if (!skips) sum += item;
        skips = pattern >> (n & 31) & 1;
    }
    return sum;
}
static void skips_are_equal(void **state) {
    (void)state;
    for (sw_tier tier = SW_TIER_BEST; tier <= SW_TIER_COMPILED; tier++) {
        struct rig r;
        assert_true(open_at(&r, tier, 1, "skips"));
        uint64_t *kernarg = sw_device_alloc(r.device, 64);
        uint32_t(*out)[2] = sw_device_alloc(r.device, SKIP_ITEMS * sizeof *out);
        kernarg[0] = (uint64_t)(uintptr_t)out, kernarg[1] = SKIP_PATTERN;
        for (int twice = 0; twice < 2; twice++) {
            memset(out, 0xa5, SKIP_ITEMS * sizeof *out);
            assert_int_equal(rig_run(&r, kernarg, SKIP_ITEMS, 64, NULL), SW_OK);
            for (unsigned i = 0; i < SKIP_ITEMS; i++) {
                const uint32_t sum = skipped_turns(SKIP_PATTERN + i / 64, i);
                if (out[i][0] != sum || out[i][1] != sum)
                    fail_msg("tier %d, item %u: %u and %u, not %u", (int)tier, i, out[i][0], out[i][1], sum);
            }
        }
        rig_close(&r);
    }
}

// Each of the 256 modes of rounding and denormals, also where F32 and F64 have different ones, and modes that
// change in a loop: what is compiled knows none of them.
enum { MODES = 256, MODE_BYTES = MODES * 64 * 32 };
static void modes_are_equal(void **state) {
    (void)state;
    static const uint64_t f64[] = {0x3ff0000000000001, 0x0000000000000003, 0x800fffffffffffff,
                                   0x3fb999999999999a, 0x7fefffffffffffff, 0x0010000000000000,
                                   0xbfe5555555555555};
    static const uint32_t f32[] = {0x3f800001, 0x00000007, 0x807fffff, 0x3dcccccd,
                                   0x7f7fffff, 0x00800000, 0xbf2aaaab};
    char *want_modes = NULL;
    for (int i = 0; i < 3; i++) {
        const sw_tier tier = (sw_tier[]){SW_TIER_INTERPRETER, SW_TIER_NATIVE, SW_TIER_COMPILED}[i];
        struct rig r;
        assert_true(open_at(&r, tier, 1, "modes"));
        uint64_t *kernarg = sw_device_alloc(r.device, 64);
        uint32_t(*in)[8] = sw_device_alloc(r.device, 64 * sizeof *in);
        char *out = sw_device_alloc(r.device, MODE_BYTES);
        for (int lane = 0; lane < 64; lane++) {
            for (int n = 0; n < 4; n++) in[lane][n] = f32[(lane * (n + 1) + n) % 7] + (uint32_t)(lane / 7);
            memcpy(&in[lane][4], &f64[lane % 7], 8);
            memcpy(&in[lane][6], &f64[lane / 7 % 7], 8);
        }
        kernarg[0] = (uint64_t)(uintptr_t)out, kernarg[1] = (uint64_t)(uintptr_t)in;
        assert_int_equal(rig_run(&r, kernarg, MODES * 64, 64, NULL), SW_OK);
        if (!want_modes) {
            want_modes = malloc(MODE_BYTES);
            memcpy(want_modes, out, MODE_BYTES);
            assert_memory_not_equal(out, out + 64 * 32, 64 * 32); // modes matter
        }
        for (size_t b = 0; b < MODE_BYTES; b++)
            if (out[b] != want_modes[b])
                fail_msg("tier %d, mode 0x%02zx, lane %zu, byte %zu: 0x%02x, not 0x%02x", i, b / 2048,
                         b / 32 % 64, b % 32, (uint8_t)out[b], (uint8_t)want_modes[b]);
        rig_close(&r);
    }
    free(want_modes);
}

// One worker, of whose groups one waits for another; and one that is stopped.
static void spinning(void **state) {
    (void)state;
    for (int tier = 0; tier < 4; tier++) {
        struct rig r;
        assert_true(open_at(&r, (sw_tier)tier, 1, "spin"));
        uint64_t *kernarg = sw_device_alloc(r.device, 64);
        kernarg[0] = (uint64_t)(uintptr_t)sw_device_alloc(r.device, 64);
        assert_int_equal(rig_run(&r, kernarg, 128, 64, NULL), SW_OK);
        rig_close(&r);

        sw_fault fault = {.size = sizeof fault};
        assert_true(open_at(&r, (sw_tier)tier, 1, "forever"));
        sw_dispatch q = rig_dispatch(r.object, r.executable, "k", NULL, 64, 64);
        q.timeout = 0.05;
        assert_int_equal(sw_device_run(r.device, &q, &fault, NULL, NULL), SW_FAULTED);
        assert_int_equal(fault.kind, SW_FAULT_TIMEOUT);
        rig_close(&r);
    }
}

// Hot code whose bytes change is run as it is then; and memory of native code is given back.
static void changed_code(void **state) {
    (void)state;
    struct rig r;
    assert_true(open_at(&r, SW_TIER_BEST, 1, "work"));
    uint32_t *memory = sw_device_alloc(r.device, ITEMS * 4);
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    kernarg[0] = (uint64_t)(uintptr_t)memory, kernarg[1] = 3;
    uint32_t *k = (uint32_t *)(uintptr_t)(sw_executable_base(r.executable) +
                                          sw_object_find_kernel(r.object, "k")->entry_offset);
    while (*k != 0x3f8ccccd) k++; // a literal
    for (int i = 0; i < 200; i++) {
        *k = 0x3f8ccccd + (uint32_t)i;
        assert_int_equal(sw_device_code_changed(r.device, (uint64_t)(uintptr_t)k, 4), SW_OK);
        assert_int_equal(rig_run(&r, kernarg, ITEMS, 64, NULL), SW_OK);
        assert_int_equal(rig_run(&r, kernarg, ITEMS, 64, NULL), SW_OK);
        if (i == 0) memcpy(want, memory, sizeof want);
        if (i == 1) assert_memory_not_equal(memory, want, sizeof want);
    }
    *k = 0x3f8ccccd;
    assert_int_equal(sw_device_code_changed(r.device, (uint64_t)(uintptr_t)k, 4), SW_OK);
    assert_int_equal(rig_run(&r, kernarg, ITEMS, 64, NULL), SW_OK);
    assert_memory_equal(memory, want, sizeof want);
    rig_close(&r);
}

static void observe(void *context, const sw_step *step) { ++*(unsigned *)context, (void)step; }

// Who observes sees every instruction, and counts are the same.
static void observed(void **state) {
    (void)state;
    uint64_t counts[4];
    for (int tier = 0; tier < 4; tier++) {
        struct rig r;
        assert_true(open_at(&r, (sw_tier)tier, 1, "work"));
        uint64_t *kernarg = sw_device_alloc(r.device, 64);
        kernarg[0] = (uint64_t)(uintptr_t)sw_device_alloc(r.device, ITEMS * 4), kernarg[1] = 3;
        assert_int_equal(rig_run(&r, kernarg, ITEMS, 64, NULL), SW_OK);
        assert_int_equal(rig_run(&r, kernarg, ITEMS, 64, NULL), SW_OK);
        sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, ITEMS, 64);
        sw_counts c = {.size = sizeof c};
        unsigned steps = 0;
        q.count = true, q.observe = observe, q.observe_context = &steps;
        assert_int_equal(sw_device_run(r.device, &q, NULL, &c, NULL), SW_OK);
        counts[tier] = 0;
        for (int i = 0; i < SW_CLASSES; i++) counts[tier] += c.instructions[i];
        assert_int_equal(steps, counts[tier]);
        assert_int_equal(counts[tier], counts[0]);
        rig_close(&r);
    }
    const sw_device_options o = {.size = sizeof o, .threads = 1, .count = true, .tier = SW_TIER_NATIVE};
    sw_device_options with = o;
    sw_device *d;
    const char *why = NULL;
    assert_int_equal(sw_target_parse("gfx900", 6, &with.target, NULL), SW_OK);
    assert_int_equal(sw_device_create(&with, &d, NULL), SW_OK);
    assert_int_equal(sw_device_tier(d, &why), SW_TIER_INTERPRETER);
    assert_non_null(why);
    sw_device_destroy(d);
    with.tier = (sw_tier)4; // tier 3
    assert_int_equal(sw_device_create(&with, &d, NULL), SW_UNSUPPORTED);
}

#if defined(HAVE_SECCOMP)
// mprotect with PROT_EXEC fails, as on hardened hosts.
static bool forbid_executable_memory(void) {
    struct sock_filter f[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof f / sizeof *f, f};
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void hardened_host(void **state) {
    (void)state;
    if (!native_here()) skip();
    run_work(SW_TIER_INTERPRETER, 1, 5, 1, want);
    const pid_t child = fork();
    if (!child) {
        if (!forbid_executable_memory()) _exit(77);
        struct rig r;
        const char *why = NULL;
        if (!open_at(&r, SW_TIER_NATIVE, 1, "work")) _exit(1);
        if (sw_device_tier(r.device, &why) != SW_TIER_INTERPRETER || !why || !strstr(why, "executable"))
            _exit(2);
        rig_close(&r);
        for (int tier = 0; tier < 4; tier++)
            if (run_work((sw_tier)tier, 2, 5, 3, got) || memcmp(got, want, sizeof want)) _exit(3);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}
#endif

// ---- Elements that others write ----

typedef uint32_t four __attribute__((vector_size(16)));
struct place {
    _Alignas(64) volatile four sixteen;
    volatile uint64_t eight;
};
struct writer {
    struct place *place;
    bool ends; // atomic
};
static void *write_both(void *argument) {
    struct writer *w = argument;
    const four ones = {~0u, ~0u, ~0u, ~0u};
    while (!__atomic_load_n(&w->ends, __ATOMIC_RELAXED)) {
        w->place->sixteen = (four){0}, w->place->eight = 0;
        w->place->sixteen = ones, w->place->eight = ~0ull;
    }
    return NULL;
}
// Aligned elements of 8 and 16 bytes are read as a whole, also where lanes have one address. Shown on hosts
// with several processors alone.
static void whole_elements(void **state) {
    (void)state;
#if defined(__SANITIZE_THREAD__)
    skip(); // it is a race, on purpose
#endif
    for (sw_tier tier = SW_TIER_INTERPRETER; tier <= SW_TIER_COMPILED; tier++) {
        struct rig r;
        assert_true(open_at(&r, tier, 1, "whole"));
        struct writer w = {.place = sw_device_alloc(r.device, sizeof *w.place)};
        uint32_t *out = sw_device_alloc(r.device, 64 * 4), any = 0;
        uint64_t *kernarg = sw_device_alloc(r.device, 64);
        kernarg[0] = (uint64_t)(uintptr_t)w.place, kernarg[1] = (uint64_t)(uintptr_t)out, kernarg[2] = 50000;
        pthread_t thread;
        assert_false(pthread_create(&thread, NULL, write_both, &w));
        assert_int_equal(rig_run(&r, kernarg, 64, 64, NULL), SW_OK);
        __atomic_store_n(&w.ends, true, __ATOMIC_RELAXED);
        pthread_join(thread, NULL);
        for (int i = 0; i < 64; i++) any |= out[i];
        if (any) fail_msg("tier %d: bits %x of an element were newer than others", tier, any);
        rig_close(&r);
    }
}

// A block may end in a word that is no instruction. What stands before decides how the kernel is compiled.
static void ends_in_no_instruction(sw_tier tier, const char *processor, const char *code, const char *more) {
    char text[16384], directives[512];
    struct rig r = {0};
    sw_fault fault = {.size = sizeof fault};
    snprintf(
        directives, sizeof directives,
        ".amdhsa_next_free_vgpr 160\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n%s",
        more);
    assert_true(rig_text(text, sizeof text, code, directives));
    assert_non_null(r.object = rig_object(processor, text, &r.image));
    const sw_device_options o = {
        .size = sizeof o, .threads = 1, .target = *sw_object_target(r.object), .tier = tier, .cache = ""};
    assert_int_equal(sw_device_create(&o, &r.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL), SW_OK);
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    kernarg[0] = (uint64_t)(uintptr_t)sw_device_alloc(r.device, 65536);
    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(rig_run(&r, kernarg, 64, 64, &fault), SW_FAULTED);
        assert_int_equal(fault.kind, SW_FAULT_ILLEGAL);
    }
    rig_close(&r);
}
static void no_instruction(void **state) {
    (void)state;
    static const unsigned accesses[] = {0, 1, 37, 38, 39, 40, 43, 47, 100};
    for (sw_tier tier = SW_TIER_INTERPRETER; tier <= SW_TIER_COMPILED; tier++) {
        for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
            char code[8192];
            size_t n =
                (size_t)sprintf(code, " s_load_dwordx2 s[4:5], s[0:1], 0x0\n v_lshlrev_b32 v11, 2, v0\n"
                                      " s_waitcnt lgkmcnt(0)\n");
            for (unsigned k = 0; k < accesses[i]; k++)
                n += (size_t)sprintf(code + n, " global_load_dword v%u, v11, s[4:5] offset:%u\n", k + 20,
                                     4 * k);
            sprintf(code + n, " s_waitcnt vmcnt(0)\n .long 0xfffffff0\n");
            ends_in_no_instruction(tier, "gfx900", code, "");
        }
        ends_in_no_instruction(
            tier, "gfx1201",
            " s_load_b64 s[4:5], s[0:1], 0x0\n s_wait_kmcnt 0x0\n v_lshlrev_b32 v3, 2, v0\n"
            " s_mov_b32 m0, 2\n global_store_block v3, v[10:41], s[4:5]\n .long 0x5d905162\n",
            ".amdhsa_wavefront_size32 0\n");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
#if defined(HAVE_SECCOMP)
        cmocka_unit_test(hardened_host), // forks: before there is a thread that compiles, for ThreadSanitizer
#endif
        cmocka_unit_test(memory_is_equal),
        cmocka_unit_test(handed_over),
        cmocka_unit_test(one_long_loop),
        cmocka_unit_test(lanes_are_equal),
#if !defined(__SANITIZE_THREAD__)
        cmocka_unit_test(plans_have_code_once),
#endif
        cmocka_unit_test(faults_are_equal),
        cmocka_unit_test(other_upper_dwords),
        cmocka_unit_test(no_instruction),
        cmocka_unit_test(whole_elements),
        cmocka_unit_test(lds_is_equal),
        cmocka_unit_test(modes_are_equal),
        cmocka_unit_test(skips_are_equal),
        cmocka_unit_test(spinning),
        cmocka_unit_test(changed_code),
        cmocka_unit_test(observed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
