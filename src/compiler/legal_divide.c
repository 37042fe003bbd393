// SPDX-License-Identifier: MIT
// Division and remainder of integers: by constants through the upper half of a product, else by an
// approximate reciprocal of floats that is made exact. Above 64 bits, bit by bit.
#include "compiler/legal.h"

typedef const struct element *elements;

static uint16_t f32(struct legal *g) { return ir_type_of(g->c->m, IR_F32, 32, 1); }
static ir_ref float_constant(struct legal *g, uint32_t bits) {
    return ir_constant_bits(g->f, f32(g), bits, 0);
}
#define FLOAT(op, ...)                                                                                       \
    legal_emit_as(g, OP_##op, IR_BANK_V, f32(g), (const ir_ref[]){__VA_ARGS__},                              \
                  sizeof((const ir_ref[]){__VA_ARGS__}) / sizeof(ir_ref))

struct quotient {
    struct element q, r;
};

// ---- By constants ----

// A number m and a shift s so that n / d is the upper half of n * m, moved right by s, for all n of so many
// bits.
static bool find_multiplier(uint32_t d, unsigned bits, uint32_t *m, unsigned *s) {
    for (*s = 0; *s < 32; ++*s) {
        const unsigned __int128 power = (unsigned __int128)1 << (32 + *s), up = (power + d - 1) / d;
        const unsigned __int128 error = up * d - power;
        if (up >> 32) return false;
        if (error << bits <= power) {
            *m = (uint32_t)up;
            return true;
        }
    }
    return false;
}

static ir_ref by_constant(struct legal *g, ir_ref n, uint32_t d, unsigned bits) {
    uint32_t m;
    unsigned s = 0;
    if (!(d & (d - 1))) {
        while (1u << s < d) s++;
        return DO(lshr, n, N(s));
    }
    if (find_multiplier(d, bits, &m, &s)) return DO(lshr, DO(mulhu, n, N(m)), N(s));
    // With a multiplier of 33 bits, whose highest one is added by hand.
    while (1ull << s < d) s++;
    m = (uint32_t)(((unsigned __int128)((1ull << s) - d) << 32) / d + 1);
    const ir_ref t = DO(mulhu, n, N(m));
    return DO(lshr, DO(add, t, DO(lshr, DO(sub, n, t), N(1))), N(s - 1));
}

// ---- Of 32 bits ----

// True at once where the quotient is one too small: then one more, and less of a rest.
static void correct(struct legal *g, struct quotient *x, const struct element *d) {
    const ir_ref low = legal_compare(g, OP_uge, &x->r, d);
    const struct ir_type t = x->q.type;
    struct element one = x->q;
    for (unsigned n = 0; n < legal_dwords(&t); n++) one.d[n] = N(n ? 0 : 1);
    const struct element more = COMPUTE(g, OP_add, t, x->q, one), rest = COMPUTE(g, OP_sub, t, x->r, *d);
    x->q = legal_either(g, low, &more, &x->q);
    x->r = legal_either(g, low, &rest, &x->r);
}

static struct quotient divide32(struct legal *g, struct element n, struct element d, unsigned bits) {
    struct quotient x = {n, n};
    const struct ir_constant *k = ir_constant_of(g->f, d.d[0]);
    if (k && (uint32_t)k->low) {
        x.q.d[0] = by_constant(g, n.d[0], (uint32_t)k->low, bits);
        x.r.d[0] = DO(sub, n.d[0], DO(mul, x.q.d[0], d.d[0]));
        return x;
    }
    const ir_ref about = ROW(g, "v_rcp_iflag_f32", f32(g), FLOAT(uitofp, d.d[0]));
    const ir_ref scaled = FLOAT(fmul, about, float_constant(g, 0x4f7ffffe)); // a little below 2^32
    ir_ref z = legal_emit_as(g, OP_fptoui, IR_BANK_V, g->i32, &scaled, 1);
    z = DO(add, z, DO(mulhu, z, DO(mul, DO(sub, N(0), d.d[0]), z)));
    x.q.d[0] = DO(mulhu, n.d[0], z);
    x.r.d[0] = DO(sub, n.d[0], DO(mul, x.q.d[0], d.d[0]));
    correct(g, &x, &d);
    correct(g, &x, &d);
    return x;
}

// ---- Of 64 bits ----

static struct element high_product(struct legal *g, const struct element *a, const struct element *b) {
    const struct ir_type wide = {IR_INT, 128, 1};
    struct element x = *a, y = *b, out = *a;
    x.type = y.type = wide;
    x.d[2] = x.d[3] = y.d[2] = y.d[3] = N(0);
    const struct element p = COMPUTE(g, OP_mul, wide, x, y);
    out.d[0] = p.d[2];
    out.d[1] = p.d[3];
    return out;
}

