// SPDX-License-Identifier: MIT
// One operation as `softwave isa` shows it: what it does, names, encodings as bit pictures, operands, flags,
// and whether the software GPU executes it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/isa/isa.h"

void isa_wrap(struct text *t, const char *words, size_t indent) {
    size_t column = 0;
    while (*words) {
        const size_t n = strcspn(words, " ");
        if (column && column + 1 + n > 100) text_puts(t, "\n"), column = 0;
        text_printf(t, "%*s%.*s", column ? 1 : (int)indent, "", (int)n, words);
        column = (column ? column + 1 : indent) + n;
        words += n;
        words += strspn(words, " ");
    }
    text_puts(t, "\n");
}

void isa_code_lines(struct text *t, const char *code, size_t indent) {
    size_t depth = 0;
    bool begin = true;
    for (const char *p = code; *p; p++) {
        const bool close = *p == '}';
        if (close && depth) depth--;
        if (close && !begin) text_puts(t, "\n"), begin = true;
        if ((begin && (*p == ' ' || *p == ';')) || (*p == ' ' && p[1] == '}')) continue;
        if (begin) text_printf(t, "%*s", (int)(indent + 4 * depth), "");
        begin =
            *p == '{' || *p == ';' || (close && strncmp(p + 1, " else", 5)) || (*p == ':' && p == code + 4);
        if (*p == '{') depth++;
        if (*p != ';') text_add(t, p, 1);
        if (begin && p[1]) text_puts(t, "\n");
    }
    text_puts(t, "\n");
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

static void picture(struct text *t, const struct isa_encoding *s) {
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
            isa_cell(s, &s->parts[i], name);
            picture_row(&bits, &names, s->parts[i].low, s->parts[i].width, name);
            next = s->parts[i].low;
        }
        text_printf(t, "    |%s\n    |%s\n", bits.data ? bits.data : "", names.data ? names.data : "");
        t->failed |= bits.failed | names.failed;
        text_free(&bits);
        text_free(&names);
    }
}

static void ranges_line(struct text *t, const struct isa_processors *p, size_t indent) {
    struct text ranges = {0};
    isa_ranges(&ranges, p);
    if (ranges.data) isa_wrap(t, ranges.data, indent);
    t->failed |= ranges.failed;
    text_free(&ranges);
}

// Processors from *at on that have the same name for it.
static struct isa_processors next_name(const sw_insn_info *info, const struct isa_processors *all,
                                       size_t *at) {
    struct isa_processors same = {0};
    const char *name = sw_insn_mnemonic(info, all->list[*at]);
    for (; *at < all->count && !strcmp(sw_insn_mnemonic(info, all->list[*at]), name); ++*at)
        same.list[same.count++] = all->list[*at];
    return same;
}

static void show_names(struct text *t, const sw_insn_info *info, const struct isa_processors *all) {
    text_puts(t, "\n  names\n");
    for (size_t at = 0; at < all->count;) {
        struct isa_processors same = next_name(info, all, &at);
        const char *alias;
        text_printf(t, "    %s", sw_insn_mnemonic(info, same.list[0]));
        for (size_t i = 0; (alias = sw_insn_alias(info, same.list[0], i)); i++)
            text_printf(t, ", also %s", alias);
        text_puts(t, "\n");
        if (all->count > 1) ranges_line(t, &same, 6);
    }
}

static void show_encodings(struct text *t, const sw_insn_info *info, const struct isa_processors *all) {
    struct isa_encoding *list;
    size_t count;
    if (!isa_encodings(info, all, &list, &count)) t->failed = true;
    for (size_t i = 0; i < count; i++) {
        text_printf(t, "\n  %s, opcode 0x%x, %u bytes\n", list[i].e.format, list[i].e.opcode,
                    list[i].e.bytes);
        if (isa_is_half(&list[i]))
            text_printf(t, "    A VOPD instruction does two operations at once: this one as its %s half.\n",
                        list[i].e.format[4] == 'X' ? "first (X)" : "second (Y)");
        if (all->count > 1) ranges_line(t, &list[i].processors, 4);
        picture(t, &list[i]);
    }
    free(list);
}

static void show_operands(struct text *t, const sw_insn_info *info, const struct isa_processors *all) {
    struct isa_operands *list;
    size_t count;
    if (!isa_operands(info, all, &list, &count)) t->failed = true;
    for (size_t k = 0; k < count; k++) {
        if (list[k].count || count > 1) text_puts(t, "\n  operands\n");
        if (count > 1) ranges_line(t, &list[k].processors, 4);
        for (size_t i = 0; i < list[k].count; i++) {
            const sw_operand_spec *s = &list[k].specs[i];
            text_printf(t, "    %-6s %-9s %-8s ", s->written ? "writes" : "reads", s->field, s->type);
            isa_bit_list(t, s->allowed, isa_allowed_names, 7);
            text_puts(t, "\n");
        }
    }
    free(list);
}

