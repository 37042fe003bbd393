// SPDX-License-Identifier: MIT
// The meaning language (src/isa/meaning_rules.def): runs code on the state of one wave. The text is
// interpreted as it is read; what a condition leaves out is read without effect.
#ifndef TESTS_MEANING_LANGUAGE_H
#define TESTS_MEANING_LANGUAGE_H

#include <ctype.h>

#include "meaning_values.h"

enum { MEANING_MEMORY = 1 << 16, MEANING_LDS = 1 << 14, MEANING_LOCALS = 24, MEANING_MARKS = 1 << 14 };

struct machine {
    uint32_t v[512][64], s[128], scc; // VGPRs, then AGPRs
    uint8_t memory[MEANING_MEMORY], lds[MEANING_LDS];
};
enum operand_kind { NOWHERE, IN_VGPR, IN_SGPR, IS_NUMBER };
struct where {
    enum operand_kind kind;
    unsigned code; // of the register, as the source space counts; AGPRs from 512 on
    unsigned dwords;
    int64_t number;
};
struct result_mark { // an element of the result that another answer is right for, too
    const void *at;
    uint8_t shift, bits;
    enum float_format f;
    bool nan, approximate;
};
struct local {
    char name[16];
    struct value v;
    unsigned __int128 bits;
    bool is_bits;
};
struct run {
    const char *p, *text;
    const char *error; // NULL: none so far
    bool skip;
    const struct machine *before;
    struct machine *now;
    struct where d, d1, s[5], data, data1;
    bool has_mask_result;
    unsigned lanes, lane, m0;
    uint64_t exec_before, memory_base, pc, label;
    int64_t address[64], address2[64], lds_address[64], offset;
    unsigned op_sel, neg_lo, table, source_part, result_part, index_set;
    bool returns, ieee, limits_turns, adds_last, halves_of_32;
    bool any_zero;    // a zero may have either sign
    bool approximate; // a function of that kind has been called in this statement
    struct local locals[MEANING_LOCALS];
    unsigned local_count, mark_count;
    struct result_mark marks[MEANING_MARKS];
};

static struct value expression(struct run *r);
static void bad(struct run *r, const char *why) {
    if (!r->error) r->error = why;
    while (*r->p) r->p++;
}
static void space(struct run *r) {
    while (isspace((unsigned char)*r->p)) r->p++;
}
static bool take(struct run *r, const char *what) {
    space(r);
    const size_t n = strlen(what);
    if (strncmp(r->p, what, n)) return false;
    if (isalnum((unsigned char)what[n - 1]) && (isalnum((unsigned char)r->p[n]) || r->p[n] == '_'))
        return false;
    r->p += n;
    return true;
}
static void expect(struct run *r, const char *what) {
    if (!take(r, what)) bad(r, what);
}
static bool name_of(struct run *r, char out[24]) {
    space(r);
    size_t n = 0;
    if (!isalpha((unsigned char)*r->p)) return false;
    while (isalnum((unsigned char)r->p[n]) || r->p[n] == '_') n++;
    if (n >= 24) return false;
    memcpy(out, r->p, n);
    out[n] = 0;
    r->p += n;
    return true;
}

// ---- Places ----

