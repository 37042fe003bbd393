// SPDX-License-Identifier: MIT
// What image instructions touch.
#include "isa/effect_maker.h"
#include "isa/kinds.h"

// Where the resource says the dimension, as many dwords as any has.
static void image_address(struct effect_maker *m) {
    const struct insn *in = m->in;
    const uint32_t facts = m->row->image;
    struct image_address a;
    if (!isa_image_address(m->isa, in, &a)) return;
    if (!insn_has(in, F_dim)) a.dwords[0] = (uint8_t)isa_image_most(m->row);
    // Levels of detail come from differences between the lanes of four, whether they execute or not.
    enum { LEVEL_SAID = IMAGE_GRADIENTS | IMAGE_LEVEL_ZERO };
    const bool samples = effect_operand_in(m, F_ssamp, false).type != T_NO_OPERAND;
    const bool level_said = facts & LEVEL_SAID || (facts & IMAGE_LEVEL && !(facts & IMAGE_LIMIT));
    for (unsigned i = 0; i < a.count; i++) {
        const unsigned end = a.code[i] + a.dwords[i] < SRC_AGPR0 ? a.code[i] + a.dwords[i] : SRC_AGPR0;
        effect_put_code(m, a.code[i], end - a.code[i], WHOLE, samples && !level_said ? 0 : PER_LANE);
    }
}

// Registers of two halves each, of one low half each, or whole.
static void image_data(struct effect_maker *m, unsigned code, unsigned dwords, unsigned flags) {
    const struct insn *in = m->in;
    const unsigned mask = (unsigned)in->f[F_dmask] & 15;
    const unsigned count = m->row->image & IMAGE_GATHER ? 4 : mask ? (unsigned)__builtin_popcount(mask) : 1;
    const unsigned half = flags & EFFECT_WRITES && m->c->clears_halves ? WHOLE : 3;
    if (!in->f[F_d16])
        effect_put_code(m, code, dwords, WHOLE, flags);
    else if (!m->isa->packed_d16)
        effect_put_code(m, code, dwords, 3, flags);
    else {
        effect_put_code(m, code, count / 2, WHOLE, flags);
        effect_put_code(m, code + count / 2, count % 2, half, flags);
    }
}

// Origin and direction, where the ray is carried into an instance.
static void rewritten_ray(struct effect_maker *m, unsigned flags) {
    enum { ORIGIN = 2, DIRECTION = 3 };
    struct image_address a;
    if (!isa_image_address(m->isa, m->in, &a)) return;
    effect_put_code(m, a.code[ORIGIN], 3, WHOLE, flags);
    effect_put_code(m, a.code[DIRECTION], 3, WHOLE, flags);
}

void effect_image_insn(struct effect_maker *m) {
    const struct row *row = m->row;
    const struct insn *in = m->in;
    struct effect *e = m->e;
    struct effect_memory *x = &e->memory;
    const bool loads = row->dst[0].type != T_NO_OPERAND;
    const unsigned code = (unsigned)in->f[F_vdata] + (in->f[F_acc] ? SRC_AGPR0 - SRC_VGPR0 : 0);
    unsigned dwords = isa_image_data(m->isa, in, true);
    e->control = CONTROL_NEXT;
    e->unit = UNIT_VMEM;
    if (row->flags & (ROW_LOAD | ROW_STORE)) {
        x->space = SPACE_GLOBAL;
        x->elements = 1;
        x->access = (uint8_t)(loads ? MEMORY_READS : MEMORY_WRITES);
        x->bytes = row->image & IMAGE_RAY ? 128 : 16; // of the largest node
        if (!row->atomic) x->access |= MEMORY_TYPED;
    }
    effect_put_policy(m);
    if (in->f[F_tfe] && dwords) dwords--;
    if (row->atomic) {
        const unsigned values = row->image & IMAGE_TWO_DATA ? 2 : 1;
        x->access |= MEMORY_WRITES | MEMORY_ATOMIC;
        if (insn_asks_for_old(in))
            x->access |= MEMORY_RETURNS;
        else if (row->atomic == ATOMIC_swap_b32)
            x->access &= (uint8_t)~MEMORY_READS;
        x->bytes = (uint8_t)(dwords / values * 4);
        effect_put_code(m, code, dwords, WHOLE, PER_LANE);
        dwords /= values;
    } else if (!loads)
        image_data(m, code, dwords, PER_LANE);
    image_address(m);
    effect_put_code(m, (unsigned)in->f[F_srsrc], row->image & IMAGE_RAY ? 4 : 8, WHOLE,
                    0); // as the text says, though r128 makes it four
    const struct operand sampler = effect_operand_in(m, F_ssamp, false);
    if (sampler.type != T_NO_OPERAND) effect_put_code(m, sampler.code, 4, WHOLE, 0);
    e->reads |= STATE_EXEC;
    if (row->atomic ? !(x->access & MEMORY_RETURNS) : !loads) return;
    // Nothing is written where the resource is none of an image.
    const unsigned flags = EFFECT_WRITES | EFFECT_MAY | (row->atomic ? EFFECT_EXEC : PER_LANE);
    image_data(m, code, dwords, flags);
    if (row->image & IMAGE_DUAL_RAY) rewritten_ray(m, flags);
    if (in->f[F_tfe]) effect_put_code(m, code + dwords, 1, WHOLE, flags);
}

// Tiles between memory and LDS, once for the wave; the descriptor in scalar registers says which.
void effect_tensor_insn(struct effect_maker *m) {
    static const enum field fields[] = {F_vaddr0, F_vaddr1, F_vaddr2, F_vaddr3};
    struct effect_memory *x = &m->e->memory;
    const bool loads = m->row->flags & ROW_LOAD;
    m->e->control = CONTROL_NEXT;
    m->e->unit = UNIT_VMEM;
    x->space = SPACE_GLOBAL;
    x->access = (uint8_t)(MEMORY_WAVE | MEMORY_TYPED |
                          (loads ? MEMORY_READS | MEMORY_TO_LDS : MEMORY_WRITES | MEMORY_FROM_LDS));
    x->elements = 1;
    x->bytes = 8; // of the largest element
    effect_put_policy(m);
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) {
        const unsigned code = (unsigned)m->in->f[fields[i]];
        if (code != m->isa->null_register) effect_put_code(m, code, i == 1 ? 8 : 4, WHOLE, 0);
    }
}
