// SPDX-License-Identifier: MIT
// What the instruction reference says is what the software GPU does: the code of each operation (meaning.def)
// is evaluated and compared, bit for bit, with the registers, LDS and memory that the instruction leaves
// behind. Every row runs on the first processor of each generation that has it, in each of its encodings, on
// random and on awkward values, in both wave sizes. What cannot be evaluated is listed below, by reason.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/body/body.h"
#include "isa/isa.h"
#include "isa/kinds.h"
#include "meaning_slots.h"
#include "rig.h"
#include "softwave/isa.h"

// ---- What is not evaluated ----
// A key is a row's id, a sem, or the beginning of ids with a star.
static const struct {
    const char *key, *reason;
} not_evaluated[] = {
#include "meaning_skipped.def"
};
enum { SKIPPED = sizeof not_evaluated / sizeof *not_evaluated };
static unsigned skipped_rows[SKIPPED];

static bool fits(const char *key, const char *name) {
    const size_t n = strlen(key);
    return key[n - 1] == '*' ? !strncmp(key, name, n - 1) : !strcmp(key, name);
}
static bool is_skipped(const struct row *row) {
    for (unsigned i = 0; i < SKIPPED; i++)
        if (fits(not_evaluated[i].key, row_id(row)) || fits(not_evaluated[i].key, row_sem(row))) return true;
    return false;
}

// ---- Running ----

static struct where where_of(const struct trial *t, const struct slot *s, struct operand_spec spec) {
    if (!spec.type) return (struct where){0};
    switch (spec.type) {
    case T_IMM16:
    case T_SMALL: return (struct where){IS_NUMBER, 0, 1, s->in.f[spec.field]};
    case T_ADDR:
    case T_SADDR:
    case T_BUFADDR:
    case T_SWIZZLE: return (struct where){0}; // parts of the instruction that the code takes by name
    default: break;
    }
    if (spec.field == F_literal) return (struct where){IS_NUMBER, 0, 1, (uint32_t)s->in.f[F_literal]};
    const struct operand o = insn_operand(t->isa, &s->in, spec, t->wave32);
    if (o.type == T_LABEL || o.type == T_NO_OPERAND) return (struct where){0};
    return (struct where){o.code >= SRC_VGPR0 ? IN_VGPR : IN_SGPR, o.code, o.dwords, 0};
}
static uint32_t *registers(struct machine *m, const struct where *w, unsigned n, unsigned lane) {
    if (w->kind == IN_VGPR) return &m->v[w->code - 256 + n][lane];
    assert_in_range(w->code + n, 0, 127);
    return &m->s[w->code + n];
}
static void copy_wave(struct trial *t, const sw_step *step, struct machine *m) {
    for (unsigned i = 0; i < 512; i++) {
        const uint32_t *r = sw_step_register(step, 256 + i);
        if (r) memcpy(m->v[i], r, 4 * (size_t)step->lanes);
    }
    for (unsigned i = 0; i < 128; i++) m->s[i] = *sw_step_register(step, i);
    m->scc = *sw_step_scc(step);
    memcpy(m->memory, t->memory, sizeof m->memory);
    memcpy(m->lds, ((struct wave *)step->state)->lds, sizeof m->lds);
}
static void put_wave(struct trial *t, const sw_step *step, const struct machine *m) {
    for (unsigned i = 0; i < 512; i++) {
        uint32_t *r = sw_step_register(step, 256 + i);
        if (r) memcpy(r, m->v[i], 4 * (size_t)step->lanes);
    }
    for (unsigned i = 0; i < 128; i++) *sw_step_register(step, i) = m->s[i];
    *sw_step_scc(step) = m->scc;
    memcpy(t->memory, m->memory, sizeof m->memory);
    memcpy(((struct wave *)step->state)->lds, m->lds, sizeof m->lds);
}

