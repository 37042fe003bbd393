// SPDX-License-Identifier: MIT
// Of the assembly text what instructions on buffers alone have, behind their operands.
#include "compiler/buffer.h"
#include "compiler/passes.h"

static unsigned format_of(const struct compiler *c, const struct ir_inst *i) {
    return c->isa->codings[c->isa->row_codings[i->op - IR_ROWS]].format;
}

// The numbers of an instruction in front of its offset; -1: there are none.
static int32_t modes_of(const struct ir_inst *i, const ir_ref *operands) {
    const ir_ref last = i->operands > 1 ? operands[i->operands - 1] : IR_NOTHING,
                 modes = i->operands > 1 ? operands[i->operands - 2] : IR_NOTHING;
    return ir_is(last, IR_IMMEDIATE) && ir_is(modes, IR_IMMEDIATE) ? ir_number(modes) : -1;
}

bool compiler_goes_to_lds(const struct compiler *c, const struct ir_inst *i, const ir_ref *operands) {
    if (!ir_is_row(i->op)) return false;
    const unsigned format = format_of(c, i);
    return (format == FMT_MUBUF || format == FMT_GLOBAL) && modes_of(i, operands) >= 0 &&
           modes_of(i, operands) & BUFFER_LDS;
}

void compiler_put_buffer(struct compiler *c, const struct ir_inst *i) {
    const unsigned format = format_of(c, i);
    if (format != FMT_MUBUF && format != FMT_MTBUF) return;
    const int32_t modes = modes_of(i, c->f->operands.items + i->first_operand);
    if (modes < 0) { // the stack, or all of memory
        const struct ir_memory *m = ir_memory_of(c->f, i);
        bool none = false;
        for (unsigned n = 0; n < i->operands; n++) none |= ir_is(ir_operand(c->f, i, n), IR_NONE);
        if (!none) text_puts(c->assembly, m && m->space == IR_PRIVATE ? " offen" : " addr64");
        return;
    }
    if (format == FMT_MTBUF) text_printf(c->assembly, " format:%d", modes / BUFFER_FORMAT);
    if (modes & BUFFER_IDXEN) text_puts(c->assembly, " idxen");
    if (modes & BUFFER_OFFEN) text_puts(c->assembly, " offen");
}

void compiler_put_lds(struct compiler *c, const struct ir_inst *i) {
    const unsigned format = format_of(c, i);
    const struct ir_memory *m = ir_memory_of(c->f, i);
    const bool named = format == FMT_GLOBAL && ir_row(i->op)->dst[0].type == T_NO_OPERAND; // by the mnemonic
    if (!named && compiler_goes_to_lds(c, i, c->f->operands.items + i->first_operand))
        text_puts(c->assembly, " lds");
    if ((format == FMT_MUBUF || format == FMT_MTBUF) && i->operands > 1) {
        const int32_t modes = modes_of(i, c->f->operands.items + i->first_operand);
        if (modes >= 0 && modes & BUFFER_STATUS) text_puts(c->assembly, " tfe");
    }
    if (format == FMT_DS && ((m && m->space == IR_REGION) || ir_row(i->op)->class == CLASS_GWS ||
                             ir_row(i->op)->class == CLASS_GDS))
        text_puts(c->assembly, " gds");
}
