// SPDX-License-Identifier: MIT
// Names of the values of operand fields, with the span of generations in which each holds.
#include "isa/names.h"

#include <string.h>
#include <strings.h>

struct value_name {
    uint8_t kind, value;
    uint8_t from, until; // holds from one generation down the tree to, exclusive, another (0: no end)
    const char *name;
};

static const struct value_name value_names[] = {
#define NAME(kind, value, from, until, name) {NAME_##kind, value, from, until, name},
#include "isa/names.def"
#undef NAME
};

static bool holds(const struct value_name *n, enum generation g) {
    return generation_within(g, n->from) && !(n->until && generation_within(g, n->until));
}

const char *isa_name(const struct isa *isa, enum name_kind kind, unsigned value) {
    for (size_t i = 0; i < sizeof value_names / sizeof *value_names; i++) {
        const struct value_name *n = &value_names[i];
        if (n->kind == kind && n->value == value && holds(n, isa->generation)) return n->name;
    }
    return NULL;
}

int isa_name_value(const struct isa *isa, enum name_kind kind, const char *name, size_t length) {
    for (size_t i = 0; i < sizeof value_names / sizeof *value_names; i++) {
        const struct value_name *n = &value_names[i];
        if (n->kind == kind && holds(n, isa->generation) && strlen(n->name) == length &&
            !memcmp(n->name, name, length))
            return n->value;
    }
    return -1;
}

bool isa_has_special(const struct isa *isa, unsigned code) {
    if (code >= 235 && code <= 238) return isa->apertures;
    if (code == 239) return isa->pops_register;
    if (code == SRC_LDS_DIRECT) return isa->lds_direct;
    if (code == 251 || code == 252) return isa->zero_flags;
    if (code == 230 || code == 231) return isa->flat_scratch_base;
    return true;
}

bool isa_has_source(const struct isa *isa, unsigned code) {
    if (code <= 208 || code >= SRC_LITERAL) return true;
    if (code >= 240 && code <= 248) return code < 248 || isa->inverse_two_pi;
    if (code == 230 || code == 231) return isa->flat_scratch_base;
    return (code >= 235 && code != 249 && code != 250) && isa_has_special(isa, code);
}

static const char *special(enum generation g, unsigned code, bool pair) {
    // GFX6 and GFX7 have neither the null register nor apertures, and GFX6 no FLAT_SCRATCH.
    if (!generation_within(g, GFX8) && (code == 125 || (code >= 230 && code < 240))) return NULL;
    if (g == GFX6 && (code == 104 || code == 105)) return NULL;
    switch (code) {
    case 106: return pair ? "vcc" : "vcc_lo";
    case 107: return pair ? NULL : "vcc_hi";
    case 126: return pair ? "exec" : "exec_lo";
    case 127: return pair ? NULL : "exec_hi";
    case 124: return generation_within(g, GFX11) ? "null" : pair ? NULL : "m0";
    case 125: return !generation_within(g, GFX11) ? "null" : pair ? NULL : "m0";
    case 230: return "src_flat_scratch_base_lo";
    case 231: return pair ? NULL : "src_flat_scratch_base_hi";
    case 235: return "src_shared_base";
    case 236: return "src_shared_limit";
    case 237: return "src_private_base";
    case 238: return "src_private_limit";
    case 239: return "src_pops_exiting_wave_id";
    case 251: return "src_vccz";
    case 252: return "src_execz";
    case 253: return "src_scc";
    case 254: return pair ? NULL : "src_lds_direct";
    }
    // Behind the SGPRs of GFX7 to GFX9 lie FLAT_SCRATCH and XNACK_MASK, before GFX9 TBA and TMA.
    static const char *const singles[] = {"flat_scratch_lo", "flat_scratch_hi", "xnack_mask_lo",
                                          "xnack_mask_hi"};
    static const char *const traps[] = {"tba_lo", "tba_hi", "tma_lo", "tma_hi"};
    if (code >= 108 && code < 112) {
        if (pair) return code == 108 ? "tba" : code == 110 ? "tma" : NULL;
        return traps[code - 108];
    }
    unsigned first = generation_within(g, GFX8) ? 102 : 104;
    if (code >= first && code < 106) {
        unsigned i = code - first;
        if (pair) return i == 0 ? "flat_scratch" : i == 2 ? "xnack_mask" : NULL;
        return singles[i];
    }
    return NULL;
}

