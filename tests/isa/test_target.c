// SPDX-License-Identifier: MIT
// Target ids, triples, bundle entry ids, e_flags and compatibility: TGT-01 to TGT-06, TGT-52, TGT-60 to
// TGT-81, OBJ-07 to OBJ-10, OBJ-28 to OBJ-30, AMB-25 to AMB-27. Messages are compared as printed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "softwave/target.h"

// The last message and how many there were, as "column: text" ("0: text" where nothing is pointed at).
struct heard {
    char text[256];
    unsigned errors, warnings;
};

static void hear(void *context, const sw_diagnostic *d) {
    struct heard *h = context;
    snprintf(h->text, sizeof h->text, "%u: %s", d->at.column, d->message);
    if (d->severity == SW_SEVERITY_ERROR)
        h->errors++;
    else
        h->warnings++;
}

static const sw_processor *find(const char *name) { return sw_processor_find(name, strlen(name)); }

static sw_target parse(const char *text) {
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    sw_target t;
    if (sw_target_parse(text, strlen(text), &t, &sink)) fail_msg("%s: %s", text, h.text);
    return t;
}

static sw_target parse_v3(const char *text) {
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    sw_target t;
    if (sw_target_parse_v3(text, strlen(text), &t, &sink)) fail_msg("%s: %s", text, h.text);
    return t;
}

// -- Target ids --------------------------------------------------------------------------------------

static void test_canonical(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"gfx90a", "gfx90a"},
        {"gfx90a:xnack+", "gfx90a:xnack+"},
        {"gfx90a:xnack-:sramecc+", "gfx90a:sramecc+:xnack-"}, // TGT-76: any order in, alphabetical out
        {"gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack-"},
        {"gfx908:sramecc-", "gfx908:sramecc-"},
        {"polaris10", "gfx803"}, // TGT-74
        {"carrizo:xnack-", "gfx801:xnack-"},
        {"gfx9-generic:xnack+", "gfx9-generic:xnack+"},
        {"gfx9-4-generic:xnack+:sramecc-", "gfx9-4-generic:sramecc-:xnack+"},
        {"cayman", "cayman"},
        {"r600", "r600"}, // a processor, not the start of a triple
        {"amdgcn-amd-amdhsa--gfx90a:xnack+", "gfx90a:xnack+"},
        {"amdgcn-amd-amdhsa--gfx10-3-generic", "gfx10-3-generic"},
        {"amdgcn-amd-amdhsa-gfx10-3-generic", "gfx10-3-generic"},
        {"amdgcn-amd-amdhsa-gfx906:xnack-", "gfx906:xnack-"},
        {"amdgcn-amd-amdhsa-unknown-gfx906", "gfx906"},
        {"amdgcn-amd-amdhsa-opencl-gfx906", "gfx906"}, // TGT-04
        {"amdgcn-amd-amdpal--gfx1030", "gfx1030"},
        {"amdgcn-mesa-mesa3d--gfx803", "gfx803"}, // TGT-02
        {"amdgcn-amd---gfx600", "gfx600"},
        {"amdgcn----gfx600", "gfx600"},
        {"r600-amd---cypress", "cypress"},
        {"r600-amd-mesa3d--r600", "r600"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[SW_TARGET_TEXT];
        sw_target t = parse(pairs[i][0]);
        assert_int_equal(sw_target_format(&t, text), strlen(pairs[i][1]));
        assert_string_equal(text, pairs[i][1]);
    }
}

