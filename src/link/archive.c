// SPDX-License-Identifier: MIT
// Members of an `ar` archive in the formats of System V, GNU and BSD, and of GNU's thin ones, whose members
// are other files. The archive's own symbol index is not used: what a member defines is read from the member,
// so an archive without or with a stale index links as well.
#include <ar.h>
#include <string.h>

#include "link/link.h"

static const char thin[] = "!<thin>\n";

bool is_archive(const uint8_t *bytes, size_t length) {
    return length >= SARMAG && (!memcmp(bytes, ARMAG, SARMAG) || !memcmp(bytes, thin, SARMAG));
}

static bool decimal(const char *text, size_t width, uint64_t *value) {
    size_t i = 0;
    for (*value = 0; i < width && text[i] >= '0' && text[i] <= '9'; i++)
        *value = *value * 10 + (uint64_t)(text[i] - '0');
    bool some = i > 0;
    while (i < width && text[i] == ' ') i++;
    return some && i == width;
}

struct member {
    const char *name;
    size_t name_length;
    const uint8_t *bytes;
    uint64_t size;
};

// The member's proper name. False when it refers outside the table of long names or the member.
static bool find_name(struct member *m, const char field[16], const uint8_t *names, uint64_t names_size) {
    uint64_t at;
    if (field[0] == '/' && decimal(field + 1, 15, &at)) {
        if (at >= names_size) return false;
        const char *end = memchr(names + at, '\n', names_size - at);
        m->name = (const char *)names + at;
        m->name_length = end ? (size_t)(end - m->name) : names_size - at;
    } else if (!memcmp(field, "#1/", 3) && decimal(field + 3, 13, &at)) { // BSD: before the contents
        if (at > m->size) return false;
        m->name = (const char *)m->bytes;
        m->name_length = strnlen(m->name, at);
        m->bytes += at;
        m->size -= at;
        return true;
    } else {
        m->name = field;
        m->name_length = 16;
        while (m->name_length && field[m->name_length - 1] == ' ') m->name_length--;
    }
    if (m->name_length && m->name[m->name_length - 1] == '/') m->name_length--;
    return true;
}

// A name of its own for messages: "archive(member)".
static char *full_name(struct link *l, const char *archive, const struct member *m) {
    struct text name = {0};
    text_printf(&name, "%s(%.*s)", archive ? archive : "archive", (int)m->name_length, m->name);
    char *copy = name.failed ? NULL : arena_copy(&l->arena, name.data, name.length);
    text_free(&name);
    if (!copy) link_no_memory(l);
    return copy;
}

// The file that a thin archive means, found from its own folder.
static bool open_member(struct link *l, const char *archive, struct member *m) {
    const char *slash = archive ? strrchr(archive, '/') : NULL;
    struct text path = {0};
    if (slash && m->name[0] != '/') text_add(&path, archive, (size_t)(slash - archive) + 1);
    text_add(&path, m->name, m->name_length);
    size_t length = 0;
    sw_status status = path.failed || !path.length || memchr(path.data, 0, path.length)
                           ? SW_BAD_INPUT
                           : l->options->open(l->options->open_context, path.data, &m->bytes, &length);
    if (status) length = 0;
    const bool fits = length <= l->budget; // an archive may name the same file any number of times
    l->budget -= fits ? length : 0;
    if (status || !fits) {
        struct object_file self = {.name = archive};
        link_error(l, &self, NULL,
                   fits ? "cannot open the member %s" : "with %s its members exceed what linking may take",
                   path.length ? path.data : "");
    }
    text_free(&path);
    m->size = length;
    return !status && fits;
}

void archive_members(struct link *l, const sw_link_input *input,
                     void (*each)(struct link *l, const char *name, const uint8_t *bytes, size_t length,
                                  void *context),
                     void *context) {
    struct object_file self = {.name = input->name};
    const bool is_thin = !memcmp(input->bytes, thin, SARMAG);
    if (is_thin && !l->options->open) {
        link_unsupported(l, input->name, "a thin archive, whose members are other files");
        return;
    }
    const uint8_t *names = NULL;
    uint64_t names_size = 0, at = SARMAG, total = 0;
    while (at < input->length && !l->no_memory) {
        struct ar_hdr h;
        struct member m;
        if (!in_range(at, sizeof h, input->length)) {
            link_error(l, &self, NULL, "the archive ends inside the header of a member, at offset 0x%llx",
                       (unsigned long long)at);
            return;
        }
        memcpy(&h, input->bytes + at, sizeof h);
        at += sizeof h;
        const bool table =
            !memcmp(h.ar_name, "/  ", 3) || !memcmp(h.ar_name, "// ", 3) || !memcmp(h.ar_name, "/SYM64/ ", 8);
        const bool elsewhere = is_thin && !table;
        if (memcmp(h.ar_fmag, ARFMAG, 2) || !decimal(h.ar_size, sizeof h.ar_size, &m.size) ||
            (!elsewhere && !in_range(at, m.size, input->length))) {
            link_error(l, &self, NULL, "no proper header of an archive member at offset 0x%llx",
                       (unsigned long long)(at - sizeof h));
            return;
        }
        m.bytes = input->bytes + at;
        if (!elsewhere) at += m.size + (m.size & 1);
        if (!memcmp(h.ar_name, "//              ", 16)) {
            names = m.bytes;
            names_size = m.size;
            continue;
        }
        if (!memcmp(h.ar_name, "/               ", 16) || !memcmp(h.ar_name, "/SYM64/         ", 16) ||
            !memcmp(h.ar_name, "__.SYMDEF", 9))
            continue;
        if (!find_name(&m, h.ar_name, names, names_size)) {
            link_error(l, &self, NULL, "the name of an archive member lies outside the table of names");
            return;
        }
        // Long names may share text; together they may not exceed what an honest archive could have.
        if ((total += m.name_length) > input->length) {
            link_error(l, &self, NULL, "the member names share text to an absurd degree");
            return;
        }
        if (is_thin && !open_member(l, input->name, &m)) continue;
        char *name = full_name(l, input->name, &m);
        if (!name) return;
        each(l, name, m.bytes, m.size, context);
    }
}
