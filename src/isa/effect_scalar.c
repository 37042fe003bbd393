// SPDX-License-Identifier: MIT
// What scalar instructions touch, but those of memory, and where they lead.
#include "isa/effect_maker.h"
#include "isa/kinds.h"
#include "isa/names.h"

static const char *hwreg_name(const struct effect_maker *m) {
    const char *name = isa_name(m->isa, NAME_HWREG, (unsigned)m->in->f[F_simm16] & 63);
    return name ? name : "";
}
static bool ends_with(const char *text, const char *end) {
    const size_t n = strlen(text), k = strlen(end);
    return n >= k && !strcmp(text + n - k, end);
}

// GFX12 has a mode of scheduling, too.
static bool is_mode(const char *name) { return ends_with(name, "_MODE") && !ends_with(name, "_SCHED_MODE"); }

static void get_hwreg(struct effect_maker *m) {
    const char *name = hwreg_name(m);
    struct effect *e = m->e;
    if (is_mode(name))
        e->reads |= STATE_MODE;
    else if (ends_with(name, "_TRAPSTS") || ends_with(name, "EXCP_FLAG_USER"))
        e->reads |= STATE_FLAGS;
    else if (ends_with(name, "_STATE_PRIV")) // barriers, too
        e->reads |= STATE_SCC | STATE_OTHER;
    else if (ends_with(name, "_STATUS")) {
        e->reads |= STATE_SCC;
        effect_put_vcc(m, 0);
        effect_put_exec(m, effect_mask_dwords(m), 0);
    } else if (ends_with(name, "FLAT_SCR_LO") || ends_with(name, "FLAT_SCR_HI") ||
               ends_with(name, "SCRATCH_BASE_LO") || ends_with(name, "SCRATCH_BASE_HI"))
        e->reads |= STATE_SCRATCH;
    else if (ends_with(name, "SHADER_CYCLES") || ends_with(name, "SHADER_CYCLES_LO") ||
             ends_with(name, "SHADER_CYCLES_HI"))
        e->reads |= STATE_CLOCK;
    else
        e->reads |= STATE_OTHER;
}

static void set_hwreg(struct effect_maker *m) {
    const char *name = hwreg_name(m);
    unsigned state = 0;
    if (is_mode(name)) state = STATE_MODE;
    if (ends_with(name, "_TRAPSTS") || ends_with(name, "EXCP_FLAG_USER")) state = STATE_FLAGS;
    if (ends_with(name, "FLAT_SCR_LO") || ends_with(name, "FLAT_SCR_HI")) state = STATE_SCRATCH;
    m->e->writes |= (uint16_t)state;
    m->e->reads |= (uint16_t)state; // the other bits of it stay
}

static void scalar_source(struct effect_maker *m, unsigned i) {
    const struct operand_spec spec = m->row->src[i];
    if (spec.field == F_simm16 || spec.type == T_LABEL) return;
    if (spec.type == T_SENDMSG || spec.type == T_GPR_IDX) return;
    if (m->kind == KIND_LOOP_BEGIN || m->kind == KIND_ILLEGAL) return;
    const struct operand o = insn_operand(m->isa, m->in, spec, m->c->wave32);
    if (o.type == T_NO_OPERAND) return;
    const bool relative = m->kind == KIND_RELATIVE_SOURCE || m->kind == KIND_RELATIVE_BOTH;
    if (relative)
        effect_put(m, BANK_SCALAR, 0, RELATIVE_SCALARS, WHOLE, EFFECT_RELATIVE);
    else
        effect_put_code(m, o.code, o.dwords ? o.dwords : 1, WHOLE, 0);
}

// Registers that results go to although the row has no destination.
static void hidden_results(struct effect_maker *m) {
    enum { FORK_STACK = 32 }; // four for each of eight forks, of which MODE has the number
    const bool forks = m->kind == KIND_FORK;
    if (m->kind == KIND_LOOP_BEGIN || m->kind == KIND_LOOP_END) {
        const struct operand o = insn_operand(m->isa, m->in, m->row->src[0], m->c->wave32);
        effect_put_scalars(m, o.code, 1, EFFECT_WRITES | (m->kind == KIND_LOOP_BEGIN ? EFFECT_MAY : 0u));
    } else if (forks || m->kind == KIND_JOIN)
        effect_put(m, BANK_SCALAR, 0, FORK_STACK, WHOLE,
                   EFFECT_RELATIVE | (forks ? EFFECT_WRITES | EFFECT_MAY : 0u));
}

