// SPDX-License-Identifier: MIT
// What is.def says of a row is what the software GPU does: each pattern is evaluated by operation_evaluate
// and compared with the registers, SCC and EXEC that the instruction leaves behind, on the first processor of
// each generation that has the row, in each of its encodings, in both wave sizes, and in every mode:
// denormals of 32 bits, those of 16 and 64 bits, and MODE.IEEE, each on and off, where the pattern holds.
// Rounding is to nearest. With --failures, prints the ids of rows that differ, which mutation of is.def asks
// for (tests/mutate).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <fenv.h>

#include <cmocka.h>

#include "is_slots.h"
#include "rig.h"
#include "softwave/isa.h"

enum {
    MODES = 8,
    ROUNDS = 60,
    VECTOR_ROUNDS = 10,
    PASSES = MODES * ROUNDS,
    MODE_REGISTER = 90,
    MAX_ROWS = 8192
};

// What an instruction finds and leaves.
struct state {
    uint64_t source[ROW_SRC][64], dst[ROW_DST][64]; // of a scalar, entry 0
    uint64_t exec, vcc;
    uint32_t scc, m0;
};
struct trial {
    const sw_processor *p;
    const struct isa *isa;
    bool wave32, pending;
    struct is_slot *slots;
    unsigned count, current, pass;
    struct state before, after;
    uint64_t code, end; // address, offset of the branch behind the last instruction
};
static unsigned compared[MAX_ROWS]; // by way
static bool failed_row[MAX_ROWS];
static unsigned failures, total;
static bool silent;

// ---- The pattern's value ----

struct view {
    const struct trial *t;
    const struct is_slot *s;
    const struct state *in;
    struct operation_mode mode;
    unsigned lane, lanes;
};

static op_bits low(op_bits v, unsigned bits) { return bits < 128 ? v & (((op_bits)1 << bits) - 1) : v; }

static op_bits source_value(const struct view *v, unsigned source, unsigned lane) {
    const struct is_where *w = &v->s->src[source];
    if (w->kind == IS_NUMBER) return w->number;
    if (w->type == T_MASK) return v->in->source[source][0] >> lane & 1;
    return v->in->source[source][w->kind == IN_VGPR ? lane : 0];
}
static op_bits input_value(const struct view *v, unsigned place) {
    switch (place) {
    case SELECT_SCC: return v->in->scc;
    case SELECT_VCC: return v->in->vcc >> v->lane & 1;
    case SELECT_EXEC: return v->in->exec;
    case SELECT_M0: return v->in->m0;
    case SELECT_OLD: return v->in->dst[0][v->s->dst[0].kind == IN_VGPR ? v->lane : 0];
    case SELECT_K: return v->s->k;
    default: fail_msg("no such input"); return 0;
    }
}

static bool value_of(const struct view *v, const struct select_node *n, unsigned element, op_bits *out);

