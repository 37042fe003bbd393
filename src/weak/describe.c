// SPDX-License-Identifier: MIT
// What an instruction is to the rules of hazards (isa/hazards.def): which registers it reads as what, what
// its results are remembered as, and what it waits for.
#include "isa/effect_kinds.h"
#include "weak/inside.h"

// Behind these nobody knows how much time has passed, or the wave does not go on.
enum { LEAVES = CONTROL_END | CONTROL_BARRIER | CONTROL_TRAP | CONTROL_MESSAGE };
enum { VCC = 106, LONG_BRANCH = 63, DEALLOC_VGPRS = 3, NO_WAIT = 255 };

static bool is_matrix(const struct insn *in) {
    return in->format->id == FMT_MAI && in->row->class != CLASS_ACC_MOVE && in->row->class != CLASS_LD_SCALE;
}
static bool is_wmma(const struct row *row) { return row->class == CLASS_WMMA || row->class == CLASS_SWMMAC; }
// The destination is what is added to; the third source is an index.
static bool is_sparse(const struct row *row) { return row->src[3].type && row->src[3].field == F_vdst; }
static bool is_dpp(const struct insn *in) { return in->suffix == SUFFIX_DPP16 || in->suffix == SUFFIX_DPP8; }
static bool moves_lanes(const struct row *row) {
    return row_selects_lane(row) || effect_kind_of(row) == KIND_READ_FIRST_LANE;
}
static bool permutes(const struct row *row) {
    const enum effect_kind kind = effect_kind_of(row);
    return kind == KIND_PERMUTE_ROW || kind == KIND_PERMUTE_ALL;
}
static bool writes_acc(const struct row *row) {
    return row->class == CLASS_ACC_MOVE && row->dst[0].type == T_AGPR;
}
static struct matrix_of matrix_of(const struct weak *m, const struct row *row) {
    const bool small = row->flags & ROW_MATRIX_4, large = row->flags & ROW_MATRIX_32;
    if (row->src[0].type == T_F64) return (struct matrix_of){small ? MATRIX_F64_4 : MATRIX_F64_16, 0};
    const bool f32 = row->flags & ROW_MATRIX_F32;
    struct matrix_of of = {f32 ? MATRIX_F32 : MATRIX_XDL, small ? 0 : large ? 3 : 2};
    const unsigned one_block = large ? 16 : 4; // registers of its result
    if (m->rules.events & ONE_BLOCK_IN_HALF_THE_PASSES && !f32 && !small &&
        operand_dwords[row->dst[0].type] == one_block)
        of.passes--;
    return of;
}

// ---- Reads ----

// As what it reads a range, a bit for each enum hazard_second.
static unsigned vector_uses(const struct insn *in, const struct effect *e) {
    const struct row *row = in->row;
    if (e->unit == UNIT_VMEM || e->unit == UNIT_FLAT || e->unit == UNIT_LDS)
        return 1u << ANY_READS_VECTOR | 1u << MEMORY_READS_VECTOR;
    if (e->unit != UNIT_VALU) return 0;
    return 1u << UNIT_READS_VECTOR | (row_is_dot(row) ? 0 : 1u << ANY_READS_VECTOR) |
           (row->flags & ROW_TRANS || is_wmma(row) ? 0 : 1u << VALU_READS_VECTOR) |
           (row->class == CLASS_READLANE ? 1u << LANE_READS_VECTOR : 0) |
           (is_matrix(in) ? 1u << MATRIX_READS_VECTOR : 0);
}
static unsigned acc_uses(const struct insn *in) {
    return in->row->class == CLASS_ACC_MOVE ? 1u << ACC_READS : 0;
}
static unsigned scalar_uses(const struct weak *m, const struct insn *in, const struct effect *e,
                            unsigned first) {
    const bool to_lds = e->memory.access & MEMORY_TO_LDS, addtid = e->unit == UNIT_LDS && !to_lds;
    if (first == m->pool->isa->m0_register)
        return to_lds || (addtid && e->memory.address == ADDRESS_THREAD) ? 1u << READS_M0 : 0;
    if (first == SRC_EXEC_LO) return 0;
    if (e->unit == UNIT_VMEM || e->unit == UNIT_FLAT) return 1u << VMEM_READS_SCALAR;
    if (e->unit == UNIT_SMEM) return 1u << SMEM_READS_SCALAR;
    return (e->unit == UNIT_VALU || e->unit == UNIT_SALU ? 1u << UNIT_READS_SCALAR : 0) |
           (first == VCC && in->row->reads & R_VCC ? 1u << DIV_FMAS : 0);
}

