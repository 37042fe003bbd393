// SPDX-License-Identifier: MIT
// Functions of the meaning language. Part of meaning_language.h.

// The value with another number.
static struct value changed(struct value v, double d) {
    v.d = d;
    v.has_code = v.signalling = v.tiny = false;
    return v;
}
static struct value like(struct value v, double d) { return to_float(v.f, d); }
static struct value nan_like(struct value v) { return (struct value){.f = v.f, .d = NAN}; }
static double flushed(enum float_format f, double d) {
    return fabs(d) < ldexp(1, 1 - float_shapes[f].bias) ? copysign(0, d) : d;
}
static double smaller(double a, double b) { return a < b || (a == b && signbit(a)) ? a : b; }
static double larger(double a, double b) { return a > b || (a == b && !signbit(a)) ? a : b; }

static struct value choose(struct run *r, const char *name, struct value a, struct value b) {
    const bool max = name[1] == 'a';
    const enum float_format f = common(r, &a, &b);
    if (!f) return max ? (a.i > b.i ? a : b) : (a.i < b.i ? a : b);
    a.f = b.f = f;
    const bool a_nan = isnan(a.d), b_nan = isnan(b.d);
    if (!strcmp(name, "min") || !strcmp(name, "max")) {
        if (r->ieee && (a.signalling || b.signalling)) return nan_like(a);
    } else if (!strcmp(name, "minimum") || !strcmp(name, "maximum")) {
        if (a_nan || b_nan) return nan_like(a);
    }
    if (a_nan) return b;
    if (b_nan) return a;
    return (struct value){.f = f, .d = max ? larger(a.d, b.d) : smaller(a.d, b.d)};
}

// ---- Approximations, in long double ----

static double turned(double a, bool cosine) { // of turns
    if (!isfinite(a)) return NAN;
    long double x = (long double)a - rintl((long double)a); // in [-0.5, 0.5]
    if (cosine) x = 0.25L - fabsl(x);                       // cos x = sin(1/4 - |x|)
    if (x > 0.25L) x = 0.5L - x;
    if (x < -0.25L) x = -0.5L - x;
    return (double)sinl(x * 6.283185307179586476925286766559L);
}
static struct value approximated(struct run *r, const char *name, struct value a) {
    double x = a.f == F32_ ? flushed(F32_, a.d) : a.d, y = 0;
    r->approximate = true;
    if (!strcmp(name, "rcp")) y = 1 / x;
    if (!strcmp(name, "rsq")) y = (double)(1 / sqrtl(x));
    if (!strcmp(name, "sqrt")) y = sqrt(x);
    if (!strcmp(name, "exp2")) y = exp2(x);
    if (!strcmp(name, "log2")) y = log2(x);
    if (!strcmp(name, "sin")) y = r->limits_turns && fabs(x) > 256 && isfinite(x) ? 0 : turned(x, false);
    if (!strcmp(name, "cos")) y = r->limits_turns && fabs(x) > 256 && isfinite(x) ? 1 : turned(x, true);
    struct value v = to_float(a.f, y);
    return a.f == F32_ ? changed(v, flushed(F32_, v.d)) : v;
}

// ---- Division ----