static void test_settings(void **state) {
    (void)state;
    sw_target t = parse("gfx90a:xnack-"); // TGT-65: left out is any
    assert_int_equal(t.xnack, SW_SETTING_OFF);
    assert_int_equal(t.sramecc, SW_SETTING_ANY);
    t = parse("gfx900");
    assert_int_equal(t.xnack, SW_SETTING_ANY);
    assert_int_equal(t.sramecc, SW_SETTING_NONE); // AMB-25: unsupported is not any
    t = parse("gfx1030");
    assert_int_equal(t.xnack, SW_SETTING_NONE);
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *message; // message: column and text
    } bad[] = {
        {"", "1: processor name expected"},
        {":xnack+", "1: processor name expected"},
        {"gfx999", "1: unknown processor 'gfx999'; did you mean 'gfx909'?"}, // TGT-81
        {"gfx90A", "1: unknown processor 'gfx90A'; did you mean 'gfx90a'?"},
        {" gfx90a", "1: unknown processor ' gfx90a'; did you mean 'gfx90a'?"},
        {"gfx940", "1: unknown processor 'gfx940'; did you mean 'gfx900'?"},
        {"gfx90a ", "1: unknown processor 'gfx90a '; did you mean 'gfx90a'?"},
        {"gfx90\x01", "1: unknown processor 'gfx90?'; did you mean 'gfx900'?"},
        {"gfx1030:xnack+", "9: gfx1030 has no feature 'xnack'"}, // TGT-75, AMB-26
        {"gfx900:sramecc+", "8: gfx900 has no feature 'sramecc'"},
        {"gfx9-generic:sramecc+", "14: gfx9-generic has no feature 'sramecc'"}, // TGT-53
        {"gfx90a:xnack+:xnack-", "15: feature 'xnack' is given twice"},
        {"gfx90a:xnack+:sramecc+:xnack+", "24: feature 'xnack' is given twice"},
        {"gfx90a:xnack", "13: feature 'xnack' needs '+' or '-' after its name"},
        {"gfx90a:xnack+x", "15: feature 'xnack+x' needs '+' or '-' after its name"},
        {"gfx90a:xnack++", "8: unknown feature 'xnack+'"},
        {"gfx90a:", "8: feature name expected"},
        {"gfx90a:+", "8: feature name expected"},
        {"gfx90a:xnack+:", "15: feature name expected"},
        {"gfx90a::xnack+", "8: feature name expected"},
        {"gfx90a:foo+", "8: unknown feature 'foo'"},
        {"gfx90a:XNACK+", "8: unknown feature 'XNACK'"},
        {"gfx90a:sram-ecc+", "8: unknown feature 'sram-ecc'"}, // the old spelling is V2-V3 only
        {"gfx1030:wavefrontsize64+",
         "9: 'wavefrontsize64' is not part of a target id; it is set by -mwavefrontsize64"},
        {"gfx1030:cumode-", "9: 'cumode' is not part of a target id; it is set by -mcumode"},
        {"gfx90a:tgsplit+", "8: 'tgsplit' is not part of a target id; it is set by -mtgsplit"}, // TGT-64
        {"gfx90a+xnack", "7: '+feature' is V2-V3 syntax; write ':feature+'"},
        {"gfx90a-xnack", "1: unknown processor 'gfx90a-xnack'"},
        {"amdgcn-amd-amdhsa", "18: processor name expected"},
        {"amdgcn-amd-amdhsa--", "20: processor name expected"},
        {"amdgcn-amd-amdhsa--gfx7", "20: unknown processor 'gfx7'; did you mean 'gfx700'?"},
        {"amdgcn-amd-amdhsa--cayman", "20: processor cayman is not of architecture amdgcn"}, // TGT-01
        {"r600-amd---gfx900", "12: processor gfx900 is not of architecture r600"},
        {"r600-amd-amdhsa--cayman", "10: amdhsa is not supported by architecture r600"}, // TGT-06
        {"amdgcn-amd-linux--gfx900",
         "12: unknown operating system 'linux' in the triple: amdhsa, amdpal, mesa3d or nothing"}, // TGT-03
        {"amdgcn-nvidia-amdhsa--gfx900", "8: unknown vendor 'nvidia' in the triple: amd or mesa"},
        {"amdgcn-mesa-amdhsa--gfx900", "8: vendor 'mesa' needs operating system 'mesa3d'"}, // TGT-02
        {"amdgcn-gfx900", "8: the triple has no operating system part"},
        {"x86_64-amd-amdhsa--gfx900", "1: unknown processor 'x86_64-amd-amdhsa--gfx900'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct heard h = {0};
        sw_sink sink = {hear, &h};
        sw_target t = {.processor = find("gfx600")};
        sw_status status = sw_target_parse(bad[i].text, strlen(bad[i].text), &t, &sink);
        if (status != SW_BAD_INPUT) fail_msg("%s: status %d", bad[i].text, status);
        assert_string_equal(h.text, bad[i].message);
        assert_int_equal(h.errors, 1);
        assert_ptr_equal(t.processor, find("gfx600")); // untouched
        assert_int_equal(sw_target_parse(bad[i].text, strlen(bad[i].text), &t, NULL), SW_BAD_INPUT);
    }
}

