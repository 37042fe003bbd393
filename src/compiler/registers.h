// SPDX-License-Identifier: MIT
// The files of register assignment among themselves: live.c finds which values are needed where, assign.c
// gives them registers, spill.c takes away from registers what does not fit.
#ifndef COMPILER_REGISTERS_H
#define COMPILER_REGISTERS_H

#include "compiler/convention.h"

enum { NO_VALUE = 0xffffffff };

// ---- live.c ----
// Vector registers live along the ways of lanes, scalar ones along those of the wave: what a vector register
// holds for lanes that wait is not touched by others. A phi is written at the ends of the blocks before it.

struct live {
    struct compiler *c;
    struct ir_function *f;
    size_t words;
    uint64_t *in;    // by block: values needed at its beginning, without its phis
    uint64_t *out;   // needed at its end, in front of the moves that fill phis
    uint64_t *lanes; // values that live along the ways of lanes
    uint32_t *whole; // by value: that whose registers it names, as parts, copies and inputs do; else itself
};
void live_find(struct live *l, struct compiler *c);
void live_free(struct live *l);
// By value: true if it is needed behind a call, and defined in front of it.
void live_find_crossings(const struct live *l, bool *crosses);
static inline bool live_has(const uint64_t *set, uint32_t v) { return set[v / 64] >> v % 64 & 1; }

// True if it lives along the ways of lanes.
static inline bool is_of_lanes(const struct ir_value *v) { return ir_is_of_lanes((enum ir_bank)v->bank); }
// The file of registers that a value is in: SGPRs, VGPRs or AGPRs, by the number of the register class.
enum { FILES = IR_AGPR + 1 };
static inline unsigned live_file(const struct ir_value *v) {
    return v->bank == IR_BANK_A ? IR_AGPR : is_of_lanes(v) || v->bank == IR_BANK_W ? IR_VGPR : IR_SGPR;
}
static inline bool is_vector(const struct ir_value *v) { return live_file(v) != IR_SGPR; }
// Dwords of a value's registers.
static inline unsigned live_dwords(const struct ir_function *f, uint32_t value) {
    const struct ir_value *v = &f->values.items[value];
    return v->bank == IR_BANK_M ? f->facts.wave / 32 : (ir_type_bits(f->module, v->type) + 31) / 32;
}
// The value that an instruction only names anew; NO_VALUE: it makes a value.
uint32_t live_renamed(const struct ir_function *f, const struct ir_inst *i);
// Dword n of a constant of so many.
ir_ref live_dword_of_constant(struct compiler *c, ir_ref constant, unsigned dwords, unsigned n);
// True of a register by which the stack is found as long as the function lasts.
static inline bool live_is_of_stack(const struct ir_function *f, uint32_t r) {
    const bool given = f->facts.stack_buffer && (f->is_kernel || !ir_is_entry(f)); // shaders make it
    return r == ir_register(IR_SGPR, CONVENTION_STACK_TOP, 1) ||
           r == ir_register(IR_SGPR, CONVENTION_FRAME, 1) ||
           (given && ir_register_class_of(r) == IR_SGPR && ir_register_first(r) < 4);
}
// True if it copies a fixed register with which the function begins, and which is free behind that.
static inline bool live_is_input(const struct ir_function *f, const struct ir_inst *i) {
    const ir_ref r = ir_operand(f, i, 0);
    return i->op == OP_p_copy && ir_is(r, IR_REGISTER) && !live_is_of_stack(f, ir_index(r));
}
// The block to which way `n` of a block goes, of lanes or of the wave; NO_VALUE: there are no more.
uint32_t live_way(const struct ir_function *f, const struct ir_block *b, bool lanes, uint32_t n);
// The next phi of a block, from its instruction *n on, whose value lives along such ways; NULL: there is
// none.
const struct ir_inst *live_next_phi(const struct ir_function *f, const struct ir_inst *insts,
                                    const struct ir_block *b, bool lanes, uint32_t *n);

// ---- waiting.c ----

// True if it writes vector registers of all lanes, whether they execute or not.
bool live_ignores_exec(const struct compiler *c, const struct ir_inst *i);
// By block, so many words each as sets of `l` have: adds the values that lanes need which wait while others
// execute the block.
void live_find_waiting(const struct live *l, uint64_t *waiting);

// ---- lanes.c ----

// The scalar register that has the block's own lanes where others execute; that with the live lanes of a
// pixel shader. No argument is in them, and no function keeps them for others.
static inline uint32_t lanes_saved(const struct ir_function *f) {
    const bool crosses =
        f->facts.live && f->facts.calls; // what is called executes in live lanes, and keeps it
    return ir_register(IR_SGPR, ir_is_chain(f) ? 86 : crosses ? 66 : 46, f->facts.wave / 32);
}
static inline uint32_t lanes_live(const struct ir_function *f) {
    return ir_register(IR_SGPR, f->facts.calls ? 64 : 44, f->facts.wave / 32);
}
// True if the function needs the first of them.
bool lanes_change(const struct ir_function *f);
// Where other lanes than those of the block execute an instruction, EXEC is set around it.
void compiler_lanes(struct compiler *c);

// ---- spill.c ----

enum { MOST_LANE_REGISTERS = 64 };
struct spills {
    bool *chosen;                        // by value: it has no registers any more
    uint16_t lanes[MOST_LANE_REGISTERS]; // vector registers in whose lanes scalar values are kept
    uint32_t most_lanes;                 // so many registers there are for that, and
    uint32_t wished_lanes;               // so many if the function has as few as it asks for
    uint32_t lane_dwords;                // so many are in use
    uint32_t stack;                      // where vector registers are kept
    uint32_t accs;        // accumulation registers in which they are kept, from the first on, and
    uint32_t most_accs;   // how many of them may be
    ARRAY(uint32_t) ever; // what has been chosen before
};
static inline unsigned spill_lane_registers(const struct spills *s, unsigned wave) {
    return (s->lane_dwords + wave - 1) / wave;
}
// Rewrites the function so that the chosen values are in memory between definition and uses.
void spill_values(struct compiler *c, struct spills *spills, const struct live *live);

#endif
