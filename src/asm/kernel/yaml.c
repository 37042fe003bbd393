// SPDX-License-Identifier: MIT
// YAML into trees and trees into MessagePack (ASM-74, PAL-01). A scalar is a number or truth value when it
// reads like one, quoted or not, unless a tag says what it is; keys of maps are sorted, numbers take the
// fewest bytes.
#include "asm/kernel/yaml.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/bytes.h"

enum { MAX_NESTING = 64 };

struct reading {
    struct unit *u;
    yaml_parser_t parser;
    struct slice text;
    unsigned depth;
};

const char *node_kind_name(const struct node *n) {
    static const char *const names[] = {"a string", "an integer", "an integer", "a truth value",
                                        "a float",  "nil",        "a list",     "a map"};
    return names[n->kind];
}

static bool yaml_bad(struct reading *r, size_t offset, const char *message) {
    const char *at = r->text.text + (offset < r->text.length ? offset : r->text.length);
    return unit_error(r->u, at, "metadata: %s", message);
}

struct node *node_make(struct unit *u, enum node_kind kind) {
    struct node *n = arena_alloc(&u->program->arena, sizeof *n);
    if (!n) return program_no_memory(u->program), NULL;
    n->kind = (uint8_t)kind;
    return n;
}

struct node *node_string(struct unit *u, const char *text) {
    struct node *n = node_make(u, NODE_STRING);
    if (n) n->text = (struct slice){text, strlen(text)};
    return n;
}

// ---- What a scalar is ----

static bool read_unsigned(const char *p, uint64_t *out) {
    unsigned base = 10;
    char second = *p == '0' ? (char)(p[1] | 0x20) : 0;
    if (second == 'x' || second == 'b' || (second == 'o' && p[1] == 'o')) {
        base = second == 'x' ? 16 : second == 'b' ? 2 : 8;
        p += 2;
    } else if (*p == '0' && char_is(p[1], CHAR_DIGIT)) {
        base = 8;
        p++;
    }
    uint64_t v = 0;
    const char *start = p;
    for (; *p; p++) {
        unsigned digit = char_is(*p, CHAR_DIGIT)                    ? (unsigned)(*p - '0')
                         : (*p | 0x20) >= 'a' && (*p | 0x20) <= 'f' ? (unsigned)((*p | 0x20) - 'a') + 10
                                                                    : 99;
        if (digit >= base || v > (UINT64_MAX - digit) / base) return false;
        v = v * base + digit;
    }
    *out = v;
    return p > start;
}

static bool read_integer(struct node *n, const char *text) {
    uint64_t v;
    if (*text == '-') {
        if (!read_unsigned(text + 1, &v) || v > 1ull << 63) return false;
        n->kind = NODE_SIGNED;
        n->integer = (int64_t)-v;
        return true;
    }
    if (!read_unsigned(text, &v)) return false;
    n->kind = NODE_UNSIGNED;
    n->number = v;
    return true;
}

static bool read_bool(struct node *n, struct slice s) {
    n->number = slice_is(s, "true");
    if (!n->number && !slice_is(s, "false")) return false;
    n->kind = NODE_BOOL;
    return true;
}

static bool read_float(struct node *n, const char *text) {
    char *end;
    if (char_is(*text, CHAR_SPACE)) return false; // but nothing at all is 0.0
    double v = strtod(text, &end);
    if (*end) return false;
    n->kind = NODE_FLOAT;
    n->real = v;
    return true;
}

// The text ends with a NUL. Tags are LLVM's; "" is none.
static bool decide(struct node *n, const char *tag) {
    const char *text = n->text.text;
    bool any = !*tag || !strcmp(tag, "tag:yaml.org,2002:str");
    n->kind = NODE_STRING;
    if (strlen(text) != n->text.length) return any || !strcmp(tag, "!str"); // a NUL inside
    if (!strcmp(tag, "!int")) return read_integer(n, text);
    if (!strcmp(tag, "!bool")) return read_bool(n, n->text);
    if (!strcmp(tag, "!float")) return read_float(n, text);
    if (!strcmp(tag, "!nil")) return n->kind = NODE_NIL, true;
    if (any) return read_integer(n, text) || read_bool(n, n->text) || read_float(n, text) || true;
    return !strcmp(tag, "!str");
}

bool node_reread(struct node *n) { return n->kind == NODE_STRING && decide(n, ""); }

// ---- Reading ----

static bool next_event(struct reading *r, yaml_event_t *e) {
    if (yaml_parser_parse(&r->parser, e)) return true;
    return yaml_bad(r, r->parser.problem_mark.index,
                    r->parser.problem ? r->parser.problem : "malformed YAML");
}