// Long names are cut in messages, embedded NULs and any bytes are refused, nothing reads past the length.
static void test_hostile(void **state) {
    (void)state;
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    sw_target t;
    char *big = malloc(100000);
    memset(big, 'g', 100000);
    assert_int_equal(sw_target_parse(big, 100000, &t, &sink), SW_BAD_INPUT);
    assert_string_equal(h.text, "1: unknown processor 'gggggggggggggggggggggggggggggggggggggggggggg...'");
    assert_int_equal(sw_target_parse(big, 47, &t, &sink), SW_BAD_INPUT); // the longest that is not cut
    assert_string_equal(h.text, "1: unknown processor 'ggggggggggggggggggggggggggggggggggggggggggggggg'");
    assert_int_equal(sw_target_parse("gfx90a\0:xnack+", 14, &t, &sink), SW_BAD_INPUT);
    assert_string_equal(h.text, "1: unknown processor 'gfx90a?'; did you mean 'gfx90a'?");
    assert_int_equal(sw_target_parse(NULL, 0, &t, &sink), SW_BAD_INPUT);
    srand(1);
    static const char alphabet[] = "gfx90a:+-xnacksramecc amdgcnhsa\n";
    for (int round = 0; round < 20000; round++) {
        size_t n = (size_t)rand() % 40;
        char *text = malloc(n ? n : 1); // exact, so that the sanitizer sees an overrun
        for (size_t i = 0; i < n; i++) text[i] = alphabet[(size_t)rand() % (sizeof alphabet - 1)];
        if (n > 6 && round % 2) memcpy(text, "gfx90a", 6);
        sw_bundle_entry e = {.size = sizeof e};
        sw_triple triple = {.size = sizeof triple};
        sw_target_parse(text, n, &t, &sink);
        sw_target_parse_v3(text, n, &t, &sink);
        sw_bundle_entry_parse(text, n, &e, &sink);
        sw_triple_parse(text, n, &triple, &sink);
        free(text);
    }
    free(big);
}

static void test_v3_syntax(void **state) {
    (void)state;
    char text[SW_TARGET_TEXT];
    sw_target t = parse_v3("gfx90a"); // TGT-78: left out is off
    assert_int_equal(t.xnack, SW_SETTING_OFF);
    assert_int_equal(t.sramecc, SW_SETTING_OFF);
    t = parse_v3("gfx906+xnack+sramecc");
    assert_int_equal(t.xnack, SW_SETTING_ON);
    assert_int_equal(t.sramecc, SW_SETTING_ON);
    sw_target_format_v3(&t, text);
    assert_string_equal(text, "gfx906+sramecc+xnack");
    t = parse_v3("amdgcn-amd-amdhsa--gfx908+xnack+sram-ecc"); // as LLVM 9 to 14 wrote it
    assert_int_equal(t.sramecc, SW_SETTING_ON);
    t = parse_v3("gfx803");
    assert_int_equal(t.xnack, SW_SETTING_NONE);
    t = parse("gfx90a:sramecc-"); // TGT-79: any is written as on
    sw_target_format_v3(&t, text);
    assert_string_equal(text, "gfx90a+xnack");

    static const struct {
        const char *text, *message;
    } bad[] = {
        {"gfx90a:xnack+", "7: the V2-V3 syntax separates features by '+' and has no sign after them"},
        {"gfx90a+", "8: feature name expected"},
        {"gfx90a+xnack+", "14: feature name expected"},
        {"gfx90a++xnack", "8: feature name expected"},
        {"gfx90a+xnack+xnack", "14: feature 'xnack' is given twice"},
        {"gfx90a+sramecc+sram-ecc", "16: feature 'sram-ecc' is given twice"},
        {"gfx803+xnack", "8: gfx803 has no feature 'xnack'"},
        {"gfx900-xnack", "1: unknown processor 'gfx900-xnack'"},
        {"gfx9-generic", "1: gfx9-generic needs code object V6"}, // TGT-52
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct heard h = {0};
        sw_sink sink = {hear, &h};
        assert_int_equal(sw_target_parse_v3(bad[i].text, strlen(bad[i].text), &t, &sink), SW_BAD_INPUT);
        assert_string_equal(h.text, bad[i].message);
    }
}