void effect_scalar_result(struct effect_maker *m) {
    if (!m->row->dst[0].type) return;
    const struct operand o = insn_operand(m->isa, m->in, m->row->dst[0], m->c->wave32);
    const bool relative = m->kind == KIND_RELATIVE_TARGET || m->kind == KIND_RELATIVE_BOTH;
    const bool partly = m->kind == KIND_IF_SCC || m->kind == KIND_SET_BIT;
    if (m->kind == KIND_ACCUMULATE) effect_put_scalars(m, o.code, o.dwords, 0);
    if (relative)
        effect_put(m, BANK_SCALAR, 0, RELATIVE_SCALARS, WHOLE, EFFECT_WRITES | EFFECT_MAY | EFFECT_RELATIVE);
    else
        effect_put_scalars(m, o.code, o.dwords, EFFECT_WRITES | (partly ? EFFECT_MAY : 0u));
}

// Nothing is left to do where the result goes to a TTMP and SCC is not written with it.
static bool is_without_effect(const struct effect_maker *m) {
    const struct row *row = m->row;
    if (!row->dst[0].type || row->writes != R_SCC || !has(m->c->processor, CAP_ttmp_write_keeps_scc))
        return false;
    const unsigned code = insn_operand(m->isa, m->in, row->dst[0], m->c->wave32).code;
    return code >= FIRST_TTMP && code < TTMPS_END;
}

// The barrier of the work-group is number -1, which is part of the instruction. M0 has numbers of others.
static bool signals_group(const struct effect_maker *m) {
    enum { MINUS_ONE = 193 };
    return insn_operand(m->isa, m->in, m->row->src[0], m->c->wave32).code == MINUS_ONE;
}

static unsigned scalar_control(const struct effect_maker *m) {
    const uint64_t flags = m->row->flags;
    const int32_t simm = m->in->f[F_simm16];
    switch (m->kind) {
    case KIND_ILLEGAL: return CONTROL_TRAP;
    case KIND_JUMP: return CONTROL_REGISTER | CONTROL_YIELD | (m->row->dst[0].type ? CONTROL_CALL : 0u);
    case KIND_END: return CONTROL_END;
    case KIND_KILL: return simm & 1 ? CONTROL_END : CONTROL_NEXT;
    case KIND_BARRIER:
        return CONTROL_NEXT | CONTROL_BARRIER | CONTROL_YIELD | CONTROL_ARRIVES | CONTROL_WAITS;
    case KIND_BARRIER_SIGNAL:
        return CONTROL_NEXT | CONTROL_BARRIER | (signals_group(m) ? CONTROL_ARRIVES : 0u);
    case KIND_BARRIER_WAIT:
        return CONTROL_NEXT | CONTROL_BARRIER | CONTROL_YIELD | ((int16_t)simm == -1 ? CONTROL_WAITS : 0u);
    case KIND_BARRIER_OTHER: return CONTROL_NEXT | CONTROL_BARRIER;
    case KIND_SLEEP: return CONTROL_NEXT | CONTROL_YIELD;
    case KIND_MESSAGE:
    case KIND_MESSAGE_RETURN: return CONTROL_NEXT | CONTROL_MESSAGE;

    case KIND_HALT: return simm & 5 ? CONTROL_TRAP : CONTROL_NEXT;
    case KIND_SEND_HALT: return CONTROL_TRAP | CONTROL_MESSAGE;
    case KIND_JOIN: return CONTROL_NEXT | CONTROL_REGISTER | CONTROL_YIELD;
    case KIND_FORK:
        return CONTROL_NEXT | CONTROL_YIELD |
               (m->row->src[1].type == T_LABEL ? CONTROL_TARGET : CONTROL_REGISTER);
    case KIND_TRAP: return CONTROL_NEXT | CONTROL_TRAP;
    default: break;
    }
    if (m->kind == KIND_NOTHING) return CONTROL_NEXT; // debug branches, never taken
    if (flags & ROW_CALL) return CONTROL_TARGET | CONTROL_CALL | CONTROL_YIELD;
    if (!(flags & ROW_BRANCH)) return CONTROL_NEXT;
    return CONTROL_TARGET | (flags & ROW_NO_FALL_THROUGH ? 0u : CONTROL_NEXT) |
           ((int16_t)simm < 0 ? CONTROL_YIELD : 0u);
}

