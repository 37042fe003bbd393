// SPDX-License-Identifier: MIT
// Accesses to memory, taken apart into what one instruction each can do, and casts between address spaces. A
// value is laid out in dwords as memory has it first; these are loaded and stored in pieces as large as
// space, alignment and processor allow.
#include "compiler/legal_buffer.h"
#include "isa/counters.h"

struct place {
    struct ir_memory m;
    enum ir_bank bank; // of address and loaded data
    ir_ref at;
    int32_t offset;
};

// ---- Values as memory has them ----

// Parts of a value to its dwords in memory. Elements of fewer bits share dwords there.
unsigned legal_words_of(struct legal *g, ir_ref value, ir_ref *words) {
    const struct ir_type t = *legal_type(g, value);
    const unsigned dwords = legal_dwords(&t) * t.count;
    g->bank = IR_BANK_V;
    if (t.bits % 32 && (t.count > 1 || t.bits % 8)) return legal_packed(g, value, words);
    for (unsigned n = 0; n < dwords; n++) {
        words[n] = legal_part(g, value, n);
        if (t.bits < 32 && !g->c->status) words[n] = legal_retype(g, g->i32, words[n]);
    }
    return dwords;
}

// The reverse: the instruction's result is what these dwords hold.
void legal_set_words(struct legal *g, enum ir_bank bank, const struct ir_type *t, const ir_ref *words) {
    const unsigned dwords = legal_dwords(t) * t->count;
    ir_ref parts[MOST_PARTS];
    if (t->bits > 1 && (t->count == 1 || t->bits % 32 == 0)) {
        for (unsigned n = 0; n < dwords; n++) parts[n] = legal_retype(g, legal_dword_type(g, t), words[n]);
        legal_set_parts(g, parts, dwords);
        return;
    }
    g->bank = bank == IR_BANK_M ? IR_BANK_S : bank;
    legal_unpacked(g, t, words, parts);
    legal_set_parts(g, parts, dwords);
}

// True if values of this type can be laid out.
static bool has_layout(const struct ir_type *t, unsigned bytes) {
    return legal_dwords(t) * t->count <= MOST_PARTS && ((unsigned)t->bits * t->count + 7) / 8 == bytes;
}

// ---- Pieces ----

unsigned compiler_greatest_offset(const struct compiler *c, const struct ir_memory *m) {
    if (m->space == IR_LOCAL || m->space == IR_REGION) return isa_greatest_offset(c->isa, FMT_DS);
    if (m->space == IR_GENERIC) return 0;
    if (m->space == IR_PRIVATE)
        return isa_greatest_offset(c->isa,
                                   has(c->processor, CAP_architected_flat_scratch) ? FMT_GLOBAL : FMT_MUBUF);
    return isa_greatest_offset(c->isa, compiler_named_row(c, "global_load_b32")    ? FMT_GLOBAL
                                       : has(c->processor, CAP_flat_address_space) ? FMT_FLAT
                                                                                   : FMT_MUBUF);
}

// The greatest piece of so many bytes that one instruction moves at an address of this alignment.
static unsigned piece(const struct legal *g, const struct ir_memory *m, unsigned left, unsigned align_log2,
                      uint32_t offset) {
    const unsigned align = align_log2 > 4 ? 16 : 1u << align_log2;
    const bool flat = has(g->c->processor, CAP_flat_address_space);
    for (unsigned bytes = 16; bytes; bytes /= 2) {
        if (bytes > left) continue;
        // A buffer interleaves the stacks of lanes by dwords.
        if (m->space == IR_PRIVATE) {
            if (align >= (bytes < 4 ? bytes : 4) &&
                (bytes <= 4 || has(g->c->processor, CAP_architected_flat_scratch)))
                return bytes;
        } else if (m->space == IR_REGION) {
            if (bytes <= 8 && align >= bytes) return bytes;
        } else if (m->space == IR_GENERIC && !isa_lds_unaligned(g->c->isa)) {
            if (align >= bytes) return bytes; // it may be LDS
        } else if (m->space != IR_LOCAL) {
            if (flat || align >= (bytes < 4 ? bytes : 4)) return bytes;
        } else if (isa_lds_unaligned(g->c->isa) || align >= bytes) {
            if (bytes <= 8 || flat) return bytes;
        } else if (flat && bytes >= 8 && align * 2 >= bytes && offset % (bytes / 2) == 0 &&
                   offset / (bytes / 2) < 255) {
            return bytes; // two halves, each with an offset of its own
        }
    }
    return 1;
}

