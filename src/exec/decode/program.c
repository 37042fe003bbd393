// SPDX-License-Identifier: MIT
// Code bytes to blocks of ops, lazily.
#include "exec/decode/program.h"

#include <stdlib.h>
#include <string.h>

#include "exec/body/body.h"
#include "exec/decode/control_ops.h"
#include "exec/decode/attribute_ops.h"
#include "exec/decode/export_ops.h"
#include "exec/decode/image_ops.h"
#include "exec/body/steps.h"
#include "isa/effect.h"
#include "isa/fidelity.h"
#include "isa/kinds.h"
#include "isa/names.h"
#include "isa/rules.h"

enum { MAX_BLOCK_INSNS = 256, MAX_CODE = 1 << 27 }; // the latter by the width of op.pc

struct program *program_create(const struct code_facts *facts, uint64_t base, uint64_t size) {
    struct program *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->facts = *facts;
    p->base = base;
    p->size = (size < MAX_CODE ? size : MAX_CODE) & ~3ull;
    p->blocks = calloc(p->size / 4 + 1, sizeof *p->blocks); // untouched pages cost nothing
    p->reached = calloc(p->size / 4 + 1, 1);
    p->seen = calloc(isa_row_count, 1);
    const bool sets = facts->isa->vgpr_msb;
    if (sets) p->settings = calloc(p->size / 4 + 1, sizeof *p->settings);
    if (!p->blocks || !p->reached || !p->seen || (sets && !p->settings) ||
        pthread_mutex_init(&p->lock, NULL)) {
        free(p->blocks);
        free(p->settings);
        free(p->reached);
        free(p->seen);
        free(p);
        return NULL;
    }
    return p;
}

void program_destroy(struct program *p) {
    if (!p) return;
    pthread_mutex_destroy(&p->lock);
    arena_free(&p->arena);
    array_free(&p->built);
    free(p->blocks);
    free(p->settings);
    free(p->reached);
    free(p->seen);
    free(p);
}

bool keep_setting(struct translator *t, uint64_t offset) {
    if (!t->settings || offset >= t->size) return true;
    uint16_t *setting = &t->settings[offset / 4];
    if (!*setting) *setting = (uint16_t)(t->vgpr_msb + 1);
    if (*setting == t->vgpr_msb + 1) return true;
    t->gap = "code that runs under two settings of s_set_vgpr_msb";
    return false;
}

unsigned program_vgpr_msb(const struct program *p, uint64_t offset) {
    return p->settings && offset < p->size && p->settings[offset / 4] ? p->settings[offset / 4] - 1u : 0;
}

static void emit_gap(struct translator *t, enum fault_kind kind, const char *why) {
    struct op *op = emit_op(t, control_fault);
    op->e = kind;
    op->extra = why;
}

static void emit_goto(struct translator *t, uint32_t target) {
    if (!keep_setting(t, target)) {
        emit_gap(t, FAULT_UNSUPPORTED, t->gap);
        return;
    }
    struct op *op = emit_op(t, t->facts->steps->go_to);
    op->e = target;
}

// Reserved selectors (TRAP-007).
static bool sources_exist(const struct translator *t, const struct insn *in) {
    const struct isa *isa = t->facts->isa;
    if (is_vopd(in->format->id) &&
        !(isa_has_source(isa, (unsigned)in->f[F_src0x]) && isa_has_source(isa, (unsigned)in->f[F_src0y])))
        return false;
    for (int i = 0; !is_vopd(in->format->id) && i < ROW_SRC && in->row->src[i].type; i++) {
        const struct operand_spec s = in->row->src[i];
        if ((operand_dwords[s.type] || s.type == T_MASK) && !in->wide_literal &&
            !isa_has_source(isa, insn_operand(isa, in, s, t->facts->wave32).code))
            return false;
    }
    return true;
}

