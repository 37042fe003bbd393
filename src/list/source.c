// SPDX-License-Identifier: MIT
// The source of listed code: the line table's word on addresses, once for each line, and the
// text of that line where it is embedded or its file can be read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/diag.h"
#include "base/text.h"
#include "list/list.h"

struct source_text {
    const sw_line_file *of;
    struct file file; // when the text is not embedded
    const char *text;
    size_t length;
    ARRAY(size_t) starts; // of its lines
};

struct list_source {
    sw_lines *lines;
    uint64_t offset; // of the image, from an address
    bool want_lines, want_text;
    const sw_line_file *file; // of the line said last
    uint32_t line;
    ARRAY(struct source_text) texts;
    struct text said;
    const sw_sink *sink;
};

static bool find_lines(struct source_text *t) {
    for (size_t at = 0; at < t->length;) {
        if (!array_push(&t->starts, at)) return false;
        const char *end = memchr(t->text + at, '\n', t->length - at);
        at = end ? (size_t)(end - t->text) + 1 : t->length;
    }
    return true;
}

// The text of a file; empty, with a warning the first time, when there is none.
static const struct source_text *text_of(struct list_source *s, const sw_line_file *f) {
    for (size_t i = 0; i < s->texts.count; i++)
        if (s->texts.items[i].of == f) return &s->texts.items[i];
    struct source_text t = {.of = f, .text = f->source, .length = f->source_length};
    if (!t.text) {
        if (file_open(&t.file, f->name, NULL))
            diag_warn(s->sink, &(sw_location){.file = f->name}, "failed to find source");
        else
            t.text = (const char *)t.file.data, t.length = t.file.size;
    }
    if (!find_lines(&t) || !array_push(&s->texts, t)) return NULL;
    return &s->texts.items[s->texts.count - 1];
}

static void say_text(struct list_source *s, const sw_line *row) {
    const struct source_text *t = text_of(s, row->file);
    if (!t || row->line > t->starts.count) return;
    const char *line = t->text + t->starts.items[row->line - 1];
    const char *end = memchr(line, '\n', t->length - (size_t)(line - t->text));
    text_add(&s->said, line, end ? (size_t)(end - line) : t->length - (size_t)(line - t->text));
    text_puts(&s->said, "\n");
}

static const char *say(void *context, uint64_t address) {
    struct list_source *s = context;
    const sw_line *row = sw_lines_find(s->lines, address + s->offset);
    const sw_line_file *file = row ? row->file : NULL;
    uint32_t line = row ? row->line : 0;
    bool same = file == s->file && line == s->line;
    s->file = file;
    s->line = line;
    if (!row || !line || same) return NULL;
    s->said.length = 0;
    if (s->want_lines) {
        text_name(&s->said, file->name, strlen(file->name));
        text_printf(&s->said, ":%u\n", line);
    }
    if (s->want_text) say_text(s, row);
    return s->said.length ? s->said.data : NULL;
}

sw_status list_source_open(struct list_source **out, const sw_object *object, uint32_t section,
                           const sw_list_options *options, struct listing *l, const sw_sink *sink) {
    struct list_source *s = *out = calloc(1, sizeof *s);
    if (!s) return SW_NO_MEMORY;
    s->want_lines = options->lines;
    s->want_text = options->source_text;
    s->sink = sink;
    // Damaged line tables take nothing from the code.
    if (!sw_object_section_offset(object, section, &s->offset) || sw_lines_open(object, &s->lines, sink))
        return SW_OK;
    s->offset -= sw_object_section(object, section)->address;
    l->source = say;
    l->source_context = s;
    return SW_OK;
}

void list_source_close(struct list_source *s) {
    if (!s) return;
    for (size_t i = 0; i < s->texts.count; i++) {
        array_free(&s->texts.items[i].starts);
        if (s->texts.items[i].file.data) file_close(&s->texts.items[i].file);
    }
    array_free(&s->texts);
    text_free(&s->said);
    sw_lines_close(s->lines);
    free(s);
}
