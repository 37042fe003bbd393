// SPDX-License-Identifier: MIT
// Memory instructions to ops: one op each, whose facts are a struct mem_op. What the fields of each format
// mean on each kind of processor is decided here; bodies see registers, offsets and modes only.
#include "exec/body/atomics.h"
#include "exec/body/body.h"
#include "exec/body/flags.h"
#include "exec/map.h"
#include "exec/body/steps.h"
#include "exec/decode/gds_ops.h"
#include "exec/decode/translate.h"
#include "isa/effect.h"
#include "isa/kinds.h"
#include "softwave/device.h"
#include "texel/texel.h"

static const uint8_t atomic_size[] = {
#define ATOMIC(name, bytes, traits) [ATOMIC_##name] = bytes,
#include "isa/atomics.def"
#undef ATOMIC
};

enum { SCALAR_END = SRC_VCC_HI + 1 }; // registers that memory may be loaded into
enum { SCALAR_ADDRESSES = 124 };      // that may hold an address; above are M0, NULL and EXEC
enum { NO_SADDR = 0x7f }; // "off" where there is no NULL register; scratch without address where there is

uint16_t range_slot(struct translator *t, uint32_t rights) {
    uint32_t at = *t->next_slot;
    while ((at & 3) != rights) at++;
    *t->next_slot = at + 1 < 1u << 30 ? at + 1 : 0;
    return (uint16_t)(at % RANGE_SLOTS);
}

// The operand that stands in this field, as source or, for `dst`, as destination; type T_NO_OPERAND if none.
static struct operand operand_in(const struct translator *t, const struct insn *in, enum field field,
                                 bool dst) {
    const struct operand_spec *specs = dst ? in->row->dst : in->row->src;
    for (int i = 0; i < (dst ? ROW_DST : ROW_SRC); i++)
        if (specs[i].type && specs[i].field == field)
            return insn_operand(t->facts->isa, in, specs[i], t->facts->wave32);
    return (struct operand){.type = T_NO_OPERAND};
}
static void put_data(struct translator *t, const struct insn *in, enum field field, uint32_t *slot) {
    struct operand o = operand_in(t, in, field, false);
    if (o.type != T_NO_OPERAND) *slot = source_offset(t, o.code, o.type, o.dwords);
}
static bool is_null(const struct translator *t, unsigned code) {
    return t->facts->null && code == t->facts->null;
}
static bool is_off(const struct translator *t, unsigned code) { return code == NO_SADDR || is_null(t, code); }

uint32_t scalar_tuple(const struct translator *t, unsigned code, unsigned dwords) {
    return source_offset(t, code + dwords <= 128 ? code : 0, T_B32, dwords);
}

static bool gap(struct translator *t, const char *why) {
    t->gap = why;
    return false;
}

// ---- FLAT, GLOBAL, SCRATCH ----
// Offsets in registers that count elements, and FLAT's offsets beside a scalar address: the sum goes to
// temporaries.
static bool put_scaled(struct translator *t, const struct insn *in, struct mem_op *mo) {
    const bool scratch = in->format->id == FMT_SCRATCH, flat = in->format->id == FMT_FLAT;
    const unsigned size = in->row->atomic ? atomic_size[in->row->atomic] : access_size(in->row->access);
    const bool scaled = in->f[F_scale_offset] && (scratch ? mo->has_vaddr : mo->has_saddr);
    if (!scaled && !(flat && mo->has_saddr)) return true;
    if (!size) return gap(t, "scale_offset without a size");
    struct op *op = emit_op(t, t->facts->steps->scale_address);
    if (!op) return true;
    op->a = mo->vaddr;
    op->b = scratch ? WAVE_OFFSET(zeros) : mo->saddr;
    op->d = temp_offset(0);
    op->e = scaled ? size : 1;
    mo->vaddr = temp_offset(0);
    if (!scratch) mo->vaddr64 = true, mo->has_saddr = false, mo->saddr = 0;
    return true;
}

