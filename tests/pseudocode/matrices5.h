// SPDX-License-Identifier: MIT
// The same as matrices.h for CDNA5, whose waves have 32 lanes and whose manual has other tables
// (device/matrix_layout5.h). Products with block scales run on small numbers whose sums are exact, in
// whatever order they are taken: their rounding is documented nowhere.
#ifndef TESTS_PSEUDOCODE_MATRICES5_H
#define TESTS_PSEUDOCODE_MATRICES5_H

#include "device/matrix_layout5.h"
#include "matrices.h"

struct matrix5_case {
    const struct row *row;
    struct product s;
    unsigned trial;
    enum fmt a, b, c, d;
    unsigned bits_a, bits_b, bits_c, bits_d;
    bool negates, absolute, clamp, signed_a, signed_b;
    unsigned block;                // elements that share a scale; 0: there are no scales
    unsigned scales, row_a, row_b; // format of the scales; whether lanes 16 to 31 have them
    uint8_t bytes[SW_INSN_MAX_BYTES];
    size_t size;
    uint64_t at;
};
struct matrix5_run {
    const sw_processor *p;
    const struct isa *isa;
    struct matrix5_case *list;
    unsigned count, current, failures;
    bool pending;
    uint64_t code;
    struct matrix_run values; // its random numbers
    uint64_t want[32][16];
    bool nan[32][16];
};

// ---- Instructions ----

static enum fmt matrix5_fmt(const char *kind) {
    static const struct {
        const char *kind;
        enum fmt fmt;
    } fmts[] = {{"f16", F16}, {"bf16", BF16}, {"fp8", FP8}, {"bf8", BF8},
                {"fp6", FP6}, {"bf6", BF6},   {"f4", FP4}};
    for (unsigned i = 0; i < sizeof fmts / sizeof *fmts; i++)
        if (!strcmp(fmts[i].kind, kind)) return fmts[i].fmt;
    return F32;
}
static bool matrix5_encode(const struct matrix5_run *r, struct matrix5_case *m) {
    static const char *const names[] = {
        [FP8] = "FP8", [BF8] = "BF8", [FP6] = "FP6", [BF6] = "BF6", [FP4] = "FP4"};
    static const char *const scales[] = {NULL, "MATRIX_SCALE_FMT_E5M3", "MATRIX_SCALE_FMT_E4M3"};
    char text[400], *p = text;
    const struct product *s = &m->s;
    const unsigned lanes = 32, a = s->m * s->k * m->bits_a / lanes / (s->sparse ? 2 : 1);
    p += sprintf(p, "%s ", isa_row_name(r->isa, m->row));
    p = matrix_tuple(p, 'v', M_D, s->m * 16 * (s->sparse ? m->bits_c : m->bits_d) / lanes); // C is there, too
    p += sprintf(p, ", ");
    p = matrix_tuple(p, 'v', M_A, a);
    p += sprintf(p, ", ");
    p = matrix_tuple(p, 'v', M_B, 16 * s->k * m->bits_b / lanes);
    p += sprintf(p, ", ");
    p = s->sparse ? matrix_tuple(p, 'v', M_INDEX, 2 * a / m->bits_a)
                  : matrix_tuple(p, 'v', M_C, s->m * 16 * m->bits_c / lanes);
    if (m->block) {
        const unsigned bits = m->block == 16 ? 64 : 32;
        p += sprintf(p, ", ");
        p = matrix_tuple(p, 'v', M_SCALE_A, bits);
        p += sprintf(p, ", ");
        p = matrix_tuple(p, 'v', M_SCALE_B, bits);
    }
    if (s->mixed)
        p += sprintf(p, " matrix_a_fmt:MATRIX_FMT_%s matrix_b_fmt:MATRIX_FMT_%s", names[m->a], names[m->b]);
    if (m->row_a) p += sprintf(p, " matrix_a_scale:MATRIX_SCALE_ROW1");
    if (m->row_b) p += sprintf(p, " matrix_b_scale:MATRIX_SCALE_ROW1");
    if (m->scales)
        p += sprintf(p, " matrix_a_scale_fmt:%s matrix_b_scale_fmt:%s", scales[m->scales], scales[m->scales]);
    if (s->whole && (m->signed_a || m->signed_b))
        p += sprintf(p, " neg_lo:[%d,%d,0]", m->signed_a, m->signed_b);
    if (m->negates) p += sprintf(p, " neg_lo:[0,0,1]");
    if (m->absolute) p += sprintf(p, " neg_hi:[0,0,1]");
    if (m->clamp) p += sprintf(p, " clamp");
    sw_isa_mode mode = {.size = sizeof mode};
    if (sw_isa_mode_init(&mode, r->p)) return false;
    if (sw_insn_assemble(&mode, text, strlen(text), m->bytes, &m->size, NULL) == SW_OK) return true;
    print_error("%s: %s does not assemble\n", sw_processor_name(r->p), text);
    return false;
}
static void matrix5_add(struct matrix5_run *r, const struct row *row) {
    static const char *const mixed[] = {"fp8", "bf8", "fp6", "bf6", "f4"};
    struct matrix5_case m = {.row = row};
    if (strstr(row_id(row), "_scale")) m.block = strstr(row_id(row), "_scale16") ? 16 : 32;
    if (!parse_product(row_sem(row), &m.s)) fail_msg("what product has %s?", row_id(row));
    const struct product whole = m.s;
    for (m.trial = 0; m.trial < M_TRIALS && r->count < M_MOST; m.trial++) {
        m.s = whole;
        if (m.s.mixed) m.s.a = mixed[m.trial % 5], m.s.b = mixed[(m.trial * 3 + 1) % 5];
        m.a = matrix5_fmt(m.s.a), m.b = matrix5_fmt(m.s.b), m.c = matrix5_fmt(m.s.c),
        m.d = matrix5_fmt(m.s.d);
        m.bits_a = bits_of_kind(m.s.a), m.bits_b = bits_of_kind(m.s.b);
        m.bits_c = bits_of_kind(m.s.c), m.bits_d = bits_of_kind(m.s.d);
        m.signed_a = m.trial & 1, m.signed_b = m.trial & 2, m.clamp = m.s.whole && m.trial & 4;
        m.negates = !m.s.whole && !m.s.sparse && m.trial & 1,
        m.absolute = !m.s.whole && !m.s.sparse && m.trial & 4;
        if (m.block) { // four-bit elements alone have other scales than powers of two
            m.scales = m.bits_a == 4 && m.bits_b == 4 ? m.trial % 3 : 0;
            m.row_a = m.s.m == 16 && m.trial & 2, m.row_b = m.trial >> 2 & 1;
        }
        if (matrix5_encode(r, &m))
            r->list[r->count++] = m;
        else
            r->failures++;
    }
}

