// SPDX-License-Identifier: MIT
// How programs end, what is no instruction, and clocks: what manuals tell in words. An end is the last step
// of its wave (Vega 12.5, opcodes 1, 27 and 30); V_ILLEGAL and S_CODE_END are faults there (RDNA1 12.7,
// opcode 0; CDNA5 16.5, opcode 31); of two readings of a clock the later one is larger, and nothing else
// changes (Vega 12.6, opcodes 36 and 37; CDNA5 16.3, opcode 6).
#ifndef TESTS_PSEUDOCODE_CONTROL_PAIRS_H
#define TESTS_PSEUDOCODE_CONTROL_PAIRS_H

#include <time.h>

#include "row_runner.h"

enum { CLOCK_FIRST = 8, CLOCK_SECOND = 12, CLOCK_MS = 1000000 };
struct control_run {
    const struct isa *isa;
    uint64_t begin, second, end; // of the code, of the second reading, behind it
    unsigned steps;              // that waves made
    uint32_t before[ROW_SGPRS], after[ROW_SGPRS];
};
static uint32_t *control_sgpr(const sw_step *step, unsigned n) { return sw_step_register(step, n); }
static void control_observe(void *context, const sw_step *step) {
    struct control_run *r = context;
    const struct timespec a_while = {0, CLOCK_MS};
    if (!r->steps++) r->begin = step->pc;
    const uint64_t at = step->pc - r->begin;
    for (unsigned n = 0; n < ROW_SGPRS; n++) {
        if (r->steps == 1) *control_sgpr(step, n) = r->before[n] = row_random();
        if (r->end && at == r->end) r->after[n] = *control_sgpr(step, n);
    }
    if (r->second && at == r->second) nanosleep(&a_while, NULL);
}
// The row with a result in this register, if it has one, as text.
static unsigned put_control_row(const struct isa *isa, const struct coding *c, int result, char **text) {
    const struct row *row = &isa_rows[c->row];
    struct insn in = {.row = row, .format = isa->formats[c->format]}, again;
    uint8_t bytes[INSN_MAX_BYTES];
    if (row->dst[0].type) in.f[row->dst[0].field] = result;
    if (row->dst[0].field == F_vdst) in.f[F_vdst] = SRC_VGPR0;
    if (c->format == FMT_VOP2) in.f[F_src0] = in.f[F_src1] = SRC_VGPR0;
    const unsigned size = insn_encode(isa, &in, c->op, bytes);
    assert_int_equal(insn_decode(isa, bytes, size, &again), DECODE_OK);
    assert_ptr_equal(again.row, row);
    for (unsigned i = 0; i < size; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, sizeof word);
        *text += sprintf(*text, ".long 0x%08x\n", word);
    }
    return size;
}
static sw_status run_control(const sw_processor *p, struct control_run *r, const char *code,
                             sw_fault *fault) {
    char text[4096];
    struct rig rig;
    assert_true(rig_text(text, sizeof text, code,
                         has(p, CAP_unified_vgprs)
                             ? ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 80\n.amdhsa_accum_offset 8\n"
                             : ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 80\n"));
    const sw_device_hooks hooks = {.size = sizeof hooks, .context = r, .observe = control_observe};
    assert_true(rig_open_watched(&rig, sw_processor_name(p), text, &hooks));
    const sw_status status = rig_run(&rig, NULL, 1, 1, fault);
    rig_close(&rig);
    return status;
}
// A program that goes on behind the row. Whether it did not get there.
static bool ends_there(const sw_processor *p, const struct isa *isa, const struct coding *c, bool is_fault) {
    struct control_run r = {.isa = isa};
    sw_fault fault = {.size = sizeof fault};
    char code[400], *at = code;
    put_control_row(isa, c, 0, &at);
    strcpy(at, "s_nop 0\ns_endpgm\n");
    const sw_status status = run_control(p, &r, code, &fault);
    if (is_fault)
        return status == SW_FAULTED && fault.kind == SW_FAULT_ILLEGAL && fault.pc == r.begin && r.steps == 1;
    return status == SW_OK && r.steps == 1;
}
static bool clock_runs(const sw_processor *p, const struct isa *isa, const struct coding *c) {
    struct control_run r = {.isa = isa};
    sw_fault fault = {.size = sizeof fault};
    char code[400], *at = code;
    r.second = put_control_row(isa, c, CLOCK_FIRST, &at);
    r.end = 2 * r.second;
    put_control_row(isa, c, CLOCK_SECOND, &at);
    strcpy(at, "s_nop 0\ns_endpgm\n");
    if (run_control(p, &r, code, &fault)) return false;
    for (unsigned n = 0; n < ROW_SGPRS; n++) {
        const bool reading = n / 2 == CLOCK_FIRST / 2 || n / 2 == CLOCK_SECOND / 2;
        if (!reading && r.after[n] != r.before[n]) return false;
    }
    const uint64_t first = r.after[CLOCK_FIRST] | (uint64_t)r.after[CLOCK_FIRST + 1] << 32,
                   second = r.after[CLOCK_SECOND] | (uint64_t)r.after[CLOCK_SECOND + 1] << 32;
    return second > first;
}
static bool begins(const struct row *row, const char *with) {
    return !strncmp(row_id(row), with, strlen(with));
}
static unsigned control_of(const sw_processor *p, const struct isa *isa, bool *seen) {
    unsigned failures = 0;
    for (unsigned row = 0; row < isa_row_count; row++) {
        const struct row *r = &isa_rows[row];
        const bool clock = begins(r, "s_memtime") || begins(r, "s_memrealtime") ||
                           begins(r, "s_get_shader_cycles_u64"),
                   fault = begins(r, "v_illegal") || begins(r, "s_code_end");
        if (!has_row(isa, row) || (!clock && !fault && !begins(r, "s_endpgm"))) continue;
        const struct coding *c = &isa->codings[isa->row_codings[row]];
        seen[row] = true;
        if (clock ? clock_runs(p, isa, c) : ends_there(p, isa, c, fault)) continue;
        print_error("%s: %s is not what the manuals say\n", sw_processor_name(p), row_id(r));
        failures++;
    }
    return failures;
}

#endif
