// SPDX-License-Identifier: MIT
// Compares the software GPUs with the pseudo-code of the manuals: pseudocode FOLDER [--only=ROW]
// [--on=PROCESSOR]
// [--trials=N]. Each row of the instruction table that a manual describes runs in each of its encodings on
// each processor and in both wave sizes, with boundary and random values, modifiers, modes and EXEC;
// registers, SCC and PC are compared bit for bit, but for what the text leaves open.
#include <stddef.h>

#include "exec/wave.h"
#include "frame.h"
#include "manual.h"
#include "rig.h"
#include "softwave/isa.h"
#include "vectors.h"
#include "words.h"

enum { LIBRARIES = 4, CDNA5 = 3 }; // the last is a manual's text
static const struct {
    const char *name, *home; // the file, and the processor whose opcodes it has
    enum generation from;    // it is for this generation and those below it
} library_facts[LIBRARIES] = {{"cdna", "gfx950", GFX9},
                              {"rdna3", "gfx1150", GFX11},
                              {"rdna4", "gfx1200", GFX12},
                              {"cdna5", "gfx1250", GFX12_5}};
#define libraries all_libraries
static struct entry_text *entries[LIBRARIES][8192][FORMATS]; // by row and format

// ---- Which text describes which row ----

static const sw_processor *processor_named(const char *name) {
    for (unsigned i = 0; i < sw_processor_count(); i++)
        if (!strcmp(sw_processor_name(sw_processor_at(i)), name)) return sw_processor_at(i);
    return NULL;
}
static unsigned index_library(unsigned n, bool tell) {
    const struct isa *isa = isa_of(processor_named(library_facts[n].home));
    struct library *l = &libraries[n];
    unsigned wrong = 0;
    for (unsigned r = 0; r < isa_row_count; r++)
        for (unsigned c = isa->row_codings[r]; c < isa->row_codings[r + 1]; c++) {
            const struct coding *k = &isa->codings[c];
            if (!is_tried_format(k->format)) continue;
            const char *name = isa_row_name(isa, &isa_rows[r]);
            struct entry_text *e = find_text(l, n == CDNA5 ? NULL : kind_of_format(k->format), name);
            if (n == CDNA5) { // headings have one of a row's opcodes
                if (e && e->tree) e->used++, entries[n][r][k->format] = e;
                continue;
            }
            if (!e && is_memory_format(k->format)) e = find_text(l, renamed_kind_of_format(k->format), name);
            if (!e && k->format == FMT_VOP3B) e = find_text(l, "VOP3Op", name);
            if (!e) continue;
            e->used++;
            if (e->op != k->op) {
                wrong++;
                if (tell)
                    printf("%s: %s has opcode %u in the manual, %u here\n", l->name, name, e->op, k->op);
            }
            entries[n][r][k->format] = e;
        }
    return wrong;
}
static struct entry_text *text_for(unsigned n, unsigned row, unsigned format) {
    if (entries[n][row][format]) return entries[n][row][format];
    for (unsigned f = 0; f < FORMATS; f++)
        if (entries[n][row][f]) return entries[n][row][f];
    return NULL;
}
// Our words where manuals have no pseudo-code, else the manual of the processor's own generation, then its
// neighbours.
static struct entry_text *best_text(const struct isa *isa, unsigned row, unsigned format, unsigned *library) {
    static const unsigned order[3][LIBRARIES] = {{0, 1, 2, CDNA5}, {1, 2, 0, CDNA5}, {2, 1, 0, CDNA5}};
    const unsigned own = generation_within(isa->generation, GFX12)   ? 2
                         : generation_within(isa->generation, GFX10) ? 1
                                                                     : 0;
    struct entry_text *e = words_for(row_id(&isa_rows[row]));
    *library = order[own][0];
    for (unsigned i = 0; !e && i < LIBRARIES; i++) e = text_for(*library = order[own][i], row, format);
    return e;
}

