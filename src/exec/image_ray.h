// SPDX-License-Identifier: MIT
// Rays against nodes of BVH trees, as the instructions of one node (image_ray.c) and of two nodes or eight
// boxes (image_bvh8.c) have them in common. AMD does not publish the order of the roundings, so results are
// approximate: those of float arithmetic as written here.
#ifndef EXEC_IMAGE_RAY_H
#define EXEC_IMAGE_RAY_H

#include "exec/image_surface.h"

enum { NODE_BYTES = 64 };
enum { NO_NODE = 0xffffffff };

// What the resource says.
enum heuristic { CLOSEST, LARGEST, MIDPOINT, UNSORTED };
struct tree {
    uint64_t base, last; // the last node's number, in units of NODE_BYTES
    enum heuristic order;
    float grown; // what the far end of a box counts more
    bool has_flags;
    bool leaves_first; // before boxes, however near
    bool compressed;   // nodes in formats of their own
    bool sorts_eight;  // not four and four
    bool has_instances;
};

struct ray {
    uint64_t node;
    float extent, origin[3], direction[3], inverse[3];
};

// Flags in the pointer to a node, of 64-bit pointers.
enum pointer_flag {
    FORCE_OPAQUE,
    FORCE_NON_OPAQUE,
    NO_CULLING,
    FLIP_FACE,
    CULL_BACK,
    CULL_FRONT,
    CULL_OPAQUE,
    CULL_NON_OPAQUE,
    SKIP_TRIANGLES,
    SKIP_PROCEDURAL,
    FIRST_FLAG = 54
};
static inline bool ray_has_flag(const struct tree *t, const struct ray *r, enum pointer_flag flag) {
    return t->has_flags && r->node >> (FIRST_FLAG + flag) & 1;
}
// The pointer without them.
static inline uint64_t ray_place(const struct tree *t, const struct ray *r) {
    return t->has_flags ? r->node & ((1ull << FIRST_FLAG) - 1) : r->node;
}

// The tree of the instruction; `wide`: it may be one that only instructions of two nodes read.
enum image_found ray_find_tree(struct wave *w, const struct op *op, bool wide, struct tree *out);

struct box {
    float low[3], high[3];
};
// Whether the ray meets the box, and by what the child is sorted.
bool ray_meets(const struct tree *t, const struct ray *r, const struct box *b, float *key);
// Whether a child holds nothing that the ray asks for, as its node says of it.
bool ray_skips(const struct tree *t, const struct ray *r, unsigned says);
// Four or eight children, if the tree sorts; the types of leaves are those up to last_leaf.
void ray_sort(const struct tree *t, unsigned last_leaf, unsigned count, uint32_t *nodes, float *keys);

// What nodes say of triangles.
enum { TRIANGLE_DOUBLE_SIDED = 1 << 4, TRIANGLE_FLIPPED = 1 << 5, TRIANGLE_OPAQUE = 1 << 7 };
// Distance and barycentric coordinates are to be divided by the denominator.
struct ray_hit {
    bool hit, back;
    float distance, denominator, i, j;
};
struct ray_hit ray_meets_triangle(const struct tree *t, const struct ray *r, const float v[3][3],
                                  unsigned says);
bool ray_sees_opaque(const struct tree *t, const struct ray *r, unsigned says);

enum { LAST_TRIANGLE = 3, BOXES_F16 = 4, BOXES_F32 = 5, INSTANCE = 6 }; // types of nodes
// A node of four boxes, unsorted, or a triangle; none else. False: a fault.
struct ray_result {
    bool is_boxes;
    uint32_t word[4];
    float key[4];
};
bool ray_test_node(struct wave *w, const struct op *op, const struct tree *t, const struct ray *r,
                   unsigned lane, struct ray_result *out);

#endif
