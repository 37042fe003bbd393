// SPDX-License-Identifier: MIT
// Traps, halts and messages, as manuals tell them. S_TRAP gives a trap handler its own address and its
// number: SIMM16[7:0] (Vega 12.5, opcode 18; RDNA3 16.5, opcode 16), from GFX12 on SIMM16[3:0] (RDNA4 16.5,
// opcode 16; CDNA5 3.4.10). The handler is the device: LLVM's AMDGPUUsage ("Trap Handler ABI") has 1 and 3
// wait for a debugger, and do nothing without one. S_RFE may be in trap handlers only (Vega 12.1 and 12.3,
// opcodes 43 and 31). S_SENDMSGHALT sends SIMM16[7:0] with M0 and halts (Vega 12.5, opcode 17), for which
// there is a debugger or nobody. S_SENDMSG_RTN answers (RDNA3 5.3 and 3.4.10; RDNA4 5.4; CDNA5 5.4).
#ifndef TESTS_PSEUDOCODE_TRAP_PAIRS_H
#define TESTS_PSEUDOCODE_TRAP_PAIRS_H

#include "control_pairs.h"

enum { TRAP_VGPRS = 8, TRAP_LANES = 64 };
struct trap_run {
    const sw_processor *p;
    unsigned steps, messages, size; // size: of the row's instruction
    uint64_t begin;
    sw_step step;
    struct trap_state {
        uint32_t s[ROW_SGPRS], v[TRAP_VGPRS][TRAP_LANES], m0, scc, mode;
        uint64_t exec, pc;
    } before, after;
    bool has_after;
    sw_message message;
};
static void trap_copy(const struct trap_run *r, const sw_step *step, struct trap_state *s) {
    const struct wave *w = step->state;
    for (unsigned n = 0; n < ROW_SGPRS; n++) s->s[n] = *sw_step_register(step, n);
    for (unsigned n = 0; n < TRAP_VGPRS; n++)
        memcpy(s->v[n], sw_step_register(step, 256 + n), 4 * (size_t)step->lanes);
    s->m0 = *sw_step_register(step, isa_of(r->p)->m0_register);
    s->exec = *sw_step_register(step, 126) | (uint64_t)*sw_step_register(step, 127) << 32;
    s->scc = *sw_step_scc(step), s->mode = w->mode;
}
static void trap_observe(void *context, const sw_step *step) {
    struct trap_run *r = context;
    if (r->steps++) {
        if (r->steps == 2) trap_copy(r, step, &r->after), r->after.pc = step->pc, r->has_after = true;
        return;
    }
    for (unsigned n = 0; n < ROW_SGPRS; n++) *sw_step_register(step, n) = row_random();
    for (unsigned n = 0; n < TRAP_VGPRS; n++)
        for (unsigned l = 0; l < step->lanes; l++) sw_step_register(step, 256 + n)[l] = row_random();
    *sw_step_register(step, isa_of(r->p)->m0_register) = row_random();
    *sw_step_scc(step) = row_random() & 1;
    r->step = *step, r->begin = step->pc;
    memset(&r->before, 0, sizeof r->before);
    trap_copy(r, step, &r->before);
}
// The wave is still there, as the instruction left it.
static void trap_faulted(void *context, const sw_fault_event *event) {
    struct trap_run *r = context;
    if (!r->steps) return; // refused before it ran
    trap_copy(r, &r->step, &r->after);
    r->after.pc = event->fault->pc, r->has_after = true;
}
static void trap_message(void *context, const sw_message *message) {
    struct trap_run *r = context;
    r->messages++, r->message = *message;
}
// The instruction and the end of the program. Returns the fault that stopped the wave, or none.
static sw_fault trap_run(struct trap_run *r, const struct insn *in, unsigned op, bool passes) {
    uint8_t bytes[INSN_MAX_BYTES];
    char text[4096], code[400], *at = code;
    struct rig rig;
    sw_fault fault = {.size = sizeof fault};
    r->size = insn_encode(isa_of(r->p), in, op, bytes);
    for (unsigned i = 0; i < r->size; i += 4)
        at += sprintf(at, ".long 0x%08x\n", *(const uint32_t *)(const void *)(bytes + i));
    strcpy(at, "s_nop 0\ns_endpgm\n");
    assert_true(rig_text(text, sizeof text, code,
                         has(r->p, CAP_unified_vgprs)
                             ? ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 80\n.amdhsa_accum_offset 8\n"
                             : ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 80\n"));
    const sw_device_hooks hooks = {.size = sizeof hooks,
                                   .context = r,
                                   .observe = trap_observe,
                                   .message = trap_message,
                                   .faulted = trap_faulted};
    const sw_device_options o = {.size = sizeof o, .threads = 1, .pass_breakpoints = passes, .hooks = &hooks};
    assert_true(rig_open_text(&rig, sw_processor_name(r->p), text, o));
    if (rig_run(&rig, NULL, 1, 1, &fault) == SW_OK) fault.kind = SW_FAULT_NONE;
    rig_close(&rig);
    return fault;
}
// The wave stopped at the instruction, which changed no register.
static bool trap_stopped(const struct trap_run *r, const sw_fault *fault, sw_fault_kind kind) {
    struct trap_state want = r->before;
    want.pc = r->begin;
    return fault->kind == kind && fault->pc == r->begin && r->steps == 1 && r->has_after &&
           !memcmp(&want, &r->after, sizeof want);
}
// The wave went on behind the instruction, which changed `count` scalar registers from `first` on at most.
static bool trap_went_on(const struct trap_run *r, const sw_fault *fault, unsigned first, unsigned count) {
    struct trap_state want = r->before;
    want.pc = r->begin + r->size;
    for (unsigned n = first; n < first + count; n++) want.s[n] = r->after.s[n];
    return !fault->kind && r->steps == 3 && r->has_after && !memcmp(&want, &r->after, sizeof want);
}
static struct insn trap_insn(const struct isa *isa, const struct coding *c) {
    return (struct insn){.row = &isa_rows[c->row], .format = isa->formats[c->format]};
}

static bool traps(const sw_processor *p, const struct isa *isa, const struct coding *c) {
    static const unsigned numbers[] = {1, 2, 3, 7, 0x11, 0x13, 0x42, 0xff, 0x103, 0xff01};
    const unsigned mask = generation_within(isa->generation, GFX12) ? 15 : 255;
    for (unsigned i = 0; i < 2 * (sizeof numbers / sizeof *numbers); i++) {
        struct trap_run r = {.p = p};
        struct insn in = trap_insn(isa, c);
        const unsigned simm = numbers[i / 2], number = simm & mask;
        const bool debugger = i & 1; // one that does not look
        in.f[F_simm16] = (int)simm;
        const sw_fault fault = trap_run(&r, &in, c->op, debugger);
        if (debugger && (number == 1 || number == 3)
                ? !trap_went_on(&r, &fault, 0, 0)
                : !trap_stopped(&r, &fault, SW_FAULT_TRAP) || fault.address != number)
            return false;
    }
    return true;
}
// Of a pair of registers, with an address where the wave could go on.
static bool returns_from_traps(const sw_processor *p, const struct isa *isa, const struct coding *c) {
    for (unsigned first = 8; first < 12; first += 2) {
        struct trap_run r = {.p = p};
        struct insn in = trap_insn(isa, c);
        in.f[F_ssrc0] = (int)first;
        if (insn_has(&in, F_ssrc1)) in.f[F_ssrc1] = 20;
        const sw_fault fault = trap_run(&r, &in, c->op, first & 2);
        if (!trap_stopped(&r, &fault, SW_FAULT_ILLEGAL)) return false;
    }
    return true;
}
static bool halts(const sw_processor *p, const struct isa *isa, const struct coding *c) {
    for (unsigned id = 1; id < 16; id++) {
        struct trap_run r = {.p = p};
        struct insn in = trap_insn(isa, c);
        in.f[F_simm16] = (int)id;
        const sw_fault fault = trap_run(&r, &in, c->op, id & 1);
        if (!trap_stopped(&r, &fault, SW_FAULT_UNSUPPORTED) || r.messages != 1 || r.message.id != id ||
            r.message.m0 != r.before.m0 || r.message.wave || r.message.group[0])
            return false;
    }
    return true;
}

// ---- Messages with an answer ----

enum answer { DOORBELL = 0x80, DDID, TMA, REALTIME = 0x83, SAVE_WAVE = 0x84, TBA = 0x85, SE_ID = 0x87 };
static uint64_t trap_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}
// Asks with the row. False: the wave does not go on behind it, or something else changes; or it goes on
// behind what only trap handlers may ask, or nobody.
// RDNA3 5.3, RDNA4 5.4 and CDNA5 5.4, their tables; CDNA5's leaves out DDID, which LLVM names there.
static bool has_answer(const struct isa *isa, unsigned id) {
    if (id == SE_ID) return generation_within(isa->generation, GFX12);
    return id == DOORBELL || id == DDID || id == TMA || id == REALTIME || id == TBA;
}
static bool answered(const sw_processor *p, const struct isa *isa, const struct coding *c, unsigned id,
                     uint64_t *answer) {
    struct trap_run r = {.p = p};
    struct insn in = trap_insn(isa, c);
    const bool wide = in.row->dst[0].type == T_B64;
    in.f[F_sdst] = 8, in.f[F_ssrc0] = (int)id;
    const sw_fault fault = trap_run(&r, &in, c->op, false);
    *answer = r.after.s[8] | (wide ? (uint64_t)r.after.s[9] << 32 : 0);
    if (!has_answer(isa, id))
        return fault.kind == SW_FAULT_UNSUPPORTED && fault.reason && !r.steps; // refused
    return trap_went_on(&r, &fault, 8, wide ? 2 : 1);
}
// Two readings of a clock of 100 MHz: as far apart as the times around them, counted in its units.
static bool tells_time(const sw_processor *p, const struct isa *isa, const struct coding *c) {
    const struct timespec a_while = {0, CLOCK_MS};
    const bool wide = isa_rows[c->row].dst[0].type == T_B64;
    uint64_t first, second, time[4];
    time[0] = trap_now();
    if (!answered(p, isa, c, REALTIME, &first)) return false;
    time[1] = trap_now();
    nanosleep(&a_while, NULL);
    time[2] = trap_now();
    if (!answered(p, isa, c, REALTIME, &second)) return false;
    time[3] = trap_now();
    const uint64_t apart = wide ? second - first : (uint32_t)(second - first);
    return apart + 1 >= (time[2] - time[1]) / 10 && apart <= (time[3] - time[0]) / 10 + 1;
}
// Bits 20:18 of HW_ID1 are the shader engine (RDNA3 3.4.8), as bits 3:0 of the answer; of many groups, which
// lie on more than one.
enum { ENGINE_GROUPS = 64, ENGINE_ANSWER = 8, ENGINE_REGISTER = 10 };
struct engine_run {
    uint64_t end;
    unsigned differ, groups, engines;
};
static void engine_observe(void *context, const sw_step *step) {
    struct engine_run *r = context;
    if (step->pc != step->kernel + r->end) return;
    const unsigned engine = *sw_step_register(step, ENGINE_REGISTER) >> 18 & 7;
    r->groups++, r->engines |= 1u << engine;
    r->differ += *sw_step_register(step, ENGINE_ANSWER) != engine;
}
static bool tells_engine(const sw_processor *p, const struct isa *isa, const struct coding *c) {
    struct engine_run r = {0};
    struct insn in = trap_insn(isa, c);
    uint8_t bytes[INSN_MAX_BYTES];
    char text[4096], code[400];
    struct rig rig;
    in.f[F_sdst] = ENGINE_ANSWER, in.f[F_ssrc0] = SE_ID;
    r.end = insn_encode(isa, &in, c->op, bytes) + 8;
    snprintf(code, sizeof code, ".long 0x%08x\ns_getreg_b32 s%u, hwreg(23)\ns_nop 0\ns_nop 0\ns_endpgm\n",
             *(const uint32_t *)(const void *)bytes, ENGINE_REGISTER);
    assert_true(rig_text(text, sizeof text, code, ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 80\n"));
    const sw_device_hooks hooks = {.size = sizeof hooks, .context = &r, .observe = engine_observe};
    assert_true(rig_open_watched(&rig, sw_processor_name(p), text, &hooks));
    assert_int_equal(rig_run(&rig, NULL, ENGINE_GROUPS, 1, NULL), SW_OK);
    rig_close(&rig);
    return r.groups == ENGINE_GROUPS && r.engines & (r.engines - 1) && !r.differ;
}
static bool answers(const sw_processor *p, const struct isa *isa, const struct coding *c) {
    uint64_t v;
    const bool engines = generation_within(isa->generation, GFX12);
    if (!tells_time(p, isa, c) || (engines && !tells_engine(p, isa, c))) return false;
    if (!answered(p, isa, c, DOORBELL, &v)) return false;
    // No trap handler is there: bit 63 of its address would say so (RDNA3 3.2, table of state).
    if (!answered(p, isa, c, TMA, &v) || v || !answered(p, isa, c, TBA, &v) || v) return false;
    // For context switches only, and numbers that no manual has: nothing is made up for these.
    static const unsigned others[] = {0,    3,    0x7f, DDID, SAVE_WAVE, 0x86, SE_ID,
                                      0x88, 0x89, 0x98, 0xc3, 0xfe,      0xff};
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        if (!answered(p, isa, c, others[i], &v)) return false;
    return true;
}

// Waves are not launched in the mode in which S_ALLOC_VGPR is more than nothing (RDNA4 3.3.3).
static bool allocates_nothing(const sw_processor *p, const struct isa *isa, const struct coding *c) {
    static const int sources[] = {8, 128, 128 + 32, 193};
    for (unsigned i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct trap_run r = {.p = p};
        struct insn in = trap_insn(isa, c);
        in.f[F_ssrc0] = sources[i];
        const sw_fault fault = trap_run(&r, &in, c->op, false);
        if (!trap_went_on(&r, &fault, 0, 0)) return false;
    }
    return true;
}

static unsigned traps_of(const sw_processor *p, const struct isa *isa, bool *seen) {
    static const struct {
        const char *row;
        bool (*holds)(const sw_processor *p, const struct isa *isa, const struct coding *c);
    } kinds[] = {{"s_trap", traps},
                 {"s_rfe", returns_from_traps},
                 {"s_sendmsghalt", halts},
                 {"s_sendmsg_rtn", answers},
                 {"s_alloc_vgpr", allocates_nothing}};
    unsigned failures = 0;
    for (unsigned row = 0; row < isa_row_count; row++)
        for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            if (!has_row(isa, row) || !begins(&isa_rows[row], kinds[k].row)) continue;
            seen[row] = true;
            if (kinds[k].holds(p, isa, &isa->codings[isa->row_codings[row]])) continue;
            print_error("%s: %s is not what the manuals say\n", sw_processor_name(p), row_id(&isa_rows[row]));
            failures++;
        }
    return failures;
}

#endif
