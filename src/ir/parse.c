// SPDX-License-Identifier: MIT
// Reads .swir text: the inverse of print_swir.c. A statement ends with its line; ';' begins a comment. Any
// text ends in a module or in one error with line and column. What the text means is checked by verify.c.
#include "ir/ir.h"

#include <stdio.h>

struct parser {
    const char *name, *begin, *at, *end;
    const char *line_begin;
    uint32_t line;
    const sw_sink *sink;
    sw_status status; // of the first error
    struct ir_module *m;
    struct ir_function *f;
};
enum { MOST_VALUES = 1 << 22, MOST_LIST = 1 << 16 };

static void fail(struct parser *p, const char *what) {
    if (p->status) return;
    const char *stop = memchr(p->line_begin, '\n', (size_t)(p->end - p->line_begin));
    const sw_location at = {.file = p->name,
                            .line = p->line,
                            .column = (uint32_t)(p->at - p->line_begin) + 1,
                            .line_text = p->line_begin,
                            .line_length = (size_t)((stop ? stop : p->end) - p->line_begin)};
    p->status = diag_fail(p->sink, SW_BAD_INPUT, &at, "%s", what);
}

// ---- Words ----

static void skip(struct parser *p) {
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')) p->at++;
    if (p->at < p->end && *p->at == ';')
        while (p->at < p->end && *p->at != '\n') p->at++;
}
static bool line_ended(struct parser *p) {
    skip(p);
    return p->at == p->end || *p->at == '\n';
}
static void end_line(struct parser *p) {
    if (p->status) return;
    if (!line_ended(p)) {
        fail(p, "the end of the line is expected");
        return;
    }
    if (p->at < p->end) p->at++;
    p->line_begin = p->at;
    p->line++;
}
// At the next line that is not empty; false at the end.
static bool next_line(struct parser *p) {
    while (!p->status && p->at < p->end && line_ended(p)) {
        if (p->at == p->end) break;
        end_line(p);
    }
    return !p->status && p->at < p->end;
}
static bool is_word(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static struct slice peek(struct parser *p) {
    skip(p);
    const char *e = p->at;
    while (e < p->end && is_word(*e)) e++;
    return (struct slice){p->at, (size_t)(e - p->at)};
}
static struct slice word(struct parser *p) {
    const struct slice s = peek(p);
    p->at += s.length;
    return s;
}
static bool take_word(struct parser *p, const char *text) {
    const struct slice s = peek(p);
    if (!slice_is(s, text)) return false;
    p->at += s.length;
    return true;
}
static bool take(struct parser *p, char c) {
    skip(p);
    if (p->status || p->at == p->end || *p->at != c) return false;
    p->at++;
    return true;
}
static void expect(struct parser *p, char c) {
    char what[32];
    snprintf(what, sizeof what, "'%c' is expected", c);
    if (!take(p, c)) fail(p, what);
}

// Up to 128 bits, decimal with a sign or hexadecimal.
static bool number(struct parser *p, op_bits *out, bool *negative) {
    skip(p);
    const char *start = p->at;
    *negative = take(p, '-');
    const bool hex = p->end - p->at > 2 && p->at[0] == '0' && p->at[1] == 'x';
    if (hex) p->at += 2;
    op_bits n = 0;
    unsigned digits = 0;
    for (; p->at < p->end; p->at++, digits++) {
        const char c = *p->at;
        const int d = c >= '0' && c <= '9' ? c - '0' : hex && c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (d < 0 || digits > 39) break;
        n = n * (hex ? 16 : 10) + (unsigned)d;
    }
    if (!digits) {
        p->at = start;
        return false;
    }
    *out = *negative ? -n : n;
    return true;
}
static uint64_t count_up_to(struct parser *p, uint64_t most) {
    op_bits n = 0;
    bool negative;
    const char *at = p->at;
    if (!number(p, &n, &negative) || negative || n > most) {
        p->at = at;
        fail(p, "a number is expected, or this one is too large");
        return 0;
    }
    return (uint64_t)n;
}
static uint32_t count32(struct parser *p) { return (uint32_t)count_up_to(p, UINT32_MAX); }

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// A string, with its bytes decoded and a NUL behind them.
static const char *string(struct parser *p, size_t *length) {
    expect(p, '"');
    const char *start = p->at;
    while (p->at < p->end && *p->at != '"' && *p->at != '\n') p->at++;
    if (p->status || p->at == p->end || *p->at != '"') {
        fail(p, "the string has no end");
        return "";
    }
    char *out = arena_alloc(&p->m->arena, (size_t)(p->at - start) + 1), *to = out;
    if (!out) {
        p->status = SW_NO_MEMORY;
        return "";
    }
    for (const char *s = start; s < p->at; s++) {
        const int high = *s == '\\' && p->at - s > 2 ? hex_digit(s[1]) : -1;
        const int low = high >= 0 ? hex_digit(s[2]) : -1;
        *to++ = low >= 0 ? (char)(high * 16 + low) : *s;
        if (low >= 0) s += 2;
    }
    p->at++;
    if (length) *length = (size_t)(to - out);
    return out;
}

// A name behind '@'.
static const char *symbol_name(struct parser *p) {
    expect(p, '@');
    if (p->at < p->end && *p->at == '"') return string(p, NULL);
    const char *start = p->at;
    while (p->at < p->end && (is_word(*p->at) || *p->at == '.' || *p->at == '$')) p->at++;
    if (p->at == start) fail(p, "a name is expected");
    const char *copy = arena_copy(&p->m->arena, start, (size_t)(p->at - start));
    if (!copy) p->status = SW_NO_MEMORY;
    return copy ? copy : "";
}

// ---- Types and operands ----

static uint16_t type(struct parser *p) {
    static const struct {
        const char *name;
        uint8_t kind, bits;
    } named[] = {{"f16", IR_F16, 16},
                 {"bf16", IR_BF16, 16},
                 {"f32", IR_F32, 32},
                 {"f64", IR_F64, 64},
                 {"void", IR_VOID, 0}};
    const char *start = p->at;
    const struct slice s = word(p);
    unsigned count = 1;
    size_t i = 0;
    if (s.length && s.text[0] >= '0' && s.text[0] <= '9') {
        for (count = 0; i < s.length && s.text[i] >= '0' && s.text[i] <= '9' && count <= IR_MOST_ELEMENTS;
             i++)
            count = count * 10 + (unsigned)(s.text[i] - '0');
        if (i == s.length || s.text[i++] != 'x' || !count || count > IR_MOST_ELEMENTS) i = s.length;
    }
    const struct slice rest = {s.text + i, s.length - i};
    for (size_t n = 0; n < sizeof named / sizeof *named; n++)
        if (slice_is(rest, named[n].name))
            return ir_type_of(p->m, (enum ir_kind)named[n].kind, named[n].bits, count);
    unsigned bits = 0;
    for (size_t n = 1; n < rest.length && bits <= IR_MOST_BITS; n++)
        bits = rest.text[n] >= '0' && rest.text[n] <= '9' ? bits * 10 + (unsigned)(rest.text[n] - '0')
                                                          : IR_MOST_BITS + 1;
    const bool integer = rest.length > 1 && rest.text[0] == 'i' && bits <= 128;
    if (bits && bits <= IR_MOST_BITS && (integer || (rest.length > 1 && rest.text[0] == 'b')))
        return ir_type_of(p->m, integer ? IR_INT : IR_BITS, bits, count);
    p->at = start;
    fail(p, "a type is expected: i32, f32, b64, 4xf32, void");
    return 0;
}

// "v3" or "v[3:4]", "vcc", "exec_lo"; 0: none.
static uint32_t register_of(struct parser *p) {
    static const struct {
        const char *name;
        uint8_t class, first, dwords;
    } named[] = {{"vcc", IR_VCC, 0, 2},
                 {"vcc_lo", IR_VCC, 0, 1},
                 {"vcc_hi", IR_VCC, 1, 1},
                 {"exec", IR_EXEC, 0, 2},
                 {"exec_lo", IR_EXEC, 0, 1},
                 {"exec_hi", IR_EXEC, 1, 1},
                 {"m0", IR_M0, 0, 1},
                 {"scc", IR_SCC, 0, 1},
                 {"null", IR_NULL, 0, 1},
                 {"src_shared_base", IR_APERTURE, 0, 2},
                 {"src_private_base", IR_APERTURE, 1, 2},
                 {"src_flat_scratch_base_lo", IR_APERTURE, 2, 2}};
    static const char *const classes[] = {"s", "v", "a", "ttmp"};
    const char *start = p->at;
    const struct slice s = word(p);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (slice_is(s, named[i].name))
            return ir_register((enum ir_register_class)named[i].class, named[i].first, named[i].dwords);
    for (unsigned c = 0; c < sizeof classes / sizeof *classes; c++) {
        const size_t n = strlen(classes[c]);
        if (s.length < n || memcmp(s.text, classes[c], n)) continue;
        unsigned first = 0, last;
        size_t i = n;
        for (; i < s.length && first < 4096 && s.text[i] >= '0' && s.text[i] <= '9'; i++)
            first = first * 10 + (unsigned)(s.text[i] - '0');
        if (i < s.length || first > 511) continue;
        if (s.length > n) return ir_register((enum ir_register_class)c, first, 1);
        if (p->at == p->end || *p->at != '[') continue;
        p->at++;
        first = (unsigned)count_up_to(p, 511);
        expect(p, ':');
        last = (unsigned)count_up_to(p, 511);
        expect(p, ']');
        if (last < first || last - first > 31) fail(p, "the registers are in no order");
        return p->status ? 0 : ir_register((enum ir_register_class)c, first, last - first + 1);
    }
    p->at = start;
    return 0;
}

static uint32_t value_number(struct parser *p) {
    expect(p, '%');
    const uint32_t n = (uint32_t)count_up_to(p, MOST_VALUES - 1);
    while (!p->status && p->f->values.count <= n)
        if (!array_push(&p->f->values, (struct ir_value){.def = IR_NO_DEF})) p->status = SW_NO_MEMORY;
    return n;
}

static bool is_block_name(struct slice s) {
    for (size_t i = 1; i < s.length; i++)
        if (s.text[i] < '0' || s.text[i] > '9') return false;
    return s.length > 1 && s.text[0] == 'b';
}
static uint32_t block_number(struct parser *p) {
    const char *start = p->at + 1;
    p->at = start;
    const uint32_t n = (uint32_t)count_up_to(p, MOST_VALUES - 1);
    return n;
}

static ir_ref symbol_operand(struct parser *p) {
    const char *start = p->at, *name = symbol_name(p);
    const uint32_t n = ir_symbol_named(p->m, name, strlen(name));
    if (n != IR_NO_DEF) return ir_make(IR_SYMBOL, n);
    p->at = start;
    fail(p, "no symbol of this name");
    return IR_NOTHING;
}

// A number: an immediate, or with a type behind it a constant.
static ir_ref number_operand(struct parser *p) {
    op_bits n;
    bool negative;
    const char *start = p->at;
    if (!number(p, &n, &negative)) {
        fail(p, "an operand is expected");
        return IR_NOTHING;
    }
    if (take(p, ':')) {
        const uint16_t t = type(p);
        if (!p->status && ir_type_bits(p->m, t) > 128) fail(p, "constants have 128 bits at the most");
        return p->status ? IR_NOTHING : ir_constant_bits(p->f, t, (uint64_t)n, (uint64_t)(n >> 64));
    }
    const op_signed limit = (op_signed)1 << (IR_INDEX_BITS - 1);
    if ((op_signed)n >= limit || (op_signed)n < -limit) {
        p->at = start;
        fail(p, "an immediate has 29 bits at the most");
    }
    return ir_immediate((int32_t)(int64_t)n);
}

static ir_ref operand(struct parser *p) {
    skip(p);
    const char c = p->at < p->end ? *p->at : 0;
    if (c == '%') return ir_make(IR_VALUE, value_number(p));
    if (c == '@') return symbol_operand(p);
    if (c == '$') {
        p->at++;
        return ir_make(IR_OBJECT, (uint32_t)count_up_to(p, MOST_VALUES));
    }
    const struct slice s = peek(p);
    if (is_block_name(s)) return ir_make(IR_BLOCK, block_number(p));
    if (take_word(p, "_")) return IR_NOTHING;
    if (take_word(p, "poison")) {
        expect(p, ':');
        return ir_poison(p->f, type(p));
    }
    const uint32_t r = s.length && !(c >= '0' && c <= '9') ? register_of(p) : 0;
    return r || p->status ? ir_make(IR_REGISTER, r) : number_operand(p);
}

// ---- Instructions ----

static uint32_t index_in(struct parser *p, const char *const *names, unsigned count, const char *what) {
    const struct slice s = word(p);
    for (unsigned i = 0; i < count; i++)
        if (names[i] && slice_is(s, names[i])) return i;
    p->at -= s.length;
    fail(p, what);
    return 0;
}

static void memory_word(struct parser *p, struct ir_memory *m) {
    if (take_word(p, "bytes"))
        m->bytes = (uint16_t)count_up_to(p, IR_MOST_BYTES);
    else if (take_word(p, "align")) {
        const uint64_t align = count_up_to(p, 1ull << 31);
        if (!align || align & (align - 1)) fail(p, "an alignment is a power of two");
        while (align >> m->align_log2 > 1) m->align_log2++;
    } else if (take_word(p, "scope"))
        m->scope = (uint8_t)index_in(p, ir_scope_names, IR_SCOPES, "a scope is expected");
    else if (take_word(p, "order"))
        m->order = (uint8_t)index_in(p, ir_order_names, IR_ORDERS, "an order is expected");
    else if (take_word(p, "failure"))
        m->failure_order = (uint8_t)index_in(p, ir_order_names, IR_ORDERS, "an order is expected");
    else if (take_word(p, "fenced"))
        m->spaces_fenced = (uint8_t)count_up_to(p, 255);
    else if (take_word(p, "cache"))
        m->cache = (uint8_t)count_up_to(p, 255);
    else
        m->flags |= (uint16_t)(1 << index_in(p, ir_memory_flag_names, IR_MEMORY_FLAGS,
                                             "a fact of a memory access is expected"));
}

static void modifiers(struct parser *p, struct ir_inst *i) {
    for (;;)
        if (take_word(p, "neg"))
            i->modifiers |= (uint16_t)(count_up_to(p, 15) * IR_NEG);
        else if (take_word(p, "abs"))
            i->modifiers |= (uint16_t)(count_up_to(p, 15) * IR_ABS);
        else if (take_word(p, "clamp"))
            i->modifiers |= IR_CLAMP;
        else if (take_word(p, "omod"))
            i->modifiers |= (uint16_t)(count_up_to(p, 3) * IR_OMOD);
        else if (take_word(p, "op_sel"))
            i->modifiers |= (uint16_t)(count_up_to(p, 3) * IR_OP_SEL);
        else if (take_word(p, "tied"))
            i->modifiers |= IR_TIED;
        else if (take_word(p, "dpp"))
            i->modifiers |= IR_DPP;
        else if (take_word(p, "early"))
            i->modifiers |= IR_EARLY;
        else
            return;
}

static uint32_t location(struct parser *p) {
    const uint32_t file = count32(p);
    expect(p, ':');
    const uint32_t line = count32(p);
    expect(p, ':');
    const uint32_t column = count32(p);
    return p->status ? 0 : ir_location_add(p->f, file, line, column);
}

static uint8_t bank(struct parser *p) {
    static const char *const banks[IR_BANKS] = {NULL, "s", "v", "a", "va", "m", "scc", "x", "w"};
    const struct slice s = peek(p);
    for (unsigned b = 1; b < IR_BANKS; b++)
        if (slice_is(s, banks[b]) && p->at + s.length < p->end && p->at[s.length] == '.') {
            p->at += s.length + 1;
            return (uint8_t)b;
        }
    return IR_BANK_ANY;
}

// "%5=v3:v.b32", which defines the value.
// The lanes that execute an instruction, if that is what comes next.
static uint8_t lanes_named(struct parser *p) {
    for (uint8_t n = 1; n < IR_LANES; n++)
        if (take_word(p, ir_lanes_names[n])) return n;
    return IR_LANES_OWN;
}

static uint32_t defined_value(struct parser *p, uint32_t def) {
    const uint32_t n = value_number(p);
    uint32_t r = 0;
    if (take(p, '=')) {
        skip(p);
        if (!(r = register_of(p))) fail(p, "a register is expected");
        if (!p->f->registers && !p->status &&
            !(p->f->registers = calloc(MOST_VALUES, sizeof *p->f->registers)))
            p->status = SW_NO_MEMORY;
        if (!p->status) p->f->registers[n] = r;
    }
    expect(p, ':');
    skip(p);
    const uint8_t b = bank(p);
    const uint16_t t = type(p);
    if (p->status) return 0;
    struct ir_value *v = &p->f->values.items[n];
    if (v->def != IR_NO_DEF) fail(p, "the value is defined already");
    *v = (struct ir_value){.def = def, .type = t, .bank = b};
    return n;
}

static void instruction(struct parser *p) {
    struct ir_function *f = p->f;
    const uint32_t def = (uint32_t)f->insts.count;
    unsigned results = 0;
    uint32_t first = 0;
    if (!f->blocks.count) {
        fail(p, "an instruction stands in a block");
        return;
    }
    skip(p);
    if (p->at < p->end && *p->at == '%') {
        do {
            const uint32_t n = defined_value(p, def);
            if (results && n != first + results) fail(p, "results are numbered in order");
            if (!results++) first = n;
        } while (!p->status && take(p, ',') && results < 255);
        expect(p, '=');
    }
    const struct slice s = word(p);
    const unsigned op = ir_op_named(s.text, s.length);
    if (op >= IR_ROWS + isa_row_count) {
        p->at -= s.length;
        fail(p, "no operation or row of this name");
        return;
    }
    uint16_t flags = 0;
    uint8_t lanes = IR_LANES_OWN;
    while (!p->status && p->at < p->end && *p->at == '.' && take(p, '.')) {
        const uint8_t named = lanes_named(p);
        if (named)
            lanes = named;
        else
            flags |= (uint16_t)(1 << index_in(p, ir_flag_names, IR_FLAGS, "no such flag"));
    }
    ARRAY(ir_ref) operands = {0};
    while (!p->status && !line_ended(p) && *p->at != '[' && *p->at != '!') {
        const struct slice next = peek(p);
        if (slice_is(next, "neg") || slice_is(next, "abs") || slice_is(next, "clamp") ||
            slice_is(next, "omod"))
            break;
        if (operands.count >= MOST_LIST - 1) fail(p, "too many operands");
        const ir_ref r = operand(p);
        if (!array_push(&operands, r)) p->status = SW_NO_MEMORY;
        if (!take(p, ',')) break;
    }
    if (!p->status) {
        struct ir_inst *i = ir_append(f, op, operands.items, (unsigned)operands.count);
        i->flags = flags;
        i->lanes = lanes;
        i->results = (uint8_t)results;
        i->first_result = results ? first : (uint32_t)f->values.count;
        if (take(p, '[')) {
            struct ir_memory m = {0};
            m.space = (uint8_t)index_in(p, ir_space_names, IR_SPACES, "an address space is expected");
            while (take(p, ',')) memory_word(p, &m);
            expect(p, ']');
            if (!p->status) i->memory = ir_memory_add(f, &m);
        }
        modifiers(p, i);
        if (take(p, '!')) i->location = location(p);
    }
    array_free(&operands);
    end_line(p);
}

// ---- Functions and modules ----

static void argument(struct parser *p) {
    struct ir_argument a = {0};
    a.value = defined_value(p, IR_ARGUMENT_DEF);
    for (;;) {
        uint32_t *n = take_word(p, "offset")    ? &a.offset
                      : take_word(p, "size")    ? &a.size
                      : take_word(p, "align")   ? &a.align
                      : take_word(p, "space")   ? &a.space
                      : take_word(p, "pointee") ? &a.pointee_align
                      : take_word(p, "passed")  ? &a.passed
                                                : NULL;
        const char **s = n                        ? NULL
                         : take_word(p, "kind")   ? &a.kind
                         : take_word(p, "name")   ? &a.name
                         : take_word(p, "type")   ? &a.type_name
                         : take_word(p, "access") ? &a.access
                         : take_word(p, "actual") ? &a.actual_access
                                                  : NULL;
        bool *b = n || s                     ? NULL
                  : take_word(p, "const")    ? &a.is_const
                  : take_word(p, "restrict") ? &a.is_restrict
                  : take_word(p, "volatile") ? &a.is_volatile
                  : take_word(p, "pipe")     ? &a.is_pipe
                                             : NULL;
        if (n)
            *n = count32(p);
        else if (s)
            *s = string(p, NULL);
        else if (b)
            *b = true;
        else
            break;
    }
    if (!p->status && !array_push(&p->f->arguments, a)) p->status = SW_NO_MEMORY;
    end_line(p);
}

static void fact_word(struct parser *p, struct ir_facts *facts) {
    const struct slice s = word(p);
#define X(fact, standard)                                                                                    \
    if (slice_is(s, #fact)) {                                                                                \
        facts->fact = count32(p);                                                                            \
        return;                                                                                              \
    }
    IR_FACTS(X)
#undef X
    p->at -= s.length;
    fail(p, "no such fact of a function");
}

static void function(struct parser *p, bool is_kernel) {
    const char *name = symbol_name(p);
    if (p->status) return;
    if (!(p->f = ir_function_add(p->m, name, is_kernel))) {
        p->status = SW_NO_MEMORY;
        return;
    }
    expect(p, '{');
    while (!p->status && !take(p, '}')) {
        if (line_ended(p)) {
            fail(p, "'}' is expected");
            return;
        }
        fact_word(p, &p->f->facts);
        // The printer ends each fact with ';', which begins a comment elsewhere.
        while (p->at < p->end && *p->at == ' ') p->at++;
        if (!p->status && p->at < p->end && *p->at == ';') p->at++;
    }
    if (take(p, '!')) p->f->location = location(p);
    end_line(p);
    while (next_line(p) && take_word(p, "arg")) argument(p);
    while (next_line(p)) {
        const struct slice s = peek(p);
        if (slice_is(s, "kernel") || slice_is(s, "function")) return;
        if (!is_block_name(s)) {
            instruction(p);
            continue;
        }
        if (block_number(p) != p->f->blocks.count) fail(p, "blocks are numbered in order");
        expect(p, ':');
        ir_block_add(p->f);
        end_line(p);
    }
}

static bool take_visibility(struct parser *p, uint8_t *visibility) {
    for (uint8_t n = 0; n < IR_VISIBILITIES; n++)
        if (take_word(p, ir_visibility_names[n])) {
            *visibility = n;
            return true;
        }
    return false;
}

static void symbol(struct parser *p, enum ir_symbol_kind kind) {
    const char *name = symbol_name(p);
    if (p->status) return;
    if (ir_symbol_named(p->m, name, strlen(name)) != IR_NO_DEF) fail(p, "the symbol is there already");
    const uint32_t index = ir_symbol_add(p->m, name, kind);
    if (p->m->failed) return;
    struct ir_symbol s = p->m->symbols.items[index];
    for (;;)
        if (take_word(p, "space"))
            s.space = (uint8_t)count_up_to(p, IR_SPACES - 1);
        else if (take_word(p, "size"))
            s.size = count_up_to(p, 1ull << 48);
        else if (take_word(p, "align"))
            s.align = count_up_to(p, 1ull << 32);
        else if (take_word(p, "defined"))
            s.defined = true;
        else if (take_word(p, "constant"))
            s.constant = true;
        else if (take_word(p, "local"))
            s.local = true;
        else if (take_word(p, "weak"))
            s.weak = true;
        else if (take_word(p, "barrier"))
            s.barrier = true;
        else if (take_word(p, "replaceable"))
            s.replaceable = true;
        else if (take_visibility(p, &s.visibility))
            ;
        else if (take_word(p, "without"))
            s.without = count32(p);
        else if (take_word(p, "bytes")) {
            size_t length = 0;
            s.bytes = (const uint8_t *)string(p, &length);
            if (length != s.size) fail(p, "a variable has as many bytes as its size says");
        } else
            break;
    if (!p->status) p->m->symbols.items[index] = s;
    end_line(p);
}

static unsigned address_bytes(const struct parser *p, uint32_t of) {
    return p->m->symbols.items[of].space == IR_LOCAL ? 4 : 8;
}

// Eight bytes of a variable, or four: where in it, of what, and how far behind that.
static void address(struct parser *p) {
    const ir_ref variable = symbol_operand(p);
    struct ir_address a = {.offset = count_up_to(p, 1ull << 48)};
    const ir_ref of = symbol_operand(p);
    op_bits n = 0;
    bool negative = false;
    if (!p->status && !number(p, &n, &negative)) fail(p, "a number is expected");
    const struct ir_symbol *s = p->status ? NULL : &p->m->symbols.items[ir_index(variable)];
    const struct ir_address *before = s && s->address_count ? &s->addresses[s->address_count - 1] : NULL;
    if (s &&
        (s->kind != IR_VARIABLE_SYMBOL || !s->bytes || a.offset + address_bytes(p, ir_index(of)) > s->size ||
         (before && before->offset + address_bytes(p, before->symbol) > a.offset)))
        fail(p, "an address has eight bytes of a variable, or four, in order");
    a.symbol = ir_index(of);
    a.addend = (int64_t)(negative ? -(uint64_t)n : (uint64_t)n);
    if (!p->status) ir_address_add(p->m, ir_index(variable), &a);
    end_line(p);
}

// Another name of a symbol, and how far behind it.
static void alias(struct parser *p) {
    struct ir_alias a = {.name = symbol_name(p)};
    const ir_ref of = p->status ? IR_NOTHING : symbol_operand(p);
    op_bits n = 0;
    bool negative = false;
    if (!p->status && !number(p, &n, &negative)) fail(p, "a number is expected");
    a.symbol = ir_index(of);
    a.addend = (int64_t)(negative ? -(uint64_t)n : (uint64_t)n);
    a.weak = take_word(p, "weak");
    take_visibility(p, &a.visibility);
    if (!p->status && !array_push(&p->m->aliases, a)) p->status = SW_NO_MEMORY;
    end_line(p);
}

static void module_line(struct parser *p) {
    if (!take_word(p, "module")) fail(p, "'module' is expected");
    if (take_word(p, "triple")) p->m->triple = string(p, NULL);
    if (take_word(p, "target")) {
        const char *id = string(p, NULL);
        if (!p->status && sw_target_parse(id, strlen(id), &p->m->target, NULL)) fail(p, "no such target");
        p->m->processor = p->m->target.processor;
    }
    if (take_word(p, "version")) p->m->code_object_version = (unsigned)count_up_to(p, 6);
    if (take_word(p, "after")) {
        const struct slice s = word(p);
        p->m->stage = arena_copy(&p->m->arena, s.text, s.length);
    }
    end_line(p);
}

static void assembly(struct parser *p) {
    p->m->assembly = string(p, NULL);
    end_line(p);
}

static void file_line(struct parser *p) {
    struct ir_file f;
    f.directory = string(p, NULL);
    f.name = string(p, NULL);
    if (!p->status && !array_push(&p->m->files, f)) p->status = SW_NO_MEMORY;
    end_line(p);
}

// A value that only stands as an operand has no type: verify.c reports it as undefined.
struct ir_module *ir_parse(const char *name, const char *text, size_t length, const sw_sink *sink,
                           sw_status *status) {
    struct parser p = {.name = name,
                       .begin = text,
                       .at = text,
                       .end = text + length,
                       .line_begin = text,
                       .line = 1,
                       .sink = sink};
    p.m = ir_module_create();
    if (!p.m) {
        *status = SW_NO_MEMORY;
        return NULL;
    }
    if (next_line(&p)) module_line(&p);
    while (next_line(&p))
        if (take_word(&p, "file"))
            file_line(&p);
        else if (take_word(&p, "assembly"))
            assembly(&p);
        else if (take_word(&p, "variable"))
            symbol(&p, IR_VARIABLE_SYMBOL);
        else if (take_word(&p, "symbol"))
            symbol(&p, IR_FUNCTION_SYMBOL);
        else if (take_word(&p, "address"))
            address(&p);
        else if (take_word(&p, "alias"))
            alias(&p);
        else if (take_word(&p, "kernel"))
            function(&p, true);
        else if (take_word(&p, "function"))
            function(&p, false);
        else
            fail(&p, "one of assembly, file, variable, symbol, address, alias, kernel, function is expected");
    if (!p.status && p.m->failed) p.status = SW_NO_MEMORY;
    *status = p.status;
    if (!p.status) return p.m;
    ir_module_free(p.m);
    return NULL;
}
