// SPDX-License-Identifier: MIT
// Interpolation and loads of parameters from LDS, as the manuals' chapters state them (Vega 12.12 and 12.14,
// RDNA3 12.2 to 12.4): where the parameters of a quad's primitive are, and which product and sum. The numbers
// are small, so that nothing is rounded; ERR-46 says what the manuals leave open.
#ifndef TESTS_PSEUDOCODE_INTERP_PAIRS_H
#define TESTS_PSEUDOCODE_INTERP_PAIRS_H

#include "device/image_shapes.h"
#include "row_runner.h"

enum { I_PARAMETERS = 2, I_SOURCE = 6, I_OTHER = 10, I_RESULT = 14, PARAMETER_DWORDS = 12 };
enum parameter { PARAMETER_0, PARAMETER_10, PARAMETER_20 };

static bool is_named(const struct row *row, const char *id) { return !strcmp(row_id(row), id); }
static bool interpolates(const struct row *row) {
    return !strncmp(row_id(row), "v_interp_", 9) || is_named(row, "ds_param_load") ||
           is_named(row, "ds_direct_load");
}
// Of halves of dwords: parameters, results.
static bool has_halves(const struct row *row) { return strstr(row_id(row), "f16") != NULL; }
static bool stores_half(const struct row *row) { return has_halves(row) && strstr(row_id(row), "_p2_"); }

static bool make_interp(struct row_rig *r, struct row_trial *t) {
    int32_t *f = t->in.f;
    (void)r;
    f[F_vdst] = SRC_VGPR0 + I_RESULT;
    if (t->format == FMT_VINTERP) {
        f[F_src0] = SRC_VGPR0 + I_PARAMETERS, f[F_src1] = SRC_VGPR0 + I_SOURCE,
        f[F_src2] = SRC_VGPR0 + I_OTHER;
        f[F_neg] = (int)(row_random() % 8), f[F_clamp] = row_random() & 1;
        if (has_halves(t->row)) f[F_op_sel] = (int)(row_random() & (stores_half(t->row) ? 9 : 5));
        return true;
    }
    f[F_attr] = (int)(row_random() % 4), f[F_attrchan] = (int)(row_random() % 4);
    if (t->format == FMT_LDSDIR) {
        if (is_named(t->row, "ds_direct_load")) f[F_attr] = f[F_attrchan] = 0;
        return true;
    }
    f[t->format == FMT_VINTRP ? F_vsrc : F_src1] =
        is_named(t->row, "v_interp_mov_f32")
            ? (t->format == FMT_VINTRP ? SRC_VGPR0 : 0) + (int)(t->number % 3)
            : SRC_VGPR0 + I_SOURCE;
    if (t->row->src[2].field == F_src2) f[F_src2] = SRC_VGPR0 + I_OTHER;
    if (has_halves(t->row)) f[F_high] = row_random() & 1;
    if (t->format == FMT_VOP3I && !is_named(t->row, "v_interp_mov_f32")) f[F_clamp] = row_random() & 1;
    return true;
}
static float small_number(bool quarters) {
    return (float)((int)(row_random() % 17) - 8) / (quarters ? 4 : 1);
}
static uint32_t small_bits(bool halves) {
    const uint32_t high = half_bits((double)small_number(false)),
                   low = half_bits((double)small_number(false));
    return halves ? high << 16 | low : bits_of(small_number(false));
}
static void set_interp(struct row_rig *r, const struct row_trial *t) {
    const bool halves = has_halves(t->row), of_quads = t->format == FMT_VINTERP;
    for (unsigned i = 0; i < ROW_LDS; i += 4) {
        const uint32_t v = small_bits(halves);
        if (!is_named(t->row, "ds_direct_load")) memcpy(r->before.lds + i, &v, 4);
    }
    for (unsigned l = 0; l < r->lanes; l++) {
        r->before.v[I_PARAMETERS][l] = small_bits(halves);
        r->before.v[I_SOURCE][l] = bits_of(small_number(true));
        const bool half_sum =
            halves && (of_quads ? !stores_half(t->row) : is_named(t->row, "v_interp_p1lv_f16"));
        r->before.v[I_OTHER][l] = half_sum ? small_bits(true) : bits_of(small_number(false));
        if (is_named(t->row, "v_interp_p2_f32")) r->before.v[I_RESULT][l] = bits_of(small_number(false));
    }
    // Quads that begin a primitive, then the offset in bytes.
    const uint32_t mask = row_random() & (r->lanes == 64 ? 0x7fff : 0x7f);
    r->before.m0 = mask << 16 | 128 * (row_random() % 8);
    static const unsigned types[] = {0, 1, 2, 4, 5};
    if (is_named(t->row, "ds_direct_load"))
        r->before.m0 = types[t->number % 5] << 16 | 4 * (row_random() % 1024);
}

// ---- What comes of it ----

