// SPDX-License-Identifier: MIT
// The compiler's interface in one process: an error in one module leaves it usable for the next, options are
// checked, stages are named, and changed .swir text is compiled or refused, never more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "softwave/compiler.h"

static char heard[512];
static void hear(void *context, const sw_diagnostic *d) {
    (void)context;
    if (d->severity == SW_ERROR) snprintf(heard, sizeof heard, "%s", d->message);
}
static const sw_sink sink = {hear, NULL};

static sw_compiler *compiler;

static sw_status compile(const char *text, const char *target, sw_compile_output output, uint8_t **out,
                         size_t *size) {
    sw_compile_options o = {.size = sizeof o, .level = 2, .output = output, .verify = true};
    sw_target t;
    if (target) {
        assert_int_equal(sw_target_parse(target, strlen(target), &t, NULL), SW_OK);
        o.target = &t;
    }
    *heard = 0;
    return sw_compile(compiler, "t", text, strlen(text), &o, out, size, &sink);
}

static const char good_ll[] = "define amdgpu_kernel void @k(ptr addrspace(1) %p) {\n  store i32 7, ptr "
                              "addrspace(1) %p\n  ret void\n}\n";

static bool has_llvm(void) {
    uint8_t *out;
    size_t size;
    const sw_status status = compile(good_ll, "gfx90a", SW_COMPILE_OBJECT, &out, &size);
    sw_compile_free(out);
    if (status == SW_UNSUPPORTED && strstr(heard, "libllvm22")) return false;
    if (status != SW_OK) fail_msg("%s", heard);
    return true;
}

// LLVM refuses, we refuse, and both go on with the next module.
static void errors_leave_it_usable(void **state) {
    (void)state;
    static const struct {
        const char *text;
        sw_status status;
        const char *message;
    } cases[] = {
        {"define void @k() {\n  %a = add i32 1, %b\n  ret void\n}\n", SW_BAD_INPUT, "use of undefined value"},
        {"define amdgpu_kernel void @k(ptr %p) {\n  call void %p()\n  ret void\n}\n", SW_UNSUPPORTED,
         "an indirect call"},
        {"define amdgpu_kernel void @k() {\n  call void asm sideeffect \"s_nop 0\", \"\"()\n  ret void\n}\n",
         SW_UNSUPPORTED, "inline assembly"},
        {"BC\xc0\xde nothing", SW_BAD_INPUT, ""},
        {"", SW_OK, ""},
    };
    if (!has_llvm()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t *out;
        size_t size;
        const sw_status status = compile(cases[i].text, "gfx90a", SW_COMPILE_OBJECT, &out, &size);
        if (status != cases[i].status || !strstr(heard, cases[i].message))
            fail_msg("%zu: %d: %s", i, (int)status, heard);
        assert_true((status == SW_OK) == (out != NULL));
        sw_compile_free(out);
        assert_true(has_llvm());
    }
}

static void options_are_checked(void **state) {
    (void)state;
    static const char text[] =
        "module target \"gfx90a\" version 6 after read\nkernel @k { wave 64; }\nb0:\n  return\n";
    sw_compile_options o = {.size = sizeof o, .until = "nonsense"};
    uint8_t *out;
    size_t size;
    assert_int_equal(sw_compile(compiler, "t", text, strlen(text), &o, &out, &size, &sink), SW_USAGE);
    assert_string_equal(heard, "until: no stage 'nonsense'");
    assert_null(out);
    o.size = 3;
    assert_int_equal(sw_compile(compiler, "t", text, strlen(text), &o, &out, &size, &sink), SW_USAGE);
    assert_string_equal(sw_compile_stage_name(0), "read");
    assert_null(sw_compile_stage_name(sw_compile_stage_count()));
    // Each stage can be the last one.
    for (size_t i = 0; i < sw_compile_stage_count(); i++) {
        o = (sw_compile_options){
            .size = sizeof o, .until = sw_compile_stage_name(i), .output = SW_COMPILE_IR};
        assert_int_equal(sw_compile(compiler, "t", text, strlen(text), &o, &out, &size, &sink), SW_OK);
        assert_non_null(strstr((const char *)out, sw_compile_stage_name(i)));
        sw_compile_free(out);
    }
}

