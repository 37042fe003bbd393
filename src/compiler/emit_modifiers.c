// SPDX-License-Identifier: MIT
// What stands behind the operands of an instruction: modifiers of its sources and result, and DPP.
#include "compiler/passes.h"
#include "isa/rules.h"

static void put_bits(struct text *t, const char *name, unsigned bits, unsigned count) {
    text_printf(t, " %s:[", name);
    for (unsigned n = 0; n < count; n++) text_printf(t, "%s%u", n ? "," : "", bits >> n & 1);
    text_puts(t, "]");
}

// The number of an exchange between lanes by its name.
static void put_exchange(struct text *t, unsigned k) {
    static const struct {
        uint16_t first, last, less; // `less`: what is taken from the number
        const char *name;
    } exchanges[] = {{0x101, 0x10f, 0x100, "row_shl:%u"},       {0x111, 0x11f, 0x110, "row_shr:%u"},
                     {0x121, 0x12f, 0x120, "row_ror:%u"},       {0x130, 0x130, 0x12f, "wave_shl:%u"},
                     {0x134, 0x134, 0x133, "wave_rol:%u"},      {0x138, 0x138, 0x137, "wave_shr:%u"},
                     {0x13c, 0x13c, 0x13b, "wave_ror:%u"},      {0x142, 0x142, 0x142 - 15, "row_bcast:%u"},
                     {0x143, 0x143, 0x143 - 31, "row_bcast:%u"}};
    if (k <= 0xff) {
        text_printf(t, " quad_perm:[%u,%u,%u,%u]", k & 3, k >> 2 & 3, k >> 4 & 3, k >> 6);
        return;
    }
    text_puts(t, " ");
    for (size_t n = 0; n < sizeof exchanges / sizeof *exchanges; n++)
        if (k >= exchanges[n].first && k <= exchanges[n].last)
            text_printf(t, exchanges[n].name, k - exchanges[n].less);
    if (k == 0x140) text_puts(t, "row_mirror");
    if (k == 0x141) text_puts(t, "row_half_mirror");
}

// Processors with DPP8 call the broadcast in a row by another name.
static bool knows_rows(const struct compiler *c) { return c->isa->formats[FMT_DPP8] != NULL; }

static bool is_matrix(const struct compiler *c, const struct row *row) {
    const unsigned format = c->isa->codings[c->isa->row_codings[row - isa_rows]].format;
    return format == FMT_MAI && row->class != CLASS_ACC_MOVE;
}

bool compiler_has_number(const struct compiler *c, const struct row *row) {
    return is_matrix(c, row) || is_reusing(c->isa, row) || row->flags & (ROW_SCALE_SEL | ROW_BITOP3);
}

int32_t compiler_row_number(const struct compiler *c, const struct ir_inst *i) {
    if (!i->operands || !compiler_has_number(c, ir_row(i->op))) return 0;
    const ir_ref last = ir_operand(c->f, i, i->operands - 1u);
    return ir_is(last, IR_IMMEDIATE) ? ir_number(last) : 0;
}

static void put_choice(struct text *t, const char *name, unsigned n, const char *const *words) {
    if (n) text_printf(t, " matrix_%s%s", name, words[n]);
}

// Of matrix operations from GFX12.5 on.
static void put_reused(struct text *t, const struct row *row, unsigned n, unsigned low) {
    static const char *const formats[] = {"FP8", "BF8", "FP6", "BF6", "FP4", "5", "6", "7"},
                             *const lanes[] = {"ROW0", "ROW1"}, *const scales[] = {"E8", "E5M3", "E4M3", "3"};
    const unsigned high = n / IR_MATRIX_HIGH & 7;
    if (row->src[0].type == T_MATRIX) {
        put_choice(t, "a_fmt:MATRIX_FMT_", n / IR_MATRIX_FORMAT_A & 7, formats);
        put_choice(t, "b_fmt:MATRIX_FMT_", n / IR_MATRIX_FORMAT_B & 7, formats);
    }
    put_choice(t, "a_scale:MATRIX_SCALE_", n / IR_MATRIX_LANES_A & 1, lanes);
    put_choice(t, "b_scale:MATRIX_SCALE_", n / IR_MATRIX_LANES_B & 1, lanes);
    put_choice(t, "a_scale_fmt:MATRIX_SCALE_FMT_", n / IR_MATRIX_SCALE_A & 3, scales);
    put_choice(t, "b_scale_fmt:MATRIX_SCALE_FMT_", n / IR_MATRIX_SCALE_B & 3, scales);
    if (n & IR_MATRIX_AGAIN_A) text_puts(t, " matrix_a_reuse");
    if (n & IR_MATRIX_AGAIN_B) text_puts(t, " matrix_b_reuse");
    if (low) put_bits(t, "neg_lo", low, 3);
    if (high) put_bits(t, "neg_hi", high, 3);
}