// Rows whose text is about state that no register holds. Other tests have them.
static const struct {
    const char *key, *reason;
} skipped[] = {
    {"s_rfe*", "traps"},
    {"s_get_shader_cycles_u64", "a clock"},
    {"s_barrier_signal_isfirst", "barriers"},
    {"s_barrier_init", "barriers"},
    {"s_barrier_join", "barriers"},
    {"s_barrier_leave", "barriers"},
    {"s_get_barrier_state", "barriers"},
    {"s_sendmsg_rtn*", "messages"},
    {"s_alloc_vgpr", "the number of registers"},
    {"ds_bvh_stack*", "the stack of a ray"},
    {"scratch_load_block", "registers that M0 chooses"},
    {"scratch_store_block", "registers that M0 chooses"},
    {"global_load_block", "registers that M0 chooses"},
    {"global_store_block", "registers that M0 chooses"},
    {"global_atomic_ordered_add_b64", "a limit that the driver sets"},
    {"v_interp*", "rounding and modifiers of its own"},
    {"v_rcp_bf16", "denormals are not told"},
    {"v_rsq_bf16", "denormals are not told"},
    {"v_sqrt_bf16", "denormals are not told"},
    {"v_log_bf16", "denormals are not told"},
    {"v_sin_bf16", "denormals are not told"},
    {"v_cos_bf16", "denormals are not told"},
    {"v_fmamk_f64", "literals of 64 bits"},
    {"v_fmaak_f64", "literals of 64 bits"},
    {"v_mov_b16", "halves of registers by name"},
    {"v_swap_b16", "halves of registers by name"},
};
// The text of these calls functions for formats that it does not have.
static bool converts_formats(const struct row *row) {
    return strstr(row_id(row), "buffer_") && strstr(row_id(row), "_format_");
}
static bool is_skipped(const struct row *row) {
    for (unsigned i = 0; i < sizeof skipped / sizeof *skipped; i++)
        if (fits(skipped[i].key, row_id(row))) return true;
    return false;
}

// ---- Running ----

struct trial {
    const sw_processor *p;
    const struct isa *isa;
    struct slot *slots;
    struct entry_text **texts;
    unsigned *text_library;
    unsigned count, capacity, current;
    bool pending, wave32;
    uint64_t code;
    struct machine before, now, expected;
    struct env env;
    bool evaluated;
    unsigned runs, failures, not_evaluated;
};
static struct mark marks[MARKS];
static uint8_t touched[MEMORY_BYTES]; // by the text of the last trial
static const char *only;
static unsigned trials = 6, shown;
static const char *vectors; // the file to be written
static struct { unsigned runs, failures, unevaluated; } by_row[8192];