static void add_use(struct record *r, struct stale_use use) {
    if ((use.seconds || use.matrix) && r->use_count < sizeof r->uses / sizeof *r->uses)
        r->uses[r->use_count++] = use;
}
static void add_scalars(struct record *r, unsigned first, unsigned count, uint32_t seconds) {
    add_use(r,
            (struct stale_use){
                .bank = BANK_SCALAR, .first = (uint16_t)first, .count = (uint16_t)count, .seconds = seconds});
}

// False: it is no vector register.
static bool find_operand(const struct weak *m, const struct insn *in, struct operand_spec spec,
                         struct stale_use *out) {
    const struct isa *isa = m->pool->isa;
    if (spec.type == T_NO_OPERAND) return false;
    const struct operand o = insn_operand(isa, in, spec, false);
    if (o.code < SRC_VGPR0) return false;
    const bool acc = o.code >= SRC_AGPR0 && !isa->vgpr_msb;
    *out = (struct stale_use){.bank = acc ? BANK_ACC : BANK_VECTOR,
                              .first = (uint16_t)(o.code - (acc ? SRC_AGPR0 : SRC_VGPR0)),
                              .count = o.dwords};
    return true;
}

// Operands of the vector unit that the effect's ranges do not tell apart: data, a lane's number, what DPP
// moves.
static void add_operands(const struct weak *m, const struct insn *in, struct record *r) {
    const struct isa *isa = m->pool->isa;
    const bool lane = row_selects_lane(in->row);
    for (unsigned n = 0; n < ROW_SRC && in->suffix != SUFFIX_SDWA; n++) {
        if (in->row->src[n].type == T_NO_OPERAND || in->row->src[n].type == T_MASK) continue;
        const struct operand o = insn_operand(isa, in, in->row->src[n], false);
        if (o.code < VCC + 2)
            add_scalars(r, o.code, o.dwords, 1u << (lane && n == 1 ? LANE_SELECT : VALU_READS_SCALAR));
        struct stale_use use;
        if (is_dpp(in) && !n && find_operand(m, in, in->row->src[0], &use) && use.bank == BANK_VECTOR) {
            use.seconds = 1u << DPP_READS_VECTOR;
            add_use(r, use);
        }
    }
}

// What is multiplied, an index, and what is added to.
static void add_matrices(const struct weak *m, const struct insn *in, struct record *r) {
    const struct row *row = in->row;
    const bool sparse = is_sparse(row);
    for (unsigned n = 0; n < 3; n++) {
        struct stale_use use;
        const bool added = n == 2 && !sparse;
        if (!find_operand(m, in, added && row->src[2].type == T_NO_OPERAND ? row->dst[0] : row->src[n], &use))
            continue;
        if (added) r->added = use;
        if (is_wmma(row))
            use.seconds = added ? 0 : 1u << WMMA_READS_AB;
        else {
            use.seconds = 1u << (added ? MATRIX_READS_C : MATRIX_READS_AB);
            use.matrix = 1 + (added ? MATRIX_TO_SAME_C : MATRIX_TO_AB);
        }
        add_use(r, use);
    }
    struct stale_use to;
    if (!sparse || is_wmma(row) || !find_operand(m, in, row->dst[0], &to)) return;
    r->added = to;
    to.seconds = 1u << MATRIX_READS_C;
    to.matrix = 1 + MATRIX_TO_SAME_C;
    add_use(r, to);
}

static void add_ranges(const struct weak *m, const struct insn *in, struct record *r) {
    const struct effect *e = &r->effect;
    const bool memory = e->unit == UNIT_VMEM || e->unit == UNIT_FLAT || e->unit == UNIT_LDS;
    for (unsigned i = 0; i < e->count; i++) {
        const struct effect_range *g = &e->ranges[i];
        if (g->flags & EFFECT_WRITES) {
            r->forgets |= (g->flags & EFFECT_RELATIVE) != 0;
            continue;
        }
        if (g->flags & EFFECT_RELATIVE) continue;
        struct stale_use use = {.bank = g->bank, .first = g->first, .count = g->count};
        use.seconds = g->bank == BANK_SCALAR ? scalar_uses(m, in, e, g->first)
                      : g->bank == BANK_ACC  ? acc_uses(in)
                                             : vector_uses(in, e);
        if (g->bank != BANK_SCALAR && !is_matrix(in))
            use.matrix = memory ? 1 + MATRIX_TO_MEMORY : e->unit == UNIT_VALU ? 1 + MATRIX_TO_VALU : 0;
        add_use(r, use);
    }
}