static op_bits ones_below(uint32_t mask, int lanes) {
    const uint32_t below = lanes <= 0 ? 0 : lanes >= 32 ? mask : mask & ((1u << lanes) - 1);
    return (op_bits)__builtin_popcount(below);
}
// Operations between lanes, which operation_evaluate knows nothing of.
static bool lane_value(const struct view *v, const struct select_node *n, op_bits *out) {
    struct view other = *v;
    op_bits a, b = 0;
    if (n->count > 1 && !value_of(v, select_operand(n, 1), 0, &b)) return false;
    switch (n->what) {
    case OP_readfirstlane:
        other.lane = v->in->exec ? (unsigned)__builtin_ctzll(v->in->exec) : 0;
        return value_of(&other, select_operand(n, 0), 0, out);
    case OP_readlane:
        other.lane = (unsigned)b & (v->lanes - 1);
        return value_of(&other, select_operand(n, 0), 0, out);
    case OP_writelane:
        return value_of(v, select_operand(n, ((unsigned)b & (v->lanes - 1)) == v->lane ? 0 : 2), 0, out);
    case OP_mbcnt_lo:
    case OP_mbcnt_hi:
        if (!value_of(v, select_operand(n, 0), 0, &a)) return false;
        *out = low(b + ones_below((uint32_t)a, (int)v->lane - (n->what == OP_mbcnt_hi ? 32 : 0)), 32);
        return true;
    default: return false;
    }
}
static bool value_of(const struct view *v, const struct select_node *n, unsigned element, op_bits *out) {
    struct value_type types[4];
    op_bits operands[4];
    const unsigned bits = n->type.bits;
    switch ((enum select_kind)n->kind) {
    case SELECT_SOURCE: *out = low(source_value(v, n->what, v->lane) >> bits * element, bits); return true;
    case SELECT_PART:
        *out = low(source_value(v, n->what, v->lane) >> n->low, n->high - n->low + 1u);
        return true;
    case SELECT_NUMBER: *out = low((op_bits)(int64_t)select_numbers[n->number], bits); return true;
    case SELECT_INPUT: *out = low(input_value(v, n->what) >> bits * element, bits); return true;
    case SELECT_OPERATION: break;
    }
    if (!operation_info((enum operation)n->what)->evaluates) return lane_value(v, n, out);
    for (unsigned i = 0; i < n->count; i++) {
        const struct select_node *o = select_operand(n, i);
        types[i] = (struct value_type){o->type.kind, o->type.bits};
        if (!value_of(v, o, element, &operands[i])) return false;
    }
    return operation_evaluate((enum operation)n->what, &v->mode,
                              (struct value_type){n->type.kind, n->type.bits}, types, operands, n->count,
                              out);
}

// ---- Comparing ----

