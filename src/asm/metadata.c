// SPDX-License-Identifier: MIT
// .amdgpu_metadata: YAML up to .end_amdgpu_metadata into a MessagePack note (ASM-74). Keys of maps are
// sorted, a scalar is a number or truth value when it reads like one, numbers take the fewest bytes: as LLVM
// writes them.
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "asm/unit.h"
#include "base/bytes.h"

enum { MAX_NESTING = 64, NOTE_METADATA = 32 };

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };
struct node {
    uint8_t kind;
    struct slice text; // of a scalar; of a map's value, `key` beside it
    struct slice key;
    struct node *first, *next;
    size_t count;
};

struct reading {
    struct unit *u;
    yaml_parser_t parser;
    const char *where; // of the directive
    const char *text;  // the YAML
    size_t length;
    unsigned depth;
};

static bool yaml_bad(struct reading *r, size_t offset, const char *message) {
    const char *at = r->text + (offset < r->length ? offset : r->length);
    return unit_error(r->u, at, "metadata: %s", message);
}

static struct slice copy(struct unit *u, const yaml_event_t *e) {
    struct slice s = {(const char *)e->data.scalar.value, e->data.scalar.length};
    s.text = arena_copy(&u->arena, s.text, s.length);
    if (!s.text) unit_no_memory(u);
    return s;
}

static bool next_event(struct reading *r, yaml_event_t *e) {
    if (yaml_parser_parse(&r->parser, e)) return true;
    return yaml_bad(r, r->parser.problem_mark.index,
                    r->parser.problem ? r->parser.problem : "malformed YAML");
}

static struct node *read_node(struct reading *r, yaml_event_t *e);

static int by_key(const void *a, const void *b) {
    const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
    size_t n = x->key.length < y->key.length ? x->key.length : y->key.length;
    int c = memcmp(x->key.text, y->key.text, n);
    return c ? c : (x->key.length > y->key.length) - (x->key.length < y->key.length);
}

static bool sort_map(struct reading *r, struct node *map, size_t offset) {
    struct node **list = malloc((map->count + 1) * sizeof *list);
    if (!list) return unit_no_memory(r->u);
    size_t n = 0;
    for (struct node *i = map->first; i; i = i->next) list[n++] = i;
    qsort(list, n, sizeof *list, by_key);
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        if (i && !by_key(&list[i - 1], &list[i])) ok = yaml_bad(r, offset, "a key stands twice in a map");
        list[i]->next = i + 1 < n ? list[i + 1] : NULL;
    }
    if (n) map->first = list[0];
    free(list);
    return ok;
}

// The elements of a list or map whose beginning has been read.
static bool read_children(struct reading *r, struct node *n, yaml_event_type_t end, size_t offset) {
    struct node **tail = &n->first;
    if (++r->depth > MAX_NESTING) return yaml_bad(r, offset, "nested too deeply");
    for (;;) {
        yaml_event_t e;
        struct slice key = {0};
        if (!next_event(r, &e)) return false;
        if (e.type == end) {
            yaml_event_delete(&e);
            break;
        }
        if (n->kind == NODE_MAP) {
            size_t at = e.start_mark.index;
            bool scalar = e.type == YAML_SCALAR_EVENT;
            if (scalar) key = copy(r->u, &e);
            yaml_event_delete(&e);
            if (!scalar) return yaml_bad(r, at, "a key must be a string");
            if (!key.text || !next_event(r, &e)) return false;
        }
        struct node *child = read_node(r, &e);
        if (!child) return false;
        child->key = key;
        *tail = child;
        tail = &child->next;
        n->count++;
    }
    r->depth--;
    return n->kind != NODE_MAP || sort_map(r, n, offset);
}

static struct node *read_node(struct reading *r, yaml_event_t *e) {
    struct node *n = arena_alloc(&r->u->arena, sizeof *n);
    yaml_event_type_t type = e->type;
    size_t offset = e->start_mark.index;
    if (!n) unit_no_memory(r->u);
    if (n && type == YAML_SCALAR_EVENT) n->text = copy(r->u, e);
    yaml_event_delete(e);
    if (!n) return NULL;
    switch (type) {
    case YAML_SCALAR_EVENT: return n->text.text ? n : NULL;
    case YAML_SEQUENCE_START_EVENT:
        n->kind = NODE_LIST;
        return read_children(r, n, YAML_SEQUENCE_END_EVENT, offset) ? n : NULL;
    case YAML_MAPPING_START_EVENT:
        n->kind = NODE_MAP;
        return read_children(r, n, YAML_MAPPING_END_EVENT, offset) ? n : NULL;
    default: yaml_bad(r, offset, "only scalars, lists and maps are metadata"); return NULL;
    }
}

// ---- MessagePack ----

static void put(struct text *t, unsigned tag, uint64_t v, unsigned bytes) {
    char out[9] = {(char)tag};
    for (unsigned i = 0; i < bytes; i++) out[1 + i] = (char)(v >> (8 * (bytes - 1 - i)));
    text_add(t, out, 1 + bytes);
}

static void put_unsigned(struct text *t, uint64_t v) {
    if (v < 128)
        put(t, (unsigned)v, 0, 0);
    else if (v <= UINT8_MAX)
        put(t, 0xcc, v, 1);
    else if (v <= UINT16_MAX)
        put(t, 0xcd, v, 2);
    else if (v <= UINT32_MAX)
        put(t, 0xce, v, 4);
    else
        put(t, 0xcf, v, 8);
}

