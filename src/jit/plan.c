// SPDX-License-Identifier: MIT
// From decoded blocks to steps.
#include "jit/plan.h"

#include <stdlib.h>
#include <string.h>

#include "exec/body/steps.h"
#include "exec/decode/control_ops.h"
#include "jit/join.h"
#include "jit/wave_loop.h"
#include "softwave/device.h"

static void fill_arguments(struct step *s, const struct op *op, const struct mem_op *mo, bool is_branch) {
    static const uint8_t kinds[PIECE_PARAMETER_COUNT] = {[PIECE_D] = STENCIL_D,
                                                         [PIECE_A] = STENCIL_A,
                                                         [PIECE_B] = STENCIL_B,
                                                         [PIECE_C] = STENCIL_C,
                                                         [PIECE_IMM] = STENCIL_IMM,
                                                         [PIECE_PC] = STENCIL_PC,
                                                         [PIECE_E] = STENCIL_E,
                                                         [PIECE_VADDR] = STENCIL_VADDR,
                                                         [PIECE_SADDR] = STENCIL_SADDR,
                                                         [PIECE_DATA] = STENCIL_DATA,
                                                         [PIECE_DATA1] = STENCIL_DATA1,
                                                         [PIECE_DST] = STENCIL_DST,
                                                         [PIECE_SOFFSET] = STENCIL_SOFFSET,
                                                         [PIECE_SLOT] = STENCIL_SLOT,
                                                         [PIECE_OFFSET] = STENCIL_OFFSET,
                                                         [PIECE_OFFSET1] = STENCIL_OFFSET1,
                                                         [PIECE_LDS_MASK] = STENCIL_LDS_MASK};
    for (unsigned i = 1; i < PIECE_PARAMETER_COUNT; i++) {
        if (!mo && i >= PIECE_VADDR) continue;
        if (i == PIECE_IMM && (mo || is_branch)) continue; // it is an address
        // Operands that an op does not have may be anything: pieces do not ask for them.
        if (!native_value(kinds[i], op, mo, &s->arguments[i], &s->has_literal)) s->arguments[i] = 0;
    }
    if (s->has_literal) s->literal = op->imm;
}

// `class`: of the op's instruction. `is_last`: the op ends its block, so nothing follows its handler,
// whatever its class. So ends a block whose next instruction does not exist.
static void add_op(struct plan *plan, const struct program *p, const struct native_image *image,
                   const struct op *op, unsigned flow, unsigned class, bool is_last) {
    const bool returns = !is_last && flow & FLOW_NEXT;
    struct step s;
    memset(&s, 0, sizeof s); // with what is between its members (plan_put)
    s.target = -1;
    s.class = (uint8_t) class;
    s.is_first = op->first;
    s.asks_exec = flow & FLOW_ASKS_EXEC;
    s.writes_exec = flow & FLOW_WRITES_EXEC;
    s.replaces = flow & FLOW_REPLACES;
    s.is_own = flow & FLOW_OWN;
    s.arrives = flow & FLOW_ARRIVES;
    s.waits = flow & FLOW_WAITS;
    const struct mem_op *mo = NULL;
    const struct stencil *stencil = native_choose(p, image, op, &mo);
    if (op->body == p->facts.steps->go_to)
        s.kind = STEP_GO_TO;
    else if (stencil) {
        s.kind = STEP_PIECE;
        s.otherwise = returns ? STEP_CALL : STEP_LEAVE;
        s.piece = (uint16_t)(stencil - image->stencils);
        s.may_leave = mo != NULL;
        s.is_memory = mo && class != SW_CLASS_LDS;
        fill_arguments(&s, op, mo, class == SW_CLASS_BRANCH);
    } else
        s.kind = returns ? STEP_CALL : STEP_LEAVE;
    if (!array_push(&plan->steps, s) || !array_push(&plan->ops, op)) plan->failed = true;
}

// ---- Where branches lead ----

struct start {
    const struct op_block *block;
    int32_t step; // -1: not reached
};
static int by_op(const void *a, const void *b) {
    const struct start *x = a, *y = b;
    return x->block->ops < y->block->ops ? -1 : x->block->ops > y->block->ops;
}
static struct start *find_start(struct start *starts, size_t count, const struct op *op) {
    const struct op_block block = {.ops = op};
    const struct start key = {&block, 0};
    return op ? bsearch(&key, starts, count, sizeof *starts, by_op) : NULL;
}
static bool leads_on(const struct program *p, const struct op *op) {
    return op->body == p->facts.steps->go_to || op->class == SW_CLASS_BRANCH;
}

