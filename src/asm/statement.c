// SPDX-License-Identifier: MIT
// A statement: labels, then an assignment, a directive, a macro's name or an instruction.
#include <elf.h>
#include <string.h>

#include "asm/assemble.h"
#include "base/bytes.h"
#include "mc/dwarf/dwarf.h"

// ---- Instructions ----

// The line of an instruction is that which the outermost macro or repetition was expanded from.
static uint32_t line_of(const struct unit *u) {
    uint32_t line = u->statement_line;
    for (const struct source *from = u->source; from; from = from->parent)
        if (from->parent && !from->file.data) line = from->called_line;
    return line;
}

static bool instruction(struct unit *u, const char *p, const char *end) {
    struct asm_insn in = {0};
    if (u->program->section->type == SHT_NOBITS)
        return unit_error(u, p, "section %s has no contents for an instruction", u->program->section->name);
    if (!asm_instruction(&u->program->mode, &u->host, p, end, &in)) return false;
    program_count_registers(u->program, in.bytes, in.size);
    if (u->program->options->listing) { // which keeps no bytes
        list_instruction(u, &in, p, end);
        u->program->section->size += in.size;
        return true;
    }
    if (u->program->describes && !dwarf_add_instruction(u->program, line_of(u))) return false;
    if (u->program->loc_pending && !dwarf_row(u->program)) return false;
    uint64_t offset = u->program->section->size;
    const struct expr *distant = NULL; // target of a branch that is not resolved here
    for (unsigned i = 0; i < in.fixup_count; i++) {
        const struct mc_fixup *f = &in.fixup[i];
        bool branch = f->kind == MC_FIXUP_BRANCH;
        // A branch back in its own section needs no memory.
        const struct expr *e = f->expr;
        if (branch && e->kind == EXPR_SYMBOL && !e->variant && e->symbol->state == SYMBOL_LABEL &&
            e->symbol->section == u->program->section && e->symbol->temporary &&
            e->symbol->piece == u->program->section->pieces.count) {
            int64_t words = ((int64_t)(e->symbol->offset - offset) - 4) / 4;
            if (words >= -32768 && words < 32768) {
                wr16(in.bytes + f->offset, (uint16_t)words);
                continue;
            }
        }
        if (branch) distant = e;
        const unsigned kind = branch ? FIX_BRANCH : f->kind == MC_FIXUP_QWORD ? FIX_LITERAL8 : FIX_LITERAL;
        if (!program_fixup(u->program, offset + f->offset, kind, e)) return false;
    }
    if (!program_emit(u->program, in.bytes, in.size)) return false;
    bool is_sopp = rd32(in.bytes) >> 23 == 0x17f;
    return !distant || !is_sopp || !has(u->program->mode.processor, CAP_branch_3f_bug) ||
           program_piece(u->program, (struct piece){.kind = PIECE_NOP, .expr = distant});
}

// ---- Statements ----

static bool assignment(struct unit *u, struct slice name, const char *p, const char *end) {
    const char *where = skip_space(p, end);
    struct mc_value v;
    if (!unit_expression(u, &p, end, &v) || !unit_end(u, p, end)) return false;
    if (slice_is(name, ".")) return dir_org(u, name, where, end, 0);
    if (!program_assign(u->program, name, &v, true, where)) return false;
    dir_show_assignment(u, name, &v);
    return true;
}

static bool named_statement(struct unit *u, struct slice name, const char *p, const char *end) {
    const char *next = skip_space(p, end);
    bool handled = false;
    if (*name.text == '.' && name.length > 2) {
        bool ok = unit_condition(u, name, p, end, &handled);
        if (handled) return ok;
    }
    if (unit_skips(u)) return true;
    if (next < end && *next == ':' && !(next + 1 < end && next[1] == ':')) {
        if (name.length == 1 && *name.text == '.')
            return unit_error(u, name.text, "invalid use of pseudo-symbol '.' as a label");
        struct symbol *s = program_symbol(u->program, name);
        if (!s || !program_define_label(u->program, s, name.text)) return false;
        if (u->program->options->listing) list_label(u, s);
        return unit_statement(u, next + 1, end);
    }
    if (next < end && *next == '=' && !(next + 1 < end && next[1] == '='))
        return assignment(u, name, next + 1, end);
    if (u->has_macros) {
        struct macro *m = unit_find_macro(u, name);
        if (m) return unit_expand(u, m, p, end, name.text);
    }
    if (*name.text == '.') return unit_directive(u, name, p, end);
    return instruction(u, name.text, end);
}

bool unit_statement(struct unit *u, const char *p, const char *end) {
    p = skip_space(p, end);
    if (p == end) return true;
    const char *start = p;
    struct slice name;
    if (lex_name(&p, end, &name)) return named_statement(u, name, p, end);
    if (unit_skips(u)) return true;
    if (*p == '"') {
        if (!unit_name(u, &p, end, &name)) return false;
        const char *next = skip_space(p, end);
        struct symbol *s = program_symbol(u->program, name);
        if (next == end || *next != ':') return unit_error(u, next, "expected ':' behind a quoted label");
        return s && program_define_label(u->program, s, start) && unit_statement(u, next + 1, end);
    }
    if (char_is(*p, CHAR_DIGIT)) {
        struct number n = lex_number(&p, end);
        const char *next = skip_space(p, end);
        if (!n.error && n.kind == NUMBER_INTEGER && next < end && *next == ':')
            return unit_define_local(u, n.low, start) && unit_statement(u, next + 1, end);
    }
    return unit_error(u, start, "unexpected token at start of statement");
}