static ir_ref address(struct legal *g, ir_ref pointer, enum ir_bank bank, int32_t more) {
    const struct ir_type t = *legal_type(g, pointer);
    ir_ref at[2] = {legal_part(g, pointer, 0), t.bits > 32 ? legal_part(g, pointer, 1) : IR_NOTHING};
    if (t.bits <= 32) return more ? EMIT(g, OP_add, bank, at[0], legal_number(g, (uint32_t)more)) : at[0];
    if (more) {
        const ir_ref by[2] = {legal_number(g, (uint32_t)more), legal_number(g, more < 0 ? 0xffffffffu : 0)};
        ir_ref sum[2];
        g->bank = bank;
        legal_add(g, false, at, by, sum, 2);
        at[0] = sum[0], at[1] = sum[1];
    }
    return legal_tuple(g, bank, g->i64, at, 2);
}

// Where the access at hand goes. An offset that does not fit is added to the address.
static bool begin(struct legal *g, struct place *a, unsigned operand, bool scalar) {
    a->m = *ir_memory_of(g->f, g->i);
    a->bank = scalar ? IR_BANK_S : IR_BANK_V;
    a->offset = ir_number(legal_operand(g, operand + 1));
    const unsigned spaces =
        1u << IR_PRIVATE | 1u << IR_GLOBAL | 1u << IR_CONSTANT_SPACE | 1u << IR_GENERIC | 1u << IR_LOCAL;
    const bool region = a->m.space == IR_REGION && g->c->isa->gds > 1;
    if (!(spaces >> a->m.space & 1) && !region) {
        legal_refuse(g, a->m.space == IR_REGION ? "the region (global data share) on this processor"
                                                : "an access to this address space");
        return false;
    }
    const bool fits =
        scalar || (a->offset >= 0 && (uint32_t)a->offset <= compiler_greatest_offset(g->c, &a->m));
    a->at = address(g, legal_operand(g, operand), a->bank, fits ? 0 : a->offset);
    if (!fits) a->offset = 0;
    return !g->c->status;
}

// The address of what lies `done` bytes behind the beginning, and the offset in *where.
static ir_ref behind(struct legal *g, const struct place *a, unsigned operand, unsigned done, ir_ref *where) {
    const int32_t first = ir_number(legal_operand(g, operand + 1));
    *where = ir_immediate(a->offset + (int32_t)done);
    if (a->bank == IR_BANK_S || !done || (uint32_t)a->offset + done <= compiler_greatest_offset(g->c, &a->m))
        return a->at;
    *where = ir_immediate(0);
    return address(g, legal_operand(g, operand), a->bank, first + (int32_t)done);
}

static void set_memory(struct legal *g, const struct ir_memory *m) {
    if (g->c->m->failed) return;
    struct ir_inst *i = &g->f->insts.items[g->f->insts.count - 1];
    i->memory = ir_memory_add(g->f, m);
    i->location = g->i->location;
}

static uint16_t word_type(struct legal *g, const struct ir_type *t) {
    return t->bits % 32 ? g->i32 : legal_dword_type(g, t);
}
static uint16_t words_type(struct legal *g, const struct ir_type *t, unsigned words) {
    return words == 1 ? word_type(g, t) : ir_type_of(g->c->m, IR_BITS, words * 32, 1);
}

static void move_piece(struct legal *g, bool store, const struct place *a, const struct ir_type *t,
                       unsigned done, unsigned bytes, ir_ref *words) {
    struct ir_memory one = a->m;
    const unsigned count = (bytes + 3) / 4, shift = done % 4 * 8, w = done / 4;
    ir_ref where;
    const ir_ref at = behind(g, a, store ? 1 : 0, done, &where);
    one.bytes = (uint16_t)bytes;
    while (done & ((1u << one.align_log2) - 1)) one.align_log2--;
    if (store) {
        ir_ref data = legal_tuple(g, IR_BANK_V, words_type(g, t, count), words + w, count);
        if (shift) data = EMIT(g, OP_lshr, IR_BANK_V, data, legal_number(g, shift));
        ir_append(g->f, g->i->op, (ir_ref[]){data, at, where}, 3);
        set_memory(g, &one);
        return;
    }
    const uint16_t type = bytes < 4 ? g->i32 : words_type(g, t, count);
    const ir_ref v = legal_emit_as(g, g->i->op, a->bank, type, (ir_ref[]){at, where}, 2);
    set_memory(g, &one);
    if (bytes >= 4)
        legal_parts_of(g, v, count, word_type(g, t), words + w);
    else
        words[w] =
            shift ? EMIT(g, OP_or, a->bank, words[w], EMIT(g, OP_shl, a->bank, v, legal_number(g, shift)))
                  : v;
}