// Blocks go on through where branches lead that were found later: what is behind such a place is in several.
// Whether the ops from `i` on are those of the other block, as far as both have them: what stands before a
// place may decide how code behind it is decoded (VGPR index mode).
static bool is_same_code(const struct program *p, const struct op_block *block, size_t i,
                         const struct op_block *other) {
    for (size_t k = 0; i < block->count && k < other->count; i++, k++) {
        const struct op *a = &block->ops[i], *b = &other->ops[k];
        if (a->body == p->facts.steps->go_to || b->body == p->facts.steps->go_to) return a->pc == b->pc;
        if (a->body != b->body || a->d != b->d || a->a != b->a || a->b != b->b || a->c != b->c ||
            a->e != b->e || a->pc != b->pc)
            return false;
    }
    return true;
}
// The block that begins with the op's instruction, or with such before it as have no ops: branches often lead
// to those that wait.
static struct start *block_at(const struct program *p, struct start *starts, size_t count,
                              const struct op *op) {
    enum { MOST_WITHOUT = 8 };
    for (uint32_t back = 0; back <= MOST_WITHOUT && back <= op->pc / 4; back++) {
        const struct op *first = __atomic_load_n(&p->blocks[op->pc / 4 - back], __ATOMIC_ACQUIRE);
        if (first && first->pc == op->pc) return find_start(starts, count, first);
    }
    return NULL;
}

static void add_join(struct plan *plan, const struct op *op) {
    struct step s;
    memset(&s, 0, sizeof s);
    s.kind = STEP_GO_TO;
    s.is_first = true;
    s.joins = true;
    s.target = -1;
    if (!array_push(&plan->steps, s) || !array_push(&plan->ops, op)) plan->failed = true;
}

static void add_block(struct plan *plan, const struct program *p, const struct native_image *image,
                      struct start *starts, size_t count, struct start *s) {
    const struct op_block *block = s->block;
    unsigned class = SW_CLASS_OTHER;
    s->step = (int32_t)plan->steps.count;
    for (size_t i = 0; i < block->count && !plan->failed; i++) {
        const struct start *other =
            i && block->ops[i].first ? block_at(p, starts, count, &block->ops[i]) : NULL;
        if (other && is_same_code(p, block, i, other->block)) {
            add_join(plan, &block->ops[i]);
            return;
        }
        if (block->ops[i].first) class = block->ops[i].class;
        add_op(plan, p, image, &block->ops[i], block->flow[i], class, i + 1 == block->count);
    }
}

static void mark_entry(struct plan *plan, size_t step) {
    if (step < plan->steps.count) plan->steps.items[step].is_entry = true;
}
// Code of this tier that is left in a few steps anyway, as between the two halves of a barrier, is not worth
// coming back to from a handler.
static void leave_early(struct plan *plan) {
    enum { FEW = 4 };
    struct step *s = plan->steps.items;
    for (size_t i = 0; i < plan->steps.count; i++) {
        size_t k = i + 1;
        while (s[i].kind == STEP_CALL && k < plan->steps.count && k <= i + FEW && s[k].kind == STEP_PIECE &&
               s[k].target < 0 && !s[k].may_leave && !s[k].is_entry)
            k++;
        if (s[i].kind == STEP_CALL && k < plan->steps.count && k <= i + FEW && s[k].kind == STEP_LEAVE)
            s[i].kind = STEP_LEAVE;
    }
}

static void link_steps(struct plan *plan, const struct program *p, struct start *starts, size_t count) {
    mark_entry(plan, 0);
    for (size_t i = 0; i < plan->steps.count; i++) {
        struct step *s = &plan->steps.items[i];
        const struct op *op = plan->ops.items[i];
        if (s->joins) {
            const struct start *to = block_at(p, starts, count, op);
            s->target = to ? to->step : -1;
        } else if (leads_on(p, op) && !s->may_leave && (s->kind == STEP_GO_TO || s->kind == STEP_PIECE)) {
            const struct start *to = find_start(starts, count, native_target(p, op));
            s->target = to ? to->step : -1;
        }
        if (s->target >= 0 && s->kind == STEP_PIECE && op->d) mark_entry(plan, (size_t)s->target);
        if (s->kind == STEP_LEAVE) {
            mark_entry(plan, i + 1);
            if (op->body == p->facts.steps->if_bit) mark_entry(plan, i + 2);
            if (op->body == control_skip) mark_entry(plan, i + 1 + op->e);
        }
    }
}

// The step that waits, if nothing but pieces of the wave's own is done before that; 0: there is none. The
// first step behind one that leaves is an entry in any case. No branch leads to one of them, as a block would
// begin there.
static size_t wait_behind(const struct plan *plan, size_t arrives) {
    const struct step *s = plan->steps.items;
    for (size_t k = arrives + 1; k < plan->steps.count; k++) {
        if (s[k].is_entry && k > arrives + 1) return 0;
        if (s[k].waits) return s[k].arrives || s[k].kind != STEP_LEAVE ? 0 : k;
        if (s[k].kind != STEP_PIECE || !s[k].is_own || s[k].target >= 0 || s[k].may_leave) return 0;
    }
    return 0;
}
// Halves of barriers without their other half are as any other step with which a wave leaves.
static void pair_halves(struct plan *plan) {
    for (size_t i = 0; i < plan->steps.count; i++) {
        struct step *s = &plan->steps.items[i];
        if (s->arrives == s->waits) continue;
        const size_t wait = s->arrives ? wait_behind(plan, i) : 0;
        s->arrives = wait != 0;
        s->waits = false;
        if (wait) i = wait;
    }
}

