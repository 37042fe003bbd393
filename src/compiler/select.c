// SPDX-License-Identifier: MIT
// Operations to rows, by the index that the build makes of is.def. A pattern of one operation on the row's
// sources is matched; of several rows the cheapest is taken. Then operands are brought to where the row can
// read them. Requires: legal. Leaves: rows, p_tuple, p_part, p_copy alone.
#include "compiler/selection.h"
#include "isa/kinds.h"
#include "ir/constraints.h"
#include "isa/rules.h"

// ---- Looking for rows ----

static unsigned modes_of(const struct ir_function *f) {
    const struct operation_mode m = {
        .flush32 = !f->facts.denormal32, .flush16_64 = !f->facts.denormal64, .ieee = f->facts.ieee};
    return select_modes(&m);
}

// True if the pattern is one operation whose operands are all sources of the row, each once, or SCC.
static bool is_simple(const struct row *row, const struct select_node *n) {
    unsigned seen = 0, sources = 0;
    if (n->kind != SELECT_OPERATION) return false;
    for (unsigned k = 0; k < n->count; k++) {
        const struct select_node *o = select_operand(n, k);
        if (o->kind == SELECT_INPUT && o->what == SELECT_SCC) continue;
        if (o->kind != SELECT_SOURCE || seen >> o->what & 1) return false;
        seen |= 1u << o->what;
    }
    for (; sources < ROW_SRC && row->src[sources].type != T_NO_OPERAND; sources++)
        if (row->src[sources].field == row->dst[0].field || row->src[sources].field == F_literal)
            return false; // the destination is read as well, or a literal must stand there
    return seen == (1u << sources) - 1;
}

// True if the row writes nothing but registers that it names, and SCC.
static bool writes_plain(const struct select_way *w) {
    for (unsigned r = 0; r < w->results; r++) {
        const unsigned place = select_results[w->first + r].place;
        if (place != SELECT_DST0 && place != SELECT_DST1 && place != SELECT_SCC) return false;
    }
    return true;
}

const struct select_entry *compiler_row(const struct compiler *c, unsigned op, enum select_bank bank,
                                        unsigned bits, unsigned from_bits) {
    const struct select_query q = {.op = (enum operation)op,
                                   .bank = bank,
                                   .bits = (uint8_t)(bank == SELECT_M || bank == SELECT_FLAG ? 1 : bits),
                                   .elements = 1,
                                   .operand_bits = (uint8_t)from_bits,
                                   .modes = (uint8_t)modes_of(c->f)};
    const struct select_entry *best = NULL;
    unsigned best_cost = 0;
    if (op >= OPERATIONS) return NULL;
    for (const struct select_entry *e = NULL; (e = select_next(c->isa, &q, e));) {
        const struct select_way *w = select_way_of(e);
        const struct row *row = &isa_rows[w->row];
        const unsigned cost = 4 * select_cost(c->isa, e) + (row->dst[1].type != T_NO_OPERAND);
        if (w->rough || row_gap(row) || !is_simple(row, select_pattern(e)) || !writes_plain(w)) continue;
        if (!best || cost < best_cost) best = e, best_cost = cost;
    }
    return best;
}

const struct row *compiler_named_row(const struct compiler *c, const char *id) {
    const unsigned op = ir_op_named(id, strlen(id));
    return op >= IR_ROWS && op < IR_ROWS + isa_row_count && select_exists(c->isa, op - IR_ROWS) ? ir_row(op)
                                                                                                : NULL;
}

// ---- Operands ----

void selection_refuse(struct selection *s, const char *what) {
    if (s->c->status) return;
    struct ir_inst copy = *s->i;
    copy.operands = 0;
    compiler_refuse(s->c, &copy, what);
}

ir_ref selection_operand(const struct selection *s, unsigned n) {
    const ir_ref r = s->old.operands.items[s->i->first_operand + n];
    if (!ir_is(r, IR_VALUE) || ir_index(r) >= s->old_values || ir_is(s->map[ir_index(r)], IR_NONE)) return r;
    return s->map[ir_index(r)];
}

