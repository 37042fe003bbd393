// SPDX-License-Identifier: MIT
// How many registers the instructions of a kernel name, in symbols that descriptors are written with.
#include "mc/program/program.h"
#include "base/bytes.h"

static void raise(struct program *program, struct symbol *s, uint64_t count) {
    if (!s) return;
    if (s->state == SYMBOL_NUMBER) {
        if ((int64_t)s->offset < (int64_t)count) s->offset = count;
    } else // it counts what instructions use
        program_error(program, NULL, "%.*s must be an absolute expression before instructions",
                      (int)s->length, s->name);
}

// .amdgcn.next_free_vgpr and _sgpr follow the registers that instructions name (ASM-28, ASM-29).
static void set_number(struct symbol *s, uint64_t v) {
    if (s && s->state == SYMBOL_NUMBER) s->offset = v;
}

// .kernel.vgpr_count and its kind do so on other systems and in V2 (ASM-18).
static void count_in_scope(struct program *program, unsigned code, unsigned dwords) {
    bool agpr = code >= SRC_AGPR0;
    if (code < SRC_VGPR0) {
        if (code < program->mode.isa.sgprs) raise(program, program->sgprs, (uint64_t)code + dwords);
        return;
    }
    uint32_t count = code - (agpr ? SRC_AGPR0 : SRC_VGPR0) + dwords,
             *seen = agpr ? &program->agprs_seen : &program->vgprs_seen;
    if (count > *seen) *seen = count;
    raise(program, program->agprs, program->agprs_seen);
    bool unified = has(program->mode.processor, CAP_unified_vgprs) && program->agprs_seen;
    uint32_t more = program->vgprs_seen > program->agprs_seen ? program->vgprs_seen : program->agprs_seen;
    set_number(program->vgprs, unified ? align_up(program->vgprs_seen, 4) + program->agprs_seen : more);
}

void program_reset_scope(struct program *program) {
    program->vgprs_seen = program->agprs_seen = 0;
    set_number(program->vgprs, 0);
    set_number(program->sgprs, 0);
    set_number(program->agprs, 0);
}

void program_count_registers(struct program *program, const uint8_t *bytes, size_t size) {
    struct insn d;
    if (insn_decode(&program->mode.isa, bytes, size, &d) != DECODE_OK) return;
    const struct row *halves[] = {d.row, d.row_y}; // two of a VOPD, perhaps the same
    for (unsigned half = 0; half < 2 && halves[half]; half++) {
        if (half) {
            d.f[F_vdstx] = d.f[F_vdsty];
            d.f[F_src0x] = d.f[F_src0y];
            d.f[F_src1x] = d.f[F_src1y];
        }
        for (unsigned i = 0; i < ROW_DST + ROW_SRC; i++) {
            struct operand_spec spec = i < ROW_DST ? halves[half]->dst[i] : halves[half]->src[i - ROW_DST];
            if (spec.type == T_NO_OPERAND) continue;
            struct operand o = insn_operand(&program->mode.isa, &d, spec, program->mode.wave32);
            if (o.type == T_NO_OPERAND || !o.dwords) continue;
            if (program->sgprs)
                count_in_scope(program, o.code, o.dwords);
            else if (o.code >= SRC_AGPR0)
                raise(program, program->next_vgpr, o.code - SRC_AGPR0 + o.dwords);
            else if (o.code >= SRC_VGPR0)
                raise(program, program->next_vgpr, o.code - SRC_VGPR0 + o.dwords);
            else if (o.code < program->mode.isa.sgprs)
                raise(program, program->next_sgpr, (uint64_t)o.code + o.dwords);
        }
    }
}
