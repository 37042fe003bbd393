// SPDX-License-Identifier: MIT
// The manuals' pseudo-code as a tree. A text is statements with ';' between them; blocks end with words
// (endif, endfor, endwhile). 16'U(x) converts, 16'1.0 and 1'1U are numbers, x.u32 and x[7 : 0] are parts of
// x.
#ifndef TESTS_PSEUDOCODE_PARSE_H
#define TESTS_PSEUDOCODE_PARSE_H

#include <ctype.h>

#include "value.h"

enum node_kind {
    N_NUMBER,
    N_NAME,
    N_TYPE,
    N_INDEX,
    N_SLICE,
    N_SLICE_UP,
    N_FIELD,
    N_CONVERT,
    N_CALL,
    N_CONCAT,
    N_UNARY,
    N_BINARY,
    N_TERNARY,
    N_ASSIGN,
    N_IF,
    N_FOR,
    N_WHILE,
    N_BREAK,
    N_RETURN,
    N_DECLARE,
    N_LAMBDA,
    N_BLOCK,
};
enum { NODE_KIDS = 32 };
struct node {
    enum node_kind kind;
    char op[4];     // of operators and assignments
    char name[32];  // of names, types, fields, calls
    unsigned width; // of conversions and declarations; elements of arrays in `count`
    unsigned count;
    struct val value;
    struct node *kid[NODE_KIDS];
    unsigned kids;
    struct node *next; // statement of the block
};

struct parser {
    const char *p, *start;
    enum { TOK_END, TOK_NUMBER, TOK_NAME, TOK_TYPE, TOK_CONVERT, TOK_OP } kind;
    char text[64];
    struct val value;
    unsigned width;
};

static struct node *new_node(enum node_kind kind) {
    struct node *n = calloc(1, sizeof *n);
    if (!n) abort();
    n->kind = kind;
    return n;
}
static void add_kid(struct node *n, struct node *kid) {
    if (n->kids == NODE_KIDS) fail_with("more than %d parts of an expression", NODE_KIDS);
    n->kid[n->kids++] = kid;
}

// ---- Words ----

static void read_digits(struct parser *s, unsigned width) {
    const char *p = s->p;
    char digits[64];
    if (p[0] == '0' && p[1] == 'x') {
        char *end;
        const uint64_t x = strtoull(p + 2, &end, 16);
        s->p = end;
        bool is_unsigned = false, is_long = false;
        while (*s->p && strchr("UL", *s->p)) is_unsigned |= *s->p == 'U', is_long |= *s->p == 'L', s->p++;
        if (!width) width = is_long || x > 0xffffffff ? 64 : 32;
        s->value = val_int(is_unsigned ? V_UINT : V_SINT, width > 128 ? 128 : width, x);
        s->value.width = (uint16_t)width;
        if (!is_unsigned && width <= 64 && x >> (width - 1) & 1)
            s->value.kind = V_UINT; // never a negative number
        return;
    }
    unsigned n = 0;
    bool fraction = false;
    while (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]) && !fraction))
        fraction |= *p == '.', digits[n < 63 ? n++ : 62] = *p++;
    digits[n] = 0;
    s->p = p;
    if (fraction) {
        const double d = strtod(digits, NULL);
        if (*s->p == 'F') s->p++, width = 32;
        if (width == 16)
            s->value = val_code(F16, fmt_code(F16, d, TO_EVEN));
        else if (width == 32)
            s->value = val_code(F32, fmt_code(F32, d, TO_EVEN));
        else
            s->value = val_real(d);
        return;
    }
    bool is_unsigned = false, is_long = false;
    while (*s->p && strchr("UL", *s->p)) is_unsigned |= *s->p == 'U', is_long |= *s->p == 'L', s->p++;
    if (!width) width = is_long ? 64 : 32;
    s->value = val_int(is_unsigned ? V_UINT : V_SINT, width, (wide)strtoull(digits, NULL, 10));
    // An unsigned value that is written without U, as 16'255 is, is never meant to be negative.
    if (!is_unsigned && s->value.w[0] >> (width - 1) & 1) s->value.kind = V_UINT;
}
static void next_token(struct parser *s) {
again:
    while (isspace((unsigned char)*s->p)) s->p++;
    if (s->p[0] == '/' && s->p[1] == '/') {
        while (*s->p && *s->p != '\n') s->p++;
        goto again;
    }
    s->width = 0;
    if (!*s->p) {
        s->kind = TOK_END, s->text[0] = 0;
        return;
    }
    if (isdigit((unsigned char)*s->p)) {
        const char *p = s->p;
        while (isdigit((unsigned char)*p)) p++;
        if (*p == '\'') {
            const unsigned width = (unsigned)strtoul(s->p, NULL, 10);
            s->p = p + 1;
            if (isalpha((unsigned char)*s->p)) {
                unsigned n = 0;
                while (isalpha((unsigned char)*s->p) && n < 8) s->text[n++] = *s->p++;
                s->text[n] = 0, s->width = width, s->kind = TOK_CONVERT;
                return;
            }
            read_digits(s, width);
        } else
            read_digits(s, 0);
        s->kind = TOK_NUMBER, strcpy(s->text, "number");
        return;
    }
    if (isalpha((unsigned char)*s->p) || *s->p == '_') {
        unsigned n = 0;
        while ((isalnum((unsigned char)*s->p) || *s->p == '_') && n < 63) s->text[n++] = *s->p++;
        s->text[n] = 0, s->kind = TOK_NAME;
        return;
    }
    if (*s->p == '.' && isalpha((unsigned char)s->p[1])) {
        unsigned n = 0;
        s->p++;
        while ((isalnum((unsigned char)*s->p) || *s->p == '_') && n < 63) s->text[n++] = *s->p++;
        s->text[n] = 0, s->kind = TOK_TYPE;
        return;
    }
    static const char *const ops[] = {
        "+=", "-=", "+:", "**", "==", "!=", "<=", ">=", "<>", "<<", ">>", "&&", "||"};
    s->kind = TOK_OP;
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        if (!strncmp(s->p, ops[i], 2)) {
            strcpy(s->text, ops[i]), s->p += 2;
            return;
        }
    s->text[0] = *s->p++, s->text[1] = 0;
}
static bool at_op(const struct parser *s, const char *text) {
    return s->kind == TOK_OP && !strcmp(s->text, text);
}
static bool at_word(const struct parser *s, const char *text) {
    return s->kind == TOK_NAME && !strcmp(s->text, text);
}
static bool take_op(struct parser *s, const char *text) {
    if (!at_op(s, text)) return false;
    next_token(s);
    return true;
}
static bool take_word(struct parser *s, const char *text) {
    if (!at_word(s, text)) return false;
    next_token(s);
    return true;
}
static void need_op(struct parser *s, const char *text) {
    if (!take_op(s, text)) fail_with("'%s' where '%s' must be", s->text, text);
}
static void need_word(struct parser *s, const char *text) {
    if (!take_word(s, text)) fail_with("'%s' where '%s' must be", s->text, text);
}