// Floats as integers in their order.
static int64_t ordered(op_bits v, unsigned bits) {
    const int64_t magnitude = (int64_t)low(v, bits - 1);
    return v >> (bits - 1) & 1 ? -magnitude : magnitude;
}
// Which NaN an operation gives is left open, as in LLVM's IR: the device hands on that of any source, or the
// host's. It must be quiet where MODE.IEEE asks for it.
static bool nan_for_nan(unsigned kind, unsigned bits, bool ieee, op_bits want, op_bits got) {
    static const uint8_t fraction[] = {
        [VALUE_F16] = 10, [VALUE_BF16] = 7, [VALUE_F32] = 23, [VALUE_F64] = 52};
    const op_bits infinity = low(~(op_bits)0, bits - 1) >> fraction[kind] << fraction[kind];
    const op_bits quiet = (op_bits)1 << (fraction[kind] - 1);
    return low(want, bits - 1) > infinity && low(got, bits - 1) > infinity &&
           (!ieee || !(want & quiet) || got & quiet);
}
// Compares an element of the node's type; what is packed is compared by its parts.
static bool agrees(const struct view *v, const struct select_node *n, const struct select_way *w,
                   op_bits want, op_bits got) {
    const unsigned bits = n->type.bits;
    if (want == got) return true;
    if (n->kind == SELECT_OPERATION && n->what == OP_pack)
        return agrees(v, select_operand(n, 0), w, low(want, bits / 2), low(got, bits / 2)) &&
               agrees(v, select_operand(n, 1), w, want >> bits / 2, got >> bits / 2);
    if (n->type.kind == VALUE_INT) return false;
    if (nan_for_nan(n->type.kind, bits, v->mode.ieee, want, got)) return true;
    const int64_t apart = ordered(want, bits) - ordered(got, bits);
    return w->rough && apart <= (int64_t)w->ulp && -apart <= (int64_t)w->ulp;
}
static op_bits result_of(const struct trial *t, const struct select_result *r, unsigned lane) {
    const struct is_slot *s = &t->slots[t->current];
    const struct is_where *w = &s->dst[r->place == SELECT_DST1];
    switch (r->place) {
    case SELECT_SCC: return t->after.scc;
    case SELECT_EXEC: return t->after.exec;
    case SELECT_VCC: return t->after.vcc >> lane & 1;
    case SELECT_M0: return t->after.m0;
    default: break;
    }
    const uint64_t *values = t->after.dst[r->place == SELECT_DST1];
    if (w->type == T_MASK) return values[0] >> lane & 1;
    return values[w->kind == IN_VGPR ? lane : 0] >> (s->row->flags & ROW_DST_HIGH ? 16 : 0);
}
static void report(const struct trial *t, const struct view *v, const struct select_result *r, op_bits want,
                   op_bits got) {
    const struct is_slot *s = v->s;
    const unsigned row = (unsigned)(s->row - isa_rows);
    failures++;
    if (!silent && !failed_row[row]) {
        print_error("%s (%s, %s, wave%u, modes %u): %s\n    result %u, lane %u: the text gives 0x%llx, the "
                    "GPU 0x%llx;",
                    row_id(s->row), sw_processor_name(t->p), format_names[s->format], v->lanes,
                    select_modes(&v->mode), select_text(row), r->place, v->lane, (unsigned long long)want,
                    (unsigned long long)got);
        for (unsigned i = 0; i < ROW_SRC && s->row->src[i].type; i++)
            print_error(" 0x%llx", (unsigned long long)source_value(v, i, v->lane));
        print_error("\n");
    }
    failed_row[row] = true;
}
// True if all lanes agree.
static bool check_result(const struct trial *t, struct view *v, const struct select_way *w,
                         const struct select_result *r) {
    const struct select_node *n = &select_nodes[r->node];
    const struct is_where *d = &v->s->dst[r->place == SELECT_DST1];
    const bool per_lane =
        (r->place == SELECT_DST0 || r->place == SELECT_DST1) && (d->kind == IN_VGPR || d->type == T_MASK);
    const bool all = n->kind == SELECT_OPERATION && n->what == OP_writelane; // whatever EXEC is
    for (v->lane = 0; v->lane < (per_lane ? v->lanes : 1); v->lane++) {
        if (per_lane && !all && !(v->in->exec >> v->lane & 1)) continue;
        const op_bits got = result_of(t, r, v->lane);
        for (unsigned e = 0; e < n->type.elements; e++) {
            op_bits want;
            const op_bits part = low(got >> n->type.bits * e, n->type.bits);
            if (!value_of(v, n, e, &want)) fail_msg("%s cannot be evaluated", row_id(v->s->row));
            if (agrees(v, n, w, want, part)) continue;
            report(t, v, r, want, part);
            return false;
        }
    }
    return true;
}

static struct operation_mode mode_of(const struct trial *t) {
    const unsigned m = t->pass % MODES;
    return (struct operation_mode){m & 1, m >> 1 & 1, (m >> 2 & 1) && has(t->p, CAP_ieee_mode)};
}
static void check_slot(const struct trial *t, unsigned lanes) {
    const struct is_slot *s = &t->slots[t->current];
    struct view v = {t, s, &t->before, mode_of(t), 0, lanes};
    const struct select_way *first;
    const unsigned count = select_ways_of((unsigned)(s->row - isa_rows), &first);
    for (unsigned i = 0; i < count; i++) {
        if (!select_holds(&first[i], select_modes(&v.mode))) continue;
        compared[first + i - select_ways]++;
        total++;
        for (unsigned k = 0; k < first[i].results; k++)
            if (!check_result(t, &v, &first[i], &select_results[first[i].first + k])) return;
    }
}

// ---- The wave ----

static uint32_t *dword(const sw_step *step, unsigned code, unsigned lane) {
    uint32_t *r = sw_step_register(step, code);
    if (!r) fail_msg("no register %u", code);
    return &r[code >= SRC_VGPR0 ? lane : 0];
}
static uint64_t get(const sw_step *step, const struct is_where *w, unsigned lane) {
    uint64_t v = 0;
    for (unsigned i = 0; i < w->dwords && i < 2; i++)
        v |= (uint64_t)*dword(step, w->code + i, lane) << 32 * i;
    return v;
}
static void put(const sw_step *step, const struct is_where *w, unsigned lane, uint64_t v) {
    for (unsigned i = 0; i < w->dwords && i < 2; i++)
        *dword(step, w->code + i, lane) = (uint32_t)(v >> 32 * i);
}
static unsigned lanes_in(const struct is_where *w, const sw_step *step) {
    return w->kind == IN_VGPR ? step->lanes : 1;
}

