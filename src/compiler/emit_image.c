// SPDX-License-Identifier: MIT
// Assembly text of instructions on images.
#include "compiler/image.h"

static void put_vectors(struct text *t, uint32_t r, unsigned dwords) {
    const unsigned first = ir_register_first(r);
    if (dwords == 1)
        text_printf(t, "v%u", first);
    else
        text_printf(t, "v[%u:%u]", first, first + dwords - 1);
}

static void put_scalars(struct text *t, uint32_t r) {
    const unsigned first = ir_register_first(r);
    const char *name = ir_register_class_of(r) == IR_TTMP ? "ttmp" : "s";
    text_printf(t, ", %s[%u:%u]", name, first, first + ir_register_dwords(r) - 1);
}

// Registers of the data that the instruction names, which may be fewer than are kept for it.
static unsigned data_dwords(const struct compiler *c, const struct row *row, unsigned n) {
    unsigned count = row->image & IMAGE_GATHER ? 4u : (unsigned)__builtin_popcount(n & 15);
    if (n & IMAGE_BIT_D16 && c->isa->packed_d16) count = (count + 1) / 2;
    return count + (n & IMAGE_BIT_TFE ? 1 : 0); // assemblers do not count what LWE alone adds
}

// Parts of the address that stand one behind the other are one tuple, where the encoding has those.
static void put_address(struct compiler *c, const struct ir_inst *i, unsigned first, unsigned count,
                        bool tuples) {
    struct text *t = c->assembly;
    const uint32_t begin = c->f->registers[ir_index(ir_operand(c->f, i, first))];
    unsigned dwords = 0;
    bool together = tuples;
    for (unsigned n = 0; n < count; n++) {
        const uint32_t r = c->f->registers[ir_index(ir_operand(c->f, i, first + n))];
        together &= ir_register_first(r) == ir_register_first(begin) + dwords;
        dwords += ir_register_dwords(r);
    }
    if (together || count == 1) {
        put_vectors(t, begin, dwords);
        return;
    }
    for (unsigned n = 0; n < count; n++) {
        const uint32_t r = c->f->registers[ir_index(ir_operand(c->f, i, first + n))];
        text_puts(t, n ? ", " : "[");
        put_vectors(t, r, ir_register_dwords(r));
    }
    text_puts(t, "]");
}

bool compiler_is_image(const struct compiler *c, const struct row *row) {
    const unsigned format = c->isa->codings[c->isa->row_codings[row - isa_rows]].format;
    return format == FMT_MIMG || format == FMT_VIMAGE || format == FMT_VSAMPLE;
}

void compiler_put_image(struct compiler *c, const struct ir_inst *i) {
    static const char *const dimensions[] = {"1D",       "2D",       "3D",      "CUBE",
                                             "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
    static const uint8_t layered[] = {0, 0, 0, 1, 1, 1, 0, 1};
    const struct row *row = ir_row(i->op);
    const unsigned format = c->isa->codings[c->isa->row_codings[row - isa_rows]].format;
    const struct insn in = {.row = row, .format = c->isa->formats[format]};
    const unsigned n = (unsigned)ir_number(ir_operand(c->f, i, i->operands - 1u));
    const unsigned addresses = n / IMAGE_BIT_ADDRESSES & 15, dimension = n / IMAGE_BIT_DIMENSION & 7;
    const bool data_first = !i->results || i->modifiers & IR_TIED;
    struct text *t = c->assembly;
    const ir_ref data = i->results ? ir_make(IR_VALUE, i->first_result) : ir_operand(c->f, i, 0);
    unsigned next = data_first ? 1 : 0;
    text_puts(t, " ");
    put_vectors(t, c->f->registers[ir_index(data)], row->image & IMAGE_RAY ? 4 : data_dwords(c, row, n));
    text_puts(t, ", ");
    put_address(c, i, next, addresses, format == FMT_MIMG);
    for (next += addresses; next + 1u < i->operands; next++)
        put_scalars(t, c->f->registers[ir_index(ir_operand(c->f, i, next))]);
    if (row->image & IMAGE_RAY) {
        if (n & IMAGE_BIT_A16) text_puts(t, " a16");
        return;
    }
    text_printf(t, " dmask:0x%x", n & 15);
    if (insn_has(&in, F_dim)) text_printf(t, " dim:SQ_RSRC_IMG_%s", dimensions[dimension]);
    if (n & IMAGE_BIT_UNORM && insn_has(&in, F_unorm)) text_puts(t, " unorm");
    compiler_put_cache(c, i);
    if (n & IMAGE_BIT_A16) text_puts(t, " a16");
    if (n & IMAGE_BIT_TFE) text_puts(t, " tfe");
    if (n & IMAGE_BIT_LWE && insn_has(&in, F_lwe)) text_puts(t, " lwe");
    if (layered[dimension] && insn_has(&in, F_da)) text_puts(t, " da");
    if (n & IMAGE_BIT_D16) text_puts(t, " d16");
}
