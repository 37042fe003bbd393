// SPDX-License-Identifier: MIT
// Copies between memory and LDS, and of tensors, that go on while the wave does (llvm.amdgcn.*.async.*,
// llvm.amdgcn.tensor.*), loads that watch memory or are one for a cluster, and prefetches. Each is a row of
// its own name. The program waits for copies itself.
#include "compiler/legal_buffer.h"
#include "isa/counters.h"

#include <stdio.h>

// The row of an intrinsic's name, whose suffixes of types are left out.
static const struct row *row_of(const struct legal *g, const char *name) {
    static const char others[][2][28] = {{"flat.prefetch", "flat_prefetch_b8"},
                                         {"global.prefetch", "global_prefetch_b8"},
                                         {"tensor.load.to.lds.d2", "tensor_load_to_lds"},
                                         {"tensor.store.from.lds.d2", "tensor_store_from_lds"}};
    char id[64];
    size_t n = 0;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (!strcmp(name, others[k][0])) return compiler_named_row(g->c, others[k][1]);
    for (; name[n] && n < sizeof id - 1; n++) {
        if (name[n] == '.' && strchr("ivp", name[n + 1]) && strchr("0123456789", name[n + 2])) break;
        id[n] = (char)(name[n] == '.' ? '_' : name[n]);
    }
    id[n] = 0;
    return compiler_named_row(g->c, id);
}

static bool number(const struct legal *g, unsigned operand, uint32_t *out) {
    const struct ir_constant *k = ir_constant_of(g->f, legal_operand(g, operand));
    if (k) *out = (uint32_t)k->low;
    return k != NULL;
}

static ir_ref in_vector(struct legal *g, ir_ref r) {
    const struct ir_value *v = ir_value_of(g->f, r);
    return v && v->bank == IR_BANK_V ? r : legal_emit_as(g, OP_copy, IR_BANK_V, g->i32, &r, 1);
}

// The address of each lane, plus a number.
static ir_ref address(struct legal *g, unsigned operand, int32_t more) {
    ir_ref at[2] = {legal_part(g, legal_operand(g, operand), 0), legal_part(g, legal_operand(g, operand), 1)};
    if (more) {
        const ir_ref by[2] = {legal_number(g, (uint32_t)more), legal_number(g, more < 0 ? 0xffffffffu : 0)};
        ir_ref sum[2];
        g->bank = IR_BANK_V;
        legal_add(g, false, at, by, sum, 2);
        at[0] = sum[0], at[1] = sum[1];
    }
    for (unsigned d = 0; d < 2; d++) at[d] = in_vector(g, at[d]);
    return legal_tuple(g, IR_BANK_V, g->i64, at, 2);
}

static struct ir_inst *append(struct legal *g, const struct row *row, const ir_ref *o, unsigned count,
                              const struct ir_memory *m) {
    struct ir_inst *i = ir_append(g->f, ir_op_of_row(row), o, count);
    i->location = g->i->location;
    i->flags = g->i->flags & IR_CONVERGENT;
    if (m) i->memory = ir_memory_add(g->f, m);
    return i;
}

// The policy bits in argument `operand`. False, and refused: there is something else.
static bool policy(struct legal *g, const struct row *row, unsigned operand, struct ir_memory *m) {
    uint32_t bits;
    const bool fits = number(g, operand, &bits) && legal_cache(g, row, bits, m);
    if (!fits) legal_refuse(g, "a cache policy of this kind");
    return fits;
}

// ---- Copies ----

// Memory, LDS, an offset that is added to both, policy, and of clusters which groups want it.
static void copy(struct legal *g, const struct row *row) {
    enum { MEMORY = 1, LDS, OFFSET, POLICY, GROUPS };
    const bool to_lds = row->flags & ROW_LOAD;
    struct ir_memory m = {.space = IR_GLOBAL, .bytes = 1};
    uint32_t offset = 0;
    if (!policy(g, row, POLICY, &m) || !number(g, OFFSET, &offset)) {
        legal_refuse(g, "an operand that is no constant here");
        return;
    }
    const bool fits = offset <= isa_greatest_offset(g->c->isa, FMT_GLOBAL);
    const ir_ref memory = address(g, MEMORY, fits ? 0 : (int32_t)offset);
    ir_ref lds = in_vector(g, legal_part(g, legal_operand(g, LDS), 0));
    if (!fits) lds = EMIT(g, OP_add, IR_BANK_V, lds, legal_number(g, offset));
    if (row->reads & R_M0) legal_fix_m0(g, legal_scalar(g, legal_part(g, legal_operand(g, GROUPS), 0)));
    if (g->c->status) return;
    const ir_ref place = ir_immediate(fits ? (int32_t)offset : 0);
    const ir_ref o[] = {to_lds ? lds : memory, to_lds ? memory : lds, IR_NOTHING, place};
    append(g, row, o, 4, &m);
}

