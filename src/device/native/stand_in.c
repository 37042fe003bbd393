// SPDX-License-Identifier: MIT
// What stands in for native code in builds for ThreadSanitizer (native.c).
#include <stdlib.h>

#include "device/native/join.h"

struct record {
    const struct op *op;
    op_fn *handler;
};

// As whoever goes on at the op does: the handler first, then what was written before it was published. The
// program's list of regions is no part of the hand-over, so that reading it orders nothing.
static op_fn *handed_over(const struct program *p, const struct op *op) {
    (void)__atomic_load_n(&op->fn, __ATOMIC_ACQUIRE);
    for (const struct native_region *r = __atomic_load_n(&p->native, __ATOMIC_RELAXED); r; r = r->next) {
        const struct record *records = r->code;
        for (size_t i = 0; i < r->records; i++)
            if (records[i].op == op) return records[i].handler;
    }
    return NULL;
}

static const struct op *run_record(struct wave *w, const struct op *op) {
    const struct program *p = native_program_of(w);
    op_fn *handler = p && p->base == w->code_base ? handed_over(p, op) : NULL;
    return (handler ? handler : op->body)(w, op);
}

bool native_stand_in(struct program *p, size_t first, size_t count) {
    size_t n = 0;
    for (size_t i = first; i < count; i++) n += p->built.items[i].count;
    struct native_region *region = calloc(1, sizeof *region);
    struct record *records = region ? calloc(n ? n : 1, sizeof *records) : NULL;
    if (!records) {
        free(region);
        return false;
    }
    n = 0;
    for (size_t i = first; i < count; i++)
        for (size_t k = 0; k < p->built.items[i].count; k++) {
            const struct op *op = &p->built.items[i].ops[k];
            records[n++] = (struct record){op, op->body};
        }
    *region = (struct native_region){.next = p->native, .code = records, .records = n};
    __atomic_store_n(&p->native, region, __ATOMIC_RELAXED);
    for (size_t i = 0; i < n; i++)
        __atomic_store_n((op_fn **)&records[i].op->fn, run_record, __ATOMIC_RELEASE);
    return true;
}
