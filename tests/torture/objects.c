// SPDX-License-Identifier: MIT
// Mangled code objects through reading, linking, loading and running. Good objects of several processors, and
// those named on the command line, get bytes changed where it hurts: headers, tables, descriptors, notes,
// code.
//
//     objects SECONDS [SEED [FILE...]]
//
// Each case ends in a result, a diagnostic or a fault within bounded time. A crash leaves the number that
// runs it again: objects 0 NUMBER.
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "rig.h"
#include "softwave/link.h"
#include "softwave/terascale.h"
#include "torture/torture.h"

enum { MOST_SEEDS = 64 };

// ---- Good objects ----

struct seed {
    const char *processor;
    uint8_t *bytes; // of a relocatable object, and of the linked one made from it
    size_t size;
    bool linked;
};
static struct seed seeds[MOST_SEEDS];
static size_t seed_count;

static const char program[] =
    ".amdgcn_target \"amdgcn-amd-amdhsa--%1$s\"\n.text\n.globl f\n.hidden f\n.p2align 8\n.type "
    "f,@function\nf: "
    "s_setpc_b64 s[30:31]\n"
    ".size f, .-f\n.globl k\n.p2align 8\n.type k,@function\nk:\n s_getpc_b64 s[28:29]\n"
    " s_add_u32 s28, s28, f@rel32@lo+4\n s_addc_u32 s29, s29, f@rel32@hi+12\n s_swappc_b64 s[30:31], "
    "s[28:29]\n"
    " s_nop 0\n s_endpgm\n.size k, .-k\n.data\n.globl data\ndata: .quad f\n.quad k\n.fill 64, 1, 7\n"
    ".section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr "
    "40\n"
    ".amdhsa_group_segment_fixed_size 64\n.amdhsa_private_segment_fixed_size 16\n%2$s.end_amdhsa_kernel\n"
    ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--%1$s\namdhsa.kernels:\n"
    "  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 16\n    .group_segment_fixed_size: 64\n"
    "    .private_segment_fixed_size: 16\n    .kernarg_segment_align: 8\n    .wavefront_size: %3$d\n"
    "    .sgpr_count: 40\n    .vgpr_count: 8\n    .max_flat_workgroup_size: 256\n    .args:\n"
    "      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: "
    "global}\n...\n.end_amdgpu_metadata\n";

static void add_seed(const char *processor, uint8_t *bytes, size_t size, bool linked) {
    if (seed_count < MOST_SEEDS) seeds[seed_count++] = (struct seed){processor, bytes, size, linked};
}
static void make_seeds(void) {
    static const struct {
        const char *name, *more;
        int lanes;
    } targets[] = {{"gfx803", "", 64},
                   {"gfx900", "", 64},
                   {"gfx90a", ".amdhsa_accum_offset 8\n", 64},
                   {"gfx942", ".amdhsa_accum_offset 8\n", 64},
                   {"gfx1030", "", 32},
                   {"gfx1100", "", 32},
                   {"gfx1201", "", 32}};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        char text[4096];
        snprintf(text, sizeof text, program, targets[i].name, targets[i].more, targets[i].lanes);
        sw_asm_options o = {.size = sizeof o, .os = SW_OS_AMDHSA, .no_files = true};
        uint8_t *object, *image;
        size_t size, length;
        if (sw_target_parse(targets[i].name, strlen(targets[i].name), &o.target, NULL) != SW_OK ||
            sw_assemble(text, strlen(text), &o, &object, &size, NULL) != SW_OK)
            continue;
        add_seed(targets[i].name, object, size, false);
        const sw_link_input input = {.size = sizeof input, .name = "seed", .bytes = object, .length = size};
        if (sw_link(&input, 1, NULL, &image, &length, NULL) == SW_OK)
            add_seed(targets[i].name, image, length, true);
    }
}
// Programs of the R600 family, whose objects are others.
static void make_old_seeds(void) {
    static const char text[] =
        "a:\n.lds 64\nALU_PUSH_BEFORE: KCACHE0(CB0:0-31)\n0 x: PRED_SETGT_INT ____, R0.x, KC0[2].y "
        "UPDATE_EXEC_MASK "
        "UPDATE_PRED\n1 x: MOV R2.x, (0x400)\n"
        "TC:\nVFETCH R3, R2.x, b3 FORMAT(32_32_32_32) NUM_FORMAT(INT)\n"
        "MEM_RAT: STORE_RAW, RAT(0)[R2], R3\nPOP POP_CNT(1)\nLOOP_START_DX10 ADDR(.L1)\n.L0:\n"
        "ALU:\n0 x: ADD_INT R0.x, R0.x, 1\n1 x: LDS_WRITE R0.x, R0.y\n2 x: PRED_SETGT_INT ____, R0.x, (90) "
        "UPDATE_PRED\n"
        "LOOP_BREAK ADDR(.L2)\n.L2:\nLOOP_END ADDR(.L0)\n.L1:\nNOP\nJUMP ADDR(.L3) COND(FALSE)\n.L3:\n%s\n"
        "b:\n.set SQ_PGM_RESOURCES_2_LS SINGLE_ROUND(1)\nALU:\n0 x: MOV R0.x, R1.x\n%s\n";
    static const char *const names[] = {"cedar", "cypress", "cayman"};
    for (unsigned i = 0; i < 3; i++) {
        char program_text[2048];
        const char *end = i == 2 ? "CF_END" : "NOP END_OF_PROGRAM";
        snprintf(program_text, sizeof program_text, text, end, end);
        const sw_terascale_as_options o = {.size = sizeof o,
                                           .processor = sw_processor_find(names[i], strlen(names[i]))};
        uint8_t *object;
        size_t size;
        if (sw_terascale_assemble(program_text, strlen(program_text), &o, &object, &size, NULL) == SW_OK)
            add_seed(names[i], object, size, false);
    }
}
static void read_seed(const char *path) {
    struct file f;
    if (file_open(&f, path, NULL) != SW_OK) return;
    uint8_t *copy = malloc(f.size);
    if (copy) {
        memcpy(copy, f.data, f.size);
        add_seed(NULL, copy, f.size, true);
    }
    file_close(&f);
}