struct ir_inst *selection_append(struct selection *s, unsigned op, const ir_ref *operands, unsigned count) {
    struct ir_inst *i = ir_append(s->f, op, operands, count);
    i->location = s->i->location;
    return i;
}
ir_ref selection_result(struct selection *s, uint16_t type, enum ir_bank bank) {
    const ir_ref r = ir_result(s->f, type);
    struct ir_value *v = ir_value_of(s->f, r);
    if (v) v->bank = (uint8_t)bank;
    return r;
}

static bool is_inline(const struct selection *s, ir_ref r) {
    static const uint32_t floats[] = {0x3f000000, 0x3f800000, 0x40000000, 0x40800000};
    const struct ir_constant *c = ir_constant_of(s->f, r);
    if (!c) return false;
    const uint32_t n = (uint32_t)c->low;
    const struct ir_type *t = ir_type_at(s->c->m, c->type);
    if ((int32_t)n >= -16 && (int32_t)n <= 64) return true;
    for (size_t i = 0; i < 4 && t->kind == IR_F32; i++)
        if ((n & 0x7fffffff) == floats[i]) return true;
    return false;
}

ir_ref selection_move(struct selection *s, enum ir_bank bank, ir_ref from) {
    const bool keeps = bank == IR_BANK_V && ir_is(from, IR_CONSTANT);
    for (size_t n = 0; n < sizeof s->kept / sizeof *s->kept && keeps; n++)
        if (s->kept[n].constant == from && !ir_is(s->kept[n].value, IR_NONE)) return s->kept[n].value;
    const struct row *row = compiler_named_row(s->c, bank == IR_BANK_S ? "s_mov_b32" : "v_mov_b32");
    const uint16_t type = ir_ref_type(s->f, from);
    if (ir_is(from, IR_VALUE) && ir_type_bits(s->c->m, type) > 32) {
        selection_append(s, OP_p_copy, &from, 1);
        return selection_result(s, type, bank);
    }
    if (!row || ir_type_bits(s->c->m, type) > 32) {
        selection_refuse(s, "a scalar operand of 64 bits here");
        return from;
    }
    selection_append(s, ir_op_of_row(row), &from, 1);
    const ir_ref to = selection_result(s, type, bank);
    if (keeps)
        s->kept[s->keep++ % (sizeof s->kept / sizeof *s->kept)] = (struct selection_constant){from, to};
    return to;
}

static void forget(struct selection *s) {
    for (size_t n = 0; n < sizeof s->kept / sizeof *s->kept; n++) s->kept[n].value = IR_NOTHING;
}

static bool is_scalar_value(const struct selection *s, ir_ref r) {
    const struct ir_value *v = ir_value_of(s->f, r);
    return v && (v->bank == IR_BANK_S || v->bank == IR_BANK_M);
}

// A mask that is the same in all lanes, as a number.
static ir_ref plain(const struct selection *s, ir_ref r) {
    const struct ir_constant *c = ir_constant_of(s->f, r);
    if (!c || c->type != ir_int(s->c->m, 1)) return r;
    return ir_constant_bits(s->f, ir_int(s->c->m, 32), c->low ? 0xffffffff : 0, 0);
}

// Where a source may be a literal: the first one of a short encoding, whose other one is a vector register
// then; any one of a long encoding, if the processor has that.
enum literals { NO_LITERAL, FIRST_LITERAL, ANY_LITERAL };
static enum literals literals_of(const struct selection *s, const struct row *row, const ir_ref *o,
                                 unsigned count) {
    const struct isa *isa = s->c->isa;
    const unsigned format = isa->codings[isa->row_codings[row - isa_rows]].format;
    for (unsigned n = 0; n < count; n++)
        if (!ir_is(o[n], IR_VALUE) && !ir_is(o[n], IR_CONSTANT)) return NO_LITERAL;
    if (isa->vop3_literal && isa->scalar_values > 1 && (is_short(format) || format == FMT_VOP3))
        return ANY_LITERAL;
    bool masks = row->dst[1].type != T_NO_OPERAND || row->dst[0].type == T_MASK;
    for (unsigned n = 0; n < ROW_SRC; n++) masks |= row->src[n].type == T_MASK;
    return !masks && (format == FMT_VOP1 || format == FMT_VOP2) ? FIRST_LITERAL : NO_LITERAL;
}