static struct node *read_node(struct reading *r, yaml_event_t *e);

static struct node *read_scalar(struct reading *r, const yaml_event_t *e, struct node *n) {
    const char *tag = e->data.scalar.tag ? (const char *)e->data.scalar.tag : "";
    n->text = (struct slice){(const char *)e->data.scalar.value, e->data.scalar.length};
    n->text.text = arena_copy(&r->u->program->arena, n->text.text, n->text.length);
    if (!n->text.text) return program_no_memory(r->u->program), NULL;
    if (decide(n, tag)) return n;
    unit_error(r->u, n->where, "metadata: '%s' is no value of the tag %s", n->text.text, tag);
    return NULL;
}

// ---- Order of keys ----

static int compare_text(struct slice a, struct slice b) {
    size_t n = a.length < b.length ? a.length : b.length;
    int c = n ? memcmp(a.text, b.text, n) : 0;
    return c ? c : (a.length > b.length) - (a.length < b.length);
}

// LLVM's order: by kind (signed, unsigned, nil, bool, float, string), then by value.
static int compare_keys(const struct node *a, const struct node *b) {
    static const uint8_t rank[] = {[NODE_SIGNED] = 0, [NODE_UNSIGNED] = 1, [NODE_NIL] = 2,
                                   [NODE_BOOL] = 3,   [NODE_FLOAT] = 4,    [NODE_STRING] = 5};
    if (a->kind != b->kind) return rank[a->kind] - rank[b->kind];
    switch (a->kind) {
    case NODE_SIGNED: return (a->integer > b->integer) - (a->integer < b->integer);
    case NODE_UNSIGNED:
    case NODE_BOOL: return (a->number > b->number) - (a->number < b->number);
    case NODE_FLOAT: return (a->real > b->real) - (a->real < b->real);
    case NODE_NIL: return 0;
    default: return compare_text(a->text, b->text);
    }
}

// Of equal keys the later one stands behind: entries are pointers into a list in order.
struct map_entry {
    const struct node *node;
    size_t order;
};
static int by_key(const void *a, const void *b) {
    const struct map_entry *x = a, *y = b;
    int c = compare_keys(x->node->key, y->node->key);
    return c ? c : (x->order > y->order) - (x->order < y->order);
}

static struct map_entry *sorted_entries(const struct node *map) {
    struct map_entry *list = malloc((map->count + 1) * sizeof *list);
    size_t count = 0;
    if (!list) return NULL;
    for (const struct node *i = map->first; i; i = i->next)
        list[count] = (struct map_entry){i, count}, count++;
    qsort(list, count, sizeof *list, by_key);
    return list;
}

static bool keys_differ(struct reading *r, const struct node *map) {
    struct map_entry *list = sorted_entries(map);
    bool ok = list || program_no_memory(r->u->program);
    for (size_t i = 1; ok && i < map->count; i++)
        if (!compare_keys(list[i - 1].node->key, list[i].node->key))
            ok = unit_error(r->u, list[i].node->key->where, "metadata: key '%.*s' stands twice in a map",
                            (int)list[i].node->key->text.length, list[i].node->key->text.text);
    free(list);
    return ok;
}

static bool read_children(struct reading *r, struct node *n, yaml_event_type_t stop) {
    struct node **tail = &n->first;
    if (++r->depth > MAX_NESTING) return yaml_bad(r, (size_t)(n->where - r->text.text), "nested too deeply");
    for (;;) {
        yaml_event_t e;
        struct node *key = NULL;
        if (!next_event(r, &e)) return false;
        if (e.type == stop) {
            yaml_event_delete(&e);
            break;
        }
        if (n->kind == NODE_MAP) {
            if (!(key = read_node(r, &e))) return false;
            if (key->kind >= NODE_LIST)
                return unit_error(r->u, key->where, "metadata: a key must be a scalar");
            if (!next_event(r, &e)) return false;
        }
        struct node *child = read_node(r, &e);
        if (!child) return false;
        child->key = key;
        *tail = child;
        tail = &child->next;
        n->count++;
    }
    r->depth--;
    return n->kind != NODE_MAP || keys_differ(r, n);
}