static uint32_t parameter_of(const struct row_rig *r, const struct row_trial *t, unsigned lane,
                             enum parameter which) {
    const uint32_t m0 = r->before.m0, mask = m0 >> 16 & 0x7fff, quad = lane / 4;
    const unsigned primitives = 1 + (unsigned)__builtin_popcount(mask),
                   primitive = (unsigned)__builtin_popcount(mask & ((1u << quad) - 1)),
                   dword = ((unsigned)t->in.f[F_attr] * primitives + primitive) * PARAMETER_DWORDS +
                           4 * which + (unsigned)t->in.f[F_attrchan];
    uint32_t v;
    memcpy(&v, r->before.lds + (m0 & 0xffff) + 4 * (size_t)dword, 4);
    return v;
}
static double number_in(uint32_t v, bool half, bool upper) {
    return half ? half_value((uint16_t)(upper ? v >> 16 : v)) : (double)float_of(v);
}
static double limited(const struct row_trial *t, double v) {
    return t->in.f[F_clamp] ? fmin(fmax(v, 0), 1) : v;
}
// By quads: src0 is of lane 1 or 2 of the quad, the sum of P10 of lane 0.
static double wanted_of_quad(const struct row_rig *r, const struct row_trial *t, unsigned lane) {
    const int32_t *f = t->in.f;
    const bool half = has_halves(t->row), last = strstr(row_id(t->row), "_p2_");
    const unsigned first = lane & ~3u;
    double a = number_in(r->before.v[I_PARAMETERS][first + (last ? 2 : 1)], half, f[F_op_sel] & 1),
           b = number_in(r->before.v[I_SOURCE][lane], false, false),
           c = number_in(r->before.v[I_OTHER][last ? lane : first], half && !last, f[F_op_sel] & 4);
    if (f[F_neg] & 1) a = -a;
    if (f[F_neg] & 2) b = -b;
    if (f[F_neg] & 4) c = -c;
    return a * b + c;
}
static double wanted_of_parameters(const struct row_rig *r, const struct row_trial *t, unsigned lane) {
    const bool half = has_halves(t->row), high = t->in.f[F_high], last = strstr(row_id(t->row), "_p2_");
    const double s = number_in(r->before.v[I_SOURCE][lane], false, false),
                 p = number_in(parameter_of(r, t, lane, last ? PARAMETER_20 : PARAMETER_10), half, high);
    if (is_named(t->row, "v_interp_p2_f32"))
        return p * s + number_in(r->before.v[I_RESULT][lane], false, false);
    if (last) return p * s + number_in(r->before.v[I_OTHER][lane], false, false);
    if (is_named(t->row, "v_interp_p1lv_f16"))
        return p * s + number_in(r->before.v[I_OTHER][lane], true, high);
    return p * s + number_in(parameter_of(r, t, lane, PARAMETER_0), half, high);
}
static bool is_quad_on(const struct row_rig *r, unsigned lane) { return r->exec >> (lane & ~3u) & 15; }
static void check_bits(struct row_rig *r, const struct row_trial *t, unsigned lane, uint32_t want) {
    if (r->after.v[I_RESULT][lane] != want)
        row_fail(r, t, "what is loaded", lane, want, r->after.v[I_RESULT][lane]);
}
static uint32_t loaded_directly(const struct row_rig *r) {
    const uint8_t *from = r->before.lds + (r->before.m0 & 0xffff);
    const unsigned type = r->before.m0 >> 16 & 7;
    const uint32_t half = from[0] | (uint32_t)from[1] << 8;
    switch (type) {
    case 0: return from[0];
    case 1: return half;
    case 4: return (uint32_t)(int8_t)from[0];
    case 5: return (uint32_t)(int16_t)half;
    default: return half | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
    }
}
// Lanes 0 to 2 of a quad get the three parameters; a quad of which a lane executes gets all.
static void check_loads_of_quads(struct row_rig *r, const struct row_trial *t) {
    for (unsigned l = 0; l < r->lanes; l++)
        if (!is_quad_on(r, l))
            check_bits(r, t, l, r->before.v[I_RESULT][l]);
        else if (is_named(t->row, "ds_direct_load"))
            check_bits(r, t, l, loaded_directly(r));
        else if (l % 4 < 3)
            check_bits(r, t, l, parameter_of(r, t, l, (enum parameter)(l % 4)));
}
static void check_interp(struct row_rig *r, const struct row_trial *t) {
    const bool half = stores_half(t->row), upper = half && t->in.f[F_op_sel] & 8;
    static const enum parameter moved[] = {PARAMETER_10, PARAMETER_20, PARAMETER_0};
    if (t->format == FMT_LDSDIR) {
        check_loads_of_quads(r, t);
        return;
    }
    row_others_stay(r, t, I_RESULT, 1);
    for (unsigned l = 0; l < r->lanes; l++) {
        if (!row_executes(r, l)) continue;
        if (is_named(t->row, "v_interp_mov_f32")) {
            check_bits(r, t, l, parameter_of(r, t, l, moved[t->number % 3]));
            continue;
        }
        const double sum = t->format == FMT_VINTERP ? wanted_of_quad(r, t, l) : wanted_of_parameters(r, t, l),
                     want = limited(t, sum);
        if (number_in(r->after.v[I_RESULT][l], half, upper) != want)
            row_fail(r, t, "the sum", l, (uint64_t)(int64_t)(16 * want), r->after.v[I_RESULT][l]);
    }
}
static const struct row_kind interp_kind = {make_interp, set_interp, check_interp};

#endif