// What the instruction can reach of memory.
static uint8_t *memory_of(const sw_step *step, const struct slot *s) {
    if (reaches_global(s->format)) return (uint8_t *)(uintptr_t)(global_base + WINDOW);
    return is_memory_format(s->format) ? ((const struct wave *)step->state)->lds : NULL;
}
static void copy_wave(const sw_step *step, const struct slot *s, struct machine *m) {
    const uint8_t *memory = memory_of(step, s);
    if (memory) memcpy(m->mem, memory, sizeof m->mem);
    for (unsigned i = 0; i < MACHINE_VGPRS; i++) {
        const uint32_t *r = sw_step_register(step, 256 + i);
        if (r) memcpy(m->v[i], r, 4 * (size_t)step->lanes);
    }
    for (unsigned i = 0; i < 128; i++) m->s[i] = *sw_step_register(step, i);
    m->scc = *sw_step_scc(step);
    m->mode = ((const struct wave *)step->state)->mode;
}
static void put_wave(const sw_step *step, const struct slot *s, const struct machine *m) {
    uint8_t *memory = memory_of(step, s);
    if (memory) memcpy(memory, m->mem, sizeof m->mem);
    for (unsigned i = 0; i < MACHINE_VGPRS; i++) {
        uint32_t *r = sw_step_register(step, 256 + i);
        if (r) memcpy(r, m->v[i], 4 * (size_t)step->lanes);
    }
    for (unsigned i = 0; i < 128; i++) *sw_step_register(step, i) = m->s[i];
    *sw_step_scc(step) = m->scc;
    ((struct wave *)step->state)->mode = m->mode;
}
static unsigned tolerance(const struct slot *s, enum fmt f) {
    if (strstr(row_id(s->row), "sin_f32") || strstr(row_id(s->row), "cos_f32"))
        return 16; // no accuracy is told
    return f == F16 || f == BF16 ? 1 : 2;
}
// Makes what is got what is wanted, where the text says no more than the kind of value.
static void forgive(struct trial *t, const struct slot *s) {
    for (unsigned i = 0; i < t->env.mark_count; i++) {
        const struct mark *k = &marks[i];
        const size_t at = (size_t)((char *)k->at - (char *)&t->expected);
        uint32_t *got = (uint32_t *)(void *)((char *)&t->now + at);
        if (k->fmt > F64) continue;
        const enum fmt f = (enum fmt)k->fmt;
        if (f == F64) {
            const size_t step = at < sizeof t->expected.v ? 64 : 1;
            const uint64_t want = k->at[0] | (uint64_t)k->at[step] << 32,
                           have = got[0] | (uint64_t)got[step] << 32;
            const int64_t apart = (int64_t)(want - have);
            if ((k->quiets && have == (want | fmt_quiet_bit(F64))) ||
                (k->nan && fmt_is_nan(F64, have) && have & fmt_quiet_bit(F64)) ||
                (k->inexact && apart >= -64 && apart <= 64))
                k->at[0] = got[0], k->at[step] = got[step];
            continue;
        }
        const unsigned bits = fmt_facts[f].bits;
        const uint32_t mask = (bits == 32 ? ~0u : (1u << bits) - 1) << k->lo;
        const uint32_t want = (*k->at & mask) >> k->lo, have = (*got & mask) >> k->lo;
        const int64_t apart = (int64_t)want - (int64_t)have;
        const int64_t most = (int64_t)tolerance(s, f);
        if ((k->quiets && have == (want | fmt_quiet_bit(f))) ||
            (k->nan && fmt_is_nan(f, have) && have & fmt_quiet_bit(f)) ||
            (k->inexact && ((apart >= -most && apart <= most) || !((want | have) & ~(uint32_t)fmt_sign(f)))))
            *k->at = (*k->at & ~mask) | (*got & mask);
    }
}
static const char *difference(struct trial *t, const struct slot *s, const sw_step *step, char *text,
                              size_t room) {
    forgive(t, s);
    const struct machine *e = &t->expected, *g = &t->now;
    for (unsigned n = 0; n < MACHINE_VGPRS; n++)
        for (unsigned l = 0; l < step->lanes; l++)
            if (e->v[n][l] != g->v[n][l]) {
                int at = snprintf(text, room,
                                  "v%u lane %u: manual 0x%08x, here 0x%08x, was 0x%08x; mode %03x; sources",
                                  n, l, e->v[n][l], g->v[n][l], t->before.v[n][l], s->mode);
                for (unsigned i = 0; i < 3; i++) {
                    const struct place *p = &t->env.src[i];
                    if (p->kind == P_VGPR)
                        at += snprintf(text + at, room - (size_t)at, " %08x_%08x",
                                       t->before.v[p->index + 1][l], t->before.v[p->index][l]);
                    else if (p->kind == P_SGPR)
                        at += snprintf(text + at, room - (size_t)at, " s%u=%08x", p->index,
                                       t->before.s[p->index]);
                    else if (p->kind == P_CONSTANT)
                        at +=
                            snprintf(text + at, room - (size_t)at, " #%llx", (unsigned long long)p->constant);
                }
                return text;
            }
    for (unsigned n = 0; n < 128; n++)
        if (e->s[n] != g->s[n]) {
            snprintf(text, room,
                     "s%u: manual 0x%08x, here 0x%08x, was 0x%08x; mode %03x; s8.. %08x %08x %08x %08x", n,
                     e->s[n], g->s[n], t->before.s[n], s->mode, t->before.s[8], t->before.s[9],
                     t->before.s[12], t->before.s[13]);
            return text;
        }
    for (unsigned n = 0; n < MEMORY_DWORDS; n++)
        if (is_memory_format(s->format) && e->mem[n] != g->mem[n]) {
            snprintf(text, room, "memory at 0x%x: manual 0x%08x, here 0x%08x, was 0x%08x; mode %03x", 4 * n,
                     e->mem[n], g->mem[n], t->before.mem[n], s->mode);
            return text;
        }
    if (e->scc != g->scc) {
        snprintf(text, room, "SCC: manual %u, here %u; s8.. %08x %08x %08x %08x", e->scc, g->scc,
                 t->before.s[8], t->before.s[9], t->before.s[12], t->before.s[13]);
        return text;
    }
    if (e->mode != g->mode) {
        snprintf(text, room, "MODE: manual 0x%08x, here 0x%08x, was 0x%08x", e->mode, g->mode,
                 t->before.mode);
        return text;
    }
    if ((t->env.branched ? t->env.pc : t->code + s->at + s->size) != step->pc) {
        snprintf(text, room, "PC: %+lld from the manual's",
                 (long long)(step->pc - (t->env.branched ? t->env.pc : t->code + s->at + s->size)));
        return text;
    }
    return NULL;
}
static void check_last(struct trial *t, const sw_step *step) {
    const struct slot *s = &t->slots[t->current];
    const unsigned row = (unsigned)(s->row - isa_rows);
    char text[400];
    if (!t->evaluated) {
        if (only) printf("%s: %s\n", row_id(s->row), t->texts[t->current]->why);
        t->not_evaluated++;
        by_row[row].unevaluated++;
        return;
    }
    copy_wave(step, s, &t->now);
    ((struct wave *)step->state)->mode = t->before.mode; // VSKIP and forks are over
    t->runs++, by_row[row].runs++;
    static struct machine told; // `difference` makes what is not told as it is
    told = t->expected;
    const char *wrong = difference(t, s, step, text, sizeof text);
    struct entry_text *e = t->texts[t->current];
    if (wrong && e->other) {
        char second[400];
        t->expected = t->before;
        t->env.mark_count = 0;
        const bool holds = expect(&t->env, t->isa, s, e->other, e->other_text);
        static struct machine other;
        other = t->expected;
        if (holds && !difference(t, s, step, second, sizeof second)) wrong = NULL, told = other;
    }
    if (vectors) {
        t->expected = told;
        vector_pc = t->code + s->at;
        write_vector(t->isa, s, step->lanes, &t->before, &t->expected, marks, t->env.mark_count, tolerance,
                     is_for_the_wave(e->text) || has_prefix(row_id(s->row), "v_interp"),
                     t->env.branched ? t->env.pc : 0);
    }
    if (!wrong) return;
    t->failures++;
    t->texts[t->current]->failed++;
    if (by_row[row].failures++ < (only ? 6 : 1)) {
        char line[100] = "";
        for (unsigned i = 0; i < s->size; i += 4)
            snprintf(line + strlen(line), sizeof line - strlen(line), " %08x",
                     *(const uint32_t *)(const void *)(s->bytes + i));
        printf("%s (%s, %s, w%u, op_sel %x/%x neg %x/%x abs %x clamp %d omod %d,%s): %s\n", row_id(s->row),
               sw_processor_name(t->p), format_names[s->format], step->lanes, t->env.op_sel, t->env.op_sel_hi,
               t->env.neg, t->env.neg_hi, t->env.abs, s->in.f[F_clamp], s->in.f[F_omod], line, wrong);
        shown++;
    }
}
static void observe_step(struct trial *t, const sw_step *step);
static void observe(void *context, const sw_step *step) {
    // The device computes with its own rounding and denormals, and so do we.
    fenv_t env;
    fegetenv(&env);
    fesetenv(FE_DFL_ENV);
    observe_step(context, step);
    fesetenv(&env);
}
static void put_address(struct machine *m, unsigned at, uint64_t address) {
    m->s[at] = (uint32_t)address, m->s[at + 1] = (uint32_t)(address >> 32);
}
// Addresses to jump to: in the last source of 64 bits, and in the entries of forks, which have EXEC before
// them.
static void put_targets(const struct isa *isa, const struct slot *s, struct machine *m, const sw_step *step) {
    const struct row *row = s->row;
    const uint64_t target = step->pc + (s->number % 2 ? (uint64_t)-4 : s->size + 4);
    const unsigned last = row->src[1].type == T_B64;
    if (row->src[last].type == T_B64 && row->src[1].type != T_LABEL)
        put_address(m, place_of(isa, s, row->src[last], step->lanes == 32).index, target);
    if (row->src[0].type == T_I64) // from the next instruction
        put_address(m, place_of(isa, s, row->src[0], step->lanes == 32).index, target - step->pc - s->size);
    const bool forks = row_begins(row, "s_cbranch_") && row->writes & R_MODE, joins = !row->src[1].type;
    if (!forks) return;
    const unsigned csp = s->number % 3 + joins;
    m->mode = (m->mode & ~(7u << 29)) | csp << 29;
    for (unsigned i = 0; i < csp; i++) put_address(m, 4 * i + 2, target);
    if (joins) m->s[place_of(isa, s, row->src[0], false).index] = s->number % 4 ? csp - 1 : csp;
}
// Either half of EXEC, both, none; with the other half kept or not.
static void put_halves(const struct isa *isa, const struct slot *s, struct machine *m) {
    if (s->number & 1) m->s[126] = 0;
    m->s[127] = s->number & 2 ? 5 : 0;
    if (!s->number) m->s[place_of(isa, s, s->row->src[0], false).index] = 0;
}
static void observe_step(struct trial *t, const sw_step *step) {
    if (!t->code) t->code = step->pc;
    const uint64_t at = step->pc - t->code;
    if (t->pending) {
        check_last(t, step);
        t->pending = false;
        t->current++;
    }
    if (t->current >= t->count || t->slots[t->current].at != at) return;
    const struct slot *s = &t->slots[t->current];
    struct entry_text *text = t->texts[t->current];
    copy_wave(step, s, &t->before);
    seed_for(row_id(s->row), s->format * 1000u + s->number + 500);
    randomize(t->isa, s, &t->before, step->lanes);
    if (vectors) {
        const bool none = row_begins(s->row, "s_cbranch_exec") && s->number % 2;
        t->before.s[126] = none                                               ? 0
                           : step->lanes == 64 && is_for_the_wave(text->text) ? 0x8ffff01d
                                                                              : VECTOR_EXEC;
        t->before.s[127] = 0;
        if (row_begins(s->row, "s_subvector")) put_halves(t->isa, s, &t->before);
        for (unsigned n = 0; n < MACHINE_VGPRS; n++)
            for (unsigned l = 0; l < 64; l++)
                if (!is_for_the_wave(text->text) && !has_prefix(row_id(s->row), "v_interp") &&
                    l >= VECTOR_LANES)
                    t->before.v[n][l] = 0;
    }
    if (s->jumps) put_targets(t->isa, s, &t->before, step);
    t->expected = t->before;
    current_library = &libraries[t->text_library[t->current]];
    set_frame(&t->env, t->p, t->isa, s, step->lanes, &t->expected, text->text,
              ((const struct wave *)step->state)->mode);
    t->env.pc = step->pc;
    if (is_memory_format(s->format))
        set_memory(&t->env, t->isa, s, step->lanes, text->text,
                   reaches_global(s->format) ? global_base + WINDOW : 0, touched,
                   has(t->p, CAP_agprs) && element_type(s->row) == T_F32);
    t->env.marks = marks;
    t->evaluated = expect(&t->env, t->isa, s, text->tree, text->text);
    if (is_memory_format(s->format)) clear_memory(&t->before, touched), clear_memory(&t->expected, touched);
    if (!t->evaluated && !*text->why) snprintf(text->why, sizeof text->why, "%s", problem);
    if (s->format == FMT_SCRATCH) { // the wave's private memory is where memory is
        struct wave *w = step->state;
        w->scratch_base = global_base + WINDOW, w->scratch_size = MEMORY_BYTES / step->lanes;
    }
    put_wave(step, s, &t->before);
    copy_wave(step, s, &t->before);
    t->pending = true;
}

