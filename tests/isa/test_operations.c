// SPDX-License-Identifier: MIT
// The evaluator of operations (operations.def) against arithmetic done otherwise: integers of 8 bits against
// plain C, all of them, wide ones digit by digit, floats of 32 and 64 bits against the host's, those of 16
// bits against the nearest of all. And what the table says of each operation: which operands may change
// places, which comparison is the inverse.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "isa/operations.h"

static const struct operation_mode plain;
static const struct value_type I1 = {VALUE_INT, 1}, I8 = {VALUE_INT, 8}, I16 = {VALUE_INT, 16},
                               I32 = {VALUE_INT, 32}, I64 = {VALUE_INT, 64}, I128 = {VALUE_INT, 128},
                               F16 = {VALUE_F16, 16}, BF16 = {VALUE_BF16, 16}, F32 = {VALUE_F32, 32},
                               F64 = {VALUE_F64, 64};

static uint64_t seed = 88172645463325252u;
static uint64_t next64(void) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed * 0x2545f4914f6cdd1d;
}
static op_bits low(op_bits v, unsigned bits) { return bits < 128 ? v & (((op_bits)1 << bits) - 1) : v; }
static op_bits awkward(unsigned bits) {
    const op_bits one = (op_bits)1 << next64() % bits, wide = (op_bits)next64() << 64 | next64();
    switch (next64() % 6) {
    case 0: return low(next64() % 4, bits);
    case 1: return one;
    case 2: return low(-one, bits);
    case 3: return low(one - 1, bits);
    default: return low(wide, bits);
    }
}

static op_bits apply(enum operation op, struct value_type result, struct value_type t, op_bits x, op_bits y,
                     op_bits z) {
    const struct value_type types[] = {t, t, t};
    const op_bits values[] = {x, y, z};
    op_bits out = 0;
    if (!operation_evaluate(op, &plain, result, types, values, operation_info(op)->operands, &out))
        fail_msg("%s has no value", operation_info(op)->name);
    return out;
}
static uint64_t of8(enum operation op, unsigned x, unsigned y) {
    return (uint64_t)apply(op, I8, I8, x, y, 0);
}
static bool is8(enum operation op, unsigned x, unsigned y) { return apply(op, I1, I8, x, y, 0) != 0; }

// ---- Integers ----

