// SPDX-License-Identifier: MIT
// A second statement of matrix instructions (MFMA, SMFMAC, WMMA, SWMMAC up to GFX12): places of elements as
// the manuals draw them (device/matrix_layout.h), numbers decoded by number.h, and each product fused with
// the sum, K ascending, which is what ERR-39 says. Every row of a processor runs as a whole instruction, in
// each wave size, on ordinary numbers, on numbers of all sizes with denormals, and on infinities and NaNs.
#ifndef TESTS_PSEUDOCODE_MATRICES_H
#define TESTS_PSEUDOCODE_MATRICES_H

#include "device/matrix_layout.h"
#include "matrix_rows.h"
#include "number.h"

enum {
    M_A = 0,
    M_SCALE_A = 20,
    M_SCALE_B = 24,
    M_B = 32,
    M_INDEX = 60,
    M_C = 64,
    M_D = 96,
    M_VGPRS = 128,
    M_TRIALS = 12,
    M_MOST = 2048
};

struct matrix_case {
    const struct row *row;
    struct shape_facts s;
    unsigned trial, set; // of the sparse indices
    enum fmt a, b;       // of floats
    bool high, clamp, signed_a, signed_b;
    unsigned cbsz, abid, blgp; // one block of A for all, and the lanes that B comes from
    uint8_t bytes[SW_INSN_MAX_BYTES];
    size_t size;
    uint64_t at;
};
struct matrix_run {
    const sw_processor *p;
    const struct isa *isa;
    struct matrix_case *list;
    unsigned count, current, failures, lanes;
    bool pending, flushes, acc;
    uint64_t code, seed;
    uint64_t want[64][32];
    bool nan[64][32];
};

// ---- Instructions ----

static enum fmt matrix_fmt(const char *type, bool fnuz) {
    return !strcmp(type, "f16")    ? F16
           : !strcmp(type, "bf16") ? BF16
           : !strcmp(type, "fp8")  ? (fnuz ? FNUZ8 : FP8)
           : !strcmp(type, "bf8")  ? (fnuz ? BFNUZ8 : BF8)
           : !strcmp(type, "f64")  ? F64
                                   : F32;
}
static unsigned matrix_bits(const struct matrix_case *m, bool of_b) {
    const char *type = of_b ? m->s.b : m->s.a;
    if (!strcmp(m->s.a, "f8f6f4")) return fmt_facts[of_b ? m->b : m->a].bits;
    return bits_of_type(type);
}
static unsigned matrix_results(const struct shape_facts *s) { return s->m * s->m * s->blocks / s->lanes; }
static bool matrix_is_whole(const struct matrix_case *m) { return !strcmp(m->s.d, "i32"); }

