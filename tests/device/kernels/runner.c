// SPDX-License-Identifier: MIT
// Runs every kernel of table.txt on the device, for every code object given, and compares its buffers with
// those that the same source left on the host.
// usage: runner TABLE REFERENCES CODE_OBJECT...
// REFERENCES holds FILE.strict.so and FILE.fused.so: kernels for the host without and with contraction of
// a*b+c. A code object is named CONFIGURATION.FILE.co, where "default" in CONFIGURATION means default flags;
// beside it lies CONFIGURATION.FILE.ll, the IR it was made from.
// Each code object runs in a process of its own, two at a time; a crash is a failure of that one.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "emitted.h"
#include "softwave/device.h"

static void complain(void *context, const sw_diagnostic *d) {
    if (d->severity >= SW_SEVERITY_ERROR) fprintf(stderr, "    %s: %s\n", (const char *)context, d->message);
}

struct progress { // shared with the children
    unsigned passed, failed, skipped, at;
};

static void *page_copy(sw_device *d, const struct buffer *b) {
    void *p = sw_device_alloc(d, b->size);
    if (p) memcpy(p, b->initial, b->size);
    return p;
}

static uint64_t lds_arguments(const struct test *t, const sw_kernel *k, uint32_t offset[CASE_ARGUMENTS]) {
    uint64_t at = (k->group_segment_fixed_size + 15) & ~15ull;
    for (unsigned i = 0; i < t->argument_count; i++)
        if (t->arguments[i].kind == ARGUMENT_LDS)
            offset[i] = (uint32_t)at, at += (t->arguments[i].size + 15) & ~15ull;
    return at;
}

// `ir`: the file that the code object was made from, where it was built with default flags; or NULL.
static const char *run_test(struct test *t, sw_device *d, sw_executable *e, const sw_object *o,
                            const char *ir, const sw_sink *sink) {
    static char why[600];
    const sw_kernel *k = sw_object_find_kernel(o, t->kernel);
    if (!k) return "no such kernel";
    uint8_t *kernarg = sw_device_alloc(d, k->kernarg_segment_size + 64);
    void *memory[CASE_ARGUMENTS] = {0};
    uint32_t offset[CASE_ARGUMENTS];
    uint64_t lds = lds_arguments(t, k, offset);
    unsigned next = 0;
    for (size_t i = 0; i < k->argument_count; i++) {
        const sw_argument *a = sw_kernel_argument(k, i);
        if (sw_value_kind_is_hidden(a->value_kind)) continue;
        if (next == t->argument_count) return "the kernel has more arguments than the table gives";
        struct argument *given = &t->arguments[next];
        if (given->kind == ARGUMENT_BUFFER) {
            memory[next] = page_copy(d, &given->buffer);
            memcpy(kernarg + a->offset, &memory[next], 8);
        } else if (given->kind == ARGUMENT_LDS)
            memcpy(kernarg + a->offset, &offset[next], 4);
        else
            memcpy(kernarg + a->offset, given->value, a->size < 8 ? a->size : 8);
        next++;
    }
    if (next != t->argument_count) return "the kernel has fewer arguments than the table gives";
    sw_dispatch q = {.size = sizeof q,
                     .executable = e,
                     .descriptor = sw_executable_base(e) + k->descriptor_offset,
                     .kernarg = (uint64_t)(uintptr_t)kernarg,
                     .group_segment_size = (uint32_t)lds,
                     .private_segment_size = t->stack,
                     .timeout = 60,
                     .dispatch_id = 1};
    memcpy(q.grid, t->grid, sizeof q.grid);
    memcpy(q.block, t->block, sizeof q.block);
    sw_device_fill_hidden_arguments(d, k, &q, (uint32_t)lds - k->group_segment_fixed_size, kernarg);
    sw_fault f = {.size = sizeof f};
    sw_status status = sw_device_run(d, &q, &f, NULL, sink);
    const char *result = NULL;
    if (status != SW_OK) {
        snprintf(why, sizeof why, "status %d, fault %d at pc+0x%llx, wave %u lane %d, address 0x%llx: %s",
                 status, f.kind, (unsigned long long)(f.code_offset - k->entry_offset), f.wave, f.lane,
                 (unsigned long long)f.address, f.reason ? f.reason : "");
        result = why;
    } else if (ir && t->defaults.how == COMPARE_EMITTED)
        result = emitted_compare(ir, t, memory, k->descriptor->wavefront_size, why, sizeof why);
    else
        result = test_compare(t, memory, k->descriptor->wavefront_size, ir != NULL, why, sizeof why);
    for (unsigned i = 0; i < t->argument_count; i++)
        if (memory[i]) sw_device_free(d, memory[i]);
    sw_device_free(d, kernarg);
    return result;
}

static bool chosen(const struct test *t, const char *only) { return !only || strstr(t->kernel, only); }

