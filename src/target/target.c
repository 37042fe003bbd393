// SPDX-License-Identifier: MIT
// What a target is written as: canonical text, V2-V3 text, e_flags of each ABI version, the ISA numbers of
// V2; and which code runs on which device.
#include "target/target.h"

#include <string.h>

#include "base/diag.h"

// -- Text --------------------------------------------------------------------------------------------

struct id_writer {
    char *out;
    size_t length;
};

static void put(struct id_writer *w, const char *text) {
    size_t n = strlen(text);
    if (w->length + n >= SW_TARGET_TEXT) return; // cannot happen with the names of the table
    memcpy(w->out + w->length, text, n + 1);
    w->length += n;
}

size_t sw_target_format(const sw_target *t, char out[SW_TARGET_TEXT]) {
    struct id_writer w = {out, 0};
    put(&w, t->processor->name);
    if (t->sramecc == SW_SETTING_ON) put(&w, ":sramecc+");
    if (t->sramecc == SW_SETTING_OFF) put(&w, ":sramecc-");
    if (t->xnack == SW_SETTING_ON) put(&w, ":xnack+");
    if (t->xnack == SW_SETTING_OFF) put(&w, ":xnack-");
    return w.length;
}

static bool on_or_any(sw_setting s) {
    return s == SW_SETTING_ON || s == SW_SETTING_ANY;
} // V2-V3 has no ANY (TGT-79)

size_t sw_target_format_v3(const sw_target *t, char out[SW_TARGET_TEXT]) {
    struct id_writer w = {out, 0};
    put(&w, t->processor->name);
    if (on_or_any(t->sramecc)) put(&w, "+sramecc");
    if (on_or_any(t->xnack)) put(&w, "+xnack");
    return w.length;
}

unsigned target_v2_stepping(const sw_target *t) {
    const struct sw_processor *p = t->processor;
    bool paired = p->isa_major == 9 && !p->isa_minor && p->isa_stepping <= 6 && !(p->isa_stepping & 1);
    return p->isa_stepping + (paired && on_or_any(t->xnack));
}

// -- e_flags -----------------------------------------------------------------------------------------

enum { ABI_V2, ABI_V3, ABI_V4, ABI_V5, ABI_V6, ABI_VERSIONS };

enum {
    MACH_MASK = 0xff,
    XNACK_V2 = 0x1,
    XNACK_V3 = 0x100,
    SRAMECC_V3 = 0x200,
    XNACK_V4_SHIFT = 8, // two bits each; their values are those of sw_setting
    SRAMECC_V4_SHIFT = 10,
    GENERIC_VERSION_SHIFT = 24,
};
_Static_assert(SW_SETTING_NONE == 0 && SW_SETTING_ANY == 1 && SW_SETTING_OFF == 2 && SW_SETTING_ON == 3,
               "e_flags encoding (OBJ-09)");

uint32_t sw_target_to_eflags(const sw_target *t, unsigned abi_version) {
    const struct sw_processor *p = t->processor;
    if (abi_version == ABI_V2) return t->xnack == SW_SETTING_ON || t->xnack == SW_SETTING_ANY ? XNACK_V2 : 0;
    uint32_t flags = p->elf_mach;
    if (abi_version == ABI_V3) {
        if (on_or_any(t->xnack)) flags |= XNACK_V3;
        if (on_or_any(t->sramecc)) flags |= SRAMECC_V3;
        return flags;
    }
    flags |= (uint32_t)t->xnack << XNACK_V4_SHIFT | (uint32_t)t->sramecc << SRAMECC_V4_SHIFT;
    if (abi_version >= ABI_V6) flags |= (uint32_t)p->generic_version << GENERIC_VERSION_SHIFT;
    return flags;
}

unsigned sw_eflags_generic_version(uint32_t e_flags, unsigned abi_version) {
    return abi_version >= ABI_V6 ? e_flags >> GENERIC_VERSION_SHIFT : 0;
}

static const uint32_t known_bits[ABI_VERSIONS] = {
    [ABI_V3] = MACH_MASK | XNACK_V3 | SRAMECC_V3,
    [ABI_V4] = 0xfff,
    [ABI_V5] = 0xfff,
    [ABI_V6] = 0xff000fff,
};

// A feature field against the processor. 0 where the feature exists is kept: it differs from ANY (AMB-25).
static sw_status check_setting(const struct sw_processor *p, const char *name, enum capability c,
                               sw_setting s, const sw_location *at, const sw_sink *sink) {
    if (!has(p, c) && s != SW_SETTING_NONE)
        return diag_fail(sink, SW_BAD_INPUT, at, "%s has no feature '%s', yet its setting is given", p->name,
                         name);
    if (has(p, c) && s == SW_SETTING_NONE)
        diag_warn(sink, at, "%s has feature '%s', yet the code says it is unsupported", p->name, name);
    return SW_OK;
}

