// SPDX-License-Identifier: MIT
// A bare wave with memory: an arena that lies across a 4 GiB border between guard pages, a read-only and a
// write-only block, a map of rights, LDS and scratch, and a dispatch that records faults.
#ifndef TESTS_MEMORY_ENV_H
#define TESTS_MEMORY_ENV_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <sys/mman.h>

#include "bare_wave.h"
#include "device/device.h"

enum { ARENA = 0x10000, VGPRS = 48, LDS_SIZE = 4000, SCRATCH_SIZE = 256 };

struct env {
    struct wave *w;
    struct pool pool;
    struct worker worker;
    struct group group;
    struct dispatch dispatch;
    struct launch launch;
    sw_dispatch request;
    struct sw_executable executable;
    struct map *map;
    uint8_t *arena, *locked; // ARENA bytes across the border; one page each: read-only, then write-only
    uint8_t lds[LDS_SIZE + 64];
    struct mem_op mo;
};

// ALIAS_BIT: GPU addresses are the second ones of the same memory.
static uint64_t second_address;
static inline uint64_t address_of(const void *p) { return (uint64_t)(uintptr_t)p | second_address; }
static inline uint8_t *host_pointer(uint64_t address) { return (uint8_t *)(uintptr_t)host_address(address); }
// Runs the tests at both addresses of memory, where the host has two.
#define RUN_AT_BOTH(tests)                                                                                   \
    (cmocka_run_group_tests(tests, NULL, NULL) ||                                                            \
     (ALIAS_BIT && (second_address = ALIAS_BIT, cmocka_run_group_tests(tests, NULL, NULL))))

