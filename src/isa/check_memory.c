// SPDX-License-Identifier: MIT
// Which memory instructions and exports are as an assembler would write them: registers that exist and that
// the dimension or width asks for, policies that have a name, modifiers that may stand together. See check.c.
#include "isa/check.h"

#include <string.h>

static bool unused_register(const struct insn *in, enum field field) {
    return insn_has(in, field) && !names_field(in->row, field) && (in->f[field] & 255);
}

// Cache maintenance has no operands; nothing but its opcode and cache policy may be set.
static bool all_zero(const struct isa *isa, const struct insn *in) {
    static const uint8_t policy[] = {F_op, F_glc, F_slc, F_scc, F_dlc, F_th, F_scope, F_nv};
    for (unsigned i = 0; i < in->format->part_count; i++) {
        const struct part *p = &in->format->parts[i];
        int32_t empty = p->field == F_saddr ? (int32_t)isa->null_register : 0;
        if (memchr(policy, p->field, sizeof policy)) continue;
        if ((in->f[p->field] ^ empty) & (p->bias ? p->bias - 1 : -1)) return false;
    }
    return true;
}

// FLAT has no negative offsets, and no more positive ones than GLOBAL.
static int flat_offset_end(const struct isa *isa) {
    const struct format *global = isa->formats[FMT_GLOBAL];
    for (unsigned i = 0; global && i < global->part_count; i++)
        if (global->parts[i].field == F_offset && global->parts[i].sign)
            return (1 << (global->parts[i].sign - 1)) - 1;
    return INT32_MAX;
}

// Each bit of a lane number kept, cleared, set or turned: other combinations of the three masks are shown as
// one of these. From GFX9 on two modes take the place of some.
static bool swizzle_has_name(const struct isa *isa, int offset) {
    if (offset >= 0xc000 && isa->swizzle_rotates) return true;
    if (offset & 0x8000) return true;
    int and = offset & 31, or = offset >> 5 & 31, flip = offset >> 10 & 31;
    return !(and& or) && !(flip & ~and);
}

// Cache policies of GFX12 that have a name.
static bool check_policy(const struct insn *in) {
    const struct row *row = in->row;
    int th = in->f[F_th], scope = in->f[F_scope];
    if (row->atomic || row->flags & ROW_ATOMIC)
        return (th & 5) != 5 && !(th >= 4 && scope < 2) && !(th == 3 && scope == 3);
    return th != 7 || (row->flags & ROW_STORE && !(row->flags & ROW_LOAD));
}

// Whether that register may stand in a field beside the row's operands.
static bool stands(const struct isa *isa, const struct insn *in, enum field field, int code,
                   unsigned dwords) {
    struct rule rule = rule_of_field(isa, in, field, dwords);
    return rule_admits(isa, &rule, (unsigned)code);
}

static bool check_buffer(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    if (!row->src[0].type) return all_zero(isa, in);
    if (f[F_offset] < 0 || (f[F_tfe] && !row->dst[0].type)) return false;
    if (f[F_addr64] && (f[F_idxen] || f[F_offen])) return false;
    if (!names_field(row, F_vaddr) && (f[F_idxen] || f[F_offen])) return false;
    struct operand data = row->dst[0].type ? insn_operand(isa, in, row->dst[0], false) : (struct operand){0};
    data.dwords++;
    if (f[F_tfe] && !registers_exist(isa, data.code, data.dwords)) return false;
    if (((f[F_idxen] && f[F_offen]) || f[F_addr64]) && !stands(isa, in, F_vaddr, f[F_vaddr], 2)) return false;
    if (in->format->id == FMT_MTBUF) return !f[F_tfe];
    if (row->atomic || row->flags & ROW_ATOMIC)
        return !f[F_tfe] && !f[F_lds] && !(f[F_dlc] && !isa->atomic_dlc);
    if (f[F_lds] && f[F_tfe]) return false;
    if (row->flags & ROW_STORE && !names_field(row, F_vdata)) return f[F_lds]; // the data is in LDS
    return !f[F_lds] || !names_field(row, F_vdata) || isa_loads_to_lds(isa, row);
}

