// SPDX-License-Identifier: MIT
// The device as a library: launches from many threads, several devices, memory given and taken while
// kernels run, spinning work-groups, faults and time-outs. Kernels are assembled here by clang-22's llvm-mc
// into objects once, from the text below.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "assemble.h"
#include "softwave/device.h"

// Kernel arguments: one pointer, then a 32-bit number. s[0:1] is the kernarg pointer, s2 the work-group id X.
#define KERNEL(name, body)                                                                                   \
    ".text\n.globl " name "\n.p2align 8\n.type " name ",@function\n" name ":\n" body                         \
    "s_endpgm\n.rodata\n.p2align 6\n.amdhsa_kernel " name "\n.amdhsa_next_free_vgpr 8\n"                     \
    ".amdhsa_next_free_sgpr 16\n.amdhsa_accum_offset 8\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"           \
    ".amdhsa_kernarg_size 16\n.end_amdhsa_kernel\n"

static const char source[] = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n"
    // adds 1 to the word at the pointer, once a work-item
    KERNEL("count",
           "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_mov_b32 v1, 0\nv_mov_b32 v2, 1\ns_waitcnt lgkmcnt(0)\n"
           "global_atomic_add v1, v2, s[4:5]\ns_waitcnt vmcnt(0)\n")
    // every work-group signs in at word 0 and waits for all (argument 2)
    KERNEL("meet", "s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_mov_b32 v1, 0\nv_mov_b32 v2, 1\ns_mov_b64 exec, "
                   "1\ns_waitcnt lgkmcnt(0)\n"
                   "global_atomic_add v1, v2, s[4:5]\nmeet_loop:\nglobal_load_dword v3, v1, s[4:5] "
                   "glc\ns_waitcnt vmcnt(0)\n"
                   "v_readfirstlane_b32 s8, v3\ns_cmp_ge_u32 s8, s6\ns_cbranch_scc0 meet_loop\n")
        KERNEL("forever", "forever_loop:\ns_branch forever_loop\n")
            KERNEL("sleeper", "sleeper_loop:\ns_sleep 1\ns_branch sleeper_loop\n")
                KERNEL("store", "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_lshlrev_b32 v1, 2, v0\ns_waitcnt "
                                "lgkmcnt(0)\nglobal_store_dword v1, v0, s[4:5]\n")
                    KERNEL("fetch",
                           "s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_mov_b32 v1, 0\ns_waitcnt lgkmcnt(0)\n"
                           "fetch_loop:\nglobal_load_dword v3, v1, s[4:5]\ns_branch fetch_loop\n")
                        KERNEL("wild", "s_mov_b64 s[4:5], 0x10000\ns_setpc_b64 s[4:5]\n")
                            KERNEL("unlawful", ".long 0xbf8affff\n.long 0xffffffff\n")
                                KERNEL("trapped", "s_trap 7\n");

static int setup(void **state) {
    struct assembled *a = calloc(1, sizeof *a);
    if (!a || !assemble(a, "gfx90a", "", source, sizeof source - 1)) return -1;
    *state = a;
    return 0;
}

static int teardown(void **state) {
    assembled_close(*state);
    free(*state);
    return 0;
}

struct gpu {
    sw_device *device;
    sw_executable *executable;
    const sw_object *object;
};

