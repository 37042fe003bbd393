// SPDX-License-Identifier: MIT
// Keeps apart what the hardware does not (isa/hazards.def). The state at a place says for each register how
// many wait states ago something happened to it, or that something did and no event has ended it; states of
// several ways to a place are merged, and the pass goes round until nothing changes. Moves that the emitter
// makes of pseudo operations count as no time, but as the vector or scalar instructions that they are.
// Requires: waits. Leaves: no hazard of compiled code.
#include "compiler/convention.h"
#include "compiler/passes.h"
#include "isa/effect_kinds.h"
#include "isa/hazards.h"

enum { SCALARS = 128, VECTORS = 256, PLACES = SCALARS + 2 * VECTORS, LONG_AGO = HAZARD_MOST_STATES + 1 };
enum { VCC_LO = 106, M0 = 124, EXEC_LO = 126 }; // among the scalars, whatever their numbers are

struct state {
    int16_t when[HAZARD_FIRSTS][PLACES]; // it happened, in wait states; `time` is now
    int16_t trans[2 * VECTORS];          // a transcendental instruction wrote it, in vector instructions
    int16_t trans_source[2 * VECTORS];   // one read it
    int16_t time, vector_time;
    bool vmem_read[SCALARS], smem_read[SCALARS];
    bool read_by_valu[SCALARS];              // masks on GFX11, any on GFX12
    bool by_salu[SCALARS], by_valu[SCALARS]; // written since, and not waited for
    bool run_reads[PLACES];                  // what loads read that follow each other
    uint8_t run;                             // enum unit: of such loads
    bool saw_lds, saw_vmem, lds_branch, vmem_branch;
    bool after_wmma;
};

struct pass {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    struct hazards hazards;
    bool wave64, replays, writing;
    unsigned waits;          // bits of s_wait_alu that are zero in front of the instruction at hand
    struct state *at;        // by block
    bool *reached, *changed; // changed: since the block was looked at
    struct state now;
    uint32_t location;
};

// ---- What an instruction is ----

enum unit { NEITHER, VALU, SALU, SMEM, VMEM, FLAT, LDS };

static unsigned format_of(const struct pass *p, const struct row *row) {
    return p->c->isa->codings[p->c->isa->row_codings[row - isa_rows]].format;
}

static enum unit unit_of(const struct pass *p, const struct row *row) {
    switch (format_of(p, row)) {
    case FMT_SOP2:
    case FMT_SOPK:
    case FMT_SOP1:
    case FMT_SOPC: return SALU;
    case FMT_SMEM: return SMEM;
    case FMT_VOP2:
    case FMT_VOP1:
    case FMT_VOPC:
    case FMT_VOP3:
    case FMT_VOP3B:
    case FMT_VOP3S:
    case FMT_VOP3I:
    case FMT_VOP3P:
    case FMT_VINTRP:
    case FMT_VINTERP:
    case FMT_MAI: return VALU;
    case FMT_DS: return LDS;
    case FMT_FLAT: return FLAT;
    case FMT_GLOBAL:
    case FMT_SCRATCH:
    case FMT_MUBUF:
    case FMT_MTBUF:
    case FMT_MIMG:
    case FMT_VIMAGE:
    case FMT_VSAMPLE: return VMEM;
    default: return NEITHER;
    }
}

static uint32_t register_of(const struct pass *p, ir_ref r) {
    return ir_is(r, IR_VALUE) ? p->f->registers[ir_index(r)] : ir_is(r, IR_REGISTER) ? ir_index(r) : 0;
}

// Dword `n` of a register among the places; PLACES: none of these.
static unsigned place_of(uint32_t r, unsigned n) {
    const unsigned first = ir_register_first(r) + n;
    if (n >= ir_register_dwords(r)) return PLACES;
    switch (ir_register_class_of(r)) {
    case IR_SGPR: return first < VCC_LO ? first : PLACES;
    case IR_VCC: return VCC_LO + (first & 1);
    case IR_M0: return M0;
    case IR_EXEC: return EXEC_LO + (first & 1);
    case IR_VGPR: return first < VECTORS ? SCALARS + first : PLACES;
    case IR_AGPR: return first < VECTORS ? SCALARS + VECTORS + first : PLACES;
    default: return PLACES;
    }
}

// True if operand `k` is a register that is written.
static bool is_target(const struct ir_inst *i, unsigned k) {
    return (i->op == OP_p_moves && !(k & 1)) || (ir_has_called(i->op) && k & 1) ||
           (i->op == OP_p_write_lane && !k);
}