static void randomize(struct trial *t, struct machine *m, const struct slot *s, unsigned lanes) {
    const struct row *row = s->row;
    const uint64_t full = lanes == 64 ? ~0ull : 0xffffffff;
    const bool sparse = row->class == CLASS_SWMMAC || !strncmp(row_id(row), "v_smfmac", 8);
    for (unsigned i = 0; i < 128; i++)
        if (i < 104) m->s[i] = (uint32_t)element(T_B32);
    m->scc = below(2);
    uint64_t vcc = next64() & full, exec = below(3) ? full : next64() & full;
    if (!below(8)) exec = 0;
    if (!below(8)) vcc = 0;
    for (unsigned i = 0; i < ROW_DST + ROW_SRC; i++) {
        const struct operand_spec spec = i < ROW_DST ? row->dst[i] : row->src[i - ROW_DST];
        const struct where w = where_of(t, s, spec);
        if (w.kind != IN_VGPR && w.kind != IN_SGPR) continue;
        const unsigned step = spec.type == T_F64 ? 2 : 1, dwords = w.dwords ? w.dwords : 1;
        for (unsigned l = 0; l < (w.kind == IN_VGPR ? lanes : 1); l++)
            for (unsigned n = 0; n < dwords; n += step) {
                uint64_t v = element((enum operand_type)spec.type);
                if (sparse)
                    v = (below(16) | 0x40u) * 0x01010101u &
                        (spec.type == T_W256 && i < 3 ? 0x3f3f3f3f : 0x3f3f3f3f);
                if (sparse && i - ROW_DST == 2) v = 0;
                if (sparse && i - ROW_DST == 2)
                    for (unsigned k = 0; k < 8; k++) v |= (uint64_t) "\4\10\14\11\15\16"[below(6)] << 4 * k;
                *registers(m, &w, n, l) = (uint32_t)v;
                if (step == 2 && n + 1 < dwords) *registers(m, &w, n + 1, l) = (uint32_t)(v >> 32);
            }
    }
    if (!strncmp(row_id(row), "v_div_scale", 11)) // what is scaled is the denominator or the numerator
        for (unsigned l = 0; l < lanes; l++) {
            const struct where a = where_of(t, s, row->src[0]), b = where_of(t, s, row->src[1 + below(2)]);
            for (unsigned n = 0; n < a.dwords; n++) *registers(m, &a, n, l) = *registers(m, &b, n, l);
        }
    m->s[106] = (uint32_t)vcc, m->s[107] = (uint32_t)(vcc >> 32);
    m->s[126] = (uint32_t)exec, m->s[127] = (uint32_t)(exec >> 32);
    m->s[t->isa->m0_register] =
        strstr(row_id(row), "rel") || row->reads & R_M0
            ? below(4) | (strstr(row_id(row), "_2_") || strstr(row_id(row), "swaprel") ? below(4) << 16 : 0)
            : (uint32_t)next64();
    if (strstr(row_id(row), "_block")) m->s[t->isa->m0_register] = (uint32_t)next64();
    if (s->format == FMT_DS && t->isa->generation < GFX9) m->s[t->isa->m0_register] = ~0u; // the limit of LDS
}