// ---- Writes ----

static uint32_t vector_writes(const struct insn *in) {
    const struct row *row = in->row;
    if (is_wmma(row)) {
        const bool sparse = is_sparse(row), lasts = row->flags & ROW_CLAMP; // as those of integers do
        return 1u << WMMA_VECTOR | 1u << (sparse  ? lasts ? SPARSE_LONG_VECTOR : SPARSE_VECTOR
                                          : lasts ? DENSE_LONG_VECTOR
                                                  : DENSE_VECTOR);
    }
    if (is_matrix(in)) return 0;
    return 1u << VALU_VECTOR | (row->flags & ROW_TRANS ? 1u << TRANS_VECTOR : 0) |
           (row_is_dot(row) ? 1u << DOT_VECTOR : 0) |
           (row->class == CLASS_ACC_MOVE ? 1u << ACC_MOVE_VECTOR : 0);
}

// Stores and exchanges of more than 64 bits, of which the hardware reads the data late: not with a scalar
// offset.
static void find_data(const struct weak *m, const struct insn *in, struct record *r) {
    const struct effect *e = &r->effect;
    const bool far = e->unit == UNIT_VMEM || e->unit == UNIT_FLAT;
    if (!far || !(e->memory.access & MEMORY_WRITES) || e->memory.access & MEMORY_TYPED) return;
    if (in->format->id == FMT_MIMG || !m->rules.stale[WIDE_STORE][VALU_WRITES_VECTOR]) return;
    if (e->memory.address == ADDRESS_BUFFER && e->memory.soffset < SRC_EXEC_LO) return;
    for (unsigned n = 0; n < ROW_SRC; n++) {
        struct stale_use use;
        if (!find_operand(m, in, in->row->src[n], &use) || use.count <= 2) continue;
        r->data = use;
        r->exposed |= EXPOSED_DATA;
    }
}

// ---- What it is ----

static uint32_t kind_of(const struct insn *in, const struct effect *e) {
    static const uint32_t of_units[] = {[UNIT_VALU] = IS_VALU, [UNIT_SMEM] = IS_SMEM, [UNIT_VMEM] = IS_VMEM,
                                        [UNIT_FLAT] = IS_FLAT, [UNIT_LDS] = IS_LDS,   [UNIT_BRANCH] = 0};
    const struct row *row = in->row;
    uint32_t is = e->unit == UNIT_SALU ? IS_SALU : of_units[e->unit];
    if (row->class == CLASS_WAIT || row->class == CLASS_VERSION) is &= ~(uint32_t)IS_SALU;
    if (row->flags & ROW_TRANS || (in->row_y && in->row_y->flags & ROW_TRANS)) is |= IS_TRANS;
    if (e->control & CONTROL_TARGET) is |= IS_BRANCH;
    if (row->class == CLASS_WAIT_STATES) is |= IS_NOP;
    if (row->class == CLASS_DENORM_MODE) is |= IS_DENORM_MODE;
    if (row_is_dot(row)) is |= IS_DOT;
    if (is_wmma(row)) is |= IS_WMMA;
    if (effect_is_float_atomic(row->atomic)) is |= IS_FLOAT_ATOMIC;
    if (effect_kind_of(row) == KIND_MESSAGE && (in->f[F_simm16] & 15) == DEALLOC_VGPRS) is |= IS_DEALLOC;
    if (in->has_literal) is |= HAS_LITERAL;
    if (row->writes & R_EXEC) is |= NAMES_NO_EXEC;
    for (unsigned i = 0; i < e->count; i++) {
        const struct effect_range *g = &e->ranges[i];
        if (!(g->flags & EFFECT_WRITES) || g->bank != BANK_SCALAR) continue;
        is |= g->first >= SRC_EXEC_LO ? WRITES_EXEC : WRITES_SCALAR;
    }
    return is;
}

