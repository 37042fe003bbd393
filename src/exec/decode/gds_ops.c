// SPDX-License-Identifier: MIT
// Instructions on the global data share to ops. An access is the op that it would be in LDS, run by the
// machine with that memory in LDS's place: native code never sees it.
#include "exec/decode/gds_ops.h"

#include "exec/body/body.h"
#include "exec/decode/control_ops.h"
#include "exec/gds.h"
#include "exec/machine.h"
#include "isa/counters.h"

static const struct op *ends(struct wave *w, const struct op *op) {
    (void)w, (void)op;
    return NULL;
}
// A wave that waits for older ones asks again.
static const struct op *on_gds(struct wave *w, const struct op *op) {
    if (!state_gws_allowed(w, op)) return NULL;
    if (!w->machine->gds(w, op)) {
        w->status = WAVE_SLEEPING;
        w->pc = w->code_base + op->pc;
        w->resume = op;
        return NULL;
    }
    if (w->status == WAVE_FAULTED) return NULL;
    NEXT;
}

static struct gds_op *emit_gds_op(struct translator *t, unsigned kind) {
    struct gds_op *g = arena_alloc(t->arena, sizeof *g);
    struct op *op = g ? emit_op(t, on_gds) : NULL;
    if (!op) {
        t->failed = true;
        return NULL;
    }
    *g = (struct gds_op){.kind = (uint8_t)kind, .m0 = sgpr_offset(t->facts->m0)};
    op->extra = g;
    return g;
}

bool emit_gds(struct translator *t, const struct insn *in, op_fn *fn, const struct mem_op *mo) {
    // Without an address register, all lanes count (ds_append), or M0 would be an address twice.
    const bool has_address = in->row->src[0].type != T_NO_OPERAND;
    if (fact(t->facts->processor, FACT_gds) < 2) {
        t->gap = "a global data share that this processor does not have";
        return false;
    }
    if (!has_address && in->row->access) {
        t->gap = "addresses by lane in the global data share";
        return false;
    }
    struct gds_op *g = emit_gds_op(t, GDS_LANES);
    if (!g) return true;
    t->out_of_bounds |= !mem_op_in_bounds(t->facts, mo);
    g->one_lane = has_address && fact(t->facts->processor, FACT_gds_lane);
    g->ops[0] = (struct op){.fn = fn, .body = fn, .extra = mo, .pc = t->pc};
    g->ops[1] = (struct op){.fn = ends, .body = ends, .pc = t->pc};
    return true;
}

// What the second byte of the offset of an ordered count says. Its bits 3:2 are the kind of shader.
enum { COUNT_RELEASES = 1 << 0, COUNT_OPERATION_SHIFT = 4, COUNT_DWORDS_SHIFT = 6 };
enum { FIRST_EXCHANGED = 4 }; // of the registers that count

static bool put_ordered(struct translator *t, const struct insn *in, struct gds_op *g) {
    const unsigned how = (unsigned)in->f[F_offset1], operation = how >> COUNT_OPERATION_SHIFT & 3;
    g->in_registers = fact(t->facts->processor, FACT_gds_lane);
    g->number = (uint8_t)((unsigned)in->f[F_offset0] >> 2 & (g->in_registers ? GDS_REGISTERS - 1 : 63));
    g->exchanges = operation == 1;
    g->releases = how & COUNT_RELEASES;
    g->dwords = (uint8_t)(1 + (how >> COUNT_DWORDS_SHIFT & 3));
    const bool wide = g->in_registers && g->number >= GDS_FIRST_WIDE;
    if (operation > 1 || (g->exchanges && (wide || (g->in_registers && g->number < FIRST_EXCHANGED))))
        t->gap = "an ordered count that neither adds nor exchanges";
    else if (g->dwords > 1 && (g->in_registers || !isa_ordered_counts_dwords(t->facts->isa)))
        t->gap = "ordered counts of several dwords on this processor";
    else
        return true;
    return false;
}

bool translate_gds_counter(struct translator *t, const struct insn *in, const struct body *body) {
    const struct operand d = insn_operand(t->facts->isa, in, in->row->dst[0], t->facts->wave32);
    const struct operand s = insn_operand(t->facts->isa, in, in->row->src[0], t->facts->wave32);
    const uint32_t dst = destination_offset(t, d.code, d.dwords);
    struct gds_op *g = emit_gds_op(t, body->pair);
    if (!g) return true;
    g->data = source_offset(t, s.code, s.type, 1);
    g->dst = dst == UINT32_MAX ? temp_offset(0) : dst; // nobody reads it there
    if (body->pair == GDS_ORDERED) return put_ordered(t, in, g);
    g->number = (uint8_t)((unsigned)in->f[F_offset0] >> 2 & (GDS_REGISTERS - 1));
    return true;
}