// ---- Mangling ----

static uint64_t nasty(void) {
    static const uint64_t values[] = {
        0,          1,          2,          3,          7,          8,          63,         64,
        255,        256,        4095,       4096,       0x7fff,     0x8000,     0xffff,     0x7fffffff,
        0x80000000, 0xfffffff0, 0xffffffff, 1ull << 32, 1ull << 47, 1ull << 63, UINT64_MAX, UINT64_MAX - 7};
    return below(3) ? values[below(sizeof values / sizeof *values)]
                    : (uint64_t)next_random() << 20 | next_random();
}
static void mangle_once(uint8_t *b, size_t *size) {
    static const uint8_t widths[] = {1, 2, 4, 8};
    const unsigned width = widths[below(4)];
    size_t at = below((uint32_t)*size);
    switch (below(6)) {
    case 0: at = below(64); break;                     // the file header
    case 1: at = rd64(b + 32) + below(56 * 8); break;  // program headers
    case 2: at = rd64(b + 40) + below(64 * 16); break; // section headers
    case 3:                                            // a table somewhere: one of the words that are small
        for (int i = 0; i < 200 && at + 8 <= *size && (rd32(b + at) == 0 || rd32(b + at) > 4096); i++)
            at = below((uint32_t)*size);
        break;
    case 4:
        if (below(8) == 0) *size = 1 + below((uint32_t)*size);
        break;
    }
    if (at >= *size || *size - at < width) return;
    if (below(4) == 0) {
        b[at] ^= (uint8_t)(1u << below(8));
        return;
    }
    const uint64_t v =
        below(2) ? nasty() : rd32(b + (at & ~3u & (*size - 4))) + (uint64_t)(int64_t)(int8_t)below(256);
    memcpy(b + at, &v, width);
}

// ---- What is done with an object ----

static long opened, loaded, ran, linked;

