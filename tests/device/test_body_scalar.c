// SPDX-License-Identifier: MIT
// Every scalar integer body against a reference that follows the manuals' definitions, SCC included.
// Facts shown: TRAP-050 to TRAP-060, TRAP-393 (relative moves out of range).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "bare_wave.h"

typedef uint64_t u64;
typedef int64_t i64;
typedef uint32_t u32;
typedef int32_t i32;

// d comes in as the old destination; exec and scc as they are, and go out as they shall be.
struct ref {
    u64 a, b, d, exec;
    u32 scc;
};
typedef void reference(struct ref *r);
struct check {
    const char *sem;
    unsigned d, a, b;
    reference *fn;
}; // dwords; IMM: a 16-bit immediate
enum { IMM = 9 };

#define R(name, ...)                                                                                         \
    static void ref_##name(struct ref *r) {                                                                  \
        const u64 a = r->a, b = r->b;                                                                        \
        (void)a, (void)b;                                                                                    \
        __VA_ARGS__;                                                                                         \
    }
#define D(v)   r->d = (u64)(v)
#define SCC(v) r->scc = (v) ? 1 : 0
#define NZ(v)                                                                                                \
    D(v);                                                                                                    \
    SCC(r->d)
#define NZ32(v)                                                                                              \
    D((u32)(v));                                                                                             \
    SCC(r->d)

R(add_u32, SCC(a + b > 0xffffffff); D((u32)(a + b)))
R(sub_u32, SCC(b > a); D((u32)(a - b)))
R(add_i32, const i64 t = (i64)(i32)a + (i32)b; D((u32)t); SCC(t != (i32)t))
R(sub_i32, const i64 t = (i64)(i32)a - (i32)b; D((u32)t); SCC(t != (i32)t))
R(addc, const u64 t = a + b + r->scc; D((u32)t); SCC(t > 0xffffffff))
R(subb, const u64 t = a - b - r->scc; const bool o = b + r->scc > a; D((u32)t); SCC(o))
R(addk, const i64 t = (i64)(i32)a + (int16_t)b; D((u32)t); SCC(t != (i32)t))
R(mulk, D((u32)((i64)(i32)a *(int16_t)b)))
R(mul, D((u32)(a *b)))
R(mul_hi_u, D(a *b >> 32))
R(mul_hi_i, D((u32)((i64)(i32)a *(i32)b >> 32))) R(mul64, D(a *b)) R(add64, D(a + b)) R(sub64, D(a - b))
    R(lshl1, const u64 t = a * 2 + b; D((u32)t); SCC(t >> 32))
        R(lshl2, const u64 t = a * 4 + b; D((u32)t); SCC(t >> 32)) R(lshl3, const u64 t = a * 8 + b;
                                                                     D((u32)t); SCC(t >> 32))
            R(lshl4, const u64 t = a * 16 + b; D((u32)t); SCC(t >> 32)) R(absdiff, u32 t = (u32)(a - b);
                                                                          if (t >> 31) t = -t; NZ32(t))
                R(abs, NZ32((i32)a < 0 ? -(u32)a : a)) R(min_i, SCC((i32)a < (i32)b); D(r->scc ? a : b))
                    R(min_u, SCC(a < b); D(r->scc ? a : b)) R(max_i, SCC((i32)a >= (i32)b); D(r->scc ? a : b))
                        R(max_u, SCC(a >= b); D(r->scc ? a : b))
