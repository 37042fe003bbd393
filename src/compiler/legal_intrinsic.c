// SPDX-License-Identifier: MIT
// Intrinsics of the target: rows by the table intrinsics.def, and those that are more than one row. What is
// not known is refused by its name.
#include "compiler/legal.h"
#include "isa/names.h"

#include <stdio.h>

struct intrinsic {
    char name[40], rows[64], operands[16];
};
static const struct intrinsic intrinsics[] = {
#define INTRINSIC(name, rows, operands) {name, rows, operands},
#include "compiler/intrinsics.def"
};

static const char *name_of(const struct legal *g) {
    const char *name = g->c->m->symbols.items[ir_index(legal_operand(g, 0))].name;
    static const char before[] = "llvm.amdgcn.";
    return strncmp(name, before, sizeof before - 1) ? name : name + sizeof before - 1;
}

void legal_refuse_name(struct legal *g) {
    char what[160];
    snprintf(what, sizeof what, "the intrinsic llvm.amdgcn.%.90s on this processor", name_of(g));
    legal_refuse(g, what);
}

// True if a type's name follows: i32, v2f16, p3, bf16. Else it is another intrinsic, whose name is longer.
static bool is_type(const char *s) {
    s += *s == 'b' && s[1] == 'f';
    return *s && strchr("ifpva", *s) && s[1] >= '0' && s[1] <= '9';
}

// The row whose name is the longest beginning of `name` that ends where a suffix begins.
static const struct intrinsic *find(const char *name) {
    const struct intrinsic *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++) {
        const size_t n = strlen(intrinsics[i].name);
        const bool open = n && intrinsics[i].name[n - 1] == '.';
        if (n < most || strncmp(intrinsics[i].name, name, n) ||
            (!open && name[n] && !(name[n] == '.' && is_type(name + n + 1))))
            continue;
        best = &intrinsics[i];
        most = n;
    }
    return best;
}

// ---- Rows ----

static const char *float_name(const struct legal *g) {
    const ir_ref result = ir_make(IR_VALUE, g->i->first_result);
    const struct ir_type *t = g->i->results ? legal_type(g, result) : NULL;
    return !t || t->kind == IR_F32 ? "f32" : t->kind == IR_F64 ? "f64" : "f16";
}

// The first of the table's rows that the processor has. NULL: none.
static const struct row *row_of(const struct legal *g, const struct intrinsic *in) {
    for (const char *s = in->rows; *s;) {
        char id[96];
        size_t n = 0;
        for (; *s && *s != '|' && n < 64; s++) {
            if (*s == '%')
                n += (size_t)snprintf(id + n, sizeof id - n, "%s", float_name(g));
            else if (*s == '*') // up to the suffixes of types
                for (const char *c = name_of(g) + strlen(in->name); *c && n < 64; c++) {
                    if (*c == '.' && (c[1] == 'v' || c[1] == 'f' || c[1] == 'i')) {
                        const char *rest = c + 1 + (c[1] == 'v');
                        if (c[1] == 'v' || strchr("0123456789", rest[1])) {
                            char type[8] = {0};
                            strncpy(type, c + 1, strcspn(c + 1, "."));
                            if (c[1] == 'v') break;
                        }
                    }
                    id[n++] = *c == '.' ? '_' : *c;
                }
            else
                id[n++] = *s;
        }
        id[n] = 0;
        const struct row *row = compiler_named_row(g->c, id);
        if (row) return row;
        s += *s == '|';
    }
    return NULL;
}

