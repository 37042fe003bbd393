// SPDX-License-Identifier: MIT
// What stands in for native code in builds for ThreadSanitizer (native.c).
#include <stdlib.h>

#include "exec/machine.h"
#include "jit/join.h"

struct record {
    const struct op *op;
    op_fn *handler;
};

// The first region that was made of an op: whoever goes on at the op was told of that one at the latest,
// while a newer one may be published at this moment. Found unwatched: the program's list, which begins with
// the newest, is no part of the hand-over, so that reading it must neither race nor order anything.
__attribute__((noinline, no_sanitize("thread"))) static const struct native_region *
region_of(const struct program *p, const struct op *op, bool compiled, size_t *at) {
    const struct native_region *found = NULL;
    for (const struct native_region *r = __atomic_load_n(&p->native, __ATOMIC_ACQUIRE); r; r = r->next) {
        const struct record *records = r->code;
        if (r->stands_in_for_compiled != compiled) continue;
        for (size_t i = 0; i < r->records; i++)
            if (records[i].op == op) found = r, *at = i;
    }
    return found;
}

// As whoever goes on at the op does: the handler first, then what was written before it was published.
static op_fn *handed_over(const struct program *p, const struct op *op, bool compiled) {
    size_t at = 0;
    (void)__atomic_load_n(&op->fn, __ATOMIC_ACQUIRE);
    const struct native_region *r = region_of(p, op, compiled, &at);
    return r ? ((const struct record *)r->code)[at].handler : NULL;
}

static const struct op *run(struct wave *w, const struct op *op, bool compiled) {
    const struct program *p = w->machine->program(w);
    op_fn *handler = p && p->base == w->code_base ? handed_over(p, op, compiled) : NULL;
    return (handler ? handler : op->body)(w, op);
}
static const struct op *run_record(struct wave *w, const struct op *op) { return run(w, op, false); }
static const struct op *run_compiled(struct wave *w, const struct op *op) { return run(w, op, true); }

static bool publish(struct program *p, struct native_region region) {
    struct native_region *r = malloc(sizeof *r);
    struct record *records = region.code;
    if (!r) {
        free(records);
        return false;
    }
    region.next = p->native;
    *r = region;
    __atomic_store_n(&p->native, r, __ATOMIC_RELEASE);
    op_fn *run_it = r->stands_in_for_compiled ? run_compiled : run_record;
    for (size_t i = 0; i < r->records; i++)
        __atomic_store_n((op_fn **)&records[i].op->fn, run_it, __ATOMIC_RELEASE);
    return true;
}

bool native_stand_in(struct program *p, size_t first, size_t count) {
    size_t n = 0;
    for (size_t i = first; i < count; i++) n += p->built.items[i].count;
    struct record *records = calloc(n ? n : 1, sizeof *records);
    if (!records) return false;
    n = 0;
    for (size_t i = first; i < count; i++)
        for (size_t k = 0; k < p->built.items[i].count; k++) {
            const struct op *op = &p->built.items[i].ops[k];
            if (op->fn != run_compiled) records[n++] = (struct record){op, op->body};
        }
    return publish(p, (struct native_region){.code = records, .records = n});
}

bool native_stand_in_compiled(struct program *p, const struct op *const *ops, size_t count) {
    struct record *records = calloc(count ? count : 1, sizeof *records);
    if (!records) return false;
    for (size_t i = 0; i < count; i++) records[i] = (struct record){ops[i], ops[i]->body};
    return publish(p,
                   (struct native_region){.code = records, .records = count, .stands_in_for_compiled = true});
}