// Sources of a vector row: so many scalar values as the processor's bus carries, of which a literal is one,
// vector registers where the row takes nothing else. Masks stay where they are.
static void fit_vector(struct selection *s, const struct row *row, ir_ref *o, unsigned count) {
    ir_ref scalars[ROW_SRC + 1];
    unsigned used = 0;
    for (unsigned n = 0; n < count; n++) o[n] = plain(s, o[n]);
    const unsigned most = row->class == CLASS_SHIFT64 ? 1 : s->c->isa->scalar_values;
    if (ir_is_row(s->i->op) && row->reads & R_VCC) scalars[used++] = IR_NOTHING; // VCC is one of them
    for (unsigned n = 0; n < count; n++) {
        const struct ir_value *v = ir_value_of(s->f, o[n]);
        if (v && v->bank == IR_BANK_M) scalars[used++] = o[n];
    }
    const enum literals literals = literals_of(s, row, o, count);
    ir_ref literal = IR_NOTHING;
    for (unsigned n = 0; n < count && literals && ir_is(literal, IR_NONE) && used < most; n++)
        if (ir_constant_of(s->f, o[n]) && !is_inline(s, o[n]) &&
            ir_type_bits(s->c->m, ir_ref_type(s->f, o[n])) <= 32 && !(row->registers >> n & 1) &&
            !(row->scalars >> n & 1) && (!n || literals == ANY_LITERAL))
            literal = scalars[used++] = o[n];
    const bool is_literal_short = !ir_is(literal, IR_NONE) && literals == FIRST_LITERAL;
    for (unsigned n = 0; n < count && !s->c->status; n++) {
        const struct ir_value *v = ir_value_of(s->f, o[n]);
        bool known = false;
        if (o[n] == literal && !(row->registers >> n & 1) && (!n || literals == ANY_LITERAL)) continue;
        if (is_literal_short && ir_constant_of(s->f, o[n])) {
            o[n] = selection_move(s, IR_BANK_V, o[n]);
            continue;
        }
        if (!ir_is(o[n], IR_VALUE) && !ir_is(o[n], IR_CONSTANT)) continue;
        if (row->scalars >> n & 1) { // a scalar register is all that it may be
            if (ir_constant_of(s->f, o[n]) && !is_inline(s, o[n])) o[n] = selection_move(s, IR_BANK_S, o[n]);
            continue;
        }
        if ((v && (v->bank == IR_BANK_V || v->bank == IR_BANK_M)) ||
            (is_inline(s, o[n]) && !(row->registers >> n & 1)))
            continue;
        for (unsigned k = 0; k < used; k++) known |= scalars[k] == o[n];
        const bool fits = is_scalar_value(s, o[n]) && !(row->registers >> n & 1) && (known || used < most);
        if (!fits)
            o[n] = selection_move(s, IR_BANK_V, o[n]);
        else if (!known)
            scalars[used++] = o[n];
    }
}

static void fit_scalar(struct selection *s, ir_ref *o, unsigned count) {
    unsigned literals = 0;
    for (unsigned n = 0; n < count && !s->c->status; n++) {
        o[n] = plain(s, o[n]);
        const struct ir_value *v = ir_value_of(s->f, o[n]);
        if (v && v->bank == IR_BANK_V) selection_refuse(s, "a vector operand of a scalar operation");
        if (ir_constant_of(s->f, o[n]) && !is_inline(s, o[n]) && literals++)
            o[n] = selection_move(s, IR_BANK_S, o[n]);
    }
}

// ---- Rows ----

// The row's sources from the operands of the operation, through the pattern.
static unsigned sources(const struct selection *s, const struct select_entry *e, ir_ref out[ROW_SRC]) {
    const struct select_node *n = select_pattern(e);
    unsigned count = 0;
    for (unsigned k = 0; k < n->count; k++) {
        const struct select_node *o = select_operand(n, k);
        if (o->kind != SELECT_SOURCE) continue;
        out[o->what] = selection_operand(s, k);
        count = o->what >= count ? o->what + 1u : count;
    }
    return count;
}

static void row_of(struct selection *s, const struct select_entry *e, bool vector) {
    const struct row *row = &isa_rows[select_way_of(e)->row];
    ir_ref o[ROW_SRC] = {0};
    const unsigned count = sources(s, e, o);
    if (vector && count == 2 && ir_op_properties(s->i->op) & OPERATION_COMMUTES) {
        const struct ir_value *first = ir_value_of(s->f, o[0]), *second = ir_value_of(s->f, o[1]);
        if (first && first->bank == IR_BANK_V && (!second || second->bank == IR_BANK_S)) {
            const ir_ref r = o[0];
            o[0] = o[1], o[1] = r;
        }
    }
    if (vector)
        fit_vector(s, row, o, count);
    else
        fit_scalar(s, o, count);
    if (!s->c->status) selection_append(s, ir_op_of_row(row), o, count)->modifiers = 0;
}

