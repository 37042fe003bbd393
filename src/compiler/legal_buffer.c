// SPDX-License-Identifier: MIT
// Intrinsics on buffers, llvm.amdgcn.{raw,struct}.[ptr.]{buffer,tbuffer}.*: loads and stores, plain and with
// a conversion of format, loads to LDS, atomic operations. Descriptor and scalar offset are the same in all
// lanes by now (waterfall.c).
#include "compiler/legal_buffer.h"
#include "compiler/cache.h"
#include "isa/counters.h"
#include "isa/names.h"
#include "isa/rules.h"

#include <stdio.h>

// ---- One instruction ----

void legal_descriptor(struct legal *g, ir_ref r, ir_ref out[4]) {
    for (unsigned d = 0; d < 4; d++) out[d] = legal_scalar(g, legal_part(g, r, d));
}

static struct insn insn_of(const struct legal *g, const struct row *row) {
    const struct isa *isa = g->c->isa;
    return (struct insn){.row = row,
                         .format = isa->formats[isa->codings[isa->row_codings[row - isa_rows]].format]};
}

bool legal_cache(const struct legal *g, const struct row *row, uint32_t aux, struct ir_memory *m) {
    const struct insn in = insn_of(g, row);
    enum { SWIZZLED = 1 << 6, NO_MORE = 1 << 5 };
    if (aux >> 31) m->flags |= IR_VOLATILE;
    aux &= 0x7fffffff;
    if (isa_memory_family(g->c->isa) >= MEMORY_GFX12) {
        m->cache = (uint8_t)((aux >> 3 & 3) << CACHE_SCOPE_SHIFT | (aux & 7) << CACHE_TH_SHIFT);
        // Hints without a name are refused.
        const bool named =
            row->atomic || row->flags & ROW_ATOMIC ? !(aux & 4) : (aux & 7) != 7 || !(row->flags & ROW_LOAD);
        return named && (aux & ~(uint32_t)SWIZZLED) < NO_MORE;
    }
    // What a processor does not have is not encoded.
    m->cache = (uint8_t)(aux & (CACHE_GLC | CACHE_SLC));
    if (in.format->id == FMT_SMEM && !insn_has(&in, F_glc)) m->cache = 0; // the first scalar loads
    if (insn_has(&in, F_dlc)) m->cache |= aux & CACHE_DLC;
    if (insn_has(&in, F_scc) && aux & 16) m->cache |= CACHE_SC1;
    return true;
}

static ir_ref in_vector(struct legal *g, ir_ref r) {
    const struct ir_value *v = ir_value_of(g->f, r);
    if (ir_is(r, IR_NONE) || (v && v->bank == IR_BANK_V)) return r;
    return legal_emit_as(g, OP_copy, IR_BANK_V, ir_ref_type(g->f, r), &r, 1);
}

static ir_ref scalar_offset(struct legal *g, const struct insn *in, ir_ref r) {
    const struct ir_constant *k = ir_constant_of(g->f, r);
    if (!k) return r;
    unsigned place = 0;
    while (place < ROW_SRC - 1 && in->row->src[place].field != F_soffset) place++;
    const bool constants = rule_of(g->c->isa, in, RULE_SRC + place, false).allow & ALLOW_CONSTANT;
    if (!k->low && !constants) return ir_make(IR_REGISTER, ir_register(IR_NULL, 0, 1));
    if (constants && (int32_t)k->low >= -16 && (int32_t)k->low <= 64) return r;
    return legal_emit_as(g, OP_copy, IR_BANK_S, g->i32, &r, 1);
}

// Offset and index of each lane in one operand. What the instruction's own offset cannot hold goes to the
// register.
static ir_ref address(struct legal *g, const struct legal_buffer *b, unsigned *modes, uint32_t *immediate) {
    const uint32_t most = isa_greatest_offset(g->c->isa, FMT_MUBUF);
    const struct ir_constant *k = ir_constant_of(g->f, b->offset);
    ir_ref offset = b->offset, at[2];
    uint32_t more = b->more;
    // The instruction's own offset is that in LDS as well.
    const bool apart = b->modes & BUFFER_LDS;
    if (k && !apart) more += (uint32_t)k->low;
    if (k && (!apart || !k->low)) offset = IR_NOTHING;
    *immediate = more & most;
    if (more > most) {
        const ir_ref rest = legal_number(g, more & ~most);
        offset = ir_is(offset, IR_NONE) ? rest : EMIT(g, OP_add, IR_BANK_V, offset, rest);
    }
    const bool indexed = !ir_is(b->index, IR_NONE), moved = !ir_is(offset, IR_NONE);
    *modes |= (indexed ? BUFFER_IDXEN : 0u) | (moved ? BUFFER_OFFEN : 0u);
    if (!indexed) return in_vector(g, offset);
    at[0] = in_vector(g, b->index);
    if (!moved) return at[0];
    at[1] = in_vector(g, offset);
    return legal_tuple(g, IR_BANK_V, g->i64, at, 2);
}

