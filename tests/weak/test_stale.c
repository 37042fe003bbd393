// SPDX-License-Identifier: MIT
// Hazards that programs keep apart (STALE of isa/hazards.def), with weak memory that delivers them: with as
// many wait states as the rule asks for a kernel leaves what it leaves without, for every seed; with one less
// it leaves something else for some seed, and still the same where hazards are not asked for. On a processor
// without the rule one less is enough.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "piece.h"
#include "stale.h"

// With many seeds what must not differ does not; where nothing asks for hazards, none is delivered, so few
// do.
enum { SEEDS = 24, UNASKED_SEEDS = 6 };

static const struct rule {
    const char *piece, *less; // what stands in place of the line `a`
    const char *on, *not_on;  // processors
} rules[] = {
    {"dpp", "s_nop 0", "gfx803 gfx900 gfx908 gfx90a gfx942 gfx950", "gfx1030"},
    {"same register", "s_nop 0", "gfx906 gfx942", ""},
    {"afterwards", "", "", "gfx900 gfx906 gfx90a gfx942"},
    {"dpp, back", "", "gfx803 gfx900 gfx90a gfx942", "gfx1030"},
    {"dpp, called", "", "", "gfx803 gfx900 gfx90a gfx942"},
    {"dpp exec", "s_nop 3", "gfx803 gfx900 gfx908 gfx90a gfx942", ""},
    {"lane select", "s_nop 2", "gfx600 gfx700 gfx803 gfx900 gfx906 gfx90a gfx942", "gfx1030"},
    {"div_fmas", "s_nop 2", "gfx600 gfx700 gfx803 gfx900 gfx90a gfx942", "gfx1030"},
    {"address", "s_nop 3", "gfx900 gfx908 gfx90a gfx942 gfx950", "gfx1010 gfx1100"},
    {"buffer offset", "s_nop 3", "gfx803", "gfx600 gfx700"},
    {"scalar load", "s_nop 2", "gfx600", "gfx700 gfx803"},
    {"addtid", "", "gfx900 gfx908 gfx90a gfx942", ""},
    {"wide store 6", "", "gfx700 gfx803", "gfx600"},
    {"wide store", "", "gfx900 gfx908 gfx90a", "gfx1030 gfx1100"},
    {"wide store 942", "s_nop 0", "gfx942 gfx950", ""},
    {"narrow store", "", "", "gfx900 gfx942"},
    {"matrix", "s_nop 0", "gfx908 gfx90a gfx942", ""},
    {"matrix exec", "s_nop 2", "gfx90a gfx942 gfx950", "gfx908"},
    {"acc written, read", "s_nop 1", "gfx908", "gfx90a"},
    {"acc written, added", "", "gfx908", ""},
    {"acc written, multiplied", "s_nop 1", "gfx908", ""},
    {"acc read, stored", "s_nop 0", "gfx908", "gfx90a"},
    {"acc exec", "s_nop 2", "gfx908", "gfx90a"},
    {"dot", "s_nop 1", "gfx90a gfx942 gfx950", "gfx906 gfx908"},
    {"dot written", "s_nop 1", "gfx90a gfx942 gfx950", "gfx906 gfx908"},
    {"data", "s_nop 0", "gfx942 gfx950", "gfx900 gfx90a"},
    {"first lane", "s_nop 2", "gfx942 gfx950", "gfx900 gfx90a"},
    {"lane", "", "gfx942 gfx950", "gfx900 gfx90a"},
    {"transcendental", "", "gfx942 gfx950", "gfx900 gfx90a"},
    // GFX10.1
    {"memory, scalar", "s_nop 7", "gfx1010 gfx1012", "gfx1030 gfx1100 gfx906"},
    {"memory, scalar, waited", "s_nop 7", "gfx1010", ""},
    {"memory, exec", "s_nop 7", "gfx1010", "gfx1030 gfx1100"},
    {"memory, exec saved", "s_nop 7", "", "gfx1010 gfx1030"},
    {"scalar memory", "s_nop 7", "gfx1010", "gfx1030 gfx1100"},
    {"cmpx", "s_nop 7", "gfx1010", "gfx1030 gfx1100"},
    {"branch", "s_nop 0", "gfx1010", "gfx1030"},
    {"denormals", "s_nop 1", "gfx1010 gfx1030", ""},
    {"astray", ".long 0xbf82003f", "gfx1010", "gfx1030"},
    {"permlane", "s_nop 7", "gfx1010 gfx1100 gfx1150 gfx1201 gfx1250", "gfx1030"},
    // GFX11
    {"trans", "", "gfx1100 gfx1103", "gfx1030 gfx1150 gfx1201"},
    {"trans, trans", "", "gfx1100", "gfx1150"},
    {"trans, waited", "s_waitcnt_depctr 0xffe3", "gfx1100", "gfx1150"},
    {"trans, memory", "s_nop 7", "gfx1100", "gfx1150"},
    {"partial", "", "gfx1100 gfx1150", "gfx1030 gfx1201"},
    {"partial, between", "", "gfx1100 gfx1150", "gfx1030 gfx1201"},
    {"partial, waited", "s_nop 7", "gfx1100 gfx1150", "gfx1030"},
    {"mask", "s_nop 7", "gfx1100 gfx1150", "gfx1030"},
    {"mask, counted", "", "gfx1100 gfx1150", "gfx1030"},
    {"mask, scalar", "s_nop 7", "gfx1100 gfx1150", "gfx1030"},
    {"mask, vector", "s_waitcnt_depctr 0xfffc", "gfx1100 gfx1150", "gfx1030"},
    {"mask, vcc", "s_waitcnt_depctr 0xf1fe", "gfx1100 gfx1150", "gfx1030"},
    {"mask, other read", "", "gfx1100 gfx1150", "gfx1030"},
    {"given back", "s_mov_b32 s8, 0", "gfx1100 gfx1150", "gfx1201"},
    {"lanes", "s_nop 7", "gfx1100 gfx1150 gfx1201", "gfx1030"},
    {"wmma 11", "", "gfx1100 gfx1150", ""},
    // GFX12
    {"wmma 12", "", "gfx1200 gfx1201", ""},
    {"scalar, vector", "s_nop 7", "gfx1200 gfx1201", "gfx1250"},
    {"scalar, called", "s_nop 7", "gfx1200 gfx1201", "gfx1250"},
    {"mask, called", "", "", "gfx1100 gfx1150"},
    {"scalar, scalar", "s_nop 7", "gfx1200 gfx1201", "gfx1250"},
    {"scalar, counted", "", "gfx1200 gfx1201", "gfx1250"},
    {"vector, vector", "s_nop 7", "gfx1200 gfx1201", "gfx1250"},
    {"vector, vector, scalar", "s_nop 7", "gfx1200 gfx1201", ""},
    {"vcc", "s_wait_alu 0xf1fe", "gfx1200 gfx1201", ""},
    // GFX12.5
    {"1250 multiplied", "", "gfx1250", ""},
    {"1250 read", "", "gfx1250", ""},
    {"1250 written", "", "gfx1250", ""},
    {"beside", "", "gfx1250", "gfx1201"},
};
enum { RULES = sizeof rules / sizeof *rules };

