// SPDX-License-Identifier: MIT
// Functions that the manuals' pseudo-code calls: conversions, which their names describe (f32_to_i16,
// fp8_to_f16_scale, f16_to_bf8_sr_scale), parts of numbers, approximations, and other instructions.
#ifndef TESTS_PSEUDOCODE_FUNCTIONS_H
#define TESTS_PSEUDOCODE_FUNCTIONS_H

#include "eval.h"

extern real exp2f128(real), log2f128(real), tanhf128(real), sinf128(real), cosf128(real), floorf128(real),
    truncf128(real), rintf128(real);

// The text of another instruction of the same manual; NULL: it has none.
static struct node *text_named(const char *name);

static struct val inexact(real r) {
    struct val v = val_real(r);
    v.inexact = 1;
    if (real_is_nan(r)) v.any_nan = 1;
    return v;
}
static struct val same_fmt(const struct val *like, real r) { // of an exact function
    return like->fmt == REAL ? val_real(r)
                             : val_code((enum fmt)like->fmt, fmt_code((enum fmt)like->fmt, r, TO_ZERO));
}

// ---- Conversions ----

static bool type_name(const char *text, size_t length, char out[8]) {
    if (!length || length > 7) return false;
    memcpy(out, text, length);
    out[length] = 0;
    return strchr("fbiu", *out) != NULL || !strcmp(out, "snorm") || !strcmp(out, "unorm");
}
static real nearest_even(real x) {
    const int mode = fegetround();
    fesetround(FE_TONEAREST);
    const real r = rintf128(x);
    fesetround(mode);
    return r;
}
static real rounded(real x, enum rounding mode) {
    switch (mode) {
    case TO_EVEN: return nearest_even(x);
    case UPWARDS: return -floorf128(-x);
    case DOWNWARDS: return floorf128(x);
    default: return truncf128(x);
    }
}
static struct val float_to_int(const struct val *v, enum kind kind, unsigned width, enum rounding mode) {
    const real min = kind == V_SINT ? -real_power2((int)width - 1) : 0,
               max = real_power2(kind == V_SINT ? (int)width - 1 : (int)width) - 1;
    real x = val_float(v);
    if (val_is_nan(v)) x = 0;
    x = width == 8 ? rounded(x, mode) : truncf128(x); // bytes are rounded as MODE says (TRAP-185)
    return val_int(kind, width, (wide)(swide)(x < min ? min : x > max ? max : x));
}
static struct val normalised(const struct val *v, bool is_signed) {
    real x = val_float(v);
    const real top = is_signed ? 32767 : 65535;
    if (val_is_nan(v)) return val_int(is_signed ? V_SINT : V_UINT, 16, 0);
    x = x > 1 ? 1 : x < (is_signed ? -1 : 0) ? (is_signed ? -1 : 0) : x;
    return val_int(is_signed ? V_SINT : V_UINT, 16, (wide)(swide)nearest_even(to_odd(OP_MUL, x, top, 0)));
}
// The number rounded to the steps of a format without a largest number: to nearest even, or with random bits:
// what is cut off counts as a fraction, to which the random number's high bits are added.
static real to_steps(enum fmt f, real x, bool is_random, uint32_t random) {
    if (real_is_nan(x) || real_is_inf(x) || x == 0) return x;
    int e = (int)(uint32_t)(real_bits(x) >> 112 & 0x7fff) - 16383;
    if (e < 1 - fmt_facts[f].bias) e = 1 - fmt_facts[f].bias;
    const real unit = real_power2(e - fmt_facts[f].mantissa), a = real_abs(x) / unit;
    real n = nearest_even(a);
    if (is_random) {
        const int lost = 23 - fmt_facts[f].mantissa; // as many random bits as a number of 24 bits loses
        n = floorf128(a);
        if (floorf128((a - n) * real_power2(lost)) + (real)(random >> (32 - lost)) >= real_power2(lost))
            n += 1;
    }
    return real_sign(x) ? real_neg(n * unit) : n * unit;
}
static uint64_t small_code(struct env *e, enum fmt f, const struct val *v, real x, bool is_random,
                           uint32_t random) {
    const bool keeps_largest = e->mode >> 23 & 1, nan = val_is_nan(v) || real_is_nan(x),
               in_nan = val_is_nan(v) && v->fmt <= F64;
    const bool minus =
        in_nan || (is_float(v) && v->fmt <= F64) ? v->w[0] & fmt_sign((enum fmt)v->fmt) : real_sign(x);
    const uint64_t sign = minus ? fmt_sign(f) : 0;
    if (nan && fmt_facts[f].top == TOP_NUMBERS) return sign | fmt_largest(f);
    if (nan) return fmt_facts[f].top == TOP_MINUS_ZERO ? fmt_nan(f) : sign | fmt_nan(f);
    const real r = to_steps(f, x, is_random, random);
    if (real_abs(r) <= fmt_number(f, fmt_largest(f))) return fmt_code(f, r, TO_ZERO);
    if (fmt_facts[f].top == TOP_NUMBERS || keeps_largest) return sign | fmt_largest(f);
    if (fmt_facts[f].top == TOP_MINUS_ZERO) return fmt_nan(f);
    return sign | (fmt_facts[f].top == TOP_IEEE ? fmt_infinity(f) : fmt_nan(f));
}
// "A_to_B", "A_to_B_scale", "A_to_B_sr_scale".
static bool conversion(struct env *e, const char *name, struct val *arg, unsigned args, struct val *out) {
    const char *to = strstr(name, "_to_");
    char from_name[8], to_name[8];
    if (!to || !type_name(name, (size_t)(to - name), from_name)) return false;
    to += 4;
    const char *end = strchr(to, '_');
    if (!type_name(to, end ? (size_t)(end - to) : strlen(to), to_name)) return false;
    const bool scaled = end && strstr(end, "scale"),
               random = end && (strstr(end, "_sr") || strstr(end, "_SR"));
    if (args != 1u + scaled + random) fail_with("%s of %u values", name, args);
    const struct type from = type_of(e, from_name);
    struct val v = is_float(&arg[0]) && from.kind == V_FLOAT ? arg[0] : typed(&arg[0], from);
    if (!strcmp(to_name, "snorm") || !strcmp(to_name, "unorm"))
        return *out = normalised(&v, *to_name == 's'), true;
    const struct type t = type_of(e, to_name);
    if (t.kind != V_FLOAT) {
        if (from.kind == V_FLOAT)
            *out = float_to_int(&v, t.kind, t.width, rounding_of(e, F32));
        else { // i32_to_i16 saturates, i8_to_i32 widens
            const swide x = val_number(&v),
                        max = t.kind == V_SINT ? ((swide)1 << (t.width - 1)) - 1 : ((swide)1 << t.width) - 1,
                        min = t.kind == V_SINT ? -max - 1 : 0;
            *out = val_int(t.kind, t.width, (wide)(x < min ? min : x > max ? max : x));
        }
        return true;
    }
    if (from.kind != V_FLOAT) return *out = to_fmt(e, &v, t.fmt), true;
    real x = val_float(&v);
    const uint32_t noise = random ? (uint32_t)arg[1].w[0] << (arg[1].width == 16 ? 16 : 0) : 0;
    if (scaled) {
        const int s = (int)(arg[args - 1].w[0] & 255);
        const bool widens = fmt_facts[v.fmt].bits < fmt_facts[t.fmt].bits;
        if (s == 255)
            x = bits_real((wide)0x7fff8 << 108);
        else
            x = to_odd(OP_MUL, x, real_power2(widens ? s - 127 : 127 - s), 0);
    }
    if (fmt_facts[t.fmt].bits < 16)
        *out = val_code(t.fmt, small_code(e, t.fmt, &v, x, random, noise));
    else if (random && !val_is_nan(&v) && !real_is_nan(x))
        *out = val_code(t.fmt, code_of(e, t.fmt, to_steps(t.fmt, x, true, noise), TO_EVEN));
    else if (val_is_nan(&v) || real_is_nan(x)) {
        *out = val_is_nan(&v) ? to_fmt(e, &v, t.fmt) : val_code(t.fmt, fmt_nan(t.fmt));
        if (fmt_facts[t.fmt].top == TOP_IEEE) out->w[0] |= fmt_quiet_bit(t.fmt); // a conversion is arithmetic
        out->any_nan = val_parts(t.fmt), out->part_fmt = (uint8_t)t.fmt;
    } else {
        struct val r = scaled ? val_real(x) : v;
        *out = to_fmt(e, &r, t.fmt);
    }
    if (scaled && t.fmt == F32) *out = finished(e, *out);
    return true;
}