// The first dwords of an operand as one, at most so many. `scalar`: in scalar registers.
static ir_ref whole_of(struct legal *g, ir_ref r, bool scalar, unsigned most) {
    const struct ir_type t = *legal_type(g, r);
    ir_ref words[MOST_PARTS];
    unsigned count = legal_dwords(&t) * t.count;
    g->bank = IR_BANK_S; // wherever the parts are
    if (t.bits == 1 && t.count == 1 && !scalar) return legal_part(g, r, 0);
    if (t.bits % 32 == 0)
        for (unsigned d = 0; d < count; d++) words[d] = legal_part(g, r, d);
    else
        count = legal_packed(g, r, words);
    if (g->c->status) return legal_number(g, 0);
    if (count > most) count = most;
    bool all = true;
    for (unsigned d = 0; d < count; d++) {
        if (scalar) words[d] = legal_scalar(g, words[d]);
        const struct ir_value *v = ir_value_of(g->f, words[d]);
        all &= scalar || (v && v->bank == IR_BANK_S);
    }
    return legal_tuple(g, all ? IR_BANK_S : IR_BANK_V, ir_type_of(g->c->m, IR_BITS, count * 32, 1), words,
                       count);
}

static ir_ref whole(struct legal *g, ir_ref r, bool scalar) { return whole_of(g, r, scalar, MOST_PARTS); }

static ir_ref in_vector(struct legal *g, ir_ref r) {
    const struct ir_value *v = ir_value_of(g->f, r);
    return v && v->bank == IR_BANK_V ? r : legal_emit_as(g, OP_copy, IR_BANK_V, ir_ref_type(g->f, r), &r, 1);
}

// Gives a fixed register a value in front of an instruction that reads it.
static void fix(struct legal *g, enum ir_register_class class, ir_ref value) {
    const unsigned dwords = class == IR_VCC ? g->f->facts.wave / 32 : 1;
    const struct row *move = compiler_named_row(g->c, dwords == 2 ? "s_mov_b64" : "s_mov_b32");
    const ir_ref to = ir_make(IR_REGISTER, ir_register(class, 0, dwords));
    if (class == IR_VCC) g->f->facts.uses_vcc = 1;
    if (move) ir_append(g->f, ir_op_of_row(move), (ir_ref[]){to, value}, 2)->location = g->i->location;
}

void legal_fix_m0(struct legal *g, ir_ref value) { fix(g, IR_M0, value); }

static bool is_scalar_row(const struct row *row, const struct isa *isa) {
    const unsigned format = isa->codings[isa->row_codings[row - isa_rows]].format;
    return format == FMT_SOP1 || format == FMT_SOP2 || format == FMT_SOPK || format == FMT_SOPP ||
           format == FMT_SOPC || format == FMT_SMEM;
}

bool legal_number_in(struct legal *g, unsigned n, uint32_t *out) {
    const struct ir_constant *k = ir_constant_of(g->f, legal_operand(g, n));
    if (!k) legal_refuse(g, "an operand that is no constant here");
    *out = k ? (uint32_t)k->low : 0;
    return k != NULL;
}

ir_ref legal_dword(struct legal *g, ir_ref r, unsigned dword) {
    ir_ref words[MOST_PARTS];
    g->bank = IR_BANK_V;
    return dword < legal_packed(g, r, words) ? words[dword] : legal_number(g, 0);
}

// Where the numbers of a matrix operation stand in the one that its row takes.
static unsigned matrix_number(char letter, unsigned k) {
    switch (letter) {
    case 'X': return (k & 7) * IR_CBSZ;
    case 'A': return (k & 15) * IR_ABID;
    case 'B': return (k & 7) * IR_BLGP;
    case 's': return (k & 3) * IR_SCALE_A | IR_SCALED;
    default: return (k & 3) * IR_SCALE_B | IR_SCALED;
    }
}

// Dwords of a matrix whose elements' format the instruction's numbers say: those of eight bits take eight, of
// six bits six, of four bits four. LLVM may have it in more, as it has one type for all of them.
static unsigned matrix_dwords(struct legal *g, const char *letters, const struct row *row, unsigned source) {
    static const uint8_t of_format[8] = {8, 8, 6, 6, 4, 8, 8, 8};
    const char *at = source < 2 ? strchr(letters, source ? 'B' : 'X') : NULL;
    uint32_t k;
    if (!at || row->src[0].type != T_F8F6F4 || !legal_number_in(g, (unsigned)(at - letters) + 1, &k))
        return MOST_PARTS;
    return of_format[k & 7];
}