// Rows that have no result write a fixed register: their first operand.
static bool is_fixed_target(const struct ir_inst *i, const struct row *row, enum unit unit, unsigned k) {
    return !k && !i->results && row->dst[0].type && (unit == SALU || unit == VALU);
}
// Register `k` of those that a row writes; 0: there are no more.
static uint32_t written_by(const struct pass *p, const struct ir_inst *i, const struct row *row,
                           enum unit unit, unsigned k) {
    if (k < i->results) return p->f->registers[i->first_result + k];
    return i->operands && is_fixed_target(i, row, unit, k)
               ? register_of(p, p->old.operands.items[i->first_operand])
               : 0;
}

// ---- Cures ----

static void put_row(struct pass *p, const char *id, const ir_ref *operands, unsigned count) {
    const struct row *row = compiler_named_row(p->c, id);
    if (row && p->writing) ir_append(p->f, ir_op_of_row(row), operands, count)->location = p->location;
}

static void settle(struct state *s) {
    for (unsigned k = 0; k < HAZARD_FIRSTS; k++)
        for (unsigned r = 0; r < PLACES; r++) {
            const int when = s->when[k][r] - s->time;
            s->when[k][r] = (int16_t)(when < -LONG_AGO ? -LONG_AGO : when);
        }
    for (unsigned r = 0; r < 2 * VECTORS; r++) {
        const int when = s->trans[r] - s->vector_time;
        s->trans[r] = (int16_t)(when < -LONG_AGO ? -LONG_AGO : when);
        const int read = s->trans_source[r] - s->vector_time;
        s->trans_source[r] = (int16_t)(read < -LONG_AGO ? -LONG_AGO : read);
    }
    s->time = s->vector_time = 0;
}

static void pass_time(struct pass *p, unsigned states) {
    if (p->now.time > INT16_MAX / 2 || p->now.vector_time > INT16_MAX / 2) settle(&p->now);
    p->now.time = (int16_t)(p->now.time + (int)states);
}
static unsigned age_of(const struct pass *p, unsigned first, unsigned place) {
    return (unsigned)(p->now.time - p->now.when[first][place]);
}
static bool is_fresh(const struct pass *p, unsigned place) { // of a transcendental instruction
    return p->now.vector_time - p->now.trans[place - SCALARS] < 6;
}
static void forget_transcendental(struct pass *p) {
    for (unsigned r = 0; r < 2 * VECTORS; r++) p->now.trans[r] = (int16_t)(p->now.vector_time - LONG_AGO);
}

static void nops(struct pass *p, unsigned states) {
    pass_time(p, states);
    while (states) { // one s_nop is up to 8 states on the oldest processors
        const unsigned some = states > 8 ? 8 : states;
        put_row(p, "s_nop", (ir_ref[]){ir_immediate((int32_t)some - 1)}, 1);
        states -= some;
    }
}

// Waits inside of the units: fields that are all ones are not waited for. All of one place are one
// instruction.
enum { VM_VSRC_0 = 0xffe3, VA_VDST_0 = 0x0fff, VA_SDST_0 = 0xf1ff, VA_VCC_0 = 0xfffd, SA_SDST_0 = 0xfffe };
static void depctr(struct pass *p, unsigned fields) {
    p->waits |= fields ^ 0xffff;
    if (!(fields & 0xf000)) forget_transcendental(p);
    if (fields == VM_VSRC_0) memset(p->now.vmem_read, 0, sizeof p->now.vmem_read);
}

static void put_waits(struct pass *p) {
    if (p->waits) put_row(p, "s_wait_alu", (ir_ref[]){ir_immediate((int32_t)(p->waits ^ 0xffff))}, 1);
    p->waits = 0;
}

// ---- Wait states ----

static void need(struct pass *p, unsigned second, unsigned place, unsigned *states) {
    for (unsigned k = 0; k < HAZARD_FIRSTS && place < PLACES; k++) {
        const unsigned distance = p->hazards.states[k][second], age = distance ? age_of(p, k, place) : 0;
        if (distance > age && distance - age > *states) *states = distance - age;
    }
}
static void happened(struct pass *p, unsigned first, unsigned place) {
    if (place < PLACES) p->now.when[first][place] = p->now.time;
}

static bool is_transcendental(const struct row *row) { return row->flags & ROW_TRANS; }
static bool is_lane_move(const struct row *row) { return row->class == CLASS_READLANE; }
static bool sets_hwreg(const struct row *row) { return effect_kind_of(row) == KIND_SET_HWREG; }
static bool names_hwreg(const struct row *row) {
    return sets_hwreg(row) || effect_kind_of(row) == KIND_GET_HWREG;
}

