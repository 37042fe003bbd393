// SPDX-License-Identifier: MIT
// The table of processors: R600 to GFX12 and the generic ones, family by family as in the usage guide's
// tables 22 and 23. A new processor is one entry: its name, ISA version, e_flags value, the facts of its
// generation (a FACTS macro: register files and memories) and its capabilities (a set built from its
// ancestor's). Compute units differ between products; they are those of the device that Softwave reports.
#include "target/target.h"

#include <string.h>

// clang-format off

// -- Capabilities, each set from the one before ------------------------------------------------------
#define B(c) ((unsigned __int128)1 << CAP_##c)
#define CAPS(set) .caps = {{(uint64_t)(set), (uint64_t)((set) >> 64)}}

#define GFX6_SET (B(image) | B(extended_image) | B(s_memtime) | B(ieee_mode))
#define GFX7_SET (GFX6_SET | B(flat_address_space))
#define GFX8_SET (GFX7_SET | B(scalar_stores) | B(s_memrealtime))
#define GFX9_SET (GFX8_SET | B(scalar_atomics) | B(scalar_flat_scratch) | B(packed_d16) | B(aperture_registers) \
                  | B(absolute_flat_scratch) | B(xnack))

#define GFX906_SET (GFX9_SET | B(fma_mix) | B(dl) | B(dot1) | B(dot2) | B(dot7) | B(dot10) | B(sramecc))
#define GFX908_SET (GFX906_SET | B(pk_fmac_f16) | B(dot3) | B(dot4) | B(dot5) | B(dot6) | B(agprs) \
                    | B(atomic_fadd_nortn) | B(atomic_pk_add_f16_nortn))
#define GFX90A_SET ((GFX908_SET & ~B(extended_image)) | B(atomic_fadd_rtn) | B(atomic_pk_add_f16_rtn) | B(lds_add_f64) \
                    | B(unified_vgprs) | B(even_vgpr_tuples) | B(packed_workitem_ids) | B(kernarg_preload) | B(tgsplit))
#define GFX9_4_SET ((GFX90A_SET & ~B(image) & ~B(absolute_flat_scratch)) | B(architected_flat_scratch) \
                    | B(atomic_pk_add_bf16) | B(flat_atomic_fadd_f32) | B(flat_atomic_pk_add) | B(ds_pk_add_16) \
                    | B(ttmps_read_zero))
#define GFX942_SET (GFX9_4_SET | B(fp8_conversions) | B(fp8_matrix) | B(xf32_matrix))
#define GFX950_SET (GFX9_4_SET | B(fp8_conversions) | B(fp8_matrix) | B(dot12) | B(dot13) | B(buffer_pk_add_bf16) \
                    | B(lds_loads_masked))

#define RDNA_SET (GFX7_SET | B(s_memrealtime) | B(packed_d16) | B(aperture_registers) | B(fma_mix) | B(dl) \
                  | B(pk_fmac_f16) | B(wave32) | B(cumode) | B(null_register) | B(fixed_sgprs) | B(hi16_preserved))
#define DOT_SET (B(dot1) | B(dot2) | B(dot5) | B(dot6) | B(dot7) | B(dot10))
#define GFX10_1_SET (RDNA_SET | B(permute_32) | B(scalar_stores) | B(scalar_atomics) | B(scalar_flat_scratch) \
                     | B(absolute_flat_scratch) | B(xnack) | B(branch_3f_bug))
#define GFX10_3_SET (RDNA_SET | DOT_SET | B(permute_32) | B(absolute_flat_scratch) | B(gfx10_a) | B(gfx10_b) | B(bvh))
#define GFX11_SET ((RDNA_SET & ~B(s_memtime) & ~B(s_memrealtime)) | B(permute_32) | B(gfx10_a) | B(gfx10_b) | B(bvh) | B(dot5) | B(dot7) \
                   | B(dot8) | B(dot9) | B(dot10) | B(dot12) | B(real_true16) | B(true16_default) | B(atomic_fadd_rtn) \
                   | B(atomic_fadd_nortn) | B(flat_atomic_fadd_f32) | B(packed_workitem_ids) | B(architected_flat_scratch) \
                   | B(zero_sgpr_out_of_range) | B(ttmps_read_zero) | B(ttmp_write_keeps_scc))