struct place {
    enum { PLACE_NONE, PLACE_OPERAND, PLACE_BYTES, PLACE_LOCAL, PLACE_SCC, PLACE_PC } kind;
    struct where where;
    bool old; // reads the value from before
    unsigned lane;
    uint8_t *bytes;
    struct local *local;
    unsigned width; // of the whole, in bits
};
static uint32_t *dword_of(struct run *r, const struct place *p, unsigned n, bool write) {
    static uint32_t number[2], nothing;
    struct machine *m = p->old && !write ? (struct machine *)(uintptr_t)r->before : r->now;
    const struct where w = p->where;
    number[0] = (uint32_t)w.number, number[1] = (uint32_t)((uint64_t)w.number >> 32);
    switch (p->kind) {
    case PLACE_OPERAND:
        if (w.kind == IN_VGPR && w.code - 256 + n < 512) return &m->v[w.code - 256 + n][p->lane & 63];
        if (w.kind == IN_SGPR && w.code + n < 128) return &m->s[w.code + n];
        if (w.kind == IS_NUMBER && !write) return &number[n & 1];
        break;
    case PLACE_BYTES: return (uint32_t *)(uintptr_t)p->bytes + n;
    case PLACE_LOCAL: return (uint32_t *)&p->local->bits + (n & 3);
    case PLACE_SCC: return &m->scc;
    default: break;
    }
    nothing = 0;
    if (w.kind != NOWHERE) bad(r, "a register out of range");
    return &nothing;
}
static unsigned __int128 get_bits(struct run *r, const struct place *p, unsigned at, unsigned count) {
    unsigned __int128 v = 0;
    if (p->kind == PLACE_BYTES) {
        memcpy(&v, p->bytes + at / 8, (count + at % 8 + 7) / 8);
        v >>= at % 8;
    } else
        for (unsigned got = 0; got < count;) {
            const unsigned shift = (at + got) % 32, n = 32 - shift < count - got ? 32 - shift : count - got;
            v |= (unsigned __int128)(*dword_of(r, p, (at + got) / 32, false) >> shift) << got;
            got += n;
        }
    return count >= 128 ? v : v & (((unsigned __int128)1 << count) - 1);
}
static void put_bits(struct run *r, const struct place *p, unsigned at, unsigned count, unsigned __int128 v) {
    if (r->skip || r->error) return;
    if (p->kind == PLACE_BYTES) {
        memcpy(p->bytes + at / 8, &v, count / 8);
        return;
    }
    for (unsigned put = 0; put < count;) {
        const unsigned shift = (at + put) % 32, n = 32 - shift < count - put ? 32 - shift : count - put;
        const uint32_t mask = (n == 32 ? ~0u : (1u << n) - 1) << shift;
        uint32_t *d = dword_of(r, p, (at + put) / 32, true);
        *d = (*d & ~mask) | ((uint32_t)(v >> put) << shift & mask);
        put += n;
    }
}

// A name that stands for a place: false where it does not.
static bool place_named(struct run *r, const char *name, struct place *p) {
    *p = (struct place){.kind = PLACE_OPERAND, .lane = r->lane, .old = true};
    if (name[0] == 'S' && name[1] >= '0' && name[1] <= '4' && !name[2])
        p->where = r->s[name[1] - '0'];
    else if (!strcmp(name, "D"))
        p->where = r->d, p->old = false;
    else if (!strcmp(name, "D1"))
        p->where = r->d1, p->old = false;
    else if (!strcmp(name, "DATA") && r->data.kind != NOWHERE)
        p->where = r->data;
    else if (!strcmp(name, "DATA1"))
        p->where = r->data1;
    else if (!strcmp(name, "VCC") || !strcmp(name, "EXEC"))
        p->where = (struct where){IN_SGPR, *name == 'V' ? 106 : 126, 2, 0}, p->old = false,
        p->width = r->lanes;
    else if (!strcmp(name, "M0"))
        p->where = (struct where){IN_SGPR, r->m0, 1, 0}, p->old = false, p->width = 32;
    else if (!strcmp(name, "SCC"))
        p->kind = PLACE_SCC, p->old = false, p->width = 32;
    else if (!strcmp(name, "PC"))
        p->kind = PLACE_PC;
    else if (!strcmp(name, "MEM") || !strcmp(name, "SCRATCH") || !strcmp(name, "LDS") ||
             !strcmp(name, "VGPR") || !strcmp(name, "SGPR")) {
        expect(r, "[");
        const struct value at = expression(r);
        expect(r, "]");
        if (!strcmp(name, "VGPR") || !strcmp(name, "SGPR")) {
            p->old = false;
            p->where = (struct where){*name == 'V' ? IN_VGPR : IN_SGPR,
                                      (unsigned)at.i + (*name == 'V' ? 256 : 0), 2, 0};
            return true;
        }
        const bool is_lds = *name == 'L';
        const int64_t offset = (int64_t)at.i - (is_lds ? 0 : (int64_t)r->memory_base);
        p->kind = PLACE_BYTES;
        if (offset < 0 || offset > (is_lds ? MEANING_LDS : MEANING_MEMORY) - 64) {
            p->bytes = r->now->lds;
            if (!r->skip) bad(r, "an address out of range");
            return true;
        }
        p->bytes = (is_lds ? r->now->lds : r->now->memory) + offset;
    } else
        return false;
    return true;
}

