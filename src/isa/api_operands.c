// SPDX-License-Identifier: MIT
// The operands of a decoded instruction one by one: registers with their range, constants with the bits that
// the operation sees, immediates, branch targets, and the registers that no field names.
#include "isa/api.h"
#include "isa/constants.h"
#include "isa/kinds.h"
#include "isa/names.h"

struct list {
    const struct isa *isa;
    const struct insn *in; // the half being listed, of a VOPD
    bool wave32, second;
    sw_operand items[SW_MAX_OPERANDS];
    size_t count;
};

static sw_operand *add(struct list *l, enum field field, unsigned type, unsigned access) {
    if (l->count == SW_MAX_OPERANDS) l->count--; // the list is longer than any instruction's
    sw_operand *o = &l->items[l->count++];
    *o = (sw_operand){.access = (uint8_t)access,
                      .second = l->second,
                      .code = -1,
                      .element_bits = operand_bits[type],
                      .field = api_field_names[field],
                      .type = api_type_names[type]};
    return o;
}

// ---- Constants ----

static bool is_constant(unsigned code) {
    return (code >= SRC_ZERO && code <= 208) || (code >= 240 && code <= 248) || code == SRC_LITERAL;
}

// The bits of one element that an inline constant stands for.
static int64_t inline_bits(unsigned code, unsigned type) {
    unsigned bits = operand_bits[type];
    if (code < 240) {
        int64_t v = inline_integer(code);
        return bits == 0 || bits >= 64 ? v : (int64_t)((uint64_t)v & ((1ull << bits) - 1));
    }
    const struct inline_float *c = &inline_floats[code - 240];
    if (type == T_BF16 || type == T_V2BF16) return c->bf16;
    return bits == 16 ? c->f16 : bits == 64 ? (int64_t)c->f64 : (int64_t)c->f32;
}

static int64_t literal_bits(uint32_t v, unsigned type) {
    if (type == T_F64) return (int64_t)((uint64_t)v << 32);
    if (type == T_I64) return (int32_t)v;
    bool packed = type == T_V2F16 || type == T_V2B16 || type == T_V2BF16;
    return operand_bits[type] == 16 && !packed ? v & 0xffff : v;
}

// ---- Registers ----

static void set_register(const struct isa *isa, sw_operand *o, unsigned code, unsigned dwords) {
    o->code = (int16_t)code;
    o->count = (uint16_t)dwords;
    if (code >= SRC_VGPR0) {
        const bool acc = code >= SRC_AGPR0 && !isa->vgpr_msb;
        o->kind = acc ? SW_OPERAND_AGPR : SW_OPERAND_VGPR;
        o->first = (uint16_t)(code - (acc ? SRC_AGPR0 : SRC_VGPR0));
        return;
    }
    struct scalar s = isa_scalar(isa, code, dwords);
    unsigned mask = dwords > 2 ? ~3u : dwords == 2 ? ~1u : ~0u;
    o->first = (uint16_t)(s.index & mask);
    o->name = s.kind == SCALAR_SPECIAL ? s.name : NULL;
    o->kind = s.kind == SCALAR_SGPR      ? SW_OPERAND_SGPR
              : s.kind == SCALAR_TTMP    ? SW_OPERAND_TTMP
              : s.kind == SCALAR_SPECIAL ? SW_OPERAND_SPECIAL
                                         : SW_OPERAND_INVALID;
}

static void add_register(struct list *l, enum field field, unsigned type, unsigned access, unsigned code,
                         unsigned dwords) {
    set_register(l->isa, add(l, field, type, access), code, dwords);
}

// The signs that a source takes in the text: float sources, and both choices of v_cndmask.
static struct api_modifiers modifiers_of(const struct insn *in, struct operand_spec s) {
    struct api_modifiers m = {0};
    const int32_t *f = in->f;
    int n = source_number(s.field);
    const struct row *row = in->row;
    if (n < 0 || row->flags & ROW_BITOP3) return m;
    bool sign = takes_sign(row, s.type);
    unsigned id = in->format->id;
    if (in->suffix == SUFFIX_SDWA) {
        bool integer = !is_float(s.type) || (n == 1 && row->flags & ROW_ABSNEG);
        m.sext = row->flags & ROW_SEXT && integer && f[F_sext] >> n & 1;
        m.neg = sign && f[F_sdwa_neg] >> n & 1;
        m.abs = sign && f[F_sdwa_abs] >> n & 1;
    } else if (id == FMT_VOP3P) {
        m.neg = is_mix(s.type) && f[F_neg] >> n & 1;
        m.abs = is_mix(s.type) && f[F_neg_hi] >> n & 1;
    } else if (id == FMT_VOP3 || id == FMT_VOP3B || id == FMT_VOP3S || id == FMT_VOP3I || id == FMT_VINTERP) {
        m.neg = sign && f[F_neg] >> n & 1;
        m.abs = sign && f[F_abs] >> n & 1;
    } else if (in->suffix == SUFFIX_DPP16) {
        m.neg = sign && f[F_dpp_neg] >> n & 1;
        m.abs = sign && f[F_dpp_abs] >> n & 1;
    }
    return m;
}