// ---- 2 / pi ----

// Fixed-point numbers: word 0 is the whole part. pi is 16 atan(1/5) - 4 atan(1/239) (Machin).
enum { LONG_WORDS = 44 };
static void long_divide(uint32_t *a, uint32_t by) {
    uint64_t rest = 0;
    for (unsigned i = 0; i < LONG_WORDS; i++)
        rest = rest << 32 | a[i], a[i] = (uint32_t)(rest / by), rest %= by;
}
static void long_add(uint32_t *a, const uint32_t *b, bool minus) {
    uint64_t carry = minus;
    for (unsigned i = LONG_WORDS; i-- > 0;)
        carry += (uint64_t)a[i] + (minus ? ~b[i] : b[i]), a[i] = (uint32_t)carry, carry >>= 32;
}
static void add_arctangent(uint32_t *sum, uint32_t times, uint32_t of, bool minus) {
    uint32_t power[LONG_WORDS] = {times}, term[LONG_WORDS];
    long_divide(power, of);
    for (unsigned n = 0; n < 600; n++, minus = !minus) {
        memcpy(term, power, sizeof term);
        long_divide(term, 2 * n + 1);
        long_add(sum, term, minus);
        long_divide(power, of * of);
    }
}
// 53 bits of 2 / pi, from the one that weighs 2^-(from + 1) on.
static uint64_t two_over_pi(unsigned from) {
    static uint8_t bits[1400];
    static bool known;
    if (!known) {
        uint32_t pi[LONG_WORDS] = {0}, rest[LONG_WORDS] = {2};
        add_arctangent(pi, 16, 5, false);
        add_arctangent(pi, 4, 239, true);
        for (unsigned n = 0; n < 1280; n++) {
            uint32_t twice[LONG_WORDS];
            memcpy(twice, rest, sizeof twice);
            long_add(rest, twice, false);
            bits[n] = 1;
            for (unsigned i = 0; i < LONG_WORDS; i++)
                if (rest[i] != pi[i]) {
                    bits[n] = rest[i] > pi[i];
                    break;
                }
            if (bits[n]) long_add(rest, pi, true);
        }
        known = true;
    }
    uint64_t out = 0;
    for (unsigned i = 0; i < 53; i++) out = out << 1 | (from + i < 1201 ? bits[from + i] : 0);
    return out;
}