static void read_state(const struct trial *t, const sw_step *step, struct state *m, bool sources) {
    const struct is_slot *s = &t->slots[t->current];
    for (unsigned i = 0; i < ROW_DST; i++)
        if (s->dst[i].kind)
            for (unsigned l = 0; l < lanes_in(&s->dst[i], step); l++) m->dst[i][l] = get(step, &s->dst[i], l);
    for (unsigned i = 0; sources && i < ROW_SRC; i++)
        if (s->src[i].kind == IN_VGPR || s->src[i].kind == IN_SGPR)
            for (unsigned l = 0; l < lanes_in(&s->src[i], step); l++)
                m->source[i][l] = get(step, &s->src[i], l);
    const uint64_t full = step->lanes == 64 ? ~0ull : 0xffffffff;
    m->exec = (*dword(step, 126, 0) | (uint64_t)*dword(step, 127, 0) << 32) & full;
    m->vcc = *dword(step, 106, 0) | (uint64_t)*dword(step, 107, 0) << 32;
    m->scc = *sw_step_scc(step);
    m->m0 = *dword(step, t->isa->m0_register, 0);
}
static void put_pair(const sw_step *step, unsigned code, uint64_t v) {
    *dword(step, code, 0) = (uint32_t)v, *dword(step, code + 1, 0) = (uint32_t)(v >> 32);
}
// A value for an operand of that type, sometimes related to the one before it: results that are 0, 1 or all
// ones, and carries over the whole width, are rare otherwise.
static uint64_t related(unsigned type, uint64_t last) {
    switch (is_below(24)) {
    case 0:
    case 1: return last;
    case 2:
    case 3: return ~last;
    case 4: return last ^ 1;
    case 5: return -last;
    case 6: return last + 1;
    case 7: return is_below(2);
    case 8: return last ^ (uint64_t)1 << is_below(64);
    default: return is_value(is_type((enum operand_type)type));
    }
}
// Gives every operand a value, and registers that are not named.
static void set_state(const struct trial *t, const sw_step *step) {
    const struct is_slot *s = &t->slots[t->current];
    const uint64_t full = step->lanes == 64 ? ~0ull : 0xffffffff;
    const bool scalar = s->format <= FMT_SMEM;
    const bool whole = s->row->class == CLASS_READLANE ? is_below(8) != 0 : is_below(4) != 0;
    const uint64_t some = scalar && is_below(3) ? is_integer(64) & full : is_below(2) ? full : 0;
    const uint64_t exec = scalar ? some : whole ? full : is_random() & full;
    put_pair(step, 126, exec);
    put_pair(step, 106, is_below(4) ? is_random() & full : 0);
    *sw_step_scc(step) = is_below(2);
    *dword(step, t->isa->m0_register, 0) = (uint32_t)is_random();
    for (unsigned l = 0; l < step->lanes; l++) {
        uint64_t last = exec;
        for (unsigned i = 0; i < ROW_DST + ROW_SRC; i++) {
            const struct is_where *w = i < ROW_DST ? &s->dst[i] : &s->src[i - ROW_DST];
            if ((w->kind != IN_VGPR && w->kind != IN_SGPR) || l >= lanes_in(w, step)) continue;
            if (i < ROW_DST && scalar && s->row->writes & R_EXEC)
                continue; // so that the source is related to EXEC
            last = w->type == T_MASK ? is_random() & full : related(w->type, last);
            put(step, w, l, last);
        }
    }
}