static uint32_t find_loops_end(const struct plan *plan) {
    size_t end = plan->steps.count;
    while (end &&
           (plan->steps.items[end - 1].target < 0 || plan->steps.items[end - 1].target >= (int64_t)end))
        end--;
    return (uint32_t)end;
}

// What code.c and flow.c rely on: branches lead to steps of the plan, and a step follows each that may go on.
static bool is_sound(const struct plan *plan) {
    const size_t count = plan->steps.count;
    for (size_t i = 0; i < count; i++) {
        const struct step *s = &plan->steps.items[i];
        if (s->target >= (int64_t)count) return false;
        if (s->kind == STEP_CALL && i + 1 == count) return false;
        if (s->kind == STEP_PIECE && i + 1 == count && (s->may_leave || s->otherwise == STEP_CALL))
            return false;
    }
    return true;
}

// Compiling takes time in proportion to the steps of straight code, and more than that where there are many
// blocks. So code of few blocks may have more steps than others.
bool plan_is_longer(const struct plan *plan, size_t max_steps) {
    enum { MOST_STEPS = 2400, FEW_BLOCKS = 16 };
    const size_t steps = plan->steps.count;
    return steps > max_steps && (steps > MOST_STEPS || steps * plan->blocks > FEW_BLOCKS * max_steps);
}

bool plan_make(struct plan *plan, const struct program *p, const struct native_image *image,
               const struct op *root, size_t max_steps, bool partial) {
    const size_t count = p->built.count;
    *plan =
        (struct plan){.image = image, .wave32 = p->facts.wave32, .rows = ROWS_WAVES, .guarded = p->guarded};
    struct start *starts = calloc(count + 1, sizeof *starts), *s;
    if (!starts) return false;
    for (size_t i = 0; i < count; i++) starts[i] = (struct start){&p->built.items[i], -1};
    qsort(starts, count, sizeof *starts, by_op);
    plan->blocks = 1;
    if ((s = find_start(starts, count, root))) add_block(plan, p, image, starts, count, s);
    for (size_t i = 0; i < plan->steps.count && !plan->failed; i++) {
        if (plan_is_longer(plan, max_steps)) break;
        const struct op *op = plan->ops.items[i];
        s = plan->steps.items[i].joins ? block_at(p, starts, count, op)
            : leads_on(p, op)          ? find_start(starts, count, native_target(p, op))
                                       : NULL;
        if (!s || s->step >= 0 || (partial && plan->steps.count + s->block->count > max_steps)) continue;
        add_block(plan, p, image, starts, count, s);
        plan->blocks += op->body != p->facts.steps->go_to; // straight code is decoded in several pieces
    }
    if (!plan->failed) {
        link_steps(plan, p, starts, count);
        leave_early(plan);
        pair_halves(plan);
        plan->loops_end = find_loops_end(plan);
    }
    free(starts);
    return plan->steps.count && !plan_is_longer(plan, max_steps) && !plan->failed && is_sound(plan);
}

bool plan_has_group_loop(const struct plan *plan) {
    bool any = false, may_call = false; // behind a branch, which may be seldom taken
    if (plan->rows == ROWS_NONE) return false;
    for (size_t i = 0; i < plan->steps.count; i++) {
        const struct step *s = &plan->steps.items[i];
        const bool is_barrier = s->arrives || s->waits;
        any |= is_barrier;
        if (is_barrier && (s->kind != STEP_LEAVE || i + 1 == plan->steps.count)) return false;
        if (!is_barrier && (s->kind == STEP_LEAVE || (s->kind == STEP_CALL && !may_call))) return false;
        may_call |= s->kind == STEP_GO_TO || s->target >= 0;
    }
    return any;
}

void plan_free(struct plan *plan) {
    array_free(&plan->steps);
    array_free(&plan->ops);
}

bool plan_put_bytes(struct plan_bytes *to, const void *bytes, size_t count) {
    if (!array_reserve(&to->all, count)) return false;
    memcpy(to->all.items + to->all.count, bytes, count);
    to->all.count += count;
    return true;
}
bool plan_put(const struct plan *plan, struct plan_bytes *to) {
    const uint8_t flags[] = {plan->wave32, plan->guarded, plan->rows, plan->quick, plan->functions};
    bool ok = plan_put_bytes(to, flags, sizeof flags) &&
              plan_put_bytes(to, &plan->loops_end, sizeof plan->loops_end);
    for (size_t i = 0; ok && i < plan->steps.count; i++) {
        struct step s = plan->steps.items[i];
        const char *piece = s.kind == STEP_PIECE ? plan_piece(plan, i) : "";
        s.piece = 0; // another build counts its stencils otherwise: the name says which piece it is
        ok = plan_put_bytes(to, &s, sizeof s) && plan_put_bytes(to, piece, strlen(piece) + 1);
    }
    return ok;
}