// The same of matrix operations from GFX12.5 on; `source` is the next one.
static unsigned reused_number(char letter, unsigned k, unsigned source) {
    switch (letter) {
    case 'F': return (k & 7) * IR_MATRIX_FORMAT_A;
    case 'G': return (k & 7) * IR_MATRIX_FORMAT_B;
    case 'S': return (k & 1) * IR_MATRIX_LANES_A;
    case 'T': return (k & 1) * IR_MATRIX_LANES_B;
    case 'f': return (k & 3) * IR_MATRIX_SCALE_A;
    case 'g': return (k & 3) * IR_MATRIX_SCALE_B;
    case 'u': return (k & 1) * IR_MATRIX_AGAIN_A;
    case 'U': return (k & 1) * IR_MATRIX_AGAIN_B;
    case 'N': return (k & 1) * IR_MATRIX_HIGH << source;
    case 'C': return (k >> 1 & 1) * IR_MATRIX_HIGH << source;
    default: return k;
    }
}

// An index of one dword where the row reads two: what the other one holds does not matter.
static ir_ref widened(struct legal *g, ir_ref r, unsigned type) {
    ir_ref words[2];
    if (type != T_B64 || ir_type_bits(g->c->m, ir_ref_type(g->f, r)) != 32) return r;
    legal_parts_of(g, r, 1, g->i32, words);
    words[1] = words[0];
    return legal_tuple(g, IR_BANK_V, g->i64, words, 2);
}

static unsigned operands_of(struct legal *g, const struct intrinsic *in, const struct row *row,
                            unsigned dword, ir_ref *o, unsigned *modifiers) {
    const bool scalar = is_scalar_row(row, g->c->isa);
    unsigned count = 0, source = 0, selected = 0, matrix = 0;
    uint32_t k;
    const char *letters = in->operands;
    if (*letters == '!') *modifiers |= IR_EARLY, letters++;
    const char *held = strpbrk(letters, "oOw");
    if (held) {
        const ir_ref r = legal_operand(g, (unsigned)(held - letters) + 1);
        o[count++] = *held == 'O' ? legal_dword(g, r, dword) : whole(g, r, false);
        *modifiers |= IR_TIED;
    }
    for (unsigned n = 0; letters[n] && !g->c->status; n++) {
        if (letters[n] == '^') {
            *modifiers |= IR_CLAMP;
            break;
        }
        const ir_ref r = legal_operand(g, n + 1);
        if (ir_is(r, IR_NONE) || count >= ROW_SRC + 1) {
            legal_refuse_name(g);
            return 0;
        }
        switch (letters[n]) {
        case 'w':
        case 'v':
            o[count] =
                whole_of(g, r, scalar || row->scalars >> source & 1, matrix_dwords(g, letters, row, source));
            if (row->class == CLASS_SWMMAC && source == 2) o[count] = widened(g, o[count], row->src[2].type);
            count++, source++;
            break;
        case 'a':
            o[count++] = in_vector(g, whole(g, r, false));
            o[count++] = IR_NOTHING;
            o[count++] = ir_immediate(0);
            break;
        case 'V':
            o[count++] = legal_dword(g, r, dword);
            source++;
            break;
        case 'm': fix(g, IR_M0, whole(g, r, true)); break;
        case 'X':
        case 'A':
        case 'B':
        case 's':
        case 't':
            if (legal_number_in(g, n + 1, &k)) matrix |= matrix_number(letters[n], k);
            break;
        case 'F':
        case 'G':
        case 'S':
        case 'T':
        case 'f':
        case 'g':
        case 'u':
        case 'U':
        case 'N':
        case 'C':
        case 'k':
            if (!legal_number_in(g, n + 1, &k)) break;
            matrix |= reused_number(letters[n], k, source);
            if (strchr("NC", letters[n]) && k & 1) *modifiers |= (unsigned)IR_NEG << source;
            break;
        case 'q':
            if (legal_number_in(g, n + 1, &k) && k) *modifiers |= (unsigned)IR_OP_SEL * 3;
            break;
        case 'e': fix(g, IR_VCC, legal_part(g, r, 0)); break;
        case 'i':
            if (!legal_number_in(g, n + 1, &k)) break;
            if (row->src[0].field == F_ssrc0 && k > 255)
                legal_refuse(g, "a message of this number");
            else
                o[count++] = ir_immediate((int32_t)(row->src[0].field == F_simm16 ? k & 0xffff : k));
            break;
        case 'c':
            if (legal_number_in(g, n + 1, &k) && k) *modifiers |= IR_CLAMP;
            break;
        case 'p':
            if (legal_number_in(g, n + 1, &k) && k) *modifiers |= (unsigned)IR_OP_SEL << selected;
            selected++;
            break;
        case 'n':
            if (legal_number_in(g, n + 1, &k) && k) *modifiers |= (unsigned)IR_NEG << source;
            break;
        case 'z':
            if (legal_number_in(g, n + 1, &k) && k) legal_refuse_name(g);
            break;
        default: break;
        }
    }
    if (compiler_has_number(g->c, row)) o[count++] = ir_immediate((int32_t)matrix);
    // The signed form of rows that take both.
    if (!strcmp(row_id(row), "v_dot4_i32_iu8") || !strcmp(row_id(row), "v_dot8_i32_iu4"))
        if (*in->name == 's' && in->name[1] == 'd') *modifiers |= IR_NEG | IR_NEG << 1;
    return count;
}