// Of matrices of 64-bit floats, what stands in place of BLGP is called signs of the sources, on some
// processors.
static void put_matrix(const struct compiler *c, struct text *t, const struct row *row, unsigned n) {
    const unsigned cbsz = n / IR_CBSZ & 7, abid = n / IR_ABID & 15, blgp = n / IR_BLGP & 7,
                   a = n / IR_SCALE_A & 3, b = n / IR_SCALE_B & 3;
    if (n & IR_SCALED) {
        text_printf(t, " op_sel:[%u,%u,0] op_sel_hi:[%u,%u,0]", a & 1, b & 1, a >> 1, b >> 1);
    }
    if (cbsz) text_printf(t, " cbsz:%u", cbsz);
    if (abid) text_printf(t, " abid:%u", abid);
    if (blgp && row->src[0].type == T_F64 && c->isa->mfma_negates)
        put_bits(t, "neg", blgp, 3);
    else if (blgp)
        text_printf(t, " blgp:%u", blgp);
}

bool compiler_put_attribute(struct compiler *c, const struct row *row, unsigned n, ir_ref operand) {
    static const char corners[][4] = {"p10", "p20", "p0"};
    const unsigned type = n < ROW_SRC ? row->src[n].type : T_NO_OPERAND;
    if (type != T_ATTR && type != T_INTERP) return false;
    const unsigned k = (unsigned)ir_number(operand);
    if (type == T_INTERP)
        text_puts(c->assembly, corners[k % 3]);
    else
        text_printf(c->assembly, "attr%u.%c", k / IR_ATTRIBUTE, "xyzw"[k % IR_ATTRIBUTE]);
    return true;
}

// Which half of the parameters an interpolation reads.
static void put_half(const struct compiler *c, struct text *t, const struct row *row) {
    const unsigned format = c->isa->codings[c->isa->row_codings[row - isa_rows]].format;
    if (format == FMT_VINTERP)
        put_bits(t, "op_sel", row->src[2].type == T_F16 ? 5 : 1, 4);
    else
        text_puts(t, " high");
}

static bool interpolates(const struct compiler *c, const struct row *row) {
    const unsigned format = c->isa->codings[c->isa->row_codings[row - isa_rows]].format;
    return format == FMT_VINTERP || format == FMT_VINTRP || format == FMT_VOP3I;
}

void compiler_put_modifiers(struct compiler *c, const struct ir_inst *i) {
    const unsigned m = i->modifiers;
    struct text *t = c->assembly;
    const struct row *row = ir_row(i->op);
    const bool wmma = row->class == CLASS_WMMA, reused = is_reusing(c->isa, row);
    const unsigned number = (unsigned)compiler_row_number(c, i);
    if (reused)
        put_reused(t, row, number, m / IR_NEG & 7);
    else if (m / IR_NEG & 15)
        put_bits(t, "neg_lo", m / IR_NEG & 15, i->operands - (m & IR_TIED ? 1 : 0));
    if (row->flags & ROW_SWAPS) { // values of lanes that are not active, and beyond the rows
        if (m & 2 * IR_OP_SEL) text_puts(t, " bound_ctrl:1");
        if (m & IR_OP_SEL) text_puts(t, " fi:1");
    } else if (m & IR_OP_SEL && interpolates(c, row))
        put_half(c, t, row);
    else if (m / IR_OP_SEL & 3)
        put_bits(t, "op_sel", wmma ? 4 : m / IR_OP_SEL & 3, wmma ? 3 : 2);
    if (row->flags & ROW_SCALE_SEL && number) text_printf(t, " scale_sel:%u", number);
    if (row->flags & ROW_BITOP3 && number) text_printf(t, " bitop3:0x%x", number);
    if (number && is_matrix(c, row)) put_matrix(c, t, row, number);
    if (m & IR_CLAMP) text_puts(t, " clamp");
    if (!(m & IR_DPP)) return;
    const unsigned first = (m & IR_TIED ? 1 : 0) + 1, k = (unsigned)ir_number(ir_operand(c->f, i, first));
    if (i->operands == first + 1) {
        text_puts(t, " dpp8:[");
        for (unsigned n = 0; n < 8; n++) text_printf(t, "%s%u", n ? "," : "", k >> 3 * n & 7);
        text_puts(t, "]");
        return;
    }
    if (k >= 0x150 && k <= 0x15f)
        text_printf(t, " %s:%u", knows_rows(c) ? "row_share" : "row_newbcast", k - 0x150);
    else if (k >= 0x160 && k <= 0x16f)
        text_printf(t, " row_xmask:%u", k - 0x160);
    else
        put_exchange(t, k);
    text_printf(t, " row_mask:0x%x bank_mask:0x%x", (unsigned)ir_number(ir_operand(c->f, i, first + 1)) & 15,
                (unsigned)ir_number(ir_operand(c->f, i, first + 2)) & 15);
    if (ir_number(ir_operand(c->f, i, first + 3))) text_puts(t, " bound_ctrl:1");
}