static uint8_t limited(int v, int least, int most) {
    return (uint8_t)(v < least ? least : v > most ? most : v);
}
static void check8(unsigned x, unsigned y) {
    const int sx = (int8_t)x, sy = (int8_t)y, n = y % 8;
    assert_int_equal(of8(OP_add, x, y), (uint8_t)(x + y));
    assert_int_equal(of8(OP_sub, x, y), (uint8_t)(x - y));
    assert_int_equal(of8(OP_mul, x, y), (uint8_t)(x * y));
    assert_int_equal(of8(OP_mulhu, x, y), x * y / 256);
    assert_int_equal(of8(OP_mulhs, x, y), (uint8_t)((sx * sy) >> 8));
    assert_int_equal(of8(OP_udiv, x, y), y ? x / y : 255);
    assert_int_equal(of8(OP_urem, x, y), y ? x % y : x);
    assert_int_equal(of8(OP_sdiv, x, y), y ? (uint8_t)(sx / sy) : 255);
    assert_int_equal(of8(OP_srem, x, y), y ? (uint8_t)(sx % sy) : x);
    assert_int_equal(of8(OP_uadd_sat, x, y), limited((int)(x + y), 0, 255));
    assert_int_equal(of8(OP_usub_sat, x, y), limited((int)x - (int)y, 0, 255));
    assert_int_equal(of8(OP_sadd_sat, x, y), limited(sx + sy, -128, 127));
    assert_int_equal(of8(OP_ssub_sat, x, y), limited(sx - sy, -128, 127));
    assert_int_equal(of8(OP_ushl_sat, x, y), limited((int)(x << n), 0, 255));
    assert_int_equal(of8(OP_sshl_sat, x, y), limited(sx * (1 << n), -128, 127));
    assert_int_equal(of8(OP_shl, x, y), (uint8_t)(x << n));
    assert_int_equal(of8(OP_lshr, x, y), x >> n);
    assert_int_equal(of8(OP_ashr, x, y), (uint8_t)(sx >> n));
    assert_int_equal(of8(OP_uabsdiff, x, y), x > y ? x - y : y - x);
    assert_int_equal(of8(OP_smin, x, y), (uint8_t)(sx < sy ? sx : sy));
    assert_int_equal(of8(OP_umax, x, y), x > y ? x : y);
    assert_int_equal(of8(OP_ucmp, x, y), x < y ? 255 : x > y);
    assert_int_equal(of8(OP_scmp, x, y), sx < sy ? 255 : sx > sy);
    assert_int_equal(is8(OP_ucarry, x, y), x + y > 255);
    assert_int_equal(is8(OP_soverflow, x, y), sx + sy != (int8_t)(sx + sy));
    assert_int_equal(is8(OP_soverflow_sub, x, y), sx - sy != (int8_t)(sx - sy));
    assert_int_equal(is8(OP_umul_overflow, x, y), x * y > 255);
    assert_int_equal(is8(OP_smul_overflow, x, y), sx * sy != (int8_t)(sx * sy));
    assert_int_equal(is8(OP_slt, x, y), sx < sy);
    assert_int_equal(is8(OP_uge, x, y), x >= y);
    for (unsigned c = 0; c < 2; c++) {
        const struct value_type types[] = {I8, I8, I1};
        const op_bits values[] = {x, y, c};
        op_bits sum, carry, difference, borrow;
        assert_true(operation_evaluate(OP_addc, &plain, I8, types, values, 3, &sum));
        assert_true(operation_evaluate(OP_addc_carry, &plain, I1, types, values, 3, &carry));
        assert_true(operation_evaluate(OP_subb, &plain, I8, types, values, 3, &difference));
        assert_true(operation_evaluate(OP_subb_borrow, &plain, I1, types, values, 3, &borrow));
        assert_int_equal((uint64_t)sum + 256 * (uint64_t)carry, x + y + c);
        assert_int_equal((int)difference - 256 * (int)borrow, (int)x - (int)y - (int)c);
    }
    const unsigned both = x << 8 | y;
    for (unsigned z = 0; z < 9; z++) {
        assert_int_equal((uint64_t)apply(OP_fshl, I8, I8, x, y, z), (uint8_t)(both << z % 8 >> 8));
        assert_int_equal((uint64_t)apply(OP_fshr, I8, I8, x, y, z), (uint8_t)(both >> z % 8));
        assert_int_equal((uint64_t)apply(OP_ubfe, I8, I8, x, y, z), (x >> n) & ((1u << z) - 1));
        assert_int_equal((uint64_t)apply(OP_sbfe, I8, I8, x, y, z),
                         z ? (uint8_t)((int)((unsigned)(sx >> n) << (32 - z)) >> (32 - z)) : 0);
    }
}
static void integers_of_8_bits_are_those_of_c(void **state) {
    (void)state;
    for (unsigned x = 0; x < 256; x++) {
        unsigned ones = 0, reversed = 0;
        int first = -1, last = -1;
        for (int i = 0; i < 8; i++) {
            if (!(x >> i & 1)) continue;
            if (first < 0) first = i;
            ones++, last = i, reversed |= 128u >> i;
        }
        assert_int_equal(of8(OP_ctpop, x, 0), ones);
        assert_int_equal(of8(OP_ffs, x, 0), (uint8_t)first);
        assert_int_equal(of8(OP_fls, x, 0), (uint8_t)(x ? 7 - last : -1));
        assert_int_equal(of8(OP_bitreverse, x, 0), reversed);
        assert_int_equal(of8(OP_not, x, 0), 255 - x);
        assert_int_equal(of8(OP_abs, x, 0), (uint8_t)((int8_t)x < 0 ? -(int8_t)x : (int8_t)x));
        for (unsigned y = 0; y < 256; y++) check8(x, y);
    }
}
static void wide_products_agree_with_digits(void **state) {
    (void)state;
    for (unsigned n = 0; n < 20000; n++) {
        const op_bits x = awkward(128), y = awkward(128);
        uint32_t digits[8] = {0};
        for (unsigned i = 0; i < 4; i++) {
            uint64_t carry = 0;
            for (unsigned j = 0; j < 4; j++) {
                carry += (uint64_t)(uint32_t)(x >> 32 * i) * (uint32_t)(y >> 32 * j) + digits[i + j];
                digits[i + j] = (uint32_t)carry, carry >>= 32;
            }
            digits[i + 4] = (uint32_t)carry;
        }
        op_bits halves[2] = {0, 0};
        for (unsigned i = 0; i < 8; i++) halves[i / 4] |= (op_bits)digits[i] << 32 * (i % 4);
        assert_true(apply(OP_mul, I128, I128, x, y, 0) == halves[0]);
        assert_true(apply(OP_mulhu, I128, I128, x, y, 0) == halves[1]);
        const op_bits is_signed = halves[1] - (x >> 127 ? y : 0) - (y >> 127 ? x : 0);
        assert_true(apply(OP_mulhs, I128, I128, x, y, 0) == is_signed);
        const op_bits a = low(x, 96), b = low(y, 96); // a width between those of C
        const op_bits above =
            apply(OP_mulhu, (struct value_type){VALUE_INT, 96}, (struct value_type){VALUE_INT, 96}, a, b, 0);
        const op_bits ah = a >> 48, al = low(a, 48), bh = b >> 48, bl = low(b, 48);
        const op_bits middle = ah * bl + (al * bl >> 48), middle2 = al * bh + low(middle, 48);
        assert_true(above == ah * bh + (middle >> 48) + (middle2 >> 48));
    }
}

