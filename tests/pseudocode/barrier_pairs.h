// SPDX-License-Identifier: MIT
// Barriers by number, against the pseudo-code of RDNA4 (16.3, opcodes 78 to 80) and CDNA5 (15.3, opcodes 78
// to 82, and 15.5, opcode 21), run here as a model of a work-group: in each phase one of its waves executes
// random instructions, and all meet at barrier -1 behind them. Also S_SET_VGPR_MSB (CDNA5 3.3.2.3) and the
// number of a wave (LLVM's intrinsic s.get.waveid.in.workgroup).
#ifndef TESTS_PSEUDOCODE_BARRIER_PAIRS_H
#define TESTS_PSEUDOCODE_BARRIER_PAIRS_H

#include "trap_pairs.h"

enum {
    BAR_WAVES = 4,
    BAR_PHASES = 24,
    BAR_OPS = 5, // of a phase
    BAR_MOST = BAR_PHASES * (BAR_OPS + 2),
    BAR_NAMED = 8,
    BAR_RESULT = 8, // s8
    BAR_BEFORE = 0x4000,
    BAR_BEHIND = 0x5000,
    BAR_MEET = 0x6000
};
enum bar_scc { SCC_STAYS, SCC_ZERO, SCC_ONE, SCC_FIRST };
struct bar_want {
    enum bar_scc scc;
    bool state;
    uint32_t value, mask; // of the state
    unsigned phase;
};
struct bar_run {
    bool named, group; // the processor's barriers; more than one wave
    struct bar_want want[BAR_MOST];
    unsigned count, failures;
    unsigned first[BAR_PHASES]; // signals so far
    uint32_t scc, result;
    // The model.
    unsigned members[BAR_NAMED + 1], signals[BAR_NAMED + 1], joined[BAR_WAVES];
    bool complete[BAR_WAVES]; // a barrier that the wave had joined, since it waited last
};

// ---- The model ----

static bool bar_exists(const struct bar_run *r, int number) {
    return r->named && r->group && number >= 1 && number <= BAR_NAMED;
}
static void bar_complete(struct bar_run *r, int number) {
    if (!r->signals[number] || r->signals[number] != r->members[number]) return;
    r->signals[number] = 0;
    for (unsigned w = 0; w < BAR_WAVES; w++) r->complete[w] |= r->joined[w] == (unsigned)number;
}
// `count`: of M0, 0 where there is none.
static void bar_signal(struct bar_run *r, int number, unsigned count, bool is_first, struct bar_want *w) {
    // Without named barriers what is not done clears SCC, with them it leaves SCC as it is.
    w->scc = is_first && !r->named ? SCC_ZERO : SCC_STAYS;
    if (!bar_exists(r, number)) return;
    if (count) r->members[number] = count;
    if (is_first) w->scc = r->signals[number] ? SCC_ZERO : SCC_ONE;
    r->signals[number]++;
    bar_complete(r, number);
}
static void bar_leave(struct bar_run *r, unsigned wave, struct bar_want *w) {
    const unsigned number = r->joined[wave];
    w->scc = !r->group ? SCC_ZERO : SCC_ONE; // who is a member of none: 5.6.5.4, other than the pseudo-code
    if (!number) return;
    r->joined[wave] = 0;
    r->members[number]--;
    w->scc = r->members[number] ? SCC_ZERO : SCC_ONE;
    bar_complete(r, (int)number);
}
static uint32_t bar_state(const struct bar_run *r, int number, uint32_t *mask) {
    const uint32_t named = r->named && r->group ? BAR_NAMED / 4u << 24 : 0;
    *mask = number == -1 ? ~(127u << 16) : ~0u; // how many others have come is open
    if (number == -1) return named | BAR_WAVES << 4 | 1;
    return named | (bar_exists(r, number) ? r->signals[number] << 16 | r->members[number] << 4 | 1 : 0);
}

// ---- Programs ----

