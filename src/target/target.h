// SPDX-License-Identifier: MIT
// Processors as structs of facts. This header is what the rest of the library sees; only src/isa and
// src/target look at `generation`, everyone else asks has().
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include "base/resource_kind.h"
#include "softwave/target.h"

// The tree of generations along which opcodes and facts are inherited (generations.def).
enum generation {
#define GENERATION(name, parent, column, family, facts) name,
#include "target/generations.def"
#undef GENERATION
    GENERATIONS
};
// What a generation does its own way (facts.def).
enum fact {
#define FACT(name, text) FACT_##name,
#include "target/facts.def"
#undef FACT
    FACTS
};
struct generation_row {
    uint8_t parent; // of the root: itself
    const char *family;
    uint16_t facts[FACTS]; // the value plus one; 0: as the parent's
};
extern const struct generation_row generation_rows[GENERATIONS];
unsigned generation_fact(enum generation g, enum fact f);

enum capability {
#define CAPABILITY(name, text) CAP_##name,
#include "target/capabilities.def"
#undef CAPABILITY
    CAPABILITIES
};

struct capabilities {
    uint64_t word[2];
};
_Static_assert(CAPABILITIES <= 128, "capabilities must fit struct capabilities");

// How buffer resource descriptors are laid out and what counts as out of range. Layouts grow in this order.
enum srd_kind {
    SRD_GFX6,  // data and number format apart, element size; records of `stride` bytes wherever there is one
    SRD_GFX8,  // records only where swizzled; with add_tid the data format is bits 17:14 of the stride
    SRD_GFX9,  // element of 4 bytes; records where the instruction has an index
    SRD_GFX10, // one format number, OOB_SELECT says how the range is checked
    SRD_GFX11, // swizzle enable has two bits and says the element size; record checks count the payload
    SRD_GFX12, // the stride may be scaled; soffset is swizzled with the rest of the offset
    SRD_GFX12_5, // base of 57 bits, records of 45 bits that count bytes; nothing executes it
};
// Which numbers hardware registers have.
enum hwreg_map { HWREGS_GFX6, HWREGS_GFX10, HWREGS_GFX12 };

// A fact that a processor has otherwise than its generation.
struct own_fact {
    uint16_t fact, value;
};

enum loader { LOADER_ROCM_AMDHSA, LOADER_PAL_AMDHSA, LOADER_PAL_AMDPAL, LOADERS };

struct sw_processor {
    const char *name;                // canonical: "gfx90a", "gfx9-generic", "cayman"
    const char *const *alternatives; // NULL-terminated; NULL if there are none
    const char *const *chips; // other chips that are the same one; these are no names of LLVM's documents
    enum generation generation;
    struct capabilities caps;
    const char *family;                         // where it is another than its generation's
    uint8_t isa_major, isa_minor, isa_stepping; // 9.0.10 for gfx90a; 0 on R600
    uint8_t elf_mach;                           // EF_AMDGPU_MACH
    uint8_t generic_version;                    // 0: not a generic processor
    uint8_t member_of;          // elf_mach of the generic processor that covers this one, or 0
    uint8_t member_since;       // its version that introduced this member (TGT-61)
    uint8_t apu;                // 0 discrete, 1 integrated
    uint8_t os;                 // bit set of 1 << enum sw_os that have a loader (TGT T22)
    uint8_t loaders;            // bit set of 1 << enum loader, which tells the two amdhsa ones apart
    uint16_t compute_units;     // of the device that Softwave reports
    const struct own_fact *own; // where it is not as its generation, up to FACTS; or NULL
};

// Waves that fit one SIMD when each allocates these registers. `vgprs` counts AGPRs as well where the
// register file is unified, else the larger of the two. 0 if such a wave cannot run.
unsigned processor_occupancy(const struct sw_processor *p, unsigned wave_size, unsigned vgprs,
                             unsigned sgprs);

// The stepping by which code object V2 names a target: on GFX9.0 the odd ones are those with XNACK (OBJ-29).
unsigned target_v2_stepping(const sw_target *t);

static inline bool has(const struct sw_processor *p, enum capability c) {
    return p->caps.word[c >> 6] >> (c & 63) & 1;
}

static inline unsigned fact(const struct sw_processor *p, enum fact f) {
    for (const struct own_fact *o = p->own; o && o->fact != FACTS; o++)
        if (o->fact == f) return o->value;
    return generation_fact(p->generation, f);
}
// Bytes of LDS that a work-group may have.
static inline uint32_t processor_lds(const struct sw_processor *p) { return fact(p, FACT_lds_kib) * 1024; }

#endif
