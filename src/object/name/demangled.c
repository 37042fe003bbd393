// SPDX-License-Identifier: MIT
// Demangled names as text. Types of functions and arrays stand around what they declare, so every type has a
// left and a right half.
#include "object/name/demangle.h"

#include <string.h>

enum { MAX_STEPS = 200000, MAX_DEPTH = 400, NO_PACK = UINT32_MAX };

static void left(struct demangle_output *o, const struct node *n);
static void right(struct demangle_output *o, const struct node *n);

static void put(struct demangle_output *o, const char *text, size_t length) {
    if (o->failed || length >= o->capacity - o->length) {
        o->failed = true;
        return;
    }
    memcpy(o->text + o->length, text, length);
    o->text[o->length += length] = 0;
}

static void puts_(struct demangle_output *o, const char *text) { put(o, text, strlen(text)); }

static char last(const struct demangle_output *o) { return o->length ? o->text[o->length - 1] : 0; }

static void whole(struct demangle_output *o, const struct node *n) {
    left(o, n);
    right(o, n);
}

static void list(struct demangle_output *o, const struct node *n) {
    bool first = true;
    for (; n; n = n->b) {
        size_t before = o->length;
        if (!first) puts_(o, ", ");
        size_t start = o->length;
        whole(o, n->a);
        if (o->failed) return;
        if (o->length == start) // an empty pack takes its comma along
            o->length = before, o->text[before] = 0;
        else
            first = false;
    }
}

static const struct node *element(const struct node *pack, uint32_t at) {
    const struct node *n = pack->b;
    while (n && at--) n = n->b;
    return n ? n->a : NULL;
}

// A pack stands for one of its elements within an expansion; the first pack that is met says how many there
// are.
static const struct node *current(struct demangle_output *o, const struct node *pack) {
    if (o->pack_size == NO_PACK) {
        uint32_t size = 0;
        for (const struct node *e = pack->b; e; e = e->b) size++;
        o->pack_size = size;
        o->pack_at = 0;
    }
    return element(pack, o->pack_at);
}

static void pack(struct demangle_output *o, const struct node *n,
                 void (*half)(struct demangle_output *, const struct node *)) {
    const struct node *e = current(o, n);
    if (e) half(o, e);
}

static void expansion(struct demangle_output *o, const struct node *n) {
    uint32_t at = o->pack_at, size = o->pack_size;
    size_t start = o->length;
    o->pack_size = NO_PACK;
    whole(o, n->a);
    if (!o->failed && o->pack_size == NO_PACK)
        puts_(o, "...");
    else if (!o->failed && !o->pack_size)
        o->length = start, o->text[start] = 0;
    for (uint32_t i = 1; !o->failed && o->pack_size != NO_PACK && i < o->pack_size; i++) {
        puts_(o, ", ");
        o->pack_at = i;
        whole(o, n->a);
    }
    o->pack_at = at;
    o->pack_size = size;
}

// What a pointer to this type has to put parentheses for.
static const struct node *declarator(struct demangle_output *o, const struct node *n) {
    for (;;) {
        if (n->kind == N_SUFFIX || n->kind == N_QUALIFIED)
            n = n->a;
        else if (n->kind == N_PACK && current(o, n))
            n = current(o, n);
        else
            return n;
    }
}

static bool wraps(struct demangle_output *o, const struct node *n) {
    n = declarator(o, n);
    return n->kind == N_FUNCTION || n->kind == N_ARRAY;
}

// A reference to a reference is one: && of && stays, all else is &. Sets what it refers to.
static bool is_reference(const struct node *n) { return n->kind == N_POINTER && n->text[0] == '&'; }

static const char *collapse(struct demangle_output *o, const struct node *n, const struct node **to) {
    const char *text = n->text;
    *to = n->a;
    for (unsigned i = 0; is_reference(n) && i < MAX_DEPTH; i++) {
        const struct node *inner = *to;
        if (inner->kind == N_PACK) inner = current(o, inner);
        if (!inner || !is_reference(inner)) break;
        if (!inner->text[1]) text = "&";
        *to = inner->a;
    }
    return text;
}