static void set_address(struct trial *t, struct machine *m, const struct slot *s, struct run *r) {
    const struct row *row = s->row;
    const struct insn *in = &s->in;
    const uint64_t base = (uint64_t)(uintptr_t)t->memory;
    const bool tr = false;
    (void)tr;
    switch (s->format) {
    case FMT_DS: {
        const int vaddr = in->f[F_addr] - SRC_VGPR0;
        const unsigned bytes = access_size(row->access);
        const bool lanes_only = row->class == CLASS_BETWEEN_LANES;
        r->offset = (in->f[F_offset0] & 255) | (in->f[F_offset1] & 255) << 8;
        if (!row->src[0].type || row->src[0].field != F_addr) {
            if (row->access) m->s[t->isa->m0_register] = below(64) * 16;
            for (unsigned l = 0; l < 64; l++) r->address[l] = r->offset + (int64_t)m->s[t->isa->m0_register];
            return;
        }
        for (unsigned l = 0; l < 64; l++) {
            const bool two = row->flags & ROW_TWO_OFFSETS;
            const uint32_t a = lanes_only    ? (uint32_t)next64()
                               : two         ? (l * 37 & 63) * bytes
                               : row->atomic ? (l * 37 & 63) * 16
                                             : below(120) * 16;
            m->v[vaddr][l] = a;
            const unsigned unit = strstr(row_sem(row), "stride64") ? 64 * bytes : bytes;
            r->address[l] = (uint32_t)(a + (two ? unit * (unsigned)in->f[F_offset0] : (unsigned)r->offset));
            r->address2[l] = (uint32_t)(a + unit * (unsigned)in->f[F_offset1]);
            if (!strcmp(row_sem(row), "ds_src2")) {
                r->address[l] = a;
                r->address2[l] = a + 4 * (uint32_t)((int32_t)((uint32_t)r->offset << 17) >> 17);
            }
        }
        return;
    }
    case FMT_FLAT:
    case FMT_GLOBAL: {
        const bool scalar = s->format == FMT_GLOBAL && in->f[F_saddr] == 80;
        const int vaddr = in->f[F_vaddr] - SRC_VGPR0;
        const bool addtid = strstr(row_id(row), "addtid");
        if (scalar || addtid) {
            const uint64_t from = base + below(64) * 16;
            m->s[80] = (uint32_t)from, m->s[81] = (uint32_t)(from >> 32);
        }
        for (unsigned l = 0; l < 64; l++) {
            const uint64_t a = strstr(row_id(row), "_block") ? (l * 37 & 63) * 128
                               : row->atomic                 ? (l * 37 & 63) * 16
                                                             : below(2000) * 16;
            if (addtid)
                r->address[l] = (int64_t)(m->s[80] | (uint64_t)m->s[81] << 32) + in->f[F_offset];
            else if (scalar)
                m->v[vaddr][l] = (uint32_t)a,
                r->address[l] = (int64_t)((m->s[80] | (uint64_t)m->s[81] << 32) + a) + in->f[F_offset];
            else {
                m->v[vaddr][l] = (uint32_t)(base + a), m->v[vaddr + 1][l] = (uint32_t)((base + a) >> 32);
                r->address[l] = (int64_t)(base + a) + in->f[F_offset];
            }
        }
        return;
    }
    case FMT_MUBUF: {
        const unsigned d = (unsigned)in->f[F_srsrc], so = (unsigned)in->f[F_soffset];
        m->s[d] = (uint32_t)base, m->s[d + 1] = (uint32_t)(base >> 32) & 0xffff, m->s[d + 2] = MEANING_MEMORY;
        m->s[d + 3] = t->isa->generation >= GFX10 ? 0x31016fac : 0x00027000;
        m->s[so] = below(64) * 16;
        for (unsigned l = 0; l < 64; l++) {
            const uint32_t a = row->atomic ? (l * 37 & 63) * 16 : below(2000) * 16;
            m->v[in->f[F_vaddr] - SRC_VGPR0][l] = a;
            r->address[l] = (int64_t)(base + a + m->s[so]) + in->f[F_offset];
        }
        return;
    }
    case FMT_SMEM: {
        const unsigned b = (unsigned)in->f[F_sbase];
        const uint64_t from = base + below(64) * 64;
        const bool buffer = operand_dwords[row->src[row->src[0].field == F_sbase ? 0 : 1].type] == 4;
        m->s[b] = (uint32_t)from, m->s[b + 1] = (uint32_t)(from >> 32) & (buffer ? 0xffffu : ~0u);
        if (buffer) m->s[b + 2] = MEANING_MEMORY / 2, m->s[b + 3] = 0x00027000;
        for (unsigned l = 0; l < 64; l++)
            r->address[l] = (int64_t)from + in->f[F_offset] * (t->isa->generation < GFX8 ? 4 : 1);
        return;
    }
    default: return;
    }
}

static bool accepted(const struct trial *t, const void *expected, uint32_t want, uint32_t got) {
    const struct run *r = &t->run;
    for (unsigned i = 0; i < r->mark_count; i++) {
        const struct result_mark *k = &r->marks[i];
        const char *at = k->at;
        const bool second =
            k->bits == 64 && (const char *)expected == at + (k->shift ? 0 : sizeof t->now.v[0]);
        if ((const char *)expected != at && !second &&
            !((const char *)expected == (const char *)((uintptr_t)at & ~(uintptr_t)3)))
            continue;
        if (k->bits == 64) continue; // accepted64
        const unsigned shift = k->shift + 8 * (unsigned)((uintptr_t)at & 3);
        const uint32_t mask = (k->bits == 32 ? ~0u : (1u << k->bits) - 1) << shift;
        const struct value x = float_of_bits(k->f, (want & mask) >> shift),
                           y = float_of_bits(k->f, (got & mask) >> shift);
        const int64_t apart = (int64_t)((want & mask) >> shift) - (int64_t)((got & mask) >> shift);
        if (k->nan ? isnan(y.d) : k->approximate && ((apart >= -1 && apart <= 1) || (x.d == 0 && y.d == 0)))
            got = (got & ~mask) | (want & mask);
    }
    return want == got;
}
// A 64-bit element that may be another.
static bool accepted64(const struct trial *t, const uint32_t *low, uint64_t want, uint64_t got) {
    for (unsigned i = 0; i < t->run.mark_count; i++) {
        const struct result_mark *k = &t->run.marks[i];
        if (k->at != low || k->bits != 64) continue;
        const int64_t apart = (int64_t)(want - got);
        if (k->nan ? isnan(as_double(got)) : k->approximate && apart >= -1 && apart <= 1) return true;
    }
    return want == got;
}

