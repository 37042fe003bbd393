// SPDX-License-Identifier: MIT
// Which registers a function may use: what occupancy and conventions leave of vector registers, how they are
// shared with accumulation registers, what inline assembly names, in whose lanes scalar values are, what is
// written for lanes that do not execute.
#include "compiler/assignment.h"
#include "ir/constraints.h"

// So many vector registers, of `most`, that the largest work-group fits a compute unit. Others beside it, and
// fewer registers, are wishes.
static unsigned fitting(const struct compiler *c, unsigned most, bool wishes) {
    sw_processor_info info = SW_INIT(sw_processor_info);
    const struct ir_facts *facts = &c->f->facts;
    sw_processor_get_info(c->processor, &info);
    const unsigned waves = (facts->block_max + facts->wave - 1) / facts->wave;
    const unsigned each = info.simds_per_cu ? (waves + info.simds_per_cu - 1) / info.simds_per_cu : 1;
    unsigned limit = wishes && facts->most_vgprs && facts->most_vgprs < most ? facts->most_vgprs : most;
    while (limit > 8 && processor_occupancy(c->processor, facts->wave, limit, 0) < each) limit -= 8;
    while (wishes && limit > 24 &&
           processor_occupancy(c->processor, facts->wave, limit, 0) < facts->waves_min)
        limit -= 8;
    return limit;
}

unsigned compiler_vgpr_limit(const struct compiler *c) {
    const unsigned limit = fitting(c, 256, true);
    return c->f->facts.calls && limit < 48 ? 48 : limit; // functions use these whatever the limit is
}

static bool uses_accs(const struct assignment *a) {
    bool uses = false;
    for (size_t v = 0; v < a->f->values.count; v++) uses |= a->f->values.items[v].bank == IR_BANK_A;
    for (unsigned n = 0; n < MOST_REGISTERS; n++) uses |= a->named[IR_AGPR][n];
    return uses;
}

// Accumulation registers are of the same file as vector registers (half of it, if the function asks for
// any), or of one as large. If it asks for none, they are where values go that fit nowhere else.
void assignment_share_files(struct assignment *a) {
    const bool uses = uses_accs(a), unified = has(a->c->processor, CAP_unified_vgprs);
    a->limit[IR_VGPR] = compiler_vgpr_limit(a->c);
    if (!a->c->isa->formats[FMT_MAI]) return;
    const unsigned all = unified ? fitting(a->c, 512, true) : 2 * a->limit[IR_VGPR];
    if (unified && uses && all / 2 < a->limit[IR_VGPR]) a->limit[IR_VGPR] = all / 2 / 8 * 8;
    a->limit[IR_AGPR] = all > a->limit[IR_VGPR] ? all - a->limit[IR_VGPR] : 0;
    a->spills.most_accs = uses || !ir_is_entry(a->f) || a->f->facts.calls ? 0 : a->limit[IR_AGPR];
    if (a->used[IR_AGPR] < a->spills.accs) a->used[IR_AGPR] = a->spills.accs;
}

static bool is_in(uint32_t r, unsigned sgpr) {
    return sgpr >= ir_register_first(r) && sgpr < ir_register_first(r) + ir_register_dwords(r);
}

// True if functions return by a scalar register, keep it for others, find the stack by it, or have lanes in
// it.
static bool is_needed(const struct assignment *a, const struct ir_inst *i, unsigned sgpr) {
    const struct ir_facts *facts = &a->f->facts;
    if ((a->changes_lanes && is_in(lanes_saved(a->f), sgpr)) ||
        (facts->live && is_in(lanes_live(a->f), sgpr)))
        return true;
    for (unsigned o = 2; o < i->operands; o++) // the text's operands say what they are to hold again
        if (ir_is(ir_operand(a->f, i, o), IR_REGISTER) && is_in(ir_index(ir_operand(a->f, i, o)), sgpr))
            return false;
    // Functions with a frame keep these in lanes.
    const bool saved = facts->calls && sgpr != CONVENTION_STACK_TOP && sgpr != CONVENTION_FRAME;
    const bool stack = (sgpr < 4 && facts->stack_buffer) || (sgpr == CONVENTION_STACK_TOP && facts->calls);
    return stack || (!ir_is_entry(a->f) && !saved &&
                     (convention_keeps(facts->convention, false, sgpr) || (sgpr >= 30 && sgpr < 34)));
}

static bool is_operand(const struct constraints *k, unsigned sgpr) {
    for (unsigned n = 0; n < k->results + k->inputs; n++)
        if (k->of[n].kind == 's' && sgpr >= k->of[n].first &&
            sgpr < k->of[n].first + (unsigned)k->of[n].dwords)
            return true;
    return false;
}