static struct node *read_node(struct reading *r, yaml_event_t *e) {
    struct node *n = node_make(r->u, NODE_STRING);
    yaml_event_type_t type = e->type;
    size_t offset = e->start_mark.index;
    if (n) n->where = r->text.text + (offset < r->text.length ? offset : r->text.length);
    if (n && type == YAML_SCALAR_EVENT) n = read_scalar(r, e, n);
    yaml_event_delete(e);
    if (!n || type == YAML_SCALAR_EVENT) return n;
    if (type == YAML_SEQUENCE_START_EVENT) {
        n->kind = NODE_LIST;
        return read_children(r, n, YAML_SEQUENCE_END_EVENT) ? n : NULL;
    }
    if (type == YAML_MAPPING_START_EVENT) {
        n->kind = NODE_MAP;
        return read_children(r, n, YAML_MAPPING_END_EVENT) ? n : NULL;
    }
    yaml_bad(r, offset, "only scalars, lists and maps are metadata");
    return NULL;
}

struct node *yaml_read(struct unit *u, struct slice text) {
    struct reading r = {.u = u, .text = text};
    if (!yaml_parser_initialize(&r.parser)) return program_no_memory(u->program), NULL;
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text.text, text.length);
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
    if (ok && !root) yaml_bad(&r, 0, "there is nothing in it");
    return ok ? root : NULL;
}

bool unit_take_text(struct unit *u, const char *stop, struct slice *out) {
    struct source *s = u->source;
    size_t n = strlen(stop);
    out->text = s->p;
    while (s->p < s->end) {
        const char *begin = s->p;
        struct slice line = unit_raw_line(u);
        const char *end = line.text + line.length, *p = skip_space(line.text, end);
        if ((size_t)(end - p) >= n && !memcmp(p, stop, n) && (p + n == end || !char_is(p[n], CHAR_NAME))) {
            out->length = (size_t)(begin - out->text);
            return true;
        }
    }
    return unit_error(u, NULL, "expected directive %s not found", stop);
}

// ---- Maps ----

struct node *node_find(const struct node *map, const char *key) {
    struct node *found = NULL;
    for (struct node *i = map->first; i; i = i->next)
        if (i->key->kind == NODE_STRING && slice_is(i->key->text, key)) found = i;
    return found;
}

