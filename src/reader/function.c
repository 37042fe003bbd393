// SPDX-License-Identifier: MIT
// Bodies: reachable blocks in order, each LLVM value once as one ref or as the parts of an aggregate. Phis
// are read with the blocks and get their operands at the end, when all values are known.
#include "reader/reader.h"
#include "base/hash.h"

// ---- Values ----

static size_t slot(const struct reader *r, llvm_ref key) {
    size_t i = (size_t)(hash_pointer(key) >> 32) & (r->value_room - 1);
    while (r->values[i].key && r->values[i].key != key) i = (i + 1) & (r->value_room - 1);
    return i;
}

static struct reader_value *entry(struct reader *r, llvm_ref key) {
    if (r->value_count * 2 >= r->value_room) {
        struct reader_value *old = r->values;
        const size_t room = r->value_room;
        r->value_room = room ? room * 2 : 256;
        if (!(r->values = calloc(r->value_room, sizeof *r->values))) {
            r->values = old;
            r->value_room = room;
            reader_no_memory(r);
            return NULL;
        }
        for (size_t i = 0; i < room; i++)
            if (old[i].key) r->values[slot(r, old[i].key)] = old[i];
        free(old);
    }
    struct reader_value *v = &r->values[slot(r, key)];
    if (!v->key) *v = (struct reader_value){.key = key, .ref = IR_NOTHING}, r->value_count++;
    return v;
}

bool reader_mark(struct reader *r, llvm_ref key) {
    const size_t before = r->value_count;
    return entry(r, key) && r->value_count != before;
}

void reader_forget(struct reader *r) {
    if (r->value_room > 64 * r->value_count + 1024) { // clearing what one large function left would take long
        free(r->values);
        r->values = NULL;
        r->value_room = 0;
    }
    if (r->values) memset(r->values, 0, r->value_room * sizeof *r->values);
    r->value_count = r->parts.count = 0;
}

// A value that was an operand before its block was read has a number already, which a copy defines.
void reader_set(struct reader *r, llvm_ref key, ir_ref ref) {
    struct reader_value *v = entry(r, key);
    if (!v || r->status) return;
    if (ir_is(v->ref, IR_NONE)) {
        v->ref = ref;
        return;
    }
    reader_append(r, OP_copy, &ref, 1);
    ir_define(r->f, ir_index(v->ref));
}

void reader_set_parts(struct reader *r, llvm_ref key, const ir_ref *refs, unsigned count) {
    struct reader_value *v = entry(r, key);
    if (!v) return;
    v->parts = (uint32_t)r->parts.count;
    v->part_count = count;
    for (unsigned i = 0; i < count; i++)
        if (!array_push(&r->parts, refs[i])) reader_no_memory(r);
}

bool reader_has_parts(struct reader *r, llvm_ref key) {
    return r->value_room && r->values[slot(r, key)].part_count;
}

ir_ref reader_part(struct reader *r, llvm_ref value, unsigned part) {
    const struct reader_value *v = entry(r, value);
    if (v && part < v->part_count) return r->parts.items[v->parts + part];
    if (!r->status) reader_refuse(r, "an aggregate of this kind");
    return IR_NOTHING;
}

uint16_t reader_type_of(struct reader *r, llvm_ref value) { return reader_type(r, r->l->TypeOf(value)); }

ir_ref reader_value_of(struct reader *r, llvm_ref value) {
    if (r->status) return IR_NOTHING;
    const bool constant = r->l->IsAConstant(value);
    if (constant && r->value_room) { // one that a phi takes was made in the entry block
        const struct reader_value *made = &r->values[slot(r, value)];
        if (made->key) return made->ref;
    }
    if (constant) return reader_constant(r, value);
    struct reader_value *v = entry(r, value);
    if (!v) return IR_NOTHING;
    if (v->part_count) {
        reader_refuse(r, "an aggregate as an operand");
        return IR_NOTHING;
    }
    // A value of a block that is read later gets its number now.
    if (ir_is(v->ref, IR_NONE)) {
        if (!r->l->IsAInstruction(value) || reader_is_aggregate(r, r->l->TypeOf(value))) {
            reader_refuse(r, "an operand of this kind");
            return IR_NOTHING;
        }
        const uint16_t type = reader_type_of(r, value);
        if (!r->status) v->ref = ir_make(IR_VALUE, ir_value_add(r->f, type));
    }
    return v->ref;
}

