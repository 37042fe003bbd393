// SPDX-License-Identifier: MIT
// Accesses to buffers as the files of the legaliser put them together.
#ifndef COMPILER_LEGAL_BUFFER_H
#define COMPILER_LEGAL_BUFFER_H

#include "compiler/buffer.h"
#include "compiler/legal.h"

// Dwords; IR_NOTHING where there is none.
struct legal_buffer {
    const struct row *row;
    ir_ref descriptor[4], scalar_offset;
    ir_ref offset, index;
    uint32_t more;  // a constant to add to the offset
    unsigned modes; // BUFFER_LDS, BUFFER_FORMAT
    struct ir_memory m;
    bool returns;    // an atomic operation: what memory held comes back
    bool held;       // what is loaded or comes back is written over the data's registers
    ir_ref data;     // of stores and atomic operations, one operand
    unsigned dwords; // of what is loaded or comes back; 0: nothing
    ir_ref result;   // set by legal_put_buffer
};
// Reads four dwords that all lanes have in common, which the pass waterfall has seen to.
void legal_descriptor(struct legal *g, ir_ref r, ir_ref out[4]);
// The policy bits of an intrinsic's last argument. False: something else is in them.
bool legal_cache(const struct legal *g, const struct row *row, uint32_t aux, struct ir_memory *m);
// What is loaded beside a status, by the rest of an intrinsic's name: ".sl_v4f32i32s" or ".v4f32i32".
bool legal_status_type(const char *name, struct ir_type *type);
// Appends the instruction.
void legal_put_buffer(struct legal *g, struct legal_buffer *b);
// The row of a load or store of so many bytes; NULL: none.
const struct row *legal_buffer_row(const struct legal *g, bool store, unsigned bytes);
// The greatest piece of so many bytes that one instruction moves.
unsigned legal_buffer_piece(const struct legal *g, unsigned left, unsigned align_log2);

// Expected and wanted value of an exchange as one operand.
ir_ref legal_exchange_pair(struct legal *g, ir_ref expected, ir_ref wanted);

// The address in LDS of what is loaded there, and what the instruction's own offset does not hold.
ir_ref legal_lds_target(struct legal *g, unsigned operand, uint32_t more);

// legal_place.c: loads, stores and atomic operations by a buffer_place. False: the address is another one.
bool legal_place_access(struct legal *g, bool store);
bool legal_place_atomic(struct legal *g);

#endif