static char *bar_text(char *t, struct bar_run *r, unsigned phase, const struct bar_want *w,
                      const char *insn) {
    const unsigned n = r->count++;
    r->want[n] = *w, r->want[n].phase = phase;
    return t + sprintf(t, "s_nop 0x%x\n%s\ns_nop 0x%x\n", BAR_BEFORE + n, insn, BAR_BEHIND + n);
}
// One instruction of the wave: its text, and what the model says of it.
static char *bar_random(char *t, struct bar_run *r, unsigned phase, unsigned wave) {
    static const int others[] = {0, 1, 2, 3, 8, 5, 0, -2};
    struct bar_want w = {.scc = SCC_STAYS};
    char operand[16], insn[64];
    const unsigned kind = r->named ? row_random() % 6 : row_random() % 2 * 3;
    int number = r->named ? others[row_random() % 8] : (int[]){0, -2}[row_random() % 2];
    unsigned count = 0;
    snprintf(operand, sizeof operand, "%d", number);
    if (r->named && kind < 5 && number >= 0 && row_random() % 2) {
        if (number == 5) number = 13; // none of the group's
        count = row_random() % 6;
        if (number <= BAR_NAMED && count && count <= r->signals[number] + 1 && kind != 1) count = 0;
        t +=
            sprintf(t, "s_mov_b32 m0, 0x%x\n", (unsigned)number | count << 16 | (row_random() & 0xff8) << 21);
        strcpy(operand, "m0");
    }
    // The members must be more than the signals.
    const bool due = bar_exists(r, number) && !count && !r->members[number];
    if ((kind == 0 || kind == 2) && due) return t;
    switch (kind) {
    case 0: // every signal that is the first or not
        bar_signal(r, number, count, true, &w);
        snprintf(insn, sizeof insn, "s_barrier_signal_isfirst %s", operand);
        break;
    case 1:
        if (number < 0) return t;
        if (bar_exists(r, number)) {
            if (count) r->members[number] = count;
            r->signals[number] = 0;
        }
        snprintf(insn, sizeof insn, "s_barrier_init %s", operand);
        break;
    case 2:
        bar_signal(r, number, count, false, &w);
        snprintf(insn, sizeof insn, "s_barrier_signal %s", operand);
        break;
    case 3:
        if (number < 0 || (!r->named && number == 0)) number = -1, strcpy(operand, "-1");
        if (!r->group) return t; // no state is told of what is none
        w.state = true, w.value = bar_state(r, number, &w.mask);
        snprintf(insn, sizeof insn, "s_get_barrier_state s%d, %s", BAR_RESULT, operand);
        break;
    case 4:
        if (number < 0) return t;
        if (bar_exists(r, number) || (r->group && !number)) r->joined[wave] = (unsigned)number;
        snprintf(insn, sizeof insn, "s_barrier_join %s", operand);
        break;
    default:
        if (r->joined[wave] && r->members[r->joined[wave]] <= r->signals[r->joined[wave]] + 1 &&
            r->signals[r->joined[wave]])
            return t;
        if (r->joined[wave] && !r->members[r->joined[wave]]) return t;
        bar_leave(r, wave, &w);
        strcpy(insn, "s_barrier_leave");
    }
    return bar_text(t, r, phase, &w, insn);
}
static char *bar_program(struct bar_run *r, unsigned waves) {
    static char text[1 << 17];
    char *t = text + sprintf(text, "s_bfe_u32 s2, ttmp8, 0x50019\n");
    for (unsigned phase = 0; phase < BAR_PHASES; phase++) {
        const unsigned wave = row_random() % waves;
        t += sprintf(t, "s_cmp_eq_u32 s2, %u\ns_cbranch_scc0 skip%u\n", wave, phase);
        for (unsigned i = 0; i < BAR_OPS; i++) t = bar_random(t, r, phase, wave);
        t += sprintf(t, "skip%u:\n", phase);
        struct bar_want w = {.scc = r->group ? SCC_FIRST : r->named ? SCC_STAYS : SCC_ZERO};
        t = bar_text(t, r, phase, &w, "s_barrier_signal_isfirst -1");
        t += sprintf(t, "s_barrier_wait -1\ns_nop 0x%x\n", BAR_MEET + phase);
    }
    if (r->named && r->group) { // all join one barrier and meet there
        t += sprintf(t, "s_mov_b32 m0, 0x%x\ns_barrier_init m0\ns_barrier_join 4\n", BAR_WAVES << 16 | 4);
        t += sprintf(t, "s_barrier_signal -1\ns_barrier_wait -1\n");
        // What completed before lets a wave pass once, whichever barrier it is a member of by then.
        for (unsigned w = 0; w < BAR_WAVES; w++)
            if (r->complete[w])
                t += sprintf(t, "s_cmp_eq_u32 s2, %u\ns_cbranch_scc0 past%u\ns_barrier_wait 1\npast%u:\n", w,
                             w, w);
        struct bar_want w = {.scc = SCC_FIRST};
        t = bar_text(t, r, BAR_PHASES - 1, &w, "s_barrier_signal_isfirst 4");
        t += sprintf(t, "s_barrier_wait 4\ns_nop 0x%x\n", BAR_MEET + BAR_PHASES - 1);
    }
    sprintf(t, "s_endpgm\n");
    assert_true(r->count <= BAR_MOST);
    return text;
}
static void bar_observe(void *context, const sw_step *step) {
    struct bar_run *r = context;
    uint32_t word;
    memcpy(&word, step->bytes, sizeof word);
    if (word >> 16 != 0xbf80) return;
    const unsigned i = word & 0xfff;
    uint32_t *scc = sw_step_scc(step), *result = sw_step_register(step, BAR_RESULT);
    if ((word & 0xf000) == BAR_BEFORE) *scc = r->scc = row_random() & 1, *result = r->result = row_random();
    // Behind the barrier all waves have signalled as often.
    if ((word & 0xf000) == BAR_MEET && r->first[i] % (r->group ? BAR_WAVES : 1)) r->failures++;
    if ((word & 0xf000) != BAR_BEHIND) return;
    const struct bar_want *w = &r->want[i];
    const unsigned before = r->first[w->phase];
    const uint32_t scc_want = w->scc == SCC_STAYS   ? r->scc
                              : w->scc == SCC_FIRST ? before % BAR_WAVES == 0
                                                    : w->scc == SCC_ONE,
                   want = w->state ? w->value : r->result;
    r->first[w->phase] += w->scc == SCC_FIRST;
    if (*scc == scc_want && !((*result ^ want) & (w->state ? w->mask : ~0u))) return;
    if (r->failures++ < 4)
        print_error("barriers: instruction %u, wave %u: SCC %u, should be %u; state 0x%x, should be 0x%x\n",
                    i, step->wave, *scc, scc_want, *result, want);
}
static unsigned bar_groups(const sw_processor *p, const struct isa *isa, unsigned waves) {
    static struct bar_run r;
    r = (struct bar_run){.named = generation_within(isa->generation, GFX12_5), .group = waves > 1};
    char *code = bar_program(&r, waves), *text = malloc(strlen(code) + 4096);
    struct rig rig;
    sprintf(text,
            ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n%s.section .rodata,\"a\"\n.p2align 6\n"
            ".amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n"
            ".amdhsa_wavefront_size32 1\n%s.end_amdhsa_kernel\n",
            code, r.named ? ".amdhsa_named_barrier_count 2\n" : "");
    const sw_device_hooks hooks = {.size = sizeof hooks, .context = &r, .observe = bar_observe};
    if (!rig_open_watched(&rig, sw_processor_name(p), text, &hooks))
        fail_msg("%s: %.3000s", sw_processor_name(p), text);
    free(text);
    sw_fault fault = {.size = sizeof fault};
    if (rig_run(&rig, NULL, 32 * waves, 32 * waves, &fault))
        fail_msg("%s: barriers: fault %u, %s", sw_processor_name(p), fault.kind,
                 fault.reason ? fault.reason : "");
    rig_close(&rig);
    return r.failures;
}