#define LOGIC(name, expr) R(name##32, NZ32(expr)) R(name##64, NZ(expr))
                            LOGIC(and, a &b) LOGIC(or, a | b) LOGIC(xor, a ^ b) LOGIC(nand, ~(a &b))
                                LOGIC(nor, ~(a | b)) LOGIC(xnor, ~(a ^ b)) LOGIC(andn, a & ~b)
                                    LOGIC(orn, a | ~b) LOGIC(not, ~a) R(lshl32, NZ32(a << (b % 32)))
                                        R(lshr32, NZ32(a >> (b % 32))) R(ashr32, NZ32((i32)a >> (b % 32)))
                                            R(lshl64, NZ(a << (b % 64))) R(lshr64, NZ(a >> (b % 64)))
                                                R(ashr64, NZ((i64)a >> (b % 64))) static u64
    field(u64 v, unsigned width, bool is_signed) {
    u64 f = 0;
    for (unsigned i = 0; i < width && i < 64; i++) f |= v & 1ull << i;
    if (is_signed && width && width < 64 && f >> (width - 1) & 1) f |= ~0ull << width;
    return f;
}
R(bfe_u32, NZ32(field(a >> (b & 31), b >> 16 & 127, false)))
R(bfe_i32, NZ32(field((u64)((i64)(i32)a >> (b & 31)), b >> 16 & 127, true)))
R(bfe_u64, NZ(field(a >> (b & 63), b >> 16 & 127, false)))
R(bfe_i64, NZ(field((u64)((i64)a >> (b & 63)), b >> 16 & 127, true)))
R(bfm32, D((u32)(((1ull << (a % 32)) - 1) << (b % 32))))
R(bfm64, D(((1ull << (a % 64)) - 1) << (b % 64)))
R(bitset0_32, r->d &= ~(1ull << (a % 32)))
R(bitset1_32, r->d |= 1ull << (a % 32))
R(bitset0_64, r->d &= ~(1ull << (a % 64)))
R(bitset1_64, r->d |= 1ull << (a % 64))
R(bitcmp0_32, SCC(!(a >> (b % 32) & 1)))
R(bitcmp1_32, SCC(a >> (b % 32) & 1))
R(bitcmp0_64, SCC(!(a >> (b % 64) & 1)))
R(bitcmp1_64, SCC(a >> (b % 64) & 1))
static u32 find(u64 v, int bits, int step,
                bool wanted) { // the first bit of that value, from the low or the high end
    for (int i = 0; i < bits; i++)
        if ((v >> (step > 0 ? i : bits - 1 - i) & 1) == wanted) return (u32)i;
    return ~0u;
}
R(ctz32, D(find(a, 32, 1, 1)))
R(ctz64, D(find(a, 64, 1, 1)))
R(ff0_32, D(find(a, 32, 1, 0)))
R(ff0_64, D(find(a, 64, 1, 0)))
R(clz32, D(find(a, 32, -1, 1)))
R(clz64, D(find(a, 64, -1, 1)))
R(cls32, D(find(a, 32, -1, !(a >> 31))))
R(cls64, D(find(a, 64, -1, !(a >> 63)))) static u32 ones(u64 v, int bits) {
    u32 n = 0;
    for (int i = 0; i < bits; i++) n += v >> i & 1;
    return n;
}
R(bcnt0_32, NZ32(32 - ones(a, 32)))
R(bcnt0_64, NZ32(64 - ones(a, 64)))
R(bcnt1_32, NZ32(ones(a, 32)))
R(bcnt1_64, NZ32(ones(a, 64)))
R(brev32, u64 t = 0; for (int i = 0; i < 32; i++) t |= (a >> i & 1) << (31 - i); D(t))
R(brev64, u64 t = 0; for (int i = 0; i < 64; i++) t |= (a >> i & 1) << (63 - i); D(t))
R(quadmask, u64 t = 0; for (int i = 0; i < 16; i++) t |= (u64)((a >> (4 * i) & 15) != 0) << i; NZ(t))
R(wqm, u64 t = 0; for (int i = 0; i < 64; i++) t |= (u64)((a >> (i & 60) & 15) != 0) << i; NZ(t))
R(bitreplicate, u64 t = 0; for (int i = 0; i < 32; i++) t |= (a >> i & 1) * 3 << (2 * i); D(t))
R(sext8, D((u32)(int8_t)a))
R(sext16, D((u32)(int16_t)a))
R(pack_ll, D((a & 0xffff) | (b & 0xffff) << 16))
R(pack_lh, D((a & 0xffff) | (b >> 16) << 16)) R(pack_hh, D(a >> 16 | (b >> 16) << 16))
    R(pack_hl, D(a >> 16 | (b & 0xffff) << 16))
