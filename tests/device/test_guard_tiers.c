// SPDX-License-Identifier: MIT
// Accesses to memory that is missing in the host, in compiled code that found its ranges in waves before, and
// in waves that run in a row: the place, the registers and all memory are what the interpreter leaves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "device/device.h"
#include "piece.h"
#include "rig.h"

#if defined(__SANITIZE_THREAD__)
#define LONELY ((char *)0x3f80000000)
enum { STANDS_IN = true };
#else
#define LONELY ((char *)0x280000000000)
enum { STANDS_IN = false };
#endif
enum { PAGE = 4096, PAGES = 64, GROUP = 256, GROUPS = 100, AREA = PAGES * PAGE };

static const sw_tier tiers[] = {SW_TIER_INTERPRETER, SW_TIER_NATIVE, SW_TIER_COMPILED};
enum { TIERS = sizeof tiers / sizeof *tiers };

enum area { Y, X, Z, AREAS };
static const struct {
    const char *name;
    bool has_wave_loop; // if waves are to run in a row
    int missing[4];     // areas that are, one at a time
} kernels[] = {
    {"line", true, {X, Y, -1}},     {"shifted", true, {Y, X, -1}}, {"twice", true, {Y, Z, X, -1}},
    {"maybe", true, {X, Y, Z, -1}}, {"some", true, {X, Y, -1}},    {"scattered", true, {X, Y, -1}},
    {"unused", true, {X, -1}},      {"scalar", true, {X, Y, -1}},  {"unused_scalars", true, {X, -1}},
    {"loop", true, {X, Y, -1}},     {"atomic", true, {X, Y, -1}},  {"lds", true, {X, Y, -1}},
    {"sum", true, {X, Z, Y, -1}},
};

// What is where, and how: `item` is the first work-item whose dword is missing, or may only be read.
struct scene {
    size_t kernel;
    enum area area;
    unsigned item;
    bool wave32, readable;
    bool alone;        // waves run by themselves
    const char *level; // NULL: the best
    unsigned stays;    // a bit for each area: the device is told that it stays mapped (SW_RIGHT_STAYS)
};

struct end {
    sw_fault fault;
    uint32_t registers[10 * 64 + 24 + 4];
    uint8_t memory[AREAS * AREA];
};

static void open_scene(struct rig *r, const struct scene *s, sw_tier tier) {
    char code[4096], text[8192], descriptor[512];
    snprintf(code, sizeof code, "%s%s%s", PIECE("prolog"), s->alone ? " s_sleep 0\n" : "",
             PIECE(kernels[s->kernel].name));
    snprintf(descriptor, sizeof descriptor,
             ".amdhsa_next_free_vgpr 12\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
             ".amdhsa_system_sgpr_workgroup_id_x 1\n.amdhsa_group_segment_fixed_size 1024\n"
             ".amdhsa_wavefront_size32 %d\n",
             s->wave32);
    assert_true(rig_text(text, sizeof text, code, descriptor));
    const sw_device_options o = {
        .size = sizeof o, .threads = 1, .tier = tier, .level = s->level, .cache = rig_cache()};
    assert_true(rig_open_text(r, "gfx1030", text, o));
}

// Areas lie at the same addresses at each tier. That of y ends where work-items of the missing one end, or
// all in the middle of the pages.
static uint64_t address_of(const struct scene *s, enum area a) {
    const uint64_t page = (uint64_t)(uintptr_t)LONELY + a * AREA + PAGES / 2 * PAGE;
    return page - 4 * s->item;
}
static void fill_memory(void) {
    uint32_t *all = (uint32_t *)LONELY;
    for (uint32_t i = 0; i < AREAS * AREA / 4; i++) all[i] = i * 0x9e3779b1u >> 8;
}
static void read_memory(const struct scene *s, uint8_t *to) {
    char *missing = LONELY + s->area * AREA + PAGES / 2 * PAGE;
    memset(to, 0, AREAS * AREA);
    for (char *at = LONELY; at < LONELY + AREAS * AREA; at += PAGE)
        if (s->readable || at != missing) memcpy(to + (at - LONELY), at, PAGE);
}
static void read_registers(const struct rig *r, const sw_fault *f, uint32_t *to) {
    const struct wave *w = r->device->pool.workers[0].idle->waves[f->wave];
    memset(to, 0, sizeof((struct end *)0)->registers);
    for (unsigned i = 0; i < 10 * w->lanes; i++) *to++ = w->v[i];
    for (unsigned i = 0; i < 24; i++) *to++ = i < 20 ? w->s[i] : 0;
    memcpy(to, &w->vcc, w->lanes / 8);
    memcpy(to + 2, &w->exec, w->lanes / 8);
}