// The bytes of the first source that count are moved to its low end.
static void take_bytes(struct legal *g, const char *letters, ir_ref *source) {
    letters += *letters == '!';
    const char *at = strpbrk(letters, "bh");
    uint32_t k;
    if (!at || !legal_number_in(g, (unsigned)(at - letters) + 1, &k) || !k) return;
    *source = EMIT(g, OP_lshr, IR_BANK_V, *source, N((k & 3) * (*at == 'b' ? 8 : 16)));
}

// The low bytes of a result stand where the intrinsic wants them; the others are what was held.
static ir_ref put_bytes(struct legal *g, const char *letters, ir_ref result) {
    letters += *letters == '!';
    const char *at = strpbrk(letters, "rR"), *held = strchr(letters, 'o');
    uint32_t k;
    if (!at || !held || !legal_number_in(g, (unsigned)(at - letters) + 1, &k) || !k) return result;
    const unsigned shift = (k & 3) * (*at == 'r' ? 8 : 16);
    const uint32_t mask = (*at == 'r' ? 0xffu : 0xffffu) << shift;
    const ir_ref old = legal_dword(g, legal_operand(g, (unsigned)(held - letters) + 1), 0);
    const ir_ref moved = EMIT(g, OP_shl, IR_BANK_V, result, N(shift));
    return EMIT(g, OP_or, IR_BANK_V, EMIT(g, OP_and, IR_BANK_V, moved, N(mask)),
                EMIT(g, OP_and, IR_BANK_V, old, N(~mask)));
}

