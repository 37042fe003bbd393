// SPDX-License-Identifier: MIT
// Plans, slots, segments and affine vectors as lines of text.
#include "jit/dump.h"

#include <inttypes.h>
#include <stdlib.h>

bool dump_names(const struct jit_dump *d, const char *phase) {
    const size_t n = strlen(phase);
    if (!d || !d->phases || !d->put) return false;
    if (!strcmp(d->phases, "all")) return true;
    for (const char *s = d->phases; *s; s += strcspn(s, ","), s += *s == ',')
        if (strcspn(s, ",") == n && !memcmp(s, phase, n)) return true;
    return false;
}

void dump_put(const struct jit_dump *d, const char *phase, struct text *t) {
    if (t->length && !t->failed) d->put(d->context, phase, t->data, t->length);
    text_free(t);
}

// ---- Places of the wave ----

// The first of `bytes` / 4 scalar registers. Returns how many bytes the name stands for.
static uint32_t put_scalars(struct text *t, uint32_t n, uint32_t bytes) {
    const bool some = n < 106 && bytes > 4 && bytes % 4 == 0;
    if (some)
        text_printf(t, "s[%" PRIu32 ":%" PRIu32 "]", n, n + bytes / 4 - 1);
    else if (n < 106)
        text_printf(t, "s%" PRIu32, n);
    else if (n >= 108 && n < 124)
        text_printf(t, "ttmp%" PRIu32, n - 108);
    else
        text_printf(t, "%s", n < 108 ? "vcc" : n < 126 ? "m0" : "exec");
    if (n == 107 || n == 127) text_puts(t, "_hi");
    return some ? bytes : n == 106 || n == 126 ? 8 : 4;
}

