// SPDX-License-Identifier: MIT
// One operation as `softwave isa` shows it: names, encodings as bit pictures, operands, flags, and whether
// the software GPU executes it. Everything comes from the public interface, so this is also what it can tell.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/isa/isa.h"

static const char *const flag_names[] = {"load",
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
static const char *const implicit_names[] = {"scc", "vcc", "exec", "m0", "mode"};
static const char *const allowed_names[] = {"VGPR",    "AGPR",      "SGPR", "inline constant",
                                            "literal", "immediate", "label"};
#define COUNT(a) (sizeof(a) / sizeof *(a))

static void bit_list(struct text *t, uint32_t set, const char *const *names, size_t count) {
    bool any = false;
    for (size_t i = 0; i < count; i++)
        if (set >> i & 1) text_printf(t, "%s%s", any ? ", " : "", names[i]), any = true;
    if (!any) text_puts(t, "-");
}

static void json_bits(struct json *j, const char *key, uint32_t set, const char *const *names, size_t count) {
    json_open(j, key, '[');
    for (size_t i = 0; i < count; i++)
        if (set >> i & 1) json_string(j, NULL, names[i]);
    json_close(j, ']');
}

// ---- Processors that agree ----

enum { MAX_PROCESSORS = 128 };
struct processors {
    const sw_processor *list[MAX_PROCESSORS];
    size_t count;
};

static struct processors having(const sw_insn_info *info, const sw_processor *only) {
    struct processors p = {0};
    for (size_t i = 0; i < sw_processor_count() && p.count < MAX_PROCESSORS; i++) {
        const sw_processor *x = sw_processor_at(i);
        if ((!only || x == only) && sw_insn_mnemonic(info, x)) p.list[p.count++] = x;
    }
    return p;
}

static void processor_names(struct text *t, const struct processors *p, size_t indent) {
    size_t column = indent;
    for (size_t i = 0; i < p->count; i++) {
        const char *name = sw_processor_name(p->list[i]);
        if (i) text_puts(t, ","), column++;
        if (column + strlen(name) > 100) {
            text_puts(t, "\n");
            text_pad(t, indent);
            column = indent;
        } else if (i)
            text_puts(t, " "), column++;
        text_puts(t, name);
        column += strlen(name);
    }
    text_puts(t, "\n");
}

static void json_processors(struct json *j, const struct processors *p) {
    json_open(j, "processors", '[');
    for (size_t i = 0; i < p->count; i++) json_string(j, NULL, sw_processor_name(p->list[i]));
    json_close(j, ']');
}

// ---- Encodings ----

struct shown_encoding {
    sw_encoding e;
    sw_format_part parts[64];
    size_t part_count;
    struct processors processors;
};

static const char *picture_of(const char *format) {
    return !strcmp(format, "VOPDX") || !strcmp(format, "VOPDY") ? "VOPD" : format;
}

static bool same_encoding(const struct shown_encoding *a, const struct shown_encoding *b) {
    if (strcmp(a->e.format, b->e.format) || a->e.opcode != b->e.opcode || a->part_count != b->part_count)
        return false;
    return !memcmp(a->parts, b->parts, a->part_count * sizeof *a->parts);
}

// The different encodings of an operation; *list is to be freed. False: out of memory.
static bool collect(const sw_insn_info *info, const struct processors *having_it,
                    struct shown_encoding **list, size_t *count) {
    *list = NULL;
    *count = 0;
    for (size_t i = 0; i < having_it->count; i++) {
        sw_encoding e[8];
        size_t n = sw_insn_encodings(info, having_it->list[i], e, COUNT(e), sizeof *e);
        for (size_t k = 0; k < n && k < COUNT(e); k++) {
            struct shown_encoding *grown = realloc(*list, (*count + 1) * sizeof **list), *s;
            if (!grown) return false;
            *list = grown;
            s = &grown[*count];
            memset(s, 0, sizeof *s);
            s->e = e[k];
            s->part_count = sw_format_parts(having_it->list[i], picture_of(e[k].format), s->parts,
                                            COUNT(s->parts), sizeof *s->parts);
            size_t at = 0;
            while (at < *count && !same_encoding(&grown[at], s)) at++;
            grown[at].processors.list[grown[at].processors.count++] = having_it->list[i];
            *count += at == *count;
        }
    }
    return true;
}

// What stands in a part: the bits of the opcode and of fixed fields, else the field's name.
static void cell_text(const struct shown_encoding *s, const sw_format_part *p, char out[40]) {
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

static void picture_row(struct text *bits, struct text *names, unsigned low, unsigned width,
                        const char *name) {
    char range[16];
    if (width > 1)
        snprintf(range, sizeof range, "%u:%u", low + width - 1, low);
    else
        snprintf(range, sizeof range, "%u", low);
    int columns = (int)(strlen(range) > strlen(name) ? strlen(range) : strlen(name));
    text_printf(bits, " %-*s |", columns, range);
    text_printf(names, " %-*s |", columns, name);
}

static void picture(struct text *t, const struct shown_encoding *s) {
    for (unsigned word = 0; word < s->e.bytes / 4; word++) {
        struct text bits = {0}, names = {0};
        unsigned next = 32;
        for (size_t i = 0; i <= s->part_count; i++) {
            bool end = i == s->part_count;
            if (!end && s->parts[i].word != word) continue;
            unsigned top = end ? 0 : s->parts[i].low + s->parts[i].width;
            if (top < next) picture_row(&bits, &names, top, next - top, "-");
            if (end) break;
            char name[40];
            cell_text(s, &s->parts[i], name);
            picture_row(&bits, &names, s->parts[i].low, s->parts[i].width, name);
            next = s->parts[i].low;
        }
        text_printf(t, "    |%s\n    |%s\n", bits.data ? bits.data : "", names.data ? names.data : "");
        t->failed |= bits.failed | names.failed;
        text_free(&bits);
        text_free(&names);
    }
}

static void json_encoding(struct json *j, const struct shown_encoding *s) {
    json_open(j, NULL, '{');
    json_string(j, "format", s->e.format);
    json_uint(j, "opcode", s->e.opcode);
    json_uint(j, "bytes", s->e.bytes);
    json_processors(j, &s->processors);
    json_open(j, "parts", '[');
    for (size_t i = 0; i < s->part_count; i++) {
        const sw_format_part *p = &s->parts[i];
        json_open(j, NULL, '{');
        json_string(j, "field", p->field);
        json_uint(j, "word", p->word);
        json_uint(j, "low", p->low);
        json_uint(j, "width", p->width);
        if (p->field) {
            json_uint(j, "at", p->at);
            json_uint(j, "bias", p->bias);
            json_bool(j, "signed", p->is_signed);
        } else
            json_uint(j, "value", p->value);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

// ---- The whole ----

static struct processors next_name(const sw_insn_info *info, const struct processors *all, size_t *at) {
    struct processors same = {0};
    const char *name = sw_insn_mnemonic(info, all->list[*at]);
    for (; *at < all->count && !strcmp(sw_insn_mnemonic(info, all->list[*at]), name); ++*at)
        same.list[same.count++] = all->list[*at];
    return same;
}

void isa_show_text(struct text *t, const sw_insn_info *info, const sw_processor *only) {
    sw_insn_facts f = {.size = sizeof f};
    sw_insn_get_facts(info, &f);
    struct processors all = having(info, only);
    text_printf(t, "%s\n\n  names\n", f.id);
    for (size_t at = 0; at < all.count;) {
        struct processors same = next_name(info, &all, &at);
        const char *alias;
        text_printf(t, "    %s", sw_insn_mnemonic(info, same.list[0]));
        for (size_t i = 0; (alias = sw_insn_alias(info, same.list[0], i)); i++)
            text_printf(t, ", also %s", alias);
        text_puts(t, "\n      ");
        processor_names(t, &same, 6);
    }
    struct shown_encoding *list;
    size_t count;
    if (!collect(info, &all, &list, &count)) t->failed = true;
    for (size_t i = 0; i < count; i++) {
        text_printf(t, "\n  %s, opcode 0x%x, %u bytes\n", list[i].e.format, list[i].e.opcode,
                    list[i].e.bytes);
        picture(t, &list[i]);
        if (!only) text_puts(t, "      "), processor_names(t, &list[i].processors, 6);
    }
    free(list);
    const sw_processor *newest = all.count ? all.list[all.count - 1] : NULL;
    sw_operand_spec specs[8];
    size_t n = newest ? sw_insn_operand_specs(info, newest, specs, COUNT(specs), sizeof *specs) : 0;
    if (n) text_printf(t, "\n  operands on %s\n", sw_processor_name(newest));
    for (size_t i = 0; i < n; i++) {
        const sw_operand_spec *s = &specs[i];
        text_printf(t, "    %-6s %-9s %-8s ", s->written ? "writes" : "reads", s->field, s->type);
        bit_list(t, s->allowed, allowed_names, COUNT(allowed_names));
        text_puts(t, "\n");
    }
    text_puts(t, "\n  flags     ");
    bit_list(t, f.flags, flag_names, COUNT(flag_names));
    text_puts(t, "\n  implicit  reads ");
    bit_list(t, f.reads, implicit_names, COUNT(implicit_names));
    text_puts(t, ", writes ");
    bit_list(t, f.writes, implicit_names, COUNT(implicit_names));
    if (f.access_bits) text_printf(t, "\n  memory    %u bits a lane", f.access_bits);
    text_printf(t, "\n  executed  %s%s\n", f.gap ? "no: " : "yes", f.gap ? f.gap : "");
}

void isa_show_json(struct json *j, const sw_insn_info *info, const sw_processor *only) {
    sw_insn_facts f = {.size = sizeof f};
    sw_insn_get_facts(info, &f);
    struct processors all = having(info, only);
    json_open(j, NULL, '{');
    json_string(j, "id", f.id);
    json_open(j, "names", '[');
    for (size_t at = 0; at < all.count;) {
        struct processors same = next_name(info, &all, &at);
        const char *alias;
        json_open(j, NULL, '{');
        json_string(j, "name", sw_insn_mnemonic(info, same.list[0]));
        json_open(j, "aliases", '[');
        for (size_t i = 0; (alias = sw_insn_alias(info, same.list[0], i)); i++) json_string(j, NULL, alias);
        json_close(j, ']');
        json_processors(j, &same);
        json_close(j, '}');
    }
    json_close(j, ']');
    struct shown_encoding *list;
    size_t count;
    if (!collect(info, &all, &list, &count)) j->out->failed = true;
    json_open(j, "encodings", '[');
    for (size_t i = 0; i < count; i++) json_encoding(j, &list[i]);
    json_close(j, ']');
    free(list);
    sw_operand_spec specs[8];
    size_t n = 0;
    if (all.count)
        n = sw_insn_operand_specs(info, all.list[all.count - 1], specs, COUNT(specs), sizeof *specs);
    json_open(j, "operands", '[');
    for (size_t i = 0; i < n; i++) {
        json_open(j, NULL, '{');
        json_string(j, "field", specs[i].field);
        json_string(j, "type", specs[i].type);
        json_bool(j, "written", specs[i].written);
        json_uint(j, "dwords", specs[i].dwords);
        json_bits(j, "allowed", specs[i].allowed, allowed_names, COUNT(allowed_names));
        json_close(j, '}');
    }
    json_close(j, ']');
    json_bits(j, "flags", f.flags, flag_names, COUNT(flag_names));
    json_bits(j, "reads", f.reads, implicit_names, COUNT(implicit_names));
    json_bits(j, "writes", f.writes, implicit_names, COUNT(implicit_names));
    json_uint(j, "access_bits", f.access_bits);
    json_bool(j, "executed", !f.gap);
    json_string(j, "gap", f.gap);
    json_close(j, '}');
}

void isa_show_line(struct text *t, const sw_insn_info *info, const sw_processor *p) {
    sw_insn_facts f = {.size = sizeof f};
    sw_insn_get_facts(info, &f);
    struct text formats = {0};
    sw_encoding e[8];
    size_t n = sw_insn_encodings(info, p, e, COUNT(e), sizeof *e);
    for (size_t i = 0; i < n && i < COUNT(e); i++)
        text_printf(&formats, "%s%s 0x%x", i ? ", " : "", e[i].format, e[i].opcode);
    text_printf(t, "%-36s %-40s %s\n", sw_insn_mnemonic(info, p), formats.data ? formats.data : "",
                f.gap ? "not executed" : "");
    t->failed |= formats.failed;
    text_free(&formats);
}
