// SPDX-License-Identifier: MIT
// Nanoseconds of a body: representative operations of each kind, at every vector level of this host, both
// wave sizes, full and partial EXEC; and from them the wave64 instructions a second of one core.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bare_wave.h"

static const char *const names[] = {
    "v_add_f32",    "v_mul_f32",     "v_fma_f32",    "v_max_f32",     "v_rcp_f32",    "v_sqrt_f32",
    "v_exp_f32",    "v_add_nc_u32",  "v_and_b32",    "v_lshlrev_b32", "v_mul_lo_u32", "v_mad_co_u64_u32",
    "v_add_co_u32", "v_cndmask_b32", "v_cmp_lt_f32", "v_cmp_eq_u32",  "v_add_f64",    "v_fma_f64",
    "v_add_f16",    "v_fma_f16",     "v_pk_add_f16", "v_cvt_f32_i32", "v_perm_b32",   "v_bfe_u32",
};
enum { OPS = 512, ROUNDS = 200 };

static const struct op *stop(struct wave *w, const struct op *op) {
    (void)w, (void)op;
    return NULL;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double measure(struct wave *w, const struct body *b) {
    static struct op ops[OPS + 1];
    for (int i = 0; i < OPS; i++) {
        ops[i] = (struct op){.fn = b->fn[0],
                             .body = b->fn[0],
                             .d = WAVE_OFFSET(v) + (uint32_t)(8 + 2 * (i % 8)) * w->stride,
                             .a = WAVE_OFFSET(v),
                             .b = WAVE_OFFSET(v) + 2 * w->stride,
                             .c = WAVE_OFFSET(v) + 4 * w->stride};
        if (b->shape == SHAPE_COMPARE) ops[i].d = sgpr_offset(20);
    }
    ops[OPS].fn = stop;
    double best = 1e18;
    for (int r = 0; r < ROUNDS; r++) {
        double start = now();
#if TAIL_DISPATCH
        ops[0].fn(w, ops);
#else
        for (const struct op *op = ops; op;) op = op->fn(w, op);
#endif
        double t = (now() - start) / OPS;
        if (t < best) best = t;
    }
    return best;
}

int main(void) {
    printf("nanoseconds a body: wave64 full EXEC, wave64 half EXEC, wave32 full EXEC\n");
    double fastest = 0;
    for (unsigned l = 0; l < level_count(); l++) {
        printf("  level %s\n", levels[l].name);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const struct body *b = body_named(&levels[l], names[i]);
            if (!b || b->shape == SHAPE_NONE) continue;
            double t[3];
            for (int k = 0; k < 3; k++) {
                struct wave *w = bare_wave(k == 2 ? 32 : 64, 32);
                for (unsigned v = 0; v < 32 * w->lanes; v++) w->v[v] = 0x3f800000u + v;
                w->exec = k == 1 ? 0x5555555555555555ull : w->all_lanes;
                t[k] = measure(w, b);
                free(w);
            }
            printf("    %-18s %7.2f %7.2f %7.2f\n", names[i], t[0], t[1], t[2]);
            if (!strcmp(names[i], "v_fma_f32")) fastest = t[0];
        }
    }
    printf("v_fma_f32 at the best level: %.0f M wave64 instructions a second on one core (goal: 100)\n",
           1e3 / fastest);
}
