// SPDX-License-Identifier: MIT
// Registers, inline constants and literals.
#include "dis/print.h"
#include "isa/constants.h"

static void put_range(struct printer *p, const char *file, unsigned first, unsigned dwords) {
    printer_put(p, file);
    if (dwords <= 1) {
        put_number(p, first);
        return;
    }
    put_char(p, '[');
    put_number(p, first);
    put_char(p, ':');
    put_number(p, first + dwords - 1);
    put_char(p, ']');
}

// Which of the four choices of upper bits holds for a register in this field; 4: none.
static unsigned msb_place(const struct insn *in, enum field field) {
    const bool buffer = in->format->id == FMT_MUBUF, fixed = in->row->src[1].field == F_literal;
    switch (field) {
    case F_src0:
    case F_addr:
    case F_vaddr: return 0;
    case F_src1: return fixed ? 2 : 1; // v_fmamk
    case F_data0: return 1;
    case F_vdata: return buffer ? 3 : 1;
    case F_src2:
    case F_data1: return 2;
    case F_vdst: return 3;
    default: return 4;
    }
}

void put_msb(struct printer *p, enum field field) {
    const unsigned place = p->options->vgpr_msb ? msb_place(p->in, field) : 4;
    p->msb = place < 4 ? p->options->vgpr_msb >> 2 * place & 3 : 0;
}

// " /*v[256:257]*/": the register that s_set_vgpr_msb makes of it.
static void put_whole(struct printer *p, unsigned code, unsigned dwords, const char *half) {
    if (!p->msb || code < SRC_VGPR0 || code >= SRC_AGPR0) return;
    printer_put(p, " /*");
    put_range(p, "v", code - SRC_VGPR0 + 256u * p->msb, dwords);
    printer_put(p, half);
    printer_put(p, "*/");
    p->msb = 0;
}

void put_vgprs(struct printer *p, enum field field, unsigned dwords) {
    put_msb(p, field);
    put_register(p, (unsigned)p->in->f[field], dwords);
    put_whole(p, (unsigned)p->in->f[field], dwords, "");
}

void put_register(struct printer *p, unsigned code, unsigned dwords) {
    if (code >= SRC_AGPR0) {
        put_range(p, "a", code - SRC_AGPR0, dwords);
        return;
    }
    if (code >= SRC_VGPR0) {
        put_range(p, "v", code - SRC_VGPR0, dwords);
        return;
    }
    struct scalar s = isa_scalar(p->isa, code, dwords);
    // The low bits of the number of a pair or a longer tuple are ignored.
    unsigned mask = dwords > 2 ? ~3u : dwords == 2 ? ~1u : ~0u;
    switch (s.kind) {
    case SCALAR_SGPR: put_range(p, "s", s.index & mask, dwords); break;
    case SCALAR_TTMP: put_range(p, "ttmp", s.index & mask, dwords); break;
    case SCALAR_SPECIAL: printer_put(p, s.name); break;
    default:
        printer_put(p, "/*invalid register ");
        put_dec(p, code);
        printer_put(p, "*/");
    }
}

// An operand of 16 bits that has integers for inline constants.
static bool reads_integer16(const struct printer *p, enum operand_type type) {
    return type == T_I16 || type == T_U16 ||
           (type == T_B16 && (p->isa->b16_integers || operand_bits[p->row->dst[0].type] == 16));
}

static void put_inline(struct printer *p, const struct operand *o) {
    if (o->code <= 208)
        put_dec(p, inline_integer(o->code));
    else if (o->code >= 240 && o->code <= 248) {
        unsigned i = o->code - 240u;
        // LLVM spells the half constants of scalar compares in hexadecimal.
        if ((operand_bits[o->type] == 16 && p->in->format->id == FMT_SOPC) || reads_integer16(p, o->type))
            put_hex(p, inline_floats[i].f16);
        else if (i == 8 && operand_bits[o->type] == 64)
            printer_put(p, "0.15915494309189532");
        else
            printer_put(p, inline_floats[i].text);
    } else
        put_register(p, o->code, o->dwords);
}

static bool is_inline64(uint64_t v) {
    if ((int64_t)v >= -16 && (int64_t)v <= 64) return true;
    for (unsigned i = 0; i < 8; i++)
        if (v == inline_floats[i].f64) return true;
    return false;
}

static bool is_inline32(const struct printer *p, uint32_t v) {
    if ((int32_t)v >= -16 && (int32_t)v <= 64) return true;
    for (unsigned i = 0; i < (p->isa->inverse_two_pi ? 9 : 8); i++)
        if (inline_floats[i].f32 == v) return true;
    return false;
}

static bool is_inline_half(enum operand_type type, uint16_t v) {
    bool brain = type == T_BF16 || type == T_V2BF16;
    if ((int16_t)v >= -16 && (int16_t)v <= 64) return true;
    for (unsigned i = 0; i < 9; i++)
        if ((brain ? inline_floats[i].bf16 : inline_floats[i].f16) == v) return true;
    return false;
}

