// SPDX-License-Identifier: MIT
// Line tables as text and JSON: which source files an object was made from, and where.
#include <inttypes.h>
#include <string.h>

#include "object/code/object.h"
#include "object/print/print.h"

static void name(struct text *t, const char *s) { text_name(t, s, strlen(s)); }

static void complaint(void *context, const sw_diagnostic *d) {
    struct text *t = context;
    text_puts(t, "\nLine table\n  error: ");
    name(t, d->message);
    text_printf(t, " (offset 0x%" PRIx64 ")\n", d->at.offset);
}

void print_line_summary(struct text *t, const sw_object *o) {
    sw_lines *lines;
    const sw_line_file *f;
    const sw_sink sink = {complaint, t};
    if (sw_lines_open(o, &lines, &sink)) return;
    const size_t rows = sw_lines_row_count(lines);
    if (rows) {
        text_printf(t, "\nLine table (%zu rows)\n    rows  image offsets            file\n", rows);
        for (size_t i = 0; (f = sw_lines_file(lines, i)); i++) {
            text_printf(t, "  %6zu  0x%08" PRIx64 " - 0x%08" PRIx64 "  ", f->rows, f->low, f->high);
            name(t, f->name);
            if (f->source) text_printf(t, " (source of %zu bytes embedded)", f->source_length);
            text_puts(t, "\n");
        }
    }
    sw_lines_close(lines);
}

static void complaint_json(void *context, const sw_diagnostic *d) {
    json_name(context, "error", d->message, strlen(d->message));
}

void print_line_summary_json(struct json *j, const sw_object *o) {
    sw_lines *lines;
    const sw_line_file *f;
    const sw_sink sink = {complaint_json, j};
    json_open(j, "lines", '{');
    if (!sw_lines_open(o, &lines, &sink)) {
        json_uint(j, "rows", sw_lines_row_count(lines));
        json_open(j, "files", '[');
        for (size_t i = 0; (f = sw_lines_file(lines, i)); i++) {
            json_open(j, NULL, '{');
            json_name(j, "name", f->name, strlen(f->name));
            json_uint(j, "rows", f->rows);
            json_uint(j, "low", f->low);
            json_uint(j, "high", f->high);
            if (f->source) json_name(j, "source", f->source, f->source_length);
            json_close(j, '}');
        }
        json_close(j, ']');
        sw_lines_close(lines);
    }
    json_close(j, '}');
}

sw_status print_lines(struct text *t, const sw_object *o, const sw_sink *sink) {
    sw_lines *lines;
    const sw_line *row;
    sw_status s = sw_lines_open(o, &lines, sink);
    if (s) return s;
    for (size_t i = 0; (row = sw_lines_row(lines, i)); i++) {
        text_printf(t, "0x%08" PRIx64 " ", row->offset);
        if (row->end_sequence) {
            text_puts(t, "end\n");
            continue;
        }
        name(t, row->file->name);
        text_printf(t, ":%u:%u%s%s%s", row->line, row->column, row->is_statement ? "" : " not a statement",
                    row->prologue_end ? " prologue end" : "", row->epilogue_begin ? " epilogue begin" : "");
        if (row->discriminator) text_printf(t, " discriminator %u", row->discriminator);
        text_puts(t, "\n");
    }
    sw_lines_close(lines);
    return SW_OK;
}