struct ir_inst *reader_append(struct reader *r, unsigned op, const ir_ref *operands, unsigned count) {
    struct ir_inst *i = ir_append(r->f, op, operands, count);
    i->location = r->location;
    return i;
}

ir_ref reader_emit(struct reader *r, unsigned op, uint16_t type, unsigned flags, const ir_ref *operands,
                   unsigned count) {
    if (r->status) return IR_NOTHING;
    reader_append(r, op, operands, count)->flags = (uint16_t)flags;
    return ir_result(r->f, type);
}

// ---- Blocks ----

static size_t block_slot(const struct reader *r, llvm_ref block) {
    size_t i = (size_t)(hash_pointer(block) >> 32) & (r->block_numbers.count - 1);
    while (r->block_numbers.items[i] && r->blocks.items[r->block_numbers.items[i] - 1] != block)
        i = (i + 1) & (r->block_numbers.count - 1);
    return i;
}

uint32_t reader_block(struct reader *r, llvm_ref block) {
    const uint32_t n = r->block_numbers.items[block_slot(r, block)];
    return n ? n - 1 : UINT32_MAX;
}

static bool add_block(struct reader *r, llvm_ref block) {
    if (reader_block(r, block) != UINT32_MAX) return true;
    if (!array_push(&r->blocks, block)) return false;
    r->block_numbers.items[block_slot(r, block)] = (uint32_t)r->blocks.count;
    return true;
}

// Numbers the reachable blocks, in LLVM's order, so that text stays recognisable. The entry is the first.
static bool find_blocks(struct reader *r, llvm_ref function) {
    const struct llvm *l = r->l;
    size_t all = 0;
    for (llvm_ref b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b)) all++;
    r->blocks.count = r->block_numbers.count = 0;
    size_t room = 8;
    while (room < all * 2) room *= 2;
    if (!array_reserve(&r->block_numbers, room)) return false;
    memset(r->block_numbers.items, 0, room * sizeof *r->block_numbers.items);
    r->block_numbers.count = room;
    if (!add_block(r, l->GetFirstBasicBlock(function))) return false;
    for (size_t i = 0; i < r->blocks.count; i++) { // grows meanwhile
        const llvm_ref end = l->GetBasicBlockTerminator(r->blocks.items[i]);
        const unsigned count = end ? l->GetNumSuccessors(end) : 0;
        for (unsigned s = 0; s < count; s++)
            if (!add_block(r, l->GetSuccessor(end, s))) return false;
    }
    // Now in LLVM's order.
    ARRAY(llvm_ref) reached = {0};
    for (llvm_ref b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b))
        if (reader_block(r, b) != UINT32_MAX && !array_push(&reached, b)) return false;
    memset(r->block_numbers.items, 0, room * sizeof *r->block_numbers.items);
    r->blocks.count = 0;
    bool done = true;
    for (size_t i = 0; i < reached.count; i++) done = done && add_block(r, reached.items[i]);
    array_free(&reached);
    return done;
}

// ---- Phis ----

static bool is_phi(struct reader *r, llvm_ref inst) { return r->l->GetInstructionOpcode(inst) == LLVM_PHI; }

// The same of an aggregate with such leaves.
static void make_parts(struct reader *r, llvm_ref value) {
    const unsigned count = reader_leaf_count(r, r->l->TypeOf(value));
    ir_ref leaves[READER_LEAVES];
    const size_t before = r->f->insts.count;
    for (unsigned n = 0; n < count && !r->status; n++) leaves[n] = reader_leaf(r, value, n);
    if (!r->status && r->f->insts.count != before) reader_set_parts(r, value, leaves, count);
}