static char *matrix_tuple(char *p, char kind, unsigned first, unsigned bits) {
    const unsigned n = (bits + 31) / 32;
    return p +
           (n == 1 ? sprintf(p, "%c%u", kind, first) : sprintf(p, "%c[%u:%u]", kind, first, first + n - 1));
}
// The instruction of a case as text, and its bytes. False: it does not assemble.
static bool matrix_encode(const struct matrix_run *r, struct matrix_case *m) {
    char text[200], *p = text;
    const struct shape_facts *s = &m->s;
    const unsigned results = matrix_results(s), d_bits = d_at(s, results, false);
    const char cd = r->acc ? 'a' : 'v';
    p += sprintf(p, "%s ", isa_row_name(r->isa, m->row));
    p = matrix_tuple(p, cd, M_D, d_bits);
    p += sprintf(p, ", ");
    p = matrix_tuple(p, 'v', M_A, a_held(s) * matrix_bits(m, false));
    p += sprintf(p, ", ");
    p = matrix_tuple(p, 'v', M_B, b_held(s) * matrix_bits(m, true));
    p += sprintf(p, ", ");
    p = s->sparse ? matrix_tuple(p, 'v', M_INDEX, 32) : matrix_tuple(p, cd, M_C, d_bits);
    if (m->high) p += sprintf(p, " op_sel:[0,0,1]");
    if (s->sparse && m->set) p += sprintf(p, s->rdna ? " index_key:%u" : " abid:%u", m->set);
    if (s->rdna && matrix_is_whole(m) && (m->signed_a || m->signed_b))
        p += sprintf(p, " neg_lo:[%d,%d,0]", m->signed_a, m->signed_b);
    if (m->clamp) p += sprintf(p, " clamp");
    if (!strcmp(s->a, "f8f6f4"))
        p += sprintf(p, " cbsz:%d blgp:%d", m->a - (m->a < FP6 ? FP8 : FP6 - 2),
                     m->b - (m->b < FP6 ? FP8 : FP6 - 2));
    if (m->cbsz) p += sprintf(p, " cbsz:%u abid:%u", m->cbsz, m->abid);
    if (m->blgp) p += sprintf(p, " blgp:%u", m->blgp);
    sw_isa_mode mode = {.size = sizeof mode};
    if (sw_isa_mode_init(&mode, r->p)) return false;
    mode.wave32 = s->lanes == 32;
    if (sw_insn_assemble(&mode, text, strlen(text), m->bytes, &m->size, NULL) == SW_OK) return true;
    print_error("%s: %s does not assemble\n", sw_processor_name(r->p), text);
    return false;
}

static void matrix_add(struct matrix_run *r, const struct row *row) {
    struct matrix_case m = {.row = row};
    if (!parse_shape(row_sem(row), &m.s)) fail_msg("what shape has %s?", row_id(row));
    m.s.lanes = r->lanes;
    m.s.gfx12 = m.s.rdna && generation_within(r->isa->generation, GFX12);
    const bool fnuz = fact(r->p, FACT_fp8_fnuz), mixed = !strcmp(m.s.a, "f8f6f4");
    unsigned sets = m.s.sparse ? 32 / (2 * a_held(&m.s)) : 1;
    const unsigned named = 1u << row->key[r->lanes == 64]; // text cannot say more, LLVM's neither
    if (m.s.rdna && sets > named) sets = named;
    for (m.trial = 0; m.trial < M_TRIALS && r->count < M_MOST; m.trial++) {
        static const enum fmt by_number[] = {FP8, BF8, FP6, BF6, FP4};
        m.a = mixed ? by_number[m.trial % 5] : matrix_fmt(m.s.a, fnuz);
        m.b = mixed ? by_number[(m.trial * 3 + 1) % 5] : matrix_fmt(m.s.b, fnuz);
        m.set = m.trial % sets;
        m.high = m.s.rdna && !m.s.gfx12 && bits_of_type(m.s.d) == 16 && m.trial % 2;
        m.signed_a = !m.s.rdna || m.trial & 1, m.signed_b = !m.s.rdna || m.trial & 2;
        m.clamp = m.s.rdna && matrix_is_whole(&m) && m.trial & 4;
        if (!m.s.rdna && !m.s.sparse && !mixed && strcmp(m.s.d, "f64") && m.trial >= 4) {
            for (m.cbsz = 0; 1u << m.cbsz < m.s.blocks;) m.cbsz++;
            if (m.cbsz && m.trial & 1) m.cbsz -= m.trial / 2 % m.cbsz; // all blocks, or groups of them
            m.abid = m.trial % (1u << m.cbsz), m.blgp = m.trial % 8;
        }
        if (matrix_encode(r, &m))
            r->list[r->count++] = m;
        else
            r->failures++;
    }
}

// ---- Values ----

