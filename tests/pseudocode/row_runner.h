// SPDX-License-Identifier: MIT
// Rows of the instruction table as whole instructions of one wave, one behind the other: a trial makes its
// encoding, sets registers and memory before it runs, and looks at them behind it.
#ifndef TESTS_PSEUDOCODE_ROW_RUNNER_H
#define TESTS_PSEUDOCODE_ROW_RUNNER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fenv.h>

#include "exec/wave.h"
#include "isa/isa.h"
#include "rig.h"
#include "softwave/isa.h"

enum { ROW_VGPRS = 64, ROW_SGPRS = 80, ROW_MEMORY = 0x10000, ROW_LDS = 0x4000 };
struct row_rig;
struct row_trial;
struct row_kind {
    // The fields of t->in; false: no such instruction. Draws what set and check want of t.
    bool (*make)(struct row_rig *r, struct row_trial *t);
    void (*set)(struct row_rig *r, const struct row_trial *t);
    void (*check)(struct row_rig *r, const struct row_trial *t);
};
struct row_trial {
    const struct row_kind *kind;
    const struct row *row;
    unsigned format, number, size, op;
    unsigned a, b; // as the kind wants
    struct insn in;
    uint8_t bytes[INSN_MAX_BYTES];
    uint64_t at;
};
struct row_state {
    uint32_t v[ROW_VGPRS][64], s[128], m0;
    uint8_t memory[ROW_MEMORY], lds[ROW_LDS];
};
struct row_rig {
    const sw_processor *p;
    const struct isa *isa;
    unsigned lanes;
    struct row_trial *trials;
    unsigned count, current, failures;
    bool pending, failed; // failed: the trial that runs
    uint64_t code, exec;
    uint8_t *memory; // of the device, ROW_MEMORY bytes at a multiple of 64 KiB
    void (*exported)(void *context, const sw_export *e); // or NULL
    unsigned exports;                                    // of the trial that runs
    const sw_step *step;
    struct row_state before, after;
};

static uint64_t row_chance = 0x2545f4914f6cdd1d;
static uint32_t row_random(void) {
    row_chance ^= row_chance << 13, row_chance ^= row_chance >> 7, row_chance ^= row_chance << 17;
    return (uint32_t)(row_chance >> 16);
}
static bool row_executes(const struct row_rig *r, unsigned lane) { return r->exec >> lane & 1; }

// ---- Making ----

static bool has_row(const struct isa *isa, unsigned row) {
    return isa->row_codings[row] != isa->row_codings[row + 1];
}
static bool is_row_settled(const struct row_rig *r, struct row_trial *t) {
    struct insn again;
    t->size = insn_encode(r->isa, &t->in, t->op, t->bytes);
    if (!t->size || insn_decode(r->isa, t->bytes, t->size, &again) != DECODE_OK || again.row != t->in.row ||
        again.row_y != t->in.row_y || !insn_is_canonical(r->isa, &again, r->lanes == 32))
        return false;
    t->in = again;
    return true;
}
// Adds a trial of this coding. False: there is none.
static bool row_add(struct row_rig *r, const struct row_kind *kind, const struct coding *c, unsigned number) {
    const struct row *row = &isa_rows[c->row];
    struct row_trial t = {.kind = kind,
                          .row = row,
                          .format = c->format,
                          .number = number,
                          .op = c->op,
                          .in = {.row = row, .format = r->isa->formats[c->format]}};
    if (!kind->make(r, &t) || !is_row_settled(r, &t)) return false;
    if ((r->count & (r->count - 1)) == 0)
        r->trials = realloc(r->trials, (r->count ? 2 * r->count : 1) * sizeof *r->trials);
    r->trials[r->count++] = t;
    return true;
}

// ---- Running ----

