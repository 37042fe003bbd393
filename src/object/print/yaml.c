// SPDX-License-Identifier: MIT
// Metadata trees as YAML and JSON, and names made safe to print.
//
// The YAML follows llvm-readelf --notes to the character, so that the two can be compared by diff: keys
// padded to 16 columns, strings quoted only where YAML would read them as something else.
#include "object/print/print.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// ---- Names ---------------------------------------------------------------------------------------------

// ---- YAML ----------------------------------------------------------------------------------------------

enum quoting { PLAIN, SINGLE, DOUBLE };

static bool reads_as_number(const char *s, size_t n) {
    size_t i = n && (s[0] == '-' || s[0] == '+');
    if (n - i > 2 && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'o')) return true;
    bool digits = false;
    for (; i < n; i++) {
        if (isdigit((unsigned char)s[i]))
            digits = true;
        else if (!strchr(".eE+-", s[i]) || !s[i])
            return false;
    }
    return digits;
}

static enum quoting quoting_of(const char *s, size_t n) {
    static const char *const words[] = {"null", "~", "true", "false"};
    enum quoting q = PLAIN;
    if (!n || s[0] == ' ' || s[n - 1] == ' ' || strchr("-?:\\,[]{}#&*!|>'\"%@`", s[0])) q = SINGLE;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (n == strlen(words[i]) && !strncasecmp(s, words[i], n)) q = SINGLE;
    if (reads_as_number(s, n)) q = SINGLE;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        if (isalnum(c) || (c && strchr("_-/^., \t", c))) continue;
        if (c == '\n' || c == '\r' || (c >= 0x20 && c < 0x7f))
            q = q == PLAIN ? SINGLE : q;
        else
            return DOUBLE;
    }
    return q;
}

static void scalar(struct text *t, const char *s, size_t n) {
    switch (quoting_of(s, n)) {
    case PLAIN: text_add(t, s, n); break;
    case SINGLE:
        text_puts(t, "'");
        for (size_t i = 0; i < n; i++) {
            if (s[i] == '\'') text_puts(t, "'");
            text_add(t, s + i, 1);
        }
        text_puts(t, "'");
        break;
    case DOUBLE:
        text_puts(t, "\"");
        for (size_t i = 0; i < n; i++) {
            unsigned char c = (unsigned char)s[i];
            if (c == '"' || c == '\\')
                text_printf(t, "\\%c", c);
            else if (c == '\n')
                text_puts(t, "\\n");
            else if (c == '\t')
                text_puts(t, "\\t");
            else if (c < 0x20 || c >= 0x7f)
                text_printf(t, "\\x%02X", c);
            else
                text_add(t, s + i, 1);
        }
        text_puts(t, "\"");
        break;
    }
}

static void leaf(struct text *t, const sw_node *n) {
    switch (n->kind) {
    case SW_NODE_NULL: text_puts(t, "''"); break;
    case SW_NODE_BOOL: text_puts(t, n->as.boolean ? "true" : "false"); break;
    case SW_NODE_UINT: text_printf(t, "%" PRIu64, n->as.uint); break;
    case SW_NODE_INT: text_printf(t, "%" PRId64, n->as.sint); break;
    case SW_NODE_REAL: text_printf(t, "%g", n->as.real); break;
    case SW_NODE_STRING: scalar(t, n->as.string.data, n->as.string.length); break;
    case SW_NODE_BYTES:
        text_puts(t, "0x");
        for (size_t i = 0; i < n->as.string.length; i++)
            text_printf(t, "%02x", (uint8_t)n->as.string.data[i]);
        break;
    case SW_NODE_ARRAY: text_puts(t, "[]"); break; // only empty ones come here
    case SW_NODE_MAP: text_puts(t, "{}"); break;
    }
}

static bool has_children(const sw_node *n) {
    return (n->kind == SW_NODE_ARRAY || n->kind == SW_NODE_MAP) && n->count;
}

// Writes n's children, each on its own line from column `indent`; the first continues the current line.
static void block(struct text *t, const sw_node *n, int indent) {
    for (uint32_t i = 0; i < n->count; i++) {
        if (i) text_printf(t, "\n%*s", indent, "");
        if (n->kind == SW_NODE_ARRAY) {
            const sw_node *item = &n->as.items[i];
            text_puts(t, "- ");
            if (has_children(item))
                block(t, item, indent + 2);
            else
                leaf(t, item);
            continue;
        }
        const sw_node *key = &n->as.items[2 * i], *value = key + 1;
        size_t start = t->length;
        if (has_children(key))
            text_puts(t, "?");
        else
            leaf(t, key);
        text_puts(t, ":");
        if (has_children(value)) {
            int inner = indent + 2;
            text_printf(t, "\n%*s", inner, "");
            block(t, value, inner);
            continue;
        }
        size_t width = t->length - start;
        text_printf(t, "%*s", width < 17 ? (int)(17 - width) : 1, "");
        leaf(t, value);
    }
}

void print_yaml(struct text *t, const sw_node *root) {
    text_puts(t, "---\n");
    if (has_children(root))
        block(t, root, 0);
    else
        leaf(t, root);
    text_puts(t, "\n...\n");
}

// ---- JSON ----------------------------------------------------------------------------------------------

void print_node_json(struct json *j, const char *key, const sw_node *n) {
    switch (n->kind) {
    case SW_NODE_NULL: json_string(j, key, NULL); break;
    case SW_NODE_BOOL: json_bool(j, key, n->as.boolean); break;
    case SW_NODE_UINT: json_uint(j, key, n->as.uint); break;
    case SW_NODE_INT: json_int(j, key, n->as.sint); break;
    case SW_NODE_REAL: json_real(j, key, n->as.real); break;
    case SW_NODE_STRING:
    case SW_NODE_BYTES: json_name(j, key, n->as.string.data, n->as.string.length); break;
    case SW_NODE_ARRAY:
        json_open(j, key, '[');
        for (uint32_t i = 0; i < n->count; i++) print_node_json(j, NULL, &n->as.items[i]);
        json_close(j, ']');
        break;
    case SW_NODE_MAP:
        json_open(j, key, '{');
        for (uint32_t i = 0; i < n->count; i++) {
            struct text name = {0};
            const sw_node *k = &n->as.items[2 * i];
            text_add(&name, "", 0);
            if (k->kind == SW_NODE_STRING)
                text_name(&name, k->as.string.data, k->as.string.length);
            else
                leaf(&name, k);
            if (!name.failed) print_node_json(j, name.data, k + 1);
            text_free(&name);
        }
        json_close(j, '}');
        break;
    }
}
