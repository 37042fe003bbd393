// SPDX-License-Identifier: MIT
// Nanoseconds of every body that takes its operands from registers: at each vector level of this host, both
// wave sizes, and EXEC full, half and one lane. Bodies come from the instruction table, so a new one is timed
// without being named here. A body that takes much longer than the median of its class fails, by name: at
// every level, wave size and EXEC state it is held to bodies of the same shape, width, kind of numbers, unit
// and cost: arithmetic on numbers that hosts do not know, and what goes by lane, are classes of their own.
// Not timed: what needs an instruction around it (memory, matrices, branches) or writes EXEC.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bare_wave.h"
#include "isa/fidelity.h"

enum {
    OPS = 256,
    ROUNDS = 12,
    STATES = 6,
    VGPRS = 128,
    BODIES = 2048,
    CLASS_SMALLEST = 5,
    TRIES = 40,
    REST_US = 10000
};
static const double OUTLIER = 4.0, NOISE_NS = 4.0;
// The lowest level has no fused multiply-add, no conversion of F16 and no shift by lane, so what needs them
// goes lane by lane there, or through a few instructions more: allowed a lane. Scalar bodies count as LANES.
static const double BY_LANE_NS = 6.0;
static const char *const state_names[STATES] = {"wave64", "wave64 half", "wave64 one",
                                                "wave32", "wave32 half", "wave32 one"};

struct timed {
    const struct row *row;
    const struct body *body;
    unsigned class;
    double ns[STATES];
};
static struct timed list[BODIES];
static unsigned count;

static const struct op *stop(struct wave *w, const struct op *op) {
    (void)w, (void)op;
    return NULL;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

// The best of several runs of a row of ops, each on a fresh set of registers.
static double measure(const struct body *b, unsigned state) {
    static struct op ops[OPS + 1];
    struct wave *w = bare_wave(state < 3 ? 64 : 32, VGPRS);
    bool scalar = b->shape == SHAPE_SCALAR;
    for (unsigned i = 0; i < OPS; i++) {
        ops[i] = (struct op){.fn = b->fn[0],
                             .body = b->fn[0],
                             .d = scalar ? sgpr_offset(40 + 4 * (i % 8)) : vgpr(w, 16 + 4 * (i % 8)),
                             .a = scalar ? sgpr_offset(8) : vgpr(w, 0),
                             .b = scalar ? sgpr_offset(12) : vgpr(w, 4),
                             .c = scalar ? sgpr_offset(16) : vgpr(w, 8)};
        if (b->shape == SHAPE_COMPARE) ops[i].d = sgpr_offset(20);
    }
    ops[OPS].fn = stop;
    double best = 1e18;
    for (unsigned r = 0; r < ROUNDS; r++) {
        for (unsigned v = 0; v < VGPRS * w->lanes; v++) w->v[v] = 0x3f800000u + v;
        for (unsigned s = 0; s < 96; s++)
            memcpy((char *)w->s + sgpr_offset(s), &(uint32_t){0x3f800000u + s}, 4);
        w->exec = state % 3 == 0 ? w->all_lanes : state % 3 == 1 ? 0x5555555555555555ull & w->all_lanes : 8;
        double start = now();
#if TAIL_DISPATCH
        ops[0].fn(w, ops);
#else
        for (const struct op *op = ops; op;) op = op->fn(w, op);
#endif
        double t = (now() - start) / OPS;
        if (t < best) best = t;
    }
    free(w);
    return best;
}

// Shape, widest operand, whether any is a real number or one of 16 bits, unit, and what the body says of its
// cost (exec/body/body.h).
static unsigned class_of(const struct row *row, const struct body *b) {
    unsigned width = 0, real = 0, half = 0;
    for (unsigned i = 0; i < ROW_DST + ROW_SRC; i++) {
        uint8_t type = i < ROW_DST ? row->dst[i].type : row->src[i - ROW_DST].type;
        bool small = type == T_F16 || type == T_BF16 || type == T_V2F16 || type == T_V2BF16;
        unsigned dwords = operand_dwords[type], w = dwords > 8 ? 4 : dwords > 2 ? 3 : dwords;
        if (w > width) width = w;
        real |= small || type == T_F32 || type == T_F64 || type == T_V2F32 || row->flags & ROW_ABSNEG;
        half |= small || (operand_bits[type] == 16 && b->shape != SHAPE_SCALAR);
    }
    bool slow = row->flags & ROW_TRANS || row_fidelity(row);
    return (unsigned)b->shape << 8 | (unsigned)b->cost << 6 | slow << 5 | half << 4 | real << 3 | width;
}

static bool can_time(const struct row *row, const struct body *b) {
    switch (b->shape) {
    case SHAPE_VECTOR1:
    case SHAPE_VECTOR2:
    case SHAPE_VECTOR3:
    case SHAPE_COMPARE:
    case SHAPE_SCALAR: break;
    default: return false;
    }
    return b->fn[0] && !(row->writes & R_EXEC) && !(row->flags & (ROW_BRANCH | ROW_CALL | ROW_TERMINATOR));
}

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median(unsigned class, unsigned state, unsigned *members) {
    static double t[BODIES];
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++)
        if (list[i].class == class) t[n++] = list[i].ns[state];
    qsort(t, n, sizeof *t, by_number);
    *members = n;
    return t[n / 2];
}

