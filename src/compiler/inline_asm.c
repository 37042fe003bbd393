// SPDX-License-Identifier: MIT
// Inline assembly. The legaliser brings its operands to registers of the kind that is asked for, the text
// gets their names when they are known. What it asks memory for has come before the program goes on.
#include "compiler/convention.h"
#include "compiler/legal.h"
#include "ir/constraints.h"
#include "isa/counters.h"
#include "softwave/asm.h"
#include "softwave/isa.h"

#include <stdio.h>

// ---- Legalising ----

enum { MOST_KEPT = 12 };

static const char *text_of(const struct compiler *c, ir_ref name) {
    return c->m->symbols.items[ir_index(name)].name;
}

void compiler_asm_constraints(const struct compiler *c, ir_ref name, struct constraints *out) {
    if (constraints_read(text_of(c, name), out)) *out = (struct constraints){0};
}

static ir_ref input(struct legal *g, ir_ref r, char kind) {
    const struct ir_type t = *legal_type(g, r);
    ir_ref words[MOST_PARTS];
    if (kind == 'i') return r;
    if ((t.bits == 1 && t.count == 1) || (unsigned)t.bits * t.count > 1024) {
        legal_refuse(g, "inline assembly with a value of this type");
        return r;
    }
    g->bank = kind == 's' ? IR_BANK_S : IR_BANK_V;
    unsigned count = legal_dwords(&t) * t.count;
    if (t.bits % 32 == 0 || t.count == 1)
        for (unsigned d = 0; d < count; d++) words[d] = legal_part(g, r, d);
    else
        count = legal_packed(g, r, words);
    for (unsigned d = 0; d < count && !g->c->status; d++) {
        const struct ir_value *v = ir_value_of(g->f, words[d]);
        words[d] = legal_retype(g, g->i32, words[d]);
        if (kind == 's') words[d] = legal_scalar(g, words[d]);
        if (kind != 's' && v && v->bank == IR_BANK_S)
            words[d] = legal_emit_as(g, OP_copy, IR_BANK_V, g->i32, &words[d], 1);
    }
    return legal_tuple(g, g->bank, ir_type_of(g->c->m, IR_BITS, count * 32, 1), words, count);
}

// Scalar registers by which the function finds the stack, and its caller its own. If the text changes them,
// they are operands as well: pairs of the register and what it is to hold again.
static unsigned keep_registers(struct legal *g, const struct constraints *c, ir_ref *out) {
    const bool entry = ir_is_entry(g->f);
    unsigned count = 0;
    for (unsigned r = 0; r <= CONVENTION_FRAME; r++) {
        const bool stack = r < 4 && g->f->facts.stack_buffer, top = r == CONVENTION_STACK_TOP,
                   frame = r == CONVENTION_FRAME;
        if (!(c->sgprs[0] >> r & 1) ||
            !(stack || (top && (g->f->facts.calls || !entry)) || (frame && !entry)))
            continue;
        out[count] = ir_make(IR_REGISTER, ir_register(IR_SGPR, r, 1));
        out[count + 1] = legal_emit_as(g, OP_copy, IR_BANK_S, g->i32, &out[count], 1);
        count += 2;
    }
    return count;
}