// ---- Expressions ----

static struct node *parse_expression(struct parser *s);
static struct node *parse_block(struct parser *s);
static struct node *parse_unary(struct parser *s);

static struct node *parse_primary(struct parser *s) {
    if (s->kind == TOK_NUMBER) {
        struct node *n = new_node(N_NUMBER);
        n->value = s->value;
        next_token(s);
        return n;
    }
    if (s->kind == TOK_CONVERT) {
        struct node *n = new_node(N_CONVERT);
        n->width = s->width;
        snprintf(n->name, sizeof n->name, "%.8s", s->text);
        next_token(s);
        need_op(s, "(");
        add_kid(n, parse_expression(s));
        need_op(s, ")");
        return n;
    }
    if (s->kind == TOK_NAME) {
        struct node *n = new_node(N_NAME);
        snprintf(n->name, sizeof n->name, "%.31s", s->text);
        next_token(s);
        if (take_op(s, "(")) {
            n->kind = N_CALL;
            while (!at_op(s, ")")) {
                add_kid(n, parse_expression(s));
                if (!take_op(s, ",")) break;
            }
            need_op(s, ")");
        }
        return n;
    }
    if (take_op(s, "(")) {
        struct node *n = parse_expression(s);
        need_op(s, ")");
        return n;
    }
    if (take_op(s, "{")) {
        struct node *n = new_node(N_CONCAT);
        do add_kid(n, parse_expression(s));
        while (take_op(s, ","));
        need_op(s, "}");
        return n;
    }
    fail_with("'%s' where a value must be", s->text);
}
static struct node *parse_postfix(struct parser *s) {
    struct node *n = parse_primary(s);
    for (;;) {
        if (s->kind == TOK_TYPE) {
            struct node *t = new_node(N_TYPE);
            snprintf(t->name, sizeof t->name, "%.31s", s->text);
            add_kid(t, n);
            n = t;
            next_token(s);
        } else if (take_op(s, "[")) {
            struct node *i = new_node(N_INDEX);
            add_kid(i, n);
            add_kid(i, parse_expression(s));
            if (at_op(s, ":") || at_op(s, "+:")) {
                i->kind = at_op(s, ":") ? N_SLICE : N_SLICE_UP;
                next_token(s);
                add_kid(i, parse_expression(s));
            }
            need_op(s, "]");
            n = i;
        } else
            return n;
    }
}
static struct node *parse_unary(struct parser *s) {
    if (at_op(s, "-") || at_op(s, "+") || at_op(s, "~") || at_op(s, "!")) {
        struct node *n = new_node(N_UNARY);
        strcpy(n->op, s->text);
        next_token(s);
        add_kid(n, parse_unary(s));
        return n;
    }
    return parse_postfix(s);
}
static int precedence(const char *op) {
    static const struct {
        const char *op;
        int level;
    } levels[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6}, {"!=", 6},
                  {"<>", 6}, {"<", 7},  {">", 7},  {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8},
                  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}, {"**", 11}};
    for (unsigned i = 0; i < sizeof levels / sizeof *levels; i++)
        if (!strcmp(op, levels[i].op)) return levels[i].level;
    return 0;
}
static struct node *parse_binary(struct parser *s, int least) {
    struct node *left = parse_unary(s);
    for (;;) {
        const int level = s->kind == TOK_OP ? precedence(s->text) : 0;
        if (!level || level < least) return left;
        struct node *n = new_node(N_BINARY);
        strcpy(n->op, s->text);
        next_token(s);
        add_kid(n, left);
        add_kid(n, parse_binary(s, level + 1));
        left = n;
    }
}
static struct node *parse_expression(struct parser *s) {
    struct node *c = parse_binary(s, 1);
    if (!take_op(s, "?")) return c;
    struct node *n = new_node(N_TERNARY);
    add_kid(n, c);
    add_kid(n, parse_expression(s));
    need_op(s, ":");
    add_kid(n, parse_expression(s));
    return n;
}

