// SPDX-License-Identifier: MIT
// Of the assembly text what calls and frames alone have.
#include "compiler/frame.h"
#include "isa/counters.h"
#include "isa/hazards.h"

static const char *name(const struct compiler *c, const char *id) {
    const struct row *row = compiler_named_row(c, id);
    return row ? isa_row_name(c->isa, row) : id;
}
static bool has_buffer(const struct compiler *c) { return c->f->facts.stack_buffer; }

// Bytes of a lane as the stack's registers count them: buffers count for all lanes.
static uint32_t counted(const struct compiler *c, uint32_t bytes) {
    return has_buffer(c) ? bytes * c->f->facts.wave : bytes;
}

// ---- Kernels ----

void compiler_put_kernel_stack(struct compiler *c) {
    const struct ir_facts *facts = &c->f->facts;
    struct text *t = c->assembly;
    if (facts->stack_buffer && !c->f->is_kernel) compiler_put_shader_stack(c);
    if (facts->stack_buffer) // the wave's part begins where the descriptor says, plus an offset
        text_printf(t, "\t%s s0, s0, s%u\n\t%s s1, s1, 0\n", name(c, "s_add_co_u32"), facts->stack_offset - 1,
                    name(c, "s_add_co_ci_u32"));
    // Accesses that fault are issued once more, by themselves.
    if (has(c->processor, CAP_replay_mode))
        text_puts(t, "\ts_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1\n");
    if (facts->calls)
        text_printf(t, "\ts_mov_b32 s%u, 0x%x\n", CONVENTION_STACK_TOP, counted(c, facts->frame));
}

// ---- Calls ----

void compiler_put_table_load(struct compiler *c, const char *registers) {
    text_printf(c->assembly, "\t%s %s, %s, 0x0\n\t%s\n", name(c, "s_load_b64"), registers, registers,
                isa_counters(c->isa)->split ? "s_wait_kmcnt 0x0" : "s_waitcnt lgkmcnt(0)");
}

unsigned compiler_put_settled(struct compiler *c, const struct ir_inst *i) {
    if (!(i->modifiers & IR_SETTLES)) return 0;
    text_printf(c->assembly, "\t%s 0xfffe\n", name(c, "s_wait_alu"));
    return 4;
}

// The address is the distance from the instruction behind s_getpc: to the function, or to where the linker
// writes its address.
static void put_callee(struct compiler *c, const struct ir_inst *i) {
    struct text *t = c->assembly;
    const ir_ref callee = ir_operand(c->f, i, 0);
    if (ir_is(callee, IR_SYMBOL)) {
        const struct ir_symbol *s = &c->m->symbols.items[ir_index(callee)];
        const bool near = compiler_is_near(s);
        const char *way = near ? "rel32" : "gotpcrel32";
        if (!compiler_is_plain_name(s->name)) compiler_refuse(c, i, "a call of a function of this name");
        text_printf(t, "\t%s vcc\n", name(c, "s_getpc_b64"));
        const unsigned more = compiler_put_settled(c, i);
        text_printf(t, "\t%s vcc_lo, vcc_lo, %s@%s@lo+%u\n", name(c, "s_add_co_u32"), s->name, way, 4 + more);
        text_printf(t, "\t%s vcc_hi, vcc_hi, %s@%s@hi+%u\n", name(c, "s_add_co_ci_u32"), s->name, way,
                    12 + more);
        if (!near) compiler_put_table_load(c, "vcc");
    }
    c->f->facts.uses_vcc = 1;
}

void compiler_put_call(struct compiler *c, const struct ir_inst *i) {
    put_callee(c, i);
    text_printf(c->assembly, "\t%s s[%u:%u], vcc\n", name(c, "s_swappc_b64"), CONVENTION_RETURN,
                CONVENTION_RETURN + 1);
}

void compiler_put_jump(struct compiler *c, const struct ir_inst *i) {
    const bool wide = c->f->facts.wave == 64;
    put_callee(c, i);
    if (i->op == OP_p_chain && wide)
        text_printf(c->assembly, "\t%s exec, s[%u:%u]\n", name(c, "s_mov_b64"), CONVENTION_CHAIN_LANES,
                    CONVENTION_CHAIN_LANES + 1);
    else if (i->op == OP_p_chain)
        text_printf(c->assembly, "\t%s exec_lo, s%u\n", name(c, "s_mov_b32"), CONVENTION_CHAIN_LANES);
    text_printf(c->assembly, "\t%s vcc\n", name(c, "s_setpc_b64"));
}

