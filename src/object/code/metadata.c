// SPDX-License-Identifier: MIT
// The metadata tree as kernels and arguments (META-13 to META-38; code objects V3 to V6).
//
// The rows of meta/keys.def say each key's type and where its value goes. A known key of the wrong type is an
// error that names the kernel and the key; a missing required one is an error where nothing could run without
// it and a warning otherwise. Unknown and vendors' keys stay in the tree only (META-03). sw_object_check says
// more of what the tables ask.
#include "meta/meta.h"
#include "object/code/object.h"

#include <stdio.h>
#include <string.h>

const char *name_of_value_kind(sw_value_kind k) {
    return k > SW_VALUE_UNKNOWN && k < SW_VALUE_KINDS ? meta_value_kinds[k] : NULL;
}
const char *name_of_address_space(sw_pointer_space s) {
    return s > SW_SPACE_UNKNOWN && s <= SW_SPACE_REGION ? meta_address_spaces[s] : NULL;
}
const char *name_of_access(sw_access a) {
    return a > SW_ACCESS_UNKNOWN && a <= SW_ACCESS_READ_WRITE ? meta_accesses[a] : NULL;
}

// What is being read, for messages.
struct reader {
    struct sw_object *o;
    const sw_sink *sink;
    uint64_t where;
    char within[160]; // "kernel 'name', argument 3, .size"
    const char *kernel;
    size_t kernel_index, argument; // argument + 1, 0: none
};

static const char *place(struct reader *r, const char *key) {
    int n = r->kernel ? snprintf(r->within, sizeof r->within, "metadata of kernel '%.80s'", r->kernel)
                      : snprintf(r->within, sizeof r->within, "metadata of kernel %zu", r->kernel_index);
    if (r->argument)
        n += snprintf(r->within + n, sizeof r->within - (size_t)n, ", argument %zu", r->argument - 1);
    if (key) snprintf(r->within + n, sizeof r->within - (size_t)n, ", %s", key);
    return r->within;
}

#define BAD(r, key, ...) object_bad((r)->o, (r)->sink, (r)->where, place(r, key), __VA_ARGS__)

static bool as_u32(const sw_node *n, uint32_t *out) {
    if (n->kind != SW_NODE_UINT || n->as.uint > UINT32_MAX) return false;
    *out = (uint32_t)n->as.uint;
    return true;
}

static sw_status read_text(struct reader *r, const struct meta_key *k, const sw_node *v, const char **out) {
    if (v->kind != SW_NODE_STRING) return BAD(r, k->name, "expected a string");
    if (memchr(v->as.string.data, 0, v->as.string.length))
        return BAD(r, k->name, "the string contains a NUL");
    *out = arena_copy(&r->o->arena, v->as.string.data, v->as.string.length);
    return *out ? SW_OK : object_no_memory(r->o, r->sink);
}

static sw_status read_key(struct reader *r, const struct meta_key *k, const sw_node *v, char *record) {
    void *to = record + k->at;
    uint32_t flag, *numbers = to;
    switch ((enum meta_type)k->type) {
    case META_NUMBER: return as_u32(v, numbers) ? SW_OK : BAD(r, k->name, "expected a number of 32 bits");
    case META_TEXT:
    case META_CHOICE_TEXT: return read_text(r, k, v, to);
    case META_FLAG:
    case META_FLAG_OR_NUMBER: // META-30
        if (v->kind == SW_NODE_BOOL)
            *(bool *)to = v->as.boolean;
        else if (as_u32(v, &flag))
            *(bool *)to = flag != 0;
        else
            return BAD(r, k->name, "expected true or false");
        return SW_OK;
    case META_TRIPLE:
    case META_PAIR: {
        uint32_t count = k->type == META_PAIR ? 2 : 3;
        bool ok = v->kind == SW_NODE_ARRAY && v->count == count;
        for (uint32_t i = 0; ok && i < count; i++) ok = as_u32(&v->as.items[i], &numbers[i]);
        return ok ? SW_OK : BAD(r, k->name, "expected an array of %u numbers", count);
    }
    case META_CHOICE: {
        if (v->kind != SW_NODE_STRING) return BAD(r, k->name, "expected a string");
        const int found = meta_choice(k->values, v->as.string.data, v->as.string.length, false);
        // A kind of argument that a later version adds is for the runtime to know, or to leave zero.
        if (found < 0 && k->values == meta_value_kinds)
            object_warn(r->o, r->sink, r->where, place(r, k->name), "unknown kind '%.*s'",
                        v->as.string.length < 60 ? (int)v->as.string.length : 60, v->as.string.data);
        else if (found < 0)
            return BAD(r, k->name, "not one of the values of this key");
        else
            *(int *)to = found;
        return SW_OK;
    }
    default: return SW_OK; // lists of maps are read apart
    }
}
_Static_assert(sizeof(sw_access) == sizeof(int) && sizeof(sw_pointer_space) == sizeof(int) &&
                   sizeof(sw_value_kind) == sizeof(int) && sizeof(sw_kernel_kind) == sizeof(int),
               "META_CHOICE is read as an int");