static void states_of_read(struct pass *p, const struct ir_inst *i, const struct row *row, enum unit unit,
                           unsigned k, unsigned place, unsigned *states) {
    const bool scalar = place < SCALARS;
    if (unit == VMEM || unit == FLAT || unit == LDS) {
        if (scalar) need(p, VMEM_READS_SCALAR, place, states);
        if (!scalar) need(p, ANY_READS_VECTOR, place, states);
    } else if (unit == SMEM) {
        if (scalar) need(p, SMEM_READS_SCALAR, place, states);
    } else if (unit == VALU) {
        if (scalar) need(p, VALU_READS_SCALAR, place, states);
        if (scalar && row_selects_lane(row) && k) need(p, LANE_SELECT, place, states);
        if (!scalar && is_lane_move(row)) need(p, LANE_READS_VECTOR, place, states);
        if (!scalar && !is_transcendental(row)) need(p, VALU_READS_VECTOR, place, states);
        if (!scalar) need(p, ANY_READS_VECTOR, place, states);
        if (!scalar && format_of(p, row) == FMT_MAI) need(p, MATRIX_READS_VECTOR, place, states);
        if (!scalar && i->modifiers & IR_DPP) need(p, DPP_READS_VECTOR, place, states);
    }
}

static void states_of_row(struct pass *p, const struct ir_inst *i, const struct row *row, enum unit unit) {
    unsigned states = 0;
    for (unsigned k = 0; k < i->operands; k++) {
        const uint32_t r = register_of(p, p->old.operands.items[i->first_operand + k]);
        if (is_fixed_target(i, row, unit, k)) continue;
        for (unsigned d = 0, at; (at = place_of(r, d)) < PLACES; d++)
            states_of_read(p, i, row, unit, k, at, &states);
    }
    for (unsigned k = 0; k < i->results && unit == VALU; k++)
        for (unsigned d = 0, at; (at = place_of(p->f->registers[i->first_result + k], d)) < PLACES; d++)
            if (at >= SCALARS) need(p, VALU_WRITES_VECTOR, at, &states);
    if (unit == VALU && row->reads & R_VCC) // v_div_fmas
        for (unsigned d = 0; d < 2; d++) need(p, DIV_FMAS, VCC_LO + d, &states);
    if (names_hwreg(row)) need(p, SETREG_GETREG, 0, &states);
    const struct ir_memory *m = ir_memory_of(p->f, i);
    const bool far =
        unit != LDS || row->class == CLASS_GWS || row->class == CLASS_GDS || (m && m->space == IR_REGION);
    if ((row->reads & R_M0 && far) || compiler_goes_to_lds(p->c, i, p->old.operands.items + i->first_operand))
        need(p, READS_M0, M0, &states);
    nops(p, states);
}

static unsigned data_dwords(const struct row *row) {
    switch ((enum access)row->access) {
    case ACCESS_B96: return 3;
    case ACCESS_B128: return 4;
    default: return 1;
    }
}

static void remember_row(struct pass *p, const struct ir_inst *i, const struct row *row, enum unit unit) {
    pass_time(p, 1);
    for (unsigned k = 0; k <= i->results; k++)
        for (unsigned d = 0, at; (at = place_of(written_by(p, i, row, unit, k), d)) < PLACES; d++) {
            if (at < SCALARS) {
                p->now.when[VALU_SCALAR][at] = (int16_t)(p->now.time - LONG_AGO);
                if (unit == VALU) happened(p, VALU_SCALAR, at);
                if (unit == SALU && at == M0) happened(p, SALU_M0, at);
                continue;
            }
            happened(p, ANY_VECTOR, at);
            if (unit != VALU) continue;
            happened(p, VALU_VECTOR, at);
            if (is_transcendental(row)) happened(p, TRANS_VECTOR, at);
            if (operand_bits[row->dst[0].type] == 16 || i->modifiers & IR_DPP) happened(p, PART_VECTOR, at);
            if (row_is_dot(row)) happened(p, DOT_VECTOR, at);
            if (row->class == CLASS_ACC_MOVE) happened(p, ACC_MOVE_VECTOR, at);
            if (format_of(p, row) == FMT_MAI && row->class != CLASS_ACC_MOVE) happened(p, MATRIX_VECTOR, at);
        }
    if (format_of(p, row) == FMT_MAI && row->class != CLASS_ACC_MOVE && i->operands > 2)
        for (unsigned d = 0, at;
             (at = place_of(register_of(p, p->old.operands.items[i->first_operand + 2]), d)) < PLACES; d++)
            happened(p, MATRIX_SOURCE, at);
    if (sets_hwreg(row)) happened(p, SETREG, 0);
    const bool exchange = row->atomic == ATOMIC_cmpswap_b64;
    if ((unit == VMEM || unit == FLAT) && row->flags & ROW_STORE && (data_dwords(row) > 2 || exchange))
        for (unsigned k = 0; k < i->operands; k++) {
            const uint32_t r = register_of(p, p->old.operands.items[i->first_operand + k]);
            for (unsigned d = 0, at; ir_register_dwords(r) > 2 && (at = place_of(r, d)) < PLACES; d++)
                if (at >= SCALARS) happened(p, WIDE_STORE, at);
        }
}

