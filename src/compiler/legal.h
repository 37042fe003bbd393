// SPDX-License-Identifier: MIT
// The files of the legaliser among themselves: what they share while a function is written anew. legal.c
// walks over the instructions; the others each know the operations of one kind.
#ifndef COMPILER_LEGAL_H
#define COMPILER_LEGAL_H

#include "compiler/passes.h"

enum { MOST_PARTS = 256 };

struct value_parts {
    uint32_t first;
    uint16_t count;
};
// A phi of one dword, whose operands are known when all blocks are done. A phi of a bit is one of 0 and 1.
struct phi_part {
    const struct ir_inst *old;
    uint32_t value;
    unsigned part;
    bool is_bit;
};
// 0 or 1 for a bit at the end of a block, where a phi takes it from.
struct phi_bit {
    uint32_t block;
    ir_ref old;
    unsigned part;
    ir_ref now;
};
struct legal {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    const struct ir_inst *i; // the old one
    struct value_parts *values;
    ARRAY(ir_ref) parts;
    uint16_t i1, i32, i64;
    enum ir_bank bank; // in which the result is wanted; masks are in m always
    uint32_t block;    // at hand; blocks keep their numbers
    ARRAY(struct phi_part) phis;
    size_t ended; // phis whose blocks are past them
    ARRAY(struct phi_bit) bits;
    uint32_t quads; // one more than the last instruction that wants whole quads; 0: none has them
    ir_ref exact;   // the lanes that there are without the others, or with which a whole wave began
    bool *used;     // by old value, made when it is first asked for
    bool used_known;
};

// ---- legal_parts.c ----

void legal_refuse(struct legal *g, const char *what);
ir_ref legal_operand(const struct legal *g, unsigned n); // of the old instruction
const struct ir_type *legal_type(const struct legal *g, ir_ref r);
// Dwords of one element; smaller ones have one whose upper bits are undefined.
static inline unsigned legal_dwords(const struct ir_type *t) {
    return t->bits <= 32 ? 1 : (t->bits + 31u) / 32;
}

ir_ref legal_number(struct legal *g, uint32_t n);
bool legal_is_number(const struct legal *g, ir_ref r, uint32_t n);
ir_ref legal_emit_as(struct legal *g, unsigned op, enum ir_bank bank, uint16_t type, const ir_ref *operands,
                     unsigned count);
// An operation on dwords of integers; constants are folded. A scalar one that no scalar row computes is
// computed in v and read back.
ir_ref legal_emit(struct legal *g, unsigned op, enum ir_bank bank, const ir_ref *operands, unsigned count);
#define EMIT(g, op, bank, ...)                                                                               \
    legal_emit(g, op, bank, (const ir_ref[]){__VA_ARGS__},                                                   \
               sizeof((const ir_ref[]){__VA_ARGS__}) / sizeof(ir_ref))

#define DO(op, ...) EMIT(g, OP_##op, g->bank, __VA_ARGS__)
#define N(n)        legal_number(g, n)
// The result of a row that has one, in v. Refuses where the processor does not have it.
ir_ref legal_row(struct legal *g, const char *id, uint16_t type, const ir_ref *operands, unsigned count);
#define ROW(g, id, type, ...)                                                                                \
    legal_row(g, id, type, (const ir_ref[]){__VA_ARGS__},                                                    \
              sizeof((const ir_ref[]){__VA_ARGS__}) / sizeof(ir_ref))

// Masks. A constant one is that of i1, for all lanes.
ir_ref legal_truth(struct legal *g, bool value);
ir_ref legal_test(struct legal *g, unsigned op, ir_ref a, ir_ref b); // a comparison of dwords
ir_ref legal_mask(struct legal *g, unsigned op, ir_ref a, ir_ref b); // and, or, xor of masks
ir_ref legal_not(struct legal *g, ir_ref mask);
ir_ref legal_choice(struct legal *g, ir_ref mask, ir_ref a, ir_ref b); // of dwords
// The same bits of one dword under another type.
ir_ref legal_retype(struct legal *g, uint16_t type, ir_ref r);
ir_ref legal_scalar(struct legal *g,
                    ir_ref r); // a dword in a scalar register: that of the first lane, or a constant