void compiler_put_return(struct compiler *c) {
    if (ir_is_entry(c->f)) return; // what comes behind the shader goes on
    text_printf(c->assembly, "\t%s s[%u:%u]\n", name(c, "s_setpc_b64"), CONVENTION_RETURN,
                CONVENTION_RETURN + 1);
}

// ---- Frames ----

static void access(struct compiler *c, bool store, unsigned vgpr, unsigned base, int32_t at) {
    const char *id = has_buffer(c) ? (store ? "buffer_store_b32" : "buffer_load_b32")
                                   : (store ? "scratch_store_b32" : "scratch_load_b32");
    const struct ir_memory m = {.space = IR_PRIVATE, .bytes = 4, .align_log2 = 2};
    struct text *t = c->assembly;
    if ((uint32_t)at > compiler_greatest_offset(c, &m)) {
        text_printf(t, "\t%s s%u, s%u, 0x%x\n", name(c, "s_add_co_u32"), FRAME_FAR, base,
                    counted(c, (uint32_t)at));
        base = FRAME_FAR;
        at = 0;
    }
    text_printf(t, "\t%s ", name(c, id));
    if (has_buffer(c))
        text_printf(t, "v%u, off, s[0:3], s%u", vgpr, base);
    else if (store)
        text_printf(t, "off, v%u, s%u", vgpr, base);
    else
        text_printf(t, "v%u, off, s%u", vgpr, base);
    if (at) text_printf(t, " offset:%d", at);
    text_puts(t, "\n");
}

static void put_exec(struct compiler *c, const char *to, const char *from) {
    const bool wide = c->f->facts.wave == 64;
    const char *half = wide ? "" : "_lo";
    text_printf(c->assembly, "\t%s %s%s, %s%s\n", name(c, wide ? "s_mov_b64" : "s_mov_b32"), to, half, from,
                strcmp(from, "-1") ? half : "");
}

// Lanes of registers that are kept: those that execute, all, the others alone.
enum kept { KEPT_OWN, KEPT_ALL, KEPT_OTHERS };
static enum kept kept_of(int32_t place) {
    return place >= 0 ? KEPT_OWN : (-1 - place) & FRAME_OTHERS ? KEPT_OTHERS : KEPT_ALL;
}

// Where accesses may be issued once more, they still need EXEC and where the stack is.
static void put_translated(struct compiler *c) {
    const struct counters *k = isa_counters(c->isa);
    if (k->most[COUNTER_X]) text_printf(c->assembly, "\t%s 0x0\n", k->wait[COUNTER_X]);
}

// Saves or restores registers of which these lanes are kept. Others that do not execute are saved with all.
static void put_registers(struct compiler *c, const struct ir_inst *i, bool store, enum kept lanes,
                          unsigned base) {
    const bool whole = lanes != KEPT_OWN, wide = c->f->facts.wave == 64;
    bool any = false;
    for (unsigned n = 1; n + 1 < i->operands; n += 2) {
        const uint32_t kept_register = ir_index(ir_operand(c->f, i, n));
        const unsigned vgpr = ir_register_first(kept_register);
        const int32_t at = ir_number(ir_operand(c->f, i, n + 1));
        const enum kept kept = store && kept_of(at) == KEPT_OTHERS ? KEPT_ALL : kept_of(at);
        if (kept != lanes || ir_register_class_of(kept_register) == IR_AGPR) continue;
        if (whole && !any) put_exec(c, "vcc", "exec");
        if (whole && !any) compiler_put_settled(c, i);
        if (lanes == KEPT_ALL && !any) put_exec(c, "exec", "-1");
        if (lanes == KEPT_OTHERS && !any)
            text_printf(c->assembly, wide ? "\t%s exec, exec\n" : "\t%s exec_lo, exec_lo\n",
                        name(c, wide ? "s_not_b64" : "s_not_b32"));
        any = true;
        access(c, store, vgpr, base, at < 0 ? (-1 - at) & (FRAME_OTHERS - 1) : at);
    }
    if (any) put_translated(c);
    if (whole && any) {
        put_exec(c, "exec", "vcc");
        c->f->facts.uses_vcc = 1;
    }
    // Stores of the oldest processors read their data late.
    if (any && store && isa_counters(c->isa)->store_data) text_puts(c->assembly, "\ts_waitcnt expcnt(0)\n");
}

