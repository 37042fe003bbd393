// SPDX-License-Identifier: MIT
// Runs kernels of programs.py on software GPUs and compares what they leave with what the host left.
// usage: programs HOST.so CODE-OBJECT...
// Every code object runs on every vector level of this host, interpreted and all native; some, which their
// names decide, also compiled by LLVM, at one level. Prints a line a difference and one of totals; exit code
// 1 when something differs.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "softwave/device.h"

enum { ITEMS = 128, INPUTS = 8, OUTPUTS = 16, MOST_KERNELS = 100 };

typedef void host_kernel(const uint64_t *in, uint64_t *out);
static uint64_t input[ITEMS * INPUTS + 64], want[MOST_KERNELS][ITEMS * OUTPUTS];
static unsigned kernel_count;
static long passed, failed, runs[3][2]; // runs: of objects, by tier, with guarded memory and without

uint32_t host_item; // of the host's kernels

static void make_input(void) {
    static const uint64_t special[] = {0,
                                       1,
                                       0x7f,
                                       0x80,
                                       0xff,
                                       0x7fff,
                                       0x8000,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       0x3f800000,
                                       0xbf800000,
                                       0x7f800000,
                                       0x7fc00000,
                                       1ull << 63,
                                       UINT64_MAX,
                                       0x3ff0000000000000,
                                       0x4024000000000000,
                                       0x00800000,
                                       0x00000001};
    uint64_t x = 88172645463325252u;
    for (size_t i = 0; i < sizeof input / sizeof *input; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        input[i] = x % 3 ? x * 0x2545f4914f6cdd1dull : special[x / 3 % (sizeof special / sizeof *special)];
    }
}

static bool run_host(const char *path) {
    void *library = dlopen(path, RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return false;
    }
    for (; kernel_count < MOST_KERNELS; kernel_count++) {
        char name[16];
        snprintf(name, sizeof name, "k%u", kernel_count);
        host_kernel *k;
        *(void **)&k = dlsym(library, name);
        if (!k) break;
        for (host_item = 0; host_item < ITEMS; host_item++) k(input, want[kernel_count]);
    }
    return kernel_count > 0;
}

static void compare(const char *path, const char *level, unsigned kernel, const uint64_t *got) {
    for (unsigned i = 0; i < ITEMS * OUTPUTS; i++)
        if (got[i] != want[kernel][i]) {
            printf("%s %s k%u: item %u, output %u is %llx, not %llx\n", path, level, kernel, i / OUTPUTS,
                   i % OUTPUTS, (unsigned long long)got[i], (unsigned long long)want[kernel][i]);
            failed++;
            return;
        }
    passed++;
}

static void run_kernels(const char *path, const char *level, const sw_object *object, sw_device *d,
                        sw_executable *e, unsigned count) {
    uint64_t *in = sw_device_alloc(d, sizeof input), *out = sw_device_alloc(d, ITEMS * OUTPUTS * 8);
    uint64_t *kernarg = sw_device_alloc(d, 4096);
    memcpy(in, input, sizeof input);
    for (unsigned i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "k%u", i);
        const sw_kernel *k = sw_object_find_kernel(object, name);
        sw_dispatch q = {.size = sizeof q,
                         .executable = e,
                         .kernarg = (uint64_t)(uintptr_t)kernarg,
                         .grid = {ITEMS, 1, 1},
                         .block = {64, 1, 1},
                         .timeout = 60,
                         .private_segment_size = 65536};
        sw_fault fault = {.size = sizeof fault};
        if (!k || k->kernarg_segment_size > 4096) {
            printf("%s: no kernel %s\n", path, name);
            failed++;
            continue;
        }
        q.descriptor = sw_executable_base(e) + k->descriptor_offset;
        sw_device_fill_hidden_arguments(d, k, &q, 0, kernarg);
        kernarg[0] = (uint64_t)(uintptr_t)in, kernarg[1] = (uint64_t)(uintptr_t)out;
        memset(out, 0xa5, ITEMS * OUTPUTS * 8);
        if (sw_device_run(d, &q, &fault, NULL, NULL) == SW_OK) {
            compare(path, level, i, out);
            continue;
        }
        printf("%s %s k%u: fault %d at %llx, address %llx %s\n", path, level, i, fault.kind,
               (unsigned long long)fault.code_offset, (unsigned long long)fault.address,
               fault.reason ? fault.reason : "");
        failed++;
    }
}

// Compiling takes its time: a kernel of one of COMPILED_OF objects, at one of the two levels that can.
enum { COMPILED_OF = 12, COMPILED_KERNELS = 1 };
// At one level and tier, with memory that may vanish or without; false: this host cannot.
static bool run_at(const char *path, const char *level, sw_tier tier, bool guarded, const sw_object *object) {
    sw_device_options o = {
        .size = sizeof o, .threads = 1, .level = level, .target = *sw_object_target(object), .tier = tier};
    sw_device *d;
    sw_executable *e;
    char place[32];
    if (sw_device_create(&o, &d, NULL) != SW_OK) return false;
    snprintf(place, sizeof place, "%s tier %d%s", level, tier - SW_TIER_INTERPRETER,
             guarded ? ", guarded" : "");
    if (guarded) sw_device_guard_memory(d);
    if (sw_device_tier(d, NULL) != tier)
        ; // there is none of this level
    else if (sw_device_load(d, object, NULL, NULL, &e, NULL) == SW_OK) {
        runs[tier - SW_TIER_INTERPRETER][guarded]++;
        run_kernels(path, place, object, d, e,
                    tier == SW_TIER_COMPILED && kernel_count > COMPILED_KERNELS ? COMPILED_KERNELS
                                                                                : kernel_count);
    } else {
        printf("%s: cannot be loaded\n", path);
        failed++;
    }
    sw_device_destroy(d);
    return true;
}

static unsigned hash_of(const char *path) {
    unsigned hash = 0;
    for (const char *c = path; *c; c++) hash = hash * 31 + (unsigned char)*c;
    return hash;
}
// Which objects those are.
static bool runs_at(const char *path, size_t level, sw_tier tier) {
    const unsigned hash = hash_of(path);
    return tier != SW_TIER_COMPILED || (hash / 2 % COMPILED_OF == 0 && level == hash % 2);
}
// One of two runs has guarded memory: all pairs of level and tier have it in some files.
static bool is_guarded(const char *path, size_t level, sw_tier tier) {
    return ((hash_of(path) >> 4) + level + (size_t)tier) % 2;
}

static void run_object(const char *path) {
    static const char *const levels[] = {"v4", "v3", "v2", "plain"};
    struct file f;
    sw_object *object;
    if (file_open(&f, path, NULL) != SW_OK || sw_object_open(f.data, f.size, NULL, &object, NULL) != SW_OK) {
        printf("%s: not a code object\n", path);
        failed++;
        return;
    }
    for (size_t l = 0; l < sizeof levels / sizeof *levels; l++)
        for (sw_tier tier = SW_TIER_INTERPRETER; tier <= SW_TIER_COMPILED; tier++)
            if (runs_at(path, l, tier) && !run_at(path, levels[l], tier, is_guarded(path, l, tier), object))
                break;
    sw_object_close(object);
    file_close(&f);
}

int main(int argc, char **argv) {
    make_input();
    if (argc < 3 || !run_host(argv[1])) return 1;
    for (int i = 2; i < argc; i++) run_object(argv[i]);
    for (int t = 0; t < 3; t++) printf("tier %d: %ld objects, %ld guarded; ", t, runs[t][0], runs[t][1]);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed != 0;
}