static uint64_t matrix_random(struct matrix_run *r) {
    r->seed ^= r->seed << 13, r->seed ^= r->seed >> 7, r->seed ^= r->seed << 17;
    return r->seed * 0x2545f4914f6cdd1d;
}
// The code of a random number: near one; of any size, denormals among them; rarely none at all.
static uint64_t matrix_number(struct matrix_run *r, enum fmt f, unsigned trial) {
    const unsigned m = fmt_facts[f].mantissa, top = (1u << fmt_facts[f].exponent) - 1;
    const uint64_t bits = matrix_random(r) & fmt_mask(f);
    const uint64_t fraction = bits & ((1ull << m) - 1), sign = bits & fmt_sign(f), pick = matrix_random(r);
    uint64_t code = bits;
    if (trial % 3 == 0) {
        int e = fmt_facts[f].bias - 2 + (int)(pick % 4);
        if (e < 0) e = 0;
        if (e > (int)top - (fmt_facts[f].top == TOP_NUMBERS ? 0 : 1)) e = (int)top - 1;
        code = sign | (uint64_t)e << m | fraction;
    } else if (pick % 5 == 0)
        code = sign | (pick & 32 ? fraction : 0); // zeros and denormals
    const bool special = trial % 3 == 2 && pick % 97 == 0;
    if (special)
        return pick & 1024 ? fmt_nan(f) : fmt_facts[f].top == TOP_IEEE ? sign | fmt_infinity(f) : code;
    if (fmt_is_nan(f, code) || fmt_is_inf(f, code)) return sign | (uint64_t)fmt_facts[f].bias << m;
    return code;
}
static float matrix_float(const struct matrix_run *r, const char *type, enum fmt f, uint64_t code) {
    if (f == F32 && r->flushes && fmt_is_denormal(F32, code)) code &= 0x80000000;
    if (!strcmp(type, "xf32") && (code & 0x7f800000) != 0x7f800000) // ten bits of mantissa
        code = (code + 0xfff + (code >> 13 & 1)) & ~0x1fffull & 0xffffffff;
    return (float)fmt_number(f, code);
}
static void matrix_put(const sw_step *step, unsigned reg, unsigned lane, unsigned at, unsigned bits,
                       uint64_t v) {
    for (unsigned b = 0; b < bits; b++) {
        uint32_t *word = &sw_step_register(step, reg + (at + b) / 32)[lane];
        *word = (*word & ~(1u << (at + b) % 32)) | (uint32_t)(v >> b & 1) << (at + b) % 32;
    }
}
static uint64_t matrix_get(const sw_step *step, unsigned reg, unsigned lane, unsigned at, unsigned bits) {
    uint64_t v = 0;
    for (unsigned b = 0; b < bits; b++)
        v |= (uint64_t)(sw_step_register(step, reg + (at + b) / 32)[lane] >> (at + b) % 32 & 1) << b;
    return v;
}

// ---- The product ----

static uint64_t matrix_a[16][32][128], matrix_b[16][32][128]; // codes, by block, row or column, K
static bool matrix_kept[16][32][128];                         // of sparse A

static int64_t matrix_int(uint64_t code, unsigned bits, bool is_signed) {
    return is_signed && code >> (bits - 1) & 1 ? (int64_t)(code | ~0ull << bits) : (int64_t)code;
}
// Element i, j of a block of D, and whether it is a NaN.
static uint64_t matrix_element(const struct matrix_run *r, const struct matrix_case *m, unsigned block,
                               unsigned i, unsigned j, uint64_t c, bool *nan) {
    const struct shape_facts *s = &m->s;
    *nan = false;
    if (matrix_is_whole(m)) {
        int64_t sum = (int32_t)c;
        for (unsigned k = 0; k < s->k; k++)
            if (matrix_kept[block][i][k])
                sum += matrix_int(matrix_a[block][i][k], matrix_bits(m, false), m->signed_a) *
                       matrix_int(matrix_b[block][j][k], matrix_bits(m, true), m->signed_b);
        if (m->clamp) sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        return (uint32_t)sum;
    }
    if (!strcmp(s->d, "f64")) {
        double sum;
        memcpy(&sum, &c, 8);
        for (unsigned k = 0; k < s->k; k++) {
            double a, b;
            memcpy(&a, &matrix_a[block][i][k], 8), memcpy(&b, &matrix_b[block][j][k], 8);
            sum = fma(a, b, sum);
        }
        *nan = isnan(sum);
        memcpy(&c, &sum, 8);
        return c;
    }
    const enum fmt d = matrix_fmt(s->d, false);
    float sum = (float)fmt_number(d, c);
    for (unsigned k = 0; k < s->k; k++) {
        const float a = matrix_kept[block][i][k] ? matrix_float(r, s->a, m->a, matrix_a[block][i][k]) : 0;
        sum = fmaf(a, matrix_float(r, s->b, m->b, matrix_b[block][j][k]), sum);
    }
    *nan = isnan(sum);
    return fmt_code(d, (real)sum, TO_EVEN);
}

