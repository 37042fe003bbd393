// SPDX-License-Identifier: MIT
// `softwave targets A B`: what two processors do not have in common. Prints nothing about what is the same.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "cli/targets/targets.h"
#include "softwave/isa.h"

enum { WIDTH = 100, VALUE = 24, NAME = 22 };

struct pair {
    const sw_processor *p[2];
    const char *name[2];
    sw_processor_info info[2];
};

// ---- Facts ----

static void fact_text(struct text *t, const char *name, const char *a, const char *b) {
    if (!strcmp(a, b)) return;
    text_printf(t, "  %s", name);
    text_pad(t, NAME);
    text_printf(t, "%s", a);
    text_pad(t, NAME + VALUE);
    text_printf(t, "%s\n", b);
}
static void fact_number(struct text *t, const char *name, uint64_t a, uint64_t b) {
    char of[2][24];
    snprintf(of[0], sizeof of[0], "%llu", (unsigned long long)a);
    snprintf(of[1], sizeof of[1], "%llu", (unsigned long long)b);
    fact_text(t, name, of[0], of[1]);
}
static void fact_list(struct text *t, const char *name, const char *const *a, const char *const *b) {
    struct text of[2] = {{0}, {0}};
    targets_join(&of[0], a, ", ");
    targets_join(&of[1], b, ", ");
    fact_text(t, name, of[0].length ? of[0].data : "none", of[1].length ? of[1].data : "none");
    text_free(&of[0]);
    text_free(&of[1]);
}

// Facts by the names that the page of one processor has for them.
static const struct {
    const char *name;
    size_t offset;
} numbers[] = {
#define NUMBER(name, member)                                                                                 \
    { name, offsetof(sw_processor_info, member) }
    NUMBER("VGPRs of a wave", vgprs),
    NUMBER("AGPRs", agprs),
    NUMBER("VGPRs of a SIMD", vgpr_file_w64),
    NUMBER("allocated by", vgpr_granule_w64),
    NUMBER("of a SIMD, wave32", vgpr_file_w32),
    NUMBER("allocated by", vgpr_granule_w32),
    NUMBER("SGPRs", sgprs),
    NUMBER("allocated by", sgpr_granule),
    NUMBER("bytes of LDS", lds_bytes),
    NUMBER("allocated by", lds_granule),
    NUMBER("compute units", compute_units),
    NUMBER("SIMDs of a unit", simds_per_cu),
    NUMBER("waves of a SIMD", waves_per_simd),
#undef NUMBER
};

static void show_facts(struct text *t, const struct pair *q) {
    const sw_processor_info *a = &q->info[0], *b = &q->info[1];
    char version[2][40];
    text_pad(t, NAME);
    text_printf(t, "%s", a->name);
    text_pad(t, NAME + VALUE);
    text_printf(t, "%s\n", b->name);
    fact_text(t, "family", a->family, b->family);
    for (int i = 0; i < 2; i++)
        snprintf(version[i], sizeof version[i], "%u.%u.%u", q->info[i].isa_major, q->info[i].isa_minor,
                 q->info[i].isa_stepping);
    fact_text(t, "ISA version", version[0], version[1]);
    fact_list(t, "features", a->features, b->features);
    fact_list(t, "properties", a->properties, b->properties);
    fact_text(t, "lanes of a wave", targets_lanes(a->wave_sizes), targets_lanes(b->wave_sizes));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint32_t of[2];
        for (int k = 0; k < 2; k++)
            memcpy(&of[k], (const char *)&q->info[k] + numbers[i].offset, sizeof of[k]);
        fact_number(t, numbers[i].name, of[0], of[1]);
    }
}

static void show_capabilities(struct text *t, const struct pair *q, int of) {
    bool any = false;
    for (size_t i = 0; i < sw_capability_count(); i++) {
        if (!sw_processor_has(q->p[of], i) || sw_processor_has(q->p[!of], i)) continue;
        if (!any) text_printf(t, "\n  capabilities of %s alone\n", q->name[of]);
        any = true;
        text_printf(t, "    %s", sw_capability_name(i));
        text_pad(t, 30);
        text_printf(t, " %s\n", sw_capability_text(i));
    }
}