static bool put_flat(struct translator *t, const struct insn *in, struct mem_op *mo) {
    const struct code_facts *f = t->facts;
    const unsigned saddr = (unsigned)in->f[F_saddr];
    const bool off = !insn_has(in, F_saddr) || is_off(t, saddr);
    mo->offset = in->f[F_offset];
    // Architected, or set by s_setreg: wave state. Else the prolog put the address into an SGPR pair.
    bool in_sgprs = fact(f->processor, FACT_flat_scratch_sgprs);
    mo->flat_scratch = in_sgprs ? sgpr_offset(SRC_FLAT_SCRATCH_LO) : WAVE_OFFSET(scratch_base);
    mo->lds_mask = UINT32_MAX >> (32 - fact(f->processor, FACT_lds_address_bits)); // TRAP-288
    mo->lds_keeps_denormals = has(f->processor, CAP_flat_lds_keeps_denormals);
    switch (in->format->id) {
    case FMT_GLOBAL:
        mo->has_saddr = !off;
        mo->vaddr64 = off;
        break;
    case FMT_SCRATCH:
        mo->has_saddr = !off;
        if (insn_has(in, F_sve))
            mo->has_vaddr = in->f[F_sve];
        else
            mo->has_vaddr = f->null ? is_null(t, saddr) : off;
        break;
    default:
        mo->has_saddr = !off && f->isa->flat_saddr; // else saddr is ignored (TRAP-048)
        mo->vaddr64 = !mo->has_saddr;
    }
    mo->vaddr = source_offset(t, insn_vgpr(in, F_vaddr), T_B32, mo->vaddr64 ? 2 : 1);
    if (mo->has_saddr) mo->saddr = scalar_tuple(t, saddr, in->format->id == FMT_SCRATCH ? 1 : 2);
    if (!put_scaled(t, in, mo)) return false;
    mo->scratch = in->format->id == FMT_SCRATCH;
    if (mo->scratch) { // as pieces have it
        mo->soffset = mo->flat_scratch;
        if (!mo->has_saddr) mo->saddr = WAVE_OFFSET(zeros);
    }
    put_data(t, in, F_vdata, &mo->data);
    return true;
}

// ---- DS ----
// Up to GFX8, M0 limits the addresses of DS instructions (PRO-02), and not those of loads to LDS, which take
// their address from it.
static void limit_lds(struct translator *t, bool by_m0) {
    enum { ALL_ONES = 193 - 128 }; // number of the inline constant -1
    if (!fact(t->facts->processor, FACT_m0_limits_lds)) return;
    struct op *op = emit_op(t, t->facts->steps->limit_lds);
    op->a = by_m0 ? sgpr_offset(t->facts->m0) : (uint32_t)(WAVE_OFFSET(constant32) + 4 * ALL_ONES);
}
static bool put_ds(struct translator *t, const struct insn *in, const struct body *body, struct mem_op *mo) {
    if (body->pair) {
        unsigned unit = access_size(in->row->access) * body->pair;
        mo->offset = in->f[F_offset0] * (int64_t)unit;
        mo->offset1 = in->f[F_offset1] * (int64_t)unit;
    } else
        mo->offset = in->f[F_offset0] | in->f[F_offset1] << 8;
    put_data(t, in, F_addr, &mo->vaddr);
    put_data(t, in, F_data0, &mo->data);
    put_data(t, in, F_data1, &mo->data1);
    mo->m0 = sgpr_offset(t->facts->m0);
    if (!in->f[F_gds]) limit_lds(t, true);
    return true;
}