// The row once, or for each dword of the result.
static void by_row(struct legal *g, const struct intrinsic *in, const struct row *row) {
    const ir_ref result = ir_make(IR_VALUE, g->i->first_result);
    const struct ir_type t = g->i->results ? *legal_type(g, result) : (struct ir_type){.count = 1};
    const unsigned dwords = ((unsigned)t.bits * t.count + 31) / 32;
    const unsigned each = strchr(in->operands, 'V') ? 1 : dwords;
    const bool scalar = row->dst[0].field == F_sdst || row->dst[0].field == F_sdata;
    ir_ref words[MOST_PARTS], parts[MOST_PARTS];
    const bool by_wave =
        row->class == CLASS_WMMA || row->class == CLASS_SWMMAC || (row->access && strchr(in->operands, 'a'));
    const unsigned made = operand_dwords[row->dst[0].type] / (by_wave && g->f->facts.wave == 64 ? 2 : 1);
    if (g->i->results && made && made != each) { // as of 64 bits where the row has 32
        legal_refuse_name(g);
        return;
    }
    for (unsigned d = 0; d < dwords || !d; d += each ? each : 1) {
        ir_ref o[ROW_SRC + 2];
        unsigned modifiers = 0;
        const unsigned count = operands_of(g, in, row, d, o, &modifiers);
        if (count) take_bytes(g, in->operands, &o[modifiers & IR_TIED ? 1 : 0]);
        if (g->c->status) return;
        struct ir_inst *i = ir_append(g->f, ir_op_of_row(row), o, count);
        i->modifiers = (uint16_t)modifiers;
        i->location = g->i->location;
        i->flags = g->i->flags & IR_CONVERGENT;
        if (!g->i->results) return;
        const ir_ref r = ir_result(g->f, ir_type_of(g->c->m, each == 1 ? IR_INT : IR_BITS, each * 32, 1));
        struct ir_value *v = ir_value_of(g->f, r);
        if (!v) return;
        v->bank = scalar ? IR_BANK_S : IR_BANK_V;
        legal_parts_of(g, r, each, g->i32, words + d);
    }
    if (dwords == 1) words[0] = put_bytes(g, in->operands, words[0]);
    legal_unpacked(g, &t, words, parts);
    if (!g->c->status) legal_set_parts(g, parts, legal_dwords(&t) * t.count);
}

// ---- Exports ----

// Two colours for blending (21, 22) are wanted of all lanes of a quad: not here.
static bool is_target(const struct isa *isa, unsigned to) {
    return to != 21 && to != 22 && isa_export_target(isa, to);
}

// llvm.amdgcn.exp: target, which parts there are, the parts; whether it is the last one, and whether EXEC
// says which pixels there are. exp.compr: pairs of halves. exp.row: a row in place of the last number.
static void export(struct legal *g, const char *name) {
    const bool pairs = !strncmp(name, "exp.compr.", 10), by_row = !strncmp(name, "exp.row.", 8);
    const struct row *row = compiler_named_row(g->c, "export");
    const struct isa *isa = g->c->isa;
    const unsigned sources = pairs ? 2 : 4;
    uint32_t to, part, done, valid = 0;
    if (!row || (pairs && isa->row_export) || (by_row && !isa->row_export)) {
        legal_refuse_name(g);
        return;
    }
    if (!legal_number_in(g, 1, &to) || !legal_number_in(g, 2, &part) ||
        !legal_number_in(g, 3 + sources, &done))
        return;
    if (!by_row && !legal_number_in(g, 4 + sources, &valid)) return;
    part &= 15;
    if (!is_target(isa, to) || (pairs && ((part & 3) % 3 || (part >> 2) % 3))) {
        legal_refuse(g, is_target(isa, to) ? "an export of half a pair" : "an export to this target");
        return;
    }
    if (isa->row_export) valid = 0;
    ir_ref o[5] = {ir_immediate((int32_t)(to * IR_EXPORT_TO | part * IR_EXPORT_PART |
                                          (done ? IR_EXPORT_DONE : 0u) | (valid ? IR_EXPORT_VALID : 0u) |
                                          (pairs ? IR_EXPORT_PAIRS : 0u) | (by_row ? IR_EXPORT_ROW : 0u)))};
    for (unsigned n = 0; n < 4; n++) {
        const unsigned from = pairs ? n / 2 : n;
        const ir_ref v = part >> n & 1 ? legal_dword(g, legal_operand(g, 3 + from), 0) : IR_NOTHING;
        const struct ir_value *is = ir_value_of(g->f, v);
        const bool moves = !ir_is(v, IR_NONE) && (!is || is->bank != IR_BANK_V);
        o[1 + n] = pairs && n % 2 ? o[n] : moves ? legal_emit_as(g, OP_copy, IR_BANK_V, g->i32, &v, 1) : v;
    }
    if (by_row) fix(g, IR_M0, whole(g, legal_operand(g, 4 + sources), true));
    struct ir_inst *i = ir_append(g->f, ir_op_of_row(row), o, 5);
    i->location = g->i->location;
}