// ---- The product ----

static uint64_t matrix5_a[32][128], matrix5_b[16][128];
static bool matrix5_kept[32][128];

static double matrix5_scale_a[32][8], matrix5_scale_b[16][8];

// ---- Scales, by byte ----

static double matrix5_scale(unsigned format, unsigned code) {
    if (format == 0) return code == 255 ? (double)NAN : ldexp(1, (int)code - 127); // E8M0
    const unsigned bits = format == 1 ? code : code & 127, e = bits >> 3;          // E5M3, E4M3: no sign
    const int bias = format == 1 ? 15 : 7;
    return e ? ldexp(1 + (bits & 7) / 8.0, (int)e - bias) : ldexp((bits & 7) / 8.0, 1 - bias);
}
// Of a row or column: powers of two around 1, where there is a mantissa also 1.5 times those, seldom NaN.
static double matrix5_put_scale(struct matrix5_run *r, const struct matrix5_case *m, const sw_step *step,
                                unsigned reg, unsigned lane, unsigned block) {
    static const unsigned ones[] = {127, 15, 7};
    const uint64_t pick = matrix_random(&r->values);
    const int e = (int)ones[m->scales] + (int)(pick % (m->scales ? 3 : 5)) - (m->scales ? 1 : 2);
    unsigned code = m->scales ? (unsigned)e << 3 | (pick & 32 ? 4 : 0) : (unsigned)e;
    if (!m->scales && m->trial % 3 == 2 && !(pick >> 8 & 63)) code = 255;
    matrix_put(step, 256 + reg, lane, 8 * block, 8, code);
    return matrix5_scale(m->scales, code);
}
static void matrix5_put_scales(struct matrix5_run *r, const struct matrix5_case *m, const sw_step *step) {
    for (unsigned block = 0; m->block && block < m->s.k / m->block; block++) {
        for (unsigned row = 0; row < m->s.m; row++)
            matrix5_scale_a[row][block] =
                matrix5_put_scale(r, m, step, M_SCALE_A, row + 16 * m->row_a, block);
        for (unsigned column = 0; column < 16; column++)
            matrix5_scale_b[column][block] =
                matrix5_put_scale(r, m, step, M_SCALE_B, column + 16 * m->row_b, block);
    }
}
static double matrix5_scaled(const struct matrix5_case *m, unsigned row, unsigned column, double sum) {
    for (unsigned k = 0; k < m->s.k; k++)
        sum += (double)fmt_number(m->a, matrix5_a[row][k]) * (double)fmt_number(m->b, matrix5_b[column][k]) *
               matrix5_scale_a[row][k / m->block] * matrix5_scale_b[column][k / m->block];
    return sum;
}