static const char *compare(struct trial *t, const struct slot *s, unsigned lanes, char *text, size_t room) {
    struct machine *e = &t->expected, *g = &t->now;
    const bool halves = operand_bits[s->row->dst[0].type] == 16 || strstr(t->run.text, "D.f16 =") ||
                        strstr(t->run.text, "D.u16 =") || strstr(t->run.text, "D.i16 =");
    for (unsigned n = 0; n < 512; n++)
        for (unsigned l = 0; l < lanes; l++) {
            const uint32_t want = e->v[n][l], got = g->v[n][l];
            if (want == got) continue;
            if (halves && (n == t->run.d.code - 256 ||
                           s->row->flags & ROW_SWAPS)) { // the other half stays, or becomes 0
                const uint32_t low = want & 0xffff, high = want & 0xffff0000;
                const bool upper = s->row->flags & ROW_DST_HIGH;
                uint32_t cleared = upper ? high : low;
                if (accepted(t, &e->v[n][l], cleared, got)) continue;
            }
            if (n + 1 < 512 && accepted64(t, &e->v[n][l], want | (uint64_t)e->v[n + 1][l] << 32,
                                          got | (uint64_t)g->v[n + 1][l] << 32))
                continue;
            if (n && accepted64(t, &e->v[n - 1][l], e->v[n - 1][l] | (uint64_t)want << 32,
                                g->v[n - 1][l] | (uint64_t)got << 32))
                continue;
            if (accepted(t, &e->v[n][l], want, got)) continue;
            int length = snprintf(text, room, "v%u, lane %u: the text gives 0x%08x, the GPU 0x%08x; sources",
                                  n, l, want, got);
            for (unsigned i = 0; i < 3; i++)
                if (t->run.s[i].kind == IN_VGPR)
                    length += snprintf(text + length, room - (size_t)length, " %08x_%08x",
                                       *registers(&t->before, &t->run.s[i], 1, l),
                                       *registers(&t->before, &t->run.s[i], 0, l));
            return text;
        }
    for (unsigned n = 0; n < 128; n++) {
        const uint32_t want = e->s[n], got = g->s[n];
        if (want == got || accepted(t, &e->s[n], want, got)) continue;
        if (n == t->run.d.code && t->run.d.kind == IN_SGPR && got == (want & 0xffff))
            continue; // 16-bit results
        if (n == t->run.d.code && t->run.d.kind == IN_SGPR && accepted(t, &e->s[n], want & 0xffff, got))
            continue;
        snprintf(text, room, "s%u: the text gives 0x%08x, the GPU 0x%08x", n, want, got);
        return text;
    }
    if (e->scc != g->scc)
        return snprintf(text, room, "SCC: the text gives %u, the GPU %u", e->scc, g->scc), text;
    const uint32_t *parts[2][2] = {{(uint32_t *)e->memory, (uint32_t *)g->memory},
                                   {(uint32_t *)e->lds, (uint32_t *)g->lds}};
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < (k ? MEANING_LDS : MEANING_MEMORY) / 4u; i++) {
            const uint32_t want = parts[k][0][i], got = parts[k][1][i];
            if (want == got || accepted(t, &parts[k][0][i], want, got)) continue;
            if (accepted64(t, &parts[k][0][i], want | (uint64_t)parts[k][0][i + 1] << 32,
                           got | (uint64_t)parts[k][1][i + 1] << 32))
                continue;
            if (i && accepted64(t, &parts[k][0][i - 1], parts[k][0][i - 1] | (uint64_t)want << 32,
                                parts[k][1][i - 1] | (uint64_t)got << 32))
                continue;
            snprintf(text, room, "%s at 0x%x: the text gives 0x%08x, the GPU 0x%08x", k ? "LDS" : "memory",
                     4 * i, want, got);
            return text;
        }
    return NULL;
}

