// SPDX-License-Identifier: MIT
// Rows that the interpreter of pseudo-code does not run, for they name halves of registers, accumulation
// registers, halves of a VOPD or literals of 64 bits, or the text leaves roundings open:
// V_MOV_B16, V_SWAP_B16 (RDNA3 16.8, opcodes 28 and 102: D0.b16 = S0.b16; 7.4: halves by number),
// V_ACCVGPR_* (CDNA1, chapter 7: moves between the two files), V_SCREEN_PARTITION_4SE_B32 (Vega 12.8,
// opcode 55: a table), V_DUAL_DOT2ACC_* (RDNA4 16.11, opcodes 12 and 13), V_DUAL_BITOP2_B32
// (LLVM's getBitOp2: AND, OR and XOR are 0x40, 0x54 and 0x14 of V_BITOP3_B32), V_FMAMK_F64, V_FMAAK_F64
// (CDNA5 15.7: as those of F32), BF16 (CDNA5 15.8, opcodes 121 to 127).
#ifndef TESTS_PSEUDOCODE_MOVE_PAIRS_H
#define TESTS_PSEUDOCODE_MOVE_PAIRS_H

#include <math.h>

#include "device/image_rig.h"
#include "row_runner.h"

enum { MV_SRC = 10, MV_SRC1 = 13, MV_DST = 20, MV_SGPR = 12, MV_OTHER = 33 };
static void expect_lane(struct row_rig *r, const struct row_trial *t, unsigned reg, unsigned lane,
                        uint32_t want) {
    if (row_executes(r, lane) && r->after.v[reg][lane] != want)
        row_fail(r, t, "the result", lane, want, r->after.v[reg][lane]);
}

// ---- Halves ----

// In short forms bit 7 of a register's number says which half; in long ones op_sel does, of the source bit 0
// and of the result bit 3.
static bool make_half(struct row_rig *r, struct row_trial *t) {
    int32_t *f = t->in.f;
    const bool swap = !strcmp(row_id(t->row), "v_swap_b16"), in_sgpr = !swap && t->number % 4 == 3;
    (void)r;
    t->a = row_random() & 1, t->b = row_random() & 1; // upper halves of the source and the result
    f[F_src0] = in_sgpr ? MV_SGPR : SRC_VGPR0 + MV_SRC, f[F_vdst] = SRC_VGPR0 + MV_DST;
    if (insn_has(&t->in, F_op_sel))
        f[F_op_sel] = (int)(t->a | t->b << 3);
    else {
        f[F_vdst] |= (int)t->b << 7;
        t->a &= !in_sgpr;
        if (!in_sgpr) f[F_src0] |= (int)t->a << 7;
    }
    if (!swap && t->number == 6) f[F_src0] = 128 + 37, t->a = 0; // 37
    if (insn_has(&t->in, F_op_sel) && t->number == 6) f[F_op_sel] = (int)t->b << 3;
    return true;
}
static void set_nothing_more(struct row_rig *r, const struct row_trial *t) { (void)r, (void)t; }
static uint32_t with_half(uint32_t v, unsigned upper, uint32_t half) {
    return upper ? (v & 0xffff) | half << 16 : (v & 0xffff0000) | (half & 0xffff);
}
static void check_half(struct row_rig *r, const struct row_trial *t) {
    const bool swap = !strcmp(row_id(t->row), "v_swap_b16");
    const unsigned code = (unsigned)t->in.f[F_src0];
    static struct row_state want;
    want = r->before;
    for (unsigned l = 0; l < r->lanes; l++) {
        const uint32_t source = code >= SRC_VGPR0 ? r->before.v[MV_SRC][l]
                                : code == MV_SGPR ? r->before.s[MV_SGPR]
                                                  : 37;
        if (!row_executes(r, l)) continue;
        want.v[MV_DST][l] = with_half(want.v[MV_DST][l], t->b, source >> 16 * t->a & 0xffff);
        if (swap)
            want.v[MV_SRC][l] =
                with_half(want.v[MV_SRC][l], t->a, r->before.v[MV_DST][l] >> 16 * t->b & 0xffff);
    }
    for (unsigned n = 0; n < ROW_VGPRS; n++)
        for (unsigned l = 0; l < r->lanes; l++)
            if (want.v[n][l] != r->after.v[n][l])
                row_fail(r, t, "a register", l, want.v[n][l], r->after.v[n][l]);
    memcpy(r->before.v, want.v, sizeof want.v);
    row_others_stay(r, t, 0, 0);
}

