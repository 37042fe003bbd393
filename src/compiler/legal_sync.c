// SPDX-License-Identifier: MIT
// Semaphores and barriers of the whole device (llvm.amdgcn.ds.gws.*), and loads from memory to LDS
// (llvm.amdgcn.global.load.lds, load.to.lds). Both take an address from M0.
#include "compiler/buffer.h"
#include "compiler/legal_buffer.h"
#include "isa/counters.h"
#include "isa/names.h"

#include <stdio.h>

// ---- Global wave sync ----

// The resource's number, whose constant part stands in the instruction: M0 has the rest above its 16th bit.
static uint32_t resource(struct legal *g, ir_ref number) {
    const struct ir_constant *k = ir_constant_of(g->f, number);
    const ir_ref base =
        k ? legal_number(g, 0)
          : EMIT(g, OP_shl, IR_BANK_S, legal_scalar(g, legal_part(g, number, 0)), legal_number(g, 16));
    legal_fix_m0(g, base);
    return k ? (uint32_t)k->low & 0xffff : 0;
}

// The count in a register whose number is even: some processors read a pair there.
static ir_ref count_of(struct legal *g, ir_ref count) {
    ir_ref pair[2] = {legal_part(g, count, 0), IR_NOTHING}, parts[2];
    pair[1] = pair[0];
    const ir_ref both = legal_tuple(g, IR_BANK_V, g->i64, pair, 2);
    legal_parts_of(g, both, 2, g->i32, parts);
    return parts[0];
}

static bool global_sync(struct legal *g, const char *name) {
    static const struct {
        char name[20];
        bool counts; // the first argument is a count
    } all[] = {{"init", true},    {"barrier", true}, {"sema.br", true},
               {"sema.v", false}, {"sema.p", false}, {"sema.release.all", false}};
    char id[40];
    unsigned n = 0;
    while (n < 6 && strcmp(name, all[n].name)) n++;
    if (n == 6) return false;
    snprintf(id, sizeof id, "ds_gws_%s", all[n].name);
    for (char *s = id; *s; s++)
        if (*s == '.') *s = '_';
    const struct row *row = compiler_named_row(g->c, id);
    if (!row) return false;
    const ir_ref count = all[n].counts ? count_of(g, legal_operand(g, 1)) : IR_NOTHING;
    const ir_ref place = ir_immediate((int32_t)resource(g, legal_operand(g, all[n].counts ? 2 : 1)));
    if (g->c->status) return true;
    const ir_ref o[] = {count, place};
    struct ir_inst *i = ir_append(g->f, ir_op_of_row(row), all[n].counts ? o : o + 1, all[n].counts ? 2 : 1);
    i->location = g->i->location;
    i->flags = IR_CONVERGENT;
    return true;
}

// ---- Counts in the order of waves ----

// llvm.amdgcn.ds.ordered.add and swap: the counter's place (in M0), a value, order, scope, whether it is
// volatile, the counter's number (and, where rows take several dwords, how many), whether the next wave may
// go on, whether this one is done with counters.
static bool ordered_count(struct legal *g, bool swap) {
    enum { PLACE = 1, VALUE, INDEX = 6, RELEASE, DONE };
    const struct ir_constant *number = ir_constant_of(g->f, legal_operand(g, INDEX)),
                             *release = ir_constant_of(g->f, legal_operand(g, RELEASE)),
                             *done = ir_constant_of(g->f, legal_operand(g, DONE));
    const struct row *row = compiler_named_row(g->c, "ds_ordered_count");
    const struct isa *isa = g->c->isa;
    const unsigned convention = g->f->facts.convention;
    if (!row || !number || !release || !done) return false;
    const bool counts = isa_ordered_counts_dwords(isa), staged = isa_ordered_names_stage(isa);
    const uint32_t index = (uint32_t)number->low, dwords = counts ? index >> 24 & 15 : 1;
    if (index & ~(0x3fu | (counts ? 15u << 24 : 0u)) || dwords < 1 || dwords > 4 ||
        (done->low && !release->low)) {
        legal_refuse(g, "an ordered count with these numbers");
        return true;
    }
    if (staged && convention != IR_OWN && convention != IR_PIXEL_SHADER) { // of which stage is not known
        legal_refuse(g, "an ordered count in a shader of this kind");
        return true;
    }
    const unsigned stage = staged && convention == IR_PIXEL_SHADER;
    const uint32_t modes = (release->low ? 1u : 0u) | (done->low ? 2u : 0u) | stage << 2 |
                           (swap ? 1u << 4 : 0u) | (dwords - 1) << 6;
    legal_fix_m0(g, legal_scalar(g, legal_part(g, legal_operand(g, PLACE), 0)));
    const ir_ref value = legal_part(g, legal_operand(g, VALUE), 0);
    const ir_ref o[] = {value, ir_immediate((int32_t)((index & 0x3f) << 2 | modes << 8))};
    if (g->c->status) return true;
    ir_ref r = legal_emit_as(g, ir_op_of_row(row), IR_BANK_V, g->i32, o, 2);
    struct ir_inst *i = ir_def(g->f, r);
    if (i) i->flags = IR_CONVERGENT;
    legal_set_parts(g, &r, 1);
    return true;
}