static uint64_t matrix5_value(struct matrix5_run *r, const struct matrix5_case *m, enum fmt f,
                              unsigned bits) {
    static const double small[] = {0, 0.5, 1, 1.5, 2, 3, -0.5, -1, -1.5, -2, -3};
    if (m->s.whole) return matrix_random(&r->values) & ((1ull << bits) - 1);
    if (m->block) return fmt_code(f, (real)small[matrix_random(&r->values) % 11], TO_EVEN);
    return matrix_number(&r->values, f, m->trial);
}
static uint64_t matrix5_element(const struct matrix5_case *m, unsigned row, unsigned column, uint64_t c,
                                bool *nan) {
    *nan = false;
    if (m->s.whole) {
        int64_t sum = (int32_t)c;
        for (unsigned k = 0; k < m->s.k; k++)
            if (matrix5_kept[row][k])
                sum += matrix_int(matrix5_a[row][k], m->bits_a, m->signed_a) *
                       matrix_int(matrix5_b[column][k], m->bits_b, m->signed_b);
        if (m->clamp) sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        return (uint32_t)sum;
    }
    float sum = (float)fmt_number(m->c, c);
    if (m->absolute) sum = fabsf(sum);
    if (m->negates) sum = -sum;
    if (m->block) sum = (float)matrix5_scaled(m, row, column, sum);
    for (unsigned k = 0; !m->block && k < m->s.k; k++)
        sum = fmaf(matrix5_kept[row][k] ? (float)fmt_number(m->a, matrix5_a[row][k]) : 0,
                   (float)fmt_number(m->b, matrix5_b[column][k]), sum);
    *nan = isnan(sum);
    return fmt_code(m->d, (real)sum, TO_EVEN);
}
static void matrix5_put(const sw_step *step, unsigned reg, struct at at, unsigned bits, uint64_t v) {
    matrix_put(step, 256 + reg, at.lane, at.bit, bits, v);
}
static void matrix5_put_a(struct matrix5_run *r, const struct matrix5_case *m, const sw_step *step,
                          unsigned row) {
    const struct product *s = &m->s;
    const unsigned set = M_A + row / 16 * 8; // registers of the second sixteen rows: 128 elements of 4 bits
    for (unsigned k = 0; k < s->k; k++) matrix5_a[row][k] = matrix5_value(r, m, m->a, m->bits_a);
    for (unsigned k = 0; !s->sparse && k < s->k; k++)
        matrix5_put(step, set, place_of_ab(m->bits_a, s->mixed, row % 16, k), m->bits_a, matrix5_a[row][k]);
    for (unsigned group = 0; s->sparse && group < s->k / 4; group++) {
        const unsigned first = (unsigned)matrix_random(&r->values) % 3,
                       second = first + 1 + (unsigned)matrix_random(&r->values) % (3 - first);
        for (unsigned j = 0; j < 2; j++) {
            const unsigned k = 4 * group + (j ? second : first);
            const struct at at = place_of_ab(m->bits_a, false, row, 2 * group + j);
            matrix5_kept[row][k] = true;
            matrix5_put(step, set, at, m->bits_a, matrix5_a[row][k]);
            matrix5_put(step, M_INDEX, (struct at){at.lane, at.bit / m->bits_a * 2}, 2, k % 4);
        }
    }
}
static void matrix5_begin(struct matrix5_run *r, const sw_step *step) {
    const struct matrix5_case *m = &r->list[r->current];
    const struct product *s = &m->s;
    for (unsigned n = 0; n < M_VGPRS; n++)
        for (unsigned l = 0; l < step->lanes; l++)
            sw_step_register(step, 256 + n)[l] = (uint32_t)matrix_random(&r->values);
    memset(matrix5_kept, !s->sparse, sizeof matrix5_kept);
    for (unsigned row = 0; row < s->m; row++) matrix5_put_a(r, m, step, row);
    matrix5_put_scales(r, m, step);
    for (unsigned column = 0; column < 16; column++)
        for (unsigned k = 0; k < s->k; k++) {
            matrix5_b[column][k] = matrix5_value(r, m, m->b, m->bits_b);
            matrix5_put(step, M_B, place_of_ab(m->bits_b, s->mixed || s->sparse, column, k), m->bits_b,
                        matrix5_b[column][k]);
        }
    for (unsigned row = 0; row < s->m; row++)
        for (unsigned column = 0; column < 16; column++) {
            const uint64_t c = matrix5_value(r, m, m->c, m->bits_c);
            matrix5_put(step, s->sparse ? M_D : M_C, place_of_cd(m->bits_c, row, column), m->bits_c, c);
            r->want[row][column] = matrix5_element(m, row, column, c, &r->nan[row][column]);
        }
}
static void matrix5_end(struct matrix5_run *r, const sw_step *step) {
    const struct matrix5_case *m = &r->list[r->current];
    for (unsigned row = 0; row < m->s.m; row++)
        for (unsigned column = 0; column < 16; column++) {
            const struct at at = place_of_cd(m->bits_d, row, column);
            const uint64_t got = matrix_get(step, 256 + M_D, at.lane, at.bit, m->bits_d);
            if (r->nan[row][column] ? fmt_is_nan(m->d, got) && got & fmt_quiet_bit(m->d)
                                    : got == r->want[row][column])
                continue;
            if (r->failures++ < 10)
                print_error("%s (%s, trial %u): D[%u][%u] is 0x%llx, should be %s0x%llx\n", row_id(m->row),
                            sw_processor_name(r->p), m->trial, row, column, (unsigned long long)got,
                            r->nan[row][column] ? "a NaN, not " : "",
                            (unsigned long long)r->want[row][column]);
            return;
        }
}
static void matrix5_observe(void *context, const sw_step *step) {
    struct matrix5_run *r = context;
    fenv_t env;
    fegetenv(&env);
    fesetenv(FE_DFL_ENV);
    if (!r->code) r->code = step->pc;
    if (r->pending) matrix5_end(r, step), r->pending = false, r->current++;
    if (r->current < r->count && r->list[r->current].at == step->pc - r->code)
        matrix5_begin(r, step), r->pending = true;
    fesetenv(&env);
}

