// SPDX-License-Identifier: MIT
// The reference as static pages that work from files: index.html with search, groups and an index of all
// names, a page for each instruction, group and processor. They are written into a folder beside, which takes
// the place of the asked one when everything is there.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "cli/isa/html_style.h"
#include "cli/isa/isa.h"

void isa_escape(struct text *t, const char *s) {
    for (; s && *s; s++) {
        if (*s == '<')
            text_puts(t, "&lt;");
        else if (*s == '>')
            text_puts(t, "&gt;");
        else if (*s == '&')
            text_puts(t, "&amp;");
        else if (*s == '"')
            text_puts(t, "&quot;");
        else
            text_add(t, s, 1);
    }
}

struct site {
    const char *folder; // in which pages are made
    const sw_sink *sink;
    sw_status status;
};

static void begin(struct text *t, const char *title) {
    text_printf(t,
                "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
                "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/><title>%s</title>"
                "<link rel=\"stylesheet\" href=\"style.css\"/></head><body>\n"
                "<nav><a href=\"index.html\">AMD GPU instructions</a><a href=\"index.html#groups\">Groups</a>"
                "<a href=\"index.html#names\">All names</a><a href=\"r600.html\">R600 to Cayman</a><a "
                "href=\"index.html#processors\">Processors</a>"
                "<a href=\"rules.html\">Reading the code</a></nav>\n<h1>%s</h1>\n",
                title, title);
}
static void put_file(struct site *s, const char *name, const char *extension, struct text *t) {
    char path[4096];
    if (s->status == SW_OK) {
        const int length = snprintf(path, sizeof path, "%s/%s.%s", s->folder, name, extension);
        s->status = t->failed ? SW_NO_MEMORY
                    : length >= (int)sizeof path
                        ? diag_fail(s->sink, SW_USAGE, NULL, "the folder's name is too long")
                        : file_write(path, t->data, t->length, s->sink);
    }
    text_free(t);
}
static void finish(struct site *s, const char *name, struct text *t) {
    text_puts(t, "</body></html>\n");
    put_file(s, name, "html", t);
}

// ---- An instruction ----