void selection_map(struct selection *s, uint32_t old, enum ir_bank bank) {
    const struct ir_value v = s->f->values.items[old];
    s->map[old] = selection_result(s, v.type, bank);
}

static bool same_operands(const struct selection *s, const struct ir_inst *a, const struct ir_inst *b) {
    return a->operands == b->operands &&
           !memcmp(s->old.operands.items + a->first_operand, s->old.operands.items + b->first_operand,
                   a->operands * sizeof(ir_ref));
}

// A row whose first result is one operation on its sources and whose other result is another one. NULL: none.
static const struct select_entry *row_of_both(const struct selection *s, unsigned first, unsigned second,
                                              enum select_bank bank) {
    const struct select_query q = {
        .op = (enum operation)second, .bank = (uint8_t)bank, .bits = 1, .elements = 1, .operand_bits = 32};
    for (const struct select_entry *e = NULL; (e = select_next(s->c->isa, &q, e));) {
        const struct select_way *w = select_way_of(e);
        const struct select_node *root = &select_nodes[select_results[w->first].node];
        if (e->result && root->kind == SELECT_OPERATION && root->what == first &&
            is_simple(&isa_rows[w->row], root) && is_simple(&isa_rows[w->row], select_pattern(e)) &&
            writes_plain(w) && !w->rough)
            return e;
    }
    return NULL;
}

// What a sum's carry is called; 0: the operation has none.
static unsigned carry_of(unsigned op) {
    return op == OP_add    ? OP_ucarry
           : op == OP_sub  ? OP_uborrow
           : op == OP_addc ? OP_addc_carry
           : op == OP_subb ? OP_subb_borrow
                           : 0;
}

// A sum and its carry, which the legaliser puts side by side: one row makes both. True if that was so.
static bool with_carry(struct selection *s, const struct ir_inst *next) {
    const unsigned over = s->i->op < OPERATIONS ? carry_of(s->i->op) : 0;
    if (!over || !next || next->op != over || !same_operands(s, s->i, next) || !s->uses[next->first_result])
        return false;
    const bool vector = s->f->values.items[s->i->first_result].bank == IR_BANK_V;
    if (s->f->values.items[next->first_result].bank != (vector ? IR_BANK_M : IR_BANK_SCC)) return false;
    const struct select_entry *e = row_of_both(s, s->i->op, over, vector ? SELECT_M : SELECT_FLAG);
    if (!e) {
        selection_refuse(s, "a sum of 64 bits");
        return true;
    }
    row_of(s, e, vector);
    selection_map(s, s->i->first_result, vector ? IR_BANK_V : IR_BANK_S);
    selection_map(s, next->first_result, vector ? IR_BANK_M : IR_BANK_SCC);
    return true;
}

// Brings to vector registers what a row of only one, long encoding takes nowhere else.
static void fit_by_rule(struct selection *s, const struct row *row, ir_ref *o, unsigned count) {
    const struct isa *isa = s->c->isa;
    const unsigned format = isa->codings[isa->row_codings[row - isa_rows]].format;
    const struct insn in = {.row = row, .format = isa->formats[format]};
    if (is_short(format) || format == FMT_SMEM || format <= FMT_SOPP || !in.format) return;
    for (unsigned n = 0; n < count && n < ROW_SRC && !s->c->status; n++) {
        const unsigned allow = rule_of(isa, &in, RULE_SRC + n, s->f->facts.wave == 32).allow;
        const bool number = ir_is(o[n], IR_CONSTANT);
        if (!(allow & ALLOW_VGPR) || (!number && !is_scalar_value(s, o[n]))) continue;
        if (number ? !(allow & ALLOW_CONSTANT) || (!is_inline(s, o[n]) && !(allow & ALLOW_SGPR))
                   : !(allow & ALLOW_SGPR) && ir_value_of(s->f, o[n])->bank != IR_BANK_M)
            o[n] = selection_move(s, IR_BANK_V, o[n]);
    }
}