void legal_put_buffer(struct legal *g, struct legal_buffer *b) {
    const struct insn in = insn_of(g, b->row);
    unsigned modes = b->modes, count = 0;
    uint32_t immediate;
    ir_ref o[8];
    const ir_ref at = address(g, b, &modes, &immediate);
    if (!ir_is(b->data, IR_NONE)) o[count++] = in_vector(g, b->data);
    o[count++] = at;
    o[count++] = legal_tuple(g, IR_BANK_S, ir_type_of(g->c->m, IR_BITS, 128, 1), b->descriptor, 4);
    o[count++] = scalar_offset(g, &in, b->scalar_offset);
    o[count++] = ir_immediate((int32_t)modes);
    o[count++] = ir_immediate((int32_t)immediate);
    if (g->c->status) return;
    if (b->returns) b->m.cache |= CACHE_RETURN;
    struct ir_inst *i = ir_append(g->f, ir_op_of_row(b->row), o, count);
    i->location = g->i->location;
    i->memory = ir_memory_add(g->f, &b->m);
    if (b->held) i->modifiers = IR_TIED;
    b->result = IR_NOTHING;
    if (!b->dwords) return;
    b->result = ir_result(g->f, b->dwords == 1 ? g->i32 : ir_type_of(g->c->m, IR_BITS, b->dwords * 32, 1));
    struct ir_value *v = ir_value_of(g->f, b->result);
    if (v) v->bank = IR_BANK_V;
}

const struct row *legal_buffer_row(const struct legal *g, bool store, unsigned bytes) {
    char id[32];
    snprintf(id, sizeof id, "buffer_%s_%c%u", store ? "store" : "load", store || bytes >= 4 ? 'b' : 'u',
             bytes * 8);
    return compiler_named_row(g->c, id);
}

unsigned legal_buffer_piece(const struct legal *g, unsigned left, unsigned align_log2) {
    const unsigned align = align_log2 > 2 ? 4 : 1u << align_log2;
    if (align < 4) return left < align ? left : align;
    if (left >= 16) return 16;
    if (left >= 12 && has(g->c->processor, CAP_flat_address_space)) return 12;
    return left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

// ---- Names ----

enum kind { LOAD, STORE, ATOMIC, TO_LDS };
struct call {
    enum kind kind;
    bool indexed, typed, format; // typed: with a format of its own (tbuffer)
    bool status;                 // whether memory was missing is a result as well
    struct ir_type type;         // then: of what is loaded
    uint16_t op;                 // of atomic operations
    unsigned values;             // arguments in front of the descriptor
};

static bool begins(const char **s, const char *with) {
    const size_t n = strlen(with);
    if (strncmp(*s, with, n)) return false;
    *s += n;
    return true;
}

static bool parse_atomic(const char *name, struct call *a) {
    static const struct {
        char name[14];
        uint16_t op;
    } names[] = {
        {"swap", OP_atomic_xchg},    {"add", OP_atomic_add},           {"sub.clamp", OP_atomic_sub_sat},
        {"sub", OP_atomic_sub},      {"smin", OP_atomic_smin},         {"umin", OP_atomic_umin},
        {"smax", OP_atomic_smax},    {"umax", OP_atomic_umax},         {"and", OP_atomic_and},
        {"or", OP_atomic_or},        {"xor", OP_atomic_xor},           {"inc", OP_atomic_inc_wrap},
        {"dec", OP_atomic_dec_wrap}, {"fadd", OP_atomic_fadd},         {"fmin", OP_atomic_fmin},
        {"fmax", OP_atomic_fmax},    {"cond.sub", OP_atomic_sub_cond}, {"cmpswap", OP_atomic_cmpxchg}};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const size_t length = strlen(names[n].name);
        if (strncmp(name, names[n].name, length) || (name[length] && name[length] != '.')) continue;
        a->kind = ATOMIC;
        a->op = names[n].op;
        a->values = a->op == OP_atomic_cmpxchg ? 2 : 1;
        return true;
    }
    return false;
}

