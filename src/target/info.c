// SPDX-License-Identifier: MIT
// What is known of a processor, in the words of the usage guide: features, properties, loaders,
// capabilities, the LLVM address spaces, and how many waves fit a SIMD. All of it is derived from the
// struct of facts in processors.c.
#include "target/target.h"

#include <stdlib.h>
#include <string.h>

#include "base/sized.h"

const char *sw_version(void) { return "0.1.0"; }
void sw_free(void *memory) { free(memory); }
unsigned sw_version_number(void) { return SW_VERSION_NUMBER; }

const char *sw_status_text(sw_status status) {
    switch (status) {
    case SW_OK: return "done";
    case SW_USAGE: return "the arguments make no sense together";
    case SW_BAD_INPUT: return "the input is malformed";
    case SW_FAULTED: return "the GPU program faulted or was stopped";
    case SW_UNSUPPORTED: return "not supported";
    case SW_CHECK: return "a comparison failed";
    case SW_NO_MEMORY: return "out of memory";
    }
    return "unknown status";
}

static const char *const no_names[] = {NULL};

// Appends to a NULL-terminated list of SW_PROCESSOR_LIST names.
static void add_name(const char **list, const char *name) {
    size_t n = 0;
    while (list[n]) n++;
    if (n + 1 < SW_PROCESSOR_LIST) list[n] = name;
}

// Features of table 22 in alphabetical order (cumode, tgsplit, wavefrontsize64 are set by -m options,
// TGT-64).
static void list_features(const sw_processor *p, const char **list) {
    if (has(p, CAP_cumode)) add_name(list, "cumode");
    if (has(p, CAP_sramecc)) add_name(list, "sramecc");
    if (has(p, CAP_tgsplit)) add_name(list, "tgsplit");
    if (has(p, CAP_wave32) && !has(p, CAP_wave32_only)) add_name(list, "wavefrontsize64");
    if (has(p, CAP_xnack)) add_name(list, "xnack");
}

static void list_properties(const sw_processor *p, const char **list) {
    if (!has(p, CAP_flat_address_space))
        add_name(list, "No generic address space");
    else if (has(p, CAP_architected_flat_scratch))
        add_name(list, "Architected flat scratch");
    else if (has(p, CAP_absolute_flat_scratch))
        add_name(list, "Absolute flat scratch");
    else
        add_name(list, "Offset flat scratch");
    if (has(p, CAP_packed_workitem_ids)) add_name(list, "Packed work-item IDs");
    if (has(p, CAP_kernarg_preload)) add_name(list, "Kernarg preload");
}

static void list_loaders(const sw_processor *p, const char **list) {
    static const char *const names[LOADERS] = {
        [LOADER_ROCM_AMDHSA] = "rocm-amdhsa",
        [LOADER_PAL_AMDHSA] = "pal-amdhsa",
        [LOADER_PAL_AMDPAL] = "pal-amdpal",
    };
    for (int i = 0; i < LOADERS; i++)
        if (p->loaders >> i & 1) add_name(list, names[i]);
}

void sw_processor_get_info(const sw_processor *p, sw_processor_info *info) {
    bool gcn = p->generation != GEN_R600;
    sw_processor_info all = {
        .name = p->name,
        .architecture = gcn ? "amdgcn" : "r600",
        .family = p->family ? p->family : generation_rows[p->generation].family,
        .alternatives = p->alternatives ? p->alternatives : no_names,
        .apu = p->apu,
        .generic = p->generic_version != 0,
        .mach = p->elf_mach,
        .isa_major = p->isa_major,
        .isa_minor = p->isa_minor,
        .isa_stepping = p->isa_stepping,
        .generic_version = p->generic_version,
        .member_of = p->member_of ? sw_processor_by_mach(p->member_of) : NULL,
        .member_since = p->member_since,
        .wave_sizes = !gcn                      ? 0
                      : has(p, CAP_wave32_only) ? 32
                      : has(p, CAP_wave32)      ? 32 | 64
                                                : 64,
        .vgprs = fact(p, FACT_vgprs),
        .agprs = has(p, CAP_agprs) ? 256 : 0,
        .vgpr_file_w64 = fact(p, FACT_vgpr_file_w64),
        .vgpr_file_w32 = fact(p, FACT_vgpr_file_w32),
        .vgpr_granule_w64 = fact(p, FACT_vgpr_granule_w64),
        .vgpr_granule_w32 = fact(p, FACT_vgpr_granule_w32),
        .sgprs = fact(p, FACT_sgprs),
        .sgpr_granule = fact(p, FACT_sgpr_granule),
        .waves_per_simd = fact(p, FACT_waves_per_simd),
        .simds_per_cu = fact(p, FACT_simds_per_cu),
        .compute_units = p->compute_units,
        .lds_bytes = processor_lds(p),
        .lds_granule = fact(p, FACT_lds_granule),
    };
    list_features(p, all.features);
    list_properties(p, all.properties);
    list_loaders(p, all.loaders);
    sized_fill(SIZED(sw_processor_info, lds_granule), info, &all);
}

