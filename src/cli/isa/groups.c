// SPDX-License-Identifier: MIT
// Groups of operations, by the format of their first encoding, each with a short text.
#include <string.h>

#include "cli/isa/isa.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

const struct isa_group isa_groups[] = {
    {"scalar", "Scalar arithmetic",
     "One result for the whole wave, in scalar registers (SGPRs): loop counters, addresses, masks of lanes."},
    {"scalar-compare", "Scalar comparisons",
     "Set SCC, one bit of the wave, on which branches and selections depend."},
    {"control", "Program control",
     "Branches, the end of a program, barriers, messages, waits for memory, and hints for scheduling."},
    {"scalar-memory", "Scalar memory",
     "Loads and stores of scalar registers, once for the wave: kernel arguments, constants, descriptors."},
    {"vector", "Vector arithmetic",
     "One result for each lane, in vector registers (VGPRs). Most have a short encoding of 4 bytes and a "
     "long one (VOP3) of 8 with modifiers."},
    {"vector-compare", "Vector comparisons",
     "One bit for each lane, in a mask: VCC, another scalar register, or EXEC itself."},
    {"packed", "Packed and mixed arithmetic",
     "Two or more small numbers in a register at once, and dot products."},
    {"matrix", "Matrix arithmetic",
     "Products of small matrices that are spread over all lanes of a wave (MFMA of CDNA, WMMA of RDNA)."},
    {"lds", "Local data share",
     "Memory of a work-group (LDS): loads, stores, atomics, and exchange between lanes."},
    {"flat", "Flat, global and scratch memory",
     "Each lane has an address of its own: in global memory, in its private scratch, or flat, where the "
     "address says which."},
    {"buffer", "Buffers",
     "Memory that a descriptor in scalar registers describes: base, size, stride, format. Accesses outside "
     "are harmless."},
    {"image", "Images", "Textures: loads, stores, filtered samples, atomics, and intersections of rays."},
    {"graphics", "Exports and interpolation",
     "What pixel and vertex shaders hand on, and how attributes become values for a pixel."},
    {"vopd", "Only in pairs (VOPD)",
     "Halves of a VOPD instruction, which does two operations at once (GFX11 and later), without an encoding "
     "of their own."},
};
const size_t isa_group_count = COUNT(isa_groups);

static const struct {
    const char *format, *group;
} by_format[] = {
    {"SOP2", "scalar"},     {"SOP1", "scalar"},        {"SOPK", "scalar"},    {"SOPC", "scalar-compare"},
    {"SOPP", "control"},    {"SMEM", "scalar-memory"}, {"VOP1", "vector"},    {"VOP2", "vector"},
    {"VOP3", "vector"},     {"VOP3B", "vector"},       {"VOP3S", "vector"},   {"VOPC", "vector-compare"},
    {"VOP3P", "packed"},    {"MAI", "matrix"},         {"DS", "lds"},         {"FLAT", "flat"},
    {"GLOBAL", "flat"},     {"SCRATCH", "flat"},       {"MUBUF", "buffer"},   {"MTBUF", "buffer"},
    {"MIMG", "image"},      {"VIMAGE", "image"},       {"VSAMPLE", "image"},  {"EXP", "graphics"},
    {"VINTRP", "graphics"}, {"VINTERP", "graphics"},   {"VOP3I", "graphics"}, {"LDSDIR", "graphics"},
    {"VOPDX", "vopd"},      {"VOPDY", "vopd"},
};

const struct isa_group *isa_group_of(const sw_insn_info *info) {
    sw_insn_facts f = {.size = sizeof f};
    sw_encoding e = {0};
    const char *id = "graphics";
    sw_insn_get_facts(info, &f);
    for (size_t i = 0; i < sw_processor_count() && !e.format; i++)
        sw_insn_encodings(info, sw_processor_at(i), &e, 1, sizeof e);
    for (size_t i = 0; e.format && i < COUNT(by_format); i++)
        if (!strcmp(by_format[i].format, e.format)) id = by_format[i].group;
    if (f.flags & SW_INSN_MATRIX) id = "matrix";
    if (f.flags & (SW_INSN_BRANCH | SW_INSN_CALL)) id = "control";
    for (size_t i = 0; i < isa_group_count; i++)
        if (!strcmp(isa_groups[i].id, id)) return &isa_groups[i];
    return &isa_groups[0];
}

void isa_show_groups(struct text *t, const sw_processor *only) {
    for (size_t g = 0; g < isa_group_count; g++) {
        struct text names = {0};
        size_t count = 0;
        for (size_t i = 0; i < sw_insn_info_count(); i++) {
            const sw_insn_info *info = sw_insn_info_at(i);
            const char *name = only ? sw_insn_mnemonic(info, only) : sw_insn_id(info);
            if (!name || isa_group_of(info) != &isa_groups[g]) continue;
            text_printf(&names, "%s%s", count++ ? " " : "", name);
        }
        if (count) {
            text_printf(t, "%s%s: %zu\n", t->length ? "\n" : "", isa_groups[g].title, count);
            isa_wrap(t, isa_groups[g].text, 2);
            text_puts(t, "\n");
            isa_wrap(t, names.data, 4);
        }
        t->failed |= names.failed;
        text_free(&names);
    }
}
