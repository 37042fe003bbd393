// SPDX-License-Identifier: MIT
// Read ports of a group: in each of three cycles one GPR a channel; constants; what the t slot may read when.
#include <string.h>

#include "terascale/isa/alu.h"

// The cycle in which each source is read.
static const uint8_t vector_cycles[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
static const uint8_t scalar_cycles[4][3] = {{2, 1, 0}, {1, 2, 2}, {2, 1, 2}, {2, 2, 1}};
static const char *const vector_names[6] = {"VEC_012", "VEC_021", "VEC_120", "VEC_102", "VEC_201", "VEC_210"};
static const char *const scalar_names[4] = {"SCL_210", "SCL_122", "SCL_212", "SCL_221"};

const char *ts_swizzle_name(unsigned unit, unsigned swizzle) {
    if (unit == TS_UNIT_T) return swizzle < 4 ? scalar_names[swizzle] : NULL;
    return swizzle < 6 ? vector_names[swizzle] : NULL;
}

struct ports {
    int gpr[3][4]; // register (and whether it is relative) read in a cycle from a channel's bank; -1: none
    unsigned constants;
    uint32_t constant[8];
};

static bool is_gpr(const struct ts_source *s) { return s->sel < TS_SEL_KC0; }
static bool is_constant(const struct ts_source *s, enum ts_family family) {
    if (s->sel >= TS_SEL_KC0 && s->sel < TS_SEL_KC1 + 32) return true;
    return s->sel >= TS_SEL_KC2 && (family < TS_EVERGREEN || s->sel < TS_SEL_KC3 + 32);
}
static bool is_inline(const struct ts_source *s, enum ts_family family) {
    return s->sel >= (family < TS_EVERGREEN ? TS_SEL_ZERO : TS_SEL_INLINE) && s->sel <= TS_SEL_LITERAL;
}

static bool read_gpr(struct ports *p, const struct ts_slot *s, const struct ts_source *o, unsigned cycle) {
    const int reg = o->sel | (o->rel ? 0x100 << (s->index_mode & 7) : 0);
    int *port = &p->gpr[cycle][o->chan];
    if (*port >= 0 && *port != reg) return false;
    *port = reg;
    return true;
}

// R600 reads four distinct elements of constants a group; from R700 on two distinct pairs, xy or zw.
static bool read_constant(struct ports *p, const struct ts_slot *s, const struct ts_source *o,
                          enum ts_family family) {
    const bool old = family == TS_R600;
    const unsigned chan = old ? o->chan : o->chan >> 1;
    const uint32_t key = o->sel | chan << 12 | (o->rel ? 1u + s->index_mode : 0) << 16;
    for (unsigned i = 0; i < p->constants; i++)
        if (p->constant[i] == key) return true;
    if (p->constants == (old ? 4u : 2u)) return false;
    p->constant[p->constants++] = key;
    return true;
}

static const char *check_vector(struct ports *p, const struct ts_slot *s, enum ts_family family) {
    if (s->swizzle > 5) return "a bank swizzle has no such number";
    const uint8_t *cycles = vector_cycles[s->swizzle];
    for (unsigned k = 0; k < s->used; k++) {
        const struct ts_source *o = &s->src[k];
        if (is_constant(o, family) && !read_constant(p, s, o, family)) return "too many constants in a group";
        // The second operand, where it is the first once more, takes part in its read.
        if (k == 1 && o->sel == s->src[0].sel && o->chan == s->src[0].chan && o->rel == s->src[0].rel)
            continue;
        if (is_gpr(o) && !read_gpr(p, s, o, cycles[k]))
            return "two GPRs of one channel are read in one cycle";
    }
    return NULL;
}

static const char *check_scalar(struct ports *p, const struct ts_slot *s, enum ts_family family) {
    if (s->swizzle > 3) return "a bank swizzle of slot t has no such number";
    const uint8_t *cycles = scalar_cycles[s->swizzle];
    unsigned constants = 0;
    for (unsigned k = 0; k < s->used; k++) {
        const struct ts_source *o = &s->src[k];
        if (is_constant(o, family) && !read_constant(p, s, o, family)) return "too many constants in a group";
        constants += is_constant(o, family) || is_inline(o, family);
    }
    if (constants > 2) return "slot t reads at most two constants";
    for (unsigned k = 0; k < s->used; k++) {
        const struct ts_source *o = &s->src[k];
        const bool forwarded = o->sel == TS_SEL_PV || o->sel == TS_SEL_PS;
        if ((is_gpr(o) || forwarded) && cycles[k] < constants)
            return "slot t reads a register in a cycle that its constants take";
        if (is_gpr(o) && !read_gpr(p, s, o, cycles[k]))
            return "two GPRs of one channel are read in one cycle";
    }
    return NULL;
}

// Interpolation reads its operands in ways of its own; LLVM and Mesa write VEC_210 there.
static bool is_interp(const struct ts_slot *s) { return s->insn.row && s->insn.row->flags & TS_INTERP; }

const char *ts_check_ports(const struct ts_chip *chip, const struct ts_group *g) {
    struct ports p = {.constants = 0};
    memset(p.gpr, -1, sizeof p.gpr);
    for (unsigned i = 0; i < g->count; i++) {
        const struct ts_slot *s = &g->slot[i];
        const char *why = s->unit == TS_UNIT_T ? check_scalar(&p, s, chip->family)
                          : is_interp(s)       ? NULL
                                               : check_vector(&p, s, chip->family);
        if (why) return why;
    }
    return NULL;
}

bool ts_find_swizzles(const struct ts_chip *chip, struct ts_group *g) {
    for (unsigned i = 0; i < g->count; i++) g->slot[i].swizzle = is_interp(&g->slot[i]) ? 5 : 0;
    for (;;) {
        if (!ts_check_ports(chip, g)) break;
        unsigned i = 0;
        for (; i < g->count; i++) {
            struct ts_slot *s = &g->slot[i];
            if (is_interp(s)) continue;
            if (++s->swizzle < (s->unit == TS_UNIT_T ? 4 : 6)) break;
            s->swizzle = 0;
        }
        if (i == g->count) return false;
    }
    for (unsigned i = 0; i < g->count; i++) ts_set(&g->slot[i].insn, TS_BANK_SWIZZLE, g->slot[i].swizzle);
    return true;
}
