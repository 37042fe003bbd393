// SPDX-License-Identifier: MIT
// Registers, inline constants and literals.
#include "dis/print.h"

static void put_range(struct printer *p, const char *file, unsigned first, unsigned dwords) {
    put(p, file);
    if (dwords <= 1) {
        put_dec(p, first);
        return;
    }
    put_char(p, '[');
    put_dec(p, first);
    put_char(p, ':');
    put_dec(p, first + dwords - 1);
    put_char(p, ']');
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
    case SCALAR_SPECIAL: put(p, s.name); break;
    default:
        put(p, "/*invalid register ");
        put_dec(p, code);
        put(p, "*/");
    }
}

static const char *const float_names[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"};

static void put_inline(struct printer *p, const struct operand *o) {
    if (o->code <= 192) put_dec(p, (int)o->code - 128);
    else if (o->code <= 208) put_dec(p, 192 - (int)o->code);
    else if (o->code >= 240 && o->code <= 248) {
        unsigned i = o->code - 240u;
        bool integer16 = o->type == T_B16 || o->type == T_I16 || o->type == T_U16;
        static const uint16_t halves[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
        if (integer16) put_hex(p, halves[i]);
        else if (i == 8 && operand_bits[o->type] == 64) put(p, "0.15915494309189532");
        else put(p, float_names[i]);
    } else put_register(p, o->code, o->dwords);
}

// Whether an assembler would turn the number into an inline constant, so that it needs lit().
static bool is_inline(uint32_t v, enum operand_type type) {
    static const uint32_t singles[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
    static const uint16_t halves[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
    int32_t small = operand_bits[type] == 16 ? (int16_t)v : (int32_t)v;
    if (small >= -16 && small <= 64) return true;
    for (unsigned i = 0; i < 9; i++)
        if (operand_bits[type] == 16 ? halves[i] == (uint16_t)v : singles[i] == v) return true;
    return false;
}

static void put_literal(struct printer *p, enum operand_type type) {
    uint32_t v = (uint32_t)p->in->f[F_literal];
    bool wrap = is_inline(v, type);
    if (wrap) put(p, "lit(");
    put_hex(p, v);
    if (wrap) put_char(p, ')');
}

void put_source(struct printer *p, const struct operand *o) {
    if (o->code == SRC_LITERAL && p->in->has_literal) put_literal(p, o->type);
    else if (o->code >= SRC_ZERO && o->code < SRC_VGPR0) put_inline(p, o);
    else {
        put_register(p, o->code, o->dwords);
        if (p->isa->true16 && o->half) put(p, o->high ? ".h" : ".l");
    }
}

void put_operand(struct printer *p, struct operand_spec spec) {
    if (put_immediate(p, spec.type, (uint32_t)p->in->f[spec.field])) return;
    struct operand o = insn_operand(p->isa, p->in, spec, p->wave32);
    if (o.type) put_source(p, &o);
}
