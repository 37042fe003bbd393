// SPDX-License-Identifier: MIT
// Integers and operators to a number, by precedence. 64 bits, wrapping around; comparisons give -1 (as LLVM).
#include "asm/insn/constant_host.h"

#include "asm/insn/scan.h"

enum { MAX_DEPTH = 200 };

struct reader {
    const struct isa *isa;
    const struct asm_host *host;
    const char *p, *end;
    unsigned depth;
};

static bool fail(struct reader *r, const char *where, const char *message) {
    r->host->error(r->host->context, where, message);
    return false;
}

static int digit(char c) {
    int lower = c | 32;
    return is_digit(c) ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

static bool read_number(struct reader *r, int64_t *out) {
    const char *start = r->p;
    unsigned base = 10;
    if (*r->p == '0' && r->end - r->p > 1) {
        char c = (char)(r->p[1] | 32);
        base = c == 'x' ? 16 : c == 'b' ? 2 : is_digit(r->p[1]) ? 8 : 10;
        r->p += base == 16 || base == 2 ? 2 : 0;
    }
    uint64_t v = 0;
    const char *digits = r->p;
    for (; r->p < r->end && digit(*r->p) < (int)base; r->p++) {
        uint64_t next;
        if (__builtin_mul_overflow(v, (uint64_t)base, &next) ||
            __builtin_add_overflow(next, (uint64_t)digit(*r->p), &v))
            return fail(r, start, "the number does not fit 64 bits");
    }
    if (r->p == digits || (r->p < r->end && is_name_char(*r->p))) return fail(r, start, "invalid number");
    *out = (int64_t)v;
    return true;
}

static bool read_binary(struct reader *r, int least, int64_t *out);

static bool read_primary(struct reader *r, int64_t *out) {
    r->p = skip_spaces(r->p, r->end);
    if (r->p == r->end) return fail(r, r->p, "expected a number");
    const char *start = r->p;
    char c = *r->p;
    if (is_digit(c)) return read_number(r, out);
    if (is_name_start(c)) {
        const char *behind = skip_name(r->p, r->end);
        r->p = behind;
        if (asm_predefined(r->isa, start, (size_t)(behind - start), out)) return true;
    }
    if (is_name_start(c)) return fail(r, start, "symbols have no meaning here");
    if (c != '-' && c != '+' && c != '~' && c != '!' && c != '(') return fail(r, start, "expected a number");
    if (++r->depth > MAX_DEPTH) return fail(r, start, "the expression is nested too deeply");
    r->p++;
    bool ok = c == '(' ? read_binary(r, 1, out) : read_primary(r, out);
    r->depth--;
    if (!ok) return false;
    if (c == '(') {
        r->p = skip_spaces(r->p, r->end);
        if (r->p == r->end || *r->p != ')') return fail(r, start, "expected ')'");
        r->p++;
    } else if (c == '-')
        *out = (int64_t)(0 - (uint64_t)*out);
    else if (c == '~')
        *out = ~*out;
    else if (c == '!')
        *out = !*out;
    return true;
}

// Longest first; GNU precedence, in which | & ^ bind closer than + and -.
static const struct operator{
    char text[3];
    int precedence;
}
operators[] = {
    {"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<>", 3}, {"<=", 3}, {">=", 3},
    {"<<", 6}, {">>", 6}, {"<", 3},  {">", 3},  {"+", 4},  {"-", 4},  {"|", 5},
    {"^", 5},  {"&", 5},  {"!", 5},  {"*", 6},  {"/", 6},  {"%", 6},
};

static const struct operator* find_operator(struct reader *r) {
    r->p = skip_spaces(r->p, r->end);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        const struct operator* o = & operators[i];
        size_t length = o->text[1] ? 2 : 1;
        if ((size_t)(r->end - r->p) >= length && r->p[0] == o->text[0] &&
            (length == 1 || r->p[1] == o->text[1]))
            return o;
    }
    return NULL;
}

static bool apply(struct reader *r, const struct operator* o, const char *where, int64_t a, int64_t b,
                  int64_t *out) {
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    bool twice = o->text[0] == o->text[1], equal = o->text[1] == '=';
    switch (o->text[0]) {
    case '+': *out = (int64_t)(x + y); break;
    case '-': *out = (int64_t)(x - y); break;
    case '*': *out = (int64_t)(x * y); break;
    case '/':
    case '%':
        if (!b) return fail(r, where, "division by zero");
        if (b == -1)
            *out = o->text[0] == '/' ? (int64_t)(0 - x) : 0;
        else
            *out = o->text[0] == '/' ? a / b : a % b;
        break;
    case '|': *out = twice ? a || b : (int64_t)(x | y); break;
    case '&': *out = twice ? a && b : (int64_t)(x & y); break;
    case '^': *out = (int64_t)(x ^ y); break;
    case '!': *out = equal ? -(a != b) : (int64_t)(x | ~y); break;
    case '=': *out = -(a == b); break;
    case '<':
        *out = twice               ? (int64_t)(x << (y & 63))
               : o->text[1] == '>' ? -(a != b)
               : equal             ? -(a <= b)
                                   : -(a < b);
        break;
    default: *out = twice ? (int64_t)(x >> (y & 63)) : equal ? -(a >= b) : -(a > b); break;
    }
    return true;
}

static bool read_binary(struct reader *r, int least, int64_t *out) {
    if (!read_primary(r, out)) return false;
    for (const struct operator* o; (o = find_operator(r)) && o->precedence >= least;) {
        const char *where = r->p;
        // "|" may close an absolute value instead.
        const char *behind = skip_spaces(r->p + 1, r->end);
        if (o->text[0] == '|' && !o->text[1] && (behind == r->end || *behind == ',')) break;
        r->p += o->text[1] ? 2 : 1;
        int64_t right;
        if (!read_binary(r, o->precedence + 1, &right) || !apply(r, o, where, *out, right, out)) return false;
    }
    return true;
}

bool constant_expression(const struct isa *isa, const struct asm_host *host, const char **at, const char *end,
                         struct mc_value *out) {
    struct reader r = {isa, host, *at, end, 0};
    *out = (struct mc_value){0};
    if (!read_binary(&r, 1, &out->number)) return false;
    *at = r.p;
    return true;
}