// ---- Loads to LDS ----

// An address of each lane, LDS, size, offset, policy.
static bool load_to_lds(struct legal *g) {
    enum { ADDRESS = 1, TO, SIZE, OFFSET, POLICY };
    const struct ir_constant *size = ir_constant_of(g->f, legal_operand(g, SIZE)),
                             *offset = ir_constant_of(g->f, legal_operand(g, OFFSET)),
                             *policy = ir_constant_of(g->f, legal_operand(g, POLICY));
    const struct isa *isa = g->c->isa;
    struct ir_memory m = {.space = IR_GLOBAL, .align_log2 = 2};
    char id[40];
    if (!size || !offset || !policy) return false;
    const char kind = size->low < 4 ? 'u' : 'b';
    snprintf(id, sizeof id, "global_load_lds_%c%u", kind, (unsigned)size->low * 8);
    const struct row *row = compiler_named_row(g->c, id);
    const bool own = row != NULL; // or a mode of the plain load
    snprintf(id, sizeof id, "global_load_%c%u", kind, (unsigned)size->low * 8);
    if (!own) row = compiler_named_row(g->c, id);
    const struct insn in = {
        .row = row,
        .format = row ? isa->formats[isa->codings[isa->row_codings[row - isa_rows]].format] : NULL};
    if (!row || (!own && (!insn_has(&in, F_lds) || !isa_loads_to_lds(isa, row)))) return false;
    if (!legal_cache(g, row, (uint32_t)policy->low, &m)) legal_refuse(g, "a cache policy of this kind");
    m.bytes = (uint16_t)size->low;
    ir_ref at[2] = {legal_part(g, legal_operand(g, ADDRESS), 0), legal_part(g, legal_operand(g, ADDRESS), 1)};
    const int32_t more = (int32_t)offset->low;
    const bool fits = more >= 0 && (uint32_t)more <= compiler_greatest_offset(g->c, &m);
    if (!fits) {
        const ir_ref by[2] = {legal_number(g, (uint32_t)more), legal_number(g, more < 0 ? 0xffffffffu : 0)};
        ir_ref sum[2];
        g->bank = IR_BANK_V;
        legal_add(g, false, at, by, sum, 2);
        at[0] = sum[0], at[1] = sum[1];
    }
    for (unsigned d = 0; d < 2; d++) {
        const struct ir_value *v = ir_value_of(g->f, at[d]);
        if (!v || v->bank != IR_BANK_V) at[d] = legal_emit_as(g, OP_copy, IR_BANK_V, g->i32, &at[d], 1);
    }
    const ir_ref address = legal_tuple(g, IR_BANK_V, g->i64, at, 2);
    legal_fix_m0(g, legal_lds_target(g, TO, fits ? 0 : (uint32_t)more));
    if (g->c->status) return true;
    const ir_ref o[] = {address, IR_NOTHING, ir_immediate(BUFFER_LDS), ir_immediate(fits ? more : 0)};
    struct ir_inst *i = ir_append(g->f, ir_op_of_row(row), o, 4);
    i->location = g->i->location;
    i->memory = ir_memory_add(g->f, &m);
    return true;
}

bool legal_sync(struct legal *g, const char *name) {
    if (!strncmp(name, "ds.gws.", 7)) return global_sync(g, name + 7);
    if (!strcmp(name, "ds.ordered.add") || !strcmp(name, "ds.ordered.swap"))
        return ordered_count(g, name[11] == 's');
    return (!strncmp(name, "global.load.lds", 15) || !strncmp(name, "load.to.lds", 11)) && load_to_lds(g);
}