// The map's keys into `record`. `only` NULL: all of them.
static sw_status read_keys(struct reader *r, enum meta_map which, const char *only, const sw_node *map,
                           void *record) {
    for (size_t i = 0; i < meta_key_count; i++) {
        const struct meta_key *k = &meta_keys[i];
        if (k->map != which || (only && strcmp(only, k->name))) continue;
        const sw_node *v = node_get(map, k->name);
        if (!v && k->need == META_VITAL) return BAD(r, k->name, "the key is missing");
        const bool omitted = k->v2_omitted && r->o->header.code_object_version == 2;
        if (!v && k->need == META_REQUIRED && !omitted)
            object_warn(r->o, r->sink, r->where, place(r, k->name), "the key is missing");
        sw_status s = v ? read_key(r, k, v, record) : SW_OK;
        if (s) return s;
    }
    return SW_OK;
}

static sw_status read_argument(struct reader *r, const sw_node *map, uint32_t kernarg_size, sw_argument *a) {
    if (map->kind != SW_NODE_MAP) return BAD(r, NULL, "expected a map");
    sw_status s = read_keys(r, META_ARGUMENT, NULL, map, a);
    if (s) return s;
    static const struct meta_key kind = {.name = ".value_kind"};
    if ((s = read_text(r, &kind, node_get(map, ".value_kind"), &a->value_kind_name))) return s;
    if (!in_range(a->offset, a->size, kernarg_size))
        return BAD(r, ".offset", "offset %u and size %u lie outside the kernarg segment of %u bytes",
                   a->offset, a->size, kernarg_size);
    if (a->pointee_align & (a->pointee_align - 1))
        return BAD(r, ".pointee_align", "%u is not a power of two", a->pointee_align);
    // META-26: what the declared access implies.
    if (!a->actual_access)
        a->actual_access = a->access ? a->access : a->is_const ? SW_ACCESS_READ_ONLY : SW_ACCESS_UNKNOWN;
    return SW_OK;
}

static sw_status read_kernel(struct reader *r, const sw_node *map, sw_kernel *k) {
    r->kernel = NULL;
    r->argument = 0;
    if (map->kind != SW_NODE_MAP) return BAD(r, NULL, "expected a map");
    k->metadata = map;
    k->has_metadata = true;
    sw_status s = read_keys(r, META_KERNEL, ".name", map, k); // the name first: messages use it
    if (s) return s;
    r->kernel = k->name;
    if ((s = read_keys(r, META_KERNEL, NULL, map, k))) return s;
    if (k->kernarg_segment_align & (k->kernarg_segment_align - 1))
        return BAD(r, ".kernarg_segment_align", "%u is not a power of two", k->kernarg_segment_align);
    if (k->wavefront_size && k->wavefront_size != 32 && k->wavefront_size != 64)
        return BAD(r, ".wavefront_size", "%u is not 32 or 64", k->wavefront_size);
    const sw_node *arguments = node_get(map, ".args");
    if (!arguments) return SW_OK;
    if (arguments->kind != SW_NODE_ARRAY) return BAD(r, ".args", "expected an array");
    sw_argument *a = arena_alloc(&r->o->arena, arguments->count * sizeof *a);
    if (!a) return object_no_memory(r->o, r->sink);
    for (uint32_t i = 0; i < arguments->count; i++) {
        r->argument = i + 1;
        if ((s = read_argument(r, &arguments->as.items[i], k->kernarg_segment_size, &a[i]))) return s;
    }
    k->arguments = a;
    k->argument_count = arguments->count;
    return SW_OK;
}