static void test_triples(void **state) {
    (void)state;
    static const struct {
        const char *text, *architecture, *vendor, *environment;
        sw_os os;
    } good[] = {
        {"amdgcn", "amdgcn", "", "", SW_OS_NONE},
        {"amdgcn--", "amdgcn", "", "", SW_OS_NONE},
        {"amdgcn-amd-amdhsa", "amdgcn", "amd", "", SW_OS_AMDHSA},
        {"amdgcn-amd-amdhsa-", "amdgcn", "amd", "", SW_OS_AMDHSA},
        {"amdgcn-amd-amdhsa--", "amdgcn", "amd", "", SW_OS_AMDHSA},
        {"amdgcn-amd-amdhsa-opencl", "amdgcn", "amd", "opencl", SW_OS_AMDHSA}, // TGT-04
        {"amdgcn-amd-amdpal", "amdgcn", "amd", "", SW_OS_AMDPAL},
        {"amdgcn-mesa-mesa3d", "amdgcn", "mesa", "", SW_OS_MESA3D},
        {"amdgcn-unknown-unknown", "amdgcn", "unknown", "", SW_OS_NONE},
        {"r600-amd-", "r600", "amd", "", SW_OS_NONE},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        sw_triple t = {.size = sizeof t};
        assert_int_equal(sw_triple_parse(good[i].text, strlen(good[i].text), &t, NULL), SW_OK);
        assert_string_equal(t.architecture, good[i].architecture);
        assert_int_equal(t.os, good[i].os);
        assert_int_equal(t.vendor_length, strlen(good[i].vendor));
        assert_memory_equal(t.vendor, good[i].vendor, t.vendor_length);
        assert_int_equal(t.environment_length, strlen(good[i].environment));
        assert_memory_equal(t.environment, good[i].environment, t.environment_length);
        assert_int_equal(t.size, sizeof t);
    }
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "1: unknown architecture '' in the triple: amdgcn or r600"},
        {"x86_64-pc-linux", "1: unknown architecture 'x86_64' in the triple: amdgcn or r600"},
        {"r600-amd-amdhsa", "10: amdhsa is not supported by architecture r600"},
        {"amdgcn-amd-amdhsa-opencl-x", "26: the triple has more than four parts"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct heard h = {0};
        sw_sink sink = {hear, &h};
        sw_triple t = {.size = sizeof t};
        assert_int_equal(sw_triple_parse(bad[i].text, strlen(bad[i].text), &t, &sink), SW_BAD_INPUT);
        assert_string_equal(h.text, bad[i].message);
    }
}

// -- Bundle entry ids (TGT-80) -----------------------------------------------------------------------

