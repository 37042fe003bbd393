// SPDX-License-Identifier: MIT
// .amdgpu_metadata: the kernels' metadata as YAML into a MessagePack note (ASM-74, META rows). What LLVM
// refuses is refused: keys that must be there, kinds of values, lists of fixed length, words of a fixed set.
// Keys that no table knows pass.
#include <string.h>

#include "asm/unit.h"
#include "asm/yaml.h"

enum { NOTE_METADATA = 32 };

enum kind { STRING, INTEGER, BOOL, INTEGERS, STRINGS, ARGS, KERNELS };
struct key_row {
    const char *name;
    uint8_t kind;             // enum kind
    uint8_t required, count;  // count: elements of a list of fixed length
    const char *const *words; // what a string may be; NULL: anything
};

static const char *const value_kinds[] = {
    "by_value",
    "global_buffer",
    "dynamic_shared_pointer",
    "sampler",
    "image",
    "pipe",
    "queue",
    "hidden_block_count_x",
    "hidden_block_count_y",
    "hidden_block_count_z",
    "hidden_group_size_x",
    "hidden_group_size_y",
    "hidden_group_size_z",
    "hidden_remainder_x",
    "hidden_remainder_y",
    "hidden_remainder_z",
    "hidden_global_offset_x",
    "hidden_global_offset_y",
    "hidden_global_offset_z",
    "hidden_grid_dims",
    "hidden_none",
    "hidden_printf_buffer",
    "hidden_hostcall_buffer",
    "hidden_heap_v1",
    "hidden_default_queue",
    "hidden_completion_action",
    "hidden_multigrid_sync_arg",
    "hidden_dynamic_lds_size",
    "hidden_private_base",
    "hidden_shared_base",
    "hidden_queue_ptr",
    NULL,
};
static const char *const spaces[] = {"private", "global", "constant", "local", "generic", "region", NULL};
static const char *const accesses[] = {"read_only", "write_only", "read_write", NULL};
static const char *const languages[] = {"OpenCL C", "OpenCL C++", "HCC", "HIP", "OpenMP", "Assembler", NULL};

