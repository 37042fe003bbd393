// SPDX-License-Identifier: MIT
// The table of processors: R600 to GFX12.5 and the generic ones, family by family as in the usage guide's
// tables 22 and 23. A new processor is one entry: its name, ISA version, e_flags value, its
// generation, whose facts and capabilities it has (generations.def), and what it has otherwise. Compute units
// differ between products; they are those of the device that Softwave reports.
#include "target/target.h"

#include <string.h>

// clang-format off

// -- Capabilities: its generation's, and what this processor has more or has not; facts that differ ----
#define B(c) ((unsigned __int128)1 << CAP_##c)
#define CAPS(set) .caps = {{(uint64_t)(set), (uint64_t)((set) >> 64)}}
#define IN(g, ...) .generation = g, CAPS(g##_CAPS __VA_ARGS__)
#define F(name, n) {FACT_##name, n},
#define OWN(...) .own = (const struct own_fact[]){__VA_ARGS__ {FACTS, 0}}
// gfx1100, gfx1101 and gfx1151 have half as many VGPRs again as their kin.
#define LARGE_VGPRS OWN(F(vgpr_file_w64, 768) F(vgpr_file_w32, 1536) F(vgpr_granule_w64, 12) F(vgpr_granule_w32, 24))

// -- Names -------------------------------------------------------------------------------------------
#define ISA(major, minor, stepping) .isa_major = major, .isa_minor = minor, .isa_stepping = stepping
#define ALSO(...) .alternatives = (const char *const[]){__VA_ARGS__, NULL}
#define SAME(...) .chips = (const char *const[]){__VA_ARGS__, NULL} // of the R600 family, as Mesa calls them
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