// ---- Events ----

static void read_scalar(struct pass *p, enum unit unit, unsigned place, bool mask) {
    struct state *s = &p->now;
    if (unit == VMEM || unit == FLAT || unit == LDS) s->vmem_read[place] = true;
    if (unit == SMEM) s->smem_read[place] = true;
    const bool counts = p->hazards.events & SCALAR_READ_THEN_WRITTEN || (p->wave64 && mask);
    if (unit == VALU && counts) s->read_by_valu[place] = s->read_by_valu[place ^ 1] = true;
}

static void wait_for_written(struct pass *p, enum unit unit, unsigned place) {
    struct state *s = &p->now;
    const bool masks = p->hazards.events & MASK_READ_THEN_WRITTEN;
    if (p->hazards.events & SCALAR_READ_THEN_WRITTEN && p->f->facts.no_hazard_waits) return;
    if (s->by_salu[place]) {
        depctr(p, SA_SDST_0);
        memset(s->by_salu, 0, sizeof s->by_salu);
    }
    if (s->by_valu[place] && (unit == VALU || masks)) {
        depctr(p, VA_SDST_0 & VA_VCC_0);
        memset(s->by_valu, 0, sizeof s->by_valu);
    }
}

// Functions that call each other know nothing of each other: all that was written is waited for where one
// begins or goes on, and the vector unit may have read any scalar register meanwhile. A call writes where to
// return to.
static bool knows_calls(const struct pass *p) {
    return p->hazards.events & SCALAR_READ_THEN_WRITTEN && !p->f->facts.no_hazard_waits;
}
static void forget_written(struct state *s) {
    memset(s->by_salu, 0, sizeof s->by_salu);
    memset(s->by_valu, 0, sizeof s->by_valu);
}
static void wait_for_all(struct pass *p) {
    struct state *s = &p->now;
    bool by_salu = false, by_valu = false;
    for (unsigned r = 0; r < SCALARS; r++) by_salu |= s->by_salu[r], by_valu |= s->by_valu[r];
    if (by_salu) depctr(p, SA_SDST_0);
    if (by_valu) depctr(p, VA_SDST_0 & VA_VCC_0);
    forget_written(s);
}
static void others_ran(struct state *s) {
    memset(s->read_by_valu, true, sizeof s->read_by_valu);
    forget_written(s);
}
static bool is_function(const struct pass *p) { return !ir_is_entry(p->f); }
static void is_called(struct state *s) {
    others_ran(s);
    s->by_salu[CONVENTION_RETURN] = s->by_salu[CONVENTION_RETURN + 1] = true;
}

static void write_scalar(struct pass *p, enum unit unit, unsigned place) {
    struct state *s = &p->now;
    const unsigned events = p->hazards.events;
    if (events & (MASK_READ_THEN_WRITTEN | SCALAR_READ_THEN_WRITTEN) && s->read_by_valu[place]) {
        s->by_salu[place] = unit == SALU;
        s->by_valu[place] = unit == VALU;
    }
    (void)events;
}

// In front of an instruction that writes a scalar register.
static void before_write(struct pass *p, enum unit unit, unsigned place) {
    const unsigned events = p->hazards.events;
    if (events & VMEM_READS_THEN_SALU_WRITES && (unit == SALU || unit == SMEM) && p->now.vmem_read[place])
        depctr(p, VM_VSRC_0);
    if (events & SMEM_READS_THEN_VALU_WRITES && unit == VALU && p->now.smem_read[place]) {
        put_row(p, "s_mov_b32",
                (ir_ref[]){ir_make(IR_REGISTER, ir_register(IR_NULL, 0, 1)),
                           ir_constant_bits(p->f, ir_int(p->c->m, 32), 0, 0)},
                2);
        memset(p->now.smem_read, 0, sizeof p->now.smem_read);
    }
}

static bool reads_mask(const struct row *row) {
    for (unsigned k = 0; k < ROW_SRC; k++)
        if (row->src[k].type == T_MASK) return true;
    return row->reads & R_VCC;
}

static void between_lds_and_vmem(struct pass *p, enum unit unit) {
    struct state *s = &p->now;
    if (!(p->hazards.events & LDS_BRANCH_VMEM)) return;
    if ((unit == LDS && s->vmem_branch) || (unit == VMEM && s->lds_branch)) {
        put_row(p, "s_waitcnt_vscnt",
                (ir_ref[]){ir_make(IR_REGISTER, ir_register(IR_NULL, 0, 1)), ir_immediate(0)}, 2);
        s->saw_lds = s->saw_vmem = s->lds_branch = s->vmem_branch = false;
    }
    s->saw_lds |= unit == LDS;
    s->saw_vmem |= unit == VMEM;
}

