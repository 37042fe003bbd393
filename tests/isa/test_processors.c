// SPDX-License-Identifier: MIT
// The processor table against the requirement rows TGT-07 to TGT-58, OBJ-11 to OBJ-14, and against what
// llvm-mc 22 accepts for each -mcpu (the capability lists below were measured, one instruction each).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "target/target.h"

// Properties: N no generic address space; flat scratch O offset, A absolute, H architected; P packed
// work-item ids; K kernarg preload.
static const struct row {
    const char *id, *name, *alternatives, *kind;
    unsigned mach;
    const char *features, *properties, *loaders;
} rows[] = {
    {"TGT-07", "r600", "", "dGPU", 0x01, "", "N", ""},
    {"TGT-07", "r630", "", "dGPU", 0x02, "", "N", ""},
    {"TGT-07", "rs880", "", "dGPU", 0x03, "", "N", ""},
    {"TGT-07", "rv670", "", "dGPU", 0x04, "", "N", ""},
    {"TGT-08", "rv710", "", "dGPU", 0x05, "", "N", ""},
    {"TGT-08", "rv730", "", "dGPU", 0x06, "", "N", ""},
    {"TGT-08", "rv770", "", "dGPU", 0x07, "", "N", ""},
    {"TGT-09", "cedar", "", "dGPU", 0x08, "", "N", ""},
    {"TGT-09", "cypress", "", "dGPU", 0x09, "", "N", ""},
    {"TGT-09", "juniper", "", "dGPU", 0x0a, "", "N", ""},
    {"TGT-09", "redwood", "", "dGPU", 0x0b, "", "N", ""},
    {"TGT-09", "sumo", "", "dGPU", 0x0c, "", "N", ""},
    {"TGT-10", "barts", "", "dGPU", 0x0d, "", "N", ""},
    {"TGT-10", "caicos", "", "dGPU", 0x0e, "", "N", ""},
    {"TGT-10", "cayman", "", "dGPU", 0x0f, "", "N", ""},
    {"TGT-10", "turks", "", "dGPU", 0x10, "", "N", ""},
    {"TGT-11", "gfx600", "tahiti", "dGPU", 0x20, "", "N", "pal-amdpal"},
    {"TGT-12", "gfx601", "pitcairn verde", "dGPU", 0x21, "", "N", "pal-amdpal"},
    {"TGT-13", "gfx602", "hainan oland", "dGPU", 0x3a, "", "N", "pal-amdpal"},
    {"TGT-14", "gfx700", "kaveri", "APU", 0x22, "", "O", "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-15", "gfx701", "hawaii", "dGPU", 0x23, "", "O", "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-16", "gfx702", "", "dGPU", 0x24, "", "O", "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-17", "gfx703", "kabini mullins", "APU", 0x25, "", "O", "pal-amdhsa pal-amdpal"},
    {"TGT-18", "gfx704", "bonaire", "dGPU", 0x26, "", "O", "pal-amdhsa pal-amdpal"},
    {"TGT-19", "gfx705", "", "APU", 0x3b, "", "O", "pal-amdhsa pal-amdpal"},
    {"TGT-20", "gfx801", "carrizo", "APU", 0x28, "xnack", "O", "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-21", "gfx802", "iceland tonga", "dGPU", 0x29, "", "O", "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-22", "gfx803", "fiji polaris10 polaris11", "dGPU", 0x2a, "", "O",
     "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-23", "gfx805", "tongapro", "dGPU", 0x3c, "", "O", "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-24", "gfx810", "stoney", "APU", 0x2b, "xnack", "O", "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-25", "gfx900", "", "dGPU", 0x2c, "xnack", "A", "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-26", "gfx902", "", "APU", 0x2d, "xnack", "A", "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-27", "gfx904", "", "dGPU", 0x2e, "xnack", "A", "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-28", "gfx906", "", "dGPU", 0x2f, "sramecc xnack", "A", "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-29", "gfx908", "", "dGPU", 0x30, "sramecc xnack", "A", "rocm-amdhsa"},
    {"TGT-30", "gfx909", "", "APU", 0x31, "xnack", "A", "pal-amdpal"},
    {"TGT-31", "gfx90a", "", "dGPU", 0x3f, "sramecc tgsplit xnack", "APK", "rocm-amdhsa"},
    {"TGT-32", "gfx90c", "", "APU", 0x32, "xnack", "A", "pal-amdpal"},
    {"TGT-33", "gfx942", "", "dGPU", 0x4c, "sramecc tgsplit xnack", "HPK", ""},
    {"TGT-34", "gfx950", "", "dGPU", 0x4f, "sramecc tgsplit xnack", "HPK", ""},
    {"TGT-35", "gfx1010", "", "dGPU", 0x33, "cumode wavefrontsize64 xnack", "A",
     "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-36", "gfx1011", "", "dGPU", 0x34, "cumode wavefrontsize64 xnack", "A",
     "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-37", "gfx1012", "", "dGPU", 0x35, "cumode wavefrontsize64 xnack", "A",
     "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-38", "gfx1013", "", "APU", 0x42, "cumode wavefrontsize64 xnack", "A",
     "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-39", "gfx1030", "", "dGPU", 0x36, "cumode wavefrontsize64", "A",
     "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-40", "gfx1031", "", "dGPU", 0x37, "cumode wavefrontsize64", "A",
     "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-41", "gfx1032", "", "dGPU", 0x38, "cumode wavefrontsize64", "A",
     "rocm-amdhsa pal-amdhsa pal-amdpal"},
    {"TGT-42", "gfx1033", "", "APU", 0x39, "cumode wavefrontsize64", "A", "pal-amdpal"},
    {"TGT-43", "gfx1034", "", "dGPU", 0x3e, "cumode wavefrontsize64", "A", "pal-amdpal"},
    {"TGT-44", "gfx1035", "", "APU", 0x3d, "cumode wavefrontsize64", "A", "pal-amdpal"},
    {"TGT-45", "gfx1036", "", "APU", 0x45, "cumode wavefrontsize64", "A", "pal-amdpal"},
    {"TGT-46", "gfx1100", "", "dGPU", 0x41, "cumode wavefrontsize64", "HP", "pal-amdpal"},
    {"TGT-47", "gfx1101", "", "dGPU", 0x46, "cumode wavefrontsize64", "HP", ""},
    {"TGT-48", "gfx1102", "", "dGPU", 0x47, "cumode wavefrontsize64", "HP", ""},
    {"TGT-49", "gfx1103", "", "APU", 0x44, "cumode wavefrontsize64", "HP", ""},
    {"TGT-50", "gfx1150", "", "APU", 0x43, "cumode wavefrontsize64", "HP", ""},
    {"TGT-50", "gfx1151", "", "APU", 0x4a, "cumode wavefrontsize64", "HP", ""},
    {"TGT-50", "gfx1152", "", "APU", 0x55, "cumode wavefrontsize64", "HP", ""},
    {"TGT-50", "gfx1153", "", "APU", 0x58, "cumode wavefrontsize64", "HP", ""},
    {"TGT-51", "gfx1200", "", "dGPU", 0x48, "cumode wavefrontsize64", "HP", ""},
    {"TGT-51", "gfx1250", "", "APU", 0x49, "sramecc xnack", "HPK", ""},
    {"TGT-51", "gfx1251", "", "APU", 0x5a, "sramecc xnack", "HPK", ""},
    {"TGT-51", "gfx1201", "", "dGPU", 0x4e, "cumode wavefrontsize64", "HP", ""},
    {"TGT-53", "gfx9-generic", "", "generic", 0x51, "xnack", "A", ""},
    {"TGT-54", "gfx9-4-generic", "", "generic", 0x5f, "sramecc tgsplit xnack", "HPK", ""},
    {"TGT-55", "gfx10-1-generic", "", "generic", 0x52, "cumode wavefrontsize64 xnack", "A", ""},
    {"TGT-56", "gfx10-3-generic", "", "generic", 0x53, "cumode wavefrontsize64", "A", ""},
    {"TGT-57", "gfx11-generic", "", "generic", 0x54, "cumode wavefrontsize64", "HP", ""},
    {"TGT-58", "gfx12-generic", "", "generic", 0x59, "cumode wavefrontsize64", "HP", ""},
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct sw_processor *find(const char *name) { return sw_processor_find(name, strlen(name)); }

static sw_processor_info info_of(const char *name) {
    sw_processor_info info = {.size = sizeof info};
    const struct sw_processor *p = find(name);
    assert_non_null(p);
    sw_processor_get_info(p, &info);
    return info;
}

static const char *joined(const char *const *list, char out[128]) {
    *out = 0;
    for (size_t i = 0; list[i]; i++) strcat(strcat(out, i ? " " : ""), list[i]);
    return out;
}

static const char *property_letters(const char *const *list, char out[128]) {
    static const struct {
        const char *name, *letter;
    } names[] = {{"No generic address space", "N"}, {"Offset flat scratch", "O"},
                 {"Absolute flat scratch", "A"},    {"Architected flat scratch", "H"},
                 {"Packed work-item IDs", "P"},     {"Kernarg preload", "K"}};
    *out = 0;
    for (size_t i = 0; list[i]; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (!strcmp(names[k].name, list[i])) strcat(out, names[k].letter);
    return out;
}

static bool has_row(const struct sw_processor *p) {
    for (const struct row *r = rows; r < rows + ROWS; r++)
        if (!strcmp(r->name, p->name)) return true;
    return false;
}

static void test_rows(void **state) {
    (void)state;
    char text[128];
    for (size_t i = 0; i < sw_processor_count(); i++)
        if (!has_row(sw_processor_at(i)))
            fail_msg("%s has no row in tests/isa/test_processors.c: add what the documents say of it",
                     sw_processor_at(i)->name);
    assert_int_equal(sw_processor_count(), ROWS);
    for (const struct row *r = rows; r < rows + ROWS; r++) {
        sw_processor_info p = info_of(r->name);
        const char *kind = p.generic ? "generic" : p.apu ? "APU" : "dGPU";
        if (p.mach != r->mach || strcmp(kind, r->kind)) fail_msg("%s %s: mach or kind", r->id, r->name);
        if (strcmp(joined(p.alternatives, text), r->alternatives))
            fail_msg("%s %s: %s", r->id, r->name, text);
        if (strcmp(joined(p.features, text), r->features)) fail_msg("%s %s: %s", r->id, r->name, text);
        if (strcmp(property_letters(p.properties, text), r->properties))
            fail_msg("%s %s: %s", r->id, r->name, text);
        if (strcmp(joined(p.loaders, text), r->loaders)) fail_msg("%s %s: %s", r->id, r->name, text);
        assert_string_equal(p.architecture, r->mach < 0x20 ? "r600" : "amdgcn"); // TGT-01
        assert_ptr_equal(sw_processor_by_mach(r->mach), find(r->name));
        for (size_t i = 0; p.alternatives[i]; i++) assert_ptr_equal(find(p.alternatives[i]), find(r->name));
        assert_int_equal(sw_processor_has_address_space(find(r->name), 0), *r->properties != 'N'); // AS-13
        int os = (strstr(r->loaders, "amdhsa") ? 1 << SW_OS_AMDHSA : 0) |
                 (strstr(r->loaders, "amdpal") ? 1 << SW_OS_AMDPAL : 0);
        assert_int_equal(find(r->name)->os, os);
        assert_int_equal(p.wave_sizes, r->mach < 0x20                        ? 0
                                       : has(find(r->name), CAP_wave32_only) ? 32
                                       : strstr(r->features, "wave")         ? 32 | 64
                                                                             : 64);
        assert_int_equal(p.agprs, has(find(r->name), CAP_agprs) ? 256 : 0);
        assert_int_equal(p.vgprs, r->mach < 0x20 ? 0 : has(find(r->name), CAP_wave32_only) ? 1024 : 256);
    }
}

// Every value of the e_flags field either belongs to one row above or to no processor (OBJ-11 to OBJ-14).
static void test_mach_values(void **state) {
    (void)state;
    size_t named = 0;
    for (unsigned mach = 0; mach <= 0x1ff; mach++) {
        const struct sw_processor *p = sw_processor_by_mach(mach);
        if (!p) continue;
        named++;
        assert_int_equal(p->elf_mach, mach);
        assert_true(has_row(p));
    }
    assert_int_equal(named, sw_processor_count());
    static const uint8_t reserved[] = {0x00, 0x11, 0x1f, 0x27, 0x40, 0x4b,
                                       0x4d, 0x50, 0x56, 0x57, 0x5b, 0xff};
    for (size_t i = 0; i < sizeof reserved; i++) assert_null(sw_processor_by_mach(reserved[i]));
}

static void test_names(void **state) {
    (void)state;
    assert_null(sw_processor_find("", 0));
    assert_null(sw_processor_find("\0", 1));
    assert_null(find("gfx90"));
    assert_null(find("GFX90A"));
    assert_null(find("gfx90a "));
    assert_null(sw_processor_find("gfx90a\0", 7));
    assert_ptr_equal(sw_processor_find("gfx90a:xnack+", 6), find("gfx90a"));
    for (size_t i = 0; i < sw_processor_count(); i++) // no name means two processors
        for (const char *const *a = sw_processor_at(i)->alternatives; a && *a; a++)
            assert_ptr_equal(find(*a), sw_processor_at(i));
    assert_null(sw_processor_at(sw_processor_count()));
}

// -- Capabilities ------------------------------------------------------------------------------------

#define IN_GFX6    "gfx600 gfx601 gfx602 "
#define IN_GFX7    "gfx700 gfx701 gfx702 gfx703 gfx704 gfx705 "
#define IN_GFX8    "gfx801 gfx802 gfx803 gfx805 gfx810 "
#define IN_GFX9    "gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c gfx9-generic "
#define IN_GFX9_4  "gfx942 gfx950 gfx9-4-generic "
#define IN_GFX10_1 "gfx1010 gfx1011 gfx1012 gfx1013 gfx10-1-generic "
#define IN_GFX10_3 "gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 gfx10-3-generic "
#define IN_GFX11_0 "gfx1100 gfx1101 gfx1102 gfx1103 gfx11-generic "
#define IN_GFX11_5 "gfx1150 gfx1151 gfx1152 gfx1153 "
#define IN_GFX12   "gfx1200 gfx1201 gfx12-generic "
#define IN_GFX12_5 "gfx1250 gfx1251 "

static const struct {
    const char *name, *processors;
} capability_rows[] = {
    // Accepted by llvm-mc-22 for exactly these.
    {"flat_address_space", "gfx908 gfx90a " IN_GFX7 IN_GFX8 IN_GFX9 IN_GFX9_4 IN_GFX10_1 IN_GFX10_3 IN_GFX11_0
                               IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"mad_mix", "gfx900 gfx902 gfx909 gfx90c "},
    {"fma_mix", "gfx904 gfx906 gfx908 gfx90a " IN_GFX9_4 IN_GFX10_1 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12
                    IN_GFX12_5},
    {"dl", "gfx906 gfx908 gfx90a " IN_GFX9_4 IN_GFX10_1 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"pk_fmac_f16",
     "gfx908 gfx90a " IN_GFX9_4 IN_GFX10_1 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"dot2", "gfx906 gfx908 gfx90a gfx1011 gfx1012 " IN_GFX9_4 IN_GFX10_3},
    {"dot3", "gfx908 gfx90a " IN_GFX9_4},
    {"dot4", "gfx908 gfx90a " IN_GFX9_4},
    {"dot5", "gfx908 gfx90a gfx1011 gfx1012 " IN_GFX9_4 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5},
    {"dot6", "gfx908 gfx90a gfx1011 gfx1012 " IN_GFX9_4 IN_GFX10_3},
    {"dot7",
     "gfx906 gfx908 gfx90a gfx1011 gfx1012 " IN_GFX9_4 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"dot8", IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"dot9", IN_GFX11_0 IN_GFX11_5 IN_GFX12},
    {"dot10", "gfx906 gfx908 gfx90a gfx1011 gfx1012 " IN_GFX9_4 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12},
    {"dot11", IN_GFX12},
    {"dot12", "gfx950 " IN_GFX11_0 IN_GFX11_5 IN_GFX12},
    {"dot13", "gfx950 "},
    {"fp8_conversions", "gfx942 gfx950 " IN_GFX12 IN_GFX12_5},
    {"fp8_matrix", "gfx942 gfx950 " IN_GFX12 IN_GFX12_5},
    {"xf32_matrix", "gfx942 "},
    {"bvh", "gfx1013 " IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12},
    {"gfx10_b", IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"salu_float", IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"scalar_stores", "gfx908 gfx90a " IN_GFX8 IN_GFX9 IN_GFX9_4 IN_GFX10_1},
    {"scalar_atomics", "gfx908 gfx90a " IN_GFX9 IN_GFX9_4 IN_GFX10_1},
    {"scalar_flat_scratch", "gfx908 gfx90a " IN_GFX9 IN_GFX9_4 IN_GFX10_1},
    {"atomic_fadd_rtn", "gfx90a " IN_GFX9_4 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"atomic_fadd_nortn", "gfx908 gfx90a " IN_GFX9_4 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"atomic_pk_add_f16_rtn", "gfx90a " IN_GFX9_4 IN_GFX12 IN_GFX12_5},
    {"atomic_pk_add_f16_nortn", "gfx908 gfx90a " IN_GFX9_4 IN_GFX12 IN_GFX12_5},
    {"atomic_pk_add_bf16", IN_GFX9_4 IN_GFX12 IN_GFX12_5},
    {"buffer_pk_add_bf16", "gfx950 " IN_GFX12 IN_GFX12_5},
    {"flat_atomic_fadd_f32", IN_GFX9_4 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"flat_atomic_pk_add", IN_GFX9_4 IN_GFX12 IN_GFX12_5},
    {"ds_pk_add_16", IN_GFX9_4 IN_GFX12 IN_GFX12_5},
    {"lds_add_f64", "gfx90a " IN_GFX9_4 IN_GFX12_5},
    {"packed_d16", "gfx810 gfx908 gfx90a " IN_GFX9 IN_GFX9_4 IN_GFX10_1 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5
                       IN_GFX12 IN_GFX12_5},
    {"extended_image",
     "gfx908 " IN_GFX6 IN_GFX7 IN_GFX8 IN_GFX9 IN_GFX10_1 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12},
    {"image",
     "gfx908 gfx90a " IN_GFX6 IN_GFX7 IN_GFX8 IN_GFX9 IN_GFX10_1 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12},
    {"s_memtime", "gfx908 gfx90a " IN_GFX6 IN_GFX7 IN_GFX8 IN_GFX9 IN_GFX9_4 IN_GFX10_1 IN_GFX10_3},
    {"s_memrealtime", "gfx908 gfx90a " IN_GFX8 IN_GFX9 IN_GFX9_4 IN_GFX10_1 IN_GFX10_3},
    {"true16_default", IN_GFX11_0 IN_GFX11_5},
    {"dpp_src1_sgpr", IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"wave32_only", IN_GFX12_5},
    {"wave32", IN_GFX10_1 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"branch_3f_bug", IN_GFX10_1},
    {"agprs", "gfx908 gfx90a " IN_GFX9_4},
    {"unified_vgprs", "gfx90a " IN_GFX9_4},
    {"aperture_registers",
     "gfx908 gfx90a " IN_GFX9 IN_GFX9_4 IN_GFX10_1 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"null_register", IN_GFX10_1 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"zero_sgpr_out_of_range", IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"flat_lds_keeps_denormals", IN_GFX12 IN_GFX12_5},
    {"ttmps_read_zero", IN_GFX9_4 IN_GFX11_0 IN_GFX11_5},
    {"ttmp_write_keeps_scc", IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"fixed_sgprs", IN_GFX10_1 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"literal64", IN_GFX12_5},
    {"dot1", "gfx906 gfx908 gfx90a gfx1011 gfx1012 " IN_GFX9_4 IN_GFX10_3},
    // From the documents; LLVM 19 for singleuse_hint.
    {"gfx10_a", "gfx1013 " IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"real_true16", IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"singleuse_hint", IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"lds_16_banks", "gfx702 gfx703 gfx705 gfx810 "},
    {"even_vgpr_tuples", "gfx90a " IN_GFX9_4 IN_GFX12_5},                                   // TRAP-401
    {"packed_workitem_ids", "gfx90a " IN_GFX9_4 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5}, // TRAP-407
    {"architected_flat_scratch", IN_GFX9_4 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5},
    {"absolute_flat_scratch", "gfx908 gfx90a " IN_GFX9 IN_GFX10_1 IN_GFX10_3},
    {"architected_workgroup_ids", IN_GFX12 IN_GFX12_5},
    {"lds_loads_masked", "gfx950 "},     // TRAP-323
    {"sgpr_init_bug", "gfx802 gfx805 "}, // AMB-28
    {"kernarg_preload", "gfx90a " IN_GFX9_4 IN_GFX12_5},
    {"ieee_mode", "gfx908 gfx90a " IN_GFX6 IN_GFX7 IN_GFX8 IN_GFX9 IN_GFX9_4 IN_GFX10_1 IN_GFX10_3 IN_GFX11_0
                      IN_GFX11_5}, // TRAP-126
    {"xnack", "gfx801 gfx810 gfx908 gfx90a " IN_GFX9 IN_GFX9_4 IN_GFX10_1 IN_GFX12_5},
    {"sramecc", "gfx906 gfx908 gfx90a " IN_GFX9_4 IN_GFX12_5},
    {"tgsplit", "gfx90a " IN_GFX9_4},
    {"cumode", IN_GFX10_1 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12},
    {"permute_32", IN_GFX10_1 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5},                         // TRAP-246
    {"hi16_preserved", IN_GFX10_1 IN_GFX10_3 IN_GFX11_0 IN_GFX11_5 IN_GFX12 IN_GFX12_5}, // TRAP-150
    {"replay_mode", IN_GFX12_5}, // the CDNA5 manual, 3.5 and 10.2
    {"clusters", IN_GFX12_5},
    {"spread_scratch", IN_GFX12_5},
};

static bool listed(const char *list, const char *name) {
    size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += n)
        if (at[n] == ' ' && (at == list || at[-1] == ' ')) return true;
    return false;
}

static void test_capabilities(void **state) {
    (void)state;
    enum { KNOWN = sizeof capability_rows / sizeof *capability_rows };
    for (size_t c = 0; c < sw_capability_count(); c++) { // every capability has a line above
        size_t k = 0;
        while (k < KNOWN && strcmp(sw_capability_name(c), capability_rows[k].name)) k++;
        if (k == KNOWN)
            fail_msg("capability %s has no line in tests/isa/test_processors.c: add which processors have it",
                     sw_capability_name(c));
    }
    assert_int_equal(sw_capability_count(), KNOWN);
    for (size_t k = 0; k < KNOWN; k++) {
        size_t c = 0;
        while (c < sw_capability_count() && strcmp(sw_capability_name(c), capability_rows[k].name)) c++;
        if (c == sw_capability_count()) fail_msg("no capability %s", capability_rows[k].name);
        assert_true(strlen(sw_capability_text(c)) > 5);
        for (size_t i = 0; i < sw_processor_count(); i++) {
            const struct sw_processor *p = sw_processor_at(i);
            const bool wanted = listed(capability_rows[k].processors, p->name);
            if (sw_processor_has(p, c) != wanted)
                fail_msg("%s: capability %s: src/target says %s, tests/isa/test_processors.c says %s "
                         "(a new processor's name goes into an IN_ group of the latter)",
                         p->name, capability_rows[k].name, wanted ? "no" : "yes", wanted ? "yes" : "no");
        }
    }
    assert_null(sw_capability_name(sw_capability_count()));
    assert_false(sw_processor_has(find("gfx90a"), sw_capability_count()));
}

// A generic processor has no capability that one of its members lacks, other than being one (TGT-53 to 58).
static void test_generic_is_intersection(void **state) {
    (void)state;
    for (size_t i = 0; i < sw_processor_count(); i++) {
        const struct sw_processor *m = sw_processor_at(i),
                                  *g = m->member_of ? sw_processor_by_mach(m->member_of) : NULL;
        if (!g) continue;
        assert_true(g->generic_version >= m->member_since && m->member_since >= 1); // TGT-61
        for (size_t c = 0; c < sw_capability_count(); c++)
            if (sw_processor_has(g, c) && !sw_processor_has(m, c))
                fail_msg("%s has %s, %s does not", g->name, sw_capability_name(c), m->name);
        assert_true(fact(g, FACT_vgpr_file_w64) <= fact(m, FACT_vgpr_file_w64) &&
                    processor_lds(g) <= processor_lds(m));
    }
}

static void test_generic_members(void **state) {
    (void)state;
    static const struct {
        const char *generic, *members;
    } expected[] = {
        {"gfx9-generic", "gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c "},
        {"gfx9-4-generic", "gfx942 gfx950 "},
        {"gfx10-1-generic", "gfx1010 gfx1011 gfx1012 gfx1013 "},
        {"gfx10-3-generic", "gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 "},
        {"gfx11-generic", "gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 "},
        {"gfx12-generic", "gfx1200 gfx1201 "},
    };
    for (size_t g = 0; g < sizeof expected / sizeof *expected; g++) {
        assert_int_equal(info_of(expected[g].generic).generic_version, 1);
        for (size_t i = 0; i < sw_processor_count(); i++) {
            sw_processor_info m = info_of(sw_processor_name(sw_processor_at(i)));
            bool member = m.member_of == find(expected[g].generic);
            if (member != listed(expected[g].members, m.name))
                fail_msg("%s in %s", m.name, expected[g].generic);
        }
    }
}

// -- Registers and memories --------------------------------------------------------------------------

// Facts of LLVM 22: the waves that llc reports for kernels of so many VGPRs (wave64, then wave32).
static const struct {
    const char *name;
    unsigned w64[5], w32[5]; // for 24, 25, 40, 96, 256 VGPRs
} occupancy[] = {
    {"gfx600", {10, 9, 6, 2, 1}, {0}},
    {"gfx803", {10, 9, 6, 2, 1}, {0}},
    {"gfx908", {10, 9, 6, 2, 1}, {0}},
    {"gfx90a", {8, 8, 8, 5, 2}, {0}},
    {"gfx950", {8, 8, 8, 5, 2}, {0}},
    {"gfx9-4-generic", {8, 8, 8, 5, 2}, {0}},
    {"gfx1010", {20, 18, 12, 5, 2}, {20, 20, 20, 10, 4}},
    {"gfx1030", {16, 16, 12, 5, 2}, {16, 16, 16, 10, 4}},
    {"gfx1100", {16, 16, 16, 8, 2}, {16, 16, 16, 16, 5}},
    {"gfx1102", {16, 16, 12, 5, 2}, {16, 16, 16, 10, 4}},
    {"gfx1151", {16, 16, 16, 8, 2}, {16, 16, 16, 16, 5}},
    {"gfx11-generic", {16, 16, 12, 5, 2}, {16, 16, 16, 10, 4}},
    {"gfx1201", {16, 16, 16, 8, 2}, {16, 16, 16, 16, 5}},
};

static void test_occupancy(void **state) {
    (void)state;
    static const unsigned vgprs[5] = {24, 25, 40, 96, 256};
    for (size_t i = 0; i < sizeof occupancy / sizeof *occupancy; i++)
        for (int k = 0; k < 5; k++) {
            const struct sw_processor *p = find(occupancy[i].name);
            unsigned a = processor_occupancy(p, 64, vgprs[k], 16),
                     b = processor_occupancy(p, 32, vgprs[k], 16);
            if (a != occupancy[i].w64[k] || b != occupancy[i].w32[k])
                fail_msg("%s with %u VGPRs: %u and %u waves", p->name, vgprs[k], a, b);
        }
    assert_int_equal(processor_occupancy(find("gfx90a"), 64, 512, 16), 1);
    assert_int_equal(processor_occupancy(find("gfx90a"), 64, 513, 16), 0);
    assert_int_equal(processor_occupancy(find("gfx900"), 64, 1, 80), 10);
    assert_int_equal(processor_occupancy(find("gfx900"), 64, 1, 102), 7);
    assert_int_equal(processor_occupancy(find("gfx700"), 64, 1, 104), 4);
    assert_int_equal(processor_occupancy(find("gfx802"), 64, 1, 1), 8); // always 96 SGPRs
    assert_int_equal(processor_occupancy(find("gfx1030"), 32, 1, 106), 16);
    assert_int_equal(processor_occupancy(find("r600"), 64, 1, 1), 0);
    assert_int_equal(processor_occupancy(find("gfx900"), 32, 1, 1), 0); // no such wave
    assert_int_equal(processor_occupancy(find("gfx90a"), 64, 0, 0), 8);
}

static void test_register_facts(void **state) {
    (void)state;
    for (size_t i = 0; i < sw_processor_count(); i++) {
        const struct sw_processor *p = sw_processor_at(i);
        if (p->generation == GEN_R600) continue;
        bool w32 = has(p, CAP_wave32), unified = has(p, CAP_unified_vgprs);
        const bool many = fact(p, FACT_vgpr_msb); // registers, numbered with the help of s_set_vgpr_msb
        assert_int_equal(fact(p, FACT_vgprs), many ? 1024 : 256);
        assert_int_equal(fact(p, FACT_vgpr_encoding_granule_w64), unified || many ? 8 : 4); // AMB-29
        assert_int_equal(fact(p, FACT_vgpr_encoding_granule_w32), many ? 16 : w32 ? 8 : 0);
        assert_int_equal(fact(p, FACT_sgprs), w32 ? 106 : has(p, CAP_s_memrealtime) ? 102 : 104);
        assert_int_equal(fact(p, FACT_sgpr_encoding_granule), 8);
        assert_int_equal(fact(p, FACT_simds_per_cu), w32 && !many ? 2 : 4);
        assert_true(p->compute_units > 0);
    }
    static const struct {
        const char *members;
        unsigned file_w64, file_w32, granule_w64, granule_w32, waves, sgpr_file, sgpr_granule, lds,
            lds_granule;
    } expected[] = {
        {IN_GFX6, 256, 0, 4, 0, 10, 512, 8, 32768, 256}, // TRAP-263
        {IN_GFX7, 256, 0, 4, 0, 10, 512, 8, 65536, 512},
        {IN_GFX8 IN_GFX9 "gfx908 ", 256, 0, 4, 0, 10, 800, 16, 65536, 512},
        {"gfx90a gfx942 gfx9-4-generic ", 512, 0, 8, 0, 8, 800, 16, 65536, 512}, // TRAP-398, TRAP-400
        {"gfx950 ", 512, 0, 8, 0, 8, 800, 16, 163840, 1280},
        {IN_GFX10_1, 512, 1024, 4, 8, 20, 0, 128, 65536, 512},
        {IN_GFX10_3 "gfx1102 gfx1103 gfx1150 gfx1152 gfx1153 gfx11-generic ", 512, 1024, 8, 16, 16, 0, 128,
         65536, 512},
        {"gfx1100 gfx1101 gfx1151 " IN_GFX12, 768, 1536, 12, 24, 16, 0, 128, 65536, 512},
        {IN_GFX12_5, 512, 1024, 8, 16, 16, 0, 128, 327680, 2048},
    };
    size_t members = 0;
    for (size_t e = 0; e < sizeof expected / sizeof *expected; e++)
        for (size_t i = 0; i < sw_processor_count(); i++) {
            const struct sw_processor *p = sw_processor_at(i);
            if (!listed(expected[e].members, p->name)) continue;
            members++;
            assert_int_equal(fact(p, FACT_vgpr_file_w64), expected[e].file_w64);
            assert_int_equal(fact(p, FACT_vgpr_file_w32), expected[e].file_w32);
            assert_int_equal(fact(p, FACT_vgpr_granule_w64), expected[e].granule_w64);
            assert_int_equal(fact(p, FACT_vgpr_granule_w32), expected[e].granule_w32);
            assert_int_equal(fact(p, FACT_waves_per_simd), expected[e].waves);
            assert_int_equal(fact(p, FACT_sgpr_file), expected[e].sgpr_file);
            assert_int_equal(fact(p, FACT_sgpr_granule), expected[e].sgpr_granule);
            assert_int_equal(processor_lds(p), expected[e].lds);
            assert_int_equal(fact(p, FACT_lds_granule), expected[e].lds_granule);
        }
    assert_int_equal(members, ROWS - 16); // all but R600
}

// The stepping is a hex digit of the name (AMB-27); generics measured with llvm-mc-22.
static void test_isa_versions(void **state) {
    (void)state;
    for (size_t i = 0; i < sw_processor_count(); i++) {
        const struct sw_processor *p = sw_processor_at(i);
        if (p->generation == GEN_R600 || p->generic_version) continue;
        char name[32];
        snprintf(name, sizeof name, "gfx%u%u%x", p->isa_major, p->isa_minor, p->isa_stepping);
        assert_string_equal(name, p->name);
    }
    static const struct {
        const char *name;
        unsigned major, minor, stepping;
    } generics[] = {{"gfx9-generic", 9, 0, 0},     {"gfx9-4-generic", 9, 4, 0}, {"gfx10-1-generic", 10, 1, 0},
                    {"gfx10-3-generic", 10, 3, 0}, {"gfx11-generic", 11, 0, 3}, {"gfx12-generic", 12, 0, 0}};
    for (size_t i = 0; i < sizeof generics / sizeof *generics; i++) {
        sw_processor_info p = info_of(generics[i].name);
        assert_int_equal(p.isa_major, generics[i].major);
        assert_int_equal(p.isa_minor, generics[i].minor);
        assert_int_equal(p.isa_stepping, generics[i].stepping);
    }
}

// -- Families and the device reported under each name ------------------------------------------------

static void test_families(void **state) {
    (void)state;
    static const struct {
        enum generation generation;
        const char *family, *members; // each member: name=compute units
    } expected[] = {
        {GEN_R600, "Radeon HD 2000/3000 (R600)", "r600=0 r630=0 rs880=0 rv670=0 "},
        {GEN_R600, "Radeon HD 4000 (R700)", "rv710=0 rv730=0 rv770=0 "},
        {GEN_R600, "Radeon HD 5000 (Evergreen)", "cedar=0 cypress=0 juniper=0 redwood=0 sumo=0 "},
        {GEN_R600, "Radeon HD 6000 (Northern Islands)", "barts=0 caicos=0 cayman=0 turks=0 "},
        {GFX6, "GCN GFX6 (Southern Islands)", "gfx600=32 gfx601=20 gfx602=6 "},
        {GFX7, "GCN GFX7 (Sea Islands)", "gfx700=8 gfx701=44 gfx702=40 gfx703=2 gfx704=14 gfx705=2 "},
        {GFX8, "GCN GFX8 (Volcanic Islands)", "gfx801=8 gfx802=32 gfx803=64 gfx805=32 gfx810=3 "},
        {GFX9, "GCN GFX9 (Vega)",
         "gfx900=64 gfx902=11 gfx904=20 gfx906=60 gfx909=3 gfx90c=8 gfx9-generic=64 "},
        {GFX908, "GCN GFX9 (CDNA 1)", "gfx908=120 "},
        {GFX90A, "GCN GFX9 (CDNA 2)", "gfx90a=104 "},
        {GFX942, "GCN GFX9 (CDNA 3)", "gfx942=304 gfx9-4-generic=304 "},
        {GFX950, "GCN GFX9 (CDNA 4)", "gfx950=256 "},
        {GFX10, "GCN GFX10.1 (RDNA 1)", "gfx1010=40 gfx1011=36 gfx1012=22 gfx1013=24 gfx10-1-generic=40 "},
        {GFX10_3, "GCN GFX10.3 (RDNA 2)",
         "gfx1030=72 gfx1031=40 gfx1032=32 gfx1033=8 gfx1034=16 gfx1035=12 gfx1036=2 gfx10-3-generic=72 "},
        {GFX11, "GCN GFX11 (RDNA 3)", "gfx1100=96 gfx1101=60 gfx1102=32 gfx1103=12 gfx11-generic=96 "},
        {GFX11_5, "GCN GFX11 (RDNA 3.5)", "gfx1150=16 gfx1151=40 gfx1152=8 gfx1153=4 "},
        {GFX12, "GCN GFX12 (RDNA 4)", "gfx1200=32 gfx1201=64 gfx12-generic=32 "},
        {GFX12_5, "GCN GFX12.5 (CDNA 5)", "gfx1250=256 gfx1251=256 "},
    };
    for (size_t i = 0; i < sw_processor_count(); i++) {
        const struct sw_processor *p = sw_processor_at(i);
        char entry[48];
        snprintf(entry, sizeof entry, "%s=%u", p->name, p->compute_units);
        size_t f = 0;
        while (f < sizeof expected / sizeof *expected && !listed(expected[f].members, entry)) f++;
        if (f == sizeof expected / sizeof *expected)
            fail_msg("%s is in no family of test_families in tests/isa/test_processors.c", entry);
        assert_int_equal(p->generation, expected[f].generation);
        sw_processor_info info = {.size = sizeof info};
        sw_processor_get_info(p, &info);
        assert_string_equal(info.family, expected[f].family);
    }
}

// A caller built against a shorter struct gets only what it has room for.
static void test_info_size(void **state) {
    (void)state;
    sw_processor_info info = {.size = offsetof(sw_processor_info, family)};
    info.family = "untouched";
    sw_processor_get_info(find("gfx906"), &info);
    assert_string_equal(info.name, "gfx906");
    assert_string_equal(info.family, "untouched");
    assert_int_equal(info.size, offsetof(sw_processor_info, family));
}

static void test_generation_tree(void **state) {
    (void)state;
    for (int g = GFX6; g < GENERATIONS; g++) { // every path ends at GFX6
        int steps = 0, at = g;
        while (at != GFX6 && steps++ < GENERATIONS) at = generation_rows[at].parent;
        assert_int_equal(at, GFX6);
    }
    assert_int_equal(generation_rows[GFX10].parent, GFX9);
    assert_int_equal(generation_rows[GFX90A].parent, GFX908);
}

// Said, inherited, said otherwise again, and inherited from there.
static void test_generation_facts(void **state) {
    (void)state;
    static const struct {
        const char *name;
        enum fact fact;
        unsigned value;
    } expected[] = {
        {"gfx600", FACT_sgprs, 104},
        {"gfx803", FACT_sgprs, 102},
        {"gfx942", FACT_sgprs, 102},
        {"gfx1201", FACT_sgprs, 106},
        {"gfx900", FACT_null_register, 0},
        {"gfx1010", FACT_null_register, 125},
        {"gfx1150", FACT_null_register, 124},
        {"gfx908", FACT_gds, 2},
        {"gfx942", FACT_gds, 1},
        {"gfx1010", FACT_gds, 2},
        {"gfx1200", FACT_gds, 0},
        {"gfx942", FACT_fp8_fnuz, 1},
        {"gfx950", FACT_fp8_fnuz, 0},
        {"gfx1200", FACT_fp8_fnuz, 0},
        {"gfx1100", FACT_lds_address_bits, 32},
        {"gfx1200", FACT_lds_address_bits, 17},
        {"gfx90a", FACT_srd, SRD_GFX9},
        {"gfx1030", FACT_srd, SRD_GFX10},
        {"gfx900", FACT_hwregs, HWREGS_GFX6},
        {"gfx1151", FACT_hwregs, HWREGS_GFX10},
        {"gfx1200", FACT_hwregs, HWREGS_GFX12},
        {"gfx90a", FACT_first_nan, 0},
        {"gfx1010", FACT_first_nan, 1},
        {"gfx1030", FACT_min_max_keeps, 0},
        {"gfx950", FACT_min_max_keeps, 0},
        {"gfx1100", FACT_min_max_keeps, 1},
        {"gfx1150", FACT_min_max_keeps, 1},
        {"gfx1201", FACT_min_max_keeps, 1},
        {"gfx1250", FACT_min_max_keeps, 1},
        {"gfx950", FACT_packed_overflow, 0},
        {"gfx1250", FACT_packed_overflow, 1},
        {"gfx906", FACT_limits_turns, 1},
        {"gfx1100", FACT_limits_turns, 0},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(fact(find(expected[i].name), expected[i].fact), expected[i].value);
}

static void test_address_spaces(void **state) {
    (void)state;
    static const struct {
        unsigned number, bits;
        const char *name, *segment;
        int64_t null;
    } expected[] = {
        {0, 64, "Generic", "flat", 0},               // AS-01
        {1, 64, "Global", "global", 0},              // AS-02
        {2, 32, "Region", NULL, -1},                 // AS-03
        {3, 32, "Local", "group", 0xffffffff},       // AS-04
        {4, 64, "Constant", "constant", 0},          // AS-05
        {5, 32, "Private", "private", 0xffffffff},   // AS-06
        {6, 32, "Constant 32-bit", NULL, 0},         // AS-07
        {7, 160, "Buffer Fat Pointer", NULL, 0},     // AS-08
        {8, 128, "Buffer Resource", NULL, 0},        // AS-09
        {9, 192, "Buffer Strided Pointer", NULL, 0}, // AS-10
        {128, 0, "Streamout Registers", NULL, -1},   // AS-11
    };
    assert_int_equal(sw_address_space_count(), sizeof expected / sizeof *expected);
    for (size_t i = 0; i < sw_address_space_count(); i++) {
        const sw_address_space *a = sw_address_space_at(i);
        assert_int_equal(a->number, expected[i].number);
        assert_int_equal(a->bits, expected[i].bits);
        assert_string_equal(a->name, expected[i].name);
        if (expected[i].segment)
            assert_string_equal(a->hsa_segment, expected[i].segment);
        else
            assert_null(a->hsa_segment);
        assert_int_equal(a->has_null, expected[i].null >= 0);
        if (a->has_null) assert_int_equal(a->null_value, (uint64_t)expected[i].null);
        assert_int_equal(sw_processor_has_address_space(find("gfx90a"), a->number), true);
    }
    assert_false(sw_processor_has_address_space(find("gfx90a"), 10));
    assert_false(sw_processor_has_address_space(find("gfx600"), 0)); // AS-13
    assert_null(sw_address_space_at(sw_address_space_count()));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_mach_values),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_capabilities),
        cmocka_unit_test(test_generic_is_intersection),
        cmocka_unit_test(test_generic_members),
        cmocka_unit_test(test_occupancy),
        cmocka_unit_test(test_register_facts),
        cmocka_unit_test(test_isa_versions),
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_info_size),
        cmocka_unit_test(test_generation_tree),
        cmocka_unit_test(test_generation_facts),
        cmocka_unit_test(test_address_spaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