// Which two of four elements of A each lane has, as the index says.
static void matrix_index(struct matrix_run *r, const struct matrix_case *m, const sw_step *step,
                         unsigned lane, uint8_t index[32]) {
    const unsigned held = a_held(&m->s);
    uint32_t word = (uint32_t)matrix_random(r);
    for (unsigned p = 0; p < held / 2; p++) {
        const unsigned first = (unsigned)matrix_random(r) % 3,
                       second = first + 1 + (unsigned)matrix_random(r) % (3 - first),
                       at = 2 * held * m->set + 4 * p;
        index[2 * p] = (uint8_t)(4 * p + first), index[2 * p + 1] = (uint8_t)(4 * p + second);
        word = (word & ~(15u << at)) | (first | second << 2) << at;
    }
    sw_step_register(step, 256 + M_INDEX)[lane] = word;
}
static uint64_t matrix_value(struct matrix_run *r, const struct matrix_case *m, enum fmt f, unsigned bits) {
    if (matrix_is_whole(m)) return matrix_random(r) & ((1ull << bits) - 1);
    return matrix_number(r, f, m->trial);
}
// What A and B are behind the broadcasts (CDNA3 7.1.5).
static unsigned matrix_lane_of_b(const struct matrix_case *m, unsigned l) {
    switch (m->blgp) {
    case 0: return l;
    case 1: return l & 31;
    case 2: return l | 32;
    case 3: return l < 48 ? l + 16 : l - 48;
    default: return (l & 15) | (m->blgp & 3) << 4;
    }
}
static void matrix_broadcast(const struct matrix_case *m) {
    static uint64_t b[16][32][128];
    const struct shape_facts *s = &m->s;
    // AMD's matrix instruction calculator: with CBSZ 2 and ABID 1, block 1 stands for 0 to 3, 5 for 4 to 7.
    const unsigned group = 1u << m->cbsz;
    for (unsigned block = 0; m->cbsz && block < s->blocks; block++) {
        const unsigned from = block / group * group + m->abid;
        if (block != from) memcpy(matrix_a[block], matrix_a[from], sizeof *matrix_a);
    }
    if (!m->blgp) return;
    memcpy(b, matrix_b, sizeof b);
    for (unsigned l = 0; l < s->lanes; l++)
        for (unsigned j = 0; j < b_held(s); j++) {
            unsigned i, block, k, i2, block2, k2;
            place_ab(s, l, j, &i, &block, &k);
            place_ab(s, matrix_lane_of_b(m, l), j, &i2, &block2, &k2);
            matrix_b[block][i][k] = b[block2][i2][k2];
        }
}
static void matrix_begin(struct matrix_run *r, const sw_step *step) {
    const struct matrix_case *m = &r->list[r->current];
    const struct shape_facts *s = &m->s;
    const unsigned cd = r->acc ? 512 : 256, wa = matrix_bits(m, false), wb = matrix_bits(m, true),
                   wd = bits_of_type(s->d);
    memset(matrix_kept, !s->sparse, sizeof matrix_kept);
    for (unsigned n = 0; n < M_VGPRS; n++)
        for (unsigned l = 0; l < step->lanes; l++) {
            sw_step_register(step, 256 + n)[l] = (uint32_t)matrix_random(r);
            if (r->acc) sw_step_register(step, 512 + n)[l] = (uint32_t)matrix_random(r);
        }
    for (unsigned l = 0; l < s->lanes; l++) {
        uint8_t index[32];
        unsigned i, block, k;
        for (unsigned j = 0; j < 32; j++) index[j] = (uint8_t)j;
        if (s->sparse) matrix_index(r, m, step, l, index);
        for (unsigned j = 0; j < b_held(s); j++) { // lanes with the same elements have the same values
            place_ab(s, l, j, &i, &block, &k);
            const bool again = s->rdna && !s->gfx12 && l >= s->m;
            if (!again) matrix_b[block][i][k] = matrix_value(r, m, m->b, wb);
            matrix_put(step, 256 + M_B, l, j * wb, wb, matrix_b[block][i][k]);
            if (j >= a_held(s)) continue;
            place_ab(s, l, index[j], &i, &block, &k);
            if (!again) matrix_a[block][i][k] = matrix_value(r, m, m->a, wa);
            matrix_kept[block][i][k] = true;
            matrix_put(step, 256 + M_A, l, j * wa, wa, matrix_a[block][i][k]);
        }
    }
    matrix_broadcast(m);
    for (unsigned l = 0; l < s->lanes; l++)
        for (unsigned v = 0; v < matrix_results(s); v++) {
            unsigned i, j, block;
            place_d(s, l, v, &i, &j, &block);
            const uint64_t c = matrix_value(r, m, matrix_fmt(s->d, false), wd);
            matrix_put(step, cd + (s->sparse ? M_D : M_C), l, d_at(s, v, m->high), wd, c);
            r->want[l][v] = matrix_element(r, m, block, i, j, c, &r->nan[l][v]);
        }
}
static void matrix_end(struct matrix_run *r, const sw_step *step) {
    const struct matrix_case *m = &r->list[r->current];
    const unsigned wd = bits_of_type(m->s.d);
    for (unsigned l = 0; l < m->s.lanes; l++)
        for (unsigned v = 0; v < matrix_results(&m->s); v++) {
            const uint64_t got = matrix_get(step, (r->acc ? 512 : 256) + M_D, l, d_at(&m->s, v, m->high), wd);
            const enum fmt f = matrix_fmt(m->s.d, false);
            if (r->nan[l][v] ? fmt_is_nan(f, got) && got & fmt_quiet_bit(f) : got == r->want[l][v]) continue;
            if (r->failures++ < 10)
                print_error(
                    "%s (%s, wave%u, trial %u%s): element %u of lane %u is 0x%llx, should be %s0x%llx\n",
                    row_id(m->row), sw_processor_name(r->p), m->s.lanes, m->trial,
                    r->flushes ? ", flushed" : "", v, l, (unsigned long long)got,
                    r->nan[l][v] ? "a NaN, not " : "", (unsigned long long)r->want[l][v]);
            return;
        }
}
static void matrix_observe(void *context, const sw_step *step) {
    struct matrix_run *r = context;
    fenv_t env; // the device computes with its own rounding and denormals
    fegetenv(&env);
    fesetenv(FE_DFL_ENV);
    if (!r->code) r->code = step->pc;
    if (r->pending) matrix_end(r, step), r->pending = false, r->current++;
    if (r->current < r->count && r->list[r->current].at == step->pc - r->code)
        matrix_begin(r, step), r->pending = true;
    fesetenv(&env);
}

