// SPDX-License-Identifier: MIT
// What operands of ops may reach. Bodies trust offsets; here is why they can.
#include "exec/decode/image_ops.h"
#include "exec/image.h"

static bool is_register(const struct code_facts *f, uint32_t offset) {
    if (offset >= WAVE_OFFSET(v)) // the first behind the last has zeros to read
        return offset <= vgpr_offset(f, vector_registers(f)) && (offset - WAVE_OFFSET(v)) % f->stride == 0;
    return offset >= WAVE_OFFSET(temp) && (offset - WAVE_OFFSET(temp)) % sizeof(uint32_t) == 0;
}
// Scalar registers, constants, and what else stands before the temporaries: reading a tuple from there ends
// among these at the latest.
static bool is_scalar(uint32_t offset) { return offset < WAVE_OFFSET(temp); }

static bool is_place(const struct code_facts *f, uint32_t offset) {
    return offset == OP_IMM || is_scalar(offset) || is_register(f, offset);
}

bool op_in_bounds(const struct code_facts *f, const struct op *op) {
    return is_place(f, op->d) && op->d != OP_IMM && is_place(f, op->a) && is_place(f, op->b) &&
           is_place(f, op->c);
}

bool mem_op_in_bounds(const struct code_facts *f, const struct mem_op *mo) {
    const uint32_t scalars[] = {mo->saddr, mo->srsrc, mo->soffset, mo->m0, mo->flat_scratch};
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (!is_scalar(scalars[i])) return false;
    // Of scalar instructions data and destination are scalar, too.
    const uint32_t vectors[] = {mo->vaddr, mo->data, mo->data1, mo->dst};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!is_register(f, vectors[i]) && !(mo->scalar ? is_scalar(vectors[i]) : vectors[i] == 0))
            return false;
    return true;
}

bool image_op_in_bounds(const struct code_facts *f, const struct image_op *o) {
    for (unsigned i = 0; i < o->words; i++)
        if (!is_register(f, o->address[i])) return false;
    return mem_op_in_bounds(f, &o->mem) && is_scalar(o->ssamp) && (!o->status || is_register(f, o->status));
}