#define GFX11_5_SET (GFX11_SET | B(salu_float) | B(dpp_src1_sgpr) | B(singleuse_hint))
#define GFX12_SET ((GFX11_5_SET & ~B(ttmps_read_zero) & ~B(permute_32) & ~B(dot5) & ~B(true16_default) & ~B(ieee_mode)) | B(dot11) | B(fp8_conversions) \
                   | B(fp8_matrix) | B(atomic_pk_add_f16_rtn) | B(atomic_pk_add_f16_nortn) | B(atomic_pk_add_bf16) \
                   | B(buffer_pk_add_bf16) | B(flat_atomic_pk_add) | B(ds_pk_add_16) | B(architected_workgroup_ids) \
                   | B(flat_lds_keeps_denormals))

// -- Register files and memories ---------------------------------------------------------------------
#define KIB 1024u
#define GCN_SIMD .simds_per_cu = 4, .waves_per_simd = 10
#define GCN_VGPRS .vgprs_w64 = 256, .vgpr_file_w64 = 256, .vgpr_granule_w64 = 4, .vgpr_encoding_granule_w64 = 4
#define GFX6_FACTS GCN_SIMD, GCN_VGPRS, .sgprs = 104, .sgpr_granule = 8, .sgpr_encoding_granule = 8, .sgpr_file = 512, \
    .lds_bytes = 32 * KIB, .lds_granule = 256
#define GFX7_FACTS GCN_SIMD, GCN_VGPRS, .sgprs = 104, .sgpr_granule = 8, .sgpr_encoding_granule = 8, .sgpr_file = 512, \
    .lds_bytes = 64 * KIB, .lds_granule = 512
#define GFX8_SGPRS .sgprs = 102, .sgpr_granule = 16, .sgpr_encoding_granule = 8, .sgpr_file = 800
#define GFX8_FACTS GCN_SIMD, GCN_VGPRS, GFX8_SGPRS, .lds_bytes = 64 * KIB, .lds_granule = 512
#define GFX9_FACTS GFX8_FACTS
// gfx90a doubles the file and lets one wave split 512 registers between VGPRs and AGPRs.
#define GFX90A_VGPRS .vgprs_w64 = 256, .vgpr_file_w64 = 512, .vgpr_granule_w64 = 8, .vgpr_encoding_granule_w64 = 8
#define GFX90A_SIMD .simds_per_cu = 4, .waves_per_simd = 8
#define GFX90A_FACTS GFX90A_SIMD, GFX90A_VGPRS, GFX8_SGPRS, .lds_bytes = 64 * KIB, .lds_granule = 512
#define GFX950_FACTS GFX90A_SIMD, GFX90A_VGPRS, GFX8_SGPRS, .lds_bytes = 160 * KIB, .lds_granule = 1280

// A wave64 takes twice the room of a wave32, so its granule and its file count half the registers.
#define RDNA_VGPRS(file, granule) .vgprs_w32 = 256, .vgprs_w64 = 256, \
    .vgpr_file_w32 = file, .vgpr_file_w64 = (file) / 2, .vgpr_granule_w32 = granule, .vgpr_granule_w64 = (granule) / 2, \
    .vgpr_encoding_granule_w32 = 8, .vgpr_encoding_granule_w64 = 4
#define RDNA_FIXED .simds_per_cu = 2, .sgprs = 106, .sgpr_granule = 128, .sgpr_encoding_granule = 8, \
    .lds_bytes = 64 * KIB, .lds_granule = 512
