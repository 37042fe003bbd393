// SPDX-License-Identifier: MIT
// What the manuals' pseudo-code names: registers of a wave, variables, and their parts. What the text leaves
// to the chapters of the manual stands here, too: source and result modifiers, denormals, and which half of a
// register is meant.
#ifndef TESTS_PSEUDOCODE_STATE_H
#define TESTS_PSEUDOCODE_STATE_H

#include "machine.h"
#include "memory_operands.h"
#include "parse.h"

struct variable {
    char name[32];
    struct node *lambda;
    unsigned count; // elements of an array
    struct val *elements, value;
    int kind, fmt; // of declared ones, or -1
    unsigned width;
};
enum { VARIABLES = 48 };

struct env {
    struct machine *m;
    unsigned lanes, lane;
    struct place d0, d1, src[3], mask_in, mask_out; // masks: what the text calls VCC
    unsigned raw_dst, raw_src[3];                   // numbers in the instruction's fields
    uint32_t simm16, literal, m0;
    unsigned neg, neg_hi, abs, op_sel, op_sel_hi, omod, clamp, table;
    bool packed, mix, halves; // op_sel of packed operands; of fma_mix; of 16-bit operands
    bool half_source[3];      // which those are
    uint8_t unit[3];          // bits of a packed source's elements, or 0
    unsigned sdwa_sel;        // what SDWA would choose of the first source
    bool omod_always;         // whatever MODE says
    bool half_result;         // op_sel chooses its half
    bool packs;               // results are made half by half in a variable
    bool only_f32;            // denormals of other formats stay
    bool flushes_all;         // denormals, whatever MODE says
    bool abs_is_neg_hi, sources_negate, selects, ignores_denormals, keeps_inputs, keeps_results;
    bool even_bf16; // BF16 results: to nearest even, and FP16_OVFL counts
    bool zeroes_high, integers_saturate;
    uint32_t mode;
    bool has_ieee, clamps_nan_always, fnuz, full_half_constants;
    int round; // what the text set, or -1
    uint64_t pc, size;
    bool branched, is_lane_code;
    struct variable var[VARIABLES];
    unsigned vars, steps;
    struct mark *marks;
    unsigned mark_count;
    struct memory_operands memory;
};

static struct val eval(struct env *e, struct node *n);
static struct val call(struct env *e, struct node *n);
enum flow { FLOW_ON, FLOW_BREAK, FLOW_RETURN };
static enum flow run_block(struct env *e, struct node *block, struct val *result);

static enum rounding rounding_of(const struct env *e, enum fmt f) {
    if (e->round >= 0) return (enum rounding)e->round;
    if (f == BF16 && e->even_bf16) return TO_EVEN;
    return (enum rounding)((f == F32 ? e->mode : e->mode >> 2) & 3);
}
// MODE.FP16_OVFL: what exceeds F16 is its largest number; infinities stay.
static uint64_t code_of(const struct env *e, enum fmt f, real x, enum rounding mode) {
    const uint64_t code = fmt_code(f, x, mode);
    return (f == F16 || (f == BF16 && e->even_bf16)) && e->mode >> 23 & 1 && fmt_is_inf(f, code) &&
                   !real_is_inf(x)
               ? code - 1
               : code;
}
static bool flushes(const struct env *e, enum fmt f, unsigned bit) {
    if (e->flushes_all && f <= F64) return true;
    if (bit && e->keeps_results) return false;
    if (e->ignores_denormals || f > F64 || (e->only_f32 && f != F32)) return false;
    if (f == BF16 || (e->keeps_inputs && !bit)) return false;
    return !((f == F32 ? e->mode >> 4 : e->mode >> 6) >> bit & 1);
}

// ---- Types ----