// ---- Types ----

struct type {
    enum float_format f;
    unsigned bits;
    bool is_signed;
};
static bool type_named(const char *name, struct type *out) {
    static const struct {
        const char *name;
        enum float_format f;
    } floats[] = {{"f16", F16_}, {"bf16", BF16_}, {"f32", F32_}, {"f64", F64_}, {"fp8", FP8_},
                  {"bf8", BF8_}, {"fp6", FP6_},   {"bf6", BF6_}, {"fp4", FP4_}};
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++)
        if (!strcmp(name, floats[i].name)) {
            *out = (struct type){floats[i].f, (unsigned)float_bits(floats[i].f), false};
            return true;
        }
    if ((*name != 'u' && *name != 'i') || !isdigit((unsigned char)name[1])) return false;
    char *end;
    *out = (struct type){NO_FLOAT, (unsigned)strtoul(name + 1, &end, 10), *name == 'i'};
    return !*end && out->bits <= 128;
}
static struct value typed(struct type t, unsigned __int128 bits) {
    if (t.f) return float_of_bits(t.f, (uint64_t)bits);
    if (t.is_signed && t.bits < 128 && bits >> (t.bits - 1) & 1) bits |= ~(unsigned __int128)0 << t.bits;
    return integer((wide)bits);
}

// What follows a place: the bits that are meant, and as what.
struct bit_part {
    struct type type;
    unsigned at;
    bool is_number; // of a register
};
static struct bit_part part_of(struct run *r, struct place *p) {
    struct bit_part part = {.type = {NO_FLOAT, p->width, false}};
    char name[24];
    unsigned step = 1;
    if (take(r, "@")) {
        space(r);
        struct value lane;
        if (take(r, "(")) {
            lane = expression(r);
            expect(r, ")");
        } else if (isdigit((unsigned char)*r->p))
            lane = integer(strtol(r->p, (char **)&r->p, 10));
        else {
            const char *begin = r->p; // a name, or a call, without what may follow a value
            const char *end = begin;
            while (isalnum((unsigned char)*end) || *end == '_') end++;
            if (*end == '(')
                for (int depth = 1; depth && *++end;) depth += (*end == '(') - (*end == ')');
            if (*end == ')') end++;
            char copy[64] = "";
            memcpy(copy, begin, (size_t)(end - begin) < 63 ? (size_t)(end - begin) : 63);
            r->p = copy;
            lane = expression(r);
            r->p = end;
        }
        p->lane = (unsigned)lane.i & 63;
        p->old = true;
    }
    if (take(r, ".")) {
        if (!name_of(r, name)) bad(r, "a type");
        if (!strcmp(name, "number")) {
            part.is_number = true;
            return part;
        }
        if (!type_named(name, &part.type)) bad(r, "an unknown type");
        step = part.type.bits;
    }
    if (take(r, "[")) {
        const struct value first = expression(r);
        if (take(r, ":")) {
            const struct value low = expression(r);
            part.at = (unsigned)low.i;
            part.type = (struct type){NO_FLOAT, (unsigned)(first.i - low.i) + 1, false};
        } else {
            if (step == 1) part.type.bits = 1;
            part.at = step * (unsigned)first.i;
        }
        expect(r, "]");
    }
    if (!part.type.bits) bad(r, "a place without a type");
    if (part.at > 4096 && !r->skip) bad(r, "an element out of range"), part.at = 0;
    return part;
}

static enum float_format common(struct run *r, const struct value *a, const struct value *b);
#include "meaning_functions.h"

// ---- Expressions ----