// A register by its name, else the member of the wave; with the number of bytes where that is not what the
// register has.
static void put_place(struct text *t, const struct fuse *f, struct slot s) {
    static const struct {
        const char *name;
        uint32_t at, end;
    } members[] = {
#define MEMBER(name)                                                                                         \
    {#name, offsetof(struct wave, name), offsetof(struct wave, name) + sizeof((struct wave *)0)->name}
        MEMBER(mode),        MEMBER(mxcsr),       MEMBER(mxcsr64),       MEMBER(trap_status),
        MEMBER(status),      MEMBER(budget),      MEMBER(interrupt),     MEMBER(pc),
        MEMBER(lds_limit),   MEMBER(lds),         MEMBER(ranges),        MEMBER(not_lanes),
        MEMBER(saved_exec),  MEMBER(scc),         MEMBER(vccz),          MEMBER(execz),
        MEMBER(literal),     MEMBER(zeros),       MEMBER(null_sink),     MEMBER(constant32),
        MEMBER(constant16),  MEMBER(constant64),  MEMBER(constant_bf16), MEMBER(scratch_base),
        MEMBER(shared_base), MEMBER(private_base)
#undef MEMBER
    };
    const uint32_t scalars = offsetof(struct wave, s), beyond = offsetof(struct wave, s_beyond);
    const uint32_t temps = offsetof(struct wave, temp), vectors = offsetof(struct wave, v);
    const uint32_t lanes = f->plan->wave32 ? 32 : 64, stride = 4 * lanes;
    const uint32_t temp_stride = sizeof(uint32_t[MAX_LANES]);
    uint32_t usual = 4, within = 0;
    if (s.offset >= vectors) {
        within = (s.offset - vectors) % stride;
        usual = stride;
        text_printf(t, "v%" PRIu32, (s.offset - vectors) / stride);
    } else if (s.offset >= temps) {
        within = (s.offset - temps) % temp_stride;
        usual = stride;
        text_printf(t, "temp%" PRIu32, (s.offset - temps) / temp_stride);
    } else if (s.offset >= scalars && s.offset < beyond) {
        within = (s.offset - scalars) % 4;
        usual = put_scalars(t, (s.offset - scalars) / 4, s.size);
    } else {
        size_t i = 0;
        const size_t count = sizeof members / sizeof *members;
        while (i < count && (s.offset < members[i].at || s.offset >= members[i].end)) i++;
        if (i < count) {
            text_puts(t, members[i].name);
            within = s.offset - members[i].at;
            usual = members[i].end - members[i].at;
        } else
            text_printf(t, "wave+%" PRIu32, s.offset);
    }
    if (within) text_printf(t, "+%" PRIu32, within);
    if (s.size != usual) text_printf(t, ":%" PRIu32, s.size);
}

static void put_set(struct text *t, const struct fuse *f, const uint64_t *set) {
    bool any = false;
    for (size_t i = 0; i < f->slots.count; i++) {
        if (!(set[i / 64] >> i % 64 & 1)) continue;
        text_puts(t, " ");
        put_place(t, f, f->slots.items[i]);
        any = true;
    }
    if (!any) text_puts(t, " -");
}

// ---- Phases ----

// The number of the vector register or temporary that the place lies in, plus 1; 0: in none.
static uint32_t vector_of(const struct fuse *f, uint32_t offset) {
    const uint32_t temps = offsetof(struct wave, temp), vectors = offsetof(struct wave, v);
    if (offset < temps) return 0;
    if (offset < vectors) return 1 + (offset - temps) / (uint32_t)sizeof(uint32_t[MAX_LANES]);
    return 1 + TEMP_REGISTERS + (offset - vectors) / (f->plan->wave32 ? 128 : 256);
}
static int by_offset(const void *a, const void *b) {
    const struct slot *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}
// Places that overlap are one, and so are parts of a vector register that touch.
static void put_accesses(const struct fuse *f, size_t step, bool writes, struct text *t) {
    ARRAY(struct slot) all = {0};
    for (size_t k = 0; k < f->facts[step].accesses.count; k++) {
        const struct piece_access *a = &f->facts[step].accesses.items[k];
        if (a->writes == writes && !array_push(&all, access_place(f, step, a))) break;
    }
    if (all.count) qsort(all.items, all.count, sizeof *all.items, by_offset);
    if (all.count) text_puts(t, writes ? " writes" : " reads");
    for (size_t i = 0, next; i < all.count; i = next) {
        struct slot s = all.items[i];
        for (next = i + 1; next < all.count; next++) {
            const struct slot o = all.items[next];
            const uint32_t end = s.offset + s.size, vector = vector_of(f, s.offset);
            if (o.offset > end || (o.offset == end && (!vector || vector != vector_of(f, o.offset)))) break;
            if (o.offset + o.size > end) s.size = o.offset + o.size - s.offset;
        }
        text_puts(t, " ");
        put_place(t, f, s);
    }
    if (all.count) text_puts(t, ";");
    array_free(&all);
}

void dump_plan(const struct fuse *f, struct text *t) {
    static const char *const kinds[] = {
        [STEP_PIECE] = "piece", [STEP_CALL] = "call", [STEP_LEAVE] = "leave", [STEP_GO_TO] = "jump"};
    const struct plan *p = f->plan;
    text_printf(t, "plan: %zu steps, wave%d%s%s\n", p->steps.count, p->wave32 ? 32 : 64,
                p->guarded ? ", guarded" : "", p->quick ? ", quick" : "");
    for (size_t i = 0; i < p->steps.count; i++) {
        const struct step *s = &p->steps.items[i];
        text_printf(t, "%4zu +0x%04x %s", i, (unsigned)p->ops.items[i]->pc, kinds[s->kind]);
        if (s->kind == STEP_PIECE) {
            text_printf(t, " %s", plan_piece(p, i));
            put_accesses(f, i, false, t);
            put_accesses(f, i, true, t);
        }
        if (s->target >= 0) text_printf(t, " to %" PRId32, s->target);
        if (s->goes_on) text_puts(t, " out");
        if (s->is_entry) text_puts(t, " entry");
        if (s->may_leave) text_puts(t, s->is_memory ? " memory" : " may-leave");
        if (s->kind == STEP_PIECE && f->facts[i].stores) text_puts(t, " stores");
        if (s->kind == STEP_CALL && s->writes_exec) text_puts(t, " writes-exec");
        text_puts(t, "\n");
    }
}

void dump_slots(const struct fuse *f, struct text *t) {
    text_printf(t, "slots: %zu\n", f->slots.count);
    for (size_t i = 0; i < f->slots.count; i++) {
        text_printf(t, "%4zu ", i);
        put_place(t, f, f->slots.items[i]);
        text_puts(t, is_constant(f->slots.items[i]) ? " constant\n" : "\n");
    }
}

void dump_segments(const struct fuse *f, struct text *t) {
    text_printf(t, "%s: %zu segments\n",
                !f->is_wave_loop ? FUSED_FUNCTION
                : f->rows        ? FUSED_ROWS
                                 : FUSED_WAVE_LOOP,
                f->segments.count);
    for (size_t i = 0; i < f->segments.count; i++) {
        const struct segment *s = &f->segments.items[i];
        text_printf(t, "%4zu steps %" PRIu32 "-%" PRIu32 " %s%s%s; dirty", i, s->step, s->end - 1,
                    s->version == VERSION_ALL ? "all" : "some", s->stored ? " stored" : "",
                    s->unmarked ? " unmarked" : "");
        put_set(t, f, s->dirty);
        text_puts(t, "\n");
    }
}

static void put_value(struct text *t, const struct llvm *l, llvm_ref v) {
    char *line = l->PrintValueToString(v);
    const char *from = line + strspn(line, " ");
    text_add(t, from, strcspn(from, "\n"));
    l->DisposeMessage(line);
}

static void put_affine(const struct lanes *s, llvm_ref v, const struct affine *r, struct text *t) {
    text_printf(t, "step %" PRId64, r->step);
    if (r->lane != ANY_LANE) text_printf(t, " lane %u", r->lane);
    text_puts(t, r->sure.value ? " unsure: " : " sure: ");
    put_value(t, s->l, v);
    text_puts(t, "\n");
}

void dump_affine(const struct lanes *s, llvm_ref function, struct text *t) {
    const struct llvm *l = s->l;
    size_t length;
    const char *name = l->GetValueName2(function, &length);
    text_printf(t, "%.*s: affine vectors\n", (int)length, name);
    for (llvm_ref b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b))
        for (llvm_ref i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i)) {
            struct affine r;
            if (!element_width(s, l->TypeOf(i)) || !elements_of(s, l->TypeOf(i)) || !affine_seen(s, i, &r))
                continue;
            text_puts(t, r.kind == MASK ? "mask " : "affine ");
            put_affine(s, i, &r, t);
        }
}
void dump_addresses(const struct lanes *s, llvm_ref question, const struct affine *is, struct text *t) {
    if (is->kind != AFFINE) return;
    text_puts(t, "addresses ");
    put_affine(s, question, is, t);
}

void dump_whole(const struct fuse *f, llvm_ref halves, llvm_ref whole, struct text *t) {
    text_puts(t, "whole of ");
    put_value(t, f->l, halves);
    text_puts(t, ": ");
    put_value(t, f->l, whole);
    text_puts(t, "\n");
}

void dump_module(const struct fuse *f, struct text *t) {
    char *module = f->l->PrintModuleToString(f->module);
    text_puts(t, module);
    f->l->DisposeMessage(module);
}
