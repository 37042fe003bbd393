// SPDX-License-Identifier: MIT
// Checking a metadata tree against the table of keys (META-01 to META-38, PAL-01 to PAL-18).
//
// A missing required key, a value of the wrong type, a value that is none of the key's are errors; what the
// tables say of meaning (a key with a kind of argument that cannot have it, one newer than the code object,
// unknown keys of our own name space) are warnings, since compilers have written such. Trees are shallow and
// as large as the file that they came from; each key is looked at once.
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "meta/meta.h"
#include "target/target.h"

enum { MOST = 200 }; // problems told of one tree

struct walk {
    const struct meta_check *c;
    bool v2, failed;
    unsigned told;
    char path[256];
    size_t length;
};

// ---- Reporting -----------------------------------------------------------------------------------------

static void tell(struct walk *w, const sw_node *at, sw_severity severity, const char *key, const char *format,
                 ...) PRINTF_LIKE(5, 6);
static void tell(struct walk *w, const sw_node *at, sw_severity severity, const char *key, const char *format,
                 ...) {
    char message[320], path[360];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (severity == SW_SEVERITY_ERROR) w->failed = true;
    if (w->told++ >= MOST) return;
    snprintf(path, sizeof path, "%s%s%s", w->path, *w->path && key ? ", " : "", key ? key : "");
    if (w->c->report) w->c->report(w->c->context, at, severity, path, message);
}
#define ERROR(w, at, key, ...)   tell(w, at, SW_SEVERITY_ERROR, key, __VA_ARGS__)
#define WARNING(w, at, key, ...) tell(w, at, SW_SEVERITY_WARNING, key, __VA_ARGS__)

// A node's text, cut and made safe to stand in a message.
struct quoted {
    char text[64];
};
static struct quoted quote(const sw_node *n) {
    struct quoted q = {""};
    if (n->kind != SW_NODE_STRING) return q;
    size_t length = n->as.string.length < 60 ? n->as.string.length : 60;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)n->as.string.data[i];
        q.text[i] = c >= 0x20 && c < 0x7f ? (char)c : '?';
    }
    q.text[length] = 0;
    return q;
}

static size_t push(struct walk *w, const char *format, ...) PRINTF_LIKE(2, 3);
static size_t push(struct walk *w, const char *format, ...) {
    const size_t before = w->length;
    if (w->length && w->length + 2 < sizeof w->path) w->length += (size_t)sprintf(w->path + w->length, ", ");
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(w->path + w->length, sizeof w->path - w->length, format, args);
    va_end(args);
    w->length += (size_t)n;
    if (w->length >= sizeof w->path) w->length = sizeof w->path - 1;
    return before;
}
static void pop(struct walk *w, size_t before) {
    w->length = before;
    w->path[before] = 0;
}

static const char *key_name(const struct walk *w, const struct meta_key *k) {
    return w->v2 ? k->v2 : k->name;
}

// ---- Values --------------------------------------------------------------------------------------------

static bool is_text(const sw_node *v) { return v->kind == SW_NODE_STRING; }

static bool number32(const struct walk *w, const sw_node *v, uint64_t *n) {
    return meta_number(v, w->c->text, n) && *n <= UINT32_MAX;
}

static void list_choices(const struct walk *w, const struct meta_key *k, char *out, size_t size) {
    size_t used = 0;
    for (int i = 0; k->values[i] && used + 80 < size; i++) {
        if (!*k->values[i]) continue;
        used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", k->values[i]);
        if (i > 8 && k->values[i + 1]) {
            snprintf(out + used, size - used, ", ...");
            break;
        }
    }
    if (w->v2 && strchr(out, '_')) *out = 0; // spelled otherwise there
}

static void check_choice(struct walk *w, const struct meta_key *k, const sw_node *v) {
    char list[220] = "";
    if (!is_text(v)) {
        ERROR(w, v, key_name(w, k), "expected a string");
        return;
    }
    if (meta_choice(k->values, v->as.string.data, v->as.string.length, w->v2) >= 0) return;
    if (w->v2 && k->values == meta_accesses && meta_text_is(v, "Default")) return;
    list_choices(w, k, list, sizeof list);
    ERROR(w, v, key_name(w, k), "'%s' is not a value of this key%s%s", quote(v).text, *list ? ": " : "",
          list);
}