// Where the row allows VGPRs alone, long encodings can name a scalar operand as well. Most bodies would read
// it like any other; those that take registers lane by lane would not.
static bool vectors_are_vectors(const struct translator *t, const struct insn *in, const struct body *body) {
    const struct isa *isa = t->facts->isa;
    const unsigned format = in->format->id;
    if (body->shape == SHAPE_SPECIAL && format != FMT_VOP3I) return true; // these spread it over a register
    if (format < FMT_VOP3 || format >= FMT_DS || is_vopd(format) || in->suffix > SUFFIX_LITERAL) return true;
    for (int i = 0; i < ROW_SRC && in->row->src[i].type; i++) {
        const struct operand_spec s = in->row->src[i];
        const unsigned allow = rule_of(isa, in, RULE_SRC + (unsigned)i, t->facts->wave32).allow;
        const bool vectors = allow & ALLOW_VGPR && !(allow & (ALLOW_SCALAR | ALLOW_CONSTANT | ALLOW_LITERAL));
        const bool no_scalars =
            body->shape == SHAPE_MATRIX && allow & ALLOW_VGPR && !(allow & ALLOW_SCALAR); // of constants one
        const unsigned code = insn_operand(isa, in, s, t->facts->wave32).code;
        if (!is_vector(code) && (vectors || (no_scalars && !is_inline_constant(code)))) return false;
    }
    return true;
}

static bool is_exact(struct translator *t, const struct insn *in) {
    const struct fidelity *f = row_fidelity(in->row);
    if (!f && in->row_y) f = row_fidelity(in->row_y);
    if (f) t->gap = f->refusal;
    return !f;
}

static bool translate(struct translator *t, const struct insn *in) {
    const struct row *row = in->row;
    const struct body *body = t->facts->bodies[row - isa_rows];
    if (!sources_exist(t, in) || !vectors_are_vectors(t, in, body)) {
        t->illegal = true;
        t->gap = "operand not allowed";
        return false;
    }
    if (row->class == CLASS_VGPR_MSB) {
        t->vgpr_msb = (unsigned)in->f[F_simm16] & 255;
        return true;
    }
    if (body->shape == SHAPE_NONE) {
        t->gap = row_gap(row) ? row_gap(row) : "not executable";
        return false;
    }
    if (t->facts->exact_only && !is_exact(t, in)) return false;
    if (body->shape == SHAPE_NOTHING) return true;
    switch (in->format->id) {
    case FMT_SOP2:
    case FMT_SOPK:
    case FMT_SOP1:
    case FMT_SOPC:
    case FMT_SOPP: return translate_scalar(t, in, body);
    case FMT_SMEM:
    case FMT_DS:
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_SCRATCH:
    case FMT_MUBUF:
    case FMT_MTBUF:
        if (body->shape == SHAPE_MEMORY) return translate_memory(t, in, body);
        if (in->format->id == FMT_DS) return translate_exchange(t, in, body);
        return translate_scalar(t, in, body);
    case FMT_MIMG:
    case FMT_VIMAGE:
    case FMT_VSAMPLE: return translate_image(t, in, body);
    case FMT_TENSOR: return translate_tensor(t, in, body);
    case FMT_VINTRP:
    case FMT_VOP3I: return translate_interpolation(t, in, body);
    case FMT_LDSDIR: return translate_parameter_load(t, in, body);
    case FMT_EXP: return translate_export(t, in);
    default: return translate_vector(t, in);
    }
}

static bool in_bounds(const struct translator *t, size_t first) {
    bool inside = !t->out_of_bounds;
    for (size_t i = first; i < t->ops.count; i++) inside &= op_in_bounds(t->facts, &t->ops.items[i]);
    return inside;
}