// ---- Lanes that end ----

// llvm.amdgcn.kill: lanes for which the condition does not hold are gone. That is so where no lane waits.
static void end_lanes(struct legal *g) {
    const unsigned dwords = g->f->facts.wave / 32;
    const struct row *row = compiler_named_row(g->c, dwords == 2 ? "s_and_b64" : "s_and_b32");
    const ir_ref exec = ir_make(IR_REGISTER, ir_register(IR_EXEC, 0, dwords));
    const ir_ref lanes = legal_part(g, legal_operand(g, 1), 0);
    const struct ir_constant *k = ir_constant_of(g->f, lanes);
    if (g->block || !ir_is_entry(g->f)) {
        legal_refuse(g, "the intrinsic llvm.amdgcn.kill here");
        return;
    }
    if (!row || (k && !k->poison && k->low)) return;
    const ir_ref o[] = {exec, exec, k ? N(0) : lanes};
    ir_append(g->f, ir_op_of_row(row), o, 3)->location = g->i->location;
    ir_append(g->f, OP_p_exit, NULL, 0)->location = g->i->location;
}

// ---- Others ----

// Numerator or denominator of a division, scaled, and the lanes in which the quotient is scaled back.
static void scale_for_division(struct legal *g) {
    const struct ir_type t = *legal_type(g, legal_operand(g, 1));
    const struct row *row = compiler_named_row(g->c, t.bits == 64 ? "v_div_scale_f64" : "v_div_scale_f32");
    uint32_t numerator;
    if (!row || !legal_number_in(g, 3, &numerator)) {
        if (!row) legal_refuse_name(g);
        return;
    }
    const ir_ref num = whole(g, legal_operand(g, 1), false), den = whole(g, legal_operand(g, 2), false);
    const ir_ref scaled =
        legal_emit_as(g, ir_op_of_row(row), IR_BANK_V, ir_type_of(g->c->m, IR_BITS, t.bits, 1),
                      (ir_ref[]){numerator ? num : den, den, num}, 3);
    const ir_ref lanes = ir_result(g->f, g->i1);
    struct ir_value *v = ir_value_of(g->f, lanes);
    ir_ref parts[2];
    if (!v) return;
    v->bank = IR_BANK_M;
    const unsigned count = legal_parts_of(g, scaled, t.bits / 32u, g->i32, parts);
    struct ir_inst one = *g->i;
    const struct ir_inst *old = g->i;
    legal_set_parts(g, parts, count);
    one.first_result++;
    g->i = &one;
    legal_set_parts(g, &lanes, 1);
    g->i = old;
}

// The address behind the instruction, of which the hardware has 48 bits.
static void set_counter(struct legal *g) {
    const struct row *row = compiler_named_row(g->c, "s_getpc_b64");
    const bool is_signed = !strcmp(isa_row_name(g->c->isa, row), "s_get_pc_i64"); // all bits, with the sign
    const ir_ref here = legal_emit_as(g, ir_op_of_row(row), IR_BANK_S, g->i64, NULL, 0);
    ir_ref parts[2];
    legal_parts_of(g, here, 2, g->i32, parts);
    g->bank = IR_BANK_S;
    if (!is_signed) parts[1] = DO(ashr, DO(shl, parts[1], N(16)), N(16));
    if (!g->c->status) legal_set_parts(g, parts, 2);
}

// What is known of the group's local memory before it runs.
static void set_group_bytes(struct legal *g) {
    if (!ir_is_entry(g->f)) {
        legal_refuse(g, "the size of local memory in a function");
        return;
    }
    legal_set_parts(g, (ir_ref[]){N(g->f->facts.lds)}, 1);
}

