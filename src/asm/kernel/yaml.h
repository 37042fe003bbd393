// SPDX-License-Identifier: MIT
// Metadata as a tree of scalars, lists and maps: read from YAML, written as MessagePack, both as LLVM does
// it.
#ifndef ASM_YAML_H
#define ASM_YAML_H

#include "asm/text/unit.h"

enum node_kind {
    NODE_STRING,
    NODE_UNSIGNED,
    NODE_SIGNED,
    NODE_BOOL,
    NODE_FLOAT,
    NODE_NIL,
    NODE_LIST,
    NODE_MAP
};
struct node {
    uint8_t kind;
    struct slice text; // a scalar as written
    union {
        uint64_t number;
        int64_t integer;
        double real;
    };
    struct node *key; // of a map's value
    struct node *first, *next;
    size_t count;
    const char *where; // in the text that was read
};

// What a node is, for messages: "a string".
const char *node_kind_name(const struct node *n);

// The lines up to the one that begins with `stop`; false after an error.
bool unit_take_text(struct unit *u, const char *stop, struct slice *out);
// The first document of the text, in the unit's arena; NULL after an error.
struct node *yaml_read(struct unit *u, struct slice text);
// A string by its tag becomes what it reads as.
bool node_reread(struct node *n);
struct node *node_make(struct unit *u, enum node_kind kind);
struct node *node_string(struct unit *u, const char *text);
// The value of a key that is a string; NULL: there is none.
struct node *node_find(const struct node *map, const char *key);
// Adds or replaces, keeps the order of keys. False: out of memory.
bool node_set(struct unit *u, struct node *map, struct node *key, struct node *value);
// Sorted by key, a key that stands twice counts once with its last value: LLVM's order of maps.
void node_pack(struct text *t, const struct node *n);
// A document of YAML, as LLVM writes it.
void node_write(struct text *t, const struct node *root);

#endif
