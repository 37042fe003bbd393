// SPDX-License-Identifier: MIT
// The metadata tree as kernels and arguments (META-13 to META-38; code objects V3 to V6).
//
// A table row per key says its type and where its value goes. A known key of the wrong type is an error that
// names the kernel and the key; a missing required one is an error where nothing could run without it and a
// warning otherwise. Unknown and vendors' keys stay in the tree only (META-03).
#include "object/object.h"

#include <stdio.h>
#include <string.h>

enum type { U32, TEXT, FLAG, DIMENSIONS, PAIR, KIND };
enum need { OPTIONAL, EXPECTED, REQUIRED };

struct key {
    const char *name;
    enum type type;
    enum need need;
    size_t at;
};

#define KEY(name, type, need, member)                                                                        \
    { name, type, need, offsetof(sw_kernel, member) }
static const struct key kernel_keys[] = {
    KEY(".name", TEXT, REQUIRED, name),
    KEY(".symbol", TEXT, REQUIRED, symbol),
    KEY(".kernarg_segment_size", U32, REQUIRED, kernarg_segment_size),
    KEY(".group_segment_fixed_size", U32, EXPECTED, group_segment_fixed_size),
    KEY(".private_segment_fixed_size", U32, EXPECTED, private_segment_fixed_size),
    KEY(".kernarg_segment_align", U32, EXPECTED, kernarg_segment_align),
    KEY(".wavefront_size", U32, EXPECTED, wavefront_size),
    KEY(".sgpr_count", U32, EXPECTED, sgpr_count),
    KEY(".vgpr_count", U32, EXPECTED, vgpr_count),
    KEY(".agpr_count", U32, OPTIONAL, agpr_count), // META-15
    KEY(".max_flat_workgroup_size", U32, EXPECTED, max_flat_workgroup_size),
    KEY(".sgpr_spill_count", U32, OPTIONAL, sgpr_spill_count),
    KEY(".vgpr_spill_count", U32, OPTIONAL, vgpr_spill_count),
    KEY(".language", TEXT, OPTIONAL, language),
    KEY(".language_version", PAIR, OPTIONAL, language_version),
    KEY(".reqd_workgroup_size", DIMENSIONS, OPTIONAL, reqd_workgroup_size),
    KEY(".workgroup_size_hint", DIMENSIONS, OPTIONAL, workgroup_size_hint),
    KEY(".cluster_dims", DIMENSIONS, OPTIONAL, cluster_dims),
    KEY(".vec_type_hint", TEXT, OPTIONAL, vec_type_hint),
    KEY(".device_enqueue_symbol", TEXT, OPTIONAL, device_enqueue_symbol),
    KEY(".kind", KIND, OPTIONAL, kind),
    KEY(".max_num_work_groups_x", U32, OPTIONAL, max_num_workgroups[0]),
    KEY(".max_num_work_groups_y", U32, OPTIONAL, max_num_workgroups[1]),
    KEY(".max_num_work_groups_z", U32, OPTIONAL, max_num_workgroups[2]),
    KEY(".uses_dynamic_stack", FLAG, OPTIONAL, uses_dynamic_stack),
    KEY(".workgroup_processor_mode", FLAG, OPTIONAL, workgroup_processor_mode),
    KEY(".uniform_work_group_size", FLAG, OPTIONAL, uniform_work_group_size),
};
#undef KEY
#define KEY(name, type, need, member)                                                                        \
    { name, type, need, offsetof(sw_argument, member) }
static const struct key argument_keys[] = {
    KEY(".name", TEXT, OPTIONAL, name),
    KEY(".type_name", TEXT, OPTIONAL, type_name),
    KEY(".size", U32, REQUIRED, size),
    KEY(".offset", U32, REQUIRED, offset),
    KEY(".value_kind", TEXT, REQUIRED, value_kind_name),
    KEY(".value_type", TEXT, OPTIONAL, value_type),
    KEY(".pointee_align", U32, OPTIONAL, pointee_align),
    KEY(".is_const", FLAG, OPTIONAL, is_const),
    KEY(".is_restrict", FLAG, OPTIONAL, is_restrict),
    KEY(".is_volatile", FLAG, OPTIONAL, is_volatile),
    KEY(".is_pipe", FLAG, OPTIONAL, is_pipe),
};
#undef KEY

