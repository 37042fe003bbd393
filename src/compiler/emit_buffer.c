// SPDX-License-Identifier: MIT
// Of the assembly text what instructions on buffers alone have, behind their operands.
#include "compiler/buffer.h"
#include "compiler/passes.h"

// The numbers of an instruction in front of its offset; -1: there are none.
static int32_t modes_of(const struct compiler *c, const struct ir_inst *i) {
    const ir_ref last = ir_operand(c->f, i, i->operands - 1u), modes = ir_operand(c->f, i, i->operands - 2u);
    return ir_is(last, IR_IMMEDIATE) && ir_is(modes, IR_IMMEDIATE) ? ir_number(modes) : -1;
}

void compiler_put_buffer(struct compiler *c, const struct ir_inst *i) {
    const struct isa *isa = c->isa;
    const unsigned format = isa->codings[isa->row_codings[i->op - IR_ROWS]].format;
    if (format != FMT_MUBUF && format != FMT_MTBUF) return;
    const int32_t modes = modes_of(c, i);
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
    if (modes & BUFFER_LDS) text_puts(c->assembly, " lds");
}