void isa_show_text(struct text *t, const sw_insn_info *info, const sw_processor *only) {
    sw_insn_facts f = {.size = sizeof f};
    const char *sentence, *code;
    sw_insn_get_facts(info, &f);
    sw_insn_meaning(info, &sentence, &code);
    const struct isa_processors all = isa_having(info, only);
    text_printf(t, "%s\n", f.id);
    isa_wrap(t, sentence, 2);
    if (*code) text_puts(t, "\n"), isa_code_lines(t, code, 4);
    show_names(t, info, &all);
    show_encodings(t, info, &all);
    show_operands(t, info, &all);
    text_puts(t, "\n  flags     ");
    isa_bit_list(t, f.flags, isa_flag_names, 32);
    text_puts(t, "\n  implicit  reads ");
    isa_bit_list(t, f.reads, isa_implicit_names, 5);
    text_puts(t, ", writes ");
    isa_bit_list(t, f.writes, isa_implicit_names, 5);
    if (f.access_bits) text_printf(t, "\n  memory    %u bits a lane", f.access_bits);
    if (sw_insn_pattern(info)) text_printf(t, "\n  selected  as %s", sw_insn_pattern(info));
    text_puts(t, "\n  executed  ");
    isa_executed(t, info);
    text_puts(t, "\n");
}

void isa_show_line(struct text *t, const sw_insn_info *info, const sw_processor *p) {
    const char *sentence, *code, *end;
    sw_insn_meaning(info, &sentence, &code);
    end = strstr(sentence, ". ");
    text_printf(t, "%-32s %.*s\n", p ? sw_insn_mnemonic(info, p) : sw_insn_id(info),
                end ? (int)(end - sentence + 1) : (int)strlen(sentence), sentence);
}

// ---- JSON ----

static void json_bits(struct json *j, const char *key, uint32_t set, const char *const *names, size_t count) {
    json_open(j, key, '[');
    for (size_t i = 0; i < count; i++)
        if (set >> i & 1) json_string(j, NULL, names[i]);
    json_close(j, ']');
}

static void json_processors(struct json *j, const struct isa_processors *p) {
    struct text ranges = {0};
    isa_ranges(&ranges, p);
    json_string(j, "ranges", ranges.data ? ranges.data : "");
    text_free(&ranges);
    json_open(j, "processors", '[');
    for (size_t i = 0; i < p->count; i++) json_string(j, NULL, sw_processor_name(p->list[i]));
    json_close(j, ']');
}

static void json_encoding(struct json *j, const struct isa_encoding *s) {
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

static void json_specs(struct json *j, const struct isa_operands *o) {
    json_open(j, "operands", '[');
    for (size_t i = 0; o && i < o->count; i++) {
        json_open(j, NULL, '{');
        json_string(j, "field", o->specs[i].field);
        json_string(j, "type", o->specs[i].type);
        json_bool(j, "written", o->specs[i].written);
        json_uint(j, "dwords", o->specs[i].dwords);
        json_bits(j, "allowed", o->specs[i].allowed, isa_allowed_names, 7);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void isa_show_json(struct json *j, const sw_insn_info *info, const sw_processor *only) {
    sw_insn_facts f = {.size = sizeof f};
    const char *sentence, *code;
    sw_insn_get_facts(info, &f);
    sw_insn_meaning(info, &sentence, &code);
    const struct isa_processors all = isa_having(info, only);
    json_open(j, NULL, '{');
    json_string(j, "id", f.id);
    json_string(j, "sentence", sentence);
    json_string(j, "code", code);
    if (sw_insn_pattern(info)) json_string(j, "pattern", sw_insn_pattern(info));
    json_string(j, "group", isa_group_of(info)->id);
    json_open(j, "names", '[');
    for (size_t at = 0; at < all.count;) {
        struct isa_processors same = next_name(info, &all, &at);
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
    struct isa_encoding *list;
    struct isa_operands *operands;
    size_t count, sets;
    if (!isa_encodings(info, &all, &list, &count)) j->out->failed = true;
    json_open(j, "encodings", '[');
    for (size_t i = 0; i < count; i++) json_encoding(j, &list[i]);
    json_close(j, ']');
    free(list);
    if (!isa_operands(info, &all, &operands, &sets)) j->out->failed = true;
    json_specs(j, sets ? &operands[sets - 1] : NULL); // of the newest processors
    json_open(j, "operands_by_processor", '[');
    for (size_t i = 0; i < sets; i++) {
        json_open(j, NULL, '{');
        json_processors(j, &operands[i].processors);
        json_specs(j, &operands[i]);
        json_close(j, '}');
    }
    json_close(j, ']');
    free(operands);
    json_bits(j, "flags", f.flags, isa_flag_names, 32);
    json_bits(j, "reads", f.reads, isa_implicit_names, 5);
    json_bits(j, "writes", f.writes, isa_implicit_names, 5);
    json_uint(j, "access_bits", f.access_bits);
    json_bool(j, "executed", !f.gap);
    json_bool(j, "faults", !strncmp(code, "fault(", 6));
    json_string(j, "gap", f.gap);
    json_string(j, "approximate", f.approximate);
    if (f.ulps > 0) json_real(j, "ulps", f.ulps);
    json_close(j, '}');
}