// ---- Kinds of operands ----

static void add_image(struct list *l, struct operand_spec s, unsigned access) {
    struct image_address a;
    bool fits = isa_image_address(l->isa, l->in, &a);
    if (s.type == T_DMASK) {
        unsigned acc = insn_has(l->in, F_acc) && l->in->f[F_acc] ? SRC_AGPR0 - SRC_VGPR0 : 0;
        add_register(l, s.field, s.type, access, (unsigned)l->in->f[s.field] + acc,
                     isa_image_data(l->isa, l->in, fits));
        return;
    }
    for (unsigned i = 0; i < a.count; i++)
        add_register(l, i ? F_vaddr1 + i - 1 : F_vaddr0, s.type, access, a.code[i], a.dwords[i]);
}

// Vector and scalar part of a FLAT, GLOBAL or SCRATCH address, as far as they are used.
static void add_flat(struct list *l, struct operand_spec s) {
    const struct insn *in = l->in;
    unsigned saddr = (unsigned)in->f[F_saddr], format = in->format->id, null = l->isa->null_register;
    bool scalar = format != FMT_FLAT && (l->isa->null_saddr || saddr != 127) && !(null && saddr == null);
    unsigned vgprs = format == FMT_FLAT || (format == FMT_GLOBAL && !scalar) ? 2 : 1;
    if (format == FMT_SCRATCH && !(insn_has(in, F_sve) ? in->f[F_sve] : !scalar && !(null && saddr == 127)))
        vgprs = 0;
    if (s.type == T_ADDR && vgprs)
        add_register(l, s.field, s.type, SW_OPERAND_READ, insn_vgpr(in, s.field), vgprs);
    if (s.type == T_SADDR && scalar)
        add_register(l, s.field, s.type, SW_OPERAND_READ, saddr, format == FMT_GLOBAL ? 2 : 1);
}

static void add_immediate(struct list *l, enum field field, unsigned type, int64_t value) {
    sw_operand *o = add(l, field, type, SW_OPERAND_READ);
    o->kind = type == T_LABEL ? SW_OPERAND_LABEL : SW_OPERAND_IMMEDIATE;
    o->value = type == T_LABEL ? 4 * (int64_t)(int16_t)value + 4 : value;
}

static bool is_immediate(unsigned type) {
    return !operand_dwords[type] && type != T_MASK && type != T_ADDR && type != T_SADDR &&
           type != T_BUFADDR && type != T_IMGADDR && type != T_DMASK;
}

static bool returns_value(const struct insn *in) {
    if (!in->row->atomic && !(in->row->flags & ROW_ATOMIC)) return true;
    if (in->format->id != FMT_FLAT && in->format->id != FMT_GLOBAL && in->format->id != FMT_SCRATCH)
        return true;
    return insn_has(in, F_th) ? in->f[F_th] & 1 : in->f[F_glc];
}