// Numbers of scalar rows that take registers alone there.
static void fit_scalars_by_rule(struct selection *s, const struct row *row, ir_ref *o, unsigned count) {
    const struct isa *isa = s->c->isa;
    const unsigned format = isa->codings[isa->row_codings[row - isa_rows]].format;
    const struct insn in = {.row = row, .format = isa->formats[format]};
    for (unsigned n = 0, place = 0; n < count && format <= FMT_SOPP && in.format; n++) {
        if (!ir_is(o[n], IR_CONSTANT) && !ir_is(o[n], IR_VALUE)) continue;
        while (place < ROW_SRC && !(rule_of(isa, &in, RULE_SRC + place, false).allow & ALLOW_SGPR)) place++;
        if (place == ROW_SRC) break;
        const unsigned allow = rule_of(isa, &in, RULE_SRC + place++, false).allow;
        if (ir_is(o[n], IR_CONSTANT) && !(allow & ALLOW_CONSTANT)) o[n] = selection_move(s, IR_BANK_S, o[n]);
    }
}

// A row that the legaliser named: its operands are brought to where it can read them.
static void named(struct selection *s) {
    const struct row *row = ir_row(s->i->op);
    ir_ref o[ROW_SRC + 4] = {0};
    if (s->i->operands > ROW_SRC + 4) {
        selection_refuse(s, "an instruction with so many operands");
        return;
    }
    for (unsigned n = 0; n < s->i->operands; n++) o[n] = plain(s, selection_operand(s, n));
    const enum ir_bank bank =
        s->i->results ? (enum ir_bank)s->f->values.items[s->i->first_result].bank : IR_BANK_S;
    const unsigned tied = s->i->modifiers & IR_TIED ? 1 : 0;
    if (!s->i->memory) fit_scalars_by_rule(s, row, o, s->i->operands);
    if (!s->i->memory && (bank == IR_BANK_V || bank == IR_BANK_M)) {
        fit_by_rule(s, row, o + tied, s->i->operands - tied);
        fit_vector(s, row, o + tied, s->i->operands - tied);
    }
    if (s->i->modifiers & IR_DPP && is_scalar_value(s, o[tied]))
        o[tied] = selection_move(s, IR_BANK_V, o[tied]);
    if (s->i->modifiers & IR_DPP && ir_constant_of(s->f, o[tied]))
        o[tied] = selection_move(s, IR_BANK_V, o[tied]);
    const bool matrix = selection_is_matrix(s, row);
    if (matrix) o[2] = selection_to_acc(s, o[2]);
    const bool scaled = row->enc[0].format == FMT_MAI && s->i->operands == 6;
    if (scaled) // the scales are sources of the prefix
        for (unsigned n = 3; n < 5; n++)
            if (is_scalar_value(s, o[n]) || ir_is(o[n], IR_CONSTANT))
                o[n] = selection_move(s, IR_BANK_V, o[n]);
    if (s->c->status) return;
    struct ir_inst *now = selection_append(s, s->i->op, o, s->i->operands);
    now->modifiers = s->i->modifiers;
    now->memory = s->i->memory;
    for (unsigned r = 0; r < s->i->results; r++) {
        const struct ir_value v = s->f->values.items[s->i->first_result + r];
        s->map[s->i->first_result + r] =
            selection_result(s, v.type, matrix ? IR_BANK_A : (enum ir_bank)v.bank);
    }
}

static void operation(struct selection *s) {
    const struct ir_value v = s->f->values.items[s->i->first_result];
    const struct ir_type t = *ir_type_at(s->c->m, v.type);
    const uint16_t from = ir_ref_type(s->f, selection_operand(s, 0));
    const bool mask_logic = v.bank == IR_BANK_M && s->i->op >= OP_and && s->i->op <= OP_xor;
    const bool vector =
        v.bank == IR_BANK_V || (v.bank == IR_BANK_M && !mask_logic) || s->i->op == OP_readfirstlane;
    const enum select_bank bank = mask_logic || v.bank == IR_BANK_S ? SELECT_S
                                  : v.bank == IR_BANK_M             ? SELECT_M
                                                                    : SELECT_V;
    const unsigned bits = mask_logic ? s->f->facts.wave : t.bits;
    const unsigned from_bits = mask_logic || s->i->op == OP_select ? 0 : ir_type_bits(s->c->m, from);
    const struct select_entry *e = compiler_row(s->c, s->i->op, bank, bits, from_bits);
    if (!e) {
        selection_refuse(s, "an operation that no instruction computes");
        return;
    }
    row_of(s, e, vector);
    if (s->c->status) return;
    selection_map(s, s->i->first_result, (enum ir_bank)v.bank);
    const struct row *row = &isa_rows[select_way_of(e)->row];
    if (row->dst[1].type != T_NO_OPERAND)
        selection_result(s, ir_int(s->c->m, 1), IR_BANK_M); // a carry that nobody wants
}

