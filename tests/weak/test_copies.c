// SPDX-License-Identifier: MIT
// Loads to LDS and stores from there (GFX9, GFX10), asynchronous copies between memory and LDS and transfers
// of tensors (gfx1250) where memory is weak: a program with its waits is right for every seed. With one of
// them taken away, or one for another counter in its place, it is wrong for some. So are shown the order in
// which copies come back (CDNA5 10.8), that they know no order in LDS, that only arrivals come behind them,
// and that s_wait_storecnt is not for them.
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
    ".amdhsa_next_free_sgpr 40\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"                                   \
    ".amdhsa_group_segment_fixed_size 512\n"

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

struct program {
    const char *name, *pieces[6];
    uint32_t (*leaves)(uint32_t);
    // Wrong for some seed with it in place of the line with that mark.
    struct {
        char mark;
        const char *put;
    } lacks[4];
    unsigned groups, items; // of a group; 0: 1, LANES
    const char *on[5];      // processors; none: gfx1250
};

static bool is_right(const struct program *p, const char *processor, const char *text, uint64_t seed) {
    struct rig r = {0};
    const unsigned groups = p->groups ? p->groups : 1, items = p->items ? p->items : LANES;
    sw_device_options o = {.size = sizeof o, .weak = seed, .cache = ""};
    assert_int_equal(sw_target_parse(processor, strlen(processor), &o.target, NULL), SW_OK);
    r.object = rig_object(processor, text, &r.image);
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
    assert_int_equal(rig_run(&r, k, items * groups, items, &fault), SW_OK);
    assert_int_equal(fault.kind, SW_FAULT_NONE);
    bool right = true;
    for (uint32_t i = 0; i < LANES; i++) right &= out[i] == p->leaves(i);
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

#define BUFFER_TO_LDS "gfx900", "gfx90a", "gfx942", "gfx1030"
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
    {"a buffer load to LDS",
     {"buffer to LDS", "old end"},
     found,
     {{'a', ""}, {'a', "s_waitcnt lgkmcnt(0)"}, {'a', "s_waitcnt vmcnt(1)"}},
     .on = {BUFFER_TO_LDS}},
    {"the first of two loads to LDS",
     {"two buffers to LDS", "old end"},
     found,
     {{'a', "s_waitcnt vmcnt(2)"}},
     .on = {BUFFER_TO_LDS}},
    {"a load to LDS behind another load",
     {"load, buffer to LDS", "old end"},
     found,
     {{'a', "s_waitcnt vmcnt(1)"}},
     .on = {BUFFER_TO_LDS}},
    {"a load to LDS for another wave",
     {"for another wave", "old end"},
     found,
     {{'a', ""}, {'a', "s_waitcnt lgkmcnt(0)"}},
     .items = 128,
     .on = {BUFFER_TO_LDS}},
    {"a global load to LDS",
     {"global to LDS", "old end"},
     found,
     {{'a', ""}, {'a', "s_waitcnt lgkmcnt(0)"}, {'a', "s_waitcnt vmcnt(1)"}},
     .on = {"gfx942", "gfx950"}},
    {"a global load of 128 bits to LDS",
     {"four dwords to LDS", "old end"},
     found,
     {{'a', ""}, {'a', "s_waitcnt lgkmcnt(0)"}},
     .on = {"gfx950"}},
    {"a buffer store from LDS",
     {"buffer from LDS"},
     stored,
     {{'a', ""}, {'a', "s_waitcnt vmcnt(0)"}, {'b', ""}},
     .on = {"gfx803"}},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static const char *processor_of(const struct program *p, unsigned i) {
    return p->on[0] ? p->on[i] : i ? NULL : "gfx1250";
}

static void assemble(const struct program *p, char code[8192]) {
    snprintf(code, 8192, "%s", p->on[0] ? PIECE("old begin") : PIECE("begin"));
    for (unsigned i = 0; p->pieces[i]; i++) strcat(code, PIECE(p->pieces[i]));
}
static void complete(const struct program *p, const char *processor, const char *code, char text[16384]) {
    char all[8192];
    const bool wave32 = !p->on[0], gfx10 = !strcmp(processor, "gfx1030"), gfx8 = !strcmp(processor, "gfx803");
    snprintf(all, sizeof all, ".set buffer_word, %s\n.set lds_word, %s\n%s", gfx10 ? "0x31014000" : "0x27000",
             gfx8 ? "0x10000" : "0", code);
    assert_true(rig_text(text, 16384, all,
                         wave32  ? DESCRIPTOR ".amdhsa_next_free_vgpr 512\n.amdhsa_wavefront_size32 1\n"
                         : gfx10 ? DESCRIPTOR ".amdhsa_next_free_vgpr 16\n.amdhsa_wavefront_size32 0\n"
                         : !strncmp(processor, "gfx9", 4) && strcmp(processor, "gfx900")
                             ? DESCRIPTOR ".amdhsa_next_free_vgpr 16\n.amdhsa_accum_offset 16\n"
                             : DESCRIPTOR ".amdhsa_next_free_vgpr 16\n"));
}
// For so many seeds it is wrong.
static unsigned count_wrong(const struct program *p, const char *processor, const char *code,
                            unsigned seeds) {
    char text[16384];
    unsigned wrong = 0;
    complete(p, processor, code, text);
    for (unsigned seed = 1; seed <= seeds; seed++) wrong += !is_right(p, processor, text, seed);
    return wrong;
}
// Whether it is wrong for one of them.
static bool goes_wrong(const struct program *p, const char *processor, const char *code) {
    char text[16384];
    bool wrong = false;
    complete(p, processor, code, text);
    for (unsigned seed = 1; seed <= SEEDS && !wrong; seed++) wrong = !is_right(p, processor, text, seed);
    return wrong;
}

static void what_waits_is_right(void **state) {
    (void)state;
    const unsigned seeds = getenv("SANITIZED") ? SEEDS / 10 : SEEDS;
    const char *on;
    for (unsigned i = 0; i < PROGRAMS; i++)
        for (unsigned k = 0; (on = processor_of(&programs[i], k)); k++) {
            char code[8192];
            assemble(&programs[i], code);
            const unsigned wrong = count_wrong(&programs[i], on, code, seeds);
            if (wrong) fail_msg("%s on %s: wrong for %u of %u seeds", programs[i].name, on, wrong, seeds);
        }
}

static void lacks(const struct program *p, const char *on) {
    for (unsigned k = 0; k < 4 && p->lacks[k].mark; k++) {
        char code[8192];
        assemble(p, code);
        replace(code, p->lacks[k].mark, p->lacks[k].put);
        if (!goes_wrong(p, on, code))
            fail_msg("%s on %s with '%s' at %c is right for %d seeds", p->name, on, p->lacks[k].put,
                     p->lacks[k].mark, SEEDS);
    }
}
static void what_lacks_a_wait_goes_wrong(void **state) {
    (void)state;
    const char *on;
    for (unsigned i = 0; i < PROGRAMS; i++)
        for (unsigned k = 0; (on = processor_of(&programs[i], k)); k++) lacks(&programs[i], on);
}

// Who arrives before the copy has told nothing of it.
static void an_early_arrival_says_nothing(void **state) {
    (void)state;
    const struct program early = {.pieces = {"barrier", "arrive", "copy", "until phase 0", "end"},
                                  .leaves = found};
    char code[8192];
    assemble(&early, code);
    assert_true(goes_wrong(&early, "gfx1250", code));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_waits_is_right),
                                       cmocka_unit_test(what_lacks_a_wait_goes_wrong),
                                       cmocka_unit_test(an_early_arrival_says_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
