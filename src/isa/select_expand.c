// SPDX-License-Identifier: MIT
// Build-time tool: makes the tables of select.h from is.def, as C on standard output. It parses each row's
// text, gives every node a type, and refuses unknown words, wrong numbers of operands, types that contradict
// each other, and keys that no row needs.
#include "isa/select.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"

static const struct {
    const char *key, *text;
} texts[] = {
#define IS(key, text) {#key, text},
#define RATE(key, rate)
#include "isa/is.def"
#undef IS
#undef RATE
};
static const struct {
    const char *key;
    uint8_t rate;
} rates[] = {
#define IS(key, text)
#define RATE(key, rate) {#key, RATE_##rate},
#include "isa/is.def"
#undef IS
#undef RATE
};
enum { TEXTS = sizeof texts / sizeof *texts, RATES = sizeof rates / sizeof *rates };
static bool text_used[TEXTS], rate_used[RATES];

// ---- The parser ----

struct expression {
    struct select_node node;
    struct expression *operands[4];
    uint64_t number;
    struct select_type said; // behind a colon; bits 0: nothing
    bool said_signed, typed;
};
struct statement {
    enum select_place place;
    struct expression *value;
};
struct alternative {
    unsigned set, clear, ulp, count;
    bool rough;
    struct statement statements[4];
};

static struct arena memory;   // of all that is read
static const struct row *row; // whose text is read
static const char *text, *at;
static const struct alternative *current; // for `.`
static unsigned failures;
static bool failed; // this text

__attribute__((format(printf, 1, 2))) static void fail(const char *format, ...) {
    va_list args;
    if (failed) return;
    va_start(args, format);
    fprintf(stderr, "select_expand: %s: ", row ? row->id : "is.def");
    vfprintf(stderr, format, args);
    if (text) fprintf(stderr, " in \"%s\"", text);
    fputc('\n', stderr);
    va_end(args);
    failed = true, failures++;
}

static void spaces(void) { at += strspn(at, " "); }
static bool take(char c) {
    spaces();
    if (*at != c) return false;
    at++;
    return true;
}
static void need(char c) {
    if (!take(c)) fail("'%c' is missing before \"%s\"", c, at);
}
static size_t word(void) {
    spaces();
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
    return n;
}
static bool is_word(const char *w, size_t n) { return strlen(w) == n && !memcmp(at, w, n); }

static void parse_type(struct expression *e) {
    static const char *const floats[] = {
        [VALUE_F16] = "f16", [VALUE_BF16] = "bf16", [VALUE_F32] = "f32", [VALUE_F64] = "f64"};
    static const uint8_t float_bits[] = {
        [VALUE_F16] = 16, [VALUE_BF16] = 16, [VALUE_F32] = 32, [VALUE_F64] = 64};
    const size_t n = word();
    e->said_signed = *at != 'u';
    if (*at == 'u' || *at == 'i') e->said = (struct select_type){VALUE_INT, (uint8_t)atoi(at + 1), 1};
    for (uint8_t k = VALUE_F16; k <= VALUE_F64; k++)
        if (is_word(floats[k], n)) e->said = (struct select_type){k, float_bits[k], 1};
    if (!e->said.bits) fail("unknown type '%.*s'", (int)n, at);
    at += n;
}

static const struct {
    const char *name;
    enum select_place place;
    bool read, written;
} places[] = {{"dst1", SELECT_DST1, false, true}, {"scc", SELECT_SCC, true, true},
              {"vcc", SELECT_VCC, true, true},    {"exec", SELECT_EXEC, true, true},
              {"m0", SELECT_M0, true, true},      {"old", SELECT_OLD, true, false},
              {"k", SELECT_K, true, false}};
enum { PLACES = sizeof places / sizeof *places };

static struct expression *parse_expression(void);

