// SPDX-License-Identifier: MIT
// Wait states in compiled code, up to GFX9, where the hardware does not wait by itself: a reader of assembly
// that knows the distances of its own (TRAP-415 to TRAP-420) counts what lies between a writer and a reader
// that comes too soon. Then each s_nop is taken away: the reader must notice, so that none is there for
// nothing. The same of matrix operations, the longest of each kind
// (HZ908-MFMA-ACCREAD, HZ90A-MFMA-VALU, HZ942-MFMA-MEM, HZ950-MFMA-AB and their kin), of those with a sparse
// factor, and of those of GFX11 and GFX12 (HZ11-WMMA-AB).
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
    // A lane chosen by a lane, to be written.
    "declare i32 @llvm.amdgcn.writelane.i32(i32, i32, i32)\n"
    "define amdgpu_kernel void @write(ptr addrspace(1) %o, ptr addrspace(1) %a) {\n"
    "  %id = call i32 @llvm.amdgcn.workitem.id.x()\n"
    "  %p = getelementptr i32, ptr addrspace(1) %a, i32 %id\n  %v = load i32, ptr addrspace(1) %p\n"
    "  %s = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)\n"
    "  %x = call i32 @llvm.amdgcn.writelane.i32(i32 7, i32 %s, i32 %v)\n"
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
static const char *const kernels[] = {"address", "lane", "write", "divide", "wide", "buffer"};
// Dot products that the vector unit, memory and another one read, which is written over.
static const char dot_program[] =
    "declare i32 @llvm.amdgcn.workitem.id.x()\n"
    "declare i32 @llvm.amdgcn.sdot4(i32, i32, i32, i1)\n"
    "declare i32 @llvm.amdgcn.udot4(i32, i32, i32, i1)\n"
    "define amdgpu_kernel void @dot(ptr addrspace(1) %o, ptr addrspace(1) %a) {\n"
    "  %id = call i32 @llvm.amdgcn.workitem.id.x()\n"
    "  %p = getelementptr i32, ptr addrspace(1) %a, i32 %id\n  %q = getelementptr i32, ptr addrspace(1) %o, "
    "i32 %id\n"
    "  %v = load i32, ptr addrspace(1) %p\n  %w = load i32, ptr addrspace(1) %q\n"
    "  %d = call i32 @llvm.amdgcn.sdot4(i32 %v, i32 %w, i32 7, i1 false)\n  %x = xor i32 %d, %w\n"
    "  store i32 %x, ptr addrspace(1) %p\n"
    "  %e = call i32 @llvm.amdgcn.sdot4(i32 %w, i32 %v, i32 9, i1 false)\n"
    "  store i32 %e, ptr addrspace(1) %q\n"
    "  %f = call i32 @llvm.amdgcn.udot4(i32 %w, i32 %e, i32 5, i1 false)\n"
    "  store i32 %f, ptr addrspace(1) %p\n  ret void\n}\n";

// ---- One line of assembly ----

enum { OPERANDS = 6, LINES = 1024, PLACES = 128 + 256 + 256 };
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

// The registers that an operand names, as places: 0 to 127 scalars, then vectors, then accumulation
// registers. Returns their count.
static int places(const char *operand, int *first) {
    const char *s = operand + strspn(operand, "-|");
    unsigned a, b;
    if (begins(s, "vcc")) return *first = 106, 2;
    const int base = *s == 'v' ? 128 : *s == 'a' ? 128 + 256 : 0;
    if (*s != 's' && *s != 'v' && *s != 'a') return 0;
    if (sscanf(s + 1, "[%u:%u]", &a, &b) == 2) return *first = base + (int)a, (int)(b - a + 1);
    if (sscanf(s + 1, "%u", &a) == 1) return *first = base + (int)a, 1;
    return 0;
}

// ---- The distances ----