// The type in a name such as sl_v4f32i32s: what is loaded, and a status.
bool legal_status_type(const char *name, struct ir_type *type) {
    unsigned count = 1, bits = 0;
    if (!begins(&name, ".sl_")) return false;
    if (begins(&name, "v"))
        for (count = 0; *name >= '0' && *name <= '9' && count < 100; name++)
            count = count * 10 + (unsigned)(*name - '0');
    const enum ir_kind kind = begins(&name, "bf") ? IR_BF16 : begins(&name, "f") ? IR_F32 : IR_INT;
    if (kind == IR_INT && !begins(&name, "i")) return false;
    for (; *name >= '0' && *name <= '9' && bits < 1000; name++) bits = bits * 10 + (unsigned)(*name - '0');
    if (!count || !bits || count * bits > 128 || !begins(&name, "i32s") || (*name && *name != '.'))
        return false;
    *type = (struct ir_type){kind == IR_F32 && bits == 16   ? IR_F16
                             : kind == IR_F32 && bits == 64 ? IR_F64
                                                            : (uint8_t)kind,
                             (uint16_t)bits, (uint16_t)count};
    return true;
}

static bool parse(const char *name, struct call *a) {
    *a = (struct call){0};
    a->indexed = begins(&name, "struct.");
    if (!a->indexed && !begins(&name, "raw.")) return false;
    begins(&name, "ptr.");
    if (begins(&name, "atomic.buffer.load.")) return true;
    a->typed = begins(&name, "tbuffer.");
    if (!a->typed && !begins(&name, "buffer.")) return false;
    if (begins(&name, "atomic.")) return !a->typed && parse_atomic(name, a);
    if (begins(&name, "store"))
        a->kind = STORE, a->values = 1;
    else if (!begins(&name, "load"))
        return false;
    if (begins(&name, ".lds") || begins(&name, ".async.lds")) {
        a->kind = TO_LDS;
        return true;
    }
    a->format = begins(&name, ".format") || a->typed;
    if (a->kind == LOAD) a->status = legal_status_type(name, &a->type);
    return *name == '.';
}

bool legal_is_buffer(const char *name) {
    struct call a;
    return parse(name, &a);
}

bool compiler_buffer_operands(const char *name, unsigned *descriptor, unsigned *scalar) {
    struct call a;
    if (!parse(name, &a)) return false;
    *descriptor = 1 + a.values;
    *scalar = *descriptor + (a.kind == TO_LDS ? 2 : 0) + (a.indexed ? 3 : 2);
    return true;
}

// ---- Data ----

// How a value is laid out in registers: 16-bit components a dword each where they are not packed.
static bool is_unpacked(const struct legal *g, const struct call *a, const struct ir_type *t) {
    return a->format && t->bits == 16 && t->count > 1 && !has(g->c->processor, CAP_packed_d16);
}
static unsigned dwords_of(const struct legal *g, const struct call *a, const struct ir_type *t) {
    return is_unpacked(g, a, t) ? t->count : ((unsigned)t->bits * t->count + 31) / 32;
}

static ir_ref data_of(struct legal *g, const struct call *a, ir_ref value) {
    const struct ir_type t = *legal_type(g, value);
    const unsigned dwords = dwords_of(g, a, &t);
    ir_ref words[MOST_PARTS];
    g->bank = IR_BANK_V;
    if (is_unpacked(g, a, &t))
        for (unsigned n = 0; n < dwords; n++) words[n] = legal_retype(g, g->i32, legal_part(g, value, n));
    else
        legal_packed(g, value, words);
    return g->c->status
               ? IR_NOTHING
               : legal_tuple(g, IR_BANK_V, ir_type_of(g->c->m, IR_BITS, dwords * 32, 1), words, dwords);
}

static void set_result(struct legal *g, const struct call *a, ir_ref whole) {
    const struct ir_type t = *legal_type(g, ir_make(IR_VALUE, g->i->first_result));
    const unsigned dwords = dwords_of(g, a, &t);
    ir_ref words[MOST_PARTS], parts[MOST_PARTS];
    if (g->c->status) return;
    legal_parts_of(g, whole, dwords, g->i32, words);
    g->bank = IR_BANK_V;
    if (is_unpacked(g, a, &t))
        for (unsigned n = 0; n < dwords; n++) parts[n] = legal_retype(g, legal_dword_type(g, &t), words[n]);
    else
        legal_unpacked(g, &t, words, parts);
    if (!g->c->status) legal_set_parts(g, parts, legal_dwords(&t) * t.count);
}

