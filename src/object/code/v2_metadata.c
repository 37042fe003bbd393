// SPDX-License-Identifier: MIT
// Metadata of code object V2: YAML in a note (META-02, META-04 to META-12), as a tree with the keys and
// values of V3, so that one reader serves both.
//
// libyaml yields events; scalars stay text until a table row says what they are. Aliases are refused and
// nesting is shallow, so the tree is no larger than the text. V2 gives arguments no offsets: each follows the
// one before it at its alignment. Keys that no row names are kept under their own names.
#include "object/code/object.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MAX_DEPTH = 12 };

// ---- YAML as a tree ------------------------------------------------------------------------------------

struct reader {
    struct sw_object *o;
    const sw_sink *sink;
    uint64_t where;
    yaml_parser_t parser;
};

#define BAD(r, at, ...) object_bad((r)->o, (r)->sink, (r)->where + (at), "V2 metadata", __VA_ARGS__)

static sw_status next_event(struct reader *r, yaml_event_t *e) {
    if (yaml_parser_parse(&r->parser, e)) return SW_OK;
    if (r->parser.error == YAML_MEMORY_ERROR) return object_no_memory(r->o, r->sink);
    return BAD(r, r->parser.mark.index, "%s", r->parser.problem ? r->parser.problem : "the text is not YAML");
}

static sw_status read_scalar(struct reader *r, const yaml_event_t *e, sw_node *out) {
    const size_t n = e->data.scalar.length;
    const char *text = arena_copy(&r->o->arena, (const char *)e->data.scalar.value, n);
    *out = (sw_node){.kind = SW_NODE_STRING, .as.string = {text, n}};
    return text ? SW_OK : object_no_memory(r->o, r->sink);
}

static sw_status read_node(struct reader *r, yaml_event_t *e, unsigned depth, sw_node *out);

// Items until the event that ends the list; of a map, keys and values in turn.
static sw_status read_items(struct reader *r, yaml_event_type_t end, unsigned depth, sw_node *out) {
    sw_node *items = NULL;
    size_t count = 0, capacity = 0;
    sw_status s;
    for (;;) {
        yaml_event_t e;
        if ((s = next_event(r, &e))) break;
        if (e.type == end) {
            yaml_event_delete(&e);
            break;
        }
        if (count == capacity) {
            capacity = capacity ? 2 * capacity : 8;
            sw_node *more = realloc(items, capacity * sizeof *more);
            if (!more) s = object_no_memory(r->o, r->sink);
            if (more) items = more;
        }
        if (!s) s = read_node(r, &e, depth, &items[count++]);
        yaml_event_delete(&e);
        if (s) break;
    }
    const bool map = end == YAML_MAPPING_END_EVENT;
    sw_node *kept = s ? NULL : arena_alloc(&r->o->arena, count * sizeof *kept);
    if (!s && !kept) s = object_no_memory(r->o, r->sink);
    if (!s && count) memcpy(kept, items, count * sizeof *kept);
    free(items);
    *out = (sw_node){.kind = map ? SW_NODE_MAP : SW_NODE_ARRAY,
                     .count = (uint32_t)(map ? count / 2 : count),
                     .as.items = kept};
    return s;
}

static sw_status read_node(struct reader *r, yaml_event_t *e, unsigned depth, sw_node *out) {
    if (depth == MAX_DEPTH) return BAD(r, e->start_mark.index, "nested too deeply");
    switch (e->type) {
    case YAML_SCALAR_EVENT: return read_scalar(r, e, out);
    case YAML_SEQUENCE_START_EVENT: return read_items(r, YAML_SEQUENCE_END_EVENT, depth + 1, out);
    case YAML_MAPPING_START_EVENT: return read_items(r, YAML_MAPPING_END_EVENT, depth + 1, out);
    case YAML_ALIAS_EVENT: return BAD(r, e->start_mark.index, "aliases are not allowed");
    default: return BAD(r, e->start_mark.index, "expected a value");
    }
}

// The first document's value.
static sw_status read_document(struct reader *r, sw_node *out) {
    for (;;) {
        yaml_event_t e;
        sw_status s = next_event(r, &e);
        if (s) return s;
        const bool before = e.type == YAML_STREAM_START_EVENT || e.type == YAML_DOCUMENT_START_EVENT;
        if (!before) s = read_node(r, &e, 0, out);
        yaml_event_delete(&e);
        if (!before) return s;
    }
}

// ---- V2's keys as V3's ---------------------------------------------------------------------------------