// Dword `n` of an old value or constant.
ir_ref legal_part(struct legal *g, ir_ref r, unsigned n);
// The dwords of the old instruction's result.
void legal_set_parts(struct legal *g, const ir_ref *parts, unsigned count);
// A tuple of these dwords in a bank: the value that they are parts of, or a new one.
ir_ref legal_tuple(struct legal *g, enum ir_bank bank, uint16_t type, const ir_ref *parts, unsigned count);
// The dwords of a tuple. Returns their count.
unsigned legal_parts_of(struct legal *g, ir_ref whole, unsigned count, uint16_t element, ir_ref *out);
uint16_t legal_dword_type(struct legal *g, const struct ir_type *t); // for elements of a type

// ---- Elements ----

// One element of a value, taken apart: its dwords; of i1, a mask. Bits above its width are undefined.
struct element {
    struct ir_type type; // count is 1
    ir_ref d[4];
};
struct element legal_element(struct legal *g, ir_ref r, unsigned n); // of an old value or constant
ir_ref legal_whole(struct legal *g, const struct element *e);        // its dwords as one operand of a row
struct element legal_taken_apart(struct legal *g, struct ir_type t, ir_ref whole);
struct element legal_of_dword(ir_ref dword); // an integer of 32 bits

// An operation on elements, of what rows compute. g->flags are those of the old instruction.
struct element legal_compute(struct legal *g, unsigned op, struct ir_type t, const struct element *o,
                             unsigned count);
#define COMPUTE(g, op, t, ...)                                                                               \
    legal_compute(g, op, t, (const struct element[]){__VA_ARGS__},                                           \
                  sizeof((const struct element[]){__VA_ARGS__}) / sizeof(struct element))
// Those of integers, of floats, and between them; of integers of more than 32 bits; divisions.
struct element legal_integer(struct legal *g, unsigned op, struct ir_type t, const struct element *o,
                             unsigned count);
struct element legal_wide(struct legal *g, unsigned op, struct ir_type t, const struct element *o,
                          unsigned count);
struct element legal_divide(struct legal *g, unsigned op, struct ir_type t, const struct element *o);
struct element legal_float(struct legal *g, unsigned op, struct ir_type t, const struct element *o,
                           unsigned count);
struct element legal_convert(struct legal *g, unsigned op, struct ir_type t, struct element from);
struct element legal_math(struct legal *g, unsigned op, struct ir_type t, const struct element *o,
                          unsigned count);
// A comparison of elements, as a mask.
ir_ref legal_compare(struct legal *g, unsigned op, const struct element *a, const struct element *b);
ir_ref legal_compare_floats(struct legal *g, unsigned op, const struct element *a, const struct element *b);
struct element legal_either(struct legal *g, ir_ref mask, const struct element *a, const struct element *b);
// The same value with defined bits up to the dword's end.
struct element legal_extended(struct legal *g, const struct element *e, bool is_signed);
// Sums with a carry from dword to dword.
void legal_add(struct legal *g, bool subtract, const ir_ref *a, const ir_ref *b, ir_ref *out,
               unsigned dwords);
// ---- legal_control.c ----

void legal_phi(struct legal *g, enum ir_bank bank, const struct ir_type *t);
void legal_end_phis(struct legal *g); // behind the phis of a block
void legal_fill_phis(struct legal *g);
void legal_keep(struct legal *g);
void legal_jump(struct legal *g);
void legal_call(struct legal *g);
void legal_return(struct legal *g);
void legal_moves(struct legal *g);

// ---- By kind of operation ----

