// SPDX-License-Identifier: MIT
// Wait states in compiled code, up to GFX9, where the hardware does not wait by itself: a reader of assembly
// that knows the distances of its own (TRAP-415 to TRAP-420) counts what lies between a writer and a reader
// that comes too soon. Then each s_nop is taken away: the reader must notice, so that none is there for
// nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "softwave/compiler.h"

static const char program[] =
    "declare i32 @llvm.amdgcn.workitem.id.x()\n"
    "declare i32 @llvm.amdgcn.readfirstlane.i32(i32)\n"
    "declare i32 @llvm.amdgcn.readlane.i32(i32, i32)\n"
    "declare float @llvm.sqrt.f32(float)\n"
    // A scalar load by an address that the vector unit made.
    "define amdgpu_kernel void @address(ptr addrspace(1) %o, ptr addrspace(4) %c, ptr addrspace(1) %a) {\n"
    "  %id = call i32 @llvm.amdgcn.workitem.id.x()\n"
    "  %p = getelementptr i32, ptr addrspace(1) %a, i32 %id\n  %v = load i32, ptr addrspace(1) %p\n"
    "  %s = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)\n"
    "  %q = getelementptr i32, ptr addrspace(4) %c, i32 %s\n  %x = load i32, ptr addrspace(4) %q\n"
    "  %w = add i32 %x, %v\n  store i32 %w, ptr addrspace(1) %p\n  ret void\n}\n"
    // A lane chosen by a lane.
    "define amdgpu_kernel void @lane(ptr addrspace(1) %o, ptr addrspace(1) %a) {\n"
    "  %id = call i32 @llvm.amdgcn.workitem.id.x()\n"
    "  %p = getelementptr i32, ptr addrspace(1) %a, i32 %id\n  %v = load i32, ptr addrspace(1) %p\n"
    "  %s = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)\n"
    "  %x = call i32 @llvm.amdgcn.readlane.i32(i32 %v, i32 %s)\n"
    "  store i32 %x, ptr addrspace(1) %p\n  ret void\n}\n"
    // Divisions, which end with v_div_fmas, and a square root.
    "define amdgpu_kernel void @divide(ptr addrspace(1) %o, ptr addrspace(1) %a) {\n"
    "  %id = call i32 @llvm.amdgcn.workitem.id.x()\n"
    "  %p = getelementptr float, ptr addrspace(1) %a, i32 %id\n  %q = getelementptr float, ptr addrspace(1) "
    "%o, i32 %id\n"
    "  %x = load float, ptr addrspace(1) %p\n  %y = load float, ptr addrspace(1) %q\n"
    "  %r = fdiv float %x, %y\n  %t = call float @llvm.sqrt.f32(float %r)\n"
    "  %d = fpext float %x to double\n  %e = fpext float %y to double\n  %f = fdiv double %d, %e\n"
    "  %g = fptrunc double %f to float\n  %h = fadd float %t, %g\n"
    "  store float %h, ptr addrspace(1) %p\n  ret void\n}\n"
    // Wide stores whose data is overwritten at once.
    "define amdgpu_kernel void @wide(ptr addrspace(1) %o, ptr addrspace(1) %a) {\n"
    "  %id = call i32 @llvm.amdgcn.workitem.id.x()\n"
    "  %p = getelementptr <4 x i32>, ptr addrspace(1) %a, i32 %id\n  %q = getelementptr <4 x i32>, ptr "
    "addrspace(1) %o, i32 %id\n"
    "  %v = load <4 x i32>, ptr addrspace(1) %p\n  store <4 x i32> %v, ptr addrspace(1) %q\n"
    "  %w = add <4 x i32> %v, <i32 1, i32 2, i32 3, i32 4>\n  store <4 x i32> %w, ptr addrspace(1) %p\n"
    "  %z = add <4 x i32> %v, <i32 5, i32 6, i32 7, i32 8>\n  store <4 x i32> %z, ptr addrspace(1) %q, align "
    "16\n  ret void\n}\n"
    // Buffers whose descriptor differs by lane.
    "declare ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1), i16, i64, i32)\n"
    "define amdgpu_kernel void @buffer(ptr addrspace(1) %o, ptr addrspace(1) %a) {\n"
    "  %id = call i32 @llvm.amdgcn.workitem.id.x()\n  %p = getelementptr i32, ptr addrspace(1) %a, i32 %id\n"
    "  %b = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %p, i16 0, i64 64, "
    "i32 0)\n"
    "  %v = load i32, ptr addrspace(7) %b\n  %q = getelementptr i32, ptr addrspace(7) %b, i32 %v\n"
    "  %w = load i32, ptr addrspace(7) %q\n  store i32 %w, ptr addrspace(7) %b\n  ret void\n}\n";
