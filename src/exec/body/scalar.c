// SPDX-License-Identifier: MIT
// Scalar integer ALU: arithmetic, logic, shifts, bit fields, bit counts, comparisons, EXEC masks, packing and
// relative moves. EXEC, VCC and M0 are ordinary scalar registers here; SCC is w->scc, 0 or 1.
// Which operations leave SCC alone is as much part of them as their result (TRAP-050 to TRAP-056).
// simm16 arrives zero-extended: signed users narrow it themselves.
#include "exec/body/body.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;

#define SCC(condition) w->scc = (condition) ? 1 : 0
// Results that set SCC when not zero; a and b are the sources.
#define NONZERO32(name, expr)                                                                                \
    SCALAR(name, const u32 a = S0; const u32 b = S1; const u32 d = (u32)(expr); DS32(d); SCC(d))
#define NONZERO64(name, expr)                                                                                \
    SCALAR(name, const u64 a = Q0; const u64 b = Q1; const u64 d = (u64)(expr); DS64(d); SCC(d))
#define NONZERO64_32(name, expr)                                                                             \
    SCALAR(name, const u64 a = Q0; const u32 b = S1; const u64 d = (u64)(expr); DS64(d); SCC(d))
#define UNARY32(name, expr) SCALAR(name, const u32 a = S0; DS32(expr))
#define UNARY64(name, expr) SCALAR(name, const u64 a = Q0; DS64(expr))

// ---- Addition, subtraction, multiplication ----
SCALAR(s_add_co_u32, const u32 a = S0; const u32 d = a + S1; DS32(d); SCC(d < a))
SCALAR(s_sub_co_u32, const u32 a = S0; const u32 b = S1; DS32(a - b); SCC(b > a))
SCALAR(s_add_co_i32, i32 d; const bool v = __builtin_add_overflow((i32)S0, (i32)S1, &d); DS32(d); SCC(v))
SCALAR(s_sub_co_i32, i32 d; const bool v = __builtin_sub_overflow((i32)S0, (i32)S1, &d); DS32(d); SCC(v))
SCALAR(s_add_co_ci_u32, const u64 d = (u64)S0 + S1 + w->scc; DS32(d); SCC(d >> 32))
SCALAR(s_sub_co_ci_u32, const u64 d = (u64)S0 - S1 - w->scc; DS32(d); SCC(d >> 63))
SCALAR(s_addk_co_i32, i32 d; const bool v = __builtin_add_overflow((i32)S0, (int16_t)S1, &d); DS32(d); SCC(v))
SCALAR(s_mulk_i32, DS32(S0 *(u32)(int16_t)S1))
SCALAR(s_mul_i32, DS32(S0 *S1))
SCALAR(s_mul_hi_u32, DS32((u64)S0 *S1 >> 32))
SCALAR(s_mul_hi_i32, DS32((i64)(i32)S0 *(i32)S1 >> 32))
SCALAR(s_mul_u64, DS64(Q0 *Q1))
SCALAR(s_add_nc_u64, DS64(Q0 + Q1))
SCALAR(s_sub_nc_u64, DS64(Q0 - Q1))
#define SHIFT_ADD(name, count)                                                                               \
    SCALAR(name, const u64 d = ((u64)S0 << (count)) + S1; DS32(d); SCC(d >> 32)) /* TRAP-055 */
SHIFT_ADD(s_lshl1_add_u32, 1)
SHIFT_ADD(s_lshl2_add_u32, 2)
SHIFT_ADD(s_lshl3_add_u32, 3)
SHIFT_ADD(s_lshl4_add_u32, 4)
// The difference wraps before its sign is looked at (TRAP-052).
NONZERO32(s_absdiff_i32, (i32)(a - b) < 0 ? b - a : a - b)
SCALAR(s_abs_i32, const u32 a = S0; const u32 d = (i32)a < 0 ? -a : a; DS32(d); SCC(d))
// Equal operands: SCC is 1 for max and 0 for min (TRAP-051).
#define PICK(name, type, op_)                                                                                \
    SCALAR(name, const u32 a = S0; const u32 b = S1; const bool first = (type)a op_(type) b;                 \
           DS32(first ? a : b); SCC(first))