static void check_numbers(struct walk *w, const struct meta_key *k, const sw_node *v, unsigned count,
                          bool wide) {
    uint64_t n[3] = {0};
    bool ok = v->kind == SW_NODE_ARRAY && v->count == count;
    for (unsigned i = 0; ok && i < count; i++)
        ok = wide ? meta_number(&v->as.items[i], w->c->text, &n[i]) : number32(w, &v->as.items[i], &n[i]);
    if (!ok)
        ERROR(w, v, key_name(w, k), "expected a list of %u numbers%s", count, wide ? "" : " of 32 bits");
    else if (k->rule == META_ALL_OR_NONE && (n[0] || n[1] || n[2]) && (!n[0] || !n[1] || !n[2]))
        ERROR(w, v, key_name(w, k), "expected 0, 0, 0 or three numbers that are at least 1");
}

static void check_number(struct walk *w, const struct meta_key *k, const sw_node *v) {
    uint64_t n = 0;
    if (!number32(w, v, &n)) {
        ERROR(w, v, key_name(w, k), "expected a number of 32 bits");
        return;
    }
    const char *problem = NULL;
    if (k->rule == META_POWER_OF_TWO && (!n || n & (n - 1))) problem = "is not a power of two";
    if (k->rule == META_AT_LEAST_ONE && !n) problem = "must be at least 1";
    if (k->rule == META_WAVE_SIZE && n != 32 && n != 64) problem = "is not 32 or 64";
    if (problem) ERROR(w, v, key_name(w, k), "%llu %s", (unsigned long long)n, problem);
}

// "ID:N:S[0]:...:S[N-1]:FORMAT" (META-04).
static bool is_printf(const char *s, size_t length) {
    const char *end = s + length;
    uint64_t fields = 2, sizes = 0;
    for (uint64_t i = 0; i < fields; i++) {
        uint64_t n = 0;
        const char *first = s;
        for (; s < end && *s >= '0' && *s <= '9' && n <= UINT32_MAX; s++) n = 10 * n + (uint64_t)(*s - '0');
        if (s == first || s == end || *s++ != ':' || n > UINT32_MAX) return false;
        if (i == 1) sizes = n;
        if (i == 1) fields += sizes;
    }
    return true;
}

static void check_texts(struct walk *w, const struct meta_key *k, const sw_node *v) {
    if (v->kind != SW_NODE_ARRAY) {
        ERROR(w, v, key_name(w, k), "expected a list of strings");
        return;
    }
    for (uint32_t i = 0; i < v->count; i++) {
        const sw_node *item = &v->as.items[i];
        if (!is_text(item))
            ERROR(w, item, key_name(w, k), "item %u: expected a string", i);
        else if (k->type == META_CHOICES)
            check_choice(w, k, item);
        else if (k->rule == META_PRINTF && !is_printf(item->as.string.data, item->as.string.length))
            ERROR(w, item, key_name(w, k), "item %u, '%s', is not ID:N:S[0]:...:S[N-1]:FORMAT", i,
                  quote(item).text);
    }
}

static void check_registers(struct walk *w, const struct meta_key *k, const sw_node *v) {
    uint64_t n;
    if (v->kind != SW_NODE_MAP) {
        ERROR(w, v, key_name(w, k), "expected a map");
        return;
    }
    for (uint32_t i = 0; i < v->count; i++)
        if (!number32(w, &v->as.items[2 * i], &n) || !number32(w, &v->as.items[2 * i + 1], &n))
            ERROR(w, &v->as.items[2 * i], key_name(w, k),
                  "expected numbers of 32 bits by numbers of 32 bits");
}

static void check_map(struct walk *w, enum meta_map map, const sw_node *node);

