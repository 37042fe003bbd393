// SPDX-License-Identifier: MIT
// Drives an assembly: statements to labels, assignments, directives, macros and instructions; then the fixups
// and the object. One pass over the text; whatever depends on later text is kept as a fixup.
#include "asm/text/unit.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/dwarf/dwarf.h"
#include "base/bytes.h"
#include "base/sized.h"
#include "dis/dis.h"
#include "isa/names.h"

// ---- Expressions ----

static void on_error(void *context, const char *where, const char *message) {
    unit_error(context, where, "%s", message);
}

static struct symbol *here(void *context) {
    struct unit *u = context;
    struct symbol *s = symbol_make(&u->symbols);
    struct place p = unit_here(u);
    if (s) {
        s->state = SYMBOL_LABEL, s->temporary = true;
        s->section = p.section, s->offset = p.offset, s->piece = p.piece;
    }
    return s;
}

// Labels 1: of which the last and the next are meant by 1b and 1f.
static struct symbol *local_name(struct unit *u, uint64_t number) {
    char name[24];
    int n = snprintf(name, sizeof name, "\1%llu", (unsigned long long)number);
    return symbol_get(&u->symbols, name, (size_t)n);
}
static bool predefined(void *context, const char *name, size_t length, int64_t *out) {
    const struct unit *u = context;
    return asm_predefined(&u->mode.isa, name, length, out);
}

static struct symbol *local_label(void *context, uint64_t number, bool ahead) {
    struct unit *u = context;
    struct symbol *y = local_name(u, number);
    if (!y) return NULL;
    if (!ahead) return y->label_last;
    if (!y->label_next && (y->label_next = symbol_make(&u->symbols))) {
        y->label_next->temporary = true;
        y->label_next->name = y->name + 1;
        y->label_next->length = y->length - 1;
    }
    return y->label_next;
}
static bool define_local(struct unit *u, uint64_t number, const char *where) {
    struct symbol *y = local_name(u, number);
    struct symbol *label = y ? local_label(u, number, true) : NULL;
    if (!label) return unit_no_memory(u);
    y->label_last = label;
    y->label_next = NULL;
    return unit_define_label(u, label, where);
}

static bool distance(void *context, const struct symbol *a, const struct symbol *b, int64_t *out) {
    const struct unit *u = context;
    struct place x, y;
    if (!symbol_where(u, a, &x) || !symbol_where(u, b, &y) || x.section != y.section) return false;
    if (x.piece != y.piece && !u->laid_out) return false; // something of open size between them
    *out = (int64_t)(place_offset(x) - place_offset(y));
    return true;
}

static bool host_expression(void *context, const char **at, const char *end, struct asm_value *out) {
    struct unit *u = context;
    const char *where = skip_space(*at, end);
    if (!expr_parse(&u->reader, at, end, out)) return false;
    struct relocatable r;
    if (out->expr && !expr_evaluate(out->expr, NULL, &r) && !r.add && !r.sub)
        *out = (struct asm_value){.number = r.number};
    out->label = out->expr && out->expr->kind == EXPR_SYMBOL;
    if (out->expr) u->expression = where;
    return true;
}

bool unit_expression(struct unit *u, const char **at, const char *end, struct asm_value *out) {
    const char *where = skip_space(*at, end);
    if (!expr_parse(&u->reader, at, end, out)) return false;
    if (out->expr) u->expression = where;
    return true;
}

bool unit_absolute(struct unit *u, const char **at, const char *end, int64_t *out) {
    const char *where = skip_space(*at, end);
    struct asm_value v;
    if (!unit_expression(u, at, end, &v)) return false;
    enum expr_status s = expr_absolute(&v, &u->layout, out);
    return !s || unit_error(u, where, "%s", expr_status_text(s));
}

// ---- Small pieces of statements ----

bool unit_end(struct unit *u, const char *p, const char *end) {
    p = skip_space(p, end);
    return p == end || unit_error(u, p, "unexpected text at the end of the statement");
}