// ---- Accumulation registers ----

enum { ACCS = 64 };
static uint32_t accs_before[ACCS][64];
static bool make_acc(struct row_rig *r, struct row_trial *t) {
    (void)r;
    t->a = row_random() % 40, t->b = row_random() % 40;
    t->in.f[F_src0] = SRC_VGPR0 + (int)t->a, t->in.f[F_vdst] = SRC_VGPR0 + (int)t->b;
    if (!strcmp(row_id(t->row), "v_accvgpr_write_b32") && t->number == 3)
        t->in.f[F_src0] = 193 + (int)(t->a = row_random() % 16); // -1 and below
    return true;
}
static void set_acc(struct row_rig *r, const struct row_trial *t) {
    (void)t;
    for (unsigned n = 0; n < ACCS; n++)
        for (unsigned l = 0; l < r->lanes; l++)
            sw_step_register(r->step, 512 + n)[l] = accs_before[n][l] = row_random();
}
static void check_acc(struct row_rig *r, const struct row_trial *t) {
    const bool reads = strstr(row_id(t->row), "_read_"), writes = strstr(row_id(t->row), "_write_"),
               constant = t->in.f[F_src0] < SRC_VGPR0;
    row_others_stay(r, t, t->b, reads);
    for (unsigned l = 0; l < r->lanes; l++) {
        const uint32_t from = constant ? (uint32_t)(-1 - (int)t->a)
                              : writes ? r->before.v[t->a][l]
                                       : accs_before[t->a][l];
        if (row_executes(r, l) && !reads) accs_before[t->b][l] = from;
        if (reads) expect_lane(r, t, t->b, l, from);
        for (unsigned n = 0; n < ACCS; n++)
            if (sw_step_register(r->step, 512 + n)[l] != accs_before[n][l])
                row_fail(r, t, "an accumulation register", l, accs_before[n][l],
                         sw_step_register(r->step, 512 + n)[l]);
    }
}

// ---- The screen ----

// Four bits for each number.
static const char screen_engines_of[] = "137f5fff7ffffffff26efafffbffffffdf4cff5fffdfffff9bf8fffafffeffff"
                                        "ffff4cdf6fffeffffffff89bf99ffdffffff7f13ff9fffbfffff6ef26ff6fff7"
                                        "bfffffff23bfaffff7fffffff19df5ffffefffffef8cffaffffdffff67f4fff5"
                                        "9fffdfffffff8ceff66ffefffffff467ff6fff7fffffbf239ff9fffbffff9df1";
static bool make_screen(struct row_rig *r, struct row_trial *t) {
    (void)r;
    t->in.f[F_src0] = SRC_VGPR0 + MV_SRC, t->in.f[F_vdst] = SRC_VGPR0 + MV_DST;
    return true;
}
static void set_screen(struct row_rig *r, const struct row_trial *t) {
    for (unsigned l = 0; l < r->lanes; l++) // every number in some trial
        r->before.v[MV_SRC][l] = (r->before.v[MV_SRC][l] & ~0xffu) | ((t->number * r->lanes + l) & 0xff);
}
static void check_screen(struct row_rig *r, const struct row_trial *t) {
    row_others_stay(r, t, MV_DST, 1);
    for (unsigned l = 0; l < r->lanes; l++) {
        const char digit[2] = {screen_engines_of[r->before.v[MV_SRC][l] & 0xff]};
        expect_lane(r, t, MV_DST, l, (uint32_t)strtoul(digit, NULL, 16));
    }
}

// ---- Halves of a VOPD ----

