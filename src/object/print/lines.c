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
    size_t rows, files;
    const sw_sink sink = {complaint, t};
    if (sw_lines_open(o, &lines, &sink)) return;
    sw_lines_rows(lines, &rows);
    const sw_line_file *f = sw_lines_files(lines, &files);
    if (rows) {
        text_printf(t, "\nLine table (%zu rows)\n    rows  image offsets            file\n", rows);
        for (size_t i = 0; i < files; i++) {
            text_printf(t, "  %6zu  0x%08" PRIx64 " - 0x%08" PRIx64 "  ", f[i].rows, f[i].low, f[i].high);
            name(t, f[i].name);
            if (f[i].source) text_printf(t, " (source of %zu bytes embedded)", f[i].source_length);
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
    size_t rows, files;
    const sw_sink sink = {complaint_json, j};
    json_open(j, "lines", '{');
    if (!sw_lines_open(o, &lines, &sink)) {
        sw_lines_rows(lines, &rows);
        const sw_line_file *f = sw_lines_files(lines, &files);
        json_uint(j, "rows", rows);
        json_open(j, "files", '[');
        for (size_t i = 0; i < files; i++) {
            json_open(j, NULL, '{');
            json_name(j, "name", f[i].name, strlen(f[i].name));
            json_uint(j, "rows", f[i].rows);
            json_uint(j, "low", f[i].low);
            json_uint(j, "high", f[i].high);
            if (f[i].source) json_name(j, "source", f[i].source, f[i].source_length);
            json_close(j, '}');
        }
        json_close(j, ']');
        sw_lines_close(lines);
    }
    json_close(j, '}');
}

sw_status print_lines(struct text *t, const sw_object *o, const sw_sink *sink) {
    sw_lines *lines;
    size_t count;
    sw_status s = sw_lines_open(o, &lines, sink);
    if (s) return s;
    const sw_line *row = sw_lines_rows(lines, &count);
    for (size_t i = 0; i < count; i++) {
        text_printf(t, "0x%08" PRIx64 " ", row[i].offset);
        if (row[i].end_sequence) {
            text_puts(t, "end\n");
            continue;
        }
        name(t, row[i].file->name);
        text_printf(t, ":%u:%u%s%s%s", row[i].line, row[i].column,
                    row[i].is_statement ? "" : " not a statement", row[i].prologue_end ? " prologue end" : "",
                    row[i].epilogue_begin ? " epilogue begin" : "");
        if (row[i].discriminator) text_printf(t, " discriminator %u", row[i].discriminator);
        text_puts(t, "\n");
    }
    sw_lines_close(lines);
    return SW_OK;
}