// A descriptor of two or four tuples, the same for all lanes, and policy.
static void tensor(struct legal *g, const struct row *row, bool two) {
    static const uint8_t dwords[] = {4, 8, 4, 4};
    const unsigned count = two ? 2 : 4;
    struct ir_memory m = {.space = IR_GLOBAL, .bytes = 1};
    ir_ref o[4], words[8];
    if (!policy(g, row, count + 1, &m)) return;
    for (unsigned n = 0; n < count; n++) {
        for (unsigned d = 0; d < dwords[n]; d++)
            words[d] = legal_scalar(g, legal_part(g, legal_operand(g, n + 1), d));
        o[n] = legal_tuple(g, IR_BANK_S, ir_type_of(g->c->m, IR_BITS, dwords[n] * 32u, 1), words, dwords[n]);
    }
    if (!g->c->status) append(g, row, o, count, &m);
}

// ---- Loads ----

// An address, policy, and of clusters which groups want it.
static void load(struct legal *g, const struct row *row) {
    enum { MEMORY = 1, POLICY, GROUPS };
    const ir_ref result = ir_make(IR_VALUE, g->i->first_result);
    const struct ir_type t = *legal_type(g, result);
    const unsigned format = g->c->isa->codings[g->c->isa->row_codings[row - isa_rows]].format;
    const unsigned dwords = operand_dwords[row->dst[0].type];
    struct ir_memory m = {.space = format == FMT_FLAT ? IR_GENERIC : IR_GLOBAL,
                          .bytes = (uint16_t)(dwords * 4)};
    ir_ref words[MOST_PARTS];
    if (!policy(g, row, POLICY, &m)) return;
    if ((unsigned)t.bits * t.count != dwords * 32) {
        legal_refuse(g, "a load of another size");
        return;
    }
    ir_ref o[3] = {address(g, MEMORY, 0), IR_NOTHING, ir_immediate(0)};
    if (format == FMT_FLAT) o[1] = o[2];
    if (row->reads & R_M0) legal_fix_m0(g, legal_scalar(g, legal_part(g, legal_operand(g, GROUPS), 0)));
    if (g->c->status) return;
    append(g, row, o, format == FMT_FLAT ? 2 : 3, &m);
    const ir_ref r = ir_result(g->f, ir_type_of(g->c->m, dwords == 1 ? IR_INT : IR_BITS, dwords * 32, 1));
    struct ir_value *v = ir_value_of(g->f, r);
    if (!v) return;
    v->bank = IR_BANK_V;
    legal_parts_of(g, r, dwords, g->i32, words);
    legal_set_words(g, IR_BANK_V, &t, words);
}

// ---- Prefetches ----

// By the address of each lane, and policy.
static void prefetch(struct legal *g, const struct row *row) {
    const bool flat = g->c->isa->codings[g->c->isa->row_codings[row - isa_rows]].format == FMT_FLAT;
    struct ir_memory m = {.space = flat ? IR_GENERIC : IR_GLOBAL, .bytes = 1};
    if (!policy(g, row, 2, &m)) return;
    ir_ref o[3] = {address(g, 1, 0), IR_NOTHING, ir_immediate(0)};
    if (flat) o[1] = o[2];
    if (!g->c->status) append(g, row, o, flat ? 2 : 3, &m);
}

// So many chunks behind an address, or behind an offset in a buffer, that all lanes have in common.
static void scalar_prefetch(struct legal *g, const struct row *row, bool buffer) {
    enum { MOST = 31 };
    const unsigned dwords = buffer ? 4 : 2, last = buffer ? 3 : 2;
    uint32_t offset = 0, count = 0;
    ir_ref words[4];
    if (buffer && !number(g, 2, &offset)) {
        legal_refuse(g, "an operand that is no constant here");
        return;
    }
    for (unsigned d = 0; d < dwords; d++) words[d] = legal_scalar(g, legal_part(g, legal_operand(g, 1), d));
    const ir_ref at = legal_tuple(g, IR_BANK_S, ir_type_of(g->c->m, IR_BITS, dwords * 32, 1), words, dwords);
    const bool known = number(g, last, &count);
    ir_ref more = ir_make(IR_REGISTER, ir_register(IR_NULL, 0, 1));
    if (!known) more = legal_scalar(g, legal_part(g, legal_operand(g, last), 0));
    if (g->c->status) return;
    const ir_ref o[] = {at, ir_immediate((int32_t)offset), more, ir_immediate((int32_t)(count & MOST))};
    append(g, row, o, 4, NULL);
}

bool legal_async(struct legal *g, const char *name) {
    const struct row *row = row_of(g, name);
    if (!row) return false;
    if (strstr(name, ".async.to.lds.") || strstr(name, ".async.from.lds."))
        copy(g, row);
    else if (!strncmp(name, "tensor.", 7))
        tensor(g, row, strstr(name, ".d2"));
    else if (strstr(name, "load.monitor.") || !strncmp(name, "cluster.load.", 13))
        load(g, row);
    else if (!strcmp(name, "flat.prefetch") || !strcmp(name, "global.prefetch"))
        prefetch(g, row);
    else if (!strncmp(name, "s.prefetch.data.", 16) || !strcmp(name, "s.buffer.prefetch.data"))
        scalar_prefetch(g, row, name[2] == 'b');
    else
        return false;
    return true;
}
