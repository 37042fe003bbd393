// SPDX-License-Identifier: MIT
// Asynchronous copies between memory and LDS and transfers of tensors (gfx1250) where memory is weak: a
// program with its waits is right for every seed. With one of them taken away, or one for another counter in
// its place, it is wrong for some. So are shown the order in which copies come back (CDNA5 10.8), that they
// know no order in LDS, that only arrivals come behind them, and that s_wait_storecnt is not for them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "piece.h"
#include "rig.h"

enum { LANES = 32, SEEDS = 150, ROOM = 4096 };
#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 512\n.amdhsa_next_free_sgpr 40\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"       \
    ".amdhsa_group_segment_fixed_size 512\n.amdhsa_wavefront_size32 1\n"

// What lanes leave: the word that they find, or their number and 100.
static uint32_t found(uint32_t lane) { return 7 * lane + 1; }
static uint32_t stored(uint32_t lane) { return lane + 100; }

struct kernarg {
    uint64_t in, out;
    uint32_t tensor[2][12];
};
// A row of 32 dwords of memory; where it is in LDS.
static void describe(uint32_t d[12], uint64_t memory, uint32_t lds) {
    memset(d, 0, 12 * sizeof *d);
    d[0] = 1, d[1] = lds, d[2] = (uint32_t)memory, d[3] = (uint32_t)(memory >> 32) | 2u << 30;
    d[4] = 2u << 16;                              // elements of 4 bytes
    d[5] = (uint32_t)LANES << 16, d[6] = 1 << 16; // the tensor's bounds: 32, 1
    d[7] = LANES << 16, d[8] = 1;                 // the tile's
    d[9] = LANES;
}

static bool is_right(const char *text, uint64_t seed, unsigned groups, uint32_t (*want)(uint32_t)) {
    struct rig r = {0};
    sw_device_options o = {.size = sizeof o, .weak = seed, .cache = ""};
    assert_int_equal(sw_target_parse("gfx1250", 7, &o.target, NULL), SW_OK);
    r.object = rig_object("gfx1250", text, &r.image);
    if (!r.object) fail_msg("%s", text);
    assert_int_equal(sw_device_create(&o, &r.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL), SW_OK);
    uint32_t *in = sw_device_alloc(r.device, ROOM), *out = sw_device_alloc(r.device, ROOM);
    struct kernarg *k = sw_device_alloc(r.device, sizeof *k);
    assert_true(in && out && k);
    for (uint32_t i = 0; i < 2 * LANES; i++) in[i] = found(i);
    *k = (struct kernarg){.in = (uintptr_t)in, .out = (uintptr_t)out};
    for (unsigned i = 0; i < 2; i++) describe(k->tensor[i], k->in + 4 * LANES * i, 4 * LANES * i);
    sw_fault fault = {.size = sizeof fault};
    assert_int_equal(rig_run(&r, k, LANES * groups, LANES, &fault), SW_OK);
    assert_int_equal(fault.kind, SW_FAULT_NONE);
    bool right = true;
    for (uint32_t i = 0; i < LANES; i++) right &= out[i] == want(i);
    rig_close(&r);
    return right;
}

// The text with `put` in place of the line with this mark.
static void replace(char *text, char mark, const char *put) {
    char end[8];
    snprintf(end, sizeof end, "// %c\n", mark);
    char *at = strstr(text, end);
    assert_non_null(at);
    while (at[-1] != '\n') at--;
    char *behind = strchr(at, '\n'), rest[8192];
    snprintf(rest, sizeof rest, "%s", behind);
    strcpy(at, put);
    strcat(at, rest);
}