#define GFX10_1_FACTS RDNA_FIXED, .waves_per_simd = 20, RDNA_VGPRS(1024, 8)
#define GFX10_3_FACTS RDNA_FIXED, .waves_per_simd = 16, RDNA_VGPRS(1024, 16)
// gfx1100, gfx1101, gfx1151 and GFX12 have half as many VGPRs again as their kin.
#define GFX11_LARGE_FACTS RDNA_FIXED, .waves_per_simd = 16, RDNA_VGPRS(1536, 24)

// -- Names -------------------------------------------------------------------------------------------
#define ISA(major, minor, stepping) .isa_major = major, .isa_minor = minor, .isa_stepping = stepping
#define ALSO(...) .alternatives = (const char *const[]){__VA_ARGS__, NULL}
#define MEMBER(mach, since) .member_of = mach, .member_since = since
enum { GFX9_GENERIC = 0x51, GFX10_1_GENERIC, GFX10_3_GENERIC, GFX11_GENERIC, GFX12_GENERIC = 0x59, GFX9_4_GENERIC = 0x5f };

#define APU .apu = 1
#define HSA (1 << SW_OS_AMDHSA)
#define PAL (1 << SW_OS_AMDPAL)
#define ALL_LOADERS .os = HSA | PAL, .loaders = 1 << LOADER_ROCM_AMDHSA | 1 << LOADER_PAL_AMDHSA | 1 << LOADER_PAL_AMDPAL
#define PAL_LOADERS .os = HSA | PAL, .loaders = 1 << LOADER_PAL_AMDHSA | 1 << LOADER_PAL_AMDPAL
#define PAL_ONLY .os = PAL, .loaders = 1 << LOADER_PAL_AMDPAL
#define ROCM_ONLY .os = HSA, .loaders = 1 << LOADER_ROCM_AMDHSA

#define IN_R600 .generation = GEN_R600, .family = "Radeon HD 2000/3000 (R600)"
#define IN_R700 .generation = GEN_R600, .family = "Radeon HD 4000 (R700)"
#define IN_EVERGREEN .generation = GEN_R600, .family = "Radeon HD 5000 (Evergreen)"
#define IN_NI .generation = GEN_R600, .family = "Radeon HD 6000 (Northern Islands)"
#define IN_GFX6 .generation = GFX6
#define IN_GFX7 .generation = GFX7
#define IN_GFX8 .generation = GFX8
#define IN_GFX9 .generation = GFX9
#define IN_CDNA1 .generation = GFX908
#define IN_CDNA2 .generation = GFX90A
#define IN_CDNA3 .generation = GFX942
#define IN_CDNA4 .generation = GFX950
#define IN_RDNA1 .generation = GFX10
#define IN_RDNA2 .generation = GFX10_3
#define IN_RDNA3 .generation = GFX11
#define IN_RDNA35 .generation = GFX11_5
#define IN_RDNA4 .generation = GFX12