static void check_maps(struct walk *w, const struct meta_key *k, const sw_node *v) {
    const bool list = k->type == META_MAPS;
    if (v->kind != (list ? SW_NODE_ARRAY : SW_NODE_MAP)) {
        ERROR(w, v, key_name(w, k), "expected a %s", list ? "list of maps" : "map");
        return;
    }
    for (uint32_t i = 0; i < v->count; i++) {
        const sw_node *item = list ? &v->as.items[i] : &v->as.items[2 * i + 1];
        size_t before;
        const sw_node *name = meta_get(item, w->v2 ? "Name" : ".name");
        if (k->map_of == META_KERNEL && name && is_text(name))
            before = push(w, "kernel '%s'", quote(name).text);
        else if (k->map_of == META_KERNEL)
            before = push(w, "kernel %u", i);
        else if (k->map_of == META_ARGUMENT)
            before = push(w, "argument %u", i);
        else if (k->map_of == META_PIPELINE)
            before = push(w, "pipeline %u", i);
        else
            before = push(w, "%s, %s", key_name(w, k), quote(&v->as.items[2 * i]).text);
        check_map(w, (enum meta_map)k->map_of, item);
        pop(w, before);
    }
}

static void check_value(struct walk *w, const struct meta_key *k, const sw_node *v) {
    bool flag;
    uint64_t n;
    switch ((enum meta_type)k->type) {
    case META_TEXT:
        if (!is_text(v))
            ERROR(w, v, key_name(w, k), "expected a string");
        else if (memchr(v->as.string.data, 0, v->as.string.length))
            ERROR(w, v, key_name(w, k), "the string contains a NUL");
        break;
    case META_NUMBER: check_number(w, k, v); break;
    case META_FLAG:
        if (!meta_flag(v, w->c->text, &flag)) ERROR(w, v, key_name(w, k), "expected true or false");
        break;
    case META_FLAG_OR_NUMBER:
        if (!meta_flag(v, w->c->text, &flag) && (!meta_number(v, w->c->text, &n) || n > 1))
            ERROR(w, v, key_name(w, k), "expected true, false, 0 or 1");
        break;
    case META_PAIR: check_numbers(w, k, v, 2, false); break;
    case META_TRIPLE: check_numbers(w, k, v, 3, false); break;
    case META_HASH: check_numbers(w, k, v, 2, true); break;
    case META_CHOICE:
    case META_CHOICE_TEXT: check_choice(w, k, v); break;
    case META_TEXTS:
    case META_CHOICES: check_texts(w, k, v); break;
    case META_MAPS:
    case META_NAMED_MAPS: check_maps(w, k, v); break;
    case META_MAP: {
        const size_t before = push(w, "%s", key_name(w, k));
        check_map(w, (enum meta_map)k->map_of, v);
        pop(w, before);
        break;
    }
    case META_BYTES:
        if (v->kind != SW_NODE_BYTES && !(w->c->text && is_text(v)))
            ERROR(w, v, key_name(w, k), "expected bytes");
        break;
    case META_REGISTERS: check_registers(w, k, v); break;
    }
}

// ---- Meaning -------------------------------------------------------------------------------------------

static const sw_node *get(const struct walk *w, const sw_node *map, const char *v3, const char *v2) {
    return meta_get(map, w->v2 ? v2 : v3);
}

static int value_kind(const struct walk *w, const sw_node *argument) {
    const sw_node *v = get(w, argument, ".value_kind", "ValueKind");
    return v && is_text(v) ? meta_choice(meta_value_kinds, v->as.string.data, v->as.string.length, w->v2)
                           : -1;
}

static void check_argument(struct walk *w, const sw_node *map) {
    const int kind = value_kind(w, map);
    const sw_processor *p = w->c->processor;
    if (kind < 0) return;
    for (size_t i = 0; i < meta_key_count; i++) {
        const struct meta_key *k = &meta_keys[i];
        if (k->map != META_ARGUMENT || !k->only || k->only >> kind & 1) continue;
        const sw_node *v = get(w, map, k->name, k->v2);
        bool on = true;
        if (!v || (k->type == META_FLAG && meta_flag(v, w->c->text, &on) && !on) ||
            meta_text_is(v, "Default"))
            continue;
        WARNING(w, v, key_name(w, k), "an argument of kind '%s' has no such key", meta_value_kinds[kind]);
    }
    if (kind >= SW_VALUE_HIDDEN_BLOCK_COUNT_X && w->c->version < 5)
        WARNING(w, map, ".value_kind", "'%s' is of code object V5", meta_value_kinds[kind]);
    const bool aperture = kind == SW_VALUE_HIDDEN_PRIVATE_BASE || kind == SW_VALUE_HIDDEN_SHARED_BASE;
    if (aperture && p && has(p, CAP_aperture_registers)) // META-36
        WARNING(w, map, ".value_kind", "%s has registers for '%s'", p->name, meta_value_kinds[kind]);
}