static void put_signed(struct text *t, int64_t v) {
    if (v >= -32)
        put(t, (unsigned)(v & 0xff), 0, 0);
    else if (v >= INT8_MIN)
        put(t, 0xd0, (uint64_t)v, 1);
    else if (v >= INT16_MIN)
        put(t, 0xd1, (uint64_t)v, 2);
    else if (v >= INT32_MIN)
        put(t, 0xd2, (uint64_t)v, 4);
    else
        put(t, 0xd3, (uint64_t)v, 8);
}

static void put_string(struct text *t, struct slice s) {
    if (s.length < 32)
        put(t, 0xa0 | (unsigned)s.length, 0, 0);
    else if (s.length <= UINT8_MAX)
        put(t, 0xd9, s.length, 1);
    else if (s.length <= UINT16_MAX)
        put(t, 0xda, s.length, 2);
    else
        put(t, 0xdb, s.length, 4);
    text_add(t, s.text, s.length);
}

// Keys whose values are strings even when they read like something else.
static bool is_string_key(struct slice key) {
    static const char *const keys[] = {".name",          ".symbol",        ".type_name",
                                       ".value_kind",    ".value_type",    ".address_space",
                                       ".access",        ".actual_access", ".language",
                                       ".vec_type_hint", ".kind",          ".device_enqueue_symbol",
                                       "amdhsa.target",  "amdhsa.printf"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (slice_is(key, keys[i])) return true;
    return false;
}

static void put_scalar(struct text *t, struct slice s) {
    const char *p = s.text;
    char *end;
    errno = 0;
    if (s.length && (char_is(*p, CHAR_DIGIT) || (*p == '-' && char_is(p[1], CHAR_DIGIT)))) {
        bool minus = *p == '-';
        unsigned long long v = strtoull(p + minus, &end, 0);
        if (end == p + s.length && !errno && (!minus || v <= 1ull << 63)) {
            if (minus)
                put_signed(t, (int64_t)-v);
            else
                put_unsigned(t, v);
            return;
        }
    }
    if (slice_is(s, "true") || slice_is(s, "True") || slice_is(s, "TRUE"))
        put(t, 0xc3, 0, 0);
    else if (slice_is(s, "false") || slice_is(s, "False") || slice_is(s, "FALSE"))
        put(t, 0xc2, 0, 0);
    else
        put_string(t, s);
}

static void put_node(struct text *t, const struct node *n, bool string) {
    if (n->kind == NODE_SCALAR) {
        if (string)
            put_string(t, n->text);
        else
            put_scalar(t, n->text);
        return;
    }
    bool map = n->kind == NODE_MAP;
    if (n->count < 16)
        put(t, (map ? 0x80 : 0x90) | (unsigned)n->count, 0, 0);
    else if (n->count <= UINT16_MAX)
        put(t, map ? 0xde : 0xdc, n->count, 2);
    else
        put(t, map ? 0xdf : 0xdd, n->count, 4);
    for (const struct node *i = n->first; i; i = i->next) {
        if (map) put_string(t, i->key);
        put_node(t, i, map ? is_string_key(i->key) : string);
    }
}

// ---- The directive ----

static bool emit_note(struct unit *u, const struct text *t) {
    struct section *here = u->section;
    struct section *note = unit_section(u, (struct slice){".note", 5}, SHT_NOTE, SHF_ALLOC, 0);
    if (!note) return false;
    uint8_t head[20] = {0};
    wr32(head, 7);
    wr32(head + 4, (uint32_t)t->length);
    wr32(head + 8, NOTE_METADATA);
    memcpy(head + 12, "AMDGPU", 6);
    u->section = note;
    bool ok = unit_align(u, 4, NULL, 1, 0) && unit_emit(u, head, sizeof head) &&
              unit_emit(u, t->data, t->length) && unit_align(u, 4, NULL, 1, 0);
    u->section = here;
    return ok;
}

// The lines up to the end directive.
static bool take_text(struct unit *u, struct slice *out) {
    struct source *s = u->source;
    out->text = s->p;
    while (s->p < s->end) {
        const char *begin = s->p;
        struct slice line = unit_raw_line(u);
        const char *p = skip_space(line.text, line.text + line.length);
        size_t length = (size_t)(line.text + line.length - p);
        if (length >= 20 && !memcmp(p, ".end_amdgpu_metadata", 20)) {
            out->length = (size_t)(begin - out->text);
            return true;
        }
    }
    return unit_error(u, NULL, "an .end_amdgpu_metadata is missing");
}

bool dir_metadata(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    struct slice yaml = {0};
    if (!unit_end(u, p, end) || !take_text(u, &yaml)) return false;
    struct reading r = {.u = u, .where = name.text, .text = yaml.text, .length = yaml.length};
    if (!yaml_parser_initialize(&r.parser)) return unit_no_memory(u);
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)yaml.text, yaml.length);
    struct node *root = NULL;
    bool ok = true;
    for (bool more = true; ok && more;) {
        yaml_event_t e;
        if (!(ok = next_event(&r, &e))) break;
        if (e.type == YAML_STREAM_START_EVENT || e.type == YAML_DOCUMENT_START_EVENT)
            yaml_event_delete(&e);
        else if (e.type == YAML_STREAM_END_EVENT || e.type == YAML_DOCUMENT_END_EVENT) {
            yaml_event_delete(&e);
            more = false;
        } else
            ok = (root = read_node(&r, &e));
    }
    yaml_parser_delete(&r.parser);
    if (ok && (!root || root->kind != NODE_MAP)) ok = unit_error(u, name.text, "metadata must be a map");
    struct text t = {0};
    if (ok) put_node(&t, root, false);
    ok = ok && (!t.failed || unit_no_memory(u)) && emit_note(u, &t);
    text_free(&t);
    return ok;
}