static const char *const value_kinds[SW_VALUE_KINDS] = {
    [SW_VALUE_BY_VALUE] = "by_value",
    [SW_VALUE_GLOBAL_BUFFER] = "global_buffer",
    [SW_VALUE_DYNAMIC_SHARED_POINTER] = "dynamic_shared_pointer",
    [SW_VALUE_SAMPLER] = "sampler",
    [SW_VALUE_IMAGE] = "image",
    [SW_VALUE_PIPE] = "pipe",
    [SW_VALUE_QUEUE] = "queue",
    [SW_VALUE_HIDDEN_GLOBAL_OFFSET_X] = "hidden_global_offset_x",
    [SW_VALUE_HIDDEN_GLOBAL_OFFSET_Y] = "hidden_global_offset_y",
    [SW_VALUE_HIDDEN_GLOBAL_OFFSET_Z] = "hidden_global_offset_z",
    [SW_VALUE_HIDDEN_NONE] = "hidden_none",
    [SW_VALUE_HIDDEN_PRINTF_BUFFER] = "hidden_printf_buffer",
    [SW_VALUE_HIDDEN_HOSTCALL_BUFFER] = "hidden_hostcall_buffer",
    [SW_VALUE_HIDDEN_DEFAULT_QUEUE] = "hidden_default_queue",
    [SW_VALUE_HIDDEN_COMPLETION_ACTION] = "hidden_completion_action",
    [SW_VALUE_HIDDEN_MULTIGRID_SYNC_ARG] = "hidden_multigrid_sync_arg",
    [SW_VALUE_HIDDEN_BLOCK_COUNT_X] = "hidden_block_count_x",
    [SW_VALUE_HIDDEN_BLOCK_COUNT_Y] = "hidden_block_count_y",
    [SW_VALUE_HIDDEN_BLOCK_COUNT_Z] = "hidden_block_count_z",
    [SW_VALUE_HIDDEN_GROUP_SIZE_X] = "hidden_group_size_x",
    [SW_VALUE_HIDDEN_GROUP_SIZE_Y] = "hidden_group_size_y",
    [SW_VALUE_HIDDEN_GROUP_SIZE_Z] = "hidden_group_size_z",
    [SW_VALUE_HIDDEN_REMAINDER_X] = "hidden_remainder_x",
    [SW_VALUE_HIDDEN_REMAINDER_Y] = "hidden_remainder_y",
    [SW_VALUE_HIDDEN_REMAINDER_Z] = "hidden_remainder_z",
    [SW_VALUE_HIDDEN_GRID_DIMS] = "hidden_grid_dims",
    [SW_VALUE_HIDDEN_HEAP_V1] = "hidden_heap_v1",
    [SW_VALUE_HIDDEN_DYNAMIC_LDS_SIZE] = "hidden_dynamic_lds_size",
    [SW_VALUE_HIDDEN_PRIVATE_BASE] = "hidden_private_base",
    [SW_VALUE_HIDDEN_SHARED_BASE] = "hidden_shared_base",
    [SW_VALUE_HIDDEN_QUEUE_PTR] = "hidden_queue_ptr",
};
static const char *const address_spaces[] = {NULL,    "private", "global", "constant",
                                             "local", "generic", "region"};
static const char *const accesses[] = {NULL, "read_only", "write_only", "read_write"};
static const char *const kinds[] = {"normal", "init", "fini"};

#define COUNT(a) (sizeof(a) / sizeof *(a))

const char *name_of_value_kind(sw_value_kind k) { return k < SW_VALUE_KINDS ? value_kinds[k] : NULL; }
const char *name_of_address_space(sw_pointer_space s) {
    return s < COUNT(address_spaces) ? address_spaces[s] : NULL;
}
const char *name_of_access(sw_access a) { return a < COUNT(accesses) ? accesses[a] : NULL; }

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

// The index of the string in a list of names, or -1.
static int find(const sw_node *n, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (names[i] && node_is(n, names[i])) return (int)i;
    return -1;
}

static sw_status read_text(struct reader *r, const struct key *k, const sw_node *v, const char **out) {
    if (v->kind != SW_NODE_STRING) return BAD(r, k->name, "expected a string");
    if (memchr(v->as.string.data, 0, v->as.string.length))
        return BAD(r, k->name, "the string contains a NUL");
    *out = arena_copy(&r->o->arena, v->as.string.data, v->as.string.length);
    return *out ? SW_OK : object_no_memory(r->o, r->sink);
}