static void check_kernel(struct walk *w, const sw_node *map) {
    const sw_processor *p = w->c->processor;
    const sw_node *arguments = get(w, map, ".args", "Args");
    uint64_t size = 0, most = 0, product = 1, n = 0, at, length;
    const sw_node *code = w->v2 ? meta_get(map, "CodeProps") : map;
    const sw_node *attributes = w->v2 ? meta_get(map, "Attrs") : map;
    const sw_node *v = get(w, code, ".kernarg_segment_size", "KernargSegmentSize");
    const bool sized = v && meta_number(v, w->c->text, &size);
    bool printf_buffer = false, hostcall = false;
    for (uint32_t i = 0; arguments && arguments->kind == SW_NODE_ARRAY && i < arguments->count; i++) {
        const sw_node *a = &arguments->as.items[i], *offset = meta_get(a, ".offset"),
                      *bytes = meta_get(a, ".size");
        const int kind = value_kind(w, a);
        printf_buffer |= kind == SW_VALUE_HIDDEN_PRINTF_BUFFER;
        hostcall |= kind == SW_VALUE_HIDDEN_HOSTCALL_BUFFER;
        if (w->v2 || !sized || !offset || !bytes || !meta_number(offset, w->c->text, &at) ||
            !meta_number(bytes, w->c->text, &length) || (at <= size && length <= size - at))
            continue;
        const size_t before = push(w, "argument %u", i);
        ERROR(w, offset, ".offset", "offset %llu and size %llu lie outside the kernarg segment of %llu bytes",
              (unsigned long long)at, (unsigned long long)length, (unsigned long long)size);
        pop(w, before);
    }
    if (printf_buffer && hostcall && w->c->version < 5) // META-22, META-38
        ERROR(w, map, w->v2 ? "Args" : ".args",
              "hidden printf and hostcall buffers exclude each other before V5");
    v = get(w, code, ".max_flat_workgroup_size", "MaxFlatWorkGroupSize");
    const bool bounded = v && meta_number(v, w->c->text, &most);
    v = get(w, attributes, ".reqd_workgroup_size", "ReqdWorkGroupSize");
    bool required = v && v->kind == SW_NODE_ARRAY && v->count == 3;
    for (uint32_t i = 0; required && i < 3; i++) {
        required = number32(w, &v->as.items[i], &n);
        if (product < 1ull << 32) product *= n;
    }
    if (required && bounded && product > most)
        WARNING(w, v, w->v2 ? "ReqdWorkGroupSize" : ".reqd_workgroup_size",
                "%llu work-items, more than the maximum of %llu", (unsigned long long)product,
                (unsigned long long)most);
    if (!p || w->v2) return;
    v = meta_get(map, ".agpr_count"); // META-15
    if (v && meta_number(v, w->c->text, &n) && n && !has(p, CAP_agprs))
        WARNING(w, v, ".agpr_count", "%s has no AGPRs", p->name);
    if ((v = meta_get(map, ".workgroup_processor_mode")) && !has(p, CAP_cumode))
        WARNING(w, v, ".workgroup_processor_mode", "%s has no such mode", p->name);
}

static void check_top(struct walk *w, const sw_node *map) {
    const sw_node *v = get(w, map, "amdhsa.version", "Version");
    uint64_t major, minor;
    if (v && v->kind == SW_NODE_ARRAY && v->count == 2 && number32(w, &v->as.items[0], &major) &&
        number32(w, &v->as.items[1], &minor)) {
        // V2 and V3 are 1.0, V4 1.1, V5 and V6 1.2 (META-13, META-27, META-28).
        const unsigned expected = w->c->version <= 3 ? 0 : w->c->version == 4 ? 1 : 2;
        if (major != 1 || minor != expected)
            ERROR(w, v, w->v2 ? "Version" : "amdhsa.version", "%llu.%llu, expected 1.%u in code object V%u",
                  (unsigned long long)major, (unsigned long long)minor, expected, w->c->version);
    }
    v = meta_get(map, "amdhsa.target");
    if (v && is_text(v) && w->c->target && !meta_text_is(v, w->c->target))
        ERROR(w, v, "amdhsa.target", "'%s' is not the target of this code object in canonical form, '%s'",
              quote(v).text, w->c->target);
}