static const struct sw_processor processors[] = {
    {.name = "r600", .elf_mach = 0x01, IN_R600},
    {.name = "r630", .elf_mach = 0x02, IN_R600},
    {.name = "rs880", .elf_mach = 0x03, IN_R600},
    {.name = "rv670", .elf_mach = 0x04, IN_R600},
    {.name = "rv710", .elf_mach = 0x05, IN_R700},
    {.name = "rv730", .elf_mach = 0x06, IN_R700},
    {.name = "rv770", .elf_mach = 0x07, IN_R700},
    {.name = "cedar", .elf_mach = 0x08, IN_EVERGREEN},
    {.name = "cypress", .elf_mach = 0x09, IN_EVERGREEN},
    {.name = "juniper", .elf_mach = 0x0a, IN_EVERGREEN},
    {.name = "redwood", .elf_mach = 0x0b, IN_EVERGREEN},
    {.name = "sumo", .elf_mach = 0x0c, IN_EVERGREEN},
    {.name = "barts", .elf_mach = 0x0d, IN_NI},
    {.name = "caicos", .elf_mach = 0x0e, IN_NI},
    {.name = "cayman", .elf_mach = 0x0f, IN_NI},
    {.name = "turks", .elf_mach = 0x10, IN_NI},

    {.name = "gfx600", ALSO("tahiti"), ISA(6, 0, 0), .elf_mach = 0x20, IN_GFX6, PAL_ONLY,
     CAPS(GFX6_SET), GFX6_FACTS, .compute_units = 32},
    {.name = "gfx601", ALSO("pitcairn", "verde"), ISA(6, 0, 1), .elf_mach = 0x21, IN_GFX6, PAL_ONLY,
     CAPS(GFX6_SET), GFX6_FACTS, .compute_units = 20},
    {.name = "gfx602", ALSO("hainan", "oland"), ISA(6, 0, 2), .elf_mach = 0x3a, IN_GFX6, PAL_ONLY,
     CAPS(GFX6_SET), GFX6_FACTS, .compute_units = 6},

    {.name = "gfx700", ALSO("kaveri"), ISA(7, 0, 0), .elf_mach = 0x22, IN_GFX7, APU, ALL_LOADERS,
     CAPS(GFX7_SET), GFX7_FACTS, .compute_units = 8},
    {.name = "gfx701", ALSO("hawaii"), ISA(7, 0, 1), .elf_mach = 0x23, IN_GFX7, ALL_LOADERS,
     CAPS(GFX7_SET), GFX7_FACTS, .compute_units = 44},
    {.name = "gfx702", ISA(7, 0, 2), .elf_mach = 0x24, IN_GFX7, ALL_LOADERS,
     CAPS(GFX7_SET | B(lds_16_banks)), GFX7_FACTS, .compute_units = 40},
    {.name = "gfx703", ALSO("kabini", "mullins"), ISA(7, 0, 3), .elf_mach = 0x25, IN_GFX7, APU, PAL_LOADERS,
     CAPS(GFX7_SET | B(lds_16_banks)), GFX7_FACTS, .compute_units = 2},
    {.name = "gfx704", ALSO("bonaire"), ISA(7, 0, 4), .elf_mach = 0x26, IN_GFX7, PAL_LOADERS,
     CAPS(GFX7_SET), GFX7_FACTS, .compute_units = 14},
    {.name = "gfx705", ISA(7, 0, 5), .elf_mach = 0x3b, IN_GFX7, APU, PAL_LOADERS,
     CAPS(GFX7_SET | B(lds_16_banks)), GFX7_FACTS, .compute_units = 2},

    {.name = "gfx801", ALSO("carrizo"), ISA(8, 0, 1), .elf_mach = 0x28, IN_GFX8, APU, ALL_LOADERS,
     CAPS(GFX8_SET | B(xnack)), GFX8_FACTS, .compute_units = 8},
    {.name = "gfx802", ALSO("iceland", "tonga"), ISA(8, 0, 2), .elf_mach = 0x29, IN_GFX8, ALL_LOADERS,
     CAPS(GFX8_SET | B(sgpr_init_bug)), GFX8_FACTS, .compute_units = 32},
    {.name = "gfx803", ALSO("fiji", "polaris10", "polaris11"), ISA(8, 0, 3), .elf_mach = 0x2a, IN_GFX8, ALL_LOADERS,
     CAPS(GFX8_SET), GFX8_FACTS, .compute_units = 64},
    {.name = "gfx805", ALSO("tongapro"), ISA(8, 0, 5), .elf_mach = 0x3c, IN_GFX8, ALL_LOADERS,
     CAPS(GFX8_SET | B(sgpr_init_bug)), GFX8_FACTS, .compute_units = 32},
    {.name = "gfx810", ALSO("stoney"), ISA(8, 1, 0), .elf_mach = 0x2b, IN_GFX8, APU, ALL_LOADERS,
     CAPS(GFX8_SET | B(xnack) | B(packed_d16) | B(lds_16_banks)), GFX8_FACTS, .compute_units = 3},

    {.name = "gfx900", ISA(9, 0, 0), .elf_mach = 0x2c, IN_GFX9, ALL_LOADERS, MEMBER(GFX9_GENERIC, 1),
     CAPS(GFX9_SET | B(mad_mix)), GFX9_FACTS, .compute_units = 64},
    {.name = "gfx902", ISA(9, 0, 2), .elf_mach = 0x2d, IN_GFX9, APU, ALL_LOADERS, MEMBER(GFX9_GENERIC, 1),
     CAPS(GFX9_SET | B(mad_mix)), GFX9_FACTS, .compute_units = 11},
    {.name = "gfx904", ISA(9, 0, 4), .elf_mach = 0x2e, IN_GFX9, ALL_LOADERS, MEMBER(GFX9_GENERIC, 1),
     CAPS(GFX9_SET | B(fma_mix)), GFX9_FACTS, .compute_units = 20},
    {.name = "gfx906", ISA(9, 0, 6), .elf_mach = 0x2f, IN_GFX9, ALL_LOADERS, MEMBER(GFX9_GENERIC, 1),
     CAPS(GFX906_SET), GFX9_FACTS, .compute_units = 60},
    {.name = "gfx909", ISA(9, 0, 9), .elf_mach = 0x31, IN_GFX9, APU, PAL_ONLY, MEMBER(GFX9_GENERIC, 1),
     CAPS(GFX9_SET | B(mad_mix)), GFX9_FACTS, .compute_units = 3},
    {.name = "gfx90c", ISA(9, 0, 12), .elf_mach = 0x32, IN_GFX9, APU, PAL_ONLY, MEMBER(GFX9_GENERIC, 1),
     CAPS(GFX9_SET | B(mad_mix)), GFX9_FACTS, .compute_units = 8},
    {.name = "gfx908", ISA(9, 0, 8), .elf_mach = 0x30, IN_CDNA1, ROCM_ONLY,
     CAPS(GFX908_SET), GFX9_FACTS, .compute_units = 120},
    {.name = "gfx90a", ISA(9, 0, 10), .elf_mach = 0x3f, IN_CDNA2, ROCM_ONLY,
     CAPS(GFX90A_SET), GFX90A_FACTS, .compute_units = 104},
    {.name = "gfx942", ISA(9, 4, 2), .elf_mach = 0x4c, IN_CDNA3, MEMBER(GFX9_4_GENERIC, 1),
     CAPS(GFX942_SET), GFX90A_FACTS, .compute_units = 304},
    {.name = "gfx950", ISA(9, 5, 0), .elf_mach = 0x4f, IN_CDNA4, MEMBER(GFX9_4_GENERIC, 1),
     CAPS(GFX950_SET), GFX950_FACTS, .compute_units = 256},

    {.name = "gfx1010", ISA(10, 1, 0), .elf_mach = 0x33, IN_RDNA1, ALL_LOADERS, MEMBER(GFX10_1_GENERIC, 1),
     CAPS(GFX10_1_SET), GFX10_1_FACTS, .compute_units = 40},
    {.name = "gfx1011", ISA(10, 1, 1), .elf_mach = 0x34, IN_RDNA1, ALL_LOADERS, MEMBER(GFX10_1_GENERIC, 1),
     CAPS(GFX10_1_SET | DOT_SET), GFX10_1_FACTS, .compute_units = 36},
    {.name = "gfx1012", ISA(10, 1, 2), .elf_mach = 0x35, IN_RDNA1, ALL_LOADERS, MEMBER(GFX10_1_GENERIC, 1),
     CAPS(GFX10_1_SET | DOT_SET), GFX10_1_FACTS, .compute_units = 22},
    {.name = "gfx1013", ISA(10, 1, 3), .elf_mach = 0x42, IN_RDNA1, APU, ALL_LOADERS, MEMBER(GFX10_1_GENERIC, 1),
     CAPS(GFX10_1_SET | B(gfx10_a) | B(bvh)), GFX10_1_FACTS, .compute_units = 24},

    {.name = "gfx1030", ISA(10, 3, 0), .elf_mach = 0x36, IN_RDNA2, ALL_LOADERS, MEMBER(GFX10_3_GENERIC, 1),
     CAPS(GFX10_3_SET), GFX10_3_FACTS, .compute_units = 72},
    {.name = "gfx1031", ISA(10, 3, 1), .elf_mach = 0x37, IN_RDNA2, ALL_LOADERS, MEMBER(GFX10_3_GENERIC, 1),
     CAPS(GFX10_3_SET), GFX10_3_FACTS, .compute_units = 40},
    {.name = "gfx1032", ISA(10, 3, 2), .elf_mach = 0x38, IN_RDNA2, ALL_LOADERS, MEMBER(GFX10_3_GENERIC, 1),
     CAPS(GFX10_3_SET), GFX10_3_FACTS, .compute_units = 32},
    {.name = "gfx1033", ISA(10, 3, 3), .elf_mach = 0x39, IN_RDNA2, APU, PAL_ONLY, MEMBER(GFX10_3_GENERIC, 1),
     CAPS(GFX10_3_SET), GFX10_3_FACTS, .compute_units = 8},
    {.name = "gfx1034", ISA(10, 3, 4), .elf_mach = 0x3e, IN_RDNA2, PAL_ONLY, MEMBER(GFX10_3_GENERIC, 1),
     CAPS(GFX10_3_SET), GFX10_3_FACTS, .compute_units = 16},
    {.name = "gfx1035", ISA(10, 3, 5), .elf_mach = 0x3d, IN_RDNA2, APU, PAL_ONLY, MEMBER(GFX10_3_GENERIC, 1),
     CAPS(GFX10_3_SET), GFX10_3_FACTS, .compute_units = 12},
    {.name = "gfx1036", ISA(10, 3, 6), .elf_mach = 0x45, IN_RDNA2, APU, PAL_ONLY, MEMBER(GFX10_3_GENERIC, 1),
     CAPS(GFX10_3_SET), GFX10_3_FACTS, .compute_units = 2},

    {.name = "gfx1100", ISA(11, 0, 0), .elf_mach = 0x41, IN_RDNA3, PAL_ONLY, MEMBER(GFX11_GENERIC, 1),
     CAPS(GFX11_SET), GFX11_LARGE_FACTS, .compute_units = 96},
    {.name = "gfx1101", ISA(11, 0, 1), .elf_mach = 0x46, IN_RDNA3, MEMBER(GFX11_GENERIC, 1),
     CAPS(GFX11_SET), GFX11_LARGE_FACTS, .compute_units = 60},
    {.name = "gfx1102", ISA(11, 0, 2), .elf_mach = 0x47, IN_RDNA3, MEMBER(GFX11_GENERIC, 1),
     CAPS(GFX11_SET), GFX10_3_FACTS, .compute_units = 32},
    {.name = "gfx1103", ISA(11, 0, 3), .elf_mach = 0x44, IN_RDNA3, APU, MEMBER(GFX11_GENERIC, 1),
     CAPS(GFX11_SET), GFX10_3_FACTS, .compute_units = 12},
    {.name = "gfx1150", ISA(11, 5, 0), .elf_mach = 0x43, IN_RDNA35, APU, MEMBER(GFX11_GENERIC, 1),
     CAPS(GFX11_5_SET), GFX10_3_FACTS, .compute_units = 16},
    {.name = "gfx1151", ISA(11, 5, 1), .elf_mach = 0x4a, IN_RDNA35, APU, MEMBER(GFX11_GENERIC, 1),
     CAPS(GFX11_5_SET), GFX11_LARGE_FACTS, .compute_units = 40},
    {.name = "gfx1152", ISA(11, 5, 2), .elf_mach = 0x55, IN_RDNA35, APU, MEMBER(GFX11_GENERIC, 1),
     CAPS(GFX11_5_SET), GFX10_3_FACTS, .compute_units = 8},
    {.name = "gfx1153", ISA(11, 5, 3), .elf_mach = 0x58, IN_RDNA35, APU, MEMBER(GFX11_GENERIC, 1),
     CAPS(GFX11_5_SET), GFX10_3_FACTS, .compute_units = 4},

    {.name = "gfx1200", ISA(12, 0, 0), .elf_mach = 0x48, IN_RDNA4, MEMBER(GFX12_GENERIC, 1),
     CAPS(GFX12_SET), GFX11_LARGE_FACTS, .compute_units = 32},
    {.name = "gfx1201", ISA(12, 0, 1), .elf_mach = 0x4e, IN_RDNA4, MEMBER(GFX12_GENERIC, 1),
     CAPS(GFX12_SET), GFX11_LARGE_FACTS, .compute_units = 64},

    // Generic processors: what every member has. Their device is the first member's size.
    {.name = "gfx9-generic", ISA(9, 0, 0), .elf_mach = GFX9_GENERIC, .generic_version = 1, IN_GFX9,
     CAPS(GFX9_SET), GFX9_FACTS, .compute_units = 64},
    {.name = "gfx9-4-generic", ISA(9, 4, 0), .elf_mach = GFX9_4_GENERIC, .generic_version = 1, IN_CDNA3,
     CAPS(GFX9_4_SET), GFX90A_FACTS, .compute_units = 304},
    {.name = "gfx10-1-generic", ISA(10, 1, 0), .elf_mach = GFX10_1_GENERIC, .generic_version = 1, IN_RDNA1,
     CAPS(GFX10_1_SET), GFX10_1_FACTS, .compute_units = 40},
    {.name = "gfx10-3-generic", ISA(10, 3, 0), .elf_mach = GFX10_3_GENERIC, .generic_version = 1, IN_RDNA2,
     CAPS(GFX10_3_SET), GFX10_3_FACTS, .compute_units = 72},
    {.name = "gfx11-generic", ISA(11, 0, 3), .elf_mach = GFX11_GENERIC, .generic_version = 1, IN_RDNA3,
     CAPS(GFX11_SET), GFX10_3_FACTS, .compute_units = 96},
    {.name = "gfx12-generic", ISA(12, 0, 0), .elf_mach = GFX12_GENERIC, .generic_version = 1, IN_RDNA4,
     CAPS(GFX12_SET), GFX11_LARGE_FACTS, .compute_units = 32},
};
// clang-format on