static int exponent_field(struct value v) {
    return (int)(float_code(v.f, fabs(v.d), TO_EVEN, 0) >> float_shapes[v.f].mantissa);
}
static struct value div_fixup(struct value q, struct value den, struct value num) {
    const double sign = signbit(den.d) != signbit(num.d) ? -1.0 : 1.0;
    const int gap = exponent_field(num) - exponent_field(den);
    if (isnan(num.d) || isnan(den.d)) return nan_like(q);
    if ((num.d == 0 && den.d == 0) || (isinf(num.d) && isinf(den.d))) return nan_like(q);
    if (den.d == 0 || isinf(num.d)) return like(q, sign * INFINITY);
    if (isinf(den.d) || num.d == 0) return like(q, sign * 0.0);
    if (q.f == F16_) return isnan(q.d) ? q : like(q, sign * fabs(q.d));
    if (gap < (q.f == F32_ ? -150 : -1075)) return like(q, sign * 0.0);
    if (!isfinite(q.d)) return like(q, sign * INFINITY);
    return like(q, sign * fabs(q.d));
}
// Whether the quotient is scaled, and by what power of two the value s of it is.
static bool div_scaling(struct value s, struct value den, struct value num, int *power) {
    const bool is32 = den.f == F32_;
    const int bias = is32 ? 127 : 1023, far_apart = is32 ? 96 : 768, tiny = is32 ? 23 : 53,
              scale = is32 ? 64 : 128;
    const int d = exponent_field(den), n = exponent_field(num);
    const bool is_den = s.d == den.d, is_num = s.d == num.d;
    const bool reciprocal = fabs(den.d) > ldexp(1, bias - 1) && d <= 2 * bias;
    const double up = is32 ? 64 : 512, down = is32 ? -62 : -510;
    const bool quotient = d <= 2 * bias && (to_float(den.f, ldexp(fabs(num.d), (int)up)).d <
                                                to_float(den.f, ldexp(fabs(den.d), (int)down)).d ||
                                            d - n >= bias - 1);
    bool scaled = false;
    *power = 0;
    if (n <= tiny) *power = scale;
    if (quotient) *power = is_num ? scale : 0, scaled = true;
    if (reciprocal) *power = -scale, scaled = false;
    if (reciprocal && quotient) *power = is_den ? -scale : 0, scaled = true;
    if (d == 0) *power = scale, scaled = false;
    if (n - d >= far_apart) *power = is_den ? scale : 0, scaled = true;
    return scaled || num.d == 0 || den.d == 0;
}
static struct value fma_scaled(struct value a, struct value b, struct value c, int power) {
    if (a.f == F64_) {
        double *big = fabs(a.d) > fabs(b.d) ? &a.d : &b.d;
        const double x = ldexp(*big, power), z = ldexp(c.d, power);
        if (isfinite(x) && isfinite(z) && ldexp(x, -power) == *big && ldexp(z, -power) == c.d) {
            *big = x;
            return (struct value){.f = F64_, .d = fma(a.d, b.d, z)};
        }
        const double plain = fma(a.d, b.d, c.d);
        if (isfinite(plain) || !isfinite(x) || !isfinite(a.d) || !isfinite(b.d) || !isfinite(c.d))
            return (struct value){.f = F64_, .d = ldexp(plain, power)};
        // The addend is far below: all that counts is its sign.
        *big = x;
        return (struct value){.f = F64_, .d = fma(a.d, b.d, c.d == 0 ? c.d : copysign(0x1p-1074, c.d))};
    }
    const double p = a.d * b.d, sum = p + c.d;
    if (!isfinite(sum) || sum == 0 || p == 0 || c.d == 0) return like(a, ldexp(sum, power));
    const double part = sum - p, lost = (p - (sum - part)) + (c.d - part);
    uint64_t bits = double_bits(sum);
    if (lost != 0 && !(bits & 1)) bits += (lost > 0) == (sum > 0) ? 1 : -1ull;
    return like(a, ldexp(as_double(bits), power));
}

// ---- Integers ----