void legal_inline_asm(struct legal *g) {
    struct constraints c;
    struct ir_inst old = *g->i;
    ir_ref operands[MOST_CONSTRAINTS + 2 + MOST_KEPT];
    compiler_asm_constraints(g->c, legal_operand(g, 1), &c);
    if (c.results != old.results || c.inputs + 2 != old.operands) {
        legal_refuse(g, "inline assembly whose operands are not those of its constraints");
        return;
    }
    operands[0] = legal_operand(g, 0), operands[1] = legal_operand(g, 1);
    for (unsigned n = 0; n < c.results + c.inputs; n++)
        if (c.of[n].kind == 'a' && !g->c->isa->formats[FMT_MAI])
            legal_refuse(g, "inline assembly with accumulation registers on this processor");
    for (unsigned n = 0; n < c.results + c.inputs && !g->c->status; n++) {
        const ir_ref r =
            n < c.results ? ir_make(IR_VALUE, old.first_result + n) : legal_operand(g, n - c.results + 2);
        const struct ir_type *t = legal_type(g, r);
        if (c.of[n].dwords && ((unsigned)t->bits * t->count + 31) / 32 != c.of[n].dwords)
            legal_refuse(g, "inline assembly with a register of another size than its value");
    }
    for (unsigned n = 0; n < c.inputs && !g->c->status; n++)
        operands[n + 2] = input(g, legal_operand(g, n + 2), c.of[c.results + n].kind);
    for (unsigned n = 0; n < c.results && !g->c->status; n++) {
        const struct ir_type t = *legal_type(g, ir_make(IR_VALUE, old.first_result + n));
        if (t.bits == 1 || (unsigned)t.bits * t.count > 1024)
            legal_refuse(g, "inline assembly with a result of this type");
    }
    if (g->c->status) return;
    if (c.vcc) g->f->facts.uses_vcc = 1;
    const unsigned again = keep_registers(g, &c, operands + c.inputs + 2);
    struct ir_inst *i = ir_append(g->f, OP_inline_asm, operands, c.inputs + 2 + again);
    i->location = old.location;
    i->modifiers = IR_EARLY;
    i->flags = IR_CONVERGENT;
    ir_ref results[MOST_CONSTRAINTS];
    for (unsigned n = 0; n < c.results; n++) {
        const struct ir_type t = *legal_type(g, ir_make(IR_VALUE, old.first_result + n));
        const unsigned dwords = ((unsigned)t.bits * t.count + 31) / 32;
        results[n] = ir_result(g->f, dwords == 1 ? g->i32 : ir_type_of(g->c->m, IR_BITS, dwords * 32, 1));
        struct ir_value *v = ir_value_of(g->f, results[n]);
        if (v) v->bank = c.of[n].kind == 's' ? IR_BANK_S : IR_BANK_V;
    }
    for (unsigned n = 0; n < c.results && !g->c->status; n++) {
        ir_ref words[MOST_PARTS], parts[MOST_PARTS];
        struct ir_inst one = old;
        one.first_result = old.first_result + n;
        const struct ir_inst *kept = g->i;
        g->i = &one;
        const struct ir_type t = *legal_type(g, ir_make(IR_VALUE, one.first_result));
        const unsigned dwords = ((unsigned)t.bits * t.count + 31) / 32;
        g->bank = c.of[n].kind == 's' ? IR_BANK_S : IR_BANK_V;
        legal_parts_of(g, results[n], dwords, g->i32, words);
        legal_unpacked(g, &t, words, parts);
        if (!g->c->status) legal_set_parts(g, parts, legal_dwords(&t) * t.count);
        g->i = kept;
    }
}

// ---- The text ----

static void put_register(struct text *t, uint32_t r) {
    const char file = "sva"[ir_register_class_of(r) % 3];
    const unsigned first = ir_register_first(r), dwords = ir_register_dwords(r);
    if (ir_register_class_of(r) == IR_M0)
        text_puts(t, "m0");
    else if (ir_register_class_of(r) == IR_VCC)
        text_puts(t, dwords == 2 ? "vcc" : first ? "vcc_hi" : "vcc_lo");
    else if (dwords == 1)
        text_printf(t, "%c%u", file, first);
    else
        text_printf(t, "%c[%u:%u]", file, first, first + dwords - 1);
}

static void put_operand(struct text *t, const struct compiler *c, ir_ref r) {
    const struct ir_constant *k = ir_constant_of(c->f, r);
    if (k) {
        const unsigned bits = ir_type_bits(c->m, k->type);
        const int64_t n = bits < 64 ? (int64_t)(k->low << (64 - bits)) >> (64 - bits) : (int64_t)k->low;
        text_printf(t, n >= -16 && n <= 64 ? "%lld" : "0x%llx", (long long)n);
    } else if (ir_is(r, IR_VALUE))
        put_register(t, c->f->registers[ir_index(r)]);
}

static enum ir_register_class class_of(char kind) {
    return kind == 's' ? IR_SGPR : kind == 'a' ? IR_AGPR : IR_VGPR;
}

// The register of a fixed operand; 0: it may be any.
static uint32_t fixed(const struct constraint *c) {
    if (c->kind == 's' && c->first == CONSTRAINT_M0) return ir_register(IR_M0, 0, 1);
    if (c->kind == 's' && c->first >= CONSTRAINT_VCC)
        return ir_register(IR_VCC, c->first - CONSTRAINT_VCC, c->dwords);
    return c->dwords ? ir_register(class_of(c->kind), c->first, c->dwords) : 0;
}

bool compiler_asm_moves_results(const struct compiler *c, const struct ir_inst *i) {
    struct constraints k;
    compiler_asm_constraints(c, ir_operand(c->f, i, 1), &k);
    bool all = i->operands == k.inputs + 2; // else what registers hold again is read behind that
    for (unsigned n = 0; n < k.results; n++) all = all && fixed(&k.of[n]);
    return all;
}