bool unit_comma(struct unit *u, const char **at, const char *end) {
    (void)u;
    const char *p = skip_space(*at, end);
    if (p == end || *p != ',') return false;
    *at = skip_space(p + 1, end);
    return true;
}

bool unit_string(struct unit *u, const char **at, const char *end, struct text *out) {
    const char *p = *at = skip_space(*at, end), *error = NULL;
    if (p == end || *p != '"') return unit_error(u, p, "expected string");
    return lex_string(at, end, out, &error) || unit_error(u, *at, "%s", error);
}

bool unit_name(struct unit *u, const char **at, const char *end, struct slice *out) {
    const char *p = *at = skip_space(*at, end);
    if (p < end && *p == '"') {
        struct text t = {0};
        bool ok = unit_string(u, at, end, &t);
        *out = (struct slice){arena_copy(&u->arena, t.data ? t.data : "", t.length), t.length};
        text_free(&t);
        return ok && (out->text || unit_no_memory(u));
    }
    return lex_name(at, end, out) || unit_error(u, p, "expected identifier");
}

// ---- The listing ----

static void list(struct unit *u) {
    const sw_asm_options *o = u->options;
    if (u->line.failed || !o->listing(o->listing_context, u->line.data, u->line.length))
        u->ended = u->failed = true;
    u->line.length = 0;
}

static void list_label(struct unit *u, const struct symbol *s) {
    text_add(&u->line, s->name, s->length);
    text_puts(&u->line, ":\n");
    list(u);
}

static void list_instruction(struct unit *u, const struct asm_insn *in, const char *p, const char *end) {
    static const char hex[] = "0123456789abcdef";
    struct text *t = &u->line;
    text_puts(t, "\t");
    struct insn d;
    if (!in->fixup_count && insn_decode(&u->mode.isa, in->bytes, in->size, &d) == DECODE_OK) {
        struct print_options o = {
            .processor = u->mode.processor, .isa = &u->mode.isa, .wave32 = u->mode.wave32};
        char line[INSN_TEXT];
        text_add(t, line, insn_print(&d, &o, line));
    } else
        text_add(t, p, (size_t)(end - p));
    // The tab counts as eight columns.
    if (t->length + 7 < 48)
        text_add(t, "                                                ", 48 - (t->length + 7));
    else
        text_add(t, " ", 1);
    text_puts(t, "; encoding: [");
    for (unsigned i = 0; i < in->size; i++) {
        unsigned letter = 0;
        for (unsigned f = 0; f < in->fixup_count; f++) {
            unsigned size = in->fixup[f].kind == ASM_FIXUP_BRANCH ? 2 : 4;
            if (i >= in->fixup[f].offset && i < in->fixup[f].offset + size) letter = 'A' + f;
        }
        char byte[6] = {'0', 'x', hex[in->bytes[i] >> 4], hex[in->bytes[i] & 15], ',', 0};
        if (letter) byte[0] = (char)letter, byte[1] = ',', byte[2] = 0;
        text_add(t, byte, strlen(byte) - (i + 1u == in->size));
    }
    text_puts(t, "]\n");
    list(u);
}

// ---- Instructions ----

static void raise(struct unit *u, struct symbol *s, uint64_t count) {
    if (!s) return;
    if (s->state == SYMBOL_NUMBER) {
        if ((int64_t)s->offset < (int64_t)count) s->offset = count;
    } else // it counts what instructions use
        unit_error(u, u->statement, "%.*s must be an absolute expression before instructions", (int)s->length,
                   s->name);
}

// .amdgcn.next_free_vgpr and _sgpr follow the registers that instructions name (ASM-28, ASM-29).
static void set_number(struct symbol *s, uint64_t v) {
    if (s && s->state == SYMBOL_NUMBER) s->offset = v;
}