// ---- Parts of numbers ----

static bool part_of_number(struct env *e, const char *name, struct val *a, unsigned args, struct val *out) {
    if (args != 1) return false;
    const enum fmt f = (enum fmt)a->fmt;
    const bool is = is_float(a);
    if (!strcmp(name, "isNAN")) return *out = val_bool(val_is_nan(a)), true;
    if (!strcmp(name, "isSignalNAN"))
        return *out = val_bool(val_is_nan(a) && f != REAL && !(a->w[0] & fmt_quiet_bit(f))), true;
    if (!strcmp(name, "isQuietNAN"))
        return *out = val_bool(val_is_nan(a) && f != REAL && a->w[0] & fmt_quiet_bit(f)), true;
    if (!strcmp(name, "cvtToQuietNAN")) {
        *out = *a;
        out->w[0] |= fmt_quiet_bit(f);
        return true;
    }
    if (!is || f == REAL) {
        if (!is) return false;
        const real x = a->r;
        if (!strcmp(name, "abs")) return *out = val_real(real_abs(x)), true;
        if (!strcmp(name, "floor")) return *out = val_real(floorf128(x)), true;
        if (!strcmp(name, "trunc")) return *out = val_real(truncf128(x)), true;
        return false;
    }
    const real x = val_float(a);
    if (!strcmp(name, "abs")) {
        *out = *a;
        out->w[0] &= ~fmt_sign(f);
        return true;
    }
    if (!strcmp(name, "sign")) return *out = val_bool(a->w[0] & fmt_sign(f)), true;
    if (!strcmp(name, "exponent")) return *out = val_int(V_SINT, 32, fmt_exponent(f, a->w[0])), true;
    if (!strcmp(name, "mantissa")) {
        int n = 0;
        if (x != 0) n = (int)(uint32_t)(real_bits(x) >> 112 & 0x7fff) - 16382;
        return *out = same_fmt(a, x == 0 ? x : x * real_power2(-n)), true;
    }
    if (!strcmp(name, "trunc") || !strcmp(name, "floor")) {
        if (val_is_nan(a) || fmt_is_inf(f, a->w[0])) {
            *out = *a;
            if (val_is_nan(a))
                out->w[0] |= fmt_quiet_bit(f), out->any_nan = val_parts(f), out->part_fmt = a->fmt;
            return true;
        }
        return *out = same_fmt(a, *name == 't' ? truncf128(x) : floorf128(x)), true;
    }
    if (!strcmp(name, "true_exponent")) {
        if (x == 0 || val_is_nan(a) || fmt_is_inf(f, a->w[0])) return *out = val_int(V_SINT, 32, 0), true;
        return *out = val_int(V_SINT, 32, (wide)((int)(uint32_t)(real_bits(x) >> 112 & 0x7fff) - 16382)),
               true;
    }
    if (!strcmp(name, "rint") || !strcmp(name, "below_one")) {
        const bool rint = *name == 'r';
        if (val_is_nan(a) || (rint && fmt_is_inf(f, a->w[0]))) {
            *out = *a;
            if (val_is_nan(a))
                out->w[0] |= fmt_quiet_bit(f), out->any_nan = val_parts(f), out->part_fmt = a->fmt;
            return true;
        }
        if (fmt_is_inf(f, a->w[0]))
            return *out = val_code(f, fmt_nan(f)), out->any_nan = val_parts(f), out->part_fmt = a->fmt, true;
        if (rint) {
            const real r = nearest_even(x);
            return *out = same_fmt(a, r == 0 && real_sign(x) ? -(real)0 : r), true;
        }
        real part = to_odd(OP_SUB, x, floorf128(x), 0);
        if (part == 0) part = rounding_of(e, f) == DOWNWARDS ? -(real)0 : part;
        const uint64_t code = fmt_code(f, part, rounding_of(e, f));
        const uint64_t most = fmt_code(f, 1, TO_EVEN) - 1;
        return *out = val_code(f, !(code & fmt_sign(f)) && code > most ? most : code), true;
    }
    if (!strcmp(name, "fract")) return *out = same_fmt(a, x - floorf128(x)), true;
    if (!strcmp(name, "isEven")) return *out = val_bool(floorf128(x / 2) * 2 == x), true;
    return false;
}
static bool approximation(struct env *e, const char *name, struct val *a, unsigned args, struct val *out) {
    (void)e;
    const real x = val_float(&a[0]);
    if (!strcmp(name, "sqrt") && args == 1) return *out = inexact(to_odd(OP_SQRT, x, 0, 0)), true;
    if (!strcmp(name, "tanh") && args == 1) return *out = inexact(tanhf128(x)), true;
    if (!strcmp(name, "log2") && args == 1) return *out = inexact(log2f128(x)), true;
    if ((!strcmp(name, "sin_turns") || !strcmp(name, "cos_turns")) && args == 1) {
        real r = x - floorf128(x + (real)0.5);             // exact, as all here is: -1/2 to 1/2
        const real quarter = floorf128(r * 4 + (real)0.5); // -2 to 2
        r = (r - quarter / 4) * 2 * acosf128(-1);
        const int q = ((int)quarter + (*name == 'c')) & 3; // cos is sin a quarter later
        r = q & 1 ? cosf128(r) : sinf128(r);
        return *out = inexact(q >> 1 ? real_neg(r) : r), true;
    }
    if (!strcmp(name, "flushed") && args == 1) {
        *out = a[0];
        if (a->fmt != REAL && (fmt_is_denormal((enum fmt)a->fmt, a->w[0]) || a->tiny))
            out->w[0] &= fmt_sign((enum fmt)a->fmt);
        return true;
    }
    if (!strcmp(name, "pow") && args == 2) {
        if (x != 2) fail_with("a power of another number than 2");
        return *out = inexact(exp2f128(val_float(&a[1]))), true;
    }
    return false;
}