static const char program[] = "module triple \"amdgcn-amd-amdhsa\" target \"gfx90a\" version 5 after read\n"
                              "kernel @k { wave 64; block_max 256; kernarg_bytes 20; kernarg_align 8; }\n"
                              "  arg %0:i64 offset 0 size 8 align 8 space 1 kind \"global_buffer\"\n"
                              "  arg %1:f32 offset 8 size 4 align 4 kind \"by_value\"\n"
                              "  arg %2:i32 offset 12 size 4 align 4 kind \"by_value\"\n"
                              "b0:\n"
                              "  %3:i32 = workitem_id_x\n"
                              "  %4:i64 = zext.nneg %3\n"
                              "  %5:i64 = shl %4, 4:i64\n"
                              "  %6:i64 = add %0, %5\n"
                              "  %7:4xf32 = load %6, 0 [global, bytes 16, align 16]\n"
                              "  %8:f32 = extract %7, 2:i32\n"
                              "  %9:i1 = slt %3, 70:i32\n"
                              "  jump b1\n"
                              "b1:\n"
                              "  %10:i32 = phi b0, 0:i32, b1, %13\n"
                              "  %11:f32 = phi b0, %8, b1, %12\n"
                              "  %12:f32 = fmuladd %11, %1, %8\n"
                              "  %13:i32 = add %10, 1:i32\n"
                              "  %14:i1 = ult %13, %2\n"
                              "  branch %14, b1, b2\n"
                              "b2:\n"
                              "  %15:i32 = bitcast %12\n"
                              "  %16:i32 = select %9, %15, %13\n"
                              "  %17:i64 = sext %16\n"
                              "  %18:i64 = mul %17, 0x123456789:i64\n"
                              "  store %18, %6, 8 [global, bytes 8, align 8]\n"
                              "  return\n";

static uint64_t random_state = 1;
static uint32_t number(uint32_t below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % below;
}

static void changed_text(void **state) {
    (void)state;
    static const char *const words[] = {"%3",      "%12",  "i64",  "i1",    "i8",     "f64",
                                        "4xi32",   "b1",   "b2",   "0:i32", "64:i64", "poison:f32",
                                        "generic", "load", "udiv", "fma",   "ult",    "copy",
                                        "trunc",   "fneg", "1",    "33",    "99"};
    const char *seed = getenv("SEED"), *rounds = getenv("ROUNDS");
    if (seed) random_state = strtoull(seed, NULL, 10);
    unsigned compiled = 0, refused = 0;
    for (int round = rounds ? atoi(rounds) : 4000; round > 0; round--) {
        char text[sizeof program + 64];
        size_t n = strlen(program);
        memcpy(text, program, n + 1);
        for (uint32_t k = 1 + number(2); k; k--) {
            // A word of the text becomes another one.
            size_t at = number((uint32_t)n), end;
            while (at && text[at - 1] != ' ') at--;
            end = at + strcspn(text + at, " ,\n");
            const char *w = words[number(sizeof words / sizeof *words)];
            if (n - (end - at) + strlen(w) >= sizeof text) continue;
            memmove(text + at + strlen(w), text + end, n - end + 1);
            memcpy(text + at, w, strlen(w));
            n = n - (end - at) + strlen(w);
        }
        uint8_t *out;
        size_t size;
        const sw_status status = compile(text, NULL, SW_COMPILE_LOADABLE, &out, &size);
        if (status == SW_CHECK) fail_msg("%s\n%s", heard, text); // a pass left a wrong program
        compiled += status == SW_OK;
        refused += status == SW_UNSUPPORTED;
        sw_compile_free(out);
    }
    if (compiled < 20 || refused < 5) fail_msg("%u compiled, %u refused", compiled, refused);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(errors_leave_it_usable),
        cmocka_unit_test(changed_text),
    };
    if (sw_compiler_open(NULL, NULL, &compiler) != SW_OK) return 1;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    sw_compiler_close(compiler);
    return failures;
}