static void open_pointer(struct demangle_output *o, const struct node *to) {
    left(o, to);
    if (!wraps(o, to)) return;
    if (declarator(o, to)->kind == N_ARRAY) puts_(o, " ");
    puts_(o, "(");
}

static void template_arguments(struct demangle_output *o, const struct node *n) {
    uint32_t size = o->pack_size;
    o->pack_size = NO_PACK; // whole packs
    puts_(o, "<");
    bool first = true;
    for (; n && !o->failed; n = n->b) {
        if (n->a->kind == N_PACK) {
            size_t before = o->length;
            if (!first) puts_(o, ", ");
            size_t start = o->length;
            list(o, n->a->b);
            if (o->length == start)
                o->length = before, o->text[before] = 0;
            else
                first = false;
            continue;
        }
        size_t before = o->length;
        if (!first) puts_(o, ", ");
        size_t start = o->length;
        whole(o, n->a);
        if (!o->failed && o->length == start)
            o->length = before, o->text[before] = 0;
        else
            first = false;
    }
    puts_(o, ">");
    o->pack_size = size;
}

static void literal(struct demangle_output *o, const struct node *n) {
    static const struct {
        const char *type, *behind;
    } short_forms[] = {{"int", ""},         {"unsigned int", "u"},
                       {"long", "l"},       {"unsigned long", "ul"},
                       {"long long", "ll"}, {"unsigned long long", "ull"}};
    const char *text = n->text;
    size_t length = n->length;
    bool negative = length && *text == 'n', plain = n->a->kind == N_NAME;
    if (plain && n->a->length == 4 && !memcmp(n->a->text, "bool", 4) && length == 1 &&
        (*text == '0' || *text == '1')) {
        puts_(o, *text == '1' ? "true" : "false");
        return;
    }
    size_t i = 0;
    for (; plain && i < sizeof short_forms / sizeof *short_forms; i++)
        if (n->a->length == strlen(short_forms[i].type) &&
            !memcmp(n->a->text, short_forms[i].type, n->a->length))
            break;
    bool cast = !plain || i == sizeof short_forms / sizeof *short_forms;
    if (cast) {
        puts_(o, "(");
        whole(o, n->a);
        puts_(o, ")");
    }
    if (negative) puts_(o, "-");
    put(o, text + negative, length - negative);
    if (!cast) puts_(o, short_forms[i].behind);
}

static void operand(struct demangle_output *o, const struct node *n) {
    bool bare = n->kind == N_NAME || n->kind == N_LITERAL || n->kind == N_SCOPE || n->kind == N_TEMPLATE ||
                n->kind == N_CALL || n->kind == N_CAST;
    if (!bare) puts_(o, "(");
    whole(o, n);
    if (!bare) puts_(o, ")");
}

static void encoding(struct demangle_output *o, const struct node *n) {
    const struct node *f = n->b;
    if (f && f->a) {
        left(o, f->a);
        if (!wraps(o, f->a) || last(o) != '(') puts_(o, " ");
    }
    whole(o, n->a);
    if (!f) return;
    puts_(o, "(");
    list(o, f->b);
    puts_(o, ")");
    if (f->a) right(o, f->a);
    put(o, f->text, f->length);
}