static void parse_operands(struct expression *e) {
    const struct operation_info *info = operation_info((enum operation)e->node.what);
    if (take(':')) parse_type(e);
    need('(');
    do {
        if (e->node.count == 4) fail("more than four operands");
        if (failed) return;
        e->operands[e->node.count++] = parse_expression();
    } while (take(','));
    need(')');
    if (!failed && e->node.count != info->operands)
        fail("%s has %u operands, not %u", info->name, info->operands, e->node.count);
}
static void parse_part(struct expression *e) {
    char *end;
    if (!take('[')) return;
    e->node.kind = SELECT_PART;
    e->node.high = (uint8_t)strtoul(at, &end, 10);
    at = end;
    need(':');
    e->node.low = (uint8_t)strtoul(at, &end, 10);
    at = end;
    need(']');
    if (e->node.high < e->node.low || e->node.high > 63)
        fail("[%u:%u] is no part", e->node.high, e->node.low);
}
static struct expression *parse_expression(void) {
    struct expression *e = arena_alloc(&memory, sizeof *e);
    const size_t n = word();
    if (isdigit((unsigned char)*at)) {
        char *end;
        e->node.kind = SELECT_NUMBER;
        e->number = strtoull(at, &end, 0);
        at = end;
        return e;
    }
    if (take('.')) {
        if (!current->count || current->statements[0].place != SELECT_DST0) fail("'.' has no first result");
        return failed ? e : current->statements[0].value;
    }
    if (n == 1 && *at >= 'a' && *at < 'a' + ROW_SRC && !is_word("k", n)) {
        e->node.kind = SELECT_SOURCE;
        e->node.what = (uint8_t)(*at++ - 'a');
        if (!row->src[e->node.what].type) fail("there is no source %c", 'a' + e->node.what);
        parse_part(e);
        return e;
    }
    for (unsigned i = 0; i < PLACES; i++)
        if (is_word(places[i].name, n) && places[i].read) {
            at += n;
            e->node.kind = SELECT_INPUT;
            e->node.what = (uint8_t)places[i].place;
            return e;
        }
    const enum operation op = operation_named(at, n);
    if (op == OPERATIONS || !n) {
        fail("unknown word '%.*s'", n ? (int)n : 1, at);
        return e;
    }
    at += n;
    e->node.kind = SELECT_OPERATION;
    e->node.what = (uint8_t)op;
    parse_operands(e);
    return e;
}

static void parse_modes(struct alternative *a) {
    static const char *const names[] = {"flush32", "flush16_64", "ieee"};
    if (!take('[')) return;
    do {
        const bool clear = take('!');
        const size_t n = word();
        unsigned i = 0;
        while (i < 3 && !is_word(names[i], n)) i++;
        if (i == 3) fail("unknown mode '%.*s'", (int)n, at);
        *(clear ? &a->clear : &a->set) |= 1u << i;
        at += n;
    } while (take(','));
    need(']');
}
static void parse_alternative(struct alternative *a) {
    *a = (struct alternative){0};
    current = a;
    parse_modes(a);
    if (take('~')) {
        char *end;
        a->ulp = (unsigned)strtoul(at, &end, 10);
        if (end == at) fail("'~' needs a number");
        a->rough = true;
        at = end;
    }
    do {
        const char *const start = at;
        const size_t n = word();
        struct statement s = {.place = SELECT_DST0};
        for (unsigned i = 0; i < PLACES; i++)
            if (places[i].written && is_word(places[i].name, n)) {
                at += n;
                if (take('='))
                    s.place = places[i].place;
                else
                    at = start;
                break;
            }
        s.value = parse_expression();
        if (a->count == 4) fail("more than four results");
        if (failed) return;
        a->statements[a->count++] = s;
    } while (take(';'));
}

// ---- Types ----

static struct select_type integer(unsigned bits) { return (struct select_type){VALUE_INT, (uint8_t)bits, 1}; }
static bool same(struct select_type a, struct select_type b) {
    return a.kind == b.kind && a.bits == b.bits && a.elements == b.elements;
}