static void assemble(const char *processor, const struct rule *k, const char *put, char code[8192]) {
    const unsigned g = generation_of(processor);
    const bool wave32 = !strcmp(processor, "gfx1250");
    static const char
        old[] = ".macro wait\ns_waitcnt vmcnt(0) lgkmcnt(0)\n.endm\n",
        split[] = ".macro wait\ns_wait_loadcnt 0\ns_wait_storecnt 0\ns_wait_dscnt 0\ns_wait_kmcnt 0\n.endm\n",
        ten[] = ".macro wait\ns_waitcnt vmcnt(0) lgkmcnt(0)\ns_waitcnt_vscnt null, 0\n.endm\n";
    snprintf(code, 8192, "%s%s%s%s%s",
             g >= 0x12   ? split
             : g >= 0x10 ? ten
                         : old,
             PIECE(wave32  ? "begin 32"
                   : g < 9 ? "begin 6"
                           : "begin"),
             strncmp(k->piece, "1250", 4) ? "" : PIECE("1250"), PIECE(k->piece),
             PIECE(wave32  ? "end 32"
                   : g < 9 ? "end 6"
                           : "end"));
    if (!put) return;
    char *at = strstr(code, "// a\n"), rest[8192];
    assert_non_null(at);
    while (at[-1] != '\n') at--;
    snprintf(rest, sizeof rest, "%s", strchr(at, '\n'));
    strcpy(at, put);
    strcat(at, rest);
}