// A quotient within 2.5 ulp: one large divisor is made smaller, and the quotient after it.
static void fast_quotient(struct legal *g) {
    enum { LARGE = 0x6f800000, LESS = 0x2f800000, ONE = 0x3f800000 }; // 2^96, 2^-32
    const struct ir_type t = *legal_type(g, legal_operand(g, 1));
    const struct element n = legal_element(g, legal_operand(g, 1), 0),
                         d = legal_element(g, legal_operand(g, 2), 0);
    g->bank = IR_BANK_V;
    const struct element size = COMPUTE(g, OP_fabs, t, d);
    struct element large = size, less = size, one = size;
    const uint16_t f32 = ir_type_of(g->c->m, IR_F32, 32, 1);
    large.d[0] = ir_constant_bits(g->f, f32, LARGE, 0);
    less.d[0] = ir_constant_bits(g->f, f32, LESS, 0);
    one.d[0] = ir_constant_bits(g->f, f32, ONE, 0);
    if (g->c->status) return;
    const struct element by = legal_either(g, legal_compare(g, OP_fogt, &size, &large), &less, &one);
    const struct element inverse = COMPUTE(g, OP_rcp, t, COMPUTE(g, OP_fmul, t, d, by));
    const struct element q = COMPUTE(g, OP_fmul, t, by, COMPUTE(g, OP_fmul, t, n, inverse));
    if (!g->c->status) legal_set_parts(g, q.d, 1);
}

// llvm.amdgcn.ds.bvh.stack.*: the next nodes, and where the stack is now, which the row changes: one tuple.
static void stack_of_nodes(struct legal *g, const char *name) {
    enum { PLACE = 1, LAST, NODES, OFFSET };
    char id[48];
    snprintf(id, sizeof id, "%.40s_b%u", name, strstr(name, ".pop2.") ? 64 : 32);
    for (char *s = id; *s; s++)
        if (*s == '.') *s = '_';
    const struct row *row = compiler_named_row(g->c, id);
    if (!row) row = compiler_named_row(g->c, "ds_bvh_stack_push4_pop1_rtn_b32");
    if (!row || (strstr(name, "push8") && !strstr(id, "push8"))) {
        legal_refuse_name(g);
        return;
    }
    const unsigned dwords = operand_dwords[row->dst[0].type] + 1;
    const uint16_t type = ir_type_of(g->c->m, IR_BITS, dwords * 32, 1);
    uint32_t offset;
    ir_ref words[3], parts[3];
    for (unsigned d = 0; d < dwords; d++) words[d] = legal_dword(g, legal_operand(g, PLACE), 0);
    if (!legal_number_in(g, OFFSET, &offset) || g->c->status) return;
    const ir_ref o[] = {legal_tuple(g, IR_BANK_V, type, words, dwords),
                        in_vector(g, legal_dword(g, legal_operand(g, LAST), 0)),
                        in_vector(g, whole(g, legal_operand(g, NODES), false)),
                        ir_immediate((int32_t)offset)};
    const ir_ref r = legal_emit_as(g, ir_op_of_row(row), IR_BANK_V, type, o, 4);
    struct ir_inst *i = ir_def(g->f, r);
    if (!i) return;
    i->modifiers = IR_TIED | IR_EARLY;
    const struct ir_memory m = {.space = IR_LOCAL, .bytes = 4, .align_log2 = 2};
    i->memory = ir_memory_add(g->f, &m);
    legal_set_parts(g, parts, legal_parts_of(g, r, dwords, g->i32, parts));
}

