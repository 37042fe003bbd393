// SPDX-License-Identifier: MIT
// The text half of the assembler: what text is refused where and why, and that hostile text ends.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "softwave/asm.h"
#include "softwave/object.h"

struct first {
    char message[256];
    unsigned line, column, errors;
};

static void keep_first(void *context, const sw_diagnostic *d) {
    struct first *f = context;
    if (d->severity != SW_SEVERITY_ERROR || f->errors++) return;
    snprintf(f->message, sizeof f->message, "%s", d->message);
    f->line = d->at.line;
    f->column = d->at.column;
}

static sw_status assemble(const char *text, size_t length, struct first *f, uint8_t **object, size_t *size) {
    sw_asm_options o = {.size = sizeof o, .os = SW_OS_AMDHSA, .name = "t.s", .no_files = true};
    o.max_output = 1 << 24;
    o.max_expansion = 1 << 22;
    assert_int_equal(sw_target_parse("gfx900", 6, &o.target, NULL), SW_OK);
    *f = (struct first){0};
    return sw_assemble(text, length, &o, object, size, &(sw_sink){keep_first, f});
}

static void refuse(const char *text, unsigned line, unsigned column, const char *message) {
    struct first f;
    uint8_t *object;
    size_t size;
    assert_int_not_equal(assemble(text, strlen(text), &f, &object, &size), SW_OK);
    assert_null(object);
    assert_string_equal(f.message, message);
    assert_int_equal(f.line, line);
    assert_int_equal(f.column, column);
}

static void messages_have_places(void **state) {
    (void)state;
    refuse(".data\n .long 1/0\n", 2, 9, "division by zero");
    refuse("a:\na:\n", 2, 1, "symbol 'a' is already defined");
    refuse(".long 08", 1, 7, "invalid octal number");
    refuse(".nothing 1", 1, 1, "unknown directive '.nothing'");
    refuse(".byte 256", 1, 7, "out of range literal value: 256 does not fit 1 bytes");
    refuse("/* \n */ .byte 1000", 2, 11, "out of range literal value: 1000 does not fit 1 bytes");
    refuse(".long \"abc", 1, 7, "unterminated string constant");
    refuse(".if 1\n", 1, 1, "unmatched .ifs or .elses");
    refuse(".endif", 1, 1, "encountered .endif that does not follow an .if");
    refuse(".balign 3", 1, 9, "alignment must be a power of 2");
    refuse(".set a, b\n.set b, a\n.long a\n", 2, 6, "'b' is defined by itself");
    refuse(".macro m x:req\n.endm\nm\n", 3, 1, "missing value for required parameter 'x' in macro 'm'");
    refuse(".long max()", 1, 11, "empty argument list"); // MCX-03
    refuse(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx906\"", 1, 16,
        "the text is for amdgcn-amd-amdhsa--gfx906, this assembly for amdgcn-amd-amdhsa--gfx900"); // ASM-31
}

// Each is an error, soon.
static void hostile_text_ends(void **state) {
    (void)state;
    static const char *const texts[] = {
        ".rept 1000000000000\n.endr\n.rept 100000000\n.byte 1\n.endr\n",
        ".rept 1000000\n.rept 1000000\n.endr\n.endr\n",
        ".fill 1000000000000, 8, 1\n",
        ".zero 0x7fffffffffffffff\n",
        ".org 0x7fffffffffffffff\n",
        ".macro m\nm\nm\n.endm\nm\n",
        ".macro m x\nm \\x\\x\n.endm\nm aaaaaaaaaaaaaaaa\n",
        ".macro a\n.macro",
        ".rept 3\n.rept 3\n",
        ".irp x, 1, 2\n",
        ".amdgpu_metadata\n---\n{{{{\n.end_amdgpu_metadata\n",
        ".amdhsa_kernel k\n",
        ".long 1 +\n",
        "/*",
        "'",
        "\"",
        ".p2align 31\n.byte 1\n.p2align 31\n",
    };
    struct first f;
    uint8_t *object;
    size_t size;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sw_status s = assemble(texts[i], strlen(texts[i]), &f, &object, &size);
        if (s == SW_OK) fail_msg("accepted: %s", texts[i]);
        assert_true(f.errors > 0);
    }
    size_t n = 1 << 20;
    char *text = malloc(n);
    static const char openers[] = "(-~!{[\"'";
    for (const char *c = openers; *c; c++) {
        memset(text, *c, n);
        memcpy(text, ".long ", 6);
        assert_int_not_equal(assemble(text, n, &f, &object, &size), SW_OK);
    }
    free(text);
}

// Names for names: doubling definitions take a step each, not exponential time.
static void doubling_symbols_end(void **state) {
    (void)state;
    char text[8192];
    size_t n = 0;
    for (int i = 63; i > 0; i--)
        n += (size_t)snprintf(text + n, sizeof text - n, ".set a%d, a%d + a%d\n", i, i - 1, i - 1);
    n += (size_t)snprintf(text + n, sizeof text - n, ".quad a63\n.set a0, 1\n");
    struct first f;
    uint8_t *object;
    size_t size;
    assert_int_equal(assemble(text, n, &f, &object, &size), SW_OK);
    static const uint8_t power[8] = {0, 0, 0, 0, 0, 0, 0, 0x80}; // 2 to the 63rd
    assert_non_null(memmem(object, size, power, sizeof power));
    sw_free(object);
}

static void object_is_readable(void **state) {
    (void)state;
    static const char text[] = ".globl f\n.type f,@function\nf: s_nop 0\ns_branch f2\nf2: s_endpgm\n"
                               ".section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel f\n.amdhsa_next_free_vgpr "
                               ".amdgcn.next_free_vgpr\n.amdhsa_next_free_sgpr 1\n.end_amdhsa_kernel\n";
    struct first f;
    uint8_t *object;
    size_t size, count;
    assert_int_equal(assemble(text, sizeof text - 1, &f, &object, &size), SW_OK);
    sw_object *o;
    assert_int_equal(sw_object_open(object, size, NULL, &o, NULL), SW_OK);
    count = sw_object_kernel_count(o);
    assert_int_equal(count, 1);
    assert_non_null(sw_object_find_symbol(o, "f.kd"));
    sw_object_close(o);
    sw_free(object);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_have_places),
        cmocka_unit_test(hostile_text_ends),
        cmocka_unit_test(doubling_symbols_end),
        cmocka_unit_test(object_is_readable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
