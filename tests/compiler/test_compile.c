// SPDX-License-Identifier: MIT
// The compiler's interface in one process: an error in one module leaves it usable for the next, options are
// checked, stages are named, and changed .swir text is compiled or refused, never more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <dlfcn.h>
#include <string.h>

#include <cmocka.h>

#include "softwave/compiler.h"

static char heard[512];
static void hear(void *context, const sw_diagnostic *d) {
    (void)context;
    if (d->severity == SW_SEVERITY_ERROR) snprintf(heard, sizeof heard, "%s", d->message);
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
    sw_free(out);
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
        {"define void @k(ptr %p) {\n  %r = call i32 %p(ptr swiftself null)\n  ret void\n}\n", SW_UNSUPPORTED,
         "an argument that is passed in this way"},
        {"define amdgpu_kernel void @k() {\n  call void asm sideeffect \"s_nop 0\", \"\"()\n  ret void\n}\n",
         SW_OK, ""},
        {"define amdgpu_kernel void @k() {\n  call void asm sideeffect \"s_nop 0\\0A  v_nonsense 0\", "
         "\"\"()\n  "
         "ret void\n}\n",
         SW_BAD_INPUT,
         "function @k: inline assembly, line 2, column 3: gfx90a has no instruction 'v_nonsense'"},
        {"define amdgpu_kernel void @k() {\n  call void asm sideeffect \".nonsense\", \"\"()\n  ret "
         "void\n}\n",
         SW_BAD_INPUT, "inline assembly, line 1, column 1"},
        {"define amdgpu_kernel void @k() {\n  call void asm sideeffect \"s_nop 0\", \"~{ttmp7}\"()\n  ret "
         "void\n}\n",
         SW_UNSUPPORTED, "inline assembly with a register of this name is not supported"},
        {"define amdgpu_kernel void @k() {\n  call void asm sideeffect \"s_nop $0\", \"I\"(i32 65)\n  ret "
         "void\n}\n",
         SW_UNSUPPORTED, "a value that constraint 'I' of inline assembly does not allow"},
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
        sw_free(out);
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
        sw_free(out);
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

// Functions that call each other, and through an address.
static const char calling[] =
    "module triple \"amdgcn-amd-amdhsa\" target \"gfx90a\" version 6 after read\n"
    "symbol @f defined local\n"
    "symbol @k defined\n"
    "\n"
    "function @f { wave 64; stack 4; }\n"
    "  arg %0:i32 offset 0 size 0 align 0\n"
    "  arg %1:f32 offset 0 size 0 align 0\n"
    "  arg %2:i16 offset 0 size 0 align 0 passed 4\n"
    "  arg %3:i32 offset 0 size 0 align 0 passed 3106\n"
    "b0:\n"
    "  %4:i32 = frame_base\n"
    "  %5:i32 = add %4, 0:i32\n"
    "  store %0, %5, 0 [private, bytes 4, align 4, volatile]\n"
    "  %6:i64 = zext %0\n"
    "  %7:i32 = trunc %6\n"
    "  %8:i32 = mul %7, 4:i32\n"
    "  %9:i32 = alloca %8 [private, bytes 0, align 4]\n"
    "  store 7:i32, %9, 0 [private, bytes 4, align 4, volatile]\n"
    "  %10:i32 = load %3, 0 [private, bytes 4, align 4, volatile]\n"
    "  %11:i64 = zext %10\n"
    "  %12:i64 = sext %2\n"
    "  %13:i64 = add.nsw %11, %12\n"
    "  %14:i32 = workitem_id_x\n"
    "  %15:i1 = ult %14, %0\n"
    "  branch %15, b1, b2\n"
    "b1:\n"
    "  %16:i32 = add %0, -1:i32\n"
    "  %17:i64, %18:f32 = call.convergent @f, 0, %16, 0, %1, 0, %2, 3106, %3\n"
    "  jump b2\n"
    "b2:\n"
    "  %19:i64 = phi b0, %13, b1, %17\n"
    "  return %19, %1\n"
    "\n"
    "kernel @k { wave 64; kernarg_bytes 24; kernarg_align 8; stack 12; }\n"
    "  arg %0:i64 offset 0 size 8 align 8 space 1 kind \"global_buffer\" name \"o\"\n"
    "  arg %1:f32 offset 8 size 4 align 4 kind \"by_value\" name \"x\"\n"
    "  arg %2:i32 offset 12 size 4 align 4 kind \"by_value\" name \"n\"\n"
    "  arg %3:i64 offset 16 size 8 align 8 kind \"global_buffer\" name \"g\"\n"
    "b0:\n"
    "  store 3:i32, 0:i32, 0 [private, bytes 4, align 4, volatile]\n"
    "  %4:i64, %5:f32 = call.convergent @f, 0, %2, 0, %1, 0, 5:i16, 3106, 0:i32\n"
    "  %6:f32 = call.convergent %3, 0, %5\n"
    "  store %4, %0, 0 [global, bytes 8, align 4]\n"
    "  %7:i64 = add %0, 8:i64\n"
    "  store %6, %7, 0 [global, bytes 4, align 4]\n"
    "  return\n";

static uint64_t random_state = 1;
static uint32_t number(uint32_t below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % below;
}

static void changed_text(void **state) {
    (void)state;
    static const char *const words[] = {
        "%3",    "%12",      "i64",        "i1",      "i8",         "f64",  "4xi32", "b1",         "b2",
        "0:i32", "64:i64",   "poison:f32", "generic", "load",       "udiv", "fma",   "ult",        "copy",
        "trunc", "fneg",     "1",          "33",      "99",         "@f",   "call",  "frame_base", "alloca",
        "-7",    "call_gfx", "tail_call",  "chain",   "convention", "trap"};
    const char *seed = getenv("SEED"), *rounds = getenv("ROUNDS");
    if (seed) random_state = strtoull(seed, NULL, 10);
    unsigned compiled = 0, refused = 0;
    for (int round = rounds ? atoi(rounds) : 4000; round > 0; round--) {
        char text[sizeof calling + sizeof program + 64];
        const char *whole = round % 2 ? program : calling;
        size_t n = strlen(whole);
        memcpy(text, whole, n + 1);
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
        sw_free(out);
    }
    if (compiled < 20 || !refused) fail_msg("%u compiled, %u refused", compiled, refused);
}

// A module that is LLVM's already gives what its text gives, and stays as it is.
static void modules(void **state) {
    (void)state;
    static const char text[] =
        "define i32 @twice(i32 %x) {\n  %y = shl i32 %x, 1\n  ret i32 %y\n}\n"
        "define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {\n  %a = alloca i32, addrspace(5)\n"
        "  %m = mul i32 %n, 3\n  store i32 %m, ptr addrspace(5) %a\n"
        "  %v = load i32, ptr addrspace(5) %a\n  store i32 %v, ptr addrspace(1) %p\n  ret void\n}\n"
        "define amdgpu_kernel void @0(ptr addrspace(1) %p) {\n  ret void\n}\n";
    if (!has_llvm()) skip();
    void *library = NULL;
    for (int minor = 1; minor >= 0 && !library; minor--) {
        char name[32];
        snprintf(name, sizeof name, "libLLVM.so.22.%d", minor);
        library = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
    }
    if (!library) skip(); // another one, by SOFTWAVE_LLVM
    void *(*create)(void) = NULL;
    void *(*buffer)(const char *, size_t, const char *) = NULL;
    int (*parse)(void *, void *, void **, char **) = NULL;
    char *(*print)(void *) = NULL;
    void (*free_text)(char *) = NULL, (*free_module)(void *) = NULL, (*free_context)(void *) = NULL;
    *(void **)&create = dlsym(library, "LLVMContextCreate");
    *(void **)&buffer = dlsym(library, "LLVMCreateMemoryBufferWithMemoryRangeCopy");
    *(void **)&parse = dlsym(library, "LLVMParseIRInContext");
    *(void **)&print = dlsym(library, "LLVMPrintModuleToString");
    *(void **)&free_text = dlsym(library, "LLVMDisposeMessage");
    *(void **)&free_module = dlsym(library, "LLVMDisposeModule");
    *(void **)&free_context = dlsym(library, "LLVMContextDispose");
    void *context = create(), *module = NULL;
    char *message = NULL;
    assert_int_equal(parse(context, buffer(text, strlen(text), "t"), &module, &message), 0);
    char *before = print(module);
    sw_target target;
    assert_int_equal(sw_target_parse("gfx1100", 7, &target, NULL), SW_OK);
    for (unsigned level = 0; level <= 2; level += 2) {
        const char *kernels[] = {"k"};
        sw_compile_options o = {.size = sizeof o,
                                .level = level,
                                .target = &target,
                                .output = SW_COMPILE_LOADABLE,
                                .kernels = kernels,
                                .kernel_count = 1};
        uint8_t *of_text, *of_module;
        size_t text_size, module_size;
        assert_int_equal(sw_compile(compiler, "module", text, strlen(text), &o, &of_text, &text_size, &sink),
                         SW_OK);
        assert_int_equal(sw_compile_llvm_module(compiler, module, &o, &of_module, &module_size, &sink),
                         SW_OK);
        assert_int_equal(text_size, module_size);
        assert_memory_equal(of_text, of_module, text_size);
        sw_free(of_text);
        sw_free(of_module);
        // What is refused of a module leaves it as well.
        o.llvm_passes = "no-such-pass";
        assert_int_equal(sw_compile_llvm_module(compiler, module, &o, &of_module, &module_size, &sink),
                         SW_USAGE);
        assert_non_null(strstr(heard, "no-such-pass"));
    }
    char *after = print(module);
    assert_string_equal(before, after);
    free_text(before);
    free_text(after);
    free_module(module);
    free_context(context);
    dlclose(library);
}

static char all[2][8192];
static void hear_all(void *context, const sw_diagnostic *d) {
    char *to = context;
    snprintf(to + strlen(to), sizeof all[0] - strlen(to), "%s\n", d->message);
}

// Code and messages of several threads are those of one, in the same order.
static void threads(void **state) {
    (void)state;
    for (unsigned refuse = 0; refuse < 2; refuse++) {
        char text[16384] = "module target \"gfx90a\" version 6 after read\n";
        for (unsigned n = 0; n < 60; n++) {
            const size_t at = strlen(text);
            const unsigned bits = n % 33 + 1; // types that no function before has
            snprintf(text + at, sizeof text - at,
                     "kernel @k%u { wave 64; kernarg_bytes 8; kernarg_align 8; }\n"
                     "  arg %%0:i64 offset 0 size 8 align 8 kind \"global_buffer\"\nb0:\n"
                     "  %%1:i32 = workitem_id_x\n  %%2:i%u = trunc %%1\n  %%3:i64 = sext %%2\n"
                     "  store %%3, %%0, 0 [global, bytes 8, align 8]\n%s  return\n",
                     n, bits < 32 ? bits : 31, refuse && n % 7 == 3 ? "  sleep 1:i32\n" : "");
        }
        uint8_t *out[2];
        size_t size[2];
        for (unsigned several = 0; several < 2; several++) {
            sw_compile_options o = {.size = sizeof o,
                                    .level = 2,
                                    .output = SW_COMPILE_TEXT,
                                    .verify = true,
                                    .threads = several ? 8 : 1};
            const sw_sink to = {hear_all, all[several]};
            *all[several] = 0;
            assert_int_equal(
                sw_compile(compiler, "t", text, strlen(text), &o, &out[several], &size[several], &to),
                refuse ? SW_UNSUPPORTED : SW_OK);
        }
        assert_string_equal(all[0], all[1]);
        if (refuse) {
            assert_non_null(strstr(all[0], "@k59"));
            continue;
        }
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(out[0], out[1], size[0]);
        sw_free(out[0]);
        sw_free(out[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(errors_leave_it_usable),
        cmocka_unit_test(modules),
        cmocka_unit_test(threads),
        cmocka_unit_test(changed_text),
    };
    if (sw_compiler_open(NULL, &compiler, NULL) != SW_OK) return 1;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    sw_compiler_close(compiler);
    return failures;
}