// ---- A processor ----

// Rows that GFX12 has as well have its layout.
static bool matrix5_is_row(const struct isa *isa, unsigned row) {
    return has_matrix_row(isa, row) && !matrix_is_older(row);
}
static unsigned matrices5_of(const sw_processor *p, const struct isa *isa, bool seen[8192]) {
    struct matrix5_run r = {.p = p, .isa = isa, .values = {.seed = 0x9e3779b97f4a7c15}};
    r.list = malloc(M_MOST * sizeof *r.list);
    for (unsigned row = 0; row < isa_row_count; row++)
        if (matrix5_is_row(isa, row)) {
            matrix5_add(&r, &isa_rows[row]);
            seen[row] = true;
        }
    assert_true(r.count < M_MOST);
    static struct matrix_words words[M_MOST];
    for (unsigned i = 0; i < r.count; i++)
        words[i] = (struct matrix_words){r.list[i].bytes, r.list[i].size, &r.list[i].at};
    const sw_device_hooks hooks = {.size = sizeof hooks, .context = &r, .observe = matrix5_observe};
    matrix_run_words(p, isa, words, r.count, 32, "", &hooks);
    assert_int_equal(r.current, r.count);
    free(r.list);
    return r.failures + matrices_of(p, isa, seen);
}

#endif