PICK(s_min_i32, i32, <)
PICK(s_min_u32, u32, <)
PICK(s_max_i32, i32, >=)
PICK(s_max_u32, u32, >=)

// ---- Logic ----
NONZERO32(s_and_b32, a &b)
NONZERO64(s_and_b64, a &b)
NONZERO32(s_or_b32, a | b)
NONZERO64(s_or_b64, a | b)
NONZERO32(s_xor_b32, a ^ b)
NONZERO64(s_xor_b64, a ^ b)
NONZERO32(s_nand_b32, ~(a &b))
NONZERO64(s_nand_b64, ~(a &b))
NONZERO32(s_nor_b32, ~(a | b))
NONZERO64(s_nor_b64, ~(a | b))
NONZERO32(s_xnor_b32, ~(a ^ b))
NONZERO64(s_xnor_b64, ~(a ^ b))
NONZERO32(s_and_not1_b32, a & ~b)
NONZERO64(s_and_not1_b64, a & ~b)
NONZERO32(s_or_not1_b32, a | ~b)
NONZERO64(s_or_not1_b64, a | ~b)
SCALAR(s_not_b32, const u32 d = ~S0; DS32(d); SCC(d))
SCALAR(s_not_b64, const u64 d = ~Q0; DS64(d); SCC(d))

// ---- Shifts and bit fields ----
NONZERO32(s_lshl_b32, a << (b & 31))
NONZERO32(s_lshr_b32, a >> (b & 31))
NONZERO32(s_ashr_i32, (i32)a >> (b & 31))
NONZERO64_32(s_lshl_b64, a << (b & 63))
NONZERO64_32(s_lshr_b64, a >> (b & 63))
NONZERO64_32(s_ashr_i64, (i64)a >> (b & 63))
// The width has seven bits: at the operand's size and above nothing is cut off (TRAP-054).
INLINE u64 field_u(u64 v, u32 width) { return width >= 64 ? v : v & ((1ull << width) - 1); }
INLINE u64 field_i(i64 v, u32 width) {
    return width >= 64 ? (u64)v : width == 0 ? 0 : (u64)((i64)((u64)v << (64 - width)) >> (64 - width));
}
#define WIDTH (b >> 16 & 127)
NONZERO32(s_bfe_u32, field_u(a >> (b & 31), WIDTH))
NONZERO32(s_bfe_i32, field_i((i32)a >> (b & 31), WIDTH))
NONZERO64_32(s_bfe_u64, field_u(a >> (b & 63), WIDTH))
NONZERO64_32(s_bfe_i64, field_i((i64)a >> (b & 63), WIDTH))
SCALAR(s_bfm_b32, DS32(((1u << (S0 & 31)) - 1) << (S1 & 31)))
SCALAR(s_bfm_b64, DS64(((1ull << (S0 & 63)) - 1) << (S1 & 63)))
SCALAR(s_bitset0_b32, put32(w, op->d, get32(w, op, op->d) & ~(1u << (S0 & 31))))
SCALAR(s_bitset1_b32, put32(w, op->d, get32(w, op, op->d) | 1u << (S0 & 31)))
SCALAR(s_bitset0_b64, put64(w, op->d, get64(w, op, op->d) & ~(1ull << (S0 & 63))))
SCALAR(s_bitset1_b64, put64(w, op->d, get64(w, op, op->d) | 1ull << (S0 & 63)))
SCALAR(s_bitcmp0_b32, SCC(!(S0 >> (S1 & 31) & 1)))
SCALAR(s_bitcmp1_b32, SCC(S0 >> (S1 & 31) & 1))
SCALAR(s_bitcmp0_b64, SCC(!(Q0 >> (S1 & 63) & 1)))
SCALAR(s_bitcmp1_b64, SCC(Q0 >> (S1 & 63) & 1))