static const struct sw_processor processors[] = {
    {.name = "r600", .elf_mach = 0x01, IN_R600},
    {.name = "r630", SAME("rv630", "rv635"), .elf_mach = 0x02, IN_R600},
    {.name = "rs880", SAME("rs780", "rv610", "rv620"), .elf_mach = 0x03, IN_R600},
    {.name = "rv670", .elf_mach = 0x04, IN_R600},
    {.name = "rv710", .elf_mach = 0x05, IN_R700},
    {.name = "rv730", .elf_mach = 0x06, IN_R700},
    {.name = "rv770", SAME("rv740", "rv790"), .elf_mach = 0x07, IN_R700},
    {.name = "cedar", SAME("palm"), .elf_mach = 0x08, IN_EVERGREEN},
    {.name = "cypress", SAME("hemlock"), .elf_mach = 0x09, IN_EVERGREEN},
    {.name = "juniper", .elf_mach = 0x0a, IN_EVERGREEN},
    {.name = "redwood", .elf_mach = 0x0b, IN_EVERGREEN},
    {.name = "sumo", SAME("sumo2"), .elf_mach = 0x0c, IN_EVERGREEN},
    {.name = "barts", .elf_mach = 0x0d, IN_NI},
    {.name = "caicos", .elf_mach = 0x0e, IN_NI},
    {.name = "cayman", SAME("aruba"), .elf_mach = 0x0f, IN_NI},
    {.name = "turks", .elf_mach = 0x10, IN_NI},

    {.name = "gfx600", ALSO("tahiti"), ISA(6, 0, 0), .elf_mach = 0x20, PAL_ONLY,
     IN(GFX6,), .compute_units = 32},
    {.name = "gfx601", ALSO("pitcairn", "verde"), ISA(6, 0, 1), .elf_mach = 0x21, PAL_ONLY,
     IN(GFX6,), .compute_units = 20},
    {.name = "gfx602", ALSO("hainan", "oland"), ISA(6, 0, 2), .elf_mach = 0x3a, PAL_ONLY,
     IN(GFX6,), .compute_units = 6},

    {.name = "gfx700", ALSO("kaveri"), ISA(7, 0, 0), .elf_mach = 0x22, APU, ALL_LOADERS,
     IN(GFX7,), .compute_units = 8},
    {.name = "gfx701", ALSO("hawaii"), ISA(7, 0, 1), .elf_mach = 0x23, ALL_LOADERS,
     IN(GFX7,), .compute_units = 44},
    {.name = "gfx702", ISA(7, 0, 2), .elf_mach = 0x24, ALL_LOADERS,
     IN(GFX7, | B(lds_16_banks)), .compute_units = 40},
    {.name = "gfx703", ALSO("kabini", "mullins"), ISA(7, 0, 3), .elf_mach = 0x25, APU, PAL_LOADERS,
     IN(GFX7, | B(lds_16_banks)), .compute_units = 2},
    {.name = "gfx704", ALSO("bonaire"), ISA(7, 0, 4), .elf_mach = 0x26, PAL_LOADERS,
     IN(GFX7,), .compute_units = 14},
    {.name = "gfx705", ISA(7, 0, 5), .elf_mach = 0x3b, APU, PAL_LOADERS,
     IN(GFX7, | B(lds_16_banks)), .compute_units = 2},

    {.name = "gfx801", ALSO("carrizo"), ISA(8, 0, 1), .elf_mach = 0x28, APU, ALL_LOADERS,
     IN(GFX8, | B(xnack)), .compute_units = 8},
    {.name = "gfx802", ALSO("iceland", "tonga"), ISA(8, 0, 2), .elf_mach = 0x29, ALL_LOADERS,
     IN(GFX8, | B(sgpr_init_bug)), .compute_units = 32},
    {.name = "gfx803", ALSO("fiji", "polaris10", "polaris11"), ISA(8, 0, 3), .elf_mach = 0x2a, ALL_LOADERS,
     IN(GFX8,), .compute_units = 64},
    {.name = "gfx805", ALSO("tongapro"), ISA(8, 0, 5), .elf_mach = 0x3c, ALL_LOADERS,
     IN(GFX8, | B(sgpr_init_bug)), .compute_units = 32},
    {.name = "gfx810", ALSO("stoney"), ISA(8, 1, 0), .elf_mach = 0x2b, APU, ALL_LOADERS,
     IN(GFX8, | B(xnack) | B(packed_d16) | B(lds_16_banks)), .compute_units = 3},

    {.name = "gfx900", ISA(9, 0, 0), .elf_mach = 0x2c, ALL_LOADERS, MEMBER(GFX9_GENERIC, 1),
     IN(GFX9, | B(mad_mix)), .compute_units = 64},
    {.name = "gfx902", ISA(9, 0, 2), .elf_mach = 0x2d, APU, ALL_LOADERS, MEMBER(GFX9_GENERIC, 1),
     IN(GFX9, | B(mad_mix)), .compute_units = 11},
    {.name = "gfx904", ISA(9, 0, 4), .elf_mach = 0x2e, ALL_LOADERS, MEMBER(GFX9_GENERIC, 1),
     IN(GFX9, | B(fma_mix)), .compute_units = 20},
    {.name = "gfx906", ISA(9, 0, 6), .elf_mach = 0x2f, ALL_LOADERS, MEMBER(GFX9_GENERIC, 1),
     .generation = GFX9, CAPS(GFX906_CAPS), .compute_units = 60},
    {.name = "gfx909", ISA(9, 0, 9), .elf_mach = 0x31, APU, PAL_ONLY, MEMBER(GFX9_GENERIC, 1),
     IN(GFX9, | B(mad_mix)), .compute_units = 3},
    {.name = "gfx90c", ISA(9, 0, 12), .elf_mach = 0x32, APU, PAL_ONLY, MEMBER(GFX9_GENERIC, 1),
     IN(GFX9, | B(mad_mix)), .compute_units = 8},
    {.name = "gfx908", ISA(9, 0, 8), .elf_mach = 0x30, ROCM_ONLY,
     IN(GFX908,), .compute_units = 120},
    {.name = "gfx90a", ISA(9, 0, 10), .elf_mach = 0x3f, ROCM_ONLY,
     IN(GFX90A,), .compute_units = 104},
    {.name = "gfx942", ISA(9, 4, 2), .elf_mach = 0x4c, MEMBER(GFX9_4_GENERIC, 1),
     IN(GFX942,), .compute_units = 304},
    {.name = "gfx950", ISA(9, 5, 0), .elf_mach = 0x4f, MEMBER(GFX9_4_GENERIC, 1),
     IN(GFX950,), .compute_units = 256},

    {.name = "gfx1010", ISA(10, 1, 0), .elf_mach = 0x33, ALL_LOADERS, MEMBER(GFX10_1_GENERIC, 1),
     IN(GFX10,), .compute_units = 40},
    {.name = "gfx1011", ISA(10, 1, 1), .elf_mach = 0x34, ALL_LOADERS, MEMBER(GFX10_1_GENERIC, 1),
     IN(GFX10, | DOT_CAPS), .compute_units = 36},
    {.name = "gfx1012", ISA(10, 1, 2), .elf_mach = 0x35, ALL_LOADERS, MEMBER(GFX10_1_GENERIC, 1),
     IN(GFX10, | DOT_CAPS), .compute_units = 22},
    {.name = "gfx1013", ISA(10, 1, 3), .elf_mach = 0x42, APU, ALL_LOADERS, MEMBER(GFX10_1_GENERIC, 1),
     IN(GFX10, | B(gfx10_a) | B(bvh)), .compute_units = 24},

    {.name = "gfx1030", ISA(10, 3, 0), .elf_mach = 0x36, ALL_LOADERS, MEMBER(GFX10_3_GENERIC, 1),
     IN(GFX10_3,), .compute_units = 72},
    {.name = "gfx1031", ISA(10, 3, 1), .elf_mach = 0x37, ALL_LOADERS, MEMBER(GFX10_3_GENERIC, 1),
     IN(GFX10_3,), .compute_units = 40},
    {.name = "gfx1032", ISA(10, 3, 2), .elf_mach = 0x38, ALL_LOADERS, MEMBER(GFX10_3_GENERIC, 1),
     IN(GFX10_3,), .compute_units = 32},
    {.name = "gfx1033", ISA(10, 3, 3), .elf_mach = 0x39, APU, PAL_ONLY, MEMBER(GFX10_3_GENERIC, 1),
     IN(GFX10_3,), .compute_units = 8},
    {.name = "gfx1034", ISA(10, 3, 4), .elf_mach = 0x3e, PAL_ONLY, MEMBER(GFX10_3_GENERIC, 1),
     IN(GFX10_3,), .compute_units = 16},
    {.name = "gfx1035", ISA(10, 3, 5), .elf_mach = 0x3d, APU, PAL_ONLY, MEMBER(GFX10_3_GENERIC, 1),
     IN(GFX10_3,), .compute_units = 12},
    {.name = "gfx1036", ISA(10, 3, 6), .elf_mach = 0x45, APU, PAL_ONLY, MEMBER(GFX10_3_GENERIC, 1),
     IN(GFX10_3,), .compute_units = 2},

    {.name = "gfx1100", ISA(11, 0, 0), .elf_mach = 0x41, PAL_ONLY, MEMBER(GFX11_GENERIC, 1),
     IN(GFX11,), LARGE_VGPRS, .compute_units = 96},
    {.name = "gfx1101", ISA(11, 0, 1), .elf_mach = 0x46, MEMBER(GFX11_GENERIC, 1),
     IN(GFX11,), LARGE_VGPRS, .compute_units = 60},
    {.name = "gfx1102", ISA(11, 0, 2), .elf_mach = 0x47, MEMBER(GFX11_GENERIC, 1),
     IN(GFX11,), .compute_units = 32},
    {.name = "gfx1103", ISA(11, 0, 3), .elf_mach = 0x44, APU, MEMBER(GFX11_GENERIC, 1),
     IN(GFX11,), .compute_units = 12},
    {.name = "gfx1150", ISA(11, 5, 0), .elf_mach = 0x43, APU, MEMBER(GFX11_GENERIC, 1),
     IN(GFX11_5,), .compute_units = 16},
    {.name = "gfx1151", ISA(11, 5, 1), .elf_mach = 0x4a, APU, MEMBER(GFX11_GENERIC, 1),
     IN(GFX11_5,), LARGE_VGPRS, .compute_units = 40},
    {.name = "gfx1152", ISA(11, 5, 2), .elf_mach = 0x55, APU, MEMBER(GFX11_GENERIC, 1),
     IN(GFX11_5,), .compute_units = 8},
    {.name = "gfx1153", ISA(11, 5, 3), .elf_mach = 0x58, APU, MEMBER(GFX11_GENERIC, 1),
     IN(GFX11_5,), .compute_units = 4},

    {.name = "gfx1200", ISA(12, 0, 0), .elf_mach = 0x48, MEMBER(GFX12_GENERIC, 1),
     IN(GFX12,), .compute_units = 32},
    {.name = "gfx1201", ISA(12, 0, 1), .elf_mach = 0x4e, MEMBER(GFX12_GENERIC, 1),
     IN(GFX12,), .compute_units = 64},

    {.name = "gfx1250", ISA(12, 5, 0), .elf_mach = 0x49, APU,
     IN(GFX12_5,), .compute_units = 256},
    {.name = "gfx1251", ISA(12, 5, 1), .elf_mach = 0x5a, APU,
     IN(GFX12_5,), .compute_units = 256},

    // Generic processors: what every member has. Their device is the first member's size.
    {.name = "gfx9-generic", ISA(9, 0, 0), .elf_mach = GFX9_GENERIC, .generic_version = 1,
     IN(GFX9,), .compute_units = 64},
    {.name = "gfx9-4-generic", ISA(9, 4, 0), .elf_mach = GFX9_4_GENERIC, .generic_version = 1,
     .generation = GFX942, CAPS(GFX9_4_CAPS), .compute_units = 304},
    {.name = "gfx10-1-generic", ISA(10, 1, 0), .elf_mach = GFX10_1_GENERIC, .generic_version = 1,
     IN(GFX10,), .compute_units = 40},
    {.name = "gfx10-3-generic", ISA(10, 3, 0), .elf_mach = GFX10_3_GENERIC, .generic_version = 1,
     IN(GFX10_3,), .compute_units = 72},
    {.name = "gfx11-generic", ISA(11, 0, 3), .elf_mach = GFX11_GENERIC, .generic_version = 1,
     IN(GFX11,), .compute_units = 96},
    {.name = "gfx12-generic", ISA(12, 0, 0), .elf_mach = GFX12_GENERIC, .generic_version = 1,
     IN(GFX12,), .compute_units = 32},
};
// clang-format on

enum { PROCESSORS = sizeof processors / sizeof *processors };

#undef F
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

static bool among(const char *const *names, const char *name, size_t length) {
    for (; names && *names; names++)
        if (same(*names, name, length)) return true;
    return false;
}

const sw_processor *sw_processor_find(const char *name, size_t length) {
    if (!length || memchr(name, 0, length)) return NULL;
    for (const struct sw_processor *p = processors; p < processors + PROCESSORS; p++)
        if (same(p->name, name, length) || among(p->alternatives, name, length) ||
            among(p->chips, name, length))
            return p;
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