#define RELATION(name, op_)                                                                                  \
    R(name##_i, SCC((i32)a op_(i32) b))                                                                      \
    R(name##_u, SCC(a op_ b))                                                                                \
    R(name##_ki, SCC((i32)a op_(int16_t) b)) R(name##_ku, SCC((u32)a op_(uint16_t) b))
        RELATION(eq, ==) RELATION(lg, !=) RELATION(gt, >) RELATION(ge, >=) RELATION(lt, <) RELATION(le, <=)
            R(mov, D(a)) R(movk, D((u32)(int16_t)a)) R(cmov, if (r->scc) D(a))
                R(cmovk, if (r->scc) D((u32)(int16_t)a)) R(cselect, D(r->scc ? a : b))
// EXEC of 32 bits keeps its high half.
#define EXEC(name, expr)                                                                                     \
    R(name##_save64, const u64 exec = r->exec; r->exec = (expr); D(exec); SCC(r->exec))                      \
    R(name##_save32, const u64 exec = (u32)r->exec; const u32 next = (u32)(expr);                            \
      r->exec = (r->exec >> 32 << 32) | next; D(exec); SCC(next))                                            \
    R(name##_wr64, const u64 exec = r->exec; r->exec = (expr); D(r->exec); SCC(r->exec))                     \
    R(name##_wr32, const u64 exec = (u32)r->exec; const u32 next = (u32)(expr);                              \
      r->exec = (r->exec >> 32 << 32) | next; D(next); SCC(next))
#define UNUSED_WR(name)                                                                                      \
    __attribute__((unused)) static reference *const unused_##name[] = {ref_##name##_wr64, ref_##name##_wr32}
                    EXEC(and, a &exec) EXEC(or, a | exec) EXEC(xor, a ^ exec) EXEC(nand, ~(a &exec))
                        EXEC(nor, ~(a | exec)) EXEC(xnor, ~(a ^ exec)) EXEC(and_not0, ~a &exec)
                            EXEC(and_not1, a & ~exec) EXEC(or_not0, ~a | exec) EXEC(or_not1, a | ~exec)
                                UNUSED_WR(and);
UNUSED_WR(or);
UNUSED_WR(xor);
UNUSED_WR(nand);
UNUSED_WR(nor);
UNUSED_WR(xnor);
UNUSED_WR(or_not0);
UNUSED_WR(or_not1);

#define BOTH(name, fn)                                                                                       \
    {"s_" name "_b32", 1, 1, 1, ref_##fn##32}, { "s_" name "_b64", 2, 2, 2, ref_##fn##64 }
#define CMP(name)                                                                                            \
    {"s_cmp_" #name "_i32", 0, 1, 1, ref_##name##_i}, {"s_cmp_" #name "_u32", 0, 1, 1, ref_##name##_u},      \
        {"s_cmpk_" #name "_i32", 0, 1, IMM, ref_##name##_ki}, {                                              \
        "s_cmpk_" #name "_u32", 0, 1, IMM, ref_##name##_ku                                                   \
    }
#define SAVE(name)                                                                                           \
    {"s_" #name "_saveexec_b32", 1, 1, 0, ref_##name##_save32}, {                                            \
        "s_" #name "_saveexec_b64", 2, 2, 0, ref_##name##_save64                                             \
    }
#define WR(name)                                                                                             \
    {"s_" #name "_wrexec_b32", 1, 1, 0, ref_##name##_wr32}, {                                                \
        "s_" #name "_wrexec_b64", 2, 2, 0, ref_##name##_wr64                                                 \
    }
static const struct check checks[] = {
    {"s_add_co_u32", 1, 1, 1, ref_add_u32},
    {"s_sub_co_u32", 1, 1, 1, ref_sub_u32},
    {"s_add_co_i32", 1, 1, 1, ref_add_i32},
    {"s_sub_co_i32", 1, 1, 1, ref_sub_i32},
    {"s_add_co_ci_u32", 1, 1, 1, ref_addc},
    {"s_sub_co_ci_u32", 1, 1, 1, ref_subb},
    {"s_addk_co_i32", 1, 1, IMM, ref_addk},
    {"s_mulk_i32", 1, 1, IMM, ref_mulk},
    {"s_mul_i32", 1, 1, 1, ref_mul},
    {"s_mul_hi_u32", 1, 1, 1, ref_mul_hi_u},
    {"s_mul_hi_i32", 1, 1, 1, ref_mul_hi_i},
    {"s_mul_u64", 2, 2, 2, ref_mul64},
    {"s_add_nc_u64", 2, 2, 2, ref_add64},
    {"s_sub_nc_u64", 2, 2, 2, ref_sub64},
    {"s_lshl1_add_u32", 1, 1, 1, ref_lshl1},
    {"s_lshl2_add_u32", 1, 1, 1, ref_lshl2},
    {"s_lshl3_add_u32", 1, 1, 1, ref_lshl3},
    {"s_lshl4_add_u32", 1, 1, 1, ref_lshl4},
    {"s_absdiff_i32", 1, 1, 1, ref_absdiff},
    {"s_abs_i32", 1, 1, 0, ref_abs},
    {"s_min_i32", 1, 1, 1, ref_min_i},
    {"s_min_u32", 1, 1, 1, ref_min_u},
    {"s_max_i32", 1, 1, 1, ref_max_i},
    {"s_max_u32", 1, 1, 1, ref_max_u},
    BOTH("and", and),
    BOTH("or", or),
    BOTH("xor", xor),
    BOTH("nand", nand),
    BOTH("nor", nor),
    BOTH("xnor", xnor),
    BOTH("and_not1", andn),
    BOTH("or_not1", orn),
    {"s_not_b32", 1, 1, 0, ref_not32},
    {"s_not_b64", 2, 2, 0, ref_not64},
    {"s_lshl_b32", 1, 1, 1, ref_lshl32},
    {"s_lshr_b32", 1, 1, 1, ref_lshr32},
    {"s_ashr_i32", 1, 1, 1, ref_ashr32},
    {"s_lshl_b64", 2, 2, 1, ref_lshl64},
    {"s_lshr_b64", 2, 2, 1, ref_lshr64},
    {"s_ashr_i64", 2, 2, 1, ref_ashr64},
    {"s_bfe_u32", 1, 1, 1, ref_bfe_u32},
    {"s_bfe_i32", 1, 1, 1, ref_bfe_i32},
    {"s_bfe_u64", 2, 2, 1, ref_bfe_u64},
    {"s_bfe_i64", 2, 2, 1, ref_bfe_i64},
    {"s_bfm_b32", 1, 1, 1, ref_bfm32},
    {"s_bfm_b64", 2, 1, 1, ref_bfm64},
    {"s_bitset0_b32", 1, 1, 0, ref_bitset0_32},
    {"s_bitset1_b32", 1, 1, 0, ref_bitset1_32},
    {"s_bitset0_b64", 2, 1, 0, ref_bitset0_64},
    {"s_bitset1_b64", 2, 1, 0, ref_bitset1_64},
    {"s_bitcmp0_b32", 0, 1, 1, ref_bitcmp0_32},
    {"s_bitcmp1_b32", 0, 1, 1, ref_bitcmp1_32},
    {"s_bitcmp0_b64", 0, 2, 1, ref_bitcmp0_64},
    {"s_bitcmp1_b64", 0, 2, 1, ref_bitcmp1_64},
    {"s_ctz_i32_b32", 1, 1, 0, ref_ctz32},
    {"s_ctz_i32_b64", 1, 2, 0, ref_ctz64},
    {"s_ff0_i32_b32", 1, 1, 0, ref_ff0_32},
    {"s_ff0_i32_b64", 1, 2, 0, ref_ff0_64},
    {"s_clz_i32_u32", 1, 1, 0, ref_clz32},
    {"s_clz_i32_u64", 1, 2, 0, ref_clz64},
    {"s_cls_i32", 1, 1, 0, ref_cls32},
    {"s_cls_i32_i64", 1, 2, 0, ref_cls64},
    {"s_bcnt0_i32_b32", 1, 1, 0, ref_bcnt0_32},
    {"s_bcnt0_i32_b64", 1, 2, 0, ref_bcnt0_64},
    {"s_bcnt1_i32_b32", 1, 1, 0, ref_bcnt1_32},
    {"s_bcnt1_i32_b64", 1, 2, 0, ref_bcnt1_64},
    {"s_brev_b32", 1, 1, 0, ref_brev32},
    {"s_brev_b64", 2, 2, 0, ref_brev64},
    {"s_quadmask_b32", 1, 1, 0, ref_quadmask},
    {"s_quadmask_b64", 2, 2, 0, ref_quadmask},
    {"s_wqm_b32", 1, 1, 0, ref_wqm},
    {"s_wqm_b64", 2, 2, 0, ref_wqm},
    {"s_bitreplicate_b64_b32", 2, 1, 0, ref_bitreplicate},
    {"s_sext_i32_i8", 1, 1, 0, ref_sext8},
    {"s_sext_i32_i16", 1, 1, 0, ref_sext16},
    {"s_pack_ll_b32_b16", 1, 1, 1, ref_pack_ll},
    {"s_pack_lh_b32_b16", 1, 1, 1, ref_pack_lh},
    {"s_pack_hh_b32_b16", 1, 1, 1, ref_pack_hh},
    {"s_pack_hl_b32_b16", 1, 1, 1, ref_pack_hl},
    CMP(eq),
    CMP(lg),
    CMP(gt),
    CMP(ge),
    CMP(lt),
    CMP(le),
    {"s_cmp_eq_u64", 0, 2, 2, ref_eq_u},
    {"s_cmp_lg_u64", 0, 2, 2, ref_lg_u},
    {"s_mov_b32", 1, 1, 0, ref_mov},
    {"s_mov_b64", 2, 2, 0, ref_mov},
    {"s_movk_i32", 1, IMM, 0, ref_movk},
    {"s_cmov_b32", 1, 1, 0, ref_cmov},
    {"s_cmov_b64", 2, 2, 0, ref_cmov},
    {"s_cmovk_i32", 1, IMM, 0, ref_cmovk},
    {"s_cselect_b32", 1, 1, 1, ref_cselect},
    {"s_cselect_b64", 2, 2, 2, ref_cselect},
    SAVE(and),
    SAVE(or),
    SAVE(xor),
    SAVE(nand),
    SAVE(nor),
    SAVE(xnor),
    SAVE(and_not0),
    SAVE(and_not1),
    SAVE(or_not0),
    SAVE(or_not1),
    WR(and_not0),
    WR(and_not1),
};

static void against_reference(void **state) {
    (void)state;
    struct wave *w = bare_wave(64, 1);
    for (unsigned n = 0; n < level_count(); n++)
        for (unsigned k = 0; k < sizeof checks / sizeof *checks; k++) {
            const struct check *c = &checks[k];
            const struct body *body = body_named(&levels[n], c->sem);
            if (!body) fail_msg("%s: no row has it", c->sem);
            assert_int_equal(body->shape, SHAPE_SCALAR);
            for (unsigned round = 0; round < 400; round++) {
                // Equal operands are a case of their own (TRAP-051).
                u64 a = tricky64(), b = random64() % 5 ? tricky64() : a;
                if (random64() % 8 == 0) a = 0;
                const u64 d = tricky64();
                memcpy(&w->s[10], &a, 8), memcpy(&w->s[12], &b, 8), memcpy(&w->s[14], &d, 8);
                struct op op = {.d = sgpr_offset(14), .a = sgpr_offset(10), .b = sgpr_offset(12)};
                op.imm = random64() & 0xffff;
                if (c->a == IMM) op.a = OP_IMM, a = op.imm;
                if (c->b == IMM) op.b = OP_IMM, b = op.imm;
                w->exec = tricky64(), w->scc = random64() & 1;
                struct ref r = {c->a == 1 ? (u32)a : a, c->b == 1 ? (u32)b : b, d, w->exec, w->scc};
                c->fn(&r);
                const u64 want = c->d == 2 ? r.d : c->d == 1 ? (u32)r.d | (d >> 32 << 32) : d;
                run_op(w, op, body->fn[0]);
                u64 got;
                memcpy(&got, &w->s[14], 8);
                if (got != want || w->scc != r.scc || w->exec != r.exec)
                    fail_msg("%s %s(%llx, %llx): got %llx scc %u exec %llx, expected %llx scc %u exec %llx",
                             c->sem, levels[n].name, (unsigned long long)a, (unsigned long long)b,
                             (unsigned long long)got, w->scc, (unsigned long long)w->exec,
                             (unsigned long long)want, r.scc, (unsigned long long)r.exec);
            }
        }
    free(w);
}

// The source and the destination of a saveexec may be one register.
static void saveexec_in_place(void **state) {
    (void)state;
    struct wave *w = bare_wave(64, 1);
    w->vcc = 0xf0f0, w->exec = 0xff00;
    run_op(w, (struct op){.d = WAVE_OFFSET(vcc), .a = WAVE_OFFSET(vcc)},
           body_named(&levels[0], "s_and_saveexec_b64")->fn[0]);
    assert_int_equal(w->exec, 0xf000);
    assert_int_equal(w->vcc, 0xff00);
    assert_int_equal(w->scc, 1);
    free(w);
}

static void relative_moves(void **state) {
    (void)state;
    struct wave *w = bare_wave(64, 1);
    const struct level *level = &levels[level_count() - 1];
    for (unsigned i = 0; i < 108; i++) w->s[i] = 1000 + i;
    w->s[124] = 7;
    struct op op = {.d = sgpr_offset(20), .a = sgpr_offset(4), .e = sgpr_offset(124)};
    run_op(w, op, body_named(level, "s_movrels_b32")->fn[0]);
    assert_int_equal(w->s[20], 1011);
    run_op(w, op, body_named(level, "s_movreld_b32")->fn[0]);
    assert_int_equal(w->s[27], 1004);
    w->s[124] = 6; // counts registers, also for pairs (TRAP-059)
    run_op(w, op, body_named(level, "s_movrels_b64")->fn[0]);
    assert_int_equal(w->s[20], 1010);
    assert_int_equal(w->s[21], 1011);
    run_op(w, op, body_named(level, "s_movreld_b64")->fn[0]);
    assert_int_equal(w->s[26], 1004);
    assert_int_equal(w->s[27], 1005);
    w->s[124] = 3 << 16 | 5; // TRAP-060
    run_op(w, op, body_named(level, "s_movrelsd_2_b32")->fn[0]);
    assert_int_equal(w->s[23], 1009);
    // Far outside: SGPR0 or zero is read, nothing is written.
    static const u32 far[] = {104, 1u << 20, 0x7fffffff, 0xffffffff};
    for (unsigned i = 0; i < sizeof far / sizeof *far; i++) {
        w->s[124] = far[i];
        op.imm = 0;
        run_op(w, op, body_named(level, "s_movrels_b32")->fn[0]);
        assert_int_equal(w->s[20], 1000);
        op.imm = 1;
        run_op(w, op, body_named(level, "s_movrels_b32")->fn[0]);
        assert_int_equal(w->s[20], 0);
        struct wave before;
        memcpy(&before, w, sizeof before);
        run_op(w, op, body_named(level, "s_movreld_b32")->fn[0]);
        run_op(w, op, body_named(level, "s_movreld_b64")->fn[0]);
        assert_memory_equal(&before, w, sizeof before);
    }
    free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_reference),
        cmocka_unit_test(saveexec_in_place),
        cmocka_unit_test(relative_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