// Scalar rows give one sample a pass; vector rows, with one a lane, need fewer rounds.
static bool is_due(const struct trial *t) {
    const struct is_slot *s = &t->slots[t->current];
    if (silent && failed_row[s->row - isa_rows]) return false; // enough is known
    return s->format <= FMT_SMEM || t->pass / MODES % (ROUNDS / VECTOR_ROUNDS) == 0;
}
static uint32_t mode_register(const struct trial *t) {
    const struct operation_mode m = mode_of(t);
    const bool early = has(t->p, CAP_ieee_mode);
    return (m.flush32 ? 0 : 3u << 4) | (m.flush16_64 ? 0 : 3u << 6) | (early ? 1u << 8 : 0) |
           (m.ieee ? 1u << 9 : 0);
}
static void step_of(struct trial *t, const sw_step *step) {
    if (!t->code) t->code = step->pc;
    const uint64_t at = step->pc - t->code;
    if (t->pending) {
        read_state(t, step, &t->after, false);
        check_slot(t, step->lanes);
        t->pending = false;
    }
    if (at == 0) {
        t->current = 0;
        *dword(step, MODE_REGISTER, 0) = mode_register(t);
        put_pair(step, 126, step->lanes == 64 ? ~0ull : 0xffffffff);
        return;
    }
    while (t->current < t->count && t->slots[t->current].at < at) t->current++;
    if (at == t->end) { // of a pass
        *sw_step_scc(step) = t->pass + 1 < PASSES;
        t->pass++;
        return;
    }
    if (t->current == t->count || t->slots[t->current].at != at || !is_due(t)) return;
    is_seed_for(row_id(t->slots[t->current].row), t->pass * 64u + t->current % 64);
    set_state(t, step);
    read_state(t, step, &t->before, true);
    t->pending = true;
}

// The worker that calls has the rounding and denormals of the wave.
static void observe(void *context, const sw_step *step) {
    fenv_t workers;
    fegetenv(&workers);
    fesetenv(FE_DFL_ENV);
    step_of(context, step);
    fesetenv(&workers);
}

// ---- A processor ----

static char *kernel_of(struct trial *t) {
    char *text = malloc(1 << 21), *p = text;
    uint64_t at = 4;
    p += sprintf(
        p,
        ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\ns_setreg_b32 hwreg(HW_REG_MODE, 0, 10), s%d\n",
        MODE_REGISTER);
    for (unsigned i = 0; i < t->count; i++) {
        struct is_slot *s = &t->slots[i];
        s->at = at;
        for (unsigned k = 0; k < s->size; k += 4)
            p += sprintf(p, ".long 0x%08x\n", *(uint32_t *)(s->bytes + k));
        at += s->size;
    }
    t->end = at;
    p += sprintf(p, "s_cbranch_scc1 k\ns_endpgm\n.section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel k\n"
                    ".amdhsa_next_free_vgpr 64\n.amdhsa_next_free_sgpr 96\n");
    if (has(t->p, CAP_unified_vgprs)) p += sprintf(p, ".amdhsa_accum_offset 64\n");
    if (t->isa->generation >= GFX10) p += sprintf(p, ".amdhsa_wavefront_size32 %d\n", t->wave32);
    sprintf(p, ".end_amdhsa_kernel\n");
    return text;
}
static void run_trial(struct trial *t) {
    char *text = kernel_of(t);
    struct rig rig;
    const sw_device_hooks hooks = {.size = sizeof hooks, .context = t, .observe = observe};
    assert_true(rig_open_watched(&rig, sw_processor_name(t->p), text, &hooks));
    sw_dispatch q =
        rig_dispatch(rig.object, rig.executable, "k", NULL, t->wave32 ? 32 : 64, t->wave32 ? 32 : 64);
    q.timeout = 600;
    assert_int_equal(sw_device_run(rig.device, &q, NULL, NULL, NULL), SW_OK);
    assert_int_equal(t->pass, PASSES);
    rig_close(&rig);
    free(text);
}
// Rows whose masks have the size of a wave are for that size alone.
static bool wants_wave(const struct row *row, bool wave32) {
    if (row->enc[0].format > FMT_SMEM || !(row->writes & R_EXEC)) return true;
    return operand_dwords[row->dst[0].type] == (wave32 ? 1 : 2);
}
static void add_slots(struct trial *t, const struct coding *c) {
    const struct row *row = &isa_rows[c->row];
    const bool constants = row->flags & ROW_BITOP3 || row->src[0].type == T_IMM16 ||
                           row->src[1].type == T_IMM16 || row->src[1].field == F_literal ||
                           row->src[2].field == F_literal;
    if (c->format >= FMT_VOPDX) return;
    for (unsigned i = 0; i < (constants ? 12u : 1u); i++) {
        if (is_make(&t->slots[t->count], t->isa, c, i, t->wave32))
            t->count++;
        else if (!i)
            fail_msg("%s: %s has no encoding that decodes to it", sw_processor_name(t->p), row_id(row));
    }
}