// ---- MUBUF ----
// The bit of TRAPSTS, later of the user's exception flags (BUF-74).
static uint32_t oob_flag_of(const sw_processor *p) {
    const enum srd_kind kind = fact(p, FACT_srd);
    return kind < SRD_GFX10 ? 0 : kind < SRD_GFX12 ? 1u << 15 : 1u << 30;
}
// Before GFX10 dwords drop two bits of the address (TRAP-314); but raw ones do not where the driver has set
// the alignment mode to UNALIGNED, which processors have that have FLAT (ERR-30).
static bool drops_bits(const struct translator *t, const struct row *row) {
    const sw_processor *p = t->facts->processor;
    const bool raw = row->access && !row->atomic;
    const bool any = raw && t->facts->alignment == SW_ALIGNMENT_UNALIGNED && has(p, CAP_flat_address_space);
    return fact(p, FACT_srd) < SRD_GFX10 && !any;
}
static bool put_buffer(struct translator *t, const struct insn *in, struct mem_op *mo) {
    mo->srd = (uint8_t)fact(t->facts->processor, FACT_srd);
    mo->soffset_counts = fact(t->facts->processor, FACT_soffset_counts);
    mo->oob_flag = oob_flag_of(t->facts->processor);
    mo->whole_dwords = drops_bits(t, in->row);
    mo->idxen = in->f[F_idxen];
    mo->offen = in->f[F_offen];
    mo->addr64 = in->f[F_addr64];
    mo->offset = in->f[F_offset];
    mo->vaddr =
        source_offset(t, insn_vgpr(in, F_vaddr), T_B32, mo->addr64 || (mo->idxen && mo->offen) ? 2 : 1);
    mo->srsrc = scalar_tuple(t, (unsigned)in->f[F_srsrc], 4);
    mo->soffset = source_offset(t, (unsigned)in->f[F_soffset], T_B32, 1);
    if (mo->soffset == OP_IMM) return gap(t, "literal buffer offset");
    put_data(t, in, F_vdata, &mo->data);
    return true;
}

// Formatted buffers: the format where the instruction says it, and the components it moves.
static void put_format(struct translator *t, const struct insn *in, const struct body *body,
                       struct mem_op *mo) {
    const struct row *row = in->row;
    const unsigned type = row->dst[0].type               ? row->dst[0].type
                          : row->src[0].field == F_vdata ? row->src[0].type
                                                         : T_B32;
    mo->components = type == T_B64 || type == T_D16_XY      ? 2
                     : type == T_B96 || type == T_D16_XYZ   ? 3
                     : type == T_B128 || type == T_D16_XYZW ? 4
                                                            : 1;
    if (row->flags & ROW_D16)
        mo->d16 = body->pair ? D16_HIGH : t->facts->isa->packed_d16 ? D16_PACKED : D16_APART;
    mo->format_here = in->format->id == FMT_MTBUF;
    if (!mo->format_here) return;
    struct texel_format f = {in->f[F_format] & 15, in->f[F_format] >> 4 & 7};
    if (t->facts->isa->unified_format) f = texel_unified((unsigned)in->f[F_format], mo->srd >= SRD_GFX11);
    mo->data_format = f.layout;
    mo->number_format = f.number;
}