// ---- Bit counts and rearrangement ----
// Searches return -1 when nothing is found and never write SCC (TRAP-057).
INLINE u32 trailing(u64 v) { return v ? (u32)__builtin_ctzll(v) : ~0u; }
INLINE u32 leading32(u32 v) { return v ? (u32)__builtin_clz(v) : ~0u; }
INLINE u32 leading64(u64 v) { return v ? (u32)__builtin_clzll(v) : ~0u; }
UNARY32(s_ctz_i32_b32, trailing(a))
UNARY32(s_ff0_i32_b32, trailing((u32)~a))
UNARY32(s_clz_i32_u32, leading32(a))
UNARY32(s_cls_i32, leading32(a ^ (u32)((i32)a >> 31)))
SCALAR(s_ctz_i32_b64, DS32(trailing(Q0)))
SCALAR(s_ff0_i32_b64, DS32(trailing(~Q0)))
SCALAR(s_clz_i32_u64, DS32(leading64(Q0)))
SCALAR(s_cls_i32_i64, const u64 a = Q0; DS32(leading64(a ^ (u64)((i64)a >> 63))))
#define COUNT(name, expr) SCALAR(name, const u32 d = (u32)__builtin_popcountll(expr); DS32(d); SCC(d))
COUNT(s_bcnt0_i32_b32, (u32)~S0)
COUNT(s_bcnt0_i32_b64, ~Q0)
COUNT(s_bcnt1_i32_b32, S0)
COUNT(s_bcnt1_i32_b64, Q0)

INLINE u64 reverse64(u64 v) {
    v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
    v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(v);
}
UNARY32(s_brev_b32, reverse64(a) >> 32)
UNARY64(s_brev_b64, reverse64(a))
// Bit 0 of each group of four: whether any bit of the group is set.
INLINE u64 quads(u64 v) { return (v | v >> 1 | v >> 2 | v >> 3) & 0x1111111111111111; }
INLINE u64 gather_quads(u64 v) {
    v = quads(v);
    v = (v | v >> 3) & 0x0303030303030303;
    v = (v | v >> 6) & 0x000f000f000f000f;
    v = (v | v >> 12) & 0x000000ff000000ff;
    return (v | v >> 24) & 0xffff;
}
SCALAR(s_quadmask_b32, const u32 d = (u32)gather_quads(S0); DS32(d); SCC(d))
SCALAR(s_quadmask_b64, const u64 d = gather_quads(Q0); DS64(d); SCC(d))
SCALAR(s_wqm_b32, const u32 d = (u32)quads(S0) * 15; DS32(d); SCC(d))
SCALAR(s_wqm_b64, const u64 d = quads(Q0) * 15; DS64(d); SCC(d))
INLINE u64 double_bits(u32 v) {
    u64 d = v;
    d = (d | d << 16) & 0x0000ffff0000ffff;
    d = (d | d << 8) & 0x00ff00ff00ff00ff;
    d = (d | d << 4) & 0x0f0f0f0f0f0f0f0f;
    d = (d | d << 2) & 0x3333333333333333;
    d = (d | d << 1) & 0x5555555555555555;
    return d | d << 1;
}
SCALAR(s_bitreplicate_b64_b32, DS64(double_bits(S0)))
UNARY32(s_sext_i32_i8, (i32)(int8_t)a)
UNARY32(s_sext_i32_i16, (i32)(int16_t)a)
SCALAR(s_pack_ll_b32_b16, DS32((S0 & 0xffff) | S1 << 16))
SCALAR(s_pack_lh_b32_b16, DS32((S0 & 0xffff) | (S1 & 0xffff0000)))
SCALAR(s_pack_hh_b32_b16, DS32(S0 >> 16 | (S1 & 0xffff0000)))
SCALAR(s_pack_hl_b32_b16, DS32(S0 >> 16 | S1 << 16))