// ---- The pass ----

static void keep(struct selection *s, unsigned op) {
    selection_append(s, op, s->old.operands.items + s->i->first_operand, s->i->operands)->flags =
        (uint16_t)(s->i->flags & IR_DIVERGENT);
    const uint32_t first = s->f->insts.count ? s->f->insts.items[s->f->insts.count - 1].first_operand : 0;
    for (unsigned n = 0; n < s->i->operands && op != OP_phi; n++)
        s->f->operands.items[first + n] = selection_operand(s, n);
    if (s->i->results)
        selection_map(s, s->i->first_result, (enum ir_bank)s->f->values.items[s->i->first_result].bank);
}

// The same registers under another type.
static void rename_value(struct selection *s) {
    const struct ir_value *v = ir_value_of(s->f, selection_operand(s, 0));
    const bool acc = v && v->bank == IR_BANK_A;
    keep(s, OP_p_copy);
    ir_value_of(s->f, s->map[s->i->first_result])->bank =
        (uint8_t)(acc ? IR_BANK_A : s->f->values.items[s->i->first_result].bank);
}

// Operands of inline assembly in registers of the kind that it wants.
static void inline_asm(struct selection *s) {
    struct constraints k;
    ir_ref o[2 * MOST_CONSTRAINTS];
    compiler_asm_constraints(s->c, selection_operand(s, 1), &k);
    for (unsigned n = 0; n < s->i->operands && n < 2 * MOST_CONSTRAINTS; n++) {
        o[n] = selection_operand(s, n);
        const char kind = n > 1 && n < k.inputs + 2 ? k.of[k.results + n - 2].kind : 'i';
        const struct ir_value *v = ir_value_of(s->f, o[n]);
        if (kind == 'i') continue;
        if (!v || (v->bank == IR_BANK_S) != (kind == 's'))
            o[n] = selection_move(s, kind == 's' ? IR_BANK_S : IR_BANK_V, o[n]);
        // What the text brings to a certain register comes from a vector register.
        const struct constraint *one = &k.of[k.results + n - 2];
        if (kind == 'a' && !one->dwords && one->tied == NOT_TIED) o[n] = selection_to_acc(s, o[n]);
    }
    struct ir_inst *i = selection_append(s, OP_inline_asm, o, s->i->operands);
    i->modifiers = s->i->modifiers;
    i->flags = s->i->flags;
    for (unsigned r = 0; r < s->i->results; r++) {
        const struct ir_value v = s->f->values.items[s->i->first_result + r];
        const bool acc = k.of[r].kind == 'a' && !k.of[r].dwords;
        s->map[s->i->first_result + r] = selection_result(s, v.type, acc ? IR_BANK_A : (enum ir_bank)v.bank);
    }
    for (unsigned r = 0; r < s->i->results; r++) { // phis take single dwords as they are
        ir_ref *now = &s->map[s->i->first_result + r];
        if (ir_type_bits(s->c->m, ir_ref_type(s->f, *now)) <= 32) *now = selection_from_acc(s, *now);
    }
}

static void end(struct selection *s) {
    const struct row *row = compiler_named_row(s->c, "s_endpgm");
    if (row)
        selection_append(s, ir_op_of_row(row), NULL, 0);
    else
        selection_refuse(s, "the program's end");
}

// Constants are not kept in registers over a call.
static void call(struct selection *s) {
    struct ir_inst *i =
        selection_append(s, s->i->op, s->old.operands.items + s->i->first_operand, s->i->operands);
    i->flags = s->i->flags;
    const uint32_t first = i->first_operand;
    for (unsigned n = 0; n < s->i->operands && !s->c->m->failed; n++)
        s->f->operands.items[first + n] = selection_operand(s, n);
    for (unsigned r = 0; r < s->i->results; r++) selection_map(s, s->i->first_result + r, IR_BANK_V);
    forget(s);
}