static inline uint8_t *map_at(uint64_t want, size_t size) {
    void *p = mmap((void *)(uintptr_t)want, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    assert_ptr_not_equal(p, MAP_FAILED);
    return p;
}

// What the wave asks for: memory and faults.
static const struct machine env_machine = {.find_range = worker_find_range, .fault = dispatch_fault};

static inline struct env *env_create(unsigned lanes) {
    static uint64_t border = 0x300000000000;
    struct env *e = calloc(1, sizeof *e);
    border += 1ull << 32;
    e->arena = map_at(border - ARENA / 2, ARENA);
    e->locked = map_at(border + (1 << 24), 8192);
    e->map = calloc(1, sizeof *e->map);
    e->map->ranges = calloc(4, sizeof e->map->ranges[0]);
    e->map->count = 4; // the arena in two touching pieces
    const uint64_t a = address_of(e->arena), l = address_of(e->locked);
    e->map->ranges[0] = (struct map_range){a, a + 0x1000, RIGHT_READ | RIGHT_WRITE};
    e->map->ranges[1] = (struct map_range){a + 0x1000, a + ARENA, RIGHT_READ | RIGHT_WRITE};
    e->map->ranges[2] = (struct map_range){l, l + 4096, RIGHT_READ};
    e->map->ranges[3] = (struct map_range){l + 4096, l + 8192, RIGHT_WRITE};
    e->worker.map = e->map, e->worker.pool = &e->pool;
    e->pool.isa = isa_of(sw_processor_find("gfx900", 6)); // which asks nothing of faults
    for (int i = 0; i < RANGE_SLOTS; i++) e->worker.ranges[i] = (struct range){1, 0};
    pthread_mutex_init(&e->dispatch.fault_lock, NULL);
    e->request.executable = &e->executable;
    e->launch.dispatch = &e->request;
    e->dispatch.launch = &e->launch;
    e->group.dispatch = &e->dispatch;
    e->w = bare_wave(lanes, VGPRS);
    e->w->worker = &e->worker;
    e->w->ranges = e->worker.ranges;
    e->w->group = &e->group;
    e->w->barrier = &e->group.barrier;
    e->w->machine = &env_machine;
    e->w->lds = e->lds;
    e->w->lds_size = e->w->lds_limit = LDS_SIZE;
    e->w->scratch_base = a + 0x8000;
    e->w->scratch_size = SCRATCH_SIZE;
    return e;
}
static inline void env_destroy(struct env *e) {
    munmap(e->arena, ARENA);
    munmap(e->locked, 8192);
    free(e->map->ranges);
    free(e->map);
    free(e->w);
    free(e);
}

static inline void randomize(void *p, size_t n) {
    for (size_t i = 0; i < n; i += 8) {
        const uint64_t v = random64();
        memcpy((uint8_t *)p + i, &v, n - i < 8 ? n - i : 8);
    }
}
static inline void randomize_registers(struct env *e) { randomize(e->w->v, (size_t)VGPRS * e->w->stride); }

// Runs one memory op; false when it faulted (e->dispatch.fault tells).
static inline bool run_memory(struct env *e, op_fn *const *table, unsigned index) {
    assert_non_null(table[index]);
    e->w->status = WAVE_RUNNING;
    memset(&e->dispatch.fault, 0, sizeof e->dispatch.fault);
    run_op_of(e->w, (struct op){.extra = &e->mo}, table[index], e->mo.atomic);
    return e->w->status == WAVE_RUNNING;
}

// The table of a memory body at each level. MEMORY_TABLES(global_load) declares global_load_tables.
#if defined(HAVE_LEVEL_v3)
#define MEMORY_V3(sem) , &body_##sem##_v3
#else
#define MEMORY_V3(sem)
#endif
#if defined(HAVE_LEVEL_v4)
#define MEMORY_V4(sem) , &body_##sem##_v4
#else
#define MEMORY_V4(sem)
#endif
#if defined(__x86_64__)
#define MEMORY_TABLES(sem)                                                                                   \
    extern const struct body body_##sem##_v2, body_##sem##_v3, body_##sem##_v4;                              \
    __attribute__((constructor)) static void cover_##sem(void) { covered(#sem); }                            \
    static const struct body *const sem##_bodies[] = {&body_##sem##_v2 MEMORY_V3(sem) MEMORY_V4(sem)};
#else
#define MEMORY_TABLES(sem)                                                                                   \
    extern const struct body body_##sem##_plain;                                                             \
    __attribute__((constructor)) static void cover_##sem(void) { covered(#sem); }                            \
    static const struct body *const sem##_bodies[] = {&body_##sem##_plain};
#endif

// ---- What an access means, written apart from the code under test ----
struct form {
    enum access k;
    unsigned size;
    bool sign;
    int half;
}; // half: -1 whole register, 0 low, 1 high
static const struct form load_forms[] = {
    {ACCESS_U8, 1, false, -1},      {ACCESS_I8, 1, true, -1},         {ACCESS_U16, 2, false, -1},
    {ACCESS_I16, 2, true, -1},      {ACCESS_B32, 4, false, -1},       {ACCESS_B64, 8, false, -1},
    {ACCESS_B96, 12, false, -1},    {ACCESS_B128, 16, false, -1},     {ACCESS_D16_U8, 1, false, 0},
    {ACCESS_D16_I8, 1, true, 0},    {ACCESS_D16_B16, 2, false, 0},    {ACCESS_D16_HI_U8, 1, false, 1},
    {ACCESS_D16_HI_I8, 1, true, 1}, {ACCESS_D16_HI_B16, 2, false, 1},
};
static const struct form store_forms[] = {
    {ACCESS_U8, 1, false, -1},       {ACCESS_U16, 2, false, -1},       {ACCESS_B32, 4, false, -1},
    {ACCESS_B64, 8, false, -1},      {ACCESS_B96, 12, false, -1},      {ACCESS_B128, 16, false, -1},
    {ACCESS_D16_HI_U8, 1, false, 1}, {ACCESS_D16_HI_B16, 2, false, 1},
};
enum {
    LOAD_FORMS = sizeof load_forms / sizeof *load_forms,
    STORE_FORMS = sizeof store_forms / sizeof *store_forms
};

// Bytes into the registers of one lane.
static inline void expect_loaded(const struct form *f, const uint8_t *bytes, uint32_t *regs, unsigned apart) {
    if (f->size >= 4) {
        for (unsigned d = 0; d < f->size / 4; d++) regs[d * apart] = rd32(bytes + 4 * d);
        return;
    }
    uint32_t v = f->size == 1 ? bytes[0] : rd16(bytes);
    if (f->sign && v >> (8 * f->size - 1)) v |= ~0u << 8 * f->size;
    if (f->half == 0)
        regs[0] = (regs[0] & 0xffff0000) | (v & 0xffff);
    else if (f->half == 1)
        regs[0] = (regs[0] & 0xffff) | v << 16;
    else
        regs[0] = v;
}
static inline void expect_stored(const struct form *f, const uint32_t *regs, unsigned apart, uint8_t *bytes) {
    for (unsigned b = 0; b < f->size; b++)
        bytes[b] = (uint8_t)(regs[b / 4 * apart] >> (8 * (b % 4) + (f->half == 1 ? 16 : 0)));
}

static inline uint64_t pattern_exec(unsigned n) {
    switch (n % 6) {
    case 0: return ~0ull;
    case 1: return random64();
    case 2: return random64() & random64() & random64();
    case 3: return 1ull << random64() % 64;
    case 4: return ~0ull << random64() % 64;
    default: return ~0ull >> random64() % 64;
    }
}
#endif