// .kernel.vgpr_count and its kind do so on other systems and in V2 (ASM-18).
static void count_in_scope(struct unit *u, unsigned code, unsigned dwords) {
    bool agpr = code >= SRC_AGPR0;
    if (code < SRC_VGPR0) {
        if (code < u->mode.processor->sgprs) raise(u, u->sgprs, (uint64_t)code + dwords);
        return;
    }
    uint32_t count = code - (agpr ? SRC_AGPR0 : SRC_VGPR0) + dwords,
             *seen = agpr ? &u->agprs_seen : &u->vgprs_seen;
    if (count > *seen) *seen = count;
    raise(u, u->agprs, u->agprs_seen);
    bool unified = has(u->mode.processor, CAP_unified_vgprs) && u->agprs_seen;
    uint32_t more = u->vgprs_seen > u->agprs_seen ? u->vgprs_seen : u->agprs_seen;
    set_number(u->vgprs, unified ? align_up(u->vgprs_seen, 4) + u->agprs_seen : more);
}

void unit_reset_scope(struct unit *u) {
    u->vgprs_seen = u->agprs_seen = 0;
    set_number(u->vgprs, 0);
    set_number(u->sgprs, 0);
    set_number(u->agprs, 0);
}

static void count_registers(struct unit *u, const struct asm_insn *in) {
    struct insn d;
    if (insn_decode(&u->mode.isa, in->bytes, in->size, &d) != DECODE_OK) return;
    const struct row *halves[] = {d.row, d.row_y}; // two of a VOPD, perhaps the same
    for (unsigned half = 0; half < 2 && halves[half]; half++) {
        if (half) {
            d.f[F_vdstx] = d.f[F_vdsty];
            d.f[F_src0x] = d.f[F_src0y];
            d.f[F_src1x] = d.f[F_src1y];
        }
        for (unsigned i = 0; i < ROW_DST + ROW_SRC; i++) {
            struct operand_spec spec = i < ROW_DST ? halves[half]->dst[i] : halves[half]->src[i - ROW_DST];
            if (spec.type == T_NO_OPERAND) continue;
            struct operand o = insn_operand(&u->mode.isa, &d, spec, u->mode.wave32);
            if (o.type == T_NO_OPERAND || !o.dwords) continue;
            if (u->sgprs)
                count_in_scope(u, o.code, o.dwords);
            else if (o.code >= SRC_AGPR0)
                raise(u, u->next_vgpr, o.code - SRC_AGPR0 + o.dwords);
            else if (o.code >= SRC_VGPR0)
                raise(u, u->next_vgpr, o.code - SRC_VGPR0 + o.dwords);
            else if (o.code < u->mode.processor->sgprs)
                raise(u, u->next_sgpr, (uint64_t)o.code + o.dwords);
        }
    }
}

bool unit_instruction(struct unit *u, const char *p, const char *end) {
    struct asm_insn in = {0};
    if (u->section->type == SHT_NOBITS)
        return unit_error(u, p, "section %s has no contents for an instruction", u->section->name);
    if (!asm_instruction(&u->mode, &u->host, p, end, &in)) return false;
    count_registers(u, &in);
    if (u->options->listing) { // which keeps no bytes
        list_instruction(u, &in, p, end);
        u->section->size += in.size;
        return true;
    }
    if (u->describes && !dwarf_add_instruction(u)) return false;
    if (u->loc_pending && !dwarf_row(u)) return false;
    uint64_t offset = u->section->size;
    const struct expr *distant = NULL; // target of a branch that is not resolved here
    for (unsigned i = 0; i < in.fixup_count; i++) {
        const struct asm_fixup *f = &in.fixup[i];
        bool branch = f->kind == ASM_FIXUP_BRANCH;
        // A branch back in its own section needs no memory.
        const struct expr *e = f->expr;
        if (branch && e->kind == EXPR_SYMBOL && !e->variant && e->symbol->state == SYMBOL_LABEL &&
            e->symbol->section == u->section && e->symbol->temporary &&
            e->symbol->piece == u->section->pieces.count) {
            int64_t words = ((int64_t)(e->symbol->offset - offset) - 4) / 4;
            if (words >= -32768 && words < 32768) {
                wr16(in.bytes + f->offset, (uint16_t)words);
                continue;
            }
        }
        if (branch) distant = e;
        if (!unit_fixup(u, offset + f->offset, branch ? FIX_BRANCH : FIX_LITERAL, e)) return false;
    }
    if (!unit_emit(u, in.bytes, in.size)) return false;
    bool is_sopp = rd32(in.bytes) >> 23 == 0x17f;
    return !distant || !is_sopp || !has(u->mode.processor, CAP_branch_3f_bug) ||
           unit_piece(u, (struct piece){.kind = PIECE_NOP, .expr = distant});
}

