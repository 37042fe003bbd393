// SPDX-License-Identifier: MIT
// Attributes of pixel shaders: llvm.amdgcn.interp.* and lds.param.load, lds.direct.load. An attribute is
// named by a number, IR_ATTRIBUTE times its own and the channel's. M0 says where the attributes of the wave's
// triangles stand. Loads of parameters and LDS fill lanes of whole quads (legal_quads.c).
#include "compiler/legal.h"

#include <stdio.h>

enum kind { P1, P1_HALF, P2, P2_HALF, CORNER, PARAMETER, DIRECT, IN_REGISTERS };
static const struct {
    char name[24], row[28];
    uint8_t kind;
    bool half; // the last argument but M0 says which half of the parameter counts
} all[] = {
    {"interp.p1", "v_interp_p1_f32", P1, false},
    {"interp.p1.f16", "v_interp_p1ll_f16", P1_HALF, true},
    {"interp.p2", "v_interp_p2_f32", P2, false},
    {"interp.p2.f16", "v_interp_p2_f16", P2_HALF, true},
    {"interp.mov", "v_interp_mov_f32", CORNER, false},
    {"lds.param.load", "ds_param_load", PARAMETER, false},
    {"lds.direct.load", "ds_direct_load", DIRECT, false},
    {"interp.inreg.p10", "v_interp_p10_f32", IN_REGISTERS, false},
    {"interp.inreg.p2", "v_interp_p2_inreg_f32", IN_REGISTERS, false},
    {"interp.inreg.p10.f16", "v_interp_p10_f16_f32", IN_REGISTERS, true},
    {"interp.inreg.p2.f16", "v_interp_p2_f16_f32", IN_REGISTERS, true},
    {"interp.p10.rtz.f16", "v_interp_p10_rtz_f16_f32", IN_REGISTERS, true},
    {"interp.p2.rtz.f16", "v_interp_p2_rtz_f16_f32", IN_REGISTERS, true},
};

static uint32_t number_of(struct legal *g, unsigned n) {
    const struct ir_constant *k = ir_constant_of(g->f, legal_operand(g, n));
    if (!k) legal_refuse(g, "an operand that is no constant here");
    return k ? (uint32_t)k->low : 0;
}

static ir_ref attribute(struct legal *g, unsigned channel) {
    const uint32_t of = number_of(g, channel), attribute = number_of(g, channel + 1);
    if (of > 3 || attribute > 32) legal_refuse(g, "an attribute of this number");
    return ir_immediate((int32_t)(attribute * IR_ATTRIBUTE + of));
}

static ir_ref in_vector(struct legal *g, unsigned n) {
    g->bank = IR_BANK_V;
    const ir_ref r = legal_retype(g, g->i32, legal_part(g, legal_operand(g, n), 0));
    const struct ir_value *v = ir_value_of(g->f, r);
    return v && v->bank == IR_BANK_V ? r : legal_emit_as(g, OP_copy, IR_BANK_V, g->i32, &r, 1);
}

static void fix_m0(struct legal *g, unsigned n) {
    legal_fix_m0(g, legal_scalar(g, legal_part(g, legal_operand(g, n), 0)));
}

// These loads write registers without waiting for memory instructions that still read them. The encoding
// waits for them (wait_vm_vsrc) or, where it cannot, an instruction does.
static void settle_vectors(struct legal *g, const struct row *load) {
    enum { VM_VSRC_0 = 0xffe3 };
    const struct isa *isa = g->c->isa;
    const struct insn in = {.row = load,
                            .format = isa->formats[isa->codings[isa->row_codings[load - isa_rows]].format]};
    const struct row *row = compiler_named_row(g->c, "s_wait_alu");
    const ir_ref events = ir_immediate(VM_VSRC_0);
    if (row && !insn_has(&in, F_waitvsrc))
        ir_append(g->f, ir_op_of_row(row), &events, 1)->location = g->i->location;
}

