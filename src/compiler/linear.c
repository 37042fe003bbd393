// SPDX-License-Identifier: MIT
// SSA form for variables of the wave's way: a reading at a block's beginning becomes the definition that
// reaches it, or a phi where several do (the method of Braun and others, with all blocks known from the
// start).
#include "compiler/control.h"

uint32_t linear_variable(struct linear *l, uint16_t type, enum ir_bank bank, ir_ref standard) {
    if (!array_push(&l->types, type) || !array_push(&l->banks, (uint8_t)bank) ||
        !array_push(&l->standard, standard))
        compiler_no_memory(l->c);
    return l->variables++;
}

void linear_define(struct linear *l, uint32_t variable, uint32_t block, ir_ref value) {
    if (!array_push(&l->definitions, (struct linear_definition){variable, block, value}))
        compiler_no_memory(l->c);
}

void linear_read_as(struct linear *l, uint32_t variable, uint32_t block, uint32_t value) {
    if (!array_push(&l->readings, (struct linear_reading){variable, block, value})) compiler_no_memory(l->c);
}

static ir_ref new_value(struct linear *l, uint32_t variable) {
    const uint32_t value = ir_value_add(l->f, l->types.items[variable]);
    if (!l->f->module->failed) l->f->values.items[value].bank = l->banks.items[variable];
    return ir_make(IR_VALUE, value);
}

ir_ref linear_read(struct linear *l, uint32_t variable, uint32_t block) {
    const ir_ref r = new_value(l, variable);
    linear_read_as(l, variable, block, ir_index(r));
    return r;
}

// ---- What reaches a block ----

struct phi {
    uint32_t block, value, variable;
};
struct search {
    struct linear *l;
    struct ir_function *f;
    ir_ref *at_end, *at_begin; // by block, of the variable at hand
    uint32_t *at_begin_of;     // the variable plus one for which at_begin is known
    uint32_t *at_end_of;
    ARRAY(struct phi) phis;
    ARRAY(ir_ref) replaced; // by value: what stands for it; IR_NOTHING: itself
    ARRAY(uint32_t) path;
    ARRAY(uint32_t) homes; // by value: the block of a phi, plus one
};

static void set_home(struct search *s, uint32_t value, uint32_t block) {
    while (s->homes.count <= value)
        if (!array_push(&s->homes, 0)) {
            compiler_no_memory(s->l->c);
            return;
        }
    s->homes.items[value] = block + 1;
}

static void set_replaced(struct search *s, uint32_t value, ir_ref by) {
    while (s->replaced.count <= value)
        if (!array_push(&s->replaced, IR_NOTHING)) {
            compiler_no_memory(s->l->c);
            return;
        }
    s->replaced.items[value] = by;
}

static ir_ref resolve(const struct search *s, ir_ref r) {
    while (ir_is(r, IR_VALUE) && ir_index(r) < s->replaced.count &&
           !ir_is(s->replaced.items[ir_index(r)], IR_NONE))
        r = s->replaced.items[ir_index(r)];
    return r;
}

// What reaches the beginning of a block: over blocks with one way in, back to a definition or to a block with
// several, where a phi stands (which is filled later).
static ir_ref reaching(struct search *s, uint32_t variable, uint32_t block) {
    ir_ref found = IR_NOTHING;
    s->path.count = 0;
    for (;;) {
        if (s->at_begin_of[block] == variable + 1) {
            found = s->at_begin[block];
            break;
        }
        if (!array_push(&s->path, block)) compiler_no_memory(s->l->c);
        const struct ir_block *b = &s->f->blocks.items[block];
        if (!b->predecessor_count || s->l->c->status) {
            found = s->l->standard.items[variable];
            break;
        }
        if (b->predecessor_count > 1) {
            found = new_value(s->l, variable);
            if (!array_push(&s->phis, (struct phi){block, ir_index(found), variable}))
                compiler_no_memory(s->l->c);
            set_home(s, ir_index(found), block);
            break;
        }
        block = s->f->edges.items[b->predecessors];
        if (s->at_end_of[block] == variable + 1) {
            found = s->at_end[block];
            break;
        }
    }
    for (size_t n = 0; n < s->path.count; n++) {
        s->at_begin[s->path.items[n]] = found;
        s->at_begin_of[s->path.items[n]] = variable + 1;
    }
    return found;
}