static struct value saturated(struct type t, struct value v) {
    if (!v.f)
        return typed(t, (unsigned __int128)v.i &
                            (t.bits == 128 ? ~(unsigned __int128)0 : ((unsigned __int128)1 << t.bits) - 1));
    const double low = t.is_signed ? -ldexp(1, (int)t.bits - 1) : 0,
                 high = ldexp(1, (int)t.bits - t.is_signed);
    if (isnan(v.d)) return integer(0);
    const double whole = trunc(v.d);
    if (whole < low) return integer((wide)low);
    if (whole >= high) return integer((wide)high - 1);
    return integer((wide)whole);
}
static struct value counted(const char *name, struct value v, struct value bits) {
    const unsigned __int128 x = (unsigned __int128)v.i;
    wide n = 0;
    if (!strcmp(name, "popcount")) {
        for (int i = 0; i < 128; i++) n += (wide)(x >> i & 1);
        return integer(n);
    }
    if (!x) return integer(-1);
    if (!strcmp(name, "ctz"))
        while (!(x >> n & 1)) n++;
    else
        while (!(x >> (bits.i - 1 - n) & 1)) n++;
    return integer(n);
}
static struct value classified(struct value v) {
    const int sign = signbit(v.d) != 0;
    if (isnan(v.d)) return integer(v.signalling ? 0 : 1);
    const int distance = v.d == 0                                           ? 0
                         : isinf(v.d)                                       ? 3
                         : fabs(v.d) < ldexp(1, 1 - float_shapes[v.f].bias) ? 1
                                                                            : 2;
    return integer(sign ? 5 - distance : 6 + distance);
}
static struct value normalized(const char *name, struct value v) { // snorm16, unorm16
    const double low = *name == 's' ? -1 : 0, scale = *name == 's' ? 32767 : 65535;
    if (isnan(v.d)) return integer(0);
    return integer((wide)rint((v.d < low ? low : v.d > 1 ? 1 : v.d) * scale));
}
static unsigned swizzled_lane(unsigned lane, unsigned offset) {
    const unsigned n = lane & 31, mask = offset & 31, by = offset >> 5 & 31;
    unsigned from, reversed = 0;
    for (int i = 0; i < 5; i++) reversed |= (n >> i & 1) << (4 - i);
    if (offset >= 0xe000)
        from = reversed >> __builtin_popcount(mask) | (n & mask);
    else if (offset >= 0xc000)
        from = (n & mask) | ((offset & 0x400 ? n - by : n + by) & ~mask & 31);
    else if (offset & 0x8000)
        from = (n & ~3u) | (offset >> 2 * (n & 3) & 3);
    else
        from = ((n & mask) | by) ^ (offset >> 10 & 31);
    return (lane & 32) | from;
}
static struct value fract_of(struct value v) {
    if (!isfinite(v.d)) return nan_like(v);
    struct value r = added(v.f, v.d, -floor(v.d));
    return r.d >= 1 ? changed(r, 1 - ldexp(1, -1 - float_shapes[v.f].mantissa)) : r;
}

// ---- Calls ----