// The value in a register; bits 0: none that a pattern can speak of.
static struct select_type type_of_operand(enum operand_type t) {
    switch (t) {
    case T_B16:
    case T_I16:
    case T_U16:
    case T_IMM16: return integer(16);
    case T_F16: return (struct select_type){VALUE_F16, 16, 1};
    case T_BF16: return (struct select_type){VALUE_BF16, 16, 1};
    case T_B32:
    case T_I32:
    case T_U32: return integer(32);
    case T_MIX:
    case T_F32: return (struct select_type){VALUE_F32, 32, 1};
    case T_V2B16: return (struct select_type){VALUE_INT, 16, 2};
    case T_V2F16: return (struct select_type){VALUE_F16, 16, 2};
    case T_V2BF16: return (struct select_type){VALUE_BF16, 16, 2};
    case T_B64:
    case T_I64:
    case T_U64: return integer(64);
    case T_F64: return (struct select_type){VALUE_F64, 64, 1};
    case T_V2B32: return (struct select_type){VALUE_INT, 32, 2};
    case T_V2F32: return (struct select_type){VALUE_F32, 32, 2};
    case T_MASK: return integer(1);
    default: return integer(0);
    }
}

static struct select_type own_type(const struct expression *e);

// The type that the operands with that letter in the shape have in common.
static struct select_type common_type(const struct expression *e, const char *shape, char letter) {
    struct select_type t = integer(0);
    for (unsigned i = 0; i < e->node.count && !t.bits; i++)
        if (shape[i + 1] == letter) t = own_type(e->operands[i]);
    return t;
}
// The type that an expression has by itself; bits 0: it takes that of its place.
static struct select_type own_type(const struct expression *e) {
    if (e->typed) return e->node.type;
    if (e->node.kind == SELECT_SOURCE) return type_of_operand((enum operand_type)row->src[e->node.what].type);
    if (e->node.kind == SELECT_PART) return integer(32);
    if (e->node.kind == SELECT_NUMBER) return integer(0);
    if (e->node.kind == SELECT_INPUT) switch (e->node.what) {
        case SELECT_SCC:
        case SELECT_VCC: return integer(1);
        case SELECT_K: return integer(8);
        case SELECT_M0: return integer(32);
        default: return integer(0);
        }
    const char *const shape = operation_shape((enum operation)e->node.what);
    if (*shape == '1') return (struct select_type){VALUE_INT, 1, own_type(e->operands[0]).elements};
    if (e->said.bits) return e->said;
    if (*shape == 'T') return common_type(e, shape, 'T');
    if (*shape == 'H') return integer(own_type(e->operands[0]).bits / 2u);
    return integer(*shape == 'P' ? own_type(e->operands[0]).bits * 2u : 0);
}

static void settle(struct expression *e, struct select_type t);

// An operand with fewer bits than the type that was said is extended.
static struct expression *extended(struct expression *e, struct select_type t, bool is_signed) {
    const struct select_type own = own_type(e);
    if (!own.bits || own.bits >= t.bits) return e;
    struct expression *wide = arena_alloc(&memory, sizeof *wide);
    wide->node =
        (struct select_node){.kind = SELECT_OPERATION, .what = is_signed ? OP_sext : OP_zext, .count = 1};
    wide->operands[0] = e;
    return wide;
}
// Conversions have a direction.
static void check_width(const struct expression *e, unsigned from, unsigned to) {
    const struct operation_info *info = operation_info((enum operation)e->node.what);
    const bool up = info->types == TYPES_WIDEN || e->node.what == OP_fpext;
    const bool down =
        info->types == TYPES_NARROW || e->node.what == OP_fptrunc || e->node.what == OP_fptrunc_rtz;
    if ((up && from >= to) || (down && from <= to)) fail("%s from %u to %u bits", info->name, from, to);
}
// Gives the operands of an operation with a result of type t their types.
static void settle_operands(struct expression *e, struct select_type t) {
    const char *const shape = operation_shape((enum operation)e->node.what);
    const bool said = *shape == '1' && e->said.bits; // of the operands
    const struct select_type common = said ? e->said : common_type(e, shape, 'C');
    if (!*shape) fail("%s is no word for rows", operation_info((enum operation)e->node.what)->name);
    for (unsigned i = 0; i < e->node.count && !failed; i++) {
        const char letter = shape[i + 1];
        struct select_type own = own_type(e->operands[i]);
        if (letter == 'T' || letter == 'C') {
            const struct select_type want = letter == 'T' ? t : common;
            if (e->said.bits && *shape != 'P' && want.kind == VALUE_INT)
                e->operands[i] = extended(e->operands[i], want, e->said_signed);
            settle(e->operands[i], want);
        } else if (letter == 'F' && !e->operands[i]->typed) {
            if (!own.bits) own = integer(32);
            own.kind = VALUE_INT;
            settle(e->operands[i], own);
        } else
            settle(e->operands[i], letter == '1' ? integer(1) : own);
    }
    if (*shape == 'P' && t.bits != common.bits * 2u)
        fail("pack gives %u bits, not %u", common.bits * 2u, t.bits);
    if (*shape == 'S' && shape[1] == 'O') check_width(e, own_type(e->operands[0]).bits, t.bits);
}