static ir_ref at_end(struct search *s, uint32_t variable, uint32_t block) {
    return s->at_end_of[block] == variable + 1 ? s->at_end[block] : reaching(s, variable, block);
}

// ---- Phis ----

struct filled {
    uint32_t first, count; // among operands: pairs of a block and a value
};

// The block that defines a value. Phis are not in the function yet.
static uint32_t home_of(const struct search *s, uint32_t value) {
    if (value < s->homes.count && s->homes.items[value]) return s->homes.items[value] - 1;
    const uint32_t def = s->f->values.items[value].def;
    uint32_t low = 0, high = (uint32_t)s->f->blocks.count;
    if (def >= s->f->insts.count) return 0;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (s->f->blocks.items[middle].first <= def)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// True if the phi stands for one value alone, which then replaces it. What comes over some ways is undefined:
// that may be the value as well, if it is there already.
static bool is_trivial(struct search *s, const struct phi *p, const ir_ref *operands, uint32_t count) {
    ir_ref only = IR_NOTHING;
    bool undefined = false;
    for (uint32_t n = 1; n < count; n += 2) {
        const ir_ref r = resolve(s, operands[n]);
        if (r == ir_make(IR_VALUE, p->value) || r == only) continue;
        const struct ir_constant *k = ir_constant_of(s->f, r);
        if (k && k->poison) {
            undefined = true;
            continue;
        }
        if (!ir_is(only, IR_NONE)) return false;
        only = r;
    }
    if (ir_is(only, IR_NONE)) only = ir_poison(s->f, s->l->types.items[p->variable]);
    if (undefined && ir_is(only, IR_VALUE) && !ir_dominates(s->f, home_of(s, ir_index(only)), p->block))
        return false;
    set_replaced(s, p->value, only);
    return true;
}

static void simplify(struct search *s, const struct filled *filled, const ir_ref *operands) {
    for (bool changed = true; changed && !s->l->c->status;) {
        changed = false;
        for (size_t n = 0; n < s->phis.count; n++) {
            const uint32_t value = s->phis.items[n].value;
            if (value < s->replaced.count && !ir_is(s->replaced.items[value], IR_NONE)) continue;
            changed |= is_trivial(s, &s->phis.items[n], operands + filled[n].first, filled[n].count);
        }
    }
}

// Writes the function anew, with phis and without readings.
static void rewrite(struct search *s, const struct filled *filled, ir_ref *operands) {
    struct ir_old old = {0};
    ir_take(s->f, &old);
    // Phis by block.
    uint32_t *first = malloc((old.blocks.count + 1) * sizeof *first);
    uint32_t *next = malloc((s->phis.count + 1) * sizeof *next);
    if (!first || !next) compiler_no_memory(s->l->c);
    for (size_t b = 0; b < old.blocks.count && first; b++) first[b] = IR_NOWHERE;
    for (size_t n = s->phis.count; n-- > 0 && !s->l->c->status;) {
        next[n] = first[s->phis.items[n].block];
        first[s->phis.items[n].block] = (uint32_t)n;
    }
    for (uint32_t b = 0; b < old.blocks.count && !s->l->c->status && !s->f->module->failed; b++) {
        ir_block_add(s->f);
        for (uint32_t p = first[b]; p != IR_NOWHERE; p = next[p]) {
            const uint32_t value = s->phis.items[p].value;
            if (resolve(s, ir_make(IR_VALUE, value)) != ir_make(IR_VALUE, value)) continue;
            ir_append(s->f, OP_phi, operands + filled[p].first, filled[p].count);
            ir_define(s->f, value);
        }
        const struct ir_block *block = &old.blocks.items[b];
        for (uint32_t n = block->first; n < block->first + block->count && !s->f->module->failed; n++)
            ir_copy(s->f, &old, &old.insts.items[n]);
    }
    for (size_t n = 0; n < s->f->operands.count; n++)
        s->f->operands.items[n] = resolve(s, s->f->operands.items[n]);
    free(first);
    free(next);
    ir_old_free(&old);
}

// Definitions of a variable, then its readings: both lists are sorted by variable.
static int by_variable(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void find_readings(struct search *s) {
    struct linear *l = s->l;
    if (l->readings.count)
        qsort(l->readings.items, l->readings.count, sizeof *l->readings.items, by_variable);
    // Of several definitions in one block the last counts: sorting may not exchange them.
    uint32_t *first = malloc((l->variables + 1) * sizeof *first);
    uint32_t *next = malloc((l->definitions.count + 1) * sizeof *next);
    if (!first || !next) compiler_no_memory(l->c);
    for (uint32_t v = 0; v < l->variables && first; v++) first[v] = IR_NOWHERE;
    for (size_t d = l->definitions.count; d-- > 0 && !l->c->status;) {
        next[d] = first[l->definitions.items[d].variable];
        first[l->definitions.items[d].variable] = (uint32_t)d;
    }
    ARRAY(struct filled) filled = {0};
    ARRAY(ir_ref) operands = {0};
    size_t phi = 0;
    for (size_t n = 0; n < l->readings.count && !l->c->status;) {
        const uint32_t variable = l->readings.items[n].variable;
        for (uint32_t d = first[variable]; d != IR_NOWHERE; d = next[d]) {
            const struct linear_definition *def = &l->definitions.items[d];
            s->at_end[def->block] = def->value;
            s->at_end_of[def->block] = variable + 1;
        }
        for (; n < l->readings.count && l->readings.items[n].variable == variable; n++)
            set_replaced(s, l->readings.items[n].value, reaching(s, variable, l->readings.items[n].block));
        // Filling a phi may find more of them.
        for (; phi < s->phis.count && !l->c->status; phi++) {
            const struct phi p = s->phis.items[phi];
            const struct ir_block *b = &s->f->blocks.items[p.block];
            struct filled f = {(uint32_t)operands.count, 0};
            for (uint32_t e = 0; e < b->predecessor_count; e++) {
                const uint32_t from = s->f->edges.items[b->predecessors + e];
                const ir_ref value = at_end(s, variable, from);
                if (!array_push(&operands, ir_make(IR_BLOCK, from)) || !array_push(&operands, value))
                    compiler_no_memory(l->c);
                f.count += 2;
            }
            if (!array_push(&filled, f)) compiler_no_memory(l->c);
        }
    }
    if (!l->c->status) simplify(s, filled.items, operands.items);
    if (!l->c->status) rewrite(s, filled.items, operands.items);
    free(first);
    free(next);
    array_free(&filled);
    array_free(&operands);
}

void linear_finish(struct linear *l) {
    struct search s = {.l = l, .f = l->f};
    const size_t blocks = l->f->blocks.count + 1;
    s.at_end = calloc(blocks, sizeof *s.at_end);
    s.at_begin = calloc(blocks, sizeof *s.at_begin);
    s.at_end_of = calloc(blocks, sizeof *s.at_end_of);
    s.at_begin_of = calloc(blocks, sizeof *s.at_begin_of);
    if (!s.at_end || !s.at_begin || !s.at_end_of || !s.at_begin_of)
        compiler_no_memory(l->c);
    else
        find_readings(&s);
    free(s.at_end);
    free(s.at_begin);
    free(s.at_end_of);
    free(s.at_begin_of);
    array_free(&s.phis);
    array_free(&s.replaced);
    array_free(&s.path);
    array_free(&s.homes);
}

void linear_free(struct linear *l) {
    array_free(&l->types);
    array_free(&l->banks);
    array_free(&l->standard);
    array_free(&l->definitions);
    array_free(&l->readings);
}
