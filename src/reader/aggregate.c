// SPDX-License-Identifier: MIT
// Structures and arrays as values: their leaves in order, each a value of its own. There are none behind the
// reader.
#include "reader/reader.h"

enum { MOST_LEAVES = READER_LEAVES };

static bool is_struct(struct reader *r, llvm_ref type) { return r->l->GetTypeKind(type) == 10; }

static unsigned element_count(struct reader *r, llvm_ref type) {
    if (is_struct(r, type)) return r->l->CountStructElementTypes(type);
    const uint64_t count = r->l->GetArrayLength2(type);
    return count > MOST_LEAVES ? MOST_LEAVES + 1 : (unsigned)count;
}
static llvm_ref element_type(struct reader *r, llvm_ref type, unsigned n) {
    return is_struct(r, type) ? r->l->StructGetTypeAtIndex(type, n) : r->l->GetElementType(type);
}

static void add_fat_types(struct reader *r, llvm_ref type, uint16_t *out, unsigned *count) {
    const unsigned parts = reader_fat_parts(r, type);
    if (*count + parts > MOST_LEAVES) reader_refuse(r, "an aggregate with so many members");
    for (unsigned n = 0; n < parts && !r->status; n++) out[(*count)++] = reader_fat_part_type(r, type, n);
}

// Appends the types of the leaves. Refuses an aggregate with too many.
static void add_types(struct reader *r, llvm_ref type, uint16_t *out, unsigned *count) {
    if (r->status) return;
    if (!reader_is_aggregate(r, type)) {
        if (*count >= MOST_LEAVES) {
            reader_refuse(r, "an aggregate with so many members");
            return;
        }
        out[(*count)++] = reader_type(r, type);
        return;
    }
    if (reader_is_fat(r, type)) {
        add_fat_types(r, type, out, count);
        return;
    }
    const unsigned elements = element_count(r, type);
    for (unsigned n = 0; n < elements && !r->status; n++) add_types(r, element_type(r, type, n), out, count);
}

static unsigned leaf_types(struct reader *r, llvm_ref type, uint16_t *out) {
    unsigned count = 0;
    add_types(r, type, out, &count);
    return r->status ? 0 : count;
}

static void add_place(struct reader *r, struct reader_place place, struct reader_place *out,
                      unsigned *count) {
    if (*count < MOST_LEAVES)
        out[(*count)++] = place;
    else
        reader_refuse(r, "an aggregate with so many members");
}

static void add_places(struct reader *r, llvm_ref type, uint64_t offset, struct reader_place *out,
                       unsigned *count) {
    if (!reader_is_aggregate(r, type)) {
        add_place(r, (struct reader_place){reader_type(r, type), offset, reader_store_size(r, type), 0}, out,
                  count);
        return;
    }
    for (unsigned n = 0; reader_is_fat(r, type) && n < reader_fat_parts(r, type) && !r->status; n++) {
        const uint16_t part = reader_fat_part_type(r, type, n);
        const struct ir_type t = *ir_type_at(r->m, part);
        add_place(r,
                  (struct reader_place){part, offset + reader_fat_offset(r, type, n), t.bits / 8,
                                        t.count > 1 ? reader_store_size(r, type) / t.count : 0},
                  out, count);
    }
    if (reader_is_fat(r, type)) return;
    const unsigned elements = element_count(r, type);
    for (unsigned n = 0; n < elements && !r->status; n++) {
        const llvm_ref element = element_type(r, type, n);
        const uint64_t at =
            is_struct(r, type) ? reader_field_offset(r, type, n) : n * reader_size(r, element);
        add_places(r, element, offset + at, out, count);
    }
}

unsigned reader_places(struct reader *r, llvm_ref type, struct reader_place *out) {
    unsigned count = 0;
    add_places(r, type, 0, out, &count);
    return r->status ? 0 : count;
}

static void add_constants(struct reader *r, llvm_ref value, ir_ref *out, unsigned *count) {
    const llvm_ref type = r->l->TypeOf(value);
    if (r->status || *count >= MOST_LEAVES) return;
    if (!reader_is_aggregate(r, type)) {
        out[(*count)++] = reader_constant(r, value);
        return;
    }
    if (reader_is_fat(r, type)) {
        if (*count + reader_fat_parts(r, type) <= MOST_LEAVES) reader_fat_constant(r, value, out + *count);
        *count += reader_fat_parts(r, type);
        return;
    }
    const unsigned elements = element_count(r, type);
    for (unsigned n = 0; n < elements && !r->status; n++) {
        const llvm_ref part = r->l->GetAggregateElement(value, n);
        if (part)
            add_constants(r, part, out, count);
        else
            reader_refuse(r, "a constant aggregate of this kind");
    }
}