static void box(struct text *t, unsigned low, unsigned width, const char *name, const char *class) {
    text_printf(t, "<div class=\"b%s\" style=\"--w:%u\"><small>", class, width);
    text_printf(t, width > 1 ? "%u:%u" : "%u", low + width - 1, low);
    text_printf(t, "</small>%s</div>", name);
}
static void figure(struct text *t, const struct isa_encoding *s) {
    for (unsigned word = 0; word < s->e.bytes / 4; word++) {
        unsigned next = 32;
        text_puts(t, "<div class=\"word\">");
        for (size_t i = 0; i < s->part_count; i++) {
            const sw_format_part *p = &s->parts[i];
            char name[40];
            if (p->word != word) continue;
            if (p->low + p->width < next) box(t, p->low + p->width, next - p->low - p->width, "&#160;", " x");
            isa_cell(s, p, name);
            const bool is_opcode = p->field && (name[0] == '0' || name[0] == '1');
            box(t, p->low, p->width, name, is_opcode ? " o" : p->field ? "" : " x");
            next = p->low;
        }
        if (next) box(t, 0, next, "&#160;", " x");
        text_puts(t, "</div>\n");
    }
}
static void names(struct text *t, const sw_insn_info *info, const struct isa_processors *all) {
    text_puts(t, "<h2>Names</h2>\n<table>\n");
    for (size_t at = 0; at < all->count;) {
        struct isa_processors same = {0};
        const char *name = sw_insn_mnemonic(info, all->list[at]), *alias;
        for (; at < all->count && !strcmp(sw_insn_mnemonic(info, all->list[at]), name); at++)
            same.list[same.count++] = all->list[at];
        text_printf(t, "<tr><td class=\"f\">%s", name);
        for (size_t i = 0; (alias = sw_insn_alias(info, same.list[0], i)); i++) text_printf(t, ", %s", alias);
        text_puts(t, "</td><td>");
        isa_ranges(t, &same);
        text_puts(t, "</td></tr>\n");
    }
    text_puts(t, "</table>\n");
}
static void encodings(struct text *t, const sw_insn_info *info, const struct isa_processors *all) {
    struct isa_encoding *list;
    size_t count;
    if (!isa_encodings(info, all, &list, &count)) t->failed = true;
    if (count) text_puts(t, "<h2>Encodings</h2>\n");
    for (size_t i = 0; i < count; i++) {
        text_printf(t, "<p><b>%s</b>, opcode 0x%x, %u bytes: ", list[i].e.format, list[i].e.opcode,
                    list[i].e.bytes);
        isa_ranges(t, &list[i].processors);
        if (isa_is_half(&list[i]))
            text_printf(t, ". A VOPD instruction does two operations at once: this one as its %s half.",
                        list[i].e.format[4] == 'X' ? "first (X)" : "second (Y)");
        text_puts(t, "</p>\n");
        figure(t, &list[i]);
    }
    free(list);
    sw_insn_facts f = {.size = sizeof f};
    sw_insn_get_facts(info, &f);
    if (f.flags & (SW_INSN_DPP | SW_INSN_SDWA | SW_INSN_VOP3_DPP))
        text_printf(t,
                    "<p>%s%s%s may follow, with lanes to take from or parts of registers to select: "
                    "<a href=\"words.html\">DPP and SDWA</a>.</p>\n",
                    f.flags & (SW_INSN_DPP | SW_INSN_VOP3_DPP) ? "A DPP word" : "",
                    f.flags & (SW_INSN_DPP | SW_INSN_VOP3_DPP) && f.flags & SW_INSN_SDWA ? " or " : "",
                    f.flags & SW_INSN_SDWA ? "an SDWA word" : "");
}
static void operands(struct text *t, const sw_insn_info *info, const struct isa_processors *all) {
    struct isa_operands *list;
    size_t count;
    if (!isa_operands(info, all, &list, &count)) t->failed = true;
    for (size_t k = 0; k < count; k++) {
        if (!list[k].count) continue;
        text_puts(t, "<h2>Operands");
        if (count > 1) text_puts(t, ": "), isa_ranges(t, &list[k].processors);
        text_puts(t, "</h2>\n<table>\n<tr><th></th><th>Field</th><th>Type</th><th>May be</th></tr>\n");
        for (size_t i = 0; i < list[k].count; i++) {
            const sw_operand_spec *s = &list[k].specs[i];
            text_printf(t, "<tr><td>%s</td><td class=\"f\">%s</td><td class=\"f\">%s</td><td>",
                        s->written ? "writes" : "reads", s->field, s->type);
            isa_bit_list(t, s->allowed, isa_allowed_names, 7);
            text_puts(t, "</td></tr>\n");
        }
        text_puts(t, "</table>\n");
    }
    free(list);
}
static void write_instruction(struct site *s, const sw_insn_info *info) {
    struct text t = {0};
    sw_insn_facts f = {.size = sizeof f};
    const char *sentence, *code;
    const struct isa_group *group = isa_group_of(info);
    const struct isa_processors all = isa_having(info, NULL);
    sw_insn_get_facts(info, &f);
    sw_insn_meaning(info, &sentence, &code);
    begin(&t, f.id);
    text_printf(&t, "<p class=\"soft\"><a href=\"group-%s.html\">%s</a> · ", group->id, group->title);
    isa_ranges(&t, &all);
    text_puts(&t, "</p>\n<p class=\"say\">");
    isa_escape(&t, sentence);
    text_puts(&t, "</p>\n");
    if (*code) {
        struct text lines = {0};
        isa_code_lines(&lines, code, 0);
        text_puts(&t, "<pre>");
        isa_escape(&t, lines.data);
        text_puts(&t, "</pre>\n");
        t.failed |= lines.failed;
        text_free(&lines);
    }
    names(&t, info, &all);
    encodings(&t, info, &all);
    operands(&t, info, &all);
    text_puts(&t, "<h2>More</h2>\n<table>\n<tr><td>Flags</td><td>");
    isa_bit_list(&t, f.flags, isa_flag_names, 32);
    text_puts(&t, "</td></tr>\n<tr><td>Reads</td><td>");
    isa_bit_list(&t, f.reads, isa_implicit_names, 5);
    text_puts(&t, "</td></tr>\n<tr><td>Writes</td><td>");
    isa_bit_list(&t, f.writes, isa_implicit_names, 5);
    text_puts(&t, "</td></tr>\n<tr><td>Executed</td><td>");
    isa_executed(&t, info);
    text_puts(&t, "</td></tr>\n</table>\n");
    finish(s, f.id, &t);
}