static ir_ref put(struct legal *g, const char *id, const ir_ref *o, unsigned count, unsigned modifiers) {
    const struct row *row = compiler_named_row(g->c, id);
    if (!row || g->c->status) return legal_number(g, 0);
    if (row->flags & ROW_EXP_CNT) settle_vectors(g, row);
    const ir_ref r = legal_emit_as(g, ir_op_of_row(row), IR_BANK_V, g->i32, o, count);
    struct ir_inst *i = ir_def(g->f, r);
    if (i) i->modifiers = (uint16_t)modifiers, i->flags |= IR_CONVERGENT;
    return r;
}

// Where LDS has 16 banks, a half needs one of the two parameters in a register.
static ir_ref first_half(struct legal *g, const char *id, unsigned modifiers) {
    const ir_ref i = in_vector(g, 1), at = attribute(g, 2);
    fix_m0(g, 5);
    if (!has(g->c->processor, CAP_lds_16_banks)) return put(g, id, (ir_ref[]){i, at}, 2, modifiers);
    const ir_ref p0 = put(g, "v_interp_mov_f32", (ir_ref[]){ir_immediate(IR_CORNER_P0), at}, 2, 0);
    return put(g, "v_interp_p1lv_f16", (ir_ref[]){i, at, p0}, 3, modifiers);
}

bool legal_interpolation(struct legal *g, const char *name) {
    size_t n = 0, best = sizeof all / sizeof *all, most = 0;
    for (; n < sizeof all / sizeof *all; n++) {
        const size_t length = strlen(all[n].name);
        if (length < most || strncmp(name, all[n].name, length) || (name[length] && name[length] != '.'))
            continue;
        best = n, most = length;
    }
    if (best == sizeof all / sizeof *all) return false;
    const char *id = all[best].row;
    const struct row *row = compiler_named_row(g->c, id);
    if (!row) return false;
    const unsigned arguments = g->i->operands - 1u;
    const unsigned high_at = all[best].kind == IN_REGISTERS ? arguments : arguments - 1;
    const unsigned high = all[best].half && number_of(g, high_at) ? IR_OP_SEL : 0;
    ir_ref r = IR_NOTHING, o[3];
    switch ((enum kind)all[best].kind) {
    case P1: // with 16 banks, the source is read again when the result is written
        o[0] = in_vector(g, 1), o[1] = attribute(g, 2);
        fix_m0(g, 4);
        r = put(g, id, o, 2, has(g->c->processor, CAP_lds_16_banks) ? IR_EARLY : 0);
        break;
    case P1_HALF: r = first_half(g, id, high); break;
    case P2:
        o[0] = in_vector(g, 1), o[1] = in_vector(g, 2), o[2] = attribute(g, 3);
        fix_m0(g, 5);
        r = put(g, id, o, 3, IR_TIED);
        break;
    case P2_HALF:
        o[0] = in_vector(g, 2), o[1] = attribute(g, 3), o[2] = in_vector(g, 1);
        fix_m0(g, 6);
        // Where there are two, the one that clears the upper half of the result.
        if (compiler_named_row(g->c, "v_interp_p2_legacy_f16")) id = "v_interp_p2_legacy_f16";
        r = put(g, id, o, 3, high);
        break;
    case CORNER:
        o[0] = ir_immediate((int32_t)(number_of(g, 1) & 3)), o[1] = attribute(g, 2);
        if (ir_number(o[0]) > IR_CORNER_P0) legal_refuse(g, "a corner of this number");
        fix_m0(g, 4);
        r = put(g, id, o, 2, 0);
        break;
    case PARAMETER:
        o[0] = attribute(g, 1);
        fix_m0(g, 3);
        r = put(g, id, o, 1, 0);
        break;
    case DIRECT:
        fix_m0(g, 1);
        r = put(g, id, o, 0, 0);
        break;
    case IN_REGISTERS:
        for (unsigned k = 0; k < 3; k++) o[k] = in_vector(g, k + 1);
        r = put(g, id, o, 3, high);
        break;
    }
    if (g->c->status) return true;
    const struct ir_type t = *legal_type(g, ir_make(IR_VALUE, g->i->first_result));
    ir_ref part;
    g->bank = IR_BANK_V;
    legal_unpacked(g, &t, &r, &part);
    if (!g->c->status) legal_set_parts(g, &part, 1);
    return true;
}