// ---- SMEM ----
// What addresses of scalar memory cannot be (M0 but as an offset, NULL, EXEC) reads as zero or as s0 (SM9-45,
// SM11-21, SM11-26); descriptors always as s0.
static uint32_t scalar_address(const struct translator *t, unsigned code, unsigned dwords) {
    if (code < SCALAR_ADDRESSES) return scalar_tuple(t, code, dwords);
    const bool zero = dwords <= 2 && has(t->facts->processor, CAP_zero_sgpr_out_of_range);
    return source_offset(t, zero ? SRC_ZERO : 0, T_B64, dwords);
}
static void put_scalar_offset(struct translator *t, const struct insn *in, struct mem_op *mo) {
    const int32_t offset = in->f[F_offset];
    int reg = -1;
    if (in->format->words == 1) { // immediates count dwords
        if (in->has_literal)
            mo->offset = (int64_t)(uint32_t)in->f[F_literal] * 4;
        else if (in->f[F_imm])
            mo->offset = (int64_t)offset * 4;
        else
            reg = offset;
    } else if (!insn_has(in, F_imm)) { // always both
        mo->offset = offset;
        reg = in->f[F_soffset];
    } else { // TRAP-091
        if (in->f[F_imm]) mo->offset = offset;
        if (in->f[F_soe])
            reg = in->f[F_soffset];
        else if (!in->f[F_imm])
            reg = offset & 0x7f;
    }
    mo->offen = reg >= 0 && !is_null(t, (unsigned)reg);
    if (mo->offen)
        mo->soffset = (unsigned)reg == t->facts->m0 || reg >= SRC_ZERO
                          ? source_offset(t, (unsigned)reg, T_B32, 1)
                          : scalar_address(t, (unsigned)reg, 1);
}
static bool put_smem(struct translator *t, const struct insn *in, struct mem_op *mo) {
    const struct code_facts *f = t->facts;
    mo->scalar = true;
    const struct operand base = operand_in(t, in, F_sbase, false);
    mo->saddr = scalar_address(t, base.code, base.dwords);
    mo->srd = (uint8_t)fact(f->processor, FACT_srd);
    mo->negative_faults = fact(f->processor, FACT_negative_scalar_faults);
    put_scalar_offset(t, in, mo);
    if (mo->offen && mo->soffset == OP_IMM) return gap(t, "literal scalar offset");
    if (in->f[F_scale_offset] && mo->offen) { // the sum goes to the place of EXECZ, which only steps write
        if (!in->row->access || base.dwords > 2) return gap(t, "scale_offset without a size");
        struct op *op = emit_op(t, t->facts->steps->scale_scalar);
        if (!op) return true;
        op->a = mo->soffset, op->b = mo->saddr, op->d = WAVE_OFFSET(execz);
        op->e = access_size(in->row->access);
        mo->saddr = op->d, mo->offen = false, mo->soffset = 0;
    }
    const struct operand data = operand_in(t, in, F_sdata, false);
    if (data.type != T_NO_OPERAND) mo->data = scalar_tuple(t, data.code, data.dwords);
    if (in->row->atomic) { // the register that returns the old value; two of them where compared
        const struct operand both = operand_in(t, in, F_sdata, true);
        mo->data = scalar_tuple(t, both.code, both.dwords);
    }
    return true;
}

// Behind the checks of strict alignment modes, which most devices do without.
static enum aligned aligned_kind(const struct translator *t, const struct insn *in) {
    switch (in->format->id) {
    case FMT_FLAT: return ALIGNED_FLAT;
    case FMT_GLOBAL:
        return operand_in(t, in, F_vaddr, false).type == T_NO_OPERAND ? ALIGNED_GLOBAL_ADDTID
                                                                      : ALIGNED_GLOBAL;
    case FMT_SCRATCH: return ALIGNED_SCRATCH;
    case FMT_DS:
        return operand_in(t, in, F_addr, false).type == T_NO_OPERAND ? ALIGNED_LDS_ADDTID : ALIGNED_LDS;
    default: return ALIGNED_BUFFER;
    }
}
static void emit_alignment(struct translator *t, const struct insn *in, const struct mem_op *mo) {
    if (t->facts->alignment == SW_ALIGNMENT_UNALIGNED || mo->scalar || mo->atomic || !mo->access) return;
    const unsigned bytes = access_size(mo->access), whole = bytes == 12 ? 16 : bytes;
    const unsigned alignment = t->facts->alignment == SW_ALIGNMENT_STRICT || whole < 4 ? whole : 4;
    struct op *op = emit_op(t, t->facts->steps->check_alignment);
    if (!op) return;
    op->extra = mo;
    op->e = aligned_kind(t, in) | bytes << ALIGNED_BYTES_SHIFT | alignment << ALIGNED_TO_SHIFT;
}
static struct op *emit_access(struct translator *t, op_fn *fn, const struct mem_op *mo) {
    struct op *op = emit_op(t, fn);
    op->extra = mo;
    if (mo->atomic && mo->flushes_f32) op->e = ATOMIC_FLUSHES_F32;
    t->out_of_bounds |= !mem_op_in_bounds(t->facts, mo);
    return op;
}