// ---- Lists ----

static void row(struct text *t, const sw_insn_info *info, const char *name) {
    const char *sentence, *code;
    sw_insn_meaning(info, &sentence, &code);
    text_printf(t, "<tr><td class=\"f\"><a href=\"%s.html\">%s</a></td><td>", sw_insn_id(info), name);
    isa_escape(t, sentence);
    text_puts(t, "</td></tr>\n");
}
static void write_group(struct site *s, const struct isa_group *g) {
    struct text t = {0};
    char name[64];
    begin(&t, g->title);
    text_printf(&t, "<p class=\"say\">%s</p>\n<table class=\"list\">\n", g->text);
    for (size_t i = 0; i < sw_insn_info_count(); i++)
        if (isa_group_of(sw_insn_info_at(i)) == g)
            row(&t, sw_insn_info_at(i), sw_insn_id(sw_insn_info_at(i)));
    text_puts(&t, "</table>\n");
    snprintf(name, sizeof name, "group-%s", g->id);
    finish(s, name, &t);
}
static size_t write_processor(struct site *s, const sw_processor *p) {
    struct text t = {0};
    size_t count = 0;
    begin(&t, sw_processor_name(p));
    text_puts(&t, "<table class=\"list\">\n");
    for (size_t i = 0; i < sw_insn_info_count(); i++) {
        const char *name = sw_insn_mnemonic(sw_insn_info_at(i), p);
        if (name) row(&t, sw_insn_info_at(i), name), count++;
    }
    text_puts(&t, "</table>\n");
    finish(s, sw_processor_name(p), &t);
    return count;
}
static void write_rules(struct site *s) {
    struct text t = {0};
    const char *rule;
    begin(&t, "Reading the code");
    for (size_t i = 0; (rule = sw_insn_meaning_rule(i)); i++) {
        text_puts(&t, "<p>");
        isa_escape(&t, rule);
        text_puts(&t, "</p>\n");
    }
    finish(s, "rules", &t);
}

static void write_r600(struct site *s) {
    struct text t = {0};
    begin(&t, "R600 to Cayman");
    isa_r600_page(&t);
    finish(s, "r600", &t);
}

// The words behind an encoding, as processors that agree have them.
static void write_words(struct site *s) {
    static const struct {
        const char *format, *text;
    } words[] = {
        {"DPP16",
         "DPP: the first source comes from another lane of the row, by a fixed pattern, with lanes masked."},
        {"DPP8",
         "DPP8: the first source comes from any lane of the own eight; three bits for each say which."},
        {"SDWA", "SDWA: sources and the result are a byte, a half or the whole of a register."},
        {"SDWAB",
         "SDWA of comparisons: sources are a byte, a half or the whole of a register; the result is a mask."},
    };
    struct text t = {0};
    begin(&t, "DPP and SDWA");
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        struct isa_encoding list[16];
        size_t count = 0;
        text_printf(&t, "<h2>%s</h2>\n<p>%s</p>\n", words[w].format, words[w].text);
        for (size_t i = 0; i < sw_processor_count() && count < 16; i++) {
            struct isa_encoding *e = &list[count];
            size_t at = 0;
            memset(e, 0, sizeof *e);
            e->e = (sw_encoding){words[w].format, 0, 4};
            if (!isa_has_instructions(sw_processor_at(i))) continue;
            e->part_count =
                sw_format_parts(sw_processor_at(i), words[w].format, e->parts, 64, sizeof *e->parts);
            if (!e->part_count) continue;
            while (list[at].part_count != e->part_count ||
                   memcmp(list[at].parts, e->parts, e->part_count * sizeof *e->parts))
                at++;
            list[at].processors.list[list[at].processors.count++] = sw_processor_at(i);
            count += at == count;
        }
        for (size_t i = 0; i < count; i++) {
            text_puts(&t, "<p>");
            isa_ranges(&t, &list[i].processors);
            text_puts(&t, "</p>\n");
            figure(&t, &list[i]);
        }
    }
    finish(s, "words", &t);
}