static sw_status read_key(struct reader *r, const struct key *k, const sw_node *v, char *record) {
    void *to = record + k->at;
    uint32_t flag, *numbers = to;
    int kind;
    switch (k->type) {
    case U32: return as_u32(v, numbers) ? SW_OK : BAD(r, k->name, "expected a number of 32 bits");
    case TEXT: return read_text(r, k, v, to);
    case FLAG: // a boolean, or an integer where the table says so (META-30)
        if (v->kind == SW_NODE_BOOL)
            *(bool *)to = v->as.boolean;
        else if (as_u32(v, &flag))
            *(bool *)to = flag != 0;
        else
            return BAD(r, k->name, "expected true or false");
        return SW_OK;
    case DIMENSIONS:
    case PAIR: {
        uint32_t count = k->type == PAIR ? 2 : 3;
        bool ok = v->kind == SW_NODE_ARRAY && v->count == count;
        for (uint32_t i = 0; ok && i < count; i++) ok = as_u32(&v->as.items[i], &numbers[i]);
        return ok ? SW_OK : BAD(r, k->name, "expected an array of %u numbers", count);
    }
    case KIND:
        if ((kind = find(v, kinds, COUNT(kinds))) < 0)
            return BAD(r, k->name, "expected normal, init or fini");
        *(sw_kernel_kind *)to = (sw_kernel_kind)kind;
        return SW_OK;
    }
    return SW_OK;
}

static sw_status read_keys(struct reader *r, const struct key *keys, size_t count, const sw_node *map,
                           void *record) {
    for (size_t i = 0; i < count; i++) {
        const sw_node *v = node_get(map, keys[i].name);
        if (!v && keys[i].need == REQUIRED) return BAD(r, keys[i].name, "the key is missing");
        if (!v && keys[i].need == EXPECTED)
            object_warn(r->o, r->sink, r->where, place(r, keys[i].name), "the key is missing");
        sw_status s = v ? read_key(r, &keys[i], v, record) : SW_OK;
        if (s) return s;
    }
    return SW_OK;
}

static sw_status read_argument(struct reader *r, const sw_node *map, uint32_t kernarg_size, sw_argument *a) {
    if (map->kind != SW_NODE_MAP) return BAD(r, NULL, "expected a map");
    sw_status s = read_keys(r, argument_keys, COUNT(argument_keys), map, a);
    if (s) return s;
    int kind = find(node_get(map, ".value_kind"), value_kinds, COUNT(value_kinds));
    if (kind < 0)
        object_warn(r->o, r->sink, r->where, place(r, ".value_kind"), "unknown kind '%s'",
                    a->value_kind_name);
    else
        a->value_kind = (sw_value_kind)kind;
    if (!in_range(a->offset, a->size, kernarg_size))
        return BAD(r, ".offset", "offset %u and size %u lie outside the kernarg segment of %u bytes",
                   a->offset, a->size, kernarg_size);
    if (a->pointee_align & (a->pointee_align - 1))
        return BAD(r, ".pointee_align", "%u is not a power of two", a->pointee_align);
    const struct {
        const char *key;
        const char *const *names;
        size_t count;
        int *to;
    } choices[] = {
        {".address_space", address_spaces, COUNT(address_spaces), (int *)&a->address_space},
        {".access", accesses, COUNT(accesses), (int *)&a->access},
        {".actual_access", accesses, COUNT(accesses), (int *)&a->actual_access},
    };
    _Static_assert(sizeof(sw_access) == sizeof(int) && sizeof(sw_pointer_space) == sizeof(int),
                   "read as int");
    for (size_t i = 0; i < COUNT(choices); i++) {
        const sw_node *v = node_get(map, choices[i].key);
        if (!v) continue;
        int found = find(v, choices[i].names, choices[i].count);
        if (found < 0) return BAD(r, choices[i].key, "not one of the values of this key");
        *choices[i].to = found;
    }
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
    sw_status s = read_keys(r, kernel_keys, 1, map, k); // the name first: messages use it
    if (s) return s;
    r->kernel = k->name;
    if ((s = read_keys(r, kernel_keys + 1, COUNT(kernel_keys) - 1, map, k))) return s;
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