void legal_access(struct legal *g, bool store) {
    const ir_ref data = store ? legal_operand(g, 0) : ir_make(IR_VALUE, g->i->first_result);
    const struct ir_type t = *legal_type(g, data);
    const bool scalar = !store && ir_value_of(g->f, data)->bank == IR_BANK_S;
    struct place a;
    ir_ref words[MOST_PARTS];
    if (!has_layout(&t, ir_memory_of(g->f, g->i)->bytes)) {
        legal_refuse(g, "an access to memory of this type");
        return;
    }
    if (legal_place_access(g, store)) return;
    if (!begin(g, &a, store ? 1 : 0, scalar)) return;
    if (store) legal_words_of(g, data, words);
    for (unsigned done = 0, bytes; done < a.m.bytes && !g->c->status; done += bytes) {
        unsigned align = a.m.align_log2;
        while (done & ((1u << align) - 1)) align--;
        bytes = scalar ? a.m.bytes : piece(g, &a.m, a.m.bytes - done, align, (uint32_t)a.offset + done);
        if (a.m.order && bytes != a.m.bytes && a.m.space != IR_PRIVATE) // which nobody else accesses
            legal_refuse(g, "an atomic access of this size");
        else
            move_piece(g, store, &a, &t, done, bytes, words);
    }
    if (!store && !g->c->status) legal_set_words(g, a.bank, &t, words);
}

// ---- Atomic operations ----

// Values in registers, then the address: the result is what memory held.
void legal_atomic(struct legal *g) {
    const unsigned values = g->i->op == OP_atomic_cmpxchg ? 2 : 1;
    const struct ir_type t = *legal_type(g, ir_make(IR_VALUE, g->i->first_result));
    ir_ref o[4], words[MOST_PARTS];
    struct place a;
    if (!has_layout(&t, ir_memory_of(g->f, g->i)->bytes) ||
        (t.bits * t.count != 32 && t.bits * t.count != 64)) {
        legal_refuse(g, "an atomic operation on this type");
        return;
    }
    if (legal_place_atomic(g)) return;
    if (!begin(g, &a, values, false)) return;
    const unsigned count = t.bits * t.count / 32;
    for (unsigned n = 0; n < values; n++) {
        legal_words_of(g, legal_operand(g, n), words);
        o[n] = legal_tuple(g, IR_BANK_V, words_type(g, &t, count), words, count);
    }
    o[values] = a.at;
    o[values + 1] = ir_immediate(a.offset);
    // The element count tells packed halves from integers until select.
    const ir_ref old =
        legal_emit_as(g, g->i->op, IR_BANK_V,
                      t.count > 1 && t.bits == 16 ? ir_type_of(g->c->m, (enum ir_kind)t.kind, 16, 2)
                      : count > 1                 ? ir_type_of(g->c->m, (enum ir_kind)t.kind, 64, 1)
                                                  : words_type(g, &t, 1),
                      o, values + 2);
    set_memory(g, &a.m);
    const ir_ref whole = t.count > 1 && t.bits == 16
                             ? legal_emit_as(g, OP_bitcast, IR_BANK_V, g->i32, (ir_ref[]){old}, 1)
                             : old;
    legal_parts_of(g, whole, count, word_type(g, &t), words);
    legal_set_words(g, IR_BANK_V, &t, words);
}

// Where nobody handles traps, one ends the program, and one for a debugger is nothing.
void legal_trap(struct legal *g) {
    enum { TRAP = 2, DEBUG_TRAP = 3 };
    const struct row *row = compiler_named_row(g->c, "s_trap");
    const bool debug = g->i->op == OP_debug_trap;
    if (compiler_system(g->c->m) != SW_OS_AMDHSA) {
        if (debug)
            diag_warn(g->c->sink, &(sw_location){.file = g->c->options->name},
                      "function @%s: llvm.debugtrap has no effect: no trap handler is there", g->f->name);
        else
            ir_append(g->f, OP_end_program, NULL, 0)->location = g->i->location;
    } else if (!row)
        legal_refuse(g, "a trap on this processor");
    else
        ir_append(g->f, ir_op_of_row(row), (ir_ref[]){ir_immediate(debug ? DEBUG_TRAP : TRAP)}, 1)->location =
            g->i->location;
}

// Operations that have no values.
void legal_effect(struct legal *g) {
    if (g->i->op == OP_wave_barrier) return; // between lanes that run together, nothing is to be done
    ir_append(g->f, g->i->op, NULL, 0)->location = g->i->location;
    if (g->i->memory && !g->c->m->failed) set_memory(g, ir_memory_of(g->f, g->i));
}

// ---- Address spaces ----

void legal_aperture(struct legal *g) {
    const ir_ref which = legal_operand(g, 0);
    const ir_ref base = legal_emit_as(g, OP_aperture, IR_BANK_S, g->i32, &which, 1);
    legal_set_parts(g, &base, 1);
}

void legal_space_cast(struct legal *g, enum ir_bank bank, const struct ir_type *t) {
    const struct ir_memory *m = ir_memory_of(g->f, g->i);
    const unsigned flat = 1u << IR_GENERIC | 1u << IR_GLOBAL | 1u << IR_CONSTANT_SPACE;
    const ir_ref nothing[2] = {legal_number(g, 0), legal_number(g, 0)};
    // No address of one space is one of the other: as in LLVM, the result is poison.
    if (!m || !(flat >> m->space & 1) || !(flat >> m->cache & 1))
        legal_set_parts(g, nothing, legal_dwords(t));
    else
        legal_rename(g, bank, t);
}