// ---- The number of a wave ----

struct number_run {
    unsigned waves, differ;
};
static void number_observe(void *context, const sw_step *step) {
    struct number_run *r = context;
    uint32_t word;
    memcpy(&word, step->bytes, sizeof word);
    if (word != 0xbf800077) return;
    r->waves++, r->differ += *sw_step_register(step, BAR_RESULT) != step->wave;
    // Work-items are numbered in order: those of the first dimension are v0.
    r->differ += sw_step_register(step, 256)[0] != step->wave * step->lanes;
}
static unsigned wave_numbers(const sw_processor *p, const struct isa *isa, const struct coding *c) {
    unsigned failures = 0;
    for (unsigned lanes = 32; lanes <= 64; lanes += 32) {
        struct number_run r = {0};
        struct rig rig;
        char code[400], *at = code, text[4096], directives[160];
        put_control_row(isa, c, BAR_RESULT, &at);
        strcpy(at, "s_waitcnt lgkmcnt(0)\ns_nop 0x77\ns_endpgm\n");
        snprintf(directives, sizeof directives,
                 ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n.amdhsa_wavefront_size32 %d\n",
                 lanes == 32);
        assert_true(rig_text(text, sizeof text, code, directives));
        const sw_device_hooks hooks = {.size = sizeof hooks, .context = &r, .observe = number_observe};
        assert_true(rig_open_watched(&rig, sw_processor_name(p), text, &hooks));
        assert_int_equal(rig_run(&rig, NULL, 5 * 3 * lanes, 5 * lanes, NULL), SW_OK);
        rig_close(&rig);
        failures += r.differ + (r.waves != 15);
    }
    return failures;
}