// ---- Instructions ----

// How an operation stands on the two: on one alone, under another name, or encoded in another way.
enum difference { SAME, FIRST_ALONE, SECOND_ALONE, RENAMED, ENCODED };

static bool same_encodings(const struct pair *q, const sw_insn_info *i) {
    enum { MOST = 16 };
    sw_encoding of[2][MOST];
    size_t count[2];
    for (int k = 0; k < 2; k++) count[k] = sw_insn_encodings(i, q->p[k], of[k], MOST, sizeof *of[k]);
    if (count[0] != count[1]) return false;
    for (size_t n = 0; n < count[0] && n < MOST; n++)
        if (strcmp(of[0][n].format, of[1][n].format) || of[0][n].opcode != of[1][n].opcode ||
            of[0][n].bytes != of[1][n].bytes)
            return false;
    return true;
}

static enum difference difference_of(const struct pair *q, const sw_insn_info *i) {
    const char *a = sw_insn_mnemonic(i, q->p[0]), *b = sw_insn_mnemonic(i, q->p[1]);
    if (!a && !b) return SAME;
    if (!b) return FIRST_ALONE;
    if (!a) return SECOND_ALONE;
    if (strcmp(a, b)) return RENAMED;
    return same_encodings(q, i) ? SAME : ENCODED;
}

// Words in lines of WIDTH columns, four from the left.
static void put_word(struct text *t, size_t *column, const char *word) {
    const size_t length = strlen(word);
    if (*column && *column + 2 + length > WIDTH) text_puts(t, ",\n"), *column = 0;
    text_printf(t, "%s%s", *column ? ", " : "    ", word);
    *column += length + (*column ? 2 : 4);
}

static void put_instruction(struct text *t, size_t *column, const struct pair *q, const sw_insn_info *i,
                            enum difference what) {
    char both[128];
    const char *a = sw_insn_mnemonic(i, q->p[0]), *b = sw_insn_mnemonic(i, q->p[1]);
    snprintf(both, sizeof both, "%s = %s", a ? a : "", b ? b : "");
    put_word(t, column, what == RENAMED ? both : a ? a : b);
}

static void show_instructions(struct text *t, const struct pair *q, enum difference what) {
    struct text list = {0};
    size_t column = 0, count = 0;
    for (size_t n = 0; n < sw_insn_info_count(); n++) {
        const sw_insn_info *i = sw_insn_info_at(n);
        if (difference_of(q, i) != what) continue;
        count++;
        if (what != ENCODED) put_instruction(&list, &column, q, i, what);
    }
    if (count && (what == FIRST_ALONE || what == SECOND_ALONE))
        text_printf(t, "\n  instructions of %s alone: %zu\n", q->name[what == SECOND_ALONE], count);
    else if (count)
        text_printf(t, "\n  instructions %s: %zu\n", what == RENAMED ? "of two names" : "of two encodings",
                    count);
    if (list.length) text_printf(t, "%s\n", list.data);
    text_free(&list);
}

// ---- The whole ----

sw_status targets_compare(struct text *t, const sw_processor *a, const sw_processor *b) {
    const struct pair q = {.p = {a, b},
                           .name = {sw_processor_name(a), sw_processor_name(b)},
                           .info = {targets_info(a), targets_info(b)}};
    if (!q.info[0].wave_sizes || !q.info[1].wave_sizes)
        return diag_fail(&cli_sink, SW_UNSUPPORTED, NULL,
                         "%s is of the R600 family, of which no facts are compared",
                         q.info[0].wave_sizes ? q.name[1] : q.name[0]);
    show_facts(t, &q);
    show_capabilities(t, &q, 0);
    show_capabilities(t, &q, 1);
    for (enum difference what = FIRST_ALONE; what <= ENCODED; what++) show_instructions(t, &q, what);
    return SW_OK;
}