static void check_last(struct trial *t, const sw_step *step) {
    const struct slot *s = &t->slots[t->current];
    const unsigned row = (unsigned)(s->row - isa_rows);
    char text[200];
    const char *sentence, *code, *wrong = NULL;
    sw_insn_meaning((const sw_insn_info *)s->row, &sentence, &code);
    copy_wave(t, step, &t->now);
    struct run saved;
    memcpy(&saved, &t->run, offsetof(struct run, marks));
    const bool adds = s->row->atomic && strstr(code, " + DATA.") && strstr(code, "f");
    meaning_flushes = false;
again:
    t->expected = t->before;
    t->run.before = &t->before;
    t->run.now = &t->expected;
    t->run.mark_count = 0;
    // Lane masks that are written begin with zeros.
    const uint64_t lanes = step->lanes == 64 ? ~0ull : 0xffffffff;
    for (unsigned i = 0; i < ROW_DST; i++) {
        const struct where w = i ? t->run.d1 : t->run.d;
        if (s->row->dst[i].type != T_MASK || w.kind != IN_SGPR) continue;
        t->expected.s[w.code] = 0;
        if (lanes == ~0ull) t->expected.s[w.code + 1] = 0;
    }
    if (strstr(code, "EXEC[LANE] =")) t->expected.s[126] = 0, t->expected.s[127] = 0;
    meaning_run(&t->run, code, s->format <= FMT_SMEM);
    if (t->run.error) {
        snprintf(text, sizeof text, "the text cannot be evaluated: %s", t->run.error);
        wrong = text;
    } else if (t->run.pc != step->pc)
        snprintf(text, sizeof text, "PC: the text gives %+lld", (long long)(t->run.pc - step->pc)),
            wrong = text;
    else
        wrong = compare(t, s, step->lanes, text, sizeof text);
    if (wrong && adds && !meaning_flushes) { // denormals as zero, as some processors do in memory
        memcpy(&t->run, &saved, offsetof(struct run, marks));
        wrong = NULL;
        meaning_flushes = true;
        goto again;
    }
    meaning_flushes = false;
    t->runs++;
    evaluated_by_row[row]++;
    if (wrong && failures_by_row[row]++ == 0)
        print_error("%s (%s, %s): %s\n    %s\n", row_id(s->row), sw_processor_name(t->p),
                    format_names[s->format], wrong, code);
    t->failures += wrong != NULL;
}