static bool is_wanted(unsigned row) {
    const struct select_way *first;
    const char *only = getenv("IS_ONLY"); // one row, while writing texts
    return select_ways_of(row, &first) && (!only || !strcmp(only, row_id(&isa_rows[row])));
}
static void try_processor(const sw_processor *p, const bool *rows) {
    const struct isa *isa = isa_of(p);
    for (unsigned size = isa->generation >= GFX10 ? 0 : 1; size < 2; size++) {
        struct trial *t = calloc(1, sizeof *t);
        *t =
            (struct trial){.p = p, .isa = isa, .wave32 = size == 0, .slots = calloc(12000, sizeof *t->slots)};
        for (unsigned r = 0; r < isa_row_count; r++)
            if (rows[r] && wants_wave(&isa_rows[r], t->wave32))
                for (unsigned c = isa->row_codings[r]; c < isa->row_codings[r + 1]; c++)
                    add_slots(t, &isa->codings[c]);
        if (t->count) run_trial(t);
        free(t->slots);
        free(t);
    }
}
// Each row once a generation, on the first processor that has it.
static void try_all(void) {
    static bool done[GENERATIONS][MAX_ROWS];
    for (unsigned i = 0; i < sw_processor_count(); i++) {
        const sw_processor *p = sw_processor_at(i);
        const struct isa *isa = isa_of(p);
        bool rows[MAX_ROWS] = {false}, any = false;
        if (!isa || strstr(sw_processor_name(p), "generic")) continue;
        for (unsigned r = 0; r < isa_row_count; r++) {
            if (!select_exists(isa, r) || done[isa->generation][r] || !is_wanted(r)) continue;
            rows[r] = done[isa->generation][r] = any = true;
        }
        if (any) try_processor(p, rows);
    }
}

// An alternative for modes that no processor with the row has says nothing.
static unsigned find_uncompared(void) {
    unsigned missing = 0;
    for (unsigned w = 0; w < select_way_count; w++) {
        if (failed_row[select_ways[w].row] || compared[w] >= 12 || !is_wanted(select_ways[w].row)) continue;
        missing++;
        failed_row[select_ways[w].row] = true;
        if (!silent)
            print_error("%s: an alternative was compared %u times\n", row_id(&isa_rows[select_ways[w].row]),
                        compared[w]);
    }
    return missing;
}
static void every_text_is_what_the_gpu_does(void **state) {
    (void)state;
    try_all();
    const unsigned missing = find_uncompared();
    unsigned rows = 0;
    for (unsigned w = 0; w < select_way_count; w++)
        rows += !w || select_ways[w].row != select_ways[w - 1].row;
    unsigned wrong = 0;
    for (unsigned r = 0; r < isa_row_count; r++) wrong += failed_row[r];
    print_message("%u rows have a text, %u differ; %u comparisons\n", rows, wrong, total);
    assert_int_equal(failures, 0);
    assert_int_equal(missing, 0);
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "--failures")) {
        silent = true;
        try_all();
        const unsigned missing = find_uncompared();
        for (unsigned r = 0; r < isa_row_count; r++)
            if (failed_row[r]) printf("%s\n", row_id(&isa_rows[r]));
        return failures || missing;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_text_is_what_the_gpu_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
