// SPDX-License-Identifier: MIT
// The reference as static pages: index.html names the processors, a page for each lists its instructions, and
// pages by encoding describe them. Each file appears whole.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/file.h"
#include "cli/isa/isa.h"

static void escape(struct text *t, const char *s) {
    for (; *s; s++) {
        if (*s == '<')
            text_puts(t, "&lt;");
        else if (*s == '>')
            text_puts(t, "&gt;");
        else if (*s == '&')
            text_puts(t, "&amp;");
        else
            text_add(t, s, 1);
    }
}

static void begin(struct text *t, const char *title) {
    text_printf(t,
                "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>%s</title>\n"
                "<style>body{font-family:sans-serif;max-width:72em;margin:2em auto;padding:0 1em}"
                "pre{overflow-x:auto;background:#f6f6f6;padding:1em}td{padding:0 1em 0 0}</style>\n"
                "<p><a href=\"index.html\">Processors</a></p>\n<h1>%s</h1>\n",
                title, title);
}

static sw_status finish(struct text *t, const char *folder, const char *name, const sw_sink *sink) {
    char path[4096];
    text_puts(t, "</html>\n");
    int length = snprintf(path, sizeof path, "%s/%s.html", folder, name);
    sw_status status = t->failed ? SW_NO_MEMORY
                       : length >= (int)sizeof path
                           ? diag_fail(sink, SW_USAGE, NULL, "the folder's name is too long")
                           : file_write(path, t->data, t->length, sink);
    text_free(t);
    return status;
}

// An operation's page is that of its shortest encoding on the first processor that has it.
static const char *group_of(const sw_insn_info *info) {
    for (size_t i = 0; i < sw_processor_count(); i++) {
        sw_encoding e;
        if (sw_insn_encodings(info, sw_processor_at(i), &e, 1, sizeof e)) return e.format;
    }
    return NULL;
}

static sw_status write_group(const char *folder, const char *group, const sw_sink *sink) {
    struct text t = {0};
    begin(&t, group);
    for (size_t i = 0; i < sw_insn_info_count(); i++) {
        const sw_insn_info *info = sw_insn_info_at(i);
        const char *own = group_of(info);
        if (!own || strcmp(own, group)) continue;
        struct text body = {0};
        isa_show_text(&body, info, NULL);
        text_printf(&t, "<h2 id=\"%s\">%s</h2>\n<pre>", sw_insn_id(info), sw_insn_id(info));
        if (body.data) escape(&t, body.data);
        text_puts(&t, "</pre>\n");
        t.failed |= body.failed;
        text_free(&body);
    }
    return finish(&t, folder, group, sink);
}

static sw_status write_processor(const char *folder, const sw_processor *p, size_t *count,
                                 const sw_sink *sink) {
    struct text t = {0};
    begin(&t, sw_processor_name(p));
    text_puts(&t, "<table>\n");
    *count = 0;
    for (size_t i = 0; i < sw_insn_info_count(); i++) {
        const sw_insn_info *info = sw_insn_info_at(i);
        const char *name = sw_insn_mnemonic(info, p);
        if (!name) continue;
        sw_encoding e[8];
        size_t n = sw_insn_encodings(info, p, e, 8, sizeof *e);
        text_printf(&t, "<tr><td><a href=\"%s.html#%s\">%s</a><td>", group_of(info), sw_insn_id(info), name);
        for (size_t k = 0; k < n && k < 8; k++)
            text_printf(&t, "%s%s 0x%x", k ? ", " : "", e[k].format, e[k].opcode);
        text_puts(&t, "\n");
        ++*count;
    }
    text_puts(&t, "</table>\n");
    return finish(&t, folder, sw_processor_name(p), sink);
}

sw_status isa_write_html(const char *folder, const sw_sink *sink) {
    if (mkdir(folder, 0777) && errno != EEXIST)
        return diag_fail(sink, SW_BAD_INPUT, NULL, "%s: %s", folder, strerror(errno));
    const char *groups[64];
    size_t group_count = 0;
    sw_status status = SW_OK;
    for (size_t i = 0; i < sw_insn_info_count() && !status; i++) {
        const char *group = group_of(sw_insn_info_at(i));
        size_t k = 0;
        while (group && k < group_count && strcmp(groups[k], group)) k++;
        if (!group || k < group_count || group_count == 64) continue;
        groups[group_count++] = group;
        status = write_group(folder, group, sink);
    }
    struct text t = {0};
    begin(&t, "AMD GPU instructions");
    text_puts(&t, "<h2>By encoding</h2>\n<p>");
    for (size_t i = 0; i < group_count; i++)
        text_printf(&t, "<a href=\"%s.html\">%s</a>\n", groups[i], groups[i]);
    text_puts(&t, "</p>\n<h2>By processor</h2>\n<table>\n");
    for (size_t i = 0; i < sw_processor_count() && !status; i++) {
        const sw_processor *p = sw_processor_at(i);
        sw_isa_mode mode = {.size = sizeof mode};
        size_t count;
        if (sw_isa_mode_init(&mode, p)) continue;
        status = write_processor(folder, p, &count, sink);
        text_printf(&t, "<tr><td><a href=\"%s.html\">%s</a><td>%zu instructions\n", sw_processor_name(p),
                    sw_processor_name(p), count);
    }
    text_puts(&t, "</table>\n");
    sw_status last = finish(&t, folder, "index", sink); // last: with it every link works
    return status ? status : last;
}