static void observe(void *context, const sw_step *step) {
    struct trial *t = context;
    if (!t->code) t->code = step->pc;
    const uint64_t at = step->pc - t->code;
    if (t->pending) {
        check_last(t, step);
        t->pending = false;
        t->current++;
    }
    if (t->current >= t->count || t->slots[t->current].at != at) return;
    const struct slot *s = &t->slots[t->current];
    const struct insn *in = &s->in;
    struct run *r = &t->run;
    copy_wave(t, step, &t->before);
    memset(r, 0, offsetof(struct run, locals));
    seed_for(row_id(s->row), t->current - s->first + t->isa->generation * 10000u + s->format * 100u + 50u);
    randomize(t, &t->before, s, step->lanes);
    set_address(t, &t->before, s, r);
    r->d = where_of(t, s, s->row->dst[0]);
    r->d1 = where_of(t, s, s->row->dst[1]);
    for (unsigned i = 0, n = 0; i < ROW_SRC; i++)
        if (s->row->src[i].type) r->s[n++] = where_of(t, s, s->row->src[i]);
    for (unsigned i = 0; i < ROW_SRC; i++) {
        const unsigned f = s->row->src[i].field;
        if (!s->row->src[i].type) continue;
        if (f == F_data0 || f == F_vdata || f == F_sdata) r->data = where_of(t, s, s->row->src[i]);
        if (f == F_data1) r->data1 = where_of(t, s, s->row->src[i]);
    }
    if (s->row->atomic && r->data.kind == NOWHERE)
        r->data = r->d.kind ? r->d : where_of(t, s, s->row->src[0]);
    if (!strcmp(row_sem(s->row), "ds_src2")) r->data = (struct where){0};
    if (s->row->atomic && s->format == FMT_MUBUF) r->d = r->data;
    r->lanes = step->lanes;
    r->m0 = t->isa->m0_register;
    r->memory_base = (uint64_t)(uintptr_t)t->memory;
    r->pc = step->pc + s->size;
    r->label = step->pc + s->size + 4;
    for (unsigned i = 0; i < ROW_SRC; i++) // addresses to jump to
        if (s->jumps && s->row->src[i].type == T_B64) {
            const struct where w = where_of(t, s, s->row->src[i]);
            t->before.s[w.code] = (uint32_t)r->label, t->before.s[w.code + 1] = (uint32_t)(r->label >> 32);
        }
    r->exec_before = t->before.s[126] | (uint64_t)t->before.s[127] << 32;
    r->any_zero = !strncmp(row_id(s->row), "v_med3_", 7);
    r->op_sel = (unsigned)in->f[F_op_sel];
    r->neg_lo = (unsigned)in->f[F_neg];
    r->table =
        (unsigned)(in->f[F_neg] & 7) | (unsigned)(in->f[F_abs] & 7) << 3 | (unsigned)(in->f[F_omod] & 3) << 6;
    r->returns = s->format == FMT_MUBUF || s->format == FMT_SMEM ? in->f[F_glc] || in->f[F_th] & 1
                                                                 : in->f[F_glc] || in->f[F_th] & 1;
    r->ieee = has(t->p, CAP_ieee_mode);
    r->limits_turns = t->isa->limits_turns;
    r->adds_last = has(t->p, CAP_agprs);
    r->halves_of_32 = has(t->p, CAP_permute_32) && step->lanes == 64;
    meaning_fnuz = t->isa->fp8_fnuz && !strstr(row_id(s->row), "scalef32");
    put_wave(t, step, &t->before);
    copy_wave(t, step, &t->before);
    t->pending = true;
}

// ---- A processor ----