bool compiler_asm_may_share(const struct compiler *c, const struct ir_inst *i) {
    struct constraints k;
    compiler_asm_constraints(c, ir_operand(c->f, i, 1), &k);
    bool may = i->operands == k.inputs + 2;
    for (unsigned n = 0; n < k.results; n++) may = may && !k.of[n].early;
    for (unsigned n = 0; n < k.inputs; n++) may = may && k.of[k.results + n].tied == NOT_TIED;
    return may;
}

static void put_named(struct text *t, const struct compiler *c, const struct ir_inst *i, const ir_ref *o,
                      const struct constraints *k, unsigned n) {
    const bool tied = k->of[n].tied != NOT_TIED;
    const unsigned result = tied ? k->of[n].tied : n;
    if (fixed(&k->of[result]))
        put_register(t, fixed(&k->of[result]));
    else if (result < k->results)
        put_register(t, c->f->registers[i->first_result + result]);
    else
        put_operand(t, c, o[n - k->results + 2]);
}

// The text with registers and numbers in place of $0, ${0} and $$. Names of results that inputs are tied to
// stand for both.
static void put_text(struct text *t, const struct compiler *c, const struct ir_inst *i, const ir_ref *o,
                     const struct constraints *k) {
    for (const char *s = text_of(c, o[0]); *s;) {
        if (*s != '$') {
            text_add(t, s++, 1);
            continue;
        }
        s++;
        const bool braces = *s == '{';
        s += braces;
        if (*s < '0' || *s > '9') {
            text_add(t, s, *s ? 1 : 0);
            s += *s != 0;
            continue;
        }
        unsigned n = 0;
        while (*s >= '0' && *s <= '9' && n < 1000) n = n * 10 + (unsigned)(*s++ - '0');
        while (braces && *s && *s != '}') s++; // modifiers change nothing here
        s += braces && *s == '}';
        if (n < k->results + k->inputs) put_named(t, c, i, o, k, n);
    }
}

struct complaint {
    char text[256];
    unsigned line, column;
};
static void hear(void *context, const sw_diagnostic *d) {
    struct complaint *to = context;
    if (d->severity != SW_SEVERITY_ERROR || *to->text) return;
    snprintf(to->text, sizeof to->text, "%s", d->message);
    to->line = d->at.line, to->column = d->at.column;
}

static void complain(struct compiler *c, const struct ir_inst *i, const struct complaint *why) {
    sw_location at = {.file = c->options->name};
    if (i->location) {
        const struct ir_location *l = &c->f->locations.items[i->location - 1];
        if (l->file < c->m->files.count) at.file = c->m->files.items[l->file].name;
        at.line = l->line;
        at.column = l->column;
    }
    if (!c->status)
        c->status =
            diag_fail(c->sink, SW_BAD_INPUT, &at, "function @%s: inline assembly, line %u, column %u: %s",
                      c->f->name, why->line, why->column, why->text);
}

