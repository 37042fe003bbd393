// SPDX-License-Identifier: MIT
// Stacks of node pointers in LDS, one for each lane, for walks through trees of boxes: the children of a node
// go onto it, nearest last, and the next node to visit comes back. A stack is a ring that overwrites its
// oldest entries; with the parent's pointers a program finds its way where they are lost. Entries of a lane
// stand 32 dwords apart.
#include "exec/body/access.h"
#include "exec/body/flags.h"

enum { ENTRY_BYTES = 128, MOST_CHILDREN = 8 };
enum node { NODE_INVALID = 0xffffffff, NODE_TERMINAL = 0xfffffffe, NODE_KIND = 7, NODE_INSTANCE = 6 };
enum { LAST_PRIMITIVE_KIND = 3 };

INLINE uint32_t entry_load(const struct wave *w, uint64_t address) {
    return in_range(address, 4, w->lds_limit) ? rd32(w->lds + address) : 0;
}
INLINE void entry_store(struct wave *w, uint64_t address, uint32_t node) {
    if (in_range(address, 4, w->lds_limit)) wr32(w->lds + address, node);
}

// What one lane gives and gets.
struct visit {
    uint32_t pointer, last, children[MOST_CHILDREN]; // of the stack; the node visited last
    unsigned count, size, flags;
    uint32_t next[2];
};

// ---- GFX11: 16 bits of index below a base ----

// Children up to the one visited last were visited as well. Where none is that one, the program walks back
// and wants what the stack has.
static bool first_unvisited(const struct visit *v, unsigned *first) {
    const bool walks_back = v->last != NODE_INVALID;
    bool found = !walks_back;
    *first = 0;
    for (unsigned i = 0; i < v->count && walks_back; i++)
        if (v->children[i] == v->last) *first = i + 1, found = true;
    while (*first < v->count && v->children[*first] == NODE_INVALID) ++*first;
    return found && *first < v->count;
}
static void visit_gfx11(struct wave *w, struct visit *v) {
    enum { INDEX = 0xffff, BASE_SHIFT = 18 };
    const uint64_t base = (v->pointer >> BASE_SHIFT) * 4ull;
    uint32_t index = v->pointer & INDEX;
    unsigned first;
    if (first_unvisited(v, &first)) {
        for (unsigned i = v->count; i-- > first + 1;)
            if (v->children[i] != NODE_INVALID) {
                entry_store(w, base + (uint64_t)(index % v->size) * ENTRY_BYTES, v->children[i]);
                index = (index + 1) & INDEX;
            }
        v->next[0] = v->children[first];
    } else if (index) {
        const uint64_t at = base + (uint64_t)(--index % v->size) * ENTRY_BYTES;
        v->next[0] = entry_load(w, at);
        entry_store(w, at, NODE_INVALID);
    } else
        v->next[0] = NODE_TERMINAL;
    v->pointer = (v->pointer & ~(uint32_t)INDEX) | index;
}

// ---- GFX12: counts of entries, and of those above the tree that an instance belongs to ----

struct stack {
    uint64_t base;
    uint32_t size, ring, valid, above;
    bool has_parent, overflowed, left;
};
enum { FLAG_PAIRS = 1, FLAG_RANGES = 2 };
INLINE bool is_node(uint32_t node) { return node >> 3 != 0x1fffffff; }
INLINE uint32_t at_most(uint32_t v, uint32_t limit) { return v < limit ? v : limit; }

static void push_entry(struct wave *w, struct stack *s, uint32_t node) {
    s->overflowed |= s->valid == s->size;
    entry_store(w, s->base + (uint64_t)s->ring * ENTRY_BYTES, node);
    s->ring = s->ring + 1 == s->size ? 0 : (s->ring + 1) & 31;
    if (s->above == s->size) s->has_parent = false;
    s->above = at_most(s->above + 1, s->size);
    s->valid = at_most(s->valid + 1, s->size);
}
// The entry on top, without taking it.
static uint32_t top_of(const struct wave *w, const struct stack *s, uint32_t *ring) {
    *ring = (s->ring ? s->ring : s->size) - 1;
    return entry_load(w, s->base + (uint64_t)(*ring & 31) * ENTRY_BYTES);
}
static void take_entry(struct stack *s, uint32_t ring) {
    s->ring = ring & 31;
    if (s->above) s->above--;
    s->valid--;
}
static uint32_t pop_entry(struct wave *w, struct stack *s) {
    s->left = s->has_parent && !s->above;
    if (s->left) s->has_parent = false;
    if (!s->valid) {
        s->left = s->has_parent = false;
        return s->overflowed ? NODE_INVALID : NODE_TERMINAL;
    }
    uint32_t ring;
    const uint32_t node = top_of(w, s, &ring);
    take_entry(s, ring);
    if ((node & NODE_KIND) != NODE_INSTANCE) return node;
    if (s->has_parent) { // one tree below another is all that it counts
        s->valid = s->above;
        s->overflowed = true;
    }
    s->has_parent = true;
    s->above = 0;
    return node;
}
// One more, of the same tree.
static uint32_t pop_second(struct wave *w, struct stack *s) {
    if (!s->valid || (s->has_parent && !s->above)) return NODE_INVALID;
    uint32_t ring;
    const uint32_t node = top_of(w, s, &ring);
    if ((node & NODE_KIND) == NODE_INSTANCE) return NODE_INVALID;
    take_entry(s, ring);
    return node;
}