struct scalar isa_scalar(const struct isa *isa, unsigned code, unsigned dwords) {
    enum generation g = isa->generation;
    if (code < 102) return (struct scalar){SCALAR_SGPR, (uint8_t)code, NULL};
    unsigned ttmp = isa->first_ttmp;
    if (code < isa->sgprs) return (struct scalar){SCALAR_SGPR, (uint8_t)code, NULL};
    if (code >= ttmp && code < 124) return (struct scalar){SCALAR_TTMP, (uint8_t)(code - ttmp), NULL};
    const char *name = dwords > 2 && code != 249u - isa->m0_register ? NULL : special(g, code, dwords == 2);
    return (struct scalar){name ? SCALAR_SPECIAL : SCALAR_NONE, 0, name};
}

const struct counter_field *isa_waitcnt_fields(const struct isa *isa) {
    static const struct counter_field gfx6[] = {
        {"vmcnt", 0, 4, 0, 0}, {"expcnt", 4, 3, 0, 0}, {"lgkmcnt", 8, 4, 0, 0}, {0}};
    static const struct counter_field gfx9[] = {
        {"vmcnt", 0, 4, 14, 2}, {"expcnt", 4, 3, 0, 0}, {"lgkmcnt", 8, 4, 0, 0}, {0}};
    static const struct counter_field gfx10[] = {
        {"vmcnt", 0, 4, 14, 2}, {"expcnt", 4, 3, 0, 0}, {"lgkmcnt", 8, 6, 0, 0}, {0}};
    static const struct counter_field gfx11[] = {
        {"vmcnt", 10, 6, 0, 0}, {"expcnt", 0, 3, 0, 0}, {"lgkmcnt", 4, 6, 0, 0}, {0}};
    static const struct counter_field *const layouts[] = {gfx6, gfx9, gfx10, gfx11};
    return layouts[isa->waitcnt];
}

const struct counter_field *isa_depctr_fields(const struct isa *isa) {
    static const struct counter_field fields[] = {
        {"hold_cnt", 7, 1, 0, 0}, {"sa_sdst", 0, 1, 0, 0}, {"va_vdst", 12, 4, 0, 0}, {"va_sdst", 9, 3, 0, 0},
        {"va_ssrc", 8, 1, 0, 0},  {"va_vcc", 1, 1, 0, 0},  {"vm_vsrc", 2, 3, 0, 0},  {0},
    };
    return isa->hold_cnt ? fields : fields + 1;
}

unsigned isa_trap_number(const struct isa *isa, unsigned immediate) {
    return immediate & (generation_within(isa->generation, GFX12) ? 15 : 255);
}

bool isa_set_feature(struct isa *isa, bool *wave32, const char *name, size_t length, bool on) {
    bool g10 = generation_within(isa->generation, GFX10);
    if (length == 15 &&
        (!strncasecmp(name, "wavefrontsize32", 15) || !strncasecmp(name, "wavefrontsize64", 15))) {
        bool asks32 = (name[13] == '3') == on;
        if (asks32 && !g10) return false;
        *wave32 = asks32;
    } else if (length == 11 && !strncasecmp(name, "real-true16", 11)) {
        if (on && !isa->true16) return false;
        isa->halves_named = on;
    }
    return true;
}

bool isa_loads_to_lds(const struct isa *isa, const struct row *row) {
    if (!(row->flags & ROW_LOAD) || row->flags & ROW_D16) return false;
    if (!row->access) return operand_dwords[row->dst[0].type] == 1;
    const bool wide = row->access == ACCESS_B96 || row->access == ACCESS_B128;
    return row->access <= ACCESS_B32 || (wide && isa->wide_lds_loads);
}