static struct gpu open_gpu(struct assembled *e, unsigned threads) {
    struct gpu g = {.object = e->object};
    sw_device_options o = {.size = sizeof o, .threads = threads, .target = *sw_object_target(e->object)};
    assert_int_equal(sw_device_create(&o, &g.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(g.device, e->object, NULL, NULL, &g.executable, NULL), SW_OK);
    return g;
}

static sw_status launch(struct gpu *g, const char *kernel, void *pointer, uint32_t number, uint32_t groups,
                        double timeout, sw_fault *fault) {
    const sw_kernel *k = sw_object_find_kernel(g->object, kernel);
    assert_non_null(k);
    uint64_t *kernarg = sw_device_alloc(g->device, 16);
    assert_non_null(kernarg);
    kernarg[0] = (uint64_t)(uintptr_t)pointer;
    kernarg[1] = number;
    sw_dispatch q = {.size = sizeof q,
                     .executable = g->executable,
                     .descriptor = sw_executable_base(g->executable) + k->descriptor_offset,
                     .kernarg = (uint64_t)(uintptr_t)kernarg,
                     .grid = {64 * groups, 1, 1},
                     .block = {64, 1, 1},
                     .timeout = timeout};
    sw_status s = sw_device_run(g->device, &q, fault, NULL, NULL);
    sw_device_free(g->device, kernarg);
    return s;
}

// ---- Queues of dispatches from many threads; several devices in one process ----
struct submitter {
    struct gpu *gpu;
    uint32_t *word;
};

static void *submit(void *argument) {
    struct submitter *s = argument;
    for (int i = 0; i < 20; i++)
        if (launch(s->gpu, "count", s->word, 0, 3, 0, NULL) != SW_OK) return s;
    return NULL;
}

static void many_threads_and_devices(void **state) {
    struct gpu gpus[2] = {open_gpu(*state, 2), open_gpu(*state, 1)};
    struct submitter submitters[8];
    pthread_t threads[8];
    uint32_t *words[2];
    for (int d = 0; d < 2; d++) words[d] = sw_device_alloc(gpus[d].device, 4);
    for (int i = 0; i < 8; i++) {
        submitters[i] = (struct submitter){&gpus[i % 2], words[i % 2]};
        assert_int_equal(pthread_create(&threads[i], NULL, submit, &submitters[i]), 0);
    }
    for (int i = 0; i < 8; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    for (int d = 0; d < 2; d++) {
        assert_int_equal(*words[d], 4 * 20 * 3 * 64);
        sw_device_destroy(gpus[d].device);
    }
}

// ---- Forward progress between work-groups, up to the number reported ----
static void work_groups_meet(void **state) {
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct gpu g = open_gpu(*state, threads);
        uint32_t *word = sw_device_alloc(g.device, 4);
        sw_fault fault = {.size = sizeof fault};
        assert_int_equal(launch(&g, "meet", word, 24, 24, 60, &fault), SW_OK);
        assert_int_equal(*word, 24);
        sw_device_destroy(g.device);
    }
}

// ---- Memory made accessible and taken away ----
static void memory_given_and_taken(void **state) {
    struct gpu g = open_gpu(*state, 2);
    uint32_t *host = aligned_alloc(4096, 4096);
    memset(host, 0xff, 4096);
    sw_fault fault = {.size = sizeof fault};
    assert_int_equal(launch(&g, "store", host, 0, 1, 0, &fault), SW_FAULTED);
    assert_int_equal(fault.kind, SW_FAULT_WRITE);
    assert_true(fault.address == (uint64_t)(uintptr_t)host);
    assert_int_equal(fault.lane, 0);
    assert_int_equal(host[0], 0xffffffff); // untouched
    assert_int_equal(sw_device_map(g.device, host, 256, SW_RIGHT_READ | SW_RIGHT_WRITE), SW_OK);
    assert_int_equal(launch(&g, "store", host, 0, 1, 0, &fault), SW_OK);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(host[i], i);
    assert_int_equal(host[64], 0xffffffff);
    assert_int_equal(sw_device_map(g.device, host, 256, SW_RIGHT_READ), SW_OK);
    assert_int_equal(launch(&g, "store", host, 0, 1, 0, &fault), SW_FAULTED);
    assert_int_equal(sw_device_map(g.device, host, 256, 0), SW_OK);
    free(host);
    sw_device_destroy(g.device);
}

static void *fetch_until_fault(void *argument) {
    struct submitter *s = argument;
    static sw_fault fault = {.size = sizeof fault};
    sw_status status = launch(s->gpu, "fetch", s->word, 0, 4, 60, &fault);
    return status == SW_FAULTED && fault.kind == SW_FAULT_READ ? NULL : s;
}

// A kernel that reads memory in a loop faults when the memory is taken away, and only after
// sw_device_map has returned may the memory really go.
static void memory_taken_while_running(void **state) {
    struct gpu g = open_gpu(*state, 2);
    uint32_t *host = aligned_alloc(4096, 4096);
    memset(host, 0, 4096);
    assert_int_equal(sw_device_map(g.device, host, 4096, SW_RIGHT_READ), SW_OK);
    struct submitter s = {&g, host};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fetch_until_fault, &s), 0);
    usleep(50000);
    assert_int_equal(sw_device_map(g.device, host, 4096, 0), SW_OK);
    free(host);
    void *failed;
    pthread_join(thread, &failed);
    assert_null(failed);
    sw_device_destroy(g.device);
}