static void test_bundle_entries(void **state) {
    (void)state;
    static const struct {
        const char *text, *canonical, *target;
        sw_bundle_kind kind;
        bool v3;
    } good[] = {
        {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", NULL, "gfx90a:xnack+", SW_BUNDLE_HIPV4, false},
        {"hipv4-amdgcn-amd-amdhsa--gfx1030", NULL, "gfx1030", SW_BUNDLE_HIPV4, false},
        {"hipv4-amdgcn-amd-amdhsa--gfx906:xnack-:sramecc+", "hipv4-amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-",
         "gfx906:sramecc+:xnack-", SW_BUNDLE_HIPV4, false},
        {"hipv4-amdgcn-amd-amdhsa-unknown-gfx11-generic", "hipv4-amdgcn-amd-amdhsa--gfx11-generic",
         "gfx11-generic", SW_BUNDLE_HIPV4, false},
        {"hip-amdgcn-amd-amdhsa--gfx900+xnack", NULL, "gfx900:xnack+", SW_BUNDLE_HIP, true},
        {"hip-amdgcn-amd-amdhsa-gfx900", "hip-amdgcn-amd-amdhsa--gfx900", "gfx900:xnack-", SW_BUNDLE_HIP,
         true},
        {"hip-amdgcn-amd-amdhsa--gfx906+xnack+sram-ecc", "hip-amdgcn-amd-amdhsa--gfx906+sramecc+xnack",
         "gfx906:sramecc+:xnack+", SW_BUNDLE_HIP, true},
        {"openmp-amdgcn-amd-amdhsa--gfx906", NULL, "gfx906", SW_BUNDLE_OPENMP, false},
        {"openmp-amdgcn-amd-amdhsa--gfx906:xnack-", NULL, "gfx906:xnack-", SW_BUNDLE_OPENMP, false},
        {"openmp-amdgcn-amd-amdhsa--gfx906+xnack", NULL, "gfx906:sramecc-:xnack+", SW_BUNDLE_OPENMP, true},
        {"hip-amdgcn-amd-amdhsa--gfx906:xnack+", NULL, "gfx906:xnack+", SW_BUNDLE_HIP, false},
        {"host-x86_64-unknown-linux", "host-x86_64-unknown-linux--", NULL, SW_BUNDLE_HOST, false},
        {"host-x86_64-unknown-linux--", NULL, NULL, SW_BUNDLE_HOST, false},
        {"host-x86_64-unknown-linux-gnu-", NULL, NULL, SW_BUNDLE_HOST, false},
        {"host-x86_64-unknown-linux-gnu", "host-x86_64-unknown-linux-gnu-", NULL, SW_BUNDLE_HOST, false},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct heard h = {0};
        sw_sink sink = {hear, &h};
        sw_bundle_entry e = {.size = sizeof e};
        char text[SW_BUNDLE_ENTRY_TEXT], id[SW_TARGET_TEXT];
        if (sw_bundle_entry_parse(good[i].text, strlen(good[i].text), &e, &sink))
            fail_msg("%s: %s", good[i].text, h.text);
        assert_int_equal(e.kind, good[i].kind);
        assert_int_equal(e.v3, good[i].v3);
        size_t n = sw_bundle_entry_format(&e, text);
        assert_string_equal(text, good[i].canonical ? good[i].canonical : good[i].text);
        assert_int_equal(n, strlen(text));
        if (good[i].target) {
            sw_target_format(&e.target, id);
            assert_string_equal(id, good[i].target);
        } else {
            assert_null(e.target.processor);
        }
    }
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "1: unknown offload kind '': host, hip, hipv4 or openmp"},
        {"cuda-nvptx64--sm_70", "1: unknown offload kind 'cuda': host, hip, hipv4 or openmp"},
        {"hipv4", "6: triple expected after 'hipv4-'"},
        {"hipv4-", "7: triple expected after 'hipv4-'"},
        {"host---", "6: triple expected after 'host-'"},
        {"hipv4-x86_64-pc-linux--gfx900", "7: the device architecture is 'x86_64', not amdgcn"},
        {"hipv4-amdgcn-amd-amdhsa--", "26: processor name expected"},
        {"hipv4-amdgcn-amd-amdhsa--gfx1030:xnack+", "34: gfx1030 has no feature 'xnack'"},
        {"hip-amdgcn-amd-amdhsa--gfx1030+xnack", "32: gfx1030 has no feature 'xnack'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct heard h = {0};
        sw_sink sink = {hear, &h};
        sw_bundle_entry e = {.size = sizeof e};
        assert_int_equal(sw_bundle_entry_parse(bad[i].text, strlen(bad[i].text), &e, &sink), SW_BAD_INPUT);
        assert_string_equal(h.text, bad[i].message);
    }
    char triple[200], text[SW_BUNDLE_ENTRY_TEXT];
    memset(triple, 'x', sizeof triple);
    sw_bundle_entry e = {.size = sizeof e, .triple = triple, .triple_length = SW_BUNDLE_ENTRY_TEXT - 8};
    assert_int_equal(sw_bundle_entry_format(&e, text), SW_BUNDLE_ENTRY_TEXT - 1); // "host-", "--" and the NUL
    e.triple_length++;
    assert_int_equal(sw_bundle_entry_format(&e, text), 0); // does not fit
}

// -- e_flags -----------------------------------------------------------------------------------------

enum { V2, V3, V4, V5, V6 };