static const char *const kernels[] = {"address", "lane", "divide", "wide", "buffer"};

// ---- One line of assembly ----

enum { OPERANDS = 6, LINES = 1024, PLACES = 128 + 256 };
struct line {
    char name[48], operand[OPERANDS][48];
    int count;
};

static struct line read_line(const char *text, size_t n) {
    struct line l = {.count = 0};
    char copy[256];
    snprintf(copy, sizeof copy, "%.*s", (int)n, text);
    char *s = copy + strspn(copy, "\t ");
    const size_t name = strcspn(s, " \t");
    snprintf(l.name, sizeof l.name, "%.*s", (int)name, s);
    for (s += name; *s && l.count < OPERANDS; s += *s == ',') {
        s += strspn(s, " ");
        const size_t length = strcspn(s, ",");
        if (!length) break;
        snprintf(l.operand[l.count++], sizeof l.operand[0], "%.*s", (int)length, s);
        s += length;
    }
    return l;
}
static bool begins(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

// The registers that an operand names, as places: 0 to 127 scalars, then vectors. Returns their count.
static int places(const char *operand, int *first) {
    const char *s = operand + strspn(operand, "-|");
    unsigned a, b;
    if (begins(s, "vcc")) return *first = 106, 2;
    const int base = *s == 'v' ? 128 : 0;
    if (*s != 's' && *s != 'v') return 0;
    if (sscanf(s + 1, "[%u:%u]", &a, &b) == 2) return *first = base + (int)a, (int)(b - a + 1);
    if (sscanf(s + 1, "%u", &a) == 1) return *first = base + (int)a, 1;
    return 0;
}

// ---- The distances ----

struct clock {
    int valu_scalar[PLACES], wide[PLACES], trans[PLACES]; // wait states since
};
static char why[200];

static bool soon(const int *since, const char *operand, bool scalar, int distance, const char *what,
                 const char *name) {
    int first = 0;
    const int n = places(operand, &first);
    for (int p = first; p < first + n; p++)
        if ((p < 128) == scalar && since[p] < distance) {
            snprintf(why, sizeof why, "%s: %s reads or writes %s %d wait states behind, of %d", what, name,
                     operand, since[p], distance);
            return true;
        }
    return false;
}
static void touch(int *since, const char *operand, bool scalar, int states) {
    int first = 0;
    const int n = places(operand, &first);
    for (int p = first; p < first + n; p++)
        if ((p < 128) == scalar) since[p] = states;
}

static bool is_transcendental(const struct line *l) {
    static const char *const names[] = {"v_rcp", "v_rsq", "v_sqrt", "v_exp", "v_log", "v_sin", "v_cos"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins(l->name, names[i])) return true;
    return false;
}

// How many operands are results: some write a carry or a flag as well.
static int results(const struct line *l) {
    if (!begins(l->name, "v_") || begins(l->name, "v_writelane")) return begins(l->name, "v_") ? 1 : 0;
    const bool old_sum =
        (begins(l->name, "v_add") || begins(l->name, "v_sub")) && l->count > 3; // before GFX9
    return strstr(l->name, "_co_") || begins(l->name, "v_div_scale") || (old_sum && *l->operand[1] != 'v')
               ? 2
               : 1;
}

static bool check(const struct line *lines, int count, int generation, bool gfx942) {
    struct clock now;
    for (int p = 0; p < PLACES; p++) now.valu_scalar[p] = now.wide[p] = now.trans[p] = 100;
    for (int i = 0; i < count; i++) {
        const struct line *l = &lines[i];
        const bool valu = begins(l->name, "v_"), load = begins(l->name, "s_load"),
                   vmem =
                       begins(l->name, "buffer_") || begins(l->name, "flat_") || begins(l->name, "global_");
        const bool lane = begins(l->name, "v_readlane") || begins(l->name, "v_writelane");
        for (int k = 0; k < l->count; k++) {
            const bool source = k >= results(l) || vmem;
            if (vmem && soon(now.valu_scalar, l->operand[k], true, 5, "TRAP-416", l->name)) return false;
            if (load && k && generation == 6 &&
                soon(now.valu_scalar, l->operand[k], true, 4, "TRAP-415", l->name))
                return false;
            if (lane && k == 2 && soon(now.valu_scalar, l->operand[k], true, 4, "TRAP-416", l->name))
                return false;
            if (valu && source && gfx942 && !begins(l->name, "v_readlane") &&
                soon(now.valu_scalar, l->operand[k], true, 2, "HZ-VALU-SGPR-VALU", l->name))
                return false;
        }
        if (begins(l->name, "v_div_fmas") && soon(now.valu_scalar, "vcc", true, 4, "TRAP-416", l->name))
            return false;
        if (valu && l->count && generation >= 7 &&
            soon(now.wide, l->operand[0], false, gfx942 ? 2 : 1, "TRAP-420", l->name))
            return false;
        for (int k = 1; k < l->count && gfx942 && valu && !is_transcendental(l); k++)
            if (soon(now.trans, l->operand[k], false, 1, "HZ-TRANS-VALU", l->name)) return false;
        const int states =
            !strcmp(l->name, "s_nop") ? atoi(l->operand[0] + (begins(l->operand[0], "0x") ? 2 : 0)) + 1 : 1;
        for (int p = 0; p < PLACES; p++)
            now.valu_scalar[p] += states, now.wide[p] += states, now.trans[p] += states;
        if (valu)
            for (int k = 0; k < results(l) && k < l->count; k++)
                touch(now.valu_scalar, l->operand[k], true, 0);
        if (valu && is_transcendental(l)) touch(now.trans, l->operand[0], false, 0);
        if (begins(l->name, "s_") && l->count) // what a scalar instruction wrote is there
            touch(now.valu_scalar, l->operand[0], true, 100);
        if (vmem && strstr(l->name, "store") && (strstr(l->name, "x4") || strstr(l->name, "x3")))
            for (int k = 0; k < l->count; k++) {
                int first;
                if (places(l->operand[k], &first) > 2) touch(now.wide, l->operand[k], false, 0);
            }
    }
    return true;
}

// ---- The test ----

static char heard[512];
static void hear(void *context, const sw_diagnostic *d) {
    (void)context;
    if (d->severity == SW_ERROR) snprintf(heard, sizeof heard, "%s", d->message);
}
static const sw_sink sink = {hear, NULL};
static sw_compiler *compiler;

static int read_kernel(const char *assembly, const char *kernel, struct line *lines) {
    char label[64];
    int count = 0;
    snprintf(label, sizeof label, "\n%s:\n", kernel);
    const char *s = strstr(assembly, label);
    assert_non_null(s);
    for (s += strlen(label); count < LINES; s += strcspn(s, "\n") + 1) {
        if (*s == '.') continue; // a label
        lines[count] = read_line(s, strcspn(s, "\n"));
        if (!strcmp(lines[count++].name, "s_endpgm")) return count;
    }
    fail_msg("%s is long", kernel);
    return 0;
}

static void distances_are_kept(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int generation;
    } targets[] = {{"gfx600", 6}, {"gfx700", 7}, {"gfx803", 8}, {"gfx900", 9},
                   {"gfx908", 9}, {"gfx90a", 9}, {"gfx942", 9}};
    unsigned nops = 0, kept = 0;
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
        sw_compile_options o = {.size = sizeof o, .level = 2, .output = SW_COMPILE_TEXT, .verify = true};
        sw_target target;
        uint8_t *out;
        size_t size;
        assert_int_equal(sw_target_parse(targets[t].name, strlen(targets[t].name), &target, NULL), SW_OK);
        o.target = &target;
        const sw_status status = sw_compile(compiler, "t", program, strlen(program), &o, &out, &size, &sink);
        if (status == SW_UNSUPPORTED && strstr(heard, "libllvm22")) skip();
        if (status != SW_OK) fail_msg("%s: %s", targets[t].name, heard);
        const bool gfx942 = !strcmp(targets[t].name, "gfx942");
        for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
            static struct line lines[LINES];
            const int count = read_kernel((char *)out, kernels[k], lines);
            if (!check(lines, count, targets[t].generation, gfx942))
                fail_msg("%s %s: %s", targets[t].name, kernels[k], why);
            for (int i = 0; i < count; i++) {
                const struct line whole = lines[i];
                if (strcmp(whole.name, "s_nop")) continue;
                strcpy(lines[i].name, "nothing");
                memmove(lines + i, lines + i + 1, (size_t)(count - i - 1) * sizeof *lines);
                nops++;
                kept += check(lines, count - 1, targets[t].generation, gfx942);
                if (check(lines, count - 1, targets[t].generation, gfx942))
                    print_message("%s %s: s_nop in line %d is not missed\n", targets[t].name, kernels[k], i);
                memmove(lines + i + 1, lines + i, (size_t)(count - i - 1) * sizeof *lines);
                lines[i] = whole;
            }
        }
        sw_compile_free(out);
    }
    print_message("%u s_nop\n", nops);
    assert_true(nops > 10);
    assert_int_equal(kept, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances_are_kept)};
    if (sw_compiler_open(NULL, &sink, &compiler) != SW_OK) return 1;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    sw_compiler_close(compiler);
    return failures;
}