static char *kernel_of(struct trial *t) {
    char *text = malloc(1 << 22), *p = text;
    const bool unified = has(t->p, CAP_unified_vgprs);
    uint64_t at = 0;
    p += sprintf(p, ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n");
    for (unsigned i = 0; i < t->count; i++) {
        struct slot *s = &t->slots[i];
        s->at = at;
        for (unsigned k = 0; k < s->size; k += 4)
            p += sprintf(p, ".long 0x%08x\n", *(uint32_t *)(s->bytes + k));
        at += s->size;
        if (s->jumps) p += sprintf(p, "s_nop 0\n"), at += 4;
    }
    p += sprintf(p,
                 "s_nop 0\ns_endpgm\n.section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel "
                 "k\n.amdhsa_next_free_vgpr %d\n.amdhsa_next_free_sgpr 96\n.amdhsa_group_segment_fixed_size "
                 "%d\n.amdhsa_float_denorm_mode_32 3\n",
                 unified ? 512 : 256, MEANING_LDS);
    if (unified) p += sprintf(p, ".amdhsa_accum_offset 256\n");
    if (t->isa->generation >= GFX10) p += sprintf(p, ".amdhsa_wavefront_size32 %d\n", t->wave32);
    sprintf(p, ".end_amdhsa_kernel\n");
    return text;
}
static void run_trial(struct trial *t) {
    char *text = kernel_of(t);
    struct rig rig;
    const sw_device_hooks hooks = {.size = sizeof hooks, .context = t, .observe = observe};
    assert_true(rig_open_watched(&rig, sw_processor_name(t->p), text, &hooks));
    t->memory = sw_device_alloc(rig.device, MEANING_MEMORY);
    assert_non_null(t->memory);
    for (unsigned i = 0; i < MEANING_MEMORY; i++) t->memory[i] = (uint8_t)next64();
    sw_dispatch q =
        rig_dispatch(rig.object, rig.executable, "k", NULL, t->wave32 ? 32 : 64, t->wave32 ? 32 : 64);
    q.timeout = 600;
    sw_fault fault = {.size = sizeof fault};
    const sw_status status = sw_device_run(rig.device, &q, &fault, NULL, NULL);
    if (status)
        print_error("%s: status %d at slot %u of %u (%s)\n", sw_processor_name(t->p), status, t->current,
                    t->count, t->current < t->count ? row_id(t->slots[t->current].row) : ""),
            print_error("fault %d at 0x%llx\n", fault.kind, (unsigned long long)fault.address);
    assert_int_equal(status, SW_OK);
    assert_int_equal(t->current, t->count);
    rig_close(&rig);
    free(text);
}
// Some code is for one wave size.
static bool wants_wave(const struct row *row, bool wave32) {
    const char *id = row_id(row);
    const size_t n = strlen(id);
    const bool exec = row->writes & R_EXEC && row->enc[0].format <= FMT_SMEM;
    if (!exec) return true;
    return wave32 ? !strcmp(id + n - 3, "b32") : !strcmp(id + n - 3, "b64");
}

static unsigned total_runs, total_failures;
static void try_processor(const sw_processor *p, const bool *rows) {
    const struct isa *isa = isa_of(p);
    const bool two_sizes = isa->generation >= GFX10;
    const unsigned sizes = isa->generation == GFX12_5 ? 1 : 2; // no wave of 64
    for (unsigned size = two_sizes ? 0 : 1; size < sizes; size++) {
        struct trial *t = calloc(1, sizeof *t);
        t->p = p, t->isa = isa, t->wave32 = size == 0;
        for (unsigned r = 0; r < isa_row_count; r++)
            if (rows[r] && wants_wave(&isa_rows[r], t->wave32))
                for (unsigned c = isa->row_codings[r]; c < isa->row_codings[r + 1]; c++)
                    add_slots(t, &isa->codings[c]);
        if (t->count) run_trial(t);
        total_runs += t->runs, total_failures += t->failures;
        free(t->slots);
        free(t);
    }
}

static void code_is_what_the_gpu_does(void **state) {
    (void)state;
    const char *only = getenv("MEANING_ONLY"); // one row, while writing texts
    const bool slow = getenv("SANITIZED");     // each row once then, not once a generation
    static bool done[64][8192];
    for (unsigned i = 0; i < sw_processor_count(); i++) {
        const sw_processor *p = sw_processor_at(i);
        const struct isa *isa = isa_of(p);
        bool rows[8192] = {false}, any = false;
        if (!isa || strstr(sw_processor_name(p), "generic")) continue;
        bool *has_run = done[slow ? 0 : isa->generation];
        for (unsigned r = 0; r < isa_row_count; r++) {
            if (isa->row_codings[r] == isa->row_codings[r + 1] || has_run[r] || is_skipped(&isa_rows[r]))
                continue;
            if (only && !fits(only, row_id(&isa_rows[r]))) continue;
            rows[r] = has_run[r] = any = true;
        }
        if (any) try_processor(p, rows);
    }
    print_message("%u instructions run\n", total_runs);
    assert_int_equal(total_failures, 0);
}

static void every_row_is_evaluated_or_listed(void **state) {
    (void)state;
    unsigned evaluated = 0, listed = 0, missing = 0;
    for (unsigned r = 0; r < isa_row_count; r++) {
        const struct row *row = &isa_rows[r];
        bool is_listed = false;
        for (unsigned i = 0; i < SKIPPED; i++)
            if (fits(not_evaluated[i].key, row_id(row)) || fits(not_evaluated[i].key, row_sem(row))) {
                skipped_rows[i]++;
                is_listed = true;
                break;
            }
        listed += is_listed;
        evaluated += evaluated_by_row[r] != 0;
        if (!is_listed && !evaluated_by_row[r] && !getenv("MEANING_ONLY") && missing++ < 40)
            print_error("%s: neither evaluated nor listed\n", row_id(row));
    }
    for (unsigned i = 0; i < SKIPPED; i++) {
        print_message("%4u not evaluated: %s: %s\n", skipped_rows[i], not_evaluated[i].key,
                      not_evaluated[i].reason);
        if (!skipped_rows[i]) missing++, print_error("%s: no row has this name\n", not_evaluated[i].key);
    }
    print_message("%u rows: %u evaluated, %u listed with a reason\n", isa_row_count, evaluated, listed);
    assert_int_equal(missing, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(code_is_what_the_gpu_does),
                                       cmocka_unit_test(every_row_is_evaluated_or_listed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