bool node_set(struct unit *u, struct node *map, struct node *key, struct node *value) {
    if (!key || !value) return false;
    (void)u;
    struct node **at = &map->first;
    for (; *at; at = &(*at)->next)
        if (!compare_keys((*at)->key, key)) {
            value->key = (*at)->key;
            value->next = (*at)->next;
            *at = value;
            return true;
        }
    value->key = key;
    value->next = NULL;
    *at = value;
    map->count++;
    return true;
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
    if (v >= 0)
        put_unsigned(t, (uint64_t)v);
    else if (v >= -32)
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

static void put_float(struct text *t, double v) {
    float narrow = (float)v;
    if (fabs(v) >= FLT_MIN && fabs(v) <= FLT_MAX) {
        uint32_t bits;
        memcpy(&bits, &narrow, 4);
        put(t, 0xca, bits, 4);
    } else {
        uint64_t bits;
        memcpy(&bits, &v, 8);
        put(t, 0xcb, bits, 8);
    }
}

static void put_count(struct text *t, bool map, size_t count) {
    if (count < 16)
        put(t, (map ? 0x80 : 0x90) | (unsigned)count, 0, 0);
    else if (count <= UINT16_MAX)
        put(t, map ? 0xde : 0xdc, count, 2);
    else
        put(t, map ? 0xdf : 0xdd, count, 4);
}

// Sorted, each key once; to be freed. NULL: no memory.
static struct map_entry *entries_once(struct text *t, const struct node *n, size_t *count) {
    struct map_entry *list = sorted_entries(n);
    *count = 0;
    if (!list) t->failed = true;
    for (size_t i = 0; list && i < n->count; i++)
        if (i + 1 == n->count || compare_keys(list[i].node->key, list[i + 1].node->key))
            list[(*count)++] = list[i];
    return list;
}

static void put_map(struct text *t, const struct node *n) {
    size_t kept;
    struct map_entry *list = entries_once(t, n, &kept);
    if (!list) return;
    put_count(t, true, kept);
    for (size_t i = 0; i < kept; i++) {
        node_pack(t, list[i].node->key);
        node_pack(t, list[i].node);
    }
    free(list);
}

void node_pack(struct text *t, const struct node *n) {
    switch (n->kind) {
    case NODE_UNSIGNED: put_unsigned(t, n->number); break;
    case NODE_SIGNED: put_signed(t, n->integer); break;
    case NODE_BOOL: put(t, n->number ? 0xc3 : 0xc2, 0, 0); break;
    case NODE_FLOAT: put_float(t, n->real); break;
    case NODE_NIL: put(t, 0xc0, 0, 0); break;
    case NODE_LIST:
        put_count(t, false, n->count);
        for (const struct node *i = n->first; i; i = i->next) node_pack(t, i);
        break;
    case NODE_MAP: put_map(t, n); break;
    default: put_string(t, n->text);
    }
}

// ---- YAML again, as LLVM writes it ----

enum quotes { BARE, SINGLE, DOUBLE };
static enum quotes quotes_of(struct slice s) {
    if (!s.length || char_is(s.text[0], CHAR_SPACE) || char_is(s.text[s.length - 1], CHAR_SPACE))
        return SINGLE;
    struct node same = {.kind = NODE_STRING, .text = s};
    enum quotes q = memchr("-?:\\,[]{}#&*!|>'\"%@`", s.text[0], 21) ? SINGLE : BARE;
    if (node_reread(&same) && same.kind != NODE_STRING) q = SINGLE; // a number or a truth value
    for (size_t i = 0; i < s.length; i++) {
        const unsigned char c = (unsigned char)s.text[i];
        if ((c < 0x20 && c != '\t') || c >= 0x7f) return DOUBLE;
        if (!char_is(s.text[i], CHAR_NAME) && !memchr("-^., \t", c, 6)) q = SINGLE;
        if (c == '$' || c == '@') q = SINGLE;
    }
    return q;
}
static void write_string(struct text *t, struct slice s) {
    const enum quotes q = quotes_of(s);
    if (q == BARE) text_add(t, s.text, s.length);
    if (q == BARE) return;
    text_puts(t, q == SINGLE ? "'" : "\"");
    for (size_t i = 0; i < s.length; i++) {
        const unsigned char c = (unsigned char)s.text[i];
        if (q == SINGLE) {
            text_puts(t, c == '\'' ? "'" : "");
            text_add(t, s.text + i, 1);
        } else if (c == '\\' || c == '"')
            text_printf(t, "\\%c", c);
        else if (c == '\n' || c == '\r' || c == '\t')
            text_printf(t, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
        else if (c < 0x20 || c == 0x7f)
            text_printf(t, "\\x%02X", c);
        else
            text_add(t, s.text + i, 1);
    }
    text_puts(t, q == SINGLE ? "'" : "\"");
}

static void write_node(struct text *t, const struct node *n, unsigned column, bool behind_dash);
static void write_list(struct text *t, const struct node *n, unsigned column, bool behind_dash) {
    bool here = behind_dash;
    for (const struct node *i = n->first; i; i = i->next, here = false) {
        if (!here) text_printf(t, "%*s", (int)column, "");
        text_puts(t, "- ");
        write_node(t, i, column + 2, true);
    }
}
static void write_map(struct text *t, const struct node *n, unsigned column, bool behind_dash) {
    size_t count;
    struct map_entry *list = entries_once(t, n, &count);
    for (size_t i = 0; list && i < count; i++) {
        const struct node *v = list[i].node;
        const size_t before = t->length;
        if (i || !behind_dash) text_printf(t, "%*s", (int)column, "");
        const size_t begin = i || !behind_dash ? before + column : before;
        write_string(t, v->key->text);
        text_puts(t, ":");
        const bool nested = v->kind >= NODE_LIST && v->count;
        const size_t width = t->length - begin - 1;
        if (nested)
            text_puts(t, "\n");
        else
            text_printf(t, "%*s", width < 16 ? (int)(16 - width) : 1, "");
        write_node(t, v, nested ? column + 2 : column, false);
    }
    free(list);
}
static void write_node(struct text *t, const struct node *n, unsigned column, bool behind_dash) {
    switch (n->kind) {
    case NODE_UNSIGNED: text_printf(t, "%llu\n", (unsigned long long)n->number); break;
    case NODE_SIGNED: text_printf(t, "%lld\n", (long long)n->integer); break;
    case NODE_BOOL: text_puts(t, n->number ? "true\n" : "false\n"); break;
    case NODE_FLOAT: text_printf(t, "%g\n", n->real); break;
    case NODE_NIL: text_puts(t, "\n"); break;
    case NODE_STRING:
        write_string(t, n->text);
        text_puts(t, "\n");
        break;
    case NODE_LIST:
        if (!n->count)
            text_puts(t, "[]\n");
        else
            write_list(t, n, column, behind_dash);
        break;
    default:
        if (!n->count)
            text_puts(t, "{}\n");
        else
            write_map(t, n, column, behind_dash);
    }
}
void node_write(struct text *t, const struct node *root) {
    text_puts(t, "---\n");
    write_node(t, root, 0, false);
    text_puts(t, "...\n");
}
