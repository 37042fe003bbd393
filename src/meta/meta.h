// SPDX-License-Identifier: MIT
// What code object metadata may say: the table of keys, and a checker for metadata trees. Used by the reader
// of code objects, which has MessagePack, and meant as well for the assembler, which has YAML.
#ifndef META_META_H
#define META_META_H

#include "base/diag.h"
#include "softwave/object.h"

enum meta_map {
    META_TOP,
    META_KERNEL,
    META_ARGUMENT,
    META_PAL_TOP,
    META_PIPELINE,
    META_SHADERS,
    META_SHADER,
    META_STAGES,
    META_STAGE,
    META_FUNCTION,
    // V2's maps for keys that V3 has in the kernel's
    META_ATTRIBUTES,
    META_CODE_PROPS
};

enum meta_type {
    META_TEXT,
    META_NUMBER, // of 32 bits
    META_FLAG,
    META_FLAG_OR_NUMBER, // the tables say one, writers write the other
    META_PAIR,
    META_TRIPLE,
    META_TEXTS,
    META_CHOICE,      // one of .values, read as its index
    META_CHOICE_TEXT, // one of .values, read as text
    META_CHOICES,     // a list of these
    META_MAP,
    META_MAPS,       // a list of maps
    META_NAMED_MAPS, // maps by any name
    META_HASH,       // two numbers of 64 bits
    META_BYTES,
    META_REGISTERS // numbers by numbers
};

enum meta_need { META_OPTIONAL, META_REQUIRED, META_VITAL };
enum meta_rule {
    META_ANY,
    META_POWER_OF_TWO,
    META_AT_LEAST_ONE,
    META_ALL_OR_NONE,
    META_WAVE_SIZE,
    META_PRINTF
};

struct meta_key {
    const char *name, *v2; // v2 NULL: V2 has no such key
    uint8_t map, v2_map, v2_omitted, type, need, since, rule, map_of;
    uint32_t only; // bit set of 1 << sw_value_kind; 0: every kind
    const char *const *values;
    size_t at; // in sw_kernel, sw_argument
};

extern const struct meta_key meta_keys[];
extern const size_t meta_key_count;

// Lists that end with NULL; the first is no value ("") where the enumeration begins with UNKNOWN.
extern const char *const meta_languages[],
    *const meta_value_kinds[], *const meta_address_spaces[],
                                   *const meta_accesses[], *const meta_kinds[], *const meta_pipeline_types[],
                                                                                    *const meta_value_types[],
                                                                                        *const meta_stages[];

// The key of this name in the map, or NULL. With `v2` the name and the map are V2's.
const struct meta_key *meta_find(enum meta_map map, const char *name, size_t length, bool v2);
// The index of a text in a list, or -1; with `v2` "HiddenGridDims" stands for "hidden_grid_dims".
int meta_choice(const char *const *values, const char *text, size_t length, bool v2);

bool meta_text_is(const sw_node *node, const char *text);
const sw_node *meta_get(const sw_node *map, const char *key);
// A node as a number: its own, or with `text` what a string reads as (decimal, 0x, leading 0 octal).
bool meta_number(const sw_node *node, bool text, uint64_t *out);
bool meta_flag(const sw_node *node, bool text, bool *out);

struct meta_check {
    unsigned version;              // code object version, 2 to 6; 0: PAL's
    bool text;                     // scalars are text as in YAML, and are what they read as
    const sw_processor *processor; // NULL: unknown
    const char *target;            // what "amdhsa.target" must say; NULL: anything
    // Told of each problem: where (a key that is missing: its map), "kernel 'f', argument 2, .size", what.
    void (*report)(void *context, const sw_node *at, sw_severity severity, const char *path,
                   const char *message);
    void *context;
};

// Checks a tree against the table. False when anything was reported as an error.
bool meta_check(const sw_node *root, const struct meta_check *check);

#endif
