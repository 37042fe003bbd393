// SPDX-License-Identifier: MIT
// .amd_amdgpu_hsa_metadata: the metadata of code object V2, YAML in and YAML out. The note holds not what was
// written but what it means, in the order and spelling that the tools of V2 gave it (OBJ-26, META rows of
// V2).
#include <stdlib.h>
#include <string.h>

#include "asm/kernel/text.h"
#include "asm/kernel/yaml.h"

enum { NOTE_METADATA = 10, PADDING = 16 };

enum kind { TEXT, NUMBER, SHORT, FLAG, NUMBERS, TEXTS, MAP, MAPS, WORD, DROPPED };
struct v2_key {
    const char *name;
    uint8_t kind; // enum kind
    bool required;
    uint16_t left_out;        // the number that is not written
    const struct v2_key *map; // of MAP and MAPS
    const char *words;        // what a WORD may be: "|Default|ReadOnly|"
};

static const char accesses[] = "|Default|ReadOnly|WriteOnly|ReadWrite|";
static const struct v2_key attribute_keys[] = {
    {"ReqdWorkGroupSize", NUMBERS, false, 0, NULL, NULL},
    {"WorkGroupSizeHint", NUMBERS, false, 0, NULL, NULL},
    {"VecTypeHint", TEXT, false, 0, NULL, NULL},
    {"RuntimeHandle", TEXT, false, 0, NULL, NULL},
    {NULL, 0, false, 0, NULL, NULL},
};
static const struct v2_key arg_keys[] = {
    {"Name", TEXT, false, 0, NULL, NULL},
    {"TypeName", TEXT, false, 0, NULL, NULL},
    {"Size", NUMBER, true, 0, NULL, NULL},
    {"Align", NUMBER, true, 0, NULL, NULL},
    {"ValueKind", WORD, true, 0, NULL,
     "|ByValue|GlobalBuffer|DynamicSharedPointer|Sampler|Image|Pipe|Queue|HiddenGlobalOffsetX|"
     "HiddenGlobalOffsetY|"
     "HiddenGlobalOffsetZ|HiddenNone|HiddenPrintfBuffer|HiddenHostcallBuffer|HiddenDefaultQueue|"
     "HiddenCompletionAction|HiddenMultiGridSyncArg|"},
    {"ValueType", DROPPED, false, 0, NULL, "|Struct|I8|U8|I16|U16|F16|I32|U32|F32|I64|U64|F64|"},
    {"PointeeAlign", NUMBER, false, 0, NULL, NULL},
    {"AddrSpaceQual", WORD, false, 0, NULL, "|Private|Global|Constant|Local|Generic|Region|"},
    {"AccQual", WORD, false, 0, NULL, accesses},
    {"ActualAccQual", WORD, false, 0, NULL, accesses},
    {"IsConst", FLAG, false, 0, NULL, NULL},
    {"IsRestrict", FLAG, false, 0, NULL, NULL},
    {"IsVolatile", FLAG, false, 0, NULL, NULL},
    {"IsPipe", FLAG, false, 0, NULL, NULL},
    {NULL, 0, false, 0, NULL, NULL},
};
static const struct v2_key code_keys[] = {
    {"KernargSegmentSize", NUMBER, true, 0, NULL, NULL},
    {"GroupSegmentFixedSize", NUMBER, true, 0, NULL, NULL},
    {"PrivateSegmentFixedSize", NUMBER, true, 0, NULL, NULL},
    {"KernargSegmentAlign", NUMBER, true, 0, NULL, NULL},
    {"WavefrontSize", NUMBER, true, 0, NULL, NULL},
    {"NumSGPRs", SHORT, false, 0, NULL, NULL},
    {"NumVGPRs", SHORT, false, 0, NULL, NULL},
    {"MaxFlatWorkGroupSize", NUMBER, false, 0, NULL, NULL},
    {"IsDynamicCallStack", FLAG, false, 0, NULL, NULL},
    {"IsXNACKEnabled", FLAG, false, 0, NULL, NULL},
    {"NumSpilledSGPRs", SHORT, false, 0, NULL, NULL},
    {"NumSpilledVGPRs", SHORT, false, 0, NULL, NULL},
    {NULL, 0, false, 0, NULL, NULL},
};
static const struct v2_key debug_keys[] = {
    {"DebuggerABIVersion", NUMBERS, false, 0, NULL, NULL},
    {"ReservedNumVGPRs", SHORT, false, 0, NULL, NULL},
    {"ReservedFirstVGPR", SHORT, false, UINT16_MAX, NULL, NULL},
    {"PrivateSegmentBufferSGPR", SHORT, false, UINT16_MAX, NULL, NULL},
    {"WavefrontPrivateSegmentOffsetSGPR", SHORT, false, UINT16_MAX, NULL, NULL},
    {NULL, 0, false, 0, NULL, NULL},
};
static const struct v2_key kernel_keys[] = {
    {"Name", TEXT, true, 0, NULL, NULL},
    {"SymbolName", TEXT, true, 0, NULL, NULL},
    {"Language", TEXT, false, 0, NULL, NULL},
    {"LanguageVersion", NUMBERS, false, 0, NULL, NULL},
    {"Attrs", MAP, false, 0, attribute_keys, NULL},
    {"Args", MAPS, false, 0, arg_keys, NULL},
    {"CodeProps", MAP, false, 0, code_keys, NULL},
    {"DebugProps", MAP, false, 0, debug_keys, NULL},
    {NULL, 0, false, 0, NULL, NULL},
};
static const struct v2_key root_keys[] = {
    {"Version", NUMBERS, true, 0, NULL, NULL},
    {"Printf", TEXTS, false, 0, NULL, NULL},
    {"Kernels", MAPS, false, 0, kernel_keys, NULL},
    {NULL, 0, false, 0, NULL, NULL},
};

