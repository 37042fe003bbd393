// SPDX-License-Identifier: MIT
// Image instructions to ops: one each, whose facts are a struct image_op. Where the dwords of the address
// lie, isa/image_address.c knows; here they become places in the wave.
#include "exec/body/body.h"
#include "exec/decode/image_ops.h"
#include "exec/image.h"
#include "exec/tensor.h"
#include "isa/effect.h"

// An atomic whose row says 32 bits, on 64 bits; ATOMIC_NONE: there is no such.
static enum atomic wide_atomic(unsigned atomic) {
    switch (atomic) {
    case ATOMIC_swap_b32: return ATOMIC_swap_b64;
    case ATOMIC_cmpswap_b32: return ATOMIC_cmpswap_b64;
    case ATOMIC_cmpswap_f32: return ATOMIC_cmpswap_f64;
    case ATOMIC_add_u32: return ATOMIC_add_u64;
    case ATOMIC_sub_u32: return ATOMIC_sub_u64;
    case ATOMIC_rsub_u32: return ATOMIC_rsub_u64;
    case ATOMIC_min_i32: return ATOMIC_min_i64;
    case ATOMIC_min_u32: return ATOMIC_min_u64;
    case ATOMIC_max_i32: return ATOMIC_max_i64;
    case ATOMIC_max_u32: return ATOMIC_max_u64;
    case ATOMIC_and_b32: return ATOMIC_and_b64;
    case ATOMIC_or_b32: return ATOMIC_or_b64;
    case ATOMIC_xor_b32: return ATOMIC_xor_b64;
    case ATOMIC_inc_u32: return ATOMIC_inc_u64;
    case ATOMIC_dec_u32: return ATOMIC_dec_u64;
    case ATOMIC_min_f32: return ATOMIC_min_f64;
    case ATOMIC_max_f32: return ATOMIC_max_f64;
    case ATOMIC_min_num_f32: return ATOMIC_min_num_f64;
    case ATOMIC_max_num_f32: return ATOMIC_max_num_f64;
    default: return ATOMIC_NONE;
    }
}

static bool refuse(struct translator *t, const char *why) {
    t->illegal = true;
    t->gap = why;
    return false;
}

// Behind the last VGPR there is none, and v0 is read (TRAP-394).
static uint32_t vector_register(const struct translator *t, unsigned code) {
    return source_offset(t, code < SRC_AGPR0 ? code : SRC_VGPR0, T_B32, 1);
}

// Each dword of the address. Where the resource says the dimension, it may be any number up to the most.
// *writable: registers of it that the instruction writes are the wave's.
static bool put_address(struct translator *t, const struct insn *in, struct image_op *o, bool *writable) {
    struct image_address a;
    if (!isa_image_address(t->facts->isa, in, &a)) return refuse(t, "registers of the address do not fit");
    if (!o->has_dim) a.dwords[0] = (uint8_t)isa_image_most(in->row);
    enum { ORIGIN = 2, DIRECTION = 3 };
    if (in->row->image & IMAGE_DUAL_RAY)
        *writable = destination_offset(t, a.code[ORIGIN], 3) != UINT32_MAX &&
                    destination_offset(t, a.code[DIRECTION], 3) != UINT32_MAX;
    for (unsigned i = 0; i < a.count; i++)
        for (unsigned d = 0; d < a.dwords[i] && o->words < IMAGE_ADDRESS_WORDS; d++)
            o->address[o->words++] = vector_register(t, a.code[i] + d);
    return true;
}

// Which atomic it is, and the registers of its data: {new, compare} or one value, of 32 or 64 bits by dmask.
static bool put_atomic(struct translator *t, const struct insn *in, struct image_op *o, unsigned *dwords) {
    struct mem_op *mo = &o->mem;
    const bool two = in->row->image & IMAGE_TWO_DATA;
    const unsigned words = (unsigned)__builtin_popcount(o->dmask), values = two ? 2 : 1;
    mo->atomic = in->row->atomic;
    if (words == 2 * values) mo->atomic = (uint8_t)wide_atomic(mo->atomic);
    if ((words != values && words != 2 * values) || !mo->atomic)
        return refuse(t, "dmask is of no such atomic");
    mo->flushes_f32 = has(t->facts->processor, CAP_agprs); // TRAP-348
    mo->returns = insn_asks_for_old(in);
    *dwords = words;
    return true;
}

