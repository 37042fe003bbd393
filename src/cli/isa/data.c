// SPDX-License-Identifier: MIT
// What `softwave isa` knows of an operation, as text, JSON and pages show it. Everything comes from the
// public interface.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/isa/isa.h"

const char *const isa_flag_names[32] = {"load",
                                        "store",
                                        "atomic",
                                        "branch",
                                        "call",
                                        "terminator",
                                        "no-fall-through",
                                        "counts-vm",
                                        "counts-lgkm",
                                        "counts-exp",
                                        "transcendental",
                                        "matrix",
                                        "scalar",
                                        "lds",
                                        "flat",
                                        "buffer",
                                        "image",
                                        "export",
                                        "dual",
                                        "d16",
                                        "clamp",
                                        "omod",
                                        "neg-abs",
                                        "dpp",
                                        "sdwa",
                                        "vop3-dpp",
                                        "row-newbcast",
                                        "sext",
                                        "op-sel",
                                        "packed",
                                        "high-result",
                                        "sparse"};
const char *const isa_implicit_names[5] = {"scc", "vcc", "exec", "m0", "mode"};
const char *const isa_allowed_names[7] = {"VGPR",    "AGPR",      "SGPR", "inline constant",
                                          "literal", "immediate", "label"};

void isa_bit_list(struct text *t, uint32_t set, const char *const *names, size_t count) {
    bool any = false;
    for (size_t i = 0; i < count; i++)
        if (set >> i & 1) text_printf(t, "%s%s", any ? ", " : "", names[i]), any = true;
    if (!any) text_puts(t, "-");
}

void isa_executed(struct text *t, const sw_insn_info *info) {
    sw_insn_facts f = {.size = sizeof f};
    const char *sentence, *code;
    sw_insn_get_facts(info, &f);
    sw_insn_meaning(info, &sentence, &code);
    if (f.gap)
        text_printf(t, "no: %s", f.gap);
    else if (!strncmp(code, "fault(", 6))
        text_puts(t, "yes: it faults, as it must");
    else if (f.approximate) {
        text_puts(t, "approximately");
        if (f.ulps > 0) text_printf(t, ", within %.3f ulp", f.ulps);
        text_printf(t, ": %s", f.approximate);
    } else
        text_puts(t, "yes");
}

// ---- Processors ----

struct isa_processors isa_having(const sw_insn_info *info, const sw_processor *only) {
    struct isa_processors p = {0};
    for (size_t i = 0; i < sw_processor_count() && p.count < ISA_PROCESSORS; i++) {
        const sw_processor *x = sw_processor_at(i);
        if ((!only || x == only) && sw_insn_mnemonic(info, x)) p.list[p.count++] = x;
    }
    return p;
}

bool isa_has_instructions(const sw_processor *p) {
    sw_isa_mode mode = {.size = sizeof mode};
    return sw_isa_mode_init(&mode, p) == SW_OK;
}

static bool is_in(const struct isa_processors *set, const sw_processor *p) {
    for (size_t i = 0; i < set->count; i++)
        if (set->list[i] == p) return true;
    return false;
}

// A family of processors: "GFX9" and "CDNA 2" of "GCN GFX9 (CDNA 2)", and how many of them are in the set.
struct family {
    const char *text;
    char head[16], tail[32];
    unsigned major;
    size_t members, present;
};
enum { FAMILIES = 32 };
static size_t families_of(const struct isa_processors *set, struct family list[FAMILIES]) {
    size_t count = 0;
    for (size_t i = 0; i < sw_processor_count(); i++) {
        const sw_processor *p = sw_processor_at(i);
        sw_processor_info info = {.size = sizeof info};
        sw_processor_get_info(p, &info);
        if (info.generic || !isa_has_instructions(p)) continue;
        size_t k = 0;
        while (k < count && strcmp(list[k].text, info.family)) k++;
        if (k == FAMILIES) continue;
        if (k == count) {
            list[count++] = (struct family){.text = info.family, .major = info.isa_major};
            sscanf(info.family, "GCN %15s (%31[^)])", list[k].head, list[k].tail);
        }
        list[k].members++;
        list[k].present += is_in(set, p);
    }
    return count;
}

static void names_of_family(struct text *t, const struct isa_processors *set, const char *family) {
    bool any = false;
    for (size_t i = 0; i < set->count; i++) {
        sw_processor_info info = {.size = sizeof info};
        sw_processor_get_info(set->list[i], &info);
        if (info.generic || strcmp(info.family, family)) continue;
        text_printf(t, "%s%s", any ? ", " : "", info.name);
        any = true;
    }
}

