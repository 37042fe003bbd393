// SPDX-License-Identifier: MIT
// The pseudo-code in a manual's own text: manuals/cdna5.md.gz of the folder, headings "#### **NAME OPCODE**"
// with the first code behind each, between ``` or in one line between `.
#ifndef TESTS_PSEUDOCODE_MANUAL_H
#define TESTS_PSEUDOCODE_MANUAL_H

#include <zlib.h>

#include "library.h"

// Name and opcode of a heading of an instruction.
static bool is_heading(const char *line, char name[48], unsigned *op) {
    if (*line != '#') return false;
    line += strspn(line, "# *");
    unsigned n = 0;
    for (; *line && (isupper((unsigned char)*line) || isdigit((unsigned char)*line) || strchr("_\\", *line));
         line++)
        if (*line != '\\' && n < 47) name[n++] = *line;
    name[n] = 0;
    char *end;
    *op = (unsigned)strtoul(line, &end, 10);
    return n > 2 && name[1] == '_' && end != line;
}
struct manual_reader {
    struct library *library;
    char name[48], text[1 << 14];
    unsigned op;
    bool in_entry, in_code;
};
static void read_manual_line(struct manual_reader *r, char *line) {
    char name[48];
    unsigned op;
    const size_t n = strcspn(line, "\n");
    if (r->in_code) {
        if (!has_word(line, "```")) {
            strncat(r->text, line, sizeof r->text - strlen(r->text) - 1);
            return;
        }
        r->in_entry = r->in_code = false;
        add_entry(r->library, "", r->name, r->op, strdup(r->text));
    } else if (is_heading(line, name, &op)) {
        strcpy(r->name, name);
        r->op = op, r->in_entry = true, *r->text = 0;
    } else if (r->in_entry && has_word(line, "```"))
        r->in_code = true;
    else if (r->in_entry && *line == '`' && n > 2 && line[n - 1] == '`') {
        r->in_entry = false;
        add_entry(r->library, "", r->name, r->op, strndup(line + 1, n - 2));
    }
}
static bool read_manual(struct library *l, const char *folder, const char *name) {
    static char path[4096], line[1 << 14];
    static struct manual_reader r;
    snprintf(path, sizeof path, "%s/manuals/%s.md.gz", folder, name);
    gzFile f = gzopen(path, "rb");
    *l = (struct library){.name = name};
    if (!f) return false;
    r = (struct manual_reader){.library = l};
    while (gzgets(f, line, sizeof line)) read_manual_line(&r, line);
    gzclose(f);
    return true;
}

#endif