static sw_status check_version(struct sw_object *o, uint64_t where, const sw_sink *sink) {
    const sw_node *v = node_get(o->metadata, "amdhsa.version");
    uint32_t major, minor;
    if (!v || v->kind != SW_NODE_ARRAY || v->count != 2 || !as_u32(&v->as.items[0], &major) ||
        !as_u32(&v->as.items[1], &minor))
        return object_bad(o, sink, where, "amdhsa.version", "expected an array of 2 numbers");
    if (major != 1)
        return object_bad(o, sink, where, "amdhsa.version", "version %u.%u, expected 1.x", major, minor);
    // V2 and V3 are 1.0, V4 1.1, V5 1.2 and V6 1.2 (META-13, META-27, META-28).
    uint32_t expected = o->header.code_object_version <= 3 ? 0 : o->header.code_object_version == 4 ? 1 : 2;
    if (minor != expected)
        object_warn(o, sink, where, "amdhsa.version", "version 1.%u, expected 1.%u in code object V%u", minor,
                    expected, o->header.code_object_version);
    return SW_OK;
}

static sw_status check_target(struct sw_object *o, uint64_t where, const sw_sink *sink) {
    const sw_node *v = node_get(o->metadata, "amdhsa.target");
    if (!v) {
        if (o->header.code_object_version >= 4)
            object_warn(o, sink, where, "amdhsa.target", "the key is missing");
        return SW_OK;
    }
    if (v->kind != SW_NODE_STRING) return object_bad(o, sink, where, "amdhsa.target", "expected a string");
    sw_target t;
    char text[SW_TARGET_TEXT];
    sw_target_format(&o->target, text);
    if (sw_target_parse(v->as.string.data, v->as.string.length, &t, NULL) ||
        t.processor != o->target.processor || t.xnack != o->target.xnack || t.sramecc != o->target.sramecc)
        object_warn(o, sink, where, "amdhsa.target", "'%.*s' is not the target of the ELF header, %s",
                    v->as.string.length < 100 ? (int)v->as.string.length : 100, v->as.string.data, text);
    return SW_OK;
}

sw_status metadata_kernels(struct sw_object *o, uint64_t where, sw_kernel **out, size_t *count,
                           const sw_sink *sink) {
    sw_status s = check_version(o, where, sink);
    if (!s) s = check_target(o, where, sink);
    if (s) return s;
    const sw_node *printf_strings = node_get(o->metadata, "amdhsa.printf");
    bool ok = !printf_strings || printf_strings->kind == SW_NODE_ARRAY;
    for (uint32_t i = 0; ok && printf_strings && i < printf_strings->count; i++)
        ok = printf_strings->as.items[i].kind == SW_NODE_STRING;
    if (!ok) return object_bad(o, sink, where, "amdhsa.printf", "expected an array of strings");
    const sw_node *list = node_get(o->metadata, "amdhsa.kernels");
    if (!list) { // required, but an object of functions and data only may lack it
        object_warn(o, sink, where, "amdhsa.kernels", "the key is missing");
        return SW_OK;
    }
    if (list->kind != SW_NODE_ARRAY) return object_bad(o, sink, where, "amdhsa.kernels", "expected an array");
    if (!(*out = arena_alloc(&o->arena, list->count * sizeof **out))) return object_no_memory(o, sink);
    struct reader r = {.o = o, .sink = sink, .where = where};
    for (uint32_t i = 0; i < list->count; i++) {
        r.kernel_index = i;
        if ((s = read_kernel(&r, &list->as.items[i], &(*out)[i]))) return s;
    }
    *count = list->count;
    return SW_OK;
}

const sw_node *sw_object_printf(const sw_object *o, size_t *count) {
    const sw_node *list = node_get(o->metadata, "amdhsa.printf");
    *count = list ? list->count : 0;
    return list ? list->as.items : NULL;
}