// Vector registers that a transcendental instruction wrote are not forwarded to soon.
static void after_transcendental(struct pass *p, const struct ir_inst *i) {
    bool soon = false;
    for (unsigned k = 0; k < i->operands; k++) {
        const uint32_t r = register_of(p, p->old.operands.items[i->first_operand + k]);
        for (unsigned d = 0, at; (at = place_of(r, d)) < PLACES; d++)
            soon |= at >= SCALARS && is_fresh(p, at);
    }
    if (soon) depctr(p, VA_VDST_0);
}

// Behind a transcendental instruction comes one of the vector unit that reads what it writes, or writes what
// it reads or writes.
static void beside_transcendental(struct pass *p, const struct ir_inst *i) {
    const struct state *s = &p->now;
    bool beside = false;
    for (unsigned k = 0; k < i->operands + i->results; k++) {
        const bool result = k >= i->operands;
        const uint32_t r = result ? p->f->registers[i->first_result + k - i->operands]
                                  : register_of(p, p->old.operands.items[i->first_operand + k]);
        const bool written = result || is_target(i, k);
        for (unsigned d = 0, at; (at = place_of(r, d)) < PLACES; d++)
            beside |= at >= SCALARS && (s->trans[at - SCALARS] == s->vector_time ||
                                        (written && s->trans_source[at - SCALARS] == s->vector_time));
    }
    if (!beside) return;
    put_row(p, "v_nop", NULL, 0);
    p->now.vector_time++;
}

// The base of scratch may be what a scalar register is given meanwhile.
static void before_scratch_base(struct pass *p, const struct ir_inst *i) {
    for (unsigned k = 0; k < i->operands; k++) {
        const uint32_t r = register_of(p, p->old.operands.items[i->first_operand + k]);
        if (ir_register_class_of(r) == IR_APERTURE && ir_register_first(r) == 2)
            depctr(p, VA_SDST_0 & SA_SDST_0);
    }
}

// Loads that follow each other are issued together, and once more if one of them faults: none may write what
// another one reads.
static void follow(struct pass *p, const struct ir_inst *i, const struct row *row, enum unit unit) {
    struct state *s = &p->now;
    const bool load =
        row && (unit == SMEM || unit == VMEM || unit == FLAT) && row->flags & ROW_LOAD && i->results;
    const uint8_t run = load ? unit == SMEM ? SMEM : VMEM : NEITHER;
    if (!p->replays) return;
    bool apart = run != s->run;
    for (unsigned k = 0; k < i->results && load && !apart; k++)
        for (unsigned d = 0, at; (at = place_of(p->f->registers[i->first_result + k], d)) < PLACES; d++)
            if (s->run_reads[at]) apart = true;
    if (apart && run && run == s->run) nops(p, 1);
    if (apart) memset(s->run_reads, 0, sizeof s->run_reads);
    s->run = run;
    for (unsigned k = 0; k < i->operands && load; k++) {
        const uint32_t r = register_of(p, p->old.operands.items[i->first_operand + k]);
        for (unsigned d = 0, at; (at = place_of(r, d)) < PLACES; d++) s->run_reads[at] = true;
    }
}

static void events_before(struct pass *p, const struct ir_inst *i, const struct row *row, enum unit unit) {
    if (!p->hazards.events) return;
    between_lds_and_vmem(p, unit);
    if (p->now.after_wmma && unit == VALU) put_row(p, "v_nop", NULL, 0);
    if (p->hazards.events & TRANS_USE && unit == VALU) after_transcendental(p, i);
    if (p->hazards.events & TRANS_NEXT && unit == VALU && !is_transcendental(row))
        beside_transcendental(p, i);
    if (p->hazards.events & SCRATCH_BASE_READ) before_scratch_base(p, i);
    for (unsigned k = 0; k < i->operands; k++) {
        const uint32_t r = register_of(p, p->old.operands.items[i->first_operand + k]);
        if (is_fixed_target(i, row, unit, k)) continue;
        for (unsigned d = 0, at; (at = place_of(r, d)) < SCALARS; d++) wait_for_written(p, unit, at);
    }
    for (unsigned d = 0; row->reads & R_VCC && d < 2; d++) wait_for_written(p, unit, VCC_LO + d);
    for (unsigned k = 0; k <= i->results; k++)
        for (unsigned d = 0, at; (at = place_of(written_by(p, i, row, unit, k), d)) < SCALARS; d++)
            before_write(p, unit, at);
    if (row->writes & R_EXEC) before_write(p, unit, EXEC_LO);
}