// ---- Statements ----

static bool one_statement(struct unit *u, const char *p, const char *end);

static bool assignment(struct unit *u, struct slice name, const char *p, const char *end) {
    const char *where = skip_space(p, end);
    struct asm_value v;
    if (!unit_expression(u, &p, end, &v) || !unit_end(u, p, end)) return false;
    if (slice_is(name, ".")) return dir_org(u, name, where, end, 0);
    return unit_assign(u, name, &v, true, where);
}

static bool named_statement(struct unit *u, struct slice name, const char *p, const char *end) {
    const char *next = skip_space(p, end);
    bool handled = false;
    if (*name.text == '.' && name.length > 2) {
        bool ok = unit_condition(u, name, p, end, &handled);
        if (handled) return ok;
    }
    if (u->conditions.count && u->conditions.items[u->conditions.count - 1].ignoring) return true;
    if (next < end && *next == ':' && !(next + 1 < end && next[1] == ':')) {
        if (name.length == 1 && *name.text == '.')
            return unit_error(u, name.text, "invalid use of pseudo-symbol '.' as a label");
        struct symbol *s = unit_symbol(u, name);
        if (!s || !unit_define_label(u, s, name.text)) return false;
        if (u->options->listing) list_label(u, s);
        return one_statement(u, next + 1, end);
    }
    if (next < end && *next == '=' && !(next + 1 < end && next[1] == '='))
        return assignment(u, name, next + 1, end);
    if (u->has_macros) {
        struct macro *m = unit_find_macro(u, name);
        if (m) return unit_expand(u, m, p, end, name.text);
    }
    if (*name.text == '.') return unit_directive(u, name, p, end);
    return unit_instruction(u, name.text, end);
}

static bool one_statement(struct unit *u, const char *p, const char *end) {
    p = skip_space(p, end);
    if (p == end) return true;
    const char *start = p;
    struct slice name;
    if (lex_name(&p, end, &name)) return named_statement(u, name, p, end);
    if (u->conditions.count && u->conditions.items[u->conditions.count - 1].ignoring) return true;
    if (*p == '"') {
        if (!unit_name(u, &p, end, &name)) return false;
        const char *next = skip_space(p, end);
        struct symbol *s = unit_symbol(u, name);
        if (next == end || *next != ':') return unit_error(u, next, "expected ':' behind a quoted label");
        return s && unit_define_label(u, s, start) && one_statement(u, next + 1, end);
    }
    if (char_is(*p, CHAR_DIGIT)) {
        struct number n = lex_number(&p, end);
        const char *next = skip_space(p, end);
        if (!n.error && n.kind == NUMBER_INTEGER && next < end && *next == ':')
            return define_local(u, n.low, start) && one_statement(u, next + 1, end);
    }
    return unit_error(u, start, "unexpected token at start of statement");
}

// ---- An assembly ----

static bool define_number(struct unit *u, const char *name, int64_t v) {
    return unit_assign(u, (struct slice){name, strlen(name)}, &(struct asm_value){.number = v}, true, NULL);
}