// Counts with what the lines are; a line that is no instruction by itself (a directive, a label, a jump to
// one) is looked at with all the others.
static bool counts(const struct compiler *c, const struct text *t, bool *known) {
    const sw_isa_mode mode = {
        .size = sizeof mode, .processor = c->processor, .wave32 = c->f->facts.wave == 32};
    bool any = false;
    *known = true;
    for (const char *s = t->data, *end = t->data + t->length; s && s < end;) {
        const char *line = s;
        while (s < end && *s != '\n' && *s != ';' && !(*s == '/' && s + 1 < end && s[1] == '/')) s++;
        const char *stop = s;
        while (s < end && *s != '\n') s++;
        s += s < end;
        while (line < stop && (*line == ' ' || *line == '\t' || *line == '\r')) line++;
        while (stop > line && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r')) stop--;
        if (line == stop) continue;
        uint8_t bytes[SW_INSN_MAX_BYTES];
        size_t size;
        struct insn in;
        uint8_t kinds[COUNTERS];
        if (sw_insn_assemble(&mode, line, (size_t)(stop - line), bytes, &size, NULL) ||
            insn_decode(c->isa, bytes, size, &in) != DECODE_OK) {
            *known = false;
            continue;
        }
        isa_counts(c->isa, in.row, true, kinds);
        for (unsigned k = 0; k < COUNTERS; k++) any |= kinds[k] != 0;
    }
    return any;
}

static bool assembles(const struct compiler *c, const char *text, size_t length, struct complaint *why) {
    const sw_asm_options a = {.size = sizeof a,
                              .target = c->m->target,
                              .os = SW_OS_AMDHSA,
                              .code_object_version = c->m->code_object_version,
                              .features = compiler_features(c->m),
                              .name = "inline assembly",
                              .no_files = true};
    const sw_sink sink = {hear, why};
    uint8_t *out = NULL;
    size_t size = 0;
    const bool right = sw_assemble(text, length, &a, &out, &size, &sink) == SW_OK;
    sw_free(out);
    return right;
}

void compiler_put_module_asm(struct compiler *c) {
    struct complaint why = {{0}, 0, 0};
    const char *text = c->m->assembly;
    if (!text) return;
    if (assembles(c, text, strlen(text), &why)) {
        text_puts(c->assembly, text);
        text_puts(c->assembly, "\n");
    } else if (!c->status)
        c->status =
            diag_fail(c->sink, SW_BAD_INPUT, &(sw_location){.file = c->options->name},
                      "assembly of the module, line %u, column %u: %s", why.line, why.column, why.text);
}

bool compiler_asm_counts(struct compiler *c, const struct ir_inst *i, const ir_ref *o) {
    struct constraints k;
    struct text t = {0};
    struct complaint why = {{0}, 0, 0};
    bool known;
    compiler_asm_constraints(c, o[1], &k);
    put_text(&t, c, i, o, &k);
    text_puts(&t, "\n");
    bool any = counts(c, &t, &known);
    if (!known && !c->status) {
        if (!assembles(c, t.data ? t.data : "", t.length, &why)) complain(c, i, &why);
        any = true;
    }
    if (t.failed) compiler_no_memory(c);
    text_free(&t);
    return any;
}

// Where the hardware does not keep instructions apart, as much time as any two of them need.
static void put_pause(struct compiler *c, struct text *t) {
    const struct row *events = compiler_named_row(c, "s_wait_alu");
    if (events) text_printf(t, "\t%s 0x0\n", isa_row_name(c->isa, events));
    text_puts(t, "\ts_nop 7\n");
    if (c->isa->formats[FMT_MAI]) text_puts(t, "\ts_nop 7\n\ts_nop 3\n");
}

static const char *move_between(enum ir_register_class to, bool from_acc) {
    if (to == IR_AGPR) return from_acc ? "v_accvgpr_mov_b32" : "v_accvgpr_write_b32";
    return to == IR_SGPR || to == IR_VCC || to == IR_M0 ? "s_mov_b32"
           : from_acc                                   ? "v_accvgpr_read_b32"
                                                        : "v_mov_b32";
}

// Dword by dword into a register (0: nothing). Registers that are named hold nothing that is needed
// beside the text.
static bool put_move(struct compiler *c, struct text *t, uint32_t to, ir_ref from) {
    for (unsigned d = 0; d < ir_register_dwords(to); d++) {
        const uint32_t of = ir_is(from, IR_VALUE)      ? c->f->registers[ir_index(from)]
                            : ir_is(from, IR_REGISTER) ? ir_index(from)
                                                       : 0;
        const bool acc = ir_register_class_of(of) == IR_AGPR;
        text_printf(t, "\t%s ", move_between(ir_register_class_of(to), acc));
        put_register(t, ir_register_dword(to, d));
        text_puts(t, ", ");
        if (ir_is(from, IR_VALUE))
            put_register(t, ir_register_dword(c->f->registers[ir_index(from)], d));
        else if (ir_is(from, IR_REGISTER))
            put_register(t, ir_register_dword(ir_index(from), d));
        else
            put_operand(t, c, from);
        text_puts(t, "\n");
    }
    return ir_register_dwords(to) > 0;
}

void compiler_put_asm(struct compiler *c, struct text *t, const struct ir_inst *i) {
    struct constraints k;
    const ir_ref *o = c->f->operands.items + i->first_operand;
    compiler_asm_constraints(c, o[1], &k);
    put_pause(c, t);
    bool moved = false;
    for (unsigned n = k.results; n < k.results + k.inputs; n++) {
        const struct constraint *one = k.of[n].tied == NOT_TIED ? &k.of[n] : &k.of[k.of[n].tied];
        const uint32_t to = fixed(one) || k.of[n].tied == NOT_TIED
                                ? fixed(one)
                                : c->f->registers[i->first_result + k.of[n].tied];
        moved |= put_move(c, t, to, o[n - k.results + 2]);
    }
    if (moved) put_pause(c, t);
    put_text(t, c, i, o, &k);
    text_puts(t, "\n");
    put_pause(c, t);
    for (unsigned n = 0; n < k.results; n++)
        if (fixed(&k.of[n]))
            put_move(c, t, c->f->registers[i->first_result + n], ir_make(IR_REGISTER, fixed(&k.of[n])));
    for (unsigned n = k.inputs + 2; n + 1 < i->operands; n += 2)
        if (ir_is(o[n], IR_REGISTER)) put_move(c, t, ir_index(o[n]), o[n + 1]);
}