static void run_scene(const struct scene *s, sw_tier tier, struct end *end) {
    munmap(LONELY, AREAS * AREA); // of one that failed
    struct rig r;
    open_scene(&r, s, tier);
    assert_true(mmap(LONELY, AREAS * AREA, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == LONELY);
    fill_memory();
    for (int a = 0; a < AREAS; a++) { // a page apart: neighbours are one range
        const unsigned rights = SW_RIGHT_READ | SW_RIGHT_WRITE | (s->stays >> a & 1 ? SW_RIGHT_STAYS : 0u);
        assert_int_equal(sw_device_map(r.device, LONELY + a * AREA, AREA - PAGE, rights), SW_OK);
    }
    assert_int_equal(sw_device_guard_memory(r.device), SW_OK);
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    for (int a = 0; a < AREAS; a++) kernarg[a] = address_of(s, (enum area)a);
    kernarg[3] = GROUP;
    // y is x, 8 work-items further on: what is missing of the one is of the other.
    if (!strcmp(kernels[s->kernel].name, "shifted") && s->area == Y) kernarg[X] = kernarg[Y] - 32;
    char *missing = LONELY + s->area * AREA + PAGES / 2 * PAGE;
    assert_int_equal(s->readable ? mprotect(missing, PAGE, PROT_READ) : munmap(missing, PAGE), 0);
    end->fault = (sw_fault){.size = sizeof end->fault};
    const sw_status status = rig_run(&r, kernarg, GROUP * GROUPS, GROUP, &end->fault);
    if (status != SW_FAULTED)
        fail_msg("%s, missing %d from %u on, tier %d at %s, wave32 %d: status %d", kernels[s->kernel].name,
                 s->area, s->item, tier - SW_TIER_INTERPRETER, sw_device_level(r.device), s->wave32, status);
    read_registers(&r, &end->fault, end->registers);
    read_memory(s, end->memory);
    bool had_wave_loop = false;
    for (unsigned i = 0; i < r.device->pool.thread_count; i++)
        had_wave_loop |= r.device->pool.workers[i].wave_loop_of != 0;
    if (sw_device_tier(r.device, NULL) == SW_TIER_COMPILED && !STANDS_IN &&
        had_wave_loop != (kernels[s->kernel].has_wave_loop && !s->alone))
        fail_msg("%s, wave32 %d, level %s: wave_loop %d", kernels[s->kernel].name, s->wave32,
                 sw_device_level(r.device), had_wave_loop);
    munmap(LONELY, AREAS * AREA);
    rig_close(&r);
}

static void compare(const struct scene *s, int tier, const struct end *want, const struct end *is) {
    const sw_fault *a = &want->fault, *b = &is->fault;
    if (a->kind != b->kind || a->code_offset != b->code_offset || a->group[0] != b->group[0] ||
        a->wave != b->wave || a->lane != b->lane || a->address != b->address || a->unmapped != b->unmapped ||
        a->waves != b->waves)
        fail_msg("%s, missing %d from %u on, wave32 %d, readable %d, alone %d: at tier %d kind %d at %llx, "
                 "group %u "
                 "wave %u lane %d "
                 "address %llx unmapped %d, not %d at %llx, %u %u %d, %llx %d",
                 kernels[s->kernel].name, s->area, s->item, s->wave32, s->readable, s->alone, tier, b->kind,
                 (unsigned long long)b->code_offset, b->group[0], b->wave, b->lane,
                 (unsigned long long)b->address, b->unmapped, a->kind, (unsigned long long)a->code_offset,
                 a->group[0], a->wave, a->lane, (unsigned long long)a->address, a->unmapped);
    for (unsigned i = 0; i < sizeof is->registers / 4; i++)
        if (is->registers[i] != want->registers[i])
            fail_msg("%s, missing %d from %u on, wave32 %d, readable %d, alone %d: at tier %d register dword "
                     "%u is %x, "
                     "not %x",
                     kernels[s->kernel].name, s->area, s->item, s->wave32, s->readable, s->alone, tier, i,
                     is->registers[i], want->registers[i]);
    for (unsigned i = 0; i < sizeof is->memory; i++)
        if (is->memory[i] != want->memory[i])
            fail_msg("%s, missing %d from %u on, wave32 %d, readable %d, alone %d: at tier %d byte %x is %x, "
                     "not %x",
                     kernels[s->kernel].name, s->area, s->item, s->wave32, s->readable, s->alone, tier, i,
                     is->memory[i], want->memory[i]);
}

// The first lane of a wave, one in the middle, the last, each of the first wave of a group, and of others.
// The later groups follow others without the scheduler.
static const unsigned items[] = {GROUP,      3 * GROUP + 2 * 64 + 37, 4 * GROUP + 63, GROUP + 3 * 64 + 32,
                                 45 * GROUP, 52 * GROUP + 2 * 64 + 37};

static void everywhere(bool wave32, bool alone) {
    static struct end want, is;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (const int *area = kernels[k].missing; *area >= 0; area++)
            for (size_t i = 0; i < sizeof items / sizeof *items; i++)
                for (int readable = 0; readable <= (*area == Y); readable++) {
                    const struct scene s = {k, (enum area) * area, items[i], wave32, readable, alone, NULL};
                    run_scene(&s, tiers[0], &want);
                    for (int t = 1; t < TIERS; t++) {
                        run_scene(&s, tiers[t], &is);
                        compare(&s, t, &want, &is);
                    }
                }
}
static void in_a_row(void **state) {
    (void)state;
    everywhere(true, false);
    everywhere(false, false);
}
static void alone(void **state) {
    (void)state;
    everywhere(true, true);
    everywhere(false, true);
}

static bool compiles_at(const char *level) {
    sw_device_options o = {.size = sizeof o, .threads = 1, .tier = SW_TIER_COMPILED, .level = level};
    sw_device *d = NULL;
    assert_int_equal(sw_target_parse("gfx1030", 7, &o.target, NULL), SW_OK);
    const bool yes = sw_device_create(&o, &d, NULL) == SW_OK && sw_device_tier(d, NULL) == SW_TIER_COMPILED;
    sw_device_destroy(d);
    return yes;
}

// Memory that stays says nothing of other memory: what is missing is found as exactly.
static void others_stay(void **state) {
    (void)state;
    static struct end want, is;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (const int *area = kernels[k].missing; *area >= 0; area++)
            for (int wave32 = 0; wave32 < 2; wave32++) {
                const struct scene s = {k,    (enum area) * area, items[1], wave32, false, false,
                                        NULL, 7u & ~(1u << *area)};
                run_scene(&s, SW_TIER_INTERPRETER, &want);
                run_scene(&s, SW_TIER_COMPILED, &is);
                compare(&s, 2, &want, &is);
            }
}
// Memory that was to stay is missing: a fault there all the same, if not of the instruction. Loads that
// nobody uses may go unnoticed.
static void stays_but_is_missing(void **state) {
    (void)state;
    static struct end want, is;
    const bool compiled = !STANDS_IN && compiles_at(NULL);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (const int *area = kernels[k].missing; *area >= 0; area++)
            for (int readable = 0; readable <= (*area == Y); readable++) {
                const struct scene s = {k, (enum area) * area, items[1], true, readable, false, NULL, 7};
                if (*area != Y && strcmp(kernels[k].name, "line")) continue;
                run_scene(&s, SW_TIER_INTERPRETER, &want);
                run_scene(&s, SW_TIER_COMPILED, &is);
                if (is.fault.kind != want.fault.kind || is.fault.unmapped != want.fault.unmapped ||
                    is.fault.address / PAGE != want.fault.address / PAGE ||
                    is.fault.group[0] != want.fault.group[0] || is.fault.wave != want.fault.wave ||
                    is.fault.code_offset > want.fault.code_offset)
                    fail_msg("%s, missing %d, readable %d: kind %d at %llx, group %u, wave %u, address %llx, "
                             "unmapped %d",
                             kernels[k].name, *area, readable, is.fault.kind,
                             (unsigned long long)is.fault.code_offset, is.fault.group[0], is.fault.wave,
                             (unsigned long long)is.fault.address, is.fault.unmapped);
                assert_true(strcmp(kernels[k].name, "line") || !compiled ||
                            is.fault.code_offset < want.fault.code_offset);
            }
}
// The mark is gone with the rights, and waves are kept again where the same memory may go.
static void stays_no_more(void **state) {
    (void)state;
    const struct scene s = {.wave32 = true};
    struct rig r;
    const bool compiled = !STANDS_IN && compiles_at(NULL);
    open_scene(&r, &s, SW_TIER_COMPILED);
    assert_true(mmap(LONELY, AREAS * AREA, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == LONELY);
    assert_int_equal(sw_device_guard_memory(r.device), SW_OK);
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    for (int a = 0; a < AREAS; a++) kernarg[a] = address_of(&s, (enum area)a);
    kernarg[3] = GROUP;
    for (int round = 0; round < 4; round++) {
        const unsigned rights = SW_RIGHT_READ | SW_RIGHT_WRITE | (round & 1 ? 0 : SW_RIGHT_STAYS);
        assert_int_equal(sw_device_map(r.device, LONELY, AREAS * AREA, rights), SW_OK);
        sw_fault fault = {.size = sizeof fault};
        assert_int_equal(rig_run(&r, kernarg, GROUP * GROUPS, GROUP, &fault), SW_OK);
        if (compiled) assert_int_equal(r.device->pool.workers[0].careful, round & 1);
    }
    munmap(LONELY, AREAS * AREA);
    rig_close(&r);
}

// LLVM takes the code of each level: after what it ends processes for, it compiles nothing more.
static void every_level(void **state) {
    (void)state;
    static struct end want, is;
    static const char *const levels[] = {"v3", "v4"};
    for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
        if (!compiles_at(levels[l])) continue;
        for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
            for (int wave32 = 0; wave32 < 2; wave32++) {
                const struct scene s = {
                    k, (enum area)kernels[k].missing[0], items[1], wave32, false, false, levels[l]};
                run_scene(&s, SW_TIER_INTERPRETER, &want);
                run_scene(&s, SW_TIER_COMPILED, &is);
                compare(&s, 2, &want, &is);
                if (!compiles_at(levels[l])) fail_msg("%s at %s: LLVM gave up", kernels[k].name, levels[l]);
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_a_row),      cmocka_unit_test(alone),
        cmocka_unit_test(others_stay),   cmocka_unit_test(stays_but_is_missing),
        cmocka_unit_test(stays_no_more), cmocka_unit_test(every_level)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