// A load or store for every register, each if its bit of M0 is set. Registers are held against the wave's one
// by one: those that it lacks are not loaded, and v0 is stored in their place (TRAP-300).
static bool translate_block(struct translator *t, const struct insn *in, op_fn *fn,
                            const struct mem_op *whole) {
    const bool loads = in->row->dst[0].type != T_NO_OPERAND;
    const unsigned first = operand_in(t, in, loads ? F_vdst : F_vdata, loads).code;
    for (unsigned i = 0; i < BLOCK_REGISTERS; i++) {
        const uint32_t at =
            loads ? destination_offset(t, first + i, 1) : source_offset(t, first + i, T_B32, 1);
        if (at == UINT32_MAX) continue;
        struct mem_op *mo = arena_alloc(t->arena, sizeof *mo);
        struct op *op = mo ? emit_op(t, t->facts->steps->if_bit) : NULL;
        if (!op) {
            t->failed = true;
            return true;
        }
        op->a = sgpr_offset(t->facts->m0);
        op->e = i;
        *mo = *whole;
        mo->offset += 4 * (int64_t)i;
        *(loads ? &mo->dst : &mo->data) = at;
        if (!(op = emit_access(t, fn, mo))) return true;
    }
    return true;
}

// Where a load to LDS puts what it reads, as steps know it.
static void put_lds_target(const struct translator *t, struct op *op, const struct row *row,
                           const struct mem_op *mo) {
    const unsigned address_bits = processor_lds(t->facts->processor) > 1 << 16 ? 18 : 16;
    op->a = mo->dst;
    op->b = sgpr_offset(t->facts->m0);
    op->e = (row->access ? (access_size(row->access) + 3u) / 4 : 1) | address_bits << LDS_M0_BITS_SHIFT;
    op->imm = (uint32_t)mo->offset;
}

static void translate_gws(struct translator *t, const struct insn *in, const struct body *body) {
    uint32_t count = temp_offset(0);
    put_data(t, in, F_addr, &count);
    struct op *op = emit_op(t, body->fn[0]);
    if (!op) return;
    op->a = count;
    op->b = sgpr_offset(t->facts->m0);
    op->e = (uint32_t)in->f[F_offset0];
}

// With SRAM ECC a register is written as a whole: a load into one half of it clears the other. Has the load
// write the low half of the register, or all of it, and returns what the rest asks for: SDWA_WORD_1 if the
// value belongs into the high half, SDWA_WORD_0 if the high half is to be cleared, SDWA_DWORD for nothing.
static enum sdwa_select write_whole(struct mem_op *mo) {
    switch (mo->access) {
    case ACCESS_D16_U8: mo->access = ACCESS_U8; return SDWA_DWORD;
    case ACCESS_D16_I8: return SDWA_WORD_0;
    case ACCESS_D16_B16: mo->access = ACCESS_U16; return SDWA_DWORD;
    case ACCESS_D16_HI_U8: mo->access = ACCESS_U8; return SDWA_WORD_1;
    case ACCESS_D16_HI_I8: mo->access = ACCESS_D16_I8; return SDWA_WORD_1;
    case ACCESS_D16_HI_B16: mo->access = ACCESS_U16; return SDWA_WORD_1;
    default: break;
    }
    if (mo->d16 == D16_HIGH) {
        mo->d16 = D16_PACKED;
        return SDWA_WORD_1;
    }
    return mo->d16 == D16_PACKED && mo->components % 2 ? SDWA_WORD_0 : SDWA_DWORD;
}
static void finish_whole(struct translator *t, const struct mem_op *mo, enum sdwa_select place) {
    if (place == SDWA_DWORD) return;
    struct op *op = emit_op(t, t->facts->steps->sdwa_merge);
    op->a = op->d = mo->dst + (mo->d16 ? mo->components / 2 * t->facts->stride : 0);
    op->e = (uint32_t)place | (uint32_t)SDWA_PAD << SELECT_UNUSED_SHIFT;
}