sw_status sw_target_from_eflags(uint32_t flags, unsigned abi, sw_target *out, const sw_sink *sink) {
    sw_location at = {.within = "e_flags"};
    if (abi >= ABI_VERSIONS) return diag_fail(sink, SW_UNSUPPORTED, &at, "unknown ABI version %u", abi);
    if (abi == ABI_V2)
        return diag_fail(sink, SW_USAGE, &at, "code object V2 names its processor in a note, not here");
    if (flags & ~known_bits[abi])
        return diag_fail(sink, SW_BAD_INPUT, &at, "0x%x: unknown bits 0x%x for code object V%u", flags,
                         flags & ~known_bits[abi], abi + 2);
    const struct sw_processor *p = sw_processor_by_mach(flags & MACH_MASK);
    if (!p)
        return diag_fail(sink, SW_BAD_INPUT, &at, "0x%x: %s EF_AMDGPU_MACH value 0x%02x", flags,
                         flags & MACH_MASK ? "unknown" : "no processor in", flags & MACH_MASK);
    sw_target t = {.processor = p};
    if (abi == ABI_V3) {
        t.xnack = flags & XNACK_V3 ? SW_SETTING_ON : has(p, CAP_xnack) ? SW_SETTING_OFF : SW_SETTING_NONE;
        t.sramecc = flags & SRAMECC_V3    ? SW_SETTING_ON
                    : has(p, CAP_sramecc) ? SW_SETTING_OFF
                                          : SW_SETTING_NONE;
    } else {
        t.xnack = (sw_setting)(flags >> XNACK_V4_SHIFT & 3);
        t.sramecc = (sw_setting)(flags >> SRAMECC_V4_SHIFT & 3);
    }
    sw_status status = check_setting(p, "xnack", CAP_xnack, t.xnack, &at, sink);
    if (!status) status = check_setting(p, "sramecc", CAP_sramecc, t.sramecc, &at, sink);
    if (!status) status = sw_target_check_abi(&t, abi, sink);
    if (status) return status;
    unsigned version = sw_eflags_generic_version(flags, abi);
    if (version && !p->generic_version)
        return diag_fail(sink, SW_BAD_INPUT, &at, "generic version %u of %s, which is not generic", version,
                         p->name);
    if (!version && p->generic_version)
        return diag_fail(sink, SW_BAD_INPUT, &at, "%s without a generic version", p->name);
    *out = t;
    return SW_OK;
}

// -- Code object V2: processors named by numbers ------------------------------------------------------

// The settings are those of LLVM; Finalizer code takes xnack from e_flags instead.
static const struct {
    uint8_t major, minor, stepping, mach;
    sw_setting sramecc, xnack;
} v2_processors[] = {
    {6, 0, 0, 0x20},
    {6, 0, 1, 0x21},
    {6, 0, 2, 0x3a},
    {7, 0, 0, 0x22},
    {7, 0, 1, 0x23},
    {7, 0, 2, 0x24},
    {7, 0, 3, 0x25},
    {7, 0, 4, 0x26},
    {7, 0, 5, 0x3b},
    {8, 0, 0, 0x29},
    {8, 0, 1, 0x28, 0, SW_SETTING_ON},
    {8, 0, 2, 0x29},
    {8, 0, 3, 0x2a},
    {8, 0, 4, 0x2a},
    {8, 0, 5, 0x3c},
    {8, 1, 0, 0x2b, 0, SW_SETTING_ON},
    {9, 0, 0, 0x2c, 0, SW_SETTING_OFF},
    {9, 0, 1, 0x2c, 0, SW_SETTING_ON},
    {9, 0, 2, 0x2d, 0, SW_SETTING_OFF},
    {9, 0, 3, 0x2d, 0, SW_SETTING_ON},
    {9, 0, 4, 0x2e, 0, SW_SETTING_OFF},
    {9, 0, 5, 0x2e, 0, SW_SETTING_ON},
    {9, 0, 6, 0x2f, SW_SETTING_OFF, SW_SETTING_OFF},
    {9, 0, 7, 0x2f, SW_SETTING_OFF, SW_SETTING_ON},
    {9, 0, 12, 0x32, 0, SW_SETTING_OFF},
};
enum { V2_PROCESSORS = sizeof v2_processors / sizeof *v2_processors };

sw_status sw_target_from_isa_version(unsigned major, unsigned minor, unsigned stepping, sw_target *out,
                                     const sw_sink *sink) {
    for (size_t i = 0; i < V2_PROCESSORS; i++) {
        if (v2_processors[i].major != major || v2_processors[i].minor != minor ||
            v2_processors[i].stepping != stepping)
            continue;
        *out = (sw_target){
            .processor = sw_processor_by_mach(v2_processors[i].mach),
            .sramecc = v2_processors[i].sramecc,
            .xnack = v2_processors[i].xnack,
        };
        return SW_OK;
    }
    return diag_fail(sink, SW_BAD_INPUT, NULL, "code object V2 has no processor AMD:AMDGPU:%u:%u:%u", major,
                     minor, stepping);
}

sw_status sw_target_check_abi(const sw_target *t, unsigned abi_version, const sw_sink *sink) {
    const struct sw_processor *p = t->processor;
    if (p->generic_version && abi_version < ABI_V6)
        return diag_fail(sink, SW_BAD_INPUT, NULL, "%s needs code object V6, not V%u", p->name,
                         abi_version + 2);
    if (abi_version > ABI_V2) return SW_OK;
    for (size_t i = 0; i < V2_PROCESSORS; i++)
        if (v2_processors[i].mach == p->elf_mach) return SW_OK;
    return diag_fail(sink, SW_BAD_INPUT, NULL, "%s has no code object V2", p->name);
}

// -- Loading -----------------------------------------------------------------------------------------

static bool setting_fits(sw_setting code, sw_setting device) {
    if (code == SW_SETTING_ANY || code == SW_SETTING_NONE) return true;
    return code == device || device == SW_SETTING_ANY;
}

bool sw_target_compatible(const sw_target *code, unsigned generic_version, const sw_target *device) {
    const struct sw_processor *c = code->processor, *d = device->processor;
    bool member = c->generic_version && d->member_of == c->elf_mach && generic_version >= d->member_since;
    if (c != d && !member) return false;
    return setting_fits(code->xnack, device->xnack) && setting_fits(code->sramecc, device->sramecc);
}
