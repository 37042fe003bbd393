// SPDX-License-Identifier: MIT
// The compiler's program as text: what is printed is read back to the same, errors have line and column,
// wrong programs are found, and changed text never does more than be refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/ir.h"

static const char program[] =
    "module triple \"amdgcn-amd-amdhsa\" target \"gfx90a\" version 5 after read\n"
    "file \"/src\" \"a \\22b\\22.cl\"\n"
    "variable @table space 4 size 4 align 4 defined constant local bytes \"\\01\\02\\03\\ff\"\n"
    "variable @\"odd name\" space 3 size 64 align 16 defined local\n"
    "symbol @k defined\n"
    "\n"
    "kernel @k { wave 64; block_max 256; kernarg_bytes 20; kernarg_align 8; }\n"
    "  arg %0:i64 offset 0 size 8 align 8 space 1 kind \"global_buffer\" name \"y\" type \"float*\" const "
    "restrict\n"
    "  arg %1:f32 offset 8 size 4 align 4 kind \"by_value\"\n"
    "b0:\n"
    "  %2:i32 = workitem_id_x !0:3:12\n"
    "  %3:v.i64 = zext.nneg %2\n"
    "  %4:i64 = copy @\"odd name\"\n"
    "  %5:m.i1 = slt %2, -7:i32\n"
    "  %6:i128 = zext %3\n"
    "  %7:i128 = add %6, 0xffffffffffffffff0000000000000001:i128\n"
    "  branch.divergent %5, b1, b2\n"
    "b1:\n"
    "  %8:f32 = load %0, 0 [global, bytes 4, align 4, volatile, noclobber]\n"
    "  %9:f32 = fma.nnan.contract %8, %1, 0x3f800000:f32\n"
    "  %10:4xf32 = vector %9, %9, %1, poison:f32\n"
    "  %11:i32 = atomic_add 1:i32, %0, 0 [global, bytes 4, align 4, scope agent, order acq_rel, no_remote]\n"
    "  fence [generic, bytes 0, align 1, scope workgroup, order release, fenced 8]\n"
    "  jump b2\n"
    "b2:\n"
    "  %12:f32 = phi b0, %1, b1, %9\n"
    "  store %12, %0, 4 [global, bytes 4, align 4]\n"
    "  %13:v.b32 = v_fma_f32 %12, 1.0e, s4, v[2:3] neg 1 abs 2 clamp omod 1\n"
    "  return\n";

static char heard[512];
static void hear(void *context, const sw_diagnostic *d) {
    (void)context;
    snprintf(heard, sizeof heard, "%u:%u: %s", d->at.line, d->at.column, d->message);
}
static const sw_sink sink = {hear, NULL};

static char *good(void) { // the program above is good but for one word
    char *text = strdup(program), *bad = strstr(text, "1.0e, ");
    memmove(bad, bad + 6, strlen(bad + 6) + 1);
    return text;
}

static struct ir_module *parse(const char *text) {
    sw_status status;
    *heard = 0;
    return ir_parse("t.swir", text, strlen(text), &sink, &status);
}

static void round_trip(void **state) {
    (void)state;
    char *text = good();
    struct ir_module *m = parse(text);
    if (!m) fail_msg("%s", heard);
    assert_true(ir_verify(m, "test", &sink));
    struct text t = {0};
    ir_print(&t, m);
    assert_string_equal(t.data, text);
    assert_int_equal(m->symbols.items[0].bytes[3], 0xff);
    assert_string_equal(m->files.items[0].name, "a \"b\".cl");
    text_free(&t);
    ir_module_free(m);
    free(text);
}

// Each is refused at this place for this reason.
static void errors_have_places(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"= workitem_id_x", "= workitem_id_w", "11:12: no operation or row of this name"},
        {":4xf32", ":0xf32", "21:7: a type is expected: i32, f32, b64, 4xf32, void"},
        {"branch.divergent", "branch.diverging", "17:10: no such flag"},
        {"@\"odd name\"\n  %5", "@odd\n  %5", "13:17: no symbol of this name"},
        {"b1:\n", "b3:\n", "18:3: blocks are numbered in order"},
        {"%9:f32", "%8:f32", "20:9: the value is defined already"},
        {"order release", "order relaxed", "23:60: an order is expected"},
        {"align 4, volatile", "align 3, volatile", "19:48: an alignment is a power of two"},
        {"wave 64;", "waves 64;", "7:13: no such fact of a function"},
        {"\\ff\"", "\\ff", "3:82: the string has no end"},
        {"size 4 align 4 defined", "size 5 align 4 defined",
         "3:83: a variable has as many bytes as its size says"},
        {"0xffffffffffffffff0000000000000001:i128", "99999999999",
         "16:21: an immediate has 29 bits at the most"},
        {"\"gfx90a\"", "\"gfx90q\"", "1:50: no such target"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = good(), *at = strstr(text, cases[i].from), changed[4096];
        assert_non_null(at);
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, cases[i].to,
                 at + strlen(cases[i].from));
        assert_null(parse(changed));
        assert_string_equal(heard, cases[i].message);
        free(text);
    }
}