static void add_operand(struct list *l, struct operand_spec s, bool written) {
    const struct insn *in = l->in;
    unsigned format = in->format->id, access = written ? SW_OPERAND_WRITE : SW_OPERAND_READ;
    if (!s.type) return;
    if (in->row->flags & ROW_SWAPS) access = SW_OPERAND_READ | SW_OPERAND_WRITE;
    if (s.type == T_DMASK || s.type == T_IMGADDR) {
        add_image(l, s, access);
    } else if (s.type == T_ADDR || s.type == T_SADDR) {
        add_flat(l, s);
    } else if (s.type == T_BUFADDR) {
        unsigned vgprs = in->f[F_addr64] ? 2 : (unsigned)(in->f[F_idxen] + in->f[F_offen]);
        if (vgprs) add_register(l, s.field, s.type, access, insn_vgpr(in, s.field), vgprs);
    } else if (is_immediate(s.type)) {
        enum field field = s.field == F_src1 && format == FMT_VINTRP ? F_vsrc : s.field;
        int64_t value = in->f[field];
        if (s.type == T_SWIZZLE) value = in->f[F_offset1] << 8 | in->f[F_offset0];
        add_immediate(l, field, s.type, value);
    } else {
        bool lds = in->f[F_lds] && (s.field == F_vdata || s.field == F_vdst);
        static const enum field exports[] = {F_vsrc0, F_vsrc1, F_vsrc2, F_vsrc3};
        for (unsigned i = 0; format == FMT_EXP && i < 4; i++)
            if (s.field == exports[i] && !insn_exports(in, i)) return;
        struct operand o = insn_operand(l->isa, in, s, l->wave32);
        if (!o.type || lds || (written && !returns_value(in))) return;
        enum field field = s.field; // readfirstlane names its scalar register in the VGPR's field
        if (field == F_sdst && s.type != T_MASK && !insn_has(in, F_sdst)) field = F_vdst;
        if (field == F_src1 && format == FMT_VINTRP) field = F_vsrc;
        sw_operand *p = add(l, field, s.type, access);
        if (is_constant(o.code) && !written) {
            bool literal = o.code == SRC_LITERAL;
            p->kind = literal ? SW_OPERAND_LITERAL : SW_OPERAND_INLINE;
            p->code = (int16_t)o.code;
            p->value =
                literal ? literal_bits((uint32_t)in->f[F_literal], s.type) : inline_bits(o.code, s.type);
        } else {
            bool more = (format == FMT_MUBUF || format == FMT_MTBUF) && s.field == F_vdata &&
                        insn_has(in, F_tfe) && in->f[F_tfe]; // the status of the fetch
            set_register(l->isa, p, o.code, o.dwords + (unsigned)more);
            if (o.half) p->half = o.high ? SW_HALF_HIGH : SW_HALF_LOW;
            if (s.type == T_MASK && !insn_has(in, s.field) &&
                !(in->suffix == SUFFIX_SDWA && s.field == F_sdst && in->f[F_sd]))
                p->implicit = true, p->field = NULL;
        }
        struct api_modifiers m = written ? (struct api_modifiers){0} : modifiers_of(in, s);
        p->neg = m.neg, p->abs = m.abs, p->sext = m.sext;
    }
}

// The offset of scalar memory is in the format, not in the row.
static void add_smem_offset(struct list *l) {
    const struct insn *in = l->in;
    const int32_t *f = in->f;
    bool base = false;
    for (int i = 0; i < ROW_SRC; i++) {
        if (in->row->src[i].type && in->row->src[i].field == F_soffset) return; // prefetch names its own
        base |= in->row->src[i].type && in->row->src[i].field == F_sbase;
    }
    if (!base) return;
    if (in->has_literal) {
        sw_operand *o = add(l, F_literal, T_U32, SW_OPERAND_READ);
        o->kind = SW_OPERAND_LITERAL;
        o->code = SRC_LITERAL;
        o->value = (uint32_t)f[F_literal];
        return;
    }
    bool choice = insn_has(in, F_imm), soffset = insn_has(in, F_soffset);
    bool as_register = choice && !f[F_imm] && !(soffset && f[F_soe]);
    if (as_register)
        add_register(l, F_offset, T_B32, SW_OPERAND_READ, (unsigned)f[F_offset] & 127, 1);
    else if (soffset && (choice ? f[F_soe] : (unsigned)f[F_soffset] != l->isa->null_register))
        add_register(l, F_soffset, T_B32, SW_OPERAND_READ, (unsigned)f[F_soffset], 1);
    if (!as_register && !(choice && !f[F_imm])) add_immediate(l, F_offset, T_IMM16, f[F_offset]);
}

static void add_half(struct list *l, const struct row *row) {
    for (int i = 0; i < ROW_DST; i++) add_operand(l, row->dst[i], true);
    size_t written = l->count;
    for (int i = 0; i < ROW_SRC; i++) {
        bool tied = false; // the destination's old value
        for (int k = 0; k < ROW_DST; k++) {
            if (!row->dst[k].type || !row->src[i].type || row->dst[k].field != row->src[i].field) continue;
            tied = true;
            for (size_t n = 0; n < written; n++)
                if (l->items[n].second == l->second &&
                    l->items[n].field == api_field_names[row->dst[k].field])
                    l->items[n].access |= SW_OPERAND_READ;
        }
        // What an atomic that returns nothing still reads.
        if (!tied || (row->dst[0].type && !returns_value(l->in))) add_operand(l, row->src[i], false);
    }
}