static struct local *local_named(struct run *r, const char *name, bool make) {
    for (unsigned i = 0; i < r->local_count; i++)
        if (!strcmp(r->locals[i].name, name)) return &r->locals[i];
    if (!make || r->local_count == MEANING_LOCALS || strlen(name) > 15) return NULL;
    struct local *l = &r->locals[r->local_count++];
    *l = (struct local){0};
    strcpy(l->name, name);
    return l;
}
static bool number_named(const struct run *r, const char *name, struct value *out) {
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {{"LANE", r->lane},
                   {"LANES", r->lanes},
                   {"ADDR", r->address[r->lane]},
                   {"ADDR2", r->address2[r->lane]},
                   {"LDS_ADDR", r->lds_address[r->lane]},
                   {"OFFSET", r->offset},
                   {"OP_SEL", r->op_sel},
                   {"NEG_LO", r->neg_lo},
                   {"TABLE", r->table},
                   {"SOURCE_PART", r->source_part},
                   {"RESULT_PART", r->result_part},
                   {"INDEX_SET", r->index_set},
                   {"RETURNS", r->returns},
                   {"LABEL", (int64_t)r->label}};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(name, numbers[i].name)) {
            *out = integer(numbers[i].value);
            return true;
        }
    return false;
}
static struct value index_of(struct run *r, struct value v) { // [n], [h:l] of a number
    while (!v.f && take(r, "[")) {
        const struct value first = expression(r);
        if (take(r, ":")) {
            const struct value low = expression(r);
            v = integer(v.i >> low.i & (((wide)1 << (first.i - low.i + 1)) - 1));
        } else
            v = integer(v.i >> (first.i & 127) & 1);
        expect(r, "]");
    }
    return v;
}
static struct value primary(struct run *r) {
    char name[24];
    struct value v = {0};
    struct place p;
    space(r);
    if (take(r, "(")) {
        v = expression(r);
        expect(r, ")");
        return v;
    }
    if (isdigit((unsigned char)*r->p)) {
        const char *end = r->p;
        const bool hex = end[0] == '0' && end[1] == 'x';
        while (isxdigit((unsigned char)*end) || *end == '.' || *end == 'x') end++;
        if (hex || !memchr(r->p, '.', (size_t)(end - r->p)))
            return integer((wide)strtoull(r->p, (char **)&r->p, 0));
        return (struct value){.f = EXACT_, .d = strtod(r->p, (char **)&r->p)};
    }
    if (!name_of(r, name)) {
        bad(r, "an operand");
        return v;
    }
    if (*r->p == '(') return call(r, name);
    struct local *l = local_named(r, name, false);
    if (l && !l->is_bits) return index_of(r, l->v);
    if (l)
        p = (struct place){.kind = PLACE_LOCAL, .local = l};
    else if (number_named(r, name, &v))
        return index_of(r, v);
    else if (!place_named(r, name, &p)) {
        bad(r, "an unknown name");
        return v;
    }
    if (p.kind == PLACE_PC) return integer((wide)r->pc);
    const struct bit_part part = part_of(r, &p);
    if (r->error) return v;
    if (part.is_number) return integer(p.where.code - (p.where.kind == IN_VGPR ? 256 : 0));
    return typed(part.type, get_bits(r, &p, part.at, part.type.bits));
}
static struct value unary(struct run *r) {
    space(r);
    if (*r->p == '!' && r->p[1] != '=') {
        r->p++;
        const struct value v = unary(r);
        return integer(!v.i);
    }
    if (take(r, "~")) return integer(~unary(r).i);
    if (take(r, "-")) {
        struct value v = unary(r);
        v.i = -v.i, v.d = -v.d, v.has_code = false;
        return v;
    }
    return primary(r);
}
static enum float_format common(struct run *r, const struct value *a, const struct value *b) {
    if (!a->f != !b->f) bad(r, "an integer and a float");
    if (a->f && b->f && a->f != EXACT_ && b->f != EXACT_ && a->f != b->f) bad(r, "floats of two types");
    return a->f == EXACT_ ? b->f : a->f;
}
static struct value binary(struct run *r, const char *op, struct value a, struct value b) {
    const enum float_format f = common(r, &a, &b);
    const bool c = f != NO_FLOAT;
    switch (op[0] | op[1] << 8) {
    case '*':
        return c ? fused(f, a.d, b.d, copysign(0, a.d * b.d))
                 : integer((wide)((unsigned __int128)a.i * (unsigned __int128)b.i));
    case '/': return integer(b.i ? a.i / b.i : 0);
    case '%': return integer(b.i ? a.i % b.i : 0);
    case '+': return c ? added(f, a.d, b.d) : integer(a.i + b.i);
    case '-': return c ? added(f, a.d, -b.d) : integer(a.i - b.i);
    case '<' | '<' << 8: return integer(b.i > 127 || b.i < 0 ? 0 : (wide)((unsigned __int128)a.i << b.i));
    case '>' | '>' << 8: return integer(a.i >> (b.i > 127 ? 127 : b.i < 0 ? 0 : b.i));
    case '<' | '=' << 8: return integer(c ? a.d <= b.d : a.i <= b.i);
    case '>' | '=' << 8: return integer(c ? a.d >= b.d : a.i >= b.i);
    case '<': return integer(c ? a.d < b.d : a.i < b.i);
    case '>': return integer(c ? a.d > b.d : a.i > b.i);
    case '=' | '=' << 8: return integer(c ? a.d == b.d : a.i == b.i);
    case '!' | '=' << 8: return integer(c ? a.d != b.d : a.i != b.i);
    case '&': return integer(a.i & b.i);
    case '^': return integer(a.i ^ b.i);
    case '|': return integer(a.i | b.i);
    case '&' | '&' << 8: return integer(a.i && b.i);
    default: return integer(a.i || b.i);
    }
}
// Binary operators by how tightly they bind, as in C.
static const char *const levels_of[][5] = {
    {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
enum { OPERATOR_LEVELS = sizeof levels_of / sizeof *levels_of };
static const char *operator_at(struct run *r, unsigned level) {
    space(r);
    for (unsigned i = 0; i < 5 && levels_of[level][i]; i++) {
        const char *op = levels_of[level][i];
        const size_t n = strlen(op);
        if (strncmp(r->p, op, n)) continue;
        if (n == 1 && (*op == '<' || *op == '>' || *op == '&' || *op == '|') &&
            (r->p[1] == *op || r->p[1] == '='))
            continue;
        r->p += n;
        return op;
    }
    return NULL;
}
static struct value operators(struct run *r, unsigned level) {
    if (level == OPERATOR_LEVELS) return unary(r);
    struct value v = operators(r, level + 1);
    for (const char *op; !r->error && (op = operator_at(r, level));) {
        const bool was = r->skip;
        if (level == 0 && v.i) r->skip = true; // what does not count has no effect and no error
        if (level == 1 && !v.i) r->skip = true;
        const struct value right = operators(r, level + 1);
        r->skip = was;
        v = binary(r, op, v, right);
    }
    return v;
}
static struct value expression(struct run *r) {
    const struct value condition = operators(r, 0);
    space(r);
    if (*r->p != '?') return condition;
    r->p++;
    const bool was = r->skip;
    r->skip = was || !condition.i;
    const struct value yes = expression(r);
    expect(r, ":");
    r->skip = was || condition.i;
    const struct value no = expression(r);
    r->skip = was;
    return condition.i ? yes : no;
}

// ---- Statements ----

static void mark(struct run *r, const struct place *p, struct bit_part part, bool nan) {
    if (r->skip || r->mark_count == MEANING_MARKS) return;
    const void *at =
        p->kind == PLACE_BYTES ? (const void *)(p->bytes + part.at / 8) : dword_of(r, p, part.at / 32, true);
    r->marks[r->mark_count++] = (struct result_mark){at,
                                                     p->kind == PLACE_BYTES ? 0 : part.at % 32,
                                                     (uint8_t)part.type.bits,
                                                     part.type.f,
                                                     nan,
                                                     r->approximate};
}
static void assign(struct run *r, struct place *p, struct bit_part part, struct value v) {
    if (r->error) return;
    if (part.type.f) {
        if (v.f != part.type.f && v.f != EXACT_) {
            bad(r, "a value of another type");
            return;
        }
        if (isnan(v.d) || r->approximate || (r->any_zero && v.d == 0)) mark(r, p, part, isnan(v.d));
        put_bits(r, p, part.at, part.type.bits,
                 v.has_code && v.f == part.type.f ? v.code : float_code(part.type.f, v.d, TO_EVEN, 0));
    } else if (v.f)
        bad(r, "a float in the place of an integer");
    else
        put_bits(r, p, part.at, part.type.bits, (unsigned __int128)v.i);
}
static void statements(struct run *r);
static void block(struct run *r) {
    expect(r, "{");
    statements(r);
    expect(r, "}");
}
static void loop(struct run *r) {
    char name[24];
    if (!name_of(r, name)) bad(r, "a loop's name");
    expect(r, "in");
    const wide first = expression(r).i;
    expect(r, "to");
    const wide last = expression(r).i;
    const char *body = r->p;
    const bool was = r->skip;
    struct local *l = local_named(r, name, true);
    if (first > last) r->skip = true;
    for (wide i = first; !r->error && (i <= last || i == first); i++) {
        r->p = body;
        if (l) l->v = integer(i), l->is_bits = false;
        block(r);
        if (first > last || was) break;
    }
    r->skip = was;
}
static void assignment(struct run *r, const char *name) {
    struct place p;
    r->approximate = false;
    const char *after = r->p;
    space(r);
    struct local *l = local_named(r, name, false);
    const bool typed_local =
        *r->p == '.' && (l ? l->is_bits : !strcmp(name, "DATA") && r->data.kind == NOWHERE);
    if (typed_local && !l) l = local_named(r, name, true), l->is_bits = true;
    if (*r->p == '=' && strcmp(name, "SCC") && strcmp(name, "VCC") && strcmp(name, "EXEC") &&
        strcmp(name, "M0") && strcmp(name, "PC")) {
        r->p++;
        const struct value v = expression(r);
        const bool is_new = !l;
        if (!(l = local_named(r, name, true)))
            bad(r, "too many names");
        else if (is_new || !r->skip)
            l->v = v, l->is_bits = false;
        return;
    }
    r->p = after;
    if (typed_local)
        p = (struct place){.kind = PLACE_LOCAL, .local = l};
    else if (!place_named(r, name, &p)) {
        bad(r, "an unknown name on the left");
        return;
    }
    struct bit_part part = {0};
    if (p.kind != PLACE_PC) part = part_of(r, &p);
    expect(r, "=");
    const struct value v = expression(r);
    if (p.kind == PLACE_PC) {
        if (!r->skip) r->pc = (uint64_t)v.i;
    } else
        assign(r, &p, part, v);
}
static void statements(struct run *r) {
    char name[24];
    for (;;) {
        while (take(r, ";")) {}
        space(r);
        if (!*r->p || *r->p == '}' || r->error) return;
        if (take(r, "if")) {
            const bool was = r->skip;
            expect(r, "(");
            const struct value condition = expression(r);
            expect(r, ")");
            r->skip = was || !condition.i;
            block(r);
            r->skip = was || condition.i;
            if (take(r, "else")) block(r);
            r->skip = was;
        } else if (take(r, "for"))
            loop(r);
        else if (name_of(r, name))
            assignment(r, name);
        else
            bad(r, "a statement");
    }
}
// Runs the code: once, or for each executing lane. r->error says what is wrong with it.
static void meaning_run(struct run *r, const char *code, bool scalar) {
    r->text = code;
    r->error = NULL;
    const bool once = !strncmp(code, "once:", 5);
    if (once) code += 5;
    for (unsigned lane = 0; lane < (once || scalar ? 1 : r->lanes) && !r->error; lane++) {
        if (!once && !scalar && !(r->exec_before >> lane & 1)) continue;
        r->lane = lane;
        r->local_count = 0;
        r->p = code;
        statements(r);
        if (!r->error && *r->p) r->error = "a statement that does not end";
    }
}

#endif