// ---- A processor ----

static void add_slots(struct trial *t, const struct coding *c) {
    unsigned library;
    struct entry_text *e = best_text(t->isa, c->row, c->format, &library);
    if (!e || !e->tree) return;
    const struct row *row = &isa_rows[c->row];
    const bool chooses =
        is_min_or_max(row_id(row)) && strstr(row_id(row), "_f"); // the third lets denormals in alone
    const unsigned many = vectors                       ? (row->flags & ROW_BRANCH ? 4
                                                           : chooses               ? 3
                                                                                   : 2)
                          : is_scalar_format(c->format) ? 8 * trials
                                                        : trials;
    for (unsigned i = 0; i < many; i++) { // the fourth and so on have all modifiers
        struct slot s;
        if (!make_slot(t->isa, c, vectors ? 3 * i : i, t->wave32, &s)) {
            if (!i)
                printf("%s: no operands for %s\n", sw_processor_name(t->p), row_id(&isa_rows[c->row])),
                    t->failures++;
            return;
        }
        if (t->count == t->capacity) {
            t->capacity = t->capacity * 2 + 256;
            t->slots = realloc(t->slots, t->capacity * sizeof *t->slots);
            t->texts = realloc(t->texts, t->capacity * sizeof *t->texts);
            t->text_library = realloc(t->text_library, t->capacity * sizeof *t->text_library);
        }
        t->texts[t->count] = e, t->text_library[t->count] = library;
        t->slots[t->count++] = s;
    }
}
static char *kernel_of(struct trial *t) {
    char *text = malloc((size_t)t->count * 300 + 4096), *p = text;
    const bool unified = has(t->p, CAP_unified_vgprs);
    uint64_t at = 0;
    p += sprintf(p, ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n");
    for (unsigned i = 0; i < t->count; i++) {
        struct slot *s = &t->slots[i];
        s->at = put_slot_code(&p, &at, s->row, s->bytes, s->size, s->mode);
    }
    p += sprintf(
        p,
        "s_nop 0\ns_endpgm\n.section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr %d\n"
        ".amdhsa_next_free_sgpr 80\n.amdhsa_group_segment_fixed_size %d\n",
        MACHINE_VGPRS, MEMORY_BYTES);
    if (unified) p += sprintf(p, ".amdhsa_accum_offset %d\n", MACHINE_VGPRS);
    if (t->isa->generation >= GFX10) p += sprintf(p, ".amdhsa_wavefront_size32 %d\n", t->wave32);
    sprintf(p, ".end_amdhsa_kernel\n");
    return text;
}
static bool run_trial(struct trial *t) {
    char *text = kernel_of(t);
    struct rig rig;
    const sw_device_hooks hooks = {.size = sizeof hooks, .context = t, .observe = observe};
    const bool opened = rig_open_watched(&rig, sw_processor_name(t->p), text, &hooks);
    free(text);
    if (!opened) return printf("%s: the kernel does not assemble or load\n", sw_processor_name(t->p)), false;
    const uint64_t memory = (uint64_t)(uintptr_t)sw_device_alloc(rig.device, 3 * 0x10000);
    global_base = (memory + 0xffff) & ~0xffffull;
    sw_dispatch q =
        rig_dispatch(rig.object, rig.executable, "k", NULL, t->wave32 ? 32 : 64, t->wave32 ? 32 : 64);
    q.timeout = 3600;
    sw_fault fault = {.size = sizeof fault};
    const sw_status status = sw_device_run(rig.device, &q, &fault, NULL, NULL);
    const bool ok = !status && t->current == t->count;
    if (!ok)
        printf("%s: status %d at %u of %u (%s): %s\n", sw_processor_name(t->p), status, t->current, t->count,
               t->current < t->count ? row_id(t->slots[t->current].row) : "",
               fault.reason ? fault.reason : "");
    rig_close(&rig);
    return ok;
}
// Scalar code on masks is for one wave size.
static bool wants_wave(const struct row *row, bool wave32) {
    const char *id = row_id(row);
    const size_t n = strlen(id);
    if (!(row->writes & R_EXEC) || !is_scalar_format(row->enc[0].format)) return true;
    if (row_begins(row, "s_subvector")) return !wave32;
    return strcmp(id + n - 3, wave32 ? "b64" : "b32") != 0;
}

int main(int argc, char **argv) {
    const char *folder = NULL, *on = NULL;
    bool generations_only = true;
    for (int i = 1; i < argc; i++) {
        if (has_prefix(argv[i], "--only="))
            only = argv[i] + 7;
        else if (has_prefix(argv[i], "--on="))
            on = argv[i] + 5;
        else if (has_prefix(argv[i], "--trials="))
            trials = (unsigned)strtoul(argv[i] + 9, NULL, 10);
        else if (has_prefix(argv[i], "--vectors="))
            vectors = argv[i] + 10;
        else if (!strcmp(argv[i], "--all"))
            generations_only = false;
        else
            folder = argv[i];
    }
    if (!folder)
        return fprintf(stderr, "usage: %s FOLDER [--only=ROW] [--on=PROCESSOR] [--trials=N] [--all]\n",
                       *argv),
               1;
    unsigned wrong = 0;
    library_count = LIBRARIES;
    for (unsigned i = 0; i < LIBRARIES; i++) {
        if (i == CDNA5 ? !read_manual(&libraries[i], folder, library_facts[i].name)
                       : !read_library(&libraries[i], folder, library_facts[i].name))
            return fprintf(stderr, "%s: no text of %s\n", folder, library_facts[i].name), 2;
        wrong += index_library(i, true);
    }
    static bool done[64][8192];
    unsigned runs = 0, failures = 0, unevaluated = 0;
    bool ok = true;
    for (unsigned i = 0; i < sw_processor_count(); i++) {
        const sw_processor *p = sw_processor_at(i);
        const struct isa *isa = isa_of(p);
        if (!isa || strstr(sw_processor_name(p), "generic") || (on && strcmp(on, sw_processor_name(p)) != 0))
            continue;
        bool rows[8192] = {false}, any = false;
        for (unsigned r = 0; r < isa_row_count; r++) {
            if (isa->row_codings[r] == isa->row_codings[r + 1] ||
                (generations_only && done[isa->generation][r]) || row_gap(&isa_rows[r]) ||
                is_skipped(&isa_rows[r]) || converts_formats(&isa_rows[r]) ||
                (only && !fits(only, row_id(&isa_rows[r]))))
                continue;
            rows[r] = done[isa->generation][r] = any = true;
        }
        for (unsigned size = 0; any && size < 2; size++) {
            if (size == 0 && isa->generation < GFX10) continue;
            if (size == 1 && isa->generation == GFX12_5) continue;
            struct trial *t = calloc(1, sizeof *t);
            t->p = p, t->isa = isa, t->wave32 = size == 0;
            for (unsigned r = 0; r < isa_row_count; r++)
                if (rows[r] && (isa->generation == GFX12_5 || wants_wave(&isa_rows[r], t->wave32)) &&
                    (!vectors || !size || isa->generation < GFX10 || !wants_wave(&isa_rows[r], true)))
                    for (unsigned c = isa->row_codings[r]; c < isa->row_codings[r + 1]; c++)
                        if (is_tried_format(isa->codings[c].format)) add_slots(t, &isa->codings[c]);
            if (t->count) ok &= run_trial(t);
            runs += t->runs, failures += t->failures, unevaluated += t->not_evaluated;
            free(t->slots), free(t->texts), free(t->text_library), free(t);
        }
    }
    if (vectors) {
        static const char *names[64];
        for (unsigned i = sw_processor_count(); i-- > 0;) { // the first of each generation
            const sw_processor *p = sw_processor_at(i);
            if (isa_of(p) && !strstr(sw_processor_name(p), "generic"))
                names[isa_of(p)->generation] = sw_processor_name(p);
        }
        ok &= write_vectors(vectors, names);
    }
    for (unsigned i = 0; i < LIBRARIES && !only; i++) {
        unsigned parsed = 0, used = 0;
        for (unsigned k = 0; k < libraries[i].count; k++) {
            const struct entry_text *e = &libraries[i].entries[k];
            parsed += e->tree != NULL, used += e->used != 0;
            if (*e->why && has_prefix(e->name, "") && e->kind[0] != 'D' &&
                (has_prefix(e->kind, "VOP") || has_prefix(e->kind, "SOP")))
                printf("%s: %s %s: %s\n", libraries[i].name, e->kind, e->name, e->why);
            else if (!e->used && (has_prefix(e->kind, "VOP1") || has_prefix(e->kind, "VOP2") ||
                                  has_prefix(e->kind, "VOP3") || has_prefix(e->kind, "VOPC") ||
                                  has_prefix(e->kind, "SOP1") || has_prefix(e->kind, "SOP2") ||
                                  has_prefix(e->kind, "SOPC") || has_prefix(e->kind, "SOPK")))
                printf("%s: %s %s: no row of this name\n", libraries[i].name, e->kind, e->name);
        }
        printf("%s: %u texts, %u parsed, %u belong to rows\n", libraries[i].name, libraries[i].count, parsed,
               used);
    }
    unsigned rows_run = 0, rows_wrong = 0;
    for (unsigned r = 0; r < isa_row_count; r++)
        rows_run += by_row[r].runs != 0, rows_wrong += by_row[r].failures != 0;
    printf("%u rows, %u instructions run, %u differ (%u rows), %u not evaluated, %u opcodes differ\n",
           rows_run, runs, failures, rows_wrong, unevaluated, wrong);
    return ok && !failures && !wrong ? 0 : 1;
}