struct type {
    enum kind kind;
    enum fmt fmt;
    unsigned width; // 0: as wide as the value
};
static struct type type_of(const struct env *e, const char *name) {
    static const struct {
        const char *name;
        enum fmt fmt;
    } floats[] = {{"f16", F16}, {"bf16", BF16}, {"f32", F32}, {"f64", F64}, {"fp8", FP8},
                  {"bf8", BF8}, {"fp6", FP6},   {"bf6", BF6}, {"fp4", FP4}};
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++)
        if (!strcmp(name, floats[i].name)) {
            enum fmt f = floats[i].fmt;
            if (e->fnuz && f == FP8) f = FNUZ8;
            if (e->fnuz && f == BF8) f = BFNUZ8;
            return (struct type){V_FLOAT, f, fmt_facts[f].bits};
        }
    const enum kind kind = *name == 'u' ? V_UINT : *name == 'i' ? V_SINT : V_BITS;
    char *end;
    const unsigned width = (unsigned)strtoul(name + 1, &end, 10);
    if (!strchr("uib", *name) || *end) fail_with("the type .%s", name);
    return (struct type){kind, REAL, width};
}
static struct val typed(const struct val *v, struct type t) {
    if (t.kind == V_FLOAT) {
        if (is_float(v) && v->fmt == t.fmt) return *v;
        if (is_float(v)) fail_with("a float as another without a conversion");
        struct val out = val_code(t.fmt, v->w[0]);
        out.any_nan = v->any_nan, out.inexact = v->inexact, out.part_fmt = v->part_fmt;
        return out;
    }
    return val_resized(v, t.kind, t.width ? t.width : v->width);
}
static struct val to_fmt(struct env *e, const struct val *v, enum fmt f) {
    if (is_float(v) && v->fmt == f) return *v;
    struct val out;
    if (val_is_nan(v) && v->fmt != REAL)
        out = val_code(f, fmt_nan_as(f, (enum fmt)v->fmt, v->w[0]));
    else if (f == REAL)
        out = val_real(val_float(v));
    else
        out = val_code(f, code_of(e, f, val_float(v),
                                  v->inexact && f == F32
                                      ? TO_EVEN // approximations
                                      : rounding_of(e, is_float(v) && v->fmt == F64 ? F64 : f)));
    out.special = v->special;
    if (v->any_nan || (is_float(v) && v->fmt == REAL && real_is_nan(v->r)))
        out.any_nan = val_parts(f), out.part_fmt = (uint8_t)f;
    if (v->inexact) out.inexact = val_parts(f), out.part_fmt = (uint8_t)f;
    return out;
}

// ---- References: what can be read and written ----

struct ref {
    struct variable *var;
    unsigned element;
    bool whole_array;
    struct place place;
    unsigned lane;
    int source; // which of S0 to S2, or -1
    bool dest, mask, scc, pc, round, ignored;
    unsigned lo, width;
    bool sliced, has_type;
    bool reversed, memory;
    uint64_t address; // of memory
    struct type type;
};

static bool memory_register(const struct env *e, const char *name, struct place *p) {
    const struct memory_operands *o = &e->memory;
    const bool loads = o->data.kind == P_NOWHERE;
    if (!strcmp(name, "DATA") || (!strcmp(name, "DATA0") && !o->between_lanes))
        *p = o->data;
    else if (!strcmp(name, "DATA2"))
        *p = o->data2;
    else if (!strcmp(name, "VDATA") || !strcmp(name, "SDATA"))
        *p = loads ? o->returned : o->data;
    else if (!strcmp(name, "RETURN_DATA"))
        *p = o->returned;
    else
        return false;
    return true;
}
static uint8_t *memory_bytes(struct env *e, uint64_t address, unsigned width) {
    uint64_t at = address - e->memory.base;
    if (e->memory.swizzled) at = (address / 4 * e->memory.swizzled + e->lane) * 4 + address % 4;
    if (width % 8 || width > 512) fail_with("%u bits of memory", width);
    if (at >= sizeof e->m->mem || at + width / 8 > sizeof e->m->mem)
        fail_with("0x%llx outside of memory", (unsigned long long)address);
    memset(e->memory.touched + at, 1, width / 8);
    return (uint8_t *)e->m->mem + at;
}
static struct val memory_load(struct env *e, uint64_t address, unsigned width) {
    struct val v = val_int(V_BITS, width, 0);
    memcpy(v.w, memory_bytes(e, address, width), width / 8);
    return v;
}
static void note_mark(struct env *e, uint32_t *at, unsigned lo, const struct val *v);
static void memory_store(struct env *e, uint64_t address, unsigned width, const struct val *v) {
    uint8_t *to = memory_bytes(e, address, width);
    memcpy(to, v->w, width / 8);
    if ((!v->any_nan && !v->inexact) || v->part_fmt > F64) return;
    const unsigned unit = fmt_facts[v->part_fmt].bits;
    for (unsigned at = 0; at + unit <= width; at += unit)
        if ((v->any_nan | v->inexact) >> at / 16 & 1) {
            const size_t byte = (size_t)(to - (uint8_t *)e->m->mem) + at / 8;
            struct val part = *v;
            part.any_nan = v->any_nan >> at / 16 & 1, part.inexact = v->inexact >> at / 16 & 1;
            note_mark(e, &e->m->mem[byte / 4], byte % 4 * 8, &part);
        }
}