// As many registers as the dimension asks for, in as many words.
static bool check_image_address(const struct isa *isa, const struct insn *in) {
    struct image_address a;
    if (!isa_image_address(isa, in, &a)) return false;
    int words = !a.list || in->format->id != FMT_MIMG ? 0 : isa->partial_nsa ? 1 : (int)(a.count + 2) / 4;
    if (in->f[F_nsa] != words || (words && a.count < 2)) return false;
    for (unsigned i = 0; i < a.count; i++)
        if (!stands(isa, in, F_vaddr0, in->f[F_vaddr0 + (a.list ? i : 0)], a.dwords[i])) return false;
    return !(in->row->image & IMAGE_MSAA) || in->f[F_dim] == 6 || in->f[F_dim] == 7;
}

static bool check_image(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    if (row->image & IMAGE_NO_D16 && f[F_d16]) return false;
    if (row->image & IMAGE_RAY) { // everything but the registers and a16 is fixed
        bool mimg = in->format->id == FMT_MIMG;
        struct image_address a;
        if (f[F_dmask] != 15 || !f[F_r128] || (mimg && !f[F_unorm])) return false;
        if (f[F_dim] || f[F_d16] || f[F_tfe] || f[F_lwe] || f[F_glc] || f[F_slc] || f[F_dlc] || f[F_th] ||
            f[F_scope] || f[F_ssamp])
            return false;
        return isa_image_address(isa, in, &a);
    }
    struct operand data = {.code = (uint16_t)f[F_vdata], .dwords = 2};
    if (row->image & IMAGE_TWO_DATA && !registers_exist(isa, data.code, data.dwords)) return false;
    data.dwords = (uint8_t)isa_image_data(isa, in, true);
    if (names_field(row, F_vdata) && !registers_exist(isa, data.code, data.dwords)) return false;
    bool atomic = row->atomic || row->flags & ROW_ATOMIC;
    if (atomic && f[F_dmask] != 1 && f[F_dmask] != 3 && f[F_dmask] != 15) return false;
    if (!check_image_address(isa, in)) return false;
    if (row->image & IMAGE_GATHER && __builtin_popcount((unsigned)f[F_dmask]) != 1) return false;
    if (in->format->id == FMT_VIMAGE) return !(f[F_vaddr4] & 255);
    // As many words of registers as some dimension of the operation has use for.
    static const uint8_t fewest[] = {0, 2, 6, 10};
    return f[F_nsa] < 2 || (isa_image_most(row) >= fewest[f[F_nsa]] && !isa->partial_nsa);
}

static bool check_scalar_memory(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    int data = in->f[F_sdata], m0 = isa->m0_register;
    if (!row->src[0].type && !row->dst[0].type) return all_zero(isa, in);
    for (int i = 0; i < ROW_SRC; i++) // offsets into buffers count from their start
        if (row->src[i].type == T_B128 && row->src[i].field == F_sbase && in->f[F_offset] < 0 &&
            (!insn_has(in, F_imm) || in->f[F_imm]))
            return false;
    if (names_field(row, F_soffset)) return data < 32; // prefetches: a length
    // The register of an offset: in the offset's place (GFX8, GFX9) or in one of its own.
    int soffset = insn_has(in, F_soe) && in->f[F_soe]    ? in->f[F_soffset]
                  : insn_has(in, F_imm) && !in->f[F_imm] ? in->f[F_offset] & 127
                                                         : -1;
    if (in->format->words == 1 && in->has_literal) return isa->formats[FMT_FLAT]; // of GFX7
    if (soffset >= 0 && !stands(isa, in, F_soffset, soffset, 1)) return false;
    bool number = row->src[0].type == T_SMALL; // probes
    return number || (data != m0 && data != SRC_EXEC_LO && data != SRC_EXEC_HI);
}

static bool check_export(const struct isa *isa, const struct insn *in) {
    const int en = in->f[F_en];
    if (in->f[F_compr] && ((en & 3) % 3 || (en >> 2) % 3)) return false; // each register is written twice
    return isa_export_target(isa, (unsigned)in->f[F_tgt]);
}