// ---- Comparisons ----
#define COMPARE_SCC(name, type, op_) SCALAR(name, SCC((type)S0 op_(type) S1))
COMPARE_SCC(s_cmp_eq_i32, i32, ==)
COMPARE_SCC(s_cmp_lg_i32, i32, !=)
COMPARE_SCC(s_cmp_gt_i32, i32, >)
COMPARE_SCC(s_cmp_ge_i32, i32, >=)
COMPARE_SCC(s_cmp_lt_i32, i32, <)
COMPARE_SCC(s_cmp_le_i32, i32, <=)
COMPARE_SCC(s_cmp_eq_u32, u32, ==)
COMPARE_SCC(s_cmp_lg_u32, u32, !=)
COMPARE_SCC(s_cmp_gt_u32, u32, >)
COMPARE_SCC(s_cmp_ge_u32, u32, >=)
COMPARE_SCC(s_cmp_lt_u32, u32, <)
COMPARE_SCC(s_cmp_le_u32, u32, <=)
SCALAR(s_cmp_eq_u64, SCC(Q0 == Q1))
SCALAR(s_cmp_lg_u64, SCC(Q0 != Q1))
#define COMPARE_K(name, type, narrow, op_) SCALAR(name, SCC((type)S0 op_(type)(narrow) S1))
COMPARE_K(s_cmpk_eq_i32, i32, int16_t, ==)
COMPARE_K(s_cmpk_lg_i32, i32, int16_t, !=)
COMPARE_K(s_cmpk_gt_i32, i32, int16_t, >)
COMPARE_K(s_cmpk_ge_i32, i32, int16_t, >=)
COMPARE_K(s_cmpk_lt_i32, i32, int16_t, <)
COMPARE_K(s_cmpk_le_i32, i32, int16_t, <=)
COMPARE_K(s_cmpk_eq_u32, u32, uint16_t, ==)
COMPARE_K(s_cmpk_lg_u32, u32, uint16_t, !=)
COMPARE_K(s_cmpk_gt_u32, u32, uint16_t, >)
COMPARE_K(s_cmpk_ge_u32, u32, uint16_t, >=)
COMPARE_K(s_cmpk_lt_u32, u32, uint16_t, <)
COMPARE_K(s_cmpk_le_u32, u32, uint16_t, <=)

// ---- Moves ----
SCALAR(s_mov_b32, DS32(S0))
SCALAR(s_mov_b64, DS64(Q0))
SCALAR(s_movk_i32, DS32((i32)(int16_t)S0))
SCALAR(s_cmov_b32, if (w->scc) DS32(S0))
SCALAR(s_cmov_b64, if (w->scc) DS64(Q0))
SCALAR(s_cmovk_i32, if (w->scc) DS32((i32)(int16_t)S0))
// Both are read, so that compiled code knows the places.
SCALAR(s_cselect_b32, const u32 a = S0; const u32 b = S1; DS32(w->scc ? a : b))
SCALAR(s_cselect_b64, const u64 a = Q0; const u64 b = Q1; DS64(w->scc ? a : b))

// ---- EXEC with its old value saved, or its new value also written ----
// exec is the old value, a the source. The destination is written last: the source may be the same register.
#define EXEC32 get32(w, op, WAVE_OFFSET(exec))
#define SAVEEXEC32(name, expr)                                                                               \
    SCALAR(name, const u32 a = S0; const u32 exec = EXEC32; const u32 next = (expr); widen_exec(w, next);    \
           DS32(exec); SCC(next))
#define SAVEEXEC64(name, expr)                                                                               \
    SCALAR(name, const u64 a = Q0; const u64 exec = w->exec; const u64 next = (expr); w->exec = next;        \
           DS64(exec); SCC(next))