// ---- Maps ----------------------------------------------------------------------------------------------

// Keys of ours begin with "." within our maps and with our names at the top; others belong to other vendors.
static bool is_ours(const struct walk *w, enum meta_map map, const sw_node *key) {
    const char *s = key->as.string.data;
    const size_t n = key->as.string.length;
    if (w->v2) return !memchr(s, '.', n);
    if (map == META_TOP) return n > 7 && !memcmp(s, "amdhsa.", 7);
    if (map == META_PAL_TOP) return n > 7 && !memcmp(s, "amdpal.", 7);
    return n && *s == '.';
}

static void check_key(struct walk *w, enum meta_map map, const sw_node *node, uint32_t index) {
    const sw_node *key = &node->as.items[2 * index], *value = key + 1;
    if (!is_text(key)) {
        ERROR(w, key, NULL, "a key is not a string");
        return;
    }
    for (uint32_t j = 0; j < index && node->count <= 256; j++) {
        const sw_node *other = &node->as.items[2 * j];
        if (other->kind == SW_NODE_STRING && other->as.string.length == key->as.string.length &&
            !memcmp(other->as.string.data, key->as.string.data, key->as.string.length)) {
            ERROR(w, key, quote(key).text, "the key is there twice");
            return;
        }
    }
    const struct meta_key *k = meta_find(map, key->as.string.data, key->as.string.length, w->v2);
    if (k && !w->v2 && k->since > w->c->version && w->c->version)
        WARNING(w, key, k->name, "the key is of code object V%u", k->since);
    if (k)
        check_value(w, k, value);
    else if (w->v2 && map == META_KERNEL && (meta_text_is(key, "Attrs") || meta_text_is(key, "CodeProps"))) {
        const size_t before = push(w, "%s", quote(key).text);
        check_map(w, meta_text_is(key, "Attrs") ? META_ATTRIBUTES : META_CODE_PROPS, value);
        pop(w, before);
    } else if (w->v2 && map == META_ARGUMENT && meta_text_is(key, "Align")) {
        uint64_t n;
        if (!number32(w, value, &n) || !n || n & (n - 1)) ERROR(w, value, "Align", "expected a power of two");
    } else if (is_ours(w, map, key))
        WARNING(w, key, quote(key).text, "unknown key");
}

static void check_map(struct walk *w, enum meta_map map, const sw_node *node) {
    if (node->kind != SW_NODE_MAP) {
        ERROR(w, node, NULL, "expected a map");
        return;
    }
    for (size_t i = 0; i < meta_key_count; i++) {
        const struct meta_key *k = &meta_keys[i];
        const char *name = key_name(w, k);
        if ((w->v2 ? k->v2_map : k->map) != map || k->need == META_OPTIONAL || !name ||
            (w->v2 && k->v2_omitted))
            continue;
        if (w->v2 || !w->c->version || k->since <= w->c->version)
            if (!meta_get(node, name)) ERROR(w, node, name, "the key is missing");
    }
    if (w->v2 && map == META_ARGUMENT && !meta_get(node, "Align"))
        ERROR(w, node, "Align", "the key is missing");
    for (uint32_t i = 0; i < node->count; i++) check_key(w, map, node, i);
    if (map == META_TOP) check_top(w, node);
    if (map == META_KERNEL) check_kernel(w, node);
    if (map == META_ARGUMENT) check_argument(w, node);
}

bool meta_check(const sw_node *root, const struct meta_check *c) {
    struct walk w = {.c = c, .v2 = c->version == 2};
    check_map(&w, c->version ? META_TOP : META_PAL_TOP, root);
    return !w.failed;
}