// What is loaded, packed as in memory, and whether memory was missing, in dwords.
static void set_with_status(struct legal *g, const struct call *a, ir_ref whole, unsigned dwords) {
    ir_ref words[MOST_PARTS], out[MOST_PARTS];
    unsigned count = 0;
    legal_parts_of(g, whole, dwords + 1, g->i32, words);
    if (is_unpacked(g, a, &a->type))
        count = legal_joined(g, words, dwords, out);
    else
        while (count < dwords) out[count] = words[count], count++;
    out[count++] = words[dwords];
    if (!g->c->status) legal_set_parts(g, out, count);
}

// ---- Rows ----

static const struct row *format_row(const struct legal *g, const struct call *a, const struct ir_type *t) {
    static const char *const components[] = {"", "x", "xy", "xyz", "xyzw"};
    char id[48];
    if (t->count > 4 || (t->bits != 16 && t->bits != 32)) return NULL;
    snprintf(id, sizeof id, "%sbuffer_%s_%sformat_%s", a->typed ? "t" : "",
             a->kind == STORE ? "store" : "load", t->bits == 16 ? "d16_" : "", components[t->count]);
    return compiler_named_row(g->c, id);
}

static const struct row *row_of(struct legal *g, const struct call *a, const struct ir_type *t) {
    const unsigned bits = (unsigned)t->bits * t->count;
    if (a->kind == ATOMIC)
        return compiler_atomic_row(g->c, a->op, t, "buffer", g->i->results && legal_is_used(g));
    if (a->format) return format_row(g, a, t);
    const bool size = bits == 8 || bits == 16 || (bits % 32 == 0 && bits <= 128 && bits);
    return size ? legal_buffer_row(g, a->kind == STORE, bits / 8) : NULL;
}

// ---- Intrinsics ----

// Reads the arguments behind the descriptor: index, offset, scalar offset, format, policy.
static bool read_arguments(struct legal *g, const struct call *a, unsigned next, struct legal_buffer *b) {
    b->index = a->indexed ? legal_part(g, legal_operand(g, next++), 0) : IR_NOTHING;
    b->offset = legal_part(g, legal_operand(g, next++), 0);
    b->scalar_offset = legal_scalar(g, legal_part(g, legal_operand(g, next++), 0));
    if (a->kind == TO_LDS) {
        const struct ir_constant *k = ir_constant_of(g->f, legal_operand(g, next++));
        if (k) b->more = (uint32_t)k->low;
    }
    const struct ir_constant *format = a->typed ? ir_constant_of(g->f, legal_operand(g, next++)) : NULL;
    if (format) b->modes |= ((unsigned)format->low & 127) * BUFFER_FORMAT;
    const struct ir_constant *aux = ir_constant_of(g->f, legal_operand(g, next));
    if (!g->c->status && (!aux || !legal_cache(g, b->row, (uint32_t)aux->low, &b->m)))
        legal_refuse(g, "a cache policy of this kind");
    return !g->c->status;
}

// The first processors have no access of 12 bytes: one of eight, then one of four.
static bool in_two(struct legal *g, const struct call *a, struct legal_buffer *b, unsigned bits) {
    ir_ref words[3];
    if (a->format || a->status || a->kind > STORE || bits != 96 ||
        has(g->c->processor, CAP_flat_address_space))
        return false;
    const ir_ref data = b->data;
    if (a->kind == STORE) legal_parts_of(g, data, 3, g->i32, words);
    for (unsigned n = 0; n < 2 && !g->c->status; n++) {
        b->row = legal_buffer_row(g, a->kind == STORE, n ? 4 : 8);
        b->m.bytes = n ? 4 : 8;
        if (n) b->more += 8;
        if (a->kind == STORE)
            b->data = n ? words[2] : legal_tuple(g, IR_BANK_V, g->i64, words, 2);
        else
            b->dwords = n ? 1 : 2;
        legal_put_buffer(g, b);
        if (a->kind == LOAD && !g->c->status) legal_parts_of(g, b->result, b->dwords, g->i32, words + 2 * n);
    }
    if (a->kind == LOAD && !g->c->status)
        set_result(g, a, legal_tuple(g, IR_BANK_V, ir_type_of(g->c->m, IR_BITS, 96, 1), words, 3));
    return true;
}