// Gives an expression its type, which its place asks for, and its operands theirs.
static void settle(struct expression *e, struct select_type t) {
    if (failed) return;
    if (!t.bits) fail("a type is not known");
    if (e->typed && !same(e->node.type, t)) fail("an expression has two types");
    if (e->typed || failed) return;
    e->typed = true;
    e->node.type = t;
    if (e->node.kind == SELECT_SOURCE) {
        const struct select_type own = type_of_operand((enum operand_type)row->src[e->node.what].type);
        const unsigned have = own.bits * own.elements, want = t.bits * t.elements;
        const bool fits =
            own.kind == VALUE_INT ? own.bits != 1 && want <= have : want == have && t.kind == VALUE_INT;
        if (!same(own, t) && !fits)
            fail("source %c has %u bits and is taken for %u", 'a' + e->node.what, have, want);
    }
    if (e->node.kind == SELECT_OPERATION) {
        const struct select_type own = own_type(e);
        if (e->said.bits && own.bits != t.bits)
            fail("%s is said to have %u bits, not %u", operation_info((enum operation)e->node.what)->name,
                 own.bits, t.bits);
        settle_operands(e, t);
    }
}

static void settle_alternative(struct alternative *a) {
    for (unsigned i = 0; i < a->count && !failed; i++) {
        struct statement *s = &a->statements[i];
        const struct select_type place =
            s->place == SELECT_DST0   ? type_of_operand((enum operand_type)row->dst[0].type)
            : s->place == SELECT_DST1 ? type_of_operand((enum operand_type)row->dst[1].type)
            : s->place == SELECT_SCC  ? integer(1)
            : s->place == SELECT_EXEC ? a->statements[0].value->node.type
                                      : integer(32);
        struct select_type t = own_type(s->value);
        if (!place.bits) fail("there is no place for a result");
        if (!t.bits) t = place;
        if (t.bits * t.elements > place.bits * place.elements || (place.bits == 1) != (t.bits == 1))
            fail("a result of %u bits goes to a place of %u", t.bits * t.elements,
                 place.bits * place.elements);
        if (!s->value->typed) settle(s->value, t);
    }
}

// ---- Output ----

static struct select_node nodes[20000];
static uint16_t operands[20000];
static uint64_t numbers[1000];
static struct select_way ways[8000];
static struct select_result results[8000];
static struct select_entry entries[8000];
static unsigned node_count, operand_count, number_count, way_count, result_count, entry_count;

static uint16_t place_of_number(uint64_t number) {
    unsigned i = 0;
    while (i < number_count && numbers[i] != number) i++;
    if (i == number_count) numbers[number_count++] = number;
    return (uint16_t)i;
}
// The place of the same node, which is entered if it is new.
static uint16_t enter(const struct expression *e) {
    uint16_t places_of[4];
    struct select_node n = e->node;
    if (n.kind == SELECT_NUMBER) n.number = place_of_number(e->number);
    for (unsigned i = 0; i < n.count; i++) places_of[i] = enter(e->operands[i]);
    for (unsigned i = 0; i < node_count; i++) {
        struct select_node old = nodes[i];
        const bool same_operands = !memcmp(&operands[old.operands], places_of, n.count * sizeof *operands);
        old.operands = 0;
        if (same_operands && !memcmp(&old, &n, sizeof n)) return (uint16_t)i;
    }
    n.operands = (uint16_t)operand_count;
    memcpy(&operands[operand_count], places_of, n.count * sizeof *operands);
    operand_count += n.count;
    nodes[node_count] = n;
    return (uint16_t)node_count++;
}