static const struct {
    const char *name, *text;
} capability_names[CAPABILITIES] = {
#define CAPABILITY(name, text) [CAP_##name] = {#name, text},
#include "target/capabilities.def"
#undef CAPABILITY
};

size_t sw_capability_count(void) { return CAPABILITIES; }
const char *sw_capability_name(size_t i) { return i < CAPABILITIES ? capability_names[i].name : NULL; }
const char *sw_capability_text(size_t i) { return i < CAPABILITIES ? capability_names[i].text : NULL; }
bool sw_processor_has(const sw_processor *p, size_t i) {
    return i < CAPABILITIES && has(p, (enum capability)i);
}

// Private null is 0xffffffff here; a kernel's flat conversion maps it to flat 0 (AS-16).
static const sw_address_space address_spaces[] = {
    {0, "Generic", "flat", "flat", 64, 0, true},
    {1, "Global", "global", "global", 64, 0, true},
    {2, "Region", NULL, "GDS", 32, 0, false},
    {3, "Local", "group", "LDS", 32, 0xffffffff, true},
    {4, "Constant", "constant", "global", 64, 0, true},
    {5, "Private", "private", "scratch", 32, 0xffffffff, true},
    {6, "Constant 32-bit", NULL, NULL, 32, 0, true},
    {7, "Buffer Fat Pointer", NULL, NULL, 160, 0, true},
    {8, "Buffer Resource", NULL, "V#", 128, 0, true},
    {9, "Buffer Strided Pointer", NULL, NULL, 192, 0, true},
    {128, "Streamout Registers", NULL, "GS_REGS", 0, 0, false},
};
enum { ADDRESS_SPACES = sizeof address_spaces / sizeof *address_spaces };

size_t sw_address_space_count(void) { return ADDRESS_SPACES; }
const sw_address_space *sw_address_space_at(size_t i) {
    return i < ADDRESS_SPACES ? &address_spaces[i] : NULL;
}

bool sw_processor_has_address_space(const sw_processor *p, unsigned number) {
    if (number == 0) return has(p, CAP_flat_address_space);
    for (size_t i = 0; i < ADDRESS_SPACES; i++)
        if (address_spaces[i].number == number) return true;
    return false;
}

static unsigned round_up(unsigned n, unsigned granule) { return (n + granule - 1) / granule * granule; }

unsigned processor_occupancy(const struct sw_processor *p, unsigned wave_size, unsigned vgprs,
                             unsigned sgprs) {
    unsigned file = fact(p, wave_size == 32 ? FACT_vgpr_file_w32 : FACT_vgpr_file_w64);
    unsigned granule = fact(p, wave_size == 32 ? FACT_vgpr_granule_w32 : FACT_vgpr_granule_w64);
    if (!file || !granule) return 0;
    unsigned waves = fact(p, FACT_waves_per_simd);
    if (vgprs > file) return 0;
    unsigned by_vgprs = file / round_up(vgprs ? vgprs : 1, granule);
    if (by_vgprs < waves) waves = by_vgprs;
    if (has(p, CAP_sgpr_init_bug)) sgprs = 96;
    if (fact(p, FACT_sgpr_file)) {
        unsigned by_sgprs = fact(p, FACT_sgpr_file) / round_up(sgprs ? sgprs : 1, fact(p, FACT_sgpr_granule));
        if (by_sgprs < waves) waves = by_sgprs;
    }
    return waves;
}