// ---- Upper bits of the numbers of registers ----

// {dst, src2, src1, src0}, two bits each; V_BFI_B32 has all four registers.
enum { MSB_VGPRS = 1024, MSB_FIRST = 10 };
struct msb_run {
    unsigned bits, failures, runs;
    uint32_t before[MSB_VGPRS];
};
static uint32_t *msb_register(const sw_step *step, unsigned n) {
    struct wave *w = step->state;
    return (uint32_t *)(void *)((char *)w->v + (size_t)n * w->stride) + 5; // of lane 5
}
static void msb_observe(void *context, const sw_step *step) {
    struct msb_run *r = context;
    uint32_t word;
    memcpy(&word, step->bytes, sizeof word);
    if (word >> 16 != 0xbf80) return;
    if (!(word & 0x200)) { // before
        r->bits = word & 255;
        for (unsigned n = 0; n < MSB_VGPRS; n++) *msb_register(step, n) = r->before[n] = row_random();
        return;
    }
    unsigned at[4];
    for (unsigned i = 0; i < 4; i++) at[i] = (r->bits >> 2 * i & 3) << 8 | (MSB_FIRST + i);
    const uint32_t mask = r->before[at[0]];
    r->before[at[3]] = (mask & r->before[at[1]]) | (~mask & r->before[at[2]]);
    for (unsigned n = 0; n < MSB_VGPRS; n++) r->failures += r->before[n] != *msb_register(step, n);
    r->runs++;
}
static unsigned upper_bits(const sw_processor *p, const struct isa *isa, const struct coding *c) {
    static char code[1 << 16], text[1 << 17];
    char *t = code;
    struct msb_run r = {0};
    struct rig rig;
    uint8_t bytes[INSN_MAX_BYTES];
    for (unsigned bits = 0; bits < 256; bits++) {
        struct insn in = trap_insn(isa, c);
        in.f[F_simm16] = (int)(bits | (row_random() & 0xff00)); // the former bits, which are for handlers
        insn_encode(isa, &in, c->op, bytes);
        t += sprintf(t, "s_nop 0x%x\n.long 0x%08x\n.long 0xd6120000+%u, 0x%08x\ns_nop 0x%x\n", bits | 0x100,
                     *(const uint32_t *)(const void *)bytes, MSB_FIRST + 3,
                     (256 + MSB_FIRST) | (256 + MSB_FIRST + 1) << 9 | (256u + MSB_FIRST + 2) << 18,
                     bits | 0x300);
    }
    strcpy(t, "s_endpgm\n");
    assert_true(
        rig_text(text, sizeof text, code, ".amdhsa_next_free_vgpr 1024\n.amdhsa_next_free_sgpr 32\n"));
    const sw_device_hooks hooks = {.size = sizeof hooks, .context = &r, .observe = msb_observe};
    assert_true(rig_open_watched(&rig, sw_processor_name(p), text, &hooks));
    assert_int_equal(rig_run(&rig, NULL, 32, 32, NULL), SW_OK);
    rig_close(&rig);
    return r.failures + (r.runs != 256);
}

static unsigned barriers_of(const sw_processor *p, const struct isa *isa, bool *seen) {
    const bool named = generation_within(isa->generation, GFX12_5);
    unsigned failures = 0;
    if (generation_within(isa->generation, GFX12))
        for (unsigned n = 0; n < 6; n++) failures += bar_groups(p, isa, n % 3 ? BAR_WAVES : 1);
    if (failures) print_error("%s: %u differences of barriers\n", sw_processor_name(p), failures);
    for (unsigned row = 0; row < isa_row_count; row++) {
        const struct row *r = &isa_rows[row];
        const struct coding *c = &isa->codings[isa->row_codings[row]];
        unsigned alone = 0;
        if (!has_row(isa, row)) continue;
        if (begins(r, "s_barrier_signal_isfirst") || begins(r, "s_get_barrier_state")) seen[row] = true;
        if (named &&
            (begins(r, "s_barrier_init") || begins(r, "s_barrier_join") || begins(r, "s_barrier_leave")))
            seen[row] = true;
        if (begins(r, "s_get_waveid_in_workgroup")) seen[row] = true, alone = wave_numbers(p, isa, c);
        if (begins(r, "s_set_vgpr_msb")) seen[row] = true, alone = upper_bits(p, isa, c);
        if (alone) print_error("%s: %s is not what the sources say\n", sw_processor_name(p), row_id(r));
        failures += alone;
    }
    return failures;
}

#endif