static bool writes_exec(const struct pass *p, const struct ir_inst *i, const struct row *row,
                        enum unit unit) {
    bool writes = row->writes & R_EXEC;
    for (unsigned k = 0; k <= i->results; k++)
        writes |= place_of(written_by(p, i, row, unit, k), 0) == EXEC_LO;
    return writes;
}

static void events_after(struct pass *p, const struct ir_inst *i, const struct row *row, enum unit unit) {
    struct state *s = &p->now;
    if (!p->hazards.events) return;
    for (unsigned k = 0; k < i->operands; k++) {
        const uint32_t r = register_of(p, p->old.operands.items[i->first_operand + k]);
        if (is_fixed_target(i, row, unit, k)) continue;
        for (unsigned d = 0, at; (at = place_of(r, d)) < SCALARS; d++)
            read_scalar(p, unit, at, reads_mask(row));
    }
    for (unsigned d = 0; row->reads & R_VCC && d < 2; d++) read_scalar(p, unit, VCC_LO + d, true);
    if (unit == VMEM || unit == FLAT || unit == LDS) s->vmem_read[EXEC_LO] = s->vmem_read[EXEC_LO + 1] = true;
    if (unit == VALU) memset(s->vmem_read, 0, sizeof s->vmem_read);
    if (unit == SALU) memset(s->smem_read, 0, sizeof s->smem_read);
    for (unsigned k = 0; k <= i->results; k++)
        for (unsigned d = 0, at; (at = place_of(written_by(p, i, row, unit, k), d)) < SCALARS; d++)
            write_scalar(p, unit, at);
    if (unit == VALU) {
        s->vector_time++;
        if (is_transcendental(row))
            for (unsigned k = 0; k < i->operands; k++) {
                const uint32_t r = register_of(p, p->old.operands.items[i->first_operand + k]);
                for (unsigned d = 0, at; (at = place_of(r, d)) < PLACES; d++)
                    if (at >= SCALARS) s->trans_source[at - SCALARS] = s->vector_time;
            }
        if (is_transcendental(row))
            for (unsigned k = 0; k < i->results; k++)
                for (unsigned d = 0, at; (at = place_of(p->f->registers[i->first_result + k], d)) < PLACES;
                     d++)
                    if (at >= SCALARS) s->trans[at - SCALARS] = s->vector_time;
        s->after_wmma =
            p->hazards.events & WMMA_NEXT && (row->class == CLASS_WMMA || row->class == CLASS_SWMMAC);
    }
    if (unit == SALU && p->hazards.events & EXEC_BETWEEN_WRITES && p->wave64 && writes_exec(p, i, row, unit))
        depctr(p, VA_VDST_0);
}

// ---- Pseudo operations: moves of the vector or of the scalar unit ----

static void moves(struct pass *p, const struct ir_inst *i) {
    unsigned states = 0;
    bool vector = false, scalar = false;
    if (p->hazards.events & TRANS_NEXT) beside_transcendental(p, i);
    for (unsigned k = 0; k < i->operands; k++) {
        const uint32_t r = register_of(p, p->old.operands.items[i->first_operand + k]);
        const bool to = is_target(i, k);
        for (unsigned d = 0, at; (at = place_of(r, d)) < PLACES; d++) {
            if (to) {
                vector |= at >= SCALARS;
                scalar |= at < SCALARS;
                if (at >= SCALARS) need(p, VALU_WRITES_VECTOR, at, &states);
            } else if (at < SCALARS) {
                need(p, VALU_READS_SCALAR, at, &states);
                if (p->hazards.events) wait_for_written(p, VALU, at);
            } else {
                need(p, VALU_READS_VECTOR, at, &states);
                need(p, ANY_READS_VECTOR, at, &states);
                if (p->hazards.events & TRANS_USE && is_fresh(p, at)) depctr(p, VA_VDST_0);
            }
        }
    }
    for (unsigned k = 0; k < i->results; k++)
        for (unsigned d = 0, at; (at = place_of(p->f->registers[i->first_result + k], d)) < PLACES; d++) {
            vector |= at >= SCALARS;
            scalar |= at < SCALARS;
            if (at >= SCALARS) need(p, VALU_WRITES_VECTOR, at, &states);
        }
    nops(p, states);
    // What is written: by the unit that the register belongs to.
    for (unsigned k = 0; k < i->operands + i->results; k++) {
        const bool result = k >= i->operands;
        if (!result && !is_target(i, k)) continue;
        const uint32_t r = result ? p->f->registers[i->first_result + k - i->operands]
                                  : register_of(p, p->old.operands.items[i->first_operand + k]);
        for (unsigned d = 0, at; (at = place_of(r, d)) < PLACES; d++) {
            if (at < SCALARS) {
                p->now.when[VALU_SCALAR][at] = (int16_t)(p->now.time - LONG_AGO);
                if (p->hazards.events) before_write(p, SALU, at), write_scalar(p, SALU, at);
                if (at == M0) happened(p, SALU_M0, at);
            } else
                happened(p, ANY_VECTOR, at), happened(p, VALU_VECTOR, at);
        }
    }
    for (unsigned k = 0; k < i->operands && vector && p->hazards.events; k++) {
        const uint32_t r = register_of(p, p->old.operands.items[i->first_operand + k]);
        for (unsigned d = 0, at; !is_target(i, k) && (at = place_of(r, d)) < SCALARS; d++)
            read_scalar(p, VALU, at, false);
    }
    (void)scalar;
}

