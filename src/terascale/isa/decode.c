// SPDX-License-Identifier: MIT
// Words to instructions and back, through the pictures.
#include <string.h>

#include "terascale/isa/table.h"

static const struct ts_row *row_of(enum ts_family family, enum ts_space space, unsigned op) {
    const struct ts_isa *isa = &ts_isas[family];
    unsigned n = op < isa->count[space] ? isa->index[space][op] : 0;
    return n ? &ts_rows[n - 1] : NULL;
}

static void begin(struct ts_insn *in, enum ts_family family, enum ts_format_id format, const uint32_t *w) {
    *in = (struct ts_insn){.family = family, .format = ts_isas[family].formats[format]};
    if (w) memcpy(in->w, w, 4u * in->format->words);
}

// The format that holds the operation's number, then the one that the operation's row names.
static void follow(struct ts_insn *in, enum ts_space space, enum ts_field op) {
    in->row = row_of(in->family, space, ts_get(in, op));
    if (in->row) in->format = ts_isas[in->family].formats[in->row->format];
}

void ts_decode_cf(enum ts_family family, const uint32_t *w, struct ts_insn *in) {
    const bool alu = w[1] >> 29 & 1; // CF_INST 8..15 in the top bits of the field
    begin(in, family, alu ? TSF_CF_ALU : TSF_CF, w);
    follow(in, alu ? TS_CFA_SPACE : TS_CF_SPACE, TS_CF_INST);
    if (in->row && in->row->format == TSF_CF_ALLOC_EXPORT_RAT)
        in->rat = row_of(family, TS_RAT_SPACE, ts_get(in, TS_RAT_INST));
}

void ts_decode_alu(enum ts_family family, const uint32_t *w, struct ts_insn *in) {
    if (!(w[1] >> 15 & 7)) { // OP3 has at least one of these
        begin(in, family, TSF_ALU_OP2, w);
        follow(in, TS_OP2_SPACE, TS_ALU_INST);
        return;
    }
    begin(in, family, TSF_ALU_OP3, w);
    follow(in, TS_OP3_SPACE, TS_ALU_INST);
    if (in->row || !ts_isas[family].formats[TSF_LDS_IDX_OP] || ts_get(in, TS_ALU_INST) != TS_LDS_ALU_INST)
        return;
    begin(in, family, TSF_LDS_IDX_OP, w);
    follow(in, TS_LDS_SPACE, TS_LDS_OP);
}

void ts_decode_fetch(enum ts_family family, const uint32_t *w, struct ts_insn *in) {
    const unsigned inst = w[0] & 31;
    if (inst == TS_MEM_INST_NUMBER && ts_isas[family].formats[TSF_MEM_RD]) {
        begin(in, family, TSF_MEM_RD, w);
        if (ts_isas[family].formats[TSF_MEM_GDS] && ts_get(in, TS_MEM_OP) == TS_GDS_MEM_OP) {
            begin(in, family, TSF_MEM_GDS, w);
            follow(in, TS_GDS_SPACE, TS_GDS_OP);
        } else
            follow(in, TS_MEM_SPACE, TS_MEM_OP);
        return;
    }
    begin(in, family, TSF_VTX_GPR, w);
    follow(in, TS_VTX_SPACE, TS_VC_INST);
    if (in->row) return;
    begin(in, family, TSF_TEX, w);
    in->row = row_of(family, TS_TEX_SPACE, ts_get(in, TS_TEX_INST) | ts_get(in, TS_INST_MOD) << 5);
    if (!in->row)
        in->row = row_of(family, TS_TEX_SPACE, ts_get(in, TS_TEX_INST)); // with a modifier that it has not
}

bool ts_begin(enum ts_family family, const struct ts_row *row, struct ts_insn *in) {
    static const uint8_t op_field[TS_SPACES] = {TS_CF_INST,  TS_CF_INST, TS_RAT_INST, TS_ALU_INST,
                                                TS_ALU_INST, TS_LDS_OP,  TS_TEX_INST, TS_VC_INST,
                                                TS_MEM_OP,   TS_GDS_OP};
    if (!row->op[family]) return false;
    begin(in, family, row->format, NULL);
    in->row = row;
    if (row->format == TSF_LDS_IDX_OP) ts_set(in, TS_ALU_INST, TS_LDS_ALU_INST);
    if (row->space == TS_MEM_SPACE || row->space == TS_GDS_SPACE) ts_set(in, TS_MEM_INST, TS_MEM_INST_NUMBER);
    if (row->space == TS_GDS_SPACE) ts_set(in, TS_MEM_OP, TS_GDS_MEM_OP);
    ts_set(in, op_field[row->space], row->op[family] - 1u);
    if (row->space == TS_TEX_SPACE) ts_set(in, TS_INST_MOD, row->inst_mod);
    return true;
}

uint32_t ts_get(const struct ts_insn *in, enum ts_field f) {
    uint32_t v = 0;
    if (!in->format->width[f]) return 0;
    for (unsigned i = 0; i < in->format->part_count; i++) {
        const struct ts_part *p = &in->format->parts[i];
        if (p->field == f) v |= (in->w[p->word] >> p->lo & (0xffffffffu >> (32 - p->width))) << p->at;
    }
    return v;
}

void ts_set(struct ts_insn *in, enum ts_field f, uint32_t value) {
    for (unsigned i = 0; i < in->format->part_count; i++) {
        const struct ts_part *p = &in->format->parts[i];
        if (p->field != f) continue;
        const uint32_t mask = 0xffffffffu >> (32 - p->width);
        in->w[p->word] = (in->w[p->word] & ~(mask << p->lo)) | (value >> p->at & mask) << p->lo;
    }
}
