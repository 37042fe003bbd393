// SPDX-License-Identifier: MIT
// Archives (ar, GNU's and BSD's long names) whose members hold code objects, and bundles of texts.
//
// A member is read as a file of its own would be; one without device code adds nothing. Symbol indices and
// tables of long names are skipped. Texts stand between lines "COMMENT MAGIC__START__ ID" and
// "COMMENT MAGIC__END__ ID".
#include "object/container/container.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 60, MAX_NAME = 4096 };

static bool number(const char *field, size_t width, uint64_t *out) {
    uint64_t v = 0;
    size_t i = 0;
    while (i < width && field[i] >= '0' && field[i] <= '9') v = 10 * v + (uint64_t)(field[i++] - '0');
    const bool any = i > 0;
    while (i < width && field[i] == ' ') i++;
    *out = v;
    return any && i == width;
}

struct names {
    const char *table; // GNU's long names
    uint64_t size;
};

// The member's name; *skip becomes how many bytes of its contents that takes (BSD). NULL: malformed.
static const char *member_name(struct sw_container *c, const char *header, uint64_t at, uint64_t size,
                               const struct names *names, uint64_t *skip) {
    uint64_t n = 0;
    *skip = 0;
    if (header[0] == '/' && number(header + 1, 15, &n)) {
        if (n >= names->size) return NULL;
        const char *name = names->table + n;
        const char *end = memchr(name, '\n', names->size - n);
        size_t length = end ? (size_t)(end - name) : names->size - n;
        if (length && name[length - 1] == '/') length--;
        return arena_copy(&c->arena, name, length > MAX_NAME ? MAX_NAME : length);
    }
    if (!memcmp(header, "#1/", 3) && number(header + 3, 13, &n)) {
        if (n > size || n > MAX_NAME) return NULL;
        *skip = n;
        const char *name = (const char *)c->bytes + at;
        return arena_copy(&c->arena, name, strnlen(name, n));
    }
    size_t length = 16;
    while (length && header[length - 1] == ' ') length--;
    if (length > 1 && header[length - 1] == '/') length--;
    return arena_copy(&c->arena, header, length);
}

static bool is_index(const char *header) {
    return !memcmp(header, "/ ", 2) || !memcmp(header, "/SYM64/ ", 8) || !memcmp(header, "__.SYMDEF", 9);
}

sw_status container_read_archive(struct sw_container *c, const sw_sink *sink) {
    const char *within = "archive";
    if (!memcmp(c->bytes, "!<thin>", 7)) {
        sw_location at = {.file = c->name, .within = within};
        return diag_fail(sink, SW_UNSUPPORTED, &at,
                         "a thin archive names its members but does not hold them");
    }
    struct names names = {NULL, 0};
    for (uint64_t at = 8; at < c->size;) {
        uint64_t size, skip;
        const char *header = (const char *)c->bytes + at;
        if (c->size - at < HEADER || memcmp(header + 58, "`\n", 2) || !number(header + 48, 10, &size))
            return container_bad(c, sink, at, within, "a member header is cut off or malformed");
        at += HEADER;
        if (size > c->size - at)
            return container_bad(c, sink, at - 12, within, "a member of %llu bytes runs past the file",
                                 (unsigned long long)size);
        if (!memcmp(header, "// ", 3))
            names = (struct names){(const char *)c->bytes + at, size};
        else if (!is_index(header)) {
            c->member = member_name(c, header, at, size, &names, &skip);
            if (!c->member)
                return container_bad(c, sink, at - HEADER, within, "a member's name is malformed");
            sw_container_kind kind;
            sw_status s = container_read_part(c, at + skip, size - skip, &kind, sink);
            if (s) {
                sw_location where = {.file = c->name, .offset = at, .has_offset = true, .within = within};
                diag_note(sink, &where, "in member '%.200s'", c->member);
                return s;
            }
        }
        at += size + (size & 1);
    }
    c->member = NULL;
    return SW_OK;
}

// ---- Bundles of texts ----------------------------------------------------------------------------------

#define MAGIC "__CLANG_OFFLOAD_BUNDLE__"

// The next line at or after `at` that is a comment, `mark` and an id. *id and *id_end become the id's bounds.
static const char *find_mark(const char *at, const char *end, const char *mark, const char **line,
                             const char **id_end) {
    static const char *const comments[] = {"//", "#", ";"};
    const size_t length = strlen(mark);
    for (const char *start = at; (at = memmem(at, (size_t)(end - at), mark, length)); at += length) {
        for (unsigned i = 0; i < 3; i++) {
            const size_t n = strlen(comments[i]);
            if ((size_t)(at - start) < n + 2 || at[-1] != ' ' || memcmp(at - 1 - n, comments[i], n) ||
                at[-2 - (ptrdiff_t)n] != '\n')
                continue;
            *line = at - 1 - n;
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            *id_end = newline ? newline : end;
            return at + length;
        }
    }
    return NULL;
}

sw_status container_read_text(struct sw_container *c, uint64_t base, uint64_t size, size_t *found,
                              const sw_sink *sink) {
    const char *at = (const char *)c->bytes + base, *end = at + size;
    const char *line, *id_end, *close_end;
    if (!memmem(at, size, MAGIC "__START__ ", strlen(MAGIC "__START__ "))) return SW_OK;
    struct bundle b = {.offset = base, .method = COMPRESS_NONE};
    if (!array_push(&c->bundles, b)) return container_no_memory(c, sink);
    for (const char *id; (id = find_mark(at, end, MAGIC "__START__ ", &line, &id_end)); ++*found) {
        const uint64_t offset = (uint64_t)(line - (const char *)c->bytes);
        if (id_end - id > 1024) return container_bad(c, sink, offset, "bundle of texts", "an id is too long");
        const char *text = id_end < end ? id_end + 1 : end;
        // The newline before the end mark belongs to it; an empty text leaves only that of the start mark.
        const char *close = find_mark(id_end, end, MAGIC "__END__ ", &line, &close_end);
        if (!close)
            return container_bad(c, sink, offset, "bundle of texts", "'%.*s' has no end mark",
                                 (int)(id_end - id), id);
        const char *text_end = line - 1 < text ? text : line - 1;
        sw_entry e = {.offset = (uint64_t)(text - (const char *)c->bytes),
                      .size = (uint64_t)(text_end - text),
                      .data = (const uint8_t *)text};
        sw_status s = container_add_entry(c, e, id, (size_t)(id_end - id), sink);
        if (s) return s;
        at = close_end;
    }
    return SW_OK;
}
