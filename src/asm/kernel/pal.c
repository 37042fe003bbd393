// SPDX-License-Identifier: MIT
// Pipeline metadata of PAL: .amdgpu_pal_metadata, YAML that becomes a MessagePack note, and the older
// .amd_amdgpu_pal_metadata, pairs of register and value (PAL-01 to PAL-18). The note is written when the text
// has ended; registers given more than once are combined with or.
#include <stdlib.h>
#include <string.h>

#include "asm/kernel/text.h"
#include "asm/kernel/yaml.h"

enum { NOTE_PAIRS = 12, NOTE_METADATA = 32 };

// A key such as "0xa191 (SPI_PS_INPUT_CNTL_0)" is that number.
static bool number_keys(struct unit *u, struct node *registers) {
    for (struct node *i = registers->first; i; i = i->next) {
        struct node *key = i->key;
        if (key->kind != NODE_STRING) continue;
        char *end;
        const char *text = key->text.text;
        unsigned long long v = char_is(*text, CHAR_DIGIT) ? strtoull(text, &end, 0) : 0;
        if (!char_is(*text, CHAR_DIGIT))
            return unit_error(u, key->where, "unrecognized PAL metadata register key '%.*s'",
                              (int)key->text.length, text);
        key->kind = NODE_UNSIGNED;
        key->number = v;
    }
    return true;
}

static struct node *child(struct unit *u, struct node *map, const char *key, enum node_kind kind) {
    struct node *n = node_find(map, key);
    if (n && n->kind == kind) return n;
    n = node_make(u, kind);
    return n && node_set(u, map, node_string(u, key), n) ? n : NULL;
}

// The map of registers of the first pipeline, made when it is missing.
static struct node *registers_of(struct unit *u, struct node *root) {
    struct node *pipelines = child(u, root, "amdpal.pipelines", NODE_LIST);
    if (!pipelines) return NULL;
    struct node *first = pipelines->first;
    if (!first || first->kind != NODE_MAP) {
        struct node *made = node_make(u, NODE_MAP);
        if (!made) return NULL;
        if (first)
            made->next = first->next;
        else
            pipelines->count = 1;
        pipelines->first = first = made;
    }
    return child(u, first, ".registers", NODE_MAP);
}

bool dir_pal_metadata(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    struct slice yaml = {0};
    if (!unit_end(u, p, end) || !unit_take_text(u, ".end_amdgpu_pal_metadata", &yaml)) return false;
    struct node *root = yaml_read(u, yaml);
    if (!root) return false;
    if (root->kind != NODE_MAP)
        return unit_error(u, name.text, "PAL metadata must be a map, found %s", node_kind_name(root));
    struct node *registers = registers_of(u, root);
    if (!registers || !number_keys(u, registers)) return false;
    u->program->pal = root;
    u->program->pal_pairs_last = false;
    return true;
}

static int by_register(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

bool dir_pal_pairs(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    if (u->program->options->os != SW_OS_AMDPAL)
        return unit_error(u, name.text, "%.*s directive is not available on non-amdpal OSes",
                          (int)name.length, name.text);
    do {
        struct pal_pair pair = {0};
        for (unsigned i = 0; i < 2; i++) {
            int64_t v;
            if (i && !unit_comma(u, &p, end))
                return unit_error(u, p, "expected an even number of values in %.*s", (int)name.length,
                                  name.text);
            const char *where = skip_space(p, end);
            if (!unit_absolute(u, &p, end, &v)) return false;
            if (v < INT32_MIN || v > UINT32_MAX)
                return unit_error(u, where, "invalid value in %.*s: %lld does not fit 32 bits",
                                  (int)name.length, name.text, (long long)v);
            *(i ? &pair.value : &pair.key) = (uint32_t)v;
        }
        if (!array_push(&u->program->pal_pairs, pair)) return program_no_memory(u->program);
    } while (unit_comma(u, &p, end));
    u->program->pal_pairs_last = true;
    return unit_end(u, p, end);
}

static bool write_pairs(struct program *program) {
    struct pal_pair *list = program->pal_pairs.items;
    size_t kept = 0;
    if (program->pal_pairs.count) qsort(list, program->pal_pairs.count, sizeof *list, by_register);
    for (size_t i = 0; i < program->pal_pairs.count; i++) {
        if (kept && list[kept - 1].key == list[i].key)
            list[kept - 1].value |= list[i].value;
        else
            list[kept++] = list[i];
    }
    return !kept || program_note(program, "AMD", NOTE_PAIRS, list, kept * sizeof *list);
}

bool finish_pal(struct program *program) {
    if (program->pal_pairs_last) return write_pairs(program);
    if (!program->pal) return true;
    struct text t = {0};
    node_pack(&t, program->pal);
    bool ok = (!t.failed || program_no_memory(program)) &&
              program_note(program, "AMDGPU", NOTE_METADATA, t.data, t.length);
    text_free(&t);
    return ok;
}
