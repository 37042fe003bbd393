// SPDX-License-Identifier: MIT
// A wave without a program around it, for tests of bodies: registers, EXEC and MODE to set, and a way to run
// one op at every vector level that this host has.
#ifndef TESTS_BARE_WAVE_H
#define TESTS_BARE_WAVE_H

#include <stdlib.h>
#include <string.h>

#include <stdio.h>

#include "covered.h"
#include "exec/body/body.h"
#include "exec/body/steps.h"
#include "jit/join.h"
#include "jit/native.h"

struct level {
    const char *name;
    const struct body *const *bodies; // by row
    const struct steps *steps;
};

#if defined(__x86_64__)
// The levels that were built, lowest first.
extern const struct body *const body_table_v2[], *const body_table_v3[], *const body_table_v4[];
static const struct level levels[] = {
    {"v2", body_table_v2, &device_steps_v2},
#if defined(HAVE_LEVEL_v3)
    {"v3", body_table_v3, &device_steps_v3},
#endif
#if defined(HAVE_LEVEL_v4)
    {"v4", body_table_v4, &device_steps_v4},
#endif
};
static inline unsigned level_count(void) {
    const unsigned built = sizeof levels / sizeof *levels;
    if (built < 2 || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 1;
    return built == 3 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512vl")
               ? 3
               : 2;
}
#else
extern const struct body *const body_table_plain[];
static const struct level levels[] = {{"plain", body_table_plain, &device_steps_plain}};
static inline unsigned level_count(void) { return 1; }
#endif

static inline struct wave *bare_wave(unsigned lanes, unsigned vgprs) {
    const size_t size = sizeof(struct wave) + (size_t)(vgprs + VECTOR_TUPLE) * 4 * lanes;
    struct wave *w = aligned_alloc(64, (size + 63) & ~(size_t)63);
    if (!w) abort();
    memset(w, 0, size);
    w->lanes = lanes;
    w->all_lanes = lanes == 64 ? ~0ull : 0xffffffff;
    w->not_lanes = ~w->all_lanes;
    w->exec = w->all_lanes;
    w->stride = 4 * lanes;
    w->end = WAVE_OFFSET(v) + (vgprs + VECTOR_TUPLE) * w->stride;
    w->mode = 0xf0 | 1 << 8 | 1 << 9; // all denormals, DX10_CLAMP, IEEE
    w->mxcsr = w->mxcsr64 = 0x1f80;
    static const uint32_t never;
    w->interrupt = &never;
    return w;
}

static inline uint32_t vgpr(const struct wave *w, unsigned n) { return WAVE_OFFSET(v) + n * w->stride; }
static inline uint32_t *lanes_of(struct wave *w, uint32_t offset) { return wave_at(w, offset); }
static inline uint64_t pair_at(struct wave *w, uint32_t offset, unsigned lane) {
    return lanes_of(w, offset)[lane] | (uint64_t)lanes_of(w, offset + w->stride)[lane] << 32;
}
static inline void set_pair(struct wave *w, uint32_t offset, unsigned lane, uint64_t v) {
    lanes_of(w, offset)[lane] = (uint32_t)v;
    lanes_of(w, offset + w->stride)[lane] = (uint32_t)(v >> 32);
}

static const struct op *bare_stop(struct wave *w, const struct op *op) {
    (void)w, (void)op;
    return NULL;
}
// Some runs of each handler are repeated by its piece of native code, which must leave the same wave: the
// first, then fewer and fewer.
static inline const struct native_image *native_image(op_fn *fn) {
    for (const char *const *level = (const char *const[]){"v3", "v4", NULL}; *level; level++) {
        const struct native_image *image = native_image_exists(*level) ? native_image_of(*level) : NULL;
        if (image && native_image_find(image, fn)) return image;
    }
    return NULL;
}
static inline bool native_due(op_fn *fn) {
    static struct {
        op_fn *fn;
        unsigned runs;
    } seen[1 << 14];
    size_t at = (size_t)fn / 16 % (1 << 14);
    while (seen[at].fn && seen[at].fn != fn) at = (at + 1) % (1 << 14);
    seen[at].fn = fn;
    const unsigned n = seen[at].runs++;
    return n < 24 || n % 64 == 0;
}
static inline void run_native(struct wave *w, struct op *ops, const struct native_image *image,
                              const struct wave *before) {
    const size_t size = offsetof(struct wave, s) + w->end;
    struct op_block block = {.ops = ops, .count = 2};
    struct program p = {.facts = {.wave32 = w->lanes == 32, .steps = levels[0].steps},
                        .built = {&block, 1, 1}};
    struct wave *expected = malloc(size);
    memcpy(expected, w, size);
    memcpy(w, before, size);
    if (!native_join(&p, image, 0, 1)) abort();
    ops[0].fn(w, ops);
    w->literal = expected->literal;
    if (memcmp(w, expected, size)) {
        fprintf(stderr, "native code differs from its handler, of %u lanes\n", w->lanes);
        abort();
    }
    native_release(&p);
    free(expected);
}
// What atomics did to memory they would do again: test_anywhere compares their tiers.
static inline void run_op_of(struct wave *w, struct op op, op_fn *fn, bool is_atomic) {
    struct op ops[2] = {op, {.fn = bare_stop, .body = bare_stop}};
    ops[0].fn = ops[0].body = fn;
    const struct native_image *image = !is_atomic && native_due(fn) ? native_image(fn) : NULL;
    struct wave *before = image ? malloc(offsetof(struct wave, s) + w->end) : NULL;
    if (before) memcpy(before, w, offsetof(struct wave, s) + w->end);
    const uint32_t saved = host_control();
    host_control_set(w->mxcsr);
    fn(w, ops);
    if (before) run_native(w, ops, image, before);
    free(before);
    host_control_set(saved);
}
static inline void run_op(struct wave *w, struct op op, op_fn *fn) { run_op_of(w, op, fn, false); }

// Reproducible random numbers, half of them values that are easily got wrong. Each `sem` has a stream of its
// own, so that a new row changes nobody else's cases.
static uint64_t bare_first = 0x9e3779b97f4a7c15, *bare_seed = &bare_first;
static inline void bare_stream(unsigned row, const char *sem) {
    static uint64_t seeds[4096]; // by the first row that has the sem
    if (row >= sizeof seeds / sizeof *seeds) abort();
    bare_seed = &seeds[row];
    if (*bare_seed) return;
    *bare_seed = 0xcbf29ce484222325;
    for (const char *p = sem; *p; p++) *bare_seed = (*bare_seed ^ (uint8_t)*p) * 0x100000001b3;
}
static inline uint64_t random64(void) {
    *bare_seed ^= *bare_seed << 13;
    *bare_seed ^= *bare_seed >> 7;
    *bare_seed ^= *bare_seed << 17;
    return *bare_seed * 0x2545f4914f6cdd1d;
}
// The body that executes rows of this `sem`; NULL when no row has it.
static inline const struct body *body_named(const struct level *level, const char *sem) {
    covered(sem);
    for (unsigned i = 0; i < isa_row_count; i++)
        if (strcmp(row_sem(&isa_rows[i]), sem) == 0) {
            bare_stream(i, sem);
            return level->bodies[i];
        }
    return NULL;
}

static inline uint32_t tricky32(void) {
    static const uint32_t values[] = {0,          1,          2,          31,         32,         33,
                                      0x7f,       0x80,       0xff,       0x100,      0x7fff,     0x8000,
                                      0xffff,     0x10000,    0x7fffff,   0x800000,   0xffffff,   0x7fffffff,
                                      0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x80008000, 0x7fff7fff,
                                      0x01020304, 0xff00ff00, 0x3f800000, 0x7f800000};
    const uint64_t r = random64();
    return r & 1 ? (uint32_t)(r >> 32) : values[(r >> 8) % (sizeof values / sizeof *values)];
}
static inline uint64_t tricky64(void) {
    const uint64_t r = random64();
    return (r & 6) == 0 ? (uint64_t)(int64_t)(int32_t)tricky32() : tricky32() | (uint64_t)tricky32() << 32;
}
static inline uint64_t tricky_exec(void) {
    const uint64_t r = random64();
    return r % 4 == 0 ? ~0ull : r % 8 == 1 ? 0 : random64() & (r % 8 == 3 ? random64() : ~0ull);
}

#endif