// ---- Checking ----

static bool check_map(struct unit *u, const struct node *n, const struct v2_key *keys);

static bool wrong(struct unit *u, const struct node *n, const struct v2_key *k, const char *what) {
    return unit_error(u, n->where, "metadata: %s must be %s, found %s", k->name, what, node_kind_name(n));
}

static bool is_word(struct slice word, const char *words) {
    for (const char *p = words + 1; *p; p = strchr(p, '|') + 1)
        if ((size_t)(strchr(p, '|') - p) == word.length && !memcmp(p, word.text, word.length)) return true;
    return false;
}

static bool check_number(struct unit *u, const struct node *n, const struct v2_key *k) {
    uint64_t most = k->kind == SHORT ? UINT16_MAX : UINT32_MAX;
    if (n->kind != NODE_UNSIGNED) return wrong(u, n, k, "a number");
    return n->number <= most || unit_error(u, n->where, "metadata: %s must be from 0 to %llu, found %llu",
                                           k->name, (unsigned long long)most, (unsigned long long)n->number);
}

static bool check_value(struct unit *u, const struct node *n, const struct v2_key *k) {
    switch ((enum kind)k->kind) {
    case TEXT: return n->kind < NODE_LIST || wrong(u, n, k, "a string");
    case NUMBER:
    case SHORT: return check_number(u, n, k);
    case FLAG: return n->kind == NODE_BOOL || wrong(u, n, k, "true or false");
    case DROPPED:
    case WORD:
        if (n->kind >= NODE_LIST) return wrong(u, n, k, "a word");
        return is_word(n->text, k->words) || unit_error(u, n->where, "metadata: %s has no value '%.*s'",
                                                        k->name, (int)n->text.length, n->text.text);
    case MAP: return check_map(u, n, k->map);
    default: break;
    }
    if (n->kind != NODE_LIST) return wrong(u, n, k, "a list");
    for (const struct node *i = n->first; i; i = i->next) {
        if (k->kind == MAPS && !check_map(u, i, k->map)) return false;
        if (k->kind == NUMBERS && !check_number(u, i, k)) return false;
        if (k->kind == TEXTS && i->kind >= NODE_LIST) return wrong(u, i, k, "a list of strings");
    }
    return true;
}