// A name under which an operation is found.
struct entry {
    const char *name;
    const sw_insn_info *info;
};
static int by_name(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : strcmp(sw_insn_id(x->info), sw_insn_id(y->info));
}
struct entries {
    struct entry *list;
    size_t count, capacity;
    bool failed;
};
static void add(struct entries *e, size_t first, const char *name, const sw_insn_info *info) {
    for (size_t i = first; i < e->count; i++)
        if (!strcmp(e->list[i].name, name)) return;
    if (e->count == e->capacity) {
        struct entry *grown = realloc(e->list, (e->capacity = 2 * e->capacity + 1024) * sizeof *grown);
        e->failed |= !grown;
        if (!grown) return;
        e->list = grown;
    }
    e->list[e->count++] = (struct entry){name, info};
}
static void all_names(struct entries *e) {
    for (size_t i = 0; i < sw_insn_info_count() && !e->failed; i++) {
        const sw_insn_info *info = sw_insn_info_at(i);
        const size_t first = e->count;
        const char *name, *last = NULL;
        add(e, first, sw_insn_id(info), info);
        for (size_t k = 0; k < sw_processor_count(); k++) {
            const sw_processor *p = sw_processor_at(k);
            if (!(name = sw_insn_mnemonic(info, p))) continue;
            if (name != last) add(e, first, name, info);
            last = name;
            for (size_t a = 0; (name = sw_insn_alias(info, p, a)); a++) add(e, first, name, info);
        }
    }
}
static void write_search(struct site *s, const struct entries *e) {
    struct text t = {0};
    text_puts(&t, "const pages=[\n");
    for (size_t i = 0; i < e->count;) {
        const sw_insn_info *info = e->list[i].info;
        const char *sentence, *code;
        sw_insn_meaning(info, &sentence, &code);
        text_puts(&t, "[\"");
        for (const char *gap = ""; i < e->count && e->list[i].info == info; i++, gap = " ")
            text_printf(&t, "%s%s", gap, e->list[i].name);
        text_printf(&t, "\",\"%s.html\",\"%s\"],\n", sw_insn_id(info), sentence);
    }
    isa_r600_search(&t);
    text_printf(&t, "];\n%s", isa_script);
    put_file(s, "search", "js", &t);
}
static void index_names(struct text *t, const struct entries *e) {
    text_puts(t, "<h2 id=\"names\">All names</h2>\n<div class=\"names\">\n");
    for (size_t i = 0; i < e->count; i++) {
        const bool again = i && !strcmp(e->list[i].name, e->list[i - 1].name);
        text_printf(t, again ? "<a href=\"%s.html\">%s</a>\n" : "<a href=\"%s.html\" id=\"%s\">",
                    sw_insn_id(e->list[i].info), e->list[i].name);
        if (!again) text_printf(t, "%s</a>\n", e->list[i].name);
    }
    text_puts(t, "</div>\n");
}
static void write_index(struct site *s) {
    struct text t = {0};
    struct entries e = {0};
    all_names(&e);
    t.failed = e.failed;
    write_search(s, &e);
    begin(&t, "AMD GPU instructions");
    text_puts(&t, "<p class=\"say\">What each instruction of GFX6 to GFX12 does, and how it is encoded. "
                  "Older GPUs: <a href=\"r600.html\">R600 to Cayman</a>.</p>\n"
                  "<input id=\"q\" type=\"search\" placeholder=\"Name or words, such as v_add or bit field\" "
                  "aria-label=\"Search\" autofocus=\"autofocus\"/>\n<ul id=\"found\"></ul>\n<h2 "
                  "id=\"groups\">Groups</h2>\n<table class=\"list\">\n");
    for (size_t g = 0; g < isa_group_count; g++) {
        write_group(s, &isa_groups[g]);
        text_printf(&t, "<tr><td><a href=\"group-%s.html\">%s</a></td><td>%s</td></tr>\n", isa_groups[g].id,
                    isa_groups[g].title, isa_groups[g].text);
    }
    text_puts(&t, "</table>\n<h2 id=\"processors\">Processors</h2>\n<table class=\"list\">\n");
    for (size_t i = 0; i < sw_processor_count() && s->status == SW_OK; i++) {
        const sw_processor *p = sw_processor_at(i);
        sw_processor_info info = {.size = sizeof info};
        if (!isa_has_instructions(p)) continue;
        sw_processor_get_info(p, &info);
        const size_t count = write_processor(s, p);
        text_printf(
            &t,
            "<tr><td class=\"f\"><a href=\"%s.html\">%s</a></td><td>%s</td><td>%zu instructions</td></tr>\n",
            info.name, info.name, info.family, count);
    }
    text_puts(&t, "</table>\n");
    if (e.count) qsort(e.list, e.count, sizeof *e.list, by_name);
    index_names(&t, &e);
    text_puts(&t, "<script src=\"search.js\"></script>\n");
    finish(s, "index", &t);
    free(e.list);
}

