// SPDX-License-Identifier: MIT
// C++ names as the Itanium ABI mangles them, as far as names of functions and variables of GPU code go. What
// it does not know stays as it is. Nodes, depth and printing are bounded, whatever the text.
#include "object/name/demangle.h"

#include <stdlib.h>
#include <string.h>

#include "softwave/object.h"

enum { MAX_NODES = 2048, MAX_DEPTH = 128, MAX_SUBSTITUTIONS = 1024, MAX_PARAMETERS = 256 };

struct parser {
    const char *p, *end;
    struct node *nodes;
    size_t count;
    unsigned depth;
    const struct node *substitutions[MAX_SUBSTITUTIONS];
    size_t substitution_count;
    const struct node *parameters[MAX_PARAMETERS]; // template arguments of the name itself
    size_t parameter_count;
    bool in_lambda;
    // Of the name parsed last: whether a return type follows, and what qualifies the member function.
    bool ends_with_template, no_return;
    const char *qualifiers;
};

static const struct node *parse_type(struct parser *d);
static const struct node *parse_name(struct parser *d, bool tag);
static const struct node *parse_encoding(struct parser *d);
static const struct node *parse_expression(struct parser *d);
static const struct node *parse_template_argument(struct parser *d);

static struct node *make(struct parser *d, enum node_kind kind, const struct node *a, const struct node *b,
                         const char *text, size_t length) {
    if (d->count == MAX_NODES) return NULL;
    struct node *n = &d->nodes[d->count++];
    *n = (struct node){.kind = kind, .a = a, .b = b, .text = text, .length = (uint32_t)length};
    return n;
}
static const struct node *make_text(struct parser *d, const char *text) {
    return make(d, N_NAME, NULL, NULL, text, strlen(text));
}
static const struct node *make_of(struct parser *d, enum node_kind kind, const struct node *a,
                                  const char *text) {
    return a ? make(d, kind, a, NULL, text, strlen(text)) : NULL;
}
static const struct node *make_pair(struct parser *d, enum node_kind kind, const struct node *a,
                                    const struct node *b) {
    return a && b ? make(d, kind, a, b, "", 0) : NULL;
}