bool translate_image(struct translator *t, const struct insn *in, const struct body *body) {
    const struct code_facts *f = t->facts;
    const struct row *row = in->row;
    const int32_t *field = in->f;
    struct image_op *o = arena_alloc(t->arena, sizeof *o);
    if (!o) {
        t->failed = true;
        return true;
    }
    *o = (struct image_op){.facts = row->image,
                           .kind = (uint8_t)fact(f->processor, FACT_resource),
                           .dmask = (uint8_t)field[F_dmask] & 15,
                           .dim = (uint8_t)field[F_dim],
                           .has_dim = insn_has(in, F_dim),
                           .array = field[F_da],
                           .half = field[F_a16],
                           .small = field[F_r128],
                           .unnormalized = field[F_unorm],
                           .clears_halves = f->clears_halves};
    o->half_gradients = row->image & IMAGE_G16 || (o->half && !f->isa->g16);
    struct mem_op *mo = &o->mem;
    const bool loads = row->dst[0].type != T_NO_OPERAND;
    unsigned dwords = isa_image_data(f->isa, in, true);
    if (!dwords) return refuse(t, "registers of the data do not fit");
    const bool has_status = loads && field[F_tfe]; // LWE has nothing to report (TRAP-333)
    if (field[F_tfe]) dwords--;
    bool writable = true;
    if (!put_address(t, in, o, &writable)) return false;
    if (field[F_d16]) mo->d16 = f->isa->packed_d16 ? D16_PACKED : D16_APART;
    const bool atomic = row->atomic;
    if (atomic && !put_atomic(t, in, o, &dwords)) return false;
    mo->srsrc = scalar_tuple(t, (unsigned)field[F_srsrc], o->small ? 4 : 8);
    for (unsigned i = 0; i < ROW_SRC; i++)
        if (row->src[i].type && row->src[i].field == F_ssamp)
            o->ssamp = scalar_tuple(t, (unsigned)field[F_ssamp], 4);

    const unsigned data = (unsigned)field[F_vdata] + (field[F_acc] ? SRC_AGPR0 - SRC_VGPR0 : 0);
    if (!loads || atomic) mo->data = source_offset(t, data, T_B32, dwords);
    if (loads && (!atomic || mo->returns)) {
        if (atomic && row->image & IMAGE_TWO_DATA) dwords /= 2; // the old value takes half of them
        // Outside the wave's registers: as if no lane were active (TRAP-396).
        mo->dst = destination_offset(t, data, dwords + has_status);
        if (mo->dst == UINT32_MAX || !writable) return true;
        if (has_status) o->status = mo->dst + dwords * f->stride;
    }
    mo->slot = range_slot(t, atomic ? RIGHT_READ | RIGHT_WRITE : loads ? RIGHT_READ : RIGHT_WRITE);
    struct op *op = emit_op(t, body->fn[0]);
    op->extra = o;
    t->out_of_bounds |= !image_op_in_bounds(f, o);
    return true;
}

// Groups of the descriptor that are not named are zeros.
bool translate_tensor(struct translator *t, const struct insn *in, const struct body *body) {
    static const enum field fields[TENSOR_GROUPS] = {F_vaddr0, F_vaddr1, F_vaddr2, F_vaddr3};
    struct tensor_op *o = arena_alloc(t->arena, sizeof *o);
    if (!o) {
        t->failed = true;
        return true;
    }
    *o = (struct tensor_op){.stores = !(in->row->flags & ROW_LOAD)};
    for (unsigned i = 0; i < TENSOR_GROUPS; i++) {
        const unsigned code = (unsigned)in->f[fields[i]];
        o->group[i] = code == t->facts->null ? WAVE_OFFSET(zeros) : scalar_tuple(t, code, i == 1 ? 8 : 4);
    }
    o->mem.slot = range_slot(t, o->stores ? RIGHT_WRITE : RIGHT_READ);
    struct op *op = emit_op(t, body->fn[0]);
    if (op) op->extra = o;
    return true;
}