struct program {
    const char *name, *pieces[6];
    uint32_t (*leaves)(uint32_t);
    // Wrong for some seed with it in place of the line with that mark.
    struct {
        char mark;
        const char *put;
    } lacks[4];
    unsigned groups;
};
static const struct program programs[] = {
    {"a load",
     {"load", "end"},
     found,
     {{'a', ""}, {'a', "s_wait_loadcnt_dscnt 0"}, {'a', "s_wait_tensorcnt 0"}, {'a', "s_wait_asynccnt 1"}}},
    {"a load and s_wait_idle", {"idle", "end"}, found, {{'a', "s_nop 0"}}},
    {"the first of two loads", {"two loads", "end"}, found, {{'a', "s_wait_asynccnt 2"}}},
    {"a load behind a store", {"store, load", "end"}, found, {{'a', "s_wait_asynccnt 1"}}},
    {"a load before a store", {"load, store", "end"}, found, {{'a', "s_wait_asynccnt 1"}}},
    {"a store", {"store"}, stored, {{'a', ""}, {'b', ""}, {'b', "s_wait_storecnt 0"}}},
    {"a tensor",
     {"tensor", "end"},
     found,
     {{'a', ""}, {'a', "s_wait_asynccnt 0"}, {'a', "s_wait_loadcnt 0"}}},
    {"the first of two tensors", {"two tensors", "end"}, found, {{'a', "s_wait_tensorcnt 2"}}},
    {"a tensor stored", {"tensor store"}, stored, {{'a', ""}, {'b', ""}, {'b', "s_wait_storecnt 0"}}},
    {"an arrival behind a load", {"barrier", "copy", "arrive", "until phase 0", "end"}, found, {{0}}},
    {"a message", {"message"}, stored, {{'a', ""}, {'a', "s_wait_storecnt 0"}}, .groups = 2},
    {"registers beyond v255", {"upper registers"}, found, {{'a', ""}}},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static void assemble(const struct program *p, char code[8192]) {
    snprintf(code, 8192, "%s", PIECE("begin"));
    for (unsigned i = 0; p->pieces[i]; i++) strcat(code, PIECE(p->pieces[i]));
}
// For so many seeds it is wrong.
static unsigned count_wrong(const struct program *p, const char *code, unsigned seeds) {
    char text[16384];
    unsigned wrong = 0;
    assert_true(rig_text(text, sizeof text, code, DESCRIPTOR));
    for (unsigned seed = 1; seed <= seeds; seed++)
        wrong += !is_right(text, seed, p->groups ? p->groups : 1, p->leaves);
    return wrong;
}
// Whether it is wrong for one of them.
static bool goes_wrong(const struct program *p, const char *code) {
    char text[16384];
    bool wrong = false;
    assert_true(rig_text(text, sizeof text, code, DESCRIPTOR));
    for (unsigned seed = 1; seed <= SEEDS && !wrong; seed++)
        wrong = !is_right(text, seed, p->groups ? p->groups : 1, p->leaves);
    return wrong;
}

static void what_waits_is_right(void **state) {
    (void)state;
    const unsigned seeds = getenv("SANITIZED") ? SEEDS / 10 : SEEDS;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        char code[8192];
        assemble(&programs[i], code);
        const unsigned wrong = count_wrong(&programs[i], code, seeds);
        if (wrong) fail_msg("%s: wrong for %u of %u seeds", programs[i].name, wrong, seeds);
    }
}

static void what_lacks_a_wait_goes_wrong(void **state) {
    (void)state;
    for (unsigned i = 0; i < PROGRAMS; i++)
        for (unsigned k = 0; k < 4 && programs[i].lacks[k].mark; k++) {
            char code[8192];
            assemble(&programs[i], code);
            replace(code, programs[i].lacks[k].mark, programs[i].lacks[k].put);
            if (!goes_wrong(&programs[i], code))
                fail_msg("%s with '%s' at %c is right for %d seeds", programs[i].name,
                         programs[i].lacks[k].put, programs[i].lacks[k].mark, SEEDS);
        }
}

// Who arrives before the copy has told nothing of it.
static void an_early_arrival_says_nothing(void **state) {
    (void)state;
    const struct program early = {
        "an early arrival", {"barrier", "arrive", "copy", "until phase 0", "end"}, found, {{0}}, 1};
    char code[8192];
    assemble(&early, code);
    assert_true(goes_wrong(&early, code));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_waits_is_right),
                                       cmocka_unit_test(what_lacks_a_wait_goes_wrong),
                                       cmocka_unit_test(an_early_arrival_says_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