static void test_eflags_values(void **state) {
    (void)state;
    static const struct {
        const char *id;
        unsigned abi;
        uint32_t flags; // V4 to V6 as written by llvm-mc-22, V3 by llvm-mc-14
    } rows[] = {
        {"gfx900:xnack+", V2, 0x1}, // OBJ-07
        {"gfx900:xnack-", V2, 0x0},
        {"gfx803", V2, 0x0},
        {"gfx90a:sramecc-:xnack+", V3, 0x13f}, // OBJ-08
        {"gfx90a", V3, 0x33f},                 // any counts as on
        {"gfx1030", V3, 0x36},
        {"gfx600", V4, 0x20}, // OBJ-09
        {"gfx90a", V4, 0x53f},
        {"gfx90a:xnack-", V4, 0x63f},
        {"gfx90a:sramecc+:xnack+", V4, 0xf3f},
        {"gfx90a:sramecc-:xnack-", V5, 0xa3f},
        {"gfx900", V5, 0x12c},
        {"gfx90a:sramecc+", V6, 0xd3f}, // OBJ-10
        {"gfx9-generic", V6, 0x1000151},
        {"gfx9-generic:xnack+", V6, 0x1000351},
        {"gfx9-4-generic:sramecc-", V6, 0x100095f},
        {"gfx12-generic", V6, 0x1000059},
        {"cayman", V3, 0x0f},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sw_target t = parse(rows[i].id);
        uint32_t flags = sw_target_to_eflags(&t, rows[i].abi);
        if (flags != rows[i].flags) fail_msg("%s: 0x%x", rows[i].id, flags);
    }
}

// Every processor, setting and version there and back.
static void test_eflags_roundtrip(void **state) {
    (void)state;
    unsigned rounds = 0;
    for (size_t i = 0; i < sw_processor_count(); i++)
        for (unsigned x = 0; x <= SW_SETTING_ON; x++)
            for (unsigned s = 0; s <= SW_SETTING_ON; s++)
                for (unsigned abi = V3; abi <= V6; abi++) {
                    char id[SW_TARGET_TEXT];
                    struct heard h = {0};
                    sw_sink sink = {hear, &h};
                    sw_target t = {sw_processor_at(i), (sw_setting)s, (sw_setting)x}, back;
                    sw_target_format(&t, id);
                    sw_target any = parse(sw_processor_name(t.processor));
                    if ((x == SW_SETTING_NONE) != (any.xnack == SW_SETTING_NONE)) continue;
                    if ((s == SW_SETTING_NONE) != (any.sramecc == SW_SETTING_NONE)) continue;
                    if (sw_target_check_abi(&t, abi, NULL)) {
                        assert_true(abi < V6);
                        continue;
                    }
                    uint32_t flags = sw_target_to_eflags(&t, abi);
                    if (sw_target_from_eflags(flags, abi, &back, &sink))
                        fail_msg("%s V%u: %s", id, abi + 2, h.text);
                    if (abi == V3 && t.xnack == SW_SETTING_ANY) t.xnack = SW_SETTING_ON;
                    if (abi == V3 && t.sramecc == SW_SETTING_ANY) t.sramecc = SW_SETTING_ON;
                    assert_ptr_equal(back.processor, t.processor);
                    assert_int_equal(back.xnack, t.xnack);
                    assert_int_equal(back.sramecc, t.sramecc);
                    assert_int_equal(h.warnings, 0);
                    t = parse(id); // and the text form of the same target
                    if (abi == V4) assert_int_equal(sw_target_to_eflags(&t, V4), flags);
                    rounds++;
                }
    unsigned wanted = 0; // three settings of each feature that there is, in each ABI; V6 alone has generics
    for (size_t i = 0; i < sw_processor_count(); i++) {
        sw_processor_info info = {.size = sizeof info};
        sw_processor_get_info(sw_processor_at(i), &info);
        unsigned settings = 1;
        for (const char *const *f = info.features; *f; f++)
            settings *= !strcmp(*f, "xnack") || !strcmp(*f, "sramecc") ? 3 : 1;
        wanted += settings * (info.generic ? 1 : 4);
    }
    assert_int_equal(rounds, wanted);
    assert_true(wanted >= 45 * 4 + 11 * 3 * 4 + 7 * 9 * 4 + 3 + 9 + 3 + 3); // none, xnack, both, generics
}