// ---- Everything else ----

static bool other_instruction(struct env *e, const char *name, struct val *a, unsigned args,
                              struct val *out) {
    struct node *text = text_named(name);
    if (!text || args > 3) return false;
    struct env *inner = malloc(sizeof *inner);
    if (!inner) abort();
    memcpy(inner, e, sizeof *inner);
    enum { SCRATCH = MACHINE_VGPRS - 4 };
    uint32_t saved[4];
    inner->vars = 0;
    inner->d0 = (struct place){P_VGPR, SCRATCH, 0};
    for (unsigned i = 0; i < 4; i++)
        saved[i] = e->m->v[SCRATCH + i][e->lane], e->m->v[SCRATCH + i][e->lane] = 0;
    for (unsigned i = 0; i < 3; i++) inner->src[i] = (struct place){P_CONSTANT, 0, i < args ? a[i].w[0] : 0};
    inner->keeps_results = true; // the instruction whose text this is in flushes its own
    inner->neg = inner->abs = inner->neg_hi = inner->omod = inner->clamp = inner->op_sel = 0;
    inner->packed = inner->halves = inner->mix = inner->zeroes_high = false;
    if (!strstr(name, "sad_u8")) inner->integers_saturate = false;
    struct val ignored;
    run_block(inner, text, &ignored);
    struct val result = val_int(V_BITS, 128, 0);
    for (unsigned i = 0; i < 4; i++) {
        result.w[i / 2] |= (uint64_t)e->m->v[SCRATCH + i][e->lane] << 32 * (i & 1);
        e->m->v[SCRATCH + i][e->lane] = saved[i];
    }
    // Marks that this made belong to the scratch registers: they are part of the result.
    for (unsigned i = e->mark_count; i < inner->mark_count; i++)
        if (inner->marks[i].nan)
            result.any_nan = val_parts((enum fmt)inner->marks[i].fmt), result.part_fmt = inner->marks[i].fmt;
    e->steps = inner->steps;
    forget_variables(inner, 0);
    free(inner);
    // What it returns is of the type in its name: the last of v_max3_f16, the second of s_ff1_i32_b64.
    const char *suffix = strrchr(name, '_') + 1;
    if (!strncmp(name, "s_ff1", 5)) suffix = "i32";
    if (!strncmp(name, "v_cvt_i16", 9)) suffix = "i16";
    if (!strncmp(name, "v_cvt_u16", 9)) suffix = "u16";
    if (!strcmp(suffix, "u8")) suffix = "u32";
    const struct type t = type_of(e, suffix);
    struct val part = val_slice(&result, 0, t.width);
    part.any_nan = result.any_nan, part.part_fmt = result.part_fmt;
    *out = typed(&part, t);
    return true;
}
static struct val call_lambda(struct env *e, struct variable *v, struct val *a, unsigned args) {
    const unsigned keep = e->vars;
    struct node *l = v->lambda;
    if (args != l->count) fail_with("%s of %u values", v->name, args);
    for (unsigned i = 0; i < args; i++) make_variable(e, l->kid[i]->name)->value = a[i];
    struct val result = val_int(V_BITS, 0, 0);
    run_block(e, l->kid[l->count], &result);
    forget_variables(e, keep);
    return result;
}
static struct val call(struct env *e, struct node *n) {
    struct val a[6], out;
    if (n->kids > 6) fail_with("%s of %u values", n->name, n->kids);
    const char *name = n->name;
    if (e->memory.whole && has_word(name, "Calc")) return val_int(V_UINT, 64, global_address(e));
    for (unsigned i = 0; i < n->kids; i++) a[i] = eval(e, n->kid[i]);
    struct variable *v = find_variable(e, name);
    if (v && v->lambda) return call_lambda(e, v, a, n->kids);
    if (conversion(e, name, a, n->kids, &out) || part_of_number(e, name, a, n->kids, &out)) return out;
    if (!strcmp(name, "fma") && n->kids == 3) return arithmetic(e, OP_FMA, &a[0], &a[1], &a[2]);
    if (!strcmp(name, "fma_unrounded") && n->kids == 3) {
        for (unsigned i = 0; i < 3; i++) a[i] = val_real(val_float(&a[i]));
        return arithmetic(e, OP_FMA, &a[0], &a[1], &a[2]);
    }
    if (!strcmp(name, "ldexp") && n->kids == 2) {
        const swide by = val_number(&a[1]);
        const struct val two = val_real(real_power2(by < -8000 ? -8000 : by > 8000 ? 8000 : (int)by));
        struct val r = arithmetic(e, OP_MUL, &a[0], &two, NULL);
        return a[0].fmt == REAL ? r : to_fmt(e, &r, (enum fmt)a[0].fmt);
    }
    if (!strcmp(name, "signext") && n->kids == 1) {
        if (a[0].kind != V_SINT) a[0].kind = V_SINT;
        return val_int(V_SINT, 64, (wide)val_number(&a[0]));
    }
    if (!strcmp(name, "signext_from_bit") && n->kids == 2) {
        const unsigned width = (unsigned)val_number(&a[1]), all = a[0].width;
        if (!width) return val_int(V_SINT, all, 0);
        if (width >= all) return val_resized(&a[0], V_SINT, all);
        const struct val low = val_resized(&a[0], V_SINT, width);
        return val_int(V_SINT, all, (wide)val_number(&low));
    }
    if (!strcmp(name, "bitCount") && n->kids == 1) {
        unsigned bits = 0;
        for (unsigned i = 0; i < a[0].width; i++) bits += val_bit(&a[0], i);
        return val_int(V_UINT, 32, bits);
    }
    if (!strcmp(name, "float32") && n->kids == 3)
        return val_code(F32, (a[0].w[0] & 1) << 31 | (a[1].w[0] & 255) << 23 | (a[2].w[0] & 0x7fffff));
    if (!strcmp(name, "two_over_pi") && n->kids == 1)
        return val_int(V_UINT, 64, two_over_pi((unsigned)val_number(&a[0])));
    if ((!strcmp(name, "HwRegWriteMask") || !strcmp(name, "writeableBitMask")) && n->kids == 2)
        return val_int(V_SINT, 32, ~(wide)0); // of the bits that are tried
    if (!strcmp(name, "relu") && n->kids == 1)
        return e->clamp && a[0].kind == V_SINT && val_number(&a[0]) < 0 ? val_int(V_SINT, a[0].width, 0)
                                                                        : a[0];
    if (!strcmp(name, "mode_flushed_result") && n->kids == 1) {
        if (a[0].tiny && flushes(e, (enum fmt)a[0].fmt, 1)) a[0].w[0] &= fmt_sign((enum fmt)a[0].fmt);
        return flushed(e, a[0], 1);
    }
    if (!strcmp(name, "mode_flushed") && n->kids == 1) return flushed(e, a[0], 0);
    if (!strcmp(name, "CalcDsAddr") && (n->kids == 2 || n->kids == 3)) // offset, or its two bytes
        return val_int(V_UINT, 32, a[0].w[0] + a[1].w[0] + (n->kids == 3 ? a[2].w[0] << 8 : 0));
    if (!strcmp(name, "s_nop") || !strcmp(name, "nop")) return val_int(V_UINT, 1, 0);
    if (approximation(e, name, a, n->kids, &out)) return out;
    if (other_instruction(e, name, a, n->kids, &out)) return out;
    fail_with("the function %s", name);
}

#endif