#define WREXEC32(name, expr)                                                                                 \
    SCALAR(name, const u32 a = S0; const u32 exec = EXEC32; const u32 next = (expr); widen_exec(w, next);    \
           DS32(next); SCC(next))
#define WREXEC64(name, expr)                                                                                 \
    SCALAR(name, const u64 a = Q0; const u64 exec = w->exec; const u64 next = (expr); w->exec = next;        \
           DS64(next); SCC(next))
SAVEEXEC32(s_and_saveexec_b32, a &exec)
SAVEEXEC64(s_and_saveexec_b64, a &exec)
SAVEEXEC32(s_or_saveexec_b32, a | exec)
SAVEEXEC64(s_or_saveexec_b64, a | exec)
SAVEEXEC32(s_xor_saveexec_b32, a ^ exec)
SAVEEXEC64(s_xor_saveexec_b64, a ^ exec)
SAVEEXEC32(s_nand_saveexec_b32, ~(a &exec))
SAVEEXEC64(s_nand_saveexec_b64, ~(a &exec))
SAVEEXEC32(s_nor_saveexec_b32, ~(a | exec))
SAVEEXEC64(s_nor_saveexec_b64, ~(a | exec))
SAVEEXEC32(s_xnor_saveexec_b32, ~(a ^ exec))
SAVEEXEC64(s_xnor_saveexec_b64, ~(a ^ exec))
SAVEEXEC32(s_and_not0_saveexec_b32, ~a &exec)
SAVEEXEC64(s_and_not0_saveexec_b64, ~a &exec)
SAVEEXEC32(s_and_not1_saveexec_b32, a & ~exec)
SAVEEXEC64(s_and_not1_saveexec_b64, a & ~exec)
SAVEEXEC32(s_or_not0_saveexec_b32, ~a | exec)
SAVEEXEC64(s_or_not0_saveexec_b64, ~a | exec)
SAVEEXEC32(s_or_not1_saveexec_b32, a | ~exec)
SAVEEXEC64(s_or_not1_saveexec_b64, a | ~exec)
WREXEC32(s_and_not0_wrexec_b32, ~a &exec)
WREXEC64(s_and_not0_wrexec_b64, ~a &exec)
WREXEC32(s_and_not1_wrexec_b32, a & ~exec)
WREXEC64(s_and_not1_wrexec_b64, a & ~exec)

// ---- Moves relative to M0 (TRAP-059, TRAP-060) ----
// op->e is the offset of M0. SGPRs and VCC can be reached; elsewhere a source reads SGPR0, or zero where
// op->imm says so (TRAP-393), and a write is dropped.
enum { RELATIVE_END = 108 };
INLINE u64 relative(uint32_t offset, u32 by) { return (u64)((offset - WAVE_OFFSET(s)) / 4) + by; }
INLINE u32 read_relative(struct wave *w, const struct op *op, u64 n, unsigned half) {
    return n + half < RELATIVE_END ? w->s[n + half] : op->imm ? 0 : w->s[half];
}
#define M0 get32(w, op, op->e)
SCALAR(s_movrels_b32, DS32(read_relative(w, op, relative(op->a, M0), 0)))
SCALAR(s_movrels_b64, const u64 n = relative(op->a, M0);
       DS64(read_relative(w, op, n, 0) | (u64)read_relative(w, op, n, 1) << 32))
SCALAR(s_movreld_b32, const u64 n = relative(op->d, M0); if (n < RELATIVE_END) w->s[n] = S0)
SCALAR(s_movreld_b64, const u64 n = relative(op->d, M0);
       if (n + 1 < RELATIVE_END) put64(w, sgpr_offset((unsigned)n), Q0))
SCALAR(s_movrelsd_2_b32, const u64 n = relative(op->d, M0 >> 16 & 0x3ff);
       const u32 a = read_relative(w, op, relative(op->a, M0 & 0x3ff), 0); if (n < RELATIVE_END) w->s[n] = a)