static bool check_ds(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    if (row->src[1].type == T_SWIZZLE && !swizzle_has_name(isa, f[F_offset0] | f[F_offset1] << 8))
        return false;
    if (f[F_gds] && !isa->gds) return false;
    if ((row->class == CLASS_GDS || row->class == CLASS_GWS) && !f[F_gds]) return false;
    if (row->class == CLASS_NOP) return all_zero(isa, in);
    if (f[F_gds] && row->class == CLASS_BETWEEN_LANES) return false;
    return !unused_register(in, F_addr) && !unused_register(in, F_data0) && !unused_register(in, F_data1) &&
           !unused_register(in, F_vdst);
}

static bool check_flat(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    if (f[F_tfe] || (f[F_nv] && !isa->flat_saddr)) return false;
    bool scalar = isa->flat_saddr && f[F_saddr] != (int)isa->null_register;
    if (row->src[0].type && !stands(isa, in, F_vaddr, f[F_vaddr], scalar ? 1 : 2)) return false;
    if (scalar) return !f[F_sve] && stands(isa, in, F_saddr, f[F_saddr], 0);
    if (insn_has(in, F_sve) && f[F_sve]) return false;
    if (insn_has(in, F_offset) && f[F_offset] > flat_offset_end(isa)) return false;
    if (insn_has(in, F_saddr) && f[F_saddr] != (int)isa->null_register) return false;
    return !f[F_lds];
}

static bool check_global(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    if (f[F_nv] && !isa->flat_saddr) return false;
    if (!row->dst[0].type && !row->src[0].type) return all_zero(isa, in);
    int null = (int)isa->null_register;
    bool pair = in->format->id == FMT_GLOBAL && (f[F_saddr] == 127 || (null && f[F_saddr] == null));
    if (!row->dst[0].type && !names_field(row, F_vdata) && f[F_acc]) return false;
    if (pair && row->src[0].type && !stands(isa, in, F_vaddr, f[F_vaddr], 2)) return false;
    if (f[F_saddr] != 127 && !pair && !stands(isa, in, F_saddr, f[F_saddr], 0)) return false;
    bool off = !isa->null_register || (in->format->id == FMT_SCRATCH && (isa->scratch_alone || f[F_lds]));
    if (f[F_saddr] == 127 && !off) return false;
    if (in->format->id == FMT_GLOBAL && f[F_sve]) return false;
    return !f[F_lds] || (row->access >= ACCESS_U8 && row->access <= ACCESS_B32 && row->flags & ROW_LOAD);
}

// Offsets that count elements: those in registers beside a base.
static bool check_scaled(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    const bool scalar = in->f[F_saddr] != (int)isa->null_register;
    switch (in->format->id) {
    case FMT_SMEM: return row->dst[0].type && row->src[0].type == T_B64;
    case FMT_SCRATCH: return in->f[F_sve] && row->src[0].type;
    default: return scalar && names_field(row, F_vaddr);
    }
}

bool check_memory(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    const int32_t *f = in->f;
    if (insn_has(in, F_th) && !check_policy(in)) return false;
    if (f[F_scale_offset] && !check_scaled(isa, in)) return false;
    if (f[F_nv] && in->format->id == FMT_SMEM && names_field(row, F_soffset)) return false; // prefetches
    bool mute = (row->atomic == ATOMIC_add_f32 || row->atomic == ATOMIC_pk_add_f16) && !isa->fadd_returns;
    if (mute && in->format->id != FMT_DS && f[F_glc]) return false;
    switch (in->format->id) {
    case FMT_MUBUF:
    case FMT_MTBUF: return check_buffer(isa, in);
    case FMT_SMEM: return check_scalar_memory(isa, in);
    case FMT_VIMAGE:
    case FMT_MIMG:
    case FMT_VSAMPLE:
        if (!check_image(isa, in)) return false;
        if (in->format->id == FMT_VSAMPLE && isa_image_most(row) < 4 && f[F_vaddr3] & 255) return false;
        return names_field(row, F_ssamp) || !f[F_ssamp];
    case FMT_TENSOR:
        return (f[F_vaddr2] == (int)isa->null_register) == (f[F_vaddr3] == (int)isa->null_register);
    case FMT_EXP: return check_export(isa, in);
    case FMT_DS: return check_ds(isa, in);
    case FMT_FLAT: return check_flat(isa, in);
    case FMT_GLOBAL:
    case FMT_SCRATCH: return check_global(isa, in);
    default: return true;
    }
}
