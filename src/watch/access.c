// SPDX-License-Identifier: MIT
// Where the instruction of a step accesses memory, by its record of effects (isa/effect.h).
#include <string.h>

#include "base/sized.h"
#include "exec/wave.h"
#include "isa/api.h"
#include "isa/effect_address.h"
#include "softwave/device.h"

struct recipe {
    const sw_processor *processor;
    struct effect_memory memory;
};
_Static_assert(sizeof(struct recipe) <= sizeof(((sw_insn_access *)0)->recipe), "the recipe has no room");

bool sw_insn_get_access(const sw_isa_mode *mode, const sw_insn *insn, sw_insn_access *out) {
    const struct sized kind = SIZED(sw_insn_access, recipe);
    struct isa copy;
    const struct api_mode m = api_mode_of(mode, &copy);
    struct effect e;
    if (sized_check(kind, out, NULL) || !m.isa || !api_has_insn(insn)) return false;
    const struct effect_context c = {.processor = m.mode.processor, .isa = m.isa, .wave32 = m.mode.wave32};
    if (!insn_effect(&c, api_insn(insn), &e) || e.memory.address == ADDRESS_NONE) return false;
    const unsigned access = e.memory.access;
    sw_insn_access a = {.reads = access & MEMORY_READS,
                        .writes = access & MEMORY_WRITES,
                        .atomic = access & MEMORY_ATOMIC,
                        .once = access & MEMORY_WAVE,
                        .bytes = e.memory.bytes,
                        .elements = e.memory.elements};
    const struct recipe r = {m.mode.processor, e.memory};
    memcpy(a.recipe, &r, sizeof r);
    sized_fill(kind, out, &a);
    return true;
}

// The registers that lanes have asked for: all lanes ask for the same.
struct asked {
    const sw_step *step;
    const uint32_t *registers[8];
    unsigned codes[8], count;
};

static const uint32_t *look_up(struct asked *a, unsigned code) {
    for (unsigned i = 0; i < a->count; i++)
        if (a->codes[i] == code) return a->registers[i];
    const uint32_t *r = sw_step_register(a->step, code);
    if (a->count < sizeof a->codes / sizeof *a->codes) {
        a->codes[a->count] = code;
        a->registers[a->count++] = r;
    }
    return r;
}
// Registers that the kernel does not have hold 0.
static uint32_t register_of(void *asked, unsigned code, unsigned lane) {
    const uint32_t *r = look_up(asked, code);
    return !r ? 0 : code < SRC_VGPR0 ? *r : r[lane];
}

void sw_step_places(const sw_step *step, const sw_insn_access *access, unsigned element,
                    sw_step_place out[64]) {
    static const uint8_t spaces[] = {
        [SPACE_GLOBAL] = SW_STEP_GLOBAL, [SPACE_LDS] = SW_STEP_LDS, [SPACE_SCRATCH] = SW_STEP_SCRATCH};
    struct recipe r;
    struct asked asked = {.step = step};
    memcpy(&r, access->recipe, sizeof r);
    const struct effect e = {.memory = r.memory};
    const uint64_t lanes = access->once ? 1 : step->exec;
    for (unsigned lane = 0; lane < 64; lane++) {
        struct effect_place place;
        out[lane].space = SW_STEP_NOWHERE;
        if (lane >= step->lanes || !(lanes >> lane & 1) || !r.processor || element >= access->elements ||
            !effect_address(&e, r.processor, lane, element, register_of, &asked, &place))
            continue;
        out[lane] = (sw_step_place){place.address, (sw_step_space)spaces[place.space]};
    }
}