// Each can be parsed and is no program.
static void verifier_finds(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"zext.nneg %2\n", "zext.nneg %8\n", "not defined on every way"},
        {"%6:i128 = zext %3", "%6:i128 = zext %7", "defined behind its use"},
        {"slt %2, -7:i32", "slt %2, -7:i64", "types do not belong together"},
        {"phi b0, %1, b1, %9", "phi b0, %1", "a value for each way in"},
        {"phi b0, %1, b1, %9", "phi b0, %1, b1, %10", "types do not belong together"},
        {"phi b0, %1, b1, %9", "phi b0, %1, b1, b0", "of the wrong kind"},
        {"branch.divergent %5, b1, b2", "branch.divergent %5, b1, 7", "of the wrong kind"},
        {"branch.divergent %5, b1, b2", "branch.divergent %2, b1, b2", "asks for one bit"},
        {"  jump b2\n", "", "no terminator"},
        {"jump b2", "jump b7", "a block that does not exist"},
        {"%9, %9, %1, poison", "%9, %90, %1, poison", "an operand is not defined"},
        {"load %0, 0 [global, bytes 4, align 4, volatile, noclobber]", "load %0, 0",
         "says nothing of the memory"},
        {"fma.nnan.contract %8, %1, ", "fma.nnan.contract %8, ", "another number of operands"},
        {"  %3:v.i64 =", "  return\n  %3:v.i64 =", "behind the block's end"},
        {"%6:i128 = zext %3", "%6:5xi32 = buffer_place %3, %2", "a place in a buffer has a descriptor"},
        {"load %0, 0 [global,", "load %0, 0 [fat,", "not one of this address space"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = good(), *at = strstr(text, cases[i].from), changed[4096];
        assert_non_null(at);
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, cases[i].to,
                 at + strlen(cases[i].from));
        struct ir_module *m = parse(changed);
        if (!m) fail_msg("%s: %s", cases[i].to, heard);
        const bool fine = ir_verify(m, "test", &sink);
        if (cases[i].message && (fine || !strstr(heard, cases[i].message)))
            fail_msg("%s: '%s'", cases[i].to, heard);
        ir_module_free(m);
        free(text);
    }
}

static uint64_t random_state = 1;
static uint32_t number(uint32_t below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % below;
}

// Whatever of the changed text is a program is printed and read back to the same text.
static void changed_text(void **state) {
    (void)state;
    static const char *const words[] = {"%3",         "b1",   "0:i32",  "[",  "]",      ",",
                                        "poison:f32", "load", "!1:2:3", "\"", "@table", "2x",
                                        "999999999",  "{",    "; x",    "phi"};
    const char *seed = getenv("SEED");
    if (seed) random_state = strtoull(seed, NULL, 10);
    unsigned programs = 0;
    char *text = good();
    const size_t size = strlen(text);
    for (int round = 0; round < 20000; round++) {
        char *changed = malloc(size + 256);
        memcpy(changed, text, size + 1);
        size_t n = size;
        for (uint32_t k = 1 + number(3); k; k--) {
            const size_t at = number((uint32_t)n);
            const char *w = words[number(sizeof words / sizeof *words)];
            switch (number(4)) {
            case 0: changed[at] = (char)(32 + number(96)); break;
            case 1: memmove(changed + at, changed + at + 1, n - at), n--; break;
            case 2:
                memmove(changed + at + strlen(w), changed + at, n - at + 1),
                    memcpy(changed + at, w, strlen(w)), n += strlen(w);
                break;
            case 3: memcpy(changed + at, text + number((uint32_t)(size - 4)), n - at < 4 ? n - at : 4); break;
            }
        }
        struct ir_module *m = parse(changed), *again;
        const bool fine = m && ir_verify(m, "test", NULL);
        if (fine) {
            struct text t = {0}, u = {0};
            programs++;
            ir_print(&t, m);
            if (!(again = parse(t.data))) fail_msg("%s in\n%s", heard, t.data);
            ir_print(&u, again);
            assert_string_equal(t.data, u.data);
            ir_module_free(again);
            text_free(&t);
            text_free(&u);
        }
        ir_module_free(m);
        free(changed);
    }
    assert_in_range(programs, 500, 19500); // neither all nor none
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(errors_have_places),
        cmocka_unit_test(verifier_finds),
        cmocka_unit_test(changed_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