// The row beside a move of another register: first, or second.
static unsigned dual_opcode(const struct isa *isa, bool three, bool second, const char *id) {
    for (unsigned op = 0; op < 64; op++) {
        const struct entry *e = &isa->vopd[three][second][op];
        if (e->row && !strcmp(row_id(&isa_rows[e->row - 1]), id)) return op;
    }
    fail_msg("no half %s", id);
    return 0;
}
static const struct row *row_by_id(const char *id) {
    for (unsigned row = 0; row < isa_row_count; row++)
        if (!strcmp(row_id(&isa_rows[row]), id)) return &isa_rows[row];
    return NULL;
}
static bool is_half_format(unsigned f) {
    return f == FMT_VOPDX || f == FMT_VOPDY || f == FMT_VOPD3X || f == FMT_VOPD3Y;
}
static bool make_dual(struct row_rig *r, struct row_trial *t) {
    const bool second = t->format == FMT_VOPDY || t->format == FMT_VOPD3Y,
               three = t->format == FMT_VOPD3X || t->format == FMT_VOPD3Y;
    const unsigned op = dual_opcode(r->isa, three, second, row_id(t->row)),
                   move = dual_opcode(r->isa, three, !second, "v_mov_b32");
    int32_t *f = t->in.f;
    t->in.format = r->isa->formats[three ? FMT_VOPD3 : FMT_VOPD];
    t->in.row = second ? row_by_id("v_mov_b32") : t->row;
    t->in.row_y = second ? t->row : row_by_id("v_mov_b32");
    f[F_opx] = (int)(second ? move : op), t->op = second ? op : move;
    const int sgpr = t->number % 3 == 2; // a constant or a register that all lanes share
    f[second ? F_src0y : F_src0x] = sgpr ? MV_SGPR : SRC_VGPR0 + MV_SRC;
    f[second ? F_src1y : F_src1x] = SRC_VGPR0 + MV_SRC1;
    f[second ? F_vdsty : F_vdstx] = SRC_VGPR0 + MV_DST + second;
    f[second ? F_src0x : F_src0y] = SRC_VGPR0 + MV_OTHER;
    f[second ? F_src1x : F_src1y] = SRC_VGPR0;
    f[second ? F_vdstx : F_vdsty] = SRC_VGPR0 + MV_DST + !second;
    if (t->row->flags & ROW_BITOP3) f[second ? F_src2y : F_src2x] = (int)(t->b = row_random() & 255);
    return true;
}
// Halves of any size and both signs; denormals, infinities and NaNs now and then.
static uint32_t random_halves(bool bf16) {
    uint32_t v = row_random();
    for (unsigned i = 0; i < 2 && row_random() % 4; i++) {
        const uint32_t near =
            bf16 ? 0x3f80 + row_random() % 0x400 - 0x200 : 0x3c00 + row_random() % 0x1000 - 0x800;
        v = (v & ~(0x7fffu << 16 * i)) | near << 16 * i;
    }
    return v;
}
static void set_dual(struct row_rig *r, const struct row_trial *t) {
    const bool second = t->format == FMT_VOPDY || t->format == FMT_VOPD3Y,
               bf16 = strstr(row_id(t->row), "bf16");
    if (t->row->flags & ROW_BITOP3) return;
    r->before.s[MV_SGPR] = random_halves(bf16);
    for (unsigned l = 0; l < r->lanes; l++) {
        r->before.v[MV_SRC][l] = random_halves(bf16), r->before.v[MV_SRC1][l] = random_halves(bf16);
        if (row_random() % 4)
            r->before.v[MV_DST + second][l] = (row_random() & 0x807fffff) | (100 + row_random() % 50) << 23;
    }
}
static float flushed_float(float x) { return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x; }
// A half of a register as a number; denormals are zero (TRAP-143).
static float half_number(uint32_t v, unsigned upper, bool bf16) {
    const uint32_t h = v >> 16 * upper & 0xffff;
    if (bf16) return flushed_float(float_of(h << 16));
    const float sign = h >> 15 ? -1.0f : 1.0f;
    if ((h >> 10 & 31) == 31) return h & 0x3ff ? NAN : sign * INFINITY;
    return h >> 10 & 31 ? sign * ldexpf((float)(h & 0x3ff) + 1024, (int)(h >> 10 & 31) - 25)
                        : copysignf(0, sign);
}
// The sum first, then product by product; to nearest, and denormals are zero.
static float dot2acc(uint32_t a, uint32_t b, uint32_t sum, bool bf16) {
    float x = flushed_float(float_of(sum));
    for (unsigned i = 0; i < 2; i++) {
        const float product = flushed_float(half_number(a, i, bf16) * half_number(b, i, bf16));
        x = flushed_float(x + product);
    }
    return x;
}
static void check_dual(struct row_rig *r, const struct row_trial *t) {
    const bool second = t->format == FMT_VOPDY || t->format == FMT_VOPD3Y,
               bf16 = strstr(row_id(t->row), "bf16"), sgpr = t->in.f[second ? F_src0y : F_src0x] == MV_SGPR;
    const unsigned to = MV_DST + second;
    row_others_stay(r, t, MV_DST, 2);
    for (unsigned l = 0; l < r->lanes; l++) {
        const uint32_t a = sgpr ? r->before.s[MV_SGPR] : r->before.v[MV_SRC][l], b = r->before.v[MV_SRC1][l],
                       got = r->after.v[to][l];
        expect_lane(r, t, MV_DST + !second, l, r->before.v[MV_OTHER][l]);
        if (t->row->flags & ROW_BITOP3) {
            uint32_t want = 0; // from entry {a, b, 0} of the table, as of V_BITOP3_B32
            for (unsigned bit = 0; bit < 32; bit++) {
                const unsigned entry = (a >> bit & 1) << 2 | (b >> bit & 1) << 1;
                want |= (t->b >> entry & 1u) << bit;
            }
            expect_lane(r, t, to, l, want);
            continue;
        }
        const float want = dot2acc(a, b, r->before.v[to][l], bf16);
        if (row_executes(r, l) && !(isnan(want) && isnan(float_of(got))))
            expect_lane(r, t, to, l, bits_of(want));
    }
}

