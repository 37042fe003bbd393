// SPDX-License-Identifier: MIT
// The table of metadata keys and the lists of what some of them may say.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "meta/meta.h"

const char *const meta_languages[] = {"OpenCL C", "OpenCL C++", "HCC", "HIP", "OpenMP", "Assembler", NULL};
const char *const meta_address_spaces[] = {"",      "private", "global", "constant",
                                           "local", "generic", "region", NULL};
const char *const meta_value_types[] = {"struct", "i8",  "u8",  "i16", "u16", "f16", "i32",
                                        "u32",    "f32", "i64", "u64", "f64", NULL};
const char *const meta_accesses[] = {"", "read_only", "write_only", "read_write", NULL};
const char *const meta_kinds[] = {"normal", "init", "fini", NULL};
const char *const meta_pipeline_types[] = {"VsPs", "Gs", "Cs", "Ngg", "Tess", "GsTess", "NggTess", NULL};
const char *const meta_stages[] = {".ls", ".hs", ".es", ".gs", ".vs", ".ps", ".cs", NULL};
const char *const meta_value_kinds[] = {
    [SW_VALUE_UNKNOWN] = "",
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
    [SW_VALUE_KINDS] = NULL,
};

#define OPTIONAL       META_OPTIONAL
#define REQUIRED       META_REQUIRED
#define VITAL          META_VITAL
#define POWER_OF_TWO   META_POWER_OF_TWO
#define AT_LEAST_ONE   META_AT_LEAST_ONE
#define ALL_OR_NONE    META_ALL_OR_NONE
#define WAVE_SIZE      META_WAVE_SIZE
#define PRINTF         META_PRINTF
#define BY_VALUE       (1u << SW_VALUE_BY_VALUE)
#define BUFFER         (1u << SW_VALUE_GLOBAL_BUFFER)
#define SHARED         (1u << SW_VALUE_DYNAMIC_SHARED_POINTER)
#define IMAGE          (1u << SW_VALUE_IMAGE)
#define PIPE           (1u << SW_VALUE_PIPE)
#define TOP(n, t, ...) {.map = META_TOP, .v2_map = META_TOP, .name = n, .type = META_##t, __VA_ARGS__},
#define KERNEL(n, t, m, ...)                                                                                 \
    {.map = META_KERNEL,                                                                                     \
     .v2_map = META_KERNEL,                                                                                  \
     .name = n,                                                                                              \
     .type = META_##t,                                                                                       \
     .at = offsetof(sw_kernel, m),                                                                           \
     __VA_ARGS__},
#define ARGUMENT(n, t, m, ...)                                                                               \
    {.map = META_ARGUMENT,                                                                                   \
     .v2_map = META_ARGUMENT,                                                                                \
     .name = n,                                                                                              \
     .type = META_##t,                                                                                       \
     .at = offsetof(sw_argument, m),                                                                         \
     __VA_ARGS__},
#define META_PAL_MAP_TOP      META_PAL_TOP
#define META_PAL_MAP_PIPELINE META_PIPELINE
#define META_PAL_MAP_SHADERS  META_SHADERS
#define META_PAL_MAP_SHADER   META_SHADER
#define META_PAL_MAP_STAGES   META_STAGES
#define META_PAL_MAP_STAGE    META_STAGE
#define META_PAL_MAP_FUNCTION META_FUNCTION
#define PAL(m, n, t, ...)     {.map = META_PAL_MAP_##m, .name = n, .type = META_##t, __VA_ARGS__},

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init" // a row may name its own .v2_map
const struct meta_key meta_keys[] = {
#include "meta/keys.def"
};
#pragma GCC diagnostic pop
const size_t meta_key_count = sizeof meta_keys / sizeof *meta_keys;

const struct meta_key *meta_find(enum meta_map map, const char *name, size_t length, bool v2) {
    for (size_t i = 0; i < meta_key_count; i++) {
        const struct meta_key *k = &meta_keys[i];
        const char *n = v2 ? k->v2 : k->name;
        if ((v2 ? k->v2_map : k->map) == map && n && strlen(n) == length && !memcmp(n, name, length))
            return k;
    }
    return NULL;
}

// Whether "HiddenGridDims" is "hidden_grid_dims". V2 writes MultiGrid where V3 writes multigrid.
static bool same_camel(const char *snake, const char *text, size_t length) {
    size_t i = 0;
    bool start = true;
    for (; *snake; snake++) {
        if (*snake == '_') {
            start = true;
            continue;
        }
        if (i == length) return false;
        const int c = start ? toupper((unsigned char)*snake) : *snake;
        const bool grid = *snake == 'g' && text[i] == 'G'; // in "MultiGrid"
        if (text[i++] != c && !grid) return false;
        start = false;
    }
    return i == length;
}

int meta_choice(const char *const *values, const char *text, size_t length, bool v2) {
    for (int i = 0; values[i]; i++) {
        if (!*values[i]) continue;
        const bool equal = strlen(values[i]) == length && !memcmp(values[i], text, length);
        const bool name = isupper((unsigned char)*values[i]); // languages are spelled alike in V2
        if (equal && (!v2 || name)) return i;
        if (v2 && !name && same_camel(values[i], text, length)) return i;
    }
    return -1;
}

bool meta_text_is(const sw_node *n, const char *text) {
    return n->kind == SW_NODE_STRING && n->as.string.length == strlen(text) &&
           !memcmp(n->as.string.data, text, n->as.string.length);
}

const sw_node *meta_get(const sw_node *map, const char *key) {
    if (!map || map->kind != SW_NODE_MAP) return NULL;
    for (uint32_t i = 0; i < map->count; i++)
        if (meta_text_is(&map->as.items[2 * i], key)) return &map->as.items[2 * i + 1];
    return NULL;
}

bool meta_number(const sw_node *n, bool text, uint64_t *out) {
    if (n->kind == SW_NODE_UINT) return *out = n->as.uint, true;
    if (n->kind == SW_NODE_INT && n->as.sint >= 0) return *out = (uint64_t)n->as.sint, true;
    if (!text || n->kind != SW_NODE_STRING || !n->as.string.length || n->as.string.length > 24) return false;
    char copy[25], *end;
    memcpy(copy, n->as.string.data, n->as.string.length);
    copy[n->as.string.length] = 0;
    if (!isdigit((unsigned char)*copy)) return false;
    *out = strtoull(copy, &end, 0);
    return end == copy + n->as.string.length;
}

bool meta_flag(const sw_node *n, bool text, bool *out) {
    if (n->kind == SW_NODE_BOOL) return *out = n->as.boolean, true;
    if (!text) return false;
    static const char *const words[] = {"false", "true", "False", "True", "FALSE", "TRUE"};
    for (int i = 0; i < 6; i++)
        if (meta_text_is(n, words[i])) return *out = i & 1, true;
    return false;
}