// Scalar registers that a kernel may name: VCC and its kin are among those that there are before GFX8, and
// where every wave has as many.
static unsigned named_sgprs(const struct assignment *a) {
    const struct sw_processor *p = a->c->processor;
    const unsigned all = fact(p, FACT_sgprs);
    if (!a->f->is_kernel || has(p, CAP_fixed_sgprs)) return all;
    return has(p, CAP_sgpr_init_bug) ? 90 : has(p, CAP_s_memrealtime) ? all : all - 4;
}

// Registers that inline assembly names.
void assignment_find_named(struct assignment *a) {
    for (size_t n = 0; n < a->f->insts.count; n++) {
        const struct ir_inst *i = &a->f->insts.items[n];
        struct constraints k;
        if (i->op != OP_inline_asm) continue;
        compiler_asm_constraints(a->c, ir_operand(a->f, i, 1), &k);
        for (unsigned file = 0; file < FILES; file++)
            for (unsigned r = 0; r < (file ? 256u : 106u); r++) {
                const uint64_t *named = file == IR_AGPR ? k.agprs : file ? k.vgprs : k.sgprs;
                if (!(named[r / 64] >> r % 64 & 1)) continue;
                if (!file && r >= named_sgprs(a)) {
                    if (is_operand(&k, r))
                        compiler_refuse(a->c, i, "inline assembly with scalar registers that are not there");
                    continue; // as LLVM, which says that they are reserved
                }
                a->named[file][r] = true;
                if (a->used[file] <= r) a->used[file] = r + 1;
                if (file == IR_VGPR && convention_keeps(IR_OWN, true, r)) a->kept[r] = true;
                if (file == IR_VGPR && (a->f->facts.whole == 2 || i->lanes)) a->whole[r] = true;
                if (file == IR_AGPR && !ir_is_entry(a->f) && r >= CONVENTION_KEPT_ACCS)
                    a->kept_accs[r] = true;
                if (!file && is_needed(a, i, r))
                    compiler_refuse(a->c, i,
                                    "inline assembly that changes a register which the function needs");
            }
    }
}

static void set(uint64_t *set, uint32_t v) { set[v / 64] |= 1ull << v % 64; }

static void set_operands(const struct assignment *a, uint64_t *values, const struct ir_inst *i) {
    for (unsigned o = 0; o < i->operands && i->op != OP_phi; o++) {
        const ir_ref r = ir_operand(a->f, i, o);
        if (ir_is(r, IR_VALUE)) set(values, a->live.whole[ir_index(r)]);
    }
}

static void add_beside(struct assignment *a, const uint64_t *behind, const struct ir_inst *i) {
    struct named_beside one = {0};
    struct constraints k;
    compiler_asm_constraints(a->c, ir_operand(a->f, i, 1), &k);
    memcpy(one.registers[IR_SGPR], k.sgprs, sizeof k.sgprs);
    memcpy(one.registers[IR_VGPR], k.vgprs, sizeof k.vgprs);
    memcpy(one.registers[IR_AGPR], k.agprs, sizeof k.agprs);
    one.values = malloc(a->live.words * sizeof *one.values);
    if (!one.values || !array_push(&a->beside, one)) {
        free(one.values);
        compiler_no_memory(a->c);
        return;
    }
    memcpy(one.values, behind, a->live.words * sizeof *one.values);
    for (unsigned r = 0; r < i->results; r++) set(one.values, i->first_result + r);
    set_operands(a, one.values, i);
}

void assignment_find_beside(struct assignment *a) {
    const size_t bytes = a->live.words * sizeof(uint64_t);
    uint64_t *now = a->room == ROOM_WISHED ? NULL : malloc(bytes);
    if (!now && a->room != ROOM_WISHED) compiler_no_memory(a->c);
    for (uint32_t b = 0; b < a->f->blocks.count && now; b++) {
        const struct ir_block *block = &a->f->blocks.items[b];
        memcpy(now, a->live.out + b * a->live.words, bytes);
        for (uint32_t n = block->first + block->count; n-- > block->first && !a->c->status;) {
            const struct ir_inst *i = &a->f->insts.items[n];
            if (i->op == OP_inline_asm) add_beside(a, now, i);
            for (unsigned r = 0; r < i->results; r++) {
                const uint32_t v = i->first_result + r;
                if (a->live.whole[v] == v) now[v / 64] &= ~(1ull << v % 64);
            }
            set_operands(a, now, i);
        }
    }
    free(now);
}

bool assignment_is_beside(const struct assignment *a, uint32_t value) {
    for (size_t n = 0; n < a->beside.count; n++)
        if (live_has(a->beside.items[n].values, value)) return true;
    return false;
}