void isa_ranges(struct text *t, const struct isa_processors *set) {
    struct family f[FAMILIES];
    const size_t count = families_of(set, f);
    unsigned first = 0, last = 0; // a run of whole generations that is not printed yet
    const char *separator = "";
    for (size_t i = 0, next; i <= count; i = next) {
        bool whole = true, any = false;
        for (next = i; next < count && f[next].major == f[i].major; next++) {
            whole &= f[next].present == f[next].members;
            any |= f[next].present != 0;
        }
        if (i == count) whole = any = false, next = i + 1;
        if (whole && !first) first = f[i].major;
        if (whole) {
            last = f[i].major;
            continue;
        }
        if (first) {
            text_printf(t, "%sGFX%u", separator, first);
            if (last == first + 1) text_printf(t, ", GFX%u", last);
            if (last > first + 1) text_printf(t, " to GFX%u", last);
            separator = ", ";
            first = 0;
        }
        for (size_t k = i; any && k < next; k++) {
            if (!f[k].present) continue;
            text_puts(t, separator);
            separator = ", ";
            if (f[k].present == f[k].members)
                text_printf(t, "%s (%s)", f[k].head, f[k].tail);
            else
                names_of_family(t, set, f[k].text);
        }
    }
    if (!*separator && set->count) // generic processors alone
        for (size_t i = 0; i < set->count; i++)
            text_printf(t, "%s%s", i ? ", " : "", sw_processor_name(set->list[i]));
}

// ---- Encodings ----

bool isa_is_half(const struct isa_encoding *e) {
    return !strcmp(e->e.format, "VOPDX") || !strcmp(e->e.format, "VOPDY");
}

static bool same_encoding(const struct isa_encoding *a, const struct isa_encoding *b) {
    if (strcmp(a->e.format, b->e.format) || a->e.opcode != b->e.opcode || a->part_count != b->part_count)
        return false;
    return !memcmp(a->parts, b->parts, a->part_count * sizeof *a->parts);
}

bool isa_encodings(const sw_insn_info *info, const struct isa_processors *having, struct isa_encoding **list,
                   size_t *count) {
    *list = NULL;
    *count = 0;
    for (size_t i = 0; i < having->count; i++) {
        sw_encoding e[8];
        size_t n = sw_insn_encodings(info, having->list[i], e, 8, sizeof *e);
        for (size_t k = 0; k < n && k < 8; k++) {
            struct isa_encoding *grown = realloc(*list, (*count + 1) * sizeof **list), *s;
            if (!grown) return false;
            *list = grown;
            s = &grown[*count];
            memset(s, 0, sizeof *s);
            s->e = e[k];
            s->part_count = sw_format_parts(having->list[i], isa_is_half(s) ? "VOPD" : e[k].format, s->parts,
                                            64, sizeof *s->parts);
            size_t at = 0;
            while (at < *count && !same_encoding(&grown[at], s)) at++;
            grown[at].processors.list[grown[at].processors.count++] = having->list[i];
            *count += at == *count;
        }
    }
    return true;
}

void isa_cell(const struct isa_encoding *s, const sw_format_part *p, char out[40]) {
    const char *op = !strcmp(s->e.format, "VOPDX") ? "opx" : "op";
    uint32_t value = p->value;
    if (p->field && strcmp(p->field, op)) {
        snprintf(out, 40, p->at && !p->bias ? "%.24s@%u" : "%.24s", p->field, p->at);
        return;
    }
    if (p->field) value = s->e.opcode >> p->at;
    for (unsigned i = 0; i < p->width; i++) out[i] = (char)('0' + (value >> (p->width - 1 - i) & 1));
    out[p->width] = 0;
}

// ---- Operands ----

static bool same_operands(const struct isa_operands *a, const struct isa_operands *b) {
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++) {
        const sw_operand_spec *x = &a->specs[i], *y = &b->specs[i];
        if (strcmp(x->field, y->field) || strcmp(x->type, y->type) || x->written != y->written ||
            x->allowed != y->allowed)
            return false;
    }
    return true;
}

bool isa_operands(const sw_insn_info *info, const struct isa_processors *having, struct isa_operands **list,
                  size_t *count) {
    *list = NULL;
    *count = 0;
    for (size_t i = 0; i < having->count; i++) {
        struct isa_operands *grown = realloc(*list, (*count + 1) * sizeof **list), *s;
        if (!grown) return false;
        *list = grown;
        s = &grown[*count];
        memset(s, 0, sizeof *s);
        s->count = sw_insn_operand_specs(info, having->list[i], s->specs, ISA_OPERANDS, sizeof *s->specs);
        if (s->count > ISA_OPERANDS) s->count = ISA_OPERANDS;
        size_t at = 0;
        while (at < *count && !same_operands(&grown[at], s)) at++;
        grown[at].processors.list[grown[at].processors.count++] = having->list[i];
        *count += at == *count;
    }
    return true;
}