void effect_scalar_insn(struct effect_maker *m) {
    const struct row *row = m->row;
    struct effect *e = m->e;
    e->control = (uint16_t)scalar_control(m);
    e->unit = m->in->format->id == FMT_SOPP || e->control & (CONTROL_TARGET | CONTROL_REGISTER) ? UNIT_BRANCH
                                                                                                : UNIT_SALU;
    if (m->kind == KIND_NOTHING && m->in->format->id == FMT_SOPP) e->unit = UNIT_NONE;
    if (e->control & CONTROL_TARGET) e->target = 4 + 4 * (int32_t)(int16_t)m->in->f[F_simm16];
    if (is_without_effect(m)) return;
    for (unsigned i = 0; i < ROW_SRC && row->src[i].type; i++) scalar_source(m, i);
    const bool halves = m->kind == KIND_LOOP_BEGIN || m->kind == KIND_LOOP_END;
    const unsigned exec_dwords = halves                        ? 2
                                 : e->control & CONTROL_TARGET ? effect_mask_dwords(m)
                                 : row->dst[0].type            ? operand_dwords[row->dst[0].type]
                                                               : 2;
    if (row->reads & R_VCC) effect_put_vcc(m, 0);
    if (row->reads & R_EXEC && m->kind != KIND_MESSAGE && m->kind != KIND_SEND_HALT)
        effect_put_exec(m, exec_dwords, 0);
    if (row->reads & R_M0 && !(row->flags & ROW_BARRIER)) effect_put_m0(m, 0);
    effect_scalar_result(m);
    hidden_results(m);
    if (row->writes & R_VCC) effect_put_vcc(m, EFFECT_WRITES);
    if (m->kind == KIND_LOOP_BEGIN)
        effect_put_scalars(m, SRC_EXEC_HI, 1, EFFECT_WRITES);
    else if (row->writes & R_EXEC)
        effect_put_exec(m, exec_dwords, EFFECT_WRITES);
    if (row->writes & R_M0) effect_put_m0(m, EFFECT_WRITES | EFFECT_MAY);
    if (row->reads & R_SCC) e->reads |= STATE_SCC;
    if (row->writes & R_SCC && m->kind != KIND_NOTHING) e->writes |= STATE_SCC;
    if (row->writes & R_SCC && m->kind == KIND_BARRIER_OTHER) e->reads |= STATE_SCC; // where it is ignored
    switch (m->kind) {
    case KIND_GET_HWREG: get_hwreg(m); return;
    case KIND_SET_HWREG: set_hwreg(m); return;
    case KIND_SET_MODE:
        e->reads |= STATE_MODE;
        e->writes |= STATE_MODE;
        return;
    case KIND_FORK:
    case KIND_JOIN:
        e->reads |= STATE_MODE | (m->kind == KIND_FORK ? STATE_PC : 0u);
        e->writes |= STATE_MODE;
        return;
    case KIND_JUMP:
        if (row->dst[0].type) e->reads |= STATE_PC;
        return;
    case KIND_GET_PC: e->reads |= STATE_PC; return;
    case KIND_CLOCK: e->reads |= STATE_CLOCK; return;
    case KIND_MESSAGE_RETURN:
    case KIND_BARRIER_STATE: e->reads |= STATE_OTHER; return;
    default: break;
    }
    if (row->flags & ROW_CALL) e->reads |= STATE_PC;
    if (row->reads & R_MODE || m->kind == KIND_ROUNDS) e->reads |= STATE_MODE;
}