// ---- Statements ----

static struct node *parse_lambda(struct parser *s) {
    struct node *n = new_node(N_LAMBDA);
    need_op(s, "(");
    do {
        struct node *name = new_node(N_NAME);
        snprintf(name->name, sizeof name->name, "%.31s", s->text);
        next_token(s);
        add_kid(n, name);
    } while (take_op(s, ","));
    need_op(s, ")");
    need_op(s, "(");
    n->count = n->kids;
    add_kid(n, parse_block(s));
    need_op(s, ")");
    return n;
}
static struct node *parse_simple(struct parser *s) {
    struct node *left = parse_expression(s);
    if (!at_op(s, "=") && !at_op(s, "+=") && !at_op(s, "-=")) return left;
    struct node *n = new_node(N_ASSIGN);
    strcpy(n->op, s->text);
    next_token(s);
    add_kid(n, left);
    if (take_word(s, "lambda"))
        add_kid(n, parse_lambda(s));
    else
        add_kid(n, parse_simple(s)); // a = b = c
    return n;
}
static struct node *parse_if(struct parser *s) {
    struct node *n = new_node(N_IF);
    add_kid(n, parse_expression(s));
    need_word(s, "then");
    add_kid(n, parse_block(s));
    if (take_word(s, "elsif")) {
        add_kid(n, parse_if(s)); // takes the one endif of all
        return n;
    }
    if (take_word(s, "else")) add_kid(n, parse_block(s));
    need_word(s, "endif");
    return n;
}
static struct node *parse_statement(struct parser *s) {
    if (take_word(s, "if")) return parse_if(s);
    if (take_word(s, "for")) {
        struct node *n = new_node(N_FOR);
        snprintf(n->name, sizeof n->name, "%.31s", s->text);
        next_token(s);
        need_word(s, "in");
        add_kid(n, parse_binary(s, 1));
        need_op(s, ":");
        add_kid(n, parse_expression(s));
        need_word(s, "do");
        add_kid(n, parse_block(s));
        need_word(s, "endfor");
        return n;
    }
    if (take_word(s, "while")) {
        struct node *n = new_node(N_WHILE);
        add_kid(n, parse_expression(s));
        need_word(s, "do");
        add_kid(n, parse_block(s));
        need_word(s, "endwhile");
        return n;
    }
    if (take_word(s, "declare")) {
        struct node *n = new_node(N_DECLARE);
        snprintf(n->name, sizeof n->name, "%.31s", s->text);
        next_token(s);
        need_op(s, ":");
        if (s->kind != TOK_CONVERT) fail_with("'%s' where a type must be", s->text);
        n->width = s->width;
        snprintf(n->op, sizeof n->op, "%.3s", s->text);
        next_token(s);
        if (take_op(s, "[")) {
            if (s->kind != TOK_NUMBER) fail_with("'%s' where a number of elements must be", s->text);
            n->count = (unsigned)s->value.w[0];
            next_token(s);
            need_op(s, "]");
        }
        return n;
    }
    if (take_word(s, "break")) return new_node(N_BREAK);
    if (take_word(s, "return")) {
        struct node *n = new_node(N_RETURN);
        add_kid(n, parse_expression(s));
        return n;
    }
    return parse_simple(s);
}
static struct node *parse_block(struct parser *s) {
    struct node *block = new_node(N_BLOCK), **last = &block->next;
    for (;;) {
        while (take_op(s, ";")) {}
        if (s->kind == TOK_END || at_op(s, ")") || at_word(s, "endif") || at_word(s, "elsif") ||
            at_word(s, "else") || at_word(s, "endfor") || at_word(s, "endwhile"))
            return block;
        *last = parse_statement(s);
        last = &(*last)->next;
        if (!at_op(s, ";") && s->kind != TOK_END && !at_op(s, ")") && s->kind != TOK_NAME)
            fail_with("'%s' behind a statement", s->text);
    }
}
static struct node *parse_text(const char *text) {
    struct parser s = {.p = text, .start = text};
    next_token(&s);
    struct node *n = parse_block(&s);
    if (s.kind != TOK_END) fail_with("'%s' where the text must end", s.text);
    return n;
}

#endif