static bool predefine(struct unit *u) {
    const struct sw_processor *p = u->mode.processor;
    bool scope = u->options->os != SW_OS_AMDHSA || unit_is_v2(u);
    static const char *const generation[2][3] = {
        {".amdgcn.gfx_generation_number", ".amdgcn.gfx_generation_minor", ".amdgcn.gfx_generation_stepping"},
        {".option.machine_version_major", ".option.machine_version_minor",
         ".option.machine_version_stepping"}};
    bool ok = define_number(u, generation[scope][0], p->isa_major) &&
              define_number(u, generation[scope][1], p->isa_minor) &&
              define_number(u, generation[scope][2], p->isa_stepping);
    if (scope) {
        ok = ok && define_number(u, ".kernel.vgpr_count", 0) && define_number(u, ".kernel.sgpr_count", 0) &&
             (!has(p, CAP_agprs) || define_number(u, ".kernel.agpr_count", 0));
        u->vgprs = symbol_find(&u->symbols, ".kernel.vgpr_count", 18);
        u->sgprs = symbol_find(&u->symbols, ".kernel.sgpr_count", 18);
        u->agprs = symbol_find(&u->symbols, ".kernel.agpr_count", 18);
    } else {
        ok = ok && define_number(u, ".amdgcn.next_free_vgpr", 0) &&
             define_number(u, ".amdgcn.next_free_sgpr", 0);
        u->next_vgpr = symbol_find(&u->symbols, ".amdgcn.next_free_vgpr", 22);
        u->next_sgpr = symbol_find(&u->symbols, ".amdgcn.next_free_sgpr", 22);
    }
    // They are in no object's table unless the text gives them a value.
    while (u->first_symbol->next)
        u->first_symbol->next->registered = false, u->first_symbol->next = u->first_symbol->next->next;
    u->last_symbol = &u->first_symbol->next;
    for (size_t i = 0; ok && i < u->options->define_count; i++) {
        const char *text = u->options->define[i], *equal = strchr(text, '=');
        char *rest;
        long long v = equal ? strtoll(equal + 1, &rest, 0) : 0;
        if (!equal || equal == text || rest == equal + 1 || *rest) {
            diag_fail(u->sink, SW_USAGE, NULL, "defsym must be of the form NAME=NUMBER: %s", text);
            return false;
        }
        ok = unit_assign(u, (struct slice){text, (size_t)(equal - text)}, &(struct asm_value){.number = v},
                         true, NULL);
    }
    return ok;
}

static sw_status take_features(struct unit *u) {
    const struct sw_processor *p = u->mode.processor;
    u->mode.isa = *isa_of(p);
    u->mode.wave32 = has(p, CAP_wave32);
    u->xnack = u->target.xnack == SW_ON || u->target.xnack == SW_ANY;
    u->sramecc = u->target.sramecc == SW_ON || u->target.sramecc == SW_ANY;
    unsigned sizes = 0; // of waves, asked for
    for (const char *f = u->options->features; f && *f;) {
        size_t length = strcspn(f, ",");
        bool sign = *f == '+' || *f == '-', on = *f == '+';
        struct slice name = {f + sign, length - sign};
        bool ok =
            length && sign && isa_set_feature(&u->mode.isa, &u->mode.wave32, name.text, name.length, on);
        if (slice_is(name, "xnack") && has(p, CAP_xnack))
            u->xnack = on, u->target.xnack = on ? SW_ON : SW_OFF;
        if (slice_is(name, "sramecc") && has(p, CAP_sramecc))
            u->sramecc = on, u->target.sramecc = on ? SW_ON : SW_OFF;
        sizes |= on && slice_is(name, "wavefrontsize32")   ? 1
                 : on && slice_is(name, "wavefrontsize64") ? 2
                                                           : 0;
        if (slice_is(name, "cumode")) u->cumode = on;
        if (slice_is(name, "tgsplit")) u->tgsplit = on;
        if (!ok && length)
            return diag_fail(u->sink, SW_USAGE, NULL, "%s has no feature '%.*s'", p->name, (int)length, f);
        f += length + (f[length] == ',');
    }
    u->mode.any_wave = sizes == 3;
    return SW_OK;
}