// ---- A processor ----

// An instruction, and where it is put in the kernel.
struct matrix_words {
    const uint8_t *bytes;
    size_t size;
    uint64_t *at;
};
static char *matrix_kernel(const sw_processor *p, const struct isa *isa, const struct matrix_words *list,
                           unsigned count, unsigned lanes, const char *directives) {
    char *text = malloc((size_t)count * 160 + 4096), *t = text;
    uint64_t at = 0;
    t += sprintf(t, ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n");
    for (unsigned i = 0; i < count; i++) {
        *list[i].at = at, at += list[i].size + 4;
        for (size_t k = 0; k < list[i].size; k += 4) {
            uint32_t word;
            memcpy(&word, list[i].bytes + k, 4);
            t += sprintf(t, ".long 0x%08x\n", word);
        }
        t += sprintf(t, "s_nop 0\n");
    }
    const bool apart = !has(p, CAP_unified_vgprs) && isa->generation < GFX10; // accumulation registers
    t += sprintf(t,
                 "s_endpgm\n.section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr %d\n"
                 ".amdhsa_next_free_sgpr 80\n%s",
                 apart ? 2 * M_VGPRS : M_VGPRS, directives);
    if (has(p, CAP_unified_vgprs)) t += sprintf(t, ".amdhsa_accum_offset %d\n", M_VGPRS);
    if (isa->generation >= GFX10 && !generation_within(isa->generation, GFX12_5))
        t += sprintf(t, ".amdhsa_wavefront_size32 %d\n", lanes == 32);
    sprintf(t, ".end_amdhsa_kernel\n");
    return text;
}
// Runs them one after the other, in one wave, with an observer.
static void matrix_run_words(const sw_processor *p, const struct isa *isa, const struct matrix_words *list,
                             unsigned count, unsigned lanes, const char *directives,
                             const sw_device_hooks *hooks) {
    struct rig rig;
    char *text = matrix_kernel(p, isa, list, count, lanes, directives);
    assert_true(rig_open_watched(&rig, sw_processor_name(p), text, hooks));
    free(text);
    assert_int_equal(rig_run(&rig, NULL, lanes, lanes, NULL), SW_OK);
    rig_close(&rig);
}
static void matrix_run(struct matrix_run *r) {
    static struct matrix_words words[M_MOST];
    const sw_device_hooks hooks = {.size = sizeof hooks, .context = r, .observe = matrix_observe};
    for (unsigned i = 0; i < r->count; i++)
        words[i] = (struct matrix_words){r->list[i].bytes, r->list[i].size, &r->list[i].at};
    matrix_run_words(r->p, r->isa, words, r->count, r->lanes,
                     r->flushes ? ".amdhsa_float_denorm_mode_32 0\n" : ".amdhsa_float_denorm_mode_32 3\n",
                     &hooks);
    assert_int_equal(r->current, r->count);
}
static bool matrix_is_older(unsigned row) {
    const struct isa *older = isa_of(sw_processor_find("gfx1200", 7));
    return older->row_codings[row] != older->row_codings[row + 1];
}
// Runs all matrix rows of a processor, on CDNA5 those that GFX12 has as well; marks each in `seen`. Returns
// how many runs fail.
static unsigned matrices_of(const sw_processor *p, const struct isa *isa, bool seen[8192]) {
    unsigned failures = 0;
    for (unsigned n = 0; n < 4; n++) {
        struct matrix_run r = {.p = p,
                               .isa = isa,
                               .lanes = n & 1 ? 32 : 64,
                               .flushes = n & 2,
                               .acc = !has(p, CAP_unified_vgprs) && isa->generation < GFX10,
                               .seed = 0x9e3779b97f4a7c15,
                               .list = malloc(M_MOST * sizeof *r.list)};
        const bool none = r.lanes == 32 ? isa->generation < GFX10 : has(p, CAP_wave32_only);
        const bool cdna5 = generation_within(isa->generation, GFX12_5);
        for (unsigned row = 0; row < isa_row_count && !none; row++)
            if (has_matrix_row(isa, row) && (!cdna5 || matrix_is_older(row))) {
                matrix_add(&r, &isa_rows[row]);
                seen[row] = true;
            }
        assert_true(r.count < M_MOST);
        if (r.count) matrix_run(&r);
        failures += r.failures;
        free(r.list);
    }
    return failures;
}

#endif