static void test_eflags_refused(void **state) {
    (void)state;
    static const struct {
        uint32_t flags;
        unsigned abi;
        const char *message;
    } bad[] = {
        {0x01, V2, "0: code object V2 names its processor in a note, not here"},
        {0x12c, V2, "0: code object V2 names its processor in a note, not here"}, // as LLVM 13 wrote it
        {0x00, V4, "0: 0x0: no processor in EF_AMDGPU_MACH value 0x00"},
        {0x27, V4, "0: 0x27: unknown EF_AMDGPU_MACH value 0x27"},
        {0x4b, V6, "0: 0x4b: unknown EF_AMDGPU_MACH value 0x4b"},
        {0x736, V4, "0: gfx1030 has no feature 'xnack', yet its setting is given"},
        {0x52c, V4, "0: gfx900 has no feature 'sramecc', yet its setting is given"},
        {0x236, V3, "0: gfx1030 has no feature 'sramecc', yet its setting is given"},
        {0x43f, V3, "0: 0x43f: unknown bits 0x400 for code object V3"},
        {0x153f, V4, "0: 0x153f: unknown bits 0x1000 for code object V4"},
        {0x100053f, V5, "0: 0x100053f: unknown bits 0x1000000 for code object V5"},
        {0x100053f, V6, "0: generic version 1 of gfx90a, which is not generic"}, // TGT-60
        {0x151, V6, "0: gfx9-generic without a generic version"},
        {0x151, V5, "0: gfx9-generic needs code object V6, not V5"}, // TGT-52
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct heard h = {0};
        sw_sink sink = {hear, &h};
        sw_target t = {0};
        assert_int_not_equal(sw_target_from_eflags(bad[i].flags, bad[i].abi, &t, &sink), SW_OK);
        assert_string_equal(h.text, bad[i].message);
        assert_null(t.processor);
    }
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    sw_target t;
    assert_int_equal(sw_target_from_eflags(0x3f, V6 + 1, &t, &sink), SW_UNSUPPORTED);
    assert_string_equal(h.text, "0: unknown ABI version 5");
    // Unsupported where the feature exists: kept apart from any, with a warning (AMB-25).
    assert_int_equal(sw_target_from_eflags(0x2c, V4, &t, &sink), SW_OK);
    assert_int_equal(t.xnack, SW_SETTING_NONE);
    assert_string_equal(h.text, "0: gfx900 has feature 'xnack', yet the code says it is unsupported");
    assert_int_equal(h.warnings, 1);
    assert_int_equal(sw_eflags_generic_version(0x7000151, V6), 7);
    assert_int_equal(sw_eflags_generic_version(0x7000151, V5), 0);
    // No value of the word does anything but answer.
    for (uint32_t flags = 0; flags < 0x2000; flags++)
        for (unsigned abi = V2; abi <= V6 + 1; abi++)
            sw_target_from_eflags(flags | flags << 20, abi, &t, &sink);
}

// -- Code object V2 (OBJ-28 to OBJ-30) ---------------------------------------------------------------