static void dispose(struct unit *u) {
    while (u->source) {
        u->conditions.count = 0;
        unit_pop(u);
    }
    for (struct section *s = u->sections; s; s = s->next) {
        for (struct section *sub = s->subsections; sub; sub = sub->next) {
            free(sub->data);
            array_free(&sub->fixups);
            array_free(&sub->pieces);
        }
        free(s->data);
        array_free(&s->fixups);
        array_free(&s->relocations);
        array_free(&s->pieces);
    }
    dwarf_free(u);
    free(u->symbols.slots);
    array_free(&u->conditions);
    array_free(&u->section_stack);
    array_free(&u->addrsig);
    array_free(&u->pal_pairs);
    free(u->section_hash);
    array_free(&u->symvers);
    array_free(&u->profile);
    text_free(&u->scratch);
    text_free(&u->line);
    arena_free(&u->arena);
}

static void read_all(struct unit *u) {
    const char *p, *end;
    while (!u->ended && unit_next_statement(u, &p, &end)) {
        if (p < end) one_statement(u, p, end);
        // A listing keeps no bytes but those that something still refers to.
    }
    while (u->source && u->source->parent) unit_pop(u);
    if (u->conditions.count && !u->ended) unit_error(u, NULL, "unmatched .ifs or .elses");
    u->conditions.count = 0;
}

static bool finish(struct unit *u, uint8_t **object, size_t *object_size) {
    return unit_finish_pal(u) && unit_finish_profile(u) && unit_finish_versions(u) &&
           unit_join_subsections(u) && unit_lay_out(u) && unit_finish_kernels(u) && unit_finish_codes(u) &&
           dwarf_write(u) && unit_resolve(u) && !u->errors && unit_write_elf(u, object, object_size);
}

sw_status sw_assemble(const char *text, size_t length, const sw_asm_options *given, uint8_t **object,
                      size_t *object_size, const sw_sink *sink) {
    *object = NULL;
    *object_size = 0;
    sw_asm_options own, *options = &own;
    sw_status status = sized_take(SIZED(sw_asm_options, triple), options, given, sink);
    if (status) return status;
    const sw_processor *p = options->target.processor;
    if (!p || !isa_of(p))
        return diag_fail(sink, SW_UNSUPPORTED, NULL, "no assembler for %s", p ? p->name : "nothing");
    struct unit u = {.options = options, .sink = sink, .target = options->target};
    u.version = options->code_object_version ? options->code_object_version : 6;
    u.mode.processor = p;
    u.symbols.arena = &u.arena;
    u.text = text;
    u.text_end = text + length;
    u.last_symbol = &u.first_symbol;
    u.last_section = &u.sections;
    u.last_kernel = &u.kernels;
    u.last_code = &u.codes;
    u.host = (struct asm_host){.expression = host_expression, .error = on_error, .context = &u};
    u.reader = (struct expr_reader){.arena = &u.arena,
                                    .symbols = &u.symbols,
                                    .here = here,
                                    .label = local_label,
                                    .predefined = predefined,
                                    .error = on_error,
                                    .context = &u};
    u.layout = (struct expr_layout){.distance = distance, .call = unit_call, .context = &u};
    status = take_features(&u);
    if (!status && (!(u.section = unit_section(&u, (struct slice){".text", 5}, SHT_PROGBITS,
                                               SHF_ALLOC | SHF_EXECINSTR, 0)) ||
                    !predefine(&u)))
        status = u.failed ? SW_NO_MEMORY : SW_USAGE;
    if (!status &&
        unit_push(&u, (struct source){.name = options->name, .text = text, .end = text + length})) {
        if (!options->debug || options->listing || dwarf_begin_source(&u, text, length)) read_all(&u);
        bool ok = !u.errors;
        if (ok && !options->listing) ok = finish(&u, object, object_size);
        status = ok && !u.errors && !u.failed ? SW_OK : u.failed ? SW_NO_MEMORY : SW_BAD_INPUT;
    }
    dispose(&u);
    return status;
}

void sw_asm_free(uint8_t *object) { free(object); }