ir_ref legal_lds_target(struct legal *g, unsigned operand, uint32_t more) {
    const ir_ref to = legal_scalar(g, legal_part(g, legal_operand(g, operand), 0));
    return more ? EMIT(g, OP_add, IR_BANK_S, to, legal_number(g, more)) : to;
}

static void to_lds(struct legal *g, const struct call *a, struct legal_buffer *b) {
    const struct ir_constant *size = ir_constant_of(g->f, legal_operand(g, 3));
    b->row = size ? legal_buffer_row(g, false, (unsigned)size->low) : NULL;
    const struct insn in = b->row ? insn_of(g, b->row) : (struct insn){0};
    if (!b->row || !insn_has(&in, F_lds) || !isa_loads_to_lds(g->c->isa, b->row)) {
        legal_refuse(g, "a load of this size to LDS on this processor");
        return;
    }
    b->m.bytes = (uint16_t)size->low;
    b->modes = BUFFER_LDS;
    if (!read_arguments(g, a, 4, b)) return;
    legal_fix_m0(g, legal_lds_target(g, 2, b->more & ~(uint32_t)isa_greatest_offset(g->c->isa, FMT_MUBUF)));
    legal_put_buffer(g, b);
}

void legal_buffer(struct legal *g, const char *name) {
    struct call a;
    if (!parse(name, &a)) return;
    struct legal_buffer b = {.data = IR_NOTHING,
                             .m = {.space = a.indexed ? IR_STRIDED : IR_FAT, .align_log2 = 2}};
    legal_descriptor(g, legal_operand(g, 1 + a.values), b.descriptor);
    if (a.kind == TO_LDS) {
        to_lds(g, &a, &b);
        return;
    }
    const ir_ref value = a.values ? legal_operand(g, 1) : ir_make(IR_VALUE, g->i->first_result);
    const struct ir_type t = a.status ? a.type : *legal_type(g, value);
    const unsigned bits = (unsigned)t.bits * t.count;
    b.row = row_of(g, &a, &t);
    if (!b.row) {
        legal_refuse(g, a.kind == ATOMIC ? "an atomic operation of this kind on a buffer on this processor"
                        : a.format       ? "a conversion of this type in a buffer on this processor"
                                         : "a buffer access of this size");
        return;
    }
    b.m.bytes = (uint16_t)(bits / 8);
    if (!read_arguments(g, &a, 2 + a.values, &b)) return;
    if (a.kind == ATOMIC) {
        b.returns = b.held = g->i->results && legal_is_used(g);
        b.data = a.values == 2 ? legal_exchange_pair(g, legal_operand(g, 2), legal_operand(g, 1))
                               : data_of(g, &a, value);
        b.dwords = b.returns ? bits / 32 * a.values : 0;
    } else if (a.kind == STORE)
        b.data = data_of(g, &a, value);
    else
        b.dwords = dwords_of(g, &a, &t);
    if (a.status) {
        ir_ref nothing[MOST_PARTS];
        const struct insn in = insn_of(g, b.row);
        if (!insn_has(&in, F_tfe))
            legal_refuse(g, "a load that says whether memory was missing (tfe), on this processor,");
        for (unsigned d = 0; d <= b.dwords; d++) nothing[d] = legal_number(g, 0);
        b.modes |= BUFFER_STATUS;
        b.dwords++;
        b.held = true;
        b.data = legal_tuple(g, IR_BANK_V, ir_type_of(g->c->m, IR_BITS, b.dwords * 32, 1), nothing, b.dwords);
    }
    if (g->c->status || in_two(g, &a, &b, bits)) return;
    legal_put_buffer(g, &b);
    if (g->c->status || !g->i->results) return;
    if (a.status) {
        set_with_status(g, &a, b.result, b.dwords - 1);
        return;
    }
    if (a.kind == ATOMIC && !b.returns) {
        ir_ref nothing[4];
        for (unsigned d = 0; d < 4; d++) nothing[d] = legal_number(g, 0);
        legal_set_parts(g, nothing, legal_dwords(&t) * t.count);
        return;
    }
    if (a.values == 2) { // the first half is what memory held
        ir_ref words[4];
        legal_parts_of(g, b.result, b.dwords, g->i32, words);
        b.result = legal_tuple(g, IR_BANK_V, bits == 64 ? g->i64 : g->i32, words, bits / 32);
    }
    set_result(g, &a, b.result);
}