static sw_node text_node(const char *text) {
    return (sw_node){.kind = SW_NODE_STRING, .as.string = {text, strlen(text)}};
}

// A value of V2's spelling, "HiddenGlobalOffsetX", in V3's; one that no list has stays as it is.
static sw_status rename_choice(struct reader *r, const struct meta_key *k, sw_node *v) {
    if (v->kind != SW_NODE_STRING) return BAD(r, 0, "%s: expected a name", k->v2);
    const int found = meta_choice(k->values, v->as.string.data, v->as.string.length, true);
    if (found >= 0) *v = text_node(k->values[found]);
    return SW_OK;
}

static sw_status as_number(struct reader *r, const char *key, sw_node *v) {
    uint64_t n = 0;
    if (!meta_number(v, true, &n)) return BAD(r, 0, "%s: expected a number", key);
    *v = (sw_node){.kind = SW_NODE_UINT, .as.uint = n};
    return SW_OK;
}

static sw_status convert(struct reader *r, const struct meta_key *k, sw_node *v) {
    bool on = false;
    switch ((enum meta_type)k->type) {
    case META_TEXT: return v->kind == SW_NODE_STRING ? SW_OK : BAD(r, 0, "%s: expected a string", k->v2);
    case META_NUMBER: return as_number(r, k->v2, v);
    case META_CHOICE:
    case META_CHOICE_TEXT: return rename_choice(r, k, v);
    case META_FLAG: // META-02
        if (!meta_flag(v, true, &on)) return BAD(r, 0, "%s: expected true or false", k->v2);
        *v = (sw_node){.kind = SW_NODE_BOOL, .as.boolean = on};
        return SW_OK;
    case META_TEXTS:
    case META_PAIR:
    case META_TRIPLE: {
        if (v->kind != SW_NODE_ARRAY) return BAD(r, 0, "%s: expected a list", k->v2);
        sw_node *items = arena_alloc(&r->o->arena, v->count * sizeof *items);
        if (!items) return object_no_memory(r->o, r->sink);
        for (uint32_t i = 0; i < v->count; i++) {
            items[i] = v->as.items[i];
            sw_status s = k->type == META_TEXTS ? SW_OK : as_number(r, k->v2, &items[i]);
            if (s) return s;
        }
        v->as.items = items;
        return SW_OK;
    }
    default: return SW_OK;
    }
}

// Appends the pairs of a V2 map to those of a V3 map, which has room. `skip`: keys read apart, NULL at the
// end.
static sw_status add_pairs(struct reader *r, const sw_node *map, enum meta_map which, const char *const *skip,
                           sw_node *out) {
    sw_node *pairs = (sw_node *)out->as.items;
    for (uint32_t i = 0; i < map->count; i++) {
        sw_node key = map->as.items[2 * i], value = map->as.items[2 * i + 1];
        bool skipped = false;
        for (const char *const *s = skip; s && *s; s++) skipped |= node_is(&key, *s);
        if (skipped) continue;
        const struct meta_key *k = key.kind == SW_NODE_STRING
                                       ? meta_find(which, key.as.string.data, key.as.string.length, true)
                                       : NULL;
        if (k && k->values == meta_accesses && node_is(&value, "Default"))
            continue; // as a missing key says too
        sw_status s = k ? convert(r, k, &value) : SW_OK;
        if (!s && which == META_ARGUMENT && node_is(&key, "Align")) s = as_number(r, "Align", &value);
        if (s) return s;
        if (k) key = text_node(k->name);
        pairs[2 * out->count] = key;
        pairs[2 * out->count + 1] = value;
        out->count++;
    }
    return SW_OK;
}

static sw_status new_map(struct reader *r, size_t pairs, sw_node *out) {
    sw_node *items = arena_alloc(&r->o->arena, 2 * pairs * sizeof *items);
    *out = (sw_node){.kind = SW_NODE_MAP, .as.items = items};
    return items ? SW_OK : object_no_memory(r->o, r->sink);
}
static void add_pair(sw_node *map, const char *key, sw_node value) {
    sw_node *pairs = (sw_node *)map->as.items;
    pairs[2 * map->count] = text_node(key);
    pairs[2 * map->count++ + 1] = value;
}