static struct variable *find_variable(struct env *e, const char *name) {
    for (unsigned i = e->vars; i-- > 0;)
        if (!strcmp(e->var[i].name, name)) return &e->var[i];
    return NULL;
}
static struct variable *make_variable(struct env *e, const char *name) {
    if (e->vars == VARIABLES) fail_with("too many variables");
    struct variable *v = &e->var[e->vars++];
    memset(v, 0, sizeof *v);
    snprintf(v->name, sizeof v->name, "%s", name);
    v->kind = v->fmt = -1;
    return v;
}
static unsigned small_number(struct env *e, struct node *n) {
    const struct val v = eval(e, n);
    const swide x = val_number(&v);
    if (x < 0 || x > 100000) fail_with("%lld as a number of bits, a lane or a register", (long long)x);
    return (unsigned)x;
}
static bool state_name(struct env *e, const char *name, struct ref *r) {
    const unsigned n = (unsigned)(name[1] - '0');
    r->width = 1024;
    if (e->memory.any && memory_register(e, name, &r->place)) {
        r->ignored = r->place.kind == P_NOWHERE;
        return true;
    }
    if (*name == 'S' && n < 3 && !name[2]) {
        r->source = (int)n, r->place = e->src[n];
        return true;
    }
    if (!strcmp(name, "D0") || !strcmp(name, "D")) {
        r->dest = true, r->place = e->d0;
        return true;
    }
    if (!strcmp(name, "D1")) {
        r->mask = true, r->place = e->mask_out, r->width = 64;
        return true;
    }
    if (!strcmp(name, "VCC")) {
        r->mask = true, r->place = e->mask_out, r->width = 64;
        return true;
    }
    if (!strcmp(name, "EXEC") || !strcmp(name, "EXEC_LO")) {
        r->place = (struct place){P_SGPR, 126, 0}, r->width = name[4] ? 32 : 64;
        return true;
    }
    if (!strcmp(name, "M0")) {
        r->place = (struct place){P_SGPR, e->m0, 0}, r->width = 32;
        return true;
    }
    if (!strcmp(name, "SCC")) return r->scc = true, r->width = 1, true;
    if (!strcmp(name, "PC")) return r->pc = true, r->width = 64, true;
    if (!strcmp(name, "MODE")) return r->place = (struct place){P_MODE, 0, 0}, r->width = 32, true;
    if (!strcmp(name, "VSKIP"))
        return r->place = (struct place){P_MODE, 0, 0}, r->lo = 28, r->width = 1, r->sliced = true;
    if (!strcmp(name, "ROUND_MODE")) return r->round = true, r->width = 32, true;
    return false;
}
// A field of MODE: which forks have not joined yet. That an index is added to registers is for later
// instructions.
static bool resolve_mode(const char *field, struct ref *r) {
    memset(r, 0, sizeof *r);
    r->source = -1, r->place = (struct place){P_MODE, 0, 0};
    if (!strcmp(field, "GPR_IDX_EN")) return r->ignored = true;
    r->lo = 29, r->width = 3, r->sliced = true;
    return !strcmp(field, "CSP");
}
// The base of a chain is a register, or a variable.
static bool resolve(struct env *e, struct node *n, struct ref *r) {
    switch (n->kind) {
    case N_NAME:
        memset(r, 0, sizeof *r);
        r->source = -1, r->lane = e->lane;
        if (find_variable(e, n->name) && strcmp(n->name, "S")) {
            r->var = find_variable(e, n->name);
            r->whole_array = r->var->count;
            r->width = r->var->value.width;
            return !r->var->lambda;
        }
        return state_name(e, n->name, r);
    case N_TYPE:
        if (n->kid[0]->kind == N_NAME && !strcmp(n->kid[0]->name, "TRAPSTS")) {
            memset(r, 0, sizeof *r);
            return r->ignored = true; // exceptions are not looked at
        }
        if (n->kid[0]->kind == N_NAME && !strcmp(n->kid[0]->name, "WAVE_MODE") && resolve_mode(n->name, r))
            return true;
        if (!resolve(e, n->kid[0], r)) return false;
        if (r->var && r->whole_array) return false;
        r->type = type_of(e, n->name), r->has_type = true;
        if (!r->sliced && r->type.width) r->width = r->type.width;
        return true;
    case N_INDEX: {
        struct node *base = n->kid[0];
        if (base->kind == N_NAME && !strcmp(base->name, "S")) {
            memset(r, 0, sizeof *r);
            r->source = (int)small_number(e, n->kid[1]), r->lane = e->lane, r->width = 1024;
            if (r->source > 2) fail_with("source %d", r->source);
            r->place = e->src[r->source];
            return true;
        }
        if (base->kind == N_NAME && (!strcmp(base->name, "MEM") || !strcmp(base->name, "LDS"))) {
            const struct val at = eval(e, n->kid[1]);
            memset(r, 0, sizeof *r);
            r->source = -1, r->width = 32, r->memory = true, r->address = at.w[0];
            return true;
        }
        if (base->kind == N_NAME && !strcmp(base->name, "HW_REGISTERS")) {
            memset(r, 0, sizeof *r);
            r->source = -1, r->width = 32, r->place = (struct place){P_MODE, 0, 0};
            if (small_number(e, n->kid[1]) != 1) fail_with("another hardware register than MODE");
            return true;
        }
        if (base->kind == N_NAME && !strcmp(base->name, "SGPR")) {
            memset(r, 0, sizeof *r);
            r->source = -1, r->width = 1024;
            r->place = (struct place){P_SGPR, small_number(e, n->kid[1]), 0};
            return true;
        }
        if (base->kind == N_INDEX && base->kid[0]->kind == N_NAME && !strcmp(base->kid[0]->name, "VGPR")) {
            memset(r, 0, sizeof *r);
            r->source = -1, r->width = 32;
            r->lane = small_number(e, base->kid[1]);
            r->place = (struct place){P_VGPR, small_number(e, n->kid[1]), 0};
            return true;
        }
        if (!resolve(e, base, r)) return false;
        if (r->whole_array) {
            r->element = small_number(e, n->kid[1]), r->whole_array = false;
            if (r->element >= r->var->count) fail_with("element %u of %s", r->element, r->var->name);
            r->width = r->var->elements[r->element].width;
            return true;
        }
        r->lo += small_number(e, n->kid[1]), r->width = 1, r->sliced = true, r->has_type = false;
        return true;
    }
    case N_SLICE:
    case N_SLICE_UP: {
        if (!resolve(e, n->kid[0], r)) return false;
        if (r->whole_array) return false;
        unsigned a = small_number(e, n->kid[1]), b = small_number(e, n->kid[2]);
        if (n->kind == N_SLICE_UP)
            r->lo += a, r->width = b;
        else {
            if (a < b) {
                const unsigned c = a;
                a = b, b = c, r->reversed = true;
            }
            r->lo += b, r->width = a - b + 1;
        }
        r->sliced = true, r->has_type = false;
        return true;
    }
    default: return false;
    }
}