static bool is_scalar_row(void) { return row->enc[0].format <= FMT_SMEM; }
static enum select_rate rate_of(void) {
    for (unsigned i = 0; i < RATES; i++)
        if (!strcmp(rates[i].key, row->id) || !strcmp(rates[i].key, row->sem)) {
            rate_used[i] = true;
            return (enum select_rate)rates[i].rate;
        }
    if (is_scalar_row()) return RATE_SALU;
    if (row->flags & ROW_TRANS) return RATE_TRANS;
    return row->dst[0].type == T_F64 || row->src[0].type == T_F64 ? RATE_DOUBLE : RATE_FULL;
}
static enum select_bank bank_of(enum select_place place) {
    const struct operand_spec spec = row->dst[place == SELECT_DST1];
    if (place == SELECT_SCC) return SELECT_FLAG;
    if (place == SELECT_EXEC) return SELECT_X;
    if (place == SELECT_VCC || spec.type == T_MASK) return SELECT_M;
    return is_scalar_row() || spec.field == F_sdst ? SELECT_S : SELECT_V;
}
static void add_entry(const struct select_result *r, unsigned result) {
    const struct select_node *n = &nodes[r->node];
    const bool is_operation = n->kind == SELECT_OPERATION;
    entries[entry_count++] = (struct select_entry){
        .op = is_operation ? n->what : OP_copy,
        .bank = (uint8_t)bank_of((enum select_place)r->place),
        .bits = n->type.bits,
        .elements = n->type.elements,
        .operand_bits = is_operation ? nodes[operands[n->operands]].type.bits : n->type.bits,
        .rate = (uint8_t)rate_of(),
        .result = (uint8_t)result,
        .way = (uint16_t)way_count,
    };
}
static void add_way(const struct alternative *a) {
    struct select_way *w = &ways[way_count];
    *w = (struct select_way){.row = (uint16_t)(row - isa_rows),
                             .set = (uint8_t)a->set,
                             .clear = (uint8_t)a->clear,
                             .rough = a->rough,
                             .ulp = (uint8_t)a->ulp,
                             .results = (uint8_t)a->count,
                             .first = (uint16_t)result_count};
    for (unsigned i = 0; i < a->count; i++) {
        results[result_count] =
            (struct select_result){(uint8_t)a->statements[i].place, enter(a->statements[i].value)};
        add_entry(&results[result_count++], i);
    }
    way_count++;
}

// The text of the row: that of its id, or of its sem.
static int text_of_row(void) {
    int found = -1;
    for (unsigned i = 0; i < TEXTS; i++)
        if (!strcmp(texts[i].key, row->id)) return (int)i;
    const bool writes_exec = row->enc[0].format == FMT_VOPC && row->writes & R_EXEC;
    for (unsigned i = 0; i < TEXTS && !writes_exec; i++)
        if (!strcmp(texts[i].key, row->sem)) found = (int)i;
    for (unsigned i = 0; i < ROW_DST + ROW_SRC; i++) {
        const unsigned t = i < ROW_DST ? row->dst[i].type : row->src[i - ROW_DST].type;
        if (t && !type_of_operand((enum operand_type)t).bits) return -1;
    }
    return found;
}
static void read_row(void) {
    const int t = text_of_row();
    if (t < 0) return;
    text_used[t] = true;
    text = at = texts[t].text;
    failed = false;
    do {
        struct alternative a;
        parse_alternative(&a);
        settle_alternative(&a);
        if (!failed) add_way(&a);
    } while (!failed && take('|'));
    spaces();
    if (!failed && *at) fail("\"%s\" is left over", at);
    text = NULL, failed = false;
}

static int by_root(const void *a, const void *b) {
    const struct select_entry *x = a, *y = b;
    const int keys[][2] = {{x->op, y->op},
                           {x->bank, y->bank},
                           {x->bits, y->bits},
                           {x->elements, y->elements},
                           {x->operand_bits, y->operand_bits},
                           {x->rate, y->rate},
                           {x->result, y->result},
                           {x->way, y->way}};
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1]) return keys[i][0] - keys[i][1];
    return 0;
}