// True if a pseudo operation writes a scalar register that the vector unit has read: its instructions read it
// next (IR_SETTLES). Calls, and the ends of frames, have VCC for an address or for EXEC.
static bool settles(const struct pass *p, const struct ir_inst *i) {
    const bool *read = p->now.read_by_valu;
    bool any = (ir_has_called(i->op) || i->op == OP_p_leave) && (read[VCC_LO] || read[VCC_LO + 1]);
    if (p->hazards.events & SCALAR_READ_THEN_WRITTEN && p->f->facts.no_hazard_waits) return false;
    for (unsigned k = 0; k < i->operands + i->results; k++) {
        const bool result = k >= i->operands;
        if (!result && !is_target(i, k)) continue;
        const uint32_t r = result ? p->f->registers[i->first_result + k - i->operands]
                                  : register_of(p, p->old.operands.items[i->first_operand + k]);
        for (unsigned d = 0, at; (at = place_of(r, d)) < SCALARS; d++) any |= read[at];
    }
    return any;
}

// Frames keep scalar registers in lanes of a vector register, before s33 and s32 say where the frame is; they
// end by s33.
static void frame(struct pass *p, const struct ir_inst *i) {
    if (!p->hazards.events || ir_is(p->old.operands.items[i->first_operand], IR_NONE)) return;
    if (i->op == OP_p_leave) wait_for_written(p, SALU, CONVENTION_FRAME);
    if (i->op != OP_p_enter) return;
    if (knows_calls(p)) wait_for_all(p);
    struct convention_set changed = convention_changes(p->c);
    for (unsigned n = convention_count(&changed); n; n--)
        read_scalar(p, VALU, convention_take_first(&changed), false);
    for (unsigned n = 0; n < 2; n++) read_scalar(p, VALU, CONVENTION_RETURN + n, false);
    read_scalar(p, VALU, CONVENTION_FRAME, false);
    write_scalar(p, SALU, CONVENTION_FRAME);
    write_scalar(p, SALU, CONVENTION_STACK_TOP);
}

// Names of registers are no instructions.
static bool is_name(const struct pass *p, const struct ir_inst *i) {
    if (i->op == OP_p_copy)
        return register_of(p, p->old.operands.items[i->first_operand]) == p->f->registers[i->first_result];
    return i->op == OP_p_part || i->op == OP_phi || i->op == OP_p_logical || i->op == OP_p_wait;
}

static void jump(struct pass *p, const struct ir_inst *i) {
    if (!(p->hazards.events & LDS_BRANCH_VMEM) || !ir_is_terminator(i)) return;
    p->now.lds_branch |= p->now.saw_lds;
    p->now.vmem_branch |= p->now.saw_vmem;
}

static void instruction(struct pass *p, const struct ir_inst *i) {
    const struct row *row = ir_is_row(i->op) ? ir_row(i->op) : NULL;
    const enum unit unit = row ? unit_of(p, row) : NEITHER;
    const bool pseudo = !row && !is_name(p, i), settled = pseudo && settles(p, i);
    p->location = i->location;
    if (row && i->modifiers & IR_TIED) { // the destination first gets what it holds
        const struct ir_inst copy = {.op = OP_p_copy,
                                     .operands = 1,
                                     .results = 1,
                                     .first_operand = i->first_operand,
                                     .first_result = i->first_result};
        moves(p, &copy);
    }
    if (!is_name(p, i) || i->op == OP_p_wait) follow(p, i, row, unit);
    if (row) {
        states_of_row(p, i, row, unit);
        events_before(p, i, row, unit);
    } else if (pseudo)
        moves(p, i);
    if (i->op == OP_p_enter || i->op == OP_p_leave) frame(p, i);
    const bool goes = knows_calls(p) && (ir_has_called(i->op) || (i->op == OP_p_return && is_function(p)));
    if (goes) wait_for_all(p);
    jump(p, i);
    put_waits(p);
    struct ir_inst *copy = p->writing ? ir_copy(p->f, &p->old, i) : NULL;
    if (copy && settled) copy->modifiers |= IR_SETTLES;
    if (goes) others_ran(&p->now);
    if (row) {
        events_after(p, i, row, unit);
        remember_row(p, i, row, unit);
        put_waits(p);
    }
}