// A literal that an assembler would turn into an inline constant is written lit(), in full.
static bool would_be_inline(const struct printer *p, enum operand_type type) {
    uint32_t v = (uint32_t)p->in->f[F_literal];
    bool small16 = (int16_t)v >= -16 && (int16_t)v <= 64;
    switch (type) {
    case T_B16:
        if (!reads_integer16(p, type)) return is_inline32(p, v);
        return small16;
    case T_I16:
    case T_U16: return small16; // which have no inline floats
    case T_F16:
    case T_MIX: return p->in->format->id == FMT_SOPC ? small16 : is_inline_half(type, (uint16_t)v); break;
    case T_MIXB: return is_inline_half(T_BF16, (uint16_t)v);
    case T_BF16: return is_inline_half(type, (uint16_t)v); break;
    case T_V2F16:
    case T_V2BF16:
        if (p->row->class == CLASS_PK_FMAC && p->in->format->id == FMT_VOP2 &&
            p->isa->packed_constants) // a constant is in both halves
            return ((int32_t)v >= -16 && (int32_t)v <= 64) ||
                   (v >> 16 == (v & 0xffff) && is_inline_half(type, (uint16_t)v));
        return v <= 0xffff ? is_inline_half(type, (uint16_t)v) : (int32_t)v >= -16 && (int32_t)v < 0;
        break;
    case T_F64: return is_inline64((uint64_t)v << 32) || v <= 64; // an integer is one of 64 bits
    default: return operand_bits[type] == 64 ? is_inline64(v) : is_inline32(p, v);
    }
}

bool needs_lit(const struct printer *p, const struct operand *o) {
    return o->code == SRC_LITERAL && p->in->has_literal && would_be_inline(p, o->type);
}

static void put_literal(struct printer *p, enum operand_type type) {
    uint32_t v = (uint32_t)p->in->f[F_literal];
    bool wrap = would_be_inline(p, type);
    if (wrap)
        printer_put(p, "lit(");
    else if ((operand_bits[type] == 16 || type == T_MIX || type == T_MIXB) && type != T_V2F16 &&
             type != T_V2BF16 && type != T_V2B16 &&
             !(type == T_B16 && !p->isa->true16 &&
               operand_bits[p->row->dst[0].type] == 32)) // v_alignbit: a dword of which some bits count
        v &= 0xffff;
    put_hex(p, v);
    if (wrap) put_char(p, ')');
}

// A literal of 64 bits: lit64() where the number alone would be another encoding.
static void put_wide_literal(struct printer *p, enum operand_type type) {
    const uint32_t high = (uint32_t)p->in->f[F_literal_hi], low = (uint32_t)p->in->f[F_literal];
    const uint64_t v = (uint64_t)high << 32 | low;
    const bool fixed = p->row->src[1].field == F_literal || p->row->src[2].field == F_literal;
    if (fixed && (high || !low)) {
        put_hex(p, low ? v : high);
        return;
    }
    const bool wrap = fixed           ? true
                      : type == T_F64 ? !low || !high || is_inline64(v)
                                      : !high || is_inline64(v);
    if (wrap) printer_put(p, "lit64(");
    put_hex(p, v);
    if (wrap) put_char(p, ')');
}

void put_source(struct printer *p, const struct operand *o) {
    if (p->in->wide_literal && (o->code == SRC_LITERAL64 || o->code == SRC_LITERAL)) {
        put_wide_literal(p, o->type);
        return;
    }
    if (o->code == SRC_LITERAL && p->in->has_literal)
        put_literal(p, o->type);
    else if (o->code >= SRC_ZERO && o->code < SRC_VGPR0)
        put_inline(p, o);
    else {
        put_register(p, o->code, o->dwords);
        const char *half = !o->half || !p->isa->halves_named ? "" : o->high ? ".h" : ".l";
        printer_put(p, half);
        put_whole(p, o->code, o->dwords, half);
    }
}

static void put_fixed_literal(struct printer *p, enum operand_type type) {
    if (p->in->wide_literal) {
        put_wide_literal(p, type);
        return;
    }
    uint32_t v = (uint32_t)p->in->f[F_literal];
    int32_t small = (int32_t)v;
    if (type == T_F32 || type == T_F16)
        put_hex(p, v);
    else if (small >= -16 && small <= 64)
        put_dec(p, small);
    else {
        for (unsigned i = 0; i < 9; i++)
            if (inline_floats[i].f32 == v) {
                printer_put(p, inline_floats[i].text);
                return;
            }
        put_hex(p, v);
    }
}

void put_operand(struct printer *p, struct operand_spec spec) {
    if (put_immediate(p, spec.type, (uint32_t)p->in->f[spec.field])) return;
    if (spec.field == F_literal) { // always in the instruction, so never mistaken for an inline constant
        put_fixed_literal(p, spec.type);
        return;
    }
    struct operand o = insn_operand(p->isa, p->in, spec, p->wave32);
    put_msb(p, spec.field);
    if (o.type) put_source(p, &o);
}