// One that takes no accumulation registers.
static void plain_instruction(struct selection *s, const struct ir_inst *next, bool *pair) {
    switch (s->i->op) {
    case OP_load:
    case OP_atomic_load: selection_load(s); return;
    case OP_store:
    case OP_atomic_store: selection_store(s); return;
    case OP_barrier: selection_barrier(s); return;
    case OP_aperture: selection_aperture(s); return;
    case OP_fence:
        keep(s, OP_fence);
        s->f->insts.items[s->f->insts.count - 1].memory = s->i->memory;
        return;
    case OP_keep: return; // what it keeps has been selected
    case OP_end_program: end(s); return;
    case OP_inline_asm: inline_asm(s); return;
    case OP_p_call:
    case OP_p_tail_call:
    case OP_p_chain: call(s); return;
    case OP_p_moves:
    case OP_p_exit:
    case OP_p_return: keep(s, s->i->op); return;
    case OP_phi:
        if (!array_push(&s->phis, (uint32_t)s->f->insts.count)) compiler_no_memory(s->c);
        keep(s, OP_phi);
        return;
    case OP_jump:
    case OP_branch:
    case OP_unreachable:
    case OP_p_end_lanes:
    case OP_p_whole:
    case OP_p_quads:
    case OP_p_set_inactive:
    case OP_p_address:
    case OP_p_tuple:
    case OP_p_part: keep(s, s->i->op); return;
    case OP_copy:
    case OP_p_copy: keep(s, OP_p_copy); return;
    case OP_bitcast: rename_value(s); return;
    default: break;
    }
    if (s->i->op >= OP_atomic_xchg && s->i->op <= OP_atomic_cmpxchg) {
        selection_atomic(s, s->uses[s->i->first_result]);
        return;
    }
    if ((*pair = with_carry(s, next))) return;
    if (ir_is_row(s->i->op))
        named(s);
    else if (s->i->results == 1 && s->i->op < OPERATIONS)
        operation(s);
    else
        selection_refuse(s, "this operation");
}

static void instruction(struct selection *s, const struct ir_inst *next, bool *pair) {
    struct selection_read reads[8];
    if (selection_part_of_acc(s)) return;
    const bool matrix = ir_is_row(s->i->op) && selection_is_matrix(s, ir_row(s->i->op));
    const unsigned count = matrix || s->i->op == OP_bitcast ? 0 : selection_read_accs(s, reads, 8);
    if (!s->c->status) plain_instruction(s, next, pair);
    for (unsigned n = 0; n < count; n++) s->map[reads[n].old] = reads[n].was;
}

// What phis take from blocks behind them is known when all are done.
static void fill_phi(struct selection *s, const struct ir_inst *phi) {
    for (unsigned n = 1; n < phi->operands; n += 2) {
        ir_ref *r = &s->f->operands.items[phi->first_operand + n];
        if (ir_is(*r, IR_VALUE) && ir_index(*r) < s->old_values && !ir_is(s->map[ir_index(*r)], IR_NONE))
            *r = s->map[ir_index(*r)];
    }
}

// Uses of each value, so that what nobody needs is not selected.
static bool is_dead(const uint32_t *uses, const struct ir_inst *i) {
    const unsigned kept = OPERATION_WRITES | OPERATION_EFFECT | OPERATION_TERMINATOR | OPERATION_CONVERGENT;
    const bool writes = ir_is_row(i->op) && ir_row(i->op)->flags & ROW_STORE;
    return i->results == 1 && !uses[i->first_result] && !writes && !(ir_op_properties(i->op) & kept);
}