// ---- Faults ----
static void faults(void **state) {
    struct gpu g = open_gpu(*state, 2);
    static const struct {
        const char *kernel;
        sw_fault_kind kind;
        uint64_t address;
    } cases[] = {
        {"forever", SW_FAULT_TIMEOUT, 0},           {"sleeper", SW_FAULT_TIMEOUT, 0},
        {"wild", SW_FAULT_JUMP, 0x10000},           {"trapped", SW_FAULT_TRAP, 7},
        {"unlawful", SW_FAULT_ILLEGAL, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_fault fault = {.size = sizeof fault};
        assert_int_equal(launch(&g, cases[i].kernel, NULL, 0, 2, 0.2, &fault), SW_FAULTED);
        assert_int_equal(fault.kind, cases[i].kind);
        if (cases[i].address != UINT64_MAX) assert_true(fault.address == cases[i].address);
        if (cases[i].kind != SW_FAULT_TIMEOUT) {
            const sw_kernel *k = sw_object_find_kernel(g.object, cases[i].kernel);
            assert_true(fault.code_offset >= k->entry_offset && fault.code_offset < k->entry_offset + 64);
        }
    }
    uint32_t *word = sw_device_alloc(g.device, 4); // the device still works
    assert_int_equal(launch(&g, "count", word, 0, 2, 0, NULL), SW_OK);
    assert_int_equal(*word, 128);
    sw_device_destroy(g.device);
}

static void refusals(void **state) {
    struct gpu g = open_gpu(*state, 1);
    sw_dispatch q = {.size = sizeof q,
                     .executable = g.executable,
                     .descriptor = sw_executable_base(g.executable),
                     .grid = {1, 1, 1},
                     .block = {1, 1, 1}};
    q.descriptor = 64;
    assert_int_equal(sw_device_run(g.device, &q, NULL, NULL, NULL), SW_BAD_INPUT);
    const sw_kernel *k = sw_object_find_kernel(g.object, "count");
    q.descriptor = sw_executable_base(g.executable) + k->descriptor_offset;
    uint64_t *entry = (uint64_t *)(uintptr_t)(q.descriptor + 16), right = *entry; // KD-06
    *entry = 1 << 24;
    assert_int_equal(sw_device_run(g.device, &q, NULL, NULL, NULL), SW_BAD_INPUT);
    *entry = 0; // the descriptor itself, which is not code
    assert_int_equal(sw_device_run(g.device, &q, NULL, NULL, NULL), SW_BAD_INPUT);
    *entry = right;
    q.block[0] = 2048;
    assert_int_equal(sw_device_run(g.device, &q, NULL, NULL, NULL), SW_BAD_INPUT);
    q.block[0] = 0;
    assert_int_equal(sw_device_run(g.device, &q, NULL, NULL, NULL), SW_BAD_INPUT);
    q.block[0] = 64, q.group_segment_size = 1 << 20;
    assert_int_equal(sw_device_run(g.device, &q, NULL, NULL, NULL), SW_BAD_INPUT);
    sw_device_destroy(g.device);
    sw_target other;
    assert_int_equal(sw_target_parse("gfx1100", 7, &other, NULL), SW_OK);
    sw_device_options o = {.size = sizeof o, .threads = 1, .target = other};
    sw_executable *executable;
    assert_int_equal(sw_device_create(&o, &g.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(g.device, g.object, NULL, NULL, &executable, NULL), SW_BAD_INPUT);
    sw_device_destroy(g.device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_threads_and_devices),
        cmocka_unit_test(work_groups_meet),
        cmocka_unit_test(memory_given_and_taken),
        cmocka_unit_test(memory_taken_while_running),
        cmocka_unit_test(faults),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