static char peek(const struct parser *d) { return d->p < d->end ? *d->p : 0; }
static char peek2(const struct parser *d) { return d->p + 1 < d->end ? d->p[1] : 0; }
static bool take(struct parser *d, const char *word) {
    size_t n = strlen(word);
    if ((size_t)(d->end - d->p) < n || memcmp(d->p, word, n)) return false;
    d->p += n;
    return true;
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool number(struct parser *d, size_t *out) {
    if (!is_digit(peek(d))) return false;
    for (*out = 0; is_digit(peek(d)); d->p++) {
        if (*out > 1u << 24) return false;
        *out = 10 * *out + (size_t)(*d->p - '0');
    }
    return true;
}

// [NUMBER] _, in base 36 or 10: 0 without a number, else 1 more than it.
static bool sequence(struct parser *d, unsigned base, size_t *out) {
    *out = 0;
    if (take(d, "_")) return true;
    size_t n = 0;
    for (;; d->p++) {
        char c = peek(d);
        unsigned v = is_digit(c) ? (unsigned)(c - '0') : c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A') + 10 : 99;
        if (v >= base || n > 1u << 20) break;
        n = n * base + v;
    }
    *out = n + 1;
    return take(d, "_");
}

static const struct node *remember(struct parser *d, const struct node *n) {
    if (n && d->substitution_count < MAX_SUBSTITUTIONS) d->substitutions[d->substitution_count++] = n;
    return n;
}

// A list of what `one` parses, up to E.
static bool list_to_end(struct parser *d, const struct node *(*one)(struct parser *),
                        const struct node **out) {
    struct node *first = NULL, *last = NULL;
    while (!take(d, "E")) {
        const struct node *n = one(d);
        struct node *item = n ? make(d, N_LIST, n, NULL, "", 0) : NULL;
        if (!item) return false;
        if (last)
            last->b = item;
        else
            first = item;
        last = item;
    }
    *out = first;
    return true;
}

// ---- Names ----

static const struct node *source_name(struct parser *d) {
    size_t n;
    if (!number(d, &n) || !n || n > (size_t)(d->end - d->p)) return NULL;
    const char *text = d->p;
    d->p += n;
    if (n >= 10 && !memcmp(text, "_GLOBAL__N", 10)) return make_text(d, "(anonymous namespace)");
    return make(d, N_NAME, NULL, NULL, text, n);
}

static const struct {
    char code[3];
    char kind; // of the expression: 'u' unary, 'b' binary, else not one
    const char *text;
} operators[] = {
    {"nw", 0, " new"}, {"na", 0, " new[]"}, {"dl", 0, " delete"}, {"da", 0, " delete[]"}, {"ps", 'u', "+"},
    {"ng", 'u', "-"},  {"ad", 'u', "&"},    {"de", 'u', "*"},     {"co", 'u', "~"},       {"pl", 'b', "+"},
    {"mi", 'b', "-"},  {"ml", 'b', "*"},    {"dv", 'b', "/"},     {"rm", 'b', "%"},       {"an", 'b', "&"},
    {"or", 'b', "|"},  {"eo", 'b', "^"},    {"aS", 'b', "="},     {"pL", 'b', "+="},      {"mI", 'b', "-="},
    {"mL", 'b', "*="}, {"dV", 'b', "/="},   {"rM", 'b', "%="},    {"aN", 'b', "&="},      {"oR", 'b', "|="},
    {"eO", 'b', "^="}, {"ls", 'b', "<<"},   {"rs", 'b', ">>"},    {"lS", 'b', "<<="},     {"rS", 'b', ">>="},
    {"eq", 'b', "=="}, {"ne", 'b', "!="},   {"lt", 'b', "<"},     {"gt", 'b', ">"},       {"le", 'b', "<="},
    {"ge", 'b', ">="}, {"ss", 'b', "<=>"},  {"nt", 'u', "!"},     {"aa", 'b', "&&"},      {"oo", 'b', "||"},
    {"pp", 0, "++"},   {"mm", 0, "--"},     {"cm", 'b', ","},     {"pm", 'b', "->*"},     {"pt", 0, "->"},
    {"cl", 0, "()"},   {"ix", 0, "[]"},
};

static const struct node *operator_name(struct parser *d) {
    if (take(d, "cv")) {
        d->no_return = true;
        return make_of(d, N_PREFIXED, parse_type(d), "operator ");
    }
    if (take(d, "li")) return make_of(d, N_PREFIXED, source_name(d), "operator\"\" ");
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (take(d, operators[i].code))
            return make_of(d, N_PREFIXED, make_text(d, operators[i].text), "operator");
    return NULL;
}

static const struct node *unnamed(struct parser *d) {
    const struct node *parameters = NULL;
    size_t n;
    bool lambda = take(d, "Ul");
    if (!lambda && !take(d, "Ut")) return NULL;
    if (lambda) {
        bool before = d->in_lambda;
        d->in_lambda = true;
        if (take(d, "vE"))
            ;
        else if (!list_to_end(d, parse_type, &parameters))
            return NULL;
        d->in_lambda = before;
    }
    const char *text = d->p;
    while (is_digit(peek(d))) d->p++;
    n = (size_t)(d->p - text);
    if (!take(d, "_")) return NULL;
    if (lambda) return make(d, N_LAMBDA, NULL, parameters, text, n);
    const struct node *number_text = make(d, N_NAME, NULL, NULL, text, n);
    return number_text ? make(d, N_PREFIXED, number_text, NULL, "'unnamed", 8) : NULL;
}

// The last part of a name, which constructors repeat.
static const struct node *base_name(const struct node *n) {
    while (n && (n->kind == N_SCOPE || n->kind == N_LOCAL || n->kind == N_TEMPLATE || n->kind == N_TAGGED))
        n = n->kind == N_SCOPE || n->kind == N_LOCAL ? n->b : n->a;
    return n;
}

// scope: what it stands in, for constructors; may be NULL
static const struct node *unqualified_name(struct parser *d, const struct node *scope) {
    const struct node *n;
    take(d, "L"); // of internal linkage
    char c = peek(d), c2 = peek2(d);
    if (is_digit(c))
        n = source_name(d);
    else if (c == 'U')
        n = unnamed(d);
    else if ((c == 'C' || c == 'D') && scope && is_digit(c2)) {
        d->p += 2;
        d->no_return = true;
        n = base_name(scope);
        if (n && c == 'D') n = make_of(d, N_PREFIXED, n, "~");
    } else
        n = operator_name(d);
    while (n && take(d, "B")) {
        const struct node *tag = source_name(d);
        n = tag ? make(d, N_TAGGED, n, NULL, tag->text, tag->length) : NULL;
    }
    return n;
}

static const struct node *template_arguments(struct parser *d, bool tag) {
    struct node *first = NULL, *last = NULL;
    if (!take(d, "I")) return NULL;
    if (tag) d->parameter_count = 0;
    while (!take(d, "E")) {
        const struct node *n = parse_template_argument(d);
        struct node *item = n ? make(d, N_LIST, n, NULL, "", 0) : NULL;
        if (!item) return NULL;
        if (tag && d->parameter_count < MAX_PARAMETERS) d->parameters[d->parameter_count++] = n;
        if (last)
            last->b = item;
        else
            first = item;
        last = item;
    }
    return first ? first : make(d, N_LIST, make_text(d, ""), NULL, "", 0);
}

static const struct node *with_arguments(struct parser *d, const struct node *n, bool tag) {
    const struct node *arguments = n ? template_arguments(d, tag) : NULL;
    return arguments ? make(d, N_TEMPLATE, n, arguments, "", 0) : NULL;
}

static const struct node *substitution(struct parser *d) {
    static const struct {
        char letter;
        const char *text;
    } known[] = {{'a', "std::allocator"}, {'b', "std::basic_string"}, {'s', "std::string"},
                 {'i', "std::istream"},   {'o', "std::ostream"},      {'d', "std::iostream"}};
    size_t n;
    if (!take(d, "S")) return NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (peek(d) == known[i].letter) // in two parts, as a constructor repeats the second
            return d->p++, make_pair(d, N_SCOPE, make_text(d, "std"), make_text(d, known[i].text + 5));
    if (!sequence(d, 36, &n) || n >= d->substitution_count) return NULL;
    return d->substitutions[n];
}

static const struct node *template_parameter(struct parser *d) {
    size_t n;
    if (!take(d, "T") || !sequence(d, 10, &n)) return NULL;
    if (d->in_lambda) return make_text(d, "auto");
    return n < d->parameter_count ? d->parameters[n] : NULL;
}

static const struct node *nested_name(struct parser *d, bool tag) {
    const struct node *n = NULL;
    static const char *const qualifiers[] = {"", " const", " volatile", " const volatile"};
    unsigned cv = 0;
    if (!take(d, "N")) return NULL;
    take(d, "r");
    if (take(d, "V")) cv |= 2;
    if (take(d, "K")) cv |= 1;
    const char *reference = take(d, "O") ? " &&" : take(d, "R") ? " &" : NULL;
    while (!take(d, "E")) {
        bool add = true;
        d->ends_with_template = false;
        if (peek(d) == 'S' && peek2(d) == 't') {
            d->p += 2;
            if (n) return NULL;
            n = make_text(d, "std");
            continue;
        }
        if (peek(d) == 'S' && !n) {
            n = substitution(d);
            add = false;
        } else if (peek(d) == 'T' && !n)
            n = template_parameter(d);
        else if (peek(d) == 'I') {
            n = with_arguments(d, n, tag);
            d->ends_with_template = true;
        } else {
            d->no_return = false;
            const struct node *part = unqualified_name(d, n);
            n = n && part ? make_pair(d, N_SCOPE, n, part) : part;
        }
        if (!n) return NULL;
        if (add && peek(d) != 'E') remember(d, n);
    }
    d->qualifiers = reference ? reference : qualifiers[cv];
    if (reference && cv)
        d->qualifiers =
            cv == 1 ? (*reference == ' ' && reference[2] == '&' ? " const &&" : " const &") : reference;
    return n;
}

static const struct node *local_name(struct parser *d) {
    if (!take(d, "Z")) return NULL;
    const struct node *function = parse_encoding(d);
    size_t n;
    if (!function || !take(d, "E")) return NULL;
    if (take(d, "s")) return make_pair(d, N_LOCAL, function, make_text(d, "'string literal'"));
    if (take(d, "d") && !sequence(d, 10, &n)) return NULL;
    const struct node *name = parse_name(d, true);
    if (take(d, "__")) {
        if (!number(d, &n) || !take(d, "_")) return NULL;
    } else if (take(d, "_")) {
        while (is_digit(peek(d))) d->p++;
    }
    return make_pair(d, N_LOCAL, function, name);
}

static const struct node *parse_name(struct parser *d, bool tag) {
    if (++d->depth > MAX_DEPTH) return NULL;
    const struct node *n;
    d->ends_with_template = d->no_return = false;
    d->qualifiers = "";
    if (peek(d) == 'N')
        n = nested_name(d, tag);
    else if (peek(d) == 'Z')
        n = local_name(d);
    else {
        bool known = peek(d) == 'S' && peek2(d) != 't';
        if (known)
            n = substitution(d);
        else if (take(d, "St"))
            n = make_pair(d, N_SCOPE, make_text(d, "std"), unqualified_name(d, NULL));
        else
            n = unqualified_name(d, NULL);
        if (n && peek(d) == 'I') {
            if (!known) remember(d, n);
            n = with_arguments(d, n, tag);
            d->ends_with_template = true;
        } else if (known)
            n = NULL; // a name alone is no substitution
    }
    d->depth--;
    return n;
}

// ---- Types ----

static const char *builtin(char c) {
    switch (c) {
    case 'v': return "void";
    case 'w': return "wchar_t";
    case 'b': return "bool";
    case 'c': return "char";
    case 'a': return "signed char";
    case 'h': return "unsigned char";
    case 's': return "short";
    case 't': return "unsigned short";
    case 'i': return "int";
    case 'j': return "unsigned int";
    case 'l': return "long";
    case 'm': return "unsigned long";
    case 'x': return "long long";
    case 'y': return "unsigned long long";
    case 'n': return "__int128";
    case 'o': return "unsigned __int128";
    case 'f': return "float";
    case 'd': return "double";
    case 'e': return "long double";
    case 'g': return "__float128";
    case 'z': return "...";
    default: return NULL;
    }
}

static const struct node *function_type(struct parser *d) {
    if (!take(d, "F")) return NULL;
    take(d, "Y");
    const struct node *returns = parse_type(d), *parameters = NULL;
    if (!returns) return NULL;
    if (!take(d, "vE") && !list_to_end(d, parse_type, &parameters)) return NULL;
    return make(d, N_FUNCTION, returns, parameters, "", 0);
}

static const struct node *array_type(struct parser *d) {
    const struct node *dimension = NULL;
    if (!take(d, "A")) return NULL;
    const char *text = d->p;
    if (is_digit(peek(d))) {
        while (is_digit(peek(d))) d->p++;
        dimension = make(d, N_NAME, NULL, NULL, text, (size_t)(d->p - text));
    } else if (peek(d) != '_' && !(dimension = parse_expression(d)))
        return NULL;
    if (!take(d, "_")) return NULL;
    const struct node *of = parse_type(d);
    return of ? make(d, N_ARRAY, of, dimension, "", 0) : NULL;
}

// Types that begin with D.
static const struct node *d_type(struct parser *d) {
    static const struct {
        const char *code, *text;
    } known[] = {{"DF16_", "_Float16"},    {"DF16b", "std::bfloat16_t"},
                 {"DF32_", "_Float32"},    {"DF64_", "_Float64"},
                 {"Dh", "half"},           {"Du", "char8_t"},
                 {"Ds", "char16_t"},       {"Di", "char32_t"},
                 {"Da", "auto"},           {"Dc", "decltype(auto)"},
                 {"Dn", "std::nullptr_t"}, {"Df", "decimal32"},
                 {"Dd", "decimal64"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (take(d, known[i].code)) return make_text(d, known[i].text);
    if (take(d, "Dp")) return remember(d, make_of(d, N_EXPANSION, parse_type(d), ""));
    if (take(d, "DT") || take(d, "Dt")) {
        const struct node *e = parse_expression(d);
        struct node *item = e && take(d, "E") ? make(d, N_LIST, e, NULL, "", 0) : NULL;
        return item ? remember(d, make(d, N_CALL, NULL, item, "decltype", 8)) : NULL;
    }
    if (take(d, "Dv")) {
        const char *text = d->p;
        while (is_digit(peek(d))) d->p++;
        const struct node *dimension = make(d, N_NAME, NULL, NULL, text, (size_t)(d->p - text));
        if (d->p == text || !take(d, "_")) return NULL;
        return remember(d, make_pair(d, N_VECTOR, parse_type(d), dimension));
    }
    return NULL;
}

static const struct node *qualified_type(struct parser *d) {
    unsigned cv = 0;
    take(d, "r");
    if (take(d, "V")) cv |= 2;
    if (take(d, "K")) cv |= 1;
    return make_of(d, N_SUFFIX, parse_type(d),
                   cv == 1   ? " const"
                   : cv == 2 ? " volatile"
                             : " const volatile");
}

static const struct node *vendor_qualified(struct parser *d) {
    if (!take(d, "U")) return NULL;
    const struct node *name = source_name(d);
    if (name && peek(d) == 'I') name = with_arguments(d, name, false);
    const struct node *type = name ? parse_type(d) : NULL;
    const struct node *qualifier = type ? make(d, N_PREFIXED, name, NULL, " ", 1) : NULL;
    return qualifier ? make(d, N_QUALIFIED, type, qualifier, "", 0) : NULL; // behind the type, as LLVM has it
}

static const struct node *type_parameter(struct parser *d) {
    const struct node *n = template_parameter(d);
    if (!n) return NULL;
    remember(d, n);
    return peek(d) == 'I' ? remember(d, with_arguments(d, n, false)) : n;
}

static const struct node *type_substitution(struct parser *d) {
    if (peek2(d) == 't') return remember(d, parse_name(d, false));
    const struct node *n = substitution(d);
    return n && peek(d) == 'I' ? remember(d, with_arguments(d, n, false)) : n;
}

static const struct node *member_pointer(struct parser *d) {
    if (!take(d, "M")) return NULL;
    const struct node *class = parse_type(d), *to = class ? parse_type(d) : NULL;
    return make_pair(d, N_MEMBER, class, to);
}

static const struct node *type_of(struct parser *d) {
    char c = peek(d);
    const char *known = builtin(c);
    if (known) return d->p++, make_text(d, known);
    switch (c) {
    case 'u': return d->p++, remember(d, source_name(d));
    case 'r':
    case 'V':
    case 'K': return remember(d, qualified_type(d));
    case 'P': return d->p++, remember(d, make_of(d, N_POINTER, parse_type(d), "*"));
    case 'R': return d->p++, remember(d, make_of(d, N_POINTER, parse_type(d), "&"));
    case 'O': return d->p++, remember(d, make_of(d, N_POINTER, parse_type(d), "&&"));
    case 'C': return d->p++, remember(d, make_of(d, N_SUFFIX, parse_type(d), " complex"));
    case 'U': return remember(d, peek2(d) == 'l' || peek2(d) == 't' ? unnamed(d) : vendor_qualified(d));
    case 'F': return remember(d, function_type(d));
    case 'A': return remember(d, array_type(d));
    case 'M': return remember(d, member_pointer(d));
    case 'D': return d_type(d);
    case 'T': return type_parameter(d);
    case 'S': return type_substitution(d);
    default: return remember(d, parse_name(d, false));
    }
}

static const struct node *parse_type(struct parser *d) {
    if (++d->depth > MAX_DEPTH) return NULL;
    // A name within a type says nothing of the function's own.
    const bool template = d->ends_with_template, no_return = d->no_return;
    const char *qualifiers = d->qualifiers;
    const struct node *n = type_of(d);
    d->ends_with_template = template, d->no_return = no_return;
    d->qualifiers = qualifiers;
    d->depth--;
    return n;
}

// ---- Template arguments and expressions ----

static const struct node *parse_literal(struct parser *d) {
    if (!take(d, "L")) return NULL;
    if (take(d, "_Z")) {
        const struct node *n = parse_encoding(d);
        return n && take(d, "E") ? n : NULL;
    }
    const struct node *type = parse_type(d);
    const char *text = d->p;
    while (d->p < d->end && *d->p != 'E') d->p++;
    size_t length = (size_t)(d->p - text);
    if (!type || !take(d, "E")) return NULL;
    if (!length) return type; // nullptr
    return make(d, N_LITERAL, type, NULL, text, length);
}

static const struct node *template_argument_of(struct parser *d) {
    const struct node *list = NULL;
    switch (peek(d)) {
    case 'L': return parse_literal(d);
    case 'X': {
        d->p++;
        const struct node *n = parse_expression(d);
        return n && take(d, "E") ? n : NULL;
    }
    case 'J':
        d->p++;
        return list_to_end(d, parse_template_argument, &list) ? make(d, N_PACK, NULL, list, "", 0) : NULL;
    default: return parse_type(d);
    }
}

static const struct node *parse_template_argument(struct parser *d) {
    if (++d->depth > MAX_DEPTH) return NULL;
    const struct node *n = template_argument_of(d);
    d->depth--;
    return n;
}

// sr TYPE NAME: a member of something that depends on the arguments.
static const struct node *scoped(struct parser *d) {
    const struct node *type = NULL;
    if (take(d, "N")) {
        type = parse_type(d);
        if (type && peek(d) == 'I') type = with_arguments(d, type, false);
        while (type && !take(d, "E")) type = make_pair(d, N_SCOPE, type, source_name(d));
    } else
        type = parse_type(d);
    const struct node *name = type ? unqualified_name(d, type) : NULL;
    if (name && peek(d) == 'I') name = with_arguments(d, name, false);
    return make_pair(d, N_SCOPE, type, name);
}

static const struct node *cast_expression(struct parser *d) {
    const struct node *type = parse_type(d), *list = NULL;
    if (!type) return NULL;
    if (take(d, "_")) {
        if (!list_to_end(d, parse_expression, &list)) return NULL;
    } else {
        const struct node *n = parse_expression(d);
        if (!n || !(list = make(d, N_LIST, n, NULL, "", 0))) return NULL;
    }
    return make(d, N_CAST, type, list, "", 0);
}

static const struct node *expression_of(struct parser *d) {
    const struct node *a, *list = NULL;
    char c = peek(d);
    if (c == 'L') return parse_literal(d);
    if (c == 'T') return template_parameter(d);
    if (take(d, "cv")) return cast_expression(d);
    if (take(d, "sr")) return scoped(d);
    if (take(d, "sp")) return make_of(d, N_EXPANSION, parse_expression(d), "");
    if (take(d, "st")) {
        a = parse_type(d);
        return a && (list = make(d, N_LIST, a, NULL, "", 0)) ? make(d, N_CALL, NULL, list, "sizeof", 6)
                                                             : NULL;
    }
    if (take(d, "cl")) {
        a = parse_expression(d);
        return a && list_to_end(d, parse_expression, &list) ? make(d, N_CALL, a, list, "", 0) : NULL;
    }
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (!operators[i].kind || !take(d, operators[i].code)) continue;
        a = parse_expression(d);
        if (!a || operators[i].kind == 'u') return make_of(d, N_UNARY, a, operators[i].text);
        const struct node *b = parse_expression(d);
        return b ? make(d, N_BINARY, a, b, operators[i].text, strlen(operators[i].text)) : NULL;
    }
    if (!is_digit(c)) return NULL;
    a = source_name(d);
    return a && peek(d) == 'I' ? with_arguments(d, a, false) : a;
}

static const struct node *parse_expression(struct parser *d) {
    if (++d->depth > MAX_DEPTH) return NULL;
    const struct node *n = expression_of(d);
    d->depth--;
    return n;
}

// ---- Whole names ----

static const struct node *special_name(struct parser *d) {
    static const struct {
        const char *code, *text;
        bool type;
    } known[] = {{"TV", "vtable for ", 1},
                 {"TT", "VTT for ", 1},
                 {"TI", "typeinfo for ", 1},
                 {"TS", "typeinfo name for ", 1},
                 {"GV", "guard variable for ", 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (take(d, known[i].code))
            return make_of(d, N_PREFIXED, known[i].type ? parse_type(d) : parse_name(d, false),
                           known[i].text);
    return NULL;
}

static const struct node *encoding_of(struct parser *d) {
    char c = peek(d), c2 = peek2(d);
    const struct node *n = NULL, *returns = NULL, *parameters = NULL;
    if ((c == 'T' && strchr("VTIS", c2) && c2) || (c == 'G' && c2 == 'V')) {
        n = special_name(d);
        return n;
    }
    // Names within its parameters may have arguments of their own.
    const struct node *name = parse_name(d, true);
    const bool function = d->p < d->end && *d->p != 'E' && *d->p != '.';
    if (!name) return NULL;
    if (!function) { return name; }
    const char *qualifiers = d->qualifiers;
    if (d->ends_with_template && !d->no_return && !(returns = parse_type(d))) return NULL;
    struct node *last = NULL;
    if (peek(d) == 'v' && (d->p + 1 == d->end || peek2(d) == 'E' || peek2(d) == '.'))
        d->p++;
    else
        while (d->p < d->end && *d->p != 'E' && *d->p != '.') {
            const struct node *type = parse_type(d);
            struct node *item = type ? make(d, N_LIST, type, NULL, "", 0) : NULL;
            if (!item) return NULL;
            if (last)
                last->b = item;
            else
                parameters = item;
            last = item;
        }
    struct node *f = make(d, N_FUNCTION, returns, parameters, qualifiers, strlen(qualifiers));
    return f ? make(d, N_ENCODING, name, f, "", 0) : NULL;
}

static const struct node *parse_encoding(struct parser *d) {
    if (++d->depth > MAX_DEPTH) return NULL;
    // A name within a name has template arguments of its own.
    const struct node *outer[MAX_PARAMETERS];
    size_t count = d->parameter_count;
    memcpy(outer, d->parameters, count * sizeof *outer);
    const struct node *n = encoding_of(d);
    memcpy(d->parameters, outer, count * sizeof *outer);
    d->parameter_count = count;
    d->depth--;
    return n;
}

size_t sw_demangle(const char *name, char *out, size_t capacity) {
    if (!capacity) return 0;
    *out = 0;
    if (strncmp(name, "_Z", 2)) return 0;
    struct parser *d = malloc(sizeof *d);
    struct node *nodes = malloc(MAX_NODES * sizeof *nodes);
    struct demangle_output o = {.text = out, .capacity = capacity};
    if (d && nodes) { // objects have many names: nothing is cleared that is not read
        d->nodes = nodes;
        d->count = d->substitution_count = d->parameter_count = 0;
        d->depth = 0;
        d->in_lambda = d->ends_with_template = d->no_return = false;
        d->qualifiers = "";
        d->p = name + 2;
        d->end = name + strlen(name);
        const struct node *n = parse_encoding(d);
        size_t suffix = (size_t)(d->end - d->p); // of a clone or of ".kd"
        o.failed = !n || (suffix && *d->p != '.');
        if (!o.failed) demangle_print(&o, n);
        if (!o.failed && suffix) {
            if (suffix + 4 < capacity - o.length) {
                out[o.length++] = ' ';
                out[o.length++] = '(';
                memcpy(out + o.length, d->p, suffix);
                o.length += suffix;
                out[o.length++] = ')';
                out[o.length] = 0;
            } else
                o.failed = true;
        }
    } else
        o.failed = true;
    free(nodes);
    free(d);
    if (o.failed) *out = 0;
    return o.failed ? 0 : o.length;
}