void assignment_forbid_named(struct assignment *a, uint32_t value) {
    const unsigned file = live_file(&a->f->values.items[value]);
    for (size_t n = 0; n < a->beside.count; n++) {
        const struct named_beside *one = &a->beside.items[n];
        for (unsigned r = 0; r < 256 && live_has(one->values, value); r++)
            if (one->registers[file][r / 64] >> r % 64 & 1)
                a->taken[file][r] = a->stamp, a->taken_by[file][r] = NO_VALUE;
    }
}

static bool is_lane(const struct assignment *a, unsigned found, unsigned r) {
    bool is = false;
    for (unsigned n = 0; n < found; n++) is |= a->spills.lanes[n] == r;
    return is;
}

// Vector registers that no inline assembly names: from the first one on that functions keep, if anything is
// called, else from the last one down. What lanes that are not active hold from v8 on belongs to those that
// come later in a chain.
static void find_lanes(struct assignment *a) {
    enum { VGPRS = 256 };
    const bool chain = ir_is_chain(a->f), calls = a->f->facts.calls;
    const unsigned limit = a->limit[IR_VGPR], end = chain ? CONVENTION_CHAIN_VGPR : calls ? VGPRS : limit;
    const unsigned all = chain || calls || a->limit[IR_AGPR] ? end : fitting(a->c, VGPRS, false);
    // Those in use since another try stay.
    unsigned found = a->spills.most_lanes ? spill_lane_registers(&a->spills, a->f->facts.wave) : 0;
    for (unsigned n = 0; n < all; n++) {
        const unsigned r = chain || calls || n >= end ? n : limit - 1 - n;
        if (n == end) a->spills.wished_lanes = found;
        if (!a->named[IR_VGPR][r] && (!calls || convention_keeps(IR_OWN, true, r)) && !is_lane(a, found, r) &&
            found < MOST_LANE_REGISTERS)
            a->spills.lanes[found++] = (uint16_t)r;
    }
    a->spills.most_lanes = found;
    if (all <= end) a->spills.wished_lanes = found;
}

void assignment_place_lanes(struct assignment *a) {
    const unsigned count = spill_lane_registers(&a->spills, a->f->facts.wave);
    find_lanes(a);
    if (ir_is_chain(a->f) && a->f->facts.calls && count)
        compiler_refuse(a->c, NULL, "a chain function with so many values that are needed behind a call");
    for (unsigned n = 0; n < count && !a->c->status; n++) {
        const unsigned vgpr = a->spills.lanes[n];
        a->lanes[vgpr] = true;
        if (a->used[1] <= vgpr) a->used[1] = vgpr + 1;
    }
}

// ---- Registers of all lanes ----

// What a whole wave calls changes registers of all lanes.
void assignment_give_up(struct assignment *a) {
    bool calls = false;
    for (size_t n = 0; n < a->f->insts.count; n++) calls |= a->f->insts.items[n].op == OP_p_call;
    if (!calls || a->f->facts.whole != 2) return;
    for (unsigned n = 0; n < a->limit[IR_VGPR]; n++) a->whole[n] |= !convention_keeps(IR_GFX, true, n);
    a->used[IR_VGPR] = a->limit[IR_VGPR];
}

// True if results are written for lanes that do not execute.
static bool is_wide(const struct assignment *a, const struct ir_inst *i) {
    bool wide = live_ignores_exec(a->c, i);
    for (unsigned r = 0; r < i->results; r++)
        wide |= a->f->values.items[i->first_result + r].bank == IR_BANK_W;
    return wide;
}

// Finds the results that are written for all lanes, and what lanes need that wait beside them.
void assignment_find_waiting(struct assignment *a) {
    struct ir_function *f = a->f;
    bool any = false;
    for (size_t n = 0; n < f->insts.count && !any && f->blocks.count > 1; n++)
        any = is_wide(a, &f->insts.items[n]);
    if (!any) return;
    a->waiting = calloc(f->blocks.count * a->live.words, sizeof *a->waiting);
    a->writes_all = calloc(f->values.count + 1, sizeof *a->writes_all);
    if (!a->waiting || !a->writes_all) {
        compiler_no_memory(a->c);
        return;
    }
    live_find_waiting(&a->live, a->waiting);
    for (uint32_t b = 0; b < f->blocks.count; b++)
        for (uint32_t n = 0; n < f->blocks.items[b].count; n++) {
            const struct ir_inst *i = &f->insts.items[f->blocks.items[b].first + n];
            for (unsigned r = 0; r < i->results && is_wide(a, i); r++)
                a->writes_all[i->first_result + r] = b + 1;
        }
}
