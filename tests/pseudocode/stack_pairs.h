// SPDX-License-Identifier: MIT
// Stacks of a walk through a tree (RDNA3 and RDNA4 12.5.3), as what they are for: of the children behind the
// one visited last the nearest comes back, the others wait, farthest first; without one the stack says. The
// state is in LDS and in the address register, and goes on from trial to trial; here it is a plain stack.
#ifndef TESTS_PSEUDOCODE_STACK_PAIRS_H
#define TESTS_PSEUDOCODE_STACK_PAIRS_H

#include "row_runner.h"

enum { K_ADDRESS = 2, K_LAST = 4, K_CHILDREN = 8, K_NEXT = 30, STACK_SIZE = 16, STACK_LANES = 32 };
static const uint32_t NO_NODE = 0xffffffff, LAST_NODE = 0xfffffffe;
static struct {
    uint32_t nodes[STACK_SIZE + 1];
    unsigned count;
} walks[64];

static bool is_stack(const struct row *row) { return !strncmp(row_id(row), "ds_bvh_stack_", 13); }
static unsigned children_of(const struct row *row) { return strstr(row_id(row), "push8") ? 8 : 4; }
static bool returns_two(const struct row *row) { return strstr(row_id(row), "pop2") != NULL; }
static bool make_stack(struct row_rig *r, struct row_trial *t) {
    const bool gfx12 = generation_within(r->isa->generation, GFX12);
    t->in.f[F_vdst] = SRC_VGPR0 + K_NEXT, t->in.f[F_addr] = SRC_VGPR0 + K_ADDRESS;
    t->in.f[F_data0] = SRC_VGPR0 + K_LAST, t->in.f[F_data1] = SRC_VGPR0 + K_CHILDREN;
    t->in.f[gfx12 ? F_offset0 : F_offset1] = 16; // entries: 16, or 1 << 4
    return true;
}
// A lane's entries are 32 dwords apart.
static uint32_t empty_stack(const struct row_rig *r, unsigned lane) {
    const uint32_t dword = lane % STACK_LANES + lane / STACK_LANES * STACK_LANES * STACK_SIZE;
    return dword << (generation_within(r->isa->generation, GFX12) ? 15 : 18);
}
static void set_stack(struct row_rig *r, const struct row_trial *t) {
    const unsigned n = children_of(t->row);
    if (!t->number) memset(walks, 0, sizeof walks);
    if (t->number) memcpy(r->before.lds, r->after.lds, ROW_LDS);
    for (unsigned l = 0; l < r->lanes; l++) {
        // Sorted: invalid ones are last. A stack that is nearly full is emptied first.
        const unsigned there = walks[l].count + n > STACK_SIZE ? 0 : row_random() % (n + 1);
        r->before.v[K_ADDRESS][l] = t->number ? r->after.v[K_ADDRESS][l] : empty_stack(r, l);
        for (unsigned i = 0; i < n; i++)
            r->before.v[K_CHILDREN + i][l] = i < there ? (row_random() % 0xffff << 6 | i << 3) | 5 : NO_NODE;
        const unsigned kind = row_random() % 4; // nothing visited, one of them, another one
        r->before.v[K_LAST][l] = kind < 2             ? NO_NODE
                                 : kind == 2 && there ? r->before.v[K_CHILDREN + row_random() % there][l]
                                                      : (0xabcd << 6 | 5);
    }
}
static uint32_t popped(unsigned lane, uint32_t none) {
    return walks[lane].count ? walks[lane].nodes[--walks[lane].count] : none;
}
static void check_stack(struct row_rig *r, const struct row_trial *t) {
    const unsigned n = children_of(t->row);
    for (unsigned v = 0; v < ROW_VGPRS; v++)
        for (unsigned l = 0; l < r->lanes; l++)
            if (((v != K_ADDRESS && v - K_NEXT > returns_two(t->row)) || !row_executes(r, l)) &&
                r->after.v[v][l] != r->before.v[v][l])
                row_fail(r, t, "another register", l, r->before.v[v][l], r->after.v[v][l]);
    for (unsigned l = 0; l < r->lanes; l++) {
        if (!row_executes(r, l)) continue;
        const uint32_t last = r->before.v[K_LAST][l];
        unsigned first = last == NO_NODE ? 0 : n; // of the children that are not visited
        for (unsigned i = 0; i < n && last != NO_NODE; i++)
            if (r->before.v[K_CHILDREN + i][l] == last) first = i + 1;
        for (unsigned i = n; i-- > first;)
            if (r->before.v[K_CHILDREN + i][l] != NO_NODE)
                walks[l].nodes[walks[l].count++] = r->before.v[K_CHILDREN + i][l];
        const uint32_t next = popped(l, LAST_NODE);
        if (r->after.v[K_NEXT][l] != next) row_fail(r, t, "the next node", l, next, r->after.v[K_NEXT][l]);
        if (!returns_two(t->row)) continue;
        const uint32_t second = popped(l, NO_NODE);
        if (r->after.v[K_NEXT + 1][l] != second)
            row_fail(r, t, "the node behind it", l, second, r->after.v[K_NEXT + 1][l]);
    }
}
static const struct row_kind stack_kind = {make_stack, set_stack, check_stack};

#endif