static uint32_t *dword_at(struct env *e, const struct ref *r, unsigned i) {
    const unsigned n = r->place.index + i;
    if (r->place.kind == P_MODE) return &e->m->mode;
    if (r->place.kind == P_VGPR) {
        if (n >= MACHINE_VGPRS || r->lane >= 64) fail_with("v%u of lane %u", n, r->lane);
        return &e->m->v[n][r->lane];
    }
    if (n >= 128) fail_with("s%u", n);
    return &e->m->s[n];
}
// Which half, or dword, the fields of the instruction choose.
static unsigned chosen_lo(const struct env *e, const struct ref *r) {
    const int i = r->source;
    if (r->dest && !r->sliced && r->width == 16 && e->half_result)
        return e->op_sel >> 3 & 1 ? 16 : 0; // what is added to
    if (i < 0) return r->lo;
    if (e->packed && e->unit[i] && r->sliced) {
        const unsigned unit = e->unit[i];
        const bool high = r->lo / unit & 1 ? e->op_sel_hi >> i & 1 : e->op_sel >> i & 1;
        return (high ? unit : 0) + r->lo % unit;
    }
    if (e->halves && e->half_source[i]) return r->lo + (e->op_sel >> i & 1 ? 16 : 0);
    return r->lo;
}
static struct val load_place(struct env *e, const struct ref *r, unsigned lo) {
    struct val out = val_int(V_BITS, r->width, 0);
    if (r->place.kind == P_NOWHERE) fail_with("an operand that the instruction has not");
    if (r->width > 64 * VALUE_WORDS) fail_with("an operand of %u bits", r->width);
    struct val all = val_int(V_BITS, 0, 0);
    const unsigned from = lo / 32, to = (lo + r->width + 31) / 32;
    for (unsigned i = from; i < to && i < from + 2 * VALUE_WORDS; i++) {
        const uint64_t d = r->place.kind == P_CONSTANT ? (i < 2 ? (uint32_t)(r->place.constant >> 32 * i) : 0)
                                                       : *dword_at(e, r, i);
        all.w[(i - from) / 2] |= d << 32 * ((i - from) & 1);
    }
    all.width = (uint16_t)(32 * (to - from));
    out = val_slice(&all, lo % 32, r->width);
    return out;
}
static struct val reversed(const struct val *v) {
    struct val out = *v;
    for (unsigned i = 0; i < v->width; i++) val_set_bit(&out, i, val_bit(v, v->width - 1u - i));
    return out;
}
static struct val source_modified(struct env *e, const struct ref *r, struct val v) {
    const unsigned i = (unsigned)r->source;
    if (v.kind == V_FLOAT && fmt_facts[v.fmt].bits >= 16) {
        bool neg = e->neg >> i & 1, abs = e->abs >> i & 1;
        if (e->packed && r->sliced) neg = (r->lo / r->width & 1 ? e->neg_hi : e->neg) >> i & 1, abs = false;
        if (e->packed && !r->sliced) abs = e->neg_hi >> i & 1; // the sum of a dot product
        if (e->mix) abs = e->neg_hi >> i & 1;
        if (!e->sources_negate) neg = abs = false;
        if (abs) v.w[0] &= ~fmt_sign((enum fmt)v.fmt);
        if (neg) v.w[0] ^= fmt_sign((enum fmt)v.fmt);
        if (flushes(e, (enum fmt)v.fmt, 0) && fmt_is_denormal((enum fmt)v.fmt, v.w[0]))
            v.w[0] &= fmt_sign((enum fmt)v.fmt);
    } else if (e->selects && v.width >= 16 && v.width <= 32) {
        const uint64_t sign = 1ull << (v.width - 1);
        if (e->abs >> i & 1) v.w[0] &= ~sign;
        if (e->neg >> i & 1) v.w[0] ^= sign;
    }
    return v;
}
static struct val load(struct env *e, struct ref *r) {
    struct val v;
    if (r->ignored) return val_int(V_UINT, 1, 0);
    if (r->whole_array) fail_with("an array as a value");
    if (r->var) {
        const struct val *from = r->var->count ? &r->var->elements[r->element] : &r->var->value;
        if (!r->sliced) {
            if (!r->has_type) return *from;
            if (e->integers_saturate && r->type.kind != V_FLOAT && !is_float(from) && from->width >= 64 &&
                r->type.width < 64) {
                // The sum before it is cut.
                const swide x = val_number(from),
                            max = r->type.kind == V_SINT ? ((swide)1 << (r->type.width - 1)) - 1
                                                         : ((swide)1 << r->type.width) - 1,
                            min = r->type.kind == V_SINT ? -max - 1 : 0;
                return val_int(r->type.kind, r->type.width, (wide)(x < min ? min : x > max ? max : x));
            }
            return typed(from, r->type);
        }
        if (is_float(from) && from->fmt == REAL) fail_with("bits of a number without a format");
        v = val_slice(from, r->lo, r->width);
    } else if (r->memory)
        v = memory_load(e, r->address, r->width);
    else if (r->scc)
        v = val_int(V_UINT, 1, e->m->scc);
    else if (r->pc)
        v = val_int(V_SINT, 64, e->pc);
    else if (r->round)
        v = val_int(V_UINT, 32, (wide)e->round);
    else if (r->mask) {
        struct ref in = *r;
        in.place = e->mask_in;
        v = load_place(e, &in, r->lo);
    } else {
        // An untyped register is a dword.
        if (!r->sliced && !r->has_type && r->width == 1024) r->width = 32;
        v = load_place(e, r, chosen_lo(e, r));
    }
    if (r->reversed) v = reversed(&v);
    if (r->has_type) v = typed(&v, r->type);
    if (r->dest && is_float(&v) && flushes(e, (enum fmt)v.fmt, 0) && fmt_is_denormal((enum fmt)v.fmt, v.w[0]))
        v.w[0] &= fmt_sign((enum fmt)v.fmt);
    return r->source >= 0 ? source_modified(e, r, v) : v;
}

