// SPDX-License-Identifier: MIT
// Exports to ops. Nothing of the wave changes: values go to whoever takes them (sw_device_hooks.exported).
#include "exec/decode/export_ops.h"

#include "exec/export.h"
#include "exec/machine.h"
#include "isa/names.h"

static const struct op *on_export(struct wave *w, const struct op *op) {
    if (!w->machine->exports(w, op))
        return w->machine->fault(w, op, FAULT_UNSUPPORTED, -1, 0,
                                 "an export that nobody takes (softwave run --exports does)");
    NEXT;
}

bool translate_export(struct translator *t, const struct insn *in) {
    static const enum field registers[EXPORT_VALUES] = {F_vsrc0, F_vsrc1, F_vsrc2, F_vsrc3};
    const char *name = isa_export_target(t->facts->isa, (unsigned)in->f[F_tgt]);
    if (!name) {
        t->illegal = true;
        t->gap = "no such export target";
        return false;
    }
    struct export_op *e = arena_alloc(t->arena, sizeof *e);
    if (!e) {
        t->failed = true;
        return true;
    }
    *e = (struct export_op){.name = name,
                            .target = (uint8_t)in->f[F_tgt],
                            .compressed = in->f[F_compr],
                            .done = in->f[F_done],
                            .valid_mask = in->f[F_vm],
                            .by_row = in->f[F_row],
                            .m0 = sgpr_offset(t->facts->m0)};
    for (unsigned i = 0; i < EXPORT_VALUES; i++) {
        if (!insn_exports(in, i)) continue;
        e->enabled |= (uint8_t)(1 << i);
        e->data[i] = source_offset(t, insn_vgpr(in, registers[i]), T_B32, 1);
    }
    struct op *op = emit_op(t, on_export);
    if (op) op->extra = e;
    return true;
}