static bool overlap(const struct effect_range *a, const struct effect_range *b) {
    return a->bank == b->bank && a->first < b->first + b->count && b->first < a->first + a->count;
}
// Whether nothing is left of the vector registers that the instruction writes, nor read of them.
static bool replaces(const struct effect *e) {
    enum { WHOLE = 15 };
    for (unsigned i = 0; i < e->count; i++) {
        const struct effect_range *to = &e->ranges[i];
        if (to->bank == BANK_SCALAR || !(to->flags & EFFECT_WRITES)) continue;
        if (to->flags & (EFFECT_MAY | EFFECT_RELATIVE) || to->bytes != WHOLE) return false;
        for (unsigned k = 0; k < e->count; k++)
            if (!(e->ranges[k].flags & EFFECT_WRITES) && overlap(to, &e->ranges[k])) return false;
    }
    return true;
}
static bool is_own(const struct effect *e) {
    return e->control == CONTROL_NEXT && !e->memory.access && !(e->writes & STATE_EXEC) &&
           !(e->reads & (STATE_OTHER | STATE_CLOCK));
}
// What the ops of the instruction do with EXEC and with control. Instructions without a record may do all.
static void note_flow(struct translator *t, const struct insn *in) {
    const struct code_facts *f = t->facts;
    const struct effect_context c = {.processor = f->processor,
                                     .isa = f->isa,
                                     .wave32 = f->wave32,
                                     .clears_halves = f->clears_halves,
                                     .index = (uint8_t)t->gpr_index};
    struct effect e;
    unsigned all = FLOW_WRITES_EXEC;
    if (in && insn_effect(&c, in, &e)) {
        all = (e.control == CONTROL_NEXT ? FLOW_NEXT : 0) | (e.writes & STATE_EXEC ? FLOW_WRITES_EXEC : 0);
        if (e.control & CONTROL_ARRIVES) all |= FLOW_ARRIVES;
        if (e.control & CONTROL_WAITS) all |= FLOW_WAITS;
        if (is_own(&e)) all |= FLOW_OWN;
        if (e.control & CONTROL_TARGET && e.reads & STATE_EXEC) all |= FLOW_ASKS_EXEC;
        // Records do not have the upper bits of numbers; of several ops each writes a part.
        const bool is_one = t->ops.count - t->flow.count == 1;
        if (is_one && !t->vgpr_msb && replaces(&e)) all |= FLOW_REPLACES;
    }
    while (t->flow.count < t->ops.count && !t->failed) {
        op_fn *body = t->ops.items[t->flow.count].body;
        unsigned flow = all;
        if (step_writes_exec(f->steps, body)) flow |= FLOW_WRITES_EXEC;
        if (body == control_skip || step_jumps(f->steps, body)) flow &= ~(unsigned)FLOW_NEXT;
        if (flow & FLOW_WRITES_EXEC || !(flow & FLOW_NEXT)) flow &= ~(unsigned)FLOW_OWN;
        t->failed |= !array_push(&t->flow, (uint8_t)flow);
    }
}

// Lock: the program's. Blocks decoded so far are found no more.
static void skip_vectors(struct program *p) {
    p->skips = true;
    // By where they begin: a block's first op may belong to an instruction behind its first.
    for (uint64_t at = 0; at < p->size; at += 4)
        if (p->blocks[at / 4]) __atomic_store_n(&p->blocks[at / 4], NULL, __ATOMIC_RELEASE);
}
void program_skip_vectors(struct program *p) {
    pthread_mutex_lock(&p->lock);
    if (!p->skips) skip_vectors(p);
    pthread_mutex_unlock(&p->lock);
}
// What VSKIP skips: all but scalar instructions.
static bool is_vector_insn(const struct insn *in) {
    switch (in->format->id) {
    case FMT_SOP2:
    case FMT_SOPK:
    case FMT_SOP1:
    case FMT_SOPC:
    case FMT_SOPP:
    case FMT_SMEM: return false;
    default: return true;
    }
}