static void left_half(struct demangle_output *o, const struct node *n) {
    const char *text;
    const struct node *to;
    switch ((enum node_kind)n->kind) {
    case N_NAME: put(o, n->text, n->length); break;
    case N_LOCAL:
    case N_SCOPE:
        whole(o, n->a);
        puts_(o, "::");
        whole(o, n->b);
        break;
    case N_TEMPLATE:
        whole(o, n->a);
        template_arguments(o, n->b);
        break;
    case N_LIST: list(o, n); break;
    case N_PACK: pack(o, n, left); break;
    case N_EXPANSION: expansion(o, n); break;
    case N_SUFFIX:
        left(o, n->a);
        put(o, n->text, n->length);
        break;
    case N_QUALIFIED:
        left(o, n->a);
        whole(o, n->b);
        break;
    case N_POINTER:
        text = collapse(o, n, &to);
        open_pointer(o, to);
        puts_(o, text);
        break;
    case N_FUNCTION:
        if (n->a) left(o, n->a), puts_(o, " ");
        break;
    case N_ARRAY: left(o, n->a); break;
    case N_VECTOR:
        whole(o, n->a);
        puts_(o, " vector[");
        whole(o, n->b);
        puts_(o, "]");
        break;
    case N_MEMBER:
        left(o, n->b);
        puts_(o, wraps(o, n->b) ? "(" : " ");
        whole(o, n->a);
        puts_(o, "::*");
        break;
    case N_ENCODING: encoding(o, n); break;
    case N_PREFIXED:
        put(o, n->text, n->length);
        whole(o, n->a);
        break;
    case N_TAGGED:
        whole(o, n->a);
        puts_(o, "[abi:");
        put(o, n->text, n->length);
        puts_(o, "]");
        break;
    case N_LAMBDA:
        puts_(o, "'lambda");
        put(o, n->text, n->length);
        puts_(o, "'(");
        list(o, n->b);
        puts_(o, ")");
        break;
    case N_LITERAL: literal(o, n); break;
    case N_CALL:
        if (n->a)
            whole(o, n->a);
        else
            put(o, n->text, n->length);
        puts_(o, "(");
        list(o, n->b);
        puts_(o, ")");
        break;
    case N_CAST:
        puts_(o, "(");
        whole(o, n->a);
        puts_(o, ")(");
        list(o, n->b);
        puts_(o, ")");
        break;
    case N_UNARY:
        put(o, n->text, n->length);
        operand(o, n->a);
        break;
    case N_BINARY:
        operand(o, n->a);
        puts_(o, " ");
        put(o, n->text, n->length);
        puts_(o, " ");
        operand(o, n->b);
        break;
    }
}

static void right_half(struct demangle_output *o, const struct node *n) {
    const struct node *to;
    switch ((enum node_kind)n->kind) {
    case N_PACK:
        if (o->pack_size != NO_PACK) pack(o, n, right);
        break;
    case N_QUALIFIED:
    case N_SUFFIX: right(o, n->a); break;
    case N_POINTER:
        collapse(o, n, &to);
        if (wraps(o, to)) puts_(o, ")");
        right(o, to);
        break;
    case N_MEMBER:
        if (wraps(o, n->b)) puts_(o, ")");
        right(o, n->b);
        break;
    case N_FUNCTION:
        puts_(o, "(");
        list(o, n->b);
        puts_(o, ")");
        if (n->a) right(o, n->a);
        put(o, n->text, n->length);
        break;
    case N_ARRAY:
        if (last(o) != ']') puts_(o, " ");
        puts_(o, "[");
        if (n->b) whole(o, n->b);
        puts_(o, "]");
        right(o, n->a);
        break;
    default: break;
    }
}

static bool enter(struct demangle_output *o) {
    if (++o->steps > MAX_STEPS || o->depth >= MAX_DEPTH) o->failed = true;
    if (o->failed) return false;
    o->depth++;
    return true;
}

static void left(struct demangle_output *o, const struct node *n) {
    if (!enter(o)) return;
    left_half(o, n);
    o->depth--;
}

static void right(struct demangle_output *o, const struct node *n) {
    if (!enter(o)) return;
    right_half(o, n);
    o->depth--;
}

void demangle_print(struct demangle_output *o, const struct node *n) {
    o->pack_size = NO_PACK;
    whole(o, n);
}