// ---- Literals of 64 bits ----

static bool make_literal(struct row_rig *r, struct row_trial *t) {
    (void)r;
    t->in.f[F_src0] = SRC_VGPR0 + MV_SRC, t->in.f[F_src1] = SRC_VGPR0 + MV_SRC1 + 1;
    t->in.f[F_vdst] = SRC_VGPR0 + MV_DST;
    t->in.has_literal = t->in.wide_literal = true, t->in.suffix = SUFFIX_LITERAL;
    t->in.f[F_literal] = (int)row_random();
    t->in.f[F_literal_hi] = (int)((row_random() & 0x800fffff) | (1000 + row_random() % 50) << 20);
    return true;
}
static void set_literal(struct row_rig *r, const struct row_trial *t) {
    for (unsigned l = 0; l < r->lanes; l++)
        for (unsigned reg = MV_SRC + 1; reg <= MV_SRC1 + 2; reg += 4)
            if (t->number && row_random() % 8)
                r->before.v[reg][l] = (row_random() & 0x800fffff) | (1000 + row_random() % 50) << 20;
}
static double lane_double(const struct row_state *s, unsigned reg, unsigned lane) {
    const uint64_t bits = s->v[reg][lane] | (uint64_t)s->v[reg + 1][lane] << 32;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static void check_literal(struct row_rig *r, const struct row_trial *t) {
    static const int rounds[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const bool middle = t->row->src[1].field == F_literal;
    const uint32_t mode = ((const struct wave *)r->step->state)->mode;
    const uint64_t bits = (uint32_t)t->in.f[F_literal] | (uint64_t)(uint32_t)t->in.f[F_literal_hi] << 32;
    double k;
    memcpy(&k, &bits, sizeof k);
    row_others_stay(r, t, MV_DST, 2);
    for (unsigned l = 0; l < r->lanes; l++) {
        double a = lane_double(&r->before, MV_SRC, l), b = lane_double(&r->before, MV_SRC1 + 1, l);
        if (!(mode >> 6 & 1) && fpclassify(a) == FP_SUBNORMAL) a = copysign(0, a);
        if (!(mode >> 6 & 1) && fpclassify(b) == FP_SUBNORMAL) b = copysign(0, b);
        volatile double x = a, y = middle ? k : b, z = middle ? b : k;
        fesetround(rounds[mode >> 2 & 3]);
        double want = fma(x, y, z);
        fesetround(FE_TONEAREST);
        if (!(mode >> 7 & 1) && fpclassify(want) == FP_SUBNORMAL) want = copysign(0, want);
        const double got = lane_double(&r->after, MV_DST, l);
        if (!row_executes(r, l) || (isnan(want) && isnan(got))) continue;
        if (memcmp(&want, &got, sizeof want) != 0) {
            uint64_t w, g;
            memcpy(&w, &want, 8), memcpy(&g, &got, 8);
            row_fail(r, t, "the result", l, w, g);
        }
    }
}

// ---- BF16 ----

// Correctly rounded, which is what the fidelity table promises (an error below half a unit). Denormals are
// zero (ERR-39).
static bool make_bf16(struct row_rig *r, struct row_trial *t) {
    const bool is_long = insn_has(&t->in, F_op_sel);
    (void)r;
    t->a = row_random() & 1, t->b = row_random() & 1;
    t->in.f[F_src0] = SRC_VGPR0 + MV_SRC, t->in.f[F_vdst] = SRC_VGPR0 + MV_DST;
    if (is_long) {
        t->in.f[F_op_sel] = (int)(t->a | t->b << 3);
        t->in.f[F_neg] = (int)(row_random() & 1), t->in.f[F_abs] = (int)(row_random() & 1);
    } else
        t->in.f[F_src0] |= (int)t->a << 7, t->in.f[F_vdst] |= (int)t->b << 7;
    return true;
}
static void set_bf16(struct row_rig *r, const struct row_trial *t) {
    static const uint16_t edges[] = {0,      0x8000, 1,      0x7f,   0x80,   0x3f80, 0xbf80,
                                     0x7f80, 0xff80, 0x7f81, 0x7fc1, 0x7f7f, 0xff7f, 0x3e80,
                                     0x3f00, 0x4000, 0x4380, 0x3fff, 0x8001, 0x807f};
    for (unsigned l = 0; l < r->lanes; l++) {
        uint32_t v = row_random();
        if (l < sizeof edges / sizeof *edges) v = edges[l] * 0x10001u;
        // Where functions have all their values.
        else if (row_random() & 1)
            v = (v & 0x807f807f) | (0x3c00u + (row_random() % 10 << 7)) * 0x10001u;
        r->before.v[MV_SRC][l] = v;
    }
    (void)t;
}
static double bf16_function(const char *id, double x) {
    const double turn = 2 * 3.14159265358979323846;
    if (!strcmp(id, "v_rcp_bf16")) return 1 / x;
    if (!strcmp(id, "v_sqrt_bf16")) return sqrt(x);
    if (!strcmp(id, "v_rsq_bf16")) return 1 / sqrt(x);
    if (!strcmp(id, "v_log_bf16")) return log2(x);
    if (isinf(x)) return NAN;
    const double part = x - rint(x), quarters = part * 4; // exact
    if (quarters == rint(quarters)) {
        const int n = (int)rint(quarters) & 3;
        if (!strcmp(id, "v_sin_bf16")) return n & 1 ? 2 - n : copysign(0, x);
        return n & 1 ? 0 : 1 - n;
    }
    return !strcmp(id, "v_sin_bf16") ? sin(part * turn) : cos(part * turn);
}
// To nearest even; denormals are kept.
static uint32_t bf16_of(double x) {
    const uint32_t sign = signbit(x) ? 0x8000 : 0;
    int exponent;
    if (isinf(x)) return sign | 0x7f80;
    if (x == 0) return sign;
    frexp(x, &exponent);
    if (exponent < -125) exponent = -125; // of denormals
    const double units = rint(ldexp(fabs(x), 8 - exponent)), all = ldexp(units, exponent - 8);
    if (all >= ldexp(1, 128)) return sign | 0x7f80;
    return sign | bits_of((float)all) >> 16;
}
static void check_bf16(struct row_rig *r, const struct row_trial *t) {
    row_others_stay(r, t, MV_DST, 1);
    for (unsigned l = 0; l < r->lanes; l++) {
        const uint32_t old = r->before.v[MV_DST][l], got = r->after.v[MV_DST][l];
        uint32_t h = r->before.v[MV_SRC][l] >> 16 * t->a & 0xffff;
        const uint32_t half = got >> 16 * t->b & 0xffff;
        if (!row_executes(r, l)) continue;
        if (t->in.f[F_abs]) h &= 0x7fff;
        if (t->in.f[F_neg]) h ^= 0x8000;
        if (got != with_half(old, t->b, half)) row_fail(r, t, "the other half", l, old, got);
        if (!(h >> 7 & 255)) h &= 0x8000;
        const double y = bf16_function(row_id(t->row), (double)float_of(h << 16));
        uint32_t want = isnan(y) ? 0x7fc0 : bf16_of(y);
        if (!(want >> 7 & 255)) want &= 0x8000;
        const bool found = isnan(y)
                               ? (half & 0x7fff) > 0x7f80 && half & 0x40
                               : half == want || (y == 0 && !(half & 0x7fff)); // the sign of zero is not told
        if (!found) row_fail(r, t, "the result", l, want, half);
    }
}

static const struct row_kind half_kind = {make_half, set_nothing_more, check_half},
                             acc_kind = {make_acc, set_acc, check_acc},
                             screen_kind = {make_screen, set_screen, check_screen},
                             dual_kind = {make_dual, set_dual, check_dual},
                             literal_kind = {make_literal, set_literal, check_literal},
                             bf16_kind = {make_bf16, set_bf16, check_bf16};
static const struct row_kind *kind_of_move(const struct row *row, unsigned format) {
    static const struct {
        const char *row;
        const struct row_kind *kind;
    } rows[] = {{"v_mov_b16", &half_kind},
                {"v_swap_b16", &half_kind},
                {"v_accvgpr_mov_b32", &acc_kind},
                {"v_accvgpr_read_b32", &acc_kind},
                {"v_accvgpr_write_b32", &acc_kind},
                {"v_screen_partition_4se_b32", &screen_kind},
                {"v_fmamk_f64", &literal_kind},
                {"v_fmaak_f64", &literal_kind},
                {"v_rcp_bf16", &bf16_kind},
                {"v_sqrt_bf16", &bf16_kind},
                {"v_rsq_bf16", &bf16_kind},
                {"v_log_bf16", &bf16_kind},
                {"v_sin_bf16", &bf16_kind},
                {"v_cos_bf16", &bf16_kind},
                {"v_dual_dot2acc_f32_f16", &dual_kind},
                {"v_dual_dot2acc_f32_bf16", &dual_kind},
                {"v_dual_bitop2_b32", &dual_kind}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(row_id(row), rows[i].row) && is_half_format(format) == (rows[i].kind == &dual_kind))
            return rows[i].kind;
    return NULL;
}
static unsigned moves_of(const sw_processor *p, const struct isa *isa, bool *seen) {
    static struct row_rig r;
    static struct isa named; // halves of registers have names, whatever is the processor's default
    enum { EACH = 16 };
    named = *isa, named.halves_named = isa->true16;
    r.failures = 0;
    for (unsigned lanes = 32; lanes <= 64; lanes += 32) {
        if (lanes == 32 && !generation_within(isa->generation, GFX10)) continue;
        if (lanes == 64 && has(p, CAP_wave32_only)) continue;
        r.p = p, r.isa = &named, r.lanes = lanes, r.exported = NULL;
        for (unsigned row = 0; row < isa_row_count; row++)
            for (unsigned c = isa->row_codings[row]; c < isa->row_codings[row + 1]; c++) {
                const struct row_kind *kind = kind_of_move(&isa_rows[row], isa->codings[c].format);
                if (!kind || (kind == &dual_kind && lanes == 64)) continue;
                for (unsigned n = 0; n < EACH; n++) {
                    if (!row_add(&r, kind, &isa->codings[c], n))
                        fail_msg("%s: no operands for %s", sw_processor_name(p), row_id(&isa_rows[row]));
                    seen[row] = true;
                }
            }
        row_run(&r);
    }
    return r.failures;
}

#endif