// Translates from `offset` until control cannot fall through.
static const struct op *build(struct program *p, uint64_t offset) {
    const uint64_t start = offset;
    struct translator t = {.facts = &p->facts, .arena = &p->arena, .next_slot = &p->next_slot};
    t.settings = p->settings, t.size = p->size;
    t.vgpr_msb = program_vgpr_msb(p, offset);
    const uint8_t *code = (const uint8_t *)(uintptr_t)p->base; // GPU addresses are host addresses
    for (unsigned n = 0;; n++) {
        t.pc = (uint32_t)offset;
        if (offset >= p->size) {
            emit_gap(&t, FAULT_JUMP, NULL);
            break;
        }
        if (n == MAX_BLOCK_INSNS || (n && p->blocks[offset / 4])) {
            emit_goto(&t, (uint32_t)offset);
            break;
        }
        struct insn in;
        enum decode_status s = insn_decode(p->facts.isa, code + offset, p->size - offset, &in);
        if (s != DECODE_OK) {
            emit_gap(&t, FAULT_ILLEGAL,
                     s == DECODE_BAD_OPERAND ? "operand not allowed"
                     : s == DECODE_TRUNCATED ? "truncated"
                                             : NULL);
            break;
        }
        if (!keep_setting(&t, offset)) {
            emit_gap(&t, FAULT_UNSUPPORTED, t.gap);
            break;
        }
        if (!p->skips && may_skip_vectors(&p->facts, &in)) {
            skip_vectors(p);
            array_free(&t.ops);
            array_free(&t.flow);
            return build(p, start);
        }
        in.vgpr_msb = (uint8_t)t.vgpr_msb;
        p->seen[in.row - isa_rows] = 1;
        if (in.row_y) p->seen[in.row_y - isa_rows] = 1;
        size_t first = t.ops.count;
        const bool skipped = p->skips && is_vector_insn(&in);
        if (skipped) emit_op(&t, control_skip);
        if (!translate(&t, &in)) {
            t.ops.count = first;
            emit_gap(&t, t.illegal ? FAULT_ILLEGAL : FAULT_UNSUPPORTED, t.gap);
            break;
        }
        if (!in_bounds(&t, first)) {
            t.ops.count = first;
            emit_gap(&t, FAULT_ILLEGAL, "operands outside the wave's registers");
            break;
        }
        if (skipped && t.ops.count > first) t.ops.items[first].e = (uint32_t)(t.ops.count - first - 1);
        if (p->facts.observed && t.ops.count == first) emit_op(&t, control_nop);
        if (t.ops.count > first) {
            t.ops.items[first].first = 1;
            t.ops.items[first].class = observed_class(&in);
            note_flow(&t, &in);
        }
        offset += in.size;
        if (in.row->flags & ROW_NO_FALL_THROUGH || control_ends_block(in.row)) {
            if (!(in.row->flags & ROW_NO_FALL_THROUGH)) emit_goto(&t, (uint32_t)offset);
            break;
        }
    }
    note_flow(&t, NULL); // of what leads on from the block, or faults
    struct op *ops = t.failed ? NULL : arena_alloc(&p->arena, t.ops.count * (sizeof *ops + 1));
    if (ops) {
        uint8_t *flow = (uint8_t *)(ops + t.ops.count);
        memcpy(ops, t.ops.items, t.ops.count * sizeof *ops);
        memcpy(flow, t.flow.items, t.flow.count);
        op_fn *first = p->facts.weak ? control_weak : p->facts.observed ? control_observe : NULL;
        for (size_t i = 0; first && i < t.ops.count; i++) ops[i].fn = first;
        // Without memory for this it stays as it is.
        if (array_push(&p->built, ((struct op_block){ops, flow, t.ops.count})))
            __atomic_store_n(&p->built_count, (unsigned)p->built.count, __ATOMIC_RELAXED);
    }
    array_free(&t.ops);
    array_free(&t.flow);
    return ops;
}

const struct op *program_block(struct program *p, uint64_t offset) {
    if (offset >= p->size || offset & 3) return NULL;
    const struct op **slot = &p->blocks[offset / 4];
    const struct op *ops = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (ops) return ops;
    pthread_mutex_lock(&p->lock);
    ops = *slot;
    if (!ops) {
        ops = build(p, offset);
        __atomic_store_n(slot, ops, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&p->lock);
    return ops;
}