enum { PROCESSORS = sizeof processors / sizeof *processors };

const struct generation_row generation_rows[GENERATIONS] = {
#define F(fact, value)                                  [FACT_##fact] = (value) + 1,
#define GENERATION(name, from, column, heading, values) [name] = {from, heading, {values}},
#include "target/generations.def"
#undef GENERATION
#undef F
};

unsigned generation_fact(enum generation g, enum fact f) {
    for (;; g = (enum generation)generation_rows[g].parent) {
        if (generation_rows[g].facts[f]) return generation_rows[g].facts[f] - 1u;
        if (generation_rows[g].parent == g) return 0;
    }
}

static bool same(const char *name, const char *text, size_t length) {
    return !strncmp(name, text, length) && !name[length];
}

const sw_processor *sw_processor_find(const char *name, size_t length) {
    if (!length || memchr(name, 0, length)) return NULL;
    for (const struct sw_processor *p = processors; p < processors + PROCESSORS; p++) {
        if (same(p->name, name, length)) return p;
        for (const char *const *a = p->alternatives; a && *a; a++)
            if (same(*a, name, length)) return p;
    }
    return NULL;
}

const sw_processor *sw_processor_by_mach(unsigned mach) {
    for (const struct sw_processor *p = processors; p < processors + PROCESSORS; p++)
        if (p->elf_mach == mach) return p;
    return NULL;
}

size_t sw_processor_count(void) { return PROCESSORS; }
const sw_processor *sw_processor_at(size_t index) { return index < PROCESSORS ? &processors[index] : NULL; }
const char *sw_processor_name(const sw_processor *p) { return p->name; }