// Scalar registers whose values stand in lanes of the vector registers from `first` on are brought there, or
// back.
static void put_lanes(struct compiler *c, unsigned first, bool store) {
    static const unsigned always[FRAME_LANES] = {CONVENTION_RETURN, CONVENTION_RETURN + 1, CONVENTION_FRAME};
    struct convention_set changed = convention_changes(c);
    const unsigned count = FRAME_LANES + convention_count(&changed), wave = c->f->facts.wave;
    for (unsigned n = 0; n < count; n++) {
        const unsigned kept = n < FRAME_LANES ? always[n] : convention_take_first(&changed);
        if (store)
            text_printf(c->assembly, "\t%s v%u, s%u, %u\n", name(c, "v_writelane_b32"), first + n / wave,
                        kept, n % wave);
        else
            text_printf(c->assembly, "\t%s s%u, v%u, %u\n", name(c, "v_readlane_b32"), kept, first + n / wave,
                        n % wave);
    }
}

// Accumulation registers go by way of a vector register that holds nothing yet, or no more. They, and what is
// moved between them, take their time.
static void put_accs(struct compiler *c, const struct ir_inst *i, bool store) {
    const unsigned by = FRAME_ACC_BY;
    struct text *t = c->assembly;
    bool any = false;
    for (unsigned n = 1; n + 1 < i->operands; n += 2) {
        const uint32_t acc = ir_index(ir_operand(c->f, i, n));
        const int32_t at = ir_number(ir_operand(c->f, i, n + 1));
        if (ir_register_class_of(acc) != IR_AGPR) continue;
        if (!any && store) text_puts(t, "\ts_nop 15\n\ts_nop 3\n");
        any = true;
        if (store) text_printf(t, "\tv_accvgpr_read_b32 v%u, a%u\n\ts_nop 1\n", by, ir_register_first(acc));
        access(c, store, by, CONVENTION_STACK_TOP, at);
        if (!store)
            text_printf(t, "\ts_waitcnt vmcnt(0)\n\tv_accvgpr_write_b32 a%u, v%u\n", ir_register_first(acc),
                        by);
    }
    if (any && !store) text_puts(t, "\ts_nop 3\n");
}

void compiler_put_enter(struct compiler *c, const struct ir_inst *i) {
    struct text *t = c->assembly;
    const ir_ref lanes = ir_operand(c->f, i, 0);
    put_registers(c, i, true, KEPT_ALL, CONVENTION_STACK_TOP);
    put_registers(c, i, true, KEPT_OWN, CONVENTION_STACK_TOP);
    put_accs(c, i, true);
    if (ir_is(lanes, IR_NONE)) return;
    put_lanes(c, ir_register_first(ir_index(lanes)), true);
    text_printf(t, "\ts_mov_b32 s%u, s%u\n", CONVENTION_FRAME, CONVENTION_STACK_TOP);
    text_printf(t, "\t%s s%u, s%u, 0x%x\n", name(c, "s_add_co_u32"), CONVENTION_STACK_TOP,
                CONVENTION_STACK_TOP, counted(c, c->f->facts.frame));
}

void compiler_put_leave(struct compiler *c, const struct ir_inst *i) {
    struct text *t = c->assembly;
    const ir_ref lanes = ir_operand(c->f, i, 0);
    if (!ir_is(lanes, IR_NONE))
        text_printf(t, "\ts_mov_b32 s%u, s%u\n", CONVENTION_STACK_TOP, CONVENTION_FRAME);
    if (!ir_is(lanes, IR_NONE)) put_lanes(c, ir_register_first(ir_index(lanes)), false);
    const unsigned late = SCALAR_READ_THEN_WRITTEN | MASK_READ_THEN_WRITTEN;
    struct hazards hazards;
    isa_hazards(c->isa, &hazards);
    // What the vector unit wrote into scalar registers is read by the scalar one next.
    if (!ir_is(lanes, IR_NONE) && hazards.events & late && !c->f->facts.no_hazard_waits)
        text_printf(t, "\t%s 0xf1ff\n", name(c, "s_wait_alu"));
    put_accs(c, i, false);
    put_registers(c, i, false, KEPT_OWN, CONVENTION_STACK_TOP);
    put_registers(c, i, false, KEPT_ALL, CONVENTION_STACK_TOP);
    put_registers(c, i, false, KEPT_OTHERS, CONVENTION_STACK_TOP);
}
