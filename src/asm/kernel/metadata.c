// SPDX-License-Identifier: MIT
// .amdgpu_metadata: the kernels' metadata as YAML into a MessagePack note (ASM-74, META rows). What LLVM
// refuses is refused: keys that must be there, kinds of values, lists of fixed length, words of a fixed set.
// Keys that no table knows pass.
#include <string.h>

#include "asm/kernel/text.h"
#include "asm/kernel/yaml.h"
#include "meta/meta.h"

enum { NOTE_METADATA = 32 };

static bool check_map(struct unit *u, const struct node *n, enum meta_map map, const char *what);

static bool expected(struct unit *u, const struct node *n, const char *key, const char *what) {
    if (n->kind < NODE_LIST)
        return unit_error(u, n->where, "metadata: %s must be %s, found %s '%.*s'", key, what,
                          node_kind_name(n), (int)n->text.length, n->text.text);
    return unit_error(u, n->where, "metadata: %s must be %s, found %s", key, what, node_kind_name(n));
}

// What a tag calls a string may still be the number or truth value that is needed.
static bool is_integer(struct node *n) {
    if (n->kind == NODE_STRING && (!node_reread(n) || (n->kind != NODE_UNSIGNED && n->kind != NODE_SIGNED)))
        n->kind = NODE_STRING;
    return n->kind == NODE_UNSIGNED || n->kind == NODE_SIGNED;
}
static bool is_bool(struct node *n) {
    if (n->kind == NODE_STRING && (!node_reread(n) || n->kind != NODE_BOOL)) n->kind = NODE_STRING;
    return n->kind == NODE_BOOL;
}

// The keys of the table that LLVM's check does not know: anything may stand there.
static bool is_unchecked(const struct meta_key *k) {
    static const char *const names[] = {"amdhsa.target",
                                        ".kind",
                                        ".agpr_count",
                                        ".value_type",
                                        ".max_num_work_groups_x",
                                        ".max_num_work_groups_y",
                                        ".max_num_work_groups_z"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(k->name, names[i])) return true;
    return false;
}

static bool check_words(struct unit *u, const struct node *n, const struct meta_key *k) {
    struct text list = {0};
    if (meta_choice(k->values, n->text.text, n->text.length, false) >= 0) return true;
    for (const char *const *w = k->values; *w; w++) {
        if (!**w) continue;
        if (list.length) text_puts(&list, w[1] ? ", " : " or ");
        text_puts(&list, *w);
    }
    unit_error(u, n->where, "metadata: %s must be %s, found '%.*s'", k->name,
               list.failed || !list.length ? "known" : list.data, (int)n->text.length, n->text.text);
    text_free(&list);
    return false;
}

static bool check_list(struct unit *u, struct node *n, const struct meta_key *k) {
    unsigned count = k->type == META_PAIR ? 2 : k->type == META_TRIPLE ? 3 : 0;
    if (n->kind != NODE_LIST) return expected(u, n, k->name, "a list");
    if (count && n->count != count)
        return unit_error(u, n->where, "metadata: %s must be a list of %u, found %zu", k->name, count,
                          n->count);
    for (struct node *i = n->first; i; i = i->next) {
        if (count && !is_integer(i)) return expected(u, i, k->name, "a list of integers");
        if (k->type == META_TEXTS && i->kind != NODE_STRING)
            return expected(u, i, k->name, "a list of strings");
        if (k->type == META_MAPS &&
            !check_map(u, i, k->map_of, k->map_of == META_KERNEL ? "a kernel" : "an argument"))
            return false;
    }
    return true;
}

static bool check_value(struct unit *u, struct node *v, const struct meta_key *k) {
    switch ((enum meta_type)k->type) {
    case META_TEXT: return v->kind == NODE_STRING || expected(u, v, k->name, "a string");
    case META_NUMBER:
    case META_FLAG_OR_NUMBER: return is_integer(v) || expected(u, v, k->name, "an integer");
    case META_FLAG: return is_bool(v) || expected(u, v, k->name, "true or false");
    case META_CHOICE:
    case META_CHOICE_TEXT:
        return v->kind == NODE_STRING ? check_words(u, v, k) : expected(u, v, k->name, "a string");
    default: return check_list(u, v, k);
    }
}

static bool check_map(struct unit *u, const struct node *n, enum meta_map map, const char *what) {
    if (n->kind != NODE_MAP) return expected(u, n, what, "a map");
    for (size_t i = 0; i < meta_key_count; i++) {
        const struct meta_key *k = &meta_keys[i];
        if (k->map != map || is_unchecked(k)) continue;
        struct node *v = node_find(n, k->name);
        if (!v && k->need != META_OPTIONAL)
            return unit_error(u, n->where, "metadata: %s needs %s", what, k->name);
        if (v && !check_value(u, v, k)) return false;
    }
    return true;
}

bool dir_metadata(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    struct slice yaml = {0};
    if (u->program->options->os != SW_OS_AMDHSA)
        return unit_error(u, name.text, "%.*s directive is not available on non-amdhsa OSes",
                          (int)name.length, name.text);
    if (program_is_v2(u->program))
        return unit_error(u, name.text, "unknown directive '%.*s': not for amdhsa code object V2",
                          (int)name.length, name.text);
    if (!unit_end(u, p, end) || !unit_take_text(u, ".end_amdgpu_metadata", &yaml)) return false;
    struct node *root = yaml_read(u, yaml);
    if (!root || !check_map(u, root, META_TOP, "the metadata")) return false;
    struct text t = {0};
    node_pack(&t, root);
    bool ok = (!t.failed || program_no_memory(u->program)) &&
              program_note(u->program, "AMDGPU", NOTE_METADATA, t.data, t.length);
    text_free(&t);
    if (ok && unit_shows(u)) {
        text_puts(&u->line, "\t.amdgpu_metadata\n");
        node_write(&u->line, root);
        unit_show(u, "\n\t.end_amdgpu_metadata\n\n");
    }
    return ok;
}