// Whether something else is left than without weak memory, for one of so many seeds.
static bool differs(const char *processor, const struct rule *k, const char *put, bool hazards,
                    unsigned seeds) {
    char code[8192];
    uint32_t want[LANES], got[LANES];
    assemble(processor, k, NULL, code);
    stale_run(processor, code, 0, false, want);
    assemble(processor, k, put, code);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        stale_run(processor, code, seed, hazards, got);
        if (memcmp(want, got, sizeof want)) return true;
    }
    return false;
}
// Ten times as slow, and no other code runs for other seeds.
static unsigned many_seeds(void) { return getenv("SANITIZED") ? UNASKED_SEEDS : SEEDS; }

static void each(const char *processors, const struct rule *k,
                 void (*check)(const char *processor, const struct rule *k)) {
    char name[16];
    for (int n; sscanf(processors, "%15s%n", name, &n) == 1; processors += n) check(name, k);
}

static unsigned wrong_ones;
static void wrong(const char *what, const char *piece, const char *processor) {
    wrong_ones++;
    print_message(what, piece, processor);
    print_message("\n");
}
static void enough(const char *p, const struct rule *k) {
    if (differs(p, k, NULL, true, many_seeds())) wrong("%s on %s: a correct kernel goes wrong", k->piece, p);
}
static void too_little(const char *p, const struct rule *k) {
    if (!differs(p, k, k->less, true, SEEDS)) wrong("%s on %s is not noticed", k->piece, p);
    if (differs(p, k, k->less, false, UNASKED_SEEDS)) wrong("%s on %s goes wrong unasked", k->piece, p);
}
static void no_rule(const char *p, const struct rule *k) {
    if (differs(p, k, k->less, true, many_seeds())) wrong("%s on %s, which has no such rule", k->piece, p);
}

static void correct_kernels_are_right(void **state) {
    (void)state;
    wrong_ones = 0;
    for (unsigned i = 0; i < RULES; i++) each(rules[i].on, &rules[i], enough);
    assert_int_equal(wrong_ones, 0);
}
static void one_state_less_is_noticed(void **state) {
    (void)state;
    wrong_ones = 0;
    for (unsigned i = 0; i < RULES; i++) each(rules[i].on, &rules[i], too_little);
    assert_int_equal(wrong_ones, 0);
}
static void processors_without_a_rule_need_nothing(void **state) {
    (void)state;
    wrong_ones = 0;
    for (unsigned i = 0; i < RULES; i++) each(rules[i].not_on, &rules[i], no_rule);
    assert_int_equal(wrong_ones, 0);
}

static void memory_has_to_be_weak(void **state) {
    (void)state;
    sw_device_options o = {.size = sizeof o, .weak_hazards = true};
    sw_device *d = NULL;
    assert_int_equal(sw_target_parse("gfx906", 6, &o.target, NULL), SW_OK);
    assert_int_equal(sw_device_create(&o, &d, NULL), SW_UNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correct_kernels_are_right),
        cmocka_unit_test(one_state_less_is_noticed),
        cmocka_unit_test(processors_without_a_rule_need_nothing),
        cmocka_unit_test(memory_has_to_be_weak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