// The body of an access to LDS that moves what `access` says.
static op_fn *lds_access(const struct translator *t, const char *name, unsigned access) {
    uint32_t slot = ISA_NAME_START;
    const struct row *row = isa_find_name(t->facts->isa, name, strlen(name), false, &slot);
    return row ? t->facts->bodies[row - isa_rows]->table[access] : NULL;
}
// Between memory and LDS, by way of temporaries: a register has each lane's LDS address, and the immediate
// counts on both sides. Done at once.
static bool translate_async(struct translator *t, const struct insn *in, const struct body *body,
                            struct mem_op *mo) {
    enum { BEHIND_ADDRESS = 2 }; // temporaries that put_scaled fills
    const bool stores = !(in->row->flags & ROW_LOAD);
    const struct operand address = operand_in(t, in, stores ? F_vdata : F_vdst, false);
    struct mem_op *lds = arena_alloc(t->arena, sizeof *lds);
    op_fn *fn = body->table[in->row->access],
          *other = lds_access(t, stores ? "ds_load_b32" : "ds_store_b32", in->row->access);
    if (!lds) {
        t->failed = true;
        return true;
    }
    if (!fn || !other) return gap(t, "no such access");
    *lds = (struct mem_op){
        .access = in->row->access, .offset = (uint32_t)mo->offset, .m0 = sgpr_offset(t->facts->m0)};
    lds->vaddr = source_offset(t, address.code, T_B32, 1);
    lds->dst = lds->data = mo->dst = mo->data = temp_offset(BEHIND_ADDRESS);
    mo->slot = range_slot(t, stores ? RIGHT_WRITE : RIGHT_READ);
    if (stores && !emit_access(t, other, lds)) return true;
    emit_alignment(t, in, mo);
    if (!emit_access(t, fn, mo)) return true;
    if (!stores) emit_access(t, other, lds);
    return true;
}

static op_fn *atomic_handler(const struct translator *t, const struct insn *in, const struct body *body,
                             const struct mem_op *mo) {
    if (body->fn[ATOMIC_ANY_FN]) return body->fn[ATOMIC_ANY_FN];
    if (t->facts->listened && in->format->id != FMT_DS) return body->table[ATOMIC_NONE];
    return body->table[mo->atomic + (mo->returns ? ATOMIC_RETURNS : 0u)];
}

// The address that is written back beside the destination. False: the wave has no such register.
static bool put_stack_pointer(const struct translator *t, const struct insn *in, struct mem_op *mo) {
    const struct operand o = insn_operand(t->facts->isa, in, in->row->dst[1], t->facts->wave32);
    mo->vaddr = destination_offset(t, o.code, o.dwords);
    return mo->vaddr != UINT32_MAX;
}