void legal_elementwise(struct legal *g, enum ir_bank bank, const struct ir_type *t);
void legal_access(struct legal *g, bool store);
void legal_atomic(struct legal *g);
void legal_aperture(struct legal *g);
void legal_hardware_field(struct legal *g);
void legal_lane(struct legal *g);      // readlane and its kin, ballot
void legal_intrinsic(struct legal *g); // of the target, by name
// Of an intrinsic: it is refused by its name; a number, which LLVM has as a constant (false, and refused: it
// is none); one dword of an operand.
void legal_refuse_name(struct legal *g);
bool legal_number_in(struct legal *g, unsigned operand, uint32_t *out);
ir_ref legal_dword(struct legal *g, ir_ref r, unsigned dword);
// legal_lane.c
void legal_ballot(struct legal *g, bool is_float); // of a comparison
void legal_exchange(struct legal *g, bool has_old);
void legal_exchange_eight(struct legal *g);
void legal_swap_rows(struct legal *g, const char *id);
// legal_mode.c: what reads and writes the environment of floating point, by an intrinsic's name. False: it is
// another one.
bool legal_mode(struct legal *g, const char *name);
// From here on, floats are rounded to nearest; what MODE held, and that again.
ir_ref legal_round_to_nearest(struct legal *g);
void legal_round_as(struct legal *g, ir_ref held); // nothing: it was left alone
void legal_trap(struct legal *g);
void legal_clock(struct legal *g);
void legal_effect(struct legal *g); // fences and barriers
void legal_inline_asm(struct legal *g);
bool legal_is_buffer(const char *name); // an access through a buffer's descriptor, by an intrinsic's name
void legal_buffer(struct legal *g, const char *name);
// legal_sync.c: semaphores of the device, loads to LDS, by an intrinsic's name. False: another one, or not
// here.
bool legal_sync(struct legal *g, const char *name);
// legal_async.c: copies that go on while the wave does, loads of clusters, prefetches, by an intrinsic's
// name. False: another one, or not here.
bool legal_async(struct legal *g, const char *name);
// legal_barrier.c: barriers by number, and ids in a cluster, by an intrinsic's name. False: another one, or
// not here.
bool legal_barrier(struct legal *g, const char *name);
// legal_image.c: instructions on images, by an intrinsic's name. False: it is another one.
bool legal_image(struct legal *g, const char *name);
bool legal_is_sloped(const char *name); // a sample whose level of detail comes from neighbours
// legal_ray.c: rays and nodes of a hierarchy of boxes, by an intrinsic's name. False: another one, or not
// here.
bool legal_ray(struct legal *g, const char *name);
// legal_interp.c: attributes of pixel shaders, by an intrinsic's name. False: another one, or not here.
bool legal_interpolation(struct legal *g, const char *name);
// legal_quads.c
void legal_find_quads(struct legal *g);  // in front of the first block
void legal_begin_quads(struct legal *g); // in it
void legal_end_quads(struct legal *g);   // behind an instruction
void legal_refuse_quads(struct legal *g);
bool legal_quads(struct legal *g, const char *name); // by an intrinsic's name. False: it is another one.
// By the name behind "llvm.amdgcn.": it wants whole quads; more lanes make no difference to those that should
// be there.
bool legal_wants_quads(const char *name);
bool legal_is_quiet(unsigned op, const char *name);
// legal_whole.c
bool legal_lanes(struct legal *g, const char *name); // by an intrinsic's name. False: it is another one.
void legal_end_whole(struct legal *g);               // in front of a function's return
void legal_begin_live(struct legal *g);              // in the first block
void legal_live(struct legal *g);
void legal_place(struct legal *g); // of an access in a buffer
// True if anybody uses the result of the instruction.
bool legal_is_used(struct legal *g);
void legal_fix_m0(struct legal *g, ir_ref value);
// Parts of a value to its dwords in memory, and the reverse: the instruction's result is what these dwords
// hold.
unsigned legal_words_of(struct legal *g, ir_ref value, ir_ref *words);
void legal_set_words(struct legal *g, enum ir_bank bank, const struct ir_type *t, const ir_ref *words);
void legal_space_cast(struct legal *g, enum ir_bank bank, const struct ir_type *t);
void legal_gather(struct legal *g, enum ir_bank bank, const struct ir_type *t);
// The bits of an old value one behind the other, as in memory. Returns the dwords; g->bank says where they
// are wanted.
unsigned legal_packed(struct legal *g, ir_ref r, ir_ref *out);
// The same of halves that have a dword each, their upper bits being anything. Returns the dwords.
unsigned legal_joined(struct legal *g, const ir_ref *in, unsigned halves, ir_ref *out);
// The parts of a value of this type from such dwords.
void legal_unpacked(struct legal *g, const struct ir_type *t, const ir_ref *in, ir_ref *out);
void legal_rename(struct legal *g, enum ir_bank bank,
                  const struct ir_type *t); // the same dwords, another type
void legal_copy(struct legal *g, enum ir_bank bank, const struct ir_type *t);

#endif
