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
#include <string.h>

#include "piece.h"
#include "rig.h"

enum { LANES = 64, SEEDS = 24, ROOM = 4096 };
#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 48\n.amdhsa_next_free_sgpr 40\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"        \
    ".amdhsa_group_segment_fixed_size 512\n"

static const struct rule {
    const char *piece, *less; // what stands in place of the line `a`
    const char *on, *not_on;  // processors
} rules[] = {
    {"dpp", "s_nop 0", "gfx900 gfx908 gfx90a gfx942 gfx950", ""},
    {"same register", "s_nop 0", "gfx906 gfx942", ""},
    {"afterwards", "", "", "gfx900 gfx906 gfx90a gfx942"},
    {"dpp exec", "s_nop 3", "gfx900 gfx908 gfx90a gfx942", ""},
    {"lane select", "s_nop 2", "gfx900 gfx906 gfx90a gfx942", ""},
    {"div_fmas", "s_nop 2", "gfx900 gfx90a gfx942", ""},
    {"address", "s_nop 3", "gfx900 gfx908 gfx90a gfx942 gfx950", ""},
    {"addtid", "", "gfx900 gfx908 gfx90a gfx942", ""},
    {"matrix", "s_nop 0", "gfx908 gfx90a gfx942", ""},
    {"dot", "s_nop 1", "gfx90a gfx942 gfx950", "gfx906 gfx908"},
    {"data", "s_nop 0", "gfx942 gfx950", "gfx900 gfx90a"},
    {"first lane", "s_nop 2", "gfx942 gfx950", "gfx900 gfx90a"},
    {"lane", "", "gfx942 gfx950", "gfx900 gfx90a"},
    {"transcendental", "", "gfx942 gfx950", "gfx900 gfx90a"},
};
enum { RULES = sizeof rules / sizeof *rules };

// What the kernel leaves.
static void run(const char *processor, const char *code, uint64_t seed, bool hazards, uint32_t out[LANES]) {
    char text[16384];
    struct rig r = {0};
    sw_device_options o = {.size = sizeof o, .weak = seed, .weak_hazards = hazards, .cache = ""};
    const bool accum = strcmp(processor, "gfx90a") >= 0 && strlen(processor) == 6;
    char descriptor[512];
    snprintf(descriptor, sizeof descriptor, "%s%s", DESCRIPTOR, accum ? ".amdhsa_accum_offset 32\n" : "");
    assert_true(rig_text(text, sizeof text, code, descriptor));
    assert_int_equal(sw_target_parse(processor, strlen(processor), &o.target, NULL), SW_OK);
    r.object = rig_object(processor, text, &r.image);
    if (!r.object) fail_msg("%s does not assemble: %s", processor, text);
    assert_int_equal(sw_device_create(&o, &r.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL), SW_OK);
    uint32_t *to = sw_device_alloc(r.device, ROOM), *from = sw_device_alloc(r.device, ROOM);
    uint64_t *kernarg = sw_device_alloc(r.device, 16);
    assert_true(to && from && kernarg);
    for (uint32_t i = 0; i < ROOM / 4; i++) from[i] = 1000 + i;
    kernarg[0] = (uintptr_t)to, kernarg[1] = (uintptr_t)from;
    sw_fault fault = {.size = sizeof fault};
    assert_int_equal(rig_run(&r, kernarg, LANES, LANES, &fault), SW_OK);
    assert_int_equal(fault.kind, SW_FAULT_NONE);
    memcpy(out, to, LANES * sizeof *out);
    rig_close(&r);
}

static void assemble(const struct rule *k, const char *put, char code[8192]) {
    snprintf(code, 8192, "%s%s%s", PIECE("begin"), PIECE(k->piece), PIECE("end"));
    if (!put) return;
    char *at = strstr(code, "// a\n"), rest[8192];
    assert_non_null(at);
    while (at[-1] != '\n') at--;
    snprintf(rest, sizeof rest, "%s", strchr(at, '\n'));
    strcpy(at, put);
    strcat(at, rest);
}

// For so many seeds something else is left than without weak memory.
static unsigned differs(const char *processor, const struct rule *k, const char *put, bool hazards) {
    char code[8192];
    uint32_t want[LANES], got[LANES];
    unsigned n = 0;
    assemble(k, NULL, code);
    run(processor, code, 0, false, want);
    assemble(k, put, code);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        run(processor, code, seed, hazards, got);
        n += memcmp(want, got, sizeof want) != 0;
    }
    return n;
}

static void each(const char *processors, const struct rule *k,
                 void (*check)(const char *processor, const struct rule *k)) {
    char name[16];
    for (int n; sscanf(processors, "%15s%n", name, &n) == 1; processors += n) check(name, k);
}

static void enough(const char *p, const struct rule *k) {
    if (differs(p, k, NULL, true)) fail_msg("%s on %s: a correct kernel goes wrong", k->piece, p);
}
static void too_little(const char *p, const struct rule *k) {
    if (!differs(p, k, k->less, true)) fail_msg("%s on %s: '%s' is not noticed", k->piece, p, k->less);
    if (differs(p, k, k->less, false)) fail_msg("%s on %s goes wrong unasked", k->piece, p);
}
static void no_rule(const char *p, const struct rule *k) {
    if (differs(p, k, k->less, true)) fail_msg("%s on %s, which has no such rule", k->piece, p);
}

static void correct_kernels_are_right(void **state) {
    (void)state;
    for (unsigned i = 0; i < RULES; i++) each(rules[i].on, &rules[i], enough);
}
static void one_state_less_is_noticed(void **state) {
    (void)state;
    for (unsigned i = 0; i < RULES; i++) each(rules[i].on, &rules[i], too_little);
}
static void processors_without_a_rule_need_nothing(void **state) {
    (void)state;
    for (unsigned i = 0; i < RULES; i++) each(rules[i].not_on, &rules[i], no_rule);
}

static void others_are_refused(void **state) {
    (void)state;
    sw_device_options o = {.size = sizeof o, .weak = 1, .weak_hazards = true};
    sw_device *d = NULL;
    assert_int_equal(sw_target_parse("gfx1030", 7, &o.target, NULL), SW_OK);
    assert_int_equal(sw_device_create(&o, &d, NULL), SW_UNSUPPORTED);
    assert_int_equal(sw_target_parse("gfx906", 6, &o.target, NULL), SW_OK);
    o.weak = 0;
    assert_int_equal(sw_device_create(&o, &d, NULL), SW_UNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correct_kernels_are_right),
        cmocka_unit_test(one_state_less_is_noticed),
        cmocka_unit_test(processors_without_a_rule_need_nothing),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