// Fields of s_waitcnt_depctr and s_wait_alu: so many may be left.
static void find_unit_waits(const struct insn *in, struct record *r) {
    const bool idle = in->row->class == CLASS_WAIT_IDLE;
    const unsigned fields = idle ? 0 : (unsigned)in->f[F_simm16];
    r->vector_wait = NO_WAIT;
    if (!idle && in->row->class != CLASS_WAIT_UNITS) return;
    if ((fields >> 12 & 15) < 15) r->vector_wait = fields >> 12 & 15;
    r->unit_waits = (fields >> 9 & 7 ? 0 : WAITS_VALU_SCALAR) | (fields >> 1 & 1 ? 0 : WAITS_VALU_VCC) |
                    (fields & 1 ? 0 : WAITS_SALU_SCALAR) | (fields >> 2 & 7 ? 0 : WAITS_MEMORY_SOURCES);
}

// By which rules the operands of an operation may change that is not over.
static uint8_t exposed_by(const struct weak *m, const struct record *r) {
    const unsigned events = m->rules.events;
    const bool vector = r->is & (IS_VMEM | IS_FLAT | IS_LDS);
    return (
        uint8_t)((vector && events & VMEM_READS_THEN_SALU_WRITES ? EXPOSED_TO_SALU : 0) |
                 (r->is & IS_SMEM && events & SMEM_READS_THEN_VALU_WRITES ? EXPOSED_TO_VALU : 0) |
                 (vector && events & EXEC_READ_THEN_CMPX ? EXPOSED_TO_CMPX : 0) |
                 (r->is & (IS_VMEM | IS_FLAT) && r->is & IS_FLOAT_ATOMIC && events & ATOMIC_THEN_DENORM_MODE
                      ? EXPOSED_TO_DENORM_MODE
                      : 0));
}

static void find_exec_uses(const struct weak *m, const struct insn *in, struct record *r) {
    const struct row *row = in->row;
    const uint32_t seconds =
        (is_dpp(in) ? 1u << DPP_READS_EXEC : 0) | (moves_lanes(row) ? 1u << LANE_READS_EXEC : 0) |
        (permutes(row) ? 1u << PERMLANE_READS_EXEC : 0) |
        (is_matrix(in) || (writes_acc(row) && !m->pool->isa->accvgpr_memory) ? 1u << MATRIX_READS_EXEC : 0);
    if (r->effect.reads & STATE_EXEC || is_matrix(in)) add_scalars(r, SRC_EXEC_LO, 2, seconds);
}

void stale_describe(const struct weak *m, const struct insn *in, struct record *r) {
    const struct effect *e = &r->effect;
    const struct row *row = in->row;
    const bool valu = e->unit == UNIT_VALU;
    r->is = kind_of(in, e);
    for (unsigned k = 0; k < COUNTERS; k++)
        if (e->waits[k] != EFFECT_NO_WAIT) r->is |= IS_WAIT;
    if (row->class == CLASS_WAIT && !e->waits[COUNTER_VS]) r->is |= IS_STORE_WAIT;
    if (r->is & IS_BRANCH && has(m->pool->options.target.processor, CAP_branch_3f_bug) &&
        (uint16_t)in->f[F_simm16] == LONG_BRANCH)
        r->is |= IS_ASTRAY;
    r->states = row->class == CLASS_WAIT_STATES ? (uint8_t)(1 + ((unsigned)in->f[F_simm16] & 15)) : 1;
    if (e->control & CONTROL_REGISTER) r->states = HAZARD_MOST_STATES + 1, r->is |= IS_JUMP;
    r->indexes = effect_kind_of(row) == KIND_SET_INDEX;
    r->forgets = e->control & LEAVES || effect_kind_of(row) == KIND_SLEEP ||
                 (r->is & IS_JUMP && e->control & CONTROL_NEXT);
    find_unit_waits(in, r);
    if (valu) r->vector_writes = vector_writes(in);
    if (writes_acc(row)) r->acc_writes = 1u << ACC_WRITTEN;
    r->scalar_writes = valu ? 1u << VALU_SCALAR | (row->writes & R_EXEC ? 1u << CMPX_EXEC : 0)
                       : e->unit == UNIT_SALU ? 1u << SALU_M0
                                              : 0;
    r->exposed = exposed_by(m, r);
    if (e->control != CONTROL_NEXT) return;
    if (is_matrix(in)) r->matrix = matrix_of(m, row);
    if (is_matrix(in) || is_wmma(row)) add_matrices(m, in, r);
    if (valu) add_operands(m, in, r);
    if (valu) find_exec_uses(m, in, r);
    add_ranges(m, in, r);
    find_data(m, in, r);
}