// The leaves of a value that was read before, or of a constant.
static unsigned leaves_of(struct reader *r, llvm_ref value, ir_ref *out) {
    uint16_t types[MOST_LEAVES];
    unsigned count = leaf_types(r, r->l->TypeOf(value), types), made = 0;
    if (r->status) return 0;
    if (!r->l->IsAConstant(value) || reader_has_parts(r, value)) // or one that a phi takes
        for (unsigned n = 0; n < count; n++) out[n] = reader_part(r, value, n);
    else if (r->l->IsPoison(value) || r->l->IsUndef(value))
        for (unsigned n = 0; n < count; n++) out[n] = ir_poison(r->f, types[n]);
    else
        add_constants(r, value, out, &made);
    return r->status ? 0 : count;
}

// The first leaf of what indices choose, and how many leaves it has.
static unsigned place_of(struct reader *r, llvm_ref inst, llvm_ref type, unsigned *count) {
    uint16_t types[MOST_LEAVES];
    const unsigned *indices = r->l->GetIndices(inst);
    unsigned first = 0;
    for (unsigned k = 0; k < r->l->GetNumIndices(inst) && !r->status; k++) {
        for (unsigned n = 0; n < indices[k] && !r->status; n++)
            first += leaf_types(r, element_type(r, type, n), types);
        type = element_type(r, type, indices[k]);
    }
    *count = leaf_types(r, type, types);
    return first;
}

void reader_extract_value(struct reader *r, llvm_ref inst) {
    ir_ref leaves[MOST_LEAVES];
    unsigned count;
    const llvm_ref from = r->l->GetOperand(inst, 0);
    const unsigned have = leaves_of(r, from, leaves), first = place_of(r, inst, r->l->TypeOf(from), &count);
    if (r->status || first + count > have) return;
    if (reader_is_aggregate(r, r->l->TypeOf(inst)))
        reader_set_parts(r, inst, leaves + first, count);
    else
        reader_set(r, inst, leaves[first]);
}

void reader_insert_value(struct reader *r, llvm_ref inst) {
    ir_ref leaves[MOST_LEAVES];
    unsigned count;
    const llvm_ref into = r->l->GetOperand(inst, 0), value = r->l->GetOperand(inst, 1);
    const unsigned have = leaves_of(r, into, leaves), first = place_of(r, inst, r->l->TypeOf(into), &count);
    if (r->status || first + count > have) return;
    if (reader_is_aggregate(r, r->l->TypeOf(value)))
        leaves_of(r, value, leaves + first);
    else
        leaves[first] = reader_value_of(r, value);
    if (!r->status) reader_set_parts(r, inst, leaves, have);
}

// A choice between aggregates, or one that is frozen.
void reader_aggregate(struct reader *r, llvm_ref inst, unsigned op) {
    ir_ref a[MOST_LEAVES], b[MOST_LEAVES];
    uint16_t types[MOST_LEAVES];
    const unsigned first = op == OP_select ? 1 : 0;
    const unsigned count = leaf_types(r, r->l->TypeOf(inst), types);
    leaves_of(r, r->l->GetOperand(inst, first), a);
    if (op == OP_select) leaves_of(r, r->l->GetOperand(inst, 2), b);
    const ir_ref condition = op == OP_select ? reader_value_of(r, r->l->GetOperand(inst, 0)) : IR_NOTHING;
    for (unsigned n = 0; n < count && !r->status; n++)
        a[n] = op == OP_select ? READER_EMIT(r, OP_select, types[n], 0, condition, a[n], b[n])
                               : READER_EMIT(r, OP_freeze, types[n], 0, a[n]);
    if (!r->status) reader_set_parts(r, inst, a, count);
}

// Phis of the leaves, which get their operands later.
void reader_begin_aggregate_phi(struct reader *r, llvm_ref inst) {
    ir_ref leaves[MOST_LEAVES];
    uint16_t types[MOST_LEAVES];
    const unsigned count = leaf_types(r, r->l->TypeOf(inst), types);
    for (unsigned n = 0; n < count && !r->status; n++)
        leaves[n] = reader_emit(r, OP_phi, types[n], 0, NULL, 0);
    if (!r->status) reader_set_parts(r, inst, leaves, count);
}

unsigned reader_leaf_count(struct reader *r, llvm_ref type) {
    uint16_t types[MOST_LEAVES];
    return leaf_types(r, type, types);
}

uint16_t reader_leaf_type(struct reader *r, llvm_ref type, unsigned n) {
    uint16_t types[MOST_LEAVES];
    return n < leaf_types(r, type, types) ? types[n] : 0;
}

ir_ref reader_leaf(struct reader *r, llvm_ref value, unsigned n) {
    ir_ref leaves[MOST_LEAVES];
    if (!reader_is_aggregate(r, r->l->TypeOf(value))) return reader_value_of(r, value);
    const unsigned count = leaves_of(r, value, leaves);
    return n < count ? leaves[n] : IR_NOTHING;
}

void reader_set_leaves(struct reader *r, llvm_ref key, const ir_ref *leaves, unsigned count) {
    if (r->status || !count) return;
    if (reader_is_aggregate(r, r->l->TypeOf(key)))
        reader_set_parts(r, key, leaves, count);
    else
        reader_set(r, key, leaves[0]);
}