static uint32_t *count_uses(struct selection *s) {
    uint32_t *uses = calloc(s->f->values.count + 1, sizeof *uses);
    for (size_t n = 0; uses && n < s->old.operands.count; n++)
        if (ir_is(s->old.operands.items[n], IR_VALUE)) uses[ir_index(s->old.operands.items[n])] = 0;
    for (size_t n = 0; uses && n < s->old.insts.count; n++)
        for (unsigned k = 0; k < s->old.insts.items[n].operands; k++) {
            const ir_ref r = s->old.operands.items[s->old.insts.items[n].first_operand + k];
            if (ir_is(r, IR_VALUE)) uses[ir_index(r)]++;
        }
    // Backwards: what only dead instructions use is dead.
    for (size_t n = s->old.insts.count; uses && n-- > 0;) {
        const struct ir_inst *i = &s->old.insts.items[n];
        if (!is_dead(uses, i)) continue;
        for (unsigned k = 0; k < i->operands; k++) {
            const ir_ref r = s->old.operands.items[i->first_operand + k];
            if (ir_is(r, IR_VALUE)) uses[ir_index(r)]--;
        }
    }
    return uses;
}

static bool is_scalar_operand(const struct selection *s, ir_ref r) {
    const struct ir_value *v = ir_value_of(s->f, r);
    return v ? v->bank == IR_BANK_S : ir_is(r, IR_CONSTANT);
}

// The comparison of scalar values for which alone a block ends in a branch that all lanes take alike: it is
// done in front of the branch, which asks SCC. NULL: there is none.
static const struct ir_inst *scalar_condition(const struct selection *s, const struct ir_block *b) {
    const struct ir_inst *first = &s->old.insts.items[b->first], *end = first + b->count - 1;
    if (!b->count || end->op != OP_branch || end->flags & IR_DIVERGENT) return NULL;
    const ir_ref condition = s->old.operands.items[end->first_operand];
    for (const struct ir_inst *i = first; i < end; i++) {
        if (i->results != 1 || ir_make(IR_VALUE, i->first_result) != condition) continue;
        if (i->op < OP_eq || i->op > OP_sge || i->operands != 2 || s->uses[i->first_result] != 1) return NULL;
        const ir_ref *o = s->old.operands.items + i->first_operand;
        const ir_ref typed = ir_is(o[0], IR_CONSTANT) ? o[1] : o[0];
        return is_scalar_operand(s, o[0]) && is_scalar_operand(s, o[1]) &&
                       ir_type_bits(s->c->m, ir_ref_type(s->f, typed)) == 32 &&
                       compiler_row(s->c, i->op, SELECT_FLAG, 0, 32)
                   ? i
                   : NULL;
    }
    return NULL;
}

static void compare_scalars(struct selection *s, const struct ir_inst *compare) {
    const struct ir_inst *branch = s->i;
    s->i = compare;
    row_of(s, compiler_row(s->c, compare->op, SELECT_FLAG, 0, 32), false);
    selection_map(s, compare->first_result, IR_BANK_SCC);
    s->i = branch;
}

void compiler_select(struct compiler *c) {
    struct selection s = {.c = c, .f = c->f, .old_values = (uint32_t)c->f->values.count};
    ir_take(c->f, &s.old);
    uint32_t *uses = count_uses(&s);
    s.uses = uses;
    s.map = malloc((s.old_values + 1) * sizeof *s.map);
    if (!s.map || !uses) compiler_no_memory(c);
    for (uint32_t v = 0; s.map && v < s.old_values; v++) s.map[v] = IR_NOTHING;
    for (size_t b = 0; b < s.old.blocks.count && !c->status; b++) {
        const struct ir_block *block = &s.old.blocks.items[b];
        const struct ir_inst *condition = scalar_condition(&s, block);
        forget(&s);
        ir_block_add(c->f);
        for (uint32_t n = 0; n < block->count && !c->status && !c->m->failed; n++) {
            bool pair = false;
            s.i = &s.old.insts.items[block->first + n];
            if (s.i == condition) continue;
            if (condition && n + 1 == block->count) compare_scalars(&s, condition);
            const struct ir_inst *next = n + 1 < block->count ? s.i + 1 : NULL;
            if (is_dead(uses, s.i) && !(next && s.i->op < OPERATIONS && carry_of(s.i->op) &&
                                        next->op == carry_of(s.i->op) && uses[next->first_result]))
                continue;
            instruction(&s, next, &pair);
            n += pair;
        }
    }
    for (size_t n = 0; n < s.phis.count && !c->status && !c->m->failed; n++)
        fill_phi(&s, &c->f->insts.items[s.phis.items[n]]);
    array_free(&s.phis);
    free(uses);
    free(s.map);
    ir_old_free(&s.old);
}