static void block(struct pass *p, uint32_t number) {
    const struct ir_block *b = &p->old.blocks.items[number];
    p->now = p->at[number];
    for (uint32_t n = 0; n < b->count && !p->c->m->failed; n++)
        instruction(p, &p->old.insts.items[b->first + n]);
}

// ---- The pass ----

static bool join(bool *to, bool from) {
    const bool more = from && !*to;
    *to |= from;
    return more;
}
static bool later(int16_t *to, int16_t from) {
    const bool more = from > *to;
    if (more) *to = from;
    return more;
}

static bool merge(struct state *to, const struct state *from) {
    bool more = false;
    for (unsigned k = 0; k < HAZARD_FIRSTS; k++)
        for (unsigned r = 0; r < PLACES; r++) more |= later(&to->when[k][r], from->when[k][r]);
    for (unsigned r = 0; r < 2 * VECTORS; r++) {
        more |= later(&to->trans[r], from->trans[r]);
        more |= later(&to->trans_source[r], from->trans_source[r]);
    }
    if (to->run != from->run) // the way that goes on with loads is the one to beware of
        more |= !to->run, to->run = to->run ? to->run : from->run;
    for (unsigned r = 0; r < PLACES; r++) more |= join(&to->run_reads[r], from->run_reads[r]);
    for (unsigned r = 0; r < SCALARS; r++) {
        more |= join(&to->vmem_read[r], from->vmem_read[r]);
        more |= join(&to->smem_read[r], from->smem_read[r]);
        more |= join(&to->read_by_valu[r], from->read_by_valu[r]);
        more |= join(&to->by_salu[r], from->by_salu[r]);
        more |= join(&to->by_valu[r], from->by_valu[r]);
    }
    more |= join(&to->saw_lds, from->saw_lds);
    more |= join(&to->saw_vmem, from->saw_vmem);
    more |= join(&to->lds_branch, from->lds_branch);
    more |= join(&to->vmem_branch, from->vmem_branch);
    return join(&to->after_wmma, from->after_wmma) || more;
}

static void nothing(struct state *s) {
    memset(s, 0, sizeof *s);
    for (unsigned k = 0; k < HAZARD_FIRSTS; k++)
        for (unsigned r = 0; r < PLACES; r++) s->when[k][r] = -LONG_AGO;
    for (unsigned r = 0; r < 2 * VECTORS; r++) s->trans[r] = s->trans_source[r] = -LONG_AGO;
}

static void flow(struct pass *p, uint32_t number) {
    const struct ir_block b = p->old.blocks.items[number];
    p->changed[number] = false;
    block(p, number);
    settle(&p->now);
    for (uint32_t e = 0; e < b.successor_count; e++) {
        const uint32_t to = p->f->edges.items[b.successors + e];
        if (!p->reached[to])
            p->at[to] = p->now, p->reached[to] = p->changed[to] = true;
        else
            p->changed[to] |= merge(&p->at[to], &p->now);
    }
}

void compiler_hazards(struct compiler *c) {
    struct pass p = {.c = c, .f = c->f, .wave64 = c->f->facts.wave == 64};
    const size_t blocks = c->f->blocks.count;
    isa_hazards(c->isa, &p.hazards);
    p.replays = p.hazards.events & LOADS_REPLAYED && has(c->processor, CAP_xnack) &&
                c->m->target.xnack != SW_SETTING_OFF;
    p.hazards.events &= HAZARD_EVENTS_OF_COMPILER & ~LOADS_REPLAYED;
    if (!ir_cfg(c->f)) compiler_no_memory(c);
    p.at = malloc((blocks + 1) * sizeof *p.at);
    p.reached = calloc(blocks + 1, 1);
    p.changed = calloc(blocks + 1, 1);
    if (!p.at || !p.reached || !p.changed) compiler_no_memory(c);
    ir_take(c->f, &p.old);
    for (size_t b = 0; b < blocks && !c->status; b++) nothing(&p.at[b]);
    if (!c->status && knows_calls(&p) && is_function(&p)) is_called(&p.at[0]);
    if (!c->status) p.reached[0] = p.changed[0] = true;
    for (bool changed = blocks > 1; changed && !c->status;) {
        changed = false;
        for (size_t n = 0; n < c->f->order.count; n++)
            if (p.changed[c->f->order.items[n]]) flow(&p, c->f->order.items[n]), changed = true;
    }
    p.writing = true;
    for (uint32_t b = 0; b < blocks && !c->status && !c->m->failed; b++) {
        ir_block_add(c->f);
        block(&p, b);
    }
    free(p.at);
    free(p.reached);
    free(p.changed);
    ir_old_free(&p.old);
}