static void test_v2_processors(void **state) {
    (void)state;
    static const struct {
        unsigned major, minor, stepping;
        const char *id;
    } rows[] = {
        {6, 0, 0, "gfx600"},
        {6, 0, 1, "gfx601"},
        {6, 0, 2, "gfx602"},
        {7, 0, 0, "gfx700"},
        {7, 0, 1, "gfx701"},
        {7, 0, 2, "gfx702"},
        {7, 0, 3, "gfx703"},
        {7, 0, 4, "gfx704"},
        {7, 0, 5, "gfx705"},
        {8, 0, 0, "gfx802"}, // AMB-27
        {8, 0, 1, "gfx801:xnack+"},
        {8, 0, 2, "gfx802"},
        {8, 0, 3, "gfx803"},
        {8, 0, 4, "gfx803"},
        {8, 0, 5, "gfx805"},
        {8, 1, 0, "gfx810:xnack+"},
        {9, 0, 0, "gfx900:xnack-"},
        {9, 0, 1, "gfx900:xnack+"},
        {9, 0, 2, "gfx902:xnack-"},
        {9, 0, 3, "gfx902:xnack+"},
        {9, 0, 4, "gfx904:xnack-"},
        {9, 0, 5, "gfx904:xnack+"},
        {9, 0, 6, "gfx906:sramecc-:xnack-"},
        {9, 0, 7, "gfx906:sramecc-:xnack+"},
        {9, 0, 12, "gfx90c:xnack-"},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    unsigned found = 0;
    for (unsigned major = 0; major < 14; major++)
        for (unsigned minor = 0; minor < 6; minor++)
            for (unsigned stepping = 0; stepping < 20; stepping++) {
                sw_target t;
                if (sw_target_from_isa_version(major, minor, stepping, &t, NULL)) continue;
                char id[SW_TARGET_TEXT];
                sw_target_format(&t, id);
                size_t r = 0;
                while (r < ROWS &&
                       (rows[r].major != major || rows[r].minor != minor || rows[r].stepping != stepping))
                    r++;
                assert_true(r < ROWS);
                assert_string_equal(id, rows[r].id);
                sw_target same = parse(id); // a feature that the processor lacks stays unsupported
                assert_int_equal(t.xnack, same.xnack);
                assert_int_equal(t.sramecc, same.sramecc);
                assert_int_equal(sw_target_check_abi(&t, V2, NULL), SW_OK);
                found++;
            }
    assert_int_equal(found, ROWS);
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    sw_target t = parse("gfx908");
    assert_int_equal(sw_target_from_isa_version(9, 0, 8, &t, &sink), SW_BAD_INPUT); // OBJ-30
    assert_string_equal(h.text, "0: code object V2 has no processor AMD:AMDGPU:9:0:8");
    assert_int_equal(sw_target_check_abi(&t, V2, &sink), SW_BAD_INPUT);
    assert_string_equal(h.text, "0: gfx908 has no code object V2");
}

// -- Compatibility -----------------------------------------------------------------------------------

static void test_compatible(void **state) {
    (void)state;
    static const struct {
        const char *code;
        unsigned generic_version;
        const char *device;
        bool loads;
    } rows[] = {
        {"gfx90a", 0, "gfx90a:sramecc+:xnack+", true}, // any takes either (TGT-68, TGT-71)
        {"gfx90a", 0, "gfx90a:sramecc-:xnack-", true},
        {"gfx90a:xnack+", 0, "gfx90a:sramecc+:xnack+", true},
        {"gfx90a:xnack+", 0, "gfx90a:sramecc+:xnack-", false},
        {"gfx90a:xnack-", 0, "gfx90a:sramecc+:xnack+", false},
        {"gfx90a:sramecc-", 0, "gfx90a:sramecc+:xnack+", false},
        {"gfx90a:sramecc+:xnack-", 0, "gfx90a:sramecc+:xnack-", true},
        {"gfx90a:xnack+", 0, "gfx90a", true}, // a device that takes either
        {"gfx1030", 0, "gfx1030", true},
        {"gfx1030", 0, "gfx1031", false},
        {"gfx90a", 0, "gfx908", false},
        {"fiji", 0, "polaris10", true},             // one processor
        {"gfx9-generic", 1, "gfx900:xnack-", true}, // TGT-61
        {"gfx9-generic", 1, "gfx906:sramecc+:xnack+", true},
        {"gfx9-generic", 200, "gfx90c", true},
        {"gfx9-generic", 0, "gfx900", false}, // older than the member
        {"gfx9-generic:xnack+", 1, "gfx906:xnack-", false},
        {"gfx9-generic:xnack+", 1, "gfx906:xnack+", true},
        {"gfx9-generic", 1, "gfx908", false},
        {"gfx9-generic", 1, "gfx90a", false},
        {"gfx9-4-generic", 1, "gfx942", true},
        {"gfx9-4-generic", 1, "gfx950", true},
        {"gfx9-4-generic", 1, "gfx90a", false},
        {"gfx10-1-generic", 1, "gfx1013", true},
        {"gfx10-1-generic", 1, "gfx1030", false},
        {"gfx10-3-generic", 1, "gfx1036", true},
        {"gfx11-generic", 1, "gfx1153", true},
        {"gfx11-generic", 1, "gfx1200", false},
        {"gfx12-generic", 1, "gfx1201", true},
        {"gfx900", 0, "gfx9-generic", false}, // a member's code may use more than the generic has
        {"gfx9-generic", 1, "gfx9-generic", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sw_target code = parse(rows[i].code), device = parse(rows[i].device);
        if (sw_target_compatible(&code, rows[i].generic_version, &device) != rows[i].loads)
            fail_msg("%s (version %u) on %s", rows[i].code, rows[i].generic_version, rows[i].device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_canonical),        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_refused),          cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_v3_syntax),        cmocka_unit_test(test_triples),
        cmocka_unit_test(test_bundle_entries),   cmocka_unit_test(test_eflags_values),
        cmocka_unit_test(test_eflags_roundtrip), cmocka_unit_test(test_eflags_refused),
        cmocka_unit_test(test_v2_processors),    cmocka_unit_test(test_compatible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