static bool check_map(struct unit *u, const struct node *n, const struct v2_key *keys) {
    if (n->kind != NODE_MAP)
        return unit_error(u, n->where, "metadata: expected a map, found %s", node_kind_name(n));
    for (const struct node *i = n->first; i; i = i->next) {
        const struct v2_key *k = keys;
        while (k->name && !slice_is(i->key->text, k->name)) k++;
        if (!k->name)
            return unit_error(u, i->key->where, "metadata: unknown key '%.*s'", (int)i->key->text.length,
                              i->key->text.text);
        if (!check_value(u, i, k)) return false;
    }
    for (const struct v2_key *k = keys; k->name; k++)
        if (k->required && !node_find(n, k->name))
            return unit_error(u, n->where, "metadata: missing required key '%s'", k->name);
    return true;
}

// ---- Writing ----

enum quoting { PLAIN, SINGLE, DOUBLE };

static bool reads_as_other(const struct node *n) {
    static const char *const words[] = {"null", "Null",  "NULL",  "~",     "true", "True",
                                        "TRUE", "false", "False", "FALSE", NULL};
    for (const char *const *w = words; *w; w++)
        if (slice_is(n->text, *w)) return true;
    return n->kind == NODE_UNSIGNED || n->kind == NODE_SIGNED || n->kind == NODE_FLOAT;
}

static enum quoting quoting_of(const struct node *n) {
    struct slice s = n->text;
    if (!s.length) return SINGLE;
    enum quoting q =
        char_is(s.text[0], CHAR_SPACE) || char_is(s.text[s.length - 1], CHAR_SPACE) ? SINGLE : PLAIN;
    if (reads_as_other(n) || strchr("-?:\\,[]{}#&*!|>'\"%@`", s.text[0])) q = SINGLE;
    for (size_t i = 0; i < s.length; i++) {
        uint8_t c = (uint8_t)s.text[i];
        if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') continue;
        if (char_is((char)c, CHAR_DIGIT) || (c && strchr("_-^., \t", c))) continue;
        if (c == '\n' || c == '\r') {
            q = SINGLE;
            continue;
        }
        if (c == 0x7f || c < 0x20 || c >= 0x80) return DOUBLE;
        q = SINGLE;
    }
    return q;
}

static void put_text(struct text *t, const struct node *n) {
    enum quoting q = quoting_of(n);
    struct slice s = n->text;
    if (q != PLAIN) text_puts(t, q == SINGLE ? "'" : "\"");
    for (size_t i = 0; i < s.length; i++) {
        uint8_t c = (uint8_t)s.text[i];
        char hex[8];
        if (q == SINGLE && c == '\'')
            text_puts(t, "''");
        else if (q == DOUBLE && (c == '"' || c == '\\')) {
            text_puts(t, c == '"' ? "\\\"" : "\\\\");
        } else if (q == DOUBLE && (c < 0x20 || c == 0x7f)) {
            static const char from[] = "\a\b\t\n\v\f\r\x1b", to[] = "abtnvfre";
            const char *known = c ? strchr(from, c) : NULL;
            hex[0] = '\\', hex[1] = known ? to[known - from] : c ? 'x' : '0', hex[2] = 0;
            text_puts(t, hex);
            if (!known && c) {
                hex[0] = "0123456789ABCDEF"[c >> 4], hex[1] = "0123456789ABCDEF"[c & 15], hex[2] = 0;
                text_puts(t, hex);
            }
        } else
            text_add(t, (const char *)&s.text[i], 1);
    }
    if (q != PLAIN) text_puts(t, q == SINGLE ? "'" : "\"");
}

static void put_number(struct text *t, uint64_t v) {
    char digits[24];
    size_t n = sizeof digits;
    do digits[--n] = (char)('0' + v % 10);
    while (v /= 10);
    text_add(t, digits + n, sizeof digits - n);
}

static void indent(struct text *t, unsigned depth) {
    for (unsigned i = 0; i < depth; i++) text_puts(t, "  ");
}

static bool is_left_out(const struct node *n, const struct v2_key *k);