// ---- What the table says ----

static struct value_type operand_type(enum operation op, unsigned i, struct value_type t) {
    const char letter = operation_shape(op)[i + 1];
    return letter == '1' ? I1 : letter == 'F' ? I32 : t;
}
// The operation on t with operands from and to exchanged, or not.
static op_bits exchanged(enum operation op, struct value_type t, const op_bits *values, unsigned from,
                         unsigned to) {
    struct value_type types[4];
    op_bits turned[4], out = 0;
    const char shape = *operation_shape(op);
    for (unsigned i = 0; i < 4; i++) {
        const unsigned k = i == from ? to : i == to ? from : i;
        types[i] = i < operation_info(op)->operands ? operand_type(op, i, t) : t;
        turned[i] = low(values[k], types[i].bits);
    }
    assert_true(operation_evaluate(op, &plain, shape == '1' ? I1 : t, types, turned,
                                   operation_info(op)->operands, &out));
    return out;
}
static bool is_nan_of(struct value_type t, op_bits v) {
    const unsigned fraction = t.kind == VALUE_F32 ? 23 : 52;
    return t.kind != VALUE_INT && low(v, t.bits - 1u) > low(~(op_bits)0, t.bits - 1u) >> fraction << fraction;
}
static bool may_exchange(enum operation op, struct value_type t, unsigned from, unsigned to) {
    for (unsigned n = 0; n < 3000; n++) {
        const op_bits values[4] = {awkward(t.bits), awkward(t.bits), awkward(t.bits), awkward(8)};
        const op_bits a = exchanged(op, t, values, 0, 0), b = exchanged(op, t, values, from, to);
        if (a != b && !(is_nan_of(t, a) && is_nan_of(t, b) && *operation_shape(op) == 'T')) return false;
    }
    return true;
}
static void operands_change_places_where_the_table_says_so_and_nowhere_else(void **state) {
    (void)state;
    for (unsigned op = 0; op < OPERATIONS; op++) {
        const struct operation_info *info = operation_info((enum operation)op);
        const char *const shape = operation_shape((enum operation)op);
        if (!info->evaluates || info->operands < 2 || shape[1] != shape[2] || shape[1] == 'F' ||
            *shape == 'P')
            continue;
        const bool is_float =
            !strncmp(info->name, "f", 1) || strstr(info->name, "num") || strstr(info->name, "imum");
        const bool is_integer = op == OP_fshl || op == OP_fshr;
        const struct value_type t = is_float && !is_integer ? F32 : I32;
        if (op == OP_perm) assert_int_equal(t.bits, 32);
        const bool says = info->properties & (OPERATION_COMMUTES | OPERATION_COMMUTES_FIRST);
        if (may_exchange((enum operation)op, t, 0, 1) != says) fail_msg("%s: its first operands", info->name);
        if (info->operands == 3 && info->properties & OPERATION_COMMUTES && shape[3] == shape[1] &&
            !may_exchange((enum operation)op, t, 1, 2))
            fail_msg("%s: its last operands", info->name);
    }
}
static void comparisons_have_their_exchanged_and_inverse(void **state) {
    (void)state;
    unsigned count = 0;
    for (unsigned op = 0; op < OPERATIONS; op++) {
        const enum operation other = operation_inverse((enum operation)op),
                             turned = operation_exchanged((enum operation)op);
        const unsigned types = operation_info((enum operation)op)->types;
        const bool compares = types == TYPES_COMPARE || types == TYPES_FLOAT_COMPARE;
        if (other == (enum operation)op) {
            assert_int_equal(turned, op);
            continue;
        }
        assert_true(compares);
        count++;
        for (unsigned n = 0; n < 3000; n++) {
            const struct value_type t = types == TYPES_COMPARE ? I64 : F64;
            const op_bits x = awkward(64), y = n % 4 ? awkward(64) : x;
            const op_bits holds = apply((enum operation)op, I1, t, x, y, 0);
            assert_int_equal((uint64_t)apply(other, I1, t, x, y, 0), !holds);
            assert_int_equal((uint64_t)apply(turned, I1, t, y, x, 0), (uint64_t)holds);
        }
    }
    assert_int_equal(count, 24);
}
static void idempotent_and_associative_operations_are(void **state) {
    (void)state;
    for (unsigned op = 0; op < OPERATIONS; op++) {
        const struct operation_info *info = operation_info((enum operation)op);
        const enum operation o = (enum operation)op;
        for (unsigned n = 0; n < 1000 && info->properties & (OPERATION_IDEMPOTENT | OPERATION_ASSOCIATES);
             n++) {
            const struct value_type t = info->types == TYPES_INT ? I64 : F64;
            const op_bits x = awkward(64), y = awkward(64), z = awkward(64);
            if (info->properties & OPERATION_IDEMPOTENT) assert_true(apply(o, t, t, x, x, 0) == x);
            if (!(info->properties & OPERATION_ASSOCIATES)) continue;
            const op_bits a = apply(o, t, t, apply(o, t, t, x, y, 0), z, 0),
                          b = apply(o, t, t, x, apply(o, t, t, y, z, 0), 0);
            assert_true(a == b || (is_nan_of(t, a) && is_nan_of(t, b)));
        }
    }
}

