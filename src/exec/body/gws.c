// SPDX-License-Identifier: MIT
// Global wave sync: semaphores and barriers of the device, by number. The wave names a resource by M0 and an
// offset and gives a count in the first executing lane; those that have to wait give way and ask again.
#include "exec/body/body.h"
#include "exec/gds.h"
#include "exec/machine.h"

// op->a: the count's register; op->b: M0; op->e: the offset.
static uint32_t first_lane_of(struct wave *w, const struct op *op) {
    const uint64_t exec = exec_of(w);
    return lane32(w, op, op->a, exec ? (unsigned)__builtin_ctzll(exec) : 0, false);
}
// M0[21:16] is added to the offset; of the sum six bits count.
INLINE unsigned resource(struct wave *w, const struct op *op) {
    return ((get32(w, op, op->b) >> 16) + op->e) & 63;
}
static __attribute__((noinline)) const struct op *wait(struct wave *w, const struct op *op) {
    w->status = WAVE_SLEEPING;
    w->pc = w->code_base + op->pc;
    w->resume = op;
    return NULL;
}

#define GWS(name, what, count)                                                                               \
    static const struct op *name##_run(struct wave *w, const struct op *op) {                                \
        if (!OUT(state_gws_allowed(w, op))) return NULL;                                                     \
        if (!OUT(state_gws(w, what, resource(w, op), count))) return wait(w, op);                            \
        NEXT;                                                                                                \
    }                                                                                                        \
    BODY(name, .shape = SHAPE_MEMORY, .fn = {name##_run});

GWS(ds_gws_init, GWS_INIT, first_lane_of(w, op))
GWS(ds_gws_barrier, GWS_BARRIER, first_lane_of(w, op))
GWS(ds_gws_sema_br, GWS_RELEASE, first_lane_of(w, op))
GWS(ds_gws_sema_v, GWS_RELEASE, 1)
GWS(ds_gws_sema_release_all, GWS_RELEASE_ALL, 0)
GWS(ds_gws_sema_p, GWS_TAKE, 0)

// ---- Counters of the global data share (decode/gds_ops.c) ----
BODY(ds_ordered_count, .shape = SHAPE_MEMORY, .pair = GDS_ORDERED);
BODY(ds_add_gs_reg_rtn, .shape = SHAPE_MEMORY, .pair = GDS_ADD_REGISTER);
BODY(ds_sub_gs_reg_rtn, .shape = SHAPE_MEMORY, .pair = GDS_SUB_REGISTER);