// Kernel arguments: the offset of each is the end of the one before, at its alignment (META-07).
static sw_status read_arguments(struct reader *r, const sw_node *list, sw_node *out) {
    if (list->kind != SW_NODE_ARRAY) return BAD(r, 0, "Args: expected a list");
    sw_node *items = arena_alloc(&r->o->arena, list->count * sizeof *items);
    if (!items) return object_no_memory(r->o, r->sink);
    uint64_t end = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const sw_node *from = &list->as.items[i];
        if (from->kind != SW_NODE_MAP) return BAD(r, 0, "Args: expected a map");
        sw_status s = new_map(r, (size_t)from->count + 1, &items[i]);
        if (!s) s = add_pairs(r, from, META_ARGUMENT, NULL, &items[i]);
        if (s) return s;
        const sw_node *size = node_get(&items[i], ".size"), *align = node_get(&items[i], "Align");
        if (!size || !align) return BAD(r, 0, "Args: an argument without Size or Align");
        const uint64_t a = align->as.uint, n = size->as.uint;
        if (!a || a > 4096 || a & (a - 1)) return BAD(r, 0, "Align: expected a power of two");
        if (n > UINT32_MAX) return BAD(r, 0, "Size: expected a number of 32 bits");
        end = (end + a - 1) & ~(a - 1);
        add_pair(&items[i], ".offset", (sw_node){.kind = SW_NODE_UINT, .as.uint = end});
        end += n;
    }
    *out = (sw_node){.kind = SW_NODE_ARRAY, .count = list->count, .as.items = items};
    return SW_OK;
}

static sw_status read_kernel(struct reader *r, const sw_node *from, sw_node *out) {
    static const char *const apart[] = {"Attrs", "CodeProps", "Args", NULL};
    if (from->kind != SW_NODE_MAP) return BAD(r, 0, "Kernels: expected a map");
    const struct {
        const sw_node *map;
        enum meta_map which;
        const char *const *skip;
    } parts[] = {{from, META_KERNEL, apart},
                 {node_get(from, "Attrs"), META_ATTRIBUTES, NULL},
                 {node_get(from, "CodeProps"), META_CODE_PROPS, NULL}};
    size_t room = 1;
    for (unsigned i = 0; i < 3; i++) {
        if (!parts[i].map) continue;
        if (parts[i].map->kind != SW_NODE_MAP) return BAD(r, 0, "%s: expected a map", apart[i - 1]);
        room += parts[i].map->count;
    }
    sw_status s = new_map(r, room, out);
    for (unsigned i = 0; !s && i < 3; i++)
        if (parts[i].map) s = add_pairs(r, parts[i].map, parts[i].which, parts[i].skip, out);
    const sw_node *arguments = node_get(from, "Args");
    sw_node list;
    if (s || !arguments) return s;
    if (!(s = read_arguments(r, arguments, &list))) add_pair(out, ".args", list);
    return s;
}

static sw_status translate(struct reader *r, const sw_node *v2, sw_node *out) {
    static const char *const apart[] = {"Kernels", NULL};
    if (v2->kind != SW_NODE_MAP) return BAD(r, 0, "expected a map");
    sw_status s = new_map(r, (size_t)v2->count + 1, out);
    if (!s) s = add_pairs(r, v2, META_TOP, apart, out);
    const sw_node *list = node_get(v2, "Kernels");
    if (s || !list) return s;
    if (list->kind != SW_NODE_ARRAY) return BAD(r, 0, "Kernels: expected a list");
    sw_node *kernels = arena_alloc(&r->o->arena, list->count * sizeof *kernels);
    if (!kernels) return object_no_memory(r->o, r->sink);
    for (uint32_t i = 0; !s && i < list->count; i++) s = read_kernel(r, &list->as.items[i], &kernels[i]);
    add_pair(out, "amdhsa.kernels",
             (sw_node){.kind = SW_NODE_ARRAY, .count = list->count, .as.items = kernels});
    return s;
}

sw_status object_read_metadata_v2(struct sw_object *o, const sw_note *n, const sw_sink *sink) {
    struct reader r = {.o = o, .sink = sink, .where = (uint64_t)(n->data - o->bytes)};
    size_t size = n->size;
    while (size && !n->data[size - 1]) size--; // padding
    sw_node *root = arena_alloc(&o->arena, sizeof *root);
    if (!root || !yaml_parser_initialize(&r.parser)) return object_no_memory(o, sink);
    yaml_parser_set_input_string(&r.parser, n->data, size);
    sw_node *v2 = arena_alloc(&o->arena, sizeof *v2);
    sw_status s = v2 ? read_document(&r, v2) : object_no_memory(o, sink);
    yaml_parser_delete(&r.parser);
    if (!s) s = translate(&r, v2, root);
    if (!s) o->metadata = root, o->metadata_v2 = v2;
    return s;
}