static void run_object(struct tests *all, const char *path, const char *configuration, const char *file,
                       sw_tier tier, struct progress *p) {
    sw_sink sink = {.report = complain, .context = (void *)(uintptr_t)configuration};
    char ir[600];
    snprintf(ir, sizeof ir, "%.*sll", (int)strlen(path) - 2, path);
    bool defaults = strstr(configuration, "default") != NULL;
    FILE *f = fopen(path, "rb");
    if (!f) {
        p->failed++;
        printf("%s: cannot open\n", path);
        return;
    }
    fseek(f, 0, SEEK_END);
    size_t size = (size_t)ftell(f);
    rewind(f);
    uint8_t *bytes = malloc(size + 1);
    size = fread(bytes, 1, size, f);
    fclose(f);
    sw_object *o = NULL;
    sw_device *d = NULL;
    sw_executable *e = NULL;
    sw_device_options options = {.size = sizeof options,
                                 .threads = 1,
                                 .init = SW_INIT_RANDOM,
                                 .seed = 7,
                                 .level = getenv("LEVEL"),
                                 .weak = getenv("WEAK") ? strtoull(getenv("WEAK"), NULL, 10) : 0,
                                 .tier = tier};
    sw_status status = sw_object_open(bytes, size, NULL, &o, &sink);
    if (status == SW_OK) options.target = *sw_object_target(o);
    options.weak_hazards = options.weak & 1; // every other seed delivers hazards as well
    if (status == SW_OK) status = sw_device_create(&options, &d, &sink);
    if (status == SW_OK) status = sw_device_load(d, o, NULL, NULL, &e, &sink);
    for (unsigned i = 0; i < all->count; i++) {
        struct test *t = &all->items[i];
        if (strcmp(t->file, file) || !chosen(t, getenv("ONLY"))) continue;
        p->at = i;
        const char *why = status == SW_OK ? run_test(t, d, e, o, defaults ? ir : NULL, &sink)
                                          : "cannot load the code object";
        if (why)
            p->failed++,
                printf("  %s %s, tier %d: %s\n", configuration, t->kernel, tier - SW_TIER_INTERPRETER, why);
        else
            p->passed++;
    }
    fflush(stdout);
    sw_device_destroy(d);
    sw_object_close(o);
    free(bytes);
}

// "/dir/gfx90a-O2.bench.co" is configuration "gfx90a-O2", file "bench".
static bool split_name(const char *path, char configuration[64], char file[64]) {
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    return sscanf(base, "%63[^.].%63[^.].co", configuration, file) == 2;
}

// Compiling takes its time, so some objects are run compiled, too. TIER=N: all of them at that tier
// only.
static bool runs_at(sw_tier tier, size_t object, const char *file) {
    const char *only = getenv("TIER");
    if (only && *only) return tier == (sw_tier)(*only - '0' + SW_TIER_INTERPRETER);
    const size_t one_of = getenv("EVERY") ? 24 : 96;
    return tier != SW_TIER_COMPILED ||
           (object % one_of == 5 && strcmp(file, "math") && strcmp(file, "atomics"));
}

int main(int argc, char **argv) {
    if (argc < 3) return fprintf(stderr, "usage: runner TABLE REFERENCES CODE_OBJECT...\n"), 1;
    struct tests all;
    if (!tests_read(&all, argv[1], argv[2])) return 1;
    size_t objects = (size_t)argc - 3;
    struct progress *p =
        mmap(NULL, (objects + 1) * sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t *pids = calloc(objects + 1, sizeof *pids);
    size_t started = 0, ended = 0;
    unsigned passed = 0, failed = 0, skipped = 0, jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    if (jobs > 8) jobs = 8;
    while (ended < objects) {
        char configuration[64], file[64];
        while (started < objects && started - ended < jobs) {
            if (!split_name(argv[3 + started], configuration, file))
                return fprintf(stderr, "%s: bad name\n", argv[3 + started]), 1;
            fflush(stdout);
            pids[started] = fork();
            if (!pids[started]) {
                for (sw_tier tier = SW_TIER_INTERPRETER; tier <= SW_TIER_COMPILED; tier++)
                    if (runs_at(tier, started, file))
                        run_object(&all, argv[3 + started], configuration, file, tier, &p[started]);
                _exit(0);
            }
            started++;
        }
        int status;
        pid_t pid = wait(&status);
        if (pid < 0) return perror("wait"), 1;
        ended++;
        for (size_t i = 0; i < started; i++) {
            if (pids[i] != pid) continue;
            split_name(argv[3 + i], configuration, file);
            if (status)
                p[i].failed++, printf("  %s %s: crashed, status 0x%x\n", configuration,
                                      all.items[p[i].at].kernel, (unsigned)status);
            printf("%-20s %-10s %3u passed, %u failed\n", configuration, file, p[i].passed, p[i].failed);
            passed += p[i].passed, failed += p[i].failed, skipped += p[i].skipped;
        }
    }
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