static sw_device *devices[MOST_SEEDS];
static sw_device *device_for(const sw_object *object) {
    const sw_target *t = sw_object_target(object);
    if (!t || !t->processor) return NULL;
    for (size_t i = 0; i < seed_count; i++) {
        if (devices[i] && sw_device_target(devices[i])->processor == t->processor) return devices[i];
        if (devices[i]) continue;
        sw_device_options o = {.size = sizeof o, .threads = 1, .target = *t};
        return sw_device_create(&o, &devices[i], NULL) == SW_OK ? devices[i] : NULL;
    }
    return NULL;
}
static void run_all(sw_device *d, const sw_object *object, sw_executable *e) {
    const size_t count = sw_object_kernel_count(object);
    void *kernarg = sw_device_alloc(d, 4096);
    for (size_t i = 0; i < count && i < 3; i++) {
        sw_dispatch q = {.size = sizeof q,
                         .executable = e,
                         .descriptor = sw_executable_base(e) + sw_object_kernel(object, i)->descriptor_offset,
                         .kernarg = (uint64_t)(uintptr_t)kernarg,
                         .grid = {100, 1, 1},
                         .block = {64, 1, 1},
                         .timeout = 0.05};
        if (sw_object_kernel(object, i)->kernarg_segment_size <= 4096)
            sw_device_fill_hidden_arguments(d, sw_object_kernel(object, i), &q, 0, kernarg);
        sw_fault fault = {.size = sizeof fault};
        ran += sw_device_run(d, &q, &fault, NULL, NULL) == SW_OK;
    }
    sw_device_free(d, kernarg);
}
static void try_object(const uint8_t *bytes, size_t size) {
    const sw_object_options o = {.size = sizeof o, .name = "mangled"};
    sw_object *object;
    if (sw_object_open(bytes, size, &o, &object, NULL) != SW_OK) return;
    opened++;
    sw_device *d = device_for(object);
    sw_executable *e;
    if (d && sw_device_load(d, object, NULL, NULL, &e, NULL) == SW_OK) {
        loaded++;
        run_all(d, object, e);
        sw_device_unload(d, e, NULL);
    }
    sw_object_close(object);
}
static bool swallow(void *context, const char *text, size_t length) {
    *(size_t *)context += length + (unsigned char)*text;
    return true;
}
static void try_old(const uint8_t *bytes, size_t size) {
    static uint32_t memory[1024];
    size_t sum = 0;
    const sw_terascale_output out = {swallow, &sum};
    const sw_terascale_dis_options d = {.size = sizeof d, .name = "mangled"};
    const sw_terascale_buffer buffer = {memory, sizeof memory, 0x1000, false};
    opened += sw_terascale_list_object(bytes, size, &d, &out, NULL) == SW_OK;
    sw_terascale_show_object(bytes, size, "mangled", &out, NULL);
    for (unsigned i = 0; i < 2; i++) {
        const sw_terascale_run_options o = {.size = sizeof o,
                                            .function = i ? "b" : "a",
                                            .groups = {2, 1, 1},
                                            .group_size = {100, 1, 1},
                                            .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup),
                                                                           .buffers = &buffer,
                                                                           .buffer_count = 1,
                                                                           .max_steps = 3000,
                                                                           .strict = below(2)}};
        ran += sw_terascale_run(bytes, size, &o, NULL) == SW_OK;
    }
}
static void try_link(const uint8_t *bytes, size_t size, const struct seed *other) {
    const sw_link_options o = {
        .size = sizeof o, .gc_sections = below(2), .allow_duplicates = true, .max_output = 1 << 24};
    const sw_link_input inputs[] = {
        {.size = sizeof inputs[0], .name = "mangled", .bytes = bytes, .length = size},
        {.size = sizeof inputs[0], .name = "good", .bytes = other->bytes, .length = other->size}};
    uint8_t *image;
    size_t length;
    if (sw_link(inputs, 1 + below(2), &o, &image, &length, NULL) != SW_OK) return;
    linked++;
    try_object(image, length);
    sw_free(image);
}

static void run_case(uint64_t number) {
    random_state = number * 0x9e3779b97f4a7c15ull + 1;
    const struct seed *s = &seeds[below((uint32_t)seed_count)];
    size_t size = s->size;
    uint8_t *bytes = malloc(size);
    if (!bytes) return;
    memcpy(bytes, s->bytes, size);
    for (unsigned i = 0, n = 1 + below(below(4) ? 3 : 12); i < n && size >= 64; i++)
        mangle_once(bytes, &size);
    uint8_t *exact = malloc(size); // so that a byte too far is seen
    if (exact) {
        memcpy(exact, bytes, size);
        if (sw_terascale_is_object(exact, size))
            try_old(exact, size);
        else if (s->linked)
            try_object(exact, size);
        else
            try_link(exact, size, s);
    }
    free(exact);
    free(bytes);
}

int main(int argc, char **argv) {
    const double seconds = argc > 1 ? atof(argv[1]) : 10;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL) * 1000003u;
    leave_text_at_crashes();
    make_seeds();
    make_old_seeds();
    for (int i = 3; i < argc; i++) read_seed(argv[i]);
    if (seed_count < 2) {
        fprintf(stderr, "no objects to begin with\n");
        return 1;
    }
    printf("mangled objects: seed %llu, %zu good ones\n", (unsigned long long)seed, seed_count);
    fflush(stdout);
    const double end = now() + seconds;
    double slowest = 0;
    uint64_t n = 0, slowest_case = 0;
    do {
        const uint64_t number = seed + n++;
        snprintf(crash_text, sizeof crash_text, "\ncrash: objects 0 %llu\n", (unsigned long long)number);
        const double start = now();
        run_case(number);
        if (now() - start > slowest) slowest = now() - start, slowest_case = number;
    } while (now() < end);
    for (size_t i = 0; i < MOST_SEEDS; i++) sw_device_destroy(devices[i]);
    printf(
        "%llu objects: %ld linked, %ld opened, %ld loaded, %ld kernels ended well; slowest %.2f s (%llu)\n",
        (unsigned long long)n, linked, opened, loaded, ran, slowest, (unsigned long long)slowest_case);
    if (slowest > 5) {
        fprintf(stderr, "case %llu took %.1f s\n", (unsigned long long)slowest_case, slowest);
        return 1;
    }
    return 0;
}