bool translate_memory(struct translator *t, const struct insn *in, const struct body *body) {
    const struct row *row = in->row;
    if (row->class == CLASS_GWS) {
        translate_gws(t, in, body);
        return true;
    }
    if (row->class == CLASS_GDS) return translate_gds_counter(t, in, body);
    struct mem_op *mo = arena_alloc(t->arena, sizeof *mo);
    if (!mo) {
        t->failed = true;
        return true;
    }
    mo->access = row->access;
    mo->atomic = row->atomic;
    if (insn_has(in, F_soffset) && is_zero_flag((unsigned)in->f[F_soffset]))
        emit_op(t, t->facts->steps->zero_flags);
    const bool loads = row->dst[0].type != T_NO_OPERAND;
    // Returning buffer atomics write the register that they read.
    const enum field result = loads ? (enum field)row->dst[0].field : F_vdata;
    if (row->atomic) {
        mo->flushes_f32 = has(t->facts->processor, CAP_agprs); // TRAP-348
        mo->returns = in->format->id == FMT_DS ? loads : insn_asks_for_old(in);
    }
    bool ok;
    switch (in->format->id) {
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_SCRATCH: ok = put_flat(t, in, mo); break;
    case FMT_DS: ok = put_ds(t, in, body, mo); break;
    case FMT_SMEM: ok = put_smem(t, in, mo); break;
    default: ok = put_buffer(t, in, mo); put_format(t, in, body, mo);
    }
    if (!ok) return false;

    // Loads to LDS go by way of temporaries.
    if (row->flags & ROW_ASYNC_CNT && in->format->id != FMT_DS) return translate_async(t, in, body, mo);
    if (body->pair == STORE_FROM_LDS) { // so do stores from there
        mo->data = temp_offset(0);
        mo->slot = range_slot(t, RIGHT_WRITE);
        struct op *from = emit_op(t, t->facts->steps->from_lds);
        put_lds_target(t, from, row, mo);
        from->d = mo->data, from->a = 0;
        emit_alignment(t, in, mo);
        emit_access(t, body->table[row->access], mo);
        return true;
    }
    const bool to_lds =
        in->f[F_lds] || (!loads && row->flags & ROW_LOAD && row->reads & R_M0 && !row->atomic &&
                         in->format->id != FMT_DS && in->format->id != FMT_SMEM);
    const bool tfe = in->f[F_tfe] && (row->atomic ? mo->returns : loads);
    if (to_lds) {
        mo->dst = temp_offset(0);
        mo->slot = range_slot(t, RIGHT_READ);
        op_fn *fn = row->atomic ? atomic_handler(t, in, body, mo) : body->table[row->access];
        if (!fn) return gap(t, "no such access");
        const bool masked = has(t->facts->processor, CAP_lds_loads_masked);
        if (masked) put_lds_target(t, emit_op(t, t->facts->steps->lds_lanes), row, mo);
        emit_alignment(t, in, mo);
        if (!emit_access(t, fn, mo)) return true;
        limit_lds(t, false);
        put_lds_target(t, emit_op(t, t->facts->steps->to_lds), row, mo);
        if (masked) emit_op(t, t->facts->steps->dpp_end);
        return true;
    }
    if (body->pair == BLOCK_REGISTERS) {
        mo->slot = range_slot(t, loads ? RIGHT_READ : RIGHT_WRITE);
        emit_alignment(t, in, mo); // of one register and so of all
        return translate_block(t, in, body->table[row->access], mo);
    }
    uint32_t status = 0;
    if (row->atomic ? mo->returns : loads) {
        struct operand o = operand_in(t, in, result, loads);
        unsigned dwords = row->atomic ? atomic_size[row->atomic] / 4u : o.dwords;
        mo->null = is_null(t, o.code);
        if (in->format->id == FMT_SMEM && !mo->null && o.code + dwords > SCALAR_END) return true;
        mo->dst = destination_offset(t, o.code, dwords);
        // A destination outside the wave's registers: as if no lane were active (TRAP-396).
        if (mo->dst == UINT32_MAX) return true;
        if (tfe) { // the register behind says whether anything was missing: never
            status = destination_offset(t, o.code, dwords + 1);
            if (status == UINT32_MAX) return true;
            status += dwords * t->facts->stride;
        }
    }
    if (row->dst[1].type && !put_stack_pointer(t, in, mo)) return true;
    if (in->format->id != FMT_DS)
        mo->slot = range_slot(t, row->atomic ? RIGHT_READ | RIGHT_WRITE : loads ? RIGHT_READ : RIGHT_WRITE);
    const bool whole = loads && !row->atomic && t->facts->clears_halves;
    const enum sdwa_select place = whole ? write_whole(mo) : SDWA_DWORD;
    op_fn *fn = row->atomic ? atomic_handler(t, in, body, mo) : body->table[mo->access];
    if (!fn) return gap(t, "no such access");
    emit_alignment(t, in, mo);
    if (body->fn[0]) { // by way of temporaries
        if (!t->facts->wave32) return gap(t, "transposed loads of 64 lanes");
        if (mo->access == ACCESS_B64 && !has(t->facts->processor, CAP_wave32_only))
            return gap(t, "lanes of transposed loads of 8 bits are not documented");
        const uint32_t d = mo->dst;
        mo->dst = temp_offset(0);
        struct op *load = emit_access(t, fn, mo);
        if (!load) return true;
        struct op *finish = emit_op(t, body->fn[0]);
        if (finish) finish->a = temp_offset(0), finish->d = d;
        return true;
    }
    struct op *op = NULL;
    if (!in->f[F_gds])
        op = emit_access(t, fn, mo);
    else if (!emit_gds(t, in, fn, mo))
        return false;
    finish_whole(t, mo, place);
    if (tfe && op && (op = emit_op(t, t->facts->steps->put_masked))) op->d = status;
    return true;
}