// ---- The folder ----

// Removes the folder's files, or moves them to another folder, then removes it.
static sw_status empty_folder(const char *from, const char *to, const sw_sink *sink) {
    sw_status status = SW_OK;
    DIR *d = opendir(from);
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[4096], target[4096];
        if (*e->d_name == '.') continue;
        snprintf(path, sizeof path, "%s/%s", from, e->d_name);
        if (to && status == SW_OK) {
            snprintf(target, sizeof target, "%s/%s", to, e->d_name);
            if (rename(path, target))
                status = diag_fail(sink, SW_BAD_INPUT, NULL, "%s: %s", target, strerror(errno));
        }
        if (!to || status) unlink(path);
    }
    if (d) closedir(d);
    rmdir(from);
    return status;
}

sw_status isa_write_html(const char *folder, const sw_sink *sink) {
    char part[4000];
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') length--;
    if (snprintf(part, sizeof part, "%.*s.part-%ld", (int)length, folder, (long)getpid()) >=
        (int)sizeof part - 200)
        return diag_fail(sink, SW_USAGE, NULL, "the folder's name is too long");
    if (mkdir(part, 0777)) return diag_fail(sink, SW_BAD_INPUT, NULL, "%s: %s", folder, strerror(errno));
    struct site s = {.folder = part, .sink = sink};
    struct text css = {0};
    text_puts(&css, isa_css);
    put_file(&s, "style", "css", &css);
    for (size_t i = 0; i < sw_insn_info_count() && s.status == SW_OK; i++)
        write_instruction(&s, sw_insn_info_at(i));
    write_rules(&s);
    write_r600(&s);
    write_words(&s);
    write_index(&s);
    if (s.status) {
        empty_folder(part, NULL, sink);
        return s.status;
    }
    if (!rename(part, folder)) return SW_OK; // it was not there, or empty
    if (errno == ENOTEMPTY || errno == EEXIST) return empty_folder(part, folder, sink);
    s.status = diag_fail(sink, SW_BAD_INPUT, NULL, "%s: %s", folder, strerror(errno));
    empty_folder(part, NULL, sink);
    return s.status;
}