// ---- Results ----

static struct val finished(struct env *e, struct val v) {
    const enum fmt f = (enum fmt)v.fmt;
    if (f > F64) return v;
    if (flushes(e, f, 1) && (fmt_is_denormal(f, v.w[0]) || v.tiny)) v.w[0] &= fmt_sign(f);
    // Both clear a denormal or negative zero; the mode that keeps denormals turns omod off.
    const bool keeps = (f == F32 ? e->mode >> 5 : e->mode >> 7) & 1,
               scales = e->omod && (e->omod_always || (!(e->mode >> 9 & 1) && !keeps));
    if (scales) {
        static const double factor[] = {1, 2, 4, 0.5};
        if (fmt_is_denormal(f, v.w[0])) v.w[0] &= fmt_sign(f);
        if (!fmt_is_nan(f, v.w[0]))
            v.w[0] = code_of(e, f, fmt_number(f, v.w[0]) * factor[e->omod], rounding_of(e, f));
        if (fmt_is_denormal(f, v.w[0])) v.w[0] &= fmt_sign(f);
        if (v.w[0] == fmt_sign(f)) v.w[0] = 0;
    }
    if (e->clamp) {
        if (fmt_is_nan(f, v.w[0])) {
            if (e->clamps_nan_always || e->mode >> 8 & 1) v.w[0] = 0, v.any_nan = 0;
        } else if (v.w[0] & fmt_sign(f))
            v.w[0] = 0;
        else if (fmt_number(f, v.w[0]) > 1)
            v.w[0] = fmt_code(f, 1, TO_EVEN);
    }
    return v;
}
static void note_mark(struct env *e, uint32_t *at, unsigned lo, const struct val *v) {
    if ((!v->any_nan && !v->inexact) || e->mark_count == MARKS) return;
    e->marks[e->mark_count++] = (struct mark){
        .at = at, .lo = (uint8_t)lo, .fmt = v->part_fmt, .nan = v->any_nan, .inexact = v->inexact};
}
static void store_place(struct env *e, const struct ref *r, unsigned lo, unsigned width,
                        const struct val *v) {
    if (r->place.kind == P_CONSTANT || r->place.kind == P_NOWHERE)
        fail_with("a result that the instruction has not");
    for (unsigned at = 0; at < width;) {
        const unsigned bit = (lo + at) % 32, n = width - at < 32 - bit ? width - at : 32 - bit;
        uint32_t *d = dword_at(e, r, (lo + at) / 32);
        const uint64_t mask = (n == 32 ? 0xffffffffu : (1u << n) - 1) << bit;
        *d = (uint32_t)((*d & ~mask) | (val_part(v, at, n) << bit & mask));
        at += n;
    }
    if (!v->any_nan && !v->inexact) return;
    const unsigned unit = fmt_facts[v->part_fmt].bits >= 16 ? fmt_facts[v->part_fmt].bits : 16;
    for (unsigned at = 0; at + unit <= width && at < 1024; at += unit)
        if (v->part_fmt <= F64 && (v->any_nan | v->inexact) >> at / 16 & 1) {
            struct val part = *v;
            part.any_nan = v->any_nan >> at / 16 & 1, part.inexact = v->inexact >> at / 16 & 1;
            note_mark(e, dword_at(e, r, (lo + at) / 32), (lo + at) % 32, &part);
        }
}
static struct val saturated(struct val v, struct type t) {
    const swide x = val_number(&v),
                max = t.kind == V_SINT ? ((swide)1 << (t.width - 1)) - 1 : ((swide)1 << t.width) - 1,
                min = t.kind == V_SINT ? -max - 1 : 0;
    return val_int(t.kind, t.width, (wide)(x < min ? min : x > max ? max : x));
}
static void store(struct env *e, struct ref *r, struct val v) {
    if (r->ignored) return;
    if (r->whole_array) fail_with("an assignment to an array");
    if (r->scc) {
        e->m->scc = val_true(&v);
        return;
    }
    if (r->pc) {
        e->pc = (uint64_t)val_number(&v), e->branched = true;
        return;
    }
    if (r->round) {
        e->round = (int)(int32_t)(uint32_t)v.w[0];
        return;
    }
    const bool to_result = r->dest || (r->var && (e->packed || e->packs) && r->sliced) ||
                           (r->place.kind == P_VGPR && !r->var && r->source < 0 && !e->memory.any);
    if (r->has_type && r->type.kind == V_FLOAT) {
        v = to_fmt(e, &v, r->type.fmt);
        if (to_result) v = finished(e, v);
        const enum fmt f = r->type.fmt;
        if (r->dest && f <= F64 && !v.any_nan && fmt_is_nan(f, v.w[0]) && !(v.w[0] & fmt_quiet_bit(f)) &&
            e->mark_count < MARKS)
            e->marks[e->mark_count++] = (struct mark){.at = dword_at(e, r, r->lo / 32),
                                                      .lo = (uint8_t)(chosen_lo(e, r) % 32),
                                                      .fmt = (uint8_t)f,
                                                      .quiets = true};
        if (!v.part_fmt && (v.any_nan || v.inexact)) v.part_fmt = (uint8_t)r->type.fmt;
    } else if (r->has_type && e->integers_saturate && to_result && !is_float(&v) && r->type.width <= 32 &&
               v.width > r->type.width && v.kind != V_BITS)
        v = saturated(v, r->type);
    if (is_float(&v) && v.fmt == REAL && !r->var) fail_with("a number without a format as a result");
    if (r->memory) {
        memory_store(e, r->address, r->has_type ? r->width : v.width, &v);
        return;
    }
    if (r->var) {
        struct val *to = r->var->count ? &r->var->elements[r->element] : &r->var->value;
        if (r->sliced) {
            if (is_float(to) && to->fmt == REAL) fail_with("bits of a number without a format");
            if (r->width > v.width)
                v = val_resized(&v, (enum kind)(is_float(&v) ? V_BITS : v.kind), r->width);
            to->kind = is_float(to) ? V_BITS : to->kind;
            val_put(to, r->lo, r->width, &v);
        } else if (r->has_type)
            *to = is_float(&v) ? v : typed(&v, r->type);
        else if (r->var->kind >= 0) { // as declared
            const struct type t = {(enum kind)r->var->kind, (enum fmt)r->var->fmt, r->var->width};
            *to = t.kind == V_FLOAT ? to_fmt(e, &v, t.fmt) : typed(&v, t);
        } else
            *to = v;
        return;
    }
    if (r->mask && !r->sliced) { // VCC = 1 in the text of one lane is that lane's bit
        const struct val bit = val_bool(val_true(&v));
        r->lo = e->lane, r->width = 1;
        store_place(e, r, r->lo, 1, &bit);
        return;
    }
    if (!r->sliced && !r->has_type && r->width == 1024) r->width = v.width;
    if (v.kind == V_SINT && v.width < r->width) v = val_resized(&v, V_SINT, r->width);
    unsigned lo = r->lo;
    if (r->dest && r->width == 16 && !r->lo && e->half_result && e->op_sel >> 3 & 1) lo = 16;
    if (r->dest && !r->sliced && r->width == 16 && r->place.kind == P_SGPR)
        v = val_resized(&v, V_BITS, r->width = 32);
    if (r->dest && !r->sliced && r->width == 16 && e->zeroes_high && !lo && r->place.kind == P_VGPR) {
        const struct val zero = val_int(V_BITS, 32, 0);
        store_place(e, r, 0, 32, &zero);
    }
    // A mask in wave32 is one register.
    if (r->place.kind == P_SGPR && r->sliced && r->width == 1 && e->is_lane_code && r->lo >= e->lanes) return;
    store_place(e, r, lo, r->width, &v);
}

#endif