// Nothing in it would be written: the map is left out.
static bool is_empty(const struct node *map, const struct v2_key *keys) {
    for (const struct v2_key *k = keys; k->name; k++) {
        const struct node *n = node_find(map, k->name);
        if (n && !is_left_out(n, k)) return false;
    }
    return true;
}

static bool is_left_out(const struct node *n, const struct v2_key *k) {
    switch ((enum kind)k->kind) {
    case DROPPED: return true;
    case TEXT: return !k->required && !n->text.length;
    case NUMBER:
    case SHORT: return !k->required && n->number == k->left_out;
    case FLAG: return !n->number;
    case MAP: return k->map != code_keys && is_empty(n, k->map);
    case NUMBERS:
    case TEXTS:
    case MAPS: return !k->required && !n->count;
    default: return false;
    }
}

static void put_map(struct text *t, const struct node *map, const struct v2_key *keys, unsigned depth,
                    bool in_list);

static void put_value(struct text *t, const struct node *n, const struct v2_key *k, unsigned depth) {
    text_puts(t, k->name);
    text_puts(t, ":");
    if (k->kind == MAP || k->kind == MAPS || k->kind == TEXTS) {
        text_puts(t, "\n");
        if (k->kind == MAP) put_map(t, n, k->map, depth + 1, false);
        for (const struct node *i = n->first; i && k->kind != MAP; i = i->next) {
            indent(t, depth + 1);
            text_puts(t, "- ");
            if (k->kind == MAPS)
                put_map(t, i, k->map, depth + 2, true);
            else
                put_text(t, i), text_puts(t, "\n");
        }
        return;
    }
    size_t length = strlen(k->name);
    do text_puts(t, " ");
    while (++length < PADDING);
    if (k->kind == NUMBERS) {
        text_puts(t, "[ ");
        for (const struct node *i = n->first; i; i = i->next) {
            put_number(t, i->number);
            text_puts(t, i->next ? ", " : " ");
        }
        text_puts(t, "]");
    } else if (k->kind == NUMBER || k->kind == SHORT)
        put_number(t, n->number);
    else if (k->kind == FLAG)
        text_puts(t, "true");
    else
        put_text(t, n);
    text_puts(t, "\n");
}

static void put_map(struct text *t, const struct node *map, const struct v2_key *keys, unsigned depth,
                    bool in_list) {
    for (const struct v2_key *k = keys; k->name; k++) {
        const struct node *n = node_find(map, k->name);
        if (!n || is_left_out(n, k)) continue;
        if (!in_list) indent(t, depth);
        in_list = false; // only the first stands behind the dash
        put_value(t, n, k, depth);
    }
}

// The code's properties are always written, zeros where the text has none.
static bool complete(struct unit *u, struct node *root) {
    struct node *kernels = node_find(root, "Kernels");
    for (struct node *i = kernels ? kernels->first : NULL; i; i = i->next) {
        if (node_find(i, "CodeProps")) continue;
        struct node *map = node_make(u, NODE_MAP);
        for (const struct v2_key *k = code_keys; map && k->required; k++)
            if (!node_set(u, map, node_string(u, k->name), node_make(u, NODE_UNSIGNED))) return false;
        if (!map || !node_set(u, i, node_string(u, "CodeProps"), map)) return false;
    }
    return true;
}

bool dir_metadata_v2(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    struct slice yaml = {0};
    if (!program_is_v2(u->program))
        return unit_error(u, name.text, "unknown directive '%.*s': of code object V2 for amdhsa only",
                          (int)name.length, name.text);
    if (!unit_end(u, p, end) || !unit_take_text(u, ".end_amd_amdgpu_hsa_metadata", &yaml)) return false;
    struct node *root = yaml_read(u, yaml);
    if (!root || !check_map(u, root, root_keys) || !complete(u, root)) return false;
    struct text t = {0};
    text_puts(&t, "---\n");
    put_map(&t, root, root_keys, 0, false);
    text_puts(&t, "...\n");
    bool ok = (!t.failed || program_no_memory(u->program)) &&
              program_note(u->program, "AMD", NOTE_METADATA, t.data, t.length);
    text_free(&t);
    return ok;
}