struct clock {
    int valu_scalar[PLACES], wide[PLACES], trans[PLACES], dot[PLACES]; // wait states since
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

static bool check(const struct line *lines, int count, int generation, bool gfx942, bool dots_wait) {
    struct clock now;
    for (int p = 0; p < PLACES; p++) now.valu_scalar[p] = now.wide[p] = now.trans[p] = now.dot[p] = 100;
    for (int i = 0; i < count; i++) {
        const struct line *l = &lines[i];
        const bool valu = begins(l->name, "v_"), load = begins(l->name, "s_load"),
                   vmem =
                       begins(l->name, "buffer_") || begins(l->name, "flat_") || begins(l->name, "global_");
        const bool lane = begins(l->name, "v_readlane") || begins(l->name, "v_writelane");
        for (int k = 0; k < l->count; k++) {
            const bool source = k >= results(l) || vmem;
            if (dots_wait && (valu || vmem) && soon(now.dot, l->operand[k], false, 3, "HZ-DOT-VALU", l->name))
                return false;
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
            now.valu_scalar[p] += states, now.wide[p] += states, now.trans[p] += states, now.dot[p] += states;
        if (valu)
            for (int k = 0; k < results(l) && k < l->count; k++)
                touch(now.valu_scalar, l->operand[k], true, 0);
        if (valu && is_transcendental(l)) touch(now.trans, l->operand[0], false, 0);
        if (begins(l->name, "v_dot")) touch(now.dot, l->operand[0], false, 0);
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

// ---- Matrix operations ----

// What is kept behind one of them: until its result is a factor of the next, is read by the vector unit, by
// memory, is written by the vector unit; until its third source is written.
enum { FACTOR, VALU_READS, MEMORY_READS, VALU_WRITES, SUM_WRITTEN, DISTANCES };
static const struct matrix_target {
    char name[8];
    // 32x32x1 f32, 32x32x4 f16, 16x16x4 f64, and with a sparse factor 32x32x16 f16
    int single[DISTANCES], half[DISTANCES], wide[DISTANCES], sparse[DISTANCES];
} matrix_targets[] = {
    {"gfx908", {4, 18, 18, 15, 13}, {4, 18, 18, 15, 13}, {0}, {0}},
    {"gfx90a", {19, 19, 19, 19, 15}, {19, 19, 19, 19, 15}, {11, 11, 18, 11, 0}, {0}},
    {"gfx942", {18, 18, 18, 18, 0}, {19, 19, 19, 19, 15}, {11, 11, 18, 11, 0}, {11, 11, 11, 11, 0}},
    {"gfx950", {18, 18, 18, 18, 0}, {20, 20, 20, 20, 15}, {19, 19, 18, 19, 0}, {12, 12, 12, 12, 0}},
};

#define F32 "<32 x float> @llvm.amdgcn.mfma.f32.32x32x1f32(float "
#define F16 "<32 x float> @llvm.amdgcn.mfma.f32.32x32x4f16(<4 x half> "
static const char matrix_program[] =
    "declare i32 @llvm.amdgcn.workitem.id.x()\n"
    "define amdgpu_kernel void @read(ptr addrspace(1) %o, float %a, float %b, <32 x float> %c) #0 {\n"
    "  %r = call " F32 "%a, float %b, <32 x float> %c, i32 0, i32 0, i32 0)\n"
    "  %e = extractelement <32 x float> %r, i32 3\n  %f = fadd float %e, 1.0\n"
    "  store float %f, ptr addrspace(1) %o\n  ret void\n}\n"
    "define amdgpu_kernel void @store(ptr addrspace(1) %o, <4 x half> %a, <4 x half> %b, <32 x float> %c) #0 "
    "{\n"
    "  %r = call " F16 "%a, <4 x half> %b, <32 x float> %c, i32 0, i32 0, i32 0)\n"
    "  store <32 x float> %r, ptr addrspace(1) %o\n  ret void\n}\n"
    "define amdgpu_kernel void @factor(ptr addrspace(1) %o, float %a, float %b, <32 x float> %c) #0 {\n"
    "  %r = call " F32 "%a, float %b, <32 x float> %c, i32 0, i32 0, i32 0)\n"
    "  %e = extractelement <32 x float> %r, i32 3\n"
    "  %s = call " F32 "%e, float %b, <32 x float> %c, i32 0, i32 0, i32 0)\n"
    "  store <32 x float> %s, ptr addrspace(1) %o\n  ret void\n}\n"
    "define amdgpu_kernel void @beside(ptr addrspace(1) %o, ptr addrspace(1) %p, <4 x half> %a, <4 x half> "
    "%b) #0 {\n"
    "  %id = call i32 @llvm.amdgcn.workitem.id.x()\n  %q = getelementptr float, ptr addrspace(1) %p, i32 "
    "%id\n"
    "  %c = load <32 x float>, ptr addrspace(1) %q\n"
    "  %r = call " F16 "%a, <4 x half> %b, <32 x float> %c, i32 0, i32 0, i32 0)\n"
    "  %x = mul i32 %id, 77\n  %y = add i32 %x, 5\n  %z = mul i32 %y, %y\n"
    "  store volatile i32 %z, ptr addrspace(1) %p\n  %w = xor i32 %z, %y\n"
    "  store volatile i32 %w, ptr addrspace(1) %p\n  store <32 x float> %r, ptr addrspace(1) %o\n"
    "  ret void\n}\n";
static const char wide_program[] =
    "define amdgpu_kernel void @wide(ptr addrspace(1) %o, double %a, double %b, <4 x double> %c) #0 {\n"
    "  %r = call <4 x double> @llvm.amdgcn.mfma.f64.16x16x4f64(double %a, double %b, <4 x double> %c, i32 0, "
    "i32 0, i32 0)\n  store <4 x double> %r, ptr addrspace(1) %o\n  ret void\n}\n";
// Results of sparse operations are read by memory, by the vector unit, as a factor, as an index.
#define SPARSE                                                                                               \
    "call <16 x float> @llvm.amdgcn.smfmac.f32.32x32x16.f16(<4 x half> %a, <8 x half> %b, <16 x float> %c, " \
    "i32 "
static const char sparse_program[] =
    "define amdgpu_kernel void @sparse(ptr addrspace(1) %o, <4 x half> %a, <8 x half> %b, <16 x float> %c, "
    "i32 %i) #0 {\n  %r = " SPARSE "%i, i32 0, i32 0)\n"
    "  store <16 x float> %r, ptr addrspace(1) %o\n  ret void\n}\n"
    "define amdgpu_kernel void @sparse_read(ptr addrspace(1) %o, <4 x half> %a, <8 x half> %b, <16 x float> "
    "%c, "
    "i32 %i) #0 {\n  %r = " SPARSE "%i, i32 0, i32 0)\n"
    "  %e = extractelement <16 x float> %r, i32 3\n  %f = fadd float %e, 1.0\n"
    "  store float %f, ptr addrspace(1) %o\n  ret void\n}\n"
    "define amdgpu_kernel void @sparse_index(ptr addrspace(1) %o, <4 x half> %a, <8 x half> %b, <16 x float> "
    "%c, i32 %i) #0 {\n  %r = " SPARSE "%i, i32 0, i32 0)\n"
    "  %e = extractelement <16 x float> %r, i32 3\n  %j = bitcast float %e to i32\n  %s = " SPARSE
    "%j, i32 0, i32 0)\n  store <16 x float> %s, ptr addrspace(1) %o\n  ret void\n}\n";
static const char *const sparse_kernels[] = {"sparse", "sparse_read", "sparse_index"};
static const char *const matrix_kernels[] = {"read", "store", "factor", "beside", "wide"};

static const int *kept_behind(const struct matrix_target *t, const struct line *l) {
    if (begins(l->name, "v_smfmac")) return t->sparse;
    if (!begins(l->name, "v_mfma")) return NULL;
    return strstr(l->name, "f64") ? t->wide : strstr(l->name, "f16") ? t->half : t->single;
}

// Per place: how long ago a matrix operation wrote it or took it as its sum, and what that asks for; how long
// ago the vector unit wrote it.
struct matrix_clock {
    int written[PLACES], summed[PLACES], valu[PLACES], acc[PLACES];
    const int *by[PLACES], *sum_of[PLACES];
};

static bool too_soon(const struct matrix_clock *now, const char *operand, int what, const char *name) {
    int first = 0;
    const int n = places(operand, &first);
    for (int p = first; p < first + n; p++) {
        const int *by = what == SUM_WRITTEN ? now->sum_of[p] : now->by[p];
        const int since = what == SUM_WRITTEN ? now->summed[p] : now->written[p];
        if (!by || since >= by[what]) continue;
        snprintf(why, sizeof why, "%s takes %s %d wait states behind, of %d", name, operand, since, by[what]);
        return true;
    }
    return false;
}

static bool operand_too_soon(const struct matrix_clock *now, const struct line *l, int k, bool matrix,
                             bool memory) {
    const char *o = l->operand[k];
    const bool sparse = begins(l->name, "v_smfmac"); // its third source is an index
    const bool factor = k == 1 || k == 2 || (k == 3 && sparse), source = k >= 1;
    if (memory) return too_soon(now, o, MEMORY_READS, l->name);
    if (matrix && !source) return false;
    if (matrix)
        return (factor && too_soon(now, o, FACTOR, l->name)) ||
               soon(now->valu, o, false, 2, "HZ90A-VALU-MFMA", l->name) ||
               soon(now->acc, o, false, factor ? 3 : 1, "HZ908-ACCWRITE-MFMA", l->name);
    if (source) return too_soon(now, o, VALU_READS, l->name);
    return too_soon(now, o, VALU_WRITES, l->name) || too_soon(now, o, SUM_WRITTEN, l->name);
}

static bool check_matrix(const struct matrix_target *t, const struct line *lines, int count) {
    static struct matrix_clock now;
    for (int p = 0; p < PLACES; p++) {
        now.written[p] = now.summed[p] = now.valu[p] = now.acc[p] = 100;
        now.by[p] = now.sum_of[p] = NULL;
    }
    for (int i = 0; i < count; i++) {
        const struct line *l = &lines[i];
        const int *matrix = kept_behind(t, l);
        const bool valu = begins(l->name, "v_") && !matrix, acc = begins(l->name, "v_accvgpr_write");
        const bool memory =
            begins(l->name, "buffer_") || begins(l->name, "flat_") || begins(l->name, "global_");
        int first = 0;
        for (int k = 0; k < l->count && (valu || matrix || memory); k++)
            if (operand_too_soon(&now, l, k, matrix, memory)) return false;
        const int states =
            !strcmp(l->name, "s_nop") ? atoi(l->operand[0] + (begins(l->operand[0], "0x") ? 2 : 0)) + 1 : 1;
        for (int p = 0; p < PLACES; p++)
            now.written[p] += states, now.summed[p] += states, now.valu[p] += states, now.acc[p] += states;
        for (int p = 0, n = l->count && (valu || matrix) ? places(l->operand[0], &first) : 0; p < n; p++) {
            now.by[first + p] = matrix, now.written[first + p] = 0;
            if (valu && !acc) now.valu[first + p] = 0;
            if (acc) now.acc[first + p] = 0;
        }
        const bool sum = matrix && !begins(l->name, "v_smfmac");
        for (int p = 0, n = sum ? places(l->operand[3], &first) : 0; p < n; p++)
            now.sum_of[first + p] = matrix, now.summed[first + p] = 0;
    }
    return true;
}

// ---- The tests ----

static char heard[512];
static void hear(void *context, const sw_diagnostic *d) {
    (void)context;
    if (d->severity == SW_SEVERITY_ERROR) snprintf(heard, sizeof heard, "%s", d->message);
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

static uint8_t *compiled(const char *name, const char *text) {
    sw_compile_options o = {.size = sizeof o, .level = 2, .output = SW_COMPILE_TEXT, .verify = true};
    sw_target target;
    uint8_t *out;
    size_t size;
    assert_int_equal(sw_target_parse(name, strlen(name), &target, NULL), SW_OK);
    o.target = &target;
    const sw_status status = sw_compile(compiler, "t", text, strlen(text), &o, &out, &size, &sink);
    if (status == SW_UNSUPPORTED && strstr(heard, "libllvm22")) skip();
    if (status != SW_OK) fail_msg("%s: %s", name, heard);
    return out;
}

static const struct target {
    const char *name;
    int generation;
    bool gfx942, dots_wait;
} targets[] = {{"gfx600", 6, false, false}, {"gfx700", 7, false, false}, {"gfx803", 8, false, false},
               {"gfx900", 9, false, false}, {"gfx908", 9, false, false}, {"gfx90a", 9, false, true},
               {"gfx942", 9, true, true}};
struct nops {
    unsigned all, not_missed;
};
static void distances_of_kernel(const struct target *t, const char *assembly, const char *kernel,
                                struct nops *nops) {
    static struct line lines[LINES];
    const int count = read_kernel(assembly, kernel, lines);
    if (!check(lines, count, t->generation, t->gfx942, t->dots_wait))
        fail_msg("%s %s: %s", t->name, kernel, why);
    for (int i = 0; i < count; i++) {
        const struct line whole = lines[i];
        if (strcmp(whole.name, "s_nop")) continue;
        memmove(lines + i, lines + i + 1, (size_t)(count - i - 1) * sizeof *lines);
        nops->all++;
        if (check(lines, count - 1, t->generation, t->gfx942, t->dots_wait)) {
            nops->not_missed++;
            print_message("%s %s: s_nop in line %d is not missed\n", t->name, kernel, i);
        }
        memmove(lines + i + 1, lines + i, (size_t)(count - i - 1) * sizeof *lines);
        lines[i] = whole;
    }
}
static void distances_are_kept(void **state) {
    (void)state;
    struct nops nops = {0, 0}, of_dots = {0, 0};
    for (const struct target *t = targets; t < targets + sizeof targets / sizeof *targets; t++) {
        uint8_t *out = compiled(t->name, program);
        for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
            distances_of_kernel(t, (char *)out, kernels[k], &nops);
        sw_free(out);
        if (!t->dots_wait) continue;
        out = compiled(t->name, dot_program);
        distances_of_kernel(t, (char *)out, "dot", &of_dots);
        sw_free(out);
    }
    print_message("%u s_nop, and %u behind dot products\n", nops.all, of_dots.all);
    assert_true(nops.all > 10 && of_dots.all);
    assert_int_equal(nops.not_missed + of_dots.not_missed, 0);
}

static bool is_gfx942(const char *name) { return !strcmp(name, "gfx942") || !strcmp(name, "gfx950"); }

// Lines of which each s_nop is taken away once. Returns how many there are that are not missed.
static unsigned not_missed(const struct matrix_target *t, const char *kernel, struct line *lines, int count,
                           unsigned *nops) {
    unsigned kept = 0;
    for (int i = 0; i < count; i++) {
        const struct line whole = lines[i];
        if (strcmp(whole.name, "s_nop")) continue;
        memmove(lines + i, lines + i + 1, (size_t)(count - i - 1) * sizeof *lines);
        ++*nops;
        if (check_matrix(t, lines, count - 1) && check(lines, count - 1, 9, is_gfx942(t->name), false)) {
            kept++;
            print_message("%s %s: s_nop in line %d is not missed\n", t->name, kernel, i);
        }
        memmove(lines + i + 1, lines + i, (size_t)(count - i - 1) * sizeof *lines);
        lines[i] = whole;
    }
    return kept;
}

// The compiler waits as for the longest operation of all processors: where less would do, waits that are
// taken away are not missed.
static void matrix_distances_are_kept(void **state) {
    (void)state;
    unsigned nops = 0, kept = 0;
    for (size_t t = 0; t < sizeof matrix_targets / sizeof *matrix_targets; t++) {
        const struct matrix_target *target = &matrix_targets[t];
        static char text[sizeof matrix_program + sizeof wide_program + 80];
        snprintf(text, sizeof text, "%s%sattributes #0 = { \"amdgpu-flat-work-group-size\"=\"64,64\" }\n",
                 matrix_program, *target->wide ? wide_program : "");
        uint8_t *out = compiled(target->name, text);
        for (size_t k = 0; k < sizeof matrix_kernels / sizeof *matrix_kernels; k++) {
            static struct line lines[LINES];
            const char *kernel = matrix_kernels[k];
            unsigned some = 0;
            if (!strcmp(kernel, "wide") && !*target->wide) continue;
            const int count = read_kernel((char *)out, kernel, lines);
            if (!check(lines, count, 9, is_gfx942(target->name), false) ||
                !check_matrix(target, lines, count))
                fail_msg("%s %s: %s", target->name, kernel, why);
            const bool exact = strcmp(target->name, "gfx908") && strcmp(kernel, "factor") &&
                               strcmp(kernel, "beside") && (strcmp(kernel, "wide") || t == 3);
            const unsigned spare = exact ? not_missed(target, kernel, lines, count, &some) : 0;
            nops += some, kept += spare;
        }
        sw_free(out);
    }
    print_message("%u s_nop\n", nops);
    assert_true(nops > 20);
    assert_int_equal(kept, 0);
}

// Without its waits, each kernel has a distance that is too short.
static void sparse_distances_are_kept(void **state) {
    (void)state;
    for (size_t t = 0; t < sizeof matrix_targets / sizeof *matrix_targets; t++) {
        const struct matrix_target *target = &matrix_targets[t];
        static char text[sizeof sparse_program + 80];
        if (!*target->sparse) continue;
        snprintf(text, sizeof text, "%sattributes #0 = { \"amdgpu-flat-work-group-size\"=\"64,64\" }\n",
                 sparse_program);
        uint8_t *out = compiled(target->name, text);
        for (size_t k = 0; k < sizeof sparse_kernels / sizeof *sparse_kernels; k++) {
            static struct line lines[LINES];
            int count = read_kernel((char *)out, sparse_kernels[k], lines), rest = 0;
            if (!check(lines, count, 9, true, false) || !check_matrix(target, lines, count))
                fail_msg("%s %s: %s", target->name, sparse_kernels[k], why);
            for (int i = 0; i < count; i++)
                if (strcmp(lines[i].name, "s_nop")) lines[rest++] = lines[i];
            assert_int_not_equal(rest, count);
            if (check_matrix(target, lines, rest))
                fail_msg("%s %s: waits are not missed", target->name, sparse_kernels[k]);
        }
        sw_free(out);
    }
}

// ---- Matrix operations of a wave (HZ11-WMMA-AB) ----

static bool is_wave_matrix(const struct line *l) {
    return begins(l->name, "v_wmma") || begins(l->name, "v_swmmac");
}

// A result is no factor or index of the very next vector instruction.
static bool check_wave_matrix(const struct line *lines, int count) {
    const struct line *before = NULL;
    for (int i = 0; i < count; i++) {
        const struct line *l = &lines[i];
        if (!begins(l->name, "v_")) continue;
        for (int k = 1; before && is_wave_matrix(l) && k < (begins(l->name, "v_swmmac") ? 4 : 3); k++) {
            int to = 0, from = 0;
            const int n = places(before->operand[0], &to), m = places(l->operand[k], &from);
            if (from < to + n && to < from + m) {
                snprintf(why, sizeof why, "%.47s takes %.47s at once", l->name, l->operand[k]);
                return false;
            }
        }
        before = is_wave_matrix(l) ? l : NULL;
    }
    return true;
}

// Compiled code moves parts of a result before they are factors, so nothing else than these moves, or a
// v_nop, keeps the distance. That the reader notices is shown by lines without either.
static void wave_matrix_distances_are_kept(void **state) {
    (void)state;
    static const char begin[] = "declare i32 @llvm.amdgcn.workitem.id.x()\n"
                                "define amdgpu_kernel void @next(ptr addrspace(1) %o) {\n"
                                "  %id = call i32 @llvm.amdgcn.workitem.id.x()\n"
                                "  %p = getelementptr <16 x i32>, ptr addrspace(1) %o, i32 %id\n"
                                "  %a = load volatile <4 x i32>, ptr addrspace(1) %p\n"
                                "  %a2 = load volatile <2 x i32>, ptr addrspace(1) %p\n"
                                "  %c = load volatile <8 x i32>, ptr addrspace(1) %p\n"
                                "  %d = load volatile <8 x i32>, ptr addrspace(1) %p\n";
    static const char program11[] =
        "  %r = call <8 x i32> @llvm.amdgcn.wmma.i32.16x16x16.iu8(i1 0, <4 x i32> %a, i1 0, <4 x i32> %a, <8 "
        "x "
        "i32> %c, i1 0)\n"
        "  %h = shufflevector <8 x i32> %r, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>\n"
        "  %s = call <8 x i32> @llvm.amdgcn.wmma.i32.16x16x16.iu8(i1 0, <4 x i32> %a, i1 0, <4 x i32> %h, <8 "
        "x "
        "i32> %d, i1 0)\n  store <8 x i32> %s, ptr addrspace(1) %p\n  ret void\n}\n";
    static const char program12[] =
        "  %r = call <8 x i32> @llvm.amdgcn.swmmac.i32.16x16x32.iu8(i1 0, <2 x i32> %a2, i1 0, <4 x i32> %a, "
        "<8 "
        "x i32> %c, i16 1, i1 0)\n  %e = extractelement <8 x i32> %r, i32 2\n  %j = trunc i32 %e to i16\n"
        "  %s = call <8 x i32> @llvm.amdgcn.swmmac.i32.16x16x32.iu8(i1 0, <2 x i32> %a2, i1 0, <4 x i32> %a, "
        "<8 "
        "x i32> %d, i16 %j, i1 0)\n"
        "  %h = shufflevector <8 x i32> %s, <8 x i32> poison, <2 x i32> <i32 0, i32 1>\n"
        "  %t = call <8 x i32> @llvm.amdgcn.wmma.i32.16x16x16.iu8(i1 0, <2 x i32> %h, i1 0, <2 x i32> %a2, "
        "<8 x "
        "i32> %r, i1 0)\n  store <8 x i32> %t, ptr addrspace(1) %p\n  ret void\n}\n";
    static const struct {
        char name[8];
        const char *text;
    } cases[] = {
        {"gfx1100", program11}, {"gfx1150", program11}, {"gfx1200", program12}, {"gfx1201", program12}};
    static struct line lines[LINES];
    for (size_t t = 0; t < sizeof cases / sizeof *cases; t++) {
        static char text[sizeof begin + sizeof program12 + sizeof program11];
        snprintf(text, sizeof text, "%s%s", begin, cases[t].text);
        uint8_t *out = compiled(cases[t].name, text);
        const int count = read_kernel((char *)out, "next", lines);
        int matrices = 0;
        for (int i = 0; i < count; i++) matrices += is_wave_matrix(&lines[i]);
        assert_true(matrices >= 2);
        if (!check_wave_matrix(lines, count)) fail_msg("%s: %s", cases[t].name, why);
        sw_free(out);
    }
    static const char *const wrong[][3] = {
        {"v_wmma_f32_16x16x16_f16 v[8:15], v[0:7], v[0:7], v[8:15]", "s_nop 0",
         "v_wmma_f32_16x16x16_f16 v[16:23], v[0:7], v[14:21], v[16:23]"},
        {"v_swmmac_i32_16x16x32_iu8 v[8:15], v[0:1], v[4:7], v24", "s_nop 0",
         "v_swmmac_i32_16x16x32_iu8 v[16:23], v[0:1], v[4:7], v10"}};
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        for (int i = 0; i < 3; i++) lines[i] = read_line(wrong[n][i], strlen(wrong[n][i]));
        assert_false(check_wave_matrix(lines, 3));
        lines[1] = read_line("v_nop", 5);
        assert_true(check_wave_matrix(lines, 3));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_kept), cmocka_unit_test(matrix_distances_are_kept),
        cmocka_unit_test(sparse_distances_are_kept), cmocka_unit_test(wave_matrix_distances_are_kept)};
    if (sw_compiler_open(NULL, &compiler, &sink) != SW_OK) return 1;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    sw_compiler_close(compiler);
    return failures;
}