// Bodies that stay above the limit however often they are timed again: over some tenths of a second, as what
// else the host does comes in slices of milliseconds.
static unsigned outliers(const char *level, bool lowest) {
    unsigned bad = 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned s = 0; s < STATES; s++) {
            unsigned members;
            double m = median(list[i].class, s, &members), limit = OUTLIER * m + NOISE_NS;
            if (lowest) limit += BY_LANE_NS * (list[i].body->shape == SHAPE_SCALAR ? LANES : s < 3 ? 64 : 32);
            for (unsigned k = 0; k < TRIES && list[i].ns[s] > limit; k++) {
                if (k) usleep(REST_US);
                double t = measure(list[i].body, s);
                if (t < list[i].ns[s]) list[i].ns[s] = t;
            }
            if (members < CLASS_SMALLEST || list[i].ns[s] <= limit) continue;
            printf("OUTLIER: %s at level %s, %s: %.1f ns, its class takes %.1f\n", row_sem(list[i].row),
                   level, state_names[s], list[i].ns[s], m);
            bad++;
        }
    return bad;
}

static unsigned collect(const struct level *level) {
    unsigned left = 0;
    count = 0;
    for (unsigned r = 0; r < isa_row_count; r++) {
        const struct body *b = level->bodies[r];
        bool known = b->shape == SHAPE_NONE || b->shape == SHAPE_NOTHING;
        for (unsigned q = 0; q < r && !known; q++) known = level->bodies[q] == b;
        if (known) continue;
        if (!can_time(&isa_rows[r], b) || count == BODIES)
            left++;
        else
            list[count++] =
                (struct timed){.row = &isa_rows[r], .body = b, .class = class_of(&isa_rows[r], b)};
    }
    return left;
}

int main(void) {
    unsigned bad = 0;
    double fastest = 0;
    printf("nanoseconds a body");
    for (unsigned s = 0; s < STATES; s++) printf("%s %s", s ? "," : ":", state_names[s]);
    printf("\n");
    for (unsigned l = 0; l < level_count(); l++) {
        unsigned left = collect(&levels[l]);
        printf("  level %s: %u bodies, %u that need an instruction around them\n", levels[l].name, count,
               left);
        for (unsigned i = 0; i < count; i++)
            for (unsigned s = 0; s < STATES; s++) list[i].ns[s] = measure(list[i].body, s);
        unsigned here = outliers(levels[l].name, l == 0);
        for (unsigned i = 0; i < count; i++) {
            printf("    %-26s", row_sem(list[i].row));
            for (unsigned s = 0; s < STATES; s++) printf(" %8.2f", list[i].ns[s]);
            printf("\n");
            if (!strcmp(row_sem(list[i].row), "v_fma_f32")) fastest = list[i].ns[0];
        }
        bad += here;
    }
    if (fastest > 0)
        printf("v_fma_f32 at the best level: %.0f M wave64 instructions a second on one core (goal: 100)\n",
               1e3 / fastest);
    printf("%u outliers\n", bad);
    return bad != 0;
}