// Vectors and addresses that phis take are made at the beginning of the function: where the phi uses them, at
// the end of another block, nothing can be appended.
static void make_phi_constants(struct reader *r) {
    const struct llvm *l = r->l;
    for (size_t b = 0; b < r->blocks.count; b++)
        for (llvm_ref i = l->GetFirstInstruction(r->blocks.items[b]); i && !r->status && is_phi(r, i);
             i = l->GetNextInstruction(i))
            for (unsigned n = 0, count = l->CountIncoming(i); n < count && !r->status; n++) {
                const llvm_ref value = l->GetIncomingValue(i, n);
                if (!l->IsAConstant(value)) continue;
                r->inst = i;
                if (reader_is_aggregate(r, l->TypeOf(value))) {
                    make_parts(r, value);
                    continue;
                }
                const ir_ref ref = reader_value_of(r, value);
                if (!r->status && ir_is(ref, IR_VALUE)) entry(r, value)->ref = ref;
            }
}

// The operands of a phi; of one of an aggregate, those of a leaf.
static void fill_one(struct reader *r, llvm_ref inst, bool is_leaf, unsigned leaf) {
    const struct llvm *l = r->l;
    const unsigned count = l->CountIncoming(inst);
    const ir_ref self = is_leaf ? reader_part(r, inst, leaf) : reader_value_of(r, inst);
    struct ir_inst *phi = ir_def(r->f, self);
    ARRAY(ir_ref) operands = {0};
    r->inst = inst;
    for (unsigned i = 0; i < count && phi && !r->status; i++) {
        const uint32_t from = reader_block(r, l->GetIncomingBlock(inst, i));
        if (from == UINT32_MAX) continue; // never executed
        bool again = false;               // a switch may come twice from one block, with one value
        for (size_t k = 0; k < operands.count; k += 2) again |= operands.items[k] == ir_make(IR_BLOCK, from);
        if (again) continue;
        const size_t before = r->f->insts.count;
        const llvm_ref incoming = l->GetIncomingValue(inst, i);
        const ir_ref value = is_leaf ? reader_leaf(r, incoming, leaf) : reader_value_of(r, incoming);
        if (r->f->insts.count != before) reader_refuse(r, "a phi of a constant that has to be computed");
        if (!array_push(&operands, ir_make(IR_BLOCK, from)) || !array_push(&operands, value))
            reader_no_memory(r);
    }
    if (phi && !r->status && !ir_set_operands(r->f, phi, operands.items, operands.count)) reader_no_memory(r);
    array_free(&operands);
}

static void fill_phi(struct reader *r, llvm_ref inst) {
    if (!reader_is_aggregate(r, r->l->TypeOf(inst))) {
        fill_one(r, inst, false, 0);
        return;
    }
    const unsigned leaves = reader_leaf_count(r, r->l->TypeOf(inst));
    for (unsigned n = 0; n < leaves && !r->status; n++) fill_one(r, inst, true, n);
}

static void begin_phi(struct reader *r, llvm_ref inst) {
    if (reader_is_aggregate(r, r->l->TypeOf(inst))) {
        reader_begin_aggregate_phi(r, inst);
        return;
    }
    const ir_ref self = reader_value_of(r, inst);
    if (r->status) return;
    reader_append(r, OP_phi, NULL, 0);
    ir_define(r->f, ir_index(self));
}

void reader_body(struct reader *r, llvm_ref function) {
    const struct llvm *l = r->l;
    r->function = function;
    if (!find_blocks(r, function)) {
        reader_no_memory(r);
        return;
    }
    for (size_t b = 0; b < r->blocks.count && !r->status; b++) {
        ir_block_add(r->f);
        for (size_t n = 0; !b && n < r->parameters.count; n++)
            reader_kernarg(r, r->parameters.items[n].value, r->parameters.items[n].offset,
                           r->parameters.items[n].by_reference);
        if (!b && r->f->facts.whole == 2) reader_begin_whole(r, function);
        if (!b) make_phi_constants(r);
        for (llvm_ref i = l->GetFirstInstruction(r->blocks.items[b]); i && !r->status;
             i = l->GetNextInstruction(i)) {
            r->inst = i;
            reader_location(r, i);
            if (is_phi(r, i))
                begin_phi(r, i);
            else
                reader_instruction(r, i);
        }
    }
    for (size_t b = 0; b < r->blocks.count && !r->status; b++)
        for (llvm_ref i = l->GetFirstInstruction(r->blocks.items[b]); i && !r->status && is_phi(r, i);
             i = l->GetNextInstruction(i))
            fill_phi(r, i);
    r->inst = NULL;
    reader_forget(r);
    if (r->m->failed) reader_no_memory(r);
}