static struct value convert_call(struct run *r, const char *name, struct value a, struct value b,
                                 bool *known) {
    struct type t;
    char plain[24];
    strcpy(plain, name);
    char *suffix = strchr(plain, '_');
    if (suffix) *suffix++ = 0;
    *known = type_named(plain, &t);
    if (!*known) return a;
    if (!t.f) return suffix ? (*known = false, a) : saturated(t, a);
    const double d = a.f ? a.d : (double)a.i;
    (void)r;
    if (!suffix)
        return a.f == EXACT_ && t.f != F64_ ? float_of_bits(t.f, float_code(t.f, d, TO_EVEN, 0))
                                            : to_float(t.f, d);
    if (!strcmp(suffix, "rtz")) return float_of_bits(t.f, float_code(t.f, d, TO_ZERO, 0));
    if (!strcmp(suffix, "sr")) return float_of_bits(t.f, float_code(t.f, d, BY_RANDOM, (uint32_t)b.i));
    *known = false;
    return a;
}
static struct value scaled_by(const char *name, struct value x, struct value s) {
    const int e = (int)(float_code(F32_, s.d, TO_EVEN, 0) >> 23 & 255);
    if (e == 255) return (struct value){.f = EXACT_, .d = copysign(NAN, x.d)};
    return (struct value){.f = EXACT_, .d = ldexp(x.d, *name == 's' ? e - 127 : 127 - e)};
}
static struct value call(struct run *r, const char *name) {
    struct value a[6] = {{0}};
    unsigned n = 0;
    const bool was = r->approximate;
    expect(r, "(");
    do
        if (n < 6) a[n++] = expression(r);
    while (!r->error && take(r, ","));
    expect(r, ")");
    r->approximate |= was;
    if (r->error) return a[0];
    bool known;
    const struct value converted = convert_call(r, name, a[0], a[1], &known);
#define IS(text) !strcmp(name, text)
    if (known) return converted;
    if (!strncmp(name, "min", 3) || !strncmp(name, "max", 3)) return choose(r, name, a[0], a[1]);
    if (IS("rcp") || IS("rsq") || IS("sqrt") || IS("exp2") || IS("log2") || IS("sin") || IS("cos"))
        return approximated(r, name, a[0]);
    if (IS("popcount") || IS("ctz") || IS("clz")) return counted(name, a[0], a[1]);
    if (IS("snorm16") || IS("unorm16")) return normalized(name, a[0]);
    if (IS("scale") || IS("unscale")) return scaled_by(name, a[0], a[1]);
    if (IS("abs")) return a[0].f ? changed(a[0], fabs(a[0].d)) : integer(a[0].i < 0 ? -a[0].i : a[0].i);
    if (IS("fma")) return fused(a[0].f, a[0].d, a[1].d, a[2].d);
    if (IS("floor")) return changed(a[0], floor(a[0].d));
    if (IS("ceil")) return changed(a[0], ceil(a[0].d));
    if (IS("trunc")) return changed(a[0], trunc(a[0].d));
    if (IS("rne")) return changed(a[0], rint(a[0].d));
    if (IS("fract")) return fract_of(a[0]);
    if (IS("isnan")) return integer(isnan(a[0].d));
    if (IS("isinf")) return integer(isinf(a[0].d) != 0);
    if (IS("flush")) return changed(a[0], a[0].tiny ? copysign(0, a[0].d) : flushed(a[0].f, a[0].d));
    if (IS("finite"))
        return isinf(a[0].d) ? float_of_bits(a[0].f, float_code(a[0].f, a[0].d, TO_EVEN, 0) - 1) : a[0];
    if (IS("ldexp"))
        return like(a[0], ldexp(a[0].d, (int)(a[1].i > 5000 ? 5000 : a[1].i < -5000 ? -5000 : a[1].i)));
    if (IS("frexp_mant") || IS("frexp_exp")) {
        int e = 0;
        const double m = isfinite(a[0].d) ? frexp(a[0].d, &e) : a[0].d;
        return *(name + 6) == 'm' ? changed(a[0], m) : integer(isfinite(a[0].d) ? e : 0);
    }
    if (IS("xf32")) return isfinite(a[0].d) ? to_float(F32_, to_float(XF32_, a[0].d).d) : a[0];
    if (IS("class")) return classified(a[0]);
    if (IS("u8_rne"))
        return integer(isnan(a[0].d) ? 0 : (wide)rint(a[0].d < 0 ? 0 : a[0].d > 255 ? 255 : a[0].d));
    if (IS("clamp")) return integer(a[0].i < a[1].i ? a[1].i : a[0].i > a[2].i ? a[2].i : a[0].i);
    if (IS("prng")) return integer((uint32_t)(a[0].i << 1) ^ (a[0].i >> 31 & 1 ? 197 : 0));
    if (IS("zext")) return integer(a[1].i >= 127 ? a[0].i : a[0].i & (((wide)1 << a[1].i) - 1));
    if (IS("sext"))
        return a[1].i >= 127 ? a[0]
               : a[1].i      ? integer((wide)((unsigned __int128)a[0].i << (128 - a[1].i)) >> (128 - a[1].i))
                             : integer(0);
    if (IS("reverse")) {
        wide v = 0;
        for (int i = 0; i < a[1].i; i++) v |= (a[0].i >> i & 1) << (a[1].i - 1 - i);
        return integer(v);
    }
    if (IS("dot2")) {
        const double x = a[0].d * a[1].d, y = a[2].d * a[3].d, c = flushed(F32_, a[4].d);
        const double first =
            r->adds_last
                ? flushed(
                      F32_,
                      added(F32_, flushed(F32_, to_float(F32_, x).d), flushed(F32_, to_float(F32_, y).d)).d)
                : flushed(F32_, added(F32_, c, flushed(F32_, to_float(F32_, x).d)).d);
        struct value v = added(F32_, first, r->adds_last ? c : flushed(F32_, to_float(F32_, y).d));
        return changed(v, flushed(F32_, v.d));
    }
    if (IS("div_fixup")) return div_fixup(a[0], a[1], a[2]);
    int power;
    if (IS("div_scaled")) return integer(div_scaling(a[0], a[0], a[1], &power));
    if (IS("div_scale")) {
        div_scaling(a[0], a[1], a[2], &power);
        return a[1].d == 0 || a[2].d == 0 ? nan_like(a[0]) : like(a[0], ldexp(a[0].d, power));
    }
    if (IS("fma_scaled")) return fma_scaled(a[0], a[1], a[2], (int)a[3].i);
    if (IS("swizzle")) return integer(swizzled_lane((unsigned)a[0].i, (unsigned)a[1].i));
    if (IS("TARGET_LANE")) {
        const unsigned from = (unsigned)(r->address[a[0].i & 63] >> 2);
        return integer(r->halves_of_32 ? (a[0].i & 32) | (from & 31) : from & (r->lanes - 1));
    }
#undef IS
    bad(r, "an unknown function");
    return a[0];
}