// The node behind a pair of triangles, or the next node of a range.
INLINE uint32_t range_after(uint32_t node, bool end_of_node) {
    enum { KIND_OF_PAIR = 15, LAST_LOW = 3, FIRST_HIGH = 8 };
    if (end_of_node) return (node & ~(uint32_t)KIND_OF_PAIR) + KIND_OF_PAIR + 1;
    return (node & KIND_OF_PAIR) == LAST_LOW ? node ^ (LAST_LOW ^ FIRST_HIGH) : node + 1;
}
// Children from the farthest to the one visited last; invalid ones say whether nearer ones follow.
static void push_children(struct wave *w, struct stack *s, const struct visit *v) {
    const bool walks_back = is_node(v->last), ranges = v->flags & FLAG_RANGES;
    const bool moves_on = ranges && !walks_back && !(v->last & 4);
    bool found = !walks_back;
    for (unsigned i = 0; i < v->count; i++)
        found |= v->children[i] == v->last || (ranges && (v->children[i] & NODE_KIND) <= LAST_PRIMITIVE_KIND);
    if (ranges)
        found = (found || (v->last & NODE_KIND) <= LAST_PRIMITIVE_KIND) && !(moves_on && v->last & 2);
    bool skip[2] = {false, false}; // children 0 to 3, 4 to 7
    for (unsigned i = v->count; i-- > 0;) {
        const uint32_t node = v->children[i];
        const unsigned half = i / 4;
        if (!is_node(node) && found && !skip[half]) {
            skip[0] |= !(node & 2);
            if (half) skip[1] |= !(node & 4);
        }
        if (moves_on && v->count == MOST_CHILDREN && i + 1 != v->count) skip[0] = skip[1] = true;
        if (walks_back && (node == v->last || (ranges && (node & NODE_KIND) <= LAST_PRIMITIVE_KIND)))
            found = false;
        if (!found || !is_node(node) || skip[half]) continue;
        push_entry(w, s, moves_on && v->count == MOST_CHILDREN ? range_after(node, v->last & 1) : node);
    }
}
static void visit_gfx12(struct wave *w, struct visit *v, bool two) {
    enum { COUNT = 31, ABOVE = 5, RING = 10, BASE = 15, PARENT = 29, OVERFLOWED = 30, LEFT = 31 };
    const uint32_t p = v->pointer, base = p >> BASE & 0x3fff;
    struct stack s = {base * 4ull,         v->size,          p >> RING & COUNT,     p & COUNT,
                      p >> ABOVE & COUNT,  p >> PARENT & 1,  p >> OVERFLOWED & 1,   false};
    push_children(w, &s, v);
    v->next[0] = pop_entry(w, &s);
    if (two) // the second triangle of a pair brings the first
        v->next[1] = v->flags & FLAG_PAIRS && (v->next[0] & NODE_KIND) == 1 ? v->next[0] & ~(uint32_t)NODE_KIND
                                                                              : pop_second(w, &s);
    v->pointer = (uint32_t)s.left << LEFT | (uint32_t)s.overflowed << OVERFLOWED |
                 (uint32_t)s.has_parent << PARENT | base << BASE | (s.ring & COUNT) << RING |
                 (s.above & COUNT) << ABOVE | (s.valid & COUNT);
}

typedef void visit_fn(struct wave *w, struct visit *v);
static void visit_two(struct wave *w, struct visit *v) { visit_gfx12(w, v, true); }
static void visit_one(struct wave *w, struct visit *v) { visit_gfx12(w, v, false); }

// mo->offset: both offset fields.
INLINE void visit_lanes(struct wave *w, const struct op *op, unsigned children, unsigned results,
                        visit_fn *visit) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned offset0 = (unsigned)mo->offset & 255, offset1 = (unsigned)mo->offset >> 8 & 255;
    EACH_LANE(w, {
        struct visit v = {.pointer = lane32(w, op, mo->vaddr, l, false),
                          .last = lane32(w, op, mo->data, l, false),
                          .count = children,
                          .flags = offset1 & 3,
                          .size = visit == visit_gfx11 ? 8u << (offset1 >> 4 & 3) : offset0 & 31};
        for (unsigned i = 0; i < children; i++)
            v.children[i] = lane32(w, op, mo->data1 + i * wave_stride(w), l, false);
        visit(w, &v);
        for (unsigned i = 0; i < results; i++) put_lane32(w, mo->dst + i * wave_stride(w), l, v.next[i]);
        put_lane32(w, mo->vaddr, l, v.pointer);
    })
}
#define STACK(name, children, results, visit)                                                                \
    static const struct op *name##_special(struct wave *w, const struct op *op) {                            \
        visit_lanes(w, op, children, results, visit);                                                        \
        NEXT;                                                                                                \
    }                                                                                                        \
    static op_fn *const name##_table[1] = {name##_special};                                                  \
    MEMORY_BODY(name)
STACK(ds_bvh_stack_rtn_b32, 4, 1, visit_gfx11)
STACK(ds_bvh_stack_push4_pop1_rtn_b32, 4, 1, visit_one)
STACK(ds_bvh_stack_push8_pop1_rtn_b32, 8, 1, visit_one)
STACK(ds_bvh_stack_push8_pop2_rtn_b64, 8, 2, visit_two)