// ---- Registers that no field names ----

static void add_implicit(struct list *l, unsigned reads, unsigned writes) {
    static const struct {
        uint8_t bit, code; // code 0: none
        bool mask;         // as wide as a wave
        const char *name, *low;
    } registers[] = {
        {R_SCC, 253, false, "scc", "scc"},
        {R_VCC, SRC_VCC_LO, true, "vcc", "vcc_lo"},
        {R_EXEC, SRC_EXEC_LO, true, "exec", "exec_lo"},
        {R_M0, 0, false, "m0", "m0"},
        {R_MODE, 0, false, "mode", "mode"},
    };
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        unsigned bit = registers[i].bit;
        if (!((reads | writes) & bit)) continue;
        unsigned access = (reads & bit ? SW_OPERAND_READ : 0u) | (writes & bit ? SW_OPERAND_WRITE : 0u);
        int code = bit == R_M0 ? l->isa->m0_register : registers[i].code ? registers[i].code : -1;
        bool known = false;
        for (size_t n = 0; n < l->count && !known; n++)
            if (l->items[n].implicit && l->items[n].code == code && code >= 0) {
                l->items[n].access |= (uint8_t)access;
                known = true;
            }
        if (known) continue;
        sw_operand *o = add(l, F_op, registers[i].mask ? T_MASK : T_B32, access);
        o->kind = SW_OPERAND_SPECIAL;
        o->implicit = true;
        o->second = false;
        o->field = NULL;
        o->code = (int16_t)code;
        o->count = registers[i].mask && !l->wave32 ? 2 : 1;
        o->name = l->wave32 ? registers[i].low : registers[i].name;
    }
}

// The halves of a VOPD have fields of their own.
static void name_halves(struct list *l) {
    static const struct {
        uint8_t field, x, y;
    } halves[] = {{F_vdst, F_vdstx, F_vdsty},
                  {F_src0, F_src0x, F_src0y},
                  {F_src1, F_src1x, F_src1y},
                  {F_src2, F_src2x, F_src2y}};
    for (size_t i = 0; i < l->count; i++)
        for (size_t k = 0; k < sizeof halves / sizeof *halves; k++)
            if (l->items[i].field == api_field_names[halves[k].field])
                l->items[i].field = api_field_names[l->items[i].second ? halves[k].y : halves[k].x];
}

size_t sw_insn_operands(const sw_isa_mode *mode, const sw_insn *insn, sw_operand *out, size_t capacity,
                        size_t stride) {
    struct isa copy;
    struct api_mode m = api_mode_of(mode, &copy);
    if (!m.isa || !api_has_insn(insn)) return 0;
    const struct insn *in = api_insn(insn);
    struct list l = {.isa = m.isa, .in = in, .wave32 = m.mode.wave32};
    unsigned reads = api_implicit_reads(in->row), writes = in->row->writes;
    add_half(&l, in->row);
    if (in->format->id == FMT_SMEM) add_smem_offset(&l);
    if (in->scaled) {
        add_register(&l, F_scale0, T_B32, SW_OPERAND_READ, (unsigned)in->f[F_scale0], 1);
        add_register(&l, F_scale1, T_B32, SW_OPERAND_READ, (unsigned)in->f[F_scale1], 1);
    }
    if (in->row_y) {
        struct insn y = *in;
        y.row = in->row_y;
        y.f[F_vdstx] = in->f[F_vdsty];
        y.f[F_src0x] = in->f[F_src0y];
        y.f[F_src1x] = in->f[F_src1y];
        y.f[F_src2x] = in->f[F_src2y];
        l.in = &y;
        l.second = true;
        add_half(&l, in->row_y);
        reads |= api_implicit_reads(in->row_y);
        writes |= in->row_y->writes;
    }
    add_implicit(&l, reads, writes);
    if (in->row_y) name_halves(&l);
    for (size_t i = 0; i < l.count; i++) api_put(out, i, capacity, stride, &l.items[i], sizeof *l.items);
    return l.count;
}
