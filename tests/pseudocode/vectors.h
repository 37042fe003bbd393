// SPDX-License-Identifier: MIT
// Writes test vectors (vector_line.h): lines are collected, those that differ in nothing but the generation
// joined. Lines of rows of which there are none now, as no manual has them, stay as they are in the file.
#ifndef TESTS_PSEUDOCODE_VECTORS_H
#define TESTS_PSEUDOCODE_VECTORS_H

#include "trial.h"
#include "vector_line.h"

struct vector_text {
    char *text;
    uint64_t generations;
};
static struct vector_text *vector_texts;
static size_t vector_count;

static char *put_register_name(char *p, const struct isa *isa, unsigned n) {
    return p + (n == 106                ? sprintf(p, " vcc_lo")
                : n == 107              ? sprintf(p, " vcc_hi")
                : n == 126              ? sprintf(p, " exec_lo")
                : n == 127              ? sprintf(p, " exec_hi")
                : n == isa->m0_register ? sprintf(p, " m0")
                                        : sprintf(p, " s%u", n));
}
// Addresses near the instruction, in pairs of scalar registers.
static uint64_t vector_pc;
static bool put_near(char **p, const uint32_t *s, unsigned n) {
    for (unsigned half = 0; half < 2 && half <= n; half++) {
        const uint64_t apart = (s[n - half] | (uint64_t)s[n - half + 1] << 32) - vector_pc;
        if (apart + 64 > 128) continue;
        *p += sprintf(*p, "%c%x", half ? 'Q' : 'P', (uint32_t)apart);
        return true;
    }
    return false;
}
static char *put_value(char *p, uint32_t value, unsigned base) {
    if (base == NOT_BASE) return p + sprintf(p, "%x", value);
    return p + sprintf(p, "%c%x", base == BASE_LOW ? 'L' : 'H',
                       value - (uint32_t)(base == BASE_LOW ? global_base : global_base >> 32));
}
// What may differ of a result, behind its value.
static char *put_tolerance(char *p, const struct mark *marks, unsigned count, const uint32_t *at,
                           const uint32_t *low, unsigned (*units)(const struct slot *, enum fmt),
                           const struct slot *s) {
    uint32_t mask = ~0u;
    for (unsigned i = 0; i < count; i++) {
        const struct mark *k = &marks[i];
        if (k->fmt > F64 || (k->at != at && !(k->fmt == F64 && k->at == low))) continue;
        if (k->fmt == F64) {
            const bool high = k->at == low && low != at;
            if (k->inexact && !k->nan && !high) return p + sprintf(p, "~d%x", 64);
            if (k->inexact && high) return p + sprintf(p, "/0");
            mask = k->nan ? (high ? 0x7ff80000 : 0) : high ? ~0x80000u : ~0u;
            continue;
        }
        const unsigned bits = fmt_facts[k->fmt].bits;
        const uint32_t quiet = (uint32_t)(fmt_infinity((enum fmt)k->fmt) | fmt_quiet_bit((enum fmt)k->fmt))
                               << k->lo,
                       all = (bits == 32 ? ~0u : (1u << bits) - 1) << k->lo;
        if (k->nan)
            mask = (mask & ~all) | quiet;
        else if (k->quiets)
            mask &= ~((uint32_t)fmt_quiet_bit((enum fmt)k->fmt) << k->lo);
        else if (k->inexact)
            return p + sprintf(p, "~%s%x", bits == 32 ? "" : k->lo ? "H" : "h", units(s, (enum fmt)k->fmt));
    }
    return mask == ~0u ? p : p + sprintf(p, "/%x", mask);
}
// The dwords that are not as a line says nothing of them, or that are not as before.
static char *put_memory(char *p, const struct machine *m, const struct machine *before,
                        const struct mark *marks, unsigned count,
                        unsigned (*units)(const struct slot *, enum fmt), const struct slot *s) {
    bool run = false;
    for (unsigned n = 0; n < MEMORY_DWORDS; n++) {
        if (m->mem[n] == (before ? before->mem[n] : vector_memory(n))) {
            run = false;
            continue;
        }
        p += run ? sprintf(p, ":%x", m->mem[n]) : sprintf(p, " [%x]=%x", 4 * n, m->mem[n]);
        p = put_tolerance(p, marks, count, &m->mem[n], n ? &m->mem[n - 1] : NULL, units, s);
        run = true;
    }
    return p;
}
static void write_vector(const struct isa *isa, const struct slot *s, unsigned lanes,
                         const struct machine *before, const struct machine *after, const struct mark *marks,
                         unsigned count, unsigned (*units)(const struct slot *, enum fmt), bool whole,
                         uint64_t pc) {
    const bool tells_pc = row_tells_pc(s->row);
    static char line[1 << 20];
    char *p = line;
    const unsigned shown = whole ? lanes : VECTOR_LANES;
    p += sprintf(p, "%s %s %u %x ", row_id(s->row), format_names[s->format], lanes, s->mode);
    bool first = true;
    for (unsigned f = 0; f < FIELDS; f++)
        if (s->in.f[f] && f != F_op && vector_fields[f])
            p += sprintf(p, "%s%s=%x", first ? "" : ",", vector_fields[f], (unsigned)s->in.f[f]),
                first = false;
    if (first) *p++ = '-';
    if (s->in.has_literal) p += sprintf(p, "%sliteral", first ? "" : ",");
    // Every register that an operand names.
    bool used_v[MACHINE_VGPRS] = {false},
         used_s[128] = {[106] = true, [107] = true, [126] = true, [127] = true};
    for (unsigned i = 0; i < ROW_DST + ROW_SRC; i++) {
        const struct operand_spec spec = i < ROW_DST ? s->row->dst[i] : s->row->src[i - ROW_DST];
        const struct place w = place_of(isa, s, spec, lanes == 32);
        const unsigned dwords = operand_dwords[spec.type]                       ? operand_dwords[spec.type]
                                : spec.type == T_MASK && lanes == 64            ? 2
                                : spec.type == T_ADDR || spec.type == T_BUFADDR ? 2
                                                                                : 1;
        if (spec.type == T_SADDR) continue; // among the bases
        for (unsigned n = 0; n < dwords; n++) {
            if (w.kind == P_VGPR) used_v[w.index + n] = true;
            if (w.kind == P_SGPR) used_s[w.index + n] = true;
        }
    }
    const bool relative = strstr(row_id(s->row), "rel") != NULL;
    used_s[isa->m0_register] = relative || s->format == FMT_DS || s->row->reads & R_M0;
    for (unsigned n = 0; n < 4 && row_begins(s->row, "s_cbranch_join"); n++) used_s[n] = true;
    used_s[SMEM_OFFSET] = s->format == FMT_SMEM;
    if (s->format == FMT_SCRATCH && !has_no_scalar(isa, &s->in)) used_s[s->in.f[F_saddr]] = true;
    for (unsigned n = 0; n < 128; n++)
        if (memcmp(before->v[n], after->v[n], sizeof before->v[n]) || (relative && n < 16)) used_v[n] = true;
    for (unsigned n = 0; n < 128; n++)
        if (before->s[n] != after->s[n] || (relative && n < 40) || bases.s[n]) used_s[n] = true;
    for (unsigned n = 0; n < MACHINE_VGPRS; n++) {
        if (!used_v[n]) continue;
        p += sprintf(p, " v%u=", n);
        for (unsigned l = 0; l < shown; l++) {
            if (l) *p++ = ':';
            p = put_value(p, before->v[n][l], bases.v[n]);
        }
    }
    for (unsigned n = 0; n < 128; n++)
        if (used_s[n] && before->s[n])
            if (p = put_register_name(p, isa, n), *p++ = '=', !tells_pc || !put_near(&p, before->s, n))
                p = put_value(p, before->s[n], bases.s[n]);
    const bool memory = is_memory_format(s->format);
    if (memory) p = put_memory(p, before, NULL, NULL, 0, units, s);
    p += sprintf(p, " scc=%u", before->scc);
    if (s->row->writes & R_MODE && before->mode >> 29) p += sprintf(p, " mode=%x", before->mode >> 29 << 29);
    p += sprintf(p, " >");
    for (unsigned n = 0; n < MACHINE_VGPRS; n++) {
        if (!memcmp(before->v[n], after->v[n], sizeof before->v[n])) continue;
        p += sprintf(p, " v%u=", n);
        for (unsigned l = 0; l < shown; l++) {
            p += sprintf(p, "%s%x", l ? ":" : "", after->v[n][l]);
            p = put_tolerance(p, marks, count, &after->v[n][l], n ? &after->v[n - 1][l] : NULL, units, s);
        }
    }
    for (unsigned n = 0; n < 128; n++)
        if (before->s[n] != after->s[n]) {
            p = put_register_name(p, isa, n), *p++ = '=';
            if (!tells_pc || !put_near(&p, after->s, n)) p += sprintf(p, "%x", after->s[n]);
            p = put_tolerance(p, marks, count, &after->s[n], n ? &after->s[n - 1] : NULL, units, s);
        }
    if (memory) p = put_memory(p, after, before, marks, count, units, s);
    if (before->scc != after->scc) p += sprintf(p, " scc=%u", after->scc);
    if (before->mode != after->mode) p += sprintf(p, " mode=%x/%x", after->mode & MODE_TOLD, MODE_TOLD);
    if (pc && pc != vector_pc + s->size) p += sprintf(p, " pc=%x", (uint32_t)(pc - vector_pc));
    for (size_t i = 0; i < vector_count; i++)
        if (!strcmp(vector_texts[i].text, line)) {
            vector_texts[i].generations |= 1ull << isa->generation;
            return;
        }
    vector_texts = realloc(vector_texts, (vector_count + 1) * sizeof *vector_texts);
    vector_texts[vector_count++] = (struct vector_text){strdup(line), 1ull << isa->generation};
}
static int by_text(const void *a, const void *b) {
    return strcmp(((const struct vector_text *)a)->text, ((const struct vector_text *)b)->text);
}
static void keep_vectors_of_others(const char *path) {
    static struct vector_generations named;
    static char line[1 << 20];
    const size_t written = vector_count;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        const size_t id = strcspn(line, " ") + 1;
        char *names = strrchr(line, '@');
        bool known = *line == '#' || !names;
        for (size_t i = 0; i < written && !known; i++) known = !strncmp(vector_texts[i].text, line, id);
        if (known) continue;
        names[-1] = 0;
        vector_texts = realloc(vector_texts, (vector_count + 1) * sizeof *vector_texts);
        vector_texts[vector_count++] = (struct vector_text){strdup(line), vector_names(&named, 0, names + 1)};
    }
    if (f) fclose(f);
}
static bool write_vectors(const char *path, const char *const names[64]) {
    keep_vectors_of_others(path);
    FILE *f = fopen(path, "w");
    if (!f) return false;
    fprintf(f, "# Written by build/pseudocode FOLDER --vectors=tests/pseudocode/vectors.txt; vector_line.h "
               "says what a line is.\n");
    if (vector_count) qsort(vector_texts, vector_count, sizeof *vector_texts, by_text);
    for (size_t i = 0; i < vector_count; i++) {
        fprintf(f, "%s @", vector_texts[i].text);
        for (unsigned g = 0; g < 64; g++)
            if (vector_texts[i].generations >> g & 1) fprintf(f, " %s", names[g]);
        fputc('\n', f);
    }
    return !fclose(f);
}

#endif