static const struct key_row root_keys[] = {
    {"amdhsa.version", INTEGERS, true, 2, NULL},
    {"amdhsa.printf", STRINGS, false, 0, NULL},
    {"amdhsa.kernels", KERNELS, true, 0, NULL},
    {NULL, 0, 0, 0, NULL},
};
static const struct key_row kernel_keys[] = {
    {".name", STRING, true, 0, NULL},
    {".symbol", STRING, true, 0, NULL},
    {".language", STRING, false, 0, languages},
    {".language_version", INTEGERS, false, 2, NULL},
    {".args", ARGS, false, 0, NULL},
    {".reqd_workgroup_size", INTEGERS, false, 3, NULL},
    {".workgroup_size_hint", INTEGERS, false, 3, NULL},
    {".vec_type_hint", STRING, false, 0, NULL},
    {".device_enqueue_symbol", STRING, false, 0, NULL},
    {".kernarg_segment_size", INTEGER, true, 0, NULL},
    {".group_segment_fixed_size", INTEGER, true, 0, NULL},
    {".private_segment_fixed_size", INTEGER, true, 0, NULL},
    {".uses_dynamic_stack", BOOL, false, 0, NULL},
    {".workgroup_processor_mode", INTEGER, false, 0, NULL},
    {".kernarg_segment_align", INTEGER, true, 0, NULL},
    {".wavefront_size", INTEGER, true, 0, NULL},
    {".sgpr_count", INTEGER, true, 0, NULL},
    {".vgpr_count", INTEGER, true, 0, NULL},
    {".max_flat_workgroup_size", INTEGER, true, 0, NULL},
    {".sgpr_spill_count", INTEGER, false, 0, NULL},
    {".vgpr_spill_count", INTEGER, false, 0, NULL},
    {".uniform_work_group_size", INTEGER, false, 0, NULL},
    {NULL, 0, 0, 0, NULL},
};
static const struct key_row arg_keys[] = {
    {".name", STRING, false, 0, NULL},
    {".type_name", STRING, false, 0, NULL},
    {".size", INTEGER, true, 0, NULL},
    {".offset", INTEGER, true, 0, NULL},
    {".value_kind", STRING, true, 0, value_kinds},
    {".pointee_align", INTEGER, false, 0, NULL},
    {".address_space", STRING, false, 0, spaces},
    {".access", STRING, false, 0, accesses},
    {".actual_access", STRING, false, 0, accesses},
    {".is_const", BOOL, false, 0, NULL},
    {".is_restrict", BOOL, false, 0, NULL},
    {".is_volatile", BOOL, false, 0, NULL},
    {".is_pipe", BOOL, false, 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static bool check_map(struct unit *u, const struct node *n, const struct key_row *keys, const char *what);

static bool expected(struct unit *u, const struct node *n, const char *key, const char *what) {
    if (n->kind < NODE_LIST)
        return unit_error(u, n->where, "metadata: %s must be %s, found %s '%.*s'", key, what,
                          node_kind_name(n), (int)n->text.length, n->text.text);
    return unit_error(u, n->where, "metadata: %s must be %s, found %s", key, what, node_kind_name(n));
}

// A scalar that was tagged as a string may still be the number or truth value that is needed.
static bool is_integer(const struct node *n) { return n->kind == NODE_UNSIGNED || n->kind == NODE_SIGNED; }

static bool check_words(struct unit *u, const struct node *n, const struct key_row *k) {
    if (!k->words) return true;
    struct text list = {0};
    for (const char *const *w = k->words; *w; w++) {
        if (slice_is(n->text, *w)) {
            text_free(&list);
            return true;
        }
        if (w > k->words) text_puts(&list, w[1] ? ", " : " or ");
        text_puts(&list, *w);
    }
    unit_error(u, n->where, "metadata: %s must be %s, found '%.*s'", k->name,
               list.failed ? "known" : list.data, (int)n->text.length, n->text.text);
    text_free(&list);
    return false;
}

static bool check_list(struct unit *u, const struct node *n, const struct key_row *k) {
    if (n->kind != NODE_LIST) return expected(u, n, k->name, "a list");
    if (k->count && n->count != k->count)
        return unit_error(u, n->where, "metadata: %s must be a list of %u, found %zu", k->name, k->count,
                          n->count);
    for (const struct node *i = n->first; i; i = i->next) {
        bool ok = true;
        if (k->kind == INTEGERS && !is_integer(i)) return expected(u, i, k->name, "a list of integers");
        if (k->kind == STRINGS && i->kind != NODE_STRING) return expected(u, i, k->name, "a list of strings");
        if (k->kind == ARGS) ok = check_map(u, i, arg_keys, "an argument");
        if (k->kind == KERNELS) ok = check_map(u, i, kernel_keys, "a kernel");
        if (!ok) return false;
    }
    return true;
}

static bool check_map(struct unit *u, const struct node *n, const struct key_row *keys, const char *what) {
    if (n->kind != NODE_MAP) return expected(u, n, what, "a map");
    for (const struct key_row *k = keys; k->name; k++) {
        const struct node *v = node_find(n, k->name);
        if (!v) {
            if (k->required) return unit_error(u, n->where, "metadata: %s needs %s", what, k->name);
            continue;
        }
        if (k->kind == STRING) {
            if (v->kind != NODE_STRING) return expected(u, v, k->name, "a string");
            if (!check_words(u, v, k)) return false;
        } else if (k->kind == INTEGER) {
            if (!is_integer(v)) return expected(u, v, k->name, "an integer");
        } else if (k->kind == BOOL) {
            if (v->kind != NODE_BOOL) return expected(u, v, k->name, "true or false");
        } else if (!check_list(u, v, k))
            return false;
    }
    return true;
}

bool dir_metadata(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    struct slice yaml = {0};
    if (u->options->os != SW_OS_AMDHSA)
        return unit_error(u, name.text, "%.*s directive is not available on non-amdhsa OSes",
                          (int)name.length, name.text);
    if (unit_is_v2(u))
        return unit_error(u, name.text, "unknown directive '%.*s': not for amdhsa code object V2",
                          (int)name.length, name.text);
    if (!unit_end(u, p, end) || !unit_take_text(u, ".end_amdgpu_metadata", &yaml)) return false;
    struct node *root = yaml_read(u, yaml);
    if (!root || !check_map(u, root, root_keys, "the metadata")) return false;
    struct text t = {0};
    node_pack(&t, root);
    bool ok = (!t.failed || unit_no_memory(u)) && unit_note(u, "AMDGPU", NOTE_METADATA, t.data, t.length);
    text_free(&t);
    return ok;
}