static void print_numbers(const char *name, const uint16_t *list, unsigned count) {
    printf("const uint16_t %s[] = {", name);
    for (unsigned i = 0; i < count; i++) printf("%u,", list[i]);
    printf("0};\n");
}
static void print_nodes(void) {
    printf("const struct select_node select_nodes[] = {\n");
    for (unsigned i = 0; i < node_count; i++) {
        const struct select_node *n = &nodes[i];
        printf("{%u,%u,{%u,%u,%u},%u,%u,%u,%u,%u},\n", n->kind, n->what, n->type.kind, n->type.bits,
               n->type.elements, n->high, n->low, n->count, n->operands, n->number);
    }
    printf("};\nconst uint64_t select_numbers[] = {");
    for (unsigned i = 0; i < number_count; i++) printf("%lluu,", (unsigned long long)numbers[i]);
    printf("0};\n");
    print_numbers("select_operands", operands, operand_count);
}
static void print_ways(const uint16_t *row_ways) {
    printf("const struct select_way select_ways[] = {\n");
    for (unsigned i = 0; i < way_count; i++)
        printf("{%u,%u,%u,%u,%u,%u,%u},\n", ways[i].row, ways[i].set, ways[i].clear, ways[i].rough,
               ways[i].ulp, ways[i].results, ways[i].first);
    printf("{0}};\nconst unsigned select_way_count = %u;\nconst struct select_result select_results[] = {",
           way_count);
    for (unsigned i = 0; i < result_count; i++) printf("{%u,%u},", results[i].place, results[i].node);
    printf("{0}};\n");
    print_numbers("select_row_ways", row_ways, isa_row_count + 1);
}
static void print_entries(void) {
    qsort(entries, entry_count, sizeof *entries, by_root);
    printf("const struct select_entry select_entries[] = {\n");
    for (unsigned i = 0; i < entry_count; i++) {
        const struct select_entry *e = &entries[i];
        printf("{%u,%u,%u,%u,%u,%u,%u,%u},\n", e->op, e->bank, e->bits, e->elements, e->operand_bits, e->rate,
               e->result, e->way);
    }
    uint16_t firsts[OPERATIONS + 1];
    for (unsigned op = 0, i = 0; op <= OPERATIONS; op++) {
        while (i < entry_count && entries[i].op < op) i++;
        firsts[op] = (uint16_t)i;
    }
    printf("{0}};\n");
    print_numbers("select_first", firsts, OPERATIONS + 1);
}
// The texts, and where those of the rows begin; 0: none.
static void print_texts(void) {
    uint16_t starts[TEXTS], *of_rows = arena_alloc(&memory, isa_row_count * sizeof *of_rows);
    unsigned size = 1;
    printf("const char select_texts[] = \"\\0\"");
    for (unsigned i = 0; i < TEXTS; i++) {
        starts[i] = (uint16_t)size;
        size += (unsigned)strlen(texts[i].text) + 1;
        printf("\n\"%s\\0\"", texts[i].text);
    }
    printf(";\n");
    for (unsigned r = 0; r < isa_row_count; r++) {
        row = &isa_rows[r];
        const int t = text_of_row();
        if (t >= 0) of_rows[r] = starts[t];
    }
    print_numbers("select_row_texts", of_rows, isa_row_count);
}

int main(void) {
    uint16_t *row_ways = arena_alloc(&memory, (isa_row_count + 1) * sizeof *row_ways);
    for (unsigned r = 0; r < isa_row_count; r++) {
        row = &isa_rows[r];
        row_ways[r] = (uint16_t)way_count;
        read_row();
    }
    row_ways[isa_row_count] = (uint16_t)way_count;
    row = NULL;
    for (unsigned i = 0; i < TEXTS; i++)
        if (!text_used[i]) fail("no row needs %s", texts[i].key), failed = false;
    for (unsigned i = 0; i < RATES; i++)
        if (!rate_used[i]) fail("no row has the rate of %s", rates[i].key), failed = false;
    printf("// Made by isa/select_expand.c from is.def.\n#include \"isa/select.h\"\n\n");
    printf(
        "extern const uint16_t select_row_ways[], select_row_texts[];\nextern const char select_texts[];\n");
    print_nodes();
    print_ways(row_ways);
    print_entries();
    print_texts();
    arena_free(&memory);
    return failures ? 1 : 0;
}