static struct quotient divide64(struct legal *g, struct element n, struct element d) {
    const struct ir_type t = n.type;
    struct quotient x = {n, n};
    // 2^64 / d, roughly, as two dwords.
    const ir_ref whole =
        FLOAT(fma, FLOAT(uitofp, d.d[1]), float_constant(g, 0x4f800000), FLOAT(uitofp, d.d[0]));
    const ir_ref about = FLOAT(fmul, ROW(g, "v_rcp_f32", f32(g), whole), float_constant(g, 0x5f7ffffc));
    const ir_ref high = FLOAT(ftrunc, FLOAT(fmul, about, float_constant(g, 0x2f800000)));
    const ir_ref low = FLOAT(fma, high, float_constant(g, 0xcf800000), about);
    struct element z = n, minus = n;
    z.d[0] = legal_emit_as(g, OP_fptoui, IR_BANK_V, g->i32, &low, 1);
    z.d[1] = legal_emit_as(g, OP_fptoui, IR_BANK_V, g->i32, &high, 1);
    minus.d[0] = minus.d[1] = N(0);
    minus = COMPUTE(g, OP_sub, t, minus, d);
    for (unsigned step = 0; step < 2; step++) {
        const struct element error = COMPUTE(g, OP_mul, t, minus, z);
        z = COMPUTE(g, OP_add, t, z, high_product(g, &z, &error));
    }
    x.q = high_product(g, &n, &z);
    x.r = COMPUTE(g, OP_sub, t, n, COMPUTE(g, OP_mul, t, x.q, d));
    correct(g, &x, &d);
    correct(g, &x, &d);
    return x;
}

// ---- Of more ----

static struct quotient divide_bits(struct legal *g, struct element n, struct element d) {
    const struct ir_type t = n.type, dword = {IR_INT, 32, 1};
    const unsigned dwords = legal_dwords(&t);
    struct quotient x = {n, n};
    for (unsigned k = 0; k < dwords; k++) x.q.d[k] = x.r.d[k] = N(0);
    for (unsigned bit = 32 * dwords; bit-- > 0 && !g->c->status;) {
        for (unsigned k = dwords; k-- > 1;)
            x.r.d[k] = COMPUTE(g, OP_fshl, dword, legal_of_dword(x.r.d[k]), legal_of_dword(x.r.d[k - 1]),
                               legal_of_dword(N(1)))
                           .d[0];
        x.r.d[0] = DO(or, DO(shl, x.r.d[0], N(1)), DO(and, DO(lshr, n.d[bit / 32], N(bit % 32)), N(1)));
        const ir_ref fits = legal_compare(g, OP_uge, &x.r, &d);
        const struct element rest = COMPUTE(g, OP_sub, t, x.r, d);
        x.r = legal_either(g, fits, &rest, &x.r);
        x.q.d[bit / 32] = DO(or, x.q.d[bit / 32], legal_choice(g, fits, N(1u << bit % 32), N(0)));
    }
    return x;
}

// ---- Signs ----

static struct element turned(struct legal *g, const struct element *x, ir_ref sign) {
    struct element s = *x;
    for (unsigned d = 0; d < legal_dwords(&x->type); d++) s.d[d] = sign;
    const struct element y = COMPUTE(g, OP_xor, x->type, *x, s);
    return COMPUTE(g, OP_sub, x->type, y, s);
}

static ir_ref sign_of(struct legal *g, const struct element *x) {
    return DO(ashr, x->d[legal_dwords(&x->type) - 1], N(31));
}

struct element legal_divide(struct legal *g, unsigned op, struct ir_type t, const struct element *o) {
    const bool is_signed = op == OP_sdiv || op == OP_srem, rest = op == OP_urem || op == OP_srem;
    const unsigned dwords = legal_dwords(&t), bits = t.bits;
    const struct ir_type full = {IR_INT, (uint16_t)(32 * dwords), 1};
    struct element n = legal_extended(g, &o[0], is_signed), d = legal_extended(g, &o[1], is_signed);
    n.type = d.type = full;
    const ir_ref sign_n = is_signed ? sign_of(g, &n) : N(0), sign_d = is_signed ? sign_of(g, &d) : N(0);
    if (is_signed) n = turned(g, &n, sign_n), d = turned(g, &d, sign_d);
    const struct ir_constant *k = ir_constant_of(g->f, d.d[0]);
    bool small = k != NULL;
    for (unsigned i = 1; i < dwords; i++) small &= legal_is_number(g, d.d[i], 0);
    const bool power = small && (uint32_t)k->low && !((uint32_t)k->low & ((uint32_t)k->low - 1));
    struct quotient x;
    if (dwords > 1 && power) { // by a power of two
        unsigned s = 0;
        while (1u << s < (uint32_t)k->low) s++;
        struct element mask = d;
        mask.d[0] = N((1u << s) - 1);
        x.q = COMPUTE(g, OP_lshr, full, n, legal_of_dword(N(s)));
        x.r = COMPUTE(g, OP_and, full, n, mask);
    } else
        x = dwords == 1 ? divide32(g, n, d, bits) : dwords == 2 ? divide64(g, n, d) : divide_bits(g, n, d);
    struct element out = rest ? x.r : x.q;
    if (is_signed) out = turned(g, &out, rest ? sign_n : DO(xor, sign_n, sign_d));
    out.type = t;
    return out;
}