static uint8_t *row_lds(const struct row_rig *r) { return ((const struct wave *)r->step->state)->lds; }
static void row_copy(struct row_rig *r, struct row_state *m) {
    for (unsigned n = 0; n < ROW_VGPRS; n++)
        memcpy(m->v[n], sw_step_register(r->step, 256 + n), 4 * (size_t)r->lanes);
    for (unsigned n = 0; n < 128; n++)
        if (n < ROW_SGPRS || n >= 126) m->s[n] = *sw_step_register(r->step, n);
    m->m0 = *sw_step_register(r->step, r->isa->m0_register);
    memcpy(m->memory, r->memory, ROW_MEMORY);
    memcpy(m->lds, row_lds(r), ROW_LDS);
}
static void row_put(struct row_rig *r, const struct row_state *m) {
    for (unsigned n = 0; n < ROW_VGPRS; n++)
        memcpy(sw_step_register(r->step, 256 + n), m->v[n], 4 * (size_t)r->lanes);
    for (unsigned n = 0; n < ROW_SGPRS; n++) *sw_step_register(r->step, n) = m->s[n];
    *sw_step_register(r->step, r->isa->m0_register) = m->m0;
    *sw_step_register(r->step, 126) = (uint32_t)r->exec;
    *sw_step_register(r->step, 127) = (uint32_t)(r->exec >> 32);
    memcpy(r->memory, m->memory, ROW_MEMORY);
    memcpy(row_lds(r), m->lds, ROW_LDS);
}
static void row_randomize(struct row_rig *r) {
    uint32_t *words = (uint32_t *)(void *)&r->before;
    for (size_t i = 0; i < sizeof r->before / 4; i++) words[i] = row_random();
    const uint64_t any = (uint64_t)row_random() << 32 | row_random();
    r->exec = (row_random() % 3 ? ~0ull : any) & (r->lanes == 64 ? ~0ull : 0xffffffff);
}
static void row_step(struct row_rig *r, const sw_step *step) {
    r->step = step;
    if (!r->code) r->code = step->pc;
    if (r->pending) {
        row_copy(r, &r->after);
        r->failed = false;
        r->trials[r->current].kind->check(r, &r->trials[r->current]);
        r->pending = false, r->current++;
    }
    if (r->current >= r->count || r->trials[r->current].at != step->pc - r->code) return;
    row_randomize(r);
    r->trials[r->current].kind->set(r, &r->trials[r->current]);
    row_put(r, &r->before);
    row_copy(r, &r->before);
    r->pending = true;
}
static void row_observe(void *context, const sw_step *step) {
    // The device computes with its own rounding and denormals, and so does the test.
    fenv_t env;
    fegetenv(&env);
    fesetenv(FE_DFL_ENV);
    row_step(context, step);
    fesetenv(&env);
}
static char *row_kernel(struct row_rig *r) {
    char *text = malloc((size_t)r->count * 200 + 4096), *p = text;
    uint64_t at = 0;
    p += sprintf(p, ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n");
    for (unsigned i = 0; i < r->count; i++) {
        struct row_trial *t = &r->trials[i];
        p += sprintf(p, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0x%x\n", row_random() & 0xff);
        t->at = at + 8, at += 8 + t->size;
        for (unsigned k = 0; k < t->size; k += 4)
            p += sprintf(p, ".long 0x%08x\n", *(const uint32_t *)(const void *)(t->bytes + k));
    }
    p +=
        sprintf(p,
                "s_nop 0\ns_endpgm\n.section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel k\n"
                ".amdhsa_next_free_vgpr %d\n.amdhsa_next_free_sgpr 80\n.amdhsa_group_segment_fixed_size %d\n",
                has(r->p, CAP_unified_vgprs) ? 2 * ROW_VGPRS : ROW_VGPRS, ROW_LDS);
    if (has(r->p, CAP_unified_vgprs)) p += sprintf(p, ".amdhsa_accum_offset %d\n", ROW_VGPRS);
    if (generation_within(r->isa->generation, GFX10))
        p += sprintf(p, ".amdhsa_wavefront_size32 %d\n", r->lanes == 32);
    sprintf(p, ".end_amdhsa_kernel\n");
    return text;
}
// Runs all trials and forgets them.
static void row_run(struct row_rig *r) {
    struct rig rig;
    if (!r->count) return;
    char *text = row_kernel(r);
    const sw_device_hooks hooks = {
        .size = sizeof hooks, .context = r, .observe = row_observe, .exported = r->exported};
    if (!rig_open_watched(&rig, sw_processor_name(r->p), text, &hooks))
        fail_msg("%s: %.2000s", sw_processor_name(r->p), text);
    free(text);
    uint8_t *memory = sw_device_alloc(rig.device, 2 * ROW_MEMORY);
    assert_non_null(memory);
    r->memory = memory + (0x10000 - ((uintptr_t)memory & 0xffff));
    sw_dispatch q = rig_dispatch(rig.object, rig.executable, "k", NULL, r->lanes, r->lanes);
    q.timeout = 120;
    sw_fault fault = {.size = sizeof fault};
    if (sw_device_run(rig.device, &q, &fault, NULL, NULL))
        fail_msg("%s: %s: fault %u, %s", sw_processor_name(r->p), row_id(r->trials[r->current].row),
                 fault.kind, fault.reason ? fault.reason : "");
    assert_int_equal(r->current, r->count);
    rig_close(&rig);
    free(r->trials);
    r->trials = NULL;
    r->count = r->current = 0, r->code = 0;
}

// ---- Checking ----

// The first difference of a trial is told; the check goes on.
static void row_fail(struct row_rig *r, const struct row_trial *t, const char *what, unsigned lane,
                     uint64_t want, uint64_t got) {
    char line[100] = "";
    if (r->failed) return;
    r->failed = true;
    if (r->failures++ >= 10) return;
    for (unsigned i = 0; i < t->size; i += 4)
        snprintf(line + strlen(line), sizeof line - strlen(line), " %08x",
                 *(const uint32_t *)(const void *)(t->bytes + i));
    print_error("%s: %s (%s, w%u,%s): %s of lane %u is 0x%llx, should be 0x%llx\n", sw_processor_name(r->p),
                row_id(t->row), format_names[t->format], r->lanes, line, what, lane, (unsigned long long)got,
                (unsigned long long)want);
}
// Vector registers but `count` from `first` on stay, and those of lanes that do not execute.
static void row_others_stay(struct row_rig *r, const struct row_trial *t, unsigned first, unsigned count) {
    for (unsigned n = 0; n < ROW_VGPRS; n++)
        for (unsigned l = 0; l < r->lanes; l++)
            if ((n - first >= count || !row_executes(r, l)) && r->after.v[n][l] != r->before.v[n][l])
                row_fail(r, t, "another register", l, r->before.v[n][l], r->after.v[n][l]);
    for (unsigned n = 0; n < ROW_SGPRS; n++)
        if (r->after.s[n] != r->before.s[n])
            row_fail(r, t, "a scalar register", n, r->before.s[n], r->after.s[n]);
}
static void row_memory_is(struct row_rig *r, const struct row_trial *t, const uint8_t *memory,
                          const uint8_t *lds) {
    for (unsigned i = 0; i < ROW_MEMORY; i++)
        if (r->after.memory[i] != memory[i])
            row_fail(r, t, "a byte of memory", i, memory[i], r->after.memory[i]);
    for (unsigned i = 0; i < ROW_LDS; i++)
        if (r->after.lds[i] != lds[i]) row_fail(r, t, "a byte of LDS", i, lds[i], r->after.lds[i]);
}

#endif