// ---- Floats ----

static uint32_t bits_of_float(float f) {
    uint32_t v;
    memcpy(&v, &f, 4);
    return v;
}
static float float_of_bits(uint32_t v) {
    float f;
    memcpy(&f, &v, 4);
    return f;
}
static double double_of_bits(uint64_t v) {
    double d;
    memcpy(&d, &v, 8);
    return d;
}
static uint64_t bits_of_double(double d) {
    uint64_t v;
    memcpy(&v, &d, 8);
    return v;
}
static void same_float(enum operation op, uint64_t x, uint64_t y, op_bits got, float want) {
    if (isnan(want) ? !isnan(float_of_bits((uint32_t)got)) : (uint32_t)got != bits_of_float(want))
        fail_msg("%s of 0x%llx, 0x%llx: 0x%x, not 0x%x", operation_info(op)->name, (unsigned long long)x,
                 (unsigned long long)y, (uint32_t)got, bits_of_float(want));
}
static void floats_are_those_of_the_host(void **state) {
    (void)state;
    for (unsigned n = 0; n < 100000; n++) {
        const uint32_t x = (uint32_t)awkward(32), y = n % 8 ? (uint32_t)awkward(32) : x ^ 1,
                       z = (uint32_t)awkward(32);
        const volatile float a = float_of_bits(x), b = float_of_bits(y), c = float_of_bits(z);
        same_float(OP_fadd, x, y, apply(OP_fadd, F32, F32, x, y, 0), a + b);
        same_float(OP_fsub, x, y, apply(OP_fsub, F32, F32, x, y, 0), a - b);
        same_float(OP_fmul, x, y, apply(OP_fmul, F32, F32, x, y, 0), a * b);
        same_float(OP_fdiv, x, y, apply(OP_fdiv, F32, F32, x, y, 0), a / b);
        same_float(OP_fma, x, y, apply(OP_fma, F32, F32, x, y, z), fmaf(a, b, c));
        same_float(OP_sqrt, x, 0, apply(OP_sqrt, F32, F32, x, 0, 0), sqrtf(a));
        same_float(OP_frint, x, 0, apply(OP_frint, F32, F32, x, 0, 0), rintf(a));
        same_float(OP_fround, x, 0, apply(OP_fround, F32, F32, x, 0, 0), roundf(a));
        const int places = (int)(next64() % 400) - 200;
        const struct value_type types[] = {F32, I32};
        op_bits out;
        assert_true(
            operation_evaluate(OP_ldexp, &plain, F32, types, (op_bits[]){x, (uint32_t)places}, 2, &out));
        same_float(OP_ldexp, x, (uint64_t)places, out, ldexpf(a, places));
        const uint64_t wide = (uint64_t)awkward(64);
        same_float(OP_fptrunc, wide, 0, apply(OP_fptrunc, F32, F64, wide, 0, 0), (float)double_of_bits(wide));
        same_float(OP_uitofp, wide, 0, apply(OP_uitofp, F32, I64, wide, 0, 0), (float)wide);
        same_float(OP_sitofp, wide, 0, apply(OP_sitofp, F32, I64, wide, 0, 0), (float)(int64_t)wide);
        const double d = double_of_bits(wide), e = double_of_bits((uint64_t)awkward(64));
        if (!isnan(d) && !isnan(e) && !isnan(d * e) && !isnan(d + e)) {
            assert_true(apply(OP_fmul, F64, F64, wide, bits_of_double(e), 0) == bits_of_double(d * e));
            assert_true(apply(OP_fadd, F64, F64, wide, bits_of_double(e), 0) == bits_of_double(d + e));
        }
        const op_bits whole = apply(OP_fptosi, I32, F32, x, 0, 0);
        if (a > -2147483648.0f && a < 2147483648.0f) assert_int_equal((int32_t)whole, (int32_t)a);
        if (a >= 2147483648.0f) assert_int_equal((int32_t)whole, INT32_MAX);
        if (isnan(a)) assert_int_equal((uint64_t)whole, 0);
    }
}
// The half next to a value is found by looking at all of them.
static double half(unsigned v) {
    const int exponent = (int)(v >> 10 & 31), fraction = (int)(v & 1023);
    const double d = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return v >> 15 ? -d : d;
}
static void halves_are_the_nearest(void **state) {
    (void)state;
    for (unsigned n = 0; n < 20000; n++) {
        const unsigned v = (unsigned)(next64() % 0x7bff); // finite, and so is the next one
        const double below = half(v), above = half(v + 1), middle = (below + above) / 2;
        const float near = (float)middle;
        const unsigned even = v & 1 ? v + 1 : v;
        assert_int_equal((uint64_t)apply(OP_fptrunc, F16, F32, bits_of_float(near), 0, 0), even);
        assert_int_equal((uint64_t)apply(OP_fptrunc, F16, F32, bits_of_float(nextafterf(near, 0)), 0, 0), v);
        assert_int_equal((uint64_t)apply(OP_fptrunc, F16, F32, bits_of_float(nextafterf(near, 1e9f)), 0, 0),
                         v + 1);
        assert_int_equal(
            (uint64_t)apply(OP_fptrunc_rtz, F16, F32, bits_of_float(nextafterf((float)above, 0)), 0, 0), v);
        assert_int_equal((uint64_t)apply(OP_fptrunc, F16, F64, bits_of_double(nextafter(middle, 0)), 0, 0),
                         v);
        assert_true(double_of_bits((uint64_t)apply(OP_fpext, F64, F16, v, 0, 0)) == below);
        const uint32_t top = (uint32_t)next64() & 0x7f7f0000; // bf16: the upper half of a float
        assert_int_equal((uint64_t)apply(OP_fptrunc, BF16, F32, top | 0x7fff, 0, 0), top >> 16);
        assert_int_equal((uint64_t)apply(OP_fptrunc, BF16, F32, top | 0x8001, 0, 0), (top >> 16) + 1);
        assert_int_equal((uint64_t)apply(OP_fptrunc, BF16, F32, top | 0x8000, 0, 0),
                         (top >> 16) + (top >> 16 & 1));
    }
    assert_int_equal((uint64_t)apply(OP_fptrunc, F16, F32, bits_of_float(65520.0f), 0, 0), 0x7c00);
    assert_int_equal((uint64_t)apply(OP_fptrunc_rtz, F16, F32, bits_of_float(1e9f), 0, 0), 0x7bff);
}
static op_bits with_mode(struct operation_mode mode, enum operation op, uint32_t x, uint32_t y) {
    op_bits out = 0;
    assert_true(
        operation_evaluate(op, &mode, F32, (struct value_type[]){F32, F32}, (op_bits[]){x, y}, 2, &out));
    return out;
}
static void modes_decide_denormals_and_nan(void **state) {
    (void)state;
    const struct operation_mode flush = {.flush32 = true}, other = {.flush16_64 = true},
                                ieee = {.ieee = true};
    const uint32_t one = 0x3f800000, denormal = 0x80000001, quiet = 0x7fc00000, signalling = 0x7f800001;
    assert_int_equal((uint64_t)with_mode(plain, OP_fmul, denormal, one), denormal);
    assert_int_equal((uint64_t)with_mode(other, OP_fmul, denormal, one), denormal);
    assert_int_equal((uint64_t)with_mode(flush, OP_fmul, denormal, one), 0x80000000);
    assert_int_equal((uint64_t)with_mode(flush, OP_fmul, 0x00800000, 0x3f000000), 0); // the result
    assert_int_equal((uint64_t)with_mode(ieee, OP_minnum, quiet, one), one);
    assert_int_equal((uint64_t)with_mode(ieee, OP_minnum, one, signalling) & quiet, quiet);
    assert_int_equal((uint64_t)with_mode(ieee, OP_minimumnum, one, signalling), one);
    assert_int_equal((uint64_t)with_mode(ieee, OP_minimum, quiet, one), quiet);
    assert_int_equal((uint64_t)with_mode(ieee, OP_minimum, 0, 0x80000000), 0x80000000);
    assert_int_equal((uint64_t)with_mode(ieee, OP_maximumnum, 0x80000000, 0), 0);
    assert_int_equal((uint64_t)with_mode(ieee, OP_fcopysign, one, denormal), 0xbf800000);
}
static void names_are_found(void **state) {
    (void)state;
    for (unsigned op = 0; op < OPERATIONS; op++) {
        const char *const name = operation_info((enum operation)op)->name;
        assert_int_equal(operation_named(name, strlen(name)), op);
    }
    assert_int_equal(operation_named("ad", 2), OPERATIONS);
    assert_int_equal(operation_named("addx", 3), OP_add);
    op_bits out;
    assert_false(operation_evaluate(OP_load, &plain, I32, &I32, (op_bits[]){0, 0}, 2, &out));
    assert_false(operation_evaluate(OP_add, &plain, I16, &I16, (op_bits[]){0}, 1, &out));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_of_8_bits_are_those_of_c),
        cmocka_unit_test(wide_products_agree_with_digits),
        cmocka_unit_test(operands_change_places_where_the_table_says_so_and_nowhere_else),
        cmocka_unit_test(comparisons_have_their_exchanged_and_inverse),
        cmocka_unit_test(idempotent_and_associative_operations_are),
        cmocka_unit_test(floats_are_those_of_the_host),
        cmocka_unit_test(halves_are_the_nearest),
        cmocka_unit_test(modes_decide_denormals_and_nan),
        cmocka_unit_test(names_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