// 1 / sqrt(x) within the finite numbers, where no row clamps.
static void clamped_root(struct legal *g) {
    const struct ir_type t = *legal_type(g, ir_make(IR_VALUE, g->i->first_result));
    const bool wide = t.bits == 64;
    static const char *const ids[2][3] = {
        {"v_rsq_f32", "v_min_f32|v_min_num_f32", "v_max_f32|v_max_num_f32"},
        {"v_rsq_f64", "v_min_f64|v_min_num_f64", "v_max_f64|v_max_num_f64"}};
    const uint16_t type = ir_type_of(g->c->m, (enum ir_kind)t.kind, t.bits, 1);
    ir_ref words[2], x = IR_NOTHING;
    for (unsigned n = 0; n < 3; n++) {
        char id[32];
        const char *other = strchr(ids[wide][n], '|');
        snprintf(id, sizeof id, "%.*s", (int)strcspn(ids[wide][n], "|"), ids[wide][n]);
        const struct row *row = compiler_named_row(g->c, id);
        if (!row && other) row = compiler_named_row(g->c, other + 1);
        if (!row) {
            legal_refuse_name(g);
            return;
        }
        if (!n) legal_words_of(g, legal_operand(g, 1), words);
        if (!n) x = legal_tuple(g, IR_BANK_V, type, words, 1 + wide);
        const ir_ref bound[2] = {N(wide     ? 0xffffffff
                                   : n == 1 ? 0x7f7fffff
                                            : 0xff7fffff),
                                 N(n == 1 ? 0x7fefffff : 0xffefffff)};
        const ir_ref o[] = {x, n ? legal_tuple(g, IR_BANK_V, type, bound, 1 + wide) : IR_NOTHING};
        x = legal_emit_as(g, ir_op_of_row(row), IR_BANK_V, type, o, n ? 2 : 1);
    }
    legal_parts_of(g, x, 1 + wide, wide ? g->i32 : type, words);
    if (!g->c->status) legal_set_words(g, IR_BANK_V, &t, words);
}

void legal_intrinsic(struct legal *g) {
    const char *name = name_of(g);
    const struct intrinsic *in = find(name);
    const struct row *row = in ? row_of(g, in) : NULL;
    if (!strncmp(name, "icmp.", 5) || !strncmp(name, "fcmp.", 5))
        legal_ballot(g, *name == 'f');
    else if (!strncmp(name, "update.dpp.", 11) || !strncmp(name, "mov.dpp.", 8))
        legal_exchange(g, *name == 'u');
    else if (!strncmp(name, "exp.", 4))
        export(g, name);
    else if (!strcmp(name, "kill"))
        end_lanes(g);
    else if (!strncmp(name, "div.scale.", 10))
        scale_for_division(g);
    else if (!strncmp(name, "mov.dpp8.", 9))
        legal_exchange_eight(g);
    else if (!strcmp(name, "fdiv.fast"))
        fast_quotient(g);
    else if (!strncmp(name, "ds.bvh.stack.", 13))
        stack_of_nodes(g, name);
    else if (!strcmp(name, "s.getpc"))
        set_counter(g);
    else if (!strcmp(name, "groupstaticsize"))
        set_group_bytes(g);
    else if (!strcmp(name, "permlane16.swap"))
        legal_swap_rows(g, "v_permlane16_swap_b32");
    else if (!strcmp(name, "permlane32.swap"))
        legal_swap_rows(g, "v_permlane32_swap_b32");
    else if (legal_mode(g, name) || legal_lanes(g, name))
        return;
    else if ((!strncmp(name, "wqm.", 4) || !strncmp(name, "softwqm.", 8)) && legal_quads(g, name))
        return;
    else if (!strncmp(name, "image.", 6) && (legal_ray(g, name) || legal_image(g, name)))
        return;
    else if (legal_is_buffer(name))
        legal_buffer(g, name);
    else if (legal_sync(g, name) || legal_async(g, name) || legal_barrier(g, name) ||
             legal_interpolation(g, name))
        return;
    else if (row)
        by_row(g, in, row);
    else if (!strncmp(name, "rsq.clamp.", 10))
        clamped_root(g);
    else
        legal_refuse_name(g);
}
